import { isDeepStrictEqual } from "node:util";
import type { Host } from "../../src/protocol/host/host.ts";
import { PROBE as DOCTORS } from "../../src/protocol/probe.ts";
import type { Scope } from "../../src/protocol/host/install.ts";
import { hosts } from "../../src/hosts/index.ts";
import { asked, type Case, type Driver, fed, file, first, soundness, TOKEN } from "./driver.ts";
import type { Call } from "./plan.ts";
import { PROBE, RAW } from "./releases.ts";
import type { Deed, Run, Session, Setup, Step } from "./run.ts";

/** The scopes that each host has a file for. */
const SCOPES = new Map(
  await Promise.all(
    hosts.map(async (host): Promise<[Host, Scope[]]> => {
      const files = (await host.setup()).configs({
        roots: ["/project"],
        home: "/home",
        platform: process.platform,
        env: {},
      });
      return [host, [...new Set(files.flatMap(({ scope, target }) => (target ? [scope as Scope] : [])))]];
    }),
  ),
);

/** The command for one scope; managed files lie in what is laid over /etc. */
export const does = (
  verb: "install" | "uninstall",
  scope: Scope,
  ids: readonly string[],
  ...more: readonly string[]
): Deed => ({
  line: [
    verb,
    ...ids.flatMap((id) => ["--host", id]),
    "--scope",
    scope,
    ...(scope === "managed" ? ["--root", "{run}"] : []),
    ...more,
  ],
});

/** A start that a judge finds again by its name; a shell call tells in which one it took place. */
export const named = (name: string, step: Step = {}): Step => ({ ...step, env: { ...step.env, STEP: name } });

/** Leaves a file that tells the start. */
const MARK_STEP = 'echo original > "marker-$STEP.txt"';

const sessionAt = ({ setup, sessions }: Run, name: string): Session | undefined =>
  sessions[setup.steps?.findIndex(({ env }) => env?.STEP === name) ?? -1];
const callsAt = (run: Run, name: string): readonly Call[] => sessionAt(run, name)?.calls ?? [];
const tookPlace = (run: Run, name: string): boolean => file(run, `marker-${name}.txt`) !== undefined;

/** How often our process was asked about the call in a start. */
const timesAt = (run: Run, name: string, native_event: string): number =>
  callsAt(run, name).filter((call) => call.native_event === native_event).length;

/** An event by its name alone: a host may tell the same state twice in a row [seen OpenCode 1.18.33, 2026-11-23: session.status]. */
const isNative = ({ native_event }: Call): boolean =>
  hosts.some(
    ({ capabilities }) =>
      Object.hasOwn(capabilities, native_event) && capabilities[native_event]?.().event === "Native",
  );

/** An event that our process was told of twice in a row with the same words; the same words later may be another event. */
const doubled = (calls: readonly Call[]): Call | undefined =>
  calls.find((call, at) => at > 0 && !isNative(call) && isDeepStrictEqual(calls[at - 1]?.payload, call.payload));

/** Judges a start in which the denial is to hold, by one process for each event. */
function heldOnce(run: Run, name: string, native_event: string): string | undefined {
  const times = timesAt(run, name, native_event);
  const twice = doubled(callsAt(run, name));
  return first(
    soundness(run),
    times === 0 && "our process did not run: the hook was skipped",
    tookPlace(run, name) && "the denial did not hold",
    !fed(run, TOKEN.reason) && "the model was not told why",
    times > 1 && `our process ran ${times} times for one call`,
    twice && `our process ran twice with the same words at ${twice.native_event}`,
  );
}

/** Judges a start in which nothing of ours is to run. */
const untouched = (run: Run, name: string): string | undefined =>
  first(
    soundness(run),
    callsAt(run, name).length > 0 && "our process ran",
    !tookPlace(run, name) && "the call did not take place",
    !sessionAt(run, name)?.stdout.includes("FINAL") && "the host did not go on to the model's last word",
  );

