const splitWords = (text: string) => text.split(" ");

/**
 * Plugin hooks, except those that have a unified equivalent [shipped 2026.9.6: its types, docs
 * plugins/hooks/reference].
 */
const PLUGIN_HOOKS = splitWords(
  "after_tool_call agent_turn_prepare before_agent_reply before_agent_start before_dispatch before_message_write before_model_resolve " +
    "before_prompt_build channel_pairing_requested cron_changed cron_reconciled gateway_start gateway_stop heartbeat_prompt_contribution " +
    "inbound_claim llm_input llm_output message_sending message_sent model_call_ended model_call_started reply_dispatch " +
    "reply_payload_sending resolve_exec_env skill_changed skill_proposal_changed skill_proposal_evaluate subagent_delivery_target " +
    "subagent_progress tool_result_persist",
);

/**
 * Internal events, which an operator's own hooks also receive [shipped 2026.9.6: docs automation/hooks/event-types].
 */
const INTERNAL_EVENTS = splitWords(
  "command:reset command:stop gateway:pre-restart message:preprocessed message:received message:sent message:transcribed " +
    "session:auto-reset session:compact:after session:compact:before session:patch",
);

/**
 * Event families. A family fires again for every internal event with its prefix, so it gets an entry only when named
 * explicitly.
 */
export const EXPLICIT_EVENTS: readonly string[] = ["agent", "command", "gateway", "message", "session"];

/** Events that arrive as `Native` and are identified only by name. */
export const NATIVE_EVENTS: readonly string[] = [...PLUGIN_HOOKS, ...INTERNAL_EVENTS, ...EXPLICIT_EVENTS];

/**
 * Events from earlier releases. The current release ignores handlers for them and recommends before_model_resolve and
 * before_prompt_build instead [shipped 2026.9.6].
 */
export const REMOVED_EVENTS: readonly string[] = ["before_agent_start"];
