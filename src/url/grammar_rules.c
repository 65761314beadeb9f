/* The text of the grammars.  Possessive repeats do not change what matches: what may follow one is never part of it. */
#include "grammar.h"

#include <stddef.h>

/* Members of classes, by the RFCs' names. */
#define ALPHA "A-Za-z"
#define DIGIT "0-9"

/* ---- RFC 1738 section 5 ---------------------------------------------------------- */

#define SAFE "$\\-_.+"
#define EXTRA "!*'(),"
#define RESERVED ";/?:@&="
#define UNRESERVED_1738 ALPHA DIGIT SAFE EXTRA

/* *[ uchar | ... ] and 1*[ uchar | ... ] */
#define UCHARS(more) "(?:[" UNRESERVED_1738 more "]++|<escape>)*+"
#define UCHARS_1(more) "(?:[" UNRESERVED_1738 more "]++|<escape>)++"
/* The same up to an encoded tab, which ends the selector of gopher (section 3.4). */
#define TABLESS(more) "(?:[" UNRESERVED_1738 more "]++|(?!%09)<escape>)*+"

static const struct grammar_rule rfc1738[] = {
	{ "url", "<httpurl>|<ftpurl>|<newsurl>|<nntpurl>|<telneturl>|<gopherurl>|<waisurl>|<mailtourl>|<fileurl>|"
	         "<prosperourl>|<otherurl>" },
	{ "otherurl", "(?!(?i:" GRAMMAR_RFC1738_SCHEMES("|") "):)<genericurl>" },
	{ "genericurl", "<scheme>:<schemepart>" },
	{ "scheme", "[" ALPHA DIGIT "+\\-.]++" },
	{ "schemepart", UCHARS(RESERVED) }, /* *xchar; an ip-schemepart consists of xchar too */

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
	{ "gtype", "[" UNRESERVED_1738 RESERVED "]|<escape>" },
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

	/* From here on rules that find faults. */
	{ "to-host", /* hyphens are a fault only at the end of a label */
	  "(*:host)(?:<hostnumber>(?=[:/]|\\z)"
	  "|(?:<domainlabel>\\.)*+(?:<toplabel>(?:-++(?![.:/]|\\z))?+)?+)" },
	{ "to-hostport", "<to-host>(?:(?<=[" ALPHA DIGIT "]):(*:port)<digits>?+)?+" },
	{ "to-login", /* user and password end at the last `@` */
	  "(?(?=[^/@]*+@)(*:user)<user>(?::(*:password)<password>)?+(?:@(?![^/@]*+@)<to-hostport>)?+|<to-hostport>)" },
	{ NULL, NULL }
};

/* A complete host or port ends with a letter or a digit; an incomplete one does not. */
#define BEHIND_HOST(scheme, rest) \
	"(?:(?<=[" ALPHA DIGIT "])(?:/" rest "|(?=\\?|\\z)(*:" scheme "url)))?+"
#define IP_SCHEME(scheme, authority, rest) \
	"|(?i:" scheme "):(*:" scheme "url)(?://" authority BEHIND_HOST(scheme, rest) ")?+"

/* The definition; else the longest prefix that splits: each part as far as its rule matches, the next part only after a
 * complete one. */
static const char rfc1738_start[] =
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

/* ---- RFC 3986 appendix A, RFC 3987 section 2.2 -------------------------------------- */

#define HEXDIG DIGIT "A-Fa-f"
#define UNRESERVED ALPHA DIGIT "\\-._~"
#define SUB_DELIMS "!$&'()*+,;="
#define UCSCHAR \
	"\\x{A0}-\\x{D7FF}\\x{F900}-\\x{FDCF}\\x{FDF0}-\\x{FFEF}" \
	"\\x{10000}-\\x{1FFFD}\\x{20000}-\\x{2FFFD}\\x{30000}-\\x{3FFFD}\\x{40000}-\\x{4FFFD}\\x{50000}-\\x{5FFFD}" \
	"\\x{60000}-\\x{6FFFD}\\x{70000}-\\x{7FFFD}\\x{80000}-\\x{8FFFD}\\x{90000}-\\x{9FFFD}\\x{A0000}-\\x{AFFFD}" \
	"\\x{B0000}-\\x{BFFFD}\\x{C0000}-\\x{CFFFD}\\x{D0000}-\\x{DFFFD}\\x{E1000}-\\x{EFFFD}"
#define IPRIVATE "\\x{E000}-\\x{F8FF}\\x{F0000}-\\x{FFFFD}\\x{100000}-\\x{10FFFD}"

/* *( unreserved / pct-encoded / sub-delims / ... ), 1*( ... ), and those of RFC 3987 */
#define ANY_OF(members) "(?:[" UNRESERVED SUB_DELIMS members "]++|<pct-encoded>)*+"
#define SOME_OF(members) "(?:[" UNRESERVED SUB_DELIMS members "]++|<pct-encoded>)++"
#define IANY_OF(members) ANY_OF(UCSCHAR members)
#define ISOME_OF(members) SOME_OF(UCSCHAR members)

/* To find faults.  The userinfo ends at the last `@`.  The fault of a literal is at its bracket. */
#define TO_AUTHORITY(i) \
	{ "to-" i "host", \
	  "(?:\\[(?:(?=[Vv])(*:IPvFuture)|(*:IPv6address))(?:(?:<IPv6address>|<IPvFuture>)\\](*:IP-literal))?+" \
	  "|(*:" i "reg-name)<" i "reg-name>)(?:(?<!\\[):(*:port)<port>)?+" }, \
	{ "to-" i "authority", \
	  "(?(?=[^/?\\#@]*+@)(*:" i "userinfo)<" i "userinfo>(?:@(?![^/?\\#@]*+@)<to-" i "host>)?+|<to-" i "host>)" }

