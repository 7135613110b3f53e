// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The names of open descriptors, derived from the calls that return and close them. */
#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <linux/btf.h>

#include "elf/bytes.h"
#include "loader/base/text/names.h"
#include "loader/observe/trace/annotate/annotate.h"

const struct fd_entry *fd_names_find(const struct fd_names *names, int fd)
{
	for (unsigned int i = 0; i < names->nr; i++)
		if (names->list[i].fd == fd)
			return &names->list[i];
	return NULL;
}

static void forget(struct fd_names *names, long first, long last)
{
	unsigned int kept = 0;

	for (unsigned int i = 0; i < names->nr; i++) {
		if (names->list[i].fd >= first && names->list[i].fd <= last)
			free(names->list[i].strings.text);
		else
			names->list[kept++] = names->list[i];
	}
	names->nr = kept;
}

void fd_names_free(struct fd_names *names)
{
	forget(names, INT_MIN, INT_MAX);
	free(names->list);
	*names = (struct fd_names){ 0 };
}

/* A name may come from a hostile file: it must not contain '>' or control characters. */
static void make_harmless(char *name)
{
	for (; *name; name++)
		if (!isprint((unsigned char)*name) || *name == '<' || *name == '>')
			*name = '?';
}

__attribute__((format(printf, 4, 5)))
static struct fd_entry *add(struct fd_names *names, int fd, enum fd_kind kind, const char *fmt, ...)
{
	struct fd_entry *entry;
	char name[sizeof(entry->name)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(name, sizeof(name), fmt, ap);	/* copy it first: it may be part of another entry */
	va_end(ap);
	forget(names, fd, fd);
	entry = array_grow(names->list, names->nr, sizeof(*entry));
	if (!entry)
		return NULL;
	names->list = entry;
	entry += names->nr++;
	*entry = (struct fd_entry){ .fd = fd, .kind = kind };
	strcpy(entry->name, name);
	make_harmless(entry->name);
	if (*name && entry->name[strlen(name) - 1] == ' ')	/* the object has no name */
		entry->name[strlen(name) - 1] = '\0';
	return entry;
}

static const char *base_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash && slash[1] ? slash + 1 : path ? path : "";
}

/* Return the name of @fd without its kind: "hits" for "map hits". */
static const char *short_name(const struct fd_names *names, int fd)
{
	const struct fd_entry *entry = fd_names_find(names, fd);
	const char *blank = entry ? strchr(entry->name, ' ') : NULL;

	return blank ? blank + 1 : entry ? entry->name : "?";
}

/* --- bpf(2) --- */

static void add_map(struct fd_names *names, int fd, const union bpf_attr *attr)
{
	struct fd_entry *entry = add(names, fd, FD_MAP, "map %.*s", BPF_OBJ_NAME_LEN,
				     attr->map_name);

	if (!entry)
		return;
	if (!attr->map_name[0])
		strcpy(entry->name, "map");
	entry->map_type = attr->map_type;
	entry->key_size = attr->key_size;
	entry->value_size = attr->value_size;
}

/* Keep a copy of the strings: the caller may free the BTF after it is loaded. */
static void add_btf(struct fd_names *names, int fd, const union bpf_attr *attr)
{
	struct fd_entry *entry = add(names, fd, FD_BTF, "btf");
	const char *raw = (const char *)(unsigned long)attr->btf;
	struct btf_header header;
	uint64_t from;

	if (!entry || !raw || attr->btf_size < sizeof(header))
		return;
	memcpy(&header, raw, sizeof(header));
	from = (uint64_t)header.hdr_len + header.str_off;
	if (from > attr->btf_size || header.str_len > attr->btf_size - from)
		return;
	entry->strings.text = malloc((size_t)header.str_len + 1);
	if (!entry->strings.text)
		return;
	memcpy(entry->strings.text, raw + from, header.str_len);
	entry->strings.text[header.str_len] = '\0';
	entry->strings.size = header.str_len;
}

