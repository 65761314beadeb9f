/* Mail and news: mailto (RFC 6068), mid and cid (RFC 2392), news and nntp (RFC
 * 5538, RFC 1738 sections 3.6 and 3.7). */
#include "interpret_fields.h"

#include "text/ascii.h"

#include <string.h>

/* The header fields that have a name of their own; addresses come one by one. */
static const struct header {
	const char *name;
	bool addresses;
} headers[] = { { "to", true }, { "cc", true }, { "bcc", true }, { "subject", false }, { "body", false } };

static void put_header(struct fields *f, struct range value)
{
	struct range name = range_cut(&value, '=');
	fields_begin(f);
	fields_add_decoded(f, name);
	for (size_t i = 0; f->room && i < sizeof headers / sizeof *headers; i++)
		if (ascii_is(f->room, f->used, headers[i].name)) {
			if (headers[i].addresses)
				fields_list(f, headers[i].name, value, ',');
			else
				fields_put(f, headers[i].name, value);
			return;
		}
	fields_add(f, ": ", value.length ? 2 : 1);
	fields_add_decoded(f, value);
	fields_end(f, "header");
}

void interpret_mail(struct fields *f)
{
	struct range query = fields_query(f);
	fields_login(f, NULL);
	fields_list(f, "to", fields_path(f), ',');
	while (query.text) {
		struct range header = range_cut(&query, '&');
		if (header.length)
			put_header(f, header);
	}
}

/* `mid:message-id/content-id`, `cid:content-id`. */
void interpret_id(struct fields *f)
{
	struct range rest = fields_url_path(f);
	if (f->row->name[0] == 'm')
		fields_put(f, "message-id", range_cut(&rest, '/'));
	fields_put(f, "content-id", rest);
}

/* An `@` tells articles from groups, encoded or not.  A server alone stands for all
 * of its groups. */
void interpret_news(struct fields *f)
{
	struct range name = fields_url_path(f);
	fields_login(f, NULL);
	if (!name.length) {
		fields_say(f, f->url->authority.present ? "groups" : "group", f->url->authority.present ? "*" : "");
		return;
	}
	fields_begin(f);
	fields_add_decoded(f, name);
	if (!f->room)
		return;
	if (memchr(f->room, '@', f->used))
		fields_end(f, "message-id");
	else
		fields_end(f, memchr(f->room, '*', f->used) || memchr(f->room, '?', f->used) ? "groups" : "group");
}

void interpret_nntp(struct fields *f)
{
	struct range rest = fields_url_path(f);
	fields_login(f, NULL);
	fields_put(f, "group", range_cut(&rest, '/'));
	fields_put(f, "article", rest);
}
