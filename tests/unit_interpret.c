/* What a client would do with a URL: the fields of every scheme. */
#include "check.h"
#include "url/interpret.h"
#include "url/scheme.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Fields as text: `name=value`, a bar between ----------------------------- */

enum { ROOM = 4096 };
struct line {
	char text[ROOM];
	size_t length, fields, stop_at;
};

static void add(struct line *l, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n && l->length < ROOM - 5; i++) {
		unsigned char c = (unsigned char)bytes[i];
		if (c < ' ' || c == 0x7F)
			l->length += (size_t)snprintf(l->text + l->length, 5, "\\x%02X", c);
		else
			l->text[l->length++] = (char)c;
	}
	l->text[l->length] = '\0';
}

static int take(void *user, const urlsift_field *field)
{
	struct line *l = user;
	if (l->fields++ > 0)
		add(l, "|", 1);
	add(l, field->name, strlen(field->name));
	add(l, "=", 1);
	add(l, field->value, field->length);
	return l->fields == l->stop_at;
}

static urlsift_status interpret(urlsift_context *context, const char *text, size_t n, struct line *l)
{
	urlsift_url url;
	l->length = l->fields = 0;
	l->text[0] = '\0';
	urlsift_url_split(text, n, &url);
	return urlsift_url_interpret(context, &url, take, l);
}

static void check(urlsift_context *context, const char *text, const char *wanted)
{
	struct line l = { .stop_at = 0 };
	urlsift_status status = interpret(context, text, strlen(text), &l);
	check_at(status == URLSIFT_OK && !strcmp(l.text, wanted), __FILE__, __LINE__, text,
	         "\n\tgot    %s\n\twanted %s", l.text,
	         wanted);
}

/* ---- Cases --------------------------------------------------------------------- */

