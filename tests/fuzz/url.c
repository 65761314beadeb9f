/* One URL through everything that takes one: split, verdicts, resolution by both
 * rules, target, normal form, interpretation, warnings.  The bytes are a base and
 * a reference, cut at the first LF. */
#include "fuzz.h"

#include "urlsift.h"

#include <stdlib.h>
#include <string.h>

static int take_field(void *user, const urlsift_field *field)
{
	size_t *sum = user;
	for (size_t i = 0; i < field->length; i++)
		*sum += (unsigned char)field->value[i];
	return 0;
}

/* The normal form of the normal form is itself. */
static void check_normal(const urlsift_url *url)
{
	static char once[1 << 16], twice[1 << 16];
	size_t n = urlsift_url_normal(url, once, sizeof once);
	if (n > sizeof once)
		return;
	urlsift_url again;
	urlsift_url_split(once, n, &again);
	REQUIRE(urlsift_url_normal(&again, twice, sizeof twice) == n && !memcmp(once, twice, n));
	for (size_t i = 0; i < n; i++)
		REQUIRE(once[i] > ' ' && once[i] < 0x7f);
	REQUIRE(urlsift_url_normal(url, twice, n / 2) == n && !memcmp(once, twice, n / 2));
}

static void check_one(urlsift_context *context, const char *text, size_t n)
{
	urlsift_url url;
	urlsift_fault fault;
	size_t sum = 0;
	urlsift_url_split(text, n, &url);
	for (int g = URLSIFT_RFC1738; g <= URLSIFT_RFC3987; g++) {
		urlsift_status status = urlsift_url_check(context, &url, (urlsift_grammar)g, &fault);
		REQUIRE(status == URLSIFT_OK || status == URLSIFT_INVALID);
		REQUIRE(status == URLSIFT_OK || (fault.offset <= n && fault.rule && fault.what));
	}
	REQUIRE(urlsift_url_interpret(context, &url, take_field, &sum) == URLSIFT_OK);
	unsigned warnings = urlsift_url_warnings(&url);
	for (unsigned w = 1; w; w <<= 1)
		REQUIRE(!(warnings & w) || urlsift_warning_name(w));
	check_normal(&url);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static urlsift_context *context;
	static char out[1 << 16];
	if (!context)
		context = urlsift_context_new(NULL);
	/* copies of their own size, so that a byte too far is seen */
	const unsigned char *cut = memchr(data, '\n', size);
	size_t n = cut ? (size_t)(cut - data) : size, m = cut ? size - n - 1 : 0;
	char *base = malloc(n + 1), *reference = malloc(m + 1);
	memcpy(base, data, n);
	memcpy(reference, cut ? cut + 1 : data, m);
	base = realloc(base, n ? n : 1);
	check_one(context, base, n);
	urlsift_url a, b;
	urlsift_url_split(base, n, &a);
	urlsift_url_split(reference, m, &b);
	for (int r = URLSIFT_RESOLVE_RFC3986; r <= URLSIFT_RESOLVE_RFC1630; r++) {
		size_t all = urlsift_url_resolve(&a, &b, (urlsift_resolution)r, out, sizeof out);
		/* one of the two goes the whole way again */
		if (all <= sizeof out && (m & 1) == (size_t)r)
			check_one(context, out, all);
	}
	free(base);
	free(reference);
	return 0;
}
