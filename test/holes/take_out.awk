# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Prints a C file in which the body of one function is that which an exercise hands out: awk -f take_out.awk -v hole=FILE.hole FILE.
# The function's head, its "{" and its "}" begin in column 0, as all of this tree do. The status is 1 when there is no such function.

BEGIN {
	while ((getline line <hole) > 0) {
		if (!section && line ~ /^function /)
			name = substr(line, 10)
		if (line ~ /^--- /)
			section = line
		else if (section == "--- handed out")
			body = body line "\n"
	}
}

function flush_head() {
	printf "%s", head
	head = ""
}

# A head may take several lines; one that ends with ";" was a declaration.
head == "" && $0 ~ "^[a-z_].*[ *]" name "[(]" { head = $0 "\n"; line_of = NR }
head != "" && $0 == "{" {
	flush_head()
	printf "{\n%s", body
	inside = found = 1
}
head != "" {
	if (line_of != NR)
		head = head $0 "\n"
	if (/;$/)
		flush_head()
	next
}
inside && $0 == "}" { inside = 0 }
!inside

END { exit !found }
