# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# make learn [N=7], learn-check N=7 [HINT=1], learn-run N=7: exercises in pload itself, docs/course/holes.md.

LEARN = O=$(O) S=$(S) CC='$(CC)' MAKE='$(MAKE)' AGAIN='$(AGAIN)' sh test/holes/learn

.PHONY: learn learn-check learn-run
learn:
	@$(LEARN) $(if $(N),lay '$(N)',list)

# Its tests are those of the tree; the first time they have to be built.
ifneq ($(filter learn-check,$(MAKECMDGOALS)),)
learn-check: $(if $(HINT)$(if $(wildcard $(O)/learn/$(N)),,none),,setup-check $(addprefix $(S)/,$(shell sh test/holes/learn programs '$(N)' 2>/dev/null)))
endif
learn-check:
	@$(LEARN) $(if $(HINT),hint '$(N)' '$(HINT)',check '$(N)')

learn-run: | setup-build
	@$(LEARN) run '$(N)'
