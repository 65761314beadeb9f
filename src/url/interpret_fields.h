/* What the interpreters of the schemes share: ranges of a URL's text, split while
 * they are encoded, and fields, decoded when they are called. */
#ifndef URL_INTERPRET_FIELDS_H
#define URL_INTERPRET_FIELDS_H

#include "scheme.h"
#include "urlsift.h"

/* Bytes of the URL's text; one that is absent has no text. */
struct range {
	const char *text;
	size_t length;
};

/* Takes what stands before the first `c` off *rest, which becomes what is behind
 * it, and absent where there is no `c`. */
struct range range_cut(struct range *rest, char c);
/* The range without its first n bytes, of which there are as many. */
struct range range_behind(struct range r, size_t n);

/* One interpretation.  Once its status is not URLSIFT_OK no call does anything,
 * so that interpreters need not look. */
struct fields {
	const urlsift_url *url;
	const struct scheme *row; /* NULL for an unknown scheme */
	urlsift_field_fn each;
	void *user;
	const urlsift_allocator *alloc;
	char *room; /* of FIELDS_MORE bytes more than the URL, on first need */
	size_t used;
	urlsift_status status;
};
enum { FIELDS_MORE = 16 };

struct range fields_part(const struct fields *f, urlsift_component part);
/* The path, with `?` and what follows where the scheme has no query; absent where
 * it is empty. */
struct range fields_path(const struct fields *f);
/* The same without the slash behind an authority: the url-path of RFC 1738. */
struct range fields_url_path(const struct fields *f);
/* The url-path with `?` and what follows, query or not. */
struct range fields_all(const struct fields *f);
/* The query; absent where the scheme has none. */
struct range fields_query(const struct fields *f);

/* Each calls one field.  A range that is absent calls none. */
void fields_call(struct fields *f, const char *name, const char *value, size_t length); /* as it is */
void fields_say(struct fields *f, const char *name, const char *value);                 /* NUL-terminated */
void fields_put(struct fields *f, const char *name, struct range value);                /* decoded */
/* A field for each piece of the list between `separator`s; none for an empty list. */
void fields_list(struct fields *f, const char *name, struct range list, char separator);

/* A value put together in the room: fields_begin, additions, fields_end. */
void fields_begin(struct fields *f);
void fields_add(struct fields *f, const char *bytes, size_t n);
void fields_add_decoded(struct fields *f, struct range r);
void fields_end(struct fields *f, const char *name);

/* User, password, host and port, the scheme's own where none is given; nothing
 * without an authority.  `user` is said where the URL has none, if not NULL. */
void fields_login(struct fields *f, const char *user);
/* The same without the user. */
void fields_server(struct fields *f);
/* The port, the scheme's own where none or an empty one is given. */
void fields_port(struct fields *f, struct range given);

/* The interpreters, each for the schemes that scheme_table.h names it for.  They
 * call everything but the fragment. */
void interpret_common(struct fields *f);
void interpret_http(struct fields *f);
void interpret_login(struct fields *f);
void interpret_file(struct fields *f);
void interpret_ftp(struct fields *f);
void interpret_gopher(struct fields *f);
void interpret_mail(struct fields *f);
void interpret_id(struct fields *f);
void interpret_news(struct fields *f);
void interpret_nntp(struct fields *f);
void interpret_wais(struct fields *f);
void interpret_z3950(struct fields *f);
void interpret_prospero(struct fields *f);
void interpret_urn(struct fields *f);
void interpret_doi(struct fields *f);
void interpret_phone(struct fields *f);
void interpret_geo(struct fields *f);
void interpret_payment(struct fields *f);
void interpret_parameters(struct fields *f);
void interpret_data(struct fields *f);
void interpret_opaque(struct fields *f);
void interpret_sip(struct fields *f);
void interpret_xmpp(struct fields *f);
void interpret_ldap(struct fields *f);
void interpret_mailbox(struct fields *f);
void interpret_irc(struct fields *f);

#endif
