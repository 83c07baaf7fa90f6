import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { BUILD_MS, placeExecutable } from "../support/executables.ts";
import type { CommandResult } from "../../src/protocol/host/install.ts";
import { type AttackCase, listGateEvents, listSeeds, targets } from "./cases.ts";
import { findFault } from "./judge.ts";
import { keepCase, keptCases } from "./kept-cases.ts";
import { forEachAtOnce, runProcess } from "./processes.ts";
import { findDenials, buildInstalledFlags, properties } from "./properties.ts";
import { createTally, fuzz, seed } from "../support/fuzz.ts";
import { scaleMs } from "../support/machine.ts";

const tally = createTally("test/attack/process.test.ts, processes");
const resident = createTally("test/attack/process.test.ts, lines of resident processes");
const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-attack-"));
const executable = join(folder, "attack");
beforeAll(async () => {
  await findDenials();
  await placeExecutable("test/attack/hooks", executable);
}, BUILD_MS);
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  tally.print();
  resident.print();
});

/** Time limit for a process. Calls have 300 ms, so one that takes thirty times as long is hanging. */
const LIMIT_MS = scaleMs(10_000);
/** Cases per property and host event: `RUNS` get their own process, and `LINES` are sent to a resident process. */
const RUNS = 5;
const LINES = 15;

/**
 * This property needs a hook's answer, which can't be passed to another process. Arguments can't contain NUL or an
 * unpaired surrogate.
 */
const concerned = properties.filter(({ name }) => name !== "any response from a hook gets a valid answer");
const isPassable = (word: string) => !word.includes("\u0000") && word.isWellFormed();
/** The first argument must be a flag; anything else would be parsed as a command name. */
const isCall = ({ argv }: AttackCase) =>
  argv.every(isPassable) && argv[0]?.startsWith("-") === true && !["--help", "-h", "--version", "-v"].includes(argv[0]);

const environment = ({ hook }: Pick<AttackCase, "hook">) => ({
  PATH: process.env.PATH ?? "",
  HOME: folder,
  XDG_STATE_HOME: join(folder, "state"),
  ATTACK_HOOK: hook,
});

/** Describes what is wrong with a process's answer to a case, if anything. */
async function faultIn(one: AttackCase): Promise<string | undefined> {
  tally.count();
  const env = environment(one);
  const { ms, ...result } = await runProcess({
    argv: [executable, ...one.argv],
    stdin: one.text,
    cwd: folder,
    env,
    limit_ms: LIMIT_MS,
  });
  if (result.exit_code === null) return `it did not end by itself within ${LIMIT_MS} ms: ${result.stderr}`;
  return (
    (await findFault(one, result)) ?? (ms > LIMIT_MS ? `its streams were open for ${Math.round(ms)} ms` : undefined)
  );
}

/** Generates the given number of cases for each property and each of a host's events. */
const casesOf = (host: string, runs: number): AttackCase[] =>
  targets
    .filter((target) => target.host.id === host)
    .flatMap((target) =>
      Object.keys(target.host.capabilities).flatMap((native_event, index) =>
        concerned.flatMap(({ casesAt }, place) => {
          const made = casesAt(target, native_event);
          const own = { ...fuzz(runs), seed: (seed + index * concerned.length + place) | 0 };
          return made ? fc.sample(made.filter(isCall), own) : [];
        }),
      ),
    );

/** If there are problems, saves each failing case to a file and fails with a list of all problems. */
function report(wrong: readonly { one: AttackCase; why: string }[]): void {
  const lines = wrong.slice(0, 20).map(({ one, why }) => `${why}; kept as ${keepCase({ ...one, process: true, why })}`);
  expect(lines).toEqual([]);
}

describe("a case that failed once is answered correctly by a process:", () => {
  for (const [name, one] of keptCases.filter(([, { process }]) => process))
    test(name, async () => expect(await faultIn(one)).toBeUndefined());
});

