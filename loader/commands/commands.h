/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The commands of pload, each defined in the file of its name, and options that they share. */
#ifndef PLOAD_CMD_COMMANDS_H
#define PLOAD_CMD_COMMANDS_H

#include "loader/core/cmd/command.h"

extern const struct command command_compare, command_default, command_explain,
	command_inspect, command_list_events, command_load, command_pin, command_probe,
	command_profile, command_show, command_stat, command_step, command_watch;

/* Groups that several commands take. */
extern const struct option_group options_attaching, options_events, options_kernel_types,
	options_learning, options_loading, options_output, options_scope,
	options_targets;
extern const struct option_group *const options_learning_only[];

#endif
