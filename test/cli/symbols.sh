#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Uprobes and USDT probes by name: the locations of each name, the errors for unknown names, and the values that programs see in a
# process that runs into them.
. test/cli/lib.sh

prog=$tmp/probed uprobe=$PROGS/uprobe.bpf.o usdt=$PROGS/usdt.bpf.o
cc=${CC:-cc}
mkdir "$tmp/root"
if ! { $cc -O2 -c -o "$tmp/one.o" test/cli/probed.c && $cc -O2 -DPART -c -o "$tmp/two.o" test/cli/probed.c &&
	$cc -o "$prog" "$tmp/one.o" "$tmp/two.o" && $cc -s -o "$tmp/stripped" "$tmp/one.o" "$tmp/two.o"; } 2>"$tmp/err"; then
	not_ok 'compiles' "$cc failed"
	done_testing
	exit 0
fi
dry="--dry-run --attach=pmu -d 1 --prog=on_getenv"
hint() { has "$1" "$tmp/err" "hint: $2"; }
# offsets - of the uprobes that the last run opened, in hexadecimal, one a line.
offsets() { sed -n 's/^perf_event_open.*config2=\(0x[0-9a-f]*\).*/\1/p' "$tmp/err"; }

# --- where names are ---

if command -v nm >/dev/null && command -v readelf >/dev/null; then
	# place NAME - the offset in the file, by binutils.
	place() {
		address=$((0x$(nm "$prog" | sed -n "s/ [Tt] $1\$//p" | head -n 1)))
		readelf -lW "$prog" | while read -r type offset virtual _ size _; do
			[ "$type" = LOAD ] && [ $((virtual)) -le $address ] && [ $address -lt $((virtual + size)) ] &&
				printf '0x%x\n' $((address - virtual + offset))
		done
	}
	for name in work main part; do
		run $dry -e "uprobe:$prog:$name" "$uprobe"
		is "$name is where binutils say it is" "$(offsets)" "$(place $name)"
	done
	run $dry -e "uprobe:$prog:work+4" "$uprobe"
	is 'an offset is added' "$(offsets)" "$(printf '0x%x' $(($(place work) + 4)))"
	run $dry -e "uprobe:$prog:wor?" "$uprobe"
	is 'a pattern' "$(offsets)" "$(place work)"
	run $dry -e "uprobe:$prog:$(place work)" "$uprobe"
	is 'an offset in place of a name' "$(offsets)" "$(place work)"
	run $dry -e "uprobe:$prog:tw*" "$uprobe"
	is 'a pattern of two functions' "$(offsets | wc -l)" 2
else
	skip 'names are where binutils say they are' 'there are no binutils'
fi
run --dry-run --attach=link -d 1 -e "usdt:$prog:probed:begin" "$usdt"
is 'a USDT probe is at two places' "$(offsets | wc -l)" 2
has 'and that is said' "$tmp/err" "has 2 locations in $prog"
has 'its cookie is the number of its arguments' "$tmp/err" 'perf_event.bpf_cookie=1'
PATH=$tmp:$PATH run $dry -e 'uprobe:probed:main' "$uprobe"
is 'a program of PATH' "$(offsets | wc -l)" 1
run --dry-run --attach=pmu -d 1 --prog=on_usdt -e "usdt:$prog:probed:end" "$usdt"
has 'pmu: without a cookie' "$tmp/err" 'usdt/no-address'

# A cookie that no program could read is refused. A USDT probe takes one by each method: it is stored with the arguments.
refused 'no cookie by ioctl for a uprobe' 1 '[attach/no-cookie]' --dry-run --attach=ioctl --cookie=42 "$uprobe"
has 'no cookie by ioctl: for which program' "$tmp/err" "prog 'on_getenv'"

refused 'more lists of arguments than entries' 1 '[usdt/map]' --dry-run --attach=link -d 1 --map=__bpf_usdt_specs.max_entries=1 \
	-e "usdt:$prog:probed:begin" "$usdt"
hint 'more lists of arguments than entries: what to do' '--map=__bpf_usdt_specs.max_entries=2'
# shellcheck disable=SC2086 # several words
refused 'more places than one by one' 1 '[symbols/too-many]' $dry -e 'uprobe:c:*' "$uprobe"

# --- names that are unknown ---

