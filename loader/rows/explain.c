// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table `explanations` of pload. */
#include "loader/explain/attach/bind_failed.h"
#include "loader/events/grammar/events.h"
#include "loader/explain/event/open_failed.h"
#include "loader/explain/kernel/refused.h"
#include "loader/objects/declared/declared.h"
#include "loader/objects/prog_kinds/prog_kinds.h"
#include "loader/objects/targets/targets.h"
#include "loader/core/sys/refused.h"
#include "loader/observe/trace/trace_call.h"

const struct explanation explanations[] = {
	{ FAILED_SYMBOL, explain_unresolved },
	{ FAILED_KIND, explain_kind },
	{ FAILED_INSN, explain_insn },
	{ FAILED_BTF, explain_btf },
	{ FAILED_MAP, explain_map },
	{ FAILED_PROG, explain_prog },
	{ FAILED_LOG, explain_log },
	{ FAILED_EVENT, explain_event },
	{ FAILED_BIND, explain_bind },
	{ FAILED_PLAN, explain_plan },
	{ FAILED_CALL, explain_call },
	{ FAILED, explain_files },
	{ 0 },
};
