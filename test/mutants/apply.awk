# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Prints a source file with the fault of a mutant: awk -f apply.awk -v mutant=NAME.mutant FILE. It replaces whole lines,
# which must exist exactly once.

function fail(why)
{
	printf "%s: %s\n", mutant, why >"/dev/stderr"
	failed = 1
	exit 1
}

BEGIN {
	where = ""
	while ((getline line <mutant) > 0) {
		if (line == "--- old" || line == "--- new")
			where = line
		else if (where == "--- old")
			old = old line "\n"
		else if (where == "--- new")
			new = new line "\n"
	}
	if (old == "")
		fail("it has no lines that are replaced")
	text = "\n"
}

{ text = text $0 "\n" }

END {
	if (failed)
		exit 1
	at = index(text, "\n" old)
	if (!at)
		fail("its old lines are not in " FILENAME)
	if (index(substr(text, at + 1), "\n" old))
		fail("its old lines are in " FILENAME " more than once")
	printf "%s", substr(text, 2, at - 1) new substr(text, at + 1 + length(old))
}
