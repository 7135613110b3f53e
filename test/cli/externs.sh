#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Externs: programs see the configuration, symbols, variables and functions of the running kernel; and the errors for missing ones.
. test/cli/lib.sh

obj=$tmp/x.o
# compile C-TEXT - an object of one xdp program, whose text begins with declarations and ends with what it does.
compile() {
	cat >"$tmp/x.c" <<-END
		#include <linux/bpf.h>
		#include <bpf/bpf_helpers.h>
		#define PROG SEC("xdp") int p(struct xdp_md *ctx)
		#define EXISTS(x) ({ const void *at = (const void *)(x); asm volatile("" : "+r"(at)); !!at; })
		struct task_struct;
		struct nf_conn;
		struct rq;
		char LICENSE[] SEC("license") = "GPL";
		__u64 a, b, c, d;
		$1
	END
	${CLANG:-clang} -O2 -g -target bpf -I. -Iuapi -Wno-everything -c "$tmp/x.c" -o "$obj" || echo '# the compiler fails'
}
# see NAME TEXT... - a run of it leaves each "a = 1" in .bss.
see() {
	see_name=$1
	shift
	run --test-run --rows=0 "$obj"
	if [ "$status" != 0 ]; then
		not_ok "$see_name" "status $status"
		return
	fi
	for text; do
		grep -q "^  $text\$" "$tmp/out" || {
			not_ok "$see_name" "no '$text'"
			sed 's/^/# /' "$tmp/out"
			return
		}
	done
	ok "$see_name"
}

# --- the configuration, from a file of ours: what --test-run is told needs no privilege in a dry run ---

printf 'CONFIG_HZ=250\n# CONFIG_OFF is not set\nCONFIG_MOD=m\nCONFIG_TEXT="a b"\nCONFIG_BIG=0x100000000\n' >"$tmp/config"
gzip -nc "$tmp/config" >"$tmp/config.gz"
head -c 30 "$tmp/config.gz" >"$tmp/short.gz"
{ head -c 20 "$tmp/config.gz"; printf '\377\377\377\377'; tail -c +25 "$tmp/config.gz"; } >"$tmp/bad.gz"
mkfifo "$tmp/fifo"
dry='--dry-run --test-run'

config() { compile "extern $1 __kconfig; PROG { return ${2:-*(volatile char *)&$(echo "$1" | sed 's/\[.*//; s/.* //')}; }"; }
config 'int CONFIG_NONE'
refused 'a strong config value that is missing' 1 "'CONFIG_NONE' is not in $tmp/config" $dry --kconfig="$tmp/config" "$obj"
config 'int CONFIG_OFF'
refused 'a strong config value that is not set' 1 "'CONFIG_OFF' is not set in $tmp/config.gz" $dry --kconfig="$tmp/config.gz" "$obj"
config 'int CONFIG_MOD'
refused 'm for an integer' 1 "$tmp/config, line 3: CONFIG_MOD is 'm', but declared as an integer" $dry --kconfig="$tmp/config" "$obj"
config '_Bool CONFIG_MOD'
refused 'm for a bool' 1 "line 3: CONFIG_MOD is 'm', but declared as bool" $dry --kconfig="$tmp/config" "$obj"
config 'int CONFIG_BIG'
refused 'a number that does not fit' 1 'line 5: CONFIG_BIG is 0x100000000, but its type has only 32 bits' $dry --kconfig="$tmp/config" "$obj"
config 'int CONFIG_TEXT'
refused 'a text for an integer' 1 "line 4: CONFIG_TEXT is '\"a b\"'" $dry --kconfig="$tmp/config" "$obj"
config 'int OTHER_VALUE'
refused 'a config value of another name' 1 "'OTHER_VALUE' is not supported" $dry "$obj"
config 'int CONFIG_HZ'
refused 'a config file that is not there' 1 "$tmp/none: No such file" $dry --kconfig="$tmp/none" "$obj"
refused 'a directory as config' 1 "$tmp: read" $dry --kconfig="$tmp" "$obj"
refused 'a FIFO as config' 1 "$tmp/fifo: it has no line" $dry --kconfig="$tmp/fifo" "$obj"
refused 'a text without an end as config' 1 '/dev/zero: line 1 has more than' $dry --kconfig=/dev/zero "$obj"
refused 'a program as config' 1 "$PLOAD" $dry --kconfig="$PLOAD" "$obj"
refused 'a config that is cut off' 1 "$tmp/short.gz: the compressed data is truncated" $dry --kconfig="$tmp/short.gz" "$obj"
refused 'a config that is damaged' 1 "$tmp/bad.gz: the compressed data is damaged" $dry --kconfig="$tmp/bad.gz" "$obj"

