import { deepEqual, equal, match, notEqual, ok } from "node:assert/strict";
import { chmodSync, statSync } from "node:fs";
import { checkProgram } from "../../../src/cli/doctor/program.ts";
import { applyInstall, planInstall } from "../../../src/cli/install/install.ts";
import { judgeAnswer as claudeVerdict } from "../../../src/hosts/claude/doctor/verdict.ts";
import { createHookEntry, createHome, writeTestFile } from "../../support/homes.ts";
import type { ClaimSection } from "../claim.ts";
import { installed } from "./installed.ts";
import {
  createAnswerCase,
  buildConfig,
  expectValidConfig,
  judgeDecision,
  listMessages,
  findConfigPath,
  createRefusalCase,
  createSeenCase,
  buildPayload,
  shellFields,
} from "./shared.ts";

const format = { afterFileEdit: [{ command: "./hooks/format.sh" }] };

/** The command line of one of our entries. */
const commandOf = (entry: unknown) => String((entry as { command: unknown }).command);

export const quickstart: ClaimSection[] = [
  {
    title: "Quickstart",
    claims: [
      {
        says: "`hooks.json` lives in the project or in the home directory",
        check: () =>
          deepEqual(
            [findConfigPath("project"), findConfigPath("user")],
            ["/project/.cursor/hooks.json", "/home/dev/.cursor/hooks.json"],
          ),
      },
      {
        says: "A project's hooks apply to that project, those in the home directory to all",
        async check() {
          await installed({ scope: "project" }, ({ path, home }) => ok(path.startsWith(home.place.roots[0] as string)));
          await installed({ scope: "user" }, ({ path, home }) => ok(path.startsWith(home.place.home)));
        },
      },
      {
        says: "A file has `version` 1 and `hooks`, with a list of commands for each event",
        check: async () => {
          expectValidConfig(buildConfig(format));
          await installed({}, ({ text, hooks }) => {
            expectValidConfig(text);
            ok(Object.values(hooks).every((list) => list.length === 1 && typeof list[0]?.command === "string"));
          });
        },
      },
      {
        says: "A hook may read its input, print nothing and exit with 0",
        check: () => deepEqual(judgeDecision("afterFileEdit", ""), { kind: "passed" }),
        cases: [createAnswerCase("afterFileEdit", { file_path: "/project/a", edits: [] }, {}, {}, { stderr: "" })],
      },
      {
        says: "The program has to be executable",
        check() {
          using home = createHome();
          chmodSync(home.self, 0o644);
          deepEqual(
            checkProgram(home.self, home.self, home.place, "").map(({ check }) => check),
            ["not-executable"],
          );
        },
      },
      {
        says: "A project's hooks are named from the project root (`.cursor/hooks/format.sh`)",
        differs:
          "entries name the executable by its full path, or with `--bin` by its name on PATH, so the working directory does not matter [docs docs/operate/install.md]",
        check: () =>
          installed({ scope: "project" }, ({ hooks, home }) => {
            ok(
              Object.values(hooks).every((list) =>
                list.every((entry) => commandOf(entry).startsWith(`${home.self} --host cursor`)),
              ),
            );
          }),
      },
      {
        says: "Cursor watches the file and reloads it: hooks run after the next edit",
        check: () =>
          // The file is replaced atomically: a reload never sees half of it.
          installed({ before: buildConfig(format) }, async ({ path, home }) => {
            const { ino } = statSync(path);
            writeTestFile(path, buildConfig(format));
            const options = { hosts: ["cursor"], scope: "user", events: ["Stop"], on_error: "deny" } as const;
            const plan = await planInstall(options, home);
            applyInstall(plan, options, home);
            notEqual(statSync(path).ino, ino);
          }),
      },
    ],
  },
  {
    title: "Types of hooks",
    claims: [
      {
        says: "There are command hooks (the default) and prompt hooks",
        check: () =>
          expectValidConfig(
            buildConfig({
              stop: [
                { command: "./a.sh" },
                { type: "command", command: "./a.sh" },
                { type: "prompt", prompt: "Fine?" },
              ],
            }),
          ),
      },
      {
        says: "The example of a command hook, without `version`, is a whole file",
        differs:
          "Cursor drops a file without a version, silently; `install` writes it, `doctor` reports it [seen @cursor/sdk 1.0.32, 2026-11-21]",
        check() {
          const hooks = {
            beforeShellExecution: [{ command: "./scripts/approve-network.sh", timeout: 30, matcher: "curl|wget|nc" }],
          };
          match(listMessages(buildConfig(hooks, {})).join(), /"version": 1 is missing.*drops the whole file/);
          expectValidConfig(buildConfig(hooks));
        },
      },
      {
        says: "With exit code 0 the JSON on stdout counts",
        check: () => deepEqual(judgeDecision("preToolUse", { permission: "deny" }).kind, "denied"),
        cases: [
          createAnswerCase(
            "preToolUse",
            { tool_name: "Shell", tool_input: shellFields },
            { decision: "allow" },
            { permission: "allow" },
          ),
        ],
      },
      {
        says: 'Exit code 2 blocks, as `permission: "deny"` does',
        differs:
          "it blocks, but Cursor then shows the whole document as the reason; so a denial is the document with exit code 0, and `--cursor-deny exit` sends 2 [seen @cursor/sdk 1.0.32, 2026-11-21]",
        check() {
          for (const event of [
            "preToolUse",
            "beforeShellExecution",
            "beforeMCPExecution",
            "beforeReadFile",
            "subagentStart",
          ])
            deepEqual([event, judgeDecision(event, "", 2).kind], [event, "denied"]);
        },
        cases: [
          createRefusalCase("beforeShellExecution", shellFields),
          { ...createRefusalCase("beforeShellExecution", shellFields), args: ["--cursor-deny", "exit"], exit_code: 2 },
        ],
      },
      {
        says: "Exit code 2 means the same to Claude Code",
        check: () =>
          equal(claudeVerdict("PreToolUse", { stdout: "", stderr: "not here", exit_code: 2 }, {}).kind, "denied"),
      },
      {
        says: "Any other exit code is a failure: the action goes on",
        check: () =>
          deepEqual(
            [judgeDecision("preToolUse", {}, 1), judgeDecision("preToolUse", {}, null)].map(
              (found) => "blocks" in found && found.blocks,
            ),
            [false, false],
          ),
        cases: [
          {
            host: "cursor",
            stdin: buildPayload("beforeShellExecution", shellFields),
            env: { SEEDS_ANSWER: '{"decision":"maybe"}' },
            stdout: {},
            stderr: /hook "answer" failed: it returned decision "maybe"/,
            exit_code: 1,
          },
          {
            host: "cursor",
            args: ["--on-error", "deny", "--cursor-deny", "exit"],
            stdin: buildPayload("beforeShellExecution", shellFields),
            env: { SEEDS_ANSWER: '{"decision":"maybe"}' },
            stderr: /its failure policy is to deny/,
            exit_code: 2,
          },
        ],
      },
      {
        says: "A prompt hook has a model judge a condition",
        missing:
          "bridge-hooks asks no model: a handler may ask one, or you keep Cursor's own prompt hooks beside our entries; `install` does not change them",
        check() {
          const theirs = { type: "prompt", prompt: "Is $ARGUMENTS safe?", model: "fast", timeout: 10 };
          return installed(
            { before: buildConfig({ preToolUse: [theirs] }), entries: [createHookEntry(["PreToolUse"])] },
            ({ hooks }) => {
              deepEqual([hooks.preToolUse?.[0], hooks.preToolUse?.length], [theirs, 2]);
            },
          );
        },
      },
      {
        says: "A prompt hook answers `{ ok, reason? }`",
        missing:
          "only Cursor's prompt hooks use this form; Cursor ignores it from a command hook, so a handler returns a decision and a reason",
        check: () => deepEqual(judgeDecision("preToolUse", { ok: false, reason: "no" }).kind, "passed"),
      },
      {
        says: "`$ARGUMENTS` in a prompt is replaced by the input, which is appended where it is absent",
        missing: "it applies to prompt hooks only: a handler gets the event, and the whole payload in `event._native`",
        cases: [createSeenCase("beforeShellExecution", shellFields, { _native: shellFields })],
      },
      {
        says: "`model` names another model for a prompt hook",
        missing:
          "it applies to prompt hooks only, which `install` does not change; a handler that asks a model names it itself",
        check: () => expectValidConfig(buildConfig({ stop: [{ type: "prompt", prompt: "Fine?", model: "fast" }] })),
      },
    ],
  },
];
