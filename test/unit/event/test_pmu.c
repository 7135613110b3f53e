// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Events through their PMU: the values of a small sysfs appear in perf_event_attr, or are refused.
 */
#include <errno.h>
#include <string.h>

#include <linux/hw_breakpoint.h>

#include "loader/events/catalog/catalog.h"
#include "loader/core/event/event.h"
#include "test/unit/common/files_builder.h"
#include "test/unit/common/suite.h"

#define PMU(file) "/sys/bus/event_source/devices/" file

static const struct fake_file x86[] = {
	{ "/sys/kernel/tracing/events/sched/sched_switch/id", "314\n", 0 },
	{ PMU("breakpoint/type"), "5\n", 0 },
	{ PMU("broken/events/alias"), "event=", 0 },
	{ PMU("broken/events/cycle"), "cycle\n", 0 },
	{ PMU("broken/format/backwards"), "config:7-0\n", 0 },
	{ PMU("broken/format/empty"), "\n", 0 },
	{ PMU("broken/format/high"), "config:0-64\n", 0 },
	{ PMU("broken/format/nowhere"), "config9:0-7\n", 0 },
	{ PMU("broken/format/tail"), "config:0-7,\n", 0 },
	{ PMU("broken/format/secret"), "", EACCES },
	{ PMU("broken/type"), "33\n", 0 },
	{ PMU("cpu/events/cpu-cycles"), "event=0x3c\n", 0 },
	{ PMU("cpu/events/instructions"), "event=0xc0\n", 0 },
	{ PMU("cpu/events/mem-loads"), "event=0xcd,umask=0x1,ldlat=3\n", 0 },
	{ PMU("cpu/events/param"), "event=0x1,ldlat=?\n", 0 },
	{ PMU("cpu/format/cmask"), "config:24-31\n", 0 },
	{ PMU("cpu/format/edge"), "config:18\n", 0 },
	{ PMU("cpu/format/event"), "config:0-7,32-35\n", 0 },
	{ PMU("cpu/format/ldlat"), "config1:0-15\n", 0 },
	{ PMU("cpu/format/all"), "config2:0-63\n", 0 },
	{ PMU("cpu/format/fourth"), "config4:60-63\n", 0 },
	{ PMU("cpu/format/third"), "config3:4-7\n", 0 },
	{ PMU("cpu/format/umask"), "config:8-15\n", 0 },
	{ PMU("cpu/type"), "4\n", 0 },
	{ PMU("noise/type"), "many\n", 0 },
	{ PMU("software/type"), "1\n", 0 },
	{ PMU("tracepoint/type"), "2\n", 0 },
	{ PMU("uncore_imc/cpumask"), "0,18\n", 0 },
	{ PMU("uncore_imc/format/event"), "config:0-7\n", 0 },
	{ PMU("uncore_imc/type"), "14\n", 0 },
	{ 0 }
};

/* A machine with two kinds of cores, as arm64 spells it. */
static const struct fake_file arm64[] = {
	{ PMU("armv8_cortex_a53/cpus"), "0-3\n", 0 },
	{ PMU("armv8_cortex_a53/events/cpu_cycles"), "event=0x0011\n", 0 },
	{ PMU("armv8_cortex_a53/format/event"), "config:0-15\n", 0 },
	{ PMU("armv8_cortex_a53/type"), "8\n", 0 },
	{ PMU("software/type"), "1\n", 0 },
	{ 0 }
};

/* A PMU that lists cache events, as those of POWER do. */
static const struct fake_file power9[] = {
	{ PMU("cpu/events/L1-dcache-load-misses"), "event=0x3e054\n", 0 },
	{ PMU("cpu/format/event"), "config:0-59\n", 0 },
	{ PMU("cpu/type"), "4\n", 0 },
	{ 0 }
};

