/* The mail layer: what comes out of messages and mailboxes, cut in any way, fed anywhere, and
 * with every allocation failing once. */
#define _DEFAULT_SOURCE
#include "check.h"
#include "fence.h"
#include "mail_trace.h"
#include "mail/mailbox.h"
#include "urlsift-mail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(bool ok, const char *what, const char *detail)
{
	check_at(ok, __FILE__, __LINE__, what, "%s", detail);
}

static const urlsift_mail_options defaults = {
	.kind = URLSIFT_KIND_MESSAGE, .headers = URLSIFT_HEADERS_URLS, .plain = 1, .positions = 1, .metadata = 1
};

struct cut {
	size_t first, step; /* bytes fed at first, and then at once */
	bool flush;         /* after each */
};

static urlsift_status run_in(urlsift_context *context, struct mail_trace *t, const urlsift_mail_options *o,
                             const uint8_t *p, size_t n, struct cut cut)
{
	const urlsift_mail_sink sink = mail_trace_sink(t);
	urlsift_mail *m = urlsift_mail_new(context, NULL, o, &sink, NULL);
	urlsift_status status = m ? URLSIFT_OK : URLSIFT_NO_MEMORY;
	for (size_t i = 0, k; i < n && status == URLSIFT_OK; i += k) {
		k = i == 0 && cut.first ? cut.first : cut.step;
		k = k < n - i ? k : n - i;
		uint8_t *copy = malloc(k);
		memcpy(copy, p + i, k);
		status = urlsift_mail_feed(m, copy, k);
		free(copy);
		if (cut.flush && status == URLSIFT_OK)
			status = urlsift_mail_flush(m);
	}
	if (status == URLSIFT_OK)
		status = urlsift_mail_finish(m);
	mail_trace_end(t);
	urlsift_mail_free(m);
	return status;
}

/* In a context of its own. */
static urlsift_status run(const urlsift_allocator *a, struct mail_trace *t, const urlsift_mail_options *o,
                          const uint8_t *p, size_t n, struct cut cut)
{
	urlsift_context *context = urlsift_context_new(a);
	urlsift_status status = context ? run_in(context, t, o, p, n, cut) : URLSIFT_NO_MEMORY;
	urlsift_context_free(context);
	return status;
}

/* ---- Any cut gives the same ---- */

static struct mail_trace whole, other;

static void check_cut(const char *name, urlsift_context *context, const urlsift_mail_options *o, const uint8_t *p,
                      size_t n, struct cut cut)
{
	mail_trace_clear(&other);
	run_in(context, &other, o, p, n, cut);
	bool same = other.length == whole.length && !memcmp(other.text, whole.text, whole.length);
	check(same && !other.wrong, name, other.wrong ? other.wrong : "a cut changes what is found");
	if (!same)
		fprintf(stderr, "%sfirst %zu, then %zu\n--- whole\n%.*s--- cut\n%.*s", cut.flush ? "flushed: " : "",
		        cut.first, cut.step, (int)whole.length,
		        whole.text, (int)other.length, other.text);
}

static void check_cuts(const char *name, const uint8_t *p, size_t n)
{
	urlsift_mail_options o = defaults;
	o.kind = urlsift_mail_detect(p, n, 1);
	o.kind = o.kind == URLSIFT_KIND_TEXT ? URLSIFT_KIND_MESSAGE : o.kind;
	urlsift_context *context = urlsift_context_new(NULL);
	for (int message_ids = 0; message_ids < 2; message_ids++) {
		o.message_ids = o.display = message_ids;
		mail_trace_clear(&whole);
		whole.source = other.source = p;
		whole.source_length = other.source_length = n;
		whole.converts = other.converts = strstr(name, "utf-16") || strstr(name, "utf-7");
		check(run(NULL, &whole, &o, p, n, (struct cut){0, n + 1, false}) == URLSIFT_OK, name, "it is read");
		check(!whole.wrong, name, whole.wrong ? whole.wrong : "");
		for (size_t step = 1; step < 20; step += run_is_fast() ? 3 : 1)
			check_cut(name, context, &o, p, n, (struct cut){0, step, false});
		/* in `make check-long` at every byte, else with and without identifiers at others */
		const size_t every = run_is_long() ? 1 : run_is_fast() ? 31 : 5;
		for (size_t first = 1 + (size_t)message_ids * every / 2; first < n && n < 6000; first += every)
			check_cut(name, context, &o, p, n, (struct cut){first, n, false});
		for (size_t step = 1; step < 200; step += run_is_fast() ? 27 : 9)
			check_cut(name, context, &o, p, n, (struct cut){0, step, true});
	}
	urlsift_context_free(context);
}

/* A line that is as long as a delimiter may be, or about, is one or not in whatever blocks it comes: at the beginning of
 * a part, and after a line that is none. */
