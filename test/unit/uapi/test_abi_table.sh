#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Writes C that states every size, offset and constant of our headers.
# usage: test_abi_table.sh FUNCTION DEFINITIONS [CC], in the source directory
# With CC: to be compiled with the system's headers, and what those lack is left out.
set -eu
function=$1 definitions=$2 cc=${3-}
moving='_MAX(_SHIFT)?$|MAX_BPF|MAX_ID$|_BPF_CMD$|NR_BTF|BTF_MAX_VLEN|MAX_STATES'
moving=$moving'|REDIRECT_FLAGS$|CB_MASK$'
headers='types bpf bpf_perf_event perf_event btf hw_breakpoint pidfd pkt_cls ptrace version'

# Enumerators and macros with a value, one a line: without bounds of an enumeration, masks and
# versions, which differ.
constants()
{
	awk '
		/^enum/ { inside = 1; next }
		/^}/ { inside = 0 }
		inside && /^\t[A-Z_]/ { sub(/,$/, "", $1); print "value " $1 }
		/^#define [A-Z][A-Z0-9_]*[ \t]+[^ \t]/ { print "value " $2 }
		/^\tFN\(/ { sub(/^\tFN\(/, ""); sub(/,.*/, ""); print "value BPF_FUNC_" $0 }
	' uapi/linux/*.h | grep -Ev " ___|$moving|LINUX_VERSION|ELFMAG\$"
}

# Every row stands on one line, so that the compiler's complaint about it names the line.
rows()
{
	constants | cat - "$definitions" | awk '
		function row(name, expr) {
			printf "\trow(to, \"%s\", (unsigned long long)(%s));\n", name, expr
		}
		function bits(type, field) {
			printf "\t{ %s v; memset(&v, 0, sizeof(v)); v.%s--; ", type, field
			printf "row(to, \"%s.%s\", abi_hash(&v, sizeof(v))); }\n", type, field
		}
		/^#(if|elif|else|endif)/ { print; next }
		/^#/ || !NF { next }
		{ while (sub(/\\$/, "")) { getline more; $0 = $0 more } }
		$1 == "value" { sub(/^value /, ""); row($0, $0); next }
		{
			kind = $1; type = $2; field = 3
			if (type == "struct" || type == "union") { type = type " " $3; field = 4 }
			if (kind == "sized") row("sizeof(" type ")", "sizeof(" type ")")
			if (kind == "grows") row("grows(" type ")", "sizeof(" type ")")
			if (kind != "bits") row("expect(" type ")", $(field++) " + 0 * sizeof(" type ")")
			for (; field <= NF; field++)
				if (kind == "bits")
					bits(type, $(field))
				else
					row(type "." $(field), "__builtin_offsetof(" type "," $(field) ")")
		}'
}

table()
{
	echo '#include <string.h>'
	if [ -n "$cc" ]; then echo '#include <elf.h>'; else echo '#include <linux/elf.h>'; fi
	for header in $headers; do echo "#include <linux/$header.h>"; done
	echo 'typedef void row_fn(void *to, const char *name, unsigned long long value);'
	echo 'unsigned long long abi_hash(const void *bytes, size_t size);'
	echo "void $function(row_fn *row, void *to);"
	echo "void $function(row_fn *row, void *to)"
	echo '{'
	rows
	echo '}'
}

if [ -z "$cc" ]; then
	table
	exit
fi

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
table >"$dir/table.c"
# A compiler may stop after so many errors, and report an unknown name once: until it is content.
while ! LC_ALL=C $cc -std=gnu11 -w -fsyntax-only "$dir/table.c" 2>"$dir/errors"; do
	sed -n 's/^[^ ]*table\.c:\([0-9]*\):[0-9]*: error:.*/\1d/p' "$dir/errors" >"$dir/lines"
	[ -s "$dir/lines" ] || { cat "$dir/errors" >&2; exit 1; }
	sed -f "$dir/lines" "$dir/table.c" >"$dir/left.c"
	mv "$dir/left.c" "$dir/table.c"
done
cat "$dir/table.c"
