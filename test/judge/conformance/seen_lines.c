// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print what was seen of a loader as lines: one function for each kind of object. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "elf/btf.h"
#include "loader/base/text/names.h"
#include "loader/core/sys/sys.h"
#include "loader/objects/kernel_types/kernel_types.h"
#include "test/judge/conformance/conformance.h"

#define BYTES_SHOWN 1024
/* Beyond this, values and instructions are left out: an object of a statement has some. */
#define LINES_SIZE_MAX (4 << 20)

/* --- words --- */

/* Print a word; in quotes if it has bytes that would end it. */
static void put_word(FILE *out, const char *word)
{
	const bool plain =
		*word && !word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					    "0123456789_.:/+-*@$<>,()[]%&;!?~^|")];

	if (plain) {
		fputs(word, out);
		return;
	}
	fputc('"', out);
	for (; *word; word++) {
		if (isprint((unsigned char)*word) && *word != '"' && *word != '\\')
			fputc(*word, out);
		else
			fprintf(out, "\\x%02x", (unsigned char)*word);
	}
	fputc('"', out);
}

static void put_field(FILE *out, const char *key, const char *value)
{
	fprintf(out, " %s=", key);
	put_word(out, value);
}

/* "BPF_MAP_TYPE_HASH" is printed as hash. */
static void put_name(FILE *out, const char *key, const char *name, const char *prefix,
		     uint32_t number)
{
	fprintf(out, " %s=", key);
	if (!name || strncmp(name, prefix, strlen(prefix))) {
		fprintf(out, "%u", number);
		return;
	}
	for (name += strlen(prefix); *name; name++)
		fputc(tolower((unsigned char)*name), out);
}

static const char *yes(bool value)
{
	return value ? "yes" : "no";
}

static void put_bytes(FILE *out, const unsigned char *bytes, size_t size)
{
	for (size_t i = 0; i < size && i < BYTES_SHOWN; i++)
		fprintf(out, " %02x", bytes[i]);
	if (size > BYTES_SHOWN)
		fprintf(out, " ...");
}

/* --- objects that belong together --- */

static const struct seen_prog *prog_of_id(const struct run *run, uint32_t id)
{
	for (uint32_t i = 0; id && i < run->seen.nr_progs; i++)
		if (run->seen.progs[i].id == id)
			return &run->seen.progs[i];
	return NULL;
}

static void put_map_name(FILE *out, const struct run *run, uint32_t id)
{
	const struct seen_map *map = id ? seen_map_id(run, id) : NULL;

	put_word(out, map ? map->info.name : "?");
}

static void put_prog_name(FILE *out, const struct seen_prog *prog)
{
	char name[BPF_OBJ_NAME_LEN + 1] = "?";

	if (prog)
		memcpy(name, prog->attr.prog_name, BPF_OBJ_NAME_LEN);
	put_word(out, name);
}

/* Parse the BTF with that id that the loader has loaded. Free it with btf_free(). */
static bool parse_btf(const struct run *run, uint32_t id, struct btf *btf)
{
	struct error error = { 0 };

	memset(btf, 0, sizeof(*btf));
	for (uint32_t i = 0; id && i < run->seen.nr_btfs; i++)
		if (run->seen.btfs[i].id == id &&
		    btf_parse(btf, run->seen.btfs[i].bytes, &error) == 0)
			return true;
	error_clear(&error);
	return false;
}

static const char *type_name(const struct btf *btf, uint32_t id)
{
	return !id ? "void" : id < btf->nr_types ? btf_type(btf, id).name : "?";
}

/* --- maps --- */

static void put_map_types(FILE *out, const struct run *run, const struct seen_map *map)
{
	struct btf btf;

	if (!parse_btf(run, map->info.btf_id, &btf))
		return;
	put_field(out, "key_type", type_name(&btf, map->info.btf_key_type_id));
	put_field(out, "value_type", type_name(&btf, map->info.btf_value_type_id));
	btf_free(&btf);
}

