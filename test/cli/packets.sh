#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# XDP and TC programs run over our packet: a struct only, payload only, and both through the upper 32 bits of flags; byte for byte.
. test/cli/lib.sh

# Our packet begins with its Ethernet addresses, and ends with " test packet!".
is_packet() { case $1 in 02000000000202000000000108004500*2074657374207061636b657421) echo yes ;; *) echo "no: $1" ;; esac; }

run --test-run=3 --format=json "$PROGS/xdp_output.bpf.o"
[ "$status" = 0 ] || skip_rest 'packets' "$(sed -n 's/^pload: //p' "$tmp/err" | head -n 1)"
for kind in xdp tc; do
	run --test-run=3 --format=json "$PROGS/${kind}_output.bpf.o"
	is "$kind: status" "$status" 0
	is "$kind: three programs ran" "$(value test-run runs | tr '\n' ' ')" '3 3 3 '
	size=$(value test-run data_size | head -n 1)
	for map in struct_only both; do
		is "$kind: $map: a record for each run" "$(value record value.length map=$map | tr '\n' ' ')" "$size $size $size "
	done
	is "$kind: payload only: no struct in front of it" "$(value record value map=payload_only | sort -u)" null
	is "$kind: struct only: nothing behind it" "$(value record payload map=struct_only | sort -u)" null
	for map in payload_only both; do
		payload=$(value record payload map=$map | sort -u)
		is "$kind: $map: the payload is the packet" "$(is_packet "$payload")" yes
		is "$kind: $map: all of it" "$((${#payload} / 2))" "$size"
	done
	is "$kind: nothing lost" "$(value summary lost)" 0
done

# Types that take no packet are run as often as was asked for all the same.
cat >"$tmp/alone.bpf.c" <<'END'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
int runs;
SEC("syscall") int of_user(unsigned long *ctx) { return ctx[0] + ++runs; }
SEC("raw_tp/sched_switch") int of_kernel(unsigned long *ctx) { return ctx[1] + ctx[2] + ++runs; }
char LICENSE[] SEC("license") = "GPL";
END
$CLANG -O2 -g -target bpf -I. -Iuapi -c "$tmp/alone.bpf.c" -o "$tmp/alone.o"
run --test-run=3 --format=json "$tmp/alone.o"
is "without a packet: status" "$status" 0
is "without a packet: runs" "$(value test-run runs | tr '\n' ' ')" '3 3 '
is "without a packet: none was given" "$(value test-run data_size | tr '\n' ' ')" '0 0 '
is "without a packet: what the last run returned" "$(value test-run retval | tr '\n' ' ')" '3 6 '
done_testing
