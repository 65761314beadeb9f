#include "format.h"

#include "scan/scanner.h"
#include "url/url.h"
#include "simd/simd.h"
#include "text/bytes.h"

#define ADDRESS(name) &format_##name,
static const struct format *const formats[] = { FORMATS(ADDRESS) NULL };

/* Calls a function of the format, with the renderer and what else it takes, if there is one. */
#define CALL(function, ...) \
	do { \
		if (r->format->function) \
			r->format->function(__VA_ARGS__); \
	} while (0)

const urlsift_place render_no_place = { .part = "", .type = "" };

/* NULL for an unknown one. */
static const struct format *find(const urlsift_render_options *options)
{
	const char *name = text_or(options->format, formats[0]->name);
	size_t i = 0;
	while (formats[i] && strcmp(formats[i]->name, name))
		i++;
	return formats[i];
}

/* What is wrong with the options, of which it is the first n bytes; NULL for nothing, and then there is a format. */
static const char *find_fault(const urlsift_render_options *o, size_t *n, const struct format **format)
{
	enum { DIRECTIVE = 2 };
	const char *fault;
	*n = SIZE_MAX;
	*format = find(o);
	if (!*format)
		return o->format;
	if (o->key && (strspn(o->key, HEX_LOWER) != 8 || o->key[8]))
		return o->key;
	if (o->form && (fault = rewrite_fault(o->form))) {
		*n = fault == o->form ? SIZE_MAX : DIRECTIVE;
		return fault;
	}
	if (o->line_format && (fault = template_fault(o->line_format))) {
		*n = DIRECTIVE;
		return fault;
	}
	return o->columns ? csv_fault(o->columns, n) : NULL;
}

/* The options as far as the caller's struct has them; NULL where urlsift_render_new would not take it. */
static const urlsift_render_options *take_options(urlsift_render_options *own, const urlsift_render_options *given)
{
	return given && struct_take(own, sizeof *own, given) ? own : NULL;
}

const char *urlsift_render_fault(const urlsift_render_options *options, size_t *length)
{
	size_t n;
	const struct format *format;
	urlsift_render_options taken;
	const urlsift_render_options *o = take_options(&taken, options);
	const char *fault = o ? find_fault(o, &n, &format) : NULL;
	if (fault && length)
		*length = strnlen(fault, n);
	return fault;
}

unsigned urlsift_render_needs(const urlsift_render_options *options)
{
	size_t n;
	const struct format *format;
	urlsift_render_options taken;
	const urlsift_render_options *o = take_options(&taken, options);
	if (!o || find_fault(o, &n, &format))
		return 0; /* urlsift_render_new reports it */
	const struct format_needs *needs = &format->needs;
	return needs->always | bits_if(o->line_number, needs->numbered) | bits_if(o->context > 0, needs->contextual)
	       | (needs->other ? needs->other(o) : 0);
}

void urlsift_render_prepare(const urlsift_render_options *options, urlsift_options *scan, urlsift_mail_options *mail)
{
	static const struct { unsigned need; urlsift_option option; } wanted[] = {
		{ URLSIFT_NEEDS_POSITIONS, URLSIFT_OPT_POSITIONS }, { URLSIFT_NEEDS_GUESSES, URLSIFT_OPT_GUESS },
		{ URLSIFT_NEEDS_LABELS, URLSIFT_OPT_LABELS }, { URLSIFT_NEEDS_REFANG, URLSIFT_OPT_REFANG },
	};
	urlsift_render_options taken;
	const urlsift_render_options *o = take_options(&taken, options);
	const unsigned needs = urlsift_render_needs(o);
	const int plain = (needs & URLSIFT_NEEDS_PLAIN) != 0;
	if (scan) {
		scan->cut_hosts |= (needs & RENDER_NEEDS_CUT_HOSTS) != 0;
		urlsift_options_set(scan, URLSIFT_OPT_PLAIN, plain);
		for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
			if (needs & wanted[i].need)
				urlsift_options_set(scan, wanted[i].option, 1);
		if (needs & URLSIFT_NEEDS_CONTEXT)
			urlsift_options_set(scan, URLSIFT_OPT_CONTEXT, o->context > 0 ? o->context : 1);
	}
	if (mail) {
		mail->plain = plain;
		/* the headings of a page; for other text, fields are text like the rest */
		mail->display |= needs & URLSIFT_NEEDS_DISPLAY &&
		                 (mail->headers != URLSIFT_HEADERS_NONE || find(o) == &format_html);
		mail->repeated |= (needs & URLSIFT_NEEDS_DISPLAY) != 0;
		mail->attachments |= (needs & URLSIFT_NEEDS_ATTACHMENTS) != 0;
		mail->positions |= (needs & URLSIFT_NEEDS_POSITIONS) != 0;
		mail->metadata |= (needs & URLSIFT_NEEDS_METADATA) != 0;
	}
}

