# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The drift alarm: names in the newest linux-libc-dev and libbpf-dev of Debian that our headers do not have.
# docs/corpus.md describes it.

DRIFT := $(O)/drift

# The headers that ours stand for as a whole; of the others, pload needs only some lines.
DRIFT_HEADERS := $(addprefix linux/,bpf.h bpf_common.h bpf_perf_event.h btf.h hw_breakpoint.h perf_event.h) \
		 $(addprefix bpf/,bpf_core_read.h bpf_endian.h bpf_helper_defs.h bpf_helpers.h bpf_tracing.h usdt.bpf.h)

$(DRIFT)/%.o: test/drift/%.c | setup-build
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(FLAGS) -c -o $@ $<
$(DRIFT)/sections_ours: $(DRIFT)/sections_ours.o $(LIB_OBJ)
	$(call say,LINK)
	$(Q)$(LINK) -o $@ $^ $(LIBS)

# These programs are built with the fetched headers, and run with the fetched C library.
$(DRIFT)/sections_libbpf: test/drift/sections_libbpf.c $(NEWEST_ABI)/run/own | setup-check
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) -std=gnu11 $(WARNINGS) -isystem $(NEWEST_ABI)/usr/include -o $@ $< \
		$(NEWEST_ABI)/usr/lib/x86_64-linux-gnu/libbpf.so.1 -Wl,--allow-shlib-undefined

# test_abi compares values, sizes and offsets with the headers of this system; here with those that
# were fetched.
$(DRIFT)/abi_newest.c: test/unit/uapi/test_abi_table.sh test/unit/uapi/test_abi.def $(NEWEST_ABI)/run/own $(wildcard uapi/linux/*.h)
	@mkdir -p $(@D)
	$(Q)sh $< abi_system test/unit/uapi/test_abi.def '$(CC) -isystem $(NEWEST_ABI)/usr/include' >$@.new && mv $@.new $@
$(DRIFT)/abi_newest.o: $(DRIFT)/abi_newest.c | setup-check
	$(call say,CC)
	$(Q)$(CC) $(filter-out -I%,$(ABI_FLAGS)) -isystem $(NEWEST_ABI)/usr/include -c -o $@ $<
$(DRIFT)/test_abi: $(DRIFT)/abi_newest.o $(ABI)_ours.o $(addprefix $(S)/test/unit/,uapi/test_abi.o common/suite.o common/main.o)
	$(call say,LINK)
	$(Q)$(CC) $(TEST_LDFLAGS) -o $@ $^ $(CHECK_LIBS) -lm

.PHONY: drift drift-fetch
drift-fetch:
	$(Q)sh test/corpus/fetch $(CACHE) root $(NEWEST) libc6 zlib1g libzstd1 libelf1t64 libbpf1 libbpf-dev linux-libc-dev
$(NEWEST_ABI)/run/own: drift-fetch ;

drift: $(addprefix $(DRIFT)/,sections_ours sections_libbpf test_abi)
	$(Q)$(DRIFT)/test_abi
	$(Q)CC='$(CC)' sh test/drift/drift $(NEWEST_ABI) $(DRIFT) $(DRIFT_HEADERS)

-include $(wildcard $(DRIFT)/*.d)
