// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Fuzzes setting variables before an object is loaded. The input is a pair of an object and
 * NAME=VALUE, in which each byte from 0x80 up is replaced by a name of the object's BTF.
 */
#include "test/fuzz/target.h"

#define MAX_NAMES 128
#define MAX_TEXT 512
#define MAX_DATA (1u << 20)

/* First the names of variables, then those of members and enumerators. */
static uint32_t collect(const struct btf *btf, const char **names)
{
	uint32_t nr = 0;

	for (uint32_t id = 1; id < btf->nr_types && nr < MAX_NAMES; id++)
		if (btf_type(btf, id).kind == BTF_KIND_VAR)
			names[nr++] = btf_type(btf, id).name;
	for (uint32_t id = 1; id < btf->nr_types; id++) {
		struct btf_type_view t = btf_type(btf, id);
		bool members = t.kind == BTF_KIND_STRUCT || t.kind == BTF_KIND_UNION;
		bool values = t.kind == BTF_KIND_ENUM || t.kind == BTF_KIND_ENUM64;

		for (uint32_t i = 0; (members || values) && i < t.vlen && nr < MAX_NAMES; i++)
			names[nr++] = members ? btf_member(btf, &t, i).name :
						btf_enumerator(btf, &t, i).name;
	}
	return nr;
}

/* The text with names inserted, truncated if it gets too long. */
static void expand(struct bytes text, const char *const *names, uint32_t nr, char *out)
{
	size_t n = 0, len;

	for (size_t i = 0; i < text.size && text.data[i]; i++) {
		const char byte[2] = { text.data[i], 0 };
		const char *part = text.data[i] < 0x80 || !nr ? byte :
				   names[(text.data[i] - 0x80) % nr];

		len = strlen(part);
		if (len >= MAX_TEXT - n)
			break;
		memcpy(out + n, part, len);
		n += len;
	}
	out[n] = 0;
}

static void use(struct bpf_object *obj, struct bytes text)
{
	const char *names[MAX_NAMES];
	struct error err = { 0 };
	char path[MAX_TEXT], *value;
	int ret;

	expand(text, names, obj->has_btf ? collect(&obj->btf, names) : 0, path);
	value = strchr(path, '=');
	/*
	 * The map of a variable that is set gets contents of its own, as large as the section
	 * claims to be: up to 2 GB of .bss.
	 */
	for (uint32_t i = 0; i < obj->nr_maps; i++)
		if (obj->maps[i].data_size > MAX_DATA)
			return;
	if (!value)
		return;
	*value++ = 0;
	ret = object_set_variable(obj, path, value, &err);
	if (ret)
		error_where(&err, "--set");
	walk_error(ret, &err);
	walk_object(obj);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes first, second, file;
	struct error err = { 0 };
	struct bpf_object obj;

	if (!pair_split((struct bytes){ data, size }, &first, &second))
		return -1;
	file = mutate_copy(first, first.size);
	if (walk_error(bpf_object_parse(&obj, "fuzz.o", file, &err), &err)) {
		use(&obj, second);
		bpf_object_free(&obj);
	}
	free((void *)file.data);
	return 0;
}

FUZZ_MUTATES_PAIR(mutate_elf, mutate_bytes)
