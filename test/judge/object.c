// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The object that a loader gets: a template of objects/ with names and numbers of this run. */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/judge/judge.h"
#include "test/regress/harness/parts.h"

#define DEFINES_MAX 40

uint32_t random_below(struct run *run, uint32_t n)
{
	/* xorshift64 */
	run->random ^= run->random << 13;
	run->random ^= run->random >> 7;
	run->random ^= run->random << 17;
	return (run->random >> 11) % n;
}

static void choose_name(struct run *run, char *name, const char *const *words)
{
	snprintf(name, NAME_SIZE, "%s_%u", words[random_below(run, 4)], random_below(run, 900));
}

static void choose(struct run *run)
{
	static const char *const programs[] = { "sample", "on_tick", "count", "observe" };
	static const char *const hashes[] = { "hits", "seen", "latencies", "stacks_of_all_tasks" };
	static const char *const arrays[] = { "totals", "slots", "ring", "buckets" };
	static const char *const spares[] = { "rest", "others", "by_pair", "later" };
	static const char *const licenses[] = { "GPL v2", "Dual BSD/GPL", "Dual MIT/GPL",
						 "GPL and additional rights" };
	const uint32_t page = sysconf(_SC_PAGESIZE);
	struct choice *c = &run->choice;

	choose_name(run, c->program, programs);
	choose_name(run, c->hash, hashes);
	choose_name(run, c->array, arrays);
	choose_name(run, c->spare, spares);
	c->license = licenses[random_below(run, 4)];
	c->hash_entries = 100 + random_below(run, 900);
	c->array_entries = 1100 + random_below(run, 900);
	c->words = 3 + random_below(run, 5);
	c->data_first = 1000 + random_below(run, 1000);
	c->data_second = 3000 + random_below(run, 1000);
	c->bss_pad = 3 + random_below(run, 5);
	c->step = 5 + random_below(run, 90);
	c->limit = 1000000 + random_below(run, 1000000);
	c->keys = 3 + random_below(run, 4);
	c->rows = 3 + random_below(run, 5);
	/*
	 * Enough to fill the ring several times, with a record that crosses the end; the last
	 * record is not discarded.
	 */
	c->records = 3 * (page <= 4096 ? 512 : page / 24) + 3 * random_below(run, 20) + 1;
	if (run->stage->cookie)
		run->cookie = (1ull << 63) + ((uint64_t)random_below(run, 1u << 31) << 32) +
			      random_below(run, 1u << 31);
}

static bool stage_has(const struct run *run, const char *feature)
{
	const size_t len = strlen(feature);
	const char *at = run->stage->features;

	while ((at = strstr(at, feature))) {
		if (at[len] == ' ' || !at[len])
			return true;
		at += len;
	}
	return false;
}

struct defines {
	char text[DEFINES_MAX][96];
	char *argv[DEFINES_MAX + 16];
	int nr;
};

static void define(struct defines *d, const char *name, const char *value)
{
	snprintf(d->text[d->nr++], sizeof(d->text[0]), "-D%s=%s", name, value);
}

static void define_number(struct defines *d, const char *name, uint32_t value)
{
	char number[16];

	snprintf(number, sizeof(number), "%u", value);
	define(d, name, number);
}

