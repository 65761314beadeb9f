#include "inputs.h"

#include "decompress.h"
#include "descriptor.h"
#include "memory.h"
#include "public_inbox.h"

#include "mail/mailbox.h"
#include "scan/scanner.h"
#include "simd/runs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum input input_named(enum input input, const char *name, bool packed)
{
	static const struct { const char *ending; enum input input; } named[] = {
		{ ".csv", INPUT_CSV }, { ".html", INPUT_HTML }, { ".htm", INPUT_HTML }, { ".xhtml", INPUT_HTML }
	};
	size_t n = strlen(name);
	if (packed) /* OUTER{INNER} */
		n = byte_run_back((const uint8_t *)name, 0, n, '}');
	for (int forms = 1 + packed; input == INPUT_AUTO && forms > 0; forms--) {
		for (size_t i = 0; i < sizeof named / sizeof *named; i++)
			if (folder_name_ends(name, n, named[i].ending))
				return named[i].input;
		n = excess(run_after((const uint8_t *)name, n, '.'), 1); /* before a form of packing, such as .gz */
	}
	return input;
}

urlsift_mail_kind input_kind(enum input input, const char *name, bool packed, urlsift_mail_kind found)
{
	static const int kinds[] = {
		[INPUT_TEXT] = URLSIFT_KIND_TEXT, [INPUT_HTML] = URLSIFT_KIND_HTML, [INPUT_ICS] = URLSIFT_KIND_CALENDAR,
		[INPUT_VCF] = URLSIFT_KIND_VCARD, [INPUT_CSV] = URLSIFT_KIND_TEXT, [INPUT_MAIL] = URLSIFT_KIND_MESSAGE,
		[INPUT_MBOX] = URLSIFT_KIND_MBOX, [INPUT_MMDF] = URLSIFT_KIND_MMDF, [INPUT_WARC] = KIND_WARC,
		[INPUT_MAILDIR] = URLSIFT_KIND_MESSAGE, [INPUT_MH] = URLSIFT_KIND_MESSAGE,
		[INPUT_SPOOL] = URLSIFT_KIND_MESSAGE, [INPUT_INBOX] = URLSIFT_KIND_MESSAGE
	};
	if (found == URLSIFT_KIND_TEXT)
		input = input_named(input, name, packed);
	if (input == INPUT_AUTO || (input == INPUT_MBOX && mailbox_has_kind(found)))
		return found;
	return (urlsift_mail_kind)kinds[input];
}

struct name_list input_names(const struct settings *s)
{
	return (struct name_list){ .argument = s->in.files, .count = s->in.file_count, .list = s->in.files_from,
	                           .separator = s->out.null_separated ? '\0' : '\n' };
}

bool input_begin(const struct settings *s, const struct source *source, uint64_t *at, uint64_t *line)
{
	struct line_count lines = { 0, 1, 0 };
	if (*line)
		return true;
	if (s->in.range && !cutter_find_message(source, *at, at))
		*at = source->size;
	const bool good = !(s->needs & URLSIFT_NEEDS_POSITIONS) || source_line_at(source, &lines, *at);
	*line = lines.line;
	return good;
}

/* ---- Jobs ------------------------------------------------------------------------- */

static inputs_stage next_range, next_messages, next_epoch, next_part;

static void leave_shared(struct shared_file *m)
{
	if (m && atomic_fetch_sub(&m->users, 1) == 1) {
		source_close(&m->source);
		free(m);
	}
}

void job_fini(struct job *job)
{
	free(job->name);
	free(job->folder);
	public_inbox_free(job->inbox);
	leave_shared(job->shared);
	*job = (struct job){ .kind = JOB_SOURCE };
}

/* `why` is empty, or why it cannot be read. */
static void make_job(struct job *job, enum job_kind kind, const char *name, const char *why)
{
	*job = (struct job){ .kind = kind, .name = memory_copy(name), .names = 1, .first = true, .last = true };
	snprintf(job->why, sizeof job->why, "%s", why);
}

static void make_job_errno(struct job *job, const char *name, int error)
{
	char why[WHY_SIZE];
	report_why(why, error);
	make_job(job, JOB_SOURCE, name, why);
}