/* ---- From the beginning to the end ------------------------------------------------ */

static struct buf *buffer_at(urlsift_renderer *r, size_t i)
{
	return (struct buf *)(void *)((char *)r->state + r->format->state.buffers[i].at);
}

urlsift_renderer *urlsift_render_new(urlsift_context *context, const urlsift_render_options *options,
                                     urlsift_write_fn write, void *user, urlsift_status *status)
{
	urlsift_status own;
	urlsift_render_options taken;
	long least, most, standard;
	size_t n;
	const struct format *format;
	status = status ? status : &own;
	*status = URLSIFT_BAD_ARGUMENT;
	urlsift_option_range(URLSIFT_OPT_CONTEXT, &least, &most, &standard);
	if (!context || !write || !take_options(&taken, options) ||
	    taken.context < least || taken.context > most || find_fault(&taken, &n, &format))
		return NULL;
	*status = URLSIFT_NO_MEMORY;
	urlsift_renderer *r = alloc_get(&context->alloc, sizeof *r + format->state.size);
	if (!r)
		return NULL;
	*r = (urlsift_renderer){ .format = format, .options = taken, .context = context, .alloc = &context->alloc,
	                         .source = "-", .place = &render_no_place, .exact = format->exact && !taken.terminal };
	r->writer = (struct writer){ .write = write, .user = user, .at_once = taken.whole_records, .size = WRITER_SIZE,
	                              .simd = simd_choose(taken.implementation) };
	if (taken.html.spool)
		r->spool = *taken.html.spool;
	buf_init(&r->form, r->alloc, SIZE_MAX);
	buf_init(&r->url_text, r->alloc, SIZE_MAX);
	buf_init(&r->url_scheme, r->alloc, SIZE_MAX);
	r->writer.data = alloc_resize(r->alloc, NULL, WRITER_SIZE);
	r->state = r + 1;
	if (!r->writer.data) {
		urlsift_render_free(r);
		return NULL;
	}
	for (size_t i = 0; i < format->state.buffer_count; i++)
		buf_init(buffer_at(r, i), r->alloc, format->state.buffers[i].cap);
	CALL(state.init, r);
	*status = URLSIFT_OK;
	return r;
}

void urlsift_render_free(urlsift_renderer *r)
{
	if (!r)
		return;
	CALL(state.fini, r);
	for (size_t i = 0; i < r->format->state.buffer_count; i++)
		buf_fini(buffer_at(r, i));
	buf_fini(&r->form);
	buf_fini(&r->url_text);
	buf_fini(&r->url_scheme);
	alloc_put(r->alloc, r->writer.data);
	alloc_put(r->alloc, r);
}

/* ---- Events ----------------------------------------------------------------------- */

/* Whether there is a renderer, and what its event is of. */
static bool is_given(const urlsift_renderer *r, const void *of) { return r && of; }

/* The status of the event that was rendered. */
static urlsift_status finish(urlsift_renderer *r)
{
	const urlsift_status status = r->writer.error ? URLSIFT_STOPPED : r->status;
	if (r->first_status == URLSIFT_OK)
		r->first_status = status;
	r->status = URLSIFT_OK;
	return status;
}

static void begin(urlsift_renderer *r)
{
	if (!r->begun)
		CALL(begin, r);
	r->begun = true;
}

void render_name(urlsift_renderer *r, const char *name, const char *member)
{
	r->source = name;
	r->member = member;
	r->place = &render_no_place;
	r->moved++;
}

