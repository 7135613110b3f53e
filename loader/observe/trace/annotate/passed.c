// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The memory passed to the kernel by a call: instructions, keys and values. */
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <linux/bpf.h>
#include <linux/bpf_common.h>

#include "elf/insn/insn_text.h"
#include "loader/observe/trace/annotate/annotate.h"
#include "loader/core/value/value.h"

#define BYTES_MAX 64	/* maximum number of bytes of a key or value to print */

/* An older loader passes fewer bytes of @attr: @size. */
static struct passed by_prog_load(const struct fd_names *names, const union bpf_attr *attr,
				  size_t size)
{
	struct passed p = {
		.insns = (const struct bpf_insn *)(unsigned long)attr->insns,
		.nr_insns = attr->insns ? attr->insn_cnt : 0,
	};
	const struct fd_entry *btf;

	if (size < offsetof(union bpf_attr, line_info_cnt) + sizeof(attr->line_info_cnt) ||
	    attr->line_info_rec_size != sizeof(*p.lines) || !attr->prog_btf_fd)
		return p;
	btf = fd_names_find(names, attr->prog_btf_fd);
	if (!btf || !btf->strings.text)
		return p;
	p.lines = (const struct bpf_line_info *)(unsigned long)attr->line_info;
	p.nr_lines = p.lines ? attr->line_info_cnt : 0;
	p.strings = btf->strings;	/* the entry moves when another one is added */
	return p;
}

/* Leave out a value per CPU, and one whose size the trace has not seen. */
static struct passed by_update(const struct fd_names *names, const union bpf_attr *attr)
{
	const struct fd_entry *map = fd_names_find(names, attr->map_fd);
	struct passed p = { 0 };

	if (!map || map->kind != FD_MAP || !map->value_size)
		return p;
	if (map->key_size && attr->key) {
		p.key = (const unsigned char *)(unsigned long)attr->key;
		p.key_size = map->key_size;
	}
	switch (map->map_type) {
	case BPF_MAP_TYPE_PERCPU_ARRAY:
	case BPF_MAP_TYPE_PERCPU_HASH:
	case BPF_MAP_TYPE_LRU_PERCPU_HASH:
	case BPF_MAP_TYPE_PERCPU_CGROUP_STORAGE:
		return p;
	}
	p.value = (const unsigned char *)(unsigned long)attr->value;
	p.value_size = p.value ? map->value_size : 0;
	return p;
}

struct passed passed_by_call(const struct fd_names *names, long nr, const unsigned long arg[6])
{
	const union bpf_attr *attr = (const union bpf_attr *)arg[1];

	if (nr != __NR_bpf || !attr)
		return (struct passed){ 0 };
	switch (arg[0]) {
	case BPF_PROG_LOAD:
		if (arg[2] < offsetof(union bpf_attr, insns) + sizeof(attr->insns))
			break;
		return by_prog_load(names, attr, arg[2]);
	case BPF_MAP_UPDATE_ELEM:
		return by_update(names, attr);
	}
	return (struct passed){ 0 };
}

/*
 * Return the source line that starts at instruction @insn, or "". @at: the first line not used yet.
 */
static const char *line_at(const struct passed *p, uint32_t *at, uint32_t insn)
{
	const char *text = "";

	for (; *at < p->nr_lines && p->lines[*at].insn_off <= insn; ++*at)
		if (p->lines[*at].insn_off == insn && p->lines[*at].line_off < p->strings.size)
			text = p->strings.text + p->lines[*at].line_off;
	return text + strspn(text, " \t");
}

#define HEX_MAX (3 * BYTES_MAX + sizeof("... (4294967295 bytes)"))

static const char *hex(char to[HEX_MAX], const void *bytes, size_t size, const char *separator)
{
	const unsigned char *byte = bytes;
	const size_t shown = size < BYTES_MAX ? size : BYTES_MAX;
	char *at = to;

	*at = '\0';
	for (size_t i = 0; i < shown; i++)
		at += sprintf(at, "%s%02x", i ? separator : "", byte[i]);
	if (shown < size)
		sprintf(at, "%s... (%zu bytes)", separator, size);
	return to;
}

void passed_print_insns(FILE *out, const struct passed *p)
{
	char text[INSN_TEXT_MAX];
	uint32_t at = 0;

	for (uint32_t i = 0; i < p->nr_insns; i++) {
		const char *line = line_at(p, &at, i);
		const bool wide = p->insns[i].code == (BPF_LD | BPF_IMM | BPF_DW);

		if (*line) {
			fputs("#        ; ", out);
			text_print(out, line, strlen(line), 0);
			fputc('\n', out);
		}
		insn_text(text, &p->insns[i], p->nr_insns - i);
		fprintf(out, "# %5u: (%02x) %s\n", i, p->insns[i].code, text);
		i += wide && i + 1 < p->nr_insns;
	}
}

void passed_print_bytes(FILE *out, const struct passed *p)
{
	char text[HEX_MAX];

	if (!p->key && !p->value)
		return;
	fputs("#   ", out);
	if (p->key)
		fprintf(out, "key %s", hex(text, p->key, p->key_size, " "));
	if (p->value)
		fprintf(out, "%svalue %s", p->key ? ", " : "",
			hex(text, p->value, p->value_size, " "));
	fputc('\n', out);
}

/* "insns": [["b701000000000000", "r1 = 0", "the source line that begins here"], ...] */
static struct json_object *insns_json(const struct passed *p)
{
	struct json_object *insns = json_object_new_array();
	char text[INSN_TEXT_MAX], bytes[HEX_MAX];
	uint32_t at = 0;

	for (uint32_t i = 0; i < p->nr_insns; i++) {
		struct json_object *insn = json_object_new_array();
		const char *line = line_at(p, &at, i);
		const bool upper = i && p->insns[i - 1].code == (BPF_LD | BPF_IMM | BPF_DW);

		text[0] = '\0';
		if (!upper)
			insn_text(text, &p->insns[i], p->nr_insns - i);
		hex(bytes, &p->insns[i], sizeof(p->insns[i]), "");
		value_append(insn, json_object_new_string(bytes));
		value_append(insn, json_object_new_string(text));
		if (*line)
			value_append(insn, json_object_new_string(line));
		value_append(insns, insn);
	}
	return insns;
}

void passed_json(struct json_object *call, const struct passed *p)
{
	char text[HEX_MAX];

	if (p->insns)
		value_add(call, "insns", insns_json(p));
	if (p->key)
		value_add_string(call, "key", hex(text, p->key, p->key_size, ""));
	if (p->value)
		value_add_string(call, "value", hex(text, p->value, p->value_size, ""));
}
