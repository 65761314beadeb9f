#include "rewrite.h"
#include "text/bytes.h"

#include <string.h>

/* ---- Angle brackets, Markdown, reStructuredText -------------------------------------- */

/* The URL, with the bytes of `set` escaped, which would end it in the form, or hide what follows them. */
static void put_url(urlsift_renderer *r, const struct rewrite_link *l, const char *set)
{
	for (size_t i = 0, k; i < l->length; i = k + 1) {
		k = byte_until(l->text, i, l->length, set);
		writer_put(&r->writer, l->text + i, k - i);
		if (k < l->length) {
			writer_text(&r->writer, "%");
			writer_hex(&r->writer, HEX_UPPER, (uint8_t)l->text[k], 2);
		}
	}
}

/* The URL between two texts, with the bytes of `set` escaped. */
static void put_between(urlsift_renderer *r, const struct rewrite_link *l, const char *begin, const char *set,
                        const char *end)
{
	writer_text(&r->writer, begin);
	put_url(r, l, set);
	writer_text(&r->writer, end);
}

/* B10: what reads the form must not make it a link. */
static bool is_unlinkable(const struct rewrite_link *l)
{
	return urlsift_link_flags(l->piece->link) & URLSIFT_UNLINKABLE_SCHEME;
}

/* A1: `<` and a scheme alone do not make a link of any scheme. */
void angle_link(urlsift_renderer *r, const struct rewrite_link *l)
{
	bool unknown = urlsift_link_flags(l->piece->link) & URLSIFT_UNKNOWN_SCHEME;
	put_between(r, l, unknown || is_unlinkable(l) ? "<URL:" : "<", "|", ">"); /* A1c */
}

/* Whether the link may have a label, and this one has none of the bytes. */
static bool fits(const struct rewrite_link *l, const char *bytes)
{
	return byte_until(l->label.bytes, 0, l->label.length, bytes) == l->label.length && !is_unlinkable(l);
}

/* A label and the URL after it. */
struct labelled {
	const char *not_in_label; /* bytes that it cannot have */
	const char *begin, *between, *end;
};

/* rewrite_form.anchor for it. */
static bool put_labelled(urlsift_renderer *r, const struct rewrite_link *l, bool end, const struct labelled *form)
{
	if (!fits(l, form->not_in_label))
		return false;
	if (end)
		put_between(r, l, form->between, "\\|`", form->end);
	else
		writer_text(&r->writer, form->begin);
	return true;
}

/* In CommonMark any scheme in angle brackets makes a link, and in code none does. */
static void markdown_link(urlsift_renderer *r, const struct rewrite_link *l)
{
	if (is_unlinkable(l))
		put_between(r, l, "`", "`", "`");
	else
		put_between(r, l, "<", "|", ">"); /* A1c */
}

/* `[label](<URL>)`: in angle brackets a URL may hold parentheses. */
static bool markdown_anchor(urlsift_renderer *r, const struct rewrite_link *l, bool end)
{
	static const struct labelled plain = { "[]\\", "[", "](", ")" }, angle = { "[]\\", "[", "](<", ">)" };
	bool bare = byte_until(l->text, 0, l->length, "()") == l->length;
	return put_labelled(r, l, end, bare ? &plain : &angle);
}

/* Whether reStructuredText reads path, query or fragment of a URL to its end, which is the byte. */
static bool is_end_in_rst(char c)
{
	return is_alnum((uint8_t)c) || is_of(c, "_~/=+");
}

/* Whether reStructuredText does not read the URL whole in angle brackets: for what ends one there or is read as markup,
 * such as a reference at the end of a word. */
static bool is_cut_by_rst(const struct rewrite_link *l)
{
	char part = '\0'; /* what began it: ? or # */
	for (size_t i = 0; i < l->length; i++) {
		const char c = l->text[i], next = i + 1 < l->length ? l->text[i + 1] : ' ';
		if (is_of(c, "*`\"^{|}") || (uint8_t)c >= 0x80 || (c == '_' && is_of(next, " '\")]-/:.,;!?")))
			return true;
		if (is_of(next, "?#")) {
			if (!is_end_in_rst(c) || part == '#' || part == next)
				return true;
			part = next;
		}
	}
	return is_of(l->text[l->length - 1], "?#");
}

static const struct labelled rst_labelled = { "`<>\\", "`", " <", ">`__" };

/* A bare URL is a link in reStructuredText if its end is no punctuation, and it is not the next one after a mark, with
 * which that before it would go on. */
