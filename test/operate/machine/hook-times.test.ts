import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { planInstall } from "../../../src/cli/install/install.ts";
import { applyInstall } from "../../../src/cli/install/apply.ts";
import { checkEntryTime, describeAllHostLimits } from "../../../src/operate/machine/hook-times.ts";
import { collectStatus } from "../../../src/operate/machine/status.ts";
import { listHooks } from "../../../src/cli/list/list.ts";
import { findTimeLimitNotes } from "../../../src/cli/load-hooks.ts";
import type { HookDescriptor } from "../../../src/protocol/hook.ts";
import type { Host } from "../../../src/protocol/host/host.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { getCallMs, planEntryTime, readGrantedSeconds } from "../../../src/hosts/setup/entry-time.ts";
import { createHome, createHookEntry, type Home, readTestFile, writeTestFile } from "../../support/homes.ts";
import { join } from "node:path";

const getHost = (id: string) => hosts.find((host) => host.id === id) as Host;

async function install(home: Home, host: string): Promise<string[]> {
  const options = { hosts: [host], scope: "user", events: [], on_error: "deny" } as const;
  const plan = await planInstall(options, home);
  expect(plan.problems).toEqual([]);
  applyInstall(plan, options, home);
  return [...plan.notes];
}

const STOP_CHECK = (timeoutMs: number, more: Partial<HookDescriptor> = {}) =>
  createHookEntry(["Stop"], { name: "check", timeoutMs, ...more });

describe("the limits of an entry", () => {
  for (const [timeout_s, call_ms] of [
    [3, 2_000],
    [20, 18_000],
    [60, 55_000],
    [600, 595_000],
  ] as const)
    test(`leave a call ${call_ms} ms of ${timeout_s} s`, () => expect(getCallMs(timeout_s)).toBe(call_ms));
  for (const host of hosts)
    test(`of ${host.id} grant the time that hooks need, or as much as the host allows`, async () => {
      const { timeGrants } = await host.setup();
      for (const native_event of Object.keys(host.capabilities))
        for (const wanted_ms of [undefined, 50, 10_000, 18_001, 60_000, 3_600_000]) {
          const { timeout_s, call_ms } = planEntryTime(timeGrants, { native_event, wanted_ms });
          const { max_s } = timeGrants.events?.[native_event] ?? timeGrants;
          expect(call_ms).toBe(getCallMs(timeout_s));
          if (timeout_s !== max_s) expect(call_ms).toBeGreaterThanOrEqual(Math.max(18_000, wanted_ms ?? 0));
          expect(timeout_s).toBeLessThanOrEqual(max_s ?? Number.POSITIVE_INFINITY);
        }
    });
});

describe("install grants the time of a check at Stop on", () => {
  // Qwen Code is left out because it gives hooks 60 s at most.
  for (const { id } of hosts.filter(({ id, absentEvents }) => id !== "qwen" && !absentEvents.includes("Stop")))
    test(id, async () => {
      const host = getHost(id);
      const setup = await host.setup();
      using home = createHome([STOP_CHECK(60_000), createHookEntry(["Stop", "PreToolUse"], { name: "other" })]);
      expect((await install(home, id)).filter((note) => note.includes("asks for"))).toEqual([]);
      const targets = setup.listConfigFiles(home.machine).filter((one) => one.scope === "user" && one.target);
      // Some hosts have one file per event.
      const entries = targets
        .filter(({ path }) => existsSync(path))
        .flatMap(({ path }) => setup.parseEntries(readTestFile(path), path));
      const granted = ({ handler }: (typeof entries)[number], seconds: number) =>
        handler.timeout === undefined ? setup.timeGrants.default_s : seconds;
      const byEvent = (event: string) =>
        entries.filter(({ native_event }) => host.capabilities[native_event]?.().event === event);
      const lineOf = ({ command, args = [] }: (typeof entries)[number]) => [command, ...args].join(" ");
      expect(byEvent("Stop").length).toBeGreaterThan(0);
      for (const entry of byEvent("Stop")) {
        // 60 s for the check, plus 4 s for the other hook.
        expect(lineOf(entry)).toContain("--timeout-ms 64000");
        expect(readGrantedSeconds(setup.timeGrants, entry)).toBe(granted(entry, 69));
      }
      for (const entry of byEvent("PreToolUse")) {
        expect(lineOf(entry)).toContain("--timeout-ms 18000");
        expect(readGrantedSeconds(setup.timeGrants, entry)).toBe(granted(entry, 20));
      }
      expect((await collectStatus({ hosts: [id], scope: "user" }, home, "0")).installed[0]?.drift).toEqual([]);
    });
  test("and removes it when no hook needs it any more", async () => {
    using home = createHome([STOP_CHECK(60_000)]);
    await install(home, "claude");
    const path = join(home.machine.home, ".claude/settings.json");
    expect(readTestFile(path)).toContain('"timeout": 65');
    home.entries = [createHookEntry(["Stop"])];
    expect((await collectStatus({ hosts: ["claude"], scope: "user" }, home, "0")).installed[0]?.drift).not.toEqual([]);
    await install(home, "claude");
    expect(readTestFile(path)).toContain('"timeout": 20');
    expect(readTestFile(path)).toContain("--timeout-ms 18000");
  });
  test("but keeps limits that were set manually", async () => {
    using home = createHome([createHookEntry(["Stop"])]);
    await install(home, "claude");
    const path = join(home.machine.home, ".claude/settings.json");
    writeTestFile(path, readTestFile(path).replace("18000", "90000").replace('"timeout": 20', '"timeout": 100'));
    await install(home, "claude");
    expect(readTestFile(path)).toContain("--timeout-ms 90000");
    expect(readTestFile(path)).toContain('"timeout": 100');
  });
});

