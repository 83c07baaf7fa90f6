import type { Rule } from "bridge-hooks";
import type { SecretsSettings } from "./options.ts";

/**
 * An example for a rule: a shell command, a call of another tool, or a prompt. `{github-token}` stands for a made-up
 * secret.
 */
export type RuleExample = string | { tool: string; input: Readonly<Record<string, unknown>> } | { prompt: string };

/** The shell in which a call's command runs. */
export type LineShell = "bash" | "powershell" | "cmd";
/** The safer alternative. If it depends on the shell, there is one per shell. */
type Advice = string | Readonly<Record<LineShell, string>>;

/** A rule of protect-secrets, including its messages. */
export interface SecretsRule {
  /** The option that determines the rule's decision. */
  setting: keyof SecretsSettings;
  /** Formats the reason from the finding. */
  describe: (finding: string) => string;
  /** Safer alternatives. The first one whose pattern matches the finding is used. */
  advice: readonly (readonly [what: RegExp, advice: Advice])[];
  deny: readonly RuleExample[];
  /** Similar calls that remain allowed. */
  allow: readonly RuleExample[];
}

const ANY_FINDING_PATTERN = /(?:)/;
const ASK_USER_ADVICE = "Ask the user for the part that you need";

export const SECRETS_RULES = {
  "secrets/read-file": {
    setting: "files",
    describe: (file) => `${file} contains secrets.`,
    advice: [
      [/\.env(?:rc)?(?:[._-]|$)/i, `${ASK_USER_ADVICE}, or use a template such as .env.example.`],
      [
        /\.kube(?:[/\\]|$)|\.conf$|(?:k3s|rke2)\.yaml$/i,
        'Run kubectl, which reads the file itself; "kubectl config view" shows the file without secrets.',
      ],
      [/\.aws(?:[/\\]|$)/i, 'Run aws, which reads the file itself; "aws configure list" shows which values are set.'],
      [
        /\.(?:pem|key|p8|asc|p12|pfx|jks|keystore|ppk)$|id_(?:rsa|dsa|ecdsa|ed25519)|\.ssh(?:[/\\]|$)/i,
        "Pass the file's path to the program that needs the key, as in ssh -i or curl --key; to share a key, use the public key or certificate.",
      ],
      [/_history$/i, "Ask the user for the commands you need."],
      [/secrets?\.ya?ml$/i, `${ASK_USER_ADVICE}; a template with {{ }} for each value may be read.`],
      [ANY_FINDING_PATTERN, `${ASK_USER_ADVICE}; the program that uses the file reads it directly.`],
    ],
    deny: ["cat .env", "base64 ~/.ssh/id_ed25519", { tool: "Read", input: { file_path: "~/.aws/credentials" } }],
    allow: [
      "cat .env.example",
      "ssh -i ~/.ssh/id_ed25519 host",
      { tool: "Read", input: { file_path: "~/.aws/config" } },
    ],
  },
  "secrets/write-file": {
    setting: "files",
    describe: (finding) => `${finding}.`,
    advice: [
      [
        /with a template$/,
        {
          bash: "Use cp -n, which keeps an existing file.",
          powershell:
            "Copy the template only if .env doesn't exist: if (-not (Test-Path .env)) { Copy-Item .env.example .env }",
          cmd: "Copy the template only if .env doesn't exist: if not exist .env copy .env.example .env",
        },
      ],
      [/ remove it$/, "Ask the user to remove the file."],
      [/ would contain secrets$/, "Leave out the values, and ask the user to fill them in."],
      [
        /\.env|\.dev\.vars/i,
        "Add the name with a placeholder value to a template such as .env.example, and ask the user to set the real one.",
      ],
      [ANY_FINDING_PATTERN, "Write a new file instead, and ask the user to replace this one."],
    ],
    deny: [
      "echo KEY=1 >> .env",
      "cp .env.example .env",
      { tool: "Write", input: { file_path: ".env", content: "KEY=1\n" } },
    ],
    allow: [
      "echo KEY= >> .env.example",
      "cp -n .env.example .env",
      { tool: "Write", input: { file_path: ".env.new", content: "PORT=3000\n" } },
    ],
  },
  "secrets/print-environment": {
    setting: "printing",
    describe: (finding) => `"${finding}" prints secrets from the environment.`,
    advice: [
      [
        /^(?:env|printenv|set|export|declare|typeset|readonly|ps \S+|(?:\S+ )?env:\S*|the environment in \S+)$/i,
        {
          bash: 'List only the names with "env | cut -d= -f1".',
          powershell: 'List only the names with "(Get-ChildItem env:).Name".',
          cmd: 'Check whether a variable is set with "if defined NAME echo yes".',
        },
      ],
      [
        ANY_FINDING_PATTERN,
        "Pass the variable by name to the program that needs it; to check whether the variable is set, test its length.",
      ],
    ],
    deny: ["env | sort", 'echo "$GITHUB_TOKEN"', "node -p process.env"],
    allow: ["env | cut -d= -f1", 'test -n "$GITHUB_TOKEN"', "node -p process.env.HOME"],
  },
  "secrets/print-stored": {
    setting: "printing",
    describe: (finding) => `"${finding}" prints a stored secret.`,
    advice: [
      [/^(?:kubectl|oc|k) get/, '"kubectl describe secret" shows the keys and sizes without the values.'],
      [/^(?:kubectl|oc|k) config/, '"kubectl config view" without --raw omits the secrets.'],
      [
        /^gh auth|^glab auth/,
        'gh and git use the token automatically; pass it to another program inside that command, as in curl -H "Authorization: Bearer $(gh auth token)".',
      ],
      [
        /^docker(?:-compose)? (?:compose |\S+ )?(?:\S+ )*config$/,
        '"docker compose config --quiet" validates the config, and --no-interpolate shows the config without the values.',
      ],
      [
        /^(?:docker|podman) inspect/,
        "Select the fields you need with -f, as in docker inspect -f '{{.State.Status}}'.",
      ],
      [
        /^(?:terraform|tofu|terragrunt) (?:show|state)/,
        '"terraform state list" and "terraform show" without -json omit secrets.',
      ],
      [/^(?:terraform|tofu|terragrunt) /, "Request a single output that isn't secret, or list the names with jq keys."],
      [
        /^(?:gpg2?|age|rage|sops|ansible-vault)\b/,
        "Write the result to a file with the program's output option, and don't read that file.",
      ],
      [
        /^(?:doppler|infisical|op|vault)\b/,
        "Let the tool pass the values to the program that needs them, as doppler run and op run do.",
      ],
      [
        ANY_FINDING_PATTERN,
        'Use the secret inside the command that needs it, as in curl -H "Authorization: Bearer $(…)".',
      ],
    ],
    deny: ["gh auth token", "kubectl get secret db -o yaml", "security dump-keychain"],
    allow: [
      "gh auth status",
      "kubectl describe secret db",
      'curl -H "Authorization: Bearer $(gh auth token)" https://api.github.com/user',
    ],
  },
  "secrets/stage-file": {
    setting: "files",
    describe: (file) => `${file} is staged and contains secrets.`,
    advice: [[ANY_FINDING_PATTERN, 'Unstage the file with "git restore --staged", and add it to .gitignore.']],
    deny: [],
    allow: ["git commit -m x"],
  },
  "secrets/stage-text": {
    setting: "content",
    describe: (kinds) => `the staged changes contain a secret (${kinds}).`,
    advice: [[ANY_FINDING_PATTERN, "Remove the secret before committing."]],
    deny: [],
    allow: ["git commit -m x"],
  },
  "secrets/in-text": {
    setting: "content",
    describe: (location) => `${location}.`,
    advice: [
      [
        / would contain /,
        "Read the secret from the environment instead; if the value isn't a real secret, ask the user to allow the file.",
      ],
      [
        /^the (?:command|call) contains /,
        "Ask the user to set the secret as an environment variable, and use the variable's name.",
      ],
      [ANY_FINDING_PATTERN, `${ASK_USER_ADVICE}.`],
    ],
    deny: [
      'curl -H "Authorization: Bearer {github-token}" https://api.github.com/user',
      { tool: "Write", input: { file_path: "a.ts", content: 'const token = "{github-token}";' } },
    ],
    allow: [
      'curl -H "Authorization: Bearer $GITHUB_TOKEN" https://api.github.com/user',
      { tool: "Write", input: { file_path: "a.ts", content: "const token = process.env.GITHUB_TOKEN;" } },
    ],
  },
  "secrets/in-prompt": {
    setting: "prompts",
    describe: (kinds) => `This prompt contains a secret (${kinds}).`,
    advice: [],
    deny: [{ prompt: "deploy with {github-token}" }],
    allow: [{ prompt: "deploy with $GITHUB_TOKEN" }],
  },
  "secrets/attach-file": {
    setting: "prompts",
    describe: (file) => `The attached file ${file} contains secrets.`,
    advice: [],
    deny: [],
    allow: [{ prompt: "read @README.md" }],
  },
} as const satisfies Readonly<Record<`secrets/${string}`, SecretsRule>>;

