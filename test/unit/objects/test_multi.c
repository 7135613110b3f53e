// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * One program on many functions: which of them a pattern means, where they begin, and what is left
 * out of a link, in a kernel that is not real.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/multi/multi_internal.h"
#include "loader/objects/symbols/symbols.h"
#include "test/unit/common/suite.h"
#include "test/fault/fake_kernel.h"
#include "test/unit/common/btf_builder.h"
#include "test/unit/common/exec_builder.h"

#define TRACING "/sys/kernel/tracing/"
#define COOKIE UINT64_C(0x1122334455667788)

/* There are four twins, of which three can be traced. */
#define TWIN(n) "ffffffff81000" n " t twin\n"
#define TWINS TWIN("700") TWIN("710") TWIN("720") TWIN("730")

/* "twice" is two functions, one of which cannot be traced; "mod_a" of a module. */
#define SYMBOLS \
	"ffffffff81000000 T vfs_read\n" \
	"ffffffff81000000 T vfs_read_alias\n" \
	"ffffffff81000100 T vfs_write\n" \
	"ffffffff81000200 t twice\n" \
	"ffffffff81000300 t twice\n" \
	"ffffffff81000400 D vfs_data\n" \
	"ffffffff81000500 t untraced\n" \
	TWINS \
	"ffffffffc0000000 t mod_a\t[mod]\n" \
	"ffffffffc0000100 t vfs_read\t[mod]\n"
#define HIDDEN "0000000000000000 T vfs_read\n0000000000000000 T vfs_write\n" \
	       "0000000000000000 t twice\n0000000000000000 t twice\n"
/* With addresses (Linux 6.5), which lie behind ENDBR. */
#define WITH_ADDRESSES \
	"ffffffff81000004 vfs_read\n" \
	"ffffffff81000104 vfs_write\n" \
	"ffffffff81000304 twice\n" \
	"ffffffff81009999 vfs_gone\n" \
	"ffffffff81000614 near\n" \
	"ffffffff8100aaaa __ftrace_invalid_address___4\n" \
	"no line\n" \
	"ffffffffc0000004 mod_a [mod]\n" \
	"ffffffffc0000104 vfs_read [mod]\n"
#define WITHOUT "vfs_read\nvfs_write\ntwice\ntwin\ntwin\ntwin\nvfs_gone\nmod_a [mod]\nvfs_read [mod]\n"

enum list { ADDRESSES, NAMES, NO_LIST };

static struct fixture {
	struct fake_path paths[5];
	struct fake_kernel *k;
	struct kernel_types types;
	struct symbols files;
	struct attach_set set;
	struct link_target target;
	struct multi_request req;
	struct multi m;
	char notes[2048];
	struct error err;
} f;

static void keep_note(void *arg, const char *text)
{
	(void)arg;
	strncat(f.notes, text, sizeof(f.notes) - strlen(f.notes) - 1);
}

/* A program with a descriptor, for links to be of. */
static int load_prog(struct sys *sys)
{
	static const struct bpf_insn insns[2] = { { .code = BPF_ALU64 | BPF_MOV | BPF_K },
						  { .code = BPF_JMP | BPF_EXIT } };
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_KPROBE;
	attr.insn_cnt = 2;
	attr.insns = (uintptr_t)insns;
	attr.license = (uintptr_t)"GPL";
	return sys_bpf(sys, BPF_PROG_LOAD, &attr, sizeof(attr));
}

static void begin(const char *symbols, enum list list, const char *functions)
{
	unsigned int nr = 0;

	memset(&f, 0, sizeof(f));
	f.paths[nr++] = (struct fake_path){ KALLSYMS, symbols, 0, 0 };
	f.paths[nr++] = (struct fake_path){ TRACING "events/enable", "0\n", 0, 0 };
	if (list == ADDRESSES)
		f.paths[nr++] = (struct fake_path){ TRACING "available_filter_functions_addrs",
						     WITH_ADDRESSES, 0, 0 };
	if (list == NAMES)
		f.paths[nr++] = (struct fake_path){ TRACING "available_filter_functions", WITHOUT,
						     0, 0 };
	f.k = fake_kernel_new(f.paths);
	kernel_types_init(&f.types, fake_kernel_sys(f.k), NULL);
	symbols_init(&f.files, fake_kernel_sys(f.k), NULL);
	f.m = (struct multi){ .sys = fake_kernel_sys(f.k), .types = &f.types,
			       .files = &f.files, .note = keep_note };
	f.target = (struct link_target){ .name = "kprobe.multi", .kind = TARGET_FUNCTIONS };
	f.req = (struct multi_request){ .target = &f.target,
					 .attach_type = BPF_TRACE_KPROBE_MULTI,
					 .functions = functions,
					 .prog_fd = load_prog(fake_kernel_sys(f.k)) };
}

