# For less: source it from the profile of your shell.  less then shows links as
# hyperlinks of the terminal (less 566 or later), broken ones and those of mail
# included.  Binary files are shown as before.

export LESSOPEN='||-urlsift rewrite --as=term --color=always %s 2>/dev/null'
export LESS="-R ${LESS:-}"
