#include "url.h"

#include "scheme.h"
#include "text/bytes.h"
#include "text/unicode.h"

#include <string.h>

/* Whether a simple link (link_is_simple) may have a warning of this file.  With the first MAY here, simple links are
 * looked at as well; none has one of those that are NEVER here: its host is plain, and nothing in it is encoded. */
enum { NEVER, MAY };

/* THE table of warnings: URLSIFT_WARN_ flag, name, whether simple links may have it, reason.  The reasons hold nothing
 * that HTML or a terminal would need escaped. */
#define WARNINGS(X) \
	X(PASSWORD, "password", NEVER, "it contains a password that anyone can read") \
	X(USERINFO_SPOOF, "userinfo-spoof", NEVER, "it leads to the host after the @, not to the name before it") \
	X(RESERVED_PORT, "reserved-port", NEVER, "its port is reserved for another service") \
	X(ENCODED_CONTROL, "encoded-control", NEVER, \
	  "it contains encoded control characters, which can inject commands") \
	X(IP_HOST, "ip-host", NEVER, "its host is an IP address, not a name") \
	X(ODD_IP, "odd-ip", NEVER, "its host is an IP address in an unusual form") \
	X(MIXED_SCRIPT, "mixed-script", NEVER, "its host mixes letters of several scripts") \
	X(CONFUSABLE, "confusable", NEVER, "its host contains characters that look like others") \
	X(INVISIBLE, "invisible", NEVER, "it contains invisible characters") \
	X(BIDI, "bidi", NEVER, "it contains characters that change the direction of text") \
	X(HOST_CHANGES, "host-changes", NEVER, "programs read a different host from it, or none") \
	X(JOINED_SCHEME, "joined-scheme", NEVER, "its scheme was joined across a line break") \
	X(TEXT_MISMATCH, "text-mismatch", NEVER, "the text shown for it names another host") \
	X(UNKNOWN_SCHEME, "unknown-scheme", NEVER, "its scheme is unknown, and so is the program that opens it") \
	X(UNLINKABLE, "unlinkable-scheme", NEVER, "it could run programs or read files on this computer") \
	X(TOO_LONG, "too-long", NEVER, "it was truncated, or is longer than many programs accept") \
	X(REDIRECT, "redirect", NEVER, "it leads to another host, which may redirect to the one shown") \
	X(UNUSABLE, "unusable", NEVER, "browsers cannot open it: its host or port is invalid") \
	X(REFANGED, "refanged", NEVER, "it was defanged, so that nobody follows it by mistake") \
	X(ATTACHMENT, "attachment", NEVER, "it may attach a file of this computer to the mail") \
	X(BLANK, "blank", NEVER, "a blank within it was removed")

static const struct warning { const char *name, *reason; } warnings_table[] = {
#define ROW(flag, name, simple, reason) [__builtin_ctz(URLSIFT_WARN_##flag)] = { name, reason },
	WARNINGS(ROW)
#undef ROW
};

#define OF_SIMPLE(flag, name, simple, reason) | (simple == MAY ? (unsigned)URLSIFT_WARN_##flag : 0u)
const unsigned warn_of_simple = 0 WARNINGS(OF_SIMPLE);
#undef OF_SIMPLE

#define FLAG(flag, name, simple, reason) | URLSIFT_WARN_##flag
enum { FLAGS = 0 WARNINGS(FLAG) };
#undef FLAG
_Static_assert(!(FLAGS & (FLAGS + 1)), "a warning takes the bit after the last: its names are listed by their bits");

/* The row of a flag; no texts for anything else. */
static struct warning find_warning(unsigned flag)
{
	bool single = flag & FLAGS && !(flag & (flag - 1));
	return single ? warnings_table[__builtin_ctz(flag)] : (struct warning){ NULL, NULL };
}

const char *urlsift_warning_name(unsigned warning)
{
	return find_warning(warning).name;
}

const char *urlsift_warning_reason(unsigned warning)
{
	return find_warning(warning).reason;
}

/* ---- Characters ------------------------------------------------------------ */

