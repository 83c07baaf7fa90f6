import { afterAll, beforeAll } from "bun:test";
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import verifyBeforeStop from "../../hooks/verify-before-stop.ts";
import { state } from "../../src/author/kit/state.ts";
import { askHook } from "../support/ask-hook.ts";
import { scaleMs } from "../support/machine.ts";

export const scratch = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-verify-")));
export const CHANGED_KEY = "verify-before-stop.changed";
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

/** Keeps state in a separate directory, for all tests in a file. */
export function useTestState(): void {
  let before: string | undefined;
  beforeAll(() => {
    before = process.env.XDG_STATE_HOME;
    process.env.XDG_STATE_HOME = join(scratch, "state");
  });
  afterAll(() => {
    if (before === undefined) delete process.env.XDG_STATE_HOME;
    else process.env.XDG_STATE_HOME = before;
  });
}

export const runGit = (cwd: string, ...args: string[]) => {
  const { exitCode, stderr } = Bun.spawnSync([
    "git",
    "-c",
    "user.name=t",
    "-c",
    "user.email=t@example.org",
    "-C",
    cwd,
    ...args,
  ]);
  if (exitCode !== 0) throw new Error(stderr.toString());
};
export let rootCount = 0;
/** Creates a repository with one commit. */
export function createRepository(): string {
  const template = join(scratch, "template");
  if (!existsSync(template)) {
    mkdirSync(join(template, "sub"), { recursive: true });
    runGit(template, "init", "-q", "--template=");
    runGit(template, "commit", "-qm", "first", "--allow-empty");
  }
  const root = join(scratch, `r${rootCount++}`);
  cpSync(template, root, { recursive: true });
  return root;
}

export let sessionCount = 0;
export const createSession = (cwd: string) => ({ host: "test", session_id: `session ${sessionCount++}`, cwd });
export type VerifySession = ReturnType<typeof createSession>;
/** Runs the hook at Stop with the default time limit, scaled to the speed of this machine. */
export const askAtStop = (session: VerifySession, options: object, continuations = 0) =>
  askHook(verifyBeforeStop, { ...session, event: "Stop", continuations }, { timeoutMs: scaleMs(3_500), ...options });
export const askAfterWrite = (session: VerifySession, file_path: string, options: object) =>
  askHook(
    verifyBeforeStop,
    { ...session, event: "PostToolUse", tool: "Write", tool_name: "Write", input: { file_path, content: "" } },
    options,
  );
export const askAfterEdit = (session: VerifySession, files: object[], options: object) =>
  askHook(
    verifyBeforeStop,
    { ...session, event: "PostToolUse", tool: "Edit", tool_name: "Edit", input: { files } },
    options,
  );
export const isChanged = (session: VerifySession) => state(session).get(CHANGED_KEY) !== undefined;

export const MORE_TIME_ADVICE =
  "; nothing was verified. To allow more time, raise this hook's timeoutMs, --timeout-ms, and the timeout in the host's Stop entry.";
