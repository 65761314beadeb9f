#include "terminal.h"

#include "extent.h"
#include "text/unicode.h"
#include "url/scheme.h"

#include <string.h>

enum { ESC = 0x1b, BEL = 7, BS = 8, PARAMETERS_MAX = 64 };

enum kind { KIND_NONE, KIND_MORE, KIND_COLOUR, KIND_OTHER };

/* Where the run of bytes of [first, last] ends that begins at i. */
static size_t skip(const uint8_t *p, size_t n, size_t i, uint8_t first, uint8_t last)
{
	while (i < n && within(p[i], first, last))
		i++;
	return i;
}

/* `ESC [`, parameters, intermediate bytes, a final byte (ECMA-48 section 5.4). */
static enum kind control_sequence(const uint8_t *p, size_t n, size_t *length)
{
	static const char erases[2][5] = {"\x1b[K", "\x1b[0K"}; /* grep writes one after a colour change */
	size_t parameters = skip(p, smaller(n, 2 + PARAMETERS_MAX), 2, 0x30, 0x3f);
	size_t most = parameters + PARAMETERS_MAX, i = skip(p, smaller(n, most), parameters, 0x20, 0x2f);
	if (i >= n)
		return KIND_MORE;
	if (!within(p[i], 0x40, 0x7e))
		return KIND_NONE;
	*length = i + 1;
	if (p[i] != 'm' || i != parameters || skip(p, i, 2, '0', ';') != i)
		return KIND_OTHER;
	for (size_t k = 0; k < sizeof erases / sizeof *erases; k++) {
		const size_t size = strlen(erases[k]), left = smaller(n - i - 1, size);
		if (memcmp(p + i + 1, erases[k], left))
			continue;
		if (left < size)
			return KIND_MORE;
		*length += size;
	}
	return KIND_COLOUR;
}

/* `ESC ]`, a command, BEL or `ESC \` (ECMA-48 section 5.6). */
static enum kind operating_system_command(const uint8_t *p, size_t n, size_t *length)
{
	enum { PRINTS = BYTE_BUT(BYTE_CONTROL | BYTE_HTAB | BYTE_LINE_END) };
	const size_t i = byte_span(p, 2, smaller(n, 2 + TERMINAL_COMMAND_MAX), PRINTS);
	const size_t end = i + (byte_at(p, i, n) == ESC);
	if (end >= n)
		return KIND_MORE;
	*length = end + 1;
	return p[i] == BEL || (end > i && p[end] == '\\') ? KIND_OTHER : KIND_NONE;
}

/* `ESC ( B` and its like (ISO 2022); i is at the byte after ESC. */
static enum kind designation(const uint8_t *p, size_t n, size_t *length)
{
	size_t i = 1 + (p[1] == '$');
	if (BYTE_IN(byte_at(p, i, n), "()*+-./"))
		i++;
	else if (i == 1)
		return KIND_NONE;
	if (i >= n)
		return KIND_MORE;
	*length = i + 1;
	return within(p[i], '0', '~') ? KIND_OTHER : KIND_NONE;
}

/* The escape sequence that begins at p, an ESC. */
static enum kind sequence(const uint8_t *p, size_t n, bool last, size_t *length)
{
	enum kind k = KIND_MORE;
	*length = 0;
	if (n > 1)
		k = p[1] == '[' ? control_sequence(p, n, length) : p[1] == ']' ? operating_system_command(p, n, length)
		    : designation(p, n, length);
	if (k != KIND_MORE || !last)
		return k;
	return *length ? KIND_COLOUR : KIND_NONE; /* only its erase is cut */
}

#define HYPERLINK "\x1b]8;"

size_t terminal_target(const uint8_t *p, size_t n, size_t *at)
{
	const uint8_t *end = text_begins(p, n, HYPERLINK) ? memchr(p + 4, ';', n - 4) : NULL;
	if (!end)
		return 0;
	*at = (size_t)(end + 1 - p);
	return excess(n - 1 - (p[n - 1] != BEL), *at); /* before BEL or `ESC \` */
}

size_t terminal_plain(const uint8_t *p, size_t n, uint8_t *out)
{
	size_t count = 0;
	for (size_t i = 0, length; i < n;) {
		if (p[i] == ESC && sequence(p + i, n - i, true, &length) != KIND_NONE)
			i += length;
		else
			out[count++] = p[i++];
	}
	return count;
}