static int attach(void)
{
	return multi_attach(&f.m, &f.req, &f.set, &f.err);
}

static void end(void)
{
	if (!f.k)
		return;
	attach_close(fake_kernel_sys(f.k), &f.set);
	sys_close_fd(fake_kernel_sys(f.k), &f.req.prog_fd);
	kernel_types_free(&f.types);
	symbols_free(&f.files);
	ck_assert_int_eq(fake_kernel_leaks(f.k, stderr), 0);
	ck_assert_int_eq(fake_kernel_violations(f.k, stderr), 0);
	fake_kernel_free(f.k);
	error_clear(&f.err);
	memset(&f, 0, sizeof(f));
}

TEST_FIXTURE(NULL, end)

/* --- patterns --- */

static const struct {
	const char *text, *name, *module;
	bool match;
} matches[] = {
	{ "vfs_*", "vfs_read", "", true },
	{ "vfs_*", "vfs_read", "mod", true },
	{ "vfs_*", "my_vfs_read", "", false },
	{ "vfs_re?d", "vfs_read", "", true },
	{ "vfs_[rw]*", "vfs_open", "", false },
	{ "vfs_*,!vfs_read", "vfs_read", "", false },
	{ "!vfs_read,vfs_*", "vfs_read", "", false },
	{ "vfs_*,!vfs_read", "vfs_write", "", true },
	{ "mod:*", "vfs_read", "", false },
	{ "mod:*", "vfs_read", "mod", true },
	{ "*,!mod:*", "vfs_read", "mod", false },
	{ "*,!mod:*", "vfs_read", "", true },
	{ "a,b,c", "b", "", true },
	{ "a,b,c", "bb", "", false },
};

TEST_ROWS(what_matches, matches)
{
	struct patterns p;

	ck_assert_int_eq(patterns_parse(&p, matches[_i].text, NULL), 0);
	ck_assert_msg(patterns_match(&p, matches[_i].name, matches[_i].module) == matches[_i].match,
		      "%s: %s of '%s'", matches[_i].text, matches[_i].name, matches[_i].module);
	patterns_free(&p);
}

static const char *const bad_patterns[] = {
	"", ",", "a,", "!a", "!a,!b", ":a", "mod:",
	"a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a",
};

TEST_ROWS(patterns_without_sense, bad_patterns)
{
	struct error err = { 0 };
	struct patterns p;

	ck_assert_int_eq(patterns_parse(&p, bad_patterns[_i], &err), -EINVAL);
	ck_assert_pstr_eq(err.reason, "multi/no-function");
	patterns_free(&p);
	error_clear(&err);
}

/* --- functions of the kernel --- */

#define A(n) (UINT64_C(0xffffffff81000000) + (n))
#define M(n) (UINT64_C(0xffffffffc0000000) + (n))

static const struct {
	const char *symbols, *functions, *note;
	enum list list;
	uint32_t nr;
	uint64_t at[4];		/* 0: by name, in order of the alphabet */
} links[] = {
	{ SYMBOLS, "vfs_*", "1 function is left out: /proc/kallsyms", ADDRESSES, 3,
	  { A(0), A(0x100), M(0x100) } },
	{ SYMBOLS, "vfs_*", "1 function is left out: /proc/kallsyms", NAMES, 3,
	  { A(0), A(0x100), M(0x100) } },
	{ SYMBOLS, "vfs_*,!mod:*,!vfs_gone", NULL, ADDRESSES, 2, { A(0), A(0x100) } },
	/*
	 * If two functions have one name, the traceable one is taken, if the kernel lists which
	 * are.
	 */
	{ SYMBOLS, "twice", NULL, ADDRESSES, 1, { A(0x300) } },
	/* If a listed address is near to both of them, the nearest is taken, in either order. */
	{ "ffffffff81000600 t near\nffffffff81000610 t near\n", "near", NULL, ADDRESSES, 1,
	  { A(0x610) } },
	{ "ffffffff81000610 t near\nffffffff81000600 t near\n", "near", NULL, ADDRESSES, 1,
	  { A(0x610) } },
	{ "ffffffff81000618 t near\nffffffff81000600 t near\n", "near", NULL, ADDRESSES, 1,
	  { A(0x600) } },
	{ SYMBOLS, "twice,vfs_write", "1 function is left out: other functions have the same name", NAMES, 1,
	  { A(0x100) } },
	/* Without that list, all functions of /proc/kallsyms are taken, each address once. */
	{ SYMBOLS, "vfs_*,twice", "does not list the traceable functions", NO_LIST, 4,
	  { A(0), A(0x100), A(0x200), A(0x300) } },
	{ HIDDEN, "vfs_*,!mod:*,!vfs_gone", NULL, ADDRESSES, 2, { 0 } },
	{ HIDDEN, "twice", NULL, NAMES, 1, { 0 } },
	{ HIDDEN, "twin", "2 functions have the name of another", NAMES, 1, { 0 } },
	{ SYMBOLS, "tw*,vfs_write", "4 functions are left out: other functions have the same name", NAMES, 1,
	  { A(0x100) } },
	{ TWIN("700") TWIN("710") TWIN("720"), "twin", NULL, NAMES, 3,
	  { A(0x700), A(0x710), A(0x720) } },
	{ TWIN("700") TWIN("710") "ffffffff81000100 T vfs_write\n", "twin,vfs_write",
	  "3 functions are left out: /proc/kallsyms", NAMES, 1, { A(0x100) } },
};

