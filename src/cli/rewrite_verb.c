#include "replacement.h"
#include "verbs.h"

#include "input/decompress.h"
#include "input/descriptor.h"
#include "input/memory.h"
#include "input/name_list.h"
#include "text/ascii.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file to be replaced.  What needs rights that the sandbox takes comes first, for all of them. */
struct place {
	struct replacement file;
	char *backup;              /* or NULL */
	bool mail;                 /* a message, for --mail */
};

#define IS_DOCUMENT "is HTML, a calendar or a vCard"

/* Why the file cannot be replaced, or NULL.  Of other kinds than text the text is not all there is; a message is
 * written by rewrite_mail, and *mail is then true. */
static const char *not_replaced(const struct options *o, const char *path, bool *mail)
{
	urlsift_mail_kind kind = URLSIFT_KIND_TEXT;
	struct source s;
	char why[WHY_SIZE], *block = memory_get(SOURCE_BLOCK + SOURCE_DETECT_ROOM);
	const size_t n = bytes_moved(source_open(&s, path, why) ? source_read_at(&s, 0, block, SOURCE_BLOCK) : 0);
	const char *what = NULL;
	bool known;
	if (packed_form_of(block, n))
		what = "is compressed";
	else if (source_is_record(block, n, true, &known))
		what = "is a web archive";
	else if (utf16_begins(block, n))
		what = "is UTF-16, and would be UTF-8";
	else
		kind = urlsift_mail_detect(block, n, n < SOURCE_BLOCK);
	source_close(&s);
	free(block);
	kind = input_kind((enum input)o->run.in.input, path, false, kind);
	if (what)
		return what;
	if (kind == URLSIFT_KIND_TEXT)
		return o->charset ? "would be made UTF-8 by --charset" : NULL;
	*mail = o->rewrite.mail && kind == URLSIFT_KIND_MESSAGE;
	if (*mail)
		return NULL;
	if (kind == URLSIFT_KIND_MBOX && o->rewrite.mail)
		return "is a mailbox, of which 'rewrite --mail FILE >NEW' writes a new one";
	if ((int)kind >= URLSIFT_KIND_HTML && kind != URLSIFT_KIND_EMLX)
		return IS_DOCUMENT;
	return o->rewrite.mail ? "is not one message" : "is mail";
}

/* Creates the new file. */
static enum status prepare(struct place *p, const struct options *o, const char *name)
{
	const int error = replacement_find(&p->file, name);
	if (error)
		return report_input("%s: %s", name, strerror(error));
	const bool regular = S_ISREG(p->file.old.st_mode);
	const char *what = regular ? not_replaced(o, p->file.path, &p->mail) : "is not a regular file";
	if (what)
		return report_usage_of("rewrite", "%s: %s; --in-place is for plain text, and with --mail for messages%s", name,
		                       what, text_if(!strcmp(what, IS_DOCUMENT), "; --input=text changes links of its source"));
	p->backup = *o->rewrite.in_place ? replacement_beside(&p->file, "", o->rewrite.in_place) : NULL;
	const int failed = replacement_create(&p->file, true);
	if (p->file.fd < 0)
		return report_with(STATUS_OUTPUT, "", "%s: no file can be made beside it: %s", name, strerror(failed));
	return report_output(name, failed);
}

/* The file `name`, which is at `other`, has the name that the old file at p is to have. */
static enum status refuse_kept(const struct options *o, const struct place *p, const struct place *other,
                               const char *name)
{
	return strcmp(memory_text(p->backup), other->file.path)
	       ? STATUS_DONE
	       : report_usage("%s: has the name of an old file that --in-place=%s keeps", name, o->rewrite.in_place);
}

static enum status replace(struct options *o, char **files, size_t count)
{
	size_t made = 0;
	enum status status = STATUS_DONE;
	struct place *place = memory_get(count * sizeof *place);
	o->run.box.in_place = true;
	o->run.out.terminal = o->run.out.whole_records = 0;
	for (; made < count && status < STATUS_USAGE; made++) {
		status = status_worse(status, prepare(&place[made], o, files[made]));
		for (size_t i = 0; i < made && status < STATUS_USAGE; i++)
			if (place[made].file.fd >= 0 && !strcmp(place[i].file.path, place[made].file.path))
				status = report_usage("%s: is named twice", files[made]);
			else
				status = status_worse(status, status_worse(refuse_kept(o, &place[i], &place[made], files[made]),
				                                           refuse_kept(o, &place[made], &place[i], files[i])));
	}
	if (status >= STATUS_USAGE) {
		if (count > 1)
			report("no file is changed");
	} else if (!text_verb_confine(&o->run)) {
		status = STATUS_OUTPUT;
	}
	for (size_t i = 0; i < count && status < STATUS_USAGE; i++) {
		struct place *p = &place[i];
		if (p->file.fd < 0)
			continue;
		o->run.in.files = &files[i];
		o->run.in.file_count = 1;
		o->run.output = p->file.fd;
		o->run.output_name = p->file.new;
		enum status each = p->mail ? rewrite_mail(o, files[i]) : text_verb(o);
		/* a message is written whole or not at all, whatever links stay in it */
		const bool kept = each == STATUS_INPUT && p->mail && lseek(p->file.fd, 0, SEEK_CUR) > 0;
		if ((each == STATUS_DONE || kept) && !replacement_is_same(&p->file)) {
			const int error = replacement_finish(&p->file, p->backup, true);
			each = error == ESTALE ? report_input("%s: changed while it was read; it is left as it is", files[i])
			                       : status_worse(each, report_output(files[i], error));
		}
		status = status_worse(status, each);
	}
	for (size_t i = 0; i < made; i++) {
		replacement_fini(&place[i].file);
		free(place[i].backup);
	}
	free(place);
	return status;
}

enum status rewrite_verb(struct options *o)
{
	const bool listed = o->run.in.files_from, recursive = o->run.in.recursive;
	size_t count = o->run.in.file_count;
	if (!o->rewrite.in_place) {
		if (!o->rewrite.mail)
			return text_verb(o);
		if (count > 1 || listed || recursive)
			return report_usage("--mail takes one message or mailbox, or with --in-place messages");
		options_read_input(o);
		return text_verb_confine(&o->run) ? rewrite_mail(o, *o->run.in.files) : STATUS_OUTPUT;
	}
	bool named = (count > 0 || listed) && !recursive;
	for (size_t i = 0; i < count; i++)
		named &= strcmp(o->run.in.files[i], "-") != 0;
	if (!named)
		return report_usage("--in-place needs names of files, as from 'urlsift -rl0 --include=GLOB FOLDER | xargs -0 "
		                    "urlsift rewrite ...'");
	if (strchr(o->rewrite.in_place, '/'))
		return report_usage("--in-place takes the end of a name, such as .orig, not '%s'", o->rewrite.in_place);
	/* the names of the arguments and of the list */
	char **names = NULL;
	enum status status = STATUS_DONE;
	struct name_list l = input_names(&o->run);
	count = 0;
	for (const char *name; (name = name_list_next(&l));)
		if (*l.why)
			status = report_input("%s: %s", name, l.why);
		else
			MEMORY_ADD(names, count) = memory_copy(name);
	name_list_fini(&l);
	o->run.in.files_from = NULL;
	status = status_worse(status, replace(o, names, count));
	memory_free_all(names, count);
	return status;
}
