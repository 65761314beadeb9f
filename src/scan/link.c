#include "link.h"

#include "extent.h"
#include "simd/runs.h"
#include "simd/simd.h"
#include "text/unicode.h"
#include "url/url.h"
#include "url/path.h"

void link_init(struct urlsift_link *l, const urlsift_allocator *alloc)
{
	memset(l, 0, offsetof(struct urlsift_link, alternates));
	l->failure = &l->failed;
	l->memo = &l->idna;
	/* a byte of windows-1252 is up to three of UTF-8 */
	buf_init(&l->copy, alloc, 2 * 3 * (size_t)(URL_MAX + LINE_LOOK));
	buf_init(&l->spans, alloc, sizeof(struct span) * (SPAN_MAX / 2 + 2));
	buf_init(&l->ranges, alloc, sizeof(urlsift_range) * (SPAN_MAX / 2 + 2));
	buf_init(&l->resolved, alloc, 2 * (size_t)(URL_MAX + LINE_LOOK) * 3);
	buf_init(&l->alternates.texts, alloc, (ALTERNATES_MAX + 1) * 3 * (size_t)(URL_MAX + LINE_LOOK));
	link_clear(l);
	l->idna.length = 0;
}

void link_fini(struct urlsift_link *l)
{
	buf_fini(&l->copy);
	buf_fini(&l->spans);
	buf_fini(&l->ranges);
	buf_fini(&l->alternates.texts);
	buf_fini(&l->resolved);
}

void link_put(struct urlsift_link *l, const uint8_t *bytes, size_t n)
{
	l->failed |= !buf_add(&l->copy, bytes, n);
	l->text = l->copy.data;
	l->length = l->copy.length;
}

/* Not inlined: it takes the addresses of variables, which costs where the stack is protected. */
__attribute__((noinline)) static bool convert(struct buf *to, const uint8_t *p, size_t n)
{
	bool ok = true;
	for (size_t i = 0; i < n;) {
		size_t valid = i;
		uint32_t cp;
		bool cut;
		for (size_t k = 1; k; valid += k) {
			valid += ascii_prefix(p + valid, n - valid);
			k = valid < n ? utf8_sequence(p + valid, n - valid, &cp, &cut) : 0;
		}
		ok &= buf_add(to, p + i, valid - i);
		if (valid < n) {
			uint8_t utf8[4];
			ok &= buf_add(to, utf8, utf8_put(utf8, utf8_windows_1252(p[valid++])));
		}
		i = valid;
	}
	return ok;
}

bool link_convert(struct buf *to, const uint8_t *p, size_t n)
{
	return ascii_prefix(p, n) == n ? buf_add(to, p, n) : convert(to, p, n);
}

/* Appends the text of [from, to) without a range. */
static void add_text(struct urlsift_link *l, const struct view *v, size_t from, size_t to)
{
	const size_t before = l->copy.length;
	l->failed |= !link_convert(&l->copy, v->p + from, to - from);
	l->converted |= l->copy.length - before > to - from;
	l->text = l->copy.data;
	l->length = l->copy.length;
}

void link_add(struct urlsift_link *l, const struct view *v, size_t from, size_t to)
{
	link_cover(l, from, to);
	add_text(l, v, from, to);
}

size_t link_reference_name(const uint8_t *p, size_t left, uint8_t *c)
{
	enum { DIGITS = 7 }; /* of a decimal number, one more than of a hexadecimal one */
	uint64_t cp = 0;
	size_t n = 0;
	if (byte_at(p, 0, left) == '#') {
		const bool hex = to_lower(byte_at(p, 1, left)) == 'x';
		n = number_read(p, 1 + hex, smaller(left, 1 + DIGITS), hex ? 16 : 10, &cp);
	} else if (text_begins(p, left, "amp")) {
		n = 3;
		cp = '&';
	} else if (text_begins(p, left, "apos")) {
		n = 4;
		cp = '\'';
	}
	n += byte_at(p, n, left) == '\\'; /* RFC 5545 section 3.3.11 */
	*c = (uint8_t)cp;
	const bool may = cp < 0x80 && link_may_hold((uint8_t)cp) && cp != ':'; /* `http&#58;//` is no scheme */
	return may && byte_at(p, n, left) == ';' ? n + 1 : 0;
}

/* Whether `\uXXXX` begins the bytes at p. */
static bool read_unit(const uint8_t *p, size_t left, uint64_t *unit)
{
	return text_begins(p, left, "\\u") && number_read(p, 2, smaller(left, 6), 16, unit) == 6;
}

