/* What a client would do with a URL (RFC 1738 section 3 and the RFCs of the other schemes): its fields, split while
 * encoded and then decoded. */
#ifndef URL_INTERPRET_H
#define URL_INTERPRET_H

#include "scheme.h"
#include "urlsift.h"

/* Calls `each` for every field in the order of the scheme's table; a non-zero return stops.  Values live until the call
 * returns.  The URL need not be valid.  Absent fields are not reported, empty ones are. */
urlsift_status interpret_url(const urlsift_allocator *alloc, const urlsift_url *url, urlsift_field_fn each, void *user);

/* ---- Ranges: encoded bytes of the URL's text ------------------------------------ */

struct range {
	const char *text; /* NULL: absent */
	size_t length;
};

/* Cuts *rest at the first `c`: returns what precedes it and leaves what follows it.  Without a `c` all is returned and
 * *rest becomes absent. */
struct range range_cut(struct range *rest, char c);
/* Cuts it at its byte n, where a separator of so many bytes is; at its end there is none. */
struct range range_split(struct range *rest, size_t n, size_t separator);
/* The range without its first n bytes; it has as many. */
struct range range_after(struct range r, size_t n);
/* Whether it begins with the string. */
bool range_begins(struct range r, const char *with);

/* ---- Reporting fields ------------------------------------------------------------ */

/* One interpretation.  Once its status is not URLSIFT_OK, calls have no effect: interpreters need not test it. */
struct interpretation {
	const urlsift_url *url;
	const struct scheme *row; /* NULL for an unknown scheme */
	urlsift_field_fn each;
	void *user;
	const urlsift_allocator *alloc;
	char *value; /* NULL until compose_begin; INTERPRET_MORE bytes longer than the URL */
	size_t used;
	urlsift_status status;
};
enum { INTERPRET_MORE = 16 };

struct range range_of(const struct interpretation *f, urlsift_component part);
/* The path, with `?` and what follows where the scheme has no query; absent where it is empty. */
struct range range_path(const struct interpretation *f);
/* The path without the slash that follows an authority: the url-path of RFC 1738. */
struct range range_url_path(const struct interpretation *f);
/* The url-path with `?` and what follows, whether the scheme has queries or not. */
struct range range_url_path_query(const struct interpretation *f);
/* The query; absent where the scheme has none. */
struct range range_query(const struct interpretation *f);

/* Each reports one field.  An absent range reports none. */
void report_bytes(struct interpretation *f, const char *name, const char *value, size_t length); /* not decoded */
void report_string(struct interpretation *f, const char *name, const char *value);
/* A default, NUL-terminated, and a note that says so. */
void report_default(struct interpretation *f, const char *name, const char *value, const char *note);
void report_range(struct interpretation *f, const char *name, struct range value); /* decoded */
/* One field for each element between separators; none for an empty list. */
void report_list(struct interpretation *f, const char *name, struct range list, char separator);

/* A composed value: compose_begin, additions, compose_report. */
void compose_begin(struct interpretation *f);
void compose_add(struct interpretation *f, const char *bytes, size_t n);
void compose_add_decoded(struct interpretation *f, struct range r);
void compose_report(struct interpretation *f, const char *name);

/* User, password, host and port; nothing without an authority.  The scheme's port is the default port. */
void report_login(struct interpretation *f);
/* Reports host and port only. */
void report_server(struct interpretation *f);
/* The port, or the scheme's when it is absent or empty. */
void report_port(struct interpretation *f, struct range given);

/* ---- The interpreters that scheme_table.h names -------------------------------- */

/* They report everything but the fragment. */
#define INTERPRETER(name, port, parts, slashes, body, linkable, forbidden, interpreter, purpose) \
	void interpreter(struct interpretation *f);
FULL_SCHEMES(INTERPRETER)
#undef INTERPRETER

#endif
