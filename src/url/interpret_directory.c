/* Directories and databases: wais (RFC 1738 section 3.9), z39.50 (RFC 2056),
 * prospero (RFC 1738 section 3.11), ldap (RFC 4516). */
#include "interpret_fields.h"

/* A database; a search of it; or a document of it, whose name is the server's. */
void interpret_wais(struct fields *f)
{
	struct range rest = fields_url_path(f);
	fields_login(f, NULL);
	fields_put(f, "database", range_cut(&rest, '/'));
	fields_put(f, "search", fields_query(f));
	fields_put(f, "document-type", range_cut(&rest, '/'));
	fields_put(f, "document-id", rest);
}

/* Databases with a plus between, a document, and how to send it. */
void interpret_z3950(struct fields *f)
{
	struct range rest = fields_all(f), names = range_cut(&rest, ';'), databases = range_cut(&names, '?');
	fields_login(f, NULL);
	fields_list(f, "database", databases, '+');
	fields_put(f, "document-id", names);
	fields_list(f, "parameter", rest, ';');
}

void interpret_prospero(struct fields *f)
{
	struct range rest = fields_url_path(f);
	fields_login(f, NULL);
	fields_put(f, "hsoname", range_cut(&rest, ';'));
	fields_list(f, "field", rest, ';');
}

void interpret_ldap(struct fields *f)
{
	struct range rest = fields_query(f);
	fields_login(f, NULL);
	fields_put(f, "dn", fields_url_path(f));
	fields_list(f, "attribute", range_cut(&rest, '?'), ',');
	fields_put(f, "scope", range_cut(&rest, '?'));
	fields_put(f, "filter", range_cut(&rest, '?'));
	fields_list(f, "extension", rest, ',');
}
