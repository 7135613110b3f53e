// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Signed programs and exclusive maps, which came with Linux 6.18: refusals, and a map that one program may use. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "loader/core/kernel/attr.h"
#include "loader/core/kernel/kernel.h"
#include "loader/explain/kernel/assemble.h"
#include "test/regress/common/happen.h"

#define SHA256_SIZE 32
#define TIMES 10
#define SINCE LINUX(6, 18)	/* baefdbdf6812 for maps, 349271568303 for signatures */

/* --- signatures --- */

/* A program for events, which counts its runs in a map, or with @map -1 in none. */
static struct code counting(int map)
{
	struct code code = { 0 };

	if (map < 0) {
		code_return(&code, 1);
		return code;
	}
	code_add(&code, BPF_ST | BPF_MEM | BPF_W, 10, 0, -4, 0);
	code_move(&code, 2, 10);
	code_advance(&code, 2, -4);
	code_set64(&code, 1, BPF_PSEUDO_MAP_FD, map);
	code_call(&code, BPF_FUNC_map_lookup_elem);
	code_add(&code, BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2, 0);
	code_set(&code, 1, 1);
	code_add(&code, BPF_STX | BPF_ATOMIC | BPF_DW, 0, 1, 0, BPF_ADD);
	code_return(&code, 1);
	return code;
}

static int load(struct regress *t, const struct code *code, const union bpf_attr *with)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	if (with)
		attr = *with;
	attr.prog_type = BPF_PROG_TYPE_PERF_EVENT;
	attr.insns = attr_pointer(code->insns);
	attr.insn_cnt = code->nr;
	attr.license = attr_pointer("GPL");
	return sys_bpf(t->sys, BPF_PROG_LOAD, &attr, with ? ATTR_SIZE(keyring_id) : ATTR_SIZE(license));
}

struct signature {
	uint64_t bytes;		/* where; 0: none */
	uint32_t size;
	int32_t keyring;
	const char *answer;
};

static const char garbage[64] = "no signature";

static const struct signature
	/* EOPNOTSUPP: without CONFIG_SYSTEM_DATA_VERIFICATION; otherwise pkcs7_parse_message() fails. */
	none = { (uintptr_t)garbage, sizeof(garbage), 0, "EOPNOTSUPP|EBADMSG|ENOPKG|EINVAL" },
	no_keyring = { (uintptr_t)garbage, sizeof(garbage), 12345678, "EINVAL" },
	unreadable = { 8, 64, 0, "ENOMEM|EFAULT" },
	/* EINVAL of its size since Linux 7.0 and in later 6.18; before that the kernel reads all of it. */
	too_long = { (uintptr_t)garbage, 1 << 20, 0, "EINVAL|ENOMEM|EFAULT|EOPNOTSUPP|EBADMSG|ENOPKG" },
	only_keyring = { 0, 0, 12345678, "0" },
	only_size = { 0, 64, 0, "0" };

/* An older kernel refuses attributes that it does not know. */
static void signature(struct regress *t)
{
	const struct signature *row = t->data;
	const struct regress_since rows[] = { { LINUX(0, 0), "E2BIG" }, { SINCE, row->answer } };
	const struct code code = counting(-1);
	union bpf_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.signature = row->bytes;
	attr.signature_size = row->size;
	attr.keyring_id = row->keyring;
	fd = load(t, &code, &attr);
	regress_denied(t, "", regress_errno(fd < 0 ? fd : 0));
	regress_answer(t, "", regress_errno(fd < 0 ? fd : 0), rows, NR(rows));
	sys_close_fd(t->sys, &fd);
	fd = load(t, &code, NULL);
	regress_ok(t, fd, NULL, "the same program without a signature");
	sys_close_fd(t->sys, &fd);
}

/* --- exclusive maps --- */

static int create(struct regress *t, const void *hash, uint32_t size, uint32_t value_size)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_ARRAY;
	attr.key_size = 4;
	attr.value_size = value_size;
	attr.max_entries = 1;
	attr.excl_prog_hash = attr_pointer(hash);
	attr.excl_prog_hash_size = size;
	return sys_bpf(t->sys, BPF_MAP_CREATE, &attr, ATTR_SIZE(excl_prog_hash_size));
}

static void no_hash(struct regress *t)
{
	static const struct regress_since size[] = { { LINUX(0, 0), "E2BIG|EINVAL" }, { SINCE, "EINVAL" } };
	static const struct regress_since fault[] = { { LINUX(0, 0), "E2BIG|EINVAL" }, { SINCE, "EFAULT" } };
	static const struct {
		const char *what;
		const void *hash;
		uint32_t size;
	} rows[] = {
		{ "31 bytes", garbage, SHA256_SIZE - 1 }, { "33 bytes", garbage, SHA256_SIZE + 1 },
		{ "no bytes", garbage, 0 }, { "no hash", NULL, SHA256_SIZE },
		{ "unreadable", (const void *)8, SHA256_SIZE },
	};

	for (size_t i = 0; i < NR(rows); i++) {
		int fd = create(t, rows[i].hash, rows[i].size, 8);

		regress_denied(t, rows[i].what, regress_errno(fd < 0 ? fd : 0));
		regress_answer(t, rows[i].what, regress_errno(fd < 0 ? fd : 0), i + 1 < NR(rows) ? size : fault, 2);
		sys_close_fd(t->sys, &fd);
	}
}

