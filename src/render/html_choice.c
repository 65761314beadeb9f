/* A multipart/alternative: one alternative is shown, the others are behind a summary after it.  Shown is the first that
 * is HTML with text, else the first.  Until it is known what is shown, and while there are others, what is written is
 * held, up to HTML_CHOICE_MAX bytes: past them the first one is shown, and what follows is not examined.
 * A link of the others that the one shown has too is not an anchor, unless it has a warning. */
#include "html.h"

#include "text/unicode.h"

enum { LINKS_MOST = 4096 };
static const char tag[] = "<a href=\"", end_tag[] = "</a>";

void html_choice_init(urlsift_renderer *r)
{
	struct html_state *h = r->state;
	hashset_init(&h->choice.links, r->alloc, LINKS_MOST);
}

void html_choice_fini(urlsift_renderer *r)
{
	struct html_state *h = r->state;
	hashset_fini(&h->choice.links);
}

/* ---- Links ------------------------------------------------------------------------ */

static bool is_known(urlsift_renderer *r, const char *target, size_t n, bool add)
{
	struct html_state *h = r->state;
	uint32_t value = add;
	/* A collision costs one anchor, and a set has few targets: an eighth of the instructions of siphash() will do. */
	uint64_t low = n, high = 0, word = 0;
	for (size_t i = 0; i < n; i += sizeof word) {
		if (n < sizeof word)
			memcpy(&word, target, n);
		else /* the last word may overlap the one before it */
			memcpy(&word, target + smaller(i, n - sizeof word), sizeof word);
		low = (low ^ word) * 0x9E3779B97F4A7C15u;
		low ^= low >> 32;
		high = high * 31 + low;
	}
	return render_know(r, &h->choice.links, (struct hash128){ low, high }, &value) == HASHSET_KNOWN && value;
}

/* Whether the bytes up to `end` hold the word. */
static bool holds(const char *p, const char *end, const char *word)
{
	const size_t n = (size_t)(end - p);
	return text_index(p, n, word) < n;
}

/* Moves n bytes down; returns where they end. */
static size_t moved(char *p, size_t to, size_t from, size_t n)
{
	if (to < from)
		memmove(p + to, p + from, n);
	return to + n;
}

/* Goes through the anchors of markup of ours, in which no other text looks like a tag.  `add`: remembers their targets;
 * else removes those with a known one from it.  Returns the new length. */
static size_t each_anchor(urlsift_renderer *r, char *p, size_t n, bool add)
{
	size_t to = 0;
	bool drop = false;
	for (size_t i = 0; i < n;) {
		const char *quote, *close;
		size_t k = byte_index((const uint8_t *)p, i, n, '<') - i;
		to = moved(p, to, i, k);
		i += k;
		if (i == n)
			break;
		k = 1;
		if (text_begins(p + i, n - i, tag)) {
			const char *target = p + i + sizeof tag - 1;
			close = memchr(target, '>', (size_t)(p + n - target));
			if (close) {
				quote = memchr(target, '"', (size_t)(close - target));
				bool warned = holds(quote, close, " title=\"");
				bool ends = holds(close, p + n, end_tag);
				drop = is_known(r, target, (size_t)(quote - target), add) && !add && !warned && ends;
				k = (size_t)(close - p) + 1 - i;
				if (drop) {
					i += k;
					continue;
				}
			}
		} else if (drop && text_begins(p + i, n - i, end_tag)) {
			i += sizeof end_tag - 1;
			continue;
		}
		to = moved(p, to, i, k);
		i += k;
	}
	return to;
}

void html_choice_note(urlsift_renderer *r, const char *target, size_t n)
{
	const struct html_choice *c = &((const struct html_state *)r->state)->choice;
	if (n <= HTML_NOTED_MAX && (c->state == CHOICE_SHOWN || (c->state == CHOICE_HELD && c->first == SIZE_MAX)))
		is_known(r, target, n, true);
}

/* ---- Output ----------------------------------------------------------------------- */

/* Passes bytes on, in blocks that are not taken for the writer's own: while it is being flushed, to the callback before
 * this one, else through its buffer. */
static void emit(urlsift_renderer *r, const void *bytes, size_t n)
{
	struct html_state *h = r->state;
	struct html_choice *c = &h->choice;
	const char *p = bytes;
	for (size_t k; n > 0 && !r->writer.error && !c->error; p += k, n -= k) {
		k = smaller(n, RENDER_BLOCK / 2);
		if (c->flushing)
			c->error = c->write(c->user, p, k);
		else
			writer_put(&r->writer, p, k);
	}
}

static void emit_text(urlsift_renderer *r, const char *text) { emit(r, text, strlen(text)); }

