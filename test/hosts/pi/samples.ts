import type { Samples } from "../../../tools/samples.ts";

export const samples: Samples = {
  agent_before_settle: "pi-1.5.2/agent_before_settle.json",
  agent_end: "pi-1.5.2/agent_end.json",
  agent_settled: "pi-1.5.2/agent_settled.json",
  agent_start: "pi-1.5.2/agent_start.json",
  before_agent_start: "pi-1.5.2/before_agent_start.json",
  input: "pi-1.5.2/input.json",
  resources_discover: "pi-1.5.2/resources_discover.json",
  session_before_compact: "pi-1.5.2/session_before_compact.json",
  session_before_fork: "pi-1.5.2/session_before_fork.json",
  session_before_switch: "pi-1.5.2/session_before_switch.json",
  session_compact: "pi-1.5.2/session_compact.json",
  session_info_changed: "pi-1.5.2/session_info_changed.json",
  session_shutdown: "pi-1.5.2/session_shutdown.json",
  session_start: "pi-1.5.2/session_start.json",
  tool_call: "pi-1.5.2/tool_call-bash.json",
  tool_failure: "pi-1.5.2/tool_failure-read.json",
  tool_result: "pi-1.5.2/tool_result-bash.json",
  ui_prompt_end: "pi-1.5.2/ui_prompt_end.json",
  ui_prompt_start: "pi-1.5.2/ui_prompt_start.json",
  user_bash: "pi-1.5.2/user_bash.json",
};
