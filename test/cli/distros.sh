#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Clean roots of other distributions: a step that has been done is not repeated, and one that failed is named. The roots are empty
# directories, and the commands that would run in them only record that they were called.
# Lane: free
. test/cli/lib.sh
skip_rest_if 'scripts of other distributions' "$(unchanged test/distros test/cli/distros.sh)"

mkdir "$tmp/bin" "$tmp/asked"
cat >"$tmp/bin/mmdebstrap" <<END
#!/bin/sh
echo "\$*" >"$tmp/arguments"
while [ \$# -gt 3 ]; do shift; done
echo "root \$1" >>"$tmp/log"
[ ! -e "$tmp/no-\$1" ] || { echo 'E: the mirror is away' >&2; exit 1; }
mkdir "\$2"
END
# unshare --mount --propagation private sh -c SCRIPT within ROOT COMMAND
cat >"$tmp/bin/unshare" <<END
#!/bin/sh
case \$9 in
'echo gcc'*) echo gcc 1 ;;
*) echo "\${8##*/}: \$9" >>"$tmp/log"; [ ! -e "$tmp/fails" ] || ! echo "\$9" | grep -q "\$(cat "$tmp/fails")" ;;
esac
END
printf '#!/bin/sh\necho 0\n' >"$tmp/bin/id"
chmod +x "$tmp/bin"/*

# distros RELEASES STEPS - leaves $status, $tmp/out, $tmp/err, and what was done in $tmp/log.
distros() {
	: >"$tmp/log"
	PATH="$tmp/bin:$PATH" CACHE="$tmp/cache" RELEASES=$1 STEPS=$2 JOBS=3 sh test/distros/distros >"$tmp/out" 2>"$tmp/err"
	status=$?
}

: >"$tmp/no-sid"
echo check-unit >"$tmp/fails"
distros 'trixie sid' 'setup unit build'
is 'a step fails: status' "$status" 1
has '... it is in the table' "$tmp/out" '| trixie | gcc 1 | passed | failed | passed |'
has '... and its file is named' "$tmp/err" "distros: trixie: unit failed: $tmp/cache/distros/trixie.unit"
has 'no root: what was not run is said' "$tmp/out" '| sid | no root | not run | not run | not run |'
has '... with the words of apt' "$tmp/err" 'no root of sid: E: the mirror is away'
is '... and this was done' "$(cat "$tmp/log")" "root trixie
trixie: make setup
trixie: make -k -j3 check-unit
trixie: make -j3
root sid"
is 'the tree is there' "$(cmp "$tmp/cache/distros/trixie/src/.ci/setup" .ci/setup && echo so)" so

rm "$tmp/no-sid" "$tmp/fails"
distros 'trixie sid' 'setup unit'
is 'the second time: status' "$status" 0
is '... what was done is not done again' "$(cat "$tmp/log")" "trixie: make -k -j3 check-unit
root sid
sid: make setup
sid: make -k -j3 check-unit"
has '... and the table has all' "$tmp/out" '| sid | gcc 1 | passed | passed |'

echo 'make setup' >"$tmp/fails"
rm "$tmp/cache/distros/sid.setup.passed"
distros sid 'setup build'
has 'without a set-up nothing is built' "$tmp/out" '| sid | gcc 1 | failed | not run |'
mkdir -p "$tmp/cache/sysroot/trixie-amd64"
echo ubuntu-keyring >"$tmp/cache/sysroot/trixie-amd64/.packages"
distros 'noble' 'o3 guest'
has 'a root of Ubuntu: by its keys' "$tmp/arguments" \
	"--keyring=$tmp/cache/sysroot/trixie-amd64/usr/share/keyrings/ubuntu-archive-keyring.gpg"
is '... and what is done' "$(cat "$tmp/log")" "root noble
noble: make -j3 O=build/o3 CFLAGS=-O3
noble: make -j3 && setpriv --bounding-set -cap_39,-cap_38,-sys_admin make demo"
distros sid 'setup party'
is 'no such step: status' "$status" 2
is '... nothing is done' "$(cat "$tmp/log")" ''
done_testing