static void put_map(FILE *out, const struct run *run, const struct seen_map *map)
{
	const struct seen_map *inner = map->inner_id ? seen_map_id(run, map->inner_id) : NULL;
	const bool has_node = map->attr.map_flags & BPF_F_NUMA_NODE;

	fprintf(out, "map ");
	put_word(out, map->info.name[0] ? map->info.name : "?");
	put_name(out, "type", sys_map_type_name(map->info.type), "BPF_MAP_TYPE_", map->info.type);
	fprintf(out,
		" key_size=%u value_size=%u max_entries=%u map_flags=%#x map_extra=%llu frozen=%s "
		"numa_node=%d btf=%s",
		map->info.key_size, map->info.value_size, map->info.max_entries,
		map->info.map_flags, (unsigned long long)map->info.map_extra, yes(map->frozen),
		has_node ? (int)map->attr.numa_node : -1, yes(map->info.btf_id));
	put_map_types(out, run, map);
	if (inner) {
		put_name(out, "inner_type", sys_map_type_name(inner->info.type), "BPF_MAP_TYPE_",
			 inner->info.type);
		put_field(out, "inner_map", inner->info.name);
		fprintf(out,
			" inner_key_size=%u inner_value_size=%u inner_max_entries=%u inner_map_flags=%#x",
			inner->info.key_size, inner->info.value_size, inner->info.max_entries,
			inner->info.map_flags);
	}
	for (uint32_t i = 0; i < run->seen.nr_pins; i++)
		if (map->id && run->seen.pins[i].map_id == map->id)
			put_field(out, "pinned", run->seen.pins[i].path);
	fputc('\n', out);
}

/* A key of at most 8 bytes is a number. */
static void put_key(FILE *out, const unsigned char *key, size_t size)
{
	uint64_t number = 0;

	if (size > sizeof(number)) {
		for (size_t i = 0; i < size && i < BYTES_SHOWN; i++)
			fprintf(out, "%02x", key[i]);
		return;
	}
	for (size_t i = 0; i < size; i++)
		number = number << 8 |
			 key[__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? i : size - 1 - i];
	fprintf(out, "%llu", (unsigned long long)number);
}

/* A lookup in a map of maps or programs returns an id. */
static void put_values(FILE *out, const struct run *run, const struct seen_map *map)
{
	const uint32_t type = map->info.type, key_size = map->info.key_size,
		       value_size = map->info.value_size;

	for (uint32_t i = 0; i < map->nr_elements; i++) {
		const unsigned char *key = map->elements + (size_t)i * (key_size + value_size),
				    *value = key + key_size;
		uint32_t id;

		memcpy(&id, value, value_size < sizeof(id) ? value_size : sizeof(id));
		fprintf(out, "value ");
		put_word(out, map->info.name[0] ? map->info.name : "?");
		fputc(' ', out);
		put_key(out, key, key_size);
		if (type == BPF_MAP_TYPE_ARRAY_OF_MAPS || type == BPF_MAP_TYPE_HASH_OF_MAPS) {
			fprintf(out, " map=");
			put_map_name(out, run, id);
		} else if (type == BPF_MAP_TYPE_PROG_ARRAY) {
			fprintf(out, " prog=");
			put_prog_name(out, prog_of_id(run, id));
		} else {
			fprintf(out, " =");
			put_bytes(out, value, value_size);
		}
		fputc('\n', out);
	}
}

static void put_maps(FILE *out, const struct run *run)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < run->seen.nr_maps; i++) {
		const struct seen_map *map = &run->seen.maps[i];

		if (!map->present)
			continue;
		nr++;
		put_map(out, run, map);
		if (ftell(out) < LINES_SIZE_MAX)
			put_values(out, run, map);
	}
	fprintf(out, "maps nr=%u\n", nr);
}

/* --- programs --- */

/* Print the name of the kernel function or type to which a program attaches. */
static void put_attach(FILE *out, uint32_t id)
{
	struct kernel_types types;
	struct error error = { 0 };
	const struct btf *btf;

	kernel_types_init(&types, sys_linux(), NULL);
	if (kernel_types_vmlinux(&types, &btf, &error) == 0 && btf_has(btf, id))
		put_field(out, "attach", btf_type(btf, id).name ?: "?");
	error_clear(&error);
	kernel_types_free(&types);
}

/* A program with the types that it was loaded with. */
struct typed {
	const struct run *run;
	const struct seen_prog *prog;
	struct btf btf;
	bool has_btf;
};

static const char *func_name(const struct typed *t, uint32_t i)
{
	return t->has_btf ? type_name(&t->btf, t->prog->func_info[i].type_id) : "?";
}

