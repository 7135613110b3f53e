# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The order of code and constants in the program: what a short session runs lies together, so that it is mapped by few page faults
# (docs/bench.md). This is the core, what the core calls in the annexes whether or not they have something to do, and the
# functions of libraries that these call. A file that is missing here costs a page fault and nothing else. LAYOUT= on the
# command line leaves the order to the linker: gold, which does not read such a script, needs that.
LAYOUT := $(O)/layout.ld

SESSION_FOLDERS := sys object object/declared kernel kernel/special_maps kernel/compat event event/grammar attach attach/events value read print session session/loading \
	session/parts session/targets session/probe_locations
# Files of these folders that only other objects and events need.
SESSION_WITHOUT := event/default_event event/pmu_terms event/tracefs event/grammar/parse_breakpoint \
	event/grammar/section_keys event/grammar/cache_names kernel/special_maps/arena kernel/compat/prog_compat object/btf_rewrite/btf_ksyms \
	object/variables/find_variable object/declared/jump_tables object/variables/set_variable object/analysis/source_line object/declared/unresolved \
	print/record_writer value/layout value/walk session/parts/progress session/targets/attach_multi session/targets/iterate session/targets/target_map \
	session/targets/test_run sys/fd_limit sys/names sys/read
SESSION_FILES := $(filter-out $(SESSION_WITHOUT:%=loader/%.c),$(wildcard elf/*.c $(SESSION_FOLDERS:%=loader/%/*.c))) \
	$(addprefix loader/,$(addsuffix .c,\
	cmd/command cmd/main cmd/options cmd/session_options cmd/shared_options attach/targets/sockmap event/catalog/expand \
	event/probes/tracefs_lines features/co_re/co_re features/externs/externs features/kernel_types/kernel_types \
	features/kernel_types/module_btf features/load_target/load_target features/struct_ops/find_struct \
	object/analysis/flow object/analysis/stack_fields print/losses/losses print/rows/histogram \
	features/profile/profile \
	print/record_type/record_format read/order/sort features/profile/stacks session/counting/read_counts \
	session/pins/pin_session sys/dry/dry sys/text/kallsyms sys/trace/trace))

# Members of glibc. Of a function of strings this is the one that chooses a variant for the CPU, and variants of x86_64.
SESSION_LIBC := libc-start libc-tls libc-cleanup libc_early_init init-first init-misc cxa_atexit exit _exit errno-loc getauxval \
	dl-debug dl-early_allocate dl-find_object dl-load dl-lookup dl-object dl-origin dl-reloc dl-setup_hash dl-support dl-tls \
	dl-tls_init_tp dl-tunables elision-conf pthread_mutex_conf pthread_mutex_lock pthread_mutex_unlock ctype-info \
	brk sbrk mprotect syscall clock_gettime getenv getpagesize getrandom getrlimit64 sysconf setjmp sigjmp bsd-_setjmp \
	malloc reallocarray msort getopt getopt1 strtod strtod_l grouping _itoa \
	fileops genops strops filedoalloc iofopncook iofclose iofflush iofputs iofwrite iopadn ferror putc \
	vfprintf-internal vsnprintf snprintf_chk fprintf_chk strcpy_chk \
	memchr memcmp memcpy memmove mempcpy memrchr memset rawmemchr stpcpy strcasecmp strcasecmp_l strcat strchr strchrnul strsep \
	strcmp strcpy strcspn strdup strlen strncase strncase_l strncmp strncpy strnlen strpbrk strrchr strspn strstr wcscpy \
	wcslen wcsnlen wmemchr wmemcmp wmemset strcspn-sse4 strpbrk-sse4 strstr-avx512 strstr-sse2-unaligned \
	$(foreach f,memchr memmove memrchr memset strchr strchrnul strcmp strlen strncmp strnlen strrchr,$f-evex $f-avx2) \
	$(foreach f,memmove memset,$f-avx512-unaligned-erms $f-evex-unaligned-erms $f-avx-unaligned-erms $f-avx2-unaligned-erms) \
	memcmp-evex-movbe memcmp-avx2-movbe
SESSION_LIBS := $(SESSION_LIBC:%=libc.a:%.o) libgcc_eh.a:unwind-dw2-fde-dip.o \
	$(patsubst %,libjson-c.a:%.c.o,json_object linkhash arraylist printbuf random_seed)
# Members that are nothing but tables.
SESSION_TABLES := C-ctype C-numeric varshift itoa-digits
# Members whose variables a short session does not use: 18 kB, between variables that each program writes when it starts.
UNUSED_BSS := pthread_keys register-atfork res_libc

# All of their code but that of errors, which the compiler puts into .text.unlikely; and what runs at exit. The constants begin where
# a page fault begins to map.
$(O)/layout.ld: loader/layout.mk $(O)/flags
	@mkdir -p $(@D)
	$(Q){ echo 'SECTIONS { .fini : { KEEP(*(.fini)) } .text.session : {'; \
	printf '*/%s(.text .text.[!u]* .text.u[!n]*)\n' $(SESSION_LIBS) crt1.o 'crtbegin*.o' $(SESSION_FILES:%.c=%.o); \
	echo '} } INSERT BEFORE .text; SECTIONS { .rodata.session : { . = ALIGN(0x10000);'; \
	printf '*/%s(.rodata .rodata.*)\n' $(SESSION_FILES:%.c=%.o) $(SESSION_LIBS) \
		$(SESSION_TABLES:%=libc.a:%.o); \
	echo '} } INSERT AFTER .rodata; SECTIONS { .bss.unused : {'; \
	printf '*libc.a:%s.o(.bss .bss.*)\n' $(UNUSED_BSS); \
	echo '} } INSERT AFTER .bss;'; } >$@
