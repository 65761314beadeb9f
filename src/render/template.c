#include "format.h"

#include "url/url.h"

/* ---- Readings of a link ------------------------------------------------------------ */

/* The two forms of a reading. */
enum reading_form { TARGET, NORMAL };
static const struct {
	link_form_fn *of_link;
	size_t (*of_text)(const char *supplied, const uint8_t *text, size_t n, char *out, size_t size);
} forms[] = { [TARGET] = { urlsift_link_target, target_write }, [NORMAL] = { urlsift_link_normal, normal_write } };

/* Writes the form of the link, or of an alternate of it that is not NULL, to r->form; with --unwrap of what a link
 * rewriter hides in the link.  Returns its length, 0 without memory. */
static size_t make_form(urlsift_renderer *r, enum reading_form form, const urlsift_link *link,
                        const urlsift_alternate *alternate)
{
	char hidden[UNWRAP_MAX];
	const size_t hidden_length = r->options.unwrap && !alternate ? link_unwrapped(link, hidden, sizeof hidden) : 0;
	const char *supplied = "", *text = hidden;
	size_t length = hidden_length;
	if (!within(hidden_length, 1, sizeof hidden)) { /* none, or no memory for it */
		if (!alternate)
			return render_form(r, forms[form].of_link, link);
		supplied = urlsift_link_supplied(link);
		text = alternate->text;
		length = alternate->length;
	}
	size_t n = length;
	do {
		if (!render_room(r, &r->form, n))
			return 0;
		n = forms[form].of_text(supplied, (const uint8_t *)text, length, (char *)r->form.data, r->form.room);
	} while (n > r->form.room);
	return n;
}

void template_put_reading(urlsift_renderer *r, const urlsift_link *link, const urlsift_alternate *alternate)
{
	size_t n = r->options.unwrap && !alternate ? render_form(r, link_unwrapped, link) : 0;
	if (n) {
		writer_put(&r->writer, r->form.data, n);
		return;
	}
	const char *supplied = urlsift_link_supplied(link), *text = render_link_text(link, &n);
	if (alternate) {
		text = alternate->text;
		n = alternate->length;
	}
	writer_text(&r->writer, supplied);
	escape_line(&r->writer, text, n);
}

/* ---- Templates ----------------------------------------------------------------------- */

/* What a directive, `row`, is about: a link, or another reading of it if `alternate` is not NULL. */
struct shown {
	const urlsift_piece *piece;
	const urlsift_link *link;
	const urlsift_alternate *alternate;
	const struct directive *row;
};

struct directive {
	char name[3];
	const char *meaning;
	unsigned needs;
	void (*put)(urlsift_renderer *r, const struct shown *s);
	size_t what;     /* for put_byte, which byte; for put_form, which form; for put_position, whether it is the column;
	                  * for put_part, put_meta and put_place, the offset of a member */
	const char *key; /* of the column of csv, that of a record; NULL for none */
};

static void put_byte(urlsift_renderer *r, const struct shown *s)
{
	writer_put(&r->writer, &(char){ (char)s->row->what }, 1);
}

static void put_link_text(urlsift_renderer *r, const struct shown *s) { template_put_text(r, s->link, s->alternate); }

static void put_form(urlsift_renderer *r, const struct shown *s)
{
	const size_t n = make_form(r, (enum reading_form)s->row->what, s->link, s->alternate);
	writer_put(&r->writer, r->form.data, n);
}

/* The parts of a form, all absent without memory. */
struct form_parts {
	urlsift_url url;
	urlsift_component host_port; /* the authority without the user information */
	urlsift_component rest;      /* what follows the authority, or the scheme where there is none */
};

static struct form_parts split_form(urlsift_renderer *r, enum reading_form form, const struct shown *s)
{
	struct form_parts parts;
	const urlsift_url *url = &parts.url;
	const size_t n = make_form(r, form, s->link, s->alternate);
	urlsift_url_split((const char *)r->form.data, n, &parts.url);
	const size_t host = url->host.offset, path = url->path.offset;
	parts.host_port = (urlsift_component){ host, url->authority.offset + url->authority.length - host, 1 };
	parts.rest = (urlsift_component){ path, url->length - path, 1 };
	return parts;
}

/* Writes the host of the comparable form. */
static void put_host(urlsift_renderer *r, const struct shown *s)
{
	const urlsift_url url = split_form(r, NORMAL, s).url;
	writer_put(&r->writer, url.text + url.host.offset, url.host.length);
}

/* Writes the registrable domain of that host, or the host if it has none. */
static void put_domain(urlsift_renderer *r, const struct shown *s)
{
	const urlsift_url url = split_form(r, NORMAL, s).url;
	const char *host = url.text + url.host.offset;
	const size_t n = url.host.length - text_ends(host, url.host.length, "."); /* of the root, which is not shown */
	const size_t begin = owner_begin((const uint8_t *)host, n);
	writer_put(&r->writer, host + begin, n - begin);
}

