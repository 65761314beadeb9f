/* The form defang: `http` as `hxxp`, a full stop of the host as `[.]`, so that no program makes a link of it. */
#include "rewrite.h"

#include "text/unicode.h"

/* `scheme`: the text has one. */
static void find_fangs(struct fangs *f, urlsift_text text, bool scheme)
{
	urlsift_url url;
	urlsift_url_split(text.bytes, text.length, &url);
	size_t n = scheme ? url.scheme.length : 0;
	*f = (struct fangs){ .text = text, .delimiter = SIZE_MAX, .host = SIZE_MAX };
	if (ascii_is(text.bytes, n, "http") || ascii_is(text.bytes, n, "https") || ascii_is(text.bytes, n, "ftp"))
		f->scheme = f->end = n;
	else if (n && url.authority.present)
		f->end = (f->delimiter = n) + sizeof "://" - 1;
	if (n && url.authority.present && (url.host.length == 0 || text.bytes[url.host.offset] != '[')) {
		f->host = url.host.offset;
		f->end = f->host + url.host.length;
	} else if (!n || ascii_is(text.bytes, n, "mailto")) {
		f->host = f->end = n;
		while (f->end < text.length && !memchr("/?#", text.bytes[f->end], 3))
			f->end++;
	}
}

static void put_fanged(urlsift_renderer *r, const struct fangs *f, char c)
{
	if (f->at < f->scheme && (c | 0x20) == 't')
		c = (char)(c + 'x' - 't');
	if (f->at >= f->host && (c == '.' || c == '@')) {
		rewrite_out(r, c == '.' ? "[.]" : "[@]", 3);
		return;
	}
	if (f->at == f->delimiter)
		rewrite_out(r, "[", 1);
	rewrite_out(r, &c, 1);
	if (f->delimiter != SIZE_MAX && f->at == f->delimiter + 2)
		rewrite_out(r, "]", 1);
}

/* Writes a part of the text as it is in the source, where some of it may be escaped. */
static void put_source(urlsift_renderer *r, struct fangs *f, const char *source, size_t n)
{
	size_t i = 0;
	uint32_t cp;
	for (; i < n && f->at < f->end; i++) {
		if (source[i] == f->text.bytes[f->at]) {
			put_fanged(r, f, source[i]);
			f->at++;
			continue;
		}
		rewrite_out(r, source + i, 1);
		if (source[i] & 0x80) /* a byte of windows-1252 */
			f->at += utf8_next((const uint8_t *)f->text.bytes + f->at, f->text.length - f->at, &cp);
	}
	rewrite_out(r, source + i, n - i);
}

void defang_part(urlsift_renderer *r, const urlsift_piece *piece)
{
	struct fangs *f = &rewrite_of(r)->fangs;
	if (piece->part == 0) {
		urlsift_text text;
		text.bytes = urlsift_link_text(piece->link, &text.length);
		size_t n;
		find_fangs(f, text, !*urlsift_link_supplied(piece->link) && !urlsift_link_resolved(piece->link, &n));
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
