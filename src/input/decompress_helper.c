/* Reading packed input in a process of its own, for libraries that cannot be trusted with it: the process has given up
 * all rights but to compute, and if it crashes, only that input is lost.
 *
 * The helper runs a codec and writes what it gives as records to a pipe, ahead of what is asked for.  When it needs
 * packed bytes, it says so in a record and waits for a block, so neither side waits for the other. */
#define _GNU_SOURCE 1
#include "decompress_layer.h"
#include "descriptor.h"
#include "memory.h"
#include "text/ascii.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <locale.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif
#ifdef __APPLE__
#include <xlocale.h>
#endif

enum {
	RECORDS = 64 * 1024,            /* bytes of records that are written at once */
	STATE = UNPACK_NAME + WHY_SIZE + 1, /* bytes of a state, at most, each of its two texts with a NUL */
	EXIT_ERRNO = 100                /* exit status of a helper: an errno is added to it; libraries exit with 1 */
};

enum record_kind {
	RECORD_NEED,  /* a block of packed bytes */
	RECORD_DATA,
	RECORD_STATE  /* after opening, at each member, and at the end of a content */
};

struct record {
	uint32_t kind, n; /* bytes that follow: data, or the name of the member, a NUL and why it cannot be read */
	uint32_t next;    /* an enum next */
	uint32_t failed;  /* of the layer */
};

/* The last member, counted from 1, of which nothing more is wanted. */
struct shared {
	atomic_uint skip;
};

struct helper {
	pid_t id;          /* 0: none, or it has ended */
	int from, to;      /* pipes */
	struct shared *shared;
	unsigned member;
	bool in_content;
	size_t data;       /* bytes left of a record of data */
	size_t at, n;      /* of the buffer */
	char buffer[RECORDS];
};

/* A locale of UTF-8: libarchive gives the names of members in the charset of the locale.  What making one and the first
 * conversion lock would stay locked in the child of another thread, so both are done once, before any child. */
static struct {
	pthread_once_t once;
	locale_t locale; /* (locale_t)0: none */
} utf8 = { .once = PTHREAD_ONCE_INIT };

static void make_utf8(void)
{
#ifndef __NetBSD__ /* has no uselocale */
#ifdef __APPLE__
	static const char name[] = "en_US.UTF-8";
#else
	static const char name[] = "C.UTF-8";
#endif
	wchar_t wide;
	mbstate_t state = { 0 };
	utf8.locale = newlocale(LC_CTYPE_MASK, name, (locale_t)0);
	const locale_t was = uselocale(utf8.locale);
	mbrtowc(&wide, "a", 1, &state);
	uselocale(was);
#endif
}

/* ---- In the helper ------------------------------------------------------------------ */

struct server {
	struct layer *layer;
	struct source below; /* of the layer here: what its reader sends */
	struct shared *shared;
	unsigned member;
	size_t used;
	char records[RECORDS];
	char data[RECORDS - sizeof(struct record)];
};

static void read_all(void *to, size_t n)
{
	for (ssize_t got; n > 0; n -= (size_t)got, to = (char *)to + got) {
		errno = EPIPE; /* at the end */
		got = descriptor_read(STDIN_FILENO, to, n);
		if (got <= 0)
			_exit(EXIT_ERRNO + errno);
	}
}

static void flush(struct server *s)
{
	int error = report_write(STDOUT_FILENO, s->records, s->used);
	if (error)
		_exit(EXIT_ERRNO + error);
	s->used = 0;
}

static void put(struct server *s, struct record r, const char *bytes)
{
	if (s->used + sizeof r + r.n > sizeof s->records)
		flush(s);
	memcpy(s->records + s->used, &r, sizeof r);
	memcpy(s->records + s->used + sizeof r, bytes, r.n);
	s->used += sizeof r + r.n;
}

static void put_state(struct server *s, enum next next)
{
	const struct layer *l = s->layer;
	char text[STATE];
	size_t n = strlen(l->member) + 1, why = next == NEXT_FAULT ? strlen(l->why) : 0;
	memcpy(text, l->member, n);
	memcpy(text + n, l->why, why);
	put(s, (struct record){ RECORD_STATE, (uint32_t)(n + why), next, l->failed }, text);
}

/* The function `read` of what the codec reads. */
static ssize_t ask(void *user, void *block, size_t size)
{
	struct server *s = user;
	int64_t n;
	put(s, (struct record){ .kind = RECORD_NEED }, "");
	flush(s);
	read_all(&n, sizeof n);
	read_all(block, n > 0 && (uint64_t)n <= size ? (size_t)n : 0);
	errno = EIO; /* the reason is known to the reader */
	return (ssize_t)n;
}

