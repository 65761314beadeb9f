/* Misuse of the library (urlsift.h): a status where it can be seen, never a crash. */
#include "check.h"
#include "urlsift-render.h"

#include <string.h>

static const char text[] = "see http://a.example/ and http://b.example/";

/* ---- NULL ---- */

static int no_piece(void *user, const urlsift_piece *piece) { return !user && !piece; }
static int no_mail_piece(void *user, const urlsift_place *place, const urlsift_piece *piece)
{
	return !user && !place && !piece;
}
static int no_write(void *user, const void *bytes, size_t length) { return !user && !bytes && !length; }

static void test_scanner_null(urlsift_context *c)
{
	const urlsift_sink good = { no_piece, NULL, c }, bad = { NULL, NULL, NULL };
	urlsift_found *found;
	CHECK(!urlsift_new(NULL, NULL, &good, NULL) && !urlsift_new(c, NULL, NULL, NULL));
	CHECK(!urlsift_new(c, NULL, &bad, NULL));
	CHECK(urlsift_feed(NULL, text, 1) == URLSIFT_BAD_ARGUMENT && urlsift_finish(NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_flush(NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_scan(NULL, NULL, &good, text, 1) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_scan(c, NULL, NULL, text, 1) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_scan(c, NULL, &bad, text, 1) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_scan(c, NULL, &good, NULL, 1) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_scan(c, NULL, &good, NULL, 0) == URLSIFT_OK);
	CHECK(urlsift_find(c, NULL, text, 1, NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_find(c, NULL, NULL, 1, &found) == URLSIFT_BAD_ARGUMENT && !found);
	urlsift_reset(NULL);
	urlsift_free(NULL);
}

static void test_options_null(void)
{
	long n;
	CHECK(urlsift_options_set(NULL, URLSIFT_OPT_EMAIL, 1) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_options_get(NULL, URLSIFT_OPT_EMAIL) == 0);
	CHECK(urlsift_options_set_base(NULL, text, 1) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_options_set_charset(NULL, "utf-8") == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_option_range(URLSIFT_OPT_EMAIL, &n, &n, NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(!urlsift_context_new(&(urlsift_allocator){ .context = NULL }));
	CHECK(!urlsift_options_new(&(urlsift_allocator){ .context = NULL }));
}

static void test_rules_null(void)
{
	urlsift_link_rules *rules;
	urlsift_rule_fault fault;
	CHECK(urlsift_link_rules_new(NULL, NULL, 0, &rules, &fault) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_link_rules_new(NULL, text, 1, NULL, &fault) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_link_rules_new(NULL, text, 1, &rules, NULL) == URLSIFT_BAD_ARGUMENT);
	urlsift_options_set_link_rules(NULL, NULL);
}

static void test_url_null(urlsift_context *c)
{
	urlsift_url url;
	urlsift_url_split(text, 0, &url);
	CHECK(urlsift_url_check(NULL, &url, URLSIFT_RFC3986, NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_url_check(c, NULL, URLSIFT_RFC3986, NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_url_interpret(c, &url, NULL, NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_url_interpret(c, NULL, NULL, NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(!urlsift_url_resolve(&url, NULL, URLSIFT_RESOLVE_RFC3986, NULL, 0));
	CHECK(!urlsift_url_resolve(NULL, &url, URLSIFT_RESOLVE_RFC1630, NULL, 0));
	urlsift_url_split(NULL, 3, &url);
	CHECK(url.length == 0 && !url.scheme.present);
}

static void test_mail_null(urlsift_context *c)
{
	const urlsift_mail_options o = { .kind = URLSIFT_KIND_MESSAGE };
	const urlsift_mail_sink good = { .piece = no_mail_piece, .user = c }, bad = { .user = c };
	CHECK(!urlsift_mail_new(NULL, NULL, &o, &good, NULL) && !urlsift_mail_new(c, NULL, NULL, &good, NULL));
	CHECK(!urlsift_mail_new(c, NULL, &o, NULL, NULL) && !urlsift_mail_new(c, NULL, &o, &bad, NULL));
	CHECK(urlsift_mail_feed(NULL, text, 1) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_mail_finish(NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_mail_flush(NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_mail_reset(NULL, &o) == URLSIFT_BAD_ARGUMENT);
	urlsift_mail *m = urlsift_mail_new(c, NULL, &o, &good, NULL);
	CHECK(urlsift_mail_feed(m, NULL, 1) == URLSIFT_BAD_ARGUMENT && urlsift_mail_reset(m, NULL) == URLSIFT_BAD_ARGUMENT);
	urlsift_mail_free(m);
	urlsift_mail_free(NULL);
	CHECK(!urlsift_mail_stopped_at(NULL));
	CHECK(urlsift_mail_detect(NULL, 0, 1) == URLSIFT_KIND_TEXT);
}

static void test_renderer_null(urlsift_context *c)
{
	const urlsift_render_options o = { .format = "json" };
	CHECK(!urlsift_render_new(NULL, &o, no_write, NULL, NULL) && !urlsift_render_new(c, NULL, no_write, NULL, NULL));
	CHECK(!urlsift_render_new(c, &o, NULL, NULL, NULL));
	CHECK(urlsift_render_url(NULL, text, 1) == URLSIFT_BAD_ARGUMENT);
	urlsift_render_free(NULL);
}

static void test_event_null(urlsift_context *c)
{
	const urlsift_message message = { .offset = 0 };
	const urlsift_place place = { .part = "" };
	const urlsift_piece piece = { .offset = 0 };
	const urlsift_notice notice = { "parts", 1, 0 };
	const urlsift_totals totals = { .files = 0 };
	urlsift_renderer *r = urlsift_render_new(c, &(urlsift_render_options){ .format = "html" }, no_write, NULL, NULL);
	CHECK(urlsift_render_source(NULL, "a", NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_source(r, NULL, NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_message(NULL, &message) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_message(r, NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_place(NULL, &place) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_place(r, NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_piece(NULL, NULL, &piece, 0) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_piece(r, NULL, NULL, 0) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_error(NULL, NULL, text) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_error(r, NULL, NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_notice(NULL, NULL, &notice) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_notice(r, NULL, NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_summary(NULL, &totals) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_summary(r, NULL) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_append(NULL, text, 1) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_append(r, NULL, 1) == URLSIFT_BAD_ARGUMENT);
	CHECK(urlsift_render_source_end(NULL, 0) == URLSIFT_BAD_ARGUMENT && !urlsift_render_needs(NULL));
	CHECK(urlsift_render_end(NULL) == URLSIFT_BAD_ARGUMENT && urlsift_render_flush(NULL) == URLSIFT_BAD_ARGUMENT);
	urlsift_render_free(r);
}

/* ---- Calls from a callback ---- */

struct inside {
	urlsift_scanner *scanner;
	urlsift_mail *mail;
	size_t links;
	bool refused;
};

static int misuse_scanner(void *user, const urlsift_piece *piece)
{
	struct inside *i = user;
	i->links += piece->link != NULL;
	i->refused = i->refused && urlsift_feed(i->scanner, text, sizeof text - 1) == URLSIFT_BAD_STATE &&
	             urlsift_flush(i->scanner) == URLSIFT_BAD_STATE && urlsift_finish(i->scanner) == URLSIFT_BAD_STATE;
	urlsift_reset(i->scanner);
	urlsift_free(i->scanner);
	return 0;
}

static int misuse_mail(void *user, const urlsift_place *place, const urlsift_piece *piece)
{
	const urlsift_mail_options o = { .kind = URLSIFT_KIND_MESSAGE };
	struct inside *i = user;
	(void)place;
	i->links += piece->link != NULL;
	i->refused = i->refused && urlsift_mail_feed(i->mail, text, sizeof text - 1) == URLSIFT_BAD_STATE &&
	             urlsift_mail_finish(i->mail) == URLSIFT_BAD_STATE &&
	             urlsift_mail_reset(i->mail, &o) == URLSIFT_BAD_STATE;
	urlsift_mail_free(i->mail);
	return 0;
}

static void test_inside(urlsift_context *c)
{
	struct inside i = { .refused = true };
	const urlsift_mail_options o = { .kind = URLSIFT_KIND_MESSAGE };
	i.scanner = urlsift_new(c, NULL, &(urlsift_sink){ misuse_scanner, NULL, &i }, NULL);
	CHECK(urlsift_feed(i.scanner, text, sizeof text - 1) == URLSIFT_OK && urlsift_finish(i.scanner) == URLSIFT_OK);
	CHECK(i.links == 2 && i.refused);
	CHECK(urlsift_feed(i.scanner, text, 1) == URLSIFT_BAD_STATE);
	urlsift_free(i.scanner);
	i.mail = urlsift_mail_new(c, NULL, &o, &(urlsift_mail_sink){ .piece = misuse_mail, .user = &i }, NULL);
	CHECK(urlsift_mail_feed(i.mail, "Subject: a\n\n", 12) == URLSIFT_OK);
	CHECK(urlsift_mail_feed(i.mail, text, sizeof text - 1) == URLSIFT_OK && urlsift_mail_finish(i.mail) == URLSIFT_OK);
	CHECK(i.links == 4 && i.refused);
	urlsift_mail_free(i.mail);
}

/* ---- What comes in the wrong order, or is out of range ---- */

static void test_states(urlsift_context *c)
{
	urlsift_scanner *s = urlsift_new(c, NULL, &(urlsift_sink){ no_piece, NULL, c }, NULL);
	CHECK_THAT(urlsift_finish(s) == URLSIFT_OK, "an empty input");
	CHECK_THAT(urlsift_feed(s, "x", 1) == URLSIFT_BAD_STATE, "fed after the end");
	CHECK_THAT(urlsift_finish(s) == URLSIFT_BAD_STATE, "finished twice");
	urlsift_free(s);
	urlsift_options *o = urlsift_options_new(NULL);
	CHECK_THAT(urlsift_options_set(o, URLSIFT_OPT_MAX_BREAKS, 17) == URLSIFT_BAD_ARGUMENT, "an option out of range");
	CHECK_THAT(urlsift_options_set(o, (urlsift_option)99, 0) == URLSIFT_BAD_ARGUMENT, "an unknown option");
	CHECK_THAT(urlsift_options_set_charset(o, "no-such") == URLSIFT_BAD_CHARSET, "an unknown charset");
	CHECK_THAT(urlsift_options_set_charset(o, "") == URLSIFT_BAD_CHARSET, "an empty charset");
	CHECK_THAT(urlsift_options_set_charset(o, NULL) == URLSIFT_OK, "no charset");
	urlsift_options_free(o);
	struct counting hooks = { 0 };
	const urlsift_allocator allocator = counting_allocator(&hooks);
	o = urlsift_options_new(&allocator);
	CHECK_THAT(urlsift_options_set_charset(o, "utf-16") == URLSIFT_OK, "a charset");
	hooks.fail_at = hooks.calls + 1;
	hooks.lasting = true;
	CHECK_THAT(urlsift_options_set_charset(o, "utf-8") == URLSIFT_NO_MEMORY, "another without memory");
	CHECK_THAT(urlsift_options_set_base(o, "http://a.example/", 17) == URLSIFT_NO_MEMORY, "a base without memory");
	CHECK_THAT(urlsift_options_set_charset(o, NULL) == URLSIFT_OK, "none, which takes no memory");
	CHECK_THAT(urlsift_options_set_base(o, NULL, 0) == URLSIFT_OK, "no base, likewise");
	urlsift_options_free(o);
}

int main(void)
{
	urlsift_context *c = urlsift_context_new(NULL);
	test_scanner_null(c);
	test_rules_null();
	test_options_null();
	test_url_null(c);
	test_mail_null(c);
	test_renderer_null(c);
	test_event_null(c);
	test_inside(c);
	test_states(c);
	urlsift_context_free(c);
	return check_end();
}
