// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* From names to places, over files that a fake kernel has: which file it is, and where in it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "loader/objects/symbols/symbols.h"
#include "test/unit/common/suite.h"
#include "test/fault/fake_kernel.h"
#include "test/unit/common/exec_builder.h"
#include "test/unit/common/expect.h"
#include "test/unit/common/ld_cache_builder.h"

#define OFFSET(address) ((address) - XB_TEXT_ADDRESS + XB_TEXT_OFFSET)
#define TEXT(n) (XB_TEXT_ADDRESS + (n))

#define FILES_MAX 24

static struct fixture {
	struct fake_path paths[FILES_MAX];
	unsigned int nr;
	struct buffer made[FILES_MAX];	/* contents of some */
	struct fake_kernel *kernel;
	struct symbols symbols;
	struct symbol_locations places;
	struct error err;
} f;

static void add_text(const char *path, const char *text, int error)
{
	ck_assert_uint_lt(f.nr + 1, FILES_MAX);
	f.paths[f.nr++] = (struct fake_path){ path, text, 0, error };
}

static void add_buffer(const char *path, struct buffer b)
{
	ck_assert_uint_lt(f.nr + 1, FILES_MAX);
	f.made[f.nr] = b;
	f.paths[f.nr++] = (struct fake_path){ path, b.data, b.size, 0 };
}

static void add_exec(const char *path, struct exec_builder *b)
{
#if defined(__aarch64__)
	b->machine = b->machine ? b->machine : EM_AARCH64;
#elif defined(__s390x__)
	b->machine = b->machine ? b->machine : EM_S390;
#endif
	add_buffer(path, xb_finish(b));
}

static void add_cache(const char *path, const struct cache_library *libraries)
{
	add_buffer(path, ld_cache_make(libraries, CACHE_NEW));
}

static int resolve(const char *event, pid_t pid)
{
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };

	ck_assert_msg(!event_parse(&spec, event, &f.err), "%s: %s", event, f.err.what);
	if (!f.kernel) {
		f.kernel = fake_kernel_new(f.paths);
		symbols_init(&f.symbols, fake_kernel_sys(f.kernel),
			     "/usr/local/bin:/usr/bin:relative");
	}
	symbol_locations_free(&f.places);
	return symbols_resolve(&f.symbols, &spec, pid, &f.places, &f.err);
}

static void resolved(const char *event, pid_t pid)
{
	ck_assert_msg(!resolve(event, pid), "%s: %s: %s (%s)", event, f.err.where, f.err.what,
		      f.err.hint);
}

static void end(void)
{
	symbol_locations_free(&f.places);
	symbols_free(&f.symbols);
	if (f.kernel) {
		ck_assert_int_eq(fake_kernel_leaks(f.kernel, stderr), 0);
		ck_assert_int_eq(fake_kernel_violations(f.kernel, stderr), 0);
		fake_kernel_free(f.kernel);
	}
	for (unsigned int i = 0; i < f.nr; i++)
		buffer_free(&f.made[i]);
	error_clear(&f.err);
	memset(&f, 0, sizeof(f));
}

TEST_FIXTURE(NULL, end)

static void refused(const char *event, pid_t pid, const char *reason, const struct expect *expect)
{
	const int ret = resolve(event, pid);

	ck_assert_msg(ret, "%s is found", event);
	ck_assert_str_eq(f.err.reason, reason);
	expect_error(event, ret, &f.err, expect);
	ck_assert_uint_eq(f.places.nr, 0);
	ck_assert_ptr_null(f.places.list);
}

/* --- functions --- */