/* Files without CPUs: any CPU, or those of the other file. */
static const struct fake_file empty[] = {
	{ PMU("any/cpumask"), "", 0 },
	{ PMU("any/type"), "20\n", 0 },
	{ PMU("blank/cpumask"), "\n", 0 },
	{ PMU("blank/type"), "22\n", 0 },
	{ PMU("some/cpumask"), "", 0 },
	{ PMU("some/cpus"), "2-3\n", 0 },
	{ PMU("some/type"), "21\n", 0 },
	{ 0 }
};

static const struct fake_file virtual[] = {
	{ PMU("software/type"), "1\n", 0 },
	{ 0 }
};

static const struct {
	const struct fake_file *files;
	const char *text;
	struct perf_event_attr attr;
	unsigned int nr_cpus;
	int last_cpu;
} good[] = {
	{ x86, "cycles", { .type = 4, .config = 0x3c }, 0, 0 },
	{ x86, "instructions", { .type = 4, .config = 0xc0 }, 0, 0 },
	{ x86, "cpu/cpu-cycles/", { .type = 4, .config = 0x3c }, 0, 0 },
	{ x86, "cpu/event=0x3c/", { .type = 4, .config = 0x3c }, 0, 0 },
	{ x86, "cpu/event=0xabc/", { .type = 4, .config = 0xa000000bc }, 0, 0 },
	{ x86, "cpu/event=0x3c,umask=0xff,cmask=1/", { .type = 4, .config = 0x100ff3c }, 0, 0 },
	{ x86, "cpu/event=1,edge/", { .type = 4, .config = 0x40001 }, 0, 0 },
	{ x86, "cpu/event=1,edge=0/", { .type = 4, .config = 1 }, 0, 0 },
	{ x86, "cpu/mem-loads/", { .type = 4, .config = 0x1cd, .config1 = 3 }, 0, 0 },
	{ x86, "cpu/mem-loads,ldlat=0x1f4/", { .type = 4, .config = 0x1cd, .config1 = 500 }, 0, 0 },
	{ x86, "cpu/all=0xffffffffffffffff/", { .type = 4, .config2 = UINT64_MAX }, 0, 0 },
	{ x86, "cpu/third=0xf/", { .type = 4, .config3 = 0xf0 }, 0, 0 },
	{ x86, "cpu/fourth=0xf/", { .type = 4, .config4 = 0xfULL << 60 }, 0, 0 },
	{ x86, "cpu/config=0x123456789,config1=2,config2=3,config3=4,config4=5/",
	  { .type = 4, .config = 0x123456789, .config1 = 2, .config2 = 3, .config3 = 4,
	    .config4 = 5 }, 0, 0 },
	{ x86, "cpu/param,ldlat=7/", { .type = 4, .config = 1, .config1 = 7 }, 0, 0 },
	{ x86, "cpu/ldlat=7,param/", { .type = 4, .config = 1, .config1 = 7 }, 0, 0 },
	{ x86, "cpu/cycles/", { .type = PERF_TYPE_HARDWARE, .config = 0 }, 0, 0 },
	{ x86, "cpu/LLC-load-misses/u",
	  { .type = PERF_TYPE_HW_CACHE, .config = 0x10002, .exclude_kernel = 1,
					  .exclude_hv = 1 }, 0, 0 },
	{ x86, "cpu/r1a8/", { .type = 4, .config = 0x1a8 }, 0, 0 },
	{ x86, "uncore_imc/r7/", { .type = 14, .config = 7 }, 2, 18 },
	{ x86, "uncore_imc//", { .type = 14, .config = 0 }, 2, 18 },
	{ x86, "L1-dcache-loads", { .type = PERF_TYPE_HW_CACHE, .config = 4ull << 32 }, 0, 0 },
	{ x86, "LLC-load-misses", { .type = PERF_TYPE_HW_CACHE, .config = 4ull << 32 | 0x10002 },
	  0, 0 },
	{ arm64, "L1-dcache-loads", { .type = PERF_TYPE_HW_CACHE, .config = 8ull << 32 }, 4, 3 },
	{ power9, "L1-dcache-load-misses", { .type = 4, .config = 0x3e054 }, 0, 0 },
	{ power9, "L1-d-load-miss", { .type = 4, .config = 0x3e054 }, 0, 0 },
	{ power9, "L1-dcache-loads", { .type = PERF_TYPE_HW_CACHE, .config = 4ull << 32 }, 0, 0 },
	{ arm64, "armv8_cortex_a53/cycles/",
	  { .type = PERF_TYPE_HARDWARE, .config = UINT64_C(8) << 32 }, 4, 3 },
	{ x86, "uncore_imc/event=1/", { .type = 14, .config = 1 }, 2, 18 },
	{ x86, "14:5", { .type = 14, .config = 5 }, 2, 18 },
	{ x86, "4:0x3c", { .type = 4, .config = 0x3c }, 0, 0 },
	{ x86, "page-faults", { .type = 1, .config = 2 }, 0, 0 },
	{ x86, "sched:sched_switch", { .type = 2, .config = 314 }, 0, 0 },
	{ x86, "mem:0x1000/8:w",
	  { .type = 5, .bp_addr = 0x1000, .bp_len = 8, .bp_type = HW_BREAKPOINT_W }, 0, 0 },
	{ arm64, "cycles", { .type = 8, .config = 0x11 }, 4, 3 },
	{ empty, "20:5", { .type = 20, .config = 5 }, 0, 0 },
	{ empty, "21:5", { .type = 21, .config = 5 }, 2, 3 },
	{ empty, "22:5", { .type = 22, .config = 5 }, 0, 0 },
	{ virtual, "cpu-clock", { .type = 1, .config = 0 }, 0, 0 },
};

