// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Trace perf_event_open(2) and the ioctls of its descriptors. */
#include <inttypes.h>
#include <net/if.h>
#include <stdbool.h>
#include <string.h>

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <linux/sockios.h>

#include "loader/observe/trace/trace_internal.h"

#define FLAG(id) { id, #id }

static const struct sys_flag sample_flags[] = {
	FLAG(PERF_SAMPLE_IP),
	FLAG(PERF_SAMPLE_TID),
	FLAG(PERF_SAMPLE_TIME),
	FLAG(PERF_SAMPLE_ADDR),
	FLAG(PERF_SAMPLE_READ),
	FLAG(PERF_SAMPLE_CALLCHAIN),
	FLAG(PERF_SAMPLE_ID),
	FLAG(PERF_SAMPLE_CPU),
	FLAG(PERF_SAMPLE_PERIOD),
	FLAG(PERF_SAMPLE_STREAM_ID),
	FLAG(PERF_SAMPLE_RAW),
	FLAG(PERF_SAMPLE_BRANCH_STACK),
	FLAG(PERF_SAMPLE_REGS_USER),
	FLAG(PERF_SAMPLE_STACK_USER),
	FLAG(PERF_SAMPLE_WEIGHT),
	FLAG(PERF_SAMPLE_DATA_SRC),
	FLAG(PERF_SAMPLE_IDENTIFIER),
	FLAG(PERF_SAMPLE_TRANSACTION),
	FLAG(PERF_SAMPLE_REGS_INTR),
	FLAG(PERF_SAMPLE_PHYS_ADDR),
	FLAG(PERF_SAMPLE_AUX),
	FLAG(PERF_SAMPLE_CGROUP),
	FLAG(PERF_SAMPLE_DATA_PAGE_SIZE),
	FLAG(PERF_SAMPLE_CODE_PAGE_SIZE),
	FLAG(PERF_SAMPLE_WEIGHT_STRUCT),
	{ 0, NULL },
};

static const struct sys_flag format_flags[] = {
	FLAG(PERF_FORMAT_TOTAL_TIME_ENABLED),
	FLAG(PERF_FORMAT_TOTAL_TIME_RUNNING),
	FLAG(PERF_FORMAT_ID),
	FLAG(PERF_FORMAT_GROUP),
	FLAG(PERF_FORMAT_LOST),
	{ 0, NULL },
};

static const struct sys_flag branch_flags[] = {
	FLAG(PERF_SAMPLE_BRANCH_USER),
	FLAG(PERF_SAMPLE_BRANCH_KERNEL),
	FLAG(PERF_SAMPLE_BRANCH_HV),
	FLAG(PERF_SAMPLE_BRANCH_ANY),
	FLAG(PERF_SAMPLE_BRANCH_ANY_CALL),
	FLAG(PERF_SAMPLE_BRANCH_ANY_RETURN),
	FLAG(PERF_SAMPLE_BRANCH_IND_CALL),
	FLAG(PERF_SAMPLE_BRANCH_CALL_STACK),
	{ 0, NULL },
};

static const struct sys_flag breakpoint_flags[] = {
	FLAG(HW_BREAKPOINT_RW),
	FLAG(HW_BREAKPOINT_R),
	FLAG(HW_BREAKPOINT_W),
	FLAG(HW_BREAKPOINT_X),
	{ 0, NULL },
};

static const struct sys_flag open_flags[] = {
	FLAG(PERF_FLAG_FD_NO_GROUP),
	FLAG(PERF_FLAG_FD_OUTPUT),
	FLAG(PERF_FLAG_PID_CGROUP),
	FLAG(PERF_FLAG_FD_CLOEXEC),
	{ 0, NULL },
};

#define FIELD_AS(label, member, kind_) \
	.name = label, .off = offsetof(struct perf_event_attr, member), \
	.width = sizeof(((struct perf_event_attr *)0)->member), .kind = (kind_)
#define FIELD(member, kind_)		{ FIELD_AS(#member, member, kind_) }
#define FIELD_FLAGS(member, table)	{ FIELD_AS(#member, member, TRACE_FLAGS), .flags = (table) }
#define END				{ .name = NULL }

static const struct trace_field head_fields[] = {
	FIELD_FLAGS(sample_type, sample_flags),
	FIELD_FLAGS(read_format, format_flags),
	END
};

