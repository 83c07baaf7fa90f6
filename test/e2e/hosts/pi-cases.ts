import {
  countModelRequests,
  findFirstProblem,
  findRunProblem,
  type HostCase,
  hasFired,
  hasReachedModel,
  readProjectFile,
  TOKENS,
} from "../driver.ts";
import { buildPushCase } from "../case-builders.ts";
import type { ToolUse } from "../model.ts";
import type { HostRun, RunSetup } from "../run.ts";
import {
  base,
  buildBashCall,
  denial,
  judgeHeldDenial,
  MARK,
  scriptCalls,
  talking,
  withClient,
} from "./pi-scenarios.ts";

const asking: Pick<RunSetup, "plan"> = {
  plan: [
    {
      event: "tool_call",
      answer: {
        decision: "ask",
        reason: TOKENS.reason,
        modified_input: { command: "echo REWRITTEN > marker.txt" },
      },
    },
  ],
};
const getStdout = ({ sessions }: HostRun) => sessions.map(({ stdout }) => stdout).join("\n");
const hasAsked = (run: HostRun) => getStdout(run).includes('"method":"confirm"');

/** A script for pi's code mode, in which each tool call the script makes is reported. */
const buildScript = (code: string): ToolUse => ({ name: "codemode", input: { code } });
const scripting: RunSetup = {
  script: scriptCalls(
    buildScript(
      'const all = await Promise.allSettled([tools.bash({ command: "echo original > marker.txt" })]); text(all.map((one) => JSON.stringify(one.value) ?? String(one.reason)).join());',
    ),
  ),
  steps: [{ args: ["--tools", "+codemode"] }],
};

