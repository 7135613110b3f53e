# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The corpus: objects of our own in many forms, objects out of Debian's packages, and the table that holds ours beside libbpf's.

C := $(O)/corpus
SET := $(patsubst test/corpus/set/%.bpf.c,%,$(wildcard test/corpus/set/*.bpf.c))

# Where what was fetched is kept between builds.
CACHE := $(or $(PLOAD_CACHE),$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/pload)

# A flavour is a directory: $(1) its name, $(2) the compiler, $(3) its flags, $(4) which of the set.
define corpus_flavour
CORPUS_$(1) := $(4:%=$(C)/$(1)/%.bpf.o)
$(C)/$(1)/%.bpf.o: test/corpus/set/%.bpf.c | setup-build
	@mkdir -p $$(@D)
	$$(call say,BPF)
	$$(Q)$(2) $$(BPF_FLAGS) $(3) -MMD -MP -c -o $$@ $$<
endef

CORPUS_CLANGS := $(sort $(foreach c,clang-14 clang-19 $(CLANG),$(if $(shell command -v $(c)),$(c))))

# The arena wants casts between address spaces, which clang 18 and -mcpu=v4 have.
PLAIN := $(filter-out arena,$(SET))
# Those whose code differs with the instruction set, and those that can do without BTF.
BY_CPU := arithmetic calls callbacks core_shapes data kfuncs map_in_map probes sockets
WITHOUT_BTF := arithmetic calls data free_license kinds_trace kinds_xdp ksyms legacy license maps_plain

$(foreach c,$(CORPUS_CLANGS),$(eval $(call corpus_flavour,$(c),$(c),-target bpfel,$(PLAIN))))
$(foreach c,$(CORPUS_CLANGS),$(eval $(call corpus_flavour,$(c).eb,$(c),-target bpfeb,$(PLAIN))))
$(foreach c,$(CORPUS_CLANGS),$(eval $(call corpus_flavour,$(c).g0,$(c),-g0,$(WITHOUT_BTF))))
$(foreach c,$(CORPUS_CLANGS),$(eval $(call corpus_flavour,$(c).v2,$(c),-mcpu=v2,$(BY_CPU))))
$(foreach c,$(CORPUS_CLANGS),$(eval $(call corpus_flavour,$(c).v3,$(c),-mcpu=v3 -DWITH_ATOMICS,$(BY_CPU))))
$(foreach c,$(filter-out clang-14,$(CORPUS_CLANGS)),\
	$(eval $(call corpus_flavour,$(c).v4,$(c),-mcpu=v4 -DWITH_ATOMICS,$(BY_CPU) arena)))

# What "license" says, with '_' for a space.
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

# What `make check` reads: the set by the default compiler, in both byte orders.
CORPUS_CHECK := $(CORPUS_$(CLANG)) $(CORPUS_$(CLANG).eb) $(CORPUS_license)
CORPUS_OWN := $(foreach c,$(CORPUS_CLANGS),$(foreach f,$(c) $(c).eb $(c).g0 $(c).v2 $(c).v3 $(c).v4,$(CORPUS_$(f)))) \
	      $(CORPUS_license) $(CORPUS_linked)

.PHONY: corpus-set
corpus-set: $(CORPUS_OWN)

-include $(wildcard $(C)/*/*.d)
