// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Each allocation of each command fails, over the fake kernel: the command does its work without
 * that memory, or it reports one error and leaves nothing.
 */
#include <check.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "loader/core/cmd/command.h"
#include "test/fault/failing_malloc.h"
#include "test/fault/fake_session.h"
#include "test/unit/common/suite.h"
#include "test/unit/compare/report_fixture.h"

#define NR_ARGS 24
#define OUT_MAX (1 << 20)
#define STACKS_MAX 20000
#define DIR "/sys/fs/bpf/x"

/* A command line; @before is run first, with all memory that it wants. */
static const struct {
	const char *object, *args, *before;
} commands[] = {
	{ "ip_count", "--attach=ioctl -d 1 prog.o", NULL },
	{ "ip_count", "--attach=link -e cpu-clock --cookie=7 --pin=" DIR " -d 0 prog.o", NULL },
	{ "counter_read_value",
	  "--attach=link -e cpu-clock --counter=task-clock -d 1 prog.o", NULL },
	{ "event_output", "--attach=link --format=json -d 1 prog.o", NULL },
	{ "ringbuf", "--attach=pmu -e {cycles,or=cpu-clock,cs} -d 1 prog.o", NULL },
	{ "profile", "--attach=ioctl -e cpu-clock -C 1 -d 1 prog.o", NULL },
	{ "ip_count", "-e cpu-clock -p 40,50 -d 1 prog.o", NULL },
	{ "ip_count", "-e cpu-clock -G a,/sys/fs/cgroup/b -d 1 prog.o", NULL },
	{ "kprobe", "--attach=ioctl -d 1 prog.o", NULL },
	{ "event_output", "--attach=link -a -d 1 prog.o -- ls -l", NULL },
	{ "tc_output",
	  "--attach=link --dev=lo --direction=egress --format=json -d 1 prog.o", NULL },
	{ "functions", "--attach=link --cookie=3 -d 1 prog.o", NULL },
	{ "xdp_output", "--test-run=2 prog.o", NULL },
	{ "ip_count", "--trace -d 0 -e cpu-clock prog.o", NULL },
	{ "ip_count", "--trace=json -d 0 -e cpu-clock prog.o", NULL },
	{ "profile", "load --format=json -v prog.o", NULL },
	{ "tc_output", "load --pin=" DIR " --skip-failing prog.o", NULL },
	{ "ip_count", "show", "--attach=link -e cpu-clock --pin=" DIR " -d 0 prog.o" },
	{ "ip_count", "show --format=json",
	  "--attach=link -e cpu-clock --pin=" DIR " -d 0 prog.o" },
	{ "ip_count", "pin list", "--attach=link -e cpu-clock --pin=" DIR " -d 0 prog.o" },
	{ "ip_count", "pin adopt -d 1 " DIR, "--attach=link -e cpu-clock --pin=" DIR " -d 0 prog.o" },
	{ "ip_count", "pin remove " DIR, "--attach=link -e cpu-clock --pin=" DIR " -d 0 prog.o" },
	{ "ip_count", "stat -e cpu-clock,cs -A -d 1", NULL },
	{ "ip_count", "stat -G a,b --format=json -d 1", NULL },
	{ "ip_count", "stat -a -e cs,cpu-clock -- true", NULL },
	{ "ip_count", "list", NULL },
	{ "ip_count", "list --format=json sched:*", NULL },
	{ "ip_count", "probe", NULL },
	{ "ip_count", "probe all", NULL },
	{ "ip_count", "explain attach/no-cookie", NULL },
	{ "ip_count", "compare --only=cells --rounds=1 --format=json -e page-faults prog.o", NULL },
	{ "ip_count", "compare --from=now.json --against=then.json", NULL },
	{ "ip_count", "compare --from=now.json --against=then.json --format=json", NULL },
	{ "ip_count", "compare --from=now.json --against=then.json --format=html", NULL },
	{ "profile", "compare --profile prog.o -- ls", NULL },
	{ "profile", "compare --profile --format=json prog.o -- ls", NULL },
};

