// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tests of the error for a program that the kernel refuses: by the age of the kernel, and by the
 * message of its verifier.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/explain/kernel/refused.h"
#include "test/fault/fake_kernel.h"
#include "test/unit/common/btf_builder.h"
#include "test/unit/common/expect.h"
#include "test/unit/common/suite.h"
#include "loader/base/kernel/kernel_calls.h"

#define END "\nprocessed 7 insns (limit 1000000)\n"

/* Since Linux 7.3: bpf_diag_*() in kernel/bpf/diagnostics.c. Lines have up to 100 columns. */
#define DIAGNOSIS(kind, problem, reason, path, suggestion) \
	"\n\nVerification failed: " kind ": " problem "\n\nReason:\n  " reason "\n\nAt:\n" \
	"  entry @ prog.bpf.c:13:36\n" \
	"  Source context:\n" \
	"      12 | ...\n" \
	"  >>> 13 |         return \"GPL\"[s->x];\n" \
	"         |         ^-- error: " problem "\n" \
	"  Instruction context:\n" \
	"       9 | (bc) w1 = w0\n" \
	"  >>> 10 | (61) r2 = *(u32 *)(r6 +0)\n" \
	"      11 | (85) call unknown#181\n" path suggestion "\n"
#define PATH "\nCausal path:\n  entry @ prog.bpf.c:11:0\n  R6 is the result of bpf_get_stackid()\n"
#define SUGGESTION(text) "\nSuggestion:\n  " text "\n"