static void rst_link(urlsift_renderer *r, const struct rewrite_link *l)
{
	const bool bare = urlsift_link_convention(l->piece->link) == URLSIFT_CONV_BARE && !r->place->target
	                  && !is_of(rewrite_of(r)->last[1], ";,");
	if (!is_unlinkable(l) && is_cut_by_rst(l))
		put_between(r, l, "`<", "\\|`", rst_labelled.end);
	else if (bare && is_end_in_rst(l->text[l->length - 1]))
		put_url(r, l, "");
	else
		angle_link(r, l);
}

static bool rst_anchor(urlsift_renderer *r, const struct rewrite_link *l, bool end)
{
	return put_labelled(r, l, end, &rst_labelled);
}

/* ---- Org ------------------------------------------------------------------------------ */

static const char org_set[] = "[]|";

/* The brackets of an address cannot be encoded: such a link stays in angle brackets. */
static bool has_literal(const struct rewrite_link *l)
{
	urlsift_url url;
	urlsift_url_split(l->text, l->length, &url);
	return text_begins(l->text + url.host.offset, url.host.length, "[");
}

static void org_link(urlsift_renderer *r, const struct rewrite_link *l)
{
	if (is_unlinkable(l) || has_literal(l)) {
		angle_link(r, l);
		return;
	}
	put_between(r, l, "[[", org_set, "]]");
}

static bool org_anchor(urlsift_renderer *r, const struct rewrite_link *l, bool end)
{
	if (!fits(l, "[]") || has_literal(l))
		return false;
	if (end) {
		writer_text(&r->writer, "]]");
		return true;
	}
	put_between(r, l, "[[", org_set, "][");
	return true;
}

/* ---- Gemtext ---------------------------------------------------------------------------- */

static void gemtext_note(urlsift_renderer *r, const struct rewrite_link *l)
{
	struct buf *lines = &rewrite_of(r)->lines.text;
	size_t n;
	const char *label = urlsift_link_label(l->piece->link, &n);
	if (bytes_are(l->text, l->length, label, n))
		n = 0;
	render_keep(r, lines, "=> ", is_unlinkable(l) ? 0 : 3);
	render_keep(r, lines, l->text, l->length);
	render_keep(r, lines, " ", n > 0);
	render_keep(r, lines, label, n);
	render_keep(r, lines, "\n", 1);
}

/* Targets of HTML have nothing but their line. */
static void no_link(urlsift_renderer *r, const struct rewrite_link *l)
{
	(void)r;
	(void)l;
}

static bool gemtext_anchor(urlsift_renderer *r, const struct rewrite_link *l, bool end)
{
	(void)end;
	no_link(r, l);
	return true;
}

/* ---- Terminals --------------------------------------------------------------------------- */

enum {
	OSC8_LONGEST = 2083, /* bytes of a target, for VTE */
	OSC8_PARTS = 64      /* parts of a link that repeat it: the others are text */
};

#define OSC8 "\x1b]8;"
#define ST "\x1b\\"
#define UNDERLINE "\x1b[4m"
#define NO_UNDERLINE "\x1b[24m"
#define DIM "\x1b[2m"
#define NO_DIM "\x1b[22m"

/* Begins a hyperlink; its parts share an identifier.  Returns whether there is one. */
static bool begin_hyperlink(urlsift_renderer *r, const urlsift_link *link, bool broken)
{
	size_t target = link_may_be_href(link) ? render_form(r, urlsift_link_target, link) : 0;
	if (!r->options.color || !within(target, 1, OSC8_LONGEST))
		return false;
	writer_text(&r->writer, OSC8);
	if (broken) {
		writer_text(&r->writer, "id=u");
		writer_number(&r->writer, rewrite_of(r)->links);
	}
	writer_text(&r->writer, ";");
	writer_put(&r->writer, r->form.data, target);
	writer_text(&r->writer, ST UNDERLINE);
	return true;
}

/* Ends it, if there is one. */
static void end_hyperlink(urlsift_renderer *r, bool open)
{
	writer_text(&r->writer, text_if(open, NO_UNDERLINE OSC8 ";" ST));
}

/* The names of the warnings, on a terminal. */
static void put_warnings(urlsift_renderer *r, const urlsift_link *link)
{
	unsigned warnings = urlsift_link_warnings(link);
	warnings &= ~(unsigned)URLSIFT_WARN_UNKNOWN_SCHEME; /* it is not a hyperlink */
	if (warnings == 0 || !(r->options.terminal || r->options.color))
		return;
	writer_text(&r->writer, " ");
	writer_text(&r->writer, text_if(r->options.color, DIM));
	render_names(r, warnings, urlsift_warning_name, "[", ", ");
	writer_text(&r->writer, "]");
	writer_text(&r->writer, text_if(r->options.color, NO_DIM));
}