static const char *const cases[][2] = {
	/* RFC 1738 section 3.1: empty is not absent */
	{ "ftp://h", "user=anonymous|host=h|port=21" },
	{ "ftp://@h", "user=|host=h|port=21" },
	{ "ftp://foo@h", "user=foo|host=h|port=21" },
	{ "ftp://foo:@h", "user=foo|password=|host=h|port=21" },
	{ "ftp://f%3Ao:b%40r@h:0021", "user=f:o|password=b@r|host=h|port=0021" },
	{ "ftp://h:", "user=anonymous|host=h|port=21" },
	/* section 3.2.2 */
	{ "ftp://m@h/%2Fetc/motd", "user=m|host=h|port=21|cwd=/etc|retr=motd" },
	{ "ftp://m@h/etc/motd", "user=m|host=h|port=21|cwd=etc|retr=motd" },
	{ "ftp://m@h//etc/motd", "user=m|host=h|port=21|cwd=|cwd=etc|retr=motd" },
	{ "ftp://m@h/", "user=m|host=h|port=21|retr=" },
	{ "ftp://m@h/a/", "user=m|host=h|port=21|cwd=a|retr=" },
	{ "ftp://m@h/a/b;type=d", "user=m|host=h|port=21|cwd=a|type=d|nlst=b" },
	{ "ftp://m@h/a/b;type=D", "user=m|host=h|port=21|cwd=a|type=D|nlst=b" },
	{ "ftp://m@h/;type=d", "user=m|host=h|port=21|type=d|nlst=" },
	{ "ftp://m@h/b;type=i#f", "user=m|host=h|port=21|type=i|retr=b|fragment=f" },
	{ "ftp://m@h/b;type=x", "user=m|host=h|port=21|retr=b;type=x" },
	{ "ftp://m@h/b;type=", "user=m|host=h|port=21|retr=b;type=" },
	{ "ftp://m@h/b%3Btype=a", "user=m|host=h|port=21|retr=b;type=a" },
	{ "ftp://m@h/a;type=d/b", "user=m|host=h|port=21|cwd=a;type=d|retr=b" },
	{ "ftp://m@h/a?b/c", "user=m|host=h|port=21|cwd=a?b|retr=c" },
	{ "ftp://m@h/%00%zz%4", "user=m|host=h|port=21|retr=\\x00%zz%4" },
	{ "ftp:/a", "cwd=|retr=a" },
	{ "FTPS://h/a", "user=anonymous|host=h|port=990|retr=a" },
	/* section 3.3 */
	{ "http://h", "host=h|port=80|path=/" },
	{ "http://h?", "host=h|port=80|path=/|search=" },
	{ "http://h:8/a%20b?c%3Dd#e%2f", "host=h|port=8|path=/a b|search=c=d|fragment=e/" },
	{ "https://u:p@[2001:db8::1]/", "user=u|password=p|host=[2001:db8::1]|port=443|path=/" },
	{ "http:a", "path=a" },
	/* section 3.4, RFC 4266 */
	{ "gopher://h", "host=h|port=70|type=1|selector=|send=\\x0D\\x0A" },
	{ "gopher://h/", "host=h|port=70|type=1|selector=|send=\\x0D\\x0A" },
	{ "gopher://h/0", "host=h|port=70|type=0|selector=|send=\\x0D\\x0A" },
	{ "gopher://h/00/a", "host=h|port=70|type=0|selector=0/a|send=0/a\\x0D\\x0A" },
	{ "gopher://h/7/s%09two%20words",
	  "host=h|port=70|type=7|selector=/s|search=two words|send=/s\\x09two words\\x0D\\x0A" },
	{ "gopher://h/7/s%09", "host=h|port=70|type=7|selector=/s|search=|send=/s\\x09\\x0D\\x0A" },
	{ "gopher://h/0/s%09%09+", "host=h|port=70|type=0|selector=/s|search=|gopher+=+|send=/s\\x09\\x09+\\x0D\\x0A" },
	{ "gopher://h/0/s%09w%09?", "host=h|port=70|type=0|selector=/s|search=w|gopher+=?|send=/s\\x09w\\x09?\\x0D\\x0A" },
	{ "gopher://h/0/s%09%09!", "host=h|port=70|type=0|selector=/s|search=|gopher+=!|send=/s\\x09\\x09!\\x0D\\x0A" },
	{ "gopher://h/0/s%09%09!+ABSTRACT%20+SMELL",
	  "host=h|port=70|type=0|selector=/s|search=|gopher+=!+ABSTRACT +SMELL|attribute=+ABSTRACT|attribute=+SMELL|"
	  "send=/s\\x09\\x09!+ABSTRACT +SMELL\\x0D\\x0A" },
	{ "gopher://h/0/s%09%09$+V",
	  "host=h|port=70|type=0|selector=/s|search=|gopher+=$+V|attribute=+V|send=/s\\x09\\x09$+V\\x0D\\x0A" },
	{ "gopher://h/0/s%09%09+text/plain%20En_US",
	  "host=h|port=70|type=0|selector=/s|search=|gopher+=+text/plain En_US|view=text/plain|language=En_US|"
	  "send=/s\\x09\\x09+text/plain En_US\\x0D\\x0A" },
	{ "gopher://h/0/s%09%09+%091%0D%0A+-1%0D%0Aa%0D%0Ab%20c%0D%0A.%0D%0A",
	  "host=h|port=70|type=0|selector=/s|search=|gopher+=+\\x091\\x0D\\x0A+-1\\x0D\\x0Aa\\x0D\\x0Ab c\\x0D\\x0A."
	  "\\x0D\\x0A|"
	  "answer=a|answer=b c|send=/s\\x09+\\x091\\x0D\\x0A+-1\\x0D\\x0Aa\\x0D\\x0Ab c\\x0D\\x0A.\\x0D\\x0A" },
	{ "gopher://h/7/s%09w%09+%091%0D%0A+-1%0D%0A.%0D%0A",
	  "host=h|port=70|type=7|selector=/s|search=w|gopher+=+\\x091\\x0D\\x0A+-1\\x0D\\x0A.\\x0D\\x0A|"
	  "send=/s\\x09w\\x09+\\x091\\x0D\\x0A+-1\\x0D\\x0A.\\x0D\\x0A" },
	{ "gopher://h/0/s%09%09", "host=h|port=70|type=0|selector=/s|search=|gopher+=|send=/s\\x09\\x09\\x0D\\x0A" },
	{ "gopher://h/%30x", "host=h|port=70|type=0|selector=x|send=x\\x0D\\x0A" },
	{ "gopher://h/%", "host=h|port=70|type=%|selector=|send=\\x0D\\x0A" },
	{ "gopher://h/0a?b%23#c", "host=h|port=70|type=0|selector=a?b#|send=a?b#\\x0D\\x0A|fragment=c" },
	/* section 3.5, RFC 6068 */
	{ "mailto:a%25b@h", "to=a%b@h" },
	{ "mailto:a@h,b%2Cc@h", "to=a@h|to=b,c@h" },
	{ "mailto:", "" },
	{ "mailto:?TO=a@h,b@h&cc=c@h&Bcc=d@h", "to=a@h|to=b@h|cc=c@h|bcc=d@h" },
	{ "mailto:a@h?Subject=a%26b&body=1%0D%0A2&X-A=b", "to=a@h|subject=a&b|body=1\\x0D\\x0A2|header=X-A: b" },
	{ "mailto:a@h?subject%00.fre=y", "to=a@h|header=subject\\x00.fre: y" },
	{ "mailto:a@h?&s%75bject=x&y&=z", "to=a@h|subject=x|header=y:|header=: z" },
	{ "mailserver:a@h", "to=a@h" },
	/* section 3.6 and 3.7, RFC 5538 */
	{ "news:*", "groups=*" },
	{ "news:a.b", "group=a.b" },
	{ "news:a.*", "groups=a.*" },
	{ "news:a%3F", "groups=a?" },
	{ "news:1%2F@h", "message-id=1/@h" },
	{ "news:1%40h", "message-id=1@h" },
	{ "news:", "group=" },
	{ "news://h", "host=h|port=119|groups=*" },
	{ "news://h:1/", "host=h|port=1|groups=*" },
	{ "snews://h/a", "host=h|port=563|group=a" },
	{ "nntp://h/a.b/12", "host=h|port=119|group=a.b|article=12" },
	{ "nntp://h/a.b/", "host=h|port=119|group=a.b|article=" },
	{ "nntp://h/a%2Fb", "host=h|port=119|group=a/b" },
	{ "nntp://h", "host=h|port=119" },
	/* section 3.8 */
	{ "telnet://u:p@h/", "user=u|password=p|host=h|port=23" },
	{ "telnet://h:24", "host=h|port=24" },
	{ "rlogin://u@h", "user=u|host=h|port=513" },
	{ "tn3270://h", "host=h|port=23" },
	/* section 3.9 */
	{ "wais://h/d", "host=h|port=210|database=d" },
	{ "wais://h/d%2F?a%20b", "host=h|port=210|database=d/|search=a b" },
	{ "wais://h/d?", "host=h|port=210|database=d|search=" },
	{ "wais://h/d/t/i%2Fj", "host=h|port=210|database=d|document-type=t|document-id=i/j" },
	{ "wais://h/d/t/i/j", "host=h|port=210|database=d|document-type=t|document-id=i/j" },
	{ "wais://h", "host=h|port=210" },
	{ "z39.50r://h/a+b?c%2B;esn=F", "host=h|port=210|database=a|database=b|document-id=c+|parameter=esn=F" },
	/* section 3.10, RFC 8089 */
	{ "file:///a/b%2Fc", "host=|segment=a|segment=b/c" },
	{ "file://localhost/a?b", "host=localhost|segment=a?b" },
	{ "file:/a//b", "segment=a|segment=|segment=b" },
	{ "file:///", "host=|segment=" },
	{ "file://h", "host=h" },
	{ "file:a", "segment=a" },
	/* section 3.11 */
	{ "prospero://h//p/n", "host=h|port=1525|hsoname=/p/n" },
	{ "prospero://h/p%3B;V=3;N=a%3Bb", "host=h|port=1525|hsoname=p;|field=V=3|field=N=a;b" },
	/* RFC 2392 */
	{ "mid:a%2F@b/c@d", "message-id=a/@b|content-id=c@d" },
	{ "mid:a@b", "message-id=a@b" },
	{ "cid:a%25b/c@d", "content-id=a%b/c@d" },
	/* names */
	{ "urn:ISBN:0%34", "nid=ISBN|nss=04" },
	{ "urn:a:b:c?+r?x?=q?=#f", "nid=a|nss=b:c|r-component=r?x|q-component=q?=|fragment=f" },
	{ "urn:a:b?c", "nid=a|nss=b|search=c" },
	{ "urn:a:b?+", "nid=a|nss=b|r-component=" },
	{ "doi:10.1/a/b", "prefix=10.1|suffix=a/b" },
	{ "tel:+1-2;ext=3;isub=4", "number=+1-2|parameter=ext=3|parameter=isub=4" },
	{ "sms:+1,+2?body=a%20b", "number=+1|number=+2|parameter=body=a b" },
	{ "geo:1,-2,3;u=4", "latitude=1|longitude=-2|altitude=3|parameter=u=4" },
	{ "geo:1", "latitude=1" },
	{ "magnet:?a=b&c=%26", "parameter=a=b|parameter=c=&" },
	{ "bitcoin:aB1?amount=2", "address=aB1|parameter=amount=2" },
	{ "data:a/b;c=d;base64,e%20f?g", "media-type=a/b|parameter=c=d|parameter=base64|data=e f?g" },
	{ "data:,", "media-type=text/plain|data=" },
	{ "data:x", "media-type=x" },
	{ "javascript:a%28?b", "content=a(?b" },
	{ "ms-x:y", "content=y" },
	/* talk */
	{ "sip:u:p@h:1;a=b;c?d=e&f", "user=u|password=p|host=h|port=1|parameter=a=b|parameter=c|header=d=e|header=f" },
	{ "sip:[::1]:2", "host=[::1]|port=2" },
	{ "sip:[::1", "host=[::1|port=5060" },
	{ "sips:h", "host=h|port=5061" },
	{ "sip:", "" },
	{ "xmpp:u@h/r%20?m;a=b;c=d", "address=u@h|resource=r |action=m|parameter=a=b|parameter=c=d" },
	{ "xmpp://g@h/u@h", "account=g@h|address=u@h" },
	{ "irc://h/c%23,isnick", "host=h|port=194|target=c#|parameter=isnick" },
	{ "ircs://h/#c", "host=h|port=6697|fragment=c" },
	{ "imap://u;AUTH=*@h/a%2Fb;UIDVALIDITY=1/;UID=2/;SECTION=3/",
	  "user=u|parameter=AUTH=*|host=h|port=143|mailbox=a/b|parameter=UIDVALIDITY=1|parameter=UID=2|"
	  "parameter=SECTION=3/" },
	{ "pop://u;AUTH=+APOP:p@h", "user=u|parameter=AUTH=+APOP|password=p|host=h|port=110" },
	{ "ldap://h/a%2C=b?c,d?sub?(e=*)?x,y=z",
	  "host=h|port=389|dn=a,=b|attribute=c|attribute=d|scope=sub|filter=(e=*)|extension=x|extension=y=z" },
	{ "ldap:///", "host=|port=389|dn=" },
	/* all others */
	{ "x://u@h/a%20?b#c", "user=u|host=h|path=/a |search=b|fragment=c" },
	{ "x://h:", "host=h" },
	{ "x:", "" },
	{ "tag:a", "path=a" },
	{ "sftp://h/a?b", "host=h|port=22|path=/a?b" },
	{ "a/b", "path=a/b" },
	{ "#", "fragment=" },
	{ "", "" },
};

