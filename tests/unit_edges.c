/* What single rules say at every byte of texts, where a whole text asks them at few: the rules of characters, lines,
 * hosts, extents, guesses and candidates, each of its own, on the paragraphs of testdata as they are and with a byte
 * changed.  An answer that another rule would overrule, or that only takes longer, changes no output.
 * testdata/edges.digests has a line for each file.
 *
 * usage: unit_edges [--write | --show FILE] */
#include "look.h"
#include "scan/candidate.h"
#include "scan/label.h"
#include "scan/scanner.h"

enum { SETS = 3, CHANGES = 5 };

struct reader { struct look look; urlsift_scanner *scanners[SETS]; };

static void say_prefix(struct look *said, const struct line_prefix *f)
{
	const uint64_t facts[] = { f->quotes, (uint64_t)f->diff, f->twice, (uint64_t)f->comment, f->list, f->block,
		f->indented, f->unchanged, f->end };
	look_all(said, facts, sizeof facts / sizeof *facts);
	for (size_t i = 0; i < f->quotes; i++)
		look_say(said, (uint8_t)f->marks[i]);
}

/* The line that may begin at i. */
static void say_line(struct look *said, const struct view *v, size_t i)
{
	struct line_prefix f;
	struct block_state block = { .kind = BLOCK_NONE };
	size_t start = 0, end = 0, width = 0, marks = 0, content = 0, next = 0, last = 0, page = 0;
	const bool sees = line_start(v, i, &start);
	prefix_read(v, start, i, &f);
	say_prefix(said, &f);
	const bool found = line_find_end(v, i, LINE_LOOK, &end), ends = line_end(v, end, &width);
	const size_t below = end + width;
	const bool matches = prefix_match(v, below, &f, &marks, &content), begins = block_begins(v, i, &block, &next, &last);
	const uint64_t facts[] = { sees, start, found, end, ends, width, matches, matches ? marks : 0, matches ? content : 0,
		prefix_before(v, i, start), line_lost_marks(v, below, &f), line_columns(v, i), line_is_wrapped(v, below),
		line_escapes(v, start, end), i < end && line_is_quoted_printable(v, i), line_soft_break(v, i),
		line_is_separator(v, i), line_depth(v, i, 8), block_may_begin(v, i), begins, block.kind, begins ? next : 0,
		page_break(v, below, &f, false, &page), page };
	look_all(said, facts, sizeof facts / sizeof *facts);
}

static void say_extent(struct look *said, const struct extent *x)
{
	const struct nested *n = &x->nested;
	const uint64_t facts[] = { x->end, x->at, x->first_escape, x->bracket, x->square, x->path, x->beyond_ascii, x->truncated,
		x->unescape, x->at_opener, x->closer, n->open[0], n->open[1], n->open[2], n->escaped, x->apostrophes };
	look_all(said, facts, sizeof facts / sizeof *facts);
}

static void say_host(struct look *said, const struct view *v, size_t i, const struct opening *o)
{
	for (int escaped = 0; escaped < 2; escaped++) {
		struct host h = {0};
		const bool is = escaped ? host_read_escaped(v, i, o->mark, &h) : host_read(v, i, o->mark, &h);
		const uint64_t facts[] = { is, h.end, h.labels, h.stopped, h.last_alpha, h.ascii };
		look_all(said, facts, is ? sizeof facts / sizeof *facts : 1);
		if (is && !escaped) {
			look_say(said, host_is_domain(v->p + i, h.end - i, false) + 2u * host_is_domain(v->p + i, h.end - i, true));
			look_say(said, usable_plain_address(v->p + i, h.end - i));
		}
	}
}

static void say_authority(struct look *said, const struct view *v, size_t i, const struct opening *o)
{
	struct schemepart b = {0};
	const bool is = authority_read(v, i, o, &b);
	const uint64_t facts[] = { is, b.host, b.rest, b.ends, b.torn, b.escaped, b.plain, b.domain, b.hier };
	look_all(said, facts, is ? sizeof facts / sizeof *facts : 1);
	for (size_t row = 0; row < 6; row++) {
		static const char *const names[] = { "http", "mailto", "news", "urn", "file", NULL };
		struct schemepart s = { .rest = i };
		const struct scheme *scheme = names[row] ? scheme_find(names[row], strlen(names[row])) : NULL;
		const bool goes_on = schemepart_check(v, scheme, false, o, &s);
		const uint64_t more[] = { goes_on, s.rest, s.ends, s.domain };
		look_all(said, more, goes_on ? sizeof more / sizeof *more : 1);
	}
}

static void say_guess(struct look *said, const struct view *v, const struct opening *o, const struct extent *x)
{
	enum { SHORTEST = 8 };
	struct guess g = {0}; /* not all of it is set of every word */
	if (x->end < x->begin + SHORTEST)
		return;
	look_say(said, guess_is_near(v, x->at) + 2u * guess_may_follow(v, x->at));
	if (!guess_init(&g, v, o, x))
		return;
	const bool is = guess_next(&g, v);
	const uint64_t facts[] = { is, g.at, g.host, g.query, g.scheme, g.open, g.next, g.next_end };
	look_all(said, facts, sizeof facts / sizeof *facts);
	if (!is)
		return;
	const uint64_t word[] = { (uint64_t)(g.confidence * 10000 + 0.5), g.content, g.marked, g.lacks == LACKS_QUOTES, g.w.n, g.w.left, g.w.solid,
		g.w.ending, g.w.closed, g.w.alone, g.w.strong, g.w.plain, g.w.common };
	look_all(said, word, sizeof word / sizeof *word);
}

