/* The forms that write another URL in the place of a link: clean, https, unwrap, host. */
#include "rewrite.h"

#include "scan/link.h"
#include "text/match.h"
#include "text/unicode.h"
#include "url/tracking.h"
#include "url/url.h"

/* What is in r->form, which has room for it, and the text of the link from `end` on become its text. */
static bool take_form(urlsift_renderer *r, struct rewrite_link *l, size_t end)
{
	buf_add(&r->form, l->text + end, l->length - end);
	l->text = (const char *)r->form.data;
	l->length = r->form.length;
	return true;
}

/* Whether nothing but the link itself can be in it: brackets are around it, or it is a target.  Quotation marks may
 * hold more, without a blank after the link. */
static bool is_delimited(const urlsift_renderer *r, const struct rewrite_link *l)
{
	return r->place->target || rewrite_has_brackets(l->piece->link);
}

/* What separates fields of the line, if it is right before the link; else 0. */
static char field_mark(urlsift_renderer *r, const struct rewrite_link *l)
{
	const char before = rewrite_of(r)->last[1];
	return !is_delimited(r, l) && is_of(before, ";,") ? before : '\0';
}

/* What parameters of trackers and link rewriters are written with, beside `:`, `@` and a few others that are rare
 * there. Anything else may be text that follows the link without a blank. */
#define PLAIN "[%w._~%%+*/=;!$?#&-]"

/* Where the marks begin with which the link ends, and which may end an emphasis in the text, or be a dash. */
static size_t marks_begin(const struct rewrite_link *l)
{
	return byte_after_back(l->text, 0, l->length, "-_~+");
}

/* Where in a parameter that goes text begins that may not be the link's own, or the next field.  l->length for nowhere.
 * */
static size_t clean_end(const struct rewrite_link *l, char mark)
{
	const uint8_t *p = (const uint8_t *)l->text;
	for (size_t at = 0, name; tracking_next(l->text, l->length, &at, &name);) {
		const size_t to = byte_until(p, at + name, l->length, "&;#");
		const size_t end = at + match_bytes(p + at, to - at, "[%w_]+%[%d+]=" PLAIN "*|" PLAIN "*") - 1;
		if (end == l->length)
			return larger(at, marks_begin(l));
		if (end < to || l->text[to] == mark)
			return end;
	}
	return l->length;
}

/* Whether the link can lose what its form does not want: all to its end, or to the mark of the next field, which stays.
 * */
static bool is_clear(const struct rewrite_link *l, size_t end, char mark)
{
	return end == l->length || l->text[end] == mark;
}

/* Whether the text has references to an ampersand, as XML and HTML source do. */
static bool has_references(urlsift_text text)
{
	const uint8_t *at = (const uint8_t *)text.bytes, *end = at + text.length;
	while ((at = find_byte(at, end, '&')) < end && !link_reference(at, (size_t)(end - at)))
		at++;
	return at < end;
}

/* Whether the link, which has references to an ampersand, has one to another character.  That is not undone in its
 * text, where it looks like a parameter or a fragment: `&#34;`. */
static bool has_other_reference(const struct rewrite_link *l)
{
	const uint8_t *p = (const uint8_t *)l->text, *end = p + l->length;
	for (const uint8_t *amp = p; (amp = find_byte(amp, end, '&')) < end; amp++) {
		const size_t from = (size_t)(amp - p) + 1, name = from + (byte_at(p, from, l->length) == '#');
		const size_t to = byte_span(p, name, l->length, BYTE_ALNUM);
		if (to > name && byte_at(p, to, l->length) == ';' && !link_reference(amp, l->length - from + 1))
			return true;
	}
	return false;
}

/* Where it is not clear what follows a value, all stays. */
bool change_clean(urlsift_renderer *r, struct rewrite_link *l)
{
	const char mark = field_mark(r, l);
	const size_t end = is_delimited(r, l) ? l->length : clean_end(l, mark);
	size_t at = 0, name;
	if (!tracking_next(l->text, end, &at, &name) || !is_clear(l, end, mark)
	    || (l->flags & URLSIFT_UNESCAPED && has_references((urlsift_text){ l->piece->text, l->piece->text_length })
	        && has_other_reference(l)) || !render_room(r, &r->form, l->length))
		return false;
	r->form.length = tracking_remove(l->text, end, (char *)r->form.data);
	return take_form(r, l, end);
}

