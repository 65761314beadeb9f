#include "escape.h"
#include "format.h"

#include "text/ascii.h"
#include "text/bits.h"
#include "text/unicode.h"
#include "url/interpret.h"
#include "url/scheme.h"
#include "url/url.h"

/* ---- What is known ----------------------------------------------------------------- */

const char *render_utf8(urlsift_renderer *r, struct buf *b, const char *text, size_t *n)
{
	if (!render_room(r, b, *n + 1))
		return NULL;
	if (!link_convert(b, (const uint8_t *)text, *n)) {
		r->status = URLSIFT_NO_MEMORY;
		return NULL;
	}
	*n = b->length;
	return (const char *)b->data;
}

bool url_report_take(urlsift_renderer *r, struct url_report *u, const char *text, size_t n)
{
	*u = (struct url_report){ .scheme_length = 0 };
	text = render_utf8(r, &r->url_text, text, &n);
	if (!text)
		return false;
	urlsift_url_split(text, n, &u->url);
	n = u->url.scheme.length;
	if (u->url.scheme.present && scheme_prefix((const uint8_t *)text, n + 1) == n) { /* RFC 3986 section 3.1 */
		char *scheme = render_room(r, &r->url_scheme, n);
		if (!scheme)
			return false;
		ascii_lower(scheme, (const uint8_t *)text, n);
		u->scheme = scheme;
		u->scheme_length = n;
		u->row = scheme_find(text, n);
	}
	if (GRAMMAR_BUILT)
		render_judge(r, &u->url, &u->verdicts);
	u->warnings = urlsift_url_warnings(&u->url);
	u->warnings &= ~bits_if(!u->scheme_length, URLSIFT_WARN_UNKNOWN_SCHEME); /* it has none */
	if (u->warnings & URLSIFT_WARN_NO_MEMORY)
		r->status = URLSIFT_NO_MEMORY;
	return r->status == URLSIFT_OK;
}

/* ---- The page: lines --------------------------------------------------------------- */

enum {
	COLUMN = 18,   /* where values begin */
	EXCERPT = 60,  /* bytes of a long URL shown around a fault */
	BEFORE = 40    /* of these before it */
};

static void put_blanks(struct writer *w, size_t n)
{
	while (n-- > 0)
		writer_put(w, " ", 1);
}

static void put_name(struct writer *w, const char *name)
{
	size_t n = strlen(name) + 2;
	put_blanks(w, 2);
	writer_text(w, name);
	put_blanks(w, larger(excess(COLUMN, n), 1));
}

/* Any bytes, with all that moves the cursor or is invisible made visible; a line feed
 * also begins a line. */
static void put_visible(struct writer *w, const char *text, size_t n)
{
	const uint8_t *p = (const uint8_t *)text;
	for (size_t i = 0; i < n;) {
		uint32_t cp;
		uint8_t bytes[4];
		i += utf8_next(p + i, n - i, &cp);
		if (escape_caret(w, cp)) {
			if (cp == '\n' && i < n) {
				writer_put(w, "\n", 1);
				put_blanks(w, COLUMN);
			}
		} else if (escape_is_unsafe(cp)) { /* <U+200E> */
			unsigned digits = 4;
			while (cp >> 4 * digits)
				digits++;
			writer_text(w, "<U+");
			writer_hex(w, HEX_UPPER, cp, digits);
			writer_put(w, ">", 1);
		} else {
			writer_put(w, bytes, utf8_put(bytes, cp));
		}
	}
}

/* ---- Fields ------------------------------------------------------------------------ */

struct page_field {
	urlsift_renderer *r;
	const struct url_report *u;
};

static int put_field(void *user, const urlsift_field *field)
{
	static const char *const commands[] = { NULL, "CWD", "RETR", "NLST", "a client sends" };
	const struct page_field *page = user;
	const struct scheme *row = page->u->row;
	struct writer *w = &page->r->writer;
	const char *command = commands[words_find(field->name, strlen(field->name), "cwd retr nlst send", false)];
	/* TYPE d is no command: it asks for NLST (RFC 1738 section 3.2.2) */
	if (row && row->interpret == interpret_ftp && !strcmp(field->name, "type")
	    && !text_is_among(field->value, field->length, "d D"))
		command = "TYPE";
	put_name(w, text_or(command, field->name));
	if (field->length == 0)
		writer_text(w, "(empty)");
	put_visible(w, field->value, field->length);
	if (field->note) {
		writer_text(w, "  (");
		writer_text(w, field->note);
		writer_text(w, ")");
	}
	writer_put(w, "\n", 1);
	return 0;
}

