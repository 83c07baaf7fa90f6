import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, watch } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BUILD_MS } from "../../support/executables.ts";
import { createProject } from "../../support/projects.ts";

const createHook = (body: string) => `import { defineHook, deny } from "bridge-hooks";
export default defineHook({
  event: "PreToolUse",
  tool: "Bash",
  handler({ input }) {
    ${body}
    return undefined;
  },
});
`;
const app = createProject({
  "hooks/judges.ts": createHook('if (input.command === "ls") return deny("no");'),
  "hooks/loses.ts": createHook(
    'if (input.command === "ls") return deny("no");\n    if (input.command === "x") deny("lost");',
  ),
});
const guard = join(app.at, "dist/guard");
const temporary = join(app.home, "tmp");
afterAll(app.end);
beforeAll(() => mkdirSync(temporary));

const LOST =
  'hooks/loses.ts:7:32: error: the response of deny(…) is not returned, so it has no effect; write "return" before it\n';

/** Runs `try` and reports whether it created a directory for checking the modules. */
async function runTry(program: string, ...args: string[]) {
  let checks = 0;
  const watcher = watch(temporary, (_, name) => void (name?.startsWith(".bridge-hooks-") && checks++));
  const env = { ...app.env, TMPDIR: temporary };
  const child = Bun.spawn([program, "try", "--command", "ls", ...args], { cwd: app.at, env, stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  // The watcher reports the last event after a short delay.
  await sleep(100);
  watcher.close();
  return { stdout, stderr, code: await child.exited, isChecked: checks > 0 };
}

test("try reports answers that modules create without returning, whatever the hooks decide", () => {
  const { code, stdout, stderr } = app.run(["try", "--command", "ls", "--hooks", "."]);
  expect([code, stderr, stdout]).toEqual([1, LOST, expect.stringContaining("deny")]);
});

test(
  "try skips the check for unchanged sources that were checked when this executable was built",
  async () => {
    expect(app.run(["build", "--no-check", "--name", "guard"])).toMatchObject({ code: 0 });
    expect(await runTry(guard, "--hooks", ".")).toMatchObject({ code: 1, stderr: LOST, isChecked: true });
    expect(await runTry(guard)).toMatchObject({ code: 0, stderr: "", isChecked: false });
    app.put("hooks/loses.ts", createHook('if (input.command === "ls") return deny("no");'));
    expect(app.run(["build", "--name", "guard"])).toMatchObject({ code: 0 });
    expect(await runTry(guard, "--hooks", ".")).toMatchObject({ code: 0, stderr: "", isChecked: false });
    app.put("hooks/loses.ts", createHook('deny("lost");'));
    expect(await runTry(guard, "--hooks", ".")).toMatchObject({ code: 1, isChecked: true });
  },
  2 * BUILD_MS,
);
