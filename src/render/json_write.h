/* Members of a JSON object.  Every record begins with `type`, so each further key has a
 * comma before it.  The functions are inline so that the lengths of keys are constants. */
#ifndef RENDER_JSON_WRITE_H
#define RENDER_JSON_WRITE_H

#include "escape.h"

#define KEY(name) ",\"" name "\":"

static inline void json_string(struct writer *w, const char *key, const char *text, size_t n)
{
	writer_text(w, key);
	escape_json(w, text, n);
}

/* The same of a text without anything to escape: a name, a scheme. */
static inline void json_word(struct writer *w, const char *key, const char *text, size_t n)
{
	writer_text(w, key);
	writer_put(w, "\"", 1);
	writer_put(w, text, n);
	writer_put(w, "\"", 1);
}

static inline void json_number(struct writer *w, const char *key, uint64_t n)
{
	writer_text(w, key);
	writer_number(w, n);
}

/* Before element i of an array under the key, which is left out when it has no elements:
 * so the end is written only after some. */
static inline void json_element(struct writer *w, const char *key, size_t i)
{
	if (i == 0)
		writer_text(w, key);
	writer_put(w, i == 0 ? "[" : ",", 1);
}

static inline void json_array_end(struct writer *w, size_t elements)
{
	writer_put(w, "]", elements > 0);
}

/* The names of the bits, where there are any. */
static inline void json_names(struct writer *w, const char *key, unsigned bits, const char *(*name_of)(unsigned bit))
{
	size_t i = 0;
	for (unsigned bit = 1; bit && bit <= bits; bit <<= 1) {
		const char *name = bits & bit ? name_of(bit) : NULL;
		if (!name)
			continue;
		json_element(w, key, i++);
		json_word(w, "", name, strlen(name));
	}
	json_array_end(w, i);
}

#endif
