#include "scanner.h"

#include "text/buf.h"

/* The head of the block that urlsift_find returns.  The links follow it, then their data. */
struct found_block {
	urlsift_found found; /* first: the caller's pointer is the block's */
	urlsift_allocator alloc;
};

/* Links while they are collected.  Pointers into `data` are set at the end, when it no longer moves: the data of a link
 * are its parts, its alternates and its strings, in that order, padded to `sizeof(uint64_t)`. */
struct collection {
	struct buf links; /* urlsift_found_link */
	struct buf data;
	bool failed;      /* no memory */
};

static bool add_string(struct buf *b, const char *bytes, size_t n)
{
	return buf_add(b, bytes, n) && buf_add(b, "", 1);
}

typedef size_t link_form(const urlsift_link *link, char *out, size_t size);

/* Appends a form of the link, and its NUL; its length to *n. */
static bool add_form(struct buf *b, const urlsift_link *link, size_t *n, link_form *write)
{
	while ((*n = write(link, (char *)b->data + b->length, b->room - b->length)) >= b->room - b->length)
		if (*n == URLSIFT_LENGTH_NO_MEMORY || !buf_reserve(b, *n + 1))
			return false;
	b->data[b->length + *n] = '\0';
	b->length += *n + 1;
	return true;
}

static size_t padding(size_t length)
{
	return (sizeof(uint64_t) - length % sizeof(uint64_t)) % sizeof(uint64_t);
}

static bool add_data(struct buf *b, const urlsift_link *link, urlsift_found_link *f)
{
	const urlsift_range *parts = urlsift_link_parts(link, &f->part_count);
	const urlsift_alternate *alternates = urlsift_link_alternates(link, &f->alternate_count);
	const char *text = urlsift_link_text(link, &f->text.length), *scheme = urlsift_link_scheme(link, &f->scheme.length);
	const char *label = urlsift_link_label(link, &f->label.length);
	bool good = buf_reserve(b, 4 * f->text.length + 64) && buf_add(b, parts, f->part_count * sizeof *parts) &&
	            buf_add(b, alternates, f->alternate_count * sizeof *alternates) &&
	            add_string(b, text, f->text.length) && add_string(b, scheme, f->scheme.length) &&
	            add_string(b, label, f->label.length) &&
	            add_form(b, link, &f->target.length, urlsift_link_target) &&
	            add_form(b, link, &f->normal.length, urlsift_link_normal);
	for (size_t i = 0; good && i < f->alternate_count; i++)
		good = add_string(b, alternates[i].text, alternates[i].length);
	return good && buf_add(b, (const uint64_t[]){ 0 }, padding(b->length));
}

static int take_piece(void *user, const urlsift_piece *piece)
{
	struct collection *c = user;
	const urlsift_link *link = piece->link;
	if (!link || piece->part > 0)
		return 0;
	urlsift_found_link f = {
		.convention = urlsift_link_convention(link), .flags = urlsift_link_flags(link),
		.warnings = urlsift_link_warnings(link), .line = urlsift_link_line(link), .column = urlsift_link_column(link),
	};
	c->failed = !add_data(&c->data, link, &f) || !buf_add(&c->links, &f, sizeof f);
	return c->failed;
}

/* ---- The block ---------------------------------------------------------------- */

static void place_string(urlsift_text *s, const char **at)
{
	s->bytes = *at;
	*at += s->length + 1;
}

/* Sets the pointers of a link whose data begin at `at`; returns where the next ones do. */
static const char *place(urlsift_found_link *f, char *at)
{
	urlsift_url url;
	urlsift_alternate *alternates = (urlsift_alternate *)(void *)(at + f->part_count * sizeof *f->parts);
	f->parts = (const urlsift_range *)(void *)at;
	f->alternates = alternates;
	const char *next = (const char *)(alternates + f->alternate_count);
	place_string(&f->text, &next);
	place_string(&f->scheme, &next);
	place_string(&f->label, &next);
	place_string(&f->target, &next);
	place_string(&f->normal, &next);
	for (size_t i = 0; i < f->alternate_count; i++) {
		alternates[i].text = next;
		next += alternates[i].length + 1;
	}
	split_url(f->normal.bytes, f->normal.length, &url);
	f->host = (urlsift_text){ f->normal.bytes + url.host.offset, url.host.length };
	f->linkable = urlsift_scheme_linkable(f->scheme.bytes, f->scheme.length) &&
	              !(f->warnings & URLSIFT_WARN_NO_HREF);
	return next + padding((size_t)(next - at));
}

/* NULL without memory. */
static urlsift_found *make_block(const urlsift_allocator *alloc, const struct collection *c)
{
	struct found_block *block = alloc_get(alloc, sizeof *block + c->links.length + c->data.length);
	if (!block)
		return NULL;
	urlsift_found_link *links = (urlsift_found_link *)(void *)(block + 1);
	block->alloc = *alloc;
	block->found = (urlsift_found){ c->links.length / sizeof *links, links };
	char *data = (char *)(links + block->found.count);
	if (block->found.count > 0) {
		memcpy(links, c->links.data, c->links.length);
		memcpy(data, c->data.data, c->data.length);
	}
	for (size_t i = 0; i < block->found.count; i++)
		data = (char *)place(&links[i], data);
	return &block->found;
}

urlsift_status urlsift_find(urlsift_context *context, const urlsift_options *options, const void *text, size_t length,
                            urlsift_found **found)
{
	urlsift_options own;
	struct collection c = { .failed = false };
	const urlsift_sink sink = { take_piece, NULL, &c };
	if (found)
		*found = NULL;
	if (!context || !found)
		return URLSIFT_BAD_ARGUMENT;
	options_default(&own);
	if (options)
		own = *options; /* for the call: what it points to stays the caller's */
	own.value[URLSIFT_OPT_PLAIN] = 0;
	own.value[URLSIFT_OPT_POSITIONS] = 1;
	buf_init(&c.links, &context->alloc, SIZE_MAX / 2);
	buf_init(&c.data, &context->alloc, SIZE_MAX / 2);
	urlsift_status status = urlsift_scan(context, &own, &sink, text, length);
	*found = status == URLSIFT_OK ? make_block(&context->alloc, &c) : NULL;
	buf_fini(&c.links);
	buf_fini(&c.data);
	if (c.failed || (status == URLSIFT_OK && !*found))
		return URLSIFT_NO_MEMORY;
	return status;
}

void urlsift_found_free(urlsift_found *found)
{
	struct found_block *block = (struct found_block *)(void *)found;
	if (!block)
		return;
	urlsift_allocator alloc = block->alloc;
	alloc_put(&alloc, block);
}