static void term_link(urlsift_renderer *r, const struct rewrite_link *l)
{
	writer_text(&r->writer, "<");
	bool open = begin_hyperlink(r, l->piece->link, false);
	escape_terminal(&r->writer, l->text, l->length);
	end_hyperlink(r, open);
	writer_text(&r->writer, ">");
	put_warnings(r, l->piece->link);
}

static bool term_anchor(urlsift_renderer *r, const struct rewrite_link *l, bool end)
{
	if (urlsift_link_warnings(l->piece->link))
		return false; /* the reader sees where it leads */
	if (!end)
		return begin_hyperlink(r, l->piece->link, true);
	end_hyperlink(r, true);
	return true;
}

static void term_part(urlsift_renderer *r, const urlsift_piece *piece)
{
	size_t parts;
	urlsift_link_parts(piece->link, &parts);
	bool open = piece->text_length > 0 && piece->part < OSC8_PARTS && begin_hyperlink(r, piece->link, parts > 1);
	rewrite_out(r, piece->text, piece->text_length);
	end_hyperlink(r, open);
	if (piece->part + 1 == parts)
		put_warnings(r, piece->link);
}

/* ---- Templates ----------------------------------------------------------------------------- */

static void template_link(urlsift_renderer *r, const struct rewrite_link *l)
{
	template_put(r, rewrite_of(r)->argument, l->piece, NULL);
}

/* ---- The table ------------------------------------------------------------------------------ */

/* THE table of forms. */
static const struct rewrite_form forms[] = {
	{ .name = "join", .how = FORM_IN_PLACE | FORM_MENDS, .link = angle_link },
	{ .name = "wrap", .how = FORM_BREAKS | FORM_ESCAPED, .needs = URLSIFT_NEEDS_CONTEXT, .link = wrap_link },
	{ .name = "angle", .how = FORM_ESCAPED, .needs = URLSIFT_NEEDS_CONTEXT, .link = angle_link },
	{ .name = "markdown", .how = FORM_MARKUP | FORM_ESCAPED, .link = markdown_link, .anchor = markdown_anchor,
	  .code = CODE_MARKDOWN },
	{ .name = "org", .how = FORM_MARKUP, .link = org_link, .anchor = org_anchor, .code = CODE_ORG },
	{ .name = "rst", .how = FORM_MARKUP | FORM_APART, .link = rst_link, .anchor = rst_anchor, .code = CODE_RST },
	{ .name = "gemtext", .how = FORM_IN_PLACE | FORM_MENDS, .needs = URLSIFT_NEEDS_LABELS, .link = no_link,
	  .anchor = gemtext_anchor, .note = gemtext_note },
	{ .name = "footnotes", .how = FORM_MARKUP | FORM_AT_END, .link = notes_link, .anchor = notes_anchor },
	{ .name = "term", .how = FORM_IN_PLACE | FORM_TERMINAL, .link = term_link, .anchor = term_anchor,
	  .part = term_part },
	{ .name = "defang", .how = FORM_IN_PLACE | FORM_TARGETS, .needs = RENDER_NEEDS_CUT_HOSTS, .link = defang_link,
	  .part = defang_part, .colon = ":", .new_colon = "[:]" },
	{ .name = "refang", .how = FORM_IN_PLACE | FORM_TARGETS, .needs = URLSIFT_NEEDS_REFANG | RENDER_NEEDS_CUT_HOSTS,
	  .link = angle_link, .colon = "[:]", .new_colon = ":" },
	{ .name = "clean", .how = FORM_IN_PLACE | FORM_MENDS, .link = change_link, .part = change_part,
	  .change = change_clean },
	{ .name = "https", .how = FORM_IN_PLACE | FORM_MENDS, .needs = URLSIFT_NEEDS_CONTEXT, .link = change_link,
	  .part = change_part, .change = change_https },
	{ .name = "unwrap", .how = FORM_IN_PLACE | FORM_MENDS, .link = change_link, .part = change_part,
	  .change = change_unwrap },
	{ .name = "host:", .how = FORM_IN_PLACE | FORM_MENDS | FORM_HOST, .needs = URLSIFT_NEEDS_CONTEXT,
	  .link = change_link, .part = change_part, .change = change_host },
	{ .name = "template:", .how = FORM_TEMPLATE, .needs = URLSIFT_NEEDS_CONTEXT, .link = template_link },
};

const struct rewrite_form *rewrite_form_find(const char *name, const char **argument)
{
	size_t n = strcspn(name, ":");
	n += name[n] == ':';
	*argument = name + n;
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (text_is(name, n, forms[i].name))
			return &forms[i];
	return NULL;
}
