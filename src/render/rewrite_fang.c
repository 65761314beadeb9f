/* The form defang, so that no program makes a link of the text: `http` as `hxxp`, `:` as `[:]`, `@` as `[@]`, a full
 * stop that belongs to a host as `[.]`, and `//localhost`, which has none of these, as `[/]/localhost`.  A scanner that
 * looks for such forms finds the same links. */
#include "rewrite.h"

#include "scan/refang.h"
#include "text/bytes.h"
#include "text/unicode.h"
#include "url/url.h"

/* `scheme`: the text has one. */
static void find_fangs(struct fangs *f, urlsift_text text, bool scheme)
{
	urlsift_url url;
	urlsift_url_split(text.bytes, text.length, &url);
	*f = (struct fangs){ .text = text, .scheme = scheme * url.scheme.length };
	const bool bare = !f->scheme && !text_begins((const uint8_t *)text.bytes, text.length, "//");
	if (bare || ascii_is(text.bytes, f->scheme, "mailto"))
		f->host_end = byte_until(text.bytes, 0, text.length, "/?#");
	else if (url.authority.present)
		f->host_end = (f->host = url.host.offset) + url.host.length;
	const size_t end = url.authority.offset + url.authority.length;
	f->slash = !bare && !f->scheme
	           && (byte_at((const uint8_t *)text.bytes, f->host, end) == '['
	               || byte_until(text.bytes, url.authority.offset, end, ".:@") == end);
}

/* Whether the full stop at f->at may be read as that of a host. */
static bool is_of_host(const struct fangs *f)
{
	const uint8_t *text = (const uint8_t *)f->text.bytes, *label = text + f->at + 1;
	const size_t at = f->at, n = byte_span(label, 0, f->text.length - at - 1, BYTE_ALNUM | BYTE_HYPHEN | BYTE_HIGH);
	if (at < f->scheme && f->host > 0)
		return false; /* the name before it would be a host */
	return at < f->host_end || ascii_ends_among(text, at, "www ftp")
	       || (n > 0 && (label[0] >= 0x80 || tld_known(label, n)));
}

/* Whether the byte at `at` is in the brackets of a defanged form, as in `hxxp://a[.]example`. */
static bool is_defanged(const char *text, size_t at, size_t n)
{
	const struct refang_form *form;
	return at > 0 && refang_form_at((const uint8_t *)text + at - 1, n - at + 1, true, &form) == YES;
}

/* What replaces the scheme that the n bytes at `source` begin with; NULL if it stays. */
static const char *fanged_scheme(const urlsift_renderer *r, const struct fangs *f, const char *source, size_t n)
{
	static const char *const fanged[] = { NULL, "hxxp", "hxxps", "fxp", "HXXP", "HXXPS", "FXP" };
	uint8_t before = (uint8_t)rewrite_of((urlsift_renderer *)r)->last[1];
	if (f->at > 0 || n <= f->scheme || source[f->scheme] != ':' || is_scheme_byte(before) || before == '\b')
		return NULL;
	return fanged[words_find(source, f->scheme, "http https ftp HTTP HTTPS FTP", false)];
}

/* Writes a part of the text as it is in the source, where some of it may be escaped. */
static void put_source(urlsift_renderer *r, struct fangs *f, const char *source, size_t n)
{
	const char *scheme = fanged_scheme(r, f, source, n);
	size_t i = scheme ? f->at = f->scheme : 0;
	uint32_t cp;
	if (scheme)
		rewrite_out(r, scheme, strlen(scheme));
	while (i < n) {
		const uint8_t *text = (const uint8_t *)f->text.bytes + f->at;
		size_t left = f->text.length - f->at;
		bool same = left > 0 && (uint8_t)source[i] == *text;
		if (left > 0 && *text & (uint8_t)source[i] & 0x80) { /* a character, or a byte of windows-1252 */
			size_t taken = utf8_next(text, left, &cp);
			size_t k = taken <= n - i && !memcmp(source + i, text, taken) ? taken : 1;
			rewrite_out(r, source + i, k);
			f->at += taken;
			i += k;
			continue;
		}
		f->lost |= !same; /* an escape: what follows cannot be told apart */
		same &= !f->lost;
		char c = source[i++];
		bool host = same && f->host > 0 && f->at >= f->host && f->at < f->host_end;
		bool address = host && f->text.bytes[f->host_end - 1] == ']'; /* of IPv6 */
		bool fang = (c == ':' && !address) || c == '@' || (c == '.' && (f->lost || is_of_host(f)))
		            || (same && f->at == 0 && f->slash);
		if (fang && !(same ? is_defanged(f->text.bytes, f->at, f->text.length) : is_defanged(source, i - 1, n)))
			rewrite_out(r, (const char[]){ '[', c, ']' }, 3);
		else
			rewrite_out(r, &c, 1);
		f->at += same;
	}
}

void defang_part(urlsift_renderer *r, const urlsift_piece *piece)
{
	struct fangs *f = &rewrite_of(r)->fangs;
	if (piece->part == 0) {
		urlsift_text text;
		text.bytes = urlsift_link_text(piece->link, &text.length);
		find_fangs(f, text, !*urlsift_link_supplied(piece->link));
		f->slash &= (urlsift_link_flags(piece->link) & URLSIFT_RESOLVED) != 0;
	}
	put_source(r, f, piece->text, piece->text_length);
}

