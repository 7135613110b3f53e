// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * CO-RE in one file: compute what each record of an object is on the running kernel, and print it.
 * The functions of elf/ read the BTF; the rest is here. It patches nothing.
 *
 *	build/tour-co_re build/fields.o
 *
 * It leaves out, and loader/objects/co_re/ has:
 *
 *	types of modules, and types of one name that differ	candidates.c, resolve_relocation.c
 *	fields of one name whose types have nothing in common	types_compatible.c
 *	TYPE_MATCHES						types_compatible.c
 *	hostile objects, which nest without an end		access_spec.c
 *	the instruction						patch_insn.c
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf/btf_ext.h"
#include "loader/core/object/object.h"
#include "loader/core/sys/file.h"

#define FILE_SIZE_MAX (64 << 20)

static int give_up(const struct error *err)
{
	fprintf(stderr, "tour-co_re: %s%s%s\n", err->where, err->where[0] ? ": " : "", err->what);
	return 1;
}

/* ---- Step 1: find the type by its name ----
 *
 * "task_struct___old" is task_struct: what follows "___" only tells declarations apart.
 */
static bool is_same_name(const char *a, const char *b)
{
	const char *end = strstr(a, "___");
	const size_t len = end ? (size_t)(end - a) : strlen(a);

	end = strstr(b, "___");
	return len == (end ? (size_t)(end - b) : strlen(b)) && !memcmp(a, b, len);
}

/* Return the id of the kernel's type with the name and kind of @wanted, or 0. */
static uint32_t find_type(const struct btf *kernel, const struct btf_type_view *wanted)
{
	for (uint32_t id = 1; id < kernel->nr_types; id++) {
		const struct btf_type_view t = btf_type(kernel, id);

		if (t.kind == wanted->kind && is_same_name(t.name, wanted->name))
			return id;
	}
	return 0;
}

/* ---- Step 2: follow the access string ----
 *
 * The indices count members of the object's types. Each becomes the name of a member, which is
 * looked up in the kernel's type. The index of an array, as the first one is, stays an index.
 */
struct place {
	const struct btf *btf;
	uint32_t type;
	uint64_t bit; /* from the beginning of the outermost struct */
	uint32_t bits; /* of a bit field; 0: it is none */
};

static bool is_composite(uint32_t kind)
{
	return kind == BTF_KIND_STRUCT || kind == BTF_KIND_UNION;
}

/* Enter the member of that name, which may lie in an anonymous struct or union. */
static bool enter_member(struct place *p, const char *name)
{
	const struct btf_type_view t = btf_skip(p->btf, p->type);

	for (uint32_t i = 0; is_composite(t.kind) && i < t.vlen; i++) {
		const struct btf_member_view m = btf_member(p->btf, &t, i);
		struct place inside = { p->btf, m.type, p->bit + m.bit_offset, m.bitfield_size };

		if (m.name[0] ? !strcmp(m.name, name) : enter_member(&inside, name)) {
			*p = inside;
			return true;
		}
	}
	return false;
}

static bool enter_element(struct place *p, uint32_t index)
{
	const struct btf_type_view t = btf_skip(p->btf, p->type);

	if (t.kind != BTF_KIND_ARRAY || index >= btf_array(p->btf, &t).nelems)
		return false;
	p->type = btf_array(p->btf, &t).type;
	p->bit += btf_size(p->btf, p->type) * 8 * index;
	return true;
}

/* @id and @access are the object's; @p begins at the type and leads to the field. */
static bool follow(const struct btf *object, uint32_t id, const char *access, struct place *p)
{
	char *at;

	p->bit = btf_size(p->btf, p->type) * 8 * strtoul(access, &at, 10);
	while (*at == ':') {
		const struct btf_type_view t = btf_skip(object, id);
		const uint32_t index = strtoul(at + 1, &at, 10);
		struct btf_member_view m = { 0 };

		if (t.kind == BTF_KIND_ARRAY) {
			id = btf_array(object, &t).type;
			if (!enter_element(p, index))
				return false;
			continue;
		}
		m = btf_member(object, &t, index);
		id = m.type;
		/* An anonymous member is no step: its members are looked up by their own names. */
		if (m.name[0] && !enter_member(p, m.name))
			return false;
	}
	return true;
}

/* ---- Step 3: compute what the record asks for ----
 *
 * A bit field is read in a unit: the smallest aligned integer that has all of its bits.
 */
static uint64_t field_value(const struct place *p, uint32_t kind)
{
	const struct btf_type_view t = btf_skip(p->btf, p->type);
	uint64_t size = btf_size(p->btf, p->type), at = p->bit / 8;
	const uint64_t bits = p->bits ? p->bits : size * 8;

	while (p->bits) {
		at = p->bit / 8 / size * size;
		if (p->bit + bits <= (at + size) * 8)
			break;
		size *= 2;
	}
	switch (kind) {
	case BPF_CORE_FIELD_BYTE_OFFSET:
		return at;
	case BPF_CORE_FIELD_BYTE_SIZE:
		return size;
	case BPF_CORE_FIELD_SIGNED:
		return t.kind == BTF_KIND_INT ? !!(BTF_INT_ENCODING(t.extra) & BTF_INT_SIGNED)
					      : t.kind_flag;
	case BPF_CORE_FIELD_LSHIFT_U64:
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
		return 64 - (p->bit + bits - at * 8);
#else
		return (8 - size) * 8 + (p->bit - at * 8);
#endif
	case BPF_CORE_FIELD_RSHIFT_U64:
		return 64 - bits;
	default:
		return 1; /* BPF_CORE_FIELD_EXISTS */
	}
}

