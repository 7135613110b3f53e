#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The regression suite on kernels that answer one call otherwise, by a filter of system calls: it says what is broken, once, and ends.
. "${0%/*}/lib.sh"

PLOAD=${PROGS%/progs}/attach-regress	# LeakSanitizer needs processes of its own
refuse=$(dirname "$SELF")/test/cli/refuse
SET_BPF=$((0x40042408))
"$refuse" bpf:38 true 2>"$tmp/err" || skip_rest 'filters' 'seccomp(2) takes no filter here'

# broken ANSWER ARG... - run the suite on a kernel with that answer; see refuse.c.
broken() {
	answer=$1
	shift
	last_run="$refuse $answer $PLOAD $*"
	"$refuse" "$answer" "$PLOAD" "$@" >"$tmp/out" 2>"$tmp/err"
	status=$?
}

# failed - the ids of the tests that failed.
failed() { sed -n 's/^  not ok .*\[\([a-z_]*\.[0-9]*\)\].*/\1/p' "$tmp/out" | xargs; }
id_of() { "$PLOAD" -l -t "basics/$1" | sed -n 's/^\(basics\.[0-9]*\)	.*/\1/p'; }
# others_rest NAME - more than three tests are skipped, as they rest on what has failed.
others_rest() {
	rests=$(grep -c '# SKIP it rests on what fails here' "$tmp/out")
	if [ "$rests" -gt 3 ]; then ok "$1"; else not_ok "$1" "$rests of them do"; fi
}

broken bpf:38 -t basics
is 'no bpf(2): status' "$status" 4
is 'no bpf(2): one sentence' "$(sed 1,2d "$tmp/out" | cut -d : -f 1,2)" '1..0 # SKIP bpf(2): Function not implemented'
broken memfd_create:38 -t basics
is 'no memfd_create(2): status' "$status" 5
has 'no memfd_create(2): it is said' "$tmp/out" 'Bail out! nothing can be set up for tests: Function not implemented'
broken fork:38 -t basics -t binding
is 'no processes: status' "$status" 5
has 'no processes: it is said' "$tmp/out" '# error: no process can be started for a test: Function not implemented'
is 'no processes: nothing has failed' "$(failed)" ''
has 'no processes: the rest is skipped' "$tmp/out" '# SKIP not run: no process can be started'
broken perf_event_open:38 -t binding -t cookies
is 'no perf_event_open(2): everything is skipped' "$status" 4

skip_rest_if 'facts' "$(kernel_refuses)"
run -t basics
[ "$status" = 0 ] || skip_rest 'facts' 'they do not hold on this machine'

broken bpf:22 -t basics -t binding -t cookies
is 'bpf(2) is EINVAL: one test fails' "$(failed)" "$(id_of 'bpf(2) creates*')"
broken perf_event_open:22 -t basics -t binding -t cookies
is 'perf_event_open(2) is EINVAL: one test fails' "$(failed)" "$(id_of 'perf_event_open(2) *')"
broken bpf:1 -t binding
is 'bpf(2) is EPERM: it is skipped' "$status" 4
broken ioctl:1=$SET_BPF:0 -t basics -t returns/page-faults\* -t fires/page-faults\*type+ioctl:\* -t binding
is 'an ioctl that does nothing: one test fails' "$(failed)" 'basics.1'
others_rest 'an ioctl that does nothing: others rest on it'
broken bpf:0=28:22 -t basics -t cookies -t fires/page-faults\*type+link:\*
is 'a link that is EINVAL: one test fails' "$(failed)" 'basics.2'
has 'a link that is EINVAL: the cookie rests on it' "$tmp/out" '[basics.3] # SKIP it rests on what fails here'
others_rest 'a link that is EINVAL: others rest on it'
for errno in 1 22 38; do
	for call in unshare mount ioctl; do
		broken $call:$errno -t binding.1 -t basics.1
		case $status in 0 | 1 | 4) ok "$call is $errno: it ends" ;; *) not_ok "$call is $errno: it ends" "status $status" ;; esac
	done
done

# --- another errno than Linux has, which no documentation names ---

broken ioctl:1=$((0x40042409)):95 --conformance -t event_rings.5
is 'another errno: --conformance does not fail' "$status" 0
has 'another errno: it is reported' "$tmp/out" '# differs: implementation-defined: event_rings.5: '
broken ioctl:1=$((0x40042409)):95 -t event_rings.5
is 'another errno: the suite fails' "$(failed)" event_rings.5

# --- what will cause skips is named before the first test ---

echo 0 >"$tmp/tracing_on"
if unshare -m sh -c 'mount -t tracefs none /sys/kernel/tracing && mount --bind "$0" /sys/kernel/tracing/tracing_on && exec "$1" -t basics.1' \
	"$tmp/tracing_on" "$PLOAD" >"$tmp/out" 2>"$tmp/err"; then
	has 'tracing that is off' "$tmp/out" '# tracing_on of tracefs is 0, '
else
	skip 'tracing that is off' 'no file can be mounted in tracefs here'
fi
run -t basics.1
is 'tracing that is on' "$(grep -c '^# tracing_on' "$tmp/out")" "$([ "$(cat /sys/kernel/tracing/tracing_on 2>/dev/null)" = 0 ] && echo 1 || echo 0)"

# --- what a suite has left that was killed ---

sh -c 'echo $$' >"$tmp/ended"
mkdir "$tmp/cgroups"
if unshare -m sh -c 'mount -t cgroup2 none "$0" && mkdir "$0/pload-scope-$1" "$0/pload-scope-$2"' \
	"$tmp/cgroups" "$(cat "$tmp/ended")" $$ 2>/dev/null; then
	run -t 'points/*cgroup*'
	unshare -m sh -c 'mount -t cgroup2 none "$0" && ls -d "$0"/pload-scope-*; rmdir "$0"/pload-scope-*' "$tmp/cgroups" >"$tmp/left"
	is 'a cgroup of a process that has ended is removed, and one of a process that runs is not' "$(cat "$tmp/left")" \
		"$tmp/cgroups/pload-scope-$$"
else
	skip 'cgroups that were left' 'cgroup2 cannot be mounted here'
fi
done_testing