/* Whether the link is the name of an XML namespace, which is compared byte by byte: `xmlns:svg = "` is before it,
 * or, as JSON, `"xmlns": "`. */
static bool is_namespace(const urlsift_link *link)
{
	urlsift_text before, after;
	label_beside(link, &before, &after);
	const char *p = before.bytes;
	size_t end = before.length;
	text_trim(&p, &end, "\"'\\ \t\r\n=:");
	const size_t start = set_last((const uint8_t *)p, 0, end, " <>\"'");
	return text_begins(p + start, end - start, "xmlns");
}

/* Without the port of http; at another one is no server of https. */
bool change_https(urlsift_renderer *r, struct rewrite_link *l)
{
	static const char scheme[] = "https";
	enum { HTTP = 4, PORT = 80 };
	urlsift_url url;
	urlsift_url_split(l->text, l->length, &url);
	const char *text = l->text;
	size_t end = url.authority.offset + url.authority.length, host_end = url.port.present ? url.port.offset - 1 : end;
	uint64_t port = PORT;
	/* a certificate names no address, and no name of a local network */
	const uint8_t *host = (const uint8_t *)text + url.host.offset;
	uint32_t address;
	bool http = ascii_is(text, url.scheme.length, "http")
	            && match_bytes(host, url.host.length, "[^%[.][^.]*%.|%.")
	            && usable_number(host, url.host.length, &address) == HOST_NO_NUMBER && !is_namespace(l->piece->link);
	if (!http || (url.port.length && !usable_port((const uint8_t *)text + url.port.offset, url.port.length, &port))
	    || port != PORT || !render_room(r, &r->form, l->length + 1))
		return false;
	buf_add(&r->form, scheme, sizeof scheme - 1);
	buf_add(&r->form, text + HTTP, host_end - HTTP);
	return take_form(r, l, end);
}

/* Where text may begin, or the next field, that has no part in where the link leads, as the first n bytes of `form`.
 * l->length for nowhere, 0 where that cannot be told. */
static size_t unwrap_end_at(urlsift_renderer *r, const struct rewrite_link *l, char mark, const char *form, size_t n)
{
	enum { TRIES = 16 };
	char target[UNWRAP_MAX];
	const uint8_t *p = (const uint8_t *)l->text;
	const size_t marks = marks_begin(l);
	/* what is not plain before the last `&` that begins a parameter is the link's own */
	const size_t own = byte_last(p, 0, byte_last(p, 0, l->length, '='), '&');
	size_t end = l->length, tries = 0;
	for (size_t i = end; i-- > 0;) {
		urlsift_url url;
		const bool text = i > own && match_bytes(p + i, 1, PLAIN) == 0 && (p[i] < 0x80 || p[i - 1] < 0x80);
		if (i != marks && !text && p[i] != (uint8_t)mark)
			continue;
		if (tries++ == TRIES)
			return 0;
		urlsift_url_split(l->text, i, &url);
		const size_t length = urlsift_url_unwrap(&url, target, sizeof target);
		if (length == URLSIFT_LENGTH_NO_MEMORY) {
			r->status = URLSIFT_NO_MEMORY;
			return 0;
		}
		if (!bytes_are(target, length, form, n))
			break;
		end = i;
	}
	return end;
}

/* What may end a string, an argument or a field in the text around the link is percent-encoded in the target that was
 * hidden, unless the link has it and it is not the mark of fields. */
bool change_unwrap(urlsift_renderer *r, struct rewrite_link *l)
{
	static const char ends[] = "\"'`()<>[]{}$;,|\\^ ";
	urlsift_url url;
	char target[UNWRAP_MAX];
	const size_t n = link_unwrapped(l->piece->link, target, sizeof target);
	if (!within(n, 1, sizeof target))
		return false; /* nothing is hidden, more than fits with its escapes, or memory was missing */
	const char mark = field_mark(r, l);
	const size_t end = is_delimited(r, l) ? l->length : unwrap_end_at(r, l, mark, target, n);
	if (!is_clear(l, end, mark) || !render_room(r, &r->form, 3 * n + l->length))
		return false;
	urlsift_url_split(target, n, &url);
	const size_t host = url.host.offset, host_end = host + url.host.length; /* of an address, which may have brackets */
	for (size_t i = 0; i < n; i++) {
		const char c = target[i], form[] = { '%', HEX_UPPER[c >> 4 & 15], HEX_UPPER[c & 15] };
		const bool address = is_of(c, "[]") && i >= host && i < host_end;
		const bool stays = address || !is_of(c, ends) || (c != mark && memchr(l->text, c, end));
		buf_add(&r->form, stays ? &target[i] : form, stays ? 1 : sizeof form);
	}
	return take_form(r, l, end);
}

