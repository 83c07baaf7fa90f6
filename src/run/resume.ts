import { readFileSync } from "node:fs";
import type { Hook, HookEntry } from "../core/hook.ts";
import type { IHookResponse } from "../core/response.ts";
import { call } from "./call.ts";
import type { Handover, Known } from "./deadline.ts";
import { adopt, textOf } from "./io.ts";

/** The least that hooks get which nobody has asked yet. */
const LEAST_MS = 50;

/**
 * Goes on with a call whose process was busy in a hook until its time was up, and was replaced by this one: hooks that have
 * answered, or failed, do not run again, and the others are asked.
 */
export async function resume(entries: readonly HookEntry[], descriptor: string): Promise<never> {
  const given = descriptor === "0" ? readFileSync(0, "utf8") : textOf(Number(descriptor));
  const { argv, payload, inherited, left_ms, known, problem } = JSON.parse(given) as Handover;
  if (inherited) adopt(inherited);
  const settled = entries.map((entry) => (known[entry.name] ? settledEntry(entry, known[entry.name] as Known[string]) : entry));
  // Where there is nobody left to ask, nothing can hang.
  const asking = problem === undefined && entries.some(({ name }) => !known[name]);
  const takeover = asking ? [process.execPath, "--resume"] : undefined;
  const stdin = typeof payload === "string" ? payload : textOf(payload);
  return call(settled, { timeout_ms: Math.ceil(Math.max(left_ms, LEAST_MS)) }, argv, { stdin, takeover, problem });
}

/** A hook that says at once what is known of it. Its matcher fitted already, and to look again may take as long again. */
function settledEntry({ matcher: _, ...entry }: HookEntry, known: Known[string]): HookEntry {
  if ("failure" in known) return { ...entry, load: () => Promise.reject(new Error(known.failure)) };
  const hook: Hook = { event: entry.events, handler: () => known.response as IHookResponse };
  return { ...entry, load: async () => hook };
}