export type SecretsRuleId = keyof typeof SECRETS_RULES;

const removeFullStop = (sentence: string) => sentence.replace(/\.$/, "");

/** Returns a placeholder for what a rule's reason is about. */
const getReasonPlaceholder = (id: string) => (/print/.test(id) ? "<command>" : /file/.test(id) ? "<file>" : "<kind>");

/** Lists the rules for `bridge-hooks rules`, with the decisions in effect. */
export const listRules = (options: SecretsSettings): Rule[] =>
  Object.entries(SECRETS_RULES).map(([id, rule]) => {
    const { setting, describe, advice, deny, allow }: SecretsRule = rule;
    const action = options[setting];
    const generalAdvice = getAdviceText(advice.at(-1)?.[1], "bash");
    return {
      id,
      finds: RULE_DESCRIPTIONS[id as SecretsRuleId],
      reason: removeFullStop(describe(EXAMPLE_FINDINGS[id as SecretsRuleId] ?? getReasonPlaceholder(id))),
      ...(generalAdvice !== undefined && { advice: removeFullStop(generalAdvice) }),
      action: action === "ask" ? "ask" : "deny",
      enabled: action !== "off",
      deny: deny.map(formatExample),
      allow: allow.map(formatExample),
    };
  });

const formatExample = (example: RuleExample): string =>
  typeof example === "string"
    ? example
    : "prompt" in example
      ? `prompt: ${example.prompt}`
      : `${example.tool} ${JSON.stringify(example.input)}`;

