# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The tests: what they are built from, and in which order `make check` runs them.

# Test programs and the code under test are built with sanitizers, in a tree of their own.
S := $(O)/tests
TEST_FLAGS = $(filter-out $(SAN),$(FLAGS)) $(SAN) -Itest/unit

UNIT := $(patsubst %.c,$(S)/%,$(wildcard test/unit/test_*.c test/fault/test_*.c test/fuzz/fuzz_*.c) \
	  test/unit/oracle_libelf.c)
REGRESS := $(patsubst %.c,$(S)/%,$(wildcard test/regress/regress*.c))
SUPPORT := $(wildcard test/unit/suite.c test/unit/*_builder.c test/fault/fake_kernel*.c)
SUPPORT_OBJ := $(SUPPORT:%.c=$(S)/%.o)
LIB_S := $(LIB_SRC:%.c=$(S)/%.o) $(filter-out %/main.o,$(CMD_SRC:%.c=$(S)/%.o))
COMPAT_OBJ := $(patsubst %.c,$(S)/%.o,$(wildcard test/compat/*.c))

CHECK_LIBS = $(shell pkg-config --libs check) -pthread

$(S)/%.o: %.c | setup-check
	@mkdir -p $(@D)
	$(CC) $(TEST_FLAGS) -c -o $@ $<

$(S)/libpload.a: $(LIB_S) $(SUPPORT_OBJ)
	@rm -f $@
	$(AR) rcs $@ $^

$(UNIT) $(REGRESS): $(S)/%: $(S)/%.o $(S)/libpload.a
	$(CC) $(CFLAGS) $(SAN) -o $@ $^ -ljson-c $(CHECK_LIBS) $(if $(filter %oracle_libelf,$@),-lelf) -lm

# Programs written for other people's headers, compiled against ours and nothing else.
$(COMPAT_OBJ): $(S)/test/compat/%.o: test/compat/%.c | setup-build
	@mkdir -p $(@D)
	$(CLANG) -O2 -g -target bpf -I. -Iuapi -MMD -MP -c -o $@ $<

OBJECTS = $(BPF_OBJ) $(COMPAT_OBJ)

check: setup-check $(PLOAD) objects $(UNIT) $(REGRESS) $(COMPAT_OBJ)
	@PLOAD=./$(PLOAD) PROGS=$(O)/progs CC='$(CC)' CLANG='$(CLANG)' sh test/tally <$(S)/list

-include $(wildcard $(S)/*/*.d $(S)/*/*/*.d)
