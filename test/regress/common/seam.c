// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A struct sys that makes the n-th system call of a session fail, and records the objects that a
 * session creates.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "loader/core/kernel/kernel.h"
#include "test/regress/common/seam.h"
#include "loader/base/kernel/kernel_calls.h"

static const struct {
	int made_by, get_fd_by_id;
	const char *what;
} kinds[] = {
	{ BPF_PROG_LOAD, BPF_PROG_GET_FD_BY_ID, "program" },
	{ BPF_MAP_CREATE, BPF_MAP_GET_FD_BY_ID, "map" },
	{ BPF_LINK_CREATE, BPF_LINK_GET_FD_BY_ID, "link" },
	{ BPF_BTF_LOAD, BPF_BTF_GET_FD_BY_ID, "BTF" },
};

/* The offset of the id differs between the structs bpf_*_info. */
static uint32_t id_of(struct sys *sys, int kind, int fd)
{
	union {
		struct bpf_prog_info prog;
		struct bpf_map_info map;
		struct bpf_link_info link;
		struct bpf_btf_info btf;
	} info;
	uint32_t len = sizeof(info);

	memset(&info, 0, sizeof(info));
	switch (kind) {
	case BPF_PROG_LOAD:
		len = sizeof(info.prog);
		return kernel_fd_info(sys, fd, &info, &len) < 0 ? 0 : info.prog.id;
	case BPF_MAP_CREATE:
		len = sizeof(info.map);
		return kernel_fd_info(sys, fd, &info, &len) < 0 ? 0 : info.map.id;
	case BPF_LINK_CREATE:
		len = sizeof(info.link);
		return kernel_fd_info(sys, fd, &info, &len) < 0 ? 0 : info.link.id;
	default:
		len = sizeof(info.btf);
		return kernel_fd_info(sys, fd, &info, &len) < 0 ? 0 : info.btf.id;
	}
}

static void remember(struct seam *seam, int cmd, int fd)
{
	struct ledger *ledger = seam->ledger;

	for (size_t i = 0; ledger && i < NR(kinds); i++) {
		if (kinds[i].made_by != cmd || ledger->nr == LEDGER_MAX)
			continue;
		ledger->list[ledger->nr].at = seam->at;
		ledger->list[ledger->nr].get_fd_by_id = kinds[i].get_fd_by_id;
		ledger->list[ledger->nr].id = id_of(seam->next, cmd, fd);
		if (ledger->list[ledger->nr].id)
			ledger->nr++;
	}
}

static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct seam *seam = (struct seam *)sys;
	long ret;

	seam->calls++;
	if (seam->calls == seam->at && !seam->fails)
		kill(getpid(), SIGKILL);
	/* Do not let close(2) and munmap(2) fail: even a failed close() closes the descriptor. */
	if (seam->calls == seam->at && (nr == __NR_close || nr == __NR_munmap)) {
		seam->at++;
	} else if (seam->calls == seam->at) {
		seam->failed_nr = nr;
		return -seam->fails;
	}
	ret = seam->next->enter(seam->next, nr, arg);
	if (nr == __NR_bpf && ret >= 0)
		remember(seam, arg[0], ret);
	return ret;
}

void seam_init(struct seam *seam, struct sys *next, struct ledger *ledger, unsigned int at,
	       int fails)
{
	*seam = (struct seam){ .sys = { .enter = enter }, .next = next, .ledger = ledger, .at = at,
			       .fails = fails, .failed_nr = -1 };
}

struct ledger *ledger_new(struct regress *t)
{
	struct ledger *ledger = mmap(NULL, sizeof(*ledger), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	regress_expect(t, ledger != MAP_FAILED, "no memory for a ledger");
	return ledger;
}

struct look {
	struct sys *sys;
	const struct ledger *ledger;
	unsigned int left;	/* the first that still exists */
};

static bool is_gone(void *arg)
{
	struct look *look = arg;

	for (; look->left < look->ledger->nr; look->left++) {
		int fd = kernel_fd_by_id(look->sys, look->ledger->list[look->left].get_fd_by_id,
					 look->ledger->list[look->left].id);

		if (fd >= 0) {
			sys_close(look->sys, fd);
			return false;
		}
	}
	return true;
}

void ledger_gone(struct regress *t, struct ledger *ledger)
{
	struct look look = { t->sys, ledger, 0 };
	const char *what = "";

	if (!regress_until(is_gone, &look)) {
		for (size_t i = 0; i < NR(kinds); i++)
			if (kinds[i].get_fd_by_id == ledger->list[look.left].get_fd_by_id)
				what = kinds[i].what;
		regress_fail(t, "the %s with id %" PRIu32 ", of who ended at call %u, is still there",
			     what, ledger->list[look.left].id, ledger->list[look.left].at);
	}
	ledger->nr = 0;
}
