// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A program that counts its runs, for one task and for all others, and keeps the last cookie. */
#include <errno.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "loader/core/kernel/attr.h"
#include "loader/core/kernel/kernel.h"
#include "loader/core/sys/refused.h"
#include "loader/explain/kernel/assemble.h"
#include "loader/observe/firing/firing.h"

/* The pid namespace of this process, as bpf_get_ns_current_pid_tgid() takes it. */
struct self {
	uint64_t dev, ino;
};

static int find_self(struct sys *sys, struct self *self)
{
	struct stat st;
	int fd = sys_openat(sys, AT_FDCWD, "/proc/self/ns/pid", O_RDONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return fd;
	ret = sys_fstat(sys, fd, &st);
	sys_close(sys, fd);
	/* The helper compares with the kernel's own dev_t: include/linux/kdev_t.h, MKDEV(). */
	self->dev = (uint64_t)major(st.st_dev) << 20 | minor(st.st_dev);
	self->ino = st.st_ino;
	return ret;
}

/*
 * r8 = &value->own for the watched task and the threads of the watched process, otherwise
 * &value->others, and there a program of a tracing event returns 1: 0 would take the occurrence
 * from the events of everybody.
 *
 *	struct bpf_pidns_info info;
 *	if (bpf_get_ns_current_pid_tgid(dev, ino, &info, sizeof(info)) ||
 *	    (info.tgid != value->watched && info.pid != value->watched)) {
 *		r8 += offsetof(struct firing_value, others);
 *		retval = 1;
 *	}
 */
static void tell_tasks(struct code *code, const struct self *self, bool shared)
{
	code_set64(code, 1, 0, self->dev);
	code_set64(code, 2, 0, self->ino);
	code_move(code, 3, 10);
	code_advance(code, 3, -8);
	code_set(code, 4, sizeof(struct bpf_pidns_info));
	code_call(code, BPF_FUNC_get_ns_current_pid_tgid);
	code_add(code, BPF_JMP | BPF_JNE | BPF_K, 0, 0, 5, 0);
	code_load(code, BPF_W, 2, 8, offsetof(struct firing_value, watched));
	code_load(code, BPF_W, 1, 10, -8 + (int)offsetof(struct bpf_pidns_info, tgid));
	code_add(code, BPF_JMP | BPF_JEQ | BPF_X, 1, 2, 3 + shared, 0);
	code_load(code, BPF_W, 1, 10, -8 + (int)offsetof(struct bpf_pidns_info, pid));
	code_add(code, BPF_JMP | BPF_JEQ | BPF_X, 1, 2, 1 + shared, 0);
	code_advance(code, 8, offsetof(struct firing_value, others));
	if (shared)
		code_set(code, 7, 1);
}

/*
 *	r7 = retval;
 *	r8 = &value->own;
 *	tell_tasks();					if available
 *	r8->cookie = bpf_get_attach_cookie(ctx);	if available
 *	lock *(u64 *)&r8->runs += 1;
 *	return r7;
 */
static void assemble(struct code *code, const struct firing_prog *p, const struct self *self,
		     int32_t retval)
{
	*code = (struct code){ 0 };
	code_move(code, 6, 1);
	code_set(code, 7, retval);
	code_set64(code, 8, BPF_PSEUDO_MAP_VALUE, (uint32_t)p->map_fd);
	if (p->tells_tasks)
		tell_tasks(code, self, p->prog_type != BPF_PROG_TYPE_PERF_EVENT);
	if (p->has_cookie) {
		code_move(code, 1, 6);
		code_call(code, BPF_FUNC_get_attach_cookie);
		code_store(code, BPF_DW, 8, offsetof(struct firing_runs, cookie), 0);
	}
	code_set(code, 1, 1);
	code_add(code, BPF_STX | BPF_ATOMIC | BPF_DW, 8, 1, offsetof(struct firing_runs, runs),
		 BPF_ADD);
	code_move(code, 0, 7);
	code_add(code, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

static int create_map(struct sys *sys)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_ARRAY;
	attr.key_size = sizeof(uint32_t);
	attr.value_size = sizeof(struct firing_value);
	attr.max_entries = 1;
	return sys_bpf(sys, BPF_MAP_CREATE, &attr, ATTR_SIZE(max_entries));
}

static int load(struct sys *sys, const struct firing_prog *p, const struct self *self,
		int32_t retval)
{
	static const char name[] = "pload_trial";
	union bpf_attr attr;
	struct code code;

	assemble(&code, p, self, retval);
	memset(&attr, 0, sizeof(attr));
	attr.prog_type = p->prog_type;
	attr.insns = attr_pointer(code.insns);
	attr.insn_cnt = code.nr;
	attr.license = attr_pointer("GPL");
	memcpy(attr.prog_name, name, sizeof(name));
	return sys_bpf(sys, BPF_PROG_LOAD, &attr, ATTR_SIZE(prog_name));
}

/* Load with both helpers, or with fewer if the kernel refuses them. */
static int load_any(struct sys *sys, struct firing_prog *p, int32_t retval)
{
	static const struct {
		bool has_cookie, tells_tasks;
	} forms[] = { { true, true }, { false, true }, { true, false }, { false, false } };
	struct self self = { 0 };
	bool knows_self = find_self(sys, &self) >= 0;
	int ret = -EINVAL;

	for (size_t i = 0; ret == -EINVAL && i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (forms[i].tells_tasks && !knows_self)
			continue;
		p->has_cookie = forms[i].has_cookie;
		p->tells_tasks = forms[i].tells_tasks;
		ret = load(sys, p, &self, retval);
	}
	return ret;
}

static int refused(struct sys *sys, enum sys_room room, const char *call, long cmd, int code,
		   struct error *err)
{
	const struct sys_asked asked = {
		.room = room, .call = call, .caps = sys_prog_caps(BPF_PROG_TYPE_PERF_EVENT),
		.nr = __NR_bpf, .request = cmd,
	};

	if (code == EPERM || code == EACCES || code == ENOSYS)
		return sys_denied(sys, &asked, code, err);
	return error_set(err, code, "%s: %s", call, error_strerror(code));
}

int firing_prog_load(struct sys *sys, struct firing_prog *p, uint32_t prog_type, int32_t retval,
		    struct error *err)
{
	int ret;

	*p = (struct firing_prog){ .prog_type = prog_type, .map_fd = -1, .prog_fd = -1 };
	p->map_fd = create_map(sys);
	if (p->map_fd == -EPERM && sys_raise_memlock(sys))
		p->map_fd = create_map(sys);
	if (p->map_fd < 0)
		return refused(sys, SYS_MAP_CREATE, "BPF_MAP_CREATE", BPF_MAP_CREATE, -p->map_fd,
			       err);
	ret = firing_prog_watch(sys, p, getpid());
	if (ret < 0)
		return error_set(err, -ret, "BPF_MAP_UPDATE_ELEM: %s", error_strerror(-ret));
	p->prog_fd = load_any(sys, p, retval);
	if (p->prog_fd == -EPERM && sys_raise_memlock(sys))
		p->prog_fd = load_any(sys, p, retval);
	if (p->prog_fd < 0)
		return refused(sys, SYS_PROG_LOAD, "BPF_PROG_LOAD", BPF_PROG_LOAD, -p->prog_fd,
			       err);
	return 0;
}

void firing_prog_close(struct sys *sys, struct firing_prog *p)
{
	sys_close_fd(sys, &p->prog_fd);
	sys_close_fd(sys, &p->map_fd);
}

int firing_prog_read(struct sys *sys, const struct firing_prog *p, struct firing_value *value)
{
	uint32_t zero = 0;

	return map_lookup(sys, p->map_fd, &zero, value);
}

int firing_prog_watch(struct sys *sys, const struct firing_prog *p, pid_t task)
{
	struct firing_value value;
	uint32_t zero = 0;
	int ret = firing_prog_read(sys, p, &value);

	value.watched = task;
	return ret < 0 ? ret : map_update(sys, p->map_fd, &zero, &value, BPF_ANY);
}
