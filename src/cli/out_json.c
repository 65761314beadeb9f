#include "escape.h"

#include <stdlib.h>
#include <string.h>

/* `type` is always first, so every other key has a comma before it.  The functions
 * that take keys are inline so that their lengths are constants. */
#define KEY(name) ",\"" name "\":"

static inline void put_string(struct writer *w, const char *key, const char *text, size_t n)
{
	writer_text(w, key);
	escape_json(w, text, n);
}

/* The same of a text that has nothing to escape: a name, a scheme. */
static inline void put_word(struct writer *w, const char *key, const char *text, size_t n)
{
	writer_text(w, key);
	writer_put(w, "\"", 1);
	writer_put(w, text, n);
	writer_put(w, "\"", 1);
}

static inline void put_number(struct writer *w, const char *key, uint64_t n)
{
	writer_text(w, key);
	writer_number(w, n);
}

static inline void put_meta(struct writer *w, const char *key, urlsift_text text)
{
	if (text.length > 0)
		put_string(w, key, text.bytes, text.length);
}

/* Where in a message the record's matter stands. */
static void put_message(struct out *o)
{
	const urlsift_place *place = o->place;
	const urlsift_message *m = place ? place->message : NULL;
	if (!m)
		return;
	writer_text(o->w, KEY("message"));
	writer_text(o->w, "{\"offset\":");
	writer_number(o->w, m->offset);
	put_meta(o->w, KEY("id"), m->id);
	if (*place->part)
		put_word(o->w, KEY("part"), place->part, strlen(place->part));
	put_meta(o->w, KEY("subject"), m->subject);
	put_meta(o->w, KEY("from"), m->from);
	put_meta(o->w, KEY("date"), m->date);
	put_meta(o->w, KEY("groups"), m->groups);
	put_meta(o->w, KEY("list"), m->list);
	writer_put(o->w, "}", 1);
}

static void put_head(struct out *o, const char *type)
{
	writer_text(o->w, "{\"type\":\"");
	writer_text(o->w, type);
	writer_put(o->w, "\"", 1);
	put_string(o->w, KEY("source"), o->source, strlen(o->source));
	put_message(o);
}

static void put_parts(struct writer *w, const urlsift_link *link)
{
	size_t n;
	const urlsift_range *parts = urlsift_link_parts(link, &n);
	writer_text(w, KEY("parts"));
	for (size_t i = 0; i < n; i++) {
		writer_text(w, i ? ",[" : "[[");
		writer_number(w, parts[i].offset);
		writer_put(w, ",", 1);
		writer_number(w, parts[i].length);
		writer_put(w, "]", 1);
	}
	writer_put(w, "]", 1);
}

/* Returns the length of the form, which is then in the state. */
static inline size_t put_form(struct out *o, const char *key, enum escape_which which, const urlsift_link *link)
{
	struct escape_form *form = o->state;
	size_t n = escape_form(form, which, link, NULL);
	if (n > 0)
		put_string(o->w, key, form->data, n);
	return n;
}

/* The host of the comparable form, of n bytes, that was just put. */
static void put_host(struct out *o, size_t n)
{
	const struct escape_form *form = o->state;
	urlsift_url url;
	urlsift_url_split(form->data, n, &url);
	if (url.host.length > 0)
		put_string(o->w, KEY("host"), form->data + url.host.offset, url.host.length);
}

/* The names of the bits, where there are any. */
static inline void put_names(struct writer *w, const char *key, unsigned bits, const char *(*name_of)(unsigned bit))
{
	bool begun = false;
	for (unsigned bit = 1; bit && bit <= bits; bit <<= 1) {
		const char *name = bits & bit ? name_of(bit) : NULL;
		if (!name)
			continue;
		if (!begun)
			writer_text(w, key);
		writer_put(w, begun ? "," : "[", 1);
		escape_json(w, name, strlen(name));
		begun = true;
	}
	writer_put(w, "]", begun);
}

