// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Files that take long to read: debug files that are none, and tables that are too large. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test/hostile/hostile.h"

#define HOLE (200u << 20)
#define BOMB (1u << 30)
#define NAME_SIZE 100000000u	/* with the symbols just below 256 MB */
#define NR_SYMBOLS 7000000u

/* --- debug files --- */

/* A stripped file that names DIR/x.debug as its debug file. */
static void link_file(const char *path)
{
	const char link[12] = "x.debug\0CRC";
	struct elf_file f;

	elf_begin(&f, path);
	elf_section(&f, ".gnu_debuglink", SHT_PROGBITS, link, sizeof(link));
	elf_end(&f);
}

/* A debug file, which is as large as the file system allows. */
static void sparse_file(const char *path)
{
	struct elf_file f;
	off_t size = INT64_MAX;

	elf_begin(&f, path);
	elf_symbols(&f, "sparse");
	elf_end(&f);
	while (truncate(path, size))
		size = errno == EFBIG || errno == EINVAL ? size / 2 : 0;
	if (size < 1ll << 40)
		cannot("truncate to a TB");
}

static void act_link(struct stage *stage, const char *to)
{
	char *path = path_of(stage, "x"), *debug = path_of(stage, "x.debug");
	char *fifo = path_of(stage, "fifo");

	link_file(path);
	if (mkfifo(fifo, 0644))
		cannot("mkfifo");
	if (!strcmp(to, "sparse"))
		sparse_file(debug);
	else if (symlink(!strcmp(to, "fifo") ? fifo : to, debug))
		cannot("symlink");
	elf_spin(path);
}

/* --- a terminal, which becomes that of a leader of a session without one --- */

static void prepare_tty(struct stage *stage)
{
	stage->tty[0] = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (stage->tty[0] < 0 || unlockpt(stage->tty[0]))
		cannot("posix_openpt");
	stage->tty[1] = open(ptsname(stage->tty[0]), O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (stage->tty[1] < 0 || fchown(stage->tty[1], ATTACKER, ATTACKER))
		cannot("open of a terminal");
}

/* Type ^C all the time; it is a signal for the processes whose terminal that is. */
static void act_tty(struct stage *stage, const char *unused)
{
	(void)unused;
	act_link(stage, ptsname(stage->tty[0]));
	if (worker())
		return;
	while (write(stage->tty[0], "\3", 1) == 1)
		poll(NULL, 0, 10);
}

/* --- tables --- */

static void act_notes(struct stage *stage, const char *kind)
{
	char *path = path_of(stage, "x");
	struct elf_file f;
	uint64_t hole;

	elf_begin(&f, path);
	hole = f.at;
	elf_section(&f, ".hole", SHT_PROGBITS, NULL, HOLE);
	if (!strcmp(kind, "segments"))
		elf_note_segments(&f, 60000, hole, HOLE);
	else
		elf_note_sections(&f, 65000, hole, HOLE);
	elf_symbols(&f, "after_many_notes");
	elf_end(&f);
	elf_spin(path);
}

/* Compress BOMB zeros. */
static size_t bomb(uint8_t *out, size_t room)
{
	static const uint8_t zeros[1 << 20];
	lzma_stream xz = LZMA_STREAM_INIT;
	uint64_t left = BOMB;

	if (lzma_easy_encoder(&xz, 0, LZMA_CHECK_NONE) != LZMA_OK)
		cannot("lzma_easy_encoder");
	xz.next_out = out;
	xz.avail_out = room;
	for (; left; left -= sizeof(zeros)) {
		xz.next_in = zeros;
		xz.avail_in = sizeof(zeros);
		if (lzma_code(&xz, LZMA_RUN) != LZMA_OK || xz.avail_in)
			cannot("lzma_code");
	}
	if (lzma_code(&xz, LZMA_FINISH) != LZMA_STREAM_END)
		cannot("lzma_code");
	room -= xz.avail_out;
	lzma_end(&xz);
	return room;
}

static void act_bomb(struct stage *stage, const char *unused)
{
	char *path = path_of(stage, "x");
	const size_t room = 4 << 20;
	uint8_t *data = malloc(room);
	struct elf_file f;

	(void)unused;
	if (!data)
		cannot("malloc");
	elf_begin(&f, path);
	elf_section(&f, ".gnu_debugdata", SHT_PROGBITS, data, bomb(data, room));
	elf_end(&f);
	elf_spin(path);
}

static void *names_file(struct stage *stage, const char *name)
{
	char *path = path_of(stage, name);
	struct elf_file f;

	elf_begin(&f, path);
	elf_many_symbols(&f, NR_SYMBOLS, NAME_SIZE);
	elf_end(&f);
	return elf_map(path);
}

static void act_names(struct stage *stage, const char *unused)
{
	void *code = names_file(stage, "x");

	(void)unused;
	if (!worker())
		((void (*)(void))code_at(code, code_spin))();
}

/* A stack of which each frame is in the other file. */
static void act_two_names(struct stage *stage, const char *unused)
{
	const void *codes[] = { names_file(stage, "x"), names_file(stage, "y") };
	void *calls[32];
	const size_t nr = sizeof(calls) / sizeof(calls[0]);

	(void)unused;
	for (size_t i = 0; i < nr; i++)
		calls[i] = i < nr - 1 ? code_step_at(codes[i % 2]) : code_at(codes[1], code_spin);
	if (!worker())
		((void (*)(void *const *))calls[0])(calls + 1);
}

const struct attack file_attacks[] = {
	{ "debug-sparse", act_link, .arg = "sparse" },
	{ "debug-fifo", act_link, .arg = "fifo" },
	{ "debug-zero", act_link, .arg = "/dev/zero" },
	{ "debug-tty", act_tty, .prepare = prepare_tty },
	{ "note-segments", act_notes, .arg = "segments" },
	{ "note-sections", act_notes, .arg = "sections" },
	{ "xz-bomb", act_bomb, .arg = NULL },
	{ "long-names", act_names, .arg = NULL },
	{ "long-names-of-two", act_two_names, .arg = NULL },
	{ 0 },
};
