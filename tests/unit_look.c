/* What a reader who waits sees, and what costs time: how much of a text must have come before the scanner says what it
 * says, how far it then is and how much it goes on holding, and at which bytes it stops to look.  An output has nothing
 * of that: a rule that waits for a byte more than it needs, or a search that lets more through than it must, finds the
 * same links.
 *
 * The paragraphs of the texts of testdata, as they are and with bytes changed, and its mail are cut everywhere: so much
 * is fed, and all is asked for that can be said of it.  testdata/look.digests has a line for each file.
 *
 * usage: unit_look [--write | --show FILE] */
#include "look.h"
#include "scan/find.h"
#include "scan/scanner.h"
#include "urlsift-mail.h"

enum { SETS = 3 };

/* What the files are read with. */
struct readers {
	struct look look;
	urlsift_scanner *scanners[SETS];
	urlsift_mail *mail;
};

/* Where the scanner is, and what it holds. */
static void say_state(struct look *said, const urlsift_scanner *s)
{
	const uint64_t facts[] = { s->search.pos, s->search.floor, s->search.unclosed, s->search.last_part, s->in.want,
		s->in.hold_at, s->in.hold.length, s->out.text, said->links };
	look_all(said, facts, sizeof facts / sizeof *facts);
}

/* The beginnings of a text, flushed; all of it byte by byte; of all of it the bytes at which a link may be. */
static void say_text(urlsift_scanner *s, const uint8_t *text, size_t n, struct look *said)
{
	uint8_t padded[LOOK_ROOM + FIND_AHEAD] = {0};
	struct find_state find;
	for (size_t length = 1; length <= n; length++) {
		urlsift_reset(s);
		CHECK(urlsift_feed(s, text, length) == URLSIFT_OK && urlsift_flush(s) == URLSIFT_OK);
		say_state(said, s);
	}
	urlsift_reset(s);
	for (size_t i = 0; i < n; i++) {
		CHECK(urlsift_feed(s, text + i, 1) == URLSIFT_OK);
		say_state(said, s);
	}
	CHECK(urlsift_finish(s) == URLSIFT_OK);
	say_state(said, s);
	find_begin(&find, memcpy(padded, text, n));
	for (size_t i = 0; (i = find_next(&s->settings.finder, &find, i, n)) < n; i++)
		look_say(said, i);
}

/* The lines of a text, each a text of its own. */
struct lines { urlsift_scanner *scanner; struct look *said; };

static bool divide(void *lines, const uint8_t *text, size_t n, size_t *length)
{
	const struct lines *l = lines;
	const uint8_t *end = memchr(text, '\n', n);
	say_state(l->said, l->scanner);
	*length = end ? (size_t)(end - text) + 1 : n;
	return true;
}

static void say_lines(urlsift_scanner *s, const uint8_t *text, size_t n, struct look *said)
{
	struct lines lines = { s, said };
	urlsift_reset(s);
	CHECK(scanner_feed_texts(s, text, n, divide, &lines) == URLSIFT_OK && urlsift_finish(s) == URLSIFT_OK);
	say_state(said, s);
}

static void say_paragraph(struct readers *r, const uint8_t *text, size_t n)
{
	uint8_t changed[LOOK_ROOM];
	for (size_t i = 0; i < SETS && n; i++) {
		urlsift_scanner *s = r->scanners[i];
		say_lines(s, text, n, &r->look);
		say_text(s, i ? changed : text, i ? look_change(text, n, i, changed) : n, &r->look);
	}
	look_show(&r->look, text, n);
}

static int on_mail_piece(void *said, const urlsift_place *place, const urlsift_piece *piece)
{
	look_say(said, (uint64_t)place->anchor);
	return look_piece(said, piece);
}

static void say_string(struct look *said, const char *text)
{
	for (; text && *text; text++)
		look_say(said, (uint8_t)*text);
	look_say(said, text != NULL);
}

static int on_message(void *said, const urlsift_message *m)
{
	const uint64_t facts[] = { m->offset, m->line, m->index, m->id.length, m->subject.length, m->from.length, m->date.length,
		(uint64_t)m->time, m->groups.length, m->list.length };
	look_all(said, facts, sizeof facts / sizeof *facts);
	return 0;
}

static int on_place(void *said, const urlsift_place *p)
{
	const uint64_t facts[] = { (uint64_t)p->decoded, p->alternative, p->choice, p->name.length, (uint64_t)p->attachment, p->size,
		(uint64_t)p->flowed, (uint64_t)p->delsp, (uint64_t)p->attached };
	look_all(said, facts, sizeof facts / sizeof *facts);
	say_string(said, p->field);
	say_string(said, p->part);
	say_string(said, p->type);
	return 0;
}

