#include "page.h"

#ifdef URLSIFT_WITH_SQLITE

#include "render/head.h"
#include "text/ascii.h"
#include "text/match.h"
#include "text/unicode.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct mention mention_read(sqlite3_stmt *s)
{
	return (struct mention){
		.id = sqlite3_column_int64(s, 0), .root = sqlite3_column_int64(s, 1), .part = sqlite3_column_int64(s, 2),
		.time = sqlite3_column_type(s, 3) == SQLITE_NULL ? -1 : sqlite3_column_int64(s, 3),
		.msgid = (const char *)sqlite3_column_text(s, 4), .author = database_text(s, 5), .subject = database_text(s, 6),
	};
}

#define HASH "%016" PRIx64

/* ---- Text --------------------------------------------------------------------------------- */

static void put_text(struct site *s, const char *html)
{
	site_put(s, html, strlen(html));
}

static void put_run(struct site *s, const char *text, size_t n)
{
	enum { AT_ONCE = 1024 };
	char out[6 * AT_ONCE];
	for (size_t k; n > 0; text += k, n -= k) {
		k = utf8_cut(text, smaller(n, AT_ONCE), n);
		site_put(s, out, urlsift_escape_html(text, k, out, sizeof out));
	}
}

static void put_escaped(struct site *s, const char *text)
{
	put_run(s, text, strlen(text));
}

/* For the title of a page, and for XML, where no element can isolate bidi controls: without them.  XML has neither
 * U+FFFE nor U+FFFF, and a reader refuses all of a feed with one. */
static void put_alone(struct site *s, const char *text)
{
	const char *from = text, *at = text, *end = text + strlen(text);
	for (size_t k; at < end; at += k) {
		uint32_t cp;
		k = urlsift_next_character(at, (size_t)(end - at), &cp);
		const bool lacks = (cp | 1) == 0xFFFF;
		if (!lacks && !uclass_is_bidi(cp))
			continue;
		put_run(s, from, (size_t)(at - from));
		put_text(s, text_if(lacks, "\xEF\xBF\xBD"));
		from = at + k;
	}
	put_run(s, from, (size_t)(end - from));
}

static void put_isolated(struct site *s, const char *text)
{
	put_text(s, "<bdi>");
	put_escaped(s, text);
	put_text(s, "</bdi>");
}

static void put_time(struct site *s, const char *format, int64_t time)
{
	char text[80];
	struct tm t = { 0 };
	time_t seconds = (time_t)time;
	if (time < 0)
		return;
	gmtime_r(&seconds, &t);
	strftime(text, sizeof text, format, &t);
	put_text(s, text);
}

static void put_author(struct site *s, const char *text) { put_isolated(s, text_full_or(text, NO_AUTHOR)); }

static void put_subject(struct site *s, const char *text)
{
	(*text ? put_isolated : put_text)(s, text_full_or(text, NO_SUBJECT));
}

static void put_number(struct site *s, const char *format, int64_t n)
{
	char digits[32];
	site_put(s, digits, (size_t)snprintf(digits, sizeof digits, format, n));
}

/* What writes the argument of a directive, a text or a number; none has the percent sign, which is the last. */
static const struct directive {
	char letter;
	void (*text)(struct site *s, const char *text);
	void (*number)(struct site *s, const char *format, int64_t n);
	const char *format;
} directives[] = {
	{ 's', put_text, NULL, NULL }, { 'e', put_escaped, NULL, NULL }, { 'h', put_alone, NULL, NULL },
	{ 'b', put_isolated, NULL, NULL }, { 'a', put_author, NULL, NULL }, { 'S', put_subject, NULL, NULL },
	{ 'd', NULL, put_number, "%" PRId64 }, { 'x', NULL, put_number, HASH },
	{ 'U', NULL, put_time, "%Y-%m-%dT%H:%M:%SZ" }, { 't', NULL, put_time, "<time>%Y-%m-%d</time>" },
	{ 'T', NULL, put_time, "<time datetime=\"%Y-%m-%dT%H:%MZ\">%Y-%m-%d %H:%M UTC</time>" },
	{ '%', NULL, NULL, NULL }
};

void page_put(struct site *s, const char *html, ...)
{
	va_list arguments;
	va_start(arguments, html);
	for (const char *at; (at = strchr(html, '%')); html = at + 2) {
		const struct directive *d = directives;
		site_put(s, html, (size_t)(at - html));
		while (d->letter != at[1])
			d++;
		if (d->text)
			d->text(s, va_arg(arguments, const char *));
		else if (d->number)
			d->number(s, d->format, va_arg(arguments, int64_t));
		else
			put_text(s, "%");
	}
	put_text(s, html);
	va_end(arguments);
}

