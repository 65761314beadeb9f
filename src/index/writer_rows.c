#include "writer.h"

#ifdef URLSIFT_WITH_SQLITE

#include <stdlib.h>
#include <string.h>

static struct writer_source *current(struct index_writer *w)
{
	return w->member.id ? &w->member : &w->source;
}

/* ---- URLs and hosts --------------------------------------------------------------- */

/* A table of texts with ids: its statements, and what is known of it in memory. */
struct ids {
	enum writer_statement find;
	struct hashset *known;
	bool *all;
	int64_t *next;
};

/* URLs can be looked up from now on.  The set is made smaller if it is full. */
static enum status index_urls(struct index_writer *w, bool full)
{
	if (full) {
		hashset_fini(&w->urls);
		hashset_init(&w->urls, &w->alloc, INDEX_URLS_KNOWN);
	}
	w->url_index = true;
	enum status status = database_run(&w->db, database_url_index);
	return status == STATUS_DONE ? database_set_cache(&w->db, w->options->cache * 1024) : status;
}

/* The id of the text.  When it is new, *added, and the id is the next one; 0 after an error. */
static int64_t find_id(struct index_writer *w, const struct ids *t, const char *text, size_t n, bool *added)
{
	uint32_t value = (uint32_t)*t->next;
	const struct hash128 hash = siphash(w->key, text, n);
	enum hashset_answer answer = hashset_add(t->known, hash, &value);
	*added = false;
	if (answer == HASHSET_KNOWN)
		return value;
	*t->all = *t->all && answer == HASHSET_NEW;
	*added = true;
	if (*t->all)
		return (*t->next)++;
	if (t->find == W_FIND_URL && !w->url_index && index_urls(w, answer != HASHSET_NEW) != STATUS_DONE)
		return 0;
	sqlite3_stmt *s = writer_statement(w, t->find);
	sqlite3_bind_text(s, 1, text, (int)n, SQLITE_STATIC);
	int result = sqlite3_step(s);
	int64_t id = result == SQLITE_ROW ? sqlite3_column_int64(s, 0) : 0;
	sqlite3_reset(s);
	if (result != SQLITE_ROW && result != SQLITE_DONE) {
		database_fail(&w->db);
		return 0;
	}
	*added = id == 0;
	id = id ? id : (*t->next)++;
	if (answer == HASHSET_NEW)
		hashset_set(t->known, hash, (uint32_t)id);
	return id;
}

int64_t writer_host_id(struct index_writer *w, const char *name, size_t n)
{
	const struct ids hosts = { W_FIND_HOST, &w->hosts, &w->all_hosts, &w->next_host };
	char reversed[1024], *out = n <= sizeof reversed ? reversed : malloc(n);
	bool added;
	int64_t id = out ? find_id(w, &hosts, name, n, &added) : 0;
	if (id && added) {
		database_reverse_host(name, n, out);
		sqlite3_stmt *s = writer_statement(w, W_ADD_HOST);
		sqlite3_bind_int64(s, 1, id);
		sqlite3_bind_text(s, 2, name, (int)n, SQLITE_STATIC);
		sqlite3_bind_text(s, 3, out, (int)n, SQLITE_STATIC);
		if (writer_step(w, W_ADD_HOST) != STATUS_DONE)
			id = 0;
	}
	if (!out)
		report_no_memory();
	if (out != reversed)
		free(out);
	return id;
}

int64_t writer_url_id(struct index_writer *w, const char *normal, size_t n, bool *added)
{
	const struct ids urls = { W_FIND_URL, &w->urls, &w->all_urls, &w->next_url };
	return find_id(w, &urls, normal, n, added);
}

enum status writer_add_url(struct index_writer *w, const struct url_row *url)
{
	sqlite3_stmt *s = writer_statement(w, W_ADD_URL);
	sqlite3_bind_int64(s, 1, url->id);
	writer_bind_text(s, 2, url->normal.bytes, url->normal.length);
	writer_bind_text(s, 3, url->scheme.bytes, url->scheme.length);
	if (url->host)
		sqlite3_bind_int64(s, 4, url->host);
	else
		sqlite3_bind_null(s, 4);
	return writer_step(w, W_ADD_URL);
}

/* The id of the record's URL; the URL and its host are added if they are new.  0 after an error. */
static int64_t url_id(struct index_writer *w, const struct record_fields *f)
{
	bool added;
	struct url_row url = { .normal = { f->text[LINK_NORMAL], f->length[LINK_NORMAL] },
	                       .scheme = { f->text[LINK_SCHEME], f->length[LINK_SCHEME] } };
	url.id = writer_url_id(w, url.normal.bytes, url.normal.length, &added);
	if (url.id == 0 || !added)
		return url.id;
	if (f->text[LINK_HOST] && !(url.host = writer_host_id(w, f->text[LINK_HOST], f->length[LINK_HOST])))
		return 0;
	return writer_add_url(w, &url) == STATUS_DONE ? url.id : 0;
}

