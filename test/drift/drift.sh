#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The drift alarm, on two small sets of headers instead of Debian's newest: it names what one lacks,
# and entries of left_out that are stale.
# Lane: free
# shellcheck source=test/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
here=$(dirname "$0")

mkdir -p "$tmp/ours/linux" "$tmp/theirs/linux" "$tmp/theirs/asm"
cat >"$tmp/ours/linux/x.h" <<'END'
#ifndef X_H
#define X_H
enum cmd { CREATE = 0, __MAX_CMD = 1 };
#define SHARED	(1U << 3)
union attr {
	struct { unsigned int fd; };
	struct { unsigned long path; } multi;
} __attribute__((aligned(8)));
static long (*const bpf_one)(void *map, const char *fmt, ...) = (void *)1;
static long (*const bpf_moved)(void) = (void *)2;
static inline __attribute__((always_inline)) int both(int x) { return x ? 1 : SHARED; }
#endif
END
cat >"$tmp/theirs/asm/y.h" <<'END'
#define OF_ANOTHER_HEADER 1
struct of_another_header { int x; };
END
cat >"$tmp/theirs/linux/x.h" <<'END'
#ifndef _X_GUARD
#define _X_GUARD
#include <asm/y.h>
enum cmd {
	CREATE,
	NEW_COMMAND = (1 << 2), /* a comment, with a { */
	__MAX_CMD,
};
#define SHARED (1U << 3)
#define NEW_MACRO(x) ((x) + 1)
#define ___private(x) (x)
#define __PRIVATE 1
typedef struct { int in_typedef; } name_of_typedef;
union attr {
	struct { /* anonymous */
		unsigned int fd;
		unsigned long new_word[2];
	};
	struct {
		unsigned long path;
		unsigned int new_field;
		struct { int deep; } inner;
	} multi;
	unsigned long	bit : 1, /* one */
			new_bit : 2,
			__reserved_1 : 29;
	unsigned int :31;
} __attribute__((aligned(8)));
static long (* const bpf_one)(void *map, const char *fmt, ...) = (void *) 1;
static long (* const bpf_moved)(void) = (void *) 3;
static unsigned long (* const bpf_new)(int (*callback)(void *), void *ctx) = (void *) 4;
extern int new_kfunc(struct z *z, int start) __attribute__((section(".ksyms")));
static inline __attribute__((always_inline)) int both(int x) { return x; }
static inline int new_inline(int x) { if (x) { x++; } return x; }
#endif
END

CC=${CC:-cc} sh "$here/names" "$tmp/ours" linux/x.h >"$tmp/list.ours"
CC=${CC:-cc} sh "$here/names" "$tmp/theirs" linux/x.h >"$tmp/list.theirs"

# compare LEFT_OUT-LINE... - leaves $status, and in $tmp/out what was printed.
compare() {
	printf '%s\n' "$@" >"$tmp/left_out"
	sh "$here/compare" "$tmp/list.ours" "$tmp/list.theirs" "$tmp/left_out" >"$tmp/out" 2>"$tmp/err"
	status=$?
	sed -i "s|^$tmp/||" "$tmp/out"
}

compare '# nothing is left out'
is 'something new: status' "$status" 1
is '... each of it is named, and nothing else' "$(cat "$tmp/out")" \
'field attr.bit: it is not known here
field attr.multi.inner.deep: it is not known here
field attr.multi.new_field: it is not known here
field attr.new_bit: it is not known here
field attr.new_word: it is not known here
field name_of_typedef.in_typedef: it is not known here
function new_inline: it is not known here
function new_kfunc: it is not known here
helper bpf_moved: it is 3 there, and 2 here
helper bpf_new: it is not known here
name NEW_COMMAND: it is not known here
name NEW_MACRO: it is not known here
8 names are known on both sides, 0 are left out on purpose, 11 are missing, 1 are wrong'

sed -i 's/bpf_moved 3/bpf_moved 2/' "$tmp/list.theirs"
all='field attr.*: a reason
field name_of_typedef.in_typedef: a reason
function new_*: a reason
helper bpf_new: a reason
name NEW_*: a reason'
compare "$all"
is 'all of it is left out on purpose: status' "$status" 0
is '... and counted' "$(cat "$tmp/out")" \
	'8 names are known on both sides, 11 are left out on purpose, 0 are missing, 0 are wrong'

compare "$all" 'name SHARED: a reason' '' 'name GONE: a reason' 'name NEW_MACRO'
is 'entries that are stale or without a reason: status' "$status" 1
is '... and the line of each is named' "$(cat "$tmp/out")" \
'left_out:9: this is not "KIND NAME: reason"
left_out:6: name SHARED is not left out: it is known here now
left_out:8: name GONE is not left out: nobody else has it
8 names are known on both sides, 11 are left out on purpose, 0 are missing, 3 are wrong'

: >"$tmp/list.theirs"
compare '# a list that could not be made'
is 'a comparison with nothing fails' "$status" 1
has '... and says so' "$tmp/out" 'one of the lists is empty'

# A linker stores "tp+" as the end of "raw_tp+".
printf '\1\2raw_tp+\0iter.s+\0xdp.frags/devmap\0\3a+?\0' >"$tmp/library"
sh "$here/candidates" "$tmp/library" >"$tmp/out"
for name in raw_tp tp iter.s xdp.frags/devmap; do
	is "a name of a section is found among a library's strings: $name" "$(grep -cx "$name" "$tmp/out")" 1
done

# The tree's own list is in the form that `make drift` takes, which can be seen without the network.
is 'each line of left_out has a kind, a name and a reason' \
	"$(grep -vE '^(#.*|)$' "$here/left_out" | grep -cvE '^(name|field|function|helper|section|use) [^ ]+: .')" 0

done_testing
