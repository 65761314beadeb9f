#include "bracket.h"

#include "text/unicode.h"

#include <string.h>

static void take_run(struct reading *r)
{
	link_add_unescaped(r->link, r->v, r->solid, r->i, r->escapes);
	r->solid = r->i;
}

/* U+00AD of `width` bytes at r->i: inside a line it is removed (W2), before a line break it is a hyphen (H4). */
static bool soft_hyphen(struct reading *r, size_t width)
{
	const struct view *v = r->v;
	size_t k = line_skip_blanks(v, r->i + width, smaller(r->limit, v->end));
	if (!view_has(v, k, 1))
		return false;
	if (!is_line_end(v->p[k])) {
		take_run(r);
		r->solid += width;
	}
	r->i += width;
	return true;
}

/* The printable ASCII byte c at r->i, and the gap after a backslash that folds the line. */
static bool take_printable(struct reading *r, uint8_t c)
{
	if (c == '\\' && view_ends_line(r->v, r->i)) {
		take_run(r);
		r->i++;
		r->folded = true;
		return gap_skip(r);
	}
	if (c == '|' && r->angle && !r->settled) { /* A1c: it ends the link, as A2 does; what follows is only read */
		take_run(r);
		const bool after_gap = r->gaps && r->link->length == r->last_gap;
		r->in_piece &= !after_gap; /* it would be empty */
		gap_end_piece(r);
		r->settled = true;
		if (!r->cut) {
			r->cut = true;
			r->end.length = r->link->length;
			r->end.at = r->i;
			if (r->blank_seen) /* else the line breaks were noted */
				r->end.rejoined = after_gap ? r->before : (struct rejoined){r->link->removed, r->link->flags};
		}
	}
	/* prose has none of these */
	r->piece_ok |= r->in_piece && (is_digit(c) || bytes16_has("/.?=&%#-_~//////", c));
	r->i++;
	return true;
}

/* Reads to the `>`.  True: it is at r->i. */
static bool read_content(struct reading *r)
{
	const struct view *v = r->v;
	for (;;) {
		if (!view_has(v, r->i, 1))
			return false;
		if (r->i >= r->limit)
			return gap_exceed(r, LIMIT_SPAN);
		if (r->link->length + (r->i - r->solid) > r->c->rules->max_url)
			return gap_exceed(r, LIMIT_URL);
		uint8_t c = v->p[r->i];
		if (url_class[c] & URL_INNER && !r->in_piece) { /* no rule applies to such bytes */
			size_t stop = smaller(r->solid + (r->c->rules->max_url - r->link->length) + 1, smaller(r->limit, v->end));
			while (r->i < stop && url_class[v->p[r->i]] & URL_INNER)
				r->i++;
			continue;
		}
		if (within(c, '!', '~')) {
			const size_t closing = gap_closes(r);
			if (closing) {
				take_run(r);
				r->i += closing - 1;
				gap_end_piece(r);
				return true;
			}
			if (c == v->p[r->open] || c == '"' || !take_printable(r, c)) /* W3, W4 */
				return false;
			continue;
		}
		bool control = false;
		const bool white = gap_white(v, r->i, false, &control);
		if (control) {
			if (BYTE_IN(c, "\x1b\b"))
				link_look(r->link, r->i + 1);
			return false;
		}
		if (white) {
			const size_t last = r->i - 1;
			if (r->escapes & ESCAPES_QUOTED && last > r->solid && v->p[last] == '=' && view_ends_line(v, last)
			    && line_is_quoted_printable(v, last)) {
				/* the `=` of a soft line break stands outside of escapes: `\=` is none there */
				r->i = last;
				take_run(r);
				r->i++;
			}
			take_run(r);
			if (!gap_skip(r))
				return false;
			continue;
		}
		uint32_t cp;
		const size_t width = utf8_next(v->p + r->i, v->end - r->i, &cp);
		if (cp != 0xAD) {
			r->i += width;
		} else if (!soft_hyphen(r, width)) {
			return false;
		}
	}
}

