/* Fuzzes by construct: texts, pages, messages and mailboxes of what the rules know, combined at random, with random
 * options and outputs.  The first 8 bytes are a seed; the others, as long as they last, are the choices.
 *
 * Checked in each run: the output is well-formed (construct/output.c), pieces tile a text, links agree with the output
 * and text without links is that of the input, and one or two other ways give the same result (construct/run.h): the
 * input cut, portable routines, no fast way for simple links, a parser that was used before, allocations that fail.
 * In some: `list` against JSON, urlsift_find, rewritten text against the text.
 *
 * With FUZZ_SHOW in the environment the input goes to standard output, its options, and where an allocation fails, to
 * standard error. */
#define _GNU_SOURCE 1 /* for strcasestr */
#include "construct/output.h"
#include "construct/plan.h"

#include <ctype.h>

static struct result whole, other;

static const struct way *second; /* of `other` */

static void show_difference(const char *what, const struct bytes *a, const struct bytes *b)
{
	size_t i = 0;
	if (second)
		fprintf(stderr, "cut %u%s%s%s fail_at %zu\n", second->cut, second->portable ? " portable" : "",
		        second->general ? " general" : "", second->reused ? " reused" : "", second->fail_at);
	while (i < a->length && i < b->length && a->data[i] == b->data[i])
		i++;
	size_t from = i > 200 ? i - 200 : 0;
	fprintf(stderr, "%s differ at %zu of %zu and %zu\n--- one\n", what, i, a->length, b->length);
	fwrite(a->data + from, 1, a->length - from < 600 ? a->length - from : 600, stderr);
	fprintf(stderr, "\n--- other\n");
	fwrite(b->data + from, 1, b->length - from < 600 ? b->length - from : 600, stderr);
	fprintf(stderr, "\n");
	abort();
}

static void check_same(const char *what, const struct bytes *a, const struct bytes *b)
{
	if (!bytes_same(a, b))
		show_difference(what, a, b);
}

/* ---- What must hold for a run ---- */

static bool is_format(const struct plan *p, const char *format) { return !strcmp(p->how.format, format); }

/* Of a page, only what is in <main>; NULL for a page that was not completed. */
static const struct bytes *main_of(const struct plan *p, const struct bytes *output)
{
	static const char opening[] = "<main>", closing[] = "</main></body></html>";
	static struct bytes inner;
	if (p->how.html.fragment)
		return output;
	const char *at = strstr(output->data, opening);
	const char *end = at ? strstr(at, closing) : NULL;
	if (!end)
		return NULL;
	at += sizeof opening - 1;
	REQUIRE(!memcmp(output->data, "<!DOCTYPE html>", 15));
	REQUIRE(end + sizeof closing - 1 == output->data + output->length);
	bytes_clear(&inner);
	bytes_add(&inner, at, (size_t)(end - at));
	return &inner;
}

/* Drops lines that repeat the one before: of a link in many parts, not every part is an anchor. */
static void drop_repeated(struct bytes *lines)
{
	size_t to = 0, last = 0, n;
	for (size_t i = 0; i < lines->length; i += n) {
		n = (size_t)((char *)memchr(lines->data + i, '\n', lines->length - i) - lines->data) + 1 - i;
		if (to > last && to - last == n && !memcmp(lines->data + last, lines->data + i, n))
			continue;
		last = to;
		memmove(lines->data + to, lines->data + i, n);
		to += n;
	}
	lines->length = to;
}

/* Whether the lines are among those of `all`, in their order. */
static bool has_lines(const struct bytes *all, const struct bytes *lines)
{
	const char *at = all->data, *end = at + all->length, *line = lines->data;
	while (line < lines->data + lines->length) {
		size_t n = (size_t)(strchr(line, '\n') - line) + 1;
		while (at < end && strncmp(at, line, n))
			at = strchr(at, '\n') + 1;
		if (at >= end)
			return false;
		at += n;
		line += n;
	}
	return true;
}

/* Whether a text may have a hyperlink of a terminal, in UTF-16 too. */
static bool may_hyperlink(const struct bytes *text)
{
	for (size_t i = 0; i + 2 < text->length; i++)
		if (text->data[i] == '8' && (text->data[i + 1] == ';' || text->data[i + 2] == ';'))
			return true;
	return false;
}

