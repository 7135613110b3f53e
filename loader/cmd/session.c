// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The line from a file to a program that fires, and back. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>

#include "loader/cmd/patience.h"
#include "loader/cmd/session.h"

/* No compiler makes a BPF object of this size; a file that large is a mistake. */
#define OBJECT_SIZE_MAX (256u << 20)

static int read_bytes(struct session *s, int fd, struct error *err)
{
	struct stat st;
	int ret = sys_fstat(s->sys, fd, &st);

	if (ret < 0)
		return error_set(err, -ret, "fstat: %s", error_strerror(-ret));
	if (!S_ISREG(st.st_mode)) {
		error_set(err, S_ISDIR(st.st_mode) ? EISDIR : EINVAL, "is %s and not a file",
			  S_ISDIR(st.st_mode)	 ? "a directory"
			  : S_ISFIFO(st.st_mode) ? "a FIFO"
						 : "a device or socket");
		return error_hint(
			err, "pload takes a BPF object, from a regular file: copy it into one");
	}
	if (st.st_size > OBJECT_SIZE_MAX) {
		error_set(err, EFBIG, "has %lld bytes, more than any BPF object",
			  (long long)st.st_size);
		return error_hint(err, "the limit is %u", OBJECT_SIZE_MAX);
	}
	s->file = malloc(st.st_size ? st.st_size : 1);
	if (!s->file)
		return error_set(err, ENOMEM, "no memory for %lld bytes", (long long)st.st_size);
	/* Read and not mapped: a mapped file that somebody truncates is a SIGBUS. */
	while (s->file_size < (size_t)st.st_size) {
		ssize_t n = sys_read(s->sys, fd, s->file + s->file_size, st.st_size - s->file_size);

		if (n < 0)
			return error_set(err, -n, "read: %s", error_strerror(-n));
		if (n == 0)
			break;
		s->file_size += n;
	}
	return 0;
}

static int read_object(struct session *s, struct error *err)
{
	/* O_NONBLOCK: opening a FIFO that nobody writes to would wait for ever. */
	int fd = sys_openat(s->sys, AT_FDCWD, s->options->object,
			    O_RDONLY | O_CLOEXEC | O_NONBLOCK),
	    ret = fd;

	if (fd >= 0)
		ret = read_bytes(s, fd, err);
	else if (error_set(err, -fd, "%s", error_strerror(-fd)) == -ENOENT)
		error_hint(
			err,
			"pload takes the path of a BPF object, such as build/progs/ip_count.bpf.o");
	else
		error_hint(err, "the file cannot be opened for reading");
	sys_close_fd(s->sys, &fd);
	if (ret < 0)
		error_where(err, "%s", s->options->object);
	return ret;
}

/* Everything that can be known to be wrong before the kernel is asked for anything. */
static int understand(struct session *s, struct error *err)
{
	const struct options *o = s->options;
	const struct bytes file = { .data = s->file, .size = s->file_size };
	int ret;

	ret = bpf_object_parse(&s->object, o->object, file, err);
	if (!ret)
		ret = bpf_object_check_native(&s->object, err);
	if (ret < 0 && !err->hint[0])
		error_hint(err, "no compiler writes this: the file is damaged, so make it again");
	if (ret < 0)
		return ret;
	core_init(&s->core, s->sys, &s->object, o->btf, o->core_by_kernel);
	if (o->license)
		s->object.license = o->license;
	if (s->object.license[0])
		return plan_make(s->sys, o, &s->object, &s->plan, err);
	error_set(err, EINVAL, "the object has no license");
	error_where(err, "%s", o->object);
	return error_hint(err, "char LICENSE[] SEC(\"license\") = \"GPL\"; or --license=GPL");
}

static bool needs_possible_cpus(const struct bpf_object *obj)
{
	for (uint32_t i = 0; i < obj->nr_maps; i++) {
		switch (obj->maps[i].type) {
		case BPF_MAP_TYPE_PERF_EVENT_ARRAY:
			if (!obj->maps[i].max_entries)
				return true;
			break;
		case BPF_MAP_TYPE_PERCPU_HASH:
		case BPF_MAP_TYPE_PERCPU_ARRAY:
		case BPF_MAP_TYPE_LRU_PERCPU_HASH:
		case BPF_MAP_TYPE_PERCPU_CGROUP_STORAGE:
			return true;
		}
	}
	return false;
}

