# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# make kernel-mutants [MUTANT=pattern] [QUICK=1] [LIVES=steps] [AGAIN=1] [JOBS=guests]: does the suite notice faults of the kernel? docs/kernel_mutants.md.

KERNEL_MUTANTS = $(VM_ENV) SUITE='$(O)/attach-regress' MUTANT='$(MUTANT)' QUICK='$(QUICK)' AGAIN='$(AGAIN)' JOBS='$(JOBS)' LIVES='$(LIVES)' \
		 sh test/kernel_mutants/run
.PHONY: kernel-mutants kernel-mutants-table kernel-mutants-build
kernel-mutants: $(VM_BIN) $(O)/attach-regress
	@$(KERNEL_MUTANTS) $(O)/kernel-mutants

# Print the results so far.
kernel-mutants-table:
	@$(KERNEL_MUTANTS) table $(O)/kernel-mutants

# The kernel alone, for vm-check.
kernel-mutants-build:
	@$(VM_ENV) sh test/kernel_mutants/build '$(CACHE)'
