// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pages of what loader/sys/more/denied.c finds: the same causes for whoever was refused. */
#include <stddef.h>

#include "loader/tools/reasons/reasons.h"

#define SECCOMP \
	"a seccomp filter of this process forbids the system call", \
	"__secure_computing() in kernel/seccomp.c runs the filters before the call itself. " \
	"They see its number and arguments, no memory, and choose the errno. pload makes the " \
	"call again with arguments that the kernel refuses in another way, and gets the same " \
	"answer.", \
	"grep Seccomp /proc/self/status says 2 where there are filters.", \
	"Docker's default profile lets bpf() through with --cap-add=BPF and perf_event_open() " \
	"with --cap-add=PERFMON; --security-opt seccomp=FILE takes another profile. Services " \
	"of systemd have SystemCallFilter=."

#define NAMESPACE \
	"capabilities of a user namespace do not count for the kernel's own things", \
	"capable() in kernel/capability.c asks for the capability in the first user namespace " \
	"(init_user_ns), and so do bpf_capable() and perfmon_capable(). Root of another " \
	"namespace has all capabilities there, and none here.", \
	"readlink /proc/self/ns/user is user:[4026531837] in the first namespace; cat " \
	"/proc/self/uid_map shows who root is outside.", \
	"Run pload outside of the container, or in one with the host's user namespace (docker " \
	"run --userns=host, no unshare --user)."

#define NO_CAPABILITY \
	"the process lacks a capability that this takes", \
	"bpf_capable() and perfmon_capable() in include/linux/capability.h: CAP_BPF, " \
	"CAP_PERFMON for tracing, CAP_NET_ADMIN for network and cgroups; CAP_SYS_ADMIN does " \
	"for each.", \
	"grep CapEff /proc/self/status, and capsh --decode=NUMBER.", \
	"Run as root, or setcap cap_bpf,cap_perfmon=ep pload. Before Linux 5.8 there are " \
	"neither, and it takes CAP_SYS_ADMIN. --dry-run needs no capability."

#define LOCKDOWN \
	"the kernel is locked down to confidentiality", \
	"security_locked_down() in security/security.c, asked with LOCKDOWN_PERF, " \
	"LOCKDOWN_KPROBES, LOCKDOWN_TRACEFS or LOCKDOWN_BPF_READ_KERNEL: what could read the " \
	"kernel's memory is refused to root, too.", \
	"cat /sys/kernel/security/lockdown: the mode in brackets.", \
	"Boot without lockdown=confidentiality; the mode cannot be lowered while the kernel " \
	"runs. integrity forbids none of this."

#define LSM \
	"a security module may forbid it: nothing else does", \
	"security_bpf(), security_perf_event_open() and security_capable() in " \
	"security/security.c ask every module that is loaded. SELinux has classes bpf and " \
	"perf_event, AppArmor takes capabilities away, and a program of BPF_PROG_TYPE_LSM may " \
	"do anything.", \
	"cat /sys/kernel/security/lsm /proc/self/attr/current; ausearch -m avc; dmesg.", \
	"Allow it in the module's policy, or run pload where the policy does not apply."

#define NO_SYSCALL \
	"this kernel has no such system call", \
	"kernel/sys_ni.c answers ENOSYS for what was not built in.", \
	"zgrep -E 'CONFIG_(BPF_SYSCALL|PERF_EVENTS)=' /proc/config.gz, or the same of " \
	"/boot/config-$(uname -r).", \
	"A kernel with CONFIG_BPF_SYSCALL and CONFIG_PERF_EVENTS. gVisor and WSL 1 have " \
	"neither."

#define MEMLOCK \
	"the limit of locked memory is exceeded, which kernels before 5.11 charge BPF to", \
	"bpf_map_charge_init() and bpf_prog_charge_memlock() in kernel/bpf/syscall.c add to " \
	"the pages that the user has locked, and answer EPERM beyond RLIMIT_MEMLOCK. Since " \
	"5.11 memory is charged to the cgroup.", \
	"ulimit -l, and uname -r.", \
	"ulimit -l unlimited, as root, or LimitMEMLOCK=infinity of the service. pload raises " \
	"it itself where CAP_SYS_RESOURCE lets it."

#define UNPRIVILEGED \
	"others than root may use BPF only where kernel.unprivileged_bpf_disabled is 0", \
	"map_create() and bpf_prog_load() in kernel/bpf/syscall.c. With 0 anybody may create " \
	"plain maps, and load socket filters and cgroup_skb programs; with 1 nobody until the " \
	"next boot; with 2 nobody until it is set to 0.", \
	"sysctl kernel.unprivileged_bpf_disabled", \
	"Give pload CAP_BPF. Setting it to 0 opens the verifier to everybody on the machine."

#define DENIED \
	"the kernel said EPERM or EACCES, and none of the known causes is there", \
	"pload looked at seccomp, the user namespace, capabilities, sysctls, RLIMIT_MEMLOCK, " \
	"lockdown and the security modules.", \
	"dmesg; mount -t securityfs none /sys/kernel/security, where it is not, and look at " \
	"lockdown and lsm in there; perf trace -e bpf,perf_event_open as root.", \
	"Whatever the kernel's log names. A hypervisor or an emulated kernel may have rules " \
	"of its own."

#define FIVE(word, page) \
	{ "perf-open/" word, page }, { "prog-load/" word, page }, { "map-create/" word, page }, \
	{ "attach/" word, page }, { "probe/" word, page }

const struct reason reasons_denied[] = {
	FIVE("seccomp", SECCOMP),
	FIVE("namespace", NAMESPACE),
	{ "perf-open/paranoid",
	  "others than root may not do this while kernel.perf_event_paranoid is that high",
	  "perf_allow_cpu(), perf_allow_kernel() and perf_allow_tracepoint() of perf: without "
	  "CAP_PERFMON whole CPUs take level 0 or less, the kernel's share of one's own tasks "
	  "1, their user mode 2, raw data of tracepoints -1. Debian and Android know higher "
	  "levels: nothing.",
	  "sysctl kernel.perf_event_paranoid",
	  "Give pload CAP_PERFMON (CAP_SYS_ADMIN before Linux 5.8), or watch your own tasks in "
	  "user mode: -e cycles:u -p PID; or lower the level." },
	{ "prog-load/unprivileged", UNPRIVILEGED },
	{ "map-create/unprivileged", UNPRIVILEGED },
	FIVE("no-capability", NO_CAPABILITY),
	{ "prog-load/memlock", MEMLOCK },
	{ "map-create/memlock", MEMLOCK },
	FIVE("lockdown", LOCKDOWN),
	FIVE("lsm", LSM),
	{ "perf-open/no-syscall", NO_SYSCALL },
	{ "prog-load/no-syscall", NO_SYSCALL },
	{ "map-create/no-syscall", NO_SYSCALL },
	FIVE("denied", DENIED),
	{ NULL, NULL, NULL, NULL, NULL },
};
