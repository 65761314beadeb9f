#include "mailbox.h"

#include "text/ascii.h"
#include "text/bytes.h"
#include "text/match.h"

#include <string.h>

/* ---- Lines ---- */

/* The length of the line at p with its LF; 0 when it is cut or too long. */
static size_t line_length(const uint8_t *p, size_t n)
{
	const uint8_t *stop = p + smaller(n, SEPARATOR_LINE), *lf = find_byte(p, stop, '\n');
	return lf < stop ? (size_t)(lf - p) + 1 : 0;
}

/* The length of a line without its end. */
static size_t text_length(const uint8_t *p, size_t n) { return byte_span_back(p, 0, n, BYTE_LINE_END); }

/* The bytes are all that decides: more of them would help, unless there are none or they were too many. */
static void set_cut(const struct separator_at *at, struct separator *s)
{
	s->found = at->last || at->n >= SEPARATOR_MAX ? SEPARATOR_NONE : SEPARATOR_CUT;
}

/* The line at at->p[i] with its LF.  0: *s says whether more bytes would help. */
static size_t read_line(const struct separator_at *at, size_t i, struct separator *s)
{
	size_t length = line_length(at->p + i, at->n - i);
	if (!length && at->n - i < SEPARATOR_LINE) {
		if (at->last)
			return at->n - i;
		set_cut(at, s);
	}
	return length;
}

/* ---- Fields ---- */

/* The fields that tell a message; the first eight are rare in other texts. */
static const char telling[] = "from date subject message-id path newsgroups mime-version received "
                              "to cc return-path reply-to sender status content-type delivered-to";
enum { TELLING = 8 };

/* The bit of the field's name among these; 0 for none. */
static unsigned field_bit(const uint8_t *p, const struct header_name *name)
{
	return 1u << ascii_word(p, name->length, telling) >> 1;
}

static bool is_known(const uint8_t *p, const struct header_name *name)
{
	return ascii_begins(p, "x-", 2) || field_bit(p, name);
}

/* Whether header fields follow at at->p[i]: one, or one of those above (`known`).  `>From ` lines and folds
 * may be before it, and with `blanks` blank lines; *field is where it begins. */
static bool field_follows(const struct separator_at *at, size_t *field, bool known, bool blanks, struct separator *s)
{
	for (size_t i = *field, length; i < at->n; i += length) {
		const uint8_t *p = at->p + i;
		struct header_name name;
		length = read_line(at, i, s);
		if (length && (text_begins(p, length, ">From ") || (blanks ? text_length(p, length) == 0 : is_blank(*p))))
			continue;
		/* a field may be too long for a line */
		const size_t seen = !length && at->n - i >= SEPARATOR_LINE ? SEPARATOR_LINE : length;
		*field = i;
		if (!seen || header_line_or_url(p, seen, &name) != HEADER_FIELD)
			return false;
		return !known || is_known(p, &name);
	}
	set_cut(at, s);
	return false;
}

/* How many telling fields the header block has that the text begins with, at most two; none when it is broken.
 * `name: text` is also a line of a log or a chat: nothing after many such lines counts.  After a telling field, a name
 * with a hyphen is none of these; after two, no line with a name is.  The delimiter of a multipart ends the block. */
static unsigned header_tells(const uint8_t *p, size_t n, bool complete)
{
	enum { UNKNOWN_MOST = 8 };
	unsigned told = 0, unknown = 0;
	bool blank = false; /* the last line has nothing but blanks, and may end the block */
	bool two = false, typed = false;
	for (size_t i = 0, length; i < n && unknown < UNKNOWN_MOST; i += length) {
		struct header_name name;
		length = after_line(p, i, n) - i;
		if (p[i + length - 1] != '\n' && !complete)
			break; /* cut */
		enum header_line kind = header_line_read(p + i, length, &name);
		/* a line of a log or a list: `10:00`, `{"a":`, `http://`; a hyphen may begin a delimiter */
		if (kind == HEADER_FIELD && !two &&
		    (!(byte_class[p[i]] & (BYTE_ALPHA | BYTE_HYPHEN)) || header_is_url(p + i, length, name.colon)))
			kind = HEADER_OTHER;
		if (kind == HEADER_BLANK && !is_blank(p[i]))
			break;
		const size_t mark = p[i] == '>';
		bool from = text_begins(p + i + mark, length - mark, "From ");
		if (kind == HEADER_OTHER && (blank || (typed && text_begins(p + i, length, "--"))))
			break;
		blank = kind == HEADER_BLANK;
		if ((kind == HEADER_OTHER && !from) || (kind == HEADER_FOLD && i == 0))
			return 0;
		if (kind != HEADER_FIELD)
			continue;
		told |= field_bit(p + i, &name) % (1u << TELLING);
		typed |= ascii_is(p + i, name.length, "content-type");
		unknown = is_known(p + i, &name) || (told && memchr(p + i, '-', name.length)) ? 0 : unknown + 1;
		two = told & (told - 1);
	}
	return (told != 0) + (unsigned)two;
}

