#include "charset.h"

#include "ascii.h"
#include "bytes.h"
#include "charset_table.h"
#include "decode.h"

#include <string.h>

/* ---- Names ----------------------------------------------------------------- */

_Static_assert(sizeof charset_rows / sizeof *charset_rows == CHARSETS, "CHARSETS is the number of rows");

const char *charset_name_next(const char *name)
{
	return name + strlen(name) + 1;
}

const struct charset_row *charset_name_row(size_t i)
{
	return &charset_rows[i];
}

const struct charset_row *charset_name_find(const char *name, size_t length)
{
	char plain[ALIAS_LONGEST + 2]; /* as in the table; one byte more than any of it is none of them */
	size_t n = 0, low = 0, high = sizeof charset_aliases / sizeof *charset_aliases;
	for (size_t i = 0; i < length && n <= ALIAS_LONGEST; i++) {
		plain[n] = (char)to_lower((uint8_t)name[i]);
		n += !(byte_class[(uint8_t)name[i]] & (BYTE_HYPHEN | BYTE_UNDERSCORE));
	}
	plain[n] = 0;
	if (memchr(plain, 0, n))
		return NULL;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const int order = strcmp(plain, charset_aliases[middle].name);
		if (!order)
			return &charset_rows[charset_aliases[middle].row];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

/* ---- Conversion ------------------------------------------------------------ */

enum {
	ASCII_LEAST = 16,  /* bytes by which text is not UTF-16 or UTF-32; fewer may be a word of Chinese */
	ORDER_LOOK = 64,   /* a multiple of four, at least DECODE_LONGEST */
	IN_PLACE = 256,    /* longer plain stretches are not copied */
	ROOM = DECODE_TEXT /* always free after the text of a block */
};

struct charset {
	const urlsift_allocator *alloc;
	struct map map;
	enum coding declared;
	bool marked;  /* a byte order mark has been looked for */
	bool started; /* there is text */
	bool holes;   /* some single bytes are malformed */
	uint64_t malformed;
	size_t held_n;
	charset_sink sink; /* of the current call */
	void *user;
	/* Characters of equal steps, not yet in the map. */
	size_t run, run_text, run_source;
	size_t out_n;
	/* charset_new leaves the rest as it is */
	struct decoder decoder;
	/* an incomplete character from earlier input, or the beginning of a text without a mark */
	uint8_t held[ORDER_LOOK];
	uint8_t out[CHARSET_BLOCK];
};

static const uint8_t replacement[3] = { 0xEF, 0xBF, 0xBD };

static bool is_replacement(const uint8_t *text, size_t n)
{
	return bytes_are(text, n, replacement, sizeof replacement);
}

const char *charset_language(const char *name, size_t length)
{
	const struct charset_row *row = charset_name_find(name, length);
	return row ? charset_languages[row - charset_rows] : NULL;
}

const char charset_undeclared[] = "";

const char *charset_canonical(const char *name, size_t length)
{
	const struct charset_row *row = charset_name_find(name, length);
	if (!row)
		return NULL;
	return row->coding == CODING_PASS ? charset_undeclared : row->names;
}

struct charset *charset_new(const urlsift_allocator *alloc, const char *canonical, urlsift_status *status)
{
	static const struct charset_row undeclared = { CODING_PASS, "" };
	const struct charset_row *row = &undeclared;
	if (canonical && *canonical)
		row = charset_name_find(canonical, strlen(canonical));
	*status = URLSIFT_BAD_CHARSET;
	if (!row)
		return NULL;
	*status = URLSIFT_NO_MEMORY;
	struct charset *c = alloc_get_head(alloc, sizeof *c, offsetof(struct charset, decoder));
	if (!c)
		return NULL;
	c->alloc = alloc;
	c->declared = row->coding;
	map_init(&c->map, alloc);
	*status = decode_init(&c->decoder, alloc, row);
	if (*status) {
		charset_free(c);
		return NULL;
	}
	for (size_t i = 0; c->declared >= CODING_UTF7 && i < 256; i++)
		c->holes |= is_replacement(c->decoder.byte[i].text, c->decoder.byte[i].size);
	charset_reset(c);
	return c;
}

void charset_free(struct charset *c)
{
	if (!c)
		return;
	decode_fini(&c->decoder);
	map_fini(&c->map);
	alloc_put(c->alloc, c);
}

void charset_use(struct charset *c, const struct simd *simd) { c->decoder.simd = simd; }

void charset_reset(struct charset *c)
{
	c->decoder.coding = c->declared;
	decode_reset(&c->decoder);
	map_reset(&c->map);
	c->marked = !(1u << c->declared & (1u << CODING_PASS | 1u << CODING_UTF16 | 1u << CODING_UTF32));
	c->started = false;
	c->malformed = 0;
	c->held_n = 0;
	c->run = 0;
	c->out_n = 0;
}

void charset_seek(struct charset *c, uint64_t offset)
{
	c->map.text_end = c->map.source_end = offset;
	c->marked = c->started = true;
}

void charset_rest(struct charset *c)
{
	map_fini(&c->map);
	charset_reset(c);
}

/* Puts the run into the map. */
static void settle(struct charset *c)
{
	size_t n = c->run;
	c->run = 0;
	if (n)
		map_add(&c->map, n, c->run_text, c->run_source);
}

static void add_run(struct charset *c, size_t n, size_t text_step, size_t source_step)
{
	if (c->run && c->run_text == text_step && c->run_source == source_step) {
		c->run += n;
		return;
	}
	settle(c);
	c->run = n;
	c->run_text = text_step;
	c->run_source = source_step;
}

/* Hands out text, if all of it is in the map. */
static urlsift_status hand_out(struct charset *c, const uint8_t *text, size_t n)
{
	settle(c);
	if (c->map.failed)
		return URLSIFT_NO_MEMORY;
	return n ? c->sink(c->user, text, n) : URLSIFT_OK;
}

static urlsift_status flush(struct charset *c)
{
	size_t n = c->out_n;
	c->out_n = 0;
	return hand_out(c, c->out, n);
}

/* Text that equals its source. */
static urlsift_status copy(struct charset *c, const uint8_t *p, size_t n)
{
	bool in_place = n >= IN_PLACE;
	if (in_place || n > sizeof c->out - c->out_n - ROOM) {
		urlsift_status status = flush(c);
		if (status)
			return status;
	}
	add_run(c, n, 1, 1);
	if (in_place)
		return hand_out(c, p, n);
	memcpy(c->out + c->out_n, p, n);
	c->out_n += n;
	return URLSIFT_OK;
}

/* Whether these bytes encode U+FFFD itself: it is then not a replacement. */
static bool encodes_replacement(const struct decoder *d, const uint8_t *p, size_t n)
{
	static const struct { enum coding coding; uint8_t length; uint8_t bytes[4]; } forms[] = {
		{ CODING_UTF8, 3, { 0xEF, 0xBF, 0xBD } },
		{ CODING_UTF16_BE, 2, { 0xFF, 0xFD } }, { CODING_UTF16_LE, 2, { 0xFD, 0xFF } },
		{ CODING_UTF32_BE, 4, { 0, 0, 0xFF, 0xFD } }, { CODING_UTF32_LE, 4, { 0xFD, 0xFF, 0, 0 } },
		{ CODING_MULTI, 4, { 0x84, 0x31, 0xA4, 0x37 } }, /* GB18030 */
	};
	for (size_t i = 0; n > 1 && i < sizeof forms / sizeof *forms; i++)
		if (d->coding == forms[i].coding && bytes_are(p, n, forms[i].bytes, forms[i].length))
			return true;
	/* in UTF-7 the unit just read */
	return d->coding == CODING_UTF7 && !d->ground && (d->base64.bits >> d->base64.held & 0xFFFF) == 0xFFFD;
}

/* Single-byte characters, eight at a time without a branch for each, up to the next ASCII, which decode_plain finds
 * faster.  Unrolled, which gcc does not at -O2, Cyrillic takes 0.8 of the time. */
static urlsift_status letters(struct charset *c, const uint8_t *p, size_t n, size_t *used)
{
	const struct letter *byte = c->decoder.byte;
	uint8_t *out = c->out + c->out_n, *end = c->out + sizeof c->out - 9 * ROOM;
	size_t i = 0;
	settle(c);
	while (n - i >= 8 && out <= end && (i == 0 || !decode_plain(&c->decoder, p + i, smaller(n - i, 16)))) {
		uint32_t steps = 0;
		const uint8_t *before = out;
#pragma GCC unroll 8
		for (unsigned j = 0; j < 8; j++) {
			const struct letter *l = &byte[p[i++]];
			memcpy(out, l, ROOM); /* copies too many bytes, which is faster */
			out += l->size;
			steps |= (l->size - 1u) << 4 * j;
		}
		map_add_eight(&c->map, steps, (size_t)(out - before));
		if (c->holes && steps & 0x22222222) /* three bytes of text */
			for (unsigned j = 1; j <= 8; j++)
				c->malformed += is_replacement(byte[p[i - j]].text, byte[p[i - j]].size);
	}
	c->out_n = (size_t)(out - c->out);
	*used = i;
	return out > end ? flush(c) : URLSIFT_OK;
}

/* Takes over a step at p, whose text follows that of the block. */
static urlsift_status take(struct charset *c, const uint8_t *p, struct decode_step step)
{
	static const uint8_t mark[3] = { 0xEF, 0xBB, 0xBF };
	if (step.size && !c->started) {
		c->started = true;
		if (bytes_are(c->out, step.size, mark, sizeof mark))
			step.size = 0;
	}
	if (!step.size) {
		settle(c);
		map_add(&c->map, 1, 0, step.taken);
		return URLSIFT_OK;
	}
	add_run(c, 1, step.size, step.taken);
	c->malformed += is_replacement(c->out + c->out_n, step.size) && !encodes_replacement(&c->decoder, p, step.taken);
	c->out_n += step.size;
	return sizeof c->out - c->out_n < ROOM ? flush(c) : URLSIFT_OK;
}

#ifdef URLSIFT_TEXTS_ONLY /* what comes from JavaScript declares its byte order */
#define find_order(c, p, n, last) true
#else
/* Without a mark the byte order of UTF-16 and UTF-32 is that of the first unit that has a NUL at one end only;
 * big-endian when there is none in ORDER_LOOK bytes, and none at all when these are ASCII: the text is then read as
 * UTF-8.  False: more bytes are needed. */
static bool find_order(struct charset *c, const uint8_t *p, size_t n, bool last)
{
	const size_t unit = c->declared == CODING_UTF32 ? 4 : 2, stop = smaller(n, ORDER_LOOK);
	size_t i = 0;
	while (i + unit <= stop && !p[i] == !p[i + unit - 1])
		i += unit;
	const bool found = i + unit <= stop, ascii = !found && stop >= ASCII_LEAST && ascii_prefix(p, stop) == stop;
	c->marked = found || stop == ORDER_LOOK || last;
	c->malformed = ascii;
	c->decoder.coding = ascii ? CODING_UTF8 : (enum coding)(c->declared + (found && p[i] ? 2 : 1));
	return c->marked;
}
#endif

/* Looks for a byte order mark where one is significant.  False: more bytes are needed. */
static bool find_mark(struct charset *c, const uint8_t *p, size_t n, bool last, size_t *taken)
{
	static const struct { uint8_t length; uint8_t bytes[4]; enum coding declared, coding; } marks[] = {
		{ 4, { 0xFF, 0xFE, 0, 0 }, CODING_UTF32, CODING_UTF32_LE },
		{ 4, { 0, 0, 0xFE, 0xFF }, CODING_UTF32, CODING_UTF32_BE },
		{ 3, { 0xEF, 0xBB, 0xBF }, CODING_PASS, CODING_PASS },
		{ 2, { 0xFE, 0xFF }, CODING_UTF16, CODING_UTF16_BE },
		{ 2, { 0xFF, 0xFE }, CODING_UTF16, CODING_UTF16_LE },
	};
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		size_t length = marks[i].length;
		if (c->declared != CODING_PASS && c->declared != marks[i].declared)
			continue;
		if (memcmp(p, marks[i].bytes, smaller(n, length)))
			continue;
		if (n >= length) {
			c->decoder.coding = marks[i].coding;
			*taken = length;
			c->marked = c->started = true;
			return true;
		}
		if (!last)
			return false;
	}
	c->marked = true;
	return c->declared == CODING_PASS || find_order(c, p, n, last);
}

