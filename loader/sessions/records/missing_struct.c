// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find the record struct that is missing from the BTF in the source lines. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "loader/sessions/records/missing_struct.h"

/* A struct of which only the name is known, and a source line that mentions it. */
struct missing_struct {
	char name[64];
	const char *file;	/* borrowed from the BTF */
	uint32_t line;
};

#define LINES_MAX 65536

static bool is_identifier(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Find the next "struct NAME" in a line, from *@text on. Return the length of the name, or 0. */
static size_t next_struct(const char **text, const char *line)
{
	const char *at = *text;
	size_t len;

	while ((at = strstr(at, "struct "))) {
		const bool begins = at == line || !is_identifier(at[-1]);

		at += strlen("struct ");
		for (len = 0; is_identifier(at[len]);)
			len++;
		*text = at;
		if (begins && len)
			return len;
	}
	return 0;
}

/* Look at one line. Return false if there is a second struct, which makes it ambiguous. */
static bool look_at(const struct btf *btf, const struct btf_line_info *info,
		    struct missing_struct *found)
{
	const char *line = btf_string(btf, info->line_off), *text = line;
	char name[sizeof(found->name)];
	size_t len;

	if (!line || !btf_string(btf, info->file_name_off))
		return true;
	for (; (len = next_struct(&text, line)); text += len) {
		if (len >= sizeof(name))
			continue;
		memcpy(name, text, len);
		name[len] = '\0';
		if (!strcmp(name, found->name) || btf_find(btf, BTF_KIND_STRUCT, name))
			continue;
		if (found->name[0])
			return false;
		strcpy(found->name, name);
		found->file = btf_string(btf, info->file_name_off);
		found->line = info->line_col >> 10;
	}
	return true;
}

/*
 * missing_struct_find() - Find the struct that the programs' source lines mention and the BTF of
 * @obj does not describe. Return: false if there is none, or more than one.
 */
static bool missing_struct_find(const struct bpf_object *obj, struct missing_struct *found)
{
	const struct btf_ext_info *lines = &obj->ext.line_info;
	uint32_t left = LINES_MAX;

	*found = (struct missing_struct){ .file = "" };
	for (uint32_t s = 0; s < lines->nr_secs; s++)
		for (uint32_t i = 0; i < lines->secs[s].num; i++) {
			const struct btf_line_info info =
				btf_ext_line(&obj->ext, &lines->secs[s], i);

			if (!left-- || !look_at(&obj->btf, &info, found))
				return false;
		}
	return found->name[0];
}

void missing_struct_note(const struct bpf_object *obj, const struct record_format *format,
			 char *note, size_t note_size)
{
	struct missing_struct missing;
	const char *slash;

	if (!format->no_struct || !missing_struct_find(obj, &missing))
		return;
	slash = strrchr(missing.file, '/');
	snprintf(note, note_size,
		 "its %u-byte records are printed as hex: the object's BTF has no struct of that "
		 "size, nor struct %s, which %.64s:%u uses. To add it, declare a global after its "
		 "definition: struct %s *unused __attribute__((unused));", format->size,
		 missing.name, slash ? slash + 1 : missing.file, missing.line, missing.name);
}