/* A program with a function of every sort. */
static void add_program(const char *path, bool stripped)
{
	struct exec_builder b = { .stripped = stripped, .big_endian = HOST_BIG_ENDIAN };

	xb_version(&b, 1, "prog");
	xb_version(&b, 2, "V_1");
	xb_version(&b, 3, "V_2");
	xb_needed(&b, "libc.so.6");
	xb_symbol(&b, XB_SYMTAB, "twice", TEXT(0x100), 8, STB_LOCAL, STT_FUNC, XB_TEXT, 0);
	xb_symbol(&b, XB_SYMTAB, "twice", TEXT(0x110), 8, STB_LOCAL, STT_FUNC, XB_TEXT, 0);
	xb_symbol(&b, XB_SYMTAB, "again", TEXT(0x120), 8, STB_LOCAL, STT_FUNC, XB_TEXT, 0);
	xb_symbol(&b, XB_SYMTAB, "label", TEXT(0x130), 0, STB_LOCAL, STT_NOTYPE, XB_TEXT, 0);
	xb_symbol(&b, XB_SYMTAB, "mixed", TEXT(0x140), 8, STB_LOCAL, STT_FUNC, XB_TEXT, 0);
	xb_symbol(&b, XB_SYMTAB, "alias_a", TEXT(0x160), 0, STB_WEAK, STT_FUNC, XB_TEXT, 0);
	xb_function(&b, XB_SYMTAB, "alias_b", TEXT(0x160));
	xb_function(&b, XB_SYMTAB, "main", TEXT(0x10));
	xb_function(&b, XB_SYMTAB, "mixed", TEXT(0x150));
	xb_function(&b, XB_SYMTAB, "nowhere", 0x10);
	xb_function(&b, XB_SYMTAB, "in_data", XB_DATA_ADDRESS + 8);
	xb_symbol(&b, XB_SYMTAB, "variable", XB_DATA_ADDRESS, 4, STB_GLOBAL, STT_OBJECT, XB_DATA,
		  0);
	xb_symbol(&b, XB_SYMTAB, "spread", TEXT(0x170), 8, STB_LOCAL, STT_FUNC, XB_TEXT, 0);
	xb_symbol(&b, XB_SYMTAB, "joined", TEXT(0x190), 0, STB_LOCAL, STT_FUNC, XB_TEXT, 0);
	xb_symbol(&b, XB_SYMTAB, "joined", TEXT(0x1a0), 0, STB_LOCAL, STT_FUNC, XB_TEXT, 0);
	xb_function(&b, XB_DYNSYM, "spread", TEXT(0x180));
	xb_symbol(&b, XB_DYNSYM, "joined", TEXT(0x190), 8, STB_GLOBAL, STT_GNU_IFUNC, XB_TEXT, 0);
	xb_function(&b, XB_SYMTAB, "doubled", TEXT(0x1b0));
	xb_function(&b, XB_DYNSYM, "doubled", TEXT(0x1c0));
	xb_function(&b, XB_DYNSYM, "exported", TEXT(0x200));
	xb_symbol(&b, XB_DYNSYM, "choose", TEXT(0x210), 8, STB_GLOBAL, STT_GNU_IFUNC, XB_TEXT, 3);
	xb_symbol(&b, XB_DYNSYM, "versioned", TEXT(0x220), 8, STB_GLOBAL, STT_FUNC, XB_TEXT,
		  0x8002);
	xb_symbol(&b, XB_DYNSYM, "versioned", TEXT(0x230), 8, STB_GLOBAL, STT_FUNC, XB_TEXT, 3);
	xb_symbol(&b, XB_DYNSYM, "only_old", TEXT(0x240), 8, STB_GLOBAL, STT_FUNC, XB_TEXT, 0x8002);
	xb_symbol(&b, XB_DYNSYM, "imported", 0, 0, STB_GLOBAL, STT_FUNC, XB_UNDEF, 0);
	add_exec(path, &b);
}

static const struct {
	const char *symbol, *name;
	uint64_t address;
	const char *note;	/* NULL: none */
} functions[] = {
	{ "main", "main", TEXT(0x10), NULL },
	{ "main+0x4", "main", TEXT(0x14), NULL },
	{ "main+15", "main", TEXT(0x1f), NULL },
	{ "again", "again", TEXT(0x120), NULL },
	{ "label", "label", TEXT(0x130), NULL },
	{ "label+200", "label", TEXT(0x130) + 200, NULL },
	{ "mixed", "mixed", TEXT(0x150), "1 static functions in the file" },
	{ "alias_a", "alias_a", TEXT(0x160), NULL },
	{ "alias_b", "alias_b", TEXT(0x160), NULL },
	{ "exported", "exported", TEXT(0x200), NULL },
	{ "choose", "choose@V_2", TEXT(0x210), "is an IFUNC" },
	{ "versioned", "versioned@V_2", TEXT(0x230), NULL },
	{ "versioned@V_2", "versioned@V_2", TEXT(0x230), NULL },
	{ "versioned@@V_2", "versioned@V_2", TEXT(0x230), NULL },
	{ "versioned@V_1", "versioned@V_1", TEXT(0x220), NULL },
	{ "only_old@V_1", "only_old@V_1", TEXT(0x240), NULL },
	{ "spread", "spread", TEXT(0x180), "1 static functions in the file" },
	{ "joined", "joined", TEXT(0x190), "is an IFUNC" },
	{ "0x610", NULL, TEXT(0x10), NULL },
};

