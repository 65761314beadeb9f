/* All links of an input at once: urlsift_find, urlsift_mail_find, and the finder that both use. */
#include "urlsift-mail.h"

#include "scan/scanner.h"
#include "text/buf.h"
#include "url/url.h"

/* ---- The links of one call ---- */

/* What is not an array lives as long as the result, in blocks of its own. */
struct kept { struct kept *next; };

/* Links while they are collected, then the result.  The arrays move until the end: pointers into them are set then. */
struct collection {
	urlsift_found found; /* first: the caller's pointer is the collection's */
	urlsift_allocator alloc;
	struct buf links;    /* urlsift_found_link */
	struct buf pointers; /* to these */
	struct buf parts;    /* urlsift_range */
	struct buf strings;
	struct kept *kept;
	urlsift_message *message; /* of the last link, and its place; NULL before the first */
	urlsift_place *place, raw; /* raw: as it was when it was copied */
	bool failed;               /* no memory: something is missing */
};

static struct collection *collection_new(const urlsift_allocator *alloc)
{
	struct collection *c = alloc_get(alloc, sizeof *c);
	if (!c)
		return NULL;
	c->alloc = *alloc;
	struct buf *const arrays[] = { &c->links, &c->pointers, &c->parts, &c->strings };
	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
		buf_init(arrays[i], &c->alloc, SIZE_MAX / 2);
	return c;
}

void urlsift_found_free(urlsift_found *found)
{
	struct collection *c = (struct collection *)(void *)found;
	if (!c)
		return;
	const urlsift_allocator alloc = c->alloc;
	for (struct kept *k = c->kept, *next; k; k = next) {
		next = k->next;
		alloc_put(&alloc, k);
	}
	buf_fini(&c->links);
	buf_fini(&c->pointers);
	buf_fini(&c->parts);
	buf_fini(&c->strings);
	alloc_put(&alloc, c);
}

/* Zeroed; NULL without memory. */
static void *keep(struct collection *c, size_t size)
{
	struct kept *k = alloc_get(&c->alloc, sizeof *k + size);
	c->failed |= !k;
	if (!k)
		return NULL;
	k->next = c->kept;
	c->kept = k;
	return k + 1;
}

/* Makes the text one of the collection's own, with a NUL after it. */
static void keep_text(struct collection *c, const char **text, size_t n)
{
	char *copy = keep(c, n + 1);
	if (copy)
		memcpy(copy, *text, n);
	*text = copy;
}

/* c->place becomes a copy of the place.  The parser has one, whose members change from link to link. */
static void keep_place(struct collection *c, const urlsift_place *place)
{
	if (!place || (c->place && !memcmp(&c->raw, place, sizeof *place)))
		return;
	urlsift_place *p = c->place = keep(c, sizeof *p);
	if (place->message && !c->message && (c->message = keep(c, sizeof *c->message))) {
		urlsift_message *m = c->message;
		*m = *place->message;
		urlsift_text *const texts[] = { &m->id, &m->subject, &m->from, &m->date, &m->groups, &m->list, &m->uri };
		_Static_assert(sizeof *m == 4 * sizeof m->offset + sizeof texts / sizeof *texts * sizeof m->id,
		               "all texts are kept");
		for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
			keep_text(c, &texts[i]->bytes, texts[i]->length);
	}
	if (!p)
		return;
	*p = *place;
	memcpy(&c->raw, place, sizeof *place); /* with its padding */
	p->message = place->message ? c->message : NULL;
	_Static_assert(sizeof *p == offsetof(urlsift_place, size) + sizeof p->size, "all strings are kept");
	const char **const strings[] = { &p->field, &p->part, &p->type, &p->lang, &p->attribute };
	for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
		if (*strings[i])
			keep_text(c, strings[i], strlen(*strings[i]));
	keep_text(c, &p->name.bytes, p->name.length);
}

static void add(struct collection *c, struct buf *b, const void *bytes, size_t n)
{
	c->failed |= !buf_add(b, bytes, n);
}

static void add_string(struct collection *c, const char *bytes, size_t n)
{
	add(c, &c->strings, bytes, n);
	add(c, &c->strings, "", 1);
}

typedef size_t link_form(const urlsift_link *link, char *out, size_t size);

/* Appends a form of the link, and its NUL, to the strings; returns its length. */
static size_t add_form(struct collection *c, const urlsift_link *link, link_form *write)
{
	struct buf *b = &c->strings;
	size_t n = 0;
	while (!c->failed && (n = write(link, (char *)b->data + b->length, b->room - b->length)) >= b->room - b->length)
		c->failed = n == URLSIFT_LENGTH_NO_MEMORY || !buf_reserve(b, n + 1);
	if (c->failed)
		return 0;
	b->data[b->length + n] = '\0';
	b->length += n + 1;
	return n;
}

