#include "verbs.h"

#include "text/unicode.h"
#include "url/interpret.h"

#include <string.h>

enum {
	COLUMN = 18,   /* where what is said of a name begins */
	EXCERPT = 60,  /* bytes of a long URL that are shown around a fault */
	BEFORE = 40    /* of these before it */
};

/* ---- Lines ------------------------------------------------------------------------ */

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
	put_blanks(w, n < COLUMN ? COLUMN - n : 1);
}

static bool is_hidden(uint32_t cp)
{
	return (cp >= 0x80 && cp < 0xa0) || cp == 0x2028 || cp == 0x2029 || (cp >= 0x80 && (uclass_is_bidi(cp) || uclass_is_invisible(cp)));
}

/* Any bytes, with all that moves the cursor or shows nothing made visible; a line
 * feed also begins a line. */
static void put_visible(struct writer *w, const char *text, size_t n)
{
	const uint8_t *p = (const uint8_t *)text;
	char code[16];
	for (size_t i = 0; i < n;) {
		uint32_t cp;
		uint8_t bytes[4];
		i += utf8_next(p + i, n - i, &cp);
		if (cp < 0x20 || cp == 0x7f) {
			writer_put(w, (const char[]){ '^', (char)(cp ^ 0x40) }, 2);
			if (cp == '\n' && i < n) {
				writer_put(w, "\n", 1);
				put_blanks(w, COLUMN);
			}
		} else if (is_hidden(cp)) {
			writer_put(w, code, (size_t)snprintf(code, sizeof code, "<U+%04X>", (unsigned)cp));
		} else {
			writer_put(w, bytes, utf8_put(bytes, cp));
		}
	}
}

/* ---- Fields ------------------------------------------------------------------------ */

/* What a value means where it does not tell itself. */
static const struct note {
	void (*scheme)(struct interpretation *f); /* the interpreter of its schemes */
	const char *field, *value, *note;
} notes[] = {
	{ interpret_ftp, "type", "a", "text" },
	{ interpret_ftp, "type", "A", "text" },
	{ interpret_ftp, "type", "i", "binary" },
	{ interpret_ftp, "type", "I", "binary" },
	{ interpret_ftp, "type", "d", "a list of names" },
	{ interpret_ftp, "type", "D", "a list of names" },
	{ interpret_ftp, "retr", "", "clients list the directory" },
	{ interpret_file, "host", "", "this machine" },
	{ interpret_file, "host", "localhost", "this machine" },
	{ interpret_news, "groups", "*", "all groups" },
	{ interpret_gopher, "type", "0", "a text file" },
	{ interpret_gopher, "type", "1", "a menu" },
	{ interpret_gopher, "type", "2", "a CSO phone book" },
	{ interpret_gopher, "type", "3", "an error" },
	{ interpret_gopher, "type", "4", "a BinHex file" },
	{ interpret_gopher, "type", "5", "a DOS archive" },
	{ interpret_gopher, "type", "6", "a uuencoded file" },
	{ interpret_gopher, "type", "7", "a search" },
	{ interpret_gopher, "type", "8", "a Telnet session" },
	{ interpret_gopher, "type", "9", "a binary file" },
	{ interpret_gopher, "type", "+", "a second server of the same" },
	{ interpret_gopher, "type", "T", "a TN3270 session" },
	{ interpret_gopher, "type", "g", "a GIF image" },
	{ interpret_gopher, "type", "I", "an image" },
	{ interpret_gopher, "gopher+", "+", "the default view" },
	{ interpret_gopher, "gopher+", "?", "a form to fill in" },
	{ interpret_gopher, "gopher+", "!", "all attributes of the item" },
	{ interpret_gopher, "gopher+", "$", "all attributes of all items of the menu" },
	{ interpret_login, "user", NULL, "advice to the user" },
	{ interpret_login, "password", NULL, "advice to the user" },
};

/* Field names that are commands of a protocol. */
static const char *const commands[][2] = {
	{ "cwd", "CWD" }, { "retr", "RETR" }, { "nlst", "NLST" }, { "send", "a client sends" },
};

struct page {
	struct writer *w;
	const struct explained *e;
};

static bool is_value(const urlsift_field *f, const char *value)
{
	return f->length == strlen(value) && !memcmp(f->value, value, f->length);
}

static const char *note_of(const struct explained *e, const urlsift_field *f)
{
	bool given = f->value >= e->url.text && f->value < e->url.text + e->url.length;
	if (!strcmp(f->name, "port") && !given && e->url.port.length == 0)
		return "by default";
	if (!strcmp(f->name, "user") && e->row && e->row->interpret == interpret_ftp && !e->url.user.present)
		return "by default, with your mail address as the password";
	for (size_t i = 0; e->row && i < sizeof notes / sizeof *notes; i++)
		if (notes[i].scheme == e->row->interpret && !strcmp(notes[i].field, f->name) &&
		    (!notes[i].value || is_value(f, notes[i].value)))
			return notes[i].note;
	return NULL;
}

/* TYPE d is no command: it asks for NLST (RFC 1738 section 3.2.2). */
static const char *name_of(const struct explained *e, const urlsift_field *f)
{
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if (!strcmp(f->name, commands[i][0]))
			return commands[i][1];
	bool type = e->row && e->row->interpret == interpret_ftp && !strcmp(f->name, "type");
	return type && !is_value(f, "d") && !is_value(f, "D") ? "TYPE" : f->name;
}

