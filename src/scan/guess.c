#include "guess.h"

#include "line.h"

#include <string.h>

/* The first word of the next line and what is known of that line. */
struct next_line {
	size_t line, content; /* its start; behind furniture and indentation */
	size_t word_end;      /* behind the word, as an extent */
	size_t end;           /* of the line */
	bool furniture;
};

static bool is_cut_mark(uint8_t c) { return c && strchr("/?&=-%._#~+", c); }

/* The end of the line at i; NO when it is longer than LINE_LOOK. */
static enum verdict find_line_end(const struct view *v, size_t i, size_t *end)
{
	size_t k = i;
	while (k < v->end && k - i <= LINE_LOOK && !is_line_end(v->p[k]))
		k++;
	view_work(v, k - i);
	*end = k;
	if (k - i > LINE_LOOK)
		return NO;
	return k >= v->end && !v->last ? MORE : YES;
}

/* A list item, a footnote, a signature, an attribution, markup, or a link. */
static bool begins_its_own(const struct view *v, const struct next_line *n)
{
	const uint8_t *p = v->p + n->content;
	size_t left = n->end - n->content, digits = 0;
	if (left > 1 && strchr("-*+", p[0]) && is_blank(p[1]))
		return true;
	if (strchr("[({<>\"'`*|.", p[0]) || (left >= 2 && p[0] == '-' && p[1] == '-'))
		return true;
	while (digits < left && is_digit(p[digits]))
		digits++;
	if (digits && digits < 4 && digits + 1 < left && strchr(".):", p[digits]) && is_blank(p[digits + 1]))
		return true;
	if (v->p[n->end - 1] == ':' || (n->word_end < n->end && v->p[n->word_end] == ':'))
		return true;
	if (left >= 4 && (view_word(v, n->content, "www.", 4) == YES || view_word(v, n->content, "ftp.", 4) == YES))
		return true;
	for (size_t k = n->content; k < n->word_end; k++)
		if (v->p[k] == ':' || v->p[k] == '@')
			return true; /* a scheme, a header field, an address */
	return false;
}

/* How much the word looks like the rest of a URL: 0 for plain prose. */
static double word_weight(const struct view *v, size_t from, size_t to)
{
	size_t strong = 0, weak = 0, digits = 0, letters = 0;
	for (size_t i = from; i < to; i++) {
		uint8_t c = v->p[i];
		if (is_alpha(c) || c >= 0x80)
			letters++;
		else if (is_digit(c))
			digits++;
		else if ((c == '/' && i > from && i + 1 < to) || c == '.' || c == '-' || c == '+')
			weak++; /* and/or */
		else if (strchr("/?=&%#_~", c))
			strong++;
		else
			letters++;
	}
	if (!digits && !letters)
		return 0; /* a rule of dashes or underscores */
	if (strong)
		return 0.35;
	if (weak == 1 && !digits && v->p[from] < 'a')
		return 0; /* Either/Or */
	if (weak && (digits || weak > 1))
		return 0.25;
	if (digits && letters)
		return 0.15;
	return weak || digits > 3 ? 0.1 : 0;
}

/* The longest of the up to three lines before `start`, in bytes; `at` is where
 * the look back begins. */
static size_t paragraph_width(const struct view *v, size_t start, size_t at)
{
	size_t longest = 0, i = start, stop = at - v->low > BACK_LOOK ? at - BACK_LOOK : v->low;
	for (int lines = 0; lines < 3 && i > stop; lines++) {
		size_t end = i - 1;
		if (end > stop && v->p[end] == '\n' && v->p[end - 1] == '\r')
			end--;
		size_t k = end;
		while (k > stop && !is_line_end(v->p[k - 1]))
			k--;
		view_work(v, end - k);
		if (k == end || (k == stop && !(v->first && k == v->low)))
			break; /* a blank line ends the paragraph */
		if (end - k > longest)
			longest = end - k;
		i = k;
	}
	return longest;
}

/* Whether the line was broken for its length: the next word had no place within
 * the width of the paragraph or, where no line shows it, the usual 76. */
static bool at_wrap_column(const struct view *v, size_t start, size_t begin, size_t at, const struct next_line *n)
{
	size_t here = at - start, word = n->word_end - n->content, width = paragraph_width(v, start, begin);
	if (width < 60)
		width = 76;
	return here >= 30 && here + word > width && here <= width + 8;
}

/* The next line begins below the text of this one, or below the link (a list of
 * references with a hanging indent). */
static bool is_aligned(const struct next_line *n, size_t start, const struct furniture *f, size_t begin)
{
	size_t column = n->content - n->line;
	return column == f->end - start || column == begin - start;
}

/* A scheme, or the name of a header field, begins at i: most lines behind a link
 * that are links themselves end here. */
static enum verdict has_name(const struct view *v, size_t i)
{
	size_t k = i;
	while (k < v->end && k - i < SCHEME_NAME_MAX && is_scheme_byte(v->p[k]))
		k++;
	if (k >= v->end)
		return v->last ? NO : MORE;
	return v->p[k] == ':' ? YES : NO;
}

