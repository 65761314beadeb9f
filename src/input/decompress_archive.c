#include "decompress_layer.h"
#include "descriptor.h"
#include "memory.h"
#include "text/ascii.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The library ------------------------------------------------------------------ */

#ifndef URLSIFT_WITH_ARCHIVE

const struct library library_archive = { .name = "libarchive" };

static void archive_open(struct layer *l)
{
	layer_lacks(l, &library_archive, "not in this build");
}

const struct codec codec_filter = { .open = archive_open };
const struct codec codec_archive = { .archive = true, .open = archive_open };

#else

#include <archive.h>
#include <archive_entry.h>

#define ARCHIVE(X) \
	X(archive_version_string) X(archive_read_new) X(archive_read_free) X(archive_read_open) \
	X(archive_read_append_filter) X(archive_read_support_filter_compress) X(archive_read_support_format_raw) \
	X(archive_read_support_format_empty) X(archive_read_support_format_tar) \
	X(archive_read_support_format_zip_streamable) X(archive_read_support_format_cpio) \
	X(archive_read_set_options) X(archive_read_next_header) X(archive_read_data_block) X(archive_read_data_skip) \
	X(archive_error_string) X(archive_filter_bytes) X(archive_format_name) X(archive_entry_pathname) \
	X(archive_entry_pathname_utf8) X(archive_entry_filetype) X(archive_entry_is_encrypted)
LIBRARY_TABLE(archive_functions, ARCHIVE);
#ifdef URLSIFT_LINK_ARCHIVE
const struct library library_archive = { LIBRARY_LINKED("libarchive", archive_functions, ARCHIVE) };
#else
/* The versions of the binary interface of 3.x, in which the functions are the same. */
const struct library library_archive = { LIBRARY_OPENED("libarchive", archive_functions, ARCHIVE, "libarchive.so.13",
	"libarchive.so", "libarchive.13.dylib", "/usr/lib/libarchive.2.dylib") };
LIBRARY_NOTE(archives, "recommended", "reads archives and the rarer forms of compressed files", "libarchive.so.13");
#endif

enum { HEADER_MOST = 4 * 1024 * 1024 };

struct archive_state {
	struct archive_functions call;
	struct archive *archive;
	bool begun;           /* the first block was given to it */
	bool in_member;       /* a member was begun */
	bool in_header;       /* the header of one is being read, */
	size_t header;        /* for which so many bytes were given */
	bool done;            /* a compressed file: its content has ended */
	const char *data;     /* what is left of a block of the member */
	size_t left;
	uint64_t hole;        /* NULs before it */
	la_int64_t offset;    /* of the block in the member, */
	uint64_t at;          /* and of what follows it */
};

/* ---- Opening ---------------------------------------------------------------------- */

static la_ssize_t give_block(struct archive *archive, void *user, const void **block)
{
	struct layer *l = user;
	struct archive_state *s = l->state;
	(void)archive;
	if (s->begun && !layer_fill(l))
		return l->failed ? ARCHIVE_FATAL : 0;
	s->begun = true;
	/* The library holds a header in memory, however long it says its name is. */
	s->header += s->in_header * l->n;
	if (s->header > HEADER_MOST)
		return layer_fail(l, "is damaged at %" PRIu64 " (a header of more than %d bytes)", l->start, HEADER_MOST);
	*block = l->block;
	return (la_ssize_t)l->n;
}

/* Only what was recognised is enabled.  The library does not check the end of a tar; with its option
 * everything is read as members.  It reads a zip from front to back: no entry is read twice. */
static int choose_format(struct layer *l)
{
	struct archive_state *s = l->state;
	const struct archive_functions *call = &s->call;
	int result = call->archive_read_support_format_empty(s->archive);
	if (!packed_form_is_archive(l->form)) {
		result |= call->archive_read_support_format_raw(s->archive);
		/* Its `compress` cannot be appended: it reads when it is made. */
		if (l->form->code == ARCHIVE_FILTER_COMPRESS)
			result |= call->archive_read_support_filter_compress(s->archive);
		else
			result |= call->archive_read_append_filter(s->archive, l->form->code);
	} else if (l->form->code == ARCHIVE_FORMAT_ZIP) {
		result |= call->archive_read_support_format_zip_streamable(s->archive);
	} else if (l->form->code == ARCHIVE_FORMAT_CPIO) {
		result |= call->archive_read_support_format_cpio(s->archive);
	} else {
		result |= call->archive_read_support_format_tar(s->archive);
		result |= call->archive_read_set_options(s->archive, "tar:read_concatenated_archives");
	}
	return result;
}