uint32_t link_read_unicode(const uint8_t *p, size_t left, size_t *n)
{
	uint64_t cp = 0, low = 0;
	*n = 6;
	if (!read_unit(p, left, &cp) || utf16_is_low((uint32_t)cp))
		return 0;
	if (!utf16_is_high((uint32_t)cp))
		return (uint32_t)cp;
	*n = 12;
	read_unit(p + 6, left - 6, &low); /* with fewer digits it is no low surrogate */
	if (!utf16_is_low((uint32_t)low))
		return 0;
	return utf16_pair((uint32_t)cp, (uint32_t)low);
}

size_t link_read_quoted(const uint8_t *p, size_t left, uint8_t utf8[4], size_t *n)
{
	size_t k = 0;
	for (; k < 4 && left >= 3 * k + 3 && p[3 * k] == '='; k++) {
		const uint8_t *digits = p + 3 * k + 1;
		const int byte = hex_pair(digits);
		if (byte < 0 || (byte_class[digits[0]] | byte_class[digits[1]]) & BYTE_LOWER)
			break;
		utf8[k] = (uint8_t)byte;
	}
	uint32_t cp = 0;
	bool cut;
	size_t width = k ? utf8_sequence(utf8, k, &cp, &cut) : 0;
	*n = 3 * (width ? width : k);
	if (width == 1)
		return link_may_hold((uint8_t)cp);
	enum { TAKEN = 1 << UC_PLAIN | 1 << UC_CJK | 1 << UC_HYPHEN | 1 << UC_MARK };
	return TAKEN >> uclass_of(cp) & 1 ? width : 0;
}

size_t link_read_named(const uint8_t *p, size_t left, uint8_t *c)
{
	static const char names[] = "ti~hy-sh#ul_at@sl/aq'ha^";
	const bool square = byte_at(p, 1, left) == '[';
	const size_t n = 4 + square;
	if (left < n || (square ? p[4] != ']' : p[1] != '(' || p[-1] == '_'))
		return 0;
	const char *name = names;
	while (*name && memcmp(p + 2, name, 2) != 0)
		name += 3;
	*c = (uint8_t)(*name ? name[2] : 0);
	return *c ? n : 0;
}

/* The length of TeX's name at p, which stands for *c; 0 for none. */
static size_t read_tex(const uint8_t *p, size_t left, uint8_t *c)
{
	static const char names[][17] = {"_\\textunderscore", "~\\textasciitilde", "~\\sim"};
	for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
		const size_t n = strlen(names[k]) - 1;
		*c = (uint8_t)*names[k];
		if (text_begins(p, left, names[k] + 1) && !is_alpha(byte_at(p, n, left)))
			return n;
	}
	return 0;
}

size_t link_read_mark(const uint8_t *p, size_t left, uint8_t *c)
{
	const size_t roff = link_read_named(p, left, c), star = text_begins(p, left, "\\*:"); /* zic's `\:` */
	if (roff)
		return roff;
	*c = '~';
	const size_t tex = is_alpha(byte_at(p, 1, left)) ? read_tex(p, left, c) : 0;
	p += star;
	left -= star;
	const uint8_t mark = byte_at(p, 1, left), next = byte_at(p, 2, left);
	if (tex || mark == '~') { /* its accent over nothing */
		const size_t n = tex ? tex : 2, end = byte_at(p, n, left);
		return n + (end == '{' && byte_at(p, n + 1, left) == '}' ? 2 : tex && BYTE_IN(end, " $"));
	}
	const bool after_stop = mark == ':' || (mark == '&' && p[-1] == '.');
	const bool colon = mark == ':' && (next == '/' ? byte_at(p, 3, left) == '/' : is_digit(next) && is_alnum(p[-1]));
	const bool string = mark == '*' && BYTE_IN(next, "(["); /* of roff */
	const bool skips = mark == '\\' ? next == '/' /* JSON in JSON */
	                   : BYTE_IN(mark, "&:") && (next == '.' || (after_stop && (is_alnum(next) || next == '/')));
	*c = skips && !colon ? next : mark;
	return skips && !colon ? 3 + star : colon || (BYTE_IN(mark, "/#_%&()[]{}*-.~,;=?!@$|'") && !string) ? 2 + star : 0;
}

