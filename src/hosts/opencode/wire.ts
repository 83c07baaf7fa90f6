import * as v from "valibot";
import { number, record, text } from "../wire.ts";

/** What plugin.js puts around every event; the session and the agent in what happens inside a subagent, which is a session itself. */
export const ENVELOPE = ["cwd", "session_id", "agent_id"] as const;

/** tool.execute.before and tool.execute.after, with the arguments where each has them; `mcp` are the names of the configured servers. */
export const Call = () =>
  v.object({
    input: v.object({ tool: v.string(), sessionID: text(), callID: text(), args: v.optional(v.unknown()) }),
    output: v.optional(v.unknown()),
    mcp: v.fallback(v.optional(v.array(v.string()), []), []),
  });

/** What a tool gave back; an MCP tool's is the server's own result [seen 1.18.33, 2026-11-22]. */
export const Result = () =>
  v.looseObject({
    output: text(),
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
        input: record(),
        error: v.fallback(v.string(), ""),
        time: v.fallback(v.optional(v.object({ start: number(), end: number() }), {}), {}),
      }),
    }),
    mcp: v.fallback(v.optional(v.array(v.string()), []), []),
  });

const Part = () =>
  v.looseObject({
    type: v.string(),
    text: text(),
    synthetic: v.fallback(v.optional(v.boolean()), undefined),
    url: text(),
    filename: text(),
    source: v.fallback(v.optional(v.looseObject({ path: text() })), undefined),
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
        }),
      ),
      undefined,
    ),
  });

/** Inputs of the tools, as far as policies need them [seen 1.18.33, 2026-11-22: the tools' own schemas]. */
export const inputs = {
  bash: () => v.object({ command: v.string(), description: text(), timeout: number(), workdir: text() }),
  read: () => v.object({ filePath: v.string(), offset: number(), limit: number() }),
  write: () => v.object({ filePath: v.string(), content: v.fallback(v.string(), "") }),
  edit: () => v.object({ filePath: v.string(), oldString: v.fallback(v.string(), ""), newString: v.fallback(v.string(), "") }),
  apply_patch: () => v.object({ patchText: v.string() }),
  glob: () => v.object({ pattern: v.fallback(v.string(), "*"), path: text() }),
  grep: () => v.object({ pattern: v.fallback(v.string(), ""), path: text(), include: text() }),
  webfetch: () => v.object({ url: v.string() }),
  websearch: () => v.object({ query: v.fallback(v.string(), "") }),
  task: () => v.object({ prompt: v.fallback(v.string(), ""), description: text(), subagent_type: text() }),
};
