#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The files for engines are YAML with the keys that they must have, and LAVA is given each test once, with its result.
# Lane: free
# shellcheck source=test/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
skip_rest_if 'files for engines' "$(unchanged test/farms test/regress/harness .github)"

# keys FILE KEY... - FILE is YAML, and has these keys.
keys() {
	file=$1
	shift
	/usr/bin/python3 - "$file" "$@" 2>"$tmp/err" <<-'END' && ok "$file" || not_ok "$file" "$(tail -n 1 "$tmp/err")"
		import re, sys, yaml
		data = yaml.safe_load(re.sub("@[A-Z_]+@", "1", open(sys.argv[1]).read()))
		missing = [key for key in sys.argv[2:] if key not in data and not (key == "on" and True in data)]
		sys.exit("without " + " ".join(missing) if missing else 0)
	END
}

if /usr/bin/python3 -c 'import yaml' 2>/dev/null; then
	keys .github/workflows/check.yml name on jobs permissions
	keys test/farms/lava/attach-regress.yaml metadata params run
	keys test/farms/lava/job.yaml job_name timeouts actions visibility
	keys test/farms/lava/device.yaml constants actions
	keys test/farms/tmt/plan.fmf provision discover execute
	keys test/farms/tmt/suite.fmf test duration
	keys test/farms/kernelci/pipeline.yaml jobs scheduler
else
	skip 'YAML' 'python3-yaml is not installed'
fi

printf '%s\n' '#!/bin/sh' 'echo "$1 $3"' >"$tmp/lava-test-case"
chmod +x "$tmp/lava-test-case"
cat >"$tmp/ktap" <<'E2'
KTAP version 1
1..1
  1..4
  ok 1 a.1
  # ok 9 a.9
  not ok 2 a.2 # it left something
  ok 3 a.3 # SKIP no probes
  not ok 4 a.4 # TIMEOUT
not ok 1 a
E2
PATH=$tmp:$PATH sh test/farms/lava/report <"$tmp/ktap" | grep -E '^a[a-z-]*\.' | xargs >"$tmp/out"
is 'LAVA: results, and an output that ended too early' "$(cat "$tmp/out")" \
	'a.1 pass a.2 fail a.3 skip a.4 fail attach-regress.ended fail'

mkdir "$tmp/tmt"
printf '%s\n' '#!/bin/sh' 'echo "$*" >&2' "cat '$tmp/ktap'" >"$tmp/tmt/attach-regress"
chmod +x "$tmp/tmt/attach-regress"
here=$PWD
(cd "$tmp/tmt" && TMT_TEST_DATA=$tmp TESTS='a,b' sh "$here/test/farms/tmt/run") >"$tmp/out" 2>"$tmp/err"
is 'tmt: results, and an output that ended too early' "$(sed 's/^[- ]*[a-z]*: //' "$tmp/results.yaml" | xargs)" \
	'/a.1 pass /a.2 fail /a.3 skip /a.4 fail /attach-regress.ended fail'
is 'tmt: the tests that are asked for' "$(cat "$tmp/err")" '--names=id -a a,b'

done_testing