/* ---- Every row, any bytes ---------------------------------------------------------- */

/* Every row has an interpreter and a few words on what it is for. */
static void test_rows(urlsift_context *context)
{
	for (size_t i = 0; scheme_row(i); i++) {
		const struct scheme *row = scheme_row(i);
		char text[128];
		struct line l = { .stop_at = 0 };
		CHECK(row->interpret && row->purpose && strlen(row->purpose) > 5 && strlen(row->purpose) < 60);
		int n = snprintf(text, sizeof text, "%s://h.example/a?b#c", row->name);
		CHECK(interpret(context, text, (size_t)n, &l) == URLSIFT_OK && l.fields > 1);
		n = snprintf(text, sizeof text, "%s:", row->name);
		CHECK(interpret(context, text, (size_t)n, &l) == URLSIFT_OK);
	}
}

static uint64_t seed = 0x9E3779B97F4A7C15;

static uint32_t random_below(uint32_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 32) % n;
}

struct bound {
	size_t bytes, fields, length;
};

/* No value is longer than its URL and what a gopher client adds. */
static int weigh(void *user, const urlsift_field *field)
{
	struct bound *b = user;
	b->fields++;
	b->bytes += field->length;
	if (field->length > b->length + 16 || !field->name[0] || (field->length && !field->value))
		b->fields = SIZE_MAX / 2;
	return 0;
}

