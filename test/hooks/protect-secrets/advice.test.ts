import { expect, test } from "bun:test";
import { SECRETS_RULES, type SecretsRule } from "../../../hooks/_secrets/rules.ts";
import { askCall, splitRows } from "./project.ts";

/** Commands that denials suggest, for each shell. */
const ADVISED: Readonly<Record<string, string>> = {
  bash: String.raw`
env | cut -d= -f1
test -n "$GITHUB_TOKEN"
[ -z "$GITHUB_TOKEN" ] || echo set
cp -n .env.example .env
echo "API_KEY=made-up" >> .env.example
kubectl describe secret db
kubectl config view
aws configure list
git restore --staged .env
echo .env >> .gitignore
docker compose config --quiet
docker compose config --no-interpolate
docker inspect -f '{{.State.Status}}' web
terraform state list
terraform show
terraform output -json | jq keys
gpg -o out.txt -d x.gpg
sops -d --output out.yaml x.yaml
doppler run -- npm start
op run -- npm start
cat .env.example
curl -H "Authorization: Bearer $(gh auth token)" https://api.github.com/user
ansible-vault decrypt --output out.yml x.yml
terraform output vpc_id
`,
  powershell: String.raw`
(Get-ChildItem env:).Name
if (-not (Test-Path .env)) { Copy-Item .env.example .env }
`,
  cmd: String.raw`
if defined NAME echo yes
if defined GITHUB_TOKEN echo yes
if not exist .env copy .env.example .env
`,
};

for (const [shell, lines] of Object.entries(ADVISED))
  for (const command of splitRows(lines))
    test(`a denial's suggestion is allowed in ${shell}: ${command}`, async () =>
      expect(await askCall("Bash", { command, shell })).toBeUndefined());

/** Extracts the commands from the advice in a denial. Text in quotes or after a colon is a shell command. */
const listQuoted = (advice: string): string[] =>
  [...advice.matchAll(/"([a-z(][^"]*)"|: (if .*)$/gi)].map(([, quoted, line]) => quoted ?? line ?? "");

test("every command quoted in an advice is allowed in its shell", async () => {
  for (const rule of Object.values(SECRETS_RULES))
    for (const [, advice] of (rule as SecretsRule).advice)
      for (const [shell, text] of Object.entries(typeof advice === "string" ? { bash: advice } : advice))
        for (const command of listQuoted(text))
          expect([command, await askCall("Bash", { command, shell })]).toEqual([command, undefined]);
});
