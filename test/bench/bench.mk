# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Figures, for reading and not for passing: pload side by side with libbpf, in one run.

B := $(O)/bench
PEER := $(if $(wildcard /usr/include/bpf/libbpf.h),$(B)/peer_libbpf)

include test/bench/floor/floor.mk

$(B)/%.bpf.o: test/bench/%.bpf.c | setup-build
	@mkdir -p $(@D)
	$(call say,BPF)
	$(Q)$(CLANG) $(BPF_FLAGS) -MMD -MP -c -o $@ $<

$(B)/empty $(B)/bench: $(B)/%: test/bench/%.c | setup-build
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) -std=gnu11 $(WARNINGS) -D_GNU_SOURCE -O2 -static -o $@ $<

$(B)/peer_libbpf: test/bench/peer_libbpf.c | setup-build
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) -std=gnu11 $(WARNINGS) -O2 -static -o $@ $< -lbpf -lelf -lz

# Types such as those of a kernel, the same on each machine: .BTF of an object, as readelf shows where it is.
$(B)/types.bpf.c: test/bench/types.sh
	@mkdir -p $(@D)
	$(Q)sh $< 2000 >$@.new && mv $@.new $@
$(B)/types.bpf.o: $(B)/types.bpf.c | setup-build
	$(call say,BPF)
	$(Q)$(CLANG) $(BPF_FLAGS) -c -o $@ $<
$(B)/types.btf: $(B)/types.bpf.o
	$(Q)set -- $$(readelf -SW $< | sed -n 's/.* \.BTF  *PROGBITS  *//p'); \
		tail -c +$$((0x$$2 + 1)) $< | head -c $$((0x$$3)) >$@.new && mv $@.new $@

# Instructions by stage: test/cli/instructions.sh compares them, `make instructions` writes them anew.
INSTRUCTIONS := $(addprefix $(B)/,small.bpf.o core.bpf.o large-40-20-40-10.bpf.o types.btf threads)
.PHONY: instructions
instructions: $(PLOAD) $(INSTRUCTIONS)
	$(Q)PLOAD=./$(PLOAD) PROGS=$(O)/progs CC='$(CC)' CLANG='$(CLANG)' sh test/cli/instructions.sh write >$(B)/instructions
	$(Q)cp $(B)/instructions test/bench/instructions

# Objects as large as a generator makes them: MAPS-PROGRAMS-RELOCATIONS-CO-RE, the last two of each program.
LARGE := 500-250-40-0 1000-500-40-0 1000-500-40-10
LARGE_OBJ := $(LARGE:%=$(B)/large-%.bpf.o)
ALL_LARGE_OBJ := $(LARGE_OBJ) $(B)/large-40-20-40-10.bpf.o

$(B)/large-%.bpf.c: test/bench/large.sh
	@mkdir -p $(@D)
	$(Q)sh $< $(subst -, ,$*) >$@.new && mv $@.new $@

$(ALL_LARGE_OBJ): $(B)/%.bpf.o: $(B)/%.bpf.c | setup-build
	$(call say,BPF)
	$(Q)$(CLANG) $(BPF_FLAGS) -c -o $@ $<

# Where the time goes: in bpf(2), which is the kernel's, or outside of it.
SPLIT := $(B)/split_pload $(if $(PEER),$(B)/split_libbpf)

$(B)/split_pload: test/bench/split_pload.c test/bench/split.c test/bench/release.c $(LIB_OBJ) $(filter-out %/main.o,$(CMD_OBJ))
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(LINK) $(FLAGS) -MF $@.d -o $@ $(filter %.c %.o,$^) $(LIBS)

$(B)/split_libbpf: test/bench/split_libbpf.c test/bench/split.c test/bench/release.c | setup-build
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) -std=gnu11 $(WARNINGS) -D_GNU_SOURCE -I. -O2 -static -Wl,--wrap=syscall -o $@ $^ -lbpf -lelf -lz

# Names of events, with a sysfs of its own.
$(B)/events: test/bench/events.c $(LIB_OBJ)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(LINK) $(FLAGS) -MF $@.d -o $@ $(filter %.c %.o,$^) $(LIBS)

.PHONY: bench-events
bench-events: $(B)/events
	@$(B)/events $(B)

# A process with many threads: from nothing to events that are open for each, and back.
PERF := $(shell command -v perf)

$(B)/threads: test/bench/threads.c | setup-build
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) -std=gnu11 $(WARNINGS) -D_GNU_SOURCE -O2 -pthread -static -o $@ $<

