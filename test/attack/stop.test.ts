import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AttackTarget } from "./cases.ts";
import { findFault } from "./judge.ts";
import { type ProcessOutcome, forEachAtOnce } from "./processes.ts";
import { buildInstalledFlags } from "./properties.ts";
import {
  buildFaultyExecutable,
  removeFolder,
  stoppingHosts,
  runDeniedCall,
  findEvent,
  newFolder,
  getSeedText,
  findProblem,
} from "./surroundings.ts";
import { BUILD_MS } from "../support/executables.ts";
import { createTally } from "../support/fuzz.ts";

const tally = createTally("test/attack/stop.test.ts");
beforeAll(buildFaultyExecutable, BUILD_MS);
afterAll(() => {
  removeFolder();
  tally.print();
});

/** Builds a repeated Stop, with flags that allow multiple continuations. */
function goneOn(target: AttackTarget): { stdin: string; more: string[] } {
  const payload = JSON.parse(getSeedText(target, findEvent(target, "Stop")));
  for (const key of ["stop_hook_active", "stopHookActive"]) if (key in payload) payload[key] = true;
  return { stdin: JSON.stringify(payload), more: ["--max-continuations", "3"] };
}

/** Runs the executable for a repeated Stop. */
function stopped(target: AttackTarget, state: string): Promise<ProcessOutcome> {
  tally.count();
  return runDeniedCall(target, findEvent(target, "Stop"), {}, state, goneOn(target));
}

/** Returns the file that counts continuations; undefined if the host counts them itself. */
async function countIn(target: AttackTarget, state: string): Promise<string | undefined> {
  await stopped(target, state);
  const counts = join(state, "bridge-hooks", "continuations");
  const [name] = existsSync(counts) ? readdirSync(counts) : [];
  return name === undefined ? undefined : join(counts, name);
}

const COUNTS: Record<string, (file: string) => void> = {
  "a pipe": (file) => void Bun.spawnSync(["mkfifo", file]),
  "an endless device": (file) => symlinkSync("/dev/zero", file),
  "a folder": (file) => mkdirSync(file),
  "a dangling link": (file) => symlinkSync("/nonexistent/count", file),
  nothing: (file) => writeFileSync(file, ""),
  "not a number": (file) => writeFileSync(file, "many"),
  "a huge number": (file) => writeFileSync(file, "9".repeat(400)),
  "a negative number": (file) => writeFileSync(file, "-7"),
};

describe.skipIf(process.platform === "win32")(
  "Stop gets a valid answer if the file that counts continuations is",
  () => {
    for (const [name, replace] of Object.entries(COUNTS)) {
      test(name, async () => {
        let tried = 0;
        for (const target of stoppingHosts) {
          const state = newFolder();
          const file = await countIn(target, state);
          if (file === undefined) continue;
          tried++;
          rmSync(file);
          replace(file);
          expect([
            target.host.id,
            await findProblem(target, findEvent(target, "Stop"), await stopped(target, state)),
          ]).toEqual([target.host.id, undefined]);
        }
        expect(tried).toBeGreaterThan(2);
      });
    }

    test("written by 50 concurrent calls, and the limit is still enforced afterwards", async () => {
      for (const target of stoppingHosts) {
        const stop = findEvent(target, "Stop");
        const state = newFolder();
        const file = await countIn(target, state);
        if (file === undefined) continue;
        rmSync(file);
        const ended: ProcessOutcome[] = [];
        await forEachAtOnce(Array.from({ length: 50 }), async () => void ended.push(await stopped(target, state)), 50);
        const { argv } = { argv: buildInstalledFlags(target, stop, "deny") };
        for (const { ms, ...result } of ended)
          expect(
            await findFault({ host: target.host.id, native_event: stop, hook: "deny", argv, text: "" }, result),
          ).toBeUndefined();
        expect(["1", "2", "3"]).toContain(readFileSync(file, "utf8"));
        const kinds = async (results: readonly ProcessOutcome[]) =>
          results.map((result) => target.verdict(stop, result, {}).kind);
        expect(await kinds(ended)).toContain("denied");
        // No matter how many of the fifty counts were lost, three more stops must be enough to reach the limit.
        const behind = [await stopped(target, state), await stopped(target, state), await stopped(target, state)];
        expect((await kinds(behind)).at(-1)).toBe("passed");
      }
    });
  },
);
