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
import { type ProbeFault, WAIT_MS } from "./plan.ts";
import { PATH, type RunSetup } from "./run.ts";

const REASON = "no, says the probe";
const CONTEXT = "so says the probe";
const deny = { decision: "deny", reason: REASON } as const;
const MARK = "echo original > marker.txt";

/** The ways in which a hook can fail; one that prints noise still answers. */
const FAILURES: Readonly<Record<Exclude<ProbeFault, "wait">, { says: string; flags?: string; answers?: true }>> = {
  throw: { says: "throws" },
  hang: { says: "never answers", flags: "--timeout-ms 1000" },
  loop: { says: "loops", flags: "--timeout-ms 1000" },
  exit: { says: "ends the process" },
  rubbish: { says: "returns rubbish" },
  noise: { says: "prints noise and tells the model something", answers: true },
};

/** A file that exits with code 0 when loaded, and hidden files of a project that try to load it. */
const HOSTILE = {
  "evil.js": `require("node:fs").writeFileSync("pwned.txt", "loaded"); process.exit(0);\n`,
  "bunfig.toml": `preload = ["./evil.js"]\n`,
  ".env": "BUN_BE_BUN=1\nBUN_OPTIONS=--preload ./evil.js\n",
};

/** Variables that an attacker sets, and whether they load the file (or only keep the guard from running). */
const ATTACKS: readonly { by: string; env: Record<string, string>; loads: boolean }[] = [
  { by: "BUN_BE_BUN", env: { BUN_BE_BUN: "1" }, loads: false },
  { by: "BUN_OPTIONS", env: { BUN_OPTIONS: "--preload ./evil.js" }, loads: true },
  { by: "the files of its folder alone", env: {}, loads: true },
];