static void put_scheme(urlsift_renderer *r, const struct shown *s)
{
	size_t n;
	const char *scheme = urlsift_link_scheme(s->link, &n);
	if (r->options.unwrap) {
		const urlsift_url url = split_form(r, NORMAL, s).url;
		scheme = url.text + url.scheme.offset;
		n = url.scheme.length;
	}
	escape_line(&r->writer, scheme, n);
}

/* Writes the part of the URL whose range is the member at s->row->what. */
static void put_part(urlsift_renderer *r, const struct shown *s)
{
	const struct form_parts parts = split_form(r, TARGET, s);
	const urlsift_component *part = (const urlsift_component *)(const void *)((const char *)&parts + s->row->what);
	writer_put(&r->writer, parts.url.text + part->offset, part->length);
}

static void put_convention(urlsift_renderer *r, const struct shown *s)
{
	writer_text(&r->writer, urlsift_convention_name(urlsift_link_convention(s->link)));
}

static void put_flags(urlsift_renderer *r, const struct shown *s)
{
	render_names(r, urlsift_link_flags(s->link), urlsift_flag_name, "", ",");
}

static void put_warnings(urlsift_renderer *r, const struct shown *s)
{
	render_names(r, render_warnings(r, s->link), urlsift_warning_name, "", ",");
}

static void put_value(urlsift_renderer *r, const char *text, size_t n)
{
	(r->exact ? escape_value_exact : escape_value)(&r->writer, text, n);
}

static void put_label(urlsift_renderer *r, const struct shown *s)
{
	size_t n;
	const char *label = urlsift_link_label(s->link, &n);
	put_value(r, label, n);
}

static void put_name(urlsift_renderer *r, const struct shown *s)
{
	size_t n;
	urlsift_link_label(s->link, &n);
	(n > 0 ? put_label : put_link_text)(r, s);
}

/* The line with the link in it, or what HTML shows for the link. */
static void put_context(urlsift_renderer *r, const struct shown *s)
{
	urlsift_text before, after;
	urlsift_link_context(s->link, &before, &after);
	put_value(r, before.bytes, before.length);
	if (r->place->target)
		put_label(r, s);
	else
		template_put_text(r, s->link, s->alternate);
	put_value(r, after.bytes, after.length);
}

static void put_position(urlsift_renderer *r, const struct shown *s)
{
	const uint64_t at[] = { urlsift_link_line(s->link), urlsift_link_column(s->link) };
	if (at[s->row->what] > 0) /* it is known */
		writer_number(&r->writer, at[s->row->what]);
}

static void put_offset(urlsift_renderer *r, const struct shown *s) { writer_number(&r->writer, s->piece->offset); }

static void put_decoded(urlsift_renderer *r, const struct shown *s)
{
	(void)s;
	writer_text(&r->writer, text_if(r->place->decoded, "true"));
}

static void put_source(urlsift_renderer *r, const struct shown *s)
{
	(void)s;
	render_source_name(r);
}

static void put_meta(urlsift_renderer *r, const struct shown *s)
{
	const urlsift_message *m = r->place->message;
	if (!m)
		return;
	const urlsift_text *text = (const urlsift_text *)(const void *)((const char *)m + s->row->what);
	put_value(r, text->bytes, text->length);
}

static void put_time(urlsift_renderer *r, const struct shown *s)
{
	(void)s;
	const urlsift_message *m = r->place->message;
	if (m && render_has_time(m))
		writer_number(&r->writer, (uint64_t)m->time);
}

static void put_place(urlsift_renderer *r, const struct shown *s)
{
	const char *text = *(const char *const *)(const void *)((const char *)r->place + s->row->what);
	text = text_or(text, "");
	put_value(r, text, strlen(text));
}

static void put_unwrapped(urlsift_renderer *r, const struct shown *s)
{
	const size_t n = render_form(r, link_unwrapped, s->link);
	writer_put(&r->writer, r->form.data, n);
}

#define META(name) URLSIFT_NEEDS_METADATA, put_meta, offsetof(urlsift_message, name), #name
#define PART(member) 0, put_part, offsetof(struct form_parts, member)
#define PLACE(name) 0, put_place, offsetof(urlsift_place, name), #name

