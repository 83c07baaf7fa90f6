import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hosts } from "../../../src/hosts/index.ts";
import { applyInstall } from "../../../src/cli/install/apply.ts";
import { planInstall } from "../../../src/cli/install/install.ts";
import { buildMdmFiles } from "../../../src/operate/mdm/mdm.ts";
import { createPackOrder } from "../../support/pack-orders.ts";
import { createHome } from "../../support/homes.ts";

const settings = { cursorAskFallback: "ask", cursorDeny: "exit", codexAskFallback: "ask" };

const readConfig = (folder: string, path: string) => readFileSync(join(folder, "home", path), "utf8");

test("install writes a host's own options only into that host's entries", async () => {
  using home = createHome();
  const options = {
    hosts: ["cursor", "codex", "claude"],
    scope: "user",
    events: [],
    on_error: "deny",
    settings,
  } as const;
  const plan = await planInstall(options, home);
  applyInstall(plan, options, home);
  const cursor = readConfig(home.folder, ".cursor/hooks.json");
  expect(cursor).toContain("--event preToolUse --cursor-ask-fallback ask --cursor-deny exit");
  expect(cursor).not.toContain("--codex");
  expect(readConfig(home.folder, ".codex/hooks.json")).toContain("--event PreToolUse --codex-ask-fallback ask");
  expect(readConfig(home.folder, ".claude/settings.json")).not.toContain("ask-fallback");
  // Installing again keeps options that aren't passed.
  const { settings: _, ...again } = options;
  expect(
    (await planInstall(again, home)).files.flatMap(({ changes }) => changes).every(({ change }) => change === "keep"),
  ).toBe(true);
  const other = { ...options, settings: { cursorAskFallback: "deny" } };
  applyInstall(await planInstall(other, home), other, home);
  expect(readConfig(home.folder, ".cursor/hooks.json")).toContain("--cursor-ask-fallback deny");
  expect(readConfig(home.folder, ".cursor/hooks.json")).not.toContain("--cursor-ask-fallback ask");
});

test("mdm writes them into the managed entries", async () => {
  const files = await buildMdmFiles(createPackOrder([{ events: ["PreToolUse"] }], { settings }), hosts);
  const withFlag = (flag: string) =>
    files.filter(({ text }) => text.includes(flag)).map(({ path }) => path.split("/")[0]);
  expect(new Set(withFlag("--cursor-ask-fallback ask"))).toEqual(new Set(["cursor"]));
  expect(new Set(withFlag("--codex-ask-fallback ask"))).toEqual(new Set(["codex"]));
});
