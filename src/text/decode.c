#include "decode.h"
#include "text/ascii.h"
#include "unicode.h"

#include <string.h>

enum { REPLACEMENT = 0xFFFD, ESC = 0x1B };

static const struct decode_step more = { 0, 0 };

static struct decode_step silent(size_t taken) { return (struct decode_step){ taken, 0 }; }

static struct decode_step character(size_t taken, uint32_t cp, uint8_t *text)
{
	return (struct decode_step){ taken, utf8_put(text, cp) };
}

static struct decode_step bad(size_t taken, uint8_t *text)
{
	return character(taken, REPLACEMENT, text);
}

/* The bytes before the next character are bad where no more can follow. */
static struct decode_step cut_off(size_t taken, bool last, uint8_t *text)
{
	return last ? bad(taken, text) : more;
}

/* What a set of the coder answers to the bytes of one character: its length in UTF-8. */
static struct decode_step answered(uint8_t size, size_t taken, uint8_t *text)
{
	return size && size != CODER_MORE ? (struct decode_step){ taken, size } : bad(taken, text);
}

/* A step of one coding, or of several that are alike; as decode_next. */
typedef struct decode_step next_step(struct decoder *d, const uint8_t *p, size_t n, bool last, uint8_t *text);

/* ---- UTF-8, UTF-16, UTF-32 ---- */

static struct decode_step next_utf8(struct decoder *d, const uint8_t *p, size_t n, bool last, uint8_t *text)
{
	(void)d;
	uint32_t cp;
	bool cut;
	size_t k = utf8_sequence(p, n, &cp, &cut);
	if (k)
		return character(k, cp, text);
	return cut_off(1, last || !cut, text);
}

static uint32_t unit_at(const uint8_t *p, bool little)
{
	return little ? p[1] * 0x100u + p[0] : p[0] * 0x100u + p[1];
}

static struct decode_step next_utf16(struct decoder *d, const uint8_t *p, size_t n, bool last, uint8_t *text)
{
	const bool little = d->coding == CODING_UTF16_LE;
	if (n < 2)
		return cut_off(1, last, text);
	uint32_t unit = unit_at(p, little);
	if (!utf16_is_high(unit))
		return utf16_is_low(unit) ? bad(2, text) : character(2, unit, text);
	if (n < 4)
		return cut_off(n, last, text);
	uint32_t low = unit_at(p + 2, little);
	return utf16_is_low(low) ? character(4, utf16_pair(unit, low), text) : bad(2, text);
}

size_t decode_narrow(const struct decoder *d, const uint8_t *p, size_t n, uint8_t *text)
{
	static const uint8_t beyond[2][8] = {
		{ 0xFF, 0x80, 0xFF, 0x80, 0xFF, 0x80, 0xFF, 0x80 }, { 0x80, 0xFF, 0x80, 0xFF, 0x80, 0xFF, 0x80, 0xFF }
	};
	const bool little = d->coding == CODING_UTF16_LE;
	uint64_t mask, units;
	size_t count = 0;
	if (!little && d->coding != CODING_UTF16_BE)
		return 0;
	memcpy(&mask, beyond[little], sizeof mask);
	for (; n >= sizeof units; n -= sizeof units, p += sizeof units, count += 4) {
		memcpy(&units, p, sizeof units);
		if (units & mask)
			break;
		for (unsigned i = 0; i < 4; i++)
			text[count + i] = p[2 * i + !little];
	}
	return count;
}

static struct decode_step next_utf32(struct decoder *d, const uint8_t *p, size_t n, bool last, uint8_t *text)
{
	const bool little = d->coding == CODING_UTF32_LE;
	if (n < 4)
		return cut_off(n, last, text);
	uint32_t cp = unit_at(little ? p + 2 : p, little) << 16 | unit_at(little ? p : p + 2, little);
	return cp > 0x10FFFF || (cp & 0xFFFFF800) == 0xD800 ? bad(4, text) : character(4, cp, text);
}

/* ---- UTF-7 (RFC 2152) ---- */

/* One character, or the end of base64 with the `-` that may follow it; left-over bits that are not padding are
 * malformed. */
