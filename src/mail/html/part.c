#include "href.h"

#include "scan/label.h"
#include "simd/runs.h"
#include "text/unicode.h"

#include <string.h>

enum {
	STAGE = 4096,         /* text is fed to the scanner by so many bytes, */
	HELD_MAX = HTMLTEXT_HELD_MAX, /* or when its anchor has so many: the target waits for no more */
	HIDDEN_RUN = 8192,    /* markup that ends a text, in one run */
	HIDDEN_SUM = 16384,   /* and all together, so that what must be remembered stays small */
	SLICE = 64 * 1024,      /* is fed at once */
	TURNS = 1024,           /* of a text, between what is hidden and what is seen */
	RECENT = BACK_LOOK + 1, /* bytes of shown text on each side of an anchor that its context needs */
	MARKS = 192,            /* bytes of the marks in a label around what is turned */
	BEHIND = 128 * 1024     /* of UTF-8 that can always be placed: a tag and its values */
};

/* Text that waits until the text after an anchor is known; its bytes are in `ahead_text`. */
struct ahead {
	uint64_t source;
	size_t length, source_length;
};

/* A target whose anchor's text comes. */
struct awaiting {
	bool pending;
	struct buf value;
	unsigned flags;
	struct placement where;
	urlsift_range where_range;
	const char *attribute;
	uint8_t before[RECENT]; /* the text before the anchor, if context is wanted; that after it is in ahead_text */
	size_t before_length, after_length;
	uint8_t alt[LABEL_MAX]; /* the texts of its images */
	size_t alt_length;
	bool unseen;            /* the text that comes is hidden */
	bool unseen_before;     /* the text that came last was */
	bool turned;            /* the text that comes is shown from right to left */
	bool differs;           /* some was, or is that of an anchor in it: its own text that can be seen is apart */
	size_t seen_length;
	struct { size_t kept, seen, alt; } inner[HTMLTEXT_ANCHORS_MAX]; /* the anchors in it that are open: in hrefs; the
	                                                                * length of what was seen before */
	size_t inners;
	bool closed;            /* the anchor has ended, and the text after it is not known */
	struct buf ahead, ahead_text;
	uint64_t ahead_end;     /* of that text, in UTF-8 */
	uint8_t seen[HELD_MAX + MARKS]; /* last, as it is large and mostly empty */
};

/* The part before a target comes is one text, what is in its anchor another, and so on:
 * no link goes on from one to the next, and targets come in document order. */
struct html_part {
	struct parser *parser;
	struct htmltext *reader;
	struct htmltext *inner;  /* of a document in an attribute, on first need; */
	const struct html_target *document; /* which is this one */
	struct html_begin part;
	struct mail_text text;
	struct map map;       /* text -> UTF-8 that the reader was fed */
	struct hrefs hrefs;
	size_t staged;
	bool begun;             /* the scanner has had text since its text began */
	uint64_t fed;           /* bytes of UTF-8 the reader was fed before these */
	uint64_t text_end;      /* of the last text, in that UTF-8 */
	uint64_t turns[TURNS];  /* in the text: where what is hidden begins, where it ends, and so on */
	size_t turns_noted, turns_passed;
	size_t hidden;          /* bytes of markup since the text began */
	uint64_t settled;       /* UTF-8 before this was put out */
	uint64_t floor;         /* UTF-8 before this was forgotten, */
	uint64_t known;         /* and before this need not be known */
	/* The end of the text shown so far, for `before`. */
	uint8_t recent[2 * RECENT];
	size_t recent_length;
	struct awaiting target;
	uint8_t stage[HELD_MAX + TEXT_PAD];
};

/* ---- Offsets in the source ---- */

