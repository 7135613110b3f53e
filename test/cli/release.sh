#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The tarball of a release has the same files with git and without it, and the SPDX list names each file and library with its license.
# `make reproducible-dist` builds two whole releases.
# Lane: free
. test/cli/lib.sh

version=$(sed -n 's/^## \([0-9.]*\), .*/\1/p' CHANGELOG.md | head -n 1)
is 'the spec of the RPMs has the version of the change log' "$(sed -n 's/^Version: //p' docs/install/pload.spec)" "$version"

sh docs/install/files >"$tmp/files"
mkdir -p "$tmp/tree"
tar -c -T "$tmp/files" | tar -x -C "$tmp/tree"
mkdir -p "$tmp/tree/build" "$tmp/tree/debian/pload/usr"
touch "$tmp/tree/pload" "$tmp/tree/build/x.c" "$tmp/tree/debian/pload/usr/x" "$tmp/tree/debian/files" "$tmp/tree/elf/image.o"
(cd "$tmp/tree" && sh docs/install/files) >"$tmp/others"
is 'a tree without git has the same files' "$(diff "$tmp/files" "$tmp/others" | head -n 5)" ''

mkdir -p "$tmp/small/a" && cp LICENSE "$tmp/small"
printf '# SPDX-License-''Identifier: GPL-2.0-only\n' >"$tmp/small/a/kernel.patch"
printf '// SPDX-License-''Identifier: GPL-2.0-only OR BSD-2-Clause\n' >"$tmp/small/a/b.c"
echo tarball >"$tmp/x.tar.xz"
echo 'zlib|zlib1g-dev|1:1.3|Zlib|Zlib' >"$tmp/libraries"
sbom() { SOURCE_DATE_EPOCH=86400 TZ=$1 sh docs/install/sbom 1.2 "$tmp/x.tar.xz" "$tmp/small" x86_64 "$tmp/x.tar.xz" "$tmp/libraries"; }
sbom UTC >"$tmp/out" 2>"$tmp/err"
is 'SPDX: status' $? 0
is 'each file has its license' "$(awk '/^FileName/ { n = $2 } n && /^LicenseConcluded/ { sub(/^[^ ]* /, n "="); print; n = "" }' "$tmp/out")" \
	'./LICENSE=GPL-2.0-only OR BSD-2-Clause
./a/b.c=GPL-2.0-only OR BSD-2-Clause
./a/kernel.patch=GPL-2.0-only'
has 'the program contains a library' "$tmp/out" 'SPDXRef-x86-64 STATIC_LINK SPDXRef-x86-64-zlib'
has 'whose version is known' "$tmp/out" 'PackageVersion: 1:1.3'
has 'the time is that of the release' "$tmp/out" 'Created: 1970-01-02T00:00:00Z'
is 'a second list is the same' "$(sbom Asia/Tokyo | cmp - "$tmp/out" 2>&1)" ''
done_testing
