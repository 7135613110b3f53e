// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tests of probes over the fake kernel: the lines for tracefs and the values of perf_event_attr,
 * probes that pload refuses itself, and the errors for those that the kernel refuses.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/attach/attach.h"
#include "test/fault/fake_kernel.h"
#include "test/unit/common/btf_builder.h"
#include "test/unit/common/expect.h"
#include "test/unit/common/suite.h"
#include "loader/core/event/scope.h"

#if defined(__aarch64__)
#define SYSCALL_PREFIX "__arm64_sys_"
#elif defined(__s390x__)
#define SYSCALL_PREFIX "__s390x_sys_"
#else
#define SYSCALL_PREFIX "__x64_sys_"
#endif

#define SYMBOLS \
	"ffffffff81000000 T vfs_read\n" \
	"ffffffff81000040 T vfs_write\n" \
	"ffffffff81000040 T vfs_write_alias\n" \
	"ffffffff81000100 T " SYSCALL_PREFIX "openat\n" \
	"ffffffff81000200 t t_next\n" \
	"ffffffff81000300 t t_next\n" \
	"ffffffff81000400 t rcu_is_watching\n" \
	"ffffffff81000500 t do_copy.isra.0\n" \
	"ffffffff81000600 t kprobe_handler\n" \
	"ffffffff82000000 D jiffies\n" \
	"ffffffff82000040 D " SYSCALL_PREFIX "clock\n" \
	"ffffffffc0000000 t ext4_open\t[ext4]\n"

static const struct fake_path files[] = {
	{ "/proc/kallsyms", SYMBOLS, 0, 0 },
	{ "/sys/module/ext4/initstate", "live\n", 0, 0 },
	{ "/sys/module/xfs/initstate", "live\n", 0, 0 },
	{ "debugfs:/kprobes/blacklist", "0xffffffff81000600-0xffffffff81000640\tkprobe_handler\n",
	  0, 0 },
	{ "tracefs:/available_filter_functions",
	  "vfs_read\nvfs_write\nt_next\nkprobe_handler\next4_open [ext4]\n", 0, 0 },
	{ "tracefs:/error_log",
	  "[  1.0] trace_kprobe: error: Something else\n  Command: p:x/y z\n        ^\n", 0, 0 },
	{ "/proc/self/status", "CapEff:\tffffffffffffffff\nSeccomp:\t0\n", 0, 0 },
	{ "/proc/self/uid_map", "0 0 4294967295\n", 0, 0 },
	{ "/sys/kernel/security/lockdown", "none integrity [confidentiality]\n", 0, 0 },
	{ "/bin/x", "0123456789abcdef", 0, 0 },
	{ "/bin/dir/file", "", 0, 0 },
	{ NULL, NULL, 0, 0 },
};

static struct bench {
	struct fake_kernel *kernel;
	struct sys *sys;
	struct event_spec spec;
	struct event_scope scope;
	struct attach_set set;
	struct error err;
	int prog_fd;
	char notes[512];
} b;

static void add_note(void *arg, const char *text)
{
	(void)arg;
	snprintf(b.notes + strlen(b.notes), sizeof(b.notes) - strlen(b.notes), "%s\n", text);
}

static void begin(void)
{
	const struct bpf_insn insns[] = { { .code = BPF_JMP | BPF_EXIT } };
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_KPROBE,
		.insn_cnt = NR(insns),
		.insns = (uintptr_t)insns,
		.license = (uintptr_t) "GPL",
	};

	memset(&b, 0, sizeof(b));
	b.kernel = fake_kernel_new(files);
	b.sys = fake_kernel_sys(b.kernel);
	b.set.probes = (struct probes){ .note = add_note };
	b.prog_fd = sys_bpf(b.sys, BPF_PROG_LOAD, &attr, sizeof(attr));
	ck_assert_int_ge(b.prog_fd, 0);
	ck_assert_int_eq(event_scope_init(b.sys, &b.scope, &(struct event_scope_options){ 0 },
					  &b.err),
			 0);
}

