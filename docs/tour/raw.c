// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * This program does what docs/tour/tour.c does by raw system calls alone, without ELF, BTF and
 * pload. The program is written as the instructions that the verifier reads.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <linux/bpf.h>
#include <linux/perf_event.h>

/*
 * An instruction has eight bytes: opcode, two registers of four bits each, a signed offset and a
 * signed immediate. Documentation/bpf/standardization/instruction-set.rst has the opcodes.
 */
#define INSN(op, dst, src, off_, imm_) \
	{ .code = (op), .dst_reg = (dst), .src_reg = (src), .off = (off_), .imm = (imm_) }
#define MOV_IMM(dst, imm) INSN(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm)
#define MOV_REG(dst, src) INSN(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0)
#define ADD_IMM(dst, imm) INSN(BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, imm)
#define STORE_W(dst, off, imm) INSN(BPF_ST | BPF_MEM | BPF_W, dst, 0, off, imm)
#define CALL(helper) INSN(BPF_JMP | BPF_CALL, 0, 0, 0, helper)
#define JUMP_IF_ZERO(dst, off) INSN(BPF_JMP | BPF_JEQ | BPF_K, dst, 0, off, 0)
#define ATOMIC_ADD(dst, src) INSN(BPF_STX | BPF_ATOMIC | BPF_DW, dst, src, 0, BPF_ADD)
#define EXIT() INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)
/* Two instructions hold one constant of 64 bits; BPF_PSEUDO_MAP_FD: it is a map's descriptor. */
#define LOAD_MAP(dst, fd) \
	INSN(BPF_LD | BPF_DW | BPF_IMM, dst, BPF_PSEUDO_MAP_FD, 0, fd), INSN(0, 0, 0, 0, 0)

/* A kernel whose union bpf_attr is smaller accepts this one if the bytes beyond its own are 0. */
static int bpf(int cmd, union bpf_attr *attr)
{
	return syscall(__NR_bpf, cmd, attr, sizeof(*attr));
}

/* Return @ret, the result of @call; exit if the call failed. */
static int check(int ret, const char *call)
{
	if (ret >= 0)
		return ret;
	fprintf(stderr, "raw: %s: %s\n", call, strerror(errno));
	exit(1);
}

/* A loader creates the same map for `__u64 runs;`: an array whose one element is the variable. */
static int create_map(void)
{
	union bpf_attr attr = { .map_type = BPF_MAP_TYPE_ARRAY, .key_size = sizeof(uint32_t),
				.value_size = sizeof(uint64_t), .max_entries = 1 };

	return check(bpf(BPF_MAP_CREATE, &attr), "BPF_MAP_CREATE");
}

/* `runs++; return 0;`, relocated already: LOAD_MAP() holds the map's descriptor. */
static int load_prog(int map_fd)
{
	const struct bpf_insn insns[] = {
		STORE_W(BPF_REG_10, -4, 0),	/* the key, 0, on the stack */
		MOV_REG(BPF_REG_2, BPF_REG_10),
		ADD_IMM(BPF_REG_2, -4),
		LOAD_MAP(BPF_REG_1, map_fd),
		CALL(BPF_FUNC_map_lookup_elem),
		JUMP_IF_ZERO(BPF_REG_0, 2),	/* the verifier requires this check for NULL */
		MOV_IMM(BPF_REG_1, 1),
		ATOMIC_ADD(BPF_REG_0, BPF_REG_1),
		MOV_IMM(BPF_REG_0, 0),
		EXIT(),
	};
	union bpf_attr attr = { .prog_type = BPF_PROG_TYPE_PERF_EVENT,
				.insns = (uintptr_t)insns,
				.insn_cnt = sizeof(insns) / sizeof(insns[0]),
				.license = (uintptr_t) "Dual BSD/GPL" };

	return check(bpf(BPF_PROG_LOAD, &attr), "BPF_PROG_LOAD");
}

static uint64_t read_runs(int map_fd)
{
	uint32_t key = 0;
	uint64_t runs = 0;
	union bpf_attr attr = { .map_fd = map_fd,
				.key = (uintptr_t)&key, .value = (uintptr_t)&runs };

	check(bpf(BPF_MAP_LOOKUP_ELEM, &attr), "BPF_MAP_LOOKUP_ELEM");
	return runs;
}

/* sysfs has the number of each PMU; that of "software" is the fixed PERF_TYPE_SOFTWARE. */
static uint32_t pmu_type(void)
{
	FILE *file = fopen("/sys/bus/event_source/devices/software/type", "r");
	uint32_t type;

	check(file && fscanf(file, "%u", &type) == 1 ? 0 : -1, "the type of PMU 'software'");
	fclose(file);
	return type;
}

static void attach(const char *method, int prog_fd, int map_fd, double seconds)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_CPU_CLOCK, .freq = 1,
					.sample_freq = 999, .disabled = 1 };
	const clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
	const uint64_t before = read_runs(map_fd);
	int event_fd, link_fd = -1;

	if (!strcmp(method, "pmu"))
		attr.type = pmu_type();
	/* Open it for this task (pid 0) on any CPU (-1): while this task sleeps, no samples. */
	event_fd = check(syscall(__NR_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC),
			 "perf_event_open");
	/* Bind the program to it. */
	if (!strcmp(method, "link")) {
		union bpf_attr create = { .link_create = { .prog_fd = prog_fd,
							   .target_fd = event_fd,
							   .attach_type = BPF_PERF_EVENT } };

		link_fd = check(bpf(BPF_LINK_CREATE, &create), "BPF_LINK_CREATE");
	} else {
		check(ioctl(event_fd, PERF_EVENT_IOC_SET_BPF, prog_fd), "PERF_EVENT_IOC_SET_BPF");
	}
	/* Enable it. */
	check(ioctl(event_fd, PERF_EVENT_IOC_ENABLE, 0), "PERF_EVENT_IOC_ENABLE");
	while (clock() < end)
		;	/* Use the CPU, which is what the event samples. */
	close(link_fd);
	close(event_fd);
	printf("%s: the program ran %ju times\n", method, (uintmax_t)(read_runs(map_fd) - before));
}

/* usage: raw [SECONDS [METHOD]] */
int main(int argc, char **argv)
{
	static const char *const methods[] = { "ioctl", "pmu", "link" };
	const double seconds = argc > 1 ? atof(argv[1]) : 0.1;
	const int map_fd = create_map(), prog_fd = load_prog(map_fd);

	for (int i = 0; i < 3; i++)
		if (argc < 3 || !strcmp(argv[2], methods[i]))
			attach(methods[i], prog_fd, map_fd, seconds);
	return 0;
}
