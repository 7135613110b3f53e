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
ln -s ../new "$tmp/dir/link"
run explain -o "$tmp/dir/link"
has 'a link to no file: the file is created' "$tmp/new" 'perf-open/no-pmu'
is 'a link to no file: it stays' "$(readlink "$tmp/dir/link")" ../new
ln -sf link "$tmp/dir/link"
refused 'a link to itself' 1 'Too many levels of symbolic links [output/open]' explain -o "$tmp/dir/link"
rm "$tmp/dir/link"

# The name under which it was kept until the end could be known, and taken, in advance.
(cd "$tmp/dir" && sh -c 'touch ".pload-$$-file"; exec "$0" explain -o file' "$OLDPWD/$PLOAD" 2>"$tmp/err")
is 'a temporary name that is taken: the status' $? 0
rm "$tmp/dir"/.pload-*
only_file 'a temporary name that is taken'

# --- modes and owners ---

# written_as UMASK - the mode, owner and group of the file after a run.
written_as() {
	(umask "$1" && exec "$PLOAD" explain -o "$file" 2>"$tmp/err")
	stat -c '%a %u:%g' "$file"
}
own=$(id -u):$(id -g)
rm "$file"
is 'a new file: the mode is that of the umask' "$(written_as 027)" "640 $own"
for mode in 600 640 444 755 666; do
	chmod "$mode" "$file"
	is "a file of mode $mode: it keeps it" "$(written_as 022)" "$mode $own"
done
if [ "$(id -u)" != 0 ]; then
	skip 'owners' 'this user cannot give files away'
else
	chmod 640 "$file"
	chown 1234:4321 "$file"
	is 'a file of another user: it stays one' "$(written_as 022)" '640 1234:4321'

	# as_user COMMAND... - in a directory of that user's.
	as_user() { (cd "$tmp/dir" && setpriv --reuid=1234 --regid=1234 --clear-groups -- "$@"); }
	chmod 755 "$tmp"
	chown 1234 "$tmp/dir"
	cp "$PLOAD" "$tmp/pload"
	chown root:4321 "$file"
	chmod 664 "$file"
	as_user "$tmp/pload" explain -o file 2>"$tmp/err"
	is 'an owner that cannot be kept: the group may do what others may' "$(stat -c '%a %u:%g' "$file")" '644 1234:1234'
	chown root "$tmp/dir"

	# --- files of others in a directory like /tmp ---

	chmod 1777 "$tmp/dir"
	echo before >"$tmp/target"
	for kind in link file fifo; do
		rm -f "$file"
		case $kind in
		link) ln -s ../target "$file" ;;
		file) echo before >"$file" ;;
		fifo) mkfifo "$file" && exec 3<>"$file" ;;
		esac
		chown -h 1234 "$file"
		case $kind in
		link) word='link' ;;
		*) word='file' ;;
		esac
		refused "a $kind of another user" 1 "$file: user 1234 put this $word into a shared directory [output/open]" \
			explain -o "$file"
	done
	exec 3>&-
	chmod 1770 "$tmp/dir"
	rm "$file"
	ln -s ../target "$file"
	chown -h 1234 "$file"
	refused 'a directory that a group may write to' 1 'user 1234 put this link' explain -o "$file"
	chmod 1777 "$tmp/dir"
	is 'a link of another user: its file is as it was' "$(cat "$tmp/target")" before
	rm "$file"
	ln -s ../target "$file"
	chown -h 1234 "$file"
	ln -s dir/file "$tmp/way"
	refused 'a link to a link of another user' 1 'user 1234 put this link' explain -o "$tmp/way"
	chown 1234 "$tmp/dir"
	run explain -o "$file"
	is 'a link of the owner of the directory' "$status" 0
	has 'a link of the owner of the directory: it is followed' "$tmp/target" 'perf-open/no-pmu'
	chown root "$tmp/dir"
	chmod 755 "$tmp/dir"
	echo before >"$tmp/target"
	run explain -o "$file"
	has 'a directory that only its owner writes to: a link is followed' "$tmp/target" 'perf-open/no-pmu'
	chmod 1777 "$tmp/dir"
	rm -f "$file"
	as_user ln -s own file
	for what in no a; do
		as_user "$tmp/pload" explain -o file 2>"$tmp/err"
		is "a link of its own in such a directory, to $what file" $? 0
	done
	is 'a link of its own: its file' "$(stat -c %u "$tmp/dir/own")" 1234
	rm "$file" "$tmp/dir/own"

	# A file that its owner has put there, and that a user cannot replace.
	echo before >"$file"
	as_user "$tmp/pload" explain -o file 2>"$tmp/err"
	is 'a file that cannot be replaced: the status' $? 1
	has 'a file that cannot be replaced: the error comes at the beginning' "$tmp/err" 'file: Operation not permitted [output/open]'
	chmod 755 "$tmp/dir"
