#include "shard.h"

#include "descriptor.h"
#include "memory.h"

#include "text/unicode.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void shard_fini(struct shard *s)
{
	for (size_t i = 0; i < s->file_count; i++)
		free(s->file[i].name);
	free(s->file);
	free(s->folder);
	*s = (struct shard){ .file = NULL };
}

/* ---- Reading JSON: the objects that shard_write makes, with any white space ------------- */

struct json {
	const char *p;
	char *text; /* room for the longest string, as long as what is read */
	bool failed;
};

static void skip_space(struct json *j)
{
	j->p += strspn(j->p, " \t\r\n");
}

static bool take(struct json *j, char c)
{
	skip_space(j);
	if (*j->p != c)
		return false;
	j->p++;
	return true;
}

static void expect(struct json *j, char c)
{
	j->failed |= !take(j, c);
}

/* Returns 0 after a failure. */
static unsigned read_hex(struct json *j)
{
	char digits[5] = "";
	strncpy(digits, j->p, 4);
	j->failed |= strspn(digits, HEX_DIGITS) != 4;
	j->p += strlen(digits);
	return j->failed ? 0 : (unsigned)strtoul(digits, NULL, 16);
}

/* A string, in j->text until the next one is read. */
static const char *read_string(struct json *j)
{
	char *to = j->text; /* no escape is shorter than what it means */
	expect(j, '"');
	while (!j->failed && *j->p && *j->p != '"') {
		if (*j->p != '\\') {
			*to++ = *j->p++;
			continue;
		}
		/* An escape. */
		static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
		const char *name = *++j->p ? strchr(names, *j->p) : NULL;
		if (name) {
			j->p++;
			*to++ = values[name - names];
			continue;
		}
		j->failed |= *j->p != 'u';
		j->p += !j->failed;
		unsigned c = read_hex(j);
		if (c - 0xD800 < 0x400 && !strncmp(j->p, "\\u", 2)) {
			j->p += 2;
			unsigned low = read_hex(j) - 0xDC00;
			j->failed |= low >= 0x400;
			c = 0x10000 + ((c - 0xD800) << 10) + low;
		}
		j->failed |= c == 0 || c - 0xD800 < 0x800; /* a name has neither a NUL nor half a character */
		to += utf8_put((uint8_t *)to, c);
	}
	*to = '\0';
	expect(j, '"');
	return j->text;
}

static int64_t read_number(struct json *j)
{
	char *end;
	skip_space(j);
	errno = 0;
	long long n = strtoll(j->p, &end, 10);
	j->failed |= errno || end == j->p;
	j->p = end;
	return n;
}

/* ---- Reading a shard ------------------------------------------------------------------- */

/* A line: a shard, and the file of one that has a single one. */
struct line {
	struct shard shard;
	struct shard_file one;
	uint64_t number; /* of the shard, which its key has too */
};

/* Each reads a value to its place in the line, of `size` bytes. */
typedef void read_value(struct json *j, void *to, size_t size);

/* A name, once in an object. */
static void read_name(struct json *j, void *to, size_t size)
{
	const char *text = read_string(j);
	char **name = to;
	(void)size;
	j->failed |= *name != NULL;
	if (!j->failed)
		*name = memory_copy(text);
}

static void read_word(struct json *j, void *to, size_t size)
{
	const char *text = read_string(j);
	j->failed |= strlen(text) >= size;
	if (!j->failed)
		memcpy(to, text, strlen(text) + 1);
}

static void read_count(struct json *j, void *to, size_t size)
{
	const int64_t number = read_number(j);
	memcpy(to, &number, size);
}

static void read_kind(struct json *j, void *to, size_t size)
{
	char word[16] = "";
	(void)size;
	read_word(j, word, sizeof word);
	j->failed |= !folder_kind_find(word, to);
}

/* [["name", size, mtime], ...] */
static void read_files(struct json *j, void *to, size_t size)
{
	struct shard *s = to;
	(void)size;
	expect(j, '[');
	do {
		struct shard_file f = { .name = NULL };
		expect(j, '[');
		read_name(j, &f.name, sizeof f.name);
		expect(j, ',');
		f.size = (uint64_t)read_number(j);
		expect(j, ',');
		f.mtime = read_number(j);
		expect(j, ']');
		MEMORY_ADD(s->file, s->file_count) = f;
	} while (!j->failed && take(j, ','));
	expect(j, ']');
}

#define TO(member) offsetof(struct line, member), sizeof((struct line *)NULL)->member

/* Unknown keys are refused: what they ask for would not be done. */
static const struct line_member {
	const char *name;
	read_value *read;
	size_t at, size;
} keys[] = {
	{ "shard", read_count, TO(number) },
	{ "key", read_word, TO(shard.key) },
	{ "source", read_name, TO(one.name) },
	{ "input", read_kind, TO(shard.kind) },
	{ "folder", read_name, TO(shard.folder) },
	{ "files", read_files, TO(shard) },
	{ "after", read_word, TO(shard.after) },
	{ "from", read_count, TO(shard.from) },
	{ "to", read_count, TO(shard.to) },
	{ "line", read_count, TO(shard.line) },
	{ "count", read_count, TO(shard.count) },
	{ "bytes", read_count, TO(shard.bytes) },
	{ "size", read_count, TO(one.size) },
	{ "mtime", read_count, TO(one.mtime) },
	{ .name = NULL }
};

