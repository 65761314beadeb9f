/* All links of an input at once: urlsift_find, urlsift_mail_find, and the finder that both use. */
#include "urlsift-mail.h"

#include "scan/scanner.h"
#include "text/buf.h"
#include "url/url.h"

/* ---- The links of one call ---- */

/* What is not an array lives as long as the result, in blocks of its own. */
struct kept { struct kept *next; };

enum array { LINKS, PARTS, STRINGS, ARRAYS }; /* urlsift_found_link, urlsift_range, char */

/* Links while they are collected, for one call after another.  The arrays move until the end: pointers into them are
 * set then. */
struct collection {
	const urlsift_allocator *alloc;
	struct buf arrays[ARRAYS];
	struct kept *kept;
	urlsift_message *message; /* of the last link, and its place; NULL before the first */
	urlsift_place *place, raw; /* raw: as it was when it was copied */
	bool failed;               /* no memory: something is missing */
};

/* What a call hands out: this, an array of pointers to the links, and small arrays, in one block. */
struct result {
	urlsift_found found; /* first: the caller's pointer is the result's */
	urlsift_allocator alloc;
	struct kept *kept;
	void *arrays[ARRAYS]; /* large ones; NULL for one in the block */
};

static void kept_free(const urlsift_allocator *alloc, struct kept *kept)
{
	for (struct kept *next; kept; kept = next) {
		next = kept->next;
		alloc_put(alloc, kept);
	}
}

/* Forgets the links; the arrays stay. */
static void collection_clear(struct collection *c)
{
	kept_free(c->alloc, c->kept);
	c->kept = NULL;
	c->message = NULL;
	c->place = NULL;
	c->failed = false;
	for (size_t i = 0; i < ARRAYS; i++)
		c->arrays[i].length = 0;
}

enum { SMALL = 4096 }; /* so many bytes of all arrays are copied, which takes less time than to make new arrays */

/* The links become a result; NULL without memory. */
static struct result *collection_move(struct collection *c)
{
	static const urlsift_found_link *const none = NULL;
	const size_t count = c->arrays[LINKS].length / sizeof(urlsift_found_link);
	/* pointers may be smaller than what the arrays must be aligned to */
	const size_t front = sizeof(struct result) + count * sizeof(urlsift_found_link *), align = sizeof(uint64_t);
	const size_t head = (front + align - 1) / align * align;
	const size_t strings = c->arrays[STRINGS].length;
	size_t size = 0;
	for (size_t i = 0; i < ARRAYS; i++)
		size += c->arrays[i].length;
	const bool copied = size <= SMALL;
	struct result *r = alloc_get_head(c->alloc, head + copied * size, sizeof *r);
	if (!r)
		return NULL;
	r->alloc = *c->alloc;
	r->kept = c->kept;
	c->kept = NULL;
	unsigned char *data[ARRAYS], *next = (unsigned char *)r + head;
	for (size_t i = 0; i < ARRAYS; i++) {
		struct buf *b = &c->arrays[i];
		if (!copied) {
			data[i] = r->arrays[i] = b->data;
			buf_init(b, c->alloc, b->cap);
			continue;
		}
		data[i] = next;
		next = bytes_put(next, b->data, b->length);
	}
	/* The pointers of the result, which follow it, and those into the arrays. */
	urlsift_found_link *links = (urlsift_found_link *)(void *)data[LINKS];
	const urlsift_range *part = (const urlsift_range *)(const void *)data[PARTS];
	const char *string = (const char *)data[STRINGS];
	const urlsift_found_link **pointers = (const urlsift_found_link **)(void *)(r + 1);
	r->found = (urlsift_found){ 0, &none, sizeof *links, { "", 0 } };
	if (count)
		r->found = (urlsift_found){ count, pointers, sizeof *links, { string, strings } };
	for (size_t i = 0; i < count; i++) {
		urlsift_found_link *l = &links[i];
		urlsift_text *const texts[] = { &l->text, &l->target, &l->normal, &l->scheme, &l->host, &l->label };
		for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
			texts[k]->bytes = string;
			string += texts[k]->length + 1;
		}
		l->parts = part;
		part += l->part_count;
		pointers[i] = l;
	}
	return r;
}

void urlsift_found_free(urlsift_found *found)
{
	struct result *r = (struct result *)(void *)found;
	if (!r)
		return;
	const urlsift_allocator alloc = r->alloc;
	kept_free(&alloc, r->kept);
	for (size_t i = 0; i < ARRAYS; i++)
		alloc_put(&alloc, r->arrays[i]);
	alloc_put(&alloc, r);
}