/* The rejoined text, to which the rules apply in turn. */
static struct view text_view(const struct reading *r) { return view_of(r->v, r->link->text, r->link->length); }

/* W3: a partial form, such as `../x.html`, `/x`, `#part`: no colon in its first segment (RFC 3986 section 4.2);
 * rejoined words are prose unless they hold a mark of a URL. */
static bool is_partial(const struct reading *r)
{
	const uint8_t *text = r->link->text;
	const size_t n = r->link->length, segment = byte_span(text, 0, n, BYTE_BUT(BYTE_DELIMITER));
	if (byte_index(text, 0, segment, ':') < segment || byte_until(text, 0, n, "\\^`{|}") < n)
		return false;
	return segment < n || (!r->gaps && byte_index(text, 0, n, '.') < n);
}

/* Whether the authority at i is spoilt beyond the host, which ended at `end` before what is not ASCII: by a bidi
 * control (RFC 3987 section 4.1), or by full stops before one more label or a path (B2). */
static bool is_spoilt(const struct view *t, size_t i, size_t end)
{
	enum { LABEL = BYTE_ALNUM | BYTE_HYPHEN | BYTE_UNDERSCORE | BYTE_HIGH };
	const uint8_t *p = t->p;
	if (ascii_prefix(p, t->end) == t->end)
		return false;
	for (bool goes_on = true; i < t->end && goes_on;) {
		const uint8_t c = p[i];
		goes_on = !ends_authority(c);
		if (i > end && p[end] >= 0x80 && (!goes_on || byte_class[c] & LABEL) && text_ends(p, i, ".."))
			return true;
		uint32_t cp;
		i += utf8_next(p + i, t->end - i, &cp);
		if (uclass_is_bidi(cp))
			return true;
	}
	return false;
}

/* W3, A1, B2: whether the rejoined text is a URL; sets its scheme. */
static bool judge(const struct reading *r)
{
	struct urlsift_link *l = r->link;
	struct view t = text_view(r);
	size_t n = scheme_prefix(l->text, l->length);
	if (!r->angle && r->c->rules->base && is_partial(r)) {
		link_resolve(l, 0, r->c->rules->base, r->c->rules->base_length);
		link_judge_scheme(l, scheme_find(l->scheme, l->scheme_length));
		return true;
	}
	if (!within(n, 1, SCHEME_NAME_MAX) || n + 1 >= l->length)
		return false;
	if (ascii_is(l->text, n, "url"))
		return false;
	const struct scheme *row = scheme_find((const char *)l->text, n);
	struct schemepart b = {.rest = n + 1};
	bool plausible = schemepart_whole(&t, row, true, &b) && !(b.authority && is_spoilt(&t, n + 3, b.rest));
	if (b.hier && (l->length <= n + 3 || b.escaped))
		return false;
	link_set_scheme(l, (const char *)l->text, n);
	link_judge_scheme(l, row);
	const bool joined = r->first_gap <= n;
	l->flags |= bits_if(joined, URLSIFT_SCHEME_JOINED);
	bool broken = joined || link_spans(l)->from > line_skip_blanks(r->v, r->open + 1, r->v->end);
	if (r->angle) { /* a known scheme may be broken anywhere */
		/* A2: its name before a colon and a blank is a word of prose or a header field */
		enum { PROSE = 1 << BODY_NEVER | 1 << BODY_NAMESPACE | 1 << BODY_SLASHES };
		const bool prose = !row || row->forbidden || PROSE >> row->body & 1;
		if (!row && !schemepart_unknown(l->text, l->length, n))
			return false;
		return plausible && !(r->colon_blank && (prose || broken)) && (row || r->first_gap >= n);
	}
	if (!row && !b.hier)
		return r->gaps == 0;
	return plausible || (!b.hier && row->slashes != 2);
}

