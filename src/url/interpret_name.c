/* What is named without a server: urn (RFC 8141), doi, tel (RFC 3966), sms (RFC
 * 5724), geo (RFC 5870), data (RFC 2397), what is paid to. */
#include "interpret_fields.h"

void interpret_urn(struct fields *f)
{
	struct range rest = fields_path(f), query = fields_query(f);
	fields_put(f, "nid", range_cut(&rest, ':'));
	fields_put(f, "nss", rest);
	if (query.length && *query.text == '+') {
		struct range r = range_behind(query, 1);
		size_t n = 0;
		while (n < r.length && !(r.text[n] == '?' && n + 1 < r.length && r.text[n + 1] == '='))
			n++;
		fields_put(f, "r-component", (struct range){ r.text, n });
		query = n < r.length ? range_behind(r, n + 1) : (struct range){ NULL, 0 };
	}
	if (query.length && *query.text == '=')
		fields_put(f, "q-component", range_behind(query, 1));
	else
		fields_put(f, "search", query);
}

void interpret_doi(struct fields *f)
{
	struct range rest = fields_url_path(f);
	fields_put(f, "prefix", range_cut(&rest, '/'));
	fields_put(f, "suffix", rest);
	fields_put(f, "search", fields_query(f));
}

/* Numbers between commas, each with its parameters; a text for them. */
void interpret_phone(struct fields *f)
{
	struct range numbers = fields_path(f);
	while (numbers.text) {
		struct range rest = range_cut(&numbers, ',');
		fields_put(f, "number", range_cut(&rest, ';'));
		fields_list(f, "parameter", rest, ';');
	}
	fields_list(f, "parameter", fields_query(f), '&');
}

void interpret_geo(struct fields *f)
{
	static const char *const names[] = { "latitude", "longitude", "altitude" };
	struct range rest = fields_url_path(f), place = range_cut(&rest, ';');
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		fields_put(f, names[i], range_cut(&place, ','));
	fields_list(f, "parameter", rest, ';');
	fields_put(f, "search", fields_query(f));
}

void interpret_payment(struct fields *f)
{
	fields_put(f, "address", fields_path(f));
	fields_list(f, "parameter", fields_query(f), '&');
}

/* An authority or a path, perhaps, and parameters. */
void interpret_parameters(struct fields *f)
{
	fields_login(f, NULL);
	fields_put(f, "path", fields_path(f));
	fields_list(f, "parameter", fields_query(f), '&');
}

void interpret_data(struct fields *f)
{
	struct range data = fields_all(f), rest = range_cut(&data, ','), type = range_cut(&rest, ';');
	if (type.length)
		fields_put(f, "media-type", type);
	else
		fields_say(f, "media-type", "text/plain");
	fields_list(f, "parameter", rest, ';');
	fields_put(f, "data", data);
}

/* What no client should follow. */
void interpret_opaque(struct fields *f)
{
	fields_put(f, "content", fields_all(f));
}
