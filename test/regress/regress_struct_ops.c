// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Structs of functions on the real kernel: a congestion control written in BPF is there for sockets
 * while it is registered, runs when a connection is made, and is gone afterwards.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "loader/kernel/kernel.h"
#include "loader/struct_ops/struct_ops.h"
#include "test/unit/buffer.h"
#include "test/unit/suite.h"

static const char *object_path;

struct setup {
	char plain[16], linked[16];	/* the names that the two structs are registered by */
	struct buffer file;
	struct bpf_object obj;
	struct kernel_types types;
	struct struct_ops ops;
	struct kernel_object k;
	struct error err;
};

static struct buffer read_file(const char *path)
{
	struct buffer b = { 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char part[4096];
	ssize_t n;

	while (fd >= 0 && (n = read(fd, part, sizeof(part))) > 0)
		buffer_add(&b, part, n);
	close(fd);
	return b;
}

static void end(struct setup *s)
{
	kernel_unload(sys_linux(), &s->k);
	struct_ops_free(&s->ops);
	kernel_types_free(&s->types);
	bpf_object_free(&s->obj);
	buffer_free(&s->file);
	error_clear(&s->err);
}

static uint32_t map_called(const struct setup *s, const char *name)
{
	for (uint32_t i = 0; i < s->obj.nr_maps; i++)
		if (!strcmp(s->obj.maps[i].name, name))
			return i;
	ck_abort_msg("no map '%s'", name);
}

static int load(struct setup *s)
{
	bool wanted[8] = { true, true, true, true, true, true, true, true };
	int fds[16] = { 0 }, ret;

	ck_assert_uint_le(s->obj.nr_progs, 8);
	ret = struct_ops_find(&s->ops, wanted, &s->err);
	if (!ret)
		ret = kernel_load_maps(sys_linux(), &s->obj,
				       &(struct map_options){ .ops = s->ops.maps },
				       &s->k, &s->err);
	if (!ret)
		kernel_map_fds(&s->k, fds);
	for (uint32_t i = 0; !ret && i < s->obj.nr_progs; i++) {
		struct prog_code code;

		ret = relocate(&s->obj, i, fds, &code, &s->err);
		if (ret)
			break;
		ret = struct_ops_target(&s->ops, i, &s->k.progs[i].target, &s->err);
		if (!ret)
			ret = kernel_load_prog(sys_linux(), &s->k, i, &code, &s->err);
		prog_code_free(&code);
	}
	return ret;
}

/* Names of their own: another run of this test may be in the same kernel. */
static void rename_struct(struct setup *s, const char *map, char name[16])
{
	const struct object_map *m = &s->obj.maps[map_called(s, map)];
	unsigned char *at = memmem(m->content, m->size, "pload_", strlen("pload_"));

	ck_assert(at && at + 16 <= m->content + m->size);
	snprintf(name, 16, "pl_%.1s_%d", map, (int)getppid());
	memcpy(at, name, 16);
}

/*
 * A kernel without the struct, without privilege or without BTF of its own is skipped by that name.
 */
static void begin(struct setup *s)
{
	int ret;

	memset(s, 0, sizeof(*s));
	if (access("/sys/kernel/btf/vmlinux", R_OK))
		suite_skip("there is no /sys/kernel/btf/vmlinux");
	s->file = read_file(object_path);
	ck_assert_msg(!bpf_object_parse(&s->obj, object_path,
					(struct bytes){ s->file.data, s->file.size },
					&s->err), "%s: %s", s->err.where, s->err.what);
	rename_struct(s, "plain", s->plain);
	rename_struct(s, "linked", s->linked);
	kernel_types_init(&s->types, sys_linux(), NULL);
	struct_ops_init(&s->ops, sys_linux(), &s->types, &s->obj);
	ret = load(s);
	if (ret == -EPERM) {
		end(s);
		suite_skip("no privilege to load");
	}
	if (ret && (strstr(s->err.hint, "Linux 6.4") || strstr(s->err.what, "no struct"))) {
		end(s);
		suite_skip("this kernel is too old");
	}
	ck_assert_msg(!ret, "%s: %s\n%s\n%s", s->err.where, s->err.what, s->err.hint,
		      s->err.log ? s->err.log : "");
}

/* Whether a socket can have that congestion control now. */
static bool is_there(const char *name)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int ret = setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, strlen(name));

	ck_assert_int_ge(fd, 0);
	ck_assert(ret == 0 || errno == ENOENT);
	close(fd);
	return !ret;
}

