#include "tag.h"

#include "text/bits.h"
#include "text/match.h"

#include <string.h>

enum {
	NOT_DISPLAYED = 1, NOT_VISIBLE = 2, WITHOUT_SIZE = 4,
	BY_DEFAULT = 8, /* or by an attribute: where a style does not display it */
	WITHOUT_CONTENT = 16, CLOSED = 32, DRAWN = 64, /* of SVG and MathML */
	HIDDEN = 127,
	INLINE = 128, /* hides nothing, but its edges */
	OVERRIDDEN = 256, RIGHT_TO_LEFT = 512, TURNED = 1024 /* both */
};

void unseen_begin(struct htmltext *h)
{
	struct unseen *u = &h->unseen;
	u->own = u->declared = u->important = 0;
	u->length = u->alt_length = 0;
	u->brackets = u->recent = u->escape = 0;
	u->quote = 0;
	u->comment = false;
	u->dir = 0;
}

void unseen_dir(struct htmltext *h, const uint8_t *p, size_t n)
{
	h->unseen.dir = ascii_follow_all("rtl", h->unseen.dir, p, n);
}

/* ---- Style ---- */

/* What a value means for its property: nothing, as it is not valid; what the element around has; that the text is shown
 * as usual; that it is hidden, or turned. */
enum meaning { MEANS_NOTHING, MEANS_INHERITED, MEANS_SHOWN, MEANS_HIDDEN };

/* Each function is of the values that are not among the words of the property. */
static enum meaning display_meaning(const uint8_t *p, size_t n)
{
	static const char words[] =
		"block inline flow flow-root list-item table flex grid ruby math contents inline-block inline-table inline-flex"
		" inline-grid table-row-group table-header-group table-footer-group table-row table-cell table-column-group"
		" table-column table-caption ruby-text -webkit-box -webkit-inline-box -webkit-flex -webkit-inline-flex";
	for (size_t i = 0, end; i <= n; i = end + 1) {
		end = byte_index(p, i, n, ' ');
		if (!text_is_among(p + i, end - i, words))
			return MEANS_NOTHING;
	}
	return MEANS_SHOWN;
}

static enum meaning inline_meaning(const uint8_t *p, size_t n)
{
	const enum meaning meaning = display_meaning(p, n);
	return meaning == MEANS_SHOWN && match_bytes(p, n, "inline|contents") ? MEANS_HIDDEN : meaning;
}

/* A size of text.  `plain`: a number needs no unit, as in documents without a doctype. */
static enum meaning size_meaning(const uint8_t *p, size_t n, bool plain)
{
	static const char relative[] = "em ex ch ic cap lh %";
	static const char units[] =
		"px pt pc in cm mm q rem rex rch ric rcap rlh vw vh vi vb vmin vmax svw svh svi svb svmin svmax lvw lvh lvi lvb"
		" lvmin lvmax dvw dvh dvi dvb dvmin dvmax cqw cqh cqi cqb cqmin cqmax";
	if (text_is_among(p, n, "xx-small x-small small medium large x-large xx-large xxx-large -webkit-xxx-large"))
		return MEANS_SHOWN;
	if (text_is_among(p, n, "smaller larger math"))
		return MEANS_INHERITED;
	if (match_bytes(p, n, "calc(|min(|max(|clamp("))
		return byte_until(p, 0, n, "123456789") == n ? MEANS_HIDDEN : MEANS_SHOWN;
	const size_t number = match_bytes(p, n, "[+-]?%d*.%d+|[+-]?%d+");
	if (!number)
		return MEANS_NOTHING;
	const bool zero = byte_after(p, 0, number - 1, "+-.0") == number - 1;
	const size_t exponent = match_bytes(p + number - 1, n - number + 1, "e[+-]?%d+");
	const size_t unit = number - 1 + excess(exponent, 1);
	const bool of_size = text_is_among(p + unit, n - unit, relative);
	if ((*p == '-' && !zero)
	    || !(of_size || text_is_among(p + unit, n - unit, units) || (unit == n && (zero || plain))))
		return MEANS_NOTHING;
	return zero ? MEANS_HIDDEN : of_size ? MEANS_INHERITED : MEANS_SHOWN;
}

static enum meaning font_size_meaning(const uint8_t *p, size_t n) { return size_meaning(p, n, true); }

