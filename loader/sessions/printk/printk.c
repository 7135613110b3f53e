// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Receive bpf_printk() lines through a raw tracepoint, and find the program of each. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/explain/kernel/assemble.h"
#include "loader/core/kernel/attr.h"
#include "loader/sessions/printk/printk.h"
#include "loader/core/read/ring.h"
#include "loader/base/kernel/kernel_calls.h"

#define RING_SIZE (1u << 20)	/* a power of two, and a multiple of every page size */
#define DEPTH 16		/* addresses: our program, the helper, then its caller */
#define TEXT_MAX 1024		/* BPF_TRACE_PRINTK_SIZE in kernel/trace/bpf_trace.c */

/* A record of the ring. */
struct line {
	uint64_t pid_tgid;
	uint64_t cpu;
	int64_t stack_size;	/* in bytes, or -errno */
	int64_t text_size;	/* in bytes including the NUL, or -errno */
	char comm[16];
	uint64_t stack[DEPTH];	/* innermost first */
	char text[TEXT_MAX];
};

/* The address range of a function in the kernel. */
struct range {
	uint64_t start, size;
	uint32_t prog;
};

struct printk {
	struct sys *sys;	/* borrowed, like the next one */
	const struct kernel_object *kernel;
	struct line_sink sink;
	int ring_fd, lost_fd, prog_fd, link_fd;	/* owned; -1: not open */
	struct record_stream stream;
	struct ringbuf ring;
	struct range *ranges;	/* owned; the functions of the programs */
	uint32_t nr_ranges;
	bool no_addresses;	/* the kernel does not report their addresses */
};

/* --- the program --- */

static void at(struct code *code, uint8_t reg, size_t offset)
{
	code_move(code, reg, 7);
	code_advance(code, reg, offset);
}

/*
 *	r7 = bpf_ringbuf_reserve(&ring, sizeof(struct line), 0);
 *	if (!r7) {
 *		lock *lost += 1;
 *		return 0;
 *	}
 *	bpf_get_current_comm(r7->comm, sizeof(r7->comm));
 *	r7->pid_tgid = bpf_get_current_pid_tgid();
 *	r7->cpu = bpf_get_smp_processor_id();
 *	r7->stack_size = bpf_get_stack(ctx, r7->stack, sizeof(r7->stack), 0);
 *	r7->text_size = bpf_probe_read_kernel_str(r7->text, sizeof(r7->text), ctx->args[0]);
 *	bpf_ringbuf_submit(r7, 0);
 *	return 0;
 */
static void assemble(struct code *code, int ring_fd, int lost_fd)
{
	code_move(code, 6, 1);
	code_set64(code, 1, BPF_PSEUDO_MAP_FD, (uint32_t)ring_fd);
	code_set(code, 2, sizeof(struct line));
	code_set(code, 3, 0);
	code_call(code, BPF_FUNC_ringbuf_reserve);
	code_add(code, BPF_JMP | BPF_JNE | BPF_K, 0, 0, 6, 0);
	code_set(code, 1, 1);
	code_set64(code, 2, BPF_PSEUDO_MAP_VALUE, (uint32_t)lost_fd);
	code_add(code, BPF_STX | BPF_ATOMIC | BPF_DW, 2, 1, 0, BPF_ADD);
	code_return(code, 0);
	code_move(code, 7, 0);
	at(code, 1, offsetof(struct line, comm));
	code_set(code, 2, sizeof(((struct line *)0)->comm));
	code_call(code, BPF_FUNC_get_current_comm);
	code_call(code, BPF_FUNC_get_current_pid_tgid);
	code_store(code, BPF_DW, 7, offsetof(struct line, pid_tgid), 0);
	code_call(code, BPF_FUNC_get_smp_processor_id);
	code_store(code, BPF_DW, 7, offsetof(struct line, cpu), 0);
	code_move(code, 1, 6);
	at(code, 2, offsetof(struct line, stack));
	code_set(code, 3, sizeof(((struct line *)0)->stack));
	code_set(code, 4, 0);
	code_call(code, BPF_FUNC_get_stack);
	code_store(code, BPF_DW, 7, offsetof(struct line, stack_size), 0);
	at(code, 1, offsetof(struct line, text));
	code_set(code, 2, TEXT_MAX);
	code_load(code, BPF_DW, 3, 6, 0);
	code_call(code, BPF_FUNC_probe_read_kernel_str);
	code_store(code, BPF_DW, 7, offsetof(struct line, text_size), 0);
	code_move(code, 1, 7);
	code_set(code, 2, 0);
	code_call(code, BPF_FUNC_ringbuf_submit);
	code_return(code, 0);
}

