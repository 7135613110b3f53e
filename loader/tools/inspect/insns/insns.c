// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print the instructions of programs, each with the changes made by linking. */
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <string.h>

#include "elf/flow/insn.h"
#include "elf/insn/insn_text.h"
#include "loader/base/text/names.h"
#include "loader/observe/capabilities/capabilities.h"
#include "loader/tools/inspect/insns/insns_internal.h"
#include "loader/tools/inspect/log/log.h"
#include "loader/core/value/value.h"

#define INSN sizeof(struct bpf_insn)
#define PRINTED 32	/* steps of printing one instruction */

/* One function of the listing, and cursors into the descriptions of its instructions. */
struct position {
	struct listing *l;
	const struct object_func *f;
	uint32_t start;		/* its first instruction in the program */
	uint32_t i;		/* the current one in the function */
	uint32_t reloc, core, line;	/* cursors */
	struct source_line last_line;	/* the last line printed */
};

/* --- parts of a message --- */

/* The current instruction, and the second half of an ldimm64. */
static uint32_t width(const struct position *p, struct bpf_insn insn)
{
	return insn_is_ldimm64(insn) && p->i + 1 < p->f->insn_cnt ? 2 : 1;
}

static struct bytes code_bytes(const struct position *p)
{
	return p->l->in->obj.image.sections[p->f->section].data;
}

static uint64_t byte_offset(const struct position *p)
{
	return (p->f->first_insn + (uint64_t)p->i) * INSN;
}

static const struct object_reloc *current_reloc(struct position *p)
{
	const struct object_code_section *code = &p->l->in->obj.code[p->f->code];
	const uint32_t insn = p->f->first_insn + p->i;

	while (p->reloc < p->f->relocs.end && code->relocs[p->reloc].insn < insn)
		p->reloc++;
	return p->reloc < p->f->relocs.end && code->relocs[p->reloc].insn == insn ?
		       &code->relocs[p->reloc] : NULL;
}

/*
 * The relocation as in the file: S is the symbol's value, A the addend, from the record or the
 * field.
 */
static void add_relocation(struct position *p, const struct bpf_insn *insn, struct json_object *msg)
{
	const struct elf_image *image = &p->l->in->obj.image;
	const uint32_t found = listing_reloc(p->l, p->f, p->f->first_insn + p->i);
	const uint32_t section = p->l->in->obj.code[p->f->code].reloc_section;
	struct json_object *json;
	struct elf_reloc reloc;

	if (!found)
		return;
	reloc = elf_reloc_get(image, section, found - 1);
	json = json_object_new_object();
	value_add_string(json, "section", image->sections[section].name);
	value_add_uint(json, "index", found - 1);
	value_add_string(json, "type", elf_reloc_name(reloc.type));
	value_add_string(json, "symbol", image->symbols[reloc.symbol].name);
	value_add_uint(json, "S", elf_reloc_base(image, &reloc));
	value_add_int(json, "A", reloc.has_addend ? reloc.addend : insn->imm);
	value_add(msg, "relocation", json);
}

static const char *pseudo_name(struct bpf_insn insn)
{
	static const char *const loads[] = {
		[BPF_PSEUDO_MAP_FD] = "BPF_PSEUDO_MAP_FD",
		[BPF_PSEUDO_MAP_VALUE] = "BPF_PSEUDO_MAP_VALUE",
		[BPF_PSEUDO_BTF_ID] = "BPF_PSEUDO_BTF_ID", [BPF_PSEUDO_FUNC] = "BPF_PSEUDO_FUNC",
	};

	if (insn_is_ldimm64(insn) && insn.src_reg < sizeof(loads) / sizeof(loads[0]))
		return loads[insn.src_reg];
	if (!insn_is_call(insn))
		return NULL;
	return insn.src_reg == BPF_PSEUDO_CALL	     ? "BPF_PSEUDO_CALL" :
	       insn.src_reg == BPF_PSEUDO_KFUNC_CALL ? "BPF_PSEUDO_KFUNC_CALL" : NULL;
}

