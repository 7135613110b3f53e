/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Programs of every type that can run here, each run once, for a helper that they all call. */
#ifndef PLOAD_REGRESS_CARRIER_RUN_H
#define PLOAD_REGRESS_CARRIER_RUN_H

#include "test/regress/common/own_dir.h"
#include "test/regress/groups/helpers/helper_run.h"

/* The thing to which a program is bound, if any. */
enum carried_by {
	BY_FAULT,		/* a page fault, which helper_fire() makes */
	BY_EVENT,		/* an event */
	BY_TEST_RUN,		/* BPF_PROG_TEST_RUN over a packet or with a context */
	BY_FUNCTION,		/* a function that test runs call */
	BY_CGROUP,		/* a cgroup, with a process in it for each run */
	BY_NETNS,		/* a network namespace */
	BY_SOCKETS,		/* one end of a connection in the map "sockets", which sends */
	BY_STREAM,		/* the same, and it is sent to */
	BY_HOOK,		/* the hook that its section names */
};

/* How a program of one type is triggered: by_NAME of an object with bpf/carrier.h. */
struct carrier {
	const char *name;
	enum carried_by by;
	void (*work)(void);	/* EVENT: that makes it happen */
	bool (*act)(void);	/* CGROUP, NETNS, HOOK: likewise, whether it could be done */
	const char *event;	/* EVENT; "%u": where firing_function() is */
	uint32_t packet, ctx;	/* TEST_RUN: over so many bytes, or with so many of context;
				 * STREAM: so many are sent */
	bool always_reads;	/* has bpf_perf_event_read() since before Linux 6.16 */
};

extern const struct carrier carriers[];
extern const unsigned int nr_carriers;

struct carried {
	struct sys *sys;
	struct helper_run h;	/* h.io has the program's input and output */
	const struct carrier *carrier;
	uint32_t prog;		/* its number in the object */
	int here, there;	/* the CPU it runs on, and another; -1: there is none */
	struct attach_set set;
	struct own_dir cgroups;
	char cgroup[64];
	int sockets[2];
};

/*
 * carry_begin() - load by_NAME of @object and bind it; this thread stays on one CPU from here on.
 * Ends the test if this machine lacks such a program or helper. carry_end() releases all of it.
 */
void carry_begin(struct regress *t, struct carried *c, const char *object,
		 const struct carrier *carrier);
void carry_end(struct regress *t, struct carried *c);

/* carry_fire() - have it run once. It fails if it did not. */
void carry_fire(struct regress *t, struct carried *c);

/* For carrier.c only: programs on attach targets. carrier_net.c */
void carry_attach(struct regress *t, struct carried *c);
void carry_act(struct regress *t, struct carried *c);
void carry_detach(struct regress *t, struct carried *c);

bool act_socket(void);
bool act_bind(void);
bool act_connect(void);
bool act_sendto(void);
bool act_getsockopt(void);
bool act_setsockopt(void);
bool act_device(void);
bool act_sysctl(void);
bool act_tcp(void);
bool act_test_run(void);

/* carry_packet() - the packet it is run over. Static; 64 bytes. */
const unsigned char *carry_packet(void);

#endif
