#include "mailbox.h"
#include "mail/html/html.h"

#include "scan/link_rules.h"
#include "scan/scanner.h"

#include <string.h>

struct urlsift_mail {
	struct parser parser;
	urlsift_mail_sink sink; /* the caller's */
	struct mime *mime;
	struct mailbox mailbox;
	bool finished;
	bool busy; /* inside urlsift_mail_feed or urlsift_mail_finish, which callbacks must not call */
};

/* ---- Limits ---- */

enum { HEADER_MIN = 1024 };

static const urlsift_mail_limit limits[] = {
	{ "mime-depth", "levels of nested parts of a message", 1, DEPTH_MAX },
	{ "parts", "parts of a message", 1, PARTS_MAX },
	{ "header-block", "bytes of a header block", HEADER_MIN, HEADER_MAX },
	{ "span", "bytes of input that a link spans", 0, SPAN_MAX },
	{ "rule-steps", "matching steps of a rule of --rules", 0, LINK_RULES_STEPS },
	{ "line-prefix", "bytes of the prefix of a line", 0, LINE_LOOK },
	{ "parameter-length", "bytes of a parameter of a header field", 0, PARAMETER_MAX },
	{ "encoded-word-length", "bytes of an encoded-word", 0, WORD_MAX },
	{ "encoded-field-length", "bytes of a field with encoded-words", 0, WORD_TEXT_MAX },
	{ "base-length", "bytes of a base, encoded", 0, BASE_MAX },
	{ "late-targets", "bytes of relative targets that wait for a base", 0, HTMLTEXT_LATE_MAX },
	{ "held-label", "bytes of an anchor that are held for its label", 0, HTMLTEXT_HELD_MAX },
	{ "metadata", "bytes of a field repeated in records", 0, META_MAX },
	{ "hidden-markup", "bytes hidden by markup that nothing closes", 0, HTMLTEXT_HIDDEN_MAX },
	{ "hidden-messages", "levels of nested encoded messages", 0, NESTED_MAX },
	{ "preamble", "bytes before the first part of a multipart", 0, PREAMBLE_MAX },
	{ "alternative-urls", "links remembered from other alternatives", 0, SEEN_MAX }
};

int urlsift_mail_limit_at(size_t index, urlsift_mail_limit *limit)
{
	if (index >= sizeof limits / sizeof *limits)
		return 0;
	*limit = limits[index];
	return 1;
}

/* Zeros become the defaults.  False for what is out of range. */
static bool take_options(struct parser *r, const urlsift_mail_options *given)
{
	urlsift_mail_options o;
	if (!struct_take(&o, sizeof o, given))
		return false;
	o.line = number_or(o.line, 1);
	bool good = (unsigned)o.kind - URLSIFT_KIND_MESSAGE < mailbox_format_count - URLSIFT_KIND_MESSAGE
	            && o.headers <= URLSIFT_HEADERS_ALL && o.content_length <= URLSIFT_LENGTH_BELIEVED;
	size_t *const set[] = {&o.max_depth, &o.max_parts, &o.max_header}; /* as the first rows of `limits` */
	for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
		*set[i] = (size_t)number_or(*set[i], limits[i].value);
		good &= within(*set[i], limits[i].least, limits[i].value);
	}
	if (good)
		r->options = o;
	return good;
}

static int no_piece(void *user, const urlsift_piece *piece)
{
	(void)user;
	(void)piece;
	return 0;
}

static int no_mail_piece(void *user, const urlsift_place *place, const urlsift_piece *piece)
{
	(void)place;
	return no_piece(user, piece);
}

const struct document *document_alone(urlsift_mail_kind kind)
{
	static const struct document documents[] = {
		{ .type = {"text/html", 9}, .language = {"", 0}, .base = {"", 0} },
		{ .type = {"text/calendar", 13}, .language = {"", 0}, .base = {"", 0} },
		{ .type = {"text/vcard", 10}, .language = {"", 0}, .base = {"", 0} }
	};
	return within(kind, URLSIFT_KIND_HTML, URLSIFT_KIND_VCARD) ? &documents[kind - URLSIFT_KIND_HTML] : NULL;
}

static void start(urlsift_mail *m)
{
	struct parser *r = &m->parser;
	const urlsift_text none = {"", 0};
	r->sink = m->sink;
	if (r->options.outline)
		r->sink = (urlsift_mail_sink){.message = m->sink.message, .piece = no_mail_piece, .user = m->sink.user};
	r->document = document_alone(r->options.kind);
	r->message = (urlsift_message){0, 0, 0, none, none, none, none, -1, none, none, none};
	r->begun = 0;
	r->at.line = r->options.line;
	r->place = (urlsift_place){.part = "", .type = ""};
	r->at.after_cr = r->at.hidden = false;
	r->own.text.length = 0;
	r->status = URLSIFT_OK;
	urlsift_reset(r->scanner); /* it may hold text of a source that was abandoned, which a flush would report */
	m->finished = false;
	mailbox_begin(&m->mailbox, r, m->mime);
}

