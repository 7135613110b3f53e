// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Which program types may call the helpers of perf events, each called with right arguments. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "loader/core/kernel/attr.h"
#include "loader/observe/capabilities/capabilities_internal.h"
#include "test/regress/harness/regress.h"

#define NEVER UINT32_MAX
/*
 * The type has the helper, but not with this map: programs that may sleep can use only arrays,
 * hashes and few other maps.
 */
#define SLEEPS (UINT32_MAX - 1)
/*
 * Since then bpf_base_func_proto() in kernel/bpf/helpers.c offers both to every type that calls it.
 */
#define BASE LINUX(6, 16)

enum { READ, READ_VALUE, OUTPUT, NR_HELPERS };

static const struct {
	const char *name;
	uint32_t func;
} helpers[NR_HELPERS] = {
	{ "bpf_perf_event_read", BPF_FUNC_perf_event_read },
	{ "bpf_perf_event_read_value", BPF_FUNC_perf_event_read_value },
	{ "bpf_perf_event_output", BPF_FUNC_perf_event_output },
};

/* From which release on each form may call bpf_perf_event_read, _read_value, _output. */
static const struct row {
	const char *section;
	unsigned int since[NR_HELPERS];
} rows[] = {
	{ "socket", { BASE, BASE, 0 } },
	{ "kprobe", { 0, 0, 0 } },
	{ "uprobe.s", { SLEEPS, SLEEPS, SLEEPS } },
	{ "kprobe.multi", { 0, 0, 0 } },
	{ "uprobe.multi", { 0, 0, 0 } },
	{ "tc", { BASE, BASE, 0 } },
	{ "action", { BASE, BASE, 0 } },
	{ "tracepoint", { 0, 0, 0 } },
	{ "xdp", { BASE, BASE, 0 } },
	{ "perf_event", { 0, 0, 0 } },
	{ "cgroup_skb/ingress", { BASE, BASE, 0 } },
	{ "cgroup/sock_create", { BASE, BASE, 0 } },
	{ "lwt_in", { BASE, BASE, 0 } },
	{ "lwt_out", { BASE, BASE, 0 } },
	{ "lwt_xmit", { BASE, BASE, 0 } },
	{ "sockops", { BASE, BASE, 0 } },
	{ "sk_skb", { BASE, BASE, 0 } },
	{ "cgroup/dev", { BASE, BASE, 0 } },
	{ "sk_msg", { BASE, BASE, 0 } },
	{ "raw_tp", { 0, 0, 0 } },
	{ "raw_tp.w", { 0, 0, 0 } },
	{ "cgroup/connect4", { BASE, BASE, 0 } },
	{ "cgroup/bind4", { BASE, BASE, 0 } },
	{ "cgroup/sendmsg4", { BASE, BASE, 0 } },
	{ "lwt_seg6local", { BASE, BASE, 0 } },
	{ "lirc_mode2", { BASE, BASE, NEVER } },
	{ "sk_reuseport", { BASE, BASE, NEVER } },
	{ "flow_dissector", { BASE, BASE, NEVER } },
	{ "cgroup/sysctl", { BASE, BASE, 0 } },
	{ "cgroup/getsockopt", { BASE, BASE, 0 } },
	{ "cgroup/setsockopt", { BASE, BASE, 0 } },
	{ "tp_btf", { 0, 0, 0 } },
	{ "iter", { 0, 0, 0 } },
	{ "iter.s", { SLEEPS, SLEEPS, SLEEPS } },
	{ "fentry", { 0, 0, 0 } },
	{ "fexit", { 0, 0, 0 } },
	{ "fmod_ret", { 0, 0, 0 } },
	{ "lsm", { 0, 0, 0 } },
	{ "lsm.s", { SLEEPS, SLEEPS, SLEEPS } },
	{ "lsm_cgroup", { 0, 0, 0 } },
	{ "struct_ops", { BASE, BASE, NEVER } },
	{ "sk_lookup", { BASE, BASE, 0 } },
	{ "syscall", { SLEEPS, SLEEPS, SLEEPS } },
	{ "netfilter", { BASE, BASE, NEVER } },
};

#define NR_ROWS NR(rows)

/* --- measurements that the tests share --- */

struct found {
	bool measured;
	struct found_form {
		bool loads;		/* a program of this form that does nothing */
		char why_not[CAPABILITY_MESSAGE];
		struct {
			bool accepted;
			enum capability_answer probe; /* the answer of pload probe */
			char said[CAPABILITY_MESSAGE];
		} of[NR_HELPERS];
	} forms[NR_ROWS];
};

static int create_array(struct sys *sys)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_PERF_EVENT_ARRAY;
	attr.key_size = 4;
	attr.value_size = 4;
	attr.max_entries = 1;
	return sys_bpf(sys, BPF_MAP_CREATE, &attr, ATTR_SIZE(map_flags));
}

/* helper(ctx?, map, BPF_F_CURRENT_CPU, 24 bytes of the stack) */
static void write_call(struct code *code, unsigned int helper, int map_fd)
{
	const uint8_t first = helper == OUTPUT ? 2 : 1;

	for (int16_t off = -24; off < 0; off += 8)
		code_add(code, BPF_ST | BPF_MEM | BPF_DW, 10, 0, off, 0);
	code_set64(code, first, BPF_PSEUDO_MAP_FD, (uint32_t)map_fd);
	code_set64(code, first + 1, 0, UINT32_MAX);
	if (helper != READ) {
		code_move(code, first + 2, 10);
		code_advance(code, first + 2, -24);
		code_set(code, first + 3, 24);
	}
	code_call(code, helpers[helper].func);
	code_return(code, 0);
}

