// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Events: each form of the grammar, its errors, the sampling, and the default event. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <linux/hw_breakpoint.h>

#include "loader/events/grammar/events.h"
#include "loader/core/event/steps.h"
#include "test/unit/common/files_builder.h"
#include "test/unit/common/expect.h"
#include "test/unit/common/suite.h"

/* --- the grammar --- */

#define EVENT(kind_, config_, name_) \
	.kind = EVENT_##kind_, .fixed.config = config_, .fixed.name = name_
#define RAW(type_, config_) .kind = EVENT_RAW, .fixed.type = type_, .fixed.config = config_
#define TRACEPOINT(category_, name_) \
	.kind = EVENT_TRACEPOINT, .tracepoint.category = category_, .tracepoint.name = name_
#define BREAKPOINT(addr_, len_, type_) .kind = EVENT_BREAKPOINT, .breakpoint.addr = addr_, \
	.breakpoint.len = len_, .breakpoint.type = HW_BREAKPOINT_##type_
#define PMU(name_, terms_) .kind = EVENT_PMU, .pmu.name = name_, .pmu.terms = terms_
#define ALIAS(text_) .kind = EVENT_ALIAS, .alias = text_
#define PERIOD(n) .has_period = true, .sample_period = n
#define FREQ(n) .has_freq = true, .sample_freq = n
#define PERF BPF_PROG_TYPE_PERF_EVENT
#define TP BPF_PROG_TYPE_TRACEPOINT
#define PROBE BPF_PROG_TYPE_KPROBE

static const struct {
	const char *text;
	struct event_spec spec;	/* without .text */
	uint32_t prog_type;
} good[] = {
	{ "cycles", { EVENT(HARDWARE, 0, "cpu-cycles") }, PERF },
	{ "cpu-cycles", { EVENT(HARDWARE, 0, "cpu-cycles") }, PERF },
	{ "branches", { EVENT(HARDWARE, 4, "branch-instructions") }, PERF },
	{ "idle-cycles-backend", { EVENT(HARDWARE, 8, "stalled-cycles-backend") }, PERF },
	{ "ref-cycles", { EVENT(HARDWARE, 9, "ref-cycles") }, PERF },
	{ "cpu-clock", { EVENT(SOFTWARE, 0, "cpu-clock") }, PERF },
	{ "cs", { EVENT(SOFTWARE, 3, "context-switches") }, PERF },
	{ "faults,period=7", { EVENT(SOFTWARE, 2, "page-faults"), PERIOD(7) }, PERF },
	{ "cgroup-switches", { EVENT(SOFTWARE, 11, "cgroup-switches") }, PERF },
	{ "cpu-clock,freq=99", { EVENT(SOFTWARE, 0, "cpu-clock"), FREQ(99) }, PERF },
	{ "cpu-clock,period=0", { EVENT(SOFTWARE, 0, "cpu-clock"), .has_period = true }, PERF },
	{ "1:0", { RAW(1, 0) }, PERF },
	{ "4:0xFFffffffffffffff", { RAW(4, UINT64_MAX) }, PERF },
	{ "4294967295:18446744073709551615,freq=0x10", { RAW(UINT32_MAX, UINT64_MAX), FREQ(16) },
	  PERF },
	{ "2:314", { RAW(2, 314) }, TP },
	{ "sched:sched_switch", { TRACEPOINT("sched", "sched_switch") }, TP },
	{ "sched/sched_switch,period=3", { TRACEPOINT("sched", "sched_switch"), PERIOD(3) }, TP },
	{ "9p:9p_client_req", { TRACEPOINT("9p", "9p_client_req") }, TP },
	{ "mem:0x1000", { BREAKPOINT(0x1000, 4, RW) }, PERF },
	{ "mem:0x1000:x", { BREAKPOINT(0x1000, sizeof(long), X) }, PERF },
	{ "mem:4096/8:wr,period=1", { BREAKPOINT(4096, 8, RW), PERIOD(1) }, PERF },
	{ "mem:0xffffffff81000000/1", { BREAKPOINT(0xffffffff81000000, 1, RW) }, PERF },
	{ "msr/tsc/", { PMU("msr", "tsc") }, PERF },
	{ "cpu/event=0x3c,umask=1/,freq=50", { PMU("cpu", "event=0x3c,umask=1"), FREQ(50) }, PERF },
	{ "tracepoint/config=314/", { PMU("tracepoint", "config=314") }, TP },
	{ "msr//", { PMU("msr", "") }, PERF },
	{ "uncore_*/event=1/", { PMU("uncore_*", "event=1") }, PERF },
	{ "topdown-bad-spec", { ALIAS("topdown-bad-spec") }, PERF },
	{ "cyclse", { ALIAS("cyclse") }, PERF },
	{ "r1a8", { RAW(4, 0x1a8) }, PERF },
	{ "r0x1A8", { RAW(4, 0x1a8) }, PERF },
	{ "rffffffffffffffff", { RAW(4, UINT64_MAX) }, PERF },
	{ "L1-dcache-load-misses", { EVENT(CACHE, 0x10000, NULL) }, PERF },
	{ "L1-dcache-loads", { EVENT(CACHE, 0, NULL) }, PERF },
	{ "l1d-write-miss", { EVENT(CACHE, 0x10100, NULL) }, PERF },
	{ "LLC-misses-prefetch", { EVENT(CACHE, 0x10202, NULL) }, PERF },
	{ "iTLB-speculative-load", { ALIAS("iTLB-speculative-load") }, PERF },
	{ "iTLB-load-misses-", { ALIAS("iTLB-load-misses-") }, PERF },
	{ "node-speculative-load-misses", { EVENT(CACHE, 0x10206, NULL) }, PERF },
	{ "branch-loads", { EVENT(CACHE, 5, NULL) }, PERF },
	{ "branch-misses", { EVENT(HARDWARE, 5, "branch-misses") }, PERF },
	{ "sched:sched_*", { TRACEPOINT("sched", "sched_*") }, TP },
	{ "cpu/period=7,event=1,umask=2/", { PMU("cpu", "event=1,umask=2"), PERIOD(7) }, PERF },
	{ "cycles/freq=9/", { .kind = EVENT_HARDWARE, .fixed.name = "cpu-cycles", FREQ(9) }, PERF },
	{ "kprobe:do_exit", { .kind = EVENT_KPROBE, .kprobe.symbol = "do_exit" }, PROBE },
	{ "kretprobe:nf_nat:nf_nat_cleanup.part.0",
	  { .kind = EVENT_KPROBE, .ret = true, .kprobe.module = "nf_nat",
	    .kprobe.symbol = "nf_nat_cleanup.part.0" }, PROBE },
	{ "kprobe:do_exit+0x10,period=2",
	  { .kind = EVENT_KPROBE, .kprobe.symbol = "do_exit", .kprobe.offset = 16,
	    PERIOD(2) }, PROBE },
	{ "kprobe:0xffffffff81000000",
	  { .kind = EVENT_KPROBE, .kprobe.offset = 0xffffffff81000000 }, PROBE },
	{ "ksyscall:openat", { .kind = EVENT_KPROBE, .syscall = true, .kprobe.symbol = "openat" },
	  PROBE },
	{ "kretsyscall:openat",
	  { .kind = EVENT_KPROBE, .ret = true, .syscall = true, .kprobe.symbol = "openat" },
	  PROBE },
	{ "uprobe:/bin/sh:main+7",
	  { .kind = EVENT_UPROBE, .uprobe.path = "/bin/sh", .uprobe.symbol = "main",
	    .uprobe.offset = 7 }, PROBE },
	{ "uretprobe:libc:malloc",
	  { .kind = EVENT_UPROBE, .ret = true, .uprobe.path = "libc", .uprobe.symbol = "malloc" },
	  PROBE },
	{ "uprobe:/a, c:b/d:0x1234,freq=5",
	  { .kind = EVENT_UPROBE, .uprobe.path = "/a, c:b/d", .uprobe.offset = 0x1234,
	    FREQ(5) }, PROBE },
	{ "usdt:/lib/libc.so.6:libc:setjmp",
	  { .kind = EVENT_USDT, .uprobe.path = "/lib/libc.so.6", .uprobe.provider = "libc",
	    .uprobe.symbol = "setjmp" }, PROBE },
};