/* ---- Verdicts ------------------------------------------------------------------------ */

static void put_verdicts(struct writer *w, const struct url_report *u)
{
	static const char *const names[VERDICTS] = { "RFC 1738", "RFC 3986", "RFC 3987" };
	size_t shown = SIZE_MAX;
	for (size_t g = 0; g < VERDICTS; g++) {
		const urlsift_fault *fault = &u->verdicts.fault[g];
		put_name(w, names[g]);
		if (u->verdicts.status[g] != URLSIFT_INVALID) {
			writer_text(w, u->verdicts.status[g] == URLSIFT_OK ? "valid\n" : "no verdict\n");
			continue;
		}
		writer_text(w, "not valid, ");
		writer_text(w, fault->rule);
		writer_text(w, ": ");
		writer_text(w, fault->what);
		writer_put(w, "\n", 1);
		if (fault->offset != shown) {
			/* The URL, or as much of it as a line takes, and a caret under its fault. */
			size_t offset = fault->offset, n = u->url.length;
			size_t from = n > EXCERPT ? excess(offset, BEFORE) : 0, to = smaller(n, from + EXCERPT);
			from = utf8_cut(u->url.text, from, n);
			to = utf8_cut(u->url.text, to, n);
			const char *dots = text_if(from > 0, "...");
			put_blanks(w, COLUMN);
			writer_text(w, dots);
			escape_line(w, u->url.text + from, to - from);
			writer_text(w, text_if(to < u->url.length, "..."));
			writer_text(w, "\n");
			put_blanks(w, COLUMN + strlen(dots));
			char line[16 * EXCERPT]; /* what is before the fault: nine bytes for one at most */
			size_t used = urlsift_escape_line(u->url.text + from, offset - from, line, sizeof line);
			for (size_t i = 0; i < used;) {
				uint32_t cp;
				i += utf8_next((const uint8_t *)line + i, used - i, &cp);
				put_blanks(w, cp >= 0x1100 && uclass_of(cp) == UC_CJK ? 2 : 1);
			}
			writer_text(w, "^\n");
		}
		shown = fault->offset;
	}
}

/* ---- The page -------------------------------------------------------------------------- */

size_t url_report_form(urlsift_renderer *r, const struct url_report *u, url_form_fn *write)
{
	const bool closed = write == usable_form && u->warnings & URLSIFT_WARN_UNUSABLE;
	const size_t n = closed ? 0 : render_url_form(r, write, &u->url);
	return bytes_are(r->form.data, n, u->url.text, u->url.length) ? 0 : n;
}

/* Such a form, and a note. */
static void put_form(urlsift_renderer *r, const char *name, const struct url_report *u, url_form_fn *write,
                     const char *note)
{
	const size_t n = url_report_form(r, u, write);
	if (n == 0)
		return;
	put_name(&r->writer, name);
	escape_line(&r->writer, r->form.data, n);
	writer_text(&r->writer, note);
	writer_put(&r->writer, "\n", 1);
}

/* The code points of a label; false if it is no A-label that can be read. */
static bool read_label(const void *label, size_t n, uint32_t points[IDNA_LABEL_MAX], size_t *count)
{
	return ascii_opens(label, n, "xn--") && idna_decode_label(label, n, points, count);
}

/* The host with the characters that its A-labels stand for. */
static void put_unicode_host(struct writer *w, const struct url_report *u)
{
	const char *p = u->url.text + u->url.host.offset, *end = p + u->url.host.length, *from = p, *next;
	uint32_t points[IDNA_LABEL_MAX];
	uint8_t bytes[4];
	size_t count;
	for (bool named = false; p < end; p = next) {
		const size_t length = byte_index((const uint8_t *)p, 0, (size_t)(end - p), '.');
		next = p + smaller(length + 1, (size_t)(end - p));
		if (!read_label(p, length, points, &count))
			continue;
		if (!named)
			put_name(w, "in Unicode");
		named = true;
		put_visible(w, from, (size_t)(p - from));
		for (size_t i = 0; i < count; i++)
			put_visible(w, (const char *)bytes, utf8_put(bytes, points[i]));
		from = p + length;
	}
	if (from == u->url.text + u->url.host.offset)
		return;
	put_visible(w, from, (size_t)(end - from));
	writer_put(w, "\n", 1);
}

