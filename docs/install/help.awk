# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Turns what `pload --help=all` and then `pload COMMAND --help` print into pload(8), in the macros of
# man(7), up to its exit status.
#
# A group of options that several commands have is printed where it appears first; the others name
# it.
# usage: { pload --help=all; pload load --help; ... } | awk -v source="pload 0.1" -v date=2026-11-24 -f help.awk

function text(line) {
	gsub(/\\/, "\\e", line)
	return (line ~ /^[.']/ ? "\\&" : "") line
}

function dashes(words) {
	gsub(/-/, "\\-", words)
	return words
}

function bold(words) {
	return "\\fB" dashes(text(words)) "\\fR"
}

function end_command() {
	if (also != "")
		print ".PP\nIt also takes the options of:\n" also "."
	also = ""
}

BEGIN {
	print ".TH PLOAD 8 " date " \"" source "\""
	print ".SH NAME\npload \\- load BPF objects, attach their programs, and compare how"
}
/^usage: / {
	sub(/^usage: /, "")
	if (commands++) {
		end_command()
		if (commands == 2)
			print ".SH COMMANDS"
		print ".SS pload " $2
		print bold($0)
		print ".PP"
	} else {
		print ".SH SYNOPSIS"
		print bold($0)
		print ".SH DESCRIPTION"
	}
	skip = 0
	next
}
/^Exit status: / { next }
# The page has a chapter of examples; those of a command are its own.
/^Examples:$/ { examples = 1; if (commands > 1) print ".PP\nExamples:\n.RS 4\n.EX"; next }
examples && /^    / { if (commands > 1) print dashes(text(substr($0, 5))); next }
examples { examples = 0; if (commands > 1) print ".EE\n.RE" }
# A remark in parentheses after a title becomes the first line of its text.
/^[A-Z].*:$/ {
	title = substr($0, 1, length($0) - 1)
	skip = title in printed
	printed[title] = 1
	remark = ""
	name = title
	if (match(title, / \(.*\)$/)) {
		remark = toupper(substr(title, RSTART + 2, 1)) substr(title, RSTART + 3, RLENGTH - 4) "."
		name = substr(title, 1, RSTART - 1)
	}
	if (skip)
		also = also (also == "" ? "" : ",\n") name
	else if (commands == 1)
		print ".SH " toupper(name)
	else
		print ".PP\n" title ":"
	if (!skip && commands == 1 && remark != "")
		print text(remark)
	next
}
skip { next }
/^  pload / { print ".TP"; print bold($1 " " $2); sub(/^ *pload +[^ ]+ +/, ""); print text($0); next }
/^ +-/ {
	print ".TP"
	option = $0
	sub(/^ +/, "", option)
	words = ""
	if (match(option, /  +/)) {
		words = substr(option, RSTART + RLENGTH)
		option = substr(option, 1, RSTART - 1)
	}
	print bold(option)
	if (words != "")
		print text(words)
	next
}
/^$/ { next }
{ sub(/^ +/, ""); print text($0) }
END { end_command() }
