import { findFirstProblem, findRunProblem, hasMarker, type HostCase, judgeSkippedHooks, TOKENS } from "../driver.ts";
import { buildInstallAction } from "../install-cases.ts";
import { PROBE_EXECUTABLE } from "../releases.ts";
import type { HostRun, RunSetup } from "../run.ts";
import { base, denying, judgeHeldDenial, specific } from "./droid-scenarios.ts";

const doctor = { line: ["doctor", "--host", "droid"], code: "any" } as const;
const installed = (...files: RunSetup["files"][]): RunSetup => ({
  ...base,
  ...denying,
  files: Object.assign({}, ...files),
  steps: [{ before: [buildInstallAction("install", "user", ["droid"]), doctor] }],
});
const isRed = ({ executableOutput }: HostRun, words: string) => executableOutput.at(-1)?.includes(words) ?? false;

const OFF = { ".factory/hooks.json": '{"hooksDisabled":true}' };

/** Builds an entry of another tool, with a hook that prints the given answer. */
const THEIRS = (document: object) => ({
  hooks: [{ type: "command", command: `echo '${JSON.stringify(document)}'` }],
});
/** Puts another tool's entries before and after ours in the same list. */
const beside = (before: object[], after: object[] = []): Pick<RunSetup, "files" | "scope"> => ({
  files: {
    ".factory/hooks.json": JSON.stringify({
      PreToolUse: [
        ...before,
        { hooks: [{ type: "command", command: `"${PROBE_EXECUTABLE}" --host droid --event PreToolUse` }] },
        ...after,
      ],
    }),
  },
});

/** Cases for how our entries are affected by other hooks, scopes and switches. */
export const configCases: readonly HostCase[] = [
  {
    name: "another tool approves the call first: the denial is enforced",
    setup: {
      ...base,
      ...denying,
      events: [],
      ...beside([THEIRS(specific({ permissionDecision: "allow" }))]),
    },
    judge: judgeHeldDenial,
  },
  {
    name: "our approval does not override another tool's denial",
    setup: {
      ...base,
      plan: [{ event: "PreToolUse", answer: { decision: "allow" } }],
      events: [],
      ...beside([], [THEIRS(specific({ permissionDecision: "deny", permissionDecisionReason: TOKENS.reason }))]),
    },
    judge: judgeHeldDenial,
  },
  {
    name: "a project's hooks run, and Droid doesn't ask for trust",
    setup: { ...base, ...denying, scope: "project" },
    judge: judgeHeldDenial,
  },
  {
    name: "limit: Claude Code's entries do not run",
    setup: { ...base, ...denying, steps: [{ before: [buildInstallAction("install", "user", ["claude"])] }] },
    judge: judgeSkippedHooks,
  },
  {
    name: "limit: a project turns the user's hooks off, and doctor is red",
    setup: installed(OFF),
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        !hasMarker(run) && "the call did not take place: the limit no longer applies",
        !isRed(run, "sets hooksDisabled") && `doctor is not red: ${run.executableOutput.at(-1)}`,
      ),
  },
  {
    name: "limit: a project turns off managed hooks that are not pinned",
    setup: { ...base, ...denying, scope: "managed", files: OFF },
    mounts: true,
    judge: judgeSkippedHooks,
  },
  {
    name: "pinned managed hooks run, whatever a project's settings say",
    setup: { ...base, ...denying, scope: "managed", pinned: true, files: OFF },
    mounts: true,
    judge: judgeHeldDenial,
  },
  {
    name: "install --scope managed pins the hooks, so a project can't turn them off",
    setup: {
      ...base,
      ...denying,
      files: OFF,
      steps: [{ before: [buildInstallAction("install", "managed", ["droid"])] }],
    },
    mounts: true,
    judge: judgeHeldDenial,
  },
  {
    name: "managed hooks only: the managed entries run, whatever a project's settings say",
    setup: { ...base, ...denying, scope: "managed", managedOnly: true, files: OFF },
    mounts: true,
    judge: judgeHeldDenial,
  },
  {
    name: "limit: with managed hooks only, the user's hooks do not run",
    setup: { ...base, ...denying, managedOnly: true },
    mounts: true,
    judge: judgeSkippedHooks,
  },
  {
    name: "limit: settings named by a variable or an option turn hooks off",
    setup: {
      ...base,
      ...denying,
      files: { "over.json": '{"hooks":{"hooksDisabled":true}}' },
      steps: [
        { env: { FACTORY_RUNTIME_SETTINGS_PATH: "over.json" } },
        {
          args: ["--settings", "over.json", "exec", "--skip-permissions-unsafe", "-m", "custom:mock-0", "do it"],
        },
      ],
    },
    judge: judgeSkippedHooks,
  },
];