static uint64_t position(const struct layer *l)
{
	const struct archive_state *s = l->state;
	return not_negative(s->call.archive_filter_bytes(s->archive, -1));
}

/* Reports that the bytes end too early or, at the offset, are damaged, unless the reason lies below. */
static void fail_at(struct layer *l, bool early, uint64_t at, const char *what)
{
	if (l->failed)
		return;
	if (l->ended || early)
		layer_fail(l, "is cut off at %" PRIu64, l->start + l->n);
	else
		layer_fail(l, "is damaged at %" PRIu64 " (%.80s)", at, what);
}

/* Reports the library's last error. */
static void archive_fail(struct layer *l)
{
	struct archive_state *s = l->state;
	const char *why = s->archive ? s->call.archive_error_string(s->archive) : "allocate";
	why = text_or(why, l->form->name);
	if (!l->failed && strstr(why, "llocate"))
		layer_fail(l, "out of memory");
	else
		fail_at(l, strstr(why, "runcated"), position(l), why);
}

static bool archive_prepare(struct layer *l)
{
	char why[WHY_SIZE];
	struct archive_state *s = memory_get(sizeof *s);
	if (!library_load(&library_archive, &s->call, why)) {
		layer_lacks(l, &library_archive, why);
		free(s);
		s = NULL;
	}
	l->state = s;
	return s;
}

static void archive_open(struct layer *l)
{
	struct archive_state *s = l->state;
	const struct archive_functions *call = &s->call;
	struct archive_entry *entry;
	s->archive = call->archive_read_new();
	/* If the first block is damaged, it is taken for empty, but the error is there. */
	if (!s->archive || choose_format(l) < ARCHIVE_WARN ||
	    call->archive_read_open(s->archive, l, NULL, give_block, NULL) < ARCHIVE_WARN ||
	    call->archive_error_string(s->archive)) {
		archive_fail(l);
		return;
	}
	if (packed_form_is_archive(l->form))
		return;
	int result = call->archive_read_next_header(s->archive, &entry);
	s->done = result == ARCHIVE_EOF;
	if (result < ARCHIVE_WARN)
		archive_fail(l);
}

static void archive_close(struct layer *l)
{
	struct archive_state *s = l->state;
	s->call.archive_read_free(s->archive); /* NULL is allowed */
}

static bool is_read(int result) { return result == ARCHIVE_OK || result == ARCHIVE_WARN; }

/* ---- Bytes ------------------------------------------------------------------------ */

static ssize_t archive_read(struct layer *l, void *out, size_t size)
{
	struct archive_state *s = l->state;
	size_t used = 0;
	while (!s->done) {
		/* What is left of a block and of the hole before it. */
		size_t hole = size_within(size - used, s->hole), n = smaller(s->left, size - used - hole);
		char *to = (char *)out + used;
		memset(to, 0, hole);
		s->hole -= hole;
		if (n > 0) {
			memcpy(to + hole, s->data, n);
			s->data += n;
			s->left -= n;
		}
		used += hole + n;
		if (used == size)
			break;
		const void *data = NULL;
		int result = s->call.archive_read_data_block(s->archive, &data, &s->left, &s->offset);
		s->done = result == ARCHIVE_EOF;
		if (is_read(result)) {
			s->data = data;
			s->hole = beyond(not_negative(s->offset), s->at);
			s->at += s->hole + s->left;
		} else {
			s->left = 0;
		}
		if (result < ARCHIVE_OK) {
			archive_fail(l);
			if (result == ARCHIVE_WARN || result == ARCHIVE_FAILED) /* only this member is damaged */
				l->failed = !packed_form_is_archive(l->form);
			return used ? (ssize_t)used : -1;
		}
	}
	if (used == 0 && !packed_form_is_archive(l->form) && !layer_ends_at(l, position(l)))
		return -1;
	return (ssize_t)used;
}