/* An exclusive map, or the test is skipped. */
static int exclusive(struct regress *t, const uint8_t hash[SHA256_SIZE])
{
	const int fd = create(t, hash, SHA256_SIZE, 8);

	regress_denied(t, "creating", regress_errno(fd < 0 ? fd : 0));
	if (fd == -E2BIG || (fd == -EINVAL && t->kernel < SINCE))
		regress_skip(t, "exclusive maps came with Linux 6.18");
	return regress_ok(t, fd, NULL, "an exclusive map");
}

static void other_program(struct regress *t)
{
	static const struct regress_since rows[] = { { LINUX(0, 0), "EACCES" } };
	const uint8_t hash[SHA256_SIZE] = { 1 };
	int map = exclusive(t, hash), prog;
	struct code code = counting(map);
	uint64_t value = 7;
	uint32_t key = 0;

	prog = load(t, &code, NULL);
	regress_answer(t, "", regress_errno(prog < 0 ? prog : 0), rows, NR(rows));
	regress_ok(t, map_update(t->sys, map, &key, &value, BPF_ANY), NULL, "an update by bpf(2)");
	sys_close_fd(t->sys, &prog);
	sys_close_fd(t->sys, &map);
}

/*
 * The SHA-256 of these instructions as bpf_prog_calc_tag() makes it, without the numbers of maps. The kernel
 * computes it: it is what BPF_OBJ_GET_INFO_BY_FD says of a frozen array with them.
 */
static void hash_of(struct regress *t, struct code code, uint8_t hash[SHA256_SIZE])
{
	const uint32_t size = code.nr * sizeof(code.insns[0]), key = 0;
	struct bpf_map_info info = { .hash = attr_pointer(hash), .hash_size = SHA256_SIZE };
	uint32_t len = sizeof(info);
	union bpf_attr attr;
	int map;

	for (unsigned int i = 0; i < code.nr; i++)
		if (code.insns[i].code == (BPF_LD | BPF_IMM | BPF_DW))
			code.insns[i].imm = 0;
	map = regress_ok(t, create(t, NULL, 0, size), NULL, "a map");
	regress_ok(t, map_update(t->sys, map, &key, code.insns, BPF_ANY), NULL, "the instructions");
	memset(&attr, 0, sizeof(attr));
	attr.map_fd = map;
	regress_ok(t, sys_bpf(t->sys, BPF_MAP_FREEZE, &attr, ATTR_SIZE(map_fd)), NULL, "BPF_MAP_FREEZE");
	regress_ok(t, kernel_fd_info(t->sys, map, &info, &len), NULL, "the hash");
	sys_close_fd(t->sys, &map);
}

static void its_program(struct regress *t)
{
	const uint8_t any[SHA256_SIZE] = { 1 };
	uint8_t hash[SHA256_SIZE] = { 0 };
	uint64_t value = 0, count;
	const uint32_t key = 0;
	struct code code;
	struct happen h;
	int map, prog;

	map = exclusive(t, any);
	sys_close_fd(t->sys, &map);
	code = counting(0);
	hash_of(t, code, hash);
	map = exclusive(t, hash);
	code = counting(map);
	prog = regress_ok(t, load(t, &code, NULL), NULL, "the program with that hash");
	happen_open(t, &h, BY_IOCTL, NULL, "page-faults:u,period=1");
	regress_ok(t, compare_bind(&h.s, h.cell, &h.e, prog, NULL), NULL, "binding");
	happen_must(&h, PERF_EVENT_IOC_ENABLE, 0, "PERF_EVENT_IOC_ENABLE");
	happen_touch(t, TIMES);
	happen_must(&h, PERF_EVENT_IOC_DISABLE, 0, "PERF_EVENT_IOC_DISABLE");
	count = happen_count(&h);
	regress_ok(t, map_lookup(t->sys, map, &key, &value), NULL, "the count");
	regress_expect(t, value >= TIMES && value == count, "%" PRIu64 " runs for %" PRIu64 " faults", value, count);
	happen_close(&h);
	code.insns[code.nr - 2].imm = 2;	/* another program */
	sys_close_fd(t->sys, &prog);
	prog = load(t, &code, NULL);
	regress_expect(t, prog == -EACCES, "a program that returns something else: %s", regress_errno(prog < 0 ? prog : 0));
	sys_close_fd(t->sys, &map);
}

static const struct regress_test tests[] = {
	{ "a signature that is none refuses a program", signature, &none },
	{ "a signature by a keyring that does not exist refuses a program", signature, &no_keyring },
	{ "a signature that cannot be read refuses a program", signature, &unreadable },
	{ "a signature of a megabyte refuses a program", signature, &too_long },
	{ "a keyring without a signature: since Linux 6.18 nobody looks at it", signature, &only_keyring },
	{ "a size without a signature: since Linux 6.18 nobody looks at it", signature, &only_size },
	{ "an exclusive map's hash has 32 bytes: EINVAL, EFAULT", no_hash },
	{ "an exclusive map is not for a program of another hash: EACCES", other_program },
	{ "an exclusive map is for the program of its hash, which runs and counts in it", its_program },
	{ 0 }
};

const struct regress_group regress_group_signed = {
	"signed", "signed programs and exclusive maps", tests, NULL, __FILE__
};
