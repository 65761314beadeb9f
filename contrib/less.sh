# For less: source it from the profile of your shell.  less then shows links as
# hyperlinks of the terminal (less 566 or later), in messages, compressed files and
# HTML as well.

export LESSOPEN='||-urlsift rewrite --as=term --color=always -- %s 2>/dev/null'
export LESS="-R ${LESS:-}"
