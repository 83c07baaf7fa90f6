import { expect, test } from "bun:test";
import { askBash, askDecision } from "./project.ts";

const DENIED = [
  'rm "$(command -v bridge-hooks)"',
  "mv $(which bridge-hooks) /tmp/",
  'chmod -x "$(which bridge-hooks)"',
  'ln -sf /bin/true "$(which bridge-hooks)"',
  'cp /bin/true "$(which bridge-hooks)"',
  'cat /bin/true > "$(type -P bridge-hooks)"',
  'p=$(which bridge-hooks); rm -f "$p"',
  "sudo truncate -s0 $(which bridge-hooks)",
  "which bridge-hooks | xargs rm -f",
  'cd "$(dirname "$(which bridge-hooks)")" && mv bridge-hooks x',
  "grep -rl bridge-hooks . | xargs sed -i 's/bridge-hooks/true/'",
  "sed -i s/x/y/ $(grep -rl bridge-hooks .claude)",
  "sed -i s/x/y/ $(grep -rl hooks .claude)",
  "git stash push .claude/settings.json",
  "git stash push -- .claude",
  "git stash -u -- .claude",
  "git checkout .claude",
  "git checkout other -- .claude",
  "git restore --source=HEAD~3 .claude",
  "git restore -SW .claude",
  "git clean -fdx .claude",
  "unzip -o x.zip '.claude/*'",
  "unzip -o x.zip .claude/settings.json",
  "tar xf x.tar .claude",
  "tar -xzf x.tgz .claude/settings.json",
  "sftp host:settings.json .claude/",
  "rsync -a /tmp/bridge-hooks-absent/ .claude/",
  "cp -r /tmp/bridge-hooks-absent/. .claude/",
  "cp /tmp/bridge-hooks-absent/* .claude/",
  "dasel delete -f .claude/settings.json hooks",
  "dasel put -f .claude/settings.json -t string -v x .hooks",
  "mkdir /tmp/e; echo '{}' > /tmp/e/settings.json; cp /tmp/e/* .claude/",
];
const DENIED_IN_POWERSHELL = ["Remove-Item (Get-Command bridge-hooks).Source", "rm (gcm bridge-hooks).Path"];
const ALLOWED = [
  'ls -l "$(which bridge-hooks)"',
  'cp "$(which bridge-hooks)" /tmp/x',
  "file $(which bridge-hooks)",
  "which bridge-hooks && rm -rf build",
  "which bridge-hooks; ls bridge-hooks",
  'rm -f "$(which other-tool)"',
  'cd "$(dirname "$(which bridge-hooks)")" && ls -l bridge-hooks',
  "grep -rl bridge-hooks docs | xargs sed -i 's/bridge-hooks/bh/'",
  "grep -rl bridge-hooks . | xargs wc -l",
  "grep -rl foo . | xargs sed -i s/foo/bar/",
  "rg -l bridge-hooks | xargs sed -i s/a/b/",
  "sed -n p $(grep -rl x .claude)",
  "sed -i s/x/y/ $(grep -rl x src)",
  "git stash",
  "git stash push src",
  "git stash pop",
  "git checkout .",
  "git checkout -- src",
  "git restore --staged .claude",
  "git clean -fdx build",
  "git clean -n .claude",
  "git diff .claude",
  "git log -- .claude",
  "unzip -o x.zip 'src/*'",
  "unzip -l x.zip '.claude/*'",
  "unzip -p x.zip .claude/settings.json",
  "tar tf x.tar .claude",
  "tar xf x.tar src",
  "tar xf x.tar -C /tmp/y .claude",
  "tar czf x.tgz .claude",
  "sftp host:a.md .claude/agents/",
  "sftp host:settings.json /tmp/",
  "rsync -a .claude/ /tmp/b/",
  "rsync -a /tmp/bridge-hooks-absent/ build/",
  "cp -r /tmp/bridge-hooks-absent/. src/",
  "dasel -f .claude/settings.json hooks",
  "dasel delete -f a.json hooks",
  "mkdir /tmp/e; echo '{}' > /tmp/e/a.md; cp /tmp/e/* .claude/",
];

for (const line of DENIED)
  test(`a command that changes guarded files that it finds or creates is denied: ${line}`, async () =>
    expect(await askBash(line)).toBe("deny"));
for (const command of DENIED_IN_POWERSHELL)
  test(`a PowerShell command that changes the executable that it finds is denied: ${command}`, async () =>
    expect(await askDecision("Bash", { command, shell: "powershell" })).toBe("deny"));
for (const line of ALLOWED)
  test(`a command that only reads them, or changes other files, is allowed: ${line}`, async () =>
    expect(await askBash(line)).toBeUndefined());
