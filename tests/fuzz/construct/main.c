/* Runs a fuzzer without a search for new paths: construct-runs [-t SECONDS] RUNS [SEED], outsider-runs likewise.  Run
 * SEED + i has this number as its seed, so that `construct-runs 1 NUMBER` repeats what failed.  Ends after SECONDS of
 * processor time. */
#define _DEFAULT_SOURCE 1 /* for setitimer */
#include "../fuzz.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include <sanitizer/common_interface_defs.h>
#include <unistd.h>

static unsigned long long first, current;
static const char *name;

static double spent(void) { return (double)clock() / CLOCKS_PER_SEC; }

static void say(void)
{
	char line[160];
	int n = snprintf(line, sizeof line, "%s: failed with seed %llu, run %llu, %.1f s of processor time\n",
		name, current, current - first + 1, spent());
	if (n > 0 && write(STDERR_FILENO, line, (size_t)n) < 0)
		_exit(2);
}

static void on_signal(int signal)
{
	say();
	_exit(signal == SIGPROF ? 3 : 1);
}

int main(int argc, char **argv)
{
	const struct itimerval limit = { .it_value.tv_sec = 20 }; /* of processor time, for a run */
	double most = 0;
	name = argv[0];
	if (argc > 2 && !strcmp(argv[1], "-t")) {
		most = strtod(argv[2], NULL);
		argc -= 2;
		argv += 2;
	}
	unsigned long long runs = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
	first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	__sanitizer_set_death_callback(say);
	signal(SIGABRT, on_signal);
	signal(SIGPROF, on_signal);
	for (current = first; current < first + runs && (most <= 0 || spent() < most); current++) {
		uint8_t data[8];
		unsigned long long mixed = (current + 1) * 0x9e3779b97f4a7c15u;
		for (int i = 0; i < 8; i++)
			data[i] = (uint8_t)(mixed >> (8 * i));
		setitimer(ITIMER_PROF, &limit, NULL);
		LLVMFuzzerTestOneInput(data, sizeof data);
	}
	printf("%llu passed, 0 failed, %.0f s of processor time\n", current - first, spent());
	return 0;
}
