#include "part.h"

#include <string.h>

void part_init(struct part *p, struct reading *r)
{
	*p = (struct part){.charset = NULL};
	text_init(&p->text, r);
	places_init(&p->places, r->alloc);
}

void part_fini(struct part *p)
{
	text_fini(&p->text);
	places_fini(&p->places);
}

/* The charset of the part's own, or else of the options. */
static struct charset *open_charset(struct reading *r, const char *name, uint64_t at)
{
	bool known;
	if (!*name && r->charset)
		name = r->charset;
	struct charset *charset = charset_cache_get(&r->charsets, name, strlen(name), &known);
	if (!charset)
		reading_fail(r, URLSIFT_NO_MEMORY);
	else if (!known)
		reading_damage(r, "the charset is not known: read as UTF-8 or else windows-1252", 1, at);
	return charset;
}

static void begin_html(struct part *p, const struct part_type *type)
{
	struct reading *r = p->text.reading;
	if (!r->html && !(r->html = html_part_new(r))) {
		reading_fail(r, URLSIFT_NO_MEMORY);
		return;
	}
	html_part_begin(r->html, &(struct html_begin){
		.charset = p->charset, .source = &p->places,
		.base = type->base_length ? type->base : NULL, .base_length = type->base_length,
		.line = type->line});
}

void part_begin(struct part *p, const struct part_type *type, uint64_t at)
{
	struct reading *r = p->text.reading;
	p->is_html = type->html;
	p->at = at;
	places_reset(&p->places);
	reading_place(r);
	p->charset = open_charset(r, type->charset, at);
	if (!reading_ok(r))
		return;
	if (type->html) {
		begin_html(p, type);
		return;
	}
	p->text.places = &p->places;
	p->text.line = type->line;
	struct embed embed = {.charset = p->charset, .flowed = type->flowed,
	                      .base = type->base_length ? type->base : NULL, .base_length = type->base_length};
	text_begin(&p->text, &embed);
}

void part_feed(struct part *p, const uint8_t *bytes, size_t n, uint64_t at)
{
	struct reading *r = p->text.reading;
	if (!reading_ok(r) || !n)
		return;
	if (!places_add(&p->places, at, n, n))
		reading_fail(r, URLSIFT_NO_MEMORY);
	else if (p->is_html)
		html_part_feed(r->html, bytes, n);
	else
		text_feed(&p->text, bytes, n);
}

void part_finish(struct part *p)
{
	struct reading *r = p->text.reading;
	if (!reading_ok(r))
		return;
	if (p->is_html)
		html_part_finish(r->html);
	else
		text_finish(&p->text);
	uint64_t malformed = charset_malformed(p->charset);
	if (malformed)
		reading_damage(r, "characters that are malformed in the declared charset", malformed, p->at);
}

size_t part_memory_bound(void)
{
	return text_memory_bound() + places_memory_bound();
}
