import { join, relative, resolve } from "node:path";
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
        hooks: { type: "string" },
        target: { type: "string", multiple: true },
        outfile: { type: "string" },
        help: { type: "boolean", short: "h" },
      },
    }).values;
  } catch (error) {
    return usage((error as Error).message);
  }
}

// npm runs this in the project's folder, wherever it was called: paths are the caller's.
const from = (path: string) => resolve(process.env.INIT_CWD ?? ".", path);

const { hooks: given, target: wanted = [], outfile, help } = options();
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
if (given === "" || outfile === "") usage("--hooks and --outfile take a path");
const hooks = given === undefined ? join(import.meta.dir, "hooks") : from(given);
if (outfile && targets.length > 1) usage("--outfile names one file, but there are several targets");

let first = true;
for (const target of targets) {
  const dist = join(import.meta.dir, "dist");
  const file = outfile
    ? from(outfile)
    : target
      ? outfileFor(target, dist)
      : join(dist, `bridge-hooks${process.platform === "win32" ? ".exe" : ""}`);
  const shown = relative(process.env.INIT_CWD ?? ".", file);
  try {
    const built = await build({ hooks, target, outfile: file });
    if (first) console.log(`hooks: ${built.hooks.join(", ")}\n\n${"executable".padEnd(42)} ${"MB".padStart(6)}  tried here`);
    first = false;
    const size = (built.bytes / 1e6).toFixed(1).padStart(6);
    console.log(`${shown.padEnd(42)} ${size}  ${built.tested ? "yes, a denial holds" : "no, another platform"}`);
  } catch (error) {
    console.error(`build: ${shown} was not made: ${(error as Error).message}`);
    process.exit(1);
  }
}
process.exit(0);
