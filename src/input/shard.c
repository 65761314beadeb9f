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
	j->failed |= strspn(digits, "0123456789abcdefABCDEF") != 4;
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

/* A name, once in an object. */
static void read_name(struct json *j, char **to)
{
	const char *text = read_string(j);
	j->failed |= *to != NULL;
	if (!j->failed)
		*to = memory_copy(text);
}

static void read_word(struct json *j, char *to, size_t size)
{
	const char *text = read_string(j);
	j->failed |= strlen(text) >= size;
	if (!j->failed)
		memcpy(to, text, strlen(text) + 1);
}

/* Unknown keys are refused: what they ask for would not be done. */
static void read_member(struct json *j, struct shard *s, const char *key, struct shard_file *one)
{
	static const char *const names[] = { "shard", "from", "to", "line", "count", "bytes", "size", "mtime" };
	enum { NAMES = sizeof names / sizeof *names };
	uint64_t unused, *const to[] = { &unused, &s->from, &s->to, &s->line, &s->count, &s->bytes, &one->size,
	                                 (uint64_t *)&one->mtime };
	if (!strcmp(key, "key")) {
		read_word(j, s->key, sizeof s->key);
	} else if (!strcmp(key, "source")) {
		read_name(j, &one->name);
	} else if (!strcmp(key, "input")) {
		char word[16] = "";
		read_word(j, word, sizeof word);
		j->failed |= !folder_kind_find(word, &s->kind);
	} else if (!strcmp(key, "folder")) {
		read_name(j, &s->folder);
	} else if (!strcmp(key, "files")) {
		/* [["name", size, mtime], ...] */
		expect(j, '[');
		do {
			struct shard_file f = { .name = NULL };
			expect(j, '[');
			read_name(j, &f.name);
			expect(j, ',');
			f.size = (uint64_t)read_number(j);
			expect(j, ',');
			f.mtime = read_number(j);
			expect(j, ']');
			MEMORY_ADD(s->file, s->file_count) = f;
		} while (!j->failed && take(j, ','));
		expect(j, ']');
	} else if (!strcmp(key, "after")) {
		read_word(j, s->after, sizeof s->after);
	} else {
		uint64_t number = (uint64_t)read_number(j);
		size_t i = 0;
		while (i < NAMES && strcmp(key, names[i]))
			i++;
		j->failed |= i == NAMES;
		*to[i < NAMES ? i : 0] = number;
	}
}

/* Reads a line of JSON, NUL-terminated.  False if it is not a valid shard. */
static bool read_shard(struct shard *s, const char *line)
{
	struct json j = { .p = line, .text = memory_get(strlen(line) + 1) };
	struct shard_file one = { .name = NULL };
	*s = (struct shard){ .file = NULL };
	expect(&j, '{');
	while (!j.failed) {
		char key[16] = "";
		read_word(&j, key, sizeof key);
		expect(&j, ':');
		read_member(&j, s, key, &one);
		if (!take(&j, ','))
			break;
	}
	expect(&j, '}');
	skip_space(&j);
	if (!j.failed && one.name && s->file_count == 0) {
		MEMORY_ADD(s->file, s->file_count) = one;
		one.name = NULL;
	}
	free(one.name);
	free(j.text);
	bool good = !j.failed && !*j.p && s->file_count > 0 && strspn(s->key, "0123456789abcdef") == SHARD_KEY;
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
	bool good = !strcmp(read_string(&back), text) && !back.failed;
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
		if (errno == ENOMEM)
			fail_memory();
		if (!l->file || ferror(l->file)) {
			report("%s: %s", l->name, strerror(errno));
			*status = STATUS_INPUT;
		}
		return false;
	}
	if (strlen(l->line) == (size_t)n && read_shard(s, l->line))
		return true;
	report("%s: has a line that 'urlsift shards' did not write", l->name);
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
	if (gethostname(host, sizeof host - 1))
		host[0] = '\0';
	return memory_format("%s/.%s.%s.%ld.part", folder, key, host, (long)getpid());
}

int shard_publish(const char *from, const char *to)
{
	int fd = open(from, O_RDONLY | O_CLOEXEC);
	int error = fd < 0 || fsync(fd) ? errno : 0;
	descriptor_close(&fd);
	if (!error && rename(from, to))
		error = errno;
	return error;
}
