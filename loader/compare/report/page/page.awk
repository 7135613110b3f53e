# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Turns page.html into two strings of C: the page before and after the document. A line "@FILE@" stands for the file
# of that name in the directory of page.html.

function put(line)
{
	gsub(/\\/, "&&", line)
	gsub(/"/, "\\\"", line)
	printf "\t\"%s\\n\"\n", line
}

function put_file(path,  line, status)
{
	while ((status = (getline line <path)) > 0)
		put(line)
	close(path)
	if (status < 0) {
		print path ": cannot be read" >"/dev/stderr"
		exit 1
	}
}

BEGIN { print "static const char page_begin[] =" }
/^@.*@$/ {
	directory = FILENAME
	sub(/[^\/]*$/, "", directory)
	put_file(directory substr($0, 2, length($0) - 2))
	next
}
/@document@/ {
	i = index($0, "@document@")
	put(substr($0, 1, i - 1))
	print "\t;\nstatic const char page_end[] ="
	put(substr($0, i + length("@document@")))
	next
}
{ put($0) }
END { print "\t;" }
