#include "query.h"

#ifdef URLSIFT_WITH_SQLITE

/* A message that is in several sources, or was sent to several lists, counts once: a copy has the Message-ID of an
 * earlier one.  A sender chooses it, so a link counts that the earlier one does not have. */
#define EARLIER "(SELECT d.id FROM message AS d WHERE d.msgid = message.msgid AND d.id < message.id" \
	" ORDER BY d.id LIMIT 1)"
const char query_earlier[] = EARLIER;
/* `first`: of a copy the first message with its Message-ID, of another nothing.  For a few messages; or for all, whose
 * copies are found in one pass. */
#define FIRST " LEFT JOIN message AS first ON first.id = " EARLIER " "
#define FIRST_OF_ALL " LEFT JOIN message AS first ON first.id = CASE WHEN message.id IN (SELECT message.id FROM" \
	" (SELECT msgid, min(id) AS id FROM message WHERE msgid IS NOT NULL GROUP BY msgid HAVING count(*) > 1)" \
	" AS several JOIN message USING (msgid) WHERE message.id > several.id) THEN " EARLIER " END "
/* Whether the link counts: its message is no copy, or the first has no such link among so many to that URL. */
#define COUNTS(warnings) "(first.id IS NULL OR NOT EXISTS (SELECT 1 FROM (SELECT l.n AS n FROM link AS l WHERE" \
	" l.url = link.url AND l.message = first.id LIMIT 64) AS same CROSS JOIN link AS its ON its.message = first.id" \
	" AND its.n = same.n WHERE its.warnings IS " warnings "))"
/* The warnings where `link` is read by its URL: the index has all that is needed but those of copies. */
#define WARNINGS "(SELECT own.warnings FROM link AS own WHERE own.message = link.message AND own.n = link.n)"
#define UTC(time) "strftime('%Y-%m-%dT%H:%M:%SZ', " time ", 'unixepoch')"
/* :dot is null for the host alone; the character after the dot is a slash. */
#define IN_HOST "(host.reversed = :host OR (host.reversed >= :host || :dot AND host.reversed < :host || '/'))"
/* :since is null without a date. */
#define IN_TIME " AND (:since IS NULL OR message.time >= :since AND message.time < :until)"
/* The name in a folder or an archive. */
#define MEMBER "coalesce(nullif(message.name, ''), nullif(source.member, '')) AS file"
#define POST UTC("message.time") " AS time, message.author AS author, message.msgid AS msgid, source.name AS source," \
	" " MEMBER ", message.pos AS pos"
/* The order of the joins is that of the indexes: without statistics SQLite would begin with all links. */
#define LINKS " CROSS JOIN link ON link.url = url.id CROSS JOIN message ON message.id = link.message "
#define SOURCE "CROSS JOIN source ON source.id = message.source "
#define OF_URL " FROM url" LINKS
#define OF_HOST " FROM host CROSS JOIN url ON url.host = host.id" LINKS
#define ONE_EACH " GROUP BY coalesce(message.msgid, message.id) ORDER BY min(message.time) IS NULL," \
	" min(message.time), message.id"
/* The first of the messages of a URL. */
#define EARLIEST " ORDER BY message.time IS NULL, message.time, message.id LIMIT 1"
#define TIMES UTC("min(message.time)") " AS first, " UTC("max(message.time)") " AS last"
#define NUMBERS "count(*) AS links, count(DISTINCT coalesce(first.id, message.id)) AS messages"

