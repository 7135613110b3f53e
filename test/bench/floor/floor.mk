# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The floor of a session over small.bpf.o: its system calls from bytes that are known when it is built.

$(B)/floor_bytes: test/bench/floor/bytes.c $(LIB_OBJ)
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(LINK) $(FLAGS) -MF $@.d -o $@ $(filter %.c %.o,$^) $(LIBS)

$(B)/floor.inc: $(B)/floor_bytes $(B)/small.bpf.o
	$(Q)$^ >$@.new && mv $@.new $@

$(B)/floor: test/bench/floor/floor.c $(B)/floor.inc
	$(call say,CC)
	$(Q)$(CC) -std=gnu11 $(WARNINGS) -D_GNU_SOURCE -Iuapi -I$(B) -O2 -static -o $@ $<
