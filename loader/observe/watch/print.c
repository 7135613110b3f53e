// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print the recorded calls, with probes of the kernel folded, and the findings. */
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include <linux/bpf.h>

#include "loader/core/value/value.h"
#include "loader/observe/step/record.h"
#include "loader/observe/step/show.h"
#include "loader/observe/watch/watch_internal.h"

/* The name of a process, printable. */
static void name_of(pid_t pid, char name[32])
{
	char path[64];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	file = fopen(path, "re");
	if (!file || !fgets(name, 32, file))
		strcpy(name, "?");
	if (file)
		fclose(file);
	name[strcspn(name, "\n")] = '\0';
	for (; *name; name++)
		if (*name < ' ' || *name > '~')
			*name = '?';
}

#define PAGE_MAX 1000	/* calls */

static void put(struct watch *w, pid_t pid, const char *text, size_t len)
{
	char name[32];

	if (w->calls) {
		if (w->nr_calls <= PAGE_MAX)
			fwrite(text, 1, len, w->calls);
		return;
	}
	if (w->o->form == WATCH_TEXT && w->nr_folded > w->nr_said) {
		fprintf(w->o->out, "# %llu more such calls\n",
			(unsigned long long)(w->nr_folded - w->nr_said));
		w->nr_said = w->nr_folded;
	}
	if (w->o->form == WATCH_TEXT && pid != w->last_pid) {
		name_of(pid, name);
		fprintf(w->o->out, "\n# process %d (%s)\n", pid, name);
		w->last_pid = pid;
	}
	fwrite(text, 1, len, w->o->out);
	fflush(w->o->out);
}

/* --- probes --- */

/*
 * A small program, BTF or map that is refused, or closed before it is used, is a probe. Hold such
 * calls back until that is clear.
 */
void watch_release(struct watch *w)
{
	struct held_back *b = &w->back;
	char *text;

	if (!b->is_open)
		return;
	b->is_open = false;
	text = text_stream_close(&b->text);
	if (b->nr_open || b->nr < 2) {
		if (text)
			put(w, b->pid, text, strlen(text));
	} else {
		char folded[160];

		snprintf(folded, sizeof(folded), "# asks what this kernel has: %u small loads, %u "
			 "refused, none of which matters (-v prints them)\n", b->nr, b->nr_refused);
		put(w, b->pid, folded, strlen(folded));
	}
	free(text);
}

static bool hold_back(struct watch *w, const struct watched_process *p, const char *text,
		      size_t len, const struct copy *copy, long ret)
{
	const bool is_probe = facts_is_probe(copy, ret);
	struct held_back *b = &w->back;

	if (b->is_open && (b->pid != p->pid || (!is_probe && copy->nr != __NR_close)))
		watch_release(w);
	if (!b->is_open) {
		if (!is_probe || w->o->all)
			return false;
		*b = (struct held_back){ .pid = p->pid };
		if (!text_stream_open(&b->text))
			return false;
		b->is_open = true;
	}
	b->nr += is_probe;
	b->nr_refused += is_probe && ret < 0;
	if (is_probe && ret >= 0 && fd_returns(copy->nr, copy->arg))
		b->nr_open++;
	else if (!is_probe && b->nr_open)
		b->nr_open--;
	fwrite(text, 1, len, b->text.file);
	return true;
}

void watch_print(struct watch *w, const struct watched_process *p, const char *text, size_t len,
		 const struct copy *copy, long ret)
{
	if (w->o->form != WATCH_TEXT || !hold_back(w, p, text, len, copy, ret))
		put(w, p->pid, text, len);
}

/* --- findings --- */

static void print_finding(void *arg, const char *kind, const char *sentence)
{
	struct watch *w = arg;
	struct json_object *line;
	const char *json;

	if (w->o->form != WATCH_JSON) {
		fprintf(w->calls ? w->findings.file : w->o->out, "%-9s %s\n", kind, sentence);
		return;
	}
	line = json_object_new_object();
	value_add_string(line, "finding", kind);
	value_add_string(line, "text", sentence);
	json = value_json(line, NULL);
	if (json)
		fprintf(w->o->out, "%s\n", json);
	json_object_put(line);
}

static void print_all(struct watch *w)
{
	char text[256];

	if (w->o->form == WATCH_TEXT)
		fputs("\n## findings\n", w->o->out);
	findings_each(&w->facts, w->tracer.status, print_finding, w);
	if (w->nr_folded) {
		snprintf(text, sizeof(text), "%llu calls that read or write elements of maps, in a "
			 "row, were counted and not decoded", (unsigned long long)w->nr_folded);
		print_finding(w, "note", text);
	}
	if (w->o->replay) {
		snprintf(text, sizeof(text), "objects written to %.150s: %u%s", w->o->replay,
			 w->nr_objects, w->replay_failed ? ", but not all of them" : "");
		print_finding(w, "note", text);
	}
	if (w->calls && w->nr_calls > PAGE_MAX) {
		snprintf(text, sizeof(text), "the page has the first %u of %llu calls", PAGE_MAX,
			 (unsigned long long)w->nr_calls);
		print_finding(w, "note", text);
	}
	if (w->tracer.nr_tasks)
		print_finding(w, "note", w->tracer.by_filter ?
			      "processes of the command run on: one process of pload stays, and "
			      "lets their calls pass, until they end" :
			      "the process runs on");
	if (w->tracer.no_privileges)
		print_finding(w, "note", "without CAP_SYS_ADMIN, set-user-ID programs such as sudo "
			      "gain no privileges here (no_new_privs): sudo pload watch ...");
	fflush(w->o->out);
}

int watch_findings(struct watch *w, struct error *err)
{
	struct recording r = { 0 };
	int ret;

	if (!w->calls) {
		print_all(w);
		return 0;
	}
	if (!text_stream_open(&w->findings))
		return error_set(err, ENOMEM, "no memory for the findings");
	print_all(w);
	ret = recording_read(&r, w->calls, err);
	r.printed = text_stream_close(&w->findings);
	if (!ret)
		ret = step_print_page(w->o->out, "another loader", &r, 1, err);
	recording_free(&r);
	return ret;
}
