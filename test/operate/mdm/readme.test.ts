import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, posix } from "node:path";
import { buildMdmFiles } from "../../../src/operate/mdm/mdm.ts";
import { readModes } from "../../../src/policy/modes.ts";
import type { PackFile } from "../../../src/protocol/host/pack.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { createPackOrder } from "../../support/pack-orders.ts";

const ORDER = createPackOrder([
  { events: ["PreToolUse", "UserPromptSubmit", "Stop"] },
  { events: ["PostToolUse"], tools: ["Bash"], timeoutMs: 45_000 },
]);
const pack = await buildMdmFiles(ORDER, hosts);
const file = (path: string): PackFile => pack.find((one) => one.path === path) ?? expect.unreachable(`no ${path}`);

describe("the READMEs of the pack", () => {
  const pages = pack.filter(({ path }) => path.endsWith("README.md"));
  const { text } = file("README.md");
  test("name each deployed file, with its destination and its removal", () => {
    const links = pages.flatMap((page) =>
      [...page.text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = ""]) => posix.join(posix.dirname(page.path), link)),
    );
    for (const { path, deployment: goes } of pack)
      if (goes !== "") expect([path, links.includes(path)]).toEqual([path, true]);
    const paths = new Set(pack.map(({ path }) => path));
    expect(links.filter((link) => !link.startsWith("https:/") && !paths.has(link))).toEqual([]);
  });
  test("begin with one page, in the order of the steps", () => {
    expect(text.match(/^## .*$/gm)).toEqual([
      "## 1. Test on one machine",
      "## 2. Roll out to a pilot group, then to all machines",
      "## 3. Check a client",
      "## 4. Update",
      "## 5. Uninstall",
    ]);
    expect(text.split("\n").length).toBeLessThan(95);
    for (const { name } of hosts) expect(text).toContain(name);
  });
  const onPage = async (document: object): Promise<string> => {
    const config = join(mkdtempSync(join(tmpdir(), "mdm-policy-")), "policy.json");
    writeFileSync(config, JSON.stringify(document));
    const modes = await readModes([{ scope: "managed", path: config }]);
    rmSync(dirname(config), { recursive: true });
    const files = await buildMdmFiles(ORDER, hosts, [], { bytes: Buffer.from("{}"), hash: "", modes });
    return files.find(({ path }) => path === "README.md")?.text ?? "";
  };
  test("name the mode and its origin", async () => {
    expect(text).toContain('Mode: as set in each user\'s config (default: "enforce"), because this pack has no policy');
    expect(await onPage({})).toContain('Mode: "enforce", set by [policy](policy/README.md): denials are enforced.');
    expect(await onPage({ mode: "observe" })).toContain(
      'Mode: "observe", set by [policy](policy/README.md): calls that would be denied are allowed and logged.',
    );
    const dated = await onPage({ mode: { mode: "warn", until: "2999-01-01", rules: { "git/*": "enforce" } } });
    expect(dated).toContain('Mode: "warn" until 2999-01-01, then "enforce", set by');
    expect(dated).toContain('Other modes: `rules/git/*` ("enforce").');
  });
  test("contain commands to paste whose files exist, in the order of the steps, for each system and an image", () => {
    const blocks = [...text.matchAll(/```(\w+)\n([^`]*)```/g)].map(([, language, lines = ""]) => [language, lines]);
    expect(blocks.map(([language]) => language)).toEqual(["sh", "sh", "powershell"]);
    const paths = new Set(pack.map(({ path }) => path));
    const named = blocks.flatMap(([, lines = ""]) =>
      [...lines.matchAll(/(?:executable|rollout)[\\/][\w\\/.-]+/g)].map(([path]) => path.replaceAll("\\", "/")),
    );
    expect(named.filter((path) => !paths.has(path))).toEqual([]);
    const of = (system: string) => named.filter((path) => path.includes(`/${system}/`)).map((path) => basename(path));
    for (const system of ["linux", "macos"])
      expect(of(system)).toEqual(["place.sh", "place-files.sh", "smoke-test.sh"]);
    expect(of("windows")).toEqual(["place.ps1", "intune-remediation.ps1", "smoke-test.ps1"]);
    expect(text).toContain("`sudo sh rollout/linux/place-files.sh /mnt/image install`");
    expect(text).toContain("mdm --check --pack . --root /mnt/image");
  });
  test("name what is unverified, how to check and how to undo", () => {
    for (const words of ["[unverified]", "bridge-hooks doctor", "bridge-hooks mdm --check", "place-files.sh remove"])
      expect(text).toContain(words);
    for (const words of [
      "claude-code-remove.reg",
      "Ship one source per machine",
      "`com.anthropic.claudecode.mobileconfig`",
    ])
      expect(file("claude/README.md").text).toContain(words);
  });
  test("have tables with the same number of cells in every row", () => {
    const cells = (line: string) => line.replace(/`[^`]*`/g, "").split(/(?<!\\)\|/).length;
    const tables = pages.flatMap((page) =>
      page.text.split(/\n(?!\|)/).map((block) => block.split("\n").filter((line) => line.startsWith("|"))),
    );
    expect(tables.filter(({ length }) => length > 0).length).toBeGreaterThan(pages.length);
    for (const lines of tables)
      for (const line of lines) expect([line, cells(line)]).toEqual([line, cells(lines[0] as string)]);
  });
});