TEST_ROWS(functions_by_name, functions)
{
	char event[128];

	add_program("/bin/prog", false);
	snprintf(event, sizeof(event), "uprobe:/bin/prog:%s", functions[_i].symbol);
	resolved(event, 0);
	ck_assert_str_eq(f.places.path, "/bin/prog");
	ck_assert_uint_eq(f.places.nr, 1);
	ck_assert_uint_eq(f.places.list[0].address, functions[_i].address);
	ck_assert_uint_eq(f.places.list[0].file_offset, OFFSET(functions[_i].address));
	if (functions[_i].name)
		ck_assert_str_eq(f.places.list[0].name, functions[_i].name);
	else
		ck_assert_ptr_null(f.places.list[0].name);
	if (functions[_i].note)
		ck_assert_msg(strstr(f.places.note, functions[_i].note), "%s", f.places.note);
	else
		ck_assert_str_eq(f.places.note, "");
	ck_assert(!f.places.fixed);
}

static const struct {
	const char *symbol, *reason;
	struct expect expect;
} no_functions[] = {
	{ "mian", "symbols/no-symbol", { ENOENT, "/bin/prog", "no function 'mian'",
					 "mean main?" } },
	{ "quite_another", "symbols/no-symbol", { ENOENT, "/bin/prog", "no function", "nm -C" } },
	{ "twice", "symbols/ambiguous", { ENOTUNIQ, NULL, "2 functions", "0x700, 0x710" } },
	{ "main+16", "symbols/offset", { ERANGE, NULL, "'main' has 16 bytes", "instead of" } },
	{ "joined+8", "symbols/offset", { ERANGE, NULL, "'joined' has 8 bytes", NULL } },
	{ "doubled", "symbols/ambiguous", { ENOTUNIQ, NULL, "2 functions", "0x7b0, 0x7c0" } },
	{ "label+0x1000", "symbols/not-code", { ENOEXEC, "'label'", "not in any segment", NULL } },
	{ "nowhere", "symbols/not-code", { ENOEXEC, "'nowhere'", "not in any segment", NULL } },
	{ "in_data", "symbols/not-code", { ENOEXEC, "'in_data'", "not executable", "instruction" } },
	{ "variable", "symbols/not-code", { ENOENT, NULL, "is a variable", "mem:" } },
	{ "imported", "symbols/imported", { ENOENT, NULL, "another file defines it", "one of libc.so.6" } },
	{ "versioned@V_3", "symbols/no-version", { ENOENT, NULL, "no version V_3", "V_1, V_2" } },
	{ "versioned@@V_1", "symbols/no-version", { ENOENT, NULL, "no version V_1", "V_1, V_2" } },
	{ "only_old", "symbols/no-version", { ENOENT, NULL, "no default version", "has V_1" } },
	{ "main@V_1", "symbols/no-version", { ENOENT, NULL, "no version V_1", "no versions" } },
	{ "0x300", "symbols/not-code", { ENOEXEC, NULL, "offset 0x300", "readelf" } },
	{ "0x7fffffff", "symbols/not-code", { ENOEXEC, NULL, "offset 0x7fffffff", NULL } },
	{ "no_such_*", "symbols/no-symbol", { ENOENT, NULL, "no function matches", "nm -C" } },
	{ "main*+4", "symbols/offset", { EINVAL, NULL, "a pattern cannot", NULL } },
};

TEST_ROWS(functions_that_are_not, no_functions)
{
	char event[128];

	add_program("/bin/prog", false);
	snprintf(event, sizeof(event), "uprobe:/bin/prog:%s", no_functions[_i].symbol);
	refused(event, 0, no_functions[_i].reason, &no_functions[_i].expect);
}

/* More functions than are kept. The global ones of a table come last. */
TEST(functions_of_one_name)
{
	static const struct expect all = { ENOTUNIQ, NULL, "70 functions are named 'many'",
					   " and 21 more" };
	static const struct expect two = { ENOTUNIQ, NULL, "72 functions are named 'two'", NULL };
	static const char *const names[] = { "many", "one", "two" };
	struct exec_builder b = { .big_endian = HOST_BIG_ENDIAN };

	for (int i = 0; i < 3 * 70; i++)
		xb_symbol(&b, XB_SYMTAB, names[i % 3], TEXT(8 * (i / 3)), 8, STB_LOCAL, STT_FUNC,
			  XB_TEXT, 0);
	xb_function(&b, XB_SYMTAB, "one", TEXT(0x240));
	xb_function(&b, XB_SYMTAB, "two", TEXT(0x250));
	xb_function(&b, XB_DYNSYM, "two", TEXT(0x260));
	add_exec("/bin/many", &b);
	refused("uprobe:/bin/many:many", 0, "symbols/ambiguous", &all);
	refused("uprobe:/bin/many:two", 0, "symbols/ambiguous", &two);
	resolved("uprobe:/bin/many:one", 0);
	ck_assert_uint_eq(f.places.list[0].address, TEXT(0x240));
	ck_assert(strstr(f.places.note, "70 static functions in the file"));
}

