import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { BUILD_MS, placeExecutable } from "../support/executables.ts";
import { createTally, scaleCases } from "../support/fuzz.ts";

const tally = createTally("test/attack/install.test.ts");
const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-attack-"));
const executable = join(folder, "bin", "attack");
beforeAll(async () => {
  await placeExecutable("test/attack/hooks", executable);
}, BUILD_MS);
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  tally.print();
});

/** User configs with existing hooks, long enough that an interrupted write could truncate them. */
const rest = JSON.stringify(Array.from({ length: 2_000 }, (_, index) => `something of theirs ${index}`));
const groups = `{ "theirs": ${rest}, "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "./theirs.sh" }] }] } }\n`;
const BEFORE: Readonly<Record<string, string>> = {
  ".claude/settings.json": groups,
  ".gemini/settings.json": groups,
  ".cursor/hooks.json": `{ "version": 1, "theirs": ${rest}, "hooks": { "stop": [{ "command": "./theirs.sh" }] } }\n`,
};

function newHome(name: string): string {
  const home = join(folder, name);
  for (const [file, text] of Object.entries(BEFORE)) {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), text);
  }
  return home;
}

const start = (home: string) =>
  Bun.spawn([executable, "install", "--yes", "--host", "claude,cursor,gemini"], {
    cwd: home,
    env: { PATH: process.env.PATH ?? "", HOME: home, XDG_STATE_HOME: join(home, "state") },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });

const filesIn = (home: string) =>
  Object.keys(BEFORE).map((file) => [file, readFileSync(join(home, file), "utf8")] as const);
/** Replaces the path of the home directory so that output from different home directories can be compared. */
const plain = (home: string, text: string) => text.replaceAll(home, "<home>");

/** How many times an installation is killed before one is allowed to finish. */
const KILLS = scaleCases(30);

const countReceipts = (home: string): number => {
  const receipts = join(home, "state/bridge-hooks/receipts");
  return existsSync(receipts) ? readdirSync(receipts).length : 0;
};
/** Detect the stages of an installation, which first takes the lock and then writes a receipt before each config. */
const SIGNS: readonly ((home: string) => boolean)[] = [
  (home) => existsSync(join(home, "state/bridge-hooks/install.lock")),
  ...Object.keys(BEFORE).map((_, at) => (home: string) => countReceipts(home) > at),
];

test("a killed installation leaves every config either unchanged or complete, and the next installation succeeds", async () => {
  const whole = newHome("whole");
  expect(await start(whole).exited).toBe(0);
  const after = Object.fromEntries(filesIn(whole).map(([file, text]) => [file, plain(whole, text)]));
  for (const [file, text] of Object.entries(after)) expect([file, text === BEFORE[file]]).toEqual([file, false]);

  let interrupted = 0;
  for (let attempt = 0; attempt < 10 * KILLS && interrupted < KILLS; attempt++) {
    tally.count();
    const home = newHome(`killed-${attempt}`);
    const child = start(home);
    // An installation writes one config after another. Each attempt kills it at the next stage, and each round through
    // the stages waits a little longer before the kill.
    const sign = SIGNS[attempt % SIGNS.length] as (home: string) => boolean;
    while (!sign(home) && child.exitCode === null) await Bun.sleep(0);
    await Promise.race([child.exited, Bun.sleep((attempt / SIGNS.length) % 5)]);
    child.kill("SIGKILL");
    await child.exited;
    if (child.signalCode) interrupted++;
    for (const [file, text] of filesIn(home)) {
      const known = text === BEFORE[file] || plain(home, text) === after[file];
      expect([attempt, file, known ? "old or new" : text.slice(0, 500)]).toEqual([attempt, file, "old or new"]);
    }
    if (attempt % 5 > 0) continue;
    const again = start(home);
    expect(await again.exited).toBe(0);
    for (const [file, text] of filesIn(home)) expect([file, plain(home, text) === after[file]]).toEqual([file, true]);
  }
  expect(interrupted).toBe(KILLS);
});

test("a killed installation leaves no partial file where hosts read configs", () => {
  for (const name of readdirSync(folder).filter((one) => one.startsWith("killed-"))) {
    for (const file of Object.keys(BEFORE)) {
      const place = dirname(join(folder, name, file));
      const configs = readdirSync(place).filter((one) => one.endsWith(".json") && statSync(join(place, one)).isFile());
      for (const config of configs) expect(() => JSON.parse(readFileSync(join(place, config), "utf8"))).not.toThrow();
    }
  }
});
