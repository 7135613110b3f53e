// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Each part that is left out when an object is loaded gets a note, once, with its first example. */
#include <stdlib.h>
#include <string.h>

#include "loader/objects/loading/loading.h"
#include "test/unit/common/suite.h"

static struct notes {
	struct loading l;
	struct output out;
	struct loading_types types;
	struct object_map maps[3];
	struct object_prog progs[3];
	struct kernel_map kernel_maps[3];
	struct kernel_prog kernel_progs[3];
	struct error btf_error;
	char text[2048];
} n;

static void keep(struct output *out, const char *text)
{
	(void)out;
	snprintf(n.text + strlen(n.text), sizeof(n.text) - strlen(n.text), "%s\n", text);
}

static void begin(void)
{
	static const char *const names[3] = { "first", "second", "third" };

	memset(&n, 0, sizeof(n));
	n.out.note = keep;
	n.l.out = &n.out;
	n.l.types = &n.types;
	n.l.object.maps = n.maps;
	n.l.object.progs = n.progs;
	n.l.object.nr_maps = n.l.object.nr_progs = 3;
	n.l.kernel.maps = n.kernel_maps;
	n.l.kernel.progs = n.kernel_progs;
	for (int i = 0; i < 3; i++)
		n.maps[i].name = n.progs[i].name = names[i];
}

TEST_FIXTURE(begin, NULL)

static void btf_is_wrong(void) { n.l.object.btf_error = &n.btf_error; }
static void btf_is_refused(void)
{
	static char text[] = "too deep";

	n.l.kernel.btf_refused = text;
}
static void no_functions(void) { n.l.kernel.btf_for_maps = true; }
static void steps(void) { n.l.kernel.btf_steps = 1u << 2 | 1u << 7; }
static void config(void) { n.l.externs.unknown = "CONFIG_HZ"; }
static void addresses(void) { n.l.externs.no_addresses = true; }
static void modules(void) { n.types.running.modules_denied = true; }

static void nothing_to_describe(void)
{
	btf_is_wrong();
	btf_is_refused();
	steps();
	n.l.object.nr_progs = 0;
}

static const struct {
	unsigned int map, prog;		/* left out of the second and the third */
	void (*also)(void);
	const char *note;		/* its beginning; NULL: there is none */
} rows[] = {
	{ 0, 0, NULL, NULL },
	{ 0, 0, nothing_to_describe, NULL },
	{ MAP_WITHOUT_MMAPABLE, 0, NULL,
	  "map 'second' and 1 more are created without BPF_F_MMAPABLE" },
	{ MAP_WITHOUT_FREEZE, 0, NULL, "map 'second' and 1 more are created without BPF_MAP_FREEZE" },
	{ MAP_WITHOUT_BTF, 0, NULL, "map 'second' and 1 more are created without types for" },
	{ MAP_WITHOUT_NAME, 0, NULL, "map 'second' and 1 more are created without a name" },
	{ 0, WITHOUT_BTF, NULL, "program 'second' and 1 more are loaded without func_info and" },
	{ 0, WITHOUT_RECORDS, NULL, "program 'second' and 1 more are loaded without func_info or" },
	{ 0, WITHOUT_TAGS, NULL, "program 'second' and 1 more are loaded without global functions" },
	{ 0, WITHOUT_FRAGS, NULL, "program 'second' and 1 more are loaded without BPF_F_XDP" },
	{ 0, WITHOUT_ATTACH_TYPE, NULL, "program 'second' and 1 more are loaded without expected" },
	{ 0, WITHOUT_NAME, NULL, "program 'second' and 1 more are loaded without their names" },
	{ 0, WITHOUT_RODATA, NULL, "program 'second' and 1 more are loaded without .rodata" },
	{ 0, 0, btf_is_wrong, "cannot read the object's BTF" },
	{ 0, 0, btf_is_refused, "BPF_BTF_LOAD: too deep: programs are loaded without" },
	{ 0, 0, no_functions, "BPF_BTF_LOAD: the kernel refused BTF for functions" },
	{ 0, 0, steps, "BPF_BTF_LOAD: the kernel refused the object's types, and accepted "
		       "them without 64-bit and signed enums (6.0), variables (5.2)\n" },
	{ 0, 0, config, "config value 'CONFIG_HZ' is 0" },
	{ 0, 0, addresses, "addresses of existing kernel functions are 1" },
	{ 0, 0, modules, "BPF_BTF_GET_NEXT_ID: EPERM: cannot read module types" },
};

TEST_ROWS(each_is_noted, rows)
{
	const char *note = rows[_i].note;

	for (int i = 1; i < 3; i++) {
		n.kernel_maps[i].without = rows[_i].map;
		n.kernel_progs[i].without = rows[_i].prog;
	}
	if (rows[_i].also)
		rows[_i].also();
	load_compat_notes.at[LOADING_LOADED](&n.l, NULL);
	if (!note) {
		ck_assert_str_eq(n.text, "");
		return;
	}
	ck_assert_msg(!strncmp(n.text, note, strlen(note)), "%s", n.text);
	ck_assert_ptr_eq(strchr(n.text, '\n') + 1, n.text + strlen(n.text));
}

/*
 * A note about one map or program does not print "more", and ignores the maps and programs that
 * were not created or loaded.
 */
TEST_EACH(one_of_them, 3)
{
	for (int i = 0; i < 3; i++) {
		n.kernel_maps[i].fd = n.kernel_progs[i].fd = i == _i ? 3 : -1;
		n.kernel_maps[i].without = MAP_WITHOUT_NAME;
	}
	load_compat_notes.at[LOADING_LOADED](&n.l, NULL);
	ck_assert_ptr_nonnull(strstr(n.text, "' is created without a name"));
	ck_assert_ptr_nonnull(strstr(n.text, n.maps[_i].name));
}

/* Types of modules are those of the kernel, whatever the number of objects. */
TEST(modules_are_noted_once)
{
	modules();
	load_compat_notes.at[LOADING_LOADED](&n.l, NULL);
	n.text[0] = '\0';
	load_compat_notes.at[LOADING_LOADED](&n.l, NULL);
	ck_assert_str_eq(n.text, "");
}
