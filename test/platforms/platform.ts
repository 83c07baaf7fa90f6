import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BuildTarget, canRunHere, detectTarget } from "../../src/operate/executable/image.ts";
import { placeExecutable } from "../support/executables.ts";
import { ROOT } from "../support/fixtures.ts";
import { CHECKS, type Observations, type Station } from "./checks.ts";
import { type Machine, MACHINES, native } from "./machines.ts";
import { UnavailableError } from "../../release/debian-packages.ts";
import { readStructure } from "./structure.ts";

export const REFERENCE: BuildTarget = "bun-linux-x64";

export interface Difference {
  name: string;
  seen: string;
  /** The result on Linux x64. */
  wanted: string;
}

export type CheckResult = { passed: number; differences: Difference[]; seconds: number } | { skipped: string };

export interface TargetResult {
  target: BuildTarget;
  how: string;
  checks: Record<string, CheckResult>;
}

/** Results from the reference machine, keyed by check and by which part of the output is compared. */
const references = new Map<string, Observations>();

/**
 * Runs the checks on a target. The first time, they're run on the reference machine as well.
 *
 * @param done called with each result as soon as it's available.
 * @param prepare prepares the machine, which is shut down afterwards.
 */
export async function checkTarget(
  target: BuildTarget,
  names: readonly string[],
  done: (check: string, result: CheckResult) => void = () => {},
  prepare: () => Promise<Machine> = () => prepareMachine(target),
): Promise<TargetResult> {
  // Every run's directory name has the same length, because line breaks in the output depend on it.
  const work = mkdtempSync(join(tmpdir(), "bridge-hooks-platforms-"));
  const folder = join(work, "run");
  const clear = () => rmSync(work, { recursive: true, force: true });
  process.once("exit", clear);
  const checks: Record<string, CheckResult> = {};
  let machine: Machine | undefined;
  try {
    const executable = await buildFor(target, folder);
    const structure = readStructure(executable, target);
    const isOk = new Map([...structure.keys()].map((name) => [name, "ok"]));
    checks.structure = { ...compare(structure, isOk), seconds: 0 };
    done("structure", checks.structure);
    machine = await prepare();
    const { sameness, canBuild } = machine;
    const getReference = async (name: string): Promise<Observations> => {
      const key = JSON.stringify([name, sameness, canBuild]);
      const first = join(work, "ref", "bin/bridge-hooks");
      if (!references.has(key) && !existsSync(first)) await buildFor(REFERENCE, join(work, "ref"));
      const known =
        references.get(key) ??
        (await observe(name, {
          machine: { ...native, sameness, canBuild },
          executable: first,
          folder: join(work, "ref"),
          buildTraced: () => buildFor(REFERENCE, join(work, "ref"), TRACED),
        }));
      references.set(key, known);
      return known;
    };
    for (const name of names) {
      const wanted = await getReference(name);
      const started = performance.now();
      const buildTraced = () => buildFor(target, folder, TRACED);
      const seen = await observe(name, { machine, executable, folder, buildTraced });
      const seconds = (performance.now() - started) / 1000;
      checks[name] = { ...compare(seen, wanted), seconds };
      done(name, checks[name]);
    }
    return { target, how: machine.how, checks };
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    for (const name of ["structure", ...names]) checks[name] ??= { skipped: error.message };
    return { target, how: "structure only", checks };
  } finally {
    await machine?.end?.();
    clear();
    process.off("exit", clear);
  }
}

/** An executable's hooks other than the starter hooks. */
interface PlatformHooks {
  /** Subdirectory of the run's directory for the executable. */
  place: string;
  hooks: string;
}
/** A hook whose response is determined by the command or prompt. */
const PROBE: PlatformHooks = { place: "bin", hooks: "test/support/probe-hooks" };
/** A hook that prints a line when it runs. */
const TRACED: PlatformHooks = { place: "alt", hooks: "test/support/trace-hooks" };

async function buildFor(target: BuildTarget, folder: string, { place, hooks }: PlatformHooks = PROBE): Promise<string> {
  const outfile = join(folder, place, target.includes("windows") ? "bridge-hooks.exe" : "bridge-hooks");
  // All targets that can run here are built with the same runtime, so their executables would be identical.
  const built = canRunHere(target) ? REFERENCE : target;
  await placeExecutable(join(ROOT, hooks), outfile, { starters: ["starter"], target: built }).catch((error: Error) => {
    throw error.message.includes("could not be downloaded") ? new UnavailableError(error.message) : error;
  });
  return outfile;
}

/**
 * Prepares the environment for a target.
 * @throws UnavailableError if this machine can't run the target.
 */
export async function prepareMachine(target: BuildTarget): Promise<Machine> {
  if (detectTarget() !== REFERENCE) throw new UnavailableError("targets can be tested only on Linux on x64 with glibc");
  return MACHINES[target]();
}

function observe(name: string, station: Station): Promise<Observations> {
  const check = CHECKS[name];
  if (!check) throw new Error(`unknown check "${name}"; known: ${Object.keys(CHECKS).join(", ")}`);
  return check(station);
}

function compare(seen: Observations, wanted: Observations): { passed: number; differences: Difference[] } {
  const names = [...new Set([...wanted.keys(), ...seen.keys()])];
  const read = (from: Observations, name: string) => from.get(name) ?? "(no answer)";
  const differences = names
    .map((name) => ({ name, seen: read(seen, name), wanted: read(wanted, name) }))
    .filter((one) => one.seen !== one.wanted);
  return { passed: names.length - differences.length, differences };
}