/* THE table of directives. */
static const struct directive directives[] = {
	{ "%u", "the link", 0, put_link_text, 0, "text" },
	{ "%U", "the link, percent-encoded", 0, put_form, TARGET, "url" },
	{ "%N", "its comparable form", 0, put_form, NORMAL, "normal" },
	{ "%s", "its scheme", 0, put_scheme, 0, "scheme" },
	{ "%h", "its host", 0, put_host, 0, "host" },
	{ "%O", "its registrable domain, which has one owner", 0, put_domain, 0, "domain" },
	{ "%A", "its host and port, percent-encoded", PART(host_port), NULL },
	{ "%T", "its port, where it names one", PART(url.port), "port" },
	{ "%R", "its path alone, percent-encoded", PART(url.path), "path" },
	{ "%q", "its query alone, percent-encoded", PART(url.query), "query" },
	{ "%P", "its path, query and fragment, percent-encoded", PART(rest), NULL },
	{ "%k", "the convention by which it was recognised", 0, put_convention, 0, "convention" },
	{ "%g", "its flags", URLSIFT_NEEDS_GUESSES, put_flags, 0, "flags" },
	{ "%w", "its warnings", 0, put_warnings, 0, "warnings" },
	{ "%t", "the label shown for it", URLSIFT_NEEDS_LABELS, put_label, 0, "label" },
	{ "%L", "the label, or the link where it has none", URLSIFT_NEEDS_LABELS, put_name, 0, NULL },
	{ "%x", "the link with the text around it", URLSIFT_NEEDS_CONTEXT, put_context, 0, "context" },
	{ "%l", "the line", URLSIFT_NEEDS_POSITIONS, put_position, 0, "line" },
	{ "%c", "the column", URLSIFT_NEEDS_POSITIONS, put_position, 1, "column" },
	{ "%o", "the byte offset", 0, put_offset, 0, "offset" },
	{ "%e", "true if these three count in a decoded part", 0, put_decoded, 0, "decoded" },
	{ "%f", "the file name", 0, put_source, 0, "source" },
	{ "%m", "the Message-ID", META(id) },
	{ "%S", "the subject", META(subject) },
	{ "%F", "the sender", META(from) },
	{ "%d", "the date", META(date) },
	{ "%D", "the date as seconds since 1970", URLSIFT_NEEDS_METADATA, put_time, 0, "time" },
	{ "%r", "the URI of the page or record of a web archive", META(uri) },
	{ "%p", "the number of the part", PLACE(part) },
	{ "%H", "the header field that it is in", PLACE(field) },
	{ "%a", "the HTML element and attribute, or the property", PLACE(attribute) },
	{ "%W", "the target that a link rewriter hides", 0, put_unwrapped, 0, "unwrapped" },
	{ "%%", "a percent sign", 0, put_byte, '%', NULL },
	{ "\\n", "a line end", 0, put_byte, '\n', NULL },
	{ "\\t", "a tab", 0, put_byte, '\t', NULL },
	{ "\\\\", "a backslash", 0, put_byte, '\\', NULL },
};
enum { DIRECTIVES = sizeof directives / sizeof *directives };

int urlsift_render_directive_at(size_t index, urlsift_directive *directive)
{
	if (index >= DIRECTIVES)
		return 0;
	*directive = (urlsift_directive){ directives[index].name, directives[index].meaning, directives[index].key };
	return 1;
}

/* The directive at f; NULL for an unknown one. */
static const struct directive *directive_at(const char *f)
{
	for (size_t i = 0; *f && i < DIRECTIVES; i++)
		if (!memcmp(directives[i].name, f, 2))
			return &directives[i];
	return NULL;
}

/* The first directive in a template, or its end. */
static const char *next_directive(const char *f)
{
	while (*f && *f != '%' && *f != '\\') /* a call of strcspn takes longer: texts between directives are short */
		f++;
	return f;
}

const char *template_fault(const char *format)
{
	for (const char *f = next_directive(format); *f; f = next_directive(f + 2))
		if (!directive_at(f))
			return f;
	return NULL;
}

unsigned template_needs(const char *template)
{
	unsigned needs = 0;
	const struct directive *d;
	for (const char *f = next_directive(template); (d = directive_at(f)); f = next_directive(f + 2))
		needs |= d->needs;
	return needs;
}

/* The directive that writes what a record has under the key; NULL for none. */
static const struct directive *with_key(const char *key, size_t n)
{
	for (const struct directive *d = directives; d < directives + DIRECTIVES; d++)
		if (d->key && text_is(key, n, d->key))
			return d;
	return NULL;
}

bool template_has_key(const char *key, size_t n, unsigned *needs)
{
	const struct directive *d = with_key(key, n);
	if (d)
		*needs |= d->needs;
	return d;
}

void template_put_key(urlsift_renderer *r, const char *key, size_t n, const urlsift_piece *piece)
{
	const struct directive *d = with_key(key, n);
	if (d)
		d->put(r, &(struct shown){ piece, piece->link, NULL, d });
}

void template_put(urlsift_renderer *r, const char *template, const urlsift_piece *piece,
                  const urlsift_alternate *alternate)
{
	struct shown s = { piece, piece->link, alternate, NULL };
	for (const char *f = template, *next;; f = next + 2) {
		next = next_directive(f);
		writer_put(&r->writer, f, (size_t)(next - f));
		s.row = directive_at(next);
		if (!s.row) /* the end */
			return;
		s.row->put(r, &s);
	}
}
