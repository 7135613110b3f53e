// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Linked into programs whose functions are instrumented, it records which of them run: in the file
 * REACHED/MODULE, byte n is 1 if the function n bytes after the module's begin was entered. The
 * file is a shared mapping, so that what a killed process has reached is in it, too. An aide removes
 * shared mappings (loader/base/proxy/leave.c): it keeps this one, by --wrap=syscall.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define UNTOUCHED __attribute__((no_instrument_function))
#define OF_MODULE __attribute__((visibility("hidden")))
#define SIZE (64 << 20)		/* more than a module has; the file is sparse */

extern const char __ehdr_start[] OF_MODULE;

void __cyg_profile_func_enter(void *function, void *call_site) UNTOUCHED OF_MODULE;
void __cyg_profile_func_exit(void *function, void *call_site) UNTOUCHED OF_MODULE;
long __real_syscall(long nr, ...);
long __wrap_syscall(long nr, long a, long b, long c, long d, long e, long f) UNTOUCHED OF_MODULE;

static char *reached;

/* A static program has no name that dladdr(3) knows. */
UNTOUCHED static char *map_file(void)
{
	char module[4096] = "", path[8192];
	Dl_info info;
	void *map;
	int fd;

	if (dladdr(__ehdr_start, &info) && info.dli_fname)
		snprintf(module, sizeof(module), "%s", info.dli_fname);
	else if (readlink("/proc/self/exe", module, sizeof(module) - 1) < 0)
		return NULL;
	snprintf(path, sizeof(path), REACHED "/%s", basename(module));
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return NULL;
	map = ftruncate(fd, SIZE) ? MAP_FAILED :
				    mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return map == MAP_FAILED ? NULL : map;
}

void __cyg_profile_func_enter(void *function, void *call_site)
{
	static int is_open;

	(void)call_site;
	if (!is_open) {
		is_open = 1;
		reached = map_file();
	}
	if (reached)
		reached[(const char *)function - __ehdr_start] = 1;
}

void __cyg_profile_func_exit(void *function, void *call_site)
{
	(void)function;
	(void)call_site;
}

long __wrap_syscall(long nr, long a, long b, long c, long d, long e, long f)
{
	if (nr == SYS_munmap && reached && a == (long)reached)
		return 0;
	return __real_syscall(nr, a, b, c, d, e, f);
}