static int attach(const char *method, const char *event)
{
	struct attach_request req = {
		.method = attach_method_find(method, NULL),
		.spec = &b.spec,
		.scope = &b.scope,
		.prog_fd = b.prog_fd,
		.prog_type = BPF_PROG_TYPE_KPROBE,
	};
	int ret;

	event_spec_free(&b.spec);
	ret = event_parse(&b.spec, event, &b.err);
	if (ret == 0 && b.spec.kind != EVENT_KPROBE) {
		b.spec.resolved = true;
		b.spec.uprobe.file_offset = b.spec.uprobe.offset;
		if (b.spec.kind == EVENT_USDT)
			b.spec.uprobe.ref_ctr_offset = 0x20;
	}
	return ret ? ret : attach_prog(b.sys, &req, &b.set, &b.err);
}

static void end(void)
{
	if (!b.kernel)
		return;
	attach_close(b.sys, &b.set);
	event_scope_free(b.sys, &b.scope);
	event_spec_free(&b.spec);
	sys_close_fd(b.sys, &b.prog_fd);
	ck_assert_uint_eq(fake_kernel_nr_lines(b.kernel), 0);
	ck_assert_int_eq(fake_kernel_leaks(b.kernel, stderr), 0);
	ck_assert_int_eq(fake_kernel_violations(b.kernel, stderr), 0);
	fake_kernel_free(b.kernel);
	error_clear(&b.err);
	b.kernel = NULL;
}

TEST_FIXTURE(NULL, end)

/*
 * The line that pload writes to tracefs for each event. Its name has the process (42), the start
 * time of the process (777, 0x309), and its descriptor 4.
 */
static const struct {
	const char *event, *line;
} lines[] = {
	{ "kprobe:vfs_read", "p:pload/vfs_read_42_309_0_4_0 vfs_read+0x0\n" },
	{ "kprobe:vfs_read+0x10", "p:pload/vfs_read_42_309_0_4_0 vfs_read+0x10\n" },
	{ "kretprobe:vfs_read", "r:pload/vfs_read_42_309_0_4_0 vfs_read+0x0\n" },
	{ "kprobe:ext4:ext4_open", "p:pload/ext4_open_42_309_0_4_0 ext4:ext4_open+0x0\n" },
	{ "kprobe:do_copy.isra.0", "p:pload/do_copy_isra_0_42_309_0_4_0 do_copy.isra.0+0x0\n" },
	{ "kprobe:0xffffffff81000010", "p:pload/address_42_309_0_4_0 0xffffffff81000010\n" },
	{ "ksyscall:openat", "p:pload/openat_42_309_0_4_0 " SYSCALL_PREFIX "openat+0x0\n" },
	{ "kretsyscall:openat", "r:pload/openat_42_309_0_4_0 " SYSCALL_PREFIX "openat+0x0\n" },
	{ "uprobe:/bin/x:0x8", "p:pload/x_42_309_0_4_0 /bin/x:0x8\n" },
	{ "uretprobe:/bin/x:main", "r:pload/main_42_309_0_4_0 /bin/x:0x0\n" },
	{ "uprobe:/bin/a:3%(b):7", "p:pload/a_3__b__42_309_0_4_0 /bin/a:3%(b):0x7\n" },
	{ "usdt:/bin/x:db:query", "p:pload/query_42_309_0_4_0 /bin/x:0x0(0x20)\n" },
	{ "uprobe:/bin/x:_a_name_that_is_much_too_long_to_stand_in_the_name_of_an_event",
	  "p:pload/_a_name_that_is_much_too_long_to_stand_in_the_name_42_309_0_4_0 /bin/x:0x0\n" },
};

TEST_ROWS(tracefs_has_the_line, lines)
{
	begin();
	ck_assert_msg(attach("ioctl", lines[_i].event) == 0, "%s", b.err.what);
	ck_assert_str_eq(fake_kernel_line(b.kernel, 0), lines[_i].line);
	ck_assert_uint_eq(fake_kernel_nr_lines(b.kernel), 1);
	ck_assert_uint_eq(b.set.nr, 1);
	ck_assert_str_eq(b.notes, "");
}

static const struct {
	const char *event, *probed;
	uint32_t type;
	uint64_t config, config2;
} attrs[] = {
	{ "kprobe:vfs_read", "vfs_read", 8, 0, 0 },
	{ "kretprobe:vfs_read", "vfs_read", 8, 1, 0 },
	{ "kprobe:vfs_read+0x10", "vfs_read", 8, 0, 0x10 },
	{ "kprobe:ext4:ext4_open", "ext4:ext4_open", 8, 0, 0 },
	{ "kprobe:0xffffffff81000010", "", 8, 0, 0xffffffff81000010 },
	{ "uprobe:/bin/x y#:0x8", "/bin/x y#", 9, 0, 8 },
	{ "uretprobe:/bin/x:8", "/bin/x", 9, 1, 8 },
	{ "usdt:/bin/x:db:query", "/bin/x", 9, 0x20ull << 32, 0 },
};

