/* The common case of a bare link, in one pass: http, https or ftp in lower case
 * behind white space or a quotation mark, a host of plain labels, and nothing
 * that any other rule would have to look at, up to what ends every link. */
#ifndef SCAN_PLAIN_H
#define SCAN_PLAIN_H

#include "colon.h"

/* YES: the link is what colon_read would have made of the colon at i.  NO: not so
 * plain, colon_read is to be asked.  Reads each byte of the link once. */
enum verdict plain_read(const struct try *t, size_t i);

#endif
