/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Run a session and record its calls, each with the holders after it. */
#ifndef PLOAD_OBSERVE_STEP_RECORD_H
#define PLOAD_OBSERVE_STEP_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "loader/core/session/options.h"
#include "loader/core/sys/sys.h"
#include "loader/core/value/json_object.h"

struct recording {
	const char *method;	/* its name; static */
	/* owned: objects of --trace=json, each with a member "holders": docs/step.md */
	struct json_object *steps;
	char *printed;		/* owned: the output of the session */
	struct error refused;	/* owned; .code is 0 if the session succeeded */
	unsigned int failed;	/* the refused step, counted from 1; 0: none */
};

/**
 * recording_make() - Run the session of @o by @method over @sys, and record it.
 *
 * A session that fails is recorded up to its end, and its error kept.
 * Return: 0, or an error of the recording itself.
 */
int recording_make(struct recording *r, struct sys *sys, const struct options *o,
		   const struct attach_method *method, struct error *err);
/**
 * recording_read() - Make a recording of calls that were observed: lines of --trace=json.
 * recording_end() - Return the object of the end of a process, or NULL.
 */
int recording_read(struct recording *r, FILE *file, struct error *err);
struct json_object *recording_end(int pid, int status);
void recording_free(struct recording *r);

/* --- members.c --- */

/*
 * member_int(), member_text() - Return the member @name of @object, or @missing.
 * array_int(), array_text() - Return element @i of @array, or -1 and "".
 */
int member_int(struct json_object *object, const char *name, int missing);
const char *member_text(struct json_object *object, const char *name, const char *missing);
int array_int(struct json_object *array, size_t i);
const char *array_text(struct json_object *array, size_t i);

/** hex_read() - Fill the @size bytes of @to from hexadecimal; return false if there are fewer. */
bool hex_read(const char *text, void *to, size_t size);

/* --- methods.c --- */

#define METHODS_MAX 3

/**
 * methods_align() - Return the rows of a table: steps of all methods that are calls of one kind.
 *
 * A row is {"steps": [1, 1, 0], "names": ["openat", "openat", ""], "differs": true}; numbers of
 * steps count from 1, and 0 is none. A name is the call and those of its arguments that differ
 * between the methods; a call that not all methods make has all of them. NULL: no memory.
 */
struct json_object *methods_align(const struct recording *list, unsigned int nr);

/**
 * methods_print() - Print them as a table with a line for each call, as wide as it has to be.
 * Return: 0, -ENOMEM, or -E2BIG for more calls than can be aligned.
 */
int methods_print(FILE *out, const struct recording *list, unsigned int nr, struct error *err);

#endif
