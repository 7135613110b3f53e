#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Each function of the kernel that a page or comment names is in the file that it names. KERNEL_SOURCE is the top of a source of
# Linux 6.12 or later: apt-get install linux-source unpacks one.
# Lane: free
# shellcheck source=test/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
source=${KERNEL_SOURCE:-$(ls -d /usr/src/linux-source-*/ 2>/dev/null | tail -n 1)}
skip_rest_if 'functions of the kernel' "$([ -r "$source/kernel/bpf/verifier.c" ] || echo 'no source of a kernel: set KERNEL_SOURCE')"

# Functions that came after Linux 6.12 or went before it; their pages say so.
others='bpf_prog_stream_read kmalloc_nolock bpf_map_charge_init bpf_prog_charge_memlock'
# shellcheck disable=SC2046 # names of files have no blanks
python3 test/book/kernel_names.py "$source" $(find docs -name '*.md') $(find elf loader test/regress -name '*.[ch]') >"$tmp/names"
pairs=$(sed -n 's/^\([0-9]*\) pairs$/\1/p' "$tmp/names")
[ -d "$source/arch/s390" ] || sed -i '/arch\/s390/d' "$tmp/names"
for name in $others; do sed -i "/: $name is not in/d" "$tmp/names"; done
is 'functions that are not in their file' "$(grep -v ' pairs$' "$tmp/names")" ''
is 'pages name functions' "$([ "${pairs:-0}" -ge 150 ] && echo so)" so

# The check can fail: a function in another file, and the second of two.
cat >"$tmp/page.md" <<-EOF
	The verifier (\`check_cfg()\` in \`kernel/bpf/syscall.c\`) and \`bpf_check()\` and
	\`no_such_function()\` in kernel/bpf/verifier.c (Linux 3.18); \`map_create()\` (kernel/bpf/btf.c).
EOF
is 'a wrong file, and a function that does not exist' "$(python3 test/book/kernel_names.py "$source" "$tmp/page.md" | sed 's/^[^ ]* //')" \
	"check_cfg is not in kernel/bpf/syscall.c
map_create is not in kernel/bpf/btf.c
no_such_function is not in kernel/bpf/verifier.c
pairs"
done_testing
