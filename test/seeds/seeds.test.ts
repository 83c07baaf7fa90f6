import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { placeExecutable } from "../support/executables.ts";
import { EVENTS } from "../../src/protocol/event.ts";
import { createHookEntry } from "../../src/protocol/hook.ts";
import type { Payload } from "../../src/protocol/host/host.ts";
import { answerCall } from "../support/answer-call.ts";
import { omitAllowId } from "../support/allow-id.ts";
import { ROOT } from "../support/fixtures.ts";
import { listRowNames, listTitles, readTitles } from "../support/titles.ts";
import { type ClaimCase, listClaims, isRunHere, getReason, getVerdict } from "./claim.ts";
import { documents } from "./documents.ts";
import { formatPage, PAGE } from "./page.ts";

const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-seeds-"));
let executable: string;

beforeAll(async () => {
  executable = await placeExecutable("test/seeds/hooks", join(folder, "seeds"));
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Parses a JSON document; returns any other text unchanged. */
function documentIn(stdout: string): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    return stdout;
  }
}

const names = new Map<string, string[]>();

/** Reads the titles of a test file and its table rows, or the first column of a table. */
function readNames(file: string): string[] {
  const path = join(ROOT, "test", file);
  const read = () =>
    file.endsWith(".ts")
      ? [...listTitles(readTitles(path)), ...listRowNames(path)]
      : readFileSync(path, "utf8")
          .split("\n")
          .map((line) => line.split("\t")[0] as string);
  return names.get(file) ?? names.set(file, read()).get(file)!;
}

const environment = { PATH: process.env.PATH ?? "", HOME: folder, XDG_STATE_HOME: join(folder, "state") };
let calls = 0;

async function called({ host, args = [], env = {}, stdin, answer }: ClaimCase) {
  const seen = join(folder, `event-${calls++}.json`);
  const child = Bun.spawn([executable, ...(host ? ["--host", host] : []), ...args], {
    cwd: folder,
    env: { ...environment, SEEDS_EVENT: seen, ...(answer && { SEEDS_ANSWER: JSON.stringify(answer) }), ...env },
    stdin: Buffer.from(typeof stdin === "string" ? stdin : JSON.stringify(stdin)),
    stdout: "pipe",
    stderr: "pipe",
    timeout: 15_000,
  });
  const [stdout, stderr, exit_code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  const event = existsSync(seen) ? (JSON.parse(readFileSync(seen, "utf8")) as Payload) : null;
  return { event, stdout: documentIn(omitAllowId(stdout)), stderr, exit_code };
}

/** Returns the event seen by a hook, without starting a process. */
async function decoded({ host, args = [], stdin }: ClaimCase): Promise<unknown> {
  let text = "null";
  const hook = createHookEntry({ event: EVENTS, handler: (event) => void (text = JSON.stringify(event)) }, "answer");
  const argv = [...(host ? ["--host", host] : []), ...args];
  await answerCall([hook], {}, argv, { env: environment, read: () => JSON.stringify(stdin) });
  return JSON.parse(text);
}

const isDecodedOnly = ({ sees, stdin, env, stdout, stderr, exit_code }: ClaimCase) =>
  sees && typeof stdin === "object" && [env, stdout, stderr, exit_code].every((one) => one === undefined);

/** Verifies that a call has the results expected by the case. */
async function verify(given: ClaimCase): Promise<void> {
  if (isDecodedOnly(given)) return expect(await decoded(given)).toMatchObject(given.sees as Payload);
  const { event, stdout, stderr, exit_code } = await called(given);
  if (given.sees === null) expect(event).toBeNull();
  else if (given.sees) expect(event).toMatchObject(given.sees);
  if (given.stdout !== undefined) expect(stdout).toEqual(given.stdout);
  if (given.stderr === "") expect(stderr).toBe("");
  else if (given.stderr) expect(stderr).toMatch(given.stderr);
  if (given.exit_code !== undefined) expect(exit_code).toBe(given.exit_code);
}

for (const document of documents) {
  describe(document.title, () => {
    for (const claim of listClaims(document).filter(isRunHere)) {
      test(claim.says, async () => {
        await Promise.all((claim.cases ?? []).map(verify));
        await claim.check?.(executable);
      });
    }
  });
}

describe("the page", () => {
  test("gives a source for each difference, and repeats nothing", () => {
    for (const document of documents) {
      const claims = listClaims(document);
      expect(claims.length).toBeGreaterThan(0);
      expect(claims.map(({ says }) => says)).toEqual([...new Set(claims.map(({ says }) => says))]);
      for (const claim of claims.filter((one) => getVerdict(one) === "differs"))
        expect([claim.says, getReason(claim)]).toEqual([
          claim.says,
          expect.stringMatching(/\[(seen|shipped|docs|unverified)/),
        ]);
      for (const claim of claims.filter((one) => getVerdict(one) === "missing"))
        expect([claim.says, getReason(claim).length > 20]).toEqual([claim.says, true]);
    }
  });

  test("names only tests that exist", () => {
    for (const claim of documents.flatMap(listClaims))
      for (const [file, title] of claim.shownBy ?? [])
        expect([claim.says, file, readNames(file).includes(title) ? title : readNames(file)]).toEqual([
          claim.says,
          file,
          title,
        ]);
  });

  test("matches the statements", () => {
    expect(readFileSync(join(ROOT, PAGE), "utf8")).toBe(formatPage(documents));
  });
});
