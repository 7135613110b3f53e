// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Write types as C declarations, so that a message can show two of them. */
#include <inttypes.h>
#include <stdio.h>

#include "loader/objects/kernel_types/checked_types.h"

struct text {
	char *to;
	size_t size, len;
};

static void add(struct text *text, const char *more)
{
	size_t room = text->size - text->len;
	int n = snprintf(text->to + text->len, room, "%s", more);

	text->len += (size_t)n < room ? (size_t)n : room - 1;
}

static void add_dimension(struct text *text, const struct btf *btf, const struct btf_type_view *t)
{
	char dimension[16];

	snprintf(dimension, sizeof(dimension), "[%" PRIu32 "]", btf_array(btf, t).nelems);
	add(text, dimension);
}

/* Append the part of a declaration before the name: "struct task_struct *". */
static void add_type(struct text *text, const struct btf *btf, uint32_t id, unsigned int depth)
{
	static const char *const tags[] = {
		[BTF_KIND_STRUCT] = "struct ", [BTF_KIND_UNION] = "union ",
		[BTF_KIND_ENUM] = "enum ",     [BTF_KIND_ENUM64] = "enum ",
	};
	struct btf_type_view t = checked_type(btf, id);
	bool pointer;

	if (depth > TYPE_DEPTH_MAX) {
		add(text, "...");
		return;
	}
	switch (t.kind) {
	case BTF_KIND_UNKN:
		add(text, "void");
		return;
	case BTF_KIND_PTR:
		add_type(text, btf, t.type, depth + 1);
		add(text, text->len && text->to[text->len - 1] == '*' ? "*" : " *");
		return;
	case BTF_KIND_CONST:
		pointer = checked_type(btf, t.type).kind == BTF_KIND_PTR;
		add(text, pointer ? "" : "const ");
		add_type(text, btf, t.type, depth + 1);
		add(text, pointer ? " const" : "");
		return;
	case BTF_KIND_VOLATILE:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_TYPE_TAG:
		add_type(text, btf, t.type, depth + 1);
		return;
	case BTF_KIND_ARRAY:
		add_type(text, btf, btf_array(btf, &t).type, depth + 1);
		add(text, " ");
		add_dimension(text, btf, &t);
		return;
	case BTF_KIND_FUNC_PROTO:
		add(text, "function");
		return;
	case BTF_KIND_FWD:
		add(text, t.kind_flag ? "union " : "struct ");
		break;
	default:
		if (t.kind < sizeof(tags) / sizeof(tags[0]) && tags[t.kind])
			add(text, tags[t.kind]);
	}
	add(text, t.name[0] ? t.name : "{...}");
}

void type_declaration(const struct btf *btf, uint32_t id, const char *name, char *to, size_t size)
{
	struct text text = { .to = to, .size = size };
	struct btf_type_view t = checked_skip(btf, id);
	const bool function = t.kind == BTF_KIND_FUNC_PROTO;
	uint32_t element = id;

	for (unsigned int i = 0; checked_type(btf, element).kind == BTF_KIND_ARRAY; i++) {
		const struct btf_type_view array = checked_type(btf, element);

		element = btf_array(btf, &array).type;
		if (i == TYPE_DEPTH_MAX)
			break;
	}
	add_type(&text, btf, function ? t.type : element, 0);
	if (text.to[text.len - 1] != '*')
		add(&text, " ");
	add(&text, name ? name : "");
	for (; id != element; id = btf_array(btf, &t).type) {
		t = checked_type(btf, id);
		add_dimension(&text, btf, &t);
	}
	if (!function)
		return;
	add(&text, t.vlen ? "(" : "(void");
	for (uint32_t i = 0; i < t.vlen && text.len + 1 < size; i++) {
		const uint32_t param = checked_param(btf, &t, i);

		add(&text, i ? ", " : "");
		if (param || i + 1 < t.vlen)
			add_type(&text, btf, param, 0);
		else
			add(&text, "...");
	}
	add(&text, ")");
}
