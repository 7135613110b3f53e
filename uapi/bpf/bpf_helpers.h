/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Sections, map definitions, helpers and printing. Include it after vmlinux.h or linux/bpf.h. */
#ifndef __BPF_HELPERS__
#define __BPF_HELPERS__

#include <bpf/bpf_helper_defs.h>

/*
 * A map in ".maps" is a struct whose members are the attributes of the map. The loader reads them
 * from the struct's BTF: a number is the length of an array, and a type is the target of a pointer.
 * The contents of the variable are not used.
 */
#define __uint(name, val)	int (*name)[val]
#define __type(name, val)	typeof(val) *name
#define __array(name, val)	typeof(val) *name[]
/* An array length cannot have 64 bits, but an enumerator's value can. */
#define __ulong(name, val)	enum { ___bpf_apply(___bpf_value_, __COUNTER__) = val } name

/* A map in "maps", as before BTF: the contents of the variable are the attributes of the map. */
struct bpf_map_def {
	unsigned int type;
	unsigned int key_size;
	unsigned int value_size;
	unsigned int max_entries;
	unsigned int map_flags;
};

/* The loader classifies symbols by section. The pragmas silence the warning for externs. */
#ifdef __clang__
#define SEC(name) \
	_Pragma("GCC diagnostic push") \
	_Pragma("GCC diagnostic ignored \"-Wignored-attributes\"") \
	__attribute__((section(name), used)) \
	_Pragma("GCC diagnostic pop")
#else	/* gcc does not accept a pragma within a declaration. */
#define SEC(name)	__attribute__((section(name), used))
#endif

/* The definition in linux/stddef.h lacks `inline`. */
#undef __always_inline
#define __always_inline		inline __attribute__((always_inline))
#ifndef __noinline
#define __noinline		__attribute__((noinline))
#endif
#ifndef __weak
#define __weak			__attribute__((weak))
#endif
/* The verifier treats a hidden function as static: it checks it with each caller's arguments. */
#define __hidden		__attribute__((visibility("hidden")))

/* vmlinux.h does not define these, because BTF does not describe macros. */
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

/*
 * The compiler must not assume that memory (barrier()) or one variable (barrier_var()) is unchanged
 * across these.
 */
#ifndef barrier
#define barrier()		asm volatile("" ::: "memory")
#endif
#ifndef barrier_var
#define barrier_var(var)	asm volatile("" : "+r"(var))
#endif

#ifndef likely
#define likely(x)		__builtin_expect(!!(x), 1)
#endif
#ifndef unlikely
#define unlikely(x)		__builtin_expect(!!(x), 0)
#endif

/* BPF has no trap instruction, so the build fails if the compiler has to emit code for this. */
#ifndef __bpf_unreachable
#define __bpf_unreachable()	__builtin_trap()
#endif

enum libbpf_pin_type {
	LIBBPF_PIN_NONE,
	LIBBPF_PIN_BY_NAME,	/* pinned to a bpffs file named as the map */
};

enum libbpf_tristate {		/* value of a kconfig option in an extern */
	TRI_NO = 0,
	TRI_YES = 1,
	TRI_MODULE = 2,
};

/* Sections of the externs that the loader resolves. */
#define __kconfig		__attribute__((section(".kconfig")))
#define __ksym			__attribute__((section(".ksyms")))
#define bpf_ksym_exists(sym)	(!!(sym))

/* Type tags of pointers that are stored in map values. */
#define __kptr_untrusted	__attribute__((btf_type_tag("kptr_untrusted")))
#define __kptr			__attribute__((btf_type_tag("kptr")))
#define __kptr_ref		__attribute__((btf_type_tag("kptr_ref")))
#define __percpu_kptr		__attribute__((btf_type_tag("percpu_kptr")))
#define __uptr			__attribute__((btf_type_tag("uptr")))

