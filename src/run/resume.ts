import { readFileSync } from "node:fs";
import type { Hook, HookEntry } from "../core/hook.ts";
import type { IHookResponse } from "../core/response.ts";
import { call } from "./call.ts";
import type { Handover, Known } from "./deadline.ts";
import { adopt, errors, exit, textOf, writeAll } from "./io.ts";

/** The least that hooks get which nobody has asked yet. */
const LEAST_MS = 50;

/**
 * Goes on with a call whose process was busy in a hook until its time was up, and was replaced by this one: hooks that have
 * answered, or failed, do not run again, and the others are asked.
 */
export async function resume(entries: readonly HookEntry[], descriptor: string): Promise<never> {
  const { argv, payload, inherited, left_ms, known, settled, problem } = handoverFrom(descriptor);
  if (inherited) adopt(inherited);
  const entriesLeft = entries.map((entry) =>
    Object.hasOwn(known, entry.name) ? settledEntry(entry, known[entry.name] as Known[string]) : entry,
  );
  const takeover = settled || problem !== undefined ? undefined : [process.execPath, "--resume"];
  const stdin = typeof payload === "string" ? payload : textOf(payload);
  return call(entriesLeft, { timeout_ms: Math.ceil(Math.max(left_ms, LEAST_MS)) }, argv, { stdin, takeover, problem });
}

/** @param descriptor of stdin, or of a file in memory. */
function handoverFrom(descriptor: string): Handover {
  try {
    const given = JSON.parse(descriptor === "0" ? readFileSync(0, "utf8") : textOf(Number(descriptor))) as Handover;
    if (Array.isArray(given.argv) && given.known && ["string", "number"].includes(typeof given.payload)) return given;
  } catch {
    // Told below.
  }
  writeAll(errors(), "bridge-hooks: --resume has no call to go on with; bridge-hooks gives this flag to itself alone\n");
  return exit(2);
}

/** A hook that says at once what is known of it. Its matcher fitted already, and to look again may take as long again. */
function settledEntry({ matcher: _, ...entry }: HookEntry, known: Known[string]): HookEntry {
  if ("failure" in known) return { ...entry, load: () => Promise.reject(new Error(known.failure)) };
  const hook: Hook = { event: entry.events, handler: () => known.response as IHookResponse };
  return { ...entry, load: async () => hook };
}
