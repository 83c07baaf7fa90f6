import { afterAll } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import blockDestructive from "../../../hooks/block-destructive.ts";
import protectHooks from "../../../hooks/protect-hooks.ts";
import * as binding from "../../../src/author/bind-call.ts";
import { createException, findTarget, toBoundCall, writeException } from "../../../src/cli/allow/make.ts";
import { findAllowableCall, getOwner } from "../../../src/cli/allow/waiting-calls.ts";
import { createHookEntry, type HookDescriptor } from "../../../src/protocol/hook.ts";
import type { HostAnswer, Payload } from "../../../src/protocol/host/host.ts";
import type { ExceptionRecord } from "../../../src/call/exceptions/record.ts";
import { getDeniedCallsDirectory } from "../../../src/call/exceptions/denied-calls.ts";
import { setOwnHome } from "../../../src/call/exceptions/account-home.ts";
import type { ConcludedCall } from "../../../src/call/log/concluded-call.ts";
import { completeLine } from "../../../src/call/log/log-call.ts";
import { beginLine } from "../../../src/call/log/log-head.ts";
import { passCall } from "../../../src/call/answer.ts";
import { getFacts } from "../../hosts/host-facts.ts";
import { buildCallPayload, getGateEvent, getPayload } from "../../support/fixtures.ts";

export const folder = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-exceptions-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

export const HOOKS: readonly HookDescriptor[] = [
  createHookEntry(protectHooks, "protect-hooks"),
  createHookEntry(blockDestructive, "block-destructive"),
];

let count = 0;

/** A test account with its own home directory, project and environment variables. */
export interface Account {
  home: string;
  project: string;
  place: string;
  env: Record<string, string>;
}

/** Creates an account and switches this process to it. */
export function createAccount(): Account {
  const home = join(folder, `account-${++count}`);
  const project = join(home, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  setOwnHome(home);
  return {
    ...{ home, project, place: join(home, ".config/bridge-hooks/exceptions") },
    env: { HOME: home, XDG_STATE_HOME: join(home, "state"), USER: "mia" },
  };
}

/** The answer to a call, and what was passed to the log. */
export interface Answered extends HostAnswer {
  concluded: ConcludedCall | undefined;
  /** The decision the host received. */
  decision: string;
}

/** Answers a call in this process the way the executable would, including persistent state. */
export async function answer(
  payload: Payload,
  argv: readonly string[],
  { env }: Account,
  entries: readonly HookDescriptor[] = HOOKS,
): Promise<Answered> {
  const world = { env, read: () => JSON.stringify(payload), loadBinding: async () => binding };
  const { answer: answered, concluded } = await passCall({ entries, explicit: {}, argv }, world);
  if (concluded) await completeLine(concluded, await beginLine(concluded, env), { env });
  return { ...answered, concluded, decision: concluded?.decision ?? "none" };
}

/** Runs a shell command on a host. */
export const callShell = (host: string, command: string, account: Account, entries = HOOKS): Promise<Answered> =>
  answer(
    { ...buildCallPayload(host, getFacts(host).shell.tool, { command }), session_id: "s1" },
    ["--host", host, "--event", getGateEvent(host)],
    account,
    entries,
  );

/** Runs a shell command on Claude Code in one of the account's directories. */
export const callClaude = (
  command: string,
  account: Account,
  { entries = HOOKS, ...more }: Payload & { entries?: readonly HookDescriptor[] } = {},
): Promise<Answered> =>
  answer(
    getPayload("claude", "PreToolUse-Bash", {
      ...{ tool_input: { command }, cwd: account.project, session_id: "s1" },
      ...more,
    }),
    ["--host", "claude", "--event", "PreToolUse"],
    account,
    entries,
  );

/** Allows a denied call or another target, as a user would at a terminal. */
export async function allowCall(
  { env }: Account,
  { id, isInProject = false, end = Date.now() + 60_000, ...more }: AllowedCall = {},
): Promise<ExceptionRecord> {
  const target = await findTarget("allow", "user");
  const waiting =
    "rule" in more || more.pause
      ? undefined
      : findAllowableCall({ ...getOwner(), folder: getDeniedCallsDirectory(env) }, id);
  const subject = waiting && {
    call: toBoundCall(waiting, isInProject ? "project" : "call"),
    ...(isInProject && { project: waiting.project }),
  };
  const record = createException(
    { ...subject, confirmed: "ssh", ...more },
    { reason: "because", end, ...(waiting && { id: waiting.id }) },
    target,
  );
  writeException(record, target.location);
  return record;
}

export interface AllowedCall extends Partial<Pick<ExceptionRecord, "once" | "rule" | "pause" | "project">> {
  /** ID of the denied call. Defaults to the latest denied call. */
  id?: string;
  isInProject?: boolean;
  end?: number;
}
