#include "writer.h"
#include "input/memory.h"
#include "text/ascii.h"

#ifdef URLSIFT_WITH_SQLITE

#include <stdlib.h>
#include <string.h>

/* ---- Rows of a table at once -------------------------------------------------------- */

/* A row of a statement. */
struct row {
	sqlite3_stmt *statement;
	int before; /* columns of other rows */
};

/* How rows of a table are added: one, or WRITER_ROWS at once. */
struct batch {
	enum writer_statement one, all;
	int columns;
	/* Binds the columns of the waiting row i. */
	void (*bind)(struct index_writer *w, const struct row *r, size_t i);
};
static const struct batch batches[WRITER_TABLES];
enum { HOST_COLUMNS = 3, URL_COLUMNS = 5, MESSAGE_COLUMNS = 12, LINK_COLUMNS = WRITER_COLUMNS };

/* Adds the rows that wait. */
static void put_rows(struct index_writer *w, enum writer_table table)
{
	const struct batch *b = &batches[table];
	const size_t n = w->waiting.count[table];
	w->waiting.count[table] = 0;
	if (n == WRITER_ROWS) {
		sqlite3_stmt *s = writer_statement(w, b->all);
		for (size_t i = 0; i < n; i++)
			b->bind(w, &(struct row){ s, (int)i * b->columns }, i);
		writer_step(w, b->all);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		b->bind(w, &(struct row){ writer_statement(w, b->one), 0 }, i);
		writer_step(w, b->one);
	}
}

/* One more row waits. */
static void note_row(struct index_writer *w, enum writer_table table)
{
	if (++w->waiting.count[table] == WRITER_ROWS)
		put_rows(w, table);
}

/* A number, or null for one that is negative. */
static inline void bind_number(const struct row *r, int column, int64_t number)
{
	if (number < 0)
		sqlite3_bind_null(r->statement, r->before + column);
	else
		sqlite3_bind_int64(r->statement, r->before + column, number);
}

/* A text, or null for one of NULL. */
static inline void bind_text(const struct row *r, int column, const char *text, size_t n)
{
	sqlite3_bind_text(r->statement, r->before + column, text, (int)n, SQLITE_STATIC);
}

/* ---- URLs and hosts --------------------------------------------------------------- */

static void bind_url(struct index_writer *w, const struct row *r, size_t i)
{
	const struct writer_url *url = &w->waiting.url[i];
	bind_number(r, 1, url->id);
	bind_text(r, 2, url->normal.bytes, url->normal.length);
	bind_text(r, 3, url->scheme.bytes, url->scheme.length);
	bind_number(r, 4, url->host ? url->host : -1);
	bind_text(r, 5, url->unwrapped.bytes, url->unwrapped.length);
}

void writer_add_url(struct index_writer *w, const struct writer_url *url)
{
	w->waiting.url[w->waiting.count[WRITER_URLS]] = *url;
	note_row(w, WRITER_URLS);
}

/* The id of the text of that hash.  When it is new, *added, and the id is the next one; 0 after an error. */
static int64_t find_id(struct index_writer *w, struct writer_ids *t, urlsift_text text, struct hash128 hash,
                       bool *added)
{
	uint32_t value = (uint32_t)t->next;
	enum hashset_answer answer = hashset_add(&t->known, hash, &value);
	*added = false;
	if (answer == HASHSET_KNOWN)
		return value;
	t->all &= answer == HASHSET_NEW;
	*added = true;
	if (t->all)
		return t->next++;
	if (t->table == WRITER_URLS && !w->url_index) {
		/* URLs can be looked up from now on.  The set is made smaller if it is full. */
		if (answer != HASHSET_NEW) {
			hashset_fini(&w->urls.known);
			hashset_init(&w->urls.known, &w->alloc, w->options->pages ? INDEX_KNOWN_PAGES : INDEX_URLS_KNOWN);
		}
		w->url_index = true;
		database_run(&w->db, database_url_index);
		database_set_cache(&w->db, w->options->cache * 1024);
	}
	put_rows(w, t->table);
	sqlite3_stmt *s = writer_statement(w, t->find);
	database_bind(s, "t", text.bytes, text.length);
	*added = !database_row(&w->db, s);
	const int64_t id = *added ? t->next++ : sqlite3_column_int64(s, 0);
	sqlite3_reset(s);
	if (answer == HASHSET_NEW)
		hashset_set(&t->known, hash, (uint32_t)id);
	return w->db.failed ? 0 : id;
}

