# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# make mutants [MUTANT=pattern] [JOBS=n] [QUICK=1]: whether the suite notices when the loader is broken; docs/mutants.md.

# A recipe that names the variable MAKE itself is run by `make -n`, too.
MUTANTS_ENV = MUTANT='$(MUTANT)' JOBS='$(JOBS)' QUICK='$(QUICK)' MAKE='$(MAKE)'
.PHONY: mutants
mutants:
	$(Q)$(MUTANTS_ENV) sh test/mutants/run $(O)/mutants
