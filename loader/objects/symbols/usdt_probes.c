// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find the locations of a USDT probe, their semaphores and their arguments. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/symbols/symbols_internal.h"
#include "loader/base/calls/processes.h"

/* The limit in <sys/sdt.h> and bpf_usdt_arg(). */
#define ARGS_MAX 12

static bool is_probe(const struct sdt_note *note, const struct event_spec *spec)
{
	return !strcmp(note->name, spec->uprobe.symbol) &&
	       (!strcmp(spec->uprobe.provider, "*") ||
		!strcmp(note->provider, spec->uprobe.provider));
}

/* Find the address of a variable. Several static ones with the same name are ambiguous. */
static bool find_variable(struct symbol_file *file, const char *name, uint32_t len,
			  uint64_t *address)
{
	const struct exec *x = &file->exec;
	struct exec_symbol s;
	bool found = false;

	for (unsigned int t = 0; t < NR_SYMBOL_TABLES; t++) {
		const struct exec_table *table = symbol_table(x, t);

		for (uint32_t i = 1; i < table->nr; i++) {
			if (!exec_symbol(x, table, i, &s) || s.section == SHN_UNDEF ||
			    s.type == STT_TLS || s.name_len != len || memcmp(s.name, name, len))
				continue;
			if (found && *address != s.value)
				return false;
			*address = s.value;
			found = true;
		}
	}
	return found;
}

static int read_args(struct symbol_file *file, const struct sdt_note *note,
		     struct symbol_location *location, struct error *err)
{
	const char *text = note->args;
	struct sdt_arg arg;
	uint64_t address = 0;

	while (sdt_arg_next(file->exec.machine, file->exec.is_64, &text, &arg)) {
		struct sdt_arg *grown;

		if (arg.symbol && find_variable(file, arg.symbol, arg.symbol_len, &address)) {
			arg.value += address - location->address;
		} else if (arg.symbol) {
			arg.kind = SDT_ARG_OTHER;
			arg.why = "it is in a variable without a symbol in the file";
		}
		arg.symbol = NULL;
		grown = location->nr_args == ARGS_MAX
				? NULL
				: array_grow(location->args, location->nr_args, sizeof(*grown));
		if (!grown)
			return location->nr_args == ARGS_MAX
				       ? error_set(err, E2BIG, "it has more than %u arguments",
						   ARGS_MAX)
				       : error_set(err, ENOMEM, "no memory for arguments");
		location->args = grown;
		grown[location->nr_args++] = arg;
	}
	return 0;
}

/* The kernel increments the semaphore in every process, so it must be in a writable segment. */
static int find_semaphore(const struct symbol_file *file, const struct sdt_note *note,
			  struct symbol_location *location, struct error *err)
{
	uint32_t flags;

	if (!note->semaphore)
		return 0;
	if (exec_offset(&file->exec, note->semaphore, &location->ref_ctr_offset, &flags) &&
	    (flags & PF_W))
		return 0;
	error_set(err, EBADMSG,
		  "its semaphore at address 0x%" PRIx64 " is in no writable segment of the file",
		  note->semaphore);
	return error_reason(err, "symbols/damaged");
}

/*
 * Return 1 if the kernel has fast uprobes and the code at @offset supports one, 0, or -errno. Since
 * Linux 7.2 the kernel replaces a ten-byte nop with a call, which is several times faster than a
 * breakpoint (arch/x86/kernel/uprobes.c). If a probe is a one-byte nop followed by such a nop, the
 * second one is for kernels with this optimization. Linux 6.18 to 7.1 would replace a five-byte nop
 * with code that overwrites the red zone of a leaf function, so do not use it.
 */
static int fast_nop(const struct symbol_file *file, uint64_t offset, struct error *err)
{
	static const unsigned char both[] = { 0x90, 0x66, 0x2e, 0x0f, 0x1f, 0x84 }, zero[5];
	unsigned char code[sizeof(both) + sizeof(zero)];
	ssize_t n;

	if (file->exec.machine != EM_X86_64 || !file->exec.is_64)
		return 0;
	n = sys_pread(file->sys, file->fd, code, sizeof(code), offset);
	if (n < 0)
		return error_set(err, -n, "pread: %s", error_strerror(-n));
	return n == sizeof(code) && !memcmp(code, both, sizeof(both)) &&
	       !memcmp(code + sizeof(both), zero, sizeof(zero)) &&
	       sys_uprobe(file->sys) == -EPROTO;
}

static int add_note(struct symbol_file *file, const struct sdt_note *note,
		    struct symbol_locations *locations, struct error *err)
{
	struct symbol_location location = { .address = note->address };
	char name[2 * EVENT_NAME_MAX];
	int ret, len = snprintf(name, sizeof(name), "%.250s:%.250s", note->provider, note->name);

	ret = code_offset(file, note->address, &location.file_offset, err);
	if (!ret)
		ret = fast_nop(file, location.file_offset, err);
	if (ret > 0) {
		location.file_offset++;
		location.address++;
	}
	if (ret >= 0)
		ret = find_semaphore(file, note, &location, err);
	if (!ret)
		ret = read_args(file, note, &location, err);
	if (ret)
		error_where(err, "USDT '%s'", name);
	else
		ret = symbol_locations_add(locations, &location, name, len, err);
	if (ret)
		free(location.args);
	return ret;
}

static int no_probe(struct symbol_file *file, const struct event_spec *spec, struct error *err)
{
	char names[NEAREST_MAX * NEAREST_NAME], wanted[NEAREST_NAME], name[NEAREST_NAME];
	struct sdt_reader reader;
	struct sdt_note note;
	struct nearest near;
	uint32_t nr = 0;

	snprintf(wanted, sizeof(wanted), "%.30s:%.30s", spec->uprobe.provider,
		 spec->uprobe.symbol);
	nearest_init(&near, wanted);
	sdt_begin(&reader, &file->exec);
	for (; sdt_next(&reader, &note, NULL) > 0; nr++) {
		snprintf(name, sizeof(name), "%.30s:%.30s", note.provider, note.name);
		nearest_offer(&near, name);
	}
	if (!nr) {
		error_set(err, ENOENT, "has no USDT probes");
		error_hint(
			err,
			"a program has probes if it is built with the macros in <sys/sdt.h>; this "
			"is often a build option, such as --with-dtrace or --enable-systemtap");
	} else {
		error_set(err, ENOENT, "has no USDT probe '%.100s:%.100s'",
			  spec->uprobe.provider, spec->uprobe.symbol);
		if (near.nr)
			error_hint(err, "did you mean %s?",
				   nearest_text(&near, names, sizeof(names)));
		else
			error_hint(err, "it has %u others: readelf -n lists them", nr);
	}
	error_reason(err, "symbols/no-usdt");
	return -ENOENT;
}

int find_usdt_probes(struct symbol_file *file, const struct event_spec *spec,
		     struct symbol_locations *locations, struct error *err)
{
	struct sdt_reader reader;
	struct sdt_note note;
	int ret;

	sdt_begin(&reader, &file->exec);
	while ((ret = sdt_next(&reader, &note, err)) > 0) {
		if (!is_probe(&note, spec))
			continue;
		ret = add_note(file, &note, locations, err);
		if (ret)
			return ret;
	}
	if (ret) {
		error_reason(err, "symbols/damaged");
		return ret;
	}
	if (!locations->nr)
		return no_probe(file, spec, err);
	symbol_locations_sort(locations);
	return 0;
}
