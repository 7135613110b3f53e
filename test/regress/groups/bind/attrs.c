// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Attributes of an event that runs a program: which modes it excludes, how precise it is, and when
 * it begins.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "loader/core/kernel/kernel.h"
#include "test/regress/common/known.h"
#include "test/regress/common/samples.h"
#include "loader/base/kernel/kernel_calls.h"

#define TIMES 10

static void load(struct regress *t, struct regress_object *o, const char *prog, int64_t answer)
{
	const struct context_io io = { .answer = answer, .low = (uintptr_t)known_store_at,
				       .high = KNOWN_RANGE(store).high };

	known_ready();
	regress_load(t, o, "context", prog);
	io_put(t, o, &io);
}

/* Faults in this program, at known_store(). */
static void touch_here(struct regress *t)
{
	happen_touch(t, TIMES);
}

/* Faults in the kernel, which writes to our pages. */
static void touch_there(struct regress *t)
{
	const int fd = memfd_create("touch", MFD_CLOEXEC);

	regress_expect(t, fd >= 0 && write(fd, "12345678", 8) == 8, "memfd: %s", strerror(errno));
	for (int i = 0; i < TIMES; i++) {
		volatile uint64_t *page = happen_page(t);

		regress_expect(t, pread(fd, (void *)page, 8, 0) == 8, "pread: %s", strerror(errno));
		happen_page_free(page);
	}
	close(fd);
}

/* --- the modes that an event excludes --- */

struct leaves_out {
	const char *event;
	void (*change)(struct perf_event_attr *attr);
	bool user, kernel;	/* the modes whose faults it counts */
};

static void excludes(struct regress *t)
{
	const struct leaves_out *row = t->data;
	struct regress_object o;
	struct context_io user, both;
	struct happen h;

	load(t, &o, "pe_see", 1);
	touch_there(t);		/* once, so that its code is there */
	happen_open(t, &h, BY_IOCTL, row->change, row->event);
	happen_bind(&h, &o, "pe_see", 0);
	touch_here(t);
	user = io_get(t, &o);
	if (row->user)
		happen_ran(&h, &user, TIMES);
	else
		regress_expect(t, !user.runs, "%llu runs here", (unsigned long long)user.runs);
	touch_there(t);
	both = io_get(t, &o);
	/* Some may be this program's own. */
	regress_expect(t, (both.others - user.others >= TIMES) == row->kernel,
		       "%llu runs elsewhere for %d faults in the kernel",
		       (unsigned long long)(both.others - user.others), TIMES);
	happen_close(&h);
	regress_unload(t, &o);
}

static void exclude_hv(struct perf_event_attr *attr)
{
	attr->exclude_hv = 1;
}

static void exclude_idle(struct perf_event_attr *attr)
{
	attr->exclude_idle = 1;
}

static void exclude_guest(struct perf_event_attr *attr)
{
	attr->exclude_guest = 1;
}

static void exclude_host(struct perf_event_attr *attr)
{
	attr->exclude_host = 1;
}

static const struct leaves_out
	nobody = { "page-faults,period=1", NULL, true, true },
	kernel = { "page-faults:u,period=1", NULL, true, false },
	user = { "page-faults:k,period=1", NULL, false, true },
	both = { "page-faults:h,period=1", NULL, false, false },
	hv = { "page-faults,period=1", exclude_hv, true, true },
	idle = { "page-faults,period=1", exclude_idle, true, true },
	guest = { "page-faults,period=1", exclude_guest, true, true },
	host = { "page-faults,period=1", exclude_host, true, true },
	pinned = { "page-faults:D,period=1", NULL, true, true },
	exclusive = { "page-faults:e,period=1", NULL, true, true };

/* A tracepoint's program runs on each hit, whatever modes the event excludes. */
static void tracepoint_ignores(struct regress *t)
{
	struct context_io io = { .answer = 1 };
	struct regress_object o;
	struct happen h;

	io_ours(t, &io);
	regress_load(t, &o, "context", "tp_exit");
	io_put(t, &o, &io);
	happen_attach(t, &h, BY_IOCTL, t->data, &o, "tp_exit");
	for (int i = 0; i < TIMES; i++)
		getppid();
	io = io_get(t, &o);
	regress_expect(t, io.runs == TIMES, "%llu runs", (unsigned long long)io.runs);
	happen_close(&h);
	regress_unload(t, &o);
}

