import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import blockDestructive from "../../hooks/block-destructive.ts";
import protectHooks from "../../hooks/protect-hooks.ts";
import protectSecrets from "../../hooks/protect-secrets.ts";
import type { IHookResponse } from "../../src/protocol/response.ts";
import { askHook } from "../support/ask-hook.ts";
import { measureRawCpuTime } from "../support/machine.ts";
import { ORDINARY_LINES } from "../support/ordinary-lines.ts";

const HOOKS = [blockDestructive, protectSecrets, protectHooks];
/** CPU limit for one command in milliseconds, including JIT compilation. The benchmark covers the executable itself. */
const MOST_MS = 150;
/**
 * CPU limit per megabyte for commands that exceed the parser's length limit: about half a second on a quiet machine.
 */
const MOST_HUGE_MS = 2_500;
/**
 * Maximum growth in time per kilobyte when a command gets four times as long. A quadratic algorithm would reach a
 * factor of four.
 */
const MOST_GROWTH = 3;
/** JIT compilation and garbage collection add noise, so a command counts as slow only if every attempt is slow. */
const TRIES = 8;

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-lines-")));
beforeAll(() => {
  mkdirSync(join(scratch, "src/components"), { recursive: true });
  Bun.spawnSync(["git", "init", "-q", scratch]);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** Returns the starter hooks' answers to a command (or the names of their errors) and the CPU time in milliseconds. */
async function answersTo(command: string): Promise<{ answers: (IHookResponse | string | undefined)[]; ms: number }> {
  const event = { event: "PreToolUse", tool: "Bash", tool_name: "Bash", cwd: scratch, input: { command } };
  const answers: (IHookResponse | string | undefined)[] = [];
  const ms = await measureRawCpuTime(async () => {
    for (const hook of HOOKS) answers.push(await askHook(hook, event).catch(({ name }: Error) => name));
  });
  return { answers, ms };
}

/** Returns the shortest time of several attempts, stopping at the first attempt within the limit. */
async function measureLeast(command: string, limit = 0, tries = 4): Promise<number> {
  let ms = Number.POSITIVE_INFINITY;
  for (let at = 0; at < tries && ms >= limit; at++) ms = Math.min(ms, (await answersTo(command)).ms);
  return ms;
}

describe.each(Object.entries(ORDINARY_LINES))("an ordinary command, %s,", (_, { count, line }) => {
  test("is allowed quickly at its usual length", async () => {
    const usual = line(count);
    expect(usual.length).toBeWithin(1_000, 13_000);
    expect((await answersTo(usual)).answers).toEqual([undefined, undefined, undefined]);
    expect(await measureLeast(usual, MOST_MS)).toBeLessThan(MOST_MS);
  });

  test("takes no more time per kilobyte when it is four times as long", async () => {
    const [short, long] = [line(count), line(4 * count)];
    let growth = Number.POSITIVE_INFINITY;
    for (let at = 0; at < TRIES && growth > MOST_GROWTH; at++)
      growth = Math.min(
        growth,
        (await measureLeast(long)) / long.length / ((await measureLeast(short)) / short.length),
      );
    expect(growth).toBeLessThan(MOST_GROWTH);
  });

  test.each([100_000, 1_000_000])("is parsed or rejected quickly at %d bytes", async (bytes) => {
    const huge = line(Math.ceil((count * bytes) / line(count).length));
    expect(huge.length).toBeGreaterThan(0.9 * bytes);
    const limit = MOST_HUGE_MS * Math.max(1, huge.length / 1e6);
    expect(await measureLeast(huge, limit)).toBeLessThan(limit);
  });
});
