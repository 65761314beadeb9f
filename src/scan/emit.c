#include "attribute.h"
#include "candidate.h"
#include "label.h"
#include "link_rules.h"
#include "scanner.h"
#include "text/charset.h"
#include "simd/runs.h"
#include "simd/simd.h"
#include "text/unicode.h"
#include "url/url.h"

#include <string.h>

/* ---- pieces ---- */

/* The source offset of the character that begins at offset `at` of the text. */
static uint64_t source_begin(urlsift_scanner *s, uint64_t at)
{
	return s->out.same ? at : charset_begin(s->in.charset, terminal_source_begin(&s->in.terminal, at));
}

/* The source of the text [from, to), in which no sequence was removed, without what was removed on either side. */
static urlsift_range source_range(urlsift_scanner *s, uint64_t from, uint64_t to)
{
	if (s->out.same)
		return (urlsift_range){from, to - from};
	urlsift_range r = terminal_range(&s->in.terminal, from, to);
	from = charset_begin(s->in.charset, r.offset);
	return (urlsift_range){from, charset_source(s->in.charset, r.offset + r.length) - from};
}

/* Memory was missing for the link, perhaps for what the callback asked of it. */
static void take_failure(urlsift_scanner *s, const urlsift_link *l)
{
	if (!l->failed)
		return;
	s->status = URLSIFT_NO_MEMORY;
	*l->failure = false;
}

/* Every piece goes through here: after a failure, or when the callback has stopped, no more are handed out. */
static inline void hand_over(urlsift_scanner *s, const urlsift_piece *piece)
{
	const urlsift_link *const link = piece->link; /* known where this is inlined */
	if (s->status == URLSIFT_OK && s->settings.sink.piece(s->settings.sink.user, piece))
		s->status = URLSIFT_STOPPED;
	if (link)
		take_failure(s, link);
}

static void hand_notice(urlsift_scanner *s, enum limit limit, uint64_t offset)
{
	enum { KEPT = sizeof s->out.noticed / sizeof *s->out.noticed };
	const urlsift_notice notice = {limit_name(limit), rules_limit(&s->settings.rules, limit), offset};
	const struct exceeded_limit one = {limit, offset};
	if (limit_is_known(s->out.noticed, smaller(s->out.notices, KEPT), one))
		return;
	s->out.noticed[s->out.notices++ % KEPT] = one;
	if (s->status == URLSIFT_OK && s->settings.sink.notice && s->settings.sink.notice(s->settings.sink.user, &notice))
		s->status = URLSIFT_STOPPED;
}

/* Whether a piece with that link, or none, is handed out where it has source. */
static inline bool is_asked(const urlsift_scanner *s, const urlsift_link *link) { return link || s->settings.plain; }

/* Hands out the text up to `upto`, its source up to `source`: a part of `link`, or plain text where that is NULL. */
static void emit(urlsift_scanner *s, const struct view *v, uint64_t upto, uint64_t source, const urlsift_link *link,
                 size_t part)
{
	const uint8_t *text = v->p + (s->out.text - v->at);
	size_t length = (size_t)(upto - s->out.text);
	uint64_t offset = s->out.source;
	if (s->settings.positions) {
		const size_t tail = link ? 0 : run_line_start(text, 0, length); /* a part of a link holds no line end */
		if (tail) {
			s->out.point.line += lines_count(text, tail, &s->out.after_cr);
			s->out.point.column = 1;
		}
		if (tail < length) {
			s->out.after_cr = false;
			s->out.point.column += utf8_count(text + tail, length - tail);
		}
	}
	s->out.text = upto;
	s->out.source = source;
	if (!is_asked(s, link) || source == offset)
		return;
	s->out.piece = (urlsift_piece){.link = link, .part = part, .offset = offset, .length = source - offset,
	                               .text = (const char *)text, .text_length = length};
	hand_over(s, &s->out.piece);
}

/* Hands out the text that the piece holds, removed from the text before s->out.text; its source ends at `source`. */
static void emit_raw(urlsift_scanner *s, urlsift_piece *piece, uint64_t source)
{
	piece->offset = s->out.source;
	piece->length = source - s->out.source;
	s->out.source = source;
	if (is_asked(s, piece->link) && piece->length)
		hand_over(s, piece);
}

