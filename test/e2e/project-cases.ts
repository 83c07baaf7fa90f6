import { CONFIG_CASES, LINKED_TREE_FILES } from "../support/project-configs.ts";
import { type HostCase, type HostDriver, findFirstProblem, findRunProblem, TOKENS } from "./driver.ts";
import { buildInstallAction } from "./install-cases.ts";
import type { HostRun } from "./run.ts";

/** Whether doctor reports that hooks are turned off in the directory where the session runs. */
const isReported = ({ executableOutput }: HostRun): boolean =>
  executableOutput.at(-1)?.includes('"hooks-disabled"') === true;

/** Builds cases that check from which project directories a host reads its config, and that doctor agrees. */
export function projectCases({ host, bash }: HostDriver): HostCase[] {
  const event = Object.entries(host.capabilities).find(([, row]) => row().event === "PreToolUse")?.[0] ?? "";
  return CONFIG_CASES.filter((one) => one.host === host.id).flatMap(({ file, text, outcomes, releases }) =>
    outcomes.map(([start, folder, outcome]): HostCase => ({
      name: `a session in ${start}, with ${file} in ${folder} that turns hooks off: ${outcome === "off" ? "hooks are off, and doctor is red" : "hooks run, and doctor reports nothing"}`,
      setup: {
        script: { main: [{ calls: [bash("echo original > marker.txt")] }, { text: "FINAL" }] },
        plan: [{ event, answer: { decision: "deny", reason: TOKENS.reason } }],
        folder: start,
        trusting: true,
        files: { ...LINKED_TREE_FILES, "a/b/c/x": "", "../tree/a/x": "", [`${folder}/${file}`]: text },
        steps: [
          {
            before: [
              buildInstallAction("install", "user", [host.id], "--yes"),
              { line: ["doctor", "--host", host.id, "--json"], code: "any" },
            ],
          },
        ],
      },
      ...(releases !== undefined && { releases }),
      newest: true,
      judge: (run) => {
        const calls = run.sessions.at(-1)?.calls ?? [];
        return findFirstProblem(
          findRunProblem(run),
          outcome === "off" && calls.length > 0 && "the executable ran",
          outcome === "holds" && calls.length === 0 && "the executable did not run",
          isReported(run) !== (outcome === "off") && `doctor is wrong: ${run.executableOutput.at(-1)}`,
        );
      },
    })),
  );
}