/* The argument takes the place of the host and its port. */
bool change_host(urlsift_renderer *r, struct rewrite_link *l)
{
	urlsift_url url;
	urlsift_url_split(l->text, l->length, &url);
	const size_t end = url.authority.offset + url.authority.length, n = strlen(rewrite_of(r)->argument);
	if (url.host.length == 0 || is_namespace(l->piece->link) || !render_room(r, &r->form, l->length + n))
		return false;
	buf_add(&r->form, l->text, url.host.offset);
	buf_add(&r->form, rewrite_of(r)->argument, n);
	return take_form(r, l, end);
}

bool change_host_takes(const char *argument)
{
	enum { LONGEST = 255 };
	static const char scheme[] = "http://";
	char text[sizeof scheme - 1 + LONGEST];
	urlsift_url url;
	const size_t n = strcspn(argument, "/\\?#@<>()\"'`{}|^ \t\r\n");
	if (!within(n, 1, LONGEST) || argument[n] || is_of(*argument, ":.") || strstr(argument, ".."))
		return false;
	memcpy(text, scheme, sizeof scheme - 1);
	memcpy(text + sizeof scheme - 1, argument, n);
	urlsift_url_split(text, sizeof scheme - 1 + n, &url);
	return !(urlsift_url_warnings(&url) & URLSIFT_WARN_UNUSABLE);
}

void change_link(urlsift_renderer *r, const struct rewrite_link *l)
{
	struct rewrite_link changed = *l;
	rewrite_of(r)->form->change(r, &changed);
	angle_link(r, &changed);
}

static urlsift_text text_from(urlsift_text text, size_t i)
{
	return (urlsift_text){ text.bytes + i, text.length - i };
}

static bool begins(urlsift_text text, const char *bytes, size_t n)
{
	return text.length >= n && !memcmp(text.bytes, bytes, n);
}

/* The index after the bytes beyond ASCII, as they are or percent-encoded, with which the text begins. */
static size_t after_high(urlsift_text text)
{
	const uint8_t *p = (const uint8_t *)text.bytes;
	size_t i = 0, width = 1;
	for (; i < text.length && width; i += width)
		width = p[i] >= 0x80 ? 1 : p[i] == '%' && byte_at(p, i + 1, text.length) >= '8' && text.length - i >= 3 ? 3 : 0;
	return i;
}

/* How a link is written: with backslashes as escapes, beside `&amp;`; with bytes beyond ASCII that are not UTF-8; with
 * `&amp;amp;`; with Texinfo's `@@`. */
enum { WAY_BACKSLASH = 1, WAY_BYTES = 2, WAY_TWICE = 4, WAY_AT = 8, WAYS = 16 };

/* A link as it is written, and its text. */
struct written {
	urlsift_text source, text;
	unsigned way;
};

/* A character or escape of it: where it is in the source, and what it stands for in the text. */
struct unit { size_t i, width, at, length; };

/* Goes on to the next one, or first one, of which `length` is 0 if the text differs.  False at the end of the source.
 * */
static bool next_unit(const struct written *w, struct unit *u)
{
	static const char blank[] = "%20"; /* A2 */
	u->i += u->width;
	u->at += u->length;
	u->width = u->length = 0;
	if (u->i >= w->source.length)
		return false;
	const urlsift_text source = text_from(w->source, u->i), text = text_from(w->text, u->at);
	const uint8_t *p = (const uint8_t *)source.bytes;
	uint8_t utf8[4];
	const unsigned escapes = bits_if(w->way & WAY_BACKSLASH, ESCAPES_BACKSLASH)
	                         | bits_if(w->way & WAY_TWICE, ESCAPES_TWICE) | bits_if(w->way & WAY_AT, ESCAPES_AT);
	const size_t dollar = escapes & ESCAPES_BACKSLASH && text_begins(p, source.length, "$\\s"); /* of TeX's `$\sim$` */
	const size_t length = link_read_escape(p + dollar, source.length - dollar, escapes, utf8, &u->width);
	if (length > 0) {
		u->width += dollar;
		u->length = begins(text, (const char *)utf8, length) ? length : 0;
	} else if (*p >= 0x80 && w->way & WAY_BYTES) {
		u->width = after_high(source);
		u->length = after_high(text);
	} else {
		u->width = 1;
		u->length = is_blank(*p) && text_begins(text.bytes, text.length, blank) ? sizeof blank - 1
		                                                                      : begins(text, source.bytes, 1);
	}
	return true;
}

