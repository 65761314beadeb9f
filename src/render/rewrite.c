#include "rewrite.h"

#include "simd/runs.h"
#include "text/match.h"

#define FORM_DEFAULT "join"

/* ---- What a form writes ------------------------------------------------------------ */

struct kept {
	struct writer writer;
	char last[2];
};

/* Writes to `made`, which is not yet output, until what is returned is put back. */
static struct kept begin_made(urlsift_renderer *r)
{
	struct rewrite_state *s = rewrite_of(r);
	if (s->form->how & FORM_AT_END)
		notes_begin(r);
	return (struct kept){ render_divert(r, &s->made, s->scratch), { s->last[0], s->last[1] } };
}

static void end_made(urlsift_renderer *r, struct kept kept)
{
	struct rewrite_state *s = rewrite_of(r);
	render_restore(r, &s->made, &kept.writer);
	memcpy(s->last, kept.last, sizeof kept.last);
}

static bool read_target(urlsift_renderer *r, struct rewrite_link *l)
{
	struct buf *text = &rewrite_of(r)->text;
	const size_t n = render_form(r, urlsift_link_target, l->piece->link);
	if (!render_room(r, text, n))
		return false;
	buf_add(text, r->form.data, n); /* 0 is a form for which memory was missing */
	l->text = (const char *)text->data;
	l->length = n;
	return true;
}

/* The text as `list` writes it, but in ASCII among bytes that are not UTF-8, as far as the link tells, which are
 * written as they are.  That of a simple link needs no escaping. */
static void read_text(urlsift_renderer *r, struct rewrite_link *l)
{
	struct rewrite_state *s = rewrite_of(r);
	const urlsift_link *link = l->piece->link;
	size_t supplied = strlen(urlsift_link_supplied(link)), most;
	l->text = render_link_text(link, &l->length);
	/* a target of HTML may hold what ends a link in text */
	const bool odd = (link->converted && r->place == &render_no_place && !rewrite_shows_controls(r))
	                 || (r->place->target && byte_until(l->text, 0, l->length, " <>\"`|") < l->length);
	if ((supplied == 0 && urlsift_link_is_simple(link)) || (odd && read_target(r, l)))
		return;
	most = supplied + 3 * l->length;
	char *to = render_room(r, &s->text, most);
	if (!to) {
		l->length = 0; /* not what would have to be escaped */
		return;
	}
	memcpy(to, urlsift_link_supplied(link), supplied);
	size_t n = urlsift_escape_line(l->text, l->length, to + supplied, most - supplied);
	if (n != l->length && read_target(r, l))
		return; /* what is invisible in a host is removed, not encoded */
	l->length = supplied + n;
	l->text = to;
}

void rewrite_read_link(urlsift_renderer *r, const urlsift_piece *piece, struct rewrite_link *l)
{
	*l = (struct rewrite_link){ .piece = piece, .label = { "", 0 }, .flags = urlsift_link_flags(piece->link) };
	read_text(r, l);
	if (rewrite_of(r)->form->how & FORM_ESCAPED) {
		/* Makes `&amp;amp;` of `&amp;`, as which it is read again. */
		static const char escape[] = "&amp;";
		const char *end = l->text + l->length, *at, *next;
		size_t count = 0;
		for (at = l->text; (at = memchr(at, '&', (size_t)(end - at))); at++)
			count += link_reference((const uint8_t *)at, (size_t)(end - at)) > 0;
		char *to = count > 0 ? render_room(r, &r->form, l->length + count * (sizeof escape - 2)) : NULL, *out = to;
		if (!to)
			return;
		for (at = l->text; at < end; at = next) {
			const size_t skip = link_reference((const uint8_t *)at, (size_t)(end - at)) > 0;
			const size_t escaped = skip ? sizeof escape - 1 : 0;
			next = (const char *)find_byte((const uint8_t *)at + 1, (const uint8_t *)end, '&');
			memcpy(out, escape, escaped);
			memcpy(out + escaped, at + skip, (size_t)(next - at) - skip);
			out += escaped + (size_t)(next - at) - skip;
		}
		l->text = to;
		l->length = (size_t)(out - to);
	}
}

