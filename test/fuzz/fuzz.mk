# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The fuzz targets, one for each test/fuzz/target_*.c: `make fuzz` runs them by libFuzzer, `make check` on fixed inputs.

F := $(O)/fuzz
FUZZ_TARGETS := $(patsubst test/fuzz/target_%.c,%,$(wildcard test/fuzz/target_*.c))
TARGET ?= $(FUZZ_TARGETS) storm
TIME ?= 60

# Only clang has libFuzzer, and only where its run-time library is installed.
FUZZ_RUNTIME := $(wildcard $(shell $(CLANG) -print-resource-dir 2>/dev/null)/lib/*/libclang_rt.fuzzer*)
FUZZ_SAN := address,undefined
# Whoever runs the targets elsewhere, as test/fuzz/oss-fuzz/build.sh does, has a compiler, instrumentation, linker and libraries of its own.
FUZZ_CC ?= $(CLANG)
FUZZ_CFLAGS ?= -O2 -gline-tables-only -fno-omit-frame-pointer -fsanitize=$(FUZZ_SAN) -fno-sanitize-recover=all \
	       -fsanitize-address-use-after-return=never -fsanitize=fuzzer-no-link
FUZZ_LINK ?= $(FUZZ_CC) -fsanitize=fuzzer,$(FUZZ_SAN)
FUZZ_LIBS ?= $(LIBS)
FUZZ_LIBELF ?= -lelf
FUZZ_FLAGS = $(BASE_FLAGS) $(CPPFLAGS) $(FUZZ_CFLAGS)

# The tables of loader/rows/ refer to all of it.
FUZZ_SRC := $(LIB_SRC) \
	      $(wildcard test/fuzz/walk_*.c test/fuzz/structured*.c test/fuzz/seeds_*.c) test/fuzz/mutate.c test/fuzz/kernel.c \
	      test/fuzz/layout.c test/fuzz/libelf_compare.c test/unit/common/btf_builder.c test/unit/common/elf_builder.c
FUZZ_BIN := $(FUZZ_TARGETS:%=$(F)/%)
FUZZ_OBJ := $(FUZZ_SRC:%.c=$(F)/obj/%.o)

$(F)/obj/%.o: %.c | setup-fuzz
	@mkdir -p $(@D)
	$(call say,FUZZ)
	$(Q)$(FUZZ_CC) $(FUZZ_FLAGS) -c -o $@ $<

# These have an order of their own: where there is no libFuzzer, no goal needs the objects.
$(F)/libfuzz.a $(FUZZ_BIN): | setup-fuzz

$(F)/libfuzz.a: $(FUZZ_OBJ)
	@rm -f $@
	$(Q)$(AR) rcs $@ $^

$(FUZZ_BIN): $(F)/%: $(F)/obj/test/fuzz/target_%.o $(F)/libfuzz.a
	$(call say,LINK)
	$(Q)$(FUZZ_LINK) -o $@ $^ $(if $(filter libelf,$*),$(FUZZ_LIBELF)) $(FUZZ_LIBS)

$(F)/make_seeds: $(patsubst %.c,$(S)/%.o,$(wildcard test/fuzz/seeds*.c) test/fuzz/layout.c) $(LIBPLOAD)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(TEST_LDFLAGS) $(TEST_RPATH) -o $@ $^

$(F)/seeds: $(F)/make_seeds $(OBJECTS) $(CORPUS_CHECK)
	@rm -rf $@ && mkdir -p $@
	$(Q)$(F)/make_seeds $@ $(OBJECTS) $(CORPUS_CHECK)

# `make check` runs fixed inputs by a main() of our own, linked with what the unit tests are linked with: test/fuzz/drive.c.
FUZZ_DRIVEN := $(FUZZ_TARGETS:%=$(S)/fuzz/%)
FUZZ_PARTS := $(patsubst %.c,$(S)/%.o,$(wildcard test/fuzz/structured*.c test/fuzz/seeds_*.c) test/fuzz/drive.c test/fuzz/kernel.c test/fuzz/layout.c)

$(FUZZ_DRIVEN): $(S)/fuzz/%: $(S)/test/fuzz/target_%.o $(FUZZ_PARTS) $(LIBPLOAD)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(TEST_LDFLAGS) $(TEST_RPATH) -o $@ $^ $(if $(filter libelf,$*),-lelf) $(LIBS)

# The seeds a target begins with, and how long its inputs get: fuzz.sh has the same.
fuzz_seeds = $(F)/seeds/$(if $(filter image inspect libelf object relocate,$(1)),elf,$(1))
fuzz_long = $(if $(filter core externs report struct_ops,$(1)),8192,4096)
# An input of inspect is printed as text, JSON and a page: it takes a hundred times as long as that of any other.
fuzz_runs = $(if $(filter inspect,$(1)),3000,20000)
define FUZZ_CHECK
$(foreach t,$(FUZZ_TARGETS),$(S)/fuzz/$(t) $(call fuzz_runs,$(t)) $(call fuzz_long,$(t)) test/fuzz/names.dict $(call fuzz_seeds,$(t))
)
endef

check: $(call for_only,$(FUZZ_CHECK),$(FUZZ_DRIVEN) $(F)/seeds)

# OSS-Fuzz expects of each target in OUT the program, its first inputs, words and limits.
.PHONY: oss-fuzz
oss-fuzz: $(FUZZ_BIN) $(F)/seeds
	$(foreach t,$(FUZZ_TARGETS),$(Q)cp $(F)/$t $(OUT)/$t && cp test/fuzz/names.dict $(OUT)/$t.dict && \
		printf '[libfuzzer]\nmax_len = %s\n' $(call fuzz_long,$t) >$(OUT)/$t.options && \
		(cd $(call fuzz_seeds,$t) && zip -qrX $(OUT)/$t_seed_corpus.zip .)$(newline))

# Without libFuzzer the script prints that, and runs nothing.
FUZZ_READY := $(if $(FUZZ_RUNTIME),$(FUZZ_BIN) $(F)/seeds)
FUZZ_LIBRARY := $(filter-out storm,$(TARGET))
.PHONY: fuzz storm
fuzz: setup-fuzz objects $(if $(FUZZ_LIBRARY),$(FUZZ_READY)) $(if $(filter storm,$(TARGET)),$(HOSTILE) storm)
	$(if $(FUZZ_LIBRARY),@sh test/fuzz/fuzz.sh $(TIME) $(F) $(FUZZ_LIBRARY))
	$(if $(filter storm,$(TARGET)),@sh test/fuzz/storm.sh $(TIME) $(HOSTILE) build/sanitize/pload $(O)/progs)

# The program that the storm meets is the one with sanitizers, in its own tree.
storm:
	@$(MAKE) --no-print-directory SANITIZE=1 O=build/sanitize build/sanitize/pload

-include $(FUZZ_OBJ:.o=.d) $(FUZZ_TARGETS:%=$(F)/obj/test/fuzz/target_%.d)