/* The size in the shorthand stands after a style perhaps, and before a family. */
static enum meaning font_meaning(const uint8_t *p, size_t n)
{
	static const char words[] =
		"normal italic oblique small-caps bold bolder lighter ultra-condensed extra-condensed condensed semi-condensed"
		" semi-expanded expanded extra-expanded ultra-expanded";
	for (size_t i = 0, end; i < n; i = end + 1) {
		end = byte_until(p, i, n, " /(");
		end = byte_at(p, end, n) == '(' ? smaller(byte_last(p, end, byte_index(p, end, n, '/'), ')'), n) : end;
		const enum meaning meaning = size_meaning(p + i, end - i, false);
		if (meaning != MEANS_NOTHING) {
			const size_t family = end + match_bytes(p + end, n - end, " ?/ ?[^ ]+ %f[^ ]| %f[^/ ]");
			const size_t other = byte_until(p, family, n, "\"'()[]{}:/%");
			return family > end && (other == n || is_quote_mark(p[other])) ? meaning : MEANS_NOTHING;
		}
		if (!text_is_among(p + i, end - i, words) && match_bytes(p + i, end - i, "%d+" MATCH_END) == 0)
			return MEANS_NOTHING;
	}
	return MEANS_NOTHING;
}

static enum meaning no_meaning(const uint8_t *p, size_t n)
{
	(void)p, (void)n;
	return MEANS_NOTHING;
}

/* A property, or several: the words that hide what has them, and those that show it, and what other values mean. */
struct property {
	const char *name;
	unsigned sets;
	const char *hides, *shows;
	enum meaning (*meaning)(const uint8_t *p, size_t n);
};

static enum meaning meaning_of(const struct property *row, const uint8_t *p, size_t n)
{
	if (text_is_among(p, n, row->hides))
		return MEANS_HIDDEN;
	return text_is_among(p, n, row->shows) ? MEANS_SHOWN : row->meaning(p, n);
}

static void declaration_end(struct unseen *u)
{
	static const struct property rows[] = {
		{ "display", NOT_DISPLAYED, "none", "", display_meaning }, { "display", INLINE, "none", "", inline_meaning },
		{ "visibility", NOT_VISIBLE, "hidden collapse", "visible", no_meaning },
		{ "font-size", WITHOUT_SIZE, "", "", font_size_meaning },
		{ "font", WITHOUT_SIZE, "", "caption icon menu message-box small-caption status-bar", font_meaning },
		{ "unicode-bidi", OVERRIDDEN, "bidi-override isolate-override", "normal embed isolate plaintext", no_meaning },
		{ "direction", RIGHT_TO_LEFT, "rtl", "ltr", no_meaning },
		{ "all", NOT_DISPLAYED | NOT_VISIBLE | WITHOUT_SIZE, "", "", no_meaning }
	};
	const uint8_t *p = (const uint8_t *)u->declaration;
	const size_t length = u->length, colon = byte_index(p, 0, length, ':');
	const size_t value = smaller(colon + 1 + (byte_at(p, colon + 1, length) == ' '), length);
	const size_t mark = byte_index(p, value, length, '!'), n = mark - value - (byte_before(p, mark) == ' ');
	u->length = 0;
	if (value >= mark || (mark < length && !match_bytes(p + mark, length - mark, "! ?important ?" MATCH_END)))
		return;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		if (!text_is(p, colon - (byte_before(p, colon) == ' '), rows[i].name))
			continue;
		/* what every property may have; what a variable holds is not known, and mostly not there */
		const bool unset = text_is(p + value, n, "unset") || text_index(p + value, n, "var(") < n;
		const bool initial = text_is(p + value, n, "initial");
		const bool inherited = unset || text_is_among(p + value, n, "inherit revert revert-layer");
		const enum meaning meaning = initial ? MEANS_SHOWN : inherited ? MEANS_INHERITED
		                             : meaning_of(&rows[i], p + value, n);
		const unsigned free = rows[i].sets & ~bits_if(mark == length, u->important);
		const unsigned properties = bits_if(meaning != MEANS_NOTHING, free);
		u->important |= bits_if(mark < length, properties);
		u->declared &= ~properties;
		u->declared |= bits_if(meaning != MEANS_INHERITED, properties) | bits_if(unset, properties & NOT_DISPLAYED);
		u->own &= ~properties;
		u->own |= bits_if(meaning == MEANS_HIDDEN, properties);
	}
}

/* A character of the declaration, with one blank for white space and comments, in lower case.  Of others than those
 * above no more is kept than that. */
static void declaration_put(struct unseen *u, uint8_t c)
{
	enum { SKIPPED = sizeof u->declaration };
	const uint8_t shown = run_is_space(c) ? ' ' : to_lower(c);
	if (u->length == SKIPPED || (shown == ' ' && (!u->length || u->declaration[u->length - 1] == ' ')))
		return;
	u->declaration[u->length++] = (char)shown;
	if (u->length == 1 && !is_of((char)shown, "dvfua"))
		u->length = SKIPPED;
}

