// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Judge a loader by statements: for each, assemble the object, watch the loader, and compare. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test/judge/conformance/assemble.h"
#include "test/judge/conformance/conformance.h"
#include "test/judge/watch.h"

/* Each takes at most 20 ms: a program that has not run by then does not run. */
#define TURNS_UNTIL_RUN 50

bool statement_is_wanted(const struct conformance *c, const struct statement *s)
{
	for (int i = 0; i < c->nr_wanted; i++) {
		const size_t len = strlen(c->wanted[i]);

		if (!strncmp(s->id, c->wanted[i], len) && (!s->id[len] || s->id[len] == '.'))
			return true;
	}
	return !c->nr_wanted;
}

bool write_object(struct run *run, const struct statement *s, const char *path)
{
	char error[512] = "";
	size_t size;
	unsigned char *object = assemble(s->object, s->object_size, &size, error, sizeof(error));
	FILE *out;
	bool written;

	if (!object)
		return wrong(run, "docs/loading/%s: the object of %s, which begins at line %u: %s",
			     s->page, s->id, s->object_line, error);
	out = fopen(path, "we");
	written = out && fwrite(object, 1, size, out) == size;
	if (out && fclose(out))
		written = false;
	free(object);
	return written || wrong(run, "%s cannot be written: %s", path, strerror(errno));
}

/* A loader waits after "ready" until its program has run, which may never happen. */
static bool until_it_ran(struct run *run)
{
	return !strcmp(run->stage->method, "load") || run->seen.nr_turns++ >= TURNS_UNTIL_RUN ||
	       until_runs(run);
}

/* Each statement starts without pins. */
static void mount_bpffs(void)
{
	umount2("/sys/fs/bpf", MNT_DETACH);
	mount("bpffs", "/sys/fs/bpf", "bpf", 0, "mode=0700");
}

/* Pin a map that the loader finds. */
static bool pin_map(struct run *run, const struct bpf_map_info *map)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/fs/bpf/%s", map->name);
	return !map->name[0] || kernel_pin_map(map, path) ||
	       wrong(run, "the judge cannot pin a map at %s: %s", path, strerror(errno));
}

/* Return false, with the mistake in @sentence, if a line of the variant was not seen. */
static bool variant_matches(const struct variant *v, const char *seen, char *sentence, size_t size)
{
	for (uint32_t i = 0; i < v->nr_lines; i++)
		if (!lines_match(v->lines[i], seen, sentence, size))
			return false;
	return true;
}

/* A loader that the judge had to kill has not done what the statement requires. */
static bool has_behaved(struct run *run, struct result *r)
{
	if (run->seen.spied[0])
		snprintf(r->sentence, sizeof(r->sentence), "%s", run->seen.spied);
	else if (run->flooded)
		snprintf(r->sentence, sizeof(r->sentence),
			 "the loader has printed more than a megabyte");
	else if (run->timed_out)
		snprintf(r->sentence, sizeof(r->sentence), "the loader did not end within %d s%s",
			 run->limit,
			 run->ready || run->first_ended ? " after its standard input had ended"
							: "");
	else if (WIFEXITED(run->status) && WEXITSTATUS(run->status) == 127 && !run->out.len)
		snprintf(r->sentence, sizeof(r->sentence), "'%s' cannot be run", run->command[0]);
	return !r->sentence[0];
}

static void compare(struct run *run, const struct statement *s, const char *seen, struct result *r)
{
	static const enum outcome outcomes[][2] = {
		[LEVEL_MUST] = { OUTCOME_FAIL, OUTCOME_PASS },
		[LEVEL_MAY] = { OUTCOME_DOES_NOT, OUTCOME_DOES },
		[LEVEL_DIFFER] = { OUTCOME_VARIANT, OUTCOME_VARIANT }
	};
	bool matches = has_behaved(run, r);
	uint32_t i = 0;

	for (; matches && i < s->nr_variants; i++)
		if (variant_matches(&s->variants[i], seen, r->sentence, sizeof(r->sentence)))
			break;
	matches = matches && i < s->nr_variants;
	r->outcome = outcomes[s->level][matches];
	r->variant = matches ? s->variants[i].name : "other";
	if (matches)
		r->sentence[0] = 0;
	else if (!WIFEXITED(run->status) || WEXITSTATUS(run->status))
		strncat(r->sentence, last_failure(run),
			sizeof(r->sentence) - strlen(r->sentence) - 1);
}

