import { afterAll, beforeAll } from "bun:test";
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import verifyBeforeStop from "../../hooks/verify-before-stop.ts";
import { state } from "../../src/author/kit/state.ts";
import { ask } from "../support/hook.ts";

export const scratch = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-verify-")));
export const KEY = "verify-before-stop.changed";
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

/** State is kept in a folder of its own while a file's tests run. */
export function keepStateHere(): void {
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

export const git = (cwd: string, ...args: string[]) => {
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
export let made = 0;
/** A repository with one commit. */
export function newRoot(): string {
  const template = join(scratch, "template");
  if (!existsSync(template)) {
    mkdirSync(join(template, "sub"), { recursive: true });
    git(template, "init", "-q");
    git(template, "commit", "-qm", "first", "--allow-empty");
  }
  const root = join(scratch, `r${made++}`);
  cpSync(template, root, { recursive: true });
  return root;
}

export let sessions = 0;
export const newSession = (cwd: string) => ({ host: "test", session_id: `session ${sessions++}`, cwd });
export type Session = ReturnType<typeof newSession>;
export const stop = (session: Session, options: object, continuations = 0) =>
  ask(verifyBeforeStop, { ...session, event: "Stop", continuations }, options);
export const write = (session: Session, file_path: string, options: object) =>
  ask(
    verifyBeforeStop,
    { ...session, event: "PostToolUse", tool: "Write", tool_name: "Write", input: { file_path, content: "" } },
    options,
  );
export const edit = (session: Session, files: object[], options: object) =>
  ask(
    verifyBeforeStop,
    { ...session, event: "PostToolUse", tool: "Edit", tool_name: "Edit", input: { files } },
    options,
  );
export const isChanged = (session: Session) => state(session).get(KEY) !== undefined;

export const MORE =
  "; nothing is verified. More time: timeoutMs of this hook, and --timeout-ms and the timeout of the host's Stop entry.";