static const struct {
	const char *section, *release, *log;
	int code;
	const char *hint, *reason;
} rows[] = {
	/* The kernel's age. */
	{ "netfilter", "5.10.0-32-cloud-amd64", NULL, EINVAL,
	  "section \"netfilter\": needs Linux 6.4, but this is 5.10.0-32-cloud-amd64",
	  "prog-load/too-old" },
	{ "netfilter", "6.4.0", NULL, EINVAL, "may not know BPF_PROG_TYPE_NETFILTER",
	  "prog-load/refused" },
	{ "kprobe.session/f", "6.9.12", NULL, EINVAL, "needs Linux 6.10", "prog-load/too-old" },
	{ "kprobe.multi/f", "5.4.0", NULL, E2BIG, "needs Linux 5.18", "prog-load/too-old" },
	{ "cgroup/connect_unix", "5.10.3", NULL, EINVAL, "needs Linux 6.7",
	  "prog-load/too-old" },
	{ "syscall", "5.10.3", NULL, EINVAL, "needs Linux 5.14", "prog-load/too-old" },
	{ "perf_event", "nonsense", NULL, EINVAL, "may not know BPF_PROG_TYPE_PERF_EVENT",
	  "prog-load/refused" },
	{ "perf_event", NULL, NULL, EINVAL, "may not know BPF_PROG_TYPE_PERF_EVENT",
	  "prog-load/refused" },
	{ "uprobe.s/x:y", "5.10.3", "Only fentry/fexit/fmod_ret and lsm programs can be sleepable"
	  END, EINVAL, "needs Linux 6.0", "prog-load/too-old" },
	{ "uprobe.s/x:y", "6.18.1", "Only fentry/fexit/fmod_ret and lsm programs can be sleepable"
	  END, EINVAL, "leave out the .s", "prog-load/not-sleepable" },
	{ "tp.s/syscalls/sys_enter_openat", "7.1.4",
	  "Only fentry/fexit/fmod_ret, lsm, iter, uprobe, and struct_ops programs can be sleepable"
	  END, EINVAL, "section \"tp.s\": needs Linux 7.2", "prog-load/too-old" },
	{ "raw_tp.s", "6.18.1",
	  "Only fentry/fexit/fmod_ret, lsm, iter, uprobe, and struct_ops programs can be sleepable"
	  END, EINVAL, "section \"raw_tp.s\": needs Linux 7.2", "prog-load/too-old" },
	{ "tp_btf.s/sched_switch", "7.2.0",
	  "Sleepable program cannot attach to non-faultable tracepoint sched_switch" END,
	  EINVAL, "system call tracepoints", "prog-load/not-sleepable" },
	{ "perf_event", "5.10.3", "number of funcs in func_info doesn't match number of subprogs"
	  END, EINVAL, "function addresses, for callbacks: needs Linux 5.13", "prog-load/too-old" },
	{ "perf_event", "6.1.0", "number of funcs in func_info doesn't match number of subprogs"
	  END, EINVAL, "end of the verifier log", "prog-load/verifier" },
	/* No word of its verifier. */
	{ "xdp", "6.18.0", NULL, ENOMEM, "memory.max", "prog-load/no-memory" },
	{ "xdp", "6.18.0", NULL, EAGAIN, "try again", "prog-load/interrupted" },
	{ "xdp", "6.18.0", NULL, 524, "net.core.bpf_jit_limit may be used up", "prog-load/no-jit" },
	{ "xdp", "6.18.0", NULL, EIO, "dmesg", "prog-load/refused" },
	{ "xdp", "6.18.0", NULL, EMFILE, "ulimit -n", "prog-load/fd-limit" },
	{ "xdp", "6.18.0", NULL, ENFILE, "fs.file-max", "prog-load/fd-limit" },
	/* Its verifier's words. */
	{ "perf_event", "6.18.0", "must provide btf_id of struct" END, EINVAL,
	  "may not know BPF_PROG_TYPE_PERF_EVENT", "prog-load/unknown-kind" },
	{ "xdp", "6.18.0", "BPF program is too large. Processed 1000001 insn" END, E2BIG,
	  "bpf_loop()", "prog-load/too-complex" },
	{ "xdp", "6.18.0", "The sequence of 8193 jumps is too complex." END, EFAULT,
	  "too many branches", "prog-load/too-complex" },
	{ "xdp", "6.1.0", "0: (85) call unknown#181\ninvalid func unknown#181" END, EINVAL,
	  "not have the helper bpf_loop()", "prog-load/no-helper" },
	{ "xdp", "6.1.0", "0: (85) call unknown#4711\ninvalid func unknown#4711" END, EINVAL,
	  "end of the verifier log", "prog-load/verifier" },
	{ "xdp", "6.1.0", "0: (85) call bpf_x#14\nunknown func bpf_get_current_pid_tgid#14" END,
	  EINVAL, "not available to this program type", "prog-load/no-helper" },
	{ "xdp", "6.18.0", "0: (85) call x#6\ncannot call GPL-restricted function from non-GPL "
			   "compatible program" END,
	  EINVAL, "its license is \"MIT\"", "prog-load/license" },
	{ "xdp", "6.18.0", "; print(\"GPL\")\n0: (b7) r0 = 0\n1: (b7) r0 = 0\n2: (b7) r0 = 0\n3: "
			   "(95) exit\nR9 is odd" END,
	  EACCES, "end of the verifier log", "prog-load/verifier" },
	{ "xdp", "6.18.0", "3: (b7) r0 = 0\n; return \"GPL\"[x];\n4: (71) r0 = *(u8 *)(r9)\nR9 is odd" END,
	  EACCES, "end of the verifier log", "prog-load/verifier" },
	{ "xdp", "6.18.0", "4: (61) r1 = *(u32 *)(r0 +0)\nR0 invalid mem access 'map_value_or_null'"
	  END, EACCES, "lookup in a map may return NULL", "prog-load/verifier" },
	{ "xdp", "6.18.0", "4: (85) call bpf_map_update_elem#2\nR3 type=map_value_or_null expected=fp, "
			   "pkt" END,
	  EACCES, "may be NULL: check before passing it", "prog-load/verifier" },
	{ "xdp", "6.18.0", "4: (7b) *(u64 *)(r10 -520) = r1\ninvalid write to stack R10 off=-520 size=8"
	  END,
	  EACCES, "at most 512 bytes", "prog-load/verifier" },
	{ "xdp", "6.18.0", "4: (79) r1 = *(u64 *)(r10 +0)\ninvalid read from stack R10 off=0 size=8"
	  END, EACCES, "outside the function's stack", "prog-load/verifier" },
	{ "xdp", "6.18.0", "4: (85) call x#1\ninvalid indirect access to stack R2 off=-8 size=16" END,
	  EACCES, "outside the function's stack", "prog-load/verifier" },
	{ "xdp", "6.18.0", "4: (85) call x#1\ninvalid indirect read from stack R2 off -8+4 size 8"
	  END, EACCES, "initialize all bytes", "prog-load/verifier" },
	{ "xdp", "6.18.0", "4: (79) r1 = *(u64 *)(r10 -8)\ninvalid read from stack off -8+0 size 8"
	  END, EACCES, "initialize all bytes", "prog-load/verifier" },
	{ "xdp", "6.18.0", "4: (61) r1 = *(u32 *)(r1 +400)\ninvalid bpf_context access off=400 size=4"
	  END,
	  EACCES, "have no such field, or", "prog-load/verifier" },
	{ "xdp", "6.18.0", "4: (61) r1 = *(u32 *)(r0 +0)\ninvalid access to packet, off=0 size=4, "
			   "R1(id=0,off=0,r=0)\nR1 offset is outside of the packet" END,
	  EACCES, "data_end", "prog-load/verifier" },
	{ "xdp", "6.18.0", "4: (61) r1 = *(u32 *)(r0 +16)\ninvalid access to map value, "
			   "value_size=8 off=16 size=4\nR0 min value is outside of the allowed "
			   "memory range" END,
	  EACCES, "even the smallest possible offset", "prog-load/verifier" },
	{ "xdp", "6.18.0", "4: (61) r1 = *(u32 *)(r0 +0)\ninvalid access to map value, "
			   "value_size=8 off=400 size=4\nR0 max value is outside of the allowed "
			   "memory range" END,
	  EACCES, "if (n >= SIZE) return 0", "prog-load/verifier" },
	{ "xdp", "6.18.0", "4: (85) call bpf_map_update_elem#2\nR2 type=ctx expected=fp, pkt, "
			   "pkt_meta, map_key" END,
	  EACCES, "R1 is the first argument", "prog-load/verifier" },
	{ "xdp", "6.18.0", "4: (95) exit\nR0 !read_ok", EACCES, "must return a value",
	  "prog-load/verifier" },
	{ "perf_event", "7.3.0", "tracing progs cannot use resizable hash maps yet" END, EINVAL,
	  "BPF_MAP_TYPE_HASH instead", "prog-load/verifier" },
	/* With a diagnosis. */
	{ "xdp", "7.3.0", "10: (61) r2 = *(u32 *)(r6 +0)\nR6 invalid mem access 'mem_or_null'"
	  DIAGNOSIS("Register Type Safety", "Invalid dereference", "R6 may be NULL here.", PATH,
		    SUGGESTION("Check R6 against NULL, and\n"
			       "  dereference it only where it is not."))
	  END,
	  EACCES, "Check R6 against NULL, and dereference it only where it is not.",
	  "prog-load/verifier" },
	{ "xdp", "7.3.0", "10: (61) r2 = *(u32 *)(r6 +0)\nR6 invalid mem access 'mem_or_null'"
	  DIAGNOSIS("Register Type Safety", "Invalid dereference", "R6 may be NULL here.", "", "")
	  END, EACCES, "memory may be NULL", "prog-load/verifier" },
	{ "xdp", "7.3.0", "10: (61) r2 = *(u32 *)(r6 +0)\nR9 is odd"
	  DIAGNOSIS("Memory Safety", "Odd", "R9 is odd.", PATH, "") END,
	  EACCES, "end of the verifier log", "prog-load/verifier" },
	{ "xdp", "7.3.0", "0: (85) call x#6\ncannot call GPL-restricted function from non-GPL "
			  "compatible program"
	  DIAGNOSIS("Policy", "Operation is not allowed", "The helper is not allowed.", "",
		    SUGGESTION("Use a compatible license.")) END,
	  EINVAL, "its license is \"MIT\"", "prog-load/license" },
	{ "xdp", "7.3.0", "The sequence of 8193 jumps is too complex."
	  DIAGNOSIS("Program Structure", "Too complex", "There are too many jumps.", "",
		    SUGGESTION("Simplify it.")) END,
	  EFAULT, "too many branches", "prog-load/too-complex" },
};

