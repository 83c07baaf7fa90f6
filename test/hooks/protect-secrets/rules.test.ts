import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { formatReason, type RuleExample, SECRETS_RULES, type SecretsRuleId } from "../../../hooks/_secrets/rules.ts";
import { ROOT } from "../../support/fixtures.ts";
import { askBash, askHook, getSecret } from "./project.ts";

const ruleIds = Object.keys(SECRETS_RULES) as SecretsRuleId[];

/** Runs the hook on an example in which placeholders are replaced by made-up secrets. */
function askExample(example: RuleExample) {
  const event = (
    typeof example === "string"
      ? { event: "PreToolUse", tool: "Bash", tool_name: "Bash", input: { command: example } }
      : "prompt" in example
        ? { event: "UserPromptSubmit", ...example }
        : { event: "PreToolUse", tool_name: example.tool, ...example }
  ) as object;
  const text = JSON.stringify(event).replace(/\{([a-z]+-[a-z]+)\}/g, (_, kind: string) => getSecret(kind));
  return askHook(JSON.parse(text) as object);
}

for (const id of ruleIds)
  describe(`the rule ${id}`, () => {
    const { deny, allow } = SECRETS_RULES[id];
    for (const example of deny as readonly RuleExample[])
      test(`denies ${JSON.stringify(example)}`, async () => {
        const { decision, reason } = (await askExample(example)) ?? {};
        expect(decision).toBe("deny");
        expect(reason).toEndWith(` [bridge-hooks ${id}]`);
      });
    for (const example of allow as readonly RuleExample[])
      test(`allows ${JSON.stringify(example)}`, async () => expect(await askExample(example)).toBeUndefined());
  });

test("every rule is used by the hook", () => {
  const sources = ["hooks/protect-secrets.ts", "hooks/_secrets/call-reasons.ts", "hooks/_secrets/commits.ts"]
    .map((file) => readFileSync(join(ROOT, file), "utf8"))
    .join("");
  expect(ruleIds.filter((id) => !sources.includes(`"${id}"`))).toEqual([]);
});

test("every piece of a rule's advice occurs in some case", () => {
  const found = {
    "secrets/read-file": [
      ".env.local",
      "~/.kube/config",
      "~/.aws/credentials",
      "a/server.key",
      "~/.bash_history",
      "k8s/secret.yaml",
      "~/.netrc",
    ],
    "secrets/write-file": [
      ".env contains secrets, and this would overwrite it with a template",
      ".env contains secrets, and this would remove it",
      "k8s/secret.yaml would contain secrets",
      ".env contains secrets, and this would change it",
      "server.key contains secrets, and this would overwrite it",
    ],
    "secrets/print-environment": ["env", "echo $TOKEN"],
    "secrets/print-stored": [
      "kubectl get secret",
      "kubectl config view",
      "gh auth token",
      "docker compose config",
      "docker inspect",
      "terraform show",
      "terraform output",
      "gpg",
      "vault read",
      "bw unlock",
    ],
    "secrets/in-text": [
      "a.ts would contain a secret (x)",
      "the call contains a secret (x)",
      "a.ts contains a secret (x)",
    ],
  };
  for (const [id, whats] of Object.entries(found)) {
    const given = whats.map((what) => formatReason(id as SecretsRuleId, what).slice(what.length));
    expect(new Set(given).size).toBe(SECRETS_RULES[id as SecretsRuleId].advice.length);
  }
});

test("the advice fits the case", async () => {
  const reason = async (command: string) => (await askBash(command))?.reason;
  expect(await reason("kubectl get secret db -o yaml")).toBe(
    'Blocked: "kubectl get secret" prints a stored secret. "kubectl describe secret" shows the keys and sizes without the values. [bridge-hooks secrets/print-stored]',
  );
  expect(await reason("gh auth token")).toContain('$(gh auth token)"');
  expect(await reason("cat ~/.aws/credentials")).toBe(
    'Blocked: ~/.aws/credentials contains secrets. Run aws, which reads the file itself; "aws configure list" shows which values are set. [bridge-hooks secrets/read-file]',
  );
  expect(await reason("env")).toBe(
    'Blocked: "env" prints secrets from the environment. List only the names with "env | cut -d= -f1". [bridge-hooks secrets/print-environment]',
  );
});