void link_needs_mark(const struct view *v, size_t i)
{
	const uint8_t next = view_byte(v, i + 1);
	view_needs(v, i, BYTE_IN(next, "st") ? sizeof "\\textasciitilde{}" : BYTE_IN(next, "([*") ? 6 : 4);
}

size_t link_read_at(const uint8_t *p, size_t left, uint8_t *c)
{
	const uint8_t next = byte_at(p, 2, left);
	*c = byte_at(p, 1, left);
	if (*c == '/' && (is_alnum(next) || next == '/')) {
		*c = next;
		return 3;
	}
	return BYTE_IN(*c, "@{}") ? 2 : 0;
}

size_t link_read_name(const uint8_t *p, size_t left)
{
	uint8_t c;
	const size_t n = link_read_mark(p, left, &c);
	const bool between = BYTE_IN(c, "-.") && p[1] != '.' && is_alnum(p[-1]) && is_alnum(byte_at(p, n, left));
	return between || is_alnum(c) ? n : 0;
}

size_t link_read_escape(const uint8_t *p, size_t left, unsigned escapes, uint8_t utf8[4], size_t *n)
{
	uint8_t c;
	if (*p == '&') {
		*n = link_reference_name(p + 1, left - 1, utf8);
		if (*n && *utf8 == '&' && escapes & ESCAPES_TWICE) {
			const size_t second = link_reference_name(p + 1 + *n, left - 1 - *n, &c);
			*n += second;
			*utf8 = second ? c : '&';
		}
		*n += *n > 0;
		return *n > 0;
	}
	if (*p == '@') {
		*n = link_read_at(p, left, utf8);
		return escapes & ESCAPES_AT && *n;
	}
	if (*p == '=' && escapes & ESCAPES_QUOTED)
		return link_read_quoted(p, left, utf8, n);
	if (*p != '\\' || !(escapes & ESCAPES_BACKSLASH))
		return 0;
	uint32_t cp = link_read_unicode(p, left, n);
	const size_t name = cp == '&' ? link_reference_name(p + *n, left - *n, &c) : 0;
	*n += name;
	cp = name ? c : cp;
	if (cp)
		return utf8_put(utf8, cp);
	*n = link_read_mark(p, left, utf8);
	return *n > 0;
}

/* Whether the `$` of TeX's `$\sim$`, but not before `from`, is before the escape at i. */
static bool has_dollar(const struct view *v, size_t from, size_t i)
{
	return i > from && v->p[i - 1] == '$' && v->p[i + 1] == 's';
}

void link_add_unescaped(struct urlsift_link *link, const struct view *v, size_t from, size_t to, unsigned escapes)
{
	link_cover(link, from, to);
	link->escapes = escapes;
	const uint8_t other = escapes & ESCAPES_QUOTED ? '=' : escapes & ESCAPES_AT ? '@' : '&';
	size_t i = from;
	do {
		uint8_t utf8[4];
		size_t n = 0, length = 0;
		while ((i = run_until_escape(v->p, i, to, other)) < to
		       && !(length = link_read_escape(v->p + i, to - i, escapes, utf8, &n)))
			i++;
		add_text(link, v, from, i - (length && has_dollar(v, from, i)));
		if (length) {
			link_put(link, utf8, length);
			link->flags |= URLSIFT_UNESCAPED;
			i = from = i + n;
		}
	} while (i < to);
}

void link_cut(struct urlsift_link *l, size_t length, size_t to)
{
	l->length = l->copy.length = length;
	while (l->spans.length && link_last_span(l)->from >= to)
		l->spans.length -= sizeof(struct span);
	if (l->spans.length)
		link_last_span(l)->to = smaller(link_last_span(l)->to, to);
}

/* The width of the escape that the last character of the text was written as, which ends at
 * index `to` of the view; else 0. */
static size_t last_escape(const struct urlsift_link *l, const struct view *v, size_t to)
{
	enum { WIDTH_MAX = sizeof "\\textasciitilde{}" - 1 };
	const size_t most = smaller(to - link_last_span(l)->from, WIDTH_MAX);
	for (size_t width = 2; width <= most; width++) {
		const uint8_t *escape = v->p + to - width;
		if (!BYTE_IN(*escape, "&=@\\") || text_ends(v->p, to - width + 2, "\\\\/"))
			continue; /* nearly all: what is trimmed may be long; and what is the end of `\\/` */
		/* what follows in the view says how it is read (`\:8`), unless it would go on there, behind its part */
		uint8_t utf8[4];
		size_t read, n = link_read_escape(escape, v->end - (to - width), l->escapes, utf8, &read);
		if (n && read > width)
			n = link_read_escape(escape, width, l->escapes, utf8, &read);
		if (n && read == width && l->length >= n && !memcmp(l->text + l->length - n, utf8, n))
			return width + has_dollar(v, link_last_span(l)->from, to - width);
	}
	return 0;
}

