#include "verbs.h"

#include "text/unicode.h"
#include "url/scheme.h"
#include "url/url.h"

#include <stdlib.h>
#include <string.h>

struct explain {
	struct explained e;
	struct escape_form text, scheme, room; /* what e points to */
};

/* ---- Text -------------------------------------------------------------------- */

/* How many of the first bytes are valid UTF-8. */
static size_t valid_length(const uint8_t *p, size_t n)
{
	size_t i = 0;
	uint32_t cp;
	bool cut;
	for (size_t k; i < n; i += k) {
		k = p[i] < 0x80 ? 1 : utf8_sequence(p + i, n - i, &cp, &cut);
		if (k == 0)
			break;
	}
	return i;
}

const char *explain_text(struct url_run *r, struct escape_form *room, const char *text, size_t *n)
{
	const uint8_t *p = (const uint8_t *)text;
	size_t i = valid_length(p, *n), used = i;
	if (i == *n)
		return text;
	uint8_t *to = (uint8_t *)url_run_room(r, room, 3 * *n + 1);
	if (!to)
		return NULL;
	memcpy(to, p, i);
	while (i < *n) {
		uint32_t cp;
		i += utf8_next(p + i, *n - i, &cp);
		used += utf8_put(to + used, cp);
	}
	*n = used;
	return (const char *)to;
}

/* ---- The record ---------------------------------------------------------------- */

struct record {
	struct url_run *run;
	const struct explained *e;
	bool begun; /* a field was written */
};

static int put_field(void *user, const urlsift_field *field)
{
	struct record *record = user;
	struct writer *w = &record->run->w;
	size_t n = field->length;
	const char *value = explain_text(record->run, record->e->room, field->value, &n);
	if (!value)
		return 1;
	writer_text(w, record->begun ? ",{\"name\":\"" : ",\"fields\":[{\"name\":\"");
	writer_text(w, field->name);
	writer_text(w, "\",\"value\":");
	escape_json(w, value, n);
	writer_put(w, "}", 1);
	record->begun = true;
	return w->error;
}

static void put_fields(struct url_run *r, const struct explained *e)
{
	struct record record = { r, e, false };
	urlsift_status status = urlsift_url_interpret(e->context, &e->url, put_field, &record);
	writer_put(&r->w, "]", record.begun);
	if (status != URLSIFT_OK && status != URLSIFT_STOPPED)
		url_run_fail(r, urlsift_status_text(status));
}

static void put_valid(struct writer *w, const struct explained *e)
{
	const char *before = "";
	writer_text(w, ",\"valid\":{");
	for (size_t g = 0; g < EXPLAIN_GRAMMARS; g++) {
		if (e->status[g] != URLSIFT_OK && e->status[g] != URLSIFT_INVALID)
			continue;
		writer_text(w, before);
		writer_put(w, "\"", 1);
		writer_text(w, urlsift_grammar_name((urlsift_grammar)g));
		writer_text(w, e->status[g] == URLSIFT_OK ? "\":true" : "\":false");
		before = ",";
	}
	writer_put(w, "}", 1);
}

static void put_faults(struct writer *w, const struct explained *e)
{
	const char *before = ",\"faults\":[{\"grammar\":\"";
	bool begun = false;
	for (size_t g = 0; g < EXPLAIN_GRAMMARS; g++) {
		if (e->status[g] != URLSIFT_INVALID)
			continue;
		writer_text(w, before);
		writer_text(w, urlsift_grammar_name((urlsift_grammar)g));
		writer_text(w, "\",\"offset\":");
		writer_number(w, e->fault[g].offset);
		writer_text(w, ",\"rule\":");
		escape_json(w, e->fault[g].rule, strlen(e->fault[g].rule));
		writer_text(w, ",\"what\":");
		escape_json(w, e->fault[g].what, strlen(e->fault[g].what));
		writer_put(w, "}", 1);
		before = ",{\"grammar\":\"";
		begun = true;
	}
	writer_put(w, "]", begun);
}

static void put_warnings(struct writer *w, unsigned warnings)
{
	const char *before = ",\"warnings\":[\"";
	bool begun = false;
	for (unsigned bit = 1; bit && bit <= warnings; bit <<= 1) {
		const char *name = warnings & bit ? urlsift_warning_name(bit) : NULL;
		if (!name)
			continue;
		writer_text(w, before);
		writer_text(w, name);
		writer_put(w, "\"", 1);
		before = ",\"";
		begun = true;
	}
	writer_put(w, "]", begun);
}