urlsift_status urlsift_render_source(urlsift_renderer *r, const char *name, const char *member)
{
	if (!is_given(r, name))
		return URLSIFT_BAD_ARGUMENT;
	render_name(r, name, member);
	r->appended = false;
	begin(r);
	CALL(source, r);
	return finish(r);
}

urlsift_status urlsift_render_message(urlsift_renderer *r, const urlsift_message *message)
{
	if (!is_given(r, message))
		return URLSIFT_BAD_ARGUMENT;
	r->moved++;
	CALL(message, r, message);
	return finish(r);
}

static inline void set_place(urlsift_renderer *r, const urlsift_place *place)
{
	r->place = place ? place : &render_no_place;
}

urlsift_status urlsift_render_place(urlsift_renderer *r, const urlsift_place *place)
{
	if (!is_given(r, place))
		return URLSIFT_BAD_ARGUMENT;
	r->place = place;
	r->moved++;
	CALL(place, r);
	return finish(r);
}

urlsift_status urlsift_render_piece(urlsift_renderer *r, const urlsift_place *place, const urlsift_piece *piece,
                                    int shown)
{
	if (!is_given(r, piece))
		return URLSIFT_BAD_ARGUMENT;
	set_place(r, place);
	shown = shown && piece->link;
	if (r->format->piece)
		r->format->piece(r, piece, shown);
	else if (shown && piece->part == 0)
		r->format->link(r, piece);
	return finish(r);
}

/* A place that may have nothing but this. */
static void begin_place(urlsift_renderer *r, const urlsift_place *place)
{
	set_place(r, place);
	r->moved++;
}

urlsift_status urlsift_render_error(urlsift_renderer *r, const urlsift_place *place, const char *what)
{
	if (!is_given(r, what))
		return URLSIFT_BAD_ARGUMENT;
	begin_place(r, place);
	CALL(error, r, what);
	return finish(r);
}

urlsift_status urlsift_render_notice(urlsift_renderer *r, const urlsift_place *place, const urlsift_notice *notice)
{
	if (!is_given(r, notice))
		return URLSIFT_BAD_ARGUMENT;
	begin_place(r, place);
	CALL(notice, r, notice);
	return finish(r);
}

urlsift_status urlsift_render_relative(urlsift_renderer *r, const urlsift_place *place, urlsift_text text)
{
	if (!r)
		return URLSIFT_BAD_ARGUMENT;
	begin_place(r, place);
	CALL(relative, r, text);
	return finish(r);
}

urlsift_status urlsift_render_source_end(urlsift_renderer *r, uint64_t links)
{
	if (!r)
		return URLSIFT_BAD_ARGUMENT;
	r->place = &render_no_place; /* the last one may be gone with its parser */
	CALL(source_end, r, links);
	render_name(r, "-", NULL);
	return finish(r);
}

urlsift_status urlsift_render_summary(urlsift_renderer *r, const urlsift_totals *totals)
{
	if (!is_given(r, totals))
		return URLSIFT_BAD_ARGUMENT;
	CALL(summary, r, totals);
	return finish(r);
}

urlsift_status urlsift_render_end(urlsift_renderer *r)
{
	if (!r)
		return URLSIFT_BAD_ARGUMENT;
	begin(r);
	CALL(end, r);
	writer_flush(&r->writer);
	finish(r);
	return r->first_status;
}

urlsift_status urlsift_render_url(urlsift_renderer *r, const char *text, size_t length)
{
	struct url_report u;
	if (!is_given(r, text) || !r->format->url)
		return URLSIFT_BAD_ARGUMENT;
	if (url_report_take(r, &u, text, length))
		r->format->url(r, &u);
	return finish(r);
}

urlsift_status urlsift_render_append(urlsift_renderer *r, const void *bytes, size_t length)
{
	if (!r || (!bytes && length > 0))
		return URLSIFT_BAD_ARGUMENT;
	CALL(parts.append, r);
	if (length > r->writer.size / 2)
		writer_block(&r->writer, bytes, length); /* not copied, even if it fits */
	else
		writer_put(&r->writer, bytes, length);
	r->appended = true;
	return finish(r);
}

