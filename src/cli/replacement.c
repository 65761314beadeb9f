/* For realpath. */
#define _DEFAULT_SOURCE

#include "replacement.h"

#include "input/descriptor.h"
#include "input/folder.h"
#include "input/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int replacement_find(struct replacement *r, const char *name)
{
	*r = (struct replacement){ .path = realpath(name, NULL), .fd = -1 };
	r->path = r->path ? r->path : memory_copy(name);
	return errno_if(stat(r->path, &r->old));
}

char *replacement_beside(const struct replacement *r, const char *prefix, const char *suffix)
{
	const char *name = folder_base_name(r->path);
	return memory_format("%.*s%s%s%s", (int)(name - r->path), r->path, prefix, name, suffix);
}

int replacement_create(struct replacement *r, bool owned)
{
	const struct stat *old = &r->old;
	r->new = replacement_beside(r, ".", ".XXXXXX");
	r->fd = mkstemp(r->new);
	if (r->fd < 0) {
		const int error = errno;
		free(r->new);
		r->new = NULL; /* it is not there */
		return error;
	}
	memory_undo_add(&r->undo, memory_undo_file, r->new);
	mode_t mode = old->st_mode & 07777;
	if (!old->st_mode) {
		const mode_t mask = umask(0);
		umask(mask);
		mode = 0666 & ~mask;
	} else if ((old->st_uid != geteuid() || old->st_gid != getegid())
	           && fchown(r->fd, old->st_uid, old->st_gid) && owned) {
		return errno;
	}
	return errno_if(fchmod(r->fd, mode));
}

/* Whether the old file is, by its size and time, still the one that was found. */
static bool is_current(const struct replacement *r)
{
	struct stat now;
	return !stat(r->path, &now) && now.st_ino == r->old.st_ino && now.st_size == r->old.st_size
	       && source_mtime(&now) == source_mtime(&r->old);
}

bool replacement_is_same(const struct replacement *r)
{
	uint8_t old[16 * 1024], new[sizeof old];
	int fd = open(r->path, O_RDONLY | O_CLOEXEC);
	ssize_t n = 1;
	for (uint64_t at = 0; n > 0; at += (uint64_t)n) {
		n = descriptor_read_at(fd, at, old, sizeof old);
		if (n != descriptor_read_at(r->fd, at, new, sizeof new) || memcmp(old, new, bytes_moved(n)))
			n = -1;
	}
	descriptor_close(&fd);
	return n == 0;
}

int replacement_finish(struct replacement *r, const char *backup, bool edited)
{
	int error = fsync(r->fd) ? errno : descriptor_close(&r->fd);
	if (!error && edited && !is_current(r))
		error = ESTALE;
	if (error)
		return error;
	if (backup && rename(r->path, backup))
		return errno;
	if (rename(r->new, r->path)) {
		error = errno;
		if (backup)
			rename(backup, r->path);
		return error;
	}
	memory_undo_remove(&r->undo);
	free(r->new);
	r->new = NULL; /* nothing is left to remove */
	return 0;
}

void replacement_fini(struct replacement *r)
{
	descriptor_close(&r->fd);
	memory_undo_remove(&r->undo);
	if (r->new)
		unlink(r->new);
	free(r->path);
	free(r->new);
}
