// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The object of most stages. The judge defines the names in capitals, other ones each time, and the features of a stage. */
typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

#define SEC(name) __attribute__((section(name), used))
#define __uint(name, value) int (*name)[value]
#define __type(name, value) typeof(value) *name
#define noinline __attribute__((noinline))

/*
 * libbpf refuses an object that has a static function in the section of a program; older versions
 * of cilium/ebpf do not know sections of data with other names.
 */
#ifdef FOR_PEERS
#define beside_programs
#define of_its_own
#else
#define beside_programs SEC("perf_event")
#define of_its_own SEC(".data.more")
#endif

static void *(*const map_lookup)(void *map, const void *key) = (void *)1;
static long (*const map_update)(void *map, const void *key, const void *value, u64 flags) = (void *)2;
static u32 (*const cpu_number)(void) = (void *)8;
static u64 (*const attach_cookie)(void *ctx) = (void *)174;
static long (*const loop)(u32 nr, void *fn, void *arg, u64 flags) = (void *)181;

/* Rows of rows, as large as WORDS numbers of 8 bytes. */
typedef u32 row_t[WORDS];
typedef row_t words_t[2];
#ifdef CONSTANT
typedef u32 element_t;	/* a lookup in a per-CPU map rounds it up to 8 bytes */
#else
typedef u64 element_t;
#endif

#ifdef ARRAY_FIRST
struct {
	__uint(type, ARRAY_TYPE);
	__uint(max_entries, ARRAY_ENTRIES);
	__type(key, u32);
	__type(value, element_t);
} ARRAY SEC(".maps");
#endif

struct {
	__uint(type, 1);
	__uint(max_entries, HASH_ENTRIES);
	__type(key, u64);
	__type(value, words_t);
} HASH SEC(".maps");

#ifndef ARRAY_FIRST
struct {
	__uint(max_entries, ARRAY_ENTRIES);
	__type(key, u32);
	__type(value, element_t);
	__uint(type, ARRAY_TYPE);
} ARRAY SEC(".maps");
#endif

/* No program uses it: a declaration alone makes a map. It has sizes, and no types. */
struct {
	__uint(type, 1);
	__uint(key_size, 4 * ROWS);
	__uint(value_size, 24 * ROWS);
	__uint(max_entries, HASH_ENTRIES);
	__uint(map_flags, 1);	/* BPF_F_NO_PREALLOC */
} SPARE SEC(".maps");

u64 started = DATA_FIRST;
u32 steps = DATA_SECOND;
u64 unused[BSS_PAD];
u64 runs, sum;
/* A section of data may have a name of its own after the dot. */
u64 more of_its_own = DATA_SECOND;
const volatile u32 limit = LIMIT;
/* A static variable has no symbol of its own: its offset is in the instruction. */
static volatile u32 hidden = STEP;
static volatile u32 hidden_next = LIMIT;

#ifdef CALLS
/* leaf is called from its own section, where a call needs no relocation; apart is in .text. */
static noinline beside_programs u64 leaf(u64 x)
{
	return x ? x + STEP : runs;
}

static noinline beside_programs u64 mid(u64 x)
{
	return leaf(x) + leaf(x + 1);
}

/* Both are static: a call refers to the section, and where in it is in the instruction. */
static noinline u64 aside(u64 x)
{
	return x + hidden_next;
}

static noinline u64 apart(u64 x)
{
	return x > limit ? 0 : x + STEP + steps + hidden;
}
#endif

#ifdef CALLBACK
static long each(u32 i, void *arg)
{
	*(u64 *)arg += i;
	return 0;
}
#endif

#ifdef SEVERAL
static noinline beside_programs u64 inner(u64 x)
{
	return x * STEP + limit;
}
#endif

SEC("perf_event") int PROGRAM(void *ctx)
{
	u64 key = STEP;
	element_t *value;
	u32 index = 0;

#ifdef CALLS
	sum += mid(started) + apart(steps) + aside(started);
#endif
#ifdef CALLBACK
	{
		u64 total = 0;

		loop(4, each, &total, 0);
		sum = total;
	}
#endif
#ifdef SEVERAL
	sum = inner(sum) + hidden + hidden_next;
#endif
#ifdef COOKIE
	key = attach_cookie(ctx);
#endif
#ifdef CPUS
	index = cpu_number();
#endif
	value = map_lookup(&ARRAY, &index);
	if (value)
#ifdef CONSTANT
		*value = STEP + 1000 * cpu_number();
#else
		++*value;
#endif
	if (!map_lookup(&HASH, &key)) {
		words_t new;
		u64 last = STEP;

		__builtin_memset(new, 0, sizeof(new));
		__builtin_memcpy((char *)new + sizeof(new) - sizeof(last), &last, sizeof(last));
		map_update(&HASH, &key, new, 0);
#ifdef CONSTANT
		for (int i = 1; i < KEYS; i++) {
			key += 1ull << 40;
			map_update(&HASH, &key, new, 0);
		}
#endif
	}
#ifdef CONSTANT
	steps = DATA_SECOND + STEP;
	more = DATA_FIRST + STEP;
	sum = limit;
	runs = 1;
#else
	steps++;
	more++;
	runs += limit ? 1 : 2;
#endif
	return 0;
}

#ifdef SEVERAL
SEC("perf_event") int SECOND(void *ctx)
{
	steps += inner(limit);
	return 0;
}

noinline u64 outside(u64 x)
{
	return x + limit;
}

SEC("perf_event") int THIRD(void *ctx)
{
	sum = outside(sum);
	return 0;
}
#endif

char LICENSE[] SEC("license") = LICENSE_TEXT;
