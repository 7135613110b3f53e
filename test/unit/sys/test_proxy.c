// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The proxy: which calls it makes, that they return the same, and a proxy that does not answer. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "loader/base/calls/regular_file.h"
#include "loader/base/calls/processes.h"
#include "loader/base/proxy/proxy_internal.h"
#include "loader/core/sys/read.h"
#include "test/unit/common/suite.h"

static struct sys *sys;
static struct proxy *proxy;
static pid_t other;
static char path[64];

static pid_t start_as(uid_t user)
{
	const pid_t pid = fork();

	if (pid)
		return pid;
	if (setresuid(user, user, user) || prctl(PR_SET_PDEATHSIG, SIGKILL))
		_exit(1);
	for (;;)
		pause();
}

static void begin(void)
{
	sys = sys_proxy(sys_linux());
	proxy = (struct proxy *)sys;
	other = start_as(geteuid());
}

static void end(void)
{
	sys_free(sys);
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
}

TEST_FIXTURE(begin, end)

/* Return the path of a file of the other process. */
static const char *of(const char *name)
{
	snprintf(path, sizeof(path), "/proc/%d/%s", other, name);
	return path;
}

static const struct {
	const char *path;
	bool waits;
} paths[] = {
	{ "/proc/7/maps", true }, { "/proc/7/stat", true }, { "/proc/7/ns/mnt", true },
	{ "/proc/7/root/x", true }, { "/proc/7/exe", true }, { "/proc/7/fd/1", true },
	{ "/proc/7/map_files/1-2", true }, { "/proc/7/task/8/maps", true },
	{ "/proc/7/statusx", true }, { "/proc/7/cmdline", true },
	{ "/proc/7/task/8/task/9/maps", true },
	{ "/proc/7/status", false }, { "/proc/7/comm", false }, { "/proc/7/schedstat", false },
	{ "/proc/7/fd", false }, { "/proc/7/fdinfo/1", false }, { "/proc/7/task", false },
	{ "/proc/7/task/8", false }, { "/proc/7/task/8/status", false }, { "/proc/7/", false },
	{ "/proc/7", false }, { "/proc/self/maps", false }, { "/proc/self/fd/1", false },
	{ "/proc/kallsyms", false }, { "/sys/proc/7/maps", false }, { "proc/7/maps", false },
	{ "/proc/99999999999/maps", false }, { "/proc/-7/maps", false },
};

TEST_ROWS(calls_that_may_wait, paths)
{
	const unsigned long open[6] = { (long)AT_FDCWD, (unsigned long)paths[_i].path };
	const unsigned long statfs[6] = { (unsigned long)paths[_i].path };

	ck_assert_int_eq(proxy_may_wait(proxy, __NR_openat, open), paths[_i].waits ? 7 : 0);
	ck_assert_int_eq(proxy_may_wait(proxy, __NR_readlinkat, open), paths[_i].waits ? 7 : 0);
	ck_assert_int_eq(proxy_may_wait(proxy, __NR_statfs, statfs), paths[_i].waits ? 7 : 0);
}

TEST(tasks_that_may_wait)
{
	unsigned long arg[6] = { 0, 7, -1, -1, PERF_FLAG_FD_CLOEXEC };

	ck_assert_int_eq(proxy_may_wait(proxy, __NR_perf_event_open, arg), 7);
	arg[4] |= PERF_FLAG_PID_CGROUP;
	ck_assert_int_eq(proxy_may_wait(proxy, __NR_perf_event_open, arg), 0);
	arg[4] = 0;
	arg[1] = -1ul;
	ck_assert_int_eq(proxy_may_wait(proxy, __NR_perf_event_open, arg), 0);
	arg[1] = 0;
	ck_assert_int_eq(proxy_may_wait(proxy, __NR_perf_event_open, arg), 0);
	arg[1] = getpid();
	ck_assert_int_eq(proxy_may_wait(proxy, __NR_perf_event_open, arg), 0);
}