/* Compare the members of the union that the kind has. */
static void same_of_kind(const struct event_spec *a, const struct event_spec *b)
{
	switch (a->kind) {
	case EVENT_HARDWARE:
	case EVENT_SOFTWARE:
	case EVENT_CACHE:
	case EVENT_RAW:
		ck_assert_uint_eq(a->fixed.type, b->fixed.type);
		ck_assert_uint_eq(a->fixed.config, b->fixed.config);
		ck_assert_pstr_eq(a->fixed.name, b->fixed.name);
		ck_assert_pstr_eq(a->fixed.pmu, b->fixed.pmu);
		break;
	case EVENT_TRACEPOINT:
		ck_assert_str_eq(a->tracepoint.category, b->tracepoint.category);
		ck_assert_str_eq(a->tracepoint.name, b->tracepoint.name);
		break;
	case EVENT_BREAKPOINT:
		ck_assert_uint_eq(a->breakpoint.addr, b->breakpoint.addr);
		ck_assert_uint_eq(a->breakpoint.len, b->breakpoint.len);
		ck_assert_uint_eq(a->breakpoint.type, b->breakpoint.type);
		break;
	case EVENT_PMU:
		ck_assert_str_eq(a->pmu.name, b->pmu.name);
		ck_assert_str_eq(a->pmu.terms, b->pmu.terms);
		break;
	case EVENT_ALIAS:
		ck_assert_str_eq(a->alias, b->alias);
		break;
	case EVENT_KPROBE:
		ck_assert_pstr_eq(a->kprobe.module, b->kprobe.module);
		ck_assert_pstr_eq(a->kprobe.symbol, b->kprobe.symbol);
		ck_assert_uint_eq(a->kprobe.offset, b->kprobe.offset);
		break;
	case EVENT_UPROBE:
	case EVENT_USDT:
		ck_assert_str_eq(a->uprobe.path, b->uprobe.path);
		ck_assert_pstr_eq(a->uprobe.provider, b->uprobe.provider);
		ck_assert_pstr_eq(a->uprobe.symbol, b->uprobe.symbol);
		ck_assert_uint_eq(a->uprobe.offset, b->uprobe.offset);
		break;
	}
}

