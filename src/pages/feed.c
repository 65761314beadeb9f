/* An Atom feed (RFC 4287).  An entry is known by its mid: URL, or a hash. */
#include "page.h"

#ifdef URLSIFT_WITH_SQLITE

#include <stdio.h>
#include <string.h>
#include <time.h>

#define NEWEST "50"

/* Without a message the feed has the time 0: it has to have one. */
void feed_write(struct pages *p)
{
	struct site *s = &p->site;
	struct database *db = &p->plan.db;
	const char *site = p->options.site;
	sqlite3_stmt *all = database_prepare(db, "SELECT " MENTION SPOTS " WHERE m.time IS NOT NULL ORDER BY s.seq DESC"
	                                         " LIMIT " NEWEST);
	site_begin(s, SECTION_TOP, "feed.xml");
	page_put(s, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\"");
	if (site)
		page_put(s, " xml:base=\"%h\"", site);
	page_put(s, "><title>%h</title><id>", p->options.title);
	if (site)
		page_put(s, "%hfeed.xml", site);
	else
		page_put(s, "urn:x-urlsift:%x", plan_hash(p->options.title, strlen(p->options.title)));
	page_put(s, "</id><updated>%U</updated><link href=\"index.html\"/>",
	         database_number(db, "SELECT max(time) FROM shown", 0));
	page_put(s, text_if(site, "<link rel=\"self\" href=\"feed.xml\"/>"));
	while (database_row(db, all)) {
		const struct mention m = mention_read(all);
		page_put(s, "<entry><id>");
		if (page_msgid(s, &m))
			page_put(s, "mid:%h", m.msgid);
		else
			page_put(s, "urn:x-urlsift:%x", m.id);
		page_put(s, "</id><title>%h</title><author><name>%h</name></author><updated>%U</updated><link href=\"",
		         text_full_or(m.subject, NO_SUBJECT), text_full_or(m.author, NO_AUTHOR), m.time);
		page_address(s, &m, SECTION_TOP, NULL);
		page_put(s, "\"/></entry>");
	}
	page_put(s, "</feed>\n");
	site_end(s);
	sqlite3_finalize(all);
}

#endif