int64_t writer_host_id(struct index_writer *w, const char *name, size_t n)
{
	bool added;
	const urlsift_text text = { name, n };
	const int64_t id = find_id(w, &w->hosts, text, siphash(w->key, name, n), &added);
	if (added) {
		w->waiting.host[w->waiting.count[WRITER_HOSTS]] = (struct writer_host){ id, text };
		note_row(w, WRITER_HOSTS);
	}
	return id;
}

static void bind_host(struct index_writer *w, const struct row *r, size_t i)
{
	const struct writer_host *host = &w->waiting.host[i];
	const urlsift_text name = host->name;
	char *reversed = memory_get(name.length);
	const size_t length = database_reverse_host(name.bytes, name.length, reversed);
	bind_number(r, 1, host->id);
	bind_text(r, 2, name.bytes, name.length);
	sqlite3_bind_text(r->statement, r->before + HOST_COLUMNS, reversed, (int)length, free);
}

int64_t writer_url_id(struct index_writer *w, const char *normal, size_t n, bool *added)
{
	return find_id(w, &w->urls, (urlsift_text){ normal, n }, siphash(w->key, normal, n), added);
}

static urlsift_text text_of(const struct record_fields *f, enum link_text which)
{
	return (urlsift_text){ f->text[which], f->length[which] };
}

/* ---- Messages, links, problems ------------------------------------------------------ */

/* For `t` and `b` of database_bind. */
#define TEXT(i) f->text[i], f->length[i]

static void bind_message(struct index_writer *w, const struct row *r, size_t i)
{
	enum { ID, FROM, DATE, SUBJECT, LIST, GROUPS, URI, TEXTS };
	static const int text[TEXTS] = { [ID] = 5, [FROM] = 6, [DATE] = 7, [SUBJECT] = 9, [LIST] = 10, [GROUPS] = 11,
	                                 [URI] = MESSAGE_COLUMNS };
	const struct writer_message *m = &w->waiting.message[i];
	const struct record_fields *f = &m->record;
	bind_number(r, 1, m->id);
	bind_number(r, 2, m->source);
	bind_text(r, 3, w->file_name, strlen(w->file_name));
	bind_number(r, 4, f->number[0]);
	bind_number(r, 8, f->number[1]);
	for (size_t k = 0; k < TEXTS; k++)
		bind_text(r, text[k], f->text[k], f->length[k]);
}

void writer_add_message(struct index_writer *w, const struct record_fields *f)
{
	w->first_link = 0;
	if (f->number[2]) {
		/* It may have a row already, to which links are added. */
		writer_put_rows(w);
		sqlite3_stmt *s = writer_statement(w, W_FIND_MESSAGE);
		database_bind(s, "iti", writer_current(w)->id, w->file_name, strlen(w->file_name), f->number[0]);
		if (database_row(&w->db, s)) {
			w->message = sqlite3_column_int64(s, 0);
			w->first_link = sqlite3_column_int64(s, 1);
			sqlite3_reset(s);
			return;
		}
	}
	w->message = w->next_message++;
	w->blocks = 0;
	w->waiting.message[w->waiting.count[WRITER_MESSAGES]] =
		(struct writer_message){ *f, w->message, writer_current(w)->id };
	note_row(w, WRITER_MESSAGES);
}

