import { parseArgs } from "node:util";
import { build, outfileFor, type Target, TARGETS } from "./src/cli/build.ts";

const USAGE = `Usage: npm run build -- [--hooks DIR] [--target TARGET|all]... [--outfile FILE]

  --hooks DIR      the hook modules (default: hooks)
  --target TARGET  ${TARGETS.map((target) => target.replace(/^bun-/, "")).join(", ")}, or all (default: this machine)
  --outfile FILE   the result (default: dist/bridge-hooks, or dist/bridge-hooks-TARGET)`;

function usage(problem: string): never {
  console.error(`build: ${problem}\n\n${USAGE}`);
  process.exit(2);
}

function options() {
  try {
    return parseArgs({
      options: {
        hooks: { type: "string", default: "hooks" },
        target: { type: "string", multiple: true },
        outfile: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (error) {
    return usage((error as Error).message);
  }
}

const { hooks, target: wanted = [], outfile, help } = options();
if (help) {
  console.log(USAGE);
  process.exit(0);
}
const targets: (Target | undefined)[] = wanted.flatMap((name) => {
  if (name === "all") return [...TARGETS];
  const target = TARGETS.find((known) => known === name || known === `bun-${name}`);
  return target ? [target] : usage(`unknown target "${name}"`);
});
if (targets.length === 0) targets.push(undefined);
if (outfile && targets.length > 1) usage("--outfile names one file, but there are several targets");

console.log(`${"executable".padEnd(44)} ${"MB".padStart(6)}  hooks  tried here`);
for (const target of targets) {
  const file = outfile ?? (target ? outfileFor(target, "dist") : `dist/bridge-hooks${process.platform === "win32" ? ".exe" : ""}`);
  try {
    const built = await build({ hooks, target, outfile: file });
    const size = (built.bytes / 1e6).toFixed(1).padStart(6);
    console.log(
      `${file.padEnd(44)} ${size}  ${String(built.hooks.length).padEnd(5)}  ${built.tested ? "yes, a denial holds" : "no, another platform"}`,
    );
  } catch (error) {
    console.error(`build: ${file} was not made: ${(error as Error).message}`);
    process.exit(1);
  }
}
process.exit(0);
