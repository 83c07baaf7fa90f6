import * as preset from "@secretlint/secretlint-rule-preset-recommend";
import type { Secret } from "./secrets.ts";

/** A rule of the set, as far as it is used here. */
interface SecretlintRule {
  meta: { id: string };
  messages: Readonly<Record<string, unknown>>;
  create: (
    context: SecretlintContext,
    options: { enableIDScanRule: boolean },
  ) => { file?: (source: { content: string }) => unknown };
}

/** The name of what was found, and its texts: the first is the secret. */
interface SecretlintMessage {
  id: string;
  values: Readonly<Record<string, string>>;
}

/** What a rule reports to. */
interface SecretlintContext {
  createTranslator: () => (id: string, values: SecretlintMessage["values"]) => SecretlintMessage;
  report: (found: { message: SecretlintMessage; range: readonly [number, number] }) => void;
}

/** The rules, without the one that finds nothing: it lets a comment in the text switch the others off. */
export const secretlintRules = (preset.rules as unknown as readonly SecretlintRule[]).filter(
  ({ meta }) => !meta.id.endsWith("-filter-comments"),
);

/** The kinds of what the set's rules report, by the names that they have there; `undefined`: not taken from them. */
export const SECRET_KINDS: Readonly<Record<string, string | undefined>> = {
  AWSAccessKeyID: "aws-access-key",
  AWSSecretAccessKey: "aws-secret-key",
  AWSAccountID: undefined,
  PrivateKey: "private-key",
  // Of whole files alone; the key in such a JSON is found by the rule above.
  PrivateKeyJSON: undefined,
  PrivateKeyP12: undefined,
  NPM_ACCESS_TOKEN: "npm-token",
  // The patterns below take more of these, and fewer that are none.
  Npmrc_authToken: undefined,
  PackageJSON_xOauthToken: undefined,
  BasicAuth: undefined,
  MongoDBConnection: undefined,
  MySQLConnection: undefined,
  PostgreSQLConnection: undefined,
  SLACK_TOKEN: "slack-token",
  IncomingWebhook: "slack-webhook",
  SENDGRID_KEY: "sendgrid-key",
  SHOPIFY_KEY: "shopify-key",
  STRIPE_SECRET_KEY_LIVE: "stripe-key",
  STRIPE_SECRET_KEY_TEST: "stripe-key",
  STRIPE_RESTRICTED_KEY_LIVE: "stripe-key",
  STRIPE_RESTRICTED_KEY_TEST: "stripe-key",
  GITHUB_TOKEN: "github-token",
  GITLAB_PERSONAL_ACCESS_TOKEN: "gitlab-token",
  GRAFANA_CLOUD_API_TOKEN: "grafana-token",
  GRAFANA_SERVICE_ACCOUNT_TOKEN: "grafana-token",
  OPENAI_TOKEN: "openai-key",
  ANTHROPIC_API_KEY: "anthropic-key",
  GROQ_API_KEY: "groq-key",
  HUGGINGFACE_USER_ACCESS_TOKEN: "huggingface-token",
  LINEAR_API_TOKEN: "linear-key",
  NOTION_INTEGRATION_TOKEN: "notion-token",
  OPS_TOKEN: "1password-token",
  HASHICORP_VAULT_SERVICE_TOKEN: "vault-token",
  HASHICORP_VAULT_BATCH_TOKEN: "vault-token",
  HASHICORP_VAULT_RECOVERY_TOKEN: "vault-token",
  VERCEL_PERSONAL_ACCESS_TOKEN: "vercel-token",
  VERCEL_INTEGRATION_TOKEN: "vercel-token",
  VERCEL_APP_ACCESS_TOKEN: "vercel-token",
  VERCEL_APP_REFRESH_TOKEN: "vercel-token",
  VERCEL_AI_GATEWAY_API_KEY: "vercel-token",
  DATABRICKS_PERSONAL_ACCESS_TOKEN: "databricks-token",
  DOCKER_PERSONAL_ACCESS_TOKEN: "docker-token",
  FIGMA_PERSONAL_ACCESS_TOKEN: "figma-token",
  CLOUDFLARE_GLOBAL_API_KEY: "cloudflare-key",
  CLOUDFLARE_USER_API_TOKEN: "cloudflare-key",
  CLOUDFLARE_ACCOUNT_API_TOKEN: "cloudflare-key",
  TAILSCALE_API_KEY: "tailscale-key",
  TAILSCALE_AUTH_KEY: "tailscale-key",
  TAILSCALE_CLIENT_KEY: "tailscale-key",
  TAILSCALE_SCIM_KEY: "tailscale-key",
  TAILSCALE_WEBHOOK_KEY: "tailscale-key",
  TAILSCALE_KEY: "tailscale-key",
};