fi

# --- paths that are no regular file ---

echo before >"$tmp/log"
"$PLOAD" explain perf-open/no-pmu -o /dev/stdout >>"$tmp/log" 2>"$tmp/err"
is '/dev/stdout, a file: what it had stays' "$(head -n 1 "$tmp/log")" before
has '/dev/stdout, a file: the output follows' "$tmp/log" 'perf-open/no-pmu'
# between - the first and the last line of the log, and that there is output between them.
between() {
	sed -n '1p; $p' "$tmp/log" | tr '\n' ' '
	grep -c no-pmu "$tmp/log" | sed 's/[1-9].*/some/'
}
(echo before; "$PLOAD" explain perf-open/no-pmu -o /dev/stdout; echo after) >"$tmp/log" 2>"$tmp/err"
is '/dev/stdout, between others' "$(between)" 'before after some'
(echo before >&3; "$PLOAD" explain perf-open/no-pmu -o /dev/fd/3; echo after >&3) 3>"$tmp/log" 2>"$tmp/err"
is '/dev/fd/3, between others' "$(between)" 'before after some'
# shellcheck disable=SC2016 # for the inner shell
sh -c 'echo before >&3; (exec 3>&-; "$0" explain perf-open/no-pmu -o /proc/$$/fd/3); echo after >&3' "$PLOAD" 3>>"$tmp/empty" 2>"$tmp/err"
mv "$tmp/empty" "$tmp/log"
is 'a descriptor of another process, between others' "$(between)" 'before after some'
"$PLOAD" explain -o /dev/fd/3 2>"$tmp/err" 3>&-
is '/dev/fd/3, which is closed: the status' $? 1
has '/dev/fd/3, which is closed: the error comes at the beginning' "$tmp/err" '[output/open]'
"$PLOAD" explain perf-open/no-pmu -o /dev/stdout 2>"$tmp/err" | cat >"$tmp/log"
has '/dev/stdout, a pipe' "$tmp/log" 'perf-open/no-pmu'
run explain -o /dev/null
is '/dev/null' "$status" 0
is '/dev/null: it stays a device' "$(test -c /dev/null && echo yes)" yes
mkfifo "$tmp/fifo"
cat "$tmp/fifo" >"$tmp/log" &
run explain perf-open/no-pmu -o "$tmp/fifo"
wait $!
has 'a FIFO' "$tmp/log" 'perf-open/no-pmu'
is 'a FIFO: it stays one' "$(test -p "$tmp/fifo" && echo yes)" yes

# --- failures ---

refused 'no name' 1 'No such file or directory [output/open]' explain -o ''

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

# limited ARG... - pload which may write no file, by the signal that would end it; its errors are in $tmp/err, its status is $status.
limited() {
	# shellcheck disable=SC2069 # standard error is a pipe, which has no limit
	{ (ulimit -f 0; "$PLOAD" "$@" 2>&1 >/dev/null </dev/null; echo "$?" >&3) | cat >"$tmp/err"; } 3>&1 | cat >"$tmp/status"
	status=$(cat "$tmp/status")
}
echo before >"$file"
limited explain -o "$file"
same_as_before 'a limit of the size'
has 'a limit of the size: the error names the file' "$tmp/err" "$file: output: File too large [output/failed]"
has 'a limit of the size: the hint' "$tmp/err" 'hint: ulimit -f limits'
# The caller of pload may ignore SIGXFSZ: the error is the same.
(trap '' XFSZ; limited explain -o "$file"; echo "$status" >"$tmp/status")
is 'a limit of the size, and the signal is ignored' "$(cat "$tmp/status")" 1

