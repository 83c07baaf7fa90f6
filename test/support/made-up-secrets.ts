/**
 * Returns random-looking letters from an alphabet. They're the same in every run, so no source file needs to contain a
 * string that looks like a key.
 */
export function makeLetters(alphabet: string, length: number, seed = length): string {
  let text = "";
  let state = seed * 7919 + 17;
  while (text.length < length) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    text += alphabet[(state >>> 16) % alphabet.length];
  }
  return text;
}

const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const ALNUM = `${UPPER}${UPPER.toLowerCase()}0123456789`;
export const makeAlphanumeric = (length: number, seed?: number) => makeLetters(ALNUM, length, seed);
export const makeHex = (length: number, seed?: number) => makeLetters("0123456789abcdef", length, seed);
const wrapLines = (text: string, end = "\n") => text.replace(/.{64}/g, `$&${end}`);
const wrapPem = (label: string, body: string, end = "\n") =>
  `-----BEGIN ${label}PRIVATE KEY-----${end}${body}${end}-----END ${label}PRIVATE KEY-----`;

const ghp = `ghp_${makeAlphanumeric(36)}`;
const aws = makeLetters(`${ALNUM}+/`, 39) + "a";
const password = makeAlphanumeric(18);
/** Encodes a JSON object as base64 with a recognizable ending. */
const encodeJson = (fields: object, pad = ""): string => {
  const text = btoa(JSON.stringify({ ...fields, pad }));
  return text.endsWith("fQ==") ? text : encodeJson(fields, `${pad}.`);
};
const mongo = `mongodb+srv://app:${password}@cluster0.${makeAlphanumeric(5).toLowerCase()}.mongodb.net/shop`;

