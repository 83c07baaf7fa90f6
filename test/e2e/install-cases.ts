import { isDeepStrictEqual } from "node:util";
import type { Host } from "../../src/protocol/host/host.ts";
import { PROBE as DOCTORS } from "../../src/protocol/probe.ts";
import type { InstallScope } from "../../src/protocol/host/install.ts";
import { hosts } from "../../src/hosts/index.ts";
import {
  countModelRequests,
  type HostCase,
  type HostDriver,
  hasReachedModel,
  readProjectFile,
  findFirstProblem,
  findRunProblem,
  TOKENS,
} from "./driver.ts";
import type { ProbeCall } from "./plan.ts";
import { PROBE_EXECUTABLE, RAW_EXECUTABLE } from "./releases.ts";
import type { ExecutableAction, HostRun, HostSession, RunSetup, RunStep } from "./run.ts";

/** The scopes in which each host has a config file. */
const SCOPES = new Map(
  await Promise.all(
    hosts.map(async (host): Promise<[Host, InstallScope[]]> => {
      const files = (await host.setup()).listConfigFiles({
        roots: ["/project"],
        home: "/home",
        platform: process.platform,
        env: {},
      });
      return [host, [...new Set(files.flatMap(({ scope, target }) => (target ? [scope as InstallScope] : [])))]];
    }),
  ),
);

/**
 * Builds the install or uninstall command for one scope. Managed files go to the directory that gets overlaid on /etc.
 */
export const buildInstallAction = (
  verb: "install" | "uninstall",
  scope: InstallScope,
  ids: readonly string[],
  ...more: readonly string[]
): ExecutableAction => ({
  line: [
    verb,
    ...ids.flatMap((id) => ["--host", id]),
    "--scope",
    scope,
    ...(scope === "managed" ? ["--root", "{run}"] : []),
    ...(more.includes("--yes") ? [] : ["--yes"]),
    ...more,
  ],
});

/** Gives a launch of the host a name that judges can look for. Shell calls get it in the variable `STEP`. */
export const nameStep = (name: string, step: RunStep = {}): RunStep => ({ ...step, env: { ...step.env, STEP: name } });

/** Shell command that creates a file named after the launch. */
const MARK_STEP = 'echo original > "marker-$STEP.txt"';

const getSession = ({ setup, sessions }: HostRun, name: string): HostSession | undefined =>
  sessions[setup.steps?.findIndex(({ env }) => env?.STEP === name) ?? -1];
const getCalls = (run: HostRun, name: string): readonly ProbeCall[] => getSession(run, name)?.calls ?? [];
const hasTakenPlace = (run: HostRun, name: string): boolean => readProjectFile(run, `marker-${name}.txt`) !== undefined;

/** Counts how many times the executable was called for an event during one run of the host. */
const countCalls = (run: HostRun, name: string, native_event: string): number =>
  getCalls(run, name).filter((call) => call.native_event === native_event).length;

/**
 * Whether a call's event has no unified form. A host can report the same state twice in a row [seen OpenCode 1.18.33,
 * 2026-11-23: session.status].
 */
const isNative = ({ native_event }: ProbeCall): boolean =>
  hosts.some(
    ({ capabilities }) =>
      Object.hasOwn(capabilities, native_event) && capabilities[native_event]?.().event === "Native",
  );

/**
 * Finds a call that was received twice in a row with the same payload. If other calls come between, the repetition may
 * be a separate event.
 */
const findRepeatedCall = (calls: readonly ProbeCall[]): ProbeCall | undefined =>
  calls.find((call, at) => at > 0 && !isNative(call) && isDeepStrictEqual(calls[at - 1]?.payload, call.payload));

/** Judges a launch in which the denial must be enforced, with one process per event. */
function judgeHeldOnce(run: HostRun, name: string, native_event: string): string | undefined {
  const times = countCalls(run, name, native_event);
  const twice = findRepeatedCall(getCalls(run, name));
  return findFirstProblem(
    findRunProblem(run),
    times === 0 && "the executable did not run: the hook was skipped",
    hasTakenPlace(run, name) && "the denial was not enforced",
    !hasReachedModel(run, TOKENS.reason) && "the model did not get the reason",
    times > 1 && `the executable ran ${times} times for one call`,
    twice && `the executable ran twice with the same payload at ${twice.native_event}`,
  );
}

/** Judges a launch in which the executable must not run. */
const judgeUntouched = (run: HostRun, name: string): string | undefined =>
  findFirstProblem(
    findRunProblem(run),
    getCalls(run, name).length > 0 && "the executable ran",
    !hasTakenPlace(run, name) && "the call did not take place",
    !getSession(run, name)?.stdout.includes("FINAL") && "the host did not continue to the model's last turn",
  );

/**
 * Builds the cases that every host must pass with the entries `install` writes, and with the files `uninstall` leaves.
 */