/* Whether each link of an HTML document that has text is an anchor: none is in the text of another. */
static bool has_all_anchors(const struct plan *p)
{
	return p->mail.kind == URLSIFT_KIND_HTML && !p->some && !may_hyperlink(p->source) &&
	       !strcasestr(p->source->data, "href") && !memchr(p->source->data, '\0', p->source->length);
}

static void check_page(const struct plan *p, struct result *r)
{
	static struct bytes shown, targets, anchors;
	const struct bytes *page = main_of(p, &r->output);
	bool whole_page = r->status == URLSIFT_OK && r->rendered == URLSIFT_OK;
	output_check_utf8(&r->output);
	REQUIRE(page || !whole_page);
	if (page)
		output_check_html(page, &(struct page_text){ &shown, &targets, &anchors, p->tiles && p->how.line_number });
	if (has_all_anchors(p) && whole_page) {
		drop_repeated(&targets);
		drop_repeated(&r->targets);
		if (!has_lines(&targets, &r->targets))
			show_difference("links of HTML and anchors of the page", &r->targets, &targets);
	}
	if (!p->tiles || !whole_page)
		return;
	check_same("text of the page and of pieces", &shown, &r->shown);
	if (!has_lines(&r->anchors, &anchors))
		show_difference("anchors of the page and their text, and parts of links", &anchors, &r->anchors);
	drop_repeated(&targets);
	drop_repeated(&r->targets);
	if (!may_hyperlink(p->source))
		check_same("anchors of the page and links", &targets, &r->targets);
	else if (!has_lines(&r->targets, &targets)) /* what stands in the label of a hyperlink is no anchor */
		show_difference("anchors of the page and links", &targets, &r->targets);
}

static size_t count_of(const struct bytes *text, const char *word)
{
	size_t count = 0;
	for (const char *at = text->data; (at = memmem(at, text->length - (size_t)(at - text->data), word, strlen(word)));)
		count++, at += strlen(word);
	return count;
}

/* Also where memory is missing, no link is written without its text; brackets that the input has around one may be
 * left. An overstrike may be removed from brackets, mail may hold one that is encoded, and the target of an anchor may
 * end with `<`. */
static void check_brackets(const struct plan *p, struct result *r)
{
	if (memchr(p->source->data, '\b', p->source->length))
		return;
	if (p->kept && r->rendered == URLSIFT_OK)
		REQUIRE_AS(count_of(&r->output, "<>") <= count_of(&r->text, "<>"), "no link is written empty");
	if (p->kept || p->mail.kind == URLSIFT_KIND_HTML)
		REQUIRE_AS(count_of(&r->output, "<URL:>") <= count_of(&r->text, "<URL:>") + count_of(&r->text, "<URL:<"),
		           "no link is written without text");
}

static void check_form(const struct plan *p, struct result *r)
{
	if (is_format(p, "rewrite") && !strcmp(p->how.form, "wrap"))
		check_brackets(p, r);
	if (is_format(p, "json"))
		output_check_json(&r->output);
	else if (is_format(p, "html"))
		check_page(p, r);
	else if (is_format(p, "list") && !p->how.color)
		output_check_lines(&r->output, p->how.null_separated ? '\0' : '\n');
	else if (is_format(p, "rewrite") && !p->how.color && (p->how.terminal || !strcmp(p->how.form, "term")))
		output_check_terminal(&r->output, !p->how.terminal);
}

/* ---- Two runs ---- */

static void check_way(struct choices *c, const struct plan *p)
{
	struct way way = { .cut = choose(c, 65536) };
	uint32_t how = choose(c, 8);
	way.portable = how == 1 || once_in(c, 6);
	way.general = how == 2 || how == 3 || once_in(c, 6);
	way.reused = how == 4 || once_in(c, c->aim == AIM_SCARCE ? 2 : 8);
	if (how >= 5)
		way.cut = how == 5 ? 1 : way.cut;
	else if (!once_in(c, 3))
		way.cut &= ~(uint32_t)0xff; /* as it comes */
	if (once_in(c, c->failing ? 1 : 4)) {
		run(p, &(struct way){ .recorded = 1 + choose(c, 8) }, &other);
		uint32_t place = choose(c, 65536);
		way.fail_at = run_pick_call(place, choose(c, 65536));
		way.lasting = once_in(c, 2);
	}
	second = &way;
	run(p, &way, &other);
	check_form(p, &other);
	if (other.status != URLSIFT_OK)
		return;
	check_same("links", &whole.links, &other.links);
	check_same("texts", &whole.text, &other.text);
	if (other.rendered == URLSIFT_OK)
		check_same("outputs", &whole.output, &other.output);
	second = NULL;
}