/* Each session of --profile reports this. */
static const char messages[] =
	"{\"type\":\"profile\",\"title\":\"x\",\"unit\":\"samples\",\"duration_ns\":5,\"period_ns\":0,"
	"\"lost\":0,\"total\":3,\"functions\":[{\"symbol\":\"main\",\"file\":null,\"self\":1,\"total\":3},"
	"{\"symbol\":null,\"file\":\"\\u00ff.so\",\"self\":2,\"total\":2,\"doubt\":\"x\"}],"
	"\"stacks\":[[0,1],[0]],\"weights\":[2,1]}\n"
	"{\"type\":\"other\",\"share\":0.5}\n"
	"{\"type\":\"summary\",\"duration_ns\":5,\"programs\":[{\"run_cnt\":3,\"run_time_ns\":9}],"
	"\"losses\":[{\"what\":\"throttled\",\"count\":1}]}\n";

/* --- one run --- */

struct run {
	struct fake_session s;
	struct sys sys;		/* calls that of the session */
	char *out;		/* of OUT_MAX */
	size_t len;
	struct output output;
	unsigned int notes;
	bool names_pins;	/* a note does */
	int ret;
};

static struct run *run_of(struct sys *sys)
{
	return (struct run *)((char *)sys - offsetof(struct run, sys));
}

/* A kernel has memory of its own. */
static long enter(struct sys *sys, long nr, const unsigned long arg[6])
{
	struct sys *fake = run_of(sys)->s.sys;
	long ret;

	memory_pause();
	ret = fake->enter(fake, nr, arg);
	memory_resume();
	return ret;
}

static ssize_t keep_output(void *cookie, const char *bytes, size_t size)
{
	struct run *r = cookie;

	memory_pause();
	ck_assert_uint_lt(r->len + size, OUT_MAX);
	memory_resume();
	memcpy(r->out + r->len, bytes, size);
	r->len += size;
	return size;
}

static void look_at_note(struct output *output, const char *text)
{
	struct run *r = (struct run *)((char *)output - offsetof(struct run, output));

	r->notes++;
	r->names_pins |= strstr(text, "stay") && strstr(text, DIR);
}

static void command(struct run *r, int argc, char **argv, FILE *file)
{
	struct error *err = &r->s.err;
	struct sys *trace = NULL;
	struct options o;

	r->ret = options_parse(&o, argc, argv, err);
	if (r->ret)
		return;
	r->output = (struct output){ .file = file, .format = o.format, .rows = o.rows,
				     .note = look_at_note };
	if (o.trace)
		trace = sys_trace(&r->sys, file, TRACE_CALLS);
	r->ret = !o.trace || trace ?
			 o.command->run(trace ? trace : &r->sys, &o, &r->output, err) :
			 error_set(err, ENOMEM, "no memory to start");
	sys_trace_free(trace);
}

/* Return how many allocations there were. */
static unsigned int run(struct run *r, const char *args, unsigned int fail, uint64_t *stacks)
{
	char text[512], buffer[BUFSIZ], *argv[NR_ARGS] = { "pload" }, *p = text;
	FILE *file = fopencookie(r, "w", (cookie_io_functions_t){ .write = keep_output });
	unsigned int nr;
	int argc = 1;

	setvbuf(file, buffer, _IOFBF, sizeof(buffer));
	snprintf(text, sizeof(text), "%s", args);
	while (argc < NR_ARGS - 1 && p)
		argv[argc++] = strsep(&p, " ");
	argv[argc] = NULL;
	r->len = r->notes = 0;
	memory_watch(fail, stacks, STACKS_MAX);
	command(r, argc, argv, file);
	nr = memory_watch_end();
	fclose(file);
	r->out[r->len] = '\0';
	return nr;
}

static void begin(struct run *r, int i)
{
	static const char now[] = FIXTURE_DOCUMENT("6.18.0", FIXTURE_CLOCK "," FIXTURE_ABSENT);
	static const char then[] = FIXTURE_DOCUMENT("6.1.0", FIXTURE_ABSENT);

	fake_session_object(&r->s, commands[i].object);
	r->s.paths[1] = (struct fake_path){ .path = "/proc/self/mounts",
					    .data = "bpf /sys/fs/bpf bpf rw 0 0\n" };
	r->s.paths[2] = (struct fake_path){ .path = "/proc/version", .data = "" };
	r->s.paths[3] = (struct fake_path){ .path = "now.json", .data = now };
	r->s.paths[4] = (struct fake_path){ .path = "then.json", .data = then };
	fake_session_begin(&r->s);
	fake_kernel_sessions(r->s.kernel, strstr(commands[i].args, "--profile") ? messages : NULL);
	r->sys.enter = enter;
	r->out = malloc(OUT_MAX);
	if (commands[i].before)
		run(r, commands[i].before, 0, NULL);
	ck_assert_int_eq(r->ret, 0);
}

