/* RFC 1738 section 5.  A repeat takes all it can and gives nothing back, which
 * nowhere changes what is matched: what may follow cannot stand in the repeat. */
#include "grammar_rules.h"

#include <stddef.h>

/* Members of classes, by the RFC's names. */
#define ALPHA "A-Za-z"
#define DIGIT "0-9"
#define SAFE "$\\-_.+"
#define EXTRA "!*'(),"
#define RESERVED ";/?:@&="
#define UNRESERVED ALPHA DIGIT SAFE EXTRA

/* *[ uchar | ... ] and 1*[ uchar | ... ] */
#define UCHARS(more) "(?:[" UNRESERVED more "]++|<escape>)*+"
#define UCHARS_1(more) "(?:[" UNRESERVED more "]++|<escape>)++"
/* The same up to a tab: it splits gopher's selector from what follows (section 3.4). */
#define TABLESS(more) "(?:[" UNRESERVED more "]++|(?!%09)<escape>)*+"

#define SCHEMES "http|ftp|news|nntp|telnet|gopher|wais|mailto|file|prospero"

const struct grammar_rule grammar_rfc1738[] = {
	{ "url", "<httpurl>|<ftpurl>|<newsurl>|<nntpurl>|<telneturl>|<gopherurl>|<waisurl>|<mailtourl>|<fileurl>|"
	         "<prosperourl>|<otherurl>" },
	{ "otherurl", "(?!(?i:" SCHEMES "):)<genericurl>" },
	{ "genericurl", "<scheme>:<schemepart>" },
	{ "scheme", "[" ALPHA DIGIT "+\\-.]++" },
	{ "schemepart", UCHARS(RESERVED) }, /* *xchar; every ip-schemepart is of xchar too */

	{ "login", "(?:<user>(?::<password>)?+@)?+<hostport>" },
	{ "hostport", "<host>(?::<port>)?+" },
	{ "host", "<hostname>|<hostnumber>" },
	{ "hostname", "(?:<domainlabel>\\.)*+<toplabel>" },
	{ "domainlabel", "[" ALPHA DIGIT "]++(?:-++[" ALPHA DIGIT "]++)*+" },
	{ "toplabel", "(?=[" ALPHA "])<domainlabel>" },
	{ "hostnumber", "<digits>\\.<digits>\\.<digits>\\.<digits>" },
	{ "port", "<digits>" },
	{ "user", UCHARS(";?&=") },
	{ "password", UCHARS(";?&=") },

	{ "ftpurl", "(?i:ftp)://<login>(?:/<fpath>(?:;type=<ftptype>)?+)?+" },
	{ "fpath", "<fsegment>(?:/<fsegment>)*+" },
	{ "fsegment", UCHARS("?:@&=") },
	{ "ftptype", "[AIDaid]" },
	{ "fileurl", "(?i:file)://<host>?+/<fpath>" }, /* "localhost" is a host */
	{ "httpurl", "(?i:http)://<hostport>(?:/<hpath>(?:\\?<search>)?+)?+" },
	{ "hpath", "<hsegment>(?:/<hsegment>)*+" },
	{ "hsegment", UCHARS(";:@&=") },
	{ "search", UCHARS(";:@&=") },
	{ "gopherurl", "(?i:gopher)://<hostport>"
	               "(?:/(?:<gtype><selector>(?:%09<gopher-search>(?:%09<gopher+_string>)?+)?+)?+)?+" },
	{ "gtype", "[" UNRESERVED RESERVED "]|<escape>" },
	{ "selector", TABLESS(RESERVED) },
	{ "gopher-search", TABLESS(";:@&=") }, /* "search" there */
	{ "gopher+_string", UCHARS(RESERVED) },
	{ "mailtourl", "(?i:mailto):<encoded822addr>" },
	{ "encoded822addr", UCHARS_1(RESERVED) },
	{ "newsurl", "(?i:news):<grouppart>" },
	{ "grouppart", "<article>|<group>|\\*" },
	{ "group", "[" ALPHA "][" ALPHA DIGIT "\\-.+_]*+" },
	{ "article", UCHARS_1(";/?:&=") "@<host>" },
	{ "nntpurl", "(?i:nntp)://<hostport>/<group>(?:/<digits>)?+" },
	{ "telneturl", "(?i:telnet)://<login>/?+" },
	{ "waisurl", "<waisindex>|<waisdoc>|<waisdatabase>" },
	{ "waisdatabase", "(?i:wais)://<hostport>/<database>" },
	{ "waisindex", "(?i:wais)://<hostport>/<database>\\?<search>" },
	{ "waisdoc", "(?i:wais)://<hostport>/<database>/<wtype>/<wpath>" },
	{ "database", UCHARS("") },
	{ "wtype", UCHARS("") },
	{ "wpath", UCHARS("") },
	{ "prosperourl", "(?i:prospero)://<hostport>/<ppath><fieldspec>*+" },
	{ "ppath", "<psegment>(?:/<psegment>)*+" },
	{ "psegment", UCHARS("?:@&=") },
	{ "fieldspec", ";<fieldname>=<fieldvalue>" },
	{ "fieldname", UCHARS("?:@&") },
	{ "fieldvalue", UCHARS("?:@&") },
	{ "escape", "%[0-9A-Fa-f]{2}" },
	{ "digits", "[" DIGIT "]++" },

	/* From here on to tell faults. */
	{ "to-host", /* hyphens before anything but the end of a label are not what is wrong */
	  "(*:host)(?:<hostnumber>(?=[:/]|\\z)"
	  "|(?:<domainlabel>\\.)*+(?:<toplabel>(?:-++(?![.:/]|\\z))?+)?+)" },
	{ "to-hostport", "<to-host>(?:(?<=[" ALPHA DIGIT "]):(*:port)<digits>?+)?+" },
	{ "to-login", /* all up to the last `@` is user and password */
	  "(?(?=[^/@]*+@)(*:user)<user>(?::(*:password)<password>)?+(?:@(?![^/@]*+@)<to-hostport>)?+|<to-hostport>)" },
	{ NULL, NULL }
};

