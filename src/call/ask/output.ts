import type { AnyEvent } from "../../protocol/event.ts";
import { formatOutput, toRecord } from "../../hosts/codec/wire.ts";

/** Returns the event of a finished call, with the hook's result in place of the original. */
export function applyModifiedOutput(event: AnyEvent, raw: string | Record<string, unknown>): AnyEvent {
  if (event.event === "PostToolUseFailure") return { ...event, error: formatOutput(raw) };
  if (event.event !== "PostToolUse") return event;
  const { stdout, stderr } = toRecord(raw);
  const streams = typeof stdout === "string" ? { stdout, stderr: typeof stderr === "string" ? stderr : "" } : undefined;
  const text = streams ? streams.stdout + streams.stderr : formatOutput(raw);
  const shell = event.tool === "Bash" && (streams ?? { stdout: text, stderr: "" });
  return { ...event, output: { ...event.output, text, raw, ...shell } } as AnyEvent;
}
