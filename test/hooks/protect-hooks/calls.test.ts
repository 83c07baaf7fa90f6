import { expect, test } from "bun:test";
import { join } from "node:path";
import protectHooks from "../../../hooks/protect-hooks.ts";
import { getStateDirectory } from "../../../src/call/state/state-directory.ts";
import { PROJECT_CONFIG } from "../../../src/policy/config-paths.ts";
import { askHook, validateOptions } from "../../support/ask-hook.ts";
import { scratch, root, askDecision, askBash } from "./project.ts";

const update = (file_path: string, more: object = {}) => ({
  files: [{ file_path, operation: "update", edits: [], ...more }],
});
const CALLS: [denied: boolean, tool: string, input: object][] = [
  [true, "Write", { file_path: join(root, ".claude/settings.json"), content: "" }],
  [true, "Write", { file_path: ".claude/settings.local.json", content: "" }],
  [true, "Write", { file_path: "~/.codex/hooks.json", content: "" }],
  [true, "Write", { file_path: join(root, "dir-link/settings.json"), content: "" }],
  [true, "Write", { file_path: join(root, "link.json"), content: "" }],
  [true, "Write", { file_path: join(root, "opencode.json"), content: "" }],
  [true, "Write", { file_path: join(root, ".opencode/plugins/x.ts"), content: "" }],
  [true, "Write", { file_path: join(root, PROJECT_CONFIG), content: "" }],
  [true, "Write", { file_path: process.execPath, content: "" }],
  [true, "Write", { file_path: join(getStateDirectory(process.env), "receipts/x.json"), content: "" }],
  [true, "Write", { file_path: "C:\\Users\\me\\.claude\\settings.json", content: "" }],
  [true, "Edit", update(join(root, ".claude/settings.json"))],
  [true, "Edit", update(".cursor/hooks.json", { operation: "add" })],
  [true, "Edit", update(".claude/settings.json", { operation: "delete" })],
  [true, "Edit", update("x.json", { operation: "move", moved_to: ".claude/settings.json" })],
  [true, "Edit", update(".claude/settings.json", { operation: "move", moved_to: "x.json" })],
  [true, "Edit", { files: [...update("a.ts").files, ...update(".gemini/settings.json").files] }],
  [true, "MCP", { tool: "write_file", arguments: { path: join(root, ".claude/settings.json"), content: "" } }],
  [true, "MCP", { tool: "edit_file", arguments: { path: ".claude/settings.json", edits: [] } }],
  [true, "MCP", { tool: "move_file", arguments: { source: "x.json", destination: ".claude/settings.json" } }],
  [true, "MCP", { tool: "move_file", arguments: { source: ".claude/settings.json", destination: "x.json" } }],
  [true, "MCP", { tool: "something", arguments: { path: ".claude/settings.json" } }],
  [true, "MCP", { tool: "delete", arguments: { files: [{ path: "a" }, { path: ".codex/config.toml" }] } }],
  [true, "Other", { path: ".claude/settings.json", content: "" }],
  [true, "Write", { file_path: "~/.bashrc", content: "ls\nalias claude='claude --bare'\n" }],
  [true, "Write", { file_path: ".git/hooks/pre-commit", content: "#!/bin/sh\nbridge-hooks uninstall --host claude\n" }],
  [true, "Edit", update("~/.zshrc", { edits: [{ old_string: "a", new_string: "alias claude='claude --bare'" }] })],
  [true, "MCP", { tool: "write_file", arguments: { path: "/home/x/.profile", content: "claude --bare" } }],
  [false, "Write", { file_path: "~/.bashrc", content: "ls\nalias ll='ls -la'\n" }],
  [true, "Write", { file_path: "~/.bashrc", content: `${"alias a=b\n".repeat(3000)}alias claude='claude --bare'\n` }],
  [false, "Write", { file_path: "~/.bashrc", content: "alias a=b\n".repeat(3000) }],
  [false, "Write", { file_path: "a.py", content: `open(".bashrc").write("claude --bare")` }],
  [false, "Write", { file_path: "README.md", content: "claude --bare\n" }],
  [false, "Edit", update("~/.zshrc", { edits: [{ old_string: "alias claude='claude --bare'", new_string: "" }] })],
  [false, "Write", { file_path: join(root, "src/a.ts"), content: ".claude/settings.json" }],
  [false, "Write", { file_path: join(root, ".claude/agents/a.md"), content: "" }],
  [false, "Write", { file_path: join(root, "settings.json"), content: "" }],
  [false, "Write", { file_path: join(root, "docs/.claude-settings.json"), content: "" }],
  [false, "Edit", update("src/a.ts")],
  [false, "Edit", update("CLAUDE.md")],
  [false, "Edit", update(".github/workflows/ci.yml")],
  [false, "Edit", { files: [] }],
  [false, "MCP", { tool: "read_file", arguments: { path: ".claude/settings.json" } }],
  [false, "MCP", { tool: "list_directory", arguments: { path: ".claude" } }],
  [false, "MCP", { tool: "write_file", arguments: { path: "notes.md", content: ".claude/settings.json" } }],
  [false, "MCP", { tool: "search", arguments: { query: ".claude/settings.json" } }],
  [false, "MCP", { tool: "copy_file", arguments: { source: ".claude/settings.json", destination: "x.json" } }],
  [false, "Other", { query: "x" }],
];
// Calls to unknown tools, with a command among other fields.
const GUESSED: [denied: boolean, tool: string, input: object][] = [
  [true, "Bash", { command: "ls", path: ".claude/settings.json", content: "" }],
  [true, "Write", { file_path: "a", content: "b", target: ".claude/settings.json" }],
  [true, "Bash", { command: "ls", path: "~/.bashrc", content: "alias claude='claude --bare'" }],
  [false, "Bash", { command: "ls", path: "src/a.ts", content: ".claude/settings.json" }],
  [false, "Bash", { command: "ls", cwd: root, working_directory: root }],
];
for (const [denied, tool, input] of GUESSED)
  test(`protect-hooks ${denied ? "denies" : "allows"} a guessed ${tool} ${Object.keys(input)}`, async () => {
    const { decision } =
      (await askHook(
        protectHooks,
        { event: "PreToolUse", cwd: root, tool, tool_name: "x", guessed: true, input },
        {},
      )) ?? {};
    expect(decision).toBe(denied ? "deny" : undefined);
  });
