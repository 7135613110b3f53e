# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The files and functions that comments and documents name exist. Its arguments are the sources and the documents.

function fail(where, name) {
	print where ": there is no " name
	broken = 1
}

# A name in capitals stands for others, a program is built from a source, and the kernel's files and functions have a path with them.
function check_text(text, of_kernel, name) {
	of_kernel = (before " " text) ~ /(^|[^a-z_\/])(kernel|tools|include|arch|fs|security|net|drivers|lib)\/|libbpf/
	before = text
	while (match(text, /[A-Za-z0-9_.\/*<>-]+(\(\))?/)) {
		name = substr(text, RSTART, RLENGTH)
		text = substr(text, RSTART + RLENGTH)
		sub(/\.+$/, "", name)
		if (name ~ /^(elf|loader|test|docs)\/[a-z0-9_.\/-]*[a-z0-9_]\/?$/ && text !~ /^[{($]/ ||
		    name ~ /^[a-z_0-9\/]+\.[ch]$/ && !of_kernel && text !~ /^:[0-9]/ && FILENAME ~ /^(elf|loader)/) {
			sub(/\/$/, "", name)
			if (!(name in files) && !((name ".c") in files))
				fail(FILENAME ":" FNR, name)
		} else if (FILENAME !~ /\.md$/ && !of_kernel && sub(/\(\)$/, "", name) && match(name, /^[a-z]+_/) && (substr(name, 1, RLENGTH - 1) in rooms)) {
			named[name] = FILENAME ":" FNR
		}
	}
}

BEGIN {
	while (("find elf loader test docs uapi progs" | getline path) > 0) {
		if (split(path, part, "/") == 3 && path ~ /^loader\/core/)
			rooms[part[3]] = 1
		do
			files[path] = 1
		while (sub(/^[^\/]*\//, "", path))
	}
}

FNR == 1 { in_comment = 0 }

{
	code = in_comment ? "" : $0
	comment = in_comment || FILENAME ~ /\.md$/ ? $0 : ""
	if (comment == "" && match($0, FILENAME ~ /\.[ch]$/ ? "/\\*|(^|[ \t])// " : "(^|[ \t])# ")) {
		code = substr($0, 1, RSTART - 1)
		comment = substr($0, RSTART)
		in_comment = comment ~ /^\/\*/
	}
	if (comment ~ /\*\//)
		in_comment = 0
	check_text(comment)
	while (FILENAME ~ /\.[ch]$/ && match(code, /[a-z_0-9]+/)) {
		used[substr(code, RSTART, RLENGTH)] = 1
		code = substr(code, RSTART + RLENGTH)
	}
}

END {
	for (name in named)
		if (!(name in used))
			fail(named[name], name "()")
	exit broken
}