static int create_map(struct sys *sys, uint32_t type, uint32_t key_size, uint32_t value_size,
		      uint32_t max_entries)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = type;
	attr.key_size = key_size;
	attr.value_size = value_size;
	attr.max_entries = max_entries;
	return sys_bpf(sys, BPF_MAP_CREATE, &attr, ATTR_SIZE(max_entries));
}

static int load(struct printk *p)
{
	static const char name[] = "pload_printk";
	union bpf_attr attr;
	struct code code = { 0 };

	assemble(&code, p->ring_fd, p->lost_fd);
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT;
	attr.insns = attr_pointer(code.insns);
	attr.insn_cnt = code.nr;
	attr.license = attr_pointer("GPL");
	memcpy(attr.prog_name, name, sizeof(name));
	return sys_bpf(p->sys, BPF_PROG_LOAD, &attr, ATTR_SIZE(prog_name));
}

static int attach(struct printk *p)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.raw_tracepoint.name = attr_pointer("bpf_trace_printk");
	attr.raw_tracepoint.prog_fd = p->prog_fd;
	return sys_bpf(p->sys, BPF_RAW_TRACEPOINT_OPEN, &attr, ATTR_SIZE(raw_tracepoint.prog_fd));
}

static int failed(struct error *err, int code, const char *call)
{
	return error_set(err, code, "%s: %s", call, error_strerror(code));
}

static int open_all(struct printk *p, struct error *err)
{
	p->ring_fd = create_map(p->sys, BPF_MAP_TYPE_RINGBUF, 0, 0, RING_SIZE);
	p->lost_fd = create_map(p->sys, BPF_MAP_TYPE_ARRAY, 4, 8, 1);
	if (p->ring_fd < 0 || p->lost_fd < 0)
		return failed(err, p->ring_fd < 0 ? -p->ring_fd : -p->lost_fd, "BPF_MAP_CREATE");
	p->prog_fd = load(p);
	if (p->prog_fd < 0)
		return failed(err, -p->prog_fd, "BPF_PROG_LOAD");
	p->link_fd = attach(p);
	if (p->link_fd < 0)
		return failed(err, -p->link_fd, "BPF_RAW_TRACEPOINT_OPEN bpf_trace_printk");
	return ringbuf_open(p->sys, &p->ring, &p->stream, p->ring_fd, RING_SIZE, 0, err);
}

/* --- which program printed it --- */

/* Add the functions of program @prog, if the kernel reports them. Return 0 or -ENOMEM. */
static int add_ranges(struct printk *p, uint32_t prog, int fd)
{
	struct bpf_prog_info info;
	uint64_t *starts;
	uint32_t *sizes, nr, len = sizeof(info);
	struct range *ranges;

	if (kernel_prog_info(p->sys, fd, &info) < 0)
		return 0;
	nr = info.nr_jited_ksyms < info.nr_jited_func_lens ? info.nr_jited_ksyms :
							     info.nr_jited_func_lens;
	starts = calloc(nr + 1, sizeof(*starts));
	sizes = calloc(nr + 1, sizeof(*sizes));
	ranges = reallocarray(p->ranges, p->nr_ranges + nr + 1, sizeof(*ranges));
	p->ranges = ranges ? ranges : p->ranges;
	memset(&info, 0, sizeof(info));
	info.jited_ksyms = attr_pointer(starts);
	info.jited_func_lens = attr_pointer(sizes);
	info.nr_jited_ksyms = info.nr_jited_func_lens = nr;
	if (starts && sizes && ranges && kernel_fd_info(p->sys, fd, &info, &len) >= 0)
		for (uint32_t i = 0; i < nr; i++)
			if (starts[i])
				ranges[p->nr_ranges++] = (struct range){ starts[i], sizes[i],
									  prog };
	nr = starts && sizes && ranges ? 0 : ENOMEM;
	free(starts);
	free(sizes);
	return -(int)nr;
}

