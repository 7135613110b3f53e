// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The grammar of probes: kprobe:SYMBOL, uprobe:PATH:SYMBOL, usdt:PATH:PROVIDER:NAME. */
#include <errno.h>

#include "loader/events/grammar/grammar_internal.h"

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
	const char *prefix;	/* the part before the first ':' */
	enum event_kind kind;
	bool ret;
	unsigned int colons;	/* number of ':' after its path; 0: no path */
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

/* Assemblers and compilers may use any visible character in names, except our own separators. */
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
	return error_set(err, EINVAL, "no symbol given");
}

/* "SYMBOL", "SYMBOL+OFFSET" or "0xADDRESS", which leaves @symbol alone. */
static int parse_location(struct piece text, char **symbol, uint64_t *offset, struct error *err)
{
	const char *plus = piece_find(text, '+');
	struct piece name = plus ? piece_until(text, plus) : text;
	int ret;

	if (text.len && text.text[0] >= '0' && text.text[0] <= '9')
		return spec_number(text, "the address", offset, err);
	if (!is_symbol(name))
		return no_symbol(name, err);
	ret = piece_string(name, "the symbol", EVENT_WORD_MAX, symbol, err);
	if (ret || !plus)
		return ret;
	return spec_number(piece_from(text, plus + 1), "the offset", offset, err);
}

static int kprobe_body(struct event_spec *spec, struct piece body, struct error *err)
{
	const char *colon = piece_find(body, ':');
	struct piece module = colon ? piece_until(body, colon) : (struct piece){ body.text, 0 };
	int ret = 0;

	if (colon && !event_is_word(module.text, module.len))
		return error_set(err, EINVAL, "'%.*s' is not a valid module name",
				 PIECE(module));
	if (colon)
		ret = piece_string(module, "the module", EVENT_NAME_MAX, &spec->kprobe.module, err);
	if (!ret)
		ret = parse_location(colon ? piece_from(body, colon + 1) : body,
				     &spec->kprobe.symbol, &spec->kprobe.offset, err);
	if (!ret && spec->kprobe.module && !spec->kprobe.symbol)
		return error_set(err, EINVAL, "an address cannot have a module");
	return ret;
}

static int syscall_body(struct event_spec *spec, struct piece body, struct error *err)
{
	spec->syscall = true;
	if (!event_is_word(body.text, body.len))
		return error_set(err, EINVAL, "'%.*s' is not a valid system call name",
				 PIECE(body));
	return piece_string(body, "the system call", EVENT_WORD_MAX, &spec->kprobe.symbol, err);
}

static int parse_path(struct event_spec *spec, struct piece path, struct error *err)
{
	if (!path.len)
		return error_set(err, EINVAL, "no file given");
	return piece_string(path, "the path", EVENT_PATH_MAX, &spec->uprobe.path, err);
}

/* A path may contain ':' but a symbol may not, so the last one separates them. */
static int uprobe_body(struct event_spec *spec, struct piece body, struct error *err)
{
	const char *colon = piece_find_last(body, ':');
	int ret;

	if (!colon)
		return error_set(err, EINVAL, "'%.*s' has no symbol after the path", PIECE(body));
	ret = parse_path(spec, piece_until(body, colon), err);
	return ret ? ret : parse_location(piece_from(body, colon + 1), &spec->uprobe.symbol,
					  &spec->uprobe.offset, err);
}

static int usdt_body(struct event_spec *spec, struct piece body, struct error *err)
{
	const char *last = piece_find_last(body, ':');
	const char *colon = last ? piece_find_last(piece_until(body, last), ':') : NULL;
	struct piece provider, name;
	int ret;

	if (!colon)
		return error_set(err, EINVAL, "'%.*s' does not have the form PATH:PROVIDER:NAME",
				 PIECE(body));
	provider = piece_until(piece_from(body, colon + 1), last);
	name = piece_from(body, last + 1);
	if (!is_symbol(provider) || !is_symbol(name))
		return error_set(err, EINVAL, "'%.*s:%.*s' does not have the form PROVIDER:NAME",
				 PIECE(provider), PIECE(name));
	ret = parse_path(spec, piece_until(body, colon), err);
	if (!ret)
		ret = piece_string(provider, "the provider", EVENT_NAME_MAX,
				   &spec->uprobe.provider, err);
	return ret ? ret : piece_string(name, "the name", EVENT_WORD_MAX, &spec->uprobe.symbol,
					err);
}

bool spec_is_probe(struct piece text)
{
	return find_form(text);
}

/*
 * A path may contain commas: the event ends at the first comma after the last expected colon.
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
