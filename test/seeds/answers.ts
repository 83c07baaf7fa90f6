import type { Payload } from "../../src/protocol/host/host.ts";
import type { IHookResponse } from "../../src/protocol/response.ts";
import { fixtures } from "../support/fixtures.ts";
import type { ClaimCase, TestReference } from "./claim.ts";
import { createRecordedCase } from "./host.ts";

export const allow: IHookResponse = { decision: "allow" };
export const deny: IHookResponse = { decision: "deny", reason: "R" };
export const ask: IHookResponse = { decision: "ask", reason: "R" };
export const message: IHookResponse = { user_message: "M" };
export const context: IHookResponse = { additional_context: "C" };
/** Replaces the recorded command. */
export const rewritten: IHookResponse = { modified_input: { command: "ls" } };

/** Builds a Claude Code or Codex document with fields for an event. */
export const specific = (hookEventName: string, fields: object, more: object = {}) => ({
  ...more,
  hookSpecificOutput: { hookEventName, ...fields },
});
export const permission = (permissionDecision: string, more?: object) =>
  specific("PreToolUse", { permissionDecision, permissionDecisionReason: "R" }, more);
export const addition = (event: string, more?: object) => specific(event, { additionalContext: "C" }, more);
export const BLOCK = { decision: "block", reason: "R" };
export const PERMITTED = specific("PermissionRequest", { decision: { behavior: "allow" } });

/** Recordings of Cursor events that can stop a call, and the document of a denial. */
export const CURSOR_GATES = ["preToolUse.Shell", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile"];
export const CURSOR_DENIED = { permission: "deny", user_message: "R", agent_message: "R" };

type Recordings = string | readonly string[];
type Expected = Omit<ClaimCase, "host" | "stdin">;
const onEach = (host: string, recordings: Recordings, expected: Expected, change?: Payload) =>
  [recordings].flat().map((recording) => createRecordedCase(host, recording, expected, change));

/** Expects that the hook sees these fields of recorded payloads. The payloads may be changed first. */
export const sees = (host: string, recordings: Recordings, fields: Payload, change?: Payload) =>
  onEach(host, recordings, { sees: fields }, change);
/** Expects that the host gets this document, and that the call proceeds as the document says. */
export const sends = (
  host: string,
  recordings: Recordings,
  answer: IHookResponse,
  stdout: unknown,
  more: Expected = {},
  change?: Payload,
) => onEach(host, recordings, { answer, stdout, exit_code: 0, ...more }, change);
/** Expects that the host gets this document, without a warning and with exit code 0. */
export const sendsSilently = (host: string, recordings: Recordings, answer: IHookResponse, stdout: unknown) =>
  sends(host, recordings, answer, stdout, { stderr: "" });
/** Expects a denial: the document, exit code 2, and the reason on stderr. */
export const blocks = (host: string, recordings: Recordings, stdout: unknown, more: Expected = {}, change?: Payload) =>
  sends(host, recordings, deny, stdout, { stderr: /^R\n?$/, exit_code: 2, ...more }, change);
/** Expects a warning on stderr. */
export const warns = (host: string, recordings: Recordings, answer: IHookResponse, stderr: RegExp, more?: Expected) =>
  onEach(host, recordings, { answer, stderr, ...more });

/** References the event, tool and input of payloads recorded from the latest release that has them. */
export const recorded = (host: string, ...recordings: string[]): TestReference[] =>
  recordings.map((name) => {
    const version = fixtures.findLast((one) => one.host.id === host && one.file === name)?.version;
    return [`hosts/${host}/recordings/${version}/expected.tsv`, name];
  });
/** References tests or table rows of a file. */
export const testsIn =
  (file: string) =>
  (...titles: string[]): TestReference[] =>
    titles.map((title) => [file, title]);

/** Complete answers by field, with the losses of each answer. */
export const answered = testsIn("call/answers.test.ts");
export const called = testsIn("call/executable.test.ts");
export const calledWith = testsIn("call/executable-payloads.test.ts");
