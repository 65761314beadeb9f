#ifndef TEXT_BITS_H
#define TEXT_BITS_H

#include <stdbool.h>
#include <stddef.h>

/* The flags if it is so, else none. */
static inline unsigned bits_if(bool is, unsigned flags) { return is ? flags : 0; }

typedef const char *bit_name_fn(unsigned bit);

/* The name of the lowest one of the bits that has a name, *bit; NULL where none has.  *bits keeps those above it. */
static inline const char *bit_next(unsigned *bits, unsigned *bit, bit_name_fn *name_of)
{
	const char *name = NULL;
	while (*bits && !name) {
		*bit = *bits & ~(*bits - 1);
		*bits ^= *bit;
		name = name_of(*bit);
	}
	return name;
}

#endif