static void add_link(struct collection *c, const urlsift_link *link, const urlsift_place *place)
{
	keep_place(c, place);
	urlsift_found_link f = {
		.place = c->place, .convention = urlsift_link_convention(link), .flags = urlsift_link_flags(link),
		.warnings = urlsift_link_warnings(link), .line = urlsift_link_line(link), .column = urlsift_link_column(link),
		.linkable = link_may_be_href(link),
	};
	const urlsift_range *parts = urlsift_link_parts(link, &f.part_count);
	const urlsift_alternate *given = urlsift_link_alternates(link, &f.alternate_count);
	urlsift_alternate *copy = f.alternate_count ? keep(c, f.alternate_count * sizeof *copy) : NULL;
	f.alternates = copy;
	for (size_t i = 0; copy && i < f.alternate_count; i++) {
		copy[i] = given[i];
		keep_text(c, &copy[i].text, given[i].length);
	}
	/* the strings, in the order that urlsift_found.strings promises */
	const char *text = urlsift_link_text(link, &f.text.length), *scheme = urlsift_link_scheme(link, &f.scheme.length);
	const char *label = urlsift_link_label(link, &f.label.length);
	struct buf *b = &c->strings;
	c->failed |= !buf_reserve(b, 4 * f.text.length + 64);
	add_string(c, text, f.text.length);
	f.target.length = add_form(c, link, urlsift_link_target);
	f.normal.length = add_form(c, link, urlsift_link_normal);
	if (c->failed || !buf_reserve(b, f.scheme.length + f.normal.length + f.label.length + 3)) {
		c->failed = true;
		return;
	}
	urlsift_url url;
	const char *normal = (const char *)b->data + b->length - f.normal.length - 1;
	split_url(normal, f.normal.length, &url);
	f.host.length = url.host.length;
	add_string(c, scheme, f.scheme.length);
	add_string(c, normal + url.host.offset, url.host.length);
	add_string(c, label, f.label.length);
	add(c, &c->parts, parts, f.part_count * sizeof *parts);
	add(c, &c->links, &f, sizeof f);
}

/* ---- The finder ---- */

struct urlsift_finder {
	urlsift_context *context, *own; /* own: made because none was given */
	urlsift_scanner *scanner;       /* of text, or */
	urlsift_mail *mail;
	struct collection *links;       /* of the call that runs */
	bool failed;                    /* no memory: links are missing */
};

static int take_mail(void *user, const urlsift_place *place, const urlsift_piece *piece)
{
	urlsift_finder *f = user;
	if (piece->link && piece->part == 0)
		add_link(f->links, piece->link, place);
	return f->links->failed;
}

static int take_piece(void *user, const urlsift_piece *piece) { return take_mail(user, NULL, piece); }

/* The texts of a place are in buffers of the parser, which change when the next place begins. */
static int take_place(void *user, const urlsift_place *place)
{
	(void)place;
	((urlsift_finder *)user)->links->place = NULL;
	return 0;
}

static int take_message(void *user, const urlsift_message *message)
{
	(void)message;
	((urlsift_finder *)user)->links->message = NULL;
	return 0;
}

urlsift_finder *urlsift_finder_new(urlsift_context *context, const urlsift_options *scan,
                                   const urlsift_mail_options *options, urlsift_status *status)
{
	urlsift_mail_options how = { .kind = URLSIFT_KIND_TEXT };
	urlsift_status ignored;
	status = status ? status : &ignored;
	*status = URLSIFT_BAD_ARGUMENT;
	if (options && !struct_take(&how, sizeof how, options))
		return NULL;
	*status = URLSIFT_NO_MEMORY;
	urlsift_context *own = context ? NULL : urlsift_context_new(NULL);
	context = context ? context : own;
	urlsift_finder *f = context ? alloc_get(&context->alloc, sizeof *f) : NULL;
	if (!f) {
		urlsift_context_free(own);
		return NULL;
	}
	urlsift_options settings = options_or_defaults(scan);
	settings.value[URLSIFT_OPT_PLAIN] = how.plain = 0;
	settings.value[URLSIFT_OPT_POSITIONS] = how.positions = 1;
	how.size = sizeof how;
	f->context = context;
	f->own = own;
	if (how.kind == URLSIFT_KIND_TEXT)
		f->scanner = urlsift_new(context, &settings, &(urlsift_sink){ take_piece, NULL, f }, status);
	else
		f->mail = urlsift_mail_new(context, &settings, &how, &(urlsift_mail_sink){
			.message = take_message, .place = take_place, .piece = take_mail, .user = f }, status);
	if (*status != URLSIFT_OK) {
		urlsift_finder_free(f);
		return NULL;
	}
	return f;
}

void urlsift_finder_free(urlsift_finder *f)
{
	if (!f)
		return;
	const urlsift_allocator alloc = f->context->alloc;
	urlsift_free(f->scanner);
	urlsift_mail_free(f->mail);
	urlsift_context_free(f->own);
	alloc_put(&alloc, f);
}