static int put_field(void *user, const urlsift_field *field)
{
	const struct page *page = user;
	struct writer *w = page->w;
	const char *note = note_of(page->e, field);
	put_name(w, name_of(page->e, field));
	if (field->length == 0)
		writer_text(w, "(empty)");
	put_visible(w, field->value, field->length);
	if (note) {
		writer_text(w, "  (");
		writer_text(w, note);
		writer_text(w, ")");
	}
	writer_put(w, "\n", 1);
	return w->error;
}

/* ---- Verdicts ------------------------------------------------------------------------ */

/* The columns that text takes on a terminal, as escape_line writes it. */
static size_t columns(struct writer *scratch, const char *text, size_t n)
{
	size_t count = 0;
	scratch->used = 0;
	escape_line(scratch, text, n);
	for (size_t i = 0; i < scratch->used;) {
		uint32_t cp;
		i += utf8_next((const uint8_t *)scratch->data + i, scratch->used - i, &cp);
		count += cp >= 0x1100 && uclass_of(cp) == UC_CJK ? 2 : 1;
	}
	return count;
}

/* The character boundary at or before i. */
static size_t boundary(const char *text, size_t i)
{
	while (i > 0 && (text[i] & 0xc0) == 0x80)
		i--;
	return i;
}

/* The URL, or as much of it as a line takes, and a caret under its fault. */
static void put_caret(struct writer *w, const urlsift_url *url, size_t offset)
{
	char data[16 * EXCERPT]; /* nine columns a byte at most */
	struct writer scratch = { .fd = -1, .data = data };
	size_t from = offset > BEFORE && url->length > EXCERPT ? offset - BEFORE : 0;
	size_t to = url->length - from > EXCERPT ? from + EXCERPT : url->length;
	if (from > 0)
		from = boundary(url->text, from);
	if (to < url->length)
		to = boundary(url->text, to);
	put_blanks(w, COLUMN);
	writer_text(w, from > 0 ? "..." : "");
	escape_line(w, url->text + from, to - from);
	writer_text(w, to < url->length ? "...\n" : "\n");
	put_blanks(w, COLUMN + (from > 0 ? 3u : 0u) + columns(&scratch, url->text + from, offset - from));
	writer_text(w, "^\n");
}

static void put_verdicts(struct writer *w, const struct explained *e)
{
	static const char *const names[EXPLAIN_GRAMMARS] = { "RFC 1738", "RFC 3986", "RFC 3987" };
	size_t shown = SIZE_MAX;
	for (size_t g = 0; g < EXPLAIN_GRAMMARS; g++) {
		const urlsift_fault *fault = &e->fault[g];
		put_name(w, names[g]);
		if (e->status[g] != URLSIFT_INVALID) {
			writer_text(w, e->status[g] == URLSIFT_OK ? "valid\n" : "no verdict\n");
			continue;
		}
		writer_text(w, "not valid, ");
		writer_text(w, fault->rule);
		writer_text(w, ": ");
		writer_text(w, fault->what);
		writer_put(w, "\n", 1);
		if (fault->offset != shown)
			put_caret(w, &e->url, fault->offset);
		shown = fault->offset;
	}
}

/* ---- The page -------------------------------------------------------------------------- */

static void put_scheme(struct writer *w, const struct explained *e)
{
	put_name(w, "scheme");
	if (e->scheme_length == 0) {
		writer_text(w, "none: this is a partial URL\n");
		return;
	}
	writer_put(w, e->scheme, e->scheme_length);
	writer_text(w, ": ");
	if (e->row)
		writer_text(w, e->row->purpose);
	else
		writer_text(w, e->scheme_length > 2 && !memcmp(e->scheme, "x-", 2) ? "an experiment" : "not known");
	writer_put(w, "\n", 1);
}

typedef size_t form_writer(const urlsift_url *url, char *out, size_t size);

/* A form of the URL, where it differs from its text. */
static void put_form(struct url_run *r, const char *name, const struct explained *e, form_writer *write)
{
	char *to = url_run_room(r, e->room, 9 * e->url.length + 1024);
	size_t n = to ? write(&e->url, to, e->room->room) : 0;
	if (!to || n > e->room->room || (n == e->url.length && !memcmp(to, e->url.text, n)))
		return;
	put_name(&r->w, name);
	escape_line(&r->w, to, n);
	writer_put(&r->w, "\n", 1);
}

void explain_page(struct url_run *r, const struct explained *e)
{
	struct writer *w = &r->w;
	struct page page = { w, e };
	if (!e->first)
		writer_put(w, "\n", 1);
	escape_line(w, e->url.text, e->url.length);
	writer_text(w, "\n\n");
	put_scheme(w, e);
	urlsift_status status = urlsift_url_interpret(e->context, &e->url, put_field, &page);
	if (status != URLSIFT_OK && status != URLSIFT_STOPPED)
		url_run_fail(r, urlsift_status_text(status));
	writer_put(w, "\n", 1);
	put_form(r, "as a link", e, urlsift_url_target);
	put_form(r, "to compare", e, urlsift_url_normal);
	put_verdicts(w, e);
	for (unsigned bit = 1; bit && bit <= e->warnings; bit <<= 1) {
		const char *name = e->warnings & bit ? urlsift_warning_name(bit) : NULL;
		if (!name)
			continue;
		put_name(w, "warning");
		writer_text(w, name);
		writer_text(w, ": ");
		writer_text(w, urlsift_warning_reason(bit));
		writer_put(w, "\n", 1);
	}
}