unsigned warn_characters(const char *text, size_t n, uint32_t allowed)
{
	const uint8_t *p = (const uint8_t *)text;
	unsigned warnings = 0;
	uint32_t cp = 0, before;
	for (size_t i = 0, end = 0; i < n;) {
		if (within(p[i], ' ', '~') && p[i] != '%') { /* nor a control or beyond ASCII */
			i++;
			continue;
		}
		before = i > end ? p[i - 1] : cp;
		const size_t taken = utf8_next_escaped(p + i, n - i, &cp);
		const bool stray = utf8_is_stray(p + i, taken, cp);
		end = i += taken;
		if (stray)
			continue;
		/* joiners and the emoji selector belong after letters of some scripts, after pictures, and the selector after
		 * digits; else they are only hidden */
		const bool joiner = (cp | 1) == 0x200D || cp == 0xFE0F;
		if (cp < 0x20 || within(cp, 0x7F, 0x9F) || (cp | 1) == 0x2029) /* ends a line, moves a cursor */
			warnings |= bits_if(cp >= 0x20 || !(allowed >> cp & 1), URLSIFT_WARN_ENCODED_CONTROL);
		else if (cp >= 0x80 && uclass_is_bidi(cp))
			warnings |= URLSIFT_WARN_BIDI;
		else if (joiner ? before < 0x80 && !is_digit((uint8_t)before) : cp >= 0x80 && uclass_is_invisible(cp))
			warnings |= URLSIFT_WARN_INVISIBLE;
	}
	return warnings;
}

/* Whether a header field of a mailto has a value and this name, in any letter case, encoded or not. */
static bool is_field(const uint8_t *p, size_t n, const char *name)
{
	size_t i = 0;
	for (uint32_t cp; *name && i < n; name++) {
		i += utf8_next_escaped(p + i, n - i, &cp);
		if (cp >= 0x80 || to_lower((uint8_t)cp) != (uint8_t)*name)
			return false;
	}
	return !*name && n - i > 1 && p[i] == '=';
}

/* Only the body of a mailto may have encoded line ends (RFC 6068 section 5).  Some mail programs attach the file that a
 * field names (section 7). */
static unsigned mail_characters(const char *text, size_t n)
{
	const uint8_t *p = (const uint8_t *)text;
	const size_t address = byte_index(p, 0, byte_index(p, 0, n, '?'), '&');
	unsigned warnings = warn_characters(text, address, 0);
	for (size_t i = address, end; i < n; i = end) {
		end = byte_until(p, i + 1, n, "?&");
		const size_t length = end - i - 1;
		const uint32_t allowed = bits_if(is_field(p + i + 1, length, "body"), 1u << '\r' | 1u << '\n');
		warnings |= warn_characters(text + i, end - i, allowed);
		const bool attaches = is_field(p + i + 1, length, "attach") || is_field(p + i + 1, length, "attachment");
		warnings |= bits_if(attaches, URLSIFT_WARN_ATTACHMENT);
	}
	return warnings;
}

/* ---- Authority ------------------------------------------------------------- */

/* Whether a reader may take the userinfo for a host: it has another `@`, or begins with something like one: a name
 * whose last label is a top-level domain (with `web`: any label), or four numbers. */
static bool is_spoof(const uint8_t *p, size_t n, bool web)
{
	uint8_t start[256];
	size_t used = 0, dots = 0;
	if (memchr(p, '@', n))
		return true;
	for (size_t i = 0; i < n && used + 4 <= sizeof start;) {
		uint32_t cp;
		i += utf8_next_escaped(p + i, n - i, &cp);
		if (cp < 0x80 ? !(byte_class[cp] & (BYTE_NAME | BYTE_STOP)) : lookalike_ends_host(cp))
			break;
		cp = idna_is_like_dot(cp) ? '.' : cp;
		dots += cp == '.';
		used += utf8_put(start + used, cp);
	}
	const size_t end = byte_span_back(start, 0, used, BYTE_STOP);
	const size_t last = byte_span_back(start, 0, end, BYTE_BUT(BYTE_STOP));
	const bool numbers = dots == 3 + used - end && byte_span(start, 0, end, BYTE_DIGIT | BYTE_STOP) == end;
	return last > 0 && (web || numbers || tld_known(start + last, end - last));
}