TEST_ROWS(understands, good)
{
	const struct event_spec *want = &good[_i].spec;
	struct error err = { 0 };
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };
	size_t len;

	ck_assert_msg(event_parse(&spec, good[_i].text, &err) == 0, "%s: %s", good[_i].text,
		      err.what);
	len = strlen(spec.text);
	ck_assert_msg(strncmp(spec.text, good[_i].text, len) == 0, "text '%s'", spec.text);
	/* The text of an event is its request without the ,freq= or ,period= at its end. */
	ck_assert_msg(!good[_i].text[len] || strncmp(good[_i].text + len, ",freq=", 6) == 0 ||
		      strncmp(good[_i].text + len, ",period=", 8) == 0, "text '%s'", spec.text);
	ck_assert_int_eq(spec.kind, want->kind);
	same_of_kind(&spec, want);
	ck_assert_int_eq(spec.ret, want->ret);
	ck_assert_int_eq(spec.syscall, want->syscall);
	ck_assert(!spec.resolved && !spec.group && !spec.alt_set);
	ck_assert_int_eq(spec.has_freq, want->has_freq);
	ck_assert_int_eq(spec.has_period, want->has_period);
	ck_assert_uint_eq(spec.sample_freq, want->sample_freq);
	ck_assert_uint_eq(spec.sample_period, want->sample_period);
	ck_assert_uint_eq(event_prog_type(&spec), good[_i].prog_type);
	ck_assert_int_eq(event_is_tracing(&spec), good[_i].prog_type != BPF_PROG_TYPE_PERF_EVENT);
	ck_assert_int_eq(event_is_probe(&spec), good[_i].prog_type == BPF_PROG_TYPE_KPROBE);
}

/* A copy has strings of its own, and lives on when the original is freed. */
TEST_ROWS(copies, good)
{
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };
	struct event_spec copy FREED_BY(event_spec_free) = { 0 };

	ck_assert_int_eq(event_parse(&spec, good[_i].text, NULL), 0);
	ck_assert_int_eq(event_spec_copy(&copy, &spec, NULL), 0);
	ck_assert_ptr_ne(copy.text, spec.text);
	event_spec_free(&spec);
	ck_assert_ptr_null(spec.text);
	ck_assert_int_eq(event_parse(&spec, good[_i].text, NULL), 0);
	ck_assert_str_eq(copy.text, spec.text);
	same_of_kind(&copy, &spec);
	ck_assert_int_eq(memcmp(&copy, &spec, offsetof(struct event_spec, text)), 0);
}

TEST(resolves)
{
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };

	ck_assert_int_eq(event_parse(&spec, "usdt:libc:libc:setjmp", NULL), 0);
	ck_assert(!spec.resolved);
	ck_assert_int_eq(event_spec_resolve(&spec, "/lib/libc.so.6", 0x1234, 0x20, NULL), 0);
	ck_assert(spec.resolved);
	ck_assert_str_eq(spec.uprobe.path, "/lib/libc.so.6");
	ck_assert_uint_eq(spec.uprobe.file_offset, 0x1234);
	ck_assert_uint_eq(spec.uprobe.ref_ctr_offset, 0x20);
	ck_assert_str_eq(spec.text, "usdt:libc:libc:setjmp");
}

