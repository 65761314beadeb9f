/* The forms that write another URL in the place of a link: clean, https, unwrap, host. */
#include "rewrite.h"

#include "url/tracking.h"
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

/* In a link that is a field, the next ones stay.  Where it may be none, it is not clear whose they are: all stays. */
bool change_clean(urlsift_renderer *r, struct rewrite_link *l)
{
	const char mark = field_mark(r, l);
	const size_t end = clean_end(r, l, mark);
	size_t at = 0, name;
	if (!tracking_next(l->text, end, &at, &name) || !is_clear(r, l, end, mark) || !render_room(r, &r->form, l->length))
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

bool change_unwrap(urlsift_renderer *r, struct rewrite_link *l)
{
	const size_t n = render_form(r, link_unwrapped, l->piece->link);
	const char mark = field_mark(r, l);
	const size_t end = n > 0 ? unwrap_end_at(r, l, mark, (const char *)r->form.data, n) : l->length;
	r->form.length = n;
	if (n == 0 || !is_clear(r, l, end, mark))
		return false;
	render_keep(r, &r->form, l->text + end, l->length - end);
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

/* What was supplied before the link stays away where the rest of it is changed. */
void change_part(urlsift_renderer *r, const urlsift_piece *piece)
{
	struct rewrite_state *s = rewrite_of(r);
	if (piece->part == 0) {
		struct rewrite_link l;
		rewrite_read_link(r, piece, &l);
		size_t supplied = s->form->how & FORM_HOST ? 0 : strlen(urlsift_link_supplied(piece->link));
		supplied = smaller(supplied, l.length); /* without memory there is no text */
		l.text += supplied;
		l.length -= supplied;
		s->changed = urlsift_link_convention(piece->link) != URLSIFT_CONV_RULE && s->form->change(r, &l);
		if (s->changed) {
			/* Writes the new text, with references if the old one has them. */
			static const char reference[] = "&amp;";
			const size_t width = has_references(r, l.piece) ? sizeof reference - 1 : 1;
			const char *at = l.text, *end = at + l.length;
			for (const char *next; at < end; at = next) {
				const bool amp = *at == '&';
				rewrite_out(r, reference, amp * width);
				at += amp;
				next = (const char *)find_byte((const uint8_t *)at, (const uint8_t *)end, '&');
				rewrite_out(r, at, (size_t)(next - at));
			}
		}
	}
	if (!s->changed)
		rewrite_out(r, piece->text, piece->text_length);
}