/* Nothing more is held; `more` follows. */
static void spill(urlsift_renderer *r, bool more)
{
	struct html_state *h = r->state;
	struct html_choice *c = &h->choice;
	bool held = c->state == CHOICE_HELD, others = !held || c->first != SIZE_MAX;
	char *p = (char *)c->held.data;
	size_t first = held ? smaller(c->first, c->held.length) : 0, rest = c->held.length - first;
	each_anchor(r, p, first, true);
	emit(r, p, first);
	c->state = held ? CHOICE_SHOWN : c->state;
	if (others && (more || rest > 0)) {
		emit_text(r, "<details><summary class=\"w\">Another version of this text</summary>");
		if (rest > 0)
			emit(r, p + first, each_anchor(r, p + first, rest, false));
		c->state = CHOICE_FULL;
	}
	c->held.length = 0;
}

static void divert(urlsift_renderer *r, urlsift_write_fn write, void *user)
{
	r->writer.write = write;
	r->writer.user = user;
}

/* The write callback while the writer's bytes are held; those that were in its buffer before are not. */
static int hold(void *user, const void *bytes, size_t n)
{
	urlsift_renderer *r = user;
	struct html_state *h = r->state;
	struct html_choice *c = &h->choice;
	const char *p = bytes;
	size_t kept = smaller(c->kept, n), room = HTML_CHOICE_MAX - c->held.length;
	c->flushing = true;
	emit(r, p, kept);
	c->kept = 0;
	size_t fits = smaller(n - kept, room);
	bool held = html_hold(r, &c->held, p + kept, fits);
	if (!held || kept + fits < n) {
		fits = held ? fits : 0;
		spill(r, true);
		emit(r, p + kept + fits, n - kept - fits);
		divert(r, c->write, c->user);
	}
	c->flushing = false;
	return c->error;
}

/* Holds what the writer's buffer has got since `kept`. */
static void take(urlsift_renderer *r)
{
	struct html_state *h = r->state;
	struct html_choice *c = &h->choice;
	if (!html_choice_holds(c))
		return;
	if (html_hold(r, &c->held, r->writer.data + c->kept, r->writer.used - c->kept))
		r->writer.used = c->kept;
	else
		writer_flush(&r->writer);
}

/* ---- Places ----------------------------------------------------------------------- */

static void begin(urlsift_renderer *r)
{
	struct html_state *h = r->state;
	struct html_choice *c = &h->choice;
	html_close(r, HTML_ARTICLE);
	hashset_reset(&c->links);
	c->state = CHOICE_HELD;
	c->error = 0;
	c->begin = c->held.length = 0;
	c->first = SIZE_MAX;
	c->write = r->writer.write;
	c->user = r->writer.user;
	c->kept = r->writer.used;
	divert(r, hold, r);
}

void html_choice_end(urlsift_renderer *r)
{
	struct html_state *h = r->state;
	struct html_choice *c = &h->choice;
	html_close(r, HTML_ARTICLE);
	take(r);
	divert(r, c->write, c->user);
	if (c->state != CHOICE_FULL)
		spill(r, false);
	if (c->state == CHOICE_FULL)
		emit_text(r, "</details>");
	writer_fail(&r->writer, c->error);
	c->state = CHOICE_NONE;
	c->alternative = 0;
}

void html_choice_place(urlsift_renderer *r)
{
	struct html_state *h = r->state;
	struct html_choice *c = &h->choice;
	const urlsift_place *p = r->place;
	if (c->alternative && p->alternative != c->alternative)
		html_choice_end(r);
	if (p->alternative && !c->alternative) {
		begin(r);
	} else if (c->alternative && p->choice != c->choice) {
		html_close(r, HTML_ARTICLE);
		take(r);
		c->begin = c->held.length;
		c->first = c->first == SIZE_MAX ? c->begin : c->first;
		if (c->state == CHOICE_SHOWN) {
			c->state = CHOICE_AFTER;
			c->kept = r->writer.used;
			divert(r, hold, r);
		}
	}
	c->alternative = p->alternative;
	c->choice = p->choice;
}

void html_choice_piece(urlsift_renderer *r, const urlsift_piece *piece)
{
	struct html_state *h = r->state;
	struct html_choice *c = &h->choice;
	bool seen = false;
	if (r->place->target || strcmp(r->place->type, "text/html"))
		return;
	for (size_t i = 0; i < piece->text_length && !seen;) {
		uint32_t cp;
		i += utf8_next((const uint8_t *)piece->text + i, piece->text_length - i, &cp);
		seen = cp > ' ' && cp != 0xA0 && !uclass_is_invisible(cp);
	}
	if (!seen)
		return;
	take(r);
	if (c->state != CHOICE_HELD)
		return; /* it was more than can be held */
	divert(r, c->write, c->user);
	if (c->first != SIZE_MAX)
		hashset_reset(&c->links); /* they were those of the first alternative */
	each_anchor(r, (char *)c->held.data + c->begin, c->held.length - c->begin, true);
	emit(r, c->held.data + c->begin, c->held.length - c->begin);
	c->held.length = c->begin;
	c->state = CHOICE_SHOWN;
}
