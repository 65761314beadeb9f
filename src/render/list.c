#include "escape.h"
#include "format.h"

#include "url/url.h"

/* The letters after `%` and after `\` in a template. */
static const char directives[] = "%uUNsklcof", escapes[] = "\\nt";

const char *urlsift_render_format_fault(const char *format)
{
	for (const char *f = format; *f; f++) {
		if (*f != '%' && *f != '\\')
			continue;
		if (!f[1] || !strchr(*f == '%' ? directives : escapes, f[1]))
			return f;
		f++;
	}
	return NULL;
}

static unsigned list_needs(const urlsift_render_options *options)
{
	bool positions = options->line_number;
	for (const char *f = options->line_format; f && *f && !positions; f++) {
		if (*f == '%')
			positions = *++f == 'l' || *f == 'c';
		else if (*f == '\\')
			f++;
	}
	return positions ? URLSIFT_NEEDS_POSITIONS : 0;
}

struct list_state {
	bool only_text; /* a record is the link's text and nothing else */
	bool page;      /* a page of a URL was written */
};

/* ---- Readings of a link ------------------------------------------------------------ */

/* The two forms of a reading. */
static const struct reading_form {
	link_form_fn *of_link;
	size_t (*of_text)(const char *supplied, const uint8_t *text, size_t n, char *out, size_t size);
} target = { urlsift_link_target, target_write }, normal = { urlsift_link_normal, normal_write };

/* Of the link, or of an alternate of it that is not NULL. */
static void put_form(urlsift_renderer *r, const struct reading_form *form, const urlsift_link *link,
                     const urlsift_alternate *alternate)
{
	size_t n;
	if (alternate) {
		const char *supplied = urlsift_link_supplied(link);
		const uint8_t *text = (const uint8_t *)alternate->text;
		char *to = render_room(r, &r->form, alternate->length);
		n = to ? form->of_text(supplied, text, alternate->length, to, r->form.room) : 0;
		if (n > r->form.room)
			n = (to = render_room(r, &r->form, n)) ? form->of_text(supplied, text, alternate->length, to, n) : 0;
	} else {
		n = render_form(r, form->of_link, link);
	}
	writer_put(&r->writer, r->form.data, n);
}

static void put_text(urlsift_renderer *r, const urlsift_link *link, const urlsift_alternate *alternate)
{
	size_t n;
	const char *supplied = urlsift_link_supplied(link), *text = urlsift_link_resolved(link, &n);
	if (!text)
		text = urlsift_link_text(link, &n);
	if (*supplied)
		writer_text(&r->writer, supplied);
	escape_line(&r->writer, alternate ? alternate->text : text, alternate ? alternate->length : n);
}

/* ---- Records ------------------------------------------------------------------------- */

static void put_directive(urlsift_renderer *r, char letter, const urlsift_piece *piece,
                          const urlsift_alternate *alternate)
{
	const urlsift_link *link = piece->link;
	size_t n;
	const char *scheme;
	switch (letter) {
	case '%': writer_put(&r->writer, "%", 1); break;
	case 'u': put_text(r, link, alternate); break;
	case 'U': put_form(r, &target, link, alternate); break;
	case 'N': put_form(r, &normal, link, alternate); break;
	case 's':
		scheme = urlsift_link_scheme(link, &n);
		escape_line(&r->writer, scheme, n);
		break;
	case 'k': writer_text(&r->writer, urlsift_convention_name(urlsift_link_convention(link))); break;
	case 'l': writer_number(&r->writer, urlsift_link_line(link)); break;
	case 'c': writer_number(&r->writer, urlsift_link_column(link)); break;
	case 'o': writer_number(&r->writer, piece->offset); break;
	case 'f': render_source_name(r); break;
	}
}

static void put_format(urlsift_renderer *r, const urlsift_piece *piece, const urlsift_alternate *alternate)
{
	for (const char *f = r->options.line_format; *f; f++) {
		size_t n = strcspn(f, "%\\");
		writer_put(&r->writer, f, n);
		f += n;
		if (*f == '%')
			put_directive(r, *++f, piece, alternate);
		else if (*f == '\\')
			writer_put(&r->writer, *++f == 'n' ? "\n" : *f == 't' ? "\t" : "\\", 1);
		else
			return;
	}
}

static void put_prefix(urlsift_renderer *r, const urlsift_piece *piece)
{
	if (r->options.with_filename) {
		render_source_name(r);
		writer_put(&r->writer, ":", 1);
	}
	if (r->options.line_number) {
		writer_number(&r->writer, urlsift_link_line(piece->link));
		writer_put(&r->writer, ":", 1);
	}
	if (r->options.byte_offset) {
		writer_number(&r->writer, piece->offset);
		writer_put(&r->writer, ":", 1);
	}
}

static void end_record(urlsift_renderer *r)
{
	writer_put(&r->writer, r->options.null_separated ? "" : "\n", 1);
}

/* One reading of a link: the chosen one when `alternate` is NULL. */
static void put_reading(urlsift_renderer *r, const urlsift_piece *piece, const urlsift_alternate *alternate)
{
	if (r->options.line_format) {
		put_format(r, piece, alternate);
	} else {
		put_prefix(r, piece);
		if (r->options.encoded)
			put_form(r, &target, piece->link, alternate);
		else
			put_text(r, piece->link, alternate);
	}
	end_record(r);
}

static void list_init(urlsift_renderer *r)
{
	const urlsift_render_options *o = &r->options;
	struct list_state *l = r->state;
	l->only_text = !o->count && !o->line_format && !o->with_filename && !o->line_number && !o->byte_offset &&
	               !o->encoded && !o->hyphen_both && !o->null_separated;
}

/* Every reading that the options ask for. */
static void put_readings(urlsift_renderer *r, const urlsift_piece *piece)
{
	size_t n;
	put_reading(r, piece, NULL);
	if (!r->options.hyphen_both)
		return;
	const urlsift_alternate *alternates = urlsift_link_alternates(piece->link, &n);
	for (size_t i = 0; i < n; i++)
		if (alternates[i].why == URLSIFT_WHY_HYPHEN)
			put_reading(r, piece, &alternates[i]);
}

static void list_piece(urlsift_renderer *r, const urlsift_piece *piece, bool shown)
{
	const struct list_state *l = r->state;
	if (!shown || piece->part > 0)
		return;
	if (l->only_text) {
		put_text(r, piece->link, NULL);
		writer_put(&r->writer, "\n", 1);
	} else if (!r->options.count) {
		put_readings(r, piece);
	}
}

static void list_source_end(urlsift_renderer *r, uint64_t links)
{
	if (!r->options.count)
		return;
	if (r->options.with_filename) {
		render_source_name(r);
		writer_put(&r->writer, ":", 1);
	}
	writer_number(&r->writer, links);
	end_record(r);
}

/* A blank line separates pages. */
static void list_url(urlsift_renderer *r, const struct url_report *report)
{
	struct list_state *l = r->state;
	if (l->page)
		writer_put(&r->writer, "\n", 1);
	l->page = true;
	url_report_page(r, report);
}

const struct format format_list = {
	.name = "list", .options_need = list_needs, .state_size = sizeof(struct list_state), .init = list_init,
	.piece = list_piece, .source_end = list_source_end, .url = list_url,
};
