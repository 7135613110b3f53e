// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The table `explanations` of pload. */
#include "loader/attach/refused/bind_failed.h"
#include "loader/event/grammar/events.h"
#include "loader/event/refused/open_failed.h"
#include "loader/kernel/refused/refused.h"
#include "loader/object/declared/declared.h"
#include "loader/session/targets/targets.h"
#include "loader/sys/refused.h"
#include "loader/sys/trace/trace_call.h"

const struct explanation explanations[] = {
	{ FAILED_SYMBOL, explain_unresolved },
	{ FAILED_INSN, explain_insn },
	{ FAILED_BTF, explain_btf },
	{ FAILED_MAP, explain_map },
	{ FAILED_PROG, explain_prog },
	{ FAILED_LOG, explain_log },
	{ FAILED_EVENT, explain_event },
	{ FAILED_BIND, explain_bind },
	{ FAILED_EVENT_NAME, explain_event_name },
	{ FAILED_PLAN, explain_plan },
	{ FAILED_CALL, explain_call },
	{ FAILED, explain_files },
	{ 0 },
};