TEST_ROWS(describes, good)
{
	const struct perf_event_attr *want = &good[_i].attr;
	struct perf_event_attr attr = { .read_format = 3 };
	struct error err = { 0 };
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };
	struct cpu_list cpus;
	struct files files;

	files_init(&files, good[_i].files);
	ck_assert_int_eq(event_parse(&spec, good[_i].text, NULL), 0);
	ck_assert_msg(event_by_pmu(&files.sys, &spec, &attr, &cpus, &err) == 0, "%s: %s", err.where,
		      err.what);
	ck_assert_uint_eq(attr.type, want->type);
	ck_assert_uint_eq(attr.config, want->config);
	ck_assert_uint_eq(attr.config1, want->config1);
	ck_assert_uint_eq(attr.config2, want->config2);
	ck_assert_uint_eq(attr.config3, want->config3);
	ck_assert_uint_eq(attr.config4, want->config4);
	ck_assert_uint_eq(attr.bp_type, want->bp_type);
	ck_assert_uint_eq(attr.exclude_kernel, want->exclude_kernel);
	ck_assert_uint_eq(attr.read_format, 3);
	ck_assert_uint_eq(cpus.nr, good[_i].nr_cpus);
	if (cpus.nr)
		ck_assert_int_eq(cpus.cpus[cpus.nr - 1], good[_i].last_cpu);
	cpu_list_free(&cpus);
	ck_assert_uint_eq(files.open, 0);
}

