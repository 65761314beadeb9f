/* Runs a command and measures it.
 *
 *     run [-c CPU] [-n TIMES] [-i FILE | -p FILE] OUTPUT COMMAND [ARGUMENT]...
 *
 * The command's output goes over the beginning of OUTPUT, which is not cut: a file in memory whose pages are
 * there already.  FILE comes as standard input, with -p by a pipe.  -c: on this processor alone.  One line is written:
 * the least, the middle and the mean seconds of TIMES runs, peak KB, bytes of output, the last status, the mean seconds
 * of processor time.
 *
 * A program of its own because the peak of a process counts what its parent held when it was made. */
#define _GNU_SOURCE 1
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { RUNS_MAX = 10000, BLOCK = 128 * 1024 };

struct options {
	const char *input, *output;
	int piped;
	char **command;
	int cpu, times;
};

static double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double processor(const struct rusage *usage)
{
	return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
	       (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

static void fail(const char *what)
{
	perror(what);
	_exit(127);
}

static void pin(int cpu)
{
#ifdef __linux__
	cpu_set_t set;
	CPU_ZERO(&set);
	if (cpu >= 0) {
		CPU_SET((size_t)cpu, &set);
		sched_setaffinity(0, sizeof set, &set);
	}
#else
	(void)cpu;
#endif
}

/* A process that writes a file into a pipe; *end is where it comes out. */
static pid_t writer(const char *path, int *end)
{
	int ends[2];
	if (pipe(ends) != 0)
		fail("pipe");
	pid_t pid = fork();
	if (pid == 0) {
		static char block[BLOCK];
		int in = open(path, O_RDONLY);
		ssize_t n;
		close(ends[0]);
		while ((n = read(in, block, sizeof block)) > 0)
			for (ssize_t done = 0, w; done < n; done += w)
				if ((w = write(ends[1], block + done, (size_t)(n - done))) < 0)
					_exit(0);
		_exit(0);
	}
	close(ends[1]);
	*end = ends[0];
	return pid;
}

static double once(const struct options *o, int out, struct rusage *usage, int *status)
{
	int in = o->piped ? -1 : open(o->input, O_RDONLY);
	double begin = seconds();
	pid_t feeder = o->piped ? writer(o->input, &in) : 0;
	pid_t pid = fork();
	if (pid == 0) {
		int null = open("/dev/null", O_WRONLY);
		pin(o->cpu);
		if (dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(null, 2) < 0)
			fail("dup2");
		execvp(o->command[0], o->command);
		_exit(127);
	}
	close(in);
	if (pid < 0 || wait4(pid, status, 0, usage) < 0)
		fail(o->command[0]);
	double time = seconds() - begin;
	if (feeder)
		waitpid(feeder, NULL, 0);
	return time;
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	static double times[RUNS_MAX];
	struct options o = { .input = "/dev/null", .cpu = -1, .times = 1 };
	int c;
	while ((c = getopt(argc, argv, "+c:i:n:p:")) != -1) {
		if (c == 'p' || c == 'i') {
			o.input = optarg;
			o.piped = c == 'p';
		} else if (c == 'c') {
			o.cpu = (int)strtol(optarg, NULL, 10);
		} else if (c == 'n') {
			o.times = (int)strtol(optarg, NULL, 10);
		} else {
			return 2;
		}
	}
	if (argc - optind < 2 || o.times < 1 || o.times > RUNS_MAX)
		return 2;
	o.output = argv[optind];
	o.command = argv + optind + 1;
	int out = open(o.output, O_WRONLY | O_CREAT, 0600), status = 0;
	if (out < 0)
		fail(o.output);
	struct rusage usage;
	double sum = 0, busy = 0;
	long peak = 0;
	off_t length = 0;
	for (int i = 0; i < o.times; i++) {
		lseek(out, 0, SEEK_SET);
		sum += times[i] = once(&o, out, &usage, &status);
		busy += processor(&usage);
		length = lseek(out, 0, SEEK_CUR);
		peak = usage.ru_maxrss > peak ? usage.ru_maxrss : peak;
	}
	qsort(times, (size_t)o.times, sizeof times[0], by_size);
	printf("%.9f %.9f %.9f %ld %lld %d %.9f\n", times[0], times[o.times / 2], sum / o.times, peak, (long long)length,
	       WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), busy / o.times);
	return 0;
}
