#include "url.h"

#include "text/unicode.h"
#include "tld_table.h"

#include <string.h>

#ifdef URLSIFT_WITH_IDN2
#include <idn2.h>
#endif

/* ---- Top-level domains ---- */

/* Names outside the root zone that documents and overlay networks use: example (RFC 6761), local (RFC 6762), onion (RFC
 * 7686), i2p.  Not test, invalid and localhost (RFC 6761), which lead nowhere. */
static const char special[] = "example i2p local onion";

bool tld_known(const uint8_t *label, size_t length)
{
	char name[TLD_MAX];
	if (length > TLD_MAX)
		return false;
	ascii_lower(name, label, length);
	for (size_t low = 0, high = tld_table[length].count; low < high;) {
		size_t middle = low + (high - low) / 2;
		int order = memcmp(tld_table[length].names + middle * length, name, length);
		if (order == 0)
			return true;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return ascii_is_among(name, length, special);
}

/* ---- IDNA ---- */

bool idna_available(void)
{
#ifdef URLSIFT_WITH_IDN2
	return true;
#else
	return false;
#endif
}

size_t idna_version(char *out, size_t size)
{
#ifdef URLSIFT_WITH_IDN2
	const char *version = idn2_check_version(NULL);
	return version_put(version, strlen(version), out, size);
#else
	(void)out;
	(void)size;
	return 0;
#endif
}

bool idna_decode_host(const uint8_t *host, size_t length, uint8_t out[IDNA_HOST_MAX], size_t *n)
{
	size_t used = 0;
	for (size_t i = 0; i < length;) {
		uint32_t cp;
		size_t taken = utf8_next_escaped(host + i, length - i, &cp);
		if (utf8_is_stray(host + i, taken, cp) || used + 4 > IDNA_HOST_MAX)
			return false;
		i += taken;
		used += utf8_put(out + used, cp);
	}
	*n = used;
	return true;
}

/* ---- Punycode (RFC 3492 section 6) ---------------------------------------- */

enum { BASE = 36, TMIN = 1, TMAX = 26, SKEW = 38, DAMP = 700, INITIAL_BIAS = 72, INITIAL_N = 128, PREFIX = 4 };

static uint32_t adapt(uint32_t delta, uint32_t count, bool first)
{
	uint32_t k = 0;
	delta = first ? delta / DAMP : delta / 2;
	delta += delta / count;
	for (; delta > (BASE - TMIN) * TMAX / 2; k += BASE)
		delta /= BASE - TMIN;
	return k + (BASE - TMIN + 1) * delta / (delta + SKEW);
}

static uint32_t threshold_of(uint32_t k, uint32_t bias)
{
	return k <= bias ? TMIN : k >= bias + TMAX ? TMAX : k - bias;
}

bool idna_decode_label(const uint8_t *label, size_t length, uint32_t out[IDNA_LABEL_MAX], size_t *count)
{
	if (!within(length, PREFIX + 1, IDNA_LABEL_MAX))
		return false;
	const uint8_t *p = label + PREFIX;
	size_t n = length - PREFIX, at = byte_last(p, 1, n, '-'), used = 0;
	at -= at == 1; /* no hyphen: all is encoded */
	for (; used < excess(at, 1); used++)
		out[used] = p[used];
	if (at == n || ascii_prefix(p, n) < n) /* nothing is, or by other digits */
		return false;
	uint32_t point = INITIAL_N, i = 0, bias = INITIAL_BIAS;
	while (at < n) {
		const uint32_t old = i, size = (uint32_t)used + 1;
		/* with a check for each digit nothing overflows 64 bits; a value with a weight beyond 32 is too large below */
		uint64_t value = i, weight = 1;
		for (uint32_t k = BASE;; k += BASE) {
			const uint8_t c = at < n ? p[at++] : 0;
			const uint32_t digit = is_digit(c) ? c - '0' + 26u : (c | 0x20u) - 'a', threshold = threshold_of(k, bias);
			value += digit * weight;
			if (!is_alnum(c) || value > UINT32_MAX)
				return false;
			if (digit < threshold)
				break;
			weight *= BASE - threshold;
		}
		i = (uint32_t)value;
		bias = adapt(i - old, size, old == 0);
		if (i / size > 0x10FFFF - point)
			return false;
		point += i / size;
		i %= size;
		if (point < 0xA0 || within(point, 0xD800, 0xDFFF))
			return false;
		memmove(out + i + 1, out + i, (used - i) * sizeof *out);
		out[i++] = point;
		used++;
	}
	*count = used;
	return true;
}

#ifdef URLSIFT_WITH_IDN2

/* Writes the A-label of a label that is not all ASCII (RFC 3492 section 6.3); 0 where it is too long. */
static size_t encode_label(const uint32_t *points, size_t count, char out[IDNA_LABEL_MAX])
{
	static const char digits[] = "abcdefghijklmnopqrstuvwxyz0123456789";
	uint32_t delta = 0, bias = INITIAL_BIAS, point = INITIAL_N;
	size_t n = PREFIX;
	memcpy(out, "xn--", PREFIX);
	for (size_t i = 0; i < count && n < IDNA_LABEL_MAX; i++)
		if (points[i] < INITIAL_N)
			out[n++] = (char)points[i];
	size_t ascii = n - PREFIX, done = ascii;
	if (ascii && n < IDNA_LABEL_MAX)
		out[n++] = '-';
	for (; done < count; delta++, point++) {
		uint32_t next = UINT32_MAX;
		for (size_t i = 0; i < count; i++)
			if (points[i] >= point && points[i] < next)
				next = points[i];
		delta += (next - point) * (uint32_t)(done + 1);
		point = next;
		for (size_t i = 0; i < count; i++) {
			delta += points[i] < point;
			if (points[i] != point)
				continue;
			uint32_t value = delta, threshold;
			for (uint32_t k = BASE;; k += BASE) {
				if (n == IDNA_LABEL_MAX)
					return 0;
				threshold = threshold_of(k, bias);
				if (value < threshold)
					break;
				out[n++] = digits[threshold + (value - threshold) % (BASE - threshold)];
				value = (value - threshold) / (BASE - threshold);
			}
			out[n++] = digits[value];
			done++;
			bias = adapt(delta, (uint32_t)done, done == ascii + 1);
			delta = 0;
		}
	}
	return n;
}

/* ---- IDNA ---- */

/* Characters, every `step`th from the first to the last, and what is added to them. */
struct characters {
	uint32_t first, last, step, add;
};

/* The row that the character is in, NULL for none; the rows are in order, and the last one ends with UINT32_MAX. */
static const struct characters *find_characters(const struct characters *rows, uint32_t cp)
{
	while (cp > rows->last)
		rows++;
	return cp >= rows->first && (cp - rows->first) % rows->step == 0 ? rows : NULL;
}

/* The characters that UTS 46 and IDNA 2008 keep, with which nothing composes, and to which no rule for contexts or
 * direction applies: 100 times as fast as libidn2, for nearly all registered names. */
static const struct characters settled[] = {
	{ '-', '-', 1, 0 }, { '0', '9', 1, 0 }, { 'A', 'Z', 1, 0 }, { 'a', 'z', 1, 0 },
	{ 0xDF, 0xF6, 1, 0 }, { 0xF8, 0xFF, 1, 0 }, { 0x101, 0x131, 2, 0 }, { 0x142, 0x148, 2, 0 },
	{ 0x14B, 0x177, 2, 0 }, { 0x17A, 0x17E, 2, 0 }, { 0x1CE, 0x1DC, 2, 0 }, { 0x3AC, 0x3CE, 1, 0 },
	{ 0x430, 0x45F, 1, 0 }, { 0x48B, 0x4BF, 2, 0 }, { 0x561, 0x586, 1, 0 }, { 0x905, 0x939, 1, 0 },
	{ 0x966, 0x96F, 1, 0 }, { 0xE01, 0xE30, 1, 0 }, { 0xE50, 0xE59, 1, 0 }, { 0x10D0, 0x10F0, 1, 0 },
	{ 0x1EA1, 0x1EF9, 2, 0 }, { 0x3041, 0x3096, 1, 0 }, { 0x30A1, 0x30FA, 1, 0 }, { 0x30FC, 0x30FE, 1, 0 },
	{ 0x3105, 0x312C, 1, 0 }, { 0x3400, 0x4DB5, 1, 0 }, { 0x4E00, 0x9FA5, 1, 0 }, { 0xAC00, 0xD7A3, 1, 0 },
	{ UINT32_MAX, UINT32_MAX, 1, 0 }
};

/* The capitals, and the wide letters and digits, for which UTS 46 writes one of these. */
static const struct characters to_settled[] = {
	{ 0xC0, 0xD6, 1, 32 }, { 0xD8, 0xDE, 1, 32 }, { 0x100, 0x12E, 2, 1 }, { 0x141, 0x147, 2, 1 },
	{ 0x14A, 0x176, 2, 1 }, { 0x179, 0x17D, 2, 1 }, { 0x391, 0x3A1, 1, 32 }, { 0x3A3, 0x3A9, 1, 32 },
	{ 0x400, 0x40F, 1, 80 }, { 0x410, 0x42F, 1, 32 }, { 0x48A, 0x4BE, 2, 1 }, { 0x531, 0x556, 1, 48 },
	{ 0x1EA0, 0x1EF8, 2, 1 }, { 0xFF10, 0xFF19, 1, '0' - 0xFF10u }, { 0xFF21, 0xFF3A, 1, 'a' - 0xFF21u },
	{ 0xFF41, 0xFF5A, 1, 'a' - 0xFF41u }, { UINT32_MAX, UINT32_MAX, 1, 0 }
};

/* Writes a label of such characters, or its A-label.  Returns its length, 0 where it has others; *bad: it is a
 * malformed A-label.  `points` may change. */
static size_t put_settled(uint32_t points[IDNA_LABEL_MAX], size_t count, char out[IDNA_LABEL_MAX], bool *bad)
{
	/* Devanagari and Thai marks of which the same is true after a letter */
	static const uint32_t marks[][2] = {
		{ 0x901, 0x903 }, { 0x93E, 0x94D }, { 0xE31, 0xE31 }, { 0xE34, 0xE3A }, { 0xE47, 0xE4E },
		{ UINT32_MAX, UINT32_MAX }
	};
	/* Hebrew and Arabic letters of which it is true in a label of nothing else (RFC 5893 section 2) */
	static const uint32_t leftward[][2] = {
		{ 0x5D0, 0x5EA }, { 0x620, 0x63A }, { 0x641, 0x64A }, { 0x671, 0x674 }, { 0x679, 0x6BF },
		{ UINT32_MAX, UINT32_MAX }
	};
	uint8_t given[IDNA_LABEL_MAX];
	size_t length = count, left = 0;
	bool plain = true, letter = false, ascii = true;
	for (size_t i = 0; i < count; i++) {
		if (points[i] < 0x80) {
			points[i] = given[i] = (uint8_t)to_lower((uint8_t)points[i]);
		} else {
			given[i] = 0xFF;
			ascii = false;
		}
	}
	bool encoded = length > PREFIX && ascii && !memcmp(given, "xn--", PREFIX);
	*bad = encoded && !idna_decode_label(given, length, points, &count);
	if (*bad)
		return 0;
	if (!count || points[0] == '-' || points[count - 1] == '-' || (count > 3 && points[2] == '-' && points[3] == '-'))
		return 0;
	for (size_t i = 0; i < count; i++) {
		uint32_t cp = points[i];
		bool mark = in_ranges(marks, cp), turned = in_ranges(leftward, cp);
		if (mark ? !letter : !turned && !find_characters(settled, cp))
			return 0;
		letter = !mark;
		left += turned;
		plain &= cp < 0x80;
	}
	if (left && left != count)
		return 0;
	if (plain)
		memcpy(out, given, count);
	else
		count = encode_label(points, count, out);
	return encoded && !bytes_are(out, count, given, length) ? 0 : count;
}

/* Writes a host of such labels, its escapes decoded.  Returns its length, 0 where libidn2 must decide or *bad.
 * *mapped: characters beyond ASCII were. */
static size_t put_settled_host(const uint8_t *host, size_t length, char out[256], bool *bad, bool *mapped)
{
	uint32_t points[IDNA_LABEL_MAX], cp;
	size_t used = 0, count = 0;
	*bad = *mapped = false;
	for (size_t i = 0, n; i <= length;) {
		const bool room = used + 1 + IDNA_LABEL_MAX < 256;
		cp = '.';
		size_t taken = i < length ? utf8_next_escaped(host + i, length - i, &cp) : 1;
		if (utf8_is_stray(host + i, taken, cp))
			return 0;
		i += taken;
		if (idna_is_dot(cp)) {
			n = room ? put_settled(points, count, out + used, bad) : 0;
			if (!n)
				return 0;
			used += n;
			out[used++] = '.';
			count = 0;
		} else if (count < IDNA_LABEL_MAX) {
			const struct characters *row = find_characters(to_settled, cp);
			points[count] = row ? cp + row->add : cp;
			*mapped |= points[count++] != cp;
		} else {
			return 0;
		}
	}
	return used - 1;
}

/* Whether transitional processing differs (UTS 46 section 6): it maps sharp s, final sigma and joiners, and does not
 * check letters that run from right to left (the bidi rule). */
static bool is_transition_apart(const uint8_t *text, size_t n)
{
	static const uint32_t ranges[][2] = {
		{ 0xDF, 0xDF }, { 0x3C2, 0x3C2 }, { 0x590, 0x8FF }, { 0x1E9E, 0x1E9E }, { 0x200C, 0x200D }, { 0x2135, 0x2138 },
		{ 0xFB1D, 0xFDFF }, { 0xFE70, 0xFEFF }, { 0x10800, 0x10FFF }, { 0x1E800, 0x1EFFF },
		{ UINT32_MAX, UINT32_MAX }
	};
	for (size_t i = 0; i < n;) {
		uint32_t cp;
		i += utf8_next(text + i, n - i, &cp);
		if (in_ranges(ranges, cp))
			return true;
	}
	return false;
}

enum idna idna_to_ascii(const uint8_t *host, size_t length, char out[256], size_t *n)
{
	/* The unreserved characters and sub-delims of a reg-name (RFC 3986 section 3.2.2): mapping and Punycode do not
	 * exclude other ASCII characters. */
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	uint8_t text[IDNA_HOST_MAX + 1], *name = NULL;
	bool bad, mapped;
	size_t used, got = put_settled_host(host, length, out, &bad, &mapped);
	if (got) {
		*n = got;
		return mapped ? IDNA_FOUND : IDNA_SAME;
	}
	if (bad || !idna_decode_host(host, length, text, &used) || memchr(text, 0, used))
		return IDNA_NONE;
	text[used] = 0;
	int error = idn2_lookup_u8(text, &name, IDN2_NONTRANSITIONAL | IDN2_NFC_INPUT);
	/* IDNA 2008 has no symbols, UTS 46 and browsers do.  Only transitional processing takes them. */
	if (error == IDN2_DISALLOWED && !is_transition_apart(text, used))
		error = idn2_lookup_u8(text, &name, IDN2_TRANSITIONAL | IDN2_NFC_INPUT);
	if (error != IDN2_OK)
		return error == IDN2_MALLOC ? IDNA_NO_MEMORY : IDNA_NONE;
	got = strlen((const char *)name);
	bool good = within(got, 1, 255) && strspn((const char *)name, allowed) == got;
	if (good) {
		memcpy(out, name, got);
		*n = got;
	}
	idn2_free(name);
	return good ? IDNA_FOUND : IDNA_NONE;
}
#else
enum idna idna_to_ascii(const uint8_t *host, size_t length, char out[256], size_t *n)
{
	(void)host;
	(void)length;
	(void)out;
	(void)n;
	return IDNA_NONE;
}
#endif

enum idna idna_ask(struct idna_memo *memo, const uint8_t *host, size_t length, char out[256], size_t *n)
{
	if (!memo || length > sizeof memo->host)
		return idna_to_ascii(host, length, out, n);
	if (!bytes_are(host, length, memo->host, memo->length)) {
		memo->length = memo->n = 0;
		memo->idna = idna_to_ascii(host, length, memo->labels, &memo->n);
		if (memo->idna == IDNA_NO_MEMORY)
			return IDNA_NO_MEMORY;
		memcpy(memo->host, host, length);
		memo->length = length;
	}
	if (memo->idna >= IDNA_FOUND) {
		memcpy(out, memo->labels, memo->n);
		*n = memo->n;
	}
	return memo->idna;
}
