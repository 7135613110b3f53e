// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print bpf_printk() lines and the streams of programs. */
#include <string.h>

#include "loader/core/print/message.h"
#include "loader/sessions/printk_text/program_lines.h"
#include "loader/core/value/value.h"

/* Print "prog: text", a line from bpf_printk() or a stream. */
void program_lines_print(FILE *file, struct json_object *msg)
{
	if (message_get(msg, "prog"))
		message_print_member(file, msg, "prog");
	else
		fputs("a program", file);
	if (message_text(msg, "stream") && !strcmp(message_text(msg, "stream"), "stderr"))
		fputs(" (stderr)", file);
	fputs(": ", file);
	message_print_line(file, message_get(msg, "text"));
}

static void add_task(struct json_object *msg, const struct program_line *line)
{
	value_add_int(msg, "cpu", line->cpu);
	value_add_int(msg, "pid", line->pid);
	value_add_int(msg, "tid", line->tid);
	value_add(msg, "comm", value_string(VALUE_TEXT, line->comm, strnlen(line->comm, 16)));
}

static int print_line(void *out, const struct program_line *line, struct error *err)
{
	struct json_object *msg = message_new(line->stream ? "stream" : "printk");
	size_t size = line->size;

	value_add_string(msg, "prog", line->prog);
	if (line->stream)
		value_add_string(msg, "stream", line->stream);
	else
		add_task(msg, line);
	if (size && line->text[size - 1] == '\n')	/* bpf_trace_printk() may add one */
		size--;
	value_add(msg, "text", value_string(VALUE_TEXT, line->text, size));
	return output_message_as(out, msg, program_lines_print, err);
}

struct line_sink program_lines(struct output *out)
{
	return (struct line_sink){ .line = print_line, .arg = out };
}