static void check_long_delimiters(void)
{
	enum { MOST = PARAMETER_MAX + 256 };
	static const char head[] = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\none\n",
		tail[] = "\nContent-Type: text/html\n\n<!--http://a.example/-->\n--b--\n";
	static const size_t cuts[] = {1, 7, 1000, MOST - 1, MOST, MOST + 1};
	static char text[sizeof head + 2 * MOST + sizeof tail];
	urlsift_context *context = urlsift_context_new(NULL);
	for (size_t length = MOST - 4; length < MOST + 3; length++) { /* without its line end */
		const size_t n = (size_t)sprintf(text, "%s--b%*s%s", head, (int)length - 3, "", tail);
		mail_trace_clear(&whole);
		whole.source = other.source = (const uint8_t *)text;
		whole.source_length = other.source_length = n;
		run_in(context, &whole, &defaults, whole.source, n, (struct cut){0, n + 1, false});
		check(whole.links == (length >= MOST), "a long line", "is a delimiter, or none");
		for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++)
			for (size_t first = sizeof head - 3; first < sizeof head + 4; first++)
				check_cut("a long line", context, &defaults, whole.source, n, (struct cut){first, cuts[i], false});
	}
	urlsift_context_free(context);
}

/* One of as many marks before From as are looked at, or about, is removed or not in whatever blocks they come. */
static void check_long_marks(void)
{
	enum { MOST = 1024, FROM = sizeof "From " - 1 };
	static const char head[] = "From a@example.org Tue Sep  2 23:48:38 2017\n\n", tail[] = "From http://a.example/\n";
	static char text[sizeof head + MOST + 2 + sizeof tail];
	urlsift_mail_options o = defaults;
	urlsift_context *context = urlsift_context_new(NULL);
	o.kind = URLSIFT_KIND_MBOX;
	for (size_t marks = MOST - 2; marks < MOST + 3; marks++) {
		const size_t begin = sizeof head - 1 + marks, n = begin + sizeof tail - 1;
		memcpy(text, head, sizeof head - 1);
		memset(text + sizeof head - 1, '>', marks);
		memcpy(text + begin, tail, sizeof tail - 1);
		mail_trace_clear(&whole);
		whole.source = other.source = (const uint8_t *)text;
		whole.source_length = other.source_length = n;
		run_in(context, &whole, &o, whole.source, n, (struct cut){0, n + 1, false});
		for (size_t first = begin - 2; first <= begin + FROM; first++)
			check_cut("many marks", context, &o, whole.source, n, (struct cut){first, n, false});
	}
	urlsift_context_free(context);
}

/* The last line of a message may be a delimiter without its line end, or only look like one. */
static void check_last_lines(void)
{
	static const struct { const char *line; bool delimits; } rows[] = {
		{"--b--", true}, {"--b", true}, {"--b-- \t", true}, {"--b  ", true},
		{"--b-", false}, {"--c--", false}, {"-", false}
	};
	static const char head[] = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\none http://a.example/\n";
	char text[sizeof head + 16];
	urlsift_context *context = urlsift_context_new(NULL);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		for (int ended = 1; ended >= 0; ended--) {
			const size_t n = (size_t)sprintf(text, "%s%s%s", head, rows[i].line, ended ? "\n" : "");
			struct mail_trace *t = ended ? &whole : &other;
			mail_trace_clear(t);
			t->source = (const uint8_t *)text;
			t->source_length = n;
			run_in(context, t, &defaults, t->source, n, (struct cut){0, n, false});
		}
		const bool same = whole.length == other.length && !memcmp(whole.text, other.text, whole.length);
		check(same == rows[i].delimits, rows[i].line, "a delimiter needs no line end");
	}
	urlsift_context_free(context);
}

/* With CR before each LF; returns the length. */
static size_t put_crs(const char *from, char *to)
{
	const char *begin = to;
	for (; *from; *to++ = *from++)
		if (*from == '\n')
			*to++ = '\r';
	return (size_t)(to - begin);
}

/* What begins at once behind the blank line of a header block is the same however the text is cut there, in each kind of
 * mailbox and with each line end. */
static void check_first_lines(void)
{
	static const struct { urlsift_mail_kind kind; const char *before; } boxes[] = {
		{URLSIFT_KIND_MBOX, "From a 10:00 2001\n"}, {URLSIFT_KIND_MMDF, "\1\1\1\1\n"}, {URLSIFT_KIND_MESSAGE, ""},
		{URLSIFT_KIND_BABYL, "BABYL OPTIONS:\n\x1f\f\n0,,\n*** EOOH ***\n"},
		{URLSIFT_KIND_BABYL, "BABYL OPTIONS:\n\x1f\f\n0,,\nSubject: a digest\n*** EOOH ***\n"},
		{URLSIFT_KIND_BABYL, "BABYL OPTIONS:\n\x1f\f\n1,,\nSubject: a digest\n\n*** EOOH ***\n"}
	};
	static const char *const lines[] = {
		"----------------------------------------------------------------------\n", "------------------------------\n",
		"--b\n", "--b--\n", "From c 10:00 2001\n", "\1\1\1\1\n", "\x1f\f\n0,,\n*** EOOH ***\n",
		"\x1f", "begin 644 x\n", "\n", ""
	};
	static const char head[] = "%sSubject: a digest%s\n\n",
		rest[] = "%s\nFrom: c\nSubject: d\n\nhttp://c.example/\n";
	static const char *const types[] = {"", "\nContent-Type: multipart/mixed; boundary=b"};
	char plain[512], text[1024];
	urlsift_context *context = urlsift_context_new(NULL);
	for (size_t i = 0; i < sizeof boxes / sizeof *boxes * 2 * 2; i++) {
		const bool crlf = i & 1;
		urlsift_mail_options o = defaults;
		o.kind = boxes[i / 4].kind;
		const size_t length = (size_t)snprintf(plain, sizeof plain, head, boxes[i / 4].before, types[i / 2 % 2]);
		const size_t body = crlf ? put_crs(plain, text) : length;
		for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
			const int more = snprintf(plain + length, sizeof plain - length, rest, lines[k]);
			const size_t n = crlf ? put_crs(plain, text) : length + (size_t)more;
			mail_trace_clear(&whole);
			whole.source = other.source = (const uint8_t *)(crlf ? text : plain);
			whole.source_length = other.source_length = n;
			run_in(context, &whole, &o, whole.source, n, (struct cut){0, n, false});
			check(!whole.wrong, lines[k], whole.wrong ? whole.wrong : "");
			for (size_t first = body - 4; first < body + 4; first++)
				check_cut("a first line", context, &o, whole.source, n, (struct cut){first, n, false});
			check_cut("a first line", context, &o, whole.source, n, (struct cut){0, 1, false});
		}
	}
	urlsift_context_free(context);
}