urlsift_mail *urlsift_mail_new(urlsift_context *context, const urlsift_options *scan,
                               const urlsift_mail_options *options, const urlsift_mail_sink *sink,
                               urlsift_status *status)
{
	const urlsift_sink none = {no_piece, NULL, NULL};
	struct parser checked;
	urlsift_status own;
	status = status ? status : &own;
	*status = URLSIFT_BAD_ARGUMENT;
	if (!context || !options || !sink || !sink->piece || !take_options(&checked, options))
		return NULL;
	*status = URLSIFT_NO_MEMORY;
	urlsift_mail *m = alloc_get(&context->alloc, sizeof *m);
	if (!m)
		return NULL;
	struct parser *r = &m->parser;
	take_options(r, options);
	r->alloc = &context->alloc;
	m->sink = *sink;
	fields_choose(r);
	charset_cache_init(&r->charsets, r->alloc);
	word_text_init(&r->words, r->alloc);
	buf_init(&r->at.part.recent, r->alloc, POSITION_MAX);
	buf_init(&r->at.part.quoted, r->alloc, sizeof(uint64_t) * QUOTED_LINES);
	hashset_init(&r->alternatives.seen, r->alloc, SEEN_MAX);
	buf_init(&r->own.text, r->alloc, FORM_MAX);
	urlsift_options settings = options_or_defaults(scan);
	r->charset = settings.charset;
	r->scan.max_url = (uint64_t)settings.value[URLSIFT_OPT_MAX_URL];
	r->scan.context = (size_t)settings.value[URLSIFT_OPT_CONTEXT];
	r->www_base = settings.value[URLSIFT_OPT_WWW_HTTPS] ? "https://www/" : "http://www/";
	settings.charset = NULL; /* the scanner converts nothing on its own: each text brings its charset */
	settings.value[URLSIFT_OPT_POSITIONS] = r->options.positions;
	r->scanner = urlsift_new(context, &settings, &none, NULL);
	r->scan.simd = simd_choose((urlsift_implementation)settings.value[URLSIFT_OPT_IMPLEMENTATION]);
	m->mime = r->scanner ? mime_new(r, 0) : NULL;
	if (!m->mime) {
		urlsift_mail_free(m);
		return NULL;
	}
	start(m);
	*status = URLSIFT_OK;
	return m;
}

void urlsift_mail_free(urlsift_mail *m)
{
	if (!m || m->busy)
		return;
	struct parser *r = &m->parser;
	const urlsift_allocator *alloc = r->alloc;
	mime_free(m->mime);
	html_part_free(r->html);
	urlsift_free(r->scanner);
	charset_cache_fini(&r->charsets);
	word_text_fini(&r->words);
	buf_fini(&r->at.part.recent);
	buf_fini(&r->at.part.quoted);
	hashset_fini(&r->alternatives.seen);
	buf_fini(&r->own.text);
	alloc_put(alloc, r->room);
	alloc_put(alloc, m);
}

urlsift_status urlsift_mail_reset(urlsift_mail *m, const urlsift_mail_options *options)
{
	if (!m || !options)
		return URLSIFT_BAD_ARGUMENT;
	if (m->busy)
		return URLSIFT_BAD_STATE;
	/* whether positions are known was settled with the scanner */
	if (!options->positions != !m->parser.options.positions || !take_options(&m->parser, options))
		return URLSIFT_BAD_ARGUMENT;
	fields_choose(&m->parser);
	start(m);
	return URLSIFT_OK;
}

/* A call begins, unless it must not be made now. */
static urlsift_status enter(urlsift_mail *m)
{
	if (!m)
		return URLSIFT_BAD_ARGUMENT;
	if (m->finished || m->busy)
		return URLSIFT_BAD_STATE;
	m->busy = true;
	return URLSIFT_OK;
}

/* It ends, with its status. */
static urlsift_status leave(urlsift_mail *m)
{
	m->busy = false;
	const bool stopped = m->parser.status == URLSIFT_OK && m->mailbox.stop && !m->finished;
	return stopped ? URLSIFT_STOPPED : m->parser.status;
}

urlsift_status urlsift_mail_feed(urlsift_mail *m, const void *bytes, size_t length)
{
	const urlsift_status status = bytes || !length ? enter(m) : URLSIFT_BAD_ARGUMENT;
	if (status)
		return status;
	mailbox_feed(&m->mailbox, bytes, length);
	return leave(m);
}

urlsift_status urlsift_mail_flush(urlsift_mail *m)
{
	const urlsift_status status = enter(m);
	if (status)
		return status;
	if (parser_ok(&m->parser) && !m->mailbox.stop)
		text_flush(&m->parser);
	return leave(m);
}

urlsift_status urlsift_mail_finish(urlsift_mail *m)
{
	const urlsift_status status = enter(m);
	if (status)
		return status;
	mailbox_finish(&m->mailbox);
	m->finished = true;
	return leave(m);
}

void mail_watch(urlsift_mail *m, mail_reached *reached, void *user)
{
	m->parser.watch = (struct mail_watch){reached, user};
}

void mail_document(urlsift_mail *m, const struct document *document) { m->parser.document = document; }

uint64_t urlsift_mail_stopped_at(const urlsift_mail *m) { return m ? m->mailbox.stopped : 0; }

size_t urlsift_memory_bound(int mail)
{
	if (!mail)
		return scanner_memory_bound();
	return sizeof(urlsift_mail) + scanner_memory_bound() + mime_memory_bound() + html_part_memory_bound()
	       + charset_cache_memory_bound() + POSITION_MAX + word_text_memory_bound()
	       + hashset_memory_bound(SEEN_MAX) + 2 * (size_t)FORM_MAX;
}