/* Whether the source, read in w->way, is the text.  *kept: how many bytes of the new text are the old one without some
 * of its characters. */
static bool is_read(const struct written *w, urlsift_text new, size_t *kept)
{
	struct unit u = { 0 };
	*kept = 0;
	while (next_unit(w, &u)) {
		if (u.length == 0)
			return false;
		*kept += begins(text_from(new, *kept), w->text.bytes + u.at, u.length) ? u.length : 0;
	}
	return u.at == w->text.length;
}

enum { CHARACTERS = 128 };

/* How a link escapes each character of ASCII; of length 0 where it does not, or not always. */
struct escaping { urlsift_text form[CHARACTERS]; };

static void read_escaped(const struct written *w, struct escaping *escaping)
{
	bool plain[CHARACTERS] = { false };
	struct unit u = { 0 };
	*escaping = (struct escaping){0};
	while (next_unit(w, &u)) {
		const uint8_t c = (uint8_t)w->text.bytes[u.at];
		if (c >= CHARACTERS || u.length > 1)
			continue;
		plain[c] |= u.width == 1;
		if (plain[c])
			escaping->form[c].length = 0;
		else if (escaping->form[c].length == 0)
			escaping->form[c] = (urlsift_text){ w->source.bytes + u.i, u.width };
	}
}

/* Writes what is new, with characters escaped that the link always escapes, except those of hosts, colons, and slashes
 * whose escape none after a scheme may have: roff's `\(sl`, `\:/`. */
static void put_new(urlsift_renderer *r, urlsift_text new, const struct escaping *escaping)
{
	size_t from = 0; /* what stays and is not written yet: no character is cut */
	for (size_t i = 0; i < new.length; i++) {
		const uint8_t c = (uint8_t)new.bytes[i];
		if (c >= CHARACTERS || !escaping->form[c].length || byte_class[c] & BYTE_HOST || c == ':'
		    || (c == '/' && !is_of(escaping->form[c].bytes[1], "/\\")))
			continue;
		rewrite_out(r, new.bytes + from, i - from);
		rewrite_out(r, escaping->form[c].bytes, escaping->form[c].length);
		from = i + 1;
	}
	rewrite_out(r, new.bytes + from, new.length - from);
}

/* Writes the link with the new text, which is the old one without some of its characters. */
static void put_kept(urlsift_renderer *r, const struct written *w, urlsift_text new)
{
	struct unit u = { 0 };
	size_t kept = 0, from = 0; /* what stays is not written yet from `from` on */
	while (next_unit(w, &u)) {
		if (begins(text_from(new, kept), w->text.bytes + u.at, u.length)) {
			kept += u.length;
			continue;
		}
		rewrite_out(r, w->source.bytes + from, u.i - from);
		from = u.i + u.width;
	}
	rewrite_out(r, w->source.bytes + from, w->source.length - from);
}

/* Writes the link with the new text in place of the old one.  What both begin and end with stays as it is written. */
static void put_replaced(urlsift_renderer *r, const struct written *w, urlsift_text new)
{
	const urlsift_text text = w->text;
	size_t begin = 0, tail = 0, most = smaller(text.length, new.length);
	struct unit u = { 0 };
	while (begin < most && text.bytes[begin] == new.bytes[begin])
		begin++;
	while (tail < most - begin && text.bytes[text.length - 1 - tail] == new.bytes[new.length - 1 - tail])
		tail++;
	begin = utf8_cut(text.bytes, begin, text.length);
	const size_t end = utf8_begin(text.bytes, text.length - tail, text.length);
	tail = text.length - end;
	struct escaping escaping;
	read_escaped(w, &escaping);
	while (next_unit(w, &u) && u.at + u.length <= begin)
		;
	/* a character that is replaced in part is written as the text has it */
	rewrite_out(r, w->source.bytes, u.i);
	rewrite_out(r, text.bytes + u.at, begin - u.at);
	put_new(r, (urlsift_text){ new.bytes + begin, new.length - tail - begin }, &escaping);
	while (u.at < end && next_unit(w, &u))
		;
	rewrite_out(r, text.bytes + end, larger(u.at, end) - end);
	rewrite_out(r, w->source.bytes + u.i, w->source.length - u.i);
}

