#include "interpret.h"
#include "url.h"

#include "text/ascii.h"
#include "text/buf.h"

/* ---- Ranges ---- */

struct range range_after(struct range r, size_t n)
{
	return (struct range){ r.text + n, r.length - n };
}

bool range_begins(struct range r, const char *with) { return text_begins(r.text, r.length, with); }

struct range range_split(struct range *rest, size_t n, size_t separator)
{
	const struct range all = *rest;
	*rest = n < all.length ? range_after(all, n + separator) : (struct range){ NULL, 0 };
	return (struct range){ all.text, n };
}

struct range range_cut(struct range *rest, char c)
{
	return range_split(rest, byte_index((const uint8_t *)rest->text, 0, rest->length, (uint8_t)c), 1);
}

struct range range_of(const struct interpretation *f, urlsift_component part)
{
	return part.present ? (struct range){ f->url->text + part.offset, part.length } : (struct range){ NULL, 0 };
}

static bool has_query(const struct interpretation *f)
{
	return !f->row || f->row->parts & PART_QUERY;
}

static struct range path_of(const struct interpretation *f, bool all)
{
	const urlsift_component *path = &f->url->path, *query = &f->url->query;
	size_t length = path->length;
	if (all && query->present)
		length = query->offset + query->length - path->offset;
	return length ? (struct range){ f->url->text + path->offset, length } : (struct range){ NULL, 0 };
}

static struct range without_slash(const struct interpretation *f, struct range path)
{
	return f->url->authority.present && range_begins(path, "/") ? range_after(path, 1) : path;
}

struct range range_path(const struct interpretation *f)
{
	return path_of(f, !has_query(f));
}

struct range range_url_path(const struct interpretation *f)
{
	return without_slash(f, range_path(f));
}

struct range range_url_path_query(const struct interpretation *f)
{
	return without_slash(f, path_of(f, true));
}

struct range range_query(const struct interpretation *f)
{
	return has_query(f) ? range_of(f, f->url->query) : (struct range){ NULL, 0 };
}

/* What a value means where it does not say so itself. */
static const struct field_note {
	void (*interpret)(struct interpretation *f); /* of the schemes that it belongs to */
	const char *field, *value, *note;            /* any value where it is NULL */
} notes[] = {
	{ interpret_ftp, "type", "a", "text" },
	{ interpret_ftp, "type", "A", "text" },
	{ interpret_ftp, "type", "i", "binary" },
	{ interpret_ftp, "type", "I", "binary" },
	{ interpret_ftp, "type", "d", "a list of names" },
	{ interpret_ftp, "type", "D", "a list of names" },
	{ interpret_ftp, "retr", "", "clients list the directory" },
	{ interpret_file, "host", "", "this machine" },
	{ interpret_file, "host", "localhost", "this machine" },
	{ interpret_news, "groups", "*", "all groups" },
	{ interpret_gopher, "type", "0", "a text file" },
	{ interpret_gopher, "type", "1", "a menu" },
	{ interpret_gopher, "type", "2", "a CSO phone book" },
	{ interpret_gopher, "type", "3", "an error" },
	{ interpret_gopher, "type", "4", "a BinHex file" },
	{ interpret_gopher, "type", "5", "a DOS archive" },
	{ interpret_gopher, "type", "6", "a uuencoded file" },
	{ interpret_gopher, "type", "7", "a search" },
	{ interpret_gopher, "type", "8", "a Telnet session" },
	{ interpret_gopher, "type", "9", "a binary file" },
	{ interpret_gopher, "type", "+", "a redundant server" },
	{ interpret_gopher, "type", "T", "a TN3270 session" },
	{ interpret_gopher, "type", "g", "a GIF image" },
	{ interpret_gopher, "type", "I", "an image" },
	{ interpret_gopher, "gopher+", "+", "the default view" },
	{ interpret_gopher, "gopher+", "?", "a form to fill in" },
	{ interpret_gopher, "gopher+", "!", "all attributes of the item" },
	{ interpret_gopher, "gopher+", "$", "all attributes of all items of the menu" },
	{ interpret_login, "user", NULL, "advisory only" },
	{ interpret_login, "password", NULL, "advisory only" },
};