static void put_records(FILE *out, const struct typed *t)
{
	for (uint32_t i = 0; i < t->prog->nr_func_info; i++) {
		fprintf(out, "func_info ");
		put_prog_name(out, t->prog);
		fprintf(out, " %u insn=%u", i, t->prog->func_info[i].insn_off);
		put_field(out, "func", func_name(t, i));
		fputc('\n', out);
	}
	for (uint32_t i = 0; i < t->prog->nr_line_info; i++) {
		const struct bpf_line_info *info = &t->prog->line_info[i];

		fprintf(out, "line_info ");
		put_prog_name(out, t->prog);
		fprintf(out, " %u insn=%u line=%u column=%u", i, info->insn_off,
			BPF_LINE_INFO_LINE_NUM(info->line_col),
			BPF_LINE_INFO_LINE_COL(info->line_col));
		put_field(out, "file",
			  t->has_btf ? btf_string(&t->btf, info->file_name_off) ?: "?" : "?");
		put_field(out, "text",
			  t->has_btf ? btf_string(&t->btf, info->line_off) ?: "?" : "?");
		fputc('\n', out);
	}
}

/* Print which instruction of its function one is: a loader puts functions in any order. */
static void put_position(FILE *out, const struct typed *t, uint32_t i)
{
	const struct bpf_func_info *info = t->prog->func_info;
	uint32_t f = t->prog->nr_func_info;

	while (f && info[f - 1].insn_off > i)
		f--;
	if (f)
		fprintf(out, " at=%s+%u", func_name(t, f - 1), i - info[f - 1].insn_off);
}

/* Print the function that a call or a reference to a function leads to. */
static void put_callee(FILE *out, const struct typed *t, uint32_t i)
{
	const struct bpf_insn *insn = &t->prog->insns[i];
	const bool is_call = insn->code == (BPF_JMP | BPF_CALL) && insn->src_reg == BPF_PSEUDO_CALL;
	const bool is_address =
		insn->code == (BPF_LD | BPF_IMM | BPF_DW) && insn->src_reg == BPF_PSEUDO_FUNC;

	for (uint32_t f = 0; (is_call || is_address) && f < t->prog->nr_func_info; f++)
		if (t->prog->func_info[f].insn_off == i + 1 + insn->imm)
			put_field(out, "func", func_name(t, f));
}

static void put_insns(FILE *out, const struct typed *t)
{
	for (uint32_t i = 0; i < t->prog->nr_insns; i++) {
		const struct bpf_insn *insn = &t->prog->insns[i];

		fprintf(out, "insn ");
		put_prog_name(out, t->prog);
		fprintf(out, " %u code=%#x dst=%u src=%u off=%d imm=%d", i, insn->code,
			insn->dst_reg, insn->src_reg, insn->off, insn->imm);
		if (t->prog->map_ids[i]) {
			fprintf(out, " map=");
			put_map_name(out, t->run, t->prog->map_ids[i]);
		}
		put_position(out, t, i);
		put_callee(out, t, i);
		fputc('\n', out);
	}
}

/* @word: "prog" for one that is loaded, "tried" for one that was passed to BPF_PROG_LOAD. */
static void put_prog(FILE *out, const char *word, const struct seen_prog *prog)
{
	const union bpf_attr *attr = &prog->attr;

	fprintf(out, "%s ", word);
	put_prog_name(out, prog);
	put_name(out, "type", sys_prog_type_name(attr->prog_type), "BPF_PROG_TYPE_",
		 attr->prog_type);
	put_field(out, "license", prog->license);
	fprintf(out,
		" insns=%u expected_attach_type=%u flags=%#x btf=%s func_info=%u line_info=%u kern_version=%u "
		"attach_btf_id=%u",
		prog->nr_insns, attr->expected_attach_type, attr->prog_flags,
		yes(attr->prog_btf_fd), prog->nr_func_info, prog->nr_line_info, attr->kern_version,
		attr->attach_btf_id);
	if (attr->attach_btf_id && !attr->attach_prog_fd && !attr->attach_btf_obj_fd)
		put_attach(out, attr->attach_btf_id);
	if (!strcmp(word, "tried"))
		put_field(out, "error", prog->error ? sys_errno_name(prog->error) ?: "?" : "none");
	fputc('\n', out);
}

static void put_code(FILE *out, const struct run *run, const struct seen_prog *prog)
{
	struct typed typed = { .run = run, .prog = prog };

	typed.has_btf = parse_btf(run, prog->btf_id, &typed.btf);
	put_insns(out, &typed);
	put_records(out, &typed);
	btf_free(&typed.btf);
}

static bool same_name(const struct seen_prog *a, const struct seen_prog *b)
{
	return !memcmp(a->attr.prog_name, b->attr.prog_name, BPF_OBJ_NAME_LEN);
}

