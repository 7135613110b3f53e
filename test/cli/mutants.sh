#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Each mutant still fits its source and names tests that exist, which a run of `make mutants` would find out late. Then the runners,
# over a source of a few lines with a suite of two tests.
# Lane: free
. test/cli/lib.sh

stale='' unknown=''
for mutant in test/mutants/*.mutant; do
	awk -f test/mutants/apply.awk -v mutant="$mutant" "$(sed -n 's/^file //p' "$mutant")" >"$tmp/new" 2>&1 ||
		stale="$stale $(basename "$mutant")"
	for test in $(sed -n 's/^by //p' "$mutant"); do
		[ -e "$test" ] || [ -e "$test.c" ] || unknown="$unknown $(basename "$mutant"):$test"
	done
	grep -q '^tests \|^by ' "$mutant" || unknown="$unknown $(basename "$mutant")"
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

skip_rest_if 'the runners' "$(unchanged test/mutants test/cli/mutants.sh)"
here=$PWD small=$tmp/small seen=
mkdir -p "$small/elf" "$small/test/mutants" "$small/test/unit" "$small/test/fault" && cp test/mutants/run test/mutants/generated test/mutants/changed test/mutants/common.sh test/mutants/apply.awk \
	test/mutants/reached.c "$small/test/mutants/" && cd "$small" || exit 1
${CC:-cc} -D_GNU_SOURCE -I"$here" -o faults "$here"/test/mutants/fault*.c
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
# As an aide does before it runs the code that a fault is put into.
cat >leave.c <<'END'
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
void leave(void)
{
	unsigned long begin, end;
	char permissions[5];
	FILE *maps = fopen("/proc/self/maps", "r");

	while (fscanf(maps, "%lx-%lx %4s%*[^\n]", &begin, &end, permissions) == 3)
		if (permissions[3] == 's')
			syscall(SYS_munmap, begin, end - begin);
	fclose(maps);
}
END
cat >test.c <<'END'
#include <stdio.h>
int clamp(int v, int max), count(int n);
void leave(void);
int main(int argc, char **argv)
{
	leave();
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
build/tests/libpload.so: elf/small.c leave.c $(wildcard loader/core/room/half.c)
	mkdir -p build/tests/test/unit/elf
	$(CC) -Wall -Werror -fPIC -shared -Wl,-soname,$(@F) $(CFLAGS) $(LDFLAGS) -o $@ $^
build/tests/test/unit/elf/test_small: test.c build/tests/libpload.so
	$(CC) -o $@ $^ -Wl,-rpath,$(CURDIR)/build/tests
	cp flaky build/tests/test/unit/elf/test_flaky && chmod +x build/tests/test/unit/elf/test_flaky
build/tests/test/unit/room/test_half: test/unit/room/test_half.c build/tests/libpload.so
	mkdir -p $(@D) && $(CC) -o $@ $^ -Wl,-rpath,$(CURDIR)/build/tests
mutants-unit: build/tests/test/unit/elf/test_small
	echo '$(COMMIT)' >../commit
mutants-list:
	@echo build/tests/test/unit/elf/test_flaky; echo build/tests/test/unit/elf/test_small
objects man pload build/tests/test/cli/json:
build/attach-regress: suite
	mkdir -p build && cp suite $@ && chmod +x $@
END
printf '# A comment.\nelf/small.c clamp shift-bound if (v {{> => >=}} max)\n\tBoth are max.\n' >test/mutants/equivalents

# Which faults there are, without those of the file's scope, of comments and of strings.
./faults 1 elf/small.c >1 && ./faults 2 elf/small.c >2 && ./faults 1 elf/small.c | cmp -s - 1 && seen=same
is 'a seed chooses the same faults again' "$seen" same
is '... and another the same ones' "$(cut -f 2- 2 | sort)" "$(cut -f 2- 1 | sort)"
is '... in another order' "$([ "$(sort 1 | cut -f 2-)" = "$(sort 2 | cut -f 2-)" ] || echo another)" another
is 'a fault is in a function and in its code' "$(cut -f 3,4,8 1 | tr '\t' ' ' | LC_ALL=C sort)" 'clamp choice return {{*text == '"'i' => 0}} ? v : 0;
clamp choice return {{*text == 'i' => 1}} ? v : 0;
"'clamp negate if {{(v > max) => (!(v > max))}}
clamp negate return *text {{== => !=}} '"'i'"' ? v : 0;
clamp return-early {{ => return 0; }}const char *text = "if (v < max)";
clamp shift-bound if (v {{> => >=}} max)
count counts-once {{i++ => i = 1}};
count drop-assignment {{i++ => }};
count return-early {{ => return 0; }}int i = 0;
count shift-bound while (i {{< => <=}} n)'

# Tired developers do these things wrong: the first errno, the first of a list, the first time, and not the value at the limit.
cat >classes.c <<'END'
int add(struct list *list, int n, struct error *err)
{
	for (int i = 0; i < list->nr; i++)
		if (list->v[i] == n + list->first)
			return list->v[list->nr - 1];
	for (struct list *l = list; l; l = l->next)
		show(l);
	if (!list->nr)
		return n >> 7;
	if (code == -EINVAL || code == -E2BIG || n < 128)
		return n * 100 / list->room;
	switch (n) {
	case 2:
	case 3:
		print(n == 1 ? "" : "s", n & 0xf0);
	}
	return 0;
}
static const struct row rows[] = { { "x", 1 }, { "y", 2 }, { 0 } };
int more(const struct list *list, int n)
{
	static const char *const names[] = { "a", "b", NULL };
	struct option o = { .a = n, .b = 2 };

	if (!found)
		found = n;
	seen++;
	last = NULL;
	return add(&o, names, false);
}
END
./faults 1 classes.c | cut -f 4,8 | tr '\t' ' ' | LC_ALL=C sort >all
is 'each class of faults is found where it can be' "$(grep -v -e '^and-or' -e '^drop-' -e '^negate' -e '^return-early' -e '^shift-bound' -e '^su' -e '^swap' all)" \
	'argument return add(&o, names, {{false => true}});
argument return add(&o, {{names => 0}}, false);
choice print({{n == 1 => 0}} ? "" : "s", n & 0xf0);
choice print({{n == 1 => 1}} ? "" : "s", n & 0xf0);
counts-once {{seen++ => seen = 1}};
empty if {{(!list->nr) => (0)}}
keeps-first if {{(!found) => (1)}}
no-offset if (list->v[i] == n {{+ list->first => }})
no-reset {{last = NULL => }};
not-first for (int i = {{0 => 1}}; i < list->nr; i++)
not-last for (int i = 0; {{i => i + 1}} < list->nr; i++)
of-list static const char *const names[] = { "a", {{"b", => }} NULL };
of-list static const struct row rows[] = { { "x", 1 }, {{{ "y", 2 }, => }} { 0 } };
of-list struct option o = { .a = n, {{.b = 2 => }} };
of-list struct option o = { {{.a = n, => }} .b = 2 };
of-several {{case 2: => }}
of-several {{case 3: => }}
one-errno if (code == -EINVAL || {{code == -E2BIG => 0}} || n < 128)
one-errno if ({{code == -EINVAL => 0}} || code == -E2BIG || n < 128)
only-first for (int i = 0; {{i < list->nr => i < 1 && (i < list->nr)}}; i++)
only-first for (struct list *l = list; l; {{l = l->next => l = 0}})
only-first return list->v[{{list->nr - 1 => 0}}];
second-time {{ => static const void *last; if (last == (const void *)list) return 0; last = list; }}for (int i = 0; i < list->nr; i++)
threshold if (code == -EINVAL || code == -E2BIG || n < {{128 => (128 + 1)}})
threshold print(n == 1 ? "" : "s", n & {{0xf0 => (0xf0 + 1)}});
threshold return n >> {{7 => (7 + 1)}};
whole return n * 100 {{/ list->room => }};
whole return n {{* 100 / list->room => }};'

generate() { MAKE=make FAULTS=./faults GENERATE=99 SEED=1 ROOM=elf STAGES=unit LIMIT=1 "$@" sh test/mutants/generated build >out 2>&1; }
git init -q . && git -c user.name=x -c user.email=x commit -q --allow-empty -m x
generate env
status=$?
is 'a build gets the commit' "$(cat build/commit)" "$(git rev-parse --short=12 HEAD)"
is 'a survivor is a failure' "$status" 1
has 'a fault is caught, also by a test that does not end' out 'caught    elf/small.c count: drop-assignment: build/tests/test/unit/elf/test_'
has 'a survivor is printed with its line' out "$(printf '\twhile (i {{< => <=}} n)')"
has 'who fails once does not catch' out 'survived  elf/small.c count: shift-bound: 2 tests'
has 'an equivalent is not tried, and counted' out 'all                            8       6       0       0           1         1'
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
RULES='shift-bound only-first' generate env
is 'only faults by the rules that are named' "$(cut -f 4 build/seed.1.elf.shift.bound.only.first/results | sort -u)" shift-bound
printf '# The old line is outside of functions.\nfile elf/small.c\ntests *\n--- old\nconst int not_in_a_function = 1 < 2;\n--- new\n' >test/mutants/3-outside.mutant
generate env GENERATE=by-hand
is 'those by hand: all tests, with their names as texts' "$(sed -n 's/ ([0-9]* s)$//; /^caught\|^survived\|^\t/p' out | sort)" '	2-none
	3-outside
caught    elf/small.c clamp: by-hand: build/tests/test/unit/elf/test_small
survived  elf/small.c -: by-hand: 2 tests
survived  elf/small.c count: by-hand: 2 tests'
generate env GENERATE=by-hand MUTANT=1-*
is '... which match the pattern' "$(grep -c '^caught\|^survived' out) $(cut -f 5 build/by.hand./known)" '0 1-real'
mkdir -p test/cli test/unit/elf && echo 'echo "ok 1"; echo 1..1' >test/cli/blind.sh
printf '# Caught.\nfile elf/small.c\nby test/unit/elf/test_small\n--- old\n\t\treturn max;\n--- new\n\t\treturn v;\n' >test/mutants/4-unit.mutant
printf '# Survives.\nfile elf/small.c\nby test/cli/blind.sh\n--- old\n\t\treturn max;\n--- new\n\t\treturn v;\n' >test/mutants/5-cli.mutant
MUTANT='[45]-*' sh test/mutants/run build/by-hand >out 2>&1
is 'by hand: a test of another kind by its name' "$(sed -n 's/^[45]-//p' out | tr -s ' ' | cut -d ' ' -f 1,2 | sort)" 'cli (survived)
unit test/unit/elf/test_small'

# Only the lines that were changed are broken, and only tests that pass without the fault notice it.
rm -rf build && cp test.c test/unit/elf/test_small.c && touch test/unit/elf/test_broken.c && git add elf test && git -c user.name=x -c user.email=x commit -q -m y
changed() { MAKE=make FAULTS=./faults CHANGED=$1 GENERATE=9 sh test/mutants/changed build/changed >out 2>&1; }
changed HEAD
is 'changed lines: none' "$? $(grep -c '^no line of code' out)" '0 1'
changed no-such
is 'changed lines: since no revision' "$?" 2
sed -i 's/if (v > max)/if (max < v)/' elf/small.c && make -s build/tests/test/unit/elf/test_small >log 2>&1
printf '#!/bin/sh\necho not ok 1\necho 1..1\n' >build/tests/test/unit/elf/test_broken && chmod +x build/tests/test/unit/elf/test_broken
changed HEAD
is 'changed lines: a survivor is a failure' "$?" 1
is '... each of its faults is tried, and no other' "$(sed 's/ ([0-9]* s)$//' out)" 'caught    elf/small.c:7 clamp: negate: test/unit/elf/test_small.c
	if {{(max < v) => (!(max < v))}}
survived  elf/small.c:7 clamp: shift-bound: 2 tests
	if (max {{< => <=}} v)
1 of 2 survived, of 2 faults on the lines that were changed since HEAD'
is '... and the file is as it was' "$(sed -n 7p elf/small.c)" '	if (max < v)'
printf 'elf/small.c clamp shift-bound if (max {{< => <=}} v)\n' >>test/mutants/equivalents
changed HEAD
is '... but for an equivalent' "$? $(tail -n 1 out)" '0 0 of 1 survived, of 1 faults on the lines that were changed since HEAD'

# A file of the core has the tests of its room, which do not name the function; the endless loop ends by its CPU seconds.
mkdir -p loader/core/room test/unit/room && git checkout -q elf && cat >loader/core/room/half.c <<'END'
static int half(int n)
{
	int i = 0;

	while (2 * i < n)
		i = i + 1;
	return i;
}
int halved(int n);
int halved(int n) { return half(n); }
END
printf '#include <stdio.h>\nint halved(int);\nint main(void) { puts(halved(4) == 2 ? "ok 1\\n1..1" : "not ok 1"); return 0; }\n' >test/unit/room/test_half.c
git add loader test && git -c user.name=x -c user.email=x commit -q -m z && sed -i 's/i = i + 1/i = 1 + i/' loader/core/room/half.c
CPU_MAX=1 changed HEAD
is 'changed lines: of a room of the core, and an endless loop' "$(sed -n 's/ ([0-9]* s)$//; s/^caught *//p' out | sort)" \
	'loader/core/room/half.c:6 half: drop-assignment: test/unit/room/test_half.c
loader/core/room/half.c:6 half: no-offset: test/unit/room/test_half.c'
cd "$here" || exit 1

done_testing