static int find_ranges(struct printk *p, struct error *err)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < p->kernel->object->nr_progs; i++) {
		const uint32_t before = p->nr_ranges;

		if (p->kernel->progs[i].fd < 0)
			continue;
		ret = add_ranges(p, i, p->kernel->progs[i].fd);
		p->no_addresses |= p->nr_ranges == before;
	}
	return ret < 0 ? error_set(err, ENOMEM, "no memory for program addresses") : 0;
}

/* Return the name of the program in @line's stack; NULL: none of ours, or unknown. */
static const char *program_of(const struct printk *p, const struct line *line)
{
	const int64_t nr = line->stack_size / (int64_t)sizeof(line->stack[0]);

	for (int64_t i = 0; i < nr && i < DEPTH; i++)
		for (uint32_t k = 0; k < p->nr_ranges; k++)
			if (line->stack[i] - p->ranges[k].start < p->ranges[k].size)
				return p->kernel->object->progs[p->ranges[k].prog].name;
	return NULL;
}

/* --- lines --- */

static int pass_on(void *arg, const struct record *record, struct error *err)
{
	const struct printk *p = arg;
	struct program_line passed;
	struct line line;

	if (record->bytes.size != sizeof(line))
		return 0;
	memcpy(&line, record->bytes.data, sizeof(line));
	if (line.text_size < 1 || line.text_size > TEXT_MAX)
		return 0;
	passed = (struct program_line){
		.prog = program_of(p, &line), .cpu = line.cpu, .pid = line.pid_tgid >> 32,
		.tid = line.pid_tgid, .comm = line.comm, .text = line.text,
		.size = line.text_size - 1,
	};
	if (!passed.prog && !p->no_addresses)
		return 0;
	return p->sink.line(p->sink.arg, &passed, err);
}

struct printk *printk_open(struct sys *sys, struct line_sink sink, const struct kernel_object *k,
			   struct error *err)
{
	struct printk *p = calloc(1, sizeof(*p));
	int ret;

	if (!p) {
		error_set(err, ENOMEM, "no memory to start");
		return NULL;
	}
	p->sys = sys;
	p->sink = sink;
	p->kernel = k;
	p->ring_fd = p->lost_fd = p->prog_fd = p->link_fd = -1;
	p->stream.sink = (struct record_sink){ .record = pass_on, .arg = p };
	ret = find_ranges(p, err);
	if (!ret)
		ret = open_all(p, err);
	if (!ret)
		return p;
	printk_close(p);
	return NULL;
}

int printk_fd(const struct printk *p)
{
	return p->ring_fd;
}

int printk_read(struct printk *p, struct error *err)
{
	int ret = ringbuf_read(&p->ring, err);

	return ret < 0 ? error_where(err, "bpf_printk() lines") : 0;
}

uint64_t printk_lost(const struct printk *p)
{
	const uint32_t key = 0;
	uint64_t lost = 0;

	return map_lookup(p->sys, p->lost_fd, &key, &lost) < 0 ? 0 : lost;
}

void printk_close(struct printk *p)
{
	sys_close_fd(p->sys, &p->link_fd);
	sys_close_fd(p->sys, &p->prog_fd);
	ringbuf_close(p->sys, &p->ring);
	sys_close_fd(p->sys, &p->lost_fd);
	sys_close_fd(p->sys, &p->ring_fd);
	free(p->ranges);
	free(p);
}
