// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Cookies of links to other hooks than perf events: the kernel keeps all 64 bits for each run. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/socket.h>

#include "loader/core/attach/link_target.h"
#include "test/regress/common/lacks.h"

#define COOKIE UINT64_C(0xfedcba9876543210)
#define CALLS 5

static const struct row {
	const char *name, *prog;
	struct regress_since loads[2];	/* the first kernel where this type has a cookie */
} rows[] = {
	{ "raw tracepoint", "raw_tp", { { LINUX(0, 0), "EINVAL" }, { LINUX(6, 10), "0" } } },
	{ "tp_btf", "tp_btf", { { LINUX(0, 0), "EINVAL" }, { LINUX(6, 10), "0" } } },
	{ "fentry", "fentry", { { LINUX(0, 0), "EINVAL" }, { LINUX(5, 19), "0" } } },
	{ "fexit", "fexit", { { LINUX(0, 0), "EINVAL" }, { LINUX(5, 19), "0" } } },
};

/* The variables of link_cookies.bpf.c. */
struct counts {
	uint64_t runs, cookies;
};

static struct counts counts_of(struct regress *t, const struct regress_object *o)
{
	struct counts counts = { 0 };
	const uint32_t key = 0;

	regress_ok(t, map_lookup(t->sys, regress_map(t, o, ".bss"), &key, &counts), NULL,
		   "variables");
	return counts;
}

/* Return false if the kernel gives programs of this type no cookie, which it then must not. */
static bool load(struct regress *t, struct regress_object *o, const struct row *row)
{
	struct error err = { 0 };
	const int ret = regress_try_load(t, o, "link_cookies", row->prog, &err);

	/* Without trampolines or BTF this cannot be tested at all. */
	if (ret && ret != -EINVAL)
		lacks_ok(t, ret, &err, "load");
	error_clear(&err);
	regress_answer(t, "load", regress_errno(ret), row->loads, NR(row->loads));
	return ret == 0;
}

static struct target_request request_of(struct regress *t, const struct regress_object *o,
					const struct target_options *options)
{
	const struct row *row = t->data;
	const struct object_prog *prog = o->loading.object.progs;

	while (strcmp(prog->name, row->prog))
		prog++;
	return (struct target_request){
		.options = options,
		.prog_fd = regress_prog(t, o, row->prog),
		.attach_type = prog->kind->attach_type,
		.section_target = prog->target,
		.target = link_target_find(prog->kind->prog_type, prog->kind->attach_type),
		.has_cookie = true,
		.cookie = COOKIE,
	};
}

static void test(struct regress *t)
{
	const struct target_options options = { 0 };
	struct target_request req;
	struct attach_set set = { 0 };
	struct regress_object o;
	struct error err = { 0 };
	struct counts counts;

	if (load(t, &o, t->data)) {
		req = request_of(t, &o, &options);
		lacks_ok(t, link_target_check(&req, &err), &err, "check");
		lacks_ok(t, link_target_bind(t->sys, &req, &set, &err), &err, "attach");
		for (int i = 0; i < CALLS; i++)
			getsockopt(-1, SOL_SOCKET, SO_TYPE, NULL, NULL);
		attach_close(t->sys, &set);
		counts = counts_of(t, &o);
		regress_expect(t, counts.runs >= CALLS, "%" PRIu64 " runs of at least %d",
			       counts.runs, CALLS);
		regress_expect(t, counts.cookies == COOKIE, "%#" PRIx64, counts.cookies);
	}
	regress_unload(t, &o);
}

static void fill(struct regress_list *list)
{
	for (size_t i = 0; i < NR(rows); i++)
		regress_add(list, test, &rows[i], "%s: each run has the cookie of its link",
			    rows[i].name);
}

const struct regress_group regress_group_link_cookies = {
	"link_cookies", "bpf_get_attach_cookie() of links that are no perf events", NULL, fill,
	__FILE__
};
