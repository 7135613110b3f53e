// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Programs that run on packets, run over one of ours: BPF_PROG_TEST_RUN. */
#include <errno.h>

#include "loader/cmd/session.h"
#include "loader/output/message.h"
#include "loader/output/value.h"

/*
 * A UDP datagram from 192.0.2.1:4096 to 192.0.2.2:9 (discard) that says "pload"; addresses of RFC
 * 5737.
 */
static const unsigned char packet[] = {
	0x02, 0x00, 0x00, 0x00, 0x00, 0x02,		/* Ethernet: to, a locally administered address */
	0x02, 0x00, 0x00, 0x00, 0x00, 0x01,		/* from */
	0x08, 0x00,					/* IPv4 */
	0x45, 0x00, 0x00, 0x2e, 0x00, 0x00, 0x40, 0x00,	/* IPv4: 46 bytes, do not fragment */
	0x40, 0x11, 0xb6, 0xbb,				/* ttl 64, UDP, checksum */
	192, 0, 2, 1, 192, 0, 2, 2,
	0x10, 0x00, 0x00, 0x09, 0x00, 0x1a, 0x00, 0x00,	/* UDP: ports, 26 bytes, no checksum */
	'p', 'l', 'o', 'a', 'd', ' ', 't', 'e', 's', 't', ' ', 'p', 'a', 'c', 'k', 'e', 't', '!',
};

static int say(struct session *s, const char *name, uint32_t retval, struct error *err)
{
	struct json_object *msg = message_new("test-run");

	if (msg && value_add(msg, "name", json_object_new_string(name)) &&
	    value_add(msg, "runs", json_object_new_uint64(s->options->test_runs)) &&
	    value_add(msg, "data_size", json_object_new_uint64(sizeof(packet))) &&
	    value_add(msg, "retval", json_object_new_int64((int32_t)retval)))
		return output_message(s->out, msg, err);
	json_object_put(msg);
	return output_message(s->out, NULL, err);
}

int session_test_run(struct session *s, struct error *err)
{
	for (uint32_t i = 0; i < s->load.object.nr_progs; i++) {
		uint32_t retval = 0;
		int ret;

		if (!s->load.wanted[i])
			continue;
		ret = kernel_test_run(s->sys, &s->load.kernel, i, packet, sizeof(packet),
				      s->options->test_runs, &retval, err);
		if (ret < 0) {
			error_where(err, "%s", s->load.object.name);
			return ret;
		}
		/* What it said comes before what it returned. */
		ret = rings_drain(s->rings, err);
		if (!ret)
			ret = say(s, s->load.object.progs[i].name, retval, err);
		if (ret < 0)
			return ret;
	}
	kernel_keep_pins(&s->load.kernel);
	return 0;
}
