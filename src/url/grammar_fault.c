#include "grammar.h"

#include "text/ascii.h"
#include "text/unicode.h"

#include <stdbool.h>
#include <string.h>

/* One for each character that a rule may refuse. */
#define CHARACTER(c) { "'" c "' must be encoded", "'" c "' cannot stand in a host name" }
static const struct character {
	const char *encode, *host;
} characters[128] = {
	[' '] = { "a blank must be encoded", "a blank cannot stand in a host name" },
	['!'] = CHARACTER("!"), ['"'] = CHARACTER("\""), ['#'] = CHARACTER("#"), ['$'] = CHARACTER("$"),
	['&'] = CHARACTER("&"), ['\''] = CHARACTER("'"), ['('] = CHARACTER("("), [')'] = CHARACTER(")"),
	['*'] = CHARACTER("*"), ['+'] = CHARACTER("+"), [','] = CHARACTER(","), ['-'] = CHARACTER("-"),
	['.'] = CHARACTER("."), ['/'] = CHARACTER("/"), [':'] = CHARACTER(":"), [';'] = CHARACTER(";"),
	['<'] = CHARACTER("<"), ['='] = CHARACTER("="), ['>'] = CHARACTER(">"), ['?'] = CHARACTER("?"),
	['@'] = CHARACTER("@"), ['['] = CHARACTER("["),
	['\\'] = CHARACTER("\\"), [']'] = CHARACTER("]"), ['^'] = CHARACTER("^"), ['_'] = CHARACTER("_"),
	['`'] = CHARACTER("`"), ['{'] = CHARACTER("{"), ['|'] = CHARACTER("|"), ['}'] = CHARACTER("}"),
	['~'] = CHARACTER("~"), ['%'] = { "'%' without two hex digits", "'%' cannot stand in a host name" }
};

enum { END = -1 };

/* Where a rule ended: the bytes before and behind, END for none. */
struct fault_place {
	const char *text;
	size_t length, offset;
	int before, next;
	bool beyond_ascii;
};

static bool is_one_of(int c, const char *set)
{
	return c > 0 && strchr(set, c);
}

/* RFC 3987: ucschar may stand all but everywhere, iprivate in a query. */
static const char *beyond_ascii(const struct fault_place *at)
{
	uint32_t cp;
	utf8_next((const uint8_t *)at->text + at->offset, at->length - at->offset, &cp);
	if ((cp >= 0xE000 && cp <= 0xF8FF) || (cp >= 0xF0000 && (cp & 0xFFFE) != 0xFFFE))
		return "a private character can stand in a query only";
	return cp < 0xA0 ? "a control character must be encoded" : "this character cannot stand in an IRI";
}

static const char *to_encode(const struct fault_place *at)
{
	if (at->next >= 0x80)
		return at->beyond_ascii ? beyond_ascii(at) : "a character beyond ASCII must be encoded";
	if (at->next == END)
		return "something is missing";
	return characters[at->next].encode ? characters[at->next].encode : "a control character must be encoded";
}

static const char *scheme(const struct fault_place *at)
{
	if (at->next == END || is_one_of(at->next, ":/?#"))
		return "a scheme and ':' must come first";
	return at->offset || !is_digit((uint8_t)at->next) ? "this character cannot stand in a scheme" : "a scheme begins with a letter";
}

/* A rule for a whole URL ends before `//`, before the path, or behind it. */
static const char *whole(const struct fault_place *at)
{
	if (at->before == ':')
		return "'//' must follow the scheme";
	return is_alnum((uint8_t)at->before) ? "a '/' must follow the host" : "nothing can follow this '/'";
}

static bool is_number_host(const struct fault_place *at)
{
	size_t from = at->offset, to = at->offset;
	while (from && (is_digit((uint8_t)at->text[from - 1]) || at->text[from - 1] == '.'))
		from--;
	while (to < at->length && (is_digit((uint8_t)at->text[to]) || at->text[to] == '.'))
		to++;
	return (at->text[from - 1] == '/' || at->text[from - 1] == '@') && (to == at->length || is_one_of(at->text[to], ":/?"));
}

/* What was read as host and port is user and password (RFC 1738 has them in
 * some schemes only). */
static bool is_login(const struct fault_place *at)
{
	const char *p = at->text + at->offset, *end = at->text + at->length;
	while (p < end && *p != '/' && *p != '@')
		p++;
	return p < end && *p == '@';
}

