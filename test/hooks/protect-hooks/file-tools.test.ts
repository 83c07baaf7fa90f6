import { expect, test } from "bun:test";
import { join } from "node:path";
import { askDecision, root, scratch } from "./project.ts";

const SETTINGS = ".claude/settings.json";
/** Argument names that MCP servers use for the file to be written. */
const NAMES = (
  "path filePath filepath file_path FilePath file-path dst dstPath dest destination destFile out outFile outfile out_file output " +
  "outputPath output_path target targetPath target_file new_path newPath to toPath save_path savePath saveTo file fileName " +
  "filename pathname absolutePath fullPath relative_path uri location where p notebook localFile path1"
).split(" ");

test("a file is guarded whatever the argument's name is", async () => {
  const wrong: string[] = [];
  for (const name of NAMES) {
    const call = (value: string) =>
      askDecision("MCP", { tool: "write_file", arguments: { [name]: value, content: "{}" } });
    if ((await call(SETTINGS)) !== "deny") wrong.push(name);
    if ((await call(join(root, SETTINGS))) !== "deny") wrong.push(`${name}, absolute`);
    if ((await call("src/a.ts")) !== undefined) wrong.push(`${name}, ordinary`);
  }
  expect(wrong).toEqual([]);
});

test("text that mentions a guarded file is not treated as a file", async () => {
  const names =
    "content text body data message title description query new_string old_string file_text fileContent code comment".split(
      " ",
    );
  for (const name of names)
    for (const tool of ["write_file", "create_issue", "edit", "append_note"])
      expect([
        name,
        tool,
        await askDecision("MCP", { tool, arguments: { path: "notes.md", [name]: SETTINGS } }),
      ]).toEqual([name, tool, undefined as never]);
});