typedef size_t form_writer(const urlsift_url *url, char *out, size_t size);

static void put_form(struct url_run *r, const char *key, const struct explained *e, form_writer *write)
{
	char *to = url_run_room(r, e->room, 64);
	size_t n = to ? write(&e->url, to, e->room->room) : 0;
	if (n > e->room->room) {
		to = url_run_room(r, e->room, n);
		if (to)
			write(&e->url, to, n);
	}
	if (!to)
		return;
	writer_text(&r->w, key);
	escape_json(&r->w, to, n);
}

void explain_json(struct url_run *r, const struct explained *e)
{
	struct writer *w = &r->w;
	writer_text(w, "{\"type\":\"url\",\"text\":");
	escape_json(w, e->url.text, e->url.length);
	put_form(r, ",\"url\":", e, urlsift_url_target);
	put_form(r, ",\"normal\":", e, urlsift_url_normal);
	if (e->scheme_length > 0) {
		writer_text(w, ",\"scheme\":");
		escape_json(w, e->scheme, e->scheme_length);
	}
	writer_text(w, e->row ? ",\"known\":true" : ",\"known\":false");
	put_fields(r, e);
	put_valid(w, e);
	put_faults(w, e);
	put_warnings(w, e->warnings);
	writer_put(w, "}\n", 2);
}

static void limit_record(struct url_run *r, uint64_t offset)
{
	writer_text(&r->w, "{\"type\":\"limit\",\"source\":\"-\",\"limit\":\"url-length\",\"value\":");
	writer_number(&r->w, (uint64_t)r->options->max_url);
	writer_text(&r->w, ",\"offset\":");
	writer_number(&r->w, offset);
	writer_put(&r->w, "}\n", 2);
}

/* ---- The run --------------------------------------------------------------------- */

/* RFC 3986 section 3.1; what else stands before the first colon is none. */
static bool is_scheme(const char *name, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool letter = (name[i] | 0x20) >= 'a' && (name[i] | 0x20) <= 'z';
		bool other = (name[i] >= '0' && name[i] <= '9') || name[i] == '+' || name[i] == '-' || name[i] == '.';
		if (!letter && !(other && i > 0))
			return false;
	}
	return n > 0;
}

static bool read_scheme(struct url_run *r, struct explain *x)
{
	struct explained *e = &x->e;
	const char *name = e->url.text + e->url.scheme.offset;
	e->scheme_length = 0;
	e->row = NULL;
	if (!e->url.scheme.present || !is_scheme(name, e->url.scheme.length))
		return true;
	e->scheme_length = e->url.scheme.length;
	e->row = scheme_find(name, e->scheme_length);
	e->scheme = url_run_room(r, &x->scheme, e->scheme_length);
	for (size_t i = 0; e->scheme && i < e->scheme_length; i++)
		e->scheme[i] = (char)(name[i] >= 'A' && name[i] <= 'Z' ? name[i] | 0x20 : name[i]);
	return e->scheme;
}

static void explain(struct url_run *r, const char *text, size_t n)
{
	struct explain *x = r->state;
	struct explained *e = &x->e;
	if (n == 0)
		return;
	text = explain_text(r, &x->text, text, &n);
	if (!text)
		return;
	urlsift_url_split(text, n, &e->url);
	if (!read_scheme(r, x))
		return;
	for (size_t g = 0; g < EXPLAIN_GRAMMARS; g++) {
		e->status[g] = urlsift_url_check(e->context, &e->url, (urlsift_grammar)g, &e->fault[g]);
		if (e->status[g] != URLSIFT_OK && e->status[g] != URLSIFT_INVALID)
			url_run_fail(r, urlsift_status_text(e->status[g]));
	}
	e->warnings = urlsift_url_warnings(&e->url);
	(r->options->json ? explain_json : explain_page)(r, e);
	e->first = false;
}

enum status explain_urls(struct options *o)
{
	struct explain x = { .e = { .context = urlsift_context_new(NULL), .room = &x.room, .first = true } };
	struct url_run r = { .options = o, .state = &x, .url = explain, .limit = o->json ? limit_record : NULL };
	enum status status = STATUS_INPUT;
	if (x.e.context)
		status = url_run(&r, o->run.files, o->run.file_count);
	else
		report("out of memory");
	urlsift_context_free(x.e.context);
	free(x.text.data);
	free(x.scheme.data);
	free(x.room.data);
	return status;
}
