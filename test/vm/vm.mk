# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Real kernels under qemu, with an initramfs that is the suite: docs/vm.md.

VM := $(O)/vm
VM_BIN := $(VM)/bin/watch $(VM)/bin/initrd
VM_ENV = O='$(O)' CACHE='$(CACHE)' MAKE='$(MAKE)' WATCH='$(VM)/bin/watch' MKINITRD='$(VM)/bin/initrd' \
	 KERNEL='$(KERNEL)' KERNELS='$(KERNELS)' QEMU_OPTIONS='$(QEMU_OPTIONS)'

$(VM_BIN): $(VM)/bin/%: test/vm/%.c | setup-build
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) -std=gnu11 $(WARNINGS) -D_GNU_SOURCE -O2 -o $@ $<

# For where this machine refuses BPF.
demo: $(VM_BIN)
check: $(VM_BIN)

# Records of the suite on this machine: what it skipped runs in a guest.
SUITE_RECORDS := $(foreach part,kernel first last,$(VM)/here-$(part).json)

.PHONY: vm-check vm-elsewhere vm-shell
vm-check: $(VM_BIN) $(O)/attach-regress
	@$(VM_ENV) TESTS='$(TESTS)' OPTIONS='$(OPTIONS)' ROUNDS='$(ROUNDS)' JOBS='$(JOBS)' RESUME='$(RESUME)' sh test/vm/check

# The records are those of the last make check, or of one part that is all of the suite.
define ELSEWHERE_LIST
$(if $(wildcard $(SUITE_RECORDS)),,@kernel $(O)/attach-regress --record=$(firstword $(SUITE_RECORDS))
)@elsewhere:attach-regress sh test/vm/elsewhere $(or $(wildcard $(SUITE_RECORDS)),$(firstword $(SUITE_RECORDS)))
endef
vm-elsewhere: export TEST_LIST = $(ELSEWHERE_LIST)
vm-elsewhere: $(VM_BIN) $(O)/attach-regress $(PLOAD) objects
	@printf '%s\n' "$$TEST_LIST" | $(VM_ENV) PLOAD=./$(PLOAD) PROGS=$(O)/progs CLANG='$(CLANG)' sh test/tally

# The judge takes its objects from outside: a guest has no clang.
vm-shell: all $(VM_BIN) $(O)/attach-regress $(O)/judge
	@rm -rf $(O)/judge-objects && mkdir -p $(O)/judge-objects && CLANG='$(CLANG)' $(O)/judge --compile=$(O)/judge-objects
	@$(VM_ENV) FILES="$$(echo $(O)/judge $(O)/tour-loader $(O)/judge-objects/*) $(FILES)" sh test/vm/shell