/* The map, function or extern to which the instruction refers. */
static void add_reference(const struct position *p, const struct object_reloc *reloc,
			  struct json_object *msg)
{
	const struct bpf_object *obj = &p->l->in->obj;
	struct json_object *json;
	const char *kind, *name;

	switch (reloc->kind) {
	case OBJECT_RELOC_MAP:
	case OBJECT_RELOC_DATA:
		kind = reloc->kind == OBJECT_RELOC_MAP ? "map" : "value";
		name = obj->maps[reloc->index].name;
		break;
	case OBJECT_RELOC_CALL:
	case OBJECT_RELOC_FUNC:
		kind = "function";
		name = obj->funcs[reloc->index].name;
		break;
	case OBJECT_RELOC_KCONFIG:
	case OBJECT_RELOC_KSYM:
	case OBJECT_RELOC_KFUNC:
		kind = "extern";
		name = obj->externs[reloc->index].name;
		break;
	default:
		return;
	}
	json = json_object_new_object();
	value_add_string(json, "kind", kind);
	value_add_string(json, "name", name);
	value_add_uint(json, "offset", reloc->offset);
	value_add(msg, "refers_to", json);
}

static struct json_object *core_answer(const struct position *p, struct kernel *k,
				       struct btf_core_relo relo, struct json_object *core)
{
	struct json_object *json = json_object_new_object();
	struct co_re_answer answer;
	struct error why = { 0 };

	value_add_string(json, "kernel", k->name);
	if (!k->code.nr_insns || co_re_answer(&k->co_re, relo, p->start + p->i, &answer, &why)) {
		value_add_null(json, "value");
		value_add_bool(json, "poisoned", false);
		value_add_string(json, "why", why.code ? why.what : k->refused.what);
		error_clear(&why);
		return json;
	}
	if (!message_get(core, "access")) {
		value_add_string(core, "access", answer.access);
		value_add_uint(core, "in_file", answer.local);
	}
	value_add_uint(json, "value", answer.target);
	value_add_bool(json, "poisoned", answer.poisoned);
	value_add_string(json, "why", answer.poisoned ? answer.why : NULL);
	if (answer.poisoned && answer.hint[0])
		value_add_string(json, "hint", answer.hint);
	return json;
}

/* The CO-RE relocation of the instruction, and its result for each kernel. */
static void add_core(struct position *p, struct json_object *msg)
{
	const struct bpf_object *obj = &p->l->in->obj;
	const struct btf_ext_sec *sec = obj->code[p->f->code].core_relo;
	struct json_object *core, *kernels;
	struct btf_core_relo relo;

	while (p->core < p->f->core_relo.end &&
	       btf_ext_insn_off(&obj->ext, sec, p->core) < byte_offset(p))
		p->core++;
	if (p->core >= p->f->core_relo.end ||
	    btf_ext_insn_off(&obj->ext, sec, p->core) != byte_offset(p))
		return;
	relo = btf_ext_core(&obj->ext, sec, p->core);
	core = json_object_new_object();
	kernels = json_object_new_array();
	value_add_string(core, "kind", object_co_re_kind(relo.kind));
	for (unsigned int i = 0; i < p->l->nr_kernels; i++)
		value_append(kernels, core_answer(p, &p->l->kernels[i], relo, core));
	value_add(core, "kernels", kernels);
	value_add(msg, "core", core);
}

/* The line of C, printed before its first instruction. */
static void add_source(struct position *p, const struct prog_code *code, struct json_object *msg)
{
	const struct source_line line = listing_line(p->l, code, p->start + p->i, &p->line);
	struct json_object *json;

	if (!line.text || (p->last_line.text == line.text && p->last_line.line == line.line))
		return;
	p->last_line = line;
	json = json_object_new_object();
	value_add_string(json, "file", line.file);
	value_add_uint(json, "line", line.line);
	value_add_uint(json, "column", line.column);
	value_add_string(json, "text", line.text);
	value_add(msg, "source", json);
}