/* B1: reads the target of a hyperlink, the n bytes at `text` with brackets around them, as a link that fills these. */
static bool read_hyperlink(urlsift_scanner *s, const struct view *v, const uint8_t *text, size_t n)
{
	struct urlsift_link *l = &s->ruled;
	struct exceeded exceeded = {0};
	struct rules rules = s->settings.rules;
	struct view whole = view_of(v, text, n);
	struct candidate c = {.rules = &rules, .v = &whole, .link = l};
	const uint8_t *colon = memchr(text, ':', n);
	rules.exceeded = &exceeded;
	bool found = colon && candidate_read(&c, (size_t)(colon - text)) && !c.swallowed;
	take_failure(s, l);
	return found && l->convention == URLSIFT_CONV_ANGLE && link_span_count(l) == 1 && link_spans(l)->from == 1
	       && link_spans(l)->to == n - 1;
}

/* A link with defanged forms is not simple. */
static void set_refanged(struct urlsift_link *l)
{
	l->flags |= URLSIFT_REFANGED;
	l->simple = false;
	l->head = 0;
}

/* What else is known of the link of a hyperlink, which is in the bytes [from, to) of the raw text.  Returns its range
 * in the source. */
static urlsift_range place_hyperlink(urlsift_scanner *s, const struct removed *r, uint64_t from, uint64_t to)
{
	struct urlsift_link *l = &s->ruled;
	uint8_t label[TERMINAL_HELD];
	size_t shown = terminal_plain(r->bytes + r->length, r->label, label);
	urlsift_range range = {.offset = charset_source(s->in.charset, from)};
	range.length = charset_source(s->in.charset, to) - range.offset;
	l->ranges.length = 0;
	l->failed |= !buf_add(&l->ranges, &range, sizeof range);
	l->hyperlink = 1 + r->label;
	if (s->settings.positions)
		l->point = s->out.point;
	label_begin(&l->around);
	if (s->settings.labels)
		label_set(&l->around, label, shown);
	l->text_warnings = shown ? mismatch_shown(label, shown, l) : 0;
	take_failure(s, l);
	return range;
}

/* Hands out a sequence that begins a hyperlink; its target, `length` bytes at index `at`, is a link if it is one in
 * angle brackets and not in a link. */
static void emit_hyperlink(urlsift_scanner *s, const struct view *v, const struct removed *r, size_t at, size_t length)
{
	struct urlsift_link *l = &s->ruled;
	uint8_t text[TERMINAL_COMMAND_MAX + 2 + FIND_AHEAD] = {'<'};
	size_t n = length;
	bool changed = false;
	memcpy(text + 1, r->bytes + at, n);
	bool odd = byte_until(text, 1, 1 + n, "<> ") < 1 + n;
	if (s->settings.rules.refang)
		n = refang_text(&s->in.terminal.pairs, text + 1, n, &changed);
	memset(text + 1 + n, 0, length - n);
	text[n + 1] = '>';
	size_t done = 0;
	if (!odd && !s->out.handed && read_hyperlink(s, v, text, n + 2)) {
		done = at + length;
		if (changed)
			set_refanged(l);
		urlsift_range range = place_hyperlink(s, r, r->raw + at, r->raw + done);
		emit_raw(s, &(urlsift_piece){.text = (const char *)r->bytes, .text_length = at}, range.offset);
		emit_raw(s, &(urlsift_piece){.link = l, .text = (const char *)text + 1, .text_length = n},
		         range.offset + range.length);
	}
	emit_raw(s, &(urlsift_piece){.text = (const char *)r->bytes + done, .text_length = r->length - done},
	         charset_source(s->in.charset, r->raw + r->length));
}

/* B1: sequences that were removed from the text are plain text, but for the targets of hyperlinks.  Hands out those
 * whose source ends by `source`, and the text before each. */
__attribute__((noinline))
static void emit_removed(urlsift_scanner *s, const struct view *v, uint64_t upto, uint64_t source)
{
	struct removed r;
	while (terminal_removed(&s->in.terminal, &r) && r.at <= upto) {
		uint64_t from = charset_source(s->in.charset, r.raw), to = charset_source(s->in.charset, r.raw + r.length);
		if (to > source)
			break;
		if (r.at > s->out.text || from > s->out.source)
			emit(s, v, r.at, from, NULL, 0);
		size_t at, length = terminal_target(r.bytes, r.length, &at);
		if (length)
			emit_hyperlink(s, v, &r, at, length);
		else
			emit_raw(s, &(urlsift_piece){.text = (const char *)r.bytes, .text_length = r.length}, to);
		s->out.after_cr &= !r.length;
		s->out.point.column += removed_is_form(&r) ? r.length : r.text;
		s->out.text += r.text;
		terminal_removed_next(&s->in.terminal);
	}
}