/* The fields from bp_type to config2 are unions. */
static const struct trace_field breakpoint_fields[] = {
	FIELD_FLAGS(bp_type, breakpoint_flags),
	FIELD(bp_addr, TRACE_HEX),
	FIELD(bp_len, TRACE_DEC),
	END
};

static const struct trace_field config_fields[] = {
	FIELD(config1, TRACE_HEX),
	FIELD(config2, TRACE_HEX),
	END
};

static const struct trace_field tail_fields[] = {
	FIELD_FLAGS(branch_sample_type, branch_flags),
	FIELD(sample_regs_user, TRACE_HEX),
	FIELD(sample_stack_user, TRACE_DEC),
	FIELD(clockid, TRACE_INT),
	FIELD(sample_regs_intr, TRACE_HEX),
	FIELD(aux_watermark, TRACE_DEC),
	FIELD(sample_max_stack, TRACE_DEC),
	FIELD(aux_sample_size, TRACE_DEC),
	FIELD(aux_action, TRACE_HEX),
	FIELD(sig_data, TRACE_HEX),
	FIELD(config3, TRACE_HEX),
	FIELD(config4, TRACE_HEX),
	END
};

/* Fields that print_attr() prints by itself. */
static const struct trace_field own_fields[] = {
	FIELD(type, TRACE_ENUM),
	FIELD(size, TRACE_DEC),
	FIELD(config, TRACE_HEX),
	FIELD(sample_period, TRACE_DEC),
	FIELD(sample_freq, TRACE_DEC),
	FIELD(wakeup_events, TRACE_DEC),
	FIELD(wakeup_watermark, TRACE_DEC),
	END
};

const struct trace_field *trace_perf_table(unsigned int i)
{
	static const struct trace_field *const tables[] = {
		own_fields, head_fields, breakpoint_fields, config_fields, tail_fields,
	};

	return i < sizeof(tables) / sizeof(tables[0]) ? tables[i] : NULL;
}

static void print_cache_config(FILE *out, uint64_t config)
{
	static const char *const id[] = { "L1D", "L1I", "LL", "DTLB", "ITLB", "BPU", "NODE" };
	static const char *const op[] = { "READ", "WRITE", "PREFETCH" };
	static const char *const result[] = { "ACCESS", "MISS" };
	const unsigned int i = config & 0xff, o = config >> 8 & 0xff, r = config >> 16 & 0xff;

	if (i >= PERF_COUNT_HW_CACHE_MAX || o >= PERF_COUNT_HW_CACHE_OP_MAX ||
	    r >= PERF_COUNT_HW_CACHE_RESULT_MAX || config >> 24) {
		fprintf(out, "0x%" PRIx64, config);
		return;
	}
	fprintf(out, "PERF_COUNT_HW_CACHE_%s|PERF_COUNT_HW_CACHE_OP_%s<<8|", id[i], op[o]);
	fprintf(out, "PERF_COUNT_HW_CACHE_RESULT_%s<<16", result[r]);
}

/* The meaning of config depends on the type. */
static void print_config(FILE *out, const struct perf_event_attr *attr)
{
	const char *name = NULL;

	switch (attr->type) {
	case PERF_TYPE_HW_CACHE:
		print_cache_config(out, attr->config);
		return;
	case PERF_TYPE_TRACEPOINT:	/* its id in tracefs */
		fprintf(out, "%" PRIu64, (uint64_t)attr->config);
		return;
	case PERF_TYPE_HARDWARE:
		if (attr->config <= PERF_HW_EVENT_MASK)
			name = sys_perf_hw_name(attr->config);
		break;
	case PERF_TYPE_SOFTWARE:
		if (attr->config <= UINT32_MAX)
			name = sys_perf_sw_name(attr->config);
		break;
	}
	if (name)
		fputs(name, out);
	else
		fprintf(out, "0x%" PRIx64, (uint64_t)attr->config);
}

struct bits {
	const char *name;
	unsigned int value;
};

/*
 * Read bit fields by name, because their order in memory depends on the machine. Return how many
 * were read.
 */