for (const [denied, tool, input] of CALLS)
  for (const event of ["PreToolUse", "PermissionRequest"])
    test(`at ${event}, protect-hooks ${denied ? "denies" : "allows"} ${tool} ${JSON.stringify(input).replaceAll(scratch, "…").slice(0, 200)}`, async () =>
      expect(await askDecision(tool, input, {}, root, event)).toBe(denied ? "deny" : (undefined as never)));

const ELSEWHERE: [denied: boolean, cwd: string, command: string][] = [
  [true, join(root, ".claude"), "echo x > settings.json"],
  [true, join(root, ".claude"), "rm *.json"],
  [true, join(root, ".claude"), "rm -rf ../.github"],
  [true, join(root, "src"), "sed -i s/a/b/ ../.claude/settings.json"],
  [true, join(root, "src"), "rm -rf .."],
  [true, join(root, "dir-link"), "rm settings.json"],
  [true, "/", `rm -rf ${root}/.claude`],
  ...[
    "find . -delete",
    "find . -type f -delete",
    "find . -name '*.json' -delete",
    "find . -maxdepth 2 -name '*.json' -delete",
    "find . -name '*.md' -o -name '*.json' -delete",
    "find . ! \\( -name '*.md' -o -name '*.ts' \\) -type f -delete",
    "find . \\( -name '*.md' -o -name 'set*' \\) -delete",
    "find . -name 'settings\\.json' -delete",
    "find . -name '[!a]ettings.json' -delete",
    "find . -type f -mtime -7 -delete",
    "find . -type f -mmin -5 -delete",
    "find . -type f -size -10M -delete",
    "find . -size 1 -name '*.json' -delete",
    "find . -type f -newer x -delete",
    "find . -maxdepth $N -type f -delete",
    "find . -type f -perm -u+w -delete",
    "find . -not -path './.git/*' -type f -delete",
    "find . -path ./node_modules -prune -o -name '*.json' -exec rm {} +",
    "find . -path ./.claude -prune -o -type f -delete",
    "find . -name .claude -exec mv {} /tmp ';'",
    "find .claude -maxdepth 0 -exec rm -rf {} +",
    "find . -type f -exec sed -i s/a/b/ {} +",
    "find . -name settings.json -exec cp /tmp/x {} ';'",
    "find . -name '*.json' -exec chmod 000 {} +",
    `find ${scratch}/tree -iname 'SETTINGS*' -delete`,
    "find .cl* -name '*.json' -delete",
  ].map((line): [true, string, string] => [true, join(scratch, "tree"), line]),
  ...[
    "find . -name '*.json' -path '*/dist/*' -delete",
    "find . -type f -mtime +7 -delete",
    "find . -type f -mmin +60 -delete",
    "find . -type f -size +10M -delete",
    "find . -maxdepth 1 -type f -name '*.json' -delete",
    "find . -mindepth 3 -name '*.json' -delete",
    "find . -name '*.json' -not -path './.claude/*' -delete",
    "find . -type f ! -path '*/.claude/*' -exec rm {} +",
    "find . -type f ! \\( -name '*.json' -o -name '*.md' \\) -delete",
    "find . \\( -name '*.o' -o -name '*.tmp' \\) -type f -delete",
    "find . -name '*.json' -print -o -name '*.tmp' -delete",
    "find . -type l -delete",
    "find . -type f -empty -delete",
    "find . -path ./.claude -prune -o -name '*.json' -exec rm {} +",
    "find . -path './.claude/*' -prune -o -type f -exec rm {} +",
    "find . -name '.?*' -prune -o -type f -exec rm -f {} +",
    "find . -maxdepth 1 -exec rm {} +",
    "find . -name '*.json' -exec sed -n 1p {} +",
    "find . -name '*.json' -exec cp {} /tmp ';'",
    "find . -name '*.json' -exec cp -t /tmp {} +",
    "find . -name '*.json' -size +1M -exec rm {} +",
  ].map((line): [false, string, string] => [false, join(scratch, "tree"), line]),
  [false, join(root, "src"), "echo x > settings.json"],
  [false, join(root, "src"), "rm -rf ."],
  [false, join(root, ".claude/agents"), "rm a.md"],
  [false, "/", "ls"],
  [false, "", "echo hi"],
];
for (const [denied, cwd, command] of ELSEWHERE)
  test(`in ${cwd.replace(scratch, "…")}, protect-hooks ${denied ? "denies" : "allows"} ${command.replace(scratch, "…")}`, async () =>
    expect(await askBash(command, {}, cwd)).toBe(denied ? "deny" : (undefined as never)));