void emit_plain(urlsift_scanner *s, const struct view *v, uint64_t upto, uint64_t source)
{
	uint64_t mark = s->out.source == 0 ? charset_mark(s->in.charset) : 0;
	if (mark > 0 && source > mark)
		emit(s, v, 0, mark, NULL, 0);
	if (s->in.terminal.used)
		emit_removed(s, v, upto, source);
	if (upto > s->out.text || source > s->out.source)
		emit(s, v, upto, source, NULL, 0);
}

/* How many bytes before `upto`, and not before `from`, a character begins that ends after it. */
static unsigned inside_character(const struct view *v, uint64_t upto, uint64_t from)
{
	const uint8_t *p = v->p + (upto - v->at);
	size_t left = v->end - (size_t)(upto - v->at);
	const size_t most = size_within(3, upto - from);
	for (unsigned k = 1; left && (p[0] & 0xC0) == 0x80 && k <= most; k++) {
		uint32_t cp;
		if (utf8_next(p - k, left + k, &cp) > k)
			return k;
	}
	return 0;
}

/* Hands out the n bytes at p, of the link or plain, at an offset that is that of the source, too. */
static inline void emit_same(urlsift_scanner *s, const urlsift_link *l, const uint8_t *p, size_t n, uint64_t offset)
{
	s->out.piece = (urlsift_piece){.link = l, .offset = offset, .length = n, .text = (const char *)p, .text_length = n};
	s->out.text = s->out.source = offset + n;
	hand_over(s, &s->out.piece);
}

/* B1: splits the parts at the sequences that were removed, and sees whether they hold defanged forms.  The new parts
 * follow the old ones until these are dropped. */
static void split_parts(urlsift_scanner *s, const struct view *v, urlsift_link *l)
{
	size_t old = link_span_count(l);
	struct removed r;
	bool more = terminal_removed(&s->in.terminal, &r);
	for (size_t i = 0; i < old; i++) {
		struct span part = link_spans(l)[i];
		for (; more && r.at < v->at + part.to; more = terminal_removed_after(&s->in.terminal, &r)) {
			if (r.at >= v->at + part.from && removed_is_form(&r))
				set_refanged(l);
			if (r.at <= v->at + part.from || r.text)
				continue;
			link_part(l, part.from, (size_t)(r.at - v->at));
			part.from = (size_t)(r.at - v->at);
			l->flags |= URLSIFT_UNESCAPED;
		}
		link_part(l, part.from, part.to);
	}
	if (!l->failed)
		buf_drop(&l->spans, old * sizeof(struct span));
}

/* Hands out the link, and the text before it. */
static void hand_out(urlsift_scanner *s, const struct view *v, urlsift_link *l)
{
	if (s->in.terminal.used)
		split_parts(s, v, l);
	l->ranges.length = 0; /* all are set before any of the parts is handed out */
	for (size_t i = 0; i < link_span_count(l) && !l->failed; i++) {
		const struct span part = link_spans(l)[i];
		const urlsift_range source = source_range(s, v->at + part.from, v->at + part.to);
		l->failed = !buf_add(&l->ranges, &source, sizeof source);
	}
	if (l->failed) {
		s->status = URLSIFT_NO_MEMORY;
		return;
	}
	const struct span *span = link_spans(l);
	const urlsift_range *range = (const urlsift_range *)(const void *)l->ranges.data;
	for (size_t i = 0; i < link_span_count(l); i++, span++, range++) {
		emit_plain(s, v, v->at + span->from, range->offset);
		s->out.handed = l;
		if (i == 0 && s->settings.positions)
			l->point = s->out.point;
		emit(s, v, v->at + span->to, range->offset + range->length, l, i);
		if (!s->in.terminal.used)
			continue;
		struct removed r; /* the forms in a part go with it */
		for (; terminal_removed(&s->in.terminal, &r) && r.at < s->out.text; terminal_removed_next(&s->in.terminal))
			s->out.point.column += r.length - r.text;
	}
	s->out.handed = NULL;
}

/* ---- rules of the user ---- */

/* The end of the text from `at` on that rules see at a time: of its line, or of LINK_RULES_LINE bytes; `upto` where it
 * ends before. */
