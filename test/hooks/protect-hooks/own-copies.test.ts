import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { guarded } from "../../../src/author/kit/guarded.ts";
import { commandsIn } from "../../../src/shell/index.ts";
import { openQuickSystem } from "../../../src/system/quick-system.ts";
import type { QuickSystem } from "../../../src/system/quick-types.ts";
import { answerQuickly, loadStarterHooks } from "../../call/screen/differential.ts";
import { createCallIndex } from "../../../src/call/screen/call-index.ts";
import { findShellInput } from "../../../src/protocol/shell-fields.ts";
import { getPayload } from "../../support/fixtures.ts";
import { writeOwnImage } from "../../support/own-image.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "copies-")));
const project = join(folder, "app");
const [path, home] = [process.env.PATH ?? "", process.env.HOME ?? ""];
let index: ReturnType<typeof createCallIndex>;
beforeAll(async () => {
  for (const name of ["app/tools", "bin", "own", "packages/x", "home/tools", "home/other"])
    mkdirSync(join(folder, name), { recursive: true });
  writeOwnImage(join(project, "copy"));
  writeOwnImage(join(project, "padded"), { size: 200_000_000 });
  writeOwnImage(join(project, "tools/helper"));
  writeOwnImage(join(folder, "bin/mytool"));
  writeOwnImage(join(folder, "own/git"));
  writeOwnImage(join(folder, "home/tools/thing"));
  writeFileSync(join(folder, "home/other/thing"), "#!/bin/sh\n", { mode: 0o755 });
  linkSync(join(folder, "bin/mytool"), join(project, "hard"));
  symlinkSync(join(folder, "bin/mytool"), join(project, "link"));
  symlinkSync("mytool", join(folder, "bin/linked"));
  writeOwnImage(join(folder, "bin/runtime"), { entry: "claude" });
  writeFileSync(join(folder, "bin/small"), "#!/bin/sh\n", { mode: 0o755 });
  writeFileSync(join(project, "start.js"), 'const name = `@bridge-hooks/${"linux"}-x64`;\n');
  writeFileSync(join(project, "other.js"), "console.log(1);\n");
  process.env.PATH = `${join(folder, "bin")}:/usr/bin:/bin`;
  process.env.HOME = join(folder, "home");
  index = createCallIndex(await loadStarterHooks());
});
afterAll(() => {
  Object.assign(process.env, { PATH: path, HOME: home });
  rmSync(folder, { recursive: true, force: true });
});

const describeSwitchOff = (line: string) => guarded({ cwd: project }).switchedOff(commandsIn(line));

/** Whether the quick path answers a command. */
const isEnded = async (command: string): Promise<boolean> => {
  const payload = getPayload("claude", "PreToolUse-Bash", { cwd: project, tool_input: { command } });
  const system = openQuickSystem() as QuickSystem;
  return (await answerQuickly(["--host", "claude"], JSON.stringify(payload), index, system)) !== undefined;
};

/** More directories than shells usually have on PATH. */
const MANY_FOLDERS = Array.from({ length: 250 }, (_, at) => `/none/${at}`).join(":");

const PAUSES = "allows calls that the policy denies";
const INSTALLS = "changes how bridge-hooks is installed";
const REMOVES = "uninstalls bridge-hooks";
const REPLACES = "replaces the installed bridge-hooks";
const UNSEEN = "runs a bridge-hooks command that is known only at run time";

