/* Functions that all pages use: text, links to messages, the frame. */
#ifndef PAGES_PAGE_H
#define PAGES_PAGE_H

#include "site.h"

#include <pthread.h>

#ifdef URLSIFT_WITH_SQLITE

/* Numbers of pages, or of what is on them, that threads take from one another. */
struct share {
	_Atomic int64_t next;
	int64_t last, step;
};
/* Takes the next numbers, from *first to *last; false if there are no more, or nothing more is written. */
bool share_take(struct share *s, struct plan *p, int64_t *first, int64_t *last);
/* Steps to the next row of a statement of the plan that has two parameters, the first number and the last one; at the
 * end of its rows it takes further numbers. */
bool share_row(struct share *s, struct plan *p, sqlite3_stmt *rows);

/* What all threads that write pages have in common. */
struct crew {
	struct plan_files files;
	atomic_bool failed;  /* nothing more is written */
	struct share months, threads, addresses, hosts;
	pthread_mutex_t lock;    /* protects the next one */
	pthread_cond_t changed;
	int busy;                /* threads that write pages of messages; or the first, which counts the links */
	struct pages *member[SITE_WRITERS]; /* the first is that of pages_new */
	pthread_t thread[SITE_WRITERS];
	size_t count;
};

/* crew_write, after plan_order, writes all pages, with threads; which of them each has written is known until
 * crew_dismiss (crew.c). */
struct crew *crew_new(struct pages *first);
void crew_free(struct crew *c);
void crew_write(struct pages *first);
void crew_dismiss(struct crew *c);

/* Pages as one thread writes them.  Only the first one has an index. */
enum { PAGES_KEPT = 7 };

struct pages {
	struct index index; /* the first member: the user of its consumer is that of ours */
	struct plan plan;
	struct site site;
	struct pages_options options;
	struct crew *crew;
	char *kept[PAGES_KEPT]; /* options of the last run */
	char *address;      /* of the folder, from options.site */
	bool new_plan;      /* it was made by this run */
};

/* What a link to a message shows; the texts are valid until the statement steps to the next row. */
struct mention {
	int64_t id, root, part; /* part: which page of its thread, from 0 */
	int64_t time;           /* -1 for none */
	const char *msgid;      /* NUL-terminated; NULL: its anchor is its hash */
	const char *author, *subject;
};
/* mention_read reads the first MENTION_COLUMNS columns of a query that selects MENTION; m is shown, s is spot. */
enum { MENTION_COLUMNS = 7 };
#define MENTION "s.id, s.root, s.part, m.time, m.msgid, m.author, m.subject"
#define SPOTS " FROM spot s JOIN shown m ON m.n=s.n"
struct mention mention_read(sqlite3_stmt *s);

/* Writes HTML, in which a directive stands for an argument: %s for HTML, %e for UTF-8 to escape, %h for it where no
 * element may be, as in titles and in XML, %b for it in an element that isolates its direction, %a and %S for an author
 * and a subject, which may be "", %d for an int64_t, %x for one that is a hash, %t for a date such as 2005-03-04 in an
 * element `time`, or nothing for -1, %T for it with the time of day, %U for it as RFC 3339 has it; %% is a percent
 * sign. */
void page_put(struct site *s, const char *html, ...);
/* Writes text with all but unreserved characters percent-encoded. */
void page_encode(struct site *s, const char *text);
/* The number of the page of a row.  `group`: the row with which its group begins, such as the messages of a day.  A
 * page has about `rows` rows, less than twice as many.  Since only a group that is longer is divided, a row more moves
 * those of other groups to another page only where a group now begins after a multiple of `rows`. */
static inline int64_t page_of_row(int64_t group, int64_t row, int64_t rows)
{
	return group / rows + (row - group) / rows + 1;
}
/* The names of the files STEM.html, STEM-2.html ... */
void page_name(char name[SITE_NAME], const char *stem, int64_t number);
/* The name of the file of a thread, or of a part of it. */
void page_thread_name(char name[SITE_NAME], int64_t root, int64_t part);
/* The address of a message, relative to a page of the section `from`, or to that of `here`, a message, unless NULL. */
void page_address(struct site *s, const struct mention *m, enum section from, const struct mention *here);
/* The start tag of a link to a message, on a page of the section `from`; `here`: a message of that page, or NULL. */
void page_begin_link(struct site *s, const struct mention *m, enum section from, const struct mention *here);
/* The Message-ID by which a message is known on pages; NULL: its hash is, since a Message-ID looks like an address. */
const char *page_msgid(const struct site *s, const struct mention *m);
/* The value of the attribute `id` of a message. */
void page_anchor(struct site *s, const struct mention *m);
/* A link within the section. */
void page_link(struct site *s, const char *name, const char *text);
/* `<a href=...>Subject</a> Author, date` */
void page_mention(struct site *s, const struct mention *m, enum section from);
/* The mention as an item of a list. */
void page_item(struct site *s, const struct mention *m, enum section from);

/* The names of the files before and after a page; "" for none. */
struct page_near {
	char previous[SITE_NAME], next[SITE_NAME];
};

struct page_frame {
	enum section section;
	const char *name;    /* of the file */
	const char *title;   /* NUL-terminated; "" for the title of the archive */
	const char *up;      /* relative; NULL for the first page */
	const char *up_text;
	const char *of;      /* what the pages of `near` are, such as "thread" */
	struct page_near near;
};
/* Begins a page and its <main>; page_end ends both. */
void page_begin(struct pages *p, const struct page_frame *f);
void page_end(struct pages *p);

/* Writes style.css: the styles of the renderer, of this module and of the options. */
void page_write_style(struct pages *p);

/* What stands in the place of a text that is empty. */
#define NO_SUBJECT "(no subject)"
#define NO_AUTHOR "(no author)"
/* Writes "1 message" or "2 messages". */
void page_count(struct site *s, int64_t n, const char *what);
/* Stores "2005-03" or "undated" in `stem`; page_month writes it as a heading. */
void page_month_stem(char stem[SITE_NAME], int64_t month);
void page_month(struct site *s, int64_t month);

/* ---- The pages ---------------------------------------------------------------------- */

/* Functions with a share write what other threads have not taken.  Threads, and messages, are numbered by time. */
void thread_pages_write(struct pages *p, struct share *threads);
/* The pages of messages that do not begin their threads. */
void thread_pages_write_addresses(struct pages *p, struct share *messages);
/* The page `name` of an earlier run, whose thread has become a part of another or has fewer pages now: writes a page
 * with links to the messages.  Returns false if no message of it is left. */
bool thread_pages_write_moved(void *pages, const char *name);
/* feed.xml, an Atom feed of the newest messages. */
void feed_write(struct pages *p);
/* The share consists of views of months: MONTH_VIEWS for each. */
enum { MONTH_VIEWS = 3 };
void month_pages_write(struct pages *p, struct share *views);
/* index.html */
void month_pages_write_first(struct pages *p);
/* Counts the links of hosts, for the other connections too.  Returns the number of stems, each a host or the hosts of a
 * letter, of which the share of host_pages_write consists. */
int64_t host_pages_count(struct pages *p);
/* links.html */
void host_pages_write_list(struct pages *p);
void host_pages_write(struct pages *p, struct share *stems);
#endif
#endif
