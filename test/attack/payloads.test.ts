import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { continues } from "../../src/core/capability.ts";
import { type Payload, rowOf } from "../../src/core/host.ts";
import { keepStateIn } from "../../src/run/continuations.ts";
import { respond } from "../../src/run/run.ts";
import { changes, damages, flags, policy, response } from "./arbitrary.ts";
import {
  canDeny,
  type Case,
  hooksOf,
  IDENTITY,
  KINDS,
  installedArguments,
  isOwn,
  MARKER,
  policyIn,
  seedsOf,
  targets,
  triggersOf,
} from "./cases.ts";
import { faultOf } from "./judge.ts";
import { keep, kept } from "./kept.ts";
import { changed, damaged, put, valueAt } from "./mutate.ts";
import { newTally } from "./tally.ts";

const tally = newTally("test/attack/payloads.test.ts");
const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-attack-"));
beforeAll(() => keepStateIn(folder));
afterAll(() => {
  keepStateIn();
  rmSync(folder, { recursive: true, force: true });
  tally.print();
});

/** A call has 300 ms; the rest is the machine's, which may have other things to do. */
const LIMIT_MS = 2_000;
const TIME = ["--timeout-ms", "300"];

/** What is wrong with the answer to a case. */
async function faultIn(one: Case): Promise<string | undefined> {
  tally.count();
  const started = performance.now();
  let result;
  try {
    result = await respond(hooksOf(one), {}, one.argv, { env: {}, read: () => one.text });
  } catch (error) {
    return `it threw ${String(error)}`;
  }
  const ms = performance.now() - started;
  return faultOf(one, result) ?? (ms > LIMIT_MS ? `it took ${Math.round(ms)} ms` : undefined);
}

/** Properties that were tried, so that each has its own seed. */
let asked = 0;

/** Looks for a case that goes wrong, and keeps the smallest one. */
async function attack<T>(made: fc.Arbitrary<T>, caseOf: (from: T) => Case | Promise<Case>, runs: number): Promise<void> {
  asked++;
  let smallest: { one: Case; why: string } | undefined;
  const property = fc.asyncProperty(made, async (from) => {
    const one = await caseOf(from);
    const why = await faultIn(one);
    if (why !== undefined) smallest = { one, why };
    return why === undefined;
  });
  const { failed, errorInstance } = await fc.check(property, { seed: (tally.seed + asked) | 0, numRuns: tally.cases(runs) });
  if (!failed) return;
  if (!smallest) throw errorInstance;
  const { one, why } = smallest;
  throw new Error(`${why}; kept as ${keep({ ...one, why })}`);
}

describe("cases that failed once", () => {
  for (const [name, one] of kept.filter(([, { process }]) => !process)) test(name, async () => expect(await faultIn(one)).toBeUndefined());
});

