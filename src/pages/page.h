/* What the pages share: text, links to messages, the frame. */
#ifndef PAGES_PAGE_H
#define PAGES_PAGE_H

#include "site.h"

#ifdef URLSIFT_WITH_SQLITE

struct pages {
	struct plan plan;
	struct site site;
	struct pages_options options;
	struct taker *taker;
};

/* A message as other pages name it; the texts live until the row is left. */
struct mention {
	int64_t id, root, part; /* the page of its thread, from 0 */
	int64_t time;           /* -1 for none */
	const char *msgid;      /* NUL-terminated; NULL: its anchor is its hash */
	const char *author, *subject;
};
/* The columns of a query that mention_read takes, from the first one on; message is m, spot is s. */
enum { MENTION_COLUMNS = 7 };
#define MENTION "s.id, s.root, s.part, m.time, m.msgid, m.author, m.subject"
#define SPOTS " FROM spot s JOIN message m ON m.n=s.n"
struct mention mention_read(sqlite3_stmt *s);

void page_text(struct site *s, const char *html);
/* Escapes n bytes of UTF-8. */
void page_escape(struct site *s, const char *text, size_t n);
/* The same in an element that isolates its direction. */
void page_isolate(struct site *s, const char *text);
void page_number(struct site *s, int64_t n);
/* `2005-03-04` with `clock` 12:30, in an element time; nothing for -1. */
void page_time(struct site *s, int64_t time, bool clock);
/* The name of the file of a thread, or of a part of it. */
void page_thread_name(char name[SITE_NAME], int64_t root, int64_t part);
/* The address of a message, from a page in `section`; `here`: a message on the same page, or NULL. */
void page_address(struct site *s, const struct mention *m, enum section from, const struct mention *here);
/* The value of an attribute id. */
void page_anchor(struct site *s, const struct mention *m);
/* A link within the section. */
void page_link(struct site *s, const char *name, const char *text);
/* `<a href=...>Subject</a> Author, date` */
void page_mention(struct site *s, const struct mention *m, enum section from);
void page_subject(struct site *s, const char *subject);

/* A place in a row of pages; `name` is "" where there is none. */
struct page_near {
	char previous[SITE_NAME], next[SITE_NAME];
};

struct page_frame {
	enum section section;
	const char *name;    /* of the file */
	const char *title;   /* NUL-terminated; "" for the title of the archive */
	const char *up;      /* relative; NULL for the first page */
	const char *up_text;
	const char *of;      /* what `near` is about, such as "thread" */
	struct page_near near;
};
/* Begins a page and its <main>, which page_end ends. */
void page_begin(struct pages *p, const struct page_frame *f);
void page_end(struct pages *p);

/* style.css: that of the renderer, our own, and that of the options. */
void page_write_style(struct pages *p);

/* "2005-03" or "undated", with `suffix`, in `name`; and as a heading. */
void page_month_name(char name[SITE_NAME], int64_t month, const char *suffix);
void page_month(struct site *s, int64_t month);

/* ---- The pages ---------------------------------------------------------------------- */

void thread_pages_write(struct pages *p);
void month_pages_write(struct pages *p);
void host_pages_write(struct pages *p);
#endif
#endif
