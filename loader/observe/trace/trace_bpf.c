// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Trace bpf(2): for each command, print the fields of union bpf_attr that belong to it. */
#include <stdbool.h>

#include <linux/bpf.h>

#include "loader/observe/trace/trace_bpf.h"

static const struct sys_flag elem_flags[] = {
	FLAG(BPF_NOEXIST),
	FLAG(BPF_EXIST),
	FLAG(BPF_F_LOCK),
	{ 0, NULL },
};

static const struct sys_flag test_run_flags[] = {
	FLAG(BPF_F_TEST_RUN_ON_CPU),
	FLAG(BPF_F_TEST_XDP_LIVE_FRAMES),
	FLAG(BPF_F_TEST_SKB_CHECKSUM_COMPLETE),
	{ 0, NULL },
};

static const struct sys_flag file_flags[] = {
	FLAG(BPF_F_RDONLY),
	FLAG(BPF_F_WRONLY),
	FLAG(BPF_F_PATH_FD),
	{ 0, NULL },
};

static const struct trace_field map_create[] = {
	FIELD_NAMED(map_type, TRACE_ENUM, sys_map_type_name),
	FIELD(key_size, TRACE_DEC),
	FIELD(value_size, TRACE_DEC),
	FIELD(max_entries, TRACE_DEC),
	FIELD_FLAGS(map_flags, sys_map_flags),
	FIELD(inner_map_fd, TRACE_INT),
	FIELD(numa_node, TRACE_DEC),
	FIELD(map_name, TRACE_CHARS),
	FIELD(map_ifindex, TRACE_DEC),
	FIELD(btf_fd, TRACE_INT),
	FIELD(btf_key_type_id, TRACE_DEC),
	FIELD(btf_value_type_id, TRACE_DEC),
	FIELD(btf_vmlinux_value_type_id, TRACE_DEC),
	FIELD(map_extra, TRACE_HEX),
	FIELD(value_type_btf_obj_fd, TRACE_INT),
	FIELD(map_token_fd, TRACE_INT),
	FIELD(excl_prog_hash, TRACE_PTR),
	FIELD(excl_prog_hash_size, TRACE_DEC),
	END
};

static const struct trace_field map_elem[] = {
	FIELD(map_fd, TRACE_FD),
	FIELD(key, TRACE_PTR),
	FIELD(value, TRACE_PTR),
	FIELD_FLAGS(flags, elem_flags),
	END
};

static const struct trace_field map_next_key[] = {
	FIELD(map_fd, TRACE_FD),
	FIELD(key, TRACE_PTR),
	FIELD(next_key, TRACE_PTR),
	END
};

static const struct trace_field map_freeze[] = { FIELD(map_fd, TRACE_FD), END };

static const struct trace_field map_batch[] = {
	SUB(batch, in_batch, TRACE_PTR),
	SUB(batch, out_batch, TRACE_PTR),
	SUB(batch, keys, TRACE_PTR),
	SUB(batch, values, TRACE_PTR),
	SUB(batch, count, TRACE_DEC),
	SUB(batch, map_fd, TRACE_FD),
	SUB_FLAGS(batch, elem_flags, elem_flags),
	SUB(batch, flags, TRACE_HEX),
	END
};

static const struct trace_field batch_result[] = { SUB(batch, count, TRACE_SHOWN), END };

static const struct trace_field prog_load[] = {
	FIELD_NAMED(prog_type, TRACE_ENUM, sys_prog_type_name),
	FIELD(insn_cnt, TRACE_DEC),
	FIELD(insns, TRACE_PTR),
	FIELD(license, TRACE_STRING),
	FIELD(log_level, TRACE_DEC),
	FIELD(log_size, TRACE_DEC),
	FIELD(log_buf, TRACE_PTR),
	FIELD(kern_version, TRACE_VERSION),
	FIELD_FLAGS(prog_flags, sys_prog_flags),
	FIELD(prog_name, TRACE_CHARS),
	FIELD(prog_ifindex, TRACE_DEC),
	FIELD_NAMED(expected_attach_type, TRACE_KIND, sys_attach_type_name),
	FIELD(prog_btf_fd, TRACE_INT),
	FIELD(func_info_rec_size, TRACE_DEC),
	FIELD(func_info, TRACE_PTR),
	FIELD(func_info_cnt, TRACE_DEC),
	FIELD(line_info_rec_size, TRACE_DEC),
	FIELD(line_info, TRACE_PTR),
	FIELD(line_info_cnt, TRACE_DEC),
	FIELD(attach_btf_id, TRACE_DEC),
	FIELD(attach_prog_fd, TRACE_INT),
	FIELD(core_relo_cnt, TRACE_DEC),
	FIELD(fd_array, TRACE_PTR),
	FIELD(core_relos, TRACE_PTR),
	FIELD(core_relo_rec_size, TRACE_DEC),
	FIELD(prog_token_fd, TRACE_INT),
	FIELD(fd_array_cnt, TRACE_DEC),
	FIELD(signature, TRACE_PTR),
	FIELD(signature_size, TRACE_DEC),
	FIELD(keyring_id, TRACE_INT),
	END
};

