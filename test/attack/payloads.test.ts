import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { setStateDirectory } from "../../src/call/state/state-directory.ts";
import { answerCall } from "../support/answer-call.ts";
import { type AttackCase, listGateEvents, getHooks, targets } from "./cases.ts";
import { findFault } from "./judge.ts";
import { keepCase, keptCases } from "./kept-cases.ts";
import { deniedEvents, findDenials, properties } from "./properties.ts";
import type { CommandResult } from "../../src/protocol/host/install.ts";
import { createTally, fuzz, seed } from "../support/fuzz.ts";
import { measureCpuTime } from "../support/machine.ts";

const tally = createTally("test/attack/payloads.test.ts");
const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-attack-"));
beforeAll(async () => {
  setStateDirectory(folder);
  await findDenials();
});
afterAll(() => {
  setStateDirectory();
  rmSync(folder, { recursive: true, force: true });
  tally.print();
});

/** CPU limit for a call. Calls take a few milliseconds, so one that takes a thousand times as long is hanging. */
const LIMIT_MS = 2_000;

/** Describes what is wrong with the answer to a case, if anything. */
async function faultIn(one: AttackCase): Promise<string | undefined> {
  tally.count();
  let result: CommandResult | undefined;
  let failure: string | undefined;
  const ms = await measureCpuTime(async () => {
    try {
      result = await answerCall(getHooks(one), {}, one.argv, { env: {}, read: () => one.text });
    } catch (error) {
      failure = `it threw ${String(error)}`;
    }
  });
  if (!result) return failure;
  return (await findFault(one, result)) ?? (ms > LIMIT_MS ? `it took ${Math.round(ms)} ms` : undefined);
}

/** How many properties have been tested. Each property derives its own seed from this count. */
let tried = 0;

/** Searches for a failing case and saves the smallest one. */
async function attack(made: fc.Arbitrary<AttackCase>, runs: number): Promise<void> {
  tried++;
  let smallest: { one: AttackCase; why: string } | undefined;
  const property = fc.asyncProperty(made, async (one) => {
    const why = await faultIn(one);
    if (why !== undefined) smallest = { one, why };
    return why === undefined;
  });
  const { failed, errorInstance } = await fc.check(property, {
    ...fuzz(runs),
    seed: (seed + tried) | 0,
  });
  if (!failed) return;
  if (!smallest) throw errorInstance;
  throw new Error(`${smallest.why}; kept as ${keepCase({ ...smallest.one, why: smallest.why })}`);
}

describe("a case that failed once is answered correctly:", () => {
  for (const [name, one] of keptCases.filter(([, { process }]) => !process))
    test(name, async () => expect(await faultIn(one)).toBeUndefined());
});

test("denials are tested on many events", () => expect(Object.values(deniedEvents).flat().length).toBeGreaterThan(53));

for (const target of targets) {
  const { host } = target;
  const events = Object.keys(host.capabilities);
  describe(host.id, () => {
    test("accepts a plain denial before a call and at a prompt", () => {
      for (const native_event of listGateEvents(host)) expect(deniedEvents[host.id]).toContain(native_event);
    });
    for (const { name, runs, casesAt } of properties) {
      test(name, async () => {
        const made = events.map((native_event) => casesAt(target, native_event)).filter((cases) => cases !== undefined);
        expect(made.length).toBeGreaterThan(0);
        for (const cases of made) await attack(cases, runs);
      });
    }
  });
}
