#include "plan.h"

#include "detect.h"
#include "inbox.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void plan_init(struct plan *p, const struct options *o, bool cut)
{
	*p = (struct plan){ .options = o, .cut = cut };
	names_init(&p->names, o->files, o->file_count, o->files_from, o->out.null_separated ? '\0' : '\n');
}

static void end_box(struct plan *p)
{
	if (p->box_name)
		source_close(&p->box);
	free(p->box_name);
	p->box_name = NULL;
}

void plan_fini(struct plan *p)
{
	end_box(p);
	names_fini(&p->names);
	folder_free(p->folder);
	free(p->inbox);
	free(p->block);
}

static void peek(struct plan *p)
{
	if (!p->peeked)
		p->name = names_next(&p->names, &p->why);
	p->peeked = true;
}

const char *plan_first(struct plan *p)
{
	peek(p);
	return p->name;
}

bool plan_more(const struct plan *p)
{
	return p->box_name || p->folder || p->inbox || (p->peeked ? p->name != NULL : names_more(&p->names));
}

/* ---- Jobs -------------------------------------------------------------------- */

static char *copy(const char *text)
{
	size_t n = strlen(text) + 1;
	char *to = malloc(n);
	return to ? memcpy(to, text, n) : NULL;
}

/* A job without memory for its name says so in the name of standard input. */
static void make_job(struct job *job, enum job_kind kind, const char *name, const char *why)
{
	*job = (struct job){ .kind = kind, .name = copy(name), .names = 1, .why = why ? copy(why) : NULL };
	if (job->name && (job->why || !why))
		return;
	free(job->name);
	free(job->why);
	job->name = copy("-");
	job->why = copy("out of memory");
}

/* ---- Mailboxes ----------------------------------------------------------------- */

/* Whether the file is a mailbox worth to be cut, which p->box then is. */
static bool begin_box(struct plan *p, const char *name, const struct stat *status)
{
	const struct options *o = p->options;
	char why[WHY_SIZE];
	urlsift_mail_kind kind;
	if (!p->cut || (o->input != INPUT_AUTO && o->input != INPUT_MBOX) || !S_ISREG(status->st_mode) ||
	    (uint64_t)status->st_size < 2 * o->cut || !source_open(&p->box, name, why))
		return false;
	if (!p->block)
		p->block = malloc(SOURCE_BLOCK + DETECT_ROOM);
	ssize_t n = p->block && p->box.regular ? source_read_at(&p->box, 0, p->block, SOURCE_BLOCK) : 0;
	p->at = o->range ? o->range_from : 0;
	p->end = p->box.size;
	if (o->range && o->range_to < p->end)
		p->end = o->range_to;
	if (n <= 0 || !detect_kind(p->block, (size_t)n, false, &kind) || p->end < p->at || p->end - p->at < 2 * o->cut ||
	    (o->input == INPUT_MBOX ? kind == URLSIFT_KIND_MMDF : kind != URLSIFT_KIND_MBOX) || !(p->box_name = copy(name))) {
		source_close(&p->box);
		return false;
	}
	p->lines = (struct source_lines){ 0, 1, false };
	return true;
}

static uint64_t line_at(struct plan *p, uint64_t place)
{
	char next = 0;
	if (!p->options->positions)
		return 0;
	source_lines_to(&p->box, &p->lines, place, p->block);
	if (source_read_at(&p->box, place, &next, 1) != 1)
		next = 0;
	return source_lines_from(&p->lines, next);
}