size_t url_report_looks(urlsift_renderer *r, const struct url_report *u, char *looks)
{
	uint8_t text[IDNA_HOST_MAX];
	uint32_t points[IDNA_LABEL_MAX];
	urlsift_url url;
	size_t n, used = 0;
	if (!(u->warnings & (URLSIFT_WARN_CONFUSABLE | URLSIFT_WARN_MIXED_SCRIPT)))
		return 0;
	n = render_url_form(r, urlsift_url_normal, &u->url); /* which may move it */
	urlsift_url_split((const char *)r->form.data, n, &url);
	if (!idna_decode_host((const uint8_t *)url.text + url.host.offset, url.host.length, text, &n))
		return 0;
	for (size_t i = 0, count; i < n;) {
		const size_t length = byte_index(text, i, n, '.') - i;
		if (read_label(text + i, length, points, &count)) {
			i += length;
		} else {
			i += utf8_next(text + i, n - i, points);
			count = 1;
		}
		if (used + count > LOOKS_SIZE)
			return 0;
		for (size_t k = 0; k < count; k++) {
			looks[used] = points[k] < 0x80 ? (char)points[k] : lookalike_ascii(points[k]);
			if (!looks[used++])
				return 0; /* it does not look like ASCII */
		}
	}
	return used;
}

size_t url_report_address(const struct url_report *u, char text[ADDRESS_SIZE])
{
	uint32_t address;
	const uint8_t *host = (const uint8_t *)u->url.text + u->url.host.offset;
	if (!(u->warnings & URLSIFT_WARN_ODD_IP) || usable_number(host, u->url.host.length, &address) != HOST_ADDRESS)
		return 0;
	char digits[ADDRESS_SIZE], *const end = digits + sizeof digits, *begin = end;
	for (int i = 0; i < 4; i++, address >>= 8) {
		*--begin = '.';
		begin = number_put(begin, address & 0xFF);
	}
	memcpy(text, begin, (size_t)(end - begin) - 1);
	return (size_t)(end - begin) - 1;
}

/* A line of the page that may be missing. */
static void put_line(struct writer *w, const char *name, const char *text, size_t n)
{
	if (n == 0)
		return;
	put_name(w, name);
	put_visible(w, text, n);
	writer_put(w, "\n", 1);
}

void url_report_page(urlsift_renderer *r, const struct url_report *u)
{
	struct writer *w = &r->writer;
	struct page_field page = { r, u };
	escape_line(w, u->url.text, u->url.length);
	writer_text(w, "\n\n");
	put_name(w, "scheme");
	if (u->scheme_length > 0) {
		const bool experimental = u->scheme_length > 2 && !memcmp(u->scheme, "x-", 2);
		writer_put(w, u->scheme, u->scheme_length);
		writer_text(w, ": ");
		writer_text(w, u->row ? u->row->purpose : experimental ? "experimental" : "unknown");
	} else {
		writer_text(w, u->url.scheme.present ? "none (what is before ':' is no scheme)" : "none (a relative URL)");
	}
	writer_put(w, "\n", 1);
	r->status = urlsift_url_interpret(r->context, &u->url, put_field, &page);
	writer_put(w, "\n", 1);
	put_unicode_host(w, u);
	char looks[LOOKS_SIZE], address[ADDRESS_SIZE];
	put_line(w, "looks like", looks, url_report_looks(r, u, looks));
	put_line(w, "address", address, url_report_address(u, address));
	/* relative, with less than two slashes, where the base has the scheme */
	const size_t colon = url_scheme_end(&u->url), rest = byte_after(u->url.text, colon, u->url.length, "/\\");
	const bool web = text_is_among(u->scheme, u->scheme_length, "https http ftp ws wss");
	put_form(r, "in browsers", u, usable_form, text_if(web && rest < colon + 2, "; relative in a page of this scheme"));
	put_form(r, "as a link", u, urlsift_url_target, "");
	put_form(r, "to compare", u, urlsift_url_normal, "");
	put_form(r, "leads to", u, urlsift_url_unwrap, "");
	if (GRAMMAR_BUILT)
		put_verdicts(w, u);
	unsigned warnings = u->warnings, bit;
	for (const char *name; (name = bit_next(&warnings, &bit, urlsift_warning_name));) {
		put_name(w, "warning");
		writer_text(w, name);
		writer_text(w, ": ");
		writer_text(w, urlsift_warning_reason(bit));
		writer_put(w, "\n", 1);
	}
}
