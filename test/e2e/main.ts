import { existsSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build } from "../../src/cli/build/build.ts";
import type { Case, Driver } from "./driver.ts";
import { casesOf, concerned, drivers } from "./drivers.ts";
import { cursorRelease, prepareCursor } from "./hosts/cursor.ts";
import { isInside, isolate, type Isolation } from "./isolate.ts";
import { recordEvidence, recordPayloads } from "./record.ts";
import { byVersion, CACHE, install, PROBE, RAW, type Release, releases } from "./releases.ts";
import { asData, asText, explain, type Failure, type HostReport } from "./report.ts";
import { type Run, runHost } from "./run.ts";

const USAGE = `Usage: npm run e2e -- [--host ID]... [--only PATTERN] [--cursor-sdk DIR]... [--json] [--allow-missing] [--record] [--keep]

Runs the real hosts, offline, with the built executable as their hook, and looks at what they do.

  --host ID         ${drivers.map(({ host }) => host.id).join(", ")} (default: all; cursor only with --cursor-sdk)
  --only PATTERN    cases whose name fits this regular expression
  --cursor-sdk DIR  run Cursor's hook runtime too: DIR is where you installed @cursor/sdk
  --json            the report as JSON on stdout
  --allow-missing   a host that can't be installed here is no failure
  --record          put what was seen into src/hosts/<id>/evidence.json, and new payloads into test/hosts/<id>/recordings
  --keep            keep the folders of all runs in .e2e/runs, not only of failed ones`;

function usage(problem: string): never {
  console.error(`e2e: ${problem}; see npm run e2e -- --help`);
  process.exit(2);
}

function options() {
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
    return usage((error as Error).message);
  }
}

if (process.platform === "win32") {
  console.error("e2e: it runs on Linux and macOS; on Windows use WSL");
  process.exit(1);
}
const given = options();
if (given.help) {
  console.log(USAGE);
  process.exit(0);
}
const unknown = given.host?.find((id) => !drivers.some(({ host }) => host.id === id));
if (unknown !== undefined) usage(`there is no host "${unknown}"`);
const only = (() => {
  try {
    return new RegExp(given.only);
  } catch (error) {
    return usage((error as Error).message);
  }
})();
const chosen = drivers.filter(({ host }) => !given.host || given.host.includes(host.id));
const brought = (given["cursor-sdk"] ?? [])
  .map((folder) => {
    try {
      return cursorRelease(resolve(process.env.INIT_CWD ?? ".", folder));
    } catch (error) {
      return usage((error as Error).message);
    }
  })
  .sort(byVersion);
if (given.host?.includes("cursor") && brought.length === 0)
  usage("Cursor's hook runtime is not free software, so it is not installed for you: give --cursor-sdk DIR");
const wanted = chosen.flatMap((driver) =>
  [...releases, ...brought].filter(({ host }) => host === driver.host.id).map((release) => ({ driver, release })),
);

const ROOT = join(import.meta.dir, "../..");
const BIN = join(CACHE, "bin");
const EXECUTABLES = { product: join(BIN, "bridge-hooks"), unhardened: join(BIN, "unhardened"), raw: RAW };

/** What is done with the network: the hosts are installed, the executables built. */
async function prepare(): Promise<void> {
  for (const { driver, release } of wanted) {
    try {
      if (!brought.includes(release)) install(release);
      if (!existsSync(driver.program(release.folder)))
        throw new Error(`it has no executable for ${process.platform} ${process.arch}`);
    } catch (error) {
      console.error(`e2e: ${driver.host.name} ${release.version} can't be run here: ${(error as Error).message}`);
    }
  }
  await build({ hooks: join(import.meta.dir, "hooks"), outfile: PROBE });
  await build({ hooks: join(ROOT, "hooks"), outfile: EXECUTABLES.product });
  if (brought.length > 0) await prepareCursor();
  await Bun.build({ entrypoints: [join(import.meta.dir, "control.ts")], compile: { outfile: EXECUTABLES.unhardened } });
  await Bun.build({ entrypoints: [join(import.meta.dir, "raw.ts")], compile: { outfile: EXECUTABLES.raw } });
}

if (!isInside()) await prepare();
const isolation = await isolate();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(130));
rmSync(join(CACHE, "runs"), { recursive: true, force: true });

const reports: HostReport[] = [];
const missing: Release[] = [];
for (const { driver, release } of wanted) {
  if (existsSync(driver.program(release.folder))) reports.push(await runAll(driver, release, isolation));
  else missing.push(release);
}
if (given.record) recordEvidence(reports);
if (given.json) console.log(JSON.stringify(asData(reports, missing, isolation), null, 2));
else console.log(asText(reports, missing, isolation, given["allow-missing"]));
const failed = reports.reduce((sum, { failures }) => sum + failures.length, 0);
const ran = reports.some(({ passed, failures }) => passed.length + failures.length > 0);
if (!ran && reports.length > 0) console.error(`e2e: no case was run; is --only ${given.only} what you meant?`);
process.exit(failed > 0 || (reports.length > 0 && !ran) || (missing.length > 0 && !given["allow-missing"]) ? 1 : 0);

/** All cases of a release; cases with the same setup share a run. Two runs at a time, and one that only waits beside them. */
async function runAll(driver: Driver, release: Release, { mounts }: Isolation): Promise<HostReport> {
  const versions = wanted.filter((one) => one.driver === driver).map((one) => one.release.version);
  const cases = casesOf(driver).filter(
    (one) => concerned(one, versions).includes(release.version) && only.test(one.name),
  );
  const groups = Map.groupBy(
    cases.filter((one) => mounts || !one.mounts),
    (one) => JSON.stringify([one.setup, one.executable]),
  );
  const started = performance.now();
  const passed: Case[] = [];
  const failures: Failure[] = [];
  const runner = driver.runner(release, PROBE);
  const [idle, busy] = [true, false].map((waits) =>
    [...groups.values()].filter(([one]) => (one?.setup.idle ?? false) === waits),
  ) as [Case[][], Case[][]];
  const work = async (left: Case[][]) => {
    for (let group = left.shift(); group; group = left.shift()) {
      const [{ setup, executable }] = group as [Case];
      const run = await runHost(runner, executable ? { ...setup, executable: EXECUTABLES[executable] } : setup);
      const problems = group.map((one) => ({ one, problem: judged(one, run) }));
      const details = problems.some(({ problem }) => problem !== undefined) ? await explain(run, PROBE) : "";
      for (const { one, problem } of problems) {
        if (problem === undefined) passed.push(one);
        else failures.push(told(driver, release, { one, problem, details }));
      }
      // A denial's own words would stand in what follows it.
      const words = setup.plan?.some(({ answer, raw }) => answer?.decision || raw) ?? false;
      if (given.record && !brought.includes(release) && !words) recordPayloads(driver, release, run);
      if (!given.keep && details === "") rmSync(run.place.run, { recursive: true, force: true });
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

/** A host's output may be other than a judge takes it for. */
function judged({ judge }: Case, run: Run): string | undefined {
  try {
    return judge(run);
  } catch (error) {
    return `what the host left behind can't be read: ${(error as Error).message}`;
  }
}

function told(driver: Driver, release: Release, failure: Failure): Failure {
  const { one, problem, details } = failure;
  console.error(
    `\nFAILED ${driver.host.name} ${release.version}: ${one.name}\n  ${problem}\n${details.replace(/^/gm, "  ")}`,
  );
  return failure;
}