/* ---- Messages -------------------------------------------------------------------------------- */

const char *page_msgid(const struct site *s, const struct mention *m)
{
	return s->masks ? NULL : m->msgid;
}

void page_anchor(struct site *s, const struct mention *m)
{
	if (page_msgid(s, m))
		put_escaped(s, m->msgid);
	else
		page_put(s, "%x", m->id);
}

/* Letters, digits and the bytes in `plain` stay. */
static void put_encoded(struct site *s, const char *text, const char *plain)
{
	while (*text) {
		char hex[4];
		size_t n = 0;
		while (is_alnum((uint8_t)text[n]) || is_of(text[n], plain))
			n++;
		site_put(s, text, n);
		text += n;
		if (*text)
			site_put(s, hex, (size_t)snprintf(hex, sizeof hex, "%%%02X", (unsigned char)*text++));
	}
}

#define UNRESERVED "-._~" /* and letters and digits */

void page_encode(struct site *s, const char *text)
{
	put_encoded(s, text, UNRESERVED);
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
	snprintf(stem, sizeof stem, HASH, root);
	page_name(name, stem, part + 1);
}

void page_address(struct site *s, const struct mention *m, enum section from, const struct mention *here)
{
	static const char *const folders[SECTIONS] = { /* that of the messages, from a page of each section */
		[SECTION_TOP] = "m/", [SECTION_MESSAGES] = "", [SECTION_DATE] = "../m/", [SECTION_THREAD] = "../m/",
		[SECTION_AUTHOR] = "../m/", [SECTION_HOSTS] = "../m/"
	};
	if (!here || m->root != here->root || m->part != here->part) {
		char name[SITE_NAME];
		page_thread_name(name, m->root, m->part);
		page_put(s, "%s%s", folders[from], name);
	}
	put_text(s, "#");
	if (page_msgid(s, m)) /* what RFC 3986 allows in a fragment, except `&` and `'`, stays */
		put_encoded(s, m->msgid, UNRESERVED "!$()*+,;=:@/?");
	else
		page_put(s, "%x", m->id);
}

void page_begin_link(struct site *s, const struct mention *m, enum section from, const struct mention *here)
{
	put_text(s, "<a href=\"");
	page_address(s, m, from, here);
	put_text(s, "\">");
}

void page_link(struct site *s, const char *name, const char *text)
{
	page_put(s, "<a href=\"%s\">%s</a>", name, text);
}

void page_mention(struct site *s, const struct mention *m, enum section from)
{
	page_begin_link(s, m, from, NULL);
	page_put(s, "%S</a> <span class=\"by\">%b%s%t</span>", m->subject, m->author, text_if(m->time >= 0, " "), m->time);
}

void page_item(struct site *s, const struct mention *m, enum section from)
{
	put_text(s, "<li>");
	page_mention(s, m, from);
	put_text(s, "</li>");
}

void page_count(struct site *s, int64_t n, const char *what)
{
	page_put(s, "%d %s%s", n, what, plural((uint64_t)n));
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
	                                     "September", "October", "November", "December", "" };
	enum { NONE = 13 };
	const uint64_t number = (uint64_t)(month % 100); /* a plan from elsewhere may hold any */
	if (month)
		page_put(s, "%s %d", names[earlier(number, NONE)], month / 100);
	else
		put_text(s, "Without a date");
}

/* ---- The frame ----------------------------------------------------------------------------------- */

static void put_near(struct site *s, const struct page_frame *f, const char *name, const char *which)
{
	if (*name)
		page_put(s, "<a href=\"%s\">%s%s</a>", name, which, f->of);
}

static void put_relation(struct site *s, const char *name, const char *relation)
{
	if (*name)
		page_put(s, "<link rel=\"%s\" href=\"%e\">", relation, name);
}

static bool is_web(const urlsift_url *url)
{
	return url->host.length > 0 && text_is_among(url->text, url->scheme.length, "https http");
}

bool pages_site_valid(const char *text)
{
	urlsift_url url;
	urlsift_url_split(text, strlen(text), &url);
	return is_web(&url) && !url.query.present && !url.fragment.present;
}

