#include "header.h"

#include "scan/attribute.h"
#include "simd/bytes16.h"
#include "text/ascii.h"
#include "text/bytes.h"
#include "text/match.h"
#include "url/path.h"
#include "url/url.h"

#include <string.h>

/* ---- Content-Type ---- */

/* The parameters that count, by the numbers of their names. */
enum name { OTHER, BOUNDARY, CHARSET, FORMAT, DELSP, ACCESS_TYPE, URL, SITE, DIRECTORY, NAME, FILENAME, NAMES };
static const char names[] = "boundary charset format delsp access-type url site directory name filename";

enum { SECTIONS = 64 }; /* of a parameter (RFC 2231 section 3): the rest is cut */

/* A value as it is written. */
struct value {
	const uint8_t *from, *to;
	bool quoted, extended; /* it was in quotation marks; it is percent-encoded */
};

/* A parameter has one value or sections (RFC 2231 section 3): the first form found counts. */
struct parameter {
	enum { NOWHERE, WHOLE, SECTIONED } form;
	uint64_t seen; /* sections */
	struct value section[SECTIONS];
};

struct type_reader {
	const uint8_t *p, *end;
	struct content_type *type;
	struct parameter parameter[NAMES];
};

/* A parameter's name taken apart: `name`, `name*`, `name*0`, `name*0*`. */
struct key {
	enum name name;
	bool whole, extended;
	uint64_t section;
};

/* ---- Lexical ---- */

/* RFC 2045 section 5.1. */
static const uint8_t *after_token(const uint8_t *p, const uint8_t *end)
{
	return header_after_token(p, end, "()<>@,;:\\\"/[]?==");
}

static bool is_next(const uint8_t *p, const uint8_t *end, uint8_t c) { return p < end && *p == c; }

static const uint8_t *after_comments(const uint8_t *p, const uint8_t *end)
{
	while (p < end && BYTE_IN(*p, " \t\r\n("))
		p = *p == '(' ? header_after_comment(p, end) : p + 1;
	return p;
}

/* ---- Parameters ---- */

/* Whether [p, end) is the name of a parameter that counts. */
static bool read_key(const uint8_t *p, const uint8_t *end, struct key *key)
{
	const uint8_t *star = find_byte(p, end, '*');
	size_t n = (size_t)(star - p);
	*key = (struct key){ .name = (enum name)ascii_word(p, n, names), .whole = true };
	if (key->name == OTHER || star == end)
		return key->name != OTHER;
	p = star + 1;
	key->whole = p == end || !is_digit(*p);
	p += number_read(p, 0, (size_t)(end - p), 10, &key->section);
	key->extended = end[-1] == '*';
	return p + is_next(p, end, '*') == end;
}

/* Reads to the end.  What is out of place is skipped, byte by byte or word by word. */
static void read_parameters(struct type_reader *r)
{
	while ((r->p = after_comments(r->p, r->end)) < r->end) {
		const uint8_t *name = r->p, *name_end = after_token(name, r->end);
		struct key key;
		struct value value = { 0 };
		if (name_end == name) {
			r->p++;
			continue;
		}
		r->p = after_comments(name_end, r->end);
		if (!is_next(r->p, r->end, '='))
			continue;
		bool counts = read_key(name, name_end, &key);
		value.extended = key.extended;
		r->p = after_comments(r->p + 1, r->end);
		if (is_next(r->p, r->end, '"')) {
			/* to the closing quotation mark, else to the end */
			value.quoted = true;
			value.from = ++r->p;
			while (r->p < r->end && *r->p != '"')
				r->p += *r->p == '\\' && r->end - r->p > 1 ? 2 : 1;
			value.to = r->p;
			r->p += r->p < r->end;
		} else {
			/* to the next `;`, to a comment, or to a parameter that counts and whose `;` is missing; in boundaries,
			 * URLs and what does not count a parenthesis inside a word is not a comment */
			const bool parentheses = !within(key.name, CHARSET, ACCESS_TYPE);
			value.from = r->p;
			while (r->p < r->end && *r->p != ';' && (parentheses || *r->p != '(')) {
				const uint8_t *next = after_fws(r->p, r->end), *after;
				struct key other;
				if (next == r->p) {
					r->p++;
					continue;
				}
				after = after_token(next, r->end);
				if (next == r->end || BYTE_IN(*next, ";(") ||
				    (is_next(after, r->end, '=') && read_key(next, after, &other)))
					break;
				r->p = next;
			}
			value.to = r->p;
		}
		if (!counts)
			continue;
		struct parameter *parameter = &r->parameter[key.name];
		if (parameter->form == NOWHERE)
			parameter->form = key.whole ? WHOLE : SECTIONED;
		if ((parameter->form == WHOLE) != key.whole)
			continue;
		if (key.section >= SECTIONS) {
			r->type->report_cut = true;
		} else if (!(parameter->seen >> key.section & 1)) {
			parameter->seen |= (uint64_t)1 << key.section;
			parameter->section[key.section] = value;
		}
	}
}

