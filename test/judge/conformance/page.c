// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Read the statements in the pages of docs/loading:
 *
 *	## maps.7: TITLE
 *
 *	**MUST.** SENTENCES			or **MAY.**, **Loaders differ.**
 *
 *	THE REASON				one sentence or more
 *
 *	Needs: Linux 5.8, little-endian		optional
 *	Call: link 7				optional; METHOD COOKIE
 *
 *	```object ... ```
 *	```expect ... ```			or, where loaders differ, ```expect NAME
 */
#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/judge/conformance/conformance.h"
#include "test/regress/harness/parts.h"

/* One page while it is read. */
struct page {
	struct statements *s;
	const char *name;
	char *at;		/* the next line */
	uint32_t line;		/* the number of the one before */
	uint32_t sentences; /* of prose in the statement; the first is the statement itself */
};

bool page_wrong(struct statements *s, const char *page, uint32_t line, const char *fmt, ...)
{
	va_list args;

	s->mistakes++;
	fprintf(stderr, "docs/loading/%s:%u: ", page, line);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	return false;
}

static void *grow(void *array, uint32_t nr, size_t size)
{
	void *grown = array_grow(array, nr, size);

	if (!grown)
		abort();
	memset((char *)grown + nr * size, 0, size);
	return grown;
}

/* Return the next line, or NULL. It becomes a string of its own. */
static char *next_line(struct page *p)
{
	char *line = p->at, *end;

	if (!*line)
		return NULL;
	end = strchrnul(line, '\n');
	p->at = end + (*end == '\n');
	*end = 0;
	p->line++;
	return line;
}

static struct statement *current(struct page *p)
{
	struct statement *last = p->s->nr ? &p->s->all[p->s->nr - 1] : NULL;

	return last && last->page == p->name ? last : NULL;
}

static char *after(char *line, const char *start)
{
	return strncmp(line, start, strlen(start)) ? NULL : line + strlen(start);
}

/* "## maps.7: TITLE": ids have the name of the page, and are numbered from 1 without gaps. */
static void begin_statement(struct page *p, char *heading)
{
	char *title = strstr(heading, ": ");
	const struct statement *before = current(p);
	struct statement *new;
	char wanted[64];

	/* The text before the first statement may have headings. */
	if (!before && !strchr(heading, '.'))
		return;
	snprintf(wanted, sizeof(wanted), "%.*s.%u", (int)strcspn(p->name, "."), p->name,
		 before ? atoi(strchr(before->id, '.') + 1) + 1 : 1);
	if (title)
		*title = 0;
	if (!title || !title[2] || strcmp(heading, wanted)) {
		page_wrong(p->s, p->name, p->line,
			   "the heading '%s' does not begin a statement: '## %s: TITLE' would",
			   heading, wanted);
		if (!strchr(heading, '.'))
			return;
	}
	p->s->all = grow(p->s->all, p->s->nr, sizeof(*p->s->all));
	new = &p->s->all[p->s->nr++];
	*new = (struct statement){ .id = heading, .title = title ? title + 2 : "", .page = p->name,
				   .line = p->line, .needs = "", .method = "load" };
	p->sentences = 0;
}

/* Read up to the end of the block that starts here. Return: its start, or NULL if it has no end. */
static char *read_block(struct page *p, size_t *size)
{
	char *begin = p->at, *line;

	while ((line = next_line(p))) {
		if (!strcmp(line, "```")) {
			*size = line - begin;
			return begin;
		}
		line[strlen(line)] = '\n';
	}
	page_wrong(p->s, p->name, p->line, "the block has no end");
	return NULL;
}

static void read_object(struct page *p, struct statement *s)
{
	const uint32_t line = p->line + 1;
	char *object;
	size_t size;

	if (s->object)
		page_wrong(p->s, p->name, p->line, "%s has two objects", s->id);
	object = read_block(p, &size);
	if (!object)
		return;
	s->object = object;
	s->object_size = size;
	s->object_line = line;
}

static void add_line(struct page *p, struct variant *v, const char *line)
{
	char buf[SENTENCE_SIZE];
	const char *mistake = line_is_known(line, buf, sizeof(buf));

	if (mistake)
		page_wrong(p->s, p->name, p->line, "%s", mistake);
	v->lines = grow(v->lines, v->nr_lines, sizeof(*v->lines));
	v->at = grow(v->at, v->nr_lines, sizeof(*v->at));
	v->lines[v->nr_lines] = line;
	v->at[v->nr_lines++] = p->line;
}