const diff = (from: string, to = from) => `--- a/${from}\n+++ b/${to}\n@@ -1 +1 @@\n-{}\n+{ }\n`;
const CALLS: [denied: boolean, tool: string, input: object][] = [
  // A directory that contains guarded files.
  [true, "delete_directory", { path: ".claude" }],
  [true, "deleteDirectory", { dirPath: join(root, ".claude") }],
  [true, "remove", { paths: ["src", ".claude/"] }],
  [true, "rmdir", { folder: root }],
  [true, "move_file", { source: ".claude", destination: "old" }],
  [true, "move_file", { source: join(scratch, "evil"), destination: ".claude" }],
  [true, "rename", { oldPath: ".claude", newPath: "x" }],
  [true, "rename_file", { path: ".claude/a.json", new_name: "settings.json" }],
  [true, "copy_directory", { src: join(scratch, "evil"), dst: ".claude" }],
  [true, "create_symlink", { target: ".claude", link_path: "x" }],
  [true, "create_symlink", { target: "/tmp/x", linkPath: ".claude/settings.json" }],
  [true, "extract_archive", { archive: "a.zip", destination: ".claude" }],
  [true, "unzip", { file: "a.zip", outputDir: ".claude" }],
  [true, "chmod", { path: ".claude", mode: "000" }],
  [true, "file_tool", { action: "delete", path: ".claude" }],
  [true, "download_file", { url: "https://example.com/x", path: SETTINGS }],
  [true, "fetch", { url: "https://example.com/x", output: SETTINGS }],
  [true, "write_file", { file: `file://${root}/${SETTINGS}` }],
  // Other verbs that act on whole directories.
  ...[
    "clean_directory",
    "empty_folder",
    "clear_directory",
    "prune",
    "cleanup",
    "reset_folder",
    "replace_directory",
  ].map((tool): [boolean, string, object] => [true, tool, { path: ".claude" }]),
  ...["sync_directory", "mirror", "restore"].map((tool): [boolean, string, object] => [
    true,
    tool,
    { source: "src", destination: ".claude" },
  ]),
  [true, "git_clone", { url: "https://example.com/x", directory: ".claude" }],
  [true, "archive", { source: ".claude", output: "x.zip", delete_source: true }],
  [true, "delete_files", { glob: ".claude/**" }],
  [true, "delete_files", { pattern: ".claude/*.json" }],
  [true, "fetch_file", { url: "https://example.com/x", output_dir: ".claude", filename: "settings.json" }],
  [true, "save_file", { action: "upload", path: ".claude/settings.json" }],
  [false, "str_replace_editor", { command: "view", path: ".claude/settings.json" }],
  [true, "str_replace_editor", { command: "insert", path: ".claude/settings.json" }],
  [true, "delete_files", { globs: ["src/*.js", ".claude/*.json"] }],
  // Directory and file name given in separate fields.
  [true, "write_file", { dir: ".claude", name: "settings.json", content: "{}" }],
  [true, "write_file", { directory: join(root, ".claude"), filename: "settings.json" }],
  [true, "create_file", { path: ".claude", name: "settings.json" }],
  [true, "write_file", { cwd: ".claude", path: "settings.json" }],
  [true, "apply_patch", { patch: diff("settings.json"), cwd: join(root, ".claude") }],
  [true, "apply_patch", { patch: diff("settings.json"), directory: ".claude" }],
  [true, "write_files", { files: { "src/a.ts": "", [SETTINGS]: "{}" } }],
  [true, "apply_edit", { edit: { changes: { [`file://${root}/${SETTINGS}`]: [{ newText: "{}" }] } } }],
  [
    true,
    "apply_workspace_edit",
    { documentChanges: [{ kind: "rename", oldUri: `file://${root}/${SETTINGS}`, newUri: "file:///tmp/x" }] },
  ],
  [
    true,
    "apply_workspace_edit",
    { documentChanges: [{ kind: "rename", oldUri: "file:///tmp/x", newUri: `file://${root}/${SETTINGS}` }] },
  ],
  [true, "write_file", { path: `${SETTINGS}\n` }],
  [true, "write_file", { path: `"${SETTINGS}"` }],
  [true, "write_file", { path: ` '${SETTINGS}' ` }],
  // Patches and diffs.
  [true, "apply_patch", { patch: diff(SETTINGS) }],
  [true, "apply_diff", { diff: diff(SETTINGS) }],
  [true, "edit_files", { changes: [{ unified_diff: diff(SETTINGS) }] }],
  [true, "git_apply", { input: diff("src/a.ts") + diff(SETTINGS) }],
  [true, "patch", { patch: `--- ${SETTINGS}\t2026-01-01\n+++ ${SETTINGS}\t2026-01-01\n@@ -1 +1 @@\n-a\n+b\n` }],
  [true, "patch", { patch: `*** ${SETTINGS}\t2026-01-01\n--- ${SETTINGS}\t2026-01-01\n***************\n*** 1 ****\n` }],
  [
    true,
    "patch",
    { patch: `diff --git a/x.json b/${SETTINGS}\nsimilarity index 100%\nrename from x.json\nrename to ${SETTINGS}\n` },
  ],
  [
    true,
    "patch",
    { patch: `diff --git a/${SETTINGS} b/y.json\nsimilarity index 100%\nrename from ${SETTINGS}\nrename to y.json\n` },
  ],
  [true, "patch", { patch: `diff --git a/${SETTINGS} b/${SETTINGS}\nold mode 100644\nnew mode 100000\n` }],
  [
    true,
    "patch",
    {
      patch: `diff --git a/${SETTINGS} b/${SETTINGS}\ndeleted file mode 100644\n--- a/${SETTINGS}\n+++ /dev/null\n@@ -1 +0,0 @@\n-{}\n`,
    },
  ],
  [
    true,
    "patch",
    {
      patch: `diff --git "a/.cl\\141ude/settings.json" "b/.cl\\141ude/settings.json"\nold mode 100644\nnew mode 100000\n`,
    },
  ],
  [true, "patch", { patch: `Index: ${SETTINGS}\n=====\n` }],
  [true, "patch", { patch: diff(SETTINGS).replaceAll("\n", "\r\n") }],
  [true, "apply_patch", { input: `*** Begin Patch\n*** Update File: ${SETTINGS}\n@@\n-a\n+b\n*** End Patch\n` }],
  // Calls that only read, or that don't name a file.
  [false, "git_diff", { repo_path: root, files: [SETTINGS] }],
  [false, "git_log", { repo_path: root, path: SETTINGS }],
  [false, "git_blame", { path: SETTINGS }],
  [false, "git_add", { repo_path: root, files: [SETTINGS] }],
  [false, "git_reset", { repo_path: root }],
  [false, "git_clone", { url: "https://example.com/x", directory: "vendor/x" }],
  ...[
    "lint",
    "check_file",
    "validate_json",
    "count_tokens",
    "summarize",
    "hash_file",
    "inspect",
    "describe_file",
    "explain",
    "backup",
  ].map((tool): [boolean, string, object] => [false, tool, { path: SETTINGS }]),
  [false, "backup", { source: SETTINGS, destination: "/tmp/x.json" }],
  [true, "lint_fix", { path: SETTINGS }],
  [false, "create_entities", { entities: [{ name: SETTINGS, entityType: "file", observations: ["x"] }] }],
  [false, "sync_directory", { source: ".claude", destination: "/tmp/x" }],
  [false, "clean_directory", { path: "src" }],
  [false, "clear_cache", {}],
  [false, "reset_session", { cwd: root }],
  [false, "clean_project", { projectPath: root }],
  [false, "clear_context", { directory: root }],
  [false, "is_empty", { path: ".claude" }],
  [false, "delete_keys", { pattern: "settings:*" }],
  [false, "archive", { source: "src", output: "x.zip", delete_source: true }],
  [false, "delete_files", { glob: "src/**" }],
  [false, "write_file", { dir: "src", name: "settings.json", content: "{}" }],
  [false, "write_file", { cwd: root, path: "settings.json" }],
  [false, "apply_patch", { patch: diff("settings.json"), cwd: root }],
  [false, "write_files", { files: { "src/a.ts": SETTINGS } }],
  [false, "write_json", { path: "x.json", content: { [SETTINGS]: true } }],
  [false, "apply_edit", { edit: { changes: { [`file://${root}/src/a.ts`]: [{ newText: SETTINGS }] } } }],
  // Ordinary calls.
  [false, "delete_directory", { path: "src" }],
  [false, "delete_directory", { path: ".claude/agents" }],
  [false, "delete_branch", { name: "feature/.claude" }],
  [false, "list_directory", { path: ".claude" }],
  [false, "move_file", { source: "src/a.ts", destination: "src/b.ts" }],
  [false, "copy_file", { source: SETTINGS, destination: "x.json" }],
  [false, "copy_file", { from: ".claude", to: "/tmp/copy" }],
  [false, "create_directory", { path: ".claude" }],
  [false, "extract_archive", { archive: "a.zip", destination: "vendor" }],
  [false, "apply_patch", { patch: diff("src/a.ts") }],
  [false, "write_file", { path: "fix.patch", content: diff(SETTINGS) }],
  [false, "create_comment", { body: diff(SETTINGS) }],
  [false, "analyze_diff", { diff: diff(SETTINGS) }],
  [false, "read_file", { filePath: SETTINGS }],
  [false, "search_files", { path: ".claude", query: "hooks" }],
  [false, "compare_files", { source: SETTINGS, target: "x.json" }],
];
for (const [denied, tool, input] of CALLS)
  test(`protect-hooks ${denied ? "denies" : "allows"} the MCP call ${tool} ${JSON.stringify(input).replaceAll(scratch, "…").slice(0, 160)}`, async () => {
    expect(await askDecision("MCP", { tool, arguments: input })).toBe(denied ? "deny" : (undefined as never));
  });