/* Converts what it can of n >= 1 bytes; fewer than DECODE_LONGEST remain. */
static urlsift_status convert(struct charset *c, const uint8_t *p, size_t n, bool last, size_t *used)
{
	struct decoder *d = &c->decoder;
	urlsift_status status = URLSIFT_OK;
	size_t i = 0, k = 0;
	*used = 0;
	if (!c->marked && !find_mark(c, p, n, last, &i))
		return URLSIFT_OK;
	map_add(&c->map, 1, 0, i);
	if (d->coding == CODING_PASS) {
		*used = n;
		map_add(&c->map, n - i, 1, 1);
		return hand_out(c, p + i, n - i);
	}
	for (; i < n && !status; i += k) {
		/* the first character may be a byte order mark, and after a malformed byte the next is seldom plain */
		bool damage = d->coding == CODING_UTF8 && c->run && c->run_text > c->run_source && p[i] >= 0x80;
		k = c->started && !damage ? decode_plain(d, p + i, n - i) : 0;
		if (k) {
			status = copy(c, p + i, k);
		} else if (c->started && d->alone && n - i >= 8) {
			status = letters(c, p + i, n - i, &k);
		} else {
			struct decode_step step = decode_next(d, p + i, n - i, last, c->out + c->out_n);
			if (!step.taken)
				break;
			status = take(c, p + i, step);
			k = step.taken;
			/* one ASCII character often has others after it */
			if (step.size == 1 && c->run) {
				const size_t room = sizeof c->out - c->out_n - ROOM;
				size_t units = decode_narrow(d, p + i + k, smaller(n - i - k, 2 * room), c->out + c->out_n);
				c->out_n += units;
				c->run += units;
				k += 2 * units;
			}
		}
	}
	*used = i;
	return status;
}

