import { expect } from "bun:test";
import { simulate } from "../../../src/author/testing/index.ts";
import { commands, fromCommand } from "../../../src/index.ts";
import { defineHook } from "../../../src/protocol/hook.ts";
import { answerCall } from "../../support/answer-call.ts";
import { allows, ASK_ANYWAY, denial, gets, toApprove } from "./answers.ts";
import { createEntry, sees } from "./calls.ts";
import { buildPayload, shellFields, SHELL } from "./fields.ts";
import { accepts, judges } from "./machine.ts";
import { sections } from "./section.ts";
import { CURSOR_ASK } from "../differences.ts";

const [audit, block] = ["audit", "block-git"].map((name) => ({ command: `./hooks/${name}.sh` }));
const events =
  "sessionStart sessionEnd beforeShellExecution beforeMCPExecution afterShellExecution afterMCPExecution afterFileEdit " +
  "beforeSubmitPrompt preCompact stop beforeTabFileRead afterTabFileEdit";
const all = events.split(" ");
const anything = { ...shellFields, tool_name: "search", file_path: "/a", prompt: "hi" };

const PUSH = ["beforeShellExecution", { ...shellFields, command: "git push" }] as const;
const apply = { command: "kubectl apply -f a.yaml" };
const APPLY = ["beforeShellExecution", { ...apply, cwd: "" }] as const;
const question = { decision: "ask", reason: "A", user_message: "U" } as const;
const stopped = { status: "error", loop_count: 2 };
/** A hook that makes the agent continue after an error. */
const retries = (fields: object, document: object, stderr: RegExp) =>
  gets("stop", { ...stopped, loop_count: 0, ...fields }, { decision: "deny", reason: "R" }, document, { stderr });

export const examples = sections(
  "# Examples",
  "The example with hooks at twelve events is accepted",
  accepts({ ...Object.fromEntries(all.map((event) => [event, [audit]])), beforeShellExecution: [audit, block] }),
  "One script may audit every event: it gets the whole payload",
  ...all.map((event) => sees(event, anything, { native_event: event, _native: buildPayload(event, anything) })),
  ["The script that blocks git reads `command`", sees(...PUSH, { input: { command: "git push" } })],
  "It runs unchanged, and other hosts obey it too",
  "shown by author/script-hosts.test.ts: for a Cursor event denies on Claude Code, and its allow approves nothing",
  "shown by author/script-hosts.test.ts: for any host gets that host's payload, and its denial is obeyed by every other host",
  'It denies with `permission: "deny"`, a `user_message` and an `agent_message`',
  gets(...PUSH, { ...question, decision: "deny" }, denial("U", "A")),
  "`continue: true` beside a permission changes nothing",
  judges("beforeShellExecution", { continue: true, permission: "deny" }, "denied"),
  allows(...SHELL),
  '`permission: "ask"` asks the user',
  `differs: ${CURSOR_ASK}`,
  "shown by hosts/understand.test.ts: a script's answer",
  "shown by call/answers.test.ts: the whole answer",
  gets(...PUSH, question, denial("U", toApprove("A"))),
  gets(...PUSH, question, { permission: "ask", user_message: "U", agent_message: "A" }, ASK_ANYWAY),
  ['It lets everything else pass with `permission: "allow"`', allows(...SHELL)],
  "A hook in TypeScript gets typed JSON at `stop`: `conversation_id`, `model`, `status`, `loop_count`",
  sees("stop", stopped, { event: "Stop", session_id: "conv-456", model: "claude-sonnet-4-20250514", continuations: 2 }),
  sees("stop", stopped, { _native: { status: "error", generation_id: "gen-1" } }),
  "It keeps counts per conversation on disk",
  "shown by author/state.test.ts: keeps values that are set and removes keys that are deleted",
  "shown by author/state.test.ts: is separate for each session of each host, or each directory without a session ID",
  "It may make HTTP calls, to an address from a variable",
  async () => {
    let request: unknown;
    const fetched = async (given: Request) => ((request = await given.json()), new Response());
    await using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: fetched });
    const hook = defineHook({
      event: "Stop",
      handler: async ({ session_id, _native: { status } }) =>
        void (await fetch(server.url, { method: "POST", body: JSON.stringify({ session_id, status }) })),
    });
    const read = () => buildPayload("stop", stopped);
    const { exit_code, stdout } = await answerCall([createEntry(hook)], {}, ["--host", "cursor"], { env: {}, read });
    expect([exit_code, stdout, request]).toEqual([0, "{}", { session_id: "conv-456", status: "error" }]);
  },
  "The example retries with a `followup_message` after errors",
  "differs: After a failed run, the message is sent with a warning, because Cursor didn't use it in test runs. Version 1.0.0 of the SDK doesn't receive it [shipped @cursor/sdk 1.0.32]",
  retries({}, { followup_message: "R" }, /not observed to work after a run that failed or was stopped/),
  retries({ cursor_version: "1.0.0" }, {}, /the SDK runtime doesn't read the answer after a run that failed/),
  "The script at `stop` runs unchanged, and makes the agents of other hosts go on too",
  async () => {
    const retry = 'cat > /dev/null; echo \'{"followup_message":"Retry."}\'';
    const hook = fromCommand(["/bin/sh", "-c", retry], { host: "cursor", event: "Stop" });
    for (const host of ["cursor", "claude", "codex"]) {
      const { decision, reason } = await simulate(hook, { event: "Stop", cwd: "/tmp", session_id: host }, { host });
      expect([host, decision, reason]).toEqual([host, "deny", "Retry."]);
    }
  },
  "A hook that fails at `stop` prints `{}`",
  gets("stop", stopped, "no response" as never, {}, { stderr: /failed/, exit_code: 1 }),
  "The manifest guard resolves a path from `cwd`, or from `.//` if there is none",
  sees("beforeShellExecution", { ...apply, cwd: "/k8s" }, { cwd: "/k8s", input: { cwd: "/k8s" } }),
  sees(...APPLY, { cwd: "/project" }),
  "It splits the line into words as a shell does",
  async () => {
    let found: unknown;
    const handler = (event: Parameters<typeof commands>[0]) => void (found = commands(event).map(({ words }) => words));
    const command = "cd x && kubectl apply -n 'prod' -f \"a b.yaml\"";
    const event = { event: "PreToolUse", tool: "Bash", input: { command }, cwd: "/project" } as const;
    await simulate(defineHook({ event: "PreToolUse", handler }), event);
    expect(found).toContainEqual(["kubectl", "apply", "-n", "prod", "-f", "a b.yaml"]);
  },
  "The example asks before an apply to production, with messages for the user and the agent",
  `differs: ${CURSOR_ASK}`,
  gets(...APPLY, question, denial("U", toApprove("A")), { stderr: /this Cursor release runs the call without asking/ }),
  "A hook's dependencies have to be installed wherever hooks run",
  "differs: The executable contains the hooks and everything that the hooks import [docs docs/guide/first-hook.md]",
  // The hook imports two modules, and runs in a directory that contains neither.
  { host: "cursor", stdin: buildPayload("stop", stopped), sees: { event: "Stop" } },
);