static const struct {
	const char *text;
	const char *reason, *what, *hint;	/* parts of the message */
} bad[] = {
	{ "", "event/grammar", "no name", "an event is a name" },
	{ ",freq=9", "event/grammar", "no name", "an event is a name" },
	{ "Cycles ", "event/unknown", "no such event", "cycles" },
	{ "two words", "event/unknown", "no such event", "an event is a name" },
	{ "cycles:", "event/grammar", "no modifiers", "letters" },
	{ "cycles:y", "event/grammar", "'y': unknown modifier 'y'", "letters" },
	{ "cycles:uby", "event/grammar", "modifier 'b' changes how perf processes", "letters" },
	{ "cycles:upppp", "event/grammar", "more than three 'p'", "p, pp or ppp" },
	{ "cpu/event=1/:", "event/grammar", "no modifiers", "letters" },
	{ "sched:sched_switch:", "event/grammar", "no modifiers", "letters" },
	{ "1:2:q", "event/grammar", "'q': unknown modifier 'q'", "letters" },
	{ "r11112222333344445", "event/grammar", "64 bits", "16 hexadecimal" },
	{ "cycles/event=1/", "event/grammar", "not 'event=1'", "cpu/event=1/" },
	{ "cpu/name=/", "event/grammar", "name= without a name", "name=cycles" },
	{ "cpu/period=x/", "event/grammar", "the period 'x'", "1000" },
	{ "cpu/freq=1/,freq=2", "event/grammar", "'freq=2'", "once" },
	{ "mem:0x1000:rw:y", "event/grammar", "unknown modifier 'y'", "letters" },
	{ "..:x", "event/grammar", "the form category:name", "category:name" },
	{ "sched:../../x", "event/grammar", "the form category:name", "category:name" },
	{ "sched:", "event/grammar", "the form category:name", "category:name" },
	{ ":x", "event/grammar", "the form category:name", "category:name" },
	{ "a:b:c", "event/grammar", "unknown modifier 'c'", "letters" },
	{ "/", "event/grammar", "the form category:name", "category:name" },
	{ "1:", "event/grammar", "the config ''", "0x3e8" },
	{ "1:x", "event/grammar", "the config 'x'", "0x3e8" },
	{ "1:-1", "event/grammar", "the config '-1'", "0x3e8" },
	{ "1:18446744073709551616", "event/grammar", "64 bits", "0x3e8" },
	{ "4294967296:0", "event/grammar", "32 bits", "type:config" },
	{ "mem:", "event/grammar", "the address ''", "0x3e8" },
	{ "mem:0x", "event/grammar", "the address '0x'", "0x3e8" },
	{ "mem:main", "event/grammar", "the address 'main'", "0x3e8" },
	{ "mem:0x10000000000000000", "event/grammar", "64 bits", "0x3e8" },
	{ "mem:0x1000/0", "event/grammar", "0 bytes", "1 to 8" },
	{ "mem:0x1000/9:w", "event/grammar", "9 bytes", "1 to 8" },
	{ "mem:0x1000/:w", "event/grammar", "the length ''", "0x3e8" },
	{ "mem:0x1000:", "event/grammar", "no access", "mem:addr" },
	{ "mem:0x1000:q", "event/grammar", "'q'", "mem:addr" },
	{ "mem:0x1000:ww", "event/grammar", "'ww'", "mem:addr" },
	{ "//", "event/grammar", "pmu/terms/", "pmu/terms/" },
	{ "../tsc/", "event/grammar", "pmu/terms/", "pmu/terms/" },
	{ "a/b/c/", "event/grammar", "the form category:name", "pmu/terms/" },
	{ "kprobe:", "event/grammar", "no symbol", "SYMBOL[+OFFSET]" },
	{ "kprobe:do exit", "event/grammar", "'do exit' is not a symbol", "SYMBOL[+OFFSET]" },
	{ "kprobe:do\x7f", "event/grammar", "'do\\x7f' is not a symbol", "SYMBOL[+OFFSET]" },
	{ "kprobe:do_exit+", "event/grammar", "the offset ''", "0x3e8" },
	{ "kprobe:do_exit+x", "event/grammar", "the offset 'x'", "0x3e8" },
	{ "kprobe:1x", "event/grammar", "the address '1x'", "0x3e8" },
	{ "kretprobe::do_exit", "event/grammar", "'' is not a valid module name",
	  "kprobe:[MODULE:]" },
	{ "kprobe:nf_nat:0x10", "event/grammar", "cannot have a module", "kprobe:[MODULE:]" },
	{ "ksyscall:a+1", "event/grammar", "'a+1'", "ksyscall:openat" },
	{ "uprobe:/bin/sh", "event/grammar", "no symbol after the path", "uprobe:PATH" },
	{ "uprobe::main", "event/grammar", "no file", "uprobe:PATH" },
	{ "uretprobe:/bin/sh:", "event/grammar", "no symbol", "uretprobe:" },
	{ "usdt:/bin/sh:x", "event/grammar", "PATH:PROVIDER:NAME", "usdt:PATH" },
	{ "usdt:/bin/sh::x", "event/grammar", "':x'", "usdt:PATH" },
	{ "usdt::a:x", "event/grammar", "no file", "usdt:PATH" },
	{ "cpu-clock,", "event/grammar", "neither freq=HZ nor period=N", ",freq=HZ" },
	{ "cpu-clock,freq", "event/grammar", "'freq'", ",freq=HZ" },
	{ "cpu-clock,freq=", "event/grammar", "the frequency ''", "1000" },
	{ "cpu-clock,freq=fast", "event/grammar", "the frequency 'fast'", "1000" },
	{ "cpu-clock,hz=9", "event/grammar", "'hz=9'", ",freq=HZ" },
	{ "cpu-clock,freq=1,freq=2", "event/grammar", "'freq=2'", "once" },
	{ "cpu-clock,freq=1,period=2", "event/grammar", "'period=2'", "once" },
	{ "cpu-clock,period=18446744073709551616", "event/grammar", "the period", "1000" },
};

TEST_ROWS(refuses, bad)
{
	struct error err = { 0 }, named = { 0 };
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };

	error_where(&named, "event '%s'", bad[_i].text);
	ck_assert_int_eq(event_parse(&spec, bad[_i].text, &err), -EINVAL);
	ck_assert_int_eq(err.code, -EINVAL);
	ck_assert_str_eq(err.where, named.where);
	ck_assert_msg(strstr(err.what, bad[_i].what), "'%s' has no '%s'", err.what, bad[_i].what);
	ck_assert_msg(strstr(err.hint, bad[_i].hint), "'%s' has no '%s'", err.hint, bad[_i].hint);
	ck_assert_str_eq(err.reason, bad[_i].reason);
	ck_assert_int_eq(event_parse(&spec, bad[_i].text, NULL), -EINVAL);
}

TEST(refuses_what_is_too_long)
{
	char text[EVENT_TEXT_MAX + 1];
	struct error err = { 0 };
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };

	memset(text, 'a', sizeof(text));
	text[EVENT_TEXT_MAX] = '\0';
	ck_assert_int_eq(event_parse(&spec, text, &err), -EINVAL);
	ck_assert_msg(strstr(err.what, "5120 characters"), "%s", err.what);
	/* One less is well taken, and unknown. */
	text[EVENT_TEXT_MAX - 1] = '\0';
	ck_assert_int_eq(event_parse(&spec, text, &err), -EINVAL);
	ck_assert_msg(strstr(err.what, "the name is 5119 characters"), "%s", err.what);
}