static void test_random(urlsift_context *context, size_t rounds)
{
	static const char alphabet[] = "%%%::://///??##[]@@;;;,,==&&+!$.*-aAdDiI01 \x00\x09\r\n\xC3\xA9\xFF";
	static const char *const pieces[] = {
		"%09", "%0D%0A", ";type=", "%2F", "+%091%0D%0A+-1%0D%0A", "//", "?+", "?=", "%40", "/;UID="
	};
	size_t rows = 0;
	while (scheme_row(rows))
		rows++;
	printf("seed %llx, %zu rounds\n", (unsigned long long)seed, rounds);
	for (size_t round = 0; round < rounds; round++) {
		char text[160];
		size_t n = (size_t)snprintf(text, sizeof text, "%s:", scheme_row(random_below((uint32_t)rows))->name);
		if (random_below(2))
			n += (size_t)snprintf(text + n, sizeof text - n, "//");
		for (uint32_t count = random_below(30); count && n < sizeof text - 30; count--) {
			if (random_below(4) == 0)
				n += (size_t)snprintf(text + n, sizeof text - n, "%s",
					pieces[random_below(sizeof pieces / sizeof *pieces)]);
			else
				text[n++] = alphabet[random_below(sizeof alphabet - 1)];
		}
		char *exact = malloc(n ? n : 1); /* so that a sanitizer sees a read past the end */
		if (!exact)
			abort();
		memcpy(exact, text, n);
		urlsift_url url;
		urlsift_url_split(exact, n, &url);
		struct bound b = { 0, 0, n };
		CHECK(urlsift_url_interpret(context, &url, weigh, &b) == URLSIFT_OK);
		CHECK(b.fields <= n + 4 && b.bytes <= 3 * n + 64);
		free(exact);
	}
}

