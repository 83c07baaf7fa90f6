import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addPluginFolders } from "../../release/plugin-folders.ts";
import type { Release } from "../../release/release.ts";
import { ROOT } from "../support/fixtures.ts";

const release = { name: "bridge-hooks", version: "1.2.3", time: 1_700_000_000 } as Release;
const unzip = Bun.which("unzip") ?? Bun.which("bsdtar");

test.skipIf(!unzip)("a release contains the marketplace directories, with entries for its hooks' events", async () => {
  const added = new Map<string, Uint8Array>();
  await addPluginFolders(release, join(ROOT, "hooks"), (path, content) => void added.set(path, content as Uint8Array));
  expect([...added.keys()]).toEqual(["bridge-hooks-1.2.3-plugin.zip"]);
  const folder = mkdtempSync(join(tmpdir(), "bridge-hooks-plugin-"));
  const file = join(folder, "a.zip");
  writeFileSync(file, added.get("bridge-hooks-1.2.3-plugin.zip") ?? "");
  const isUnzip = unzip?.endsWith("unzip");
  const argv = isUnzip ? [unzip as string, "-q", file, "-d", folder] : [unzip as string, "-xf", file, "-C", folder];
  expect(Bun.spawnSync(argv).exitCode).toBe(0);
  const hooks = join(folder, "bridge-hooks-1.2.3-plugin/claude/linux/plugins/bridge-hooks/hooks/hooks.json");
  const document = (await Bun.file(hooks).json()) as { hooks: Record<string, [{ hooks: [{ command: string }] }]> };
  expect(Object.keys(document.hooks)).toContain("PreToolUse");
  expect(document.hooks.PreToolUse?.[0].hooks[0].command).toBe("/opt/bridge-hooks/bridge-hooks");
  rmSync(folder, { recursive: true });
});