/* ---- Members ---------------------------------------------------------------------- */

/* What follows the members of a zip: the headers of its directory.  The first one is the descriptor of the last member,
 * which stays where that is encrypted.  A record has a fixed size, and texts whose lengths are in it. */
struct zip_record {
	char signature[5];
	unsigned char size, length[3], bytes; /* where the lengths are, and bytes of each */
};

static const struct zip_record zip_records[] = {
	{ "PK\7\x8", 16, { 0 }, 0 },
	{ "PK\1\2", 46, { 28, 30, 32 }, 2 }, { "PK\6\6", 12, { 4 }, 4 }, { "PK\6\7", 20, { 0 }, 0 },
	{ "PK\5\5", 6, { 4 }, 2 }, { "PK\6\x8", 8, { 4 }, 4 }, { "PK\5\6", 22, { 20 }, 2 }, { .size = 0 }
};

static bool zip_ends_well(struct layer *l)
{
	uint64_t at = position(l);
	for (;;) {
		/* The record at the offset; that of size 0 for none. */
		const struct zip_record *r = zip_records;
		char begin[sizeof r->signature - 1];
		for (unsigned i = 0; i < sizeof begin; i++)
			begin[i] = (char)layer_byte(l, at + i);
		while (r->size > 0 && memcmp(begin, r->signature, sizeof begin))
			r++;
		uint64_t next = at + r->size;
		for (int i = 0; i < 3 && r->length[i]; i++)
			for (unsigned b = 0; b < r->bytes; b++) {
				int byte = layer_byte(l, at + r->length[i] + b);
				next += byte > 0 ? (uint64_t)byte << 8 * b : 0;
			}
		if (!r->size || layer_byte(l, next - 1) < 0)
			break;
		at = next;
		if (!r[1].size)
			return layer_ends_at(l, at);
	}
	fail_at(l, false, at, "its directory");
	return false;
}

static enum next archive_next(struct layer *l)
{
	/* These need more memory than the limit allows, or cannot be limited. */
	static const char *const refused[] = { "(lzma", "(xz)", "(ppmd" };
	struct archive_state *s = l->state;
	struct archive_entry *entry;
	if (s->in_member && s->call.archive_read_data_skip(s->archive) == ARCHIVE_FATAL) /* it ends in the member */
		return archive_fail(l), NEXT_FAULT;
	s->in_header = true;
	s->header = 0;
	int result = s->call.archive_read_next_header(s->archive, &entry);
	s->in_header = false;
	s->in_member = is_read(result);
	if (result == ARCHIVE_EOF) {
		const bool whole = l->form->code == ARCHIVE_FORMAT_ZIP ? zip_ends_well(l) : layer_ends_at(l, position(l));
		return whole ? NEXT_END : NEXT_FAULT;
	}
	if (!s->in_member)
		return archive_fail(l), NEXT_FAULT;
	const char *name = s->call.archive_entry_pathname(entry);
	name = memory_text(name ? name : s->call.archive_entry_pathname_utf8(entry));
	snprintf(l->member, sizeof l->member, "%s", text_full_or(name, "?"));
	if (s->call.archive_entry_filetype(entry) != AE_IFREG)
		return NEXT_SKIP;
	s->left = 0;
	s->hole = s->at = 0;
	s->done = false;
	const char *why = NULL, *format = memory_text(s->call.archive_format_name(s->archive));
	for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
		if (strstr(format, refused[i]))
			why = "is compressed by a method that is not read";
	if (s->call.archive_entry_is_encrypted(entry))
		why = "is encrypted";
	if (!why)
		return NEXT_MEMBER;
	layer_fail(l, "%s", why);
	l->failed = false;
	return NEXT_FAULT;
}

const struct codec codec_filter = {
	.prepare = archive_prepare, .open = archive_open, .read = archive_read, .close = archive_close,
};
const struct codec codec_archive = {
	.archive = true, .prepare = archive_prepare, .open = archive_open, .read = archive_read, .next = archive_next,
	.close = archive_close,
};

#endif
