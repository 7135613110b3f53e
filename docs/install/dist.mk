# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Releases: the licences, the tarball, static programs for each machine, what is in them, and an RPM. docs/release.md describes it.

.PHONY: check-licences
check-licences:
	@command -v reuse >/dev/null || { echo 'pload: reuse is not installed (Debian: reuse)' >&2; exit 1; }
	@reuse lint
