// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Helpers that read and write memory or format text: the results, and the errors for a bad address.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "loader/base/text/each_line.h"
#include "loader/core/sys/read.h"
#include "test/regress/groups/helpers/helper_run.h"

static volatile uint64_t word;
static char text[] = "user space";

/*
 * Returns a page that is reserved, so that nothing else is mapped there, and that must not be
 * touched.
 */
static uintptr_t nowhere(struct regress *t)
{
	void *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	regress_expect(t, page != MAP_FAILED, "no page: %s", strerror(errno));
	return (uintptr_t)page;
}

static void is_text(struct regress *t, const struct helper_run *h, unsigned int at,
		    const char *want, size_t size)
{
	regress_expect(t, !memcmp(&h->io.text[at], want, size), "'%.*s' is there, not '%s'",
		       (int)size, &h->io.text[at], want);
}

/*
 * Reads eight bytes of ours, and eight from an unmapped address, for which the helper zeroes the
 * buffer.
 */
static void read_user(struct regress *t)
{
	const struct helper *helper = t->data;
	struct helper_run h;

	word = 0x0102030405060708;
	helper_begin(t, &h, helper);
	h.io.in[0] = (uintptr_t)&word;
	h.io.in[1] = nowhere(t);
	helper_fire(t, &h);
	helper_returned(t, &h, 0, 0);
	regress_expect(t, h.io.out[0] == word, "0x%llx was read", (unsigned long long)h.io.out[0]);
	helper_returned(t, &h, 1, -EFAULT);
	is_text(t, &h, 0, "\0\0\0\0\0\0\0\0x", 9);
	helper_end(t, &h);
}

static void read_kernel(struct regress *t, struct helper_run *h)
{
	/* The last page of the address space is never mapped. */
	h->io.in[0] = -4096ULL;
	helper_fire(t, h);
	helper_returned(t, h, 0, 0);
	regress_expect(t, h->io.out[0] == 0x123456789abcdef0, "0x%llx was read",
		       (unsigned long long)h->io.out[0]);
	helper_returned(t, h, 1, -EFAULT);
	is_text(t, h, 0, "\0\0\0\0\0\0\0\0x", 9);
}

/* This is testable on x86 only, where the address alone tells user space from the kernel. */
static void user_by_kernel(struct regress *t, struct helper_run *h)
{
#ifndef __x86_64__
	regress_skip(t, "addresses of user space may be the kernel's, too");
#endif
	word = 0x0102030405060708;
	h->io.in[0] = (uintptr_t)&word;
	helper_fire(t, h);
	helper_returned(t, h, 1, -ERANGE);
}

struct string_row {
	struct helper helper;
	const char *whole, *cut;	/* cut to 4 bytes */
	bool kernel;
};

static const struct string_row user_str = {
	{ "probe_read_user_str", "helpers_memory" }, "user space", "use", false
};
static const struct string_row plain_str = {
	{ "probe_read_str", "helpers_memory" }, "user space", "use", false
};
static const struct string_row kernel_str = {
	{ "probe_read_kernel_str", "helpers_memory" }, "kernel", "ker", true
};

static void read_str(struct regress *t)
{
	const struct string_row *row = t->data;
	struct helper_run h;

	helper_begin(t, &h, &row->helper);
	h.io.in[0] = row->kernel ? -4096ULL : (uintptr_t)text;
	h.io.in[1] = nowhere(t);
	helper_fire(t, &h);
	helper_returned(t, &h, 0, strlen(row->whole) + 1);
	is_text(t, &h, 0, row->whole, strlen(row->whole) + 1);
	helper_returned(t, &h, 1, 4);
	is_text(t, &h, 16, row->cut, 4);
	helper_returned(t, &h, 2, -EFAULT);
	is_text(t, &h, 24, "\0\0\0\0\0\0\0\0", 8);
	helper_end(t, &h);
}

static void write_user(struct regress *t, struct helper_run *h)
{
	word = 1;
	h->io.in[0] = (uintptr_t)&word;
	h->io.in[1] = nowhere(t);
	h->io.in[2] = 0x1122334455667788;
	helper_fire(t, h);
	helper_returned(t, h, 0, 0);
	regress_expect(t, word == h->io.in[2], "0x%llx is there", (unsigned long long)word);
	helper_returned(t, h, 1, -EFAULT);
}

/* --- text --- */

static int find_line(void *arg, char *line)
{
	return strstr(line, arg) != NULL;
}

/* Returns true if a line of a file of tracefs has @want; reading does not remove the line. */
static int look_for(struct regress *t, const char *file, char *want)
{
	static const char *const dirs[] = { "/sys/kernel/tracing", "/sys/kernel/debug/tracing" };
	int found = -ENOENT;
	char path[64];

	for (size_t i = 0; found == -ENOENT && i < NR(dirs); i++) {
		snprintf(path, sizeof(path), "%s/%s", dirs[i], file);
		found = sys_each_line_of(t->sys, AT_FDCWD, path, find_line, want);
	}
	return found;
}

/* After an oops the kernel turns tracing off for good (oops_enter()), and root may do so, too. */
static void tracing_is_on(struct regress *t)
{
	char off[] = "0";

	if (look_for(t, "tracing_on", off) == 1)
		regress_skip(t, "tracing_on of tracefs is 0, as the kernel leaves it after an oops: "
			     "no line is written");
}

