# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The functions of the command-line tests: run pload, check its output, print TAP. This file is sourced and not run.
# shellcheck shell=sh disable=SC2034

PLOAD=${PLOAD:-./pload}
PROGS=${PROGS:-build/progs}
JSON=${JSON:-build/tests/test/cli/json}
SAME=${SAME:-build/tests/test/cli/same_types}
SELF=${SELF:-build/tests/regress-self}
CLANG=${CLANG:-clang}
tests=0 last_run=''
case $0 in /*) script=$0 ;; *) script=$PWD/$0 ;; esac
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 130' INT TERM

# run ARG... - pload with these arguments; leaves $status, and files $tmp/out and $tmp/err.
run() {
	last_run="$PLOAD $*"
	"$PLOAD" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
}

# browser - the name of one that runs; chromium-browser of Ubuntu only reports that it is a snap.
browser() {
	for name in chromium chromium-browser google-chrome; do
		! "$name" --version >/dev/null 2>&1 || { echo "$name"; return; }
	done
}

# rendered BROWSER PAGE OPTION... - the document after the scripts of the page, which mark it when they have drawn it.
rendered() {
	name=$1 page=$2
	shift 2
	for try in 1 2 3 4 5; do
		timeout 100 "$name" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
			--disable-component-update --disable-sync --user-data-dir="$tmp/browser" --virtual-time-budget=$((try * 1000)) \
			"$@" --dump-dom "file://$page" 2>/dev/null >"$tmp/rendered"
		! grep -q '<html[^>]* data-drawn' "$tmp/rendered" || break
	done
	cat "$tmp/rendered"
}

# held SECONDS LOADER ARG... - a loader of docs/tour/, which ends with its standard input: so long after it was ready.
held() {
	hold=$1 tries=0
	shift
	rm -f "$tmp/out"
	{
		until grep -qs '^ready' "$tmp/out" || [ $((tries += 1)) -gt 1200 ]; do sleep 0.05; done
		sleep "$hold"
	} | "$@" >"$tmp/out" 2>"$tmp/err"
}

ok() { tests=$((tests + 1)); echo "ok $tests - $1"; }
skip() { tests=$((tests + 1)); echo "ok $tests - $1 # SKIP $2"; }
not_ok() {
	tests=$((tests + 1))
	echo "not ok $tests - $1"
	echo "# $2"
	lines_of "$1" | sed "s|^|# at $0:|"
	[ -z "$last_run" ] || printf '# last run: %s\n' "$(printf %s "$last_run" | tr '\n' ' ')"
	echo "# alone: make check ONLY=${0##*/}"
	[ ! -s "$tmp/err" ] || head -n 12 "$tmp/err" | sed 's/^/# stderr: /'
}

# lines_of NAME - the lines of the script that may have printed NAME: those with a text in quotes that is NAME, or is what NAME
# begins with, where each expansion stands for anything. (dash has no LINENO.)
lines_of() {
	NAME=$1 awk '
		BEGIN { name = ENVIRON["NAME"] }
		# The letters of text that name has; 0 when name is not what text becomes, nor begins with it.
		function letters(text,   pieces, nr, i, at, pos, sum) {
			nr = split(text, pieces, /\$\{[^}]*\}|\$\([^)]*\)|\$[A-Za-z0-9_@*#?]+/)
			for (i = pos = 1; i <= nr; i++) {
				at = index(substr(name, pos), pieces[i])
				if (!at || (i == 1 && at != 1))
					return 0
				pos += at - 1 + length(pieces[i])
				sum += length(pieces[i])
			}
			return sum
		}
		{
			for (rest = $0; match(rest, /"[^"]*"|\047[^\047]*\047/); rest = substr(rest, RSTART + RLENGTH))
				if ((n = letters(substr(rest, RSTART + 1, RLENGTH - 2))) >= 4) {
					if (!(NR in found)) lines[++nr] = NR
					if (n > found[NR]) found[NR] = n
					if (n > most) most = n
				}
		}
		END { for (i = 1; i <= nr; i++) if (found[lines[i]] * 2 >= most) print lines[i] }' "$script"
}

# is NAME GOT WANTED
is() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "got '$2', wanted '$3'"; fi; }
# has NAME FILE TEXT - FILE contains TEXT, to the letter.
has() { if grep -qF -- "$3" "$2"; then ok "$1"; else not_ok "$1" "no '$3' in what it said"; fi; }
has_not() { if grep -qF -- "$3" "$2"; then not_ok "$1" "'$3' in what it said"; else ok "$1"; fi; }