void render_be_part(urlsift_renderer *r) { r->is_part = true; }

void *render_exchange(urlsift_renderer *r, void *block)
{
	void *full = r->writer.data;
	r->writer.data = block;
	return full;
}

void render_continue(urlsift_renderer *r)
{
	CALL(parts.resume, r);
}

urlsift_status render_close(urlsift_renderer *r)
{
	CALL(parts.close, r);
	return finish(r);
}

urlsift_status urlsift_render_flush(urlsift_renderer *r)
{
	if (!r)
		return URLSIFT_BAD_ARGUMENT;
	writer_flush(&r->writer);
	return finish(r);
}

void render_discard(urlsift_renderer *r)
{
	r->writer.error = 1; /* what closes is not written */
	CALL(parts.close, r);
	r->writer.used = 0;
	r->writer.error = 0;
}

/* ---- Events as callbacks ------------------------------------------------------------ */

/* Only a writer that refused ends the scan: the rest of the output is of use. */
static int answer(urlsift_status status)
{
	return status == URLSIFT_STOPPED;
}

static int take_message(void *user, const urlsift_message *message)
{
	return answer(urlsift_render_message(user, message));
}

static int take_place(void *user, const urlsift_place *place)
{
	return answer(urlsift_render_place(user, place));
}

static int take_mail_piece(void *user, const urlsift_place *place, const urlsift_piece *piece)
{
	return answer(urlsift_render_piece(user, place, piece, 1));
}

static int take_mail_notice(void *user, const urlsift_place *place, const urlsift_mail_notice *n)
{
	if (n->omission)
		return n->omission == URLSIFT_OMITTED_RELATIVE ? answer(urlsift_render_relative(user, place, n->text)) : 0;
	if (n->damage)
		return answer(urlsift_render_error(user, place, n->damage));
	return answer(urlsift_render_notice(user, place, &(urlsift_notice){ n->limit, n->value, n->offset }));
}

static int take_piece(void *user, const urlsift_piece *piece)
{
	return take_mail_piece(user, NULL, piece);
}

static int take_notice(void *user, const urlsift_notice *notice)
{
	return answer(urlsift_render_notice(user, NULL, notice));
}

urlsift_sink urlsift_render_sink(urlsift_renderer *r)
{
	return (urlsift_sink){ take_piece, take_notice, r };
}

urlsift_mail_sink urlsift_render_mail_sink(urlsift_renderer *r)
{
	return (urlsift_mail_sink){ take_message, take_place, take_mail_piece, take_mail_notice, r, NULL };
}

/* ---- The writer ------------------------------------------------------------------------ */

static void hand_on(struct writer *w, const void *bytes, size_t n)
{
	if (n > 0 && !w->error)
		w->error = w->write(w->user, bytes, n);
}

void writer_flush(struct writer *w)
{
	hand_on(w, w->data, w->used);
	w->used = 0;
}

void writer_block(struct writer *w, const void *bytes, size_t n)
{
	const char *from = bytes;
	if (n == 0)
		return;
	if (n > w->size / 2) { /* not copied */
		writer_flush(w);
		hand_on(w, from, n);
		return;
	}
	memcpy(writer_room(w, n), from, n);
	w->used += n;
	if (w->at_once && BYTE_IN(from[n - 1], "\n\0"))
		writer_flush(w);
}

void writer_number(struct writer *w, uint64_t n)
{
	static const char pairs[] =
		"0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849"
		"5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";
	enum { DIGITS = 20 };
	size_t digits = 1;
	for (uint64_t power = 10; digits < DIGITS && n >= power; power *= 10)
		digits++;
	char *room = writer_room(w, DIGITS), *at = room + digits; /* what was just written elsewhere is slow to copy */
	for (; n >= 10; n /= 100)
		memcpy(at -= 2, pairs + 2 * (n % 100), 2);
	if (at > room)
		*room = (char)('0' + n);
	w->used += digits;
}

/* ---- What the formats share ----------------------------------------------------------- */

void render_keep(urlsift_renderer *r, struct buf *b, const void *bytes, size_t n)
{
	if (!buf_add(b, bytes, n))
		r->status = URLSIFT_NO_MEMORY;
}

