// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Programs and libraries of both classes and byte orders, and caches of the dynamic linker. */
#include "test/fuzz/seeds.h"
#include "test/unit/common/exec_builder.h"
#include "test/unit/common/ld_cache_builder.h"

static struct buffer make_exec(unsigned int form)
{
	static const char id[20] = "an id of this build";
	struct exec_builder b = {
		.is_32 = form & 1, .big_endian = form & 2, .no_sections = form & 4,
		.old_hash = form & 8, .build_id = id,
		.machine = form & 2 ? EM_S390 : form == 12 ? EM_AARCH64 : 0,
	};

	xb_version(&b, 1, "lib.so.1");
	xb_version(&b, 2, "V_1");
	xb_version(&b, 3, "V_2");
	xb_needed(&b, "libc.so.6");
	xb_function(&b, XB_SYMTAB, "main", XB_TEXT_ADDRESS);
	xb_function(&b, XB_SYMTAB, "named@@V_2", XB_TEXT_ADDRESS + 16);
	xb_symbol(&b, XB_SYMTAB, "data", XB_DATA_ADDRESS, 4, STB_LOCAL, STT_OBJECT, XB_DATA, 0);
	xb_function(&b, XB_DYNSYM, "exported", XB_TEXT_ADDRESS + 32);
	xb_symbol(&b, XB_DYNSYM, "old", XB_TEXT_ADDRESS + 48, 8, STB_WEAK, STT_FUNC, XB_TEXT,
		  0x8002);
	xb_symbol(&b, XB_DYNSYM, "choose", XB_TEXT_ADDRESS + 64, 8, STB_GLOBAL, STT_GNU_IFUNC,
		  XB_TEXT, 3);
	xb_note(&b, XB_TEXT_ADDRESS + 4, XB_BASE_ADDRESS, XB_DATA_ADDRESS + 2, "app", "begin",
		form & 2 ? "-4@%r2 8@160(%r15) 8@8(%r1,%r2) -4@42" :
			   "-4@%eax 8@-8(%rbp) 1@8(%rax,%rbx,4) 4@data(%rip) 8@$-7");
	xb_note(&b, XB_TEXT_ADDRESS + 8, XB_BASE_ADDRESS - 16, 0, "app", "end",
		"8@x0 -4@[sp, 12] 4@[x1, x2, lsl 3] 8@wzr 8f@%xmm0");
	return xb_finish(&b);
}

struct buffer seed_probed(unsigned int form)
{
	static const struct cache_library libraries[] = {
		{ "libc.so.6", "/lib/libc.so.6", 0x303, NULL, 0 },
		{ "libfast.so.1", "/lib/v3/libfast.so.1", 0x303, "x86-64-v3", 0 },
		{ "libold.so.1", "/lib/tls/libold.so.1", 0x003, NULL, 1 },
		{ NULL, NULL, 0, NULL, 0 },
	};

	return form < 16 ? make_exec(form) : ld_cache_make(libraries, form - 16);
}
