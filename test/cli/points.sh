#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Attach targets, which are no events: the options that name one, and how it is printed.
. test/cli/lib.sh

points="$tmp/points.o"
compile_or_end test/regress/bpf/points.bpf.c "$points"
hint() { has "$1" "$tmp/err" "hint: $2"; }

refused 'xdp by ioctl' 1 'does not run on perf events' "$PROGS/xdp_output.bpf.o"
hint 'xdp by ioctl: what would work' 'attach it with --attach=link to --dev=NAME, or run it'
refused '--dev by ioctl' 2 '--attach=ioctl attaches to events' --dev=lo a.o
hint '--dev by ioctl: what would work' 'use --attach=link'
refused 'xdp without --dev' 1 'attached to a network device, but none is given' --attach=link "$PROGS/xdp_output.bpf.o"
refused 'cgroup without --cgroup' 1 'attached to a cgroup, but none is given' --attach=link --prog=cgroup_skb "$points"
refused 'netfilter' 1 'attached to a netfilter hook' --attach=link --prog=accept "$points"
refused 'SEC("tc") without --direction' 1 'lacks ingress or egress' --attach=link --dev=lo --prog=tc_either "$points"
refused 'a cookie where there is none' 1 'xdp links have no cookie' --attach=link --cookie=1 --dev=lo --prog=xdp_pass "$points"
refused '--dev, and nothing goes on one' 1 'no loaded program is attached to a network device' \
	--attach=link --dev=lo --prog=raw_tp "$points"
refused 'an unknown mode' 2 "'fast'" --attach=link --xdp-mode=fast a.o
refused 'an unknown direction' 2 "'up'" --attach=link --direction=up a.o
cat >"$tmp/x.c" <<'X'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
SEC("raw_tp") int unnamed(void *ctx) { return 0; }
SEC("raw_tp/no_such_tracepoint") int missing(void *ctx) { return 0; }
SEC("socket") int sock(void *ctx) { return 0; }
char LICENSE[] SEC("license") = "GPL";
X
${CLANG:-clang} -O2 -g -target bpf -I. -Iuapi -c "$tmp/x.c" -o "$tmp/x.o"
refused 'raw_tp without a name' 1 'attached to a tracepoint, but none is given' --attach=link --prog=unnamed "$tmp/x.o"
refused 'what no link attaches' 1 'SEC("socket") is attached to a socket' --attach=link --prog=sock "$tmp/x.o"

run --attach=link --dry-run -d 1 --dev=lo --xdp-mode=generic --prog=xdp_pass "$points"
is 'dry run: status' "$status" 0
has 'dry run: which device' "$tmp/err" 'SIOCGIFINDEX, {ifr_name="lo"}) = 0 => {ifr_ifindex=1}'
has 'dry run: the link' "$tmp/err" 'target_ifindex=1, attach_type=BPF_XDP, flags=XDP_FLAGS_SKB_MODE}}, 16)'
has 'dry run: the summary' "$tmp/out" 'xdp_pass on lo (xdp): '
run --attach=link --dry-run -d 1 --cookie=7 --format=json --prog=raw_tp "$points"
has 'raw_tp: the call' "$tmp/err" 'bpf(BPF_RAW_TRACEPOINT_OPEN, {raw_tracepoint={name="sys_enter", prog_fd='
has 'raw_tp: its cookie' "$tmp/err" ', cookie=7}}, 24)'
has 'raw_tp: the summary in JSON' "$tmp/out" '"events":[],"points":["sys_enter (raw tracepoint)"]'

skip_rest_if 'with the kernel' "$(kernel_refuses)"
refused 'no such device' 1 '--dev=no-such: no such network device' --attach=link --dev=no-such --prog=xdp_pass "$points"
hint 'no such device: those there are' 'there are '
refused 'a device nearly named' 1 '--dev=lp' --attach=link --dev=lp --prog=xdp_pass "$points"
hint 'a device nearly named: which' 'did you mean lo?'
refused 'a device with a name that none has' 1 'no such network device' --attach=link --dev=a-name-of-more-than-15 --prog=xdp_pass "$points"
refused 'no such cgroup' 1 "--cgroup: $tmp/none" --attach=link --cgroup="$tmp/none" --prog=cgroup_skb "$points"
refused 'a directory that is no cgroup' 1 'not be a cgroup v2 directory' --attach=link --cgroup="$tmp" --prog=cgroup_skb "$points"
refused 'no such tracepoint' 1 'no tracepoint with this name' --attach=link --prog=missing "$tmp/x.o"
run --attach=link --prog=processes "$points"
if [ "$status" = 0 ]; then
	has 'iter: every process, and that is the session' "$tmp/out" "$(printf 'process\t%d' $$)"
	has 'iter: its summary' "$tmp/out" 'processes on task (iter): '
	run --attach=link --format=json --prog=processes "$points"
	has 'iter: JSON' "$tmp/out" '{"type":"iter","name":"processes","line":"process\t'$$'"}'
else
	skip 'iter' "$(sed -n 's/^pload: //p' "$tmp/err" | head -n 1)"
fi
run --attach=link -d 0.1 --prog=raw_tp --format=json "$points"
is 'raw_tp: status' "$status" 0
has_not 'raw_tp: runs' "$tmp/out" '"run_cnt":0,'
done_testing
