#include "tag.h"

/* ---- Anchors ---- */

static void end_innermost(struct htmltext *h)
{
	const unsigned hidden = h->unseen.hidden;
	unseen_end(h, h->anchors.at[--h->anchors.open].unseen);
	h->anchor = h->anchors.open;
	if (h->text.bare != BARE_NOT && !h->templates) /* an image counts as text */
		h->text.last = h->text.bare == BARE_IMAGE || !text_is_after_space(h) ? 'a' : AFTER_LINK;
	h->text.bare = BARE_NOT;
	htmltext_stop(h, h->status == URLSIFT_OK && h->sink.anchor_end(h->sink.user));
	if (h->anchor)
		unseen_report(h, hidden);
}

/* Ends those that were to end with a scope, or with the anchor in them. */
static void end_doomed(struct htmltext *h)
{
	for (const struct anchor *a; h->anchor; end_innermost(h)) {
		a = &h->anchors.at[h->anchors.open - 1];
		if (!a->doomed || a->level < h->scopes.depth)
			return;
	}
}

void anchor_begin(struct htmltext *h)
{
	struct anchors *a = &h->anchors;
	if (a->open == HTMLTEXT_ANCHORS_MAX)
		anchor_end(h);
	a->at[a->open++] = (struct anchor){
		.level = h->scopes.depth, .foreign = htmltext_foreign(h), .unseen = h->unseen.depth
	};
	h->anchor = true;
}

void anchor_end(struct htmltext *h)
{
	if (!h->anchor)
		return;
	end_innermost(h);
	end_doomed(h);
}

/* Elements that hide the anchors around them from an <a>; other scopes do so from </a> alone. */
static bool is_marker(const struct scope *s)
{
	return s->kind == SCOPE_CELL || s->kind == SCOPE_OBJECT || s->kind == SCOPE_TEMPLATE;
}

void anchor_tag(struct htmltext *h, bool end)
{
	if (!h->anchor || (htmltext_foreign(h) && !end)) /* in SVG, one is in another */
		return;
	if (htmltext_foreign(h) && h->anchors.at[h->anchors.open - 1].level < h->scopes.depth) {
		htmltext_leave_foreign(h);
		scope_spaces(h);
	}
	size_t level = h->scopes.depth;
	if (h->anchor && h->anchors.at[h->anchors.open - 1].level == level)
		anchor_end(h);
	if (end || !h->anchor)
		return;
	struct anchor *a = &h->anchors.at[h->anchors.open - 1];
	while (level && !is_marker(&h->scopes.open[level - 1]))
		level--;
	a->doomed |= !a->foreign && a->level >= level; /* with the scope that the tag is in */
}

/* ---- Scopes ---- */

static void leave(struct htmltext *h, size_t depth)
{
	struct scopes *s = &h->scopes;
	for (; s->depth > depth; end_doomed(h)) {
		const bool marker = is_marker(&s->open[--s->depth]);
		for (size_t i = h->anchors.open; i && h->anchors.at[i - 1].level > s->depth; i--) {
			struct anchor *a = &h->anchors.at[i - 1];
			a->level = s->depth;
			a->doomed |= marker || a->foreign; /* browsers open others again */
		}
	}
}

static void enter(struct htmltext *h, const struct element *element, uint8_t kind, uint8_t spaces)
{
	struct scopes *s = &h->scopes;
	if (s->depth < HTMLTEXT_SCOPES_MAX)
		s->open[s->depth++] = (struct scope){.element = element, .kind = kind, .section = 'b', .spaces = spaces};
}

/* How many are open from the innermost one of the kind outwards, which none of `border` hides; 0 without one. */
static size_t depth_of(const struct scopes *s, unsigned kind, unsigned border)
{
	size_t depth = s->depth;
	for (; depth && s->open[depth - 1].kind != kind; depth--)
		if (s->open[depth - 1].kind == border)
			return 0;
	return depth;
}

bool scope_ignores(const struct htmltext *h, const struct element *element)
{
	return within(element->is / IS_SCOPE, SCOPE_CELL, SCOPE_ROW) && !depth_of(&h->scopes, SCOPE_TABLE, SCOPE_TEMPLATE);
}

void scope_follow(struct htmltext *h, const struct element *element, bool end)
{
	struct scopes *s = &h->scopes;
	if (h->conditional.open)
		return;
	const uint8_t kind = (uint8_t)(element->is / IS_SCOPE);
	const char part = element->name[1]; /* of tr, tbody and so on */
	const size_t table = depth_of(s, SCOPE_TABLE, SCOPE_TEMPLATE);
	const struct scope *cell = table && s->depth > table && s->open[table].kind == SCOPE_CELL ? &s->open[table] : NULL;
	const bool innermost = s->depth && s->open[s->depth - 1].element == element;
	switch (kind) {
	case SCOPE_TABLE:
		if (table && (end || !cell))
			leave(h, table - 1);
		break;
	case SCOPE_CELL:
		if (end ? cell && cell->element == element : table)
			leave(h, table);
		end |= !table;
		break;
	case SCOPE_ROW:
		if (end ? cell && *cell->element->name == 't' && (part == 'r' || part == s->open[table - 1].section) : table) {
			leave(h, table);
			if (part != 'r')
				s->open[table - 1].section = end ? 'b' : part;
		}
		return;
	case SCOPE_TEMPLATE:
		if (end && depth_of(s, kind, kind))
			leave(h, depth_of(s, kind, kind) - 1);
		break;
	default:
		if (innermost && (end || kind == SCOPE_SELECT))
			leave(h, s->depth - 1);
		end |= innermost && kind == SCOPE_SELECT;
	}
	if (!end)
		enter(h, element, kind, 0);
}

void scope_spaces(struct htmltext *h)
{
	struct scopes *s = &h->scopes;
	uint8_t spaces = 0, known = 0;
	if (h->conditional.open)
		return;
	for (uint64_t rest = h->spaces; rest; rest >>= 4)
		spaces++;
	for (size_t i = 0; i < s->depth; i++) {
		if (s->open[i].spaces > spaces)
			leave(h, i);
		else
			known = (uint8_t)larger(known, s->open[i].spaces);
	}
	if (spaces > known)
		enter(h, &element_none, SCOPE_SPACE, spaces);
}
