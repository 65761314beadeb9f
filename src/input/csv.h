/* Cells of CSV (RFC 4180) for what uses only the public headers of the library. */
#ifndef INPUT_CSV_H
#define INPUT_CSV_H

#include <stdbool.h>
#include <stddef.h>

/* Writes a cell as the format csv, at most `size` bytes of it; returns the length of all. */
size_t csv_cell(const char *text, size_t n, bool spreadsheet, char *out, size_t size);

#endif
