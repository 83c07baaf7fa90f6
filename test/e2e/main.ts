import { existsSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildExecutable } from "../../src/cli/build/build.ts";
import { hosts } from "../../src/hosts/index.ts";
import type { HostCase, HostDriver } from "./driver.ts";
import { listCases, filterVersions, drivers } from "./drivers.ts";
import { cursorRelease, prepareCursor } from "./hosts/cursor-release.ts";
import { findHistoryProblem } from "./history.ts";
import { isInside, runIsolated, type Isolation } from "./isolate.ts";
import { recordEvidence, recordPayloads } from "./record.ts";
import {
  compareReleases,
  CACHE_FOLDER,
  installRelease,
  PROBE_EXECUTABLE,
  RAW_EXECUTABLE,
  type Release,
  releases,
} from "./releases.ts";
import { toReportData, formatReport, explainRun, type CaseFailure, type ReleaseReport } from "./report.ts";
import { type HostRun, runHost } from "./run.ts";

const USAGE = `Usage: npm run e2e -- [--host ID]... [--only PATTERN] [--cursor-sdk DIR]... [--json] [--allow-missing] [--record] [--keep]

Runs the real hosts, offline, with the built executable as their hook, and looks at what they do.

  --host ID         ${drivers.map(({ host }) => host.id).join(", ")} (default: all; cursor only with --cursor-sdk)
  --only PATTERN    cases whose name fits this regular expression
  --cursor-sdk DIR  run Cursor's hook runtime too: DIR is where you installed @cursor/sdk
  --json            the report as JSON on stdout
  --allow-missing   a host that can't be installed here is no failure
  --record          put what was seen into src/hosts/<id>/evidence.json, and new payloads into test/hosts/<id>/recordings
  --keep            keep the folders of all runs in .e2e/runs, not only of failed ones`;

function exitWithUsage(problem: string): never {
  console.error(`e2e: ${problem}; see npm run e2e -- --help`);
  process.exit(2);
}

