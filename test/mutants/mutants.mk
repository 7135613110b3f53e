# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# make mutants [MUTANT=pattern] [JOBS=n] [QUICK=1]: whether the suite notices when the loader is broken; with GENERATE=n,
# whether any test notices faults made by rules, SEED=s [ROOM="elf loader/core/object"] [RULES="empty second-time"]; with
# GENERATE=by-hand, whether any notices those of [MUTANT=pattern]; with CHANGED=rev, whether a unit test or a script notices three
# faults [GENERATE=n] on the lines that were changed since; docs/mutants.md.

$(O)/faults: $(wildcard test/mutants/fault*.c) test/mutants/faults.h $(O)/flags
	$(call say,LINK)
	$(Q)$(CC) $(FLAGS) -MF $@.d $(LINK_STATIC_$(STATIC)) -o $@ $(filter %.c,$^)

# A recipe that names the variable MAKE itself is run by `make -n`, too.
MUTANTS_ENV = MUTANT='$(MUTANT)' JOBS='$(JOBS)' QUICK='$(QUICK)' MAKE='$(MAKE)' CC='$(CC)' CLANG='$(CLANG)' \
	      GENERATE='$(GENERATE)' SEED='$(SEED)' ROOM='$(ROOM)' RULES='$(RULES)' STAGES='$(STAGES)' CHANGED='$(CHANGED)' FAULTS='$(O)/faults'
.PHONY: mutants
mutants: $(if $(GENERATE)$(CHANGED),$(O)/faults)
	$(Q)$(MUTANTS_ENV) sh test/mutants/$(if $(CHANGED),changed $(O)/mutants/changed,$(if $(GENERATE),generated $(O)/mutants/by-rules,run $(O)/mutants/by-hand))

# The programs that test/mutants/generated builds in its trees, and the command of each test there. Tests that build trees of their
# own, or run nothing of this one, are left out; the suite is run by groups.
MUTANTS_LIST = $(filter-out %/oracle_libelf %/fuzz_objects,$(UNIT)) \
	       $(CLI_OF_PLOAD)
CLI_OF_PLOAD = $(filter test/cli/%,$(filter-out $(call named,alone clone compilers drift fetch hardening install learn mutants regress setup \
	       tally vm),$(CLI)))
.PHONY: mutants-unit mutants-tests mutants-list
mutants-unit: objects $(UNIT)
mutants-tests: mutants-unit $(PLOAD) man $(OBJECTS) $(S)/test/cli/json $(O)/attach-regress
mutants-list:
	@printf '%s\n' $(filter-out $(CLI_OF_PLOAD),$(MUTANTS_LIST)) $(foreach t,$(CLI_OF_PLOAD),'sh $(t)')
