#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The judge judges: docs/tour/loader.c passes the stages that it claims; a loader with one fault fails at the
# check that is meant for it, with the sentence that helps; loaders that crash, hang, flood or attack get one sentence each and leave
# nothing.
. test/cli/lib.sh
export TMPDIR="$tmp/files"
mkdir "$TMPDIR"
judge=${PROGS%/progs}/judge loader=${PROGS%/progs}/tour-loader
export JUDGE_PROGRESS="$tmp/progress/stages"

# --- the words of the command line, for which no kernel is needed ---

"$judge" >"$tmp/out"
is 'the stages: status' $? 0
stages=$(sed -n 's/^ *[0-9]*  \([a-z]*\)  .*/\1/p' "$tmp/out")
is 'the stages: a line for each' "$(echo "$stages" | wc -l)" 19
for stage in $stages; do
	"$judge" "$stage" >"$tmp/out"
	is "$stage: what it wants: status" $? 0
	# shellcheck disable=SC2046 # names of pages
	ls $(sed -n 's/^To read://p' "$tmp/out") >/dev/null 2>"$tmp/err"
	is "$stage: the pages exist" $? 0
	sed -n "s/^  \($stage\.[a-z_]*\) .*/\1/p" "$tmp/out" >>"$tmp/checks"
done
for words in '99 -- true|there is no stage '\''99'\' 'sections --|the command of your loader is missing' \
		'sections --seed=x -- true|--seed=x: a number from' 'sections symbols -- true|one STAGE is needed' \
		'sections --format=xml -- true|--format=xml: text, tap or json' 'sections --hint=4 -- true|--hint=4: a number from 1 to 3' 'sections --nothing -- true|judge --help shows'; do
	# shellcheck disable=SC2086 # words are words
	"$judge" ${words%%|*} >"$tmp/out" 2>"$tmp/err"
	is "judge ${words%%|*}: status" $? 2
	has "judge ${words%%|*}: message" "$tmp/err" "${words#*|}"
done
"$judge" --help >"$tmp/out"
is '--help: status' $? 0
has '--help: usage' "$tmp/out" 'usage: judge STAGE'

# --- each check has a loader that fails there ---

: >"$tmp/proved"
: >"$tmp/meant"
for wrong in test/judge/wrong/*.wrong; do
	sed -n 's/^checks //p' "$wrong" | tr ' ' '\n' >>"$tmp/meant"
done
is 'no check is without a wrong loader' "$(sort "$tmp/meant" | uniq | comm -23 "$(sort "$tmp/checks" >"$tmp/sorted"; echo "$tmp/sorted")" - |
	tr '\n' ' ')" ''

# --- the course's table has the offsets of the kernel's headers ---

# Rows "| attr of ... | name number, name number ... |" become assertions.
awk -F '|' '
	/^\| (attr of|struct perf_event_attr)/ {
		type = $2 ~ /perf_event_attr/ ? "struct perf_event_attr" : "union bpf_attr"
		prefix = $2 ~ /LINK_CREATE/ ? "link_create." : ""
		sub(/;.*/, "", $3)
		n = split($3, pairs, ",")
		for (i = 1; i <= n; i++) {
			split(pairs[i], pair, " ")
			printf "_Static_assert(offsetof(%s, %s%s) == %s, \"%s\");\n", type, prefix, pair[1], pair[2], pair[1]
		}
	}
	BEGIN { print "#include <stddef.h>\n#include <linux/bpf.h>\n#include <linux/perf_event.h>" }' docs/course/README.md >"$tmp/offsets.c"
is 'offsets: as many as there are' "$([ "$(grep -c offsetof "$tmp/offsets.c")" -gt 50 ] && echo yes)" yes
${CC:-cc} -std=gnu11 -Iuapi -c -o "$tmp/offsets.o" "$tmp/offsets.c" 2>"$tmp/err"
is 'offsets: they are right' $? 0

