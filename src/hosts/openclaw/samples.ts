import type { Payload } from "../../core/host.ts";
import after_compaction from "./fixtures/openclaw-2026.9.6/after_compaction.json" with { type: "json" };
import agentBootstrap from "./fixtures/openclaw-2026.9.6/agent-bootstrap.json" with { type: "json" };
import agent_end from "./fixtures/openclaw-2026.9.6/agent_end.json" with { type: "json" };
import before_agent_finalize from "./fixtures/openclaw-2026.9.6/before_agent_finalize.json" with { type: "json" };
import before_agent_run from "./fixtures/openclaw-2026.9.6/before_agent_run.json" with { type: "json" };
import before_compaction from "./fixtures/openclaw-2026.9.6/before_compaction.json" with { type: "json" };
import before_reset from "./fixtures/openclaw-2026.9.6/before_reset.json" with { type: "json" };
import before_tool_call from "./fixtures/openclaw-2026.9.6/before_tool_call-exec.json" with { type: "json" };
import gatewayShutdown from "./fixtures/openclaw-2026.9.6/gateway-shutdown.json" with { type: "json" };
import gatewayStartup from "./fixtures/openclaw-2026.9.6/gateway-startup.json" with { type: "json" };
import message_received from "./fixtures/openclaw-2026.9.6/message_received.json" with { type: "json" };
import session_end from "./fixtures/openclaw-2026.9.6/session_end-new.json" with { type: "json" };
import session_start from "./fixtures/openclaw-2026.9.6/session_start.json" with { type: "json" };
import subagent_ended from "./fixtures/openclaw-2026.9.6/subagent_ended.json" with { type: "json" };
import subagent_spawned from "./fixtures/openclaw-2026.9.6/subagent_spawned.json" with { type: "json" };
import tool_failure from "./fixtures/openclaw-2026.9.6/tool_failure.json" with { type: "json" };
import tool_result from "./fixtures/openclaw-2026.9.6/tool_result-exec.json" with { type: "json" };

export const RECORDED: Readonly<Record<string, Payload>> = {
  after_compaction,
  "agent:bootstrap": agentBootstrap,
  agent_end,
  before_agent_finalize,
  before_agent_run,
  before_compaction,
  before_reset,
  before_tool_call,
  "gateway:shutdown": gatewayShutdown,
  "gateway:startup": gatewayStartup,
  message_received,
  session_end,
  session_start,
  subagent_ended,
  subagent_spawned,
  tool_failure,
  tool_result,
};
