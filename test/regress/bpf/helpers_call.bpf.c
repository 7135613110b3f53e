// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Helpers of perf_event programs that call a function of the program. */
#include "test/regress/bpf/helper_prog.h"
#include "test/regress/bpf/map.h"

MAP(array, ARRAY, 4, __u32, __u64);

/*
 * The callbacks count in the map's value: the verifier would follow a count on the stack through
 * every iteration.
 */
struct where {
	struct helper_io *io;
};

static long add_turn(__u32 turn, struct where *where)
{
	where->io->out[0]++;
	where->io->out[1] += turn;
	return turn == where->io->in[0];
}

HELPER(loop)
{
	struct where where = { io };

	io->ret[0] = bpf_loop(5, add_turn, &where, 0);
	io->ret[1] = bpf_loop(100, add_turn, &where, 0);
	io->ret[2] = bpf_loop((1 << 23) + 1, add_turn, &where, 0);
	io->ret[3] = bpf_loop(5, add_turn, &where, 1);
}

static long add_element(void *map, const __u32 *key, const __u64 *value, struct where *where)
{
	where->io->out[0]++;
	where->io->out[1] += *value;
	return *key == where->io->in[0];
}

HELPER(for_each_map_elem)
{
	struct where where = { io };

	io->ret[0] = bpf_for_each_map_elem(&array, add_element, &where, 0);
	io->ret[1] = bpf_for_each_map_elem(&array, add_element, &where, 1);
}

struct vm_area_struct {
	unsigned long vm_start, vm_end;
} __attribute__((preserve_access_index));

static long keep_area(void *task, const struct vm_area_struct *vma, struct where *where)
{
	where->io->out[0]++;
	where->io->out[1] = vma->vm_start;
	where->io->out[2] = vma->vm_end;
	return 0;
}

/* One call for each run: with interrupts off the next would find the first one's lock. */
HELPER(find_vma)
{
	struct where where = { io };

	io->ret[0] = bpf_find_vma((void *)bpf_get_current_task_btf(), io->in[0], keep_area, &where,
				  io->in[1]);
}
