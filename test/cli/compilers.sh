#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The sources are clean under every compiler that is here, and the BPF programs under every clang.
. test/cli/lib.sh

warnings='-std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -I. -Iuapi -fsyntax-only'
for compiler in gcc clang-14 clang-19; do
	if ! command -v $compiler >/dev/null; then
		skip "$compiler" 'not installed'
		continue
	fi
	# shellcheck disable=SC2086
	$compiler $warnings elf/*.c loader/*/*.c 2>"$tmp/err"
	is "$compiler: pload" $? 0
	case $compiler in
	clang*)
		$compiler -target bpf -O2 -g -Wall -Werror -D__TARGET_ARCH_x86 -I. -Iuapi -fsyntax-only progs/*.bpf.c 2>"$tmp/err"
		is "$compiler: progs" $? 0
		for target in 'bpfel -D__TARGET_ARCH_arm64' 'bpfeb -D__TARGET_ARCH_s390'; do
			# shellcheck disable=SC2086
			$compiler -target $target -O2 -g -Wall -I. -Iuapi -fsyntax-only progs/*.bpf.c test/compat/*.bpf.c 2>"$tmp/err"
			is "$compiler: progs and others' programs for $target" $? 0
		done
		;;
	esac
done
done_testing
