#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# pload --output: the file is complete or does not appear, and the output of a command is never in it.
. test/cli/lib.sh

mkdir "$tmp/dir"
file=$tmp/dir/file
# only_file NAME - the directory has the file and nothing else.
only_file() { is "$1: nothing else is left" "$(ls -A "$tmp/dir")" file; }
# same_as_before NAME - a run has failed and the file has the bytes of before.
same_as_before() {
	is "$1: the status" "$status" 1
	is "$1: the file is as it was" "$(cat "$file")" before
	only_file "$1"
}

for format in text json; do
	run explain --format=$format
	cp "$tmp/out" "$tmp/wanted"
	run explain --format=$format -o "$file"
	is "$format: the status" "$status" 0
	is "$format: nothing on standard output" "$(cat "$tmp/out")" ''
	if cmp -s "$file" "$tmp/wanted"; then ok "$format: the same bytes"; else not_ok "$format: the same bytes" 'they differ'; fi
	only_file "$format"
done
run explain --output=-
has 'a dash is standard output' "$tmp/out" 'perf-open/no-pmu'
(cd "$tmp/dir" && "$OLDPWD/$PLOAD" explain -o file perf-open/no-pmu)
has 'a name without a directory' "$file" 'perf-open/no-pmu'

echo before >"$tmp/target"
ln -s ../target "$tmp/dir/link"
run explain -o "$tmp/dir/link"
has 'a symbolic link: its file is replaced' "$tmp/target" 'perf-open/no-pmu'
is 'a symbolic link: it stays' "$(readlink "$tmp/dir/link")" ../target
rm "$tmp/dir/link"

# --- failures ---

echo before >"$file"
run load -o "$file" --btf=none "$PROGS/ip_count.bpf.o"
same_as_before 'an error'
refused 'no such directory' 1 "$tmp/none/file: No such file or directory [output/open]" explain -o "$tmp/none/file"
refused 'a directory' 1 'Is a directory [output/open]' explain -o "$tmp/dir"
refused 'a name that is none' 1 'Is a directory [output/open]' explain -o "$tmp/none/"
run explain -o /dev/full
is 'a device: the status' "$status" 1
has 'a device: written as it is' "$tmp/err" 'No space left on device [output/failed]'
is 'a device: it stays one' "$(test -c /dev/full && echo yes)" yes

# SIGXFSZ is ignored, so that write(2) returns EFBIG.
(trap '' XFSZ; ulimit -f 1; "$PLOAD" explain -o "$file" 2>"$tmp/err")
status=$?
same_as_before 'a limit of the size'
has 'a limit of the size: the error names the file' "$tmp/err" "$file: output: File too large [output/failed]"

# full_disk DIR - a file system of two pages that becomes full; its files, and their bytes, follow the status.
full_disk() {
	unshare -m sh -c 'mount -t tmpfs -o size=8k none "$1" && echo before >"$1/file" || exit 77
		"$2" explain --format=json -o "$1/file" 2>"$3"; echo $?; ls -A "$1"; cat "$1/file"' - "$1" "$PLOAD" "$tmp/err" 2>/dev/null
}
mkdir "$tmp/small"
full=$(full_disk "$tmp/small")
if [ $? = 77 ] || [ -z "$full" ]; then
	skip 'a full disk' 'no file system can be mounted here'
else
	is 'a full disk: the status, the files, the content' "$(echo "$full" | tr '\n' ' ')" '1 file before '
	has 'a full disk: the error' "$tmp/err" "$tmp/small/file: output: No space left on device [output/failed]"
fi

# --- sessions ---

skip_rest_if 'sessions' "$(kernel_refuses)"
for format in text json; do
	run --format=$format -e cpu-clock -o "$file" "$PROGS/ip_count.bpf.o" -- echo 'of the command'
	is "$format: the output of the command" "$(cat "$tmp/out")" 'of the command'
	has_not "$format: it is not in the file" "$file" 'of the command'
	has "$format: ours is" "$file" 'ip_count'
done
run --format=json -e cpu-clock "$PROGS/ip_count.bpf.o" -- echo 'of the command'
has_not 'JSON: a command does not mix into it' "$tmp/out" 'of the command'
has 'JSON: it writes to standard error' "$tmp/err" 'of the command'

# The command ends pload itself, so that the signal comes while the session waits.
run -e cpu-clock -o "$file" "$PROGS/ip_count.bpf.o" -- sh -c 'kill -INT $PPID; exec sleep 60'
has 'SIGINT: the file has the whole output' "$file" ' ip_count'
only_file 'SIGINT'
echo before >"$file"
run -e cpu-clock -o "$file" "$PROGS/ip_count.bpf.o" -- sh -c 'kill -KILL $PPID'
is 'SIGKILL: the file is as it was' "$(cat "$file")" before
only_file 'SIGKILL'
done_testing
