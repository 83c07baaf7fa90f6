import fc from "fast-check";
import { hasContinuingDenial } from "../../src/protocol/capability.ts";
import { type Payload, getCapabilityRow } from "../../src/protocol/host/host.ts";
import { changes, damages, flags, policy, response } from "./arbitrary.ts";
import { answerCall } from "../support/answer-call.ts";
import {
  canDeny,
  type AttackCase,
  GATE_EVENTS,
  HOOKS,
  IDENTITY_KEYS,
  installedArguments,
  KIND_KEYS,
  MARKER,
  getPolicy,
  listSeeds,
  type AttackTarget,
  targets,
  findTriggers,
} from "./cases.ts";
import { scaleMs } from "../support/machine.ts";
import { applyChanges, applyDamages, PAYLOAD_KEYS, setProperty, getValue } from "./mutate.ts";

/**
 * A call has 600 ms on a quiet machine, and a hook has a third of that. A well-behaved hook must finish in time even
 * though several calls run concurrently.
 */
export const TIME_FLAGS = ["--timeout-ms", String(scaleMs(600))];

/** A class of malformed or hostile calls, and a property that holds for all of them. */
export interface Property {
  name: string;
  /** Number of cases generated per event. */
  runs: number;
  /** Returns undefined if the property doesn't apply to the event. */
  casesAt: (target: AttackTarget, native_event: string) => fc.Arbitrary<AttackCase> | undefined;
}

export const buildInstalledFlags = (target: AttackTarget, native_event: string, on_error: "allow" | "deny") => [
  ...installedArguments(target, native_event, on_error),
  ...TIME_FLAGS,
];

/** Events on which a plain denial takes effect, by host. On other events, a denial is only reported. */
export const deniedEvents: Record<string, readonly string[]> = {};

/** Fills `deniedEvents`. It's a function so that importing this module doesn't run hooks. */
export async function findDenials(): Promise<void> {
  for (const target of targets) deniedEvents[target.host.id] = await findDeniedEvents(target);
}

async function findDeniedEvents(target: AttackTarget): Promise<string[]> {
  const found: string[] = [];
  for (const native_event of Object.keys(target.host.capabilities)) {
    const [seed] = listSeeds(target.host).filter((one) => one.native_event === native_event);
    if (!canDeny(target.host, native_event)) continue;
    const answer = await answerCall(HOOKS.deny, {}, buildInstalledFlags(target, native_event, "deny"), {
      env: {},
      read: () => seed?.text,
    });
    if (target.verdict(native_event, answer, target.handler(native_event, "deny")).kind === "denied")
      found.push(native_event);
  }
  return found;
}

const pickSeed = ({ host }: AttackTarget, native_event: string) =>
  fc.constantFrom(...listSeeds(host).filter((seed) => seed.native_event === native_event));

/** Returns the verdict the host must reach on a denied or failed call. */
const expectRefusal = (host: string, native_event: string, argv: readonly string[]) =>
  getPolicy(argv) === "deny" && deniedEvents[host]?.includes(native_event) ? { wanted: "denied" as const } : {};

const changedPayloads: Property = {
  name: "any payload is denied or fails, and a failure denies",
  runs: 700,
  casesAt: (target, native_event) =>
    fc.record({ seed: pickSeed(target, native_event), changes, policy }).map(({ seed, changes, policy }) => {
      const argv = buildInstalledFlags(target, native_event, policy);
      const text = JSON.stringify(applyChanges(JSON.parse(seed.text), changes));
      return {
        host: target.host.id,
        native_event,
        hook: "deny",
        argv,
        text,
        ...expectRefusal(target.host.id, native_event, argv),
      };
    }),
};

const untouchedTriggers: Property = {
  name: "a denial is enforced whatever else changes",
  runs: 2_000,
  casesAt(target, native_event) {
    if (!GATE_EVENTS.includes(getCapabilityRow(target.host, native_event).event)) return undefined;
    const seeds = listSeeds(target.host).filter((seed) => seed.native_event === native_event);
    const found = seeds.flatMap((seed) => findTriggers(target.host, seed).map((trigger) => ({ seed, trigger })));
    if (found.length === 0) return undefined;
    return fc
      .record({ from: fc.constantFrom(...found), changes, policy })
      .map(({ from: { seed, trigger }, changes, policy }) => {
        const payload: Payload = JSON.parse(seed.text);
        setProperty(getValue(payload, trigger.slice(0, -1)) as Payload, trigger.at(-1) as string, MARKER);
        const text = JSON.stringify(
          applyChanges(payload, changes, { paths: [trigger], keys: IDENTITY_KEYS, kinds: KIND_KEYS }),
        );
        return {
          host: target.host.id,
          native_event,
          hook: "marked",
          argv: buildInstalledFlags(target, native_event, policy),
          text,
          wanted: "held",
        };
      });
  },
};

