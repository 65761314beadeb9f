#include "sandbox.h"
#include "verbs.h"

#include "input/worker.h"
#include "text/ascii.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct text_run {
	urlsift_context *context;
	struct progress progress;
	struct inputs inputs;
	struct output_queue queue;
	struct team team;
	struct pool pool;
	struct job first;
	atomic_bool begun; /* without a pool */
};

/* What each thread of a pool does. */
static void work(void *user)
{
	struct text_run *r = user;
	struct worker w;
	worker_init(&w, &r->queue, &r->team, true);
	while ((w.slot = pool_claim(&r->pool))) {
		worker_do(&w, &w.slot->job);
		pool_finish(w.slot);
	}
	worker_fini(&w);
}

/* What the first thread does without a pool; others find none of it. */
static void work_alone(void *user)
{
	struct text_run *r = user;
	struct worker w;
	if (atomic_exchange(&r->begun, true))
		return;
	worker_init(&w, &r->queue, &r->team, false);
	for (bool more = true; more && !r->queue.error; more = inputs_next(&r->inputs, &r->first)) {
		worker_do(&w, &r->first);
		job_fini(&r->first);
	}
	worker_fini(&w);
	job_fini(&r->first);
}

static void confine_nothing(void) {}

enum status text_verb_spares(const struct settings *s, const char *output)
{
	struct stat out, in;
	const bool there = !stat(output, &out);
	for (size_t i = 0; i < s->in.file_count && there; i++)
		if (!stat(s->in.files[i], &in) && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
			return report_usage("%s is also an input", output);
	return STATUS_DONE;
}

/* Links in a folder may lead anywhere, and names in a list. */
bool text_verb_confine(struct settings *s)
{
	enum { NAMED_MOST = 64 }; /* a rule for each takes time */
	static const char git[] = "git";
	const bool any = s->in.shard || s->in.files_from || s->in.recursive;
	struct sandbox box = {
		.reads = s->in.files, .read_count = s->in.file_count,
		.read_any = any || s->box.in_place || s->in.file_count > NAMED_MOST,
		.writes = s->box.folder, .writes_too = s->box.folder_too,
		.write_any = s->in.shard || s->box.in_place, /* its part; each of its files */
		.unpacks = true, .runs = any ? git : NULL,
		/* a grammar is compiled when a URL needs it */
		.compiles = filter_judges(s->filter)
		            || (s->consumer->none ? s->needs & URLSIFT_MAKES_RECORDS : s->consumer->judges)
	};
	for (size_t i = 0; i < s->in.file_count && !box.runs; i++) {
		if (!folder_is(s->in.files[i]))
			continue;
		box.read_any = true;
		if (folder_shape(s->in.files[i]) >= FOLDER_INBOX)
			box.runs = git;
	}
	s->box.confine = s->box.no_sandbox ? confine_nothing : sandbox_enter_helper;
	return sandbox_begin(s, &box);
}

enum status text_verb(struct options *o)
{
	struct text_run *r = memory_get(sizeof *r);
	struct settings *s = &o->run;
	options_read_input(o);
	/* The title of a page of a folder is the name of the folder, not that of its first message. */
	if (s->in.file_count && !s->out.html.title && folder_is(s->in.files[0]))
		s->out.html.title = s->in.files[0];
	const enum progress_wanted wanted = s->progress ? PROGRESS_ALWAYS
	                                    : s->consumer->none ? PROGRESS_AUTO : PROGRESS_ALONE;
	progress_init(&r->progress, wanted, s->in.files, s->in.file_count, s->in.files_from);
	const bool pooled = pool_may_run(s);
	inputs_init(&r->inputs, s, pooled);
	r->context = memory_checked(urlsift_context_new(NULL));
	output_queue_init(&r->queue, s, r->context, &r->progress);
	enum status status = STATUS_OUTPUT;
	if (text_verb_confine(s)) {
		const size_t threads = smaller((size_t)s->jobs, POOL_SLOTS);
		const bool any = inputs_next(&r->inputs, &r->first);
		if (any && pooled && inputs_more(&r->inputs)) {
			pool_init(&r->pool, &r->first, &r->inputs, &r->queue, &r->team);
			team_run(&r->team, threads, work, r);
			pool_fini(&r->pool);
		} else if (any) {
			team_run(&r->team, threads, work_alone, r);
		}
		r->queue.total.skipped += r->inputs.skipped;
		status = output_queue_end(&r->queue);
	}
	progress_fini(&r->progress);
	inputs_fini(&r->inputs);
	output_queue_fini(&r->queue);
	urlsift_context_free(r->context);
	free(r);
	return status;
}