/* --- one instruction --- */

static void add_linked(const struct position *p, const struct object_reloc *reloc,
		       const struct bpf_insn *in_file, uint32_t n, struct json_object *msg)
{
	const struct prog_code *first = listing_code(p->l);
	struct json_object *others = NULL;
	char text[LISTING_TEXT];

	for (unsigned int i = 0; i < p->l->nr_kernels; i++) {
		const struct kernel *k = &p->l->kernels[i];
		const struct bpf_insn *at = &k->code.insns[p->start + p->i];
		const struct bytes linked = { (const unsigned char *)at, n * INSN };
		struct json_object *json;

		if (!k->code.nr_insns || (&k->code != first &&
					  !memcmp(at, &first->insns[p->start + p->i], n * INSN)))
			continue;
		listing_text(p->l, &k->code, p->start + p->i, reloc, text);
		if (&k->code == first) {
			value_add_string(msg, "text", text);
			if (memcmp(at, in_file, n * INSN))
				value_add(msg, "linked", value_hex(linked));
			if (pseudo_name(*at))
				value_add_string(msg, "pseudo", pseudo_name(*at));
			continue;
		}
		json = json_object_new_object();
		value_add_string(json, "kernel", k->name);
		value_add(json, "linked", value_hex(linked));
		value_add_string(json, "text", text);
		others = others ? others : json_object_new_array();
		value_append(others, json);
	}
	if (others)
		value_add(msg, "otherwise", others);
}

static struct json_object *insn_message(struct position *p, uint32_t *n)
{
	const struct inspect *in = p->l->in;
	const struct prog_code *code = listing_code(p->l);
	const struct object_reloc *reloc = current_reloc(p);
	const struct bytes bytes = code_bytes(p);
	const uint64_t at = byte_offset(p);
	struct json_object *msg = message_new("inspect-insn");
	struct bpf_insn insn[2] = { inspect_insn(bytes, at, &in->elf) };
	char text[INSN_TEXT_MAX];

	*n = width(p, insn[0]);
	if (*n == 2)
		insn[1] = inspect_insn(bytes, at + INSN, &in->elf);
	value_add_uint(msg, "index", p->start + p->i);
	value_add_uint(msg, "offset", in->obj.image.sections[p->f->section].offset + at);
	value_add(msg, "bytes", value_hex(bytes_slice(bytes, at, *n * INSN)));
	if (code)
		add_linked(p, reloc, insn, *n, msg);
	if (!code || message_get(msg, "linked") || message_get(msg, "otherwise")) {
		insn_text(text, insn, *n);
		value_add_string(msg, code ? "text_in_file" : "text", text);
	}
	if (code)
		add_source(p, code, msg);
	add_relocation(p, insn, msg);
	if (reloc)
		add_reference(p, reloc, msg);
	if (p->f->core_relo.first < p->f->core_relo.end)
		add_core(p, msg);
	if (p->l->log)
		log_add_visits(p->l->log, p->start + p->i, msg);
	return msg;
}

static int put_func(struct listing *l, uint32_t i, struct error *err)
{
	const struct object_func *f = &l->in->obj.funcs[l->funcs[i]];
	struct position p = { .l = l, .f = f, .start = l->starts[i], .reloc = f->relocs.first,
			      .core = f->core_relo.first };
	struct json_object *msg = message_new("inspect-function");
	int ret;

	value_add_string(msg, "name", f->name);
	value_add_string(msg, "section", l->in->obj.image.sections[f->section].name);
	value_add_uint(msg, "index", p.start);
	value_add_uint(msg, "instructions", f->insn_cnt);
	ret = inspect_put(l->in, msg, err);
	for (uint32_t n; !ret && p.i < f->insn_cnt; p.i += n)
		ret = inspect_put(l->in, insn_message(&p, &n), err);
	return ret;
}

/* --- programs --- */

