// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * libbpf behind the contract of the course. It prints as much of an object as libbpf's functions
 * tell of it.
 *
 *	libbpf OBJECT load|ioctl|pmu|link COOKIE [PIN]
 */
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "test/judge/loaders/peer.h"

static struct bpf_object *object;
static struct bpf_link *links[MAX_CPUS];
static int nr_cpus;

/* A map of variables has the name of the object and of its section. */
static const char *map_name(const struct bpf_map *map)
{
	const char *name = bpf_map__name(map), *dot = strchr(name, '.');

	return bpf_map__is_internal(map) && dot ? dot : name;
}

static void print_object(void)
{
	struct bpf_program *prog;
	struct bpf_map *map;

	bpf_object__for_each_program(prog, object)
		printf("program %s section=%s insns=%zu\n", bpf_program__name(prog),
		       bpf_program__section_name(prog), bpf_program__insn_cnt(prog));
	bpf_object__for_each_map(map, object)
		printf("map %s type=%u key=%u value=%u entries=%u flags=0x%x\n", map_name(map),
		       bpf_map__type(map), bpf_map__key_size(map), bpf_map__value_size(map),
		       bpf_map__max_entries(map), bpf_map__map_flags(map));
}

static struct bpf_program *load_first(void)
{
	struct bpf_program *first = bpf_object__next_program(object, NULL), *prog;

	bpf_object__for_each_program(prog, object)
		bpf_program__set_autoload(prog, prog == first);
	if (bpf_object__load(object))
		exit(1);
	return first;
}

/* libbpf enables the event once it is attached, and destroys it with the link. */
static void attach(struct bpf_program *prog, const char *method, uint64_t cookie)
{
	LIBBPF_OPTS(bpf_perf_event_opts, opts, .bpf_cookie = cookie);

#if LIBBPF_MAJOR_VERSION > 1 || LIBBPF_MINOR_VERSION >= 4
	opts.force_ioctl_attach = strcmp(method, "link") != 0;
#endif
	for (int cpu = 0; cpu < nr_cpus && cpu < MAX_CPUS; cpu++) {
		const int fd = open_event(method, cpu);

		if (fd < 0)
			continue;
		links[nr_events] = bpf_program__attach_perf_event_opts(prog, fd, &opts);
		if (!links[nr_events])
			err(1, "bpf_program__attach_perf_event_opts");
		events[nr_events++] = fd;
	}
}

/* Pin all links, or none. */
static void pin_links(const char *pin)
{
	char path[4096];
	int nr = 0;

	for (; nr < nr_events; nr++) {
		snprintf(path, sizeof(path), nr ? "%s_%d" : "%s", pin, nr);
		if (bpf_link__pin(links[nr], path))
			break;
	}
	if (nr == nr_events)
		return;
	warn("bpf_link__pin at %s", path);
	while (nr-- > 0)
		bpf_link__unpin(links[nr]);
	exit(1);
}

static void print_variables(const struct bpf_map *map)
{
	const struct btf *btf = bpf_object__btf(object);
	const struct btf_type *sec = btf__type_by_id(btf, bpf_map__btf_value_type_id(map));
	const struct btf_var_secinfo *var = sec ? btf_var_secinfos(sec) : NULL;
	unsigned char *value = calloc(1, bpf_map__value_size(map));
	const uint32_t key = 0;

	if (bpf_map_lookup_elem(bpf_map__fd(map), &key, value))
		err(1, "bpf_map_lookup_elem");
	for (int i = 0; var && i < btf_vlen(sec); i++) {
		printf("variable %s",
		       btf__name_by_offset(btf, btf__type_by_id(btf, var[i].type)->name_off));
		print_bytes(value + var[i].offset, var[i].size);
		printf("\n");
	}
	free(value);
}

static int print_record(void *name, void *data, size_t size)
{
	printf("record %s ", (const char *)name);
	for (size_t i = 0; i < size; i++)
		printf("%02x", ((const unsigned char *)data)[i]);
	printf("\n");
	return 0;
}

static struct ring_buffer *rings;	/* or NULL */

static void open_rings(void)
{
	struct bpf_map *map;

	bpf_object__for_each_map(map, object) {
		void *name = (void *)bpf_map__name(map);

		if (bpf_map__type(map) != BPF_MAP_TYPE_RINGBUF)
			continue;
		if (!rings)
			rings = ring_buffer__new(bpf_map__fd(map), print_record, name, NULL);
		else if (ring_buffer__add(rings, bpf_map__fd(map), print_record, name))
			err(1, "ring_buffer__add");
		if (!rings)
			err(1, "ring_buffer__new");
	}
}

static void read_rings(void)
{
	if (ring_buffer__consume(rings) < 0)
		err(1, "ring_buffer__consume");
}

static void print_map(const struct bpf_map *map)
{
	if (bpf_map__is_internal(map)) {
		print_variables(map);
	} else if (bpf_map__type(map) != BPF_MAP_TYPE_RINGBUF) {
		print_elements(bpf_map__fd(map), bpf_map__name(map), nr_cpus);
	}
}

int main(int argc, char **argv)
{
	struct bpf_map *map;

	if (argc < 4)
		errx(2, "usage: libbpf OBJECT load|ioctl|pmu|link COOKIE [PIN]");
	nr_cpus = libbpf_num_possible_cpus();
	object = bpf_object__open_file(argv[1], NULL);
	if (!object)
		return 1;
	print_object();
	if (!strcmp(argv[2], "load")) {
		if (bpf_object__load(object))
			return 1;
		wait_for_end(0, NULL);
		return 0;
	}
	attach(load_first(), argv[2], strtoull(argv[3], NULL, 0));
	if (argc > 4)
		pin_links(argv[4]);
	open_rings();
	wait_for_end(argc > 4, rings ? read_rings : NULL);
	if (rings)
		read_rings();
	bpf_object__for_each_map(map, object)
		print_map(map);
	return 0;
}
