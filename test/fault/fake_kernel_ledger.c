// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The functions with which a test prepares the fake kernel, and then reads its ledger of calls. */
#include <string.h>

#include "test/fault/fake_kernel_parts.h"

void fake_kernel_fail_call(struct fake_kernel *k, unsigned int n, int code)
{
	k->fail_at = n ? k->nr_calls + n : 0;
	k->fail_code = code;
}

void fake_kernel_set_age(struct fake_kernel *k, unsigned int age)
{
	k->age = age;
}

void fake_kernel_reject(struct fake_kernel *k, const char *name, int code, const char *log)
{
	k->rejects = code ? UINT32_MAX : 0;
	k->reject_name = name;
	k->reject_code = code;
	k->reject_log = log;
}

void fake_kernel_relent(struct fake_kernel *k, unsigned int n)
{
	k->rejects = n;
}

void fake_kernel_spare(struct fake_kernel *k, uint32_t prog_type)
{
	k->spares = prog_type;
}

void fake_kernel_signal(struct fake_kernel *k, int signo)
{
	k->pending |= 1ull << (signo - 1);
}

void fake_kernel_on_poll(struct fake_kernel *k, void (*hook)(struct fake_kernel *k, void *arg),
			 void *arg)
{
	k->poll_hook = hook;
	k->poll_arg = arg;
}

unsigned int fake_kernel_nr_calls(const struct fake_kernel *k)
{
	return k->nr_calls;
}

const struct fake_call *fake_kernel_call(const struct fake_kernel *k, unsigned int i)
{
	return i < k->nr_calls ? &k->calls[i] : NULL;
}

unsigned int fake_kernel_count(const struct fake_kernel *k, const char *name)
{
	unsigned int i, n = 0;

	for (i = 0; i < k->nr_calls; i++)
		n += strcmp(k->calls[i].name, name) == 0;
	return n;
}

static const char *const kinds[] = {
	[SIM_FILE] = "file",
	[SIM_LINES] = "lines of probes",
	[SIM_DIR] = "directory",
	[SIM_FS] = "file system",
	[SIM_SIGNAL] = "signalfd",
	[SIM_EPOLL] = "epoll set",
	[SIM_SOCKET] = "socket",
	[SIM_PIDFD] = "pidfd",
	[SIM_PIPE] = "pipe",
	[SIM_STATS] = "statistics",
	[SIM_MAP] = "map",
	[SIM_PROG] = "program",
	[SIM_BTF] = "BTF",
	[SIM_LINK] = "link",
	[SIM_EVENT] = "event",
};

static const char *what(const struct fake_fd *fd)
{
	if (fd->kind == SIM_MAP)
		return fd->map->attr.map_name;
	return fd->kind == SIM_PROG ? fd->prog->attr.prog_name : fd->path;
}

int fake_kernel_leaks(const struct fake_kernel *k, FILE *out)
{
	unsigned int i;
	int n = 0;

	for (i = SIM_FIRST_FD; i < k->fds.nr; i++) {
		const struct fake_fd *fd = sim_fd_get(&k->fds, i);

		if (!fd)
			continue;
		n++;
		if (out)
			fprintf(out, "fd %u is open: %s %s, made by call %u (%s)\n", i,
				kinds[fd->kind], what(fd), fd->made, k->calls[fd->made - 1].name);
	}
	for (i = 0; i < k->nr_mappings; i++) {
		n++;
		if (out)
			fprintf(out, "%zu bytes are mapped, made by call %u\n", k->mappings[i].len,
				k->mappings[i].made);
	}
	if (k->child.state != FAKE_CHILD_NONE && k->child.state != FAKE_CHILD_REAPED) {
		n++;
		if (out)
			fprintf(out, "the child is still there\n");
	}
	return n;
}

int fake_kernel_violations(const struct fake_kernel *k, FILE *out)
{
	unsigned int i;

	for (i = 0; out && i < k->nr_violations; i++)
		fprintf(out, "%s\n", k->violations[i]);
	return k->nr_violations;
}

struct fake_map *fake_kernel_map(struct fake_kernel *k, const char *name)
{
	unsigned int i;

	for (i = k->nr_maps; i-- > 0;)
		if (strncmp(k->maps[i]->attr.map_name, name, BPF_OBJ_NAME_LEN - 1) == 0)
			return k->maps[i];
	return NULL;
}

struct fake_prog *fake_kernel_prog(struct fake_kernel *k, const char *name)
{
	unsigned int i;

	for (i = k->nr_progs; i-- > 0;)
		if (strncmp(k->progs[i]->attr.prog_name, name, BPF_OBJ_NAME_LEN - 1) == 0)
			return k->progs[i];
	return NULL;
}

struct fake_event *fake_kernel_event(struct fake_kernel *k, unsigned int i)
{
	return i < k->nr_events ? k->events[i] : NULL;
}
