#include "href.h"

#include "scan/label.h"
#include "text/bytes.h"
#include "text/match.h"
#include "url/url.h"

#include <string.h>

/* A target that waits. */
struct kept_href {
	struct placement where;
	urlsift_range range;
	const char *attribute;
	uint32_t length, label_length, label_room; /* of what follows */
	bool cut, shown; /* shown: the label is what a reader may take for the address */
};

enum { INNER_MAX = 128 * 1024 }; /* bytes of the targets in an anchor that wait for its own */

void href_init(struct hrefs *h, struct parser *r, struct mail_text *text)
{
	*h = (struct hrefs){.parser = r, .text = text};
	buf_init(&h->late, r->alloc, HTMLTEXT_LATE_MAX);
	buf_init(&h->inner, r->alloc, INNER_MAX);
}

void href_fini(struct hrefs *h)
{
	buf_fini(&h->late);
	buf_fini(&h->inner);
}

void href_begin(struct hrefs *h, urlsift_text base)
{
	h->base = base;
	h->based = false;
	h->late_cut = h->late.length = h->inner.length = 0;
}

void href_begin_text(struct hrefs *h) { text_begin(h->text, &(struct embed){.base = h->base}); }

/* ---- Links ---- */

/* Whether it is a place in a page: that of the base, or the page itself. */
static bool is_place(const struct href *target)
{
	return !target->cut && target->value.length && *target->value.text == '#';
}

/* It is the page itself, unless that has a base; of an image or a form, browsers do not ask for another page. */
static bool is_within(const struct hrefs *h, const struct href *target)
{
	const char *attribute = target->attribute;
	const bool anchor = *attribute == 'a' && text_ends((const uint8_t *)attribute, strlen(attribute), "href");
	return is_place(target) && !(anchor && h->base.bytes == h->own);
}

/* Hands out the link, unless it is none or an earlier alternative had it. */
static enum attribute_result put(struct hrefs *h, const struct href *target)
{
	urlsift_place *place = &h->parser->place;
	int within = place->anchor;
	if (is_within(h, target))
		return ATTRIBUTE_NONE;
	place->attribute = target->attribute;
	place->anchor = target->anchor;
	const struct attribute *value = &target->value;
	const urlsift_text written = {(const char *)value->text, value->length};
	enum attribute_result result = target->cut ? ATTRIBUTE_TOO_LONG : text_whole(h->parser, value, written, true);
	place->attribute = NULL;
	place->anchor = within || (result == ATTRIBUTE_LINK && target->anchor);
	return result;
}

/* Whether the n bytes are `//host`, perhaps defanged as `[/]/host`. */
static bool names_host(const struct hrefs *h, const uint8_t *text, size_t n)
{
	uint8_t slashes[sizeof "[/][/]" - 1] = "";
	memcpy(slashes, text, smaller(n, sizeof slashes));
	scanner_refang(h->parser->scanner, slashes, sizeof slashes);
	return n > 2 && match_bytes(slashes, sizeof slashes, "[/\\][/\\]");
}

/* ---- What is none ---- */

static void omit(struct hrefs *h, const struct href *target)
{
	struct parser *r = h->parser;
	if (is_within(h, target))
		return;
	r->place.attribute = target->attribute;
	text_omit(r, target->value.text, target->value.length, target->value.where.ranges->offset);
	r->place.attribute = NULL;
}

static void report(struct hrefs *h, const struct href *target, enum attribute_result result)
{
	if (result == ATTRIBUTE_TOO_LONG)
		parser_limit(h->parser, "url-length", h->parser->scan.max_url, target->value.where.ranges->offset);
	else if (result == ATTRIBUTE_NONE)
		omit(h, target);
}

static void put_or_report(struct hrefs *h, const struct href *target) { report(h, target, put(h, target)); }

/* ---- What waits ---- */

/* Gives all that are kept to the function, which forgets them. */
static void take_kept(struct hrefs *h, struct buf *kept, void (*take)(struct hrefs *h, const struct href *target))
{
	struct kept_href k;
	/* what was kept without memory is not whole */
	for (size_t at = 0; at < kept->length && parser_ok(h->parser); at += sizeof k + k.length + k.label_room) {
		memcpy(&k, kept->data + at, sizeof k);
		const uint8_t *text = kept->data + at + sizeof k;
		k.where.ranges = &k.range;
		take(h, &(struct href){
			.attribute = k.attribute, .cut = k.cut,
			.value = {.text = text, .length = k.length, .supplied = "", .convention = URLSIFT_CONV_QUOTED,
			          .where = k.where, .label = {(const char *)text + k.length, k.label_length},
			          .shown = text + k.length, .shown_length = k.shown * k.label_length,
			          .before = {"", 0}, .after = {"", 0}}
		});
	}
	kept->length = 0;
}

/* The length of its URL.  What is cut is no link. */
static size_t kept_length(const struct href *target) { return target->cut ? 0 : target->value.length; }

