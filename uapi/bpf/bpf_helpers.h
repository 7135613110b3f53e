/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Sections, map definitions, helpers, printing: include after vmlinux.h or linux/bpf.h. */
#ifndef __BPF_HELPERS__
#define __BPF_HELPERS__

#include <bpf/bpf_helper_defs.h>

/*
 * The attributes of a map in ".maps" are members of a struct, and stand in its BTF: a number as
 * the length of an array, a type as what a pointer points at. Nothing of it is ever stored.
 */
#define __uint(name, val)	int (*name)[val]
#define __type(name, val)	typeof(val) *name
#define __array(name, val)	typeof(val) *name[]
/* A number of 64 bits is no array length; the value of an enumerator can be one. */
#define __ulong(name, val)	enum { ___bpf_apply(___bpf_value_, __COUNTER__) = val } name

/* The section tells the loader what the thing is. On an extern declaration `used` is noise. */
#ifdef __clang__
#define SEC(name) \
	_Pragma("GCC diagnostic push") \
	_Pragma("GCC diagnostic ignored \"-Wignored-attributes\"") \
	__attribute__((section(name), used)) \
	_Pragma("GCC diagnostic pop")
#else	/* gcc takes no pragma within a declaration */
#define SEC(name)	__attribute__((section(name), used))
#endif

/* linux/stddef.h has one that lacks `inline`. */
#undef __always_inline
#define __always_inline		inline __attribute__((always_inline))
#ifndef __noinline
#define __noinline		__attribute__((noinline))
#endif
#ifndef __weak
#define __weak			__attribute__((weak))
#endif
/* A hidden global function is verified like a static one: with what its callers pass. */
#define __hidden		__attribute__((visibility("hidden")))

/* Macros, which vmlinux.h cannot contain: BTF does not describe them. */
#ifndef NULL
#define NULL			((void *)0)
#endif
#ifndef KERNEL_VERSION
#define KERNEL_VERSION(a, b, c)	(((a) << 16) + ((b) << 8) + ((c) > 255 ? 255 : (c)))
#endif
#ifndef offsetof
#define offsetof(type, member)	__builtin_offsetof(type, member)
#endif
#ifndef container_of
#define container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))
#endif

/* The compiler may not carry memory, or one variable's bounds, across. */
#ifndef barrier
#define barrier()		asm volatile("" ::: "memory")
#endif
#ifndef barrier_var
#define barrier_var(var)	asm volatile("" : "+r"(var))
#endif

/* BPF has no trap instruction: reaching this in the generated code is an error of the build. */
#ifndef __bpf_unreachable
#define __bpf_unreachable()	__builtin_trap()
#endif

enum libbpf_pin_type {
	LIBBPF_PIN_NONE,
	LIBBPF_PIN_BY_NAME,	/* pinned in bpffs under the map's name */
};

enum libbpf_tristate {		/* a kconfig extern of m or y */
	TRI_NO = 0,
	TRI_YES = 1,
	TRI_MODULE = 2,
};

/* Externs that the loader resolves. */
#define __kconfig		__attribute__((section(".kconfig")))
#define __ksym			__attribute__((section(".ksyms")))
#define bpf_ksym_exists(sym)	(!!(sym))

/* Pointers kept in maps. */
#define __kptr_untrusted	__attribute__((btf_type_tag("kptr_untrusted")))
#define __kptr			__attribute__((btf_type_tag("kptr")))
#define __kptr_ref		__attribute__((btf_type_tag("kptr_ref")))
#define __percpu_kptr		__attribute__((btf_type_tag("percpu_kptr")))
#define __uptr			__attribute__((btf_type_tag("uptr")))

/* Tags that tell the verifier about an argument of a global function. */
#define __arg_ctx		__attribute__((btf_decl_tag("arg:ctx")))
#define __arg_nonnull		__attribute__((btf_decl_tag("arg:nonnull")))
#define __arg_nullable		__attribute__((btf_decl_tag("arg:nullable")))
#define __arg_trusted		__attribute__((btf_decl_tag("arg:trusted")))
#define __arg_untrusted		__attribute__((btf_decl_tag("arg:untrusted")))
#define __arg_arena		__attribute__((btf_decl_tag("arg:arena")))

