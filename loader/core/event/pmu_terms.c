// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Parse the terms of pmu/terms/ and store their values in the bits assigned by the PMU's format/:
 *
 *	-e cpu/event=0x3c,umask=1/
 *	format/event	config:0-7	0x3c -> bits 0 to 7 of attr.config
 *	format/umask	config:8-15	   1 -> bits 8 to 15
 *	events/NAME	event=0x3c,...	the terms that NAME stands for
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "loader/core/event/steps.h"

/* One term, "name" or "name=value", with its PMU. */
struct term {
	struct sys *sys;
	const char *pmu;
	struct perf_event_attr *attr;
	const char *written;	/* all terms as the user wrote them */
	const char *name;
	size_t len;
	bool has_value;
	uint64_t value;
};

/* perf's other terms concern the samples it writes or the counts it prints. */
static bool is_of_perf(const struct term *term)
{
	static const char *const names[] = {
		"call-graph", "stack-size", "max-stack", "time", "branch_type", "inherit",
		"no-inherit", "overwrite", "no-overwrite", "nr", "driver-config", "percore",
		"aux-output", "aux-action", "aux-sample-size", "metric-id", "cpu", "ratio-to-prev",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == term->len && !memcmp(names[i], term->name, term->len))
			return true;
	return false;
}

static int term_of_perf(const struct term *term, struct error *err)
{
	error_set(err, EINVAL, "'%.*s' affects the records that perf writes, not programs",
		  (int)term->len, term->name);
	error_reason(err, "event/pmu-term");
	error_hint(err, "leave it out");
	return -EINVAL;
}

static int bad_format(const struct term *term, const char *format, struct error *err)
{
	error_set(err, EIO,
		  "format/%.*s of the PMU is '%.64s', which does not have the form config:BITS",
		  (int)term->len, term->name, format);
	error_reason(err, "event/pmu-format");
	error_hint(err, "its driver has a bug: write the whole number with config=N, config1=N, "
			"...");
	return -EIO;
}

static uint64_t *config_field(struct perf_event_attr *attr, const char *name, size_t len)
{
	static const char *const fields[] = { "config", "config1", "config2", "config3",
					      "config4" };
	__u64 *const at[] = { &attr->config, &attr->config1, &attr->config2, &attr->config3,
			      &attr->config4 };

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (strlen(fields[i]) == len && memcmp(fields[i], name, len) == 0)
			return (uint64_t *)at[i];
	return NULL;
}

/* Parse "0-7" or "21" at *@text and advance it. Return: a mask of these bits; 0 if invalid. */
static uint64_t take_bits(const char **text, unsigned int *low, unsigned int *width)
{
	uint64_t first, last;
	size_t len = strspn(*text, "0123456789");

	if (number_parse(*text, len, &first))
		return 0;
	*text += len;
	last = first;
	if (**text == '-') {
		(*text)++;
		len = strspn(*text, "0123456789");
		if (number_parse(*text, len, &last))
			return 0;
		*text += len;
	}
	if (last > 63 || first > last)
		return 0;
	*low = first;
	*width = last - first + 1;
	return (*width == 64 ? ~UINT64_C(0) : (UINT64_C(1) << *width) - 1) << first;
}

/*
 * Distribute the value over the ranges of "config:0-7,32-35", lowest bits first
 * (tools/perf/Documentation: "a comma-separated list of ranges").
 */
static int apply_format(const struct term *term, const char *format, struct error *err)
{
	const char *colon = strchr(format, ':'), *p;
	uint64_t *field = colon ? config_field(term->attr, format, colon - format) : NULL;
	uint64_t rest = term->value, bits = 0;
	unsigned int low, width, total = 0;

	if (!field)
		return bad_format(term, format, err);
	for (p = colon + 1;; p++) {
		uint64_t mask = take_bits(&p, &low, &width);

		if (!mask || (*p != ',' && *p != '\0'))
			return bad_format(term, format, err);
		*field &= ~mask;
		bits |= rest << low & mask;
		rest = width == 64 ? 0 : rest >> width;
		total += width;
		if (*p == '\0')
			break;
	}
	*field |= bits;
	/* 64 bits hold any value; from here on the total is smaller. */
	if (rest == 0)
		return 0;
	error_set(err, EINVAL, "%.*s=0x%llx does not fit into its %u bit%s (%s)", (int)term->len,
		  term->name, (unsigned long long)term->value, total, total == 1 ? "" : "s",
		  format);
	error_reason(err, "event/pmu-term");
	error_hint(err, "the largest value is 0x%llx", (1ULL << total) - 1);
	return -EINVAL;
}

static int unknown_term(const struct term *term, struct error *err)
{
	char format[200], events[200];

	if (is_of_perf(term))
		return term_of_perf(term, err);
	error_set(err, EINVAL, "PMU '%s' has no term or event '%.*s'", term->pmu,
		  (int)term->len, term->name);
	error_reason(err, "event/pmu-term");
	pmu_names(term->sys, term->pmu, "format", format, sizeof(format));
	pmu_names(term->sys, term->pmu, "events", events, sizeof(events));
	error_hint(err, "its terms: %s%sconfig, config1 to config4; its events: %s", format,
		   format[0] ? ", " : "", events[0] ? events : "none are listed");
	return -EINVAL;
}

int event_parse_raw(const char *text, size_t len, uint64_t *config)
{
	const size_t prefix = len > 3 && text[1] == '0' && text[2] == 'x' ? 3 : 1;

	if (len < 2 || text[0] != 'r')
		return -EINVAL;
	return number_parse_base(text + prefix, len - prefix, 16, config);
}