TEST_ROWS(hints, rows)
{
	const struct fake_path files[] = {
		{ "/proc/sys/kernel/osrelease", rows[_i].release, 0,
		  rows[_i].release ? 0 : ENOENT },
		{ NULL, NULL, 0, 0 },
	};
	struct bpf_insn insn = { .code = BPF_JMP | BPF_EXIT };
	const struct prog_code code = { .insns = &insn, .nr_insns = 1 };
	struct object_prog p = { .name = "x", .section = rows[_i].section };
	const struct bpf_object object = { .name = "prog.o", .progs = &p, .nr_progs = 1,
					   .license = "MIT" };
	struct kernel_prog prog = { .fd = -1 };
	struct kernel_object k = { .object = &object, .btf_fd = -1, .untagged_btf_fd = -1,
				   .progs = &prog };
	struct fake_kernel *fake = fake_kernel_new(files);
	struct error err = { 0 };

	p.kind = prog_kind_find(p.section, &p.target);
	fake_kernel_reject(fake, NULL, rows[_i].code, rows[_i].log);
	fake_kernel_spare(fake, BPF_PROG_TYPE_SOCKET_FILTER);
	ck_assert_int_eq(kernel_verify_prog(fake_kernel_sys(fake), &k, 0, &code, &err),
			 -rows[_i].code);
	ck_assert_pstr_eq(err.reason, rows[_i].reason);
	expect_error(rows[_i].section, err.code, &err,
		     &(struct expect){ rows[_i].code, "prog 'x'", NULL, rows[_i].hint });
	ck_assert_int_eq(fake_kernel_leaks(fake, stderr), 0);
	fake_kernel_free(fake);
}

