#include "html.h"
#include "text/ascii.h"
#include "text/charset.h"
#include "text/match.h"

#include <string.h>

#define SPACE " \t\n\f\r"

struct attribute {
	const char *name, *value;
	size_t name_length, length;
};

/* The attributes that count, by the numbers of their names. */
enum { OTHER, CHARSET, CONTENT, EQUIV, ENCODING, KINDS };
static const char names[] = "charset content http-equiv encoding";

/* A word up to a byte of `stops`, or what is in quotation marks. */
static size_t read_value(const char *p, size_t i, size_t n, const char *stops, struct attribute *a)
{
	i = byte_after(p, i, n, SPACE);
	const bool quoted = i < n && is_quote_mark((uint8_t)p[i]);
	const size_t from = i + quoted;
	i = quoted ? byte_index((const uint8_t *)p, from, n, (uint8_t)p[i]) : byte_until(p, from, n, stops);
	a->value = p + from;
	a->length = i - from;
	return i + (quoted && i < n);
}

/* The attribute at p[i] of a tag, which ends where it has no name; returns the index after it. */
static size_t read_attribute(const char *p, size_t i, size_t n, struct attribute *a)
{
	i = byte_after(p, i, n, SPACE "/");
	*a = (struct attribute){.name = p + i};
	const size_t end = byte_until(p, i + (i < n && p[i] == '='), n, SPACE "/>=");
	a->name_length = end - i;
	i = byte_after(p, end, n, SPACE);
	return i < n && p[i] == '=' ? read_value(p, i + 1, n, SPACE ">", a) : end;
}

/* What follows `charset=` in a content type; empty for none. */
static struct attribute in_content(const struct attribute *content)
{
	static const char word[] = "charset";
	const char *p = content->value;
	const size_t n = content->length;
	struct attribute a = {.length = 0};
	for (size_t i = 0; i < n && !a.value; i++) {
		if (!ascii_opens(p + i, n - i, word))
			continue;
		const size_t equals = byte_after(p, i + sizeof word - 1, n, SPACE);
		if (equals < n && p[equals] == '=')
			read_value(p, equals + 1, n, SPACE ";", &a);
	}
	return a;
}

/* Takes the name of a charset that is known, or the first; returns whether browsers know it.  What can be read as ASCII
 * is not UTF-16; they have no UTF-32 and UTF-7. */
static bool take_name(char *name, struct attribute a)
{
	a.value = text_or(a.value, "");
	text_trim(&a.value, &a.length, SPACE);
	const struct charset_row *row = charset_name_find(a.value, a.length);
	if (row && within(row->coding, CODING_UTF16, CODING_UTF7))
		a = (struct attribute){.value = "utf-8", .length = 5};
	if (row || !*name) {
		a.length = size_fitting(a.length, HTML_CHARSET_SIZE - 1);
		*(char *)bytes_put(name, a.value, a.length) = '\0';
	}
	return row && !within(row->coding, CODING_UTF32, CODING_UTF7);
}

/* As browsers do before they parse (HTML, "prescan a byte stream"), and not in text without tags. */
void html_charset(const uint8_t *bytes, size_t n, char name[HTML_CHARSET_SIZE])
{
	static const char raw_elements[] = "script style title textarea xmp iframe noembed noframes";
	const char *p = (const char *)bytes;
	size_t raw = 0; /* which of these is open */
	bool known = utf8_mark(p, n) || utf16_begins(p, n); /* the mark declares it */
	*name = '\0';
	for (size_t i = 0; !known && (i = byte_index(bytes, i, n, '<')) < n;) {
		const bool xml = i == 0 && ascii_opens(p, n, "<?xml"), closes = text_begins(p + i, n - i, "</");
		const size_t tag = i + 1 + closes, end = byte_until(p, tag, n, SPACE "/>");
		const size_t element = ascii_word(p + tag, end - tag, raw_elements);
		if (raw && !(closes && element == raw)) {
			i++;
		} else if (text_begins(p + i, n - i, "<!--")) {
			i += 2;
			i += text_index(p + i, n - i, "-->");
		} else if (xml || (tag < n && is_alpha(bytes[tag]))) {
			struct attribute found[KINDS] = {{.name = NULL}}, a;
			for (i = end; i = read_attribute(p, i, n, &a), a.name_length;) {
				struct attribute *kind = &found[ascii_word(a.name, a.name_length, names)];
				*kind = kind->name ? *kind : a; /* the first counts */
			}
			if (xml)
				take_name(name, found[ENCODING]); /* a <meta> has precedence */
			else if (closes || !ascii_is(p + tag, end - tag, "meta"))
				raw = closes ? 0 : element;
			else if (found[CHARSET].name)
				known = take_name(name, found[CHARSET]);
			else if (ascii_is(found[EQUIV].value, found[EQUIV].length, "content-type"))
				known = take_name(name, in_content(&found[CONTENT]));
		} else {
			i = match_bytes(bytes + i, n - i, "<[!?/]") ? byte_index(bytes, tag, n, '>') : i + 1;
		}
	}
}
