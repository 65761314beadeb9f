#include "job.h"

#include "inbox.h"

#include <stdlib.h>

void job_fini(struct job *job)
{
	free(job->name);
	free(job->why);
	inbox_free(job->inbox);
	if (job->kind == JOB_RANGE)
		source_close(&job->source);
	*job = (struct job){ .kind = JOB_SOURCE };
}
