import { describe, expect, test } from "bun:test";
import { linkSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { toNativePath } from "../../../src/author/kit/expand-word.ts";
import { isGuarded, buildGuardedFiles, listFilesBelow } from "../../../src/author/kit/guarded-files.ts";
import { toComparableFolder } from "../../../src/author/kit/guarded-names.ts";
import { guarded } from "../../../src/author/kit/guarded.ts";
import { hosts } from "../../../src/hosts/index.ts";
import type { Env } from "../../../src/protocol/host/host.ts";
import type { MachineContext } from "../../../src/protocol/host/install.ts";
import { getStateDirectory } from "../../../src/call/state/state-directory.ts";
import { getLogFile } from "../../../src/call/log/log-path.ts";
import { PROJECT_CONFIG } from "../../../src/policy/config-paths.ts";
import { listConfigSources } from "../../../src/policy/sources.ts";
import { scratch } from "./project.ts";

describe("the guarded files include every config file", () => {
  const PLATFORMS: NodeJS.Platform[] = ["linux", "darwin", "win32"];
  const VARIABLES: Env[] = [
    {},
    {
      CLAUDE_CONFIG_DIR: "/elsewhere/claude",
      CODEX_HOME: "/elsewhere/codex",
      COPILOT_HOME: "/elsewhere/copilot",
      GEMINI_CLI_HOME: "/elsewhere/gemini",
      XDG_CONFIG_HOME: "/elsewhere/config",
      OPENCLAW_STATE_DIR: "/elsewhere/openclaw",
      OPENCLAW_CONFIG_PATH: "/elsewhere/claw.json",
      ProgramData: "D:/ProgramData",
    },
    { OPENCLAW_HOME: "/elsewhere/home", XDG_CONFIG_HOME: "/elsewhere/config" },
  ];
  let files = 0;
  for (const host of hosts)
    for (const platform of PLATFORMS)
      for (const [at, env] of VARIABLES.entries())
        test(`of ${host.id} on ${platform} with environment ${at}`, async () => {
          const place: MachineContext = { roots: ["/srv/app"], home: "/home/me", platform, env };
          const setup = await host.setup();
          const table = buildGuardedFiles(["/srv/app/sub"], place);
          const configs = setup.listConfigFiles(place);
          const more = configs.flatMap((file) => setup.listCompanionFiles?.(file, place) ?? []);
          const paths = [...configs, ...more].map(({ path }) => path).concat(setup.listImportedFiles?.(place) ?? []);
          for (const path of paths) {
            expect([path, isGuarded(table, path), isGuarded(table, path.replaceAll("/", "\\").toUpperCase())]).toEqual([
              path,
              true,
              true,
            ]);
            files++;
          }
          expect(paths.length).toBeGreaterThan(0);
        });
  test("in more than 250 cases", () => expect(files).toBeGreaterThan(250));

  test("under their Git Bash paths on Windows", () => {
    const table = buildGuardedFiles(["C:/app"], { home: "C:\\Users\\me", platform: "win32", env: {} });
    const isKnown = (path: string) => isGuarded(table, toNativePath(path, "win32"));
    const PATHS = [
      "/c/Users/me/.claude/settings.json",
      "/cygdrive/c/Users/me/.codex/config.toml",
      "/c/app/.cursor/hooks.json",
    ];
    expect(PATHS.map(isKnown)).toEqual([true, true, true]);
    expect(isGuarded(table, "C:/Users/me/.config/bridge-hooks/config.json")).toBe(
      isKnown("/c/Users/me/.config/bridge-hooks/config.json"),
    );
    expect(isKnown("/c/Users/me/x")).toBe(false);
  });
});

describe("a guarded file", () => {
  const project = join(scratch, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  writeFileSync(join(project, ".git/HEAD"), "ref: refs/heads/main\n");
  mkdirSync(join(project, "sub"));
  const covers = (path: string) => guarded({ cwd: join(project, "sub") }).covers(path);
  const home = homedir();
  const state = getStateDirectory(process.env);
  const yes = [
    `${home}/.claude/settings.json`,
    `${project}/.claude/settings.json`,
    `${project}/.claude/settings.local.json`,
    "/any/where/.claude/settings.json",
    `${project}/.cursor/hooks.json`,
    `${project}/.codex/config.toml`,
    `${project}/.codex/hooks.json`,
    `${project}/.gemini/settings.json`,
    `${home}/.gemini/trustedFolders.json`,
    `${project}/.github/hooks/x.json`,
    `${project}/.github/hooks/deep/er.json`,
    `${project}/.github/hooks`,
    `${project}/.github/copilot/settings.local.json`,
    `${home}/.copilot/hooks/bridge-hooks.json`,
    `${project}/.opencode/plugins/bridge-hooks.js`,
    `${project}/opencode.json`,
    `${home}/.config/opencode/plugin/x.ts`,
    `${home}/.openclaw/openclaw.json`,
    `${home}/.openclaw/extensions/bridge-hooks/index.mjs`,
    `${project}/${PROJECT_CONFIG}`,
    `${project}/sub/${PROJECT_CONFIG}`,
    ...listConfigSources(project).map(({ path }) => path),
    state,
    getLogFile(process.env),
    join(state, "receipts/x.json"),
    join(state, "sessions/x/y.json"),
    process.execPath,
    realpathSync(process.execPath),
    ...(process.platform === "linux"
      ? [
          "/etc/claude-code/managed-settings.json",
          "/etc/claude-code/managed-settings.d/00-new.json",
          "/etc/codex/requirements.toml",
          "/etc/github-copilot/policy.d/x.json",
          "/etc/bridge-hooks/anything",
          `${home}/.config/bridge-hooks/other.json`,
        ]
      : []),
  ];
  const no = [
    project,
    home,
    "/",
    `${project}/.claude`,
    `${project}/.claude/commands/x.md`,
    `${project}/.claude/settings.json.bak`,
    `${project}/.claude/my-settings.json`,
    `${project}/claude/settings.json`,
    `${project}/x.claude/settings.json`,
    `${project}/settings.json`,
    `${project}/.github/workflows/ci.yml`,
    `${project}/.github/hooks-of-mine/x.json`,
    `${project}/.cursor/rules/x.mdc`,
    `${project}/.codex/prompts/x.md`,
    `${project}/.opencode/agent/x.md`,
    `${project}/hooks/guard.ts`,
    `${project}/x.bridge-hooks.json`,
    `${home}/.config/bridge-hooks-of-mine/config.json`,
    `${process.execPath}.bak`,
    dirname(process.execPath),
    "/etc/hosts",
    "/etc/claude-codex/x",
    "",
  ];
  for (const path of yes) test(`is ${path.replace(scratch, "…")}`, () => expect(covers(path)).toBe(true));
  for (const path of no) test(`is not ${path.replace(scratch, "…")}`, () => expect(covers(path)).toBe(false));

  test("is also a link's target", () => {
    const kept = join(scratch, "kept");
    mkdirSync(join(kept, "cursor"), { recursive: true });
    mkdirSync(join(project, ".claude"));
    for (const name of ["claude.json", "cursor/hooks.json", "other.json"]) writeFileSync(join(kept, name), "{}");
    symlinkSync(join(kept, "claude.json"), join(project, ".claude/settings.json"));
    symlinkSync(join(kept, "cursor"), join(project, ".cursor"));
    expect(
      ["claude.json", "cursor/hooks.json", "other.json", "cursor"].map((name) => covers(join(kept, name))),
    ).toEqual([true, true, false, false]);
    symlinkSync(project, join(scratch, "link"));
    expect(guarded({ cwd: join(scratch, "link") }).covers(join(kept, "claude.json"))).toBe(true);
  });

  test("is also a hard link to the same file", () => {
    const other = join(scratch, "hard.json");
    writeFileSync(join(project, PROJECT_CONFIG), "{}");
    expect(covers(other)).toBe(false);
    linkSync(join(project, PROJECT_CONFIG), other);
    expect(covers(other)).toBe(true);
    expect(covers(`${other}.bak`)).toBe(false);
  });

  test("is found in a directory that contains it", () => {
    const within = (folder: string, cwd = join(project, "sub")) =>
      guarded({ cwd }).within(folder)[0]?.replace(scratch, "…");
    writeFileSync(join(project, PROJECT_CONFIG), "{}");
    mkdirSync(join(project, ".github/hooks"), { recursive: true });
    const other = join(scratch, "other");
    mkdirSync(join(other, ".claude"), { recursive: true });
    mkdirSync(join(other, ".codex"), { recursive: true });
    writeFileSync(join(other, ".claude/settings.json"), "{}");
    const cases: [folder: string, found: string | undefined][] = [
      [join(project, ".claude"), "…/project/.claude/settings.json"],
      [`${project}/.claude/`, "…/project/.claude/settings.json"],
      [join(project, ".github"), "…/project/.github/hooks/"],
      [join(project, ".git"), undefined],
      [join(project, "sub"), undefined],
      [join(project, ".codex"), undefined],
      [join(other, ".claude"), "…/other/.claude/settings.json"],
      [join(other, ".codex"), undefined],
      // As a whole, another project's directory isn't part of this session.
      [other, undefined],
      [join(scratch, "oth"), undefined],
      ["/nowhere", undefined],
    ];
    for (const [folder, found] of cases) expect([folder, within(folder)]).toEqual([folder, found]);
    for (const folder of [project, scratch, "/"]) expect([folder, typeof within(folder)]).toEqual([folder, "string"]);
    expect(within(dirname(process.execPath))).toBe(process.execPath);
    expect(cases.length).toBe(11);
  });

  test("is found below a directory without listing all names", () => {
    const kept = join(scratch, "kept-elsewhere");
    mkdirSync(join(kept, "hooks"), { recursive: true });
    const linked = join(scratch, "linked");
    mkdirSync(join(linked, ".github"), { recursive: true });
    symlinkSync(join(kept, "hooks"), join(linked, ".github/hooks"));
    for (const [cwd, home] of [
      [linked, "/home/me"],
      [join(project, "sub"), scratch],
      ["/", "/"],
      ["", "/home/Ä me"],
    ] as const) {
      const place = { home, platform: process.platform, env: {} };
      const table = buildGuardedFiles([cwd], place);
      const { namedFiles } = table.getSessionFiles();
      const near = namedFiles.flatMap(({ path, name }) => [path, dirname(path), dirname(dirname(path)), name]);
      const folders = [...near, kept, linked, cwd, home, scratch, "/", "", "/nowhere", "/HOME/ME/.CLAUDE", `${home}x`];
      folders.push(...near.flatMap((path) => [`${path}x`, path.slice(0, -1), path.toUpperCase(), `${path}/a/b`]));
      let holding = 0;
      for (const folder of folders) {
        const above = toComparableFolder(folder);
        const held = new Set(namedFiles.flatMap(({ path, name }) => (name.startsWith(above) ? [path] : [])));
        expect([folder, listFilesBelow(buildGuardedFiles([cwd], place), folder)]).toEqual([folder, [...held]]);
        if (held.size > 0) holding++;
      }
      expect(holding).toBeGreaterThan(50);
      expect(folders.length - holding).toBeGreaterThan(50);
    }
  });
});

test("a root that the host names is the session's project from any directory", () => {
  const [root, elsewhere] = ["roots-project", "roots-elsewhere"].map((name) => join(scratch, name)) as [string, string];
  mkdirSync(join(root, ".claude"), { recursive: true });
  mkdirSync(join(elsewhere, "staged/.claude"), { recursive: true });
  writeFileSync(join(root, ".claude/settings.json"), "{}");
  writeFileSync(join(elsewhere, "staged/.claude/settings.json"), "{}");
  linkSync(join(root, ".claude/settings.json"), join(elsewhere, "other-name.json"));
  const event = { cwd: elsewhere, workspace_roots: [root] };
  expect(guarded({ cwd: elsewhere }).covers(join(elsewhere, "other-name.json"))).toBe(false);
  expect(guarded(event).covers(join(elsewhere, "other-name.json"))).toBe(true);
  expect(guarded(event).brought(join(elsewhere, "staged"), root)).toContain(join(root, ".claude/settings.json"));
});