/* --- how precise --- */

static void precise(struct perf_event_attr *attr, unsigned int how)
{
	attr->precise_ip = how;
}

static void precise_1(struct perf_event_attr *attr) { precise(attr, 1); }
static void precise_2(struct perf_event_attr *attr) { precise(attr, 2); }
static void precise_3(struct perf_event_attr *attr) { precise(attr, 3); }

static void (*const preciser[])(struct perf_event_attr *attr) = {
	NULL, precise_1, precise_2, precise_3
};

static volatile uint64_t watched;

/*
 * Opens the event with each precise_ip. A software event opens with all of them, as its PMU ignores
 * the value.
 */
static void precise_opens(struct regress *t)
{
	const char *event = t->data, *address = strstr(event, "%p");
	char text[64], key[16];

	if (address)
		snprintf(text, sizeof(text), "%.*s%p%s", (int)(address - event), event,
			 (void *)&watched, address + 2);
	else
		snprintf(text, sizeof(text), "%s", event);
	for (unsigned int i = 0; i < NR(preciser); i++) {
		struct error err = { 0 };
		struct happen h;
		const int ret = happen_try(t, &h, BY_IOCTL, preciser[i], text, &err);

		happen_close(&h);
		if (!i)
			regress_ok(t, ret, &err, text);
		error_clear(&err);
		snprintf(key, sizeof(key), "precise_ip %u", i);
		regress_saw(t, key, "%s", regress_errno(ret));
		/*
		 * For a hardware event the answer depends on the machine, so only software events
		 * are checked.
		 */
		regress_expect(t, !ret || !strncmp(event, "cycles", 6), "precise_ip %u: %s", i,
			       regress_errno(ret));
	}
}

static void precise_runs(struct regress *t)
{
	struct regress_object o;
	struct context_io io;
	struct happen h;

	load(t, &o, "pe_see", 1);
	happen_open(t, &h, BY_IOCTL, precise_3, "page-faults,period=1");
	happen_bind(&h, &o, "pe_see", 0);
	touch_here(t);
	io = io_get(t, &o);
	happen_ran(&h, &io, TIMES);
	happen_close(&h);
	regress_unload(t, &o);
}

/* --- SIGTRAP for each --- */

static volatile sig_atomic_t traps;

static void trapped(int signo)
{
	(void)signo;
	traps++;
}

static void sigtrap(struct perf_event_attr *attr)
{
	attr->sigtrap = 1;
	attr->remove_on_exec = 1;
	attr->exclude_kernel = 1;
}

/*
 * Returns the number of signals for TIMES samples, which a program keeps or drops. -1: the kernel
 * lacks sigtrap, which 97ba62b27867 introduced.
 */
static int signals_of(struct regress *t, int64_t answer)
{
	static const struct regress_since rows[] = {
		{ LINUX(0, 0), "EINVAL" }, { LINUX(5, 13), "0" },
	};
	struct error err = { 0 };
	struct regress_object o;
	struct context_io io;
	struct happen h;
	int ret;

	/* No breakpoint: arm64 stops before the instruction, and would again after the signal. */
	ret = happen_try(t, &h, BY_IOCTL, sigtrap, "page-faults,period=1", &err);
	if (ret && ret != -EINVAL)
		regress_ok(t, ret, &err, "opening");
	error_clear(&err);
	regress_answer(t, "open", regress_errno(ret), rows, NR(rows));
	if (ret) {
		happen_close(&h);
		return -1;
	}
	load(t, &o, "pe_see", answer);
	signal(SIGTRAP, trapped);
	touch_here(t);		/* once, so that nothing else faults */
	happen_bind(&h, &o, "pe_see", 0);
	touch_here(t);
	happen_must(&h, PERF_EVENT_IOC_DISABLE, 0, "PERF_EVENT_IOC_DISABLE");
	io = io_get(t, &o);
	happen_ran(&h, &io, TIMES);
	happen_close(&h);
	regress_unload(t, &o);
	return traps;
}

static void sigtrap_kept(struct regress *t)
{
	const int signals = signals_of(t, 1);

	/*
	 * A signal that arrives while another is pending is lost; other faults may be among them. A
	 * kernel without sigtrap has refused the event, which is what it has to do.
	 */
	if (signals >= 0)
		regress_expect(t, signals > 0, "%d signals for %d samples", signals, TIMES);
}