static const struct trace_field prog_load_result[] = { FIELD(log_true_size, TRACE_DEC), END };

static const struct trace_field obj_path[] = {
	FIELD(pathname, TRACE_STRING),
	FIELD(bpf_fd, TRACE_INT),
	FIELD_FLAGS(file_flags, file_flags),
	FIELD(path_fd, TRACE_INT),
	END
};

static const struct trace_field prog_attach[] = {
	FIELD(target_fd, TRACE_FD),
	FIELD(attach_bpf_fd, TRACE_FD),
	FIELD_NAMED(attach_type, TRACE_ENUM, sys_attach_type_name),
	FIELD_FLAGS(attach_flags, trace_attach_flags),
	FIELD(replace_bpf_fd, TRACE_INT),
	FIELD(relative_fd, TRACE_INT),
	FIELD(expected_revision, TRACE_DEC),
	END
};

static const struct trace_field test_run[] = {
	SUB(test, prog_fd, TRACE_FD),
	SUB(test, data_size_in, TRACE_DEC),
	SUB(test, data_size_out, TRACE_DEC),
	SUB(test, data_in, TRACE_PTR),
	SUB(test, data_out, TRACE_PTR),
	SUB(test, repeat, TRACE_DEC),
	SUB(test, ctx_size_in, TRACE_DEC),
	SUB(test, ctx_size_out, TRACE_DEC),
	SUB(test, ctx_in, TRACE_PTR),
	SUB(test, ctx_out, TRACE_PTR),
	SUB_FLAGS(test, flags, test_run_flags),
	SUB(test, cpu, TRACE_DEC),
	SUB(test, batch_size, TRACE_DEC),
	END
};

static const struct trace_field test_run_result[] = {
	SUB(test, retval, TRACE_SHOWN),
	SUB(test, data_size_out, TRACE_DEC),
	SUB(test, duration, TRACE_DEC),
	SUB(test, ctx_size_out, TRACE_DEC),
	END
};

static const struct trace_field get_next_id[] = {
	FIELD(start_id, TRACE_SHOWN),
	FIELD(open_flags, TRACE_HEX),
	END
};

static const struct trace_field get_next_id_result[] = { FIELD(next_id, TRACE_DEC), END };

/* The id is followed by flags for maps, and by the token that permits the call. */
#define FD_BY_ID(id) { \
	FIELD(id, TRACE_DEC), FIELD(open_flags, TRACE_HEX), FIELD(fd_by_id_token_fd, TRACE_INT), \
	END }

static const struct trace_field prog_fd_by_id[] = FD_BY_ID(prog_id);
static const struct trace_field map_fd_by_id[] = FD_BY_ID(map_id);
static const struct trace_field btf_fd_by_id[] = FD_BY_ID(btf_id);
static const struct trace_field link_fd_by_id[] = FD_BY_ID(link_id);

static const struct trace_field obj_info[] = {
	SUB(info, bpf_fd, TRACE_FD),
	SUB(info, info_len, TRACE_DEC),
	SUB(info, info, TRACE_PTR),
	END
};

static const struct trace_field obj_info_result[] = { SUB(info, info_len, TRACE_DEC), END };

static const struct trace_field prog_query[] = {
	SUB(query, target_fd, TRACE_FD),
	SUB_NAMED(query, attach_type, sys_attach_type_name),
	SUB(query, query_flags, TRACE_HEX),
	SUB(query, prog_ids, TRACE_PTR),
	SUB(query, prog_cnt, TRACE_DEC),
	SUB(query, prog_attach_flags, TRACE_PTR),
	SUB(query, link_ids, TRACE_PTR),
	SUB(query, link_attach_flags, TRACE_PTR),
	END
};

static const struct trace_field prog_query_result[] = {
	SUB(query, attach_flags, TRACE_HEX),
	SUB(query, prog_cnt, TRACE_DEC),
	SUB(query, revision, TRACE_DEC),
	END
};

static const struct trace_field raw_tracepoint_open[] = {
	SUB(raw_tracepoint, name, TRACE_STRING),
	SUB(raw_tracepoint, prog_fd, TRACE_FD),
	SUB(raw_tracepoint, cookie, TRACE_DEC),
	END
};