/* ---- Relations between outputs ---- */

/* The texts or targets of the records, one a line. */
static void take_records(struct bytes *output, const char *key, struct bytes *lines)
{
	static struct bytes text;
	bytes_clear(lines);
	for (char *line = output->data, *end; *line; line = end + 1) {
		end = strchr(line, '\n');
		size_t n;
		const char *value = output_json_value(line, "type", &n);
		REQUIRE(value != NULL);
		if (n != 4 || memcmp(value, "link", 4))
			continue;
		REQUIRE((value = output_json_value(line, key, &n)));
		bytes_clear(&text);
		output_json_text(&text, value, n);
		bytes_line(lines, text.data, text.length);
	}
}

/* Lists the links that a text or mail has with the same options; nothing else is checked. */
static struct plan listing(const struct plan *p, urlsift_render_options how)
{
	struct plan list = *p;
	list.how = how;
	list.tiles = list.kept = list.counted = list.verbatim = list.complete = list.some = false;
	urlsift_render_prepare(&list.how, p->scan, &list.mail);
	return list;
}

/* A text has the same links without its colours.  Between an overstrike and its character they decide. */
static void check_uncoloured(const struct plan *p)
{
	static struct bytes text;
	if (memchr(p->source->data, '\b', p->source->length))
		return;
	struct plan list = listing(p, (urlsift_render_options){ .format = "list" });
	output_uncolour(&text, p->source);
	run(&list, &(struct way){ .cut = 0 }, &whole);
	list.source = &text;
	run(&list, &(struct way){ .cut = 0 }, &other);
	check_same("links of a text and of that without colours", &whole.written, &other.written);
}

/* `list` writes the links of `--json`, and as many, though it wants no alternates. */
static void check_list_of_json(struct choices *c, const struct plan *p)
{
	static struct bytes lines;
	const long guess = urlsift_options_get(p->scan, URLSIFT_OPT_GUESS), join = urlsift_options_get(p->scan, URLSIFT_OPT_JOIN);
	bool encoded = once_in(c, 2);
	if (once_in(c, 2))
		urlsift_options_set(p->scan, URLSIFT_OPT_JOIN, URLSIFT_JOIN_SURE);
	struct plan json = listing(p, (urlsift_render_options){ .format = "json" });
	run(&json, &(struct way){ .cut = 0 }, &whole);
	output_check_json(&whole.output);
	take_records(&whole.output, "text", &lines);
	check_same("texts of json and links", &whole.written, &lines);
	take_records(&whole.output, "url", &lines);
	struct plan list = listing(p, (urlsift_render_options){ .format = "list", .encoded = encoded });
	urlsift_options_set(p->scan, URLSIFT_OPT_GUESS, 0);
	run(&list, &(struct way){ .cut = 0 }, &other);
	urlsift_options_set(p->scan, URLSIFT_OPT_GUESS, guess);
	urlsift_options_set(p->scan, URLSIFT_OPT_JOIN, join);
	check_same("list and json", encoded ? &lines : &whole.lines, &other.output);
}

/* What a format makes of a text, with the default options. */
static void render(struct result *r, const char *format, const char *form, const struct bytes *source)
{
	struct plan p = { .source = source, .scan = urlsift_options_new(NULL), .mail.kind = URLSIFT_KIND_TEXT };
	p.how = (urlsift_render_options){ .format = format, .form = form, .width = 20 };
	urlsift_render_prepare(&p.how, p.scan, NULL);
	run(&p, &(struct way){ .cut = 0 }, r);
	urlsift_options_free(p.scan);
}

/* The number of links that another text touches, as in `www.a.example-http://b.example/` and `http://u@x..y://b/`:
 * their wrapper ends it (B4), so that it may be a link now. */
