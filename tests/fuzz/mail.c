/* Fuzzes the mail layer.  The first two bytes choose the kind of input, the options and the
 * way to cut the rest.  Checked: what holds for every input (tests/mail_trace.c), and that the
 * cut changes nothing. */
#include "fuzz.h"

#include "../mail_trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct mail_trace whole, cut;

static urlsift_mail *parser(urlsift_context *context, struct mail_trace *t, const urlsift_mail_options *o)
{
	const urlsift_mail_sink sink = mail_trace_sink(t);
	urlsift_options *scan = urlsift_options_new(NULL);
	urlsift_options_set(scan, URLSIFT_OPT_EMAIL, 1);
	urlsift_options_set(scan, URLSIFT_OPT_LABELS, 1);
	urlsift_options_set(scan, URLSIFT_OPT_CONTEXT, 2);
	urlsift_mail *m = urlsift_mail_new(context, scan, o, &sink, NULL);
	urlsift_options_free(scan);
	if (!m)
		abort();
	return m;
}

/* In blocks of memory of their own, sometimes: nothing may be read after one. */
static void feed(urlsift_mail *m, const uint8_t *p, size_t n, unsigned cutting)
{
	unsigned random = cutting, most = 1 + cutting % 8 * cutting;
	while (n) {
		size_t k = n;
		if (cutting) {
			random = random * 1103515245 + 12345;
			k = 1 + (random >> 16) % most;
		}
		k = k < n ? k : n;
		uint8_t *copy = cutting % 4 == 1 ? malloc(k) : NULL;
		urlsift_mail_feed(m, copy ? memcpy(copy, p, k) : p, k);
		free(copy);
		p += k;
		n -= k;
	}
	urlsift_mail_finish(m);
}

static bool names_charset(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i + 4 <= n; i++)
		if ((p[i] | 32) == 'c' && (p[i + 1] | 32) == 'h' && (p[i + 2] | 32) == 'a' && (p[i + 3] | 32) == 'r')
			return true;
	return false;
}

/* All strings of a result end with a NUL, and were copied. */
static void read_found(const urlsift_found *found)
{
	size_t n = 0;
	for (size_t i = 0; i < found->count; i++) {
		const urlsift_found_link *l = found->links[i];
		const urlsift_text last[] = { l->label, l->place->message ? l->place->message->uri : l->label };
		for (size_t k = 0; k < 2; k++)
			n += (size_t)last[k].bytes[last[k].length];
		n += strlen(l->place->part) + strlen(l->place->type) + (l->place->attribute ? strlen(l->place->attribute) : 1);
	}
	if (found->count && !n)
		abort();
}

/* A finder finds as many links as the parser, however it is fed. */
static void check_finder(const urlsift_mail_options *o, const uint8_t *p, size_t n, unsigned step)
{
	urlsift_options *scan = urlsift_options_new(NULL);
	urlsift_options_set(scan, URLSIFT_OPT_EMAIL, 1);
	urlsift_finder *finder = urlsift_finder_new(NULL, scan, o, NULL);
	unsigned long links = 0;
	for (size_t at = 0, k = 1; k; at += k) {
		urlsift_found *found;
		k = step < n - at ? step : n - at;
		if (urlsift_finder_feed(finder, p + at, k, &found) != URLSIFT_OK)
			abort();
		links += found->count;
		read_found(found);
		urlsift_found_free(found);
	}
	if (links != whole.links)
		abort();
	urlsift_finder_free(finder);
	urlsift_options_free(scan);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static urlsift_mail *one, *other;
	if (size < 3)
		return 0;
	urlsift_mail_options o = {
		.kind = (urlsift_mail_kind)(data[0] >= 253 ? URLSIFT_KIND_HTML + data[0] - 253 : URLSIFT_KIND_MESSAGE + data[0] % 3),
		.headers = (urlsift_headers)(data[0] / 4 % 3),
		.message_ids = data[0] / 16 % 2, .plain = data[0] / 32 % 2, .display = data[0] / 64 % 2, .metadata = 1,
			.positions = 1,
		.max_depth = 1 + data[0] % 100, .max_parts = 1 + data[0] % 50, .max_header = 1024
	};
	if (!one) {
		urlsift_context *context = urlsift_context_new(NULL);
		one = parser(context, &whole, &o);
		other = parser(context, &cut, &o);
	}
	const uint8_t *p = data + 2;
	size_t n = size - 2;
	mail_trace_clear(&whole);
	mail_trace_clear(&cut);
	whole.source = p;
	whole.source_length = n;
	whole.converts = names_charset(p, n);
	if (urlsift_mail_reset(one, &o) != URLSIFT_OK || urlsift_mail_reset(other, &o) != URLSIFT_OK)
		abort();
	feed(one, p, n, 0);
	feed(other, p, n, 1 + data[1]);
	mail_trace_end(&whole);
	mail_trace_end(&cut);
	if (whole.wrong || whole.length != cut.length || (whole.length && memcmp(whole.text, cut.text, whole.length))) {
		fprintf(stderr, "%s\n--- whole\n", whole.wrong ? whole.wrong : "the cut changes what is found");
		fwrite(whole.text, 1, whole.length, stderr);
		fprintf(stderr, "\n--- cut\n");
		fwrite(cut.text, 1, cut.length, stderr);
		abort();
	}
	check_finder(&o, p, n, 1 + data[1] * 16u);
	return 0;
}