/* A child of the session is the user's own, until another process may have its number. */
TEST(a_child_of_the_session)
{
	unsigned long arg[6] = { 0 };
	siginfo_t info;

	for (int i = 0; i < 2; i++) {
		arg[1] = sys_fork(sys, SIGCHLD);
		if (!arg[1])
			_exit(0);
		ck_assert_int_eq(proxy_may_wait(proxy, __NR_perf_event_open, arg), 0);
		ck_assert_int_eq(sys_waitid(sys, arg[1], &info, WEXITED), 0);
		ck_assert_int_eq(proxy_may_wait(proxy, __NR_perf_event_open, arg), arg[1]);
	}
	ck_assert_int_eq(proxy->aide.pid, 0);
}

static size_t content(struct sys *by, int dirfd, const char *file, char *to, size_t size)
{
	const int fd = sys_openat(by, dirfd, file, O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t n;

	ck_assert_int_ge(fd, 0);
	while ((n = sys_read(by, fd, to + len, size - len < 8192 ? size - len : 8192)) > 0)
		len += n;
	ck_assert_int_eq(n, 0);
	ck_assert_int_eq(sys_pread(by, fd, to + len, 8, 4), 8);
	ck_assert_mem_eq(to + len, to + 4, 8);
	ck_assert_int_eq(sys_close(by, fd), 0);
	ck_assert_int_eq(sys_read(by, fd, to, 1), -EBADF);
	return len;
}

/* The process maps more than the kernel returns at once. */
TEST(a_file_that_is_read)
{
	static char direct[1 << 20], proxied[1 << 20];
	size_t len;

	for (int i = 0; i < 3; i++) {
		len = content(sys_linux(), AT_FDCWD, of("maps"), direct, sizeof(direct) - 8);
		ck_assert_uint_gt(len, 4096);
		ck_assert_uint_eq(content(sys, AT_FDCWD, of("maps"), proxied, sizeof(proxied) - 8),
				  len);
		ck_assert_mem_eq(direct, proxied, len);
	}
	ck_assert_int_ne(proxy->aide.pid, 0);
}

/* No file of another user's file system is the session's: closing it may wait, too. */
TEST(files_stay_in_the_proxy)
{
	char link[64], to[64], text[64];
	int fd = sys_openat(sys, AT_FDCWD, of("root"), O_PATH | O_CLOEXEC), file;
	struct stat st, own;
	ssize_t len;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(sys_fstat(sys, fd, &st), 0);
	ck_assert_int_eq(stat("/", &own), 0);
	ck_assert_uint_eq(st.st_ino, own.st_ino);
	file = sys_open_regular(sys, fd, "etc/passwd", 0);
	ck_assert_int_ge(file, 0);
	ck_assert_int_eq(sys_read(sys, file, text, 5), 5);
	ck_assert_mem_eq(text, "root:", 5);
	for (int i = 0; i < 2; i++) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", i ? file : fd);
		len = readlink(link, to, sizeof(to) - 1);
		ck_assert_int_gt(len, 0);
		to[len] = '\0';
		ck_assert_str_eq(to, "anon_inode:[eventfd]");
	}
	sys_close(sys, file);
	sys_close(sys, fd);
}

