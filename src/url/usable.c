#include "url.h"

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

/* ---- Domains and literals ---------------------------------------------------- */

bool usable_is_special(const char *scheme)
{
	return text_is_among(scheme, strlen(scheme), "http https ftp ws wss");
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

bool usable_authority(const urlsift_url *url, bool special)
{
	const uint8_t *text = (const uint8_t *)url->text;
	urlsift_url again;
	if (special && url->scheme.present && !url->host.length && !url->userinfo.present && !url->port.present) {
		/* any number of slashes precedes the authority */
		size_t from = byte_run(text, url->scheme.offset + url->scheme.length + 1, url->length, '/');
		split_rest(url->text, url->length, from, true, &again);
		const uint8_t *host = text + again.host.offset;
		uint32_t address;
		if (!usable_domain(host, again.host.length)
		    || usable_number(host, again.host.length, &address) == HOST_BAD_ADDRESS)
			return false;
		url = &again;
	}
	if (!url->host.present)
		return true;
	if (!url->host.length && (special || url->userinfo.present || url->port.present))
		return false;
	const uint8_t *host = text + url->host.offset;
	size_t n = url->host.length;
	uint64_t port;
	uint8_t ipv6[16];
	return usable_port(text + url->port.offset, url->port.length, &port)
	       && (!text_begins(host, n, "[") || (n > 2 && text_ends(host, n, "]") && usable_ipv6(host + 1, n - 2, ipv6)));
}