/* ---- Values ---- */

/* Puts a parameter together, `packed` without white space; returns its length.  At most `room` bytes are written. */
static size_t put_parameter(struct type_reader *r, enum name name, uint8_t *bytes, size_t room, bool packed)
{
	const struct parameter *parameter = &r->parameter[name];
	struct sink s = {.out = (char *)bytes, .size = room};
	const unsigned white = BYTE_LINE_END | bits_if(packed, BYTE_BLANK); /* is left out */
	for (uint64_t left = parameter->seen; left; left &= left - 1) {
		const int i = __builtin_ctzll(left);
		const struct value *value = &parameter->section[i];
		const uint8_t *p = value->from, *end = value->to;
		if (value->extended && i == 0) { /* charset'language' */
			const uint8_t *quote = find_byte(p, end, '\'');
			const uint8_t *language_end = find_byte(quote + (quote < end), end, '\'');
			p = language_end < end ? language_end + 1 : p;
		}
		while (p < end) {
			int escape = value->extended ? hex_escape(p, end) : -1;
			uint8_t c = (uint8_t)escape;
			if (escape >= 0) {
				p += 3;
			} else {
				p += value->quoted && *p == '\\' && end - p > 1;
				c = *p++;
			}
			if (!(byte_class[c] & white))
				sink_put(&s, (char)c);
		}
	}
	r->type->report_cut |= s.used > PARAMETER_MAX;
	return s.used;
}

/* Whether its value is one of the words. */
static bool parameter_is(struct type_reader *r, enum name name, const char *values)
{
	uint8_t bytes[16];
	if (!r->parameter[name].seen)
		return false; /* the usual case */
	const size_t n = put_parameter(r, name, bytes, sizeof bytes, true);
	return ascii_is_among(bytes, smaller(n, sizeof bytes), values); /* none is as long */
}

/* Percent-encodes what a path does not hold in the n bytes, where there is room; returns their new length. */
static size_t encode_path(uint8_t *bytes, size_t n, size_t room)
{
	size_t size = n;
	for (size_t i = 0; i < n; i++)
		size += BYTE_IN(bytes[i], " \t#?") * 2u;
	for (size_t i = n, k = size; i < k && size <= room;) {
		const uint8_t c = bytes[--i];
		bytes[--k] = c;
		if (BYTE_IN(c, " \t#?")) {
			bytes[k] = (uint8_t)HEX_UPPER[c & 15];
			bytes[--k] = (uint8_t)('0' + (c >> 4)); /* all are below 40 hexadecimal */
			bytes[--k] = '%';
		}
	}
	return size;
}

/* The URL that RFC 2046 section 5.2.3.1 means; 0 without a site and a name. */
static size_t put_ftp(struct type_reader *r, uint8_t *bytes, size_t room)
{
	static const char scheme[] = "ftp://";
	size_t n = sizeof scheme - 1, before;
	memcpy(bytes, scheme, n);
	for (enum name name = SITE; name <= NAME; name++) {
		before = n;
		n += put_parameter(r, name, bytes + n, room - n, name == SITE);
		if (n <= room) { /* without slashes of its own around it, and the blanks of a fold */
			n = byte_run_back(bytes, before, byte_span_back(bytes, before, n, BYTE_FWS), '/');
			const size_t first = byte_run(bytes, byte_span(bytes, before, n, BYTE_FWS), n, '/');
			memmove(bytes + before, bytes + first, n - first);
			n = before + encode_path(bytes + before, n - first, room - before);
		}
		if (n + (name != NAME) > room) { /* a slash follows */
			r->type->report_cut = true;
			return room;
		}
		if (n == before && name != DIRECTORY)
			return 0;
		if (n > before && name != NAME)
			bytes[n++] = '/';
	}
	return n;
}