const OPTIONS: [options: object, command: string, decision: string | undefined][] = [
  [{ decision: "ask" }, "rm .claude/settings.json", "ask"],
  [{ decision: "ask" }, "bridge-hooks uninstall", "ask"],
  [{ decision: "ask" }, "ls", undefined],
  [{ allow: ["opencode.json"] }, "echo x > opencode.json", undefined],
  [{ allow: ["opencode.json"] }, "cd src && echo x > ../opencode.json", undefined],
  [{ allow: ["opencode.json"] }, "echo x > src/opencode.json", "deny"],
  [{ allow: ["**/opencode.json"] }, "echo x > src/opencode.json", undefined],
  [{ allow: ["~/.codex/config.toml"] }, "echo x > ~/.codex/config.toml", undefined],
  [{ allow: ["~/.codex/config.toml"] }, "echo x > .codex/config.toml", "deny"],
  [{ allow: [".claude/*.local.json"] }, "rm .claude/settings.local.json", undefined],
  [{ allow: [".claude/*.local.json"] }, "rm .claude/settings.json", "deny"],
  [{ allow: [".claude/*.local.json"] }, "rm -rf .claude", "deny"],
  [{ allow: [".claude/**"] }, "rm -rf .claude", undefined],
  [{ allow: [".CLAUDE/**"] }, "rm -rf .claude", undefined],
  [{ allow: ["**"] }, "bridge-hooks uninstall", "deny"],
  [{ protect: ["hooks/**"] }, "echo x > hooks/guard.ts", "deny"],
  [{ protect: ["hooks/**"] }, "cat hooks/guard.ts", undefined],
  [{ protect: ["hooks/**"] }, "echo x > src/hooks/guard.ts", undefined],
  [{ protect: ["**/*.pem"] }, "sed -i s/a/b/ src/x.pem", "deny"],
  [{ protect: ["/etc/hosts"] }, "echo x >> /etc/hosts", "deny"],
  [{ protect: ["~/.bashrc"] }, "echo x >> ~/.bashrc", "deny"],
  [{ protect: ["hooks/**"], allow: ["hooks/mine.ts"] }, "echo x > hooks/mine.ts", undefined],
  [{ protect: ["package.json"], decision: "ask" }, "npm pkg set x=1 && touch package.json", "ask"],
];
for (const [options, command, decision] of OPTIONS)
  test(`with ${JSON.stringify(options)}, protect-hooks ${decision === "ask" ? "asks about" : decision ? "denies" : "allows"} ${command}`, async () =>
    expect(await askBash(command, options)).toBe(decision as never));
for (const options of [{ allow: "x" }, { allow: [""] }, { protect: [1] }, { decision: "allow" }, { deny: [] }])
  test(`protect-hooks rejects the options ${JSON.stringify(options)}`, () =>
    expect(validateOptions(protectHooks, options)).rejects.toThrow());

test("protect-hooks names the file, the next step and the rule", async () => {
  const answer = (command: string, options: object = {}) =>
    askHook(
      protectHooks,
      { event: "PreToolUse", cwd: root, tool: "Bash", tool_name: "Bash", input: { command } },
      options,
    );
  expect(await answer("rm .claude/settings.json")).toEqual({
    decision: "deny",
    reason: `Blocked: this would change ${root}/.claude/settings.json, which hooks depend on. If this is intended, ask the user to do it. [bridge-hooks hooks/change-files]`,
  });
  expect(await answer("claude --bare", { decision: "ask" })).toEqual({
    decision: "ask",
    reason: "This call starts Claude Code without hooks. [bridge-hooks hooks/switch-off]",
  });
});

test("a command with a syntax error is denied if it names a guarded file", async () => {
  expect(await askBash("echo 'x > .claude/settings.json")).toBe("deny");
  expect(await askBash("echo 'x > notes.txt")).toBeUndefined();
});

test("a command that is too long is a failure, and failures deny", async () => {
  expect(askBash(`rm ${"x ".repeat(2_000_000)}`)).rejects.toThrow();
  expect(protectHooks.onError).toBe("deny");
});