static struct decode_step in_base64(struct decoder *d, const uint8_t *p, size_t n, bool last, uint8_t *text)
{
	struct base64 b = d->base64, after_high = b;
	uint32_t high = 0;
	size_t high_taken = 0, i = 0;
	for (; i < n && base64_digit(p[i]) < 64; i++) {
		b.bits = b.bits << 6 | base64_digit(p[i]);
		b.held += 6;
		if (b.held < 16)
			continue;
		b.held -= 16;
		uint32_t unit = b.bits >> b.held & 0xFFFF;
		if (high) {
			if (!utf16_is_low(unit))
				break;
			d->base64 = b;
			return character(i + 1, utf16_pair(high, unit), text);
		}
		if (!utf16_is_high(unit)) {
			d->base64 = b;
			return utf16_is_low(unit) ? bad(i + 1, text) : character(i + 1, unit, text);
		}
		high = unit;
		high_taken = i + 1;
		after_high = b;
	}
	if (i == n && !last)
		return more;
	if (high) {
		d->base64 = after_high;
		return bad(high_taken, text);
	}
	d->ground = true;
	d->base64.held = 0;
	size_t taken = i + (byte_at(p, i, n) == '-');
	/* bits left over from the last character have no bytes of their own */
	bool padding = b.held < 6 && (!taken || !(b.bits & ((1u << b.held) - 1)));
	return padding ? silent(taken) : bad(taken, text);
}

static struct decode_step next_utf7(struct decoder *d, const uint8_t *p, size_t n, bool last, uint8_t *text)
{
	if (!d->ground) {
		struct decode_step step = in_base64(d, p, n, last, text);
		if (step.taken || !d->ground)
			return step;
	}
	if (*p != '+')
		return *p < 0x80 ? character(1, *p, text) : bad(1, text);
	if (n < 2)
		return cut_off(1, last, text);
	if (p[1] == '-')
		return character(2, '+', text);
	if (base64_digit(p[1]) == 64)
		return bad(1, text);
	/* the `+` belongs to the first character that it encodes */
	d->ground = false;
	struct decode_step step = in_base64(d, p + 1, n - 1, last, text);
	d->ground |= !step.taken;
	step.taken += step.taken != 0;
	return step;
}

/* ---- Characters of up to four bytes, by iconv ---- */

static struct decode_step next_multi(struct decoder *d, const uint8_t *p, size_t n, bool last, uint8_t *text)
{
	for (size_t k = 2; k <= n && k <= CODER_LONGEST; k++) {
		uint8_t size = coder_ask(&d->coder, 0, p, k, text);
		if (size != CODER_MORE)
			return size ? (struct decode_step){ k, size } : bad(1, text);
	}
	return n < CODER_LONGEST && !last ? more : bad(1, text);
}

/* ---- Sets selected by escape sequences: ISO-2022 (RFC 1468, 1554, 1557), HZ (RFC 1843) ---- */

enum set {
	SET_ASCII, SET_ROMAN, SET_KANA, SET_JIS_0208, SET_JIS_0212, SET_GB, SET_KS, SET_LATIN_1, SET_GREEK, SET_SAME
};
enum { JP = 1, JP_2 = 2, KR = 4, HZ = 8 };

static const struct escape {
	uint8_t length;
	char bytes[4];
	uint8_t families;
	uint8_t set;
} escapes[] = {
	{ 3, "\x1b(B", JP | JP_2, SET_ASCII },
	{ 3, "\x1b(J", JP | JP_2, SET_ROMAN },
	{ 3, "\x1b(I", JP | JP_2, SET_KANA },
	{ 3, "\x1b$B", JP | JP_2, SET_JIS_0208 },
	{ 3, "\x1b$@", JP | JP_2, SET_JIS_0208 },
	{ 4, { ESC, '$', '(', 'B' }, JP | JP_2, SET_JIS_0208 },
	{ 4, { ESC, '$', '(', '@' }, JP | JP_2, SET_JIS_0208 },
	{ 4, { ESC, '$', '(', 'D' }, JP | JP_2, SET_JIS_0212 },
	{ 3, "\x1b$A", JP_2, SET_GB },
	{ 4, { ESC, '$', '(', 'A' }, JP_2, SET_GB },
	{ 4, { ESC, '$', '(', 'C' }, JP_2, SET_KS },
	{ 3, "\x1b.A", JP_2, SET_LATIN_1 },
	{ 3, "\x1b.F", JP_2, SET_GREEK },
	{ 4, { ESC, '$', ')', 'C' }, KR, SET_SAME },
	{ 1, "\x0e", KR, SET_KS },
	{ 1, "\x0f", KR, SET_ASCII },
	{ 2, "~{", HZ, SET_GB },
	{ 2, "~}", HZ, SET_ASCII },
	{ 2, "~\n", HZ, SET_ASCII },
};

