#include "database.h"

#ifdef URLSIFT_WITH_SQLITE

const char database_tables[] =
	"PRAGMA application_id = 0x75726c73; PRAGMA user_version = 1;"
	"CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;"
	"CREATE TABLE source(id INTEGER PRIMARY KEY, name TEXT NOT NULL, member TEXT NOT NULL DEFAULT '',"
	" kind TEXT NOT NULL, size INTEGER, mtime INTEGER, done INTEGER NOT NULL DEFAULT 0,"
	" line INTEGER NOT NULL DEFAULT 1, tail INTEGER, cursor TEXT, complete INTEGER NOT NULL DEFAULT 0,"
	" messages INTEGER, links INTEGER, UNIQUE(name, member));"
	"CREATE TABLE file(source INTEGER, name TEXT, size INTEGER, mtime INTEGER, PRIMARY KEY(source, name))"
	" WITHOUT ROWID;"
	"CREATE TABLE message(id INTEGER PRIMARY KEY, source INTEGER NOT NULL REFERENCES source,"
	" name TEXT NOT NULL DEFAULT '', pos INTEGER NOT NULL, msgid TEXT, author TEXT, date TEXT, time INTEGER,"
	" subject TEXT, list_id TEXT, newsgroups TEXT, UNIQUE(source, name, pos));"
	"CREATE TABLE host(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, reversed TEXT NOT NULL);"
	"CREATE TABLE url(id INTEGER PRIMARY KEY, normal TEXT NOT NULL UNIQUE, scheme TEXT NOT NULL,"
	" host INTEGER REFERENCES host);"
	"CREATE TABLE link(message INTEGER NOT NULL REFERENCES message, n INTEGER NOT NULL,"
	" url INTEGER NOT NULL REFERENCES url, text TEXT, href TEXT, part TEXT, field TEXT, line INTEGER, col INTEGER,"
	" pos INTEGER, len INTEGER, parts TEXT, decoded INTEGER, convention TEXT NOT NULL, flags TEXT, warnings TEXT,"
	" alternates TEXT, rfc1738 INTEGER, rfc3986 INTEGER, rfc3987 INTEGER, PRIMARY KEY(message, n)) WITHOUT ROWID;"
	"CREATE TABLE problem(source INTEGER, name TEXT, pos INTEGER, type TEXT, what TEXT, value INTEGER, at INTEGER);"
	"CREATE TABLE part(key TEXT PRIMARY KEY) WITHOUT ROWID;"
	"CREATE VIEW links AS SELECT source.name AS source, source.member AS member, message.name AS file,"
	" message.pos AS message, msgid, part, subject, author, date, time, newsgroups, list_id, field, link.line AS line,"
	" col, link.pos AS pos, len, parts, decoded, coalesce(link.text, url.normal) AS text,"
	" coalesce(link.href, link.text, url.normal) AS url, url.normal AS normal, url.scheme AS scheme, host.name AS host,"
	" convention, flags, alternates, rfc1738, rfc3986, rfc3987, warnings"
	" FROM link JOIN message ON message.id = link.message JOIN source ON source.id = message.source"
	" JOIN url ON url.id = link.url LEFT JOIN host ON host.id = url.host;"
	"CREATE VIEW first_seen AS SELECT url.id AS id, url.normal AS normal, host.name AS host, min(message.time) AS time,"
	" message.author AS author, message.msgid AS msgid, source.name AS source, message.pos AS pos"
	" FROM url JOIN link ON link.url = url.id JOIN message ON message.id = link.message"
	" JOIN source ON source.id = message.source LEFT JOIN host ON host.id = url.host GROUP BY url.id;";

const char database_indexes[] =
	"CREATE INDEX IF NOT EXISTS link_url ON link(url, message);"
	"CREATE INDEX IF NOT EXISTS url_host ON url(host);"
	"CREATE INDEX IF NOT EXISTS host_reversed ON host(reversed);"
	"CREATE INDEX IF NOT EXISTS message_time ON message(time);"
	"CREATE INDEX IF NOT EXISTS message_msgid ON message(msgid);";

#endif
