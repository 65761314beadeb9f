/* `html -o DIR`: an archive of mail as a folder of static pages.
 *
 *     events of a worker -> encode.c: records -> an index: rows and HTML -> plan.c, threads.c: order -> *_pages.c:
 *     files
 *
 *     DIR/index.html                  months
 *     DIR/date/2005-03.html           the messages of a month by date; thread/ and author/ in the same way
 *     DIR/m/HASH.html#MESSAGE-ID      a thread; HASH is that of the Message-ID at its root, which may be missing
 *     DIR/m/HASH.html                 of a message that does not begin its thread: leads to its place there
 *     DIR/feed.xml                    the newest messages
 *     DIR/links.html                  hosts, below the number of messages that link to them; the newest links of all
 *     DIR/h/HASH.html                 the older links to one host, each with the messages that contain it
 *     DIR/h/letter-01.html            the links to all other hosts that begin with a; 27: with a digit, 28: others
 *     DIR/style.css
 *     DIR/.urlsift/                   marks the folder as written by this module; its lock
 *     DIR/.urlsift/plan.db            the plan, an index with all messages and their HTML, so that a further run reads
 *                                     only what is new
 *     DIR/.urlsift/part*              during a run: pages that are not whole yet, what orders messages and hosts
 *
 * Long pages are divided: after 500 messages of a thread, after about 1000 of a month between days, threads or authors,
 * after about 500 of hosts between weeks: HASH-2.html and so on.
 * File names consist of hashes and dates only.
 * Pages depend on the set of messages, not on their order.  Memory does not depend on their number. */
#ifndef PAGES_PAGES_H
#define PAGES_PAGES_H

#include "input/consumer.h"

#include <stdbool.h>

/* A folder of pages has at most so many times the bytes of its input. */
enum { PAGES_GROWTH = 800 };

enum { PAGES_CACHE = 24 }; /* MiB of the plan's page cache */

/* A host has a page of its own if it has HOST_LINKS links, and is among the PAGES_HOSTS hosts for each message of the
 * archive that most messages link to. */
#define HOST_LINKS 3
#define PAGES_HOSTS 16

struct pages;
struct index;
struct index_options;

/* The plan keeps the texts from `title` on, and whether addresses are masked, for further runs: NULL means that of the
 * last run, "" none. */
struct pages_options {
	const char *folder;
	const char *name;                      /* the title if there is none */
	const char *title;                     /* of the archive */
	const char *lang;                      /* of texts whose language is unknown */
	const char *style;                     /* CSS that follows the page's own */
	const char *site;                      /* the address of the folder, for canonical links and the feed */
	const char *search;                    /* a URL to which what is searched for is added */
	const char *reply;                     /* the address to which replies are sent */
	bool progress;                         /* report it even if standard error is not a terminal */
	bool mask, unmask;                     /* hide the hosts of mail addresses in texts; do not; else as before */
	const char *plan;                      /* the index; NULL: in the folder */
	long jobs;                             /* threads that write pages, and that read messages */
	urlsift_implementation implementation; /* of the vector routines */
};

/* Whether a URL may be the option `site`: an http URL without a query. */
bool pages_site_valid(const char *url);
/* Whether a URL may be the option `search`: an http URL that ends in a name and =, in its query. */
bool pages_search_valid(const char *url);
/* Whether a text may be the option `reply`: a mail address without a name. */
bool pages_reply_valid(const char *address);

/* Opens or creates the folder and locks it; it must be empty or written by this module before.  NULL after a failure,
 * which is reported.  `index` is of the plan, without path and cache.  The strings of the options must outlive the
 * result. */
struct pages *pages_new(const struct pages_options *options, const struct index_options *index);
void pages_free(struct pages *p);

/* The index that is the plan, for index_begin, after which pages_consumer may be called. */
struct index *pages_index(struct pages *p);
/* The consumer that adds messages to the plan. */
struct consumer pages_consumer(struct pages *p);

/* After the last record: writes every page whose content changed, each by rename; with `complete` also removes pages
 * of messages that are no longer in the plan.  STATUS_OUTPUT if the folder is incomplete; the first failure
 * is reported. */
enum status pages_write(struct pages *p, bool complete);

#endif
