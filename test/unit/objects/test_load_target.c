// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Tests of load targets, which are found by the name of a section in the BTF of a fake kernel. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/load_target/load_target.h"
#include "test/fault/fake_kernel.h"
#include "test/unit/common/btf_builder.h"
#include "test/unit/common/expect.h"
#include "test/unit/common/suite.h"

/* vmlinux: int, its FUNC_PROTO, and from V_FUNC on what has names; a module goes on behind them. */
enum { V_FUNC = 3, V_OPEN, V_TP, V_HOOK, V_ITER, V_NOT_FUNC, NR_VMLINUX };
enum { M_FUNC = NR_VMLINUX, M_TP, M_SAME };
enum { P_MAIN = 3, P_SCALED };
#define BTF_OF_PROG 3 /* ids in the fake kernel count from 1 */
#define PROG_ID 4

static struct fixture {
	struct btf_builder vmlinux, module, prog;
	struct buffer raw[3];
	struct fake_path paths[4];
	struct fake_kernel *k;
	struct sys *sys;
	struct kernel_types types;
	struct object_prog progs[8];
	bool wanted[8];
	struct bpf_object object;
	struct load_targets targets;
	struct error err;
} f;

static void build(void)
{
	struct btf_builder *b = &f.vmlinux;

	bb_int(b, "int", 4, BTF_INT_SIGNED);
	bb_proto(b, 1);
	ck_assert_uint_eq(bb_func(b, "do_exit", 2, BTF_FUNC_STATIC), V_FUNC);
	bb_func(b, "file_open", 2, BTF_FUNC_STATIC);
	bb_ref(b, BTF_KIND_TYPEDEF, "btf_trace_sched_switch", 1);
	bb_func(b, "bpf_lsm_file_open", 2, BTF_FUNC_STATIC);
	bb_func(b, "bpf_iter_task", 2, BTF_FUNC_STATIC);
	bb_ref(b, BTF_KIND_TYPEDEF, "no_function", 1);
	b = &f.module;
	bb_split(b, &f.vmlinux);
	ck_assert_uint_eq(bb_func(b, "mod_init", 2, BTF_FUNC_STATIC), M_FUNC);
	bb_ref(b, BTF_KIND_TYPEDEF, "btf_trace_mod_event", 1);
	bb_func(b, "do_exit", 2, BTF_FUNC_STATIC);
	b = &f.prog;
	bb_int(b, "int", 4, BTF_INT_SIGNED);
	bb_proto(b, 1);
	ck_assert_uint_eq(bb_func(b, "main_prog", 2, BTF_FUNC_GLOBAL), P_MAIN);
	bb_func(b, "scaled", 2, BTF_FUNC_GLOBAL);
}

/* The program of --target-prog, with the BTF that has id @btf, or none. */
static void load_prog(uint32_t btf)
{
	const struct bpf_insn insn = { .code = BPF_JMP | BPF_EXIT };
	union bpf_attr attr = { .btf_id = btf };
	int btf_fd = btf ? sys_bpf(f.sys, BPF_BTF_GET_FD_BY_ID, &attr, sizeof(attr)) : 0, fd;
	char path[64];

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_XDP;
	attr.insns = (uintptr_t)&insn;
	attr.insn_cnt = 1;
	attr.license = (uintptr_t) "GPL";
	attr.prog_btf_fd = btf_fd;
	fd = sys_bpf(f.sys, BPF_PROG_LOAD, &attr, sizeof(attr));
	ck_assert_int_ge(fd, 0);
	/* something holds on to it */
	snprintf(path, sizeof(path), "/sys/fs/bpf/%s", btf ? "with_btf" : "without_btf");
	ck_assert_int_eq(kernel_pin(f.sys, fd, path), 0);
	sys_close(f.sys, fd);
	if (btf)
		sys_close(f.sys, btf_fd);
}

static void begin(void)
{
	memset(&f, 0, sizeof(f));
	build();
	f.raw[0] = bb_btf(&f.vmlinux);
	f.raw[1] = bb_btf(&f.module);
	f.raw[2] = bb_btf(&f.prog);
	f.paths[0] =
		(struct fake_path){ "/sys/kernel/btf/vmlinux", f.raw[0].data, f.raw[0].size, 0 };
	f.k = fake_kernel_new(f.paths);
	f.sys = fake_kernel_sys(f.k);
	fake_kernel_add_btf(f.k, "vmlinux", f.raw[0].data, f.raw[0].size, false);
	fake_kernel_add_btf(f.k, "mod", f.raw[1].data, f.raw[1].size, false);
	fake_kernel_add_btf(f.k, NULL, f.raw[2].data, f.raw[2].size, false);
	load_prog(BTF_OF_PROG);
	kernel_types_init(&f.types, f.sys, NULL);
}

