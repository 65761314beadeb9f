/* Fuzzes the command line and templates.  Arguments are separated by line ends; a byte from 80 on stands for the
 * name of an option or a verb.
 *
 * Checked: options are read or refused, a filter that is accepted can be applied, and a template that is valid writes
 * no control character but those of its own escapes; -l with -0 writes the name as it is, for programs that open it. */
#include "fuzz.h"

#include "cli/options.h"

#include <string.h>

enum { ARGUMENTS = 12, TEXT = 4096 };

/* Files are not opened. */
static bool opens(const char *argument)
{
	return strstr(argument, "rules") || strstr(argument, "css") || strstr(argument, "files-from") || strstr(argument, "=@");
}

static int make_arguments(char *text, const uint8_t *data, size_t size, char *argv[ARGUMENTS + 2])
{
	static char name[] = "urlsift";
	size_t options = 0, verbs = 0, used = 0;
	int argc = 1;
	while (option_table[options].name)
		options++;
	while (verb_table[verbs].name)
		verbs++;
	for (size_t i = 0; i < size && used < TEXT - 64; i++) {
		size_t which = data[i] & 0x7f;
		if (data[i] < 0x80)
			text[used++] = (char)(data[i] == '\n' ? '\0' : data[i]);
		else if (which < options)
			used += (size_t)sprintf(text + used, "--%s%s", option_table[which].name,
			                        option_table[which].argument ? "=" : "");
		else
			used += (size_t)sprintf(text + used, "%s", verb_table[which % verbs].name);
	}
	text[used] = text[used + 1] = '\0';
	argv[0] = name;
	for (char *p = text; p < text + used && argc <= ARGUMENTS; p += strlen(p) + 1)
		if (!opens(p))
			argv[argc++] = p;
	argv[argc] = NULL;
	return argc;
}

static const char source_name[] = "a\x1b.txt";

static int take_output(void *user, const void *bytes, size_t n)
{
	const unsigned char *p = bytes;
	const urlsift_render_options *how = user;
	if (how->names && how->null_separated && !how->terminal) {
		REQUIRE(n == sizeof source_name && !memcmp(p, source_name, n));
		return 0;
	}
	for (size_t i = 0; i < n; i++)
		REQUIRE(p[i] >= ' ' ? p[i] != 0x7f : p[i] == '\n' || p[i] == '\t' || p[i] == '\0');
	return 0;
}

static void render(struct options *o, urlsift_context *c)
{
	static const char text[] = "see <URL:http://u:p@a.example:99/b-\nc\x01> and http://\xc3\xbc.example/\xe2\x80\xae\n";
	urlsift_renderer *r = urlsift_render_new(c, &o->run.out, take_output, &o->run.out, NULL);
	REQUIRE(r != NULL);
	const urlsift_sink sink = urlsift_render_sink(r);
	urlsift_render_source(r, source_name, NULL);
	REQUIRE(urlsift_scan(c, o->run.scan, &sink, text, sizeof text - 1) == URLSIFT_OK);
	urlsift_render_source_end(r, 1);
	REQUIRE(urlsift_render_end(r) == URLSIFT_OK);
	urlsift_render_free(r);
}

static bool has_control(const char *text)
{
	for (; text && *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return true;
	return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static urlsift_context *c;
	static char text[TEXT];
	char *argv[ARGUMENTS + 2];
	struct options o;
	c = c ? c : urlsift_context_new(NULL);
	int argc = make_arguments(text, data, size, argv);
	options_init(&o);
	enum status status = options_read(&o, argc, argv);
	REQUIRE(status == STATUS_DONE || status == STATUS_USAGE || status == STATUS_INPUT);
	if (status == STATUS_DONE && o.action == ACTION_RUN && o.verb->bit & VERB_LIST
	    && !has_control(o.run.out.line_format))
		render(&o, c);
	options_fini(&o);
	return 0;
}
