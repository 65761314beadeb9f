/* Words, strings and forms of URLs as records. */
#include "record.h"

#include <stdlib.h>
#include <string.h>

enum { RECORD_KEPT = 1 << 18 }; /* words: a larger buffer is released */

bool reserve(struct record *r, size_t more)
{
	if (r->failed || r->room - r->count >= more)
		return !r->failed;
	size_t room = (r->count + more) * 2;
	uint32_t *words = realloc(r->words, room * sizeof *words);
	if (!words) {
		r->failed = true;
		return false;
	}
	r->words = words;
	r->room = room;
	return true;
}

void add_word(struct record *r, uint32_t word)
{
	if (reserve(r, 1))
		r->words[r->count++] = word;
}

void add_string(struct record *r, const char *bytes, size_t n)
{
	if (!reserve(r, 2 + n / 4))
		return;
	r->words[r->count] = (uint32_t)n;
	memcpy(r->words + r->count + 1, bytes, n);
	r->count += 1 + (n + 3) / 4;
}

void add_name(struct record *r, const char *text) { add_string(r, text ? text : "", text ? strlen(text) : 0); }

void add_form(struct record *r, const void *of, form_of *write)
{
	size_t room, n;
	do {
		if (!reserve(r, 64))
			return;
		room = (r->room - r->count - 1) * sizeof *r->words;
		n = write(of, (char *)(r->words + r->count + 1), room);
		if (n == URLSIFT_LENGTH_NO_MEMORY)
			r->failed = true;
		else if (n > room)
			reserve(r, 2 + n / 4);
	} while (!r->failed && n > room);
	if (r->failed)
		return;
	r->words[r->count] = (uint32_t)n;
	r->count += 1 + (n + 3) / 4;
}

size_t url_target(const void *of, char *out, size_t size) { return urlsift_url_target(of, out, size); }

void record_empty(struct record *r)
{
	if (r->room > RECORD_KEPT) {
		free(r->words);
		r->words = NULL;
		r->room = 0;
	}
	r->count = 0;
	r->failed = false;
}
