// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Run the command of pload stat -r several times: the mean of each count, and how runs differ. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "loader/print/message.h"
#include "loader/session/counting/counts.h"

/* One event over the runs in which it was on the PMU. */
struct repeated {
	unsigned int runs;
	unsigned __int128 value, enabled, running, scaled;	/* sums */
	unsigned int nr_waiting;
	double mean, squares;	/* of scaled; squares: the sum of (scaled - mean)^2 */
};

struct repeats {
	const struct counts *first;	/* borrowed; its rows are those of the table */
	struct repeated *rows;		/* owned; as many */
	unsigned int runs;
	unsigned __int128 elapsed_ns;
};

/* Welford's recurrence: a sum of squares less the square of a sum would lose all digits. */
static void add_run(struct repeated *row, const struct sum *sum)
{
	const double delta = (double)sum->scaled - row->mean;

	if (!sum->count.running)
		return;
	row->runs++;
	row->value += sum->count.value;
	row->enabled += sum->count.enabled;
	row->running += sum->count.running;
	row->scaled += sum->scaled;
	row->nr_waiting = sum->nr_waiting > row->nr_waiting ? sum->nr_waiting : row->nr_waiting;
	row->mean += delta / row->runs;
	row->squares += delta * ((double)sum->scaled - row->mean);
}

static bool is_same_row(const struct count_row *a, const struct count_row *b)
{
	return !strcmp(a->spec->text, b->spec->text) && !a->cgroup == !b->cgroup &&
	       (!a->cgroup || !strcmp(a->cgroup->name, b->cgroup->name));
}

/* Rows are in the order of -e, but for events that are refused in one run and not in another. */
static int find_row(const struct counts *first, const struct counts *c, unsigned int row)
{
	if (row < first->nr_rows && is_same_row(&first->rows[row], &c->rows[row]))
		return row;
	for (unsigned int i = 0; i < first->nr_rows; i++)
		if (is_same_row(&first->rows[i], &c->rows[row]))
			return i;
	return -1;
}

void repeats_add(struct repeats *r, const struct session *s)
{
	const struct counts *c = s->counts;

	if (s->interrupted)
		return;
	r->runs++;
	r->elapsed_ns += s->duration_ns;
	for (unsigned int i = 0; i < c->nr_rows; i++) {
		const int row = find_row(r->first, c, i);
		struct sum sum = { 0 };

		counts_sum(c, i, false, &sum);
		if (row >= 0)
			add_run(&r->rows[row], &sum);
	}
}

static uint64_t mean(unsigned __int128 sum, unsigned int n)
{
	return (sum + n / 2) / n;
}

static void set_means(const struct repeats *r, struct sum *sums)
{
	for (unsigned int i = 0; i < r->first->nr_rows; i++) {
		const struct repeated *row = &r->rows[i];
		struct sum *sum = &sums[i];

		if (!row->runs)
			continue;
		sum->runs = row->runs;
		sum->count.value = mean(row->value, row->runs);
		sum->count.enabled = mean(row->enabled, row->runs);
		sum->count.running = mean(row->running, row->runs);
		sum->scaled = mean(row->scaled, row->runs);
		sum->nr_waiting = row->nr_waiting;
		sum->stddev = row->runs > 1 ? sqrt(row->squares / (row->runs - 1)) : 0;
	}
}

static bool print_nothing(FILE *file, struct json_object *msg)
{
	(void)file;
	(void)msg;
	return true;
}

/* Run the command once more, without messages: those of the first run hold for all. */
static int run_again(struct session *s, struct repeats *r, bool *go_on, struct error *err)
{
	static const struct output_format silent = { .name = "none", .print = print_nothing };
	struct session again = { .repeats = r };
	struct output out = *s->out;
	int ret;

	out.format = &silent;
	out.note = NULL;
	out.watch = NULL;
	out.status = 0;
	out.written = (struct output_room){ 0 };
	ret = stat_run(&again, s->sys, s->options, &out, err);
	*go_on = !again.interrupted;
	if (ret)
		error_where(err, "run %u of %u", r->runs + 1, s->options->runs);
	else if (!s->repeats_status && *go_on)
		s->repeats_status = out.status;
	return ret;
}

int repeats_run(struct session *s, struct sum *sums, uint64_t *elapsed_ns, unsigned int *runs,
		struct error *err)
{
	struct repeats r = { .first = s->counts };
	bool go_on = !s->interrupted;
	int ret = 0;

	if (!go_on)
		return 0;
	r.rows = calloc(r.first->nr_rows + 1, sizeof(*r.rows));
	if (!r.rows)
		return error_set(err, ENOMEM, "no memory for what %u runs count", s->options->runs);
	repeats_add(&r, s);
	for (uint32_t i = 1; !ret && go_on && i < s->options->runs; i++)
		ret = run_again(s, &r, &go_on, err);
	if (!ret) {
		set_means(&r, sums);
		*elapsed_ns = mean(r.elapsed_ns, r.runs);
		*runs = r.runs;
	}
	free(r.rows);
	return ret;
}