# changed PATH... - what is in a file or folder of these is to be proved anew: it differs from what others have (test/changed), or
# this is `make check-all` or a script that runs alone, which prove everything.
changed() {
	[ -r "${CHANGES:-}" ] || return 0
	for path; do
		! awk -v path="$path" '$0 == "everything" || $0 == path || index($0, path "/") == 1 { found = 1 } END { exit !found }' \
			"$CHANGES" || return 0
	done
	return 1
}

# unchanged PATH... - why such a thing is not proved here, or nothing when it is.
unchanged() { changed "$@" || echo 'nothing of it has changed: make check-all proves it'; }

done_testing() { echo "1..$tests"; }

# skip_rest NAME CAUSE - what follows is one test that is skipped, and the script ends. skip_rest_if - where there is a cause.
skip_rest() {
	skip "$1" "$2"
	done_testing
	exit 0
}
skip_rest_if() { [ -z "$2" ] || skip_rest "$1" "$2"; }

# compile_or_end SOURCE OBJECT - an object for BPF; without it the script ends. A guest has no compiler: COMPILED is where they are.
compile_or_end() {
	[ -z "${COMPILED:-}" ] || { cp "$COMPILED/${1##*/}.o" "$2" && return; }
	$CLANG -O2 -g -target bpf -I. -Iuapi -c "$1" -o "$2" 2>"$tmp/err" && return
	not_ok 'compiles' "$CLANG failed"
	done_testing
	exit 0
}

# value TYPE PATH [WHERE=TEXT] - from the JSON of the last run: test/cli/json.c.
value() { "$JSON" "$@" <"$tmp/out"; }

# Why the kernel tests cannot run here, or nothing when they can: found out by loading a program, and since one kind of them asks
# for this and another for that, by what this process may do (linux/capability.h).
kernel_refuses() {
	run -d 0 -e cpu-clock "$PROGS/ip_count.bpf.o"
	if [ "$status" != 0 ]; then
		sed -n 's/^pload: //p' "$tmp/err" | head -n 1
		return
	fi
	lacking='' effective=$(sed -n 's/^CapEff:[[:space:]]*//p' /proc/self/status)
	for cap in 12:CAP_NET_ADMIN 21:CAP_SYS_ADMIN 38:CAP_PERFMON 39:CAP_BPF; do
		[ $((0x$effective >> ${cap%%:*} & 1)) = 1 ] || lacking="$lacking ${cap#*:}"
	done
	[ -z "$lacking" ] || echo "this process is without$lacking"
}

# has_commit NAME - what --version has printed names the commit that was built, where there is a git.
has_commit() {
	commit=$(sed -n 's/.* (commit \([0-9a-f]*\)\(-dirty\)\{0,1\}).*/\1/p' "$tmp/out")
	if ! git -c safe.directory="$PWD" rev-parse HEAD >/dev/null 2>&1; then
		skip "$1: --version has the commit" 'these sources are in no git'
	elif [ -n "$commit" ] && git -c safe.directory="$PWD" cat-file -e "$commit^{commit}"; then
		ok "$1: --version has the commit"
	else
		not_ok "$1: --version has the commit" "it prints '$(cat "$tmp/out")'"
	fi
}

# has_no_kprobe_events - a tracefs is mounted, and so a dry run says of it what is true: there are no kprobes in this kernel.
has_no_kprobe_events() {
	for dir in /sys/kernel/tracing /sys/kernel/debug/tracing; do
		[ ! -e "$dir/README" ] || [ -e "$dir/kprobe_events" ] || return 0
	done
	return 1
}

# refused NAME STATUS PLACE ARG... - one error that names PLACE, a hint, that status, and nothing on stdout.
refused() {
	refused_name=$1 refused_status=$2 refused_place=$3
	shift 3
	run "$@"
	if [ "$status" != "$refused_status" ]; then
		not_ok "$refused_name" "exit status $status, wanted $refused_status"
	elif [ "$(grep -v '^pload: note:' "$tmp/err" | grep -c '^pload: ')" != 1 ]; then
		not_ok "$refused_name" "not exactly one error"
	elif ! grep -F -- "$refused_place" "$tmp/err" | grep -q '^pload: '; then
		not_ok "$refused_name" "the error does not name '$refused_place'"
	elif ! grep -q '^hint: .' "$tmp/err"; then
		not_ok "$refused_name" 'no hint'
	elif [ -s "$tmp/out" ]; then
		not_ok "$refused_name" 'something on standard output'
	else
		ok "$refused_name"
	fi
}