TEST(takes_the_longest_path)
{
	char text[EVENT_TEXT_MAX], path[EVENT_PATH_MAX + 1];
	struct error err = { 0 };
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };

	memset(path, '/', sizeof(path));
	path[EVENT_PATH_MAX - 1] = '\0';
	snprintf(text, sizeof(text), "uprobe:%s:main", path);
	ck_assert_int_eq(event_parse(&spec, text, &err), 0);
	ck_assert_str_eq(spec.uprobe.path, path);
	ck_assert_str_eq(spec.text, text);
	event_spec_free(&spec);
	path[EVENT_PATH_MAX - 1] = '/';
	path[EVENT_PATH_MAX] = '\0';
	snprintf(text, sizeof(text), "uprobe:%s:main", path);
	ck_assert_int_eq(event_parse(&spec, text, &err), -EINVAL);
	ck_assert_msg(strstr(err.what, "the path is 4096 characters"), "%s", err.what);
}

static const struct {
	const char *prefix, *target, *text;
} sections[] = {
	{ "tracepoint", "sched/sched_switch", "sched/sched_switch" },
	{ "tp", "sched/sched_switch", "sched/sched_switch" },
	{ "tracepoint.s", "syscalls/sys_enter_openat", "syscalls/sys_enter_openat" },
	{ "tp.s", "syscalls/sys_enter_openat", "syscalls/sys_enter_openat" },
	{ "perf_event", "cpu-clock", "cpu-clock" },
	{ "kprobe", "do_exit+4", "kprobe:do_exit+4" },
	{ "kretsyscall", "openat", "kretsyscall:openat" },
	{ "uprobe.s", "/bin/sh:main", "uprobe:/bin/sh:main" },
	{ "usdt.s", "/bin/sh:a:b", "usdt:/bin/sh:a:b" },
	{ "perf_event", "type=0,config=3,frequency=1", "0:3,freq=1" },
	{ "perf_event", "frequency=0x63,config=1,config=2,type=1", "1:2,freq=99" },
	{ "perf_event", "type=1", "1:0" },
	{ "perf_event", "cpu/config=3/", "cpu/config=3/" },
};

/* The name of a section is an event as -e takes it. */
TEST_ROWS(understands_sections, sections)
{
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };
	struct event_spec same FREED_BY(event_spec_free) = { 0 };

	ck_assert_int_eq(event_parse_section(&spec, sections[_i].prefix, sections[_i].target, NULL),
			 0);
	ck_assert_int_eq(event_parse(&same, sections[_i].text, NULL), 0);
	ck_assert_str_eq(spec.text, same.text);
	ck_assert_int_eq(spec.kind, same.kind);
	same_of_kind(&spec, &same);
	ck_assert_int_eq(memcmp(&spec, &same, offsetof(struct event_spec, text)), 0);
}

/* Keys are for SEC("perf_event/...") only, and others than the three are none. */
static const struct {
	const char *prefix, *target;
	struct expect expect;
} no_keys[] = {
	{ "perf_event", "type=0,freq=99",
	  { EINVAL, NULL, "'freq' is not a known key", "frequency (in Hz)", "event/grammar" } },
	{ "perf_event", "type=0,config",
	  { EINVAL, NULL, "'config' is not KEY=NUMBER", "frequency (in Hz)", "event/grammar" } },
	{ "perf_event", "type=0,", { EINVAL, NULL, "'' is not KEY=NUMBER" } },
	{ "perf_event", "type=cpu", { EINVAL, NULL, "the type", NULL, "event/grammar" } },
	{ "perf_event", "type=0x100000000", { EINVAL, NULL, "32 bits" } },
	{ "tracepoint", "type=0,config=3", { EINVAL, NULL, NULL, NULL, "event/unknown" } },
};

TEST_ROWS(refuses_keys, no_keys)
{
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };
	struct error err = { 0 };

	expect_error(no_keys[_i].target,
		     event_parse_section(&spec, no_keys[_i].prefix, no_keys[_i].target, &err), &err,
		     &no_keys[_i].expect);
}

/*
 * The bits of perf_event_attr that each modifier sets, as tools/perf/util/parse-events.c has them.
 */
static const struct {
	const char *text;
	struct perf_event_attr attr;
} modified[] = {
	{ "cycles", { 0 } },
	{ "cycles:u", { .exclude_kernel = 1, .exclude_hv = 1 } },
	{ "cycles:k", { .exclude_user = 1, .exclude_hv = 1 } },
	{ "cycles:h", { .exclude_user = 1, .exclude_kernel = 1 } },
	{ "cycles:uk", { .exclude_hv = 1 } },
	{ "cycles:ku", { .exclude_hv = 1 } },
	{ "cycles:G", { .exclude_host = 1 } },
	{ "cycles:H", { .exclude_guest = 1 } },
	{ "cycles:GH", { 0 } },
	{ "cpu-clock:uI", { .exclude_kernel = 1, .exclude_hv = 1, .exclude_idle = 1 } },
	{ "L1-dcache-loads:pp", { .precise_ip = 2 } },
	{ "r1a8:ppp", { .precise_ip = 3 } },
	{ "cpu/event=1/P", { .precise_ip = 3 } },
	{ "cpu/event=1/:kp", { .exclude_user = 1, .exclude_hv = 1, .precise_ip = 1 } },
	{ "msr/tsc/De", { .pinned = 1, .exclusive = 1 } },
	{ "4:0x3c:u", { .exclude_kernel = 1, .exclude_hv = 1 } },
	{ "sched:sched_switch:k", { .exclude_user = 1, .exclude_hv = 1 } },
	{ "mem:0x1000:u", { .exclude_kernel = 1, .exclude_hv = 1 } },
	{ "mem:0x1000/2:w:k", { .exclude_user = 1, .exclude_hv = 1 } },
	{ "cycles/name=x/u", { .exclude_kernel = 1, .exclude_hv = 1 } },
	{ "cycles:S",
	  { .sample_type = PERF_SAMPLE_READ, .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID } },
};

