import { readFileSync } from "node:fs";
import type { Hook, HookDescriptor } from "../protocol/hook.ts";
import type { IHookResponse } from "../protocol/response.ts";
import { call } from "./call.ts";
import type { Handover, Known } from "./deadline.ts";
import { adopt, errors, exit, textOf, writeAll } from "./io.ts";

/** Reserved for the work after the hooks. */
const CONCLUDING_MS = 100;
/** With less time left than this, no further hook is run. */
const LEAST_MS = 20;

/**
 * Resumes a call whose process was busy in a hook until its time was up, and was replaced by this one: finished and
 * failed hooks do not run again, the others do.
 */
export async function resume(entries: readonly HookDescriptor[], descriptor: string): Promise<never> {
  const { argv, payload, inherited, cwd, until, known, settled, problem } = handoverFrom(descriptor);
  if (inherited) adopt(inherited);
  returnTo(cwd);
  const left = Math.floor(until - CONCLUDING_MS - Date.now());
  const byName = new Map(known);
  const inTime = entries.map((entry) => {
    const fact = byName.get(entry.name) ?? (left < LEAST_MS ? { failure: "no time was left for it" } : undefined);
    return fact ? settledEntry(entry, fact, byName.has(entry.name)) : entry;
  });
  const takeover = settled || problem !== undefined || left < LEAST_MS ? undefined : [process.execPath, "--resume"];
  const stdin = typeof payload === "string" ? payload : textOf(payload);
  return call(inTime, { timeoutMs: Math.max(left, LEAST_MS) }, argv, { stdin, takeover, until, problem });
}

/** A hook may have changed the directory; it may also have been deleted. */
function returnTo(cwd: string | undefined): void {
  try {
    if (cwd !== undefined) process.chdir(cwd);
  } catch {
    // Hooks still get the session's directory in the event.
  }
}

/** @param descriptor stdin, or a file in memory. */
function handoverFrom(descriptor: string): Handover {
  try {
    const given = JSON.parse(descriptor === "0" ? readFileSync(0, "utf8") : textOf(Number(descriptor))) as Handover;
    if (Array.isArray(given.argv) && Array.isArray(given.known) && ["string", "number"].includes(typeof given.payload))
      return given;
  } catch {
    // Reported below.
  }
  writeAll(
    errors(),
    "bridge-hooks: --resume has no call to go on with; bridge-hooks gives this flag to itself alone\n",
  );
  return exit(2);
}

/**
 * A hook that replays a known result.
 * @param asked the matcher already matched, and matching again could take as long again.
 */
function settledEntry({ matcher, ...entry }: HookDescriptor, known: Known, asked: boolean): HookDescriptor {
  const hook: Hook = {
    event: entry.events,
    handler(_event, { log }) {
      if ("failure" in known) throw new Error(known.failure);
      known.log.forEach(log);
      return known.response as IHookResponse;
    },
  };
  return { ...entry, ...(!asked && matcher !== undefined && { matcher }), settled: true, load: async () => hook };
}
