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
  stoppingHosts,
  findEvent,
  executable,
  folder,
  LIMIT_MS,
  getSeedText,
} from "./surroundings.ts";
import { BUILD_MS } from "../support/executables.ts";
import { createTally, pickRepresentatives } from "../support/fuzz.ts";

const tally = createTally("test/attack/faults.test.ts");
beforeAll(buildFaultyExecutable, BUILD_MS);
afterAll(() => {
  removeFolder();
  tally.print();
});

interface Situation {
  name: string;
  native_event: string;
  on_error: "allow" | "deny";
  /** Whether the denying hook comes before or after the faulty one. */
  denier: "" | "before" | "behind";
  wanted?: WantedVerdict;
}

/** Lists the situations in which a fault is tested. */
function situationsOf(target: AttackTarget, { fails, blocks }: (typeof FAULTS)[string]): Situation[] {
  const [native_event, stop] = [findEvent(target, "PreToolUse"), findEvent(target, "Stop")];
  expect(hasContinuingDenial(getCapabilityRow(target.host, stop))).toBe(true);
  const denied = { native_event, wanted: "denied" } as const;
  return [
    { ...denied, name: "alone, if failures deny", on_error: "deny", denier: "", ...(!fails && { wanted: undefined }) },
    ...(blocks
      ? []
      : [{ ...denied, name: "before a denying hook, if failures deny", on_error: "deny", denier: "behind" } as const]),
    // A fault that keeps later hooks from running must be reported as a failure.
    {
      ...denied,
      name: "before a denying hook",
      on_error: "allow",
      denier: "behind",
      ...(blocks && { wanted: "held" as const }),
    },
    {
      ...denied,
      name: "after a denying hook",
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

describe("a call gets the answer that its failure policy requires, with and without another denial, if a hook", () => {
  for (const [fault, kind] of Object.entries(FAULTS)) {
    test(fault, async () => {
      const wrong: string[] = [];
      // Every host encodes a fault like any other failure, so each situation is tested with only one host. Each fault
      // starts with a different host, so that every host is tested in every situation.
      const turn = Object.keys(FAULTS).indexOf(fault);
      const cases = pickRepresentatives(
        stoppingHosts.flatMap((_, at) => {
          const target = stoppingHosts[(at + turn) % stoppingHosts.length] as AttackTarget;
          return situationsOf(target, kind).map((situation) => ({ target, situation }));
        }),
        ({ situation }) => situation.name,
      );
      await forEachAtOnce(cases, async ({ target, situation }) => {
        const why = await faultIn(target, fault, situation);
        if (why !== undefined) wrong.push(`${target.host.id}, ${situation.name}: ${why}`);
      });
      expect(wrong).toEqual([]);
    });
  }
  test("every fault and every host that runs commands is covered", () =>
    expect([Object.keys(FAULTS).length, stoppingHosts.length]).toEqual([58, 10]));
});