# mounted SCRIPT ARG... - run it in a mount namespace of its own; it exits with 77 if it cannot mount.
mounted() {
	script=$1
	shift
	unshare -m sh -c "$script" - "$@" 2>"$tmp/mount"
	[ $? != 77 ] && ! grep -q '^unshare' "$tmp/mount"
}
mkdir "$tmp/small"
# shellcheck disable=SC2016 # for the inner shell
if ! mounted 'mount -t tmpfs none "$1" || exit 77' "$tmp/small"; then
	skip 'file systems' 'no file system can be mounted here'
	can_mount=
else
	can_mount=yes
	for args in 'explain --format=json' 'explain --format=text' '--help=all'; do
		# shellcheck disable=SC2016,SC2086 # for the inner shell; a list of arguments
		mounted 'mount -t tmpfs -o size=8k none "$1" && cd "$1" && echo before >file || exit 77
			dir=$1 pload=$2 err=$3; shift 3
			if [ "$1" = --help=all ]; then "$pload" "$@" >out; else "$pload" "$@" -o "$dir/file"; fi 2>"$err"
			echo $?; ls -A | grep -v out; cat file' "$tmp/small" "$PWD/$PLOAD" "$tmp/err" $args >"$tmp/out"
		is "a full disk, $args: the status, the files, the content" "$(tr '\n' ' ' <"$tmp/out")" '1 file before '
		has "a full disk, $args: the error" "$tmp/err" 'output: No space left on device [output/failed]'
		has "a full disk, $args: the hint" "$tmp/err" 'hint: free some space'
	done
	# shellcheck disable=SC2016
	mounted 'mount -t tmpfs none "$1" && mount -o remount,ro "$1" || exit 77
		"$2" explain -o "$1/file" 2>"$3"; echo $?' "$tmp/small" "$PLOAD" "$tmp/err" >"$tmp/out"
	is 'a read-only directory: the status' "$(cat "$tmp/out")" 1
	has 'a read-only directory: the error comes at the beginning' "$tmp/err" 'Read-only file system [output/open]'
	# shellcheck disable=SC2016
	mounted 'mount -t tmpfs none /proc || exit 77
		"$2" explain perf-open/no-pmu -o "$1/file" 2>"$3"; echo $?' "$tmp/dir" "$PLOAD" "$tmp/err" >"$tmp/out"
	is 'no /proc: the status' "$(cat "$tmp/out")" 0
	has 'no /proc: the file' "$file" 'perf-open/no-pmu'
	only_file 'no /proc'
	# shellcheck disable=SC2016
	mounted 'mount -t tmpfs none /proc || exit 77
		"$2" load --btf=none -o "$1/file" "$4" 2>"$3"; echo $?' "$tmp/dir" "$PLOAD" "$tmp/err" "$PROGS/ip_count.bpf.o" >"$tmp/out"
	is 'no /proc, an error: the status' "$(cat "$tmp/out")" 1
	only_file 'no /proc, an error'
	# A file on which another is mounted cannot be replaced: no output is lost.
	echo before >"$file"
	# shellcheck disable=SC2016
	mounted 'mount --bind "$1/file" "$1/file" || exit 77
		"$2" explain perf-open/no-pmu -o "$1/file" 2>"$3"; echo $?' "$tmp/dir" "$PLOAD" "$tmp/err" >"$tmp/out"
	is 'a mounted file: the status' "$(cat "$tmp/out")" 1
	has 'a mounted file: the error' "$tmp/err" "$file: Device or resource busy [output/failed]"
	has 'a mounted file: the output' "$(sed -n 's/^hint: the complete output is in //p' "$tmp/err")" 'perf-open/no-pmu'
	rm "$tmp/dir"/.pload-*
	only_file 'a mounted file'
	# shellcheck disable=SC2016
	if mounted 'mount -t tmpfs none "$1" && echo before >"$1/file" && chattr +i "$1/file" || exit 77
		"$2" explain -o "$1/file" 2>"$3"; echo $?' "$tmp/small" "$PLOAD" "$tmp/err" >"$tmp/out"; then
		has 'an immutable file: the error comes at the beginning' "$tmp/err" 'Operation not permitted [output/open]'
	else
		skip 'an immutable file' "$(tail -n 1 "$tmp/mount")"
	fi
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

