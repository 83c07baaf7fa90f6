import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import {
  BASELINE_FILE,
  findRegressions,
  findUnknownRows,
  findWorseRows,
  formatBaseline,
  readBaseline,
} from "./baseline.ts";
import {
  type CallRow,
  createPayloads,
  DENIED_LINE,
  listCallRows,
  PARSED_LINE,
  PLAIN_LINE,
  type SessionCall,
} from "./calls.ts";
import { type Command, measureInTurn, measurePeakMemory, type RoundCall, runCommand } from "./measure.ts";
import { measurePeers, type PeerResult } from "./peers.ts";
import { writePage } from "./page.ts";
import { buildProgram, compileEchoServer, compileFloors, type FloorName, type ProgramName } from "./programs.ts";
import * as report from "./report.ts";
import { measureResident, type ResidentResult, type ResidentRow } from "./resident.ts";
import { type BenchResult, type CallResult, listRatios } from "./result.ts";
import type { Optimization } from "../../src/cli/build/optimizations.ts";
import { measureWithout } from "./without.ts";
import { computeMedian, computePairDifferences, computePairRatios } from "./statistics.ts";

const HELP = `npm run bench -- [options]

  --only NAME        measure a group (calls, lines, serve, growth) or the row with this ID; may be repeated
  --quick            use few rounds, and only the smallest executable with many hooks
  --rounds N         number of runs per program (default 60; fewer for large payloads)
  --runs N           maximum number of runs for rows that are worse than the baseline (default 3)
  --peers [FILE]     compare with typical user-written scripts; FILE lists more: [{ "name": …, "command": … }]
  --json FILE        write the measurements to a file
  --update-baseline  write test/bench/baseline.json, and the numbers and the chart in docs
  --list             print the row IDs
  --without NAME     compare with a build that lacks an optimization (src/cli/build/optimizations.ts), in 200 pairs
`;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", multiple: true },
    quick: { type: "boolean", default: false },
    rounds: { type: "string" },
    runs: { type: "string", default: "3" },
    peers: { type: "boolean", default: false },
    json: { type: "string" },
    "update-baseline": { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    without: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (flags.help) {
  console.log(HELP);
  process.exit(0);
}
if (positionals.length > (flags.peers ? 1 : 0)) throw new Error(`unexpected argument "${positionals[0]}"`);
const [peerFile] = positionals;
const rounds = parseCount("rounds", flags.rounds ?? (flags.quick ? "15" : "60"));
const runs = parseCount("runs", flags.runs);
/** Groups other than "calls" get fewer rounds because they have many rows. */
const countRounds = ({ group }: CallRow) => (group === "calls" ? rounds : Math.ceil(rounds / 2));

function parseCount(flag: string, text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new Error(`--${flag}: "${text}" is not a positive whole number`);
  return count;
}

/** The directory's name must not match any rule. The executable's name, for example, would trigger `protect-hooks`. */
const folder = mkdtempSync(join(tmpdir(), "bench-"));
// Executables are large, so remove them even if the run fails.
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
const project = join(folder, "project");
mkdirSync(join(project, "src"), { recursive: true });
writeFileSync(join(project, "src/app.ts"), "let count = 1;\n");
Bun.spawnSync(["git", "init", "-q", project]);

/** Builds a call's environment: its own home directory, with or without this config file. */
function createEnv(name: string, config?: object): Record<string, string> {
  const home = join(folder, "homes", name);
  const file = join(home, ".config/bridge-hooks/config.json");
  mkdirSync(dirname(file), { recursive: true });
  if (config) writeFileSync(file, JSON.stringify(config));
  const { PATH = "/usr/bin:/bin" } = process.env;
  return { PATH, HOME: home, XDG_STATE_HOME: join(home, ".local/state"), LANG: "C.UTF-8" };
}

const plainEnv = createEnv("plain");
const payloads = createPayloads(project);

function listResidentRows(): ResidentRow[] {
  const [plain, parsed] = [payloads.line(`${PLAIN_LINE}-{n}`), payloads.line(`${PARSED_LINE}-{n}`)];
  return [
    { id: "serve-plain-1", title: "plain line", payload: plain, inFlight: 1, goalMs: 0.12 },
    { id: "serve-plain-16", title: "plain line", payload: plain, inFlight: 16, goalMs: 0.4 },
    { id: "serve-parsed-1", title: "a line that needs the parser", payload: parsed, inFlight: 1, goalMs: 0.6 },
    { id: "serve-parsed-16", title: "a line that needs the parser", payload: parsed, inFlight: 16, goalMs: 6 },
  ];
}

/** Calls measured when builds are compared. */
const PAIRED_ROWS = ["plain", "pipeline", "read", "write", "parsed", "denial"];

/** Row groups that the page always shows in full. */
const GROUPS: readonly string[] = ["calls", "lines", "growth", "serve"];

/** Whether the command line asks for a row. */
const isChosen = (id: string, group: string) => !flags.only || flags.only.includes(id) || flags.only.includes(group);
/** Whether to skip a row because executables with many hooks take long to build. */
const isLeftOut = ({ id }: CallRow) => flags.quick && /^growth-hooks-\d{2,}/.test(id) && !flags.only?.includes(id);

const programs = new Map<ProgramName, string>();
let floors: ReadonlyMap<FloorName, string> = new Map();

const createCommand = (file: string, args: readonly string[] = [], env = plainEnv): Command => ({
  words: [file, ...args],
  env,
  cwd: project,
});

/** Throws if a call isn't answered correctly: timing a failure would be meaningless. */
function checkAnswer({ id, denied }: CallRow, command: Command, stdin: Buffer): void {
  const { exitCode, stdout, stderr } = runCommand(command, stdin);
  const isDenied = exitCode === 2 || stdout.includes('"deny"');
  if (isDenied !== denied || (!denied && (exitCode !== 0 || stderr !== "")))
    throw new Error(
      `${id}: exited with code ${exitCode}, stdout "${stdout.slice(0, 300)}", stderr "${stderr.slice(0, 300)}"`,
    );
}

async function measureCall(row: CallRow): Promise<CallResult> {
  const { id, group, title, program, args, payload, config, session, goal } = row;
  const env = { ...(config ? createEnv(id, config) : plainEnv), ...row.env };
  const command = createCommand(programs.get(program) as string, args, env);
  const stdin = Buffer.from(payload);
  checkAnswer(row, command, stdin);
  const commands = new Map<FloorName | "product", Command>([
    ["product", session ? createCommand(command.words[0] as string, [], env) : command],
  ]);
  for (const [name, file] of floors) commands.set(name, createCommand(file, [], env));
  const listCalls = session ? (round: number) => pickSessionCalls(session, round) : () => [{ args: [], stdin }];
  const times = measureInTurn(commands, listCalls, countRounds(row));
  const own = times.get("product") as number[];
  const ratios: CallResult["ratios"] = {};
  for (const name of floors.keys()) ratios[name] = computePairRatios(own, times.get(name) as number[]);
  const file = join(folder, "payload.json");
  writeFileSync(file, stdin);
  const floor = commands.get("node:fs") as Command;
  return {
    id,
    group,
    title,
    bytes: stdin.length,
    ms: computeMedian(own),
    ratios,
    beyondMs: computePairDifferences(own, times.get("node:fs") as number[]),
    memory: await measurePeakMemory(command, file),
    floorMemory: await measurePeakMemory(floor, file),
    ...(goal && { goal }),
  };
}

/** Number of session calls per round. */
const SESSION_CALLS = 20;
/** Step between the selected calls. It must not divide the number of calls evenly. */
const SESSION_STEP = 997;

const pickSessionCalls = (session: readonly SessionCall[], round: number): RoundCall[] =>
  Array.from({ length: SESSION_CALLS }, (_, at) => {
    const { host, payload } = session[((round * SESSION_CALLS + at) * SESSION_STEP) % session.length] as SessionCall;
    return { args: ["--host", host], stdin: Buffer.from(payload) };
  });

const log = (text: string) => console.error(text);

async function measureCalls(rows: readonly CallRow[]): Promise<CallResult[]> {
  const results: CallResult[] = [];
  for (const row of rows) {
    results.push(await measureCall(row));
    log(`  ${row.id}`);
  }
  return results;
}

async function measureResidents(rows: readonly ResidentRow[], echo: string): Promise<ResidentResult[]> {
  const product = createCommand(programs.get("product") as string, ["serve", "--host", "claude"]);
  const results: ResidentResult[] = [];
  for (const row of rows) {
    results.push(await measureResident(row, product, createCommand(echo), Math.ceil(rounds / 4)));
    log(`  ${row.id}`);
  }
  return results;
}

/** Prints a run's tables. */
function printResult({ calls, resident, peers }: BenchResult): void {
  const print = (title: string, table: readonly (readonly string[])[]) => {
    if (table.length > 1) console.log(`\n${title}\n${report.formatTable(table)}`);
  };
  const groupOf = (name: CallRow["group"]) => calls.filter(({ group }) => group === name);
  print("Calls: ratios to the floors, medians of pairs", report.buildCallTable(groupOf("calls")));
  if (calls.some(({ goal }) => goal && "floor" in goal && goal.floor === "JSON")) console.log(report.GOAL_NOTE);
  print("Long shell commands: milliseconds above the node:fs floor", report.buildLineTable(groupOf("lines")));
  print("serve: milliseconds per call, and the ratio to an echo server", report.buildResidentTable(resident));
  print("Growth", report.buildCallTable(groupOf("growth")));
  print("Peers: the same rule, ratios to the node:fs floor", report.buildPeerTable(peers));
  for (const { name, skipped } of peers) if (skipped !== undefined) console.log(`skipped: ${name}: ${skipped}`);
}

/**
 * Measures rows that are worse than the baseline again, and reports those that are still worse.
 *
 * @returns whether any row is still worse.
 */
async function compareWithBaseline(
  result: BenchResult,
  measureAgain: (ids: readonly string[]) => Promise<Record<string, number>>,
): Promise<boolean> {
  const baseline = readBaseline();
  const ratios = [listRatios(result)];
  for (let run = 1; run < runs; run++) {
    const worse = findWorseRows(ratios.at(-1) ?? {}, baseline);
    if (worse.length === 0) break;
    log(`run ${run + 1}, of ${worse.length} rows`);
    ratios.push(await measureAgain(worse));
  }
  const unknown = findUnknownRows(ratios[0] ?? {}, baseline);
  if (unknown.length > 0) console.log(`\nnot in the baseline; add with --update-baseline: ${unknown.join(", ")}`);
  const found = findRegressions(ratios, baseline);
  console.log(
    found.length === 0
      ? `\nno row is worse than the baseline by 10% in ${runs} runs`
      : `\nworse than the baseline by 10% in ${runs} runs:\n${found.map((one) => `  ${report.formatRegression(one)}`).join("\n")}`,
  );
  return found.length > 0;
}

async function main(): Promise<number> {
  const everyCall = listCallRows(project);
  const everyResident = listResidentRows();
  const known = new Set([...everyCall.flatMap(({ id, group }) => [id, group]), ...everyResident.map(({ id }) => id)]);
  const unknown = flags.only?.find((name) => name !== "serve" && !known.has(name));
  if (unknown !== undefined) throw new Error(`--only: no row or group is called "${unknown}"; --list prints all`);
  const callRows = everyCall.filter((row) => isChosen(row.id, row.group) && !isLeftOut(row));
  const residentRows = everyResident.filter(({ id }) => isChosen(id, "serve"));
  if (flags.list) {
    for (const { id, title } of [...callRows, ...residentRows]) console.log(`${id.padEnd(44)} ${title}`);
    return 0;
  }

  if (flags.without !== undefined) {
    await measureWithout(flags.without as Optimization, {
      folder,
      calls: callRows.filter(({ id }) => PAIRED_ROWS.includes(id)),
      pairs: flags.rounds === undefined ? 200 : rounds,
      createCommand: (file) => createCommand(file, ["--host", "claude"]),
    });
    return 0;
  }

  const names = new Set<ProgramName>(callRows.map(({ program }) => program));
  if (residentRows.length > 0 || flags.peers) names.add("product");
  if (flags.peers) names.add("force-push");
  log(`building the floors, ${[...names].join(", ")} …`);
  floors = await compileFloors(folder);
  const echo = residentRows.length > 0 ? await compileEchoServer(folder) : "";
  for (const name of names) programs.set(name, await buildProgram(name, folder));

  log("measuring …");
  const [{ model = "" } = {}] = cpus();
  const result: BenchResult = {
    machine: {
      platform: process.platform,
      arch: process.arch,
      cpus: cpus().length,
      processor: model,
      runtime: Bun.version,
      load: 0,
    },
    rounds,
    calls: await measureCalls(callRows),
    resident: await measureResidents(residentRows, echo),
    peers: flags.peers ? comparePeers() : [],
  };
  result.machine.load = loadavg()[0] ?? 0;
  printResult(result);
  if (result.machine.load > cpus().length / 2 + 1)
    log(
      `the machine is busy (load ${result.machine.load.toFixed(1)}): long calls, which use several threads, seem longer`,
    );
  if (flags.json !== undefined) writeFileSync(flags.json, `${JSON.stringify(result, undefined, 2)}\n`);
  if (flags["update-baseline"]) {
    const before = flags.only ? readBaseline().ratios : {};
    writeFileSync(BASELINE_FILE, formatBaseline({ ...before, ...listRatios(result) }));
    if (!flags.quick && (flags.only ?? []).every((name) => GROUPS.includes(name))) writePage(result);
    return 0;
  }
  const isWorse = await compareWithBaseline(result, async (ids) =>
    listRatios({
      calls: await measureCalls(callRows.filter(({ id }) => ids.includes(id))),
      resident: await measureResidents(
        residentRows.filter(({ id }) => ids.includes(id)),
        echo,
      ),
    }),
  );
  return isWorse ? 1 : 0;
}

function comparePeers(): PeerResult[] {
  const claude = ["--host", "claude"];
  return measurePeers({
    folder,
    file: peerFile,
    own: new Map([
      ["bridge-hooks, this rule alone", createCommand(programs.get("force-push") as string, claude)],
      ["bridge-hooks, all starter hooks", createCommand(programs.get("product") as string, claude)],
    ]),
    floor: createCommand(floors.get("node:fs") as string),
    payloads: { passed: payloads.line(PLAIN_LINE), denied: payloads.line(DENIED_LINE) },
    rounds: Math.ceil(rounds / 2),
  });
}

process.exit(await main());
