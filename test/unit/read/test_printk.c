// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lines of bpf_printk(): the program that receives them, their owners, and failures. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/sessions/printk_text/program_lines.h"
#include "test/unit/common/output_check.h"
#include "test/unit/common/suite.h"

#define PAGE 4096
#define RING_SIZE (1u << 20)
#define PROG_FD 20

/* A record as the BPF program of printk.c writes it. */
struct line {
	uint64_t pid_tgid, cpu;
	int64_t stack_size, text_size;
	char comm[16];
	uint64_t stack[16];
	char text[1024];
};

/* A kernel with a ring of its own, which has jited the functions @starts. */
struct kernel {
	struct sys sys;
	unsigned char *consumer, *producer;	/* owned; pages and data */
	unsigned int calls, fail;	/* call @fail of those that open something, from 1 on */
	int open;
	bool no_info;
	uint64_t starts[2];
	char program[4096];	/* that was loaded, as text */
};

static long prog_info(const struct kernel *k, union bpf_attr *attr)
{
	struct bpf_prog_info *info = (void *)(uintptr_t)attr->info.info;

	if (k->no_info || attr->info.bpf_fd != PROG_FD)
		return -EPERM;
	if (info->jited_ksyms) {
		memcpy((void *)(uintptr_t)info->jited_ksyms, k->starts, sizeof(k->starts));
		memcpy((void *)(uintptr_t)info->jited_func_lens, (uint32_t[]){ 16, 32 }, 8);
	}
	info->nr_jited_ksyms = 2;
	info->nr_jited_func_lens = 3;
	return 0;
}

static void keep_program(struct kernel *k, const union bpf_attr *attr)
{
	const struct bpf_insn *insns = (const void *)(uintptr_t)attr->insns;
	size_t len = 0;

	ck_assert_uint_eq(attr->prog_type, BPF_PROG_TYPE_RAW_TRACEPOINT);
	ck_assert_str_eq((const char *)(uintptr_t)attr->license, "GPL");
	ck_assert_str_eq(attr->prog_name, "pload_printk");
	for (uint32_t i = 0; i < attr->insn_cnt; i++)
		len += sprintf(k->program + len, "%02x%x%x %d %d,", insns[i].code, insns[i].dst_reg,
			       insns[i].src_reg, insns[i].off, insns[i].imm);
}

static long bpf(struct kernel *k, int command, union bpf_attr *attr)
{
	static const uint64_t lost = 5;

	if (command == BPF_OBJ_GET_INFO_BY_FD)
		return prog_info(k, attr);
	if (command == BPF_MAP_LOOKUP_ELEM) {
		ck_assert_uint_eq(attr->map_fd, 11);
		memcpy((void *)(uintptr_t)attr->value, &lost, sizeof(lost));
		return k->fail ? -EPERM : 0;
	}
	if (++k->calls == k->fail)
		return -EACCES;
	if (k->calls == 1)
		ck_assert(attr->map_type == BPF_MAP_TYPE_RINGBUF && !attr->key_size &&
			  !attr->value_size && attr->max_entries == RING_SIZE);
	else if (k->calls == 2)
		ck_assert(attr->map_type == BPF_MAP_TYPE_ARRAY && attr->key_size == 4 &&
			  attr->value_size == 8 && attr->max_entries == 1);
	else if (command == BPF_PROG_LOAD)
		keep_program(k, attr);
	else
		ck_assert_str_eq((char *)(uintptr_t)attr->raw_tracepoint.name, "bpf_trace_printk");
	k->open++;
	return 9 + k->calls;
}

static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct kernel *k = (struct kernel *)sys;

	if (nr == __NR_bpf)
		return bpf(k, arg[0], (void *)arg[1]);
	if (nr == __NR_mmap && ++k->calls == k->fail)
		return -ENODEV;
	if (nr == __NR_mmap)
		return (long)(arg[5] ? k->producer : k->consumer);
	ck_assert(nr == __NR_close || nr == __NR_munmap);
	k->open -= nr == __NR_close;
	return 0;
}

struct session {
	struct kernel k;
	struct printed printed;
	struct object_prog progs[2];
	struct kernel_prog kprogs[2];
	struct bpf_object object;
	struct kernel_object kernel;
	struct error err;
};

