# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The tests: their sources, and the order in which `make check` runs them.

# for_only TEXT FILES - the files, unless ONLY names tests that are not in the text.
for_only = $(if $(ONLY),$(if $(findstring $(ONLY),$(1)),$(2)),$(2))

# Test programs and the code under test are built with sanitizers, in a tree of their own. Half of the time that they take to build
# is optimization and debug information, of which they need little.
S := $(O)/tests
TEST_CFLAGS ?= -O1 -g1
TEST_FLAGS = $(BASE_FLAGS) $(TEST_CFLAGS) $(SAN) -fPIC -fno-semantic-interposition $(CPPFLAGS) $(CFLAGS)

UNIT := $(patsubst %.c,$(S)/%,$(filter-out $(if $(CROSS),%/test_memory.c %/test_memory_objects.c %/test_memory_output.c),$(wildcard test/unit/*/test_*.c test/fault/test_*.c \
	  test/fuzz/fuzz_*.c)) test/unit/elf/oracle_libelf.c)
SUPPORT := $(wildcard test/unit/common/*.c test/fault/fake_*.c test/fuzz/mutate.c test/fuzz/walk_*.c \
	     test/fuzz/libelf_compare.c test/fuzz/libelf_exec.c) $(if $(COVERAGE),test/coverage/exit.c)
SUPPORT_OBJ := $(SUPPORT:%.c=$(S)/%.o)
LIB_S := $(LIB_SRC:%.c=$(S)/%.o) $(filter-out %/main.o,$(CMD_SRC:%.c=$(S)/%.o))
COMPAT_OBJ := $(patsubst %.c,$(S)/%.o,$(wildcard test/compat/*.c))

# Those of another machine run without its libraries, and without sanitizers.
TEST_LDFLAGS := $(CFLAGS) $(if $(CROSS),-static $(SYSROOT_LDFLAGS),$(SAN)) $(LDFLAGS)
CHECK_LIBS = $(if $(CROSS),-lcheck -lsubunit -lrt -lm,$(shell pkg-config --libs check)) -pthread

# Objects compiled with other flags are compiled again.
$(S)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(TEST_FLAGS)' | cmp -s - $@ || echo '$(CC) $(TEST_FLAGS)' >$@

$(S)/%.o: %.c $(S)/flags | setup-check
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(TEST_FLAGS) -c -o $@ $<

$(S)/libpload.a: $(LIB_S) $(SUPPORT_OBJ)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

# A shared library, since linking all of it into each of the programs would take longer than running them.
$(S)/libpload.so: $(LIB_S) $(SUPPORT_OBJ)
	$(call say,LINK)
	$(Q)$(CC) $(TEST_LDFLAGS) -shared -Wl,-soname,$(@F) -o $@ $^ -lelf $(LIBS) $(CHECK_LIBS) -lm

# Libraries of another machine are not where its programs look for them.
LIBPLOAD := $(S)/libpload.$(if $(CROSS),a,so)
TEST_RPATH := $(if $(CROSS),,-Wl,-rpath,$(abspath $(S)))

$(UNIT): $(S)/%: $(S)/%.o $(LIBPLOAD)
	$(call say,LINK)
	$(Q)$(CC) $(TEST_LDFLAGS) $(TEST_RPATH) -o $@ $^ $(if $(filter %oracle_libelf,$@),-lelf) $(LIBS) $(CHECK_LIBS) -lm

# Two tables of the ABI, one as our headers have it and one as the system's do, compared by test_abi.
ABI := $(S)/test/unit/uapi/abi
ABI_FLAGS = $(filter-out -O% -D_GNU_SOURCE,$(TEST_FLAGS)) -O0 -U_FORTIFY_SOURCE -fno-sanitize=all

$(ABI)_ours.c: test/unit/uapi/test_abi_table.sh test/unit/uapi/test_abi.def $(wildcard uapi/linux/*.h)
	@mkdir -p $(@D)
	$(Q)sh $< abi_ours test/unit/uapi/test_abi.def >$@.new && mv $@.new $@
$(ABI)_system.c: test/unit/uapi/test_abi_table.sh test/unit/uapi/test_abi.def $(wildcard uapi/linux/*.h) | setup-check
	@mkdir -p $(@D)
	$(Q)sh $< abi_system test/unit/uapi/test_abi.def '$(CC)' >$@.new && mv $@.new $@
$(ABI)_ours.o: $(ABI)_ours.c | setup-check
	$(call say,CC)
	$(Q)$(CC) $(ABI_FLAGS) -c -o $@ $<
$(ABI)_system.o: $(ABI)_system.c
	$(call say,CC)
	$(Q)$(CC) $(filter-out -I%,$(ABI_FLAGS)) -c -o $@ $<
$(S)/test/unit/uapi/test_abi: $(ABI)_ours.o $(ABI)_system.o

$(S)/test/unit/judge/test_assemble: $(patsubst %.c,$(S)/%.o,$(wildcard test/judge/conformance/assemble*.c))

# It replaces malloc(3), which a static program cannot; the sanitizer calls it before it is ready itself.
$(S)/test/fault/failing_malloc.o: private TEST_FLAGS += -fno-sanitize=all
$(S)/test/fault/test_memory $(S)/test/fault/test_memory_objects $(S)/test/fault/test_memory_output: $(S)/test/fault/failing_malloc.o

# Programs written for other people's headers, compiled against ours and nothing else.
$(COMPAT_OBJ): $(S)/test/compat/%.o: test/compat/%.c | setup-build
	@mkdir -p $(@D)
	$(call say,BPF)
	$(Q)$(CLANG) -O2 -g -target $(BPF_TARGET) $(if $(CROSS),-D__TARGET_ARCH_$(BPF_ARCH)) -I. -Iuapi -MMD -MP -c -o $@ $<

include test/regress/regress.mk

OBJECTS := $(BPF_OBJ) $(COMPAT_OBJ) $(CO_RE_OBJ)

include test/hostile/hostile.mk
include test/fuzz/fuzz.mk

# Objects to read, and how many damaged copies are made of each.
arguments = $(if $(filter %/oracle_libelf %/fuzz_objects,$(1)), 2000 $(OBJECTS))$(if $(filter %/test_memory_objects,$(1)), $(CORPUS_LOAD))

# A command on each line for test/tally, the longest first. The lane @kernel has those that write lines of tracefs: each pload removes
# the lines that a killed one left, also those of another test. The suite mostly waits for the kernel and does not mind a second one
# ("Two suites on one kernel", docs/regress.md), so that three parts of it run side by side: test/regress/groups/groups.h has the lane of
# each group. The lane @cli has what loads programs and looks at its own only. A script is in @cli unless it has a line "# Lane: kernel",
# because it writes lines of tracefs, "# Lane: free", because it loads no program, or few, or the name of another lane, because the
# scripts of @cli would take the longest otherwise. The judge of the course mostly waits.
comma := ,
empty :=
list = $(subst $(empty) $(empty),$(comma),$(strip $(1)))
in_lane = $(call list,$(shell sed -n 's/^\tGROUP(\([a-z_]*\), $(1), [a-z]*).*/\1/p' test/regress/groups/groups.h))
FIRST_GROUPS := $(call in_lane,first)
LAST_GROUPS := $(call in_lane,last)
SLOW := $(foreach t,test_session test_report test_compare test_pinned test_file test_co_re test_value,$(filter %/$(t),$(UNIT)))
CLI := $(filter-out %/lib.sh,$(wildcard test/cli/*.sh test/tour/*.sh test/house/*.sh test/walks/*.sh test/drift/*.sh test/book/*.sh test/farms/*.sh))
LANES := $(shell awk '/^. Lane: [a-z]+$$/ { print $$3 ":" FILENAME }' $(CLI))
scripts_of = $(patsubst $(1):%,%,$(filter $(1):%,$(LANES)))
FREE_CLI := $(call scripts_of,free)

define TEST_LIST
$(foreach t,$(SLOW),$(t)
)$(FUZZ_CHECK)$(foreach t,$(FREE_CLI),sh $(t)
)$(foreach t,$(filter %/oracle_libelf %/fuzz_objects,$(UNIT)),$(t) 300 $(CORPUS_CHECK)
)$(foreach t,$(filter-out $(SLOW),$(UNIT)),$(t)$(call arguments,$(t))
)@kernel $(S)/attach-regress --record=$(VM)/here-kernel.json -d '$(FIRST_GROUPS),$(LAST_GROUPS)'
@first $(S)/attach-regress --record=$(VM)/here-first.json -a '$(FIRST_GROUPS)'
@last $(S)/attach-regress --record=$(VM)/here-last.json -a '$(LAST_GROUPS)'
$(foreach t,$(filter-out free:%,$(LANES)),@$(subst :, sh ,$(t))
)$(foreach t,$(filter-out $(subst :, ,$(LANES)),$(CLI)),@cli sh $(t)
)@judge sh test/judge/judge.sh
@judge sh test/judge/loaders.sh
@guests sh test/vm/tap
@elsewhere:attach-regress sh test/vm/elsewhere $(SUITE_RECORDS)
endef
export TEST_LIST

# These need neither a kernel nor root. Programs of another machine are run by qemu, whose answers to system calls are those of the
# kernel here, except that there is no bpf(2).
define UNIT_LIST
$(foreach t,$(SLOW) $(filter-out $(SLOW),$(UNIT)),$(QEMU_USER) $(t)$(call arguments,$(t))
)
endef

# One group of the suite as well, for a look between two changes.
define QUICK_LIST
$(foreach t,$(SLOW) $(filter-out $(SLOW) %/oracle_libelf %/fuzz_objects,$(UNIT)),$(t)
)@kernel $(S)/attach-regress -t binding
endef

TALLY = printf '%s\n' "$$TEST_LIST" | PROGS=$(O)/progs sh test/tally

.PHONY: check-unit check-quick FORCE
check-unit: export TEST_LIST = $(UNIT_LIST)
check-unit: setup-check objects $(UNIT) $(OBJECTS) $(if $(CROSS),,$(CORPUS_LOAD))
	@if [ -n '$(CROSS)' ] && ! command -v $(QEMU_USER) >/dev/null; then \
		echo 'skipped unit tests for $(ARCH): no $(QEMU_USER) here (qemu-user-static)'; \
	else \
		$(TALLY); \
	fi

check-quick: export TEST_LIST = $(QUICK_LIST)
check-quick: setup-check objects $(UNIT) $(OBJECTS) $(S)/attach-regress
	@$(TALLY)

$(S)/test/cli/json: $(S)/test/cli/json.o
	$(call say,LINK)
	$(Q)$(CC) $(TEST_LDFLAGS) -o $@ $^ -ljson-c

$(S)/test/cli/same_types: $(S)/test/cli/same_types.o $(LIBPLOAD)
	$(call say,LINK)
	$(Q)$(CC) $(TEST_LDFLAGS) $(TEST_RPATH) -o $@ $^ $(LIBS)

$(S)/test/cli/refuse $(S)/test/cli/lie $(S)/test/cli/watched: %: %.o
	$(call say,LINK)
	$(Q)$(CC) $(TEST_LDFLAGS) -o $@ $^

# Proofs of the tests run in `make check` only where they have changed: changed() of test/cli/lib.sh.
.PHONY: check-all
check-all: EVERYTHING := 1
check-all: check
CHANGES = $(if $(EVERYTHING)$(ONLY),,$(O)/changed)

CHECK_NEEDS = $(PLOAD) objects tour man $(O)/attach-regress $(O)/judge $(UNIT) $(S)/attach-regress $(S)/regress-self $(COMPAT_OBJ) \
	$(CORPUS_CHECK) $(addprefix $(S)/test/cli/,json same_types refuse lie watched) $(W)/pload $(HOSTILE) $(O)/pload-core

# With ONLY=..., the tests of that name and what they use: the words of a script tell. A name of neither needs all.
only = $(strip $(foreach t,$(1),$(if $(findstring $(ONLY),$(t)),$(t))))
ONLY_SCRIPTS = $(call only,$(CLI) $(wildcard test/judge/*.sh))
ONLY_UNIT = $(call only,$(UNIT))
used = $(if $(shell grep -lE '$(1)' /dev/null $(ONLY_SCRIPTS)),$(2))
ONLY_NEEDS = objects $(ONLY_UNIT) $(if $(filter %objects %oracle_libelf,$(ONLY_UNIT)),$(OBJECTS) $(CORPUS_CHECK)) \
	$(if $(ONLY_SCRIPTS),$(PLOAD) tour man $(addprefix $(S)/test/cli/,json refuse lie watched)) \
	$(call used,SAME,$(S)/test/cli/same_types) $(call used,HOSTILE,$(HOSTILE)) $(call used,WALKS,$(W)/pload) \
	$(call used,judge,$(O)/judge) $(call used,CORPUS,$(CORPUS_CHECK)) $(call used,tests/test/compat,$(COMPAT_OBJ)) \
	$(call used,libpload,$(LIBPLOAD)) $(call used,pload-core,$(O)/pload-core) $(call used,tests/test/unit|holes/lib,$(UNIT)) \
	$(call used,attach-regress|SELF|mutants/common|farms/lib|vm/lib,$(O)/attach-regress $(S)/attach-regress $(S)/regress-self)
check: setup-check $(if $(ONLY),$(if $(ONLY_SCRIPTS)$(ONLY_UNIT),$(ONLY_NEEDS),$(if $(findstring attach-regress,$(ONLY)),$(PLOAD) objects \
		$(S)/attach-regress,$(CHECK_NEEDS))),$(CHECK_NEEDS))
	@! [ -x $(PLOAD) ] || ! sh test/vm/refused ./$(PLOAD) $(O)/progs/ip_count.bpf.o || \
		echo 'so what needs it is skipped here, and the regression suite runs in a virtual machine'
	$(if $(CHANGES),@sh test/changed >$(CHANGES))
	@printf '%s\n' "$$TEST_LIST" | grep -F -e '$(ONLY)' | $(VM_ENV) CHANGES='$(CHANGES)' TIMES='$(O)/times' \
		PLOAD=./$(PLOAD) CORE=$(O)/pload-core PROGS=$(O)/progs JSON=$(S)/test/cli/json SAME=$(S)/test/cli/same_types SELF=$(S)/regress-self WALKS=$(W)/pload HOSTILE=$(HOSTILE) \
		LIBS='$(LIBS)' CC='$(CC)' CLANG='$(CLANG)' CORPUS='$(CORPUS_LOAD)' sh test/tally

include test/bench/bench.mk

-include $(shell find $(S) -name "*.d" 2>/dev/null)
