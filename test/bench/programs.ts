import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildExecutable, compileEmptyProgram } from "../../src/cli/build/build.ts";
import { compileProgram } from "../../src/cli/build/compile-program.ts";
import { detectTarget } from "../../src/operate/executable/image.ts";
import { withWorkshop } from "../../src/cli/build/workshop.ts";
import { ROOT } from "../support/fixtures.ts";

/**
 * `product` has the starter hooks, `force-push` has one hook with one rule, and `hooks-N` has N hooks, of which one
 * applies to a shell call (two in `hooks-200`). Each executable is built on demand, at most once per run.
 */
export type ProgramName = "product" | "force-push" | `hooks-${number}`;

/**
 * Baseline executables, built like the product but doing almost nothing. `Bun` is the `node:fs` baseline compiled by
 * Bun itself.
 */
export type FloorName = "node:fs" | "Bun" | "FFI" | "JSON";

const FS_FLOOR = `import { readFileSync } from "node:fs";
readFileSync(0);
process.exit(0);
`;

/** Generates a program that exits with code 3 if C library functions can't be called. */
const createFfiFloor = (program: string) => `import { ffi, openLibrary } from ${JSON.stringify(
  join(program, "src/system/c-library.ts"),
)};
const c = openLibrary({ read: { args: ["i32", "ptr", "u64"], returns: "i32" } });
if (!c) process.exit(3);
const bytes = new Uint8Array(1 << 16);
while (c.read(0, ffi.ptr(bytes), bytes.length) > 0);
process.exit(0);
`;

/** A server that speaks the `serve` protocol and answers every call with an empty response. */
const ECHO_SERVER = `import { writeSync } from "node:fs";
const decoder = new TextDecoder();
let text = "";
for await (const chunk of Bun.stdin.stream()) {
  const lines = (text + decoder.decode(chunk, { stream: true })).split("\\n");
  text = lines.pop();
  let answers = "";
  for (const line of lines) answers += '{"id":' + JSON.parse(line).id + ',"exit_code":0,"stderr":"","answer":null}\\n';
  if (answers) writeSync(1, answers);
}
process.exit(0);
`;

/**
 * Compiles sources the way the product is compiled. Each file is written in one operation, so that all files have the
 * same layout in the page cache.
 */
async function compileSource(outfile: string, getSource: (program: string) => string): Promise<string> {
  await withWorkshop(join(outfile, ".."), async (shop) => {
    const [entrypoint, draft] = [join(shop.folder, "entry.ts"), join(shop.folder, "draft")];
    writeFileSync(entrypoint, getSource(shop.program));
    await compileProgram(entrypoint, { outfile: draft, target: detectTarget() }, shop);
    writeFileSync(outfile, readFileSync(draft), { mode: 0o755 });
  });
  return outfile;
}

/** Compiles sources with plain `bun build --compile`. */
async function compileWithBun(outfile: string, source: string): Promise<string> {
  await withWorkshop(join(outfile, ".."), async (shop) => {
    const [entrypoint, draft] = [join(shop.folder, "entry.ts"), join(shop.folder, "draft")];
    writeFileSync(entrypoint, source);
    const words = ["build", "--compile", "--bytecode", "--minify", entrypoint, "--outfile", draft];
    const { exitCode, stderr } = Bun.spawnSync([process.execPath, ...words], { cwd: shop.folder });
    if (exitCode !== 0) throw new Error(`the floor of Bun could not be compiled: ${stderr.toString()}`);
    writeFileSync(outfile, readFileSync(draft), { mode: 0o755 });
  });
  return outfile;
}

/** Compiles the baseline executables, leaving out those that can't run on this machine. */
export async function compileFloors(folder: string): Promise<Map<FloorName, string>> {
  const floors = new Map<FloorName, string>([
    ["node:fs", await compileSource(join(folder, "floor-fs"), () => FS_FLOOR)],
    ["Bun", await compileWithBun(join(folder, "floor-bun"), FS_FLOOR)],
    ["FFI", await compileSource(join(folder, "floor-ffi"), createFfiFloor)],
    ["JSON", await compileEmptyProgram(join(folder, "floor-json"))],
  ]);
  for (const [name, file] of floors)
    if (Bun.spawnSync([file], { stdin: Buffer.from("{}") }).exitCode !== 0) floors.delete(name);
  return floors;
}

export const compileEchoServer = (folder: string): Promise<string> =>
  compileSource(join(folder, "echo-server"), () => ECHO_SERVER);

/** Builds one of the measured executables. */
export async function buildProgram(name: ProgramName, folder: string): Promise<string> {
  const outfile = join(folder, name, "bridge-hooks");
  await buildExecutable({ hooks: writeHooks(name, folder), outfile });
  return outfile;
}

/** Returns an executable's hooks directory, which is created if necessary. */
function writeHooks(name: ProgramName, folder: string): string {
  if (name === "product") return join(ROOT, "hooks");
  const hooks = join(folder, `${name}-sources`);
  mkdirSync(hooks);
  if (name === "force-push") writeFileSync(join(hooks, "no-force-push.ts"), FORCE_PUSH_HOOK);
  else writeManyHooks(hooks, Number(name.slice("hooks-".length)));
  return hooks;
}

/** A hook with the same rule as the peers. */
const FORCE_PUSH_HOOK = `import { commands, defineHook, deny } from "bridge-hooks";
export default defineHook({
  event: "PreToolUse",
  tool: "Bash",
  concerns: { words: ["--force"] },
  onError: "deny",
  handler(event) {
    for (const { program, args } of commands(event))
      if (program === "git" && args.includes("push") && args.includes("--force") && args.includes("main"))
        return deny("main is not force-pushed: open a pull request instead");
    return undefined;
  },
});
`;

function writeManyHooks(hooks: string, count: number): void {
  const matching = new Set(count === 200 ? [0, 100] : [0]);
  for (let i = 0; i < count; i++) {
    const words = Array.from({ length: 20 }, (_, at) => `"word-${i}-${at}"`).join(", ");
    writeFileSync(
      join(hooks, `hook-${String(i).padStart(4, "0")}.ts`),
      `import { defineHook, deny } from "bridge-hooks";
const words = [${words}];
export default defineHook({
  event: "PreToolUse",
  tool: "${matching.has(i) ? "Bash" : "WebSearch"}",
  handler: (event) => (words.some((word) => JSON.stringify(event.input).includes(word)) ? deny("no") : undefined),
});
`,
    );
  }
}