/** Example findings for rules whose reason is just the finding. */
const EXAMPLE_FINDINGS: Readonly<Partial<Record<SecretsRuleId, string>>> = {
  "secrets/in-text": "the call contains a secret (<kind>)",
  "secrets/write-file": "<file> contains secrets, and this would overwrite it",
};

const getAdviceText = (advice: Advice | undefined, shell: LineShell): string | undefined =>
  typeof advice === "object" ? advice[shell] : advice;

/** What each rule detects. */
const RULE_DESCRIPTIONS: Readonly<Record<SecretsRuleId, string>> = {
  "secrets/read-file": "a call that reads, copies or sends a secret file",
  "secrets/write-file": "a call that overwrites, changes or removes a secret file",
  "secrets/print-environment": "a command that prints secrets from the environment",
  "secrets/print-stored": "a command that prints secrets from a password store",
  "secrets/stage-file": "a commit with a secret file",
  "secrets/stage-text": "a commit whose changes contain a secret",
  "secrets/in-text": "a call that contains a secret",
  "secrets/in-prompt": "a prompt that contains a secret",
  "secrets/attach-file": "a prompt with a secret file attached",
};

/** Formats a rule's reason and advice for a finding. */
export function formatReason(id: SecretsRuleId, finding: string, shell: LineShell = "bash"): string {
  const { describe, advice }: SecretsRule = SECRETS_RULES[id];
  const specificAdvice = getAdviceText(advice.find(([pattern]) => pattern.test(finding))?.[1], shell);
  return specificAdvice === undefined ? describe(finding) : `${describe(finding)} ${specificAdvice}`;
}
