/* The schemes of RFC 1738, with what later RFCs changed. */
#include "interpret.h"

#include "text/ascii.h"
#include "text/bytes.h"
#include "text/match.h"

#include <string.h>

/* RFC 3986, for schemes without a structure of their own. */
void interpret_common(struct interpretation *f)
{
	report_login(f);
	report_range(f, "path", range_path(f));
	report_range(f, "search", range_query(f));
}

/* RFC 1738 section 3.3; an absent path is `/`. */
void interpret_http(struct interpretation *f)
{
	report_login(f);
	if (f->url->authority.present && !f->url->path.length)
		report_string(f, "path", "/");
	else
		report_range(f, "path", range_path(f));
	report_range(f, "search", range_query(f));
}

/* RFC 1738 section 3.8: a service without objects. */
void interpret_login(struct interpretation *f)
{
	report_login(f);
}

/* RFC 1738 section 3.10: the segments of a hierarchy, not a file name of this system. */
void interpret_file(struct interpretation *f)
{
	report_range(f, "host", range_of(f, f->url->host));
	struct range path = range_path(f);
	if (range_begins(path, "/"))
		path = range_after(path, 1);
	while (path.text)
		report_range(f, "segment", range_cut(&path, '/'));
}

/* ---- ftp (section 3.2.2): the url-path as a sequence of FTP commands ---- */

void interpret_ftp(struct interpretation *f)
{
	enum { LENGTH = sizeof ";type=" - 1 };
	struct range path = range_url_path(f);
	if (f->url->authority.present && !f->url->user.present)
		report_default(f, "user", "anonymous", "by default, with your mail address as the password");
	report_login(f);
	if (!path.text)
		return;
	/* `;type=` and one of its three codes end the url-path */
	const struct range end = range_after(path, excess(path.length, LENGTH + 1));
	struct range type = { NULL, 0 };
	if (match_bytes((const uint8_t *)end.text, end.length, ";[tT][yY][pP][eE]=[aidAID]" MATCH_END)) {
		path.length -= end.length;
		type = range_after(end, LENGTH);
	}
	struct range name = range_cut(&path, '/');
	for (; path.text; name = range_cut(&path, '/'))
		report_range(f, "cwd", name);
	report_range(f, "type", type);
	report_range(f, type.text && (*type.text | 0x20) == 'd' ? "nlst" : "retr", name);
}

/* ---- gopher (section 3.4, RFC 4266): the gopher-path and what a client sends ---- */

/* range_cut at an encoded tab. */
static struct range cut_tab(struct range *rest)
{
	return range_split(rest, text_index(rest->text, rest->length, "%09"), 3);
}

static const char form[] = "+\t1\r\n+-1\r\n";

/* The gopher+ string is sent decoded, and therefore split decoded. */
static void call_plus(struct interpretation *f, struct range encoded)
{
	compose_begin(f);
	compose_add_decoded(f, encoded);
	compose_report(f, "gopher+");
	struct range plus = { f->value, f->used };
	if (!plus.length)
		return;
	struct range rest = range_after(plus, 1);
	if (range_begins(plus, form)) {
		/* The answers of a form, one per line, up to a line with only a full stop (section 3.4.9). */
		struct range r = range_after(plus, sizeof form - 1);
		while (r.length && !range_begins(r, ".\r\n")) {
			struct range line = range_cut(&r, '\n');
			line.length -= text_ends(line.text, line.length, "\r");
			report_bytes(f, "answer", line.text, line.length);
		}
	} else if (*plus.text == '+' && rest.length) {
		struct range view = range_cut(&rest, ' ');
		report_bytes(f, "view", view.text, view.length);
		if (rest.text)
			report_bytes(f, "language", rest.text, rest.length);
	} else if (BYTE_IN(*plus.text, "!$") && rest.length) {
		while (rest.text) {
			struct range piece = range_cut(&rest, ' ');
			report_bytes(f, "attribute", piece.text, piece.length);
		}
	}
}