/* The last character of the copied text, which begins at *at, and in the view at *from. */
static uint32_t last_character(const struct urlsift_link *l, const struct view *v, size_t *at, size_t *from)
{
	const struct view text = view_of(v, l->text, l->length);
	const size_t to = link_last_span(l)->to;
	if (view_before(v, to, from) < 0x80 && l->flags & URLSIFT_UNESCAPED) { /* as an escape ends */
		const size_t width = last_escape(l, v, to);
		*from -= excess(width, 1);
	}
	return view_before(&text, l->length, at);
}

void link_trim(struct urlsift_link *l, const struct view *v, size_t length)
{
	const struct span *last = link_last_span(l);
	const size_t n = l->length - length;
	if (l->length > length && last->to - last->from >= n && !(l->flags & URLSIFT_UNESCAPED)
	    && v->p[last->to - n] < 0x80 && !memcmp(l->text + length, v->p + last->to - n, n))
		link_cut(l, length, last->to - n); /* as in the source, in one step */
	while (l->length > length) {
		size_t at, from;
		last_character(l, v, &at, &from);
		link_cut(l, at, from);
	}
}

bool link_note_hyphen(struct urlsift_link *l, const struct view *v, bool keep)
{
	if (l->failed)
		return false;
	size_t at, from;
	const uint32_t c = last_character(l, v, &at, &from);
	if (!at || (c != '-' && c != 0xAD && c != 0x2010))
		return false;
	struct hyphen *h = &l->hyphens.all[l->hyphens.count++];
	*h = (struct hyphen){at, (uint8_t)(l->length - at), .kept = keep && c == '-',
	                     .source = {from, link_last_span(l)->to}};
	memcpy(h->form, l->text + at, h->bytes);
	l->removed.hyphens++;
	l->flags |= URLSIFT_HYPHEN_AMBIGUOUS;
	if (!h->kept)
		link_cut(l, at, from);
	return true;
}

void link_set_scheme(struct urlsift_link *l, const char *name, size_t n)
{
	n = smaller(n, SCHEME_NAME_MAX);
	for (size_t i = 0; i < n; i++)
		l->scheme[i] = (char)(name[i] | 0x20); /* in lower case: all but letters have the bit */
	l->scheme[n] = 0;
	l->scheme_length = n;
}

void link_judge_scheme(struct urlsift_link *l, const struct scheme *row)
{
	l->flags |= row ? bits_if(scheme_forbids(row, (const char *)l->text, l->length), URLSIFT_UNLINKABLE_SCHEME)
	            : URLSIFT_UNKNOWN_SCHEME;
}

/* The text from index `begin` of the alternates' on is one of them, if ok, and unless it is the same as another. */
static void add_alternate(struct urlsift_link *l, size_t begin, bool ok, urlsift_why why, double confidence)
{
	struct link_alternates *a = &l->alternates;
	if (!ok) {
		l->failed = true;
		return;
	}
	const uint8_t *text = a->texts.data + begin, *other = a->texts.data;
	const size_t n = a->texts.length - begin;
	bool known = false;
	for (size_t i = 0; i < a->count; other += a->all[i++].length)
		known |= bytes_are(other, a->all[i].length, text, n);
	if (known)
		a->texts.length = begin;
	else
		a->all[a->count++] = (urlsift_alternate){NULL, n, why, confidence}; /* placed when the text does not move */
}

/* Adds one reading of the hyphens: bit i of `flip` inverts hyphen i. */
static void add_reading(struct urlsift_link *l, unsigned flip, double confidence)
{
	size_t begin = l->alternates.texts.length, at = 0;
	bool ok = true;
	for (size_t i = 0; i < l->hyphens.count; i++) {
		const struct hyphen *h = &l->hyphens.all[i];
		ok &= buf_add(&l->alternates.texts, l->text + at, h->at - at);
		at = hyphen_end(h);
		if (h->kept != (bool)(flip >> i & 1))
			ok &= buf_add(&l->alternates.texts, h->form, h->bytes);
	}
	ok &= buf_add(&l->alternates.texts, l->text + at, l->length - at);
	add_alternate(l, begin, ok, URLSIFT_WHY_HYPHEN, confidence);
}

