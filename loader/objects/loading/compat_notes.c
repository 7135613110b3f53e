// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Print notes about what was left out of maps and programs: the object's BTF, or what this kernel
 * lacks.
 */
#include <stdio.h>

#include "loader/objects/loading/loading.h"

#define NO_LINES "verifier logs and bpftool show no source lines"

static const struct row {
	unsigned int without;
	const char *text;
} of_programs[] = {
	{ WITHOUT_BTF, "func_info and line_info, which this kernel refused: " NO_LINES },
	{ WITHOUT_RECORDS, "func_info or line_info, which .BTF.ext lacks for some of their "
			   "functions: " NO_LINES },
	{ WITHOUT_TAGS, "global functions whose arguments this kernel does not understand, "
			"because of tags (Linux 6.8) or pointers into an arena: they are verified "
			"like static functions, with their actual arguments" },
	{ WITHOUT_FRAGS, "BPF_F_XDP_HAS_FRAGS, which needs Linux 5.18: on older kernels, packets "
			 "have no fragments" },
	{ WITHOUT_ATTACH_TYPE, "expected_attach_type, which needs Linux 4.17" },
	{ WITHOUT_NAME, "their names, which need Linux 4.15" },
	{ WITHOUT_RODATA, ".rodata that their code does not read, because BPF_PROG_BIND_MAP "
			  "failed: bpftool prog show prints no metadata" },
}, of_maps[] = {
	{ MAP_WITHOUT_MMAPABLE, "BPF_F_MMAPABLE, which needs Linux 5.5: processes cannot map its "
				"variables" },
	{ MAP_WITHOUT_FREEZE, "BPF_MAP_FREEZE, which needs Linux 5.2: processes can write to "
			      "read-only data" },
	{ MAP_WITHOUT_BTF, "types for key and value, which need Linux 4.18: bpftool shows their "
			   "bytes" },
	{ MAP_WITHOUT_NAME, "a name, which needs Linux 4.15, or with a dot 5.3" },
};

/* Return what program @i was loaded without, or map @i created; 0 if it was neither. */
static unsigned int without(const struct loading *l, bool maps, uint32_t i)
{
	const struct kernel_object *k = &l->kernel;

	if (maps)
		return k->maps[i].fd >= 0 ? k->maps[i].without : 0;
	return k->progs[i].fd >= 0 ? k->progs[i].without : 0;
}

static void note_without(const struct loading *l, bool maps, const struct row *row)
{
	const uint32_t end = maps ? l->object.nr_maps : l->object.nr_progs;
	const char *what = maps ? "map" : "program", *done = maps ? "created" : "loaded";
	const char *first = NULL;
	uint32_t nr = 0;

	for (uint32_t i = 0; i < end; i++) {
		if (!(without(l, maps, i) & row->without))
			continue;
		if (!nr++)
			first = maps ? l->object.maps[i].name : l->object.progs[i].name;
	}
	if (nr == 1)
		note(l->out, "%s '%s' is %s without %s", what, first, done, row->text);
	else if (nr)
		note(l->out, "%s '%s' and %u more are %s without %s", what, first, nr - 1, done,
		     row->text);
}

static void note_btf(const struct loading *l)
{
	const struct error *why = l->object.btf_error;
	const struct kernel_object *k = &l->kernel;
	const char *feature;
	char list[256] = "";
	int n = 0;

	if (why)
		note(l->out,
		     "cannot read the object's BTF (%s: %s): it is loaded without types: "
		     NO_LINES,
		     why->where, why->what);
	if (k->btf_refused)
		note(l->out,
		     "BPF_BTF_LOAD: %s: programs are loaded without func_info and line_info, maps "
		     "without their types: " NO_LINES, k->btf_refused);
	else if (k->btf_for_maps)
		note(l->out, "BPF_BTF_LOAD: the kernel refused BTF for functions: programs are "
			     "loaded without func_info and line_info: " NO_LINES);
	for (unsigned int i = 0; (feature = btf_compat_feature(i)); i++)
		if (k->btf_steps & 1u << i)
			n += snprintf(list + n, sizeof(list) - n, "%s%s", n ? ", " : "", feature);
	if (n)
		note(l->out, "BPF_BTF_LOAD: the kernel refused the object's types, and accepted "
			     "them without %s", list);
}

/* Print notes about what is unknown about the kernel and was assumed to be missing or 0. */
static void note_unknown(struct loading *l)
{
	struct kernel_types *types = &l->types->running;

	if (l->externs.unknown)
		note(l->out, "config value '%s' is 0, like every weak one that cannot be read; "
			     "use --kconfig=FILE with the kernel's configuration",
			     l->externs.unknown);
	if (l->externs.no_addresses)
		note(l->out, "addresses of existing kernel functions are 1: real addresses need "
			     "Linux 6.4");
	if (types->modules_denied)
		note(l->out, "BPF_BTF_GET_NEXT_ID: EPERM: cannot read module types without "
			     "CAP_SYS_ADMIN: whatever only a module has counts as missing");
	types->modules_denied = false;	/* once for all objects */
}

static int note_compat(struct loading *l, struct error *err)
{
	(void)err;
	if (l->object.nr_progs)
		note_btf(l);
	for (size_t i = 0; i < sizeof(of_maps) / sizeof(of_maps[0]); i++)
		note_without(l, true, &of_maps[i]);
	for (size_t i = 0; i < sizeof(of_programs) / sizeof(of_programs[0]); i++)
		note_without(l, false, &of_programs[i]);
	note_unknown(l);
	return 0;
}

const struct load_feature load_compat_notes = { .at = { [LOADING_LOADED] = note_compat } };
