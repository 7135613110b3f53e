# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The regression suite: one program with everything it needs inside, and the same with sanitizers for `make check`.

SUITE_SRC := $(wildcard test/regress/harness/*.c test/regress/groups/*.c)
SUITE_BPF := $(patsubst test/regress/bpf/%.c,$(O)/regress/%.o,$(wildcard test/regress/bpf/*.bpf.c))
# What is carried along.
SUITE_FILES := $(SUITE_BPF)
# All of the loader but its main(), and its notes, which are for those who load objects of their own.
SUITE_LIB := $(LIB_SRC) $(filter-out %/main.c %/note.c,$(CMD_SRC))

.PHONY: regress
regress: $(O)/attach-regress

$(O)/regress/%.bpf.o: test/regress/bpf/%.bpf.c | setup-build
	@mkdir -p $(@D)
	$(call say,BPF)
	$(Q)$(CLANG) $(BPF_FLAGS) -MMD -MP -c -o $@ $<

$(O)/regress/embedded.c: test/regress/embed $(SUITE_FILES)
	@mkdir -p $(@D)
	$(Q)sh $< $(SUITE_FILES) >$@.new && mv $@.new $@
$(O)/regress/embedded.o: $(O)/regress/embedded.c
	$(call say,CC)
	$(Q)$(CC) $(FLAGS) -c -o $@ $<

SUITE_OBJ := $(SUITE_SRC:%.c=$(O)/%.o)
$(O)/attach-regress: $(SUITE_OBJ) $(SUITE_LIB:%.c=$(O)/%.o) $(O)/regress/embedded.o
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -ljson-c -lz -lm -pthread

$(S)/attach-regress: $(SUITE_SRC:%.c=$(S)/%.o) $(S)/libpload.a $(O)/regress/embedded.o
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $(SAN) -o $@ $^ -ljson-c -lz -lm -pthread

-include $(SUITE_OBJ:.o=.d) $(SUITE_BPF:.o=.d)