/* The fields of attr lie within the size passed, because the kernel accepted the call. */
static void bpf_result(struct fd_names *names, unsigned long cmd, const union bpf_attr *attr,
		       int fd)
{
	switch (cmd & ~(unsigned long)BPF_COMMON_ATTRS) {
	case BPF_MAP_CREATE:
		add_map(names, fd, attr);
		break;
	case BPF_BTF_LOAD:
		add_btf(names, fd, attr);
		break;
	case BPF_PROG_LOAD:
		add(names, fd, FD_PROG, "prog %.*s", BPF_OBJ_NAME_LEN, attr->prog_name);
		break;
	case BPF_LINK_CREATE:
		add(names, fd, FD_LINK, "link %s", short_name(names, attr->link_create.prog_fd));
		break;
	case BPF_RAW_TRACEPOINT_OPEN:
		add(names, fd, FD_LINK, "link %s", short_name(names, attr->raw_tracepoint.prog_fd));
		break;
	case BPF_OBJ_GET:
		add(names, fd, FD_OTHER, "pin %s",
		    base_name((const char *)(unsigned long)attr->pathname));
		break;
	case BPF_PROG_GET_FD_BY_ID:
		add(names, fd, FD_PROG, "prog id %u", attr->prog_id);
		break;
	case BPF_MAP_GET_FD_BY_ID:
		add(names, fd, FD_MAP, "map id %u", attr->map_id);
		break;
	case BPF_BTF_GET_FD_BY_ID:
		add(names, fd, FD_BTF, "btf id %u", attr->btf_id);
		break;
	case BPF_LINK_GET_FD_BY_ID:
		add(names, fd, FD_LINK, "link id %u", attr->link_id);
		break;
	case BPF_ENABLE_STATS:
		add(names, fd, FD_OTHER, "run statistics");
		break;
	case BPF_ITER_CREATE:
		add(names, fd, FD_OTHER, "iterator");
		break;
	}
}

/* --- other calls --- */

/* PERF_COUNT_SW_CPU_CLOCK becomes "cpu-clock". */
static void add_event(struct fd_names *names, int fd, const unsigned long arg[6])
{
	const struct perf_event_attr *attr = (const struct perf_event_attr *)arg[0];
	const char *long_name = attr->type == PERF_TYPE_SOFTWARE ?
					sys_perf_sw_name(attr->config) :
				attr->type == PERF_TYPE_HARDWARE ?
					sys_perf_hw_name(attr->config) : NULL;
	struct fd_entry *entry;
	char text[40] = "";

	if (long_name && strlen(long_name) > strlen("PERF_COUNT_SW_"))
		snprintf(text, sizeof(text), "%s", long_name + strlen("PERF_COUNT_SW_"));
	else
		snprintf(text, sizeof(text), "type %u", attr->type);
	for (char *c = text; *c; c++)
		*c = *c == '_' ? '-' : tolower((unsigned char)*c);
	entry = add(names, fd, FD_EVENT, "event %s", text);
	if (entry && (int)arg[2] >= 0)
		snprintf(entry->name, sizeof(entry->name), "event %s CPU %d", text, (int)arg[2]);
}

static void add_copy(struct fd_names *names, int from, int to)
{
	const struct fd_entry *old = fd_names_find(names, from);
	struct fd_entry copy = old ? *old : (struct fd_entry){ .name = "?" };
	struct fd_entry *entry = add(names, to, copy.kind, "%s", copy.name);

	if (entry) {
		copy.fd = to;
		copy.strings = (struct btf_strings){ 0 };
		*entry = copy;
	}
}

void fd_names_add(struct fd_names *names, int fd, enum fd_kind kind, const char *name)
{
	add(names, fd, kind, "%s", name);
}

void fd_names_copy(struct fd_names *to, const struct fd_names *from)
{
	for (unsigned int i = 0; i < from->nr; i++) {
		struct fd_entry *entry = add(to, from->list[i].fd, from->list[i].kind, "?");
		struct btf_strings *strings = entry ? &entry->strings : NULL;

		if (!entry)
			continue;
		*entry = from->list[i];
		strings->text = strings->text ? malloc((size_t)strings->size + 1) : NULL;
		if (strings->text)
			memcpy(strings->text, from->list[i].strings.text, strings->size + 1);
	}
}

static void add_file(struct fd_names *names, int fd, const char *path, const char *why)
{
	struct fd_entry *entry = add(names, fd, FD_FILE, "%.50s", base_name(path));

	if (entry && why)
		snprintf(entry->purpose, sizeof(entry->purpose), "%s", why);
}

static void pair(struct fd_names *names, const unsigned long fds, const char *name)
{
	add(names, ((const int *)fds)[0], FD_OTHER, "%s", name);
	add(names, ((const int *)fds)[1], FD_OTHER, "%s", name);
}

