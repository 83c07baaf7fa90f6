import { parseArgs } from "node:util";
import { type BuildTarget, TARGETS } from "../../src/operate/executable/image.ts";
import { CHECKS } from "./checks.ts";
import { type CheckResult, checkTarget, type Difference, type TargetResult } from "./platform.ts";

const USAGE = `Usage: npm run platforms -- [--target NAME]... [--check NAME]... [--json]

Builds the executable for every target, checks its structure, runs it if this machine can, and compares all answers
byte for byte with the answers on Linux x64.

  --target NAME  ${TARGETS.map((target) => target.slice(4)).join(", ")} (default: all)
  --check NAME   ${Object.keys(CHECKS).join(", ")} (default: all)
  --json         print the results as JSON on stdout`;

const options = (() => {
  try {
    return parseArgs({
      options: {
        target: { type: "string", multiple: true, default: TARGETS.map((target) => target.slice(4)) },
        check: { type: "string", multiple: true, default: Object.keys(CHECKS) },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values;
  } catch (error) {
    return exitWithUsage((error as Error).message);
  }
})();
if (options.help) {
  console.log(USAGE);
  process.exit(0);
}
const targets = options.target.map(
  (name): BuildTarget =>
    TARGETS.find((target) => target === `bun-${name}`) ?? exitWithUsage(`unknown target "${name}"`),
);
const unknown = options.check.find((name) => !(name in CHECKS));
if (unknown !== undefined) exitWithUsage(`unknown check "${unknown}"`);

function exitWithUsage(problem: string): never {
  console.error(`platforms: ${problem}; see npm run platforms -- --help`);
  process.exit(2);
}

const MOST_SHOWN = 400;
const shorten = (text: string) => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text);

/** Formats both texts, starting shortly before they first differ. */
function formatDifference({ name, seen, wanted }: Difference): string {
  let from = 0;
  while (from < seen.length && seen[from] === wanted[from]) from++;
  from = Math.max(0, from - 100);
  return `  ${name}\n    here:      ${JSON.stringify(shorten(seen.slice(from)))}\n    Linux x64: ${JSON.stringify(shorten(wanted.slice(from)))}`;
}

const formatResult = (result: CheckResult): string =>
  "skipped" in result
    ? "skipped"
    : result.differences.length > 0
      ? `${result.differences.length} failed`
      : `ok (${result.passed})`;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => process.exit(130));
const results: TargetResult[] = [];
for (const target of targets)
  results.push(
    await checkTarget(target, options.check, (check, result) => {
      console.error(`${target.slice(4)}, ${check}: ${formatResult(result)}`);
      if ("differences" in result && result.differences.length > 0)
        console.error(result.differences.map(formatDifference).join("\n"));
    }),
  );

const columns = ["structure", ...options.check];
const rows = [
  ["target", ...columns, "run by"],
  ...results.map(({ target, how, checks }) => [
    target.slice(4),
    ...columns.map((name) => formatResult(checks[name] as CheckResult)),
    how,
  ]),
];
const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
const reasons = results.flatMap(({ target, checks }) => {
  const skipped = Object.values(checks).find((one) => "skipped" in one);
  return skipped && "skipped" in skipped ? [`${target.slice(4)} is not tested: ${skipped.skipped}`] : [];
});
const all = results.flatMap(({ checks }) => Object.values(checks));
const sum = (count: (one: CheckResult) => number) => all.reduce((total, one) => total + count(one), 0);
const passed = sum((one) => ("skipped" in one ? 0 : one.passed));
const failed = sum((one) => ("skipped" in one ? 0 : one.differences.length));
const skipped = sum((one) => ("skipped" in one ? 1 : 0));

if (options.json) console.log(JSON.stringify({ results, passed, failed, skipped }, null, 2));
else {
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  console.log([...lines, "", ...reasons].join("\n"));
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
}
process.exit(failed > 0 ? 1 : 0);
