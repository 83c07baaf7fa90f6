import { continues } from "../../protocol/capability.ts";
import type { AnyEvent } from "../../protocol/event.ts";
import type { HookEntry } from "../../protocol/hook.ts";
import { type Answer, type Env, type Host, rowOf } from "../../protocol/host/host.ts";
import type { IHookResponse } from "../../protocol/response.ts";
import type { Speech, Spoken } from "../../protocol/host/scripts.ts";
import type { Outcome } from "../../run/dispatch.ts";
import { call, warningsIn } from "../../author/testing/call.ts";
import { shownFile } from "../terminal/layout.ts";
import { frameIn } from "../host-config/live.ts";
import { whyNot } from "./why.ts";
import type { AskedReport, CallReport, Heard } from "./report.ts";

/** What a host is sent. */
export type Told = Pick<Spoken, "native_event" | "payload">;

/** What a host makes of bytes and an exit code. */
export interface Verdict {
  decision: Heard;
  response: IHookResponse;
  problem?: string;
}

/** What a process prints of an answer: every text ends its line. */
export const printed = ({ stdout, stderr, exit_code }: Answer) => ({
  stdout: lineOf(stdout),
  stderr: lineOf(stderr),
  exit_code,
});
const lineOf = (text: string) => (text === "" ? "" : `${text}\n`);

/** What the host makes of an answer. */
export function verdictOf(
  speech: Speech,
  told: Told,
  answer: { stdout: string; stderr: string; exit_code: number | null },
): Verdict {
  try {
    const response = speech.understand(told, answer);
    return { decision: response.decision ?? "none", response };
  } catch (error) {
    return { decision: "failed", response: {}, problem: (error as Error).message };
  }
}

/** What a call of a host comes to. @param text the payload as it is sent, where it is not to be made anew. */
export async function ask(
  entries: readonly HookEntry[],
  host: Host,
  told: Told,
  flags: readonly string[],
  env: Env,
  text = JSON.stringify(told.payload),
): Promise<CallReport & { event?: AnyEvent }> {
  const { native_event, payload } = told;
  const argv = ["--host", host.id, "--event", native_event, ...flags];
  const { answer, seen, ms } = await call(entries, argv, text, env);
  const out = printed(answer);
  return {
    native_event,
    payload,
    ...(continues(rowOf(host, native_event)) && { continues: true as const }),
    ...verdictOf(await host.speech(), told, out),
    ...out,
    ...(answer.append && { append: answer.append }),
    warnings: warningsIn(answer.stderr),
    ms: rounded(ms),
    hooks: entries.map((entry) =>
      asked(
        entry,
        seen?.event,
        seen?.outcomes.find((outcome) => outcome.entry === entry),
      ),
    ),
    event: seen?.event,
  };
}

/** Where a handler failed: of hooks that are compiled in, nobody has the file. */
function placeOf(error: unknown): { at?: string } {
  const place = frameIn(error);
  return place === undefined ? {} : { at: `${shownFile(place.file)}:${place.line}:${place.column}` };
}

const rounded = (ms: number) => Math.round(ms * 100) / 100;

function asked(entry: HookEntry, event: AnyEvent | undefined, outcome: Outcome | undefined): AskedReport {
  const why = event ? whyNot(entry, event, outcome) : "the call failed before any hook was asked";
  return {
    name: entry.name,
    matched: why === undefined,
    ...(why !== undefined && { why }),
    response: outcome?.response ?? {},
    ...(outcome?.failure !== undefined && { failure: outcome.failure, ...placeOf(outcome.error) }),
    log: [...(outcome?.log ?? [])],
    ms: rounded(outcome?.ms ?? 0),
  };
}
