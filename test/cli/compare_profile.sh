#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# pload compare --profile: one run, three profiles of it, as text and JSON; its errors, and that it leaves nothing.
. test/cli/lib.sh

object=$PROGS/profile.bpf.o
refused 'no object' 2 'an object that counts call stacks' compare --profile -- true
refused 'no command' 2 'a command after --' compare --profile "$object"
refused 'a command without --profile' 2 'a command is for --profile only' compare -- true
refused '-F without --profile' 2 '-F is for --profile only' compare -F 99
refused 'what measures something else' 2 'one run by one event' compare --profile --all "$object" -- true
refused 'no rate' 2 '-F' compare --profile -F 0 "$object" -- true
refused 'a page' 1 'as text and JSON' compare --profile --format=html "$object" -- true
refused 'no such command' 127 "command '$tmp/none'" compare --profile "$object" -- "$tmp/none"

skip_rest_if 'profiles of one run' "$(kernel_refuses)"
hot="$tmp/<b>;\"x"
${CC:-cc} -O0 -fno-omit-frame-pointer -o "$hot" test/cli/profile.c || exit 1

# The command prints, and exits with a status of its own.
cat >"$tmp/run" <<'EOS'
#!/bin/sh
echo of the command
echo $$ >"$0.pid"
read -r self sessions <"/proc/$PPID/task/$PPID/children"
echo "$sessions" >"$0.sessions"
"$1"
exit 7
EOS
chmod +x "$tmp/run"

run compare --profile --format=json -o "$tmp/json" -F 499 "$object" -- "$tmp/run" "$hot"
is 'JSON: the status of the command' "$status" 7
is 'JSON: the command ran once' "$(cat "$tmp/out")" 'of the command'
is 'JSON: one document' "$("${JSON:-build/tests/test/cli/json}" compare profile.status <"$tmp/json")" 7
# Programs of sessions that are not shown run first and last in each tick; the order of the others changes with the number of the process.
is 'JSON: six sessions, of which three are shown' "$(wc -w <"$tmp/run.sessions") $(grep -o '"attach":"[a-z]*","profile":' "$tmp/json" | wc -l)" '6 3'
wanted='"order":["ioctl","pmu","link"]'
case $(($(cat "$tmp/run.pid") % 3)) in
1) wanted='"order":["pmu","link","ioctl"]' ;;
2) wanted='"order":["link","ioctl","pmu"]' ;;
esac
has 'JSON: the order is another one in the next run' "$tmp/json" "$wanted"
for method in ioctl pmu link; do
	has "JSON: the profile by $method" "$tmp/json" "\"attach\":\"$method\",\"profile\":"
done
if command -v python3 >/dev/null; then
	python3 - "$tmp/json" >"$tmp/checked" 2>&1 <<-'END'
	import json, sys
	with open(sys.argv[1]) as f:
	    (m,) = [json.loads(line)["profile"] for line in f]
	assert m["freq"] == 499 and m["event"] == "cpu-clock"
	for p in m["methods"]:
	    assert p["samples"] == p["profile"]["total"] == sum(p["profile"]["weights"]) > 0
	    assert p["run_cnt"] >= p["samples"] and p["run_time_ns"] > 0 and p["duration_ns"] > 0
	    assert any(f["symbol"] == "inner_hot" and f["total"] for f in p["profile"]["functions"])
	    assert p["summary"]["attach"] == p["attach"]
	n = [p["samples"] for p in m["methods"]]
	# Each difference is one by its own numbers.
	def differ(a, na, b, nb):
	    p = (a + b) / (na + nb)
	    return (a / na - b / nb) ** 2 > 16 * p * (1 - p) * (1 / na + 1 / nb)
	for d in m["differences"]:
	    w = d["weights"]
	    assert any(differ(w[i], n[i], w[j], n[j]) for i in range(3) for j in range(i))
	print("right")
	END
	is 'JSON: its numbers agree' "$(tail -n 1 "$tmp/checked")" right
else
	skip 'JSON: its numbers agree' 'no python3'