static const struct {
	const char *pattern;
	uint32_t nr;
	const char *first, *note;
} patterns[] = {
	{ "alias_*", 1, NULL, NULL },		/* one place */
	{ "m*", 3, "main", NULL },
	{ "twice*", 2, "twice", NULL },
	{ "[me]*", 4, "main", NULL },
	{ "versione?", 2, "versioned", NULL },
	{ "*@V_1", 2, "versioned@V_1", NULL },
	{ "choos?", 1, "choose", "1 symbols are IFUNCs" },
	{ "n*", 0, NULL, NULL },
	{ "*", 18, "main", "2 matching symbols are not in executable code" },
};

TEST_ROWS(functions_by_pattern, patterns)
{
	char event[128];
	uint64_t last = 0;

	add_program("/bin/prog", false);
	snprintf(event, sizeof(event), "uprobe:/bin/prog:%s", patterns[_i].pattern);
	if (!patterns[_i].nr) {
		ck_assert_int_eq(resolve(event, 0), -ENOENT);
		end();
		return;
	}
	resolved(event, 0);
	ck_assert_uint_eq(f.places.nr, patterns[_i].nr);
	if (patterns[_i].first)
		ck_assert_str_eq(f.places.list[0].name, patterns[_i].first);
	for (uint32_t i = 0; i < f.places.nr; i++) {
		ck_assert_uint_gt(f.places.list[i].file_offset, last);
		last = f.places.list[i].file_offset;
	}
	if (patterns[_i].note)
		ck_assert_msg(strstr(f.places.note, patterns[_i].note), "%s", f.places.note);
}

/* --- stripped --- */

static const char id[20] = "\x12\x34\x56 and more of it.";

TEST(stripped_files)
{
	static const struct expect both = { ENOENT, NULL, "no function 'main'",
					    "stripped and has only" };
	static const struct expect near = { ENOENT, NULL, "no function 'exporter'",
					    "mean exported?" };
	static const struct expect all = { ENOENT, NULL, "no function 'main'",
					   "stripped of all names" };
	struct exec_builder none = { .big_endian = HOST_BIG_ENDIAN };

	add_program("/bin/prog", true);
	add_exec("/bin/none", &none);
	refused("uprobe:/bin/prog:main", 0, "symbols/stripped", &both);
	refused("uprobe:/bin/prog:exporter", 0, "symbols/no-symbol", &near);
	refused("uprobe:/bin/none:main", 0, "symbols/stripped", &all);
	refused("uprobe:/bin/none:ma*", 0, "symbols/stripped", &(struct expect){ ENOENT, NULL,
										     NULL, NULL });
	resolved("uprobe:/bin/prog:exported", 0);
	resolved("uprobe:/bin/none:0x610", 0);
}

/* --- which file --- */

static const struct cache_library libraries[] = {
	{ "libc.so.6", "/lib/libc.so.6", 0, NULL, 0 },
	{ "libtwo.so.2", "/lib/libtwo.so.2", 0, NULL, 0 },
	{ "libtwo.so.1", "/lib/libtwo.so.1", 0, NULL, 0 },
	{ "libdev.so.3", "/lib/libdev.so.3", 0, NULL, 0 },
	{ "libdev.so", "/lib/libdev.so", 0, NULL, 0 },
	{ "libfast.so.1", "/lib/v3/libfast.so.1", 0, "x86-64-v3", 0 },
	{ "libfast.so.1", "/lib/v2/libfast.so.1", 0, "x86-64-v2", 0 },
	{ "libfast.so.1", "/lib/libfast.so.1", 0, NULL, 0 },
	{ "libfast.so.1", "/lib/tls/libfast.so.1", 0, NULL, 1 },
	{ NULL, NULL, 0, NULL, 0 },
};

#define NR_LIBRARIES (sizeof(libraries) / sizeof(libraries[0]))

static void add_libraries(const char *cache)
{
	struct cache_library copy[NR_LIBRARIES];

	memcpy(copy, libraries, sizeof(copy));
	for (size_t i = 0; i + 1 < NR_LIBRARIES; i++)
#if defined(__aarch64__)
		copy[i].flags = 0xa03;
#elif defined(__s390x__)
		copy[i].flags = 0x403;
#else
		copy[i].flags = 0x303;
#endif
	add_cache(cache, copy);
}

static void add_simple(const char *path)
{
	struct exec_builder b = { .big_endian = HOST_BIG_ENDIAN };

	xb_function(&b, XB_SYMTAB, "main", TEXT(0x10));
	add_exec(path, &b);
}