/**
 * What the set has no rule for, or one that misses some: each in the form that its issuer gives it. The secret is the group
 * `value`, or all of it.
 */
export const SECRET_PATTERNS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  // The set's rule misses keys of less than 100 letters (Ed25519), SEC1 and PGP keys, encrypted ones, and those that are cut off.
  [
    "private-key",
    /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----)[^]){0,400}?[A-Za-z0-9+/=]{40}(?:(?:(?!-----)[^]){0,20000}-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|[A-Za-z0-9+/=\s]{0,20000})/g,
  ],
  ["private-key", /\bPrivate-Lines: \d{1,3}\s+[A-Za-z0-9+/=]{40}[A-Za-z0-9+/=\s]{0,20000}/g],
  ["age-key", /\bAGE-SECRET-KEY-1[A-Z0-9]{58}\b/g],
  ["anthropic-key", /\bsk-ant-(?:admin|oat|ort|sid)\d\d-[\w-]{80,200}/g],
  ["openrouter-key", /\bsk-or-v1-[0-9a-f]{64}\b/g],
  ["xai-key", /\bxai-[A-Za-z0-9]{80}\b/g],
  ["perplexity-key", /\bpplx-[A-Za-z0-9]{48}\b/g],
  ["replicate-token", /\br8_[A-Za-z0-9]{37}\b/g],
  ["gcp-key", /\bAIza[\w-]{35}(?![\w-])/g],
  ["google-oauth-secret", /\bGOCSPX-[\w-]{28}(?![\w-])/g],
  ["azure-storage-key", /\bAccountKey=(?<value>[A-Za-z0-9+/]{86}==)/g],
  ["digitalocean-token", /\bdo[opr]_v1_[0-9a-f]{64}\b/g],
  ["gitlab-token", /\bgl(?:rt|dt|ptt|soat|cbt)-[\w-]{20,128}/g],
  ["atlassian-token", /\bATATT3[\w=-]{150,300}/g],
  ["npm-token", /:_(?:authToken|auth|password)\s{0,3}=\s{0,3}["']?(?<value>[\w+/=.-]{16,2000})/g],
  ["pypi-token", /\bpypi-AgEIcHlwaS5vcmc[\w-]{50,400}/g],
  ["rubygems-key", /\brubygems_[0-9a-f]{48}\b/g],
  ["supabase-key", /\b(?:sbp_[0-9a-f]{40}\b|sb_secret_[\w-]{20,60})/g],
  ["postman-key", /\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}\b/g],
  ["stripe-webhook-secret", /\bwhsec_[A-Za-z0-9+/]{32,88}={0,2}/g],
  ["slack-token", /\bxapp-\d-A[A-Z0-9]{8,12}-\d{10,15}-[0-9a-f]{64}\b/gi],
  ["slack-token", /\bxox[cdes](?:\.xox[bp])?-[\w%-]{30,300}/g],
  ["telegram-token", /\b\d{8,10}:AA[\w-]{33}(?![\w-])/g],
  ["discord-webhook", /\bhttps:\/\/(?:\w{1,10}\.)?discord(?:app)?\.com\/api\/webhooks\/\d{15,22}\/[\w-]{60,80}/g],
];