for (const target of targets) {
  const { host } = target;
  const events = Object.keys(host.capabilities);
  const seeds = seedsOf(host);
  const seedsAt = (native_event: string) => fc.constantFrom(...seeds.filter((seed) => seed.native_event === native_event));
  const installed = (native_event: string, on_error: "allow" | "deny") => [...installedArguments(target, native_event, on_error), ...TIME];
  /** What a host has to make of a call that fails, or that a hook denies. */
  const refusal = (native_event: string, argv: readonly string[]) =>
    policyIn(argv) === "deny" && denials.has(native_event) ? "denied" : undefined;
  const denials = new Set<string>();

  describe(host.id, () => {
    test("a plain denial is one", async () => {
      for (const native_event of events.filter((name) => canDeny(host, name))) {
        const { text } = seeds.find((seed) => seed.native_event === native_event) as { text: string };
        const one: Case = { host: host.id, native_event, hook: "deny", argv: installed(native_event, "deny"), text, wanted: "denied" };
        // At some events a denial is told, and stops nothing.
        if ((await faultIn(one)) === undefined) denials.add(native_event);
      }
      for (const native_event of events) {
        const gate = ["PreToolUse", "PermissionRequest", "UserPromptSubmit"].includes(rowOf(host, native_event).event);
        if (gate && canDeny(host, native_event)) expect([...denials]).toContain(native_event);
      }
    });

    test("whatever a payload says, it is denied or fails, and a failure denies", async () => {
      for (const native_event of events) {
        const made = fc.record({ seed: seedsAt(native_event), changes, policy });
        await attack(
          made,
          async ({ seed, changes, policy }) => {
            const text = JSON.stringify(changed(JSON.parse(seed.text), changes));
            const argv = installed(native_event, policy);
            const own = await isOwn(host, native_event, text);
            return {
              host: host.id,
              native_event,
              hook: "deny",
              argv,
              text,
              ...(own ? { wanted: refusal(native_event, argv) } : { stray: true as const }),
            };
          },
          700,
        );
      }
    }, 240_000);

    test("a denial holds whatever else changes", async () => {
      const found = seeds.map((seed) => ({ seed, triggers: triggersOf(host, seed) })).filter(({ triggers }) => triggers.length > 0);
      expect(found.length).toBeGreaterThan(0);
      for (const { seed, triggers } of found) {
        const made = fc.record({ trigger: fc.constantFrom(...triggers), changes, policy });
        await attack(
          made,
          ({ trigger, changes, policy }) => {
            const payload: Payload = JSON.parse(seed.text);
            put(valueAt(payload, trigger.slice(0, -1)) as Payload, trigger.at(-1) as string, MARKER);
            const text = JSON.stringify(changed(payload, changes, { paths: [trigger], keys: IDENTITY, kinds: KINDS }));
            const argv = installed(seed.native_event, policy);
            return { host: host.id, native_event: seed.native_event, hook: "marked", argv, text, wanted: "held" };
          },
          400,
        );
      }
    }, 240_000);

    test("a text that is damaged is denied or fails, and a failure denies", async () => {
      for (const native_event of events) {
        const made = fc.record({ seed: seedsAt(native_event), damages, policy });
        await attack(
          made,
          async ({ seed, damages, policy }) => {
            const text = damaged(seed.text, damages);
            const argv = installed(native_event, policy);
            const own = await isOwn(host, native_event, text);
            return {
              host: host.id,
              native_event,
              hook: "deny",
              argv,
              text,
              ...(own ? { wanted: refusal(native_event, argv) } : { stray: true as const }),
            };
          },
          600,
        );
      }
    }, 240_000);

    test("a hook that fails: denied where that is the policy, and no agent goes on because of it", async () => {
      for (const native_event of events) {
        const made = fc.record({ seed: seedsAt(native_event), changes, policy });
        const stops = continues(rowOf(host, native_event));
        await attack(
          made,
          async ({ seed, changes, policy }) => {
            const text = JSON.stringify(changed(JSON.parse(seed.text), changes));
            const argv = installed(native_event, policy);
            const own = await isOwn(host, native_event, text);
            const wanted = stops ? "not denied" : refusal(native_event, argv);
            return { host: host.id, native_event, hook: "throw", argv, text, ...(own ? { wanted } : { stray: true as const }) };
          },
          250,
        );
      }
    }, 240_000);

    test("whatever a hook returns", async () => {
      for (const native_event of events) {
        const made = fc.record({ seed: seedsAt(native_event), response, policy });
        await attack(
          made,
          ({ seed, response, policy }) => ({
            host: host.id,
            native_event,
            hook: "answer",
            argv: installed(native_event, policy),
            text: seed.text,
            response,
          }),
          250,
        );
      }
    }, 240_000);

    test("whatever the flags are", async () => {
      for (const native_event of events) {
        const made = fc.record({ seed: seedsAt(native_event), flags });
        await attack(
          made,
          ({ seed, flags }) => ({
            host: host.id,
            native_event,
            hook: "deny",
            argv: [...flags, ...installed(native_event, "deny")],
            text: seed.text,
          }),
          250,
        );
      }
    }, 240_000);
  });
}
