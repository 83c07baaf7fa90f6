import type { Payload } from "../../protocol/host/host.ts";
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
import agent_turn_prepare from "./fixtures/openclaw-2026.9.6/agent_turn_prepare.json" with { type: "json" };
import before_agent_reply from "./fixtures/openclaw-2026.9.6/before_agent_reply.json" with { type: "json" };
import before_dispatch from "./fixtures/openclaw-2026.9.6/before_dispatch.json" with { type: "json" };
import before_message_write from "./fixtures/openclaw-2026.9.6/before_message_write.json" with { type: "json" };
import before_model_resolve from "./fixtures/openclaw-2026.9.6/before_model_resolve.json" with { type: "json" };
import before_prompt_build from "./fixtures/openclaw-2026.9.6/before_prompt_build.json" with { type: "json" };
import commandNew from "./fixtures/openclaw-2026.9.6/command-new.json" with { type: "json" };
import commandReset from "./fixtures/openclaw-2026.9.6/command-reset.json" with { type: "json" };
import gateway_start from "./fixtures/openclaw-2026.9.6/gateway_start.json" with { type: "json" };
import gateway_stop from "./fixtures/openclaw-2026.9.6/gateway_stop.json" with { type: "json" };
import llm_output from "./fixtures/openclaw-2026.9.6/llm_output.json" with { type: "json" };
import messagePreprocessed from "./fixtures/openclaw-2026.9.6/message-preprocessed.json" with { type: "json" };
import messageReceived from "./fixtures/openclaw-2026.9.6/message-received.json" with { type: "json" };
import message_sending from "./fixtures/openclaw-2026.9.6/message_sending.json" with { type: "json" };
import model_call_ended from "./fixtures/openclaw-2026.9.6/model_call_ended.json" with { type: "json" };
import model_call_started from "./fixtures/openclaw-2026.9.6/model_call_started.json" with { type: "json" };
import reply_dispatch from "./fixtures/openclaw-2026.9.6/reply_dispatch.json" with { type: "json" };
import reply_payload_sending from "./fixtures/openclaw-2026.9.6/reply_payload_sending.json" with { type: "json" };

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
  agent_turn_prepare,
  before_agent_reply,
  before_dispatch,
  before_message_write,
  before_model_resolve,
  before_prompt_build,
  "command:new": commandNew,
  "command:reset": commandReset,
  gateway_start,
  gateway_stop,
  llm_output,
  "message:preprocessed": messagePreprocessed,
  "message:received": messageReceived,
  message_sending,
  model_call_ended,
  model_call_started,
  reply_dispatch,
  reply_payload_sending,
};