/* Whether any escape in the rest of the link was undone: a character reference (L), one of quoted-printable (J1) or of
 * markup (B7). */
static bool has_undone(const struct reading *r, const struct urlsift_link *l)
{
	const struct span *s = link_spans(l);
	for (size_t i = 0; i < link_span_count(l); i++)
		for (size_t k = s[i].from; k < s[i].to; k++) {
			size_t n;
			uint8_t utf8[4];
			if (link_read_escape(r->v->p + k, s[i].to - k, r->escapes, utf8, &n))
				return true;
		}
	return false;
}

/* A2: the link ends at the first blank, as a bare one does, or at the line break before a word and that blank. */
static void cut_at_blank(struct reading *r)
{
	struct urlsift_link *l = r->link;
	const struct rejoined *before = &r->end.rejoined;
	link_cut(l, r->end.length, r->end.at);
	const struct line_gap *gap = r->noted->gaps + r->line_gap_count;
	const uint8_t *p = r->v->p;
	/* neither a hyphen nor a soft line break nor a backslash glues them together */
	if (r->line_gap_count && byte_class[p[gap[-1].from]] & BYTE_FWS && l->text[gap[-1].at - 1] != '-'
	    && p[r->end.at] != '|' && byte_span(l->text, gap[-1].at, l->length, BYTE_ALPHA | BYTE_HIGH) == l->length)
		link_cut(l, gap[-1].at, gap[-1].from); /* prose begins the line */
	gap_forget_hyphens(r);
	for (int times = 0; times < 8; times++) {
		struct extent x;
		struct view t = text_view(r);
		extent_init(&x, 0, 0, URL_MAX);
		extent_run(&x, &t);
		link_trim(l, r->v, x.end);
		if (byte_before(l->text, l->length) != '&' || p[link_last_span(l)->to - 1] != ';')
			break;
		link_trim(l, r->v, l->length - 1); /* B4: the `&amp;` it was */
	}
	gap_forget_hyphens(r);
	const struct span *s = link_spans(l);
	size_t breaks = 0, hyphens = l->hyphens.count;
	for (size_t i = 1; i < link_span_count(l); i++) /* U+00AD inside a line is none; 0xAD alone: of windows-1252 */
		breaks += byte_after(p, s[i - 1].to, s[i].from, "\xC2\xAD") < s[i].from;
	l->removed = (urlsift_removed){larger(breaks, hyphens), hyphens, 0}; /* each hyphen is at one */
	const unsigned undone = bits_if(has_undone(r, l), URLSIFT_UNESCAPED);
	if (before->removed.breaks && breaks > 0) {
		/* of the gaps that were noted, those between the parts that are left */
		l->removed.decorations = smaller(before->removed.decorations, breaks);
		l->flags = (before->flags & ~(unsigned)URLSIFT_UNESCAPED) | undone;
		return;
	}
	l->flags = bits_if(hyphens, URLSIFT_HYPHEN_AMBIGUOUS) | undone;
	const size_t gaps = smaller(r->line_gap_count, breaks);
	for (size_t i = 0; i < gaps && r->noted->gaps[i].at < l->length; i++)
		l->removed.decorations += r->noted->gaps[i].decorated;
	l->flags |= bits_if(l->removed.decorations, URLSIFT_DECORATION);
}

/* A2: whether what is before the brackets defines a reference of Markdown: `[label]: `, at the start of the line. */
static bool is_definition(const struct candidate *c, size_t open)
{
	const uint8_t *p = c->v->p;
	struct line_prefix prefix;
	if (!text_ends(p, byte_span_back(p, 0, open, BYTE_BLANK), "]:"))
		return false;
	candidate_prefix(c, open, &prefix);
	return p[prefix.end] == '[';
}

