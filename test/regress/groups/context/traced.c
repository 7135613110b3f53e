// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The context of programs on tracing events: fields of tracepoints, registers of probes. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "loader/base/calls/tracefs.h"
#include "loader/base/text/each_line.h"
#include "loader/core/event/pmu.h"
#include "loader/core/sys/read.h"
#include "loader/base/text/kallsyms.h"
#include "test/regress/common/happen.h"
#include "test/regress/common/known.h"

static void attach(struct regress *t, struct happen *h, struct regress_object *o, const char *prog,
		   const char *text)
{
	struct context_io io = { .answer = 1 };

	io_ours(t, &io);
	regress_load(t, o, strcmp(prog, "kp_syscall") ? "context" : "context_syscall", prog);
	io_put(t, o, &io);
	happen_attach(t, h, BY_IOCTL, text, o, prog);
}

static void give_back(struct happen *h, struct regress_object *o)
{
	happen_close(h);
	regress_unload(h->t, o);
}

static void expect_runs(struct regress *t, const struct context_io *io, uint64_t runs)
{
	regress_expect(t, io->runs == runs, "%llu runs, expected %llu", (unsigned long long)io->runs,
		       (unsigned long long)runs);
}

/* --- tracepoints --- */

struct field {
	struct regress *t;
	const char *name;
	unsigned int offset, size;
	bool found;
};

/* "	field:pid_t prev_pid;	offset:24;	size:4;	signed:1;" */
static int look_at(void *arg, char *line)
{
	struct field *f = arg;
	char *type = strstr(line, "field:"), *end = type ? strchr(type, ';') : NULL, *name;

	if (!end)
		return 0;
	*end = '\0';
	if (strchr(type, '['))
		*strchr(type, '[') = '\0';
	name = strrchr(type, ' ');
	if (!name || strcmp(name + 1, f->name))
		return 0;
	f->found = sscanf(end + 1, " offset:%u; size:%u;", &f->offset, &f->size) == 2;
	return 1;
}

/*
 * Returns the address of a field in the program's copy of the record, at the offset that the format
 * file names.
 */
static const void *field_of(struct regress *t, const struct context_io *io, const char *tracepoint,
			    const char *name, unsigned int size)
{
	struct field f = { .t = t, .name = name };
	struct error err = { 0 };
	struct tracefs tracefs;
	char file[128], path[256];

	regress_ok(t, tracefs_find(t->sys, &tracefs, &err), &err, "tracefs");
	snprintf(file, sizeof(file), "events/%s/format", tracepoint);
	regress_ok(t, sys_each_line_of(t->sys, tracefs.dir_fd,
					 tracefs_path(&tracefs, file, path, sizeof(path)), look_at,
					 &f), NULL, path);
	tracefs_close(t->sys, &tracefs);
	regress_expect(t, f.found, "%s has no field %s", tracepoint, name);
	regress_expect(t, f.size == size, "%s has %u bytes", name, f.size);
	regress_expect(t, f.offset >= 8 && f.offset + f.size <= 8 + sizeof(io->word),
		       "%s is at %u", name, f.offset);
	return (const char *)io->word + f.offset - 8;
}

static void copy_file_range_of(long *ret)
{
	*ret = syscall(__NR_copy_file_range, -11L, 0x22L, -33L, 0x44L, 0x55L, 0x66L) < 0 ? -errno :
											 0;
}

static struct context_io of_syscall(struct regress *t, const char *prog, const char *event,
				    long *ret)
{
	struct regress_object o;
	struct context_io io;
	struct happen h;

	attach(t, &h, &o, prog, event);
	copy_file_range_of(ret);
	io = io_get(t, &o);
	expect_runs(t, &io, 1);
	give_back(&h, &o);
	return io;
}

#define ENTER "syscalls/sys_enter_copy_file_range"
#define EXIT "syscalls/sys_exit_copy_file_range"

static void expect_long(struct regress *t, const char *name, uint64_t saw, long wanted)
{
	regress_expect(t, (long)saw == wanted, "%s is %#lx, expected %#lx", name, (long)saw, wanted);
}

static void fields_of_sys_enter(struct regress *t)
{
	static const struct {
		const char *name;
		long value;
	} fields[] = {
		{ "fd_in", -11 }, { "off_in", 0x22 }, { "fd_out", -33 }, { "off_out", 0x44 },
		{ "len", 0x55 }, { "flags", 0x66 },
	};
	long ret;
	const struct context_io io = of_syscall(t, "tp_see", "syscalls:sys_enter_copy_file_range",
						&ret);

	for (size_t i = 0; i < NR(fields); i++) {
		uint64_t value;

		memcpy(&value, field_of(t, &io, ENTER, fields[i].name, 8), 8);
		/*
		 * The upper half of an argument that is 32 bits wide for the kernel is undefined.
		 */
		if (fields[i].value < 0)
			value = (long)(int)value;
		expect_long(t, fields[i].name, value, fields[i].value);
	}
}

