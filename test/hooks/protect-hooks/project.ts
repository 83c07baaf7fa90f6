import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import protectHooks from "../../../hooks/protect-hooks.ts";
import { PROJECT_CONFIG } from "../../../src/policy/config-paths.ts";
import { askHook } from "../../support/ask-hook.ts";

export const scratch = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-protect-")));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

export const root = join(scratch, "app");
export const evilFolder = join(scratch, "evil");
export const files = [
  "app/.claude/settings.json",
  "app/.claude/settings.local.json",
  "app/.claude/agents/a.md",
  "app/.github/hooks/a.json",
  "app/.github/workflows/ci.yml",
  "app/.codex/config.toml",
  `app/${PROJECT_CONFIG}`,
  "app/src/a.ts",
  "app/settings.json",
  "evil/settings.json",
  "evil/hooks.json",
  "tree/.claude/settings.json",
  "plain/a.md",
];
for (const file of files) {
  mkdirSync(dirname(join(scratch, file)), { recursive: true });
  writeFileSync(join(scratch, file), "{}");
}
mkdirSync(join(root, ".git"));
writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
symlinkSync(join(root, ".claude/settings.json"), join(root, "link.json"));
symlinkSync(".claude", join(root, "dir-link"));
symlinkSync(evilFolder, join(root, "evil-link"));

export let decisionCount = 0;
export const askDecision = async (
  tool: string,
  input: object,
  options: object = {},
  cwd = root,
  event = "PreToolUse",
) => {
  decisionCount++;
  // Bash sets this variable when it starts the hook.
  process.env._ = process.execPath;
  return (await askHook(protectHooks, { event, cwd, tool, tool_name: tool === "MCP" ? "" : tool, input }, options))
    ?.decision;
};
export const askBash = (command: string, options: object = {}, cwd = root) =>
  askDecision("Bash", { command }, options, cwd);