void defang_link(urlsift_renderer *r, const struct rewrite_link *l)
{
	struct fangs f;
	find_fangs(&f, (urlsift_text){ l->text, l->length }, true);
	rewrite_out(r, "<", 1);
	put_source(r, &f, l->text, l->length);
	rewrite_out(r, ">", 1);
}

/* ---- After a link ---------------------------------------------------------------------- */

/* The index from i on of what is seen: overstruck characters and colours hide between the others (B1). */
static size_t seen_from(const struct buf *tail, size_t i)
{
	for (size_t hidden = 1; i < tail->length && hidden > 0; i += hidden)
		hidden = terminal_hidden(tail->data + i, tail->length - i);
	return i;
}

/* Whether all bytes of `text` are seen from *i on; then *i is after them. */
static bool see(const struct buf *tail, const char *text, size_t *i)
{
	size_t at = *i;
	for (; *text; text++, at++)
		if ((at = seen_from(tail, at)) == tail->length || tail->data[at] != (uint8_t)*text)
			return false;
	*i = at;
	return true;
}

/* `http` in `?url=http:\/\/a.example`, where a backslash ends the link: nothing overlaps the word any more.  The index
 * of the colon; the length of the tail for none. */
static size_t find_colon(const struct buf *tail, const struct rewrite_form *form)
{
	size_t colon = seen_from(tail, 0), after;
	while (colon < tail->length && memchr("+-.", tail->data[colon], 3))
		colon = seen_from(tail, colon + 1);
	after = colon + strlen(form->colon);
	bool found = after < tail->length && !memcmp(tail->data + colon, form->colon, after - colon) &&
	             (see(tail, "//", &after) || see(tail, "\\/\\/", &after));
	return found ? colon : tail->length;
}

void fang_tail_end(urlsift_renderer *r)
{
	struct rewrite_state *s = rewrite_of(r);
	struct buf *tail = &s->tail.text;
	const char *text = (const char *)tail->data;
	size_t colon = tail->length > 0 ? find_colon(tail, s->form) : 0;
	rewrite_out(r, text, colon);
	if (colon < tail->length) {
		rewrite_out(r, s->form->new_colon, strlen(s->form->new_colon));
		colon += strlen(s->form->colon);
		rewrite_out(r, text + colon, tail->length - colon);
	}
	tail->length = 0;
	s->tail.comes = false;
}

size_t fang_tail(urlsift_renderer *r, const char *text, size_t n)
{
	static const char bytes[] = "+-.:[]\\/_\b\x1b;mK0123456789"; /* what it may consist of, with what hides there */
	struct buf *tail = &rewrite_of(r)->tail.text;
	const size_t taken = byte_after(text, 0, smaller(n, TAIL_LONGEST - tail->length), bytes);
	render_keep(r, tail, text, taken);
	if (taken < n)
		fang_tail_end(r);
	return taken;
}

/* ---- The colon of a scheme ----------------------------------------------------------------- */

/* Whether the text, of which the first i bytes follow those that were seen, has the name of a scheme before i. */
static bool ends_in_scheme(const struct fang_colon *c, const char *text, size_t i)
{
	char word[2 * SCHEME_LONGEST];
	const size_t own = smaller(i, SCHEME_LONGEST);
	memcpy(word, c->seen, SCHEME_LONGEST);
	memcpy(word + SCHEME_LONGEST, text + i - own, own);
	return ascii_ends_among(word, SCHEME_LONGEST + own, "http https ftp");
}

void fang_out_end(urlsift_renderer *r)
{
	struct rewrite_state *s = rewrite_of(r);
	rewrite_put(r, s->form->colon, s->colon.held);
	s->colon.held = 0;
}

/* Thunderbird opens `http:host`, `x_http://host` and `http:///host`, which are no links here. */
void fang_out(urlsift_renderer *r, const char *text, size_t n)
{
	struct rewrite_state *s = rewrite_of(r);
	struct fang_colon *c = &s->colon;
	const char *colon = s->form->colon, *new_colon = s->form->new_colon;
	size_t from = 0, i = 0;
	while ((i = c->held ? i : byte_index((const uint8_t *)text, i, n, (uint8_t)*colon)) < n) {
		if (!colon[c->held] && (uint8_t)text[i] > ' ') { /* not a control character that strikes it out */
			rewrite_put(r, new_colon, strlen(new_colon));
			c->held = 0;
		} else if (colon[c->held] && text[i] == colon[c->held] && (c->held > 0 || ends_in_scheme(c, text, i))) {
			rewrite_put(r, text + from, i - from);
			from = ++i;
			c->held++;
		} else {
			i += c->held == 0;
			fang_out_end(r);
		}
	}
	rewrite_put(r, text + from, n - from);
	const size_t fresh = smaller(n, SCHEME_LONGEST);
	memmove(c->seen, c->seen + fresh, SCHEME_LONGEST - fresh);
	memcpy(c->seen + SCHEME_LONGEST - fresh, text + n - fresh, fresh);
}
