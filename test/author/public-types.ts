/** This code never runs: the type check is the test. Each `@ts-expect-error` fails if the code below compiles. */
import { defineHook, deny, run, type Schema } from "bridge-hooks";
import { drop, downgrade, native, type CapabilityRow, unenforceable } from "../../src/protocol/capability.ts";

const yes = native("yes", "unverified");
const post = {
  event: "PostToolUse",
  shape: "x",
  allow: yes,
  deny: yes,
  ask: yes,
  reason: yes,
  user_message: yes,
  additional_context: yes,
  modified_output: yes,
} as const;
const before = { ...post, event: "PreToolUse", modified_output: undefined } as const;
const start = { ...before, event: "SessionStart", modified_input: drop(["gone", "deny"], "unverified") } as const;
const dropped = drop(["gone", "deny"], "unverified");

export const rows: CapabilityRow[] = [
  { ...post, modified_input: dropped },
  { ...before, modified_input: downgrade(["denied", "deny"], "unverified") },
  { ...before, modified_input: unenforceable(["can't", "deny"], "unverified") },
  { ...post, modified_input: dropped, deny: unenforceable(["can't", "deny"], "unverified") },
  // @ts-expect-error a denial that is dropped silently
  { ...post, modified_input: dropped, deny: dropped },
  // @ts-expect-error a denial that becomes something else
  { ...post, modified_input: dropped, deny: downgrade(["ask", "deny"], "unverified") },
  // @ts-expect-error a denial that is dropped in some versions
  { ...post, modified_input: dropped, deny: [drop(["gone", "deny"], "unverified", { versions: "<1" }), yes] },
  // @ts-expect-error an "ask" that is dropped: the call would run without approval
  { ...post, modified_input: dropped, ask: dropped },
  { ...post, modified_input: dropped, modified_output: unenforceable(["can't", "deny"], "unverified") },
  { ...start, session_env: dropped },
  // @ts-expect-error a replaced result that is dropped: the model would read the original
  { ...post, modified_input: dropped, modified_output: dropped },
  // @ts-expect-error a row of a finished call that doesn't state whether the result can be replaced
  { ...post, modified_input: dropped, modified_output: undefined },
  // @ts-expect-error a session start that doesn't state whether variables are supported
  start,
  // @ts-expect-error a rewrite that is dropped before a call: the original would run
  { ...before, modified_input: dropped },
];

// @ts-expect-error a fact without a source
native("yes");
// @ts-expect-error an unknown kind of source
native("yes", "heard somewhere");

defineHook({
  event: "PreToolUse",
  tool: "Bash",
  handler: (event) => (event.input.command === "" ? deny("empty") : undefined),
});
defineHook({ event: "PreToolUse", tool: ["Read", "Write"], handler: (event) => void event.input.file_path });
defineHook({
  event: ["Stop", "SubagentStop"],
  handler: async (event, { signal }) => void [event.continuations, signal.aborted],
});
defineHook({
  event: "PreToolUse",
  handler(event) {
    if (event.tool === "Bash") return deny(event.input.command);
    // @ts-expect-error only Bash has a command
    return deny(event.input.command);
  },
});
// @ts-expect-error an edit may have several files
defineHook({ event: "PreToolUse", tool: "Edit", handler: (event) => void event.input.file_path });
// @ts-expect-error unknown event
defineHook({ event: "preToolUse", handler: () => undefined });
// @ts-expect-error unknown tool
defineHook({ event: "PreToolUse", tool: "Shell", handler: () => undefined });
// @ts-expect-error unknown field in a response
defineHook({ event: "PreToolUse", handler: () => ({ permission: "deny" }) });
// @ts-expect-error unknown decision
defineHook({ event: "PreToolUse", handler: () => ({ decision: "block" }) });
// @ts-expect-error unknown option
defineHook({ event: "PreToolUse", handler: () => undefined, onerror: "deny" });
// @ts-expect-error a prompt doesn't have a tool
defineHook({ event: "UserPromptSubmit", handler: (event) => void event.tool });

export const entry = () =>
  run(
    {
      PreToolUse: (event) => (event.tool === "Bash" ? deny(event.input.command) : undefined),
      Stop: (event) => void event.last_message,
    },
    {
      host: "claude",
      argv: [],
      stdin: "{}",
      cursorAskFallback: "ask",
      cursorDeny: "json",
      codexAskFallback: "deny",
      onError: "deny",
      timeoutMs: 1,
      maxContinuations: 2,
    },
  );
// @ts-expect-error invalid value of a host option
export const wrong = () => run({}, { cursorAskFallback: "allow" });

/** A schema from any validation library. */
declare const limits: Schema<{ most: number }>;
defineHook({
  event: "PreToolUse",
  options: limits,
  handler: (_, { options, log }) => void log(options.most.toFixed()),
});
// @ts-expect-error the schema doesn't have this setting
defineHook({ event: "PreToolUse", options: limits, handler: (_, { options }) => options.least });
// @ts-expect-error no settings without a schema
defineHook({ event: "PreToolUse", handler: (_, { options }) => options.most });
// @ts-expect-error not a schema
defineHook({ event: "PreToolUse", options: { most: 1 }, handler: () => undefined });
// @ts-expect-error unknown field in a hook
defineHook({ event: "PreToolUse", onerror: "deny", handler: () => undefined });