refused=$(kernel_refuses)
[ -z "$refused" ] || skip_rest 'it judges' "$refused"
[ "$(id -u)" = 0 ] || skip_rest 'it judges' 'it needs root'

# --- loader.c passes what it claims ---

for stage in $stages; do
	case $stage in ring | pin | core) continue ;; esac
	"$judge" "$stage" -- "$loader" >"$tmp/out" 2>&1
	status=$?
	cp "$tmp/out" "$tmp/err"
	is "loader.c: $stage: status" $status 0
	has "loader.c: $stage: passed" "$tmp/out" "$stage: passed, "
done

no_python=
python3 -c 'import ctypes, mmap' 2>/dev/null || no_python='there is no python3 with ctypes'

# --- the skeletons pass stage 1, and nothing else ---

# skeleton NAME COMMAND... - a command that needs a compiler, or not.
skeleton() {
	name=$1
	shift
	"$judge" sections -- "$@" >"$tmp/out" 2>"$tmp/err"
	is "skeleton $name: sections: status" $? 0
	"$judge" all -- "$@" >"$tmp/out" 2>"$tmp/err"
	has "skeleton $name: it is empty beyond" "$tmp/out" '1 of 19 stages are passed'
}
skeletons=docs/course/skeletons
${CC:-cc} -std=gnu11 -Wall -Wextra -Werror -o "$tmp/skeleton" $skeletons/my_loader.c 2>"$tmp/err"
is 'skeleton C: it compiles without a warning' $? 0
skeleton C "$tmp/skeleton"
if [ -n "$no_python" ]; then skip 'skeleton Python' "$no_python"; else skeleton Python python3 $skeletons/my_loader.py; fi
if ! rustc --version >/dev/null 2>&1; then
	skip 'skeleton Rust' 'there is no rustc'
else
	rustc -D warnings -o "$tmp/skeleton" $skeletons/my_loader.rs 2>"$tmp/err"
	is 'skeleton Rust: it compiles without a warning' $? 0
	skeleton Rust "$tmp/skeleton"
fi
if ! go version >/dev/null 2>&1; then
	skip 'skeleton Go' 'there is no go'
else
	GOCACHE="$tmp/go" GOFLAGS='' GO111MODULE=off go build -o "$tmp/skeleton" $skeletons/my_loader.go 2>"$tmp/err"
	is 'skeleton Go: it compiles' $? 0
	skeleton Go "$tmp/skeleton"
fi

# --- wrong loaders ---

cause=$(unchanged test/judge docs/tour/loader.c)
one_cpu=$([ "$(getconf _NPROCESSORS_ONLN)" = 1 ] && echo yes)
for wrong in test/judge/wrong/*.wrong; do
	name=$(basename "$wrong" .wrong) says=$(sed -n 's/^says //p' "$wrong")
	file=$(sed -n 's/^file //p' "$wrong")
	# The first of a stage in any case.
	here=$(sed -n 's/^checks //p' "$wrong" | tr ' ' '\n' | sed 's/\..*//')
	if [ -n "$cause" ] && ! echo "$here" | grep -qvxFf "$tmp/proved"; then
		skip "$name" "$cause"
		continue
	fi
	echo "$here" >>"$tmp/proved"
	awk -f test/mutants/apply.awk -v mutant="$wrong" "$file" >"$tmp/wrong.c" 2>"$tmp/err"
	is "$name: its lines are in the loader" $? 0
	if [ "${file%.py}" = "$file" ]; then
		${CC:-cc} -std=gnu11 -w -D_GNU_SOURCE -include signal.h -Iuapi -o "$tmp/loader" "$tmp/wrong.c" 2>"$tmp/err"
		is "$name: it compiles" $? 0
	elif [ -n "$no_python" ]; then
		skip "$name" "$no_python"
		continue
	else
		rm -rf "$tmp/python" && mkdir "$tmp/python" && cp test/judge/loaders/*.py "$tmp/python" && cp "$tmp/wrong.c" "$tmp/python/${file##*/}"
		printf '#!/bin/sh\nexec python3 -B "%s/python/loader.py" "$@"\n' "$tmp" >"$tmp/loader"
		chmod +x "$tmp/loader"
	fi
	for check in $(sed -n 's/^checks //p' "$wrong"); do
		if [ -n "$one_cpu" ] && { [ "${check#cpus.}" != "$check" ] || [ "${name%-first-cpu}" != "$name" ]; }; then
			skip "$name: $check" 'this machine has one CPU'
			continue
		fi
		# Some of them hang. Others are slow where the machine is, and would seem to; or they are right unless a record wraps.
		for timeout in 1 5 60 60 60 60; do
			"$judge" "${check%.*}" --timeout=$timeout --hint=3 -- "$tmp/loader" >"$tmp/out" 2>"$tmp/err"
			status=$?
			! grep -qF -- "$says" "$tmp/out" || break
		done
		is "$name: $check: status" "$status" 1
		cp "$tmp/out" "$tmp/err"
		is "$name: it fails at $check" "$(sed -n '$p' "$tmp/out")" "${check%.*}: not yet$([ "$check" = "${check%.*}" ] || echo ", $check")"
		has "$name: $check: its sentence" "$tmp/out" "$says"
		[ "$check" = "${check%.*}" ] || is "$name: $check: three hints" "$(grep -cE '^      hint [123]: .' "$tmp/out")" 3
		is "$name: $check: one mistake" "$(grep -c '^  no  ' "$tmp/out")" 1
	done
