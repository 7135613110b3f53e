// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Externs: the form of each in BTF, the sources of values and addresses, and the errors without
 * them.
 */
#include <errno.h>
#include <zlib.h>

#include "loader/objects/externs/externs.h"
#include "test/fault/fake_kernel.h"
#include "test/unit/common/expect.h"
#include "test/unit/common/object_builder.h"
#include "test/unit/common/suite.h"

#define CONFIG "/proc/config.gz"

/* An object whose program "one" loads an extern or calls one, on a kernel of these files. */
static struct fixture {
	struct sample s;
	struct fake_kernel *kernel;
	struct kernel_types types;
	struct externs externs;
	struct prog_code code;
	struct buffer vmlinux, module;
	bool layouts;		/* the kernel shows its types in the form of Linux 7.1 */
	uint32_t symbol;
} f;
static struct error err;

static void begin(void)
{
	memset(&f, 0, sizeof(f));
	memset(&err, 0, sizeof(err));
	sample_build(&f.s, false, false);
}

/* Types by the name that a test's row has for them. */
static uint32_t add_type(struct btf_builder *b, const char *type)
{
	uint32_t id, size = 4;
	char kind;

	if (!strcmp(type, "bool"))
		return bb_int(b, "_Bool", 1, BTF_INT_BOOL);
	if (!strcmp(type, "tristate")) {
		id = bb_enum(b, BTF_KIND_ENUM, "libbpf_tristate", 4, false);
		bb_enumerator(b, "TRI_NO", 0);
		return id;
	}
	if (!strcmp(type, "enum")) {
		id = bb_enum(b, BTF_KIND_ENUM, "other", 4, false);
		bb_enumerator(b, "A", 0);
		return id;
	}
	if (!strcmp(type, "void"))
		return bb_ref(b, BTF_KIND_CONST, "", 0);
	if (sscanf(type, "text%u", &size) == 1) {
		id = bb_int(b, "char", 1, BTF_INT_SIGNED);
		return bb_array(b, id, id, size);
	}
	ck_assert_int_eq(sscanf(type, "%c%u", &kind, &size), 2);
	id = bb_int(b, "number", size, kind == 's' ? BTF_INT_SIGNED : 0);
	return bb_ref(b, BTF_KIND_TYPEDEF, "number_t", id);
}

/* The extern @name that relocation 0 of "one" loads. */
static void declare(const char *datasec, const char *name, const char *type, uint8_t bind)
{
	struct sample *s = &f.s;
	uint32_t var = bb_var(&s->btf, name, add_type(&s->btf, type), BTF_VAR_GLOBAL_EXTERN);

	bb_datasec(&s->btf, datasec, 0);
	bb_datasec_var(&s->btf, var, 0, 0);
	f.symbol = eb_symbol(&s->elf, name, SHN_UNDEF, 0, 0, bind, STT_NOTYPE);
	sample_reloc(s, RELOC_HITS, 0, R_BPF_64_64, f.symbol);
}

/* A function @name() that returns int, which relocation 2 of "one" calls. */
static uint32_t declare_func(const char *name, uint8_t bind)
{
	struct sample *s = &f.s;
	uint32_t proto = bb_proto(&s->btf, s->type_int), func;

	bb_param(&s->btf, "", s->type_int);
	func = bb_func(&s->btf, name, proto, BTF_FUNC_EXTERN);
	bb_datasec(&s->btf, ".ksyms", 0);
	bb_datasec_var(&s->btf, func, 0, 0);
	f.symbol = eb_symbol(&s->elf, name, SHN_UNDEF, 0, 0, bind, STT_NOTYPE);
	sample_reloc(s, RELOC_MID, 4 * 8, R_BPF_64_32, f.symbol);
	return func;
}

static void parse(void)
{
	ck_assert_msg(!sample_parse(&f.s, &err), "%s: %s", err.where, err.what);
}

static uint32_t find_one(void)
{
	for (uint32_t i = 0; i < f.s.obj.nr_progs; i++)
		if (!strcmp(f.s.obj.progs[i].name, "one"))
			return i;
	return 0;
}

static int link_one(const struct fake_path *files, const char *kconfig)
{
	int ret;

	parse();
	f.kernel = fake_kernel_new(files);
	if (f.vmlinux.size)
		fake_kernel_add_btf(f.kernel, "vmlinux", f.vmlinux.data, f.vmlinux.size, false);
	if (f.module.size)
		fake_kernel_add_btf(f.kernel, "mod", f.module.data, f.module.size, false);
	kernel_types_init(&f.types, fake_kernel_sys(f.kernel), NULL);
	externs_init(&f.externs, fake_kernel_sys(f.kernel), &f.types, &f.s.obj, kconfig);
	ret = externs_read_kconfig(&f.externs, &err);
	return ret ? ret : relocate(&f.s.obj, find_one(), NULL, &f.code, &err);
}

static void end(void)
{
	prog_code_free(&f.code);
	externs_free(&f.externs);
	kernel_types_free(&f.types);
	if (f.kernel)
		fake_kernel_free(f.kernel);
	buffer_free(&f.vmlinux);
	buffer_free(&f.module);
	sample_free(&f.s);
}

TEST_FIXTURE(begin, end)

/* Returns the value of the first extern; characters are read as a little-endian number. */
static uint64_t value_of_first(bool number)
{
	const struct object_extern *e = &f.s.obj.externs[0];
	struct buffer content = { 0 };
	uint64_t value;

	buffer_add(&content, f.s.obj.maps[e->map].content + e->offset, e->size);
	value = buffer_peek(&content, 0, e->size, number && HOST_BIG_ENDIAN);
	buffer_free(&content);
	return value;
}

/* --- values of the config, by type --- */