/* ---- A parser that is reset is as a new one, which is fed byte by byte ---- */

/* The defaults with one option changed; 0 changes none. */
static urlsift_mail_options changed(urlsift_mail_kind kind, int which)
{
	urlsift_mail_options o = defaults;
	o.kind = kind;
	switch (which) {
	case 1: o.headers = URLSIFT_HEADERS_ALL; break;
	case 2: o.headers = URLSIFT_HEADERS_NONE; break;
	case 3: o.message_ids = 1; break;
	case 4: o.plain = 0; break;
	case 5: o.display = 1; break;
	case 6: o.repeated = 1; break;
	case 7: o.resources = 1; break;
	case 8: o.metadata = 0; break;
	case 9: o.max_depth = 1; break;
	case 10: o.max_parts = 2; break;
	case 11: o.max_header = 1024; break;
	case 12: o.outline = 1; break;
	case 13: o.content_length = URLSIFT_LENGTH_BELIEVED; break;
	}
	return o;
}

/* An outline has messages alone. */
static bool is_outline(const struct mail_trace *t)
{
	const char *p = t->text, *end = p + t->length;
	for (; p < end; p = (const char *)memchr(p, '\n', (size_t)(end - p)) + 1)
		if (strncmp(p, "message ", 8))
			return false;
	return true;
}

/* After the reset nothing is left of most of the same source, or of another one. */
static void check_reset(const char *name, const uint8_t *p, size_t n, bool another)
{
	enum { OPTIONS = 14 };
	static const char message[] = "From: a\nDate: b\n\nhttp://a.example/\n";
	urlsift_mail_kind kind = urlsift_mail_detect(p, n, 1);
	kind = kind == URLSIFT_KIND_TEXT ? URLSIFT_KIND_MESSAGE : kind;
	for (int which = 0; which < OPTIONS; which++) {
		const urlsift_mail_options new = changed(kind, which), old = changed(kind, which ? 0 : 7);
		mail_trace_clear(&whole);
		run(NULL, &whole, &new, p, n, (struct cut){0, 1, false});
		check(!new.outline || is_outline(&whole), name, "an outline has messages alone");
		mail_trace_clear(&other);
		urlsift_context *context = urlsift_context_new(NULL);
		const urlsift_mail_sink sink = mail_trace_sink(&other);
		urlsift_mail *m = urlsift_mail_new(context, NULL, &old, &sink, NULL);
		urlsift_mail_feed(m, another ? message : (const char *)p, another ? sizeof message - 1 : n - n / 4);
		mail_trace_clear(&other);
		/* the flush finds nothing of the source before */
		bool done = urlsift_mail_reset(m, &new) == URLSIFT_OK && urlsift_mail_flush(m) == URLSIFT_OK
		            && urlsift_mail_feed(m, p, n) == URLSIFT_OK && urlsift_mail_finish(m) == URLSIFT_OK;
		mail_trace_end(&other);
		urlsift_mail_free(m);
		urlsift_context_free(context);
		bool same = other.length == whole.length && !memcmp(other.text, whole.text, whole.length);
		char option[32];
		snprintf(option, sizeof option, "reset%s, option %d", another ? " after another" : "", which);
		check(done && same, name, option);
	}
}

/* ---- Limits ---- */

static int no_piece(void *user, const urlsift_place *place, const urlsift_piece *piece)
{
	(void)user;
	(void)place;
	(void)piece;
	return 0;
}

static int count_limit(void *user, const urlsift_place *place, const urlsift_mail_notice *notice)
{
	int *limits = user;
	check(notice->limit && !place->message, "a limit", "that of a header block is not of the message before");
	*limits += 1;
	return 0;
}

static void check_limit_place(void)
{
	static const char head[] = "From j@a.example Mon Jan  1 00:00:00 2024\nFrom: a <a@a.example>\nSubject: ",
		body[] = "\n\nbody\n\n";
	char text[4096] = "";
	int limits = 0;
	const urlsift_mail_sink sink = {NULL, NULL, no_piece, count_limit, &limits, NULL};
	urlsift_mail_options o = changed(URLSIFT_KIND_MBOX, 11);
	strcat(strcat(strcat(strcat(text, head), "one"), body), head);
	memset(text + strlen(text), 'x', 2000);
	strcat(text, body);
	urlsift_context *context = urlsift_context_new(NULL);
	urlsift_mail *m = urlsift_mail_new(context, NULL, &o, &sink, NULL);
	for (int i = 0; i < 2; i++) {
		urlsift_mail_feed(m, text, strlen(text));
		urlsift_mail_finish(m);
		urlsift_mail_reset(m, &o);
	}
	check(limits == 2, "a limit", "each header block that is too long has one");
	urlsift_mail_free(m);
	urlsift_context_free(context);
}