/* Since f11f10bfa1ca the program is asked first. */
static void sigtrap_dropped(struct regress *t)
{
	static const struct regress_since rows[] = {
		{ LINUX(0, 0), "signals" }, { LINUX(6, 10), "none" },
	};
	const int signals = signals_of(t, 0);

	if (signals >= 0)
		regress_answer(t, "", signals ? "signals" : "none", rows, NR(rows));
}

/* --- other attributes --- */

static void bpf_events(struct perf_event_attr *attr)
{
	attr->bpf_event = 1;
	attr->sample_type = 0;
}

/* An event with bpf_event reports programs that are loaded and unloaded while it is enabled. */
static void tells_programs(struct regress *t)
{
	bool loaded = false, unloaded = false;
	struct regress_object o;
	struct sample one;
	struct samples s;
	struct happen h;
	struct bpf_prog_info info;

	happen_open(t, &h, BY_IOCTL, bpf_events, "dummy,period=1");
	samples_map(&s, &h, 8);
	happen_must(&h, PERF_EVENT_IOC_ENABLE, 0, "PERF_EVENT_IOC_ENABLE");
	regress_load(t, &o, "context", "pe_see");
	regress_ok(t, kernel_prog_info(t->sys, regress_prog(t, &o, "pe_see"), &info), NULL,
		   "info of the program");
	while (samples_next(&s, &one)) {
		uint16_t type;
		uint32_t id;

		memcpy(&type, one.bytes, sizeof(type));
		memcpy(&id, (const char *)one.bytes + 4, sizeof(id));
		if (one.type != PERF_RECORD_BPF_EVENT || id != info.id)
			continue;
		loaded |= type == 1;	/* PERF_BPF_EVENT_PROG_LOAD */
		unloaded |= type == 2;
	}
	regress_expect(t, loaded && !unloaded, "PERF_RECORD_BPF_EVENT of its load: %s",
		       loaded ? "and of its end" : "none");
	samples_unmap(&s);
	happen_close(&h);
	regress_unload(t, &o);
}

static const struct regress_test tests[] = {
	{ "page faults of user space and of the kernel", excludes, &nobody, 0 },
	{ ":u, exclude_kernel: those of user space", excludes, &kernel, 0 },
	{ ":k, exclude_user: those of the kernel", excludes, &user, 0 },
	{ ":h, both of them: none", excludes, &both, 0 },
	{ "exclude_hv: all", excludes, &hv, 0 },
	{ "exclude_idle: all", excludes, &idle, 0 },
	{ "exclude_guest: all", excludes, &guest, 0 },
	{ "exclude_host: all, as software events do not look at it", excludes, &host, 0 },
	{ ":D, pinned: all", excludes, &pinned, 0 },
	{ ":e, exclusive: all", excludes, &exclusive, 0 },
	{ "a tracepoint in the kernel is seen with exclude_kernel", tracepoint_ignores,
	  "syscalls:sys_exit_getppid:u", 0 },
	{ "a tracepoint in the kernel is seen with exclude_user", tracepoint_ignores,
	  "syscalls:sys_exit_getppid:k", 0 },
	{ "precise_ip of page-faults: any opens", precise_opens, "page-faults,period=1", 0 },
	{ "precise_ip of cpu-clock: any opens", precise_opens, "cpu-clock,period=1000000", 0 },
	{ "precise_ip of a breakpoint: any opens", precise_opens, "mem:%p/8:w", 0 },
	{ "precise_ip of a tracepoint: any opens", precise_opens, "sched:sched_switch", 0 },
	{ "precise_ip of cycles", precise_opens, "cycles,period=1000000", 0 },
	{ "page-faults with a precise_ip of 3 run their program", precise_runs, NULL, 0 },
	{ "sigtrap: signals for samples that are kept", sigtrap_kept, NULL, 0 },
	{ "sigtrap: whether what is dropped is a signal", sigtrap_dropped, NULL, 0 },
	{ "bpf_event: a record tells of a program that is loaded", tells_programs, NULL, 0 },
	{ 0 }
};

const struct regress_group regress_group_attrs = {
	"attrs", "attributes of an event that runs a program", tests, NULL, __FILE__
};
