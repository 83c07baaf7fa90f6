import {
  countModelRequests,
  type HostCase,
  type HostDriver,
  hasReachedModel,
  readProjectFile,
  hasFired,
  findFirstProblem,
  hasMarker,
  getSecondsAfter,
  findRunProblem,
} from "./driver.ts";
import { type CapabilityCells, pickCell, type Support } from "../../src/protocol/capability.ts";
import type { EventName } from "../../src/protocol/event.ts";
import { actionCases, failureCases } from "./call-cases.ts";
import { WAIT_MS } from "./plan.ts";
import { PATH, type RunSetup } from "./run.ts";

const REASON = "no, says the probe";
const deny = { decision: "deny", reason: REASON } as const;
const MARK = "echo original > marker.txt";

/** A script that exits with code 0 as soon as it's loaded, and hidden project files that try to load it. */
const HOSTILE = {
  "evil.js": `require("node:fs").writeFileSync("pwned.txt", "loaded"); process.exit(0);\n`,
  "bunfig.toml": `preload = ["./evil.js"]\n`,
  ".env": "BUN_BE_BUN=1\nBUN_OPTIONS=--preload ./evil.js\n",
};

/** Environment variables an attacker sets, and whether they load the script or merely keep the guard from running. */
const ATTACKS: readonly { by: string; env: Record<string, string>; loads: boolean }[] = [
  { by: "BUN_BE_BUN", env: { BUN_BE_BUN: "1" }, loads: false },
  { by: "BUN_OPTIONS", env: { BUN_OPTIONS: "--preload ./evil.js" }, loads: true },
  { by: "the files of its folder alone", env: {}, loads: true },
];

