# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The regression suite: one program with everything it needs inside, and the same with sanitizers for `make check`.

SUITE_SRC := $(sort $(wildcard test/regress/harness/*.c test/regress/random/*.c test/regress/common/*.c test/regress/groups/*.c \
	       test/regress/groups/*/*.c))
SUITE_BPF := $(patsubst test/regress/bpf/%.c,$(O)/regress/%.o,$(filter-out %/core.bpf.c,$(sort $(wildcard test/regress/bpf/*.bpf.c))))
# CO-RE relocations of each clang, for the kernel's relocator to be compared with ours; stores of constants are
# instructions since -mcpu=v4. groups/features/core.c names these objects; the tests of a compiler that this machine lacks
# are skipped.
CO_RE_CLANGS := $(foreach c,clang-14 clang-19,$(if $(shell command -v $(c)),$(c)))
CO_RE_OBJ := $(patsubst %,$(O)/regress/core-%.bpf.o,$(CO_RE_CLANGS) build)
CO_RE_V4 := $(if $(shell command -v clang-19),$(O)/regress/core-v4.bpf.o)
# The probed files: a program that moves, one that does not, one whose code has other offsets in the file than addresses in
# memory, one without symbols; and a library. They run where there is no other library.
SUITE_PROBED := $(addprefix $(O)/regress/,probed-pie probed-fixed probed-offset probed-stripped probed_lib.so)
# The files that the program carries in itself.
SUITE_FILES := $(SUITE_BPF) $(addprefix $(O)/,progs/ip_count.bpf.o progs/xdp_output.bpf.o regress/struct_ops.bpf.o) \
	       $(CO_RE_OBJ) $(CO_RE_V4) $(SUITE_PROBED) test/regress/suite.ids test/regress/self/self.ids
# Sources of tests, for --explain.
SUITE_FILES += $(sort $(wildcard test/regress/groups/*/*.c test/regress/self/*.c))
# --random prints C programs that consist of these.
SUITE_FILES += $(addprefix test/regress/random/,op.h actors.h actors.c)
# All of the loader but its main(), and its notes, which are for those who load objects of their own.
SUITE_LIB := $(LIB_SRC) $(filter-out %/main.c %/note.c,$(CMD_SRC))

.PHONY: regress test-ids
regress: $(O)/attach-regress

# An id for each test that has none yet.
test-ids: $(O)/attach-regress
	$(Q)$< -l | sh test/regress/renumber test/regress/suite.ids >$(O)/suite.ids && mv $(O)/suite.ids test/regress/suite.ids

$(O)/regress/%.bpf.o: test/regress/bpf/%.bpf.c | setup-build
	@mkdir -p $(@D)
	$(call say,BPF)
	$(Q)$(CLANG) $(BPF_FLAGS) -MMD -MP -c -o $@ $<

# It is one of the objects of test/corpus, too.
$(O)/regress/struct_ops.bpf.o: test/corpus/set/struct_ops.bpf.c | setup-build
	@mkdir -p $(@D)
	$(call say,BPF)
	$(Q)$(CLANG) $(BPF_FLAGS) -MMD -MP -c -o $@ $<
$(CO_RE_OBJ): $(O)/regress/core-%.bpf.o: test/regress/bpf/core.bpf.c | setup-build
	@mkdir -p $(@D)
	$(call say,BPF)
	$(Q)$(if $(filter build,$*),$(CLANG),$*) $(BPF_FLAGS) -MMD -MP -c -o $@ $<
$(CO_RE_V4): test/regress/bpf/core.bpf.c | setup-build
	@mkdir -p $(@D)
	$(call say,BPF)
	$(Q)clang-19 $(BPF_FLAGS) -mcpu=v4 -MMD -MP -c -o $@ $<

PROBED_C := $(CC) -O2 -Wall $(WERROR_FLAG)
# A libc without rcrt1.o (s390x) makes programs that move with a dynamic loader only.
PROBED_PIE = $(if $(filter /%,$(shell $(CC) -print-file-name=rcrt1.o)),-static-pie,-pie)
$(O)/regress/probed.o $(O)/regress/probed_part.o: test/cli/probed.c test/cli/probed.h | setup-build
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(PROBED_C) -fpie $(if $(filter %_part.o,$@),-DPART) -c -o $@ $<
$(O)/regress/probed-%: $(O)/regress/probed.o $(O)/regress/probed_part.o
	$(call say,LINK)
	$(Q)$(CC) $(if $(filter fixed,$*),-static -no-pie,$(PROBED_PIE)) $(if $(filter stripped,$*),-s) \
		$(if $(filter offset,$*),-Ttext=0x500000) -o $@ $^
$(O)/regress/probed_lib.so: test/regress/files/probed_lib.c test/regress/files/probed_lib.map | setup-build
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(PROBED_C) -fPIC -shared -Wl,--version-script=test/regress/files/probed_lib.map -o $@ $<

$(O)/regress/embedded.c: test/regress/embed test/regress/regress.mk $(SUITE_FILES)
	@mkdir -p $(@D)
	$(Q)sh $< $(SUITE_FILES) >$@.new && mv $@.new $@
# A part of the suite with sanitizers, too, which moves.
$(O)/regress/embedded.o: $(O)/regress/embedded.c $(O)/flags
	$(call say,CC)
	$(Q)$(CC) $(FLAGS) $(PREFIX_MAP) -fPIE -c -o $@ $<

# Its functions have to be found in call chains.
KNOWN_FLAGS := -fno-omit-frame-pointer -fno-optimize-sibling-calls \
	       $(if $(filter s390,$(BPF_ARCH)),-mbackchain,-mno-omit-leaf-frame-pointer)
$(O)/test/regress/common/known.o: private FLAGS += $(KNOWN_FLAGS)
$(S)/test/regress/common/known.o: private TEST_FLAGS += $(KNOWN_FLAGS)

SUITE_OBJ := $(SUITE_SRC:%.c=$(O)/%.o)
$(O)/attach-regress: $(SUITE_OBJ) $(SUITE_LIB:%.c=$(O)/%.o) $(O)/regress/embedded.o
	$(call say,LINK)
	$(Q)$(LINK) -o $@ $^ $(LIBS) -lm

$(S)/attach-regress: $(SUITE_SRC:%.c=$(S)/%.o) $(S)/libpload.a $(O)/regress/embedded.o
	$(call say,LINK)
	$(Q)$(CC) $(TEST_LDFLAGS) -o $@ $^ $(LIBS) -lm

# The harness with tests that do what no test should: test/cli/regress.sh looks at what becomes of them.
SELF_SRC := $(wildcard test/regress/harness/*.c test/regress/random/*.c test/regress/self/*.c) test/regress/random/prove/wrong.c
$(O)/regress-self: $(SELF_SRC:%.c=$(O)/%.o) $(SUITE_LIB:%.c=$(O)/%.o) $(O)/regress/embedded.o
	$(call say,LINK)
	$(Q)$(LINK) -o $@ $^ $(LIBS) -lm

$(S)/regress-self: $(SELF_SRC:%.c=$(S)/%.o) $(S)/libpload.a $(O)/regress/embedded.o
	$(call say,LINK)
	$(Q)$(CC) $(TEST_LDFLAGS) -o $@ $^ $(LIBS) -lm

-include $(SELF_SRC:%.c=$(O)/%.d) $(SELF_SRC:%.c=$(S)/%.d) $(SUITE_OBJ:.o=.d) $(SUITE_SRC:%.c=$(S)/%.d) $(SUITE_BPF:.o=.d)
