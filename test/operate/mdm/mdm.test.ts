import { afterAll, describe, expect, test } from "bun:test";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, posix, win32 } from "node:path";
import { parse as plist } from "plist";
import { parse as toml } from "smol-toml";
import { buildMdmFiles, writePack } from "../../../src/operate/mdm/mdm.ts";
import { DEFAULT_PROGRAM_PATHS, parseProgramPaths } from "../../../src/operate/mdm/programs.ts";
import { collectEventRequirements } from "../../../src/operate/machine/desired-entries.ts";
import { createPackOrder } from "../../support/pack-orders.ts";
import { pickCell } from "../../../src/protocol/capability.ts";
import { getCapabilityRow } from "../../../src/protocol/host/host.ts";
import { splitCommand } from "../../../src/protocol/host/quote.ts";
import type { ConfigEntry } from "../../../src/protocol/host/install.ts";
import type { PackFile } from "../../../src/protocol/host/pack.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { extractEntriesJson } from "../../../src/hosts/setup/plugin-module.ts";
import { collectEntries } from "../../../src/hosts/setup/entries.ts";
import { ROOT } from "../../support/fixtures.ts";

const HOOKS = [
  { events: ["PreToolUse", "UserPromptSubmit", "Stop"] },
  { events: ["PostToolUse"], tools: ["Bash"], timeoutMs: 45_000 },
] as const;
const AWKWARD = createPackOrder(HOOKS, {
  programs: {
    linux: "/opt/brücke & 'co' \"x\" $HOME `id` \\n|<b>]]>/日本 🌉/bridge-hooks",
    macos: "/Library/Application Support/Brücke & <co> 'x' \"y\" \\z/bridge-hooks",
    windows: "C:\\Program Files\\new Brücke it's x86\\日本\\bridge-hooks.exe",
  },
});
const WANTED = collectEventRequirements(AWKWARD.hooks);
const PLAIN = createPackOrder(HOOKS);
const NOTIFIED = createPackOrder([{ events: ["Notification"] }]);
const PLATFORM = { linux: "linux", macos: "darwin", windows: "win32" } as const;

const pack = await buildMdmFiles(AWKWARD, hosts);
const file = (path: string): PackFile => pack.find((one) => one.path === path) ?? expect.unreachable(`no ${path}`);
const having = (end: string) => pack.filter(({ path }) => path.endsWith(end));

type Json = Record<string, unknown>;
/** Returns the settings forced by a profile. */
const forced = (text: string, domain: string): Json => {
  const profile = plist(text) as {
    PayloadContent: [{ PayloadType: string; PayloadContent: Record<string, { Forced: [Json] }> }];
  };
  const [payload] = profile.PayloadContent;
  expect([payload.PayloadType, Object.keys(payload.PayloadContent)]).toEqual([
    "com.apple.ManagedClient.preferences",
    [domain],
  ]);
  return payload.PayloadContent[domain]?.Forced[0].mcx_preference_settings as Json;
};
const base64 = (value: unknown) =>
  toml(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(String(value), "base64"))) as Json;

/** Parses strings in a .reg file the way regedit does. A deleted string is `null`. */
function reg({ text, encoding }: PackFile): Record<string, string | null> {
  expect([encoding, text.slice(0, 39), text.replaceAll("\r\n", "").includes("\n")]).toEqual([
    "utf-16le",
    "\ufeffWindows Registry Editor Version 5.00\r\n",
    false,
  ]);
  const found: Record<string, string | null> = {};
  let key = "";
  for (const line of text.split("\r\n").slice(1).filter(Boolean)) {
    const value = /^"((?:[^"\\]|\\.)*)"=(?:"((?:[^"\\]|\\["\\])*)"|-)$/.exec(line);
    if (value) found[`${key}\\${value[1]}`] = value[2] === undefined ? null : value[2].replace(/\\(.)/g, "$1");
    else key = (/^\[(.+)\]$/.exec(line) ?? expect.unreachable(line))[1] as string;
  }
  return found;
}
const POLICY = "HKEY_LOCAL_MACHINE\\SOFTWARE\\Policies\\ClaudeCode\\Settings";

