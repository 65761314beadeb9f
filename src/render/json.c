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

/* A link on its way into a record. */
struct record {
	const urlsift_link *link;
	const char *text;
	size_t length;
	bool stands; /* urlsift_link_stands: text and target are one */
	bool bare;   /* and hold nothing to escape */
	urlsift_url url; /* the text taken apart, of a link that stands; of another, by take_whole */
};

static inline void put_text(struct out *o, const char *key, const struct record *r, const char *text, size_t n)
{
	if (r->bare)
		put_word(o->w, key, text, n);
	else if (n > 0)
		put_string(o->w, key, text, n);
}

/* The comparable form, the scheme, and the host of that form. */
static void put_normal(struct out *o, const struct record *r)
{
	struct escape_form *form = o->state;
	size_t n = escape_form(form, ESCAPE_NORMAL, r->link, NULL), length;
	put_text(o, KEY("normal"), r, form->data, n);
	const char *scheme = urlsift_link_scheme(r->link, &length);
	put_word(o->w, KEY("scheme"), scheme, length);
	if (n == 0) {
		o->status = URLSIFT_NO_MEMORY;
		return;
	}
	if (r->stands) { /* the host is where it was in the text */
		put_word(o->w, KEY("host"), form->data + r->url.host.offset, r->url.host.length);
		return;
	}
	urlsift_url url;
	urlsift_url_split(form->data, n, &url);
	if (url.host.length > 0)
		put_string(o->w, KEY("host"), form->data + url.host.offset, url.host.length);
}

static void put_target(struct out *o, const struct record *r)
{
	struct escape_form *form = o->state;
	if (r->stands) {
		put_text(o, KEY("url"), r, r->text, r->length);
	} else {
		size_t n = escape_form(form, ESCAPE_TARGET, r->link, NULL);
		put_text(o, KEY("url"), r, form->data, n);
	}
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

/* The URL with the scheme that the text may lack; false without memory. */
static bool take_whole(struct out *o, struct record *r)
{
	struct escape_form *form = o->state;
	if (r->stands)
		return true;
	size_t n = escape_form(form, ESCAPE_WHOLE, r->link, NULL);
	if (n)
		urlsift_url_split(form->data, n, &r->url);
	else
		o->status = URLSIFT_NO_MEMORY;
	return n;
}

static bool judge(struct out *o, struct record *r, struct verdicts *v)
{
	if (!take_whole(o, r))
		return false;
	v->before = strlen(urlsift_link_supplied(r->link));
	for (size_t i = 0; i < GRAMMARS; i++) {
		/* a link that stands is a URI, and every URI is an IRI */
		bool known = grammars[i] == URLSIFT_RFC3986 ? r->stands
		             : grammars[i] == URLSIFT_RFC3987 && v->status[i - 1] == URLSIFT_OK;
		v->status[i] = known ? URLSIFT_OK : urlsift_url_check(o->context, &r->url, grammars[i], &v->fault[i]);
		if (v->status[i] != URLSIFT_OK && v->status[i] != URLSIFT_INVALID)
			o->status = v->status[i];
	}
	return true;
}

static void put_valid(struct writer *w, const struct verdicts *v)
{
	const char *before = "{\"";
	bool all = true;
	for (size_t i = 0; i < GRAMMARS; i++)
		all = all && v->status[i] == URLSIFT_OK;
	if (all) { /* nearly always */
		writer_text(w, KEY("valid") "{\"rfc1738\":true,\"rfc3986\":true,\"rfc3987\":true}");
		return;
	}
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

/* What a text is and where it was. */
static void put_place(struct out *o, const struct record *r)
{
	struct writer *w = o->w;
	put_head(o, "link");
	if (o->place && o->place->field)
		put_string(w, KEY("field"), o->place->field, strlen(o->place->field));
	if (urlsift_link_line(r->link) > 0) {
		put_number(w, KEY("line"), urlsift_link_line(r->link));
		put_number(w, KEY("column"), urlsift_link_column(r->link));
	}
	put_parts(w, r->link);
	if (o->place && o->place->decoded)
		writer_text(w, ",\"decoded\":true");
}

static void json_piece(struct out *o, const urlsift_piece *piece, bool shown)
{
	if (!shown || piece->part > 0)
		return;
	struct writer *w = o->w;
	struct record r = { .link = piece->link, .stands = urlsift_link_stands(piece->link) };
	r.text = urlsift_link_text(r.link, &r.length);
	r.bare = r.stands && !memchr(r.text, '&', r.length);
	if (r.stands)
		urlsift_url_split(r.text, r.length, &r.url);
	put_place(o, &r);
	put_text(o, KEY("text"), &r, r.text, r.length);
	put_target(o, &r);
	put_normal(o, &r);
	const char *convention = urlsift_convention_name(urlsift_link_convention(r.link));
	put_word(w, KEY("convention"), convention, strlen(convention));
	put_names(w, KEY("flags"), urlsift_link_flags(r.link), urlsift_flag_name);
	put_alternates(w, r.link);
	struct verdicts v;
	if (judge(o, &r, &v)) {
		put_valid(w, &v);
		put_faults(w, &v);
	}
	if (!r.stands)
		put_names(w, KEY("warnings"), urlsift_link_warnings(r.link), urlsift_warning_name);
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
	.wants_positions = true, .wants_guesses = true, .makes_records = true,
};