/* Whether the character at p, a BS, and another one that hides it begin there: its length in *width.  `forms`: a form
 * of refang.h may stand for the other one. */
static enum verdict overstrike(const uint8_t *p, size_t n, bool last, bool forms, size_t *width)
{
	const struct refang_form *form;
	uint32_t first, second;
	bool cut = false;
	*width = utf8_next(p, n, &first);
	if (byte_at(p, *width, n) != BS)
		return NO;
	const uint8_t *q = p + *width + 1;
	size_t left = n - *width - 1;
	if (!left)
		return last ? NO : MORE;
	if (!utf8_sequence(q, left, &second, &cut) && cut && !last)
		return MORE;
	utf8_next(q, left, &second);
	const unsigned blank = 1u << UC_SPACE | 1u << UC_CONTROL;
	const bool prints = second < 0x80 ? within(second, '!', '~') : !(1u << uclass_of(second) & blank);
	enum verdict formed = forms ? refang_form_at(q, left, last, &form) : NO;
	if (formed == YES && !form->to[1])
		second = (uint8_t)*form->to;
	return formed == MORE ? MORE : verdict_of(prints && (first == '_' || first == second));
}

size_t terminal_hidden(const uint8_t *p, size_t n)
{
	size_t length = 0;
	if (*p == ESC)
		return sequence(p, n, true, &length) == KIND_COLOUR ? length : 0;
	return overstrike(p, n, true, true, &length) == YES ? length + 1 : 0;
}

enum { BEGINNING_MOST = 6 * SCHEME_NAME_SIZE }; /* a form is at most 5 bytes longer than what it stands for */

/* Whether a link begins at p: `www.`, `ftp.`, or the name of a scheme and a colon. */
static enum verdict link_begins(const struct terminal *t, const uint8_t *p, size_t n, bool last)
{
	uint8_t copy[BEGINNING_MOST];
	if (t->refangs) {
		if (n < sizeof copy && !last)
			return MORE;
		n = smaller(n, sizeof copy);
		memcpy(copy, p, n);
		n = refang_text(&t->pairs, copy, n, &(bool){ false });
		p = copy;
		last = true;
	}
	size_t k = byte_span(p, 0, smaller(n, SCHEME_NAME_MAX + 1), BYTE_SCHEME);
	if (k >= n && k <= SCHEME_NAME_MAX && !last)
		return MORE;
	bool name = byte_at(p, k, n) == ':' && scheme_find((const char *)p, k);
	return verdict_of(name || ascii_is_among(p, smaller(n, 4), "www. ftp."));
}

/* The character that ends at i begins here, but not before `low`. */
static size_t character_before(const uint8_t *p, size_t low, size_t i)
{
	const struct view v = {.p = p + low};
	size_t begin;
	view_before(&v, i - low, &begin);
	return low + begin;
}

enum verdict terminal_begins(const struct view *v, size_t i, size_t *from)
{
	size_t length = 0;
	*from = i;
	if (v->p[i] == ESC) {
		enum kind k = sequence(v->p + i, v->end - i, v->last, &length);
		return k == KIND_MORE ? MORE : verdict_of(k != KIND_NONE);
	}
	*from = character_before(v->p, 0, i);
	return *from < i ? overstrike(v->p + *from, v->end - *from, v->last, false, &length) : NO;
}

/* ---- what was removed ---- */

/* Precedes the bytes. */
struct removed_head {
	uint32_t at, raw; /* modulo 2^32: it is no farther from base and raw_base */
	uint32_t length;  /* twice, plus `text` */
	uint32_t label;   /* of as many bytes after these */
};

/* Each is preceded by a byte of text, or joined to the one before; what was handed out goes when it is half of all. */
static size_t removed_most(size_t text_most)
{
	return 2 * (TERMINAL_LEVEL + text_most * (TERMINAL_RATIO + sizeof(struct removed_head)));
}

void terminal_init(struct terminal *t, const urlsift_allocator *alloc, size_t text_most)
{
	memset(t, 0, offsetof(struct terminal, pairs));
	map_init(&t->map, alloc);
	buf_init(&t->removed, alloc, removed_most(text_most));
}

