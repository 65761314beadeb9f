/* RFC 1738 section 3.2.2: the url-path as a sequence of FTP commands. */
#include "interpret_fields.h"

#include "text/ascii.h"

#include <string.h>

/* Takes `;type=` and its code off the end of the url-path; absent where there is
 * none of the three codes. */
static struct range cut_type(struct range *path)
{
	static const char word[] = ";type=";
	enum { LENGTH = sizeof word - 1 };
	struct range none = { NULL, 0 };
	if (path->length < LENGTH + 1)
		return none;
	struct range end = range_behind(*path, path->length - LENGTH - 1);
	if (!ascii_begins(end.text, word, LENGTH) || !memchr("aidAID", end.text[LENGTH], 6))
		return none;
	path->length -= end.length;
	return range_behind(end, LENGTH);
}

void interpret_ftp(struct fields *f)
{
	struct range path = fields_url_path(f);
	fields_login(f, "anonymous");
	if (!path.text)
		return;
	struct range type = cut_type(&path), name = range_cut(&path, '/');
	for (; path.text; name = range_cut(&path, '/'))
		fields_put(f, "cwd", name);
	fields_put(f, "type", type);
	fields_put(f, type.text && (*type.text | 0x20) == 'd' ? "nlst" : "retr", name);
}
