#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# --trace and --dry-run: the calls of a session, decoded, in their order; without privilege too.
# Lane: free
. test/cli/lib.sh

# order NAME TEXT... - these texts stand in $tmp/err in this order.
order() {
	order_name=$1
	shift
	printf '%s\n' "$@" >"$tmp/order"
	if awk 'NR == FNR { want[n++] = $0; next } i < n && index($0, want[i]) { i++ } END { if (i < n) print want[i]; exit i < n }' \
		"$tmp/order" "$tmp/err" >"$tmp/first"; then
		ok "$order_name"
	else
		not_ok "$order_name" "'$(cat "$tmp/first")' does not come where it should"
	fi
}

for method in ioctl pmu link; do
	case $method in
	link) bind='bpf(BPF_LINK_CREATE, {link_create={prog_fd=' ;;
	*) bind='PERF_EVENT_IOC_SET_BPF' ;;
	esac
	run --attach=$method --dry-run -e cpu-clock "$PROGS/ip_count.bpf.o"
	is "$method: status" "$status" 0
	order "$method: the line from file to attachment" 'openat(' 'bpf(BPF_BTF_LOAD' 'bpf(BPF_MAP_CREATE, {map_type=BPF_MAP_TYPE_HASH' \
		'bpf(BPF_PROG_LOAD, {prog_type=BPF_PROG_TYPE_PERF_EVENT' 'perf_event_open({type=PERF_TYPE_SOFTWARE' "$bind" \
		'PERF_EVENT_IOC_ENABLE' 'close('
done
run --dry-run -e cpu-clock "$PROGS/ip_count.bpf.o"
has 'the summary is printed' "$tmp/out" 'ioctl'

for file in "$PROGS"/*.bpf.o; do
	flags=
	case $file in
	*/xdp_* | */tc_*) flags=--test-run ;;
	*/sock_*) flags='--attach=link --cgroup=/sys/fs/cgroup' ;;
	*/functions.*) flags='--attach=link --functions=schedule' ;;
	*/usdt.*) continue ;;	# symbols.sh
	esac
	run --dry-run $flags --format=json "$file"
	case $file in
	*/kprobe.*)
		if has_no_kprobe_events; then
			has "dry: $(basename "$file"), and what is mounted has no kprobes" "$tmp/err" '[probe/no-kprobes]'
			continue
		fi
		;;
	esac
	is "dry: $(basename "$file")" "$status" 0
done

if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then
	skip 'as an ordinary user' 'needs root and setpriv to become one'
else
	mkdir "$tmp/user"
	cp "$PLOAD" "$tmp/user/pload"
	cp "$PROGS/ip_count.bpf.o" "$PROGS/event_output.bpf.o" "$tmp/user"
	chmod -R a+rX "$tmp"
	user() {
		setpriv --reuid=65534 --regid=65534 --clear-groups "$tmp/user/pload" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
		status=$?
	}
	for object in ip_count event_output; do
		user --dry-run "$tmp/user/$object.bpf.o"
		is "an ordinary user's dry run of $object" "$status" 0
	done
	user -e cpu-clock "$tmp/user/ip_count.bpf.o"
	is 'an ordinary user is refused: status' "$status" 1
	has 'an ordinary user is refused: reason' "$tmp/err" '[map-create/'
	has 'an ordinary user is refused: hint' "$tmp/err" 'hint: run as root'
fi
done_testing