/* ---- mbox ---- */

/* Whether the line has a time hh:mm and a year of four digits. */
static bool is_dated(const uint8_t *line, size_t n)
{
	bool time = false, year = false;
	for (size_t end = n, i; end && !(time & year); end = i) { /* they are at its end */
		i = end - 1;
		if (!is_digit(line[i]))
			continue;
		i = byte_span_back(line, 0, i, BYTE_DIGIT);
		time |= end - i == 2 && byte_at(line, end, n) == ':' && byte_span(line, end + 1, n, BYTE_DIGIT) > end + 2;
		year |= end - i == 4 && BYTE_IN(line[i], "12");
	}
	return time & year;
}

/* Netscape and Mozilla write no more than that before a date, or none. */
static bool is_dash(const uint8_t *line, size_t n)
{
	return match_bytes(line, text_length(line, n), "From -%f ");
}

bool mailbox_from_at(const uint8_t *p, size_t n)
{
	size_t length = line_length(p, n);
	length = (size_t)number_or(length, n);
	return text_begins(p, length, "From ") && (is_dated(p, length) || is_dash(p, length));
}

/* A From_ line separates when a header field follows, and a blank line is before it or a date in it; without both, when
 * it is that of Mozilla and a known field follows. */
static void read_from(const struct separator_at *at, struct separator *s)
{
	size_t shown = smaller(at->n, 5), length, field;
	if (*at->p == '>') {
		/* with any number of `>`: one was put there when the mailbox was written ("mboxrd") */
		size_t marks = byte_run(at->p, 1, smaller(at->n, SEPARATOR_LINE), '>'), left = at->n - marks;
		bool same = !memcmp(at->p + marks, "From ", smaller(left, 5));
		s->found = same && left < 5 && !at->last ? SEPARATOR_CUT : SEPARATOR_NONE;
		s->length = same && left >= 5 && !at->in_header;
		return;
	}
	if (memcmp(at->p, "From ", shown) || (length = read_line(at, 0, s)) < 5)
		return;
	bool dated = is_dated(at->p, length), dash = !dated && is_dash(at->p, length);
	field = length;
	if (!at->after_blank && (at->after_separator || !(dated || dash)))
		return;
	if (field_follows(at, &field, !dated && !(dash && at->after_blank), false, s))
		*s = (struct separator){.found = SEPARATOR_FOUND, .length = length};
}

/* Reads the line at p[i] as a separator that follows no other. */
static struct separator read_alone(const uint8_t *p, size_t i, size_t n, bool last)
{
	uint8_t tail[3] = { '\n', '\n', '\n' };
	const size_t known = smaller(i, sizeof tail);
	memcpy(tail + sizeof tail - known, p + i - known, known);
	const struct separator_at at = {
		.p = p + i, .n = smaller(n - i, SEPARATOR_MAX), .last = last && n - i <= SEPARATOR_MAX,
		.after_blank = mailbox_after_blank(tail)
	};
	struct separator s = {.found = SEPARATOR_NONE};
	if (text_begins(at.p, at.n, "From "))
		read_from(&at, &s);
	return s;
}

size_t mailbox_find(const uint8_t *p, size_t from, size_t n, bool last)
{
	size_t end = last ? n : excess(n, SEPARATOR_MAX), i = from ? from - 1 : 0;
	for (; i < end; i++) {
		i = byte_index(p, i, end, '\n');
		if (i + 1 >= end || read_alone(p, i + 1, n, last).found != SEPARATOR_FOUND)
			continue;
		/* where the line before may separate, this one does not */
		const size_t line = byte_last(p, excess(i, SEPARATOR_LINE), i, '\n');
		if (read_alone(p, line, n, last).found == SEPARATOR_NONE)
			return i + 1;
	}
	return end;
}

/* ---- MMDF: messages between lines of four ^A ---- */

static void read_mmdf(const struct separator_at *at, struct separator *s)
{
	size_t length = read_line(at, 0, s);
	if (text_is(at->p, text_length(at->p, length), "\1\1\1\1"))
		*s = (struct separator){.found = SEPARATOR_FOUND, .meaning = SEPARATOR_ENDS, .length = length};
}

/* ---- rnews: each article after a line with its length ---- */