/* Programs in these sections, all wanted; up to a NULL. */
static void give(const char *target_prog, const char *const *sections)
{
	uint32_t nr = 0;

	for (; nr < NR(f.progs) && sections[nr]; nr++) {
		struct object_prog *p = &f.progs[nr];

		*p = (struct object_prog){ .name = "x", .section = sections[nr] };
		p->kind = prog_kind_find(sections[nr], &p->target);
		ck_assert(p->kind != NULL);
		f.wanted[nr] = true;
	}
	f.object = (struct bpf_object){ .name = "prog.o", .progs = f.progs, .nr_progs = nr };
	load_targets_init(&f.targets, f.sys, &f.object, f.wanted, &f.types, target_prog);
}

static void end(void)
{
	if (!f.k)
		return;
	load_targets_free(&f.targets);
	kernel_types_free(&f.types);
	ck_assert_int_eq(fake_kernel_leaks(f.k, stderr), 0);
	ck_assert_int_eq(fake_kernel_violations(f.k, stderr), 0);
	fake_kernel_free(f.k);
	for (unsigned int i = 0; i < NR(f.raw); i++)
		buffer_free(&f.raw[i]);
	bb_free(&f.vmlinux);
	bb_free(&f.module);
	bb_free(&f.prog);
	error_clear(&f.err);
	memset(&f, 0, sizeof(f));
}

TEST_FIXTURE(NULL, end)

static struct prog_target get(uint32_t prog)
{
	struct prog_target target;
	int ret = load_targets_get(&f.targets, prog, &target, &f.err);

	ck_assert_msg(!ret, "%s: %s", f.err.where, f.err.what);
	return target;
}

static const struct {
	const char *section;
	uint32_t id;
	bool module;
} found[] = {
	{ "fentry/do_exit", V_FUNC, false },
	{ "fexit.s/do_exit", V_FUNC, false },
	{ "fmod_ret/do_exit", V_FUNC, false },
	{ "fsession/do_exit", V_FUNC, false },
	{ "?fentry/vmlinux:do_exit", V_FUNC, false },
	{ "fentry/mod:do_exit", M_SAME, true },
	{ "fentry/mod_init", M_FUNC, true },
	{ "tp_btf/sched_switch", V_TP, false },
	{ "tp_btf/mod_event", M_TP, true },
	{ "lsm/file_open", V_HOOK, false },
	{ "lsm.s/file_open", V_HOOK, false },
	{ "lsm_cgroup/file_open", V_HOOK, false },
	{ "iter/task", V_ITER, false },
	{ "iter.s/task", V_ITER, false },
	{ "xdp", 0, false },
	{ "xdp/do_exit", 0, false },
	{ "kprobe/do_exit", 0, false },
	{ "fentry.multi/do_exit", 0, false },
};

TEST_ROWS(finds, found)
{
	struct prog_target t;

	begin();
	give(NULL, (const char *[]){ found[_i].section, NULL });
	t = get(0);
	ck_assert_uint_eq(t.btf_id, found[_i].id);
	ck_assert_int_eq(t.btf_fd != 0, found[_i].module);
	if (found[_i].module)
		ck_assert_int_eq(t.btf_fd, kernel_types_module_fd(&f.types, 0, &f.err));
	if (!found[_i].id) /* nobody has looked */
		ck_assert_uint_eq(fake_kernel_count(f.k, "openat"), 0);
}

/* The first call finds all load targets. Names that no program uses are not searched in modules. */
TEST(all_at_once)
{
	unsigned int calls;

	begin();
	give(NULL,
	     (const char *[]){ "fentry/do_exit", "xdp", "lsm/file_open", "fentry/nowhere",
			       "iter/task", "fentry", NULL });
	f.wanted[3] = f.wanted[5] = false;
	ck_assert_uint_eq(get(1).btf_id, 0);
	ck_assert_uint_eq(fake_kernel_count(f.k, "openat"), 0);
	ck_assert_uint_eq(get(2).btf_id, V_HOOK);
	calls = fake_kernel_nr_calls(f.k);
	ck_assert_uint_eq(get(0).btf_id, V_FUNC);
	ck_assert_uint_eq(get(4).btf_id, V_ITER);
	ck_assert_uint_eq(fake_kernel_nr_calls(f.k), calls);
	ck_assert_uint_eq(fake_kernel_count(f.k, "BPF_BTF_GET_NEXT_ID"), 0);
}

