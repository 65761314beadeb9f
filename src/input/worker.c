#include "worker.h"

#include "descriptor.h"
#include "memory.h"
#include "public_inbox.h"
#include "scan/scanner.h"
#include "text/ascii.h"
#include "text/match.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* ---- Sources ----------------------------------------------------------------------- */

static void idle(void *user)
{
	struct worker *w = user;
	const struct consumer *c = w->settings->consumer;
	worker_write(w);
	if (c->take)
		worker_put(w, QUEUE_BYTES, NULL, 0);
}

/* Not everything of the source is read. */
static void refuse(struct worker *w, enum unpacked what, const struct packed_content *c)
{
	w->file.whole = false;
	if (what == UNPACKED_FAULT)
		worker_fail(w, c->why);
	else
		worker_limit(w, &c->limit, true);
}

/* Reports why source_read failed. */
static void fail_source(struct worker *w, const struct source *s, int error)
{
	struct packed_content c;
	w->file.whole = false;
	if (error == SOURCE_PACKED)
		refuse(w, unpacker_fault(s, &c), &c);
	else
		worker_fail_errno(w, error);
}

/* Nothing is read of the source. */
static void fail_whole(struct worker *w, const struct source *s, int error)
{
	worker_begin_source(w, w->source);
	fail_source(w, s, error);
	worker_end_source(w);
}

/* Whether it is a part of a mailbox. */
static bool is_piece(const struct job *job)
{
	return job->from || job->stop;
}

/* Whether a message ends at the offset; notes when more bytes at the end of the file might change the answer. */
static long probe(void *user, uint64_t offset, char *out, size_t size)
{
	enum { BLANK = 4 }; /* line ends that may precede the line that tells */
	struct worker *w = user;
	const ssize_t n = source_read_at(w->file.probed, offset, out, size);
	const bool whole = n == (ssize_t)size || (n > BLANK && memchr(out + BLANK, '\n', (size_t)n - BLANK));
	if ((!whole || offset - w->message > OPENED_FAR) && w->message < w->unsure)
		w->unsure = w->message;
	return (long)n;
}

struct opened worker_opened(const struct worker *w, const char *path, const struct source *s)
{
	const struct job *job = w->job;
	return (struct opened){ .item = { path, job->folder, job->folder_kind }, .size = s->size, .mtime = s->mtime,
	                        .from = job->from, .line = job->line, .first = job->first, .unsure = &w->unsure };
}

/* The first n bytes are in the block. */
static void read_all(struct worker *w, struct source *s, size_t n)
{
	static const struct {
		bool (*feed)(struct worker *w, const void *bytes, size_t n);
		void (*finish)(struct worker *w);
	} hows[] = { { worker_feed, worker_finish }, { warc_feed, warc_finish } };
	ssize_t more = (ssize_t)n;
	do {
		n = (size_t)more;
		s->block = w->file.block;
		s->block_at = s->at - n;
		s->block_length = n;
		/* the bytes of a range were given before */
		const struct job *job = w->job;
		const uint64_t end = earlier(number_or(job->stop, s->at), s->at);
		if (s->regular && !(job->shared && is_piece(job)) && s->block_at < end)
			worker_emit_bytes(w, s->block_at, w->file.block, (size_t)(end - s->block_at));
		hows[w->in_warc].feed(w, w->file.block, n);
		more = worker_goes_on(w) ? source_read(s, w->file.block, SOURCE_BLOCK) : 0;
		w->tally.bytes += bytes_moved(more);
	} while (more > 0);
	const int error = errno_if(more < 0);
	hows[w->in_warc].finish(w);
	if (error)
		fail_source(w, s, error);
}

/* The name that says what a source is. */
static const char *name_of(struct source_name name) { return text_or(name.member, name.file); }