/** All files in the pack that contain entries, each parsed in its own format. */
const read: [host: string, system: keyof typeof PLATFORM, from: string, document: () => unknown][] = [
  ...(["linux", "macos", "windows"] as const).flatMap((system): typeof read => {
    const claude = file(`claude/${system}/managed-settings.d/50-bridge-hooks.json`).text;
    const codex = file(`codex/${system}/requirements.toml`).text;
    const cursor = file(`cursor/${system}/hooks.json`).text;
    const gemini = file(`gemini/${system}/settings.json`).text;
    const opencode = file(`opencode/${system}/plugins/bridge-hooks.js`).text;
    return [
      ["claude", system, "drop-in", () => JSON.parse(claude)],
      ["codex", system, "TOML by Bun", () => Bun.TOML.parse(codex)],
      ["codex", system, "TOML by smol-toml", () => toml(codex)],
      ["cursor", system, "hooks.json", () => JSON.parse(cursor)],
      ["gemini", system, "settings.json", () => JSON.parse(gemini)],
      ["opencode", system, "plugin", () => JSON.parse(extractEntriesJson(opencode) ?? "")],
      ...["qwen", "droid", "auggie"].map((id): (typeof read)[number] => {
        const { text } = file(`${id}/${system}/settings.json`);
        return [id, system, "settings.json", () => JSON.parse(text)];
      }),
    ];
  }),
  // Windows doesn't have root's own layer.
  ...(["linux", "macos"] as const).flatMap((system): typeof read => {
    const grok = file(`grok/${system}/requirements.toml`).text;
    return [
      ["grok", system, "TOML by Bun", () => Bun.TOML.parse(grok)],
      ["grok", system, "TOML by smol-toml", () => toml(grok)],
    ];
  }),
  [
    "claude",
    "macos",
    "profile",
    () => forced(file("claude/macos/com.anthropic.claudecode.mobileconfig").text, "com.anthropic.claudecode"),
  ],
  ["claude", "macos", "property list", () => plist(file("claude/macos/com.anthropic.claudecode.plist").text)],
  ["claude", "windows", "registry", () => JSON.parse(reg(file("claude/windows/claude-code.reg"))[POLICY] as string)],
  [
    "codex",
    "macos",
    "profile",
    () =>
      base64(
        forced(file("codex/macos/com.openai.codex.mobileconfig").text, "com.openai.codex").requirements_toml_base64,
      ),
  ],
  [
    "codex",
    "macos",
    "property list",
    () => base64((plist(file("codex/macos/com.openai.codex.plist").text) as Json).requirements_toml_base64),
  ],
  ["codex", "macos", "payload", () => base64(file("codex/macos/requirements_toml_base64.txt").text)],
];

