import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { createHome, getHomeLog } from "../../call/log/log-support.ts";
import { EXECUTABLE } from "../../support/fixtures.ts";
import { createLine } from "../../support/log-lines.ts";

test("log --rule suggests a logged rule for a typo, and nothing for a rule or filter without lines", () => {
  const home = createHome();
  const { project, env } = home;
  const file = getHomeLog(home);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(createLine({ decision: "deny", rule: "git/push-force" }))}\n`);
  const show = (...args: string[]) =>
    Bun.spawnSync([EXECUTABLE, "log", ...args], {
      cwd: project,
      env: { PATH: "/usr/bin:/bin", ...env },
    }).stdout.toString();
  expect(show("--rule", "git/push-frce")).toBe("no matching lines; did you mean git/push-force?\n");
  expect(show("--rule", "git/push-force")).toContain("git/push-force");
  expect(show("--rule", "system/shutdown")).toBe("no matching lines\n");
  expect(show("--rule", "git/push-force", "--host", "codex")).toBe("no matching lines\n");
});