static const struct {
	const struct fake_file *files;
	const char *text;
	int ret;
	const char *reason, *what, *hint;
} bad[] = {
	{ virtual, "cycles", -ENOENT, "event/no-pmu", "lists 'cpu-cycles'", "-e cpu-clock" },
	{ virtual, "LLC-loads", -ENOENT, "event/no-pmu", "no PMU for its cores", "-e cpu-clock" },
	{ virtual, "cyclse", -ENOENT, "event/unknown", "unknown event", "cycles" },
	{ x86, "bus-cycles", -ENOENT, "event/no-pmu", "lists 'bus-cycles'", "-e cpu-clock" },
	{ virtual, "sched:sched_switch", -ENOENT, "event/no-pmu", "no PMU 'tracepoint'",
	  "software" },
	{ x86, "sched:sched_swap", -ENOENT, "event/unknown", "no event 'sched_swap'",
	  "sched_switch" },
	{ x86, "nopmu/x/", -ENOENT, "event/no-pmu", "no PMU 'nopmu'",
	  "breakpoint, broken, cpu, noise, software" },
	{ x86, "99:0", -ENOENT, "event/no-pmu", "type 99", "tracepoint, uncore_imc" },
	{ x86, "noise/x/", -EIO, "event/pmu-format", "'many', not a 32-bit number",
	  "the kernel writes a number there" },
	{ x86, "uprobe/retprobe=1/", -ENOTSUP, "event/unsupported", "terms cannot express", "" },
	{ x86, "cpu/cycle/", -EINVAL, "event/pmu-term", "no term or event 'cycle'", "cmask, edge, event" },
	{ x86, "uncore_imc/cycles/", -EINVAL, "event/pmu-term", "no term or event 'cycles'",
	  "its terms: event" },
	{ x86, "cpu/call-graph=no/", -EINVAL, "event/pmu-term", "affects the records that perf writes",
	  "leave it out" },
	{ x86, "cpu/r11112222333344445/", -EINVAL, "event/pmu-term", "no term or event 'r1111",
	  "its terms" },
	{ x86, "cpu/evnt=1/", -EINVAL, "event/pmu-term", "no term or event 'evnt'",
	  "its events: cpu-cycles" },
	{ x86, "cpu/config/", -EINVAL, "event/pmu-term", "'config'", "config1" },
	{ x86, "cpu/config5=1/", -EINVAL, "event/pmu-term", "'config5'", "config1" },
	{ x86, "uncore_imc/zz/", -EINVAL, "event/pmu-term", "'zz'", "its terms: event, config" },
	{ x86, "cpu/event=0x1000/", -EINVAL, "event/pmu-term", "does not fit into its 12 bits",
	  "0xfff" },
	{ x86, "cpu/edge=2/", -EINVAL, "event/pmu-term", "does not fit into its 1 bit", "0x1" },
	{ x86, "cpu/event=/", -EINVAL, "event/pmu-term", "'event='", "0x3e8" },
	{ x86, "cpu/event=x/", -EINVAL, "event/pmu-term", "'event=x'", "0x3e8" },
	{ x86, "cpu/event=1,/", -EINVAL, "event/pmu-term", "'' is not a term", "name=value" },
	{ x86, "cpu/=1/", -EINVAL, "event/pmu-term", "'=1' is not a term", "name=value" },
	{ x86, "cpu/../", -EINVAL, "event/pmu-term", "'..' is not a term", "name=value" },
	{ x86, "cpu/param/", -EINVAL, "event/pmu-term", "needs a value for 'ldlat'",
	  "cpu/param,ldlat=1/" },
	{ x86, "broken/alias/", -EINVAL, "event/pmu-term", "'event='", "" },
	{ x86, "broken/cycle/", -EINVAL, "event/pmu-term", "'cycle'", "" },
	{ x86, "broken/backwards=1/", -EIO, "event/pmu-format", "config:7-0", "" },
	{ x86, "broken/empty=1/", -EIO, "event/pmu-format", "not have the form config:BITS", "" },
	{ x86, "broken/high=1/", -EIO, "event/pmu-format", "config:0-64", "" },
	{ x86, "broken/nowhere=1/", -EIO, "event/pmu-format", "config9:0-7", "" },
	{ x86, "broken/tail=1/", -EIO, "event/pmu-format", "config:0-7,", "" },
	{ x86, "broken/secret=1/", -EACCES, "event/pmu-format",
	  "broken/format/secret cannot be read: Permission denied",
	  "is sysfs mounted" },
};