static void begin(struct session *s)
{
	*s = (struct session){
		.k = { .sys.enter = enter, .starts = { 0x1000, 0x2000 },
		       .consumer = calloc(1, PAGE), .producer = calloc(1, PAGE + 2 * RING_SIZE) },
		.progs = { { .name = "p" }, { .name = "left_out" } },
		.kprogs = { { .fd = PROG_FD }, { .fd = -1 } },
	};
	s->object = (struct bpf_object){ .progs = s->progs, .nr_progs = 2 };
	s->kernel = (struct kernel_object){ .object = &s->object, .progs = s->kprogs };
	printed_begin(&s->printed, "json");
}

static struct printk *open_lines(struct session *s)
{
	return printk_open(&s->k.sys, program_lines(&s->printed.out), &s->kernel, &s->err);
}

static void end(struct session *s)
{
	ck_assert_int_eq(s->k.open, 0);
	printed_end(&s->printed);
	error_clear(&s->err);
	free(s->k.consumer);
	free(s->k.producer);
}

TEST(each_line_has_its_program)
{
	static const struct {
		struct line line;
		size_t size;
		bool no_info;
		const char *json;
	} rows[] = {
		{ { .pid_tgid = 7ull << 32 | 8, .cpu = 3, .stack_size = 16, .text_size = 4,
		    .comm = "sh", .stack = { 9, 0x1000 }, .text = "hi\n" }, sizeof(struct line),
		  false, "{\"type\":\"printk\",\"prog\":\"p\",\"cpu\":3,\"pid\":7,\"tid\":8,"
			 "\"comm\":\"sh\",\"text\":\"hi\"}\n" },
		{ { .stack_size = 8, .text_size = 1, .stack = { 0x201f } }, sizeof(struct line),
		  false, "{\"type\":\"printk\",\"prog\":\"p\",\"cpu\":0,\"pid\":0,\"tid\":0,"
			 "\"comm\":\"\",\"text\":\"\"}\n" },
		{ { .stack_size = 999, .text_size = 3, .stack = { [15] = 0x100f }, .text = "a\n" "b",
		    .comm = { 'a', ' ', 'c', 'o', 'm', 'm', ' ', 'o', 'f', ' ', '1', '6', ' ',
			      'c', 'h', '.' } }, sizeof(struct line),
		  false, "{\"type\":\"printk\",\"prog\":\"p\",\"cpu\":0,\"pid\":0,\"tid\":0,"
			 "\"comm\":\"a comm of 16 ch.\",\"text\":\"a\"}\n" },
		{ { .stack_size = 8, .text_size = 3, .text = "hi" }, sizeof(struct line), true,
		  "{\"type\":\"printk\",\"prog\":null,\"cpu\":0,\"pid\":0,\"tid\":0,"
		  "\"comm\":\"\",\"text\":\"hi\"}\n" },
		/* These lines were printed by another program, or are malformed: */
		{ { .stack_size = 8, .text_size = 3, .stack = { 0x1010 } }, sizeof(struct line),
		  false, "" },
		{ { .stack_size = 8, .text_size = 3, .stack = { 0xfff, 0x1000 } },
		  sizeof(struct line), false, "" },
		{ { .stack_size = -14, .text_size = 3, .stack = { 0x1000 } }, sizeof(struct line),
		  false, "" },
		{ { .stack_size = 8, .text_size = 0, .stack = { 0x1000 } }, sizeof(struct line),
		  false, "" },
		{ { .stack_size = 8, .text_size = 1025, .stack = { 0x1000 } }, sizeof(struct line),
		  false, "" },
		{ { .stack_size = 8, .text_size = 3, .stack = { 0x1000 } }, sizeof(struct line) - 8,
		  false, "" },
	};

	for (int i = 0; i < NR(rows); i++) {
		struct session s;
		struct printk *p;
		uint64_t *head;

		begin(&s);
		s.k.no_info = rows[i].no_info;
		p = open_lines(&s);
		ck_assert_msg(p, "%s", s.err.what);
		ck_assert_int_eq(printk_fd(p), 10);
		ck_assert_uint_eq(printk_lost(p), 5);
		head = (void *)(s.k.producer + PAGE);
		*head = rows[i].size;
		memcpy(head + 1, &rows[i].line, rows[i].size);
		*(uint64_t *)s.k.producer = 8 + (rows[i].size + 7) / 8 * 8;
		ck_assert_int_eq(printk_read(p, &s.err), 0);
		ck_assert_str_eq(printed_text(&s.printed), rows[i].json);
		printk_close(p);
		end(&s);
	}
}