static uint64_t ruled_end(const struct view *v, uint64_t at, uint64_t upto)
{
	enum { MOST = LINK_RULES_LINE + 3 }; /* with the rest of a character */
	const uint8_t *p = v->p + (at - v->at);
	size_t n = size_within(MOST, upto - at), end = byte_span(p, 0, n, BYTE_BUT(BYTE_LINE_END));
	if (end < n)
		return at + end + 1;
	if (upto - at <= MOST)
		return upto;
	return at + LINK_RULES_LINE - inside_character(v, at + LINK_RULES_LINE, at);
}

/* Hands out what is before the match or the notice of a rule: a hyperlink of a terminal needs the same link, and no
 * notice comes before a link that is before it. */
static void emit_before_rule(urlsift_scanner *s, const struct view *v, uint64_t at)
{
	if (s->in.terminal.used)
		emit_plain(s, v, at, source_begin(s, at));
}

/* The link that a rule found at index `from` of the line, which begins at index `begin` of the view. */
static void rule_link(urlsift_scanner *s, const struct view *v, const struct view *line, size_t from, size_t to)
{
	urlsift_link *l = &s->ruled;
	size_t begin = (size_t)(line->p - v->p);
	uint64_t at = v->at + begin + from;
	emit_before_rule(s, v, at);
	link_clear(l);
	l->text_warnings = 0;
	link_add(l, v, begin + from, begin + to);
	struct buf *text = &l->alternates.texts;
	const size_t most = s->settings.rules.max_url;
	const bool expanded = link_rules_expand(s->out.link_rules, most, text), fits = text->length <= most;
	if (!expanded || (fits && !buf_reserve(&l->resolved, 3 * text->length)))
		l->failed = true;
	else if (fits)
		l->resolved.length = target_write("", text->data, text->length, (char *)l->resolved.data, l->resolved.room);
	if (l->resolved.length == URLSIFT_LENGTH_NO_MEMORY) {
		l->failed = true;
		l->resolved.length = 0;
	}
	const size_t scheme = scheme_prefix(l->resolved.data, l->resolved.length);
	link_set_scheme(l, (const char *)l->resolved.data, scheme);
	link_judge_scheme(l, scheme_find(l->scheme, l->scheme_length));
	l->convention = URLSIFT_CONV_RULE;
	label_begin(&l->around);
	if (s->settings.labels)
		label_set(&l->around, l->text, l->length);
	if (s->settings.context) /* of the line, or the part of it, that rules see: no other links are in it */
		label_context(line, (struct span){from, to}, 1, &l->around);
	if (fits && l->length <= most && l->resolved.length <= most)
		hand_out(s, v, l);
	else if (!l->failed)
		hand_notice(s, LIMIT_URL, source_begin(s, at));
	take_failure(s, l);
}

/* Hands out the links of the rules in the text up to `upto`. */
static void rule_lines(urlsift_scanner *s, const struct view *v, uint64_t upto)
{
	for (uint64_t at = s->out.text, end; at < upto && s->status == URLSIFT_OK; at = end) {
		end = ruled_end(v, at, upto);
		size_t begin = (size_t)(at - v->at), n = (size_t)(end - at), from, to;
		bool ended = is_line_end(v->p[begin + n - 1]), last = ended || (v->last && end == v->at + v->end);
		urlsift_status status = URLSIFT_OK;
		const struct view line = {.p = v->p + begin, .end = n - ended, .last = true};
		link_rules_begin(s->out.link_rules, line.p, line.end, at == s->out.ruled_line, last);
		if (ended)
			s->out.ruled_line = end;
		while (s->status == URLSIFT_OK && (status == URLSIFT_OK || status == URLSIFT_STOPPED)) {
			status = link_rules_next(s->out.link_rules, &from, &to);
			if (status == URLSIFT_OK)
				rule_link(s, v, &line, from, to);
			if (status == URLSIFT_STOPPED) {
				emit_before_rule(s, v, at + from);
				hand_notice(s, LIMIT_RULE_STEPS, source_begin(s, at + from));
			}
		}
		if (status == URLSIFT_NO_MEMORY)
			s->status = status;
	}
}

/* ---- text and links ---- */