/* ---- Hosts ----------------------------------------------------------------- */

/* Whether the address is one of the machine itself or of a network of one's own (RFC 1918, RFC 3927). */
static bool is_private(uint32_t address)
{
	static const uint32_t networks[][2] = {
		{ 0x0A000000, 0x0AFFFFFF }, { 0x7F000000, 0x7FFFFFFF }, { 0xA9FE0000, 0xA9FEFFFF }, { 0xAC100000, 0xAC1FFFFF },
		{ 0xC0A80000, 0xC0A8FFFF }, { UINT32_MAX, UINT32_MAX }
	};
	return address != UINT32_MAX && in_ranges(networks, address);
}

/* Whether the literal, without its brackets, is such an address: `::1`, fc00::/7, fe80::/10 or an IPv4-mapped one. */
static bool is_private_literal(const uint8_t *p, size_t n)
{
	static const uint8_t loopback[16] = {[15] = 1}, mapped[12] = {[10] = 0xFF, [11] = 0xFF};
	uint8_t a[16];
	if (!usable_ipv6(p, n, a))
		return false;
	if (!memcmp(a, mapped, sizeof mapped))
		return is_private((uint32_t)a[12] << 24 | (uint32_t)a[13] << 16 | (uint32_t)a[14] << 8 | a[15]);
	const unsigned head = a[0] * 0x100u + a[1];
	return !memcmp(a, loopback, sizeof loopback) || (head & 0xFE00) == 0xFC00 || (head & 0xFFC0) == 0xFE80;
}

static unsigned address_warnings(const uint8_t *raw, size_t raw_length, const uint8_t *name, size_t n)
{
	uint32_t address;
	enum host_number number = usable_number(name, n, &address);
	if (number != HOST_ADDRESS)
		return bits_if(number == HOST_BAD_ADDRESS, URLSIFT_WARN_HOST_CHANGES | URLSIFT_WARN_UNUSABLE);
	return bits_if(!usable_plain_address(raw, raw_length), URLSIFT_WARN_ODD_IP)
	       | bits_if(!is_private(address), URLSIFT_WARN_IP_HOST);
}

/* URLSIFT_WARN_UNUSABLE holds only where browsers read the host as a domain. */
static unsigned host_warnings(const uint8_t *host, size_t length, struct idna_memo *memo)
{
	uint8_t text[IDNA_HOST_MAX];
	const uint8_t *name = text;
	char ascii[256];
	size_t n;
	unsigned warnings = 0;
	bool beyond = false, a_label = false;
	if (text_begins(host, length, "[") && text_ends(host, length, "]"))
		return bits_if(!is_private_literal(host + 1, length - 2), URLSIFT_WARN_IP_HOST);
	/* ASCII letters, digits, dots and single hyphens (so no A-labels), too short for a label that is too long, as in
	 * nearly all names, can only be what they look like */
	if (length <= IDNA_LABEL_MAX && byte_span(host, 0, length, BYTE_HOST) == length && !text_begins(host, length, "-")
	    && text_index(host, length, "--") == length)
		return address_warnings(host, length, host, length);
	if (!idna_decode_host(host, length, text, &n))
		return URLSIFT_WARN_HOST_CHANGES | URLSIFT_WARN_UNUSABLE;
	for (size_t i = 0; i < n; i++) {
		beyond |= text[i] >= 0x80;
		a_label |= ascii_opens(text + i, n - i, "xn--");
	}
	unsigned look = lookalike_host(text, n);
	if (beyond || a_label) {
		enum idna idna = idna_ask(memo, host, length, ascii, &n);
		if (idna == IDNA_NO_MEMORY)
			return URLSIFT_WARN_NO_MEMORY;
		/* changes by mapping are visible only in the text as written */
		warnings = look & URLSIFT_WARN_HOST_CHANGES;
		if (idna >= IDNA_FOUND)
			name = (const uint8_t *)ascii;
		else if (idna_available() || warnings & URLSIFT_WARN_HOST_CHANGES)
			warnings |= URLSIFT_WARN_HOST_CHANGES | URLSIFT_WARN_UNUSABLE;
		look = lookalike_host(name, n);
	}
	warnings |= bits_if(!usable_domain(name, n), URLSIFT_WARN_UNUSABLE);
	/* characters that are not of a reg-name (RFC 3986 section 3.2.2, RFC 3987), and escapes, which only hide a host */
	for (size_t i = 0; i < length; i++) {
		const bool fits = byte_class[host[i]] & (BYTE_ALNUM | BYTE_HIGH) || BYTE_IN(host[i], "-._~!$&'()*+,;=");
		warnings |= bits_if(!fits, URLSIFT_WARN_HOST_CHANGES);
	}
	warnings |= look | address_warnings(host, length, name, n);
	/* 253 bytes of ASCII, and perhaps a final dot (RFC 1035 section 2.3.4) */
	const bool mapped = !beyond || name != text, longer = byte_span_back(name, excess(n, 1), n, BYTE_STOP) > 253;
	return warnings | bits_if(mapped && longer, URLSIFT_WARN_HOST_CHANGES);
}

