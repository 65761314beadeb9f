/* Defanged links: forms such as `hxxp` and `[.]`, which keep a link from being followed. */
#ifndef SCAN_REFANG_H
#define SCAN_REFANG_H

#include "view.h"

/* No form is longer, with the bytes after it that decide about it. */
enum { REFANG_LONGEST = 8 };

struct refang_form {
	const char *from, *to; /* `to` is as long, or it stands in brackets: its first and last byte take those with them */
};

/* The form at p, of which n bytes are known.  MORE: unless `last`, more bytes decide. */
enum verdict refang_form_at(const uint8_t *p, size_t n, bool last, const struct refang_form **form);
/* Whether the form may follow this byte, 0 at the beginning of a text. */
bool refang_may_follow(const struct refang_form *form, uint8_t before);
/* Byte k of what the form at p stands for; *taken is how many bytes of the form it replaces. */
uint8_t refang_byte(const struct refang_form *form, const uint8_t *p, size_t k, size_t *taken);
/* Two bytes may begin a form when their entries share a bit. */
struct refang_pairs { uint8_t first[256], second[256]; };
void refang_pairs_init(struct refang_pairs *pairs);

/* The first index in [i, n) where a form may begin, or n. */
size_t refang_find(const struct refang_pairs *pairs, const uint8_t *p, size_t i, size_t n, bool last);

/* Replaces the forms in a text of its own; returns its new length. */
size_t refang_text(const struct refang_pairs *pairs, uint8_t *text, size_t n, bool *changed);

#endif