# --- symbols and functions ---

compile 'extern const void pload_no_such_symbol __ksym; PROG { a = (long)&pload_no_such_symbol; return 2; }'
refused 'a symbol that no kernel has' 1 "no symbol 'pload_no_such_symbol'" $dry "$obj"
if [ -r /sys/kernel/btf/vmlinux ]; then
	compile 'extern int pload_no_such_function(void) __ksym; PROG { return pload_no_such_function(); }'
	refused 'a function that no kernel has' 1 "no function 'pload_no_such_function'" $dry "$obj"
	compile 'extern const int pload_no_such_variable __ksym; PROG { return *(int *)bpf_this_cpu_ptr(&pload_no_such_variable); }'
	refused 'a variable that no kernel has' 1 "no variable 'pload_no_such_variable'" $dry "$obj"
	compile 'extern int schedule(struct task_struct *t, int x) __ksym; PROG { return schedule(0, 1); }'
	refused 'a function of another prototype' 1 "declared 'int schedule(struct task_struct *, int)', but the kernel has 'void schedule(void)'" $dry "$obj"
else
	skip 'functions and variables that no kernel has' 'there is no /sys/kernel/btf/vmlinux'
fi

compile 'extern const void schedule __ksym; PROG { a = (long)&schedule; return 2; }'
if grep -q ' schedule$' /proc/kallsyms 2>/dev/null; then
	run $dry "$obj"
	is 'a dry run has addresses for everybody' "$status" 0
else
	skip 'a dry run has addresses for everybody' 'there is no /proc/kallsyms, or it is another kernel'
fi
if [ "$(id -u)" = 0 ] && su -s /bin/sh nobody -c true 2>/dev/null && [ -r /proc/kallsyms ]; then
	cp "$PLOAD" "$tmp/pload"
	chmod 755 "$tmp" "$tmp/pload"
	su -s /bin/sh nobody -c "$tmp/pload --dry-run --test-run $obj" >/dev/null 2>"$tmp/err"
	is 'a dry run needs no privilege to have them' $? 0
else
	skip 'a dry run needs no privilege to have them' 'nobody is root here, or cannot become nobody'
fi

# --- the values that programs see ---

cause=$(kernel_refuses)
skip_rest_if 'what programs see of the kernel' "${cause:+the kernel takes no program here: $cause}"

compile 'extern int CONFIG_HZ __kconfig; extern enum libbpf_tristate CONFIG_MOD __kconfig; extern char CONFIG_TEXT[4] __kconfig;
	extern _Bool CONFIG_OFF __kconfig __weak; PROG { a = CONFIG_HZ; b = CONFIG_MOD; c = CONFIG_TEXT[2]; d = CONFIG_OFF + 7; return 2; }'
for file in config config.gz; do
	run --test-run --kconfig="$tmp/$file" "$obj"
	is "values of a $file" "$(grep -c '^  [abcd] = \(250\|2\|98\|7\)$' "$tmp/out")" 4
done
compile 'extern int CONFIG_NONE __kconfig; PROG { a = 5; return 2; } SEC("xdp") int q(void *ctx) { return CONFIG_NONE; }'
run --test-run --prog=p --kconfig="$tmp/config" "$obj"
is 'a program that is not loaded may ask for anything' "$status" 0

compile 'extern int LINUX_KERNEL_VERSION __kconfig; extern _Bool LINUX_HAS_BPF_COOKIE __kconfig;
	PROG { a = LINUX_KERNEL_VERSION >> 16; b = LINUX_KERNEL_VERSION >> 8 & 255; c = LINUX_HAS_BPF_COOKIE; return 2; }'