static const struct {
	const char *type, *text;
	uint64_t value;
	struct expect expect;	/* code 0: it has the value */
} values[] = {
	{ "bool", "y", 1 },
	{ "bool", "n", 0 },
	{ "bool", "1", 1 },
	{ "bool", "m", 0,
	  { EINVAL, CONFIG ", line 2", "CONFIG_V is 'm', but declared as bool", "libbpf_tristate",
	    "externs/config" } },
	{ "bool", "2", 0, { EINVAL, ", line 2", "declared as bool", "an integer" } },
	{ "tristate", "n", 0 },
	{ "tristate", "y", 1 },
	{ "tristate", "m", 2 },
	{ "tristate", "250", 0,
	  { EINVAL, ", line 2", "declared as enum libbpf_tristate", "an integer" } },
	{ "u1", "m", 'm' },
	{ "u1", "255", 255 },
	{ "u1", "256", 0,
	  { ERANGE, ", line 2", "CONFIG_V is 256, but its type has only 8 bits",
	    "larger" } },
	{ "s1", "-128", 0x80 },
	{ "s1", "128", 0, { ERANGE, ", line 2", "8 bits", "larger" } },
	{ "u2", "65535", 65535 },
	{ "u2", "-1", 0, { ERANGE, ", line 2", "CONFIG_V is -1", "other sign" } },
	{ "s4", "-2147483648", 0x80000000 },
	{ "s4", "2147483648", 0, { ERANGE, ", line 2", "32 bits", "larger" } },
	{ "u4", "0xffffffff", UINT32_MAX },
	{ "u8", "0xffffffffffffffff", UINT64_MAX },
	{ "s8", "-9223372036854775808", UINT64_C(1) << 63 },
	{ "s8", "9223372036854775808", 0, { ERANGE, ", line 2", "64 bits", "larger" } },
	{ "u8", "18446744073709551616", 0, { EINVAL, ", line 2", "not a 64-bit number" } },
	{ "u4", "y", 0,
	  { EINVAL, ", line 2", "CONFIG_V is 'y', but declared as an integer", "bool" } },
	{ "u4", "12x", 0, { EINVAL, ", line 2", "not a 64-bit number" } },
	{ "u4", "", 0, { EINVAL, ", line 2", "not a 64-bit number" } },
	{ "u4", "-", 0, { EINVAL, ", line 2", "not a 64-bit number" } },
	{ "u4", "\"5\"", 0, { EINVAL, ", line 2", "declared as an integer", "an array of char" } },
	{ "u16", "1", 0, { EINVAL, ", line 2", "config values cannot have", "bool, char" } },
	{ "enum", "y", 0, { EINVAL, ", line 2", "config values cannot have", "bool, char" } },
	{ "text8", "\"abc\"", 0x636261 },
	{ "text8", "\"a\\\"\\\\b\"", 0x625c2261 },
	{ "text8", "\"abcdefghi\"", 0x67666564636261 },
	{ "text8", "\"\"", 0 },
	{ "text8", "\"abc", 0, { EINVAL, ", line 2", "unterminated string" } },
	{ "text8", "y", 0, { EINVAL, ", line 2", "an array of char", "bool" } },
	{ "text8", "5", 0, { EINVAL, ", line 2", "an array of char", "an integer" } },
};

TEST_ROWS(values_by_type, values)
{
	char text[128];
	const struct fake_path files[] = { { CONFIG, text, 0, 0 }, { NULL, NULL, 0, 0 } };
	int ret;

	snprintf(text, sizeof(text), "#\nCONFIG_V=%s\nCONFIG_VV=7\n", values[_i].text);
	declare(".kconfig", "CONFIG_V", values[_i].type, STB_GLOBAL);
	ret = link_one(files, NULL);
	if (values[_i].expect.code) {
		expect_error(values[_i].text, ret, &err, &values[_i].expect);
		return;
	}
	ck_assert_msg(!ret, "%s: %s", err.where, err.what);
	ck_assert_uint_eq(value_of_first(strncmp(values[_i].type, "text", 4)), values[_i].value);
}

/* --- files --- */

static struct buffer gzipped(const char *text, size_t size)
{
	struct buffer b = { 0 };
	z_stream z = { 0 };

	buffer_add(&b, NULL, size + 1024);
	ck_assert_int_eq(deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY),
			 Z_OK);
	z.next_in = (unsigned char *)text;
	z.avail_in = size;
	z.next_out = b.data;
	z.avail_out = b.size;
	ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
	b.size = z.total_out;
	deflateEnd(&z);
	return b;
}

enum { PLAIN, GZIP, GZIP_SHORT, GZIP_DAMAGED, GZIP_SUM };

static const struct {
	const char *name, *path, *kconfig, *begin;
	size_t fill;		/* this many 'x' after it */
	const char *rest;
	int form, error;
	uint8_t bind;
	struct expect expect;
} config_files[] = {
	{ "plain", CONFIG, NULL, "CONFIG_V=7", 0, "", PLAIN, 0, STB_GLOBAL },
	{ "gzip", CONFIG, NULL, "# c\nCONFIG_V=7\n", 0, "", GZIP, 0, STB_GLOBAL },
	{ "more than a buffer", CONFIG, NULL, "# ", 16000, "\n\nCONFIG_V=7\n", GZIP, 0,
	  STB_GLOBAL },
	{ "of /boot", "/boot/config-6.1.2-rel", NULL, "CONFIG_V=7\n", 0, "", PLAIN, 0, STB_GLOBAL },
	{ "named", "/my/config", "/my/config", "CONFIG_V=7\n", 0, "", PLAIN, 0, STB_GLOBAL },
	{ "first of two", CONFIG, NULL, "CONFIG_V=7\nCONFIG_V=8\n", 0, "", PLAIN, 0, STB_GLOBAL },
	{ "unset afterwards", CONFIG, NULL, "CONFIG_V=7\n# CONFIG_V is not set\n", 0, "", PLAIN, 0,
	  STB_GLOBAL },
	{ "set afterwards", CONFIG, NULL, "# CONFIG_V is not set\nCONFIG_V=7\n", 0, "", PLAIN, 0,
	  STB_GLOBAL, { ENOENT, ".relperf_event[0]", "is not set in " CONFIG, "__weak" } },
	{ "named, not there", CONFIG, "/my/config", "CONFIG_V=7\n", 0, "", PLAIN, 0, STB_WEAK,
	  { ENOENT, "/my/config", "No such file", "--kconfig requires" } },
	{ "none there", "/other", NULL, "", 0, "", PLAIN, 0, STB_GLOBAL,
	  { ENOENT, "config value 'CONFIG_V': " CONFIG " and /boot/config-6.1.2-rel",
	    "No such file", "--kconfig=FILE" } },
	{ "closed", CONFIG, NULL, "", 0, "", PLAIN, EACCES, STB_WEAK,
	  { EACCES, "config value 'CONFIG_V': " CONFIG, "denied", "--kconfig=FILE" } },
	{ "empty", CONFIG, NULL, "", 0, "", PLAIN, 0, STB_GLOBAL,
	  { EBADMSG, CONFIG, "it has no line", "--kconfig=FILE" } },
	{ "some text", "/my/config", "/my/config", "This is\nno config\n", 0, "", PLAIN, 0,
	  STB_GLOBAL, { EBADMSG, "/my/config", "it has no line", "--kconfig requires" } },
	{ "without it", CONFIG, NULL, "CONFIG_VV=7\nCONFIG_=1\n CONFIG_V=1\n", 0, "", PLAIN, 0,
	  STB_GLOBAL, { ENOENT, ".relperf_event[0]", "'CONFIG_V' is not in " CONFIG, "__weak" } },
	{ "not set", CONFIG, NULL, "# CONFIG_V is not set\n", 0, "", PLAIN, 0, STB_GLOBAL,
	  { ENOENT, ".relperf_event[0]", "'CONFIG_V' is not set in " CONFIG, "__weak" } },
	{ "endless line", CONFIG, NULL, "CONFIG_A=1\nCONFIG_V=", 70000, "\n", PLAIN, 0, STB_GLOBAL,
	  { EBADMSG, CONFIG, "line 2 has more than 16384 characters", "--kconfig" } },
	{ "endless line in gzip", CONFIG, NULL, "CONFIG_V=", 70000, "\n", GZIP, 0, STB_WEAK,
	  { EBADMSG, CONFIG, "line 1 has more than 16384 characters", "--kconfig" } },
	{ "cut off", CONFIG, NULL, "CONFIG_V=7\n", 0, "", GZIP_SHORT, 0, STB_WEAK,
	  { EBADMSG, CONFIG, "compressed data is truncated", "--kconfig" } },
	{ "damaged", CONFIG, NULL, "CONFIG_V=7\n", 0, "", GZIP_DAMAGED, 0, STB_WEAK,
	  { EBADMSG, CONFIG, "data is damaged", "--kconfig" } },
	{ "of another sum", CONFIG, NULL, "CONFIG_V=7\n", 0, "", GZIP_SUM, 0, STB_WEAK,
	  { EBADMSG, CONFIG, "incorrect data check", "--kconfig" } },
};