fi

refused 'JSON: a page from a file' 1 'as text and JSON' compare --format=html --from="$tmp/json"
run compare --from="$tmp/json"
is 'JSON: printed from a file' "$status $(grep -cE '^They (agree|differ): |^  samples ' "$tmp/out")" '0 3'

run compare --profile "$object" -- "$tmp/run" "$hot"
is 'text: the status of the command' "$status" 7
is 'text: the methods' "$(grep -cE '^  by method +ioctl +pmu +link$' "$tmp/out")" 1
has 'text: the cost' "$tmp/out" 'share of one CPU'
is 'text: a verdict' "$(grep -cE '^They (agree|differ): ' "$tmp/out")" 1

# An event that only some methods can open: this PMU does not exist for any, and each says so.
run compare --profile -e no-such-event "$object" -- touch "$tmp/ran"
is 'no event: the status' "$status" 1
is 'no event: why, for each method' "$(tr '\n' ' ' <"$tmp/out" | grep -oE '(ioctl|pmu|link) has no profile: [^[]*\[' | grep -c .)" 3
is 'no event: the command did not run' "$(test ! -e "$tmp/ran" && echo no)" no

has 'no event: with -o nobody might look' "$tmp/err" 'pload: note: the command did not run'

# The process of one session is killed; its parent, whose first child is the command, waits for the others.
if [ -r "/proc/$$/task/$$/children" ]; then
	cat >"$tmp/kills" <<-'EOS'
	#!/bin/sh
	read -r self first second third rest <"/proc/$PPID/task/$PPID/children"
	[ "$self" = $$ ] && kill -KILL "$third" && exec "$1"
	EOS
	chmod +x "$tmp/kills"
	run compare --profile "$object" -- "$tmp/kills" "$hot"
	is 'a session is killed: the status of the command' "$status" 0
	is 'a session is killed: it is reported' "$(grep -c 'has no profile: session by .*its process has ended without a profile \[compare/no-profile\]' "$tmp/out")" 1
	is 'a session is killed: the others have samples' "$(awk '$1 == "samples" && NF == 4 { for (i = 2; i <= 4; i++) n += $i != "-" && $i > 0; print n }' "$tmp/out")" 2
else
	skip 'a session is killed' 'this kernel lists no children'
fi

# One method fails, here for want of its PMU: the command runs for the other two.
if unshare -m true 2>/dev/null; then
	# shellcheck disable=SC2016 # for the inner shell
	unshare -m sh -c 'mount -t tmpfs none /sys/bus/event_source/devices && exec "$@"' sh \
		"$PLOAD" compare --profile "$object" -- "$tmp/run" "$hot" >"$tmp/out" 2>"$tmp/err"
	is 'two methods: the status of the command' "$?" 7
	has 'two methods: why there is no third' "$tmp/out" 'pmu has no profile: '
	is 'two methods: both have samples' "$(awk '$1 == "samples" && $3 == "-" { print ($2 > 0) + ($4 > 0) }' "$tmp/out")" 2
else
	skip 'two methods' 'unshare -m: not permitted'
fi

# A signal ends the command and the sessions, and the samples until then are printed.
mkfifo "$tmp/begun"
cat >"$tmp/wait" <<'EOS'
#!/bin/sh
echo "$$" >"$1"
exec sleep 1000
EOS
chmod +x "$tmp/wait"
"$PLOAD" compare --profile --format=json -o "$tmp/json" "$object" -- "$tmp/wait" "$tmp/begun" 2>"$tmp/err" &
pload=$!
read -r pid <"$tmp/begun"
kill -TERM "$pload"
wait "$pload"
is 'SIGTERM: as the command ended' "$?" 143
is 'SIGTERM: nothing runs any more' "$(kill -0 "$pid" 2>/dev/null && echo runs)$(pgrep -P "$pload")" ''
is 'SIGTERM: three summaries' "$(grep -o '"type":"summary"' "$tmp/json" | grep -c .)" 3
done_testing
