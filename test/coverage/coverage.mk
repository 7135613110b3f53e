# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# make coverage [PART=unit|cli|suite|report] [UNCOVERED=folder]: lines and branches that the tests run, per folder; docs/mutants.md.

# Everything is compiled once, without optimization, so that a branch of the source is one of the program; pload, the suite and the
# unit tests consist of the same objects and add to the same counts, which stay until `make clean O=build/coverage`.
COVERAGE_FLAGS := COVERAGE=1 O=build/coverage SAN= CFLAGS='-O0 -g1 --coverage' LDFLAGS=-Wl,--wrap=syscall

.PHONY: coverage coverage-run
coverage:
	$(Q)$(MAKE) --no-print-directory $(COVERAGE_FLAGS) coverage-run

$(S)/pload: $(S)/loader/core/cmd/main.o $(S)/libpload.a
	$(call say,LINK)
	$(Q)$(CC) $(TEST_LDFLAGS) -static -o $@ $^ $(LIBS)

# These run no pload, or one that is built in another way. signals.sh sends a signal at each system call, and writing the counts takes
# 2,000; unprivileged.sh runs programs that may not write them, and print that.
UNCOUNTED := $(call named,clone compilers drift fetch hardening house install learn mutants setup signals tally tour unprivileged vm walks)

# The parts, in the form of TEST_LIST.
define COVERAGE_unit
$(foreach t,$(SLOW) $(filter-out $(SLOW),$(UNIT)),$(t)$(call arguments,$(t))
)
endef
define COVERAGE_cli
$(foreach t,$(filter-out $(UNCOUNTED),$(FREE_CLI)),sh $(t)
)$(foreach t,$(filter-out $(UNCOUNTED),$(TRACEFS_CLI)),@kernel sh $(t)
)$(foreach t,$(filter-out $(UNCOUNTED) $(FREE_CLI) $(TRACEFS_CLI),$(CLI)),@cli sh $(t)
)
endef
# Each child that a worker of the group "scope" starts would write its counts, and the tests end after a minute.
define COVERAGE_suite
@kernel $(S)/attach-regress -d '$(FIRST_GROUPS),$(LAST_GROUPS)'
@first $(S)/attach-regress -a '$(FIRST_GROUPS)'
@last $(S)/attach-regress -a '$(subst scope$(comma),,$(LAST_GROUPS))'
endef

COVERAGE_PARTS := $(filter-out report,$(or $(PART),unit suite cli))
ifneq ($(filter-out unit cli suite report,$(PART)),)
$(error PART=$(PART): the parts are unit, cli, suite and report)
endif
coverage-run: $(if $(COVERAGE_PARTS),setup-check objects $(S)/pload) $(if $(filter unit,$(COVERAGE_PARTS)),$(UNIT) $(OBJECTS) $(CORPUS_LOAD)) \
	$(if $(filter suite,$(COVERAGE_PARTS)),$(S)/attach-regress) \
	$(if $(filter cli,$(COVERAGE_PARTS)),$(S)/regress-self $(CORPUS_CHECK) $(COMPAT_OBJ) $(S)/test/cli/json)
COVERAGE_ENV = PLOAD=$(S)/pload PROGS=$(O)/progs JSON=$(S)/test/cli/json SELF=$(S)/regress-self LIBS='$(LIBS)' CC='$(CC)' \
	CLANG='$(CLANG)' CORPUS='$(CORPUS_LOAD)'

ifdef COVERAGE
export COVERAGE_unit COVERAGE_cli COVERAGE_suite
endif

# Processes that give up root add to the counts as well.
coverage-run:
	@status=0; \
	$(foreach p,$(COVERAGE_PARTS),\
		$(S)/pload --version >/dev/null; find $(S) -name '*.gcda' -exec chmod a+rw {} +; \
		printf '%s\n' "$$COVERAGE_$(p)" | $(COVERAGE_ENV) sh test/tally || status=1;) \
	sh test/coverage/report $(S) $(UNCOVERED) || status=1; exit $$status
