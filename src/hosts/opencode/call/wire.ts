import * as v from "valibot";
import { number, policyText, text } from "../../wire.ts";

/** What plugin.js puts around every event; the session and the agent in what happens inside a subagent, which is a session itself. */
export const ENVELOPE = ["session_id", "agent_id"] as const;

/** tool.execute.before and tool.execute.after, with the arguments where each has them; `mcp` are the names of the configured servers. */
export const Call = () =>
  v.object({
    input: v.object({ tool: v.string(), sessionID: text(), callID: text(), args: v.optional(v.unknown()) }),
    output: v.optional(v.unknown()),
    mcp: v.nullish(v.array(v.string()), () => []),
  });

/** tool.execute.before: the arguments are in the output, where they can be changed. */
export const Gate = () => v.object({ output: v.object({ args: v.optional(v.unknown()) }) });

/** What a tool gave back; an MCP tool's is the server's own result [seen 1.18.33, 2026-11-22]. */
export const Result = () =>
  v.looseObject({
    output: v.optional(v.unknown()),
    content: v.optional(v.unknown()),
    isError: v.optional(v.unknown()),
    metadata: v.fallback(v.optional(v.looseObject({ exit: number() }), {}), {}),
  });

/** A tool's part of a message, once the call has failed. */
export const FailedPart = () =>
  v.object({
    part: v.object({
      tool: v.string(),
      sessionID: text(),
      callID: text(),
      state: v.object({
        input: v.optional(v.unknown()),
        error: v.optional(v.unknown()),
        time: v.fallback(v.optional(v.object({ start: number(), end: number() }), {}), {}),
      }),
    }),
    mcp: v.nullish(v.array(v.string()), () => []),
  });

const Part = () =>
  v.looseObject({
    type: v.string(),
    text: policyText(),
    synthetic: v.fallback(v.optional(v.boolean()), undefined),
    url: policyText(),
    filename: policyText(),
    source: v.nullish(v.looseObject({ path: policyText() })),
  });

/** chat.message; the output holds what the user typed, by parts. */
export const Prompt = () => v.object({ output: v.object({ parts: v.array(Part()) }) });

const Model = () => v.fallback(v.optional(v.looseObject({ providerID: text(), modelID: text() })), undefined);

/** Where events say which session and model they are about. */
export const Common = () =>
  v.object({
    input: v.fallback(v.optional(v.looseObject({ sessionID: text() }), {}), {}),
    output: v.fallback(v.optional(v.looseObject({ message: v.optional(v.looseObject({ model: Model() })) }), {}), {}),
    properties: v.fallback(
      v.optional(
        v.looseObject({
          sessionID: text(),
          permission: text(),
          patterns: v.fallback(v.array(v.string()), []),
          part: v.fallback(v.optional(v.looseObject({ sessionID: text() })), undefined),
          info: v.fallback(v.optional(v.looseObject({ sessionID: text() })), undefined),
        }),
      ),
      undefined,
    ),
  });

/** Inputs that no table tells. */
export const inputs = { apply_patch: () => v.object({ patchText: v.string() }) };
