/* The inputs, in order: a name becomes a source, a folder its messages, a large mailbox
 * several ranges. */
#ifndef INPUT_INPUTS_H
#define INPUT_INPUTS_H

#include "consumer.h"
#include "cutter.h"
#include "filter.h"
#include "folder.h"
#include "name_list.h"
#include "report.h"
#include "shard.h"
#include "source.h"

#include "urlsift-render.h"

#include <stdio.h>

enum {
	INPUTS_RANGE = 2 * 1024 * 1024,        /* bytes of a range of a large file: smaller ones balance the load better */
	INPUTS_HELD = INPUTS_RANGE + 32 * 1024 /* most ranges, with what is read before and after them */
};

/* The words of --input, in their order. */
enum input {
	INPUT_AUTO, INPUT_TEXT, INPUT_HTML, INPUT_ICS, INPUT_VCF, INPUT_CSV, INPUT_MAIL, INPUT_MBOX, INPUT_MMDF,
	INPUT_WARC, INPUT_MAILDIR, INPUT_MH, INPUT_SPOOL, INPUT_INBOX /* folders; a file is a message */
};
/* As what text of that name is read; `packed`: it may be followed by the name of a form of packing. */
enum input input_named(enum input input, const char *name, bool packed);
/* The kind of an input of that name that was detected as `found`. */
urlsift_mail_kind input_kind(enum input input, const char *name, bool packed, urlsift_mail_kind found);

/* What is read. */
struct input_settings {
	char **files;
	size_t file_count;
	const char *files_from;
	const char *label;         /* the name of standard input; NULL: - */
	const struct shard *shard; /* instead of files; or NULL */
	int recursive;
	struct name_choice choice; /* which files of folders */
	long input;                /* an enum input */
	bool range;                /* --range: messages that begin in [range_from, range_to) */
	uint64_t range_from, range_to;
	uint64_t range_line;       /* a message begins at range_from, in this line; 0: nothing is known */
	uint64_t cut;              /* bytes of a range of a mailbox, a job */
	long max_expand, nest;     /* of packed input */
};
/* Whether what begins at the offset is in the range. */
static inline bool input_in_range(const struct input_settings *in, uint64_t at)
{
	return !in->range || (at >= in->range_from && at < in->range_to);
}

/* What the process may do. */
struct sandbox_settings {
	int no_sandbox, require_sandbox;
	bool in_sandbox;
	bool in_place;             /* several files are written, one after the other */
	const char *folder;        /* where the consumer writes; NULL: anywhere */
	const char *folder_too;
	void (*confine)(void);     /* a helper process */
	const char *lacks;         /* see sandbox_enter */
};

/* The command line. */
struct settings {
	struct input_settings in;
	struct sandbox_settings box;
	urlsift_render_options out;
	unsigned needs;  /* urlsift_render_needs of them */
	urlsift_options *scan;
	struct filter *filter;
	int output;                      /* descriptor of the output, */
	const char *output_name;         /* and its name */
	const struct consumer *consumer; /* takes what is found, instead of the renderer; or consumer_none */
	int unique, summary, fail_if_none, message_ids, resources, repeated, progress, line_buffered, quiet;
	uint64_t shard_size; /* bytes of a shard */
	long headers; /* a urlsift_headers */
	long max_depth, max_parts, max_header, unique_limit, match_limit, jobs;
};

/* The names of the arguments, and those in the list. */
struct name_list input_names(const struct settings *s);

/* If *line is 0, finds where a parser begins that is to read a mailbox from *at on: with --range at a message, at the
 * end if there is none; and the line there, 1 where lines are not wanted.  False with errno. */
bool input_begin(const struct settings *s, const struct source *source, uint64_t *at, uint64_t *line);

/* Whether something of that name can be read, as far as is known without reading a file; else the reason in `why`. */
bool input_readable(const struct settings *s, const char *name, char why[WHY_SIZE]);

