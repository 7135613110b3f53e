// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Options that several commands take: loading an object, --format, --trace and others. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/commands/commands.h"
#include "loader/core/print/message.h"

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
	char names[128] = "";

	for (const struct output_format *f = o->command->formats; f && f->name; f++) {
		if (!strcmp(f->name, text)) {
			o->format = f;
			return 0;
		}
	}
	o->format = output_format_find(text, err);
	if (o->format)
		return 0;
	for (const struct output_format *f = o->command->formats; f && f->name; f++) {
		const size_t len = strlen(names);

		if (strcmp(f->name, "text"))
			snprintf(names + len, sizeof(names) - len, ", %s", f->name);
	}
	return error_hint(err, "the formats are text, json%s", names);
}

static int set_trace(struct options *o, const char *text, struct error *err)
{
	static const char *const forms[] = {
		[TRACE_TEXT] = "text", [TRACE_INSNS] = "insns", [TRACE_CALLS] = "calls",
		[TRACE_JSON] = "json",
	};

	o->trace = true;
	for (size_t i = 0; text && i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (!strcmp(text, forms[i])) {
			o->trace_form = i;
			return 0;
		}
	}
	if (!text)
		return 0;
	error_set(err, EINVAL, "'%s' is not text, insns, calls or json", text);
	return error_where(err, "--trace");
}

static int set_help(struct options *o, const char *text, struct error *err)
{
	o->help = true;
	o->help_all = text;
	if (!text || !strcmp(text, "all"))
		return 0;
	error_set(err, EINVAL, "'%s' is not all", text);
	error_hint(err, "pload help %s prints the help of a command", text);
	return error_where(err, "--help");
}

static const struct option_row kernel_types_rows[] = {
	{ "core", 0, "=user|kernel",
	  "Who does the CO-RE relocations: pload (user, the default) or the kernel in "
	  "BPF_PROG_LOAD (Linux 5.17).",
	  OPTION_PARSED, 0, set_core, NULL },
	{ "btf", 0, "=FILE",
	  "Use the BTF in this file instead of the running kernel's: raw BTF, or an ELF file with "
	  "a .BTF section.",
	  OPTION_TEXT, OPTION_FIELD(load.btf), NULL, NULL },
	{ "kconfig", 0, "=FILE",
	  "Read CONFIG_* externs from this file (plain or gzip) instead of the running kernel's "
	  "configuration.",
	  OPTION_TEXT, OPTION_FIELD(load.kconfig), NULL, NULL },
	{ 0 },
};

const struct option_group options_kernel_types = { "Kernel types (CO-RE) and configuration",
						   kernel_types_rows };

static const struct option_row loading_rows[] = {
	{ "prog", 0, "=NAME",
	  "Load only this program, or all that match a pattern. May be repeated.",
	  OPTION_LIST, OPTION_FIELD(load.progs), NULL, NULL },
	{ "set", 0, "=NAME=VALUE",
	  "Set the initial value of a global variable, of a member (NAME.MEMBER) or of an array "
	  "element (NAME[3]). May be repeated.",
	  OPTION_LIST, OPTION_FIELD(load.sets), NULL, NULL },
	{ "map", 0, "=NAME.FIELD=N",
	  "Change max_entries, key_size, value_size, map_flags, map_extra or numa_node of a map. "
	  "NAME.pin=PATH pins the map in a bpffs; NAME.pin=none leaves it unpinned. May be "
	  "repeated.",
	  OPTION_LIST, OPTION_FIELD(load.maps), NULL, NULL },
	{ "pin-path", 0, "=DIR",
	  "Directory for maps that the object pins by name (default /sys/fs/bpf).",
	  OPTION_TEXT, OPTION_FIELD(load.pin_path), NULL, NULL },
	{ "target-prog", 0, "=PROG",
	  "Target program of freplace, fentry and fexit programs: its id, or the path of its pin.",
	  OPTION_TEXT, OPTION_FIELD(load.target_prog), NULL, NULL },
	{ 0 },
};

const struct option_group options_loading = { "Loading", loading_rows };

static void print_formats(FILE *out, const struct command *command)
{
	const char *help = command->formats ?
				   "Output format (default: text). html is a page for a browser." :
				   "Output format: text (the default) or JSON Lines.";
	char name[160];
	size_t n = snprintf(name, sizeof(name), "    --format=text|json");

	for (const struct output_format *f = command->formats; f && f->name; f++) {
		if (strcmp(f->name, "text") && n < sizeof(name))
			n += snprintf(name + n, sizeof(name) - n, "|%s", f->name);
		if (f->picture)
			help = "Output format (default: text). json prints JSON Lines; folded and "
			       "flamegraph (one HTML file) draw the call stacks.";
	}
	options_print_help(out, name, help);
}

static const struct option_row learning_rows[] = {
	{ "format", 0, "=text|json", NULL, OPTION_PARSED, 0, set_format, print_formats },
	{ "output", 'o', "=FILE",
	  "Write the output to FILE, which is created atomically once the output is complete. "
	  "Notes and errors still go to standard error.",
	  OPTION_TEXT, OPTION_FIELD(output), NULL, NULL },
	{ "trace", 0, "[=text|insns|calls|json]",
	  "Print each system call as it returns, decoded, with the stages of the session, the "
	  "reason for the call and the names of its descriptors. insns also prints the "
	  "instructions of programs; calls prints only the calls; json prints one object per call.",
	  OPTION_PARSED, 0, set_trace, NULL },
	{ "dry-run", 0, NULL,
	  "Print the system calls without making them: a simulated kernel answers. Needs no "
	  "privileges.",
	  OPTION_FLAG, OPTION_FIELD(dry_run), NULL, NULL },
	{ "verbose", 'v', NULL,
	  "On an error, print the refused call and the whole verifier log. pload load also prints "
	  "more about each program, pload compare the rows in which all methods agree.",
	  OPTION_FLAG, OPTION_FIELD(verbose), NULL, NULL },
	{ "help", 'h', "[=all]",
	  "Print this help. pload --help=all prints all options of a session.",
	  OPTION_PARSED, 0, set_help, NULL },
	{ "version", 0, NULL,
	  "Print the version.",
	  OPTION_FLAG, OPTION_FIELD(version), NULL, NULL },
	{ 0 },
};

const struct option_group options_learning = { "Output", learning_rows };
const struct option_group *const options_learning_only[] = { &options_learning, NULL };
