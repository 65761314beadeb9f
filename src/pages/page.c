#include "page.h"

#ifdef URLSIFT_WITH_SQLITE

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct mention mention_read(sqlite3_stmt *s)
{
	return (struct mention){
		.id = sqlite3_column_int64(s, 0), .root = sqlite3_column_int64(s, 1), .part = sqlite3_column_int64(s, 2),
		.time = sqlite3_column_type(s, 3) == SQLITE_NULL ? -1 : sqlite3_column_int64(s, 3),
		.msgid = (const char *)sqlite3_column_text(s, 4), .author = plan_text(s, 5), .subject = plan_text(s, 6),
	};
}

/* ---- Text --------------------------------------------------------------------------------- */

void page_text(struct site *s, const char *html)
{
	site_put(s, html, strlen(html));
}

void page_escape(struct site *s, const char *text)
{
	size_t n = strlen(text);
	enum { AT_ONCE = 1024 };
	char out[6 * AT_ONCE];
	for (size_t k; n > 0; text += k, n -= k) {
		for (k = n < AT_ONCE ? n : AT_ONCE; k < n && k > AT_ONCE - 4 && ((unsigned char)text[k] & 0xC0) == 0x80;)
			k--;
		site_put(s, out, urlsift_escape_html(text, k, out, sizeof out));
	}
}

void page_isolate(struct site *s, const char *text)
{
	page_text(s, "<bdi>");
	page_escape(s, text);
	page_text(s, "</bdi>");
}

void page_author(struct site *s, const char *author)
{
	page_isolate(s, *author ? author : "(no author)");
}

void page_number(struct site *s, int64_t n)
{
	char digits[32];
	site_put(s, digits, (size_t)snprintf(digits, sizeof digits, "%" PRId64, n));
}

void page_subject(struct site *s, const char *subject)
{
	if (*subject)
		page_isolate(s, subject);
	else
		page_text(s, "(no subject)");
}

void page_time(struct site *s, int64_t time, bool clock)
{
	char text[80];
	struct tm t = { 0 };
	time_t seconds = (time_t)time;
	if (time < 0)
		return;
	gmtime_r(&seconds, &t);
	strftime(text, sizeof text, clock ? "<time datetime=\"%Y-%m-%dT%H:%MZ\">%Y-%m-%d %H:%M</time>"
	                                  : "<time>%Y-%m-%d</time>", &t);
	page_text(s, text);
}

/* ---- Messages -------------------------------------------------------------------------------- */

static void put_hash(struct site *s, int64_t id)
{
	char text[SITE_NAME];
	site_put(s, text, (size_t)snprintf(text, sizeof text, "%016" PRIx64, id));
}

void page_anchor(struct site *s, const struct mention *m)
{
	if (m->msgid)
		page_escape(s, m->msgid);
	else
		put_hash(s, m->id);
}

/* The bytes that RFC 3986 allows in a fragment, except `&` and `'`, stay. */
static void put_fragment(struct site *s, const char *msgid)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$()*+,;=:@/?";
	while (*msgid) {
		char hex[4];
		size_t n = strspn(msgid, plain);
		site_put(s, msgid, n);
		msgid += n;
		if (*msgid)
			site_put(s, hex, (size_t)snprintf(hex, sizeof hex, "%%%02X", (unsigned char)*msgid++));
	}
}

void page_name(char name[SITE_NAME], const char *stem, int64_t number)
{
	if (number > 1)
		snprintf(name, SITE_NAME, "%.16s-%" PRId64 ".html", stem, number);
	else
		snprintf(name, SITE_NAME, "%.16s.html", stem);
}

void page_thread_name(char name[SITE_NAME], int64_t root, int64_t part)
{
	char stem[SITE_NAME];
	snprintf(stem, sizeof stem, "%016" PRIx64, root);
	page_name(name, stem, part + 1);
}

void page_begin_link(struct site *s, const struct mention *m, enum section from, const struct mention *here)
{
	char name[SITE_NAME];
	page_text(s, "<a href=\"");
	if (!here || m->root != here->root || m->part != here->part) {
		page_text(s, from == SECTION_MESSAGES ? "" : "../m/");
		page_thread_name(name, m->root, m->part);
		page_text(s, name);
	}
	page_text(s, "#");
	if (m->msgid)
		put_fragment(s, m->msgid);
	else
		put_hash(s, m->id);
	page_text(s, "\">");
}

void page_link(struct site *s, const char *name, const char *text)
{
	page_text(s, "<a href=\"");
	page_text(s, name);
	page_text(s, "\">");
	page_text(s, text);
	page_text(s, "</a>");
}

