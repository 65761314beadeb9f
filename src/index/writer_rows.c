#include "writer.h"
#include "input/memory.h"

#ifdef URLSIFT_WITH_SQLITE

#include <stdlib.h>
#include <string.h>

static struct writer_source *current(struct index_writer *w)
{
	return w->member.id ? &w->member : &w->source;
}

/* ---- URLs and hosts --------------------------------------------------------------- */

/* The id of the text.  When it is new, *added, and the id is the next one; 0 after an error. */
static int64_t find_id(struct index_writer *w, struct writer_ids *t, const char *text, size_t n, bool *added)
{
	uint32_t value = (uint32_t)t->next;
	const struct hash128 hash = siphash(w->key, text, n);
	enum hashset_answer answer = hashset_add(&t->known, hash, &value);
	*added = false;
	if (answer == HASHSET_KNOWN)
		return value;
	t->all &= answer == HASHSET_NEW;
	*added = true;
	if (t->all)
		return t->next++;
	if (t->find == W_FIND_URL && !w->url_index) {
		/* URLs can be looked up from now on.  The set is made smaller if it is full. */
		if (answer != HASHSET_NEW) {
			hashset_fini(&w->urls.known);
			hashset_init(&w->urls.known, &w->alloc, w->options->pages ? INDEX_KNOWN_PAGES : INDEX_URLS_KNOWN);
		}
		w->url_index = true;
		database_run(&w->db, database_url_index);
		database_set_cache(&w->db, w->options->cache * 1024);
	}
	sqlite3_stmt *s = writer_statement(w, t->find);
	database_bind(s, "t", text, n);
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
	const int64_t id = find_id(w, &w->hosts, name, n, &added);
	if (id && added) {
		char *reversed = memory_get(n);
		const size_t length = database_reverse_host(name, n, reversed);
		WRITER_RUN(w, W_ADD_HOST, "itt", id, name, n, reversed, length);
		free(reversed);
	}
	return id;
}

int64_t writer_url_id(struct index_writer *w, const char *normal, size_t n, bool *added)
{
	return find_id(w, &w->urls, normal, n, added);
}

void writer_add_url(struct index_writer *w, const struct writer_url *url)
{
	WRITER_RUN(w, W_ADD_URL, "ittot", url->id, url->normal.bytes, url->normal.length, url->scheme.bytes,
	           url->scheme.length, url->host, url->unwrapped.bytes, url->unwrapped.length);
}

static urlsift_text text_of(const struct record_fields *f, enum link_text which)
{
	return (urlsift_text){ f->text[which], f->length[which] };
}

/* ---- Messages, links, problems ------------------------------------------------------ */

/* For `t` and `b` of database_bind. */
#define TEXT(i) f->text[i], f->length[i]

void writer_add_message(struct index_writer *w, const struct record_fields *f)
{
	enum { ID, FROM, DATE, SUBJECT, LIST, GROUPS, URI };
	w->message = w->next_message++;
	w->blocks = 0;
	WRITER_RUN(w, W_ADD_MESSAGE, "iisitttutttt", w->message, current(w)->id, w->file_name,
	           f->number[0], TEXT(ID), TEXT(FROM), TEXT(DATE), f->number[1], TEXT(SUBJECT), TEXT(LIST), TEXT(GROUPS),
	           TEXT(URI));
}

void writer_put_links(struct index_writer *w)
{
	enum { COLUMNS = 22 };
	/* The column of each number and text of the record; 0 for those of other tables. */
	static const int number[LINK_NUMBERS] = {
		[LINK_N] = 2, [LINK_LINE] = 8, [LINK_COLUMN] = 9, [LINK_OFFSET] = 10, [LINK_LENGTH] = 11, [LINK_DECODED] = 13,
		[LINK_RFC1738] = 18, [LINK_RFC3986] = 19, [LINK_RFC3987] = 20
	};
	static const int text[LINK_TEXTS] = {
		[LINK_TEXT] = 4, [LINK_HREF] = 5, [LINK_PART] = 6, [LINK_FIELD] = 7, [LINK_PARTS] = 12, [LINK_CONVENTION] = 14,
		[LINK_FLAGS] = 15, [LINK_WARNINGS] = 16, [LINK_ALTERNATES] = 17, [LINK_LABEL] = 21,
		[LINK_ATTRIBUTE] = COLUMNS
	};
	const bool all = w->waiting == WRITER_LINKS;
	const enum writer_statement which = all ? W_ADD_LINKS : W_ADD_LINK;
	sqlite3_stmt *s = w->waiting ? writer_statement(w, which) : NULL;
	for (size_t i = 0; i < w->waiting; i++) {
		const struct record_fields *f = &w->link[i].record;
		const int before = all ? (int)i * COLUMNS : 0;
		sqlite3_bind_int64(s, before + 1, w->link[i].message);
		sqlite3_bind_int64(s, before + 3, w->link[i].url);
		for (size_t k = 0; k < LINK_NUMBERS; k++)
			if (f->number[k] >= 0)
				sqlite3_bind_int64(s, before + number[k], f->number[k]);
			else
				sqlite3_bind_null(s, before + number[k]);
		for (size_t k = 0; k < LINK_TEXTS; k++)
			if (text[k])
				sqlite3_bind_text(s, before + text[k], f->text[k], (int)f->length[k], SQLITE_STATIC);
		if (!all || i + 1 == WRITER_LINKS)
			writer_step(w, which);
	}
	w->waiting = 0;
}

void writer_add_link(struct index_writer *w, const struct record_fields *f)
{
	/* the URL and its host are added if they are new */
	const urlsift_text normal = text_of(f, LINK_NORMAL), host = text_of(f, LINK_HOST);
	bool added;
	const int64_t id = writer_url_id(w, normal.bytes, normal.length, &added);
	if (added)
		writer_add_url(w, &(struct writer_url){
			.id = id, .host = host.bytes ? writer_host_id(w, host.bytes, host.length) : 0, .normal = normal,
			.scheme = text_of(f, LINK_SCHEME), .unwrapped = text_of(f, LINK_UNWRAPPED)
		});
	w->link[w->waiting++] = (struct writer_link){ *f, w->message, id };
	w->transaction.links++;
	current(w)->links++;
	if (w->waiting == WRITER_LINKS)
		writer_put_links(w);
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
	const int64_t id = w->file.entered ? current(w)->id : -1;
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