/* Reads the next line.  NO when it cannot go on with a URL. */
static enum verdict read_next(const struct view *v, size_t begin, size_t at, size_t *start, struct next_line *n)
{
	struct furniture f;
	size_t i = at, width, marks;
	while (i < v->end && i - at < 8 && is_blank(v->p[i]))
		i++;
	enum verdict r = line_end(v, i, &width);
	if (r != YES)
		return r;
	if (line_start(v, begin, start) != YES)
		return NO;
	furniture_read(v, *start, begin, &f);
	n->line = i + width;
	r = furniture_match(v, n->line, &f, &marks, &n->content);
	if (r != YES)
		return r;
	n->furniture = marks != n->line;
	if (!is_aligned(n, *start, &f, begin))
		return NO;
	r = has_name(v, n->content);
	if (r != NO)
		return r == MORE ? MORE : NO;
	r = find_line_end(v, n->line, &n->end);
	if (r != YES || n->content >= n->end)
		return r == MORE ? MORE : NO;
	struct extent x;
	extent_init(&x, n->content, n->content, LINE_LOOK);
	if (extent_run(&x, v) == MORE)
		return MORE;
	n->word_end = x.end;
	return x.end > n->content && x.end <= n->end ? YES : NO;
}

static void make_joined(struct urlsift_link *link, const struct view *v, const struct span *cut, const struct next_line *n)
{
	link_add(link, v, cut->from, cut->to);
	link_add(link, v, n->content, n->word_end);
	link->flags |= URLSIFT_JOINED | (n->furniture ? URLSIFT_FURNITURE : 0);
	link->removed.breaks++;
	link->removed.furniture += n->furniture;
}

/* The text of `link` with the next line's word, as its alternate. */
static void add_alternate(const struct rules *rules, struct urlsift_link *link, const struct view *v,
                          size_t rest, const struct extent *x, const struct next_line *n, double confidence)
{
	size_t length = link->length;
	struct buf *copy = &link->copy;
	/* the joined text is made behind the link's own, which may stand in the window */
	bool own = link->text == copy->data && length;
	size_t at = own ? copy->length : 0;
	if (!own)
		copy->length = 0;
	bool ok = buf_reserve(copy, length) && buf_add(copy, own ? copy->data : link->text, length);
	ok = ok && link_convert(copy, v->p + rest, x->at - rest) && link_convert(copy, v->p + n->content, n->word_end - n->content);
	if (ok)
		link_alternate(link, rules->max_alternates, copy->data + at, copy->length - at, URLSIFT_WHY_JOIN, confidence);
	else
		link->failed = true;
	copy->length = own ? at : 0;
	if (own)
		link->text = copy->data;
}

enum verdict guess_join(const struct rules *rules, const struct view *v, const struct opening *o, const struct extent *x,
                        struct urlsift_link *link, size_t *end)
{
	bool likely = rules->join == URLSIFT_JOIN_LIKELY;
	struct next_line n;
	size_t start;
	if ((!rules->guess && !likely) || rules->join == URLSIFT_JOIN_NEVER || x->truncated || x->at == o->begin)
		return YES;
	if (link->flags & (URLSIFT_JOINED | URLSIFT_UNESCAPED))
		return YES;
	if (x->at >= v->end)
		return v->last ? YES : MORE;
	if (!is_blank(v->p[x->at]) && !is_line_end(v->p[x->at]))
		return YES;
	if (v->flowed && is_blank(v->p[x->at]))
		return YES; /* the break is declared: the blank stays */
	uint8_t cut = v->p[x->at - 1];
	/* what was trimmed must be a place where URLs are cut */
	if ((!is_alnum(cut) && !is_cut_mark(cut)) || x->at - x->end > 1)
		return YES;
	enum verdict r = read_next(v, o->begin, x->at, &start, &n);
	if (r != YES)
		return r == MORE ? MORE : YES;
	double weight = word_weight(v, n.content, n.word_end);
	if (weight <= 0 || begins_its_own(v, &n) || !at_wrap_column(v, start, o->begin, x->at, &n))
		return YES;
	double confidence = 0.35 + weight + (is_cut_mark(cut) ? (cut == '.' ? 0.05 : 0.25) : 0.05);
	if (n.word_end < n.end && !is_blank(v->p[n.word_end]))
		confidence -= 0.05; /* punctuation of a sentence follows */
	link->flags |= URLSIFT_JOIN_IS_GUESSED;
	if (!likely || confidence < 0.6) {
		add_alternate(rules, link, v, x->end, x, &n, confidence);
		return YES;
	}
	struct span whole = {o->begin, x->at};
	link_alternate(link, rules->max_alternates, link->text, link->length, URLSIFT_WHY_JOIN, 1 - confidence);
	link->span_count = link->spans.length = link->copy.length = 0;
	make_joined(link, v, &whole, &n);
	if (link->length > rules->max_url) {
		link_trim(link, v, rules->max_url);
		link->flags |= URLSIFT_TRUNCATED;
		rules_exceed(rules, URLSIFT_LIMIT_URL, o->begin);
	}
	*end = n.word_end;
	return YES;
}