/* ---- Targets of HTML --------------------------------------------------------------- */

/* In a label, which is one line. */
static bool in_label(const struct rewrite_state *s)
{
	return s->anchor.labelled && s->anchor.begun && s->form->how & FORM_MARKUP;
}

/* The white space that waited, without the edges of blocks before the first text.  What comes before the text
 * of an anchor follows it. */
static void put_white(urlsift_renderer *r)
{
	struct rewrite_state *s = rewrite_of(r);
	struct rewrite_white *w = &s->white;
	const size_t n = w->length, lines = run_after((const uint8_t *)w->text, n, '\n'), from = w->begins ? lines : 0;
	w->begins = w->supplied = false;
	w->length = 0;
	if (in_label(s) && lines > from)
		rewrite_plain(r, " ", 1);
	else
		rewrite_plain(r, w->text + from, n - from);
	s->anchor.begun = s->anchor.inside;
	rewrite_out_made(r, &s->anchor.prefix);
}

/* White space of HTML waits.  Blanks before a line end are not seen. */
static void keep_white(urlsift_renderer *r, const char *text, size_t n)
{
	struct rewrite_white *w = &rewrite_of(r)->white;
	if (n > 0 && w->supplied) {
		w->supplied = false;
		w->length = 0;
	}
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '\n')
			w->length = byte_span_back((const uint8_t *)w->text, 0, w->length, BYTE_BLANK);
		if (w->length == sizeof w->text)
			put_white(r);
		w->text[w->length++] = text[i];
	}
}

/* Text of HTML between links. */
static void put_seen(urlsift_renderer *r, const char *text, size_t n)
{
	const uint8_t *p = (const uint8_t *)text;
	for (size_t i = 0, from; i < n;) {
		from = run_after_spaces(p, i, n);
		keep_white(r, text + i, from - i);
		if (from == n)
			return;
		put_white(r);
		i = byte_index(p, from, n, '\n');
		while (i < n && !is_blank(p[i - 1]) && !in_label(rewrite_of(r)))
			i = byte_index(p, i + 1, n, '\n');
		i = run_spaces_back(p, from, i);
		rewrite_plain(r, text + from, i - from);
	}
}

/* A text has ended: nothing is seen after its white space but the end of its line. */
static void end_white(urlsift_renderer *r)
{
	struct rewrite_white *w = &rewrite_of(r)->white;
	rewrite_settle(r);
	w->length = !w->begins && text_begins(w->text, w->length, "\n");
	put_white(r);
}

/* Whether the form writes what comes before a label, which is plain text. */
static bool begins_anchor(urlsift_renderer *r, const struct rewrite_link *l)
{
	const struct rewrite_form *form = rewrite_of(r)->form;
	return form->anchor && render_is_plain_label(l->label) && form->anchor(r, l, false);
}

/* A link without a label.  The text that a rule made a link stays as one where the form has it. */
static void make_link(urlsift_renderer *r, struct rewrite_link *l)
{
	const struct rewrite_form *form = rewrite_of(r)->form;
	if (l->length == 0)
		return; /* memory was missing for its text */
	struct kept kept = begin_made(r);
	if (urlsift_link_convention(l->piece->link) == URLSIFT_CONV_RULE)
		l->label.bytes = urlsift_link_text(l->piece->link, &l->label.length);
	if (begins_anchor(r, l)) {
		escape_line(&r->writer, l->label.bytes, l->label.length);
		form->anchor(r, l, true);
	} else {
		/* A label that the form cannot have, say of an image, comes before, as text of an anchor does, unless it is
		 * markup of a link. */
		const bool apart = r->place->target && !(form->how & FORM_TEMPLATE) && render_is_plain_label(l->label)
		                   && text_index(l->label.bytes, l->label.length, "](") == l->label.length
		                   && text_index(l->label.bytes, l->label.length, "[[") == l->label.length;
		escape_line(&r->writer, l->label.bytes, apart * l->label.length);
		writer_put(&r->writer, " ", apart);
		form->link(r, l);
	}
	end_made(r, kept);
}