size_t terminal_memory_bound(size_t text_most) { return map_memory_bound() + removed_most(text_most); }

void terminal_fini(struct terminal *t)
{
	map_fini(&t->map);
	buf_fini(&t->removed);
}

void terminal_reset(struct terminal *t)
{
	t->on = t->used = false;
	t->off = t->shift = t->held_n = t->level = 0;
	t->removed.length = t->removed_first = t->removed_low = 0;
	map_reset(&t->map);
	if (t->refangs)
		terminal_start(t, 0, 0);
}

/* What is at p, in t->removed. */
static struct removed read_removed(const struct terminal *t, const uint8_t *p)
{
	struct removed_head head;
	memcpy(&head, p, sizeof head);
	return (struct removed){t->base + (uint32_t)(head.at - (uint32_t)t->base),
	                        t->raw_base + (uint32_t)(head.raw - (uint32_t)t->raw_base), p + sizeof head,
	                        head.length / 2, head.length % 2, head.label};
}

bool terminal_is_forgotten(const struct terminal *t, uint64_t at)
{
	return !t->used || (!t->on && t->removed_first == t->removed.length && at > t->off &&
	                    at - t->off > t->level / TERMINAL_RATIO);
}

bool terminal_removed(const struct terminal *t, struct removed *r)
{
	if (t->removed_first == t->removed.length)
		return false;
	*r = read_removed(t, t->removed.data + t->removed_first);
	return true;
}

bool terminal_removed_after(const struct terminal *t, struct removed *r)
{
	const uint8_t *next = r->bytes + r->length + r->label;
	if (next == t->removed.data + t->removed.length)
		return false;
	*r = read_removed(t, next);
	return true;
}

bool terminal_has_form(struct terminal *t, uint64_t low, uint64_t from, uint64_t to)
{
	struct removed r;
	if (low < t->low || t->removed_low < t->removed_first)
		t->removed_low = t->removed_first;
	t->low = low;
	for (size_t i = t->removed_low, next; i < t->removed.length; i = next) {
		r = read_removed(t, t->removed.data + i);
		next = i + sizeof(struct removed_head) + r.length + r.label;
		/* the last one may grow */
		if (i == t->removed_low && next < t->removed.length && (r.at < low || !removed_is_form(&r)))
			t->removed_low = next;
		else if (r.at >= to || (r.at >= from && removed_is_form(&r)))
			return r.at < to;
	}
	return false;
}

void terminal_removed_next(struct terminal *t)
{
	const struct removed r = read_removed(t, t->removed.data + t->removed_first);
	t->base = r.at;
	t->raw_base = r.raw;
	t->removed_first += sizeof(struct removed_head) + r.length + r.label;
	if (t->removed_first > t->removed.length / 2) {
		buf_drop(&t->removed, t->removed_first);
		t->removed_last -= smaller(t->removed_first, t->removed_last);
		t->removed_low -= smaller(t->removed_first, t->removed_low);
		t->removed_first = 0;
	}
}

static void lower_level(struct terminal *t, uint64_t text)
{
	t->level = text < t->level / TERMINAL_RATIO ? t->level - (size_t)text * TERMINAL_RATIO : 0;
}

/* Whether n bytes more may be removed. */
static bool may_remove(const struct terminal *t, size_t n) { return t->level + n <= TERMINAL_LEVEL; }

bool terminal_start(struct terminal *t, uint64_t at, uint8_t before)
{
	size_t n = (size_t)(at - t->off);
	t->on = t->used = true;
	t->at = at;
	t->fed = t->last = at + t->shift;
	t->before = before;
	lower_level(t, n);
	return map_add_at(&t->map, t->off + t->shift, n, n);
}

/* The raw bytes after the last sequence, those included that are held. */
static uint64_t bytes_since(const struct terminal *t) { return t->fed - t->last + t->held_n; }

size_t terminal_before_stop(const struct terminal *t)
{
	return TERMINAL_QUIET - (size_t)(bytes_since(t) % TERMINAL_QUIET);
}

bool terminal_is_quiet(const struct terminal *t)
{
	if (t->refangs || bytes_since(t) == 0 || bytes_since(t) % TERMINAL_QUIET > 0)
		return false;
	return byte_until(t->held, 0, t->held_n, "\x1b\b") == t->held_n;
}