TEST(of_a_program)
{
	struct prog_target t;

	begin();
	give("4",
	     (const char *[]){ "freplace/scaled", "fentry/main_prog", "fexit/scaled",
			       "tp_btf/sched_switch", NULL });
	t = get(0);
	ck_assert_uint_eq(t.btf_id, P_SCALED);
	ck_assert_int_eq(t.btf_fd, f.targets.prog_fd);
	ck_assert_int_gt(t.btf_fd, 0);
	ck_assert_uint_eq(get(1).btf_id, P_MAIN);
	ck_assert_int_eq(get(2).btf_fd, t.btf_fd);
	t = get(3);
	ck_assert_uint_eq(t.attach_type, BPF_TRACE_RAW_TP);
	ck_assert_uint_eq(t.btf_id, V_TP);
	ck_assert_int_eq(t.btf_fd, 0);
	ck_assert_uint_eq(fake_kernel_count(f.k, "BPF_PROG_GET_FD_BY_ID"), 1);
}

static const char long_name[] =
	"fentry/"
	"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";

static const struct {
	const char *section, *prog;
	struct expect e;
} refused[] = {
	{ "fentry", NULL, { EINVAL, "section \"fentry\"", "contains no function", "fentry/NAME" } },
	{ "fentry/", NULL, { EINVAL, NULL, "contains no function" } },
	{ "fentry/mod:", NULL, { EINVAL, NULL, "contains no function" } },
	{ "lsm", NULL, { EINVAL, NULL, "contains no security hook", "lsm/NAME" } },
	{ "?iter", NULL, { EINVAL, NULL, "contains no iterator" } },
	{ "tp_btf", NULL, { EINVAL, NULL, "contains no tracepoint" } },
	{ "fentry/do_exti", NULL,
	  { ENOENT, "prog 'x': section \"fentry/do_exti\"", "no function 'do_exti'",
	    "did you mean do_exit" } },
	{ "fentry/mod_inti", NULL, { ENOENT, NULL, "'mod_inti'", "did you mean mod_init" } },
	{ "fentry/no_function", NULL, { ENOENT, NULL, "no function 'no_function'", "inlined" } },
	{ "fentry/mod:mod_inti", NULL,
	  { ENOENT, NULL, "types of 'mod' have no function", "mod_init" } },
	{ "fentry/vmlinux:mod_init", NULL,
	  { ENOENT, NULL, "types of 'vmlinux' have no", "inlined" } },
	{ "fentry/nomod:do_exit", NULL, { ENOENT, NULL, "module 'nomod'", "modprobe" } },
	{ "fentry/bpf_lsm_file_opem", NULL, { ENOENT, NULL, NULL, "bpf_lsm_file_open" } },
	{ long_name, NULL, { ENOENT, NULL, "xxxx", "inlined" } },
	{ "tp_btf/sched/sched_switch", NULL,
	  { ENOENT, NULL, "no tracepoint", "did you mean sched_switch?" } },
	{ "tp_btf/do_exit", NULL, { ENOENT, NULL, "no tracepoint", "tracing/events" } },
	{ "lsm/fileopen", NULL,
	  { ENOENT, NULL, "no security hook 'fileopen'", "did you mean file_open?" } },
	{ "iter/tsak", NULL, { ENOENT, NULL, "no iterator", "did you mean task?" } },
	{ "iter/nothing_like_it", NULL, { ENOENT, NULL, "no iterator", "bpf_map" } },
	{ "freplace", NULL, { EINVAL, NULL, "contains no function" } },
	{ "freplace/scaled", NULL, { EINVAL, NULL, "none is given", "--target-prog" } },
	{ "freplace/scalde", "4",
	  { ENOENT, NULL, "program 4 has no function 'scalde'", "did you mean scaled?" } },
	{ "fentry/do_exit", "4",
	  { ENOENT, NULL, "program 4 has no function 'do_exit'", "bpftool" } },
	{ "freplace/scaled", "5",
	  { ENOENT, "--target-prog=5", "no BTF", "-g", "prog-load/target-prog" } },
	{ "freplace/scaled", "99",
	  { ENOENT, "--target-prog=99", "BPF_PROG_GET_FD_BY_ID", "pload show progs" } },
	{ "freplace/scaled", "4294967300",
	  { ENOENT, "--target-prog=4294967300", "BPF_OBJ_GET", "bpffs" } },
	{ "freplace/scaled", "/sys/fs/bpf/none",
	  { ENOENT, "--target-prog=/sys/fs/bpf/none", "BPF_OBJ_GET", "bpffs" } },
	{ "freplace/scaled", "/sys/fs/bpf/map",
	  { EINVAL, "--target-prog=/sys/fs/bpf/map", "is not a BPF program" } },
};