TEST_ROWS(takes_modifiers, modified)
{
	struct perf_event_attr attr = { 0 };
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };

	ck_assert_int_eq(event_parse(&spec, modified[_i].text, NULL), 0);
	event_apply_modifiers(&spec.modifiers, &attr);
	ck_assert_int_eq(memcmp(&attr, &modified[_i].attr, sizeof(attr)), 0);
}

TEST(takes_a_name)
{
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };

	ck_assert_int_eq(event_parse(&spec, "cpu/event=0x3c,name=my cycles,umask=1/u,period=3",
				     NULL), 0);
	ck_assert_str_eq(spec.text, "my cycles");
	ck_assert_str_eq(spec.pmu.terms, "event=0x3c,umask=1");
	ck_assert_uint_eq(spec.sample_period, 3);
}

/* --- patterns --- */

static const struct {
	const char *pattern, *name;
	bool takes;
} globs[] = {
	{ "", "", true }, { "", "a", false }, { "*", "", true }, { "*", "abc", true },
	{ "?", "", false },
	{ "a*c", "abc", true }, { "a*c", "ac", true }, { "a*c", "abcd", false },
	{ "a*b*c", "axbxbxc", true },
	{ "*_enter_*", "sys_enter_openat", true }, { "*_enter_*", "sys_exit_openat", false },
	{ "a?c", "abc", true }, { "a?c", "ac", false }, { "[ab]c", "bc", true },
	{ "[ab]c", "cc", false },
	{ "[a-c]x", "bx", true }, { "[a-c]x", "dx", false }, { "[!a-c]x", "dx", true },
	{ "[^a-c]x", "bx", false },
	{ "[]a]", "]", true }, { "[a", "[a", true }, { "[a", "a", false }, { "[a-]", "-", true },
	{ "*a*a*a*a*a*a*a*a*a*a*b",
	  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false },
};

TEST_ROWS(takes_globs, globs)
{
	ck_assert_int_eq(event_glob_match(globs[_i].pattern, globs[_i].name), globs[_i].takes);
}

/* Each name that is offered is one that is taken. */
TEST(names_caches)
{
	char name[CACHE_NAME_MAX];
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };
	unsigned int nr = 0;

	for (; cache_name_at(nr, name); nr++) {
		ck_assert_int_eq(event_parse(&spec, name, NULL), 0);
		ck_assert_int_eq(spec.kind == EVENT_CACHE || !strcmp(name, "branch-misses"), true);
		event_spec_free(&spec);
	}
	/*
	 * Five of them read, write and prefetch or some of that, and two only read: 2 results each.
	 */
	ck_assert_uint_eq(nr, 2 * (4 * 3 + 2 + 2 * 1));
}

/* Each prefix of a valid event, and each changed byte of it, is parsed without a crash. */
TEST_ROWS(survives_anything, good)
{
	char text[EVENT_TEXT_MAX];
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };
	size_t len = strlen(good[_i].text);

	for (size_t at = 0; at <= len; at++)
		for (int c = 0; c < 256; c++) {
			struct error err = { 0 };
			int ret;

			memcpy(text, good[_i].text, len + 1);
			text[at] = c;
			text[len + (at == len)] = '\0';
			ret = event_parse(&spec, text, &err);
			ck_assert(ret == 0 ||
				  (ret == -EINVAL && err.where[0] && err.what[0] && err.hint[0]));
			event_spec_free(&spec);
		}
}

/* --- by type, and tracefs --- */

#define TRACING(root) \
	{ root "/events/sched/sched_switch/id", "314\n", 0 }, { root "/events/sched/sched_waking/id", "315\n", 0 }, \
	{ root "/events/signal/signal_deliver/id", "2x\n", 0 }, { root "/events/syscalls/sys_enter_openat/id", "99\n", 0 }

static const struct fake_file mounted[] = { TRACING("/sys/kernel/tracing"), { 0 } };
static const struct fake_file in_debugfs[] = { TRACING("/sys/kernel/debug/tracing"), { 0 } };
static const struct fake_file detached[] = { TRACING("DETACHED"), { 0 } };
static const struct fake_file forbidden[] = {
	{ "/sys/kernel/tracing/events/sched/sched_switch/id", "", EACCES }, { 0 }
};
static const struct fake_file nothing[] = { { 0 } };

/* fsopen, fsconfig, fsmount: the mount is a directory named DETACHED. */
static long detached_mount(struct files *files, long nr, const unsigned long arg[6])
{
	if (nr == __NR_fsopen)
		return strcmp((const char *)arg[0], "tracefs") == 0 ? files_take_fd(files, NULL) :
			-ENODEV;
	if (nr == __NR_fsconfig)
		return files->arg ? -EPERM : 0;
	return nr == __NR_fsmount ? files_take_fd(files, "DETACHED") : -ENOSYS;
}