void terminal_stop(struct terminal *t, uint64_t at)
{
	t->on = false;
	t->off = at;
	t->shift = t->fed - at;
}

/* ---- offsets ---- */

static bool is_shifted(const struct terminal *t, uint64_t at) { return !t->on && at >= t->off; }

uint64_t terminal_source(struct terminal *t, uint64_t at)
{
	/* the end of the mapped text belongs to its last character */
	return is_shifted(t, at) && at > t->off ? at + t->shift : map_source(&t->map, at);
}

uint64_t terminal_source_begin(struct terminal *t, uint64_t at)
{
	return is_shifted(t, at) ? at + t->shift : map_begin(&t->map, at);
}

urlsift_range terminal_range(struct terminal *t, uint64_t from, uint64_t to)
{
	uint64_t begin = terminal_source_begin(t, from);
	urlsift_range last = is_shifted(t, to - 1) ? (urlsift_range){to - 1 + t->shift, 1} : map_range(&t->map, to - 1, to);
	return (urlsift_range){begin, last.offset + last.length - begin};
}

/* ---- taking out ---- */

/* Where terminal_strip is in its bytes. */
struct strip {
	struct terminal *t;
	uint8_t *p;
	size_t i, n; /* read; all */
	size_t out;  /* written */
	bool last;
	const uint8_t *escape, *backspace; /* the next of each at or after i, or the end */
	size_t form;                       /* the next one that may be a form */
	size_t label;                      /* bytes after the sequence that is noted */
};

/* The n bytes at `from` leave the text, or `text` bytes take their place. */
static bool note_removed(const struct strip *s, size_t from, size_t n, size_t text)
{
	struct terminal *t = s->t;
	uint64_t at = t->map.text_end, raw = t->fed + from;
	const uint8_t *p = s->p + from;
	t->level += n;
	if (!t->removed.length) {
		t->base = at;
		t->raw_base = raw;
	}
	struct removed_head head;
	if (!text && t->removed_first < t->removed.length) {
		uint8_t *last = t->removed.data + t->removed_last;
		memcpy(&head, last, sizeof head);
		if (head.at == (uint32_t)at && !head.label) { /* without text between: they belong to these */
			head.length += (uint32_t)(2 * n);
			memcpy(last, &head, sizeof head);
			return buf_add(&t->removed, p, n);
		}
	}
	head = (struct removed_head){(uint32_t)at, (uint32_t)raw, (uint32_t)(2 * n + text), (uint32_t)s->label};
	t->level += s->label;
	t->removed_last = t->removed.length;
	return buf_add(&t->removed, &head, sizeof head) && buf_add(&t->removed, p, n + s->label);
}

size_t terminal_label(const uint8_t *p, size_t n)
{
	for (const uint8_t *at = p; (at = memchr(at, ESC, (size_t)(p + n - at))); at++)
		if (text_begins(at, (size_t)(p + n - at), HYPERLINK))
			return (size_t)(at - p);
	return n;
}

/* Copies the text up to `to`. */
static bool copy(struct strip *s, size_t to)
{
	size_t n = to - s->i;
	if (!n)
		return true;
	memmove(s->p + s->out, s->p + s->i, n);
	bool ok = map_add_at(&s->t->map, s->t->fed + s->i, n, n);
	s->out += n;
	s->i = to;
	s->t->before = s->p[s->out - 1];
	lower_level(s->t, n);
	return ok;
}

/* The escape sequence at s->i.  MORE: it is not complete. */
static enum verdict take_sequence(struct strip *s)
{
	struct terminal *t = s->t;
	const uint8_t *p = s->p + s->i;
	size_t left = s->n - s->i, length = 0;
	bool last = s->last || left >= TERMINAL_HELD;
	enum kind k = sequence(p, left, last, &length);
	enum verdict link = NO;
	if (k == KIND_COLOUR && byte_class[t->before] & (BYTE_ALNUM | BYTE_HIGH))
		link = link_begins(t, p + length, left - length, last);
	if (k == KIND_MORE || link == MORE)
		return MORE;
	size_t label = 0, target;
	if (k == KIND_OTHER && terminal_target(p, length, &target)) {
		/* up to the sequence that ends the hyperlink, if one is near.  Only the next of this kind is looked for, so all
		 * together are linear; one that is no sequence ends nothing */
		const size_t most = smaller(left, TERMINAL_HELD), n = terminal_label(p + length, most - length);
		size_t end = length + n, size;
		const enum kind next = end < most ? sequence(p + end, most - end, last, &size) : last ? KIND_NONE : KIND_MORE;
		if (next == KIND_MORE)
			return MORE;
		label = next == KIND_OTHER ? n : 0;
	}
	if (k == KIND_NONE || !may_remove(t, length + label))
		return verdict_of(copy(s, s->i + 1));
	bool ends = k == KIND_OTHER || link == YES, ok;
	s->label = label;
	ok = note_removed(s, s->i, length, ends);
	s->label = 0;
	if (ends) {
		s->p[s->out++] = t->before = ESC;
		ok = map_add_at(&t->map, t->fed + s->i, 1, length) && ok;
	}
	s->i += length;
	t->last = t->fed + s->i;
	return verdict_of(ok);
}

