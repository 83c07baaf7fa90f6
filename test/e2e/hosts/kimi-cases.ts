import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  findFirstProblem,
  findRunProblem,
  hasFired,
  hasReachedModel,
  type HostCase,
  judgeDenial,
  judgeSkippedHooks,
  readProjectFile,
  TOKENS,
} from "../driver.ts";
import { buildLateHookCase, buildPushCase } from "../case-builders.ts";
import { buildInstallAction } from "../install-cases.ts";
import { PROBE_EXECUTABLE } from "../releases.ts";
import type { HostRun, RunSetup } from "../run.ts";
import { base, buildShellCall, inAgent, scriptCalls } from "./kimi-scenarios.ts";

const denial = { decision: "deny", reason: TOKENS.reason } as const;
const denying: Pick<RunSetup, "plan" | "events"> = {
  plan: [{ event: "PreToolUse", answer: denial }],
  events: ["PreToolUse"],
};
const judgeHeldDenial = (run: HostRun) =>
  findFirstProblem(judgeDenial(run), !hasReachedModel(run, TOKENS.reason) && "the model did not get the reason");
/** Wraps an entry's command line in another command. */
const wrap = (line: string): Pick<RunSetup, "entry"> => ({
  entry: { command: line.replace("{ours}", `"${PROBE_EXECUTABLE}" --host kimi --event PreToolUse`) },
});

const install = buildInstallAction("install", "user", ["kimi"]);
const doctor = { line: ["doctor", "--host", "kimi"], code: "any" } as const;
const THEIRS = '\n# theirs\n[[hooks]] # keep\nevent = "Stop"\ncommand = "true"\n';
const readConfig = ({ place }: HostRun) => readFileSync(join(place.home, ".kimi-code/config.toml"), "utf8");

/** Builds a case in which an error elsewhere in the config makes the host drop all hooks. */
const buildFlawCase = (name: string, flaw: string): HostCase => ({
  name: `limit: ${name} in another entry: no hook runs`,
  setup: {
    ...base,
    ...denying,
    config: { after: `\n[[hooks]]\nevent = "Stop"\ncommand = "true"\n${flaw}\n` },
  },
  judge: judgeSkippedHooks,
});

/** Judges what reaches the model and the user when a prompt is allowed. */
const judgeQuietPrompt = (run: HostRun) =>
  findFirstProblem(
    findRunProblem(run),
    !hasFired(run, "UserPromptSubmit") && "the executable did not run",
    hasReachedModel(run, "hook_result") && "the model got a text from bridge-hooks",
    /UserPromptSubmit hook/.test(run.sessions[0]?.stdout ?? "") && "the user saw a text from bridge-hooks",
  );