/* Return true if this is the last refused load of a program that no other load has loaded. */
static bool was_refused(const struct run *run, const struct seen_prog *prog)
{
	for (uint32_t i = 0; i < run->seen.nr_progs; i++) {
		const struct seen_prog *other = &run->seen.progs[i];

		if (same_name(prog, other) && (other->present || other > prog))
			return false;
	}
	return prog->error != 0;
}

static uint32_t put_progs(FILE *out, const struct run *run)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < run->seen.nr_progs; i++) {
		const struct seen_prog *prog = &run->seen.progs[i];

		if (!prog->present && !was_refused(run, prog))
			continue;
		nr += prog->present;
		if (prog->present)
			put_prog(out, "prog", prog);
		put_prog(out, "tried", prog);
		if (ftell(out) < LINES_SIZE_MAX)
			put_code(out, run, prog);
	}
	fprintf(out, "progs nr=%u\n", nr);
	return nr;
}

/* --- BTF --- */

static void put_datasec(FILE *out, const struct btf *btf, const struct btf_type_view *section)
{
	fprintf(out, "btf datasec ");
	put_word(out, section->name);
	fprintf(out, " size=%u vars=%u\n", section->size, section->vlen);
	for (uint32_t i = 0; i < section->vlen; i++) {
		const struct btf_var_view var = btf_datasec_var(btf, section, i);
		const struct btf_type_view type = btf_type(btf, var.type);

		fprintf(out, "btf %s ", type.kind == BTF_KIND_FUNC ? "entry" : "var");
		put_word(out, type.name);
		fprintf(out, " offset=%u size=%u linkage=%s", var.offset, var.size,
			type.extra == 0 ? "static" : type.extra == 1 ? "global" : "extern");
		put_field(out, "datasec", section->name);
		put_field(out, "type", type_name(btf, type.type));
		fputc('\n', out);
	}
}

/* Return true if a program or a map has these types; if nothing has any, if they are the last. */
static bool is_used(const struct run *run, const struct seen_btf *btf)
{
	bool any = false, used = false;

	for (uint32_t i = 0; i < run->seen.nr_progs; i++) {
		any |= run->seen.progs[i].present && run->seen.progs[i].btf_id;
		used |= run->seen.progs[i].present && run->seen.progs[i].btf_id == btf->id;
	}
	for (uint32_t i = 0; i < run->seen.nr_maps; i++) {
		any |= run->seen.maps[i].present && run->seen.maps[i].info.btf_id;
		used |= run->seen.maps[i].present && run->seen.maps[i].info.btf_id == btf->id;
	}
	return any ? used : btf == &run->seen.btfs[run->seen.nr_btfs - 1];
}

static void put_type(FILE *out, const struct btf *btf, const struct btf_type_view *type)
{
	static const char *const linkages[] = { "static", "global", "extern" };

	fprintf(out, "btf type %u kind=%s", type->id, btf_kind_name(type->kind));
	put_field(out, "name", type->name);
	fprintf(out, " size=%u type=%u vlen=%u\n", type->size, type->type, type->vlen);
	if (type->kind == BTF_KIND_DATASEC)
		put_datasec(out, btf, type);
	if (type->kind == BTF_KIND_FUNC) {
		fprintf(out, "btf func ");
		put_word(out, type->name);
		fprintf(out, " linkage=%s\n", type->extra < 3 ? linkages[type->extra] : "?");
	}
}

/* A loader may pass other types for each program and map. */
static void put_btf(FILE *out, const struct run *run)
{
	for (uint32_t i = 0; i < run->seen.nr_btfs; i++) {
		struct btf btf;

		if (!is_used(run, &run->seen.btfs[i]) ||
		    !parse_btf(run, run->seen.btfs[i].id, &btf))
			continue;
		fprintf(out, "btf types=%u\n", btf.nr_types - 1);
		for (uint32_t id = 1; id < btf.nr_types; id++) {
			const struct btf_type_view type = btf_type(&btf, id);

			put_type(out, &btf, &type);
		}
		btf_free(&btf);
	}
}

/* --- events, links and pins --- */

static bool is_bound(const struct run *run, const struct seen_event *event)
{
	for (uint32_t i = 0; i < run->seen.nr_binds; i++)
		if (!run->seen.binds[i].error && run->seen.binds[i].event_id == event->id)
			return true;
	return false;
}

