import { afterAll, describe, expect, test } from "bun:test";
import { createProject } from "../../support/projects.ts";
import { runTry } from "./app.ts";

const app = createProject({
  "hooks/pushes.ts": `import { context, defineHook, deny } from "bridge-hooks";
export default defineHook({
  event: ["PreToolUse", "Stop", "UserPromptSubmit"],
  handler(event) {
    if (event.event === "UserPromptSubmit") return context("be kind");
    if (event.event === "Stop") return deny("run the tests");
    if (event.tool !== "Bash") return { modified_input: { content: "changed" } };
    if (event.input.command === "both") return { decision: "deny" as const, reason: "no", additional_context: "not now" };
    return event.input.command === "throw" ? Promise.reject(new Error("broken")) : deny("Never.");
  },
});
`,
});
afterAll(app.end);
const run = (...args: string[]) => app.run(["try", "--hooks", ".", ...args], { env: { COLUMNS: "400" } }).stdout;
const HEADING = "hooks: ./hooks (1: pushes)\n";

describe("without --host, try", () => {
  test("shows the decision and the reason once if all hosts decide alike", () => {
    expect(run("git push --force")).toStartWith(
      `${HEADING}event: PreToolUse Bash  git push --force\n\ndecision: deny on every host\nreason: Never.\n`,
    );
    expect(run("--command", "git push --force")).toBe(run("git push --force"));
  });
  test("shows the answer of every host with --raw, and only the raw answer with --host", () => {
    const raw = run("git push --force", "--raw");
    expect(raw.match(/^  stdout  /gm)?.length).toBeGreaterThan(3);
    expect(raw).toMatch(/^claude +PreToolUse +deny /m);
    expect(run("git push --force")).not.toContain("  stdout  ");
    expect(run("git push --force", "--host", "claude")).toContain('\nclaude\n  stdout  {"hookSpecificOutput"');
    for (const text of [raw, run("x", "--host", "claude")]) expect(text).not.toContain("decision: ");
  });
  test("keeps the table if hosts differ or lack the event", () => {
    const { stdout } = runTry("--command", "git push");
    expect(stdout).toContain("\nreason: Pushing needs a person.\n\nhost ");
    expect(stdout).toMatch(/^claude +PreToolUse +ask /m);
    expect(stdout).toMatch(/^cursor +preToolUse +ask→deny /m);
    expect(stdout).not.toContain("decision: ");
    const stop = run("--event", "Stop");
    expect(stop).toContain("\nreason: run the tests\n\nhost ");
    expect(stop).toMatch(/^claude +Stop +go on /m);
    expect(stop).toMatch(/^crush +Crush has no such event$/m);
  });
  test("names the hosts that lose a part of the answer, and combines losses that differ only by host", () => {
    const notes = runTry("--command", "git push").stdout.replaceAll(/\n {7}/g, " ");
    expect(notes).toMatch(/^note {3}cursor, codex, .*: decision "ask" became a denial; to see why: --host ID$/m);
    expect(run("ls")).not.toContain("cline");
    expect(run("ls", "--explain")).toMatch(
      /^note {3}cline: decision "deny" was sent in a different form; overrideInput, /m,
    );
  });
  test("shows changes and context", () => {
    expect(run("--tool", "Write", "--path", "a.ts")).toContain('\nrewrite: {"content":"changed"}\n');
    expect(run("--prompt", "hello")).toContain("\ncontext: be kind\n");
    expect(run("both")).toContain("\nreason: no\ncontext: not now\n");
  });
  test("shows a withheld reason once", () => {
    app.put("../.config/bridge-hooks/config.json", '{"mode":"warn"}');
    const { stdout } = app.run(["try", "git push --force origin main"], { env: { COLUMNS: "400" } });
    app.put("../.config/bridge-hooks/config.json", "{}");
    expect(stdout).toMatch(/^decision: would deny on every host\nreason: Blocked .*\n\nwould deny \(mode: warn\): /m);
    expect(stdout.split("[bridge-hooks git/push-force]")).toHaveLength(2);
    expect(stdout).toContain("\nshown to the model and the user on claude, ");
  });
  test("shows failures with their place", () => {
    const stdout = run("throw");
    expect(stdout).toContain('\nnote   every host: hook "pushes" failed: broken\n');
    expect(stdout).toContain("\npushes failed at hooks/pushes.ts:9:");
  });
});