TEST_ROWS(pmu_has_the_attributes, attrs)
{
	static const char *const methods[] = { "pmu", "link" };

	for (size_t i = 0; i < NR(methods); i++) {
		const struct fake_event *event;

		begin();
		ck_assert_msg(attach(methods[i], attrs[_i].event) == 0, "%s", b.err.what);
		event = fake_kernel_event(b.kernel, 0);
		ck_assert_uint_eq(event->attr.type, attrs[_i].type);
		ck_assert_uint_eq(event->attr.config, attrs[_i].config);
		ck_assert_uint_eq(event->attr.config2, attrs[_i].config2);
		ck_assert_str_eq(event->probed, attrs[_i].probed);
		ck_assert_uint_eq(fake_kernel_nr_lines(b.kernel), 0);
		ck_assert_uint_eq(b.set.nr, 1);
		end();
	}
}

/* Two of one name, and two sets of one process, are two events. */
TEST(no_name_comes_twice)
{
	struct attach_set first;

	begin();
	ck_assert_int_eq(attach("ioctl", "kprobe:vfs_read"), 0);
	ck_assert_int_eq(attach("ioctl", "kprobe:vfs_read"), 0);
	ck_assert_int_eq(attach("ioctl", "uprobe:/bin/x:0"), 0);
	first = b.set;
	b.set = (struct attach_set){ 0 };
	ck_assert_int_eq(attach("ioctl", "kprobe:vfs_read"), 0);
	ck_assert_uint_eq(fake_kernel_nr_lines(b.kernel), 4);
	attach_close(b.sys, &first);
	ck_assert_uint_eq(fake_kernel_nr_lines(b.kernel), 1);
}

/*
 * Events that the kernel would interpret otherwise than they are meant: pload refuses them itself.
 */
static const struct {
	const char *method, *event, *reason;
	struct expect e;
} refused[] = {
	{ "ioctl", "uprobe:/bin/x y:0x8", "probe/tracefs-name",
	  { EINVAL, "event 'uprobe:", "0x20 (a space)", "--attach=link" } },
	{ "ioctl", "uprobe:/bin/#x:0x8", "probe/tracefs-name",
	  { EINVAL, NULL, "0x23 ('#')", "link" } },
	{ "ioctl", "uprobe:/bin/\xc3\xa0:0x8", "probe/tracefs-name",
	  { EINVAL, NULL, "0xa0", "link" } },
	{ "ioctl", "uprobe:/bin/x\n-:0x8", "probe/tracefs-name", { EINVAL, NULL, "0x0a", "link" } },
	{ "ioctl", "kprobe:nomodule:f", "probe/no-module",
	  { ENOENT, NULL, "never run it", "modprobe nomodule" } },
	{ "ioctl", "kprobe:vfs_read+0x40", "probe/offset",
	  { EINVAL, NULL, "beyond 'vfs_read', which has 0x40 bytes", "another function" } },
	{ "link", "kprobe:vfs_read+0x40", "probe/offset", { EINVAL, NULL, "0x40 bytes", NULL } },
	{ "pmu", "kprobe:nosuch+0x100000000", "probe/offset", { EINVAL, NULL, "32 bits", NULL } },
	{ "ioctl", "ksyscall:opneat", "probe/no-syscall",
	  { ENOENT, NULL, "no system call 'opneat'", "did you mean openat?" } },
	{ "link", "ksyscall:xyzzy", "probe/no-syscall", { ENOENT, NULL, NULL, "section 2" } },
};

TEST_ROWS(refused_beforehand, refused)
{
	int ret;

	begin();
	ret = attach(refused[_i].method, refused[_i].event);
	ck_assert_pstr_eq(b.err.reason, refused[_i].reason);
	expect_error(refused[_i].event, ret, &b.err, &refused[_i].e);
	ck_assert_uint_eq(fake_kernel_count(b.kernel, "write"), 0);
	ck_assert_uint_eq(fake_kernel_count(b.kernel, "perf_event_open"), 0);
}