static unsigned family_of(enum coding coding)
{
	static const uint8_t families[CODINGS] = {
		[CODING_2022_JP] = JP, [CODING_2022_JP_2] = JP_2, [CODING_2022_KR] = KR, [CODING_HZ] = HZ
	};
	return families[coding];
}

static void switch_to(struct decoder *d, uint8_t set)
{
	if (within(set, SET_LATIN_1, SET_GREEK))
		d->single = set;
	else if (set != SET_SAME)
		d->set = set;
	d->ground = d->set == SET_ASCII;
}

/* The step of an escape sequence, of which `more` may be needed; false when there is none at p, whose first byte may
 * begin one. */
static bool escaped(struct decoder *d, const uint8_t *p, size_t n, uint8_t *text, struct decode_step *step)
{
	const unsigned family = family_of(d->coding);
	bool begun = false;
	for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++) {
		const struct escape *e = &escapes[i];
		bool in_mode = family != HZ || (e->bytes[1] == '}') == (d->set == SET_GB); /* in HZ each is valid in one */
		if (!(e->families & family) || !in_mode || memcmp(p, e->bytes, smaller(n, e->length)))
			continue;
		if (n >= e->length) {
			switch_to(d, e->set);
			*step = silent(e->length);
			return true;
		}
		begun = true;
	}
	if (family == HZ && d->set == SET_ASCII && n >= 2) {
		*step = p[1] == '~' ? character(2, '~', text) : bad(1, text);
		return true;
	}
	if (d->single && (n < 2 || p[1] == 'N')) {
		if (n >= 3 && within(p[2], 0x20, 0x7F)) {
			/* the character of a 96-character set that follows ESC N (RFC 1554) */
			const uint8_t high = p[2] | 0x80;
			*step = d->single == SET_LATIN_1 ? character(3, high, text)
			                                 : answered(coder_ask(&d->coder, 3, &high, 1, text), 3, text);
			return true;
		}
		begun = n < 3;
	}
	*step = more;
	return begun;
}

static struct decode_step next_switched(struct decoder *d, const uint8_t *p, size_t n, bool last, uint8_t *text)
{
	uint8_t c = *p;
	unsigned family = family_of(d->coding);
	struct decode_step step;
	if (!d->byte[c].size && escaped(d, p, n, text, &step) && (step.taken || !last))
		return step;
	if (c >= 0x80)
		return bad(1, text);
	if (c == '\n' && family == HZ)
		switch_to(d, SET_ASCII);
	if (c <= 0x20 || c == 0x7F)
		return character(1, c, text);
	if (d->set == SET_ROMAN)
		return character(1, c == '\\' ? 0xA5 : c == '~' ? 0x203E : c, text);
	if (d->set == SET_KANA)
		return c < 0x60 ? character(1, 0xFF61u + c - 0x21, text) : bad(1, text);
	if (n < 2) /* perhaps a `~` of HZ at the end, the only one without a set */
		return cut_off(1, last, text);
	if (!within(p[1], '!', '~'))
		return bad(1, text);
	/* The set's index in the coder; with the high bits set the bytes are its EUC form. */
	size_t at = d->coder.sets == 1 ? 0 : (d->set == SET_GB) + 2u * (d->set == SET_KS);
	uint8_t euc[3] = { 0x8F, p[0] | 0x80, p[1] | 0x80 };
	size_t third = d->set == SET_JIS_0212;
	return answered(coder_ask(&d->coder, at, euc + !third, 2 + third, text), 2, text);
}

/* ---- All of them ---- */

static next_step *const next_of[CODINGS] = {
	[CODING_PASS] = next_utf8, [CODING_UTF8] = next_utf8, [CODING_UTF16] = next_utf8,
	[CODING_UTF16_BE] = next_utf16, [CODING_UTF16_LE] = next_utf16, [CODING_UTF32] = next_utf8,
	[CODING_UTF32_BE] = next_utf32, [CODING_UTF32_LE] = next_utf32, [CODING_UTF7] = next_utf7,
	[CODING_LATIN_1] = next_utf8, [CODING_WINDOWS_1252] = next_utf8, [CODING_BYTES] = next_utf8,
	[CODING_MULTI] = next_multi, [CODING_2022_JP] = next_switched, [CODING_2022_JP_2] = next_switched,
	[CODING_2022_KR] = next_switched, [CODING_HZ] = next_switched
};

