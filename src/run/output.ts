import type { AnyEvent } from "../protocol/event.ts";
import { outputText, recordOf } from "../hosts/wire.ts";

/** The event of a finished call, with the result that a hook gave in place of its own. */
export function withOutput(event: AnyEvent, raw: string | Record<string, unknown>): AnyEvent {
  if (event.event === "PostToolUseFailure") return { ...event, error: outputText(raw) };
  if (event.event !== "PostToolUse") return event;
  const { stdout, stderr } = recordOf(raw);
  const streams = typeof stdout === "string" ? { stdout, stderr: typeof stderr === "string" ? stderr : "" } : undefined;
  const text = streams ? streams.stdout + streams.stderr : outputText(raw);
  const shell = event.tool === "Bash" && (streams ?? { stdout: text, stderr: "" });
  return { ...event, output: { ...event.output, text, raw, ...shell } } as AnyEvent;
}
