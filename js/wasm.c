/* What the WebAssembly module exports: finders, which keep a scanner, and what is known about one URL; with
 * URLSIFT_JS_MAIL the links of messages and the records of the command too.  A client of the public headers.
 *
 * Results are records of words (record.h); urlsift.mjs reads them.  Lengths are in bytes, offsets are in UTF-16 code
 * units of the text, and in mail in bytes. */
#include "record.h"
#include "urlsift-render.h"

#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name), visibility("default")))

/* ---- Finders ------------------------------------------------------------------------ */

struct finder {
	urlsift_context *context;
	urlsift_scanner *scanner;
	struct record found;
	struct cursor cursor;
	size_t links;
	bool first; /* stop after the first link */
	char *input;
	size_t input_size;
};

static int take_piece(void *user, const urlsift_piece *piece)
{
	struct finder *f = user;
	if (!piece->link || piece->part > 0)
		return 0;
	f->links++;
	if (f->first)
		return 1;
	add_link(&f->found, &f->cursor, piece);
	return f->found.failed;
}

EXPORT(finder_free) void finder_free(struct finder *f)
{
	urlsift_free(f->scanner);
	urlsift_context_free(f->context);
	free(f->found.words);
	free(f->input);
	free(f);
}

static urlsift_options *make_options(const int32_t *pairs, size_t count, const char *base, size_t base_length)
{
	urlsift_options *o = urlsift_options_new(NULL);
	bool good = o && (!base_length || urlsift_options_set_base(o, base, base_length) == URLSIFT_OK);
	for (size_t i = 0; good && i < count; i++)
		good = urlsift_options_set(o, (urlsift_option)pairs[2 * i], pairs[2 * i + 1]) == URLSIFT_OK;
	if (good)
		return o;
	urlsift_options_free(o);
	return NULL;
}

/* NULL for an option out of range.  `utf16`: the text that is fed is UTF-16LE, else UTF-8. */
EXPORT(finder_new)
struct finder *finder_new(const int32_t *pairs, size_t count, const char *base, size_t base_length, int utf16)
{
	struct finder *f = calloc(1, sizeof *f);
	urlsift_options *o = f ? make_options(pairs, count, base, base_length) : NULL;
	if (o) {
		urlsift_options_set(o, URLSIFT_OPT_PLAIN, 0);
		if (utf16)
			urlsift_options_set_charset(o, "utf-16le");
		f->cursor.utf16 = utf16;
		f->context = urlsift_context_new(NULL);
		f->scanner = f->context ? urlsift_new(f->context, o, &(urlsift_sink){ take_piece, NULL, f }, NULL) : NULL;
	}
	urlsift_options_free(o);
	if (!f || f->scanner)
		return f;
	finder_free(f);
	return NULL;
}

/* Room for n bytes of input; NULL without memory. */
EXPORT(finder_input) char *finder_input(struct finder *f, size_t n)
{
	if (n <= f->input_size)
		return f->input;
	free(f->input);
	f->input = malloc(n);
	f->input_size = f->input ? n : 0;
	return f->input;
}

/* Finds the links of a whole UTF-8 text, the first n bytes of the input.  Returns how many, -1 if memory is exhausted.
 * `ascii`: all are ASCII.  `first`: stop after the first link, without a record. */
EXPORT(finder_find) int32_t finder_find(struct finder *f, size_t n, int ascii, int first)
{
	urlsift_reset(f->scanner);
	record_empty(&f->found);
	f->cursor = (struct cursor){
		.text = ascii ? NULL : (uint8_t *)f->input, .source = f->input, .source_length = n
	};
	f->links = 0;
	f->first = first;
	urlsift_status status = urlsift_feed(f->scanner, f->input, n);
	if (status == URLSIFT_OK)
		status = urlsift_finish(f->scanner);
	return status == URLSIFT_OK || (first && f->links) ? (int32_t)f->links : -1;
}

/* Feeds the first n bytes of the input, at the end of the text 0 bytes with `last`.  Returns how many links were found
 * since the last call, -1 if memory is exhausted.  With UTF-8 all must be ASCII, and the reader has the text. */
