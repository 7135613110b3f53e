#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# That each mutant still fits the source and names tests which exist: a run of `make mutants` takes long to find that out.
# Then the runners, over a source of a few lines with a suite of two tests.
. test/cli/lib.sh

stale='' unknown=''
for mutant in test/mutants/*.mutant; do
	awk -f test/mutants/apply.awk -v mutant="$mutant" "$(sed -n 's/^file //p' "$mutant")" >"$tmp/new" 2>&1 ||
		stale="$stale $(basename "$mutant")"
	set -f
	for glob in $(sed -n 's/^tests //p' "$mutant"); do
		"$(dirname "$SELF")/attach-regress" --list -t "$glob" >"$tmp/meant" 2>&1 || unknown="$unknown $(basename "$mutant"):$glob"
	done
	set +f
done
is 'there are mutants' "$([ "$(find test/mutants -name '*.mutant' | wc -l)" -ge 30 ] && echo enough)" enough
is 'the lines of each are in the source' "$stale" ''
is 'each names tests that there are' "$unknown" ''
${MAKE:-make} -s --eval='env: ; $(info $(MUTANTS_ENV))' env CC=a-cc CLANG=a-clang >"$tmp/env" 2>"$tmp/err"
is 'the runners get the compilers' "$(grep -o "C[A-Z]*='a-[a-z]*'" "$tmp/env" | tr '\n' ' ')" "CC='a-cc' CLANG='a-clang' "

here=$PWD small=$tmp/small seen=
mkdir -p "$small/elf" "$small/test/mutants" && cp test/mutants/run test/mutants/generated test/mutants/common.sh test/mutants/apply.awk \
	test/mutants/reached.c "$small/test/mutants/" && cd "$small" || exit 1
${CC:-cc} -D_GNU_SOURCE -o faults "$here/test/mutants/faults.c"
cat >elf/small.c <<'END'
const int not_in_a_function = 1 < 2;
/* if (a < b) */
int clamp(int v, int max)
{
	const char *text = "if (v < max)";

	if (v > max)
		return max;
	return *text == 'i' ? v : 0;
}

int count(int n)
{
	int i = 0;

	while (i < n)
		i++;
	return i;
}
END
cat >test.c <<'END'
#include <stdio.h>
int clamp(int v, int max), count(int n);
int main(int argc, char **argv)
{
	int good = argv[argc - 1][0] != 'x' && clamp(1, 2) == 1 && clamp(3, 2) == 2 && count(2) >= 2;

	printf("%s 1\n1..1\n", good ? "ok" : "not ok");
	return !good;
}
END
# Fails each second time; it calls both, and finds nothing.
cat >flaky <<'END'
#!/bin/sh
build/tests/test/unit/elf/test_small >/dev/null
if rmdir again 2>/dev/null; then echo 'ok 1'; else mkdir again; echo 'not ok 1'; fi
echo 1..1
END
# A suite: one test that notices a fault, and one that fails the first time.
cat >suite <<'END'
#!/bin/sh
echo '    # Subtest: small'
status=0
flaky='1 flaky: once, [or] twice [small.1]' real='2 real [small.2]'
if mkdir "$0.again" 2>/dev/null; then echo "    not ok $flaky"; status=1; else echo "    ok $flaky"; fi
case "$*" in
*'-t small.1') exit $status ;;
*' --stop -t *') [ $status = 0 ] || exit 1 ;;
*'-t small.2' | *'-t *') ;;
*) exit 2 ;;
esac
grep -q 'return max' "${0%/build/*}/elf/small.c" || { echo "    not ok $real"; status=1; }
exit $status
END
cat >GNUmakefile <<'END'
all: mutants-unit
build/tests/libpload.so: elf/small.c
	mkdir -p build/tests/test/unit/elf
	$(CC) -Wall -Werror -fPIC -shared $(CFLAGS) $(LDFLAGS) -o $@ $<
build/tests/test/unit/elf/test_small: test.c build/tests/libpload.so
	$(CC) -o $@ $^ -Wl,-rpath,$(CURDIR)/build/tests
	cp flaky build/tests/test/unit/elf/test_flaky && chmod +x build/tests/test/unit/elf/test_flaky
mutants-unit: build/tests/test/unit/elf/test_small
	echo '$(COMMIT)' >../commit
mutants-list:
	@echo build/tests/test/unit/elf/test_flaky; echo build/tests/test/unit/elf/test_small
build/attach-regress: suite
	mkdir -p build && cp suite $@ && chmod +x $@
END
printf '# A comment.\nelf/small.c clamp shift-bound if (v {{> => >=}} max)\n\tBoth are max.\n' >test/mutants/equivalents

# Which faults there are, without those of the file's scope, of comments and of strings.
./faults 1 elf/small.c >1 && ./faults 2 elf/small.c >2 && ./faults 1 elf/small.c | cmp -s - 1 && seen=same
is 'a seed chooses the same faults again' "$seen" same
is '... and another the same ones' "$(cut -f 2- 2 | sort)" "$(cut -f 2- 1 | sort)"
is '... in another order' "$([ "$(sort 1 | cut -f 2-)" = "$(sort 2 | cut -f 2-)" ] || echo another)" another
is 'a fault is in a function and in its code' "$(cut -f 3,4,8 1 | tr '\t' ' ' | sort)" 'clamp negate if {{(v > max) => (!(v > max))}}
clamp negate return *text {{== => !=}} '"'i'"' ? v : 0;
clamp return-early {{ => return 0; }}const char *text = "if (v < max)";
clamp shift-bound if (v {{> => >=}} max)
count drop-assignment {{i++ => }};
count return-early {{ => return 0; }}int i = 0;
count shift-bound while (i {{< => <=}} n)'

generate() { MAKE=make FAULTS=./faults GENERATE=99 SEED=1 ROOM=elf STAGES=unit LIMIT=1 "$@" sh test/mutants/generated build >out 2>&1; }
git init -q . && git -c user.name=x -c user.email=x commit -q --allow-empty -m x
generate env
status=$?
is 'a build gets the commit' "$(cat build/commit)" "$(git rev-parse --short=12 HEAD)"
is 'a survivor is a failure' "$status" 1
has 'a fault is caught, also by a test that does not end' out 'caught    elf/small.c count: drop-assignment: build/tests/test/unit/elf/test_small'
has 'a survivor is printed with its line' out "$(printf '\twhile (i {{< => <=}} n)')"
has 'who fails once does not catch' out 'survived  elf/small.c count: shift-bound: 2 tests'
has 'an equivalent is not tried, and counted' out 'all                            7       5       0       0           1         1'
tail -n 3 out >first && generate env JOBS=2
is 'a second run goes on' "$(grep -c '^caught\|^survived' out) $(tail -n 3 out)" "0 $(cat first)"
generate env RETRY=1
is 'survivors are tried again on demand' "$(grep -c '^caught\|^survived' out)" 1

printf '# Caught.\nfile elf/small.c\ntests *\n--- old\n\t\treturn max;\n--- new\n\t\treturn v;\n' >test/mutants/1-real.mutant
printf '# Survives.\nfile elf/small.c\ntests *\n--- old\n\treturn i;\n--- new\n\treturn n;\n' >test/mutants/2-none.mutant
QUICK=1 JOBS=2 sh test/mutants/run build/by-hand >out 2>&1
is 'by hand: who fails once does not catch' "$(sed -n 's/^[12]-//p' out | tr -s ' ' | cut -d ' ' -f 1,2 | sort)" 'none (survived)
real small/real'
has '... which is printed' out 'small/flaky: once, [or] twice [small.1] fails, and then it does not'
cd "$here" || exit 1

done_testing
