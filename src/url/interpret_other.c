/* Schemes that came after RFC 1738. */
#include "interpret.h"

#include "text/ascii.h"

#include <string.h>

/* ---- Without a server: mid and cid (RFC 2392), urn (RFC 8141), doi, tel (RFC 3966), sms (RFC 5724), geo (RFC 5870),
 * payments, data (RFC 2397) ---- */

/* `mid:message-id/content-id`, `cid:content-id`. */
void interpret_id(struct interpretation *f)
{
	struct range rest = range_url_path(f);
	if (f->row->name[0] == 'm')
		report_range(f, "message-id", range_cut(&rest, '/'));
	report_range(f, "content-id", rest);
}

void interpret_urn(struct interpretation *f)
{
	struct range rest = range_path(f), query = range_query(f);
	report_range(f, "nid", range_cut(&rest, ':'));
	report_range(f, "nss", rest);
	if (range_begins(query, "+")) {
		query = range_after(query, 1);
		report_range(f, "r-component", range_split(&query, text_index(query.text, query.length, "?="), 1));
	}
	if (range_begins(query, "="))
		report_range(f, "q-component", range_after(query, 1));
	else
		report_range(f, "search", query);
}

void interpret_doi(struct interpretation *f)
{
	struct range rest = range_url_path(f);
	report_range(f, "prefix", range_cut(&rest, '/'));
	report_range(f, "suffix", rest);
	report_range(f, "search", range_query(f));
}

/* Numbers separated by commas, each with its parameters; a text for all. */
void interpret_phone(struct interpretation *f)
{
	struct range numbers = range_path(f);
	while (numbers.text) {
		struct range rest = range_cut(&numbers, ',');
		report_range(f, "number", range_cut(&rest, ';'));
		report_list(f, "parameter", rest, ';');
	}
	report_list(f, "parameter", range_query(f), '&');
}

void interpret_geo(struct interpretation *f)
{
	static const char *const names[] = { "latitude", "longitude", "altitude" };
	struct range rest = range_url_path(f), place = range_cut(&rest, ';');
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		report_range(f, names[i], range_cut(&place, ','));
	report_list(f, "parameter", rest, ';');
	report_range(f, "search", range_query(f));
}

void interpret_payment(struct interpretation *f)
{
	report_range(f, "address", range_path(f));
	report_list(f, "parameter", range_query(f), '&');
}

/* Perhaps an authority or a path, and parameters. */
void interpret_parameters(struct interpretation *f)
{
	report_login(f);
	report_range(f, "path", range_path(f));
	report_list(f, "parameter", range_query(f), '&');
}

void interpret_data(struct interpretation *f)
{
	struct range data = range_url_path_query(f), rest = range_cut(&data, ','), type = range_cut(&rest, ';');
	if (type.length)
		report_range(f, "media-type", type);
	else
		report_string(f, "media-type", "text/plain");
	report_list(f, "parameter", rest, ';');
	report_range(f, "data", data);
}

/* No client should follow it. */
void interpret_opaque(struct interpretation *f)
{
	report_range(f, "content", range_url_path_query(f));
}

/* ---- Databases and directories: z39.50 (RFC 2056), ldap (RFC 4516) ---- */

/* Databases separated by `+`, a document, and how to send it. */
void interpret_z3950(struct interpretation *f)
{
	struct range rest = range_url_path_query(f), names = range_cut(&rest, ';'), databases = range_cut(&names, '?');
	report_login(f);
	report_list(f, "database", databases, '+');
	report_range(f, "document-id", names);
	report_list(f, "parameter", rest, ';');
}

void interpret_ldap(struct interpretation *f)
{
	struct range rest = range_query(f);
	report_login(f);
	report_range(f, "dn", range_url_path(f));
	report_list(f, "attribute", range_cut(&rest, '?'), ',');
	report_range(f, "scope", range_cut(&rest, '?'));
	report_range(f, "filter", range_cut(&rest, '?'));
	report_list(f, "extension", rest, ',');
}

/* ---- Conversations and mailboxes: sip (RFC 3261 section 19.1), xmpp (RFC 5122), irc, imap (RFC 5092), pop
 * (RFC 2384) ---- */

/* `sip:user:password@host:port;parameters?headers`, without slashes. */
void interpret_sip(struct interpretation *f)
{
	struct range rest = range_path(f), user = { NULL, 0 };
	if (rest.length && memchr(rest.text, '@', rest.length))
		user = range_cut(&rest, '@');
	report_range(f, "user", range_cut(&user, ':'));
	report_range(f, "password", user);
	struct range host = range_cut(&rest, ';');
	/* the colons of an address in brackets belong to it */
	const bool literal = range_begins(host, "[");
	const size_t n = literal ? byte_index((const uint8_t *)host.text, 0, host.length, ']') : 0;
	if (host.text) {
		struct range port = range_after(host, n);
		host.length = n + range_cut(&port, ':').length;
		report_range(f, "host", host);
		report_port(f, port);
	}
	report_list(f, "parameter", rest, ';');
	report_list(f, "header", range_query(f), '&');
}

/* `//account/address?action;parameters` */
void interpret_xmpp(struct interpretation *f)
{
	struct range rest = range_url_path(f), query = range_query(f);
	report_range(f, "account", range_of(f, f->url->authority));
	report_range(f, "address", range_cut(&rest, '/'));
	report_range(f, "resource", rest);
	report_range(f, "action", range_cut(&query, ';'));
	report_list(f, "parameter", query, ';');
}

/* A channel or a nick, and flags that tell which. */
void interpret_irc(struct interpretation *f)
{
	struct range rest = range_url_path(f), target = range_cut(&rest, ',');
	report_login(f);
	if (target.length)
		report_range(f, "target", target);
	report_list(f, "parameter", rest, ',');
	report_range(f, "search", range_query(f));
}

/* `user;AUTH=way@host/mailbox;UIDVALIDITY=n/;UID=n/;SECTION=s`: a slash before a semicolon belongs to neither side. */
static struct range cut_parameter(struct range *rest)
{
	struct range piece = range_cut(rest, ';');
	piece.length -= rest->text && text_ends(piece.text, piece.length, "/");
	return piece;
}

void interpret_mailbox(struct interpretation *f)
{
	struct range rest = range_url_path(f), user = range_of(f, f->url->user);
	report_range(f, "user", range_cut(&user, ';'));
	report_list(f, "parameter", user, ';');
	report_server(f);
	report_range(f, "mailbox", cut_parameter(&rest));
	while (rest.text)
		report_range(f, "parameter", cut_parameter(&rest));
	report_range(f, "search", range_query(f));
}
