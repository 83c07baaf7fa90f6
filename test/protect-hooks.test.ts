import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import type { Env } from "../src/core/host.ts";
import type { Place } from "../src/core/setup.ts";
import { commandsIn } from "../src/core/shell/index.ts";
import { hosts } from "../src/hosts/index.ts";
import { guarded, isIn, tableOf } from "../src/kit/guarded.ts";
import { configSources, PROJECT_CONFIG } from "../src/run/config.ts";
import { stateDirectory } from "../src/run/continuations.ts";
import { logFile } from "../src/run/log.ts";

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "bridge-hooks-protect-")));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

describe("every file of every host is known", () => {
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
        test(`${host.id} on ${platform}, ${at} variables`, async () => {
          const place: Place = { roots: ["/work/app"], home: "/home/me", platform, env };
          const setup = await host.setup();
          const table = tableOf("/work/app/sub", place);
          const configs = setup.configs(place);
          const more = configs.flatMap((file) => setup.companions?.(file, place) ?? []);
          const paths = [...configs, ...more].map(({ path }) => path).concat(setup.imports?.(place) ?? []);
          for (const path of paths) {
            expect([path, isIn(table, path), isIn(table, path.replaceAll("/", "\\").toUpperCase())]).toEqual([path, true, true]);
            files++;
          }
          expect(paths.length).toBeGreaterThan(0);
        });
  test("they were many", () => expect(files).toBeGreaterThan(250));
});

