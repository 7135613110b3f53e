// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Find the source line that an instruction of a linked program was compiled from. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loader/objects/declared/declared.h"

static bool has_word(const char *text, const char *word)
{
	const size_t len = strlen(word);

	for (const char *at = text; len && (at = strstr(at, word)); at += len)
		if ((at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_')) &&
		    !(isalnum((unsigned char)at[len]) || at[len] == '_'))
			return true;
	return false;
}

static struct source_line get_line(const struct bpf_object *obj, const struct bpf_line_info *info)
{
	const struct source_line line = {
		.file = btf_string(&obj->btf, info->file_name_off),
		.text = btf_string(&obj->btf, info->line_off),
		.line = BPF_LINE_INFO_LINE_NUM(info->line_col),
		.column = BPF_LINE_INFO_LINE_COL(info->line_col),
	};

	/* Line 0 marks instructions that the compiler added to the code of the previous line. */
	return line.line && line.file && line.file[0] && line.text ? line :
								     (struct source_line){ 0 };
}

struct source_line prog_code_line(const struct bpf_object *obj, const struct prog_code *code,
				  uint32_t insn, const char *word)
{
	struct source_line found = { 0 }, line;
	uint32_t i;

	for (i = 0; i < code->nr_line_info && code->line_info[i].insn_off <= insn; i++) {
		line = get_line(obj, &code->line_info[i]);
		found = line.file ? line : found;
	}
	if (!word || (found.text && has_word(found.text, word)))
		return found;
	for (line = (struct source_line){ 0 }; i < code->nr_line_info && !line.file; i++)
		line = get_line(obj, &code->line_info[i]);
	return line.file && has_word(line.text, word) ? line : found;
}

void source_line_note(const struct source_line *line, struct error_note *note)
{
	if (!line->file)
		return;
	note->line = line->line;
	note->column = line->column;
	snprintf(note->file, sizeof(note->file), "%s", line->file);
	snprintf(note->source, sizeof(note->source), "%s",
		 line->text + strspn(line->text, " \t"));
	for (size_t n = strlen(note->source); n && isspace((unsigned char)note->source[n - 1]); n--)
		note->source[n - 1] = '\0';
}

void explain_insn(struct sys *sys, const void *call, struct error *err)
{
	const struct failed_insn *at = call;
	const struct source_line line = prog_code_line(at->obj, at->code, at->insn, NULL);
	struct error_note *note = line.file ? calloc(1, sizeof(*note)) : NULL;

	(void)sys;
	if (!note)
		return;
	note->insn = at->insn;
	source_line_note(&line, note);
	snprintf(note->text, sizeof(note->text), "%.*s", (int)sizeof(note->text) - 1, err->what);
	error_notes(err, note, 1);
}
