# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The judge of the course: a program with the templates of its objects inside.

JUDGE_SRC := $(sort $(wildcard test/judge/*.c test/judge/stages/*.c test/judge/conformance/*.c)) \
	     test/unit/common/elf_builder.c test/unit/common/btf_builder.c
JUDGE_OBJECTS := $(sort $(wildcard test/judge/objects/*.bpf.c))
# The chapters of statements about loading, in their order.
CHAPTERS := $(wildcard $(patsubst %,docs/loading/%.md,elf sections maps data externs relocations calls btf btf_ext core attach))

.PHONY: judge
judge: $(O)/judge $(PLOAD)

$(O)/judge-embedded.c: test/regress/embed test/judge/judge.mk $(JUDGE_OBJECTS) $(CHAPTERS)
	@mkdir -p $(@D)
	$(Q)sh $< $(JUDGE_OBJECTS) $(CHAPTERS) >$@.new && mv $@.new $@
$(O)/judge-embedded.o: $(O)/judge-embedded.c $(JUDGE_OBJECTS) $(CHAPTERS) $(O)/flags
	$(call say,CC)
	$(Q)$(CC) $(FLAGS) $(PREFIX_MAP) -c -o $@ $<
$(O)/judge: $(JUDGE_SRC:%.c=$(O)/%.o) $(LIB_OBJ) $(O)/judge-embedded.o
	$(call say,LINK)
	$(Q)$(LINK) -o $@ $^ $(LIBS)

# The objects of docs/loading are pinned: they are the same wherever they are assembled.
.PHONY: conformance-objects
conformance-objects: $(O)/judge
	$(Q)rm -rf $(O)/conformance && $< --conformance --assemble=$(O)/conformance
	$(Q)cd $(O)/conformance && sha256sum ./*.o >$(CURDIR)/test/judge/conformance/objects.sha256

-include $(JUDGE_SRC:%.c=$(O)/%.d)

include test/judge/loaders/loaders.mk
