// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The grammar of probes: kprobe:SYMBOL, uprobe:PATH:SYMBOL, usdt:PATH:PROVIDER:NAME. */
#include <errno.h>

#include "loader/event/grammar/grammar_internal.h"

#define KPROBE_HINT \
	"kprobe:[MODULE:]SYMBOL[+OFFSET] or kprobe:0xADDRESS; kretprobe: for its return; " \
	"ksyscall:NAME for a system call"
#define UPROBE_HINT \
	"uprobe:PATH:SYMBOL[+OFFSET] or uprobe:PATH:0xOFFSET, an offset in the file; " \
	"uretprobe: for its return"
#define SYSCALL_HINT "ksyscall:NAME, as in ksyscall:openat; kretsyscall: for its return"
#define USDT_HINT "usdt:PATH:PROVIDER:NAME, as readelf -n lists them"

static int kprobe_body(struct event_spec *spec, struct piece body, struct error *err);
static int syscall_body(struct event_spec *spec, struct piece body, struct error *err);
static int uprobe_body(struct event_spec *spec, struct piece body, struct error *err);
static int usdt_body(struct event_spec *spec, struct piece body, struct error *err);

static const struct form {
	const char *prefix;	/* before the first ':' */
	enum event_kind kind;
	bool ret;
	unsigned int colons;	/* number of ':' after its path; 0: it has no path */
	int (*body)(struct event_spec *spec, struct piece body, struct error *err);
	const char *hint;
} forms[] = {
	{ "kprobe", EVENT_KPROBE, false, 0, kprobe_body, KPROBE_HINT },
	{ "kretprobe", EVENT_KPROBE, true, 0, kprobe_body, KPROBE_HINT },
	{ "ksyscall", EVENT_KPROBE, false, 0, syscall_body, SYSCALL_HINT },
	{ "kretsyscall", EVENT_KPROBE, true, 0, syscall_body, SYSCALL_HINT },
	{ "uprobe", EVENT_UPROBE, false, 1, uprobe_body, UPROBE_HINT },
	{ "uretprobe", EVENT_UPROBE, true, 1, uprobe_body, UPROBE_HINT },
	{ "usdt", EVENT_USDT, false, 2, usdt_body, USDT_HINT },
};

static const struct form *find_form(struct piece body)
{
	const char *colon = piece_find(body, ':');

	for (size_t i = 0; colon && i < sizeof(forms) / sizeof(forms[0]); i++)
		if (piece_is(piece_until(body, colon), forms[i].prefix))
			return &forms[i];
	return NULL;
}

/* Assemblers and compilers use any visible character in names, except our own separators. */
static bool is_symbol(struct piece p)
{
	for (size_t i = 0; i < p.len; i++) {
		unsigned char c = p.text[i];

		if (c <= ' ' || c == 0x7f || strchr("+:/,{}", c))
			return false;
	}
	return p.len != 0;
}

static int no_symbol(struct piece p, struct error *err)
{
	if (p.len)
		return error_set(err, EINVAL, "'%.*s' is not a symbol", PIECE(p));
	return error_set(err, EINVAL, "no symbol is named");
}

/* "SYMBOL", "SYMBOL+OFFSET" or "0xADDRESS" */
static int parse_place(struct event_spec *spec, struct piece place, struct error *err)
{
	const char *plus = piece_find(place, '+');
	struct piece symbol = plus ? piece_until(place, plus) : place;

	if (place.len && place.text[0] >= '0' && place.text[0] <= '9')
		return spec_number(place, "the address", &spec->offset, err);
	if (!is_symbol(symbol))
		return no_symbol(symbol, err);
	if (spec_copy(symbol, "the symbol", spec->second, sizeof(spec->second), err))
		return -EINVAL;
	if (!plus)
		return 0;
	return spec_number(piece_from(place, plus + 1), "the offset", &spec->offset, err);
}

static int kprobe_body(struct event_spec *spec, struct piece body, struct error *err)
{
	const char *colon = piece_find(body, ':');
	struct piece module = colon ? piece_until(body, colon) : (struct piece){ body.text, 0 };

	if (!colon)
		return parse_place(spec, body, err);
	if (!event_is_word(module.text, module.len))
		return error_set(err, EINVAL, "'%.*s' is not the name of a module",
				 PIECE(module));
	if (spec_copy(module, "the module", spec->first, sizeof(spec->first), err) ||
	    parse_place(spec, piece_from(body, colon + 1), err))
		return -EINVAL;
	if (!spec->second[0])
		return error_set(err, EINVAL, "an address does not belong to a module");
	return 0;
}

static int syscall_body(struct event_spec *spec, struct piece body, struct error *err)
{
	spec->syscall = true;
	if (!event_is_word(body.text, body.len))
		return error_set(err, EINVAL, "'%.*s' is not the name of a system call",
				 PIECE(body));
	return spec_copy(body, "the system call", spec->second, sizeof(spec->second), err);
}

static int parse_path(struct event_spec *spec, struct piece path, struct error *err)
{
	if (!path.len)
		return error_set(err, EINVAL, "no file is named");
	return spec_copy(path, "the path", spec->path, sizeof(spec->path), err);
}

/* A path may contain ':' but a symbol may not, so the last one separates them. */
static int uprobe_body(struct event_spec *spec, struct piece body, struct error *err)
{
	const char *colon = piece_find_last(body, ':');

	if (!colon)
		return error_set(err, EINVAL, "'%.*s' has no symbol after the path", PIECE(body));
	if (parse_path(spec, piece_until(body, colon), err))
		return -EINVAL;
	return parse_place(spec, piece_from(body, colon + 1), err);
}

static int usdt_body(struct event_spec *spec, struct piece body, struct error *err)
{
	const char *last = piece_find_last(body, ':');
	const char *colon = last ? piece_find_last(piece_until(body, last), ':') : NULL;
	struct piece provider, name;

	if (!colon)
		return error_set(err, EINVAL, "'%.*s' is not a path, a provider and a name",
				 PIECE(body));
	provider = piece_until(piece_from(body, colon + 1), last);
	name = piece_from(body, last + 1);
	if (!is_symbol(provider) || !is_symbol(name))
		return error_set(err, EINVAL, "'%.*s:%.*s' is not a provider and a name",
				 PIECE(provider), PIECE(name));
	if (parse_path(spec, piece_until(body, colon), err) ||
	    spec_copy(provider, "the provider", spec->first, sizeof(spec->first), err))
		return -EINVAL;
	return spec_copy(name, "the name", spec->second, sizeof(spec->second), err);
}

bool spec_is_probe(struct piece text)
{
	return find_form(text);
}

/*
 * A path may contain commas: the first comma after all colons of the form ends the event.
 */
const char *spec_probe_end(struct piece text)
{
	const struct form *form = find_form(text);
	const char *end = text.text + text.len, *p = text.text + strlen(form->prefix) + 1;
	unsigned int colons = 0;

	for (; p < end && (*p != ',' || colons < form->colons); p++)
		colons += *p == ':';
	return p;
}

int spec_probe(struct event_spec *spec, struct piece body, struct error *err)
{
	const struct form *form = find_form(body);
	int ret;

	spec->kind = form->kind;
	spec->ret = form->ret;
	ret = form->body(spec, piece_from(body, body.text + strlen(form->prefix) + 1), err);
	if (ret && err && !err->hint[0])
		error_hint(err, "%s", form->hint);
	return ret;
}