/* BTF that the kernel has refused is to blame if the verifier mentions BTF, and not otherwise. */
TEST_EACH(refused_btf_is_to_blame, 3)
{
	struct bpf_insn insn = { .code = BPF_JMP | BPF_EXIT };
	const struct prog_code code = { .insns = &insn, .nr_insns = 1 };
	struct object_prog p = { .name = "x", .section = "xdp" };
	const struct bpf_object object = { .name = "prog.o", .progs = &p, .nr_progs = 1,
					   .license = "MIT" };
	struct kernel_prog prog = { .fd = -1 };
	struct kernel_object k = { .object = &object, .btf_fd = -1, .untagged_btf_fd = -1,
				   .progs = &prog, .btf_refused = "Invalid argument" };
	struct fake_kernel *fake = fake_kernel_new(NULL);
	struct error err = { 0 };

	p.kind = prog_kind_find(p.section, &p.target);
	static const char *const logs[] = { "; btf = 1\n0: (95) exit\n1: x\n2: x\nR9 is odd" END,
					    "map 'm' has to have BTF for it" END,
					    "2: x\n; btf = 1 @ x.c:1\nR9 is odd" END };

	fake_kernel_reject(fake, NULL, EINVAL, logs[_i]);
	ck_assert_int_eq(kernel_verify_prog(fake_kernel_sys(fake), &k, 0, &code, &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.hint, _i == 1 ? "refused the object's BTF (Invalid argument)" :
						    "end of the verifier log"));
	error_clear(&err);
	fake_kernel_free(fake);
}

/* A program whose relocations nobody would do is not loaded with the offsets of another machine. */
TEST(relocations_left_to_a_kernel_without_types)
{
	struct bpf_insn insn = { .code = BPF_JMP | BPF_EXIT };
	struct bpf_core_relo relo = { 0 };
	const struct prog_code code = { .insns = &insn, .nr_insns = 1, .core_relos = &relo,
					.nr_core_relos = 1 };
	struct object_prog p = { .name = "x", .section = "perf_event" };
	const struct bpf_object object = { .name = "prog.o", .progs = &p, .nr_progs = 1,
					   .license = "MIT" };
	struct kernel_prog prog = { .fd = -1 };
	struct kernel_object k = { .object = &object, .btf_fd = -1, .untagged_btf_fd = -1,
				   .btf_refused = "Invalid argument", .progs = &prog };
	struct fake_kernel *fake = fake_kernel_new(NULL);
	struct error err = { 0 };

	p.kind = prog_kind_find(p.section, &p.target);
	expect_error("no types", kernel_verify_prog(fake_kernel_sys(fake), &k, 0, &code, &err), &err,
		     &(struct expect){ EINVAL, "prog 'x'", "refused the object's BTF: Invalid argument",
				       "without --core=kernel, pload applies them itself", "core/kernel" });
	ck_assert_int_eq(prog.fd, -1);
	fake_kernel_free(fake);
}

