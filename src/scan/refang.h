/* Defanged links: forms such as `hxxp` and `[.]`, written to prevent a link from being followed. */
#ifndef SCAN_REFANG_H
#define SCAN_REFANG_H

#include "view.h"

enum { REFANG_LONGEST = 8 }; /* bytes of a form at most, and one more */

struct refang_form {
	/* `to` is as long as `from`, or `from` is in brackets, which its first and last byte replace as well, or has one */
	char from[8], to[8];
};

/* Finds the form at p; n bytes are known, and none follow them if `last`.  MORE: more bytes are needed. */
enum verdict refang_form_at(const uint8_t *p, size_t n, bool last, const struct refang_form **form);
/* Whether the form may follow this byte, 0 at the beginning of a text. */
bool refang_may_follow(const struct refang_form *form, uint8_t before);
/* Byte k of the replacement of the form at p; *taken is the number of bytes of the form that it replaces. */
uint8_t refang_byte(const struct refang_form *form, const uint8_t *p, size_t k, size_t *taken);
/* A form may begin with bytes a and b if first[a] & second[b] is not 0. */
struct refang_pairs { uint8_t first[256], second[256]; };
void refang_pairs_init(struct refang_pairs *pairs);

/* The first index in [i, n) where a form may begin, or n. */
size_t refang_find(const struct refang_pairs *pairs, const uint8_t *p, size_t i, size_t n, bool last);

/* Replaces the forms in a text, in place; returns its new length. */
size_t refang_text(const struct refang_pairs *pairs, uint8_t *text, size_t n, bool *changed);

#endif