void page_mention(struct site *s, const struct mention *m, enum section from)
{
	page_begin_link(s, m, from, NULL);
	page_subject(s, m->subject);
	page_text(s, "</a> <span class=\"by\">");
	page_isolate(s, m->author);
	page_text(s, m->time < 0 ? "" : " ");
	page_time(s, m->time, false);
	page_text(s, "</span>");
}

void page_item(struct site *s, const struct mention *m, enum section from)
{
	page_text(s, "<li>");
	page_mention(s, m, from);
	page_text(s, "</li>");
}

/* ---- Months ------------------------------------------------------------------------------------ */

void page_month_stem(char stem[SITE_NAME], int64_t month)
{
	if (month)
		snprintf(stem, SITE_NAME, "%04d-%02d", (int)(month / 100), (int)(month % 100));
	else
		snprintf(stem, SITE_NAME, "undated");
}

void page_month(struct site *s, int64_t month)
{
	static const char *const names[] = { "", "January", "February", "March", "April", "May", "June", "July", "August",
	                                     "September", "October", "November", "December" };
	page_text(s, month ? names[month % 100] : "Without a date");
	if (month) {
		page_text(s, " ");
		page_number(s, month / 100);
	}
}

/* ---- The frame ----------------------------------------------------------------------------------- */

static void put_near(struct site *s, const struct page_frame *f, const char *name, const char *which)
{
	char text[64];
	snprintf(text, sizeof text, "%s%s", which, f->of);
	if (*name)
		page_link(s, name, text);
}

static void put_head(struct pages *p, const struct page_frame *f)
{
	struct site *s = &p->site;
	page_text(s, "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">"
	             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'self' file:; "
	             "base-uri 'none'; form-action 'none'\">"
	             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
	             "<meta name=\"color-scheme\" content=\"light dark\"><title>");
	page_escape(s, f->title);
	page_text(s, *f->title ? " - " : "");
	page_escape(s, p->options.title);
	page_text(s, "</title><link rel=\"stylesheet\" href=\"");
	page_text(s, f->section == SECTION_TOP ? "" : "../");
	page_text(s, "style.css\"></head>");
}

void page_begin(struct pages *p, const struct page_frame *f)
{
	struct site *s = &p->site;
	site_begin(s, f->section, f->name);
	put_head(p, f);
	page_text(s, "<body><header><nav aria-label=\"Archive\">");
	if (f->up) {
		page_text(s, "<a href=\"");
		page_text(s, f->section == SECTION_TOP ? "" : "../");
		page_text(s, "index.html\">");
		page_isolate(s, p->options.title);
		page_text(s, "</a>");
		if (*f->up)
			page_link(s, f->up, f->up_text);
	} else {
		page_link(s, "links.html", "Links by host");
	}
	put_near(s, f, f->near.previous, "Previous ");
	put_near(s, f, f->near.next, "Next ");
	page_text(s, "</nav></header><main>");
}

void page_end(struct pages *p)
{
	page_text(&p->site, "</main></body></html>\n");
	site_end(&p->site);
}

/* ---- The style sheet ------------------------------------------------------------------------------ */

/* What pages of an archive have besides those of the renderer. */
static const char style[] =
	"nav>a,.steps a{display:inline-block;margin-right:1rem;padding:.25rem 0}"
	"h1{margin-top:1rem;font-size:1.5rem;line-height:1.25}"
	"ul,ol{margin:.25rem 0;padding-left:1.25rem}li{margin:.25rem 0}"
	".by{color:var(--l)}time{white-space:nowrap}"
	".outline{padding:0;list-style:none;--d:.75rem}.d1{margin-left:var(--d)}.d2{margin-left:calc(2*var(--d))}"
	".d3{margin-left:calc(3*var(--d))}.d4{margin-left:calc(4*var(--d))}.d5{margin-left:calc(5*var(--d))}"
	".d6{margin-left:calc(6*var(--d))}.d7{margin-left:calc(7*var(--d))}.d8{margin-left:calc(8*var(--d))}"
	".m:target{border-top:.25rem solid var(--a)}"
	"table{width:auto;margin:1rem 0}th,td{padding-right:1.5rem}tbody th{font-weight:normal}"
	"td,thead th{overflow-wrap:normal}"
	"@media(max-width:40rem){thead{display:table-header-group}tr{display:table-row}td{display:table-cell}"
	"th,td{padding-right:.5rem}.outline{--d:.375rem}}"
	"@media print{nav,.steps{display:none}}\n";

void page_write_style(struct pages *p)
{
	site_begin(&p->site, SECTION_TOP, "style.css");
	page_text(&p->site, urlsift_html_style());
	page_text(&p->site, style);
	page_text(&p->site, p->options.style ? p->options.style : "");
	site_end(&p->site);
}

#endif