static void put_event(FILE *out, const struct run *run, const struct seen_event *event)
{
	const struct perf_event_attr *attr = &event->attr;
	const bool read = run->seen.read_pmu && event->type_passed != attr->type;

	fprintf(out,
		"event type=%u config=%llu sample_period=%llu sample_freq=%llu freq=%u pid=%d cpu=%d disabled=%s "
		"enabled=%s pmu=%s attr_size=%u cloexec=%s exclude_user=%u exclude_kernel=%u exclude_idle=%u\n",
		attr->type, (unsigned long long)attr->config,
		(unsigned long long)(attr->freq ? 0 : attr->sample_period),
		(unsigned long long)(attr->freq ? attr->sample_freq : 0), attr->freq, event->pid,
		event->cpu, yes(attr->disabled), yes(event->enabled), read ? "read" : "no",
		attr->size, yes(event->cloexec), attr->exclude_user, attr->exclude_kernel,
		attr->exclude_idle);
}

static void put_bind(FILE *out, const struct run *run, const struct seen_bind *bind)
{
	const struct seen_prog *prog = prog_of_id(run, bind->prog_id);
	const struct seen_event *event = seen_event_id(run, bind->event_id);

	fprintf(out, "bind ");
	put_prog_name(out, prog);
	fprintf(out, " by=%s cookie=%llu attach_type=%u flags=%u attr_size=%u runs=%s cpu=%d\n",
		bind->by_link ? "link" : "ioctl", (unsigned long long)bind->cookie,
		bind->attach_type, bind->flags, bind->attr_size, yes(prog && prog->runs),
		event ? event->cpu : -1);
}

/* Other events may have been opened to learn what the kernel can do. */
static void put_binds(FILE *out, const struct run *run)
{
	uint32_t nr_events = 0, nr_binds = 0;

	for (uint32_t i = 0; i < run->seen.nr_events; i++)
		if (run->seen.events[i].id && is_bound(run, &run->seen.events[i])) {
			nr_events++;
			put_event(out, run, &run->seen.events[i]);
		}
	for (uint32_t i = 0; i < run->seen.nr_binds; i++)
		if (!run->seen.binds[i].error) {
			nr_binds++;
			put_bind(out, run, &run->seen.binds[i]);
		}
	fprintf(out, "events nr=%u\nbinds nr=%u\n", nr_events, nr_binds);
}

static void put_pins(FILE *out, const struct run *run)
{
	for (uint32_t i = 0; i < run->seen.nr_pins; i++) {
		const struct seen_pin *pin = &run->seen.pins[i];

		fprintf(out, "pin ");
		put_word(out, pin->path);
		if (pin->map_id) {
			fprintf(out, " map=");
			put_map_name(out, run, pin->map_id);
		}
		if (pin->prog_id) {
			fprintf(out, " prog=");
			put_prog_name(out, prog_of_id(run, pin->prog_id));
		}
		fputc('\n', out);
	}
}

/* --- how it ended --- */

static void put_end(FILE *out, const struct run *run, bool has_prog)
{
	const int status =
		WIFEXITED(run->status) ? WEXITSTATUS(run->status) : 128 + WTERMSIG(run->status);

	fprintf(out, "exit status=%d\n", status);
	if (has_prog && status == 0)
		fprintf(out, "loaded\n");
	if (!run->ready && WIFEXITED(run->status) && status)
		fprintf(out, "refused\n");
}

static bool fd_exists(int fd)
{
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* The loader has ended. */
static void put_left(FILE *out, const struct seen *seen)
{
	unsigned int links = 0, progs = 0, maps = 0;

	for (uint32_t i = 0; i < seen->nr_binds; i++)
		links +=
			seen->binds[i].link_id && fd_exists(kernel_link_fd(seen->binds[i].link_id));
	for (uint32_t i = 0; i < seen->nr_progs; i++)
		progs += seen->progs[i].id && fd_exists(kernel_prog_fd(seen->progs[i].id));
	for (uint32_t i = 0; i < seen->nr_maps; i++)
		maps += fd_exists(kernel_map_fd(seen->maps[i].id));
	fprintf(out, "left links=%u progs=%u maps=%u\n", links, progs, maps);
}

char *seen_lines(const struct run *run)
{
	char *lines = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&lines, &size);

	if (!out)
		abort();
	put_maps(out, run);
	put_end(out, run, put_progs(out, run));
	put_btf(out, run);
	put_binds(out, run);
	put_pins(out, run);
	put_left(out, &run->seen);
	fclose(out);
	return lines;
}