static const struct trace_field btf_load[] = {
	FIELD(btf, TRACE_PTR),
	FIELD(btf_log_buf, TRACE_PTR),
	FIELD(btf_size, TRACE_DEC),
	FIELD(btf_log_size, TRACE_DEC),
	FIELD(btf_log_level, TRACE_DEC),
	FIELD(btf_flags, TRACE_HEX),
	FIELD(btf_token_fd, TRACE_INT),
	END
};

static const struct trace_field btf_load_result[] = { FIELD(btf_log_true_size, TRACE_DEC), END };

static const struct trace_field task_fd_query[] = {
	SUB(task_fd_query, pid, TRACE_SHOWN),
	SUB(task_fd_query, fd, TRACE_FD),
	SUB(task_fd_query, flags, TRACE_HEX),
	SUB(task_fd_query, buf_len, TRACE_DEC),
	SUB(task_fd_query, buf, TRACE_PTR),
	END
};

static const struct trace_field task_fd_query_result[] = {
	SUB(task_fd_query, buf_len, TRACE_DEC),
	SUB(task_fd_query, buf, TRACE_STRING),
	SUB(task_fd_query, prog_id, TRACE_DEC),
	SUB_NAMED(task_fd_query, fd_type, sys_task_fd_type_name),
	SUB(task_fd_query, probe_offset, TRACE_HEX),
	SUB(task_fd_query, probe_addr, TRACE_HEX),
	END
};

static const struct trace_field link_update[] = {
	SUB(link_update, link_fd, TRACE_FD),
	SUB(link_update, new_prog_fd, TRACE_FD),
	SUB_FLAGS(link_update, flags, trace_attach_flags),
	SUB(link_update, old_prog_fd, TRACE_INT),
	END
};

static const struct trace_field link_detach[] = { SUB(link_detach, link_fd, TRACE_FD), END };
static const struct trace_field enable_stats[] = {
	SUB_NAMED(enable_stats, type, sys_stats_type_name),
	END
};

static const struct trace_field iter_create[] = {
	SUB(iter_create, link_fd, TRACE_FD),
	SUB(iter_create, flags, TRACE_HEX),
	END
};

static const struct trace_field prog_bind_map[] = {
	SUB(prog_bind_map, prog_fd, TRACE_FD),
	SUB(prog_bind_map, map_fd, TRACE_FD),
	SUB(prog_bind_map, flags, TRACE_HEX),
	END
};

static const struct trace_field stream_read[] = {
	SUB(prog_stream_read, prog_fd, TRACE_FD),
	SUB(prog_stream_read, stream_id, TRACE_DEC),
	SUB(prog_stream_read, stream_buf, TRACE_PTR),
	SUB(prog_stream_read, stream_buf_len, TRACE_DEC),
	END
};

static const struct trace_field token_create[] = {
	SUB(token_create, flags, TRACE_HEX),
	SUB(token_create, bpffs_fd, TRACE_FD),
	END
};

static const struct trace_field assoc_struct_ops[] = {
	SUB(prog_assoc_struct_ops, map_fd, TRACE_FD),
	SUB(prog_assoc_struct_ops, prog_fd, TRACE_FD),
	SUB(prog_assoc_struct_ops, flags, TRACE_HEX),
	END
};

