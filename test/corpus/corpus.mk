# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The corpus: objects of our own in many forms, objects out of Debian's packages, and the table that holds ours beside libbpf's.

C := $(O)/corpus
KINDS := $(shell sed -n 's/^\(kind_[a-z_]*\).*/\1/p' test/corpus/kinds)
SET := $(patsubst test/corpus/set/%.bpf.c,%,$(wildcard test/corpus/set/*.bpf.c)) $(KINDS)

# The sources of the programs of every kind.
$(KINDS:%=$(C)/set/%.bpf.c): $(C)/set/%.bpf.c: test/corpus/kinds
	@mkdir -p $(@D)
	$(Q)awk -F'\t' 'BEGIN { print "#include \"test/corpus/kinds.h\"" } /^[^\t]/ { wanted = $$1 == "$*"; next } \
		wanted { printf "PROGRAM(%s, \"%s\", %s, %s)\n", $$2, $$3, $$4, $$5 }' $< >$@

# A flavour is a directory: $(1) its name, $(2) the compiler, $(3) its flags, $(4) which of the set.
define corpus_flavour
CORPUS_$(1) := $(4:%=$(C)/$(1)/%.bpf.o)
$(C)/$(1)/%.bpf.o: test/corpus/set/%.bpf.c | setup-build
	@mkdir -p $$(@D)
	$$(call say,BPF)
	$$(Q)$(2) $$(BPF_FLAGS) $(3) -MMD -MP -c -o $$@ $$<
$(C)/$(1)/%.bpf.o: $(C)/set/%.bpf.c | setup-build
	@mkdir -p $$(@D)
	$$(call say,BPF)
	$$(Q)$(2) $$(BPF_FLAGS) $(3) -MMD -MP -c -o $$@ $$<
endef

CORPUS_CLANGS := $(sort $(foreach c,clang-14 clang-19 $(CLANG),$(if $(shell command -v $(c)),$(c))))

# -mcpu=v4 is of clang 17. The arena wants casts between address spaces, which are of clang 19.
V4_CLANGS := $(filter-out clang-14 clang-15 clang-16,$(CORPUS_CLANGS))
PLAIN := $(filter-out arena,$(SET))
# Those whose code differs with the instruction set, and those that can do without BTF.
BY_CPU := arithmetic calls callbacks core_shapes data kfuncs map_in_map probes sockets
WITHOUT_BTF := arithmetic calls data free_license kind_trace kind_xdp ksyms legacy license maps_plain

$(foreach c,$(CORPUS_CLANGS),$(eval $(call corpus_flavour,$(c),$(c),-target bpfel,$(PLAIN))))
$(foreach c,$(CORPUS_CLANGS),$(eval $(call corpus_flavour,$(c).eb,$(c),-target bpfeb,$(PLAIN))))
$(foreach c,$(CORPUS_CLANGS),$(eval $(call corpus_flavour,$(c).g0,$(c),-g0,$(WITHOUT_BTF))))
$(foreach c,$(CORPUS_CLANGS),$(eval $(call corpus_flavour,$(c).v2,$(c),-mcpu=v2,$(BY_CPU))))
$(foreach c,$(CORPUS_CLANGS),$(eval $(call corpus_flavour,$(c).v3,$(c),-mcpu=v3 -DWITH_ATOMICS,$(BY_CPU))))
$(foreach c,$(V4_CLANGS),\
	$(eval $(call corpus_flavour,$(c).v4,$(c),-mcpu=v4 -DWITH_ATOMICS,$(BY_CPU) $(if $(filter-out clang-17 clang-18,$(c)),arena))))

# The licenses of the objects, with '_' for a space.
LICENSES := GPL GPL_v2 GPL_and_additional_rights Dual_BSD/GPL Dual_MIT/GPL Dual_MPL/GPL MIT none
CORPUS_license := $(foreach l,$(LICENSES),$(C)/license/$(subst /,-,$(l)).bpf.o)
license_flag = $(if $(filter none,$(1)),-DNO_LICENSE,'-DLICENSE_TEXT="$(subst _, ,$(subst -,/,$(1)))"')
$(CORPUS_license): $(C)/license/%.bpf.o: test/corpus/set/license.bpf.c | setup-build
	@mkdir -p $(@D)
	$(call say,BPF)
	$(Q)$(CLANG) $(BPF_FLAGS) $(call license_flag,$*) -MMD -MP -c -o $@ $<

# Objects merged by bpftool's static linker; it is a tool under test and no part of pload.
BPFTOOL := $(firstword $(shell command -v bpftool /usr/sbin/bpftool))
CORPUS_linked := $(if $(BPFTOOL),$(addprefix $(C)/linked/,halves.bpf.o many.bpf.o alone.bpf.o externs.bpf.o))
$(C)/linked/halves.bpf.o: $(C)/$(CLANG)/linked_one.bpf.o $(C)/$(CLANG)/linked_two.bpf.o
$(C)/linked/many.bpf.o: $(addprefix $(C)/$(CLANG)/,sockets.bpf.o data.bpf.o weak.bpf.o callbacks.bpf.o)
$(C)/linked/alone.bpf.o: $(C)/$(CLANG)/core_shapes.bpf.o
$(C)/linked/externs.bpf.o: $(addprefix $(C)/$(CLANG)/,kconfig_loader.bpf.o kfuncs.bpf.o usdt.bpf.o)
$(CORPUS_linked):
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(BPFTOOL) gen object $@ $^

# gcc for BPF of two releases, when `make corpus` has fetched it: $(1) flavour, $(2) release, $(3) flags, $(4) which of the set.
GCC_FLAGS := -O2 -gbtf -D__TARGET_ARCH_$(BPF_ARCH) -I. -Iuapi -Wall -Wno-attributes
define corpus_gcc
CORPUS_$(1) := $(if $(wildcard $(CACHE)/$(2)/run/bpf-gcc),$(4:%=$(C)/$(1)/%.bpf.o))
$(C)/$(1)/%.bpf.o: test/corpus/set/%.bpf.c $(CACHE)/$(2)/run/bpf-gcc | setup-build
	@mkdir -p $$(@D)
	$$(call say,BPF)
	$$(Q)$(CACHE)/$(2)/run/bpf-gcc $(GCC_FLAGS) $(3) -MMD -MP -c -o $$@ $$<
$(C)/$(1)/%.bpf.o: $(C)/set/%.bpf.c $(CACHE)/$(2)/run/bpf-gcc | setup-build
	@mkdir -p $$(@D)
	$$(call say,BPF)
	$$(Q)$(CACHE)/$(2)/run/bpf-gcc $(GCC_FLAGS) $(3) -MMD -MP -c -o $$@ $$<
endef
# gcc 12 takes some calls of helpers for indirect ones, and ends in an error of its own for core_shapes.
GCC_12 := $(filter-out callbacks core_shapes ksyms_typed legacy linked_two map_in_map maps_plain maps_storage probes \
	    prog_array sockets static_map_in_map,$(PLAIN))
$(eval $(call corpus_gcc,gcc,sid,-mcpu=v3 -DWITH_ATOMICS,$(PLAIN)))
$(eval $(call corpus_gcc,gcc.v4,sid,-mcpu=v4 -DWITH_ATOMICS,$(BY_CPU)))
$(eval $(call corpus_gcc,gcc.eb,sid,-mcpu=v3 -mbig-endian,$(BY_CPU)))
$(eval $(call corpus_gcc,gcc12,bookworm,,$(GCC_12)))

# `make check` loads the set as the default compiler builds it, and reads it in both byte orders.
CORPUS_LOAD := $(CORPUS_$(CLANG)) $(filter %/arena.bpf.o,$(CORPUS_$(CLANG).v4))
CORPUS_CHECK := $(CORPUS_LOAD) $(CORPUS_$(CLANG).eb) $(CORPUS_license)
CORPUS_OWN := $(foreach c,$(CORPUS_CLANGS),$(foreach f,$(c) $(c).eb $(c).g0 $(c).v2 $(c).v3 $(c).v4,$(CORPUS_$(f)))) \
	      $(CORPUS_license) $(CORPUS_linked) $(CORPUS_gcc) $(CORPUS_gcc.v4) $(CORPUS_gcc.eb) $(CORPUS_gcc12)

.PHONY: corpus corpus-set corpus-fetch corpus-table
corpus-set: $(CORPUS_OWN)

# --- the table ---

$(C)/bin/each $(C)/bin/extract $(C)/bin/table $(C)/bin/peer: $(C)/bin/%: test/corpus/%.c | setup-build
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) -std=gnu11 $(WARNINGS) -D_GNU_SOURCE -O2 -o $@ $< $(CORPUS_LIBS_$*)
$(C)/bin/core_compare: $(C)/core_compare.o $(LIB_OBJ) $(filter-out %/main.o,$(CMD_OBJ))
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(LINK) -o $@ $^ $(LIBS)
$(C)/core_compare.o: test/corpus/core_compare.c | setup-build
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(FLAGS) -c -o $@ $<
CORPUS_LIBS_table := -ljson-c
CORPUS_LIBS_peer := -lbpf -lelf -lz

# The newest libbpf and the newest gcc for BPF that Debian has, and the gcc of Debian 12, with the libraries that they want. binutils
# of Debian 12 writes the values of symbols into the fields that are relocated.
GCC_BPF := libc6 zlib1g libzstd1 libgmp10 libmpc3 libmpfr6 gcc-bpf binutils-bpf

$(CACHE)/sid/run/own:
	$(Q)sh test/corpus/fetch $(CACHE) root sid $(GCC_BPF) libelf1t64 libbpf1
$(CACHE)/bookworm/run/own:
	$(Q)sh test/corpus/fetch $(CACHE) root bookworm $(GCC_BPF)

# Objects out of packages, each content once.
$(CACHE)/objects/list: test/corpus/packages test/corpus/extract.c | $(C)/bin/extract
	$(Q)sh test/corpus/unpack $(CACHE) $(C)/bin/extract

corpus-fetch: | $(CACHE)/sid/run/own $(CACHE)/bookworm/run/own $(CACHE)/objects/list

# Objects of the other byte order are for readers: no kernel here takes them.
corpus-table: $(PLOAD) $(addprefix $(C)/bin/,each table peer core_compare) $(CORPUS_OWN) $(CO_RE_OBJ)
	@{ printf '%s\n' $(foreach o,$(CORPUS_OWN) $(CO_RE_OBJ),$(if $(findstring .eb/,$(o)),,$(o))); \
	   cat $(CACHE)/objects/list; } >$(C)/list
	@$(SUDO) sh test/corpus/core $(C) <$(C)/list
	@PLOAD=./$(PLOAD) $(SUDO) sh test/corpus/compare $(C) libbpf-new $(CACHE)/sid/run/own $(C)/bin/peer <$(C)/list

# In a second make, which sees what was fetched.
corpus: corpus-fetch
	@$(MAKE) --no-print-directory corpus-table
	@$(MAKE) --no-print-directory drift

-include $(wildcard $(C)/*.d $(C)/*/*.d)
