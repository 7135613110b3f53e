# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Turns sources into the rows of the table in source.c: each function that makes a system call, with its lines.

function quoted(text)
{
	gsub(/\\/, "&&", text)
	gsub(/"/, "\\\"", text)
	gsub(/\t/, "\\t", text)
	return "\"" text "\\n\""
}

function end_function(  i)
{
	if (calls) {
		printf "{ \"%s\", %d, %d,\n", FILENAME, first, FNR
		for (i = first; i <= FNR; i++)
			print quoted(line[i])
		print "},"
	}
	first = calls = 0
}

FNR == 1 { first = calls = 0 }
{ line[FNR] = $0 }
/^[a-z].*\(/ && !/;$/ { first = FNR; calls = 0 }
first && /[^a-z_]sys_[a-z0-9_]+\(/ { calls = 1 }
first && /^}/ { end_function() }
