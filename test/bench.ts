import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildExecutable, compileFloor } from "../src/cli/build/build.ts";
import { getPayload, ROOT } from "./support/fixtures.ts";
import { ORDINARY_LINES } from "./support/ordinary-lines.ts";

const PAIRS = Math.max(60, Number(process.argv[2] ?? 80));
const MEGABYTE = 1024 * 1024;

interface BenchCase {
  name: string;
  executable: string;
  args: string[];
  payload: string;
  /** The ratio to reach. */
  goal: number;
}

/** Wall time of one process, in milliseconds. */
function measureTime(executable: string, args: string[], payload: Buffer): number {
  const started = performance.now();
  const child = Bun.spawnSync([executable, ...args], { stdin: payload, stdout: "pipe", stderr: "pipe", cwd: tmpdir() });
  const ms = performance.now() - started;
  if (child.exitCode !== 0 && child.exitCode !== 2)
    throw new Error(`${executable} ended with ${child.exitCode}: ${child.stderr}`);
  return ms;
}

/**
 * Peak resident memory of one process, in bytes; NaN without /proc. Read while the process runs: the system's figure
 * for a finished process includes the moment before exec.
 */
async function measurePeakMemory(executable: string, args: string[], file: string): Promise<number> {
  const child = Bun.spawn([executable, ...args], {
    stdin: Bun.file(file),
    stdout: "ignore",
    stderr: "ignore",
    cwd: tmpdir(),
  });
  let bytes = Number.NaN;
  try {
    for (;;) {
      const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "latin1"));
      if (!found) break;
      bytes = Number(found[1]) * 1024;
    }
  } catch {
    // The process has ended, or there is no /proc.
  }
  await child.exited;
  return bytes;
}

const computeMedian = (values: number[]) => {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
};

const EVENTS = 1_000;
const IN_FLIGHT = 16;

/** Milliseconds per call in one resident process, from writing the request to reading the answer. */
async function measureResident(executable: string, args: string[], payload: string): Promise<number[]> {
  const child = Bun.spawn([executable, "serve", ...args], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
    cwd: tmpdir(),
  });
  const begun = new Map<number, number>();
  const times: number[] = [];
  let sent = 0;
  const send = () => {
    if (sent === EVENTS) return;
    begun.set(++sent, performance.now());
    child.stdin.write(`{"id":${sent},"payload":${payload}}\n`);
    child.stdin.flush();
  };
  for (let count = 0; count < IN_FLIGHT; count++) send();
  let text = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (text + chunk).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) {
      times.push(performance.now() - (begun.get(JSON.parse(line).id) as number));
      send();
    }
    if (times.length === EVENTS) break;
  }
  child.stdin.end();
  if ((await child.exited) !== 0) throw new Error(`serve ended with ${child.exitCode}`);
  return times;
}

/** A line that needs the shell parser. */
const PARSED = "cd /tmp && git push --force-with-lease && rm -rf ./build";

/** Lines of 100 kB, and absurdly nested ones. */
const HEAVY = {
  "100 kB in quotes": `git commit -m '${"word ".repeat(20_000)}'`,
  "100 kB of words": `rm ${"file ".repeat(20_000)}`,
  "100 kB of commands": "rm x; ".repeat(17_000),
  "20,000 substitutions in each other": `rm ${"$(".repeat(20_000)}`,
  "50,000 parentheses": "(".repeat(50_000),
};

