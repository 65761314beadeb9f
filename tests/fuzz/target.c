/* Fuzzes the target and the comparable form.  The first byte chooses what is
 * supplied before the text.  Checked: what comes out is ASCII that may stand in
 * an href; it is the same again when it is put in again; the length told is the
 * length written, and with less room the beginning of it. */
#include "fuzz.h"

#include "url/url.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef size_t write_form(const char *supplied, const uint8_t *text, size_t n, char *out, size_t size);

struct form {
	char *text; /* in memory of just its length */
	size_t length;
};

static struct form form_of(write_form *write, const char *supplied, const void *text, size_t n)
{
	struct form f = { NULL, write(supplied, text, n, NULL, 0) };
	f.text = malloc(f.length ? f.length : 1);
	REQUIRE(f.text != NULL);
	REQUIRE(write(supplied, text, n, f.text, f.length) == f.length);
	for (size_t i = 0; i < f.length; i++)
		REQUIRE(f.text[i] > ' ' && f.text[i] < 0x7f && !strchr("\"<>\\^`{|}", f.text[i]));
	size_t less = f.length - f.length / 3;
	char *shorter = malloc(less ? less : 1);
	REQUIRE(shorter != NULL);
	REQUIRE(write(supplied, text, n, shorter, less) == f.length);
	if (!f.length)
		f.text[0] = shorter[0] = 0;
	REQUIRE(!memcmp(shorter, f.text, less));
	free(shorter);
	return f;
}

static bool same(const struct form *a, const struct form *b)
{
	return a->length == b->length && !memcmp(a->text, b->text, a->length);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const supplied[] = { "", "", "", "http://", "https://", "ftp://", "mailto:" };
	if (!size)
		return 0;
	const char *before = supplied[data[0] % (sizeof supplied / sizeof *supplied)];
	struct form target = form_of(target_write, before, data + 1, size - 1);
	struct form again = form_of(target_write, "", target.text, target.length);
	struct form normal = form_of(normal_write, before, data + 1, size - 1);
	struct form of_normal = form_of(normal_write, "", normal.text, normal.length);
	struct form of_target = form_of(normal_write, "", target.text, target.length);
	struct form encoded = form_of(target_write, "", normal.text, normal.length);
	if (getenv("FUZZ_SHOW"))
		fprintf(stderr, "%.*s\n%.*s\n%.*s\n%.*s\n%.*s\n", (int)target.length, target.text, (int)again.length,
			again.text,
		        (int)normal.length, normal.text, (int)of_normal.length, of_normal.text, (int)of_target.length,
		        	of_target.text);
	REQUIRE(same(&again, &target));
	REQUIRE(same(&of_normal, &normal));
	REQUIRE(same(&of_target, &normal));
	REQUIRE(same(&encoded, &normal));
	free(target.text);
	free(again.text);
	free(normal.text);
	free(of_normal.text);
	free(of_target.text);
	free(encoded.text);
	return 0;
}
