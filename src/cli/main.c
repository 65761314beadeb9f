/* urlsift(1). */
#include "verbs.h"

#include "index/sqlite.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static enum status run(struct options *o)
{
	char why[WHY_SIZE];
	bool stores = (o->verb->bit & (VERB_INDEX | VERB_QUERY)) || o->pages.output;
	if (!stores || sqlite_load(why))
		return o->verb->run(o);
	return report_input("%s needs SQLite: %s", o->verb->name, why);
}

int main(int argc, char **argv)
{
	/* A descriptor of 0 to 2 that is closed would be given to the next file that is opened.  /dev/null takes its place,
	 * open the wrong way round, so that using it fails still. */
	static const int wrong[] = { [STDIN_FILENO] = O_WRONLY, [STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_RDONLY };
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", wrong[fd]) != fd) {
			report("/dev/null: %s", strerror(errno));
			return STATUS_OUTPUT;
		}
	/* A reader that goes away is then an error of the write, EPIPE. */
	signal(SIGPIPE, SIG_IGN);
#ifdef SIGXFSZ /* the same past a limit on the size of files, EFBIG */
	signal(SIGXFSZ, SIG_IGN);
#endif

	struct options o;
	options_init(&o);
	enum status status = options_read(&o, argc, argv);
	if (status == STATUS_DONE)
		status = o.action == ACTION_RUN ? run(&o) : help_show(&o);
	options_fini(&o);
	return (int)status;
}