/* What is to be read of an input: everything, unless a consumer plans otherwise. */
static struct input_plan plan_for(struct inputs *in, const char *path, const char *folder, enum folder_kind kind)
{
	const struct consumer *c = in->settings->consumer;
	const struct input_item item = { path, folder, kind };
	const struct shard *s = in->settings->in.shard;
	struct input_plan plan = { .skip = false };
	if (s) {
		plan = (struct input_plan){ .from = s->kind == FOLDER_EPOCH ? *s->after != '\0' : s->from, .line = s->line,
		                            .to = s->to, .count = s->count };
		memcpy(plan.after, s->after, sizeof plan.after);
	} else if (c->plan)
		c->plan(c->user, &item, &plan);
	return plan;
}

/* ---- Ranges ----------------------------------------------------------------------- */

/* Whether the file is a mailbox or a text. */
static bool may_be_cut(struct inputs *in, const char *name)
{
	const struct settings *s = in->settings;
	urlsift_mail_kind kind;
	if (!in->block)
		in->block = memory_block(SOURCE_BLOCK + SOURCE_DETECT_ROOM);
	/* no more than is needed: each new page of the block is a fault, which takes longer than what is read into it */
	ssize_t n = source_read_at(&in->shared->source, 0, in->block, s->in.range ? SOURCE_BLOCK : URLSIFT_DETECT_BYTES);
	if (n <= 0 || packed_form_of(in->block, (size_t)n) || !source_detect(in->block, (size_t)n, false, &kind))
		return false;
	/* What begins in a range of a mailbox with such fields is known only after what comes before it. */
	if (s->in.range && !s->in.range_line && cutter_sees_lengths(in->block, (size_t)n))
		return false;
	const enum input input = (enum input)s->in.input;
	kind = input_kind(input, name, false, kind);
	/* a text with NULs may be of wide characters */
	const bool text = kind == URLSIFT_KIND_TEXT && input_named(input, name, false) != INPUT_CSV;
	in->shared->text = text && (s->consumer->none || s->consumer->cuts) && !s->in.range && options_may_seek(s->scan)
	                   && !source_is_binary(in->block, (size_t)n) && !memchr(in->block, 0, (size_t)n);
	return in->shared->text || kind == URLSIFT_KIND_MBOX;
}

/* Whether the file is worth ranges, which come next then.  What goes wrong here goes wrong again when the file is read
 * as a source. */
static bool begin_ranges(struct inputs *in, const char *name, const struct stat *status, const struct input_plan *plan)
{
	const struct settings *s = in->settings;
	char why[WHY_SIZE];
	const unsigned cuttable = 1u << INPUT_AUTO | 1u << INPUT_TEXT | 1u << INPUT_MBOX;
	if (!in->cut || !(cuttable >> s->in.input & 1) || !S_ISREG(status->st_mode) ||
	    (uint64_t)status->st_size < 2 * s->in.cut)
		return false;
	in->shared = memory_get(sizeof *in->shared);
	atomic_init(&in->shared->users, 1);
	bool good = source_open(&in->shared->source, name, why) && may_be_cut(in, name);
	const struct source *source = &in->shared->source;
	const struct input_plan range = { .from = s->in.range_from, .to = s->in.range_to, .line = s->in.range_line };
	const struct input_plan *part = s->in.range ? &range : plan;
	uint64_t line = part->line;
	in->begin = part->from;
	good = good && input_begin(s, source, &in->begin, &line);
	in->stop = part->to;
	in->end = earlier(number_or(in->stop, source->size), source->size);
	in->at = (struct cut){ in->begin, in->begin };
	atomic_init(&in->shared->counted, in->begin);
	atomic_init(&in->shared->line, line);
	good = good && beyond(in->end, in->begin) >= 2 * s->in.cut;
	if (good) {
		in->shared_name = memory_copy(name);
		in->stage[in->depth++] = next_range;
	} else {
		leave_shared(in->shared);
		in->shared = NULL;
	}
	return good;
}