static const struct {
	const char *text;
	const struct fake_file *files;
	int ret;
	uint64_t id;
	const char *reason, *what, *hint;
} tracepoints[] = {
	{ "sched:sched_switch", mounted, 0, 314, NULL, NULL, NULL },
	{ "sched/sched_waking", in_debugfs, 0, 315, NULL, NULL, NULL },
	{ "sched:sched_switch", detached, 0, 314, NULL, NULL, NULL },
	{ "sched:sched_swich", mounted, -ENOENT, 0, "event/unknown",
	  "category 'sched' has no event", "sched_switch" },
	{ "shed:sched_switch", in_debugfs, -ENOENT, 0, "event/unknown",
	  "no tracepoint category 'shed'", "sched" },
	{ "syscalls:sys_enter_openta", detached, -ENOENT, 0, "event/unknown", "has no event",
	  "sys_enter_openat" },
	{ "zzzzzzzz:y", detached, -ENOENT, 0, "event/unknown", "no tracepoint category",
	  "tracefs lists" },
	{ "signal:signal_deliver", mounted, -EIO, 0, "event/no-tracefs", "Input/output", "" },
	{ "sched:sched_switch", forbidden, -EACCES, 0, "event/no-tracefs", "Permission denied",
	  "root" },
};

TEST_ROWS(finds_tracepoints, tracepoints)
{
	struct perf_event_attr attr = { 0 };
	struct cpu_list cpus;
	struct error err = { 0 };
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };
	struct files files;
	int ret;

	files_init(&files, tracepoints[_i].files);
	files.other = detached_mount;
	ck_assert_int_eq(event_parse(&spec, tracepoints[_i].text, &err), 0);
	ret = event_by_type(&files.sys, &spec, &attr, &cpus, &err);
	ck_assert_msg(ret == tracepoints[_i].ret, "%d: %s", ret, err.what);
	ck_assert_uint_eq(files.open, 0);
	if (ret == 0) {
		ck_assert_uint_eq(attr.type, PERF_TYPE_TRACEPOINT);
		ck_assert_uint_eq(attr.config, tracepoints[_i].id);
		return;
	}
	ck_assert_str_eq(err.reason, tracepoints[_i].reason);
	ck_assert_msg(strstr(err.what, tracepoints[_i].what), "%s", err.what);
	ck_assert_msg(strstr(err.hint, tracepoints[_i].hint), "%s", err.hint);
	ck_assert_msg(strstr(err.where, tracepoints[_i].text), "%s", err.where);
}

TEST(mounts_nothing_where_it_may_not)
{
	struct perf_event_attr attr = { 0 };
	struct cpu_list cpus;
	struct error err = { 0 };
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };
	struct files files;

	files_init(&files, nothing);
	files.other = detached_mount;
	files.arg = &files;
	ck_assert_int_eq(event_parse(&spec, "sched:sched_switch", &err), 0);
	ck_assert_int_eq(event_by_type(&files.sys, &spec, &attr, &cpus, &err), -EPERM);
	ck_assert_str_eq(err.reason, "event/no-tracefs");
	ck_assert_uint_eq(files.open, 0);
}

TEST(by_type_needs_no_system_call)
{
	static const struct { const char *text; uint32_t type; uint64_t config; } rows[] = {
		{ "cycles", PERF_TYPE_HARDWARE, 0 }, { "page-faults", PERF_TYPE_SOFTWARE, 2 },
		{ "7:0x1234", 7, 0x1234 }, { "context-switches:u", PERF_TYPE_SOFTWARE, 3 },
		{ "mem:0x1000/2:w", PERF_TYPE_BREAKPOINT, 0 },
	};
	struct cpu_list cpus;
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };
	struct files files;

	files_init(&files, nothing);
	for (int i = 0; i < NR(rows); i++) {
		struct perf_event_attr attr = { .read_format = 3 };

		ck_assert_int_eq(event_parse(&spec, rows[i].text, NULL), 0);
		ck_assert_int_eq(event_by_type(&files.sys, &spec, &attr, &cpus, NULL), 0);
		ck_assert_msg(attr.type == rows[i].type && attr.config == rows[i].config,
			      "%s: type %u, config %#llx, not type %u, config %#llx", rows[i].text,
			      attr.type, attr.config, rows[i].type,
			      (unsigned long long)rows[i].config);
		ck_assert_uint_eq(attr.read_format, 3);
		ck_assert_msg(attr.exclude_kernel == !!strstr(rows[i].text, ":u"),
			      "%s: exclude_kernel is %u", rows[i].text, attr.exclude_kernel);
		ck_assert_uint_eq(cpus.nr, 0);
		if (spec.kind == EVENT_BREAKPOINT) {
			ck_assert_uint_eq(attr.bp_addr, spec.breakpoint.addr);
			ck_assert_uint_eq(attr.bp_len, spec.breakpoint.len);
			ck_assert_uint_eq(attr.bp_type, spec.breakpoint.type);
		}
		event_spec_free(&spec);
	}
	ck_assert_uint_eq(files.calls, 0);
}

/* --- how often --- */

static const struct {
	const char *text;
	uint64_t period, freq;	/* of the command line */
	int ret;
	uint64_t sample;
	bool is_freq;
} samplings[] = {
	{ "cpu-clock", 0, 0, 0, 99, true },
	{ "task-clock", 0, 0, 0, 99, true },
	{ "cycles", 0, 0, 0, 99, true },
	{ "4:0x3c", 0, 0, 0, 99, true },
	{ "page-faults", 0, 0, 0, 1, false },
	{ "1:3", 0, 0, 0, 1, false },
	{ "mem:0x1000", 0, 0, 0, 1, false },
	{ "2:314", 0, 0, 0, 1, false },
	{ "cpu-clock", 1000000, 0, 0, 1000000, false },
	{ "page-faults", 0, 7, 0, 7, true },
	{ "cpu-clock,period=5", 0, 7, 0, 5, false },
	{ "cpu-clock,freq=5", 8, 0, 0, 5, true },
	{ "cpu-clock,freq=0", 8, 0, -EINVAL, 0, false },
	{ "cpu-clock,period=0", 0, 0, -EINVAL, 0, false },
	{ "dummy", 0, 0, -EINVAL, 0, false },
	{ "bpf-output", 1, 0, -EINVAL, 0, false },
	{ "1:9,period=1", 0, 0, -EINVAL, 0, false },
	{ "cpu-clock", 1, 1, -EINVAL, 0, false },
};

