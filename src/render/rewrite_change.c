/* The forms that write another URL in the place of a link: clean, https, unwrap, host. */
#include "rewrite.h"

#include "url/tracking.h"
#include "scan/link.h"
#include "url/url.h"

/* The n bytes in r->form become the text of the link. */
static void take_form(const urlsift_renderer *r, struct rewrite_link *l, size_t n)
{
	l->text = (const char *)r->form.data;
	l->length = n;
}

/* What separates fields of the line, if the link may be one of them: what is right before it, a comma where the link
 * begins the line; 0 for none, as brackets and quotation marks end such a link, and words before it are no field. */
static char field_mark(urlsift_renderer *r, const struct rewrite_link *l)
{
	const urlsift_convention how = urlsift_link_convention(l->piece->link);
	const char before = rewrite_of(r)->last[1];
	if (r->place->target || (how != URLSIFT_CONV_BARE && how != URLSIFT_CONV_SCHEMELESS))
		return 0;
	return is_of(before, ";,") ? before : before == '\n' || before == '\0' ? ',' : '\0';
}

/* Whether the link is to lose what is from `end` on: all of it, or up to a mark where one right before it says that it is
 * a field (B8).  Where it may be none, it is left. */
static bool is_clear(urlsift_renderer *r, const struct rewrite_link *l, size_t end, char mark)
{
	return end == l->length || rewrite_of(r)->last[1] == mark;
}

/* Marks before this index are the link's own: the last `&` that begins a parameter.  In a field, what looks like one may
 * be the next field: `,R&D=x`. */
static size_t own_marks_end(urlsift_renderer *r, const struct rewrite_link *l, char mark)
{
	const uint8_t *p = (const uint8_t *)l->text;
	const size_t equals = byte_last(p, 0, l->length, '=');
	return rewrite_of(r)->last[1] == mark ? 0 : byte_last(p, 0, equals, '&');
}

/* The index of the mark that ends the value of a parameter that goes: the next field begins there.  l->length if the
 * link has no such one. */
static size_t clean_end(urlsift_renderer *r, const struct rewrite_link *l, char mark)
{
	const uint8_t *p = (const uint8_t *)l->text;
	const char ends[] = { '&', ';', '#', mark, '\0' };
	const size_t own = own_marks_end(r, l, mark);
	for (size_t at = 0, name, end; mark && tracking_next(l->text, l->length, &at, &name);) {
		end = byte_until(p, at + name, l->length, ends);
		if (byte_at(p, end, l->length) == (uint8_t)mark && end >= own)
			return end;
	}
	return l->length;
}

/* Whether the text around the link writes its `&` as references, as XML and HTML source do.  Of a broken link only the
 * first part is known: the others must be longer than the text by what references lose, and not only by the backslashes of
 * other escapes.  In the text of HTML they are undone before. */
static bool has_references(const urlsift_renderer *r, const urlsift_piece *piece)
{
	enum { LOST = sizeof "amp;" - 1 };
	const uint8_t *at = (const uint8_t *)piece->text, *end = at + piece->text_length;
	size_t parts, n;
	const urlsift_range *part = urlsift_link_parts(piece->link, &parts);
	const uint8_t *text = (const uint8_t *)urlsift_link_text(piece->link, &n), *text_end = text + n;
	if (!(urlsift_link_flags(piece->link) & URLSIFT_UNESCAPED) || !strcmp(r->place->type, "text/html"))
		return false;
	for (const uint8_t *amp = at; (amp = find_byte(amp, end, '&')) < end; amp++)
		if (link_amp(amp, (size_t)(end - amp)))
			return true;
	uint64_t source = 0, least = n;
	for (size_t i = 0; i < parts; i++)
		source += part[i].length;
	for (const uint8_t *amp = text; (amp = find_byte(amp, text_end, '&')) < text_end; amp++)
		least += LOST;
	return parts > 1 && find_byte(at, end, '\\') == end && source >= least;
}

/* Whether the link, which has references, has one of another character: it is in the text as it stands, as what only looks
 * like a parameter and a fragment. */
static bool has_other_reference(const struct rewrite_link *l)
{
	const uint8_t *p = (const uint8_t *)l->text, *end = p + l->length;
	for (const uint8_t *amp = p; (amp = find_byte(amp, end, '&')) < end; amp++) {
		const size_t from = (size_t)(amp - p) + 1, name = from + (byte_at(p, from, l->length) == '#');
		const size_t to = byte_span(p, name, l->length, BYTE_ALNUM);
		if (to > name && byte_at(p, to, l->length) == ';' && !link_amp(amp, l->length - from + 1))
			return true;
	}
	return false;
}