/* The hosts of all addresses in [p, end), as in mailto and sip. */
static unsigned address_hosts(const uint8_t *p, const uint8_t *end, struct idna_memo *memo)
{
	unsigned warnings = 0;
	for (const uint8_t *next; p < end; p = next + (next < end)) {
		next = find_byte(p, end, ',');
		const uint8_t *host = p + byte_last(p, 0, (size_t)(next - p), '@');
		if (host == p)
			continue;
		const uint8_t *stop = find_byte(host, find_byte(host, next, ';'), '/');
		if (byte_at(host, 0, (size_t)(stop - host)) != '[')
			stop = find_byte(host, stop, ':');
		warnings |= host_warnings(host, (size_t)(stop - host), memo) & ~(unsigned)URLSIFT_WARN_UNUSABLE;
	}
	return warnings;
}

/* ---- The URL --------------------------------------------------------------- */

static unsigned flag_warnings(unsigned flags, size_t length)
{
	return bits_if(flags & URLSIFT_SCHEME_JOINED, URLSIFT_WARN_JOINED_SCHEME)
	       | bits_if(flags & URLSIFT_REFANGED, URLSIFT_WARN_REFANGED)
	       | bits_if(flags & URLSIFT_BLANK_REMOVED, URLSIFT_WARN_BLANK)
	       | bits_if(flags & URLSIFT_TRUNCATED || length > WARN_LENGTH_MAX, URLSIFT_WARN_TOO_LONG);
}

static unsigned user_warnings(const urlsift_url *url, const struct scheme *known)
{
	/* in RFC 1738 http has no userinfo: any dot in it looks like a host */
	const bool web = known->port == 80 || known->port == 443;
	/* of schemes that only IANA's registry names, nobody knows: message://ID has none */
	const bool hosted = known->parts & PART_AUTHORITY && !(1u << known->body & (1u << BODY_NEVER | 1u << BODY_SLASHES));
	const uint8_t *user = (const uint8_t *)url->text + url->userinfo.offset;
	return bits_if(url->password.length, URLSIFT_WARN_PASSWORD)
	       | bits_if(hosted && is_spoof(user, url->userinfo.length, web), URLSIFT_WARN_USERINFO_SPOOF);
}