static bool find_enumerator(const struct btf *kernel, uint32_t id, const char *name,
			    uint64_t *value)
{
	const struct btf_type_view t = btf_type(kernel, id);

	for (uint32_t i = 0; i < t.vlen; i++) {
		const struct btf_enumerator_view e = btf_enumerator(kernel, &t, i);

		*value = e.value;
		if (is_same_name(e.name, name))
			return true;
	}
	return false;
}

/* Return false if this kernel lacks what the record is about. */
static bool record_value(const struct btf *object, const struct btf *kernel, struct btf_core_relo r,
			 uint64_t *value)
{
	const char *access = btf_string(object, r.access_str_off);
	const struct btf_type_view t = btf_type(object, r.type_id);
	struct place p = { .btf = kernel, .type = find_type(kernel, &t) };

	*value = r.kind == BPF_CORE_TYPE_ID_LOCAL ? r.type_id
		 : r.kind == BPF_CORE_TYPE_SIZE	  ? (uint64_t)btf_size(kernel, p.type)
		 : r.kind == BPF_CORE_TYPE_EXISTS ? 1
						  : p.type;
	if (r.kind == BPF_CORE_TYPE_ID_LOCAL)
		return true;
	if (!p.type)
		return false;
	if (r.kind == BPF_CORE_ENUMVAL_EXISTS || r.kind == BPF_CORE_ENUMVAL_VALUE) {
		const bool has =
			find_enumerator(kernel, p.type,
					btf_enumerator(object, &t, atoi(access)).name, value);

		*value = r.kind == BPF_CORE_ENUMVAL_EXISTS ? has : *value;
		return has;
	}
	if (r.kind > BPF_CORE_FIELD_RSHIFT_U64)
		return true;
	if (!follow(object, r.type_id, access, &p))
		return false;
	*value = field_value(&p, r.kind);
	return true;
}

/* ---- Step 4: what the kernel lacks becomes 0 if the program asks, and poison if it relies on it
 */
static bool may_be_absent(uint32_t kind)
{
	return kind == BPF_CORE_FIELD_EXISTS || kind == BPF_CORE_TYPE_EXISTS ||
	       kind == BPF_CORE_ENUMVAL_EXISTS || kind == BPF_CORE_TYPE_SIZE ||
	       kind == BPF_CORE_TYPE_ID_TARGET;
}

static void print_records(const struct bpf_object *object, const struct btf *kernel)
{
	for (uint32_t s = 0; s < object->ext.core_relo.nr_secs; s++)
		for (uint32_t i = 0; i < object->ext.core_relo.secs[s].num; i++) {
			const struct btf_core_relo r =
				btf_ext_core(&object->ext, &object->ext.core_relo.secs[s], i);
			uint64_t value;

			printf("%s insn %u: kind %u, %s %s: ",
			       object->ext.core_relo.secs[s].section, r.insn_off / 8, r.kind,
			       btf_type(&object->btf, r.type_id).name,
			       btf_string(&object->btf, r.access_str_off));
			if (record_value(&object->btf, kernel, r, &value))
				printf("%ju\n", (uintmax_t)value);
			else
				printf("%s\n", may_be_absent(r.kind) ? "0" : "poison");
		}
}

/* The kernel describes all of its types in one file: 130,000 of them. */
static int read_kernel(struct sys *sys, struct file *file, struct btf *kernel, struct error *err)
{
	struct bytes raw;
	int ret = file_open(file, sys, "/sys/kernel/btf/vmlinux", FILE_SIZE_MAX, err);

	if (!ret)
		ret = file->source.get(file->source.arg, 0, file->source.size, &raw, err);
	return ret ? ret : btf_parse(kernel, raw, err);
}

int main(int argc, char **argv)
{
	struct sys *sys = sys_linux();
	struct file file = { 0 }, vmlinux = { 0 };
	struct bpf_object object = { 0 };
	struct btf kernel = { 0 };
	struct error err = { 0 };

	if (argc != 2) {
		fprintf(stderr, "usage: tour-co_re OBJECT\n");
		return 2;
	}
	if (file_open(&file, sys, argv[1], FILE_SIZE_MAX, &err) ||
	    bpf_object_read(&object, argv[1], &file.source, &err) ||
	    read_kernel(sys, &vmlinux, &kernel, &err))
		return give_up(&err);
	print_records(&object, &kernel);
	btf_free(&kernel);
	file_close(&vmlinux);
	bpf_object_free(&object);
	file_close(&file);
	return 0;
}