static const struct {
	const char *name, *path;	/* NULL: as @reason says */
	const char *reason;
	struct expect expect;
} names[] = {
	{ "/bin/prog", "/bin/prog", NULL, { 0 } },
	{ "./prog", "./prog", NULL, { 0 } },
	{ "tool", "/usr/bin/tool", NULL, { 0 } },
	{ "c", "/lib/libc.so.6", NULL, { 0 } },
	{ "libc", "/lib/libc.so.6", NULL, { 0 } },
	{ "libc.so", "/lib/libc.so.6", NULL, { 0 } },
	{ "libc.so.6", "/lib/libc.so.6", NULL, { 0 } },
	{ "dev", "/lib/libdev.so.3", NULL, { 0 } },
	{ "libtwo.so.1", "/lib/libtwo.so.1", NULL, { 0 } },
	{ "libonly.so.1", "/usr/lib/libonly.so.1", NULL, { 0 } },
	{ "two", NULL, "symbols/ambiguous",
	  { ENOTUNIQ, NULL, "'two' could be 'libtwo.so.2' or 'libtwo.so.1'", "full name" } },
	{ "libc.so.5", NULL, "symbols/no-file", { ENOENT, NULL, "no program 'libc.so.5'",
						  "ldconfig" } },
	{ "nothing", NULL, "symbols/no-file", { ENOENT, NULL, "in PATH and no library",
						"/usr/bin/" } },
	{ "/bin/none", NULL, "symbols/no-file", { ENOENT, "/bin/none", "No such file", NULL } },
	{ "/bin/secret", NULL, "symbols/no-file", { EACCES, NULL, "denied", "must be able to read" } },
	{ "/bin", NULL, "symbols/no-file", { EISDIR, "/bin", "a directory", NULL } },
	{ "/bin/script", NULL, "symbols/not-elf", { ENOEXEC, "/bin/script", "script", "its interpreter" } },
	{ "/bin/foreign", NULL, "symbols/machine", { ENOEXEC, NULL, "is for RISC-V", NULL } },
	{ "/bin/short", NULL, "symbols/damaged", { EBADMSG, "/bin/short", NULL, "damaged" } },
};

TEST_ROWS(files_by_name, names)
{
	struct exec_builder foreign = { .machine = EM_RISCV, .big_endian = HOST_BIG_ENDIAN };
	char event[128];

	add_libraries("/etc/ld.so.cache");
	add_simple("/bin/prog");
	add_simple("./prog");
	add_simple("/usr/bin/tool");
	add_simple("relative/nothing");
	add_simple("/lib/libc.so.6");
	add_simple("/lib/libdev.so.3");
	add_simple("/lib/libtwo.so.1");
	add_simple("/usr/lib/libonly.so.1");
	add_exec("/bin/foreign", &foreign);
	add_text("/bin/script", "#!/bin/sh\n", 0);
	add_text("/bin/secret", "", EACCES);
	add_text("/bin/short", "\x7f" "ELF\x02\x01\x01..........", 0);
	snprintf(event, sizeof(event), "uprobe:%s:main", names[_i].name);
	if (names[_i].path) {
		resolved(event, 0);
		ck_assert_str_eq(f.places.path, names[_i].path);
	} else {
		refused(event, 0, names[_i].reason, &names[_i].expect);
	}
}

#if defined(__x86_64__)
#define V2 "cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3"
#define V3 V2 " avx avx2 bmi1 bmi2 f16c fma abm movbe xsave"

static const struct {
	const char *flags, *path;
} processors[] = {
	{ NULL, "/lib/libfast.so.1" },
	{ "flags\t\t: fpu " V2 " vme\n", "/lib/libfast.so.1" },	/* not at the beginning of a line */
	{ "processor\t: 0\nflags\t\t: fpu " V2 " vme\nbugs\t\t:\n", "/lib/v2/libfast.so.1" },
	{ "processor\t: 0\nflags\t\t: fpu " V3 "\nbugs\t\t:\n", "/lib/v3/libfast.so.1" },
	{ "processor\t: 0\nflags\t\t: fpu " V3 "x\nbugs\t\t:\n", "/lib/v2/libfast.so.1" },
};

TEST_ROWS(libraries_for_processors, processors)
{
	add_libraries("/etc/ld.so.cache");
	add_simple(processors[_i].path);
	if (processors[_i].flags)
		add_text("/proc/cpuinfo", processors[_i].flags, 0);
	resolved("uprobe:fast:main", 0);
	ck_assert_str_eq(f.places.path, processors[_i].path);
	ck_assert(strstr(f.places.note, "other processors"));
}
#endif

