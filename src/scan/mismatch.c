#include "mismatch.h"

#include <string.h>

/* `<`, `<URL:` or Markdown's `](`, with blanks: a link follows that is not shown
 * for itself. */
static bool is_opening(const uint8_t *p, size_t n)
{
	size_t i = 0;
	bool bracket = n && p[0] == ']';
	i += bracket;
	while (!bracket && i < n && is_blank(p[i]))
		i++;
	if (i >= n || p[i] != (bracket ? '(' : '<'))
		return false;
	i++;
	while (i < n && is_blank(p[i]))
		i++;
	if (!bracket && n - i >= 4 && to_lower(p[i]) == 'u' && to_lower(p[i + 1]) == 'r' && to_lower(p[i + 2]) == 'l' && p[i + 3] == ':')
		i += 4;
	while (i < n && is_blank(p[i]))
		i++;
	return i == n;
}

/* The host in the text of a link or an address; *n is 0 where there is none. */
static const uint8_t *host_in(const uint8_t *p, size_t n, size_t *length)
{
	size_t begin = 0, end, slash = n;
	for (size_t i = 0; i + 2 < n; i++)
		if (p[i] == ':' && p[i + 1] == '/' && p[i + 2] == '/') {
			begin = i + 3;
			break;
		}
	for (size_t i = begin; i < n && slash == n; i++)
		if (p[i] == '/' || p[i] == '?' || p[i] == '#')
			slash = i;
	for (size_t i = slash; i > begin; i--)
		if (p[i - 1] == '@') {
			begin = i;
			break;
		}
	for (end = begin; end < slash && p[end] != ':'; end++)
		;
	if (end - begin > 4 && to_lower(p[begin]) == 'w' && to_lower(p[begin + 1]) == 'w' && to_lower(p[begin + 2]) == 'w' && p[begin + 3] == '.')
		begin += 4;
	while (end > begin && p[end - 1] == '.')
		end--;
	*length = end - begin;
	return p + begin;
}

bool mismatch_names_other(const struct view *v, size_t from, size_t floor, const struct urlsift_link *link)
{
	size_t begin = link_spans(link)[0].from, a, b;
	/* a link in brackets of its own is no text of another */
	if (begin - floor > 16 || v->p[floor - 1] == '>' || !is_opening(v->p + floor, begin - floor))
		return false;
	const uint8_t *shown = host_in(v->p + from, floor - from, &a), *real = host_in(link->text, link->length, &b);
	view_work(v, floor - from);
	if (!a || !b || !memchr(shown, '.', a))
		return false;
	for (size_t i = 0; i < a && a == b; i++)
		if (to_lower(shown[i]) != to_lower(real[i]))
			return true;
	return a != b;
}