TEST_ROWS(functions_of_the_kernel, links)
{
	const struct fake_many *many;

	begin(links[_i].symbols, links[_i].list, links[_i].functions);
	f.req.has_cookie = true;
	f.req.cookie = COOKIE;
	f.req.returns = _i & 1;
	/* One more than there are rows of addresses: of a module, behind the others. */
	ck_assert_msg(attach() >= (int)links[_i].nr, "%s: %s", f.err.where, f.err.what);
	many = fake_kernel_many(f.k);
	ck_assert_uint_ge(many->nr, links[_i].nr);
	ck_assert_uint_eq(many->flags, _i & 1 ? BPF_F_KPROBE_MULTI_RETURN : 0);
	for (uint32_t i = 0; i < links[_i].nr; i++) {
		if (links[_i].at[0])
			ck_assert_uint_eq(many->at[i], links[_i].at[i]);
		ck_assert_uint_eq(many->cookies[i], COOKIE);
	}
	if (!links[_i].at[0])
		ck_assert_str_eq(many->names[0], links[_i].functions[0] == 't' ? links[_i].functions : "vfs_read");
	if (links[_i].note)
		ck_assert_msg(strstr(f.notes, links[_i].note) != NULL, "'%s'", f.notes);
	else
		ck_assert_str_eq(f.notes, "");
	ck_assert_uint_eq(f.set.nr, 1);
}

static const struct {
	const char *functions, *what, *hint, *reason;
	enum list list;
} nothing[] = {
	{ "vfs_reed", "no kernel function matches 'vfs_reed'", "did you mean vfs_read",
	  "multi/no-function", ADDRESSES },
	{ "xyz*", "no kernel function matches", "available_filter_functions",
	  "multi/no-function", NAMES },
	{ "untraced", "no function that matches 'untraced' is traceable", "notrace",
	  "multi/not-traceable", ADDRESSES },
	{ "vfs_data", "no kernel function matches", "", "multi/no-function", NO_LIST },
};

TEST_ROWS(no_function_matches, nothing)
{
	begin(SYMBOLS, nothing[_i].list, nothing[_i].functions);
	ck_assert_int_eq(attach(), -ENOENT);
	ck_assert_ptr_nonnull(strstr(f.err.what, nothing[_i].what));
	ck_assert_ptr_nonnull(strstr(f.err.hint, nothing[_i].hint));
	ck_assert_pstr_eq(f.err.reason, nothing[_i].reason);
	ck_assert_ptr_nonnull(strstr(f.err.where, nothing[_i].functions));
	ck_assert_uint_eq(fake_kernel_count(f.k, "BPF_LINK_CREATE"), 0);
}

/* --- functions that the kernel refuses --- */

/* So many functions that nobody tries them one by one. */
static char *many_symbols(unsigned int nr)
{
	char *text = malloc(nr * 40 + 1);
	size_t len = 0;

	for (unsigned int i = 0; i < nr; i++)
		len += sprintf(text + len, "%016x t many_%u\n", 0x1000 + i * 16, i);
	return text;
}

TEST_EACH(refused_are_found_and_left_out, 4)
{
	static const unsigned int refused[][3] = { { 0 }, { 999 }, { 0, 1, 2 }, { 7, 500, 998 } };
	const unsigned int nr = refused[_i][1] ? 3 : 1;
	char *symbols = many_symbols(1000), name[32];

	begin(symbols, NO_LIST, "many_*");
	for (unsigned int i = 0; i < nr; i++)
		fake_kernel_refuse(f.k, 0x1000 + refused[_i][i] * 16, NULL, EINVAL);
	ck_assert_int_eq(attach(), 1000 - nr);
	for (unsigned int i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "many_%u", refused[_i][i]);
		ck_assert_msg(strstr(f.notes, name) != NULL, "'%s'", f.notes);
	}
	ck_assert_uint_le(fake_kernel_count(f.k, "BPF_LINK_CREATE"), nr * 16 + 1);
	end();
	free(symbols);
}