bool pages_search_valid(const char *text)
{
	urlsift_url url;
	urlsift_url_split(text, strlen(text), &url);
	const size_t query = url.query.offset;
	const char *last = text + byte_last((const uint8_t *)text, query, query + url.query.length, '&');
	/* The policy of the pages names the host, and can name no other: of an IDN its A-labels. */
	const uint8_t *host = (const uint8_t *)text + url.host.offset;
	const bool named = byte_span(host, 0, url.host.length, BYTE_NAME | BYTE_STOP) == url.host.length;
	return is_web(&url) && !url.userinfo.present && named && url.query.present
	       && match_text(last, "[^=#]+=" MATCH_END);
}

bool pages_reply_valid(const char *text)
{
#define ESCAPED " \t\r\n<>\"?#&%%/=;%[%]" /* in mailto: */
	return match_text(text, "[^@" ESCAPED "]+@[^" ESCAPED "]+" MATCH_END);
}

void page_begin(struct pages *p, const struct page_frame *f)
{
	struct site *s = &p->site;
	const struct pages_options *o = &p->options;
	const char *top = text_if(f->section != SECTION_TOP, "../");
	site_begin(s, f->section, f->name);
	page_put(s, "<!DOCTYPE html><html lang=\"en\">" HTML_HEAD
	            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'self' file:; "
	            "base-uri 'none'; form-action ");
	if (o->search) /* whose scheme and host the policy allows */
		put_run(s, o->search, strcspn(o->search + 8, "/?") + 8);
	else
		put_text(s, "'none'");
	page_put(s, "\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
	            "<meta name=\"color-scheme\" content=\"light dark\"><title>%h%s%h</title>"
	            "<link rel=\"stylesheet\" href=\"%sstyle.css\">",
	         f->title, text_if(*f->title, " - "), o->title, top);
	put_relation(s, f->near.previous, "prev");
	put_relation(s, f->near.next, "next");
	if (o->site)
		page_put(s, "<link rel=\"canonical\" href=\"%e%s%s\">", o->site, site_folder(f->section), f->name);
	put_text(s, text_if(f->section == SECTION_TOP,
	                    "<link rel=\"alternate\" type=\"application/atom+xml\" href=\"feed.xml\">"));
	put_text(s, "</head><body><header><nav aria-label=\"Archive\">");
	if (f->up) {
		page_put(s, "<a href=\"%sindex.html\">%b</a>", top, o->title);
		if (*f->up)
			page_link(s, f->up, f->up_text);
	} else {
		page_link(s, "links.html", "Links by host");
		page_link(s, "feed.xml", "Feed of new messages");
	}
	put_near(s, f, f->near.previous, "Previous ");
	put_near(s, f, f->near.next, "Next ");
	put_text(s, "</nav>");
	if (o->search) {
		/* A form for a URL such as https://a.example/?list=x&q= */
		const char *search = o->search;
		size_t n = strcspn(search, "?");
		put_text(s, "<form role=\"search\" action=\"");
		put_run(s, search, n);
		put_text(s, "\">");
		for (const char *query = search + n; *query; query += n) {
			const size_t name = strcspn(++query, "=&");
			n = strcspn(query, "&");
			put_text(s, "<input type=\"");
			put_text(s, query[n] ? "hidden\" name=\"" : "search\" aria-label=\"Search\" name=\"");
			put_run(s, query, name);
			if (query[n]) {
				put_text(s, "\" value=\"");
				put_run(s, query + name + 1, excess(n, name + 1));
			}
			put_text(s, "\">");
		}
		put_text(s, "<button>Search</button></form>");
	}
	put_text(s, "</header><main>");
}

void page_end(struct pages *p)
{
	put_text(&p->site, "</main></body></html>\n");
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
	"th,td{overflow-wrap:normal}th a{overflow-wrap:anywhere}" /* names of hosts break, those of months do not */
	"@media(max-width:40rem){thead{display:table-header-group}tr{display:table-row}td{display:table-cell}"
	"th,td{padding-right:.5rem}.outline{--d:.375rem}}"
	"form input,form button{font:inherit;max-width:100%}"
	"@media print{nav,form,.steps{display:none}}\n";

void page_write_style(struct pages *p)
{
	site_begin(&p->site, SECTION_TOP, "style.css");
	put_text(&p->site, urlsift_html_style());
	put_text(&p->site, style);
	put_text(&p->site, memory_text(p->options.style));
	site_end(&p->site);
}

#endif
