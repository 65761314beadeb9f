#include "grammar.h"

#include "text/ascii.h"
#include "text/unicode.h"

#include <stdbool.h>
#include <string.h>

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

static bool is_one_of(int c, const char *set)
{
	return c > 0 && strchr(set, c);
}

/* RFC 3987: ucschar is allowed nearly everywhere, iprivate only in a query. */
static const char *beyond_ascii(const struct fault_place *at)
{
	uint32_t cp;
	utf8_next((const uint8_t *)at->text + at->offset, at->length - at->offset, &cp);
	if ((cp >= 0xE000 && cp <= 0xF8FF) || (cp >= 0xF0000 && (cp & 0xFFFE) != 0xFFFE))
		return "a private-use character is allowed only in a query";
	return cp < 0xA0 ? "a control character must be encoded" : "this character is not allowed in an IRI";
}

static const char *to_encode(const struct fault_place *at)
{
	if (at->next >= 0x80)
		return at->beyond_ascii ? beyond_ascii(at) : "a non-ASCII character must be encoded";
	if (at->next == END)
		return "the URL is incomplete";
	return characters[at->next].encode ? characters[at->next].encode : "a control character must be encoded";
}

static const char *scheme(const struct fault_place *at)
{
	if (at->next == END || is_one_of(at->next, ":/?#"))
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

static bool is_number_host(const struct fault_place *at)
{
	size_t from = at->offset, to = from;
	while (from && (is_digit((uint8_t)at->text[from - 1]) || at->text[from - 1] == '.'))
		from--;
	while (to < at->length && (is_digit((uint8_t)at->text[to]) || at->text[to] == '.'))
		to++;
	return is_one_of(at->text[from - 1], "/@") && (to == at->length || is_one_of(at->text[to], ":/?"));
}

/* Whether what was read as host and port is user and password, which RFC 1738 allows in some schemes only. */
static bool is_login(const struct fault_place *at)
{
	const char *p = at->text + at->offset, *end = at->text + at->length;
	while (p < end && *p != '/' && *p != '@')
		p++;
	return p < end && *p == '@';
}

/* RFC 1738. */
static const char *host(const struct fault_place *at)
{
	if (is_login(at))
		return "a user name is not allowed here";
	bool begins = !is_alnum((uint8_t)at->before) && at->before != '-' && at->before != '.';
	switch (at->next) {
	case END: case '/': case ':': case '?':
		if (begins)
			return "the host is missing";
		if (at->before == '.')
			return "a host name must not end with '.'";
		return at->next == END ? "a '/' must follow the host" : characters[at->next].host;
	case '.':
		return "a label is empty";
	case '-':
		return is_alnum((uint8_t)at->before) ? "a label ends with '-'" : "a label begins with '-'";
	}
	if (is_digit((uint8_t)at->next))
		return is_number_host(at) ? "an IPv4 address must have four groups of digits"
		                          : "the last label begins with a digit";
	if (at->next >= 0x80)
		return "a non-ASCII character is not allowed in a host name";
	return characters[at->next].host ? characters[at->next].host : "a control character is not allowed in a host name";
}

static const char *port(const struct fault_place *at)
{
	if (is_login(at))
		return "a user name is not allowed here";
	bool empty = at->before == ':' && (at->next == END || is_one_of(at->next, "/?"));
	return empty ? "the port is empty" : "a port must consist of digits";
}

static const char *article(const struct fault_place *at)
{
	return at->next == '@' ? "the part before '@' is empty" : to_encode(at);
}

static const char *group(const struct fault_place *at)
{
	return at->before == ':' || at->before == '/' ? "a group name must begin with a letter"
	                                              : "this character is not allowed in a group name";
}

static const char *field(const struct fault_place *at)
{
	return at->next == END || at->next == ';' ? "'=' and a value must follow the name" : to_encode(at);
}

static const char *literal(const struct fault_place *at)
{
	if (at->before == ']')
		return "only a port may follow ']'";
	for (size_t i = at->offset; i < at->length && !is_one_of(at->text[i], "/?#"); i++)
		if (at->text[i] == ']')
			return "the text between '[' and ']' is not an IPv6 address";
	return "'[' without ']'";
}

#define RULE(name, choose) { name, choose, NULL, NULL }
/* Every rule that a text may fail: either a sentence, or a function that chooses one. */
static const struct fault_row {
	const char *rule;
	const char *(*choose)(const struct fault_place *at);
	const char *at_end; /* the sentence where the text ends too early; NULL: no other than elsewhere */
	const char *sentence;
} rows[] = {
	RULE("scheme", scheme), RULE("schemepart", to_encode),
	RULE("httpurl", whole), RULE("ftpurl", whole), RULE("nntpurl", whole), RULE("telneturl", whole),
	RULE("gopherurl", whole), RULE("waisurl", whole), RULE("prosperourl", whole), RULE("fileurl", whole),
	RULE("host", host), RULE("port", port), RULE("user", to_encode), RULE("password", to_encode),
	RULE("hpath", to_encode), RULE("search", to_encode), RULE("fpath", to_encode),
	{ "ftptype", NULL, NULL, "the type must be a, i or d" },
	RULE("gtype", to_encode), RULE("selector", to_encode), RULE("gopher+_string", to_encode),
	{ "encoded822addr", to_encode, "the address is missing", NULL }, RULE("article", article),
	{ "group", group, "the group name is missing", NULL }, { "grouppart", NULL, NULL, "nothing may follow '*'" },
	{ "digits", NULL, "the article number is missing", "an article number must consist of digits" },
	RULE("database", to_encode), { "wtype", to_encode, "a '/' and a path must follow the type", NULL },
	RULE("wpath", to_encode), RULE("ppath", to_encode), RULE("fieldname", field), RULE("fieldvalue", to_encode),

	RULE("userinfo", to_encode), RULE("reg-name", to_encode), RULE("IP-literal", literal), RULE("IPv6address", literal),
	{ "IPvFuture", NULL, NULL, "the text between '[' and ']' is not an IPvFuture address" },
	RULE("path-abempty", to_encode), RULE("path-absolute", to_encode), RULE("path-rootless", to_encode),
	RULE("query", to_encode), RULE("fragment", to_encode),
	RULE("iuserinfo", to_encode), RULE("ireg-name", to_encode), RULE("ipath-abempty", to_encode),
	RULE("ipath-absolute", to_encode), RULE("ipath-rootless", to_encode), RULE("iquery", to_encode),
	RULE("ifragment", to_encode)
};

urlsift_fault grammar_fault(const char *rule, const char *text, size_t length, size_t offset, bool beyond_ascii)
{
	struct fault_place at = {
		text, length, offset, offset ? (unsigned char)text[offset - 1] : END,
		offset < length ? (unsigned char)text[offset] : END, beyond_ascii
	};
	for (const struct fault_row *row = rows; row < rows + sizeof rows / sizeof *rows; row++)
		if (*row->rule == *rule && strcmp(row->rule, rule) == 0) {
			bool ends = at.next == END && row->at_end;
			const char *what = ends ? row->at_end : row->choose ? row->choose(&at) : row->sentence;
			return (urlsift_fault){ offset, row->rule, what };
		}
	return (urlsift_fault){ offset, NULL, NULL };
}
