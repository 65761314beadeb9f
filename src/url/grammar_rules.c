/* The grammars: their rules, and what a text lacks where a rule fails. */
#include "grammar.h"

#include "text/ascii.h"
#include "text/bytes.h"
#include "text/unicode.h"

#include <stddef.h>
#include <string.h>

/* ---- Sentences --------------------------------------------------------------------- */

/* Sentences for each ASCII character that a rule may reject. */
#define CHARACTER(c) { "'" c "' must be encoded", "'" c "' is not allowed in a host name" }
static const struct character {
	const char *encode, *host;
} characters[128] = {
	[' '] = { "a space must be encoded", "a space is not allowed in a host name" },
	['!'] = CHARACTER("!"), ['"'] = CHARACTER("\""), ['#'] = CHARACTER("#"), ['$'] = CHARACTER("$"),
	['&'] = CHARACTER("&"), ['\''] = CHARACTER("'"), ['('] = CHARACTER("("), [')'] = CHARACTER(")"),
	['*'] = CHARACTER("*"), ['+'] = CHARACTER("+"), [','] = CHARACTER(","), ['-'] = CHARACTER("-"),
	['.'] = CHARACTER("."), ['/'] = CHARACTER("/"), [':'] = CHARACTER(":"), [';'] = CHARACTER(";"),
	['<'] = CHARACTER("<"), ['='] = CHARACTER("="), ['>'] = CHARACTER(">"), ['?'] = CHARACTER("?"),
	['@'] = CHARACTER("@"), ['['] = CHARACTER("["),
	['\\'] = CHARACTER("\\"), [']'] = CHARACTER("]"), ['^'] = CHARACTER("^"), ['_'] = CHARACTER("_"),
	['`'] = CHARACTER("`"), ['{'] = CHARACTER("{"), ['|'] = CHARACTER("|"), ['}'] = CHARACTER("}"),
	['~'] = CHARACTER("~"), ['%'] = { "'%' must be followed by two hex digits", "'%' is not allowed in a host name" }
};

enum { END = -1 };

/* Where a rule failed, with the bytes before and after, END for none. */
struct fault_place {
	const char *text;
	size_t length, offset;
	int before, next;
	bool beyond_ascii;
};

/* Whether the text ends there, or goes on with a byte of the string `set`. */
static bool ends_before(const struct fault_place *at, const char *set)
{
	return at->next == END || is_of((char)at->next, set);
}

/* RFC 3987: ucschar is allowed nearly everywhere, iprivate only in a query. */
static const char *beyond_ascii(const struct fault_place *at)
{
	uint32_t cp;
	utf8_next((const uint8_t *)at->text + at->offset, at->length - at->offset, &cp);
	if (within(cp, 0xE000, 0xF8FF) || (cp >= 0xF0000 && (cp & 0xFFFE) != 0xFFFE))
		return "a private-use character is allowed only in a query";
	return cp < 0xA0 ? "a control character must be encoded" : "this character is not allowed in an IRI";
}

static const char *to_encode(const struct fault_place *at)
{
	if (at->next >= 0x80)
		return at->beyond_ascii ? beyond_ascii(at) : "a non-ASCII character must be encoded";
	if (at->next == END)
		return "the URL is incomplete";
	return text_or(characters[at->next].encode, "a control character must be encoded");
}

static const char *scheme(const struct fault_place *at)
{
	if (ends_before(at, ":/?#"))
		return "a scheme and ':' must come first";
	return !at->offset && is_digit((uint8_t)at->next) ? "a scheme must begin with a letter"
	                                                  : "this character is not allowed in a scheme";
}

/* The rule of a whole URL fails before `//`, before the path, or after it. */
static const char *whole(const struct fault_place *at)
{
	if (at->before == ':')
		return "'//' must follow the scheme";
	return is_alnum((uint8_t)at->before) ? "a '/' must follow the host" : "nothing may follow this '/'";
}

