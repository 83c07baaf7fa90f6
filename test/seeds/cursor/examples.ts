import { deepEqual, equal, match } from "node:assert/strict";
import { createHookEntry } from "../../../src/protocol/hook.ts";
import { commands, defineHook, fromCommand, state } from "../../../src/index.ts";
import { answerCall } from "../../../src/run/run.ts";
import { simulate } from "../../../src/author/testing/index.ts";
import type { ClaimSection } from "../claim.ts";
import {
  createAnswerCase,
  buildConfig,
  createDenialCase,
  expectValidConfig,
  judgeDecision,
  createSeenCase,
  buildPayload,
  shellFields,
} from "./shared.ts";

const audit = [{ command: "./hooks/audit.sh" }];
const all = {
  sessionStart: [{ command: "./hooks/session-init.sh" }],
  sessionEnd: audit,
  beforeShellExecution: [...audit, { command: "./hooks/block-git.sh" }],
  beforeMCPExecution: audit,
  afterShellExecution: audit,
  afterMCPExecution: audit,
  afterFileEdit: audit,
  beforeSubmitPrompt: audit,
  preCompact: audit,
  stop: audit,
  beforeTabFileRead: [{ command: "./hooks/redact-secrets-tab.sh" }],
  afterTabFileEdit: [{ command: "./hooks/format-tab.sh" }],
};

/** A script for Cursor that denies git, asks for gh, and allows everything else. */
const script = `input=$(cat); case "$input" in
*'"command":"git '*) echo '{"continue":true,"permission":"deny","user_message":"No git.","agent_message":"Use gh."}' ;;
*'"command":"gh '*) echo '{"continue":true,"permission":"ask","user_message":"gh?","agent_message":"It is gh."}' ;;
*) echo '{"continue":true,"permission":"allow"}' ;;
esac`;
const guard = () =>
  fromCommand(["/bin/sh", "-c", script], { host: "cursor", at: "beforeShellExecution", tool: "Bash" });
const asked = (command: string, on?: string) =>
  simulate(
    guard(),
    { event: "PreToolUse", tool: "Bash", input: { command }, cwd: "/tmp" },
    on === undefined ? {} : { host: on },
  );

const stopped = { status: "error", loop_count: 2 };

