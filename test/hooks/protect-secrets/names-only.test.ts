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
cut -f1 -d= .env
cut --delimiter== --fields=1 .env
cut -sd= -f1 .env | sort
sed 's/=.*/=***/' .env
sed -E 's/=.*/=<redacted>/' .env
sed 's|=.*|=x|' .env
sed -E 's/(=).*/\1***/' .env
sed -n 's/^\([A-Z_]*\)=.*/\1/p' .env
sed -nE 's/^([A-Za-z_]+)=.*$/\1/p' .env
awk -F= 'NF{print $1}' .env
awk -F= '!/^#/ && NF {print $1}' .env
awk -F'=' '/^[A-Z]/ { print $1 "=***" }' .env
awk -F= '{print $1, length($2)}' .env
awk 'BEGIN{FS="="}{print $1}' .env
perl -pe 's/=.*//' .env
perl -ne 'print "$1\n" if /^(\w+)=/' .env
rg -o '^[A-Z_]+' .env
rg -c KEY .env
rg -q KEY .env && echo set
rg -l KEY .env
cat .env | wc -l
grep -qE '^KEY=' .env && echo set
env | sed -E 's/=.*/=***/'
env | grep -i docker | cut -d= -f1
perl -e 'print join "\n", sort keys %ENV'
env | grep ^FOO=
env | grep VITE_
env | grep -iE 'node|npm_config'
env | rg -i vscode
export -p | grep MY_APP
set | grep '^x'
set | grep '^foo='
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
cut -d= -f1 --complement .env
cut -d_ -f1 .env
sed 's/=.*/=&/' .env
sed 's/^#.*//' .env
sed -n '/KEY/p' .env
sed -E 's/(.*)=.*/\1/' .env
sed -E 's/=(.*)/ \1/' .env
sed 's/=.*//;1r .env' .env
awk -F= '{print $1, $2}' .env
awk -F= '{print}' .env
awk -F= '{print $1; system("cat .env")}' .env
awk -F_ '{print $1}' .env
awk '{print $1}' .env
perl -pe 's/#.*//' .env
perl -ne 'print "$2\n" if /^(\w+)=(.*)/' .env
perl -ne 'print if /^(\w+)=/' .env
rg KEY .env
rg -tc KEY .env
rg -L KEY .env
rg -o '^KEY=.*' .env
grep -ec .env
cat .env | tee x | wc -l
perl -e 'print join "\n", values %ENV'
perl -e 'print join "\n", map { $ENV{$_} } keys %ENV'
env | grep -i key
env | grep -i tok
env | grep GITHUB
env | grep -i claude
env | grep -E 'PATH|AWS'
env | grep -i auth
env | grep DATABASE
env | grep _
env | grep .
env | grep =
env | grep A
env | rg -i secret
set | grep PASS
set | grep '^api_token'
`);
const ALLOWED_IN_POWERSHELL = splitRows(String.raw`
Get-ChildItem env: | Select-Object Name
gci env: | sort Name | select -ExpandProperty Name
gci env: | % Name
[bool]$env:GITHUB_TOKEN
Test-Path env:GITHUB_TOKEN
(gci env:).Name
(Get-ChildItem env:).Key | sort
(dir env:).Count
gci env: | % { $_.Name }
gci env: | ForEach-Object { $_.Key }
gci env:*PATH*
gci env: | ? { $_.Name -like 'NODE*' }
gci env: | Where-Object Name -like '*PATH*'
Get-Content .env | ForEach-Object { $_.Split('=')[0] }
Get-Content .env | % { ($_ -split '=')[0] }
Get-Content .env | % { ($_ -split '=', 2)[0].Trim() }
(Get-Content .env).Count
gc .env | Measure-Object -Line
`);
const ALLOWED_IN_CMD = splitRows(String.raw`
set | findstr PATH
set | findstr /i node
if defined GITHUB_TOKEN echo yes
`);
const DENIED_IN_CMD = splitRows(String.raw`
set | findstr TOKEN
set | findstr /i "path key"
set | findstr /v PATH
set | findstr /g:x
set
`);
const DENIED_IN_POWERSHELL = splitRows(String.raw`
gci env: | sort Name
gci env: | Select-Object Name, Value
gci env: | select Value
gci env: | select Name; gci env:
[string]$env:GITHUB_TOKEN
(gci env:).Value
gci env: | % { $_.Value }
gci env:*TOKEN*
gci env:GITHUB_TOKEN
gci env: | ? { $_.Name -like '*KEY*' }
gci env: | ? { $_.Value -like 'x*' }
Get-Content env:GITHUB_TOKEN
Get-Content .env | % { $_.Split('=')[1] }
Get-Content .env | % { $_.Split('_')[0] }
(Get-Content .env)
$env:GITHUB_TOKEN
`);

const askPowerShell = (command: string) => askCall("Bash", { command, shell: "powershell" });

const askCmd = (command: string) => askCall("Bash", { command, shell: "cmd" });

for (const line of ALLOWED_IN_CMD)
  test(`a cmd.exe command that prints only names of secrets is allowed: ${line}`, async () =>
    expect(await askCmd(line)).toBeUndefined());
for (const line of DENIED_IN_CMD)
  test(`a cmd.exe command that prints more than names of secrets is denied: ${line}`, async () =>
    expect((await askCmd(line))?.decision).toBe("deny"));
for (const line of ALLOWED)
  test(`a command that prints only names of secrets is allowed: ${line}`, async () =>
    expect(await askBash(line)).toBeUndefined());
for (const line of DENIED)
  test(`a command that prints more than names of secrets is denied: ${line}`, async () =>
    expect((await askBash(line))?.decision).toBe("deny"));
for (const line of ALLOWED_IN_POWERSHELL)
  test(`a PowerShell command that prints only names of secrets is allowed: ${line}`, async () =>
    expect(await askPowerShell(line)).toBeUndefined());
for (const line of DENIED_IN_POWERSHELL)
  test(`a PowerShell command that prints more than names of secrets is denied: ${line}`, async () =>
    expect((await askPowerShell(line))?.decision).toBe("deny"));