/* ---- The field ---- */

static void put_type(char *out, size_t room, const uint8_t *from, const uint8_t *to)
{
	size_t n = smaller((size_t)(to - from), room - 1);
	ascii_lower(out, from, n);
	out[n] = 0;
}

static void reader_init(struct type_reader *r, const uint8_t *value, size_t n, struct content_type *t)
{
	r->p = value;
	r->end = n ? value + n : value;
	r->type = t;
	for (unsigned i = 0; i < NAMES; i++) {
		r->parameter[i].form = NOWHERE;
		r->parameter[i].seen = 0;
	}
	t->report_cut = false;
}

void content_type_read(const uint8_t *value, size_t n, struct content_type *t)
{
	struct type_reader r;
	reader_init(&r, value, n, t);
	const uint8_t *type = after_comments(r.p, r.end), *type_end = after_token(type, r.end);
	const uint8_t *slash = after_comments(type_end, r.end), *subtype = slash, *subtype_end = slash;
	if (type < type_end && is_next(slash, r.end, '/')) {
		subtype = after_comments(slash + 1, r.end);
		subtype_end = after_token(subtype, r.end);
	}
	memcpy(t->type, "text", sizeof "text");
	memcpy(t->subtype, "plain", sizeof "plain");
	if (subtype < subtype_end) {
		put_type(t->type, sizeof t->type, type, type_end);
		put_type(t->subtype, sizeof t->subtype, subtype, subtype_end);
		r.p = subtype_end;
	}
	read_parameters(&r);
	t->boundary_length = put_parameter(&r, BOUNDARY, t->boundary, sizeof t->boundary, false);
	/* A boundary does not end in a blank (RFC 2046 section 5.1.1). */
	if (t->boundary_length <= sizeof t->boundary)
		t->boundary_length = byte_span_back(t->boundary, 0, t->boundary_length, BYTE_FWS);
	/* without surplus quotation marks, and decoded when it is an encoded-word that needs no decoding (RFC 2047) */
	const char *charset = t->charset;
	n = put_parameter(&r, CHARSET, (uint8_t *)t->charset, sizeof t->charset - 1, true);
	n = size_fitting(n, sizeof t->charset - 1);
	text_trim(&charset, &n, "\"'\\");
	if (text_ends(charset, n, "?=")) {
		const size_t head = match_bytes((const uint8_t *)charset, n - 2, "=%?[^%?]*%?[qQ]%?");
		charset += excess(head, 1);
		n -= head + (head > 0);
	}
	memmove(t->charset, charset, n);
	t->charset[n] = '\0';
	t->flowed = parameter_is(&r, FORMAT, "flowed");
	t->delsp = parameter_is(&r, DELSP, "yes");
	t->url_length = 0;
	if (parameter_is(&r, ACCESS_TYPE, "url"))
		t->url_length = put_parameter(&r, URL, t->url, sizeof t->url, true);
	else if (parameter_is(&r, ACCESS_TYPE, "anon-ftp ftp"))
		t->url_length = put_ftp(&r, t->url, sizeof t->url);
	t->url_length = smaller(t->url_length, sizeof t->url);
}

size_t content_name_read(const uint8_t *value, size_t n, bool disposition, uint8_t *name, size_t room)
{
	struct content_type unused;
	struct type_reader r;
	reader_init(&r, value, n, &unused);
	read_parameters(&r);
	size_t length = put_parameter(&r, disposition ? FILENAME : NAME, name, room, false);
	return smaller(length, room);
}

/* ---- The body ---- */

static bool is_mark(uint8_t c) { return c <= ' ' || BYTE_IN(c, "\"<>"); }

bool content_base_fits(const void *base, size_t n)
{
	enum { ENCODED = 9 }; /* bytes that one byte becomes at most in a page */
	static const char plain[] = "-._~:/?#[]@!$()*+,;=%";
	const uint8_t *p = base;
	size_t size = 0;
	for (size_t i = 0; i < n && size <= BASE_MAX; i++)
		size += is_alnum(p[i]) || is_of((char)p[i], plain) ? 1 : ENCODED;
	return size <= BASE_MAX;
}