/* The kernel's types may say where a function was inlined. */
TEST(an_inlined_function_has_callers)
{
	static const uint32_t site[] = { 3, 0, 0x48 };
	struct btf_builder vmlinux = { 0 }, inlined = { 0 };
	struct buffer raw[2];
	struct fake_path paths[4];

	bb_int(&vmlinux, "int", 4, BTF_INT_SIGNED);
	bb_proto(&vmlinux, 1);
	bb_split(&inlined, &vmlinux);
	bb_func(&inlined, "check", 2, BTF_FUNC_STATIC);
	bb_words(&inlined, 22 /* LOCSEC */, "inline.text", 0, 1, site, 3);
	raw[0] = bb_btf(&vmlinux);
	raw[1] = bb_btf(&inlined);
	paths[0] = (struct fake_path){ "/proc/kallsyms", "ffffffff81000000 T _stext\n" SYMBOLS, 0, 0 };
	paths[1] = (struct fake_path){ "/sys/kernel/btf/vmlinux", raw[0].data, raw[0].size, 0 };
	paths[2] = (struct fake_path){ "/sys/kernel/btf/vmlinux.inline", raw[1].data, raw[1].size, 0 };
	paths[3] = (struct fake_path){ NULL, NULL, 0, 0 };
	begin();
	fake_kernel_set_paths(b.kernel, paths);
	fake_kernel_refuse_probes(b.kernel, ENOENT);
	expect_error("check", attach("pmu", "kprobe:check"), &b.err,
		     &(struct expect){ ENOENT, NULL, "no function 'check'",
				       "it is inlined into vfs_write_alias; probe its callers" });
	for (int i = 0; i < 2; i++)
		buffer_free(&raw[i]);
	bb_free(&vmlinux);
	bb_free(&inlined);
}

/* Events that the kernel refuses, and the causes that pload finds. */
static const struct {
	const char *event;
	int code;
	const char *reason, *what, *hint;
} failed[] = {
	{ "kprobe:vfs_raed", ENOENT, "probe/no-symbol", "no function 'vfs_raed'",
	  "did you mean vfs_read?" },
	{ "kprobe:vfs_raed", EINVAL, "probe/no-symbol", "no function 'vfs_raed'", "vfs_read" },
	{ "kprobe:sys_openat", ENOENT, "probe/no-symbol", "no function 'sys_openat'",
	  SYSCALL_PREFIX "openat; SEC(\"ksyscall/openat\") and -e ksyscall:openat" },
	{ "kprobe:__other64_sys_openat", EINVAL, "probe/no-symbol", NULL, SYSCALL_PREFIX "openat" },
	{ "kretprobe:openat", ENOENT, "probe/no-symbol", NULL,
	  "SEC(\"kretsyscall/openat\") and -e kretsyscall:openat" },
	{ "kprobe:sys_clock", ENOENT, "probe/no-symbol", NULL, "inlined everywhere" },
	{ "kprobe:sys_", ENOENT, "probe/no-symbol", NULL, "inlined everywhere" },
	{ "kprobe:ext4:sys_openat", ENOENT, "probe/no-symbol", "module 'ext4' has no function",
	  SYSCALL_PREFIX "openat; SEC(" },
	{ "kprobe:qqqqqqqqqqqqq", ENOENT, "probe/no-symbol", NULL, "inlined everywhere" },
	{ "kprobe:do_copy", ENOENT, "probe/no-symbol", NULL, "'do_copy.isra.0'" },
	{ "kprobe:jiffies", EINVAL, "probe/no-symbol", "is data", "mem:ADDRESS" },
	{ "kprobe:ext4:vfs_read", ENOENT, "probe/no-symbol", "module 'ext4' has no function",
	  "the kernel has one: kprobe:vfs_read" },
	{ "kprobe:xfs:ext4_open", ENOENT, "probe/no-symbol", "module 'xfs' has no function",
	  "module ext4 has one: kprobe:ext4:ext4_open" },
	{ "kprobe:0xffffffff81000010", ENOENT, "probe/no-address", "no kernel instruction",
	  "change with every boot" },
	{ "kprobe:0xffffffff81000010", EINVAL, "probe/no-address", NULL, "/proc/kallsyms" },
	{ "kprobe:nfs:vfs_read", ENOENT, "probe/no-module", "module 'nfs' is not loaded",
	  "modprobe nfs" },
	{ "kprobe:t_next", EADDRNOTAVAIL, "probe/ambiguous", "2 functions named 't_next'",
	  "kprobe:0xffffffff81000200, kprobe:0xffffffff81000300" },
	{ "kprobe:t_next", EINVAL, "probe/ambiguous", NULL, "use the address" },
	{ "kprobe:kprobe_handler", EINVAL, "probe/blacklisted", "blacklist", NULL },
	{ "kprobe:rcu_is_watching", EINVAL, "probe/notrace", "notrace", NULL },
	{ "kprobe:vfs_write_alias+1", EINVAL, "probe/offset", NULL, "leave out the offset" },
	{ "kprobe:vfs_read+1", EILSEQ, "probe/offset", "no instruction starts", NULL },
	{ "kprobe:vfs_read+1", EINVAL, "probe/offset", NULL, "leave out the offset" },
	{ "kretprobe:vfs_read+4", EINVAL, "probe/offset", "at the start of a function", NULL },
	{ "kprobe:vfs_read", EINVAL, NULL, NULL, NULL },
	{ "kprobe:vfs_read", EPERM, "probe/lockdown", "locked down", NULL },
	{ "uprobe:/nope:0x1", ENOENT, "probe/no-file", "'/nope' cannot be opened", NULL },
	{ "uprobe:/bin/dir:0x1", EINVAL, "probe/not-regular", "not a regular file", NULL },
	{ "uprobe:/bin/x:0x10", EINVAL, "probe/beyond-end", "the end of the file of 0x10 bytes", "readelf" },
	{ "uprobe:/bin/x:0xf", EINVAL, "probe/ref-ctr", "may have a different reference counter",
	  "must have the same one" },
	{ "uprobe:/bin/x:0xf", EIO, "probe/filesystem", NULL, "copy" },
	{ "uprobe:/bin/x:0xf", ENOEXEC, "probe/instruction", "in the middle of an instruction", "objdump" },
	{ "uprobe:/bin/x:0xf", KERNEL_ENOTSUPP, "probe/instruction", "unable to replace", NULL },
};

