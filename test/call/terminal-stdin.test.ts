import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { EXECUTABLE } from "../support/fixtures.ts";
import { createProject } from "../support/projects.ts";

/** Runs the executable with a terminal as stdin. Returns the exit code, the output, and whether the call was logged. */
async function runAtTerminal(argv: readonly string[]) {
  const project = createProject({});
  let text = "";
  const child = Bun.spawn([EXECUTABLE, ...argv], {
    cwd: project.at,
    env: { ...project.env, TERM: "dumb" },
    terminal: { cols: 200, rows: 50, data: (_, chunk) => void (text += new TextDecoder().decode(chunk)) },
  });
  const code = await child.exited;
  child.terminal?.close();
  const isLogged = existsSync(join(project.env.XDG_STATE_HOME, "bridge-hooks/decisions.jsonl"));
  project.end();
  return { code, text, isLogged };
}

const testHere = test.skipIf(process.platform === "win32");
testHere("an entry whose stdin is a terminal is denied by --on-error deny, and logged", async () => {
  const hosts = [["--host", "claude"], ["--host=claude"], []];
  const results = await Promise.all(
    hosts.map((flags) => runAtTerminal([...flags, "--on-error", "deny", "--event", "PreToolUse"])),
  );
  expect(results.map(({ code, isLogged }) => [code, isLogged])).toEqual(hosts.map(() => [2, true]));
});
testHere("an unknown option at a terminal is explained, and not logged", async () => {
  const { code, text, isLogged } = await runAtTerminal(["--verison"]);
  expect([code, text, isLogged]).toEqual([1, expect.stringContaining("did you mean --version?"), false]);
});
