#include "format.h"

struct list_state {
	bool only_text; /* a record is the link's text and nothing else */
	bool page;      /* a page of a URL was written */
};

static unsigned list_needs(const urlsift_render_options *options)
{
	return options->line_format ? template_needs(options->line_format) : 0;
}

/* ---- Records ------------------------------------------------------------------------- */

/* Select Graphic Rendition (ECMA-48), the colours of grep. */
static void set_color(urlsift_renderer *r, const char *sequence)
{
	writer_text(&r->writer, text_if(r->options.color, sequence));
}
#define MAGENTA "\033[35m"
#define GREEN "\033[32m"
#define DIM "\033[2m"
#define PLAIN "\033[m"

static void put_source_name(urlsift_renderer *r)
{
	set_color(r, MAGENTA);
	render_source_name(r);
	set_color(r, PLAIN);
}

static void put_name(urlsift_renderer *r)
{
	if (!render_is_named(r))
		return;
	put_source_name(r);
	writer_put(&r->writer, ":", 1);
}

static void put_number(urlsift_renderer *r, uint64_t number)
{
	set_color(r, GREEN);
	writer_number(&r->writer, number);
	set_color(r, PLAIN);
	writer_put(&r->writer, ":", 1);
}

static void end_record(urlsift_renderer *r)
{
	writer_put(&r->writer, text_if(!r->options.null_separated, "\n"), 1);
}

/* One reading of a link: the chosen one when `alternate` is NULL. */
static void put_reading(urlsift_renderer *r, const urlsift_piece *piece, const urlsift_alternate *alternate)
{
	const char *template = r->options.line_format;
	if (template) {
		template_put(r, template, piece, alternate);
	} else {
		put_name(r);
		if (r->options.line_number)
			put_number(r, urlsift_link_line(piece->link));
		if (r->options.byte_offset)
			put_number(r, piece->offset);
		template_put(r, r->options.encoded ? "%U" : "%u", piece, alternate);
		if (r->options.warnings && render_warnings(r, piece->link)) {
			set_color(r, DIM);
			template_put(r, " [%w]", piece, NULL);
			set_color(r, PLAIN);
		}
	}
	end_record(r);
}

static void list_init(urlsift_renderer *r)
{
	const urlsift_render_options *o = &r->options;
	struct list_state *l = r->state;
	const int more = o->count | o->names | o->with_filename | o->with_member | o->line_number | o->byte_offset |
	                 o->encoded | o->hyphen_both | o->null_separated | o->warnings | o->unwrap;
	l->only_text = !more && !o->line_format;
}

/* Every reading that the options ask for. */
__attribute__((noinline)) static void put_readings(urlsift_renderer *r, const urlsift_piece *piece)
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

static void list_link(urlsift_renderer *r, const urlsift_piece *piece)
{
	const struct list_state *l = r->state;
	if (l->only_text) {
		if (piece->link->head) { /* printable ASCII: `list` of URLs takes 10% less time */
			writer_line(&r->writer, piece->link->text, piece->link->length);
			return;
		}
		template_put_reading(r, piece->link, NULL);
		end_record(r);
	} else if (!r->options.count && !r->options.names) {
		put_readings(r, piece);
	}
}

static void list_source_end(urlsift_renderer *r, uint64_t links)
{
	if (r->options.names && links > 0) {
		if (r->options.null_separated && !r->options.terminal && !r->member)
			writer_text(&r->writer, r->source); /* for programs that open it */
		else
			put_source_name(r);
		end_record(r);
	}
	if (!r->options.count)
		return;
	put_name(r);
	writer_number(&r->writer, links);
	end_record(r);
}

/* A blank line separates pages. */
static void list_url(urlsift_renderer *r, const struct url_report *report)
{
	struct list_state *l = r->state;
	writer_put(&r->writer, "\n", l->page);
	l->page = true;
	url_report_page(r, report);
}

const struct format format_list = {
	.name = "list", .needs.numbered = URLSIFT_NEEDS_POSITIONS, .needs.other = list_needs,
	.state = { .size = sizeof(struct list_state), .init = list_init },
	.link = list_link, .source_end = list_source_end, .url = list_url,
};