TEST_ROWS(refuses, bad)
{
	struct perf_event_attr attr = { 0 };
	struct error err = { 0 };
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };
	struct cpu_list cpus;
	struct files files;

	files_init(&files, bad[_i].files);
	ck_assert_int_eq(event_parse(&spec, bad[_i].text, NULL), 0);
	ck_assert_int_eq(event_by_pmu(&files.sys, &spec, &attr, &cpus, &err), bad[_i].ret);
	ck_assert_pstr_eq(err.reason, bad[_i].reason);
	ck_assert_msg(strstr(err.what, bad[_i].what), "'%s' has no '%s'", err.what, bad[_i].what);
	ck_assert_msg(strstr(err.hint, bad[_i].hint), "'%s' has no '%s'", err.hint, bad[_i].hint);
	ck_assert_msg(strstr(err.where, spec.text), "%s", err.where);
	ck_assert_uint_eq(files.open, 0);
	cpu_list_free(&cpus);
	/* A caller without a struct error gets the same result. */
	ck_assert_int_eq(event_by_pmu(&files.sys, &spec, &attr, &cpus, NULL), bad[_i].ret);
	cpu_list_free(&cpus);
}

/* On a machine with several kinds of cores, an event of one kind is that of its PMU. */
TEST(one_kind_of_cores_is_chosen)
{
	static const struct {
		const char *text;
		uint32_t type;
		uint64_t config;
		event_describe_fn *describe;
	} rows[] = {
		{ "instructions", PERF_TYPE_HARDWARE, 8ull << 32 | PERF_COUNT_HW_INSTRUCTIONS,
		  event_by_type },
		{ "L1-dcache-loads", PERF_TYPE_HW_CACHE, 8ull << 32, event_by_type },
		{ "r1a8", 8, 0x1a8, event_by_type },
		/* The PMU lists cycles, as cpu_cycles, and no instructions. */
		{ "cycles", PERF_TYPE_HARDWARE, 8ull << 32, event_by_type },
		{ "cycles", 8, 0x11, event_by_pmu },
		{ "instructions", PERF_TYPE_HARDWARE, 8ull << 32 | PERF_COUNT_HW_INSTRUCTIONS,
		  event_by_pmu },
		{ "L1-dcache-loads", PERF_TYPE_HW_CACHE, 8ull << 32, event_by_pmu },
		{ "r1a8", 8, 0x1a8, event_by_pmu },
	};

	for (int i = 0; i < NR(rows); i++) {
		struct perf_event_attr attr = { 0 };
		struct event_spec spec FREED_BY(event_spec_free) = { 0 };
		struct cpu_list cpus;
		struct files files;

		files_init(&files, arm64);
		ck_assert_int_eq(event_parse(&spec, rows[i].text, NULL), 0);
		spec.fixed.pmu = strdup("armv8_cortex_a53");
		ck_assert_int_eq(rows[i].describe(&files.sys, &spec, &attr, &cpus, NULL), 0);
		ck_assert_msg(attr.type == rows[i].type && attr.config == rows[i].config,
			      "%s: type %u, config %#llx, not type %u, config %#llx", rows[i].text,
			      attr.type, attr.config, rows[i].type,
			      (unsigned long long)rows[i].config);
		ck_assert_uint_eq(cpus.nr, 4);
		cpu_list_free(&cpus);
	}
}

TEST(by_type_goes_to_the_pmu_when_it_is_named)
{
	struct perf_event_attr attr = { 0 };
	struct event_spec spec FREED_BY(event_spec_free) = { 0 };
	struct cpu_list cpus;
	struct files files;

	files_init(&files, x86);
	ck_assert_int_eq(event_parse(&spec, "uncore_imc/event=7/", NULL), 0);
	ck_assert_int_eq(event_by_type(&files.sys, &spec, &attr, &cpus, NULL), 0);
	ck_assert_uint_eq(attr.type, 14);
	ck_assert_uint_eq(attr.config, 7);
	ck_assert_uint_eq(cpus.nr, 2);
	cpu_list_free(&cpus);
}