static void read_expect(struct page *p, struct statement *s, const char *name)
{
	struct variant *v;
	char *line;

	s->variants = grow(s->variants, s->nr_variants, sizeof(*v));
	v = &s->variants[s->nr_variants++];
	v->name = name + strspn(name, " ");
	while ((line = next_line(p)) && strcmp(line, "```")) {
		char *comment = strstr(line, " #");

		line += strspn(line, " \t");
		if (comment)
			*comment = 0;
		if (*line && *line != '#')
			add_line(p, v, line);
	}
	if (!line)
		page_wrong(p->s, p->name, p->line, "the block has no end");
	if (!v->nr_lines)
		page_wrong(p->s, p->name, p->line, "%s expects nothing", s->id);
}

static void read_call(struct page *p, struct statement *s, char *call)
{
	static const char *const methods[] = { "load", "ioctl", "pmu", "link" };
	char *word, *save = NULL, *end = NULL;

	word = strtok_r(call, " .", &save);
	if (word && !strcmp(word, "attach"))
		word = strtok_r(NULL, " .", &save);
	s->method = NULL;
	for (size_t i = 0; word && i < 4; i++)
		if (!strcmp(word, methods[i]))
			s->method = methods[i];
	word = strtok_r(NULL, " .", &save);
	s->cookie = word ? strtoull(word, &end, 0) : 0;
	if (!s->method || (end && *end))
		page_wrong(p->s, p->name, p->line,
			   "Call: is followed by load, ioctl, pmu or link, and a cookie");
	if (!s->method)
		s->method = "load";
}

static void read_needs(struct page *p, struct statement *s, char *needs)
{
	char copy[256], *save = NULL;

	s->needs = needs;
	snprintf(copy, sizeof(copy), "%s", needs);
	for (char *need = strtok_r(copy, ",", &save); need; need = strtok_r(NULL, ",", &save))
		if (!need_is_known(need + strspn(need, " ")))
			page_wrong(p->s, p->name, p->line,
				   "the judge does not know what '%s' is: docs/loading/README.md "
				   "lists the conditions",
				   need + strspn(need, " "));
}

static void read_pinned(struct page *p, struct statement *s, const char *map)
{
	if (sscanf(map, "%15s type=%u key_size=%u value_size=%u max_entries=%u", s->pinned.name,
		   &s->pinned.type, &s->pinned.key_size, &s->pinned.value_size,
		   &s->pinned.max_entries) != 5)
		page_wrong(p->s, p->name, p->line,
			   "Pinned: is followed by NAME type= key_size= value_size= max_entries=");
}

static void read_prose(struct page *p, struct statement *s, char *line)
{
	static const char *const levels[] = { [LEVEL_MUST] = "**MUST.**", [LEVEL_MAY] = "**MAY.**",
					      [LEVEL_DIFFER] = "**Loaders differ.**" };
	char *rest;

	if ((rest = after(line, "Needs: ")))
		return read_needs(p, s, rest);
	if ((rest = after(line, "Call: ")))
		return read_call(p, s, rest);
	if ((rest = after(line, "Pinned: ")))
		return read_pinned(p, s, rest);
	for (enum level level = LEVEL_MUST; level <= LEVEL_DIFFER; level++)
		if (after(line, levels[level])) {
			if (s->level)
				page_wrong(p->s, p->name, p->line, "%s has two levels", s->id);
			s->level = level;
		}
	for (const char *dot = line; (dot = strpbrk(dot, ".:")); dot++)
		p->sentences += s->level && strchr(" )", dot[1]);
	s->has_reason = p->sentences > 1;
}

static void read_line(struct page *p, char *line)
{
	struct statement *s = current(p);
	char *rest;
	size_t size;

	if ((rest = after(line, "## ")))
		begin_statement(p, rest);
	else if ((rest = after(line, "```")) && !s)
		read_block(p, &size);
	else if (rest && !strcmp(rest, "object"))
		read_object(p, s);
	else if (rest && (!strcmp(rest, "expect") || after(rest, "expect ")))
		read_expect(p, s, rest + strlen("expect"));
	else if (rest)
		read_block(p, &size);
	else if (s)
		read_prose(p, s, line);
}