/* A whole host, and a whole port, end with a letter or a digit; parts of one do not. */
#define BEHIND_HOST(scheme, rest) \
	"(?:(?<=[" ALPHA DIGIT "])(?:/" rest "|(?=\\?|\\z)(*:" scheme "url)))?+"
#define IP_SCHEME(scheme, authority, rest) \
	"|(?i:" scheme "):(*:" scheme "url)(?://" authority BEHIND_HOST(scheme, rest) ")?+"

/* The definition, or else the URL taken apart from its beginning: each part as far
 * as its rule goes, what follows only behind a whole one. */
const char grammar_rfc1738_start[] =
	"<url>\\z(*:" GRAMMAR_VALID ")"
	IP_SCHEME("http", "<to-hostport>", "(*:hpath)<hpath>(?:\\?(*:search)<search>)?+")
	IP_SCHEME("ftp", "<to-login>", "(*:fpath)<fpath>(?:;type=(*:ftptype)<ftptype>?+)?+")
	IP_SCHEME("nntp", "<to-hostport>", "(*:group)(?:<group>(?:/(*:digits)<digits>?+)?+)?+")
	IP_SCHEME("telnet", "<to-login>", "(*:telneturl)")
	IP_SCHEME("gopher", "<to-hostport>",
	          "(*:gtype)(?:<gtype>(*:selector)<selector>(?:%09(*:search)<gopher-search>"
	          "(?:%09(*:gopher+_string)<gopher+_string>)?+)?+)?+")
	IP_SCHEME("wais", "<to-hostport>",
	          "(*:database)<database>(?:\\?(*:search)<search>|/(*:wtype)<wtype>(?:/(*:wpath)<wpath>)?+)?+")
	IP_SCHEME("prospero", "<to-hostport>",
	          "(*:ppath)<ppath>(?:;(*:fieldname)<fieldname>=(*:fieldvalue)<fieldvalue>)*+"
	          "(?:;(*:fieldname)<fieldname>)?+")
	"|(?i:file):(*:fileurl)(?://(?:/(*:fpath)<fpath>|<to-host>" BEHIND_HOST("file", "(*:fpath)<fpath>") "))?+"
	"|(?i:mailto):(*:encoded822addr)<encoded822addr>?+"
	"|(?i:news):(?:(?=[^@]*+@)(*:article)(?:" UCHARS_1(";/?:&=") "(?:@<to-host>)?+)?+"
	"|\\*(*:grouppart)|(*:group)<group>?+)"
	"|<scheme>:(*:schemepart)<schemepart>"
	"|(*:scheme)<scheme>?+";
