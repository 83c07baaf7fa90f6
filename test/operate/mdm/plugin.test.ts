import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "bun:test";
import { DEFAULT_PROGRAM_PATHS } from "../../../src/operate/mdm/programs.ts";
import { buildMdmFiles, writePack } from "../../../src/operate/mdm/mdm.ts";
import { buildPluginFiles } from "../../../src/operate/mdm/plugin.ts";
import { collectEventRequirements } from "../../../src/operate/machine/desired-entries.ts";
import { createPackOrder } from "../../support/pack-orders.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { collectEntries } from "../../../src/hosts/setup/entries.ts";

const ORDER = createPackOrder([{ events: ["PreToolUse", "Stop"] }, { events: ["PostToolUse"], tools: ["Bash"] }]);
const SYSTEMS = { linux: "linux", macos: "darwin", windows: "win32" } as const;
const files = await buildPluginFiles(ORDER, hosts);
const read = (path: string) => JSON.parse(files.find((one) => one.path === path)?.text ?? expect.unreachable(path));
const owners = [...new Set(files.map(({ path }) => path.split("/")[0] as string))].filter((id) => id !== "README.md");

describe("a marketplace directory", () => {
  test("is built for the hosts whose plugins include hooks", () => expect(owners).toEqual(["claude", "codex"]));

  for (const host of hosts.filter(({ id }) => owners.includes(id)))
    for (const [system, platform] of Object.entries(SYSTEMS))
      test(`has the entries of a managed config that stand down: ${host.name}, ${system}`, async () => {
        const setup = await host.setup();
        const inFolder = files.filter(({ path }) => path.startsWith(`${host.id}/${system}/`));
        const entries = inFolder
          .filter(({ path }) => path.includes("/hooks/"))
          .flatMap(({ text }) => collectEntries(JSON.parse(text), setup.layout));
        const wanted = setup
          .planSubscriptions(collectEventRequirements(ORDER.hooks))
          .map(({ native_event, matcher }) => ({
            native_event,
            matcher,
            handler: setup.buildHandler({
              ...{ native_event, platform, scope: "managed", more: ["--from", "plugin"] },
              program: DEFAULT_PROGRAM_PATHS[system as keyof typeof SYSTEMS],
              on_error: isGate(native_event) ? "deny" : "allow",
            }),
          }));
        const byEvent = (a: { native_event: string }, b: { native_event: string }) =>
          a.native_event < b.native_event ? -1 : 1;
        expect(
          entries.map(({ native_event, matcher, handler }) => ({ native_event, matcher, handler })).toSorted(byEvent),
        ).toEqual(wanted.toSorted(byEvent) as never);
        const [marketplace] = inFolder.map(({ text }) => JSON.parse(text)) as [
          { name: string; plugins: [{ name: string; source: string | { path: string } }] },
        ];
        const [{ name, source }] = marketplace.plugins;
        expect([marketplace.name, name, typeof source === "string" ? source : source.path]).toEqual([
          "bridge-hooks",
          "bridge-hooks",
          "./plugins/bridge-hooks",
        ]);
      });

  test("keeps an event that an older release does not know in a separate file", () => {
    const folder = "claude/linux/plugins/bridge-hooks";
    expect(Object.keys(read(`${folder}/hooks/hooks.json`).hooks)).not.toContain("PreSkillShellCommand");
    expect(Object.keys(read(`${folder}/hooks/later-events.json`).hooks)).toEqual(["PreSkillShellCommand"]);
    expect(read(`${folder}/.claude-plugin/plugin.json`).hooks).toBe("./hooks/later-events.json");
  });

  test("has a new version if its entries change, and otherwise the same version", async () => {
    const find = async (order: typeof ORDER) =>
      (await buildPluginFiles(order, hosts)).find(({ path }) => path.endsWith("plugin.json"))?.text;
    expect(await find(ORDER)).toBe(await find({ ...ORDER }));
    expect(await find({ ...ORDER, on_error: "allow" })).not.toBe(await find(ORDER));
  });

  test("and a pack don't overwrite each other", async () => {
    const pack = await buildMdmFiles(ORDER, hosts);
    for (const [first, second, said] of [
      [files, pack, "contains marketplaces from mdm --plugin; pass another directory"],
      [pack, files, "contains a pack from mdm --out; pass another directory"],
    ] as const) {
      const dir = mkdtempSync(join(tmpdir(), "pack-"));
      writePack(dir, first);
      expect(() => writePack(dir, second)).toThrow(said);
      expect(writePack(dir, first).length).toBe(first.length + 1);
      rmSync(dir, { recursive: true });
    }
  });
  test("is rejected for hosts whose plugins include no hooks", () =>
    expect(
      buildPluginFiles(
        ORDER,
        hosts.filter(({ id }) => id === "cursor"),
      ),
    ).rejects.toThrow("Cursor: plugins can't contain entries on this host; use install or mdm --out"));
});

const isGate = (native_event: string) => /^(PreToolUse|PreSkillShellCommand|PermissionRequest)$/.test(native_event);