/* Whether what was read as host and port is user and password, which RFC 1738 allows in some schemes only. */
static bool is_login(const struct fault_place *at)
{
	const uint8_t *text = (const uint8_t *)at->text;
	const size_t slash = byte_index(text, at->offset, at->length, '/');
	return byte_index(text, at->offset, slash, '@') < slash;
}

/* RFC 1738. */
static const char *host(const struct fault_place *at)
{
	if (is_login(at))
		return "a user name is not allowed here";
	if (ends_before(at, "/:?")) {
		if (!(byte_class[(uint8_t)at->before] & BYTE_HOST))
			return "the host is missing";
		if (at->before == '.')
			return "a host name must not end with '.'";
		return at->next == END ? "a '/' must follow the host" : characters[at->next].host;
	}
	if (at->next == '.')
		return "a label is empty";
	if (at->next == '-')
		return is_alnum((uint8_t)at->before) ? "a label ends with '-'" : "a label begins with '-'";
	if (is_digit((uint8_t)at->next)) {
		const uint8_t *text = (const uint8_t *)at->text;
		const size_t from = byte_span_back(text, 0, at->offset, BYTE_DIGIT | BYTE_STOP);
		const size_t to = byte_span(text, at->offset, at->length, BYTE_DIGIT | BYTE_STOP);
		const bool number = is_of(at->text[from - 1], "/@") && (to == at->length || is_of(at->text[to], ":/?"));
		return number ? "an IPv4 address must have four groups of digits" : "the last label begins with a digit";
	}
	if (at->next >= 0x80)
		return "a non-ASCII character is not allowed in a host name";
	return text_or(characters[at->next].host, "a control character is not allowed in a host name");
}

static const char *port(const struct fault_place *at)
{
	if (is_login(at))
		return "a user name is not allowed here";
	bool empty = at->before == ':' && ends_before(at, "/?");
	return empty ? "the port is empty" : "a port must consist of digits";
}

static const char *article(const struct fault_place *at)
{
	return at->next == '@' ? "the part before '@' is empty" : to_encode(at);
}

static const char *group(const struct fault_place *at)
{
	return is_of((char)at->before, ":/") ? "a group name must begin with a letter"
	                                     : "this character is not allowed in a group name";
}

static const char *field(const struct fault_place *at)
{
	return ends_before(at, ";") ? "'=' and a value must follow the name" : to_encode(at);
}

static const char *literal(const struct fault_place *at)
{
	if (at->before == ']')
		return "only a port may follow ']'";
	const size_t end = byte_until(at->text, at->offset, at->length, "]/?#");
	return byte_at((const uint8_t *)at->text, end, at->length) == ']'
	       ? "the text between '[' and ']' is not an IPv6 address" : "'[' without ']'";
}

/* Either a sentence, or a function that chooses one. */
struct fault_words {
	const char *(*choose)(const struct fault_place *at);
	const char *at_end; /* the sentence where the text ends too early; NULL: no other than elsewhere */
	const char *sentence;
};

/* ---- Rows ---------------------------------------------------------------------------- */

/* A rule: its name, its text, and its fault, which may not be left out.  INNER: no text fails at it, but at the rule
 * that it is in. */
#define RULE(name, text, fault) { name, text, fault }
#define SENTENCE(sentence) ENDS(NULL, NULL, sentence)
#define SAYS(choose) ENDS(NULL, choose, NULL)
#define ENDS(at_end, choose, sentence) &(const struct fault_words){ choose, at_end, sentence }
#define INNER NULL

/* Possessive repeats do not change what matches: what may follow one is never part of it. */

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
/* UCHARS up to an encoded tab, which ends the selector of gopher (section 3.4). */
#define TABLESS(more) "(?:[" UNRESERVED_1738 more "]++|(?!%09)<escape>)*+"