/** What every host is to make of what `install` writes, and of what `uninstall` leaves. */
export function installCases(driver: Driver): Case[] {
  const { host, bash, missing } = driver;
  const PRE = Object.entries(host.capabilities).find(([, row]) => row().event === "PreToolUse")?.[0] ?? "";
  const denial = { decision: "deny", reason: TOKEN.reason } as const;
  const base: Setup = {
    script: { main: [{ calls: [bash(MARK_STEP)] }, { text: "FINAL" }] },
    // The executable without the bridge answers in the host's words.
    plan: [{ event: PRE, answer: denial, raw: driver.raw?.("deny", PRE) }],
    untrusting: true,
    anew: true,
  };
  const install = (scope: Scope, ...more: string[]) => does("install", scope, [host.id], ...more);

  const inScope = (scope: Scope): Case[] => {
    const { trust } = scope === "managed" ? {} : driver;
    const again = install(scope);
    const out = does("uninstall", scope, [host.id]);
    const setup: Setup = {
      ...base,
      ...(trust && { copy: "bridge-hooks" }),
      ...((scope === "project" || scope === "local") && { trusting: true }),
      steps: [
        ...(trust ? [named("untrusted", { before: [again] }), trust] : []),
        named("installed", { before: trust ? [again] : [again, again] }),
        ...(trust ? [named("replaced", { before: [again, { replace: RAW }] })] : []),
        named("uninstalled", { before: trust ? [{ replace: PROBE }, out] : [out] }),
      ],
    };
    const mounts = scope === "managed" && { mounts: true as const };
    const trusted: Case[] = [
      {
        name: `install --scope ${scope}: nothing of ours runs before it is trusted, and install says so`,
        setup,
        judge: (run) =>
          first(
            untouched(run, "untrusted"),
            !run.said[0]?.includes("before you trust them") && "install did not say so",
          ),
      },
      {
        name: `install --scope ${scope} once more, and another executable in the old one's place: the trust stays`,
        setup,
        judge: (run) =>
          first(
            soundness(run),
            timesAt(run, "replaced", PRE) !== 1 &&
              `our process ran ${timesAt(run, "replaced", PRE)} times for the call`,
            tookPlace(run, "replaced") && "the denial did not hold",
          ),
      },
    ];
    return [
      {
        name: `install --scope ${scope}, twice: the denial holds, and our process runs once for each event`,
        setup,
        ...mounts,
        judge: (run) =>
          first(
            heldOnce(run, "installed", PRE),
            !run.said[1]?.includes("Nothing was written") && "the second one wrote something",
          ),
      },
      ...(trust ? trusted : []),
      {
        name: `uninstall --scope ${scope}: our process does not run any more, and the call takes place`,
        setup,
        ...mounts,
        judge: (run) => untouched(run, "uninstalled"),
      },
    ];
  };

  // Without failing closed: not every release has a switch for it.
  const open = install("user", "--on-error", "allow");
  const doctor = (code: number): Deed => ({ line: ["doctor", "--host", host.id], code });
  const examined: Case = {
    name: driver.trust
      ? "doctor is red before the entries are trusted, and green when the denial holds"
      : "doctor is green, and the denial holds",
    setup: {
      ...base,
      // The call that doctor tries itself.
      script: { main: [{ calls: [bash(DOCTORS)] }, { text: "FINAL" }] },
      plan: [],
      steps: driver.trust
        ? [named("before", { before: [open, doctor(1)] }), driver.trust, named("after", { before: [doctor(0)] })]
        : [named("after", { before: [open, doctor(0)] })],
    },
    judge: (run) =>
      first(
        soundness(run),
        driver.trust && !run.said[1]?.includes("nobody trusted") && `doctor did not say why: ${run.said[1]}`,
        !/^(All green|Nothing is red).*: a denial holds\.$/m.test(run.said.at(-1) ?? "") &&
          `doctor did not say that a denial holds: ${run.said.at(-1)}`,
        !fed(run, "doctor asked for this denial") && "the host let the call pass that doctor saw denied",
      ),
  };

  const gone: Setup = {
    ...base,
    untrusting: undefined,
    copy: "bridge-hooks",
    steps: [named("gone", { before: [install("user", "--event", PRE), { remove: true }] })],
  };
  const whenGone = (releases: string | undefined, name: string, judge: Case["judge"]): Case[] =>
    releases === undefined ? [] : [{ name, setup: gone, releases, judge }];

  const several = driver.several.map(({ scopes, times }): Case => ({
    name: `install in several scopes (${scopes.join(", ")}): our process runs ${times === 1 ? "once" : `${times} times`} for a call`,
    setup: {
      ...base,
      untrusting: undefined,
      trusting: true,
      plan: [],
      steps: [named("installed", { before: scopes.map((scope) => install(scope)) })],
    },
    ...(scopes.includes("managed") && { mounts: true }),
    judge: (run) =>
      first(
        soundness(run),
        !tookPlace(run, "installed") && "the call did not take place",
        timesAt(run, "installed", PRE) !== times && `our process ran ${timesAt(run, "installed", PRE)} times`,
      ),
  }));

  // Not every host reads a project's.
  const awkward = SCOPES.get(host)?.includes("project") ? "project" : "user";
  return [
    ...(SCOPES.get(host) ?? []).flatMap(inScope),
    ...several,
    examined,
    ...whenGone(
      missing.blocks,
      "install --on-error deny, and the executable is gone: the call does not take place",
      (run) =>
        first(
          soundness(run),
          tookPlace(run, "gone") && "the call took place",
          asked(run, "main") !== (driver.turns ?? 2) && "the host did not go on",
        ),
    ),
    ...whenGone(missing.passes, "limit: install --on-error deny, and the executable is gone: the call passes", (run) =>
      untouched(run, "gone"),
    ),
    {
      name: `install ${awkward === "project" ? "in a project" : "for the user"}, by an executable, with a space, a quote and a letter beyond ASCII in their paths: the denial holds`,
      setup: {
        ...base,
        untrusting: undefined,
        trusting: true,
        copy: "it's ü/bridge-hooks",
        project: "it's ü/project",
        steps: [named("installed", { before: [install(awkward)] })],
      },
      judge: (run) => heldOnce(run, "installed", PRE),
    },
  ];
}