done

# --- each bit of an instruction counts ---

sed 's|^	snprintf(attr.prog_name, .*|	if (getenv("BYTE"))\n		((char *)insns)[atoi(getenv("BYTE"))] ^= 1 << atoi(getenv("BIT"));\n&|' \
	docs/tour/loader.c >"$tmp/wrong.c"
${CC:-cc} -std=gnu11 -w -D_GNU_SOURCE -Iuapi -o "$tmp/loader" "$tmp/wrong.c" 2>"$tmp/err"
for byte in 0 5 10 42 81 163 203 265 273 326 413 441 483 500; do
	BYTE=$byte BIT=$((byte % 7)) "$judge" calls --seed=3 -- "$tmp/loader" >"$tmp/out" 2>"$tmp/err"
	is "byte $byte of the program is another one" "$(sed -n '$s/,.*//p' "$tmp/out")" 'calls: not yet'
done

# --- loaders that do not behave ---

# behaves NAME STAGE SENTENCE SCRIPT: the judge prints it, ends, and nothing of the loader remains. Those that hang have 2 s.
behaves() {
	case $1 in *hang*) seconds=2 ;; *daemon*) seconds=6 ;; *) seconds=60 ;; esac
	printf '#!/bin/sh\n%s\n' "$4" >"$tmp/loader.sh"
	chmod +x "$tmp/loader.sh"
	"$judge" "$2" --timeout=$seconds -- "$tmp/loader.sh" "$judge_mark" >"$tmp/out" 2>"$tmp/err"
	is "$1: status" $? 1
	has "$1: sentence" "$tmp/out" "$3"
	is "$1: no process remains" "$(pgrep -f "$judge_mark" | tr '\n' ' ')" ''
}
judge_mark=mark-of-$$
behaves 'a crash' sections 'was ended by signal 11' 'kill -SEGV $$'
behaves 'a hang' sections "did not print 'ready' and did not end within 2 s" 'sleep 1000'
behaves 'a hang that ignores signals' sections 'did not end within 2 s' 'trap "" TERM INT HUP; while :; do sleep 1; done'
behaves 'a flood' sections 'more than a megabyte' 'exec yes'
behaves 'a daemon' sections 'a process that it has started has not' 'sleep 1000 >/dev/null 2>&1 </dev/null & exit 0'
behaves 'another loader' sections 'executes pload, which is a loader' "exec $PWD/${PLOAD#./} load \"\$2\""
behaves 'a large file' sections "was ended by signal $(kill -l XFSZ 2>/dev/null || echo 25)" "exec truncate -s 1G '$tmp/large'"
rm -f "$tmp/large"
behaves 'files' sections 'your program says: few' '[ "$(ulimit -Hn)" -gt 16384 ] || echo few >&2; exit 1'
behaves 'core dumps' sections 'your program says: none' '[ "$(ulimit -Hc)" != 0 ] || echo none >&2; exit 1'
behaves 'nothing' create 'no system call of bpf(2) was seen' 'exit 0'
"$judge" sections -- "$tmp/none" >"$tmp/out" 2>"$tmp/err"
is 'no such loader: status' $? 1
has 'no such loader: sentence' "$tmp/out" 'cannot be run'