void interpret_gopher(struct interpretation *f)
{
	struct range path = range_url_path(f);
	report_login(f);
	if (path.length) {
		size_t n = *path.text == '%' && path.length >= 3 ? 3 : 1;
		report_range(f, "type", (struct range){ path.text, n });
		path = range_after(path, n);
	} else {
		report_string(f, "type", "1");
		path = (struct range){ "", 0 };
	}
	struct range selector = cut_tab(&path), search = cut_tab(&path);
	report_range(f, "selector", selector);
	report_range(f, "search", search);
	if (path.text)
		call_plus(f, path);
	/* An empty search is sent (section 3.4.3) unless there is a form (section 3.4.9), which ends its last line
	 * itself. */
	compose_begin(f);
	compose_add_decoded(f, path);
	bool is_form = range_begins((struct range){ f->value, f->used }, form);
	bool ended = is_form && f->value[f->used - 1] == '\n';
	compose_begin(f);
	compose_add_decoded(f, selector);
	compose_add(f, "\t", search.length || (search.text && !is_form));
	compose_add_decoded(f, search);
	compose_add(f, "\t", path.text != NULL);
	compose_add_decoded(f, path);
	compose_add(f, "\r\n", ended ? 0 : 2);
	compose_report(f, "send");
}

/* ---- mailto (RFC 6068), news and nntp (RFC 5538, sections 3.6 and 3.7) ---- */

/* The header fields that are fields of their own; addresses are reported singly. */
static const struct header {
	const char *name;
	bool addresses;
} headers[] = {
	{ NULL, false }, { "to", true }, { "cc", true }, { "bcc", true }, { "subject", false }, { "body", false }
};
#define HEADERS "to cc bcc subject body"

void interpret_mail(struct interpretation *f)
{
	struct range query = range_query(f);
	report_login(f);
	report_list(f, "to", range_path(f), ',');
	while (query.text) {
		struct range value = range_cut(&query, '&'), name = range_cut(&value, '=');
		if (!name.length && !value.text)
			continue;
		compose_begin(f);
		compose_add_decoded(f, name);
		const struct header *header = &headers[ascii_word(f->value, f->used, HEADERS)];
		if (!header->name) {
			compose_add(f, ": ", value.length ? 2 : 1);
			compose_add_decoded(f, value);
			compose_report(f, "header");
		} else if (header->addresses) {
			report_list(f, header->name, value, ',');
		} else {
			report_range(f, header->name, value);
		}
	}
}

/* An `@`, encoded or not, distinguishes articles from groups.  A server alone means all its groups. */
void interpret_news(struct interpretation *f)
{
	struct range name = range_url_path(f);
	report_login(f);
	if (!name.length) {
		if (f->url->authority.present)
			report_string(f, "groups", "*");
		else
			report_string(f, "group", "");
		return;
	}
	compose_begin(f);
	compose_add_decoded(f, name);
	if (!f->value)
		return;
	if (memchr(f->value, '@', f->used))
		compose_report(f, "message-id");
	else
		compose_report(f, byte_until(f->value, 0, f->used, "*?") < f->used ? "groups" : "group");
}

void interpret_nntp(struct interpretation *f)
{
	struct range rest = range_url_path(f);
	report_login(f);
	report_range(f, "group", range_cut(&rest, '/'));
	report_range(f, "article", rest);
}

/* ---- wais (section 3.9), prospero (section 3.11) ---- */

/* A database; a search in it; or a document of it, in the server's naming. */
void interpret_wais(struct interpretation *f)
{
	struct range rest = range_url_path(f);
	report_login(f);
	report_range(f, "database", range_cut(&rest, '/'));
	report_range(f, "search", range_query(f));
	report_range(f, "document-type", range_cut(&rest, '/'));
	report_range(f, "document-id", rest);
}

void interpret_prospero(struct interpretation *f)
{
	struct range rest = range_url_path(f);
	report_login(f);
	report_range(f, "hsoname", range_cut(&rest, ';'));
	report_list(f, "field", rest, ';');
}
