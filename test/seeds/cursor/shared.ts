import { deepEqual } from "node:assert/strict";
import { createHookEntry, type Hook } from "../../../src/protocol/hook.ts";
import type { Payload } from "../../../src/protocol/host/host.ts";
import type { IHookResponse } from "../../../src/protocol/response.ts";
import type { ConfigProblem, InstallScope } from "../../../src/protocol/host/install.ts";
import { collectWantedEvents } from "../../../src/cli/host-config/desired-entries.ts";
import { findConfigProblems } from "../../../src/hosts/cursor/doctor/config-problems.ts";
import { setup } from "../../../src/hosts/cursor/install/setup.ts";
import { judgeAnswer } from "../../../src/hosts/cursor/doctor/verdict.ts";
import type { ClaimCase } from "../claim.ts";

/** The fields that the documentation lists for every event. */
export const commonFields = {
  conversation_id: "conv-456",
  generation_id: "gen-1",
  model: "claude-sonnet-4-20250514",
  cursor_version: "3.2.16",
  workspace_roots: ["/project"],
  user_email: null,
  transcript_path: null,
};

export const buildPayload = (hook_event_name: string, fields: Payload = {}): Payload => ({
  ...commonFields,
  hook_event_name,
  ...fields,
});

/** Checks what a hook sees of an event. */
export const createSeenCase = (native_event: string, fields: Payload, sees: Payload): ClaimCase => ({
  host: "cursor",
  stdin: buildPayload(native_event, fields),
  sees,
});

/** A field without a unified name is only in the payload. */
export const createNativeCase = (native_event: string, fields: Payload): ClaimCase =>
  createSeenCase(native_event, fields, { _native: fields });

/** Checks what Cursor gets for a hook's response. */
export const createAnswerCase = (
  native_event: string,
  fields: Payload,
  answer: IHookResponse,
  stdout: unknown,
  more: Partial<ClaimCase> = {},
): ClaimCase => ({
  host: "cursor",
  stdin: buildPayload(native_event, fields),
  answer,
  stdout,
  exit_code: 0,
  ...more,
});

/** The same for a denial. */
export const createDenialCase = (
  native_event: string,
  fields: Payload,
  answer: IHookResponse,
  stdout: unknown,
): ClaimCase => createAnswerCase(native_event, fields, { decision: "deny", ...answer }, stdout);

const message = (why: string) => ({ permission: "deny", user_message: why, agent_message: why });
/** A denial with a reason at an event that supports permissions. */
export const createRefusalCase = (native_event: string, fields: Payload): ClaimCase =>
  createDenialCase(native_event, fields, { reason: "not here" }, message("not here"));

export const createAllowedCase = (native_event: string, fields: object): ClaimCase =>
  createAnswerCase(native_event, { ...fields }, { decision: "allow" }, { permission: "allow" }, { stderr: "" });

/** A text for the model, and one for the person. */
export const bothTexts: IHookResponse = { reason: "Use npm ci.", user_message: "No npm install." };
export const bothSent = { permission: "deny", user_message: "No npm install.", agent_message: "Use npm ci." };

/** No part of the response reaches Cursor, and stderr reports the loss. */
export const createUnheardCase = (native_event: string, fields: object = {}): ClaimCase =>
  createAnswerCase(
    native_event,
    { ...fields },
    { decision: "deny", reason: "no" },
    {},
    { stderr: /decision "deny" can't be enforced; Cursor can't stop this event/ },
  );

export const approvalText = "It is prod.\nThis needs the user's approval, which Cursor can't ask for here.";
/** A hook's response that asks the user. */
export const askingResponse: IHookResponse = { decision: "ask", reason: "It is prod." };

/** Fields of the documentation's examples. */
export const shellFields = { command: "npm install", cwd: "/project", sandbox: false };
export const shellTool = {
  tool_name: "Shell",
  tool_input: { command: "npm install", working_directory: "/project" },
  tool_use_id: "abc123",
  cwd: "/project",
};
export const mcpFields = { tool_name: "search", tool_input: '{"query":"x"}', url: "https://mcp.example.com" };
export const fileFields = { file_path: "/project/src/auth.ts", content: "export {};\n" };

/** A hooks.json with these entries. */
export const buildConfig = (hooks: unknown, more: Payload = { version: 1 }): string =>
  JSON.stringify({ ...more, hooks });

/** Expects that Cursor accepts these files. */
export const expectValidConfig = (...texts: string[]): void =>
  deepEqual(
    texts.flatMap((text) => findConfigProblems(text)),
    [],
  );
export const listMessages = (text: string): string[] =>
  findConfigProblems(text).map(({ message }: ConfigProblem) => message);

/** How Cursor takes a command's answer. */
export const judgeDecision = (
  native_event: string,
  stdout: unknown,
  exit_code: number | null = 0,
  handler: Payload = {},
) => {
  const text = typeof stdout === "string" ? stdout : JSON.stringify(stdout);
  return judgeAnswer(native_event, { stdout: text, stderr: "", exit_code }, handler);
};

/** The entries that an installation writes for hooks. */
export const listSubscriptions = (...hooks: Hook[]) =>
  setup.planSubscriptions(collectWantedEvents(hooks.map((hook) => createHookEntry(hook, "hook"))));

/** The file that Cursor reads hooks from. */
export const findConfigPath = (scope: InstallScope, platform: NodeJS.Platform = "linux"): string | undefined =>
  setup
    .listConfigFiles({ roots: ["/project"], home: "/home/dev", platform, env: {} })
    .find((one) => one.scope === scope)?.path;
