#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Structs of functions: the kernel has them while pload runs, by --attach=link alone, and not afterwards.
. test/cli/lib.sh

object="$tmp/ops.o"
names=/proc/sys/net/ipv4/tcp_available_congestion_control
# Names of this run: congestion controls belong to the whole kernel.
sed "s/\"pload_/\"pl$$_/" test/corpus/set/struct_ops.bpf.c >"$tmp/ops.bpf.c"
compile_or_end "$tmp/ops.bpf.c" "$object"
registered() { tr ' ' '\n' <$names | grep "^pl$$_" | sort | tr '\n' ' '; }

refused 'by ioctl' 1 'does not run on perf events' -d 0 "$object"
has 'by ioctl: what would work' "$tmp/err" 'hint: attach it with --attach=link'
refused 'a cookie' 1 'struct_ops links have no cookie' --attach=link --cookie=1 -d 0 "$object"
run --attach=link --dry-run -d 0 "$object"
if [ "$status" = 0 ]; then
	has 'dry run: the link is of a map' "$tmp/err" 'attach_type=BPF_STRUCT_OPS'
else
	skip 'dry run' "$(sed -n 's/^pload: //p' "$tmp/err" | head -n 1)"
fi

# Structs that no option names are not created, and no note names their size.
sed 's/SEC("\.struct_ops/SEC("?.struct_ops/' "$tmp/ops.bpf.c" >"$tmp/optional.bpf.c"
${CLANG:-clang} -O2 -g -target bpf -I. -Iuapi -c -o "$tmp/optional.o" "$tmp/optional.bpf.c" 2>"$tmp/err"
run load --dry-run "$tmp/optional.o"
is 'optional structs: status' "$status" 0
has_not 'optional structs: no note' "$tmp/err" 'max_entries rounded'

run load "$object"
[ "$status" = 0 ] || skip_rest 'registered while pload runs' "$(sed -n 's/^failed *//p' "$tmp/out" | head -n 1)"
is 'loading registers nothing' "$(registered)" ''
"$PLOAD" --attach=link --format=json "$object" >"$tmp/out" 2>"$tmp/err" </dev/null &
pid=$!
tries=0
until [ "$(registered)" = "pl$$_linked pl$$_plain " ] || [ $tries = 6000 ]; do
	tries=$((tries + 1))
	sleep 0.05
done
is 'both are there while it runs' "$(registered)" "pl$$_linked pl$$_plain "
run --attach=link -d 0 "$object"
is 'a second time: refused' "$status" 1
has 'a second time: why' "$tmp/err" 'File exists'
is 'a second time: the first ones stay' "$(registered)" "pl$$_linked pl$$_plain "
kill -INT $pid
wait $pid
is 'ended: status' $? 0
# A process that iterates over all links holds this one for a moment.
tries=0
until [ -z "$(registered)" ] || [ $((tries += 1)) -gt 6000 ]; do sleep 0.05; done
is 'ended: none is left' "$(registered)" ''
has 'ended: the summary' "$tmp/out" '"points":["its struct (struct_ops)"]'
done_testing
