const splitWords = (text: string) => text.split(" ");

/** Informational events [shipped 1.5.2: its types]. */
const OBSERVED_EVENTS = splitWords(
  "agent_end agent_settled agent_start before_agent_start model_select resources_discover session_compact_failed " +
    "session_info_changed session_tree thinking_level_select ui_prompt_end",
);

/** Session operations that a handler can cancel [shipped 1.5.2]. */
export const CANCELLED_EVENTS: readonly string[] = splitWords(
  "session_before_fork session_before_switch session_before_tree",
);

/**
 * Events that our plugin doesn't handle. A handler would take a decision away from pi or prevent it from connecting to
 * MCP servers [shipped 1.5.2].
 */
export const UNUSED_EVENTS: readonly string[] = ["mcp_servers_change", "project_trust"];

/**
 * Events that get an entry only when named explicitly. Some report each chunk of a stream; others repeat other events.
 */
export const EXPLICIT_EVENTS: readonly string[] = [
  ...UNUSED_EVENTS,
  ...splitWords(
    "after_provider_response before_provider_headers before_provider_request cache_warming_decision context " +
      "context_with_system message_end message_start message_update provider_stream_event tool_execution_end " +
      "tool_execution_start tool_execution_update turn_end turn_start",
  ),
];

/** Events that arrive as `Native` and are identified only by name. */
export const NATIVE_EVENTS: readonly string[] = [...OBSERVED_EVENTS, ...EXPLICIT_EVENTS];