/* UTF-8 offsets -> bytes of the part -> the source. */
static urlsift_range placed(struct html_part *h, uint64_t from, uint64_t to)
{
	struct charset *charset = h->part.charset;
	from = later(from, later(h->floor, h->known));
	uint64_t begin = charset_begin(charset, from), end = to > from ? charset_source(charset, to) : begin;
	urlsift_range range = {map_begin(h->part.source, begin), 0};
	if (end > begin)
		range.length = map_begin(h->part.source, end - 1) + 1 - range.offset;
	return range;
}

/* Where a target is. */
static void place_target(struct html_part *h, const struct html_target *t, urlsift_range *range,
                         struct placement *where)
{
	*range = placed(h, t->source, t->source + t->source_length);
	*where = (struct placement){.ranges = range, .count = 1,
	                            .flags = bits_if(t->flags & HTMLTEXT_REFERENCES, URLSIFT_UNESCAPED)};
}

/* ---- For the scanner's sink ---- */

urlsift_range html_part_range(struct html_part *h, uint64_t offset, uint64_t length)
{
	uint64_t from = map_begin(&h->map, offset), to = map_begin(&h->map, offset + length);
	return placed(h, from, later(from, to));
}

void html_part_ranges(struct html_part *h, const urlsift_range *part, struct buf *ranges, struct placement *where)
{
	bool same;
	size_t begin = ranges->length;
	parser_have(h->parser, map_ranges(&h->map, part->offset, part->offset + part->length, ranges, &same));
	for (size_t at = begin; at < ranges->length; at += sizeof(urlsift_range)) {
		urlsift_range *range = (urlsift_range *)(void *)(ranges->data + at);
		*range = placed(h, range->offset, range->offset + range->length);
	}
	where->flags |= bits_if(!same, URLSIFT_UNESCAPED);
}

size_t html_part_seen(struct html_part *h, uint64_t offset, size_t length)
{
	for (; h->turns_passed < h->turns_noted; h->turns_passed++) {
		const uint64_t turn = h->turns[h->turns_passed];
		if (turn > offset)
			return size_within(length, turn - offset);
		if (h->parser->place.anchor)
			h->parser->place.anchor ^= URLSIFT_ANCHOR_SEEN ^ URLSIFT_ANCHOR_HIDDEN;
	}
	return length;
}

/* ---- To the scanner ---- */

/* The scanner is made ready for a text. */
static void begin_text(struct html_part *h)
{
	href_begin_text(&h->hrefs);
	h->begun = false;
}

static void feed_staged(struct html_part *h)
{
	size_t n = h->staged;
	h->staged = 0;
	if (!n)
		return;
	h->begun = true;
	text_feed(&h->text, h->stage, n);
	h->settled = map_begin(&h->map, text_out(h->parser));
}

/* The text of an anchor that can be seen is kept apart. */
static void keep_seen(struct html_part *h)
{
	if (h->target.differs)
		return;
	h->target.differs = true;
	h->target.seen_length = h->staged;
	memcpy(h->target.seen, h->stage, h->staged);
}

/* Is it the address of a file?  Nobody means by it that the link leads there. */
static bool names_image(urlsift_text text)
{
	const uint8_t *p = (const uint8_t *)text.bytes;
	const size_t n = byte_index(p, 0, text.length, '?'), type = byte_last(p, 0, n, '.');
	return type > 1 && ascii_is_among(p + type, n - type, "gif jpg jpeg png bmp svg webp");
}

/* The innermost anchor in the one that waits ends: its text is its own label. */
static void end_inner(struct html_part *h)
{
	struct awaiting *t = &h->target;
	const size_t seen = t->inner[--t->inners].seen, alt = t->inner[t->inners].alt;
	uint8_t label[LABEL_MAX];
	urlsift_text shown = {(const char *)t->seen + seen, t->seen_length - seen};
	bool image = false;
	if (t->alt_length > alt && !label_collapse(t->seen + seen, shown.length, label)) {
		shown = (urlsift_text){(const char *)t->alt + alt, t->alt_length - alt};
		image = names_image(shown);
	}
	href_label_inner(&h->hrefs, t->inner[t->inners].kept, shown, !image);
	t->seen_length = seen;
	t->alt_length = alt;
}