static int put_heading(struct listing *l, struct error *err)
{
	const struct object_prog *prog = &l->in->obj.progs[l->prog];
	const struct prog_code *code = listing_code(l);
	struct json_object *msg = message_new("inspect-listing"),
			   *kernels = json_object_new_array();

	value_add_string(msg, "program", prog->name);
	value_add_string(msg, "section", prog->section);
	value_add_string(msg, "prog_type", sys_prog_type_name(prog->kind->prog_type));
	value_add_uint(msg, "instructions",
		       code ? code->nr_insns : l->in->obj.funcs[prog->func].insn_cnt);
	for (unsigned int i = 0; i < l->nr_kernels; i++) {
		const struct kernel *k = &l->kernels[i];
		struct json_object *json = json_object_new_object();

		value_add_string(json, "kernel", k->name);
		value_add_string(json, "refused", k->refused.code ? k->refused.what : NULL);
		value_append(kernels, json);
	}
	value_add(msg, "kernels", kernels);
	return inspect_put(l->in, msg, err);
}

static int put_prog(struct listing *l, uint32_t prog, struct error *err)
{
	int ret = listing_link(l, prog, err);

	if (!ret)
		ret = put_heading(l, err);
	for (uint32_t i = 0; !ret && i < l->nr_funcs; i++)
		ret = put_func(l, i, err);
	return ret;
}

static int no_program(const struct inspect *in, const char *name, struct error *err)
{
	char names[NEAREST_MAX * (NEAREST_NAME + 2)];
	struct nearest near;

	nearest_init(&near, name);
	for (uint32_t i = 0; i < in->obj.nr_progs; i++)
		nearest_offer(&near, in->obj.progs[i].name);
	error_set(err, ENOENT, "the object has no program of that name");
	error_reason(err, "object/no-program");
	if (near.nr)
		error_hint(err, "did you mean %s?", nearest_text(&near, names, sizeof(names)));
	else
		error_hint(err, "pload inspect lists its programs");
	return error_where(err, "--insns=%s", name);
}

/* Print the program that the log is about. */
static int put_logged(struct listing *l, struct verifier_log *log, uint32_t prog, bool *found,
		      struct error *err)
{
	const struct prog_code *code;
	int ret = listing_link(l, prog, err);

	code = listing_code(l);
	if (ret || !code || !log_matches(log, code))
		return ret;
	*found = true;
	l->log = log;
	ret = log_read(log, code, err);
	if (!ret)
		ret = log_put(log, l->in, code, err);
	if (!ret)
		ret = put_heading(l, err);
	for (uint32_t i = 0; !ret && i < l->nr_funcs; i++)
		ret = put_func(l, i, err);
	return ret;
}

int inspect_log(struct inspect *in, const char *path, struct error *err)
{
	struct verifier_log log;
	struct listing l;
	bool found = false;
	int ret = log_open(&log, in, path, err);

	if (ret)
		return ret;
	ret = listing_begin(&l, in, 1, err);
	for (uint32_t i = 0; !ret && !found && i < in->obj.nr_progs; i++)
		if (!in->o->inspect.prog ||
		    !fnmatch(in->o->inspect.prog, in->obj.progs[i].name, 0))
			ret = put_logged(&l, &log, i, &found, err);
	listing_end(&l);
	log_free(&log);
	if (ret || found)
		return ret;
	error_set(err, EINVAL, "no program of this object matches the instructions of the log");
	error_reason(err, "inspect/log");
	error_hint(err, "the log and the object come from different builds or kernels: "
			"--btf=FILE");
	return error_where(err, "--log=%s", path);
}

int inspect_insns(struct inspect *in, const char *name, struct error *err)
{
	struct listing l;
	bool any = !name;
	int ret = listing_begin(&l, in, PRINTED, err);

	for (uint32_t i = 0; !ret && i < in->obj.nr_progs; i++) {
		if (name && fnmatch(name, in->obj.progs[i].name, 0))
			continue;
		any = true;
		ret = put_prog(&l, i, err);
	}
	listing_end(&l);
	return ret || any ? ret : no_program(in, name, err);
}