/* A kernel before 5.17 refuses CO-RE relocations that are left to it, and the hint says so. */
TEST_EACH(relocations_left_to_the_kernel, 2)
{
	static const struct fake_path releases[][2] = {
		{ { "/proc/sys/kernel/osrelease", "5.10.0-46-amd64", 0, 0 }, { NULL, NULL, 0, 0 } },
		{ { "/proc/sys/kernel/osrelease", "5.17.0", 0, 0 }, { NULL, NULL, 0, 0 } },
	};
	struct bpf_insn insn = { .code = BPF_JMP | BPF_EXIT };
	struct bpf_core_relo relo = { 0 };
	const struct prog_code code = { .insns = &insn, .nr_insns = 1, .core_relos = &relo,
					.nr_core_relos = 1 };
	struct object_prog p = { .name = "x", .section = "perf_event" };
	const struct bpf_object object = { .name = "prog.o", .progs = &p, .nr_progs = 1,
					   .license = "MIT" };
	struct kernel_prog prog = { .fd = -1 };
	struct fake_kernel *fake = fake_kernel_new(releases[_i]);
	struct sys *sys = fake_kernel_sys(fake);
	struct kernel_object k = { .object = &object, .untagged_btf_fd = -1, .progs = &prog };
	struct btf_builder types = { 0 };
	union bpf_attr attr = { 0 };
	struct error err = { 0 };
	struct buffer raw;

	bb_int(&types, "int", 4, BTF_INT_SIGNED);
	raw = bb_btf(&types);
	attr.btf = (uintptr_t)raw.data;
	attr.btf_size = raw.size;
	k.btf_fd = sys_bpf(sys, BPF_BTF_LOAD, &attr, sizeof(attr));
	ck_assert_int_ge(k.btf_fd, 0);
	p.kind = prog_kind_find(p.section, &p.target);
	fake_kernel_reject(fake, NULL, E2BIG, NULL);
	fake_kernel_spare(fake, BPF_PROG_TYPE_SOCKET_FILTER);
	ck_assert_int_eq(kernel_verify_prog(sys, &k, 0, &code, &err), -E2BIG);
	ck_assert_pstr_eq(err.reason, _i ? "prog-load/refused" : "prog-load/too-old");
	ck_assert_pstr_eq(err.hint, _i ? "this kernel may not know BPF_PROG_TYPE_PERF_EVENT "
					 "(section \"perf_event\")" :
		"CO-RE relocations left to the kernel (without --core=kernel, pload "
		"applies them itself): needs Linux 5.17, but this is 5.10.0-46-amd64");
	sys_close(sys, k.btf_fd);
	buffer_free(&raw);
	bb_free(&types);
	ck_assert_int_eq(fake_kernel_leaks(fake, stderr), 0);
	fake_kernel_free(fake);
	error_clear(&err);
}

/* A program of @section, which a kernel with @files refuses with @refusal and without a word. */
static void load_refused(const struct fake_path *files, const char *section,
			 const struct prog_code *code, int refusal, struct error *err)
{
	struct object_prog p = { .name = "x", .section = section };
	const struct bpf_object object = {
		.name = "prog.o", .progs = &p, .nr_progs = 1, .license = "MIT"
	};
	struct kernel_prog prog = { .fd = -1 };
	struct kernel_object k = {
		.object = &object, .btf_fd = -1, .untagged_btf_fd = -1, .progs = &prog
	};
	struct fake_kernel *fake = fake_kernel_new(files);

	p.kind = prog_kind_find(p.section, &p.target);
	fake_kernel_reject(fake, NULL, refusal, NULL);
	fake_kernel_spare(fake, BPF_PROG_TYPE_SOCKET_FILTER);
	kernel_verify_prog(fake_kernel_sys(fake), &k, 0, code, err);
	fake_kernel_free(fake);
}