/* The BS at `at`, and the character before it that was not yet copied. */
static enum verdict take_backspace(struct strip *s, size_t at)
{
	size_t width, begin = character_before(s->p, s->i, at);
	if (!copy(s, begin))
		return NO;
	enum verdict r = begin < at ? overstrike(s->p + begin, s->n - begin, s->last, s->t->refangs, &width) : NO;
	if (r == MORE)
		return MORE;
	if (r == NO || !may_remove(s->t, at + 1 - begin))
		return verdict_of(copy(s, at + 1));
	if (!note_removed(s, begin, at + 1 - begin, 0))
		return NO;
	s->t->last = s->t->fed + at + 1;
	s->i = at + 1; /* the next character is printed over it */
	return YES;
}

/* The form at s->i, if there is one. */
static enum verdict take_form(struct strip *s)
{
	const uint8_t *p = s->p + s->i;
	const struct refang_form *form;
	struct terminal *t = s->t;
	enum verdict r = refang_form_at(p, s->n - s->i, s->last, &form);
	if (r == MORE)
		return MORE;
	if (!refang_may_follow(form, t->before) || !may_remove(t, REFANG_LONGEST))
		return verdict_of(copy(s, s->i + 1));
	uint8_t begin[REFANG_LONGEST];
	memcpy(begin, p, strlen(form->from));
	bool ok = true;
	for (size_t k = 0, taken; form->to[k] && ok; k++, s->i += taken) {
		uint8_t c = refang_byte(form, begin, k, &taken);
		if (taken > 1 || c != begin[k])
			ok = note_removed(s, s->i, taken, 1);
		ok &= map_add_at(&t->map, t->fed + s->i, 1, taken);
		s->p[s->out++] = t->before = c;
	}
	return verdict_of(ok);
}

bool terminal_strip(struct terminal *t, uint8_t *p, size_t *n, bool last)
{
	struct strip s = {.t = t, .p = p, .n = *n, .last = last};
	enum verdict r = YES;
	s.escape = s.backspace = p;
	s.form = t->refangs ? 0 : s.n;
	while (r == YES && s.i < s.n) {
		const uint8_t *at = p + s.i;
		if (s.escape <= at)
			s.escape = find_byte(at, p + s.n, ESC);
		if (s.backspace <= at)
			s.backspace = find_byte(at, p + s.n, BS);
		if (s.form <= s.i)
			s.form = refang_find(&t->pairs, p, s.i, s.n, last);
		size_t next = (size_t)((s.escape < s.backspace ? s.escape : s.backspace) - p);
		if (s.form < next) {
			r = copy(&s, s.form) ? take_form(&s) : NO;
		} else if (next == s.n) {
			/* a BS may follow the last character */
			size_t whole = last ? s.n : character_before(p, s.i, s.n);
			while (!last && whole > s.i && s.n - whole < 4 && (p[whole] & 0xC0) == 0x80)
				whole--;
			r = copy(&s, whole) ? MORE : NO;
		} else if (s.backspace < s.escape) {
			r = take_backspace(&s, next);
		} else {
			r = copy(&s, next) ? take_sequence(&s) : NO;
		}
	}
	*n = s.out;
	if (r == NO) /* what is left may be longer than what is held */
		return false;
	t->fed += s.i;
	t->held_n = s.n - s.i;
	memcpy(t->held, p + s.i, t->held_n);
	return true;
}
