/** Creates a random generator (mulberry32). A seed gives the same sequence in every run. */
export function makeChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const DIGITS = "0123456789";
const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const LETTERS = UPPER + LOWER;
const BASE62 = DIGITS + UPPER + LOWER;

/** Random strings in the alphabets that issuers use. */
class Letters {
  constructor(readonly chance: () => number) {}
  from(alphabet: string, length: number): string {
    let text = "";
    for (let count = 0; count < length; count++) text += alphabet[Math.floor(this.chance() * alphabet.length)];
    return text;
  }
  between(fewest: number, most: number): number {
    return fewest + Math.floor(this.chance() * (most - fewest + 1));
  }
  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.chance() * list.length)] as T;
  }
  digits = (length: number) => this.from("123456789", 1) + this.from(DIGITS, length - 1);
  hex = (length: number) => this.from("0123456789abcdef", length);
  base62 = (length: number) => this.from(BASE62, length);
  base58 = (length: number) => this.from(BASE62.replace(/[0OIl]/g, ""), length);
  base64 = (length: number) => this.from(`${BASE62}+/`, length);
  /** URL-safe base64 that never ends in a hyphen, so that it can be used at the end of a sentence. */
  url64 = (length: number) => this.from(`${BASE62}_-`, length - 1) + this.from(BASE62, 1);
  letters = (length: number) => this.from(LETTERS, length);
  large = (length: number) => this.from(UPPER + DIGITS, length);
  small = (length: number) => this.from(LOWER + DIGITS, length);
  base32 = (length: number) => this.from(`${UPPER}234567`, length);
  uuid = () => [8, 4, 4, 4, 12].map(this.hex).join("-");
  bytes = (length: number) => Buffer.from(Array.from({ length }, () => Math.floor(this.chance() * 256)));
  /** A typical name of a project or team. */
  name = () => this.pick(["acme", "shop", "billing", "prod", "data-team", "web", "infra"]);
  json = (fields: object) => Buffer.from(JSON.stringify(fields)).toString("base64url");
}

const computeCrc32 = (text: string): number => Bun.hash.crc32(text);
/** Returns the last six characters of a GitHub or npm token: the base-62 CRC-32 of the characters before them. */
export function formatChecksum(text: string): string {
  let left = computeCrc32(text);
  let digits = "";
  for (let count = 0; count < 6; count++, left = Math.floor(left / 62)) digits = (BASE62[left % 62] as string) + digits;
  return digits;
}
const withChecksum = (prefix: string, secret: string) => prefix + secret + formatChecksum(secret);
const crcHex = (text: string) => computeCrc32(text).toString(16).padStart(8, "0");

/** A secret format, and a function that generates secrets the way the issuer does. */
export interface SampleForm {
  kind: string;
  form: string;
  make: (letters: Letters) => string;
  /** Variable names, one of which must precede the secret for it to be recognized. */
  names?: readonly string[];
}

const YEAR_SECONDS = 31_536_000;
const makeJwt = (l: Letters, header: object, payload: object, signature: number) =>
  `${l.json(header)}.${l.json(payload)}.${l.url64(signature)}`;