export function installCases(driver: HostDriver): HostCase[] {
  const { host, bash, missing } = driver;
  const PRE = Object.entries(host.capabilities).find(([, row]) => row().event === "PreToolUse")?.[0] ?? "";
  const denial = { decision: "deny", reason: TOKENS.reason } as const;
  const base: RunSetup = {
    script: { main: [{ calls: [bash(MARK_STEP)] }, { text: "FINAL" }] },
    // An executable without bridge-hooks gives the answer in the host's format.
    plan: [{ event: PRE, answer: denial, raw: driver.raw?.("deny", PRE) }],
    untrusting: true,
    anew: true,
  };
  const install = (scope: InstallScope, ...more: string[]) => buildInstallAction("install", scope, [host.id], ...more);

  const inScope = (scope: InstallScope): HostCase[] => {
    const { trust } = scope === "managed" ? {} : driver;
    const again = install(scope);
    const out = buildInstallAction("uninstall", scope, [host.id]);
    const setup: RunSetup = {
      ...base,
      ...(trust && { copy: "bridge-hooks" }),
      ...((scope === "project" || scope === "local") && { trusting: true }),
      steps: [
        ...(trust ? [nameStep("untrusted", { before: [again] }), trust] : []),
        nameStep("installed", { before: trust ? [again] : [again, again] }),
        ...(trust ? [nameStep("replaced", { before: [again, { replace: RAW_EXECUTABLE }] })] : []),
        nameStep("uninstalled", { before: trust ? [{ replace: PROBE_EXECUTABLE }, out] : [out] }),
      ],
    };
    const mounts = scope === "managed" && { mounts: true as const };
    const trusted: HostCase[] = [
      {
        name: `install --scope ${scope}: the executable doesn't run before its entries are trusted, and install says so`,
        setup,
        judge: (run) =>
          findFirstProblem(
            judgeUntouched(run, "untrusted"),
            !run.executableOutput[0]?.includes("only after you trust them") && "install did not say so",
          ),
      },
      {
        name: `install --scope ${scope} again, after the executable was replaced: the trust remains`,
        setup,
        judge: (run) =>
          findFirstProblem(
            findRunProblem(run),
            countCalls(run, "replaced", PRE) !== 1 &&
              `the executable ran ${countCalls(run, "replaced", PRE)} times for the call`,
            hasTakenPlace(run, "replaced") && "the denial was not enforced",
          ),
      },
    ];
    return [
      {
        name: `install --scope ${scope}, twice: the denial is enforced, and the executable runs once for each event`,
        setup,
        ...mounts,
        judge: (run) =>
          findFirstProblem(
            judgeHeldOnce(run, "installed", PRE),
            !run.executableOutput[1]?.includes("No changes needed") && "the second installation wrote something",
          ),
      },
      ...(trust ? trusted : []),
      {
        name: `uninstall --scope ${scope}: the executable no longer runs, and the call takes place`,
        setup,
        ...mounts,
        judge: (run) => judgeUntouched(run, "uninstalled"),
      },
    ];
  };

  // Don't fail closed, because not every release has a switch for it.
  const open = install("user", "--on-error", "allow");
  const doctor = (code: number): ExecutableAction => ({ line: ["doctor", "--host", host.id], code });
  const examined: HostCase = {
    name: driver.trust
      ? "doctor is red before the entries are trusted, and green when the denial is enforced"
      : "doctor is green, and the denial is enforced",
    setup: {
      ...base,
      // The same call that doctor makes.
      script: { main: [{ calls: [bash(DOCTORS)] }, { text: "FINAL" }] },
      plan: [],
      steps: driver.trust
        ? [nameStep("before", { before: [open, doctor(1)] }), driver.trust, nameStep("after", { before: [doctor(0)] })]
        : [nameStep("after", { before: [open, doctor(0)] })],
    },
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        driver.trust &&
          !run.executableOutput[1]?.includes("not trusted yet") &&
          `doctor did not print the reason: ${run.executableOutput[1]}`,
        !/^(All green|No red findings).*: denials take effect\.$/m.test(run.executableOutput.at(-1) ?? "") &&
          `doctor did not report that denials take effect: ${run.executableOutput.at(-1)}`,
        !hasReachedModel(run, "doctor asked for this denial") && "the host allowed the call that doctor saw denied",
      ),
  };

  const gone: RunSetup = {
    ...base,
    untrusting: undefined,
    copy: "bridge-hooks",
    steps: [nameStep("gone", { before: [install("user", "--event", PRE), { remove: true }] })],
  };
  const whenGone = (releases: string | undefined, name: string, judge: HostCase["judge"]): HostCase[] =>
    releases === undefined ? [] : [{ name, setup: gone, releases, judge }];

  const several = driver.several.map(({ scopes, times }): HostCase => ({
    name: `install in several scopes (${scopes.join(", ")}): the executable runs ${times === 1 ? "once" : `${times} times`} for a call`,
    setup: {
      ...base,
      untrusting: undefined,
      trusting: true,
      plan: [],
      steps: [nameStep("installed", { before: scopes.map((scope) => install(scope)) })],
    },
    ...(scopes.includes("managed") && { mounts: true }),
    judge: (run) =>
      findFirstProblem(
        findRunProblem(run),
        !hasTakenPlace(run, "installed") && "the call did not take place",
        countCalls(run, "installed", PRE) !== times && `the executable ran ${countCalls(run, "installed", PRE)} times`,
      ),
  }));

  // Not all hosts read a project file.
  const awkward = SCOPES.get(host)?.includes("project") ? "project" : "user";
  return [
    ...(SCOPES.get(host) ?? []).flatMap(inScope),
    ...several,
    examined,
    ...whenGone(
      missing.blocks,
      "install --on-error deny, and the executable is missing: the call does not take place",
      (run) =>
        findFirstProblem(
          findRunProblem(run),
          hasTakenPlace(run, "gone") && "the call took place",
          countModelRequests(run, "main") !== (driver.turns ?? 2) && "the host did not continue",
        ),
    ),
    ...whenGone(
      missing.passes,
      "limit: install --on-error deny, and the executable is missing: the call is allowed",
      (run) => judgeUntouched(run, "gone"),
    ),
    {
      name: `install ${awkward === "project" ? "in a project" : "for the user"}, by an executable, with a space, a quote and a non-ASCII letter in their paths: the denial is enforced`,
      setup: {
        ...base,
        untrusting: undefined,
        trusting: true,
        copy: "it's ü/bridge-hooks",
        project: "it's ü/project",
        steps: [nameStep("installed", { before: [install(awkward)] })],
      },
      judge: (run) => judgeHeldOnce(run, "installed", PRE),
    },
  ];
}