# --- loaders that attack, and runtimes that start processes in their own ways ---

${CC:-cc} -std=gnu11 -w -pthread -D_GNU_SOURCE -Iuapi -o "$tmp/hostile" test/judge/wrong/hostile.c 2>"$tmp/err"
is 'hostile.c compiles' $? 0
# attacks NAME SENTENCE: of stage create; 400 MB of addresses are enough for the judge.
attacks() {
	printf '#!/bin/sh\nulimit -Sv unlimited\nexec "%s/hostile" %s "$@"\n' "$tmp" "${1%:*}" >"$tmp/loader.sh"
	chmod +x "$tmp/loader.sh"
	# A machine that is busy may not get to the end of the loader in two seconds.
	for seconds in "${1#*:}" 30; do
		(ulimit -Sv 400000; setsid -w "$judge" create --timeout="$seconds" -- "$tmp/loader.sh" "$judge_mark") >"$tmp/out" 2>"$tmp/err"
		status=$?
		! grep -qF -- "$2" "$tmp/out" || break
	done
	is "$1: status" $status 1
	has "$1: sentence" "$tmp/out" "$2"
	has_not "$1: it reaches nothing" "$tmp/out" 'says: reached'
	is "$1: no process remains" "$(pgrep -f "$judge_mark" | tr '\n' ' ')" ''
}
nothing='no system call of bpf(2) was seen'
attacks untraced:2 'a process that it has started has not'
attacks signals:60 "$nothing"
attacks process-group:60 'was ended by signal 9'
attacks memory:60 "$nothing"
attacks many-loads:60 'more than 64 MB to remember them'
attacks many-calls:2 'did not end within 2 s'
attacks leaves-files:60 "$nothing"
has_not 'leaves-files: it could' "$tmp/out" 'no file'
attacks writes-escapes:60 'your program says: \033]0;title\007'
is 'writes-escapes: nothing that a terminal obeys' "$(LC_ALL=C tr -d '\n -~' <"$tmp/out" | wc -c)" 0
attacks ptrace:60 'your program calls ptrace(2)'
if [ "$(uname -m)" = x86_64 ]; then
	attacks calls-of-32-bits:60 'system calls of another ABI'
	attacks calls-of-x32:60 'system calls of another ABI'
fi
unlimited=$(sed -n "s/.*note: no limit of '\([a-z]*\)'.*/\1/p" "$tmp/out")
if [ -n "$unlimited" ]; then
	skip 'processes and memory are limited' "there is no controller '$unlimited'"
else
	attacks many-processes:2 'a process that it has started has not'
	attacks much-memory:60 'was ended by signal 9'
fi
for attack in exec-from-a-thread exec-without-the-first-thread; do
	for stage in create event values end; do
		"$judge" $stage --timeout=60 -- "$tmp/hostile" $attack "$loader" >"$tmp/out" 2>&1
		status=$?
		cp "$tmp/out" "$tmp/err"
		is "$attack: $stage: status" $status 0
	done
done

# A period in place of a frequency: the judge lengthens it, so that the machine has time for others.
sed 's/\.freq = 1, //; s|^	printf("%s: the program ran .*|&\
	uint64_t ns = 0, sum = 0;\
	for (int cpu = 0; cpu < cpus; cpu++)\
		sum += read(event_fds[cpu], \&ns, 8) == 8 ? ns : 0;\
	fprintf(stderr, "a sample each %s\\n", sum / info.run_cnt > 200000 ? "millisecond" : "moment");|' \
	docs/tour/loader.c >"$tmp/wrong.c"