static void end(struct run *r)
{
	ck_assert_int_eq(fake_kernel_leaks(r->s.kernel, stderr), 0);
	ck_assert_int_eq(fake_kernel_violations(r->s.kernel, stderr), 0);
	ck_assert_ptr_null(fake_kernel_line(r->s.kernel, 0));
	fake_session_end(&r->s);
	free(r->out);
}

/* --- all of them --- */

/*
 * Times, addresses and lengths differ between two runs: replace each number by "#", and microseconds
 * by seconds.
 */
static void mask_numbers(char *text)
{
	char *to = text;

	for (const char *p = text; *p; p++) {
		const size_t hex = strncmp(p, "0x", 2) ? 0 : 1 + strspn(p + 2, "0123456789abcdef");

		if (!strncmp(p, "us", 2) && to - text >= 2 && !strncmp(to - 2, "# ", 2))
			p++;
		if (!isdigit((unsigned char)*p))
			*to++ = *p;
		else if (to == text || to[-1] != '#')
			*to++ = '#';
		p += hex;
	}
	*to = '\0';
}

/*
 * A command allocates thousands of times in some hundred ways. The first allocation of each call
 * stack fails and no other, unless MEMORY=all.
 */
static bool is_to_fail(const uint64_t *stacks, unsigned int n)
{
	const char *all = getenv("MEMORY");

	if (all && !strcmp(all, "all"))
		return true;
	for (unsigned int i = 0; i < n && i < STACKS_MAX; i++)
		if (stacks[i] == stacks[n])
			return false;
	return n < STACKS_MAX;
}

/* Return what is wrong with a run in which an allocation failed, or NULL. */
static const char *fault_of(struct run *r, const struct run *whole, bool pins_stay)
{
	if (r->ret < 0 && (r->s.err.code != r->ret || !r->s.err.what[0]))
		return "it failed without an error";
	if (r->ret < 0 && r->ret != -ENOMEM)
		return "the error is another one";
	if (r->ret && !pins_stay && fake_kernel_nr_pins(r->s.kernel) && !r->names_pins)
		return "pins are left, and nothing names them";
	if (r->ret > 0)	/* of several objects, one */
		return strstr(r->out, "failed") ? NULL : "it failed, and does not report it";
	if (!r->ret && r->notes == whole->notes && strcmp(r->out, whole->out) &&
	    !strstr(r->out, "no memory"))
		return "the output is another one, without an error or a note";
	return NULL;
}

/* Print @fault; if the output is another one, print where it begins to differ. */
static void print_fault(const char *fault, int i, unsigned int n, const struct run *r,
			const struct run *whole)
{
	size_t same = 0;

	while (!r->ret && r->out[same] && r->out[same] == whole->out[same])
		same++;
	same -= same < 20 ? same : 20;
	fprintf(stderr, "%s, allocation %u: %s: %d, '%s: %s', '%.60s' for '%.60s'\n",
		commands[i].args, n, fault, r->ret, r->s.err.where, r->s.err.what, r->out + same,
		whole->out + same);
}

static bool fail_one(int i, unsigned int n, const struct run *whole)
{
	struct run r = { 0 };
	const char *fault;

	begin(&r, i);
	run(&r, commands[i].args, n, NULL);
	mask_numbers(r.out);
	fault = fault_of(&r, whole, commands[i].before);
	if (fault)
		print_fault(fault, i, n, &r, whole);
	end(&r);
	return fault;
}

TEST_ROWS(each_allocation_fails, commands)
{
	uint64_t *stacks = calloc(STACKS_MAX, sizeof(*stacks));
	unsigned int nr, failed = 0, faults = 0;
	struct run whole = { 0 };

	begin(&whole, _i);
	run(&whole, commands[_i].args, 0, NULL);	/* libc keeps some memory */
	end(&whole);
	whole = (struct run){ 0 };
	begin(&whole, _i);
	nr = run(&whole, commands[_i].args, 0, stacks);
	mask_numbers(whole.out);
	ck_assert_msg(whole.ret >= 0, "%s: %s: %s", commands[_i].args, whole.s.err.where,
		      whole.s.err.what);
	for (unsigned int n = 0; n < nr; n++)
		if (is_to_fail(stacks, n)) {
			faults += fail_one(_i, n + 1, &whole);
			failed++;
		}
	ck_assert_msg(failed && !faults, "%s: %u faults, of %u runs", commands[_i].args, faults,
		      failed);
	end(&whole);
	free(stacks);
}