TEST(links_and_directories)
{
	char direct[256], proxied[256], entries[4096];
	const ssize_t len = sys_readlinkat(sys_linux(), of("exe"), direct, sizeof(direct));
	int fd;

	ck_assert_int_eq(sys_readlinkat(sys, path, proxied, sizeof(proxied)), len);
	ck_assert_mem_eq(direct, proxied, len);
	ck_assert_int_eq(sys_readlinkat(sys, path, proxied, 3), 3);
	ck_assert_int_eq(sys_readlinkat(sys, of("root/nothing"), proxied, 3), -ENOENT);
	fd = sys_openat(sys, AT_FDCWD, of("ns"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_gt(sys_getdents64(sys, fd, entries, sizeof(entries)), 100);
	ck_assert_int_eq(sys_getdents64(sys, fd, entries, sizeof(entries)), 0);
	sys_close(sys, fd);
	fd = sys_openat(sys, AT_FDCWD, of("ns/net"), O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(fd, 0);	/* for calls that take a namespace */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ck_assert_int_gt(readlink(path, direct, sizeof(direct)), 4);
	ck_assert_mem_eq(direct, "net:[", 5);
	sys_close(sys, fd);
}

/* The events are the session's, which closes them; those of a group as well. */
TEST(events)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE, .size = sizeof(attr),
					.config = PERF_COUNT_SW_TASK_CLOCK, .exclude_kernel = 1 };
	int leader = sys_perf_event_open(sys, &attr, other, -1, -1, PERF_FLAG_FD_CLOEXEC), member;
	uint64_t value;

	if (leader == -EACCES || leader == -EPERM)
		suite_skip("events of another process: %s", strerror(-leader));
	ck_assert_int_ge(leader, 0);
	member = sys_perf_event_open(sys, &attr, other, -1, leader, PERF_FLAG_FD_CLOEXEC);
	ck_assert_int_ge(member, 0);
	ck_assert_int_eq(proxy_owner_of(proxy, member), 0);
	kill(proxy->aide.pid, SIGKILL);
	ck_assert_int_eq(sys_read(sys, member, &value, 8), 8);
	ck_assert_int_eq(fcntl(member, F_GETFD), FD_CLOEXEC);
	ck_assert_int_eq(sys_close(sys, leader), 0);
	ck_assert_int_eq(sys_close(sys, member), 0);
}

/* The kernel writes how much of the attr it knows. */
TEST(an_attr_that_is_larger)
{
	struct {
		struct perf_event_attr attr;
		uint64_t unknown[4];
	} large = { { .type = PERF_TYPE_SOFTWARE, .size = sizeof(large) }, { 1, 1, 1, 1 } };

	ck_assert_int_eq(sys_perf_event_open(sys, &large.attr, other, -1, -1, 0), -E2BIG);
	ck_assert_uint_lt(large.attr.size, sizeof(large));
}

/* --- a proxy that does not answer --- */

static void stop_proxy(void)
{
	ck_assert_int_gt(sys_readlinkat(sys, of("exe"), path, 1), 0);
	kill(proxy->aide.pid, SIGSTOP);
}

/* It is killed, what it had open is lost, and the next one answers. */
TEST(a_proxy_that_does_not_answer)
{
	char text[8];
	int fd;

	for (int i = 0; i < 2; i++) {
		fd = sys_openat(sys, AT_FDCWD, of("maps"), O_RDONLY | O_CLOEXEC);
		ck_assert_int_ge(fd, 0);
		stop_proxy();
		ck_assert_int_eq(sys_readlinkat(sys, of("exe"), text, 8), -ETIME);
		ck_assert_int_eq(sys_readlinkat(sys, of("exe"), text, 8), 8);
		ck_assert_int_eq(sys_read(sys, fd, text, 8), -ETIME);
		sys_close(sys, fd);
		ck_assert_int_eq(fcntl(fd, F_GETFD), -1);
	}
}

/* While it cannot be ended it has nothing of the session. */
TEST(a_proxy_has_no_descriptors_of_the_session)
{
	const int kept = eventfd(0, 0);
	char link[64], to[64];
	ssize_t len;

	stop_proxy();
	for (int fd = 0; fd < 64; fd++) {
		snprintf(link, sizeof(link), "/proc/%d/fd/%d", proxy->aide.pid, fd);
		len = readlink(link, to, sizeof(to));
		ck_assert_msg(len < 0 || !memcmp(to, "socket:", 7) || (SANITIZED && fd < 3),
			      "%d: %.*s", fd, (int)len, to);
	}
	close(kept);
}

/* A blocked signal that ends the session, as it has blocked it. */
TEST(a_signal_while_it_waits)
{
	sigset_t set;
	char text[8];

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	stop_proxy();
	raise(SIGTERM);
	ck_assert_int_eq(sys_readlinkat(sys, of("exe"), text, 8), -ETIME);
	ck_assert(proxy->patience.has_ended);
	ck_assert_uint_le(proxy->patience.waited_ns, 2 * PATIENCE_END_NS);
	sigwaitinfo(&set, NULL);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* The time that a process costs is its user's. */
TEST(the_time_of_a_user)
{
	struct purse *purse;
	char text[8];

	if (geteuid())
		suite_skip("another user's process takes root");
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	other = start_as(65533);
	stop_proxy();
	ck_assert_int_eq(sys_readlinkat(sys, of("exe"), text, 8), -ETIME);
	purse = patience_purse(&proxy->patience, 65533, sys_monotonic_ns());
	ck_assert_uint_le(purse->left_ns, PATIENCE_USER_NS - PROXY_CALL_NS / 2);
	ck_assert_int_eq(sys_readlinkat(sys, of("exe"), text, 8), 8);
}