urlsift_status charset_feed(struct charset *c, const uint8_t *bytes, size_t n, charset_sink sink, void *user)
{
	urlsift_status status = URLSIFT_OK;
	size_t used;
	c->sink = sink;
	c->user = user;
	while (c->held_n && n && !status) {
		size_t old = c->held_n, more = smaller(n, sizeof c->held - old);
		memcpy(c->held + old, bytes, more);
		status = convert(c, c->held, old + more, false, &used);
		c->held_n = 0;
		if (used < old) {
			c->held_n = old + more - used;
			memmove(c->held, c->held + used, c->held_n);
		} else {
			more = used - old;
		}
		bytes += more;
		n -= more;
	}
	if (n && !status) {
		status = convert(c, bytes, n, false, &used);
		if (!status && used < n) {
			c->held_n = n - used;
			memcpy(c->held, bytes + used, c->held_n);
		}
	}
	return status ? status : flush(c);
}

urlsift_status charset_finish(struct charset *c, charset_sink sink, void *user)
{
	c->sink = sink;
	c->user = user;
	size_t used;
	urlsift_status status = c->held_n ? convert(c, c->held, c->held_n, true, &used) : URLSIFT_OK;
	c->held_n = 0;
	return status ? status : flush(c);
}

uint64_t charset_source(struct charset *c, uint64_t t)
{
	return map_source(&c->map, t);
}

uint64_t charset_begin(struct charset *c, uint64_t t)
{
	return map_begin(&c->map, t);
}

void charset_forget(struct charset *c, uint64_t t)
{
	map_forget(&c->map, t);
}

uint64_t charset_mark(struct charset *c)
{
	return c->decoder.coding <= CODING_UTF8 ? map_begin(&c->map, 0) : 0;
}

bool charset_is_source(const struct charset *c)
{
	const bool utf8 = c->decoder.coding <= CODING_UTF8 && !c->malformed;
	return utf8 && c->map.text_end == c->map.source_end; /* no byte order mark */
}

uint64_t charset_malformed(const struct charset *c)
{
	return c->malformed;
}

size_t charset_memory_bound(void)
{
	return sizeof(struct charset) + map_memory_bound() + coder_memory_bound();
}

size_t charset_rest_memory_bound(void)
{
	size_t bound = 0;
	for (size_t i = 0; i < CHARSETS; i++) {
		enum coding coding = charset_name_row(i)->coding;
		bound += sizeof(struct charset) + (coding >= CODING_MULTI ? coder_memory_bound() : 0);
	}
	return bound;
}
