/* For F_SETPIPE_SZ. */
#define _GNU_SOURCE 1
#include "source.h"

#include "descriptor.h"
#include "report.h"

#include "simd/simd.h"
#include "text/ascii.h"
#include "text/match.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Opening ---------------------------------------------------------------------- */

int64_t source_mtime(const struct stat *status)
{
#ifdef __APPLE__
	const struct timespec time = status->st_mtimespec;
#else
	const struct timespec time = status->st_mtim;
#endif
	return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

bool source_open(struct source *s, const char *name, char *why)
{
	struct stat status = { 0 }, out;
	*s = (struct source){ .fd = STDIN_FILENO };
	if (strcmp(name, "-"))
		s->fd = open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	*why = '\0';
	if (s->fd < 0 || fstat(s->fd, &status))
		report_why(why, errno);
	else if (S_ISDIR(status.st_mode))
		snprintf(why, WHY_SIZE, "is a directory");
	else if (S_ISREG(status.st_mode) && !fstat(STDOUT_FILENO, &out) && status.st_dev == out.st_dev &&
	         status.st_ino == out.st_ino) /* reading what the command itself appends would never end */
		snprintf(why, WHY_SIZE, "is also the output file");
	if (*why) {
		source_close(s);
		return false;
	}
#ifdef F_SETPIPE_SZ
	if (S_ISFIFO(status.st_mode)) /* a pipe as large as a block: fewer switches between writer and reader */
		fcntl(s->fd, F_SETPIPE_SZ, SOURCE_BLOCK);
#endif
	s->regular = S_ISREG(status.st_mode);
	if (!s->regular)
		return true;
	s->mtime = source_mtime(&status);
	off_t position = s->fd == STDIN_FILENO ? lseek(s->fd, 0, SEEK_CUR) : 0;
	s->base = not_negative(position);
	s->size = beyond((uint64_t)status.st_size, s->base);
#ifdef POSIX_FADV_SEQUENTIAL
	if (s->size > SOURCE_BLOCK)
		posix_fadvise(s->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
#endif
	return true;
}

void source_close(struct source *s)
{
	if (s->fd > STDIN_FILENO)
		close(s->fd);
	else if (s->size) /* whoever reads it next goes on there */
		lseek(s->fd, (off_t)(s->base + s->at), SEEK_SET);
	s->fd = DESCRIPTOR_NONE;
}

/* ---- Reading ---------------------------------------------------------------------- */

ssize_t source_read(struct source *s, void *block, size_t size)
{
	enum { PAUSE_MS = 50, LONG_PAUSE_MS = 10000 };
	ssize_t n = -1;
	if (s->read)
		n = s->read(s->layer, block, size);
	else if (s->size)
		n = source_read_at(s, s->at, block, size);
	else
		do {
			struct pollfd input = { .fd = s->fd, .events = POLLIN };
			/* If the input pauses, as on a terminal or in a log, what was found so far can be shown, and kept. */
			for (int wait = PAUSE_MS; !s->regular && poll(&input, 1, wait) == 0; wait = LONG_PAUSE_MS)
				if (s->idle)
					s->idle(s->user);
			n = read(s->fd, block, size);
		} while (n < 0 && (errno == EINTR || errno == EAGAIN));
	s->at += bytes_moved(n);
	return n;
}

ssize_t source_read_at(const struct source *s, uint64_t offset, void *block, size_t size)
{
	struct stat status;
	if (s->size) /* the file may be growing */
		size = size_within(size, beyond(s->size, offset));
	if (offset > INT64_MAX - s->base - size)
		return 0;
	const uint64_t at = offset - s->block_at; /* huge before the block */
	if (at < s->block_length && size <= s->block_length - at) {
		memcpy(block, s->block + at, size);
		return (ssize_t)size;
	}
	const ssize_t n = descriptor_read_at(s->fd, s->base + offset, block, size);
	/* The file ends before its size.  Files of /sys do so always: only one that shrank is truncated. */
	if (n == 0 && size > 0 && s->size && !fstat(s->fd, &status) && (uint64_t)status.st_size < s->base + s->size) {
		errno = SOURCE_TRUNCATED;
		return -1;
	}
	return n;
}

/* ---- Lines ------------------------------------------------------------------------ */

void source_count_lines(struct line_count *l, const void *bytes, size_t n)
{
	l->line += lines_count(bytes, n, &l->after_cr);
	l->at += n;
}

bool source_line_at(const struct source *s, struct line_count *l, uint64_t to)
{
	enum { LOOK = 16 * 1024 };
	char text[LOOK], next = 0;
	ssize_t n = 1;
	while (n > 0 && l->at < to) {
		n = source_read_at(s, l->at, text, size_within(LOOK, to - l->at));
		source_count_lines(l, text, bytes_moved(n));
	}
	if (n > 0 && l->after_cr && (n = source_read_at(s, to, &next, 1)) > 0 && next == '\n')
		l->line--; /* a parser that begins at the LF of a CRLF counts it */
	return n >= 0;
}

/* ---- What it is ------------------------------------------------------------------- */

/* What the input would be if it ended with these lines in the place of its last,
 * incomplete one. */
static urlsift_mail_kind kind_with(char *bytes, size_t n, const char lines[SOURCE_DETECT_ROOM])
{
	char saved[SOURCE_DETECT_ROOM];
	n = byte_last((const uint8_t *)bytes, 0, n, '\n');
	memcpy(saved, bytes + n, SOURCE_DETECT_ROOM);
	memcpy(bytes + n, lines, SOURCE_DETECT_ROOM);
	urlsift_mail_kind kind = urlsift_mail_detect(bytes, n + strlen(lines), 1);
	memcpy(bytes + n, saved, SOURCE_DETECT_ROOM);
	return kind;
}

bool source_is_mailbox(const char *path, uint64_t offset, char *why)
{
	struct source s;
	*why = '\0';
	if (!source_open(&s, path, why))
		return false;
	char *block = memory_get(URLSIFT_DETECT_BYTES);
	const ssize_t n = source_read_at(&s, offset, block, URLSIFT_DETECT_BYTES);
	if (n < 0)
		report_why(why, errno);
	source_close(&s);
	const bool mailbox = urlsift_mail_detect(block, bytes_moved(n), n < URLSIFT_DETECT_BYTES) == URLSIFT_KIND_MBOX;
	free(block);
	return mailbox;
}

/* The first line of a record of a web archive is its version, `WARC/1.0`. */
bool source_is_record(const char *bytes, size_t n, bool complete, bool *known)
{
	static const char begin[] = "WARC/";
	*known = complete || n >= RECORD_BEGINS || memcmp(bytes, begin, smaller(n, sizeof begin - 1));
	return match_bytes((const uint8_t *)bytes, n, "WARC/%d.");
}

const char *source_kind_name(urlsift_mail_kind kind)
{
	return (int)kind == KIND_WARC ? "warc" : urlsift_mail_kind_name(kind);
}

bool source_detect(char *bytes, size_t n, bool complete, urlsift_mail_kind *kind)
{
	bool known;
	*kind = (urlsift_mail_kind)KIND_WARC;
	if (source_is_record(bytes, n, complete, &known) || !known)
		return known;
	static const char more[][SOURCE_DETECT_ROOM] = {
		"From: a\nDate: a\n\n", "no header\n\n", "<html>\n", "From a 10:00 2000\nFrom: a\nDate: a\n\n"
	};
	*kind = urlsift_mail_detect(bytes, n, complete);
	if (complete || n >= URLSIFT_DETECT_BYTES)
		return true;
	urlsift_mail_kind with = kind_with(bytes, n, more[0]);
	size_t i = 1;
	while (i < sizeof more / sizeof *more && kind_with(bytes, n, more[i]) == with)
		i++;
	return i == sizeof more / sizeof *more;
}

bool source_is_binary(const char *p, size_t n)
{
	enum { LOOKED_AT = 8 * 1024 };
	if (n >= 4 && (utf16_begins(p, n) || !memcmp(p, "\0\0\xfe\xff", 4)))
		return false;
	/* an index of Thunderbird (.msf), which has subjects of the mail beside it */
	static const char mork[] = "// <!-- <mdb:mork:z";
	return text_begins(p, n, SOURCE_PDF) || text_begins(p, n, mork) || memchr(p, 0, smaller(n, LOOKED_AT));
}
