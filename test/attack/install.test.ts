import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { placeExecutable } from "../support/executables.ts";
import { createTally } from "../support/fuzz.ts";

const tally = createTally("test/attack/install.test.ts");
const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-attack-"));
const executable = join(folder, "bin", "attack");
beforeAll(async () => {
  await placeExecutable("test/attack/hooks", executable);
}, 120_000);
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  tally.print();
});

/** Configs that people have already, with hooks of their own, and long enough that a write could be cut. */
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
  Bun.spawn([executable, "install", "--host", "claude,cursor,gemini"], {
    cwd: home,
    env: { PATH: process.env.PATH ?? "", HOME: home, XDG_STATE_HOME: join(home, "state") },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });

const filesIn = (home: string) =>
  Object.keys(BEFORE).map((file) => [file, readFileSync(join(home, file), "utf8")] as const);
/** The texts of a home are those of another, apart from its path. */
const plain = (home: string, text: string) => text.replaceAll(home, "<home>");

test("an installation that is killed leaves every config old or new, and the next one goes through", async () => {
  // The first run is slower than those that follow.
  expect(await start(newHome("first")).exited).toBe(0);
  const whole = newHome("whole");
  const began = performance.now();
  expect(await start(whole).exited).toBe(0);
  const takes = performance.now() - began;
  const after = Object.fromEntries(filesIn(whole).map(([file, text]) => [file, plain(whole, text)]));
  for (const [file, text] of Object.entries(after)) expect([file, text === BEFORE[file]]).toEqual([file, false]);

  let interrupted = 0;
  for (let attempt = 0; attempt < 30; attempt++) {
    tally.count();
    const home = newHome(`killed-${attempt}`);
    const child = start(home);
    // The end of it is when it writes.
    await Bun.sleep(takes * (0.2 + (0.9 * ((attempt * 7) % 30)) / 30));
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
  expect(interrupted).toBeGreaterThan(5);
}, 120_000);

test("nothing half written is left where hosts look", () => {
  for (const name of readdirSync(folder).filter((one) => one.startsWith("killed-"))) {
    for (const file of Object.keys(BEFORE)) {
      const place = dirname(join(folder, name, file));
      const configs = readdirSync(place).filter((one) => one.endsWith(".json") && statSync(join(place, one)).isFile());
      for (const config of configs) expect(() => JSON.parse(readFileSync(join(place, config), "utf8"))).not.toThrow();
    }
  }
});