/* The attributes of another process may have been unreadable. */
static bool memory_is_known(long nr, const unsigned long arg[6])
{
	return nr == __NR_bpf ? arg[1] != 0 : nr != __NR_perf_event_open || arg[0] != 0;
}

void fd_names_update(struct fd_names *names, long nr, const unsigned long arg[6], long ret,
		     const char *why)
{
	if (nr == __NR_close)
		forget(names, (int)arg[0], (int)arg[0]);
	if (sys_failed(ret) || !memory_is_known(nr, arg))
		return;
	switch (nr) {
	case __NR_close_range:
		forget(names, (int)arg[0], (int)arg[1]);
		break;
	case __NR_bpf:
		bpf_result(names, arg[0], (const union bpf_attr *)arg[1], ret);
		break;
	case __NR_perf_event_open:
		add_event(names, ret, arg);
		break;
	case __NR_openat:
		add_file(names, ret, (const char *)arg[1], why);
		break;
	case __NR_signalfd4:
		add(names, ret, FD_OTHER, "signals");
		break;
	case __NR_epoll_create1:
		add(names, ret, FD_OTHER, "epoll");
		break;
	case __NR_pidfd_open:
		add(names, ret, FD_OTHER, "process %d", (int)arg[0]);
		break;
	case __NR_pidfd_getfd:
		add(names, ret, FD_OTHER, "copy of another process's %d", (int)arg[1]);
		break;
	case __NR_dup3:
		add_copy(names, arg[0], arg[1]);
		break;
	case __NR_pipe2:
		pair(names, arg[0], "pipe");
		break;
	case __NR_socketpair:
		pair(names, arg[3], "socket");
		break;
	case __NR_socket:
		add(names, ret, FD_OTHER, "socket");
		break;
	case __NR_fsopen:
	case __NR_fsmount:
		add(names, ret, FD_OTHER, "file system");
		break;
	}
}

unsigned int fd_positions(long nr, const unsigned long arg[6])
{
	switch (nr) {
	case __NR_ioctl:
		return arg[1] == PERF_EVENT_IOC_SET_BPF || arg[1] == PERF_EVENT_IOC_SET_OUTPUT ?
			       1 << 0 | 1 << 2 : 1 << 0;
	case __NR_read:
	case __NR_pread64:
	case __NR_write:
	case __NR_getdents64:
	case __NR_fstat:
	case __NR_close:
	case __NR_openat:
	case __NR_readlinkat:
	case __NR_epoll_pwait:
	case __NR_pidfd_getfd:
	case __NR_sendto:
	case __NR_recvfrom:
	case __NR_bind:
	case __NR_fsconfig:
	case __NR_fsmount:
	case __NR_setns:
		return 1 << 0;
	case __NR_close_range:
	case __NR_dup3:
		return 1 << 0 | 1 << 1;
	case __NR_epoll_ctl:
		return 1 << 0 | 1 << 2;
	case __NR_perf_event_open:
		return 1 << 3;
	case __NR_mmap:
		return 1 << 4;
	default:
		return 0;
	}
}

bool fd_returns(long nr, const unsigned long arg[6])
{
	switch (nr) {
	case __NR_bpf:
		switch (arg[0] & ~(unsigned long)BPF_COMMON_ATTRS) {
		case BPF_MAP_CREATE:
		case BPF_PROG_LOAD:
		case BPF_OBJ_GET:
		case BPF_PROG_GET_FD_BY_ID:
		case BPF_MAP_GET_FD_BY_ID:
		case BPF_BTF_GET_FD_BY_ID:
		case BPF_LINK_GET_FD_BY_ID:
		case BPF_RAW_TRACEPOINT_OPEN:
		case BPF_BTF_LOAD:
		case BPF_LINK_CREATE:
		case BPF_ENABLE_STATS:
		case BPF_ITER_CREATE:
			return true;
		}
		return false;
	case __NR_openat:
	case __NR_perf_event_open:
	case __NR_signalfd4:
	case __NR_epoll_create1:
	case __NR_pidfd_open:
	case __NR_pidfd_getfd:
	case __NR_dup3:
	case __NR_socket:
	case __NR_fsopen:
	case __NR_fsmount:
		return true;
	default:
		return false;
	}
}