static int look_around(struct session *s, struct error *err)
{
	int ret = event_scope_init(s->sys, &s->scope, s->options->cpus, s->options->pid, err);

	if (!ret && needs_possible_cpus(&s->object))
		ret = cpu_list_read(s->sys, "possible", &s->possible, err);
	return ret;
}

/*
 * Each program is linked with all it reaches, so that an object of a few megabytes can ask for
 * thousands of times its own code. The largest that people load has some hundred thousand
 * instructions in all.
 */
#define LINKED_INSNS_MAX (64u << 20)

static int load_program(struct session *s, uint32_t prog, const int *map_fds, struct error *err)
{
	struct prog_code code;
	int ret;

	core_begin(&s->core);
	ret = relocate(&s->object, prog, map_fds, &code, err);
	if (ret < 0)
		return ret;
	s->linked_insns += code.nr_insns;
	if (s->linked_insns > LINKED_INSNS_MAX) {
		error_set(err, E2BIG, "its programs have more than %u instructions in all",
			  LINKED_INSNS_MAX);
		ret = error_hint(err, "--prog=NAME loads only the programs named");
	}
	if (!ret)
		ret = map_usage_scan(&code, s->usage, err);
	if (!ret)
		ret = kernel_load_prog(s->sys, &s->kernel, prog, &code, err);
	if (ret < 0) {
		core_explain(&s->core, err);
		error_where(err, "%s", s->object.name);
	}
	prog_code_free(&code);
	return ret;
}

static int load(struct session *s, struct error *err)
{
	const struct bpf_object *obj = &s->object;
	int *map_fds = calloc(obj->nr_maps + 1, sizeof(*map_fds));
	int ret;

	s->usage = calloc(obj->nr_maps + 1, sizeof(*s->usage));
	if (!map_fds || !s->usage) {
		free(map_fds);
		return error_set(err, ENOMEM, "no memory for %u maps", obj->nr_maps);
	}
	ret = kernel_load_maps(s->sys, obj, session_nr_cpus(s), &s->kernel, err);
	if (ret < 0)
		error_where(err, "%s", obj->name);
	else
		kernel_map_fds(&s->kernel, map_fds);
	for (uint32_t i = 0; !ret && i < obj->nr_progs; i++)
		if (s->plan.loads[i])
			ret = load_program(s, i, map_fds, err);
	free(map_fds);
	if (!ret && session_waits(s))
		kernel_start_counting(s->sys, &s->kernel);
	return ret;
}

static void print_note(void *arg, const char *text)
{
	const struct plan_entry *entry = arg;

	note("event '%s': %s", entry->spec.text, text);
}

static int attach(struct session *s, struct error *err)
{
	const struct options *o = s->options;
	int ret = 0;

	for (uint32_t i = 0; !ret && i < s->plan.nr; i++) {
		struct plan_entry *entry = &s->plan.list[i];
		const struct object_prog *prog = &s->object.progs[entry->prog];
		const struct attach_request req = {
			.method = o->method,
			.spec = &entry->spec,
			.scope = &s->scope,
			.period = o->period,
			.freq = o->freq,
			.has_cookie = o->has_cookie,
			.cookie = o->cookie,
			.prog_fd = s->kernel.progs[entry->prog].fd,
			.prog_type = prog->kind->prog_type,
			.prog = i,
		};

		attach_notes(&req, print_note, entry);
		ret = attach_prog(s->sys, &req, &s->attachments, err);
		if (ret < 0) {
			error_where(err, "prog '%s'", prog->name);
			error_where(err, "%s", s->object.name);
		}
	}
	if (!ret && o->no_enable)
		note("the events stay disabled: perf_event programs will not run; tracepoint programs run all the same");
	else if (!ret)
		ret = attach_enable(s->sys, &s->attachments, err);
	return ret;
}

/*
 * From here on these signals are read from a descriptor, so that an interrupt ends the session with
 * its summary. A closed pipe is told by write(2) instead of killing us.
 */
