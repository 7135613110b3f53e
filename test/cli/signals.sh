#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A signal at each system call of each command that leaves something in the kernel: afterwards all
# of it is there, or nothing.
# Lane: kernel
. test/cli/lib.sh

cause=$(kernel_refuses)
if [ -z "$cause" ]; then
	run --attach=link -d 0 -e cpu-clock "$PROGS/ip_count.bpf.o"
	[ "$status" = 0 ] || cause=$(sed -n 's/^pload: //p' "$tmp/err" | head -n 1)
fi
[ -n "$cause" ] || [ -n "$OWN_MOUNTS" ] || unshare -m -p -f --mount-proc true 2>"$tmp/err" ||
	cause="unshare: $(head -n 1 "$tmp/err")"
skip_rest_if 'signals' "$cause"
if [ -z "$OWN_MOUNTS" ]; then
	rm -rf "$tmp"
	OWN_MOUNTS=1 exec unshare -m -p -f --mount-proc sh test/cli/signals.sh
fi
if ! ${CC:-cc} -O1 -Wall -o "$tmp/signal_each" test/cli/signal_each.c 2>"$tmp/err"; then
	not_ok 'compiles' "${CC:-cc} failed"
	done_testing
	exit 0
fi
dir=$tmp/bpffs tracing=/sys/kernel/tracing
mkdir "$dir"
mount -t bpf bpf "$dir" 2>"$tmp/err" || skip_rest 'signals' "mount -t bpf: $(head -n 1 "$tmp/err")"
trap 'umount "$dir"; rm -rf "$tmp"' EXIT

# each NAME SIGNALS OPTION... -- ARG... - pload with ARG leaves all or nothing when the signals
# come, at whichever of its system calls.
each() {
	name=$1 signals=$2 options=
	shift 2
	while [ "$1" != -- ]; do
		options="$options $1"
		shift
	done
	shift
	# shellcheck disable=SC2086 # The options have no blanks in them.
	"$tmp/signal_each" -s "$signals" $options "$PLOAD" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
	case $status in
	0) ok "$name" ;;
	3) skip "$name" "$(cat "$tmp/err")" ;;
	*) not_ok "$name" "$(tail -n 12 "$tmp/out" | tr '\n' ';')" ;;
	esac
}
# Each signal that ends a process and that it may block, in one go: HUP INT QUIT ABRT USR1 USR2 PIPE
# ALRM TERM STKFLT XCPU XFSZ VTALRM PROF IO PWR RTMAX. One that is not blocked ends it. By the
# second pass a signal that ends a session is the only one.
all='1 2 3 6 10 12 13 14 15 16 24 25 26 27 29 30 64'

session="--attach=link -e cpu-clock --pin=$dir/x"
cat >"$tmp/pin" <<END
#!/bin/sh
find "$dir" -mindepth 1 ! -name '*.debug' -delete
exec "$PLOAD" $session -d 0 "$PROGS/ip_count.bpf.o" >"$tmp/pinned" 2>&1
END
chmod +x "$tmp/pin"
# shellcheck disable=SC2086
for signals in "$all" 3; do
	each "a session that is pinned, and pload ends: signals $signals" "$signals" -d "$dir" -- $session -d 0 "$PROGS/ip_count.bpf.o"
done
# shellcheck disable=SC2086
each 'a session that is pinned, and pload waits' "$all" -d "$dir" -- $session -d 0.01 "$PROGS/ip_count.bpf.o"
each 'detach' "$all" -d "$dir" -b "$tmp/pin" -- pin remove "$dir/x"
each 'load --pin' "$all" -d "$dir" -- load --pin="$dir/x" "$PROGS/ip_count.bpf.o"

# --- maps that an object pins by their names ---
cat >"$tmp/named.bpf.c" <<'END'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
struct named {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, int);
	__type(value, int);
	__uint(pinning, LIBBPF_PIN_BY_NAME);
};
struct named first SEC(".maps"), second SEC(".maps"), third SEC(".maps");
SEC("xdp") int prog(void *ctx) { (void)ctx; return 2; }
char LICENSE[] SEC("license") = "GPL";
END
${CLANG:-clang} -O2 -g -target bpf -I. -Iuapi -c -o "$tmp/named.bpf.o" "$tmp/named.bpf.c"
each 'maps pinned by their names' "$all" -d "$dir" -- --test-run --pin-path="$dir" "$tmp/named.bpf.o"

# --- lines of tracefs: none stays ---
[ -e $tracing/uprobe_events ] || mount -t tracefs tracefs $tracing 2>"$tmp/err"
pids=$(printf %x "$(stat -Lc %i /proc/self/ns/pid)")
prog=${PROBED:-$(dirname "$PROGS")/regress}/probed-pie
if [ -r $tracing/uprobe_events ] && [ -x "$prog" ]; then
	each 'lines of tracefs' "$all" -f $tracing/uprobe_events -t "_${pids}_" -- \
		--attach=ioctl -d 0 -e "uprobe:$prog:work" "$PROGS/uprobe.bpf.o"
else
	skip 'lines of tracefs' 'there is no uprobe_events, or nothing to probe'
fi

# --- a struct of functions without a link ---
names=/proc/sys/net/ipv4/tcp_available_congestion_control
sed "s/\"pload_/\"ps$$_/" test/corpus/set/struct_ops.bpf.c >"$tmp/ops.bpf.c"
${CLANG:-clang} -O2 -g -target bpf -I. -Iuapi -c -o "$tmp/ops.o" "$tmp/ops.bpf.c"
run load "$tmp/ops.o"
if [ "$status" = 0 ]; then
	each 'structs of functions' "$all" -f $names -t "ps$$_" -- --attach=link -d 0 "$tmp/ops.o"
else
	skip 'structs of functions' "$(sed -n 's/^failed *//p' "$tmp/out" | head -n 1)"
fi

done_testing