static urlsift_status feed(urlsift_finder *f, const void *bytes, size_t length)
{
	if (!length)
		return f->mail ? urlsift_mail_finish(f->mail) : urlsift_finish(f->scanner);
	return f->mail ? urlsift_mail_feed(f->mail, bytes, length) : urlsift_feed(f->scanner, bytes, length);
}

static urlsift_status flush(urlsift_finder *f)
{
	return f->mail ? urlsift_mail_flush(f->mail) : urlsift_flush(f->scanner);
}

/* Completes the links that were collected, if the status is good: sets the pointers into the arrays. */
static urlsift_status hand_out(urlsift_finder *f, urlsift_status status, urlsift_found **found)
{
	static const urlsift_found_link *const none = NULL;
	struct collection *c = f->links;
	urlsift_found_link *links = (urlsift_found_link *)(void *)c->links.data;
	const urlsift_range *part = (const urlsift_range *)(const void *)c->parts.data;
	const char *next = (const char *)c->strings.data;
	size_t count = c->links.length / sizeof *links;
	c->failed |= !buf_reserve(&c->pointers, count * sizeof links);
	if (c->failed)
		status = URLSIFT_NO_MEMORY;
	if (status != URLSIFT_OK) {
		urlsift_found_free(&c->found);
		return status;
	}
	const urlsift_found_link **pointers = (const urlsift_found_link **)(void *)c->pointers.data;
	for (size_t i = 0; i < count; i++) {
		urlsift_found_link *l = &links[i];
		urlsift_text *const texts[] = { &l->text, &l->target, &l->normal, &l->scheme, &l->host, &l->label };
		for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
			texts[k]->bytes = next;
			next += texts[k]->length + 1;
		}
		l->parts = part;
		part += l->part_count;
		pointers[i] = l;
	}
	c->found = (urlsift_found){ 0, &none, sizeof *links, { "", 0 } };
	if (count)
		c->found = (urlsift_found){ count, pointers, sizeof *links, { (char *)c->strings.data, c->strings.length } };
	*found = &c->found;
	return URLSIFT_OK;
}

urlsift_status urlsift_finder_feed(urlsift_finder *f, const void *bytes, size_t length, urlsift_found **found)
{
	if (!found)
		return URLSIFT_BAD_ARGUMENT;
	*found = NULL;
	if (!f)
		return URLSIFT_BAD_ARGUMENT;
	f->links = f->failed ? NULL : collection_new(&f->context->alloc);
	urlsift_status status = f->links ? feed(f, bytes, length) : URLSIFT_NO_MEMORY;
	if (status == URLSIFT_OK && length)
		status = flush(f);
	if (f->links)
		status = hand_out(f, status, found);
	f->failed = status == URLSIFT_NO_MEMORY;
	return status;
}

/* ---- One call ---- */

static urlsift_status find(urlsift_context *context, const urlsift_options *scan, const urlsift_mail_options *options,
                           urlsift_text input, urlsift_found **found)
{
	if (!found)
		return URLSIFT_BAD_ARGUMENT;
	*found = NULL;
	if (!input.bytes && input.length)
		return URLSIFT_BAD_ARGUMENT;
	urlsift_status status;
	urlsift_finder *f = urlsift_finder_new(context, scan, options, &status);
	if (f && !(f->links = collection_new(&f->context->alloc))) {
		status = URLSIFT_NO_MEMORY;
	} else if (f) {
		if (input.length)
			status = feed(f, input.bytes, input.length);
		status = hand_out(f, status == URLSIFT_OK ? feed(f, NULL, 0) : status, found);
	}
	urlsift_finder_free(f);
	return status;
}

urlsift_status urlsift_find(urlsift_context *context, const urlsift_options *options, const void *text, size_t length,
                            urlsift_found **found)
{
	return find(context, options, NULL, (urlsift_text){ text, length }, found);
}

/* A Content-Length is trusted where it leads to the next message, or the end. */
static long probe(void *user, uint64_t offset, char *out, size_t size)
{
	const urlsift_text *input = user;
	size_t at = size_within(input->length, offset), n = input->length - at;
	n = smaller(n, size);
	memcpy(out, input->bytes + at, n);
	return (long)n;
}

urlsift_status urlsift_mail_find(urlsift_context *context, const urlsift_options *options, const void *bytes,
                                 size_t length, urlsift_found **found)
{
	urlsift_text input = { bytes, length };
	const urlsift_mail_options how = {
		.size = sizeof how, .kind = urlsift_mail_detect(bytes, length, 1), .headers = URLSIFT_HEADERS_URLS,
		.metadata = 1,
		.content_length = URLSIFT_LENGTH_PROBED, .probe = probe, .probe_user = &input,
	};
	return find(context, options, &how, input, found);
}
