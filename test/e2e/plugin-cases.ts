import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  findFirstProblem,
  findRunProblem,
  hasFired,
  hasMarker,
  hasReachedModel,
  type HostCase,
  type HostDriver,
  judgeDenial,
  judgeSkippedHooks,
  TOKENS,
} from "./driver.ts";
import { buildInstallAction } from "./install-cases.ts";
import type { ExecutableAction, HostRun, RunSetup } from "./run.ts";

/** Reads all complete lines of a run's decision log. */
function readLog({ place }: HostRun): { decision: string; native_event: string; shared?: boolean }[] {
  const file = join(place.home, ".local/state/bridge-hooks/decisions.jsonl");
  const lines = existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n") : [];
  return lines.map((line) => JSON.parse(line)).filter(({ part }) => part === undefined);
}

/**
 * Builds cases that check the plugin written by `mdm --plugin`: the host calls the executable, and does so only once
 * even if the host's settings name it as well.
 */
export function pluginCases({ host, plugin, bash, trust }: HostDriver): HostCase[] {
  if (!plugin) return [];
  const folder = `{run}/market/${host.id}/${process.platform === "darwin" ? "macos" : "linux"}`;
  const line = ["mdm", "--plugin", "{run}/market", "--host", host.id, "--bin-path", "{self}"];
  const write: ExecutableAction = { line };
  // Not every release has a switch to fail closed.
  const writeOpen: ExecutableAction = { line: [...line, "--on-error", "allow"] };
  const add = plugin.install(folder).map((line): ExecutableAction => ({ line, by: "host" }));
  const base: RunSetup = {
    script: { main: [{ calls: [bash("echo original > marker.txt")] }, { text: "FINAL" }] },
    plan: [{ event: "PreToolUse", answer: { decision: "deny", reason: TOKENS.reason } }],
    plugins: true,
    anew: true,
    ...(trust && { untrusting: true }),
  };
  const start = (...before: ExecutableAction[]): RunSetup => ({
    ...base,
    steps: trust ? [{ ...trust, before }, {}] : [{ before }],
  });
  const both = start(write, ...add, buildInstallAction("install", "user", [host.id], "--yes"));
  const countLines = (run: HostRun) => readLog(run).filter(({ native_event }) => native_event === "PreToolUse").length;
  const managed = plugin.managed && {
    ...base,
    etc: plugin.managed(folder),
    // The first session might do no more than download the plugin.
    steps: [{ before: [write] }, {}],
  };
  return [
    {
      name: "a plugin from mdm --plugin: the denial is enforced and has one log record",
      setup: start(write, ...add),
      judge: (run) =>
        findFirstProblem(
          judgeDenial(run),
          !hasReachedModel(run, TOKENS.reason) && "the model did not get the reason",
          countLines(run) !== 1 && `the log has ${countLines(run)} records of the call`,
        ),
    },
    {
      name: "a plugin and settings with entries: the denial is enforced, reported once, and logged once",
      setup: both,
      judge: (run) =>
        findFirstProblem(
          judgeDenial(run),
          run.requests.some(({ text }) => text.split(TOKENS.reason).length > 2) && "the model got the reason twice",
          run.calls.filter(({ native_event }) => native_event === "PreToolUse").length !== 2 &&
            "the executable did not run twice: update docs/operate/fleet.md",
          countLines(run) !== 1 && `the log has ${countLines(run)} records of the call`,
          readLog(run)[0]?.shared && "the plugin's entry wrote it",
        ),
    },
    {
      name: "a plugin and settings with entries: the model gets the hooks' context once",
      setup: { ...both, plan: [{ event: "PreToolUse", answer: { additional_context: TOKENS.additional_context } }] },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasMarker(run) && "the call did not take place",
          !hasReachedModel(run, TOKENS.additional_context) && "the model did not get the context",
          run.requests.some(({ text }) => text.split(TOKENS.additional_context).length > 2) &&
            "the model got the context twice",
        ),
    },
    {
      name: "doctor tests the entries of a plugin, and reports that denials take effect",
      setup: {
        ...base,
        plan: [],
        steps: [
          ...(trust ? [{ ...trust, before: [writeOpen, ...add] }] : []),
          { before: [...(trust ? [] : [writeOpen, ...add]), { line: ["doctor", "--host", host.id], code: 0 }] },
        ],
      },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !/: denials take effect\.$/m.test(run.executableOutput.at(-1) ?? "") &&
            `doctor did not report it: ${run.executableOutput.at(-1)}`,
        ),
    },
    ...(managed
      ? [
          {
            name: "managed settings that enable a plugin: the denial is enforced in a project that disables the plugin and all hooks",
            setup: { ...managed, files: plugin.turnAllOff ?? {} },
            mounts: true as const,
            judge: (run: HostRun) =>
              findFirstProblem(
                findRunProblem(run),
                !run.sessions[1]?.calls.some(({ native_event }) => native_event === "PreToolUse") &&
                  "the executable did not run: the hook was skipped",
                run.requests.at(-1)?.text.includes(TOKENS.reason) !== true && "the model did not get the reason",
              ),
          },
        ]
      : []),
    ...(plugin.turnOff
      ? [
          {
            name: "limit: a project disables a plugin that its user enabled",
            setup: { ...start(write, ...add), files: plugin.turnOff },
            judge: judgeSkippedHooks,
          },
        ]
      : []),
    ...(trust
      ? [
          {
            name: "limit: a plugin's entries don't run before the plugin is trusted",
            setup: { ...start(write, ...add), steps: [{ before: [write, ...add] }] },
            judge: (run: HostRun) =>
              findFirstProblem(findRunProblem(run), hasFired(run, "PreToolUse") && "the executable ran"),
          },
        ]
      : []),
  ];
}
