import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { askHook, folder, githubToken, splitRows } from "./project.ts";

/** A project with secret files, and a directory that has none. */
const project = join(folder, "written");
mkdirSync(join(project, "new"), { recursive: true });
mkdirSync(join(project, "k8s"));
for (const [name, text] of Object.entries({
  ".env": "KEY=1\n",
  ".env.example": "KEY=\n",
  "server.key": "-----BEGIN PRIVATE KEY-----\n",
  "k8s/secret.yaml": "kind: Secret\ndata:\n  password: aHVudGVyMg==\n",
  "new/.env.example": "KEY=\n",
  "notes.txt": "to do\n",
}))
  writeFileSync(join(project, name), text);

const ask = (tool: string, input: object, options?: object) =>
  askHook({ event: "PreToolUse", tool, tool_name: tool, cwd: project, input }, options);
const getRule = async (...call: Parameters<typeof ask>) =>
  / secrets\/([a-z-]+)\]$/.exec((await ask(...call))?.reason ?? "")?.[1];

/** Commands that write files, grouped by shell. */
const WRITTEN: Readonly<Record<string, string>> = {
  bash: String.raw`
echo KEY=1 >> .env
printf 'A=1\n' > ./.env
cat > .env <<'X'
echo A=1 | tee -a .env
cp notes.txt .env
mv notes.txt .env
cp .env.example .env
install -m 600 notes.txt .env
ln -sf notes.txt .env
dd if=notes.txt of=.env
sed -i 's/1/2/' .env
perl -pi -e 's/1/2/' .env
truncate -s 0 .env
rm .env
git checkout -- .env
git restore .env
curl -o server.key https://example.com/x
openssl genrsa -out server.key 2048
kubectl create secret generic x --dry-run=client -o yaml > k8s/secret.yaml
ssh host 'echo A=1 >> .env'
echo A=1 >> "$DIR/.env"
python3 -c "open('.env','w').write('x')"
python3 -c "from pathlib import Path; Path('.env').write_text('x')"
node -e "require('fs').appendFileSync('.env', 'A=1')"
`,
  powershell: String.raw`
Copy-Item .env.example .env
Set-Content .env 'A=1'
Add-Content -Path .env -Value 'A=1'
'A=1' | Out-File .env
"A=1" > .env
Remove-Item .env
`,
  cmd: String.raw`
copy .env.example .env
echo A=1 >> .env
del .env
`,
};
const MADE: Readonly<Record<string, string>> = {
  bash: String.raw`
echo KEY=1 > new/.env
echo KEY=1 >> new/.env.local
echo A=1 > new/.env; echo B=2 >> new/.env
cat > new/.env <<'X'
cp .env.example new/.env
cd new && cp .env.example .env
cd new && cp .env.example .env && sed -i 's/KEY=.*/KEY=1/' .env
mv notes.txt new/.env
cp -n .env.example .env
[ -f .env ] || cp .env.example .env
echo A=1 | tee new/.env.test.local
touch .env
curl -o new/server.key https://example.com/x
openssl genrsa -out new/server.key 2048
openssl rand -hex 32 > new/master.key
python3 -c "open('new/.env','w').write('x')"
node -e "require('fs').writeFileSync('new/.env', 'A=1')"
podman login --authfile ~/.config/containers/auth.json docker.io
archinstall --creds-url https://example.com/creds.json
archinstall --config config.json --creds credentials.json
`,
  powershell: String.raw`
Copy-Item new/.env.example new/.env
if (-not (Test-Path .env)) { Copy-Item .env.example .env }
if (!(Test-Path -Path .env)) { cp .env.example .env }
Set-Content new/.env 'A=1'
'A=1' | Out-File new/.env
New-Item new/.env
`,
  cmd: String.raw`
copy new\.env.example new\.env
if not exist .env copy .env.example .env
echo A=1 >> new\.env
del C:\Windows\System32\*.* /s /q
del /q *.*
`,
};
const READ = splitRows(String.raw`
cat .env
cp .env new/.env
cat .env > new/.env
mv .env new/x
sed -n p .env
sed -i 's/1/2/w /dev/stdout' .env
tee new/x < .env
ln -s .env new/x
echo A=1 > new/.env && cat new/.env
cp server.key new/server.key
git reset -p .env
python3 -c "open('.env','w').write(open('.env').read())"
python3 -c "print(open('.env','r').read())"
node -e "console.log(require('fs').readFileSync('.env','utf8'))"
podman login --authfile auth.json docker.io; cat ~/.config/containers/auth.json
`);

describe("secrets/write-file", () => {
  for (const shell of ["bash", "powershell", "cmd"]) {
    for (const command of splitRows(WRITTEN[shell] as string))
      test(`denies in ${shell} ${command}`, async () =>
        expect(await getRule("Bash", { command, shell })).toBe("write-file"));
    for (const command of splitRows(MADE[shell] as string))
      test(`allows in ${shell} ${command}`, async () => expect(await ask("Bash", { command, shell })).toBeUndefined());
  }
  for (const command of READ)
    test(`leaves to secrets/read-file ${command}`, async () =>
      expect(await getRule("Bash", { command })).toBe("read-file"));
});

const write = (file_path: string, content: string) => ["Write", { file_path, content }] as const;
const edit = (file_path: string, operation: string) =>
  ["Edit", { files: [{ file_path, operation, edits: [{ old_string: "a", new_string: "b" }] }] }] as const;

test("file tools may create a secret file, but not change one", async () => {
  expect(await getRule(...write(".env", "KEY=1\n"))).toBe("write-file");
  expect(await getRule(...edit(".env", "update"))).toBe("write-file");
  expect(await getRule(...edit("server.key", "delete"))).toBe("write-file");
  expect(await getRule("MCP", { tool: "write_file", arguments: { path: ".env", content: "A=1" } })).toBe("write-file");
  expect(await getRule(...write("k8s/new/secret.yaml", "kind: Secret\nstringData:\n  a: hunter2\n"))).toBe(
    "write-file",
  );
  expect(await getRule(...write("new/.env", `TOKEN=${githubToken}\n`))).toBe("in-text");
  expect(await getRule(...write("new/.env", "PORT=3000\n"))).toBeUndefined();
  expect(await getRule(...write(".env.local", "KEY=1\n"))).toBeUndefined();
  expect(await getRule(...edit("new/.env", "add"))).toBeUndefined();
  expect(await getRule("MCP", { tool: "write_file", arguments: { path: "new/.env", content: "A=1" } })).toBeUndefined();
});

test("a file that the user protects may not be created either", async () => {
  expect(await getRule(...write("new/x.local", "1"), { deny: ["*.local"] })).toBe("write-file");
  expect(await getRule("Bash", { command: "echo 1 > new/x.local" }, { deny: ["*.local"] })).toBe("write-file");
  expect(await getRule("Bash", { command: "echo KEY=1 >> .env" }, { allow: [".env"] })).toBeUndefined();
});

test("the advice uses the shell of the command", async () => {
  const getReason = async (command: string, shell: string) => (await ask("Bash", { command, shell }))?.reason;
  expect(await getReason("cp .env.example .env", "bash")).toContain("cp -n");
  expect(await getReason("Copy-Item .env.example .env", "powershell")).toContain("if (-not (Test-Path .env))");
  expect(await getReason("copy .env.example .env", "cmd")).toContain("if not exist .env copy");
  expect(await getReason("gci env:", "powershell")).toContain('"(Get-ChildItem env:).Name"');
  expect(await getReason("set", "cmd")).toContain("if defined NAME");
});