static void place_alternates(struct urlsift_link *l)
{
	const char *at = (const char *)l->alternates.texts.data;
	for (size_t i = 0; i < l->alternates.count; i++) {
		l->alternates.all[i].text = at;
		at += l->alternates.all[i].length;
	}
}

void link_alternates(struct urlsift_link *l, size_t most, bool keep)
{
	size_t n = l->failed ? 0 : l->hyphens.count;
	/* H3: in the wrappers of the RFCs the hyphen was part of the URL */
	double other = keep ? 0.1 : 0.9;
	if (n && l->alternates.count < most)
		add_reading(l, (1u << n) - 1, other);
	for (size_t i = 0; i < n && l->alternates.count < most; i++) /* that of a single one is known by now */
		add_reading(l, 1u << i, other / 2);
	place_alternates(l);
}

void link_keep_text(struct urlsift_link *l, size_t most, double confidence)
{
	if (l->failed || l->alternates.count >= most)
		return;
	const size_t begin = l->alternates.texts.length;
	add_alternate(l, begin, buf_add(&l->alternates.texts, l->text, l->length), URLSIFT_WHY_JOIN, confidence);
	place_alternates(l);
}

void link_drop_kept(struct urlsift_link *l)
{
	const size_t n = l->alternates.count;
	if (n && bytes_are(l->alternates.all[n - 1].text, l->alternates.all[n - 1].length, l->text, l->length))
		l->alternates.texts.length -= l->alternates.all[--l->alternates.count].length;
}

void link_resolve(struct urlsift_link *l, size_t from, const char *base, size_t length)
{
	urlsift_url absolute, reference, whole;
	split_url(base, length, &absolute);
	/* what is before a colon is no scheme */
	split_rest((const char *)l->text + from, l->length - from, 0, false, &reference);
	size_t n = resolve_rfc3986(&absolute, &reference, DOTS_ESCAPED, NULL, 0);
	if (!buf_reserve(&l->resolved, n)) {
		l->failed = true;
		return;
	}
	l->resolved.length = resolve_rfc3986(&absolute, &reference, DOTS_ESCAPED, (char *)l->resolved.data, n);
	split_url((const char *)l->resolved.data, n, &whole);
	link_set_scheme(l, (const char *)l->resolved.data, whole.scheme.length);
	l->flags |= URLSIFT_RESOLVED;
}

/* ---- the public calls ---- */

const char *urlsift_link_text(const urlsift_link *l, size_t *length)
{
	*length = l->length;
	return (const char *)l->text;
}

const char *urlsift_link_scheme(const urlsift_link *l, size_t *length)
{
	*length = l->scheme_length;
	return l->scheme;
}

const char *urlsift_link_supplied(const urlsift_link *l) { return l->supplied; }
urlsift_convention urlsift_link_convention(const urlsift_link *l) { return l->convention; }

/* Whether the host is beyond ASCII and has no A-label form; that of an address has none in its target. */
static bool lacks_label(const urlsift_link *l)
{
	urlsift_url url;
	char label[256];
	size_t n;
	if (ascii_prefix(l->text, l->length) == l->length) /* as mostly */
		return false;
	split_url((const char *)l->text, l->length, &url);
	const uint8_t *host = l->text + url.host.offset;
	if (!strcmp(l->scheme, "mailto")) {
		const size_t end = byte_index(l->text, 0, l->length, '?'), at = byte_last(l->text, 0, end, '@');
		return at > 0 && ascii_prefix(l->text + at, end - at) < end - at;
	}
	if (*l->supplied && !url.host.present) {
		/* no scheme: the host comes first */
		host = l->text;
		url.host.length = byte_until(host, 0, l->length, "/?#:");
	}
	if (ascii_prefix(host, url.host.length) == url.host.length)
		return false;
	enum idna idna = idna_ask(l->memo, host, url.host.length, label, &n);
	*l->failure |= idna == IDNA_NO_MEMORY;
	return idna < IDNA_FOUND;
}

unsigned urlsift_link_flags(const urlsift_link *l)
{
	/* the host of a link with a head is ASCII */
	return l->flags | bits_if(!l->head && lacks_label(l), URLSIFT_NO_IDNA);
}
uint64_t urlsift_link_line(const urlsift_link *l) { return l->point.line; }
uint64_t urlsift_link_column(const urlsift_link *l) { return l->point.column; }
urlsift_removed urlsift_link_removed(const urlsift_link *l) { return l->removed; }

