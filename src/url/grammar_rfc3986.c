/* RFC 3986 appendix A and RFC 3987 section 2.2.  A repeat takes all it can and
 * gives nothing back, which nowhere changes what is matched: what may follow
 * cannot stand in the repeat. */
#include "grammar_rules.h"

#include <stddef.h>

/* Members of classes, by the RFCs' names. */
#define ALPHA "A-Za-z"
#define DIGIT "0-9"
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

/* To tell faults.  All up to the last `@` is userinfo.  A literal is at fault as a
 * whole: nothing goes on behind its bracket then. */
#define TO_AUTHORITY(i) \
	{ "to-" i "host", \
	  "(?:\\[(?:(?=[Vv])(*:IPvFuture)|(*:IPv6address))(?:(?:<IPv6address>|<IPvFuture>)\\](*:IP-literal))?+" \
	  "|(*:" i "reg-name)<" i "reg-name>)(?:(?<!\\[):(*:port)<port>)?+" }, \
	{ "to-" i "authority", \
	  "(?(?=[^/?\\#@]*+@)(*:" i "userinfo)<" i "userinfo>(?:@(?![^/?\\#@]*+@)<to-" i "host>)?+|<to-" i "host>)" }

const struct grammar_rule grammar_generic[] = {
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

const struct grammar_rule grammar_rfc3986[] = {
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

const struct grammar_rule grammar_rfc3987[] = {
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

/* The definition, or else the URL taken apart from its beginning: each part as far
 * as its rule goes. */
#define START(whole, i) \
	"<" whole ">\\z(*:" GRAMMAR_VALID ")" \
	"|(*:scheme)(?:<scheme>:" \
	"(?://<to-" i "authority>(?:(?<!\\[)(?=/)(*:" i "path-abempty)<" i "path-abempty>)?+" \
	"|(?=/)(*:" i "path-absolute)<" i "path-absolute>" \
	"|(*:" i "path-rootless)<" i "path-rootless>?+)" \
	"(?:(?<!\\[)\\?(*:" i "query)<" i "query>)?+(?:(?<!\\[)\\#(*:" i "fragment)<" i "fragment>)?+" \
	"|<scheme>?+)"

const char grammar_rfc3986_start[] = START("URI", "");
const char grammar_rfc3987_start[] = START("IRI", "i");
