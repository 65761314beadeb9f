/* CSV (RFC 4180): where fields end in what is read, a file or a part of mail. */
#ifndef TEXT_CSV_H
#define TEXT_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a reader is.  Zeros are the beginning. */
struct csv_reader {
	uint8_t separator; /* the first comma or semicolon outside quotation marks: of the first line, or, where that has
	                    * none, as a title, of a line that has no colon before it; 0 before it */
	bool titled;       /* the first line has none, */
	bool colon;        /* and this one has a colon */
	bool between;      /* the last bytes were those between two fields */
	bool begun;        /* the field has a character, */
	bool enclosed;     /* and that is a quotation mark, */
	bool open;         /* after which the number of those is odd */
};

/* How many of the n > 0 bytes at p belong together: those of a field, or what is between two.  False: to what was read
 * last, too.  (A scanner_divide.) */
bool csv_next(void *reader, const uint8_t *p, size_t n, size_t *length);

#endif