const makePem = (l: Letters, label: string, start: string, length: number) => {
  const lines = (start + l.base64(length - start.length)).match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----`;
};

type FormRow = readonly [kind: string, form: string, make: (l: Letters) => string, names?: readonly string[]];

/** Based on issuers' documentation or, where documentation is missing, on real tokens. */
const ROWS: readonly FormRow[] = [
  // Code hosting
  ["github-token", "personal access token", (l) => withChecksum("ghp_", l.base62(30))],
  ["github-token", "OAuth token", (l) => withChecksum("gho_", l.base62(30))],
  ["github-token", "user-to-server token", (l) => withChecksum("ghu_", l.base62(30))],
  ["github-token", "installation token", (l) => withChecksum("ghs_", l.base62(30))],
  ["github-token", "refresh token", (l) => withChecksum("ghr_", l.base62(70))],
  ["github-token", "fine-grained token", (l) => `github_pat_${l.base62(22)}_${l.base62(59)}`],
  ...["glpat", "gldt", "glrt", "glptt", "glagent", "glimt", "glft", "glsoat", "glffct"].map((prefix): FormRow => [
    "gitlab-token",
    prefix,
    (l) => `${prefix}-${l.url64(prefix === "glagent" ? 50 : 20)}`,
  ]),
  ["gitlab-token", "routable personal access token", (l) => `glpat-${l.url64(27)}.01.${l.small(9)}`],
  ["gitlab-token", "runner", (l) => `glrt-t${l.from("123", 1)}_${l.url64(20)}`],
  ["gitlab-token", "job", (l) => `glcbt-${l.hex(2)}_${l.url64(20)}`],
  ["gitlab-token", "feed, in a URL", (l) => `glft-${l.hex(64)}-${l.digits(4)}`],
  ["gitlab-token", "OAuth application", (l) => `gloas-${l.hex(64)}`],
  ["gitlab-token", "runner registration", (l) => `GR1348941${l.url64(20)}`],
  [
    "bitbucket-token",
    "app password",
    (l) => {
      const body = l.base62(24);
      return `ATBB${body}${crcHex(body).toUpperCase()}`;
    },
  ],
  ["bitbucket-token", "Data Center", (l) => `BBDC-${l.from("MNO", 1)}${l.base64(43)}`],
  [
    "atlassian-token",
    "API token",
    (l) => {
      const body = `ATATT3xFfGF0${l.url64(172)}`;
      return `${body}=${crcHex(body).toUpperCase()}`;
    },
  ],
  [
    "atlassian-token",
    "repository token",
    (l) => {
      const body = `ATCTT3xFfGN0${l.url64(160)}`;
      return `${body}=${crcHex(body).toUpperCase()}`;
    },
  ],
  ["trello-token", "token", (l) => `ATTA${l.hex(72)}`],
  ["npm-token", "granular token", (l) => withChecksum("npm_", l.base62(30))],
  ["pypi-token", "PyPI", (l) => `pypi-AgEIcHlwaS5vcmc${l.url64(150)}`],
  ["pypi-token", "TestPyPI", (l) => `pypi-AgENdGVzdC5weXBpLm9yZw${l.url64(150)}`],
  ["rubygems-key", "API key", (l) => `rubygems_${l.hex(48)}`],
  ["nuget-key", "API key", (l) => `oy2${l.small(43)}`],
  ["clojars-token", "deploy token", (l) => `CLOJARS_${l.hex(60)}`],
  ["crates-token", "API token", (l) => `cio${l.base62(32)}`],
  ["packagist-token", "organization token", (l) => `packagist_${l.pick(["ort", "out", "uut"])}_${l.hex(68)}`],
  ["artifactory-token", "API key", (l) => `AKCp${l.from("58", 1)}${l.base58(68)}`],
  ["artifactory-token", "reference token", (l) => `cmVmdGtu${l.base62(56)}`],
  ["docker-token", "personal access token", (l) => `dckr_pat_${l.url64(27)}`],
  ["docker-token", "organization token", (l) => `dckr_oat_${l.url64(32)}`],
  ["sourcegraph-token", "access token", (l) => `sgp_${l.hex(40)}`],
  ["sourcegraph-token", "access token of an instance", (l) => `sgp_${l.hex(16)}_${l.hex(40)}`],
  ["sonar-token", "project, user, global token", (l) => `${l.pick(["sqp", "squ", "sqa"])}_${l.hex(40)}`],
  ["buildkite-token", "user token", (l) => `bkua_${l.hex(40)}`],
  ["circleci-token", "personal token", (l) => `CCIPAT_${l.base58(22)}_${l.hex(40)}`],
  ["circleci-token", "project token", (l) => `CCIPRJ_${l.base58(21)}_${l.hex(40)}`],
  [
    "jetbrains-token",
    "permanent token",
    (l) =>
      `perm:${Buffer.from(l.name()).toString("base64")}.${Buffer.from(`${l.name()}-${l.digits(2)}`).toString("base64")}.${l.base62(30)}`,
  ],
  ["postman-key", "API key", (l) => `PMAK-${l.hex(24)}-${l.hex(34)}`],
  ["postman-key", "collection key", (l) => `PMAT-01${l.large(24)}`],
  ["readme-key", "API key", (l) => `rdme_${l.small(70)}`],
  // Cloud providers
  ["aws-access-key", "access key", (l) => `AKIA${l.base32(16)}`],
  ["aws-access-key", "temporary access key", (l) => `ASIA${l.base32(16)}`],
  [
    "aws-secret-key",
    "secret access key",
    (l) => l.base64(40),
    ["AWS_SECRET_ACCESS_KEY", "aws_secret_access_key", "secretAccessKey", "SecretAccessKey"],
  ],
  ["aws-session-token", "session token", (l) => `IQoJb3JpZ2luX2Vj${l.base64(l.between(300, 800))}==`],
  [
    "aws-bedrock-key",
    "long-term API key",
    (l) =>
      `ABSK${Buffer.from(`BedrockAPIKey-${l.small(4)}-at-${l.digits(12)}:${l.bytes(36).toString("base64")}`).toString("base64")}`,
  ],
  ["amazon-mws-token", "auth token", (l) => `amzn.mws.${l.uuid()}`],
  ["gcp-key", "API key", (l) => `AIzaSy${l.url64(33)}`],
  ["google-oauth-secret", "client secret", (l) => `GOCSPX-${l.url64(28)}`],
  ["google-oauth-token", "access token", (l) => `ya29.a0${l.url64(l.between(140, 220))}`],
  ["google-oauth-token", "refresh token", (l) => `1//0${l.url64(l.between(92, 102))}`],
  ["fcm-key", "server key", (l) => `AAAA${l.url64(7)}:APA91b${l.url64(134)}`],
  ["azure-storage-key", "connection string", (l) => `${l.bytes(64).toString("base64")}`, ["AccountKey"]],
  ["azure-shared-access-key", "connection string", (l) => `${l.bytes(32).toString("base64")}`, ["SharedAccessKey"]],
  ["azure-client-secret", "client secret", (l) => `${l.base62(3)}8Q~${l.from(`${BASE62}_~.-`, 33)}${l.base62(1)}`],
  ["azure-devops-token", "personal access token", (l) => `${l.base62(52)}JQQJ99${l.base62(18)}AZDO${l.base62(4)}`],
  ["azure-key", "AI services", (l) => `${l.base62(52)}JQQJ99${l.base62(18)}ACOG${l.base62(4)}`],
  ["azure-key", "AI Search", (l) => `${l.base62(42)}AzSe${l.from("ABCD", 1)}${l.base62(5)}`],
  ["azure-key", "Functions", (l) => `${l.url64(44)}AzFu${l.url64(5)}${l.from("AQgw", 1)}==`],
  ["alibaba-key", "access key", (l) => `LTAI5t${l.base62(18)}`],
  ["tencent-key", "secret id", (l) => `AKID${l.base62(32)}`],
  ["yandex-token", "IAM token", (l) => `t1.${l.url64(l.between(40, 120))}.${l.url64(86)}`],
  ["yandex-token", "API key", (l) => `AQVN${l.url64(36)}`],
  ["yandex-token", "OAuth token", (l) => `y0_${l.url64(58)}`],
  ["digitalocean-token", "personal, OAuth, refresh", (l) => `do${l.pick(["p", "o", "r"])}_v1_${l.hex(64)}`],
  [
    "cloudflare-key",
    "user token",
    (l) => {
      const body = l.base62(40);
      return `cfut_${body}${crcHex(body)}`;
    },
  ],
  [
    "cloudflare-key",
    "account token",
    (l) => {
      const body = l.base62(40);
      return `cfat_${body}${crcHex(body)}`;
    },
  ],
  [
    "cloudflare-key",
    "global key",
    (l) => {
      const body = l.base62(40);
      return `cfk_${body}${crcHex(body)}`;
    },
  ],
  ["cloudflare-key", "origin CA key", (l) => `v1.0-${l.hex(24)}-${l.hex(146)}`],
  ["heroku-key", "API key", (l) => `HRKU-AA${l.url64(58)}`],
  ["heroku-key", "API key, with a UUID", (l) => `HRKU-${l.uuid()}`],
  ["fly-token", "macaroon", (l) => `fm2_lJPE${l.base64(l.between(200, 600))}==`],
  ["fly-token", "personal token", (l) => `fo1_${l.url64(43)}`],
  ["vercel-token", "personal, app, AI gateway", (l) => `vc${l.from("piark", 1)}_${l.base62(56)}`],
  ["netlify-token", "personal access token", (l) => `nfp_${l.base62(36)}`],
  ["render-key", "API key", (l) => `rnd_${l.base62(28)}`],
  ["deno-token", "Deploy token", (l) => `ddp_${l.base62(36)}`],
  ["openshift-token", "OAuth token", (l) => `sha256~${l.url64(43)}`],
  ["supabase-key", "personal token", (l) => `sbp_${l.hex(40)}`],
  ["supabase-key", "secret key", (l) => `sb_secret_${l.url64(22)}_${l.url64(8)}`],
  ["neon-key", "API key", (l) => `napi_${l.small(64)}`],
  ["planetscale-token", "service token", (l) => `pscale_tkn_${l.url64(43)}`],
  ["planetscale-token", "password", (l) => `pscale_pw_${l.url64(43)}`],
  ["databricks-token", "personal access token", (l) => `dapi${l.hex(32)}`],
  ["airtable-token", "personal access token", (l) => `pat${l.base62(14)}.${l.hex(64)}`],
  ["tailscale-key", "auth key", (l) => `tskey-auth-${l.base58(12)}CNTRL-${l.base58(32)}`],
  ["tailscale-key", "API key", (l) => `tskey-api-${l.base58(12)}CNTRL-${l.base58(32)}`],
  // Operations
  ["terraform-token", "API token", (l) => `${l.base62(14)}.atlasv1.${l.base62(67)}`],
  ["pulumi-token", "access token", (l) => `pul-${l.hex(40)}`],
  ["vault-token", "service token", (l) => `hvs.${l.url64(91)}`],
  ["vault-token", "batch token", (l) => `hvb.${l.url64(160)}`],
  ["vault-token", "recovery token", (l) => `hvr.${l.url64(91)}`],
  ["doppler-token", "service token", (l) => `dp.st.${l.pick(["dev", "prd", "stg_eu"])}.${l.base62(43)}`],
  ["doppler-token", "personal token", (l) => `dp.pt.${l.base62(43)}`],
  ["doppler-token", "CLI token", (l) => `dp.ct.${l.base62(43)}`],
  [
    "1password-token",
    "service account",
    (l) =>
      `ops_${Buffer.from(JSON.stringify({ signInAddress: "my.1password.com", userAuth: { method: "SRPg-4096", alg: "PBES2g-HS256", iterations: 650000, salt: l.url64(22) }, email: `${l.small(13)}@1passwordserviceaccounts.com`, srpX: l.hex(64), muk: { k: l.url64(43) }, secretKey: `A3-${l.large(6)}`, deviceUuid: l.small(26) })).toString("base64")}`,
  ],
  ["prefect-key", "API key", (l) => `pnu_${l.base62(36)}`],
  ["harness-key", "personal token", (l) => `pat.${l.url64(22)}.${l.hex(24)}.${l.base62(20)}`],
  ["harness-key", "service account token", (l) => `sat.${l.url64(22)}.${l.hex(24)}.${l.base62(20)}`],
  ["infracost-key", "API key", (l) => `ico-${l.base62(32)}`],
  ["sentry-token", "personal token", (l) => `sntryu_${l.hex(64)}`],
  [
    "sentry-token",
    "organization token",
    (l) =>
      `sntrys_${Buffer.from(JSON.stringify({ iat: 1735064623.5, url: "https://sentry.io", region_url: "https://us.sentry.io", org: l.name() })).toString("base64")}_${l.base64(43)}`,
  ],
  ["newrelic-key", "user key", (l) => `NRAK-${l.large(27)}`],
  ["newrelic-key", "insert key", (l) => `NRII-${l.url64(32)}`],
  ["newrelic-key", "licence key", (l) => `${l.hex(32)}FFFFNRAL`],
  ["dynatrace-token", "API token", (l) => `dt0c01.${l.base32(24)}.${l.base32(64)}`],
  ["dynatrace-token", "platform token", (l) => `dt0s16.${l.base32(24)}.${l.base32(64)}`],
  [
    "grafana-token",
    "cloud token",
    (l) =>
      `glc_${Buffer.from(JSON.stringify({ o: l.digits(6), n: l.name(), k: l.base62(24), m: { r: "us" } })).toString("base64")}`,
  ],
  [
    "grafana-token",
    "service account token",
    (l) => {
      const body = l.base62(32);
      return `glsa_${body}_${crcHex(body)}`;
    },
  ],
  [
    "grafana-token",
    "API key",
    (l) => Buffer.from(JSON.stringify({ k: l.base62(32), n: l.name(), id: 1 })).toString("base64"),
  ],
  ["honeycomb-key", "ingest key", (l) => `hcaik_01${l.small(56)}`],
  ["axiom-token", "API token", (l) => `xaat-${l.uuid()}`],
  ["posthog-key", "personal key", (l) => `phx_${l.base62(43)}`],
  ["launchdarkly-key", "SDK key", (l) => `sdk-${l.uuid()}`],
  // AI models
  ["openai-key", "project key", (l) => `sk-proj-${l.url64(74)}T3BlbkFJ${l.url64(74)}`],
  ["openai-key", "service account key", (l) => `sk-svcacct-${l.url64(58)}T3BlbkFJ${l.url64(58)}`],
  ["openai-key", "user key", (l) => `sk-${l.base62(20)}T3BlbkFJ${l.base62(20)}`],
  ["anthropic-key", "API key", (l) => `sk-ant-api03-${l.url64(93)}AA`],
  ["anthropic-key", "admin key", (l) => `sk-ant-admin01-${l.url64(93)}AA`],
  ["anthropic-key", "OAuth token", (l) => `sk-ant-oat01-${l.url64(93)}AA`],
  ["deepseek-key", "API key", (l) => `sk-${l.hex(32)}`],
  ["openrouter-key", "API key", (l) => `sk-or-v1-${l.hex(64)}`],
  ["langfuse-key", "secret key", (l) => `sk-lf-${l.uuid()}`],
  ["langsmith-key", "personal, service key", (l) => `lsv2_${l.pick(["pt", "sk"])}_${l.hex(32)}_${l.hex(10)}`],
  ["xai-key", "API key", (l) => `xai-${l.base62(80)}`],
  ["perplexity-key", "API key", (l) => `pplx-${l.base62(48)}`],
  ["replicate-token", "API token", (l) => `r8_${l.base62(37)}`],
  ["groq-key", "API key", (l) => `gsk_${l.base62(52)}`],
  ["huggingface-token", "user token", (l) => `hf_${l.letters(34)}`],
  ["huggingface-token", "organization token", (l) => `api_org_${l.letters(34)}`],
  ["together-key", "API key", (l) => `tgp_v1_${l.url64(43)}`],
  ["cerebras-key", "API key", (l) => `csk-${l.small(48)}`],
  ["nvidia-key", "API key", (l) => `nvapi-${l.url64(64)}`],
  ["elevenlabs-key", "API key", (l) => `sk_${l.hex(48)}`],
  ["pinecone-key", "API key", (l) => `pcsk_${l.base62(5)}_${l.base62(63)}`],
  ["tavily-key", "API key", (l) => `tvly-dev-${l.base62(32)}`],
  ["firecrawl-key", "API key", (l) => `fc-${l.hex(32)}`],
  // Services
  ["stripe-key", "secret key, live", (l) => `sk_live_51${l.base62(97)}`],
  ["stripe-key", "secret key, test", (l) => `sk_test_51${l.base62(97)}`],
  ["stripe-key", "restricted key", (l) => `rk_live_51${l.base62(97)}`],
  ["stripe-key", "first form", (l) => `sk_live_${l.base62(24)}`],
  ["stripe-webhook-secret", "endpoint secret", (l) => `whsec_${l.base62(32)}`],
  ["square-token", "access token", (l) => `EAAA${l.url64(60)}`],
  ["square-token", "application secret", (l) => `sq0csp-${l.url64(43)}`],
  ["braintree-token", "access token", (l) => `access_token$production$${l.small(16)}$${l.hex(32)}`],
  ["gocardless-token", "access token", (l) => `live_${l.url64(40)}`],
  ["flutterwave-key", "secret key", (l) => `FLWSECK-${l.hex(32)}-X`],
  ["plaid-token", "access token", (l) => `access-production-${l.uuid()}`],
  ["paddle-key", "API key", (l) => `pdl_live_apikey_01${l.small(24)}_${l.base62(22)}_${l.base62(3)}`],
  ["lob-key", "API key", (l) => `live_${l.hex(35)}`],
  ["shippo-token", "live token", (l) => `shippo_live_${l.hex(40)}`],
  ["shippo-token", "test token", (l) => `shippo_test_${l.hex(40)}`],
  ["easypost-key", "production key", (l) => `EZAK${l.base62(54)}`],
  ["easypost-key", "test key", (l) => `EZTK${l.base62(54)}`],
  ["duffel-token", "live token", (l) => `duffel_live_${l.url64(43)}`],
  ["duffel-token", "test token", (l) => `duffel_test_${l.url64(43)}`],
  ["shopify-key", "access token", (l) => `shp${l.pick(["at", "ca", "pa", "ss"])}_${l.hex(32)}`],
  ["twilio-key", "API key", (l) => `SK${l.hex(32)}`],
  ["sendgrid-key", "API key", (l) => `SG.${l.url64(22)}.${l.url64(43)}`],
  ["mailgun-key", "private key", (l) => `key-${l.hex(32)}`],
  ["mailchimp-key", "API key", (l) => `${l.hex(32)}-us${l.between(1, 21)}`],
  ["mailchimp-key", "transactional key", (l) => `md-${l.url64(22)}`],
  ["brevo-key", "API key", (l) => `xkeysib-${l.hex(64)}-${l.base62(16)}`],
  ["brevo-key", "SMTP key", (l) => `xsmtpsib-${l.hex(64)}-${l.base62(16)}`],
  ["resend-key", "API key", (l) => `re_${l.base58(8)}_${l.base58(24)}`],
  ["mailersend-token", "API token", (l) => `mlsn.${l.hex(64)}`],
  ["klaviyo-key", "private key", (l) => `pk_${l.hex(34)}`],
  ["slack-token", "bot token", (l) => `xoxb-${l.digits(l.between(11, 13))}-${l.digits(13)}-${l.base62(24)}`],
  ["slack-token", "user token", (l) => `xoxp-${l.digits(12)}-${l.digits(12)}-${l.digits(13)}-${l.hex(32)}`],
  ["slack-token", "app token", (l) => `xapp-1-A0${l.large(9)}-${l.digits(13)}-${l.hex(64)}`],
  ["slack-token", "refresh token", (l) => `xoxe-1-${l.base62(146)}`],
  ["slack-token", "rotated token", (l) => `xoxe.xoxp-1-${l.base62(162)}`],
  ["slack-token", "browser token", (l) => `xoxc-${l.digits(12)}-${l.digits(12)}-${l.digits(13)}-${l.hex(64)}`],
  ["slack-token", "browser cookie", (l) => `xoxd-${l.base62(30)}%2F${l.base62(90)}%3D`],
  [
    "slack-webhook",
    "incoming webhook",
    (l) => `https://hooks.slack.com/services/T0${l.large(9)}/B0${l.large(9)}/${l.base62(24)}`,
  ],
  [
    "discord-token",
    "bot token",
    (l) => `${Buffer.from(l.digits(18)).toString("base64url")}.${l.url64(6)}.${l.url64(38)}`,
  ],
  [
    "discord-token",
    "bot token, first form",
    (l) => `${Buffer.from(l.digits(18)).toString("base64url")}.${l.url64(6)}.${l.url64(27)}`,
  ],
  ["discord-webhook", "webhook", (l) => `https://discord.com/api/webhooks/${l.digits(19)}/${l.url64(68)}`],
  [
    "teams-webhook",
    "incoming webhook",
    (l) =>
      `https://${l.pick(["contoso.webhook.office.com/webhookb2", "outlook.office.com/webhook"])}/${l.uuid()}@${l.uuid()}/IncomingWebhook/${l.hex(32)}/${l.uuid()}`,
  ],
  [
    "teams-webhook",
    "workflow",
    (l) =>
      `https://prod-${l.digits(2)}.westeurope.logic.azure.com:443/workflows/${l.hex(32)}/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=${l.url64(43)}`,
  ],
  ["segment-key", "public API token", (l) => `sgp_${l.base62(64)}`],
  ["xata-key", "API key", (l) => `xau_${l.base62(42)}`],
  ["telegram-token", "bot token", (l) => `${l.digits(10)}:AA${l.url64(33)}`],
  ["facebook-token", "access token", (l) => `EAA${l.base62(l.between(150, 220))}`],
  ["linear-key", "API key", (l) => `lin_api_${l.base62(40)}`],
  ["notion-token", "integration token", (l) => `ntn_${l.digits(11)}${l.base62(35)}`],
  ["notion-token", "first form", (l) => `secret_${l.base62(43)}`],
  ["figma-token", "personal token", (l) => `figd_${l.url64(40)}`],
  ["asana-token", "personal token", (l) => `2/${l.digits(16)}/${l.digits(16)}:${l.hex(32)}`],
  ["clickup-token", "personal token", (l) => `pk_${l.digits(8)}_${l.large(32)}`],
  ["hubspot-token", "private app token", (l) => `pat-${l.pick(["na", "eu"])}1-${l.uuid()}`],
  ["salesforce-token", "session id", (l) => `00D${l.base62(12)}!${l.base62(8)}.${l.base62(87)}`],
  ["typeform-token", "personal token", (l) => `tfp_${l.base62(44)}_${l.base62(14)}`],
  ["contentful-token", "management token", (l) => `CFPAT-${l.url64(43)}`],
  ["frameio-token", "developer token", (l) => `fio-u-${l.url64(64)}`],
  ["mapbox-token", "secret token", (l) => `sk.${l.json({ u: l.name(), a: `cl${l.small(23)}` })}.${l.url64(22)}`],
  ["dropbox-token", "access token", (l) => `sl.${l.url64(135)}`],
  ["slack-token", "workspace token", (l) => `xoxa-2-${l.from("123456789", 4)}${l.base62(30)}`],
  ["adafruit-key", "key", (l) => `aio_${l.base62(28)}`],
  ["adobe-secret", "client secret", (l) => `p8e-${l.url64(32)}`],
  ["maxmind-key", "licence key", (l) => `${l.base62(6)}_${l.base62(29)}_mmk`],
  ["yandex-token", "static access key", (l) => `YC${l.url64(38)}`],
  ["clickhouse-key", "key secret", (l) => `4b1d${l.base62(38)}`],
  // Secrets recognized only after a documented variable name
  ["heroku-key", "first form", (l) => l.uuid(), ["HEROKU_API_KEY"]],
  ["twilio-key", "auth token", (l) => l.hex(32), ["TWILIO_AUTH_TOKEN"]],
  ["mailgun-key", "API key", (l) => `${l.hex(32)}-${l.hex(8)}-${l.hex(8)}`, ["MAILGUN_API_KEY"]],
  ["datadog-key", "API key", (l) => l.hex(32), ["DD_API_KEY", "DATADOG_API_KEY"]],
  ["datadog-key", "application key", (l) => l.hex(40), ["DD_APP_KEY"]],
  ["cloudflare-key", "first form", (l) => l.url64(40), ["CLOUDFLARE_API_TOKEN"]],
  ["sentry-token", "first form", (l) => l.hex(64), ["SENTRY_AUTH_TOKEN"]],
  ["circleci-token", "first form", (l) => l.hex(40), ["CIRCLE_TOKEN"]],
  ["sonar-token", "first form", (l) => l.hex(40), ["SONAR_TOKEN"]],
  ["alibaba-key", "access key secret", (l) => l.base62(30), ["ALIBABA_CLOUD_ACCESS_KEY_SECRET"]],
  // Private keys
  ["private-key", "RSA", (l) => makePem(l, "RSA PRIVATE KEY", "MIIEpAIBAAKCAQEA", 1592)],
  ["private-key", "PKCS#8, Ed25519", (l) => makePem(l, "PRIVATE KEY", "MC4CAQAwBQYDK2VwBCIEI", 64)],
  ["private-key", "EC", (l) => makePem(l, "EC PRIVATE KEY", "MHcCAQEEI", 164)],
  [
    "private-key",
    "OpenSSH",
    (l) =>
      makePem(l, "OPENSSH PRIVATE KEY", "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAAMwAAAAtzc2gtZW", 340),
  ],
  ["private-key", "encrypted", (l) => makePem(l, "ENCRYPTED PRIVATE KEY", "MIIFHDBOBgkqhkiG9w0BBQ0w", 1700)],
  ["age-key", "identity", (l) => `AGE-SECRET-KEY-1${l.from("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)}`],
  [
    "jwt",
    "HS256, valid",
    (l) =>
      makeJwt(
        l,
        { alg: "HS256", typ: "JWT" },
        { sub: l.digits(6), iat: Math.floor(Date.now() / 1000), exp: Math.floor(Date.now() / 1000) + YEAR_SECONDS },
        43,
      ),
  ],
  [
    "jwt",
    "RS256, of an identity provider",
    (l) =>
      makeJwt(
        l,
        { alg: "RS256", kid: l.url64(22) },
        { iss: "https://login.acme-corp.io", sub: l.uuid(), exp: Math.floor(Date.now() / 1000) + 3600 },
        342,
      ),
  ],
  [
    "jwt",
    "service account of a cluster, without an end",
    (l) =>
      makeJwt(
        l,
        { alg: "RS256", kid: l.url64(43) },
        {
          iss: "kubernetes/serviceaccount",
          "kubernetes.io/serviceaccount/namespace": l.name(),
          sub: `system:serviceaccount:${l.name()}:default`,
        },
        342,
      ),
  ],
  [
    "jwt",
    "Supabase service role",
    (l) =>
      makeJwt(
        l,
        { alg: "HS256", typ: "JWT" },
        { iss: "supabase", ref: l.small(20), role: "service_role", iat: 1700000000, exp: 4000000000 },
        43,
      ),
  ],
];