/** Made-up secrets: kind, secret, and the text around it. */
export const MADE_UP_SECRETS: readonly (readonly [kind: string, secret: string, text?: string])[] = [
  ["aws-access-key", `AKIA${makeLetters(`${UPPER}234567`, 16)}`],
  ["aws-access-key", `ASIA${makeLetters(`${UPPER}234567`, 16, 3)}`],
  ["aws-secret-key", aws, `AWS_SECRET_ACCESS_KEY=${aws}`],
  ["aws-secret-key", aws, `{ "secretAccessKey": "${aws}" }`.replace("secretAccessKey", "SecretAccessKey")],
  ["aws-secret-key", aws, `aws_secret_access_key = ${aws}`],
  ["github-token", ghp],
  ["github-token", ghp, `curl -H "Authorization: Bearer ${ghp}" https://api.github.com/user`],
  ["github-token", `gho_${makeAlphanumeric(36, 2)}`],
  ["github-token", `ghs_${makeAlphanumeric(36, 4)}`],
  ["github-token", `github_pat_${makeAlphanumeric(22)}_${makeAlphanumeric(59)}`],
  [
    "github-token",
    `ghs_${makeLetters("123456789", 7)}_eyJ${makeAlphanumeric(20)}.eyJ${makeAlphanumeric(90)}.${makeAlphanumeric(86)}`,
  ],
  ["gitlab-token", `glpat-${makeAlphanumeric(20)}`],
  ["gitlab-token", `glrt-${makeAlphanumeric(20, 3)}`],
  ["npm-token", `npm_${makeAlphanumeric(36)}`],
  ["npm-token", `npm_${makeAlphanumeric(36)}`, `//registry.example.org/:_authToken=npm_${makeAlphanumeric(36)}`],
  ["npm-token", makeHex(36), `//npm.corp.net/:_authToken=${makeHex(36)}`],
  ["npm-token", makeAlphanumeric(30), `//npm.corp.net/:_auth = "${makeAlphanumeric(30)}"`],
  ["private-key", wrapPem("RSA ", wrapLines(`MIIEpAIBAAKCAQEA${makeAlphanumeric(1500)}`))],
  ["private-key", wrapPem("", `MC4CAQAwBQYDK2VwBCIEI${makeAlphanumeric(43)}`)],
  ["private-key", wrapPem("EC ", wrapLines(`MHcCAQEEI${makeAlphanumeric(155)}`))],
  [
    "private-key",
    wrapPem(
      "OPENSSH ",
      wrapLines(
        `b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZWQyNTUxOQ${makeAlphanumeric(280)}`,
      ),
    ),
  ],
  ["private-key", wrapPem("ENCRYPTED ", wrapLines(`MIIFHDBOBgkqhkiG9w0BBQ0wQ${makeAlphanumeric(900)}`))],
  [
    "private-key",
    wrapPem(
      "RSA ",
      `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${makeHex(32)}\n\n${wrapLines(makeAlphanumeric(900, 5))}`,
    ),
  ],
  [
    "private-key",
    `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n${wrapLines(`lQOYBF${makeAlphanumeric(600)}`)}\n=${makeAlphanumeric(4)}\n-----END PGP PRIVATE KEY BLOCK-----`,
  ],
  [
    "private-key",
    wrapPem("", wrapLines(`MIIEvQIBADANBgkq${makeAlphanumeric(1200)}`, "\\n"), "\\n"),
    `{"type":"service_account","private_key_id":"${makeHex(40)}","private_key":"${wrapPem("", wrapLines(`MIIEvQIBADANBgkq${makeAlphanumeric(1200)}`, "\\n"), "\\n")}\\n"}`,
  ],
  [
    "private-key",
    `-----BEGIN RSA PRIVATE KEY-----\n${wrapLines(`MIIEpAIBAAKCAQEA${makeAlphanumeric(300)}`)}`,
    `-----BEGIN RSA PRIVATE KEY-----\n${wrapLines(`MIIEpAIBAAKCAQEA${makeAlphanumeric(300)}`)}\n...`,
  ],
  [
    "private-key",
    `Private-Lines: 14\n${wrapLines(makeAlphanumeric(600, 9))}`,
    `PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 14\n${wrapLines(makeAlphanumeric(600, 9))}\n- `,
  ],
  ["age-key", `AGE-SECRET-KEY-1${makeLetters("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)}`],
  ["slack-token", `xoxb-${makeLetters("123456789", 12)}-${makeLetters("123456789", 13)}-${makeAlphanumeric(24)}`],
  ["slack-token", `xapp-1-A${makeAlphanumeric(10)}-${makeLetters("123456789", 13)}-${makeHex(64)}`],
  ["slack-token", `xoxe.xoxp-1-${makeAlphanumeric(150)}`],
  ["slack-token", `xoxc-${makeLetters("123456789", 12)}-${makeLetters("123456789", 13)}-${makeHex(64)}`],
  [
    "slack-webhook",
    `https://hooks.slack.com/services/T${makeAlphanumeric(10)}/B${makeAlphanumeric(10, 4)}/${makeAlphanumeric(24)}`,
  ],
  ["discord-webhook", `https://discord.com/api/webhooks/${makeLetters("123456789", 19)}/${makeAlphanumeric(68)}`],
  ["telegram-token", `${makeLetters("123456789", 10)}:AA${makeAlphanumeric(33)}`],
  ["sendgrid-key", `SG.${makeAlphanumeric(22)}.${makeAlphanumeric(43)}`],
  ["shopify-key", `shpat_${makeHex(32)}`],
  ["stripe-key", `sk_live_${makeAlphanumeric(24)}`],
  ["stripe-key", `sk_test_${makeAlphanumeric(99)}`],
  ["stripe-key", `rk_live_${makeAlphanumeric(24, 6)}`],
  ["stripe-key", `rk_test_${makeAlphanumeric(40)}`],
  ["stripe-webhook-secret", `whsec_${makeAlphanumeric(32)}`],
  ["grafana-token", `glc_eyJ${makeAlphanumeric(100)}==`],
  ["grafana-token", `glsa_${makeAlphanumeric(32)}_${makeHex(8)}`],
  ["openai-key", `sk-proj-${makeAlphanumeric(74)}T3BlbkFJ${makeAlphanumeric(74, 2)}`],
  ["openai-key", `sk-${makeAlphanumeric(20)}T3BlbkFJ${makeAlphanumeric(20, 7)}`],
  ["anthropic-key", `sk-ant-api03-${makeAlphanumeric(93)}AA`],
  ["anthropic-key", `sk-ant-oat01-${makeAlphanumeric(95)}`],
  ["openrouter-key", `sk-or-v1-${makeHex(64)}`],
  ["xai-key", `xai-${makeAlphanumeric(80)}`],
  ["perplexity-key", `pplx-${makeAlphanumeric(48)}`],
  ["replicate-token", `r8_${makeAlphanumeric(37)}`],
  ["groq-key", `gsk_${makeAlphanumeric(52)}`],
  ["huggingface-token", `hf_${makeLetters(`${UPPER}${UPPER.toLowerCase()}`, 34)}`],
  ["linear-key", `lin_api_${makeAlphanumeric(40)}`],
  ["notion-token", `ntn_${makeLetters("123456789", 11)}${makeAlphanumeric(35)}`],
  [
    "1password-token",
    `ops_${encodeJson({ email: `${makeAlphanumeric(12)}@1passwordserviceaccounts.lcl`, secretKey: makeAlphanumeric(60) })}`,
  ],
  ["vault-token", `hvs.${makeAlphanumeric(95)}`],
  ["vault-token", `hvb.${makeAlphanumeric(150)}`],
  ["vault-token", `hvr.${makeAlphanumeric(95, 8)}`],
  ...["vcp", "vci", "vca", "vcr", "vck"].map(
    (prefix) => ["vercel-token", `${prefix}_${makeAlphanumeric(24)}`] as const,
  ),
  ["databricks-token", `dapi${makeHex(32)}`],
  ["docker-token", `dckr_pat_${makeAlphanumeric(27)}`],
  ["figma-token", `figd_${makeAlphanumeric(40)}`],
  ...["cfk", "cfut", "cfat"].map(
    (prefix) => ["cloudflare-key", `${prefix}_${makeAlphanumeric(40)}${makeHex(8)}`] as const,
  ),
  ...["api", "auth", "client", "scim", "webhook", "other"].map(
    (type) => ["tailscale-key", `tskey-${type}-${makeAlphanumeric(11)}CNTRL-${makeAlphanumeric(32)}`] as const,
  ),
  ["gcp-key", `AIza${makeAlphanumeric(35)}`],
  ["google-oauth-secret", `GOCSPX-${makeAlphanumeric(28)}`],
  [
    "azure-storage-key",
    `${makeAlphanumeric(86)}==`,
    `AccountName=shop;AccountKey=${makeAlphanumeric(86)}==;EndpointSuffix=core.windows.net`,
  ],
  ["digitalocean-token", `dop_v1_${makeHex(64)}`],
  ["atlassian-token", `ATATT3${makeAlphanumeric(180)}=${makeHex(8).toUpperCase()}`],
  ["pypi-token", `pypi-AgEIcHlwaS5vcmc${makeAlphanumeric(130)}`],
  ["rubygems-key", `rubygems_${makeHex(48)}`],
  ["supabase-key", `sbp_${makeHex(40)}`],
  ["supabase-key", `sb_secret_${makeAlphanumeric(31)}`],
  ["postman-key", `PMAK-${makeHex(24)}-${makeHex(34)}`],
  ["database-url", mongo],
  ["database-url", mongo, `const client = new MongoClient("${mongo}");`],
  [
    "database-url",
    `postgres://app:${password}@db.corp.net:5432/shop`,
    `DATABASE_URL='postgres://app:${password}@db.corp.net:5432/shop'`,
  ],
  ["database-url", `mysql://app:${password}@10.0.0.5/shop`],
  ["database-url", `redis://:${password}@cache.corp.net:6379`],
  ["basic-auth-url", `amqps://app:${password}@mq.corp.net`],
  [
    "basic-auth-url",
    `https://me:${password}@git.corp.net/x.git`,
    `git clone https://me:${password}@git.corp.net/x.git`,
  ],
  ["basic-auth-url", `https://me:p%40ss!${password}@git.corp.net/x.git`],
  ["basic-auth-url", `https://${makeAlphanumeric(40)}:x-oauth-basic@github.com/a/b`],
  ["basic-auth-url", `https://oauth2:glpat-${makeAlphanumeric(20)}@gitlab.com/a/b.git`],
];