static void serve_content(struct server *s)
{
	struct layer *l = s->layer;
	ssize_t n;
	l->broken = false;
	s->member++;
	while (!l->broken && atomic_load(&s->shared->skip) < s->member
	       && (n = l->form->codec->read(l, s->data, sizeof s->data)) > 0)
		put(s, (struct record){ .kind = RECORD_DATA, .n = (uint32_t)n }, s->data);
	put_state(s, l->broken ? NEXT_FAULT : NEXT_END);
}

static _Noreturn void run(struct layer *l, struct shared *shared, int in, int out)
{
	enum { FIRST = STDOUT_FILENO + 1, MANY = 65536 };
	struct server *s = malloc(sizeof *s);
	if (!s || dup2(in, STDIN_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0)
		_exit(EXIT_ERRNO + errno);
	/* Only the pipes stay open. */
#ifdef URLSIFT_NO_SANDBOX /* sanitizers report on standard error */
	const int first = FIRST + 1;
#else
	const int first = FIRST;
#endif
	bool closed = false;
#ifdef SYS_close_range
	closed = !syscall(SYS_close_range, (unsigned)first, ~0u, 0u);
#endif
	const long most = closed ? first : sysconf(_SC_OPEN_MAX);
	for (size_t fd = (size_t)first; fd < size_within(MANY, (uint64_t)most); fd++) /* -1: it is not known */
		close((int)fd);
#ifndef __NetBSD__
	uselocale(utf8.locale); /* that of the process where there is none */
#endif
	l->confine();
	*s = (struct server){ .layer = l, .shared = shared };
	s->below = (struct source){ .fd = DESCRIPTOR_NONE, .read = ask, .layer = (void *)s };
	const struct codec *codec = l->form->codec;
	l->below = &s->below;
	codec->open(l);
	put_state(s, l->failed ? NEXT_FAULT : NEXT_MEMBER);
	for (enum next next = NEXT_MEMBER; !l->failed && next != NEXT_END;) {
		if (!codec->archive) {
			serve_content(s);
			break;
		}
		*l->member = '\0';
		next = codec->next(l);
		put_state(s, next);
		if (next == NEXT_MEMBER)
			serve_content(s);
	}
	flush(s);
	_exit(EXIT_SUCCESS);
}

/* ---- Its reader --------------------------------------------------------------------- */

static void end(struct helper *h, int *status)
{
	descriptor_close(&h->from);
	descriptor_close(&h->to);
	process_wait(h->id, status);
	h->id = 0;
}

/* Reports that the helper is lost, with an errno, or 0 if it ended too early.  Returns false. */
static bool lose(struct layer *l, int error)
{
	char why[WHY_SIZE];
	int status;
	end(l->state, &status);
	if (l->failed) /* the reason is known */
		return false;
	if (!error && WIFEXITED(status) && WEXITSTATUS(status) > EXIT_ERRNO)
		error = WEXITSTATUS(status) - EXIT_ERRNO;
	if (error)
		report_why(why, error);
	else if (WIFSIGNALED(status))
		snprintf(why, sizeof why, "made its reader crash (signal %d)", WTERMSIG(status));
	else
		snprintf(why, sizeof why, "made its reader give up (status %d)", WEXITSTATUS(status));
	layer_fail(l, "%s", why);
	return false;
}

/* Takes n bytes; false with layer_fail. */
static bool take(struct layer *l, void *to, size_t n)
{
	struct helper *h = l->state;
	while (n > 0) {
		if (h->at == h->n) {
			errno = 0; /* at the end */
			const ssize_t got = descriptor_read(h->from, h->buffer, sizeof h->buffer);
			if (got <= 0)
				return lose(l, errno);
			h->at = 0;
			h->n = (size_t)got;
		}
		size_t some = smaller(h->n - h->at, n);
		if (to)
			to = (char *)memcpy(to, h->buffer + h->at, some) + some;
		h->at += some;
		n -= some;
	}
	return true;
}

/* Takes a record of data or a state.  What it says is checked: the helper may be in the hands of the input. */
static bool take_record(struct layer *l, struct record *r, char text[STATE])
{
	struct helper *h = l->state;
	for (;;) {
		if (!take(l, r, sizeof *r))
			return false;
		if (r->kind != RECORD_NEED)
			break;
		/* Sends a block; the helper knows the first one. */
		const int64_t n = layer_fill(l) ? (int64_t)l->n : l->failed ? -1 : 0;
		int error = report_write(h->to, &n, sizeof n);
		if (!error)
			error = report_write(h->to, l->block, bytes_moved((ssize_t)n));
		if (error && error != EPIPE) /* it crashed, or will be seen to have ended */
			return lose(l, error);
	}
	h->data = 0;
	if (r->kind == RECORD_DATA && h->in_content && r->n <= RECORDS) {
		r->next = NEXT_MEMBER; /* what else it says is for a state */
		h->data = r->n;
		return true;
	}
	if (r->kind != RECORD_STATE || r->n >= STATE - 1 || r->next > NEXT_FAULT)
		return lose(l, EPROTO);
	h->in_content = false;
	memset(text, 0, STATE);
	return take(l, text, r->n);
}

/* Takes over a fault. */
static void fault(struct layer *l, const struct record *r, const char *text)
{
	if (l->failed) /* the helper could not read what could not be read here */
		return;
	layer_fail(l, "%s", text + strlen(text) + 1);
	l->failed = r->failed != 0;
}

/* Starts the helper.  0 or an errno. */
static int start(struct layer *l, struct helper *h)
{
	int in[2], out[2];
	h->shared = mmap(NULL, sizeof *h->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (h->shared == MAP_FAILED || !descriptor_pipe(in))
		return errno;
	if (!descriptor_pipe(out)) {
		close(in[0]);
		close(in[1]);
		return errno;
	}
#ifdef F_SETPIPE_SZ
	fcntl(in[1], F_SETPIPE_SZ, SOURCE_BLOCK);
	fcntl(out[1], F_SETPIPE_SZ, SOURCE_BLOCK);
#endif
	pthread_once(&utf8.once, make_utf8);
	h->id = fork();
	const int error = errno_if(h->id < 0);
	if (h->id == 0)
		run(l, h->shared, in[0], out[1]);
	close(in[0]);
	close(out[1]);
	h->to = in[1];
	h->from = out[0];
	return error;
}

static void helper_close(struct layer *l)
{
	struct helper *h = l->state;
	int status;
	end(h, &status);
	munmap(h->shared, sizeof *h->shared); /* which fails, and does nothing, for MAP_FAILED */
}

/* What the codec prepared belongs to the helper. */
static void helper_open(struct layer *l)
{
	struct helper *h = memory_get(sizeof *h);
	struct record r;
	char text[STATE], why[WHY_SIZE];
	h->from = h->to = DESCRIPTOR_NONE;
	h->shared = MAP_FAILED;
	int error = start(l, h);
	free(l->state);
	l->state = h;
	if (error) {
		report_why(why, error);
		layer_fail(l, "needs a process to read it: %.80s", why);
	} else if (take_record(l, &r, text)) {
		h->in_content = r.next == NEXT_MEMBER && !l->form->codec->archive;
		if (r.next != NEXT_MEMBER)
			fault(l, &r, text);
	}
}

static ssize_t helper_read(struct layer *l, void *out, size_t size)
{
	struct helper *h = l->state;
	struct record r;
	char text[STATE];
	while (h->data == 0 && h->in_content) {
		if (!take_record(l, &r, text))
			return -1;
		if (r.next == NEXT_FAULT) {
			fault(l, &r, text);
			return -1;
		}
	}
	size_t n = smaller(h->data, size);
	h->data -= n;
	return take(l, out, n) ? (ssize_t)n : -1;
}

static enum next helper_next(struct layer *l)
{
	struct helper *h = l->state;
	struct record r = { .next = NEXT_END };
	char text[STATE];
	atomic_store(&h->shared->skip, h->member);
	while (h->in_content) {
		if (!take(l, NULL, h->data) || !take_record(l, &r, text))
			return NEXT_FAULT;
		if (r.next == NEXT_FAULT && r.failed) {
			fault(l, &r, text);
			return NEXT_FAULT;
		}
	}
	if (!take_record(l, &r, text))
		return NEXT_FAULT;
	snprintf(l->member, sizeof l->member, "%.*s", (int)sizeof l->member - 1, text);
	if (r.next == NEXT_FAULT)
		fault(l, &r, text);
	h->in_content = r.next == NEXT_MEMBER;
	h->member += h->in_content;
	return (enum next)r.next;
}

const struct codec codec_helper = {
	.archive = true, .open = helper_open, .read = helper_read, .next = helper_next, .close = helper_close,
};