export const SAMPLE_FORMS: readonly SampleForm[] = ROWS.map(([kind, form, make, names]) => ({
  kind,
  form,
  make,
  ...(names && { names }),
}));

/** Generates secrets in a given format. They're the same in every run, except for timestamps in some formats. */
export function makeSamples({ kind, form, make }: SampleForm, count: number): string[] {
  const letters = new Letters(makeChance(Number(Bun.hash.crc32(`${kind} ${form}`))));
  return Array.from({ length: count }, () => make(letters));
}

const quoteLines = (secret: string) => JSON.stringify(secret);

/** Strings that contain a secret. `name` is a variable name. */
export const CONTEXTS: Readonly<Record<string, (secret: string, name: string) => string>> = {
  bare: (secret) => `use this one: ${secret}\nand then go on`,
  env: (secret, name) => `PORT=8080\n${name}=${secret}\nDEBUG=1\n`,
  json: (secret, name) => `{ "region": "eu", "${name}": ${quoteLines(secret)}, "debug": true }`,
  yaml: (secret, name) => `env:\n  ${name}: ${secret.includes("\n") ? quoteLines(secret) : secret}\n  debug: true\n`,
  code: (secret, name) => `const config = { region: "eu" };\nconfig.${name} = ${quoteLines(secret)};\n`,
  url: (secret) => `curl 'https://api.acme-corp.io/v1/items?limit=5&token=${secret}'`,
  header: (secret) => `curl -H "Authorization: Bearer ${secret}" https://api.acme-corp.io/v1/items`,
  escaped: (secret) => `printf "TOKEN\\n${secret}\\n"`,
};
/** Contexts without a variable name, where the secret is identified by its format alone. */
export const NAMELESS = ["bare", "url", "header", "escaped"];
