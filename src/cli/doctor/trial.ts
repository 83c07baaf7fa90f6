import type { Host, Payload } from "../../core/host.ts";
import { rowOf } from "../../core/host.ts";
import { PROBE } from "../../core/probe.ts";
import type { Check, ConfigFile, Launch, Place, Result, Verdict } from "../../core/setup.ts";
import { policyAt } from "../../hosts/setup.ts";
import type { OurEntry } from "../status.ts";
import type { Trial } from "./report.ts";

/** Longer than any call of ours takes; a host would wait longer. */
const PATIENCE_MS = 10_000;

let last: Promise<unknown> = Promise.resolve();
/** One after the other, so that a time is that of a call and not of a crowd. */
const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
  const next = last.then(work, work);
  last = next;
  return next;
};

/** The recorded payload as one of this machine. */
function local(payload: Payload, { roots, home }: Place): Payload {
  const here = { session_id: "bridge-hooks-doctor", cwd: roots[0] ?? home, workspace_roots: [...roots] };
  return { ...payload, ...Object.fromEntries(Object.entries(here).filter(([key]) => key in payload)) };
}

async function started({ argv, cwd, env, stdin }: Launch): Promise<Result & { ms: number; problem?: string }> {
  const before = performance.now();
  const nothing = { stdout: "", stderr: "", exit_code: null };
  try {
    const child = Bun.spawn([...argv], {
      cwd,
      env: { ...env },
      stdin: new TextEncoder().encode(stdin),
      stdout: "pipe",
      stderr: "pipe",
      timeout: PATIENCE_MS,
    });
    const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    const code = await child.exited;
    const ms = performance.now() - before;
    return {
      stdout,
      stderr,
      exit_code: child.signalCode ? null : code,
      ms,
      ...(ms >= PATIENCE_MS && { problem: `it did not end within ${PATIENCE_MS / 1000} s` }),
    };
  } catch (error) {
    return { ...nothing, ms: performance.now() - before, problem: (error as Error).message };
  }
}

const outcomeOf = (verdict: Verdict): Trial["outcome"] =>
  verdict.kind === "broken" ? (verdict.blocks ? "blocked" : "failed") : verdict.kind;

/** What each probe is to end in. */
function expected(probe: Trial["probe"], closed: boolean): Trial["outcome"][] {
  switch (probe) {
    case "deny":
      return ["denied"];
    case "allow":
      return ["passed"];
    case "garbage":
      // Behind a call there is nothing to deny: the failure is told, and that is all.
      return closed ? ["denied", "blocked"] : ["failed", "passed", "blocked"];
  }
}

/**
 * Runs an entry's command as the host runs it: with a call that is to be denied, a harmless one, and no payload at all. Only
 * at events that can stop something: elsewhere it gets the last alone, so that no hook of yours runs for it.
 */
export async function trialsOf(host: Host, check: Check, { entry, call }: OurEntry, file: ConfigFile, place: Place): Promise<Trial[]> {
  const { native_event, handler } = entry;
  const { event } = rowOf(host, native_event);
  const gate = policyAt(event, "deny") === "deny";
  const [harmless, denied] = gate ? [check.sample(native_event), check.sample(native_event, PROBE)] : [];
  const closed = gate && call.options.onError === "deny";
  const text = (payload: Payload) => JSON.stringify(local(payload, place));
  const probes: [Trial["probe"], string][] = [
    ...(denied ? [["deny", text(denied)] as [Trial["probe"], string]] : []),
    ...(harmless ? [["allow", text(harmless)] as [Trial["probe"], string]] : []),
    ["garbage", "this is no payload"],
  ];
  return Promise.all(
    probes.flatMap(([probe, payload]) =>
      check.launches(entry, file, payload, place).map(async (launch): Promise<Trial> => {
        const { ms, problem, ...result } = await inTurn(() => started(launch));
        const verdict = check.verdict(native_event, result, handler);
        const outcome = problem ? "failed" : outcomeOf(verdict);
        const ok = !problem && expected(probe, closed).includes(outcome);
        const why = problem ?? (verdict.kind === "broken" ? verdict.why : undefined);
        const said = ok ? undefined : (why ?? [result.stdout, result.stderr].join(" ").trim().slice(0, 300));
        return {
          probe,
          ...(launch.way && { way: launch.way }),
          outcome,
          ok,
          ms: Math.round(ms * 10) / 10,
          ...((said ?? why) && { why: said ?? why }),
        };
      }),
    ),
  );
}