static int catch_signals(struct session *s, struct error *err)
{
	const uint64_t stop = 1ull << (SIGINT - 1) | 1ull << (SIGTERM - 1) | 1ull << (SIGHUP - 1);
	int ret = sys_block_signals(s->sys, stop | 1ull << (SIGPIPE - 1));

	if (!ret)
		ret = sys_signalfd(s->sys, stop, SFD_CLOEXEC);
	if (ret < 0) {
		error_set(err, -ret, "%s", error_strerror(-ret));
		return error_where(err, "waiting for signals");
	}
	s->signal_fd = ret;
	return 0;
}

/* When the time of -d is over; 0: never. */
static uint64_t end_ns(const struct session *s)
{
	return s->options->seconds >= 0 ? s->begin_ns + (uint64_t)(s->options->seconds * 1e9) : 0;
}

static int wait_for_end(struct session *s, struct error *err)
{
	const uint64_t end = end_ns(s);
	int ret = 0;

	while (!ret && !s->stopped) {
		int timeout_ms = s->options->dry_run ? 0 : -1;

		if (end && !s->options->dry_run) {
			const uint64_t now = sys_monotonic_ns();

			if (now >= end)
				return 0;
			/* Rounded up, so that the last wait is not a busy one; at most an hour. */
			timeout_ms = end - now > 3600000000000ull ? 3600000 :
								    (end - now + 999999) / 1000000;
		}
		ret = rings_wait(s->rings, s->signal_fd, timeout_ms, err);
		if (s->options->dry_run)	/* nothing will come, however long one waits */
			return ret < 0 ? ret : 0;
	}
	return ret < 0 ? ret : 0;
}

/* Nothing runs any more after it: what is printed of the maps belongs together. */
static void stop(void *arg)
{
	struct session *s = arg;

	if (!s->stopped)
		s->duration_ns = sys_monotonic_ns() - s->begin_ns;
	s->stopped = true;
	attach_close(s->sys, &s->attachments);
}

/* The process of -p ends the session when it ends. Before Linux 5.3 nobody tells. */
static void watch_process(struct session *s)
{
	int fd = s->options->pid ? sys_pidfd_open(s->sys, s->options->pid) : -1;

	if (fd < 0)
		return;
	s->pid_fd = fd;
	rings_end_on(s->rings, fd);
}

static void be_patient(struct session *s)
{
	if (s->out->patience)
		*s->out->patience = (struct patience){
			.watches = true, .signal_fd = s->signal_fd, .end_ns = end_ns(s),
			.stop = stop, .arg = s,
		};
}

static int run_attached(struct session *s, struct error *err)
{
	int ret = session_waits(s) ? catch_signals(s, err) : 0;

	if (!ret)
		ret = attach(s, err);
	s->begin_ns = sys_monotonic_ns();
	if (!ret && session_waits(s)) {
		watch_process(s);
		be_patient(s);
		ret = wait_for_end(s, err);
	}
	stop(s);
	return ret;
}

static void session_end(struct session *s)
{
	attach_close(s->sys, &s->attachments);
	if (s->out->patience)	/* what it watches is closed now */
		s->out->patience->watches = false;
	if (s->pid_fd > 0)
		sys_close_fd(s->sys, &s->pid_fd);
	if (s->signal_fd > 0)
		sys_close_fd(s->sys, &s->signal_fd);
	counters_close(s->sys, &s->counters);
	rings_free(s->rings);
	free(s->usage);
	kernel_unload(s->sys, &s->kernel);
	cpu_list_free(&s->possible);
	event_scope_free(&s->scope);
	plan_free(&s->plan);
	core_free(&s->core);
	bpf_object_free(&s->object);
	free(s->file);
}

int session_run(struct sys *sys, const struct options *o, struct output *out, struct error *err)
{
	struct session s = { .sys = sys, .options = o, .out = out };
	int ret;

	ret = read_object(&s, err);
	if (!ret)
		ret = understand(&s, err);
	if (!ret)
		ret = look_around(&s, err);
	if (!ret)
		ret = load(&s, err);
	if (!ret)
		ret = session_listen(&s, err);
	if (!ret)
		ret = o->test_runs ? session_test_run(&s, err) : run_attached(&s, err);
	if (!ret)
		ret = rings_drain(s.rings, err);
	if (!ret)
		ret = session_report(&s, err);
	if (!ret)	/* while somebody listens who can end it */
		ret = output_flush(out, err);
	session_end(&s);
	return ret;
}