TEST(too_many_refused)
{
	char *symbols = many_symbols(100);

	begin(symbols, NO_LIST, "many_*");
	for (unsigned int i = 0; i < 32; i++)
		fake_kernel_refuse(f.k, 0x1000 + i * 3 * 16, NULL, EINVAL);
	ck_assert_int_eq(attach(), -EINVAL);
	ck_assert_pstr_eq(f.err.reason, "multi/not-traceable");
	ck_assert_ptr_nonnull(strstr(f.err.what, "refuses function 'many_"));
	ck_assert_ptr_nonnull(strstr(f.err.hint, "the kernel also refuses many_0, many_3, "));
	ck_assert_uint_eq(f.set.nr, 0);
	end();
	free(symbols);
}

/* A function that was named in full is not left out: the error has its name. */
TEST(named_whole)
{
	begin(SYMBOLS, ADDRESSES, "vfs_write,mod_a");
	fake_kernel_refuse(f.k, M(0), NULL, EBUSY);
	ck_assert_int_eq(attach(), -EBUSY);
	ck_assert_ptr_nonnull(strstr(f.err.what, "'mod_a'"));
	ck_assert_ptr_nonnull(strstr(f.err.hint, "!mod_a"));
}

static const struct {
	const char *release, *reason, *what;
	unsigned int age;
	int code;
} refusals[] = {
	{ "5.10.0\n", "attach/link-unsupported", "does not support kprobe.multi", FAKE_NO_MANY_LINK, 0 },
	{ "6.18.0\n", "attach/failed", "unknown: EINVAL, no known cause", FAKE_NO_MANY_LINK, 0 },
	{ "6.18.0\n", "attach/unsupported", "may be built without", 0, EOPNOTSUPP },
	{ "6.18.0\n", "multi/too-many", "may not accept as many", 0, E2BIG },
	{ "6.18.0\n", "attach/failed", "unknown: EIO", 0, EIO },
};

TEST_ROWS(kernel_says_no, refusals)
{
	begin(SYMBOLS, ADDRESSES, "vfs_*,twice,mod_a");
	f.paths[3] = (struct fake_path){ "/proc/sys/kernel/osrelease", refusals[_i].release, 0, 0 };
	f.target.major = 5;
	f.target.minor = 18;
	fake_kernel_set_age(f.k, refusals[_i].age);
	for (unsigned int i = 0; refusals[_i].code && i < 5; i++)
		fake_kernel_refuse(f.k, (const uint64_t[]){ A(0), A(0x100), A(0x300), M(0),
							    M(0x100) }[i], NULL, refusals[_i].code);
	ck_assert_int_lt(attach(), 0);
	ck_assert_pstr_eq(f.err.reason, refusals[_i].reason);
	ck_assert_msg(strstr(f.err.what, refusals[_i].what) != NULL, "'%s'", f.err.what);
}

/* --- types, for fentry.multi --- */

TEST_EACH(functions_by_types, 2)
{
	struct btf_builder b = { 0 };
	const struct fake_many *many;
	struct buffer raw;

	bb_int(&b, "int", 4, BTF_INT_SIGNED);
	bb_proto(&b, 1);
	bb_func(&b, "vfs_write", 2, BTF_FUNC_STATIC);	/* 3 */
	bb_func(&b, "vfs_untraced", 2, BTF_FUNC_STATIC);
	bb_ref(&b, BTF_KIND_TYPEDEF, "vfs_typedef", 1);
	bb_func(&b, "vfs_read", 2, BTF_FUNC_STATIC);	/* 6 */
	raw = bb_btf(&b);
	begin(SYMBOLS, _i ? NO_LIST : ADDRESSES, "vfs_*");
	f.paths[4 - _i] = (struct fake_path){ 0 };
	f.paths[3 - _i] = (struct fake_path){ "/sys/kernel/btf/vmlinux", raw.data, raw.size, 0 };
	f.req.attach_type = BPF_TRACE_FEXIT_MULTI;
	f.req.cookie = COOKIE;
	f.req.has_cookie = true;
	ck_assert_msg(attach() == (_i ? 3 : 2), "%s: %s", f.err.where, f.err.what);
	many = fake_kernel_many(f.k);
	ck_assert_uint_eq(many->attach_type, BPF_TRACE_FEXIT_MULTI);
	ck_assert_uint_eq(many->at[0], 3);
	ck_assert_uint_eq(many->at[many->nr - 1], 6);
	ck_assert_uint_eq(many->cookies[many->nr - 1], COOKIE);
	end();
	buffer_free(&raw);
	bb_free(&b);
}

