import { expect, test } from "bun:test";
import { askBash, askCall, splitRows } from "./project.ts";

const ALLOWED = splitRows(String.raw`
cut -d= -f1 .env
cut -d '=' -f 1 .env | sort
cut -d= -f1 < .env
awk -F= '{print $1}' .env
awk -F '=' '{print $1}' sub/.env.local
sed 's/=.*//' .env
sed -e 's/=.*/=/' .env | sort -u > names.txt
grep -o '^[^=]*' .env
grep -oE '^[A-Z_]+' .env
grep -v '^#' .env | cut -d= -f1
cat .env | cut -d= -f1
sort .env | sed 's/=.*//'
diff <(cut -d= -f1 .env | sort) <(cut -d= -f1 .env.example | sort)
comm -23 <(cut -d= -f1 .env | sort) <(cut -d= -f1 .env.example | sort)
cat .env.exampl?
cat .env.*mple
cat .env.sam*
kubectl create secret generic x --from-file=.env
kubectl create secret generic x --from-file .env
kubectl -n a create secret generic x --from-file=env=.env
echo "$NPM_TOKEN" | npm login
env | grep -o '^[A-Z_]*TOKEN[A-Z_]*'
env | grep TOKEN | cut -d= -f1
`);
const DENIED = splitRows(String.raw`
cut -d= -f2 .env
cut -d= -f1,2 .env
cut -d= -f1- .env
awk -F= '{print $2}' .env
sed 's/=.*//w x' .env; cat .env
sed -i 's/=.*//' .env
sed 's/=.*//' .env -i
grep -o '^[^=]*=.*' .env
cut -d= -f1 .env; cat .env
cut -d= -f1 .env | tee x; head .env
cut -d= -f1 id_rsa
cat .env | tee x | cut -d= -f1
cat .env
cat .env | pbcopy
grep -v '^#' .env
grep -v '^#' .env | sort
diff <(cut -d= -f1 .env | sort) .env
cat .env.?
cat .en?
cat .env.*
cat .env.[a-z]*
kubectl create secret generic x --from-file=.env --dry-run=client -o yaml
kubectl create configmap x --from-file=.env
echo "$NPM_TOKEN" | npm view
echo "$NPM_TOKEN" | tee x | npm login
env | grep -o '^[A-Z_]*TOKEN.*'
env | grep -o 'TOKEN=.*'
env | grep TOKEN | sort
`);
const ALLOWED_IN_POWERSHELL = splitRows(String.raw`
Get-ChildItem env: | Select-Object Name
gci env: | sort Name | select -ExpandProperty Name
gci env: | % Name
[bool]$env:GITHUB_TOKEN
`);
const DENIED_IN_POWERSHELL = splitRows(String.raw`
gci env: | sort Name
gci env: | Select-Object Name, Value
gci env: | select Value
gci env: | select Name; gci env:
[string]$env:GITHUB_TOKEN
$env:GITHUB_TOKEN
`);

const askPowerShell = (command: string) => askCall("Bash", { command, shell: "powershell" });

for (const line of ALLOWED)
  test(`a line that shows no more than names of secrets passes: ${line}`, async () =>
    expect(await askBash(line)).toBeUndefined());
for (const line of DENIED)
  test(`a line that shows more than names of secrets is denied: ${line}`, async () =>
    expect((await askBash(line))?.decision).toBe("deny"));
for (const line of ALLOWED_IN_POWERSHELL)
  test(`a PowerShell line that shows no more than names of secrets passes: ${line}`, async () =>
    expect(await askPowerShell(line)).toBeUndefined());
for (const line of DENIED_IN_POWERSHELL)
  test(`a PowerShell line that shows more than names of secrets is denied: ${line}`, async () =>
    expect((await askPowerShell(line))?.decision).toBe("deny"));