/* What an escape means: of a name, if at all, even where the character itself means more. */
static void escape_end(struct unseen *u, uint32_t code)
{
	enum { OTHER = 0xFF };
	u->escape = 0;
	if (!u->quote)
		declaration_put(u, code < 0x80 && (is_alpha((uint8_t)code) || code == '-') ? (uint8_t)code : OTHER);
}

/* Takes a byte after `\`: whether it belongs to the escape. */
static bool escape_read(struct unseen *u, uint8_t c)
{
	enum { DIGITS = 6 };
	const unsigned digit = hex_digit(c), digits = u->escape - 1;
	if (digit < 16 && digits < DIGITS) {
		u->code = u->code << 4 | digit;
		u->escape++;
		return true;
	}
	escape_end(u, digits ? u->code : BYTE_IN(c, "\n\f\r") ? 0 : c);
	return !digits || run_is_space(c);
}

/* What is open, the innermost lowest, three bits each; past 21 the outermost falls off. */
enum { OPEN_PARENTHESIS = 1, OPEN_BRACKET, OPEN_BRACE, OPEN_URL /* without quotation marks */ };

static bool in_url(const struct unseen *u) { return u->brackets % 8 == OPEN_URL; }

static unsigned bracket_number(const char brackets[3], uint8_t c)
{
	const uint8_t *const at = memchr(brackets, c, 3);
	return at ? 1 + (unsigned)(at - (const uint8_t *)brackets) : 0;
}

/* Follows brackets: `before` are the bytes before this one. */
static void bracket_read(struct unseen *u, uint8_t c, uint32_t before)
{
	static const char opening[] = "([{", closing[] = ")]}";
	const unsigned opened = bracket_number(opening, c), closed = bracket_number(closing, c);
	if (closed && (closed == u->brackets % 8 || (in_url(u) && closed == OPEN_PARENTHESIS))) {
		u->brackets >>= 3;
		if (c == '}' && !u->brackets && *u->declaration == '@') /* ends a rule */
			u->length = 0;
	} else if (opened && !in_url(u)) {
		const bool url = c == '(' && (before | 0x202020) << 8 == ('u' << 24 | 'r' << 16 | 'l' << 8);
		u->brackets = u->brackets << 3 | (url && !(byte_class[before >> 24] & BYTE_NAME) ? OPEN_URL : opened);
	}
}

/* Notes what comes before the next byte: nothing after `(` but more than white space, as a string may still come. */
static void note(struct unseen *u, uint8_t c)
{
	if ((u->recent & 0xFF) != '(' || !run_is_space(c))
		u->recent = u->recent << 8 | c;
}

/* By the tokens of CSS (CSS Syntax Level 3): `;` ends a declaration only outside of brackets, strings and comments. */
static void css_read(struct unseen *u, uint8_t c)
{
	const uint32_t before = u->recent;
	const uint8_t last = before & 0xFF;
	note(u, c);
	if (u->comment) {
		u->comment = c != '/' || last != '*';
		u->recent = u->comment ? u->recent : 0;
		return;
	}
	if (u->escape) {
		u->recent = 0;
		if (escape_read(u, c))
			return;
	} else if (last == '/' && !u->quote && !in_url(u)) {
		u->comment = c == '*';
		declaration_put(u, u->comment ? ' ' : '/');
	}
	if (u->comment) {
		u->recent = 0; /* it does not end it too */
	} else if (c == '\\') {
		u->escape = 1;
		u->code = 0;
	} else if (u->quote) {
		u->quote = c == u->quote || BYTE_IN(c, "\n\f\r") ? 0 : u->quote;
	} else if (c == ';' && !u->brackets) {
		declaration_end(u);
	} else if (is_quote_mark(c) && (!in_url(u) || last == '(')) {
		u->quote = c;
		u->brackets -= in_url(u) ? OPEN_URL - OPEN_PARENTHESIS : 0;
		declaration_put(u, c);
	} else if (c != '/' || in_url(u)) {
		declaration_put(u, c);
		bracket_read(u, c, before);
	}
}

void unseen_read(struct htmltext *h, const uint8_t *p, size_t n)
{
	struct unseen *u = &h->unseen;
	for (size_t i = 0; i < n; i++) {
		if (u->length == sizeof u->declaration && !u->escape) { /* most are passed over */
			const size_t from = i;
			i = byte_until(p, i, n, "\\/;*'\"()[]{}\n\f\r");
			for (size_t k = larger(from, excess(i, 4)); k < i; k++)
				note(u, p[k]);
		}
		if (i < n)
			css_read(u, p[i]);
	}
}