static void read_kind(struct worker *w, struct source *s, urlsift_mail_kind kind, size_t n)
{
	const struct settings *o = w->settings;
	const struct job *job = w->job;
	urlsift_mail_options options = worker_mail_options(w, kind);
	w->in_warc = (int)kind == KIND_WARC;
	const bool range = o->in.range && !job->shared && !w->in_warc;
	if (range && kind != URLSIFT_KIND_MBOX) {
		worker_fail(w, "is neither an mbox nor a web archive, as --range requires");
		return;
	}
	if (s->regular && kind == URLSIFT_KIND_MBOX) {
		w->file.probed = s;
		options.content_length = URLSIFT_LENGTH_PROBED;
		options.probe = probe;
		options.probe_user = w;
	}
	options.offset = job->from;
	options.line = w->line;
	options.stop = job->stop;
	worker_emit_kind(w, kind, s->regular ? s : NULL);
	if (range) {
		options.stop = o->in.range_to;
		/* A message may hide the beginnings of others: what comes before the range is read then, but not shown. */
		if (!s->size || (!o->in.range_line && cutter_sees_lengths(w->file.block, n))) {
			w->shown_from = o->in.range_from;
		} else {
			options.offset = o->in.range_from;
			options.line = o->in.range_line;
			if (!input_begin(o, s, &options.offset, &options.line)) {
				fail_source(w, s, errno);
				return;
			}
			n = 0;
			s->at = options.offset;
		}
	}
	const uint64_t from = options.offset;
	const bool part = range || is_piece(job); /* the job may end meanwhile */
	if (w->in_warc) {
		warc_begin(w);
	} else if (kind == URLSIFT_KIND_TEXT) {
		worker_begin_text(w);
		w->file.csv = input_named(job->input, name_of(w->source), w->file.packed) == INPUT_CSV;
		w->file.fields = (struct csv_reader){ .separator = '\0' };
	} else {
		worker_begin_mail(w, &options);
	}
	w->tally.bytes = n;
	read_all(w, s, n);
	while (w->status != URLSIFT_STOPPED && worker_next(w, 0)) /* nothing more is read of the file */
		;
	if (part) {
		const uint64_t begin = number_or(w->shown_from, from);
		w->tally.bytes = w->tally.messages ? urlsift_mail_stopped_at(w->mail) - begin : 0;
	}
	w->shown_from = 0;
}

/* Characters of 16 bits are looked for in so many bytes. */
enum { WIDE_FIRST = 8, WIDE_LOOK = 4 * 1024 };

#define WIDE(name) "seems to be UTF-16 without a byte order mark: --charset=" name " reads it"

/* Whether a text is certainly not of 16 bits, whatever comes after these bytes: the first are those of ASCII text, or
 * the first line has no NUL. */
static bool is_narrow(const char *p, size_t n)
{
	const unsigned printable = BYTE_BUT(BYTE_HTAB | BYTE_LINE_END | BYTE_CONTROL | BYTE_HIGH);
	const size_t plain = byte_span((const uint8_t *)p, 0, smaller(n, WIDE_FIRST), printable);
	const char *const end = n > 1 ? memchr(p + 1, '\n', n - 1) : NULL;
	return plain == WIDE_FIRST || (end && !memchr(p, 0, (size_t)(end - p)));
}

/* What is said of text of 16 bits without a byte order mark, NULL of other text.  One byte of each of its first
 * characters is NUL; or of each of a `://`, before which no unit is NUL, as they are in other binary data. */
static const char *find_wide(const char *p, size_t n)
{
	static const char slashes[] = "\0:\0/\0/";
	const bool nul = n && p[0];
	const size_t slash = sizeof slashes - 1, end = smaller(n, WIDE_LOOK);
	size_t wide = 0;
	while (wide < smaller(n, WIDE_FIRST) && !p[wide] == (wide % 2 == nul))
		wide++;
	if (wide == WIDE_FIRST)
		return nul ? WIDE("utf-16le") : WIDE("utf-16be");
	if (utf16_begins(p, n) || is_narrow(p, end))
		return NULL;
	for (size_t i = 0; i + slash <= end && (p[i] || p[i + 1]); i += 2) {
		if (!memcmp(p + i, slashes, slash))
			return WIDE("utf-16be");
		if (!memcmp(p + i, slashes + 1, slash))
			return WIDE("utf-16le");
	}
	return NULL;
}

/* What files of Outlook (.msg) and of Office before 2007 begin with: text in them is of 16 bits and scattered. */
#define COMPOUND_FILE "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

/* Reports text that is not searched as a person would read it.  False if it is not searched at all. */
static bool report_unread(struct worker *w, const char *p, size_t n)
{
	if (text_begins(p, n, COMPOUND_FILE)) {
		worker_fail(w, "is an Outlook message or an old Office file, which is not read: msgconvert(1) makes mail of a"
		               " message, --input=text reads the bytes");
		return false;
	}
	const char *const wide = w->settings->scan->charset ? NULL : find_wide(p, n);
	if (text_begins(p, n, SOURCE_PDF))
		worker_fail(w, "is a PDF, whose text is mostly compressed and not searched: pdftotext(1) extracts it");
	else if (wide)
		worker_fail(w, wide);
	return true;
}

/* Reads a source, or what is packed in one, whose first n bytes are in the block.  Binary files
 * that were not named are passed over. */
