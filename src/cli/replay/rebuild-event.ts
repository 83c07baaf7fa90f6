import type { AnyEvent } from "../../protocol/event.ts";
import { isObject } from "../../protocol/object.ts";
import { type Tool, TOOLS } from "../../protocol/tool.ts";
import { completeEvent } from "../../author/testing/event.ts";
import type { LogLine } from "../../call/log/log-line.ts";
import { hasOmission } from "../explain/ways-to-allow.ts";

/**
 * Rebuilds a logged event for replay. Supports only tool calls before they run, because replaying such an event changes
 * nothing.
 */
export function rebuildEvent(line: LogLine, cwd: string): { event?: AnyEvent; problem?: string } {
  const { event, tool, asked, part } = line;
  if (part === "head")
    return { problem: "the details of the call are lost, because its process was killed before writing them" };
  if (event !== "PreToolUse" || !isObject(asked) || !(TOOLS as readonly string[]).includes(tool ?? ""))
    return { problem: "only the PreToolUse event of a tool call can be replayed" };
  if (line.content === "structure" || hasOmission(JSON.stringify(asked)))
    return { problem: "the log omitted part of the call" };
  try {
    const setting = { host: line.host ?? "", session_id: "bridge-hooks-explain", cwd };
    return { event: completeEvent({ event, tool: tool as Tool, input: asked as never }, setting) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
