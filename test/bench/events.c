// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Time the conversion of -e arguments to perf_event_attr, with PMUs that list a thousand events
 * each. The shortest of many rounds counts; the name of a row has the number of events. usage:
 * events DIR, which is created, filled and removed again.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "loader/core/event/steps.h"
#include "test/bench/figure.h"

#define DEVICES "/sys/bus/event_source/devices"
#define NR_EVENTS 1000
#define NR_UNCORE 16
#define ROUNDS 200

static char root[256];

/* --- a simulated sysfs --- */

/* Forward calls to the kernel, with the paths in sysfs redirected. */
static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct sys *next = sys_linux();
	unsigned long moved[6];
	char path[1024];

	(void)sys;
	if (nr != __NR_openat || strncmp((const char *)arg[1], DEVICES, strlen(DEVICES)))
		return next->enter(next, nr, arg);
	memcpy(moved, arg, sizeof(moved));
	snprintf(path, sizeof(path), "%s%s", root, (const char *)arg[1] + strlen(DEVICES));
	moved[1] = (unsigned long)path;
	return next->enter(next, nr, moved);
}

static void put(const char *text, const char *fmt, const char *pmu, unsigned int nr)
{
	char path[1024], file[512];
	FILE *f;

	snprintf(file, sizeof(file), fmt, pmu, nr);
	snprintf(path, sizeof(path), "%s/%s", root, file);
	f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f)) {
		perror(path);
		exit(1);
	}
}

static void make_pmu(const char *pmu, unsigned int type)
{
	static const char *const dirs[] = { "", "/events", "/format" };
	char path[1024], text[16];

	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof(path), "%s/%s%s", root, pmu, dirs[i]);
		mkdir(path, 0777);
	}
	snprintf(text, sizeof(text), "%u\n", type);
	put(text, "%s/type", pmu, 0);
	put("config:0-7\n", "%s/format/event", pmu, 0);
	put("config:8-15\n", "%s/format/umask", pmu, 0);
	for (unsigned int i = 0; i < NR_EVENTS; i++)
		put("event=0x3c,umask=0x01\n", "%s/events/an-event-of-this-pmu-%u", pmu, i);
	put("event=0x3c,umask=0x01\n", "%s/events/its-own", pmu, 0);
}

static void make_all(void)
{
	char name[32];

	mkdir(root, 0777);
	make_pmu("cpu", 4);
	put("event=0x3c\n", "%s/events/cpu-cycles", "cpu", 0);
	for (unsigned int i = 0; i < NR_UNCORE; i++) {
		snprintf(name, sizeof(name), "uncore_imc_%u", i);
		make_pmu(name, 20 + i);
	}
}

/* --- the clock --- */

static int note_nothing(void *arg, const char *wanted, const char *taken, const struct error *why,
			struct error *err)
{
	(void)arg, (void)wanted, (void)taken, (void)why, (void)err;
	return 0;
}

static void say_nothing(void *arg, const char *text)
{
	(void)arg, (void)text;
}

/* Return the number of events, or the expected error if there are none. */
static int resolve(struct sys *sys, const char *text)
{
	const struct event_expand_hooks say = { say_nothing, note_nothing, NULL };
	struct event_list list = { 0 };
	struct error err = { 0 };
	int ret = event_list_parse(&list, text, &err), nr;

	if (!ret)
		ret = event_list_expand(sys, &list, &say, &err);
	for (unsigned int i = 0; !ret && i < list.nr; i++) {
		struct perf_event_attr attr = { .size = sizeof(attr) };
		struct cpu_list cpus;

		ret = event_by_pmu(sys, &list.specs[i], &attr, &cpus, &err);
		cpu_list_free(&cpus);
	}
	nr = ret ? ret : (int)list.nr;
	event_list_free(&list);
	return nr;
}

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void measure(const char *text)
{
	struct sys sys = { .enter = enter };
	double us[ROUNDS];
	char name[128];
	int nr = 0;

	for (int i = 0; i < ROUNDS; i++) {
		struct timespec a, b;

		clock_gettime(CLOCK_MONOTONIC, &a);
		nr = resolve(&sys, text);
		clock_gettime(CLOCK_MONOTONIC, &b);
		us[i] = (b.tv_sec - a.tv_sec) * 1e6 + (b.tv_nsec - a.tv_nsec) / 1e3;
	}
	qsort(us, ROUNDS, sizeof(us[0]), compare);
	if (nr < 0)
		snprintf(name, sizeof(name), "%s (refused)", text);
	else
		snprintf(name, sizeof(name), "%s (%d)", text, nr);
	figure("events", name, "pload", "us", us[0]);
}

int main(int argc, char **argv)
{
	static const char *const texts[] = {
		"cycles", "cpu/event=0x3c,umask=1/", "cpu/an-event-of-this-pmu-999/",
		"an-event-of-this-pmu-999", "its-own", "uncore_imc/an-event-of-this-pmu-999/",
		"an-event-of-this-pmu-99x",
	};
	char command[600];

	if (argc != 2 || strlen(argv[1]) >= sizeof(root) - 16) {
		fprintf(stderr, "usage: events DIR\n");
		return 2;
	}
	snprintf(root, sizeof(root), "%s/devices", argv[1]);
	make_all();
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		measure(texts[i]);
	snprintf(command, sizeof(command), "rm -r '%s'", root);
	return system(command) != 0;
}
