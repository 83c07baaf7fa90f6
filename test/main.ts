import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative } from "node:path";
import { ATTACK_FACTOR, CASES_VARIABLE, createSeed, LEFT_OUT_VARIABLE, SEED_VARIABLE } from "./support/fuzz.ts";
import { ROOT } from "./support/fixtures.ts";
import { measureSlowness, SLOWNESS_VARIABLE } from "./support/machine.ts";
import { formatTitles } from "./support/titles.ts";

const USAGE = `Usage: npm test [-- [FILE or FOLDER]... [OPTION of bun test]...]
       npm test -- --titles [FILE or FOLDER]...
       npm run attack [-- [--seed NUMBER] [--cases FACTOR] [FILE or FOLDER]...]

npm test checks formatting, lint rules and types, builds the executable, and runs the tests with the same cases each
time. npm run attack runs more generated cases, and all rows of long tables.

  --titles        print the test titles as a specification, without running tests
  --seed NUMBER   repeat the generated cases of an earlier run
  --cases FACTOR  factor for the number of generated cases: 0.2 in npm test, 5 in npm run attack
  --help          this text`;

/** Time after which a test counts as hanging. It isn't a performance limit: working tests stay far below it. */
const HANG_MS = 900_000;
const TIMINGS = "test/timings.json";
/**
 * Matches test files with generated cases or long tables. Unless a path is given, they run only in `npm run attack`.
 */
const LONG_CASES = /\b(fuzz|scaleCases|createTally|pickRepresentatives)\(/;

const args = process.argv.slice(2);
const isAttack = args[0] === "--attack" && args.shift() !== undefined;
if (args.includes("--help") || args.includes("-h")) {
  console.log(USAGE);
  process.exit(0);
}
const takeFlag = (name: string): string | undefined => {
  const at = args.indexOf(name);
  return at < 0 ? undefined : args.splice(at, 2)[1];
};
const testFiles = [...new Bun.Glob("test/**/*.test.ts").scanSync(ROOT)]
  .map((file) => file.replaceAll("\\", "/"))
  .sort();

if (args.includes("--titles")) {
  const paths = args.filter((one) => !one.startsWith("-"));
  const chosen = testFiles.filter((file) => paths.length === 0 || paths.some((path) => file.includes(path)));
  for (const file of chosen) console.log(formatTitles(relative(ROOT, file), join(ROOT, file)));
  process.exit(0);
}

/** Runs one of the project's commands, which inherits the output streams. */
function run(command: readonly string[], env: Record<string, string> = {}): number {
  const { exitCode } = Bun.spawnSync([...command], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ["inherit", "inherit", "inherit"],
  });
  // A command killed by a signal has no exit code and so counts as failed.
  return (exitCode as number | null) ?? 1;
}

for (const step of [
  [process.execPath, "fmt", "--check"],
  ["npm", "run", "--silent", "check"],
  ["npm", "run", "--silent", "build"],
]) {
  const code = run(step);
  if (code !== 0) process.exit(code);
}

const attack = {
  [SEED_VARIABLE]: takeFlag("--seed") ?? String(createSeed()),
  [CASES_VARIABLE]: takeFlag("--cases") ?? String(ATTACK_FACTOR),
};
if (isAttack)
  console.log(`seed ${attack[SEED_VARIABLE]}: npm run attack -- --seed ${attack[SEED_VARIABLE]} repeats this run`);
const hasPath = args.some((one) => !one.startsWith("-"));
const chosen =
  isAttack && !hasPath
    ? testFiles.filter((file) => LONG_CASES.test(readFileSync(join(ROOT, file), "utf8"))).map((file) => `./${file}`)
    : [];
const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-tests-"));
const leftOut = join(folder, "left-out");
writeFileSync(leftOut, "");
const started = performance.now();
const code = run(
  [
    process.execPath,
    "test",
    `--parallel=${availableParallelism()}`,
    `--timeout=${HANG_MS}`,
    `--timings=${TIMINGS}`,
    ...args,
    ...chosen,
  ],
  { [SLOWNESS_VARIABLE]: String(measureSlowness()), [LEFT_OUT_VARIABLE]: leftOut, ...(isAttack && attack) },
);
const count = readFileSync(leftOut, "utf8")
  .split("\n")
  .reduce((sum, line) => sum + Number(line), 0);
rmSync(folder, { recursive: true, force: true });

const minutes = ((performance.now() - started) / 60_000).toFixed(1);
const others = [
  ["npm run e2e", "the real hosts"],
  ["npm run platforms", "the executables of other targets, if they can run here"],
  ["npm run fleet", "packages and managed config, from installation to removal"],
  ["npm run programs", "the log in a real rsyslog, the report in a real browser, the pack's Ansible role"],
  ["npm run bench", "performance, which needs a quiet machine"],
];
if (!isAttack)
  others.unshift(["npm run attack", `${count.toLocaleString("en-US")} more generated cases and table rows`]);
console.log(`\n${minutes} minutes. Not in this run:`);
for (const [command, what] of others) console.log(`  ${command?.padEnd(18)} ${what}`);
process.exit(code);
