# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Reads the output of `cc -E -dD` and prints the names that it defines; see names.

BEGIN {
	n = split(headers, list, " ")
	for (i = 1; i <= n; i++)
		wanted[dir list[i]] = 1
	private = "^__[A-Z_]"
	depth = nr_fields = 0
	statement = ""
}

# "# 12 "FILE" 2": the lines that follow come from FILE.
/^# [0-9]+ "/ {
	file = $3
	gsub(/"/, "", file)
	next
}

!(file in wanted) { next }

# A macro without a value is a guard against double inclusion.
$1 == "#define" {
	name = $2
	sub(/\(.*/, "", name)
	if (NF > 2 && name !~ private)
		print "name", name
	next
}

/^#/ { next }

{
	statement = statement $0 " "
	# An attribute may hold anything, and names nothing.
	while (match(statement, /__attribute__ *\(\([^()]*(\([^()]*\)[^()]*)*\)\)/))
		statement = substr(statement, 1, RSTART - 1) substr(statement, RSTART + RLENGTH)
	if (statement ~ /__attribute__ *\([^;{}]*$/)
		next
	while (match(statement, /[{};]/)) {
		text = substr(statement, 1, RSTART - 1)
		mark = substr(statement, RSTART, 1)
		statement = substr(statement, RSTART + 1)
		if (mark == "{")
			opens(text)
		else if (mark == "}")
			closes(text)
		else
			ends(text)
	}
}

# Return the last word of a declarator: "__u8 tag[8]" is tag, and "cycles : 16" is cycles.
function declared(text)
{
	sub(/\[.*/, "", text)
	sub(/:.*/, "", text)
	gsub(/[*]/, " ", text)
	sub(/ +$/, "", text)
	sub(/.* /, "", text)
	return text
}

# "{" follows @text: the beginning of a struct, union or enum, or of a function.
function opens(text,    word)
{
	kind[++depth] = "function"
	first[depth] = nr_fields + 1
	tag[depth] = ""
	if (depth == 1 && text ~ /\(/)
		function_name(text)
	else if (match(text, /(^|[ \t])(struct|union|enum)([ \t]|$)/)) {
		split(substr(text, RSTART), word, " ")
		kind[depth] = word[1] == "enum" ? "enum" : "struct"
		tag[depth] = word[2]
	}
}

# "}" follows @text. The words between it and ";" come as the next statement.
function closes(text,    word, i, n)
{
	if (kind[depth] == "enum") {
		gsub(/\([^()]*\)/, "", text)
		n = split(text, word, ",")
		for (i = 1; i <= n; i++) {
			sub(/=.*/, "", word[i])
			gsub(/[ \t]/, "", word[i])
			if (word[i] == "")
				continue
			print "name", word[i]
			if (tag[depth] == "bpf_cmd")
				print "use", word[i]
		}
	}
	closed = kind[depth] != "function"
	closed_tag = tag[depth]
	closed_first = first[depth--]
}

# ";" follows @text.
function ends(text,    word, i, n, name)
{
	if (closed) {
		closed = 0
		name = declared(text)
		if (depth && kind[depth] == "struct") {
			for (i = closed_first; name != "" && i <= nr_fields; i++)
				field[i] = name "." field[i]
			return
		}
		if (closed_tag == "")
			closed_tag = name
		for (i = closed_first; i <= nr_fields; i++) {
			print "field", closed_tag "." field[i]
			if (closed_tag == "bpf_attr" || closed_tag == "perf_event_attr")
				print "use", closed_tag "." field[i]
		}
		nr_fields = closed_first - 1
		return
	}
	if (depth && kind[depth] == "struct") {
		n = split(text, word, ",")
		for (i = 1; i <= n; i++) {
			name = declared(word[i])
			# "__u32 :31" has a type and no name.
			if (name !~ /^(unsigned|char|short|int|long|__[us](8|16|32|64)|__reserved(_[0-9])?)$/)
				field[++nr_fields] = name
		}
	} else if (!depth && match(text, /\( *\* *const [a-z_0-9]+\)/)) {
		name = substr(text, RSTART, RLENGTH - 1)
		sub(/.* /, "", name)
		sub(/.*\) */, "", text)
		print "helper", name, text + 0
	} else if (!depth && text ~ /^[ \t]*extern .*\(/) {
		function_name(text)
	}
}

# The word before the first "(".
function function_name(text)
{
	sub(/ *\(.*/, "", text)
	text = declared(text)
	if (text !~ private)
		print "function", text
}
