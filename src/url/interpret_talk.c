/* People and places to talk: sip (RFC 3261 section 19.1), xmpp (RFC 5122), irc,
 * and mailboxes on a server: imap (RFC 5092), pop (RFC 2384). */
#include "interpret_fields.h"

#include <string.h>

/* `sip:user:password@host:port;parameters?headers`, without slashes. */
void interpret_sip(struct fields *f)
{
	struct range rest = fields_path(f), user = { NULL, 0 };
	if (rest.length && memchr(rest.text, '@', rest.length))
		user = range_cut(&rest, '@');
	fields_put(f, "user", range_cut(&user, ':'));
	fields_put(f, "password", user);
	struct range host = range_cut(&rest, ';');
	size_t n = 0;
	if (host.length && *host.text == '[') /* its colons are the address's */
		while (n < host.length && host.text[n] != ']')
			n++;
	if (host.text) {
		struct range port = range_behind(host, n);
		host.length = n + range_cut(&port, ':').length;
		fields_put(f, "host", host);
		fields_port(f, port);
	}
	fields_list(f, "parameter", rest, ';');
	fields_list(f, "header", fields_query(f), '&');
}

/* `//account/` before the address that is meant; `?action;parameters` behind. */
void interpret_xmpp(struct fields *f)
{
	struct range rest = fields_url_path(f), query = fields_query(f);
	fields_put(f, "account", fields_part(f, f->url->authority));
	fields_put(f, "address", range_cut(&rest, '/'));
	fields_put(f, "resource", rest);
	fields_put(f, "action", range_cut(&query, ';'));
	fields_list(f, "parameter", query, ';');
}

/* A channel or a nick, and what tells them apart. */
void interpret_irc(struct fields *f)
{
	struct range rest = fields_url_path(f), target = range_cut(&rest, ',');
	fields_login(f, NULL);
	if (target.length)
		fields_put(f, "target", target);
	fields_list(f, "parameter", rest, ',');
	fields_put(f, "search", fields_query(f));
}

/* `user;AUTH=way@host/mailbox;UIDVALIDITY=n/;UID=n/;SECTION=s`: a slash before a
 * semicolon is of both. */
static struct range cut_parameter(struct range *rest)
{
	struct range piece = range_cut(rest, ';');
	if (rest->text && piece.length && piece.text[piece.length - 1] == '/')
		piece.length--;
	return piece;
}

void interpret_mailbox(struct fields *f)
{
	struct range rest = fields_url_path(f), user = fields_part(f, f->url->user);
	fields_put(f, "user", range_cut(&user, ';'));
	fields_list(f, "parameter", user, ';');
	fields_server(f);
	fields_put(f, "mailbox", cut_parameter(&rest));
	while (rest.text)
		fields_put(f, "parameter", cut_parameter(&rest));
	fields_put(f, "search", fields_query(f));
}
