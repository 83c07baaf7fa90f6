import {
  findFirstProblem,
  findRunProblem,
  hasFired,
  hasMarker,
  type HostCase,
  hasReachedModel,
  readProjectFile,
  TOKENS,
} from "../driver.ts";
import { buildLateHookCase, buildPushCase } from "../case-builders.ts";
import { PROBE_EXECUTABLE } from "../releases.ts";
import type { RunSetup } from "../run.ts";
import {
  base,
  buildEchoCall,
  buildShellCall,
  denial,
  denying,
  files,
  hasReachedEnd,
  inAgent,
  isToldWhy,
  judgeHeldDenial,
  scriptCalls,
  scriptTask,
  specific,
} from "./droid-scenarios.ts";

/** Plans an answer in the host's own format, given by an executable without bridge-hooks. */
const answerRaw = (event: string, document: object, code?: number): Pick<RunSetup, "plan"> => ({
  plan: [{ event, raw: { document, ...(code !== undefined && { code }) } }],
});
const REWRITE = { updatedInput: { command: "echo REWRITTEN > marker.txt" } };

/** Cases for how Droid handles answers, and for calls it doesn't report. */
export const callCases: readonly HostCase[] = [
  {
    name: "a denial in a subagent is enforced",
    setup: { ...inAgent, plan: [{ event: "PreToolUse", tool: "Execute", answer: denial }] },
    judge: judgeHeldDenial,
  },
  {
    name: "a denial is enforced on web_search and on a tool that does not exist, and hooks receive both calls",
    setup: {
      script: scriptCalls({ name: "WebSearch", input: { query: "a" } }, { name: "NoSuchTool", input: { a: 1 } }),
      ...denying,
    },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        ...["WebSearch", "NoSuchTool"].map(
          (tool) => !hasFired(run, "PreToolUse", { tool }) && `the executable did not run for ${tool}`,
        ),
        isToldWhy(run),
      ),
  },
  {
    name: "a denial is enforced if nothing was approved in advance",
    setup: { ...base, ...denying, steps: [{ args: ["exec", "-m", "custom:mock-0", "do it"] }] },
    judge: judgeHeldDenial,
  },
  {
    name: "a context and a denial after the call reach the model together",
    setup: {
      ...base,
      plan: [{ event: "PostToolUse", answer: { ...denial, additional_context: TOKENS.additional_context } }],
    },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        ...([TOKENS.reason, TOKENS.additional_context] as const).map(
          (text) => !hasReachedModel(run, text) && `the model did not get ${text}`,
        ),
      ),
  },
  {
    name: "rewritten arguments of an MCP tool reach the server",
    setup: {
      script: scriptCalls(buildEchoCall({ text: "hello" })),
      mcp: true,
      plan: [{ event: "PreToolUse", answer: { modified_input: { arguments: { text: "bye" } } } }],
    },
    judge: (run) =>
      findFirstProblem(findRunProblem(run), !hasReachedModel(run, "echo: bye") && "the call was not changed"),
  },
  {
    name: "a rewrite that would remove an argument becomes a denial",
    setup: {
      script: scriptCalls(buildEchoCall({ text: "hello", more: "x" })),
      mcp: true,
      plan: [{ event: "PreToolUse", answer: { modified_input: { arguments: { text: "bye" } } } }],
    },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        hasReachedModel(run, "echo: ") && "the call took place",
        !hasReachedModel(run, "wanted to change arguments in this MCP call") && "the model did not get the reason",
      ),
  },
  {
    name: "a rewrite of an edit: the new text is written",
    setup: {
      script: scriptCalls(
        { name: "Read", input: { file_path: "notes.txt" } },
        { name: "Edit", input: { file_path: "notes.txt", old_str: "one", new_str: "two" } },
      ),
      files,
      plan: [
        {
          event: "PreToolUse",
          tool: "Edit",
          answer: {
            modified_input: {
              files: [
                {
                  file_path: "notes.txt",
                  operation: "update",
                  edits: [{ old_string: "one", new_string: "three" }],
                },
              ],
            },
          },
        },
      ],
    },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        !readProjectFile(run, "notes.txt")?.startsWith("three") && "the call was not changed",
      ),
  },
  {
    name: "a rewrite is merged into the input: a partial input suffices",
    setup: { ...base, ...answerRaw("PreToolUse", specific(REWRITE)) },
    executable: "raw",
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        readProjectFile(run, "marker.txt") !== "REWRITTEN\n" && "the call was not changed",
      ),
  },
  {
    name: "limit: a rewrite together with an ask: the original runs",
    setup: { ...base, ...answerRaw("PreToolUse", specific({ permissionDecision: "ask", ...REWRITE })) },
    executable: "raw",
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        readProjectFile(run, "marker.txt") !== "original\n" && "the original did not run: update the table",
      ),
  },
  {
    name: "limit: a decision outside of hookSpecificOutput does not deny",
    setup: { ...base, ...answerRaw("PreToolUse", { decision: "deny", reason: TOKENS.reason }) },
    executable: "raw",
    judge: (run) => findFirstProblem(findRunProblem(run), !hasMarker(run) && "the call did not take place"),
  },
  ...[answerRaw("PreToolUse", {}, 3), answerRaw("PreToolUse", { continue: false })].map((setup, at): HostCase => ({
    name: `limit: ${at === 0 ? "exit code 3" : '"continue": false'} ends the run without a message`,
    setup: { ...base, ...setup },
    executable: "raw",
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        hasMarker(run) && "the call took place",
        hasReachedEnd(run) && "the model got another turn: update docs/hosts/droid.md",
      ),
  })),
  {
    name: "limit: a failed call has no event after it",
    setup: { script: scriptCalls(buildShellCall("exit 3")) },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        !hasFired(run, "PreToolUse") && "the executable did not run",
        hasFired(run, "PostToolUse") && "the event was reported: update the table",
      ),
  },
  {
    name: "limit: the prompt of droid exec is not reported",
    setup: base,
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        !hasFired(run, "PreToolUse") && "the executable did not run",
        hasFired(run, "UserPromptSubmit") && "the event was reported: update the table",
      ),
  },
  {
    name: "limit: a prompt that does not fit into a variable is sent without a hook call",
    setup: {
      ...scriptTask(`SUBAGENT do it ${"x".repeat(140_000)}`),
      plan: [{ event: "UserPromptSubmit", answer: denial }],
    },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        hasFired(run, "UserPromptSubmit") && "the event was reported: update the table",
        !hasMarker(run) && "the subagent did not work",
      ),
  },
  {
    name: "a shell that prints before the executable starts: the exit code enforces the denial",
    setup: {
      ...base,
      ...denying,
      events: ["PreToolUse"],
      entry: { command: `echo noise; "${PROBE_EXECUTABLE}" --host droid --event PreToolUse` },
    },
    judge: judgeHeldDenial,
  },
  {
    name: "an entry for Claude Code is answered in Droid's format",
    setup: {
      ...base,
      ...denying,
      events: ["PreToolUse"],
      entry: { command: `"${PROBE_EXECUTABLE}" --host claude --event PreToolUse` },
    },
    judge: judgeHeldDenial,
  },
  {
    name: "an entry without a host: the denial is enforced",
    setup: { ...base, ...denying, events: ["PreToolUse"], entry: { command: `"${PROBE_EXECUTABLE}"` } },
    judge: judgeHeldDenial,
  },
  buildLateHookCase(buildShellCall),
  buildPushCase(buildShellCall),
];
