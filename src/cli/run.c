#include "run.h"

#include "input/work.h"

#include <stdlib.h>
#include <string.h>

struct run {
	struct options *options;
	urlsift_context *context;
	struct progress progress;
	struct plan plan;
	struct order order;
	struct jobs jobs;
	char *title;
};

/* What each of several threads does. */
static void *work(void *user)
{
	struct run *r = user;
	struct reader reader;
	bool ready = reader_init(&reader, r->options, r->context, &r->order, &r->progress, false);
	struct seat *seat = ready ? jobs_claim(&r->jobs) : NULL;
	while (seat) {
		work_do(&reader, seat, &seat->job);
		seat = jobs_finish(seat);
		if (!seat)
			seat = jobs_claim(&r->jobs);
	}
	reader_fini(&reader);
	return ready ? r : NULL;
}

static bool work_together(struct run *r, const struct job *first)
{
	jobs_init(&r->jobs, first, &r->plan, &r->order);
	bool good = jobs_run(&r->jobs, (size_t)r->options->jobs, work, r);
	jobs_fini(&r->jobs);
	return good;
}

static bool work_alone(struct run *r, struct job *job)
{
	struct reader reader;
	bool ready = reader_init(&reader, r->options, r->context, &r->order, &r->progress, true);
	for (bool more = true; ready && more && !r->order.writer.error; more = plan_next(&r->plan, job)) {
		work_do(&reader, NULL, job);
		job_fini(job);
	}
	reader_fini(&reader);
	job_fini(job);
	return ready;
}

/* The title of a page is the first name, which may come out of a list. */
static bool begin(struct run *r)
{
	const char *first = plan_first(&r->plan);
	size_t n = first && strcmp(first, "-") ? strlen(first) + 1 : 0;
	if (n) {
		r->title = malloc(n);
		if (!r->title)
			return false;
		r->options->out.title = memcpy(r->title, first, n);
	}
	return r->options->output->begin(&r->order.out);
}

static bool run(struct run *r)
{
	struct job first = { .kind = JOB_SOURCE };
	bool together = r->options->jobs > 1 && !r->options->output->wants_plain;
	plan_init(&r->plan, r->options, together);
	r->context = urlsift_context_new(NULL);
	if (!r->context || !order_init(&r->order, r->options, r->context, &r->progress) || !begin(r))
		return false;
	bool good = true;
	if (plan_next(&r->plan, &first))
		good = together && plan_more(&r->plan) ? work_together(r, &first) : work_alone(r, &first);
	r->options->output->end(&r->order.out);
	return good;
}

enum status run_options(struct options *o)
{
	struct run *r = calloc(1, sizeof *r);
	enum status status = STATUS_INPUT;
	if (r) {
		r->options = o;
		progress_init(&r->progress, o->progress, o->files, o->file_count, o->files_from);
		if (run(r))
			status = order_end(&r->order);
		else
			report("out of memory");
		progress_fini(&r->progress);
		plan_fini(&r->plan);
		order_fini(&r->order);
		urlsift_context_free(r->context);
		free(r->title);
	} else {
		report("out of memory");
	}
	free(r);
	return status;
}
