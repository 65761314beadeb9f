/* The form defang, so that no program makes a link of the text: `http` as `hxxp`, `:` as `[:]`, `@` as `[@]`, a full
 * stop that belongs to a host as `[.]`, and `//localhost`, which has none of these, as `[/]/localhost`.  A scanner that
 * looks for such forms finds the same links.  In text that is no link the colon before two slashes is replaced, too,
 * and that of `http:host`: Thunderbird opens this, and `x_http://host` and `http:///host`, which are no links here. */
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

/* What is written in one piece. */
struct together {
	urlsift_renderer *r;
	size_t n;
	char bytes[256];
};

static void put(struct together *t, const char *bytes, size_t n)
{
	if (n > sizeof t->bytes - t->n) {
		rewrite_out(t->r, t->bytes, t->n);
		t->n = 0;
	}
	if (n > sizeof t->bytes) {
		rewrite_out(t->r, bytes, n);
		return;
	}
	memcpy(t->bytes + t->n, bytes, n);
	t->n += n;
}

/* Writes a part of the text as it is in the source, where some of it may be escaped. */
static void put_source(urlsift_renderer *r, struct fangs *f, const char *source, size_t n)
{
	static const char *const fanged[] = { "", "hxxp", "hxxps", "fxp", "HXXP", "HXXPS", "FXP" };
	const uint8_t before = (uint8_t)rewrite_of(r)->last[1];
	struct together out = { .r = r };
	size_t i = 0;
	uint32_t cp;
	const bool named = byte_at((const uint8_t *)source, f->scheme, n) == ':';
	if (f->at == 0 && named && !is_scheme_byte(before) && before != '\b') {
		const char *scheme = fanged[words_find(source, f->scheme, "http https ftp HTTP HTTPS FTP", false)];
		put(&out, scheme, strlen(scheme));
		i = f->at = *scheme ? f->scheme : 0;
	}
	while (i < n) {
		const uint8_t *text = (const uint8_t *)f->text.bytes + f->at;
		size_t left = f->text.length - f->at;
		const size_t run = byte_span((const uint8_t *)source, i, n, BYTE_ALNUM | BYTE_HYPHEN) - i;
		if (run > 0 && run <= left && !f->lost && (f->at > 0 || !f->slash) && !memcmp(source + i, text, run)) {
			put(&out, source + i, run);
			f->at += run;
			i += run;
			continue;
		}
		bool same = left > 0 && (uint8_t)source[i] == *text;
		if ((uint8_t)source[i] & 0x80) { /* a character, or a byte of windows-1252 */
			const size_t taken = byte_at(text, 0, left) & 0x80 ? utf8_next(text, left, &cp) : 0;
			const bool other = taken && (taken > n - i || memcmp(source + i, text, taken));
			const size_t k = other ? 1 : utf8_next((const uint8_t *)source + i, n - i, &cp);
			put(&out, source + i, k);
			f->lost |= !taken;
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
			put(&out, (const char[]){ '[', c, ']' }, 3);
		else
			put(&out, &c, 1);
		f->at += same;
	}
	rewrite_out(r, out.bytes, out.n);
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
	rewrite_of(r)->colon.stays = true; /* those of the link have been seen to */
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

/* ---- The colon of a scheme in text ---------------------------------------------------------- */

/* The index from i on of what is seen: overstruck characters and colours hide between the others (B1). */
static size_t seen_from(const struct buf *text, size_t i)
{
	for (size_t hidden = 1; i < text->length && hidden > 0; i += hidden)
		hidden = terminal_hidden(text->data + i, text->length - i);
	return i;
}

/* Whether what is seen from i on begins with `wanted`. */
static bool sees(const struct buf *text, const char *wanted, size_t i)
{
	for (; *wanted; wanted++, i++)
		if ((i = seen_from(text, i)) == text->length || text->data[i] != (uint8_t)*wanted)
			return false;
	return true;
}

static void put_seen(urlsift_renderer *r, const void *text, size_t n)
{
	char *seen = rewrite_of(r)->colon.seen;
	const size_t fresh = smaller(n, SCHEME_LONGEST);
	rewrite_put(r, text, n);
	memmove(seen, seen + fresh, SCHEME_LONGEST - fresh);
	memcpy(seen + SCHEME_LONGEST - fresh, (const char *)text + n - fresh, fresh);
}

void fang_out_end(urlsift_renderer *r, uint8_t next)
{
	const struct rewrite_form *form = rewrite_of(r)->form;
	struct fang_colon *c = &rewrite_of(r)->colon;
	const struct buf *held = &c->held;
	size_t from = 0, after;
	if (held->length == 0)
		return;
	for (size_t i = seen_from(held, 0); i < held->length; i = seen_from(held, i + 1)) {
		after = i + strlen(form->colon);
		if (!text_begins(held->data + i, held->length - i, form->colon))
			continue;
		const uint8_t before = i > 0 ? held->data[i - 1] : (uint8_t)c->seen[SCHEME_LONGEST - 1];
		const uint8_t follows = after < held->length ? held->data[after] : next;
		const bool bare = c->known && i == 0 && follows > ' '; /* no control character that strikes it out */
		if (!BYTE_IN(before, "[@") && (bare || sees(held, "//", after) || sees(held, "\\/\\/", after))) {
			put_seen(r, held->data + from, i - from);
			put_seen(r, form->new_colon, strlen(form->new_colon));
			from = after;
			i = after - 1;
		}
	}
	put_seen(r, held->data + from, held->length - from);
	c->held.length = 0;
}

void fang_out(urlsift_renderer *r, const char *text, size_t n)
{
	static const char bytes[] = ":[]\\/_\b\x1b;mK0123456789"; /* a colon and slashes, with what hides between them */
	struct fang_colon *c = &rewrite_of(r)->colon;
	const char first = *rewrite_of(r)->form->colon;
	size_t i = 0;
	while (i < n) {
		size_t end;
		if (c->held.length > 0) {
			end = byte_after(text, i, smaller(n, i + HELD_LONGEST - c->held.length), bytes);
			render_keep(r, &c->held, text + i, end - i);
			if (end < n)
				fang_out_end(r, (uint8_t)text[end]);
		} else {
			end = c->stays ? n : byte_index((const uint8_t *)text, i, n, (uint8_t)first);
			put_seen(r, text + i, end - i);
			c->known = end < n && ascii_ends_among(c->seen, SCHEME_LONGEST, "http https ftp");
			render_keep(r, &c->held, text + end, end < n);
			end += end < n;
		}
		i = end;
	}
}