static const struct trace_command commands[] = {
	[BPF_MAP_CREATE] = { .args = map_create },
	[BPF_MAP_LOOKUP_ELEM] = { .args = map_elem },
	[BPF_MAP_UPDATE_ELEM] = { .args = map_elem },
	[BPF_MAP_DELETE_ELEM] = { .args = map_elem },
	[BPF_MAP_GET_NEXT_KEY] = { .args = map_next_key },
	[BPF_PROG_LOAD] = { .args = prog_load, .result = prog_load_result, .even_failed = true },
	[BPF_OBJ_PIN] = { .args = obj_path },
	[BPF_OBJ_GET] = { .args = obj_path },
	[BPF_PROG_ATTACH] = { .args = prog_attach },
	[BPF_PROG_DETACH] = { .args = prog_attach },
	[BPF_PROG_TEST_RUN] = { .args = test_run, .group = "test", .result = test_run_result },
	[BPF_PROG_GET_NEXT_ID] = { .args = get_next_id, .result = get_next_id_result },
	[BPF_MAP_GET_NEXT_ID] = { .args = get_next_id, .result = get_next_id_result },
	[BPF_PROG_GET_FD_BY_ID] = { .args = prog_fd_by_id },
	[BPF_MAP_GET_FD_BY_ID] = { .args = map_fd_by_id },
	[BPF_OBJ_GET_INFO_BY_FD] = { .args = obj_info, .group = "info", .result = obj_info_result },
	[BPF_PROG_QUERY] = { .args = prog_query, .group = "query", .result = prog_query_result },
	[BPF_RAW_TRACEPOINT_OPEN] = { .args = raw_tracepoint_open, .group = "raw_tracepoint" },
	[BPF_BTF_LOAD] = { .args = btf_load, .result = btf_load_result, .even_failed = true },
	[BPF_BTF_GET_FD_BY_ID] = { .args = btf_fd_by_id },
	[BPF_TASK_FD_QUERY] = {
		.args = task_fd_query, .group = "task_fd_query", .result = task_fd_query_result,
	},
	[BPF_MAP_LOOKUP_AND_DELETE_ELEM] = { .args = map_elem },
	[BPF_MAP_FREEZE] = { .args = map_freeze },
	[BPF_BTF_GET_NEXT_ID] = { .args = get_next_id, .result = get_next_id_result },
	[BPF_MAP_LOOKUP_BATCH] = {
		.args = map_batch, .group = "batch", .result = batch_result, .even_failed = true,
	},
	[BPF_MAP_LOOKUP_AND_DELETE_BATCH] = {
		.args = map_batch, .group = "batch", .result = batch_result, .even_failed = true,
	},
	[BPF_MAP_UPDATE_BATCH] = {
		.args = map_batch, .group = "batch", .result = batch_result, .even_failed = true,
	},
	[BPF_MAP_DELETE_BATCH] = {
		.args = map_batch, .group = "batch", .result = batch_result, .even_failed = true,
	},
	[BPF_LINK_CREATE] = { .args = trace_link_create, .group = "link_create" },
	[BPF_LINK_UPDATE] = { .args = link_update, .group = "link_update" },
	[BPF_LINK_GET_FD_BY_ID] = { .args = link_fd_by_id },
	[BPF_LINK_GET_NEXT_ID] = { .args = get_next_id, .result = get_next_id_result },
	[BPF_ENABLE_STATS] = { .args = enable_stats, .group = "enable_stats" },
	[BPF_ITER_CREATE] = { .args = iter_create, .group = "iter_create" },
	[BPF_LINK_DETACH] = { .args = link_detach, .group = "link_detach" },
	[BPF_PROG_STREAM_READ_BY_FD] = { .args = stream_read, .group = "prog_stream_read" },
	[BPF_TOKEN_CREATE] = { .args = token_create, .group = "token_create" },
	[BPF_PROG_ASSOC_STRUCT_OPS] = {
		.args = assoc_struct_ops, .group = "prog_assoc_struct_ops",
	},
	[BPF_PROG_BIND_MAP] = { .args = prog_bind_map, .group = "prog_bind_map" },
};

static unsigned long without_flag(unsigned long cmd)
{
	return cmd & ~(unsigned long)BPF_COMMON_ATTRS;
}

const struct trace_command *trace_command_find(unsigned long cmd)
{
	cmd = without_flag(cmd);
	if (cmd >= sizeof(commands) / sizeof(commands[0]) || !commands[cmd].args)
		return NULL;
	return &commands[cmd];
}

void trace_bpf_args(FILE *out, const unsigned long arg[6])
{
	const union bpf_attr *attr = (const union bpf_attr *)arg[1];
	const struct bpf_common_attr *common = (const struct bpf_common_attr *)arg[3];
	const struct trace_command *command = trace_command_find(arg[0]);
	const unsigned long cmd = without_flag(arg[0]);
	struct trace_list list = { .out = out, .open = "" };

	trace_enum(out, sys_cmd_name(cmd), cmd);
	fputs(cmd == arg[0] ? ", " : "|BPF_COMMON_ATTRS, ", out);
	if (command && attr) {
		if (command->group)
			fprintf(out, "{%s=", command->group);
		fputc('{', out);
		if (cmd == BPF_LINK_CREATE)
			trace_link_fields(&list, attr, arg[2]);
		else
			trace_fields(&list, command->args, attr, arg[2]);
		fputs(command->group ? "}}" : "}", out);
	} else {
		trace_pointer(out, arg[1]);
	}
	fprintf(out, ", %lu", arg[2]);
	if (cmd != arg[0])
		fprintf(out, ", {log_level=%u, log_size=%u}, %lu", common->log_level,
			common->log_size, arg[4]);
}

void trace_bpf_result(FILE *out, const unsigned long arg[6], long ret)
{
	const struct trace_command *command = trace_command_find(arg[0]);
	struct trace_list list = { .out = out, .open = "" };

	if (!command || !command->result || !arg[1] || (ret < 0 && !command->even_failed))
		return;
	trace_result(&list, command->result, (const void *)arg[1], arg[2]);
}
