#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# pload load on the set of the corpus: each object loads, or is refused for the reason that is known of it.
. test/cli/lib.sh

# The objects that are to be refused, and the text that the error has to contain.
refusals='
core_poisoned	core/not-met
data_empty	which is empty
exceptions_strong	pload_no_such_catcher
kconfig_strong	CONFIG_PLOAD_NO_SUCH_OPTION
kfuncs_strong	pload_no_such_function
kind_freplace	--target-prog
ksyms_strong	pload_no_such_symbol
linked_one	shared_limit
refused		prog-load/verifier
'
# The objects that this kernel may refuse, the text of the error then, and the cause.
lacking='
pinned	map-pin/no-bpffs	no bpffs is mounted at /sys/fs/bpf
kind_fentry	no function	the kernel has no test functions with trampolines
kind_fentry	prog-load/forbidden	the kernel refuses trampolines
kind_fsession	no function	the kernel has no test functions with trampolines
kind_fsession	prog-load/forbidden	the kernel refuses trampolines
kind_tracing_multi	prog-load/forbidden	the kernel refuses trampolines
kind_iter	prog-load/denied	the kernel refuses iterators over the elements of maps
kind_lsm	no security hook	the kernel has no BPF hooks of security
kind_lsm	prog-load/forbidden	the kernel refuses BPF in its hooks of security
ksyms_typed	runqueues	the kernel does not list the addresses of its variables
'

# clang 14 reads the attribute of a kptr and writes no type tag for it.
case ${CLANG:-clang} in *clang-14) lacking="$lacking
graph	R1 has no valid kptr	clang 14 tells the kernel of no kptr" ;; esac

# look_up TABLE OBJECT - prints the last column of the row of OBJECT whose text is in the answer, $tmp/out.
look_up() {
	printf '%s\n' "$1" | while read -r name text; do
		pattern=${text%%	*}
		[ "$name" = "$2" ] && grep -qF -- "$pattern" "$tmp/out" && printf '%s\n' "${text##*	}"
	done | head -n 1
}

check() {
	name=$(basename "$1" .bpf.o)
	run load --format=json "$1"
	rm -f /sys/fs/bpf/pload_corpus_hash /sys/fs/bpf/pload_corpus_array
	wanted=$(printf '%s\n' "$refusals" | awk -F'\t+' -v name="$name" '$1 == name { print $2 }')
	if [ -n "$wanted" ]; then
		has "$name: is refused for what it is" "$tmp/out" "$wanted"
		return
	fi
	if [ "$status" = 0 ]; then
		ok "$name: loads"
		return
	fi
	cause=$(look_up "$lacking" "$name")
	# The kernel may lack a type of program or map; if this version of pload lacks something, its error says
	# so.
	[ -n "$cause" ] || cause=$(sed -n 's/.*\(this kernel may not know BPF_[A-Z0-9_]*\).*/\1/p' "$tmp/out")
	[ -n "$cause" ] || cause=$(sed -n 's/.*"prog-load\/too-old".*: \(needs Linux [^"]*\)".*/\1/p' "$tmp/out")
	[ -n "$cause" ] || cause=$(sed -n 's/.*"error":"\(.* this version[^"]*\)".*/\1/p' "$tmp/out" | tr -d '\\')
	if [ -n "$cause" ]; then skip "$name: loads" "$cause"; else not_ok "$name: loads" "$(cat "$tmp/out")"; fi
}

skip_rest_if 'the set of the corpus' "$(kernel_refuses)"
for object in $CORPUS; do
	check "$object"
done
done_testing
