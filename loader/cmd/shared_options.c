// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The options that several commands take: loading an object, --format, --trace ... */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/cmd/command.h"
#include "loader/output/message.h"

static int set_core(struct options *o, const char *text, struct error *err)
{
	o->load.core_by_kernel = !strcmp(text, "kernel");
	if (o->load.core_by_kernel || !strcmp(text, "user"))
		return 0;
	error_set(err, EINVAL, "'%s' is neither user nor kernel", text);
	return error_where(err, "--core");
}

static int set_format(struct options *o, const char *text, struct error *err)
{
	for (const struct output_format *f = o->command->formats; f && f->name; f++) {
		if (!strcmp(f->name, text)) {
			o->format = f;
			return 0;
		}
	}
	o->format = output_format_find(text, err);
	if (!o->format && o->command->formats)
		error_hint(err, "pload %s --help has the formats", o->command->name);
	return o->format ? 0 : -EINVAL;
}

static const struct option_row kernel_types_rows[] = {
	{ "core", 0, "=user|kernel",
	  "who finds fields and values: pload (default), or BPF_PROG_LOAD (Linux 5.17)",
	  OPTION_PARSED, 0, set_core, NULL },
	{ "btf", 0, "=FILE",
	  "in this BTF and not the running kernel's: raw, or an ELF file that has it", OPTION_TEXT,
	  OPTION_FIELD(load.btf), NULL, NULL },
	{ "kconfig", 0, "=FILE",
	  "CONFIG_* externs of this file and not the running kernel's: plain, or gzip", OPTION_TEXT,
	  OPTION_FIELD(load.kconfig), NULL, NULL },
	{ 0 },
};

const struct option_group options_kernel_types = { "Types (CO-RE) and configuration of the kernel",
						   kernel_types_rows };

static const struct option_row loading_rows[] = {
	{ "prog", 0, "=NAME", "load this program only; or a pattern (may be repeated)",
	  OPTION_LIST, OPTION_FIELD(load.progs), NULL, NULL },
	{ "set", 0, "=NAME=VALUE",
	  "what a variable begins with; also NAME.MEMBER and NAME[3] (may be repeated)",
	  OPTION_LIST, OPTION_FIELD(load.sets), NULL, NULL },
	{ "map", 0, "=NAME.FIELD=N",
	  "change max_entries, key_size, value_size, map_flags, map_extra, numa_node of a map;\n"
	  "NAME.pin=PATH keeps it in bpffs, NAME.pin=none does not (may be repeated)",
	  OPTION_LIST, OPTION_FIELD(load.maps), NULL, NULL },
	{ "pin-path", 0, "=DIR",
	  "where maps are kept that are pinned by name (default /sys/fs/bpf)", OPTION_TEXT,
	  OPTION_FIELD(load.pin_path), NULL, NULL },
	{ "target-prog", 0, "=PROG",
	  "the program that freplace, fentry and fexit are for: its id, or its pin",
	  OPTION_TEXT, OPTION_FIELD(load.target_prog), NULL, NULL },
	{ "license", 0, "=TEXT", "for an object that has none", OPTION_TEXT,
	  OPTION_FIELD(load.license), NULL, NULL },
	{ 0 },
};

const struct option_group options_loading = { "Loading", loading_rows };

static const struct option_row learning_rows[] = {
	{ "format", 0, "=text|json", "text, or JSON Lines", OPTION_PARSED, 0, set_format, NULL },
	{ "trace", 0, NULL, "print each system call as it is made, decoded", OPTION_FLAG,
	  OPTION_FIELD(trace), NULL, NULL },
	{ "dry-run", 0, NULL, "the same with no kernel and no privilege", OPTION_FLAG,
	  OPTION_FIELD(dry_run), NULL, NULL },
	{ "verbose", 'v', NULL,
	  "the whole verifier log when a program is refused; with load, more of each", OPTION_FLAG,
	  OPTION_FIELD(verbose), NULL, NULL },
	{ "help", 'h', NULL, "this", OPTION_FLAG, OPTION_FIELD(help), NULL, NULL },
	{ "version", 0, NULL, "which pload this is", OPTION_FLAG, OPTION_FIELD(version), NULL,
	  NULL },
	{ 0 },
};

const struct option_group options_learning = { "Output and learning", learning_rows };
