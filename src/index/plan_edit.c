#include "index.h"

#include "input/descriptor.h"
#include "input/memory.h"
#include "text/ascii.h"

#ifdef URLSIFT_WITH_SQLITE

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A mailbox whose size or time has changed, as it was and as it is. */
struct comparison {
	struct source file;
	uint64_t size;  /* of a piece */
	struct digest_marks old, new;
	uint64_t known; /* so many bytes from the beginning are those of old */
};

static void take_piece(void *user, uint64_t piece, uint64_t sum)
{
	struct digest_marks *m = user;
	digest_mark(m, piece)->hash += sum;
}

/* Hashes the bytes of the file in [from, to).  False if they cannot be read. */
static bool hash_range(const struct source *file, uint64_t from, uint64_t to, struct digest_marks *m)
{
	struct digest d = { .take = take_piece, .user = m };
	char *block = memory_block(SOURCE_BLOCK);
	ssize_t n = 1;
	digest_begin(&d, from);
	for (uint64_t at = from; n > 0 && at < to; at += (size_t)n) {
		n = source_read_at(file, at, block, size_within(SOURCE_BLOCK, to - at));
		digest_add(&d, at, block, bytes_moved(n));
	}
	free(block);
	digest_end(&d, NULL);
	return n > 0;
}

bool index_plan_compare(const char *path, const struct index_state *was, struct index_edit *edit)
{
	char why[WHY_SIZE];
	struct comparison c = { .size = digest_piece() };
	if (!source_open(&c.file, path, why))
		return false;
	digest_read(&c.old, was->pieces, was->length);
	c.known = was->complete ? (uint64_t)was->size : c.old.count * c.size;
	const bool good = (c.known + c.size - 1) / c.size == c.old.count && hash_range(&c.file, 0, c.file.size, &c.new);
	size_t equal = 0; /* pieces at the beginning that are the same */
	if (good && c.old.count > 0) {
		const uint64_t last = (c.known - 1) / c.size; /* since there are marks, some bytes are known */
		struct digest_marks end = { NULL, 0 };
		while (equal < earlier(last, c.new.count) && c.old.mark[equal].hash == c.new.mark[equal].hash)
			equal++;
		/* the last piece may have been shorter */
		if (equal == last && c.known <= c.file.size && hash_range(&c.file, last * c.size, c.known, &end))
			equal += end.mark[last].hash == c.old.mark[last].hash;
		digest_fini(&end);
	}
	/* Where to begin again if only so many pieces are the same: messages before the first one of a piece end before the
	 * next piece does, or `unsure` of struct opened would have said so. */
	size_t mark = equal;
	while (mark > 0 && (c.old.mark[mark - 1].offset <= 0 || c.old.mark[mark - 1].line <= 0))
		mark--;
	const bool same = (uint64_t)was->size == c.file.size && was->mtime == c.file.mtime;
	edit->from = edit->line = 0;
	if (good && equal == c.old.count && (was->complete || same)) {
		edit->from = was->done;
		edit->line = was->line;
	} else if (mark > 0) {
		edit->from = (uint64_t)c.old.mark[mark - 1].offset;
		edit->line = (uint64_t)c.old.mark[mark - 1].line;
	}
	for (size_t i = 0; i < smaller(c.old.count, c.new.count); i++)
		if ((uint64_t)c.old.mark[i].offset <= edit->from) {
			const uint64_t hash = c.new.mark[i].hash;
			c.new.mark[i] = c.old.mark[i];
			c.new.mark[i].hash = hash;
		}
	edit->marks = c.new;
	digest_fini(&c.old);
	source_close(&c.file);
	return edit->from > 0;
}

#endif