/* Counting arguments: ___bpf_apply(NAME_, ___bpf_narg(args)) picks NAME_0 to NAME_12. */
#define ___bpf_concat(a, b)	a ## b
#define ___bpf_apply(fn, n)	___bpf_concat(fn, n)
#define ___bpf_nth(_, _1, _2, _3, _4, _5, _6, _7, _8, _9, _a, _b, _c, N, ...) N
#define ___bpf_narg(...) \
	___bpf_nth(_, ##__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)

/* Every argument as the 64 bits that the formatting helpers take, with commas between. */
#define ___bpf_u64s0()
#define ___bpf_u64s1(x)			(unsigned long long)(x)
#define ___bpf_u64s2(x, args...)	(unsigned long long)(x), ___bpf_u64s1(args)
#define ___bpf_u64s3(x, args...)	(unsigned long long)(x), ___bpf_u64s2(args)
#define ___bpf_u64s4(x, args...)	(unsigned long long)(x), ___bpf_u64s3(args)
#define ___bpf_u64s5(x, args...)	(unsigned long long)(x), ___bpf_u64s4(args)
#define ___bpf_u64s6(x, args...)	(unsigned long long)(x), ___bpf_u64s5(args)
#define ___bpf_u64s7(x, args...)	(unsigned long long)(x), ___bpf_u64s6(args)
#define ___bpf_u64s8(x, args...)	(unsigned long long)(x), ___bpf_u64s7(args)
#define ___bpf_u64s9(x, args...)	(unsigned long long)(x), ___bpf_u64s8(args)
#define ___bpf_u64s10(x, args...)	(unsigned long long)(x), ___bpf_u64s9(args)
#define ___bpf_u64s11(x, args...)	(unsigned long long)(x), ___bpf_u64s10(args)
#define ___bpf_u64s12(x, args...)	(unsigned long long)(x), ___bpf_u64s11(args)
#define ___bpf_u64s(args...)		___bpf_apply(___bpf_u64s, ___bpf_narg(args))(args)

/* Calls helper(before..., format, its size, the arguments, their size). */
#define ___bpf_format(call, fmt, args...) ({ \
	static const char ___fmt[] = fmt; \
	unsigned long long ___param[] = { ___bpf_u64s(args) }; \
	call; \
})

#define BPF_SEQ_PRINTF(seq, fmt, args...) \
	___bpf_format(bpf_seq_printf(seq, ___fmt, sizeof(___fmt), ___param, sizeof(___param)), \
		      fmt, ##args)

#define BPF_SNPRINTF(out, out_size, fmt, args...) \
	___bpf_format(bpf_snprintf(out, out_size, ___fmt, ___param, sizeof(___param)), fmt, ##args)

/* Without global data (kernels before 5.2) the format has to be on the stack. */
#ifdef BPF_NO_GLOBAL_DATA
#define BPF_PRINTK_FMT_MOD
#else
#define BPF_PRINTK_FMT_MOD	static const
#endif

#define __bpf_printk(fmt, args...) ({ \
	BPF_PRINTK_FMT_MOD char ___fmt[] = fmt; \
	bpf_trace_printk(___fmt, sizeof(___fmt), ##args); \
})

#define __bpf_vprintk(fmt, args...) \
	___bpf_format(bpf_trace_vprintk(___fmt, sizeof(___fmt), ___param, sizeof(___param)), \
		      fmt, ##args)

/* A line in the kernel's trace_pipe. Three arguments fit in registers, more need Linux 5.16. */
#define bpf_printk(fmt, args...)	___bpf_pick_printk(args)(fmt, ##args)
#define ___bpf_pick_printk(...) \
	___bpf_nth(_, ##__VA_ARGS__, __bpf_vprintk, __bpf_vprintk, __bpf_vprintk, __bpf_vprintk, \
		   __bpf_vprintk, __bpf_vprintk, __bpf_vprintk, __bpf_vprintk, __bpf_vprintk, \
		   __bpf_printk, __bpf_printk, __bpf_printk, __bpf_printk)

/*
 * A tail call whose slot is known here, so that the kernel can patch in a direct jump. Written in
 * assembly because the compiler may merge two calls into one whose slot is then in a register.
 */
#if defined(__bpf__) && defined(__clang__)
static __always_inline void
bpf_tail_call_static(void *ctx, const void *map, const unsigned int slot)
{
	if (!__builtin_constant_p(slot))
		__bpf_unreachable();

	asm volatile("r1 = %[ctx]\n\tr2 = %[map]\n\tr3 = %[slot]\n\tcall 12"
		     :: [ctx] "r"(ctx), [map] "r"(map), [slot] "i"(slot)
		     : "r0", "r1", "r2", "r3", "r4", "r5");
}
#endif

/* Open-coded iterators (Linux 6.4): loops that the verifier walks once, not once per turn. */
struct bpf_iter_num;

extern int bpf_iter_num_new(struct bpf_iter_num *it, int start, int end) __weak __ksym;
extern int *bpf_iter_num_next(struct bpf_iter_num *it) __weak __ksym;
extern void bpf_iter_num_destroy(struct bpf_iter_num *it) __weak __ksym;

/*
 * An iterator is born, and dies with the loop however that is left. Naming the destructor a second
 * time puts it into BTF, which the cleanup attribute alone does not. ___p only carries the call.
 */
#define ___bpf_iter(type, it, args...) \
	struct bpf_iter_##type it __attribute__((aligned(8), cleanup(bpf_iter_##type##_destroy))), \
		*___p __attribute__((unused)) = (bpf_iter_##type##_new(&it, ##args), \
						 (void)bpf_iter_##type##_destroy, (void *)0)

/* for every `cur` that iterator `type` yields, until NULL */
#define bpf_for_each(type, cur, args...) \
	for (___bpf_iter(type, ___it, ##args); ((cur) = bpf_iter_##type##_next(&___it));)

/* for (i = start; i < end; i++); the comparison tells the verifier the bounds of i */
#define bpf_for(i, start, end) \
	for (___bpf_iter(num, ___it, (start), (end)); ({ \
		int *___n = bpf_iter_num_next(&___it); \
		\
		___n && ((i) = *___n, (i) >= (start) && (i) < (end)); \
	});)

#define bpf_repeat(n) \
	for (___bpf_iter(num, ___it, 0, (n)); bpf_iter_num_next(&___it);)

#endif