/* What comes after the anchor: the form's own end, or the target in the form of a link. */
static void make_suffix(urlsift_renderer *r, const struct rewrite_link *l, bool own)
{
	struct rewrite_state *s = rewrite_of(r);
	struct kept kept = begin_made(r);
	s->anchor.late = s->form->how & FORM_BREAKS;
	s->anchor.flags = l->flags;
	if (own) {
		s->form->anchor(r, l, true);
	} else if (!s->form->note) {
		writer_text(&r->writer, " ");
		if (!s->anchor.late)
			s->form->link(r, l);
	}
	end_made(r, kept);
	s->anchor.suffix.length = s->anchor.target.length = 0;
	if (!buf_add(&s->anchor.suffix, s->made.data, s->made.length) ||
	    !buf_add(&s->anchor.target, l->text, own ? 0 : l->length)) {
		r->status = URLSIFT_NO_MEMORY;
		s->anchor.suffix.length = 0; /* there is no link to write late */
	}
	s->made.length = 0;
}

/* The line of an anchor's link joins those that wait. */
static void put_note(urlsift_renderer *r)
{
	struct rewrite_state *s = rewrite_of(r);
	if (!s->form->note)
		return;
	render_keep(r, &s->lines.text, s->anchor.suffix.data, s->anchor.suffix.length);
	s->anchor.suffix.length = 0;
}

void rewrite_end_anchor(urlsift_renderer *r)
{
	struct rewrite_state *s = rewrite_of(r);
	bool late = s->anchor.late && s->anchor.suffix.length > 0;
	if (s->anchor.prefix.length > 0)
		put_white(r);
	s->anchor.inside = s->anchor.begun = s->anchor.labelled = s->anchor.late = false;
	put_note(r);
	rewrite_out_made(r, &s->anchor.suffix);
	rewrite_out(r, (const char *)s->anchor.hidden.data, s->anchor.hidden.length);
	s->anchor.hidden.length = 0;
	if (!late)
		return;
	const struct rewrite_link l = { .text = (const char *)s->anchor.target.data, .length = s->anchor.target.length,
	                                .flags = s->anchor.flags };
	struct kept kept = begin_made(r);
	s->form->link(r, &l);
	end_made(r, kept);
	rewrite_out_made(r, &s->made);
}

static void put_target(urlsift_renderer *r, const urlsift_piece *piece)
{
	struct rewrite_state *s = rewrite_of(r);
	struct rewrite_link l;
	rewrite_settle(r);
	rewrite_read_link(r, piece, &l);
	if (l.length == 0)
		return; /* memory was missing for its text */
	l.label.bytes = urlsift_link_label(piece->link, &l.label.length);
	if (l.label.length == 0 || !r->place->anchor) { /* there is no text, perhaps that of an image */
		if (!s->form->note) /* where it begins counts */
			put_white(r);
		make_link(r, &l);
		if (s->made.length > 0)
			put_white(r);
		if (s->form->note)
			s->form->note(r, &l);
		if (s->made.length == 0)
			return;
		/* between blanks; before a NUL, nothing was written */
		if (!strchr(" \n", s->last[1]))
			rewrite_out(r, " ", 1);
		rewrite_out_made(r, &s->made);
		keep_white(r, " ", 1);
		s->white.supplied = true;
		return;
	}
	struct kept kept = begin_made(r);
	bool own = begins_anchor(r, &l);
	end_made(r, kept);
	render_keep(r, &s->anchor.prefix, (const char *)s->made.data, s->made.length);
	s->made.length = 0;
	make_suffix(r, &l, own);
	s->anchor.inside = true;
	s->anchor.labelled = own && !s->form->note;
	if (!s->form->note)
		return;
	const size_t waiting = s->lines.text.length; /* the new line waits for the end of the anchor */
	s->form->note(r, &l);
	const size_t added = s->lines.text.length - waiting;
	s->lines.text.length = waiting;
	if (added)
		render_keep(r, &s->anchor.suffix, s->lines.text.data + waiting, added);
}