const urlsift_range *urlsift_link_parts(const urlsift_link *l, size_t *count)
{
	const struct places places = link_places(l);
	*count = places.count;
	return places.at;
}

const urlsift_alternate *urlsift_link_alternates(const urlsift_link *l, size_t *count)
{
	*count = l->alternates.count;
	return l->alternates.count ? l->alternates.all : NULL;
}

const char *urlsift_link_resolved(const urlsift_link *l, size_t *length)
{
	*length = l->resolved.length;
	return l->resolved.length ? (const char *)l->resolved.data : NULL;
}

/* The URL of a link: what its text was resolved to, else `supplied` and the text. */
struct whole { const char *supplied; const uint8_t *text; size_t length; };

static struct whole whole_of(const urlsift_link *l)
{
	if (l->resolved.length)
		return (struct whole){"", l->resolved.data, l->resolved.length};
	return (struct whole){l->supplied, l->text, l->length};
}

size_t urlsift_link_absolute(const urlsift_link *l, char *out, size_t size)
{
	struct sink s = { .out = out, .size = size };
	struct whole url = whole_of(l);
	sink_bytes(&s, url.supplied, strlen(url.supplied));
	sink_bytes(&s, url.text, url.length);
	return s.used;
}

/* The length of a form.  If it is URLSIFT_LENGTH_NO_MEMORY, the scanner fails after the callback (link.failed). */
static size_t checked(const urlsift_link *l, size_t length)
{
	*l->failure |= length == URLSIFT_LENGTH_NO_MEMORY;
	return length;
}

/* Writes a form of the link: its target or its normal form. */
typedef void form_put(struct sink *s, const char *supplied, const uint8_t *text, size_t n);
static size_t write_form(const urlsift_link *l, form_put *put, char *out, size_t size)
{
	struct sink s = { .out = out, .size = size, .memo = l->memo };
	struct whole url = whole_of(l);
	put(&s, url.supplied, url.text, url.length);
	return checked(l, sink_length(&s));
}

size_t urlsift_link_target(const urlsift_link *l, char *out, size_t size)
{
	return write_form(l, target_put, out, size);
}

size_t urlsift_link_normal(const urlsift_link *l, char *out, size_t size)
{
	return write_form(l, normal_put, out, size);
}

size_t link_unwrapped(const urlsift_link *l, char *out, size_t size)
{
	urlsift_url url;
	char text[UNWRAP_MAX];
	size_t n = urlsift_link_absolute(l, text, sizeof text);
	if (n > sizeof text)
		return 0;
	split_url(text, n, &url);
	return checked(l, urlsift_url_unwrap(&url, out, size));
}

unsigned link_warnings_of_both(const urlsift_link *l)
{
	urlsift_url url;
	char hidden[UNWRAP_MAX];
	const size_t n = link_unwrapped(l, hidden, sizeof hidden);
	unsigned warnings = 0;
	if (within(n, 1, sizeof hidden)) {
		split_url(hidden, n, &url);
		warnings = warn_url(&url, 0);
	}
	*l->failure |= warnings & URLSIFT_WARN_NO_MEMORY;
	return urlsift_link_warnings(l) | (warnings & ~(unsigned)URLSIFT_WARN_NO_MEMORY);
}

static unsigned warnings_of(const urlsift_link *l)
{
	struct whole url = whole_of(l);
	return warn_link(url.supplied, (const char *)url.text, url.length, l->flags, l->memo);
}

bool link_is_warned(const urlsift_link *l) { return warnings_of(l) & warn_of_simple; }

int urlsift_link_is_simple(const urlsift_link *l)
{
	return link_is_simple(l) && !l->text_warnings;
}

bool link_may_be_href(const urlsift_link *l)
{
	return urlsift_scheme_linkable(l->scheme, l->scheme_length) && !(urlsift_link_warnings(l) & URLSIFT_WARN_NO_HREF);
}

unsigned urlsift_link_warnings(const urlsift_link *l)
{
	unsigned warnings = l->text_warnings;
	if (!l->head || !link_is_simple(l))
		warnings |= warnings_of(l);
	/* what is unusable leads nowhere */
	warnings &= ~bits_if(warnings & URLSIFT_WARN_UNUSABLE, URLSIFT_WARN_TEXT_MISMATCH);
	*l->failure |= warnings & URLSIFT_WARN_NO_MEMORY;
	return warnings & ~(unsigned)URLSIFT_WARN_NO_MEMORY;
}
