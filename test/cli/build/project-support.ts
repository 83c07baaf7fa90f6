import { expect } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { omitAllowId } from "../../support/allow-id.ts";
import { placeExecutable } from "../../support/executables.ts";
import { getPayload } from "../../support/fixtures.ts";

/** Temporary directory for the downloaded executable and otherwise empty directories. */
export const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-kit-build-"));
export const executable = join(folder, "bin", "bridge-hooks");
export const [home, temporary] = [join(folder, "home"), join(folder, "tmp")];

export const GOOD_HOOK = readFileSync(join(import.meta.dir, "good-hook/a.ts"), "utf8");

export interface ProgramOutput {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program as if nothing else were installed on the machine. */
export async function runProgram(
  program: string,
  args: string[],
  { cwd, env = {}, stdin = "" }: { cwd: string; env?: object; stdin?: string },
) {
  const child = Bun.spawn([program, ...args], {
    cwd,
    env: { PATH: "/nonexistent", HOME: home, TMPDIR: temporary, ...env },
    stdin: Buffer.from(stdin),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr } satisfies ProgramOutput;
}

let count = 0;
/** Creates a directory with these files. */
export function createFolder(files: Record<string, string>): string {
  const made = join(folder, `work-${++count}`);
  mkdirSync(made);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(made, path)), { recursive: true });
    writeFileSync(join(made, path), text);
  }
  return made;
}

/** Lists everything in a directory, including links and dotfiles. */
export const listFolder = (directory: string) => readdirSync(directory, { recursive: true, encoding: "utf8" }).sort();

export interface BuildRun extends ProgramOutput {
  /** What the directory contained before the build. */
  before: string[];
  cwd: string;
}

/**
 * Creates a directory with these files and builds it.
 *
 * @param command defaults to the executable, which has to copy itself to get a bundler. Copying takes longer than most
 * refusals do.
 */
export async function runBuild(
  files: Record<string, string>,
  args: readonly string[] = [],
  { env = {}, command = [executable] }: { env?: object; command?: readonly string[] } = {},
): Promise<BuildRun> {
  const cwd = createFolder(files);
  const before = listFolder(cwd);
  const [program = "", ...first] = command;
  return { before, cwd, ...(await runProgram(program, [...first, "build", ...args], { cwd, env })) };
}

for (const one of [home, temporary]) mkdirSync(one);
await placeExecutable("test/cli/build/good-hook", executable);
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

export const PAYLOADS: [host: string, file: string, denial: (reason: string) => object][] = [
  ["claude", "PreToolUse-Bash", buildReasonedDenial],
  ["cursor", "beforeShellExecution", (reason) => ({ permission: "deny", user_message: reason, agent_message: reason })],
  ["codex", "PreToolUse-Bash", buildReasonedDenial],
];
export function buildReasonedDenial(reason: string) {
  return {
    hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: reason },
  };
}

/** Expects an executable to deny a shell call from each of these hosts. */
export async function expectDenials(program: string, reason: string): Promise<void> {
  for (const [host, file, denial] of PAYLOADS) {
    const options = {
      cwd: folder,
      stdin: JSON.stringify(getPayload(host, file)),
      env: { PATH: process.env.PATH, HOME: folder },
    };
    const { code, stdout } = await runProgram(program, ["--host", host], options);
    expect([host, code, omitAllowId(stdout)]).toEqual([
      host,
      host === "cursor" ? 0 : 2,
      `${JSON.stringify(denial(reason))}\n`,
    ]);
  }
}

/** Path to the log, the only file that tests may leave behind. */
const LOG = ".local/state/bridge-hooks/decisions.jsonl";
const listFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => !one.isDirectory())
    .map((one) => relative(folder, join(one.parentPath, one.name)));

export const expectNothingLeft = (): void =>
  expect([
    readdirSync(temporary),
    // Denied calls leave a log behind.
    listFiles(home).filter((file) => file !== LOG),
    readdirSync(dirname(executable)),
  ]).toEqual([[], [], ["bridge-hooks"]]);