static void print(struct regress *t)
{
	const struct helper *helper = t->data;
	const bool many = !strcmp(helper->name, "trace_vprintk");
	uint64_t mark = sys_monotonic_ns() << 16 | (unsigned int)(getpid() & 0xffff);
	char want[64];
	struct helper_run h;
	int found = 0;

	helper_begin(t, &h, helper);
	h.io.in[0] = mark;
	snprintf(want, sizeof(want), "pload regress %llx%s", (unsigned long long)mark,
		 many ? " 1 2 3 4" : "");
	/* Loading the first such program enables printing, which may take a moment. */
	for (unsigned int i = 0; !found && i < 50 && (!i || !usleep(20000)); i++) {
		helper_fire(t, &h);
		regress_expect(t, h.io.ret[0] > 0, "it returned %lld", (long long)h.io.ret[0]);
		found = look_for(t, "trace", want);
	}
	if (found < 0)
		regress_skip(t, "tracefs is not there: %s", strerror(-found));
	if (!found)
		tracing_is_on(t);
	regress_expect(t, found == 1, "no line says '%s'", want);
	helper_end(t, &h);
}

static void snprintf_is(struct regress *t, struct helper_run *h)
{
	const char *const want = "-7 words abcdef0123";

	helper_fire(t, h);
	helper_returned(t, h, 0, strlen(want) + 1);
	is_text(t, h, 0, want, strlen(want) + 1);
	helper_returned(t, h, 1, strlen(want) + 1);
	is_text(t, h, 32, "-7 wo", 6);
}

static void strncmp_is(struct regress *t, struct helper_run *h)
{
	strcpy(&h->io.text[0], "middle");
	strcpy(&h->io.text[16], "left");
	strcpy(&h->io.text[32], "right");
	strcpy(&h->io.text[48], "mid, and more");
	helper_fire(t, h);
	helper_returned(t, h, 0, 0);
	regress_expect(t, h->io.ret[1] < 0, "'left' with 'middle' is %lld", (long long)h->io.ret[1]);
	regress_expect(t, h->io.ret[2] > 0, "'right' with 'middle' is %lld", (long long)h->io.ret[2]);
	helper_returned(t, h, 3, 0);
}

static void snprintf_btf(struct regress *t, struct helper_run *h)
{
	const char *const want = "(struct list_head){.next = (struct list_head *)";

	helper_fire(t, h);
	regress_expect(t, h->io.ret[0] > 0, "it returned %lld (%s)", (long long)h->io.ret[0],
		       regress_errno(h->io.ret[0]));
	is_text(t, h, 0, want, strlen(want));
	helper_returned(t, h, 1, -EINVAL);
}

static const struct helper probe_read_user = { "probe_read_user", "helpers_memory" };
static const struct helper probe_read = { "probe_read", "helpers_memory" };
static const struct helper trace_printk = { "trace_printk", "helpers_memory" };
static const struct helper trace_vprintk = { "trace_vprintk", "helpers_memory" };

static const struct regress_test tests[] = {
	{ "bpf_probe_read_user has the bytes; where nothing is it is EFAULT, and zeroed", read_user,
	  &probe_read_user },
	{ "bpf_probe_read has the bytes; where nothing is it is EFAULT, and zeroed", read_user,
	  &probe_read },
	{ "bpf_probe_read_kernel has the bytes; where nothing is it is EFAULT, and zeroed",
	  HELPER_TEST("probe_read_kernel", "helpers_memory", read_kernel) },
	{ "bpf_probe_read_kernel of user space is ERANGE",
	  HELPER_TEST("probe_read_kernel", "helpers_memory", user_by_kernel) },
	{ "bpf_probe_read_user_str: the length with its NUL; cut; EFAULT, and zeroed", read_str,
	  &user_str },
	{ "bpf_probe_read_str: the length with its NUL; cut; EFAULT, and zeroed", read_str,
	  &plain_str },
	{ "bpf_probe_read_kernel_str: the length with its NUL; cut; EFAULT, and zeroed", read_str,
	  &kernel_str },
	{ "bpf_probe_write_user writes; where nothing is it is EFAULT",
	  HELPER_TEST("probe_write_user", "helpers_memory", write_user) },
	{ "bpf_trace_printk is a line of the trace", print, &trace_printk },
	{ "bpf_trace_vprintk is a line of the trace, with more than three arguments", print,
	  &trace_vprintk },
	{ "bpf_snprintf: the text, cut, and the length it would have had",
	  HELPER_TEST("snprintf", "helpers_memory", snprintf_is) },
	{ "bpf_snprintf_btf: a struct of the kernel's; no type is EINVAL",
	  HELPER_TEST("snprintf_btf", "helpers_btf", snprintf_btf) },
	{ "bpf_strncmp: 0, less, more, and no further than its size",
	  HELPER_TEST("strncmp", "helpers_memory", strncmp_is) },
	{ 0 }
};

const struct regress_group regress_group_helpers_memory = {
	"helpers_memory", "helpers that read and write memory, and make text", tests, NULL, __FILE__
};