function parseOptions() {
  try {
    return parseArgs({
      options: {
        host: { type: "string", multiple: true },
        only: { type: "string", default: "" },
        "cursor-sdk": { type: "string", multiple: true },
        json: { type: "boolean", default: false },
        "allow-missing": { type: "boolean", default: false },
        record: { type: "boolean", default: false },
        keep: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values;
  } catch (error) {
    return exitWithUsage((error as Error).message);
  }
}

if (process.platform === "win32") {
  console.error("e2e: it runs on Linux and macOS; on Windows use WSL");
  process.exit(1);
}
const givenOptions = parseOptions();
if (givenOptions.help) {
  console.log(USAGE);
  process.exit(0);
}
const unknown = givenOptions.host?.find((id) => !drivers.some(({ host }) => host.id === id));
if (unknown !== undefined) {
  const known = hosts.find(({ id }) => id === unknown);
  exitWithUsage(known ? `${known.name} is not run here: it has no driver in drivers.ts` : `unknown host "${unknown}"`);
}
const onlyPattern = (() => {
  try {
    return new RegExp(givenOptions.only);
  } catch (error) {
    return exitWithUsage((error as Error).message);
  }
})();
const chosenDrivers = drivers.filter(({ host }) => !givenOptions.host || givenOptions.host.includes(host.id));
const cursorReleases = (givenOptions["cursor-sdk"] ?? [])
  .map((folder) => {
    try {
      return cursorRelease(resolve(process.env.INIT_CWD ?? ".", folder));
    } catch (error) {
      return exitWithUsage((error as Error).message);
    }
  })
  .sort(compareReleases);
if (givenOptions.host?.includes("cursor") && cursorReleases.length === 0)
  exitWithUsage("Cursor's hook runtime is not free software, so it is not installed for you: give --cursor-sdk DIR");
const wantedReleases = chosenDrivers.flatMap((driver) =>
  [...releases, ...cursorReleases]
    .filter(({ host }) => host === driver.host.id)
    .map((release) => ({ driver, release })),
);

const ROOT = join(import.meta.dir, "../..");
const BIN = join(CACHE_FOLDER, "bin");
const EXECUTABLES = { product: join(BIN, "bridge-hooks"), unhardened: join(BIN, "unhardened"), raw: RAW_EXECUTABLE };

/** Everything that needs the network: installs the hosts, and builds the executables. */
async function prepareExecutables(): Promise<void> {
  for (const { driver, release } of wantedReleases) {
    try {
      if (!cursorReleases.includes(release)) installRelease(release);
      if (!existsSync(driver.program(release.folder)))
        throw new Error(`it has no executable for ${process.platform} ${process.arch}`);
    } catch (error) {
      console.error(`e2e: ${driver.host.name} ${release.version} can't be run here: ${(error as Error).message}`);
    }
  }
  await buildExecutable({ hooks: join(import.meta.dir, "hooks"), outfile: PROBE_EXECUTABLE });
  await buildExecutable({ hooks: join(ROOT, "hooks"), outfile: EXECUTABLES.product });
  if (cursorReleases.length > 0) await prepareCursor();
  await Bun.build({ entrypoints: [join(import.meta.dir, "control.ts")], compile: { outfile: EXECUTABLES.unhardened } });
  await Bun.build({ entrypoints: [join(import.meta.dir, "raw.ts")], compile: { outfile: EXECUTABLES.raw } });
}

if (!isInside()) await prepareExecutables();
const isolation = await runIsolated();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(130));
rmSync(join(CACHE_FOLDER, "runs"), { recursive: true, force: true });

const reports: ReleaseReport[] = [];
const missing: Release[] = [];
for (const { driver, release } of wantedReleases) {
  if (existsSync(driver.program(release.folder))) reports.push(await runRelease(driver, release, isolation));
  else missing.push(release);
}
if (givenOptions.record) recordEvidence(reports);
if (givenOptions.json) console.log(JSON.stringify(toReportData(reports, missing, isolation), null, 2));
else console.log(formatReport(reports, missing, isolation, givenOptions["allow-missing"]));
const failed = reports.reduce((sum, { failures }) => sum + failures.length, 0);
const hasRun = reports.some(({ passed, failures }) => passed.length + failures.length > 0);
if (!hasRun && reports.length > 0)
  console.error(`e2e: no case was run; is --only ${givenOptions.only} what you meant?`);
process.exit(
  failed > 0 || (reports.length > 0 && !hasRun) || (missing.length > 0 && !givenOptions["allow-missing"]) ? 1 : 0,
);

/**
 * Runs all cases of a release; cases with the same setup share a run. Two runs at a time, plus one that mostly waits.
 */
async function runRelease(driver: HostDriver, release: Release, { mounts }: Isolation): Promise<ReleaseReport> {
  const versions = wantedReleases.filter((one) => one.driver === driver).map((one) => one.release.version);
  const cases = listCases(driver).filter(
    (one) => filterVersions(one, versions).includes(release.version) && onlyPattern.test(one.name),
  );
  const groups = Map.groupBy(
    cases.filter((one) => mounts || !one.mounts),
    (one) => JSON.stringify([one.setup, one.executable]),
  );
  const started = performance.now();
  const passed: HostCase[] = [];
  const failures: CaseFailure[] = [];
  const runner = driver.runner(release, PROBE_EXECUTABLE);
  const [idle, busy] = [true, false].map((waits) =>
    [...groups.values()].filter(([one]) => (one?.setup.idle ?? false) === waits),
  ) as [HostCase[][], HostCase[][]];
  const work = async (left: HostCase[][]) => {
    for (let group = left.shift(); group; group = left.shift()) {
      const [{ setup, executable }] = group as [HostCase];
      const run = await runHost(runner, executable ? { ...setup, executable: EXECUTABLES[executable] } : setup);
      const rebuilt = group.some(({ rebuilds }) => rebuilds) ? await findHistoryProblem(driver.host, run) : undefined;
      const problems = group.map((one) => ({ one, problem: judgeRun(one, run) ?? (one.rebuilds && rebuilt) }));
      const details = problems.some(({ problem }) => problem !== undefined)
        ? await explainRun(run, PROBE_EXECUTABLE)
        : "";
      for (const { one, problem } of problems) {
        if (problem === undefined) passed.push(one);
        else failures.push(printFailure(driver, release, { one, problem, details }));
      }
      // The text of a denial would show up in later payloads, so they are not recorded.
      const words = setup.plan?.some(({ answer, raw }) => answer?.decision || raw) ?? false;
      if (givenOptions.record && !cursorReleases.includes(release) && !words) recordPayloads(driver, release, run);
      if (!givenOptions.keep && details === "") rmSync(run.place.run, { recursive: true, force: true });
    }
  };
  await Promise.all([work(busy), work(busy), work(idle)]);
  await runner.close?.();
  const seconds = (performance.now() - started) / 1000;
  return {
    host: driver.host.id,
    version: release.version,
    passed,
    failures,
    skipped: cases.length - passed.length - failures.length,
    seconds,
  };
}

/** A host's output may differ from what a judge expects. */
function judgeRun({ judge }: HostCase, run: HostRun): string | undefined {
  try {
    return judge(run);
  } catch (error) {
    return `what the host left behind can't be read: ${(error as Error).message}`;
  }
}

function printFailure(driver: HostDriver, release: Release, failure: CaseFailure): CaseFailure {
  const { one, problem, details } = failure;
  console.error(
    `\nFAILED ${driver.host.name} ${release.version}: ${one.name}\n  ${problem}\n${details.replace(/^/gm, "  ")}`,
  );
  return failure;
}