/* What was read of the anchor's text is enough: the target is handed out before it. */
static void release_target(struct html_part *h)
{
	struct awaiting *t = &h->target;
	if (!t->pending)
		return;
	t->pending = false;
	while (t->inners)
		end_inner(h);
	/* the text that is shown is that of the anchor or, where there is none, of the images in it */
	urlsift_text shown = {"", 0};
	uint8_t label[LABEL_MAX];
	bool image = false;
	if (t->flags & HTMLTEXT_ANCHOR)
		shown = t->differs ? (urlsift_text){(const char *)t->seen, t->seen_length}
		                   : (urlsift_text){(const char *)h->stage, h->staged};
	if (t->alt_length && !label_collapse((const uint8_t *)shown.bytes, shown.length, label)) { /* in an anchor */
		t->flags &= ~(unsigned)HTMLTEXT_ANCHOR; /* there is no text to click on */
		shown = (urlsift_text){(const char *)t->alt, t->alt_length};
		image = names_image(shown);
	}
	t->differs = false;
	const struct href target = {
		.attribute = t->attribute, .anchor = t->flags & HTMLTEXT_ANCHOR, .cut = t->flags & HTMLTEXT_CUT,
		.value = {.text = t->value.data, .length = t->value.length, .supplied = "",
		          .convention = URLSIFT_CONV_QUOTED, .where = t->where,
		          .shown = (const uint8_t *)shown.bytes, .shown_length = image ? 0 : shown.length,
		          .label = shown, .before = {(const char *)t->before, t->before_length},
		          .after = {(const char *)t->ahead_text.data, t->after_length}, .lines = h->parser->scan.context}
	};
	href_put(&h->hrefs, &target);
	href_put_inner(&h->hrefs);
}

/* All text so far is handed out, and another begins. */
static void end_text(struct html_part *h)
{
	release_target(h);
	memset(h->stage + h->staged, 0, TEXT_PAD);
	if (!h->begun && text_quiet(h->parser, h->stage, h->staged)) {
		text_plain(&h->text, h->stage, h->staged);
		h->staged = 0;
	}
	feed_staged(h);
	if (h->begun) {
		text_finish(&h->text);
		begin_text(h);
	}
	html_part_seen(h, UINT64_MAX, 0); /* the next text goes on as this one ends */
	map_reset(&h->map);
	h->hidden = h->turns_noted = h->turns_passed = 0;
	h->settled = h->text_end;
}

static void leave_anchor(struct html_part *h)
{
	h->parser->place.anchor = 0;
	h->parser->own.text.length = 0;
}

/* The text ends, and the anchor around it where the flags are those of an anchor's target. */
static void end_anchor(struct html_part *h, unsigned flags)
{
	end_text(h);
	if (flags & HTMLTEXT_ANCHOR)
		leave_anchor(h);
}

/* Whether a target waits for more of its anchor's text. */
static bool is_labelled(const struct html_part *h)
{
	return h->target.pending && h->target.flags & HTMLTEXT_ANCHOR && !h->target.closed;
}

/* The label of the anchor has an end that is not known when its target is handed out. */
static void report_held(struct html_part *h)
{
	if (is_labelled(h))
		parser_limit(h->parser, "held-label", HELD_MAX, placed(h, h->text_end, h->text_end).offset);
}

/* Markup before `at` is too much for a text: the text ends.  Not that of an anchor which has no link so far, or can
 * still be held: what is hidden in a label must not hide where it seems to lead. */
