/* Operations that are performed in the order of the inputs, whatever thread requests them:
 * writing, dropping repeated links (--unique), counting, reporting. */
#ifndef INPUT_OUTPUT_QUEUE_H
#define INPUT_OUTPUT_QUEUE_H

#include "inputs.h"
#include "text/hashset.h"

#include <sys/types.h>

struct tally { /* numbers only: they are added as an array */
	uint64_t files, bytes, messages, links, errors, limits, damage, skipped;
	uint64_t usage;  /* inputs that the options cannot be used for */
	uint64_t relative, unsearched; /* omissions */
	uint64_t baseless; /* those relative targets that are in HTML documents, not in mail */
	struct filter_missed missed;
	uint64_t documents; /* of office programs: archives of XML */
	uint64_t misread;  /* sources that look like text, and are read as the mailboxes they are said to be */
	uint64_t pages;    /* those unsearched that are attached, HTML or SVG, */
	uint64_t packed;   /* compressed, */
	uint64_t encrypted; /* encrypted, */
	uint64_t attached; /* and PDF and documents of office programs */
	uint64_t unread; /* sources and members that limits did not let read to their ends */
};

enum queue_op {
	QUEUE_BYTES,      /* bytes for standard output, or records for the consumer */
	QUEUE_ERROR_LINE, /* a line for standard error */
	QUEUE_SOURCE,     /* a source begins: its name and, for a member, that of the member, each with its NUL */
	QUEUE_SOURCE_END,
	QUEUE_MESSAGE,    /* with RENDER_NEEDS_MESSAGES, a struct queue_message; its texts follow, one after the other */
	QUEUE_TALLY,      /* a struct tally to add */
	QUEUE_LINK,       /* with --unique, a struct queue_link; its bytes follow, up to QUEUE_LINK_END */
	QUEUE_LINK_END
};

struct queue_link {
	struct hash128 hash;
	bool in_message;
	uint64_t message, offset; /* offsets of its message, and of the link */
};

enum { QUEUE_TEXTS = 3 };
struct queue_message {
	uint64_t offset;
	size_t length[QUEUE_TEXTS]; /* of subject, sender and date */
};

struct output_queue {
	const struct settings *settings;
	urlsift_context *context;
	struct progress *progress;
	urlsift_renderer *renderer; /* to standard output; NULL with a consumer */
	int error;             /* errno of the first write to it that failed, or 0 */
	enum status consumed;  /* of the consumer */
	int spool;             /* file of the table of messages, -1 for none */
	uint64_t spool_at;       /* where it is read */
	char spool_error[WHY_SIZE];
	struct tally total;
	uint64_t links, damage; /* of this source */
	struct room source;    /* a copy of its names */
	struct source_name name; /* "-" between sources */
	urlsift_message message; /* of the last QUEUE_MESSAGE, whose texts are no longer valid */
	struct hash128 key;
	struct hashset known;  /* the links that were listed, with --unique */
	bool known_full;       /* the unique limit was reported */
	bool skip;             /* the current link was listed before */
};

void output_queue_init(struct output_queue *q, const struct settings *settings, urlsift_context *context,
                       struct progress *progress);
void output_queue_fini(struct output_queue *q);

/* Performs the operation.  0, or the errno of the first failed write to standard output. */
int output_queue_put(struct output_queue *q, enum queue_op op, const void *bytes, size_t n);
/* The hash of the comparable form of a link, with --unwrap of what a link rewriter hides in it, which is written to
 * `room`.  Thread-safe. */
struct hash128 output_queue_hash(const struct output_queue *q, const urlsift_link *link, struct room *room);
/* Whether the link is listed with --unique; remembers it. */
bool output_queue_is_new(struct output_queue *q, const struct queue_link *link);
/* Writes the report of an exceeded limit to `line`; returns its length. */
size_t output_queue_notice(char line[REPORT_LINE], struct source_name source, const urlsift_place *place,
                           const urlsift_notice *n);
/* Whether something has failed: a writer that stopped has its own error. */
static inline bool status_is_fault(urlsift_status status)
{
	return status != URLSIFT_OK && status != URLSIFT_STOPPED;
}
/* Ends what a renderer writes to the output `name`, *error being the errno of writing it.  What is missing in it is
 * reported unless it is `known`. */
enum status output_end(urlsift_renderer *r, const char *name, const int *error, bool known);
/* Ends the output, with --summary.  Returns the exit status. */
enum status output_queue_end(struct output_queue *q);

#endif
