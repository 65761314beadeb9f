#include "verbs.h"

#include "pages/pages.h"

#include <string.h>

#ifdef URLSIFT_WITH_SQLITE

/* The last component of a path. */
static const char *name_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

static enum status write_pages(struct options *o)
{
	const struct pages_options options = {
		.folder = o->output, .title = o->run.out.title ? o->run.out.title : name_of(o->output),
		.lang = o->run.out.lang, .style = o->run.out.style, .implementation = o->run.out.implementation,
	};
	struct pages *p = pages_new(&options);
	if (!p)
		return STATUS_OUTPUT;
	const struct consumer consumer = pages_consumer(p);
	o->run.consumer = &consumer;
	o->run.folder = o->output;
	o->run.message_ids = 1;
	enum status status = text_verb(o);
	status = status_worse(status, pages_write(p, status == STATUS_DONE));
	pages_free(p);
	return status;
}

#endif

enum status pages_verb_html(struct options *o)
{
#ifdef URLSIFT_WITH_SQLITE
	if (o->output)
		return write_pages(o);
#endif
	return text_verb(o);
}