/*
 * The kernel reports address 0 for a function that was freed. No line is of a program that has only
 * such functions.
 */
TEST(a_function_may_have_no_address)
{
	struct session s;
	struct printk *p;

	begin(&s);
	s.k.starts[0] = s.k.starts[1] = 0;
	p = open_lines(&s);
	ck_assert_ptr_nonnull(p);
	*(uint64_t *)(s.k.producer + PAGE) = sizeof(struct line);
	((struct line *)(s.k.producer + PAGE + 8))->text_size = 1;
	*(uint64_t *)s.k.producer = 8 + sizeof(struct line);
	ck_assert_int_eq(printk_read(p, &s.err), 0);
	ck_assert_ptr_nonnull(strstr(printed_text(&s.printed), "\"prog\":null"));
	*(uint64_t *)s.k.producer = 4;
	ck_assert_int_eq(printk_read(p, &s.err), -EIO);
	ck_assert_ptr_nonnull(strstr(s.err.where, "bpf_printk() lines"));
	s.k.fail = 99;
	ck_assert_uint_eq(printk_lost(p), 0);
	printk_close(p);
	end(&s);
}

/* One program without addresses is enough: the line may be of it. */
TEST_EACH(one_of_two_has_no_addresses, 2)
{
	struct session s;
	struct printk *p;

	begin(&s);
	s.kprogs[_i].fd = PROG_FD + 1;	/* the kernel reports none */
	s.kprogs[!_i].fd = PROG_FD;
	p = open_lines(&s);
	ck_assert_ptr_nonnull(p);
	*(uint64_t *)(s.k.producer + PAGE) = sizeof(struct line);
	((struct line *)(s.k.producer + PAGE + 8))->text_size = 1;
	*(uint64_t *)s.k.producer = 8 + sizeof(struct line);
	ck_assert_int_eq(printk_read(p, &s.err), 0);
	ck_assert_ptr_nonnull(strstr(printed_text(&s.printed), "\"prog\":null"));
	printk_close(p);
	end(&s);
}

TEST(each_call_may_fail)
{
	static const char *const calls[] = { "BPF_MAP_CREATE", "BPF_MAP_CREATE", "BPF_PROG_LOAD",
					     "BPF_RAW_TRACEPOINT_OPEN bpf_trace_printk",
					     "mmap of the ring's consumer", "mmap of the ring's" };

	for (int i = 0; i < NR(calls); i++) {
		struct session s;

		begin(&s);
		s.k.fail = i + 1;
		ck_assert_ptr_null(open_lines(&s));
		ck_assert_int_eq(s.err.code, i < 4 ? -EACCES : -ENODEV);
		ck_assert_int_eq(strncmp(s.err.what, calls[i], strlen(calls[i])), 0);
		end(&s);
	}
}

/* CODE DST SRC, OFF, IMM of each instruction; the comment of assemble() has it in C. */
TEST(the_program_is_assembled)
{
	struct session s;

	begin(&s);
	printk_close(open_lines(&s));
	ck_assert_str_eq(s.k.program,
		"bf61 0 0,1811 0 10,0000 0 0,b720 0 1200,b730 0 0,8500 0 131,"
		"5500 6 0,b710 0 1,1822 0 11,0000 0 0,db21 0 0,b700 0 0,9500 0 0,"
		"bf70 0 0,bf17 0 0,0710 0 32,b720 0 16,8500 0 16,"
		"8500 0 14,"
		"7b70 0 0,8500 0 8,"
		"7b70 8 0,bf16 0 0,bf27 0 0,0720 0 48,b730 0 128,b740 0 0,8500 0 67,"
		"7b70 16 0,bf17 0 0,0710 0 176,b720 0 1024,7936 0 0,8500 0 115,"
		"7b70 24 0,bf17 0 0,b720 0 0,8500 0 132,"
		"b700 0 0,9500 0 0,");
	end(&s);
}