static bool end_long(struct html_part *h, uint64_t at)
{
	const bool blank = run_after_spaces(h->stage, 0, h->staged) == h->staged;
	if (!blank && is_labelled(h) && beyond(at, h->settled) <= HELD_MAX)
		return false;
	memset(h->stage + h->staged, 0, TEXT_PAD);
	if (h->target.pending && (blank || (is_labelled(h) && text_quiet(h->parser, h->stage, h->staged)))) {
		h->hidden = 0;
		h->settled = later(h->settled, at);
		h->known = blank ? h->known : h->settled; /* what waits is taken to be here, however the text is fed */
		return true;
	}
	report_held(h);
	end_text(h);
	return true;
}

/* Markup before `at`. */
static void skip_hidden(struct html_part *h, uint64_t at)
{
	uint64_t run = beyond(at, h->text_end);
	const bool much = run > HIDDEN_RUN || h->hidden + run > HIDDEN_SUM;
	if (!much || !end_long(h, at))
		h->hidden += (size_t)run;
	h->text_end = later(h->text_end, at);
}

/* ---- From the reader ---- */

/* The next bytes in the stage are text. */
static inline void put_staged(struct html_part *h, size_t length, uint64_t source, size_t source_length)
{
	parser_have(h->parser, map_add_at(&h->map, source, length, source_length));
	if (h->parser->scan.context) {
		/* the end of the text shown */
		const size_t kept = smaller(length, RECENT);
		if (kept > sizeof h->recent - h->recent_length) {
			memmove(h->recent, h->recent + h->recent_length - RECENT, RECENT);
			h->recent_length = RECENT;
		}
		memcpy(h->recent + h->recent_length, h->stage + h->staged + (length - kept), kept);
		h->recent_length += kept;
	}
	if (h->target.differs && !h->target.unseen) {
		memcpy(h->target.seen + h->target.seen_length, h->stage + h->staged, length);
		h->target.seen_length += length;
	}
	h->staged += length;
	h->text_end = later(h->text_end, source + source_length);
}

/* To the stage, where there is room. */
static inline void put_text(struct html_part *h, const uint8_t *text, size_t length, uint64_t source,
                            size_t source_length)
{
	memcpy(h->stage + h->staged, text, length);
	put_staged(h, length, source, source_length);
}

/* How much more text the stage takes before it is fed. */
static size_t stage_room(const struct html_part *h)
{
	const size_t held = smaller(HELD_MAX, (size_t)beyond(h->text_end, h->settled));
	return is_labelled(h) ? HELD_MAX - larger(held, h->staged) : STAGE - h->staged;
}

static inline void show(struct html_part *h, const uint8_t *text, size_t length, uint64_t source, size_t source_length)
{
	bool same = length == source_length; /* else it is not split */
	if (source_length)
		skip_hidden(h, source);
	for (size_t room; length > (room = stage_room(h));) {
		size_t n = same ? room : 0;
		put_text(h, text, n, source, n);
		report_held(h);
		text += n;
		length -= n;
		source += n;
		source_length -= n;
		release_target(h);
		feed_staged(h);
		if (h->hidden > HIDDEN_SUM)
			end_text(h);
	}
	put_text(h, text, length, source, source_length);
}

/* ---- The text after an anchor ---- */

/* What has ended, an anchor by its flags or a target without one, is handed out when the text after it is known, if
 * that is wanted. */
static void close_anchor(struct html_part *h, unsigned flags)
{
	if (!h->target.pending || !h->parser->scan.context) {
		end_anchor(h, flags);
		return;
	}
	h->target.closed = true;
	h->target.ahead_end = h->text_end;
}

/* Whether the text after the anchor is known, with these n bytes more of it and, if `last`, no others. */
static bool look_ahead(struct html_part *h, const uint8_t *text, size_t n, bool last)
{
	const bool line = byte_until(text, 0, n, "\r\n") < n;
	parser_have(h->parser, buf_add(&h->target.ahead_text, text, smaller(n, RECENT)));
	const uint8_t *p = h->target.ahead_text.length ? h->target.ahead_text.data : text;
	bool more = false;
	const struct view v = {.p = p, .end = h->target.ahead_text.length, .last = last, .more = &more};
	if (!last && !line && v.end < RECENT)
		return false;
	h->target.after_length = label_after_end(&v, 0, h->parser->scan.context);
	return !more;
}

