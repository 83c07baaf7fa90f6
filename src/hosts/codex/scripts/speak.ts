import { type AnyEvent, isCall } from "../../../protocol/event.ts";
import type { Payload } from "../../../protocol/host/host.ts";
import type { Speech } from "../../../protocol/host/scripts.ts";
import type { FileChange } from "../../../protocol/tool.ts";
import { rowIn } from "../../check.ts";
import { renderPatch } from "../../../protocol/patch.ts";
import {
  around,
  type Call,
  given,
  known,
  mcpReadings,
  type Native,
  type Output,
  resultAt,
  sessionFields,
  shellFolder,
  spoken,
  told,
} from "../../speak.ts";
import { capabilities, unknown } from "../capabilities.ts";
import { decode } from "../call/decode.ts";
import samples from "../samples.json" with { type: "json" };
import { TOOLS } from "../tools.ts";
import { understand } from "./understand.ts";

const HOST = "codex";

const hear = (payload: Payload, native_event: string): AnyEvent =>
  decode(payload, native_event, rowIn(capabilities, unknown, native_event)).event;

// Results [seen 0.169.0, 2026-11-21]: text, but for those of MCP tools.
const words = ({ text }: Output) => text;
const blocks = ({ text, is_error = false }: Output) => ({ content: [{ type: "text", text }], isError: is_error });

const patch = (files: readonly FileChange[]): Native => ({
  tool_name: "apply_patch",
  tool_input: { command: renderPatch(files) },
});

/** An event's call as Codex makes it; what it searches and fetches its hooks don't hear of. */
function calls(event: Call): Native[] {
  switch (event.tool) {
    case "Write": {
      const { file_path, content: new_string } = event.input;
      return [patch([{ file_path, operation: "add", edits: [{ old_string: "", new_string }] }])];
    }
    case "Edit":
      return [patch(event.input.files)];
    case "MCP":
      return mcpReadings(event.input).map(({ server, tool }) => ({
        tool_name: `mcp__${server}__${tool}`,
        tool_input: event.input.arguments,
        result: blocks,
      }));
    case "Other":
      return [{ tool_name: event.tool_name, tool_input: event.input }];
    default:
      return told(TOOLS, event.tool, event.input);
  }
}

function tell(event: AnyEvent, native_event: string, recorded: Payload): Payload[] {
  const { permission_mode = "default", model = "unknown", agent_id, agent_type, transcript_path } = event;
  const base = {
    ...recorded,
    ...known(recorded, { permission_mode, model }),
    ...given({ agent_id, agent_type }),
    // Scripts read a transcript in the form of their own host.
    ...(event.host === HOST && given({ transcript_path })),
  };
  if (!isCall(event)) {
    const fields = sessionFields(event);
    // There is but one reason to it [shipped 0.169.0], by which it is told from other hosts.
    return [given({ ...base, ...fields, ...(event.event === "SessionEnd" && { reason: "other" }) })];
  }
  const { id: tool_use_id } = around(event);
  return calls(event).map(({ tool_name, tool_input, result = words }) =>
    given({
      ...base,
      ...known(base, { cwd: shellFolder(event), tool_use_id }),
      tool_name,
      tool_input,
      tool_response: resultAt(event, HOST, native_event, result),
    }),
  );
}

const events = ({ event }: AnyEvent) => (Object.hasOwn(capabilities, event) ? [event] : []);

export const speech: Speech = {
  payloads: (event) => spoken({ host: HOST, recorded: samples, hear, events, tell }, event),
  understand,
  // It adds none of its own [seen 0.169.0].
  variables: () => ({}),
};