describe("every config in the pack has exactly the planned entries", () => {
  for (const [id, system, from, document] of read) {
    test(`for ${id} on ${system}: ${from}`, async () => {
      const host = hosts.find((one) => one.id === id) ?? expect.unreachable();
      const setup = await host.setup();
      const entries = collectEntries(document(), setup.layout);
      const platform = PLATFORM[system];
      const expected = setup.planSubscriptions(WANTED).map(({ native_event, matcher, after }) => {
        const { event, deny } = getCapabilityRow(host, native_event);
        const gate =
          ["PreToolUse", "PermissionRequest", "UserPromptSubmit"].includes(event) &&
          pickCell(deny, undefined).support !== "unenforceable";
        const program = AWKWARD.programs[system];
        const handler = setup.buildHandler({
          native_event,
          after,
          wanted_ms: WANTED.find((one) => one.event === event)?.ms,
          program,
          on_error: gate ? "deny" : "allow",
          scope: "managed",
          platform,
        });
        return {
          native_event,
          matcher,
          handler: setup.layout === "list" && matcher ? { ...handler, matcher } : handler,
        };
      });
      expect(entries.map(({ native_event, matcher, handler }) => ({ native_event, matcher, handler }))).toEqual(
        expected,
      );
      expect(new Set(entries.map(({ handler }) => /on-error[ ",]+deny/.test(JSON.stringify(handler))))).toEqual(
        new Set([true, false]),
      );
      for (const entry of entries)
        expect(programOf(entry, setup.listDialects(platform)[0])).toBe(AWKWARD.programs[system]);
    });
  }
  test("in 37 documents", () => expect(read.length).toBe(37));
});

/** Returns the program the host runs. */
function programOf({ command, args }: ConfigEntry, dialect: Parameters<typeof splitCommand>[1]): string | undefined {
  if (args) return command;
  const line = splitCommand(command, dialect) ?? [];
  return line[0] === "cmd" ? line[line.indexOf("/c") + 1] : line[0];
}

test("requirements.toml pins Codex's hooks feature and names the folder of the managed commands", () => {
  const at = (system: string) =>
    toml(file(`codex/${system}/requirements.toml`).text) as { features: Json; hooks: Json };
  expect(at("linux").features).toEqual({ hooks: true });
  expect(at("linux").hooks.managed_dir).toBe(posix.dirname(AWKWARD.programs.linux));
  expect(at("windows").features).toEqual({ hooks: true });
  expect(at("windows").hooks.windows_managed_dir).toBe(win32.dirname(AWKWARD.programs.windows));
  expect(file("codex/macos/requirements_toml_base64.txt").text).toMatch(/^[A-Za-z0-9+/]+=*$/);
});

test("the .reg file sets one line of JSON, and the .reg file for removal deletes it", () => {
  expect(reg(file("claude/windows/claude-code.reg"))[POLICY]).toStartWith('{"hooks":{');
  expect(reg(file("claude/windows/claude-code-remove.reg"))).toEqual({ [POLICY]: null });
});

test("OpenCode's managed config names the plugin next to it", () => {
  const plugins = Object.keys(PLATFORM).map(
    (system) => JSON.parse(file(`opencode/${system}/opencode.json`).text).plugin,
  );
  expect(plugins).toEqual([
    ["file:///etc/opencode/plugins/bridge-hooks.js"],
    ["file:///Library/Application%20Support/opencode/plugins/bridge-hooks.js"],
    ["file:///C:/ProgramData/opencode/plugins/bridge-hooks.js"],
  ]);
});

for (const host of ["openclaw", "kimi"])
  test(`${host}, which has no managed config, gets an install script for each user`, () => {
    const { linux } = AWKWARD.programs;
    const script = file(`${host}/linux/install-as-user.sh`);
    const [first, line] = script.text.split("\n");
    expect([first, splitCommand(line ?? "", "sh", {})]).toEqual([
      "#!/bin/sh",
      ["exec", linux, ...`install --host ${host} --scope user --on-error deny --yes`.split(" ")],
    ]);
    expect(file(`${host}/windows/install-as-user.ps1`).text).toStartWith("& '");
    expect(script.notes?.join()).toContain("user can remove");
  });

describe("property lists", () => {
  const lists = [...having(".mobileconfig"), ...having(".plist")];
  const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">`;

  test("are well-formed and have Apple's header", () => {
    const tags = /<(?:\/?(?:dict|array|key|string)|integer>\d+<\/integer|true\/|false\/)>|<\/plist>\n$/g;
    for (const { text } of lists) {
      expect(text).toStartWith(HEAD);
      // Check `<` and `&` separately, because the parser tolerates them.
      expect(
        text
          .slice(HEAD.length)
          .replace(tags, "")
          .replace(/&(amp|lt|gt);/g, ""),
      ).not.toMatch(/[<&]/);
      expect(Object.keys(plist(text) as Json)).not.toBeEmpty();
    }
    expect(lists.length).toBe(4);
  });

  const python = Bun.which("python3");
  test.skipIf(!python)("mean the same to Python's plistlib", () => {
    for (const { text } of lists) {
      const code =
        "import plistlib,json,sys; json.dump(plistlib.loads(sys.stdin.buffer.read(), fmt=plistlib.FMT_XML), sys.stdout)";
      const { stdout, exitCode } = Bun.spawnSync([python as string, "-c", code], { stdin: Buffer.from(text) });
      expect(exitCode).toBe(0);
      expect(JSON.parse(stdout.toString())).toEqual(plist(text));
    }
  });
  if (!python) console.warn("there is no python3 here; plistlib was not asked");

  const plutil = Bun.which("plutil");
  test.skipIf(!plutil)("are accepted by plutil", () => {
    for (const { text } of lists)
      expect(Bun.spawnSync([plutil as string, "-lint", "-"], { stdin: Buffer.from(text) }).exitCode).toBe(0);
  });

  test("of profiles have identifiers that depend on their content", async () => {
    const ids = (files: PackFile[]) =>
      files
        .filter(({ path }) => path.endsWith(".mobileconfig"))
        .flatMap(({ text }) => text.match(/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/g) ?? []);
    const other = await buildMdmFiles(PLAIN, hosts);
    expect(new Set(ids(pack)).size).toBe(4);
    expect(new Set([...ids(pack), ...ids(other)]).size).toBe(8);
  });
});

test("the same options produce the same pack", async () => {
  expect(await buildMdmFiles({ ...AWKWARD }, [...hosts])).toEqual(pack);
});

test("a file in the pack names its destination on the client", () => {
  expect(file("cursor/windows/hooks.json").deployment).toContain("`C:\\ProgramData\\Cursor\\hooks.json`");
  expect(file("codex/linux/requirements.toml").deployment).toContain("`/etc/codex/requirements.toml`");
  expect(file("gemini/windows/settings.json").deployment).toContain("`C:\\ProgramData\\gemini-cli\\settings.json`");
  expect(file("claude/macos/managed-settings.d/50-bridge-hooks.json").deployment).toContain(
    "`/Library/Application Support/ClaudeCode/managed-settings.d/50-bridge-hooks.json`",
  );
});

describe("mdm --bin-path", () => {
  test("applies to the systems on which it is a valid path", () => {
    expect(parseProgramPaths([])).toEqual(DEFAULT_PROGRAM_PATHS);
    expect(parseProgramPaths(["/a b"])).toEqual({ ...DEFAULT_PROGRAM_PATHS, linux: "/a b", macos: "/a b" });
    expect(parseProgramPaths(["D:\\x=y.exe", "linux=/l=1", "macos=/m"])).toEqual({
      linux: "/l=1",
      macos: "/m",
      windows: "D:\\x=y.exe",
    });
  });
  test("is rejected if it is not a valid path for its system", () => {
    for (const value of [
      "bridge-hooks",
      "linux=",
      "linux=C:\\x",
      "windows=/x",
      "mac=/x",
      "/a\nb",
      "/a\u2028b",
      "linux=/a\0",
    ])
      expect(() => parseProgramPaths([value])).toThrow(/;/);
  });
  test("is rejected if a host's config can't express it", async () => {
    await expect(
      buildMdmFiles({ ...PLAIN, programs: { ...DEFAULT_PROGRAM_PATHS, windows: "C:\\100%\\b.exe" } }, hosts),
    ).rejects.toThrow("cmd.exe");
  });
});

test("mdm fails without any event to deploy", async () => {
  await expect(buildMdmFiles(createPackOrder([]), hosts)).rejects.toThrow("--event");
});

test("a host without a wanted event gets no file, and the README mentions it", async () => {
  const files = await buildMdmFiles(NOTIFIED, hosts);
  const shipped = new Set(pack.map(({ path }) => path.split("/")[0]));
  const notified = hosts.filter(({ id, absentEvents }) => shipped.has(id) && !absentEvents.includes("Notification"));
  const folders = new Set(files.flatMap(({ path }) => (path.includes("/") ? [path.split("/")[0]] : [])));
  expect([...folders].sort()).toEqual(
    [...notified.map(({ id }) => id), "ansible", "coverage", "executable", "rollout"].sort() as string[],
  );
  expect(files[0]?.text).toMatch(/Crush.*: no files, because the hooks don't subscribe to any events on these hosts\./);
});

test("a host without a managed file gets no file, and the README and the error say why", async () => {
  expect(pack.find(({ path }) => path === "README.md")?.text).toContain(
    "\nCrush: no managed file, so the pack doesn't contain any files.\n",
  );
  const alone = hosts.filter(({ id }) => id === "crush");
  await expect(buildMdmFiles(PLAIN, alone)).rejects.toThrow(
    "Crush: no managed file; run bridge-hooks install as each user",
  );
});

describe("the pack's directory", () => {
  const made: string[] = [];
  const folder = () => {
    made.push(mkdtempSync(join(tmpdir(), "mdm-")));
    return join(made.at(-1) as string, "out");
  };
  afterAll(() => made.forEach((dir) => rmSync(dir, { recursive: true })));
  const list = (dir: string) =>
    readdirSync(dir, { recursive: true, encoding: "utf8" })
      .filter((path) => statSync(join(dir, path)).isFile())
      .sort();

  test("contains the pack with its checksums, and the same bytes after a second run", () => {
    const dir = folder();
    const paths = writePack(dir, pack).sort();
    expect(list(dir)).toEqual(paths);
    const bytes = () => paths.map((path) => readFileSync(join(dir, path)).toString("base64"));
    const first = bytes();
    writePack(dir, pack);
    expect([list(dir), bytes()]).toEqual([paths, first]);
    const registry = readFileSync(join(dir, "claude/windows/claude-code.reg"));
    expect(registry.subarray(0, 4)).toEqual(Buffer.from([0xff, 0xfe, 0x57, 0]));
    expect(new TextDecoder("utf-16le", { ignoreBOM: true }).decode(registry)).toBe(
      file("claude/windows/claude-code.reg").text,
    );
    expect(Bun.spawnSync(["sha256sum", "-c", "--strict", "SHA256SUMS"], { cwd: dir }).exitCode).toBe(0);
  });

  test("is replaced if it contains an earlier or incomplete pack", async () => {
    const dir = folder();
    writePack(dir, pack);
    const small = await buildMdmFiles(NOTIFIED, hosts);
    const paths = writePack(dir, small).sort();
    expect(list(dir)).toEqual(paths);
    expect(readdirSync(dir).sort()).toEqual(
      ["SHA256SUMS", ...new Set(small.map(({ path }) => path.split("/")[0] as string))].sort(),
    );
    rmSync(join(dir, "SHA256SUMS"));
    expect(writePack(dir, small).sort()).toEqual(paths);
  });

  test("does not change if it contains a foreign or modified file", () => {
    const dir = folder();
    writePack(dir, pack);
    for (const path of ["mine.txt", "claude/linux/mine.json", "README.md", "cursor/linux/hooks.json"]) {
      const before = list(dir).includes(path) ? readFileSync(join(dir, path), "utf8") : undefined;
      writeFileSync(join(dir, path), "mine");
      expect(() => writePack(dir, pack)).toThrow(
        `${join(dir, path)} ${before ? "was changed" : "was not written by bridge-hooks mdm"}`,
      );
      expect(readFileSync(join(dir, path), "utf8")).toBe("mine");
      if (before === undefined) rmSync(join(dir, path));
      else writeFileSync(join(dir, path), before);
    }
    expect(writePack(dir, pack).length).toBe(pack.length + 1);
  });

  test("is the only place written to: links and paths that lead out are rejected", () => {
    const dir = folder();
    const other = folder();
    mkdirSync(dir);
    mkdirSync(other);
    symlinkSync(other, join(dir, "claude"));
    expect(() => writePack(dir, pack)).toThrow("is not a regular file");
    expect(readdirSync(other)).toEqual([]);
    const [first] = pack as [PackFile];
    for (const path of ["../x", "/x", "a/../../x", "a\\..\\x", "C:x", "./x"])
      expect(() => writePack(other, [{ ...first, path }])).toThrow("outside the pack");
    expect(readdirSync(other)).toEqual([]);
  });

  test("is rejected if it is a file", () => {
    const dir = folder();
    writeFileSync(dir, "");
    expect(() => writePack(dir, pack)).toThrow("is not a directory");
  });
});

test("shared modules of mdm name no host", () => {
  // A short ID could be part of any word.
  const names = new RegExp(hosts.map(({ id }) => (id.length < 4 ? `\\b${id}\\b` : id)).join("|"), "i");
  for (const path of [
    "src/operate/mdm/mdm.ts",
    "src/operate/mdm/packages.ts",
    "src/operate/mdm/executable-files.ts",
    "src/operate/mdm/coverage-files.ts",
    "src/operate/mdm/policy-files.ts",
    "src/operate/mdm/pack.ts",
    "src/operate/mdm/ansible-files.ts",
    "src/operate/mdm/check.ts",
    "src/operate/mdm/manifest.ts",
    "src/operate/mdm/placed-files.ts",
    "src/operate/mdm/programs.ts",
    "src/operate/mdm/readme.ts",
    "src/operate/mdm/rollout-files.ts",
    "src/hosts/setup/pack.ts",
  ])
    expect(names.exec(readFileSync(join(ROOT, path), "utf8"))).toBeNull();
});
