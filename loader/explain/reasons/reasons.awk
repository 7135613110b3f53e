# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Turns docs/reasons/*.md into the rows of the table in reasons.c, and refuses a page that is not complete.
# The text before the first page of a file is about all of its pages: the system call, mostly. A page is
#	## CODE			several headings in a row share the page
#	SUMMARY			one sentence
#	- **From:** TEXT	then Check and Remedy, in this order, each of any number of lines

function fail(message)
{
	printf "%s:%d: %s\n", FILENAME, FNR, message >"/dev/stderr"
	failed = 1
	exit 1
}

function quoted(text)
{
	gsub(/\\/, "&&", text)
	gsub(/"/, "\\\"", text)
	return "\"" text "\""
}

function end_page(  i)
{
	if (part != 0 && part != 4)
		fail("the page before this line lacks a part: " (part == 1 ? "a summary and " : "") "From, Check, Remedy")
	for (i = 1; part && i <= nr_codes; i++)
		printf "{ %s,\n  %s,\n  %s,\n  %s,\n  %s,\n  %s },\n", quoted(codes[i]), quoted(parts[1]), quoted(parts[2]),
			quoted(parts[3]), quoted(parts[4]), quoted(about)
	nr_codes = part = 0
}

# Parts 1 to 4 are the summary, From, Check and Remedy; 0 is the text before the first page of a file.
function begin_part(number, text)
{
	if (part != number - 1 || (number > 1 && parts[part] == ""))
		fail("the parts of a page are a summary, From, Check, Remedy")
	part = number
	parts[part] = text
}

BEGIN { split("From Check Remedy", labels, " ") }
FNR == 1 { end_page(); about = "" }
/^## / {
	if (!nr_codes || parts[1] != "")
		end_page()
	if ($2 in seen || NF != 2 || $2 !~ /^[a-z-]+\/[a-z0-9-]+$/)
		fail("'" $2 "' is no code, or has a page already")
	seen[$2] = 1
	codes[++nr_codes] = $2
	part = 1
	parts[1] = ""
	next
}
/^$/ { next }
!part { about = about (about == "" || /^#/ ? "" : " ") (/^[<#]/ ? "" : $0); next }
/^- \*\*[A-Z][a-z]+:\*\* / {
	number = 0
	for (i in labels)
		if ($2 == "**" labels[i] ":**")
			number = i + 1
	sub(/^- \*\*[A-Za-z]+:\*\* /, "")
	begin_part(number, $0)
	next
}
{
	sub(/^ +/, "")
	parts[part] = parts[part] (parts[part] == "" ? "" : " ") $0
}
END {
	if (!failed)
		end_page()
}