/* In a link that is a field, the next ones stay.  Where it may be none, it is not clear whose they are: all stays. */
bool change_clean(urlsift_renderer *r, struct rewrite_link *l)
{
	const char mark = field_mark(r, l);
	const size_t end = clean_end(r, l, mark);
	size_t at = 0, name;
	if (!tracking_next(l->text, end, &at, &name) || !is_clear(r, l, end, mark)
	    || (has_references(r, l->piece) && has_other_reference(l)) || !render_room(r, &r->form, l->length))
		return false;
	const size_t n = tracking_remove(l->text, end, (char *)r->form.data);
	memcpy(r->form.data + n, l->text + end, l->length - end);
	take_form(r, l, n + l->length - end);
	return true;
}

/* Whether a certificate can name the host: an address and a name of a local network have none. */
static bool is_public_name(const char *host, size_t length)
{
	uint32_t address;
	return memchr(host, '.', length) && host[0] != '['
	       && usable_number((const uint8_t *)host, length, &address) == HOST_NO_NUMBER;
}

/* Whether the link is the name of an XML namespace, which is compared byte by byte: `xmlns:svg = "` is before it,
 * or, as JSON, `"xmlns": "`. */
static bool is_namespace(const urlsift_link *link)
{
	urlsift_text before, after;
	urlsift_link_context(link, &before, &after);
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
	bool http = url.authority.present && ascii_is(text, url.scheme.length, "http")
	            && is_public_name(text + url.host.offset, url.host.length) && !is_namespace(l->piece->link);
	if (!http || (url.port.length && !usable_port((const uint8_t *)text + url.port.offset, url.port.length, &port))
	    || port != PORT || !render_room(r, &r->form, l->length + 1))
		return false;
	buf_add(&r->form, scheme, sizeof scheme - 1);
	buf_add(&r->form, text + HTTP, host_end - HTTP);
	buf_add(&r->form, text + end, l->length - end);
	take_form(r, l, r->form.length);
	return true;
}

/* The index of the mark from which on nothing in the link says where it leads, as the first n bytes of `form`: a field
 * begins there.  l->length if there is none. */
static size_t unwrap_end_at(urlsift_renderer *r, const struct rewrite_link *l, char mark, const char *form, size_t n)
{
	enum { FIELDS = 16 };
	char target[UNWRAP_MAX];
	const size_t own = own_marks_end(r, l, mark);
	size_t end = l->length, fields = 0;
	for (size_t i = l->length; mark && i > own && fields < FIELDS; i--) {
		urlsift_url url;
		if (l->text[i - 1] != mark)
			continue;
		fields++;
		urlsift_url_split(l->text, i - 1, &url);
		const size_t length = urlsift_url_unwrap(&url, target, sizeof target);
		if (!bytes_are(target, length, form, n))
			break;
		end = i - 1;
	}
	return end;
}

/* Appends the target that was hidden.  What may end a string, an argument or a field in the text around the link stays
 * percent-encoded, unless the link itself has it. */
static void add_target(struct buf *to, const struct rewrite_link *l, const char *target, size_t n)
{
	static const char ends[] = "\"'`()<>[]{}$;,|\\^ ";
	urlsift_url url;
	urlsift_url_split(target, n, &url);
	const size_t host_end = url.authority.offset + url.authority.length;
	for (size_t i = 0; i < n; i++) {
		const bool stays = i < host_end || !is_of(target[i], ends)
		                   || memchr(l->piece->text, target[i], l->piece->text_length);
		const char form[] = { '%', HEX_UPPER[target[i] >> 4 & 15], HEX_UPPER[target[i] & 15] };
		buf_add(to, stays ? &target[i] : form, stays ? 1 : sizeof form);
	}
}

bool change_unwrap(urlsift_renderer *r, struct rewrite_link *l)
{
	char target[UNWRAP_MAX];
	const size_t n = smaller(link_unwrapped(l->piece->link, target, sizeof target), sizeof target);
	const char mark = field_mark(r, l);
	const size_t end = n > 0 ? unwrap_end_at(r, l, mark, target, n) : l->length;
	if (n == 0 || !is_clear(r, l, end, mark) || !render_room(r, &r->form, 3 * n + l->length))
		return false;
	add_target(&r->form, l, target, n);
	buf_add(&r->form, l->text + end, l->length - end);
	take_form(r, l, r->form.length);
	return true;
}