# missing NAME STATUS REASON HINT EVENT - EVENT is refused with this status, reason and hint.
missing() {
	# shellcheck disable=SC2086 # several words
	refused "$1" "$2" "$3" $dry -e "$5" "$uprobe"
	hint "$1: what to do" "$4"
}
missing 'no such function' 1 '[symbols/no-symbol]' 'did you mean work?' "uprobe:$prog:wrok"
missing 'no function like it' 1 '[symbols/no-symbol]' 'nm -C lists its functions' "uprobe:$prog:nothing_of_the_kind"
missing 'no match' 1 '[symbols/no-symbol]' "'*' matches" "uprobe:$prog:nothing_of_the_kind*"
missing 'two static functions' 1 '[symbols/ambiguous]' 'use the offset of one instead of' "uprobe:$prog:twice"
missing 'a variable' 1 '[symbols/not-code]' 'use a breakpoint' "uprobe:$prog:counted"
missing 'behind the function' 1 '[symbols/offset]' 'to use a file offset' "uprobe:$prog:work+0x100000"
# The C library of Ubuntu has another function in place of printf().
missing 'of a library' 1 '[symbols/imported]' 'probe the library' "uprobe:$prog:__libc_start_main"
missing 'a stripped file' 1 '[symbols/stripped]' 'the file is stripped' "uprobe:$tmp/stripped:work"
missing 'no code there' 1 '[symbols/not-code]' 'offsets are relative' "uprobe:$prog:0x1"
missing 'a script' 1 '[symbols/not-elf]' 'probe its interpreter' "uprobe:test/cli/symbols.sh:main"
missing 'an object file' 1 '[symbols/not-elf]' 'probe a program' "uprobe:$tmp/one.o:main"
missing 'no such file' 1 '[symbols/no-file]' '' "uprobe:/no/such/file:main"
missing 'no such program' 1 '[symbols/no-file]' 'write the path' "uprobe:pload_no_such_program:main"
missing 'a directory' 1 '[symbols/no-file]' 'probes can only be set in' "uprobe:$tmp/:main"
head -c 1000 "$prog" >"$tmp/short"
missing 'cut short' 1 '[symbols/' '' "uprobe:$tmp/short:main"
missing 'no such USDT probe' 1 '[symbols/no-usdt]' 'did you mean probed:begin' "usdt:$prog:probed:begni"
echo 'int main(void) { return 0; }' | $cc -xc - -o "$tmp/plain"
missing 'no USDT probe at all' 1 '[symbols/no-usdt]' 'a program has probes' "usdt:$tmp/plain:a:b"

# --- the values that programs see ---

cause=$(kernel_refuses)
[ -n "$cause" ] || [ -d /sys/bus/event_source/devices/uprobe ] || cause='it has no uprobe PMU'
skip_rest_if 'what programs see of a program' "${cause:+the kernel takes no probe here: $cause}"
arch=-D__TARGET_ARCH_$(uname -m | sed 's/x86_64/x86/;s/aarch64/arm64/;s/s390x/s390/')
if ! ${CLANG:-clang} -O2 -g -target bpf "$arch" -I. -Iuapi -Wall -Werror -c -o "$tmp/probed.o" test/cli/probed.bpf.c 2>"$tmp/err"; then
	not_ok 'the BPF program compiles' "$CLANG failed"
	done_testing
	exit 0