# A command that is sampled at least once: it uses a tenth of a second of its CPU's time.
cat >"$tmp/busy" <<'END'
#!/bin/sh
i=0
while [ $i -lt 100000 ]; do i=$((i + 1)); done
END
chmod +x "$tmp/busy"

# profile FORMAT FILE - the arguments that profile it in that format, or by all methods.
profile() {
	case $1 in
	compare=*) echo "compare --profile --format=${1#*=} -o $2" ;;
	*) echo "--format=$1 -o $2 -e cpu-clock" ;;
	esac
	echo "-F 999 $PROGS/profile.bpf.o -- $tmp/busy"
}

# Each format, as it fails at the first byte that it writes, and the page of a flame graph as it fails in its middle.
for format in text json folded flamegraph compare=json; do
	echo before >"$file"
	# shellcheck disable=SC2046 # a list of arguments
	limited $(profile $format "$file")
	same_as_before "a limit of the size, $format"
	is "a limit of the size, $format: the error" "$(grep -c "^pload: $file: .*output: File too large \[output/failed\]" "$tmp/err")" 1
	for size in ${can_mount:+4k 12k}; do
		[ "$size" = 4k ] || [ $format = flamegraph ] || continue
		# shellcheck disable=SC2016,SC2046
		mounted 'mount -t tmpfs -o size=$1 none "$2" && echo before >"$2/file" || exit 77
			file=$2/file pload=$3 err=$4; shift 4; "$pload" "$@" 2>"$err"
			echo $?; ls -A "${file%/*}"; cat "$file"' "$size" "$tmp/small" "$PLOAD" "$tmp/err" $(profile $format "$tmp/small/file") >"$tmp/out"
		is "a disk of $size, $format: the status, the files, the content" "$(tr '\n' ' ' <"$tmp/out")" '1 file before '
		is "a disk of $size, $format: the error" \
			"$(grep -c "^pload: $tmp/small/file: .*output: No space left on device \[output/failed\]" "$tmp/err")" 1
	done
done
run --format=json -e cpu-clock -o /dev/stdout "$PROGS/ip_count.bpf.o" -- echo 'of the command'
has_not '/dev/stdout: a command does not mix into it' "$tmp/out" 'of the command'
has '/dev/stdout: ours is there' "$tmp/out" 'ip_count'
# The command gets the signal as pload has got it: it ends by it.
run -e cpu-clock -o "$file" "$PROGS/ip_count.bpf.o" -- sh -c 'kill -XFSZ $$'
is 'a command with a limit of the size' "$status" $((128 + $(kill -l XFSZ 2>/dev/null || echo 25)))

# The command ends pload itself, so that the signal comes while the session waits.
run -e cpu-clock -o "$file" "$PROGS/ip_count.bpf.o" -- sh -c 'kill -INT $PPID; exec sleep 60'
has 'SIGINT: the file has the whole output' "$file" ' ip_count'
only_file 'SIGINT'
echo before >"$file"
run -e cpu-clock -o "$file" "$PROGS/ip_count.bpf.o" -- sh -c 'kill -KILL $PPID'
is 'SIGKILL: the file is as it was' "$(cat "$file")" before
only_file 'SIGKILL'
done_testing
