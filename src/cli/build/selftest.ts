import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommandResult } from "../../protocol/host/install.ts";
import { PROBE } from "../../protocol/probe.ts";
import { runProgram } from "../../hosts/run-program.ts";
import { removeLeftoverFile } from "../../system/replace-file.ts";
import type { CompiledHook } from "./manifests.ts";

const createPayload = (command: string) =>
  JSON.stringify({
    session_id: "self-test",
    transcript_path: "/nowhere/projects/self/test.jsonl",
    cwd: "/",
    prompt_id: "self-test",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
  });

/** A call that every executable denies, a call that only the self-test's own hook denies, and an invalid payload. */
const [ASKED, CALL, GARBAGE] = [createPayload(PROBE), createPayload("self-test"), "this is not a payload"];

const FOREIGN_SCRIPT = 'require("node:fs").writeSync(1, "foreign code ran\\n"); process.exit(0);';

/** Variables that change or crash an ordinary Bun executable; `$DIR` is the hostile directory. */
export const HOSTILE_VARIABLES: Readonly<Record<string, string>> = {
  BUN_BE_BUN: "1",
  BUN_OPTIONS: "--preload $DIR/foreign.js",
  BUN_INSPECT: "ws://127.0.0.1:0/hostile?wait=1",
  BUN_INSPECT_PRELOAD: "$DIR/foreign.js",
  BUN_INSPECT_CONNECT_TO: "127.0.0.1:9",
  BUN_INSPECT_NOTIFY: "$DIR/notify",
  BUN_JSC_hostile: "1",
  BUN_JSC_dumpOptions: "3",
  BUN_JSC_maxPerThreadStackUsage: "1",
  BUN_TCC_OPTIONS: "-hostile",
  BUN_CONFIG_VERBOSE_FETCH: "1",
  BUN_RUNTIME_TRANSPILER_CACHE_PATH: "$DIR",
  NODE_OPTIONS: "--require $DIR/foreign.js",
  NODE_PATH: "$DIR",
  NODE_REPL_EXTERNAL_MODULE: "$DIR/foreign.js",
  NODE_CHANNEL_FD: "1",
  NODE_DEBUG: "fs,module",
  NODE_V8_COVERAGE: "$DIR",
  MIMALLOC_DISALLOW_OS_ALLOC: "1",
  MIMALLOC_VERBOSE: "1",
  SIMDUTF_FORCE_IMPLEMENTATION: "hostile",
  JSC_SIGNAL_FOR_GC: "9",
  JSC_useJIT: "hostile",
  JavaScriptCoreUseJIT: "0",
  WTF_numberOfProcessorCores: "hostile",
  // "ÿ" is the byte 0xFF, decoded with a Windows code page.
  ÿIMALLOC_DISALLOW_OS_ALLOC: "1",
  ÿIMDUTF_FORCE_IMPLEMENTATION: "hostile",
};

/** Creates a directory with everything a hostile repository could contain. The caller removes it. */
export function createHostileDirectory(parent = tmpdir()): string {
  const folder = mkdtempSync(join(parent, "bridge-hooks-hostile-"));
  const files = {
    "foreign.js": FOREIGN_SCRIPT,
    "bunfig.toml": 'preload = ["./foreign.js"]\n',
    ".bunfig.toml": 'preload = ["./foreign.js"]\n',
    ".env": 'BUN_BE_BUN="1"\nBUN_OPTIONS="--preload ./foreign.js"\n',
    "package.json": '{ "name": "hostile", "type": "commonjs", "imports": { "#x": "./foreign.js" } }',
    "tsconfig.json": '{ "compilerOptions": { "paths": { "*": ["./foreign.js"] } } }',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  for (const name of ["bridge-hooks", "valibot"]) {
    mkdirSync(join(folder, "node_modules", name), { recursive: true });
    writeFileSync(join(folder, "node_modules", name, "index.js"), FOREIGN_SCRIPT);
  }
  return folder;
}

/** Returns the hostile variables, with `$DIR` replaced by the hostile directory. */
export const fillHostileVariables = (folder: string): Record<string, string> =>
  Object.fromEntries(Object.entries(HOSTILE_VARIABLES).map(([name, value]) => [name, value.replace("$DIR", folder)]));

/**
 * Tests an executable in a hostile directory and with each hostile variable, separately and all together. The
 * executable must deny doctor's test call; its own hooks aren't run. Instead, a second executable (the twin), which has
 * one hook and no commands, must deny a call that its hook rejects.
 * @param parent the parent of the hostile directory and the twin; must allow execution
 * @throws Error that names the conditions under which a denial failed.
 */
export async function runSelfTest(
  executable: string,
  compile: (hooks: CompiledHook[], outfile: string) => Promise<unknown>,
  parent: string,
): Promise<void> {
  const folder = createHostileDirectory(parent);
  try {
    const { exit_code: code, stderr } = await callExecutable(executable, GARBAGE, folder, {});
    if (code === null || code > 2 || !stderr.includes("stdin is not valid JSON"))
      throw new Error(`the new executable does not answer (exit code ${code}): ${stderr}`);
    const hook = join(folder, "deny.ts");
    writeFileSync(
      hook,
      'export default { event: "PreToolUse", handler: () => ({ decision: "deny", reason: "self-test" }) };',
    );
    const twinFile = join(folder, "twin");
    await compile([{ file: hook, meta: { name: "deny", events: ["PreToolUse"] } }], twinFile);
    const variables = fillHostileVariables(folder);
    const cases = [{}, ...Object.entries(variables).map(([name, value]) => ({ [name]: value })), variables];
    for (const env of cases) {
      expectDenial(await callExecutable(executable, ASKED, folder, env), /denial/, env);
      expectDenial(await callExecutable(twinFile, CALL, folder, env), /^self-test\n$/, env);
    }
  } finally {
    removeLeftoverFile(folder);
  }
}

function expectDenial({ exit_code, stdout, stderr }: CommandResult, reason: RegExp, env: Record<string, string>): void {
  if (exit_code === 2 && stdout.includes('"permissionDecision":"deny"') && reason.test(stderr)) return;
  const conditions = Object.keys(env).join(", ") || "no variables";
  const output = JSON.stringify(stdout + stderr).slice(0, 300);
  throw new Error(
    `a denial has no effect in a hostile directory with ${conditions}: exit code ${exit_code}, ${output}`,
  );
}

const callExecutable = (
  executable: string,
  stdin: string,
  cwd: string,
  env: Record<string, string>,
): Promise<CommandResult> =>
  runProgram({
    argv: [executable, "--host", "claude"],
    cwd,
    env: { PATH: process.env.PATH ?? "", HOME: cwd, XDG_CONFIG_HOME: cwd, ...env },
    stdin,
    timeout: 20_000,
  }).catch((error: unknown) => ({ stdout: "", stderr: String(error), exit_code: null }));
