import { availableParallelism } from "node:os";
import type { Host, Payload } from "../../protocol/host/host.ts";
import { getCapabilityRow } from "../../protocol/host/host.ts";
import { PROBE } from "../../protocol/probe.ts";
import type { HostDoctor, ConfigFile, Launch, MachineContext, AnswerVerdict } from "../../protocol/host/install.ts";
import { getFailurePolicyAt } from "../../hosts/setup.ts";
import { COMMAND_TIMEOUT_MS, runHook } from "../terminal/process.ts";
import type { OurEntry } from "../status/status.ts";
import type { Trial } from "./report.ts";

/** No more at once than there are processors, so that a time is that of a call and not of a crowd. */
let freeSlots = Math.min(4, availableParallelism());
const waitingTrials: (() => void)[] = [];
async function withTrialSlot<T>(work: () => Promise<T>): Promise<T> {
  if (freeSlots > 0) freeSlots--;
  else await new Promise<void>((resolve) => void waitingTrials.push(resolve));
  try {
    return await work();
  } finally {
    const next = waitingTrials.shift();
    if (next) next();
    else freeSlots++;
  }
}

/** The recorded payload as one of this machine. */
function localizePayload(payload: Payload, { roots, home }: MachineContext): Payload {
  const here = { session_id: "bridge-hooks-doctor", cwd: roots[0] ?? home, workspace_roots: [...roots] };
  return { ...payload, ...Object.fromEntries(Object.entries(here).filter(([key]) => key in payload)) };
}

const classifyVerdict = (verdict: AnswerVerdict): Trial["outcome"] =>
  verdict.kind === "broken" ? (verdict.blocks ? "blocked" : "failed") : verdict.kind;

/** What each probe is to end in. */
function listExpectedOutcomes(probe: Trial["probe"], closed: boolean, exit_code: number | null): Trial["outcome"][] {
  switch (probe) {
    case "deny":
      return ["denied"];
    case "allow":
      return ["passed"];
    case "garbage":
      // Behind a call there is nothing to deny: the failure is told, and that is all.
      // Where calls may pass, a hook of its own policy may still deny; but it has to be ours that answers.
      return closed
        ? ["denied", "blocked"]
        : exit_code !== null && exit_code <= 2
          ? ["failed", "passed", "blocked", "denied"]
          : [];
  }
}

/**
 * Runs an entry's command as the host runs it: with a call that is to be denied, a harmless one, and no payload at all. Only
 * at events that can stop something: elsewhere it gets the last alone, so that no hook of yours runs for it.
 */
export async function runTrials(
  host: Host,
  check: HostDoctor,
  { entry, call }: OurEntry,
  file: ConfigFile,
  place: MachineContext,
): Promise<Trial[]> {
  const { native_event, handler } = entry;
  const { event } = getCapabilityRow(host, native_event);
  const gate = getFailurePolicyAt(event, "deny") === "deny";
  const [harmless, denied] = gate
    ? [check.getProbePayload(native_event), check.getProbePayload(native_event, PROBE)]
    : [];
  const closed = gate && call.options.onError === "deny";
  const text = (payload: Payload) => JSON.stringify(localizePayload(payload, place));
  const probes: [Trial["probe"], string][] = [
    ...(denied ? [["deny", text(denied)] as [Trial["probe"], string]] : []),
    ...(harmless ? [["allow", text(harmless)] as [Trial["probe"], string]] : []),
    ["garbage", "this is no payload"],
  ];
  const trials: Trial[] = [];
  for (const [probe, payload] of probes) {
    for (const launch of check.listLaunches(entry, file, payload, place)) {
      const trial = await withTrialSlot(() => runTrial(probe, launch));
      trials.push(trial);
      // One that hangs is not waited for again and again.
      if (trial.ms >= COMMAND_TIMEOUT_MS) return trials;
    }
  }
  return trials;

  async function runTrial(probe: Trial["probe"], launch: Launch): Promise<Trial> {
    const { ms, problem, stopped: _, ...result } = await runHook(launch);
    const verdict = check.judgeAnswer(native_event, result, handler);
    const outcome = problem ? "failed" : classifyVerdict(verdict);
    const ok = !problem && listExpectedOutcomes(probe, closed, result.exit_code).includes(outcome);
    const known = problem ?? (verdict.kind === "broken" ? verdict.why : undefined);
    const why = known ?? (ok ? undefined : [result.stdout, result.stderr].join(" ").trim().slice(0, 300));
    return {
      probe,
      ...(launch.way && { way: launch.way }),
      outcome,
      ok,
      ms: Math.round(ms * 10) / 10,
      ...(why && { why }),
    };
  }
}