static void read_rnews(const struct separator_at *at, struct separator *s)
{
	static const char mark[] = "#! rnews ";
	uint64_t counted = 0;
	size_t i = sizeof mark - 1, length = read_line(at, 0, s), n = text_length(at->p, length);
	if (text_begins(at->p, n, mark) && number_read(at->p, i, n, 10, &counted) > i)
		*s = (struct separator){.found = SEPARATOR_FOUND, .length = length, .counted = counted};
}

/* ---- emlx (Apple Mail): a message after a line with its length, and then a property list ---- */

static size_t open_emlx(const uint8_t *p, size_t n)
{
	const size_t length = line_length(p, n);
	return match_bytes(p, length, "%d+[%s\r\n]*" MATCH_END) ? length : 0;
}

static void read_emlx(const struct separator_at *at, struct separator *s)
{
	const size_t length = read_line(at, 0, s);
	uint64_t counted = 0;
	size_t field = length;
	if (text_begins(at->p, length, "<?xml")) {
		*s = (struct separator){.found = SEPARATOR_FOUND, .meaning = SEPARATOR_ENDS, .length = length};
	} else if (open_emlx(at->p, length) && field_follows(at, &field, true, false, s)) {
		number_read(at->p, 0, length, 10, &counted);
		*s = (struct separator){.found = SEPARATOR_FOUND, .length = length, .counted = counted};
	}
}

/* ---- Babyl (Emacs Rmail) ---- */

static const char eooh[] = "*** EOOH ***";

/* ^_ ends a message.  With a form feed another begins: a line of labels, the header block, a line that ends it, a
 * copy of the header block as it was shown, the body; or that line first, and no copy. */
static void read_babyl(const struct separator_at *at, struct separator *s)
{
	size_t length = read_line(at, 0, s), labels, end;
	if (*at->p == '*') {
		if (at->begun && text_begins(at->p, length, eooh))
			*s = (struct separator){.found = SEPARATOR_FOUND, .meaning = SEPARATOR_COPIED, .length = length};
		return;
	}
	if (length <= 1 || at->p[1] != '\f') {
		if (text_length(at->p, length) == 1)
			*s = (struct separator){.found = SEPARATOR_FOUND, .meaning = SEPARATOR_ENDS, .length = length};
		return;
	}
	if (!(labels = read_line(at, length, s)) || !(end = read_line(at, length + labels, s)))
		return;
	bool copy = !text_begins(at->p + length + labels, end, eooh);
	*s = (struct separator){.found = SEPARATOR_FOUND, .length = length + labels + (copy ? 0 : end), .copy = copy};
}

static size_t open_babyl(const uint8_t *p, size_t n)
{
	return text_begins(p, n, "BABYL OPTIONS:") ? line_length(p, n) : 0;
}

/* ---- Digests ---- */

/* Before the fields may stand a line `Message: 1`, as Mailman numbers the messages. */
void mailbox_read_digest(const struct separator_at *at, struct separator *s)
{
	size_t hyphens = byte_run(at->p, 0, smaller(at->n, 71), '-'), length, field;
	if (!at->after_blank || (hyphens < at->n && hyphens != (at->begun ? 30 : 70)))
		return;
	field = length = read_line(at, 0, s);
	if (text_length(at->p, length) != hyphens)
		return;
	if (!field_follows(at, &field, false, true, s) || field == length)
		return;
	size_t known = field, number = 0;
	if (ascii_opens(at->p + field, at->n - field, "message:") && !(number = read_line(at, field, s)))
		return;
	known += number;
	if (field_follows(at, &known, true, false, s))
		*s = (struct separator){.found = SEPARATOR_FOUND, .length = field, .digest = true};
}

/* ---- HTML documents ---- */

static size_t after_space(const uint8_t *p, size_t i, size_t n) { return byte_after(p, i, n, " \t\n\v\f\r"); }

static size_t open_html(const uint8_t *p, size_t n)
{
	uint8_t narrow[512];
	if (utf16_begins(p, n)) { /* its characters of ASCII */
		const size_t low = p[0] == 0xFE;
		n = smaller(n / 2 - 1, sizeof narrow);
		for (size_t i = 0; i < n; i++)
			narrow[i] = p[2 + 2 * i + low];
		p = narrow;
	}
	size_t i = after_space(p, 0, n);
	if (ascii_opens(p + i, n - i, "<?xml"))
		i = after_space(p, smaller(byte_index(p, i, n, '>') + 1, n), n);
	while (text_begins(p + i, n - i, "<!--")) { /* a comment may be `<!-->` */
		i += 2;
		i = after_space(p, smaller(i + text_index(p + i, n - i, "-->") + 3, n), n);
	}
	if (ascii_opens(p + i, n - i, "<!doctype")) {
		i = after_space(p, i + 9, n);
		return ascii_opens(p + i, n - i, "html") || ascii_opens(p + i, n - i, "netscape-bookmark-file-1");
	}
	return match_bytes(p + i, n - i, "<[hH][tT][mM][lL][> \t\n\v\f\r]") > 0;
}

