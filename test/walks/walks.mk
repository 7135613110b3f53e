# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A pload that records which functions of the core run, for test/walks/walks.sh, and of the annexes that its lists name. The other
# annexes, four fifths of the files, are those of the build.

W := $(O)/walks
WALK_FLAGS = $(BASE_FLAGS) $(CPPFLAGS) $(CFLAGS) -O0 -U_FORTIFY_SOURCE -finstrument-functions
WALK_SRC := $(filter $(wildcard elf/*.c loader/core/*/*.c) $(filter %.c,$(shell sed -n '/^```walk/,/^```$$/p' docs/architecture.md)),$(SRC))
WALK_OBJ := $(WALK_SRC:%.c=$(W)/%.o)

$(W)/%.o: %.c $(O)/flags | setup-build
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(if $(filter test/%,$<),$(FLAGS),$(WALK_FLAGS)) -c -o $@ $<

# At a fixed address, where nm finds its functions.
$(W)/pload: $(WALK_OBJ) $(W)/test/walks/recorder.o $(patsubst %.c,$(O)/%.o,$(filter-out $(WALK_SRC),$(SRC)))
	$(call say,LINK)
	$(Q)$(BASE_LINK) $(if $(filter 0,$(STATIC)),,-static) $(LDFLAGS) -no-pie -Wl,--wrap=syscall -o $@ $^ $(LIBS)

-include $(WALK_OBJ:.o=.d)