static bool next_range(struct plan *p, struct job *job)
{
	uint64_t cut = p->options->cut;
	bool first = p->at == (p->options->range ? p->options->range_from : 0);
	make_job(job, JOB_RANGE, p->box_name, NULL);
	job->source = p->box;
	job->source.fd = fcntl(p->box.fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	job->offset = p->at;
	job->from = p->at < 4 ? 0 : p->at - 4;
	job->line = line_at(p, job->from);
	job->first = first;
	job->last = p->end - p->at < cut + cut / 2;
	job->stop = p->at + cut;
	if (job->last)
		job->stop = p->options->range ? p->options->range_to : 0;
	job->size = job->last ? p->end - p->at : cut;
	p->at = job->stop;
	if (job->last)
		end_box(p);
	return true;
}

/* ---- Folders ------------------------------------------------------------------- */

static enum folder_kind kind_of(const struct plan *p, const char *path)
{
	switch (p->options->input) {
	case INPUT_AUTO: return folder_shape(path);
	case INPUT_MAILDIR: return FOLDER_MAILDIR;
	case INPUT_MH: return FOLDER_MH;
	case INPUT_SPOOL: return FOLDER_SPOOL;
	default: return FOLDER_NONE;
	}
}

/* Its messages come next; or what is wrong is told in a job: true then. */
static bool begin_folder(struct plan *p, const char *path, struct job *job)
{
	char why[WHY_SIZE];
	enum folder_kind kind = kind_of(p, path);
	bool good = false;
	if (kind == FOLDER_INBOX) {
		p->inbox = copy(path);
		p->epoch = -1;
		good = p->inbox != NULL;
		snprintf(why, sizeof why, "out of memory");
	} else if (kind == FOLDER_EPOCH) {
		make_job(job, JOB_EPOCH, path, NULL);
		return true;
	} else if (kind != FOLDER_NONE) {
		p->folder = folder_open(path, kind, why);
		good = p->folder != NULL;
	} else if (p->options->input == INPUT_AUTO) {
		snprintf(why, sizeof why, "is a folder, but no maildir, MH folder, news spool or public-inbox");
	} else {
		snprintf(why, sizeof why, "is a folder");
	}
	if (!good)
		make_job(job, JOB_SOURCE, path, why);
	return !good;
}

/* Messages are small, and so a job is some of them. */
enum { MESSAGES = 16 };

static bool next_messages(struct plan *p, struct job *job)
{
	const char *path = NULL;
	char *names = NULL;
	size_t used = 0, count = 0;
	while (count < MESSAGES && (path = folder_next(p->folder))) {
		size_t n = strlen(path) + 1;
		char *more = realloc(names, used + n);
		if (!more) {
			free(names);
			make_job(job, JOB_SOURCE, path, "out of memory");
			return true;
		}
		names = more;
		memcpy(names + used, path, n);
		used += n;
		count++;
	}
	if (!path) {
		folder_free(p->folder);
		p->folder = NULL;
	}
	*job = (struct job){ .kind = JOB_SOURCE, .name = names, .names = count, .input = INPUT_MAIL,
	                      .size = count * 4096 };
	return count > 0;
}

static bool next_epoch(struct plan *p, struct job *job)
{
	size_t room = strlen(p->inbox) + 64;
	char *path = malloc(room);
	long before = p->epoch;
	p->epoch = folder_next_epoch(p->inbox, before);
	bool found = path && (p->epoch >= 0 || before < 0);
	if (found && p->epoch >= 0)
		snprintf(path, room, "%s/git/%ld.git", p->inbox, p->epoch);
	else if (found)
		snprintf(path, room, "%s/all.git", p->inbox);
	if (found)
		make_job(job, JOB_EPOCH, path, NULL);
	if (!found || p->epoch < 0) {
		free(p->inbox);
		p->inbox = NULL;
	}
	free(path);
	return found;
}

/* ---- Names ----------------------------------------------------------------------- */

/* Whether the name is a job; else what comes of it is set up. */
static bool take_name(struct plan *p, struct job *job)
{
	struct stat status;
	const char *name = p->name;
	bool known = !p->why && strcmp(name, "-") && !stat(name, &status);
	if (known && S_ISDIR(status.st_mode))
		return begin_folder(p, name, job);
	if (known && begin_box(p, name, &status))
		return false;
	make_job(job, JOB_SOURCE, name, p->why);
	job->input = p->options->input > INPUT_MBOX ? INPUT_MAIL : (enum input)p->options->input;
	job->size = known && status.st_size > 0 ? (uint64_t)status.st_size : 0;
	job->large = !known || !S_ISREG(status.st_mode);
	return true;
}

/* Programs are started here, one job at a time: pipes made at the same time would
 * be inherited by both. */
static void start_epoch(struct job *job)
{
	char why[WHY_SIZE];
	job->large = true;
	job->inbox = job->why ? NULL : inbox_new(job->name, why);
	if (!job->inbox && !job->why)
		job->why = copy(why);
}

bool plan_next(struct plan *p, struct job *job)
{
	bool found = false;
	while (!found) {
		if (p->box_name) {
			found = next_range(p, job);
		} else if (p->folder) {
			found = next_messages(p, job);
		} else if (p->inbox) {
			found = next_epoch(p, job);
		} else {
			peek(p);
			if (!p->name)
				return false;
			found = take_name(p, job);
			p->peeked = false;
		}
	}
	if (job->kind == JOB_EPOCH)
		start_epoch(job);
	return true;
}
