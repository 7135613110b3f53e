// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The event of a program that names none: cycles if this machine really counts them, otherwise
 * cpu-clock.
 */
#include <errno.h>
#include <string.h>

#include "loader/events/grammar/events.h"

/* Do some work and return the count since the event was opened. */
static uint64_t count_some_work(struct sys *sys, int fd)
{
	volatile unsigned int work = 0;
	uint64_t count;

	while (work < 1000)
		work++;
	return sys_read(sys, fd, &count, sizeof(count)) == sizeof(count) ? count : 0;
}

static int choose_default(struct sys *sys, struct event_spec *spec, const char **why,
			  struct error *err)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE, .size = sizeof(attr),
					.config = PERF_COUNT_HW_CPU_CYCLES };
	bool counts = false;
	int fd;

	/*
	 * Count this task while it runs: on some virtual machines the event opens but stays at 0.
	 */
	sys_why(sys, "no event given: can this machine count cycles?");
	fd = sys_perf_event_open(sys, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0) {
		counts = count_some_work(sys, fd) > 0;
		sys_close(sys, fd);
	}
	if (counts)
		*why = "cycles: this machine's PMU counts them";
	else if (fd >= 0)
		*why = "cpu-clock: this machine's PMU opens cycles but does not count them";
	else if (fd == -EACCES || fd == -EPERM)
		*why = "cpu-clock: this process is not permitted to count cycles";
	else if (fd == -ENOENT || fd == -EOPNOTSUPP || fd == -ENODEV)
		*why = "cpu-clock: this machine has no PMU that counts cycles";
	else
		*why = "cpu-clock: cycles cannot be opened, for an unknown reason";
	return event_parse(spec, counts ? "cycles" : "cpu-clock", err);
}

const struct event_feature event_default_cycles = { .choose_default = choose_default };
