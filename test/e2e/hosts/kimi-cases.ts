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
  findFirstProblem(judgeDenial(run), !hasReachedModel(run, TOKENS.reason) && "the model was not told why");
/** Wraps the entry's command line in another command. */
const wrap = (line: string): Pick<RunSetup, "entry"> => ({
  entry: { command: line.replace("{ours}", `"${PROBE_EXECUTABLE}" --host kimi --event PreToolUse`) },
});

const install = buildInstallAction("install", "user", ["kimi"]);
const doctor = { line: ["doctor", "--host", "kimi"], code: "any" } as const;
const THEIRS = '\n# theirs\n[[hooks]] # keep\nevent = "Stop"\ncommand = "true"\n';
const readConfig = ({ place }: HostRun) => readFileSync(join(place.home, ".kimi-code/config.toml"), "utf8");

/** Builds a case in which an error in another part of the config makes the host drop all hooks. */
const buildFlawCase = (name: string, flaw: string): HostCase => ({
  name: `limit: ${name} in another entry: no hook runs`,
  setup: {
    ...base,
    ...denying,
    config: { after: `\n[[hooks]]\nevent = "Stop"\ncommand = "true"\n${flaw}\n` },
  },
  judge: judgeSkippedHooks,
});

/** Judges what the model and the user receive when a prompt is allowed. */
const judgeQuietPrompt = (run: HostRun) =>
  findFirstProblem(
    findRunProblem(run),
    !hasFired(run, "UserPromptSubmit") && "our process did not run",
    hasReachedModel(run, "hook_result") && "the model was told something",
    /UserPromptSubmit hook/.test(run.sessions[0]?.stdout ?? "") && "the user was shown something",
  );

export const cases: readonly HostCase[] = [
  {
    name: "a denial holds in a subagent",
    setup: { ...inAgent, plan: [{ event: "PreToolUse", tool: "Bash", answer: denial }] },
    judge: (run) =>
      findFirstProblem(
        judgeHeldDenial(run),
        !run.requests.some(({ who, text }) => who === "subagent" && text.includes(TOKENS.reason)) &&
          "the subagent was not told why",
      ),
  },
  {
    name: "an allowed prompt with a context and a message: nothing is shown as it stands",
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
    name: "a hook that fails at a prompt, and lets it pass: nothing is shown as it stands",
    setup: { ...base, flags: "--on-error allow", plan: [{ event: "UserPromptSubmit", way: "throw" }] },
    judge: judgeQuietPrompt,
  },
  {
    name: "a hook that fails at a prompt, and denies it: no request is sent",
    setup: { ...base, flags: "--on-error deny", plan: [{ event: "UserPromptSubmit", way: "throw" }] },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        run.requests.some(({ who }) => who === "main") && "a request was sent",
        !/its failure policy is to deny/.test(run.sessions[0]?.stdout ?? "") && "the user was not told why",
      ),
  },
  {
    name: "limit: a document at a prompt is shown to the model as it stands",
    setup: {
      ...base,
      plan: [{ event: "UserPromptSubmit", raw: { document: { decision: "block", reason: TOKENS.reason } } }],
    },
    executable: "raw",
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        !hasReachedModel(run, 'hook_event=\\"UserPromptSubmit\\"') && "the model was not told",
        !hasReachedModel(run, TOKENS.reason) && "the model did not read the document",
      ),
  },
  {
    name: "a shell that prints before our process starts: the denial holds by its exit code",
    setup: { ...base, ...denying, ...wrap("echo noise; {ours}") },
    judge: judgeHeldDenial,
  },
  {
    name: "a shell that prints after our process has ended: the denial holds by its exit code",
    setup: { ...base, ...denying, ...wrap("{ours}; code=$?; echo noise; exit $code") },
    judge: judgeHeldDenial,
  },
  {
    name: "a shell that loses the exit code: the denial holds by the document",
    setup: { ...base, ...denying, ...wrap("{ours} || true") },
    judge: judgeHeldDenial,
  },
  {
    name: "a shell that loses stderr: the denial holds",
    setup: { ...base, ...denying, ...wrap("{ours} 2>/dev/null") },
    judge: judgeDenial,
  },
  buildLateHookCase(buildShellCall),
  ...["--host claude", ""].map((flag): HostCase => ({
    name: `an entry with ${flag || "no --host"}: a file is written, and the denial of a command holds`,
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
    name: "limit: a project's own config has no hooks",
    setup: {
      ...base,
      ...denying,
      files: {
        ".kimi-code/config.toml": `[[hooks]]\nevent = "PreToolUse"\ncommand = '"${PROBE_EXECUTABLE}" --host kimi'\n`,
      },
      // The driver writes no entries when a start has actions.
      steps: [{ before: [doctor] }],
    },
    judge: judgeSkippedHooks,
  },
  {
    name: "install keeps the comments and the entries of others byte for byte, and the denial holds",
    setup: {
      ...base,
      ...denying,
      config: { before: "# mine\n", after: THEIRS },
      steps: [{ before: [install, doctor] }],
    },
    judge: (run) =>
      findFirstProblem(
        judgeHeldDenial(run),
        !readConfig(run).includes(`${THEIRS}\n[[hooks]]\n`) && `the config has ${readConfig(run)}`,
        !readConfig(run).startsWith("# mine\n") && "a comment is gone",
      ),
  },
  {
    name: "kimi doctor accepts what install wrote",
    setup: { ...base, ...denying, steps: [{ before: [install], args: ["doctor", "config"] }] },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        !/^OK config\.toml/m.test(run.sessions[0]?.stdout ?? "") && `it says ${run.sessions[0]?.stderr}`,
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
    name: "install refuses where another entry would drop all hooks, and says which",
    setup: {
      ...base,
      ...denying,
      config: { after: '\n[[hooks]]\nevent = "Stop"\ncommand = "true"\ntype = "command"\n' },
      steps: [{ before: [{ ...install, code: 1 }, doctor] }],
    },
    judge: (run) =>
      findFirstProblem(
        judgeSkippedHooks(run),
        !/hooks\.0\.type/.test(run.executableOutput[1] ?? "") && `doctor said ${run.executableOutput[1]}`,
        readConfig(run).includes("--host kimi") && "it wrote entries",
      ),
  },
  {
    name: "install into a config with a byte order mark: the denial holds, and the mark stays",
    setup: { ...base, ...denying, config: { before: "\ufeff" }, steps: [{ before: [install] }] },
    judge: (run) => findFirstProblem(judgeHeldDenial(run), !readConfig(run).startsWith("\ufeff") && "the mark is gone"),
  },
  {
    name: "limit: with an integer beyond 53 bits the config is not read at all, and doctor is red",
    setup: {
      ...base,
      ...denying,
      config: { before: "limit = 9223372036854775807\n" },
      steps: [{ before: [{ ...install, code: 1 }] }],
    },
    judge: (run) =>
      findFirstProblem(
        run.refusal,
        run.calls.length > 0 && "our process ran",
        run.sessions[0]?.code === 0 && "the host ended with exit code 0",
      ),
  },
];