static void call(struct interpretation *f, const urlsift_field *field)
{
	if (f->status == URLSIFT_OK && f->each(f->user, field))
		f->status = URLSIFT_STOPPED;
}

void report_bytes(struct interpretation *f, const char *name, const char *value, size_t length)
{
	const char *note = NULL;
	for (size_t i = 0; f->row && !note && i < sizeof notes / sizeof *notes; i++) {
		const struct field_note *n = &notes[i];
		if (n->interpret == f->row->interpret && !strcmp(n->field, name) &&
		    (!n->value || text_is(length ? value : "", length, n->value)))
			note = n->note;
	}
	call(f, &(urlsift_field){ name, value, length, note });
}

void report_default(struct interpretation *f, const char *name, const char *value, const char *note)
{
	call(f, &(urlsift_field){ name, value, strlen(value), note });
}

void report_string(struct interpretation *f, const char *name, const char *value)
{
	report_bytes(f, name, value, strlen(value));
}

void report_range(struct interpretation *f, const char *name, struct range value)
{
	if (!value.text)
		return;
	if (!memchr(value.text, '%', value.length)) {
		report_bytes(f, name, value.text, value.length);
		return;
	}
	compose_begin(f);
	compose_add_decoded(f, value);
	compose_report(f, name);
}

void report_list(struct interpretation *f, const char *name, struct range list, char separator)
{
	if (list.length)
		while (list.text)
			report_range(f, name, range_cut(&list, separator));
}

void compose_begin(struct interpretation *f)
{
	f->used = 0;
	if (f->value || f->status != URLSIFT_OK)
		return;
	f->value = f->alloc->allocate(f->alloc->context, f->url->length + INTERPRET_MORE);
	if (!f->value)
		f->status = URLSIFT_NO_MEMORY;
}

void compose_add(struct interpretation *f, const char *bytes, size_t n)
{
	if (!f->value)
		return;
	memcpy(f->value + f->used, bytes, n);
	f->used += n;
}

void compose_add_decoded(struct interpretation *f, struct range r)
{
	if (!f->value || !r.length)
		return;
	f->used += url_decode((uint8_t *)f->value + f->used, (const uint8_t *)r.text, r.length);
}

void compose_report(struct interpretation *f, const char *name)
{
	report_bytes(f, name, f->value, f->used);
}

void report_port(struct interpretation *f, struct range given)
{
	char digits[6] = { 0 };
	if (given.length)
		report_range(f, "port", given);
	else if (f->row && f->row->port)
		report_default(f, "port", number_put(digits + sizeof digits - 1, f->row->port), "by default");
}

void report_server(struct interpretation *f)
{
	if (!f->url->authority.present)
		return;
	report_range(f, "password", range_of(f, f->url->password));
	report_range(f, "host", range_of(f, f->url->host));
	report_port(f, range_of(f, f->url->port));
}

void report_login(struct interpretation *f)
{
	report_range(f, "user", range_of(f, f->url->user));
	report_server(f);
}

/* ---- The interpretation ---- */

urlsift_status interpret_url(const urlsift_allocator *alloc, const urlsift_url *url, urlsift_field_fn each, void *user)
{
	struct interpretation f = { .url = url, .each = each, .user = user, .alloc = alloc, .status = URLSIFT_OK };
	f.row = scheme_find(url->text + url->scheme.offset, url->scheme.length); /* NULL for no scheme */
	if (f.row)
		f.row->interpret(&f);
	else
		interpret_common(&f);
	report_range(&f, "fragment", range_of(&f, url->fragment));
	alloc_put(alloc, f.value);
	return f.status;
}