static int note_limit(void *user, const urlsift_place *place, const urlsift_mail_notice *notice)
{
	(void)place;
	sprintf((char *)user + strlen(user), "%s at %u;", notice->limit, (unsigned)notice->offset);
	return 0;
}

/* Where a limit of markup is noted does not hang on how it is fed. */
static void check_markup_limits(void)
{
	static const char head[] = "From: a\nContent-Type: text/html\n\n<p>http://a.example/x <a href='http://b.example/'>t<!--";
	static const size_t steps[] = { 1300000, 8192, 8191, 8193, 5000, 20000, 65536 };
	static char text[1300000];
	char wanted[400] = "", got[400];
	for (size_t i = 0; i < sizeof text; i++)
		text[i] = i % 7 ? 'b' : ' ';
	memcpy(text, head, sizeof head - 1);
	memcpy(text + 1200000, "-->", 3);
	urlsift_options *scan = urlsift_options_new(NULL);
	urlsift_options_set(scan, URLSIFT_OPT_LABELS, 1);
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		*got = '\0';
		const urlsift_mail_sink sink = { NULL, NULL, no_piece, note_limit, got, NULL };
		const urlsift_mail_options o = { .kind = URLSIFT_KIND_MESSAGE };
		urlsift_context *context = urlsift_context_new(NULL);
		urlsift_mail *m = urlsift_mail_new(context, scan, &o, &sink, NULL);
		for (size_t at = 0; at < sizeof text; at += steps[i])
			urlsift_mail_feed(m, text + at, sizeof text - at < steps[i] ? sizeof text - at : steps[i]);
		urlsift_mail_finish(m);
		urlsift_mail_free(m);
		urlsift_context_free(context);
		if (i == 0)
			strcpy(wanted, got);
		check(strstr(got, "held-label at") && !strcmp(got, wanted), "a limit of markup", got);
	}
	urlsift_options_free(scan);
}

static int count_damage(void *user, const urlsift_place *place, const urlsift_mail_notice *notice)
{
	(void)place;
	*(uint64_t *)user += notice->damage ? notice->value : 0;
	return 0;
}

/* Damage is counted by each byte: NULs, and CRs that end a line alone, also several in a row; one before an LF is none. */
static void check_damage_count(void)
{
	static const char text[] = "From: a\rSubject: x\0\0y\r\n\tz\r\rTo: b\r\r\nDate: c\r\n\r\nbody\n";
	uint64_t count = 0;
	const urlsift_mail_sink sink = { NULL, NULL, no_piece, count_damage, &count, NULL };
	const urlsift_mail_options o = { .kind = URLSIFT_KIND_MESSAGE };
	urlsift_context *context = urlsift_context_new(NULL);
	urlsift_mail *m = urlsift_mail_new(context, NULL, &o, &sink, NULL);
	urlsift_mail_feed(m, text, sizeof text - 1);
	urlsift_mail_finish(m);
	urlsift_mail_free(m);
	urlsift_context_free(context);
	check(count == 6, "damage of a header", "each NUL and each CR that ends a line alone is counted");
}

static int name_part(void *user, const urlsift_place *place, const urlsift_mail_notice *notice)
{
	if (notice->omission == URLSIFT_OMITTED_UNSEARCHED)
		strcat(strcat(user, place->part), ";");
	return 0;
}

/* The part of a preamble that is not searched is the multipart that it belongs to; what follows a multipart that ends
 * where it begins belongs to the message. */
static void check_preambles(void)
{
	static const char *const texts[] = {
		"From: ada@post.example\nContent-Type: multipart/mixed; boundary=a\n\nhttp://a.example/\n"
		"--a\n\none\n--a\nContent-Type: multipart/mixed; boundary=b\n\nhttp://b.example/\n"
		"--b\n\ntwo\n--b--\nhttp://c.example/\n--a--\nhttp://d.example/\n",
		"From: ada@post.example\nContent-Type: multipart/mixed; boundary=a\n\n--a--\nhttp://a.example/\n"
	};
	char parts[64] = "";
	const urlsift_mail_sink sink = {NULL, NULL, no_piece, name_part, parts, NULL};
	urlsift_mail_options o = changed(URLSIFT_KIND_MESSAGE, 0);
	urlsift_context *context = urlsift_context_new(NULL);
	urlsift_mail *m = urlsift_mail_new(context, NULL, &o, &sink, NULL);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		urlsift_mail_feed(m, texts[i], strlen(texts[i]));
		urlsift_mail_finish(m);
		urlsift_mail_reset(m, &o);
	}
	check(!strcmp(parts, ";2;2;;;"), "the parts of preambles and epilogues", parts);
	urlsift_mail_free(m);
	urlsift_context_free(context);
}

static int note_message(void *user, const urlsift_message *message)
{
	char *out = user;
	snprintf(out + strlen(out), 64, "%u:", (unsigned)message->offset);
	return 0;
}

static int note_body(void *user, const urlsift_place *place, const urlsift_body *body)
{
	char *out = user;
	(void)place;
	snprintf(out + strlen(out), 64, "%u-%u;", (unsigned)body->begin, (unsigned)body->end);
	return 0;
}