static struct buffer file_of(int i)
{
	struct buffer text = { 0 }, out;

	buffer_add(&text, config_files[i].begin, strlen(config_files[i].begin));
	for (size_t k = 0; k < config_files[i].fill; k++)
		buffer_add(&text, "x", 1);
	buffer_add(&text, config_files[i].rest, strlen(config_files[i].rest));
	if (config_files[i].form == PLAIN)
		return text;
	out = gzipped((const char *)text.data, text.size);
	if (config_files[i].form == GZIP_SHORT)
		out.size -= 9;
	if (config_files[i].form == GZIP_DAMAGED)
		out.data[10] |= 7;
	if (config_files[i].form == GZIP_SUM)
		out.data[out.size - 5] ^= 1;
	buffer_free(&text);
	return out;
}

TEST_ROWS(config_comes_from_files, config_files)
{
	struct buffer file = file_of(_i);
	const struct fake_path files[] = {
		{ config_files[_i].path, file.size ? (void *)file.data : (void *)"", file.size,
		  config_files[_i].error },
		{ "/proc/sys/kernel/osrelease", "6.1.2-rel\n", 0, 0 },
		{ NULL, NULL, 0, 0 },
	};
	int ret;

	declare(".kconfig", "CONFIG_V", "u4", config_files[_i].bind);
	ret = link_one(files, config_files[_i].kconfig);
	if (config_files[_i].expect.code) {
		expect_error(config_files[_i].name, ret, &err, &config_files[_i].expect);
	} else {
		ck_assert_msg(!ret, "%s: %s: %s", config_files[_i].name, err.where, err.what);
		ck_assert_uint_eq(value_of_first(true), 7);
	}
	buffer_free(&file);
}

/*
 * Found while fuzzing: text that ends without a newline just where the buffer for it does had its
 * last line ended by a byte behind the buffer.
 */
TEST(last_line_ends_the_buffer)
{
	static char text[64 << 10];
	struct buffer file;
	struct fake_path files[] = { { CONFIG, NULL, 0, 0 }, { NULL, NULL, 0, 0 } };
	static const char last[] = "\nCONFIG_V=7";

	memset(text, '\n', sizeof(text));
	memcpy(text + sizeof(text) - strlen(last), last, strlen(last));
	file = gzipped(text, sizeof(text));
	files[0].data = file.data;
	files[0].size = file.size;
	declare(".kconfig", "CONFIG_V", "u4", STB_GLOBAL);
	ck_assert_msg(!link_one(files, NULL), "%s: %s", err.where, err.what);
	ck_assert_uint_eq(value_of_first(true), 7);
	buffer_free(&file);
}

/* A missing or invalid extern is no error unless a program that is linked refers to it. */
TEST(what_nobody_uses_is_no_error)
{
	static const struct fake_path files[] = {
		{ CONFIG, "\x1f\x8b damaged", 0, 0 }, { NULL, NULL, 0, 0 },
	};

	declare(".kconfig", "CONFIG_V", "u4", STB_GLOBAL);
	sample_reloc(&f.s, RELOC_HITS, 0, R_BPF_64_64, f.s.hits);
	sample_reloc(&f.s, RELOC_QUIET, 9 * 8, R_BPF_64_64, f.symbol);
	sample_imm(&f.s, f.s.prog, 9, 0);
	ck_assert_msg(!link_one(files, NULL), "%s: %s", err.where, err.what);
	prog_code_free(&f.code);
	ck_assert_int_eq(relocate(&f.s.obj, !find_one(), NULL, &f.code, &err), -EBADMSG);
	error_clear(&err);
}

/* A weak one that is missing is 0; the instruction reads the map all the same. */
TEST_EACH(weak_config_is_zero, 3)
{
	static const struct fake_path files[][2] = {
		{ { CONFIG, "CONFIG_A=1\n", 0, 0 } },
		{ { CONFIG, "# CONFIG_V is not set\n", 0, 0 } },
		{ { "/proc/sys/kernel/osrelease", "6.1.2-rel\n", 0, 0 } },
	};
	const struct object_extern *e;

	declare(".kconfig", "CONFIG_V", "u8", STB_WEAK);
	sample_imm(&f.s, f.s.prog, 0, 4);
	ck_assert_msg(!link_one(files[_i], NULL), "%s: %s", err.where, err.what);
	e = &f.s.obj.externs[0];
	ck_assert(e->weak);
	ck_assert_pstr_eq(f.externs.unknown, _i == 2 ? "CONFIG_V" : NULL);
	ck_assert_uint_eq(value_of_first(true), 0);
	ck_assert_uint_eq(f.code.insns[0].src_reg, BPF_PSEUDO_MAP_VALUE);
	ck_assert_int_eq(f.code.insns[1].imm, 4);
	ck_assert_uint_eq(f.code.map_refs[0].map, e->map);
}

/* --- LINUX_* --- */

