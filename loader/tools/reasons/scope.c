// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Pages of tasks, users, cgroups and CPUs that are not there. */
#include <stddef.h>

#include "loader/tools/reasons/reasons.h"

const struct reason reasons_scope[] = {
	{ "scope/grammar", "it is not a list of numbers or names",
	  "pload reads -p, -t and -G as lists, with commas between.",
	  "pload --help", "-p 12,34; -G a,b." },
	{ "scope/no-process", "there is no such process, or the user has none",
	  "pload looks in /proc, which shows this pid namespace.",
	  "ls -d /proc/PID; pgrep -u USER.",
	  "A pid of a process that runs; -- COMMAND starts one." },
	{ "scope/no-thread", "there is no such thread",
	  "pload looks in /proc/TID.",
	  "ls /proc/PID/task", "-t takes numbers of threads, -p of processes." },
	{ "scope/no-user", "there is no user of that name",
	  "pload reads /etc/passwd, and asks no directory service.",
	  "getent passwd NAME", "The user's number: -u 1000." },
	{ "scope/no-cgroup", "there is no such cgroup, or it cannot be opened",
	  "pload looks for the name below the mounts of cgroup2 and of the perf_event hierarchy.",
	  "grep cgroup /proc/mounts; ls -d DIR.", "A directory of these, from its root." },
	{ "scope/not-a-cgroup", "it is a file, or a directory of another file system",
	  "statfs(2) says which file system it is.",
	  "stat -f -c %T DIR says cgroup2fs or cgroupfs.",
	  "A directory where cgroup2 or perf_event is mounted." },
	{ "scope/no-controller", "the cgroup's hierarchy is without the perf_event controller",
	  "perf_cgroup_connect() in kernel/events/core.c: ENOENT.",
	  "grep perf_event /proc/cgroups; cat /proc/self/cgroup.",
	  "A cgroup of the hierarchy that has it: grep perf_event /proc/mounts." },
	{ "scope/offline-cpu", "a CPU of -C is not online",
	  "pload compares with /sys/devices/system/cpu/online.",
	  "cat /sys/devices/system/cpu/online",
	  "CPUs of that list; echo 1 >/sys/devices/system/cpu/cpuN/online." },
	{ "scope/pmu-cpus", "the PMU counts on none of the CPUs asked for",
	  "PMUs outside of the cores name the CPUs that open them for a package or die.",
	  "cat /sys/bus/event_source/devices/PMU/cpumask", "-C with one of these, or none." },
	{ "scope/no-uevents", "nobody tells which CPUs go offline and come back",
	  "kobject_uevent_net_broadcast() in lib/kobject_uevent.c sends it to sockets of "
	  "NETLINK_KOBJECT_UEVENT, in network namespaces of the system's first user namespace.",
	  "readlink /proc/self/ns/user; ls /proc/net/netlink.",
	  "Without a container; or name CPUs that stay: -C." },
	{ NULL, NULL, NULL, NULL, NULL },
};
