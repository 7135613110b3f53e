// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Some races are lost only if a task is delayed at the wrong moment while another one runs, once in
 * thousands of runs. A task of higher priority that runs at random moments, about as long as other
 * work takes, delays whatever it preempts.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "loader/core/sys/sys.h"
#include "test/regress/harness/disturb.h"
#include "test/regress/harness/run.h"
#include "test/regress/harness/suite.h"

static uint64_t between(uint64_t *state, uint64_t least_us, uint64_t most_us)
{
	return (least_us + suite_chance(state) % (most_us - least_us)) * 1000;
}

/* Usually at most the duration of a short system call, sometimes that of a grace period. */
static uint64_t stay_ns(uint64_t *state)
{
	const unsigned int of_thousand = suite_chance(state) % 1000;

	if (of_thousand < 700)
		return between(state, 20, 400);
	if (of_thousand < 970)
		return between(state, 1000, 6000);
	if (of_thousand < 998)
		return between(state, 10000, 40000);
	return between(state, 100000, 200000);
}

/* Use about half of the CPU: each pause is half of the last run, and a bit more. */
static _Noreturn void disturb(uint64_t state)
{
	for (;;) {
		const uint64_t stay = stay_ns(&state), end = sys_monotonic_ns() + stay,
			       away = stay / 2 + between(&state, 100, 4000);
		const struct timespec pause = { 0, away };

		while (sys_monotonic_ns() < end)
			;
		nanosleep(&pause, NULL);
	}
}

/*
 * Before Linux 5.11, pull_rt_task() may move a SCHED_FIFO task to a CPU that has gone offline,
 * where it continues to run, and the kernel warns about it. This does not happen to a fair task.
 * Return the errno or 0.
 */
static int come_first(void)
{
	const struct sched_param param = { .sched_priority = 1 };
	const int ret = runner_kernel() < LINUX(5, 11) ? setpriority(PRIO_PROCESS, 0, -20) :
							sched_setscheduler(0, SCHED_FIFO, &param);

	return ret ? errno : 0;
}

/* Report the errno of a refusal, or 0, through the pipe. */
static _Noreturn void become(int cpu, pid_t parent, int tell_fd)
{
	cpu_set_t set;
	int code;

	prctl(PR_SET_NAME, "disturb");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (getppid() != parent)
		code = ESRCH;
	else
		code = sched_setaffinity(0, sizeof(set), &set) ? errno : come_first();
	if (write(tell_fd, &code, sizeof(code)) != sizeof(code) || code)
		_exit(1);
	for (int fd = 0; fd <= tell_fd; fd++)
		close(fd);
	disturb(sys_monotonic_ns() ^ (uint64_t)(cpu + 1) << 32);
}

static int begin_one(struct disturb *d, int cpu, const int fds[2])
{
	const pid_t self = getpid(), pid = fork();
	int code;

	if (pid == 0)
		become(cpu, self, fds[1]);
	if (pid < 0)
		return -errno;
	d->pids[d->nr++] = pid;
	return read(fds[0], &code, sizeof(code)) == sizeof(code) ? -code : -EIO;
}

int disturb_begin(struct disturb *d)
{
	cpu_set_t may;
	int fds[2], ret = 0;

	*d = (struct disturb){ 0 };
	if (sched_getaffinity(0, sizeof(may), &may) || pipe(fds))
		return -errno;
	d->pids = calloc(CPU_COUNT(&may), sizeof(*d->pids));
	if (!d->pids)
		ret = -ENOMEM;
	fflush(NULL);
	for (int cpu = 0; !ret && cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &may))
			ret = begin_one(d, cpu, fds);
	close(fds[0]);
	close(fds[1]);
	if (ret)
		disturb_end(d);
	return ret;
}

void disturb_end(struct disturb *d)
{
	for (unsigned int i = 0; i < d->nr; i++) {
		kill(d->pids[i], SIGKILL);
		waitpid(d->pids[i], NULL, 0);
	}
	free(d->pids);
	*d = (struct disturb){ 0 };
}