/** Adds every host's field names beside a trigger, because a model can add any field to a call. */
const addedFields: Property = {
  name: "an added field hides nothing",
  runs: 4_000,
  casesAt(target, native_event) {
    if (!GATE_EVENTS.includes(getCapabilityRow(target.host, native_event).event)) return undefined;
    const seeds = listSeeds(target.host).filter((seed) => seed.native_event === native_event);
    // The host writes the top level of a payload, so a model can't add fields there.
    const found = seeds.flatMap((seed) =>
      findTriggers(target.host, seed).flatMap((trigger) => (trigger.length > 1 ? [{ seed, trigger }] : [])),
    );
    if (found.length === 0) return undefined;
    const key = fc.constantFrom(
      ...PAYLOAD_KEYS.filter((name) => !IDENTITY_KEYS.includes(name) && !KIND_KEYS.includes(name)),
    );
    return fc
      .record({ from: fc.constantFrom(...found), key, value: fc.constantFrom("ls", "/a", ["ls"], { a: 1 }), policy })
      .map(({ from: { seed, trigger }, key, value, policy }) => {
        const payload: Payload = JSON.parse(seed.text);
        const parent = getValue(payload, trigger.slice(0, -1)) as Payload;
        if (!Object.hasOwn(parent, key)) setProperty(parent, key, value);
        setProperty(parent, trigger.at(-1) as string, MARKER);
        const text = JSON.stringify(payload);
        return {
          host: target.host.id,
          native_event,
          hook: "marked",
          argv: buildInstalledFlags(target, native_event, policy),
          text,
          wanted: "held",
        };
      });
  },
};

const damagedTexts: Property = {
  name: "a damaged text is denied or fails, and a failure denies",
  runs: 600,
  casesAt: (target, native_event) =>
    fc.record({ seed: pickSeed(target, native_event), damages, policy }).map(({ seed, damages, policy }) => {
      const argv = buildInstalledFlags(target, native_event, policy);
      const text = applyDamages(seed.text, damages);
      return {
        host: target.host.id,
        native_event,
        hook: "deny",
        argv,
        text,
        ...expectRefusal(target.host.id, native_event, argv),
      };
    }),
};

const failingHooks: Property = {
  name: "a failing hook causes a denial if the policy says so, and never makes the agent continue",
  runs: 250,
  casesAt: (target, native_event) =>
    fc.record({ seed: pickSeed(target, native_event), changes, policy }).map(({ seed, changes, policy }) => {
      const argv = buildInstalledFlags(target, native_event, policy);
      const text = JSON.stringify(applyChanges(JSON.parse(seed.text), changes));
      const stops = hasContinuingDenial(getCapabilityRow(target.host, native_event));
      const wanted = stops ? { wanted: "not denied" as const } : expectRefusal(target.host.id, native_event, argv);
      return { host: target.host.id, native_event, hook: "throw", argv, text, ...wanted };
    }),
};

const strangeResponses: Property = {
  name: "any response from a hook gets a valid answer",
  runs: 250,
  casesAt: (target, native_event) =>
    fc.record({ seed: pickSeed(target, native_event), response, policy }).map(({ seed, response, policy }) => ({
      ...{
        host: target.host.id,
        native_event,
        hook: "answer",
        argv: buildInstalledFlags(target, native_event, policy),
        text: seed.text,
      },
      response,
    })),
};

const strangeFlags: Property = {
  name: "a denial is enforced whatever flags precede",
  runs: 250,
  casesAt: (target, native_event) =>
    fc.record({ seed: pickSeed(target, native_event), flags }).map(({ seed, flags }) => {
      const argv = [...flags, ...buildInstalledFlags(target, native_event, "deny")];
      const { text } = seed;
      return {
        host: target.host.id,
        native_event,
        hook: "deny",
        argv,
        text,
        ...expectRefusal(target.host.id, native_event, argv),
      };
    }),
};

export const properties: readonly Property[] = [
  changedPayloads,
  untouchedTriggers,
  addedFields,
  damagedTexts,
  failingHooks,
  strangeResponses,
  strangeFlags,
];
