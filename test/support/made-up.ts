/** Letters of an alphabet that look like chance, the same in every run: nothing that looks like a key stands in a file. */
export function letters(alphabet: string, length: number, seed = length): string {
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
export const alnum = (length: number, seed?: number) => letters(ALNUM, length, seed);
export const hex = (length: number, seed?: number) => letters("0123456789abcdef", length, seed);
const lines = (text: string, end = "\n") => text.replace(/.{64}/g, `$&${end}`);
const pem = (label: string, body: string, end = "\n") =>
  `-----BEGIN ${label}PRIVATE KEY-----${end}${body}${end}-----END ${label}PRIVATE KEY-----`;

const ghp = `ghp_${alnum(36)}`;
const aws = letters(`${ALNUM}+/`, 39) + "a";
const password = alnum(18);
/** Base64 of a JSON object; its end tells that it is one. */
const sealed = (fields: object, pad = ""): string => {
  const text = btoa(JSON.stringify({ ...fields, pad }));
  return text.endsWith("fQ==") ? text : sealed(fields, `${pad}.`);
};
const mongo = `mongodb+srv://app:${password}@cluster0.${alnum(5).toLowerCase()}.mongodb.net/shop`;

/** Made-up secrets: their kind, they themselves, and a text around them. */
export const EXAMPLES: readonly (readonly [kind: string, secret: string, text?: string])[] = [
  ["aws-access-key", `AKIA${letters(`${UPPER}234567`, 16)}`],
  ["aws-access-key", `ASIA${letters(`${UPPER}234567`, 16, 3)}`],
  ["aws-secret-key", aws, `AWS_SECRET_ACCESS_KEY=${aws}`],
  ["aws-secret-key", aws, `{ "secretAccessKey": "${aws}" }`.replace("secretAccessKey", "SecretAccessKey")],
  ["aws-secret-key", aws, `aws_secret_access_key = ${aws}`],
  ["github-token", ghp],
  ["github-token", ghp, `curl -H "Authorization: Bearer ${ghp}" https://api.github.com/user`],
  ["github-token", `gho_${alnum(36, 2)}`],
  ["github-token", `ghs_${alnum(36, 4)}`],
  ["github-token", `github_pat_${alnum(22)}_${alnum(59)}`],
  ["github-token", `ghs_${letters("123456789", 7)}_eyJ${alnum(20)}.eyJ${alnum(90)}.${alnum(86)}`],
  ["gitlab-token", `glpat-${alnum(20)}`],
  ["gitlab-token", `glrt-${alnum(20, 3)}`],
  ["npm-token", `npm_${alnum(36)}`],
  ["npm-token", `npm_${alnum(36)}`, `//registry.example.org/:_authToken=npm_${alnum(36)}`],
  ["npm-token", hex(36), `//npm.corp.net/:_authToken=${hex(36)}`],
  ["npm-token", alnum(30), `//npm.corp.net/:_auth = "${alnum(30)}"`],
  ["private-key", pem("RSA ", lines(`MIIEpAIBAAKCAQEA${alnum(1500)}`))],
  ["private-key", pem("", `MC4CAQAwBQYDK2VwBCIEI${alnum(43)}`)],
  ["private-key", pem("EC ", lines(`MHcCAQEEI${alnum(155)}`))],
  [
    "private-key",
    pem(
      "OPENSSH ",
      lines(`b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZWQyNTUxOQ${alnum(280)}`),
    ),
  ],
  ["private-key", pem("ENCRYPTED ", lines(`MIIFHDBOBgkqhkiG9w0BBQ0wQ${alnum(900)}`))],
  ["private-key", pem("RSA ", `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${hex(32)}\n\n${lines(alnum(900, 5))}`)],
  [
    "private-key",
    `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n${lines(`lQOYBF${alnum(600)}`)}\n=${alnum(4)}\n-----END PGP PRIVATE KEY BLOCK-----`,
  ],
  [
    "private-key",
    pem("", lines(`MIIEvQIBADANBgkq${alnum(1200)}`, "\\n"), "\\n"),
    `{"type":"service_account","private_key_id":"${hex(40)}","private_key":"${pem("", lines(`MIIEvQIBADANBgkq${alnum(1200)}`, "\\n"), "\\n")}\\n"}`,
  ],
  [
    "private-key",
    `-----BEGIN RSA PRIVATE KEY-----\n${lines(`MIIEpAIBAAKCAQEA${alnum(300)}`)}`,
    `-----BEGIN RSA PRIVATE KEY-----\n${lines(`MIIEpAIBAAKCAQEA${alnum(300)}`)}\n...`,
  ],
  [
    "private-key",
    `Private-Lines: 14\n${lines(alnum(600, 9))}`,
    `PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 14\n${lines(alnum(600, 9))}\n- `,
  ],
  ["age-key", `AGE-SECRET-KEY-1${letters("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)}`],
  ["slack-token", `xoxb-${letters("123456789", 12)}-${letters("123456789", 13)}-${alnum(24)}`],
  ["slack-token", `xapp-1-A${alnum(10)}-${letters("123456789", 13)}-${hex(64)}`],
  ["slack-token", `xoxe.xoxp-1-${alnum(150)}`],
  ["slack-token", `xoxc-${letters("123456789", 12)}-${letters("123456789", 13)}-${hex(64)}`],
  ["slack-webhook", `https://hooks.slack.com/services/T${alnum(10)}/B${alnum(10, 4)}/${alnum(24)}`],
  ["discord-webhook", `https://discord.com/api/webhooks/${letters("123456789", 19)}/${alnum(68)}`],
  ["telegram-token", `${letters("123456789", 10)}:AA${alnum(33)}`],
  ["sendgrid-key", `SG.${alnum(22)}.${alnum(43)}`],
  ["shopify-key", `shpat_${hex(32)}`],
  ["stripe-key", `sk_live_${alnum(24)}`],
  ["stripe-key", `sk_test_${alnum(99)}`],
  ["stripe-key", `rk_live_${alnum(24, 6)}`],
  ["stripe-key", `rk_test_${alnum(40)}`],
  ["stripe-webhook-secret", `whsec_${alnum(32)}`],
  ["grafana-token", `glc_eyJ${alnum(100)}==`],
  ["grafana-token", `glsa_${alnum(32)}_${hex(8)}`],
  ["openai-key", `sk-proj-${alnum(74)}T3BlbkFJ${alnum(74, 2)}`],
  ["openai-key", `sk-${alnum(20)}T3BlbkFJ${alnum(20, 7)}`],
  ["anthropic-key", `sk-ant-api03-${alnum(93)}AA`],
  ["anthropic-key", `sk-ant-oat01-${alnum(95)}`],
  ["openrouter-key", `sk-or-v1-${hex(64)}`],
  ["xai-key", `xai-${alnum(80)}`],
  ["perplexity-key", `pplx-${alnum(48)}`],
  ["replicate-token", `r8_${alnum(37)}`],
  ["groq-key", `gsk_${alnum(52)}`],
  ["huggingface-token", `hf_${letters(`${UPPER}${UPPER.toLowerCase()}`, 34)}`],
  ["linear-key", `lin_api_${alnum(40)}`],
  ["notion-token", `ntn_${letters("123456789", 11)}${alnum(35)}`],
  ["1password-token", `ops_${sealed({ email: `${alnum(12)}@1passwordserviceaccounts.lcl`, secretKey: alnum(60) })}`],
  ["vault-token", `hvs.${alnum(95)}`],
  ["vault-token", `hvb.${alnum(150)}`],
  ["vault-token", `hvr.${alnum(95, 8)}`],
  ...["vcp", "vci", "vca", "vcr", "vck"].map((prefix) => ["vercel-token", `${prefix}_${alnum(24)}`] as const),
  ["databricks-token", `dapi${hex(32)}`],
  ["docker-token", `dckr_pat_${alnum(27)}`],
  ["figma-token", `figd_${alnum(40)}`],
  ...["cfk", "cfut", "cfat"].map((prefix) => ["cloudflare-key", `${prefix}_${alnum(40)}${hex(8)}`] as const),
  ...["api", "auth", "client", "scim", "webhook", "other"].map(
    (type) => ["tailscale-key", `tskey-${type}-${alnum(11)}CNTRL-${alnum(32)}`] as const,
  ),
  ["gcp-key", `AIza${alnum(35)}`],
  ["google-oauth-secret", `GOCSPX-${alnum(28)}`],
  ["azure-storage-key", `${alnum(86)}==`, `AccountName=shop;AccountKey=${alnum(86)}==;EndpointSuffix=core.windows.net`],
  ["digitalocean-token", `dop_v1_${hex(64)}`],
  ["atlassian-token", `ATATT3${alnum(180)}=${hex(8).toUpperCase()}`],
  ["pypi-token", `pypi-AgEIcHlwaS5vcmc${alnum(130)}`],
  ["rubygems-key", `rubygems_${hex(48)}`],
  ["supabase-key", `sbp_${hex(40)}`],
  ["supabase-key", `sb_secret_${alnum(31)}`],
  ["postman-key", `PMAK-${hex(24)}-${hex(34)}`],
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
  ["basic-auth-url", `https://${alnum(40)}:x-oauth-basic@github.com/a/b`],
  ["basic-auth-url", `https://oauth2:glpat-${alnum(20)}@gitlab.com/a/b.git`],
];
