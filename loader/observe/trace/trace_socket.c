// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Trace calls on sockets: the kernel's uevents, indices of network devices, and the connection to
 * the process that reads symbols.
 */
#include <string.h>
#include <sys/socket.h>

#include <linux/netlink.h>

#include "loader/observe/trace/trace_internal.h"

#define FLAG(id) { id, #id }
#define SHOWN_MAX 64	/* maximum number of bytes of a message to print */

static const struct sys_flag socket_flags[] = {
	FLAG(SOCK_CLOEXEC), FLAG(SOCK_NONBLOCK), { 0, NULL },
};

static const struct sys_flag message_flags[] = {
	FLAG(MSG_DONTWAIT), FLAG(MSG_NOSIGNAL), FLAG(MSG_TRUNC), { 0, NULL },
};

static const char *type_name(unsigned int type)
{
	return type == SOCK_DGRAM ? "SOCK_DGRAM" : type == SOCK_SEQPACKET ? "SOCK_SEQPACKET" : NULL;
}

static const char *family_name(unsigned long family)
{
	return family == AF_UNIX ? "AF_UNIX" : family == AF_NETLINK ? "AF_NETLINK" : NULL;
}

void trace_socket_args(FILE *out, const unsigned long arg[6])
{
	const unsigned int flags = arg[1] & (SOCK_CLOEXEC | SOCK_NONBLOCK), type = arg[1] & ~flags;

	trace_enum(out, family_name(arg[0]), arg[0]);
	fputs(", ", out);
	trace_enum(out, type_name(type), type);
	if (flags) {
		fputc('|', out);
		trace_flags(out, socket_flags, flags);
	}
	fputs(", ", out);
	trace_enum(out, arg[0] == AF_NETLINK && arg[2] == NETLINK_KOBJECT_UEVENT ?
				"NETLINK_KOBJECT_UEVENT" : NULL, arg[2]);
}

void trace_socketpair_args(FILE *out, const unsigned long arg[6])
{
	trace_socket_args(out, arg);
	fputs(", ", out);
	trace_pointer(out, arg[3]);
}

/* The arguments common to sendto(2) and recvfrom(2). */
static void message_args(FILE *out, const unsigned long arg[6])
{
	fprintf(out, "%d, ", (int)arg[0]);
	trace_pointer(out, arg[1]);
	fprintf(out, ", %lu, ", arg[2]);
	trace_flags(out, message_flags, arg[3]);
	fputs(", ", out);
	trace_pointer(out, arg[4]);
}

void trace_sendto_args(FILE *out, const unsigned long arg[6])
{
	message_args(out, arg);
	fprintf(out, ", %lu", arg[5]);
}

void trace_bind_args(FILE *out, const unsigned long arg[6])
{
	const struct sockaddr_nl *addr = (const struct sockaddr_nl *)arg[1];

	fprintf(out, "%d, ", (int)arg[0]);
	if (addr && arg[2] >= sizeof(*addr) && addr->nl_family == AF_NETLINK)
		fprintf(out, "{nl_family=AF_NETLINK, nl_pid=%u, nl_groups=%#x}", addr->nl_pid,
			addr->nl_groups);
	else
		trace_pointer(out, arg[1]);
	fprintf(out, ", %lu", arg[2]);
}

void trace_recvfrom_args(FILE *out, const unsigned long arg[6])
{
	message_args(out, arg);
	fputs(", ", out);
	trace_pointer(out, arg[5]);
}

/* Print the first of the NUL-terminated strings in a message. */
void trace_recvfrom_result(FILE *out, const unsigned long arg[6], long ret)
{
	const char *text = (const char *)arg[1];
	size_t len;

	if (ret <= 0)
		return;
	len = strnlen(text, ret < SHOWN_MAX ? ret : SHOWN_MAX);
	fputs(" => ", out);
	trace_string(out, text, len);
	fputs((long)len < ret ? "..." : "", out);
}
