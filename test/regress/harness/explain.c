// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Print a test and its source, for readers who have a failure but not this project's tree. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf/exec/exec.h"
#include "loader/core/sys/file.h"
#include "test/regress/harness/explain.h"
#include "test/regress/harness/profiles.h"

/* Return the difference between the address of this program and the one it was linked for. */
static uint64_t bias(const struct exec *x)
{
	static const char self[] = "explain_print";
	struct exec_symbol symbol;

	for (uint32_t i = 0; i < x->symtab.nr; i++)
		if (exec_symbol(x, &x->symtab, i, &symbol) &&
		    symbol.name_len == strlen(self) && !strncmp(symbol.name, self, strlen(self)))
			return (uintptr_t)explain_print - symbol.value;
	return 0;
}

/* Copy the name of the function of @test; false: the symbols were stripped. */
static bool name_of(const struct exec *x, const struct regress_test *test, char *name, size_t size)
{
	const uintptr_t function = test->body ? (uintptr_t)test->body : (uintptr_t)test->run;
	const uint64_t address = function - bias(x);
	struct exec_symbol symbol;

	for (uint32_t i = 0; i < x->symtab.nr; i++) {
		if (!exec_symbol(x, &x->symtab, i, &symbol) || !exec_symbol_is_function(&symbol) ||
		    symbol.value != address)
			continue;
		/* GCC names copies of a function NAME.constprop.0. */
		snprintf(name, size, "%.*s", (int)strcspn(symbol.name, "."), symbol.name);
		return true;
	}
	return false;
}

/* Return the start of the line before @at, in a text that starts at @text. */
static const char *line_before(const char *text, const char *at)
{
	for (at -= at > text; at > text && at[-1] != '\n';)
		at--;
	return at;
}

/*
 * Print the definition of a function, whose first and last lines are not indented, and the comment
 * above it. false: this text does not contain it.
 */
static bool print_function(const char *dir, const struct regress_embedded *file, const char *name)
{
	static const struct {
		const char *storage, *more;
	} heads[] = { { "static ", "" }, { "", "" }, { "static ", ", struct helper_run *h" } };
	const char *at = NULL, *begin, *end, *text = (const char *)file->data;
	unsigned int line = 1;
	char head[160];

	for (size_t i = 0; i < NR(heads) && !at; i++) {
		snprintf(head, sizeof(head), "\n%svoid %s(struct regress *t%s)\n{",
			 heads[i].storage, name, heads[i].more);
		at = strstr(text, head);
	}
	end = at ? strstr(at, "\n}\n") : NULL;
	if (!end)
		return false;
	begin = ++at;
	if (at - text > 4 && !strncmp(at - 4, " */\n", 4)) {
		do
			begin = line_before(text, begin);
		while (begin > text && strncmp(begin, "/*", 2));
	}
	for (const char *p = text; p < begin; p++)
		line += *p == '\n';
	printf("source: %.*s%s:%u\n\n%.*s\n}\n", (int)(strrchr(dir, '/') + 1 - dir), dir,
	       file->name, line, (int)(end - begin), begin);
	return true;
}

static void print_source(const struct exec *x, const struct suite_test *test)
{
	const char *path = test->group->source;
	const struct regress_embedded *file = embedded_find(strrchr(path, '/') + 1);
	bool is_printed = false;
	char name[96];

	if (!name_of(x, test->test, name, sizeof(name))) {
		printf("source: %s\n", path);
		return;
	}
	if (file->name && print_function(path, file, name))
		return;
	/* A large group has several files. */
	for (file = regress_embedded; file->name && !is_printed; file++)
		is_printed = embedded_is_source(file) && print_function(path, file, name);
	if (!is_printed)
		printf("source: %s, %s()\n", path, name);
}

static void print_test(const struct exec *x, const struct suite_test *test)
{
	const char *group = test->group->name, *name = test->test->name;

	printf("%s\t%s/%s\ngroup: %s\n", test->id[0] ? test->id : "-", group, name,
	       test->group->what);
	printf("about: the %s; part of the ABI: %s\nconformance: %s%s%s\nneeds:",
	       profiles_of_loader(group, name) ? "loader" : "kernel", profiles_area(group),
	       profiles_conformance(test->may_differ), test->may_differ ? ": " : "",
	       test->may_differ ? test->may_differ : "");
	for (const struct regress_need *need = regress_needs; need->config; need++)
		if (profiles_needs(need, group, name))
			printf(" %s", need->config);
	putchar('\n');
	print_source(x, test);
}

void explain_print(const struct suite *suite)
{
	struct exec x = { 0 };
	struct file file;

	if (file_open(&file, sys_linux(), "/proc/self/exe", UINT64_C(1) << 30, NULL) ||
	    exec_open(&x, &file.source, NULL) || exec_read_symbols(&x, NULL))
		fputs("note: this program cannot read its own symbols\n", stderr);
	for (unsigned int i = 0; i < suite->nr; i++) {
		if (i)
			putchar('\n');
		print_test(&x, &suite->tests[i]);
	}
	exec_close(&x);
	file_close(&file);
}