static bool next_range(struct inputs *in, struct job *job)
{
	const struct settings *s = in->settings;
	struct cut end;
	make_job(job, in->shared->text ? JOB_TEXT : JOB_SOURCE, in->shared_name, "");
	job->input = (enum input)s->in.input;
	job->shared = in->shared;
	atomic_fetch_add(&in->shared->users, 1);
	job->begin = in->at.at;
	job->from = in->at.from;
	job->first = in->at.at == in->begin;
	job->last = !cutter_next(in->shared, in->at.at, s->in.cut, in->end, &end);
	if (job->last) {
		job->stop = in->stop;
		job->size = in->end - in->at.at;
		leave_shared(in->shared);
		in->shared = NULL;
		free(in->shared_name);
		in->shared_name = NULL;
		in->depth--;
	} else {
		job->next = s->needs & URLSIFT_NEEDS_POSITIONS ? end.from : 0;
		job->stop = end.at;
		job->size = end.at - in->at.at;
		in->at = end;
	}
	return true;
}

/* ---- Folders ---------------------------------------------------------------------- */

static enum folder_kind kind_of(const struct settings *s, const char *path)
{
	static const struct { bool any; enum folder_kind named; } kinds[] = {
		[INPUT_AUTO] = { true, FOLDER_NONE }, [INPUT_MAILDIR] = { false, FOLDER_MAILDIR },
		[INPUT_MH] = { false, FOLDER_MH }, [INPUT_SPOOL] = { false, FOLDER_SPOOL },
		[INPUT_INBOX] = { true, FOLDER_NONE }
	};
	const enum folder_kind named = kinds[s->in.input].named, kind = kinds[s->in.input].any ? folder_shape(path) : named;
	if (kind >= FOLDER_INBOX)
		return kind;
	if (s->in.input == INPUT_INBOX)
		return FOLDER_NONE;
	return s->in.recursive && !named && kind != FOLDER_MAILDIR ? FOLDER_TREE : kind;
}

/* Why a folder of no kind is not read. */
static void say_no_folder(const struct settings *s, const char *path, char why[WHY_SIZE])
{
	if (access(path, R_OK | X_OK))
		report_why(why, errno);
	else
		snprintf(why, WHY_SIZE, "%s", s->in.input == INPUT_INBOX ? "is not a public-inbox"
		         : "is a directory, not a mail folder; use -r to read the files in it");
}

#define NO_FILE "has no file that is read; see --include, --exclude and --hidden"

bool input_readable(const struct settings *s, const char *name, char why[WHY_SIZE])
{
	if (folder_is(name)) {
		const enum folder_kind kind = kind_of(s, name);
		if (kind == FOLDER_TREE) {
			int error;
			struct folder *f = folder_open(name, kind, why);
			folder_choose(f, &s->in.choice);
			const bool found = folder_next(f, &error);
			folder_free(f);
			if (!found)
				snprintf(why, WHY_SIZE, NO_FILE);
			return found;
		}
		if (kind == FOLDER_NONE) {
			say_no_folder(s, name, why);
			return false;
		}
	}
	if (!access(name, R_OK))
		return true;
	report_why(why, errno);
	return false;
}

static void end_folder(struct inputs *in)
{
	in->skipped += folder_skipped(in->folder);
	const char *read, *s;
	const unsigned long beside = folder_beside(in->folder, &read);
	s = plural(beside);
	const bool found = in->settings->in.input == INPUT_AUTO;
	if (beside > 0)
		report("%s: only %s are read, not %lu other file%s or folder%s%s", in->folder_name, read, beside, s, s,
		       text_if(found, "; -r reads all"));
	folder_free(in->folder);
	free(in->folder_name);
	in->folder = NULL;
	in->folder_name = NULL;
	in->bare = false;
	in->depth--;
}

/* A folder of which nothing is read, which the consumer learns from the plan it is asked for. */
static void make_unread(struct inputs *in, const char *path, const char *why, struct job *job)
{
	plan_for(in, path, NULL, FOLDER_NONE);
	make_job(job, JOB_SOURCE, path, why);
}

/* Programs are started here, by one thread at a time: pipes that are made at the same time would be inherited by both.
 * False when parts of the epoch come next, or nothing is to be read. */
static bool begin_epoch(struct inputs *in, struct job *job, const char *path)
{
	char why[WHY_SIZE];
	const struct input_plan plan = plan_for(in, path, NULL, FOLDER_EPOCH);
	struct commit_range range = { .count = plan.count };
	memcpy(range.after, plan.after, sizeof range.after);
	if (plan.skip)
		return false;
	in->commits = public_inbox_list(path, &range, why);
	if (!in->commits) {
		make_job(job, JOB_EPOCH, path, why);
		job->from = plan.from;
		job->large = true;
		return true;
	}
	in->commits_path = memory_copy(path);
	in->commits_follow = plan.from;
	in->stage[in->depth++] = next_part;
	return false;
}