/* The length of a base; BASE_MAX + 1 for one that does not fit. */
static size_t fitting(const char *base, size_t n)
{
	return n <= BASE_MAX && content_base_fits(base, n) ? n : BASE_MAX + 1;
}

size_t content_base_text(const struct field *f, char *base)
{
	const uint8_t *p = f->value, *end = p + f->value_length;
	struct sink s = {.out = base, .size = BASE_MAX};
	for (const uint8_t *q = p; q + 1 < end; q++)
		if (is_space(q[0]) && q[1] == '(')
			end = q; /* a comment */
	while (p < end && is_mark(*p))
		p++;
	while (p < end && is_mark(end[-1]))
		end--;
	for (; p < end; p++)
		if (!is_space(*p))
			sink_put(&s, (char)*p);
	return smaller(s.used, BASE_MAX + 1);
}

size_t content_base(const struct field *f, const urlsift_scanner *scanner, char *base)
{
	size_t n = content_base_text(f, base);
	if (n <= BASE_MAX)
		n = scanner_refang(scanner, (uint8_t *)base, n);
	const bool absolute = match_bytes((const uint8_t *)base, smaller(n, BASE_MAX), "%a%a+://" MATCH_ANY);
	return absolute ? fitting(base, n) : 0;
}

static void keep_base(struct content *e, const char *base, size_t n)
{
	e->base_cut |= n > BASE_MAX;
	if (!within(n, 1, BASE_MAX))
		return;
	memcpy(e->base, base, n);
	e->base_length = n;
	e->relative = false;
}

static void read_base(struct content *e, const struct field *f)
{
	char base[BASE_MAX];
	keep_base(e, base, content_base(f, e->scanner, base));
}

size_t content_base_resolve(urlsift_text outer, urlsift_text reference, char *base)
{
	urlsift_url from, to;
	split_url(outer.bytes, outer.length, &from);
	split_rest(reference.bytes, reference.length, 0, false, &to); /* what is before a colon is no scheme */
	size_t n = outer.length ? resolve_rfc3986(&from, &to, DOTS_ESCAPED, base, BASE_MAX) : 0;
	return fitting(base, n);
}

void content_resolve(struct content *e, urlsift_text outer)
{
	char base[BASE_MAX];
	size_t n = content_base_resolve(outer, (urlsift_text){e->base, e->base_length}, base);
	e->base_length = 0;
	keep_base(e, base, n);
}

