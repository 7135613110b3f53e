#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The second loader of the course, which is in Python, passes every stage, and so is the contract not one of C.
. test/cli/lib.sh
export TMPDIR="$tmp/files" JUDGE_PROGRESS="$tmp/progress"
mkdir "$TMPDIR"
judge=${PROGS%/progs}/judge loader=test/judge/loaders/loader.py

python=$(command -v python3) || skip_rest 'loader.py' 'there is no python3'
"$python" -c 'import ctypes' 2>"$tmp/err" || skip_rest 'loader.py' 'python3 has no ctypes'

# --- what needs no kernel ---

"$python" "$loader" >"$tmp/out" 2>"$tmp/err"
is 'no arguments: status' $? 1
has 'no arguments: usage' "$tmp/err" 'loader.py OBJECT load|ioctl|pmu|link COOKIE'
for damage in 'head -c 100' 'head -c 2000' 'head -c 0'; do
	$damage "$PROGS/ip_count.bpf.o" >"$tmp/damaged.o"
	"$python" "$loader" "$tmp/damaged.o" ioctl 0 </dev/null >"$tmp/out" 2>"$tmp/err"
	is "$damage of an object: status" $? 1
	is "$damage of an object: a line" "$(wc -l <"$tmp/err")" 1
done

refused=$(kernel_refuses)
[ -z "$refused" ] || skip_rest 'it loads' "$refused"
[ "$(id -u)" = 0 ] || skip_rest 'it loads' 'it needs root'

# --- all stages ---

for stage in $("$judge" | sed -n 's/^ *[0-9]*  \([a-z]*\)  .*/\1/p'); do
	"$judge" "$stage" --timeout=60 -- "$python" "$loader" >"$tmp/out" 2>&1
	status=$?
	cp "$tmp/out" "$tmp/err"
	is "loader.py: $stage: status" $status 0
	has "loader.py: $stage: passed" "$tmp/out" "$stage: passed, "
done

# --- other questions of CO-RE than that for an offset: the answers are known, wherever the fields are ---

cat >"$tmp/core.c" <<'END'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
struct task_struct___mine {
	int pid;
	void *mm;
	char comm[16];
	int no_such_field;
} __attribute__((preserve_access_index));
struct no_such_struct { int a; } __attribute__((preserve_access_index));
enum bpf_cmd___mine { BPF_MAP_FREEZE___mine = 999, BPF_NO_SUCH_CMD = 4 };
int sum;
SEC("perf_event") int program(void *ctx)
{
	struct task_struct___mine *t = ctx;

	sum += bpf_core_field_exists(t->pid);
	sum += bpf_core_field_exists(t->no_such_field);
	sum += bpf_core_field_size(t->pid);
	sum += bpf_core_field_size(t->mm);
	sum += bpf_core_field_size(t->comm);
	sum += bpf_core_type_exists(struct no_such_struct);
	sum += bpf_core_type_exists(struct task_struct___mine);
	sum += bpf_core_enum_value_exists(enum bpf_cmd___mine, BPF_NO_SUCH_CMD);
	sum += bpf_core_enum_value(enum bpf_cmd___mine, BPF_MAP_FREEZE___mine);
	return 0;
}
char LICENSE[] SEC("license") = "GPL";
END
compile_or_end "$tmp/core.c" "$tmp/core.o"
"$python" - "$tmp/core.o" >"$tmp/out" 2>"$tmp/err" <<'END'
import struct
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, "test/judge/loaders")
from btf import Btf
source = open("test/judge/loaders/loader.py").read()
loader = {}
exec(source[:source.index("\ntry:\n    main()")], loader)
sections = loader["read_sections"](sys.argv[1])
data = {s.name: s.data for s in sections}
btf = Btf(data[".BTF"])
records = loader["ext_records"](btf, data[".BTF.ext"], loader["CORE_RELO"])
loader["relocate_fields"](sections, btf, records)
print(*(struct.unpack_from("<i", data[section], words[0] + 4)[0] for section, words in records))
END
is 'the answers' "$(tr ' ' '\n' <"$tmp/out" | sort -n | tr '\n' ' ')" '0 0 0 1 1 4 8 16 22 '

done_testing
