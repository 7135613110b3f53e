// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The facts on which most tests rest, and the calls with which a test uses them. */
#include "test/regress/harness/facts.h"

static const struct {
	enum regress_fact fact;
	const char *name;
} names[] = {
	{ REGRESS_FACT_LOAD, "bpf(2) creates maps and programs" },
	{ REGRESS_FACT_OPEN, "perf_event_open(2) opens an event, which counts" },
	{ REGRESS_FACT_ENABLE, "an event counts while it is enabled, each time" },
	{ REGRESS_FACT_PERIOD, "sample_period and freq decide when an event samples" },
	{ REGRESS_FACT_INFO, "BPF_OBJ_GET_INFO_BY_FD says what is bound" },
	{ REGRESS_FACT_IOCTL, "PERF_EVENT_IOC_SET_BPF binds programs that run" },
	{ REGRESS_FACT_LINK, "BPF_LINK_CREATE on a perf event binds programs that run" },
	{ REGRESS_FACT_COOKIE, "bpf_get_attach_cookie() returns the cookie of a link" },
};

unsigned int facts_used(long nr, const unsigned long arg[6])
{
	const union bpf_attr *attr = (const union bpf_attr *)arg[1];

	if (nr == __NR_ioctl && arg[1] == PERF_EVENT_IOC_SET_BPF)
		return REGRESS_FACT_IOCTL;
	if (nr == __NR_ioctl &&
	    (arg[1] == PERF_EVENT_IOC_ENABLE || arg[1] == PERF_EVENT_IOC_DISABLE))
		return REGRESS_FACT_ENABLE;
	if (nr == __NR_perf_event_open)
		return REGRESS_FACT_OPEN | REGRESS_FACT_PERIOD;
	if (nr == __NR_bpf && arg[0] == BPF_OBJ_GET_INFO_BY_FD)
		return REGRESS_FACT_INFO;
	if (nr == __NR_bpf && (arg[0] == BPF_MAP_CREATE || arg[0] == BPF_PROG_LOAD))
		return REGRESS_FACT_LOAD;
	if (nr != __NR_bpf || arg[0] != BPF_LINK_CREATE || !attr ||
	    attr->link_create.attach_type != BPF_PERF_EVENT)
		return 0;
	return REGRESS_FACT_LINK |
	       (attr->link_create.perf_event.bpf_cookie ? REGRESS_FACT_COOKIE : 0);
}

const char *facts_first(unsigned int set)
{
	for (size_t i = 0; i < NR(names); i++)
		if (set & names[i].fact)
			return names[i].name;
	return "";
}