/* The media types that have a meaning, in order; one that ends with a full stop stands for all that begin so. */
#define SKIPPED(omission) BODY_SKIPPED, 0, URLSIFT_OMITTED_##omission
static const struct media media[] = {
	{"text", "plain", BODY_TEXT, MEDIA_PLAIN, 0}, {"text", "html", BODY_HTML, 0, URLSIFT_OMITTED_UNSEARCHED},
	{"multipart", "alternative", BODY_MULTIPART, MEDIA_ALTERNATIVE, 0},
	{"multipart", "digest", BODY_MULTIPART, MEDIA_DIGEST, 0},
	{"multipart", "signed", BODY_MULTIPART, MEDIA_SEALED, 0},
	{"multipart", "encrypted", BODY_MULTIPART, MEDIA_SEALED, 0},
	{"multipart", ".", BODY_MULTIPART, 0, 0},
	{"message", "rfc822", BODY_MESSAGE, 0, 0}, {"message", "news", BODY_MESSAGE, 0, 0},
	{"message", "global", BODY_MESSAGE, 0, 0},
	{"message", "global-headers", BODY_HEADERS, 0, 0},
	{"message", ".", BODY_TEXT, 0, 0},
	{"text", "rfc822-headers", BODY_HEADERS, 0, 0},
	{"text", "calendar", BODY_TEXT, MEDIA_FOLDED, 0}, {"text", "x-vcalendar", BODY_TEXT, MEDIA_FOLDED, 0},
	{"application", "ics", BODY_TEXT, MEDIA_FOLDED, 0},
	{"text", "vcard", BODY_TEXT, MEDIA_FOLDED, 0}, {"text", "x-vcard", BODY_TEXT, MEDIA_FOLDED, 0},
	{"text", "directory", BODY_TEXT, MEDIA_FOLDED, 0}, {"text", "csv", BODY_TEXT, MEDIA_CSV, 0},
	{"text", ".", BODY_TEXT, 0, 0},
	{"application", "xhtml+xml", BODY_HTML, 0, URLSIFT_OMITTED_UNSEARCHED}, {"application", "pgp", BODY_TEXT, 0, 0},
	{"application", "octet-stream", BODY_SKIPPED, MEDIA_ANY, 0},
	{"application", "x-unknown-content-type", BODY_SKIPPED, MEDIA_ANY, 0},
	{"image", "svg+xml", BODY_SKIPPED, 0, URLSIFT_OMITTED_UNSEARCHED},
	{"application", "gzip", SKIPPED(PACKED)}, {"application", "x-gzip", SKIPPED(PACKED)},
	{"application", "zip", SKIPPED(PACKED)}, {"application", "x-zip-compressed", SKIPPED(PACKED)},
	{"application", "x-bzip2", SKIPPED(PACKED)}, {"application", "x-xz", SKIPPED(PACKED)},
	{"application", "zstd", SKIPPED(PACKED)}, {"application", "x-compress", SKIPPED(PACKED)},
	{"application", "x-tar", SKIPPED(PACKED)},
	{"application", "pgp-encrypted", SKIPPED(ENCRYPTED)}, /* the first part of a multipart/encrypted (RFC 3156) */
	{"application", "pkcs7-mime", SKIPPED(ENCRYPTED)}, {"application", "x-pkcs7-mime", SKIPPED(ENCRYPTED)},
	{"application", "pdf", SKIPPED(DOCUMENT)}, {"application", "msword", SKIPPED(DOCUMENT)},
	{"application", "rtf", SKIPPED(DOCUMENT)}, {"application", "epub+zip", SKIPPED(DOCUMENT)},
	{"application", "vnd.ms-excel.", SKIPPED(DOCUMENT)}, {"application", "vnd.ms-powerpoint.", SKIPPED(DOCUMENT)},
	{"application", "vnd.ms-word.", SKIPPED(DOCUMENT)},
	{"application", "vnd.openxmlformats-officedocument.", SKIPPED(DOCUMENT)},
	{"application", "vnd.oasis.opendocument.", SKIPPED(DOCUMENT)},
	{".", ".", BODY_SKIPPED, 0, 0}
};

/* The types of files whose names end so. */
static const struct { const char *endings, *type, *subtype; } files[] = {
	{"htm html shtml", "text", "html"}, {"xht xhtml", "application", "xhtml+xml"}, {"svg", "image", "svg+xml"},
	{"gz tgz bz2 tbz xz txz zst lz lzma lz4 z zip tar cpio", "application", "gzip"}, /* packed, all of them */
	{"pdf doc docx docm dot dotx xls xlsx xlsm ppt pptx pptm ppsx odt ods odp odg rtf epub", "application", "pdf"},
	{"p7m pgp gpg", "application", "pkcs7-mime"},
	{"eml mht mhtml", "message", "rfc822"}, {"ics", "text", "calendar"}, {"vcf", "text", "vcard"},
	{"csv", "text", "csv"},
	{"txt text asc log md tsv diff patch xml css c h cc cpp cxx hpp java pl py tex bib", "text", "plain"}
};

static bool is_either(const char *row, const char *name)
{
	const size_t n = strlen(row);
	return !strcmp(row, name) || (row[n - 1] == '.' && !strncmp(row, name, n - 1));
}

static const struct media *media_of(const char *type, const char *subtype)
{
	const struct media *m = media;
	while (!is_either(m->type, type) || !is_either(m->subtype, subtype))
		m++;
	return m;
}

void content_set_type(struct content *e, const uint8_t *value, size_t n)
{
	content_type_read(value, n, &e->type);
	e->media = media_of(e->type.type, e->type.subtype);
}