/* ---- Links --------------------------------------------------------------------------- */

/* Whether the link is what a reference of Markdown stands for, and whole: nothing but a title may follow it on its
 * line; or it is in a row of a table and has a bar, which ends its cell. */
static bool is_in_markdown(const struct rewrite_state *s, const urlsift_link *link, urlsift_text after)
{
	size_t parts, n;
	const char *text = urlsift_link_text(link, &n);
	urlsift_link_parts(link, &parts);
	if (rewrite_in_footnote(&s->line, true))
		return parts == 1 && urlsift_link_convention(link) != URLSIFT_CONV_WRAPPER
		       && match_bytes((const uint8_t *)after.bytes, after.length, ">?%s*%f[\"'(]");
	return match_bytes(s->line.head, s->line.head_length, "%s*%|") && memchr(text, '|', n);
}

/* Whether a number in place of the link would break markup that is not read: a command of LaTeX or Texinfo, a tag of
 * BBCode, JSON, or brackets with a label after the link: Javadoc, `[URL label]` of wikis, `<URL|label>` of Slack. */
static bool is_in_other_markup(urlsift_text before, urlsift_text after)
{
	static const char words[] = "\\url{ \\href{ @uref{ @url{ @email{ [url= [url] [img]";
	const uint8_t *p = (const uint8_t *)before.bytes, *q = (const uint8_t *)after.bytes;
	const uint8_t opening = byte_before(p, before.length), next = byte_at(q, 0, after.length);
	if (opening == ' ')
		return ascii_ends_among(p, before.length - 1, "{@link {@linkplain");
	if ((opening == '[' && next == ' ' && memchr(q, ']', after.length)) || (opening == '<' && next == '|'))
		return true;
	if (opening != '"' || next != '"')
		return ascii_ends_among(p, before.length, words);
	/* a whole string of JSON: a value, or a key, which may have a line of its own */
	const size_t to = byte_span_back(p, 0, before.length - 1, BYTE_BLANK);
	return to == 0 ? match_bytes(q, after.length, "\"%s*:|\"%s*,?%s*" MATCH_END) > 0
	               : ascii_ends_among(p, to, "\": \", [ {");
}

/* Whether the link is already where brackets would break it: in Markdown, Org, AsciiDoc or HTML. */
static bool is_in_markup(const struct rewrite_state *s, const urlsift_link *link)
{
	if (text_is_among(s->last, sizeof s->last, "]( [[ ][ =\" ='"))
		return true;
	urlsift_text before, after;
	label_beside(link, &before, &after);
	const uint8_t *p = (const uint8_t *)before.bytes, *q = (const uint8_t *)after.bytes;
	if (s->form->code == CODE_MARKDOWN && is_in_markdown(s, link, after))
		return true;
	/* a label of AsciiDoc, `URL[label]`, follows: not the mark of a footnote, `[1]`, `[^1]` or `[fn:1]`, or the end of
	 * a tag of BBCode */
	const size_t label = match_bytes(q, after.length, "%+*%[[%a%h\"*_`%]]|%[%d+[^%d%]]");
	if (label > 0 && !text_begins(q, after.length, "[fn:"))
		return true;
	if (s->form->how & FORM_AT_END && is_in_other_markup(before, after))
		return true;
	/* the value of an attribute in a tag of HTML, `<img src=`; the target of a label in reStructuredText */
	if (byte_before(p, before.length) == '=') {
		const size_t tag = run_after(p, before.length, '<');
		if (tag > run_after(p, before.length, '>') && is_alpha(byte_at(p, tag, before.length)))
			return true;
	}
	if (s->form->how & FORM_APART && text_begins(q, after.length, ">`_"))
		return true;
	/* the label of another link in Markdown, `[URL](URL)`, `[URL][name]`, or part of one */
	if (run_after(p, before.length, '[') <= run_after(p, before.length, ']'))
		return false;
	const size_t close = run_until(q, 0, after.length, ']');
	return close < run_until(q, 0, after.length, '[') && is_of((char)byte_at(q, close + 1, after.length), "([");
}