/** What every host has to do, in its own terms. */
export function commonCases(driver: HostDriver): HostCase[] {
  const { bash, actions, inAgent, turns = 2 } = driver;
  const nameOf = (event: EventName) =>
    Object.entries(driver.host.capabilities).find(([, row]) => row().event === event)?.[0] ?? event;
  const [PRE, STOP, START, END] = (["PreToolUse", "Stop", "SessionStart", "SessionEnd"] as const).map(nameOf) as [
    string,
    string,
    string,
    string,
  ];
  const takesContext = (event: string) =>
    pickCell(driver.host.capabilities[event]?.().additional_context as CapabilityCells<Support>, driver.says)
      .support === "native";
  const main = (...calls: ReturnType<typeof bash>[]) => ({
    main: [...calls.map((call) => ({ calls: [call] })), { text: "FINAL" }],
  });
  const base: RunSetup = { script: main(bash(MARK)) };
  const atTool = [{ event: PRE, answer: deny }];

  const denied = Object.entries(actions).map(([name, { calls, tool, done, setup }]): HostCase => ({
    name: `a denial holds on ${name}`,
    rebuilds: true,
    setup: { script: main(...calls), ...setup, plan: [{ event: PRE, tool, answer: deny }] },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        !hasFired(run, PRE, { tool }) && `our process did not run for ${tool}`,
        done(run) && "the call took place",
        !hasReachedModel(run, REASON) && "the model was not told why",
        hasReachedModel(run, "bridge-hooks allow") && "the model was told how to allow it",
      ),
  }));
  const passing = Object.entries(actions).map(([name, { calls, tool, done, setup }]): HostCase => ({
    name: `${name} goes on without a word when no hook minds`,
    rebuilds: true,
    setup: { script: main(...calls), ...setup },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        !hasFired(run, PRE, { tool }) && `our process did not run for ${tool}`,
        !done(run) && "the call did not take place",
        /bridge-hooks:/.test(driver.shown(run)) && "the user was shown a message of ours",
        hasReachedModel(run, "bridge-hooks:") && "the model was told something of ours",
      ),
  }));

  const failures = Object.entries(FAILURES).flatMap(([way, { says, flags = "", answers }]) =>
    (["allow", "deny"] as const).map((policy): HostCase => ({
      name: `a hook that ${says}: --on-error ${policy}`,
      setup: {
        ...base,
        flags: `--on-error ${policy} ${flags}`,
        plan: [{ event: PRE, way: way as ProbeFault, answer: answers && { additional_context: CONTEXT } }],
      },
      judge: (run) => {
        const holds = !answers && policy === "deny";
        return findFirstProblem(
          findRunProblem(run),
          !hasFired(run, PRE) && "our process did not run",
          holds === hasMarker(run) && (holds ? "the call took place" : "the call did not take place"),
          holds && !hasReachedModel(run, "its failure policy is to deny") && "the model was not told why",
          Boolean(answers) &&
            takesContext(PRE) &&
            !hasReachedModel(run, CONTEXT) &&
            "the model was not told the context",
          hasReachedModel(run, "NOISE") && "the model was told the noise",
        );
      },
    })),
  );

  const { setup: stoppable, turns: untilStop } = driver.stopping ?? { setup: base, turns };
  const stops = [1, 3, undefined].map((count): HostCase => {
    const flags = count === undefined ? "" : `--max-continuations ${count}`;
    const expected = count ?? driver.host.maxContinuations ?? 1;
    return {
      name: `a denial at Stop makes the agent go on ${expected === 1 ? "once" : `${expected} times`}${flags && ` with ${flags}`}, then it stops`,
      setup: { ...stoppable, flags, plan: [{ event: STOP, answer: deny }] },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasReachedModel(run, REASON) && "the model was not told why",
          countModelRequests(run, "main") !== untilStop + expected &&
            `the model was asked ${countModelRequests(run, "main")} times instead of ${untilStop + expected}`,
          run.sessions[0]?.code !== 0 && `the host ended with exit code ${run.sessions[0]?.code}`,
        ),
    };
  });

  // As `install` writes the entry of a hook that asks for that time.
  const waits = driver.waitsLong
    ? [
        {
          name: `a check of ${WAIT_MS / 1000} seconds at Stop is waited for, and makes the agent go on`,
          setup: {
            ...stoppable,
            events: [STOP],
            flags: `--timeout-ms ${WAIT_MS + 4_000} --max-continuations 1`,
            entry: { timeout: WAIT_MS / 1000 + 9 },
            plan: [{ event: STOP, way: "wait", answer: deny }],
          },
          judge: (run) =>
            findFirstProblem(
              findRunProblem(run),
              !hasReachedModel(run, REASON) && "the model was not told why",
              countModelRequests(run, "main") !== untilStop + 1 &&
                `the model was asked ${countModelRequests(run, "main")} times instead of ${untilStop + 1}`,
            ),
        } satisfies HostCase,
      ]
    : [];

  const attacks = ATTACKS.flatMap(({ by, env, loads }): HostCase[] => {
    // If a project can't set the environment, the host's terminal does.
    const hostile: RunSetup = driver.projectEnv
      ? { ...base, files: { ...HOSTILE, ...driver.projectEnv(env) } }
      : { ...base, files: HOSTILE, steps: [{ env }] };
    // An attack that only makes the hook fail is harmless if the host then blocks the call.
    const works: HostCase = {
      name: `the attack by ${by}: it works on an executable that is not hardened (or the case above shows nothing)`,
      setup: hostile,
      executable: "unhardened",
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasMarker(run) && "the denial held: the attack does not reach the hook's process any more",
          loads && !readProjectFile(run, "pwned.txt") && "the project's file was not loaded",
        ),
    };
    return [
      {
        name: `the attack by ${by}: the denial holds`,
        setup: { ...hostile, plan: atTool },
        judge: (run) =>
          findFirstProblem(
            findRunProblem(run),
            !hasFired(run, PRE) && "our process did not run",
            readProjectFile(run, "pwned.txt") && "the project's file was loaded",
            hasMarker(run) && "the call took place",
            !hasReachedModel(run, REASON) && "the model was not told why",
          ),
      },
      ...((loads ? driver.elsewhere : driver.closes) ? [] : [works]),
    ];
  });

  const inSubagent: HostCase[] = inAgent
    ? [
        {
          name: "a denial holds in a subagent",
          rebuilds: true,
          setup: { ...inAgent, plan: [{ event: PRE, agent: true, answer: deny }] },
          judge: (run) =>
            findFirstProblem(
              findRunProblem(run),
              !hasFired(run, PRE, { agent: true }) && "our process did not run in the subagent",
              hasMarker(run) && "the call took place",
              !hasReachedModel(run, REASON) && "the model was not told why",
            ),
        },
      ]
    : [];

  return [
    ...denied,
    ...inSubagent,
    ...passing,
    ...failures,
    ...stops,
    ...waits,
    ...attacks,
    {
      name: "an executable that is not hardened denies, where nobody attacks it",
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
          !hasReachedModel(run, "--force-with-lease") && "the model was not told what to do instead",
        ),
    },
    {
      name: "the starter hooks let everyday work pass, and say where it is done",
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
    {
      name: "SessionEnd: our process runs, and the host has nothing to say about it",
      setup: { ...base, plan: [{ event: END, answer: { user_message: "bye" } }] },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasFired(run, END) && "our process did not run",
          /cancell?ed|SessionEnd[^\n]*failed/i.test(run.sessions[0]?.stderr ?? "") && "the host says that it failed",
        ),
    },
    {
      name: "SessionEnd: a hook that hangs does not keep the host for long",
      setup: { ...base, plan: [{ event: END, way: "hang" }] },
      judge: (run) =>
        findFirstProblem(
          findRunProblem(run),
          !hasFired(run, END) && "our process did not run",
          getSecondsAfter(run, END) > 10 && "the host waited",
        ),
    },
  ];
}