TEST_ROWS(samples, samplings)
{
	struct perf_event_attr attr = { 0 };
	struct cpu_list cpus;
	struct error err = { 0 };
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };
	int ret;

	ck_assert_int_eq(event_parse(&spec, samplings[_i].text, NULL), 0);
	ck_assert_int_eq(event_by_type(NULL, &spec, &attr, &cpus, NULL), 0);
	ret = event_sampling(&spec, samplings[_i].period, samplings[_i].freq, &attr, &err);
	ck_assert_int_eq(ret, samplings[_i].ret);
	if (ret) {
		ck_assert(err.what[0]);
		return;
	}
	ck_assert_uint_eq(attr.sample_period, samplings[_i].sample);
	ck_assert_uint_eq(attr.freq, samplings[_i].is_freq);
	ck_assert_uint_eq(attr.disabled, 1);
	ck_assert_uint_eq(attr.sample_type, event_is_tracing(&spec) ? 0 : PERF_SAMPLE_ADDR);
}

/* How much is counted between two samples; 0: nobody knows. */
static const struct {
	const char *text;
	uint64_t period, freq, fixed;
} fixed_periods[] = {
	{ "cpu-clock", 0, 999, 1001001 }, { "task-clock", 0, 1, 1000000000 },
	{ "cpu-clock", 0, 0, 10101010 }, { "cpu-clock", 1000000, 0, 1000000 },
	{ "cpu-clock", 10001, 0, 10001 }, { "cpu-clock", 9999, 0, 10000 },
	{ "cpu-clock", 0, 100001, 10000 }, { "cpu-clock:u", 0, 999, 0 },
	{ "task-clock:k", 1000000, 0, 0 }, { "cpu-clock:I", 0, 999, 0 }, { "page-faults", 0, 0, 1 },
	{ "page-faults", 7, 0, 7 }, { "page-faults:u", 7, 0, 7 }, { "page-faults", 0, 99, 0 },
	{ "cpu-cycles", 1000000, 0, 1000000 }, { "cpu-cycles", 0, 99, 0 },
};

TEST_ROWS(fixed, fixed_periods)
{
	struct perf_event_attr attr = { 0 };
	struct cpu_list cpus;
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };

	ck_assert_int_eq(event_parse(&spec, fixed_periods[_i].text, NULL), 0);
	ck_assert_int_eq(event_by_type(NULL, &spec, &attr, &cpus, NULL), 0);
	ck_assert_int_eq(event_sampling(&spec, fixed_periods[_i].period, fixed_periods[_i].freq,
					&attr, NULL), 0);
	ck_assert_msg(event_fixed_period(&attr) == fixed_periods[_i].fixed, "%s: %llu",
		      fixed_periods[_i].text, (unsigned long long)event_fixed_period(&attr));
}

/* --- the default --- */

struct pmu_kernel {
	int code;
	uint64_t count;
	size_t size;	/* of what is read */
};

static long pmu_other(struct files *files, long nr, const unsigned long arg[6])
{
	const struct pmu_kernel *kernel = files->arg;
	const struct perf_event_attr *attr = (const struct perf_event_attr *)arg[0];

	if (nr == __NR_read) {
		memcpy((void *)arg[1], &kernel->count, kernel->size);
		return kernel->size;
	}
	if (nr != __NR_perf_event_open)
		return -ENOSYS;
	ck_assert(attr->type == PERF_TYPE_HARDWARE && attr->config == PERF_COUNT_HW_CPU_CYCLES);
	ck_assert(attr->sample_period == 0 && !attr->disabled);
	return kernel->code ? -kernel->code : files_take_fd(files, NULL);
}

static const struct {
	struct pmu_kernel kernel;
	const char *event, *why;
	unsigned int calls;
} defaults[] = {
	{ { 0, 12345, 8 }, "cycles", "PMU counts", 3 },
	{ { 0, 0, 8 }, "cpu-clock", "does not count", 3 },
	{ { 0, 12345, 0 }, "cpu-clock", "does not count", 3 },
	{ { ENOENT, 0, 0 }, "cpu-clock", "no PMU", 1 },
	{ { EACCES, 0, 0 }, "cpu-clock", "is not permitted to count", 1 },
};

TEST_ROWS(defaults_to_what_counts, defaults)
{
	struct pmu_kernel kernel = defaults[_i].kernel;
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };
	struct files files;
	const char *why;

	files_init(&files, nothing);
	files.other = pmu_other;
	files.arg = &kernel;
	ck_assert_int_eq(event_default(&files.sys, &spec, &why, NULL), 0);
	ck_assert_str_eq(spec.text, defaults[_i].event);
	ck_assert_msg(strstr(why, defaults[_i].why), "%s", why);
	ck_assert_uint_eq(files.calls, defaults[_i].calls);
	ck_assert_uint_eq(files.open, 0);
}