export const cases: readonly HostCase[] = [
  {
    name: "a denial in a subagent is enforced",
    setup: { ...inAgent, plan: [{ event: "PreToolUse", tool: "Bash", answer: denial }] },
    judge: (run) =>
      findFirstProblem(
        judgeHeldDenial(run),
        !run.requests.some(({ who, text }) => who === "subagent" && text.includes(TOKENS.reason)) &&
          "the subagent did not get the reason",
      ),
  },
  {
    name: "an allowed prompt with a context and a message: neither is shown verbatim",
    setup: {
      ...base,
      plan: [
        {
          event: "UserPromptSubmit",
          answer: {
            decision: "allow",
            user_message: TOKENS.user_message,
            additional_context: TOKENS.additional_context,
          },
        },
      ],
    },
    judge: judgeQuietPrompt,
  },
  {
    name: "a hook fails at a prompt and allows it: nothing is shown verbatim",
    setup: { ...base, flags: "--on-error allow", plan: [{ event: "UserPromptSubmit", way: "throw" }] },
    judge: judgeQuietPrompt,
  },
  {
    name: "a hook fails at a prompt and denies it: no request is sent",
    setup: { ...base, flags: "--on-error deny", plan: [{ event: "UserPromptSubmit", way: "throw" }] },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        run.requests.some(({ who }) => who === "main") && "a request was sent",
        !/its failure policy is to deny/.test(run.sessions[0]?.stdout ?? "") && "the user did not get the reason",
      ),
  },
  {
    name: "limit: a document printed at a prompt is shown to the model verbatim",
    setup: {
      ...base,
      plan: [{ event: "UserPromptSubmit", raw: { document: { decision: "block", reason: TOKENS.reason } } }],
    },
    executable: "raw",
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        !hasReachedModel(run, 'hook_event=\\"UserPromptSubmit\\"') && "the model did not get the prompt",
        !hasReachedModel(run, TOKENS.reason) && "the model did not read the document",
      ),
  },
  {
    name: "a shell that prints before the executable starts: the exit code enforces the denial",
    setup: { ...base, ...denying, ...wrap("echo noise; {ours}") },
    judge: judgeHeldDenial,
  },
  {
    name: "a shell that prints after the executable has ended: the exit code enforces the denial",
    setup: { ...base, ...denying, ...wrap("{ours}; code=$?; echo noise; exit $code") },
    judge: judgeHeldDenial,
  },
  {
    name: "a shell that loses the exit code: the document enforces the denial",
    setup: { ...base, ...denying, ...wrap("{ours} || true") },
    judge: judgeHeldDenial,
  },
  {
    name: "a shell that loses stderr: the denial is enforced",
    setup: { ...base, ...denying, ...wrap("{ours} 2>/dev/null") },
    judge: judgeDenial,
  },
  buildLateHookCase(buildShellCall),
  ...["--host claude", ""].map((flag): HostCase => ({
    name: `an entry with ${flag || "no --host"}: a file is written, and the denial of a command is enforced`,
    setup: {
      script: scriptCalls(
        { name: "Write", input: { path: "added.txt", content: "text\n" } },
        buildShellCall("echo original > marker.txt"),
      ),
      plan: [{ event: "PreToolUse", tool: "Bash", answer: denial }],
      events: ["PreToolUse"],
      entry: { command: `"${PROBE_EXECUTABLE}" ${flag} --on-error deny` },
    },
    judge: (run) =>
      findFirstProblem(
        judgeHeldDenial(run),
        readProjectFile(run, "added.txt") === undefined && "the file was not written",
      ),
  })),
  buildPushCase(buildShellCall),
  {
    name: "limit: hooks in a project's own config do not run",
    setup: {
      ...base,
      ...denying,
      files: {
        ".kimi-code/config.toml": `[[hooks]]\nevent = "PreToolUse"\ncommand = '"${PROBE_EXECUTABLE}" --host kimi'\n`,
      },
      // With an action before the launch, the driver doesn't write entries.
      steps: [{ before: [doctor] }],
    },
    judge: judgeSkippedHooks,
  },
  {
    name: "install keeps comments and other tools' entries byte for byte, and the denial is enforced",
    setup: {
      ...base,
      ...denying,
      config: { before: "# mine\n", after: THEIRS },
      steps: [{ before: [install, doctor] }],
    },
    judge: (run) =>
      findFirstProblem(
        judgeHeldDenial(run),
        !readConfig(run).includes(`${THEIRS}\n[[hooks]]\n`) && `the config contains ${readConfig(run)}`,
        !readConfig(run).startsWith("# mine\n") && "a comment is missing",
      ),
  },
  {
    name: "kimi doctor accepts the installed entries",
    setup: { ...base, ...denying, steps: [{ before: [install], args: ["doctor", "config"] }] },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        !/^OK config\.toml/m.test(run.sessions[0]?.stdout ?? "") && `kimi doctor prints ${run.sessions[0]?.stderr}`,
      ),
  },
  ...(
    [
      ["an unknown key", 'type = "command"'],
      ["a timeout beyond the limit", "timeout = 601"],
    ] as const
  ).map(([name, flaw]) => buildFlawCase(name, flaw)),
  buildFlawCase("an unknown event", '[[hooks]]\nevent = "Foo"\ncommand = "true"'),
  {
    name: "install refuses if another entry would make Kimi Code drop all hooks, and names the entry",
    setup: {
      ...base,
      ...denying,
      config: { after: '\n[[hooks]]\nevent = "Stop"\ncommand = "true"\ntype = "command"\n' },
      steps: [{ before: [{ ...install, code: 1 }, doctor] }],
    },
    judge: (run) =>
      findFirstProblem(
        judgeSkippedHooks(run),
        !/hooks\.0\.type/.test(run.executableOutput[1] ?? "") && `doctor printed ${run.executableOutput[1]}`,
        readConfig(run).includes("--host kimi") && "install wrote entries",
      ),
  },
  {
    name: "install into a config with a byte order mark: the denial is enforced, and the mark remains",
    setup: { ...base, ...denying, config: { before: "\ufeff" }, steps: [{ before: [install] }] },
    judge: (run) =>
      findFirstProblem(judgeHeldDenial(run), !readConfig(run).startsWith("\ufeff") && "the byte order mark is missing"),
  },
  {
    name: "limit: with an integer beyond 53 bits, the whole config is ignored, and doctor is red",
    setup: {
      ...base,
      ...denying,
      config: { before: "limit = 9223372036854775807\n" },
      steps: [{ before: [{ ...install, code: 1 }] }],
    },
    judge: (run) =>
      findFirstProblem(
        run.refusal,
        run.calls.length > 0 && "the executable ran",
        run.sessions[0]?.code === 0 && "the host ended with exit code 0",
      ),
  },
];