struct decode_step decode_next(struct decoder *d, const uint8_t *p, size_t n, bool last, uint8_t *text)
{
	const struct letter *l = &d->byte[*p];
	if (d->ground && l->size) {
		memcpy(text, l->text, sizeof l->text);
		return (struct decode_step){ 1, l->size };
	}
	return next_of[d->coding](d, p, n, last, text);
}

size_t decode_plain(const struct decoder *d, const uint8_t *p, size_t n)
{
	if (d->ascii)
		return utf8_ascii_words(p, n);
	if (d->coding == CODING_UTF8)
		return d->simd->utf8_valid(p, n);
	size_t i = 0;
	if (d->ground && (d->coding == CODING_UTF7 || family_of(d->coding)))
		while (i < n && d->byte[p[i]].size == 1)
			i++;
	return i;
}

/* Whether iconv knows its characters. */
static bool is_converted(const struct decoder *d)
{
	return within(d->coding, CODING_BYTES, CODING_MULTI);
}

static void fill_letters(struct decoder *d)
{
	const bool iconv = is_converted(d);
	uint8_t ascii[128];
	for (unsigned b = 0; b < sizeof ascii; b++)
		ascii[b] = (uint8_t)b;
	/* the first 128 bytes, which most charsets share, are learnt at once */
	const bool kept = iconv && coder_keeps(&d->coder, ascii, sizeof ascii);
	for (unsigned b = 0; b < 256; b++) {
		struct letter *l = &d->byte[b];
		const uint8_t byte = (uint8_t)b;
		const bool asked = iconv && (b >= sizeof ascii || !kept);
		uint8_t text[4] = { 0 }, size = asked ? coder_ask(&d->coder, 0, &byte, 1, text) : 0;
		/* ISO 8859-1 as in browsers: the unassigned bytes of windows-1252 are controls */
		uint32_t cp = utf8_windows_1252(byte);
		if (size == CODER_MORE)
			continue;
		if (asked || (b >= sizeof ascii && d->coding != CODING_LATIN_1
		              && (d->coding != CODING_WINDOWS_1252 || cp < 0xA0)))
			cp = REPLACEMENT;
		if (!size)
			size = (uint8_t)utf8_put(text, cp);
		l->size = size;
		memcpy(l->text, text, sizeof l->text);
	}
	if (d->coding == CODING_UTF7)
		d->byte['+'].size = 0;
	for (size_t i = 0; i < sizeof escapes / sizeof *escapes; i++)
		if (escapes[i].families & family_of(d->coding))
			d->byte[(uint8_t)escapes[i].bytes[0]].size = 0;
	d->ascii = d->alone = true;
	for (unsigned b = 0; b < 0x100; b++) {
		const struct letter *l = &d->byte[b];
		d->ascii &= b >= sizeof ascii || (l->size == 1 && l->text[0] == b);
		d->alone &= l->size > 0;
	}
}

urlsift_status decode_init(struct decoder *d, const urlsift_allocator *alloc, const struct charset_row *row)
{
	static const struct { enum coding coding; const char *name; } sets[] = {
		{ CODING_2022_JP, "euc-jp" },
		{ CODING_2022_JP_2, "euc-jp" }, { CODING_2022_JP_2, "gbk" }, { CODING_2022_JP_2, "euc-kr" },
		{ CODING_2022_JP_2, "iso-8859-7" },
		{ CODING_2022_KR, "euc-kr" },
		{ CODING_HZ, "gbk" },
	};
	*d = (struct decoder){ .coding = row->coding, .simd = simd_choose(URLSIFT_IMPL_AUTO) };
	coder_init(&d->coder, alloc);
	urlsift_status status = URLSIFT_OK;
	if (is_converted(d))
		status = coder_open(&d->coder, row);
	for (size_t i = 0; i < sizeof sets / sizeof *sets && !status; i++)
		if (sets[i].coding == d->coding)
			status = coder_open(&d->coder, charset_name_find(sets[i].name, strlen(sets[i].name)));
	if (status)
		return status;
	if (d->coding >= CODING_UTF7)
		fill_letters(d);
	if (d->coding == CODING_BYTES)
		coder_fini(&d->coder);
	decode_reset(d);
	return URLSIFT_OK;
}

void decode_fini(struct decoder *d)
{
	coder_fini(&d->coder);
}

void decode_reset(struct decoder *d)
{
	d->ground = d->coding >= CODING_UTF7;
	d->set = SET_ASCII;
	d->single = SET_ASCII;
	d->base64.held = 0;
}