/* The argument takes the place of the host and its port. */
bool change_host(urlsift_renderer *r, struct rewrite_link *l)
{
	urlsift_url url;
	urlsift_url_split(l->text, l->length, &url);
	const size_t end = url.authority.offset + url.authority.length, n = strlen(rewrite_of(r)->argument);
	if (!url.authority.present || url.host.length == 0 || !render_room(r, &r->form, l->length + n))
		return false;
	buf_add(&r->form, l->text, url.host.offset);
	buf_add(&r->form, rewrite_of(r)->argument, n);
	buf_add(&r->form, l->text + end, l->length - end);
	take_form(r, l, r->form.length);
	return true;
}

bool change_host_takes(const char *argument)
{
	enum { LONGEST = 255 };
	static const char scheme[] = "http://";
	char text[sizeof scheme - 1 + LONGEST];
	urlsift_url url;
	const size_t n = strcspn(argument, "/\\?#@<>()\"'`{}|^ \t\r\n");
	if (n == 0 || n > LONGEST || argument[n] || is_of(*argument, ":.") || strstr(argument, ".."))
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

static urlsift_text rest(const uint8_t *p, size_t i, size_t n)
{
	return (urlsift_text){ (const char *)p + i, n - i };
}

/* Which bytes of the link's text those at the beginning of `source`, of which some may be escaped, stand for.  Returns
 * how many of `text`; 0 if they differ.  *width: how many stand for them. */
static size_t read_unit(urlsift_text source, unsigned escapes, urlsift_text text, size_t *width)
{
	static const char blank[] = "%20"; /* A2 */
	const uint8_t *p = (const uint8_t *)source.bytes;
	uint8_t utf8[4];
	const size_t length = link_read_escape(p, source.length, escapes, utf8, width);
	if (length > 0)
		return bytes_are(text.bytes, smaller(text.length, length), utf8, length) ? length : 0;
	*width = 1;
	if (is_blank(*p) && text_begins(text.bytes, text.length, blank))
		return sizeof blank - 1;
	return text.length > 0 && *text.bytes == *source.bytes;
}

enum { CHARACTERS = 128, NO_ESCAPES = ESCAPES_AMP + (ESCAPES_BACKSLASH | ESCAPES_QUOTED) + 1 };

/* How the link writes characters of ASCII where they are escaped; a length of 0: it has none. */
struct escaped {
	const uint8_t *form[CHARACTERS];
	size_t length[CHARACTERS];
};

/* Whether the part, read with these escapes, is what comes next in the text, and the last one the end of it. */
static bool is_read(const struct rewrite_change *c, const urlsift_piece *piece, unsigned escapes, struct escaped *found)
{
	const uint8_t *p = (const uint8_t *)piece->text;
	const size_t n = piece->text_length;
	size_t at = c->at, parts;
	urlsift_link_parts(piece->link, &parts);
	memset(found, 0, sizeof *found);
	for (size_t i = 0, width; i < n; i += width) {
		const uint8_t *text = c->texts.data + at;
		const size_t length = read_unit(rest(p, i, n), escapes, rest(c->texts.data, at, c->length), &width);
		if (length == 0)
			return false;
		if (length == 1 && width > 1 && *text < CHARACTERS && found->length[*text] == 0) {
			found->form[*text] = p + i;
			found->length[*text] = width;
		}
		at += length;
	}
	return piece->part + 1 < parts || at == c->length;
}

/* The escapes that are undone in the part; NO_ESCAPES where they cannot be followed. */
static unsigned escapes_of(const struct rewrite_change *c, const urlsift_piece *piece, struct escaped *found)
{
	unsigned escapes = 0;
	while (escapes < NO_ESCAPES && !is_read(c, piece, escapes, found))
		escapes++;
	return escapes;
}

/* Whether `kept` is the text with some of its bytes left out. */
static bool is_rest(const uint8_t *text, size_t n, const uint8_t *kept, size_t length)
{
	size_t k = 0;
	for (size_t i = 0; i < n && k < length; i++)
		k += text[i] == kept[k];
	return k == length;
}

/* Prepares the change of a link whose escapes stay, from `old` to `new`.  False where they cannot be followed: the link
 * stays. */
static bool begin_change(urlsift_renderer *r, const struct rewrite_link *old, const struct rewrite_link *new)
{
	static const char reference[] = "&amp;";
	struct rewrite_change *c = &rewrite_of(r)->change;
	struct escaped escaped;
	c->texts.length = 0;
	render_keep(r, &c->texts, old->text, c->length = old->length);
	render_keep(r, &c->texts, new->text, c->new_length = new->length);
	if (r->status == URLSIFT_NO_MEMORY)
		return false;
	c->at = c->new_at = 0;
	if (escapes_of(c, old->piece, &escaped) == NO_ESCAPES)
		return false;
	const uint8_t *text = (const uint8_t *)old->text, *to = (const uint8_t *)new->text;
	c->begin = c->end = c->length + 1;
	if (is_rest(text, c->length, to, c->new_length))
		return true;
	size_t head = 0, tail = c->new_length;
	while (head < c->length && head < tail && text[head] == to[head])
		head++;
	for (c->begin = head, c->end = c->length; c->end > head && tail > head && text[c->end - 1] == to[tail - 1]; tail--)
		c->end--;
	/* What is inserted is escaped as the link escapes it. */
	const bool references = has_references(r, old->piece);
	for (size_t i = head; i < tail; i++) {
		const uint8_t byte = to[i];
		if (byte < CHARACTERS && escaped.length[byte] > 0)
			render_keep(r, &c->texts, escaped.form[byte], escaped.length[byte]);
		else if (byte == '&' && references)
			render_keep(r, &c->texts, reference, sizeof reference - 1);
		else
			render_keep(r, &c->texts, &to[i], 1);
	}
	return true;
}

/* Writes what is inserted, once. */
static void put_inserted(urlsift_renderer *r, struct rewrite_change *c)
{
	const size_t from = c->length + c->new_length;
	rewrite_out(r, (const char *)c->texts.data + from, c->texts.length - from);
	c->texts.length = from;
}

/* Writes a part of the link with its change.  What is not as the text has it stays. */
static void put_changed(urlsift_renderer *r, const urlsift_piece *piece)
{
	struct rewrite_change *c = &rewrite_of(r)->change;
	const uint8_t *p = (const uint8_t *)piece->text, *new = c->texts.data + c->length;
	const size_t n = piece->text_length;
	struct escaped escaped;
	const unsigned escapes = escapes_of(c, piece, &escaped);
	size_t parts, from = 0; /* what comes from here on stays and is not written yet */
	urlsift_link_parts(piece->link, &parts);
	for (size_t i = 0, width, length; i < n; i += width, c->at += length) {
		length = read_unit(rest(p, i, n), escapes, rest(c->texts.data, c->at, c->length), &width);
		const size_t to = c->at + length;
		if (escapes == NO_ESCAPES || length == 0 || (c->at < c->begin && to > c->begin) || (c->at < c->end && to > c->end)) {
			c->at = c->length;
			break;
		}
		bool stays = c->at < c->begin || c->at >= c->end;
		if (c->begin > c->length)
			stays = c->new_at < c->new_length && c->texts.data[c->at] == new[c->new_at];
		c->new_at += stays ? length : 0;
		if (stays && c->at != c->begin && c->at != c->end)
			continue;
		rewrite_out(r, (const char *)p + from, i - from);
		from = stays ? i : i + width;
		if (c->at >= c->begin)
			put_inserted(r, c);
	}
	rewrite_out(r, (const char *)p + from, n - from);
	if (piece->part + 1 == parts && c->begin == c->length)
		put_inserted(r, c);
}

/* What was supplied before the link stays away where the rest of it is changed. */
void change_part(urlsift_renderer *r, const urlsift_piece *piece)
{
	struct rewrite_state *s = rewrite_of(r);
	if (piece->part == 0) {
		struct rewrite_link old, new;
		rewrite_read_link(r, piece, &old);
		const size_t supplied = smaller(strlen(urlsift_link_supplied(piece->link)), old.length); /* 0 without memory */
		new = old;
		old.text += supplied;
		old.length -= supplied;
		if (!(s->form->how & FORM_HOST))
			new = old;
		s->change.comes = urlsift_link_convention(piece->link) != URLSIFT_CONV_RULE && s->form->change(r, &new);
		s->change.follows = s->change.comes && old.flags & URLSIFT_UNESCAPED && strcmp(r->place->type, "text/html");
		if (s->change.follows)
			s->change.comes = begin_change(r, &old, &new);
		else if (s->change.comes)
			rewrite_out(r, new.text, new.length);
	}
	if (!s->change.comes)
		rewrite_out(r, piece->text, piece->text_length);
	else if (s->change.follows)
		put_changed(r, piece);
}
