/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A document as pload compare writes it, by hand: one counted event, one traced one. */
#ifndef PLOAD_TEST_UNIT_REPORT_FIXTURE_H
#define PLOAD_TEST_UNIT_REPORT_FIXTURE_H

#define FIXTURE_CALL(step, call, args, result) \
	"{\"step\":\"" step "\",\"call\":\"" call "\",\"text\":\"" call "(7) = 9\"," \
	"\"args\":\"" args "\",\"result\":\"" result "\",\"errno\":null}"
#define FIXTURE_OPEN(type) \
	FIXTURE_CALL("open", "perf_event_open", "{type=" type ", size=136, config=0, disabled=1}, " \
		     "0, -1, -1, PERF_FLAG_FD_CLOEXEC", "= event")
#define FIXTURE_SYSFS \
	FIXTURE_CALL("open", "openat", "AT_FDCWD, \\\"/sys/bus/event_source/devices/cpu/type\\\", " \
		     "O_RDONLY", "= type") "," \
	FIXTURE_CALL("open", "read", "type, buffer, 32", "= 2 => \\\"6\\\\n\\\"") "," \
	FIXTURE_CALL("open", "close", "type", "= 0")
#define FIXTURE_IOCTL \
	FIXTURE_CALL("bind", "ioctl", "event, PERF_EVENT_IOC_SET_BPF, program", "= 0") "," \
	FIXTURE_CALL("enable", "ioctl", "event, PERF_EVENT_IOC_ENABLE, 0", "= 0") "," \
	FIXTURE_CALL("detach", "close", "event", "= 0")
#define FIXTURE_LINK \
	FIXTURE_CALL("bind", "bpf", "BPF_LINK_CREATE, {link_create={prog_fd=program, " \
		     "target_fd=event, perf_event={bpf_cookie=0x7}}}, 24", "= link") "," \
	FIXTURE_CALL("enable", "ioctl", "event, PERF_EVENT_IOC_ENABLE, 0", "= 0") "," \
	FIXTURE_CALL("detach", "close", "link", "= 0") "," \
	FIXTURE_CALL("detach", "close", "event", "= 0")

#define FIXTURE_CELL(open, bind, attach, seen, calls, open_ns, bind_ns) \
	"{\"cell\":\"" open "+" bind "\",\"open\":\"" open "\",\"bind\":\"" bind "\"," \
	"\"attach\":" attach ",\"outcome\":\"fires\",\"error\":null,\"calls\":[" calls "]," \
	"\"times\":{\"open\":{\"median_ns\":" open_ns ",\"p99_ns\":" open_ns "}," \
	"\"bind\":{\"median_ns\":" bind_ns ",\"p99_ns\":" bind_ns "}," \
	"\"enable\":{\"median_ns\":300,\"p99_ns\":310}," \
	"\"detach\":{\"median_ns\":71000000,\"p99_ns\":79000000}}," \
	"\"runs\":{\"units\":64,\"unit\":\"writes\",\"own\":64,\"others\":0,\"by\":\"map\"}," \
	"\"cookie\":{\"given\":\"0x7\",\"seen\":\"" seen "\"}," \
	"\"cost\":{\"unit\":\"a write\",\"nothing_ns\":2,\"event_ns\":900,\"program_ns\":1000}," \
	"\"records\":{\"returns_0\":{\"kept\":0,\"dropped\":64,\"counted\":64}," \
	"\"returns_1\":{\"kept\":64,\"dropped\":0,\"counted\":64}}}"

#define FIXTURE_ANSWERS(a, b) \
	"{\"type+ioctl\":{\"answer\":\"" a "\"},\"pmu+ioctl\":{\"answer\":\"" a "\"}," \
	"\"type+link\":{\"answer\":\"" b "\"},\"pmu+link\":{\"answer\":\"" b "\"}}"
#define FIXTURE_SECTION \
	"{\"id\":\"lifetime\",\"title\":\"what outlives what\",\"rows\":[" \
	"{\"id\":\"link-fd\",\"what\":\"the link is closed, the event open\",\"cells\":" \
	FIXTURE_ANSWERS("no link", "stops") "}," \
	"{\"id\":\"odd\",\"what\":\"something that nobody expects\",\"cells\":" \
	"{\"type+ioctl\":{\"answer\":\"up\"},\"pmu+ioctl\":{\"answer\":\"down\"}," \
	"\"type+link\":{\"answer\":\"down\"},\"pmu+link\":{\"answer\":\"down\"}}}]}"

#define FIXTURE_CLOCK \
	"{\"event\":\"cpu-clock\",\"kind\":\"counted\",\"type\":\"software\",\"program\":\"built-in\"," \
	"\"cells\":[" \
	FIXTURE_CELL("type", "ioctl", "\"ioctl\"", "0x0", FIXTURE_OPEN("PERF_TYPE_SOFTWARE") "," \
		     FIXTURE_IOCTL, "5000", "200") "," \
	FIXTURE_CELL("type", "link", "\"link\"", "0x7", FIXTURE_OPEN("PERF_TYPE_SOFTWARE") "," \
		     FIXTURE_LINK, "5100", "900") "," \
	FIXTURE_CELL("pmu", "ioctl", "\"pmu\"", "0x0", FIXTURE_SYSFS "," FIXTURE_OPEN("6") "," \
		     FIXTURE_IOCTL, "25000", "210") "," \
	FIXTURE_CELL("pmu", "link", "\"pmu+link\"", "0x7", FIXTURE_SYSFS "," FIXTURE_OPEN("6") "," \
		     FIXTURE_LINK, "26000", "950") \
	"],\"sections\":[" FIXTURE_SECTION "]}"

#define FIXTURE_ABSENT \
	"{\"event\":\"cycles\",\"kind\":\"counted\",\"type\":\"hardware\",\"program\":\"built-in\"," \
	"\"cells\":[{\"cell\":\"type+ioctl\",\"open\":\"type\",\"bind\":\"ioctl\",\"outcome\":\"fires\"," \
	"\"error\":null,\"calls\":[],\"runs\":null,\"cookie\":{\"given\":null,\"seen\":null}}," \
	"{\"cell\":\"pmu+ioctl\",\"open\":\"pmu\",\"bind\":\"ioctl\",\"outcome\":\"absent\"," \
	"\"error\":{\"text\":\"there is no PMU\",\"where\":\"event 'cycles'\",\"hint\":\"none\"," \
	"\"reason\":\"event/no-pmu\",\"call\":null,\"errno\":\"ENOENT\"}}]}"

#define FIXTURE_DOCUMENT(release, events) \
	"{\"type\":\"compare\",\"version\":1,\"kernel\":{\"release\":\"" release "\"," \
	"\"machine\":\"x86_64\",\"version\":\"#1\"},\"cpus\":2,\"rounds\":50,\"privileged\":true," \
	"\"object\":null,\"events\":[" events "]}"

#define FIXTURE FIXTURE_DOCUMENT("6.18.0", FIXTURE_CLOCK "," FIXTURE_ABSENT)

#endif