${CC:-cc} -std=gnu11 -w -D_GNU_SOURCE -Iuapi -o "$tmp/loader" "$tmp/wrong.c" 2>"$tmp/err"
for stage in event link; do
	"$judge" $stage -- "$tmp/loader" >"$tmp/out" 2>"$tmp/err"
	is "a short period: $stage: it fails there" "$(sed -n '$p' "$tmp/out")" "$stage: not yet, $stage.samples"
	has "a short period: $stage: it was lengthened" "$tmp/out" 'your program says: a sample each millisecond'
done

# --- all stages, the progress, other formats, and again at each change ---

rm -rf "$tmp/progress"
"$judge" all -- "$loader" >"$tmp/out" 2>"$tmp/err"
is 'all: status' $? 1
has 'all: a stage is a line' "$tmp/out" ' 1 sections: passed'
has 'all: the first mistake as a whole' "$tmp/out" 'ring: not yet, ring.room'
has 'all: the next ones are lines' "$tmp/out" '18 pin: not yet, pin.pinned'
is 'all: one mistake' "$(grep -c '^  no  ' "$tmp/out")" 1
has 'all: how many' "$tmp/out" '16 of 19 stages are passed'
has 'all: the next' "$tmp/out" "next: $judge ring -- $loader  (Read a ring; 3 left)"
"$judge" >"$tmp/out"
is 'progress: as many stages' "$(grep -c ' (passed)$' "$tmp/out")" 16
has 'progress: what is left' "$tmp/out" '3 left, the next is ring.'
"$judge" next >"$tmp/out"
has 'next: is a stage' "$tmp/out" '16 ring: Read a ring'
"$judge" values -- false >"$tmp/out" 2>&1
has 'progress: a stage that was passed' "$tmp/out" 'note: this stage was passed before'
"$judge" >"$tmp/out"
has 'progress: ... is left again' "$tmp/out" '4 left, the next is values.'
"$judge" values -- "$loader" >"$tmp/out" 2>&1
has 'progress: and passed again' "$tmp/out" "next: $judge ring -- $loader  (Read a ring; 3 left)"
"$judge" values --peer -- false >"$tmp/out" 2>&1
"$judge" >"$tmp/out"
has 'progress: --peer is none' "$tmp/out" '3 left, the next is ring.'
printf '%s\n' $stages nothing >"$JUDGE_PROGRESS"
"$judge" >"$tmp/out"
has 'progress: all are passed' "$tmp/out" 'All are passed.'
"$judge" sections -- "$loader" >"$tmp/out" 2>&1
has 'progress: there is no next' "$tmp/out" 'next: nothing, all stages are passed'
mkdir "$tmp/installed" && cp "$judge" "$tmp/installed/pload-judge"
JUDGE_PROGRESS='' XDG_STATE_HOME="$tmp/state/of/user" "$tmp/installed/pload-judge" sections -- "$loader" >"$tmp/out" 2>&1
is 'progress: of a judge that is installed' "$(cat "$tmp/state/of/user/pload/stages")" sections
cp "$judge" "$tmp/installed/judge"
JUDGE_PROGRESS='' "$tmp/installed/judge" sections -- "$loader" >"$tmp/out" 2>&1
is 'progress: of one that was built' "$(cat "$tmp/installed/learn/stages")" sections
rm -r "$tmp/installed"
JUDGE_PROGRESS=/dev/null/none "$judge" sections -- "$loader" >"$tmp/out" 2>"$tmp/err"
is 'progress: it cannot be kept: status' $? 0
has 'progress: it cannot be kept: message' "$tmp/err" 'the progress is not kept: /dev/null/none'