/* Notes the link, unless it is on the line of another one, in its label: there it is none in gemtext. */
static void note_link(urlsift_renderer *r, const struct rewrite_link *l)
{
	static const char mark[] = "=> ";
	struct rewrite_state *s = rewrite_of(r);
	const uint8_t *head = s->line.head;
	const size_t n = s->line.head_length;
	put_note(r);
	/* the end of the `=>` with which the output line begins as the line of a link does; 0 for none */
	const size_t begins = text_begins(head, n, "=>") ? byte_span(head, 2, n, BYTE_BLANK) : 0;
	if (s->fences.closed && s->line.length + s->held == 0)
		rewrite_end_paragraph(r);
	if (begins == 0)
		s->form->note(r, l);
	const size_t left = s->lines.text.length - s->lines.had, after = sizeof mark - 1 + l->length;
	if (begins == 0 || begins != s->line.length || left <= after)
		return;
	/* The text has the line of this link, which does not wait any more if it is the next of those that do. */
	const char *p = (const char *)s->lines.text.data + s->lines.had, *url = p + sizeof mark - 1;
	if (text_begins(p, left, mark) && !memcmp(url, l->text, l->length) && is_of(p[after], " \n"))
		s->lines.had += byte_index((const uint8_t *)p, after, left, '\n') + 1;
}

/* FORM_AT_END: whether a link stays: the number of an anchor follows its text; header fields are short, and read by
 * programs. */
static bool is_numbered(urlsift_renderer *r)
{
	struct rewrite_state *s = rewrite_of(r);
	return s->anchor.inside || r->place->field || s->footnotes.sign || rewrite_in_footnote(&s->line, false);
}

/* The number of a link that is made comes after its label; none, if a link of the label has that number. */
static void keep_number(urlsift_renderer *r, bool labelled)
{
	struct rewrite_state *s = rewrite_of(r);
	struct buf *number = &s->label.number;
	if (!s->label.comes)
		return;
	if (!labelled) {
		if (number->length > 0 && bytes_are(number->data + 1, number->length - 1, s->made.data, s->made.length))
			number->length = 0;
		return;
	}
	number->length = 0;
	render_keep(r, number, " ", 1);
	render_keep(r, number, (const char *)s->made.data, s->made.length);
	s->made.length = 0;
}

/* Whether `<` or `<URL:` and `>` are beside the link, which names no scheme: whoever wrote them meant brackets. */
static bool is_name_in_brackets(const struct rewrite_state *s, const urlsift_link *link)
{
	urlsift_text before, after;
	label_beside(link, &before, &after);
	return ascii_is_among(s->hold, s->held, "< <url:") && text_begins(after.bytes, after.length, ">");
}