static size_t count_touched(const struct bytes *text, const struct bytes *parts)
{
	const urlsift_range *a = (const urlsift_range *)(const void *)parts->data;
	size_t count = 0;
	for (size_t i = 0; i < parts->length / sizeof *a; i++)
		count += a[i].offset > 0 && (uint8_t)text->data[a[i].offset - 1] > ' ' && text->data[a[i].offset - 1] != '<';
	return count;
}

static void check_wrapped(const struct bytes *source, struct bytes *text)
{
	render(&whole, "rewrite", "wrap", source);
	bytes_clear(text);
	bytes_add(text, whole.output.data, whole.output.length);
	render(&whole, "list", NULL, text);
	render(&other, "list", NULL, source);
	size_t more = whole.count - other.count;
	if (memchr(other.output.data, '\\', other.output.length))
		return; /* without the line end after it a backslash may escape what follows */
	if (!has_lines(&whole.output, &other.output) || more > count_touched(source, &other.parts))
		show_difference("links of the wrapped text and of the text", &whole.output, &other.output);
}

/* Where lines are wide enough, `wrap` leaves no link broken. */
static void check_unbroken(const struct bytes *source)
{
	static struct bytes text;
	struct plan p = { .source = source, .scan = urlsift_options_new(NULL), .mail.kind = URLSIFT_KIND_TEXT };
	p.how = (urlsift_render_options){ .format = "rewrite", .form = "wrap", .width = 1000 };
	urlsift_render_prepare(&p.how, p.scan, NULL);
	run(&p, &(struct way){ .cut = 0 }, &whole);
	urlsift_options_free(p.scan);
	bytes_clear(&text);
	bytes_add(&text, whole.output.data, whole.output.length);
	render(&other, "list", NULL, &text);
	if (other.joined)
		show_difference("links that are broken where lines are wide", &whole.output, &other.output);
}

/* Whether a line of one is a line of the other. */
static bool share_line(const struct bytes *a, const struct bytes *b)
{
	for (const char *line = a->data, *end; *line; line = end) {
		end = strchr(line, '\n') + 1;
		if (has_lines(b, &(struct bytes){ (char *)line, (size_t)(end - line), 0 }))
			return true;
	}
	return false;
}

/* Whether each link has a bracket. */
static bool have_brackets(const struct bytes *list)
{
	for (const char *line = list->data; *line; line = strchr(line, '\n') + 1)
		if (strcspn(line, "([{") > strcspn(line, "\n"))
			return false;
	return true;
}

/* Whether the links may be due to a colon that was struck: refang must give the text back, so its backspace stays, and
 * may end a link that goes on at `[:]`.  Before slashes that matters only to brackets that close after a blank (B5). */
static bool are_due_to_struck(const struct bytes *text, const struct bytes *list)
{
	for (const char *at = text->data; (at = strstr(at, "\b[:]")); at++)
		if (at[4] != '/' || have_brackets(list))
			return true;
	return false;
}

/* No link of a text is found in what defang makes of it; `all`: nor any other. */
static void check_defanged(const struct bytes *source, bool all)
{
	static struct bytes text;
	render(&whole, "list", NULL, source);
	if (whole.joined)
		return;
	render(&other, "rewrite", "defang", source);
	bytes_clear(&text);
	bytes_add(&text, other.output.data, other.output.length);
	render(&other, "list", NULL, &text);
	if (all ? other.count > 0 && !are_due_to_struck(&text, &other.output) : share_line(&other.output, &whole.output))
		show_difference("links of the text and of the defanged one", &whole.output, &other.output);
}

/* The text that defang makes holds no link, and refang gives the text back that holds no defanged form; wrap leaves an
 * ASCII text its links (of which the fuzzer `rewrite` says more). */
