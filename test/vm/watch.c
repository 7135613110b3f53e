// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Runs a virtual machine, keeps the output of its console, and finds out from it how the guest ended:
 * the status of the emulator does not show it, since it is 0 for a guest that panics, too.
 *
 * usage: watch [-v] [-b FIRST] [-m MARKER] LOG SECONDS SILENCE COMMAND...
 * Status: the number after the last MARKER ("attach-regress: exit "); without one WATCH_LONG after
 * SECONDS, WATCH_SILENT after SILENCE seconds without a line except the kernel's own, WATCH_ENDED if
 * the guest ended by itself, and WATCH_NEVER in all three cases if the line FIRST ("KTAP version 1")
 * had not been seen. -v prints the lines between FIRST and MARKER.
 */
#include <err.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
	WATCH_LONG = 124,
	WATCH_SILENT = 125,
	WATCH_ENDED = 126,
	WATCH_NEVER = 127,
};

/* How long a guest may take to power off after its marker. */
#define AFTER_MS 10000

struct watch {
	const char *first, *marker;
	FILE *log;
	bool verbose;
	bool began;
	bool heard;		/* a line that is not a message of its kernel */
	int status;		/* after the marker, or -1 */
	char line[4096];
	size_t len;
};

static long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/*
 * Returns true for a message of the kernel, "[  865.057271] watchdog: ...". A guest that is stuck
 * in a loop prints such messages as long as it runs, so they are no sign of life.
 */
static bool is_of_kernel(const char *line)
{
	unsigned long seconds, fraction;

	return sscanf(line, "[ %lu.%lu]", &seconds, &fraction) == 2;
}

/* A kernel message may precede the searched text on the same line. */
static void line_ends(struct watch *w)
{
	const char *at;

	w->line[w->len] = '\0';
	w->len = 0;
	fprintf(w->log, "%s\n", w->line);
	fflush(w->log);
	w->heard |= !w->began || !is_of_kernel(w->line);
	at = strstr(w->line, w->first);
	if (at)
		w->began = true;
	if (strstr(w->line, w->marker))
		w->status = atoi(strstr(w->line, w->marker) + strlen(w->marker));
	if (w->verbose && w->began && w->status < 0) {
		printf("%s\n", at ? at : w->line);
		fflush(stdout);
	}
}

/*
 * Serial lines end with "\r\n". Firmware draws with escapes. A line without an end does not count.
 */
static void take(struct watch *w, const char *data, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		const unsigned char c = data[i];

		if (c == '\n' || w->len == sizeof(w->line) - 1)
			line_ends(w);
		if (c != '\n' && (c >= ' ' || c == '\t'))
			w->line[w->len++] = c;
	}
}

/*
 * Read until the output ends, or there has been no progress in time. Return true if the output
 * ended.
 */
static bool follow(struct watch *w, int fd, long seconds, long silence)
{
	const long end = now_ms() + seconds * 1000;
	long quiet = now_ms() + silence * 1000;
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char data[8192];
	bool late = false;

	for (;;) {
		const long now = now_ms(), until = end < quiet ? end : quiet;
		const bool over = now >= until;
		ssize_t len;

		/*
		 * If this machine was paused, the time is up although output may be waiting: read
		 * it once more.
		 */
		if (over && late)
			return false;
		late = over;
		if (poll(&p, 1, over ? 0 : until - now) <= 0)
			continue;
		len = read(fd, data, sizeof(data));
		if (len <= 0)
			break;
		take(w, data, len);
		if (w->heard)
			quiet = now_ms() + (w->status < 0 ? silence * 1000 : AFTER_MS);
		w->heard = false;
	}
	return true;
}

static pid_t start(char **command, int *out_fd)
{
	const pid_t parent = getpid();
	int fds[2];
	pid_t pid;

	if (pipe(fds))
		err(2, "pipe");
	pid = fork();
	if (pid < 0)
		err(2, "fork");
	if (!pid) {
		/* The command is killed when this process, which watches it, exits. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(2);
		dup2(fds[1], 1);
		dup2(fds[1], 2);
		close(fds[0]);
		close(fds[1]);
		execvp(*command, command);
		fprintf(stderr, "%s: %s\n", *command, strerror(errno));
		_exit(WATCH_NEVER);
	}
	close(fds[1]);
	*out_fd = fds[0];
	return pid;
}

int main(int argc, char **argv)
{
	struct watch w = { .first = "KTAP version 1", .marker = "attach-regress: exit ",
			   .status = -1 };
	bool ended;
	long begin;
	int opt, fd;
	pid_t pid;

	while ((opt = getopt(argc, argv, "+vb:m:")) != -1) {
		if (opt == 'v')
			w.verbose = true;
		else if (opt == 'b')
			w.first = optarg;
		else if (opt == 'm')
			w.marker = optarg;
		else
			return 2;
	}
	argv += optind;
	if (argc - optind < 4)
		errx(2, "usage: watch [-v] [-b FIRST] [-m MARKER] LOG SECONDS SILENCE COMMAND...");
	w.log = fopen(argv[0], "w");
	if (!w.log)
		err(2, "%s", argv[0]);
	begin = now_ms();
	pid = start(argv + 3, &fd);
	ended = follow(&w, fd, atol(argv[1]), atol(argv[2]));
	if (w.len)
		line_ends(&w);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	fclose(w.log);
	if (w.status >= 0)
		return w.status < WATCH_LONG ? w.status : 1;
	return !w.began ? WATCH_NEVER : ended ? WATCH_ENDED :
	       now_ms() - begin >= atol(argv[1]) * 1000 ? WATCH_LONG : WATCH_SILENT;
}
