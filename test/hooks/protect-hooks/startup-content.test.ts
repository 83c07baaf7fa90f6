import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { STARTUP_SUFFIXES } from "../../../hooks/_startup-places.ts";
import { askDecision, root } from "./project.ts";

const OFF = "alias claude='claude --bare'";
const sources = join(root, "sources");
mkdirSync(sources, { recursive: true });
const LARGE = `${"# x\n".repeat(300_000)}${OFF}\n`;
for (const [name, text] of Object.entries({ off: `ls\n${OFF}\n`, plain: "alias ll='ls -l'\n", large: LARGE }))
  writeFileSync(join(sources, name), text);

/** Returns a path that ends like an entry in the list. */
const toPath = (ending: string) =>
  `/srv/x/${ending.replaceAll("*", "name").replace(/\+$/, "name").replaceAll("+", "d")}`;

test("no tool may write a command that turns hooks off to a startup file", async () => {
  const passed: string[] = [];
  for (const path of STARTUP_SUFFIXES.map(toPath)) {
    const calls: [string, object][] = [
      ["Bash", { command: `echo "${OFF}" > "${path}"` }],
      ["Bash", { command: `echo "${OFF}" >> "${path}"` }],
      ["Bash", { command: `echo "${OFF}" | tee "${path}"` }],
      ["Bash", { command: `sed -i "1i ${OFF}" "${path}"` }],
      ["Bash", { command: `cp sources/off "${path}"` }],
      ["Bash", { command: `mv sources/off "${path}"` }],
      ["Bash", { command: `ln -sf ${sources}/off "${path}"` }],
      ["Bash", { command: `cat sources/off >> "${path}"` }],
      ["Write", { file_path: path, content: `${OFF}\n` }],
      ["Edit", { files: [{ file_path: path, operation: "update", edits: [{ old_string: "a", new_string: OFF }] }] }],
      ["MCP", { tool: "write_file", arguments: { filePath: path, content: OFF } }],
      ["MCP", { tool: "append", arguments: { dst: path, lines: ["ls", OFF] } }],
      ["MCP", { tool: "move_file", arguments: { source: "sources/off", destination: path } }],
      ["MCP", { tool: "apply_patch", arguments: { patch: `--- ${path}\n+++ ${path}\n@@ -1 +1 @@\n-a\n+${OFF}\n` } }],
    ];
    const isProgram = /bin\/[^/]*$/.test(path);
    for (const [tool, input] of calls)
      if (!(isProgram && /sources/.test(JSON.stringify(input))) && (await askDecision(tool, input)) !== "deny")
        passed.push(`${path} ${tool} ${JSON.stringify(input)}`);
  }
  expect(passed).toEqual([]);
});

describe("no tool may write unreadable content to a startup file", () => {
  const long = `# ${"x".repeat(140_000)}`;
  const deep = `${"$(".repeat(3_000)}claude${")".repeat(3_000)}`;
  const CALLS: [denied: boolean, name: string, tool: string, input: object][] = [
    [true, "a line that is too long", "Write", { file_path: "~/.bashrc", content: long }],
    [true, "such a line among others", "Write", { file_path: "~/.bashrc", content: `ls\n${long}\nls\n` }],
    [true, "a line that is nested too deeply", "Write", { file_path: "~/.zshrc", content: deep }],
    [
      true,
      "such a line in an edit",
      "Edit",
      { files: [{ file_path: "~/.profile", operation: "update", edits: [{ old_string: "a", new_string: deep }] }] },
    ],
    [
      true,
      "such a line of an MCP tool",
      "MCP",
      { tool: "write_file", arguments: { path: "/etc/profile.d/x.sh", content: deep } },
    ],
    [true, "a line after many", "Write", { file_path: "~/.bashrc", content: `${"a=b\n".repeat(40_000)}${OFF}\n` }],
    [
      true,
      "a string after many",
      "MCP",
      { tool: "write_file", arguments: { path: "~/.bashrc", lines: [...Array(3_000).fill("a=b"), OFF] } },
    ],
    [true, "a file that is too large", "Bash", { command: "cp sources/large ~/.bashrc" }],
    [false, "a missing file", "Bash", { command: "cp sources/missing ~/.bashrc" }],
    [false, "an ordinary file", "Bash", { command: "cp sources/plain ~/.bashrc" }],
    [false, "a large program", "Bash", { command: "cp sources/large ~/bin/x" }],
    [false, "a path", "Write", { file_path: "~/.bashrc", content: 'export PATH="$HOME/bin:$PATH"\n' }],
    [
      false,
      "an alias",
      "Edit",
      {
        files: [
          {
            file_path: "~/.bashrc",
            operation: "update",
            edits: [{ old_string: "", new_string: "alias ll='ls -l'\n" }],
          },
        ],
      },
    ],
    [false, "many lines", "Write", { file_path: "~/.bashrc", content: "alias a=b\n".repeat(40_000) }],
    [
      false,
      "a long line in a program",
      "Write",
      { file_path: "bin/x.js", content: `const a = "${"x".repeat(140_000)}";` },
    ],
    [false, "a long line elsewhere", "Write", { file_path: "src/x.sh", content: long }],
    [
      false,
      "a completion",
      "Bash",
      { command: "gh completion -s bash > ~/.local/share/bash-completion/completions/gh" },
    ],
    [
      false,
      "a unit",
      "Write",
      { file_path: "~/.config/systemd/user/x.service", content: "[Service]\nExecStart=/usr/bin/x\n" },
    ],
    [false, "a hook of husky", "Write", { file_path: ".husky/pre-commit", content: "npx lint-staged\n" }],
    [false, "a hook that is tracked", "Write", { file_path: "hooks/pre-commit", content: "npm test\n" }],
  ];
  for (const [denied, name, tool, input] of CALLS)
    test(`${denied ? "denied" : "allowed"}: ${name}`, async () => {
      expect(await askDecision(tool, input)).toBe(denied ? "deny" : (undefined as never));
    });
});
