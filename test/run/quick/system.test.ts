import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openQuickSystem } from "../../../src/run/quick/system.ts";
import { EXECUTABLE, getPayload } from "../../support/fixtures.ts";

// Calls in a folder that has our name concern protect-hooks.
const folder = realpathSync(mkdtempSync(join(tmpdir(), "quick-look-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, ".config");
writeFileSync(file, "");
const project = join(folder, "app");
mkdirSync(project);

test.skipIf(process.platform !== "linux")("a path about which the system says nothing is not taken for absent", () => {
  const kindOf = (path: string) => openQuickSystem()?.inspect(path).kind;
  expect(kindOf(file)).toBe("file");
  expect(kindOf(join(folder, "x"))).toBe("absent");
  expect(kindOf(join(folder, "x".repeat(300)))).toBe("absent");
  expect(kindOf(join(file, "x"))).toBe("other");
  expect(kindOf(`/${"x/".repeat(3000)}`)).toBe("other");
});

test("a config path below a file counts as unreadable, for plain lines and for others", () => {
  const payload = (command: string) =>
    getPayload("claude", "PreToolUse-Bash", { cwd: project, tool_input: { command } });
  const codes = ["npm test", "echo $X"].map(
    (command) =>
      Bun.spawnSync([EXECUTABLE, "--host", "claude"], {
        stdin: Buffer.from(JSON.stringify(payload(command))),
        env: { HOME: folder, PATH: "/usr/bin:/bin", XDG_STATE_HOME: join(folder, "state") },
        cwd: project,
      }).exitCode,
  );
  expect(codes).toEqual([2, 2]);
});