static const struct {
	const char *signature, *version, *release;
	uint32_t code;
} versions[] = {
	{ NULL, "#1 SMP PREEMPT_DYNAMIC", "6.18.44-fc", 6 << 16 | 18 << 8 | 44 },
	{ NULL, "#1 SMP Debian 6.1.106-3 (2024-08-26)", "6.1.0-25-amd64", 6 << 16 | 1 << 8 | 106 },
	{ "Ubuntu 5.4.0-12.15-generic 5.4.8", "#15-Ubuntu SMP", "5.4.0-12-generic", 5 << 16 |
	  4 << 8 | 8 },
	{ NULL, "#1", "4.14.336", 4 << 16 | 14 << 8 | 255 },
};

TEST_ROWS(version_of_the_kernel, versions)
{
	const struct fake_path files[] = {
		{ "/proc/sys/kernel/osrelease", versions[_i].release, 0, 0 },
		{ "/proc/sys/kernel/version", versions[_i].version, 0, 0 },
		{ versions[_i].signature ? "/proc/version_signature" : NULL, versions[_i].signature,
		  0, 0 },
		{ NULL, NULL, 0, 0 },
	};
	uint32_t code;

	declare(".kconfig", "LINUX_KERNEL_VERSION", "u4", STB_GLOBAL);
	ck_assert_msg(!link_one(files, NULL), "%s: %s", err.where, err.what);
	memcpy(&code, f.s.obj.maps[f.s.obj.externs[0].map].content, sizeof(code));
	ck_assert_uint_eq(code, versions[_i].code);
}

static const struct {
	const char *name, *type;
	const char *kallsyms;	/* NULL: there is no /proc */
	const char *release;	/* NULL: 6.1.2 */
	bool no_cookie;		/* of this kernel */
	int value;		/* -1: as @expect says */
	struct expect expect;
} measured[] = {
	{ "LINUX_HAS_SYSCALL_WRAPPER", "bool",
	  "0 T __x64_sys_bpf\n0 T __arm64_sys_bpf\n0 T __s390x_sys_bpf\n0 T __riscv_sys_bpf\n",
	  NULL, false, 1 },
	{ "LINUX_HAS_SYSCALL_WRAPPER", "bool", "0 T __x64_sys_bpf_not\n0 T sys_bpf\n", "4.16.18",
	  false, 0 },
#if defined(__x86_64__) || defined(__aarch64__)
	{ "LINUX_HAS_SYSCALL_WRAPPER", "bool", "0 T sys_bpf\n", "4.19.0-rc1", false, 1 },
	{ "LINUX_HAS_SYSCALL_WRAPPER", "bool", "", "odd", false, -1,
	  { ENOENT, ".relperf_event[0]", "'LINUX_HAS_SYSCALL_WRAPPER' is not available",
	    "mount /proc" } },
#endif
	{ "LINUX_HAS_BPF_COOKIE", "bool", "", NULL, false, 1 },
	{ "LINUX_HAS_BPF_COOKIE", "s4", "", NULL, true, 0 },
	{ "LINUX_KERNEL_VERSION", "bool", "", NULL, false, -1,
	  { EINVAL, ".relperf_event[0]", "LINUX_KERNEL_VERSION is '", "an integer" } },
	{ "LINUX_KERNEL_VERSION", "u4", NULL, NULL, false, -1,
	  { ENOENT, ".relperf_event[0]", "'LINUX_KERNEL_VERSION' is not available",
	    "mount /proc" } },
	{ "LINUX_HAS_SYSCALL_WRAPPER", "bool", NULL, NULL, false, -1,
	  { ENOENT, ".relperf_event[0]", "'LINUX_HAS_SYSCALL_WRAPPER' is not available",
	    "mount /proc" } },
	{ "LINUX_IS_NEW", "bool", "", NULL, false, -1,
	  { ENOENT, ".relperf_event[0]", "'LINUX_IS_NEW' is not supported", "LINUX_KERNEL_VERSION" } },
	{ "HZ", "u4", "", NULL, false, -1,
	  { ENOENT, ".relperf_event[0]", "'HZ' is not supported", "CONFIG_*" } },
};

TEST_ROWS(measured_values, measured)
{
	const struct fake_path files[] = {
		{ KALLSYMS, measured[_i].kallsyms, 0, measured[_i].kallsyms ? 0 : ENOENT },
		{ measured[_i].kallsyms ? "/proc/sys/kernel/osrelease" : NULL,
		  measured[_i].release ? measured[_i].release : "6.1.2", 0, 0 },
		{ NULL, NULL, 0, 0 },
	};
	int ret;

	declare(".kconfig", measured[_i].name, measured[_i].type, STB_GLOBAL);
	parse();
	f.kernel = fake_kernel_new(files);
	if (measured[_i].no_cookie)
		fake_kernel_reject(f.kernel, NULL, EINVAL, "");
	kernel_types_init(&f.types, fake_kernel_sys(f.kernel), NULL);
	externs_init(&f.externs, fake_kernel_sys(f.kernel), &f.types, &f.s.obj, NULL);
	ret = externs_read_kconfig(&f.externs, &err);
	if (!ret)
		ret = relocate(&f.s.obj, find_one(), NULL, &f.code, &err);
	if (measured[_i].value < 0) {
		expect_error(measured[_i].name, ret, &err, &measured[_i].expect);
	} else {
		ck_assert_msg(!ret, "%s: %s", err.where, err.what);
		ck_assert_uint_eq(value_of_first(true) & 0xff, measured[_i].value);
	}
}

/*
 * LINUX_HAS_BPF_COOKIE is 0 if the attach method passes no cookies, whatever the kernel supports.
 */
TEST(cookies_by_no_link)
{
	static const struct fake_path files[] = { { NULL, NULL, 0, 0 } };

	declare(".kconfig", "LINUX_HAS_BPF_COOKIE", "bool", STB_GLOBAL);
	parse();
	f.kernel = fake_kernel_new(files);
	kernel_types_init(&f.types, fake_kernel_sys(f.kernel), NULL);
	externs_init(&f.externs, fake_kernel_sys(f.kernel), &f.types, &f.s.obj, NULL);
	f.externs.no_cookies = true;
	ck_assert_int_eq(externs_read_kconfig(&f.externs, &err), 0);
	ck_assert_uint_eq(value_of_first(true), 0);
	ck_assert_uint_eq(fake_kernel_count(f.kernel, "BPF_PROG_LOAD"), 0);
}

/* --- symbols --- */

#define SOME "0000000000000000 A fixed_percpu_data\nffffffff81000010 T one_thing\nffffffffc0000020 t of_module\t[mod]\n" \
	     "ffffffff81000030 t twice\nffffffff81000040 t twice\n" \
	     "ffffffff81000050 t same\nffffffff81000050 T same\nnonsense\n" \
	     "ffffffff81000060 t static\nffffffff81000061 T static\nffffffff81000062 t static\n" \
	     "ffffffffc0000070 T exported\t[a]\nffffffffc0000080 T exported\t[b]\n"