/* The target is handed out, with its anchor's text and the text that waited. */
static void end_ahead(struct html_part *h)
{
	struct ahead a;
	h->target.closed = false;
	end_anchor(h, h->target.flags);
	h->target.after_length = 0;
	for (size_t i = 0, at = 0; i < h->target.ahead.length && parser_ok(h->parser); i += sizeof a, at += a.length) {
		memcpy(&a, h->target.ahead.data + i, sizeof a);
		show(h, h->target.ahead_text.data + at, a.length, a.source, a.source_length);
	}
	h->target.ahead.length = h->target.ahead_text.length = 0;
}

/* No more of the text after the anchor is waited for. */
static void settle(struct html_part *h)
{
	if (!h->target.closed)
		return;
	look_ahead(h, (const uint8_t *)"", 0, true);
	end_ahead(h);
}

/* Whether the text waits for more after the anchor, which is then noted. */
__attribute__((noinline)) static bool keeps_ahead(struct html_part *h, const uint8_t *text, size_t length,
                                                  uint64_t source, size_t source_length)
{
	if (source_length && source > h->target.ahead_end + HIDDEN_RUN)
		settle(h); /* as take_utf8 would */
	if (h->target.closed && look_ahead(h, text, length, false))
		end_ahead(h);
	if (!h->target.closed)
		return false;
	struct ahead next = {source, length, source_length};
	parser_have(h->parser, buf_add(&h->target.ahead, &next, sizeof next));
	h->target.ahead_end = later(h->target.ahead_end, source + source_length);
	return true;
}

static inline void take_shown(struct html_part *h, const uint8_t *text, size_t length, uint64_t source,
                              size_t source_length)
{
	if (!h->target.closed || !keeps_ahead(h, text, length, source, source_length))
		show(h, text, length, source, source_length);
}

/* What is hidden and what is seen are no word together. */
__attribute__((noinline)) static void turn(struct html_part *h, uint64_t source)
{
	const bool unseen = h->target.unseen;
	if (h->turns_noted == TURNS && !is_labelled(h))
		end_text(h);
	const bool noted = h->turns_noted < TURNS; /* else what is hidden counts as seen, but not in the label */
	if (unseen && noted)
		h->turns[h->turns_noted++] = h->map.text_end;
	h->target.unseen_before = h->target.unseen = true; /* the label has no blank there */
	take_shown(h, (const uint8_t *)" ", 1, source, 0);
	h->target.unseen_before = h->target.unseen = unseen;
	if (!unseen && noted)
		h->turns[h->turns_noted++] = h->map.text_end;
}

/* Text comes. */
static inline void end_word(struct html_part *h, uint64_t source)
{
	if (h->target.unseen != h->target.unseen_before)
		turn(h, source);
}

static int take_text(void *user, const uint8_t *text, size_t length, uint64_t source, size_t source_length)
{
	struct html_part *h = user;
	end_word(h, source);
	take_shown(h, text, length, source, source_length);
	return !parser_ok(h->parser);
}

static int take_run(void *user, const uint8_t *text, size_t length, uint64_t source)
{
	struct html_part *h = user;
	uint8_t blanks[512];
	end_word(h, source);
	if (!h->target.closed) {
		skip_hidden(h, source);
		if (length + 16 <= excess(STAGE, h->staged)) {
			run_spaces_ahead(h->stage + h->staged, text, length);
			put_staged(h, length, source, length);
			return !parser_ok(h->parser);
		}
	}
	for (size_t i = 0, k; i < length; i += k) {
		k = smaller(length - i, sizeof blanks);
		run_spaces(blanks, text + i, k);
		take_text(h, blanks, k, source + i, k);
	}
	return !parser_ok(h->parser);
}

