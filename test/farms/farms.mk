# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The suite in the engines on which kernels are tested: docs/farms.md.

FARMS_TESTS ?= binding,cookies
.PHONY: check-lava
check-lava: $(VM_BIN) $(O)/attach-regress
	@$(VM_ENV) KERNELS='$(or $(KERNELS),x86-64/6.12)' TESTS='$(or $(TESTS),$(FARMS_TESTS))' DENY='$(DENY)' MINUTES='$(MINUTES)' \
		APPEND='$(APPEND)' sh test/farms/lava/check

.PHONY: check-autopkgtest
check-autopkgtest: $(O)/attach-regress
	@sh .ci/setup autopkgtest
	@$(VM_ENV) TESTS='$(or $(TESTS),$(FARMS_TESTS))' DENY='$(DENY)' sh test/farms/autopkgtest/check

# A collection for the kernel's run_kselftest.sh, without its sources.
.PHONY: kselftest-install check-kselftest
kselftest-install: $(O)/attach-regress
	@[ -n '$(INTO)' ] || { echo 'INTO=DIR: the directory of run_kselftest.sh' >&2; exit 2; }
	@O='$(O)' sh test/farms/kselftest/install '$(INTO)'
check-kselftest: $(O)/attach-regress
	@$(VM_ENV) TESTS='$(or $(TESTS),$(FARMS_TESTS))' sh test/farms/kselftest/check

# Compares the workflow with GitHub's schema, by a validator of npm (network).
.PHONY: check-workflows
check-workflows:
	@cd .github/workflows && npm exec --yes --package=@action-validator/core --package=@action-validator/cli -- \
		action-validator check.yml && echo 'workflows: valid'
