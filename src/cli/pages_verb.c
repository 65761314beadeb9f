#include "replacement.h"
#include "verbs.h"

#include "input/descriptor.h"
#include "input/folder.h"

#include "index/index.h"
#include "pages/pages.h"
#include "text/ascii.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* False if files are named of which none can be read.  They are reported, and no empty pages are made.  --prune has
 * something to do in a folder of pages even so. */
static bool has_input(const struct options *o)
{
	const struct settings *s = &o->run;
	char why[WHY_SIZE] = "";
	const bool pruned = o->pages.output && o->archive.prune && folder_is(o->pages.output);
	bool any = s->in.file_count == 0 || s->in.files_from || pruned;
	for (size_t i = 0; i < s->in.file_count && !any; i++)
		any = !strcmp(s->in.files[i], "-") || input_readable(s, s->in.files[i], why);
	for (size_t i = 0; i < s->in.file_count && !any; i++) {
		input_readable(s, s->in.files[i], why);
		report("%s: %s", s->in.files[i], why);
	}
	return any;
}

#ifdef URLSIFT_WITH_SQLITE

static enum status write_pages(struct options *o)
{
	const struct html_options *h = &o->pages;
	const struct archive_options *a = &o->archive;
	const struct { const char *value, *takes; bool (*valid)(const char *value); } values[] = {
		{ h->site, "--site takes the URL of the pages, such as https://a.example/archive/", pages_site_valid },
		{ h->search,
		  "--search takes an http or https URL with an ASCII host and no user name that ends in a name and =,"
		  " such as https://a.example/?q=", pages_search_valid },
		{ h->reply, "--reply takes a mail address, such as list@a.example", pages_reply_valid }
	};
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		if (*memory_text(values[i].value) && !values[i].valid(values[i].value))
			return report_usage("%s", values[i].takes);
	const char *name = folder_base_name(h->output), *suffix = strrchr(name, '.');
	if (suffix && access(h->output, F_OK) && text_is_among(suffix, strlen(suffix), ".txt .xhtml .shtml .md .pdf .eml"))
		report("%s: becomes a folder of pages; for a single page, use a name in .html", h->output);
	const struct pages_options options = {
		.folder = h->output, .name = text_full_or(name, h->output), .title = o->run.out.html.title,
		.lang = o->run.out.html.lang, .style = o->run.out.html.style, .implementation = o->run.out.implementation,
		.site = h->site, .search = h->search, .reply = h->reply, .mask = h->mask_addresses,
		.unmask = h->no_mask_addresses, .plan = a->plan,
		.jobs = o->run.jobs, .progress = o->run.progress,
	};
	const struct index_options index = index_options_of(o, NULL);
	struct pages *p = pages_new(&options, &index);
	if (!p)
		return STATUS_OUTPUT;
	enum status status = index_begin_with(pages_index(p), o);
	if (status == STATUS_DONE) {
		const struct consumer consumer = pages_consumer(p);
		o->run.consumer = &consumer;
		char *folder = a->plan ? database_folder(a->plan) : NULL;
		o->run.box.folder = o->pages.output;
		o->run.box.folder_too = folder;
		o->run.message_ids = 1;
		status = text_verb(o);
		status = status_worse(status, pages_write(p, status == STATUS_DONE));
		free(folder);
	}
	pages_free(p);
	return status;
}

#endif

/* The page gets its name when it is whole.  What is no regular file, such as a FIFO, is written as with `>`. */
static enum status write_page(struct options *o)
{
	const char *name = o->pages.page;
	struct replacement page;
	int error = replacement_find(&page, name);
	const bool special = !error && !S_ISREG(page.old.st_mode);
	enum status status = error == ENOENT ? STATUS_DONE : report_output(name, error);
	if (status == STATUS_DONE)
		status = text_verb_spares(&o->run, name);
	if (status == STATUS_DONE) {
		if (special)
			error = errno_if((page.fd = open(name, O_WRONLY | O_CLOEXEC)) < 0);
		else
			error = replacement_create(&page, false);
		status = report_output(name, error);
	}
	if (status == STATUS_DONE) {
		const size_t folder = (size_t)(folder_base_name(page.path) - page.path);
		char *within = special ? NULL : memory_format("%.*s.", (int)folder, page.path);
		o->run.output = page.fd;
		o->run.output_name = name;
		o->run.box.folder = within;
		o->run.out.terminal = o->run.out.whole_records = 0;
		status = text_verb(o);
		if (status < STATUS_USAGE && !special)
			status = status_worse(status, report_output(name, replacement_finish(&page, NULL, false)));
		free(within);
	}
	replacement_fini(&page);
	return status;
}

enum status pages_verb_html(struct options *o)
{
	if ((o->pages.page || o->pages.output) && !has_input(o))
		return STATUS_INPUT;
	if (o->pages.page)
		return write_page(o);
#ifdef URLSIFT_WITH_SQLITE
	if (o->pages.output)
		return write_pages(o);
#endif
	return text_verb(o);
}
