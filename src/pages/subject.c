#include "collect.h"

#include "text/ascii.h"
#include "text/match.h"

#ifdef URLSIFT_WITH_SQLITE

#include <string.h>

urlsift_text subject_author(urlsift_text from)
{
	const uint8_t *p = (const uint8_t *)from.bytes, *end = p + from.length, *open = find_byte(p, end, '<');
	if (p < end && p == open) {
		p++;
		end = find_byte(p, end, '>');
	} else if (open < end) {
		end = open;
	} else if (text_ends(p, (size_t)(end - p), ")") && (open = find_byte(p, end, '(')) < end) {
		p = open + 1;
		end--;
	}
	urlsift_text author = { (const char *)p, (size_t)(end - p) };
	text_trim(&author.bytes, &author.length, " \"");
	return author.length ? author : from;
}

int64_t subject_base(urlsift_text subject, bool *reply)
{
	char text[1024];
	const uint8_t *p = (const uint8_t *)subject.bytes, *end = p + subject.length;
	size_t used = 0, n;
	*reply = false;
	do {
		/* blanks, and a `[tag]` before more text */
		n = match_bytes(p, excess((size_t)(end - p), 1), " *%[[^%]]*%]| *") - 1;
		p += n;
		/* `Re:`, `Re[2]:` and the like */
		const size_t left = (size_t)(end - p), word = byte_span(p, 0, left, BYTE_ALPHA);
		const size_t colon = match_bytes(p + word, left - word, ":|[[(][%d%])]*:");
		if (colon && ascii_is_among(p, word, "re aw sv vs antw odp rif ref")) {
			*reply = true;
			n += word + colon - 1;
			p += word + colon - 1;
		}
	} while (n > 0);
	for (; p < end && used < sizeof text; p++)
		if (*p != ' ')
			text[used++] = (char)to_lower(*p);
	return used ? plan_hash(text, used) : 0;
}

#endif
