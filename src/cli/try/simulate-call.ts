import { hasContinuingDenial } from "../../protocol/capability.ts";
import type { AnyEvent } from "../../protocol/event.ts";
import type { HookDescriptor } from "../../protocol/hook.ts";
import { type HostAnswer, type Host, getCapabilityRow } from "../../protocol/host/host.ts";
import type { IHookResponse } from "../../protocol/response.ts";
import type { ScriptCodec, NativePayload } from "../../protocol/host/scripts.ts";
import type { HookOutcome } from "../../call/ask/outcome.ts";
import { runHookCall, extractWarnings } from "../../author/testing/call.ts";
import { formatPath } from "../terminal/layout.ts";
import { locateUserFrame } from "../live-hook.ts";
import { ENFORCED_MODE_POLICY, type ModePolicy, readModes } from "../../policy/modes.ts";
import { findSkipReason } from "./skip-reason.ts";
import type { AskedHookReport, CallReport, HostDecision } from "./report.ts";
import { reportWithheld } from "./verdict.ts";

/** A native event and the payload that the host sends. */
export type SentEvent = Pick<NativePayload, "native_event" | "payload">;

/** A host's reaction to an answer's output and exit code. */
interface HostReaction {
  decision: HostDecision;
  response: IHookResponse;
  problem?: string;
}

/** Formats an answer as a process prints it, with a newline at the end of each nonempty stream. */
const formatPrintedAnswer = ({ stdout, stderr, exit_code }: HostAnswer) => ({
  stdout: addLineBreak(stdout),
  stderr: addLineBreak(stderr),
  exit_code,
});
const addLineBreak = (text: string) => (text === "" ? "" : `${text}\n`);

/** Interprets an answer as the host does. */
export function interpretAnswer(
  codec: ScriptCodec,
  sentEvent: SentEvent,
  answer: { stdout: string; stderr: string; exit_code: number | null },
): HostReaction {
  try {
    const response = codec.parseAnswer(sentEvent, answer);
    return { decision: response.decision ?? "none", response };
  } catch (error) {
    return { decision: "failed", response: {}, problem: (error as Error).message };
  }
}

/**
 * Simulates a host's hook call.
 * @param sentEvent its `text`, if any, is the exact payload, which must not be serialized again
 */
export async function simulateCall(
  entries: readonly HookDescriptor[],
  host: Host,
  sentEvent: SentEvent & { text?: string },
  flags: readonly string[],
): Promise<CallReport & { event?: AnyEvent }> {
  const { native_event, payload, text = JSON.stringify(payload) } = sentEvent;
  const argv = ["--host", host.id, "--event", native_event, ...flags];
  const { answer, observedCall, ms } = await runHookCall(entries, argv, text, process.env);
  const out = formatPrintedAnswer(answer);
  const modes = observedCall?.outcomes.some(({ withheld }) => withheld) ? await readModes() : ENFORCED_MODE_POLICY;
  return {
    native_event,
    payload,
    ...(hasContinuingDenial(getCapabilityRow(host, native_event)) && { continues: true as const }),
    ...interpretAnswer(await host.loadScriptCodec(), sentEvent, out),
    ...out,
    ...(answer.append && { append: answer.append }),
    ...(answer.advice !== undefined && { advice: answer.advice }),
    warnings: extractWarnings(answer),
    ms: roundMs(ms),
    hooks: entries.map((entry) =>
      describeHookOutcome(
        { entry, modes },
        observedCall?.event,
        observedCall?.outcomes.find((outcome) => outcome.entry === entry),
      ),
    ),
    event: observedCall?.event,
  };
}

/** Finds where a handler failed. Empty for compiled-in hooks, because their files aren't on this machine. */
function locateFailure(error: unknown): { at?: string } {
  const position = locateUserFrame(error);
  return position === undefined ? {} : { at: `${formatPath(position.file)}:${position.line}:${position.column}` };
}

const roundMs = (ms: number) => Math.round(ms * 100) / 100;

function describeHookOutcome(
  { entry, modes }: { entry: HookDescriptor; modes: ModePolicy },
  event: AnyEvent | undefined,
  outcome: HookOutcome | undefined,
): AskedHookReport {
  const skipReason = event ? findSkipReason(entry, event, outcome) : "the call failed before any hook ran";
  return {
    name: entry.name,
    matched: skipReason === undefined,
    ...(skipReason !== undefined && { why: skipReason }),
    response: outcome?.response ?? {},
    ...(outcome && reportWithheld(outcome, modes)),
    ...(outcome?.allowed && { allowed: { by: [...outcome.allowed.by], response: outcome.allowed.response } }),
    ...(outcome?.failure !== undefined && { failure: outcome.failure, ...locateFailure(outcome.error) }),
    log: [...(outcome?.log ?? [])],
    ms: roundMs(outcome?.ms ?? 0),
  };
}