static unsigned int read_bits(const struct perf_event_attr *attr, struct bits to[64])
{
#define BIT(member) { #member, attr->member }
	const struct bits bits[] = {
		BIT(disabled), BIT(inherit), BIT(pinned), BIT(exclusive), BIT(exclude_user),
		BIT(exclude_kernel), BIT(exclude_hv), BIT(exclude_idle), BIT(mmap), BIT(comm),
		BIT(freq), BIT(inherit_stat), BIT(enable_on_exec), BIT(task), BIT(watermark),
		BIT(precise_ip), BIT(mmap_data), BIT(sample_id_all), BIT(exclude_host),
		BIT(exclude_guest), BIT(exclude_callchain_kernel), BIT(exclude_callchain_user),
		BIT(mmap2), BIT(comm_exec), BIT(use_clockid), BIT(context_switch),
		BIT(write_backward), BIT(namespaces), BIT(ksymbol), BIT(bpf_event),
		BIT(aux_output), BIT(cgroup), BIT(text_poke), BIT(build_id), BIT(inherit_thread),
		BIT(remove_on_exec), BIT(sigtrap), BIT(defer_callchain), BIT(defer_output),
	};
#undef BIT
	_Static_assert(sizeof(bits) / sizeof(bits[0]) <= 64, "they are the bits of one u64");

	memcpy(to, bits, sizeof(bits));
	return sizeof(bits) / sizeof(bits[0]);
}

const char *trace_perf_bit(unsigned int bit)
{
	const uint64_t word = 1ull << bit;
	struct perf_event_attr attr;
	struct bits bits[64];
	unsigned int nr;

	memset(&attr, 0, sizeof(attr));
	memcpy((char *)&attr + TRACE_PERF_BITS, &word, sizeof(word));
	nr = read_bits(&attr, bits);
	for (unsigned int i = 0; i < nr; i++)
		if (bits[i].value)
			return bits[i].name;
	return NULL;
}

static void print_bits(struct trace_list *list, const struct perf_event_attr *attr)
{
	struct bits bits[64];
	const unsigned int nr = read_bits(attr, bits);

	for (unsigned int i = 0; i < nr; i++) {
		if (!bits[i].value)
			continue;
		trace_name(list, bits[i].name);
		fprintf(list->out, "%u", bits[i].value);
	}
}

static void print_number(struct trace_list *list, const char *name, uint64_t value)
{
	if (value == 0)
		return;
	trace_name(list, name);
	fprintf(list->out, "%" PRIu64, value);
}

static void print_attr(FILE *out, const struct perf_event_attr *attr, size_t size)
{
	const bool is_breakpoint = attr->type == PERF_TYPE_BREAKPOINT;
	struct trace_list list = { .out = out, .open = "" };

	fputc('{', out);
	trace_name(&list, "type");
	trace_enum(out, sys_perf_type_name(attr->type), attr->type);
	print_number(&list, "size", attr->size);
	trace_name(&list, "config");
	print_config(out, attr);
	print_number(&list, attr->freq ? "sample_freq" : "sample_period", attr->sample_period);
	trace_fields(&list, head_fields, attr, size);
	print_bits(&list, attr);
	print_number(&list, attr->watermark ? "wakeup_watermark" : "wakeup_events",
		     attr->wakeup_events);
	trace_fields(&list, is_breakpoint ? breakpoint_fields : config_fields, attr, size);
	trace_fields(&list, tail_fields, attr, size);
	fputc('}', out);
}

void trace_perf_args(FILE *out, const unsigned long arg[6])
{
	const struct perf_event_attr *given = (const struct perf_event_attr *)arg[0];
	struct perf_event_attr attr;
	size_t size;

	if (given) {
		/* The kernel takes size 0 for the first version of the struct. */
		memset(&attr, 0, sizeof(attr));
		size = given->size ? given->size : PERF_ATTR_SIZE_VER0;
		if (size > sizeof(attr))
			size = sizeof(attr);
		memcpy(&attr, given, size);
		print_attr(out, &attr, size);
	} else {
		fputs("NULL", out);
	}
	fprintf(out, ", %d, %d, %d, ", (int)arg[1], (int)arg[2], (int)arg[3]);
	trace_flags(out, open_flags, arg[4]);
}

enum ioctl_arg {
	IOCTL_FLAGS,	/* enum perf_event_ioc_flags */
	IOCTL_NUMBER,
	IOCTL_FD,
	IOCTL_U64,	/* pointer to an argument */
	IOCTL_U64_OUT,	/* pointer to a result */
	IOCTL_STRING,
	IOCTL_QUERY,	/* struct perf_event_query_bpf */
	IOCTL_POINTER,
	IOCTL_IFINDEX,	/* struct ifreq: name of a device; the kernel returns its index */
};