/* Programs that are refused for the number of their instructions, or for the lack of a JIT. */
TEST(limits)
{
	static const struct {
		uint32_t nr;
		const char *release, *status, *jit;
		int code;
		const char *reason, *what, *hint;
	} known[] = {
		{ 1000001, "6.18.0", "CapEff:\t000001ffffffffff\n", "1\n", E2BIG,
		  "prog-load/too-large", "it has 1000001 instructions", "a million" },
		{ 4097, "6.18.0", "CapEff:\t0000000000000000\n", "1\n", E2BIG,
		  "prog-load/too-large", "it has 4097 instructions", "otherwise 4096" },
		{ 4097, "5.1.0", "CapEff:\t000001ffffffffff\n", "1\n", E2BIG,
		  "prog-load/too-large", "it has 4097 instructions", "Linux 5.2" },
		{ 4097, "6.18.0", "CapEff:\t000001ffffffffff\n", "1\n", E2BIG,
		  "prog-load/refused", "Argument list too long", "BPF_PROG_TYPE_XDP" },
		{ 2, "6.18.0", "CapEff:\t000001ffffffffff\n", "0\n", 524, "prog-load/no-jit",
		  "net.core.bpf_jit_enable is 0", "bpf_jit_enable=1" },
		{ 1, "6.18.0", "CapEff:\t000001ffffffffff\n", "0\n", 524, "prog-load/refused",
		  "unknown: ENOTSUPP, no known cause applies", "ruled out: net.core.bpf_jit_enable=0 (the program has no" },
		{ 1, "6.18.0", "CapEff:\t000001ffffffffff\n", "1\n", 524, "prog-load/no-jit",
		  "JIT may be unable to translate it", "bpf_jit_limit" },
		/* Only kinds that follow functions of the kernel are tried, whether all are refused. */
		{ 1, "6.18.0", "CapEff:\t000001ffffffffff\n", "1\n", EPERM, "prog-load/denied",
		  "Operation not permitted", NULL },
	};
	struct bpf_insn *insns = calloc(1000001, sizeof(*insns));

	insns[1] = (struct bpf_insn){ .code = BPF_JMP | BPF_CALL,
				      .src_reg = BPF_PSEUDO_KFUNC_CALL };
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const struct fake_path files[] = {
			{ "/proc/sys/kernel/osrelease", known[i].release, 0, 0 },
			{ "/proc/self/status", known[i].status, 0, 0 },
			{ "/proc/sys/net/core/bpf_jit_enable", known[i].jit, 0, 0 },
			{ NULL, NULL, 0, 0 },
		};
		const struct prog_code code = { .insns = insns, .nr_insns = known[i].nr };
		struct error err = { 0 };

		load_refused(files, "xdp", &code, known[i].code, &err);
		ck_assert_pstr_eq(err.reason, known[i].reason);
		ck_assert_ptr_nonnull(strstr(err.call, "bpf(BPF_PROG_LOAD, "
						       "{prog_type=BPF_PROG_TYPE_XDP"));
		expect_error(known[i].reason, err.code, &err,
			     &(struct expect){ known[i].code, "prog 'x'", known[i].what,
					       known[i].hint });
	}
	free(insns);
}

/*
 * A kind that is unknown is refused with the smallest program, and another is loaded; the cause is
 * not known if both are refused, or none.
 */
TEST(kinds)
{
	static const struct {
		uint32_t spares;
		int code;
		const char *what, *hint;
	} known[] = {
		{ BPF_PROG_TYPE_SOCKET_FILTER, EINVAL, "refused the program", "may not know" },
		{ BPF_PROG_TYPE_SOCKET_FILTER, E2BIG, "refused the program", "may not know" },
		{ 0, EINVAL, "unknown: EINVAL, no known cause applies",
		  "another kind is refused, too" },
		{ BPF_PROG_TYPE_XDP, EINVAL, "unknown: EINVAL", "the smallest one loads" },
		{ BPF_PROG_TYPE_XDP, E2BIG, "unknown: E2BIG", "the smallest one loads" },
		{ 0, EACCES, "unknown: EACCES", "no other reason" },
		{ 0, 524, "unknown: ENOTSUPP", "smallest one is refused, too" },
	};
	struct bpf_insn insn = { .code = BPF_JMP | BPF_EXIT };
	const struct prog_code code = { .insns = &insn, .nr_insns = 1 };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct object_prog p = { .name = "x", .section = "xdp" };
		const struct bpf_object object = { .name = "prog.o", .progs = &p, .nr_progs = 1,
						   .license = "MIT" };
		struct kernel_prog prog = { .fd = -1 };
		struct kernel_object k = { .object = &object, .btf_fd = -1,
					   .untagged_btf_fd = -1, .progs = &prog };
		struct fake_kernel *fake = fake_kernel_new(NULL);
		struct error err = { 0 };

		p.kind = prog_kind_find(p.section, &p.target);
		fake_kernel_reject(fake, NULL, known[i].code, NULL);
		fake_kernel_spare(fake, known[i].spares);
		kernel_verify_prog(fake_kernel_sys(fake), &k, 0, &code, &err);
		ck_assert_pstr_eq(err.reason, "prog-load/refused");
		expect_error(known[i].hint, err.code, &err,
			     &(struct expect){ known[i].code, "prog 'x'", known[i].what,
					       known[i].hint });
		ck_assert_int_eq(fake_kernel_leaks(fake, stderr), 0);
		fake_kernel_free(fake);
	}
}

