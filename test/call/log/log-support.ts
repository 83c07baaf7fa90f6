import { afterAll } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { IHookResponse } from "../../../src/index.ts";
import { createHookEntry, type HookDescriptor, type HookMeta } from "../../../src/protocol/hook.ts";
import type { Payload } from "../../../src/protocol/host/host.ts";
import type { ConcludedCall } from "../../../src/call/log/concluded-call.ts";
import { completeLine } from "../../../src/call/log/log-call.ts";
import { beginLine } from "../../../src/call/log/log-head.ts";
import type { LogLine } from "../../../src/call/log/log-line.ts";
import { getLogFile, type LogName } from "../../../src/call/log/log-path.ts";
import { passCall } from "../../../src/call/answer.ts";
import { getPayload } from "../../support/fixtures.ts";

export const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-log-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;

/** A home directory with a project, a state directory and a config file. */
export interface LogHome {
  home: string;
  project: string;
  env: { HOME: string; XDG_STATE_HOME: string; USER: string };
}

export function createHome(config?: object): LogHome {
  const home = join(folder, `home-${++count}`);
  const project = join(home, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  if (config) writeUserConfig(home, config);
  return { home, project, env: { HOME: home, XDG_STATE_HOME: join(home, "state"), USER: "mia" } };
}

export function writeUserConfig(home: string, config: object): void {
  mkdirSync(join(home, ".config/bridge-hooks"), { recursive: true });
  writeFileSync(join(home, ".config/bridge-hooks/config.json"), JSON.stringify(config));
}

type Respond = (event: never, context: { log: (text: string) => void }) => IHookResponse | undefined | void;
export const createHook = (name: string, handler: Respond, meta: Partial<HookMeta> = {}): HookDescriptor =>
  createHookEntry({ event: ["PreToolUse", "UserPromptSubmit", "Stop"], handler, ...meta } as never, name);

export const createShellPayload = (command: string, more: Payload = {}): Payload =>
  getPayload("claude", "PreToolUse-Bash", { tool_input: { command }, ...more });

/** Answers a call in this process and logs it as the home directory's user would. */
export async function answerAndLog(
  entries: readonly HookDescriptor[],
  payload: Payload | string,
  { project, env, home }: LogHome,
  argv: readonly string[] = ["--host", "claude"],
): Promise<ConcludedCall | undefined> {
  let concluded: ConcludedCall | undefined;
  const text = typeof payload === "string" ? payload : JSON.stringify({ ...payload, cwd: project });
  const { HOME } = process.env;
  process.env.HOME = home;
  try {
    ({ concluded } = await passCall({ entries, explicit: {}, argv }, { env, read: () => text }));
    if (concluded) await completeLine(concluded, await beginLine(concluded, env), { env });
  } finally {
    process.env.HOME = HOME;
  }
  return concluded;
}

export const getHomeLog = ({ env }: LogHome, name?: LogName) => getLogFile(env, name);

/** Reads all complete records of a log in order, including those in rotated files. */
export const readLines = (home: LogHome, name: LogName = "decisions"): LogLine[] =>
  readAllLines(home, name).filter(({ part }) => part === undefined);

export const readHeads = (home: LogHome): LogLine[] => readAllLines(home, "decisions").filter(({ part }) => part);

function readAllLines(home: LogHome, name: LogName): LogLine[] {
  const place = join(home.env.XDG_STATE_HOME, "bridge-hooks");
  const files = readdirSync(place).filter((file) => file.startsWith(name) && file.endsWith(".jsonl"));
  // The current file has no number in its name.
  files.sort((a, b) => a.replace(".jsonl", "~").localeCompare(b.replace(".jsonl", "~")));
  return files.flatMap((file) =>
    readFileSync(join(place, file), "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as LogLine),
  );
}
