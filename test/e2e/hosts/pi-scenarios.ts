import { setup as installation } from "../../../src/hosts/pi/install.ts";
import {
  countModelRequests,
  findFirstProblem,
  findRunProblem,
  TOKENS,
  type HostScenario,
  hasFired,
  hasMarker,
  hasReachedModel,
  PRINT_RESULT_COMMAND,
  PRINT_VARIABLE_COMMAND,
  readProjectFile,
} from "../driver.ts";
import type { ModelScript, ModelTurn, ToolUse } from "../model.ts";
import type { HostRun, RunSetup } from "../run.ts";
import type { PiAction } from "./pi-rpc.ts";

export const buildBashCall = (command: string): ToolUse => ({ name: "bash", input: { command } });
export const MARK = buildBashCall("echo original > marker.txt");
export const FINAL: ModelTurn = { text: "FINAL" };
export const scriptCalls = (...calls: ToolUse[]): ModelScript => ({
  main: [...calls.map((call) => ({ calls: [call] })), FINAL],
});
export const base: RunSetup = { script: scriptCalls(MARK) };
export const talking: RunSetup = { script: { main: [FINAL] } };
const failing: RunSetup = { script: scriptCalls({ name: "read", input: { path: "none.txt" } }) };
/** Runs pi through a client, which can answer dialogs and receive messages. */
export const withClient = (setup: RunSetup, ...app: PiAction[]): RunSetup => ({ ...setup, steps: [{ app }] });
const compacting = withClient(
  { script: { main: [FINAL, FINAL] } },
  { do: "prompt", message: "do it ".repeat(400) },
  { do: "prompt" },
  { do: "command", type: "compact" },
);
const commanding = withClient(
  talking,
  { do: "command", type: "bash", command: "echo original > marker.txt" },
  { do: "prompt" },
);
const renewing = withClient(talking, { do: "prompt" }, { do: "command", type: "new_session" });

/** The events that get entries when all events are installed. */
export const events = installation.planSubscriptions("all").map(({ native_event }) => native_event);

/** A project extension that asks the user about each call. */
const ASKING = `export default (pi) => pi.on("tool_call", async (_event, ctx) => void (await ctx.ui.confirm("Run", "?")));\n`;

const hasReachedModelTurn = (run: HostRun) => countModelRequests(run, "main") > 0;
export const hasReachedEnd = (run: HostRun) => run.sessions.at(-1)?.stdout.includes("FINAL") ?? false;
const hasCompacted = (run: HostRun) => hasFired(run, "session_compact");

const hasBegunAgain = (run: HostRun) =>
  run.calls.filter(({ native_event }) => native_event === "session_start").length > 1;
const prompting: RunSetup = {
  ...withClient(base, { do: "prompt", confirm: true }),
  trusting: true,
  files: { ".pi/extensions/ask.js": ASKING },
};

export const scenarios: Record<string, HostScenario> = {
  session_start: {
    setup: base,
    passed: hasReachedModelTurn,
    reader: "user",
    variants: { session_env: { script: scriptCalls(buildBashCall(PRINT_VARIABLE_COMMAND)) } },
  },
  input: { setup: talking, passed: hasReachedModelTurn, reader: "user" },
  tool_call: {
    setup: base,
    passed: hasMarker,
    rewrite: {
      patch: { command: "echo REWRITTEN > marker.txt" },
      done: (run) => readProjectFile(run, "marker.txt") === "REWRITTEN\n",
    },
    variants: { ask: withClient(base, { do: "prompt" }) },
    asked: (run) => run.sessions[0]?.stdout.includes('"method":"confirm"') === true && !hasMarker(run),
  },
  tool_result: {
    setup: base,
    at: { tool: "bash" },
    passed: (run) => !hasReachedModel(run, "REASON-TOKEN"),
    variants: { modified_output: { script: scriptCalls(buildBashCall(PRINT_RESULT_COMMAND)) } },
  },
  tool_failure: {
    setup: failing,
    at: { tool: "read" },
    passed: (run) => !hasReachedModel(run, "REASON-TOKEN"),
    original: "ENOENT",
  },
  agent_before_settle: {
    setup: talking,
    passed: (run) => countModelRequests(run, "main") === 1,
    denied: (run) => countModelRequests(run, "main") === 2,
  },
  session_shutdown: { setup: talking, passed: hasReachedEnd },
  session_before_compact: { setup: compacting, passed: hasCompacted, reader: "user" },
  session_compact: { setup: compacting, passed: hasReachedEnd },
  ui_prompt_start: { setup: prompting, passed: hasReachedEnd },
  user_bash: { setup: commanding, passed: hasMarker, reader: "user" },
  session_before_switch: {
    setup: renewing,
    passed: hasBegunAgain,
    reader: "user",
  },
  session_before_fork: {
    setup: withClient(talking, { do: "prompt" }, { do: "fork" }),
    passed: hasBegunAgain,
    reader: "user",
  },
  session_info_changed: {
    setup: withClient(talking, { do: "command", type: "set_session_name", name: "a name" }, { do: "prompt" }),
    passed: hasReachedEnd,
  },
  // One run subscribes to every event, so that all payloads are recorded.
  agent_settled: { setup: { ...base, events }, passed: hasReachedEnd },
  ui_prompt_end: { setup: prompting, passed: hasReachedEnd },
};

export const denial = { decision: "deny", reason: TOKENS.reason } as const;
export const denying: Pick<RunSetup, "plan"> = { plan: [{ event: "tool_call", answer: denial }] };
export const judgeHeldDenial = (run: HostRun) =>
  findFirstProblem(
    findRunProblem(run),
    !hasFired(run, "tool_call") && "the executable did not run",
    hasMarker(run) && "the denial was not enforced",
    !hasReachedModel(run, TOKENS.reason) && "the model did not get the reason",
  );

/** The user's pi directory, relative to the project. */
export const AGENT = "../home/.pi/agent";
