// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The program around a light skeleton, which the script skeleton compiles with two headers of the
 * object. The skeleton loads; libbpf is here for the calls that read maps alone.
 */
#include "test/judge/loaders/peer.h"

/* The skeleton has the types of variables by the names that the object has for them. */
typedef __u8 u8;
typedef __u32 u32;
typedef __u64 u64;

#include "object.h"

#include "object_maps.h"

static void pin_links(const int *links, const char *pin)
{
	char path[4096];
	int nr = 0;

	for (; nr < nr_events; nr++) {
		snprintf(path, sizeof(path), nr ? "%s_%d" : "%s", pin, nr);
		if (bpf_obj_pin(links[nr], path))
			break;
	}
	if (nr == nr_events)
		return;
	warn("BPF_OBJ_PIN at %s", path);
	while (nr-- > 0) {
		snprintf(path, sizeof(path), nr ? "%s_%d" : "%s", pin, nr);
		unlink(path);
	}
	exit(1);
}

int main(int argc, char **argv)
{
	const int cpus = sysconf(_SC_NPROCESSORS_CONF);
	struct object *object = object__open_and_load();
	int links[MAX_CPUS];

	if (!object)
		err(1, "object__open_and_load");
	if (strtoull(argv[2], NULL, 0))
		errx(1, "skel_link_create() takes no cookie");
	for (int cpu = 0; cpu < cpus && cpu < MAX_CPUS; cpu++) {
		const int fd = open_event(argv[1], cpu);

		if (fd < 0)
			continue;
		if (strcmp(argv[1], "link"))
			links[nr_events] = ioctl(fd, PERF_EVENT_IOC_SET_BPF, program(object));
		else
			links[nr_events] = skel_link_create(program(object), fd, BPF_PERF_EVENT);
		if (links[nr_events] < 0 || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0))
			err(1, "the event of CPU %d", cpu);
		events[nr_events++] = fd;
	}
	if (argc > 3)
		pin_links(links, argv[3]);
	wait_for_end(argc > 3, NULL);
	print_maps(object, cpus);
	object__destroy(object);
	return 0;
}