/* What begins at i, if a link did. */
static void say_link(struct look *said, const struct view *v, size_t i)
{
	struct opening o;
	struct extent x;
	opening_read(v, i, &o);
	const bool allowed = opening_allows(v, 0, &o, i % 2);
	const uint64_t facts[] = { o.before, o.mark, o.marks, o.must_close, allowed, opening_is_escaped(v, i),
		opening_follows_ruler(v, i), opening_has_prefix(v, i), extent_scheme_at(v, i), schemepart_colon(v, i),
		schemepart_slashes(v, i), host_is_cut(v, i > 8 ? i - 8 : 0, i) };
	look_all(said, facts, sizeof facts / sizeof *facts);
	extent_init(&x, i, i, i % 3 ? 8000 : 24);
	extent_before(&x, o.before);
	x.source = i % 2;
	x.escaped = i % 5 == 0;
	extent_run(&x, v);
	say_extent(said, &x);
	say_guess(said, v, &o, &x);
	if (extent_is_open(&x)) {
		size_t read = 0;
		extent_end_at_opener(&x, v, &read);
		say_extent(said, &x);
		look_say(said, read);
	}
	say_host(said, v, i, &o);
	say_authority(said, v, i, &o);
}

/* The candidate whose trigger byte is at i. */
static void say_candidate(struct look *said, urlsift_scanner *s, const struct view *v, size_t i)
{
	struct exceeded exceeded = {0};
	struct rules rules = s->settings.rules;
	rules.exceeded = &exceeded;
	struct candidate c = { .rules = &rules, .v = v, .link = &s->link, .terminal = &s->in.terminal };
	link_clear(&s->link);
	const size_t end = v->p[i] == ':' ? simple_read(&c, i) : 0;
	const uint64_t facts[] = { end, c.free, c.path, c.measured, end ? simple_may_be_cut(&c) : 0, end ? s->link.reach : 0 };
	look_all(said, facts, sizeof facts / sizeof *facts);
	c = (struct candidate){ .rules = &rules, .v = v, .link = &s->link, .terminal = &s->in.terminal };
	const bool is = candidate_read(&c, i);
	const uint64_t more[] = { is, c.still_open, s->link.reach, exceeded.count, is ? c.end : 0, is && c.swallowed,
		is && c.swallowed ? c.from : 0, is ? s->link.length : 0 };
	look_all(said, more, sizeof more / sizeof *more);
}

static void say_text(struct reader *r, size_t set, const uint8_t *text, size_t n)
{
	enum { PAD = 64 };
	static uint8_t room[PAD + LOOK_ROOM + PAD], label[LABEL_MAX];
	uint8_t *p = room + PAD;
	bool more = false;
	urlsift_scanner *s = r->scanners[set];
	struct look *said = &r->look;
	memset(room, 0, sizeof room);
	memcpy(p, text, n);
	const struct view v = { .p = p, .end = n, .first = true, .last = true, .more = &more, .flowed = (enum flowed)(n % 3) };
	for (size_t i = 0; i < n; i++) {
		say_line(said, &v, i);
		say_link(said, &v, i);
		const size_t end = label_after_end(&v, i, 1 + i % 2);
		const uint64_t facts[] = { label_after(p + i, end - i, label), end, label_before(p, i, 1 + i % 2, label) };
		look_all(said, facts, sizeof facts / sizeof *facts);
	}
	struct find_state find;
	find_begin(&find, p);
	for (size_t i = 0; (i = find_next(&s->settings.finder, &find, i, n)) < n; i++)
		if (!BYTE_IN(p[i], "\x1b\b\n=-"))
			say_candidate(said, s, &v, i);
}

static void say_paragraph(void *reader, const uint8_t *text, size_t n)
{
	struct reader *r = reader;
	uint8_t changed[LOOK_ROOM];
	say_text(r, 0, text, n);
	for (size_t i = 0; i < CHANGES && n; i++)
		say_text(r, (i + 1) % SETS, changed, look_change(text, n, i, changed));
	look_show(&r->look, text, n);
}

int main(int argc, char **argv)
{
	static struct reader r = { .look.first = 1 };
	const urlsift_sink sink = { .piece = look_piece, .user = &r.look };
	urlsift_context *context = urlsift_context_new(NULL);
	for (size_t set = 0; set < SETS; set++) {
		urlsift_options *o = look_options(set);
		r.scanners[set] = urlsift_new(context, o, &sink, NULL);
		urlsift_options_free(o);
	}
	static const char *const patterns[] = { LOOK_TEXTS, NULL };
	look_files(argc, argv, "testdata/edges.digests", patterns, &r.look, say_paragraph, &r);
	for (size_t set = 0; set < SETS; set++)
		urlsift_free(r.scanners[set]);
	urlsift_context_free(context);
	return check_end();
}