static void measure_form(struct regress *t, struct capability_form *form, int map_fd,
			 struct found_form *found)
{
	found->loads = form->answer == CAPABILITY_YES;
	snprintf(found->why_not, sizeof(found->why_not), "%s",
		 form->message[0] ? form->message : regress_errno(-form->code));
	for (unsigned int h = 0; found->loads && h < NR_HELPERS; h++) {
		struct code code = { 0 };
		int fd;

		write_call(&code, h, map_fd);
		fd = capability_verify(t->sys, form, &code, found->of[h].said);
		found->of[h].accepted = fd >= 0;
		sys_close_fd(t->sys, &fd);
		found->of[h].probe = capability_try_helper(t->sys, form, helpers[h].func, NULL);
	}
}

static void measure(struct regress *t, struct found *found)
{
	struct kernel_types types;
	struct capability_forms forms;
	struct error err = { 0 };
	/* Before Linux 5.11 programs are charged to it, for a while after they are closed, too. */
	const uint64_t unlimited[2] = { UINT64_MAX, UINT64_MAX };
	int map_fd;

	sys_prlimit(t->sys, RLIMIT_MEMLOCK, unlimited, NULL);
	map_fd = create_array(t->sys);
	if (map_fd == -EPERM)
		regress_skip(t, "no privilege to make a map");
	regress_ok(t, map_fd, NULL, "a map of events");
	kernel_types_init(&types, t->sys, NULL);
	regress_ok(t, capability_try_forms(t->sys, &types, &forms, &err), &err,
		   "types of programs");
	regress_expect(t, forms.nr == NR_ROWS, "pload tries %u forms, and %zu are known here",
		       forms.nr, NR_ROWS);
	for (unsigned int i = 0; i < NR_ROWS; i++) {
		regress_expect(t, !strcmp(forms.list[i].kind->prefix, rows[i].section),
			       "form %u is '%s', not '%s'", i, forms.list[i].kind->prefix,
			       rows[i].section);
		measure_form(t, &forms.list[i], map_fd, &found->forms[i]);
	}
	capability_forms_free(&forms);
	kernel_types_free(&types);
	sys_close(t->sys, map_fd);
	found->measured = true;
}

/* --- each is a fact --- */

static const struct found_form *form_of(struct regress *t, const struct row *row)
{
	struct found *found = t->room;

	if (!found->measured)
		measure(t, found);
	return &found->forms[row - rows];
}

static void takes(struct regress *t, unsigned int helper)
{
	const struct row *row = t->data;
	const struct found_form *form = form_of(t, row);
	const char *said = form->of[helper].said, *saw = "refused";
	struct regress_since since[2] = { { LINUX(0, 0), "accepted" } };
	unsigned int nr = 1;

	if (!form->loads)
		regress_skip(t, "no such program can be loaded: %s", form->why_not);
	if (form->of[helper].accepted)
		saw = "accepted";
	else if (strstr(said, "unknown func") || strstr(said, "cannot use helper"))
		saw = "no such helper";
	else if (strstr(said, "leepable"))
		saw = "no such map where it may sleep";
	regress_note(t, "%s", said);
	if (row->since[helper])
		since[0].answer = row->since[helper] == SLEEPS ? "no such map where it may sleep" :
								  "no such helper";
	if (row->since[helper] && row->since[helper] < SLEEPS)
		since[nr++] = (struct regress_since){ row->since[helper], "accepted" };
	regress_answer(t, "", saw, since, nr);
}

static void takes_read(struct regress *t)
{
	takes(t, READ);
}

static void takes_read_value(struct regress *t)
{
	takes(t, READ_VALUE);
}

static void takes_output(struct regress *t)
{
	takes(t, OUTPUT);
}

/* pload probe answers yes for a helper if and only if a program that calls it was accepted. */
static void probe_agrees(struct regress *t)
{
	const struct found_form *form = form_of(t, t->data);

	if (!form->loads)
		regress_skip(t, "no such program can be loaded: %s", form->why_not);
	for (unsigned int h = 0; h < NR_HELPERS; h++)
		regress_expect(t, form->of[h].accepted == (form->of[h].probe == CAPABILITY_YES),
			       "%s: a program is %s, pload probe says '%s'", helpers[h].name,
			       form->of[h].accepted ? "accepted" : "refused",
			       capability_answer_name(form->of[h].probe));
}

static void fill(struct regress_list *list)
{
	static regress_run *const run[NR_HELPERS] = { takes_read, takes_read_value, takes_output };

	regress_share(list, sizeof(struct found));
	for (unsigned int h = 0; h < NR_HELPERS; h++)
		for (size_t i = 0; i < NR_ROWS; i++)
			regress_add(list, run[h], &rows[i], "%s in SEC(\"%s\")", helpers[h].name,
				    rows[i].section);
	for (size_t i = 0; i < NR_ROWS; i++)
		regress_add(list, probe_agrees, &rows[i], "pload probe agrees: SEC(\"%s\")",
			    rows[i].section);
}

const struct regress_group regress_group_helper_types = {
	"helper_types", "which program types may call the helpers of perf events", NULL, fill,
	__FILE__
};
