# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Figures, for reading and not for passing: pload side by side with its peers, in one run. docs/bench.md explains the table.

B := $(O)/bench
PERF := $(shell command -v perf)
BPFTOOL := $(firstword $(wildcard $(shell command -v bpftool) /usr/sbin/bpftool))

# The peers: libbpf of libbpf-dev, and the newest that Debian has if `make drift-fetch` has fetched it. The functions that its
# C library has under newer names are those of ours.
LIBBPF := $(wildcard /usr/include/bpf/libbpf.h)
NEWEST_LIBBPF := $(wildcard $(NEWEST_ABI)/usr/lib/x86_64-linux-gnu/libbpf.a)
PEER_FLAGS = -std=gnu11 $(WARNINGS) -D_GNU_SOURCE -I. -O2 -static
LIBBPF_LIBS := -lbpf -lelf -lz
NEWEST_FLAGS := -isystem $(NEWEST_ABI)/usr/include
NEWEST_LIBS := $(NEWEST_LIBBPF) -lelf -lz \
	$(foreach f,strtol strtoul strtoll strtoull sscanf fscanf vsscanf,-Wl,--defsym=__isoc23_$(f)=$(f))
PEERS := $(if $(LIBBPF),$(B)/peer_libbpf $(B)/split_libbpf) $(if $(NEWEST_LIBBPF),$(B)/peer_newest $(B)/split_newest) \
	 $(if $(LIBBPF)$(BPFTOOL),$(if $(BPFTOOL),$(B)/peer_skeleton))

# --- objects ---

$(B)/%.bpf.o: test/bench/%.bpf.c | setup-build
	@mkdir -p $(@D)
	$(call say,BPF)
	$(Q)$(CLANG) $(BPF_FLAGS) -MMD -MP -c -o $@ $<

# Objects as large as a generator makes them: MAPS-PROGRAMS-RELOCATIONS-CO-RE, the last two of each program. The first are loaded
# into the kernel, the others into a simulated one.
LARGE := 125-62-40-0 250-125-40-0 500-250-40-0 1000-500-40-0 1000-500-40-10
DRY := 125-62-40-0 250-125-40-0 500-250-40-0 1000-500-40-0 2000-1000-40-0
LARGE_OBJ := $(LARGE:%=$(B)/large-%.bpf.o)
DRY_OBJ := $(DRY:%=$(B)/large-%.bpf.o)
ALL_LARGE_OBJ := $(sort $(LARGE_OBJ) $(DRY_OBJ) $(B)/large-40-20-40-10.bpf.o)

$(B)/large-%.bpf.c: test/bench/large.sh
	@mkdir -p $(@D)
	$(Q)sh $< $(subst -, ,$*) >$@.new && mv $@.new $@

# Types such as those of a kernel, the same on each machine: .BTF of an object, as readelf shows where it is.
$(B)/types.bpf.c: test/bench/types.sh
	@mkdir -p $(@D)
	$(Q)sh $< 2000 >$@.new && mv $@.new $@
$(B)/types.btf: $(B)/types.bpf.o
	$(Q)set -- $$(readelf -SW $< | sed -n 's/.* \.BTF  *PROGBITS  *//p'); \
		tail -c +$$((0x$$2 + 1)) $< | head -c $$((0x$$3)) >$@.new && mv $@.new $@

$(ALL_LARGE_OBJ) $(B)/types.bpf.o: %.o: %.c | setup-build
	$(call say,BPF)
	$(Q)$(CLANG) $(BPF_FLAGS) -c -o $@ $<

# --- programs ---

$(B)/empty $(B)/bench $(B)/threads: $(B)/%: test/bench/%.c test/bench/figure.h | setup-build
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(PEER_FLAGS) -pthread -o $@ $<

$(B)/peer_libbpf: test/bench/peer_libbpf.c | setup-build
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(PEER_FLAGS) -o $@ $< $(LIBBPF_LIBS)
$(B)/peer_newest: test/bench/peer_libbpf.c $(NEWEST_LIBBPF) | setup-build
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(PEER_FLAGS) $(NEWEST_FLAGS) -o $@ $< $(NEWEST_LIBS)

$(B)/small.lskel.h: $(B)/small.bpf.o
	$(Q)$(BPFTOOL) gen skeleton -L $< >$@.new && mv $@.new $@
$(B)/peer_skeleton: test/bench/peer_skeleton.c $(B)/small.lskel.h
	$(call say,CC)
	$(Q)$(CC) $(PEER_FLAGS) -I$(B) -o $@ $<

