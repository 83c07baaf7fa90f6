import { availableParallelism } from "node:os";
import type { Payload } from "../../protocol/host/host.ts";
import { getCapabilityRow } from "../../protocol/host/host.ts";
import { INVALID_PROBE, markProbe, PROBE, PROBE_SESSION } from "../../protocol/probe.ts";
import type { HostDoctor, Launch, MachineContext, AnswerVerdict } from "../../protocol/host/install.ts";
import { getFailurePolicyAt } from "../../hosts/setup/entries.ts";
import { COMMAND_TIMEOUT_MS, runHook } from "../terminal/process.ts";
import { readModes } from "../../policy/modes.ts";
import type { HostFile } from "../../operate/machine/plan.ts";
import type { InstalledEntry } from "../../operate/machine/plan.ts";
import type { Trial } from "./report.ts";

/** Limits concurrent trials to one per processor, so that measured times don't include contention. */
let freeTrialSlots = Math.min(4, availableParallelism());
const queuedTrials: (() => void)[] = [];
async function withTrialSlot<T>(work: () => Promise<T>): Promise<T> {
  if (freeTrialSlots > 0) freeTrialSlots--;
  else await new Promise<void>((resolve) => void queuedTrials.push(resolve));
  try {
    return await work();
  } finally {
    const startNext = queuedTrials.shift();
    if (startNext) startNext();
    else freeTrialSlots++;
  }
}

/** Adapts a recorded payload to this machine. */
function adaptToMachine(payload: Payload, { roots, home }: MachineContext): Payload {
  const sessionFields = { session_id: PROBE_SESSION, cwd: roots[0] ?? home, workspace_roots: [...roots] };
  return { ...payload, ...Object.fromEntries(Object.entries(sessionFields).filter(([key]) => key in payload)) };
}

const classifyVerdict = (verdict: AnswerVerdict): Trial["outcome"] =>
  verdict.kind === "broken" ? (verdict.blocks ? "blocked" : "failed") : verdict.kind;

/** Lists a probe's acceptable outcomes. */
function listExpectedOutcomes(probe: Trial["probe"], closed: boolean, exit_code: number | null): Trial["outcome"][] {
  switch (probe) {
    case "deny":
      return ["denied"];
    case "allow":
      return ["passed"];
    case "garbage":
      // The entry doesn't block on failure, or runs after the call and has nothing to block. A hook's own failure
      // policy may still deny, so any outcome with a valid exit code is fine.
      return closed
        ? ["denied", "blocked"]
        : exit_code !== null && exit_code <= 2
          ? ["failed", "passed", "blocked", "denied"]
          : [];
  }
}

/**
 * Runs an entry's command as the host would: with a call that must be denied, a harmless call, and an invalid payload.
 * Events that can't block get only the invalid payload, so that no hook runs.
 */
export async function runTrials(
  { entry, call }: InstalledEntry,
  { host, file }: Pick<HostFile, "host" | "file">,
  check: HostDoctor,
  machine: MachineContext,
): Promise<Trial[]> {
  const { native_event, handler } = entry;
  const blocksOnFailure = getFailurePolicyAt(getCapabilityRow(host, native_event), "deny") === "deny";
  const [harmless, denied] = blocksOnFailure
    ? [check.getProbePayload(native_event), check.getProbePayload(native_event, PROBE)]
    : [];
  // Unless everything is enforced, a call that can't be judged is allowed.
  const closed = blocksOnFailure && call.options.onError === "deny" && (await readModes()).find("") === "enforce";
  const text = (payload: Payload) => JSON.stringify(markProbe(adaptToMachine(payload, machine)));
  const probes: [Trial["probe"], string][] = [
    ...(denied ? [["deny", text(denied)] as [Trial["probe"], string]] : []),
    ...(harmless ? [["allow", text(harmless)] as [Trial["probe"], string]] : []),
    ["garbage", INVALID_PROBE],
  ];
  const trials: Trial[] = [];
  for (const [probe, payload] of probes) {
    for (const launch of check.listLaunches(entry, file, payload, machine)) {
      const trial = await withTrialSlot(() => runTrial(probe, launch));
      trials.push(trial);
      // Don't retry a command that hangs.
      if (trial.ms >= COMMAND_TIMEOUT_MS) return trials;
    }
  }
  return trials;

  async function runTrial(probe: Trial["probe"], launch: Launch): Promise<Trial> {
    const { ms, problem, stopped: _, ...result } = await runHook(launch);
    const verdict = check.judgeAnswer(native_event, result, handler);
    const outcome = problem ? "failed" : classifyVerdict(verdict);
    const ok = !problem && listExpectedOutcomes(probe, closed, result.exit_code).includes(outcome);
    const explanation =
      problem ?? (verdict.kind === "broken" ? `${verdict.problem}, and ${verdict.reaction}` : undefined);
    const reason = explanation ?? (ok ? undefined : [result.stdout, result.stderr].join(" ").trim().slice(0, 300));
    return {
      probe,
      ...(launch.way && { way: launch.way }),
      outcome,
      ok,
      ms: Math.round(ms * 10) / 10,
      ...(reason && { why: reason }),
    };
  }
}