/* Does what begin_folder does, for a public-inbox or an epoch. */
static bool begin_inbox(struct inputs *in, const char *path, enum folder_kind kind, struct job *job)
{
	if (kind == FOLDER_EPOCH)
		return begin_epoch(in, job, path);
	in->inbox = memory_copy(path);
	in->epoch = -1;
	in->stage[in->depth++] = next_epoch;
	return false;
}

/* Begins a folder, whose messages come next; true when it is a job itself, which may say what is wrong with it. */
static bool begin_folder(struct inputs *in, const char *path, struct job *job)
{
	char why[WHY_SIZE];
	enum folder_kind kind = kind_of(in->settings, path);
	if (in->settings->in.range && kind != FOLDER_NONE) {
		make_job(job, JOB_SOURCE, path, RANGE_NEEDS_MBOX);
		job->usage = true;
		return true;
	}
	if (kind >= FOLDER_INBOX)
		return begin_inbox(in, path, kind, job);
	if (kind == FOLDER_NONE)
		say_no_folder(in->settings, path, why);
	else
		in->folder = folder_open(path, kind, why);
	if (!in->folder) {
		make_unread(in, path, why, job);
		return true;
	}
	folder_choose(in->folder, &in->settings->in.choice);
	if (kind == FOLDER_TREE) {
		in->bare = in->settings->consumer->plan;
		in->folder_kind = FOLDER_NONE;
	} else {
		in->folder_kind = kind;
		in->folder_name = memory_copy(path);
	}
	in->stage[in->depth++] = next_messages;
	return false;
}

/* A name that is not a folder.  False when its ranges come next, or it is not read. */
static bool take_file(struct inputs *in, struct job *job, const char *name, const struct stat *status)
{
	const struct settings *s = in->settings;
	const struct input_plan plan = plan_for(in, name, NULL, FOLDER_NONE);
	if (plan.skip || begin_ranges(in, name, status, &plan))
		return false;
	make_job(job, JOB_SOURCE, name, "");
	job->from = plan.from;
	job->line = plan.line;
	job->stop = plan.to;
	job->input = s->in.input > INPUT_WARC ? INPUT_MAIL : (enum input)s->in.input;
	job->size = not_negative(status->st_size);
	job->large = !S_ISREG(status->st_mode);
	return true;
}

enum { FEW = 64 * 1024 }; /* bytes of a file that shares a job with others */

/* Messages are small, and so a job is several of them, up to one that cannot be read. */
static bool next_messages(struct inputs *in, struct job *job)
{
	enum { MESSAGES = 16 };
	const bool tree = !in->folder_name;
	size_t used = 0;
	*job = (struct job){ .kind = JOB_SOURCE, .found = tree, .first = true, .last = true,
	                     .input = tree ? (enum input)in->settings->in.input : INPUT_MAIL };
	while (job->names < MESSAGES && (in->path || (in->path = folder_next(in->folder, &in->error)))) {
		const char *path = in->path;
		struct stat status = { .st_size = 0 };
		struct input_plan plan = { .skip = false };
		const enum folder_kind inbox = folder_found(in->folder);
		in->bare = false;
		/* Whether it is a job of its own: an inbox, what cannot be read, or what may be large. */
		bool alone = inbox != FOLDER_NONE || in->error;
		if (!alone) {
			plan = plan_for(in, path, in->folder_name, in->folder_kind);
			alone = plan.from || (tree && (stat(path, &status) || status.st_size > FEW));
		}
		if (alone && !plan.skip && job->names > 0)
			break;
		in->path = NULL;
		if (plan.skip)
			continue;
		if (alone) {
			bool made = true;
			if (inbox != FOLDER_NONE)
				return begin_inbox(in, path, inbox, job);
			if (in->error)
				make_job_errno(job, path, in->error);
			else
				made = take_file(in, job, path, &status);
			job->found = tree;
			return made;
		}
		size_t n = strlen(path) + 1;
		job->name = memory_resize(job->name, used + n);
		memcpy(job->name + used, path, n);
		used += n;
		job->names++;
	}
	if (in->bare) {
		end_folder(in);
		make_unread(in, in->name, NO_FILE, job);
		return true;
	}
	job->size = job->names * 4096;
	job->folder_kind = in->folder_kind;
	if (!tree && job->names)
		job->folder = memory_copy(in->folder_name);
	if (!in->path && job->names < MESSAGES)
		end_folder(in);
	return job->names > 0;
}