static void define_all(struct run *run, struct defines *d)
{
	const struct choice *c = &run->choice;
	char words[256], license[32], *save = NULL;

	snprintf(words, sizeof(words), "%s", run->stage->features);
	for (char *f = strtok_r(words, " ", &save); f; f = strtok_r(NULL, " ", &save))
		if (strncmp(f, "PERCPU", 6))
			define(d, f, "1");
	define(d, "PROGRAM", c->program);
	define(d, "HASH", c->hash);
	define(d, "ARRAY", c->array);
	define(d, "SPARE", c->spare);
	snprintf(license, sizeof(license), "\"%s\"", c->license);
	define(d, "LICENSE_TEXT", license);
	define_number(d, "HASH_ENTRIES", c->hash_entries);
	define_number(d, "ARRAY_ENTRIES", c->array_entries);
	define_number(d, "ARRAY_TYPE", stage_has(run, "PERCPU") ? BPF_MAP_TYPE_PERCPU_ARRAY :
								  BPF_MAP_TYPE_ARRAY);
	define_number(d, "WORDS", c->words);
	define_number(d, "DATA_FIRST", c->data_first);
	define_number(d, "DATA_SECOND", c->data_second);
	define_number(d, "BSS_PAD", c->bss_pad);
	define_number(d, "STEP", c->step);
	define_number(d, "LIMIT", c->limit);
	define_number(d, "KEYS", c->keys);
	define_number(d, "ROWS", c->rows);
	define_number(d, "RECORDS", c->records);
	define_number(d, "RING_SIZE", sysconf(_SC_PAGESIZE));
	define(d, "SECOND", "another_program");
	define(d, "THIRD", "third_program");
	define(d, "FIELD_BEFORE", "exit_code");
	define(d, "FIELD", random_below(run, 2) ? "tgid" : "pid");
	if (random_below(run, 2))
		define(d, "ARRAY_FIRST", "1");
	if (run->is_peer)
		define(d, "FOR_PEERS", "1");
}

/* Write the template to @path. */
static bool write_template(struct run *run, const char *path)
{
	const struct regress_embedded *e = regress_embedded;
	FILE *out;

	while (e->name && strcmp(e->name, run->stage->object))
		e++;
	out = e->name ? fopen(path, "we") : NULL;
	if (!out)
		return wrong(run, "%s cannot be written: %s", path, strerror(errno));
	fwrite(e->data, 1, e->end - e->data, out);
	return fclose(out) == 0 || wrong(run, "%s cannot be written: %s", path, strerror(errno));
}

