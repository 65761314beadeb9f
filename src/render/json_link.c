/* The members of a link in its JSON record. */
#include "json.h"

#include "scan/link.h"
#include "url/grammar.h"

/* ---- Verdicts ----------------------------------------------------------------------- */

void json_verdicts(struct writer *w, const struct verdicts *v, size_t supplied)
{
	size_t n = 0;
	const char *before = "\"";
	writer_text(w, KEY("valid") "{");
	for (size_t g = 0; g < VERDICTS; g++) {
		if (!render_is_verdict(v->status[g]))
			continue;
		writer_text(w, before);
		writer_text(w, urlsift_grammar_name((urlsift_grammar)g));
		writer_text(w, v->status[g] == URLSIFT_OK ? "\":true" : "\":false");
		before = ",\"";
	}
	writer_text(w, "}");
	for (size_t g = 0; g < VERDICTS; g++) {
		if (v->status[g] != URLSIFT_INVALID)
			continue;
		const urlsift_fault *f = &v->fault[g];
		json_element(w, KEY("faults") "[", n++);
		writer_text(w, "{\"grammar\":\"");
		writer_text(w, urlsift_grammar_name((urlsift_grammar)g));
		writer_put(w, "\"", 1);
		json_number(w, KEY("offset"), excess(f->offset, supplied));
		json_word(w, KEY("rule"), f->rule, strlen(f->rule));
		json_string(w, KEY("what"), f->what, strlen(f->what));
		writer_put(w, "}", 1);
	}
	json_array_end(w, n);
}

/* ---- Links --------------------------------------------------------------------------- */

void json_place(urlsift_renderer *r, const urlsift_link *link)
{
	struct writer *w = &r->writer;
	const urlsift_place *place = r->place;
	size_t n;
	const urlsift_range *parts = urlsift_link_parts(link, &n);
	json_name(w, KEY("field"), place->field);
	json_name(w, KEY("attribute"), place->attribute);
	if (urlsift_link_line(link) > 0) {
		json_number(w, KEY("line"), urlsift_link_line(link));
		json_number(w, KEY("column"), urlsift_link_column(link));
	}
	const char *before = KEY("parts") "[[";
	for (size_t i = 0; i < n; i++, before = "],[") {
		json_number(w, before, parts[i].offset);
		json_number(w, ",", parts[i].length);
	}
	writer_put(w, "]]", 2);
	if (place->decoded)
		writer_text(w, KEY("decoded") "true");
}

static inline void put_text(struct writer *w, const char *key, const struct link_record *l, urlsift_text text)
{
	if (l->simple && text.length > 0)
		json_word(w, key, text.bytes, text.length);
	else
		json_text(w, key, text); /* 0 is a form for which memory was missing */
}

static urlsift_text form_of(urlsift_renderer *r, const struct link_record *l, link_form_fn *write)
{
	const size_t n = render_form(r, write, l->link);
	return (urlsift_text){ (const char *)r->form.data, n };
}

/* The comparable form, what surrounds the link, the scheme, and the host of that form. */
static void put_normal(urlsift_renderer *r, const struct link_record *l)
{
	struct writer *w = &r->writer;
	const urlsift_text own = { l->text, l->length };
	urlsift_text form = l->simple && link_is_normal(l->link) ? own : form_of(r, l, urlsift_link_normal);
	size_t length;
	const char *scheme = urlsift_link_scheme(l->link, &length);
	put_text(w, KEY("normal"), l, form);
	if (r->options.unwrap) { /* in the same buffer */
		json_text(w, KEY("unwrapped"), form_of(r, l, link_unwrapped));
		form = form_of(r, l, urlsift_link_normal);
	}
	urlsift_text label, before, after;
	label.bytes = urlsift_link_label(l->link, &label.length);
	json_text(w, KEY("label"), label);
	if (r->options.context > 0) {
		urlsift_link_context(l->link, &before, &after);
		json_string(w, KEY("context") "{\"before\":", before.bytes, before.length);
		json_string(w, KEY("after"), after.bytes, after.length);
		writer_put(w, "}", 1);
	}
	json_word(w, KEY("scheme"), scheme, length);
	if (form.length == 0)
		return;
	if (l->simple) { /* the host is where it was in the text */
		json_word(w, KEY("host"), form.bytes + l->url.host.offset, l->url.host.length);
		return;
	}
	urlsift_url url;
	urlsift_url_split(form.bytes, form.length, &url);
	json_text(w, KEY("host"), (urlsift_text){ form.bytes + url.host.offset, url.host.length });
}

static void put_link_verdicts(urlsift_renderer *r, struct link_record *l)
{
	struct verdicts v;
	if (!GRAMMAR_BUILT)
		return;
	if (l->simple && l->link->head && grammar_quick_simple(&l->url)) { /* nearly always */
		writer_text(&r->writer, KEY("valid") "{\"rfc1738\":true,\"rfc3986\":true,\"rfc3987\":true}");
		return;
	}
	if (!l->simple) {
		size_t n = render_form(r, urlsift_link_absolute, l->link);
		if (n == 0)
			return;
		urlsift_url_split((const char *)r->form.data, n, &l->url);
	}
	render_judge(r, &l->url, &v);
	json_verdicts(&r->writer, &v, strlen(urlsift_link_supplied(l->link)));
}

void json_members(urlsift_renderer *r, struct link_record *l)
{
	struct writer *w = &r->writer;
	const urlsift_text own = { l->text, l->length };
	put_text(w, KEY("text"), l, own);
	put_text(w, KEY("url"), l, l->simple ? own : form_of(r, l, urlsift_link_target));
	put_normal(r, l);
	const char *convention = urlsift_convention_name(urlsift_link_convention(l->link));
	json_word(w, KEY("convention"), convention, strlen(convention));
	json_names(w, KEY("flags") "[", urlsift_link_flags(l->link), urlsift_flag_name);
	size_t n;
	const urlsift_alternate *alternates = urlsift_link_alternates(l->link, &n);
	for (size_t i = 0; i < n; i++) {
		json_element(w, KEY("alternates") "[", i);
		json_string(w, "{\"text\":", alternates[i].text, alternates[i].length);
		writer_text(w, alternates[i].why == URLSIFT_WHY_HYPHEN ? KEY("why") "\"hyphen\"" : KEY("why") "\"join\"");
		/* from 0 to less than 1, in hundredths, without the zeros at the end */
		const unsigned hundredths = (unsigned)(alternates[i].confidence * 100 + 0.5);
		writer_text(w, KEY("confidence") "0.");
		writer_number(w, hundredths / 10);
		if (hundredths % 10)
			writer_number(w, hundredths % 10);
		writer_put(w, "}", 1);
	}
	json_array_end(w, n);
	put_link_verdicts(r, l);
	if (!l->simple || r->options.unwrap)
		json_names(w, KEY("warnings") "[", render_warnings(r, l->link), urlsift_warning_name);
}
