/* Callbacks of the HTML reader for what a test does not look at. */
#ifndef HTMLTEXT_PASS_H
#define HTMLTEXT_PASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline int pass_limit(void *user, uint64_t source)
{
	(void)user, (void)source;
	return 0;
}

static inline int pass_alt(void *user, const uint8_t *text, size_t length)
{
	(void)user, (void)text, (void)length;
	return 0;
}

static inline int pass_unseen(void *user, bool unseen, bool turned)
{
	(void)user, (void)unseen, (void)turned;
	return 0;
}

#endif
