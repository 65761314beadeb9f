#include "escape.h"

#include <stdlib.h>
#include <string.h>

/* The letters behind `%` and behind `\` in a --format template. */
static const char directives[] = "%uUNsklcof", escapes[] = "\\nt";

bool out_list_format_ok(const char *format, const char **bad)
{
	for (const char *f = format; *f; f++) {
		if (*f != '%' && *f != '\\')
			continue;
		if (!f[1] || !strchr(*f == '%' ? directives : escapes, f[1])) {
			*bad = f;
			return false;
		}
		f++;
	}
	return true;
}

bool out_list_wants_positions(const struct out_options *options)
{
	bool wants = options->line_number;
	for (const char *f = options->format; f && *f && !wants; f++) {
		if (*f == '%')
			wants = *++f == 'l' || *f == 'c';
		else if (*f == '\\')
			f++;
	}
	return wants;
}

struct list {
	struct escape_form form;
	bool bare; /* a record is the link and nothing else */
};

static void put_form(struct out *o, enum escape_which which, const urlsift_link *link,
                     const urlsift_alternate *alternate)
{
	struct list *l = o->state;
	size_t n = escape_form(&l->form, which, link, alternate);
	writer_put(o->w, l->form.data, n);
}

static void put_text(struct out *o, const urlsift_link *link, const urlsift_alternate *alternate)
{
	size_t n;
	const char *text = urlsift_link_resolved(link, &n);
	if (!text)
		text = urlsift_link_text(link, &n);
	writer_text(o->w, urlsift_link_supplied(link));
	escape_line(o->w, alternate ? alternate->text : text, alternate ? alternate->length : n);
}

static void put_directive(struct out *o, char letter, const urlsift_piece *piece, const urlsift_alternate *alternate)
{
	const urlsift_link *link = piece->link;
	size_t n;
	const char *scheme;
	switch (letter) {
	case '%': writer_put(o->w, "%", 1); break;
	case 'u': put_text(o, link, alternate); break;
	case 'U': put_form(o, ESCAPE_TARGET, link, alternate); break;
	case 'N': put_form(o, ESCAPE_NORMAL, link, alternate); break;
	case 's':
		scheme = urlsift_link_scheme(link, &n);
		escape_line(o->w, scheme, n);
		break;
	case 'k': writer_text(o->w, urlsift_convention_name(urlsift_link_convention(link))); break;
	case 'l': writer_number(o->w, urlsift_link_line(link)); break;
	case 'c': writer_number(o->w, urlsift_link_column(link)); break;
	case 'o': writer_number(o->w, piece->offset); break;
	case 'f': escape_name(o->w, o->source); break;
	}
}

static void put_format(struct out *o, const urlsift_piece *piece, const urlsift_alternate *alternate)
{
	for (const char *f = o->options->format; *f; f++) {
		size_t n = strcspn(f, "%\\");
		writer_put(o->w, f, n);
		f += n;
		if (*f == '%')
			put_directive(o, *++f, piece, alternate);
		else if (*f == '\\')
			writer_put(o->w, *++f == 'n' ? "\n" : *f == 't' ? "\t" : "\\", 1);
		else
			return;
	}
}

static void put_prefix(struct out *o, const urlsift_piece *piece)
{
	if (o->options->with_filename) {
		escape_name(o->w, o->source);
		writer_put(o->w, ":", 1);
	}
	if (o->options->line_number) {
		writer_number(o->w, urlsift_link_line(piece->link));
		writer_put(o->w, ":", 1);
	}
	if (o->options->byte_offset) {
		writer_number(o->w, piece->offset);
		writer_put(o->w, ":", 1);
	}
}

static void end_record(struct out *o)
{
	writer_put(o->w, o->options->null_separated ? "" : "\n", 1);
}

/* One reading of a link: the chosen one when `alternate` is NULL. */
static void put_reading(struct out *o, const urlsift_piece *piece, const urlsift_alternate *alternate)
{
	if (o->options->format) {
		put_format(o, piece, alternate);
	} else {
		put_prefix(o, piece);
		if (o->options->encoded)
			put_form(o, ESCAPE_TARGET, piece->link, alternate);
		else
			put_text(o, piece->link, alternate);
	}
	end_record(o);
}

static bool list_begin(struct out *o)
{
	const struct out_options *p = o->options;
	struct list *l = calloc(1, sizeof *l);
	o->state = l;
	if (l)
		l->bare = !p->count && !p->format && !p->with_filename && !p->line_number && !p->byte_offset && !p->encoded &&
		          !p->hyphen_both && !p->null_separated;
	return l;
}

/* Every reading that is asked for. */
static void put_readings(struct out *o, const urlsift_piece *piece)
{
	size_t n;
	put_reading(o, piece, NULL);
	if (!o->options->hyphen_both)
		return;
	const urlsift_alternate *alternates = urlsift_link_alternates(piece->link, &n);
	for (size_t i = 0; i < n; i++)
		if (alternates[i].why == URLSIFT_WHY_HYPHEN)
			put_reading(o, piece, &alternates[i]);
}

static void list_piece(struct out *o, const urlsift_piece *piece, bool shown)
{
	const struct list *l = o->state;
	if (!shown || piece->part > 0)
		return;
	if (l->bare) {
		put_text(o, piece->link, NULL);
		writer_put(o->w, "\n", 1);
	} else if (!o->options->count) {
		put_readings(o, piece);
	}
}

static void list_source_end(struct out *o, uint64_t links)
{
	if (!o->options->count)
		return;
	if (o->options->with_filename) {
		escape_name(o->w, o->source);
		writer_put(o->w, ":", 1);
	}
	writer_number(o->w, links);
	end_record(o);
}

static void list_end(struct out *o)
{
	struct list *l = o->state;
	free(l->form.data);
	free(l);
	o->state = NULL;
}

/* Errors and limits are said on standard error, by whom they befall. */
static void list_source(struct out *o) { (void)o; }
static void list_error(struct out *o, const char *what) { (void)o; (void)what; }
static void list_notice(struct out *o, const urlsift_notice *n) { (void)o; (void)n; }

const struct output out_list = {
	.name = "list", .begin = list_begin, .source = list_source, .piece = list_piece, .error = list_error,
	.notice = list_notice, .source_end = list_source_end, .end = list_end,
};