/* The owner of a program array is the first program that refers to it; fdinfo has its type. */
TEST(program_arrays)
{
	static const struct {
		const char *fdinfo;
		int code;
		const char *reason, *what;
	} known[] = {
		{ "pos:\t0\nowner_prog_type:\t6\nowner_jited:\t1\n", EINVAL,
		  "prog-load/prog-array", "map 'calls' belongs to programs of type BPF_PROG_TYPE_XDP" },
		{ "owner_prog_type:\t7\n", EINVAL, "prog-load/refused", "unknown: EINVAL" },
		{ "pos:\t0\n", EINVAL, "prog-load/refused", "unknown: EINVAL" },
		{ "owner_prog_type:\t6\n", EIO, "prog-load/refused", "unknown: EIO" },
	};
	const union bpf_attr array = { .map_type = BPF_MAP_TYPE_PROG_ARRAY, .key_size = 4,
				       .value_size = 4, .max_entries = 1 };
	struct object_map maps[] = {
		{ .name = "others", .type = BPF_MAP_TYPE_PROG_ARRAY },
		{ .name = "calls", .type = BPF_MAP_TYPE_PROG_ARRAY },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct fake_kernel *fake = fake_kernel_new(NULL);
		struct sys *sys = fake_kernel_sys(fake);
		struct kernel_map fds[2];
		char paths[2][40];
		const struct fake_path files[] = {
			{ paths[0], "owner_prog_type:\t5\n", 0, 0 },
			{ paths[1], known[i].fdinfo, 0, 0 }, { NULL, NULL, 0, 0 },
		};
		struct bpf_insn insns[] = {
			{ .code = BPF_LD | BPF_IMM | BPF_DW, .src_reg = BPF_PSEUDO_MAP_FD },
			{ 0 }, { .code = BPF_JMP | BPF_EXIT },
		};
		const struct prog_code code = { .insns = insns, .nr_insns = 3 };
		struct object_prog p = { .name = "x", .section = "perf_event" };
		const struct bpf_object object = {
			.name = "prog.o", .progs = &p, .nr_progs = 1, .license = "MIT",
			.maps = maps, .nr_maps = 2,
		};
		struct kernel_prog prog = { .fd = -1 };
		struct kernel_object k = { .object = &object, .btf_fd = -1, .untagged_btf_fd = -1,
					   .progs = &prog, .maps = fds };
		struct error err = { 0 };

		for (unsigned int n = 0; n < 2; n++) {
			union bpf_attr attr = array;

			fds[n].fd = sys_bpf(sys, BPF_MAP_CREATE, &attr, sizeof(attr));
			ck_assert_int_ge(fds[n].fd, 0);
			sprintf(paths[n], "/proc/self/fdinfo/%d", fds[n].fd);
		}
		insns[0].imm = fds[1].fd;
		fake_kernel_set_paths(fake, files);
		p.kind = prog_kind_find(p.section, &p.target);
		fake_kernel_reject(fake, NULL, known[i].code, NULL);
		kernel_verify_prog(sys, &k, 0, &code, &err);
		ck_assert_pstr_eq(err.reason, known[i].reason);
		expect_error(known[i].fdinfo, err.code, &err,
			     &(struct expect){ known[i].code, "prog 'x'", known[i].what, "" });
		fake_kernel_free(fake);
	}
}

