/* What the functions of src/url and src/mail for single texts answer: of every word of the URLs of testdata, and from
 * every line of its mail on, as they are and with bytes changed.  Most are asked only where another one let a text
 * through, so that much of what they say changes no output.  testdata/answers.digests has a line for each file.
 *
 * usage: unit_answers [--write | --show FILE] */
#include "look.h"
#include "mail/header.h"
#include "mail/html/html.h"
#include "mail/mailbox.h"
#include "mail/word.h"
#include "text/charset.h"
#include "url/grammar.h"
#include "url/tracking.h"
#include "url/url.h"

enum { CHANGES = 100, OUT = 4096 };

struct answers { struct look look; bool mail; };

static void say_bytes(struct look *said, const void *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		look_say(said, ((const uint8_t *)p)[i]);
	look_say(said, n);
}

static void say_host(struct look *said, const uint8_t *host, size_t n)
{
	uint32_t address = 0, label[IDNA_LABEL_MAX];
	uint8_t bytes[IDNA_HOST_MAX] = {0};
	size_t count = 0, length = 0;
	uint64_t port = 0;
	const enum host_number number = usable_number(host, n, &address);
	const bool is_label = idna_decode_label(host, n, label, &count), decoded = idna_decode_host(host, n, bytes, &length);
	const uint64_t facts[] = { number, number == HOST_ADDRESS ? address : 0, usable_domain(host, n), usable_ipv6(host, n, bytes),
		usable_port(host, n, &port), port, lookalike_host(host, n), tld_known(host, n), decoded ? length : 0,
		is_label ? count : 99, owner_begin(host, n) };
	look_all(said, facts, sizeof facts / sizeof *facts);
	const char *owner = owner_of_short(host, n);
	say_bytes(said, owner, owner ? strlen(owner) : 0);
}

static void say_url(struct answers *a, const uint8_t *text, size_t n)
{
	static char out[OUT];
	static uint8_t decoded[LOOK_ROOM];
	struct look *said = &a->look;
	urlsift_url url, base;
	urlsift_url_split((const char *)text, n, &url);
	urlsift_url_split("http://a.example/b/c?d", 22, &base);
	for (const urlsift_component *c = &url.scheme; c <= &url.fragment; c++) {
		look_say(said, c->offset);
		look_say(said, 2 * c->length + (unsigned)c->present);
	}
	for (int which = URLSIFT_RFC1738; which < GRAMMARS; which++) {
		urlsift_fault fault = {0};
		const bool quick = grammar_quick(&url, (urlsift_grammar)which, &fault);
		look_say(said, quick + 2u * !!fault.rule);
	}
	if (url.host.present)
		say_host(said, text + url.host.offset, url.host.length);
	for (size_t at = 0, name = 0; tracking_next((const char *)text, n, &at, &name); at += name)
		look_say(said, at + name);
	size_t used;
	say_bytes(said, out, tracking_remove((const char *)text, n, out));
	used = target_write("", text, n, out, sizeof out);
	say_bytes(said, out, used < sizeof out ? used : sizeof out);
	used = normal_write("http://", text, n, out, sizeof out);
	say_bytes(said, out, used < sizeof out ? used : sizeof out);
	used = resolve_rfc3986(&base, &url, 0, out, sizeof out);
	say_bytes(said, out, used < sizeof out ? used : sizeof out);
	used = resolve_rfc1630(&base, &url, out, sizeof out);
	say_bytes(said, out, used < sizeof out ? used : sizeof out);
	say_bytes(said, decoded, url_decode(decoded, text, n));
	say_bytes(said, decoded, url_decode_base64(decoded, text, n, '=', &used));
	const char *gateway = unwrap_end(text, n);
	const uint64_t facts[] = { warn_url(&url, 0), used, gateway ? strlen(gateway) : 0 };
	look_all(said, facts, sizeof facts / sizeof *facts);
}

/* What begins with a line of mail. */
static void say_line(struct answers *a, const uint8_t *p, size_t line, size_t rest)
{
	static struct content_type type;
	uint8_t name[64];
	struct look *said = &a->look;
	struct header_name field = {0};
	const enum header_line kind = header_line_read(p, line, &field);
	const size_t value = kind == HEADER_FIELD ? field.colon + 1 : 0, n = line - value;
	size_t from = 0, to = 0;
	header_identifier(p + value, n, &from, &to);
	content_type_read(p + value, n, &type);
	char charset[HTML_CHARSET_SIZE];
	html_charset(p, rest < HTML_META_BYTES ? rest : HTML_META_BYTES, charset);
	const size_t named = strlen(charset);
	const uint64_t facts[] = { kind, kind == HEADER_FIELD ? field.length : 0, value, from, to, type.boundary_length, type.flowed,
		type.delsp, type.url_length, mailbox_from_at(p, rest), (uint64_t)date_read(p + value, n), word_any(p + value, n),
		transfer_named(p + value, n), named, bytes_hash(0, (const uint8_t *)charset, named), mailbox_find(p, 0, rest, true),
		(uint64_t)(header_after_comment(p, p + line) - p), content_name_read(p + value, n, true, name, sizeof name),
		content_name_read(p + value, n, false, name, sizeof name) };
	look_all(said, facts, sizeof facts / sizeof *facts);
	say_bytes(said, type.type, strlen(type.type));
	say_bytes(said, type.subtype, strlen(type.subtype));
	say_bytes(said, type.charset, strlen(type.charset));
	look_say(said, urlsift_mail_detect(p, rest, 0));
}

static void say_text(struct answers *a, const uint8_t *text, size_t n)
{
	for (size_t i = 0, end; i < n; i = end + 1) {
		for (end = i; end < n && (a->mail ? text[end] != '\n' : text[end] > ' '); end++)
			;
		if (a->mail)
			say_line(a, text + i, end - i + (end < n), n - i);
		else if (end > i)
			say_url(a, text + i, end - i);
	}
}

static void say_paragraph(void *answers, const uint8_t *text, size_t n)
{
	uint8_t changed[LOOK_ROOM];
	uint8_t *const exact = malloc(n + 1); /* what reads on is noticed */
	memcpy(exact, text, n);
	say_text(answers, exact, n);
	free(exact);
	for (size_t i = 0; i < CHANGES && n; i++)
		say_text(answers, changed, look_change(text, n, i, changed));
	look_show(&((struct answers *)answers)->look, text, n);
}

/* Mail in pieces, as text is in paragraphs. */
static void say_mail(void *answers, const uint8_t *data, size_t n)
{
	enum { MOST = 4000 };
	for (size_t i = 0; i < n && i < MOST; i += LOOK_LONGEST)
		say_paragraph(answers, data + i, n - i < LOOK_LONGEST ? n - i : LOOK_LONGEST);
}

int main(int argc, char **argv)
{
	static const char *const urls[] = { "explain/*.txt", "warnings/*.txt", "schemes/*.txt", "unwrap.txt", "cases-domains/*.txt", NULL },
		*const mail[] = { "mail/*.eml", "mail/*.mbox", NULL };
	static struct answers a;
	const bool is_mail = argc == 3 && strstr(argv[2], "/mail/");
	if (!is_mail)
		look_files(argc, argv, "testdata/answers.digests", urls, &a.look, say_paragraph, &a);
	a.mail = true;
	if (argc < 3 || is_mail)
		look_files(argc, argv, "testdata/answers-mail.digests", mail, &a.look, say_mail, &a);
	return check_end();
}
