/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The output of pload as text or JSON Lines: the file, its format, and how to write to it. */
#ifndef PLOAD_CORE_PRINT_OUTPUT_H
#define PLOAD_CORE_PRINT_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "loader/core/value/json_object.h"

#include "elf/btf.h"
#include "elf/error.h"

/*
 * The version of a session's messages. It changes when a field or type is removed or changes its
 * meaning, not when one is added.
 */
#define OUTPUT_VERSION 1

/*
 * While a write to a full pipe blocks, also poll for signals and the end of the session. If the
 * session ends, stop() detaches the programs, and writing continues. After a signal, a write fails
 * with EINTR once the reader has read nothing for half a second. A watch with only @fd set polls
 * nothing. (base/output/interruptible_stdout.c)
 *
 * stdio remembers that a write failed, but not the errno. @error keeps it, and nothing is written
 * until it has been reported: otherwise the file would have a gap.
 */
struct stdout_watch {
	int fd;			/* borrowed; descriptor 1, or the --output file */
	bool active;
	int error;		/* errno of the first failed write, until it is reported */
	size_t most;		/* maximum size of a write; 0: not determined yet */
	int signal_fd;		/* borrowed; a signalfd */
	uint64_t end_ns;	/* CLOCK_MONOTONIC; 0: no end time */
	void (*stop)(void *arg);
	void *arg;
	void (*clear)(struct stdout_watch *watch);	/* removes what the terminal shows; or
							 * NULL */
	const char *erase;	/* the escape sequence that does so */
	int shown_fd;		/* borrowed; the terminal that shows something */
	bool is_terminal;	/* @fd is that same terminal */
};

/**
 * stdout_watch_begin() - From now on also poll @signal_fd, and call @stop with @arg once when the
 * session must end.
 * stdout_watch_clear() - Clear whatever the terminal shows.
 *
 * If @watch is NULL, a write to a full pipe waits for its reader.
 */
static inline void stdout_watch_begin(struct stdout_watch *watch, int signal_fd,
				      void (*stop)(void *arg), void *arg)
{
	if (watch)
		*watch = (struct stdout_watch){
			.fd = watch->fd, .error = watch->error, .active = true,
			.signal_fd = signal_fd, .stop = stop, .arg = arg,
		};
}

static inline void stdout_watch_clear(struct stdout_watch *watch)
{
	if (watch && watch->clear)
		watch->clear(watch);
}

/*
 * All output consists of messages: JSON objects with a "type". The JSON format prints one per line;
 * the text format uses a function next to the one that built the message. So both formats have the
 * same content.
 */
struct output {
	FILE *file;		/* borrowed */
	const struct output_format *format;
	unsigned int rows;	/* elements of a map printed in text; 0: all */
	int status;		/* exit status of pload if nonzero; otherwise 0 or 1, as run()
				 * returns */
	void (*note)(struct output *out, const char *text);	/* NULL: notes are dropped */
	struct stdout_watch *watch;	/* borrowed; watched while @file blocks; or NULL */
	struct stacks *stacks;	/* borrowed; the stacks of rows and records; or NULL */
	const struct record_stacks *of_records;	/* how stacks in records are printed */
	const char *program;	/* program name in notes; NULL: pload */
	bool only_stacks;	/* do not print maps and records, count their stacks */
	bool version_due;	/* a session in JSON: the first line has the version */
	bool owns_stdout;	/* standard output is for a program: the command must not write
				 * there */
	struct output_room {	/* records written in place: see output_room() */
		char *text;	/* owned; NULL until needed */
		size_t size, room;
	} written;
};

/**
 * note() - Pass one line to @out->note: something the user should know that is not an error.
 * note_text() - The same as a callback, where @out is the struct output.
 * note_stderr() - For @out->note: print "PROGRAM: note: TEXT" to standard error, after flushing
 * previous output. Escapes control characters in @text.
 */
void note(struct output *out, const char *fmt, ...) __attribute__((cold, format(printf, 2, 3)));
void note_text(void *out, const char *text);
void note_stderr(struct output *out, const char *text);

/*
 * error_note_print() - Print a note as compilers do, without a newline:
 *	"prog.bpf.c:10:5: KIND: R0 may be NULL: *v += 1;"
 * @kind: "error", "note", or NULL to leave it out
 */
void error_note_print(FILE *file, const char *kind, const struct error_note *note);

/* output_format_find() - Find "text" or "json". Return NULL and fill @err (EINVAL) if neither. */
const struct output_format *output_format_find(const char *name, struct error *err);

/* output_format_colored() - Return the colored variant of @format, if it is text. */
const struct output_format *output_format_colored(const struct output_format *format);

/* Prints a message as text; supplied by the code that builds it. */
typedef void (*message_printer)(FILE *file, struct json_object *msg);

/**
 * output_message_as() - Print a message and release it.
 * @msg: the callee takes ownership; NULL is reported as ENOMEM, so that callers need not check.
 * @text: prints it in text format; NULL: print its members
 *
 * Return: 0, -EPIPE, or the file's -errno ("output/failed").
 */
int output_message_as(struct output *out, struct json_object *msg, message_printer text,
		      struct error *err);

/*
 * output_write() - Write @text, which must be whole messages in the format. Fails like
 * output_message_as().
 */
int output_write(struct output *out, const char *text, size_t size, struct error *err);

/**
 * output_room() - Point *@to at space for @room characters, to be written in place after all
 * previous output. NULL if out of memory. Fails like output_message_as().
 * output_more_room() - The slow path, when there is not enough space left.
 * output_wrote() - Declare that characters up to @end were written.
 * output_pass_on() - Pass what was written in place to the file. output_message_as(),
 * output_write() and output_flush() do this first.
 * output_free_room() - The same, and release the memory until it is needed again.
 */
void output_pass_on(struct output *out);
void output_free_room(struct output *out);
int output_more_room(struct output *out, size_t room, char **to, struct error *err);

static inline int output_room(struct output *out, size_t room, char **to, struct error *err)
{
	if (room > out->written.room - out->written.size)
		return output_more_room(out, room, to, err);
	*to = out->written.text + out->written.size;
	return 0;
}

static inline void output_wrote(struct output *out, const char *end)
{
	out->written.size = end - out->written.text;
}

/* output_flush() - Write out the buffer, with SIGPIPE blocked. Fails like output_message_as(). */
int output_flush(struct output *out, struct error *err);

/* output_has_no_reader() - Return true if @err is -EPIPE from output_message_as(). */
bool output_has_no_reader(const struct error *err);

#endif