void unseen_style_end(struct htmltext *h)
{
	struct unseen *u = &h->unseen;
	if (u->escape)
		escape_end(u, u->escape > 1 ? u->code : 0);
	if ((u->recent & 0xFF) == '/' && !u->comment)
		declaration_put(u, '/');
	declaration_end(u);
}

/* ---- Elements ---- */

static bool is_among(const struct element *e, const char *names)
{
	return text_is_among(e->name, strlen(e->name), names);
}

/* What is hidden in the element that the tag begins. */
static unsigned hidden_in(const struct htmltext *h)
{
	static const struct { const char *names; unsigned hides, shows; } defaults[] = {
		{ "bdo", OVERRIDDEN, 0 }, { "title rp datalist dialog", BY_DEFAULT, 0 },
		{ "audio video canvas meter progress", WITHOUT_CONTENT, 0 },
		{ "details", CLOSED, 0 }, { "summary", 0, CLOSED },
		{ "svg math desc title", DRAWN, 0 }, { "text foreignobject mi mn mo ms mtext", 0, DRAWN }
	};
	const struct unseen *u = &h->unseen;
	unsigned own = (u->own & ~(unsigned)INLINE) | bits_if(h->tag.with & USE_HIDDEN, BY_DEFAULT);
	unsigned shows = u->declared & (NOT_VISIBLE | WITHOUT_SIZE | RIGHT_TO_LEFT);
	if (u->dir && !(u->declared & RIGHT_TO_LEFT)) {
		own |= bits_if(u->dir == 3, RIGHT_TO_LEFT);
		shows |= RIGHT_TO_LEFT;
	}
	shows |= OVERRIDDEN | bits_if(h->tag.with & USE_SIZE, WITHOUT_SIZE);
	const bool one = u->hidden || within(h->tag.element->is / IS_TARGET % 64, TARGET_OPEN, TARGET_AUDIO);
	for (size_t i = 0; i < sizeof defaults / sizeof *defaults && one && !(h->tag.with & USE_OPEN); i++) {
		if (!is_among(h->tag.element, defaults[i].names) || (defaults[i].shows == DRAWN && !htmltext_foreign(h)))
			continue;
		own |= defaults[i].hides;
		shows |= defaults[i].shows;
	}
	own &= ~bits_if(u->declared & NOT_DISPLAYED, BY_DEFAULT);
	const unsigned hidden = own | (u->hidden & ~shows), both = OVERRIDDEN | RIGHT_TO_LEFT;
	return hidden | bits_if((hidden & both) == both, TURNED);
}

void unseen_alt(struct htmltext *h, const uint8_t *p, size_t n)
{
	struct unseen *u = &h->unseen;
	size_t room = sizeof u->alt - u->alt_length;
	n = smaller(n, room);
	memcpy(u->alt + u->alt_length, p, n);
	u->alt_length += n;
}

void unseen_alt_end(struct htmltext *h)
{
	struct unseen *u = &h->unseen;
	if (u->alt_length && h->status == URLSIFT_OK && !(hidden_in(h) & HIDDEN)) {
		h->text.bare = h->text.bare == BARE_OPEN ? BARE_IMAGE : h->text.bare;
		htmltext_stop(h, h->sink.alt(h->sink.user, u->alt, u->alt_length));
	}
	u->alt_length = 0;
}

void unseen_end(struct htmltext *h, size_t depth)
{
	struct unseen *u = &h->unseen;
	if (u->depth <= depth)
		return;
	u->depth = depth;
	u->hidden = u->open[depth].hidden;
}

#define CELLS "td th caption"
#define GROUPS "article blockquote button center details dir dl fieldset form menu object ol section table ul "
#define HEADINGS "h1 h2 h3 h4 h5 h6"

/* Which elements a tag ends before it begins its own (HTML, "the rules for parsing tokens in HTML content"): the
 * outermost of those within any that it does not look behind. */