/* Cuts at whole characters and, for the rules of the user unless `last`, at line ends. */
static void settle(urlsift_scanner *s, const struct view *v, uint64_t upto, bool last)
{
	if (upto <= s->out.text)
		return;
	upto -= inside_character(v, upto, s->out.text);
	upto -= !last && text_ends(v->p + (s->out.text - v->at), (size_t)(upto + 1 - s->out.text), "\r\n");
	if (s->out.link_rules) {
		if (!last) { /* to the end of the last whole line, or of LINK_RULES_LINE bytes */
			const uint64_t seen = later(s->out.ruled_to, s->out.text), most = upto;
			const size_t from = (size_t)(seen - v->at), to = (size_t)(upto - v->at);
			const size_t line = byte_span_back(v->p, from, to, BYTE_BUT(BYTE_LINE_END));
			upto = line > from ? v->at + line : s->out.text;
			while (most - upto >= LINK_RULES_LINE + 4)
				upto = ruled_end(v, upto, most);
			s->out.ruled_to = most;
		}
		rule_lines(s, v, upto);
	}
	/* the source of the character that ends there */
	const uint64_t source = s->out.same ? upto : charset_source(s->in.charset, terminal_source(&s->in.terminal, upto));
	emit_plain(s, v, upto, source);
}

static uint64_t lagging(const urlsift_scanner *s)
{
	return beyond(s->search.pos, LAG);
}

/* Where links may begin that are not found yet, for a flush: after the last line end, or at the `<` of a link that may
 * be broken. */
static uint64_t flushed_end(const urlsift_scanner *s, const struct view *v)
{
	const size_t least = (size_t)(later(lagging(s), s->out.text) - v->at), from = (size_t)(s->search.pos - v->at);
	size_t seen = from;
	/* the view may end with its line, and the few bytes of it that the search has not seen hold no trigger byte,
	 * whatever follows */
	if (within(v->end - from, 1, FIND_AHEAD) && v->p[v->end - 1] == '\n') {
		struct find_state find;
		find_begin(&find, v->p);
		find.floor = (size_t)beyond(s->search.floor, v->at);
		if (find_next(&s->settings.finder, &find, from, v->end - 1) == v->end - 1)
			seen = v->end;
	}
	const size_t end = byte_last(v->p, least, seen, '\n');
	return v->at + (size_t)(find_byte(v->p + least, v->p + end, '<') - v->p);
}

void emit_settled(urlsift_scanner *s, const struct view *v)
{
	uint64_t end = v->at + v->end;
	if (s->search.pos <= end)
		settle(s, v, v->last ? s->search.pos : s->in.flushing ? flushed_end(s, v) : lagging(s), v->last);
	else if (v->last) /* see scanner_seek */
		settle(s, v, end, true);
}

/* Not inlined: emit_link needs fewer registers. */
__attribute__((noinline)) static void emit_parts(urlsift_scanner *s, const struct view *v)
{
	if (s->out.link_rules)
		rule_lines(s, v, v->at + link_spans(&s->link)->from);
	hand_out(s, v, &s->link);
}

void emit_link(urlsift_scanner *s, const struct view *v)
{
	urlsift_link *l = &s->link;
	if (!s->out.direct || l->spans.length != sizeof(struct span) || !l->ranges.room) {
		emit_parts(s, v);
		return;
	}
	/* most links: one part, where text and source are the same */
	if (s->settings.plain) { /* first, so that the values below need not be kept meanwhile */
		const uint64_t from = v->at + link_spans(l)->from, text = s->out.text;
		if (!text)
			emit_plain(s, v, from, from);
		else if (from > text)
			emit_same(s, NULL, v->p + (text - v->at), (size_t)(from - text), text);
	}
	const struct span part = *link_spans(l);
	const uint64_t from = v->at + part.from;
	const size_t n = part.to - part.from;
	*(urlsift_range *)(void *)l->ranges.data = (urlsift_range){from, n};
	l->ranges.length = sizeof(urlsift_range);
	emit_same(s, l, v->p + part.from, n, from);
}

/* Links of rules come before the notice if any way to split and flush the input has handed them out by now. */
void emit_notices(urlsift_scanner *s, const struct view *v)
{
	if (s->out.link_rules || s->in.terminal.used)
		settle(s, v, flushed_end(s, v), false);
	for (size_t i = 0; i < s->search.exceeded.count; i++)
		hand_notice(s, s->search.exceeded.list[i].limit, source_begin(s, v->at + s->search.exceeded.list[i].at));
	s->search.exceeded.count = 0;
}