/* ---- A document in an attribute ---- */

static int no_text(void *user, const uint8_t *text, size_t length, uint64_t source, size_t source_length)
{
	(void)user, (void)text, (void)length, (void)source, (void)source_length;
	return 0;
}

static int no_run(void *user, const uint8_t *text, size_t length, uint64_t source)
{
	return no_text(user, text, length, source, 0);
}

static int no_alt(void *user, const uint8_t *text, size_t length) { return no_text(user, text, length, 0, 0); }

static int no_unseen(void *user, bool unseen, bool turned)
{
	(void)turned;
	return no_text(user, NULL, unseen, 0, 0);
}

static int no_end(void *user) { return no_text(user, NULL, 0, 0, 0); }

static int no_limit(void *user, uint64_t source) { return no_text(user, NULL, 0, source, 0); }

static int take_target(void *user, const struct html_target *given);

/* Takes a target in the document; its place is that of the attribute.  A document within that one is not read: as a
 * target it is relative. */
static int take_inner(void *user, const struct html_target *given)
{
	struct html_part *h = user;
	struct html_target t = *h->document;
	t.value = given->value;
	t.length = given->length;
	t.flags = (given->flags & HTMLTEXT_CUT) | HTMLTEXT_REFERENCES;
	return given->flags & HTMLTEXT_BASE ? 0 : take_target(h, &t);
}

static int take_document(struct html_part *h, const struct html_target *t)
{
	static const struct htmltext_sink none = {
		no_text, no_run, take_inner, no_end, no_limit, NULL, no_alt, no_unseen
	};
	struct htmltext_sink sink = none;
	sink.user = h;
	h->inner = h->inner ? h->inner : htmltext_new(h->parser->alloc, &sink);
	if (!parser_have(h->parser, h->inner))
		return 1;
	h->document = t;
	htmltext_reset(h->inner, h->parser->options.resources);
	parser_fail(h->parser, htmltext_feed(h->inner, t->value, t->length));
	parser_fail(h->parser, htmltext_finish(h->inner));
	const struct html_target rest = {.value = t->value, .source = t->source, .source_length = t->source_length,
	                                 .end = t->end, .flags = HTMLTEXT_CUT, .attribute = t->attribute};
	return t->flags & HTMLTEXT_CUT ? take_target(h, &rest) : !parser_ok(h->parser);
}

static int take_target(void *user, const struct html_target *given)
{
	struct html_part *h = user;
	if (given->flags & HTMLTEXT_DOCUMENT)
		return take_document(h, given);
	struct html_target t = *given;
	struct awaiting *a = &h->target;
	/* a value that begins too far back is taken to begin where offsets are known, however the text is fed */
	const uint64_t known = beyond(t.end, BEHIND - 1024), end = t.source + t.source_length;
	t.source = later(t.source, known);
	t.source_length = (size_t)beyond(end, t.source);
	struct href bare = {
		.attribute = t.attribute, .cut = t.flags & HTMLTEXT_CUT,
		.value = {.text = t.value, .length = t.length, .supplied = "", .convention = URLSIFT_CONV_QUOTED,
		          .before = {"", 0}, .after = {"", 0}}
	};
	urlsift_range range;
	if (!(t.flags & HTMLTEXT_BASE) && is_labelled(h)) {
		/* what an anchor holds, such as its image, waits for the anchor's own target, which waits for its text */
		const size_t kept = h->hrefs.inner.length;
		place_target(h, &t, &range, &bare.value.where);
		position_ahead(h->parser, t.source, &bare.value.where.point); /* the text before it has links yet to come */
		bare.anchor = t.flags & HTMLTEXT_ANCHOR;
		if (href_keep_inner(&h->hrefs, &bare)) {
			if (bare.anchor) {
				keep_seen(h);
				a->inner[a->inners].kept = kept;
				a->inner[a->inners].seen = a->seen_length;
				a->inner[a->inners++].alt = a->alt_length;
			}
			return !parser_ok(h->parser);
		}
	}
	settle(h);
	end_anchor(h, t.flags);
	if (t.flags & HTMLTEXT_BASE) {
		place_target(h, &t, &range, &bare.value.where);
		position_count(h->parser, t.source, &bare.value.where.point);
		href_base(&h->hrefs, &bare);
		return !parser_ok(h->parser);
	}
	h->settled = later(h->settled, t.end);
	a->flags = t.flags;
	a->attribute = t.attribute;
	a->pending = true;
	a->unseen = a->unseen_before = a->turned = a->differs = false;
	a->alt_length = a->inners = 0;
	a->before_length = smaller(h->recent_length, RECENT);
	memcpy(a->before, h->recent + h->recent_length - a->before_length, a->before_length);
	a->value.length = 0;
	parser_have(h->parser, buf_add(&a->value, t.value, t.length));
	place_target(h, &t, &a->where_range, &a->where);
	position_count(h->parser, t.source, &a->where.point);
	if (!(t.flags & HTMLTEXT_ANCHOR))
		close_anchor(h, t.flags);
	return !parser_ok(h->parser);
}

