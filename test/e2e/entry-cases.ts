import * as z from "zod";
import { ENTRY_CHECKS, ENTRY_SETUPS } from "../support/entry-setups.ts";
import { findFirstProblem, findRunProblem, type HostCase, type HostDriver, readProjectFile, TOKENS } from "./driver.ts";
import { buildInstallAction } from "./install-cases.ts";
import { PROBE_EXECUTABLE } from "./releases.ts";
import type { HostRun } from "./run.ts";

const Report = z.object({
  hosts: z.array(z.object({ findings: z.array(z.object({ check: z.string(), level: z.string(), what: z.string() })) })),
});

/** Lists doctor's red findings about configs and entries. */
function listReds({ executableOutput }: HostRun): string[] {
  const output = executableOutput.at(-1) ?? "";
  const { hosts } = Report.parse(JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1)));
  return hosts
    .flatMap(({ findings }) => findings)
    .filter(({ check, level }) => level === "red" && ENTRY_CHECKS.includes(check))
    .map(({ check, what }) => `${check}: ${what}`);
}

const TITLES = {
  denied: "the denial is enforced, and doctor is not red",
  passes: "the call is allowed, and doctor is red",
  "no start": "the host does not start, and doctor is red",
} as const;

/**
 * Builds cases for manually written entries and slightly invalid configs. They check that doctor's report matches what
 * the host does.
 */
export function entryCases({ host, bash }: HostDriver): HostCase[] {
  const event = Object.entries(host.capabilities).find(([, row]) => row().event === "PreToolUse")?.[0] ?? "";
  return ENTRY_SETUPS.filter((one) => one.host === host.id).map(
    ({ name, file, text, installed, outcome }): HostCase => {
      const doctor = { line: ["doctor", "--host", host.id, "--json"], code: "any" } as const;
      const install = { ...buildInstallAction("install", "project", [host.id], "--yes"), code: "any" } as const;
      return {
        name: `${file} with ${name}: ${TITLES[outcome]}`,
        setup: {
          script: { main: [{ calls: [bash("echo original > marker.txt")] }, { text: "FINAL" }] },
          plan: [{ event, answer: { decision: "deny", reason: TOKENS.reason } }],
          trusting: true,
          files: { [file]: text.replaceAll("{ours}", () => PROBE_EXECUTABLE) },
          steps: [{ before: installed ? [install, doctor] : [doctor] }],
        },
        newest: true,
        judge: (run) => {
          const calls = run.sessions.at(-1)?.calls.filter(({ native_event }) => native_event === event) ?? [];
          const hasPassed = readProjectFile(run, "marker.txt") !== undefined;
          const reds = listReds(run);
          return findFirstProblem(
            outcome !== "no start" && findRunProblem(run),
            hasPassed !== (outcome === "passes") && `the call ${hasPassed ? "took" : "did not take"} place`,
            outcome === "denied" && calls.length === 0 && "the executable did not run",
            outcome === "no start" && calls.length > 0 && "the executable ran",
            reds.length > 0 !== (outcome !== "denied") && `doctor is wrong: ${reds.join("; ") || "nothing is red"}`,
          );
        },
      };
    },
  );
}