TEST_ROWS(refusals_are_explained, failed)
{
	static const char *const methods[] = { "ioctl", "pmu", "link" };

	for (size_t i = 0; i < NR(methods); i++) {
		const struct expect e = {
			failed[_i].code,
			"event '",
			failed[_i].what,
			failed[_i].hint,
		};
		int ret;

		begin();
		if (strchr(failed[_i].event, '+'))
			fake_kernel_refuse_offsets(b.kernel, failed[_i].code);
		else
			fake_kernel_refuse_probes(b.kernel, failed[_i].code);
		ret = attach(methods[i], failed[_i].event);
		if (failed[_i].reason)
			ck_assert_pstr_eq(b.err.reason, failed[_i].reason);
		ck_assert_ptr_nonnull(b.err.reason);
		expect_error(failed[_i].event, ret, &b.err, &e);
		ck_assert_uint_eq(b.set.nr, 0);
		end();
	}
}

/*
 * If the kernel takes a probe at the beginning of the function, the offset is the cause, whatever
 * the lists of forbidden functions contain.
 */
TEST(offset_is_told_from_function)
{
	static const char *const methods[] = { "ioctl", "pmu", "link" };

	for (size_t i = 0; i < NR(methods); i++) {
		begin();
		fake_kernel_refuse_offsets(b.kernel, EINVAL);
		ck_assert_int_eq(attach(methods[i], "kprobe:rcu_is_watching+1"), -EINVAL);
		ck_assert_pstr_eq(b.err.reason, "probe/offset");
		error_clear(&b.err);
		fake_kernel_refuse_probes(b.kernel, EINVAL);
		ck_assert_int_eq(attach(methods[i], "kprobe:rcu_is_watching+1"), -EINVAL);
		ck_assert_pstr_eq(b.err.reason, "probe/notrace");
		error_clear(&b.err);
		fake_kernel_refuse_offsets(b.kernel, EINVAL);
		ck_assert_int_eq(attach(methods[i], "kprobe:rcu_is_watching"), 0);
		end();
	}
}