static void check_statement(struct statements *all, const struct statement *s)
{
	uint32_t named = 0;

	if (!s->level)
		page_wrong(all, s->page, s->line,
			   "%s has no level: **MUST.**, **MAY.** or **Loaders differ.**", s->id);
	if (s->level == LEVEL_MUST && !s->has_reason)
		page_wrong(all, s->page, s->line,
			   "%s has no reason: a sentence after that of its level", s->id);
	if (!s->object)
		page_wrong(all, s->page, s->line, "%s has no object", s->id);
	if (!s->nr_variants)
		page_wrong(all, s->page, s->line, "%s expects nothing", s->id);
	for (uint32_t i = 0; i < s->nr_variants; i++)
		named += s->variants[i].name[0] != 0;
	if (s->level == LEVEL_DIFFER && (s->nr_variants < 2 || named != s->nr_variants))
		page_wrong(all, s->page, s->line,
			   "%s needs a name for each of two blocks: ```expect NAME", s->id);
	if ((s->level == LEVEL_MUST || s->level == LEVEL_MAY) && (s->nr_variants > 1 || named))
		page_wrong(all, s->page, s->line,
			   "%s has several blocks, or one with a name, which is for "
			   "**Loaders differ.**",
			   s->id);
}

static void read_page(struct statements *s, const char *name, char *text)
{
	const uint32_t first = s->nr;
	struct page page = { .s = s, .name = name, .at = text };
	char *line;

	s->texts = grow(s->texts, s->nr_texts, sizeof(*s->texts));
	s->texts[s->nr_texts++] = text;
	while ((line = next_line(&page)))
		read_line(&page, line);
	for (uint32_t i = first; i < s->nr; i++)
		check_statement(s, &s->all[i]);
}

static bool is_page(const char *name)
{
	const char *end = strrchr(name, '.');

	return end && !strcmp(end, ".md") && strcmp(name, "README.md");
}

static char *read_text(const char *dir, const char *name)
{
	char path[4096], *text = NULL;
	size_t size = 0;
	FILE *in;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	in = fopen(path, "re");
	if (!in || getdelim(&text, &size, 0, in) < 0) {
		free(text);
		text = NULL;
	}
	if (in)
		fclose(in);
	return text;
}

static int only_pages(const struct dirent *entry)
{
	return is_page(entry->d_name);
}

static bool read_folder(struct statements *s, const char *dir)
{
	struct dirent **entries;
	const int nr = scandir(dir, &entries, only_pages, alphasort);

	if (nr < 0) {
		fprintf(stderr, "judge: --pages=%s: %s\n", dir, strerror(errno));
		return false;
	}
	for (int i = 0; i < nr; i++) {
		char *text = read_text(dir, entries[i]->d_name);
		char *name = strdup(entries[i]->d_name);

		if (!text || !name)
			abort();
		/* The name is freed with the texts. */
		s->texts = grow(s->texts, s->nr_texts, sizeof(*s->texts));
		s->texts[s->nr_texts++] = name;
		read_page(s, name, text);
		free(entries[i]);
	}
	free(entries);
	return true;
}

bool statements_read(struct statements *s, const char *dir)
{
	if (dir && !read_folder(s, dir))
		return false;
	for (const struct regress_embedded *e = regress_embedded; !dir && e->name; e++)
		if (is_page(e->name)) {
			char *text = strndup((const char *)e->data, e->end - e->data);

			if (!text)
				abort();
			read_page(s, e->name, text);
		}
	if (!s->nr && !s->mistakes)
		fprintf(stderr, "judge: there is no page with statements\n");
	return s->nr && !s->mistakes;
}

void statements_free(struct statements *s)
{
	for (uint32_t i = 0; i < s->nr; i++) {
		for (uint32_t v = 0; v < s->all[i].nr_variants; v++) {
			free(s->all[i].variants[v].lines);
			free(s->all[i].variants[v].at);
		}
		free(s->all[i].variants);
	}
	for (uint32_t i = 0; i < s->nr_texts; i++)
		free(s->texts[i]);
	free(s->texts);
	free(s->all);
	*s = (struct statements){ 0 };
}