/* The format file describes an int there, and up to Linux 6.1 programs got a long. */
static void number_of_sys_enter(struct regress *t)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	static const struct regress_since rows[] = {
		{ LINUX(0, 0), "0" }, { LINUX(6, 2), "0|the number" }, { LINUX(6, 12), "the number" },
	};
#else
	static const struct regress_since rows[] = { { LINUX(0, 0), "the number" } };
#endif
	long ret;
	int nr;
	const struct context_io io = of_syscall(t, "tp_see", "syscalls:sys_enter_copy_file_range",
						&ret);

	memcpy(&nr, field_of(t, &io, ENTER, "__syscall_nr", sizeof(nr)), sizeof(nr));
	regress_answer(t, "", nr == __NR_copy_file_range ? "the number" : nr ? "another" : "0",
		       rows, NR(rows));
}

static void fields_of_sys_exit(struct regress *t)
{
	struct regress_object o;
	struct context_io io;
	uint64_t value;
	struct happen h;
	long ret;

	attach(t, &h, &o, "tp_exit", "syscalls:sys_exit_copy_file_range");
	copy_file_range_of(&ret);
	io = io_get(t, &o);
	expect_runs(t, &io, 1);
	memcpy(&value, field_of(t, &io, EXIT, "ret", 8), 8);
	expect_long(t, "ret", value, ret);
	give_back(&h, &o);
}

/* A seam at which the tracepoint is hit after each call. */
struct hitting {
	struct sys sys;		/* must be first */
	struct sys *next;
	uint64_t hits;
};

static long enter_and_hit(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct hitting *hitting = (struct hitting *)sys;
	const long ret = hitting->next->enter(hitting->next, nr, arg);
	long ignored;

	copy_file_range_of(&ignored);
	hitting->hits++;
	return ret;
}

/*
 * The program reads beyond the fields of sys_exit, which the kernel finds out when it is bound. An
 * event of somebody else on that tracepoint counts all the while.
 */
static void reads_beyond_fields(struct regress *t)
{
	const struct context_io io = { .answer = 1 };
	struct hitting hitting = { .sys.enter = enter_and_hit, .next = t->sys };
	struct regress_object o;
	uint64_t counted = 0;
	int stranger;
	struct error err = { 0 };
	struct happen h;
	int ret;

	regress_load(t, &o, "context", "tp_see");
	io_put(t, &o, &io);
	happen_open(t, &h, (uintptr_t)t->data, NULL, "syscalls:sys_exit_copy_file_range");
	stranger = regress_ok(t, event_open(t->sys, h.s.spec, &h.e.attr, &h.s.target, -1, &err),
			      &err, "event");
	regress_ok(t, sys_ioctl(t->sys, stranger, PERF_EVENT_IOC_ENABLE, 0), NULL, "enabling");
	h.s.sys = &hitting.sys;
	ret = compare_bind(&h.s, h.cell, &h.e, regress_prog(t, &o, "tp_see"), &err);
	h.s.sys = t->sys;
	if (ret != -EACCES)
		regress_ok(t, ret, &err, "binding");
	regress_expect(t, ret == -EACCES, "%s", regress_errno(ret));
	regress_expect(t, err.reason && !strcmp(err.reason, "attach/beyond-record"), "%s",
		       err.reason);
	sys_read(t->sys, stranger, &counted, sizeof(counted));
	sys_close(t->sys, stranger);
	regress_expect(t, hitting.hits > 3 && counted == hitting.hits,
		       "the other event counts %llu of %llu", (unsigned long long)counted,
		       (unsigned long long)hitting.hits);
	error_clear(&err);
	give_back(&h, &o);
}

#define SWITCH "sched/sched_switch"

static void fields_of_sched_switch(struct regress *t)
{
	const struct timespec moment = { 0, 1000000 };
	struct regress_object o;
	struct context_io io = { 0 };
	struct happen h;
	pid_t pid;

	attach(t, &h, &o, "tp_see", "sched:sched_switch");
	/*
	 * If the machine stood still for a moment, the sleep may be over before the thread is
	 * switched out.
	 */
	for (int i = 0; i < 100 && !io.runs; i++) {
		nanosleep(&moment, NULL);
		io = io_get(t, &o);
	}
	happen_close(&h);	/* from here on nothing is written */
	io = io_get(t, &o);
	regress_expect(t, io.runs > 0, "it has not run");
	/* The bytes after its NUL may be the rest of another name. */
	regress_expect(t, !strncmp(field_of(t, &io, SWITCH, "prev_comm", 16),
				   (const char *)io.comm, 16), "prev_comm is another name");
	memcpy(&pid, field_of(t, &io, SWITCH, "prev_pid", sizeof(pid)), sizeof(pid));
	expect_long(t, "prev_pid", pid, (int)io.pid_tgid);
	regress_unload(t, &o);
}

