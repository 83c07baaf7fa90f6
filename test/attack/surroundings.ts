import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { placeExecutable } from "../support/executables.ts";
import { scaleMs } from "../support/machine.ts";
import { getCapabilityRow } from "../../src/protocol/host/host.ts";
import { type AttackCase, listGateEvents, listSeeds, type AttackTarget, targets, type WantedVerdict } from "./cases.ts";
import { findFault } from "./judge.ts";
import { wrapInShell, type ProcessOutcome, runProcess } from "./processes.ts";
import { buildInstalledFlags } from "./properties.ts";

export const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-attack-"));
/** An executable built with the hooks in `faulty`. */
export const executable = join(folder, "faulty");
export const buildFaultyExecutable = async (): Promise<void> =>
  void (await placeExecutable("test/attack/faulty", executable));
export const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });

/** Time limit for a call. Calls have 300 ms and a grace period, so one that takes thirty times as long is hanging. */
export const LIMIT_MS = scaleMs(10_000);

/** Hosts that run commands. Hosts with plugins send calls to a resident process instead. */
export const commandHosts = targets.filter(
  ({ host, handler }) => !Array.isArray(handler(listGateEvents(host)[0] as string, "deny").args),
);
/** Returns a host's first event that maps to the given unified event. */
export const findEvent = ({ host }: AttackTarget, event: string): string =>
  Object.keys(host.capabilities).find((name) => getCapabilityRow(host, name).event === event) as string;

/** Hosts that run commands and let a hook keep the agent from stopping. */
export const stoppingHosts = commandHosts.filter((target) => findEvent(target, "Stop") !== undefined);

/** The environment a process starts in. */
export interface Surroundings {
  /** Environment variables; undefined unsets one. */
  env?: (state: string) => Record<string, string | undefined>;
  /** `sh` command that runs before the executable. */
  line?: string;
  /** Whether nothing reads stdout or stderr. If so, only exit code 2 or a printed document counts as an answer. */
  deaf?: true;
  /** Whether the runtime itself may refuse to start. */
  may_not_start?: true;
}

export const getSeedText = ({ host }: AttackTarget, native_event: string) =>
  listSeeds(host).find((seed) => seed.native_event === native_event)?.text ?? "";

let made = 0;
/** Creates an empty state directory. */
export const newFolder = () => {
  const path = join(folder, `state-${made++}`);
  mkdirSync(path, { mode: 0o700 });
  return path;
};

/** Runs a call that the first hook denies. */
export async function runDeniedCall(
  target: AttackTarget,
  native_event: string,
  { env, line }: Surroundings,
  state: string,
  { stdin = getSeedText(target, native_event), more = [] }: { stdin?: string; more?: readonly string[] } = {},
): Promise<ProcessOutcome> {
  const plain = { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: state, ATTACK_DENIER: "before" };
  const all = Object.entries({ ...plain, ...env?.(state) }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const argv = [executable, ...buildInstalledFlags(target, native_event, "deny"), ...more];
  const shell = line === undefined ? argv : wrapInShell(`${line}`, argv);
  return runProcess({ argv: shell, stdin, cwd: folder, env: Object.fromEntries(all), limit_ms: LIMIT_MS });
}

/** Checks the answer to a call that the first hook denies. */
export function findProblem(
  target: AttackTarget,
  native_event: string,
  { ms, ...result }: ProcessOutcome,
  wanted?: WantedVerdict,
): Promise<string | undefined> | string {
  if (ms > LIMIT_MS) return `it took ${Math.round(ms)} ms`;
  if (result.exit_code === null) return `it was killed; stderr: ${result.stderr.slice(0, 300)}`;
  const argv = buildInstalledFlags(target, native_event, "deny");
  const one: AttackCase = { host: target.host.id, native_event, hook: "deny", argv, text: "", wanted };
  return findFault(one, result);
}