/* Reads a line of JSON, NUL-terminated.  False if it is not a valid shard. */
static bool read_shard(struct shard *s, const char *text)
{
	struct json j = { .p = text, .text = memory_get(strlen(text) + 1) };
	struct line l = { .number = 0 };
	expect(&j, '{');
	do {
		char name[16] = "";
		read_word(&j, name, sizeof name);
		expect(&j, ':');
		const struct line_member *key = row_named(keys, sizeof *keys, name);
		j.failed |= !key;
		if (!j.failed)
			key->read(&j, (char *)&l + key->at, key->size);
	} while (!j.failed && take(&j, ','));
	expect(&j, '}');
	skip_space(&j);
	*s = l.shard;
	if (l.one.name && s->file_count == 0) {
		MEMORY_ADD(s->file, s->file_count) = l.one;
		l.one.name = NULL;
	}
	free(l.one.name);
	free(j.text);
	bool good = !j.failed && !*j.p && s->file_count > 0 && strspn(s->key, HEX_LOWER) == SHARD_KEY;
	if (!good)
		shard_fini(s);
	return good;
}

/* ---- Writing ---------------------------------------------------------------------------- */

/* A JSON string; false, and nothing, unless it is UTF-8. */
static bool write_string(const char *text, FILE *to)
{
	size_t n = urlsift_escape_json(text, strlen(text), NULL, 0);
	char *json = memory_get(n + 1);
	struct json back = { .p = json, .text = memory_get(n + 1) };
	urlsift_escape_json(text, strlen(text), json, n);
	const bool good = !strcmp(read_string(&back), text);
	if (good && to)
		fwrite(json, 1, n, to);
	free(json);
	free(back.text);
	return good;
}

bool shard_can_name(const char *path) { return write_string(path, NULL); }

void shard_write(const struct shard *s, FILE *to)
{
	const struct shard_file *f = s->file;
	bool mailbox = s->to > 0, epoch = s->kind == FOLDER_EPOCH;
	fprintf(to, "{\"shard\":%lu,\"key\":\"%s\"", strtoul(s->key, NULL, 16), s->key);
	if (mailbox || epoch) {
		fputs(",\"source\":", to);
		write_string(f->name, to);
	}
	fprintf(to, ",\"input\":\"%s\"", mailbox ? "mbox" : folder_kind_name(s->kind));
	if (mailbox) {
		fprintf(to, ",\"from\":%" PRIu64 ",\"to\":%" PRIu64 ",\"line\":%" PRIu64 ",\"bytes\":%" PRIu64
		        ",\"size\":%" PRIu64 ",\"mtime\":%" PRId64, s->from, s->to, s->line, s->bytes, f->size, f->mtime);
	} else if (epoch) {
		fprintf(to, ",\"after\":\"%s\",\"count\":%" PRIu64, s->after, s->count);
	} else {
		if (s->folder) {
			fputs(",\"folder\":", to);
			write_string(s->folder, to);
		}
		fputs(",\"files\":", to);
		const char *before = "[[";
		for (size_t i = 0; i < s->file_count; i++, before = ",[") {
			fputs(before, to);
			write_string(f[i].name, to);
			fprintf(to, ",%" PRIu64 ",%" PRId64 "]", f[i].size, f[i].mtime);
		}
		fprintf(to, "],\"bytes\":%" PRIu64, s->bytes);
	}
	fputs("}\n", to);
}

/* ---- Lines ------------------------------------------------------------------------------ */

bool shard_lines_next(struct shard_lines *l, struct shard *s, enum status *status)
{
	*status = STATUS_DONE;
	errno = 0;
	if (!l->file)
		l->file = descriptor_file_open(l->name);
	ssize_t n = l->file ? getline(&l->line, &l->room, l->file) : -1;
	if (n < 0) {
		memory_need(errno != ENOMEM);
		if (!l->file || ferror(l->file))
			*status = report_input("%s: %s", l->name, strerror(errno));
		return false;
	}
	l->number++;
	if (strlen(l->line) == (size_t)n && read_shard(s, l->line))
		return true;
	report("%s:%zu: is not a line that 'urlsift shards' wrote", l->name, l->number);
	*status = STATUS_USAGE;
	return false;
}

void shard_lines_close(struct shard_lines *l)
{
	descriptor_file_close(&l->file);
	free(l->line);
}

/* ---- Parts ------------------------------------------------------------------------------ */

char *shard_part(const char *folder, const char *key, const char *ending, bool complete)
{
	char host[64] = "";
	if (complete)
		return memory_format("%s/%s.%s", folder, key, ending);
	gethostname(host, sizeof host - 1);
	return memory_format("%s/.%s.%s.%ld.part", folder, key, host, (long)getpid());
}

int shard_publish(const char *from, const char *to)
{
	int fd = open(from, O_RDONLY | O_CLOEXEC);
	const int error = errno_if(fd < 0 || fsync(fd));
	descriptor_close(&fd);
	return error ? error : errno_if(rename(from, to));
}
