#include "url.h"

#include "path.h"
#include "text/ascii.h"
#include "text/bytes.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

/* ---- Numeric hosts --------------------------------------------------------- */

/* The number [p, end): decimal, octal after 0, hexadecimal after 0x.  False when it is not one.  A value that exceeds
 * 32 bits stays above them. */
static bool read_number(const uint8_t *p, const uint8_t *end, uint64_t *value)
{
	unsigned base = 10;
	*value = 0;
	if (p == end)
		return false;
	if (end - p >= 2 && p[0] == '0') {
		bool hexadecimal = (p[1] | 0x20) == 'x';
		base = hexadecimal ? 16 : 8;
		p += 1 + hexadecimal;
	}
	size_t n = (size_t)(end - p);
	return number_read(p, 0, n, base, value) == n;
}

enum host_number usable_number(const uint8_t *host, size_t n, uint32_t *address)
{
	uint64_t value = 0;
	uint32_t before = 0; /* the address but for its last part */
	n -= text_ends(host, n, ".");
	const uint8_t *end = host + n;
	size_t last = byte_span_back(host, 0, n, BYTE_BUT(BYTE_STOP)), digits = byte_span(host, last, n, BYTE_DIGIT);
	if (digits == last || (digits < n && !read_number(host + last, end, &value)))
		return HOST_NO_NUMBER;
	size_t parts = 0;
	for (const uint8_t *p = host, *stop; p < end + 1; p = stop + 1) {
		stop = find_byte(p, end, '.');
		if (!read_number(p, stop, &value) || ++parts > 4 || (stop < end && value > 255))
			return HOST_BAD_ADDRESS;
		before |= stop < end ? (uint32_t)value << 8 * (4 - parts) : 0;
	}
	*address = before | (uint32_t)value;
	return value >> 8 * (5 - parts) ? HOST_BAD_ADDRESS : HOST_ADDRESS;
}

bool usable_plain_address(const uint8_t *host, size_t n)
{
	uint32_t address;
	size_t parts = 1;
	for (size_t i = 0, digits = 0; i < n; i++) {
		digits = is_digit(host[i]) ? digits + 1 : 0;
		parts += host[i] == '.';
		if ((!digits && host[i] != '.') || (digits > 1 && host[i + 1 - digits] == '0'))
			return false;
	}
	return parts == 4 && usable_number(host, n, &address) == HOST_ADDRESS;
}

/* ---- Domains and literals ---------------------------------------------------- */

#define SPECIAL "http https ftp ws wss"

bool usable_is_special(const char *scheme)
{
	return text_is_among(scheme, strlen(scheme), SPECIAL);
}

bool usable_domain(const uint8_t *host, size_t n)
{
	for (size_t i = 0; (i = byte_span(host, i, n, BYTE_ALNUM | BYTE_STOP)) < n; i++)
		if (byte_class[host[i]] & (BYTE_FWS | BYTE_CONTROL) || BYTE_IN(host[i], "#%/:<>?@[\\]^|"))
			return false;
	return n > 0;
}

bool usable_ipv6(const uint8_t *p, size_t n, uint8_t address[16])
{
	char text[INET6_ADDRSTRLEN];
	if (n >= sizeof text || byte_after(p, 0, n, HEX_DIGITS ":.") < n)
		return false;
	memcpy(text, p, n);
	text[n] = '\0';
	return inet_pton(AF_INET6, text, address) == 1;
}

/* ---- The authority ------------------------------------------------------------ */

bool usable_port(const uint8_t *p, size_t n, uint64_t *port)
{
	*port = 0;
	return number_read(p, 0, n, 10, port) == n && *port <= UINT16_MAX;
}

bool usable_split(const urlsift_url *url, urlsift_url *again)
{
	const size_t from = byte_after(url->text, url_scheme_end(url), url->length, "/\\");
	split_rest(url->text, byte_until(url->text, from, url->length, "/\\?#"), from, true, again);
	again->scheme = url->scheme;
	return again->authority.offset != url->authority.offset || again->authority.length != url->authority.length;
}

size_t usable_form(const urlsift_url *url, char *out, size_t size)
{
	struct sink s = { .out = out, .size = size };
	const char *text = url->text;
	const size_t n = url->length, colon = url_scheme_end(url), end = byte_until(text, colon, n, "?#");
	const bool file = ascii_is(text, url->scheme.length, "file");
	size_t from = file ? colon : byte_after(text, colon, end, "/\\");
	if (from == n || !(file || ascii_is_among(text, url->scheme.length, SPECIAL))) {
		sink_bytes(&s, text, n);
		return s.used;
	}
	sink_bytes(&s, text, colon);
	sink_bytes(&s, "//", file ? 0 : 2);
	for (; from < end; from++)
		sink_put(&s, text[from] == '\\' ? '/' : text[from]);
	sink_bytes(&s, text + from, n - from);
	return s.used;
}

bool usable_authority(const urlsift_url *url, bool special)
{
	const uint8_t *text = (const uint8_t *)url->text;
	if (!url->host.present)
		return true;
	if (!url->host.length && (special || url->userinfo.present || url->port.present))
		return false;
	const uint8_t *host = text + url->host.offset;
	size_t n = url->host.length;
	uint64_t port;
	uint8_t ipv6[16];
	return usable_port(text + url->port.offset, url->port.length, &port)
	       && (!text_begins(host, n, "[") || (text_ends(host, n, "]") && usable_ipv6(host + 1, n - 2, ipv6)));
}
