// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Work that makes events happen in the calling task, and the tables that select it by event. */
#include <fcntl.h>
#include <link.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/hw_breakpoint.h>

#include "loader/observe/firing/firing.h"

/* --- the work --- */

volatile uint64_t firing_watched;

__attribute__((noinline)) void firing_function(void)
{
	/* Must not be optimized away, and is longer than the instruction that a probe replaces. */
	__asm__ volatile("nop\n\tnop\n\tnop\n\tnop" ::: "memory");
}

static int find_segment(struct dl_phdr_info *info, size_t size, void *arg)
{
	const uint64_t address = (uintptr_t)firing_function - info->dlpi_addr;
	uint64_t *offset = arg;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];

		if (p->p_type != PT_LOAD || address < p->p_vaddr ||
		    address - p->p_vaddr >= p->p_filesz)
			continue;
		*offset = address - p->p_vaddr + p->p_offset;
		return 1;
	}
	return 0;
}

uint64_t firing_function_offset(void)
{
	uint64_t offset = 0;

	dl_iterate_phdr(find_segment, &offset);
	return offset;
}

static void write_watched(void)
{
	firing_watched++;
}

static uint64_t cpu_time_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* The same amount of branches, loads and stores each time. */
static void compute(void)
{
	volatile unsigned char bytes[1 << 16] = { 0 };	/* larger than a first-level cache */

	for (unsigned int i = 0; i < 4096; i++)
		bytes[(i * 193) % sizeof(bytes)] += i & 8 ? 1 : 3;
}

/* A millisecond of CPU time. */
static void spin(void)
{
	uint64_t end = cpu_time_ns() + 1000000;

	while (cpu_time_ns() < end)
		compute();
}

static void fault(void)
{
	const size_t size = getpagesize();
	volatile char *page = mmap(NULL, size, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return;
	*page = 1;
	munmap((void *)page, size);
}

static long switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw;
}

static void give_up_cpu(void)
{
	const struct timespec ts = { 0, 1 };
	const long before = switches();

	/* If the timer expires before the task has left the CPU, the task does not leave it. */
	do
		nanosleep(&ts, NULL);
	while (switches() == before);
}

/* Move to another allowed CPU, if there is one, and back. */
static void migrate(void)
{
	cpu_set_t allowed, one;
	const int here = sched_getcpu();

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (cpu == here || !CPU_ISSET(cpu, &allowed))
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		sched_setaffinity(0, sizeof(one), &one);
		break;
	}
	sched_setaffinity(0, sizeof(allowed), &allowed);
}

static void ask_parent(void)
{
	getppid();
}

static void fork_and_wait(void)
{
	const pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

static void read_file(void)
{
	char text[64];
	int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (read(fd, text, sizeof(text)) >= 0)
		firing_watched++;
	close(fd);
}

static void do_everything(void)
{
	spin();
	fault();
	give_up_cpu();
	ask_parent();
	read_file();
	migrate();
	fork_and_wait();
}

/* --- the work of each event --- */

static const struct firing_work
	computes = { "computes for a millisecond", spin, false, true, compute },
	faults = { "touches a new page", fault, false, true, NULL },
	sleeps = { "gives up the CPU", give_up_cpu, false, true, NULL },
	migrates = { "moves to another CPU", migrate, false, true, NULL },
	writes = { "writes to the variable", write_watched, true, true, NULL },
	calls = { "calls the function", firing_function, true, true, NULL },
	asks = { "calls getppid()", ask_parent, true, true, NULL },
	never = { "computes, faults, sleeps, forks: nothing makes it happen", do_everything, false,
		  true, NULL },
	anything = { "computes, faults, sleeps, forks, reads a file", do_everything, false, false,
		     NULL };

static const struct firing_work *software_work(uint64_t config)
{
	switch (config) {
	case PERF_COUNT_SW_CPU_CLOCK:
	case PERF_COUNT_SW_TASK_CLOCK:
		return &computes;
	case PERF_COUNT_SW_PAGE_FAULTS:
	case PERF_COUNT_SW_PAGE_FAULTS_MIN:
		return &faults;
	case PERF_COUNT_SW_CONTEXT_SWITCHES:
		return &sleeps;
	case PERF_COUNT_SW_CPU_MIGRATIONS:
		return &migrates;
	case PERF_COUNT_SW_DUMMY:
	case PERF_COUNT_SW_BPF_OUTPUT:
		return &never;
	default:
		return &anything;
	}
}

static const struct firing_work *tracepoint_work(const char *category, const char *name)
{
	static const struct {
		const char *category, *name;
		const struct firing_work *work;
	} rows[] = {
		{ "syscalls", "sys_enter_getppid", &asks },
		{ "syscalls", "sys_exit_getppid", &asks },
		{ "sched", "sched_switch", &sleeps },
		{ "sched", "sched_migrate_task", &migrates },
		{ "exceptions", "page_fault_user", &faults },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(category, rows[i].category) && !strcmp(name, rows[i].name))
			return rows[i].work;
	return &anything;
}

/* __x64_sys_getppid, sys_getppid and so on: getppid() gets there. */
static const struct firing_work *kprobe_work(const struct event_spec *spec)
{
	static const char wanted[] = "getppid";
	const char *symbol = spec->kprobe.symbol ? spec->kprobe.symbol : "";
	const size_t len = strlen(symbol);

	return len >= sizeof(wanted) - 1 && !spec->kprobe.offset &&
			       !strcmp(symbol + len - (sizeof(wanted) - 1), wanted) ?
		       &asks :
		       &anything;
}

static const struct firing_work *breakpoint_work(const struct event_spec *spec)
{
	const uint64_t addr = spec->breakpoint.addr;

	if (addr == (uintptr_t)&firing_watched && spec->breakpoint.type & HW_BREAKPOINT_W)
		return &writes;
	if (addr == (uintptr_t)firing_function && spec->breakpoint.type == HW_BREAKPOINT_X)
		return &calls;
	return &anything;
}

const struct firing_work *firing_work_find(const struct event_spec *spec)
{
	switch (spec->kind) {
	case EVENT_HARDWARE:
		return spec->fixed.config == PERF_COUNT_HW_CPU_CYCLES ||
				       spec->fixed.config == PERF_COUNT_HW_INSTRUCTIONS ?
			       &computes :
			       &anything;
	case EVENT_SOFTWARE:
		return software_work(spec->fixed.config);
	case EVENT_TRACEPOINT:
		return tracepoint_work(spec->tracepoint.category, spec->tracepoint.name);
	case EVENT_BREAKPOINT:
		return breakpoint_work(spec);
	case EVENT_KPROBE:
		return kprobe_work(spec);
	case EVENT_UPROBE:
		return !strcmp(spec->uprobe.path, FIRING_PATH) &&
				       spec->uprobe.file_offset == firing_function_offset() ?
			       &calls :
			       &anything;
	default:
		return &anything;
	}
}