TEST_ROWS(refuses, refused)
{
	const union bpf_attr map = {
		.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1
	};
	struct prog_target target = { 77, 77, 77 };

	begin();
	load_prog(0);
	fake_kernel_pin(f.k, "/sys/fs/bpf/map", &map);
	give(refused[_i].prog, (const char *[]){ refused[_i].section, NULL });
	expect_error(refused[_i].section, load_targets_get(&f.targets, 0, &target, &f.err), &f.err,
		     &refused[_i].e);
	ck_assert_uint_eq(target.btf_id, 0);
}

/* The types of vmlinux may say where a function was inlined; a file of --btf is of another kernel. */
TEST_EACH(an_inlined_function_has_callers, 2)
{
	static const uint32_t site[] = { 9, 0, 0x10 };
	struct btf_builder b = { 0 };
	struct prog_target target;
	struct buffer raw;

	begin();
	bb_split(&b, &f.vmlinux);
	ck_assert_uint_eq(bb_func(&b, "inlined", 2, BTF_FUNC_STATIC), site[0]);
	bb_words(&b, 22 /* LOCSEC */, "inline.text", 0, 1, site, 3);
	raw = bb_btf(&b);
	f.paths[1] = (struct fake_path){ "/sys/kernel/btf/vmlinux.inline", raw.data, raw.size, 0 };
	f.paths[2] = (struct fake_path){
		KALLSYMS, "ffffffff81000000 T _stext\nffffffff81000010 T tcp_ack\nffffffff81000020 T b\n",
		0, 0
	};
	if (_i)
		f.types.path = "/sys/kernel/btf/vmlinux";
	give(NULL, (const char *[]){ "fentry/inlined", NULL });
	expect_error("inlined", load_targets_get(&f.targets, 0, &target, &f.err), &f.err,
		     &(struct expect){ ENOENT, NULL, "no function 'inlined'",
				       _i ? "may be inlined" : "it is inlined into tcp_ack; probe" });
	buffer_free(&raw);
	bb_free(&b);
}

TEST(no_types)
{
	struct prog_target target;

	begin();
	f.paths[0].error = ENOENT;
	give(NULL, (const char *[]){ "xdp", "fentry/do_exit", NULL });
	ck_assert_uint_eq(get(0).btf_id, 0);
	expect_error("no types", load_targets_get(&f.targets, 1, &target, &f.err), &f.err,
		     &(struct expect){ ENOENT,
				       "section \"fentry/do_exit\": /sys/kernel/btf/vmlinux", NULL,
				       "CONFIG_DEBUG_INFO_BTF" });
}

TEST(no_hooks_at_all)
{
	struct prog_target target;

	begin();
	buffer_free(&f.raw[0]);
	bb_free(&f.vmlinux);
	memset(&f.vmlinux, 0, sizeof(f.vmlinux));
	bb_int(&f.vmlinux, "int", 4, 0);
	f.raw[0] = bb_btf(&f.vmlinux);
	f.paths[0].data = f.raw[0].data;
	f.paths[0].size = f.raw[0].size;
	fake_kernel_set_age(f.k, FAKE_NO_MODULE_BTF);
	give(NULL, (const char *[]){ "lsm/file_open", NULL });
	expect_error("no hooks", load_targets_get(&f.targets, 0, &target, &f.err), &f.err,
		     &(struct expect){ ENOENT, NULL, NULL, "CONFIG_BPF_LSM" });
}

/* However many names are missing, all others are looked at a few times only. */
TEST(guesses_end)
{
	struct prog_target target;

	begin();
	give(NULL,
	     (const char *[]){ "fentry/do_exti", "fentry/do_exi", "fentry/do_exitt",
			       "fentry/ddo_exit", "fentry/doo_exit", "fentry/dexit", NULL });
	for (uint32_t i = 0; i < 6; i++) {
		ck_assert_int_eq(load_targets_get(&f.targets, i, &target, &f.err), -ENOENT);
		ck_assert_int_eq(f.err.hint[0] != '\0', i < 4);
	}
}

