// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The names of maps and programs in the kernel, by which scripts written for libbpf find them. */
#include "loader/core/kernel/steps.h"
#include "test/unit/common/suite.h"

static const struct {
	const char *path, *section, *name;
} sections[] = {
	{ "ip_count.bpf.o", ".bss", "ip_count.bss" },
	{ "dir.d/count_of_all.o", ".bss", "count_of.bss" },
	{ "/a/count_of_all.o", ".data", "count_of.data" },
	{ "count_of_all.o", ".rodata", "count_of.rodata" },
	{ "count_of_all.o", ".kconfig", "count_o.kconfig" },
	{ "a.o", ".kconfig", "a.kconfig" },
	{ "a-b.o", ".rodata", "a_b.rodata" },
	{ "count.o", ".data.x", ".data.x" },
	{ "count.o", ".rodata.str1.1", ".rodata.str1.1" },
	{ "count.o", ".rodata.abracadabra", ".rodata.abracad" },
	{ "count.o", ".bss_of_sixteen_", ".bss_of_sixteen" },
};

TEST_ROWS(data_sections, sections)
{
	char name[BPF_OBJ_NAME_LEN];

	kernel_data_name(name, sections[_i].path, sections[_i].section);
	ck_assert_str_eq(name, sections[_i].name);
}

TEST(others)
{
	char name[BPF_OBJ_NAME_LEN];

	kernel_name(name, "on_exec");
	ck_assert_str_eq(name, "on_exec");
	kernel_name(name, "of.sixteen-chars");
	ck_assert_str_eq(name, "of.sixteen_char");
	kernel_name(name, "");
	ck_assert_str_eq(name, "");
}