/** Writes 200 hook modules, of which two match a PreToolUse Bash call. */
function writeManyHooks(folder: string): string {
  const hooks = join(folder, "many");
  mkdirSync(hooks);
  for (let i = 0; i < 200; i++) {
    const tool = i % 100 === 0 ? "Bash" : "WebSearch";
    const words = Array.from({ length: 20 }, (_, at) => `"word-${i}-${at}"`).join(", ");
    writeFileSync(
      join(hooks, `hook-${String(i).padStart(3, "0")}.ts`),
      `import { defineHook, deny } from "bridge-hooks";
const words = [${words}];
export default defineHook({
  event: "PreToolUse",
  tool: "${tool}",
  handler: (event) => (words.some((word) => JSON.stringify(event.input).includes(word)) ? deny("no") : undefined),
});
`,
    );
  }
  return hooks;
}

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-bench-"));
try {
  console.log("building the floor, the product, and the product with 200 hooks …");
  const floor = await compileFloor(join(folder, "floor"));
  const { outfile: product } = await buildExecutable({ hooks: join(ROOT, "hooks"), outfile: join(folder, "product") });
  const { outfile: many } = await buildExecutable({
    hooks: writeManyHooks(folder),
    outfile: join(folder, "product-200"),
  });
  const bash = JSON.stringify(getPayload("claude", "PreToolUse-Bash"));
  const shell = (command: string) =>
    JSON.stringify(getPayload("claude", "PreToolUse-Bash", { tool_input: { command } }));
  const large = JSON.stringify(
    getPayload("cursor", "beforeReadFile", {
      content: "let x = { a: 1 };\n".repeat(10 * MEGABYTE).slice(0, 10 * MEGABYTE),
    }),
  );
  const cases: BenchCase[] = [
    {
      name: "starter hooks, npm test",
      executable: product,
      args: ["--host", "claude"],
      payload: shell("npm test"),
      goal: 1.35,
    },
    {
      name: "starter hooks, a redirection",
      executable: product,
      args: ["--host", "claude"],
      payload: bash,
      goal: 1.35,
    },
    {
      name: "starter hooks, a line to be parsed",
      executable: product,
      args: ["--host", "claude"],
      payload: shell(PARSED),
      goal: Number.NaN,
    },
    {
      name: "200 hooks, 2 match, PreToolUse Bash",
      executable: many,
      args: ["--host", "claude"],
      payload: bash,
      goal: 1.3,
    },
    {
      name: "starter hooks, 10 MB beforeReadFile",
      executable: product,
      args: ["--host", "cursor"],
      payload: large,
      goal: 1.3,
    },
  ];
  console.log(`${PAIRS} pairs each, floor and product in turn; the ratio is the median of the pairs' ratios\n`);
  console.log(`${"case".padEnd(38)} floor ms  product ms  ratio  goal  floor MB  product MB`);
  for (const { name, executable, args, payload, goal } of cases) {
    const input = Buffer.from(payload);
    const file = join(folder, "payload.json");
    writeFileSync(file, input);
    const floors: number[] = [];
    const products: number[] = [];
    for (let pair = -5; pair < PAIRS; pair++) {
      // Alternate the order, so that neither always finds caches that the other has warmed.
      const product = pair % 2 ? measureTime(executable, args, input) : undefined;
      const base = measureTime(floor, [], input);
      if (pair >= 0) floors.push(base);
      const ms = product ?? measureTime(executable, args, input);
      if (pair >= 0) products.push(ms);
    }
    const memory: [number[], number[]] = [[], []];
    for (let sample = 0; sample < 15; sample++) {
      memory[0].push(await measurePeakMemory(floor, [], file));
      memory[1].push(await measurePeakMemory(executable, args, file));
    }
    const ms = (samples: number[]) => computeMedian(samples).toFixed(2);
    const mb = (samples: number[]) => (computeMedian(samples) / MEGABYTE).toFixed(1);
    const ratio = computeMedian(products.map((sample, at) => sample / (floors[at] as number)));
    console.log(
      `${name.padEnd(38)} ${ms(floors).padStart(8)}  ${ms(products).padStart(10)}  ${ratio.toFixed(2).padStart(5)}  ${(goal ? goal.toFixed(2) : "-").padStart(4)}  ${mb(memory[0]).padStart(8)}  ${mb(memory[1]).padStart(10)}`,
    );
  }
  const ordinary = Object.entries(ORDINARY_LINES).map(
    ([name, { count, line }]) => [`${name} (${count})`, line(count)] as const,
  );
  const groups = {
    "ordinary shell lines of 1 to 13 kB": ordinary,
    "long and nested shell lines": Object.entries(HEAVY),
  };
  for (const [title, lines] of Object.entries(groups)) {
    console.log(`\n${title}: milliseconds beyond the floor, of the same runs; the goal is less than 50`);
    for (const [name, line] of lines) {
      const input = Buffer.from(shell(line));
      const more = Array.from(
        { length: 15 },
        () => measureTime(product, ["--host", "claude"], input) - measureTime(floor, [], input),
      );
      console.log(`${name.padEnd(38)} ${computeMedian(more).toFixed(1).padStart(8)}`);
    }
  }
  console.log(
    `\n${EVENTS} events, ${IN_FLIGHT} in flight, in a new resident process each time; a process of its own for comparison`,
  );
  console.log(`${"case".padEnd(38)} event ms  goal  process ms  ratio   goal`);
  const [events, processes]: [number[], number[]] = [[], []];
  for (let round = 0; round < 7; round++) {
    events.push(computeMedian(await measureResident(product, ["--host", "claude"], bash)));
    for (let call = 0; call < 20; call++) processes.push(measureTime(product, ["--host", "claude"], Buffer.from(bash)));
  }
  const [event, own] = [computeMedian(events), computeMedian(processes)];
  console.log(
    `${"starter hooks, PreToolUse Bash".padEnd(38)} ${event.toFixed(2).padStart(8)}  1.00  ${own.toFixed(2).padStart(10)}  ${(event / own).toFixed(3)}  0.125`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