static void close_implied(struct htmltext *h)
{
	static const struct { const char *tags, *ends, *behind; } rows[] = {
		{ "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer "
		  "form header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp "
		  HEADINGS,
		  "p", "button object table " CELLS },
		{ HEADINGS, HEADINGS, "" }, { "option optgroup", "option", "" }, { "rp rt", "rp rt", "" },
		{ "li", "li", GROUPS CELLS }, { "dd dt", "dd dt", GROUPS CELLS },
		{ "button", "button", "object table " CELLS }, { "nobr", "nobr", "object table " CELLS },
		{ CELLS, CELLS, "table" }, { "tr", "tr " CELLS, "table" },
		{ "tbody thead tfoot", "tbody thead tfoot tr " CELLS, "table" }
	};
	struct unseen *u = &h->unseen;
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		if (!is_among(h->tag.element, rows[k].tags))
			continue;
		size_t from = u->depth;
		for (size_t i = u->depth; i && !is_among(u->open[i - 1].element, rows[k].behind); i--) {
			if (is_among(u->open[i - 1].element, rows[k].ends))
				from = i - 1;
			else if (!*rows[k].behind)
				break;
		}
		unseen_end(h, from);
	}
}

/* The element that the end tag ends; h->unseen.depth for none.  It does not look behind a block if it is that of no
 * block, nor of a style of text, nor behind a cell if it is of no table. */
static size_t find_closed(const struct htmltext *h)
{
	static const char styles[] = "a b big code em font i nobr s small strike strong tt u";
	const struct unseen *u = &h->unseen;
	if (!u->depth)
		return 0;
	const struct element *const closed = h->tag.element;
	const bool heading = is_among(closed, HEADINGS), part = is_among(closed, "table tbody thead tfoot tr " CELLS);
	const bool text = !(closed->is & (IS_BLOCK | IS_APART | IS_CELL)) && !is_among(closed, styles);
	for (size_t i = u->depth; i; i--) {
		const struct element *const e = u->open[i - 1].element;
		if (e == closed || (heading && is_among(e, HEADINGS)))
			return i - 1;
		if (is_among(e, part ? "table" : "object table " CELLS) || (text && e->is & (IS_BLOCK | IS_APART)))
			break;
	}
	return u->depth;
}

/* HTML that ends SVG and MathML does so up to HTML in them. */
static void close_foreign(struct htmltext *h)
{
	struct unseen *u = &h->unseen;
	size_t from = u->depth;
	for (size_t i = u->depth; i; i--) {
		const unsigned space = u->open[i - 1].element->is / IS_SVG % 16;
		if (space > SPACE_MATH)
			break;
		from = space ? i - 1 : from;
	}
	unseen_end(h, from);
}

/* HIDDEN, TURNED, or 0 for what is shown as it is. */
static unsigned look_of(unsigned hidden) { return hidden & HIDDEN ? HIDDEN : hidden & TURNED; }

void unseen_report(struct htmltext *h, unsigned before)
{
	const unsigned look = look_of(h->unseen.hidden);
	htmltext_stop(h, h->status == URLSIFT_OK && look != look_of(before) &&
	                 h->sink.unseen(h->sink.user, look == HIDDEN, look == TURNED));
}

/* The tag, which is no end tag, begins its element. */
static void element_begin(struct htmltext *h, uint64_t at, bool foreign)
{
	struct unseen *u = &h->unseen;
	const struct element *const e = h->tag.element;
	const unsigned before = u->hidden, hidden = hidden_in(h);
	const bool edges = !(u->own & INLINE), displayed = !(hidden & ~before & (NOT_DISPLAYED | BY_DEFAULT));
	const bool root = within(e->is / IS_SVG % 16, SPACE_SVG, SPACE_MATH);
	const bool empty = e->is & IS_VOID || scope_ignores(h, e) || (h->tag.slash && (foreign || root));
	unseen_alt_end(h);
	if (edges && displayed)
		text_edge(h, at);
	if (empty || !(u->depth || hidden || !edges) || u->depth == HTMLTEXT_UNSEEN_MAX)
		return;
	u->open[u->depth].element = e;
	u->open[u->depth].is_inline = !edges;
	u->open[u->depth++].hidden = before;
	u->hidden = hidden;
	unseen_report(h, before);
	if (edges && !displayed) /* of what is searched, not of what is seen */
		text_edge(h, at);
}

void unseen_tag_end(struct htmltext *h, uint64_t at)
{
	struct unseen *u = &h->unseen;
	const unsigned before = u->hidden;
	const bool foreign = htmltext_foreign(h);
	if (foreign && h->tag.element->is & (h->tag.is_end ? IS_BREAKING : IS_BREAKOUT))
		close_foreign(h);
	if (h->tag.is_end) { /* ends those inside it as well */
		const size_t i = find_closed(h);
		if (i == u->depth || !u->open[i].is_inline)
			text_edge(h, at);
		unseen_end(h, i);
	} else if (u->depth && !foreign) {
		close_implied(h);
	}
	unseen_report(h, before);
	if (!h->tag.is_end)
		element_begin(h, at, foreign);
}