/* --- of a process --- */

#define MAPS "00400000-00401000 r--p 00000000 08:01 0    /usr/bin/tool\n" \
	     "00401000-00402000 r-xp 00000600 08:01 0    /usr/bin/tool\n" \
	     "7f000000-7f100000 r--p 00000000 08:01 0                    /opt/libc.so.6\n" \
	     "7f100000-7f200000 r-xp 00001000 08:01 0                    /opt/libc.so.6\n" \
	     "7f300000-7f400000 r-xp 00001000 08:01 0      /lib/libgone.so.1 (deleted)\n" \
	     "7f400000-7f500000 rw-p 00000000 00:00 0\n" \
	     "7ffc0000-7ffd0000 r-xp 00000000 00:00 0                          [vdso]\n"

#define ROOT "/proc/7/root"

static const struct {
	const char *name, *path, *note;
	bool own_root;	/* the process has another root than we have */
} process_names[] = {
	{ "libc", "/opt/libc.so.6", NULL, false },
	{ "tool", "/usr/bin/tool", NULL, false },
	{ "gone", "/proc/7/map_files/7f300000-7f400000", "has been replaced", false },
	{ "/bin/prog", "/bin/prog", NULL, false },
	{ "libc", ROOT "/opt/libc.so.6", NULL, true },
	{ "tool", ROOT "/usr/bin/tool", NULL, true },
	{ "/bin/prog", ROOT "/bin/prog", NULL, true },
	{ "/link", ROOT "/opt/real", NULL, true },
	{ "/dir/x/../up", ROOT "/opt/real", NULL, true },
	{ "dev", ROOT "/lib/libdev.so.3", NULL, true },
	{ "./prog", "./prog", NULL, true },
};

TEST_ROWS(files_of_a_process, process_names)
{
	char event[128];

	add_text(ROOT, "/", FAKE_SYMLINK);
	add_text("/proc/7/ns/mnt", process_names[_i].own_root ? "mnt:[2]" : "mnt:[1]",
		 FAKE_SYMLINK);
	add_text("/proc/self/ns/mnt", "mnt:[1]", FAKE_SYMLINK);
	add_text("/proc/7/maps", MAPS, 0);
	add_text(ROOT "/link", "/dir/one", FAKE_SYMLINK);
	add_text(ROOT "/dir", "opt//./", FAKE_SYMLINK);
	add_text(ROOT "/opt/one", "../../../opt/real", FAKE_SYMLINK);
	add_text(ROOT "/opt/up", "real", FAKE_SYMLINK);
	add_libraries(process_names[_i].own_root ? ROOT "/etc/ld.so.cache" : "/etc/ld.so.cache");
	add_simple(process_names[_i].path);
	snprintf(event, sizeof(event), "uprobe:%s:main", process_names[_i].name);
	resolved(event, 7);
	ck_assert_str_eq(f.places.path, process_names[_i].path);
	if (process_names[_i].note)
		ck_assert_msg(strstr(f.places.note, process_names[_i].note), "%s", f.places.note);
}

TEST(no_such_process)
{
	static const struct expect gone = { ESRCH, NULL, "process 8", "running process" };
	static const struct expect loop = { ELOOP, NULL, "too many symbolic links", NULL };
	static const struct expect nothing = { ENOENT, NULL, "has not mapped 'nothing'", NULL };

	add_text(ROOT, "/", FAKE_SYMLINK);
	add_text("/proc/7/ns/mnt", "mnt:[2]", FAKE_SYMLINK);
	add_text("/proc/7/maps", MAPS, 0);
	add_text(ROOT "/a", "/b", FAKE_SYMLINK);
	add_text(ROOT "/b", "a", FAKE_SYMLINK);
	refused("uprobe:/bin/prog:main", 8, "symbols/no-process", &gone);
	refused("uprobe:/a:main", 7, "symbols/no-file", &loop);
	refused("uprobe:nothing:main", 7, "symbols/no-file", &nothing);
}

