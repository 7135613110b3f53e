// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Events, each with PMUs and tracepoints to which it may refer. */
#include <stddef.h>

#include "test/fuzz/seeds.h"

#define CPU \
	"cpu/type=4\ncpu/format/event=config:0-7,32-35\ncpu/format/umask=config:8-15\n" \
	"cpu/format/ldlat=config1:0-15\ncpu/events/cpu-cycles=event=0x3c\n" \
	"cpu/events/topdown-bad-spec=event=0x00,umask=0x81\ncpu/events/mem-loads=event=0xcd,ldlat=?\n"
#define CORES \
	"cpu_core/type=4\ncpu_core/cpus=0-7\ncpu_core/events/slots=event=4\n" \
	"cpu_core/format/event=config:0-7\ncpu_atom/type=10\ncpu_atom/cpus=8-15\n"
#define UNCORE \
	"uncore_imc_0/type=14\nuncore_imc_0/cpumask=0,18\nuncore_imc_0/format/event=config:0-63\n" \
	"uncore_imc_10/type=15\nuncore_imc_10/cpumask=0\nuncore_cha_fff1/type=16\n"
#define TRACEFS \
	"events/sched/sched_switch/id=314\nevents/sched/sched_waking/id=315\n" \
	"events/irq/irq_handler_entry/id=99\nevents/ftrace/function/id=1\n" \
	"tracepoint/type=2\nbreakpoint/type=5\nsoftware/type=1\n"

static const char *const seeds[] = {
	"cycles,L1-dcache-load-misses:u,r1a8,1:0,cpu-clock,freq=99\n" CPU TRACEFS,
	"cpu/event=0x3c,umask=1,name=x,period=7/ukp,cpu/cpu-cycles/,cpu/mem-loads,ldlat=3/P\n" CPU,
	"{cycles,or=topdown-bad-spec:k,cpu/LLC-loads/}:SDeW\n" CPU TRACEFS,
	"cycles,slots,{LLC-loads,r1:pp}\n" CORES,
	"imc/event=1/,uncore_cha/config=1/,uncore_*/config1=0xffffffffffffffff/\n" UNCORE,
	"sched:sched_*,{sched,irq}:*:u,s[a-d]?ed/sched_switch\n" TRACEFS,
	"mem:0x1000/8:rw:k,period=1,mem:4096,or=mem:0:x\n" TRACEFS,
	"kprobe:do_exit+0x10,kretprobe:nf_nat:x,kprobe:0xffffffff81000000,ksyscall:openat\n" CPU,
	"uprobe:/bin/sh:main+4,uretprobe:/a,b:0x10,usdt:/lib/libc.so:libc:setjmp,freq=3\n" CPU,
	"nosuch,or=cyclse,or=cpu-clock\n" CPU UNCORE,
};

const char *seed_events(unsigned int i)
{
	return i < sizeof(seeds) / sizeof(seeds[0]) ? seeds[i] : NULL;
}