export const examples: ClaimSection[] = [
  {
    title: "Examples",
    claims: [
      { says: "The example with hooks at twelve events is accepted", check: () => expectValidConfig(buildConfig(all)) },
      {
        says: "One script may audit every event: it gets the whole payload",
        cases: Object.keys(all).map((native_event) => ({
          ...createSeenCase(native_event, { ...shellFields, tool_name: "search", file_path: "/a", prompt: "hi" }, {}),
          sees: {
            native_event,
            _native: buildPayload(native_event, { ...shellFields, tool_name: "search", file_path: "/a", prompt: "hi" }),
          },
        })),
      },
      {
        says: "The script that blocks git reads `command`",
        cases: [
          createSeenCase(
            "beforeShellExecution",
            { ...shellFields, command: "git push" },
            { input: { command: "git push" } },
          ),
        ],
      },
      {
        says: "It runs unchanged, and other hosts obey it too",
        async check() {
          for (const on of ["cursor", "claude", "codex"]) {
            const { decision, reason, user_message, answer } = await asked("git push", on);
            deepEqual([on, decision, reason, user_message], [on, "deny", "Use gh.", "No git."]);
            match(answer?.stdout ?? "", /Use gh\./);
          }
          // Such scripts allow everything by default, which must not overrule another hook.
          equal((await asked("ls")).decision, undefined);
        },
      },
      {
        says: 'It denies with `permission: "deny"`, a `user_message` and an `agent_message`',
        cases: [
          createDenialCase(
            "beforeShellExecution",
            { ...shellFields, command: "git push" },
            { reason: "Use gh.", user_message: "No git." },
            { permission: "deny", user_message: "No git.", agent_message: "Use gh." },
          ),
        ],
      },
      {
        says: "`continue: true` beside a permission changes nothing",
        check: () =>
          equal(judgeDecision("beforeShellExecution", { continue: true, permission: "deny" }).kind, "denied"),
        cases: [createAnswerCase("beforeShellExecution", shellFields, { decision: "allow" }, { permission: "allow" })],
      },
      {
        says: 'It asks the user with `permission: "ask"`',
        differs:
          "Cursor 2.4.21 and later was not seen to ask: it gets a denial that says so, or `ask` with `--cursor-ask-fallback ask`; older releases get `ask` [seen @cursor/sdk 1.0.32, 2026-11-21]",
        async check() {
          const { decision, reason, user_message } = await asked("gh pr list");
          deepEqual([decision, reason, user_message], ["ask", "It is gh.", "gh?"]);
        },
        cases: [
          {
            ...createDenialCase(
              "beforeShellExecution",
              shellFields,
              {},
              {
                permission: "deny",
                user_message: "gh?",
                agent_message: "It is gh.\nThis needs the user's approval, which Cursor can't ask for here.",
              },
            ),
            answer: { decision: "ask", reason: "It is gh.", user_message: "gh?" },
          },
          createAnswerCase(
            "beforeShellExecution",
            shellFields,
            { decision: "ask", reason: "It is gh.", user_message: "gh?" },
            { permission: "ask", user_message: "gh?", agent_message: "It is gh." },
            { args: ["--cursor-ask-fallback", "ask"] },
          ),
          createAnswerCase(
            "beforeShellExecution",
            { ...shellFields, cursor_version: "2.3.10" },
            { decision: "ask", reason: "It is gh." },
            { permission: "ask", agent_message: "It is gh." },
          ),
        ],
      },
      {
        says: 'It lets everything else pass with `permission: "allow"`',
        cases: [
          createAnswerCase(
            "beforeShellExecution",
            shellFields,
            { decision: "allow" },
            { permission: "allow" },
            { stderr: "" },
          ),
        ],
      },
      {
        says: "A hook in TypeScript gets typed JSON at `stop`: `conversation_id`, `model`, `status`, `loop_count`",
        cases: [
          createSeenCase("stop", stopped, {
            event: "Stop",
            session_id: "conv-456",
            model: "claude-sonnet-4-20250514",
            continuations: 2,
            _native: { status: "error", generation_id: "gen-1" },
          }),
        ],
      },
      {
        says: "It keeps counts per conversation on disk",
        async check() {
          const counting = defineHook({
            event: "Stop",
            handler(event) {
              const errors = Number(state(event).get("errors") ?? 0) + 1;
              state(event).set("errors", errors);
              return errors >= 2 ? { decision: "deny" as const, reason: "Retry." } : undefined;
            },
          });
          const event = { event: "Stop", session_id: "seeds-examples", cwd: "/project" } as const;
          equal((await simulate(counting, event)).decision, undefined);
          equal((await simulate(counting, event)).reason, "Retry.");
        },
      },
      {
        says: "It may make HTTP calls, to an address from a variable",
        async check() {
          const requests: unknown[] = [];
          await using server = Bun.serve({
            port: 0,
            hostname: "127.0.0.1",
            async fetch(request) {
              requests.push(await request.json());
              return new Response();
            },
          });
          const reporting = defineHook({
            event: "Stop",
            async handler({ session_id, _native: { status } }) {
              await fetch(server.url, { method: "POST", body: JSON.stringify({ session_id, status }) });
            },
          });
          const { exit_code, stdout } = await answerCall(
            [createHookEntry(reporting, "reporting")],
            {},
            ["--host", "cursor"],
            {
              env: {},
              read: () => buildPayload("stop", stopped),
            },
          );
          deepEqual([exit_code, stdout, requests], [0, "{}", [{ session_id: "conv-456", status: "error" }]]);
        },
      },
      {
        says: "It retries with a `followup_message` after errors",
        differs:
          "it is sent, with a warning that Cursor was not seen to take it after a failed run; the SDK, which reports version 1.0.0, does not read it then and gets none [shipped @cursor/sdk 1.0.32]",
        cases: [
          createAnswerCase(
            "stop",
            { status: "error", loop_count: 0 },
            { decision: "deny", reason: "Retry." },
            { followup_message: "Retry." },
            { stderr: /Cursor was not seen to take it after a run that failed or was stopped/ },
          ),
          createAnswerCase(
            "stop",
            { status: "error", loop_count: 0, cursor_version: "1.0.0" },
            { decision: "deny", reason: "Retry." },
            {},
            { stderr: /decision "deny" can't be enforced; the SDK runtime reads no answer after a run that failed/ },
          ),
        ],
      },
      {
        says: "The script at `stop` runs unchanged, and makes the agents of other hosts go on too",
        async check() {
          const retry = 'cat > /dev/null; echo \'{"followup_message":"Retry."}\'';
          const again = fromCommand(["/bin/sh", "-c", retry], { host: "cursor", event: "Stop" });
          for (const on of ["cursor", "claude", "codex"]) {
            const { decision, reason } = await simulate(
              again,
              { event: "Stop", cwd: "/tmp", session_id: `seeds-${on}` },
              { host: on },
            );
            deepEqual([on, decision, reason], [on, "deny", "Retry."]);
          }
        },
      },
      {
        says: "A hook that fails at `stop` prints `{}`",
        cases: [
          {
            host: "cursor",
            stdin: buildPayload("stop", stopped),
            env: { SEEDS_ANSWER: "no JSON" },
            stdout: {},
            exit_code: 1,
            stderr: /failed/,
          },
        ],
      },
      {
        says: "The manifest guard resolves a path from `cwd`, or from `.//` if there is none",
        cases: [
          createSeenCase(
            "beforeShellExecution",
            { command: "kubectl apply -f a.yaml", cwd: "/project/k8s" },
            { cwd: "/project/k8s", input: { cwd: "/project/k8s" } },
          ),
          createSeenCase("beforeShellExecution", { command: "kubectl apply -f a.yaml", cwd: "" }, { cwd: "/project" }),
        ],
      },
      {
        says: "It splits the line into words as a shell does",
        async check() {
          let found: unknown;
          const reading = defineHook({
            event: "PreToolUse",
            tool: "Bash",
            handler: (event) => void (found = commands(event).map(({ words }) => words)),
          });
          const command = "cd x && kubectl apply -n 'prod' -f \"a b.yaml\"";
          await simulate(reading, { event: "PreToolUse", tool: "Bash", input: { command }, cwd: "/project" });
          match(JSON.stringify(found), /\["kubectl","apply","-n","prod","-f","a b\.yaml"\]/);
        },
      },
      {
        says: "It asks before an apply to production, with messages for the user and the agent",
        differs:
          "Cursor runs such a call without asking, so `ask` becomes a denial with both messages, unless `--cursor-ask-fallback ask` [seen @cursor/sdk 1.0.32, 2026-11-21]",
        cases: [
          {
            ...createAnswerCase(
              "beforeShellExecution",
              { command: "kubectl apply -f a.yaml", cwd: "" },
              { decision: "ask", reason: "a.yaml is for prod.", user_message: "Apply to prod?" },
              {
                permission: "deny",
                user_message: "Apply to prod?",
                agent_message: "a.yaml is for prod.\nThis needs the user's approval, which Cursor can't ask for here.",
              },
            ),
            stderr: /decision "ask" became a denial; this Cursor runs the call without asking/,
          },
        ],
      },
      {
        says: "A hook's dependencies have to be installed wherever hooks run",
        differs: "the executable contains the hooks and everything they import [docs docs/guide/first-hook.md]",
        // The hook imports two modules, and runs in a directory that has neither.
        cases: [createSeenCase("stop", stopped, { event: "Stop" })],
      },
    ],
  },
];
