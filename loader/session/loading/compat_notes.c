// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Note what was left out when programs were loaded: the object's BTF, or what this kernel lacks. */
#include "loader/session/load.h"

#define NO_LINES "verifier logs and bpftool show no source lines"

static const struct {
	unsigned int without;
	const char *text;
} notes[] = {
	{ WITHOUT_BTF, "func_info and line_info, which this kernel refuses: " NO_LINES },
	{ WITHOUT_FRAGS, "BPF_F_XDP_HAS_FRAGS, which came with Linux 5.18: before, no packet has "
			 "fragments" },
	{ WITHOUT_ATTACH_TYPE, "expected_attach_type, which came with Linux 4.17" },
	{ WITHOUT_NAME, "their names, which came with Linux 4.15" },
	{ WITHOUT_RODATA, "the .rodata that their code does not read, because BPF_PROG_BIND_MAP "
			  "failed: bpftool prog show prints no metadata" },
};

static void note_programs(const struct loading *l, unsigned int without, const char *text)
{
	const char *first = NULL;
	uint32_t nr = 0;

	for (uint32_t i = 0; i < l->object.nr_progs; i++) {
		if (l->kernel.progs[i].fd < 0 || !(l->kernel.progs[i].without & without))
			continue;
		first = first ? first : l->object.progs[i].name;
		nr++;
	}
	if (nr == 1)
		note(l->out, "program '%s' is loaded without %s", first, text);
	else if (nr)
		note(l->out, "program '%s' and %u more are loaded without %s", first, nr - 1, text);
}

void loading_note_compat(const struct loading *l)
{
	const struct error *why = l->object.btf_error;
	const struct kernel_object *k = &l->kernel;

	if (why && l->object.nr_progs)
		note(l->out,
		     "the object's BTF is not valid (%s: %s): it is loaded without types: "
		     NO_LINES,
		     why->where, why->what);
	if (k->btf_refused && l->object.nr_progs)
		note(l->out,
		     "BPF_BTF_LOAD: %s: programs are loaded without func_info and line_info, maps "
		     "without their types: " NO_LINES, k->btf_refused);
	else if (k->btf_for_maps && l->object.nr_progs)
		note(l->out, "this kernel has no BTF of functions: programs are loaded without "
		     "func_info and line_info: " NO_LINES);
	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
		note_programs(l, notes[i].without, notes[i].text);
}