static const struct grammar_rule generic[] = {
	{ "scheme", "[" ALPHA "][" ALPHA DIGIT "+\\-.]*+" },
	{ "port", "[" DIGIT "]*+" },
	{ "IP-literal", "\\[(?:<IPv6address>|<IPvFuture>)\\]" },
	{ "IPvFuture", "[Vv][" HEXDIG "]++\\.[" UNRESERVED SUB_DELIMS ":]++" },
	{ "IPv6address", "                         (?:<h16>:){6}<ls32>"
	                 "|                      ::(?:<h16>:){5}<ls32>"
	                 "|(?:               <h16>)?::(?:<h16>:){4}<ls32>"
	                 "|(?:(?:<h16>:){0,1}<h16>)?::(?:<h16>:){3}<ls32>"
	                 "|(?:(?:<h16>:){0,2}<h16>)?::(?:<h16>:){2}<ls32>"
	                 "|(?:(?:<h16>:){0,3}<h16>)?::   <h16>:    <ls32>"
	                 "|(?:(?:<h16>:){0,4}<h16>)?::             <ls32>"
	                 "|(?:(?:<h16>:){0,5}<h16>)?::             <h16>"
	                 "|(?:(?:<h16>:){0,6}<h16>)?::" },
	{ "h16", "[" HEXDIG "]{1,4}+" },
	{ "ls32", "<h16>:<h16>|<IPv4address>" },
	{ "IPv4address", "<dec-octet>\\.<dec-octet>\\.<dec-octet>\\.<dec-octet>" },
	{ "dec-octet", "25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9][0-9]|[0-9]" },
	{ "pct-encoded", "%[" HEXDIG "]{2}" },
	{ NULL, NULL }
};

static const struct grammar_rule rfc3986[] = {
	{ "URI", "<scheme>:<hier-part>(?:\\?<query>)?+(?:\\#<fragment>)?+" },
	{ "hier-part", "//<authority><path-abempty>|<path-absolute>|<path-rootless>|<path-empty>" },
	{ "authority", "(?:<userinfo>@)?+<host>(?::<port>)?+" },
	{ "userinfo", ANY_OF(":") },
	{ "host", "<IP-literal>|<reg-name>" }, /* an IPv4address is a reg-name too */
	{ "reg-name", ANY_OF("") },
	{ "path-abempty", "(?:/<segment>)*+" },
	{ "path-absolute", "/(?:<segment-nz>(?:/<segment>)*+)?+" },
	{ "path-rootless", "<segment-nz>(?:/<segment>)*+" },
	{ "path-empty", "" },
	{ "segment", ANY_OF(":@") },
	{ "segment-nz", SOME_OF(":@") },
	{ "query", ANY_OF(":@/?") },
	{ "fragment", ANY_OF(":@/?") },
	TO_AUTHORITY(""),
	{ NULL, NULL }
};

static const struct grammar_rule rfc3987[] = {
	{ "IRI", "<scheme>:<ihier-part>(?:\\?<iquery>)?+(?:\\#<ifragment>)?+" },
	{ "ihier-part", "//<iauthority><ipath-abempty>|<ipath-absolute>|<ipath-rootless>|<ipath-empty>" },
	{ "iauthority", "(?:<iuserinfo>@)?+<ihost>(?::<port>)?+" },
	{ "iuserinfo", IANY_OF(":") },
	{ "ihost", "<IP-literal>|<ireg-name>" },
	{ "ireg-name", IANY_OF("") },
	{ "ipath-abempty", "(?:/<isegment>)*+" },
	{ "ipath-absolute", "/(?:<isegment-nz>(?:/<isegment>)*+)?+" },
	{ "ipath-rootless", "<isegment-nz>(?:/<isegment>)*+" },
	{ "ipath-empty", "" },
	{ "isegment", IANY_OF(":@") },
	{ "isegment-nz", ISOME_OF(":@") },
	{ "iquery", IANY_OF(IPRIVATE ":@/?") },
	{ "ifragment", IANY_OF(":@/?") },
	TO_AUTHORITY("i"),
	{ NULL, NULL }
};

/* The definition; else the longest prefix that splits: each part as far as its rule matches. */
#define START(whole, i) \
	"<" whole ">\\z(*:" GRAMMAR_VALID ")" \
	"|(*:scheme)(?:<scheme>:" \
	"(?://<to-" i "authority>(?:(?<!\\[)(?=/)(*:" i "path-abempty)<" i "path-abempty>)?+" \
	"|(?=/)(*:" i "path-absolute)<" i "path-absolute>" \
	"|(*:" i "path-rootless)<" i "path-rootless>?+)" \
	"(?:(?<!\\[)\\?(*:" i "query)<" i "query>)?+(?:(?<!\\[)\\#(*:" i "fragment)<" i "fragment>)?+" \
	"|<scheme>?+)"

static const char rfc3986_start[] = START("URI", "");
static const char rfc3987_start[] = START("IRI", "i");

const struct grammar_source grammar_sources[GRAMMARS] = {
	[URLSIFT_RFC1738] = { { rfc1738 }, rfc1738_start, false },
	[URLSIFT_RFC3986] = { { rfc3986, generic }, rfc3986_start, false },
	[URLSIFT_RFC3987] = { { rfc3987, generic }, rfc3987_start, true }
};