static const struct {
	const struct fake_file *files;
	uint32_t type;
	uint64_t config;
	const char *text;
} recalled[] = {
	{ x86, PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, "cycles" },
	{ x86, PERF_TYPE_HARDWARE, 99, "0:0x63" },
	{ arm64, PERF_TYPE_HARDWARE, UINT64_C(8) << 32 | 1, "armv8_cortex_a53/instructions/" },
	{ arm64, PERF_TYPE_HARDWARE, UINT64_C(9) << 32 | 1, "0:0x900000001" },
	{ x86, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, "page-faults" },
	{ x86, PERF_TYPE_HW_CACHE, 0x10002, "LLC-load-misses" },
	{ arm64, PERF_TYPE_HW_CACHE, UINT64_C(8) << 32, "armv8_cortex_a53/L1-dcache-loads/" },
	{ x86, PERF_TYPE_HW_CACHE, 0xffffff, "3:0xffffff" },
	{ x86, PERF_TYPE_RAW, 0x3c, "cpu/cpu-cycles/" },
	{ x86, PERF_TYPE_RAW, 0x1a8, "r1a8" },
	{ virtual, PERF_TYPE_RAW, 0x1a8, "r1a8" },
	{ x86, PERF_TYPE_TRACEPOINT, 314, "2:0x13a" },
	{ x86, PERF_TYPE_BREAKPOINT, 0, "mem (the address is not reported)" },
	{ virtual, 6, 0, "cpu-clock" },
	{ virtual, 7, 0, "task-clock" },
	{ virtual, 7, 1, "7:0x1" },
	{ x86, 14, 7, "uncore_imc/config=0x7/" },
	{ x86, 33, 0, "broken/config=0x0/" },
	{ x86, 77, 7, "77:0x7" },
};

TEST_ROWS(recalls, recalled)
{
	char text[64], small[5];
	struct files files;

	files_init(&files, recalled[_i].files);
	ck_assert_str_eq(event_name(&files.sys, recalled[_i].type, recalled[_i].config, text,
				      sizeof(text)), recalled[_i].text);
	event_name(&files.sys, recalled[_i].type, recalled[_i].config, small, sizeof(small));
	ck_assert_int_eq(strncmp(small, recalled[_i].text, 4), 0);
}

/* The unit is that of the first term which is an event and has one. Events of no PMU have none. */
TEST(a_unit_is_read)
{
	static const struct fake_file power[] = {
		{ PMU("power/events/energy.scale"), "2.3e-10\n", 0 },
		{ PMU("power/events/energy.unit"), "Joules\n", 0 },
		{ PMU("power/events/reads.unit"), "MiB\n", 0 },
		{ PMU("power/events/times.scale"), "2\n", 0 },
		{ PMU("power/type"), "9\n", 0 },
		{ 0 }
	};
	static const struct {
		const char *text, *scale, *unit;
	} rows[] = {
		{ "power/energy/", "2.3e-10", "Joules" }, { "power/reads,energy/", "", "MiB" },
		{ "power/event=1,energy/", "2.3e-10", "Joules" }, { "power/times,reads/", "2", "" },
		{ "power/other/", "", "" }, { "power//", "", "" }, { "cpu-clock", "", "" },
	};

	for (int i = 0; i < NR(rows); i++) {
		struct event_spec spec FREED_BY(event_spec_free) = { 0 };
		struct event_unit unit;
		struct files files;

		files_init(&files, power);
		ck_assert_int_eq(event_parse(&spec, rows[i].text, NULL), 0);
		event_unit(&files.sys, &spec, &unit);
		ck_assert_str_eq(unit.scale, rows[i].scale);
		ck_assert_str_eq(unit.unit, rows[i].unit);
		ck_assert_uint_eq(files.open, 0);
	}
}