"$judge" all --format=tap -- "$loader" >"$tmp/out" 2>"$tmp/err"
is 'tap: status' $? 1
is 'tap: the plan' "$(tail -n 1 "$tmp/out")" "1..$(grep -cE '^(not )?ok [0-9]+ - ' "$tmp/out")"
is 'tap: the numbers' "$(sed -nE 's/^(not )?ok ([0-9]+) .*/\2/p' "$tmp/out" | tr '\n' ' ')" \
	"$(seq $(($(wc -l <"$tmp/sorted") + $(echo "$stages" | wc -l))) | tr '\n' ' ')"
has 'tap: a check that fails' "$tmp/out" ' - ring.room'
has 'tap: the sentence' "$tmp/out" '# the ring has '
has 'tap: a check that is not tried' "$tmp/out" ' - ring.all # SKIP after the first mistake'
"$judge" sections --format=tap -- sh -c 'kill -SEGV $$' >"$tmp/out" 2>"$tmp/err"
has 'tap: a crash is one of the stage' "$tmp/out" 'not ok 4 - sections'
CLANG=no-such-clang "$judge" sections --format=tap -- "$loader" >"$tmp/out" 2>"$tmp/err"
has 'tap: it cannot judge' "$tmp/out" 'Bail out!'
"$judge" ring --format=json -- "$loader" >"$tmp/out" 2>"$tmp/err"
is 'json: a line for each check' "$("$JSON" check check <"$tmp/out" | tr '\n' ' ')" 'ring.ready ring.records ring.room ring.all '
has 'json: a check' "$tmp/out" '"check":"ring.ready","passed":true'
has 'json: a mistake has its page' "$tmp/out" '"read":"docs/book/rings.md","passed":false'
has 'json: the stage' "$tmp/out" '{"type":"stage","stage":"ring","passed":false,"calls":'

printf '#!/bin/sh\nexit 0\n' >"$tmp/loader.sh"
chmod +x "$tmp/loader.sh"
"$judge" sections --watch -- "$tmp/loader.sh" >"$tmp/out" 2>"$tmp/err" &
watching=$!
until [ "$(grep -c '^waiting for a change' "$tmp/out")" = 1 ] || ! kill -0 $watching 2>/dev/null; do sleep 0.05; done
has '--watch: the first run' "$tmp/out" 'sections: not yet, sections.count'
printf '#!/bin/sh\nexec "%s" "$@"\n' "$PWD/$loader" >"$tmp/loader.new"
chmod +x "$tmp/loader.new" && mv "$tmp/loader.new" "$tmp/loader.sh"
until [ "$(grep -c '^waiting for a change' "$tmp/out")" = 2 ] || ! kill -0 $watching 2>/dev/null; do sleep 0.05; done
has '--watch: again at a change' "$tmp/out" 'sections: passed, '
kill -INT $watching
wait $watching
is '--watch: Ctrl-C ends it, with the last status' $? 0

# --- what runs around it: no clang, a seed, hints, the object is kept ---

CLANG=no-such-clang "$judge" sections -- "$loader" >"$tmp/out" 2>"$tmp/err"
is 'no clang: status' $? 4
has 'no clang: message' "$tmp/err" "there is no 'no-such-clang'"
mkdir "$tmp/a" "$tmp/b"
"$judge" create --seed=7 --keep="$tmp/a" -- "$loader" >"$tmp/out" 2>"$tmp/err"
"$judge" create --seed=7 --keep="$tmp/new" -- "$loader" >"$tmp/out" 2>"$tmp/err"
is '--keep: a folder that does not exist' "$(cd "$tmp/new" && ls judge.*/*.o | wc -l)" 1
is '--keep: ... is where it says' "$(ls "$(sed -n 's/^The object and its source are in \(.*\)\.$/\1/p' "$tmp/out")" | grep -c '\.bpf\.[co]$')" 2
"$judge" create --seed=7 --keep="$tmp/b" -- "$loader" >"$tmp/out" 2>"$tmp/err"
"$PLOAD" inspect --maps "$tmp"/a/*/*.o 2>/dev/null | sed 1d >"$tmp/a.txt"
"$PLOAD" inspect --maps "$tmp"/b/*/*.o 2>/dev/null | sed 1d >"$tmp/b.txt"
cmp -s "$tmp/a.txt" "$tmp/b.txt"
is 'the same seed: the same object' $? 0
mkdir "$tmp/objects"
"$judge" --compile="$tmp/objects"
is '--compile: status' $? 0
is '--compile: an object for each stage' "$(find "$tmp/objects" -name '*.judge.o' | wc -l)" "$(echo "$stages" | wc -l)"
for stage in sections values; do
	CLANG=no-such-clang "$judge" $stage --objects="$tmp/objects" -- "$loader" >"$tmp/out" 2>"$tmp/err"
	is "--objects: $stage without clang: status" $? 0