EXPORT(finder_feed) int32_t finder_feed(struct finder *f, size_t n, int last)
{
	record_empty(&f->found);
	f->cursor.text = NULL;
	f->cursor.source = f->cursor.utf16 ? NULL : f->input;
	f->cursor.source_at += f->cursor.source_length;
	f->cursor.source_length = n;
	f->links = 0;
	f->first = 0;
	urlsift_status status = urlsift_feed(f->scanner, f->input, n);
	if (status == URLSIFT_OK)
		status = last ? urlsift_finish(f->scanner) : urlsift_flush(f->scanner);
	return status == URLSIFT_OK ? (int32_t)f->links : -1;
}

EXPORT(finder_reset) void finder_reset(struct finder *f)
{
	urlsift_reset(f->scanner);
	f->cursor.source_at = 0;
	f->cursor.source_length = 0;
}

EXPORT(finder_words) const uint32_t *finder_words(const struct finder *f) { return f->found.words; }

/* ---- Names -------------------------------------------------------------------------- */

/* The name of convention, flag, warning or limit number i, the reason of a warning, the version: NUL-terminated;
 * NULL for none. */
enum { NAME_VERSION, NAME_CONVENTION, NAME_FLAG, NAME_WARNING, NAME_REASON };
EXPORT(name) const char *name(int kind, unsigned i)
{
	switch (kind) {
	case NAME_VERSION: return urlsift_version();
	case NAME_CONVENTION: return i <= URLSIFT_CONV_RULE ? urlsift_convention_name((urlsift_convention)i) : NULL;
	case NAME_FLAG: return urlsift_flag_name(1u << i);
	case NAME_WARNING: return urlsift_warning_name(1u << i);
	case NAME_REASON: return urlsift_warning_reason(1u << i);
	default: return NULL;
	}
}

/* ---- One URL ------------------------------------------------------------------------ */

static size_t url_normal(const void *of, char *out, size_t size) { return urlsift_url_normal(of, out, size); }
static size_t url_unwrap(const void *of, char *out, size_t size) { return urlsift_url_unwrap(of, out, size); }

struct report {
	struct record *record;
	uint32_t fields;
};

static int take_field(void *user, const urlsift_field *field)
{
	struct report *report = user;
	report->fields++;
	add_name(report->record, field->name);
	add_string(report->record, field->value, field->length);
	add_name(report->record, field->note);
	return 0;
}

static void add_verdicts(struct record *r, urlsift_context *context, const urlsift_url *url)
{
	for (urlsift_grammar g = URLSIFT_RFC1738; g <= URLSIFT_RFC3987; g++) {
		urlsift_fault fault = { .rule = NULL };
		urlsift_status status = urlsift_url_check(context, url, g, &fault);
		add_word(r, status == URLSIFT_OK ? 1 : status == URLSIFT_INVALID ? 0 : 2);
		add_word(r, fault.rule ? count_units((const uint8_t *)url->text, fault.offset) : 0);
		add_name(r, urlsift_grammar_name(g));
		add_name(r, fault.rule);
		add_name(r, fault.rule ? fault.what : NULL);
	}
}

static bool may_be_href(const urlsift_url *url, unsigned warnings)
{
	return urlsift_scheme_linkable(url->text + url->scheme.offset, url->scheme.length) &&
	       !(warnings & URLSIFT_WARN_NO_HREF);
}