/* Keeps the beginning of the texts of an anchor's images. */
static int take_alt(void *user, const uint8_t *text, size_t length)
{
	struct html_part *h = user;
	size_t room = sizeof h->target.alt - h->target.alt_length, n = length;
	if (!h->target.pending || h->target.closed || room < 2)
		return 0;
	if (h->target.alt_length) {
		h->target.alt[h->target.alt_length++] = ' ';
		room--;
	}
	n = utf8_cut(text, smaller(n, room), length);
	memcpy(h->target.alt + h->target.alt_length, text, n);
	h->target.alt_length += n;
	return 0;
}

/* What was shown of the anchor's text is kept apart from what is hidden, and has marks around what is turned. */
static int take_unseen(void *user, bool unseen, bool turned)
{
	enum { OVERRIDE = 0x202E, POP = 0x202C, MARK = 3 };
	struct html_part *h = user;
	struct awaiting *t = &h->target;
	t->unseen = unseen;
	if (!t->pending)
		return 0;
	keep_seen(h);
	if (turned != t->turned && t->seen_length + MARK <= h->staged + MARKS)
		t->seen_length += utf8_put(t->seen + t->seen_length, turned ? OVERRIDE : POP);
	t->turned = turned;
	return 0;
}

static int take_limit(void *user, uint64_t source)
{
	struct html_part *h = user;
	parser_limit(h->parser, "hidden-markup", HTMLTEXT_HIDDEN_MAX, placed(h, source, source).offset);
	return !parser_ok(h->parser);
}

static int take_anchor_end(void *user)
{
	struct html_part *h = user;
	if (h->target.inners) {
		end_inner(h);
		return !parser_ok(h->parser);
	}
	settle(h);
	close_anchor(h, HTMLTEXT_ANCHOR);
	return !parser_ok(h->parser);
}

/* ---- */

/* Looks for long runs at multiples of HIDDEN_RUN, wherever the input is cut. */
static urlsift_status take_utf8(void *user, const uint8_t *text, size_t n)
{
	struct html_part *h = user;
	position_add(h->parser, text, n);
	for (size_t k; n && parser_ok(h->parser); text += k, n -= k) {
		k = (size_t)(HIDDEN_RUN - h->fed % HIDDEN_RUN);
		k = smaller(k, n);
		parser_fail(h->parser, htmltext_feed(h->reader, text, k));
		h->fed += k;
		if (h->fed % HIDDEN_RUN)
			continue;
		/* a long run of markup ends the text before it, as skip_hidden would at its end */
		if (h->fed - (h->target.closed ? h->target.ahead_end : h->text_end) > HIDDEN_RUN) {
			settle(h);
			if (end_long(h, h->fed))
				h->settled = h->fed;
		}
	}
	/* what was put out, and is too far back for a tag to begin there, is let go */
	uint64_t floor = earlier(h->settled, beyond(h->fed, BEHIND));
	if (floor > h->floor) {
		h->floor = floor;
		map_forget(h->part.source, charset_begin(h->part.charset, floor));
		charset_forget(h->part.charset, floor);
		if (h->parser->at.part.recent.length > POSITION_MAX / 4)
			position_count(h->parser, floor, &(struct point){0});
	}
	return h->parser->status;
}