static void check_rewritten(enum aim aim, const struct bytes *source)
{
	static struct bytes text;
	bool ascii = true, plain = true;
	for (size_t i = 0; i < source->length; i++) {
		plain = plain && !strchr("\x1b\b", source->data[i]); /* NUL neither */
		ascii = ascii && !(source->data[i] & 0x80);
	}
	if (source->length > 20000)
		return;
	if (aim == AIM_OPENINGS)
		check_unbroken(source);
	if (ascii || aim == AIM_FANGS)
		check_defanged(source, aim == AIM_FANGS);
	if (!ascii || !plain)
		return;
	/* A block of yEnc goes by the lengths of its lines, which `wrap` changes. */
	if (aim != AIM_FANGS && !strstr(source->data, "=ybegin "))
		check_wrapped(source, &text);
	if (has_defanged_form(source->data, source->length))
		return;
	render(&other, "rewrite", "refang", source);
	if (!bytes_same(&other.output, source))
		return;
	render(&whole, "rewrite", "defang", source);
	bytes_clear(&text);
	bytes_add(&text, whole.output.data, whole.output.length);
	render(&other, "rewrite", "refang", &text);
	check_same("the text and what refang makes of the defanged one", source, &other.output);
}

/* Whether the first link of `before`, a host and a word is that host, or begins with it. */
static bool is_host_first(const char *before, const char *host, const struct bytes *word, bool whole_link)
{
	static struct bytes text, line;
	bytes_clear(&text);
	bytes_text(&text, before);
	bytes_text(&text, host);
	bytes_add(&text, word->data, word->length);
	bytes_text(&text, "\n");
	bytes_clear(&line);
	bytes_text(&line, "http://");
	bytes_text(&line, host);
	bytes_text(&line, whole_link ? "\n" : "");
	render(&whole, "list", NULL, &text);
	return whole.output.length >= line.length && !memcmp(whole.output.data, line.data, line.length);
}

/* Below `http://` at the end of a line a link ends with its host where it does so on one line, whatever word follows;
 * but `name:` begins a record, and `|` is the border of a table. */
static void check_below_scheme(struct choices *c, const struct bytes *source)
{
	static const char *const hosts[] = { "a.example", "www.b.example", "c.example" };
	static const char *const ends[] = { ",", ",", ";", ")", "]", "\"", ">" };
	static struct bytes word;
	const char *host = CHOOSE(c, hosts);
	size_t n = 0;
	while (n < 100 && (uint8_t)source->data[n] > ' ' && (uint8_t)source->data[n] < 0x7f && source->data[n] != '|')
		n++;
	while (n > 0 && source->data[n - 1] == ':')
		n--;
	bytes_clear(&word);
	bytes_text(&word, CHOOSE(c, ends));
	bytes_add(&word, source->data, n);
	const char *const below = once_in(c, 2) ? "see http://\n" : "http://\n";
	if (is_host_first("http://", host, &word, true) && !is_host_first(below, host, &word, true))
		show_difference("a link below its scheme and on one line", &whole.output, &word);
	/* another scheme behind a port is of the link, since no port ends there */
	static const char scheme_for_port[] = "a.example:80:feed://d.example/";
	size_t letters = 0;
	while (letters < n && isalnum((uint8_t)source->data[letters]))
		letters++;
	bytes_clear(&word);
	bytes_add(&word, source->data, letters);
	if (is_host_first("http://", scheme_for_port, &word, false) && !is_host_first(below, scheme_for_port, &word, false))
		show_difference("a scheme for a port below a scheme", &whole.output, &word);
}

/* urlsift_find finds what the scanner finds. */
static void check_find(const struct plan *p)
{
	urlsift_context *context = urlsift_context_new(NULL);
	urlsift_found *found;
	REQUIRE(urlsift_find(context, p->scan, p->source->data, p->source->length, &found) == URLSIFT_OK);
	REQUIRE(found->count == whole.count);
	urlsift_found_free(found);
	urlsift_context_free(context);
}

/* The character of byte i begins at map[i] in another charset (construct_encode). */
static void check_ranges(const struct bytes *parts, const struct bytes *encoded, const size_t *map, bool loose)
{
	const urlsift_range *a = (const urlsift_range *)(const void *)parts->data;
	const urlsift_range *b = (const urlsift_range *)(const void *)encoded->data;
	REQUIRE_AS(parts->length == encoded->length, "a charset does not change the number of parts");
	for (size_t i = 0; i < parts->length / sizeof *a; i++) {
		size_t end = map[a[i].offset + a[i].length];
		size_t before = map[a[i].offset] - (size_t)b[i].offset;
		REQUIRE_AS(before == 0 || (loose && before == 1), "a part begins where its first character does");
		size_t early = end - (size_t)(b[i].offset + b[i].length);
		REQUIRE_AS(early == 0 || (loose && early == 1), "a part ends where its last character does");
	}
}

