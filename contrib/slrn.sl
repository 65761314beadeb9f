% For slrn: `interpret "/usr/local/share/urlsift/slrn.sl"' in your slrnrc.
%
% Ctrl-B in an article shows its links to open or copy them.

define urlsift_pick ()
{
   pipe_article ("urlsift pick");
}

definekey ("urlsift_pick", "^B", "article");
