// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Linked into a pload whose functions are instrumented, it writes into the file $WALK the address
 * of each function as it is entered, and the whole call stack at each system call of interest.
 *
 *	> ADDRESS			a function was entered
 *	! CALL ADDRESS...		a system call was made; main() comes first
 */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/bpf.h>
#include <linux/perf_event.h>

#define UNTOUCHED __attribute__((no_instrument_function))
#define DEPTH_MAX 256

static void *stack[DEPTH_MAX];
static unsigned int depth;
static FILE *out;

void __cyg_profile_func_enter(void *function, void *call_site) UNTOUCHED;
void __cyg_profile_func_exit(void *function, void *call_site) UNTOUCHED;
long __wrap_syscall(long nr, ...) UNTOUCHED;
long __real_syscall(long nr, ...);

void __cyg_profile_func_enter(void *function, void *call_site)
{
	static int is_open;

	(void)call_site;
	if (!is_open) {
		const char *path = getenv("WALK");

		is_open = 1;
		out = path ? fopen(path, "we") : NULL;
	}
	if (depth < DEPTH_MAX)
		stack[depth] = function;
	depth++;
	if (out)
		fprintf(out, "> %lx\n", (unsigned long)function);
}

void __cyg_profile_func_exit(void *function, void *call_site)
{
	(void)function;
	(void)call_site;
	depth--;
}

UNTOUCHED static const char *name_of(long nr, const unsigned long *arg)
{
	if (nr == __NR_perf_event_open)
		return "perf_event_open";
	if (nr == __NR_ioctl && arg[1] == PERF_EVENT_IOC_SET_BPF)
		return "PERF_EVENT_IOC_SET_BPF";
	if (nr == __NR_ioctl && arg[1] == PERF_EVENT_IOC_ENABLE)
		return "PERF_EVENT_IOC_ENABLE";
	if (nr == __NR_bpf && arg[0] == BPF_PROG_LOAD)
		return "BPF_PROG_LOAD";
	if (nr == __NR_bpf && arg[0] == BPF_LINK_CREATE)
		return "BPF_LINK_CREATE";
	return NULL;
}

long __wrap_syscall(long nr, ...)
{
	unsigned long arg[6];
	const char *name;
	va_list ap;

	va_start(ap, nr);
	for (int i = 0; i < 6; i++)
		arg[i] = va_arg(ap, unsigned long);
	va_end(ap);
	name = name_of(nr, arg);
	if (out && name && depth <= DEPTH_MAX) {
		fprintf(out, "! %s", name);
		for (unsigned int i = 0; i < depth; i++)
			fprintf(out, " %lx", (unsigned long)stack[i]);
		fputc('\n', out);
	}
	return __real_syscall(nr, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
}
