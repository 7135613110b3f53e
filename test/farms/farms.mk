# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The suite in the engines on which kernels are tested: docs/farms/index.md.

FARMS_TESTS ?= binding,cookies
.PHONY: check-lava
check-lava: $(VM_BIN) $(O)/attach-regress
	@$(VM_ENV) KERNELS='$(or $(KERNELS),x86-64/6.12)' TESTS='$(or $(TESTS),$(FARMS_TESTS))' DENY='$(DENY)' MINUTES='$(MINUTES)' \
		APPEND='$(APPEND)' sh test/farms/lava/check