static const struct grammar_rule rfc1738[] = {
	RULE("url", "<httpurl>|<ftpurl>|<newsurl>|<nntpurl>|<telneturl>|<gopherurl>|<waisurl>|<mailtourl>|<fileurl>|"
	         "<prosperourl>|<otherurl>", INNER),
	RULE("otherurl", "(?!(?i:" GRAMMAR_RFC1738_SCHEMES("|") "):)<genericurl>", INNER),
	RULE("genericurl", "<scheme>:<schemepart>", INNER),
	RULE("scheme", "[" ALPHA DIGIT "+\\-.]++", SAYS(scheme)),
	RULE("schemepart", UCHARS(RESERVED), SAYS(to_encode)), /* *xchar; an ip-schemepart consists of xchar too */

	RULE("login", "(?:<user>(?::<password>)?+@)?+<hostport>", INNER),
	RULE("hostport", "<host>(?::<port>)?+", INNER),
	RULE("host", "<hostname>|<hostnumber>", SAYS(host)),
	RULE("hostname", "(?:<domainlabel>\\.)*+<toplabel>", INNER),
	RULE("domainlabel", "[" ALPHA DIGIT "]++(?:-++[" ALPHA DIGIT "]++)*+", INNER),
	RULE("toplabel", "(?=[" ALPHA "])<domainlabel>", INNER),
	RULE("hostnumber", "<digits>\\.<digits>\\.<digits>\\.<digits>", INNER),
	RULE("port", "<digits>", SAYS(port)),
	RULE("user", UCHARS(";?&="), SAYS(to_encode)),
	RULE("password", UCHARS(";?&="), SAYS(to_encode)),

	RULE("ftpurl", "(?i:ftp)://<login>(?:/<fpath>(?:;type=<ftptype>)?+)?+", SAYS(whole)),
	RULE("fpath", "<fsegment>(?:/<fsegment>)*+", SAYS(to_encode)),
	RULE("fsegment", UCHARS("?:@&="), INNER),
	RULE("ftptype", "[AIDaid]", SENTENCE("the type must be a, i or d")),
	RULE("fileurl", "(?i:file)://<host>?+/<fpath>", SAYS(whole)), /* "localhost" is a host */
	RULE("httpurl", "(?i:http)://<hostport>(?:/<hpath>(?:\\?<search>)?+)?+", SAYS(whole)),
	RULE("hpath", "<hsegment>(?:/<hsegment>)*+", SAYS(to_encode)),
	RULE("hsegment", UCHARS(";:@&="), INNER),
	RULE("search", UCHARS(";:@&="), SAYS(to_encode)),
	RULE("gopherurl", "(?i:gopher)://<hostport>"
	               "(?:/(?:<gtype><selector>(?:%09<gopher-search>(?:%09<gopher+_string>)?+)?+)?+)?+", SAYS(whole)),
	RULE("gtype", "[" UNRESERVED_1738 RESERVED "]|<escape>", SAYS(to_encode)),
	RULE("selector", TABLESS(RESERVED), SAYS(to_encode)),
	RULE("gopher-search", TABLESS(";:@&="), INNER), /* "search" there */
	RULE("gopher+_string", UCHARS(RESERVED), SAYS(to_encode)),
	RULE("mailtourl", "(?i:mailto):<encoded822addr>", INNER),
	RULE("encoded822addr", UCHARS_1(RESERVED), ENDS("the address is missing", to_encode, NULL)),
	RULE("newsurl", "(?i:news):<grouppart>", INNER),
	RULE("grouppart", "<article>|<group>|\\*", SENTENCE("nothing may follow '*'")),
	RULE("group", "[" ALPHA "][" ALPHA DIGIT "\\-.+_]*+", ENDS("the group name is missing", group, NULL)),
	RULE("article", UCHARS_1(";/?:&=") "@<host>", SAYS(article)),
	RULE("nntpurl", "(?i:nntp)://<hostport>/<group>(?:/<digits>)?+", SAYS(whole)),
	RULE("telneturl", "(?i:telnet)://<login>/?+", SAYS(whole)),
	RULE("waisurl", "<waisindex>|<waisdoc>|<waisdatabase>", SAYS(whole)),
	RULE("waisdatabase", "(?i:wais)://<hostport>/<database>", INNER),
	RULE("waisindex", "(?i:wais)://<hostport>/<database>\\?<search>", INNER),
	RULE("waisdoc", "(?i:wais)://<hostport>/<database>/<wtype>/<wpath>", INNER),
	RULE("database", UCHARS(""), SAYS(to_encode)),
	RULE("wtype", UCHARS(""), ENDS("a '/' and a path must follow the type", to_encode, NULL)),
	RULE("wpath", UCHARS(""), SAYS(to_encode)),
	RULE("prosperourl", "(?i:prospero)://<hostport>/<ppath><fieldspec>*+", SAYS(whole)),
	RULE("ppath", "<psegment>(?:/<psegment>)*+", SAYS(to_encode)),
	RULE("psegment", UCHARS("?:@&="), INNER),
	RULE("fieldspec", ";<fieldname>=<fieldvalue>", INNER),
	RULE("fieldname", UCHARS("?:@&"), SAYS(field)),
	RULE("fieldvalue", UCHARS("?:@&"), SAYS(to_encode)),
	RULE("escape", "%[0-9A-Fa-f]{2}", INNER),
	RULE("digits", "[" DIGIT "]++",
	     ENDS("the article number is missing", NULL, "an article number must consist of digits")),

	/* From here on rules that find faults. */
	RULE("to-host", /* hyphens are a fault only at the end of a label */
	  "(*:host)(?:<hostnumber>(?=[:/]|\\z)"
	  "|(?:<domainlabel>\\.)*+(?:<toplabel>(?:-++(?![.:/]|\\z))?+)?+)", INNER),
	RULE("to-hostport", "<to-host>(?:(?<=[" ALPHA DIGIT "]):(*:port)<digits>?+)?+", INNER),
	RULE("to-login", /* user and password end at the last `@` */
	  "(?(?=[^/@]*+@)(*:user)<user>(?::(*:password)<password>)?+(?:@(?![^/@]*+@)<to-hostport>)?+|<to-hostport>)",
	  INNER),
	{ NULL, NULL, NULL }
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

/* *( unreserved / pct-encoded / sub-delims / ... ), 1*( ... ) */
#define PCT_ENCODED "%[" HEXDIG "]{2}"
#define SET(members, others) "(?:[" UNRESERVED SUB_DELIMS members "]++|" PCT_ENCODED others ")"
#define ANY_OF(members) SET(members, "") "*+"
#define SOME_OF(members) SET(members, "") "++"
/* Those of RFC 3987. */
#define IANY_OF(members) SET(members, UCSCHAR) "*+"
#define ISOME_OF(members) SET(members, UCSCHAR) "++"

/* Characters beyond ASCII by their bytes, so that PCRE2 needs no support of Unicode: a lead byte without a tail is a
 * character by itself (rule C1).  They are no rules, whose calls take ten times as long without PCRE2's JIT. */
#define TAIL "[\\x80-\\xBF]"
#define NONCHARACTER "(?:[\\xF1-\\xF4]\\x8F|.[\\x9F\\xAF\\xBF])\\xBF[\\xBE\\xBF]" /* U+1FFFE, 1FFFF, 2FFFE ... */
#define UCSCHAR \
	"|[\\xC3-\\xDF]" TAIL "?+|[\\xE1-\\xEC](?:" TAIL TAIL ")?+" \
	"|\\xC2(?![\\x80-\\x9F])" TAIL "?+|\\xE0(?:[\\xA0-\\xBF]" TAIL ")?+|\\xED(?:[\\x80-\\x9F]" TAIL ")?+" \
	"|\\xEE(?!" TAIL TAIL ")" \
	"|\\xEF(?:[\\xA4-\\xB6\\xB8-\\xBE]" TAIL "|\\xB7[\\x80-\\x8F\\xB0-\\xBF]|\\xBF[\\x80-\\xAF]|(?!" TAIL TAIL "))" \
	"|(?!" NONCHARACTER ")(?:\\xF0(?:[\\x90-\\xBF]" TAIL TAIL ")?+|[\\xF1\\xF2](?:" TAIL TAIL TAIL ")?+" \
	"|\\xF3(?:[\\x80-\\x9F\\xA1-\\xAF]" TAIL TAIL "|(?!" TAIL TAIL TAIL ")))" \
	"|\\xF4(?![\\x80-\\x8F]" TAIL TAIL ")" \
	"|[\\x80\\x82-\\x8C\\x8E\\x91-\\x9C\\x9E-\\xC1\\xF5-\\xFF]"
#define IPRIVATE \
	"|\\xEE" TAIL TAIL "|\\xEF[\\x80-\\xA3]" TAIL \
	"|(?!" NONCHARACTER ")(?:\\xF3[\\xB0-\\xBF]|\\xF4[\\x80-\\x8F])" TAIL TAIL

/* To find faults.  The userinfo ends at the last `@`.  The fault of a literal is at its bracket. */
#define TO_AUTHORITY(i) \
	RULE("to-" i "host", \
	  "(?:\\[(?:(?=[Vv])(*:IPvFuture)|(*:IPv6address))(?:(?:<IPv6address>|<IPvFuture>)\\](*:IP-literal))?+" \
	  "|(*:" i "reg-name)<" i "reg-name>)(?:(?<!\\[):(*:port)<port>)?+", INNER), \
	RULE("to-" i "authority", \
	  "(?(?=[^/?\\#@]*+@)(*:" i "userinfo)<" i "userinfo>(?:@(?![^/?\\#@]*+@)<to-" i "host>)?+|<to-" i "host>)", INNER)

static const struct grammar_rule generic[] = {
	RULE("scheme", "[" ALPHA "][" ALPHA DIGIT "+\\-.]*+", SAYS(scheme)),
	RULE("port", "[" DIGIT "]*+", SAYS(port)),
	RULE("IP-literal", "\\[(?:<IPv6address>|<IPvFuture>)\\]", SAYS(literal)),
	RULE("IPvFuture", "[Vv][" HEXDIG "]++\\.[" UNRESERVED SUB_DELIMS ":]++",
	     SENTENCE("the text between '[' and ']' is not an IPvFuture address")),
	RULE("IPv6address", "                         (?:<h16>:){6}<ls32>"
	                 "|                      ::(?:<h16>:){5}<ls32>"
	                 "|(?:               <h16>)?::(?:<h16>:){4}<ls32>"
	                 "|(?:(?:<h16>:){0,1}<h16>)?::(?:<h16>:){3}<ls32>"
	                 "|(?:(?:<h16>:){0,2}<h16>)?::(?:<h16>:){2}<ls32>"
	                 "|(?:(?:<h16>:){0,3}<h16>)?::   <h16>:    <ls32>"
	                 "|(?:(?:<h16>:){0,4}<h16>)?::             <ls32>"
	                 "|(?:(?:<h16>:){0,5}<h16>)?::             <h16>"
	                 "|(?:(?:<h16>:){0,6}<h16>)?::", SAYS(literal)),
	RULE("h16", "[" HEXDIG "]{1,4}+", INNER),
	RULE("ls32", "<h16>:<h16>|<IPv4address>", INNER),
	RULE("IPv4address", "<dec-octet>\\.<dec-octet>\\.<dec-octet>\\.<dec-octet>", INNER),
	RULE("dec-octet", "25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9][0-9]|[0-9]", INNER),
	{ NULL, NULL, NULL }
};

static const struct grammar_rule rfc3986[] = {
	RULE("URI", "<scheme>:<hier-part>(?:\\?<query>)?+(?:\\#<fragment>)?+", INNER),
	RULE("hier-part", "//<authority><path-abempty>|<path-absolute>|<path-rootless>|<path-empty>", INNER),
	RULE("authority", "(?:<userinfo>@)?+<host>(?::<port>)?+", INNER),
	RULE("userinfo", ANY_OF(":"), SAYS(to_encode)),
	RULE("host", "<IP-literal>|<reg-name>", INNER), /* an IPv4address is a reg-name too */
	RULE("reg-name", ANY_OF(""), SAYS(to_encode)),
	RULE("path-abempty", "(?:/<segment>)*+", SAYS(to_encode)),
	RULE("path-absolute", "/(?:<segment-nz>(?:/<segment>)*+)?+", SAYS(to_encode)),
	RULE("path-rootless", "<segment-nz>(?:/<segment>)*+", SAYS(to_encode)),
	RULE("path-empty", "", INNER),
	RULE("segment", ANY_OF(":@"), INNER),
	RULE("segment-nz", SOME_OF(":@"), INNER),
	RULE("query", ANY_OF(":@/?"), SAYS(to_encode)),
	RULE("fragment", ANY_OF(":@/?"), SAYS(to_encode)),
	TO_AUTHORITY(""),
	{ NULL, NULL, NULL }
};

static const struct grammar_rule rfc3987[] = {
	RULE("IRI", "<scheme>:<ihier-part>(?:\\?<iquery>)?+(?:\\#<ifragment>)?+", INNER),
	RULE("ihier-part", "//<iauthority><ipath-abempty>|<ipath-absolute>|<ipath-rootless>|<ipath-empty>", INNER),
	RULE("iauthority", "(?:<iuserinfo>@)?+<ihost>(?::<port>)?+", INNER),
	RULE("iuserinfo", IANY_OF(":"), SAYS(to_encode)),
	RULE("ihost", "<IP-literal>|<ireg-name>", INNER),
	RULE("ireg-name", IANY_OF(""), SAYS(to_encode)),
	RULE("ipath-abempty", "(?:/<isegment>)*+", SAYS(to_encode)),
	RULE("ipath-absolute", "/(?:<isegment-nz>(?:/<isegment>)*+)?+", SAYS(to_encode)),
	RULE("ipath-rootless", "<isegment-nz>(?:/<isegment>)*+", SAYS(to_encode)),
	RULE("ipath-empty", "", INNER),
	RULE("isegment", IANY_OF(":@"), INNER),
	RULE("isegment-nz", ISOME_OF(":@"), INNER),
	RULE("iquery", SET(":@/?", UCSCHAR IPRIVATE) "*+", SAYS(to_encode)),
	RULE("ifragment", IANY_OF(":@/?"), SAYS(to_encode)),
	TO_AUTHORITY("i"),
	{ NULL, NULL, NULL }
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

static const struct grammar_rule none[] = { { NULL, NULL, NULL } };

const struct grammar_source grammar_sources[GRAMMARS] = {
	[URLSIFT_RFC1738] = { { rfc1738, none }, rfc1738_start },
	[URLSIFT_RFC3986] = { { rfc3986, generic }, rfc3986_start },
	[URLSIFT_RFC3987] = { { rfc3987, generic }, rfc3987_start }
};

/* ---- Faults -------------------------------------------------------------------------- */

static const struct grammar_rule *find_rule(const struct grammar_source *s, const char *name)
{
	for (size_t i = 0; i < sizeof s->rules / sizeof *s->rules; i++)
		for (const struct grammar_rule *rule = s->rules[i]; rule->name; rule++)
			if (rule->fault && *rule->name == *name && !strcmp(rule->name, name))
				return rule;
	return NULL;
}

urlsift_fault grammar_fault(urlsift_grammar which, const char *name, const char *text, size_t length, size_t offset)
{
	const struct grammar_rule *rule = find_rule(&grammar_sources[which], name);
	const struct fault_place at = {
		text, length, offset, offset ? (unsigned char)text[offset - 1] : END,
		offset < length ? (unsigned char)text[offset] : END, which == URLSIFT_RFC3987
	};
	if (!rule)
		return (urlsift_fault){ offset, NULL, NULL };
	const struct fault_words *words = rule->fault;
	bool ends = at.next == END && words->at_end;
	return (urlsift_fault){ offset, rule->name,
	                        ends ? words->at_end : words->choose ? words->choose(&at) : words->sentence };
}