/* ---- Calendars and vCards ---- */

/* The length of the line, in any letter case; 0 if another one is at p. */
static size_t opening_line(const uint8_t *p, size_t n, const char *line)
{
	const size_t length = ascii_opens(p, n, line) ? strlen(line) : 0;
	return length < n && !is_line_end(p[length]) ? 0 : length;
}

static size_t open_calendar(const uint8_t *p, size_t n) { return opening_line(p, n, "begin:vcalendar"); }
static size_t open_vcard(const uint8_t *p, size_t n) { return opening_line(p, n, "begin:vcard"); }

/* ---- The table ---- */

const struct mailbox_format mailbox_formats[] = {
	[URLSIFT_KIND_TEXT] = {"text", "", 0, false, 0, NULL, NULL},
	[URLSIFT_KIND_MESSAGE] = {"message", "F", 0, false, 2, read_from, NULL},
	[URLSIFT_KIND_MBOX] = {"mbox", "F>", LINE_FROM | LINE_QUOTED, false, 1, read_from, NULL},
	[URLSIFT_KIND_MMDF] = {"mmdf", "\1", LINE_SOH, false, 1, read_mmdf, NULL},
	[URLSIFT_KIND_RNEWS] = {"rnews", "#", 0, false, 1, read_rnews, NULL},
	[URLSIFT_KIND_BABYL] = {"babyl", "\x1F*", 0, true, 0, read_babyl, open_babyl},
	[URLSIFT_KIND_HTML] = {"html", "", 0, false, 0, NULL, open_html},
	[URLSIFT_KIND_CALENDAR] = {"calendar", "", 0, false, 0, NULL, open_calendar},
	[URLSIFT_KIND_VCARD] = {"vcard", "", 0, false, 0, NULL, open_vcard},
	[URLSIFT_KIND_EMLX] = {"emlx", "0123456789<", 0, true, 2, read_emlx, open_emlx},
};
const unsigned mailbox_format_count = sizeof mailbox_formats / sizeof *mailbox_formats;

const char *urlsift_mail_kind_name(urlsift_mail_kind kind)
{
	return (unsigned)kind < mailbox_format_count ? mailbox_formats[kind].name : NULL;
}

/* Whether an input of this kind begins so: with what it has before its first header block, and with that. */
static bool begins(unsigned kind, const uint8_t *p, size_t n, bool complete)
{
	const struct mailbox_format *format = &mailbox_formats[kind];
	const struct separator_at at = {.p = p, .n = n, .last = true, .after_blank = true};
	struct separator s = {.found = SEPARATOR_NONE};
	size_t header;
	if (format->opening) {
		header = format->opening(p, n);
	} else {
		format->read(&at, &s);
		header = s.found == SEPARATOR_FOUND ? s.length : 0;
	}
	return header && header_tells(p + header, n - header, complete) >= format->fields;
}

urlsift_mail_kind urlsift_mail_detect(const void *bytes, size_t length, int complete)
{
	const uint8_t *p = bytes;
	if (!p)
		return URLSIFT_KIND_TEXT;
	if (length > URLSIFT_DETECT_BYTES) {
		length = URLSIFT_DETECT_BYTES;
		complete = 0;
	}
	size_t begin = byte_span(p, text_begins(p, length, "\xEF\xBB\xBF") ? 3 : 0, length, BYTE_LINE_END);
	p += begin;
	length -= begin;
	for (unsigned kind = URLSIFT_KIND_MBOX; length && kind < mailbox_format_count; kind++)
		if (begins(kind, p, length, complete))
			return (urlsift_mail_kind)kind;
	/* after a dated From_ line, a message may follow a first entry that is none */
	for (size_t i = 0, n = mailbox_from_at(p, length) ? length : 0, line; i < n; i += line) {
		if (!(line = line_length(p + i, n - i)))
			break;
		if (begins(URLSIFT_KIND_MBOX, p + i, n - i, complete))
			return URLSIFT_KIND_MBOX;
	}
	bool message = header_tells(p, length, complete) >= mailbox_formats[URLSIFT_KIND_MESSAGE].fields;
	return message ? URLSIFT_KIND_MESSAGE : URLSIFT_KIND_TEXT;
}
