import { getPayload } from "../../support/fixtures.ts";
import { createProject } from "../../support/projects.ts";

export const GUARD_SOURCE = `import { ask, context, defineHook, deny } from "bridge-hooks";
import * as z from "zod";
export default defineHook({
  description: "Guards pushes",
  event: ["PreToolUse", "Stop", "UserPromptSubmit"],
  matcher: "Bash(git push*)|Read",
  onError: "deny",
  options: z.strictObject({ branch: z.string().default("main"), level: z.enum(["low", "high"]).optional() }),
  handler(event, { options, log }) {
    console.log("noise");
    if (event.event === "Stop") return deny("run the tests");
    if (event.event === "UserPromptSubmit") return context("be kind");
    if (event.event !== "PreToolUse" || event.tool !== "Bash") return undefined;
    log(\`asked about \${event.input.command}\`);
    if (event.input.command.includes("--force")) return deny(\`Never force \${options.branch}.\`);
    if (event.input.command.includes("--throw")) throw new Error("broken");
    return ask("Pushing needs a person.");
  },
});
`;

export const OTHER_SOURCE = `import { defineHook, modify } from "bridge-hooks";
export default defineHook({ event: "PreToolUse", tool: ["Write", "Edit"], order: 1, handler: () => modify({ content: "changed" }) });
`;

const payload = getPayload("codex", "PreToolUse-Bash");

export const app = createProject({
  "hooks/guard.ts": GUARD_SOURCE,
  "hooks/other.js": OTHER_SOURCE,
  "hooks/_helper.ts": "export const x = 1;",
  "hooks/guard.test.ts": "throw new Error('a test is not a hook');",
  ".bridge-hooks.json": '{ "hooks": { "guard": { "branch": "release" } } }',
  "codex.json": JSON.stringify({ ...payload, tool_input: { command: "git push --force" } }, null, 2),
  "native.json": JSON.stringify(getPayload("gemini", "BeforeModel")),
  "two.jsonl": `${JSON.stringify(payload)}\n${JSON.stringify(payload)}\n`,
});
process.on("exit", app.end);
export const runTry = (...args: string[]) => app.run(["try", "--hooks", ".", ...args]);