/* The warnings of scheme and authority. */
static unsigned head_warnings(const urlsift_url *url, const struct scheme *row, struct idna_memo *memo)
{
	static const struct scheme unknown = { .body = BODY_NEVER, .port = UINT16_MAX /* no reserved one */ };
	const uint8_t *text = (const uint8_t *)url->text;
	const struct scheme *known = row ? row : &unknown;
	const bool special = known->slashes == URLSIFT_SLASHES_REQUIRED && usable_is_special(known->name);
	urlsift_url again;
	unsigned warnings = 0;
	if (special && url->scheme.present && usable_split(url, &again)) { /* what browsers open is judged */
		const uint8_t *host = text + url->host.offset;
		const size_t n = url->host.length;
		const size_t end = url->authority.offset + url->authority.length;
		/* in what we write a backslash is encoded, which no browser takes in a host or a port */
		warnings = bits_if(!bytes_are(host, n, text + again.host.offset, again.host.length),
		                   URLSIFT_WARN_HOST_CHANGES)
		           | bits_if(byte_last(text, url->host.offset, end, '\\') > url->host.offset, URLSIFT_WARN_UNUSABLE)
		           | user_warnings(url, known); /* there it ends the userinfo, too */
		url = &again;
	}
	warnings |= bits_if(url->scheme.present && !row, URLSIFT_WARN_UNKNOWN_SCHEME)
	            | bits_if(scheme_forbids(row, url->text, url->length), URLSIFT_WARN_UNLINKABLE)
	            | user_warnings(url, known);
	const uint8_t *path = text + url->path.offset, *port = text + url->port.offset, *host = text + url->host.offset;
	if (url->port.length && byte_span(port, 0, url->port.length, BYTE_DIGIT) == url->port.length) {
		uint16_t number = 0; /* modulo 65,536, as some programs read it */
		for (size_t i = 0; i < url->port.length; i++)
			number = (uint16_t)(number * 10 + (port[i] - '0'));
		warnings |= bits_if(number < 1024 && known->port != number, URLSIFT_WARN_RESERVED_PORT);
	}
	unsigned unfit = bits_if(!special, URLSIFT_WARN_UNUSABLE);
	/* a template, with `${` or `{{`, is filled in before anything opens the URL */
	for (size_t i = 0; (i = byte_index(host, i, url->host.length, '{')) < url->host.length; i++)
		unfit |= bits_if(BYTE_IN(byte_before(host, i), "${"), URLSIFT_WARN_HOST_CHANGES);
	if (url->host.present)
		warnings |= host_warnings(host, url->host.length, memo) & ~unfit;
	else if (1u << known->body & (1u << BODY_ADDRESS | 1u << BODY_ADDRESS_OR_HOST))
		warnings |= address_hosts(path, path + url->path.length, memo);
	return warnings | bits_if(!usable_authority(url, special), URLSIFT_WARN_UNUSABLE);
}

static unsigned whole_warnings(const urlsift_url *url, unsigned flags, struct idna_memo *memo)
{
	unsigned warnings = flag_warnings(flags, url->length);
	const struct scheme *row = scheme_find(url->text + url->scheme.offset, url->scheme.length);
	warnings |= head_warnings(url, row, memo);
	const char *name = row ? row->name : "";
	if (!strcmp(name, "mailto"))
		return warnings | mail_characters(url->text, url->length);
	/* in gopher %09 separates fields (RFC 1738 section 3.4) */
	return warnings | warn_characters(url->text, url->length, bits_if(!strcmp(name, "gopher"), 1u << '\t'));
}

unsigned warn_url(const urlsift_url *url, unsigned flags)
{
	return whole_warnings(url, flags, NULL);
}

unsigned warn_link(const char *supplied, const char *text, size_t length, unsigned flags, struct idna_memo *memo)
{
	urlsift_url url;
	if (!*supplied) {
		split_url(text, length, &url);
		return whole_warnings(&url, flags, memo);
	}
	bool host = strchr(supplied, '/'); /* only the host matters, or the address, which may hold slashes */
	size_t n = byte_until(text, 0, length, host ? "/?#" : "?#");
	split_rest(text, n, 0, host, &url);
	const struct scheme *row = scheme_find(supplied, strcspn(supplied, ":"));
	return flag_warnings(flags, length) | head_warnings(&url, row, memo) | warn_characters(text, length, 0);
}

unsigned urlsift_url_warnings(const urlsift_url *url)
{
	return warn_url(url, 0);
}