struct html_part *html_part_new(struct parser *r)
{
	struct html_part *h = alloc_get(r->alloc, sizeof *h);
	if (!h)
		return NULL;
	const struct htmltext_sink sink = {
		take_text, take_run, take_target, take_anchor_end, take_limit, h, take_alt, take_unseen
	};
	h->parser = r;
	text_init(&h->text, r, SPAN_MAX);
	h->text.html = h;
	h->text.map = &h->map;
	h->text.counted = true;
	map_init(&h->map, r->alloc);
	buf_init(&h->target.value, r->alloc, HTMLTEXT_VALUE_MAX);
	href_init(&h->hrefs, r, &h->text);
	buf_init(&h->target.ahead, r->alloc, RECENT * sizeof(struct ahead));
	buf_init(&h->target.ahead_text, r->alloc, 2 * RECENT);
	h->reader = htmltext_new(r->alloc, &sink);
	if (h->reader)
		return h;
	html_part_free(h);
	return NULL;
}

void html_part_free(struct html_part *h)
{
	if (!h)
		return;
	const urlsift_allocator *alloc = h->parser->alloc;
	htmltext_free(h->reader);
	htmltext_free(h->inner);
	map_fini(&h->map);
	text_fini(&h->text);
	buf_fini(&h->target.value);
	href_fini(&h->hrefs);
	buf_fini(&h->target.ahead);
	buf_fini(&h->target.ahead_text);
	alloc_put(alloc, h);
}

void html_part_begin(struct html_part *h, const struct html_begin *begin)
{
	h->part = *begin;
	h->staged = 0;
	h->fed = h->text_end = h->settled = h->floor = h->known = 0;
	h->target.inners = 0;
	h->target.pending = h->target.differs = h->target.unseen = h->target.unseen_before = false;
	h->recent_length = h->target.before_length = h->target.after_length = 0;
	href_begin(&h->hrefs, begin->base);
	h->target.closed = false;
	h->target.ahead.length = h->target.ahead_text.length = 0;
	position_begin(h->parser, 0, begin->line);
	htmltext_reset(h->reader, h->parser->options.resources);
	charset_reset(begin->charset);
	map_reset(&h->map);
	h->hidden = h->turns_noted = h->turns_passed = 0;
	begin_text(h);
}

void html_part_feed(struct html_part *h, const uint8_t *p, size_t n)
{
	while (n && parser_ok(h->parser)) {
		size_t k = smaller(n, SLICE);
		parser_fail(h->parser, charset_feed(h->part.charset, p, k, take_utf8, h));
		p += k;
		n -= k;
	}
}

void html_part_finish(struct html_part *h)
{
	parser_fail(h->parser, charset_finish(h->part.charset, take_utf8, h));
	parser_fail(h->parser, htmltext_finish(h->reader));
	settle(h);
	end_text(h);
	leave_anchor(h);
	href_finish(&h->hrefs);
}

size_t html_part_memory_bound(void)
{
	return sizeof(struct html_part) + map_memory_bound() + sizeof(urlsift_range) * SPAN_MAX + HTMLTEXT_VALUE_MAX
	       + href_memory_bound() + RECENT * (sizeof(struct ahead) + 2) + 2 * htmltext_memory_bound();
}
