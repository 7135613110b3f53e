#!/bin/bash -eu
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Builds the fuzz targets as OSS-Fuzz asks for it: by $CC with $CFLAGS, linked with $LIB_FUZZING_ENGINE, into $OUT. Where they run,
# there are no libraries, so all but libc are linked statically. The inputs are made by programs without that instrumentation.
cc=$CC cflags=$CFLAGS
unset CC CXX CFLAGS CXXFLAGS
mapfile -t libelf < <(pkg-config --static --libs-only-l libelf | tr ' ' '\n')
make -j"$(nproc)" oss-fuzz WERROR=0 OUT="$OUT" FUZZ_CC="$cc" FUZZ_CFLAGS="$cflags" FUZZ_ENGINE="$cflags $LIB_FUZZING_ENGINE" \
	FUZZ_LIBELF="-Wl,-Bstatic ${libelf[*]}" FUZZ_LIBS='-Wl,-Bstatic -ljson-c -lz -llzma -liberty -Wl,-Bdynamic -lm -pthread'