TEST(addresses_in_a_process)
{
	uint64_t at[2] = { 0 };

	add_text("/proc/7/maps", MAPS "00501000-00502000 r-xp 00000600 00:00 0 /usr/bin/link\n"
				      "00511000-00512000 r-xp 00000600 00:01 0 /usr/bin/other\n"
				      "00521000-00522000 r-xp 00000600 01:00 0 /usr/bin/other\n", 0);
	add_simple("/usr/bin/tool");
	resolved("uprobe:/usr/bin/tool:main", 0);
	ck_assert_int_eq(symbols_mapped(&f.symbols, 7, f.places.path,
					f.places.list[0].file_offset, at,
					1, &f.err), 2);
	ck_assert(at[0] == 0x401010 && !at[1]);
	ck_assert_int_eq(symbols_mapped(&f.symbols, 7, f.places.path, 0x15ff, at, 2, &f.err), 2);
	ck_assert(at[0] == 0x401fff && at[1] == 0x501fff);
	ck_assert_int_eq(symbols_mapped(&f.symbols, 7, f.places.path, 0x1600, at, 2, &f.err), 0);
	ck_assert_int_eq(symbols_mapped(&f.symbols, 7, f.places.path, 0x5ff, at, 2, &f.err), 0);
	ck_assert_int_eq(symbols_mapped(&f.symbols, 8, f.places.path, 0x300, at, 2, &f.err),
			 -ESRCH);
	ck_assert_str_eq(f.err.reason, "symbols/no-process");
}

/* --- USDT --- */

static void add_usdt(const char *path)
{
	struct exec_builder b = { .fixed = true, .big_endian = HOST_BIG_ENDIAN };

	xb_symbol(&b, XB_SYMTAB, "count", XB_DATA_ADDRESS + 0x20, 4, STB_LOCAL, STT_OBJECT,
		  XB_DATA, 0);
	xb_note(&b, TEXT(0x40), XB_BASE_ADDRESS, XB_DATA_ADDRESS + 2, "app", "begin",
		"-4@%eax 8@$5");
	xb_note(&b, TEXT(0x20), XB_BASE_ADDRESS, XB_DATA_ADDRESS + 2, "app", "begin",
		"-4@%eax 8@$5");
	xb_note(&b, TEXT(0x60), XB_BASE_ADDRESS, 0, "app", "end",
		"4@count+8(%rip) 4@other(%rip) 8f@%xmm0");
	xb_note(&b, TEXT(0x70), XB_BASE_ADDRESS, 0, "lib", "end", "");
	xb_note(&b, TEXT(0x80), XB_BASE_ADDRESS, TEXT(0), "app", "bad_semaphore", "");
	xb_note(&b, XB_DATA_ADDRESS, XB_BASE_ADDRESS, 0, "app", "bad_place", "");
	xb_note(&b, TEXT(0x90), XB_BASE_ADDRESS, 0, "app", "many",
		"1@1 1@1 1@1 1@1 1@1 1@1 1@1 1@1 1@1 1@1 1@1 1@1 1@1");
	add_exec(path, &b);
}

TEST(usdt_places)
{
	add_usdt("/bin/app");
	resolved("usdt:/bin/app:app:begin", 0);
	ck_assert_uint_eq(f.places.nr, 2);
	ck_assert(f.places.fixed);
	for (unsigned int i = 0; i < 2; i++) {
		const struct symbol_location *p = &f.places.list[i];

		ck_assert_str_eq(p->name, "app:begin");
		ck_assert_uint_eq(p->file_offset, OFFSET(TEXT(i ? 0x40 : 0x20)));
		ck_assert_uint_eq(p->ref_ctr_offset, XB_DATA_OFFSET + 2);
		ck_assert_uint_eq(p->nr_args, 2);
	}
	resolved("usdt:/bin/app:lib:end", 0);
	ck_assert_uint_eq(f.places.nr, 1);
	ck_assert_uint_eq(f.places.list[0].ref_ctr_offset, 0);
	ck_assert_uint_eq(f.places.list[0].nr_args, 0);
}

#if defined(__x86_64__)
static const struct {
	const char *code;	/* at the probe */
	unsigned int age, moved;
} nops[] = {
	{ "\x90\x66\x2e\x0f\x1f\x84\0\0\0\0", 0, 1 },
	{ "\x90\x66\x2e\x0f\x1f\x84\0\0\0\0", FAKE_NO_NOP10, 0 },
	{ "\x90\x66\x2e\x0f\x1f\x84\0\0\0\x01", 0, 0 },
	{ "\x66\x2e\x0f\x1f\x84\0\0\0\0\0", 0, 0 },
	{ "\x90\x0f\x1f\x44\0\0\0\0\0\0", 0, 0 },
	{ "\x90\x0f\x1f\x44\0\0\0\0\0\0", FAKE_NO_NOP10, 0 },
};