static const struct {
	const char *name, *kallsyms;
	uint8_t bind;
	int error;
	int32_t addend;
	uint64_t address;
	struct expect expect;
} symbols[] = {
	{ "one_thing", SOME, STB_GLOBAL, 0, 0, 0xffffffff81000010 },
	{ "one_thing", SOME, STB_GLOBAL, 0, 8, 0xffffffff81000018 },
	{ "one_thing", SOME, STB_GLOBAL, 0, -16, 0xffffffff81000000 },
	{ "of_module", SOME, STB_GLOBAL, 0, 0, 0xffffffffc0000020 },
	{ "same", SOME, STB_WEAK, 0, 0, 0xffffffff81000050 },
	{ "static", SOME, STB_GLOBAL, 0, 0, 0xffffffff81000061 },
	{ "exported", SOME, STB_GLOBAL, 0, 0, 0,
	  { ENOTUNIQ, KALLSYMS, "several symbols are named 'exported'", "nearby" } },
	{ "fixed_percpu_data", SOME, STB_GLOBAL, 0, 0, 0 },
	{ "none", SOME, STB_WEAK, 0, 0, 0 },
	{ "none", SOME, STB_WEAK, 0, 8, 0 },
	{ "twice", SOME, STB_WEAK, 0, 0, 0,
	  { ENOTUNIQ, ".relperf_event[0] at 0x0: " KALLSYMS, "several symbols are named 'twice'",
	    "nearby" } },
	{ "one_think", SOME, STB_GLOBAL, 0, 0, 0,
	  { ENOENT, KALLSYMS, "no symbol 'one_think'", "did you mean 'one_thing'?" } },
	{ "far_from_all", SOME, STB_GLOBAL, 0, 0, 0,
	  { ENOENT, KALLSYMS, "no symbol 'far_from_all'", "__weak" } },
	{ "hidden", "0000000000000000 T hidden\n0000000000000000 T _text\n", STB_GLOBAL, 0, 0, 0,
	  { EPERM, KALLSYMS, "hides addresses", "kptr_restrict", "externs/hidden-addresses" } },
	{ "one_thing", "", STB_GLOBAL, EACCES, 0, 0,
	  { EACCES, KALLSYMS, "denied", NULL, "types/kallsyms" } },
};

TEST_ROWS(addresses_by_name, symbols)
{
	const struct fake_path files[] = {
		{ KALLSYMS, symbols[_i].kallsyms, 0, symbols[_i].error }, { NULL, NULL, 0, 0 },
	};
	int ret;

	declare(".ksyms", symbols[_i].name, "void", symbols[_i].bind);
	sample_imm(&f.s, f.s.prog, 0, symbols[_i].addend);
	ret = link_one(files, NULL);
	if (symbols[_i].expect.code) {
		expect_error(symbols[_i].name, ret, &err, &symbols[_i].expect);
	} else {
		ck_assert_msg(!ret, "%s: %s", err.where, err.what);
		ck_assert_uint_eq(f.code.insns[0].src_reg, 0);
		ck_assert_uint_eq((uint32_t)f.code.insns[0].imm, (uint32_t)symbols[_i].address);
		ck_assert_uint_eq((uint32_t)f.code.insns[1].imm, symbols[_i].address >> 32);
	}
}

static const struct {
	const char *first;	/* line */
	bool whole;		/* all of the file is read */
} reads[] = {
	{ "ffffffff81000010 T one_thing\n", false },
	/* Another static one may follow. */
	{ "ffffffff81000010 t one_thing\n", true },
	{ "ffffffffc0000010 T one_thing\t[mod]\n", true },
	/* All others may be 0, too. */
	{ "0000000000000000 T one_thing\n", true },
};

/* The kernel prints the lines as they are read, which takes it most of the time. */
TEST_ROWS(read_up_to_the_last_one, reads)
{
	enum { NR = 1000, LINE = 40 };
	char *text = malloc((NR + 1) * LINE), *p = text;
	const struct fake_path files[] = { { KALLSYMS, text, 0, 0 }, { NULL, NULL, 0, 0 } };

	p += sprintf(p, "%s", reads[_i].first);
	for (unsigned int i = 0; i < NR; i++)
		p += sprintf(p, "%016x t f%u\n", i == NR - 1, i);
	declare(".ksyms", "one_thing", "void", STB_GLOBAL);
	ck_assert_msg(!link_one(files, NULL), "%s: %s", err.where, err.what);
	if (reads[_i].whole)
		ck_assert_uint_ge(fake_kernel_count(f.kernel, "read"), (p - text) / 8192);
	else
		ck_assert_uint_eq(fake_kernel_count(f.kernel, "read"), 1);
	free(text);
}

/* Each guess reads all symbols: an object of a thousand programs gets no thousand of them. */
TEST(guesses_end)
{
	static const struct fake_path files[] = { { KALLSYMS, SOME, 0, 0 }, { NULL, NULL, 0, 0 } };
	int ret;

	declare(".ksyms", "one_think", "void", STB_GLOBAL);
	ret = link_one(files, NULL);
	for (unsigned int i = 0; i < 6; i++) {
		ck_assert_int_eq(ret, -ENOENT);
		ck_assert_int_eq(!strncmp(err.hint, "did you mean", strlen("did you mean")), i < 4);
		error_clear(&err);
		ret = relocate(&f.s.obj, find_one(), NULL, &f.code, &err);
	}
	error_clear(&err);
}

/*
 * Nothing declares them: a load is of a symbol, a call of a function, and both of a function too.
 */
TEST(without_btf_the_instruction_says)
{
	static const struct fake_path files[] = { { KALLSYMS, SOME, 0, 0 }, { NULL, NULL, 0, 0 } };

	f.symbol = eb_symbol(&f.s.elf, "one_thing", SHN_UNDEF, 0, 0, STB_GLOBAL, STT_NOTYPE);
	sample_reloc(&f.s, RELOC_HITS, 0, R_BPF_64_64, f.symbol);
	f.s.btf.nr_types = 0;
	ck_assert_msg(!link_one(files, NULL), "%s: %s", err.where, err.what);
	ck_assert_uint_eq((uint32_t)f.code.insns[0].imm, 0x81000010);
}