const struct media *content_file_media(const char *name, size_t n)
{
	const uint8_t *p = (const uint8_t *)name;
	n = byte_span_back(p, 0, n, BYTE_STOP | BYTE_FWS); /* systems drop these */
	const size_t ending = byte_last(p, 0, n, '.');
	for (size_t i = 0; ending && i < sizeof files / sizeof *files; i++)
		if (ascii_is_among(p + ending, n - ending, files[i].endings))
			return media_of(files[i].type, files[i].subtype);
	return NULL;
}

void content_set_file(struct content *e, const char *name, size_t n)
{
	const struct media *m = e->media->is & MEDIA_ANY ? content_file_media(name, n) : NULL;
	if (!m || m->omits > URLSIFT_OMITTED_UNSEARCHED) /* the type of their rows stands for others */
		return;
	e->media = m;
	e->named = true;
	memcpy(e->type.type, m->type, strlen(m->type) + 1);
	memcpy(e->type.subtype, m->subtype, strlen(m->subtype) + 1);
}

void content_begin(struct content *e, const urlsift_scanner *scanner)
{
	e->scanner = scanner;
	e->language[0] = '\0';
	e->transfer = TRANSFER_IDENTITY;
	e->typed = e->retyped = e->encoded = e->named = e->base_cut = e->has_length = e->news = e->digest = false;
	e->base_length = 0;
	e->relative = false;
}

/* The first type holds. */
static void take_type(struct content *e, const struct field *f)
{
	if (e->typed)
		e->retyped |= content_kind_of(f->value, f->value_length) != e->media->kind;
	else
		content_set_type(e, f->value, f->value_length);
	e->typed = true;
}

static void take_nothing(struct content *e, const struct field *f)
{
	(void)e;
	(void)f;
}

static void take_encoding(struct content *e, const struct field *f)
{
	if (!e->encoded)
		e->transfer = transfer_named(f->value, f->value_length);
	e->encoded = true;
}

static void take_location(struct content *e, const struct field *f)
{
	if (!e->base_length)
		read_base(e, f);
	if (!e->base_length && !e->base_cut) {
		const size_t n = content_base_text(f, e->base);
		e->relative = within(n, 1, BASE_MAX) && !scheme_prefix((const uint8_t *)e->base, n);
		e->base_length = e->relative ? n : 0;
	}
}

static void take_length(struct content *e, const struct field *f)
{
	e->length = 0;
	const size_t n = number_read(f->value, 0, smaller(f->value_length, 18), 10, &e->length);
	e->has_length = n && n == f->value_length;
}

static void take_language(struct content *e, const struct field *f)
{
	if (!*e->language) {
		/* Two or three letters, and further subtags of up to eight letters or digits. */
		const size_t room = smaller(f->value_length, LANGUAGE_MAX - 1);
		size_t n = 0, least = 2, most = 3;
		for (unsigned letters = BYTE_ALPHA;; letters = BYTE_ALNUM) {
			const size_t begin = n;
			n = byte_span(f->value, begin, room, letters);
			if (!within(n - begin, least, most))
				return;
			if (n == room || f->value[n] != '-')
				break;
			n++;
			least = 1;
			most = 8;
		}
		if (n < f->value_length && !BYTE_IN(f->value[n], ", \t\r\n"))
			return;
		memcpy(e->language, f->value, n);
		e->language[n] = '\0';
	}
}

void content_take(struct content *e, const struct field *f, enum content_field content)
{
	static void (*const take[])(struct content *e, const struct field *f) = {
		[CONTENT_NONE] = take_nothing, [CONTENT_TYPE] = take_type, [CONTENT_ENCODING] = take_encoding,
		[CONTENT_BASE] = read_base, [CONTENT_LOCATION] = take_location, [CONTENT_LENGTH] = take_length,
		[CONTENT_LANGUAGE] = take_language
	};
	take[content](e, f);
}

void content_end(struct content *e, bool in_digest)
{
	static const char message[] = "message/rfc822";
	if (!e->typed)
		content_set_type(e, (const uint8_t *)message, in_digest ? sizeof message - 1 : 0);
}

bool content_is_digest(const struct content *e)
{
	return e->digest && e->media->is & MEDIA_PLAIN && e->transfer == TRANSFER_IDENTITY;
}

enum content_kind content_kind_of(const void *value, size_t n)
{
	struct content e = {.media = NULL};
	content_set_type(&e, value, n);
	return e.media->kind;
}