const DENIED: Readonly<Record<string, string>> = {
  [PAUSES]: `
./copy pause
./padded pause 10m
tools/helper allow --last
./hard pause
./link pause
mytool pause
linked pause
mytool "pause" 10m
cd tools && ./helper pause
cd / && mytool pause
sh -c 'mytool pause'
command mytool pause
exec -a x ./copy pause
env A=b mytool pause
env -i ./copy pause
nice -n 5 mytool pause
nohup mytool pause &
strace -f ./copy pause
ltrace mytool pause
gdb --args ./copy pause
valgrind ./copy pause
qemu-x86_64 ./copy pause
qemu-aarch64-static ./copy pause
/lib64/ld-linux-x86-64.so.2 ./copy pause
/lib/ld-musl-x86_64.so.1 ./copy pause
setarch -R ./copy pause
unknown-launcher ./copy pause
unknown-launcher --flag mytool pause
X=./copy; $X pause
./co* pause
alias g=./copy; g pause
f() { ./copy "$@"; }; f pause
echo pause | xargs ./copy
xargs ./copy pause < /dev/null
find . -name copy -exec {} pause \\;
find . -name 'help*' -exec {} pause 1h +
find . -type f -exec {} pause \\;
python3 -c 'import subprocess; subprocess.run(["./copy","pause"])'
PATH=../own:$PATH git pause
PATH=${folder}/own git pause
export PATH=${folder}/own:$PATH; git pause
node start.js pause
node node_modules/bridge-hooks/bin/bridge-hooks.js pause
bun vendor/bridge-hooks/launcher.js pause
node node_modules/.bin/bridge-hooks pause
npx --package bridge-hooks bridge-hooks pause
npx -p bridge-hooks@1 -- bridge-hooks pause
deno run -A npm:bridge-hooks pause
nix run nixpkgs#bridge-hooks -- pause
cat copy > z1; chmod +x z1; ./z1 pause
dd if=copy of=z1; ./z1 pause
cp copy z1 && ./z1 pause
ln -s copy z1; ./z1 pause
cp tools/helper /tmp; /tmp/helper pause
cp tools/helper sub/ && sub/helper pause
mv tools/helper sub/; sub/helper pause
ln tools/helper tt/ && tt/helper pause
install -m755 tools/helper tt/ && tt/helper pause
ln -s tools ll; ll/helper pause
cp -r tools tt; tt/helper pause
cp -r tools tt; nohup tt/helper pause &
cp -r . tt; tt/tools/helper pause
rsync -a tools/ rr/; rr/helper pause
cp ~/tools/thing /tmp; /tmp/thing pause
cp -r ~/tools tt; tt/thing pause
ln -s ~/tools ll; ll/thing pause
cp tools/h* tt/; tt/helper pause
PATH=${MANY_FOLDERS}:${folder}/own git pause
PATH=${MANY_FOLDERS}:${MANY_FOLDERS}:${MANY_FOLDERS}:${MANY_FOLDERS}:${MANY_FOLDERS}:${folder}/own nothing pause
find ~/tools/thing -exec {} pause \\;
find ~/tools -name thing -exec {} pause \\;
find tools -name other -o -name helper -exec {} pause \\;
find tools ! -name other -exec {} pause \\;
find ~/tools -name thing | xargs -I@ @ pause
find tools -name helper | xargs -I{} {} pause
find tools -name helper | xargs -I{} sh -c '{} pause'
X=$(find tools -name helper); $X pause
cp tools/helper sub/ && unknown-launcher sub/helper pause
scp tools/helper sub/; sub/helper pause
find tools -name helper -exec cp {} sub \\; ; sub/helper pause
ls ~/tools/thing | xargs -I@ @ pause
$(ls ~/tools/thing) pause
$(readlink -f tools/helper) pause
$(which mytool) pause
$(find ~/tools -type f) pause
exec 3<copy; /proc/self/fd/3 pause
for f in *; do ./$f pause; done
bash <<< 'mytool pause'
git -c alias.x='!./copy pause' x
echo ./copy | xargs -I{} {} pause
ls copy | xargs -I{} ./{} pause
`,
  [INSTALLS]: `
mytool install --scope user
mytool uninstall
linked uninstall --yes
./padded install
node a/bridge-hooks/launcher.js uninstall
npx -y bridge-hooks@0.0.1 uninstall
pnpm dlx bridge-hooks uninstall
npm exec -- bridge-hooks uninstall
yarn dlx bridge-hooks uninstall
PATH=${folder}/own:$PATH git install
`,
  "replaces the bridge-hooks executable": "mytool update\n./copy update",
  "changes the config of bridge-hooks": `
mytool config set locked false
./copy config unset locked
PATH=${folder}/own:$PATH git config set locked false`,
  "deletes lines from the decision log": "mytool log delete --before 2026-01-01\n./copy log delete",
  "sends the decision log elsewhere": "mytool export --to x",
  [UNSEEN]: `
bridge-hooks $X
./copy "$(cat f)"
mytool $(cat f)
cat f | xargs bridge-hooks
cat f | xargs ./copy`,
  [REMOVES]: `
npm uninstall -g bridge-hooks
npm rm --global bridge-hooks
npm r -g @bridge-hooks/linux-x64
npm uni -g bridge-hooks
npm unins -g bridge-hooks
npm rem -g bridge-hooks
npm uninstall --global=true bridge-hooks
python3 -m pip uninstall bridge-hooks
winget uninstall --id=X.bridge-hooks
winget uninstall --id X.bridge-hooks
scoop rm bridge-hooks
emerge -c bridge-hooks
emerge --depclean bridge-hooks
guix package -r bridge-hooks
nix-env -e 'bridge.*'
pkg_delete bridge-hooks
pnpm remove -g bridge-hooks
yarn global remove bridge-hooks
bun remove -g bridge-hooks
volta uninstall bridge-hooks
mise uninstall bridge-hooks
brew uninstall bridge-hooks
brew remove some/tap/bridge-hooks
brew unlink bridge-hooks
sudo apt remove bridge-hooks
apt-get purge -y bridge-hooks
apt remove 'bridge*'
corepack yarn global remove bridge-hooks
dpkg -r bridge-hooks
dpkg --purge bridge-hooks
rpm -e bridge-hooks
rpm -evh bridge-hooks
sudo dnf remove -y bridge-hooks
yum erase bridge-hooks
zypper rm bridge-hooks
pacman -Rns bridge-hooks
apk del bridge-hooks
snap remove bridge-hooks
flatpak uninstall bridge-hooks
nix profile remove bridge-hooks
winget uninstall BridgeHooks.BridgeHooks
winget uninstall bridge-hooks
choco uninstall bridge-hooks
scoop uninstall bridge-hooks
msiexec /x bridge-hooks-1.0.0.msi
msiexec /quiet /x bridge-hooks.msi
pkgutil --forget bridge-hooks
echo bridge-hooks | xargs apt-get remove -y`,
  [REPLACES]: `
npm i -g bridge-hooks@0.0.1
npm install --global bridge-hooks@latest
pnpm add -g bridge-hooks@0.0.1
yarn global add bridge-hooks@0.0.1
bun add -g bridge-hooks@0.0.1
npm i -g npm:bridge-hooks@0.0.1
apk add '!bridge-hooks'
aptitude install bridge-hooks_
npm inst -g bridge-hooks@0.0.1
npm upd -g bridge-hooks
npm i --global=true bridge-hooks@0.0.1
pacman -U bridge-hooks.pkg.tar.zst
npm i -g ./bridge-hooks-0.0.1.tgz
apt-get install bridge-hooks-
brew reinstall bridge-hooks
apt install bridge-hooks=0.0.1
apt-get install --allow-downgrades ./bridge-hooks_0.0.1_amd64.deb
dpkg -i bridge-hooks_0.0.1_amd64.deb
rpm -U --oldpackage bridge-hooks-0.0.1-1.x86_64.rpm
dnf downgrade bridge-hooks
pacman -U bridge-hooks-0.0.1.pkg.tar.zst
winget install BridgeHooks.BridgeHooks --version 0.0.1
choco install bridge-hooks --version 0.0.1
scoop install bridge-hooks@0.0.1
snap revert bridge-hooks
installer -pkg bridge-hooks-0.0.1.pkg -target /`,
};

