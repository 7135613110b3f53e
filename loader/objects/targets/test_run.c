// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* --test-run: run programs without their event, on a built-in packet or with zeroed arguments. */
#include <errno.h>
#include <inttypes.h>

#include "loader/objects/targets/targets.h"
#include "loader/core/print/message.h"
#include "loader/core/value/value.h"
#include "loader/base/kernel/kernel_calls.h"

/* A UDP datagram from 192.0.2.1:4096 to 192.0.2.2:9 (discard), with RFC 5737 addresses. */
static const unsigned char packet[] = {
	0x02, 0x00, 0x00, 0x00, 0x00, 0x02,		/* Ethernet: destination, a locally
							 * administered address */
	0x02, 0x00, 0x00, 0x00, 0x00, 0x01,		/* from */
	0x08, 0x00,					/* IPv4 */
	0x45, 0x00, 0x00, 0x2e, 0x00, 0x00, 0x40, 0x00,	/* IPv4: 46 bytes, do not fragment */
	0x40, 0x11, 0xb6, 0xbb,				/* ttl 64, UDP, checksum */
	192, 0, 2, 1, 192, 0, 2, 2,
	0x10, 0x00, 0x00, 0x09, 0x00, 0x1a, 0x00, 0x00,	/* UDP: ports, 26 bytes, no checksum */
	'p', 'l', 'o', 'a', 'd', ' ', 't', 'e', 's', 't', ' ', 'p', 'a', 'c', 'k', 'e', 't', '!',
};

/* MAX_BPF_FUNC_ARGS: maximum arguments of a tracepoint. */
#define MAX_ARGS 12

/* The kernel runs these types only with a context, and once per call: net/bpf/test_run.c. */
static bool takes_packet(const struct object_prog *prog)
{
	switch (prog->kind->prog_type) {
	case BPF_PROG_TYPE_SYSCALL:
	case BPF_PROG_TYPE_RAW_TRACEPOINT:
	case BPF_PROG_TYPE_RAW_TRACEPOINT_WRITABLE:
		return false;
	default:
		return true;
	}
}

static int run(struct session *s, uint32_t prog, uint32_t *retval, struct error *err)
{
	const bool packets = takes_packet(&s->load.object.progs[prog]);
	const struct test_input over_packet = { .data = packet, .size = sizeof(packet),
						.repeat = s->options->test_runs };
	uint64_t args[MAX_ARGS] = { 0 };	/* a syscall program may write to them */
	const struct test_input alone = { .ctx = args, .ctx_size = sizeof(args) };
	int ret = 0;

	for (uint32_t i = packets ? 1 : s->options->test_runs; !ret && i > 0; i--)
		ret = kernel_test_run(s->sys, &s->load.kernel, prog,
				      packets ? &over_packet : &alone, retval, err);
	return ret;
}

void session_print_test_run(FILE *file, struct json_object *msg)
{
	uint64_t runs = message_number(msg, "runs");

	message_print_member(file, msg, "name");
	fprintf(file, ": %" PRIu64 " run%s over %" PRIu64 " bytes, returned %" PRId64 "\n", runs,
		runs == 1 ? "" : "s", message_number(msg, "data_size"),
		json_object_get_int64(message_get(msg, "retval")));
}

static int print_result(struct session *s, const struct object_prog *prog, uint32_t retval,
	       struct error *err)
{
	const size_t size = takes_packet(prog) ? sizeof(packet) : 0;
	struct json_object *msg = message_new("test-run");

	value_add_string(msg, "name", prog->name);
	value_add_uint(msg, "runs", s->options->test_runs);
	value_add_uint(msg, "data_size", size);
	value_add_int(msg, "retval", (int32_t)retval);
	return output_message_as(s->out, msg, session_print_test_run, err);
}

static int test_run(struct session *s, struct error *err)
{
	if (!s->options->test_runs)
		return 0;
	for (uint32_t i = 0; i < s->load.object.nr_progs; i++) {
		uint32_t retval = 0;
		int ret;

		if (!s->load.wanted[i])
			continue;
		ret = run(s, i, &retval, err);
		if (ret < 0) {
			error_where(err, "%s", s->load.object.name);
			return ret;
		}
		/* Print its records before its return value. */
		ret = rings_drain(s->rings, err);
		if (!ret)
			ret = print_result(s, &s->load.object.progs[i], retval, err);
		if (ret < 0)
			return ret;
	}
	kernel_keep_pins(&s->load.kernel);
	return 1;
}

const struct plan_feature plan_test_run = { .run = test_run };
