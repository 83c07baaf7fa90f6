import * as v from "valibot";
import { createNumberSchema, createPolicyTextSchema, createTextSchema } from "../../codec/wire.ts";

/**
 * The envelope that plugin.js puts around every event; inside a subagent, which is a session itself, it has the main
 * session and the agent.
 */
export const ENVELOPE_FIELDS = ["session_id", "agent_id"] as const;

/**
 * tool.execute.before and tool.execute.after, with the arguments where each has them; `mcp` lists the configured
 * servers.
 */
export const createCallSchema = () =>
  v.object({
    input: v.object({
      tool: v.string(),
      sessionID: createTextSchema(),
      callID: createTextSchema(),
      args: v.optional(v.unknown()),
    }),
    output: v.optional(v.unknown()),
    mcp: v.nullish(v.array(v.string()), () => []),
  });

/** tool.execute.before: the arguments are in the output, where they can be changed. */
export const createGateSchema = () => v.object({ output: v.object({ args: v.optional(v.unknown()) }) });

/** A tool's result; an MCP tool's is the server's own [seen 1.18.33, 2026-11-22]. */
export const createResultSchema = () =>
  v.looseObject({
    output: v.optional(v.unknown()),
    content: v.optional(v.unknown()),
    isError: v.optional(v.unknown()),
    metadata: v.fallback(v.optional(v.looseObject({ exit: createNumberSchema() }), {}), {}),
  });

/** A tool's part of a message, after the call has failed. */
export const createFailedPartSchema = () =>
  v.object({
    part: v.object({
      tool: v.string(),
      sessionID: createTextSchema(),
      callID: createTextSchema(),
      state: v.object({
        input: v.optional(v.unknown()),
        error: v.optional(v.unknown()),
        time: v.fallback(v.optional(v.object({ start: createNumberSchema(), end: createNumberSchema() }), {}), {}),
      }),
    }),
    mcp: v.nullish(v.array(v.string()), () => []),
  });

const createPartSchema = () =>
  v.looseObject({
    type: v.string(),
    text: createPolicyTextSchema(),
    synthetic: v.fallback(v.optional(v.boolean()), undefined),
    url: createPolicyTextSchema(),
    filename: createPolicyTextSchema(),
    source: v.nullish(v.looseObject({ path: createPolicyTextSchema() })),
  });

/** chat.message; the output has the user's prompt, in parts. */
export const createPromptSchema = () => v.object({ output: v.object({ parts: v.array(createPartSchema()) }) });

const createModelSchema = () =>
  v.fallback(v.optional(v.looseObject({ providerID: createTextSchema(), modelID: createTextSchema() })), undefined);

/** Where events name their session and model. */
export const createCommonSchema = () =>
  v.object({
    input: v.fallback(v.optional(v.looseObject({ sessionID: createTextSchema() }), {}), {}),
    output: v.fallback(
      v.optional(v.looseObject({ message: v.optional(v.looseObject({ model: createModelSchema() })) }), {}),
      {},
    ),
    properties: v.fallback(
      v.optional(
        v.looseObject({
          sessionID: createTextSchema(),
          permission: createTextSchema(),
          patterns: v.fallback(v.array(v.string()), []),
          part: v.fallback(v.optional(v.looseObject({ sessionID: createTextSchema() })), undefined),
          info: v.fallback(v.optional(v.looseObject({ sessionID: createTextSchema() })), undefined),
        }),
      ),
      undefined,
    ),
  });

/** Inputs that the tool table can't describe. */
export const inputs = { apply_patch: () => v.object({ patchText: v.string() }) };
