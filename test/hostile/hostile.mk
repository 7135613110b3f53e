# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The attacker of test/cli/hostile.sh. Its functions have frame pointers, and its code can be copied: no sanitizers.

HOSTILE := $(S)/hostile
HOSTILE_OBJ := $(patsubst %.c,$(S)/%.o,$(wildcard test/hostile/*.c))
$(HOSTILE_OBJ): private TEST_FLAGS = $(BASE_FLAGS) -O1 -g1 -fno-omit-frame-pointer -fno-optimize-sibling-calls -fno-stack-protector

$(HOSTILE): $(HOSTILE_OBJ)
	$(call say,LINK)
	$(Q)$(CC) -o $@ $^