release=$(uname -r)
rest=${release#*.}
see 'the version of the kernel' "a = ${release%%.*}" "b = ${rest%%[!0-9]*}"
if zcat /proc/config.gz >"$tmp/own" 2>/dev/null || cat "/boot/config-$release" >"$tmp/own" 2>/dev/null; then
	compile 'extern int CONFIG_HZ __kconfig; extern enum libbpf_tristate CONFIG_BPF_SYSCALL __kconfig; PROG { a = CONFIG_HZ; b = CONFIG_BPF_SYSCALL; return 2; }'
	see 'values of its own configuration' "a = $(sed -n 's/^CONFIG_HZ=//p' "$tmp/own")" 'b = 1'
else
	skip 'values of its own configuration' 'this kernel does not show it'
fi

address=$(sed -n 's/^\([0-9a-f]*\) . schedule$/\1/p' /proc/kallsyms)
case $address in
''|0000000000000000) skip 'the address of a symbol' '/proc/kallsyms shows none' ;;
*)
	compile 'extern const void schedule __ksym; extern const void pload_no_such_symbol __ksym __weak;
		PROG { a = (long)&schedule >> 32 & 0xffffffff; b = (long)&schedule & 0xffffffff; c = EXISTS(&pload_no_such_symbol) + 3; return 2; }'
	see 'the address of a symbol' "a = $(printf %u "0x${address%????????}")" "b = $(printf %u "0x${address#????????}")" 'c = 3' ;;
esac

# has_function NAME - whether the kernel, or its module $2, lists it among its types.
has_function() { grep -qa "$1" "/sys/kernel/btf/${2:-vmlinux}" 2>/dev/null; }
# 2 is kthreadd, in every kernel and whatever namespace this is.
if has_function bpf_task_from_pid; then
	compile 'extern struct task_struct *bpf_task_from_pid(int pid) __ksym; extern void bpf_task_release___mine(struct task_struct *t) __ksym;
		PROG { struct task_struct *t = bpf_task_from_pid(2); if (t) { a = 1; bpf_task_release___mine(t); } return 2; }'
	see 'functions of the kernel are called' 'a = 1'
	compile 'extern int pload_no_such_function(void) __ksym __weak; extern void bpf_task_release(struct task_struct *t) __ksym __weak;
		PROG { if (bpf_ksym_exists(pload_no_such_function)) a = pload_no_such_function(); else a = 1; if (bpf_ksym_exists(bpf_task_release)) b = 1; return 2; }'
	see 'a weak function that is missing is not called' 'a = 1' 'b = 1'
	compile 'extern int pload_no_such_function(void) __ksym __weak; PROG { return pload_no_such_function(); }'
	refused 'a weak function that is missing, and called' 1 '[externs/missing]' --test-run "$obj"
	has 'and which one that is' "$tmp/err" "calls 'pload_no_such_function', which this kernel lacks"
	run --core=kernel --test-run "$obj"
	has 'likewise where CO-RE is left to the kernel' "$tmp/err" "calls 'pload_no_such_function', which this kernel lacks"
	compile 'extern struct task_struct *bpf_task_from_pid(int pid) __ksym; extern void bpf_task_release(struct task_struct *t) __ksym;
		PROG { struct task_struct *t = bpf_task_from_pid(2); if (t) { a = 1; bpf_task_release(t); } return 2; }'
	if objcopy=$(command -v "$(echo "${CLANG:-clang}" | sed 's/clang/llvm-objcopy/')"); then
		"$objcopy" --remove-section=.BTF --remove-section=.BTF.ext --remove-section=.rel.BTF --remove-section=.rel.BTF.ext "$obj"
		run --test-run "$obj"
		is 'functions of the kernel without BTF of ours' "$status" 0
	else
		skip 'functions of the kernel without BTF of ours' 'there is no llvm-objcopy'
	fi
else
	skip 'functions of the kernel' 'this kernel has no bpf_task_from_pid()'
fi
if has_function bpf_xdp_ct_lookup nf_conntrack; then
	compile 'struct opts { __s32 netns_id, error; __u8 l4proto, dir, reserved[2]; };
		extern struct nf_conn *bpf_xdp_ct_lookup(struct xdp_md *ctx, struct bpf_sock_tuple *t, __u32 len, struct opts *o, __u32 olen) __ksym;
		extern void bpf_ct_release(struct nf_conn *ct) __ksym;
		PROG { struct bpf_sock_tuple t = {}; struct opts o = { .netns_id = -1, .l4proto = 6 };
			struct nf_conn *ct = bpf_xdp_ct_lookup(ctx, &t, sizeof(t.ipv4), &o, sizeof(o)); a = !ct; if (ct) bpf_ct_release(ct); return 2; }'
	see 'functions of a module are called' 'a = 1'
else
	skip 'functions of a module are called' 'nf_conntrack is no module with types here'
fi
if grep -q ' runqueues$' /proc/kallsyms; then
	compile 'extern const struct rq runqueues __ksym; extern const int pload_no_such_variable __ksym __weak;
		PROG { a = !!bpf_per_cpu_ptr(&runqueues, 0); b = !!bpf_this_cpu_ptr(&runqueues); c = !bpf_per_cpu_ptr(&runqueues, 1 << 20); d = EXISTS(&pload_no_such_variable) + 3; return 2; }'
	see 'variables of the kernel are read' 'a = 1' 'b = 1' 'c = 1' 'd = 3'
else
	skip 'variables of the kernel are read' 'its symbols have no variables: CONFIG_KALLSYMS_ALL is off'
fi
done_testing
