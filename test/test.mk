# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The tests: what they are built from, and in which order `make check` runs them.

# Test programs and the code under test are built with sanitizers, in a tree of their own.
S := $(O)/tests
TEST_FLAGS = $(filter-out $(SAN),$(FLAGS)) $(SAN)

UNIT := $(patsubst %.c,$(S)/%,$(wildcard test/unit/*/test_*.c test/fault/test_*.c test/fuzz/fuzz_*.c) \
	  test/unit/elf/oracle_libelf.c)
SUPPORT := $(wildcard test/unit/common/*.c test/fault/fake_kernel*.c test/fuzz/mutate.c test/fuzz/walk_*.c \
	     test/fuzz/libelf_compare.c test/fuzz/libelf_exec.c)
SUPPORT_OBJ := $(SUPPORT:%.c=$(S)/%.o)
LIB_S := $(LIB_SRC:%.c=$(S)/%.o) $(filter-out %/main.o,$(CMD_SRC:%.c=$(S)/%.o))
COMPAT_OBJ := $(patsubst %.c,$(S)/%.o,$(wildcard test/compat/*.c))

# Those of another machine run without its libraries, and without sanitizers.
TEST_LDFLAGS := $(if $(CROSS),-static $(SYSROOT_LDFLAGS),$(SAN))
CHECK_LIBS = $(if $(CROSS),-lcheck -lsubunit -lrt -lm,$(shell pkg-config --libs check)) -pthread

$(S)/%.o: %.c | setup-check
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(TEST_FLAGS) -c -o $@ $<

$(S)/libpload.a: $(LIB_S) $(SUPPORT_OBJ)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

$(UNIT): $(S)/%: $(S)/%.o $(S)/libpload.a
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $(TEST_LDFLAGS) -o $@ $^ $(if $(filter %oracle_libelf,$@),-lelf) -ljson-c -lz $(CHECK_LIBS) -lm

# Two tables of the ABI, one as our headers have it and one as the system's do, compared by test_abi.
ABI := $(S)/test/unit/uapi/abi
ABI_FLAGS = $(filter-out -O% -D_GNU_SOURCE,$(TEST_FLAGS)) -O0 -fno-sanitize=all

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

# Programs written for other people's headers, compiled against ours and nothing else.
$(COMPAT_OBJ): $(S)/test/compat/%.o: test/compat/%.c | setup-build
	@mkdir -p $(@D)
	$(call say,BPF)
	$(Q)$(CLANG) -O2 -g -target $(BPF_TARGET) $(if $(CROSS),-D__TARGET_ARCH_$(BPF_ARCH)) -I. -Iuapi -MMD -MP -c -o $@ $<

OBJECTS = $(BPF_OBJ) $(COMPAT_OBJ) $(CORE_OBJ)

# Objects to read, and how many damaged copies are made of each.
arguments = $(if $(filter %/oracle_libelf %/fuzz_objects,$(1)), 2000 $(OBJECTS))

# One command a line; test/tally runs them and counts what they say.
define TEST_LIST
$(foreach t,$(UNIT),$(t)$(call arguments,$(t))
)$(foreach t,$(filter %/oracle_libelf %/fuzz_objects,$(UNIT)),$(t) 300 $(CORPUS_CHECK)
)$(foreach t,$(filter-out %/lib.sh,$(wildcard test/cli/*.sh test/tour/*.sh)),sh $(t)
)$(FUZZ_CHECK)
$(S)/attach-regress
sh test/vm/tap
endef
export TEST_LIST

# What needs neither a kernel nor root. Programs of another machine are run by qemu, whose answers to system calls are those of
# the kernel here, except that there is no bpf(2).
define UNIT_LIST
$(foreach t,$(UNIT),$(QEMU_USER) $(t)$(call arguments,$(t))
)
endef

.PHONY: check-unit
check-unit: export TEST_LIST = $(UNIT_LIST)
check-unit: setup-check objects $(UNIT) $(OBJECTS)
	@if [ -n '$(CROSS)' ] && ! command -v $(QEMU_USER) >/dev/null; then \
		echo 'skipped unit tests for $(ARCH): no $(QEMU_USER) here (qemu-user-static)'; \
	else \
		printf '%s\n' "$$TEST_LIST" | PROGS=$(O)/progs sh test/tally; \
	fi

$(S)/test/cli/json: $(S)/test/cli/json.o
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $(TEST_LDFLAGS) -o $@ $^ -ljson-c

check: setup-check $(PLOAD) objects tour $(UNIT) $(S)/attach-regress $(S)/regress-self $(COMPAT_OBJ) \
		$(CORPUS_CHECK) $(S)/test/cli/json
	@! sh test/vm/refused ./$(PLOAD) $(O)/progs/ip_count.bpf.o || \
		echo 'so what needs it is skipped here, and the regression suite runs in a virtual machine'
	@printf '%s\n' "$$TEST_LIST" | $(VM_ENV) \
		PLOAD=./$(PLOAD) PROGS=$(O)/progs JSON=$(S)/test/cli/json SELF=$(S)/regress-self CC='$(CC)' CLANG='$(CLANG)' \
		CORPUS='$(CORPUS_LOAD)' sh test/tally

include test/regress/regress.mk

include test/fuzz/fuzz.mk

include test/bench/bench.mk

-include $(shell find $(S) -name "*.d" 2>/dev/null)