/* Tags that declare to the verifier how a global function uses an argument. */
#define __arg_ctx		__attribute__((btf_decl_tag("arg:ctx")))
#define __arg_nonnull		__attribute__((btf_decl_tag("arg:nonnull")))
#define __arg_nullable		__attribute__((btf_decl_tag("arg:nullable")))
#define __arg_trusted		__attribute__((btf_decl_tag("arg:trusted")))
#define __arg_untrusted		__attribute__((btf_decl_tag("arg:untrusted")))
#define __arg_arena		__attribute__((btf_decl_tag("arg:arena")))

/* ___bpf_narg() counts its arguments, and ___bpf_apply() appends the count to a macro's name. */
#define ___bpf_concat(a, b)	a ## b
#define ___bpf_apply(fn, n)	___bpf_concat(fn, n)
#define ___bpf_nth(_, _1, _2, _3, _4, _5, _6, _7, _8, _9, _a, _b, _c, N, ...) N
#define ___bpf_narg(...) \
	___bpf_nth(_, ##__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)

/* Cast every argument to the 64-bit values that the formatting helpers expect. */
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

/* Evaluate @call, which calls a helper with the variables ___fmt (format) and ___param (values). */
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

/* Kernels before 5.2 have no global data, so the format has to be on the stack. */
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

/* Print a line to the kernel's trace_pipe. More than three arguments require Linux 5.16. */
#define bpf_printk(fmt, args...)	___bpf_pick_printk(args)(fmt, ##args)
#define ___bpf_pick_printk(...) \
	___bpf_nth(_, ##__VA_ARGS__, __bpf_vprintk, __bpf_vprintk, __bpf_vprintk, __bpf_vprintk, \
		   __bpf_vprintk, __bpf_vprintk, __bpf_vprintk, __bpf_vprintk, __bpf_vprintk, \
		   __bpf_printk, __bpf_printk, __bpf_printk, __bpf_printk)

/* Print to a stream of the program: BPF_STREAM_STDOUT or BPF_STREAM_STDERR (Linux 6.17). */
#define bpf_stream_printk(stream_id, fmt, args...) \
	___bpf_format(bpf_stream_vprintk(stream_id, ___fmt, ___param, sizeof(___param)), \
		      fmt, ##args)

/*
 * A tail call to a constant slot, which the kernel's JIT compiler can turn into a direct jump. It
 * is inline assembly because the compiler could otherwise merge two calls into one call with a
 * variable slot.
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

/* Open-coded iterators (Linux 6.4): the verifier does not check each iteration of such a loop. */
struct bpf_iter_num;

extern int bpf_iter_num_new(struct bpf_iter_num *it, int start, int end) __weak __ksym;
extern int *bpf_iter_num_next(struct bpf_iter_num *it) __weak __ksym;
extern void bpf_iter_num_destroy(struct bpf_iter_num *it) __weak __ksym;

/*
 * Create an iterator that is destroyed when the loop ends, also by break or return. The second
 * reference to the destructor makes clang emit it into BTF, for which the cleanup attribute is not
 * enough. ___p exists only because its initializer can call the constructor.
 */
#define ___bpf_iter(type, it, args...) \
	struct bpf_iter_##type it __attribute__((aligned(8), cleanup(bpf_iter_##type##_destroy))), \
		*___p __attribute__((unused)) = (bpf_iter_##type##_new(&it, ##args), \
						 (void)bpf_iter_##type##_destroy, (void *)0)

/* Loop with `cur` set to each element of an iterator of the given type. */
#define bpf_for_each(type, cur, args...) \
	for (___bpf_iter(type, ___it, ##args); ((cur) = bpf_iter_##type##_next(&___it));)

/* Loop as for (i = start; i < end; i++). The comparison gives the verifier the bounds of i. */
#define bpf_for(i, start, end) \
	for (___bpf_iter(num, ___it, (start), (end)); ({ \
		int *___n = bpf_iter_num_next(&___it); \
		\
		___n && ((i) = *___n, (i) >= (start) && (i) < (end)); \
	});)

#define bpf_repeat(n) \
	for (___bpf_iter(num, ___it, 0, (n)); bpf_iter_num_next(&___it);)

#endif