/* A message without header and body has an empty body where it begins, in each run. */
static void check_empty_message(void)
{
	static const char text[] =
		"BABYL OPTIONS:\n\x1f\f\n0,,\n*** EOOH ***\n"
		"\x1f\f\n0,,\n*** EOOH ***\nFrom: a\n\nbody\n\x1f";
	char bodies[256] = "";
	const urlsift_mail_sink sink = {note_message, NULL, no_piece, NULL, bodies, note_body};
	urlsift_mail_options o = changed(URLSIFT_KIND_BABYL, 0);
	urlsift_context *context = urlsift_context_new(NULL);
	urlsift_mail *m = urlsift_mail_new(context, NULL, &o, &sink, NULL);
	for (int i = 0; i < 2; i++) {
		urlsift_mail_feed(m, text, sizeof text - 1);
		urlsift_mail_finish(m);
		urlsift_mail_reset(m, &o);
	}
	check(!strcmp(bodies, "15:15-15;35:64-69;15:15-15;35:64-69;"), "the body of an empty message", bodies);
	urlsift_mail_free(m);
	urlsift_context_free(context);
}

/* ---- Every allocation fails once ---- */

static void check_memory(const char *name, const uint8_t *p, size_t n)
{
	urlsift_mail_options o = defaults;
	o.kind = urlsift_mail_detect(p, n, 1);
	o.kind = o.kind == URLSIFT_KIND_TEXT ? URLSIFT_KIND_MESSAGE : o.kind;
	for (unsigned long nth = 1; nth < 2000; nth++) {
		struct counting c = {.fail_at = nth, .lasting = true};
		const urlsift_allocator a = counting_allocator(&c);
		mail_trace_clear(&other);
		urlsift_status status = run(&a, &other, &o, p, n, (struct cut){0, 1000, false});
		if (!c.failures)
			break;
		check(status == URLSIFT_NO_MEMORY, name, "an allocation that fails is told");
	}
}

/* ---- Memory between pages that nobody may touch ---- */

static void check_fences(const char *name, const uint8_t *p, size_t n)
{
	urlsift_mail_options o = defaults;
	o.kind = urlsift_mail_detect(p, n, 1);
	o.kind = o.kind == URLSIFT_KIND_TEXT ? URLSIFT_KIND_MESSAGE : o.kind;
	mail_trace_clear(&whole);
	run(NULL, &whole, &o, p, n, (struct cut){0, n + 1, false});
	for (int i = 0; i < 4; i++) {
		enum fence_side side = i < 2 ? FENCE_AFTER : FENCE_BEFORE;
		const urlsift_allocator a = fence_allocator(&side);
		const urlsift_mail_sink sink = mail_trace_sink(&other);
		urlsift_context *context = urlsift_context_new(&a);
		mail_trace_clear(&other);
		urlsift_mail *m = urlsift_mail_new(context, NULL, &o, &sink, NULL);
		for (size_t at = 0, k; at < n; at += k) {
			k = n - at < 100 || i % 2 ? n - at : 100;
			void *block = memcpy(fence_get(&side, k), p + at, k);
			check(urlsift_mail_feed(m, block, k) == URLSIFT_OK, name, "fenced");
			fence_put(&side, block);
		}
		check(urlsift_mail_finish(m) == URLSIFT_OK, name, "fenced");
		mail_trace_end(&other);
		urlsift_mail_free(m);
		urlsift_context_free(context);
		check(other.length == whole.length && !memcmp(other.text, whole.text, whole.length) && !fence_count, name,
		      "fenced memory gives the same");
	}
}

/* ---- Detection ---- */

#define NINE(line) line line line line line line line line line
static const struct { const char *text; urlsift_mail_kind kind; } kinds[] = {
	{"", URLSIFT_KIND_TEXT},
	{"hello http://a.example/\n", URLSIFT_KIND_TEXT},
	{"From: a@b.example\nDate: now\n\nx", URLSIFT_KIND_MESSAGE},
	{"from: a@b.example\r\nsubject: x\r\n\r\nx", URLSIFT_KIND_MESSAGE},
	{"From: a@b.example\n\nx", URLSIFT_KIND_TEXT},
	{"From: a@b.example\nFrom: b@b.example\n\nx", URLSIFT_KIND_TEXT},
	{"From: a@b.example\nthis is prose\nDate: x\n\n", URLSIFT_KIND_TEXT},
	{"From a@b.example Mon Jan  1 10:00:00 2001\nFrom: a@b.example\nDate: x\n\n", URLSIFT_KIND_MBOX},
	{"From here on it is prose\n", URLSIFT_KIND_TEXT},
	{"From a@b.example Mon Jan  1 10:00:00 2001\nprose\n", URLSIFT_KIND_TEXT},
	{"Path: news.example!not\nNewsgroups: a.b\n\nx", URLSIFT_KIND_MESSAGE},
	{"\1\1\1\1\nFrom: a@b.example\nDate: x\n\nx\n\1\1\1\1\n", URLSIFT_KIND_MMDF},
	{"\n <!DOCTYPE HTML><p>", URLSIFT_KIND_HTML},
	{"<?xml version='1.0'?>\n<html>", URLSIFT_KIND_HTML},
	{"<htmlx>", URLSIFT_KIND_TEXT},
	{"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", URLSIFT_KIND_CALENDAR},
	{"\n\xEF\xBB\xBF" "BEGIN:VCALENDAR\n", URLSIFT_KIND_TEXT},
	{"\xEF\xBB\xBF" "Begin:vCard\rFN:x\r", URLSIFT_KIND_VCARD},
	{"BEGIN:VCARD", URLSIFT_KIND_VCARD},
	{"42        \nFrom: a@b.example\nDate: x\n\nx", URLSIFT_KIND_EMLX},
	{"42\nFrom: a@b.example\n\nx", URLSIFT_KIND_TEXT},
	{"42x\nFrom: a@b.example\nDate: x\n\nx", URLSIFT_KIND_TEXT},
	{"<?xml version='1.0'?>\nFrom: a@b.example\nDate: x\n\nx", URLSIFT_KIND_TEXT},
	{"BEGIN:VCARD is the first line\n", URLSIFT_KIND_TEXT},
	{"x\nBEGIN:VCARD\n", URLSIFT_KIND_TEXT},
	{"<!doctype svg><html>", URLSIFT_KIND_TEXT},
	{"Subject: x\nReceived: from x\n\tby y\nX-Very: long\n", URLSIFT_KIND_MESSAGE},
	{"Received: from x\n" NINE("Checked-By: y\n") "From: a@b.example\n\nx", URLSIFT_KIND_MESSAGE},
	{"Received: from x\n" NINE("ada: y\n") "From: a@b.example\n\nx", URLSIFT_KIND_TEXT},
	{NINE("Ada-Byron: y\n") "From: a@b.example\nDate: z\n\nx", URLSIFT_KIND_TEXT},
	{"From: a@b.example\nDate: x\n1: damaged\n\nx", URLSIFT_KIND_MESSAGE},
	{"From: a@b.example\n10:00 Date: x\n\nDate: x\n", URLSIFT_KIND_TEXT},
};

