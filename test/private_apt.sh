# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# An apt with a state of its own, of any release and architecture, which leaves the running system alone. Sourced, not run.
# shellcheck shell=sh

# The mirror is the one that this machine uses; that of a machine that is not Debian's is Debian's own.
mirror() {
	APT_CONFIG='' apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Origin: Debian' 2>/dev/null |
		grep '/debian/*$' | head -n 1 | grep . || echo http://deb.debian.org/debian
}

# Debian's keys, by which apt verifies what it fetches.
keyring=${DEBIAN_KEYRING:-/usr/share/keyrings/debian-archive-keyring.gpg}

# private_apt DIR DAYS ARCHITECTURE SUITE... - makes apt work in DIR, with lists at most DAYS old when there is a network.
# With SETUP=install it installs the keys that a machine of Ubuntu lacks. What it finds is signed by Debian; its own status is empty,
# so that nothing counts as installed. A release that the mirror has dropped, or whose list is not what the release has signed
# (mirrors fetch them at different times), is no error if there are others, and is asked for again the next time; if there is none,
# it says why and fails.
private_apt() {
	apt=$1 days=$2 architecture=$3
	shift 3
	[ -r "$keyring" ] || [ "${SETUP:-}" != install ] || env -u APT_CONFIG sh "$(dirname "$0")/../../.ci/setup" keys >&2
	export APT_CONFIG="$apt/apt.conf"
	[ -z "$(find "$apt/done" -mtime "-$days" 2>/dev/null)" ] || return 0
	if [ ! -r "$keyring" ]; then
		echo "E: this machine lacks Debian's keys: apt-get install debian-archive-keyring" >&2
		return 1
	fi
	uri=$(mirror)
	mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial" "$apt/etc"
	: >"$apt/state/status"
	cat >"$apt/apt.conf" <<-END
		Dir::State "$apt/state";
		Dir::State::status "$apt/state/status";
		Dir::Cache "$apt/cache";
		Dir::Etc::sourcelist "$apt/etc/sources.list";
		Dir::Etc::sourceparts "/dev/null";
		APT::Architecture "$architecture";
		APT::Architectures { "$architecture"; };
		APT::Sandbox::User "$(id -un)";
		Acquire::Languages "none";
	END
	for release in "$@"; do
		case $release in
		*-security) from=$(echo "$uri" | sed 's|/debian/*$|/debian-security|') ;;
		*) from=$uri ;;
		esac
		echo "deb [signed-by=$keyring] $from $release main"
	done >"$apt/etc/sources.list"
	if apt-get -qq -o APT::Update::Error-Mode=any update 2>"$apt/update.log"; then
		touch "$apt/done"
	elif [ -z "$(apt-cache pkgnames)" ]; then
		cat "$apt/update.log" >&2
		return 1
	fi
}

# "PACKAGE VERSION" of every version of the packages named, newest first.
versions() {
	apt-cache madison "$@" | awk '$NF == "Packages" && !seen[$1, $3]++ { print $1, $3 }'
}

# The file in DIR of version $3 of package $2; its architecture is the last part of the name: any, or $4.
deb() {
	ls "$1/$2_$(echo "$3" | sed 's/:/%3a/')"_${4:-*}.deb "$1/$2_$(echo "$3" | sed 's/:/%3a/')"_all.deb 2>/dev/null |
		head -n 1 | grep .
}

# debs DIR [ARCHITECTURE]: reads "PACKAGE VERSION" lines, downloads to DIR what is not there, prints the files.
debs() {
	wanted=$(cat)
	mkdir -p "$1"
	missing=$(echo "$wanted" | while read -r package version; do
		deb "$1" "$package" "$version" "${2:-}" >/dev/null || echo "$package=$version"
	done)
	# shellcheck disable=SC2086 # a word each
	[ -z "$missing" ] || (cd "$1" && apt-get -qq download $missing) >/dev/null ||
		echo "$(basename "$0"): not everything could be downloaded" >&2
	echo "$wanted" | while read -r package version; do
		deb "$1" "$package" "$version" "${2:-}" || true
	done
}