/* The event has a program, so that the call fails otherwise when it is repeated: no rule is blamed. */
TEST(kprobe_refuses_program)
{
	static const struct {
		const char *method, *event, *reason;
	} rows[] = {
		{ "ioctl", "kprobe:vfs_read", "attach/failed" },
		{ "link", "kprobe:vfs_read", "attach/failed" },
		{ "ioctl", "uprobe:/bin/x:0x8", "attach/failed" },
	};

	for (size_t i = 0; i < NR(rows); i++) {
		const struct attach_method *method = attach_method_find(rows[i].method, NULL);
		struct attachment again;

		begin();
		ck_assert_int_eq(attach(rows[i].method, rows[i].event), 0);
		again = b.set.list[0];
		fake_kernel_fail_call(b.kernel, 1, EINVAL);
		ck_assert_int_eq(method->bind(b.sys, &again, b.prog_fd, 0, &b.err), -EINVAL);
		ck_assert_pstr_eq(b.err.reason, rows[i].reason);
		end();
	}
}

/* The words of error_log are taken when they are about our line, and no others. */
TEST_EACH(kernel_has_words, 2)
{
	const struct fake_path with[] = {
		{ "tracefs:/error_log",
		  "[  1.0] trace_kprobe: error: Something else\n  Command: p:x/y z\n        ^\n"
		  "[  2.0] trace_kprobe: error: This is it\n"
		  "  Command: p:pload/vfs_read_42_309_0_4_0 vfs_read+0x0\n        ^\n",
		  0, 0 },
		{ "tracefs:/available_filter_functions", "vfs_read\n", 0, 0 },
		{ "/proc/kallsyms", SYMBOLS, 0, 0 },
		{ NULL, NULL, 0, 0 },
	};

	begin();
	if (_i)
		fake_kernel_set_paths(b.kernel, with);
	fake_kernel_refuse_probes(b.kernel, EINVAL);
	ck_assert_int_eq(attach("ioctl", "kprobe:vfs_read"), -EINVAL);
	ck_assert_pstr_eq(b.err.reason, "probe/refused");
	ck_assert_ptr_nonnull(strstr(b.err.what, _i ? "This is it (error_log" : "unknown: EINVAL"));
}

/* A kernel without probes. */
TEST(missing_probes_are_said)
{
	static const struct {
		const char *method, *event, *reason, *hint;
	} rows[] = {
		{ "ioctl", "kprobe:f", "probe/no-kprobes", "CONFIG_KPROBE_EVENTS" },
		{ "link", "kprobe:f", "probe/no-kprobes", "CONFIG_KPROBE_EVENTS" },
		{ "ioctl", "uprobe:/bin/x:0", "probe/no-uprobes", "CONFIG_UPROBE_EVENTS" },
		{ "pmu", "uprobe:/bin/x:0", "probe/no-uprobes", "CONFIG_UPROBE_EVENTS" },
	};

	for (size_t i = 0; i < NR(rows); i++) {
		begin();
		fake_kernel_set_age(b.kernel, FAKE_NO_PROBES);
		ck_assert_int_eq(attach(rows[i].method, rows[i].event), -ENOENT);
		ck_assert_pstr_eq(b.err.reason, rows[i].reason);
		ck_assert_ptr_nonnull(strstr(b.err.hint, rows[i].hint));
		end();
	}
}

/* Linux before 4.17 has tracefs only. */
TEST(missing_pmu_is_said)
{
	begin();
	fake_kernel_set_age(b.kernel, FAKE_NO_PROBE_PMU);
	ck_assert_int_eq(attach("link", "kprobe:vfs_read"), -ENOENT);
	ck_assert_pstr_eq(b.err.reason, "probe/no-pmu");
	ck_assert_ptr_nonnull(strstr(b.err.hint, "--attach=ioctl"));
	error_clear(&b.err);
	ck_assert_int_eq(attach("ioctl", "kprobe:vfs_read"), 0);
}

/* kprobe_profile has the lines of other tracers, too; only ours are counted. */
TEST(missed_calls_are_noted)
{
	static const struct {
		const char *profile, *note;
	} rows[] = {
		{ "  vfs_read_42_309_0_4_0   10   3\n  other   1   5\n x\n", "3 calls of functions "
		  "with kprobes were missed" },
		{ "  vfs_read_42_309_0_4_0   10   1\n", "1 call of functions with kprobes was missed" },
		{ "  vfs_read_42_309_0_4_0   10   0\n  vfs_read_42_309_0_4_1   1   1\n", NULL },
	};

	for (size_t i = 0; i < NR(rows); i++) {
		const struct fake_path with[] = {
			{ "tracefs:/kprobe_profile", rows[i].profile, 0, 0 },
			{ "/proc/kallsyms", SYMBOLS, 0, 0 },
			{ NULL, NULL, 0, 0 },
		};

		begin();
		fake_kernel_set_paths(b.kernel, with);
		ck_assert_int_eq(attach("ioctl", "kprobe:vfs_read"), 0);
		ck_assert_int_eq(attach("ioctl", "uprobe:/bin/x:0"), 0);
		end();
		ck_assert_msg(rows[i].note ? strstr(b.notes, rows[i].note) == b.notes : !b.notes[0],
			      "%s", b.notes);
	}
}

