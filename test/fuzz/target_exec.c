// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Fuzzes the readers of files that are probed: executables with their symbols and USDT notes, the
 * arguments in these notes, and the cache of the dynamic linker. The first bytes choose the reader.
 */
#include "elf/exec/ld_cache.h"
#include "elf/exec/usdt_notes.h"
#include "test/fuzz/target.h"

/*
 * The input in pieces, each in its own allocation, so that the sanitizer detects a read past its
 * end.
 */
struct pieces {
	struct bytes file;
	unsigned char *owned[256];
	unsigned int nr;
};

static int get(void *arg, uint64_t off, uint64_t len, struct bytes *out, struct error *err)
{
	struct pieces *p = arg;

	promise(len && bytes_hold(p->file.size, off, len));
	if (p->nr == sizeof(p->owned) / sizeof(p->owned[0]))
		return error_set(err, 5, "too many pieces");
	p->owned[p->nr] = malloc(len);
	if (!p->owned[p->nr])
		abort();
	memcpy(p->owned[p->nr], p->file.data + off, len);
	*out = (struct bytes){ p->owned[p->nr++], len };
	return 0;
}

static void walk_name(const char *text, uint32_t len)
{
	promise(text && len < 4096);
	for (uint32_t i = 0; i < len; i++)
		promise(text[i]);
}

static void walk_table(const struct exec *x, const struct exec_table *table)
{
	uint64_t offset, address;
	struct exec_symbol s;
	uint32_t flags;

	for (uint32_t i = 0; i < table->nr; i++) {
		if (!exec_symbol(x, table, i, &s))
			continue;
		walk_name(s.name, s.name_len);
		promise(s.name_len);
		if (s.version)
			walk_name(s.version, s.version_len);
		promise(s.version || !s.version_len);
		if (exec_offset(x, s.value, &offset, &flags)) {
			promise(offset < x->source.size);
			promise(exec_address(x, offset, &address, &flags));
		}
		exec_symbol_is_function(&s);
	}
}

static void walk_args(const struct exec *x, const struct sdt_note *note)
{
	static const uint16_t machines[] = { EM_X86_64, EM_386, EM_AARCH64, EM_S390, EM_RISCV };
	struct sdt_arg a;

	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		const char *text = note->args;

		while (sdt_arg_next(machines[i], x->is_64, &text, &a)) {
			promise(a.size == 1 || a.size == 2 || a.size == 4 || a.size == 8);
			promise(a.kind <= SDT_ARG_OTHER && (a.kind != SDT_ARG_OTHER || a.why));
			promise(a.shift <= 4 && a.base < 512 && a.index < 512);
			if (a.symbol)
				walk_name(a.symbol, a.symbol_len);
			promise(text <= note->args + strlen(note->args));
		}
		promise(!*text);
	}
}

static void walk_notes(const struct exec *x)
{
	struct error err = { 0 };
	struct sdt_reader r;
	struct sdt_note note;
	int ret;

	sdt_begin(&r, x);
	while ((ret = sdt_next(&r, &note, &err)) > 0) {
		walk_name(note.provider, strlen(note.provider));
		walk_name(note.name, strlen(note.name));
		walk_args(x, &note);
	}
	walk_error(ret, &err);
}

static void use_exec(struct bytes file)
{
	struct pieces p = { .file = file };
	const struct source source = { file.size, get, &p };
	struct error err = { 0 };
	const char *name;
	struct exec x;
	int ret = exec_open(&x, &source, &err);

	if (ret)
		error_where(&err, "the file");
	if (walk_error(ret, &err)) {
		for (uint32_t i = 0; i < x.nr_sections; i++)
			walk_name(x.sections[i].name, strlen(x.sections[i].name));
		ret = exec_read_symbols(&x, &err);
		if (ret)
			error_where(&err, "the file");
		if (walk_error(ret, &err)) {
			walk_table(&x, &x.symtab);
			walk_table(&x, &x.dynsym);
		}
		walk_notes(&x);
		for (uint32_t i = 0; i < 8 && (name = exec_needed(&x, i)); i++)
			walk_name(name, strlen(name));
		promise(exec_build_id(&x).size <= 64);
	}
	exec_close(&x);
	while (p.nr)
		free(p.owned[--p.nr]);
}

static bool use_cache(struct bytes file)
{
	struct error err = { 0 };
	struct ld_library lib;
	struct ld_cache cache;
	int ret = ld_cache_parse(&cache, file, &err);
	const bool is_cache = !ret;

	if (ret)
		error_where(&err, "the file");
	if (walk_error(ret, &err)) {
		for (uint32_t i = 0; i < cache.nr; i++) {
			if (!ld_cache_library(&cache, i, &lib))
				continue;
			walk_name(lib.name, strlen(lib.name));
			walk_name(lib.path, strlen(lib.path));
			promise(!lib.hwcaps || !lib.old_hwcaps);
		}
	}
	return is_cache;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct bytes file = { data, size };

	if (!use_cache(file))
		use_exec(file);
	return 0;
}

/* The fields that refer to something are words and halves of words, in headers and tables. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned int seed)
{
	struct mutator m = fuzz_seed(seed);
	unsigned int width = 2u << mutate_below(&m, 3);
	size_t at;
	uint64_t value;

	if (size < 16 || !mutate_below(&m, 3))
		return mutate_bytes(&m, data, size, max);
	at = mutate_below(&m, (size - width) / 2 + 1) * 2;
	value = mutate_below(&m, 2) ? mutate_below(&m, size) : pick_word(&m, data[at], size);
	for (unsigned int i = 0; i < width; i++)
		data[at + (size > EI_DATA && data[EI_DATA] == ELFDATA2MSB ? width - 1 - i : i)] =
			value >> (8 * i);
	return size;
}