/* --- probes --- */

static void expect_six(struct regress *t, const struct context_io *io, const long *args)
{
#if defined(__s390x__)
	const int nr = 5;	/* the sixth is on the stack */
#else
	const int nr = 6;
#endif
	char name[24];

	for (int i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "PT_REGS_PARM%d", i + 1);
		expect_long(t, name, io->arg[i], args[i]);
	}
}

static void call_six(const long *a, long *ret)
{
	*ret = known_six(a[0], a[1], a[2], a[3], a[4], a[5]);
}

static struct context_io of_uprobe(struct regress *t, const char *prog, bool ret, const long *args,
				   long *result)
{
	const struct context_io begin = { .answer = 1 };
	struct regress_object o;
	struct context_io io;
	struct happen h;

	regress_load(t, &o, "context", prog);
	io_put(t, &o, &begin);
	happen_open_uprobe(t, &h, (uintptr_t)t->data, known_six, ret);
	happen_bind(&h, &o, prog, 0);
	for (int i = 0; i < 10; i++)
		call_six(args, result);
	io = io_get(t, &o);
	expect_runs(t, &io, 10);
	give_back(&h, &o);
	return io;
}

static const long six[] = { -1, 0x7fffffffffffffff, 3, -4, 5, 6 };

static void uprobe_args(struct regress *t)
{
	long result;
	const struct context_io io = of_uprobe(t, "kp_see", false, six, &result);

	expect_six(t, &io, six);
}

static void uprobe_ip(struct regress *t)
{
	long result;
	const struct context_io io = of_uprobe(t, "kp_see", false, six, &result);

	expect_long(t, "PT_REGS_IP", io.ip, (long)known_six);
}

static void uprobe_sp(struct regress *t)
{
	long result;
	const struct context_io io = of_uprobe(t, "kp_see", false, six, &result);
	/* A sanitizer may keep variables elsewhere. */
	const uint64_t frame = (uintptr_t)__builtin_frame_address(0);

	regress_expect(t, io.sp <= frame && io.sp > frame - 65536, "%#llx, and the frame is at %#llx",
		       (unsigned long long)io.sp, (unsigned long long)frame);
}

static void uretprobe_rc(struct regress *t)
{
	long result;
	const struct context_io io = of_uprobe(t, "kp_see", true, six, &result);

	expect_long(t, "PT_REGS_RC", io.rc, result);
}

static void uprobe_func_ip(struct regress *t)
{
	/* a3c485a5d8d4 */
	static const struct regress_since rows[] = {
		{ LINUX(0, 0), "0" }, { LINUX(6, 6), "the function" },
	};
	struct error err = { 0 };
	struct regress_object o;
	struct context_io io;
	long result;

	if (regress_try_load(t, &o, "context", "kp_func_ip", &err) && t->kernel < LINUX(5, 15))
		regress_skip(t, "bpf_get_func_ip() came with Linux 5.15");
	error_clear(&err);
	regress_unload(t, &o);
	io = of_uprobe(t, "kp_func_ip", false, six, &result);
	regress_answer(t, "", !io.func_ip ? "0" :
		       io.func_ip == (uintptr_t)known_six ? "the function" : "something else",
		       rows, NR(rows));
}

static void ksyscall_args(struct regress *t)
{
	static const long args[] = { -11, 0x22, -33, 0x44, 0x55, 0x66 };
	long ret;
	struct context_io io = of_syscall(t, "kp_syscall", "ksyscall:copy_file_range", &ret);

	/* int to the kernel */
	io.arg[0] = (long)(int)io.arg[0];
	io.arg[2] = (long)(int)io.arg[2];
	io.arg[5] = (int)io.arg[5];
	for (int i = 0; i < 6; i++)
		expect_long(t, "an argument", io.arg[i], args[i]);
}

static void kretsyscall_rc(struct regress *t)
{
	long ret;
	const struct context_io io = of_syscall(t, "kp_see", "kretsyscall:copy_file_range", &ret);

	expect_long(t, "PT_REGS_RC", io.rc, ret);
}

#define OPENS "do_sys_openat2"

static struct context_io of_open(struct regress *t, const char *prog, const char *event,
				 const char *path)
{
	struct regress_object o;
	struct context_io io;
	struct happen h;

	attach(t, &h, &o, prog, event);
	regress_expect(t, syscall(__NR_openat, -77L, path, O_RDONLY, 0L) < 0 && errno == EBADF,
		       "openat: %s", strerror(errno));
	io = io_get(t, &o);
	expect_runs(t, &io, 1);
	give_back(&h, &o);
	return io;
}