static void check_kinds(void)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		check(urlsift_mail_detect(kinds[i].text, strlen(kinds[i].text), 1) == kinds[i].kind, "detect", kinds[i].text);
	check(urlsift_mail_detect("\xFE\xFF\0<\0h\0t\0m\0l\0>", 14, 1) == URLSIFT_KIND_HTML, "detect", "UTF-16BE");
	check(urlsift_mail_detect("\xFF\xFE<\0h\0t\0m\0l\0>\0", 14, 1) == URLSIFT_KIND_HTML, "detect", "UTF-16LE");
	check(urlsift_mail_detect("\xFF\xFE<\0h\0t\0m\0l\0", 12, 1) == URLSIFT_KIND_TEXT, "detect", "UTF-16LE, cut");
	check(urlsift_mail_detect("\xFE\xFF\0", 3, 1) == URLSIFT_KIND_TEXT, "detect", "a byte order mark");
	check(urlsift_mail_detect("\xFF\xFE", 2, 1) == URLSIFT_KIND_TEXT, "detect", "a byte order mark alone");
}

/* ---- Options ---- */

/* The From_ lines that begin messages as the bytes around them tell. */
static void check_find(void)
{
	static const struct { const char *text; int at; } rows[] = {
		{"x\n\nFrom a\nSubject: 1\n", 3}, {"x\r\n\r\nFrom a\r\nSubject: 1\r\n", 5}, {"\nFrom a\nSubject: 1\n", 1},
		{"x\nFrom a\nSubject: 1\n", -1}, {"x\nFrom a 10:00 2001\nSubject: 1\n", 2},
		{"x\n\nFrom a\nno field\n", -1}, {"x\n\nFrom here on\nword: a\n\nFrom b 10:00 2001\nTo: b\n", 25},
		{"From x 10:00 2001\nFrom a 10:00 2001\nTo: b\n", 18}, {"x\n\nFrom x\nFrom a 10:00 2001\nTo: b\n", 10},
		{"From x 10:00 2001\nFrom : 10:00 2001\nTo: b\n", -1}, {"x\n\n>From a\nSubject: 1\n", -1},
		{"From a 10:00 2001\nTo: a\n", -1}, {"x\n\nFrom ", -1}, {"", -1},
		{"x\nFrom -\nSubject: 1\n", 2}, {"x\nFrom - \r\nSubject: 1\n", 2}, {"x\nFrom -x\nSubject: 1\n", -1},
		{"x\nFrom -\nWord: 1\n", -1}
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const uint8_t *p = (const uint8_t *)rows[i].text;
		size_t n = strlen(rows[i].text), found = mailbox_find(p, 0, n, true);
		check(found == (rows[i].at < 0 ? n : (size_t)rows[i].at), "find", rows[i].text);
		for (size_t from = 1; from <= n; from++)
			check(mailbox_find(p, from, n, true) == (from <= found ? found : n), "find later", rows[i].text);
		check(mailbox_find(p, 0, n, false) == 0, "find with less than a separator's bytes", rows[i].text);
	}
	for (int length = SEPARATOR_LINE - 10; length < SEPARATOR_LINE + 10; length++) { /* of the field after the line */
		char text[SEPARATOR_LINE + 100];
		const size_t n = (size_t)snprintf(text, sizeof text, "x\n\nFrom a\nTo: %0*d\n\n", length, 0);
		check(mailbox_find((const uint8_t *)text, 0, n, true) == 3, "find", "a long field");
		memcpy(strchr(text, 'T'), "0000", 4);
		check(mailbox_find((const uint8_t *)text, 0, n, true) == n, "find", "a long line that is no field");
	}
	/* what is more than SEPARATOR_MAX bytes away confirms nothing, however much of it is there at once */
	static const char head[] = "From x 10:00 2001\nTo: x\n\nx\n\n", from[] = "From a\n", quoted[] = ">From x\n",
	                  field[] = "To: b\n";
	enum { HEAD = sizeof head - 1, FROM = sizeof from - 1, QUOTED = sizeof quoted - 1, FIELD = sizeof field - 1 };
	urlsift_context *context = urlsift_context_new(NULL);
	urlsift_mail_options o = defaults;
	o.kind = URLSIFT_KIND_MBOX;
	for (size_t lines = 495; lines < 520; lines++) {
		static char text[2 * SEPARATOR_MAX];
		const uint8_t *p = (const uint8_t *)text;
		char *end = stpcpy(stpcpy(text, head), from);
		for (size_t i = 0; i < lines; i++)
			end = stpcpy(end, quoted);
		end = stpcpy(end, field);
		memset(end, '\n', (size_t)(text + sizeof text - end));
		const bool near = FROM + lines * QUOTED + FIELD <= SEPARATOR_MAX;
		check(near == (mailbox_find(p + HEAD - 2, 0, sizeof text - HEAD + 2, true) == 2), "find", "a field far away");
		mail_trace_clear(&whole);
		run_in(context, &whole, &o, p, sizeof text, (struct cut){ .step = sizeof text });
		check_cut("a field far away", context, &o, p, sizeof text, (struct cut){ .step = 500 });
	}
	urlsift_context_free(context);
}

