import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  copyFileSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import type { Env } from "../../../src/protocol/host/host.ts";
import type { Place } from "../../../src/protocol/host/install.ts";
import { commandsIn } from "../../../src/shell/index.ts";
import { hosts } from "../../../src/hosts/index.ts";
import { native } from "../../../src/author/kit/fill.ts";
import { guarded } from "../../../src/author/kit/guarded.ts";
import { isIn, tableOf } from "../../../src/author/kit/guarded-files.ts";
import { configSources, PROJECT_CONFIG } from "../../../src/run/settings.ts";
import { stateDirectory } from "../../../src/run/continuations.ts";
import { logFile } from "../../../src/run/log.ts";
import protectHooks from "../../../hooks/protect-hooks.ts";
import { ask, optionsOf } from "../../support/hook.ts";

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
          const place: Place = { roots: ["/srv/app"], home: "/home/me", platform, env };
          const setup = await host.setup();
          const table = tableOf("/srv/app/sub", place);
          const configs = setup.configs(place);
          const more = configs.flatMap((file) => setup.companions?.(file, place) ?? []);
          const paths = [...configs, ...more].map(({ path }) => path).concat(setup.imports?.(place) ?? []);
          for (const path of paths) {
            expect([path, isIn(table, path), isIn(table, path.replaceAll("/", "\\").toUpperCase())]).toEqual([
              path,
              true,
              true,
            ]);
            files++;
          }
          expect(paths.length).toBeGreaterThan(0);
        });
  test("they were many", () => expect(files).toBeGreaterThan(250));

  test("Git Bash's names for them are known on Windows", () => {
    const table = tableOf("C:/app", { home: "C:\\Users\\me", platform: "win32", env: {} });
    const isKnown = (path: string) => isIn(table, native(path, "win32"));
    const PATHS = [
      "/c/Users/me/.claude/settings.json",
      "/cygdrive/c/Users/me/.codex/config.toml",
      "/c/app/.cursor/hooks.json",
    ];
    expect(PATHS.map(isKnown)).toEqual([true, true, true]);
    expect(isIn(table, "C:/Users/me/.config/bridge-hooks/config.json")).toBe(
      isKnown("/c/Users/me/.config/bridge-hooks/config.json"),
    );
    expect(isKnown("/c/Users/me/x")).toBe(false);
  });
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
    expect(
      ["claude.json", "cursor/hooks.json", "other.json", "cursor"].map((name) => covers(join(kept, name))),
    ).toEqual([true, true, false, false]);
    symlinkSync(project, join(scratch, "link"));
    expect(guarded({ cwd: join(scratch, "link") }).covers(join(kept, "claude.json"))).toBe(true);
  });

  test("also by another name of the same file", () => {
    const other = join(scratch, "hard.json");
    writeFileSync(join(project, PROJECT_CONFIG), "{}");
    expect(covers(other)).toBe(false);
    linkSync(join(project, PROJECT_CONFIG), other);
    expect(covers(other)).toBe(true);
    expect(covers(`${other}.bak`)).toBe(false);
  });

  test("what lies in a folder, and is there", () => {
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
  const yes: [line: string, what: string][] = [
    ["bridge-hooks uninstall", "changes how bridge-hooks is installed"],
    ["/opt/bridge-hooks/bridge-hooks uninstall --host claude", "changes how bridge-hooks is installed"],
    ["sudo bridge-hooks install --scope managed", "changes how bridge-hooks is installed"],
    ["bridge-hooks install --root /tmp/x", "changes how bridge-hooks is installed"],
    ["bridge-hooks --yes uninstall", "changes how bridge-hooks is installed"],
    ["bridge-hooks-linux-x64 uninstall", "changes how bridge-hooks is installed"],
    ["bridge-hooks.exe uninstall", "changes how bridge-hooks is installed"],
    ["/tmp/x uninstall --host claude", "changes how bridge-hooks is installed"],
    ["x --yes uninstall --host=codex", "changes how bridge-hooks is installed"],
    ["cp $(which bridge-hooks) /tmp/x; /tmp/x uninstall", "changes how bridge-hooks is installed"],
    ["cp /usr/local/bin/bridge-hooks x && ./x --yes uninstall", "changes how bridge-hooks is installed"],
    [
      'cp "$(readlink -f "$(command -v bridge-hooks)")" y; cp y x; ./x uninstall',
      "changes how bridge-hooks is installed",
    ],
    ["cat $(which bridge-hooks) > x; chmod +x x; ./x uninstall", "changes how bridge-hooks is installed"],
    ["dd if=/opt/bridge-hooks of=/tmp/x; /tmp/x install", "changes how bridge-hooks is installed"],
    ["ln -s /usr/local/bin/bridge-hooks x; ./x uninstall", "changes how bridge-hooks is installed"],
    [`${join(scratch, "copy")} uninstall`, "changes how bridge-hooks is installed"],
    [`cd ${scratch}; ./copy uninstall`, "changes how bridge-hooks is installed"],
    ["npx -y bridge-hooks@1 uninstall", "changes how bridge-hooks is installed"],
    ["bunx bridge-hooks uninstall", "changes how bridge-hooks is installed"],
    ["/lib64/ld-linux-x86-64.so.2 /usr/bin/bridge-hooks uninstall", "changes how bridge-hooks is installed"],
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
    [
      "env CLAUDE_CODE_SAFE_MODE=1 claude -p hi",
      "sets CLAUDE_CODE_SAFE_MODE, by which Claude Code asks other hooks or none",
    ],
    ["export CLAUDE_CONFIG_DIR=/tmp/x; ls", "sets CLAUDE_CONFIG_DIR, by which Claude Code asks other hooks or none"],
    ["declare -x CODEX_HOME=/tmp", "sets CODEX_HOME, by which Codex asks other hooks or none"],
    ["unset COPILOT_HOME", "sets COPILOT_HOME, by which GitHub Copilot asks other hooks or none"],
    ["CLAUDE_CONFIG_DIR=/tmp", "sets CLAUDE_CONFIG_DIR, by which Claude Code asks other hooks or none"],
    ["HOME=/tmp/x claude -p hi", "starts Claude Code with another HOME, where other hooks are configured or none"],
    ["env HOME=/tmp/x codex exec hi", "starts Codex with another HOME, where other hooks are configured or none"],
    [
      "export HOME=/tmp/x && claude -p hi",
      "starts Claude Code with another HOME, where other hooks are configured or none",
    ],
    ["HOME=/tmp/x; claude -p hi", "starts Claude Code with another HOME, where other hooks are configured or none"],
    [
      "declare -x HOME=/tmp/x; ls; codex exec hi",
      "starts Codex with another HOME, where other hooks are configured or none",
    ],
    [
      "unset XDG_CONFIG_HOME; opencode",
      "starts OpenCode with another XDG_CONFIG_HOME, where other hooks are configured or none",
    ],
    [
      "XDG_CONFIG_HOME=/tmp/x opencode run hi",
      "starts OpenCode with another XDG_CONFIG_HOME, where other hooks are configured or none",
    ],
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
    [
      "GEMINI_CLI_SYSTEM_SETTINGS_PATH=/tmp/x gemini",
      "sets GEMINI_CLI_SYSTEM_SETTINGS_PATH, by which Gemini CLI asks other hooks or none",
    ],
    ["openclaw agent exec --isolated hi", "runs an agent of OpenClaw's without plugins"],
    ["openclaw agent exec --auth-env-only hi", "runs an agent of OpenClaw's without plugins"],
    ["openclaw plugins disable bridge-hooks", "takes the plugin bridge-hooks from OpenClaw"],
    ["openclaw plugins uninstall bridge-hooks", "takes the plugin bridge-hooks from OpenClaw"],
    ["openclaw config set plugins.enabled false", "changes the plugins in OpenClaw's config"],
    ["openclaw config unset plugins.entries.bridge-hooks", "changes the plugins in OpenClaw's config"],
    ["openclaw --profile other agent", "starts OpenClaw with another config"],
    [
      "defaults write com.anthropic.claudecode disableAllHooks -bool true",
      "changes the managed settings of Claude Code",
    ],
    ["sudo defaults delete com.openai.codex", "changes the managed settings of Codex"],
    [String.raw`reg delete 'HKLM\SOFTWARE\Policies\ClaudeCode' /f`, "changes the managed settings of Claude Code"],
    [
      String.raw`reg add "HKCU\Software\Policies\ClaudeCode" /v Settings`,
      "changes the managed settings of Claude Code",
    ],
    ["bash -c 'bridge-hooks uninstall'", "changes how bridge-hooks is installed"],
    ["echo $(claude --bare -p hi)", "starts Claude Code without hooks"],
    ["timeout 5 nohup claude --bare &", "starts Claude Code without hooks"],
  ];
  const no = [
    "brew uninstall foo",
    "npm uninstall foo",
    "helm uninstall foo --host x",
    "make install",
    "/tmp/x uninstall",
    `${join(scratch, "small")} uninstall`,
    "cp a b; ./b uninstall",
    `./${"x".repeat(5000)} uninstall`,
    `${join(scratch, "loop")} uninstall`,
    "cp $(which bridge-hooks) /tmp/x; /tmp/x doctor; npm install",
    "cp docs/bridge-hooks.md x; make install",
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
    "npx bridge-hooks doctor",
    "bun install left-pad",
    `${basename(process.execPath)} install left-pad`,
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
    "HOME=/tmp/x npm test && claude -p hi",
    "export HOME=/tmp/x && npm test",
    "export HOME; claude -p hi",
    "echo HOME=/tmp/x; claude -p hi",
    "claude -p hi; export HOME=/tmp/x",
    "unset HOMES; claude -p hi",
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
  beforeAll(() => {
    copyFileSync(process.execPath, join(scratch, "copy"));
    writeFileSync(join(scratch, "small"), "x");
    symlinkSync("loop", join(scratch, "loop"));
  });
  const off = (line: string) => guarded({ cwd: "/" }).switchedOff(commandsIn(line));
  for (const [line, what] of yes) test(line, () => expect(off(line)).toBe(what));
  for (const line of no) test(`no: ${line}`, () => expect(off(line)).toBeUndefined());
});

describe("protect-hooks", () => {
  const root = join(scratch, "app");
  const evil = join(scratch, "evil");
  const files = [
    "app/.claude/settings.json",
    "app/.claude/settings.local.json",
    "app/.claude/agents/a.md",
    "app/.github/hooks/a.json",
    "app/.github/workflows/ci.yml",
    "app/.codex/config.toml",
    `app/${PROJECT_CONFIG}`,
    "app/src/a.ts",
    "app/settings.json",
    "evil/settings.json",
    "evil/hooks.json",
    "tree/.claude/settings.json",
    "plain/a.md",
  ];
  for (const file of files) {
    mkdirSync(dirname(join(scratch, file)), { recursive: true });
    writeFileSync(join(scratch, file), "{}");
  }
  mkdirSync(join(root, ".git"));
  writeFileSync(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  symlinkSync(join(root, ".claude/settings.json"), join(root, "link.json"));
  symlinkSync(".claude", join(root, "dir-link"));
  symlinkSync(evil, join(root, "evil-link"));

  let counted = 0;
  const decide = async (tool: string, input: object, options: object = {}, cwd = root, event = "PreToolUse") => {
    counted++;
    return (await ask(protectHooks, { event, cwd, tool, tool_name: tool === "MCP" ? "" : tool, input }, options))
      ?.decision;
  };
  const bash = (command: string, options: object = {}, cwd = root) => decide("Bash", { command }, options, cwd);

  // As bash leaves it to the hook.
  beforeAll(() => void (process.env._ = process.execPath));

  const DENIED = [
    // Redirections and what writes by itself.
    "echo '{}' > .claude/settings.json",
    "echo x >> .claude/settings.local.json",
    "cat x >| .codex/hooks.json",
    "jq . x &> .cursor/hooks.json",
    "echo x > ./sub/../.claude/settings.json",
    "echo x > ~/.claude/settings.json",
    'echo x > "$HOME/.claude/settings.json"',
    "cd .claude && echo x > settings.json",
    "cd ~ && echo x > .codex/config.toml",
    "(cd .claude; > settings.json)",
    "echo x > .CLAUDE/Settings.JSON",
    "cat <<'EOF' > .claude/settings.json\n{}\nEOF",
    "echo x | tee .claude/settings.json",
    "echo x | tee -a a.txt .gemini/settings.json",
    "jq '.hooks={}' .claude/settings.json | sponge .claude/settings.json",
    "jq '.hooks={}' .claude/settings.json > t && mv t .claude/settings.json",
    "sed -i s/a/b/ .claude/settings.json",
    "sed -i.bak -e s/a/b/ .claude/settings.json",
    "sed --in-place 's/x//' .codex/config.toml",
    "perl -pi -e 's/a/b/' .claude/settings.json",
    "yq -i '.hooks = {}' .claude/settings.json",
    "dd if=x of=.claude/settings.json",
    "truncate -s 0 .claude/settings.json",
    "touch .claude/settings.json",
    "curl -o .cursor/hooks.json https://example.com/x",
    "wget -O opencode.json https://example.com/x",
    "wget https://example.com/opencode.json",
    "vim .claude/settings.json",
    "sort -o .claude/settings.json x",
    "sudo sh -c 'echo x > /etc/bridge-hooks/config.json'",
    "sudo tee /etc/bridge-hooks/config.json",
    `echo x > ${PROJECT_CONFIG}`,
    "mkdir -p ~/.config/bridge-hooks && cp x ~/.config/bridge-hooks/config.json",
    `rm ${logFile(process.env)}`,
    // Away with it.
    "rm .claude/settings.json",
    "rm -f .claude/settings.local.json",
    "rm -rf .claude",
    "rm -rf .claude/",
    "rm -rf ./.claude/*",
    "rm -rf .cl*",
    "rm -rf .github",
    "rm -rf .github/hooks",
    "rm -rf .",
    "rm -rf ../app",
    `rm -rf ${root}`,
    "rmdir .github/hooks",
    "unlink .claude/settings.json",
    "shred -u .claude/settings.json",
    "mv .claude/settings.json /tmp/",
    "mv .claude .claude.off",
    "mv .claude/settings.json{,.bak}",
    "cd .. && mv app app2",
    "git rm .claude/settings.json",
    "git rm -r --force .claude",
    "git mv .claude old",
    "git checkout -- .claude/settings.json",
    "git checkout HEAD~3 .claude/settings.json",
    "git restore .claude/settings.json",
    "git -C sub/.. restore .claude/settings.json",
    "find . -name 'settings*.json' -delete",
    "find .claude -type f -delete",
    "find . -type f -exec rm {} +",
    "find .claude -name '*.json' -exec rm -f {} ;",
    "find . -path './.claude/*' -delete",
    "find . -delete",
    `find ${scratch} -name settings.json -delete`,
    `find ${dirname(scratch)} -name 'settings.*' -type f -delete`,
    "find . -type d -name .claude -exec rm -rf {} +",
    "ls .claude/*.json | xargs rm",
    "find .claude -type f | xargs rm -f",
    "rsync -a --delete plain/ .claude/",
    // Another in its place, or by another name.
    `cp ${evil}/settings.json .claude/`,
    `cp ${evil}/settings.json .claude/settings.json`,
    `cp -t .claude ${evil}/settings.json`,
    `cp -r ${evil}/. .claude`,
    `cp -r ${evil}/* .claude/`,
    `cp ${evil}/* .cursor`,
    `cp -r ${evil} .cursor`,
    `mv ${evil} .cursor`,
    `mv ${evil}/hooks.json .cursor/`,
    `rsync -a ${evil}/ .claude/`,
    `rsync -a ${scratch}/tree/ .`,
    `cp -r ${scratch}/tree/.claude ~`,
    `ln -sf ${evil}/settings.json .claude/settings.json`,
    `ln -sfn ${evil} .cursor`,
    `ln -s /not/there/yet .gemini`,
    "ln .claude/settings.json x.json",
    "ln -s .claude/settings.json x.json",
    "cp -l .claude/settings.json x.json",
    "cp -s .claude/settings.json x.json",
    "echo x > link.json",
    "echo x > dir-link/settings.json",
    "sed -i s/a/b/ link.json",
    "tar xf x.tgz -C .claude",
    "unzip x.zip -d .gemini",
    "git clone https://example.com/x .opencode",
    "curl --output-dir .claude -O https://example.com/settings.json",
    "install -m 644 x .claude/settings.json",
    "patch .claude/settings.json < x.diff",
    "apply_patch <<'P'\n*** Begin Patch\n*** Update File: .claude/settings.json\n@@\n-a\n+b\n*** End Patch\nP",
    // Nobody may read it any more, or run it.
    `chmod -x ${process.execPath}`,
    `rm ${process.execPath}`,
    `mv ${process.execPath} /tmp/x`,
    `cp /bin/true ${process.execPath}`,
    `rm -rf ${dirname(process.execPath)}`,
    "chmod 000 .claude/settings.json",
    "chmod -R 000 .claude",
    "chown -R nobody .claude",
    // Through other programs and languages.
    "python3 -c \"open('.claude/settings.json','w').write('{}')\"",
    "python - <<'EOF'\nimport json\nopen('.claude/settings.json', 'w')\nEOF",
    "python3 <<EOF\nfrom pathlib import Path\n(Path('.claude') / 'settings.json').write_text('{}')\nEOF",
    "python3 -c \"import json; json.dump({}, open('.claude/settings.json', mode))\"",
    "node -e \"require('fs').writeFileSync('.claude/settings.json','{}')\"",
    "node -e \"fs.rmSync(path.join('.codex','config.toml'))\"",
    'bun -e \'await Bun.write(".cursor/hooks.json", "")\'',
    "ruby -e 'File.delete(\".claude/settings.json\")'",
    "awk 'BEGIN { print > \".claude/settings.json\" }'",
    "sed -n 'w .claude/settings.json' x",
    "gawk -i inplace '!/hooks/' .codex/config.toml",
    "gawk -iinplace '!/hooks/' .codex/config.toml",
    "gawk --include=inplace -v inplace::suffix=.bak '!/hooks/' src/a.ts .codex/config.toml",
    "awk --include inplace.awk -f x.awk .codex/config.toml",
    "uv run - <<'EOF'\nopen('.claude/settings.json','w').write('{}')\nEOF",
    "uv run --with requests -- - <<'EOF'\nopen('.claude/settings.json','w').write('{}')\nEOF",
    "uv run -q - <<< \"open('.claude/settings.json','w').write('{}')\"",
    "echo \"open('.claude/settings.json','w').write('{}')\" | python3",
    "cat <<'EOF' | node -\nfs.writeFileSync('.claude/settings.json', '{}')\nEOF",
    "some-tool .claude/settings.json",
    "some-tool --out=.claude/settings.json",
    "bash -c 'rm -rf .claude'",
    "eval 'rm .claude/settings.json'",
    "echo $(rm .claude/settings.json)",
    "sudo rm .claude/settings.json",
    "env X=1 nice rm .claude/settings.json",
    "true && false || rm .claude/settings.json &",
    "for f in .claude/settings.json; do rm $f; done",
    "F=.claude/settings.json; rm $F",
    "r''m .cl'aude'/set\"tings\".json",
    "$'\\x72m' .claude/settings.json",
    "Set-Content .claude/settings.json '{}'",
    "Remove-Item -Recurse .claude",
    "Copy-Item ../evil/settings.json .claude",
    "rsync -rt ../evil/ .claude",
    // Run as a text that a program is given.
    "tmux send-keys 'rm .claude/settings.json' Enter",
    "tmux new-session -d 'rm -rf .claude'",
    "screen -S x -X stuff $'rm .claude/settings.json\\n'",
    "ssh localhost rm app/.claude/settings.json",
    "ssh localhost claude --bare",
    "ssh -o ProxyCommand='rm .claude/settings.json' host",
    "expect -c 'spawn rm .claude/settings.json'",
    "chroot / rm ~/.claude/settings.json",
    "chroot / claude --bare",
    "echo '* * * * * claude --bare' | crontab -",
    "(crontab -l; echo '@daily bridge-hooks uninstall') | crontab -",
    "make -f- <<< 'all: ; rm -rf .claude'",
    "make -f /dev/stdin <<'E'\nall:\n\trm -rf ..\nE",
    "git -c core.editor='rm .claude/settings.json' commit",
    "git -c core.fsmonitor='claude --bare' status",
    "git push 'ext::sh -c rm% -rf% ..'",
    "GIT_SSH_COMMAND='claude --bare' git fetch",
    "GIT_PAGER='rm -rf .claude;' git log",
    "claude mcp add x -- sh -c 'rm .claude/settings.json'",
    "claude mcp add x -- bridge-hooks uninstall",
    "bwrap --bind / / sh -c 'rm .claude/settings.json'",
    "python3 -c \"import os; os.system('rm -rf .claude')\"",
    "node -e \"require('child_process').execSync('claude --bare')\"",
    // Folders that guarded files are in, in any language.
    "python3 -c \"import shutil; shutil.rmtree('.claude')\"",
    `python3 -c "import shutil; shutil.rmtree('${root}/.claude')"`,
    "python3 -c \"shutil.rmtree('.')\"",
    "python3 -c \"shutil.rmtree(os.path.join(os.getcwd(), '.codex'))\"",
    "python3 -c \"import os; os.rename('.claude', 'x')\"",
    "python3 -c \"import os; os.symlink('.claude', 'x')\"",
    "python3 - <<'E'\np = '.codex'\nshutil.rmtree(p)\nE",
    "python3 - <<'E'\nshutil.move(f\"{root}/.codex\", '/tmp')\nE",
    "node -e \"fs.rmSync('.codex', { recursive: true })\"",
    "node -e \"fs.renameSync('.claude', 'x')\"",
    "node <<'E'\nrequire('fs').rmSync('..', { recursive: true })\nE",
    "node -e 'require(`fs`).rmSync(`${root}/.github`, { recursive: true })'",
    "perl -MFile::Path -e 'rmtree(\".claude\")'",
    "ruby -rfileutils -e 'FileUtils.rm_rf \".codex\"'",
    "cd src && python3 -c \"shutil.rmtree('../.claude')\"",
    `cd ~ && python3 -c "shutil.rmtree('${relative(homedir(), root)}/.claude')"`,
    "npx rimraf .claude",
    "rimraf .codex",
    "gio trash .claude",
    "rename s/claude/x/ .claude",
    "rsync -a --remove-source-files .claude/ x/",
    "tar --remove-files -cf x.tar .claude",
    "zip -rm x.zip .claude",
    "ln -s .claude x",
    "ln -s ../.codex src/x",
    "cd src; ln -s ../.codex x",
    "ln -s . x; rm -rf x/.codex",
    "ln -s .. x; cd x; rm -rf app/.claude",
    `mkdir d; ln -s ${scratch} d; rm -rf d/${basename(scratch)}/app`,
    "ln -s $PWD/.claude/agents l; rm l/../settings.json",
    "rm -rf evil-link/../app/.claude",
    "find dir-link/ -type f -delete",
    "find .codex -type f -exec sh -c ': > $1' _ {} ';'",
    "find . -name 'settings.json' -exec bash -c 'echo x > \"$0\"' {} ';'",
    "find .claude -type f -exec sh -c 'rm \"$@\"' _ {} +",
    "find .claude -type f -exec perl -pi -e s/a/b/ {} +",
    "find .claude -type f -exec dd of={} ';'",
    "ls .claude/*.json | xargs sh -c ': > $0'",
    "patch -d .codex < x.diff",
    "patch --directory=.claude -i x.diff",
    "cd .claude && patch -p0 < x.diff",
    "patch -p0 <<'E'\n--- .claude/settings.json\n+++ .claude/settings.json\n@@ -1 +1 @@\n-a\n+b\nE",
    "git apply <<'E'\n--- a/.claude/settings.json\n+++ b/.claude/settings.json\n@@ -1 +1 @@\n-a\n+b\nE",
    // Written down for later.
    `echo "alias claude='claude --bare'" >> ~/.bashrc`,
    `printf '%s\\n' "alias c='claude --bare'" | tee -a ~/.zshrc`,
    `cat >> ~/.bashrc <<'E'\nclaude() { command claude --bare "$@"; }\nE`,
    "echo 'export CLAUDE_CONFIG_DIR=/tmp/x' >> ~/.profile",
    `sed -i "\\$a alias claude='claude --bare'" ~/.bashrc`,
    "L='claude --bare'; echo \"$L\" > .git/hooks/pre-commit",
    "printf '#!/bin/sh\\nbridge-hooks uninstall\\n' > .git/hooks/post-merge",
    "echo 'bridge-hooks uninstall' > .husky/pre-push",
    "echo '@daily root bridge-hooks uninstall' | sudo tee /etc/cron.d/x",
    "printf '[Service]\\nExecStart=/usr/bin/bridge-hooks uninstall\\n' > ~/.config/systemd/user/x.service",
    "cat > ~/.local/bin/claude <<'E'\n#!/bin/sh\nexec /usr/bin/claude --bare \"$@\"\nE",
    "git config --global alias.x '!claude --bare'",
    "apply_patch <<'P'\n*** Begin Patch\n*** Add File: .husky/pre-push\n+claude --bare\n*** End Patch\nP",
    `python3 -c 'open("/root/.bashrc","a").write("alias claude=\\"claude --bare\\"")'`,
    `find . -path '*/.claude/*' -exec python3 -c 'import sys; open(sys.argv[1],"w")' {} ';'`,
    `scp evil.json localhost:${root}/.claude/settings.json`,
    "ls .claude/settings.json; rm $_",
    "cat .claude/settings.json && mv $_ /tmp",
    // Switched off; all of them are in a table above.
    "bridge-hooks uninstall",
    "claude --bare -p hi",
    "export CLAUDE_CONFIG_DIR=/tmp/x",
  ];
  const ALLOWED = [
    "ls -la .claude",
    "cat .claude/settings.json",
    "cat < .claude/settings.json",
    "jq .hooks .claude/settings.json",
    "jq .hooks .claude/settings.json > out.json",
    "grep -n hooks .codex/config.toml",
    "sed -n 1,20p .claude/settings.json",
    "sed s/write/read/ .claude/settings.json",
    "head -5 ~/.claude/settings.json | tee out.txt",
    "diff .claude/settings.json /tmp/x",
    "cp .claude/settings.json /tmp/backup.json",
    "cp -r .claude /tmp/backup",
    "tar czf backup.tgz .claude",
    "git add .claude/settings.json",
    "git diff .claude/settings.json",
    "git log -p -- .claude/settings.json",
    "git show HEAD:.claude/settings.json",
    "git commit -m 'change .claude/settings.json' .claude/settings.json",
    "git commit -m 'rm .claude/settings.json'",
    "git rm --cached .claude/settings.json",
    "git status",
    "git checkout main",
    "git checkout -b feature",
    "git checkout -- .",
    "git restore src/a.ts",
    "git push",
    "gh pr create --body 'Update ~/.claude/settings.json'",
    "echo .claude/settings.json",
    "echo 'rm .claude/settings.json'",
    "echo .claude/settings.json >> .gitignore",
    "wc -l .claude/settings.json",
    "stat .claude/settings.json",
    "test -f .claude/settings.json && echo yes",
    "[ -f .claude/settings.json ]",
    "find . -name settings.json",
    "find . -name '*.ts' -delete",
    "find . -name '*.pyc' -exec rm {} +",
    "find . -type d -empty -delete",
    "find . -type d -name node_modules -exec rm -rf {} +",
    "find . -type f -not -name '*.o' -name '*.tmp' -delete",
    "find src -type f -delete",
    "grep -rl foo . | xargs sed -i s/foo/bar/",
    "git ls-files | xargs wc -l",
    "mkdir -p .claude/commands",
    "mkdir .claude",
    "touch .claude/notes.md",
    "echo x > .claude/commands/x.md",
    "cp plain/a.md .claude/agents/",
    "cp plain/a.md .claude/",
    "cp -r ../plain .claude/",
    "mv a.md .claude/agents/a.md",
    "mv .claude/agents/a.md .claude/agents/b.md",
    "rm .claude/agents/a.md",
    "rm -rf .claude/agents",
    "rm -rf .github/workflows",
    "echo x > .github/workflows/x.yml",
    "rsync -a ../plain/ .claude/",
    "rsync -a --delete build/ dist/",
    "ln -s ../plain docs",
    "ln -s src/a.ts b.ts",
    "chmod +x src/a.ts",
    "chmod -R u+rw .",
    "echo x > settings.json",
    "rm settings.json",
    "echo x > src/settings.json",
    "rm -rf node_modules dist",
    "rm -rf ../evil",
    "rm -rf ../tree",
    "cp -r ../tree vendor",
    "mv ../tree ../tree2",
    "cp ../evil/settings.json .",
    "tar xf x.tgz",
    "tar xf x.tgz -C vendor",
    "git clone https://example.com/x vendor/x",
    "curl -O https://example.com/x.tgz",
    "npm test 2>&1 | tail -20",
    "npm run build > /dev/null 2>&1",
    "python3 -c \"print(open('.claude/settings.json').read())\"",
    "python3 -c \"open('a.txt','w').write('claude')\"",
    "python3 -c \"import json; print(json.dumps(json.load(open('.claude/settings.json')), indent=2))\"",
    "node -e \"console.log(require('./.claude/settings.json'))\"",
    "node server.js",
    "node -e \"Object.keys(require('./.claude/settings.json')).map((key) => key)\"",
    "awk '$1 > 5' .claude/settings.json",
    "gawk -i inplace '!/hooks/' src/a.ts",
    "gawk -i join '{ print join($0) }' .claude/settings.json",
    "gawk '/inplace/' .claude/settings.json",
    "gawk -f inplace .claude/settings.json",
    "uv run - <<'EOF'\nprint(open('.claude/settings.json').read())\nEOF",
    "uv run x.py - <<< \"open('a.txt', 'w')\"",
    "uv sync",
    "echo .claude/settings.json | python3 -c 'import sys; sys.stdout.write(sys.stdin.read())'",
    "echo .claude/settings.json | node print.js --write",
    "sed s/x/w/ .claude/settings.json",
    "Get-Content .claude/settings.json",
    "Test-Path .claude/settings.json",
    "awk '{print $1}' .claude/settings.json",
    "uniq -f 1 .claude/settings.json",
    "xxd -l 16 .claude/settings.json",
    "iconv -f utf-8 -t latin1 .claude/settings.json",
    "tree -L 2 .claude",
    "claude -p hi",
    "bridge-hooks doctor",
    "bridge-hooks install --dry-run",
    "pkill node",
    "export PATH=$PATH:/x",
    "export BUN_OPTIONS=--smol",
    "ssh host rm .claude/settings.json",
    "ssh host claude --bare",
    "docker exec x rm .claude/settings.json",
    "ls .claude | grep settings",
    "true # rm .claude/settings.json",
    "python3 -c \"import shutil; shutil.rmtree('build')\"",
    "python3 -c \"import shutil; shutil.rmtree('./dist', ignore_errors=True)\"",
    "python3 -c \"import os; os.rename('a.txt', 'b.txt')\"",
    "python3 -c \"shutil.rmtree(os.path.join('.', 'build'))\"",
    "python3 -c \"shutil.rmtree('.claude/agents')\"",
    "python3 -c \"print('x'.replace('.claude', '.cursor'))\"",
    "node -e \"fs.rmSync('dist', { recursive: true })\"",
    "node -e \"console.log('/'.split('.'), fs.readdirSync('.claude'))\"",
    'perl -e \'rename "a", "b"\'',
    "npx rimraf dist",
    "tar -cf x.tar .claude",
    "zip -r x.zip .claude",
    "ln -s ../lib lib",
    "ln -s . self",
    "ln -s $PWD ~/here",
    "ln -s ../plain x; rm x/a.md",
    "ln -s .claude/agents x",
    "ln -sf ../shared/.eslintrc .eslintrc",
    "find . -type f -exec sh -c 'wc -l \"$1\"' _ {} ';'",
    "find . -name '*.json' -exec sh -c 'jq . \"$1\" > /dev/null' _ {} ';'",
    "find src -type f -exec sh -c ': > $1' _ {} ';'",
    "ls .claude/*.json | xargs sh -c 'cat $0'",
    "patch -d src < x.diff",
    "patch -p0 <<'E'\n--- src/a.ts\n+++ src/a.ts\n@@ -1 +1 @@\n-a\n+b\nE",
    `echo "alias ll='ls -la'" >> ~/.bashrc`,
    "echo 'export EDITOR=vim' >> ~/.zshrc",
    "echo 'npm test' > .husky/pre-push",
    "echo 'npm test' > .git/hooks/pre-commit",
    "echo '# claude --bare runs without hooks' >> ~/.bashrc",
    `echo "alias c='claude -p'" >> ~/.bashrc`,
    "echo 'claude --bare' >> notes.md",
    "cat ~/.bashrc; echo 'claude --bare' >> notes.md",
    "ssh host 'rm -rf .claude'",
    "ssh -o ProxyCommand='ssh -W %h:%p jump' host ls",
    "ssh localhost ls",
    "tmux send-keys 'npm test' Enter",
    "tmux send-keys -t 0 C-c",
    "tmux new-session -d -s dev 'npm run dev'",
    "screen -S x -X stuff $'npm test\\n'",
    "screen -dmS dev npm start",
    "expect -c 'spawn ssh host; interact'",
    "chroot /mnt rm /root/.claude/settings.json",
    "echo '0 5 * * * npm test' | crontab -",
    "make -f- <<< 'all: ; echo hi'",
    "make -C src all",
    "git -c core.editor=true rebase --continue",
    "git -c core.pager=cat log -p .claude/settings.json",
    "git -c user.name=x commit -m 'rm .claude/settings.json'",
    "git config core.editor vim",
    "GIT_SSH_COMMAND='ssh -i key' git push",
    "GIT_EDITOR=true git rebase --continue",
    "PAGER=cat git diff .claude/settings.json",
    "EDITOR='code --wait' git commit",
    "claude mcp add x -- npx -y some-server .",
    "claude mcp add --transport http x https://example.com/mcp",
    "mywrapper sh -c 'cat .claude/settings.json'",
    "docker-compose exec web sh -c 'rm /root/.claude/settings.json'",
    "tar --checkpoint-action=exec='echo hi' -cf x.tar src",
    "python3 -c \"import os; os.system('cat .claude/settings.json')\"",
    "node -e \"require('child_process').execSync('npm test')\"",
    "perl -e 'print \"claude --bare\"'",
    "hyperfine 'npm test'",
    // The process that runs the tests may have been told its own name by this.
    "mv notes.txt $_",
    "mkdir -p out && mv notes.txt $_",
    "",
  ];
  for (const command of DENIED)
    test(`denies ${command.replaceAll(scratch, "…")}`, async () => expect(await bash(command)).toBe("deny"));
  for (const command of ALLOWED)
    test(`lets pass ${command.replaceAll(scratch, "…")}`, async () => expect(await bash(command)).toBeUndefined());

  const update = (file_path: string, more: object = {}) => ({
    files: [{ file_path, operation: "update", edits: [], ...more }],
  });
  const CALLS: [denied: boolean, tool: string, input: object][] = [
    [true, "Write", { file_path: join(root, ".claude/settings.json"), content: "" }],
    [true, "Write", { file_path: ".claude/settings.local.json", content: "" }],
    [true, "Write", { file_path: "~/.codex/hooks.json", content: "" }],
    [true, "Write", { file_path: join(root, "dir-link/settings.json"), content: "" }],
    [true, "Write", { file_path: join(root, "link.json"), content: "" }],
    [true, "Write", { file_path: join(root, "opencode.json"), content: "" }],
    [true, "Write", { file_path: join(root, ".opencode/plugins/x.ts"), content: "" }],
    [true, "Write", { file_path: join(root, PROJECT_CONFIG), content: "" }],
    [true, "Write", { file_path: process.execPath, content: "" }],
    [true, "Write", { file_path: join(stateDirectory(process.env), "receipts/x.json"), content: "" }],
    [true, "Write", { file_path: "C:\\Users\\me\\.claude\\settings.json", content: "" }],
    [true, "Edit", update(join(root, ".claude/settings.json"))],
    [true, "Edit", update(".cursor/hooks.json", { operation: "add" })],
    [true, "Edit", update(".claude/settings.json", { operation: "delete" })],
    [true, "Edit", update("x.json", { operation: "move", moved_to: ".claude/settings.json" })],
    [true, "Edit", update(".claude/settings.json", { operation: "move", moved_to: "x.json" })],
    [true, "Edit", { files: [...update("a.ts").files, ...update(".gemini/settings.json").files] }],
    [true, "MCP", { tool: "write_file", arguments: { path: join(root, ".claude/settings.json"), content: "" } }],
    [true, "MCP", { tool: "edit_file", arguments: { path: ".claude/settings.json", edits: [] } }],
    [true, "MCP", { tool: "move_file", arguments: { source: "x.json", destination: ".claude/settings.json" } }],
    [true, "MCP", { tool: "move_file", arguments: { source: ".claude/settings.json", destination: "x.json" } }],
    [true, "MCP", { tool: "something", arguments: { path: ".claude/settings.json" } }],
    [true, "MCP", { tool: "delete", arguments: { files: [{ path: "a" }, { path: ".codex/config.toml" }] } }],
    [true, "Other", { path: ".claude/settings.json", content: "" }],
    [true, "Write", { file_path: "~/.bashrc", content: "ls\nalias claude='claude --bare'\n" }],
    [
      true,
      "Write",
      { file_path: ".git/hooks/pre-commit", content: "#!/bin/sh\nbridge-hooks uninstall --host claude\n" },
    ],
    [true, "Edit", update("~/.zshrc", { edits: [{ old_string: "a", new_string: "alias claude='claude --bare'" }] })],
    [true, "MCP", { tool: "write_file", arguments: { path: "/home/x/.profile", content: "claude --bare" } }],
    [false, "Write", { file_path: "~/.bashrc", content: "ls\nalias ll='ls -la'\n" }],
    [true, "Write", { file_path: "~/.bashrc", content: `${"alias a=b\n".repeat(3000)}alias claude='claude --bare'\n` }],
    [false, "Write", { file_path: "~/.bashrc", content: "alias a=b\n".repeat(3000) }],
    [false, "Write", { file_path: "a.py", content: `open(".bashrc").write("claude --bare")` }],
    [false, "Write", { file_path: "README.md", content: "claude --bare\n" }],
    [false, "Edit", update("~/.zshrc", { edits: [{ old_string: "alias claude='claude --bare'", new_string: "" }] })],
    [false, "Write", { file_path: join(root, "src/a.ts"), content: ".claude/settings.json" }],
    [false, "Write", { file_path: join(root, ".claude/agents/a.md"), content: "" }],
    [false, "Write", { file_path: join(root, "settings.json"), content: "" }],
    [false, "Write", { file_path: join(root, "docs/.claude-settings.json"), content: "" }],
    [false, "Edit", update("src/a.ts")],
    [false, "Edit", update("CLAUDE.md")],
    [false, "Edit", update(".github/workflows/ci.yml")],
    [false, "Edit", { files: [] }],
    [false, "MCP", { tool: "read_file", arguments: { path: ".claude/settings.json" } }],
    [false, "MCP", { tool: "list_directory", arguments: { path: ".claude" } }],
    [false, "MCP", { tool: "write_file", arguments: { path: "notes.md", content: ".claude/settings.json" } }],
    [false, "MCP", { tool: "search", arguments: { query: ".claude/settings.json" } }],
    [false, "MCP", { tool: "copy_file", arguments: { source: ".claude/settings.json", destination: "x.json" } }],
    [false, "Other", { query: "x" }],
  ];
  // Of a tool that is not known, and has a command beside other fields.
  const GUESSED: [denied: boolean, tool: string, input: object][] = [
    [true, "Bash", { command: "ls", path: ".claude/settings.json", content: "" }],
    [true, "Write", { file_path: "a", content: "b", target: ".claude/settings.json" }],
    [true, "Bash", { command: "ls", path: "~/.bashrc", content: "alias claude='claude --bare'" }],
    [false, "Bash", { command: "ls", path: "src/a.ts", content: ".claude/settings.json" }],
    [false, "Bash", { command: "ls", cwd: root, working_directory: root }],
  ];
  for (const [denied, tool, input] of GUESSED)
    test(`${denied ? "denies" : "lets pass"} a guessed ${tool} ${Object.keys(input)}`, async () => {
      const { decision } =
        (await ask(protectHooks, { event: "PreToolUse", cwd: root, tool, tool_name: "x", guessed: true, input }, {})) ??
        {};
      expect(decision).toBe(denied ? "deny" : undefined);
    });
  for (const [denied, tool, input] of CALLS)
    for (const event of ["PreToolUse", "PermissionRequest"])
      test(`${event}: ${denied ? "denies" : "lets pass"} ${tool} ${JSON.stringify(input).replaceAll(scratch, "…").slice(0, 200)}`, async () =>
        expect(await decide(tool, input, {}, root, event)).toBe(denied ? "deny" : (undefined as never)));

  const ELSEWHERE: [denied: boolean, cwd: string, command: string][] = [
    [true, join(root, ".claude"), "echo x > settings.json"],
    [true, join(root, ".claude"), "rm *.json"],
    [true, join(root, ".claude"), "rm -rf ../.github"],
    [true, join(root, "src"), "sed -i s/a/b/ ../.claude/settings.json"],
    [true, join(root, "src"), "rm -rf .."],
    [true, join(root, "dir-link"), "rm settings.json"],
    [true, "/", `rm -rf ${root}/.claude`],
    ...[
      "find . -delete",
      "find . -type f -delete",
      "find . -name '*.json' -delete",
      "find . -maxdepth 2 -name '*.json' -delete",
      "find . -name '*.md' -o -name '*.json' -delete",
      "find . ! \\( -name '*.md' -o -name '*.ts' \\) -type f -delete",
      "find . \\( -name '*.md' -o -name 'set*' \\) -delete",
      "find . -name 'settings\\.json' -delete",
      "find . -name '[!a]ettings.json' -delete",
      "find . -type f -mtime -7 -delete",
      "find . -type f -mmin -5 -delete",
      "find . -type f -size -10M -delete",
      "find . -size 1 -name '*.json' -delete",
      "find . -type f -newer x -delete",
      "find . -maxdepth $N -type f -delete",
      "find . -type f -perm -u+w -delete",
      "find . -not -path './.git/*' -type f -delete",
      "find . -path ./node_modules -prune -o -name '*.json' -exec rm {} +",
      "find . -path ./.claude -prune -o -type f -delete",
      "find . -name .claude -exec mv {} /tmp ';'",
      "find .claude -maxdepth 0 -exec rm -rf {} +",
      "find . -type f -exec sed -i s/a/b/ {} +",
      "find . -name settings.json -exec cp /tmp/x {} ';'",
      "find . -name '*.json' -exec chmod 000 {} +",
      `find ${scratch}/tree -iname 'SETTINGS*' -delete`,
      "find .cl* -name '*.json' -delete",
    ].map((line): [true, string, string] => [true, join(scratch, "tree"), line]),
    ...[
      "find . -name '*.json' -path '*/dist/*' -delete",
      "find . -type f -mtime +7 -delete",
      "find . -type f -mmin +60 -delete",
      "find . -type f -size +10M -delete",
      "find . -maxdepth 1 -type f -name '*.json' -delete",
      "find . -mindepth 3 -name '*.json' -delete",
      "find . -name '*.json' -not -path './.claude/*' -delete",
      "find . -type f ! -path '*/.claude/*' -exec rm {} +",
      "find . -type f ! \\( -name '*.json' -o -name '*.md' \\) -delete",
      "find . \\( -name '*.o' -o -name '*.tmp' \\) -type f -delete",
      "find . -name '*.json' -print -o -name '*.tmp' -delete",
      "find . -type l -delete",
      "find . -type f -empty -delete",
      "find . -path ./.claude -prune -o -name '*.json' -exec rm {} +",
      "find . -path './.claude/*' -prune -o -type f -exec rm {} +",
      "find . -name '.?*' -prune -o -type f -exec rm -f {} +",
      "find . -maxdepth 1 -exec rm {} +",
      "find . -name '*.json' -exec sed -n 1p {} +",
      "find . -name '*.json' -exec cp {} /tmp ';'",
      "find . -name '*.json' -exec cp -t /tmp {} +",
      "find . -name '*.json' -size +1M -exec rm {} +",
    ].map((line): [false, string, string] => [false, join(scratch, "tree"), line]),
    [false, join(root, "src"), "echo x > settings.json"],
    [false, join(root, "src"), "rm -rf ."],
    [false, join(root, ".claude/agents"), "rm a.md"],
    [false, "/", "ls"],
    [false, "", "echo hi"],
  ];
  for (const [denied, cwd, command] of ELSEWHERE)
    test(`in ${cwd.replace(scratch, "…")}: ${denied ? "denies" : "lets pass"} ${command.replace(scratch, "…")}`, async () =>
      expect(await bash(command, {}, cwd)).toBe(denied ? "deny" : (undefined as never)));

  const OPTIONS: [options: object, command: string, decision: string | undefined][] = [
    [{ decision: "ask" }, "rm .claude/settings.json", "ask"],
    [{ decision: "ask" }, "bridge-hooks uninstall", "ask"],
    [{ decision: "ask" }, "ls", undefined],
    [{ allow: ["opencode.json"] }, "echo x > opencode.json", undefined],
    [{ allow: ["opencode.json"] }, "cd src && echo x > ../opencode.json", undefined],
    [{ allow: ["opencode.json"] }, "echo x > src/opencode.json", "deny"],
    [{ allow: ["**/opencode.json"] }, "echo x > src/opencode.json", undefined],
    [{ allow: ["~/.codex/config.toml"] }, "echo x > ~/.codex/config.toml", undefined],
    [{ allow: ["~/.codex/config.toml"] }, "echo x > .codex/config.toml", "deny"],
    [{ allow: [".claude/*.local.json"] }, "rm .claude/settings.local.json", undefined],
    [{ allow: [".claude/*.local.json"] }, "rm .claude/settings.json", "deny"],
    [{ allow: [".claude/*.local.json"] }, "rm -rf .claude", "deny"],
    [{ allow: [".claude/**"] }, "rm -rf .claude", undefined],
    [{ allow: [".CLAUDE/**"] }, "rm -rf .claude", undefined],
    [{ allow: ["**"] }, "bridge-hooks uninstall", "deny"],
    [{ protect: ["hooks/**"] }, "echo x > hooks/guard.ts", "deny"],
    [{ protect: ["hooks/**"] }, "cat hooks/guard.ts", undefined],
    [{ protect: ["hooks/**"] }, "echo x > src/hooks/guard.ts", undefined],
    [{ protect: ["**/*.pem"] }, "sed -i s/a/b/ src/x.pem", "deny"],
    [{ protect: ["/etc/hosts"] }, "echo x >> /etc/hosts", "deny"],
    [{ protect: ["~/.bashrc"] }, "echo x >> ~/.bashrc", "deny"],
    [{ protect: ["hooks/**"], allow: ["hooks/mine.ts"] }, "echo x > hooks/mine.ts", undefined],
    [{ protect: ["package.json"], decision: "ask" }, "npm pkg set x=1 && touch package.json", "ask"],
  ];
  for (const [options, command, decision] of OPTIONS)
    test(`with ${JSON.stringify(options)}: ${decision ?? "lets pass"} ${command}`, async () =>
      expect(await bash(command, options)).toBe(decision as never));
  for (const options of [{ allow: "x" }, { allow: [""] }, { protect: [1] }, { decision: "allow" }, { deny: [] }])
    test(`${JSON.stringify(options)} are no options`, () => expect(optionsOf(protectHooks, options)).rejects.toThrow());

  test("says which file, what to do, and nothing else", async () => {
    const answer = (command: string, options: object = {}) =>
      ask(
        protectHooks,
        { event: "PreToolUse", cwd: root, tool: "Bash", tool_name: "Bash", input: { command } },
        options,
      );
    expect(await answer("rm .claude/settings.json")).toEqual({
      decision: "deny",
      reason: `Blocked: this would change ${root}/.claude/settings.json, which keeps hooks in force. Ask the user to do it if it is really wanted.`,
    });
    expect(await answer("claude --bare", { decision: "ask" })).toEqual({
      decision: "ask",
      reason: "A command in this line starts Claude Code without hooks.",
    });
  });

  test("a line that no shell would take is not trusted with what it names", async () => {
    expect(await bash("echo 'x > .claude/settings.json")).toBe("deny");
    expect(await bash("echo 'x > notes.txt")).toBeUndefined();
  });

  test("a line that is too long to be read is a failure, and denied by the policy for those", async () => {
    expect(bash(`rm ${"x ".repeat(2_000_000)}`)).rejects.toThrow();
    expect(protectHooks.onError).toBe("deny");
  });

  test("most lines need no closer look", () => {
    const lines = [
      "ls -la src",
      "cat README.md | head -50",
      "npm test",
      "npm run build 2>&1 | tail -20",
      "git status && git diff --stat",
      "git log --oneline -5",
      "git add -A && git commit -m 'fix: a thing' && git push",
      "grep -rn 'foo' src",
      "rg foo > /dev/null",
      "node server.js",
      "python3 -m pytest -q",
      "cd src && cargo build --release",
      "echo hi > marker.txt",
      "npm test >> log.txt 2>&1; ls",
      "",
    ];
    const guard = guarded({ cwd: root });
    expect(lines.filter((line) => guard.mayConcern(line))).toEqual([]);
    expect(
      [
        "rm x",
        "r'm' x",
        "r\\m x",
        "echo x >$y",
        "echo x >~/y",
        "echo x >a/../y",
        "cd z; echo x >y",
        "cat .Claude/x",
        "$'x'",
        "`x`",
        "CODEX_HOME=x y",
        "kubectl get pods",
        "ls (x)",
        "ls\\\n",
        "cat in >&1x",
        "cat in >/dev/null.x",
        "ls2>x",
        "git diff --output=x",
        "git diff '--output=x'",
        "git commit -m 'a' --foo='b c'",
        "';ls' x",
        "npm test 'a b'",
        "cd x && npm test a",
        "npm test link.json",
        "npm test settings.json/x",
        "npm test -- --out-file=link.json",
        "go build -o dir-link",
        "node -e 1",
        "grep --x=link.json y",
        "ls\u00a0x",
      ].filter((line) => !guard.mayConcern(line)),
    ).toEqual([]);
  });

  describe("however many names stand beside one", () => {
    const folder = join(scratch, "many");
    const names = (count: number) => Array.from({ length: count }, (_, at) => `f${at}`);
    const added = names(2100).map((name) => `*** Add File: ${name}\n+x\n`);
    const nested = (depth: number): object =>
      depth === 0 ? { path: ".claude/settings.json" } : { inner: nested(depth - 1) };
    beforeAll(() => {
      mkdirSync(join(folder, "src/deep"), { recursive: true });
      for (const name of names(3000)) writeFileSync(join(folder, "src", `${name}.ts`), "");
      for (const name of names(400)) symlinkSync("nowhere", join(folder, "src/deep", name));
    });
    const lines: [denied: boolean, command: string][] = [
      [true, `touch ${names(2100).join(" ")} ~/.claude/settings.json`],
      [true, `touch ${names(2100).join(" ")} .claude/settings.json`],
      [true, `touch ${folder}/src/* ${names(1005).join(" ")} .claude/settings.json`],
      [true, `rm ${folder}/src/deep/* .cl*/settings.json`],
      [true, `rm ${names(400).join(" ")} .cl*/settings.json`],
      [true, `mytool ${names(400).join(" ")} .claude/settings.json`],
      [true, `cp ${names(100).join(" ")} ${evil}/settings.json .claude`],
      [
        true,
        `apply_patch <<'P'\n*** Begin Patch\n${added.join("")}*** Update File: .claude/settings.json\n@@\n-a\n+b\n*** End Patch\nP`,
      ],
      [false, `touch ${names(2100).join(" ")} src/settings.json`],
      [false, `mytool ${names(400).join(" ")} settings.json`],
      [false, `cd ${folder}; eslint src/**/*.ts src/*.ts test/*.ts`],
      [false, `cd ${folder}; cp src/*.ts lib/; rm src/*.ts src/*/* src/f*`],
    ];
    for (const [denied, command] of lines)
      test(`${denied ? "denies" : "lets pass"} ${command.slice(0, 20)} … ${command.slice(-40)}`, async () =>
        expect(await bash(command)).toBe(denied ? "deny" : (undefined as never)));
    test("in a tool's arguments", async () => {
      const mcp = (args: object) => decide("MCP", { tool: "write_files", arguments: args });
      expect(await mcp({ paths: [...names(600), ".claude/settings.json"] })).toBe("deny");
      expect(await mcp(nested(6))).toBe("deny");
      expect(await mcp({ rows: names(5000).map((name) => [name, `${name}/x`]), file: "a.csv" })).toBeUndefined();
    });
    test("a call with more than can be looked at is a failure", async () => {
      expect(decide("MCP", { tool: "write", arguments: { rows: names(25_000) } })).rejects.toThrow(/too many values/);
      expect(decide("MCP", { tool: "write", arguments: nested(40) })).rejects.toThrow(/nested too deeply/);
      expect(bash(`cd ${folder}/src; rm ${names(9).join("* ")}* ${"*s *t ".repeat(300)}`)).rejects.toThrow(/wildcards/);
    });
  });

  // Lines that hide what they do from a look at their letters, with `out` and `1x` linked to a guarded file and `cfg` to its folder.
  const HIDDEN = [
    "r\\\nm -rf .cla\\\nude",
    "echo x | t\\\nee .cl\\\naude/settings.json",
    "cla\\\nude --bare",
    "brid\\\nge-hooks unin\\\nstall",
    "sort -o .cl*/settings.json in",
    "prettier --write .cl*/settings.json",
    ...["gcp in", "gmv in", "grm"].map((line) => `${line} .cl*/settings.json`),
    "x=; r${x}m -rf .cl*",
    "x=e; te$x .claud$x/settings.json",
    "x=; pk${x}ill -f bridge",
    "x=u; cla${x}de --bare",
    "a=d; b=de; c$a .clau$b; cat in > settings.json",
    "cat in >&1x",
    "sort -o out in",
    "shuf -o out in",
    "yq -i .a=1 out",
    "zstd -o out in",
    "gcc -o out in",
    "script out",
    "fallocate -l 0 out",
    "sqlite3 out",
    "npm test out",
    "go build -o out",
    "tsc --outFile=out",
    "cd src && node x.js ../out",
    "sort -o cfg/settings.json in",
    "uniq in out",
    "xxd -r in out",
    "iconv -o out in",
    "tree -o out",
    "history -w out",
  ];
  describe("hidden", () => {
    const LINKS = { out: ".claude/settings.json", "1x": ".claude/settings.json", cfg: ".claude" };
    beforeAll(() => Object.entries(LINKS).forEach(([link, to]) => symlinkSync(to, join(root, link))));
    afterAll(() => Object.keys(LINKS).forEach((link) => rmSync(join(root, link))));
    for (const command of HIDDEN) test(`denies ${command}`, async () => expect(await bash(command)).toBe("deny"));

    test("what the quick look lets pass, the full look lets pass", async () => {
      const once = [...DENIED, ...ALLOWED, ...HIDDEN];
      const behind = ["ls", "git status", "npm test", "cd src", "echo 'a b'"];
      const lines = [
        ...once,
        ...once.flatMap((line) =>
          behind.flatMap((first) => [`${first}; ${line}`, `${first} && ${line}`, `${first} ${line}`]),
        ),
      ];
      const guard = guarded({ cwd: root });
      const passed = lines.filter((line) => !guard.mayConcern(line));
      // An option that guards one file more makes the hook look at every line in full.
      for (const line of passed)
        expect([line, await bash(line, { protect: ["/nowhere/x"] })]).toEqual([line, undefined as never]);
      expect(lines.length).toBeGreaterThan(3000);
      expect(passed.length).toBeGreaterThan(20);
    });
  });

  test("a redirection to a plain file is looked at on the disk: what leads to a guarded file is one", async () => {
    symlinkSync(join(root, ".gemini/settings.json"), join(root, "dangling"));
    const lines = [
      "echo x > link.json",
      "echo x >> dir-link/settings.json",
      "echo x > dangling",
      "ls; echo x > .claude/settings.local.json; ls",
    ];
    for (const line of lines) expect([line, await bash(line)]).toEqual([line, "deny"]);
    expect(await bash("echo x > notes.txt")).toBeUndefined();
    const inside = {
      event: "PreToolUse",
      tool: "Bash",
      cwd: root,
      input: { command: "echo x > settings.json", cwd: ".claude" },
    } as const;
    expect(guarded(inside as never).mayConcern(inside.input.command)).toBe(true);
    rmSync(join(root, "dangling"));
  });

  test("a long line is looked at in no time", () => {
    const guard = guarded({ cwd: root });
    for (const part of ["node a ", "x > y ", "x >", "x > y.", "git ", "x > /dev/null ", "[", "-c ", "rm", "& "]) {
      const started = performance.now();
      guard.mayConcern(part.repeat(100_000 / part.length));
      expect([part, performance.now() - started < 200]).toEqual([part, true]);
    }
  });

  // Written down so that it is noticed when one of them is seen after all.
  const MISSED = [
    "git stash",
    "git reset --hard HEAD~1",
    "git clean -fdx",
    "git checkout other-branch",
    "git checkout HEAD~3 -- .",
    "git apply x.patch",
    "patch -p1 < x.patch",
    "tar xf x.tgz",
    "./change-settings.sh",
    "python3 change-settings.py",
    "npm run change-settings",
    'python3 -c "import base64; exec(base64.b64decode(x))"',
    "X=$(cat name); rm $X",
    "cat names | xargs rm",
    "docker run -v $PWD:/x alpine rm /x/.claude/settings.json",
    "strace -o .claude/settings.json ls",
    "/usr/bin/time -o .claude/settings.json ls",
    "mount --bind /tmp .claude",
    "crontab jobs.txt",
    "tmux source-file x.conf",
    "fd . .claude -x rm",
    "git submodule foreach rm -rf ../.claude",
  ];
  for (const command of MISSED) test(`misses ${command}`, async () => expect(await bash(command)).toBeUndefined());

  test("they were many", () => expect(counted).toBeGreaterThan(300));
});