const struct query query_table[] = {
	{ "first", QUERY_URLS,
	  "SELECT url.normal AS url, " POST ", message.uri AS uri" OF_URL SOURCE "WHERE url.normal = :url"
	  EARLIEST, NULL,
	  "URL...", "the earliest message with each URL", 1 },
	{ "posts", QUERY_URL_OR_HOST,
	  "SELECT " POST ", message.subject AS subject, message.uri AS uri" OF_URL SOURCE
	  "WHERE url.normal = :url" IN_TIME ONE_EACH,
	  "SELECT " POST ", message.subject AS subject, message.uri AS uri" OF_HOST SOURCE
	  "WHERE " IN_HOST IN_TIME ONE_EACH,
	  "URL|HOST [DATE]", "every message with a link to it, or those of a date", 1 },
	{ "hosts", QUERY_NONE,
	  /* In the order of the messages, which is about that of the URLs: few pages are read twice. */
	  "SELECT host.name AS host, links, messages, first, last FROM (SELECT url.host AS id, " NUMBERS
	  ", " TIMES " FROM message" FIRST_OF_ALL "CROSS JOIN link ON link.message = message.id"
	  " CROSS JOIN url ON url.id = link.url WHERE url.host IS NOT NULL AND " COUNTS("link.warnings")
	  " GROUP BY url.host) JOIN host USING (id) ORDER BY links DESC, host.name", NULL,
	  "", "the hosts, most links first", 1 },
	{ "urls", QUERY_ANY_HOST,
	  "SELECT url.normal AS url, links, messages, first, last FROM (SELECT link.url AS id, " NUMBERS ", " TIMES
	  " FROM message" FIRST_OF_ALL "CROSS JOIN link ON link.message = message.id WHERE " COUNTS("link.warnings")
	  " GROUP BY link.url) JOIN url USING (id) ORDER BY links DESC, url.normal",
	  "SELECT url.normal AS url, " NUMBERS ", " TIMES OF_HOST FIRST "WHERE " IN_HOST " AND " COUNTS(WARNINGS)
	  " GROUP BY url.id ORDER BY links DESC, url.normal",
	  "[HOST]", "the URLs, or those of a host, most links first", 1 },
	{ "links", QUERY_HOST_OF_DATE,
	  "SELECT coalesce(link.href, link.text, url.normal) AS url, link.label AS label, " POST ", link.line AS line"
	  OF_HOST SOURCE FIRST "WHERE " IN_HOST IN_TIME " AND " COUNTS("link.warnings") " ORDER BY message.time IS NULL,"
	  " message.time, link.message, link.n",
	  NULL, "HOST [DATE]", "every link to a host, with what is shown in its place", 2 },
	{ "authors", QUERY_ANY_HOST,
	  "SELECT message.author AS author, " NUMBERS ", " TIMES " FROM message" FIRST_OF_ALL
	  "CROSS JOIN link ON link.message = message.id WHERE " COUNTS("link.warnings")
	  " GROUP BY message.author ORDER BY links DESC, message.author",
	  "SELECT message.author AS author, " NUMBERS ", " TIMES OF_HOST FIRST "WHERE " IN_HOST " AND " COUNTS(WARNINGS)
	  " GROUP BY message.author ORDER BY links DESC, message.author",
	  "[HOST]", "who posts links, or those to a host, most links first", 1 },
	{ "months", QUERY_ANY_HOST,
	  "SELECT strftime('%Y-%m', message.time, 'unixepoch') AS month, sum(CASE WHEN first.id IS NULL THEN n ELSE"
	  " (SELECT count(*) FROM link WHERE link.message = message.id AND " COUNTS("link.warnings") ") END) AS links,"
	  " sum(first.id IS NULL) AS messages"
	  " FROM (SELECT message AS id, count(*) AS n FROM link GROUP BY message) CROSS JOIN message USING (id)"
	  FIRST_OF_ALL "GROUP BY month ORDER BY month",
	  "SELECT strftime('%Y-%m', message.time, 'unixepoch') AS month, " NUMBERS OF_HOST FIRST
	  "WHERE " IN_HOST " AND " COUNTS(WARNINGS)
	  " GROUP BY month ORDER BY month",
	  "[HOST]", "links and messages by month", 1 },
	{ "new", QUERY_DATE,
	  "SELECT url.normal AS url, " POST " FROM url CROSS JOIN message ON message.id = (SELECT message.id FROM link"
	  " JOIN message ON message.id = link.message WHERE link.url = url.id" EARLIEST ") " SOURCE
	  "WHERE url.id IN (SELECT link.url FROM message JOIN link ON link.message = message.id"
	  " WHERE message.time >= :since) AND message.time >= :since ORDER BY message.time, url.normal", NULL,
	  "DATE", "the URLs whose first message is dated since then, such as 2024-05-31", 1 },
	{ "joined", QUERY_NONE,
	  "SELECT coalesce(link.text, url.normal) AS url,"
	  " CASE WHEN json_valid(link.alternates) THEN json(link.alternates) END AS alternates, source.name AS source,"
	  " " MEMBER ", message.pos AS pos, link.line AS line FROM link JOIN url ON url.id = link.url"
	  " JOIN message ON message.id = link.message JOIN source ON source.id = message.source" FIRST_OF_ALL
	  "WHERE ' ' || link.flags || ' ' LIKE '% joined %' AND " COUNTS("link.warnings")
	  " ORDER BY link.message, link.n", NULL,
	  "", "links rejoined over line breaks, and other readings", 1 },
	{ "warned", QUERY_NONE,
	  "SELECT coalesce(link.text, url.normal) AS url, link.warnings AS warnings, source.name AS source,"
	  " " MEMBER ", message.pos AS pos, link.line AS line FROM link JOIN url ON url.id = link.url"
	  " JOIN message ON message.id = link.message JOIN source ON source.id = message.source" FIRST_OF_ALL
	  "WHERE link.warnings IS NOT NULL AND " COUNTS("link.warnings") " ORDER BY link.message, link.n", NULL,
	  "", "links with warnings", 1 },
	{ "address", QUERY_MSGID,
	  "SELECT :address AS address FROM message WHERE msgid = :msgid LIMIT 1", NULL,
	  "MSGID", "the page of a message in a folder of pages", 1 },
	{ "sources", QUERY_NONE,
	  "SELECT name AS source, nullif(member, '') AS member, kind, messages, links, size, done, complete FROM source"
	  " ORDER BY id", NULL,
	  "", "the state of each source", 1 },
	{ "problems", QUERY_NONE,
	  "SELECT coalesce(source.name, problem.name) AS source, CASE WHEN source.id IS NULL THEN NULL ELSE"
	  " coalesce(nullif(problem.name, ''), nullif(source.member, '')) END AS file, problem.pos AS pos,"
	  " type, what, value, at"
	  " FROM problem LEFT JOIN source ON source.id = problem.source ORDER BY problem.rowid", NULL,
	  "", "what could not be read, and limits that were exceeded", 1 },
	{ .name = NULL },
};

#endif