/* Writes the link with an `s` after its http, and perhaps without its port.  False, and nothing is written, if the new
 * text differs in anything else. */
static bool put_https(urlsift_renderer *r, const struct written *w, urlsift_text new)
{
	enum { HTTP = 4 };
	struct unit u = { 0 };
	size_t kept;
	if (!begins(new, "https", HTTP + 1) || !begins(new, w->text.bytes, HTTP))
		return false;
	while (u.at + u.length < HTTP && next_unit(w, &u))
		;
	const size_t end = u.i + u.width;
	const struct written rest = { text_from(w->source, end), text_from(w->text, HTTP), w->way };
	new = text_from(new, HTTP + 1);
	if (!is_read(&rest, new, &kept) || kept < new.length)
		return false;
	rewrite_out(r, w->source.bytes, end);
	rewrite_out(r, "s", 1);
	put_kept(r, &rest, new);
	return true;
}

/* Writes the link with its change and its escapes.  Where these cannot be followed, the new text has references at
 * most; a link with a backslash stays then. */
static void put_changed(urlsift_renderer *r)
{
	static const char reference[] = "&amp;";
	const struct rewrite_change *c = &rewrite_of(r)->change;
	const urlsift_text all = { (const char *)c->texts.data, c->texts.length };
	const urlsift_text new = { all.bytes + c->length, c->new_length };
	struct written w = { .source = text_from(all, c->length + c->new_length), .text = { all.bytes, c->length } };
	size_t kept;
	while (w.way < WAYS && !is_read(&w, new, &kept))
		w.way++;
	if (w.way < WAYS) {
		if (kept == new.length)
			put_kept(r, &w, new);
		else if (!put_https(r, &w, new))
			put_replaced(r, &w, new);
	} else if (memchr(w.source.bytes, '\\', w.source.length)) {
		rewrite_out(r, w.source.bytes, w.source.length);
	} else {
		struct escaping escaping = {0};
		if (has_references(w.source))
			escaping.form['&'] = (urlsift_text){ reference, sizeof reference - 1 };
		put_new(r, new, &escaping);
	}
}

/* What was supplied before the link is not written where the rest of it is changed. */
void change_part(urlsift_renderer *r, const urlsift_piece *piece)
{
	struct rewrite_state *s = rewrite_of(r);
	struct rewrite_change *c = &s->change;
	size_t parts;
	urlsift_link_parts(piece->link, &parts);
	if (piece->part == 0) {
		struct rewrite_link old, new;
		rewrite_read_link(r, piece, &old);
		const size_t supplied = smaller(strlen(urlsift_link_supplied(piece->link)), old.length); /* 0 without memory */
		new = old;
		old.text += supplied;
		old.length -= supplied;
		if (!(s->form->how & FORM_HOST))
			new = old;
		c->comes = urlsift_link_convention(piece->link) != URLSIFT_CONV_RULE && s->form->change(r, &new);
		/* references are undone before in the text of HTML, and in a target, which has a place of its own */
		const bool html = !strcmp(r->place->type, "text/html")
		                  || (piece->link->placed.at && urlsift_link_convention(piece->link) == URLSIFT_CONV_QUOTED);
		c->escaped = c->comes && old.flags & URLSIFT_UNESCAPED && !html;
		c->texts.length = 0;
		if (c->escaped) {
			render_keep(r, &c->texts, old.text, c->length = old.length);
			render_keep(r, &c->texts, new.text, c->new_length = new.length);
		} else if (c->comes) {
			rewrite_out(r, new.text, new.length);
		}
	}
	if (c->escaped) {
		render_keep(r, &c->texts, piece->text, piece->text_length);
		if (piece->part + 1 == parts && r->status != URLSIFT_NO_MEMORY)
			put_changed(r);
	} else if (!c->comes) {
		rewrite_out(r, piece->text, piece->text_length);
	}
}
