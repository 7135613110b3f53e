// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print records, each as a message. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "loader/core/print/message.h"
#include "loader/core/print/record.h"
#include "loader/core/value/layout.h"
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

/* Return the padding of a perf record that consists only of the fixed part. See record_print(). */
static size_t padding_of(const struct record_format *format, size_t size)
{
	uint64_t filled = ((uint64_t)format->size + 4 + 7) / 8 * 8 - 4;

	return size_is_known(format) && size == filled ? size - format->size : 0;
}

/* Split a record into the fixed part and what follows it; see record_print(). */
struct record_parts record_parts_of(const struct record_format *format,
				    const struct record *record)
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

const struct record_stacks *record_stacks_of(const struct output *out,
					     const struct record_format *format)
{
	return out->stacks && out->of_records->has(out->stacks, format->map_index) ?
		       out->of_records : NULL;
}

int record_print_message(const struct record_printer *p, const struct record_parts *parts,
			 struct json_object *value, struct error *err)
{
	const struct record_format *format = &p->format;
	const struct record_stacks *stacks = record_stacks_of(p->out, format);
	struct json_object *msg;
	int ret;
	bool ok;

	if (stacks && p->out->only_stacks) {
		json_object_put(value);
		return stacks->add(p->out->stacks, format->map_index, parts->value, NULL, err);
	}
	msg = message_new("record");
	ok = msg && value_add(msg, "map", json_object_new_string(format->map));

	if (ok && parts->cpu >= 0)
		ok = value_add(msg, "cpu", json_object_new_int(parts->cpu));
	if (parts->has_value)
		ok = value_add(msg, "value", value) && ok;
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
	const struct record_printer *p = printer;
	const struct record_parts parts = record_parts_of(&p->format, record);
	struct json_object *value = NULL;

	if (parts.has_value)
		value = value_decode(p->format.btf, p->format.type, parts.value);
	return record_print_message(p, &parts, value, err);
}

int record_printer(struct record_sink *sink, struct output *out, const struct record_format *format,
		   struct error *err)
{
	struct record_printer *p = malloc(sizeof(*p));

	if (!p)
		return error_set(err, ENOMEM, "no memory to print its records");
	*p = (struct record_printer){ .out = out, .format = *format };
	*sink = (struct record_sink){ .record = record_print, .end = free, .arg = p };
	return 0;
}