describe("what is guarded", () => {
  const project = join(scratch, "project");
  mkdirSync(join(project, ".git"), { recursive: true });
  writeFileSync(join(project, ".git/HEAD"), "ref: refs/heads/main\n");
  mkdirSync(join(project, "sub"));
  const covers = (path: string) => guarded({ cwd: join(project, "sub") }).covers(path);
  const home = homedir();
  const state = stateDirectory(process.env);
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
    ...configSources(project).map(({ path }) => path),
    state,
    logFile(process.env),
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
  for (const path of yes) test(`yes: ${path.replace(scratch, "…")}`, () => expect(covers(path)).toBe(true));
  for (const path of no) test(`no: ${path.replace(scratch, "…")}`, () => expect(covers(path)).toBe(false));

  test("also where links lead", () => {
    const kept = join(scratch, "kept");
    mkdirSync(join(kept, "cursor"), { recursive: true });
    mkdirSync(join(project, ".claude"));
    for (const name of ["claude.json", "cursor/hooks.json", "other.json"]) writeFileSync(join(kept, name), "{}");
    symlinkSync(join(kept, "claude.json"), join(project, ".claude/settings.json"));
    symlinkSync(join(kept, "cursor"), join(project, ".cursor"));
    expect(["claude.json", "cursor/hooks.json", "other.json", "cursor"].map((name) => covers(join(kept, name)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
    symlinkSync(project, join(scratch, "link"));
    expect(guarded({ cwd: join(scratch, "link") }).covers(join(kept, "claude.json"))).toBe(true);
  });

  test("what lies in a folder, and is there", () => {
    const within = (folder: string, cwd = join(project, "sub")) => guarded({ cwd }).within(folder)?.replace(scratch, "…");
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
      // Another project's, as a whole: not this session's.
      [other, undefined],
      [join(scratch, "oth"), undefined],
      ["/nowhere", undefined],
    ];
    for (const [folder, found] of cases) expect([folder, within(folder)]).toEqual([folder, found]);
    for (const folder of [project, scratch, "/"]) expect([folder, typeof within(folder)]).toEqual([folder, "string"]);
    expect(within(dirname(process.execPath))).toBe(process.execPath);
    expect(cases.length).toBe(11);
  });
});

describe("commands that switch hooks off", () => {
  const self = basename(process.execPath);
  const yes: [line: string, what: string][] = [
    ["bridge-hooks uninstall", "changes how bridge-hooks is installed"],
    ["/opt/bridge-hooks/bridge-hooks uninstall --host claude", "changes how bridge-hooks is installed"],
    ["sudo bridge-hooks install --scope managed", "changes how bridge-hooks is installed"],
    ["bridge-hooks install --root /tmp/x", "changes how bridge-hooks is installed"],
    ["bridge-hooks --yes uninstall", "changes how bridge-hooks is installed"],
    ["bridge-hooks-linux-x64 uninstall", "changes how bridge-hooks is installed"],
    ["bridge-hooks.exe uninstall", "changes how bridge-hooks is installed"],
    [`${self} uninstall`, "changes how bridge-hooks is installed"],
    [`bridge-hooks build --outfile ${process.execPath}`, `writes to ${process.execPath}`],
    [`bridge-hooks build --outfile=${process.execPath}`, `writes to ${process.execPath}`],
    [`bridge-hooks mdm --out ${stateDirectory(process.env)}`, `writes to ${stateDirectory(process.env)}`],
    ["pkill bridge-hooks", "ends bridge-hooks"],
    ["pkill -9 -f bridge", "ends bridge-hooks"],
    ["pkill 'bridge-.*'", "ends bridge-hooks"],
    ["killall -q bridge-hooks", "ends bridge-hooks"],
    ["taskkill /f /im bridge-hooks.exe", "ends bridge-hooks"],
    ["kill $(pgrep bridge-hooks)", "ends bridge-hooks"],
    ["kill -9 `pidof bridge-hooks`", "ends bridge-hooks"],
    ["pgrep -f bridge-hooks | xargs kill", "ends bridge-hooks"],
    ["npm uninstall -g bridge-hooks", "uninstalls bridge-hooks"],
    ["brew uninstall bridge-hooks", "uninstalls bridge-hooks"],
    ["sudo apt-get purge -y bridge-hooks", "uninstalls bridge-hooks"],
    ["claude --bare -p hi", "starts Claude Code without hooks"],
    ["cd /tmp && claude -p hi --safe-mode", "starts Claude Code without hooks"],
    ["npx @anthropic-ai/claude-code --bare", "starts Claude Code without hooks"],
    ["npx -y @anthropic-ai/claude-code@2.1.330 --bare -p hi", "starts Claude Code without hooks"],
    ["bunx @anthropic-ai/claude-code --bare", "starts Claude Code without hooks"],
    ["claude --setting-sources project -p hi", "starts Claude Code without the user's settings"],
    ["claude --setting-sources=project,local -p hi", "starts Claude Code without the user's settings"],
    [`claude --settings '{"disableAllHooks": true}' -p hi`, "starts Claude Code with its hooks turned off"],
    [`claude --settings='{"disableAllHooks":true}'`, "starts Claude Code with its hooks turned off"],
    ["claude config set disableAllHooks true", "changes the hooks in Claude Code's settings"],
    ["claude config set -g disableAllHooks true", "changes the hooks in Claude Code's settings"],
    ["claude config remove hooks", "changes the hooks in Claude Code's settings"],
    ["CLAUDE_CONFIG_DIR=/tmp/x claude -p hi", "sets CLAUDE_CONFIG_DIR, by which Claude Code asks other hooks or none"],
    ["env CLAUDE_CODE_SAFE_MODE=1 claude -p hi", "sets CLAUDE_CODE_SAFE_MODE, by which Claude Code asks other hooks or none"],
    ["export CLAUDE_CONFIG_DIR=/tmp/x; ls", "sets CLAUDE_CONFIG_DIR, by which Claude Code asks other hooks or none"],
    ["declare -x CODEX_HOME=/tmp", "sets CODEX_HOME, by which Codex asks other hooks or none"],
    ["unset COPILOT_HOME", "sets COPILOT_HOME, by which GitHub Copilot asks other hooks or none"],
    ["CLAUDE_CONFIG_DIR=/tmp", "sets CLAUDE_CONFIG_DIR, by which Claude Code asks other hooks or none"],
    ["HOME=/tmp/x claude -p hi", "starts Claude Code with another HOME, where other hooks are configured or none"],
    ["env HOME=/tmp/x codex exec hi", "starts Codex with another HOME, where other hooks are configured or none"],
    ["XDG_CONFIG_HOME=/tmp/x opencode run hi", "starts OpenCode with another XDG_CONFIG_HOME, where other hooks are configured or none"],
    ["codex -c features.hooks=false exec hi", "starts Codex with other hooks, or none"],
    ["codex exec --config features.hooks=false hi", "starts Codex with other hooks, or none"],
    ["codex --config=features.codex_hooks=false", "starts Codex with other hooks, or none"],
    ["codex -c 'features={hooks=false}'", "starts Codex with other hooks, or none"],
    ["codex -c hooks.PreToolUse=[]", "starts Codex with other hooks, or none"],
    ["codex --disable hooks exec hi", "starts Codex with other hooks, or none"],
    ["codex --disable=codex_hooks", "starts Codex with other hooks, or none"],
    ["codex features disable hooks", "turns Codex's hooks off"],
    ["opencode run --pure hi", "starts OpenCode without plugins, and so without hooks"],
    ["OPENCODE_PURE=1 opencode run hi", "sets OPENCODE_PURE, by which OpenCode asks other hooks or none"],
    ["GEMINI_CLI_SYSTEM_SETTINGS_PATH=/tmp/x gemini", "sets GEMINI_CLI_SYSTEM_SETTINGS_PATH, by which Gemini CLI asks other hooks or none"],
    ["openclaw agent exec --isolated hi", "runs an agent of OpenClaw's without plugins"],
    ["openclaw agent exec --auth-env-only hi", "runs an agent of OpenClaw's without plugins"],
    ["openclaw plugins disable bridge-hooks", "takes the plugin bridge-hooks from OpenClaw"],
    ["openclaw plugins uninstall bridge-hooks", "takes the plugin bridge-hooks from OpenClaw"],
    ["openclaw config set plugins.enabled false", "changes the plugins in OpenClaw's config"],
    ["openclaw config unset plugins.entries.bridge-hooks", "changes the plugins in OpenClaw's config"],
    ["openclaw --profile other agent", "starts OpenClaw with another config"],
    ["defaults write com.anthropic.claudecode disableAllHooks -bool true", "changes the managed settings of Claude Code"],
    ["sudo defaults delete com.openai.codex", "changes the managed settings of Codex"],
    [String.raw`reg delete 'HKLM\SOFTWARE\Policies\ClaudeCode' /f`, "changes the managed settings of Claude Code"],
    [String.raw`reg add "HKCU\Software\Policies\ClaudeCode" /v Settings`, "changes the managed settings of Claude Code"],
    ["bash -c 'bridge-hooks uninstall'", "changes how bridge-hooks is installed"],
    ["echo $(claude --bare -p hi)", "starts Claude Code without hooks"],
    ["timeout 5 nohup claude --bare &", "starts Claude Code without hooks"],
  ];
  const no = [
    "bridge-hooks doctor",
    "bridge-hooks status",
    "bridge-hooks list",
    "bridge-hooks install --dry-run",
    "bridge-hooks uninstall --dry-run --host claude",
    "bridge-hooks build --outfile /tmp/guard",
    "bridge-hooks mdm --out pack",
    "bridge-hooks try --command 'bridge-hooks uninstall'",
    "echo bridge-hooks uninstall",
    "git commit -m 'bridge-hooks uninstall'",
    "grep -r 'claude --bare' .",
    "pkill node",
    "pkill -f 'vite serve'",
    "killall Finder",
    "kill 1234",
    "pgrep bridge-hooks",
    "kill 1234; ps aux | grep bridge-hooks",
    "npm uninstall left-pad",
    "npm install bridge-hooks",
    "npm run build",
    "claude -p hi",
    "claude --setting-sources user,project -p hi",
    `claude --settings '{"model":"x"}' -p hi`,
    "claude config get disableAllHooks",
    "claude config list",
    "claude mcp add x",
    "npx prettier --write .",
    "npm exec -- eslint .",
    "codex exec hi",
    "codex -c model=x exec hi",
    "codex features list",
    "codex features disable undo",
    "codex --disable undo",
    "opencode run hi",
    "gemini -p hi",
    "copilot -p hi",
    "openclaw plugins list",
    "openclaw plugins disable other",
    "openclaw config get plugins",
    "openclaw config set agent.model x",
    "cursor-agent -p hi",
    "HOME=/tmp/x npm test",
    "XDG_CONFIG_HOME=/tmp/x nvim",
    "export PATH=$PATH:/x",
    "export BUN_OPTIONS=--smol",
    "unset FOO",
    "defaults read com.anthropic.claudecode",
    "defaults write com.apple.dock autohide -bool true",
    String.raw`reg query 'HKLM\SOFTWARE\Policies\ClaudeCode'`,
    "ls",
    "",
  ];
  const off = (line: string) => guarded({ cwd: "/" }).switchedOff(commandsIn(line));
  for (const [line, what] of yes) test(line, () => expect(off(line)).toBe(what));
  for (const line of no) test(`no: ${line}`, () => expect(off(line)).toBeUndefined());
});