static void check_options(void)
{
	static const char box[] = "From a Mon Jan  1 10:00:00 2001\nSubject: 1\n\nhttp://a.example/1\n\n"
	                          "From b Mon Jan  1 10:00:00 2001\nSubject: 2\n\nhttp://a.example/2\n\n"
	                          "From c Mon Jan  1 10:00:00 2001\nSubject: 3\n\nhttp://a.example/3\n";
	const size_t n = sizeof box - 1, second = (size_t)(strstr(box, "From b") - box), third = (size_t)(strstr(box,
		"From c") - box);
	const uint8_t *p = (const uint8_t *)box;
	for (size_t begin = 0; begin < n; begin++)
		for (size_t step = 1; step < 100; step += 33) {
			urlsift_mail_options o = defaults;
			o.kind = URLSIFT_KIND_MBOX;
			o.stop = begin ? begin : 1;
			mail_trace_clear(&whole);
			whole.source = p;
			whole.source_length = n;
			run(NULL, &whole, &o, p, n, (struct cut){0, step, false});
			unsigned long wanted = begin <= second ? 1 : begin <= third ? 2 : 3;
			check(whole.links == wanted, "stop", "messages that begin before an offset are read");
		}
}

static uint8_t *read_file(const char *name, size_t *n)
{
	FILE *f = fopen(name, "rb");
	uint8_t *p = malloc(1 << 20);
	if (!f || !p) {
		fprintf(stderr, "%s cannot be read\n", name);
		exit(1);
	}
	*n = fread(p, 1, 1 << 20, f);
	fclose(f);
	return p;
}

/* ---- Without plain pieces: long parts with hardly a link are read to their end, and no text has the base of one
 * before it ---- */

static unsigned long links;

static int take_piece(void *user, const urlsift_place *place, const urlsift_piece *piece)
{
	(void)user;
	(void)place;
	links += piece->link && !piece->part;
	return 0;
}

/* A document of nothing but blank lines. */
static void test_blank_document(void)
{
	const urlsift_mail_sink sink = {NULL, NULL, take_piece, NULL, NULL, NULL};
	const urlsift_mail_options o = {.kind = URLSIFT_KIND_HTML};
	urlsift_context *context = urlsift_context_new(NULL);
	for (size_t lines = 0; lines < 3; lines++) {
		urlsift_mail *m = urlsift_mail_new(context, NULL, &o, &sink, NULL);
		for (size_t i = 0; i < lines; i++)
			urlsift_mail_feed(m, "\n", 1);
		check(urlsift_mail_finish(m) == URLSIFT_OK && urlsift_mail_stopped_at(m) == lines, "a document of blank lines",
		      "is read");
		urlsift_mail_free(m);
	}
	urlsift_context_free(context);
}

static int take_tile(void *user, const urlsift_place *place, const urlsift_piece *piece)
{
	uint64_t *at = user;
	if (!place->field) {
		check_at(piece->offset == *at, __FILE__, __LINE__, "a `>` before From", "a piece begins at %u, not %u",
		         (unsigned)piece->offset, (unsigned)*at);
		*at = piece->offset + piece->length;
	}
	return 0;
}

/* Pieces tile a body from which marks are removed, wherever the input is cut. */
static void test_tiles(void)
{
	static const char text[] = "From a@example.org Tue Sep  2 23:48:38 2017\nSubject: x\n\n"
	                           "x\ng\xe2\x80\x90\no\te\n/\fo\n>From n\v/\n\nhttp://a.example/ y\n>From \n>>From z\n";
	const size_t n = sizeof text - 1, body = (size_t)(strstr(text, "x\ng") - text);
	const urlsift_mail_options o = {.kind = URLSIFT_KIND_MBOX, .plain = 1};
	urlsift_context *context = urlsift_context_new(NULL);
	urlsift_options *scan = urlsift_options_new(NULL);
	urlsift_options_set(scan, URLSIFT_OPT_GUESS, 1);
	for (size_t step = 1; step < 3; step++)
		for (size_t cut = 0; cut <= n; cut++) {
			uint64_t at = body;
			const urlsift_mail_sink sink = {NULL, NULL, take_tile, NULL, &at, NULL};
			urlsift_mail *m = urlsift_mail_new(context, scan, &o, &sink, NULL);
			for (size_t i = 0; i < cut; i += step == 1 ? cut : 1) {
				urlsift_mail_feed(m, text + i, step == 1 ? cut : 1);
				urlsift_mail_flush(m);
			}
			urlsift_mail_feed(m, text + cut, n - cut);
			check(urlsift_mail_finish(m) == URLSIFT_OK && at == n, "a `>` before From", "pieces tile the body");
			urlsift_mail_free(m);
		}
	urlsift_options_free(scan);
	urlsift_context_free(context);
}