/* --- functions of files, for uprobe.multi --- */

#define OFFSET(n) (uint64_t)(XB_TEXT_OFFSET + (n))

static struct buffer program(void)
{
	struct exec_builder b = { .big_endian = HOST_BIG_ENDIAN };

#if defined(__aarch64__)
	b.machine = EM_AARCH64;
#elif defined(__s390x__)
	b.machine = EM_S390;
#endif
	xb_function(&b, XB_SYMTAB, "get_one", XB_TEXT_ADDRESS + 0x10);
	xb_function(&b, XB_SYMTAB, "get_two", XB_TEXT_ADDRESS + 0x20);
	xb_function(&b, XB_SYMTAB, "put", XB_TEXT_ADDRESS + 0x30);
	return xb_finish(&b);
}

static const struct {
	const char *functions, *reason;
	int ret;
	uint64_t at, refused;
} user[] = {
	{ "/bin/prog:get_*", NULL, 2, OFFSET(0x10), 0 },
	{ "/bin/prog:put", NULL, 1, OFFSET(0x30), 0 },
	{ "/bin/prog:get_*", NULL, 1, OFFSET(0x20), OFFSET(0x10) },
	{ "/bin/prog:put", "multi/not-traceable", -EINVAL, 0, OFFSET(0x30) },
	{ "/bin/prog:set_*", "symbols/no-symbol", -ENOENT, 0, 0 },
	{ "/bin/none:get_*", "symbols/no-file", -ENOENT, 0, 0 },
};

/* The file is given by its descriptor; by its path to a kernel that knows no other way. */
static void functions_of_file(int _i, unsigned int age)
{
	const uint32_t by_fd = age || user[_i].refused ? 0 : BPF_F_UPROBE_MULTI_PATH_FD;
	struct buffer file = program();
	const struct fake_many *many;

	begin(SYMBOLS, NO_LIST, user[_i].functions);
	fake_kernel_set_age(f.k, age);
	f.paths[3] = (struct fake_path){ "/bin/prog", file.data, file.size, 0 };
	f.paths[2] = (struct fake_path){ "/proc/sys/kernel/osrelease", "6.18.0\n", 0, 0 };
	f.req.attach_type = BPF_TRACE_UPROBE_MULTI;
	f.req.returns = f.req.has_cookie = true;
	f.req.cookie = COOKIE;
	if (user[_i].refused)
		fake_kernel_refuse(f.k, user[_i].refused, NULL, EINVAL);
	ck_assert_msg(attach() == user[_i].ret, "%s: %s", f.err.where, f.err.what);
	many = fake_kernel_many(f.k);
	if (user[_i].ret > 0) {
		ck_assert_uint_eq(many->nr, user[_i].ret);
		ck_assert_uint_eq(many->at[0], user[_i].at);
		ck_assert_uint_eq(many->cookies[0], COOKIE);
		ck_assert_uint_eq(many->flags, BPF_F_UPROBE_MULTI_RETURN | by_fd);
		ck_assert_str_eq(many->path, "/bin/prog");
		ck_assert_ptr_null(many->ref_ctr_offsets);
	} else {
		ck_assert_pstr_eq(f.err.reason, user[_i].reason);
	}
	end();
	buffer_free(&file);
}

TEST_ROWS(functions_of_files, user)
{
	functions_of_file(_i, 0);
	functions_of_file(_i, FAKE_NO_PATH_FD);
}

/* Every call of one attachment fails in turn. */
TEST_EACH(every_call_fails, 2)
{
	unsigned int calls = 1;

	for (unsigned int n = 0; n < calls; n++) {
		unsigned int before;
		int ret;

		begin(SYMBOLS, _i ? NAMES : ADDRESSES, "vfs_*");
		before = fake_kernel_nr_calls(f.k);
		fake_kernel_fail_call(f.k, n, EPERM);
		ret = attach();
		calls = n ? calls : fake_kernel_nr_calls(f.k) - before + 1;
		if (ret < 0) {
			ck_assert_int_eq(f.err.code, ret);
			ck_assert_str_ne(f.err.what, "");
			ck_assert_str_ne(f.err.where, "");
			ck_assert_uint_eq(f.set.nr, 0);
		}
		end();
	}
	ck_assert_uint_gt(calls, 8);
}