/* 0 to 1 in hundredths, without the zeros at the end. */
static void put_confidence(struct writer *w, double confidence)
{
	unsigned hundredths = confidence >= 1 ? 100 : confidence > 0 ? (unsigned)(confidence * 100 + 0.5) : 0;
	writer_number(w, hundredths / 100);
	unsigned rest = hundredths % 100;
	if (rest == 0)
		return;
	writer_put(w, ".", 1);
	writer_number(w, rest / 10);
	if (rest % 10)
		writer_number(w, rest % 10);
}

static void put_alternates(struct writer *w, const urlsift_link *link)
{
	size_t n;
	const urlsift_alternate *alternates = urlsift_link_alternates(link, &n);
	if (n == 0)
		return;
	writer_text(w, KEY("alternates"));
	for (size_t i = 0; i < n; i++) {
		writer_text(w, i ? ",{\"text\":" : "[{\"text\":");
		escape_json(w, alternates[i].text, alternates[i].length);
		writer_text(w, alternates[i].why == URLSIFT_WHY_HYPHEN ? ",\"why\":\"hyphen\"" : ",\"why\":\"join\"");
		writer_text(w, KEY("confidence"));
		put_confidence(w, alternates[i].confidence);
		writer_put(w, "}", 1);
	}
	writer_put(w, "]", 1);
}

static const urlsift_grammar grammars[] = { URLSIFT_RFC1738, URLSIFT_RFC3986, URLSIFT_RFC3987 };
enum { GRAMMARS = sizeof grammars / sizeof *grammars };

struct verdicts {
	urlsift_status status[GRAMMARS]; /* URLSIFT_OK, URLSIFT_INVALID, or that there is none */
	urlsift_fault fault[GRAMMARS];
	size_t before; /* bytes of the URL that the text of the record lacks */
};

static bool judge(struct out *o, const urlsift_link *link, struct verdicts *v)
{
	struct escape_form *form = o->state;
	urlsift_url url;
	size_t n = escape_form(form, ESCAPE_WHOLE, link, NULL);
	if (!n) {
		o->status = URLSIFT_NO_MEMORY;
		return false;
	}
	v->before = strlen(urlsift_link_supplied(link));
	urlsift_url_split(form->data, n, &url);
	for (size_t i = 0; i < GRAMMARS; i++) {
		/* every URI is an IRI */
		if (grammars[i] == URLSIFT_RFC3987 && v->status[i - 1] == URLSIFT_OK) {
			v->status[i] = URLSIFT_OK;
			continue;
		}
		v->status[i] = urlsift_url_check(o->context, &url, grammars[i], &v->fault[i]);
		if (v->status[i] != URLSIFT_OK && v->status[i] != URLSIFT_INVALID)
			o->status = v->status[i];
	}
	return true;
}

static void put_valid(struct writer *w, const struct verdicts *v)
{
	const char *before = "{\"";
	writer_text(w, KEY("valid"));
	for (size_t i = 0; i < GRAMMARS; i++) {
		if (v->status[i] != URLSIFT_OK && v->status[i] != URLSIFT_INVALID)
			continue;
		writer_text(w, before);
		writer_text(w, urlsift_grammar_name(grammars[i]));
		writer_text(w, v->status[i] == URLSIFT_OK ? "\":true" : "\":false");
		before = ",\"";
	}
	writer_text(w, *before == '{' ? "{}" : "}");
}