static void bind_link(struct index_writer *w, const struct row *r, size_t i)
{
	/* The column of each number and text of the record; 0 for those of other tables. */
	static const int number[LINK_HASH] = {
		[LINK_N] = 2, [LINK_LINE] = 8, [LINK_COLUMN] = 9, [LINK_OFFSET] = 10, [LINK_LENGTH] = 11, [LINK_DECODED] = 13,
		[LINK_RFC1738] = 18, [LINK_RFC3986] = 19, [LINK_RFC3987] = 20
	};
	static const int text[LINK_TEXTS] = {
		[LINK_TEXT] = 4, [LINK_HREF] = 5, [LINK_PART] = 6, [LINK_FIELD] = 7, [LINK_PARTS] = 12, [LINK_CONVENTION] = 14,
		[LINK_FLAGS] = 15, [LINK_WARNINGS] = 16, [LINK_ALTERNATES] = 17, [LINK_LABEL] = 21,
		[LINK_ATTRIBUTE] = LINK_COLUMNS
	};
	const struct writer_link *link = &w->waiting.link[i];
	const struct record_fields *f = &link->record;
	/* Its URL, which is added with its host if it is new. */
	const urlsift_text normal = text_of(f, LINK_NORMAL), host = text_of(f, LINK_HOST);
	bool added;
	const int64_t id = find_id(w, &w->urls, normal, link->hash, &added);
	if (added) {
		const int64_t host_id = host.bytes ? writer_host_id(w, host.bytes, host.length) : 0;
		writer_add_url(w, &(struct writer_url){ id, host_id, normal, text_of(f, LINK_SCHEME),
		                                        text_of(f, LINK_UNWRAPPED) });
	}
	bind_number(r, 1, link->message);
	bind_number(r, 3, id);
	for (size_t k = 0; k < LINK_HASH; k++)
		bind_number(r, number[k], f->number[k]);
	for (size_t k = 0; k < LINK_TEXTS; k++)
		if (text[k])
			bind_text(r, text[k], f->text[k], f->length[k]);
}

static const struct batch batches[WRITER_TABLES] = {
	[WRITER_MESSAGES] = { W_ADD_MESSAGE, W_ADD_MESSAGES, MESSAGE_COLUMNS, bind_message },
	[WRITER_URLS] = { W_ADD_URL, W_ADD_URLS, URL_COLUMNS, bind_url },
	[WRITER_LINKS] = { W_ADD_LINK, W_ADD_LINKS, LINK_COLUMNS, bind_link },
	[WRITER_HOSTS] = { W_ADD_HOST, W_ADD_HOSTS, HOST_COLUMNS, bind_host },
};

void writer_put_rows(struct index_writer *w)
{
	for (enum writer_table t = 0; t < WRITER_TABLES; t++)
		put_rows(w, t);
}

static struct writer_link *next_link(struct index_writer *w)
{
	return &w->waiting.link[w->waiting.count[WRITER_LINKS]];
}

struct record_fields *writer_next_record(struct index_writer *w)
{
	return &next_link(w)->record;
}

void writer_add_link(struct index_writer *w, const struct record_fields *f)
{
	struct writer_link *link = next_link(w);
	link->message = w->message;
	link->record.number[LINK_N] += w->first_link;
	link->hash = (struct hash128){ (uint64_t)f->number[LINK_HASH], (uint64_t)f->number[LINK_HASH + 1] };
	__builtin_prefetch(hashset_place(&w->urls.known, link->hash));
	w->transaction.links++;
	writer_current(w)->links++;
	note_row(w, WRITER_LINKS);
}

void writer_add_html(struct index_writer *w, const struct record_fields *f)
{
	WRITER_RUN(w, W_ADD_HTML, "ib", w->message * 1048576 + w->blocks++, f->text[0], f->length[0]);
}

void writer_add_post(struct index_writer *w, const struct record_fields *f)
{
	enum { ID, KIND, CONTENT, MONTH, BASE, REPLY, HEAD, BODY, NAMED };
	enum { AUTHOR, SUBJECT, REFS, ANCHORS };
	WRITER_RUN(w, W_ADD_POST, "iiiiioiiiittbb", w->message, f->number[ID], f->number[KIND], f->number[CONTENT],
	           f->number[MONTH], f->number[BASE], f->number[REPLY], f->number[HEAD], f->number[BODY], f->number[NAMED],
	           TEXT(AUTHOR), TEXT(SUBJECT), TEXT(REFS), TEXT(ANCHORS));
}

/* Adds a problem of a source, by its number and the file in it, or of an input that is not a source, by its name. */
void writer_add_problem(struct index_writer *w, const struct record_fields *f)
{
	enum { TYPE, WHAT, SOURCE };
	const int64_t id = w->file.entered ? writer_current(w)->id : -1;
	const char *name = w->file_name;
	int64_t at = f->number[0];
	if (id < 0) { /* which has no messages */
		name = f->text[SOURCE];
		at = -1;
		WRITER_RUN(w, W_DROP_PROBLEMS_OF_NAME, "s", name);
		w->has_loose_problems = true;
	}
	WRITER_RUN(w, W_ADD_PROBLEM, "usussuu", id, name, at, f->text[TYPE], f->text[WHAT], f->number[1],
	           f->number[2]);
}

#endif
