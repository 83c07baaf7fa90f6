import { expect } from "bun:test";
import { defineHook, deny, type IHookResponse } from "bridge-hooks";
import { type GivenEvent, simulate } from "../../../src/author/testing/index.ts";
import { EVENTS } from "../../../src/protocol/event.ts";
import { createHookEntry } from "../../../src/protocol/hook.ts";
import type { Payload } from "../../../src/protocol/host/host.ts";
import { answerCall } from "../../support/answer-call.ts";
import { createHome } from "../../support/homes.ts";
import type { ClaimCase } from "../claim.ts";
import { getHost } from "../host.ts";
import type { Check, HostId } from "./proofs.ts";

/** Fields common to all payloads of a host. */
const COMMON: Readonly<Record<HostId, Payload>> = {
  claude: { session_id: "abc123", transcript_path: "/t.jsonl", cwd: "/w" },
  cursor: { conversation_id: "c", generation_id: "g", cursor_version: "3.2.16", workspace_roots: ["/w"] },
  opencode: { host: "opencode", cwd: "/w" },
  openclaw: { host: "openclaw", cwd: "/w", ctx: { sessionKey: "agent:main:x", sessionId: "s" } },
};
export const buildPayload = (id: HostId, event: string, more: Payload = {}): Payload => ({
  ...COMMON[id],
  [id.startsWith("open") ? "event" : "hook_event_name"]: event,
  ...more,
});

type Expected = Pick<ClaimCase, "sees" | "stdout" | "stderr" | "exit_code">;

/** Makes a call in this process. Checks what a hook subscribed to every event sees and what the host receives. */
export const answered =
  (host: HostId | undefined, stdin: Payload, answer: IHookResponse, { sees, ...expected }: Expected): Check =>
  async () => {
    using home = createHome();
    let seen: unknown = null;
    const hook = createHookEntry(defineHook({ event: EVENTS, handler: (event) => ((seen = event), answer) }), "seeds");
    const world = { env: home.machine.env, read: () => JSON.stringify(stdin) };
    const { stdout, stderr, exit_code } = await answerCall([hook], {}, host ? ["--host", host] : [], world);
    if (sees) expect(JSON.parse(JSON.stringify(seen))).toMatchObject(sees);
    const got = { stdout: stdout && (JSON.parse(stdout) as unknown), stderr, exit_code };
    for (const [field, wanted] of Object.entries(expected) as [keyof typeof got, unknown][])
      if (wanted instanceof RegExp) expect(got[field] as string).toMatch(wanted);
      else expect(got[field]).toEqual(wanted);
  };
export const sees = (host: HostId | undefined, stdin: Payload, event: Payload) =>
  answered(host, stdin, {}, { sees: event });
export const gets = (host: HostId, stdin: Payload, answer: IHookResponse, stdout: unknown, more: Expected = {}) =>
  answered(host, stdin, answer, { stdout, ...more });
/** Denies an event, and checks what the hook sees and what the host receives. */
export const denies = (id: HostId, event: string, fields: Payload, sees: Payload, stdout: object, exit_code?: number) =>
  answered(id, buildPayload(id, event, fields), deny("No."), {
    sees: { native_event: event, ...sees },
    stdout,
    ...(exit_code !== undefined && { exit_code }),
  });
/** Denies an event that can't be stopped. */
export const observes = (id: HostId, event: string, fields: Payload, sees: Payload) =>
  answered(id, buildPayload(id, event, fields), deny("No."), {
    sees: { native_event: event, ...sees },
    stderr: new RegExp(
      `^bridge-hooks: ${id} \\S+: .*can't be enforced; ${getHost(id).name} can't block this event`,
      "m",
    ),
    exit_code: 0,
    ...(id === "cursor" && { stdout: {} }),
  });

export type Verdict = "denied" | "passed" | "blocked" | "let pass";
export type HostAnswer = { stdout?: object | string; exit_code?: number };

/** Checks how a host interprets an answer to one of its events, according to `doctor`. */
export const judged =
  (id: HostId, native_event: string, verdict: Verdict, answer: HostAnswer, handler: Payload = {}): Check =>
  async () => {
    const { judgeAnswer } = await getHost(id).loadDoctor();
    const { stdout = "", exit_code = 0 } = answer;
    const text = typeof stdout === "string" ? stdout : JSON.stringify(stdout);
    const found = judgeAnswer(native_event, { stdout: text, stderr: "", exit_code }, handler);
    expect(found.kind === "broken" ? (found.blocks ? "blocked" : "let pass") : found.kind).toBe(verdict);
  };

export const shell = (command: string): GivenEvent => ({ event: "PreToolUse", tool: "Bash", input: { command } });
/** Whether a hook with the matcher runs for each of these calls. */
export const asks =
  (matcher: string, calls: readonly GivenEvent[], expected: boolean[]): Check =>
  async () => {
    const hook = defineHook({ event: "PreToolUse", matcher, handler: () => {} });
    expect(await Promise.all(calls.map(async (call) => (await simulate(hook, call)).matched))).toEqual(expected);
  };
