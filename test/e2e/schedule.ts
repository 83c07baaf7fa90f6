import { existsSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { evidenceKey, type EvidenceTable } from "../../src/protocol/capability.ts";
import type { HostCase, HostDriver } from "./driver.ts";
import { filterVersions, listCases } from "./drivers.ts";
import { findHistoryProblem } from "./history.ts";
import type { Isolation } from "./isolate.ts";
import { getSupport, recordPayloads } from "./record.ts";
import type { PlanRule } from "./plan.ts";
import { PROBE_EXECUTABLE, type Release } from "./releases.ts";
import { type CaseFailure, explainRun, type ReleaseReport } from "./report.ts";
import { type HostRun, type HostRunner, runHost, type RunSetup } from "./run.ts";

export interface WantedRelease {
  driver: HostDriver;
  release: Release;
}

export interface ScheduleOptions {
  isolation: Isolation;
  /** Pattern that the names of cases to run must match. */
  only: RegExp;
  /** Whether to run cases again that recorded evidence already covers. */
  all: boolean;
  /** Whether to keep the directories of all runs, not just failed ones. */
  keep: boolean;
  /** Whether to record a release's new payloads. */
  records: (release: Release) => boolean;
  executables: Readonly<Record<NonNullable<HostCase["executable"]>, string>>;
}

/** One release's cases, and how far they have got. */
interface ReleaseWork extends WantedRelease {
  cases: readonly HostCase[];
  /** How many cases were skipped because recorded evidence covers them. */
  recorded: number;
  runner: HostRunner;
  passed: HostCase[];
  failures: CaseFailure[];
  /** `left` counts runs that haven't ended, and `running` those in progress. */
  left: number;
  running: number;
  seconds: number;
}

/** A run, and the cases that share it. */
interface PlannedRun {
  work: ReleaseWork;
  setup: RunSetup;
  group: [HostCase, ...HostCase[]];
}

export interface ScheduleResult {
  reports: ReleaseReport[];
  /** Releases that aren't installed. */
  missing: Release[];
  /** How many cases were skipped because recorded evidence covers them. */
  recorded: number;
}

/** How many runs are active at once. There are more than cores, because each run spends half of its time waiting. */
const RUNS_AT_ONCE = availableParallelism() + 2;
/**
 * How many runs are active at once in hosts that serve several runs. Each one starts another server, and OpenClaw's
 * takes 20 seconds of CPU time.
 */
const SERVED_AT_ONCE = 2;

/** Runs the cases of all releases concurrently. Runs that mostly wait have their own slot. */
export async function runReleases(wanted: readonly WantedRelease[], options: ScheduleOptions): Promise<ScheduleResult> {
  const present = wanted.filter(({ driver, release }) => existsSync(driver.program(release.folder)));
  const works = await Promise.all(present.map((one) => prepareRelease(one, present, options)));
  // Interleave the releases, so that they finish at about the same time.
  const runs = works
    .flatMap((work) => planRuns(work, options).map((run, at, { length }) => ({ run, pace: at / length })))
    .toSorted((a, b) => a.pace - b.pace)
    .map(({ run }) => run);
  const isIdle = ({ setup }: PlannedRun) => setup.idle ?? false;
  const [idle, busy] = [runs.filter(isIdle), runs.filter((run) => !isIdle(run))];
  const canStart = ({ work: { runner, running } }: PlannedRun) => !runner.session || running < SERVED_AT_ONCE;
  const takeNext = (left: PlannedRun[]) => {
    const next = left.find(canStart);
    if (next) left.splice(left.indexOf(next), 1);
    return next;
  };
  const work = async (left: PlannedRun[]) => {
    for (let run = takeNext(left); run; run = takeNext(left)) await tryRun(run, options);
  };
  await Promise.all([work(idle), ...Array.from({ length: RUNS_AT_ONCE }, () => work(busy))]);
  return {
    reports: works.map(({ driver, release, cases, passed, failures, seconds }) => ({
      host: driver.host.id,
      version: release.version,
      passed,
      failures,
      skipped: cases.length - passed.length - failures.length,
      seconds,
    })),
    recorded: works.reduce((sum, { recorded }) => sum + recorded, 0),
    missing: wanted.filter((one) => !present.includes(one)).map(({ release }) => release),
  };
}

async function prepareRelease(
  { driver, release }: WantedRelease,
  wanted: readonly WantedRelease[],
  { only, all }: ScheduleOptions,
): Promise<ReleaseWork> {
  const versions = wanted.filter((one) => one.driver === driver).map((one) => one.release.version);
  const fitting = listCases(driver).filter(
    (one) => filterVersions(one, versions).includes(release.version) && only.test(one.name),
  );
  const evidence = (await driver.host.loadEvidence?.()) ?? {};
  const cases = all ? fitting : fitting.filter((one) => !isRecorded(one, { driver, release }, evidence));
  const runner = driver.runner(release, PROBE_EXECUTABLE);
  const recorded = fitting.length - cases.length;
  return { driver, release, cases, recorded, runner, passed: [], failures: [], left: 0, running: 0, seconds: 0 };
}

/**
 * Whether this release's recorded evidence already shows what the table promises, for a case without bridge-hooks. Such
 * a case needn't run again, because a locked release doesn't change.
 */
function isRecorded(one: HostCase, { driver, release }: WantedRelease, evidence: EvidenceTable): boolean {
  const { name, cell, executable } = one;
  const shown = cell && evidence[cell.native_event]?.[evidenceKey(cell.field, cell.versions)];
  return (
    executable === "raw" &&
    shown?.test === name &&
    shown.version === release.version &&
    shown.support === getSupport(driver, one)
  );
}

/** Plans a release's runs. Cases with the same setup share a run, and so do harmless answers to different events. */
function planRuns(work: ReleaseWork, { isolation }: ScheduleOptions): PlannedRun[] {
  const possible = work.cases.filter((one) => isolation.mounts || !one.mounts);
  const groups = Map.groupBy(possible, ({ setup, executable }) => JSON.stringify([setup, executable]));
  const runs = new Map<string, PlannedRun[]>();
  for (const members of groups.values()) {
    const group = members as [HostCase, ...HostCase[]];
    const [{ setup, executable, harmless = false }] = group;
    const { plan = [], ...start } = setup;
    const key = JSON.stringify([start, executable, harmless]);
    const known = runs.get(key) ?? [];
    const shared = harmless ? known.find((run) => !answersOneOf(run, plan)) : undefined;
    if (shared) {
      shared.group.push(...group);
      shared.setup = { ...setup, plan: [...(shared.setup.plan ?? []), ...plan] };
    } else runs.set(key, [...known, { work, group, setup }]);
  }
  const planned = [...runs.values()].flat();
  work.left = planned.length;
  return planned;
}

/** Whether a run already answers any of the plan's events. */
const answersOneOf = ({ setup }: PlannedRun, plan: readonly PlanRule[]) =>
  plan.some(({ event }) => setup.plan?.some((rule) => rule.event === event));

async function tryRun({ work, setup, group }: PlannedRun, options: ScheduleOptions): Promise<void> {
  const { driver, release, runner } = work;
  const [{ executable }] = group;
  work.running++;
  const started = performance.now();
  const run = await runHost(
    runner,
    executable ? { ...setup, executable: options.executables[executable] } : setup,
  ).catch((error: Error) => error);
  if (run instanceof Error) {
    for (const one of group)
      work.failures.push(
        printFailure(work, { one, problem: `the host could not be run: ${run.message}`, details: "" }),
      );
    return endRun(work, started);
  }
  const rebuilt = group.some(({ rebuilds }) => rebuilds) ? await findHistoryProblem(driver.host, run) : undefined;
  const problems = group.map((one) => ({ one, problem: judgeRun(one, run) ?? (one.rebuilds && rebuilt) }));
  const hasFailed = problems.some(({ problem }) => problem !== undefined);
  const details = hasFailed ? await explainRun(run, PROBE_EXECUTABLE) : "";
  for (const { one, problem } of problems) {
    if (problem === undefined) work.passed.push(one);
    else work.failures.push(printFailure(work, { one, problem, details }));
  }
  // Payloads that follow a decision would contain its text, so they aren't recorded.
  const words = setup.plan?.some(({ answer, raw }) => answer?.decision || raw) ?? false;
  if (options.records(release) && !words) recordPayloads(driver, release, run);
  if (!options.keep && !hasFailed) rmSync(run.place.run, { recursive: true, force: true });
  return endRun(work, started);
}

async function endRun(work: ReleaseWork, started: number): Promise<void> {
  work.seconds += (performance.now() - started) / 1000;
  work.running--;
  if (--work.left === 0) await work.runner.close?.();
}

/** A judge throws if the host's output isn't in the expected format. */
function judgeRun({ judge }: HostCase, run: HostRun): string | undefined {
  try {
    return judge(run);
  } catch (error) {
    return `the processes left behind by the host can't be read: ${(error as Error).message}`;
  }
}

function printFailure({ driver, release }: WantedRelease, failure: CaseFailure): CaseFailure {
  const { one, problem, details } = failure;
  console.error(
    `\nFAILED ${driver.host.name} ${release.version}: ${one.name}\n  ${problem}\n${details.replace(/^/gm, "  ")}`,
  );
  return failure;
}