static void begin_link(urlsift_renderer *r, const urlsift_piece *piece)
{
	struct rewrite_state *s = rewrite_of(r);
	struct rewrite_link l;
	bool labelled = false; /* the label of markup and the number of the link are written in place of both */
	bool numbered = false;
	if (s->form->how & FORM_AT_END) {
		urlsift_text before, after;
		label_beside(piece->link, &before, &after);
		labelled = !is_numbered(r) && !(urlsift_link_flags(piece->link) & URLSIFT_UNLINKABLE_SCHEME)
		           && rewrite_take_label(r, after);
		if (!labelled) {
			rewrite_leave_label(r);
			numbered = is_numbered(r);
		}
	}
	const bool brackets = rewrite_has_brackets(piece->link);
	const bool code = s->form->code && rewrite_in_code(&s->code, &s->line, piece->link);
	const bool markup = !labelled && s->form->how & FORM_MARKUP && is_in_markup(s, piece->link);
	s->bracketed = text_begins(s->hold, s->held, "<") && (brackets || is_name_in_brackets(s, piece->link));
	/* The bracket may have been written: one far before the link, after a long line prefix or one with a name. */
	s->opened = brackets && !s->bracketed && !labelled && !code
	            && !(s->form->how & (FORM_TEMPLATE | FORM_IN_PLACE));
	bool stays = s->form->how & FORM_IN_PLACE || code || markup || s->opened || numbered;
	s->replaced = !stays;
	s->links++;
	if (!stays || s->form->note || s->anchor.inside)
		rewrite_read_link(r, piece, &l);
	const struct buf *target = &s->anchor.target;
	if (s->anchor.inside && !numbered
	    && render_is_spelled(l.text, l.length, (const char *)target->data, target->length)) {
		put_note(r);
		s->anchor.suffix.length = 0; /* the anchor shows its target */
	} else if (s->form->note && l.length > 0) {
		note_link(r, &l);
	}
	if (s->lines.text.length > LINES_ALL)
		rewrite_end_paragraph(r);
	if (stays) {
		rewrite_put_hold(r, s->bracketed && s->form->how & FORM_MENDS);
		return;
	}
	if (!s->bracketed)
		rewrite_out(r, s->hold, s->held);
	make_link(r, &l);
	keep_number(r, labelled);
	if (s->bracketed)
		return; /* it waits for the closing bracket, as it is replaced with both */
	s->held = 0;
	rewrite_out_made(r, &s->made);
}

/* Whether the breaks of the current link are removed. */
static bool is_mended(const struct rewrite_state *s)
{
	return s->replaced || s->opened || s->form->how & FORM_MENDS;
}

/* The white space, line prefixes and sequences between two parts of a link. */
static void put_gap(urlsift_renderer *r, const urlsift_piece *piece)
{
	struct rewrite_state *s = rewrite_of(r);
	const char *text = piece->text;
	size_t n = piece->text_length;
	/* after a line end the quote marks may be overstruck, too */
	s->parts.broken |= byte_span((const uint8_t *)text, 0, n, BYTE_BUT(BYTE_LINE_END)) < n;
	bool shown = !s->parts.broken || piece->offset + piece->length == s->parts.next;
	bool colour = n > 2 && text[0] == '\x1b' && text[n - 1] == 'm', overstrike = shown && memchr(text, '\b', n);
	if (!is_mended(s) || colour || (overstrike && !s->replaced && !s->change.comes))
		rewrite_out(r, text, n);
}

/* Undoes the escapes of quoted-printable in a part of a link (J1): without the soft line break nothing tells that they
 * are escapes. */
static void undo_quoted(urlsift_renderer *r, urlsift_piece *part)
{
	const uint8_t *p = (const uint8_t *)part->text;
	uint8_t *const text = (uint8_t *)render_room(r, &rewrite_of(r)->made, part->text_length), *to = text;
	const size_t n = text ? part->text_length : 0;
	for (size_t i = 0, width; i < n; i += width) {
		const size_t length = p[i] == '=' ? link_read_quoted(p + i, n - i, to, &width) : 0;
		if (length == 0)
			*to = p[i];
		width = length ? width : 1;
		to += length + !length;
	}
	part->text = (const char *)text;
	part->text_length = (size_t)(to - text);
}