static void read_content(struct worker *w, struct source *s, size_t n)
{
	enum { LOOK_OFTEN = 256 * 1024 };
	const struct source_name name = w->source;
	const bool emlx = w->job->folder_kind == FOLDER_EML && folder_names_emlx(name_of(name));
	const enum input input = emlx ? INPUT_AUTO : w->job->input;
	const bool piece = is_piece(w->job);
	urlsift_mail_kind kind = URLSIFT_KIND_TEXT;
	int error = 0;
	bool complete = false, known = piece || (input != INPUT_AUTO && input != INPUT_MBOX);
	/* Reads until it is decided what the source is. */
	for (size_t looked = 0, next = 0; !known;) {
		if (complete || n >= next) {
			known = source_detect(w->file.block, n, complete, &kind)
			        && (complete || n >= WIDE_LOOK || is_narrow(w->file.block, n));
			/* input that comes in bytes is not looked at from its beginning for each of them */
			looked += n;
			next = looked > LOOK_OFTEN ? n + n / 8 : 0;
		}
		if (known)
			break;
		ssize_t more = source_read(s, w->file.block + n, SOURCE_BLOCK - n);
		/* What comes before damage is read first. */
		error = errno_if(more < 0 && errno != SOURCE_PACKED);
		n += bytes_moved(more);
		complete = more <= 0;
	}
	if (error) {
		fail_whole(w, s, error);
		return;
	}
	const bool text = input == INPUT_AUTO && kind == URLSIFT_KIND_TEXT; /* whatever its name says */
	w->tally.misread += input == INPUT_MBOX && !piece && kind == URLSIFT_KIND_TEXT;
	kind = piece ? URLSIFT_KIND_MBOX : input_kind(input, name_of(name), w->file.packed, kind);
	if ((w->job->found || name.member) && (text || kind == URLSIFT_KIND_TEXT) && source_is_binary(w->file.block, n)) {
		w->tally.skipped++;
		return;
	}
	if (w->job->first)
		worker_begin_source(w, name);
	if (!text || kind != URLSIFT_KIND_TEXT || report_unread(w, w->file.block, n))
		read_kind(w, s, kind, n);
	if (w->job->last)
		worker_end_source(w);
}

/* In a pool: waits until what is found can be written at once. */
static void wait_for_head(struct worker *w)
{
	if (w->slot && !pool_wait(w->slot))
		w->out.own_error = EPIPE;
}

static void read_source(struct worker *w, const char *name)
{
	const bool standard = !strcmp(name, "-");
	const char *label = standard ? w->settings->in.label : NULL, *shown = text_or(label, name);
	char why[WHY_SIZE];
	struct source s;
	struct shared_file *shared = w->job->shared;
	worker_name(w, (struct source_name){ shown, NULL });
	/* Standard input that is named twice is read once: its second reader begins where the first one has ended. */
	if (standard)
		wait_for_head(w);
	memcpy(why, w->job->why, sizeof why);
	if (shared)
		s = shared->source;
	else if (!*why)
		source_open(&s, name, why);
	if (*why) {
		worker_fail(w, why);
		w->tally.usage += w->job->usage;
		return;
	}
	s.idle = idle;
	s.user = w;
	if (!s.regular) /* it may be slow */
		wait_for_head(w);
	struct opened opened = worker_opened(w, shown, &s);
	opened.mtime *= !label; /* no file of that name */
	worker_emit_open(w, &opened);
	w->file.whole = true;
	w->status = URLSIFT_OK;
	const struct packed_form *form = NULL;
	const bool piece = is_piece(w->job);
	size_t n = piece ? worker_count_lines(w, w->file.block, INPUTS_HELD) : 0;
	s.at = w->job->from + n;
	if (!piece && !unpacker_detect(&s, w->file.block, &n, &form)) {
		fail_whole(w, &s, errno);
	} else if (!form) {
		read_content(w, &s, n);
	} else {
		/* packed input: each of its contents */
		struct packed_content c;
		enum unpacked what;
		w->file.packed = &s;
		unpacker_begin(w->file.unpacker, &s, form, w->file.block, n);
		while (!*w->out.error && (what = unpacker_next(w->file.unpacker, &c)) != UNPACKED_END) {
			const bool member = c.member && w->settings->in.range;
			worker_name(w, (struct source_name){ shown, member ? NULL : c.member });
			/* each document of Office, or of OpenDocument, has one such member, perhaps in another archive */
			const char *inner = memory_text(c.member);
			w->tally.documents += strstr(inner, "[Content_Types].xml") || strstr(inner, "META-INF/manifest.xml");
			if (member) {
				worker_fail(w, RANGE_NEEDS_MBOX);
				w->tally.usage++;
				break;
			}
			if (what == UNPACKED_CONTENT)
				read_content(w, c.source, c.n);
			else
				refuse(w, what, &c);
		}
		w->file.packed = NULL;
		w->file.packed_at = 0;
	}
	worker_emit_close(w, w->file.whole && (w->status == URLSIFT_OK || (shared && w->status == URLSIFT_STOPPED)));
	if (!shared)
		source_close(&s);
}