/* What is known about the first n bytes of the input, a URL; words as for links.  False if memory is exhausted. */
EXPORT(explain) int explain(struct finder *f, size_t n)
{
	struct record *r = &f->found;
	urlsift_url url;
	urlsift_scheme scheme;
	record_empty(r);
	urlsift_url_split(f->input, n, &url);
	bool known = url.scheme.present && urlsift_scheme_find(url.text + url.scheme.offset, url.scheme.length, &scheme);
	unsigned warnings = urlsift_url_warnings(&url);
	add_word(r, known);
	add_word(r, may_be_href(&url, warnings));
	add_word(r, warnings);
	add_string(r, url.text + url.scheme.offset, url.scheme.length);
	add_name(r, known ? scheme.purpose : NULL);
	add_form(r, &url, url_target);
	add_form(r, &url, url_normal);
	add_form(r, &url, url_unwrap);
	add_verdicts(r, f->context, &url);
	size_t at = r->count;
	add_word(r, 0);
	struct report report = { r, 0 };
	urlsift_status status = urlsift_url_interpret(f->context, &url, take_field, &report);
	if (!r->failed)
		r->words[at] = report.fields;
	return !r->failed && (status == URLSIFT_OK || status == URLSIFT_STOPPED);
}

/* Writes the target of the first n bytes of the input, a URL, as a string; 0 if it must not be an href, -1 if memory is
 * exhausted. */
EXPORT(target) int target(struct finder *f, size_t n)
{
	urlsift_url url;
	record_empty(&f->found);
	urlsift_url_split(f->input, n, &url);
	if (!may_be_href(&url, urlsift_url_warnings(&url)))
		return 0;
	add_form(&f->found, &url, url_target);
	return f->found.failed ? -1 : 1;
}

#ifdef URLSIFT_JS_MAIL

/* ---- Mail --------------------------------------------------------------------------- */

/* The reader of one mailbox, message or HTML document, which is in memory. */
struct reader {
	struct finder *finder; /* with the options of the texts; its records are the results */
	const char *bytes;
	size_t size;
	urlsift_options *scan;
};

/* After a link: its place, and words that say whether offsets count decoded bytes and whether it is a target of
 * HTML. */
static int take_mail(void *user, const urlsift_place *place, const urlsift_piece *piece)
{
	struct reader *m = user;
	struct record *r = &m->finder->found;
	size_t n;
	if (!piece->link || piece->part > 0)
		return 0;
	size_t begin = r->count;
	add_link(r, &m->finder->cursor, piece);
	const urlsift_message *message = place->message;
	const char *label = urlsift_link_label(piece->link, &n);
	add_string(r, label, n);
	add_word(r, (uint32_t)place->decoded);
	add_word(r, message ? (uint32_t)message->index : 0);
	add_name(r, place->part);
	add_name(r, place->field);
	add_name(r, place->attribute);
	add_string(r, message ? message->id.bytes : "", message ? message->id.length : 0);
	add_string(r, message ? message->subject.bytes : "", message ? message->subject.length : 0);
	add_string(r, message ? message->from.bytes : "", message ? message->from.length : 0);
	if (!r->failed)
		r->words[begin] = (uint32_t)(r->count - begin);
	m->finder->links++;
	return r->failed;
}

/* The command finds From_ lines after Content-Length in the same way. */
static long probe(void *user, uint64_t offset, char *out, size_t size)
{
	const struct reader *m = user;
	if (offset >= m->size)
		return 0;
	size_t n = m->size - (size_t)offset;
	n = n < size ? n : size;
	memcpy(out, m->bytes + (size_t)offset, n);
	return (long)n;
}

static urlsift_mail_options mail_options(struct reader *m, urlsift_mail_kind kind)
{
	return (urlsift_mail_options){
		.kind = kind, .headers = URLSIFT_HEADERS_URLS, .metadata = 1, .content_length = URLSIFT_LENGTH_PROBED,
		.probe = probe, .probe_user = m
	};
}

static urlsift_status read_mail(struct reader *m, const urlsift_mail_options *options, const urlsift_mail_sink *sink)
{
	urlsift_mail *mail = urlsift_mail_new(m->finder->context, m->scan, options, sink, NULL);
	urlsift_status status = mail ? urlsift_mail_feed(mail, m->bytes, m->size) : URLSIFT_NO_MEMORY;
	if (status == URLSIFT_OK)
		status = urlsift_mail_finish(mail);
	urlsift_mail_free(mail);
	return status;
}

