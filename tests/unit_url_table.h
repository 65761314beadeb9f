/* What each full row of the scheme table says, and the normal form of a URL of it. */
#ifndef UNIT_URL_TABLE_H
#define UNIT_URL_TABLE_H

#include "url/scheme.h"

/* name, default port, `//`, body, a text, its normal form (NULL: the text's own). */
static const struct row_case {
	const char *name;
	unsigned port, slashes, body;
	const char *text, *normal;
} row_cases[] = {
	/* RFC 1738 section 3 */
	{ "ftp", 21, 2, BODY_HOST, "FTP://U:P@Host.Example:21/%2Fetc/./motd;type=A", "ftp://U:P@host.example/%2Fetc/motd;type=A" },
	{ "http", 80, 2, BODY_HOST, "HTTP://Host.Example:80", "http://host.example/" },
	{ "gopher", 70, 2, BODY_HOST, "Gopher://Host.Example:70/7x%09%41", "gopher://host.example/7x%09A" },
	{ "mailto", 0, 0, BODY_ADDRESS, "MailTo:Joe%2EB@Mail.Example,A@B.Example?subject=A",
		"mailto:Joe.B@mail.example,A@b.example?subject=A" },
	{ "news", 119, 1, BODY_NEWS, "News:Comp.Example", "news:Comp.Example" },
	{ "nntp", 119, 2, BODY_HOST, "nntp://News.Example:119/a.b/7", "nntp://news.example/a.b/7" },
	{ "telnet", 23, 2, BODY_HOST, "telnet://Me@Host.Example:23/", "telnet://Me@host.example/" },
	{ "wais", 210, 2, BODY_HOST, "wais://Host.Example:210/db?w", "wais://host.example/db?w" },
	{ "file", 0, 1, BODY_FILE, "file:/a/../b", "file:/b" },
	{ "prospero", 1525, 2, BODY_HOST, "prospero://Host.Example:1525//a;b=c", "prospero://host.example//a;b=c" },
	/* RFC 1738 section 4, RFC 1630 */
	{ "afs", 0, 2, BODY_HOST, "afs://Cell.Example/usr", "afs://cell.example/usr" },
	{ "mid", 0, 0, BODY_ID, "mid:A.b@C.example", NULL },
	{ "cid", 0, 0, BODY_ID, "cid:A.b@C.example", NULL },
	{ "nfs", 2049, 2, BODY_HOST, "nfs://h.example:2049//a", "nfs://h.example//a" },
	{ "tn3270", 23, 2, BODY_HOST, "tn3270://h.example:23/", "tn3270://h.example/" },
	{ "mailserver", 0, 0, BODY_ADDRESS, "mailserver:Listserv@h.example", NULL },
	{ "z39.50", 210, 2, BODY_HOST, "z39.50://h.example:210/b", "z39.50://h.example/b" },
	{ "z39.50r", 210, 2, BODY_HOST, "z39.50r://h.example:210/b", "z39.50r://h.example/b" },
	{ "z39.50s", 210, 2, BODY_HOST, "z39.50s://h.example:210/b", "z39.50s://h.example/b" },
	{ "rlogin", 513, 2, BODY_HOST, "rlogin://u@h.example:513", "rlogin://u@h.example" },
	{ "urn", 0, 0, BODY_URN, "URN:isbn:0%34", "urn:isbn:04" },
	/* in use since */
	{ "https", 443, 2, BODY_HOST, "https://H.example:0443?q", "https://h.example/?q" },
	{ "ftps", 990, 2, BODY_HOST, "ftps://h.example:990/", "ftps://h.example/" },
	{ "sftp", 22, 2, BODY_HOST, "sftp://u@h.example:22/%7eu", "sftp://u@h.example/~u" },
	{ "ssh", 22, 1, BODY_ADDRESS_OR_HOST, "ssh://U@H.example:22", "ssh://U@h.example" },
	{ "git", 9418, 2, BODY_HOST, "git://h.example:9418/r", "git://h.example/r" },
	{ "git+http", 80, 2, BODY_HOST, "git+http://h.example:80/r", "git+http://h.example/r" },
	{ "git+https", 443, 2, BODY_HOST, "git+https://h.example:443/r", "git+https://h.example/r" },
	{ "git+ssh", 22, 2, BODY_HOST, "git+ssh://h.example:22/r", "git+ssh://h.example/r" },
	{ "svn", 3690, 2, BODY_HOST, "svn://h.example:3690/r", "svn://h.example/r" },
	{ "svn+ssh", 22, 2, BODY_HOST, "svn+ssh://h.example:22/r", "svn+ssh://h.example/r" },
	{ "irc", 194, 2, BODY_HOST, "irc://h.example:194/c", "irc://h.example/c" },
	{ "ircs", 6697, 2, BODY_HOST, "ircs://h.example:6697/c", "ircs://h.example/c" },
	{ "xmpp", 0, 1, BODY_ADDRESS_OR_HOST, "xmpp:A@h.example", NULL },
	{ "sip", 5060, 0, BODY_ADDRESS_OR_HOST, "sip:A@h.example", NULL },
	{ "sips", 5061, 0, BODY_ADDRESS_OR_HOST, "sips:A@h.example", NULL },
	{ "im", 0, 0, BODY_ADDRESS, "im:A@h.example", NULL },
	{ "pres", 0, 0, BODY_ADDRESS, "pres:A@h.example", NULL },
	{ "tel", 0, 0, BODY_PHONE, "tel:+1-201-555-0123", NULL },
	{ "sms", 0, 0, BODY_PHONE, "sms:+12015550123", NULL },
	{ "geo", 0, 0, BODY_GEO, "geo:48.2,16.3", NULL },
	{ "magnet", 0, 0, BODY_QUERY, "magnet:?xt=A", NULL },
	{ "doi", 0, 0, BODY_PATH, "doi:10.1000/182", NULL },
	{ "elisp", 0, 0, BODY_SWALLOW, "elisp:a", NULL },
	{ "matrix", 0, 1, BODY_PATH, "matrix:r/a:h.example", NULL },
	{ "ldap", 389, 2, BODY_HOST_OPTIONAL, "ldap://h.example:389/c=XX", "ldap://h.example/c=XX" },
	{ "ldaps", 636, 2, BODY_HOST_OPTIONAL, "ldaps://h.example:636/", "ldaps://h.example/" },
	{ "imap", 143, 2, BODY_HOST, "imap://h.example:143/INBOX", "imap://h.example/INBOX" },
	{ "pop", 110, 2, BODY_HOST, "pop://h.example:110", "pop://h.example" },
	{ "snews", 563, 1, BODY_NEWS, "snews://h.example:563/a", "snews://h.example/a" },
	{ "rsync", 873, 2, BODY_HOST, "rsync://h.example:873/m", "rsync://h.example/m" },
	{ "rtsp", 554, 2, BODY_HOST, "rtsp://h.example:554/m", "rtsp://h.example/m" },
	{ "rtsps", 322, 2, BODY_HOST, "rtsps://h.example:322/m", "rtsps://h.example/m" },
	{ "mms", 1755, 2, BODY_HOST, "mms://h.example:1755/m", "mms://h.example/m" },
	{ "ws", 80, 2, BODY_HOST, "ws://h.example:80/m", "ws://h.example/m" },
	{ "wss", 443, 2, BODY_HOST, "wss://h.example:443/m", "wss://h.example/m" },
	{ "gemini", 1965, 2, BODY_HOST, "gemini://h.example:1965/m", "gemini://h.example/m" },
	{ "smb", 445, 2, BODY_HOST, "smb://h.example:445/m", "smb://h.example/m" },
	{ "feed", 80, 2, BODY_HOST, "feed://h.example:80/m", "feed://h.example/m" },
	{ "webcal", 80, 2, BODY_HOST, "webcal://h.example:80/m", "webcal://h.example/m" },
	{ "ipfs", 0, 1, BODY_TOKEN, "ipfs:Qm7example", NULL },
	{ "ipns", 0, 1, BODY_TOKEN, "ipns:Qm7example", NULL },
	{ "bitcoin", 0, 0, BODY_TOKEN, "bitcoin:1Example", NULL },
	{ "bitcoincash", 0, 0, BODY_TOKEN, "bitcoincash:qexample7", NULL },
	{ "dogecoin", 0, 0, BODY_TOKEN, "dogecoin:DExample", NULL },
	{ "ethereum", 0, 0, BODY_TOKEN, "ethereum:0x00Ab@1", NULL },
	{ "litecoin", 0, 0, BODY_TOKEN, "litecoin:LExample", NULL },
	{ "monero", 0, 0, BODY_TOKEN, "monero:4Example", NULL },
	/* never linked */
	{ "javascript", 0, 0, BODY_SWALLOW, "JavaScript:alert%28%27%29", "javascript:alert%28%27%29" },
	{ "vbscript", 0, 0, BODY_SWALLOW, "vbscript:a", NULL },
	{ "livescript", 0, 0, BODY_SWALLOW, "livescript:a", NULL },
	{ "data", 0, 0, BODY_SWALLOW, "data:text/plain,a/../b", NULL },
	{ "blob", 0, 0, BODY_SWALLOW, "blob:https://H.example/a", NULL },
	{ "filesystem", 0, 0, BODY_SWALLOW, "filesystem:https://H.example/a", NULL },
	{ "about", 0, 0, BODY_SWALLOW, "about:blank", NULL },
	{ "view-source", 0, 0, BODY_SWALLOW, "view-source:http://H.example/", NULL },
	{ "jar", 0, 0, BODY_SWALLOW, "jar:file:///a.jar!/B", NULL },
	{ "shell", 0, 0, BODY_SWALLOW, "shell:startup", NULL },
	{ "ms-", 0, 0, BODY_SWALLOW, "ms-word:ofe", NULL },
};

#endif
