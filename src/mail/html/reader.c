#include "tag.h"

#include <string.h>

static htmltext_reader *const readers[HTMLTEXT_STATES] = {
	[IN_TEXT] = text_read, [IN_REFERENCE] = reference_read, [IN_NAME] = reference_name_read,
	[IN_NUMBER] = reference_number_read, [IN_OPEN] = open_read, [IN_END_OPEN] = end_open_read,
	[IN_TAG_NAME] = tag_name_read, [IN_BETWEEN] = between_read, [IN_ATTRIBUTE] = attribute_read,
	[IN_EQUALS] = equals_read, [IN_VALUE] = value_read, [IN_DECLARATION] = declaration_read, [IN_DASH] = dash_read,
	[IN_BRACKET] = hidden_bracket, [IN_CONDITION] = condition_read, [IN_COMMENT] = comment_read,
	[IN_BOGUS] = bogus_read, [IN_CDATA] = cdata_read,
	[IN_CDATA_END] = cdata_end_read, [IN_HIDDEN] = hidden_read, [IN_RAW_OPEN] = raw_open_read,
	[IN_RAW_NAME] = raw_name_read, [IN_RAW_BANG] = raw_bang_read
};

struct htmltext *htmltext_new(const urlsift_allocator *alloc, const struct htmltext_sink *sink)
{
	urlsift_allocator a = alloc_from(alloc);
	struct htmltext *h = alloc_get(&a, sizeof *h);
	if (!h)
		return NULL;
	h->alloc = a;
	h->sink = *sink;
	element_index(&h->index);
	buf_init(&h->value.text, &h->alloc, HTMLTEXT_VALUE_MAX);
	buf_init(&h->raw.style.url, &h->alloc, HTMLTEXT_VALUE_MAX);
	map_init(&h->value.map, &h->alloc);
	htmltext_reset(h, false);
	return h;
}

void htmltext_free(struct htmltext *h)
{
	if (!h)
		return;
	urlsift_allocator a = h->alloc;
	buf_fini(&h->value.text);
	buf_fini(&h->raw.style.url);
	map_fini(&h->value.map);
	alloc_put(&a, h);
}

void htmltext_reset(struct htmltext *h, bool resources)
{
	h->resources = resources;
	h->status = URLSIFT_OK;
	h->state = IN_TEXT;
	h->raw.element = h->tag.element = &element_none;
	h->tag.target = target_attributes[TARGET_NONE];
	h->tag.uses = h->value.kept = 0;
	h->base = h->templates = h->spaces = 0;
	h->hidden = h->template_begin = HTMLTEXT_NEVER;
	h->text.pre = h->anchor = false;
	h->text.bare = BARE_NOT;
	h->text.pre_begins = PRE_BEGAN;
	h->anchors.open = h->scopes.depth = h->unseen.depth = h->unseen.hidden = 0;
	h->conditional.open = false;
	h->text.last = BLANK_LINE;
	h->raw.level = 0;
}

static bool in_reference(const struct htmltext *h)
{
	return within(h->state, IN_REFERENCE, IN_NUMBER);
}

urlsift_status htmltext_feed(struct htmltext *h, const uint8_t *text, size_t n)
{
	const uint64_t stop = h->base + n;
	for (size_t i = 0; i < n && h->status == URLSIFT_OK;) {
		size_t end = n;
		if (h->conditional.open) {
			if (h->conditional.end == HTMLTEXT_NEVER && h->conditional.looked != stop)
				conditional_look(h, text, i, n);
			if (h->conditional.end == h->base + i)
				conditional_end(h);
			else
				end = (size_t)(earlier(h->conditional.end, stop) - h->base);
		}
		i = readers[h->state](h, text, i, end);
	}
	h->base += n;
	return h->status;
}

urlsift_status htmltext_finish(struct htmltext *h)
{
	const bool hid = beyond(h->base, earlier(h->hidden, h->template_begin)) >= HTMLTEXT_HIDDEN_MAX;
	htmltext_stop(h, hid && h->sink.limit(h->sink.user, h->base));
	if (h->conditional.open)
		conditional_end(h);
	if (in_reference(h) && h->reference.back == IN_TEXT)
		reference_finish(h, h->base);
	else if (within(h->state, IN_OPEN, IN_RAW_NAME))
		text_held(h);
	else if (h->state == IN_CDATA_END)
		cdata_finish(h);
	while (h->anchor)
		anchor_end(h);
	return h->status;
}

size_t htmltext_memory_bound(void)
{
	return sizeof(struct htmltext) + 2 * HTMLTEXT_VALUE_MAX + map_memory_bound(); /* values, and URLs of CSS */
}