static void put_faults(struct writer *w, const struct verdicts *v)
{
	bool begun = false;
	for (size_t i = 0; i < GRAMMARS; i++) {
		if (v->status[i] != URLSIFT_INVALID)
			continue;
		const urlsift_fault *f = &v->fault[i];
		if (!begun)
			writer_text(w, KEY("faults"));
		writer_text(w, begun ? ",{\"grammar\":\"" : "[{\"grammar\":\"");
		writer_text(w, urlsift_grammar_name(grammars[i]));
		writer_put(w, "\"", 1);
		put_number(w, KEY("offset"), f->offset > v->before ? f->offset - v->before : 0);
		put_word(w, KEY("rule"), f->rule, strlen(f->rule));
		put_string(w, KEY("what"), f->what, strlen(f->what));
		writer_put(w, "}", 1);
		begun = true;
	}
	writer_put(w, "]", begun);
}

static bool json_begin(struct out *o)
{
	o->state = calloc(1, sizeof(struct escape_form));
	return o->state != NULL;
}

static void json_source(struct out *o) { (void)o; }

static void json_piece(struct out *o, const urlsift_piece *piece, bool shown)
{
	if (!shown || piece->part > 0)
		return;
	const urlsift_link *link = piece->link;
	struct writer *w = o->w;
	put_head(o, "link");
	if (o->place && o->place->field)
		put_string(w, KEY("field"), o->place->field, strlen(o->place->field));
	if (urlsift_link_line(link) > 0) {
		put_number(w, KEY("line"), urlsift_link_line(link));
		put_number(w, KEY("column"), urlsift_link_column(link));
	}
	put_parts(w, link);
	if (o->place && o->place->decoded)
		writer_text(w, ",\"decoded\":true");
	size_t n;
	const char *text = urlsift_link_text(link, &n);
	put_string(w, KEY("text"), text, n);
	put_form(o, KEY("url"), ESCAPE_TARGET, link);
	size_t normal = put_form(o, KEY("normal"), ESCAPE_NORMAL, link);
	const char *scheme = urlsift_link_scheme(link, &n);
	put_word(w, KEY("scheme"), scheme, n);
	put_host(o, normal);
	const char *convention = urlsift_convention_name(urlsift_link_convention(link));
	put_word(w, KEY("convention"), convention, strlen(convention));
	put_names(w, KEY("flags"), urlsift_link_flags(link), urlsift_flag_name);
	put_alternates(w, link);
	struct verdicts v;
	if (judge(o, link, &v)) {
		put_valid(w, &v);
		put_faults(w, &v);
	}
	put_names(w, KEY("warnings"), urlsift_link_warnings(link), urlsift_warning_name);
	writer_put(w, "}\n", 2);
}

static void json_error(struct out *o, const char *what)
{
	put_head(o, "error");
	put_string(o->w, KEY("what"), what, strlen(what));
	writer_put(o->w, "}\n", 2);
}

static void json_notice(struct out *o, const urlsift_notice *n)
{
	put_head(o, "limit");
	put_string(o->w, KEY("limit"), n->limit, strlen(n->limit));
	put_number(o->w, KEY("value"), n->value);
	put_number(o->w, KEY("offset"), n->offset);
	writer_put(o->w, "}\n", 2);
}

static void json_source_end(struct out *o, uint64_t links) { (void)o; (void)links; }

static void json_end(struct out *o)
{
	struct escape_form *form = o->state;
	free(form->data);
	free(form);
	o->state = NULL;
}

void out_json_summary(struct writer *w, uint64_t files, uint64_t bytes, uint64_t messages, uint64_t links,
                      uint64_t errors, uint64_t limits)
{
	writer_text(w, "{\"type\":\"summary\"");
	put_number(w, KEY("files"), files);
	put_number(w, KEY("bytes"), bytes);
	put_number(w, KEY("messages"), messages);
	put_number(w, KEY("links"), links);
	put_number(w, KEY("errors"), errors);
	put_number(w, KEY("limits"), limits);
	writer_put(w, "}\n", 2);
}

const struct output out_json = {
	.name = "json", .begin = json_begin, .source = json_source, .piece = json_piece, .error = json_error,
	.notice = json_notice, .source_end = json_source_end, .end = json_end,
	.wants_positions = true, .wants_guesses = true,
};
