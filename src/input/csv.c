#include "csv.h"

#include "render/escape.h"

size_t csv_cell(const char *text, size_t n, bool spreadsheet, char *out, size_t size)
{
	return escape_csv_text(text, n, spreadsheet, out, size);
}