/* A kernel without a JIT has no memory for trampolines, as it says. */
TEST(no_trampolines)
{
	static const struct {
		const char *section, *symbols, *reason;
		int unreadable;	/* errno */
	} known[] = {
		{ "fentry/f", "ffffffff81000000 T vfs_read\n", "prog-load/no-jit", 0 },
		{ "lsm/f", "0000000000000000 T vfs_read\n", "prog-load/no-jit", 0 },
		{ "fentry/f", "ffffffff81000000 W arch_prepare_bpf_trampoline\n",
		  "prog-load/no-memory", 0 },
		{ "fentry/f", "", "prog-load/no-memory", EACCES },
		{ "xdp", "ffffffff81000000 T vfs_read\n", "prog-load/no-memory", 0 },
	};
	struct bpf_insn insn = { .code = BPF_JMP | BPF_EXIT };
	const struct prog_code code = { .insns = &insn, .nr_insns = 1 };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const struct fake_path files[] = {
			{ "/proc/kallsyms", known[i].symbols, 0, known[i].unreadable },
			{ NULL, NULL, 0, 0 },
		};
		struct error err = { 0 };

		load_refused(files, known[i].section, &code, ENOMEM, &err);
		ck_assert_int_eq(err.code, -ENOMEM);
		ck_assert_pstr_eq(err.reason, known[i].reason);
		error_clear(&err);
	}
}

static long invalid(struct sys *sys, long nr, const unsigned long arg[6])
{
	(void)sys, (void)nr, (void)arg;
	return -EINVAL;
}

/* A run that was asked for once cannot be helped by running it once. */
TEST_EACH(test_runs, 3)
{
	struct object_prog p = { .name = "x" };
	const struct bpf_object object = { .progs = &p, .nr_progs = 1 };
	struct kernel_prog prog = { .fd = 7 };
	const struct kernel_object k = { .object = &object, .progs = &prog };
	const struct test_input in = { .repeat = _i };
	struct sys sys = { .enter = invalid };
	struct error err = { 0 };
	uint32_t retval;

	ck_assert_int_eq(kernel_test_run(&sys, &k, 0, &in, &retval, &err), -EINVAL);
	ck_assert_msg(!err.hint[0] == (_i < 2), "%d times: %s", _i, err.hint);
	error_clear(&err);
}

/*
 * The program type, the attach type and the sleepable form each came with a kernel; the latest
 * counts.
 */
TEST(since)
{
	static const struct {
		const char *section;
		uint16_t since;
	} known[] = {
		{ "socket", LINUX(3, 19) },	  { "kprobe/f", LINUX(4, 1) },
		{ "xdp", LINUX(4, 8) },		  { "xdp/devmap", LINUX(5, 8) },
		{ "raw_tp/x", LINUX(4, 17) },	  { "fentry/f", LINUX(5, 5) },
		{ "raw_tp.s/x", LINUX(7, 2) },	  { "tp_btf.s/x", LINUX(7, 2) },
		{ "tp.s/a/b", LINUX(7, 2) },	  { "tp_btf/x", LINUX(5, 5) },
		{ "fentry.s/f", LINUX(5, 10) },	  { "fmod_ret/f", LINUX(5, 7) },
		{ "iter/task", LINUX(5, 8) },	  { "iter.s/task", LINUX(5, 18) },
		{ "lsm_cgroup/x", LINUX(6, 0) },  { "uprobe.multi/x", LINUX(6, 6) },
		{ "fsession/f", LINUX(7, 0) },	  { "cgroup/recvmsg4", LINUX(5, 2) },
		{ "cgroup/bind4", LINUX(4, 17) }, { "sk_reuseport/migrate", LINUX(5, 14) },
		{ "struct_ops/x", LINUX(5, 6) },  { "freplace/f", LINUX(5, 6) },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const char *target;
		const struct prog_kind *kind = prog_kind_find(known[i].section, &target);

		ck_assert_msg(kernel_since(kind) == known[i].since, "%s: %u.%u", known[i].section,
			      kernel_since(kind) >> 8, kernel_since(kind) & 0xff);
	}
	for (uint32_t type = 1; type < __MAX_BPF_PROG_TYPE; type++) {
		const struct prog_kind kind = { .prog_type = type };

		ck_assert_msg(kernel_since(&kind), "nothing is known of type %u", type);
	}
	for (uint32_t type = BPF_TRACE_KPROBE_SESSION; type < __MAX_BPF_ATTACH_TYPE; type++) {
		const struct prog_kind kind = { .prog_type = BPF_PROG_TYPE_TRACING,
						.attach_type = type };

		ck_assert_msg(kernel_since(&kind) >= LINUX(6, 10), "attach type %u", type);
	}
}
