/* urlsift(1). */
#include "verbs.h"
#include "options.h"

#include <signal.h>

int main(int argc, char **argv)
{
	/* A reader that goes away is then an error of the write, EPIPE. */
	signal(SIGPIPE, SIG_IGN);

	struct options o;
	enum status status = STATUS_INPUT;
	if (options_init(&o)) {
		status = options_read(&o, argc, argv);
		if (status == STATUS_DONE)
			status = o.action == ACTION_RUN ? o.verb->run(&o) : help_show(&o);
	} else {
		report("out of memory");
	}
	options_fini(&o);
	return (int)status;
}