export const cases: readonly HostCase[] = [
  {
    name: "an ask that the user confirms: the call runs as rewritten by the hook",
    setup: { ...withClient(base, { do: "prompt", confirm: true }), ...asking },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        !hasAsked(run) && "the user was not asked",
        !getStdout(run).includes("REWRITTEN") && "the user did not see the rewritten call",
        readProjectFile(run, "marker.txt") !== "REWRITTEN\n" && "the rewritten call did not run",
      ),
  },
  {
    name: "an ask that the user declines: the call does not run, and the model is told",
    setup: { ...withClient(base, { do: "prompt" }), ...asking },
    judge: (run) =>
      findFirstProblem(
        judgeHeldDenial(run),
        !hasAsked(run) && "the user was not asked",
        !hasReachedModel(run, "The user declined this call.") && "the model was not told who declined the call",
      ),
  },
  {
    name: "an ask without a user to answer: the call does not run, and the model is told",
    setup: { ...base, ...asking },
    judge: (run) =>
      findFirstProblem(
        judgeHeldDenial(run),
        !hasReachedModel(run, "pi can't ask the user here") && "the model did not get the reason",
      ),
  },
  {
    name: "a client's prompt that is rejected: the client gets the reason, and the model gets nothing",
    setup: { ...withClient(talking, { do: "prompt" }), plan: [{ event: "input", answer: denial }] },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        countModelRequests(run, "main") > 0 && "the model got the prompt",
        !/"method":"notify".*REASON-TOKEN/.test(getStdout(run)) && "the client did not get the reason",
        !getStdout(run).includes('"disposition":"handled"') && "pi did not accept the rejection",
      ),
  },
  {
    name: "a context for a prompt sent while the agent works: the model reads both",
    setup: {
      ...withClient(
        { script: scriptCalls(buildBashCall("sleep 1"), MARK) },
        { do: "prompt" },
        { do: "steer", message: "STEERED" },
      ),
      plan: [{ event: "input", answer: { additional_context: TOKENS.additional_context } }],
    },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        !run.requests.some(
          ({ text }) => text.includes("STEERED") && text.split(TOKENS.additional_context).length === 3,
        ) && "the model did not get the context of both prompts",
      ),
  },
  {
    name: "a denial is enforced on a call made by a code mode script",
    setup: { ...scripting, plan: [{ event: "tool_call", tool: "bash", answer: denial }] },
    judge: judgeHeldDenial,
  },
  {
    name: "contexts of a script's calls reach the model after the script's result, and a new result reaches the script",
    setup: {
      ...scripting,
      plan: [
        { event: "tool_call", tool: "bash", answer: { additional_context: TOKENS.additional_context } },
        { event: "tool_result", tool: "bash", answer: { ...denial, modified_output: TOKENS.modified_output } },
      ],
    },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        ...([TOKENS.reason, TOKENS.additional_context, TOKENS.modified_output] as const).map(
          (text) => !hasReachedModel(run, text) && `the model did not get ${text}`,
        ),
      ),
  },
  {
    name: "a result, a context and a denial after the call reach the model together",
    setup: {
      ...base,
      plan: [
        {
          event: "tool_result",
          answer: {
            ...denial,
            additional_context: TOKENS.additional_context,
            modified_output: TOKENS.modified_output,
          },
        },
      ],
    },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        ...([TOKENS.reason, TOKENS.additional_context, TOKENS.modified_output] as const).map(
          (text) => !hasReachedModel(run, text) && `the model did not get ${text}`,
        ),
      ),
  },
  {
    name: "a rewrite of an MCP tool's arguments and a new result: the server and the model get them",
    setup: {
      script: scriptCalls({ name: "mcp__tiny__echo", input: { text: "hello" } }),
      mcp: true,
      plan: [
        { event: "tool_call", answer: { modified_input: { arguments: { text: "bye" } } } },
        { event: "tool_result", answer: { additional_context: TOKENS.additional_context } },
      ],
    },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        !hasReachedModel(run, "echo: bye") && "the call was not changed",
        !hasReachedModel(run, TOKENS.additional_context) && "the model did not get the context",
      ),
  },
  {
    name: "a rewrite of an edit: the new text is written",
    setup: {
      script: scriptCalls({
        name: "edit",
        input: { path: "notes.txt", edits: [{ oldText: "one", newText: "two" }] },
      }),
      files: { "notes.txt": "one\n" },
      plan: [
        {
          event: "tool_call",
          answer: {
            modified_input: {
              files: [
                { file_path: "notes.txt", operation: "update", edits: [{ old_string: "one", new_string: "three" }] },
              ],
            },
          },
        },
      ],
    },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        readProjectFile(run, "notes.txt") !== "three\n" && "the call was not changed",
      ),
  },
  {
    name: "an edit in an older form of the tool: hooks see the current form",
    setup: {
      script: scriptCalls({ name: "edit", input: { path: "notes.txt", oldText: "one", newText: "two" } }),
      files: { "notes.txt": "one\n" },
    },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        readProjectFile(run, "notes.txt") !== "two\n" && "the edit was not made",
        !run.calls.some(
          ({ native_event, payload }) =>
            native_event === "tool_call" && JSON.stringify(payload.input).includes('"edits":[{"oldText":"one"'),
        ) && "hooks saw another form",
      ),
  },
  {
    name: "pi's path spellings don't hide a file from the starter hooks",
    setup: {
      script: scriptCalls(...["@.env", "@notes.txt"].map((path) => ({ name: "read", input: { path } })), {
        name: "read",
        input: { path: "@@at.txt" },
      }),
      files: { ".env": "TOKEN=SECRET-OF-ENV\n", "notes.txt": "NOTES\n", "@at.txt": "AT-FILE\n" },
    },
    executable: "product",
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        hasReachedModel(run, "SECRET-OF-ENV") && "the model read .env",
        !hasReachedModel(run, "NOTES") && "the model did not get the other file",
        !hasReachedModel(run, "AT-FILE") && "the model did not get the file whose name begins with @",
      ),
  },
  {
    name: "continuations are counted: the first Stop follows none, the second follows one",
    setup: { ...talking, plan: [{ event: "agent_before_settle", answer: denial }], flags: "--max-continuations 1" },
    judge(run) {
      const counts = run.calls
        .filter(({ native_event }) => native_event === "agent_before_settle")
        .map(({ payload }) => `${payload.continuations} ${payload.stop_hook_active}`);
      return findFirstProblem(
        findRunProblem(run),
        counts.join() !== "0 false,1 true" && `the counts were ${counts.join()}`,
        countModelRequests(run, "main") !== 2 && "the agent did not continue once",
      );
    },
  },
  {
    name: "an error of the model ends the run, and no hook can make the agent continue",
    setup: { script: { main: [{ status: 400 }] }, plan: [{ event: "agent_before_settle", answer: denial }] },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        hasFired(run, "agent_before_settle") && "a hook was called",
        !hasFired(run, "agent_settled") && "the end of the run was not reported",
      ),
  },
  {
    name: "JSON mode: the denial is enforced, a message is on stderr, and stdout contains only pi's JSON",
    setup: {
      ...base,
      plan: [{ event: "tool_call", answer: { ...denial, user_message: TOKENS.user_message } }],
      steps: [{ args: ["--mode", "json"] }],
    },
    judge: (run) =>
      findFirstProblem(
        judgeHeldDenial(run),
        !run.sessions[0]?.stderr.includes(TOKENS.user_message) && "the message is not on stderr",
        getStdout(run)
          .split("\n")
          .some((line) => line !== "" && !line.startsWith("{")) && "stdout has other lines",
      ),
  },
  buildPushCase(buildBashCall),
];
