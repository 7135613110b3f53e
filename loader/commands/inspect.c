// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* pload inspect: print the contents of objects and how they are linked, without loading them. */
#include <errno.h>

#include "loader/commands/commands.h"
#include "loader/tools/inspect/inspect.h"

static int set_bytes(struct options *o, const char *value, struct error *err)
{
	(void)err;
	o->inspect.bytes = true;
	o->inspect.section = value;
	return 0;
}

static int set_insns(struct options *o, const char *value, struct error *err)
{
	(void)err;
	o->inspect.insns = true;
	o->inspect.prog = value;
	return 0;
}

static const struct option_row rows[] = {
	{ "sections", 0, NULL,
	  "Print the section headers.",
	  OPTION_FLAG, OPTION_FIELD(inspect.sections), NULL, NULL },
	{ "symbols", 0, NULL,
	  "Print the symbols.",
	  OPTION_FLAG, OPTION_FIELD(inspect.symbols), NULL, NULL },
	{ "relocs", 0, NULL,
	  "Print the relocations, each with its symbol, S and A.",
	  OPTION_FLAG, OPTION_FIELD(inspect.relocs), NULL, NULL },
	{ "bytes", 0, "[=SECTION]",
	  "Print the bytes of a section, or of the whole file, with the name of each field.",
	  OPTION_PARSED, 0, set_bytes, NULL },
	{ "insns", 0, "[=PROG]",
	  "Print the instructions of each program, or of PROG: as they are in the file and after "
	  "linking, with their C line and what changed them.",
	  OPTION_PARSED, 0, set_insns, NULL },
	{ "btf", 0, "=FILE",
	  "Link against the types in this file instead of the running kernel's. Types of a kernel "
	  "module (split BTF) extend them. May be repeated: --insns prints a column for each.",
	  OPTION_LIST, OPTION_FIELD(inspect.btfs), NULL, NULL },
	{ "types", 0, NULL,
	  "Print the types as C, in an order that compiles. OBJ may also be raw BTF, such as "
	  "/sys/kernel/btf/vmlinux.",
	  OPTION_FLAG, OPTION_FIELD(inspect.types), NULL, NULL },
	{ "log", 0, "=FILE",
	  "Print the program that the verifier log in this file is about: the verdict, the path to "
	  "it, and the registers before each instruction.",
	  OPTION_TEXT, OPTION_FIELD(inspect.log), NULL, NULL },
	{ 0 },
};

static const struct option_group group = { "What to print (default: an overview)", rows };
static const struct option_group *const groups[] = { &group, &options_learning, NULL };

static int check(struct options *o, struct error *err)
{
	if (!o->nr_objects) {
		error_set(err, EINVAL, "no object file given");
		return error_hint(err, "as in: pload inspect prog.o; a file called inspect is "
				       "./inspect");
	}
	if (o->nr_objects > 1 && o->format->records != RECORDS_AS_JSON && !o->format->digest) {
		error_set(err, EINVAL, "a page shows one object, but %u are given", o->nr_objects);
		return error_hint(err, "give one object with --format=%s", o->format->name);
	}
	return 0;
}

static int inspect_run(struct sys *sys, const struct options *o, struct output *out,
		       struct error *err)
{
	int ret = 0;

	for (unsigned int i = 0; !ret && i < o->nr_objects; i++)
		ret = inspect_file(sys, o, o->objects[i], out, err);
	return ret;
}

const struct command command_inspect = {
	.name = "inspect",
	.summary = "Show what is in an object and what linking changes, without loading it.",
	.arguments = "OBJ...",
	.about = "Print what kind of file it is, its programs and what they need, and what this\n"
		 "kernel would refuse. Needs no privileges. A damaged file is printed as far as\n"
		 "it can be read.\n",
	.examples =
		"    pload inspect prog.o                      # an overview\n"
		"    pload inspect --insns=hello prog.o        # before and after linking\n"
		"    pload inspect --bytes=.symtab prog.o      # each field next to its bytes\n"
		"    pload inspect --types /sys/kernel/btf/vmlinux >vmlinux.h\n"
		"    pload inspect --format=html -o prog.html prog.o\n",

	.groups = groups,
	.formats = inspect_formats,
	.check = check,
	.run = inspect_run,
};
