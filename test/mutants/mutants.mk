# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# make mutants [MUTANT=pattern] [JOBS=n] [QUICK=1]: whether the suite notices when the loader is broken; docs/mutants.md.

.PHONY: mutants
mutants:
	$(Q)MUTANT='$(MUTANT)' JOBS='$(JOBS)' QUICK='$(QUICK)' MAKE='$(MAKE)' sh test/mutants/run $(O)/mutants
