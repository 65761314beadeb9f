/* RFC 1738 section 3.4, RFC 4266: the gopher-path and what a client sends. */
#include "interpret_fields.h"

#include <string.h>

/* Takes what stands before an encoded tab off *rest, as range_cut. */
static struct range cut_tab(struct range *rest)
{
	struct range all = *rest;
	for (size_t i = 0; i + 3 <= all.length; i++)
		if (memcmp(all.text + i, "%09", 3) == 0) {
			*rest = range_behind(all, i + 3);
			return (struct range){ all.text, i };
		}
	*rest = (struct range){ NULL, 0 };
	return all;
}

static bool begins(struct range r, const char *with)
{
	size_t n = strlen(with);
	return r.length >= n && memcmp(r.text, with, n) == 0;
}

/* Calls the decoded pieces of r between single characters. */
static void call_pieces(struct fields *f, const char *name, struct range r, char separator)
{
	while (r.text) {
		struct range piece = range_cut(&r, separator);
		fields_call(f, name, piece.text, piece.length);
	}
}

static const char form[] = "+\t1\r\n+-1\r\n";

/* The answers of a form, a line each, up to a line with nothing but a full stop
 * (section 3.4.9). */
static void call_answers(struct fields *f, struct range r)
{
	while (r.length && !begins(r, ".\r\n")) {
		struct range line = range_cut(&r, '\n');
		if (line.length && line.text[line.length - 1] == '\r')
			line.length--;
		fields_call(f, "answer", line.text, line.length);
	}
}

/* The gopher+ string is what the client sends, encoded: it is split decoded. */
static void call_plus(struct fields *f, struct range encoded)
{
	fields_begin(f);
	fields_add_decoded(f, encoded);
	fields_end(f, "gopher+");
	struct range plus = { f->room, f->used };
	if (!plus.text || !plus.length)
		return;
	struct range rest = range_behind(plus, 1);
	if (begins(plus, form)) {
		call_answers(f, range_behind(plus, sizeof form - 1));
	} else if (*plus.text == '+' && rest.length) {
		struct range view = range_cut(&rest, ' ');
		fields_call(f, "view", view.text, view.length);
		if (rest.text)
			fields_call(f, "language", rest.text, rest.length);
	} else if ((*plus.text == '!' || *plus.text == '$') && rest.length) {
		call_pieces(f, "attribute", rest, ' ');
	}
}

/* Section 3.4.3 sends an empty search; section 3.4.9, a form, does not, and ends
 * its last line itself. */
static void call_send(struct fields *f, struct range selector, struct range search, struct range plus)
{
	fields_begin(f);
	fields_add_decoded(f, plus);
	bool is_form = f->room && begins((struct range){ f->room, f->used }, form);
	bool ended = is_form && f->room[f->used - 1] == '\n';
	fields_begin(f);
	fields_add_decoded(f, selector);
	if (search.length || (search.text && !is_form))
		fields_add(f, "\t", 1);
	fields_add_decoded(f, search);
	if (plus.text)
		fields_add(f, "\t", 1);
	fields_add_decoded(f, plus);
	fields_add(f, "\r\n", ended ? 0 : 2);
	fields_end(f, "send");
}

void interpret_gopher(struct fields *f)
{
	struct range path = fields_url_path(f);
	fields_login(f, NULL);
	if (path.length) {
		size_t n = *path.text == '%' && path.length >= 3 ? 3 : 1;
		fields_put(f, "type", (struct range){ path.text, n });
		path = range_behind(path, n);
	} else {
		fields_say(f, "type", "1");
		path = (struct range){ "", 0 };
	}
	struct range selector = cut_tab(&path), search = { NULL, 0 };
	if (path.text)
		search = cut_tab(&path);
	fields_put(f, "selector", selector);
	fields_put(f, "search", search);
	if (path.text)
		call_plus(f, path);
	call_send(f, selector, search, path);
}
