#include "collect.h"

#include "text/ascii.h"

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
	size_t used = 0, n = 1;
	*reply = false;
	while (n > 0) {
		/* blanks, and a `[tag]` before more text */
		const uint8_t *text_at = p + byte_run(p, 0, (size_t)(end - p), ' ');
		const size_t rest = (size_t)(end - text_at);
		const uint8_t *close = text_begins(text_at, rest, "[") ? memchr(text_at, ']', rest) : NULL;
		const size_t tag = (size_t)((close && close + 1 < end ? close + 1 : text_at) - p);
		p += tag;
		n = tag;
		/* `Re:`, `Re[2]:` and the like */
		const size_t left = (size_t)(end - p), word = byte_span(p, 0, left, BYTE_ALPHA);
		const bool counted = BYTE_IN(byte_at(p, word, left), "[(");
		const size_t at = counted ? byte_after(p, word + 1, left, "0123456789])") : word;
		if (ascii_is_among(p, word, "re aw sv vs antw odp rif ref") && byte_at(p, at, left) == ':') {
			*reply = true;
			p += at + 1;
			n += at + 1;
		}
	}
	for (; p < end && used < sizeof text; p++)
		if (*p != ' ')
			text[used++] = (char)to_lower(*p);
	return used ? plan_hash(text, used) : 0;
}

#endif