const LINES: [denied: boolean, line: string][] = [
  [true, `patch -p1 <<'E'\n${diff(SETTINGS)}E`],
  [true, `git apply <<'E'\ndiff --git a/x.json b/${SETTINGS}\nrename from x.json\nrename to ${SETTINGS}\nE`],
  [true, `git am <<'E'\n${diff(SETTINGS)}E`],
  [false, `git apply <<'E'\n${diff("src/a.ts")}E`],
  [false, `cat > fix.patch <<'E'\n${diff(SETTINGS)}E`],
];
for (const [denied, command] of LINES)
  test(`protect-hooks ${denied ? "denies" : "allows"} ${JSON.stringify(command)}`, async () => {
    expect(await askDecision("Bash", { command })).toBe(denied ? "deny" : (undefined as never));
  });

const CHANGES: [denied: boolean, change: object][] = [
  [true, { file_path: ".claude", operation: "delete", edits: [] }],
  [true, { file_path: ".claude", operation: "move", moved_to: "old", edits: [] }],
  [false, { file_path: "src", operation: "delete", edits: [] }],
];
for (const [denied, change] of CHANGES)
  test(`protect-hooks ${denied ? "denies" : "allows"} the host's own change ${JSON.stringify(change)}`, async () => {
    expect(await askDecision("Edit", { files: [change] })).toBe(denied ? "deny" : (undefined as never));
  });