done
"$judge" sections --objects="$tmp/none" -- "$loader" >"$tmp/out" 2>"$tmp/err"
is '--objects: none: status' $? 4
has '--objects: none: message' "$tmp/err" 'there is no object '

# --- whoever makes the calls: a process or a thread of the command is the command ---

printf '#!/bin/sh\n"%s" "$@"\nexit $?\n' "$PWD/$loader" >"$tmp/loader.sh"
chmod +x "$tmp/loader.sh"
for stage in references link end; do
	"$judge" $stage -- "$tmp/loader.sh" >"$tmp/out" 2>"$tmp/err"
	is "a loader behind a shell: $stage" $? 0
done
printf '#!/bin/sh\nexit 0\n' >"$tmp/loader.sh"
for hints in 1 2 3; do
	"$judge" sections --hint=$hints -- "$tmp/loader.sh" >"$tmp/out" 2>"$tmp/err"
	is "--hint=$hints: as many hints" "$(grep -c '^      hint' "$tmp/out")" $hints
done

# --- whoever stops the judge: it ends its loader, and leaves nothing ---

printf '#!/bin/sh\ntouch "%s/started"\nsleep 1000\n' "$tmp" >"$tmp/loader.sh"
for signal in INT TERM HUP; do
	rm -f "$tmp/started"
	"$judge" sections -- "$tmp/loader.sh" "$judge_mark" >"$tmp/out" 2>"$tmp/err" &
	pid=$!
	until [ -e "$tmp/started" ] || ! kill -0 $pid 2>/dev/null; do sleep 0.05; done
	kill -$signal $pid
	wait $pid
	[ $? -gt 128 ]
	is "SIG$signal: status" $? 0
	is "SIG$signal: no process remains" "$(pgrep -f "$judge_mark" | tr '\n' ' ')" ''
done

# Either of its two processes may be killed: the other removes what is left.
for victim in keeper judge; do
	rm -f "$tmp/started"
	"$judge" sections --timeout=600 -- "$tmp/loader.sh" "$judge_mark" >"$tmp/out" 2>"$tmp/err" &
	keeper=$!
	until [ -e "$tmp/started" ] || ! kill -0 $keeper 2>/dev/null; do sleep 0.05; done
	child=$(pgrep -P $keeper)
	case $victim in keeper) kill -KILL $keeper ;; judge) kill -KILL "$child" ;; esac
	wait $keeper
	is "SIGKILL of the $victim: status" $? "$([ $victim = keeper ] && echo 137 || echo 4)"
	for _ in $(seq 600); do
		[ -n "$(pgrep -f "$judge_mark"; ls "$TMPDIR")" ] || break
		sleep 0.05
	done
	is "SIGKILL of the $victim: no process remains" "$(pgrep -f "$judge_mark" | tr '\n' ' ')" ''
	is "SIGKILL of the $victim: nothing is left of its files" "$(ls "$TMPDIR")" ''
done
is 'nothing is left of its files' "$(ls "$TMPDIR")" ''
is 'no control group is left' "$(find /sys/fs/cgroup -maxdepth 2 -type d -name 'judge.*' | while read -r group; do
	grep -q . "$group/cgroup.procs" || echo "$group"
done)" ''
done_testing