# These programs measure how much of the time is spent in bpf(2), which is the kernel's time.
SPLIT_SRC := test/bench/split.c test/bench/release.c
ALL_BUT_MAIN = $(LIB_OBJ) $(filter-out %/main.o,$(CMD_OBJ))

$(B)/split_pload: test/bench/split_pload.c $(SPLIT_SRC) $(ALL_BUT_MAIN)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(LINK) $(FLAGS) -MF $@.d -o $@ $(filter %.c %.o,$^) $(LIBS)
$(B)/split_libbpf: test/bench/split_libbpf.c $(SPLIT_SRC) test/bench/figure.h | setup-build
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(PEER_FLAGS) -Wl,--wrap=syscall -o $@ $(filter %.c,$^) $(LIBBPF_LIBS)
$(B)/split_newest: test/bench/split_libbpf.c $(SPLIT_SRC) test/bench/figure.h $(NEWEST_LIBBPF) | setup-build
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(PEER_FLAGS) $(NEWEST_FLAGS) -DSUBJECT='"newest libbpf"' -Wl,--wrap=syscall -o $@ $(filter %.c,$^) $(NEWEST_LIBS)

# Names of events, with a sysfs of its own; call stacks with names.
$(B)/events $(B)/profile: $(B)/%: test/bench/%.c $(LIB_OBJ)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(LINK) $(FLAGS) -MF $@.d -o $@ $(filter %.c %.o,$^) $(LIBS)

# Records, beside the newest libbpf, else that of libbpf-dev. The fetched one runs with its own C library.
NEWEST_SO := $(wildcard $(NEWEST_ABI)/usr/lib/x86_64-linux-gnu/libbpf.so.1)
RINGS_PEER := $(if $(NEWEST_SO)$(LIBBPF),test/bench/rings_libbpf.c)
RINGS_LIBS := $(if $(NEWEST_SO),$(NEWEST_FLAGS) $(NEWEST_SO) -Wl$(comma)--allow-shlib-undefined,$(if $(LIBBPF),-lbpf -lelf))
RINGS_RUN := $(if $(NEWEST_SO),$(NEWEST_ABI)/run/own)

$(B)/rings: test/bench/rings.c test/bench/rings_pload.c $(RINGS_PEER) $(ALL_BUT_MAIN)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(FLAGS) -no-pie $(if $(RINGS_PEER),-DWITH_LIBBPF) -MF $@.d -o $@ $(filter %.c %.o,$^) \
		-Wl,-Bstatic $(LIBS) -Wl,-Bdynamic $(RINGS_LIBS)

include test/bench/floor/floor.mk

# --- goals ---

# Instructions by stage: test/cli/instructions.sh compares them, `make instructions` writes them anew.
GROWING := 125-62-40-0 250-125-40-0 500-250-40-0
INSTRUCTIONS := $(addprefix $(B)/,small.bpf.o core.bpf.o large-40-20-40-10.bpf.o $(GROWING:%=large-%.bpf.o) types.btf threads bench empty)
.PHONY: instructions
check: $(call for_only,test/cli/instructions.sh,$(INSTRUCTIONS))
instructions: $(PLOAD) $(INSTRUCTIONS)
	$(Q)PLOAD=./$(PLOAD) PROGS=$(O)/progs CC='$(CC)' CLANG='$(CLANG)' sh test/cli/instructions.sh write >$(B)/instructions
	$(Q)cp $(B)/instructions test/bench/instructions

bench: $(PLOAD) $(O)/raw $(O)/attach-regress $(INSTRUCTIONS) $(LARGE_OBJ) $(DRY_OBJ) $(PEERS) \
		$(addprefix $(B)/,floor empty bench split_pload events profile rings rings.bpf.o)
	@BENCH=$(B) PLOAD=./$(PLOAD) PROGS=$(O)/progs RAW=$(O)/raw SUITE=$(O)/attach-regress SUDO='$(SUDO)' PERF='$(PERF)' \
		LIBBPF='$(LIBBPF)' NEWEST_LIBBPF='$(NEWEST_LIBBPF)' SKELETON='$(filter %/peer_skeleton,$(PEERS))' \
		RINGS_RUN='$(RINGS_RUN)' LARGE_OBJ='$(LARGE_OBJ)' DRY_OBJ='$(DRY_OBJ)' CC='$(CC)' CLANG='$(CLANG)' \
		METHODS='$(METHODS)' ROW='$(ROW)' RESUME='$(RESUME)' sh test/bench/run

-include $(wildcard $(B)/*.d)
