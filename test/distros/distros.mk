# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# This tree on fresh machines of other distributions: docs/distros.md.

.PHONY: distros
distros:
	@CACHE='$(CACHE)' RELEASES='$(RELEASES)' STEPS='$(STEPS)' CLI='$(CLI_TESTS)' JOBS='$(JOBS)' APT_OPTIONS='$(APT_OPTIONS)' \
		sh test/distros/distros
