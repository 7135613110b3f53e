#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A kernel is fetched from the first release whose lists and packages exist. Scripts that fetch nothing stand in for Debian's apt.
# Lane: free
. test/cli/lib.sh

mkdir "$tmp/bin" "$tmp/root" "$tmp/root/boot"
echo image >"$tmp/root/boot/vmlinuz-1"
# A mirror with one package for each release; the lists of the release trixie are damaged while $tmp/no-trixie exists.
cat >"$tmp/bin/apt-get" <<END
#!/bin/sh
case "\$*" in
indextargets*) [ -e "$tmp/no-mirror" ] || echo http://mirror/debian/ ;;
*update*) echo "\$APT_CONFIG" >>"$tmp/updates"; case \$APT_CONFIG in */trixie-*) [ ! -e "$tmp/no-trixie" ] ;; esac ||
	{ echo 'E: lists that do not fit' >&2; exit 100; } ;;
*download*) : >linux-image-1_1-1_s390x.deb ;;
*install*debian-archive-keyring*) [ -z "\$APT_CONFIG" ] && : >"$tmp/keyring" ;;
esac
END
cat >"$tmp/bin/apt-cache" <<END
#!/bin/sh
case \$APT_CONFIG in */trixie-*) [ ! -e "$tmp/no-trixie" ] || exit 0 ;; esac
case \$1 in
pkgnames) echo linux-image-1 ;;
madison) echo 'linux-image-1 | 1-1 | http://mirror/debian x/main s390x Packages' ;;
esac
END
cat >"$tmp/bin/dpkg-deb" <<END
#!/bin/sh
tar -c -C "$tmp/root" .
END
chmod +x "$tmp/bin"/*

unset SETUP	# `make check` itself installs

# fetch SUITES - leaves $status, $tmp/out, $tmp/err and, one a line, for which releases lists were asked for.
fetch() {
	: >"$tmp/updates"
	PATH=$tmp/bin:$PATH FRESH=0 DEBIAN_KEYRING=$tmp/keyring sh test/vm/fetch "$tmp/cache" kernel s390x-1 s390x "$1" 'linux-image-[0-9]+' \
		>"$tmp/out" 2>"$tmp/err"
	status=$?
	asked=$(sed 's|/apt.conf$||; s|.*/||' "$tmp/updates" | tr '\n' ' ')
}

: >"$tmp/no-trixie"
fetch bookworm
is 'without keys: status' "$status" 1
has '... what installs them' "$tmp/err" 'E: this machine lacks Debian'"'"'s keys: apt-get install debian-archive-keyring'
is '... no lists were asked for' "$asked" ''
: >"$tmp/no-mirror"
SETUP=install
export SETUP
fetch bookworm
unset SETUP
is 'the keys are installed where that is asked for: status' "$status" 0
rm -r "$tmp/cache"
fetch bookworm
is 'on a machine that is not of Debian: status' "$status" 0
has '... the mirror is that of Debian' "$tmp/cache/apts/bookworm-s390x/etc/sources.list" \
	"[signed-by=$tmp/keyring] http://deb.debian.org/debian bookworm main"
rm -r "$tmp/no-mirror" "$tmp/cache"
fetch trixie
is 'no lists: status' "$status" 1
has '... what apt says' "$tmp/err" 'E: lists that do not fit'
has '... what could not be had' "$tmp/err" 'could be had for s390x from trixie'
fetch trixie,bookworm
is 'another release has it: status' "$status" 0
is '... and its image is there' "$(cat "$tmp/cache/kernels/s390x-1/vmlinuz")" image
is '... whose lists were asked for' "$asked" 'trixie-s390x trixie-s390x bookworm-s390x '
has '... with its security updates' "$tmp/cache/apts/bookworm-s390x/etc/sources.list" 'http://mirror/debian-security bookworm-security main'
fetch trixie,bookworm
is 'what is there is not fetched again' "$status $asked" '0 '
rm -r "$tmp/cache/kernels" "$tmp/no-trixie"
fetch trixie,bookworm
is 'lists that could not be had are asked for again, and the first release is enough' "$status $asked" '0 trixie-s390x '
rm -r "$tmp/cache/kernels"
fetch trixie,bookworm
is 'lists that are there are not' "$status $asked" '0 '

done_testing
