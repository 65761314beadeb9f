#include "interpret_fields.h"

#include "text/buf.h"
#include "text/ascii.h"

#include <string.h>

struct range range_behind(struct range r, size_t n)
{
	return (struct range){ r.text + n, r.length - n };
}

struct range range_cut(struct range *rest, char c)
{
	struct range all = *rest;
	const char *found = all.length ? memchr(all.text, c, all.length) : NULL;
	if (!found) {
		*rest = (struct range){ NULL, 0 };
		return all;
	}
	size_t n = (size_t)(found - all.text);
	*rest = range_behind(all, n + 1);
	return (struct range){ all.text, n };
}

struct range fields_part(const struct fields *f, urlsift_component part)
{
	return part.present ? (struct range){ f->url->text + part.offset, part.length } : (struct range){ NULL, 0 };
}

static bool has_query(const struct fields *f)
{
	return !f->row || f->row->parts & PART_QUERY;
}

static struct range path_of(const struct fields *f, bool all)
{
	const urlsift_component *path = &f->url->path, *query = &f->url->query;
	size_t length = path->length;
	if (all && query->present)
		length = query->offset + query->length - path->offset;
	return length ? (struct range){ f->url->text + path->offset, length } : (struct range){ NULL, 0 };
}

static struct range without_slash(const struct fields *f, struct range path)
{
	return f->url->authority.present && path.length && *path.text == '/' ? range_behind(path, 1) : path;
}

struct range fields_path(const struct fields *f)
{
	return path_of(f, !has_query(f));
}

struct range fields_url_path(const struct fields *f)
{
	return without_slash(f, fields_path(f));
}

struct range fields_all(const struct fields *f)
{
	return without_slash(f, path_of(f, true));
}

struct range fields_query(const struct fields *f)
{
	return has_query(f) ? fields_part(f, f->url->query) : (struct range){ NULL, 0 };
}

void fields_call(struct fields *f, const char *name, const char *value, size_t length)
{
	const urlsift_field field = { name, value, length };
	if (f->status == URLSIFT_OK && f->each(f->user, &field))
		f->status = URLSIFT_STOPPED;
}

void fields_say(struct fields *f, const char *name, const char *value)
{
	fields_call(f, name, value, strlen(value));
}

void fields_put(struct fields *f, const char *name, struct range value)
{
	if (!value.text)
		return;
	if (!value.length || !memchr(value.text, '%', value.length)) {
		fields_call(f, name, value.text, value.length);
		return;
	}
	fields_begin(f);
	fields_add_decoded(f, value);
	fields_end(f, name);
}

void fields_list(struct fields *f, const char *name, struct range list, char separator)
{
	if (list.length)
		while (list.text)
			fields_put(f, name, range_cut(&list, separator));
}

void fields_begin(struct fields *f)
{
	f->used = 0;
	if (f->room || f->status != URLSIFT_OK)
		return;
	f->room = f->alloc->allocate(f->alloc->context, f->url->length + FIELDS_MORE);
	if (!f->room)
		f->status = URLSIFT_NO_MEMORY;
}

void fields_add(struct fields *f, const char *bytes, size_t n)
{
	if (!f->room || !n)
		return;
	memcpy(f->room + f->used, bytes, n);
	f->used += n;
}

void fields_add_decoded(struct fields *f, struct range r)
{
	if (!f->room || !r.length)
		return;
	const uint8_t *p = (const uint8_t *)r.text, *end = p + r.length;
	while (p < end) {
		int byte = hex_escape(p, end);
		f->room[f->used++] = (char)(byte < 0 ? *p : byte);
		p += byte < 0 ? 1 : 3;
	}
}

void fields_end(struct fields *f, const char *name)
{
	fields_call(f, name, f->room, f->used);
}

void fields_port(struct fields *f, struct range given)
{
	char digits[5];
	size_t i = sizeof digits;
	if (given.length) {
		fields_put(f, "port", given);
	} else if (f->row && f->row->port) {
		for (unsigned n = f->row->port; n > 0; n /= 10)
			digits[--i] = (char)('0' + n % 10);
		fields_call(f, "port", digits + i, sizeof digits - i);
	}
}

void fields_server(struct fields *f)
{
	if (!f->url->authority.present)
		return;
	fields_put(f, "password", fields_part(f, f->url->password));
	fields_put(f, "host", fields_part(f, f->url->host));
	fields_port(f, fields_part(f, f->url->port));
}

void fields_login(struct fields *f, const char *user)
{
	if (f->url->user.present)
		fields_put(f, "user", fields_part(f, f->url->user));
	else if (user && f->url->authority.present)
		fields_say(f, "user", user);
	fields_server(f);
}
