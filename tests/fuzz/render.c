/* Fuzzes the renderers.  The first byte chooses the kind of input and the format, the second the options.
 *
 * Checked: HTML parsed again has the allowed elements and attributes only, well nested, and its text is that of the
 * pieces; JSON is one valid object a line; lists hold no control characters.  All is valid UTF-8. */
#include "fuzz.h"

#include "construct/output.h"

static struct bytes output, wanted, shown;

static int take_output(void *user, const void *bytes, size_t n)
{
	(void)user;
	bytes_add(&output, bytes, n);
	return 0;
}

static bool wanted_after_cr;

static int take_piece(void *user, const urlsift_piece *piece)
{
	output_show(&wanted, piece->text, piece->text_length, &wanted_after_cr);
	return urlsift_render_piece(user, NULL, piece, 1) != URLSIFT_OK;
}

/* ---- A run ---- */

static void scan(urlsift_context *c, urlsift_renderer *r, const urlsift_options *o, const uint8_t *data, size_t n)
{
	wanted_after_cr = false;
	const urlsift_sink sink = { take_piece, urlsift_render_sink(r).notice, r };
	REQUIRE(urlsift_scan(c, o, &sink, data, n) == URLSIFT_OK);
}

static void scan_mail(urlsift_context *c, urlsift_renderer *r, const urlsift_options *o, urlsift_mail_options *how,
                      const uint8_t *data, size_t n)
{
	const urlsift_mail_sink sink = urlsift_render_mail_sink(r);
	urlsift_mail *m = urlsift_mail_new(c, o, how, &sink, NULL);
	REQUIRE(m != NULL);
	urlsift_mail_feed(m, data, n);
	urlsift_mail_finish(m);
	urlsift_mail_free(m);
}

static void check(const urlsift_render_options *how, bool text)
{
	static struct bytes targets, anchors;
	if (!strcmp(how->format, "json")) {
		output_check_json(&output);
	} else if (!strcmp(how->format, "list")) {
		output_check_lines(&output, how->null_separated ? '\0' : '\n');
	} else {
		output_check_utf8(&output);
		output_check_html(&output, &(struct page_text){ &shown, &targets, &anchors, false });
		REQUIRE(!text || bytes_same(&shown, &wanted));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const formats[] = { "html", "html", "json", "list" };
	static const char *const templates[] = { NULL, "%u %U %N %s %k %l %c %o %f %m %S %d %p %t %%", NULL, NULL };
	static urlsift_context *c;
	static urlsift_options *o;
	c = c ? c : urlsift_context_new(NULL);
	o = o ? o : urlsift_options_new(NULL);
	if (size < 2)
		return 0;
	const urlsift_render_options how = {
		.format = formats[data[0] & 3], .html.fragment = 1, .null_separated = data[1] & 1, .with_filename = data[1] >> 1 & 1,
		.line_number = data[1] >> 2 & 1, .encoded = data[1] >> 3 & 1, .hyphen_both = data[1] >> 4 & 1,
		.line_format = templates[data[1] >> 5 & 3],
	};
	urlsift_mail_options mail = { .kind = URLSIFT_KIND_MESSAGE, .headers = (urlsift_headers)(data[1] >> 1 & 1) };
	urlsift_options_set(o, URLSIFT_OPT_EMAIL, data[0] >> 2 & 1);
	urlsift_options_set(o, URLSIFT_OPT_DOMAINS, data[0] >> 3 & 1);
	urlsift_options_set(o, URLSIFT_OPT_JOIN, data[0] >> 4 & 3);
	urlsift_render_prepare(&how, o, &mail);
	bytes_clear(&output);
	bytes_clear(&wanted);
	urlsift_renderer *r = urlsift_render_new(c, &how, take_output, NULL, NULL);
	REQUIRE(r != NULL);
	urlsift_render_source(r, "a<b>\"\x01.txt", NULL);
	bool text = data[0] >> 6 == 0;
	mail.kind = data[0] >> 6 == 1 ? URLSIFT_KIND_MESSAGE : data[0] >> 6 == 2 ? URLSIFT_KIND_MBOX : URLSIFT_KIND_HTML;
	if (text)
		scan(c, r, o, data + 2, size - 2);
	else
		scan_mail(c, r, o, &mail, data + 2, size - 2);
	urlsift_render_source_end(r, 0);
	REQUIRE(urlsift_render_end(r) == URLSIFT_OK);
	urlsift_render_free(r);
	check(&how, text);
	return 0;
}
