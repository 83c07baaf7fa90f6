import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { hasContinuingDenial } from "../../src/protocol/capability.ts";
import { getCapabilityRow } from "../../src/protocol/host/host.ts";
import type { AttackCase, AttackTarget, WantedVerdict } from "./cases.ts";
import { FAULTS } from "./faults.ts";
import { findFault } from "./judge.ts";
import { forEachAtOnce, runProcess } from "./processes.ts";
import { buildInstalledFlags } from "./properties.ts";
import {
  buildFaultyExecutable,
  removeFolder,
  commandHosts,
  findEvent,
  executable,
  folder,
  LIMIT_MS,
  getSeedText,
} from "./surroundings.ts";
import { createTally } from "../support/fuzz.ts";

const tally = createTally("test/attack/faults.test.ts");
beforeAll(buildFaultyExecutable, 120_000);
afterAll(() => {
  removeFolder();
  tally.print();
});

interface Situation {
  name: string;
  native_event: string;
  on_error: "allow" | "deny";
  /** The other hook that denies, in front of the faulty one or behind it. */
  denier: "" | "before" | "behind";
  wanted?: WantedVerdict;
}

/** The situations that a fault is tried in. */
function situationsOf(target: AttackTarget, { fails, blocks }: (typeof FAULTS)[string]): Situation[] {
  const [native_event, stop] = [findEvent(target, "PreToolUse"), findEvent(target, "Stop")];
  expect(hasContinuingDenial(getCapabilityRow(target.host, stop))).toBe(true);
  const denied = { native_event, wanted: "denied" } as const;
  return [
    { ...denied, name: "alone, failures deny", on_error: "deny", denier: "", ...(!fails && { wanted: undefined }) },
    ...(blocks
      ? []
      : [{ ...denied, name: "in front of a denial, failures deny", on_error: "deny", denier: "behind" } as const]),
    // Where nothing behind it can run, its failure is told.
    {
      ...denied,
      name: "in front of a denial",
      on_error: "allow",
      denier: "behind",
      ...(blocks && { wanted: "held" as const }),
    },
    {
      ...denied,
      name: "behind a denial",
      on_error: "allow",
      denier: "before",
      ...(blocks === "module" && { wanted: "held" as const }),
    },
    { native_event: stop, name: "at Stop", on_error: "deny", denier: "", wanted: "not denied" },
  ];
}

async function faultIn(
  target: AttackTarget,
  fault: string,
  { native_event, on_error, denier, wanted }: Situation,
): Promise<string | undefined> {
  tally.count();
  const argv = buildInstalledFlags(target, native_event, on_error);
  const text = getSeedText(target, native_event);
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    XDG_STATE_HOME: join(folder, "state"),
    ATTACK_FAULT: fault,
    ATTACK_DENIER: denier,
  };
  const { ms, ...result } = await runProcess({
    argv: [executable, ...argv],
    stdin: text,
    cwd: folder,
    env,
    limit_ms: LIMIT_MS,
  });
  const one: AttackCase = { host: target.host.id, native_event, hook: "none", argv, text, wanted };
  if (ms > LIMIT_MS) return `it took ${Math.round(ms)} ms`;
  if (result.exit_code === null) return `it was killed; stderr: ${result.stderr.slice(0, 300)}`;
  return findFault(one, result);
}

describe("every fault, beside another hook and alone", () => {
  for (const [fault, kind] of Object.entries(FAULTS)) {
    test(
      fault,
      async () => {
        const wrong: string[] = [];
        const cases = commandHosts.flatMap((target) =>
          situationsOf(target, kind).map((situation) => ({ target, situation })),
        );
        await forEachAtOnce(cases, async ({ target, situation }) => {
          // The machine may be busy, and the time is short: what is wrong three times is wrong.
          let why = await faultIn(target, fault, situation);
          for (let more = 2; more > 0 && why !== undefined; more--) why = await faultIn(target, fault, situation);
          if (why !== undefined) wrong.push(`${target.host.id}, ${situation.name}: ${why}`);
        });
        expect(wrong).toEqual([]);
      },
      120_000,
    );
  }
  test("all of them ran", () => expect([Object.keys(FAULTS).length, commandHosts.length]).toEqual([58, 6]));
});
