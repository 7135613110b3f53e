// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Call chains of samples for a process that may not see the kernel: without the kernel's part. */
#include <errno.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "test/regress/common/known.h"
#include "test/regress/common/samples.h"

#define NOBODY 65534
#define TIMES 10

static void with_chain(struct perf_event_attr *attr)
{
	attr->sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN;
}

static void with_user_chain(struct perf_event_attr *attr)
{
	with_chain(attr);
	attr->exclude_callchain_kernel = 1;
}

/*
 * At perf_event_paranoid 2, the most common value, a process may still sample itself in user mode.
 */
static void become_nobody(struct regress *t)
{
	if (geteuid() || setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY))
		regress_skip(t, "it takes root to become nobody");
	prctl(PR_SET_DUMPABLE, 1);	/* as after an exec: its own files in /proc are its own */
}

/* Markers, which are not addresses, precede the kernel and user parts. */
static bool has_part(const struct sample *one, enum perf_callchain_context marker)
{
	for (uint64_t i = 0; i < one->nr_chain; i++)
		if (one->chain[i] == (uint64_t)marker)
			return true;
	return false;
}

static void check_samples(struct regress *t, struct happen *h)
{
	unsigned int samples = 0, user = 0, kernel = 0;
	struct sample one;
	struct samples s;

	samples_map(&s, h, 8);
	happen_must(h, PERF_EVENT_IOC_ENABLE, 0, "PERF_EVENT_IOC_ENABLE");
	happen_touch(t, TIMES);
	happen_must(h, PERF_EVENT_IOC_DISABLE, 0, "PERF_EVENT_IOC_DISABLE");
	while (samples_next(&s, &one)) {
		if (one.type != PERF_RECORD_SAMPLE)
			continue;
		samples++;
		user += has_part(&one, PERF_CONTEXT_USER);
		kernel += has_part(&one, PERF_CONTEXT_KERNEL);
	}
	samples_unmap(&s);
	regress_expect(t, samples >= TIMES, "%u samples of %d", samples, TIMES);
	regress_expect(t, user == samples, "%u of %u samples have a user's part", user, samples);
	regress_expect(t, !kernel, "%u of %u samples have addresses of the kernel", kernel,
		       samples);
}

static void test(struct regress *t)
{
	/* Without exclude_callchain_kernel newer kernels may refuse it, or leave that part out. */
	static const struct regress_since whole[] = { { LINUX(0, 0), "0|EACCES" } };
	static const struct regress_since user[] = { { LINUX(0, 0), "0" } };
	struct error err = { 0 };
	struct happen h;
	int ret;

	known_ready();
	become_nobody(t);
	ret = happen_try(t, &h, BY_IOCTL, with_user_chain, "page-faults:u,period=1", &err);
	if (ret == -EACCES || ret == -EPERM)
		regress_skip(t, "perf_event_paranoid lets nobody but root sample: %s", err.what);
	regress_answer(t, "user's part", regress_errno(ret), user, NR(user));
	error_clear(&err);
	check_samples(t, &h);
	happen_close(&h);
	ret = happen_try(t, &h, BY_IOCTL, with_chain, "page-faults:u,period=1", &err);
	error_clear(&err);
	regress_answer(t, "whole", regress_errno(ret), whole, NR(whole));
	if (!ret)
		check_samples(t, &h);
	happen_close(&h);
}

static const struct regress_test tests[] = {
	{ "samples for nobody have no address of the kernel", test, NULL, 0 },
	{ 0 }
};

const struct regress_group regress_group_chain_privilege = {
	"chain_privilege", "call chains for a process that may not see the kernel", tests,
	NULL, __FILE__
};