TEST(without_btf_what_is_also_called_is_a_function)
{
	f.symbol = eb_symbol(&f.s.elf, "bpf_f", SHN_UNDEF, 0, 0, STB_GLOBAL, STT_NOTYPE);
	sample_reloc(&f.s, RELOC_HITS, 0, R_BPF_64_64, f.symbol);
	sample_reloc(&f.s, RELOC_MID, 4 * 8, R_BPF_64_32, f.symbol);
	f.s.btf.nr_types = 0;
	parse();
	ck_assert_uint_eq(f.s.obj.nr_externs, 1);
	ck_assert_int_eq(f.s.obj.externs[0].kind, OBJECT_EXTERN_KFUNC);
}

/* A linker merges symbols of one name. Without one an object has two, which are the same extern. */
TEST_EACH(two_symbols_of_one_name, 8)
{
	static const struct fake_path files[] = { { KALLSYMS, SOME, 0, 0 }, { NULL, NULL, 0, 0 } };
	const bool with_btf = _i & 1, weak = _i & 2, second_weak = _i & 4;
	uint32_t second;

	if (with_btf)
		declare(".ksyms", "one_thing", "void", weak ? STB_WEAK : STB_GLOBAL);
	else
		f.symbol = eb_symbol(&f.s.elf, "one_thing", SHN_UNDEF, 0, 0,
				     weak ? STB_WEAK : STB_GLOBAL, STT_NOTYPE);
	second = eb_symbol(&f.s.elf, "one_thing", SHN_UNDEF, 0, 0,
			   second_weak ? STB_WEAK : STB_GLOBAL, STT_NOTYPE);
	sample_reloc(&f.s, RELOC_HITS, 0, R_BPF_64_64, f.symbol);
	sample_reloc(&f.s, RELOC_DATA, 2 * 8, R_BPF_64_64, second);
	sample_imm(&f.s, f.s.prog, 2, 0);
	if (!with_btf)
		f.s.btf.nr_types = 0;
	ck_assert_msg(!link_one(files, NULL), "%s: %s", err.where, err.what);
	ck_assert_uint_eq(f.s.obj.nr_externs, 1);
	ck_assert_int_eq(f.s.obj.externs[0].weak, weak && second_weak);
	ck_assert_uint_eq((uint32_t)f.code.insns[0].imm, 0x81000010);
	ck_assert_uint_eq((uint32_t)f.code.insns[2].imm, 0x81000010);
}

/* --- variables and functions, by the kernel's types --- */

/* vmlinux: int kvar; int kfunc(int); int other(void). A module: int modvar; int modfunc(int). */
static void make_vmlinux(uint32_t *kvar, uint32_t *kfunc)
{
	struct btf_builder b = { .layouts = f.layouts }, m = { 0 };
	uint32_t number = bb_int(&b, "int", 4, BTF_INT_SIGNED), proto;

	*kvar = bb_var(&b, "kvar", number, BTF_VAR_GLOBAL_ALLOCATED);
	proto = bb_proto(&b, number);
	bb_param(&b, "x", number);
	*kfunc = bb_func(&b, "kfunc", proto, BTF_FUNC_STATIC);
	bb_func(&b, "other", bb_proto(&b, number), BTF_FUNC_STATIC);
	if (f.layouts)
		bb_newer(&b, "kvar", 1);
	bb_split(&m, &b);
	if (f.layouts)
		bb_newer(&m, "modvar", 0);
	bb_var(&m, "modvar", number, BTF_VAR_GLOBAL_ALLOCATED);
	bb_func(&m, "modfunc", proto, BTF_FUNC_STATIC);
	f.vmlinux = bb_btf(&b);
	f.module = bb_btf(&m);
	bb_free(&b);
	bb_free(&m);
}

static int link_typed(void)
{
	const struct fake_path files[] = {
		{ "/sys/kernel/btf/vmlinux", f.vmlinux.data, f.vmlinux.size, 0 },
		{ NULL, NULL, 0, 0 },
	};

	return link_one(files, NULL);
}

TEST_EACH(variables_by_type, 2)
{
	uint32_t kvar, kfunc;

	f.layouts = _i;
	make_vmlinux(&kvar, &kfunc);
	declare(".ksyms", "kvar", "s4", STB_GLOBAL);
	ck_assert_msg(!link_typed(), "%s: %s", err.where, err.what);
	ck_assert_uint_eq(f.code.insns[0].src_reg, BPF_PSEUDO_BTF_ID);
	ck_assert_int_eq(f.code.insns[0].imm, kvar);
	ck_assert_int_eq(f.code.insns[1].imm, 0);
}

TEST_EACH(functions_by_prototype, 2)
{
	static const char *const names[] = { "kfunc", "kfunc___old" };
	uint32_t kvar, kfunc;

	make_vmlinux(&kvar, &kfunc);
	declare_func(names[_i], STB_GLOBAL);
	ck_assert_msg(!link_typed(), "%s: %s", err.where, err.what);
	ck_assert_uint_eq(f.code.insns[4].src_reg, BPF_PSEUDO_KFUNC_CALL);
	ck_assert_int_eq(f.code.insns[4].imm, kfunc);
	ck_assert_int_eq(f.code.insns[4].off, 0);
	ck_assert_uint_eq(f.code.nr_fds, 0);
}

/*
 * Calls name a module by its place in an array of descriptors, from 1 on; loads by the descriptor.
 */
TEST(functions_of_modules)
{
	uint32_t kvar, kfunc, func, there;

	make_vmlinux(&kvar, &kfunc);
	func = declare_func("modfunc", STB_GLOBAL);
	sample_reloc(&f.s, RELOC_LEAF, 5 * 8, R_BPF_64_32, f.symbol);
	sample_reloc(&f.s, RELOC_HITS, 0, R_BPF_64_64, f.symbol);
	ck_assert_msg(!link_typed(), "%s: %s", err.where, err.what);
	ck_assert_uint_eq(f.s.obj.externs[0].type, btf_type(&f.s.obj.btf, func).type);
	there = btf_find(kernel_types_btf(&f.types, 0), BTF_KIND_FUNC, "modfunc");
	ck_assert_uint_gt(there, kfunc);
	ck_assert_uint_eq(f.code.nr_fds, 2);
	ck_assert_int_eq(f.code.fd_array[1], kernel_types_module_fd(&f.types, 0, &err));
	for (int i = 4; i < 6; i++) {
		ck_assert_uint_eq(f.code.insns[i].src_reg, BPF_PSEUDO_KFUNC_CALL);
		ck_assert_int_eq(f.code.insns[i].off, 1);
		ck_assert_int_eq(f.code.insns[i].imm, there);
	}
	ck_assert_uint_eq(f.code.insns[0].src_reg, BPF_PSEUDO_BTF_ID);
	ck_assert_int_eq(f.code.insns[1].imm, f.code.fd_array[1]);
}

/*
 * A kernel without addresses of functions in ldimm64 gets the number 1 instead, which is not NULL.
 */
