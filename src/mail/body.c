#include "body.h"

#include <string.h>

static bool is_white(uint8_t c) { return c == ' ' || (c >= 9 && c <= 13); }

static bool is_absolute(const char *p, size_t n)
{
	size_t i = 0;
	while (i < n && (p[i] | 32) >= 'a' && (p[i] | 32) <= 'z')
		i++;
	return i > 1 && n - i > 3 && !memcmp(p + i, "://", 3);
}

static bool is_mark(uint8_t c) { return c <= ' ' || c == '"' || c == '<' || c == '>'; }

size_t body_base(const struct field *f, char *base)
{
	const uint8_t *p = f->value, *end = p + f->value_length;
	size_t n = 0;
	for (const uint8_t *q = p; q + 1 < end; q++)
		if (is_white(q[0]) && q[1] == '(')
			end = q; /* a comment */
	while (p < end && is_mark(*p))
		p++;
	while (p < end && is_mark(end[-1]))
		end--;
	for (; p < end; p++) {
		if (is_white(*p))
			continue;
		if (n == PARAMETER_MAX)
			return 0;
		base[n++] = (char)*p;
	}
	return is_absolute(base, n) ? n : 0;
}

static void read_base(struct body *e, const struct field *f, bool stronger)
{
	char base[PARAMETER_MAX];
	size_t n = e->base_length && !stronger ? 0 : body_base(f, base);
	if (!n)
		return;
	memcpy(e->base, base, n);
	e->base_length = n;
}

static void read_length(struct body *e, const struct field *f)
{
	uint64_t length = 0;
	size_t i = 0;
	for (; i < f->value_length && i < 18 && f->value[i] >= '0' && f->value[i] <= '9'; i++)
		length = length * 10 + (uint64_t)(f->value[i] - '0');
	e->has_length = i && i == f->value_length;
	e->length = length;
}

void body_begin(struct body *e)
{
	e->transfer = TRANSFER_IDENTITY;
	e->typed = e->encoded = e->has_length = e->news = false;
	e->base_length = 0;
}

void body_take(struct body *e, const struct field *f, enum content content)
{
	switch (content) {
	case CONTENT_NONE:
		break;
	case CONTENT_TYPE:
		if (!e->typed)
			content_type_read(f->value, f->value_length, &e->type);
		e->typed = true;
		break;
	case CONTENT_ENCODING:
		if (!e->encoded)
			e->transfer = transfer_named(f->value, f->value_length);
		e->encoded = true;
		break;
	case CONTENT_BASE:
		read_base(e, f, true);
		break;
	case CONTENT_LOCATION:
		read_base(e, f, false);
		break;
	case CONTENT_LENGTH:
		read_length(e, f);
		break;
	}
}

void body_end(struct body *e, bool in_digest)
{
	if (e->typed)
		return;
	content_type_read(NULL, 0, &e->type);
	if (in_digest) {
		memcpy(e->type.type, "message", sizeof "message");
		memcpy(e->type.subtype, "rfc822", sizeof "rfc822");
	}
}

enum body_kind body_kind(const struct body *e)
{
	const char *type = e->type.type, *subtype = e->type.subtype;
	if (!strcmp(type, "multipart"))
		return BODY_MULTIPART;
	if (!strcmp(type, "message")) {
		bool whole = !strcmp(subtype, "rfc822") || !strcmp(subtype, "news") || !strcmp(subtype, "global");
		return whole ? BODY_MESSAGE : BODY_TEXT;
	}
	if (!strcmp(type, "text"))
		return strcmp(subtype, "html") ? BODY_TEXT : BODY_HTML;
	if (!strcmp(type, "application"))
		return !strcmp(subtype, "xhtml+xml") ? BODY_HTML : !strcmp(subtype, "pgp") ? BODY_TEXT : BODY_SKIPPED;
	return BODY_SKIPPED;
}
