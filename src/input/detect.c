#include "detect.h"

#include <string.h>

/* What the input would be if it went on with these lines and ended.  A line that is
 * not whole yet says nothing. */
static urlsift_mail_kind kind_with(char *bytes, size_t n, const char lines[DETECT_ROOM])
{
	char saved[DETECT_ROOM];
	while (n > 0 && bytes[n - 1] != '\n')
		n--;
	memcpy(saved, bytes + n, DETECT_ROOM);
	memcpy(bytes + n, lines, DETECT_ROOM);
	urlsift_mail_kind kind = urlsift_mail_detect(bytes, n + strlen(lines), 1);
	memcpy(bytes + n, saved, DETECT_ROOM);
	return kind;
}

bool detect_kind(char *bytes, size_t n, bool complete, urlsift_mail_kind *kind)
{
	static const char header[DETECT_ROOM] = "From: a\nDate: a\n\n", text[DETECT_ROOM] = "no header\n\n";
	*kind = urlsift_mail_detect(bytes, n, complete);
	if (complete || n >= URLSIFT_DETECT_BYTES)
		return true;
	return kind_with(bytes, n, header) == kind_with(bytes, n, text);
}