TEST(addresses_of_functions_in_old_kernels)
{
	uint32_t kvar, kfunc;

	make_vmlinux(&kvar, &kfunc);
	declare_func("kfunc", STB_WEAK);
	sample_reloc(&f.s, RELOC_HITS, 0, R_BPF_64_64, f.symbol);
	ck_assert_msg(!link_typed(), "%s: %s", err.where, err.what);
	ck_assert_uint_eq(f.code.insns[0].src_reg, BPF_PSEUDO_BTF_ID);
	ck_assert_int_eq(f.code.insns[0].imm, kfunc);
	error_set(&err, EINVAL, "refused");
	ck_assert(!externs_try_compat(&f.externs, &err));
	error_log(&err, strdup("pseudo btf_id 9 in ldimm64 isn't KIND_VAR.\n"));
	ck_assert(externs_try_compat(&f.externs, &err));
	ck_assert(!err.log && !err.code);
	ck_assert(!externs_try_compat(&f.externs, &err));
	prog_code_free(&f.code);
	ck_assert_int_eq(relocate(&f.s.obj, find_one(), NULL, &f.code, &err), 0);
	ck_assert_uint_eq(f.code.insns[0].src_reg, 0);
	ck_assert_int_eq(f.code.insns[0].imm, 1);
	ck_assert_uint_eq(f.code.insns[4].src_reg, BPF_PSEUDO_KFUNC_CALL);
}

/* Missing, and one of another prototype: a call that the verifier refuses, if it gets there. */
TEST_EACH(weak_function_is_poison, 2)
{
	static const char *const names[] = { "nowhere", "other" };
	uint32_t kvar, kfunc;
	char log[200];

	make_vmlinux(&kvar, &kfunc);
	declare_func(names[_i], STB_WEAK);
	ck_assert_msg(!link_typed(), "%s: %s", err.where, err.what);
	ck_assert_uint_eq(f.code.insns[4].src_reg, 0);
	ck_assert_int_eq(f.code.insns[4].imm, EXTERN_POISON);
	/* The diagnosis since Linux 7.3 shows the instructions around it, too. */
	snprintf(log, sizeof(log),
		 "4: (85) call unknown#%d\ninvalid func\n\nVerification failed: Policy\n\nAt:\n"
		 "  >>> 4 | (85) call unknown#%d\n      5 | (85) call unknown#6\n",
		 EXTERN_POISON, EXTERN_POISON);
	error_set(&err, EINVAL, "refused");
	error_log(&err, strdup(log));
	externs_explain(&f.externs, &err);
	ck_assert_msg(strstr(err.hint, names[_i]) && strstr(err.hint, "bpf_ksym_exists"), "%s",
		      err.hint);
	error_clear(&err);
}

/*
 * The answers of kernels that do not support calls of kernel functions (kfuncs), or of those in
 * modules, and the reason that pload derives, if any.
 */
static const struct {
	const char *name, *log;
	int code;
	const char *reason, *hint;
} old_kernels[] = {
	{ "modfunc", NULL, E2BIG, "externs/not-supported", "calls to module functions: Linux 5.16 or later" },
	{ "modfunc", "BPF_CALL uses reserved fields\n", EINVAL, "externs/not-supported",
	  "calls to module functions: Linux 5.16 or later" },
	{ "kfunc", "BPF_CALL uses reserved fields\n", EINVAL, "externs/not-supported",
	  "kernel functions: Linux 5.13" },
	{ "kfunc", NULL, E2BIG, NULL, "" },
	{ "kfunc", "R0 !read_ok\n", EACCES, NULL, "" },
};

TEST_ROWS(kernels_without_such_calls, old_kernels)
{
	uint32_t kvar, kfunc;

	make_vmlinux(&kvar, &kfunc);
	declare_func(old_kernels[_i].name, STB_GLOBAL);
	ck_assert_msg(!link_typed(), "%s: %s", err.where, err.what);
	error_set(&err, old_kernels[_i].code, "refused");
	if (old_kernels[_i].log)
		error_log(&err, strdup(old_kernels[_i].log));
	externs_explain(&f.externs, &err);
	ck_assert_pstr_eq(err.reason, old_kernels[_i].reason);
	ck_assert_msg(strstr(err.hint, old_kernels[_i].hint) != NULL, "%s", err.hint);
	error_clear(&err);
}

static void strong_missing(void) { declare_func("nowhere", STB_GLOBAL); }
static void other_proto(void) { declare_func("other", STB_GLOBAL); }
static void variable_missing(void) { declare(".ksyms", "nowhere", "s4", STB_GLOBAL); }
static void function_as_variable(void) { declare(".ksyms", "kfunc", "s4", STB_GLOBAL); }
static void other_type(void) { declare(".ksyms", "kvar", "text4", STB_WEAK); }

static void inside(void)
{
	declare(".ksyms", "kvar", "s4", STB_GLOBAL);
	sample_imm(&f.s, f.s.prog, 0, 4);
}

static const struct {
	void (*change)(void);
	struct expect expect;
} typed[] = {
	{ strong_missing,
	  { ENOENT, ".relperf_event[2] at 0x20", "no function 'nowhere'", "bpf_ksym_exists",
	    "externs/missing" } },
	{ other_proto,
	  { EINVAL, ".relperf_event[2]",
	    "declared 'int other(int)', but the kernel has 'int " "other(void)'",
	    "as the kernel" } },
	{ variable_missing,
	  { ENOENT, ".relperf_event[0]", "no variable 'nowhere'", "const void nowhere" } },
	{ function_as_variable,
	  { ENOENT, ".relperf_event[0]", "no variable 'kfunc'", "const void kfunc" } },
	{ other_type,
	  { EINVAL, ".relperf_event[0]",
	    "declared 'char kvar[4]', but the kernel has 'int kvar'", NULL, "externs/type" } },
	{ inside, { ENOTSUP, ".relperf_event[0]", "4 bytes after the start of 'kvar'", "offset" } },
};

TEST_ROWS(what_the_types_lack, typed)
{
	uint32_t kvar, kfunc;

	make_vmlinux(&kvar, &kfunc);
	typed[_i].change();
	expect_error("typed", link_typed(), &err, &typed[_i].expect);
}

/* --- the BTF that is loaded --- */

/*
 * The BTF of externs becomes one that btf_datasec_resolve() and btf_func_check() of the kernel
 * accept.
 */
