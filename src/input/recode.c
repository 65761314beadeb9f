#include "recode.h"

#include "mail/html/tag.h"
#include "mail/transfer.h"
#include "text/ascii.h"
#include "text/charset.h"
#include "text/unicode.h"

#include <string.h>

#ifdef URLSIFT_WITH_ICONV
#include <iconv.h>
#endif

enum { ENCODED_LINE = 76, BLOCK = 4096 }; /* bytes of an encoded line; that are recoded at a time */

bool recode_charset(struct buf *to, const char *charset, const uint8_t *text, size_t n)
{
	const bool ascii = ascii_prefix(text, n) == n;
	const struct charset_row *row = charset_name_find(charset, strlen(charset));
	if (!row || row->coding <= CODING_UTF8) {
		buf_add(to, text, n);
		return true;
	}
#ifdef URLSIFT_WITH_ICONV
	iconv_t cd = (iconv_t)-1;
	for (const char *name = row->names; *name && cd == (iconv_t)-1; name = charset_name_next(name))
		cd = iconv_open(name, "UTF-8");
	if (cd == (iconv_t)-1) {
		buf_add(to, text, n);
		return ascii;
	}
	char *in = (char *)(uintptr_t)text;
	bool good = true, ended = false;
	while (good && !ended) {
		char block[BLOCK], *out = block;
		size_t room = sizeof block;
		ended = n == 0;
		size_t result = ended ? iconv(cd, NULL, NULL, &out, &room) : iconv(cd, &in, &n, &out, &room);
		good = result != (size_t)-1 ? result == 0 : room < sizeof block;
		buf_add(to, block, sizeof block - room);
	}
	iconv_close(cd);
	return good;
#else
	buf_add(to, text, n);
	return ascii;
#endif
}

bool recode_undo(struct buf *to, const char *encoding, const uint8_t *p, size_t n)
{
	struct transfer_state t;
	uint8_t block[BLOCK];
	const uint8_t *end = p + n;
	const enum transfer kind = transfer_named((const uint8_t *)encoding, strlen(encoding));
	transfer_begin(&t, kind, simd_choose(URLSIFT_IMPL_AUTO));
	while (p < end)
		buf_add(to, block, transfer_decode(&t, &p, end, block, sizeof block));
	buf_add(to, block, transfer_finish(&t, block));
	return kind != TRANSFER_UUENCODE;
}

void recode_quoted(struct buf *to, const uint8_t *p, size_t n, const char *line_end)
{
	size_t column = 0;
	for (size_t i = 0; i < n; i++) {
		const bool crlf = text_begins(p + i, n - i, "\r\n");
		if (crlf || p[i] == '\n') {
			buf_add(to, p + i, 1 + (size_t)crlf);
			column = 0;
			i += crlf;
			continue;
		}
		bool last = i + 1 == n || is_line_end(p[i + 1]);
		bool from = column == 0 && text_begins(p + i, n - i, "From "); /* for mailboxes */
		bool plain = (within(p[i], '!', '~') && p[i] != '=' && !from) || (is_blank(p[i]) && !last);
		size_t width = plain ? 1 : 3;
		if (column + width + !last > ENCODED_LINE) {
			buf_add(to, "=", 1);
			buf_add_text(to, line_end);
			column = 0;
		}
		const char code[] = { '=', HEX_UPPER[p[i] >> 4], HEX_UPPER[p[i] & 15] };
		buf_add(to, plain ? (const char *)p + i : code, width);
		column += width;
	}
}

void recode_base64(struct buf *to, const uint8_t *p, size_t n, const char *line_end)
{
	static const char letters[] = BASE64_DIGITS;
	for (size_t i = 0, column = 0; i < n; i += 3) {
		uint8_t group[3] = { 0 };
		const size_t size = smaller(n - i, sizeof group);
		memcpy(group, p + i, size);
		const uint32_t bits = (uint32_t)group[0] << 16 | (uint32_t)group[1] << 8 | group[2];
		char quantum[] = { letters[bits >> 18], letters[bits >> 12 & 63], letters[bits >> 6 & 63], letters[bits & 63] };
		memset(quantum + 1 + size, '=', sizeof group - size);
		buf_add(to, quantum, sizeof quantum);
		column += sizeof quantum;
		if (column == ENCODED_LINE || i + 3 >= n) {
			buf_add_text(to, line_end);
			column = 0;
		}
	}
}

_Static_assert((int)REFERENCE_TEXT_MAX == (int)CHARREF_TEXT_MAX, "the text of every reference fits");

size_t recode_reference(const uint8_t *p, size_t left, uint8_t text[REFERENCE_TEXT_MAX], size_t *n)
{
	if (*p != '&')
		return 0;
	if (byte_at(p, 1, left) != '#') {
		const size_t end = byte_span(p, 1, smaller(left, CHARREF_NAME_MAX), BYTE_ALNUM);
		const size_t name = charref_find(p + 1, end - 1 + (byte_at(p, end, left) == ';'), text, n);
		return name ? name + 1 : 0;
	}
	uint64_t number = 0;
	const bool hex = to_lower(byte_at(p, 2, left)) == 'x';
	const size_t from = hex ? 3 : 2, end = number_read(p, from, left, hex ? 16 : 10, &number);
	if (end == from)
		return 0;
	*n = utf8_put(text, charref_code_point(number));
	return end + (byte_at(p, end, left) == ';');
}