/* ---- Messages, links, problems ------------------------------------------------------ */

enum status writer_add_message(struct index_writer *w, const struct record_fields *f)
{
	sqlite3_stmt *s = writer_statement(w, W_ADD_MESSAGE);
	/* id, from, date, subject, list, groups: columns msgid, author, date, time, subject, list_id, newsgroups */
	static const int column[] = { 5, 6, 7, 9, 10, 11 };
	w->message = w->next_message++;
	sqlite3_bind_int64(s, 1, w->message);
	sqlite3_bind_int64(s, 2, current(w)->id);
	sqlite3_bind_text(s, 3, w->file_name ? w->file_name : "", -1, SQLITE_STATIC);
	sqlite3_bind_int64(s, 4, f->number[0]);
	for (size_t i = 0; i < sizeof column / sizeof *column; i++)
		writer_bind_text(s, column[i], f->text[i], f->length[i]);
	if (f->number[1] >= 0)
		sqlite3_bind_int64(s, 8, f->number[1]);
	else
		sqlite3_bind_null(s, 8);
	return writer_step(w, W_ADD_MESSAGE);
}

enum status writer_add_link(struct index_writer *w, const struct record_fields *f)
{
	enum { COLUMNS = 20 };
	/* The column of each number and text of the record; 0 for those of other tables. */
	static const int number[LINK_NUMBERS] = {
		[LINK_N] = 2, [LINK_LINE] = 8, [LINK_COLUMN] = 9, [LINK_OFFSET] = 10, [LINK_LENGTH] = 11, [LINK_DECODED] = 13,
		[LINK_RFC1738] = 18, [LINK_RFC3986] = 19, [LINK_RFC3987] = COLUMNS
	};
	static const int text[LINK_TEXTS] = {
		[LINK_TEXT] = 4, [LINK_HREF] = 5, [LINK_PART] = 6, [LINK_FIELD] = 7, [LINK_PARTS] = 12, [LINK_CONVENTION] = 14,
		[LINK_FLAGS] = 15, [LINK_WARNINGS] = 16, [LINK_ALTERNATES] = 17
	};
	int64_t url = url_id(w, f);
	if (url == 0)
		return STATUS_OUTPUT;
	sqlite3_stmt *s = writer_statement(w, W_ADD_LINK);
	sqlite3_bind_int64(s, 1, w->message);
	sqlite3_bind_int64(s, 3, url);
	for (size_t i = 0; i < LINK_NUMBERS; i++)
		if (f->number[i] >= 0)
			sqlite3_bind_int64(s, number[i], f->number[i]);
		else
			sqlite3_bind_null(s, number[i]);
	for (size_t i = 0; i < LINK_TEXTS; i++)
		if (text[i])
			writer_bind_text(s, text[i], f->text[i], f->length[i]);
	w->links++;
	current(w)->links++;
	return writer_step(w, W_ADD_LINK);
}

/* Of a source, by its number and the file in it; of an input that is not a source, by its name. */
enum status writer_add_problem(struct index_writer *w, const struct record_fields *f)
{
	enum { TYPE, WHAT, SOURCE };
	const int64_t id = w->file.entered ? current(w)->id : 0;
	if (id == 0) {
		sqlite3_bind_text(writer_statement(w, W_DROP_PROBLEMS_OF_NAME), 1, f->text[SOURCE], -1, SQLITE_STATIC);
		w->has_loose_problems = true;
		enum status status = writer_step(w, W_DROP_PROBLEMS_OF_NAME);
		if (status != STATUS_DONE)
			return status;
	}
	sqlite3_stmt *s = writer_statement(w, W_ADD_PROBLEM);
	if (id)
		sqlite3_bind_int64(s, 1, id);
	else
		sqlite3_bind_null(s, 1);
	sqlite3_bind_text(s, 2, id ? w->file_name ? w->file_name : "" : f->text[SOURCE], -1, SQLITE_STATIC);
	sqlite3_bind_int64(s, 3, f->number[0]);
	writer_bind_text(s, 4, f->text[TYPE], f->length[TYPE]);
	writer_bind_text(s, 5, f->text[WHAT], f->length[WHAT]);
	for (int i = 6; i <= 7; i++)
		if (f->number[i - 5] >= 0)
			sqlite3_bind_int64(s, i, f->number[i - 5]);
		else
			sqlite3_bind_null(s, i);
	return writer_step(w, W_ADD_PROBLEM);
}

#endif