/* The brackets that open at `open`, not read yet. */
static inline struct reading reading_of(struct candidate *c, struct noted *noted, size_t open, size_t content,
                                        bool angle)
{
	/* the destination of a link of Org or Markdown */
	const bool marked = angle && (c->v->p[open] == '[' || text_ends(c->v->p, open, "](") || is_definition(c, open));
	return (struct reading){.c = c, .v = c->v, .link = c->link, .noted = noted, .open = open, .content = content,
	                        .angle = angle, .i = content, .closing = bracket_closing(c->v->p[open]), .solid = content,
	                        .limit = open + SPAN_MAX, .first_gap = SIZE_MAX, .marked = marked,
	                        .settled = marked || (angle && view_word(c->v, open + 1, "file://", 7))};
}

/* Reads the brackets at r->open, the content at r->i. */
static bool read_all(struct reading *r)
{
	size_t content = r->i;
	bool opens = true;
	link_clear(r->link);
	if (!r->angle) {
		/* W1: the same rules apply to the white space before `URL:` */
		r->i = r->open + 1;
		opens = gap_skip(r) && r->i == content - 4;
		r->i = r->solid = content;
	}
	return opens && read_content(r);
}

/* Whether each backslash of the link begins an escape that roff has in URLs; in Markdown such brackets have none. */
static bool is_roff(const struct urlsift_link *l)
{
	const uint8_t *p = (const uint8_t *)l->text;
	const size_t n = l->length;
	uint8_t c;
	for (size_t k = 1; (k = byte_index(p, k, n, '\\')) < n; k += 2) /* a URL does not begin with one */
		if (!text_begins(p + k, n - k, "\\*:") && !BYTE_IN(byte_at(p, k + 1, n), "-:&%")
		    && !link_read_named(p + k, n - k, &c))
			return false;
	return true;
}

bool bracket_read(struct candidate *c, size_t open, size_t content, bool angle)
{
	struct noted noted;
	struct urlsift_link *link = c->link;
	struct reading r = reading_of(c, &noted, open, content, angle);
	bool closes = read_all(&r);
	unsigned escapes = ESCAPES_AMP;
	if (closes) {
		/* besides character references, those of quoted-printable (J1), and the backslashes of Markdown,
		 * reStructuredText, calendars, address books and roff (B7) */
		const bool escaped = byte_index(link->text, 0, link->length, '\\') < link->length
		                     && (r.marked || r.v->flowed == FLOWED_CONTENT || view_word(r.v, r.i + 1, "`_", 2)
		                         || is_roff(link));
		escapes = bits_if(r.soft, ESCAPES_QUOTED) | bits_if(escaped, ESCAPES_BACKSLASH);
	}
	if (escapes != ESCAPES_AMP) {
		r = reading_of(c, &noted, open, content, angle);
		r.escapes = escapes;
		closes = read_all(&r);
	}
	if (!closes || link->failed)
		return false;
	if (link->length > c->rules->max_url)
		return gap_exceed(&r, LIMIT_URL);
	c->end = r.i + 1;
	if (r.cut) {
		if (!r.end.length)
			return false;
		cut_at_blank(&r);
		if (!link->spans.length)
			return false;
		c->end = link_last_span(link)->to;
	}
	if (!judge(&r))
		return false;
	link->convention = r.closing == ']' ? URLSIFT_CONV_BARE : angle ? URLSIFT_CONV_ANGLE : URLSIFT_CONV_WRAPPER;
	const size_t hyphens = link->hyphens.count, most = c->rules->max_alternates;
	link->flags |= bits_if(link_span_count(link) > 1, URLSIFT_JOINED);
	link->flags &= ~bits_if(!hyphens, URLSIFT_HYPHEN_AMBIGUOUS);
	if (hyphens + (hyphens > 1) > most) /* each alone, and all */
		rules_exceed(r.c->rules, LIMIT_ALTERNATES, r.open);
	link_alternates(link, most, c->rules->hyphen == URLSIFT_HYPHEN_KEEP);
	return true;
}
