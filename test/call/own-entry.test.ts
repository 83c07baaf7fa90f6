import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hasOwnEntry } from "../../src/call/identify/own-entry.ts";
import { codex } from "../../src/hosts/codex/index.ts";
import { LINKED, writeLinkedTree } from "../support/project-configs.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-own-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const project = join(root, "project");
mkdirSync(join(project, ".git"), { recursive: true });
writeFileSync(join(project, ".git/HEAD"), "ref: refs/heads/main\n");
writeLinkedTree(project);

const command = JSON.stringify(`${process.execPath} --host codex --event PreToolUse`);
const ENTRY = `[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = ${command}\n`;

/** Whether a call made in the linked working tree finds an entry in the config.toml of a directory. */
async function isFound(folder: string): Promise<boolean> {
  const config = join(project, folder, ".codex");
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, "config.toml"), ENTRY);
  const world = { env: { CODEX_HOME: join(root, "nobody") }, read: () => undefined };
  const found = await hasOwnEntry(codex, "PreToolUse", { cwd: join(project, LINKED), tool_name: "Bash" }, world);
  rmSync(config, { recursive: true });
  return found;
}

test("in a linked working tree, an entry counts if the host reads entries there", async () => {
  expect(await isFound(".")).toBe(true);
  expect(await isFound(LINKED)).toBe(false);
});