const PASSED = `
bridge-hooks doctor
bridge-hooks list
bridge-hooks status
bridge-hooks status --session
./copy status --session --json
bridge-hooks --version
bridge-hooks explain git/push-force
bridge-hooks try --command 'mytool pause'
bridge-hooks test
bridge-hooks log
bridge-hooks allow list
./copy doctor
./copy --version
mytool status
mytool log
mytool config show
ls $(which bridge-hooks)
ls -la copy
runtime pause
runtime install
runtime config set a b
small pause
small install
absent pause
git pause
npm install
npm install left-pad
npm uninstall left-pad
npm update
npm run export
npm config set fund false
npm install bridge-hooks
npm install bridge-hooks-plugin
npm i -g bridge-hooks-plugin
npm uninstall -g bridge-hooks-plugin
npm ls -g bridge-hooks
npm uni -g bridge-hooks-plugin
npm info -g bridge-hooks
npm install --global=false bridge-hooks
npm inf bridge-hooks
python3 -m pip install x
python3 -c 'print("bridge-hooks")'
python3 -m pip show bridge-hooks
winget show --id=X.bridge-hooks
emerge -s bridge-hooks
guix show bridge-hooks
apk info bridge-hooks
npm view bridge-hooks
brew upgrade
brew info bridge-hooks
apt remove nano
apt show bridge-hooks
sudo apt-get update
apt-cache policy bridge-hooks
dpkg -L bridge-hooks
rpm -q bridge-hooks
rpm -qi bridge-hooks
pacman -Qi bridge-hooks
pacman -Ss bridge-hooks
winget show BridgeHooks.BridgeHooks
pip install -r requirements.txt
make install
docker pause web
direnv allow
export A=b
git commit -m 'pause and install'
git log delete
find . -name '*.sh' -exec {} install \\;
find tools -name setup -exec {} install \\;
node other.js pause
node other.js install
echo install | xargs npm
X=install; npm $X
npm run $X
node $X
echo bridge-hooks pause
grep -r bridge-hooks install
cat node_modules/bridge-hooks/package.json
node node_modules/bridge-hooks/bin/bridge-hooks.js doctor
find tools -name setup | xargs -I@ @ install
$(which small) install
$(ls ~/other/thing) pause
$(find ~/other -type f) pause
find ~/other -name thing -exec {} install \\;
PATH=${MANY_FOLDERS}:$PATH git pause
cp -r app src && npm install
mv tools tt; npm install
cp tools/helper sub/; sub/other pause
cp -r src sub/; sub/thing install
rsync -a ~/other/ rr/; rr/thing pause
ln -s ~/other ll; ll/thing pause
cp -r tools tt; tt/helper doctor
cp copy z1; ./z1 doctor
cp other.js z1; ./z1 pause
cp bin/runtime z1; ./z1 install`;