test("install, build and list report a hook whose time a host can't grant", async () => {
  const hook = createHookEntry(["SessionEnd"], { name: "upload", timeoutMs: 30_000 });
  using home = createHome([hook]);
  const what = 'Codex limits SessionEnd to 3 s: the hook "upload" requests 30000 ms but gets 2000 ms';
  expect(await install(home, "codex")).toContain(what);
  const file = join(home.folder, "upload.ts");
  writeTestFile(file, "export default defineHook({\n  timeoutMs: 30_000,\n});\n");
  const { load: _, ...meta } = hook;
  expect(await findTimeLimitNotes([{ file, meta, bundle: "" }])).toEqual([
    { file, line: 2, column: 3, level: "note", message: what },
  ]);
  const { hooks: listed } = await listHooks({ entries: [hook], files: new Map() }, home.folder);
  expect(listed.map(({ limits }) => limits)).toEqual([[what]]);
  const limits = await describeAllHostLimits([hook, STOP_CHECK(60_000)]);
  const stop = 'Qwen Code limits Stop to 60 s: the hook "check" requests 60000 ms but gets 55000 ms';
  expect([...limits].map(([{ name }, texts]) => [name, texts])).toEqual([
    ["upload", [what]],
    ["check", [stop]],
  ]);
});

describe("doctor compares the time of an entry", async () => {
  const claude = getHost("claude");
  const setup = await claude.setup();
  const check = (
    entries: readonly HookDescriptor[],
    host: Host,
    native_event: string,
    { timeoutMs, ...handler }: { timeoutMs?: number; timeout?: unknown; timeoutSec?: unknown },
  ) =>
    host.setup().then((own) =>
      checkEntryTime(
        { host, setup: own, entries },
        {
          file: "/f",
          entry: {
            native_event,
            command: "x",
            matcher: undefined,
            path: [],
            handler,
          },
          options: timeoutMs === undefined ? {} : { timeoutMs },
        },
        "reinstall",
      ).map(({ check: id, level }) => `${id} ${level}`),
    );
  const tenSeconds = [STOP_CHECK(10_000)];
  test("with what its hooks need", async () => {
    expect(await check(tenSeconds, claude, "Stop", { timeoutMs: 18_000, timeout: 20 })).toEqual([]);
    // A manually written entry gives each call four seconds.
    expect(await check(tenSeconds, claude, "Stop", {})).toEqual(["hook-time red"]);
    expect(await check([STOP_CHECK(3_000)], claude, "Stop", {})).toEqual([]);
    expect(await check([createHookEntry(["Stop"])], claude, "Stop", {})).toEqual([]);
    const codex = getHost("codex");
    const hook = createHookEntry(["SessionEnd"], { timeoutMs: 30_000 });
    expect(await check([hook], codex, "SessionEnd", { timeoutMs: 2_000, timeout: 3 })).toEqual(["hook-time note"]);
  });
  test("with the host's time limit", async () => {
    expect(await check([], claude, "PreToolUse", { timeout: 3 })).toEqual(["entry-time red"]);
    expect(await check([], claude, "PreToolUse", { timeout: 5 })).toEqual([]);
    expect(await check([], claude, "PreToolUse", { timeoutMs: 20_000, timeout: 20 })).toEqual(["entry-time red"]);
    expect(await check([], getHost("gemini"), "BeforeTool", { timeout: 5_000 })).toEqual([]);
    expect(await check([], getHost("gemini"), "BeforeTool", { timeout: 20 })).toEqual(["entry-time red"]);
    expect(await check([], getHost("grok"), "PreToolUse", {})).toEqual([]);
    expect(await check([], getHost("copilot"), "preToolUse", { timeoutSec: 2 })).toEqual(["entry-time red"]);
    expect(await check([], getHost("codex"), "SessionEnd", {})).toEqual(["entry-time note"]);
    expect(setup.timeGrants.default_s).toBe(600);
  });
});