/* Options of a call: those in pairs, and the base. */
struct given {
	const int32_t *pairs;
	size_t count;
	const char *base;
	size_t base_length;
};

/* The links of the first n bytes of the input, a message, mailbox or HTML document; other text is a message without a
 * header.  Returns how many, -1 if memory is exhausted, -2 for an option out of range. */
EXPORT(mail_find) int32_t mail_find(struct finder *f, size_t n, const struct given *o)
{
	struct reader m = { .finder = f, .bytes = f->input, .size = n };
	urlsift_mail_kind kind = urlsift_mail_detect(f->input, n, 1);
	record_empty(&f->found);
	f->cursor = (struct cursor){ 0 };
	f->links = 0;
	m.scan = make_options(o->pairs, o->count, o->base, o->base_length);
	if (!m.scan)
		return -2;
	urlsift_options_set(m.scan, URLSIFT_OPT_PLAIN, 0);
	urlsift_options_set(m.scan, URLSIFT_OPT_LABELS, 1);
	urlsift_mail_options options = mail_options(&m, kind == URLSIFT_KIND_TEXT ? URLSIFT_KIND_MESSAGE : kind);
	urlsift_mail_sink sink = { .piece = take_mail, .user = &m };
	urlsift_status status = read_mail(&m, &options, &sink);
	urlsift_options_free(m.scan);
	return status == URLSIFT_OK ? (int32_t)f->links : -1;
}

static int take_bytes(void *user, const void *bytes, size_t length)
{
	struct record *r = user;
	size_t words = (length + 3) / 4;
	if (!reserve(r, words + 1))
		return 1;
	/* the first word counts the bytes; only the last block is padded */
	memcpy((char *)(r->words + 1) + r->words[0], bytes, length);
	r->words[0] += (uint32_t)length;
	r->count = 1 + (r->words[0] + 3) / 4;
	return 0;
}

/* What `urlsift list --json` or, with `html`, `urlsift html --fragment` write of the first n bytes of the input, which
 * begin with the name of their source and a NUL, as one string.  -1 if memory is exhausted, -2 for an option out of
 * range. */
EXPORT(render) int32_t render(struct finder *f, size_t n, const struct given *o, int html)
{
	size_t name_length = strlen(f->input);
	struct reader m = { .finder = f, .bytes = f->input + name_length + 1, .size = n - name_length - 1 };
	urlsift_mail_kind kind = urlsift_mail_detect(m.bytes, m.size, m.size <= URLSIFT_DETECT_BYTES);
	urlsift_render_options how = { .format = html ? "html" : "json", .html.fragment = 1 };
	urlsift_mail_options options = mail_options(&m, kind);
	urlsift_status status = URLSIFT_NO_MEMORY;
	record_empty(&f->found);
	add_word(&f->found, 0);
	m.scan = make_options(o->pairs, o->count, o->base, o->base_length);
	if (!m.scan)
		return -2;
	options.positions = 1;
	urlsift_options_set(m.scan, URLSIFT_OPT_POSITIONS, 1);
	urlsift_render_prepare(&how, m.scan, &options);
	urlsift_renderer *r = urlsift_render_new(f->context, &how, take_bytes, &f->found, NULL);
	if (r)
		status = urlsift_render_source(r, f->input, NULL);
	if (status == URLSIFT_OK && kind == URLSIFT_KIND_TEXT) {
		urlsift_sink sink = urlsift_render_sink(r);
		status = urlsift_scan(f->context, m.scan, &sink, m.bytes, m.size);
	} else if (status == URLSIFT_OK) {
		urlsift_mail_sink sink = urlsift_render_mail_sink(r);
		status = read_mail(&m, &options, &sink);
	}
	if (status == URLSIFT_OK)
		status = urlsift_render_source_end(r, 0);
	if (r && urlsift_render_end(r) != URLSIFT_OK)
		status = URLSIFT_NO_MEMORY;
	urlsift_render_free(r);
	urlsift_options_free(m.scan);
	return status == URLSIFT_OK && !f->found.failed ? 0 : -1;
}
#endif
