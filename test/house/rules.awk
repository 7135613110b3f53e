# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The rules that test/house/check checks. Its arguments are the sources; it prints each place that breaks rule `rule`.

function fail(where, what) {
	print where ": " what
	broken++
}

function folder_of(path) {
	sub(/\/[^\/]*$/, "", path)
	return path
}

# A room is elf, loader/core/X, or loader/X.
function room_of(path, part) {
	split(path, part, "/")
	return part[1] == "elf" ? "elf" : part[1] "/" part[2] (part[2] == "core" ? "/" part[3] : "")
}

function rank_of(path, part) {
	split(path, part, "/")
	return rank[part[1] == "elf" ? "elf" : part[2] == "core" ? part[3] : part[2]]
}

# The core: elf without its folders, and loader/core, whose rooms have none.
function is_core(path, part) {
	split(path, part, "/")
	return (part[1] == "elf" && part[3] == "") || (part[1] == "loader" && part[2] == "core")
}

function begins(path, prefix) {
	return path == prefix || index(path, prefix "/") == 1
}

function is_hook(from, to, i) {
	for (i = 1; i <= nr_hooks; i++)
		if (begins(from, hook_from[i]) && begins(to, hook_to[i])) {
			hook_used[i] = 1
			return 1
		}
	return 0
}

function columns(line, n, i, c) {
	n = 0
	for (i = 1; i <= length(line); i++) {
		c = substr(line, i, 1)
		n = c == "\t" ? n + 8 - n % 8 : n + 1
	}
	return n
}

# Depth first: a folder that is reached while it is still being visited closes a circle.
function visit(folder, trail, to, list, n, i) {
	if (state[folder] == 2)
		return
	if (state[folder] == 1) {
		sub(".*" folder " ->", folder " ->", trail)
		fail(trail, "the includes of these folders form a circle")
		return
	}
	state[folder] = 1
	n = split(edges[folder], list, " ")
	for (i = 1; i <= n; i++)
		visit(list[i], trail " -> " list[i])
	state[folder] = 2
}

# A comment that begins with one of these words is mostly a fragment.
function comment_ends(text) {
	gsub(/\n[ \t]*\*?[ \t]*/, " ", text)
	gsub(/^[ *\t]+/, "", text)
	sub(/^[a-z_0-9]+\(\) - /, "", text)
	if (text ~ /^(What|Whether|Who|Whose|Of|By|Where|That) /)
		fail(FILENAME ":" comment_line, "a comment that begins like a fragment: " substr(text, 1, 70))
}

BEGIN {
	nr_rooms = split("elf value sys object kernel event attach read print session cmd base explain objects events profile sessions observe tools compare commands rows plain", rooms, " ")
	for (i = 1; i <= nr_rooms; i++)
		rank[rooms[i]] = i
	while ((getline line < hooks) > 0)
		if (line !~ /^#/ && split(line, word, " ") > 2) {
			hook_from[++nr_hooks] = word[1]
			hook_to[nr_hooks] = word[2]
		}
}

FNR == 1 {
	files[folder_of(FILENAME)]++
	in_comment = continues = 0
	mark = FILENAME ~ /\.[ch]$/ ? "//" : "#"
	if (rule == "headers" && $0 !~ /SPDX-License-[I]dentifier: GPL-2.0-only OR BSD-2-Clause/)
		fail(FILENAME, "the first line is no SPDX line")
	if (rule == "headers" && !rank_of(FILENAME))
		fail(FILENAME, "it lies in no room that is known")
}

FNR == 2 && rule == "headers" && $0 !~ /^\/\*/ {
	fail(FILENAME, "the second line does not begin the sentence that says what the file is for")
}

rule == "columns" && columns($0) > 100 {
	fail(FILENAME ":" FNR, columns($0) " columns, of 100")
}

rule == "lengths" && FNR == 501 {
	fail(FILENAME, "it has more than 500 lines")
}

$0 == "{" {
	opened = FNR
}

$0 == "}" && opened {
	if (rule == "functions" && FNR - opened + 1 > 60)
		fail(FILENAME ":" opened, "a function of " FNR - opened + 1 " lines, of 60")
	opened = 0
}

# A comment that ends with its line, and goes on in the next one if that is a comment, too.
rule == "comments" && match($0, "(^|[ \t])" mark " ") {
	comment_line = FNR
	if (!continues || $0 !~ "^[ \t]*" mark)
		comment_ends(substr($0, RSTART + RLENGTH))
}

rule == "comments" {
	continues = $0 ~ "^[ \t]*" mark && $0 !~ /SPDX|shellcheck|^#!/
}

rule == "comments" && mark == "//" {
	rest = $0
	if (!in_comment && (at = index(rest, "/*"))) {
		in_comment = 1
		comment = ""
		comment_line = FNR
		rest = substr(rest, at + 2)
	}
	if (in_comment) {
		at = index(rest, "*/")
		comment = comment "\n" (at ? substr(rest, 1, at - 1) : rest)
		if (at) {
			in_comment = 0
			comment_ends(comment)
		}
	}
}

/^#include "(elf|loader)\// {
	to = $2
	gsub(/"/, "", to)
	from_folder = folder_of(FILENAME)
	to_folder = folder_of(to)
	if (rule == "arrows" && rank_of(to) > rank_of(FILENAME) && !is_hook(FILENAME, to))
		fail(FILENAME ":" FNR, "it includes " to ", of a room further up the line")
	if (rule == "annexes" && is_core(FILENAME) && !is_core(to) && !is_hook(FILENAME, to))
		fail(FILENAME ":" FNR, "a core file includes the header of an annex, " to)
	if (rule == "internal" && to ~ /_internal\.h$/ && room_of(to) != room_of(FILENAME))
		fail(FILENAME ":" FNR, "it includes " to ", which is internal to " room_of(to))
	if (from_folder != to_folder && !((from_folder, to_folder) in edge)) {
		edge[from_folder, to_folder] = 1
		edges[from_folder] = edges[from_folder] " " to_folder
	}
}

END {
	if (rule == "files")
		for (folder in files)
			if (files[folder] > 16)
				fail(folder, files[folder] " files directly in it, of 16")
	if (rule == "annexes")
		for (i = 1; i <= nr_hooks; i++)
			if (!hook_used[i])
				fail("hooks", hook_from[i] " " hook_to[i] ": nothing includes it any more")
	if (rule == "circles")
		for (folder in edges)
			visit(folder, folder)
	exit broken > 0
}
