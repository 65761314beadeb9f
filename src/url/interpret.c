#include "interpret.h"

#include "interpret_fields.h"
#include "text/buf.h"

urlsift_status interpret_url(const urlsift_allocator *alloc, const urlsift_url *url, urlsift_field_fn each, void *user)
{
	struct fields f = { .url = url, .each = each, .user = user, .alloc = alloc, .status = URLSIFT_OK };
	if (url->scheme.present)
		f.row = scheme_find(url->text + url->scheme.offset, url->scheme.length);
	if (f.row)
		f.row->interpret(&f);
	else
		interpret_common(&f);
	fields_put(&f, "fragment", fields_part(&f, url->fragment));
	alloc_put(alloc, f.room);
	return f.status;
}

/* RFC 3986, for schemes that say no more of themselves. */
void interpret_common(struct fields *f)
{
	fields_login(f, NULL);
	fields_put(f, "path", fields_path(f));
	fields_put(f, "search", fields_query(f));
}

/* RFC 1738 section 3.3; the path may be left out and is `/` then. */
void interpret_http(struct fields *f)
{
	fields_login(f, NULL);
	if (f->url->authority.present && !f->url->path.length)
		fields_say(f, "path", "/");
	else
		fields_put(f, "path", fields_path(f));
	fields_put(f, "search", fields_query(f));
}

/* RFC 1738 section 3.8: a service, in which there is nothing to name. */
void interpret_login(struct fields *f)
{
	fields_login(f, NULL);
}

/* RFC 1738 section 3.10: names of a hierarchy, not a file name of this system. */
void interpret_file(struct fields *f)
{
	fields_put(f, "host", fields_part(f, f->url->host));
	struct range path = fields_url_path(f);
	if (!f->url->authority.present && path.length && *path.text == '/')
		path = range_behind(path, 1);
	while (path.text)
		fields_put(f, "segment", range_cut(&path, '/'));
}