/** Builds the cases that every host has to pass. */
export function commonCases(driver: HostDriver): HostCase[] {
  const { bash, inAgent, turns = 2 } = driver;
  const nameOf = (event: EventName) =>
    Object.entries(driver.host.capabilities).find(([, row]) => row().event === event)?.[0] ?? event;
  const [PRE, POST, STOP, START, END] = (
    ["PreToolUse", "PostToolUse", "Stop", "SessionStart", "SessionEnd"] as const
  ).map(nameOf) as [string, string, string, string, string];
  const takesContext = (event: string) =>
    pickCell(driver.host.capabilities[event]?.().additional_context as CapabilityCells<Support>, driver.says)
      .support === "native";
  const replacesOutput = ["native", "emulated"].includes(
    pickCell(driver.host.capabilities[POST]?.().modified_output as CapabilityCells<Support>, driver.says).support,
  );
  const main = (...calls: ReturnType<typeof bash>[]) => ({
    main: [...calls.map((call) => ({ calls: [call] })), { text: "FINAL" }],
  });
  const base: RunSetup = { script: main(bash(MARK)) };
  const { ending = base } = driver;
  const atTool = [{ event: PRE, answer: deny }];
  const secret = `ghp_${"a1B2c3D4e5F6g7H8i9J0".repeat(2).slice(0, 36)}`;
  const redaction: HostCase = {
    name: "the starter hooks remove a secret from a result",
    // The `sleep` is needed on a busy machine, where Qwen Code loses the output of commands that end at once [seen
    // 0.24.4, 2026-11-29].
    setup: {
      script: main(bash("cat app.log; sleep 1")),
      files: { "app.log": `login with ${secret}\n` },
      events: [POST],
    },
    executable: "product",
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        hasReachedModel(run, secret) && "the model read the secret",
        !hasReachedModel(run, "[redacted: github-token]") && "the model was not told that a secret was removed",
      ),
  };

  const { setup: stoppable, turns: untilStop } = driver.stopping ?? { setup: base, turns };
  // Not all hosts let a hook prolong a turn at Stop.
  const isStopGated = ["native", "emulated"].includes(
    pickCell(driver.host.capabilities[STOP]?.().deny as CapabilityCells<Support>, driver.says).support,
  );
  const stops = (isStopGated ? [1, 3, undefined] : []).map((count): HostCase => {
    const flags = count === undefined ? "" : `--max-continuations ${count}`;
    const expected = Math.min(count ?? Number.POSITIVE_INFINITY, driver.host.maxContinuations ?? count ?? 1);
    return {
      name: `a denial at Stop makes the agent continue ${expected === 1 ? "once" : `${expected} times`}${flags && ` with ${flags}`}, then the agent stops`,
      setup: { ...stoppable, flags, plan: [{ event: STOP, answer: deny }] },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasReachedModel(run, REASON) && "the model did not get the reason",
          countModelRequests(run, "main") !== untilStop + expected &&
            `the model got ${countModelRequests(run, "main")} requests instead of ${untilStop + expected}`,
          run.sessions[0]?.code !== 0 && `the host ended with exit code ${run.sessions[0]?.code}`,
        ),
    };
  });

  const waits = driver.waitsLong
    ? [
        {
          name: `the host waits for a check of ${WAIT_MS / 1000} seconds at Stop, and the check makes the agent continue`,
          setup: {
            ...stoppable,
            events: [STOP],
            flags: `--timeout-ms ${WAIT_MS + 4_000} --max-continuations 1`,
            // The timeout that `install` would write for a hook that asks for this much time.
            entry: { timeout: WAIT_MS / 1000 + 9 },
            plan: [{ event: STOP, way: "wait", answer: deny }],
          },
          judge: (run) =>
            findFirstProblem(
              findRunProblem(run),
              !hasReachedModel(run, REASON) && "the model did not get the reason",
              countModelRequests(run, "main") !== untilStop + 1 &&
                `the model got ${countModelRequests(run, "main")} requests instead of ${untilStop + 1}`,
            ),
        } satisfies HostCase,
      ]
    : [];

  const attacks = (driver.obeysAttacks ? [] : ATTACKS).flatMap(({ by, env, loads }): HostCase[] => {
    // If a project can't set environment variables, they're set in the host's terminal.
    const hostile: RunSetup = driver.projectEnv
      ? { ...base, files: { ...HOSTILE, ...driver.projectEnv(env) } }
      : { ...base, files: HOSTILE, steps: [{ env }] };
    // If the host then blocks the call, an attack that merely makes the hook fail does no harm.
    const works: HostCase = {
      name: `the attack by ${by} works on an unhardened executable (otherwise the case above proves nothing)`,
      setup: hostile,
      executable: "unhardened",
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasMarker(run) && "the denial was enforced: the attack no longer reaches the hook's process",
          loads && !readProjectFile(run, "pwned.txt") && "the project's file was not loaded",
        ),
    };
    return [
      {
        name: `under the attack by ${by}, the denial is enforced`,
        setup: { ...hostile, plan: atTool },
        judge: (run) =>
          findFirstProblem(
            findRunProblem(run),
            !hasFired(run, PRE) && "the executable did not run",
            readProjectFile(run, "pwned.txt") && "the project's file was loaded",
            hasMarker(run) && "the call took place",
            !hasReachedModel(run, REASON) && "the model did not get the reason",
          ),
      },
      ...((loads ? driver.elsewhere : driver.closes) ? [] : [works]),
    ];
  });

  const inSubagent: HostCase[] = inAgent
    ? [
        {
          name: "a denial in a subagent is enforced",
          rebuilds: true,
          setup: { ...inAgent, plan: [{ event: PRE, agent: true, answer: deny }] },
          judge: (run) =>
            findFirstProblem(
              findRunProblem(run),
              !hasFired(run, PRE, { agent: true }) && "the executable did not run in the subagent",
              hasMarker(run) && "the call took place",
              !hasReachedModel(run, REASON) && "the model did not get the reason",
            ),
        },
      ]
    : [];

  // Not all hosts end a session when they run unattended.
  const ends: HostCase[] = driver.unprovoked[END]
    ? []
    : [
        {
          name: "SessionEnd: the executable runs, and the host reports no error",
          setup: { ...ending, plan: [{ event: END, answer: { user_message: "bye" } }] },
          judge: (run) =>
            findFirstProblem(
              findRunProblem(run),
              !hasFired(run, END) && "the executable did not run",
              /cancell?ed|SessionEnd[^\n]*failed/i.test(run.sessions[0]?.stderr ?? "") && "the host reports a failure",
            ),
        },
        {
          name: "SessionEnd: a hanging hook does not delay the host for long",
          setup: { ...ending, plan: [{ event: END, way: "hang" }] },
          judge: (run) =>
            findFirstProblem(
              findRunProblem(run),
              !hasFired(run, END) && "the executable did not run",
              getSecondsAfter(run, END) > 10 && "the host waited",
            ),
        },
      ];

  return [
    ...actionCases(driver, PRE),
    ...failureCases(driver, PRE),
    ...inSubagent,
    ...stops,
    ...waits,
    ...attacks,
    {
      name: "an unhardened executable denies without an attack",
      setup: base,
      executable: "unhardened",
      judge: (run) => findFirstProblem(findRunProblem(run), hasMarker(run) && "the call took place"),
    },
    {
      name: "the starter hooks keep the agent from a force push",
      setup: { script: main(bash(`git push --force origin main; ${MARK}`)) },
      executable: "product",
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          hasMarker(run) && "the call took place",
          !hasReachedModel(run, "--force-with-lease") && "the model did not get the suggestion",
        ),
    },
    ...(replacesOutput ? [redaction] : []),
    {
      name: "the starter hooks allow everyday work, and report the branch",
      setup: { ...base, events: [START, PRE] },
      executable: "product",
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasMarker(run) && "the call did not take place",
          takesContext(START) &&
            Boolean(Bun.which("git", { PATH })) &&
            !hasReachedModel(run, "Git branch: main") &&
            "the model was not told the branch",
        ),
    },
    ...ends,
  ];
}