static void read_sources(struct worker *w)
{
	const char *name = w->job->name;
	for (size_t i = w->job->names; i > 0 && !*w->out.error; i--) {
		const char *next = name + strlen(name) + 1; /* the job of the last one may end */
		read_source(w, name);
		name = next;
	}
}

/* ---- public-inbox ------------------------------------------------------------------ */

static void open_message(struct worker *w, const char *commit)
{
	struct opened opened = worker_opened(w, w->job->name, &(struct source){ .fd = DESCRIPTOR_NONE });
	opened.item.kind = FOLDER_EPOCH;
	opened.commit = commit;
	worker_emit_open(w, &opened);
}

/* Commits may be missing here: an index goes on from the last one before. */
static void break_epoch(struct worker *w)
{
	open_message(w, "");
	worker_emit_close(w, false);
}

static void read_epoch(struct worker *w)
{
	bool ended;
	const struct job *job = w->job;
	const urlsift_mail_options options = worker_mail_options(w, URLSIFT_KIND_MESSAGE);
	const char *commit;
	char why[WHY_SIZE];
	if (*job->why) {
		worker_fail(w, job->why);
		break_epoch(w);
		return;
	}
	while (!*w->out.error && (commit = public_inbox_next(job->inbox))) {
		char *name = memory_format("%s:%s:m", job->name, commit);
		ssize_t n = 0;
		open_message(w, commit);
		worker_begin_source(w, (struct source_name){ name, NULL });
		worker_begin_mail(w, &options);
		while (worker_goes_on(w) && (n = public_inbox_read(job->inbox, w->file.block, SOURCE_BLOCK)) > 0) {
			w->tally.bytes += (size_t)n;
			worker_feed(w, w->file.block, (size_t)n);
		}
		worker_finish(w);
		worker_end_source(w);
		worker_emit_close(w, w->status == URLSIFT_OK && n == 0);
		free(name);
	}
	worker_name(w, (struct source_name){ job->name, NULL });
	if (!*w->out.error && !public_inbox_good(job->inbox, why, &ended)) {
		worker_fail(w, why);
		if (!ended)
			break_epoch(w);
	}
}

/* ---- Jobs -------------------------------------------------------------------------- */

/* Each thread counts the lines of its range for the thread that reads the next one, so that what is read for that is
 * searched then; and those of a range that it went on with, which no other had. */
size_t worker_count_lines(struct worker *w, char *block, size_t size)
{
	const struct job *job = w->job;
	struct shared_file *shared = job->shared;
	struct line_count l = { job->from, 0, 0 };
	size_t held = 0;
	if (!shared || !(w->settings->needs & URLSIFT_NEEDS_POSITIONS))
		return 0;
	const bool counts = job->next && shared->counted <= job->from;
	const bool gives = !shared->text && w->settings->consumer->on.input.bytes;
	const uint64_t end = gives ? number_or(job->next, number_or(job->stop, shared->source.size)) : counts * job->next;
	while (l.at < end) {
		const size_t most = size_within(size, (job->stop ? job->stop + SOURCE_CUT_BACK : end) - l.at);
		const ssize_t n = source_read_at(&shared->source, l.at, block, most);
		held = l.at == job->from ? bytes_moved(n) : 0;
		if (n <= 0)
			break;
		const size_t own = size_within((size_t)n, end - l.at);
		worker_emit_bytes(w, l.at, block, own);
		source_count_lines(&l, block, own);
	}
	while (shared->counted < job->from)
		sched_yield();
	w->line = shared->line;
	if (counts) {
		w->alone |= l.at < job->next;
		shared->line += l.line;
		shared->counted = job->next;
	}
	return held;
}

bool worker_next(struct worker *w, uint64_t state)
{
	char block[16 * 1024];
	if (worker_has_lines(w->job))
		worker_count_lines(w, block, sizeof block);
	struct slot *next = w->job->last || *w->out.error ? NULL : pool_next(w->slot, w->alone ? 0 : state);
	if (!next)
		return false;
	const struct job *job = w->job = &next->job;
	w->slot = next;
	worker_name(w, (struct source_name){ job->name, NULL });
	if (!job->shared->text)
		worker_count_lines(w, block, sizeof block);
	return true;
}

void worker_do(struct worker *w, const struct job *job)
{
	w->job = job;
	worker_name(w, (struct source_name){ job->name, NULL });
	w->tally = (struct tally){ .files = 0 };
	w->line = job->line;
	w->alone = false;
	if (w->slot)
		worker_restart(w);
	static void (*const perform[])(struct worker *w) = {
		[JOB_SOURCE] = read_sources, [JOB_TEXT] = worker_do_text, [JOB_EPOCH] = read_epoch
	};
	perform[job->kind](w);
	worker_name(w, (struct source_name){ "-", NULL }); /* the job may be freed before the output ends */
	worker_put_tally(w);
}
