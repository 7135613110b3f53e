# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# make mutants [MUTANT=pattern] [JOBS=n]: whether the suite notices when the loader is broken; docs/mutants.md.

.PHONY: mutants
mutants:
	$(Q)MUTANT='$(MUTANT)' JOBS='$(JOBS)' MAKE='$(MAKE)' sh test/mutants/run $(O)/mutants
