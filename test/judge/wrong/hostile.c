// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Loaders that attack the judge, or start processes in unusual ways: hostile NAME [COMMAND] OBJECT
 * METHOD COOKIE. An attack that reaches what it should not writes "reached" on standard error.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char **words;	/* after NAME */

static void *execute(void *arg)
{
	if (arg)
		pthread_join(*(pthread_t *)arg, NULL);
	execv(words[0], words);
	_exit(126);
}

static void *wait_for_signals(void *arg)
{
	pause();
	return arg;
}

/* As the runtime of Go does it. */
static void exec_from_a_thread(void)
{
	pthread_t thread;

	for (int i = 0; i < 8; i++)
		pthread_create(&thread, NULL, wait_for_signals, NULL);
	pthread_create(&thread, NULL, execute, NULL);
	pthread_join(thread, NULL);
}

static void exec_without_the_first_thread(void)
{
	pthread_t first = pthread_self(), thread;

	pthread_create(&thread, NULL, execute, &first);
	pthread_exit(NULL);
}

static void untraced(void)
{
	if (syscall(__NR_clone, CLONE_UNTRACED | SIGCHLD, 0, 0, 0, 0) == 0) {
		for (int fd = 0; fd < 3; fd++)
			close(fd);
		sleep(1000);
	}
}

static void signals(void)
{
	siginfo_t info = { .si_code = SI_QUEUE };

	for (pid_t pid = getppid(); pid >= 0; pid = pid ? 0 : -1) {
		syscall(__NR_rt_sigqueueinfo, pid, SIGKILL, &info);
		syscall(__NR_tgkill, pid, pid, SIGKILL);
	}
	kill(-1, SIGKILL);
}

static void process_group(void)
{
	setpgid(0, getpgid(getppid()));
	kill(0, SIGKILL);
}

/* It sees two processes, its init and itself, in this /proc and in one that it may hide. */
static void memory(void)
{
	for (int depth = 0; depth < 3; depth++) {
		glob_t found = { 0 };

		glob("/proc/[0-9]*/mem", 0, NULL, &found);
		for (size_t i = 0; i < found.gl_pathc; i++) {
			const pid_t pid = atoi(found.gl_pathv[i] + strlen("/proc/"));

			if (pid != getpid() && (pid != 1 || open(found.gl_pathv[i], O_RDWR) >= 0))
				fputs("reached\n", stderr);
		}
		globfree(&found);
		/* In a namespace of its own, so that a judge without one does not lose its /proc. */
		if (depth == 0 && (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)))
			break;
		umount2("/proc", MNT_DETACH);
	}
	if (prctl(PR_CAPBSET_READ, CAP_SYS_PTRACE, 0, 0, 0))
		fputs("reached\n", stderr);
}

static void trace_itself(void)
{
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
}

static void calls_of_32_bits(void)
{
#ifdef __x86_64__
	long ret = 357;	/* bpf(2) */

	__asm__ volatile("int $0x80" : "+a"(ret) : "b"(-1L), "c"(0L), "d"(0L) : "memory");
#endif
}

static void calls_of_x32(void)
{
	syscall(0x40000000 | __NR_bpf, -1, NULL, 0);
}

static void many_loads(void)
{
	static struct bpf_insn insns[65536];
	union bpf_attr attr = { .prog_type = BPF_PROG_TYPE_PERF_EVENT, .insn_cnt = 65536,
				.insns = (unsigned long)insns, .license = (unsigned long)"GPL" };

	for (int i = 0; i < 3000; i++)
		syscall(__NR_bpf, BPF_PROG_LOAD, &attr, sizeof(attr));
}

static void *call_forever(void *arg)
{
	for (;;)
		syscall(__NR_bpf, -1, arg, 0);
	return NULL;
}

static void many_calls(void)
{
	pthread_t thread;

	for (int i = 0; i < 8; i++)
		pthread_create(&thread, NULL, call_forever, NULL);
	pause();
}

static void many_processes(void)
{
	for (int i = 0; i < 4000; i++) {
		const pid_t pid = fork();

		if (pid == 0)
			pause();
		if (pid < 0)
			return;
	}
	fputs("reached\n", stderr);
}

static void much_memory(void)
{
	const size_t step = 1 << 24;

	for (size_t size = 0; size < (size_t)3 << 30; size += step) {
		char *page = malloc(step);

		if (page)
			memset(page, 1, step);
	}
	fputs("reached\n", stderr);
}

static void leaves_files(void)
{
	char path[4096];

	/* Beside the object; before it is the mark. */
	snprintf(path, sizeof(path), "%s.d", words[1]);
	mkdir(path, 0700);
	strcat(path, "/left");
	if (creat(path, 0600) < 0)
		fputs("no file\n", stderr);
}

static void writes_escapes(void)
{
	fputs("\033]0;title\a\302\233\342\200\256\n", stderr);
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*attack)(void);
	} attacks[] = {
		{ "exec-from-a-thread", exec_from_a_thread },
		{ "exec-without-the-first-thread", exec_without_the_first_thread },
		{ "untraced", untraced }, { "signals", signals }, { "process-group", process_group },
		{ "memory", memory }, { "ptrace", trace_itself }, { "calls-of-32-bits", calls_of_32_bits },
		{ "calls-of-x32", calls_of_x32 }, { "many-loads", many_loads },
		{ "many-calls", many_calls }, { "many-processes", many_processes },
		{ "much-memory", much_memory }, { "leaves-files", leaves_files },
		{ "writes-escapes", writes_escapes },
	};

	/* Outside of a process namespace these attacks would end the machine's processes. */
	if (getpid() > 100) {
		fputs("reached\nnot in a process namespace of its own\n", stderr);
		return 1;
	}
	words = argv + 2;
	for (size_t i = 0; argc > 2 && i < sizeof(attacks) / sizeof(*attacks); i++)
		if (!strcmp(attacks[i].name, argv[1]))
			return attacks[i].attack(), 0;
	return 2;
}