/* Run clang. Its messages are for users without clang, or with one that is too old. */
static bool compile(struct run *run, const char *source)
{
	const char *clang = getenv("CLANG");
	struct defines d = { .nr = 0 };
	int argc = 0, status;
	pid_t pid;

	if (!clang || !*clang)
		clang = "clang";
	define_all(run, &d);
	for (const char *const *arg = (const char *const[]){ clang, "-O2", "-g", "-target", "bpf", "-c",
							      "-o", run->path, source, NULL };
	     *arg; arg++)
		d.argv[argc++] = (char *)*arg;
	for (int i = 0; i < d.nr; i++)
		d.argv[argc++] = d.text[i];
	d.argv[argc] = NULL;
	pid = fork();
	if (pid == 0) {
		sigset_t none;

		sigemptyset(&none);
		sigprocmask(SIG_SETMASK, &none, NULL);
		execvp(clang, d.argv);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return wrong(run, "%s cannot be run: %s", clang, strerror(errno));
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return wrong(run, "there is no '%s', which compiles the objects: install clang, or "
			     "name one by CLANG=", clang);
	return status == 0 || wrong(run, "%s cannot compile the object: see its message", clang);
}

static bool read_file(struct run *run)
{
	FILE *in = fopen(run->path, "re");
	long size;

	if (!in || fseek(in, 0, SEEK_END) || (size = ftell(in)) < 0)
		return wrong(run, "%s: %s", run->path, strerror(errno));
	rewind(in);
	free(run->file);
	run->file = calloc(1, size + 1);
	run->file_size = run->file ? fread(run->file, 1, size, in) : 0;
	fclose(in);
	return run->file_size == (size_t)size || wrong(run, "%s cannot be read", run->path);
}

/*
 * Append a table of names for the sections, in another order than in the one that symbols use, and
 * headers that refer to it. It is neither the first nor the last section, nor the only table:
 *
 *	| object of clang | names | headers, two more |
 */
static bool separate_names(struct run *run)
{
	Elf64_Ehdr *header = (Elf64_Ehdr *)run->file;
	const Elf64_Shdr *old = (const Elf64_Shdr *)(run->file + header->e_shoff);
	const char *old_names = (const char *)run->file + old[header->e_shstrndx].sh_offset;
	const unsigned int nr = header->e_shnum;
	Elf64_Shdr *new = calloc(nr + 2, sizeof(*new));
	char *names = calloc(nr + 2, 256);
	uint64_t used = 1 + random_below(run, 100);
	FILE *out;

	for (unsigned int i = 0; i < nr + 2; i++) {
		const char *name = i == nr ? ".shstrtab" : i > nr ? ".other_strings" :
							    old_names + old[i].sh_name;

		if (i < nr)
			new[i] = old[i];
		new[i].sh_name = i ? used : 0;
		strcpy(names + used, name);
		used += strlen(name) + 1;
	}
	used = (used + 7) / 8 * 8;
	new[nr].sh_type = new[nr + 1].sh_type = SHT_STRTAB;
	new[nr].sh_addralign = new[nr + 1].sh_addralign = 1;
	new[nr].sh_offset = (run->file_size + 7) / 8 * 8;
	new[nr].sh_size = used;
	new[nr + 1].sh_offset = new[nr].sh_offset;
	new[nr + 1].sh_size = 1;	/* "" */
	header->e_shstrndx = nr;
	header->e_shnum = nr + 2;
	header->e_shoff = new[nr].sh_offset + used;
	out = fopen(run->path, "we");
	if (out) {
		fwrite(run->file, 1, run->file_size, out);
		fseek(out, new[nr].sh_offset, SEEK_SET);
		fwrite(names, 1, used, out);
		fwrite(new, sizeof(*new), nr + 2, out);
		fclose(out);
	}
	free(new);
	free(names);
	return out != NULL && read_file(run);
}

static Elf64_Shdr *file_sections(struct run *run)
{
	return (Elf64_Shdr *)(run->file + ((Elf64_Ehdr *)run->file)->e_shoff);
}

static uint32_t file_nr_sections(const struct run *run)
{
	return ((const Elf64_Ehdr *)run->file)->e_shnum;
}

/* A section without bytes has an offset, too, at which are the bytes of others: here the first. */
static void move_empty_sections(struct run *run)
{
	Elf64_Shdr *s = file_sections(run);

	for (uint32_t i = 1; i < file_nr_sections(run); i++)
		if (s[i].sh_type == SHT_NOBITS)
			s[i].sh_offset = 0;
}

/* Return the relocation of the word at @offset of section @section, or NULL. */
static Elf64_Rel *file_reloc(struct run *run, uint32_t section, uint64_t offset)
{
	const Elf64_Shdr *s = file_sections(run);

	for (uint32_t i = 1; i < file_nr_sections(run); i++) {
		Elf64_Rel *relocs = (Elf64_Rel *)(run->file + s[i].sh_offset);

		if (s[i].sh_type != SHT_REL || s[i].sh_info != section)
			continue;
		for (uint32_t r = 0; r < s[i].sh_size / sizeof(*relocs); r++)
			if (relocs[r].r_offset == offset)
				return &relocs[r];
	}
	return NULL;
}

/*
 * Exchange the first two variables of the DATASEC at @vars, with what relocates their offsets: a
 * loader has to sort them. @at is the offset of @vars in section @section.
 */
static void exchange_variables(struct run *run, struct btf_var_secinfo *vars, uint32_t section,
			       uint64_t at)
{
	const uint64_t off = offsetof(struct btf_var_secinfo, offset);
	Elf64_Rel *first = file_reloc(run, section, at + off);
	Elf64_Rel *second = file_reloc(run, section, at + sizeof(*vars) + off);
	const struct btf_var_secinfo var = vars[0];

	vars[0] = vars[1];
	vars[1] = var;
	if (first && second) {
		const uint64_t info = first->r_info;

		first->r_info = second->r_info;
		second->r_info = info;
	}
}

/* Exchange the first two variables of .data, of an object that was read for its types. */
static void unsort_variables(struct run *run)
{
	const struct btf *btf = &run->object.btf;
	const uint32_t id = btf_find(btf, BTF_KIND_DATASEC, ".data");
	const Elf64_Shdr *s = file_sections(run);

	for (uint32_t i = 1; id && i < file_nr_sections(run); i++) {
		unsigned char *types = run->file + s[i].sh_offset;
		const struct btf_header *header = (const void *)types;
		uint64_t at;

		if (strcmp(run->object.image.sections[i].name, ".BTF"))
			continue;
		at = header->hdr_len + header->type_off + btf_type(btf, id).at + sizeof(struct btf_type);
		exchange_variables(run, (struct btf_var_secinfo *)(types + at), i, at);
	}
}

static bool write_file(struct run *run)
{
	FILE *out = fopen(run->path, "we");
	bool written = out && fwrite(run->file, 1, run->file_size, out) == run->file_size;

	if (out && fclose(out))
		written = false;
	return written || wrong(run, "%s cannot be written: %s", run->path, strerror(errno));
}

/* In a directory of objects, the name has the seed by which the names in the object were chosen. */
#define OBJECT_NAME "%.200s/%s-%llu.judge.o"

static bool find_object(struct run *run)
{
	char pattern[320], format[320];
	unsigned long long seed;
	glob_t found;

	snprintf(pattern, sizeof(pattern), "%.200s/%s-*.judge.o", run->objects, run->stage->name);
	if (glob(pattern, 0, NULL, &found))
		return wrong(run, "there is no object %s: `judge --compile=DIR` compiles them", pattern);
	snprintf(run->path, sizeof(run->path), "%s", found.gl_pathv[0]);
	globfree(&found);
	snprintf(format, sizeof(format), "%s-%%llu.judge.o", run->stage->name);
	if (sscanf(strrchr(run->path, '/') + 1, format, &seed) != 1)
		return wrong(run, "%s has no number in its name", run->path);
	run->seed = seed;
	return true;
}

static bool parse(struct run *run)
{
	char sentence[SENTENCE_SIZE];
	struct error error = { 0 };

	if (!bpf_object_parse(&run->object, run->path,
			      (struct bytes){ run->file, run->file_size }, &error))
		return true;
	snprintf(sentence, sizeof(sentence), "%s", error.what);
	error_clear(&error);
	return wrong(run, "pload cannot read the object of this clang: %s", sentence);
}

/* Compile the template at @source to run->path, and do with the object what clang does not. */
static bool make_object(struct run *run, const char *source)
{
	if (!write_template(run, source) || !compile(run, source) || !read_file(run))
		return false;
	move_empty_sections(run);
	if (run->stage->two_tables)
		return separate_names(run);
	if (run->stage->unsorted && !run->is_peer) {
		if (!parse(run))
			return false;
		unsort_variables(run);
		bpf_object_free(&run->object);
	}
	return write_file(run);
}

bool object_build(struct run *run)
{
	char source[320];

	if (run->objects && !find_object(run))
		return false;
	run->random = (run->seed + 1) * 0x9e3779b97f4a7c15;
	choose(run);
	if (run->objects)
		return read_file(run) && parse(run);
	snprintf(run->path, sizeof(run->path), "%s/%s.bpf.o", run->dir, run->choice.program);
	snprintf(source, sizeof(source), "%s/%s.bpf.c", run->dir, run->choice.program);
	return make_object(run, source) && parse(run);
}

bool object_compile(struct run *run, const char *dir)
{
	char source[320];
	bool made;

	run->random = (run->seed + 1) * 0x9e3779b97f4a7c15;
	choose(run);
	snprintf(run->path, sizeof(run->path), OBJECT_NAME, dir, run->stage->name,
		 (unsigned long long)run->seed);
	snprintf(source, sizeof(source), "%s/%s.bpf.c", dir, run->stage->name);
	made = make_object(run, source);
	unlink(source);
	return made;
}