const listLines = (text: string) => text.trim().split("\n");

describe.skipIf(process.platform === "win32")("this executable is recognized under any name", () => {
  for (const [what, lines] of Object.entries(DENIED))
    for (const line of listLines(lines))
      test(line, async () => {
        expect(describeSwitchOff(line)).toBe(what);
        expect(await isEnded(line)).toBe(false);
      });
});

describe.skipIf(process.platform === "win32")("other programs and other commands are allowed", () => {
  for (const line of listLines(PASSED)) test(line, () => expect(describeSwitchOff(line)).toBeUndefined());
});

describe.skipIf(process.platform === "win32")("a copy is searched for in the directory that the call names", () => {
  const CALLS: [host: string, event: string, tool_name: string, input: object][] = [
    ["gemini", "BeforeTool", "run_shell_command", { command: "./helper pause", dir_path: "tools" }],
    ["gemini", "BeforeTool", "run_shell_command", { command: "./thing pause", dir_path: "../home/tools" }],
    ["claude", "PreToolUse", "mcp__shell__run_command", { command: "../copy pause", cwd: join(project, "tools") }],
    ["claude", "PreToolUse", "mcp__shell__run_command", { command: "./thing pause", workdir: "~/tools" }],
  ];
  for (const [host, hook_event_name, tool_name, tool_input] of CALLS)
    test(`${host} ${tool_name} ${JSON.stringify(tool_input).replaceAll(folder, "…")}`, async () => {
      const payload = JSON.stringify({
        session_id: "s",
        transcript_path: "/t",
        cwd: project,
        hook_event_name,
        tool_name,
        tool_input,
      });
      const system = openQuickSystem() as QuickSystem;
      expect(await answerQuickly(["--host", host], payload, index, system)).toBeUndefined();
      const event = { cwd: project, ...getShellInput(tool_name, tool_input) };
      expect(guarded(event).switchedOff(commandsIn(event.input.command))).toBe(PAUSES);
    });
});

describe.skipIf(process.platform === "win32")("a program and its arguments may be in two fields", () => {
  const DENIED_INPUTS: [tool: string, input: object][] = [
    ["run_command", { cmdline: "bridge-hooks pause" }],
    ["run_command", { command: "bridge-hooks", arguments: "pause" }],
    ["run_command", { command: "bridge-hooks", args: "pause 10m" }],
    ["run_command", { command: "bridge-hooks", params: ["pause"] }],
    ["run_command", { exe: "./copy", args: ["pause"] }],
    ["start_process", { binary: "./copy", argv: ["pause"] }],
    ["exec", { file: "./copy", args: ["pause"] }],
    ["execute_program", { path: join(project, "copy"), argv: ["pause"] }],
  ];
  for (const [tool, input] of DENIED_INPUTS)
    test(`${tool} ${JSON.stringify(input).replaceAll(folder, "…")}`, () => {
      expect(guarded({ cwd: project }).switchedOff(commandsIn(getShellInput(tool, input).input.command))).toBe(PAUSES);
    });
  const PASSED_INPUTS: [tool: string, input: object][] = [
    ["read_file", { path: "copy", args: ["pause"] }],
    ["run_script", { path: "other.js", args: ["pause"] }],
    ["run_command", { command: "npm", arguments: "install" }],
    ["call_api", { path: "/jobs", params: ["pause"] }],
  ];
  for (const [tool, input] of PASSED_INPUTS)
    test(`allowed: ${tool} ${JSON.stringify(input)}`, () => {
      const { command } = getShellInput(tool, input).input;
      expect(guarded({ cwd: project }).switchedOff(commandsIn(command))).toBeUndefined();
    });
});

/** Returns the fields of a shell call, as they would be read from a host's payload. */
function getShellInput(tool_name: string, tool_input: object) {
  const { command, cwd } = findShellInput(tool_name, tool_input as Record<string, unknown>) ?? { command: "" };
  return { tool: "Bash", input: { command, cwd } };
}

test("common commands with the words of our commands stay on the quick path", async () => {
  for (const line of [
    "small install",
    "small update left-pad",
    "small pause",
    "git status",
    "absent install x",
    "./copy doctor",
    "ls -la copy",
  ])
    expect([line, await isEnded(line)]).toEqual([line, true]);
});
