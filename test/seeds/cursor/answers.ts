import { expect } from "bun:test";
import type { IHookResponse } from "../../../src/protocol/response.ts";
import { call, type CallOptions } from "./calls.ts";
import { buildPayload } from "./fields.ts";
import type { Check } from "./section.ts";

interface Expected extends CallOptions {
  stderr?: RegExp | "";
  exit_code?: number;
}
/** Expects that Cursor gets this document for a hook's response. `undefined` accepts any document. */
export const gets =
  (native_event: string, fields: object, response: IHookResponse, document: unknown, expected: Expected = {}): Check =>
  async () => {
    const { stdout, stderr, exit_code } = await call(buildPayload(native_event, fields), response, expected);
    if (document !== undefined) expect(stdout).toEqual(document);
    if (expected.stderr === "") expect(stderr).toBe("");
    else if (expected.stderr) expect(stderr).toMatch(expected.stderr);
    expect(exit_code).toBe(expected.exit_code ?? 0);
  };
/** Expects a document identical to the response. */
export const passes = (native_event: string, response: IHookResponse, fields: object = {}): Check =>
  gets(native_event, fields, response, response);
export const allows = (native_event: string, fields: object = {}): Check =>
  gets(native_event, fields, { decision: "allow" }, { permission: "allow" }, { stderr: "" });

export const denial = (user: string, agent = user) => ({
  permission: "deny",
  user_message: user,
  agent_message: agent,
});
/** Expects a denial whose reason reaches both the user and the model. */
export const denies = (native_event: string, fields: object = {}, expected?: Expected): Check =>
  gets(native_event, fields, { decision: "deny", reason: "not here" }, denial("not here"), expected);
/** Expects a denial with separate messages for the user and the model. */
export const tellsBoth = (native_event: string, fields: object = {}): Check =>
  gets(native_event, fields, { decision: "deny", reason: "R", user_message: "U" }, denial("U", "R"));

const question: IHookResponse = { decision: "ask", reason: "It is prod." };
/** Returns what the model reads if an "ask" became a denial. */
export const toApprove = (why: string) => `${why}\nThis needs the user's approval, which Cursor can't ask for here.`;
export const deniesQuestion = (native_event: string, fields: object, stderr = /decision "ask"/): Check =>
  gets(native_event, fields, question, denial(toApprove("It is prod.")), { stderr });
export const ASK_ANYWAY = { args: ["--cursor-ask-fallback", "ask"] };
/** Expects an "ask" that is sent unchanged. */
export const asks = (native_event: string, fields: object, expected: Expected = ASK_ANYWAY): Check =>
  gets(native_event, fields, question, { permission: "ask", agent_message: "It is prod." }, expected);

/**
 * Denies the end of a turn, and checks the document that Cursor gets. By default, the document makes the agent
 * continue.
 */
export const goesOn = (
  native_event: string,
  fields: object,
  document: object = { followup_message: "More." },
  expected?: Expected,
): Check => gets(native_event, fields, { decision: "deny", reason: "More." }, document, expected);
/** Expects that no part of the response reaches Cursor, and that stderr reports the loss. */
export const takesNothing = (native_event: string, fields: object): Check =>
  goesOn(native_event, fields, {}, { stderr: /decision "deny" can't be enforced; Cursor can't block this event/ });