/* A probe of two nops is at the second, where that is the fast one; its argument is the same. */
TEST_ROWS(usdt_at_a_fast_nop, nops)
{
	add_usdt("/bin/app");
	memcpy(f.made[0].data + OFFSET(TEXT(0x60)), nops[_i].code, 10);
	f.kernel = fake_kernel_new(f.paths);
	fake_kernel_set_age(f.kernel, nops[_i].age);
	symbols_init(&f.symbols, fake_kernel_sys(f.kernel), "/bin");
	resolved("usdt:/bin/app:app:end", 0);
	ck_assert_uint_eq(f.places.list[0].file_offset, OFFSET(TEXT(0x60)) + nops[_i].moved);
	ck_assert_uint_eq(f.places.list[0].address, TEXT(0x60) + nops[_i].moved);
	ck_assert_int_eq(f.places.list[0].args[0].value,
			 XB_DATA_ADDRESS + 0x28 - TEXT(0x60) - nops[_i].moved);
}

TEST(usdt_arguments)
{
	const struct sdt_arg *args;

	add_usdt("/bin/app");
	resolved("usdt:/bin/app:app:end", 0);
	ck_assert_uint_eq(f.places.nr, 1);
	ck_assert_uint_eq(f.places.list[0].nr_args, 3);
	args = f.places.list[0].args;
	ck_assert_int_eq(args[0].kind, SDT_ARG_MEMORY);
	ck_assert_int_eq(args[0].value, XB_DATA_ADDRESS + 0x28 - TEXT(0x60));
	ck_assert_int_eq(args[1].kind, SDT_ARG_OTHER);
	ck_assert(strstr(args[1].why, "without a symbol"));
	ck_assert_int_eq(args[2].kind, SDT_ARG_OTHER);
	ck_assert(strstr(args[2].why, "floating-point"));
}
#endif

static const struct {
	const char *event, *reason;
	struct expect expect;
} no_usdt[] = {
	{ "usdt:/bin/app:app:begni", "symbols/no-usdt", { ENOENT, NULL, "'app:begni'",
							  "app:begin" } },
	{ "usdt:/bin/app:x:y", "symbols/no-usdt", { ENOENT, NULL, "'x:y'", "7 others" } },
	{ "usdt:/bin/app:app:bad_semaphore", "symbols/damaged",
	  { EBADMSG, "USDT 'app:bad_semaphore'", "semaphore at address", NULL } },
	{ "usdt:/bin/app:app:bad_place", "symbols/not-code", { ENOEXEC, NULL, "not executable",
							       NULL } },
	{ "usdt:/bin/prog:app:begin", "symbols/no-usdt", { ENOENT, "/bin/prog", "no USDT",
							   "sdt.h" } },
};

TEST_ROWS(usdt_that_is_not, no_usdt)
{
	add_usdt("/bin/app");
	add_simple("/bin/prog");
	refused(no_usdt[_i].event, 0, no_usdt[_i].reason, &no_usdt[_i].expect);
}

TEST(usdt_with_too_many_arguments)
{
	add_usdt("/bin/app");
	ck_assert_int_eq(resolve("usdt:/bin/app:app:many", 0), -E2BIG);
}

/* --- its cost, and its failures --- */

TEST(a_file_is_read_once)
{
	unsigned int opened;

	add_program("/bin/prog", false);
	resolved("uprobe:/bin/prog:main", 0);
	opened = fake_kernel_count(f.kernel, "openat");
	resolved("uprobe:/bin/prog:again", 0);
	resolved("uprobe:/bin/prog:*", 0);
	ck_assert_uint_eq(fake_kernel_count(f.kernel, "openat"), opened);
}

/* Call n fails, for each n: that is said, or it was not needed; nothing stays open. */
TEST_EACH(every_call_fails_once, 4)
{
	static const char *const events[] = {
		"uprobe:tool:main", "uprobe:libc:main", "usdt:/bin/app:app:begin",
	"uprobe:/bin/none:main",
	};
	unsigned int calls = 1;

	for (unsigned int n = 0; n < calls; n++) {
		struct exec_builder none = { .build_id = id,
					     .big_endian = HOST_BIG_ENDIAN };

		add_text(ROOT, "/", FAKE_SYMLINK);
		add_text("/proc/7/ns/mnt", "mnt:[2]", FAKE_SYMLINK);
		add_text("/proc/7/maps", MAPS, 0);
		add_libraries(ROOT "/etc/ld.so.cache");
		add_simple(ROOT "/usr/bin/tool");
		add_simple(ROOT "/opt/libc.so.6");
		add_usdt(ROOT "/bin/app");
		add_exec(ROOT "/bin/none", &none);
		f.kernel = fake_kernel_new(f.paths);
		symbols_init(&f.symbols, fake_kernel_sys(f.kernel), "/usr/bin");
		fake_kernel_fail_call(f.kernel, n, EIO);
		if (resolve(events[_i], 7))
			ck_assert(f.err.what[0] && f.err.where[0]);
		calls = n ? calls : fake_kernel_nr_calls(f.kernel);
		end();
	}
	ck_assert_uint_gt(calls, 10);
}