/* Undone events take their own lines along, and not those of events before a link without lines. */
TEST(undone_events_take_their_lines)
{
	begin();
	ck_assert_int_eq(attach("ioctl", "kprobe:vfs_read"), 0);
	ck_assert_int_eq(attach("ioctl", "kprobe:vfs_write"), 0);
	ck_assert_int_eq(attach_add_link(b.sys, &b.set, sys_openat(b.sys, AT_FDCWD, "/bin/x", O_CLOEXEC),
					 0, &b.err), 0);
	ck_assert_uint_eq(b.set.nr, 3);
	attach_undo(b.sys, &b.set, 3);
	ck_assert_uint_eq(fake_kernel_nr_lines(b.kernel), 2);
	attach_undo(b.sys, &b.set, 1);
	ck_assert_uint_eq(fake_kernel_nr_lines(b.kernel), 1);
	ck_assert_ptr_nonnull(strstr(fake_kernel_line(b.kernel, 0), "vfs_read"));
	attach_undo(b.sys, &b.set, 0);
	ck_assert_uint_eq(fake_kernel_nr_lines(b.kernel), 0);
}

/* Lines in kprobe_events of processes that have ended are removed; others stay. */
TEST(lines_that_were_left_are_removed)
{
	static const struct {
		const char *lines[3];
		unsigned int stay;
		const char *note;
	} rows[] = {
		{ { "p:pload/a_43_309_0_4_0 f+0x0" }, 0, "removed 1 line from kprobe_events that "
		  "pload 43 left behind when it was killed: 'pload/a_43_309_0_4_0'\n" },
		{ { "p:pload/a_43_309_0_4_0 f+0x0", "r8:pload/b_44_309_0_4_1 f+0x0" }, 0,
		  "removed 2 lines from kprobe_events that pload 43 or another left behind when it "
		  "was killed: 'pload/a_43_309_0_4_0' ...\n" },
		{ { "p:other/a_43_309_0_4_0 f+0x0", "p:pload/a_43_309_1_4_0 f+0x0" }, 2, "" },
	};

	for (size_t i = 0; i < NR(rows); i++) {
		begin();
		for (size_t n = 0; n < NR(rows[i].lines) && rows[i].lines[n]; n++)
			fake_kernel_add_line(b.kernel, false, rows[i].lines[n]);
		ck_assert_int_eq(attach("ioctl", "uprobe:/bin/x:0"), 0);
		ck_assert_uint_eq(fake_kernel_nr_lines(b.kernel), rows[i].stay + 1);
		ck_assert_str_eq(b.notes, rows[i].note);
		attach_close(b.sys, &b.set);
		event_scope_free(b.sys, &b.scope);
		event_spec_free(&b.spec);
		fake_kernel_free(b.kernel);
		b.kernel = NULL;	/* end() has nothing to do */
	}
}

/* An attachment that fails takes its own probes away, and none of those before it. */
TEST(probes_of_another_program_stay)
{
	begin();
	ck_assert_int_eq(attach("ioctl", "uprobe:/bin/x:0"), 0);
	ck_assert_uint_eq(fake_kernel_nr_lines(b.kernel), 1);
	ck_assert_int_eq(attach("ioctl", "cpu-clock"), -EINVAL);
	ck_assert_uint_eq(fake_kernel_nr_lines(b.kernel), 1);
	ck_assert_uint_eq(b.set.nr, 1);
	sys_close_fd(b.sys, &b.prog_fd);	/* the second probe is added, and cannot be bound */
	ck_assert_int_lt(attach("ioctl", "uprobe:/bin/x:4"), 0);
	ck_assert_uint_eq(fake_kernel_nr_lines(b.kernel), 1);
}