TEST_EACH(types_become_what_the_kernel_takes, 2)
{
	struct btf_type_view sec, var, proto;
	const struct btf *btf;
	uint32_t func, param, symbol;

	f.s.btf.layouts = _i;
	symbol = bb_var(&f.s.btf, "sym", add_type(&f.s.btf, "void"), BTF_VAR_GLOBAL_EXTERN);
	func = declare_func("kfunc", STB_GLOBAL);
	bb_datasec_var(&f.s.btf, symbol, 0, 0);
	parse();
	btf = &f.s.obj.btf;
	sec = btf_type(btf, btf_find(btf, BTF_KIND_DATASEC, ".ksyms"));
	ck_assert_uint_eq(sec.size, 8 * sec.vlen);
	for (uint32_t i = 0; i < sec.vlen; i++) {
		struct btf_var_view v = btf_datasec_var(btf, &sec, i);

		var = btf_type(btf, v.type);
		ck_assert_uint_eq(var.kind, BTF_KIND_VAR);
		ck_assert_uint_eq(var.extra, BTF_VAR_GLOBAL_ALLOCATED);
		ck_assert_uint_eq(v.offset, 8 * i);
		ck_assert_uint_eq(v.size, 8);
		ck_assert_int_eq(btf_size(btf, var.type), 8);
	}
	ck_assert_uint_eq(btf_type(btf, func).extra, BTF_FUNC_STATIC);
	proto = btf_type(btf, btf_type(btf, func).type);
	param = bytes_u32(btf->types, btf->offsets[proto.id] + sizeof(struct btf_type), btf->swap);
	ck_assert_str_eq(btf_string(btf, param), "kfunc");
	ck_assert_uint_eq(btf->layouts.size != 0, _i);
}

/* Each value lies at a multiple of its size. */
TEST(config_values_are_aligned)
{
	static const char *const types[] = { "bool", "u8", "u1", "u2", "text3", "tristate" };
	static const uint32_t offsets[] = { 0, 8, 16, 18, 20, 24 }, sizes[] = { 1, 8, 1, 2, 3, 4 };
	static const char *const names[] = { "CONFIG_A", "CONFIG_B", "CONFIG_C", "CONFIG_D", "CONFIG_E",
					     "CONFIG_F" };
	const struct object_map *map;
	uint32_t vars[6], id;
	struct btf_type_view sec;

	for (int i = 0; i < 6; i++) {
		vars[i] = bb_var(&f.s.btf, names[i], add_type(&f.s.btf, types[i]),
				 BTF_VAR_GLOBAL_EXTERN);
		eb_symbol(&f.s.elf, names[i], SHN_UNDEF, 0, 0, STB_GLOBAL, STT_NOTYPE);
	}
	id = bb_datasec(&f.s.btf, ".kconfig", 0);
	for (int i = 0; i < 6; i++)
		bb_datasec_var(&f.s.btf, vars[i], 0, 0);
	parse();
	sec = btf_type(&f.s.obj.btf, id);
	ck_assert_uint_eq(sec.size, 28);
	ck_assert_uint_eq(f.s.obj.nr_externs, 6);
	for (int i = 0; i < 6; i++) {
		ck_assert_uint_eq(btf_datasec_var(&f.s.obj.btf, &sec, i).offset, offsets[i]);
		ck_assert_uint_eq(f.s.obj.externs[i].offset, offsets[i]);
		ck_assert_uint_eq(f.s.obj.externs[i].size, sizes[i]);
	}
	for (map = f.s.obj.maps; strcmp(map->name, ".kconfig"); map++)
		;
	ck_assert_uint_eq(map->value_size, 28);
	ck_assert_uint_eq(map->map_flags, BPF_F_MMAPABLE | BPF_F_RDONLY_PROG);
	ck_assert(map->read_only);
}

/* --- declarations that are not externs --- */

static void no_size(void) { declare(".kconfig", "CONFIG_V", "void", STB_GLOBAL); }
static void too_large(void) { declare(".kconfig", "CONFIG_V", "text1048577", STB_GLOBAL); }

static void call_config(void)
{
	declare(".kconfig", "CONFIG_V", "u4", STB_GLOBAL);
	sample_reloc(&f.s, RELOC_MID, 4 * 8, R_BPF_64_32, f.symbol);
}

static void behind(void)
{
	declare(".kconfig", "CONFIG_V", "u4", STB_GLOBAL);
	sample_imm(&f.s, f.s.prog, 0, 4);
}

/* The sizes of all values have a limit together; a size that equals the limit is accepted. */
static void declare_two(const char *first, const char *second)
{
	uint32_t vars[2];

	vars[0] = bb_var(&f.s.btf, "CONFIG_A", add_type(&f.s.btf, first), BTF_VAR_GLOBAL_EXTERN);
	vars[1] = bb_var(&f.s.btf, "CONFIG_V", add_type(&f.s.btf, second), BTF_VAR_GLOBAL_EXTERN);
	bb_datasec(&f.s.btf, ".kconfig", 0);
	for (int i = 0; i < 2; i++)
		bb_datasec_var(&f.s.btf, vars[i], 0, 0);
}

static void too_large_together(void) { declare_two("text1048575", "u2"); }

TEST(config_values_as_large_as_the_limit)
{
	uint32_t size = 0;

	declare_two("text1048575", "u1");
	parse();
	for (uint32_t i = 0; i < f.s.obj.nr_maps; i++)
		size = strcmp(f.s.obj.maps[i].name, ".kconfig") ? size : f.s.obj.maps[i].value_size;
	ck_assert_uint_eq(size, 1048576);
}

static const struct {
	void (*change)(void);
	struct expect expect;
} broken[] = {
	{ no_size, { EBADMSG, "config value 'CONFIG_V'", "has no size", NULL, "object/extern" } },
	{ too_large, { EBADMSG, "config value 'CONFIG_V'", "too large" } },
	{ too_large_together, { EBADMSG, "config value 'CONFIG_V'", "too large" } },
};

TEST_ROWS(broken_externs, broken)
{
	broken[_i].change();
	expect_error("broken", sample_parse(&f.s, &err), &err, &broken[_i].expect);
}

/* A relocation is refused when a program that needs it is linked. */
static const struct {
	void (*change)(void);
	struct expect expect;
} misused[] = {
	{ call_config, { EBADMSG, ".relperf_event[2]", "a call to 'CONFIG_V'" } },
	{ behind, { EBADMSG, ".relperf_event[0]", "offset 4 is outside 'CONFIG_V' of 4 bytes", NULL } },
};

TEST_ROWS(misused_externs, misused)
{
	static const struct fake_path files[] = {
		{ CONFIG, "CONFIG_V=7\n", 0, 0 }, { NULL, NULL, 0, 0 },
	};

	misused[_i].change();
	expect_error("misused", link_one(files, NULL), &err, &misused[_i].expect);
}