static int on_notice(void *said, const urlsift_place *place, const urlsift_mail_notice *n)
{
	(void)place;
	const uint64_t facts[] = { n->value, n->offset, (uint64_t)n->omission, n->text.length };
	look_all(said, facts, sizeof facts / sizeof *facts);
	say_string(said, n->limit);
	say_string(said, n->damage);
	return 0;
}

static int on_body(void *said, const urlsift_place *place, const urlsift_body *b)
{
	(void)place;
	const uint64_t facts[] = { b->begin, b->end, (uint64_t)b->sealed };
	look_all(said, facts, sizeof facts / sizeof *facts);
	return 0;
}

static urlsift_mail_options mail_options(const uint8_t *data, size_t n)
{
	const urlsift_mail_kind kind = urlsift_mail_detect(data, n, 0);
	return (urlsift_mail_options){ .size = sizeof(urlsift_mail_options),
		.kind = kind == URLSIFT_KIND_TEXT ? URLSIFT_KIND_MESSAGE : kind,
		.headers = URLSIFT_HEADERS_ALL, .message_ids = 1, .plain = 1, .display = 1, .resources = 1, .attachments = 1,
		.metadata = 1, .positions = 1 };
}

/* The first bytes of a file of mail, flushed, in steps; all of it byte by byte. */
static void say_mail(struct readers *r, const uint8_t *data, size_t n)
{
	enum { STEP = 3 };
	const urlsift_mail_options how = mail_options(data, n);
	for (size_t length = 1; length <= n; length += STEP) {
		CHECK(urlsift_mail_reset(r->mail, &how) == URLSIFT_OK);
		CHECK(urlsift_mail_feed(r->mail, data, length) == URLSIFT_OK && urlsift_mail_flush(r->mail) == URLSIFT_OK);
		look_say(&r->look, r->look.links);
	}
	CHECK(urlsift_mail_reset(r->mail, &how) == URLSIFT_OK);
	for (size_t i = 0; i < n; i++) {
		CHECK(urlsift_mail_feed(r->mail, data + i, 1) == URLSIFT_OK);
		look_say(&r->look, r->look.links);
	}
	CHECK(urlsift_mail_finish(r->mail) == URLSIFT_OK);
	look_show(&r->look, data, n);
}

static void say_texts(void *readers, const uint8_t *text, size_t n) { say_paragraph(readers, text, n); }

static void say_file(void *readers, const uint8_t *data, size_t n)
{
	enum { MOST = 4096 };
	static uint8_t changed[MOST + 1];
	n = n < MOST ? n : MOST;
	say_mail(readers, data, n);
	if (n)
		say_mail(readers, changed, look_change(data, n, 0, changed));
}

static void begin(struct readers *r, urlsift_context *context)
{
	const urlsift_sink sink = { .piece = look_piece, .user = &r->look };
	const urlsift_mail_sink mail_sink = { .message = on_message, .place = on_place, .piece = on_mail_piece,
		
		.notice = on_notice, .body = on_body, .user = &r->look };
	const urlsift_mail_options how = mail_options((const uint8_t *)"", 0);
	for (size_t set = 0; set < SETS; set++) {
		urlsift_options *o = look_options(set);
		r->scanners[set] = urlsift_new(context, o, &sink, NULL);
		if (!set)
			r->mail = urlsift_mail_new(context, o, &how, &mail_sink, NULL);
		urlsift_options_free(o);
	}
}

int main(int argc, char **argv)
{
	static const char *const texts[] = { LOOK_TEXTS, NULL }, *const mail[] = { "mail/*.eml", "mail/*.mbox", "mail/*.htm", NULL };
	static struct readers r;
	urlsift_context *context = urlsift_context_new(NULL);
	begin(&r, context);
	const bool is_mail = argc == 3 && strstr(argv[2], "/mail/");
	if (!is_mail)
		look_files(argc, argv, "testdata/look.digests", texts, &r.look, say_texts, &r);
	if (argc < 3 || is_mail)
		look_files(argc, argv, "testdata/look-mail.digests", mail, &r.look, say_file, &r);
	for (size_t i = 0; i < SETS; i++)
		urlsift_free(r.scanners[i]);
	urlsift_mail_free(r.mail);
	urlsift_context_free(context);
	return check_end();
}
