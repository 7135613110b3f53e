// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Count which environment variables processes look up and whether they are set, by probing libc.
#include <linux/bpf.h>
#include <linux/ptrace.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

struct name {
	char text[32];
};

/* The name that each thread is looking up; at the return, the argument is no longer available. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, __u64);
	__type(value, struct name);
} asking SEC(".maps");

enum answer { UNSET, SET };

struct question {
	struct name name;
	enum answer answer;
	__u32 pad;
	__u64 cookie;	/* identifies the attachment: --attach=link --cookie=N */
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, struct question);
	__type(value, __u64);
} answers SEC(".maps");

__u64 dropped;

/*
 * char *getenv(const char *name)
 *
 * The probe fires in each process that has mapped the library, or with -p in one process. name is a
 * pointer of that process, so the program reads the string as user memory. The read fails if the
 * page is not present.
 */
SEC("uprobe/libc.so.6:getenv")
int BPF_UPROBE(on_getenv, const char *name)
{
	__u64 thread = bpf_get_current_pid_tgid();
	struct name asked = {};

	if (bpf_probe_read_user_str(asked.text, sizeof(asked.text), name) < 0 ||
	    bpf_map_update_elem(&asking, &thread, &asked, BPF_ANY))
		__sync_fetch_and_add(&dropped, 1);
	return 0;
}

/* The return probe fires only for calls that began after it was attached. */
SEC("uretprobe/libc.so.6:getenv")
int BPF_URETPROBE(on_answer, const char *value)
{
	__u64 thread = bpf_get_current_pid_tgid(), one = 1, *n;
	struct question question = { .answer = value ? SET : UNSET };
	struct name *name = bpf_map_lookup_elem(&asking, &thread);

	if (!name)
		return 0;
	question.name = *name;
	question.cookie = bpf_get_attach_cookie(ctx);
	bpf_map_delete_elem(&asking, &thread);
	n = bpf_map_lookup_elem(&answers, &question);
	if (n)
		__sync_fetch_and_add(n, 1);
	else if (bpf_map_update_elem(&answers, &question, &one, BPF_NOEXIST))
		__sync_fetch_and_add(&dropped, 1);
	return 0;
}

char LICENSE[] SEC("license") = "Dual BSD/GPL";