static void put_link(urlsift_renderer *r, const urlsift_piece *piece)
{
	struct rewrite_state *s = rewrite_of(r);
	if (piece->link->hyperlink && !(s->form->how & FORM_TARGETS)) {
		rewrite_plain(r, piece->text, piece->text_length);
		return;
	}
	size_t count;
	if (piece->part == 0) {
		const char *supplied = urlsift_link_supplied(piece->link);
		if (r->place->field && text_is_among(supplied, strlen(supplied), "mid: cid: news:")) {
			/* a message identifier, as header fields have them */
			const char *text = urlsift_link_text(piece->link, &count);
			if (s->last[1] == '>')
				rewrite_out(r, " ", 1);
			rewrite_out(r, "<", 1);
			rewrite_out(r, text, count);
			rewrite_out(r, ">", 1);
			return;
		}
		rewrite_end_gap(r);
		fang_out_end(r, piece->text_length > 0 ? (uint8_t)*piece->text : 0);
		begin_link(r, piece);
		urlsift_link_parts(piece->link, &s->parts.left);
	}
	if (!s->replaced) {
		urlsift_piece part = *piece;
		if (part.link->escapes & ESCAPES_QUOTED && is_mended(s))
			undo_quoted(r, &part);
		if (s->form->part)
			s->form->part(r, &part);
		else
			rewrite_out(r, part.text, part.text_length);
	}
	fang_out_end(r, 0); /* an edit has the whole part */
	const urlsift_range *parts = urlsift_link_parts(piece->link, &count);
	s->parts.next = piece->part + 1 < count ? parts[piece->part + 1].offset : 0;
	s->parts.broken = false;
	if (--s->parts.left > 0)
		return;
	if ((s->bracketed || s->opened) && is_mended(s))
		rewrite_close(r);
}

/* ---- Mail ------------------------------------------------------------------------------ */

static void end_line(urlsift_renderer *r)
{
	struct rewrite_state *s = rewrite_of(r);
	if (s->section != REWRITE_NONE && s->last[1] != '\n')
		rewrite_out(r, "\n", 1);
}

/* Header fields, a blank line, the text, a blank line before the next text or message. */
static void begin_section(urlsift_renderer *r, enum rewrite_section section)
{
	struct rewrite_state *s = rewrite_of(r);
	end_line(r);
	if (s->fences.open)
		rewrite_end_text(r);
	if (s->section == REWRITE_BODY || (s->section == REWRITE_FIELD && section == REWRITE_BODY))
		rewrite_out(r, "\n", 1);
	s->section = section;
}

static void begin_code(struct rewrite_state *s)
{
	s->code = (struct rewrite_code){ .markup = s->form->code };
}

static void rewrite_place(urlsift_renderer *r)
{
	struct rewrite_state *s = rewrite_of(r);
	const char *field = r->place->field;
	end_white(r);
	/* what these fields say is no longer true of the text */
	s->encoding = field && ascii_is_among(field, strlen(field), "content-type content-transfer-encoding");
	if (s->encoding)
		return;
	begin_section(r, field ? REWRITE_FIELD : REWRITE_BODY);
	begin_code(s);
	s->footnotes.sign = false;
	s->white.comes = s->white.begins = !field && !strcmp(r->place->type, "text/html");
	if (!field)
		return;
	rewrite_out(r, field, strlen(field));
	rewrite_out(r, ": ", 2);
}

static void rewrite_message(urlsift_renderer *r, const urlsift_message *message)
{
	struct rewrite_state *s = rewrite_of(r);
	(void)message;
	end_white(r);
	if (s->section == REWRITE_FIELD)
		s->section = REWRITE_BODY;
	if (s->form->how & FORM_AT_END)
		rewrite_end_paragraph(r);
	if (s->footnotes.sign && s->footnotes.listed && s->last[1] != '\n')
		rewrite_out_line_end(r);
	s->footnotes = (struct footnotes){0};
	s->label.skip = 0;
	s->label.comes = false;
}

