/* For realpath. */
#define _DEFAULT_SOURCE

#include "verbs.h"

#include "input/decompress.h"
#include "input/descriptor.h"
#include "input/folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file to be replaced.  What needs rights that the sandbox takes comes first, for all of them. */
struct place {
	char *path, *new, *backup; /* without symbolic links; backup may be NULL */
	int fd;                    /* of the new one */
	struct memory_undo undo;   /* which removes the new one */
	bool mail;                 /* a message, for --mail */
};

/* DIR/PREFIX + NAME + SUFFIX, for free(). */
static char *beside(const char *path, const char *prefix, const char *suffix)
{
	const char *name = folder_base_name(path);
	return memory_format("%.*s%s%s%s", (int)(name - path), path, prefix, name, suffix);
}

#define IS_HTML "is HTML"

/* Why the file cannot be replaced, or NULL.  Of other kinds than text the text is not all there is; a message is
 * written by rewrite_mail, and *mail is then true. */
static const char *not_replaced(const struct options *o, const char *path, bool *mail)
{
	const struct packed_form *form;
	urlsift_mail_kind kind = URLSIFT_KIND_TEXT;
	struct source s;
	char why[WHY_SIZE], *block = memory_get(SOURCE_BLOCK + SOURCE_DETECT_ROOM);
	const size_t n = bytes_moved(source_open(&s, path, why) ? source_read_at(&s, 0, block, SOURCE_BLOCK) : 0);
	const char *what = NULL;
	bool known;
	if (packed_form_detect(block, n, true, &form) && form)
		what = "is compressed";
	else if (source_is_record(block, n, true, &known))
		what = "is a web archive";
	else if (n > 1 && (!memcmp(block, "\xff\xfe", 2) || !memcmp(block, "\xfe\xff", 2)))
		what = "is UTF-16, and would be UTF-8";
	else
		kind = urlsift_mail_detect(block, n, n < SOURCE_BLOCK);
	source_close(&s);
	free(block);
	kind = input_kind((enum input)o->run.in.input, kind);
	*mail = !what && o->rewrite.mail && kind == URLSIFT_KIND_MESSAGE;
	if (what || kind == URLSIFT_KIND_TEXT || *mail)
		return what;
	return kind == URLSIFT_KIND_HTML ? IS_HTML : o->rewrite.mail ? "is not one message" : "is mail";
}

/* Creates the new file, with the mode and the owner of the old one. */
static enum status prepare(struct place *p, const struct options *o, const char *name)
{
	struct stat old;
	*p = (struct place){ .path = realpath(name, NULL), .fd = -1 };
	if (!p->path || stat(p->path, &old)) {
		report("%s: %s", name, strerror(errno));
		return STATUS_INPUT;
	}
	const char *what = S_ISREG(old.st_mode) ? not_replaced(o, p->path, &p->mail) : "is not a regular file";
	if (what)
		return report_usage_of("rewrite", "%s: %s; --in-place is for plain text, and with --mail for messages%s", name,
		                       what, strcmp(what, IS_HTML) ? "" : "; --input=text changes links of HTML source");
	p->new = beside(p->path, ".", ".XXXXXX");
	p->backup = *o->rewrite.in_place ? beside(p->path, "", o->rewrite.in_place) : NULL;
	p->fd = mkstemp(p->new);
	if (p->fd < 0) {
		report("%s: %s", p->new, strerror(errno));
		free(p->new);
		p->new = NULL; /* it is not there */
		return STATUS_OUTPUT;
	}
	memory_undo_add(&p->undo, memory_undo_file, p->new);
	if (((old.st_uid != geteuid() || old.st_gid != getegid()) && fchown(p->fd, old.st_uid, old.st_gid))
	    || fchmod(p->fd, old.st_mode & 07777)) {
		report("%s: %s", p->new, strerror(errno));
		return STATUS_OUTPUT;
	}
	return STATUS_DONE;
}

static enum status replace(struct options *o, struct place *p, char *name)
{
	o->run.in.files = &name;
	o->run.in.file_count = 1;
	o->run.output = p->fd;
	o->run.output_name = p->new;
	enum status status = p->mail ? rewrite_mail(o, name) : text_verb(o);
	if (status != STATUS_DONE)
		return status;
	int error = fsync(p->fd) ? errno : descriptor_close(&p->fd);
	if (!error && p->backup && rename(p->path, p->backup))
		error = errno;
	if (!error && rename(p->new, p->path)) {
		error = errno;
		if (p->backup)
			rename(p->backup, p->path);
	}
	if (error)
		return report_output(name, error);
	memory_undo_remove(&p->undo);
	free(p->new);
	p->new = NULL; /* nothing is left to remove */
	return STATUS_DONE;
}

enum status rewrite_verb(struct options *o)
{
	char **files = o->run.in.files;
	size_t count = o->run.in.file_count, made = 0;
	enum status status = STATUS_DONE;
	if (!o->rewrite.in_place) {
		if (!o->rewrite.mail)
			return text_verb(o);
		if (count > 1 || o->run.in.files_from || o->run.in.recursive)
			return report_usage("--mail takes one message, or with --in-place several");
		options_read_input(o);
		return text_verb_confine(&o->run) ? rewrite_mail(o, *o->run.in.files) : STATUS_OUTPUT;
	}
	bool named = count > 0 && !o->run.in.files_from && !o->run.in.recursive;
	for (size_t i = 0; i < count; i++)
		named = named && strcmp(files[i], "-") != 0;
	if (!named)
		return report_usage("--in-place needs the names of files, such as 'urlsift -rl FOLDER' prints");
	if (strchr(o->rewrite.in_place, '/'))
		return report_usage("--in-place takes the end of a name, such as .orig, not '%s'", o->rewrite.in_place);
	struct place *place = memory_get(count * sizeof *place);
	o->run.box.in_place = true;
	o->run.out.terminal = o->run.out.whole_records = 0;
	for (; made < count && status < STATUS_USAGE; made++) {
		status = status_worse(status, prepare(&place[made], o, files[made]));
		for (size_t i = 0; i < made && place[made].path && status < STATUS_USAGE; i++)
			if (place[i].path && !strcmp(place[i].path, place[made].path))
				status = report_usage("%s: is named twice", files[made]);
	}
	if (status < STATUS_USAGE && !text_verb_confine(&o->run))
		status = STATUS_OUTPUT;
	for (size_t i = 0; i < count && status < STATUS_USAGE; i++)
		if (place[i].fd >= 0)
			status = status_worse(status, replace(o, &place[i], files[i]));
	for (size_t i = 0; i < made; i++) {
		struct place *p = &place[i];
		descriptor_close(&p->fd);
		memory_undo_remove(&p->undo);
		if (p->new)
			unlink(p->new);
		free(p->path);
		free(p->new);
		free(p->backup);
	}
	free(place);
	return status;
}
