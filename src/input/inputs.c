#include "inputs.h"

#include "public_inbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Names ------------------------------------------------------------------------ */

/* `list` is the file with more names, "-" for standard input, NULL for none;
 * each name ends at `separator`.  No argument and no list is standard input. */
static void names_init(struct names *n, char **argument, size_t count, const char *list, char separator)
{
	memset(n, 0, sizeof *n);
	n->argument = argument;
	n->count = count;
	n->list = list;
	n->separator = separator;
	n->standard_input = !count && !list;
}

static void names_fini(struct names *n)
{
	if (n->file && n->file != stdin)
		fclose(n->file);
	n->file = NULL;
}

/* Reads a name and its separator.  The length, or -1 at the end. */
static int read_name(struct names *n, const char **why)
{
	size_t length = 0;
	int c;
	while ((c = getc(n->file)) != EOF && c != n->separator) {
		if (!c)
			*why = "a NUL byte in the list (with -0, names end in NUL)";
		if (length < INPUTS_NAME_LONGEST)
			n->name[length++] = (char)c;
		else
			*why = "the name is too long";
	}
	n->name[length] = '\0';
	return c == EOF && (!length || ferror(n->file)) ? -1 : (int)length;
}

static FILE *open_list(const char *name)
{
	if (!strcmp(name, "-"))
		return stdin;
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	FILE *file = fd >= 0 ? fdopen(fd, "r") : NULL;
	if (fd >= 0 && !file)
		close(fd);
	return file;
}

static const char *next_in_list(struct names *n, const char **why)
{
	if (!n->file)
		n->file = open_list(n->list);
	if (n->file) {
		int length;
		do
			length = read_name(n, why);
		while (!length);
		if (length > 0)
			return n->name;
	}
	const char *list = n->list;
	n->list = NULL;
	if (n->file && !ferror(n->file))
		return NULL;
	*why = strerror(errno);
	return list;
}

static const char *names_next(struct names *n, const char **why)
{
	*why = NULL;
	if (n->at < n->count)
		return n->argument[n->at++];
	if (n->standard_input) {
		n->standard_input = false;
		return "-";
	}
	if (n->list)
		return next_in_list(n, why);
	return NULL;
}

static bool names_more(const struct names *n)
{
	return n->at < n->count || n->standard_input || n->list;
}

void inputs_init(struct inputs *p, const struct settings *o, bool cut)
{
	*p = (struct inputs){ .settings = o, .cut = cut };
	names_init(&p->names, o->files, o->file_count, o->files_from, o->out.null_separated ? '\0' : '\n');
}

static void end_box(struct inputs *p)
{
	if (p->box_name)
		source_close(&p->box);
	free(p->box_name);
	p->box_name = NULL;
}

void inputs_fini(struct inputs *p)
{
	end_box(p);
	names_fini(&p->names);
	folder_free(p->folder);
	free(p->inbox);
	free(p->block);
}

static void peek(struct inputs *p)
{
	if (!p->peeked)
		p->name = names_next(&p->names, &p->why);
	p->peeked = true;
}

const char *inputs_first(struct inputs *p)
{
	peek(p);
	return p->name;
}

bool inputs_more(const struct inputs *p)
{
	return p->box_name || p->folder || p->inbox || (p->peeked ? p->name != NULL : names_more(&p->names));
}

/* ---- Jobs -------------------------------------------------------------------- */

void job_fini(struct job *job)
{
	free(job->name);
	free(job->why);
	public_inbox_free(job->inbox);
	if (job->kind == JOB_RANGE)
		source_close(&job->source);
	*job = (struct job){ .kind = JOB_SOURCE };
}

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
static bool begin_box(struct inputs *p, const char *name, const struct stat *status)
{
	const struct settings *o = p->settings;
	char why[WHY_SIZE];
	urlsift_mail_kind kind;
	if (!p->cut || (o->input != INPUT_AUTO && o->input != INPUT_MBOX) || !S_ISREG(status->st_mode) ||
	    (uint64_t)status->st_size < 2 * o->cut || !source_open(&p->box, name, why))
		return false;
	if (!p->block)
		p->block = malloc(SOURCE_BLOCK + SOURCE_DETECT_ROOM);
	ssize_t n = p->block && p->box.regular ? source_read_at(&p->box, 0, p->block, SOURCE_BLOCK) : 0;
	p->at = o->range ? o->range_from : 0;
	p->end = p->box.size;
	if (o->range && o->range_to < p->end)
		p->end = o->range_to;
	if (n <= 0 || !source_detect(p->block, (size_t)n, false, &kind) || p->end < p->at || p->end - p->at < 2 * o->cut ||
	    (o->input == INPUT_MBOX ? kind == URLSIFT_KIND_MMDF : kind != URLSIFT_KIND_MBOX) || !(p->box_name = copy(name))) {
		source_close(&p->box);
		return false;
	}
	p->lines = (struct source_lines){ 0, 1, false };
	return true;
}

static uint64_t line_at(struct inputs *p, uint64_t place)
{
	char next = 0;
	if (!(p->settings->needs & URLSIFT_NEEDS_POSITIONS))
		return 0;
	source_lines_to(&p->box, &p->lines, place, p->block);
	if (source_read_at(&p->box, place, &next, 1) != 1)
		next = 0;
	return source_lines_from(&p->lines, next);
}

static bool next_range(struct inputs *p, struct job *job)
{
	uint64_t cut = p->settings->cut;
	bool first = p->at == (p->settings->range ? p->settings->range_from : 0);
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
		job->stop = p->settings->range ? p->settings->range_to : 0;
	job->size = job->last ? p->end - p->at : cut;
	p->at = job->stop;
	if (job->last)
		end_box(p);
	return true;
}

/* ---- Folders ------------------------------------------------------------------- */

static enum folder_kind kind_of(const struct inputs *p, const char *path)
{
	switch (p->settings->input) {
	case INPUT_AUTO: return folder_shape(path);
	case INPUT_MAILDIR: return FOLDER_MAILDIR;
	case INPUT_MH: return FOLDER_MH;
	case INPUT_SPOOL: return FOLDER_SPOOL;
	default: return FOLDER_NONE;
	}
}

/* Its messages come next; or what is wrong is told in a job: true then. */
static bool begin_folder(struct inputs *p, const char *path, struct job *job)
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
	} else if (p->settings->input == INPUT_AUTO) {
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

static bool next_messages(struct inputs *p, struct job *job)
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

static bool next_epoch(struct inputs *p, struct job *job)
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
static bool take_name(struct inputs *p, struct job *job)
{
	struct stat status;
	const char *name = p->name;
	bool known = !p->why && strcmp(name, "-") && !stat(name, &status);
	if (known && S_ISDIR(status.st_mode))
		return begin_folder(p, name, job);
	if (known && begin_box(p, name, &status))
		return false;
	make_job(job, JOB_SOURCE, name, p->why);
	job->input = p->settings->input > INPUT_MBOX ? INPUT_MAIL : (enum input)p->settings->input;
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
	job->inbox = job->why ? NULL : public_inbox_new(job->name, why);
	if (!job->inbox && !job->why)
		job->why = copy(why);
}

bool inputs_next(struct inputs *p, struct job *job)
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