static void kprobe_args(struct regress *t)
{
	const char *path = "nothing";
	const struct context_io io = of_open(t, "kp_see", "kprobe:" OPENS, path);

	expect_long(t, "PT_REGS_PARM1", (int)io.arg[0], -77);
	expect_long(t, "PT_REGS_PARM2", io.arg[1], (long)path);
}

static void kretprobe_rc(struct regress *t)
{
	const struct context_io io = of_open(t, "kp_see", "kretprobe:" OPENS, "nothing");

	expect_long(t, "PT_REGS_RC", (int)io.rc, -EBADF);	/* an int */
}

static uint64_t address_of(struct regress *t, const char *name)
{
	struct kernel_symbol symbol = { 0 };
	struct error err = { 0 };
	struct kernel_symbols k;

	kernel_symbols_init(&k, t->sys);
	regress_ok(t, kernel_symbols_find(&k, name, &symbol, &err), &err, name);
	kernel_symbols_free(&k);
	if (!symbol.address)
		regress_skip(t, "addresses of the kernel's functions are hidden");
	return symbol.address;
}

/*
 * On some machines a kprobe is a breakpoint, and the instruction pointer is after that instruction.
 */
static void kprobe_ip(struct regress *t)
{
	const struct context_io io = of_open(t, "kp_see", "kprobe:" OPENS, "nothing");
	const uint64_t address = address_of(t, OPENS);

	regress_expect(t, io.ip >= address && io.ip < address + 16, "%#llx, expected %#llx",
		       (unsigned long long)io.ip, (unsigned long long)address);
}

static void kprobe_func_ip(struct regress *t)
{
	struct error err = { 0 };
	struct regress_object o;
	struct context_io io;

	if (regress_try_load(t, &o, "context", "kp_func_ip", &err) && t->kernel < LINUX(5, 15))
		regress_skip(t, "bpf_get_func_ip() came with Linux 5.15");
	error_clear(&err);
	regress_unload(t, &o);
	io = of_open(t, "kp_func_ip", t->data, "nothing");
	expect_long(t, "bpf_get_func_ip()", io.func_ip, address_of(t, OPENS));
}

static const struct regress_test tests[] = {
	{ "sys_enter: arguments are where the format file says", fields_of_sys_enter, NULL, 0 },
	{ "sys_enter: so is the number", number_of_sys_enter, NULL, 0 },
	{ "sys_exit: so is what it returned", fields_of_sys_exit, NULL, 0 },
	{ "sched_switch: so are name and pid", fields_of_sched_switch, NULL, 0 },
	{ "a program that reads beyond the fields is EACCES by ioctl", reads_beyond_fields,
	  (void *)BY_IOCTL, 0 },
	{ "a program that reads beyond the fields is EACCES by link", reads_beyond_fields,
	  (void *)BY_LINK, 0 },
	{ "uprobe of tracefs: arguments", uprobe_args, (void *)BY_IOCTL, 0 },
	{ "uprobe of tracefs: instruction pointer", uprobe_ip, (void *)BY_IOCTL, 0 },
	{ "uprobe of tracefs: stack pointer", uprobe_sp, (void *)BY_IOCTL, 0 },
	{ "uretprobe of tracefs: what is returned", uretprobe_rc, (void *)BY_IOCTL, 0 },
	{ "uprobe of its PMU: arguments", uprobe_args, (void *)BY_PMU, 0 },
	{ "uprobe of its PMU: instruction pointer", uprobe_ip, (void *)BY_PMU, 0 },
	{ "uretprobe of its PMU: what is returned", uretprobe_rc, (void *)BY_PMU, 0 },
	{ "uprobe: bpf_get_func_ip()", uprobe_func_ip, (void *)BY_PMU, 0 },
	{ "ksyscall: arguments", ksyscall_args, NULL, 0 },
	{ "kretsyscall: what is returned", kretsyscall_rc, NULL, 0 },
	{ "kprobe: arguments", kprobe_args, NULL, 0 },
	{ "kprobe: instruction pointer", kprobe_ip, NULL, 0 },
	{ "kretprobe: what is returned", kretprobe_rc, NULL, 0 },
	{ "kprobe: bpf_get_func_ip() is the function", kprobe_func_ip, "kprobe:" OPENS, 0 },
	{ "kretprobe: bpf_get_func_ip() is the function", kprobe_func_ip, "kretprobe:" OPENS, 0 },
	{ 0 }
};

const struct regress_group regress_group_traced = {
	"traced", "what programs of tracepoints and probes are given", tests, NULL, __FILE__
};
