// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The peer: load an object with libbpf, unchanged, and print the result as a line of JSON, like
 * `pload load --format=json`. It is built against the oldest libbpf, and works with any.
 */
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BEGIN_LOG	"-- BEGIN PROG LOAD LOG --"
#define END_LOG		"-- END PROG LOAD LOG --"

/* The messages of libbpf; global, because its print callback has no context argument. */
static char *said;
static size_t said_size;

static int listen_to(enum libbpf_print_level level, const char *fmt, va_list args)
{
	char *text;
	int n;

	if (level > LIBBPF_WARN)
		return 0;
	n = vasprintf(&text, fmt, args);
	if (n < 0)
		return 0;
	said = realloc(said, said_size + n + 1);
	if (!said)
		abort();
	memcpy(said + said_size, text, n + 1);
	said_size += n;
	free(text);
	return n;
}

static void put_string(const char *s, size_t n)
{
	putchar('"');
	for (size_t i = 0; i < n; i++) {
		unsigned char c = s[i];

		if (c == '"' || c == '\\')
			printf("\\%c", c);
		else if (c < ' ' || c >= 0x7f)
			printf("\\u%04x", c);
		else
			putchar(c);
	}
	putchar('"');
}

/* The last words of the verifier before its statistics, in the log that starts at @log. */
static const char *last_words(const char *log, size_t *n)
{
	const char *end = strstr(log, END_LOG), *line = log, *last = log;

	*n = 0;
	while (line && line < end) {
		size_t len = strcspn(line, "\n");

		if (!strncmp(line, "processed ", 10) || line + len > end)
			break;
		if (len) {
			last = line;
			*n = len;
		}
		line += len + 1;
	}
	return last;
}

/* The first line that is not just a remark about another attempt. */
static const char *first_complaint(void)
{
	const char *line = said ? said : "";

	while (*line) {
		size_t n = strcspn(line, "\n");
		const char *retry = strstr(line, "Retrying");

		if (!retry || retry >= line + n)
			break;
		line += n + (line[n] == '\n');
	}
	return line;
}

/* The first complaint, followed by the verifier's if it rejected the program. */
static void put_reason(int error)
{
	const char *log = said ? strstr(said, BEGIN_LOG) : NULL, *words;
	const char *complaint = first_complaint();
	char text[1024];
	size_t n;

	snprintf(text, sizeof(text), "%.*s", (int)strcspn(complaint, "\n"), complaint);
	if (log) {
		words = last_words(log + strlen(BEGIN_LOG) + 1, &n);
		snprintf(text + strlen(text), sizeof(text) - strlen(text), ": %.*s", (int)n, words);
	}
	if (!text[0])
		snprintf(text, sizeof(text), "%s", strerror(-error));
	put_string(text, strlen(text));
}

static void report(const char *path, struct bpf_object *obj, int error)
{
	unsigned int maps = 0, programs = 0, loaded = 0;
	struct bpf_program *prog = NULL;
	struct bpf_map *map = NULL;

	while (obj && (map = bpf_object__next_map(obj, map)))
		maps++;
	while (obj && (prog = bpf_object__next_program(obj, prog))) {
		programs++;
		loaded += bpf_program__fd(prog) >= 0;
	}
	printf("{\"type\":\"load\",\"object\":");
	put_string(path, strlen(path));
	printf(",\"status\":\"%s\",\"maps\":%u,\"programs\":%u,\"loaded\":%u",
	       error ? "failed" : "ok", maps, programs, loaded);
	if (error) {
		printf(",\"error\":");
		put_reason(error);
	}
	printf("}\n");
}

static void list(struct bpf_object *obj)
{
	struct bpf_program *prog = NULL;

	while ((prog = bpf_object__next_program(obj, prog)))
		printf("%s\n", bpf_program__name(prog));
}

/* Load only the program @name. */
static int pick(struct bpf_object *obj, const char *name)
{
	struct bpf_program *prog = NULL;
	int found = 0;

	while ((prog = bpf_object__next_program(obj, prog))) {
		int wanted = !strcmp(bpf_program__name(prog), name);

		bpf_program__set_autoload(prog, wanted);
		found |= wanted;
	}
	return found ? 0 : -ENOENT;
}

int main(int argc, char **argv)
{
	const char *path = argv[argc - 1], *name = NULL;
	struct bpf_object *obj;
	int error = 0, listing = argc > 2 && !strcmp(argv[1], "--list");

	if (argc > 3 && !strcmp(argv[1], "--prog"))
		name = argv[2];
	if (argc < 2) {
		fprintf(stderr, "usage: peer [--list | --prog NAME] OBJECT\n");
		return 2;
	}
	libbpf_set_print(listen_to);
	obj = bpf_object__open_file(path, NULL);
	if (!obj)
		error = errno ? -errno : -EINVAL;
	if (listing) {
		if (obj)
			list(obj);
	} else {
		if (!error && name)
			error = pick(obj, name);
		if (!error)
			error = bpf_object__load(obj);
		report(path, obj, error);
	}
	bpf_object__close(obj);
	free(said);
	return error != 0;
}