/* One connection over the loopback, which calls init(). */
static void connect_with(const char *name)
{
	struct sockaddr_in addr = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int client = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), peer;
	socklen_t len = sizeof(addr);
	char byte = 1;

	ck_assert(!bind(server, (struct sockaddr *)&addr, sizeof(addr)) && !listen(server, 1));
	ck_assert(!getsockname(server, (struct sockaddr *)&addr, &len));
	ck_assert(!setsockopt(client, IPPROTO_TCP, TCP_CONGESTION, name, strlen(name)));
	ck_assert(!connect(client, (struct sockaddr *)&addr, sizeof(addr)));
	peer = accept(server, NULL, NULL);
	for (int i = 0; i < 10; i++) {
		ck_assert_int_eq(write(client, &byte, 1), 1);
		ck_assert_int_eq(read(peer, &byte, 1), 1);
	}
	close(peer);
	close(client);
	close(server);
}

static uint64_t runs(struct setup *s)
{
	uint64_t sum = 0;

	ck_assert(!kernel_count_runs(sys_linux(), &s->k, &s->err));
	for (uint32_t i = 0; i < s->obj.nr_progs; i++)
		sum += s->k.progs[i].run_cnt;
	return sum;
}

START_TEST(registered_by_its_value)
{
	struct setup s;
	uint32_t map;
	int link_fd;

	begin(&s);
	map = map_called(&s, "plain");
	ck_assert(!is_there(s.plain));
	ck_assert_msg(!struct_ops_attach(&s.ops, &s.k, map, &link_fd, &s.err), "%s: %s",
		      s.err.where,
		      s.err.what);
	ck_assert_int_eq(link_fd, -1);
	ck_assert(is_there(s.plain));
	ck_assert(kernel_start_counting(sys_linux(), &s.k) >= 0);
	connect_with(s.plain);
	ck_assert_uint_gt(runs(&s), 0);
	ck_assert(struct_ops_attach(&s.ops, &s.k, map, &link_fd, &s.err) < 0);	/* twice */
	error_clear(&s.err);
	ck_assert_msg(!struct_ops_detach(sys_linux(), &s.k, map, &s.err), "%s", s.err.what);
	ck_assert(!is_there(s.plain));
	end(&s);
}
END_TEST

START_TEST(registered_while_a_link_is_open)
{
	struct setup s;
	uint32_t map;
	int link_fd;

	begin(&s);
	map = map_called(&s, "linked");
	ck_assert_msg(!struct_ops_attach(&s.ops, &s.k, map, &link_fd, &s.err), "%s: %s",
		      s.err.where,
		      s.err.what);
	ck_assert_int_ge(link_fd, 0);
	ck_assert(is_there(s.linked));
	ck_assert(kernel_start_counting(sys_linux(), &s.k) >= 0);
	connect_with(s.linked);
	ck_assert_uint_gt(runs(&s), 0);
	close(link_fd);
	ck_assert(!is_there(s.linked));
	end(&s);
}
END_TEST

/* The name is taken: the kernel's refusal says so, and nothing is left registered. */
START_TEST(a_name_that_is_taken)
{
	struct setup s, again;
	uint32_t map;
	int link_fd, second;

	begin(&s);
	map = map_called(&s, "linked");
	ck_assert(!struct_ops_attach(&s.ops, &s.k, map, &link_fd, &s.err));
	begin(&again);
	ck_assert_int_eq(struct_ops_attach(&again.ops, &again.k, map, &second, &again.err),
			 -EEXIST);
	ck_assert_int_eq(second, -1);
	ck_assert(strstr(again.err.where, "map 'linked'") &&
		  strstr(again.err.hint, "registered already"));
	end(&again);
	close(link_fd);
	ck_assert(!is_there(s.linked));
	end(&s);
}
END_TEST

int main(int argc, char **argv)
{
	Suite *s = suite_create("struct_ops");
	TCase *tc = tcase_create("kernel");

	if (argc < 2)
		return 2;
	object_path = argv[1];
	tcase_add_test(tc, registered_by_its_value);
	tcase_add_test(tc, registered_while_a_link_is_open);
	tcase_add_test(tc, a_name_that_is_taken);
	suite_add_tcase(s, tc);
	return suite_main(s);
}
