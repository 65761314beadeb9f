#include "tag.h"

#include "text/bits.h"
#include "text/match.h"

#include <string.h>

enum { NOT_DISPLAYED = 1, NOT_VISIBLE = 2, WITHOUT_SIZE = 4, BY_ATTRIBUTE = 8 };

void unseen_begin(struct htmltext *h)
{
	h->unseen.own = h->unseen.declared = 0;
	h->unseen.length = h->unseen.alt_length = 0;
}

void unseen_attribute(struct htmltext *h) { h->unseen.own |= BY_ATTRIBUTE; }

static void declaration_end(struct unseen *u)
{
	static const struct { const char *name, *hides; unsigned property; } properties[] = {
		{ "display:", "none%f!", NOT_DISPLAYED }, { "visibility:", "hidden%f!", NOT_VISIBLE },
		{ "font-size:", "[0.]+%f[^%d]", WITHOUT_SIZE }
	};
	const uint8_t *p = (const uint8_t *)u->declaration;
	const size_t n = smaller(u->length, sizeof u->declaration - 1);
	for (size_t i = 0; i < sizeof properties / sizeof *properties; i++) {
		const unsigned property = properties[i].property;
		const size_t value = strlen(properties[i].name);
		if (n <= value || !text_begins(p, n, properties[i].name))
			continue;
		u->declared |= property;
		u->own &= ~property;
		u->own |= bits_if(match_bytes(p + value, n - value, properties[i].hides), property);
	}
	u->length = 0;
}

void unseen_read(struct htmltext *h, const uint8_t *p, size_t n)
{
	struct unseen *u = &h->unseen;
	for (size_t i = 0; i < n; i++) {
		if (u->length == sizeof u->declaration)
			i = run_until(p, i, n, ';');
		const uint8_t c = byte_at(p, i, n);
		if (c == ';')
			declaration_end(u);
		else if (c && !run_is_space(c)) /* a NUL is U+FFFD here */
			u->declaration[u->length++] = (char)to_lower(c);
		if (u->length == 1 && !strchr("dvf", *u->declaration))
			u->length = sizeof u->declaration;
	}
}

void unseen_style_end(struct htmltext *h) { declaration_end(&h->unseen); }

/* What is hidden in the element that the tag begins. */
static unsigned hidden_in(const struct unseen *u)
{
	unsigned own = u->declared & NOT_DISPLAYED ? u->own & ~(unsigned)BY_ATTRIBUTE : u->own;
	return own | (u->hidden & ~(u->declared & (NOT_VISIBLE | WITHOUT_SIZE)));
}

void unseen_alt(struct htmltext *h, const uint8_t *p, size_t n)
{
	struct unseen *u = &h->unseen;
	size_t room = sizeof u->alt - u->alt_length;
	n = smaller(n, room);
	memcpy(u->alt + u->alt_length, p, n);
	u->alt_length += n;
}

void unseen_alt_end(struct htmltext *h)
{
	struct unseen *u = &h->unseen;
	if (u->alt_length && !hidden_in(u)) {
		h->text.bare = h->text.bare == BARE_OPEN ? BARE_IMAGE : h->text.bare;
		htmltext_stop(h, h->sink.alt(h->sink.user, u->alt, u->alt_length));
	}
	u->alt_length = 0;
}

void unseen_tag_end(struct htmltext *h)
{
	struct unseen *u = &h->unseen;
	const bool before = u->hidden;
	if (h->tag.is_end) { /* ends those inside it as well */
		size_t i = u->depth;
		while (i && u->open[i - 1].element != h->tag.element)
			i--;
		if (i) {
			u->depth = i - 1;
			u->hidden = u->open[i - 1].hidden;
		}
	} else {
		const unsigned hidden = hidden_in(u);
		unseen_alt_end(h);
		if ((u->depth || hidden) && !(h->tag.element->is & IS_VOID) && u->depth < HTMLTEXT_UNSEEN_MAX) {
			u->open[u->depth].element = h->tag.element;
			u->open[u->depth++].hidden = u->hidden;
			u->hidden = hidden;
		}
	}
	const bool now = u->hidden;
	htmltext_stop(h, now != before && h->sink.unseen(h->sink.user, now));
}

void unseen_end(struct htmltext *h)
{
	h->unseen.depth = 0;
	h->unseen.hidden = 0;
}
