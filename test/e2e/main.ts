import { existsSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { buildExecutable } from "../../src/cli/build/build.ts";
import { hosts } from "../../src/hosts/index.ts";
import { limitTasks } from "../call/side-by-side.ts";
import { placeExecutable } from "../support/executables.ts";
import { drivers } from "./drivers.ts";
import { cursorRelease, prepareCursor } from "./hosts/cursor-release.ts";
import { isInside, runIsolated } from "./isolate.ts";
import { recordEvidence } from "./record.ts";
import {
  compareReleases,
  CACHE_FOLDER,
  installRelease,
  PROBE_EXECUTABLE,
  RAW_EXECUTABLE,
  releases,
} from "./releases.ts";
import { formatReport, type LeftOut, toReportData } from "./report.ts";
import { runReleases } from "./schedule.ts";

const USAGE = `Usage: npm run e2e -- [--host ID]... [--only PATTERN] [--cursor-sdk DIR]... [--json] [--allow-missing] [--all] [--record] [--keep]

Runs the real hosts offline with the built executable as their hook, and checks their behavior.

  --host ID         ${drivers.map(({ host }) => host.id).join(", ")} (default: all; cursor only with --cursor-sdk)
  --only PATTERN    cases whose name matches this regular expression
  --cursor-sdk DIR  also run Cursor's hook runtime; DIR is where you installed @cursor/sdk
  --json            print the report as JSON on stdout
  --allow-missing   don't fail if a host can't be installed
  --all             also run cases without bridge-hooks that evidence already covers; implied by --only and --record
  --record          write results to src/hosts/<id>/evidence.json, and new payloads to test/hosts/<id>/recordings
  --keep            keep the directories of all runs in .e2e/runs, not only those of failed runs`;

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
        all: { type: "boolean", default: false },
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
  console.error("e2e: supported only on Linux and macOS; on Windows, use WSL");
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
  exitWithUsage(known ? `${known.name} can't be tested: it has no driver in drivers.ts` : `unknown host "${unknown}"`);
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
  exitWithUsage(
    "Cursor's hook runtime is not free software, so it is not installed automatically; pass --cursor-sdk DIR",
  );
const wantedReleases = chosenDrivers.flatMap((driver) =>
  [...releases, ...cursorReleases]
    .filter(({ host }) => host === driver.host.id)
    .map((release) => ({ driver, release })),
);

const BIN = join(CACHE_FOLDER, "bin");
const EXECUTABLES = { product: join(BIN, "bridge-hooks"), unhardened: join(BIN, "unhardened"), raw: RAW_EXECUTABLE };

/** Performs all the steps that need the network: installs the hosts and, in parallel, builds the executables. */
async function prepareExecutables(): Promise<void> {
  const inTurn = limitTasks(availableParallelism());
  const installed = wantedReleases.map(({ driver, release }) =>
    inTurn(async () => {
      try {
        if (!cursorReleases.includes(release)) await installRelease(release);
        driver.prepare?.(release.folder);
        if (!existsSync(driver.program(release.folder)))
          throw new Error(`no executable for ${process.platform} ${process.arch}`);
      } catch (error) {
        console.error(`e2e: ${driver.host.name} ${release.version} can't be run here: ${(error as Error).message}`);
      }
    }),
  );
  await buildExecutable({ hooks: join(import.meta.dir, "hooks"), outfile: PROBE_EXECUTABLE });
  rmSync(EXECUTABLES.product, { force: true });
  await placeExecutable("hooks", EXECUTABLES.product);
  if (cursorReleases.length > 0) await prepareCursor();
  await Bun.build({ entrypoints: [join(import.meta.dir, "control.ts")], compile: { outfile: EXECUTABLES.unhardened } });
  await Bun.build({ entrypoints: [join(import.meta.dir, "raw.ts")], compile: { outfile: EXECUTABLES.raw } });
  await Promise.all(installed);
}

if (!isInside()) await prepareExecutables();
const isolation = await runIsolated();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(130));
rmSync(join(CACHE_FOLDER, "runs"), { recursive: true, force: true });

const started = performance.now();
const { reports, missing, recorded } = await runReleases(wantedReleases, {
  isolation,
  only: onlyPattern,
  all: givenOptions.all || givenOptions.record || givenOptions.only !== "",
  keep: givenOptions.keep,
  records: (release) => givenOptions.record && !cursorReleases.includes(release),
  executables: EXECUTABLES,
});
const minutes = (performance.now() - started) / 60_000;
if (givenOptions.record) recordEvidence(reports);
if (givenOptions.json) console.log(JSON.stringify(toReportData(reports, missing, isolation), null, 2));
else
  console.log(
    formatReport({ reports, missing, isolation, leftOut: listLeftOut(), minutes }, givenOptions["allow-missing"]),
  );
const failed = reports.reduce((sum, { failures }) => sum + failures.length, 0);
const hasRun = reports.some(({ passed, failures }) => passed.length + failures.length > 0);
if (!hasRun && reports.length > 0) console.error(`e2e: no case matches --only ${givenOptions.only}`);
process.exit(
  failed > 0 || (reports.length > 0 && !hasRun) || (missing.length > 0 && !givenOptions["allow-missing"]) ? 1 : 0,
);

/** Lists what was omitted from this run, and the command that runs each part. */
function listLeftOut(): LeftOut[] {
  const [some, isNarrow] = [givenOptions.host, givenOptions.only !== ""];
  const undriven = hosts.filter(({ id }) => !drivers.some(({ host }) => host.id === id)).map(({ name }) => name);
  return [
    ...(some || isNarrow ? [{ command: "npm run e2e", what: "every case of every host" }] : []),
    ...(cursorReleases.length > 0 || (some && !some.includes("cursor"))
      ? []
      : [
          {
            command: "npm run e2e -- --cursor-sdk DIR",
            what: "Cursor's hook runtime; DIR is where you installed @cursor/sdk",
          },
        ]),
    ...(undriven.length > 0
      ? [{ command: "docs/contributing/add-a-host.md", what: `${undriven.join(", ")}: no driver yet` }]
      : []),
    ...(recorded > 0
      ? [
          {
            command: "npm run e2e -- --all",
            what: `${recorded} cases of a locked host's behavior without bridge-hooks, already covered by evidence`,
          },
        ]
      : []),
    { command: "npm test", what: "everything that doesn't need a host" },
  ];
}