/*
 * Apply a name that core PMUs accept although events/ does not list it: "cpu/cycles/", "cpu/r1a8/".
 * Return: 1, or 0 if the term is not such a name.
 */
static int apply_known(const struct term *term)
{
	struct perf_event_attr *attr = term->attr;
	uint64_t config;
	uint32_t type;

	if (term->has_value)
		return 0;
	if (event_parse_raw(term->name, term->len, &config) == 0) {
		attr->config = config;
		return 1;
	}
	if (!pmu_is_core(term->sys, term->pmu))
		return 0;
	if (event_term_of_core(term->name, term->len, &type, &config))
		return 0;
	/*
	 * Select one of several kinds of cores; a kernel with only one kind may refuse the number.
	 */
	attr->config = config;
	if (attr->type != PERF_TYPE_RAW)
		attr->config |= (uint64_t)attr->type << PERF_PMU_TYPE_SHIFT;
	attr->type = type;
	return 1;
}

/* Apply a term that is not a name in events/: a field of format/, or a whole config. */
static int apply_field(const struct term *term, struct error *err)
{
	char file[EVENT_WORD_MAX + 16], format[128];
	uint64_t *field;
	int ret;

	snprintf(file, sizeof(file), "format/%.*s", (int)term->len, term->name);
	ret = pmu_read(term->sys, term->pmu, file, format, sizeof(format));
	if (ret >= 0)
		return apply_format(term, format, err);
	if (ret != -ENOENT)
		return pmu_unreadable(term->sys, term->pmu, file, -ret, err);
	field = term->has_value ? config_field(term->attr, term->name, term->len) : NULL;
	if (field)
		*field = term->value;
	return field || apply_known(term) ? 0 : unknown_term(term, err);
}

/* Return true if the user supplies the value that "name=?" in events/ requires. */
static bool is_given(const struct term *term)
{
	for (const char *p = term->written;; p++) {
		if (!strncmp(p, term->name, term->len) && p[term->len] == '=')
			return true;
		p = strchr(p, ',');
		if (!p)
			return false;
	}
}

/*
 * Split "name" or "name=value". Return: 1 if the user supplies the value elsewhere, 0, or -errno.
 */
static int split_term(struct term *term, const char *text, size_t len, struct error *err)
{
	const char *equals = memchr(text, '=', len);
	const char *value = equals ? equals + 1 : NULL;
	size_t value_len = equals ? (size_t)(text + len - value) : 0;

	term->name = text;
	term->len = equals ? (size_t)(equals - text) : len;
	term->has_value = equals;
	term->value = 1;	/* like perf for a field without a value */
	if (!event_is_word(term->name, term->len) || term->len >= EVENT_NAME_MAX) {
		error_set(err, EINVAL, "'%.*s' is not a term", (int)len, text);
		error_reason(err, "event/pmu-term");
		error_hint(err, "write terms as name=value or name, separated by commas");
	} else if (value_len == 1 && *value == '?') {
		if (is_given(term))
			return 1;
		error_set(err, EINVAL, "this event needs a value for '%.*s'",
			  (int)term->len, term->name);
		error_reason(err, "event/pmu-term");
		error_hint(err, "add it after the event: %s/%s,%.*s=1/", term->pmu,
			   term->written, (int)term->len, term->name);
	} else if (equals && number_parse(value, value_len, &term->value) && is_of_perf(term)) {
		return term_of_perf(term, err);
	} else if (equals && number_parse(value, value_len, &term->value)) {
		error_set(err, EINVAL, "the value of '%.*s' is not a 64-bit number", (int)len,
			  text);
		error_hint(err, "write it as 1000 or 0x3e8");
	} else {
		return 0;
	}
	error_reason(err, "event/pmu-term");
	return -EINVAL;
}

static int apply_terms(struct term *term, const char *terms, bool aliases, struct error *err);

/* If the term is a name in events/, apply its terms. Return: 1 if applied, 0 if not, or -errno. */
static int apply_alias(const struct term *term, struct error *err)
{
	char file[EVENT_WORD_MAX + 16], terms[EVENT_NAME_MAX];
	struct term inner = *term;
	int ret;

	snprintf(file, sizeof(file), "events/%.*s", (int)term->len, term->name);
	ret = pmu_read(term->sys, term->pmu, file, terms, sizeof(terms));
	if (ret == -ENOENT)
		return 0;
	if (ret < 0)
		return pmu_unreadable(term->sys, term->pmu, file, -ret, err);
	ret = apply_terms(&inner, terms, false, err);
	if (ret)
		error_where(err, "%s of the PMU", file);
	return ret ? ret : 1;
}

static int apply_terms(struct term *term, const char *terms, bool aliases, struct error *err)
{
	for (;;) {
		size_t len = strcspn(terms, ",");
		int ret = split_term(term, terms, len, err);

		if (ret == 0 && aliases && !term->has_value)
			ret = apply_alias(term, err);
		if (ret == 0)
			ret = apply_field(term, err);
		if (ret < 0)
			return ret;
		if (terms[len] == '\0')
			return 0;
		terms += len + 1;
	}
}

int pmu_terms(struct sys *sys, const char *pmu, const char *terms, struct perf_event_attr *attr,
	      struct error *err)
{
	struct term term = { .sys = sys, .pmu = pmu, .attr = attr, .written = terms };

	return terms[0] ? apply_terms(&term, terms, true, err) : 0;
}