/* Long texts: worse than linear would not come to an end. */
static void test_long(urlsift_context *context)
{
	static const char *const units[] = { "/", "%09", ";", ",", "&", "=", "%", "%2F", "a", "@", ":", "?", "%20", "+",
		"%0D%0A", ";type=" };
	static const char *const heads[] = {
		"ftp://h/", "gopher://h/0", "gopher://h/0a%09%09!", "gopher://h/0a%09%09+%091%0D%0A+-1%0D%0A", "mailto:",
		"mailto:?",
		"news:", "nntp://h/", "wais://h/", "prospero://h/", "z39.50s://h/", "file:///", "urn:a:?+", "tel:", "geo:",
		"sip:",
		"xmpp:", "imap://h/", "ldap://h/?", "irc://h/", "data:", "http://h/", "x:",
	};
	const size_t size = run_is_fast() ? 1 << 14 : 1 << 18;
	char *text = malloc(size + 64);
	if (!text)
		abort();
	for (size_t h = 0; h < sizeof heads / sizeof *heads; h++)
		for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
			size_t n = strlen(heads[h]), unit = strlen(units[u]);
			memcpy(text, heads[h], n);
			for (size_t i = 0; n < size; i++)
				text[n++] = units[u][i % unit];
			urlsift_url url;
			urlsift_url_split(text, n, &url);
			struct bound b = { 0, 0, n };
			CHECK(urlsift_url_interpret(context, &url, weigh, &b) == URLSIFT_OK && b.fields <= n + 4);
		}
	free(text);
}

/* ---- Stopping, no memory -------------------------------------------------------------- */

static void test_stop(urlsift_context *context, const char *text)
{
	struct line all = { .stop_at = 0 };
	interpret(context, text, strlen(text), &all);
	for (size_t i = 1; i <= all.fields; i++) {
		struct line some = { .stop_at = i };
		CHECK(interpret(context, text, strlen(text), &some) == URLSIFT_STOPPED);
		CHECK(some.fields == i && !memcmp(some.text, all.text, some.length));
	}
}

/* Each allocation fails once; nothing is kept, and what was called is right. */
static void test_memory(const char *text)
{
	struct counting counts = { 0 };
	const urlsift_allocator alloc = counting_allocator(&counts);
	urlsift_url url;
	struct line all = { .stop_at = 0 };
	urlsift_url_split(text, strlen(text), &url);
	CHECK(interpret_url(&alloc, &url, take, &all) == URLSIFT_OK && counts.blocks == 0);
	CHECK(counts.calls <= 1 && counts.largest <= strlen(text) + 16);
	for (size_t count = counts.calls, i = 1; i <= count; i++) {
		struct line some = { .stop_at = 0 };
		counts = (struct counting){ .fail_at = i };
		CHECK(interpret_url(&alloc, &url, take, &some) == URLSIFT_NO_MEMORY);
		CHECK(counts.blocks == 0 && !memcmp(some.text, all.text, some.length));
	}
}

int main(void)
{
	urlsift_context *context = urlsift_context_new(NULL);
	if (!context)
		abort();
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		check(context, cases[i][0], cases[i][1]);
		test_stop(context, cases[i][0]);
		test_memory(cases[i][0]);
	}
	test_rows(context);
	test_random(context, run_rounds(200000));
	test_long(context);
	urlsift_context_free(context);
	return check_end();
}
