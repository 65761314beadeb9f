/* The form defang, so that no program makes a link of the text: `http` as `hxxp`, a full stop of the host as `[.]`.
 * Only what a scanner that looks for such forms would undo is written. */
#include "rewrite.h"

#include "scan/refang.h"
#include "text/unicode.h"

/* `scheme`: the text has one. */
static void find_fangs(struct fangs *f, urlsift_text text, bool scheme)
{
	urlsift_url url;
	urlsift_url_split(text.bytes, text.length, &url);
	size_t n = scheme ? url.scheme.length : 0;
	bool mailbox = !n || ascii_is(text.bytes, n, "mailto");
	*f = (struct fangs){ .text = text, .scheme = n, .delimiter = SIZE_MAX, .host = SIZE_MAX };
	if (n && url.authority.present)
		f->end = (f->delimiter = n) + sizeof "://" - 1;
	if (n && url.authority.present && url.host.length > 0 && text.bytes[url.host.offset] != '[') {
		f->host = url.host.offset;
		f->end = f->host + url.host.length;
	} else if (mailbox) {
		f->host = f->end = n;
		while (f->end < text.length && !memchr("/?#", text.bytes[f->end], 3))
			f->end++;
	}
}

/* Writes a form if it is undone there: it stands for the first `count` of the n bytes at `source`. */
static size_t put_form(urlsift_renderer *r, const char *form, const char *source, size_t n, size_t count)
{
	uint8_t text[2 * REFANG_LONGEST];
	size_t length = strlen(form), after = n - count < REFANG_LONGEST ? n - count : REFANG_LONGEST;
	const struct refang_form *found;
	memcpy(text, form, length);
	memcpy(text + length, source + count, after);
	if (refang_form_at(text, length + after, true, &found) != YES ||
	    !refang_may_follow(found, (uint8_t)rewrite_of(r)->last[1]))
		return 0;
	rewrite_out(r, form, length);
	return count;
}

/* Replaces what the n bytes at `source`, the text at f->at, begin with.  Returns how many it replaced. */
static size_t put_fanged(urlsift_renderer *r, struct fangs *f, const char *source, size_t n)
{
	static const char *const schemes[] = { "http", "hxxp", "https", "hxxps", "ftp", "fxp", "HTTP", "HXXP", "HTTPS",
	                                       "HXXPS", "FTP", "FXP" };
	size_t count = 0;
	for (size_t i = 0; f->at == 0 && i < sizeof schemes / sizeof *schemes && n > f->scheme && !count; i += 2)
		if (strlen(schemes[i]) == f->scheme && !memcmp(source, schemes[i], f->scheme))
			count = put_form(r, schemes[i + 1], source, n, f->scheme);
	if (count > 0)
		f->delimiter = SIZE_MAX;
	else if (f->at == f->delimiter && n >= 3 && !memcmp(source, "://", 3))
		count = put_form(r, "[://]", source, n, 3);
	else if (f->at >= f->host && (*source == '.' || *source == '@'))
		count = put_form(r, *source == '.' ? "[.]" : "[@]", source, n, 1);
	return count;
}

/* Writes a part of the text as it is in the source, where some of it may be escaped. */
static void put_source(urlsift_renderer *r, struct fangs *f, const char *source, size_t n)
{
	size_t i = 0;
	uint32_t cp;
	while (i < n && f->at < f->end) {
		bool same = source[i] == f->text.bytes[f->at];
		size_t count = same ? put_fanged(r, f, source + i, n - i) : 0;
		if (count == 0) {
			rewrite_out(r, source + i, 1);
			count = 1;
		}
		i += count;
		if (same)
			f->at += count;
		else if (source[i - 1] & 0x80) /* a byte of windows-1252 */
			f->at += utf8_next((const uint8_t *)f->text.bytes + f->at, f->text.length - f->at, &cp);
	}
	rewrite_out(r, source + i, n - i);
}

void defang_part(urlsift_renderer *r, const urlsift_piece *piece)
{
	struct fangs *f = &rewrite_of(r)->fangs;
	if (piece->part == 0) {
		urlsift_text text;
		size_t n;
		text.bytes = urlsift_link_text(piece->link, &text.length);
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