#define REQUEST(id, kind) { id, #id, kind }

static const struct ioctl_request {
	unsigned long req;
	const char *name;
	enum ioctl_arg arg;
} requests[] = {
	REQUEST(PERF_EVENT_IOC_ENABLE, IOCTL_FLAGS),
	REQUEST(PERF_EVENT_IOC_DISABLE, IOCTL_FLAGS),
	REQUEST(PERF_EVENT_IOC_REFRESH, IOCTL_NUMBER),
	REQUEST(PERF_EVENT_IOC_RESET, IOCTL_FLAGS),
	REQUEST(PERF_EVENT_IOC_PERIOD, IOCTL_U64),
	REQUEST(PERF_EVENT_IOC_SET_OUTPUT, IOCTL_FD),
	REQUEST(PERF_EVENT_IOC_SET_FILTER, IOCTL_STRING),
	REQUEST(PERF_EVENT_IOC_ID, IOCTL_U64_OUT),
	REQUEST(PERF_EVENT_IOC_SET_BPF, IOCTL_FD),
	REQUEST(PERF_EVENT_IOC_PAUSE_OUTPUT, IOCTL_NUMBER),
	REQUEST(PERF_EVENT_IOC_QUERY_BPF, IOCTL_QUERY),
	REQUEST(PERF_EVENT_IOC_MODIFY_ATTRIBUTES, IOCTL_POINTER),
	REQUEST(SIOCGIFINDEX, IOCTL_IFINDEX),
};

static const struct ioctl_request *request_find(unsigned long req)
{
	size_t i;

	for (i = 0; i < sizeof(requests) / sizeof(requests[0]); i++)
		if (requests[i].req == req)
			return &requests[i];
	return NULL;
}

static void print_ioctl_arg(FILE *out, enum ioctl_arg kind, unsigned long arg)
{
	const struct perf_event_query_bpf *query = (const struct perf_event_query_bpf *)arg;
	const struct ifreq *ifr = (const struct ifreq *)arg;
	static const struct sys_flag group_flags[] = { FLAG(PERF_IOC_FLAG_GROUP), { 0, NULL } };

	switch (kind) {
	case IOCTL_FLAGS:
		trace_flags(out, group_flags, arg);
		return;
	case IOCTL_NUMBER:
	case IOCTL_FD:
		fprintf(out, "%d", (int)arg);
		return;
	case IOCTL_STRING:
		trace_cstring(out, arg);
		return;
	case IOCTL_U64:
		if (arg) {
			fprintf(out, "[%" PRIu64 "]", *(const uint64_t *)arg);
			return;
		}
		break;
	case IOCTL_QUERY:
		if (query) {
			fprintf(out, "{ids_len=%u}", query->ids_len);
			return;
		}
		break;
	case IOCTL_IFINDEX:
		if (ifr) {
			fputs("{ifr_name=", out);
			trace_string(out, ifr->ifr_name, strnlen(ifr->ifr_name, IFNAMSIZ));
			fputc('}', out);
			return;
		}
		break;
	case IOCTL_U64_OUT:
	case IOCTL_POINTER:
		break;
	}
	trace_pointer(out, arg);
}

void trace_ioctl_args(FILE *out, const unsigned long arg[6])
{
	const struct ioctl_request *request = request_find(arg[1]);

	if (request) {
		fprintf(out, "%d, %s, ", (int)arg[0], request->name);
		print_ioctl_arg(out, request->arg, arg[2]);
	} else {
		fprintf(out, "%d, 0x%lx, 0x%lx", (int)arg[0], arg[1], arg[2]);
	}
}

void trace_ioctl_result(FILE *out, const unsigned long arg[6], long ret)
{
	const struct ioctl_request *request = request_find(arg[1]);
	const struct perf_event_query_bpf *query = (const struct perf_event_query_bpf *)arg[2];

	if (!request || !arg[2] || ret < 0)
		return;
	if (request->arg == IOCTL_U64_OUT)
		fprintf(out, " => [%" PRIu64 "]", *(const uint64_t *)arg[2]);
	if (request->arg == IOCTL_QUERY)
		fprintf(out, " => {prog_cnt=%u}", query->prog_cnt);
	if (request->arg == IOCTL_IFINDEX)
		fprintf(out, " => {ifr_ifindex=%d}", ((const struct ifreq *)arg[2])->ifr_ifindex);
}
