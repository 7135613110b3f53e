# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# make learn [N=7], learn-check N=7 [HINT=1], learn-run N=7: exercises in pload itself, docs/course/holes.md.

LEARN = O=$(O) S=$(S) CC='$(CC)' MAKE='$(MAKE)' AGAIN='$(AGAIN)' sh test/holes/learn

.PHONY: learn learn-check learn-run
learn:
	@$(LEARN) $(if $(N),lay '$(N)',list)

# Its tests are those of the tree; the first time they have to be built.
ifneq ($(filter learn-check,$(MAKECMDGOALS)),)
LEARN_TESTS := $(if $(HINT),,$(shell O=$(O) sh test/holes/learn programs '$(N)' 2>/dev/null))
learn-check: $(if $(LEARN_TESTS),setup-check $(LEARN_TESTS:%=$(S)/%))
endif
learn-check:
	@$(LEARN) $(if $(HINT),hint '$(N)' '$(HINT)',check '$(N)')

learn-run: | setup-build
	@$(LEARN) run '$(N)'
