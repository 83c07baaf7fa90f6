import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { ENTRY_SETUPS } from "../../support/entry-setups.ts";
import { createHome, writeTestFile } from "../../support/homes.ts";
import { CONFIG_CASES, LINKED_TREE_FILES } from "../../support/project-configs.ts";
import { getHost } from "../../hosts/decode-support.ts";
import { listTree, runInstall, runUninstall } from "./support.ts";

/**
 * Setups that were tested with real hosts: a host, the directory in which the session starts, and the project's files.
 */
const setups: readonly { host: string; name: string; start: string; files: Record<string, string> }[] = [
  ...CONFIG_CASES.flatMap(({ host, file, text, outcomes }) =>
    outcomes.map(([start, folder]) => ({
      host,
      name: `${file} in ${folder}, from ${start}`,
      start,
      files: { ...LINKED_TREE_FILES, "a/b/c/x": "", "../tree/a/x": "", [`${folder}/${file}`]: text },
    })),
  ),
  ...ENTRY_SETUPS.map(({ host, name, file, text }) => ({
    host,
    name,
    start: ".",
    files: { [file]: text.replaceAll("{ours}", "/opt/guard/bridge-hooks") },
  })),
];

describe("install followed by uninstall leaves every file unchanged, byte for byte:", () => {
  for (const { host, name, start, files } of setups)
    test(`${host}, ${name}`, async () => {
      using home = createHome();
      const [project = ""] = home.machine.roots;
      writeTestFile(join(project, ".git/HEAD"), "ref: refs/heads/main\n");
      for (const [path, text] of Object.entries(files)) writeTestFile(join(project, path), text);
      const here = { ...home, machine: { ...home.machine, roots: [join(project, start)] } };
      const target = { host: getHost(host), scope: "user" as const };
      const before = listTree(home);
      await runInstall(target, here);
      expect(listTree(home)).not.toEqual(before);
      await runUninstall(target, here);
      expect(listTree(home)).toEqual(before);
    });
});