/* Each call fails in turn: an error, or a target that is found all the same; nothing is left. */
TEST(when_calls_fail)
{
	unsigned int calls = 0, failures = 0;

	for (unsigned int n = 0; !n || n <= calls; n++) {
		struct prog_target target;
		unsigned int before;
		int ret = 0;

		begin();
		before = fake_kernel_nr_calls(f.k);
		give("4", (const char *[]){ "freplace/scaled", "tp_btf/mod_event", NULL });
		fake_kernel_fail_call(f.k, n, EMFILE);
		for (uint32_t i = 0; !ret && i < 2; i++)
			ret = load_targets_get(&f.targets, i, &target, &f.err);
		ck_assert(!ret || (ret == f.err.code && f.err.what[0] && f.err.where[0]));
		failures += ret != 0;
		if (!n)
			calls = fake_kernel_nr_calls(f.k) - before;
		end();
	}
	ck_assert_uint_ge(failures, 10);
}

/* BPF_PROG_LOAD gets the BTF id, the BTF descriptor and the attach type of the load target. */
TEST(is_given_to_the_kernel)
{
	struct bpf_insn insn = { .code = BPF_JMP | BPF_EXIT };
	const struct prog_code code = { .insns = &insn, .nr_insns = 1 };
	struct kernel_prog prog = { .fd = -1, .target = { 42, 7, BPF_TRACE_FEXIT } };
	struct kernel_object k = { .btf_fd = -1, .progs = &prog };

	begin();
	give(NULL, (const char *[]){ "fexit/do_exit", NULL });
	f.object.license = "GPL";
	k.object = &f.object;
	ck_assert(!kernel_verify_prog(f.sys, &k, 0, &code, &f.err));
	ck_assert_uint_eq(fake_kernel_prog(f.k, "x")->attr.attach_btf_id, 42);
	ck_assert_uint_eq(fake_kernel_prog(f.k, "x")->attr.attach_btf_obj_fd, 7);
	ck_assert_uint_eq(fake_kernel_prog(f.k, "x")->attr.expected_attach_type, BPF_TRACE_FEXIT);
	sys_close(f.sys, prog.fd);
}

static const struct {
	const char *log;
	int code;
	const char *what, *hint, *reason;
} words[] = {
	{ "f() is not modifiable\nprocessed 0 insns\n", EINVAL, "the verifier rejected",
	  "fentry or fexit", "prog-load/not-modifiable" },
	{ "f is not sleepable\n", EINVAL, "the verifier rejected", ".s", "prog-load/not-sleepable" },
	{ "processed 0 insns (limit 1000000)\n", EINVAL, "BPF_PROG_LOAD refused",
	  "may not know BPF_PROG_TYPE_TRACING attached as BPF_TRACE_FEXIT", "prog-load/refused" },
	{ "0: (95) exit\n; f is not sleepable\nR0 is odd\n", EACCES, "the verifier rejected",
	  "the end of the verifier log", "prog-load/verifier" },
	{ NULL, EPERM, "every program of type BPF_PROG_TYPE_TRACING attached as BPF_TRACE_FEXIT",
	  "lockdown: none [integrity]", "prog-load/forbidden" },
};

TEST_ROWS(refusal_is_explained, words)
{
	static const struct fake_path files[] = {
		{ "/proc/self/status", "CapEff:\t000001ffffffffff\n", 0, 0 },
		{ "/sys/kernel/security/lsm", "lockdown,bpf\n", 0, 0 },
		{ "/sys/kernel/security/lockdown", "none [integrity] confidentiality\n", 0, 0 },
		{ NULL, NULL, 0, 0 },
	};
	struct bpf_insn insn = { .code = BPF_JMP | BPF_EXIT };
	const struct prog_code code = { .insns = &insn, .nr_insns = 1 };
	struct object_prog p = { .name = "x", .section = "fexit/f" };
	const struct bpf_object object = {
		.name = "prog.o", .progs = &p, .nr_progs = 1, .license = "GPL"
	};
	struct kernel_prog prog = { .fd = -1, .target = { 1, 0, BPF_TRACE_FEXIT } };
	struct kernel_object k = { .object = &object, .btf_fd = -1, .progs = &prog };
	struct fake_kernel *fake = fake_kernel_new(files);
	struct error err = { 0 };

	p.kind = prog_kind_find(p.section, &p.target);
	fake_kernel_reject(fake, NULL, words[_i].code, words[_i].log);
	fake_kernel_spare(fake, BPF_PROG_TYPE_SOCKET_FILTER);
	ck_assert_int_eq(kernel_verify_prog(fake_kernel_sys(fake), &k, 0, &code, &err),
			 -words[_i].code);
	ck_assert_str_eq(err.reason, words[_i].reason);
	expect_error("words", err.code, &err,
		     &(struct expect){ words[_i].code, "prog 'x'", words[_i].what,
				       words[_i].hint });
	ck_assert_int_eq(fake_kernel_leaks(fake, stderr), 0);
	fake_kernel_free(fake);
}