enum hashset_answer render_know(urlsift_renderer *r, struct hashset *set, struct hash128 hash, uint32_t *value)
{
	const enum hashset_answer answer = hashset_add(set, hash, value);
	if (answer == HASHSET_NO_MEMORY)
		r->status = URLSIFT_NO_MEMORY;
	return answer;
}

int render_add(void *buf, const void *bytes, size_t n)
{
	return !buf_add(buf, bytes, n);
}

struct writer render_divert(urlsift_renderer *r, struct buf *to, char block[WRITER_SMALLEST])
{
	const struct writer kept = r->writer;
	to->length = 0;
	r->writer = (struct writer){ .write = render_add, .user = to, .size = WRITER_SMALLEST, .data = block,
	                             .simd = kept.simd };
	return kept;
}

bool render_restore(urlsift_renderer *r, struct buf *to, const struct writer *kept)
{
	writer_flush(&r->writer);
	const bool whole = !r->writer.error;
	r->writer = *kept;
	if (!whole) {
		to->length = 0;
		r->status = URLSIFT_NO_MEMORY;
	}
	return whole;
}

bool render_is_named(const urlsift_renderer *r)
{
	return r->options.with_filename || (r->options.with_member && r->member);
}

void render_source_name(urlsift_renderer *r)
{
	struct writer *w = &r->writer;
	void (*const escape)(struct writer *, const void *, size_t) = r->exact ? escape_name_exact : escape_name;
	escape(w, r->source, strlen(r->source));
	if (r->member) {
		writer_put(w, "{", 1);
		escape(w, r->member, strlen(r->member));
		writer_put(w, "}", 1);
	}
}

void render_names(urlsift_renderer *r, unsigned bits, bit_name_fn *name_of, const char *before, const char *between)
{
	unsigned bit;
	for (const char *name; (name = bit_next(&bits, &bit, name_of));) {
		writer_text(&r->writer, before);
		writer_text(&r->writer, name);
		before = between;
	}
}

char *render_room(urlsift_renderer *r, struct buf *b, size_t n)
{
	b->length = 0;
	if (buf_reserve(b, n))
		return (char *)b->data;
	r->status = URLSIFT_NO_MEMORY;
	return NULL;
}

size_t render_form(urlsift_renderer *r, link_form_fn *write, const urlsift_link *link)
{
	size_t n;
	while ((n = write(link, (char *)r->form.data, r->form.room)) > r->form.room)
		if (!render_room(r, &r->form, n)) /* nor for URLSIFT_LENGTH_NO_MEMORY */
			return 0;
	return n;
}

size_t render_url_form(urlsift_renderer *r, url_form_fn *write, const urlsift_url *url)
{
	size_t n;
	while ((n = write(url, (char *)r->form.data, r->form.room)) > r->form.room)
		if (!render_room(r, &r->form, n))
			return 0;
	return n;
}

bool render_is_spelled(const char *shown, size_t n, const char *target, size_t m)
{
	urlsift_url url;
	if (n > m)
		return render_is_spelled(target, m, shown, n);
	if (bytes_are(shown, n, target, m))
		return true;
	if (!bytes_are(shown, n, target, m - 1))
		return false;
	urlsift_url_split(target, m, &url);
	return url.path.length == 1 && url.path.offset + 1 == m;
}

bool render_is_plain_label(urlsift_text label)
{
	const size_t n = label.length;
	/* what ends with `://` names no host */
	return n > 0 && !memchr(label.bytes, '@', n) && text_index(label.bytes, n, "www.") == n
	       && text_index(label.bytes, n - 1, "://") == n - 1;
}

void render_judge(urlsift_renderer *r, const urlsift_url *url, struct verdicts *v)
{
	for (urlsift_grammar g = URLSIFT_RFC1738; g <= URLSIFT_RFC3987; g++) {
		bool known = g == URLSIFT_RFC3987 && v->status[URLSIFT_RFC3986] == URLSIFT_OK; /* every URI is an IRI */
		v->status[g] = known ? URLSIFT_OK : urlsift_url_check(r->context, url, g, &v->fault[g]);
		if (!render_is_verdict(v->status[g]))
			r->status = v->status[g];
	}
}