static bool expects_left(const struct statement *s)
{
	for (uint32_t v = 0; v < s->nr_variants; v++)
		for (uint32_t i = 0; i < s->variants[v].nr_lines; i++)
			if (strstr(s->variants[v].lines[i], "left "))
				return true;
	return false;
}

/* Run the loader on the object. Return: false with run->sentence set if the judge cannot judge. */
static bool try_statement(struct conformance *c, const struct statement *s, struct result *r)
{
	struct run *run = &c->run;
	const struct stage stage = { .name = s->id, .method = s->method, .until = until_it_ran };
	char what[128], lacking[256];
	char *seen;
	bool watched;

	*r = (struct result){ .outcome = OUTCOME_SKIP };
	if (needs_lacking(s->needs, lacking, sizeof(lacking))) {
		snprintf(r->sentence, sizeof(r->sentence), "this machine lacks %s", lacking);
		return true;
	}
	snprintf(run->path, sizeof(run->path), "%s/%s.o", run->dir, s->id);
	if (!write_object(run, s, run->path)) {
		fprintf(stderr, "judge: %s\n", run->sentence);
		c->nr_damaged++;
		snprintf(r->sentence, sizeof(r->sentence), "its object cannot be assembled");
		run->sentence[0] = 0;
		return true;
	}
	mount_bpffs();
	run->stage = &stage;
	run->cookie = s->cookie;
	watched = pin_map(run, &s->pinned) && watch(run);
	unlink(run->path);
	if (!watched || run->signal)
		return false;
	if (expects_left(s))
		kernel_gone(run, what, sizeof(what));
	seen = seen_lines(run);
	compare(run, s, seen, r);
	if (c->shows_seen)
		fputs(seen, stdout);
	free(seen);
	return true;
}

static int try_all(struct conformance *c)
{
	struct run *run = &c->run;

	for (uint32_t i = 0; i < c->statements.nr; i++) {
		const struct statement *s = &c->statements.all[i];
		struct result result;
		bool tried;

		if (!statement_is_wanted(c, s))
			continue;
		tried = try_statement(c, s, &result);
		if (tried) {
			c->nr++;
			c->counts[s->level][result.outcome]++;
			result_print(c, s, &result);
			fflush(stdout);
		}
		watch_forget(run);
		if (!tried)
			return run->signal ? 128 + run->signal : CANNOT_JUDGE;
	}
	results_end(c);
	if (c->nr_damaged)
		return wrong(run, "%u objects cannot be assembled", c->nr_damaged), CANNOT_JUDGE;
	return c->counts[LEVEL_MUST][OUTCOME_FAIL] ? NOT_RIGHT : 0;
}

int trial(struct run *run)
{
	struct conformance *c = (struct conformance *)run;
	const struct stage stage = { .name = "conformance", .method = "pmu" };
	int status = CANNOT_JUDGE;

	run->stage = &stage;	/* sysfs has another number for the PMU: run->pmu */
	if (mount_folder(run) && enable_stats(run))
		status = try_all(c);
	if (status == CANNOT_JUDGE) {
		fprintf(stderr, "judge: %s\n", run->sentence);
		results_bail_out(c);
	}
	if (fflush(stdout) && !status)
		status = CANNOT_JUDGE;
	umount2("/sys/fs/bpf", MNT_DETACH);
	unmount_folder(run);
	return status;
}