/* `count` times the unit between head and tail: a link in the tail is found, and nothing fails. */
static void check_quiet(const char *what, const char *head, const char *unit, size_t count, const char *tail,
	unsigned long wanted)
{
	const urlsift_mail_sink sink = {NULL, NULL, take_piece, NULL, NULL, NULL};
	const urlsift_mail_options o = {.kind = URLSIFT_KIND_MBOX, .headers = URLSIFT_HEADERS_URLS};
	urlsift_context *context = urlsift_context_new(NULL);
	urlsift_options *scan = urlsift_options_new(NULL);
	urlsift_options_set(scan, URLSIFT_OPT_PLAIN, 0);
	urlsift_mail *m = urlsift_mail_new(context, scan, &o, &sink, NULL);
	size_t unit_length = strlen(unit), block = 16384 / unit_length * unit_length;
	char *bytes = malloc(block);
	if (!m || !bytes)
		abort();
	for (size_t i = 0; i < block; i += unit_length)
		memcpy(bytes + i, unit, unit_length);
	links = 0;
	urlsift_mail_feed(m, head, strlen(head));
	for (size_t left = count * unit_length; left; left -= left < block ? left : block)
		urlsift_mail_feed(m, bytes, left < block ? left : block);
	urlsift_mail_feed(m, tail, strlen(tail));
	urlsift_status status = urlsift_mail_finish(m);
	check_at(status == URLSIFT_OK && links == wanted, __FILE__, __LINE__, what,
	         "status %d, %lu links, not %lu", (int)status,
	         links, wanted);
	free(bytes);
	urlsift_mail_free(m);
	urlsift_options_free(scan);
	urlsift_context_free(context);
}

static void test_quiet(void)
{
	const char *from = "From a@example.org Tue Sep  2 23:48:38 2017\n";
	char head[256];
	snprintf(head, sizeof head, "%sContent-Type: text/html\n\n", from);
	check_quiet("tags between letters", head, "x<br>", 400000, " http://a.example/\n", 1);
	check_quiet("references", head, "&lt;", 400000, " http://a.example/\n", 1);
	check_quiet("tags between words", head, "x <b>y</b> ", 200000, "http://a.example/\n", 1);
	snprintf(head, sizeof head, "%sContent-Type: text/html; charset=iso-2022-jp\n\n", from);
	check_quiet("converted", head, "\x1b$B$\"\x1b(B<i>", 200000, " http://a.example/\n", 1);
	snprintf(head, sizeof head, "%s\n", from);
	check_quiet("quoted From lines", head, ">From x\n", 200000, "http://a.example/\n", 1);
	snprintf(head, sizeof head, "%sContent-Type: text/html\nContent-Base: http://a.example/d/\n\n<a href=p>x</a>\n\n%s",
	         from, from);
	check_quiet("a base before", head, "X: y\n", 1,
	            "Content-Type: message/external-body; access-type=URL; URL=q\n\n\n", 2);
}

/* Each limit is stored, of which nothing is left out, and one after the last is not. */
static void check_limit_rows(void)
{
	urlsift_mail_limit limit = { "none", "none", 0, 0 };
	size_t count = 0;
	while (urlsift_mail_limit_at(count, &limit) == 1) {
		check(*limit.name && *limit.unit && limit.value > 0, "a row of the limits", limit.name);
		limit = (urlsift_mail_limit){ "none", "none", 0, 0 };
		count++;
	}
	check(count == 17 && !strcmp(limit.name, "none"), "the rows of the limits", limit.name);
	check(urlsift_mail_limit_at(count, &limit) == 0 && urlsift_mail_limit_at(SIZE_MAX, &limit) == 0, "no row", limit.name);
}

int main(void)
{
	check_kinds();
	test_blank_document();
	test_tiles();
	check_limit_rows();
	check_limit_place();
	check_markup_limits();
	check_damage_count();
	check_preambles();
	check_long_delimiters();
	check_long_marks();
	check_last_lines();
	check_first_lines();
	check_empty_message();
	check_options();
	check_find();
	size_t n;
	char name[1200];
	FILE *list = popen("ls testdata/mail/*.eml testdata/mail/*.mbox testdata/mail/*.htm 2>/dev/null", "r");
	while (list && fgets(name, sizeof name, list)) {
		name[strcspn(name, "\n")] = '\0';
		uint8_t *p = read_file(name, &n);
		check_cuts(name, p, n);
		check_memory(name, p, n);
		check_fences(name, p, n);
		check_reset(name, p, n, false);
		check_reset(name, p, n, true);
		free(p);
	}
	if (list)
		pclose(list);
	free(whole.text);
	free(other.text);
	test_quiet();
	return check_end();
}
