/* The fields of a header block: what the message is called, and the links in them. */
#ifndef MAIL_FIELDS_H
#define MAIL_FIELDS_H

#include "header.h"
#include "text.h"

/* Reads id, subject ... into the reading's message. */
void fields_describe(struct reading *r, const uint8_t *block, size_t n);
/* Searches the fields, by the reading's options; the place's part is set.  The block
 * stands at `at`, its first line is `line`. */
void fields_search(struct reading *r, struct text *t, const uint8_t *block, size_t n, uint64_t at, uint64_t line);

#endif
