# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Turns a page of docs/ into a manual page, in the macros of man(7); a page with -v more=1 adds to
# one that has begun.
#
# The name in one line is the page's second comment. A chapter becomes .SH, and a table a list of
# tagged paragraphs, because terminals are narrow: its first column is the tag; a third column and
# those after it name their heading.
# usage: awk -v page=pload-events -v section=7 -v source="pload 0.1" -v date=2026-11-24 -f man.awk docs/events.md

function plain(text) {
	gsub(/\\/, "\\e", text)
	return text
}

# `code` and **strong** are bold; of a link to another page remains its text.
function inline(text,    out, at, mark, part) {
	gsub(/!\[/, "[", text)
	while (match(text, /\[[^]]*\]\([^)]*\)/)) {
		part = substr(text, RSTART + 1, RLENGTH)
		sub(/^`/, "", part)
		sub(/`?\].*/, "", part)
		text = substr(text, 1, RSTART - 1) (part ~ /\.md$/ ? "`" page_of(part) "`" : part) substr(text, RSTART + RLENGTH)
	}
	while (match(text, /`[^`]+`|\*\*[^*]+\*\*/)) {
		mark = substr(text, RSTART, 1) == "`" ? 1 : 2
		part = substr(text, RSTART + mark, RLENGTH - 2 * mark)
		if (mark == 2)
			gsub(/`/, "", part)
		out = out plain(substr(text, 1, RSTART - 1)) "\\fB" dashes(plain(part)) "\\fR"
		text = substr(text, RSTART + RLENGTH)
	}
	return out plain(text)
}

function dashes(text) {
	gsub(/-/, "\\-", text)
	return text
}

# Pages that are installed as manual pages are named as these, the others as they lie in share/doc.
function page_of(file,    name) {
	name = file
	sub(/\.md$/, "", name)
	return index(" " pages " ", " " name " ") ? "pload-" name "(7)" : file
}

# Lines of at most 80 characters, none of which begins with a control character.
function emit(text,    words, n, i, line) {
	n = split(text, words, / +/)
	for (i = 1; i <= n; i++) {
		if (line != "" && length(line) + length(words[i]) > 77) {
			code(line)
			line = ""
		}
		line = line (line == "" ? "" : " ") words[i]
	}
	code(line)
}

function flush() {
	if (para != "") {
		if (start != "")
			print start
		emit(inline(para))
	}
	para = start = ""
}

function row(line,    n, cells, i, tag) {
	gsub(/\\\|/, "\001", line)
	sub(/^ *\| */, "", line)
	sub(/ *\| *$/, "", line)
	n = split(line, cells, / *\| */)
	for (i = 1; i <= n; i++)
		gsub(/\001/, "|", cells[i])
	if (!in_table) {
		for (i = 1; i <= n; i++)
			heads[i] = inline(cells[i])
		in_table = 1
		return
	}
	if (line ~ /^[-: |]+$/)
		return
	tag = inline(cells[1])
	print ".TP"
	emit(tag == "" ? "\\&" : tag)
	for (i = 2; i <= n; i++)
		if (cells[i] != "") {
			if (i > 2)
				print ".br"
			emit((n > 2 && heads[i] != "" ? heads[i] ": " : "") inline(cells[i]))
		}
	if (n < 2 || cells[2] == "")
		print "\\&"
}

function end_table() {
	if (in_table)
		after = ".PP"
	in_table = 0
}

function begin_code() {
	flush()
	if (after != "")
		print after
	after = ""
	print ".RS 4"
	print ".EX"
}

function code(line) {
	print (line ~ /^[.']/ ? "\\&" : "") line
}

function end_code() {
	print ".EE"
	print ".RE"
	after = ".PP"
}

function begin_page(about) {
	printf ".TH %s %s %s \"%s\"\n.SH NAME\n", toupper(page), section, date, source
	emit(dashes(page) " \\- " about)
}

NR == 1 { next }
NR == 2 {
	gsub(/^<!-- *|\.? *-->$/, "")
	if (!more)
		begin_page(plain($0))
	next
}
fenced && /^ *```/ { fenced = 0; end_code(); next }
fenced { code(plain(substr($0, indent + 1))); next }
/^ *```/ { fenced = 1; indent = index($0, "`") - 1; begin_code(); next }
indented && /^$/ { blank++; next }
indented && /^    / {
	for (; blank; blank--)
		print ""
	code(plain(substr($0, 5)))
	next
}
indented { indented = blank = 0; end_code() }
/^    / && para == "" && !item { indented = 1; begin_code(); code(plain(substr($0, 5))); next }
/^ *\|/ { flush(); row($0); next }
{ end_table() }
/^!\[.*\]\(.*\)$/ { next }
/^# / { print ".SH DESCRIPTION"; after = ""; item = 0; chapter = 1; next }
/^## / { flush(); print ".SH " inline(toupper(substr($0, 4))); after = ""; item = 0; chapter = 1; next }
/^### / { flush(); print ".SS " inline(substr($0, 5)); after = ""; item = 0; chapter = 1; next }
/^ *- |^ *[0-9]+\. / {
	flush()
	start = /^ *-/ ? ".IP \\(bu 3" : ".IP " $1 " 4"
	sub(/^ *(-|[0-9]+\.) */, "")
	para = $0
	item = 1
	after = ""
	next
}
/^ *$/ { flush(); if (!chapter) after = ".PP"; chapter = 0; next }
{
	if (para == "") {
		if (!/^ / || !item) {
			start = after
			item = 0
		} else {
			start = ".IP \"\" 3"
		}
		after = ""
	}
	sub(/^ +/, "")
	para = para (para == "" ? "" : " ") $0
}
END { flush(); if (indented) end_code() }
