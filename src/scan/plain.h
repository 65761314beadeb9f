/* The common case of a link, in one pass: http, https or ftp in lower case, bare or
 * in angle brackets, a host of plain labels, and nothing that any other rule would
 * have to look at, before it and up to what ends every link. */
#ifndef SCAN_PLAIN_H
#define SCAN_PLAIN_H

#include "candidate.h"

/* The end of the link whose colon is at i, its bracket included, and in *at that of its bytes and of the punctuation
 * behind them (as struct extent); it is what candidate_read would have made
 * of it, but for guesses (J2).  0: not so plain, candidate_read is to be asked.
 * Reads each byte of the link once. */
size_t plain_read(const struct rules *rules, const struct view *v, size_t i, size_t floor, struct urlsift_link *link, size_t *at);
/* The guess for the link that plain_read made, as guess_join. */
enum verdict plain_guess(const struct rules *rules, const struct view *v, struct urlsift_link *link, size_t at, size_t *end);

#endif