/* In another charset a text has the same links, where their characters are. */
static void check_encoded(struct choices *c, const struct plan *p)
{
	static struct bytes text, encoded;
	static size_t map[SOURCE_MAX + 1];
	struct plan q = { .source = &text, .scan = p->scan, .mail.kind = URLSIFT_KIND_TEXT, .how = { .format = "list" } };
	bytes_clear(&text);
	output_decode(&text, p->source->data, p->source->length);
	bool loose;
	const char *name = text.length > SOURCE_MAX ? NULL : construct_encode(c, &text, &encoded, map, &loose);
	if (!name || encoded.length > SOURCE_MAX)
		return;
	urlsift_render_prepare(&q.how, q.scan, NULL);
	urlsift_options_set_charset(q.scan, NULL);
	run(&q, &(struct way){ .cut = 0 }, &whole);
	if (urlsift_options_set_charset(q.scan, name) != URLSIFT_OK)
		return;
	q.source = &encoded;
	run(&q, &(struct way){ .cut = 0 }, &other);
	check_same("links in UTF-8 and in another charset", &whole.written, &other.written);
	check_same("texts in UTF-8 and in another charset", &whole.text, &other.text);
	check_ranges(&whole.parts, &other.parts, map, loose);
}

/* ---- A run ---- */

static void show_plan(const struct plan *p)
{
	static int show = -1;
	if (show < 0)
		show = getenv("FUZZ_SHOW") != NULL;
	if (!show)
		return;
	fwrite(p->source->data, 1, p->source->length, stdout);
	fflush(stdout);
	for (urlsift_option o = URLSIFT_OPT_EMAIL; o <= URLSIFT_OPT_CONTEXT; o++)
		fprintf(stderr, "%ld ", urlsift_options_get(p->scan, o));
	fprintf(stderr, "%s%s; ", p->how.format, p->declared ? ", charset" : "");
	fprintf(stderr, "%s, headers %d, ids %d, plain %d, display %d, repeated %d, resources %d, limits %zu %zu %zu\n",
	        urlsift_mail_kind_name(p->mail.kind), p->mail.headers, p->mail.message_ids, p->mail.plain, p->mail.display,
	        p->mail.repeated, p->mail.resources, p->mail.max_depth, p->mail.max_parts, p->mail.max_header);
	fprintf(stderr, "fragment %d, form %s, template %s, width %ld, context %ld\n", p->how.html.fragment, p->how.form,
	        p->how.line_format ? p->how.line_format : "", p->how.width, p->how.context);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct bytes source;
	struct choices c = { .state = 0 };
	if (size < 8)
		return 0;
	for (size_t i = 0; i < 8; i++)
		c.state = c.state << 8 | data[i];
	c.bytes = data + 8;
	c.length = size - 8;
	struct plan p;
	construct_plan(&c, &p, &source);
	show_plan(&p);
	run(&p, &(struct way){ .cut = 0 }, &whole);
	check_form(&p, &whole);
	if (p.verbatim && p.tiles)
		check_same("input and text of pieces", &source, &whole.text);
	check_way(&c, &p);
	if (once_in(&c, 4))
		check_way(&c, &p);
	if (p.mail.kind == URLSIFT_KIND_TEXT && once_in(&c, 8))
		check_find(&p);
	if (once_in(&c, 8))
		check_list_of_json(&c, &p);
	if (p.complete && !c.ruled && once_in(&c, c.aim == AIM_TURNS ? 1 : 2))
		check_uncoloured(&p);
	bool rewritten = c.aim == AIM_WRAPPED || c.aim == AIM_TAILS || c.aim == AIM_FAR || c.aim == AIM_FANGS ||
	                 c.aim == AIM_OPENINGS;
	if (p.mail.kind == URLSIFT_KIND_TEXT && once_in(&c, rewritten ? 1 : 8))
		check_rewritten(c.aim, &source);
	if (p.mail.kind == URLSIFT_KIND_TEXT && once_in(&c, 8))
		check_encoded(&c, &p);
	if (p.mail.kind == URLSIFT_KIND_TEXT && once_in(&c, 4))
		check_below_scheme(&c, &source);
	urlsift_options_free(p.scan);
	return 0;
}
