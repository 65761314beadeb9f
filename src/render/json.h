/* The members of JSON records. */
#ifndef RENDER_JSON_H
#define RENDER_JSON_H

#include "format.h"

/* ---- Members of an object ----------------------------------------------------------- */

/* Every record begins with `type`, so each further key has a comma before it.  The functions are inline so that the
 * lengths of keys are constants. */
#define KEY(name) ",\"" name "\":"

static inline void json_string(struct writer *w, const char *key, const char *text, size_t n)
{
	writer_text(w, key);
	escape_json(w, text, n);
}

/* Writes a member whose value has nothing to escape: a name, a scheme. */
__attribute__((always_inline))
static inline void json_word(struct writer *w, const char *key, const char *text, size_t n)
{
	size_t k = strlen(key);
	if (n > WRITER_SMALLEST / 2) {
		writer_text(w, key);
		writer_put(w, "\"", 1);
		writer_put(w, text, n);
		writer_put(w, "\"", 1);
		return;
	}
	char *at = writer_room(w, k + n + 2);
	memcpy(at, key, k);
	at[k] = '"';
	memcpy(at + k + 1, text, n);
	at[k + 1 + n] = '"';
	w->used += k + n + 2;
}

static inline void json_number(struct writer *w, const char *key, uint64_t n)
{
	writer_text(w, key);
	writer_number(w, n);
}

/* Before element i of an array, which begins with the key and its bracket and is left out when it has no elements:
 * so the end is written only after some. */
static inline void json_element(struct writer *w, const char *key, size_t i)
{
	if (i == 0)
		writer_text(w, key);
	else
		writer_put(w, ",", 1);
}

static inline void json_array_end(struct writer *w, size_t elements)
{
	writer_put(w, "]", elements > 0);
}

/* The names of the bits, where there are any. */
static inline void json_names(struct writer *w, const char *key, unsigned bits, bit_name_fn *name_of)
{
	size_t i = 0;
	unsigned bit;
	for (const char *name; (name = bit_next(&bits, &bit, name_of));) {
		json_element(w, key, i++);
		json_word(w, "", name, strlen(name));
	}
	json_array_end(w, i);
}

/* Writes a member that is left out when it is empty. */
static inline void json_text(struct writer *w, const char *key, urlsift_text text)
{
	if (text.length > 0)
		json_string(w, key, text.bytes, text.length);
}

/* Writes a member that is left out when it is NULL. */
static inline void json_name(struct writer *w, const char *key, const char *text)
{
	if (text)
		json_string(w, key, text, strlen(text));
}

/* ---- Links (json_link.c) ----------------------------------------------------------------- */

/* A link on its way into a record. */
struct link_record {
	const urlsift_link *link;
	const char *text;
	size_t length;
	bool simple;     /* urlsift_link_is_simple: text and target are one, with nothing to escape */
	urlsift_url url; /* the text taken apart, when it is simple */
};

/* Where the link is: field, attribute, line, ranges of its parts. */
void json_place(urlsift_renderer *r, const urlsift_link *link);
/* The members that are of the link alone, from `text` on. */
void json_members(urlsift_renderer *r, struct link_record *l);
/* The verdicts of the grammars, `supplied` bytes of the URL not being in the text of the record. */
void json_verdicts(struct writer *w, const struct verdicts *v, size_t supplied);

#endif
