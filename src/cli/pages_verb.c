#include "verbs.h"

#include "pages/pages.h"

#include <string.h>

static enum status take(void *user, const char *bytes, size_t n)
{
	pages_take(user, bytes, n);
	const char *why = pages_failure(user);
	if (why)
		report("%s", why);
	return why ? STATUS_OUTPUT : STATUS_DONE;
}

/* The last component of a path. */
static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

static enum status write_pages(struct options *o)
{
	char why[PAGES_WHY];
	const struct pages_options options = {
		.folder = o->output, .title = o->run.out.title ? o->run.out.title : name_of(o->output),
		.lang = o->run.out.lang, .style = o->run.out.style, .implementation = o->run.out.implementation,
	};
	struct pages *p = pages_new(&options, why);
	if (!p) {
		report("%s", why);
		return STATUS_OUTPUT;
	}
	const struct consumer consumer = pages_consumer(p, take);
	o->run.consumer = &consumer;
	o->run.folder = o->output;
	o->run.message_ids = 1;
	enum status status = text_verb(o);
	const char *failure = pages_failure(p) ? NULL : pages_write(p, status == STATUS_DONE);
	if (failure) {
		report("%s", failure);
		status = STATUS_OUTPUT;
	}
	pages_free(p);
	return status;
}

enum status pages_verb_html(struct options *o)
{
	return o->output ? write_pages(o) : text_verb(o);
}
