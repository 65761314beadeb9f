/* The address of a message in a folder of pages: DIR/m/HASH.html, where HASH is the first 16 hexadecimal digits of the
 * SHA-256 of its Message-ID, without the angle brackets.  So other programs can compute it. */
#ifndef INDEX_ADDRESS_H
#define INDEX_ADDRESS_H

#include <stddef.h>
#include <stdint.h>

/* The hash, as a number. */
int64_t address_hash(const char *msgid, size_t n);

#endif