static void rewrite_piece(urlsift_renderer *r, const urlsift_piece *piece, bool shown)
{
	struct rewrite_state *s = rewrite_of(r);
	s->colon.stays = piece->link && !shown;
	if (s->encoding && r->place != &render_no_place) {
		if (!shown)
			return;
		if (piece->part == 0)
			begin_section(r, REWRITE_BODY);
	}
	if (s->anchor.inside && !r->place->anchor)
		rewrite_settle(r);
	if (r->place->target) {
		if (shown && piece->part == 0)
			put_target(r, piece);
		return;
	}
	if (s->anchor.labelled && r->place->anchor == URLSIFT_ANCHOR_HIDDEN) {
		render_keep(r, &s->anchor.hidden, piece->text, piece->text_length);
		if (s->anchor.hidden.length > LINES_MOST)
			rewrite_settle(r);
		return;
	}
	if (piece->offset == 0 && piece->length == 3 && piece->text_length == 0 && r->place == &render_no_place)
		rewrite_put(r, "\xef\xbb\xbf", 3); /* a byte order mark (C1), which is no character of the line */
	if (s->white.comes && !shown && s->parts.left == 0) {
		put_seen(r, piece->text, piece->text_length);
		return;
	}
	put_white(r);
	if (shown)
		put_link(r, piece);
	else if (s->parts.left > 0)
		put_gap(r, piece);
	else
		rewrite_plain(r, piece->text, piece->text_length);
}

static void rewrite_source_end(urlsift_renderer *r, uint64_t links)
{
	(void)links;
	rewrite_message(r, NULL); /* the fields end */
	rewrite_end_text(r);
	end_line(r);
	begin_code(rewrite_of(r));
}

/* ---- From the beginning to the end ------------------------------------------------------ */

const char *rewrite_fault(const char *name)
{
	const char *argument;
	const struct rewrite_form *form = rewrite_form_find(name, &argument);
	if (!form || (form->how & FORM_HOST && !change_host_takes(argument)) || (form->how & FORM_TEMPLATE && !*argument))
		return name;
	return form->how & FORM_TEMPLATE ? template_fault(argument) : NULL;
}

static const struct rewrite_form *chosen_form(const urlsift_render_options *options, const char **argument)
{
	return rewrite_form_find(text_or(options->form, FORM_DEFAULT), argument);
}

static unsigned rewrite_needs(const urlsift_render_options *options)
{
	const char *argument;
	const struct rewrite_form *form = chosen_form(options, &argument);
	return form->needs | URLSIFT_NEEDS_DISPLAY | bits_if(form->how & FORM_MARKUP, URLSIFT_NEEDS_CONTEXT)
	       | (form->how & FORM_TEMPLATE ? template_needs(argument) : 0);
}

static void rewrite_init(urlsift_renderer *r)
{
	struct rewrite_state *s = rewrite_of(r);
	s->form = chosen_form(&r->options, &s->argument);
	begin_code(s);
	hashset_init(&s->lines.noted, r->alloc, LINES_ALL);
}

static void rewrite_fini(urlsift_renderer *r)
{
	hashset_fini(&rewrite_of(r)->lines.noted);
}

#define BUFFER(member, cap) { offsetof(struct rewrite_state, member), cap }
static const struct format_buffer buffers[] = {
	BUFFER(anchor.prefix, SIZE_MAX), BUFFER(anchor.suffix, SIZE_MAX), BUFFER(anchor.target, SIZE_MAX),
	BUFFER(anchor.hidden, SIZE_MAX), BUFFER(made, SIZE_MAX), BUFFER(text, SIZE_MAX), BUFFER(change.texts, SIZE_MAX),
	BUFFER(unnumbered.text, SIZE_MAX), BUFFER(unnumbered.marks, SIZE_MAX), BUFFER(label.number, SIZE_MAX),
	BUFFER(lines.text, SIZE_MAX), BUFFER(colon.held, HELD_LONGEST),
};

const struct format format_rewrite = {
	.name = "rewrite", .needs.always = URLSIFT_NEEDS_PLAIN | RENDER_NEEDS_ORDER, .needs.other = rewrite_needs,
	.state = { sizeof(struct rewrite_state), rewrite_init, rewrite_fini, FORMAT_BUFFERS(buffers) },
	.message = rewrite_message, .place = rewrite_place, .piece = rewrite_piece, .source_end = rewrite_source_end,
	.end = notes_end,
};