/** `scheme://name:password@host`. */
const CREDENTIAL_URL =
  /\b(?<scheme>[a-z][a-z0-9+]{1,20}):\/\/(?<name>[^\s/:@"'`<>\\]{0,100}):(?<password>[^\s/:@"'`<>\\]{4,2000})@(?<host>[\w.-]{1,253}|\[[0-9a-f:]{2,40}\])(?::\d{1,5})?(?:\/[\w.~%/-]{0,200})?/gi;
const DATABASE_SCHEME = /sql|postgres|mongo|maria|redis|click|couch|db/i;
/** Hosts of documentation, of this machine, and names that only a container's own network knows. */
const LOCAL_HOST =
  /(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid|localhost|local|internal)$|^(?:127\.[\d.]+|0\.0\.0\.0|\[::1\]|[^.[]+)$/i;

/** What nobody is given as a key: it stands for one. */
const PLACEHOLDER = /example|placeholder|redacted|your[-_]|([^A=])\1{7}|1234567890|0123456789|abcdefghij/i;
/** The same of passwords, and what a program puts one in the place of. */
const PLACEHOLDER_PASSWORD =
  /^(?:(?:my|the|your|some|db|api|a|user)?[-_]?(?:pass(?:w(?:or)?d)?|pwd|pw|secret|token|key|user(?:name)?|auth|credentials?|change[-_]?me|test(?:ing)?|foo|bar|baz|dev|root|admin|postgres|guest)[-_]?(?:here|\d{1,3})?|(.)\1*)$|[${}[\]()*]|%[A-Z_]+%|%[sdv]|\.\.\.|…/i;

/** Every secret that the rules find in a text, in order; none overlaps another. */
export function findSecrets(text: string): readonly Secret[] {
  const found = [...findBySecretlint(text), ...findByPatterns(text)].filter(
    ({ start, end }) => !isPlaceholder(text.slice(start, end)),
  );
  found.push(...findInUrls(text));
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const distinct: Secret[] = [];
  for (const secret of found) if (secret.start >= (distinct.at(-1)?.end ?? 0)) distinct.push(secret);
  return distinct;
}

const isPlaceholder = (secret: string) => PLACEHOLDER.test(secret) || new Set(secret).size < 8;

function findBySecretlint(text: string): Secret[] {
  const found: Secret[] = [];
  const context: SecretlintContext = {
    createTranslator: () => (id, values) => ({ id, values }),
    report({ message, range }) {
      const kind = SECRET_KINDS[message.id];
      const [secret = ""] = Object.values(message.values);
      // The set's ranges may begin at the name of the variable.
      const start = text.indexOf(secret, range[0]);
      if (kind) found.push({ kind, start, end: start + secret.length });
    },
  };
  for (const rule of secretlintRules) rule.create(context, { enableIDScanRule: true }).file?.({ content: text });
  // An access key of a session or a person; the other prefixes are names of roles and groups.
  return found.filter(
    ({ kind, start }) => kind !== "aws-access-key" || /^A(?:K|S|3)/.test(text.slice(start, start + 2)),
  );
}

function findByPatterns(text: string): Secret[] {
  const found: Secret[] = [];
  for (const [kind, pattern] of SECRET_PATTERNS)
    for (const { 0: all, index, groups } of text.matchAll(pattern)) {
      const secret = groups?.value ?? all.trimEnd();
      const start = text.indexOf(secret, index);
      found.push({ kind, start, end: start + secret.length });
    }
  return found;
}

function findInUrls(text: string): Secret[] {
  const found: Secret[] = [];
  for (const { 0: url, index, groups } of text.matchAll(CREDENTIAL_URL)) {
    const { scheme, name, password, host } = groups as Record<"scheme" | "name" | "password" | "host", string>;
    // GitHub takes a token as the name, with this for a password.
    const secret = password === "x-oauth-basic" ? name : password;
    if (LOCAL_HOST.test(host) || PLACEHOLDER.test(secret) || PLACEHOLDER_PASSWORD.test(secret) || name === password)
      continue;
    found.push({
      kind: DATABASE_SCHEME.test(scheme) ? "database-url" : "basic-auth-url",
      start: index,
      end: index + url.length,
    });
  }
  return found;
}
