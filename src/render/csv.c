/* Comma-separated values (RFC 4180, with LF): a header row, and a row for each link. */
#include "escape.h"
#include "format.h"

#include "text/ascii.h"

#define COLUMNS "source,line,text,label,warnings"

struct csv_state {
	struct buf cell; /* the value of a column, not yet quoted */
};
static const struct format_buffer buffers[] = { { offsetof(struct csv_state, cell), SIZE_MAX } };

/* csv_fault, with the needs of the columns before it. */
static const char *read_columns(const char *columns, size_t *length, unsigned *needs)
{
	*needs = 0;
	for (const char *name = columns, *next; name; name = next) {
		*length = list_name(name, &next);
		if (!template_has_key(name, *length, needs))
			return name;
	}
	return NULL;
}

const char *csv_fault(const char *columns, size_t *length)
{
	unsigned needs;
	return read_columns(columns, length, &needs);
}

static const char *columns_of(const urlsift_render_options *o) { return text_or(o->columns, COLUMNS); }

static unsigned csv_needs(const urlsift_render_options *o)
{
	unsigned needs;
	size_t n;
	read_columns(columns_of(o), &n, &needs);
	return needs;
}

static void csv_begin(urlsift_renderer *r)
{
	const char *columns = columns_of(&r->options);
	writer_line(&r->writer, columns, strlen(columns));
}

static void csv_link(urlsift_renderer *r, const urlsift_piece *piece)
{
	for (const char *name = columns_of(&r->options), *next; name; name = next) {
		size_t n = list_name(name, &next);
		char block[WRITER_SMALLEST];
		struct csv_state *c = r->state;
		const struct writer writer = render_divert(r, &c->cell, block);
		template_put_key(r, name, n, piece);
		if (render_restore(r, &c->cell, &writer))
			escape_csv(&r->writer, c->cell.data, c->cell.length, r->options.spreadsheet);
		writer_put(&r->writer, next ? "," : "\n", 1);
	}
}

const struct format format_csv = {
	.name = "csv", .exact = true, .needs.other = csv_needs,
	.state = { .size = sizeof(struct csv_state), FORMAT_BUFFERS(buffers) },
	.begin = csv_begin, .link = csv_link,
};