static bool next_epoch(struct inputs *in, struct job *job)
{
	int error;
	bool found = in->epoch < 0;
	in->epoch = folder_next_epoch(in->inbox, in->epoch, &error);
	found |= in->epoch >= 0;
	char *path = in->epoch >= 0 ? memory_format("%s/git/%ld.git", in->inbox, in->epoch)
	                            : memory_format("%s/all.git", in->inbox);
	if (error)
		make_job_errno(job, in->inbox, error);
	if (in->epoch < 0) { /* ends, before what begins */
		free(in->inbox);
		in->inbox = NULL;
		in->depth--;
	}
	const bool made = found && !error ? begin_epoch(in, job, path) : error;
	free(path);
	return made;
}

/* The next part of an epoch: an epoch takes longer than a mailbox of its size.  False after the last one. */
static bool next_part(struct inputs *in, struct job *job)
{
	enum { COMMITS = 1024 };
	char why[WHY_SIZE];
	bool ended;
	struct public_inbox *part = public_inbox_part(in->commits, in->commits_path, COMMITS, why);
	bool found = part || *why || !public_inbox_good(in->commits, why, &ended);
	if (found)
		make_job(job, JOB_EPOCH, in->commits_path, why);
	job->inbox = part;
	job->from = in->commits_follow;
	job->large = true;
	if (!part) {
		public_inbox_free(in->commits);
		free(in->commits_path);
		in->commits = NULL;
		in->commits_path = NULL;
		in->depth--;
	}
	return found;
}

/* ---- Inputs ----------------------------------------------------------------------- */

/* The next file of the shard, which must be as it was when the shard was made. */
static bool next_of_shard(struct inputs *in, struct job *job)
{
	const struct shard *shard = in->settings->in.shard;
	struct stat status;
	if (in->shard_at == shard->file_count) {
		in->depth--;
		return false;
	}
	const struct shard_file *f = &shard->file[in->shard_at++];
	if (shard->kind == FOLDER_EPOCH)
		return begin_epoch(in, job, f->name);
	if (stat(f->name, &status)) {
		make_job_errno(job, f->name, errno);
	} else if ((uint64_t)status.st_size != f->size || source_mtime(&status) != f->mtime) {
		make_job(job, JOB_SOURCE, f->name, "has changed since the shards were made");
	} else {
		if (!take_file(in, job, f->name, &status))
			return false;
		if (shard->folder) {
			job->input = INPUT_MAIL;
			job->folder_kind = shard->kind;
			job->folder = memory_copy(shard->folder);
		}
	}
	return true;
}

static bool next_name(struct inputs *in, struct job *job)
{
	struct stat status;
	in->name = name_list_next(&in->names);
	if (!in->name) {
		in->depth--;
		return false;
	}
	if (*in->names.why || !strcmp(in->name, "-") || stat(in->name, &status))
		status = (struct stat){ .st_size = 0 };
	if (S_ISDIR(status.st_mode))
		return begin_folder(in, in->name, job);
	if (!take_file(in, job, in->name, &status))
		return false;
	memcpy(job->why, in->names.why, WHY_SIZE);
	return true;
}

void inputs_init(struct inputs *in, const struct settings *s, bool cut)
{
	*in = (struct inputs){ .settings = s, .cut = cut, .names = input_names(s), .depth = 1,
	                       .stage = { s->in.shard ? next_of_shard : next_name } };
}

void inputs_fini(struct inputs *in)
{
	leave_shared(in->shared);
	free(in->shared_name);
	name_list_fini(&in->names);
	if (in->folder)
		end_folder(in);
	free(in->inbox);
	public_inbox_free(in->commits);
	free(in->commits_path);
	free(in->block);
}

bool inputs_more(const struct inputs *in)
{
	const struct shard *s = in->settings->in.shard;
	return in->depth > 1 || (s ? in->shard_at < s->file_count : name_list_more(&in->names));
}

bool inputs_next(struct inputs *in, struct job *job)
{
	while (in->depth > 0)
		if (in->stage[in->depth - 1](in, job))
			return true;
	return false;
}
