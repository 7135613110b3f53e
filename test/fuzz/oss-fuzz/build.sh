#!/bin/bash -eu
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Builds the fuzz targets as OSS-Fuzz asks for it: by $CC with $CFLAGS, linked with $LIB_FUZZING_ENGINE, which is C++, into $OUT. Where
# they run, there are no libraries, so those of ours are linked statically. Their first inputs are made without that instrumentation.
cc=$CC flags=$CFLAGS link="$CXX $CXXFLAGS $LIB_FUZZING_ENGINE"
unset CC CXX CFLAGS CXXFLAGS
libelf=$(pkg-config --static --libs-only-l libelf)
make -j"$(nproc)" oss-fuzz WERROR=0 OUT="$OUT" FUZZ_CC="$cc" FUZZ_CFLAGS="$flags" FUZZ_LINK="$link" FUZZ_LIBELF="-Wl,-Bstatic $libelf" \
	FUZZ_LIBS='-Wl,-Bstatic -ljson-c -lz -liberty -Wl,-Bdynamic -lm -pthread'