static void keep(struct hrefs *h, struct buf *kept, const struct href *target, const uint8_t *label,
                 size_t label_length, size_t label_room)
{
	static const uint8_t room[LABEL_MAX];
	const struct attribute *value = &target->value;
	const size_t length = kept_length(target);
	const struct kept_href k = {value->where, *value->where.ranges, target->attribute, (uint32_t)length,
	                            (uint32_t)label_length, (uint32_t)label_room, target->cut, value->shown_length > 0};
	parser_have(h->parser, buf_add(kept, &k, sizeof k));
	parser_have(h->parser, buf_add(kept, value->text, length));
	parser_have(h->parser, buf_add(kept, label, label_length));
	parser_have(h->parser, buf_add(kept, room, label_room - label_length));
}

/* No base has come for those that wait for one. */
static void omit_late(struct hrefs *h) { take_kept(h, &h->late, omit); }

/* Whether browsers read no other URL by the base, and so take that around the page. */
static bool is_refused(const char *base, size_t n)
{
	urlsift_url url;
	split_url(base, n, &url);
	const size_t length = url.scheme.length, colon = url_scheme_end(&url);
	const bool rooted = BYTE_IN(byte_at((const uint8_t *)base, colon, n), "/\\")
	                    || ascii_is_among(base, length, "file ftp http https ws wss");
	/* libraries differ in which hosts beyond ASCII there are */
	const uint8_t *const host = (const uint8_t *)base + url.host.offset;
	const bool ascii = byte_span(host, 0, url.host.length, BYTE_BUT(BYTE_HIGH)) == url.host.length
	                   && !memchr(host, '%', url.host.length);
	const bool unusable = ascii && warn_url(&url, 0) & URLSIFT_WARN_UNUSABLE;
	return !rooted || ascii_is_among(base, length, "data javascript") || unusable;
}

/* ---- The interface ---- */

void href_base(struct hrefs *h, const struct href *target)
{
	const struct attribute *given = &target->value;
	uint8_t text[BASE_MAX + 1]; /* more does not fit */
	size_t n = smaller(given->length, sizeof text);
	if (h->parser->options.resources && (n || target->cut))
		put_or_report(h, target);
	if (h->based)
		return;
	memcpy(text, given->text, n);
	if (n <= BASE_MAX)
		n = scanner_refang(h->parser->scanner, text, n);
	const urlsift_text value = {(const char *)text, n};
	if (!scheme_prefix(text, n))
		n = content_base_resolve(h->base.length ? h->base : scanner_base(h->parser->scanner), value, h->own);
	else if (content_base_fits(value.bytes, n))
		memcpy(h->own, value.bytes, n);
	else
		n = BASE_MAX + 1;
	if (n > BASE_MAX) {
		parser_limit(h->parser, "base-length", BASE_MAX, given->where.ranges->offset);
		return;
	}
	if (!n)
		return;
	h->based = true;
	if (is_refused(h->own, n))
		return;
	h->base = (urlsift_text){h->own, n};
	href_begin_text(h);
	take_kept(h, &h->late, put_or_report);
	if (h->late_cut)
		parser_limit(h->parser, "late-targets", HTMLTEXT_LATE_MAX, h->late_cut);
	h->late_cut = 0;
}

void href_put(struct hrefs *h, const struct href *target)
{
	const uint8_t *text = target->value.text;
	size_t n = target->value.length;
	if (!target->cut && !n) /* the page itself, or that of the base: it has no place in the source */
		return;
	enum attribute_result result = put(h, target);
	bool relative = result == ATTRIBUTE_NONE && !h->base.length;
	if (relative && names_host(h, text, n)) {
		/* `//host`: as browsers read it, it has the scheme of the page, here that of `www.` names */
		const char *base = h->parser->www_base;
		text_begin(h->text, &(struct embed){.base = {base, strlen(base)}});
		result = put(h, target);
		href_begin_text(h);
		relative = false;
	}
	if (relative) {
		const urlsift_text *shown = &target->value.label;
		uint8_t label[LABEL_MAX];
		size_t label_length = label_collapse((const uint8_t *)shown->bytes, shown->length, label);
		size_t size = sizeof(struct kept_href) + n + label_length;
		if (h->late.length + size > HTMLTEXT_LATE_MAX) {
			h->late_cut = number_or(h->late_cut, target->value.where.ranges->offset);
			omit_late(h);
		}
		if (size <= HTMLTEXT_LATE_MAX) {
			keep(h, &h->late, target, label, label_length, label_length);
			return;
		}
	}
	report(h, target, result);
}

bool href_keep_inner(struct hrefs *h, const struct href *target)
{
	const size_t length = kept_length(target), room = target->anchor ? LABEL_MAX : 0;
	if (h->inner.length + sizeof(struct kept_href) + length + room > INNER_MAX)
		return false;
	keep(h, &h->inner, target, NULL, 0, room);
	return true;
}

void href_label_inner(struct hrefs *h, size_t at, urlsift_text label, bool shown)
{
	struct kept_href k;
	if (!parser_ok(h->parser))
		return;
	memcpy(&k, h->inner.data + at, sizeof k);
	uint8_t *room = h->inner.data + at + sizeof k + k.length;
	k.label_length = (uint32_t)label_collapse((const uint8_t *)label.bytes, label.length, room);
	k.shown = shown;
	memcpy(h->inner.data + at, &k, sizeof k);
}

void href_put_inner(struct hrefs *h) { take_kept(h, &h->inner, href_put); }

size_t href_memory_bound(void) { return HTMLTEXT_LATE_MAX + INNER_MAX; }

void href_finish(struct hrefs *h) { omit_late(h); }
