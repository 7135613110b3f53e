/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The events that perf has besides plain ones: rows of `features`. */
#ifndef PLOAD_EVENTS_GRAMMAR_EVENTS_H
#define PLOAD_EVENTS_GRAMMAR_EVENTS_H

#include "loader/core/event/steps.h"

extern const struct event_feature event_grammar, event_default_cycles, event_scopes;

/*
 * event_unknown() - Report that there is no event @name, with similar names from the tables and
 * from all PMUs: "event/unknown".
 */
void event_unknown(struct sys *sys, const char *name, struct error *err);

/** event_apply_modifiers() - Set the bits of @attr selected by @m. (describe.c) */
void event_apply_modifiers(const struct event_modifiers *m, struct perf_event_attr *attr);
/** event_describe_kinds() - See event_feature.describe. */
int event_describe_kinds(struct sys *sys, const struct event_spec *spec, bool of_sysfs,
			 struct perf_event_attr *attr, struct cpu_list *cpus, struct error *err);

/* --- names: perf_names.c, cache_names.c --- */

/** perf_name_each() - Call @call with each name, cache events included; @alias may be NULL. */
void perf_name_each(void (*call)(void *arg, const char *name, const char *alias), void *arg);
/** nearest_offer_events() - Offer each name and alias of the tables. */
void nearest_offer_events(struct nearest *near);

#define CACHE_NAME_MAX 48

/**
 * cache_name_config() - Compute the config of a cache event in any of perf's spellings, such as
 * "L1-dcache-load-misses", "LLC-loads". Return: 0 or -EINVAL.
 *
 * cache_name_at() - Write the name of the @i-th cache event that exists to @name. Return: false
 * after the last.
 */
int cache_name_config(const char *text, size_t len, uint64_t *config);

/** perf_name_of_core() - Find the type and config of a hardware or cache event. 0 or -EINVAL. */
int perf_name_of_core(const char *text, size_t len, uint32_t *type, uint64_t *config);
bool cache_name_at(unsigned int i, char name[CACHE_NAME_MAX]);

/**
 * event_is_glob() - Return true if @text has one of "*?[". (text.c)
 * event_glob_match() - Return true if @pattern matches the whole of @name.
 */
bool event_is_glob(const char *text);
bool event_glob_match(const char *pattern, const char *name);

#endif