.PHONY: bench-threads
bench-threads: $(PLOAD) $(B)/empty $(B)/bench $(B)/threads $(B)/small.bpf.o
	@echo 'a process with 1000 threads, opened, enabled and closed:'
	@$(if $(PERF),,echo 'perf is not there: nothing to compare with')
	@$(SUDO) $(B)/threads 1000 $(B)/bench 5 empty=$(B)/empty \
		$(foreach m,$(METHODS),'pload-$(m)=./$(PLOAD) --attach=$(m) -e cpu-clock -p PID -d 0 $(B)/small.bpf.o') \
		$(if $(PERF),'perf-record=$(PERF) record -q -e cpu-clock -o $(B)/perf.data -p PID -- $(B)/empty' \
			'perf-record-m1=$(PERF) record -q -m 1 -e cpu-clock -o $(B)/perf.data -p PID -- $(B)/empty')
	@rm -f $(B)/perf.data

# Records, beside the newest libbpf that Debian has if `make drift-fetch` has fetched it, else
# beside that of libbpf-dev. The fetched one runs with its own C library.
NEWEST_LIBBPF := $(wildcard $(NEWEST_ABI)/usr/lib/x86_64-linux-gnu/libbpf.so.1)
RINGS_PEER := $(if $(NEWEST_LIBBPF)$(PEER),test/bench/rings_libbpf.c)
RINGS_LIBS := $(if $(NEWEST_LIBBPF),-isystem $(NEWEST_ABI)/usr/include $(NEWEST_LIBBPF) -Wl$(comma)--allow-shlib-undefined,\
		$(if $(PEER),-lbpf -lelf))
RINGS_RUN := $(if $(NEWEST_LIBBPF),$(NEWEST_ABI)/run/own)

$(B)/rings: test/bench/rings.c test/bench/rings_pload.c $(RINGS_PEER) $(LIB_OBJ) $(filter-out %/main.o,$(CMD_OBJ))
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(CC) $(FLAGS) $(if $(RINGS_PEER),-DWITH_LIBBPF) -MF $@.d -o $@ $(filter %.c %.o,$^) \
		-Wl,-Bstatic $(LIBS) -Wl,-Bdynamic $(RINGS_LIBS)

.PHONY: bench-rings
bench-rings: $(B)/rings $(B)/rings.bpf.o
	@echo 'records of rings$(if $(NEWEST_LIBBPF),$(comma) beside the newest libbpf):'
	@$(SUDO) $(RINGS_RUN) $(B)/rings $(B)/rings.bpf.o 1 $(B)

# Call stacks with names. The peer, perf script, reads a file that perf has recorded; folding its
# output, as stackcollapse does, comes on top of that.
$(B)/profile: test/bench/profile.c $(LIB_OBJ)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(LINK) $(FLAGS) -MF $@.d -o $@ $(filter %.c %.o,$^) $(LIBS)

.PHONY: bench-profile
bench-profile: $(B)/profile
	@echo 'call stacks of 100 processes, 30 frames each, named and folded:'
	@$(SUDO) $(B)/profile
	@$(if $(PERF),$(SUDO) sh test/bench/perf_script.sh $(PERF) $(B),echo 'perf is not there: nothing to compare with')

bench: bench-events bench-rings bench-profile bench-threads $(PLOAD) $(O)/raw $(B)/floor $(B)/empty $(B)/bench $(B)/small.bpf.o $(B)/core.bpf.o $(LARGE_OBJ) $(PEER) $(SPLIT)
	@$(if $(PEER),,echo 'libbpf-dev is not there: no peer to compare with')
	@$(SUDO) $(B)/bench 200 empty=$(B)/empty 'raw=$(O)/raw 0 link' floor=$(B)/floor \
		$(foreach m,$(METHODS),'pload-$(m)=./$(PLOAD) --attach=$(m) -e cpu-clock -d 0 $(B)/small.bpf.o') \
		$(if $(PEER),'libbpf=$(PEER) $(B)/small.bpf.o')
	@echo 'with CO-RE:'
	@$(SUDO) $(B)/bench 100 empty=$(B)/empty \
		$(foreach w,user kernel,'pload-core-$(w)=./$(PLOAD) --core=$(w) --attach=link -e cpu-clock -d 0 $(B)/core.bpf.o') \
		$(if $(PEER),'libbpf-core=$(PEER) $(B)/core.bpf.o')
	@echo 'large objects, from opening the file to the last program loaded:'
	@for round in 1 2; do for s in $(SPLIT); do $(SUDO) $$s 10 $(LARGE_OBJ) || exit; done; done

-include $(wildcard $(B)/*.d)