fi
# variable NAME WANTED - the value of a variable of the object after the last run.
variable() { is "$what: $1" "$(sed -n "s/^  $1 = //p" "$tmp/out")" "$2"; }
# The arguments as test/cli/probed.c has them: of its third round, and of the last place.
seen() {
	is "$what: status" "$status" 0
	variable rounds 4
	variable places "$1"
	variable last '{-1, -2, -1, 255}'
	if grep -q 'argument 2: its address uses two registers' "$tmp/err"; then
		variable third '{2, 1005, 0, 2}'
	else
		variable third '{2, 1005, 3, 2}'
	fi
	variable count 4
	variable sizes "${2-{4, 8, 2, 1\}}"
}

what='uprobe by pmu'
run --attach=pmu --prog=on_work -e "uprobe:$prog:work" "$tmp/probed.o" -- "$prog" 3
variable works 3
what='uretprobe by ioctl'
run --attach=ioctl --prog=on_work -e "uretprobe:$prog:wor?" "$tmp/probed.o" -- "$prog" 3
variable works 3

# A count for each function; the places of a USDT probe count together, however many they are.
for row in 'usdt begin 4' 'usdt thrice 3' 'uprobe work 3'; do
	# shellcheck disable=SC2086 # words
	set -- $row
	[ "$1" = uprobe ] && event=uprobe:$prog:$2 || event=usdt:$prog:probed:$2
	run stat --format=json -e "$event" -- "$prog" 3
	is "stat: $1 $2 is one row" "$(grep -c '"type":"counter"' "$tmp/out") $(value counter value)" "1 $3"
done

# until_said TEXT FILE PID - until the process has said it, or has ended; for five minutes at most.
until_said() {
	tries=0
	until grep -q "$1" "$2" || ! kill -0 "$3" 2>/dev/null || [ $tries = 6000 ]; do
		sleep 0.05
		tries=$((tries + 1))
	done
}
# start PROGRAM ARG... - a process, $pid, which does not go on before it is released.
start() {
	rm -f "$tmp/go"
	mkfifo "$tmp/go"
	: >"$tmp/said"
	"$@" <"$tmp/go" >"$tmp/said" &
	pid=$!
	exec 9>"$tmp/go"
	until_said waiting "$tmp/said" $pid
}
# watch ARG... - pload over that process, which is released when every program is bound: events are
# enabled after that.
watch() {
	: >"$tmp/err"
	"$PLOAD" --trace -p $pid "$@" >"$tmp/out" 2>"$tmp/err" </dev/null 9>&- &
	pload=$!
	until_said PERF_EVENT_IOC_ENABLE "$tmp/err" $pload
	exec 9>&-
	wait $pid
	wait $pload
	status=$?
}

# Programs of libbpf's header: it has no sizes before 1.6, and knows no second register before 1.7.
run --attach=link -d 0 -e cpu-clock "$PROGS/ip_count.bpf.o"
has_links=$status
if [ "$has_links" != 0 ]; then
	skip 'USDT by link' 'this kernel has no such links (Linux 5.15)'
elif [ -r /usr/include/bpf/usdt.bpf.h ] &&
	${CLANG:-clang} -O2 -g -target bpf "$arch" -DLIBBPF "-I/usr/include/$($cc -print-multiarch)" -c -o "$tmp/libbpf.o" \
		test/cli/probed.bpf.c 2>"$tmp/err"; then
	what="USDT of libbpf's header by link"
	run --attach=link --prog=begin -e "usdt:$prog:probed:begin" "$tmp/libbpf.o" -- "$prog" 3
	seen 2 '{0, 0, 0, 0}'
	what="USDT of libbpf's header by ioctl"
	start "$prog" 3 wait
	watch --attach=ioctl --prog=begin -e "usdt:$prog:probed:begin" "$tmp/libbpf.o"
	seen 2 '{0, 0, 0, 0}'
else
	skip "USDT of libbpf's header" 'there is none, or it does not compile'
fi

if [ "$has_links" = 0 ]; then
	what='USDT by link'
	run --attach=link --prog=begin -e "usdt:$prog:probed:begin" --cookie=42 "$tmp/probed.o" -- "$prog" 3
	seen 2
	variable cookie 42
	has "$what: the semaphore counts" "$tmp/out" 'listened 2'
fi
if [ "$has_links" = 0 ] && [ "$(uname -m)" = x86_64 ]; then
	what='a variable as argument'
	run --attach=link --prog=end -e "usdt:$prog:probed:end" "$tmp/probed.o" -- "$prog" 3
	variable counted 44
	variable unreadable -22
	has "$what: what cannot be read is said" "$tmp/err" 'argument 1: it is a floating-point number'
fi
for method in ioctl pmu; do
	what="USDT by $method"
	refused "$what: at no known address" 1 '[usdt/no-address]' --attach=$method --prog=begin \
		-e "usdt:$prog:probed:begin" "$tmp/probed.o"
	start "$prog" 3 wait
	watch --attach=$method --prog=begin -e "usdt:$prog:probed:begin" --cookie=42 "$tmp/probed.o"
	seen 2
	variable cookie 42
	has "$what: the semaphore counts" "$tmp/said" 'listened 2'
done
if $cc -no-pie -o "$tmp/fixed" "$tmp/one.o" "$tmp/two.o" 2>/dev/null && "$tmp/fixed" >/dev/null; then
	what='USDT of a file at a fixed address, by ioctl'
	run --attach=ioctl --prog=begin -e "usdt:$tmp/fixed:probed:begin" "$tmp/probed.o" -- "$tmp/fixed" 3
	seen 2
	refused "$what: no cookie beside it" 1 "event 'uprobe:$tmp/fixed:work'" --attach=ioctl --cookie=42 --prog=begin \
		-e "usdt:$tmp/fixed:probed:begin" -e "uprobe:$tmp/fixed:work" "$tmp/probed.o"
else
	skip 'USDT of a file at a fixed address' "$cc makes none"
fi

# A process with another root: its paths are those of that root.
if [ "$(id -u)" = 0 ] && command -v chroot >/dev/null && $cc -static -o "$tmp/root/probed" "$tmp/one.o" "$tmp/two.o" 2>/dev/null; then
	what='a process with another root'
	ln -s /probed "$tmp/root/link"
	start chroot "$tmp/root" /probed 3 wait
	method=ioctl
	[ "$has_links" != 0 ] || method="link"
	watch --attach=$method --prog=begin -e usdt:/link:probed:begin "$tmp/probed.o"
	seen 2
	has "$what: its path" "$tmp/err" "/proc/$pid/root/probed"
else
	skip 'a process with another root' 'needs root, chroot and static programs'
fi
done_testing