/* Zeroed; NULL without memory. */
static void *keep(struct collection *c, size_t size)
{
	struct kept *k = alloc_get(c->alloc, sizeof *k + size);
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
	if (!place)
		return;
	/* an attribute that is the name of a line of a calendar changes in its place */
	const char *attribute = place->attribute;
	if (c->place && !memcmp(&c->raw, place, sizeof *place)
	    && (!attribute || !strcmp(attribute, c->place->attribute)))
		return;
	urlsift_place *p = c->place = keep(c, sizeof *p);
	const bool other = place->message && (!c->message || c->message->offset != place->message->offset);
	if (other && (c->message = keep(c, sizeof *c->message))) {
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
	_Static_assert(sizeof *p - offsetof(urlsift_place, attached) <= sizeof p->size, "all strings are kept");
	const char **const strings[] = { &p->field, &p->part, &p->type, &p->lang, &p->attribute };
	for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
		if (*strings[i])
			keep_text(c, strings[i], strlen(*strings[i]));
	keep_text(c, &p->name.bytes, p->name.length);
}

static void add(struct collection *c, enum array which, const void *bytes, size_t n)
{
	c->failed |= !buf_add(&c->arrays[which], bytes, n);
}

static void add_string(struct collection *c, const char *bytes, size_t n)
{
	add(c, STRINGS, bytes, n);
	add(c, STRINGS, "", 1);
}

typedef size_t link_form(const urlsift_link *link, char *out, size_t size);

/* Appends a form of the link, and its NUL, to the strings; returns its length. */
static size_t add_form(struct collection *c, const urlsift_link *link, link_form *write)
{
	struct buf *b = &c->arrays[STRINGS];
	size_t n = 0;
	while (!c->failed && (n = write(link, (char *)b->data + b->length, b->room - b->length)) >= b->room - b->length)
		c->failed = n == URLSIFT_LENGTH_NO_MEMORY || !buf_reserve(b, n + 1);
	if (c->failed)
		return 0;
	b->data[b->length + n] = '\0';
	b->length += n + 1;
	return n;
}

/* ---- The finder ---- */

struct urlsift_finder {
	struct context_spare spare;     /* first: the context keeps the finder so */
	urlsift_context *context, *own; /* own: made because none was given */
	urlsift_scanner *scanner;       /* of text, or */
	urlsift_mail *mail;
	struct collection links;        /* of the call that runs */
	bool by_default;                /* with the options that it has when none are given */
	bool failed;                    /* no memory: links are missing */
};

/* Collects a link where it begins. */
static int take_mail(void *user, const urlsift_place *place, const urlsift_piece *piece)
{
	struct collection *c = &((urlsift_finder *)user)->links;
	const urlsift_link *link = piece->link;
	if (!piece_begins_link(piece))
		return c->failed;
	keep_place(c, place);
	const bool simple = urlsift_link_is_simple(link);
	urlsift_found_link f = {
		.place = c->place, .convention = urlsift_link_convention(link), .flags = urlsift_link_flags(link),
		.warnings = simple ? 0 : urlsift_link_warnings(link), .line = urlsift_link_line(link),
		.column = urlsift_link_column(link), .linkable = simple || link_may_be_href(link),
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
	const char *scheme = urlsift_link_scheme(link, &f.scheme.length);
	const char *label = urlsift_link_label(link, &f.label.length);
	/* The text, target and normal form, and where the host is in the last.  What a simple link has in common is
	 * written without a second look, which saves a tenth of the time of a short text. */
	urlsift_url url = { .host = {0, 0, 0} };
	const char *text = urlsift_link_text(link, &f.text.length);
	c->failed |= !buf_reserve(&c->arrays[STRINGS], 4 * f.text.length + 64);
	add_string(c, text, f.text.length);
	if (simple)
		add_string(c, text, f.target.length = f.text.length);
	else
		f.target.length = add_form(c, link, urlsift_link_target);
	if (simple && link_is_normal(link)) {
		add_string(c, text, f.normal.length = f.text.length);
		link_split(link, &url);
	} else if ((f.normal.length = add_form(c, link, urlsift_link_normal)) > 0) {
		const struct buf *b = &c->arrays[STRINGS];
		split_url((const char *)b->data + b->length - f.normal.length - 1, f.normal.length, &url);
	}
	const urlsift_component host = url.host;
	struct buf *b = &c->arrays[STRINGS];
	c->failed |= !buf_reserve(b, f.scheme.length + f.normal.length + f.label.length + 3);
	if (c->failed)
		return true;
	f.host.length = host.length;
	const char *normal = (const char *)b->data + b->length - f.normal.length - 1;
	add_string(c, scheme, f.scheme.length);
	add_string(c, normal + host.offset, host.length);
	add_string(c, label, f.label.length);
	add(c, PARTS, parts, f.part_count * sizeof *parts);
	add(c, LINKS, &f, sizeof f);
	return c->failed;
}

static int take_piece(void *user, const urlsift_piece *piece) { return take_mail(user, NULL, piece); }

/* The texts of a place are in buffers of the parser, which change when the next place begins. */
static int take_place(void *user, const urlsift_place *place)
{
	(void)place;
	((urlsift_finder *)user)->links.place = NULL;
	return 0;
}

static int take_message(void *user, const urlsift_message *message)
{
	(void)message;
	((urlsift_finder *)user)->links.message = NULL;
	return 0;
}

static void spare_free(struct context_spare *spare) { urlsift_finder_free((urlsift_finder *)(void *)spare); }

/* The scanner options of a finder. */
static urlsift_options finder_options(const urlsift_options *given)
{
	urlsift_options o = options_or_defaults(given);
	o.value[URLSIFT_OPT_PLAIN] = 0;
	o.value[URLSIFT_OPT_POSITIONS] = 1;
	return o;
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
	urlsift_context *own = NULL;
	if (!context)
		context = own = urlsift_context_new(NULL);
	urlsift_finder *f = context ? alloc_get(&context->alloc, sizeof *f) : NULL;
	if (!f) {
		urlsift_context_free(own);
		return NULL;
	}
	const urlsift_options settings = finder_options(scan);
	how.plain = 0;
	how.positions = 1;
	how.size = sizeof how;
	f->spare.free = spare_free;
	f->by_default = !scan;
	f->context = context;
	f->own = own;
	f->links.alloc = &context->alloc;
	for (size_t i = 0; i < ARRAYS; i++)
		buf_init(&f->links.arrays[i], &context->alloc, SIZE_MAX / 2);
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
	collection_clear(&f->links);
	for (size_t i = 0; i < ARRAYS; i++)
		buf_fini(&f->links.arrays[i]);
	urlsift_context_free(f->own);
	alloc_put(&alloc, f);
}

static urlsift_status feed(urlsift_finder *f, const void *bytes, size_t length)
{
	if (!length)
		return f->mail ? urlsift_mail_finish(f->mail) : urlsift_finish(f->scanner);
	return f->mail ? urlsift_mail_feed(f->mail, bytes, length) : urlsift_feed(f->scanner, bytes, length);
}

/* Hands out the links that were collected, if the status is good. */
static urlsift_status hand_out(urlsift_finder *f, urlsift_status status, urlsift_found **found)
{
	struct result *r = NULL;
	if (f->links.failed)
		status = URLSIFT_NO_MEMORY;
	if (status == URLSIFT_OK && !(r = collection_move(&f->links)))
		status = URLSIFT_NO_MEMORY;
	collection_clear(&f->links);
	*found = r ? &r->found : NULL;
	return status;
}

/* Nothing is found yet.  False without a place for what will be, or without what is searched. */
static bool begin_find(urlsift_found **found, bool given)
{
	if (found)
		*found = NULL;
	return found && given;
}

urlsift_status urlsift_finder_feed(urlsift_finder *f, const void *bytes, size_t length, urlsift_found **found)
{
	if (!begin_find(found, f != NULL))
		return URLSIFT_BAD_ARGUMENT;
	urlsift_status status = f->failed ? URLSIFT_NO_MEMORY : feed(f, bytes, length);
	if (status == URLSIFT_OK && length)
		status = f->mail ? urlsift_mail_flush(f->mail) : urlsift_flush(f->scanner);
	status = hand_out(f, status, found);
	f->failed = status == URLSIFT_NO_MEMORY;
	return status;
}

/* ---- One call ---- */

/* Ends the input, and hands out its links. */
static urlsift_status find(urlsift_finder *f, urlsift_text input, urlsift_found **found)
{
	urlsift_status status = input.length ? feed(f, input.bytes, input.length) : URLSIFT_OK;
	return hand_out(f, status == URLSIFT_OK ? feed(f, NULL, 0) : status, found);
}

/* The longest text whose finder a context keeps: with the buffers that it needed. */
enum { KEPT_TEXT = 16 * 1024 };

urlsift_status urlsift_find(urlsift_context *context, const urlsift_options *options, const void *text, size_t length,
                            urlsift_found **found)
{
	if (!begin_find(found, text || !length))
		return URLSIFT_BAD_ARGUMENT;
	/* a finder of text that was made with other options can be used, after scanner_renew, if these are only values */
	const bool values = !options || (!options->base && !options->charset && !options->link_rules);
	const bool kept = context && length <= KEPT_TEXT && values;
	urlsift_finder *f = kept ? (urlsift_finder *)(void *)context_take(context) : NULL;
	urlsift_status status = URLSIFT_OK;
	if (!f) {
		f = urlsift_finder_new(context, options, NULL, &status);
		if (!f)
			return status;
	} else if (options || !f->by_default) {
		const urlsift_options settings = finder_options(options);
		scanner_renew(f->scanner, &settings);
		f->by_default = !options;
	} else {
		urlsift_reset(f->scanner);
	}
	if (length <= KEPT_TEXT)
		scanner_await(f->scanner, length + 1); /* search it once, when it ends */
	status = find(f, (urlsift_text){ text, length }, found);
	if (kept && status == URLSIFT_OK)
		context_keep(context, &f->spare);
	else
		urlsift_finder_free(f);
	return status;
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
	if (!begin_find(found, bytes || !length))
		return URLSIFT_BAD_ARGUMENT;
	const urlsift_mail_options how = {
		.size = sizeof how, .kind = urlsift_mail_detect(bytes, length, 1), .headers = URLSIFT_HEADERS_URLS,
		.metadata = 1,
		.content_length = URLSIFT_LENGTH_PROBED, .probe = probe, .probe_user = &input,
	};
	urlsift_status status;
	urlsift_finder *f = urlsift_finder_new(context, options, &how, &status);
	if (f)
		status = find(f, input, found);
	urlsift_finder_free(f);
	return status;
}