for (const { host } of targets) {
  test(`${host.id}: malformed and hostile calls get valid answers from processes`, async () => {
    const wrong: { one: AttackCase; why: string }[] = [];
    await forEachAtOnce(casesOf(host.id, RUNS), async (one) => {
      const why = await faultIn(one);
      if (why !== undefined) wrong.push({ one, why });
    });
    report(wrong);
  });
}

/** Ways to encode a string as invalid or unusual UTF-8. */
const BYTES: Record<string, (text: string) => Uint8Array> = {
  "UTF-16, little-endian": (text) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]),
  "UTF-16, big-endian": (text) => Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(text, "utf16le").swap16()]),
  "UTF-16 without a byte order mark": (text) => Buffer.from(text, "utf16le"),
  "half a character at the start": (text) => Buffer.concat([Buffer.from([0xc3]), Buffer.from(text)]),
  "a surrogate encoded as three bytes": (text) => Buffer.concat([Buffer.from([0xed, 0xa0, 0x80]), Buffer.from(text)]),
  "NUL bytes": (text) => Buffer.concat([Buffer.alloc(100), Buffer.from(text)]),
  compressed: (text) => Bun.gzipSync(text),
  noise: () => crypto.getRandomValues(new Uint8Array(20_000)),
};

for (const target of targets) {
  const { host } = target;
  for (const [name, encode] of Object.entries(BYTES)) {
    test(`${host.id}: a payload of ${name} is a failure and is denied`, async () => {
      for (const native_event of listGateEvents(host)) {
        const [{ text } = { text: "" }] = listSeeds(host).filter((seed) => seed.native_event === native_event);
        const argv = buildInstalledFlags(target, native_event, "deny");
        tally.count();
        const env = environment({ hook: "none" });
        const result = await runProcess({
          argv: [executable, ...argv],
          stdin: encode(text),
          cwd: folder,
          env,
          limit_ms: LIMIT_MS,
        });
        expect(
          await findFault({ host: host.id, native_event, hook: "none", argv, text: "", wanted: "denied" }, result),
        ).toBeUndefined();
      }
    });
  }
}

/** Formats an answer as printed on stdout. */
const toStdout = (answer: unknown): string =>
  answer === null ? "" : typeof answer === "string" ? answer : JSON.stringify(answer);

/** Returns the answers that resident processes give to the cases, using one process per hook. */
async function answersOf(cases: readonly AttackCase[]): Promise<Map<AttackCase, CommandResult[]>> {
  const found = new Map<AttackCase, CommandResult[]>(cases.map((one) => [one, []]));
  for (const hook of new Set(cases.map((one) => one.hook))) {
    const own = cases.filter((one) => one.hook === hook);
    const lines = own.map(({ argv, text }, id) => `${JSON.stringify({ id, argv, payload: text })}\n`);
    const env = environment({ hook });
    const { stdout, exit_code } = await runProcess({
      argv: [executable, "serve"],
      stdin: lines.join(""),
      cwd: folder,
      env,
      limit_ms: scaleMs(120_000),
    });
    expect(exit_code).toBe(0);
    for (const line of stdout.trimEnd().split("\n")) {
      const { id, answer, ...rest } = JSON.parse(line) as {
        id: number;
        answer: unknown;
        exit_code: number;
        stderr: string;
      };
      found.get(own[id] as AttackCase)?.push({ ...rest, stdout: toStdout(answer) });
    }
  }
  return found;
}

for (const { host } of targets) {
  test(`${host.id}: malformed and hostile calls get valid answers from a resident process`, async () => {
    const wrong: { one: AttackCase; why: string }[] = [];
    for (const [one, results] of await answersOf(casesOf(host.id, LINES))) {
      resident.count();
      const why =
        results.length === 1 ? await findFault(one, results[0] as CommandResult) : `${results.length} answers`;
      if (why !== undefined) wrong.push({ one, why: `in a resident process: ${why}` });
    }
    report(wrong);
  });
}