/* The host of RFC 1738. */
static const char *host(const struct fault_place *at)
{
	if (is_login(at))
		return "a user name cannot stand here";
	bool begins = !is_alnum((uint8_t)at->before) && at->before != '-' && at->before != '.';
	switch (at->next) {
	case END: case '/': case ':': case '?':
		if (begins)
			return "the host is missing";
		if (at->before == '.')
			return "a host name does not end with '.'";
		return at->next == END ? "a '/' must follow the host" : characters[at->next].host;
	case '.':
		return "a label is empty";
	case '-':
		return is_alnum((uint8_t)at->before) ? "a label ends with '-'" : "a label begins with '-'";
	}
	if (is_digit((uint8_t)at->next))
		return is_number_host(at) ? "an address has four groups of digits" : "the last label begins with a digit";
	if (at->next >= 0x80)
		return "a character beyond ASCII cannot stand in a host name";
	return characters[at->next].host ? characters[at->next].host : "a control character cannot stand in a host name";
}

static const char *port(const struct fault_place *at)
{
	if (is_login(at))
		return "a user name cannot stand here";
	bool empty = at->before == ':' && (at->next == END || is_one_of(at->next, "/?"));
	return empty ? "an empty port is no port" : "a port has digits only";
}

static const char *article(const struct fault_place *at)
{
	return at->next == '@' ? "nothing stands before '@'" : to_encode(at);
}

static const char *group(const struct fault_place *at)
{
	if (at->next == END)
		return "the name of a group is missing";
	return at->before == ':' || at->before == '/' ? "the name of a group begins with a letter"
	                                              : "this character cannot stand in the name of a group";
}

static const char *grouppart(const struct fault_place *at)
{
	(void)at;
	return "nothing can follow '*'";
}

static const char *digits(const struct fault_place *at)
{
	return at->next == END ? "the number of an article is missing" : "the number of an article has digits only";
}

static const char *type(const struct fault_place *at)
{
	(void)at;
	return "a type is one of a, i and d";
}

static const char *address(const struct fault_place *at)
{
	return at->next == END ? "the address is missing" : to_encode(at);
}

static const char *wais_type(const struct fault_place *at)
{
	return at->next == END ? "a '/' and a path must follow the type" : to_encode(at);
}

static const char *field(const struct fault_place *at)
{
	return at->next == END || at->next == ';' ? "'=' and a value must follow the name" : to_encode(at);
}

static const char *literal(const struct fault_place *at)
{
	if (at->before == ']')
		return "only a port can follow ']'";
	for (size_t i = at->offset; i < at->length && !is_one_of(at->text[i], "/?#"); i++)
		if (at->text[i] == ']')
			return "no IPv6 address stands between '[' and ']'";
	return "'[' without ']'";
}

static const char *future(const struct fault_place *at)
{
	(void)at;
	return "no address of a future version stands between '[' and ']'";
}

static const struct fault_row {
	const char *rule;
	const char *(*sentence)(const struct fault_place *at);
} rows[] = {
	{ "scheme", scheme }, { "schemepart", to_encode },
	{ "httpurl", whole }, { "ftpurl", whole }, { "nntpurl", whole }, { "telneturl", whole }, { "gopherurl", whole },
	{ "waisurl", whole }, { "prosperourl", whole }, { "fileurl", whole },
	{ "host", host }, { "port", port }, { "user", to_encode }, { "password", to_encode },
	{ "hpath", to_encode }, { "search", to_encode }, { "fpath", to_encode }, { "ftptype", type },
	{ "gtype", to_encode }, { "selector", to_encode }, { "gopher+_string", to_encode },
	{ "encoded822addr", address }, { "article", article }, { "group", group }, { "grouppart", grouppart },
	{ "digits", digits }, { "database", to_encode }, { "wtype", wais_type }, { "wpath", to_encode },
	{ "ppath", to_encode }, { "fieldname", field }, { "fieldvalue", to_encode },

	{ "userinfo", to_encode }, { "reg-name", to_encode }, { "IP-literal", literal }, { "IPv6address", literal },
	{ "IPvFuture", future }, { "path-abempty", to_encode }, { "path-absolute", to_encode },
	{ "path-rootless", to_encode }, { "query", to_encode }, { "fragment", to_encode },
	{ "iuserinfo", to_encode }, { "ireg-name", to_encode }, { "ipath-abempty", to_encode },
	{ "ipath-absolute", to_encode }, { "ipath-rootless", to_encode }, { "iquery", to_encode },
	{ "ifragment", to_encode }
};

urlsift_fault grammar_fault(const char *rule, const char *text, size_t length, size_t offset, bool beyond_ascii)
{
	struct fault_place at = {
		text, length, offset, offset ? (unsigned char)text[offset - 1] : END,
		offset < length ? (unsigned char)text[offset] : END, beyond_ascii
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (strcmp(rows[i].rule, rule) == 0)
			return (urlsift_fault){ offset, rows[i].rule, rows[i].sentence(&at) };
	return (urlsift_fault){ offset, NULL, NULL };
}
