// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A tour of pload in one program: from the bytes of a file to a BPF program that runs, by each of
 * the three methods, with nothing but public functions of the core. Read it from main() upwards.
 *
 *	build/tour build/progs/ip_count.bpf.o
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "loader/core/attach/attach.h"
#include "loader/core/kernel/kernel.h"
#include "loader/core/object/object.h"
#include "loader/core/sys/file.h"

#define WORK_SECONDS 0.1

/*
 * Every function that may fail takes a struct error, and fills in the description of the failure,
 * its context and a hint. main() of pload prints the reason code, the system call and the log, too.
 */
static int give_up(const struct error *err)
{
	fprintf(stderr, "tour: %s: %s\n", err->where, err->what);
	if (err->hint[0])
		fprintf(stderr, "hint: %s\n", err->hint);
	return 1;
}

/*
 * Stage 1: the bytes become an object. A struct file reads only the parts of the file that are
 * used. bpf_object_read() checks the ELF headers, the BTF (the C types, functions and variables of
 * the object, in .BTF) and the relocations once; the later stages rely on that. It loads nothing.
 */
static int read_object(struct sys *sys, const char *path, struct file *file,
		       struct bpf_object *object, struct error *err)
{
	const uint64_t size_max = 16 << 20;
	int ret = file_open(file, sys, path, size_max, err);

	if (!ret)
		ret = bpf_object_read(object, path, &file->source, err);
	if (ret)
		return ret;
	printf("%s: %u maps, %u programs\n", path, object->nr_maps, object->nr_progs);
	for (uint32_t i = 0; i < object->nr_maps; i++)
		printf("  map '%s' of type %u, with keys of %u and values of %u bytes\n",
		       object->maps[i].name, object->maps[i].type, object->maps[i].key_size,
		       object->maps[i].value_size);
	return 0;
}

/*
 * Stage 2: the maps, in which a program keeps its data and which other processes can read. The
 * kernel gets the BTF of the object first, because the maps refer to it, and then one
 * BPF_MAP_CREATE for each map. The global variables of a section are the only element of a map.
 */
static int create_maps(struct sys *sys, const struct bpf_object *object,
		       struct kernel_object *kernel, struct error *err)
{
	const struct map_options options = { .nr_possible_cpus = 1 };

	return kernel_load_maps(sys, object, &options, kernel, err);
}

/*
 * Stage 3: the program. The compiler could not know the descriptors of the maps, and left
 * relocations. relocate() writes the descriptors into the instructions that load addresses of maps.
 * It also appends the functions that the program calls. The verifier of the kernel then follows
 * each path through the program, and refuses the program if it could do something forbidden.
 */
static int load_program(struct sys *sys, struct bpf_object *object, struct kernel_object *kernel,
			uint32_t prog, struct error *err)
{
	int *map_fds = calloc(object->nr_maps + 1, sizeof(*map_fds));
	struct prog_code code;
	int ret;

	if (!map_fds)
		return error_set(err, ENOMEM, "no memory for %u descriptors", object->nr_maps);
	kernel_map_fds(kernel, object, map_fds);
	ret = relocate(object, prog, map_fds, &code, err);
	free(map_fds);
	if (ret)
		return ret;
	printf("  program '%s': %u instructions, in which %u addresses of maps were written\n",
	       object->progs[prog].name, code.nr_insns, code.nr_map_refs);
	ret = kernel_verify_prog(sys, kernel, prog, &code, err);
	prog_code_free(&code);
	return ret;
}

static void work(void)
{
	const clock_t end = clock() + (clock_t)(WORK_SECONDS * CLOCKS_PER_SEC);

	while (clock() < end)
		;
}

/*
 * Stage 4: open, bind, enable. The first half of a method is how the event is described: by a type
 * that never changes, or by the type and format in the sysfs directory of its PMU, the kernel's
 * driver of such events. The second half is how the program is bound: by an ioctl of the event, or
 * by a link. attach_events() does the same for each CPU and task of a scope; here it is one event,
 * for this task (tid 0) on any CPU (-1): other tasks are not sampled, nor this one while it sleeps.
 */
static int attach(struct sys *sys, const struct attach_method *method,
		  const struct event_spec *event, int prog_fd, struct attachment *a,
		  struct error *err)
{
	struct perf_event_attr attr = { .size = sizeof(attr) };
	struct cpu_list cpus = { 0 };
	int ret = method->describe(sys, event, &attr, &cpus, err);

	cpu_list_free(&cpus);
	if (!ret)
		ret = event_sampling(event, 0, 999, &attr, err);
	if (!ret)
		ret = a->event_fd = event_open(sys, event, &attr, &a->target, -1, err);
	if (ret >= 0)
		ret = method->bind(sys, a, prog_fd, 0, err);
	if (ret >= 0)
		ret = sys_ioctl(sys, a->event_fd, PERF_EVENT_IOC_ENABLE, 0);
	return ret;
}

/* Stage 5: the program runs while its event is open. The kernel counts how often. */
static int run(struct sys *sys, const struct attach_method *method, struct kernel_object *kernel,
	       uint32_t prog, struct error *err)
{
	const struct event_spec event = { .text = "cpu-clock", .kind = EVENT_SOFTWARE,
					  .fixed.config = PERF_COUNT_SW_CPU_CLOCK };
	struct attachment a = { .event_fd = -1, .link_fd = -1, .target = { .tid = 0, .cpu = -1 } };
	const uint64_t before = kernel->progs[prog].run_cnt;
	int ret = attach(sys, method, &event, kernel->progs[prog].fd, &a, err);

	if (ret >= 0)
		work();
	/* Closing the descriptors undoes it all: the link first, as it holds the event. */
	sys_close_fd(sys, &a.link_fd);
	sys_close_fd(sys, &a.event_fd);
	if (ret >= 0)
		ret = kernel_count_runs(sys, kernel, err);
	if (ret >= 0)
		printf("%s: the program ran %llu times\n", method->name,
		       (unsigned long long)(kernel->progs[prog].run_cnt - before));
	return ret;
}

int main(int argc, char **argv)
{
	/* Every system call passes this struct, so that a test can replace the kernel. */
	struct sys *sys = sys_linux();
	struct file file = { 0 };
	struct bpf_object object = { 0 };
	struct kernel_object kernel = { 0 };
	struct error err = { 0 };
	int ret;

	if (argc != 2) {
		fprintf(stderr, "usage: tour build/progs/ip_count.bpf.o\n");
		return 2;
	}
	ret = read_object(sys, argv[1], &file, &object, &err);
	if (!ret)
		ret = create_maps(sys, &object, &kernel, &err);
	if (!ret)
		ret = load_program(sys, &object, &kernel, 0, &err);
	if (!ret)
		kernel_start_counting(sys, &kernel);
	for (unsigned int i = 0; ret >= 0 && i < attach_nr_methods; i++)
		ret = run(sys, &attach_methods[i], &kernel, 0, &err);
	if (ret < 0)
		ret = give_up(&err);
	error_clear(&err);
	kernel_unload(sys, &kernel);
	bpf_object_free(&object);
	file_close(&file);
	return ret;
}
