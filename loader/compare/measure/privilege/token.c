// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Delegate BPF to a user namespace, like a container manager:
 *
 *	a process in the new namespace		this process
 *	fsopen("bpf")		   ------->	fsconfig(delegate_cmds=any, ...), fsmount()
 *						openat(/proc/PID/ns/user)
 *	after entering the namespace: bpf(BPF_TOKEN_CREATE, the bpffs)
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "loader/core/kernel/attr.h"
#include "loader/base/calls/credentials.h"
#include "loader/explain/denied/privilege.h"
#include "loader/compare/measure/privilege/privilege.h"

static int fail(struct error *err, int ret, const char *call)
{
	if (ret >= 0)
		return ret;
	error_set(err, -ret, "%s: %s", call, error_strerror(-ret));
	error_reason(err, "compare/no-token");
	error_hint(err, "tokens require Linux 6.9, user namespaces and CAP_SYS_ADMIN");
	return ret;
}

/* The bpffs belongs to the namespace of its opener; only the outside may delegate to it. */
static void offer(struct peer *self, void *arg)
{
	static const struct identity nobody = { .namespaced = true };
	struct peer_message word = { 0 };

	(void)arg;
	word.ret = identity_become(self->sys, &nobody, &word.err);
	if (word.ret >= 0)
		word.ret = fail(&word.err, sys_unshare(self->sys, CLONE_NEWNS),
				"unshare(CLONE_NEWNS)");
	if (word.ret >= 0)
		word.ret = fail(&word.err, sys_fsopen(self->sys, "bpf", FSOPEN_CLOEXEC), "fsopen");
	word.number[0] = word.ret;
	peer_report(self, &word);
	peer_wait(self);
}

static int allow_any(struct sys *sys, int fs_fd, const char *option, struct error *err)
{
	const unsigned long args[6] = { fs_fd, FSCONFIG_SET_STRING, (unsigned long)option,
					(unsigned long)"any" };

	return fail(err, sys->enter(sys, __NR_fsconfig, args), option);
}

/* Return the root directory of the bpffs that @fs_fd describes, or -errno. */
static int delegate(struct sys *sys, int fs_fd, struct error *err)
{
	static const char *const options[] = { "delegate_cmds", "delegate_maps", "delegate_progs",
					       "delegate_attachs" };
	int ret = 0, mount_fd;

	for (size_t i = 0; ret >= 0 && i < sizeof(options) / sizeof(options[0]); i++)
		ret = allow_any(sys, fs_fd, options[i], err);
	if (ret >= 0)
		ret = fail(err, sys_fsconfig(sys, fs_fd, FSCONFIG_CMD_CREATE), "fsconfig");
	if (ret >= 0)
		ret = fail(err, sys_fsmount(sys, fs_fd, FSMOUNT_CLOEXEC, 0), "fsmount");
	mount_fd = ret;
	/* A mount's descriptor is opened with O_PATH, which cannot be used to create a token. */
	if (ret >= 0)
		ret = fail(err, sys_openat(sys, mount_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC),
			   "openat of the bpffs");
	sys_close_fd(sys, &mount_fd);
	return ret;
}

int delegation_open(struct sys *sys, struct delegation *d, struct error *err)
{
	struct peer_message word;
	struct peer peer;
	char path[48];
	int ret, fs_fd = -1;

	*d = (struct delegation){ -1, -1 };
	ret = peer_begin(&peer, sys, offer, NULL, err);
	if (!ret)
		ret = peer_receive(&peer, &word, err);
	if (ret >= 0)
		ret = fs_fd = peer_take_fd(&peer, word.number[0], err);
	if (ret >= 0)
		ret = d->bpffs_fd = delegate(sys, fs_fd, err);
	snprintf(path, sizeof(path), "/proc/%d/ns/user", peer.pid);
	if (ret >= 0)
		ret = d->userns_fd = fail(
			err, sys_openat(sys, AT_FDCWD, path, O_RDONLY | O_CLOEXEC), path);
	sys_close_fd(sys, &fs_fd);
	peer_end(&peer, false);
	return ret < 0 ? ret : 0;
}

void delegation_close(struct sys *sys, struct delegation *d)
{
	sys_close_fd(sys, &d->bpffs_fd);
	sys_close_fd(sys, &d->userns_fd);
}

/* --- calls with the token --- */

#define WITH(attr, size, flags, token, fd) \
	do { \
		(attr)->flags |= BPF_F_TOKEN_FD; \
		(attr)->token = (fd); \
		*(size) = *(size) > ATTR_SIZE(token) ? *(size) : ATTR_SIZE(token); \
	} while (0)

/* Add the token to the attributes of a command that accepts one. */
static bool add_token(unsigned long cmd, union bpf_attr *attr, unsigned long *size, int fd)
{
	if (cmd == BPF_MAP_CREATE)
		WITH(attr, size, map_flags, map_token_fd, fd);
	else if (cmd == BPF_PROG_LOAD)
		WITH(attr, size, prog_flags, prog_token_fd, fd);
	else if (cmd == BPF_BTF_LOAD)
		WITH(attr, size, btf_flags, btf_token_fd, fd);
	else
		return false;
	return true;
}

static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct token_sys *t = (struct token_sys *)sys;
	unsigned long args[6], size;
	union bpf_attr attr;

	memcpy(args, arg, sizeof(args));
	size = arg[2];
	if (nr != __NR_bpf || t->token_fd < 0 || size > sizeof(attr))
		return t->next->enter(t->next, nr, arg);
	memset(&attr, 0, sizeof(attr));
	memcpy(&attr, (const void *)arg[1], size);
	if (!add_token(arg[0], &attr, &size, t->token_fd))
		return t->next->enter(t->next, nr, arg);
	args[1] = (unsigned long)&attr;
	args[2] = size;
	return t->next->enter(t->next, nr, args);
}

int token_enter(struct token_sys *t, struct sys *next, const struct delegation *d, uint64_t caps,
		struct error *err)
{
	static const struct identity enters = { .caps = 1ull << CAP_SYS_ADMIN };
	const unsigned long setns[6] = { d->userns_fd, CLONE_NEWUSER };
	union bpf_attr attr;
	int ret;

	*t = (struct token_sys){ { .enter = enter }, next, -1 };
	ret = identity_become(next, &enters, err);
	if (ret >= 0)
		ret = fail(err, next->enter(next, __NR_setns, setns), "setns");
	if (ret >= 0)
		ret = fail(err, sys_capset(next, caps), "capset");
	if (ret < 0)
		return ret;
	memset(&attr, 0, sizeof(attr));
	attr.token_create.bpffs_fd = d->bpffs_fd;
	ret = sys_bpf(next, BPF_TOKEN_CREATE, &attr, ATTR_SIZE(token_create));
	t->token_fd = ret < 0 ? -1 : ret;
	return ret == -EPERM ? 0 : ret < 0 ? fail(err, ret, "BPF_TOKEN_CREATE") : 0;
}
