// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print records: as the compiled type writes them, or each as a message. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "loader/core/print/message.h"
#include "loader/core/print/record.h"
#include "loader/core/print/record_writer.h"
#include "loader/core/value/value.h"

/* Print "events cpu 0: {.pid = 12} payload 00112233 44556677". */
void record_print_text(FILE *file, struct json_object *msg)
{
	struct json_object *payload = message_get(msg, "payload");

	message_print_member(file, msg, "map");
	if (message_get(msg, "cpu"))
		fprintf(file, " cpu %" PRIu64, message_number(msg, "cpu"));
	putc(':', file);
	if (message_get(msg, "value")) {
		putc(' ', file);
		message_print_value(file, message_get(msg, "value"));
	}
	if (message_get(msg, "missing"))
		fprintf(file, " (%" PRIu64 " bytes shorter than its type)",
			message_number(msg, "missing"));
	if (payload) {
		fputs(" payload ", file);
		message_print_value(file, payload);
	}
	putc('\n', file);
}

static bool size_is_known(const struct record_format *format)
{
	return format->size || format->payload;
}

/* Return the padding of a perf record that has only the fixed part. See record_print(). */
static size_t padding_of(const struct record_format *format, size_t size)
{
	uint64_t filled = ((uint64_t)format->size + 4 + 7) / 8 * 8 - 4;

	return size_is_known(format) && size == filled ? size - format->size : 0;
}

/* Divide a record into the fixed part and what follows it; see record_print(). */
static struct record_parts parts_of(const struct record_format *format, const struct record *record)
{
	const struct bytes bytes = record->bytes;
	const size_t size = bytes.size - (record->padded ? padding_of(format, bytes.size) : 0);
	const bool has_rest = size_is_known(format) && format->size < size && !format->flexible;
	const size_t fixed = has_rest ? format->size : size;

	return (struct record_parts){
		.cpu = record->cpu,
		.value = bytes_slice(bytes, 0, fixed),
		.payload = bytes_slice(bytes, fixed, size - fixed),
		.has_value = fixed || !size,
		.has_payload = fixed < size,
	};
}

/* Return how the stacks of these records are printed; NULL: they have none. */
static const struct record_stacks *stacks_of(const struct output *out,
					     const struct record_format *format)
{
	return out->stacks && out->of_records->has(out->stacks, format->map_index) ?
		       out->of_records : NULL;
}

static int print_message(const struct record_printer *p, const struct record_parts *parts,
			 struct error *err)
{
	const struct record_format *format = &p->format;
	const struct record_stacks *stacks = stacks_of(p->out, format);
	struct json_object *msg;
	int ret;
	bool ok;

	if (stacks && p->out->only_stacks)
		return stacks->add(p->out->stacks, format->map_index, parts->value, NULL, err);
	msg = message_new("record");
	ok = msg && value_add(msg, "map", json_object_new_string(format->map));

	if (ok && parts->cpu >= 0)
		ok = value_add(msg, "cpu", json_object_new_int(parts->cpu));
	if (ok && parts->has_value)
		ok = value_add(msg, "value", record_writer_tree(p->writer, format, parts->value));
	if (ok && format->type && parts->value.size < format->size)
		ok = value_add(msg, "missing",
			       json_object_new_uint64(format->size - parts->value.size));
	if (ok && parts->has_payload)
		ok = value_add(msg, "payload", value_hex(parts->payload));
	if (!ok) {
		json_object_put(msg);
		msg = NULL;
	}
	ret = msg && stacks ?
		stacks->add(p->out->stacks, format->map_index, parts->value, msg, err) : 0;
	if (stacks && p->out->format->digest)
		stacks->drop_buffers(p->out->stacks, format->map_index,
				     message_get(msg, "value"));
	if (!ret)
		return output_message_as(p->out, msg, stacks ? stacks->print : record_print_text,
					 err);
	json_object_put(msg);
	return ret;
}

int record_print(void *printer, const struct record *record, struct error *err)
{
	struct record_printer *p = printer;
	const struct record_parts parts = parts_of(&p->format, record);
	const size_t room = p->writer ? record_writer_room(p->writer, &parts) : 0;
	char *to = NULL;
	const int ret = room ? output_room(p->out, room, &to, err) : 0;

	if (ret)
		return ret;
	if (!to)
		return print_message(p, &parts, err);
	output_wrote(p->out, record_writer_put(p->writer, to, &parts));
	return 0;
}

static void end(void *printer)
{
	struct record_printer *p = printer;

	output_free_room(p->out);
	record_writer_free(p->writer);
	free(p);
}

int record_printer(struct record_sink *sink, struct output *out, const struct record_format *format,
		   struct error *err)
{
	struct record_printer *p = malloc(sizeof(*p));

	if (!p)
		return error_set(err, ENOMEM, "no memory to print its records");
	*p = (struct record_printer){ .out = out, .format = *format };
	p->writer = record_writer_new(&p->format, stacks_of(out, format) ?
						  RECORDS_AS_MESSAGES : out->format->records);
	*sink = (struct record_sink){ .record = record_print, .end = end, .arg = p };
	return 0;
}
