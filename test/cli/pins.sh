#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Pinned maps on the real kernel, in a bpffs that only this test sees.
. test/cli/lib.sh

object=$tmp/maps.bpf.o
compile_or_end test/cli/maps.bpf.c "$object"
cause=$(kernel_refuses)
[ -n "$cause" ] || [ -n "$OWN_MOUNTS" ] || unshare -m true 2>"$tmp/err" || cause="unshare -m: $(head -n 1 "$tmp/err")"
skip_rest_if 'pins' "$cause"
if [ -z "$OWN_MOUNTS" ]; then
	rm -rf "$tmp"
	OWN_MOUNTS=1 exec unshare -m sh test/cli/pins.sh
fi
dir=$tmp/bpffs
mkdir "$dir" "$tmp/plain"
mount -t bpf bpf "$dir" 2>"$tmp/err" || skip_rest 'pins' "mount -t bpf: $(head -n 1 "$tmp/err")"
trap 'umount "$dir"; rm -rf "$tmp"' EXIT

refused 'not in a bpffs' 1 'map-pin/no-bpffs' --test-run --pin-path="$tmp/plain" "$object"
refused 'no such directory' 1 'map-pin/no-directory' --test-run --pin-path="$dir/none" "$object"
refused 'a dot in the name' 1 'map-pin/refused' --test-run --map=runs.pin="$dir/a.b" "$object"

run --test-run --format=json --pin-path="$dir" "$object"
is 'first run: status' "$status" 0
is 'first run: counts from 0' "$(value map value map=runs)" 3
is 'first run: the pin stays' "$(test -e "$dir/runs" && echo yes)" yes
run --test-run --format=json --pin-path="$dir" --set small=10 "$object"
is 'second run: counts on' "$(value map value map=runs)" 13
run --test-run --format=json --map runs.pin="$dir/runs" "$object"
is 'by path: counts on' "$(value map value map=runs)" 16
run --test-run --format=json --map runs.pin=none "$object"
is 'none: counts from 0' "$(value map value map=runs)" 3

refused 'other sizes' 1 'map-pin/incompatible' --test-run --pin-path="$dir" --map runs.max_entries=2 "$object"
has 'other sizes: both are named' "$tmp/err" 'has max_entries 1, but the object declares 2'
refused 'other flags' 1 'map-pin/incompatible' --test-run --pin-path="$dir" --map runs.map_flags=1024 "$object"
run --test-run --format=json --pin-path="$dir" "$object"
is 'refusals leave it alone' "$(value map value map=runs)" 19
refused 'two maps, one pin' 1 'two maps' --test-run --pin-path="$dir" --map first.pin="$dir/runs" "$object"

# Names that an object chooses: no path, and nothing that a terminal would act on.
for name in 'r\033ns' 'r\012ns' 'r..s' 'r s ' '../s'; do
	printf '%b' "s/runs/$name/g" >"$tmp/script"
	case $name in *012*) printf 's/runs/r\\\nns/g' >"$tmp/script" ;; ../s) printf 's|runs|../s|g' >"$tmp/script" ;; esac
	LC_ALL=C sed -f "$tmp/script" "$object" >"$tmp/named.bpf.o"
	refused "the name $name" 1 'its name cannot be used for a pin' --test-run --pin-path="$dir" "$tmp/named.bpf.o"
done
is 'such names: no file' "$(find "$dir" "$tmp" -maxdepth 1 -name 'r*ns' | wc -l) $(ls "$dir" | grep -v debug)" '1 runs'

rm "$dir/runs"
refused 'a load that fails' 1 "prog 'entry'" --test-run --pin-path="$dir" --set colour=3 "$object"
is 'a load that fails removes its pin' "$(test -e "$dir/runs" || echo gone)" gone

# A map that the kernel itself adds a flag to, and one that it makes larger, are found again.
cat >"$tmp/added.bpf.c" <<'END'
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>
struct {
	__uint(type, BPF_MAP_TYPE_DEVMAP);
	__uint(max_entries, 3);
	__uint(pinning, LIBBPF_PIN_BY_NAME);
} devices SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(map_flags, BPF_F_NO_COMMON_LRU);
	__uint(max_entries, 3);
	__type(key, int);
	__type(value, int);
	__uint(pinning, LIBBPF_PIN_BY_NAME);
} lru SEC(".maps");
struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 100);
	__uint(pinning, LIBBPF_PIN_BY_NAME);
} ring SEC(".maps");
SEC("xdp") int prog(void *ctx) { (void)ctx; return 2; }
char LICENSE[] SEC("license") = "GPL";
END
$CLANG -O2 -g -target bpf -I. -Iuapi -c -o "$tmp/added.bpf.o" "$tmp/added.bpf.c"
for i in 1 2; do
	run --test-run --pin-path="$dir" "$tmp/added.bpf.o"
	is "what the kernel adds: run $i" "$status" 0
done

done_testing