/* Why --range cannot be used. */
#define RANGE_NEEDS_MBOX "--range is for an mbox or a web archive, and for one that is compressed"

/* ---- Jobs: what a worker reads at a time -------------------------------------------- */

enum job_kind {
	JOB_SOURCE, /* one file, several small ones, or the messages that begin in a range of a mailbox */
	JOB_TEXT,   /* a range of a text */
	JOB_EPOCH   /* the messages of an epoch of a public-inbox */
};

struct job {
	enum job_kind kind;
	char *name;       /* of the source, or of `names` sources, each with its NUL */
	size_t names;
	char why[WHY_SIZE]; /* why it cannot be read; "" when it can */
	bool usage;       /* it is a usage error */
	enum input input;
	uint64_t size;    /* bytes, as far as is known */
	bool large;       /* may take long, regardless of its size */
	char *folder;     /* whose messages they are, or NULL */
	enum folder_kind folder_kind;
	bool found;       /* it was not named but found by --recursive: if it is binary, it is skipped */
	struct public_inbox *inbox; /* JOB_EPOCH */
	/* The part of a mailbox or a text: */
	uint64_t from;         /* where to read from: a message, or some lines before `begin` */
	uint64_t line;         /* the line there, if wanted; not of a range (worker_count_lines) */
	uint64_t next;         /* `from` of the next range, if lines are wanted; else 0 */
	uint64_t begin;        /* where the range of a text begins */
	uint64_t stop;         /* what begins here is not read; 0 for the end */
	bool first, last;      /* range; both for what is no range */
	struct shared_file *shared; /* of a range, else NULL */
};

/* Releases what a job holds.  A job of zeros is allowed. */
void job_fini(struct job *job);

/* ---- Inputs ------------------------------------------------------------------------- */

struct inputs;
/* Makes the next job of what is being read.  False where there was none: this, or what is read now, has to be asked. */
typedef bool inputs_stage(struct inputs *in, struct job *job);
enum { INPUTS_STAGES = 4 }; /* names; a folder; a public-inbox in it; an epoch of that.  Or ranges of a file. */

struct inputs {
	const struct settings *settings;
	inputs_stage *stage[INPUTS_STAGES]; /* the last of them is asked */
	size_t depth;
	bool cut;              /* large mailboxes become ranges */
	struct name_list names;
	const char *name;      /* the last one of these */
	size_t shard_at;       /* the next file of the shard */
	struct folder *folder; /* whose messages or files are read, or NULL */
	char *folder_name;     /* a copy of its name, NULL for a tree, which is read because of --recursive */
	enum folder_kind folder_kind; /* FOLDER_NONE for a tree */
	bool bare;             /* nothing in it was met so far, and a consumer plans what is read */
	const char *path;      /* the next one in it, or NULL if it is not known yet */
	int error;             /* why `path` cannot be read, or 0 */
	uint64_t skipped;      /* names in trees that were not read */
	struct public_inbox *commits; /* of the epoch whose parts are read, or NULL */
	char *commits_path;
	bool commits_follow;   /* others, which were read before */
	char *inbox;           /* the public-inbox whose epochs are read, or NULL */
	long epoch;
	struct shared_file *shared; /* whose ranges are read, or NULL */
	char *shared_name;
	struct cut at;         /* where the next range begins, */
	uint64_t begin, end;   /* the first one, and where the last one ends */
	uint64_t stop;         /* no message that begins here is read; 0: the end */
	char *block;
};

/* The struct must not be moved. */
void inputs_init(struct inputs *in, const struct settings *settings, bool cut);
void inputs_fini(struct inputs *in);
/* Makes the next job, for job_fini; false after the last.  An unreadable input becomes
 * a job with a reason. */
bool inputs_next(struct inputs *in, struct job *job);
/* Whether there may be more jobs. */
bool inputs_more(const struct inputs *in);

#endif
