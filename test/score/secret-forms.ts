import { existsSync } from "node:fs";
import { join } from "node:path";
import { createRandom, hashText, type Random } from "./grammar.ts";

const DIGITS = "0123456789";
const HEX = `${DIGITS}abcdef`;
const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const ALNUM = DIGITS + UPPER + LOWER;
const URL64 = `${ALNUM}-_`;

type MakeText = (alphabet: string, length: number) => string;
type Form = readonly [issuer: string, make: (text: MakeText) => string];

/**
 * Secret formats that issuers document or public secret scanners list (docs
 * https://docs.github.com/code-security/secret-scanning/introduction/supported-secret-scanning-patterns and the page
 * linked at each).
 */
const FORMS: readonly Form[] = [
  // Source: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html
  ["aws access key", (text) => `AKIA${text(`${UPPER}234567`, 16)}`],
  ["aws temporary key", (text) => `ASIA${text(`${UPPER}234567`, 16)}`],
  // Source: https://github.blog/2021-04-05-behind-githubs-new-authentication-token-formats/
  ["github oauth", (text) => `gho_${text(ALNUM, 36)}`],
  ["github personal", (text) => `ghp_${text(ALNUM, 36)}`],
  ["github fine-grained", (text) => `github_pat_${text(ALNUM, 22)}_${text(ALNUM, 59)}`],
  // Source: https://docs.gitlab.com/security/tokens/#token-prefixes
  ...["glpat", "gldt", "glrt", "glft", "glimt", "glagent", "glsoat", "glffct"].map((prefix): Form => [
    `gitlab ${prefix}`,
    (text) => `${prefix}-${text(URL64, prefix === "glagent" ? 50 : 20)}`,
  ]),
  ["gitlab gloas", (text) => `gloas-${text(HEX, 64)}`],
  ["gitlab runner registration", (text) => `GR1348941${text(URL64, 20)}`],
  // Source: https://docs.npmjs.com/about-access-tokens
  ["npm", (text) => `npm_${text(ALNUM, 36)}`],
  // Source: https://pypi.org/help/#apitoken
  ["pypi", (text) => `pypi-AgEIcHlwaS5vcmc${text(URL64, 150)}`],
  // Source: https://api.slack.com/authentication/token-types
  ["slack bot", (text) => `xoxb-${text(DIGITS, 12)}-${text(DIGITS, 13)}-${text(ALNUM, 24)}`],
  ["slack app", (text) => `xapp-1-A${text(DIGITS + UPPER, 10)}-${text(DIGITS, 13)}-${text(HEX, 64)}`],
  // Source: https://docs.stripe.com/keys
  ["stripe secret", (text) => `sk_live_${text(ALNUM, 99)}`],
  ["stripe restricted", (text) => `rk_live_${text(ALNUM, 99)}`],
  // Source: https://www.twilio.com/docs/iam/api-keys
  ["twilio key", (text) => `SK${text(HEX, 32)}`],
  // Source: https://docs.sendgrid.com/ui/account-and-settings/api-keys
  ["sendgrid", (text) => `SG.${text(URL64, 22)}.${text(URL64, 43)}`],
  // Source: https://documentation.mailgun.com
  ["mailgun", (text) => `key-${text(HEX, 32)}`],
  // Source: https://mailchimp.com/developer/marketing/guides/quick-start
  ["mailchimp", (text) => `${text(HEX, 32)}-us${text("123456789", 1)}`],
  // Source: https://developers.brevo.com
  ["brevo", (text) => `xkeysib-${text(HEX, 64)}-${text(ALNUM, 16)}`],
  // Source: https://developer.squareup.com/docs/build-basics/access-tokens
  ["square", (text) => `EAAA${text(URL64, 60)}`],
  // Source: https://docs.goshippo.com
  ["shippo", (text) => `shippo_live_${text(HEX, 40)}`],
  // Source: https://docs.easypost.com/docs/authentication
  ["easypost", (text) => `EZAK${text(ALNUM, 54)}`],
  // Source: https://duffel.com/docs/api/overview/test-your-integration
  ["duffel", (text) => `duffel_live_${text(URL64, 43)}`],
  // Source: https://devcenter.heroku.com/articles/authentication
  ["heroku", (text) => `HRKU-AA${text(URL64, 58)}`],
  // Source: https://developer.hashicorp.com/terraform/cloud-docs/users-teams-organizations/api-tokens
  ["terraform", (text) => `${text(ALNUM, 14)}.atlasv1.${text(ALNUM, 67)}`],
  // Source: https://www.pulumi.com/docs/administration/access-identity/access-tokens
  ["pulumi", (text) => `pul-${text(HEX, 40)}`],
  // Source: https://docs.doppler.com/reference/auth-token-formats
  ["doppler", (text) => `dp.pt.${text(ALNUM, 43)}`],
  // Source: https://docs.sentry.io/account/auth-tokens
  ["sentry user", (text) => `sntryu_${text(HEX, 64)}`],
  // Source: https://docs.newrelic.com/docs/apis/intro-apis/new-relic-api-keys
  ["new relic", (text) => `NRAK-${text(UPPER + DIGITS, 27)}`],
  // Source: https://docs.dynatrace.com/docs/dynatrace-api/basics/dynatrace-api-authentication
  ["dynatrace", (text) => `dt0c01.${text(`${UPPER}234567`, 24)}.${text(`${UPPER}234567`, 64)}`],
  // Source: https://planetscale.com/docs/api/reference/service-tokens
  ["planetscale", (text) => `pscale_tkn_${text(URL64, 43)}`],
  // Source: https://docs.linear.app
  ["linear", (text) => `lin_api_${text(ALNUM, 40)}`],
  // Source: https://huggingface.co/docs/hub/security-tokens
  ["hugging face", (text) => `hf_${text(LOWER + UPPER, 34)}`],
  ["hugging face organisation", (text) => `api_org_${text(LOWER + UPPER, 34)}`],
  // Source: https://cloud.google.com/docs/authentication/api-keys
  ["google api key", (text) => `AIza${text(URL64, 35)}`],
  ["google oauth", (text) => `ya29.${text(URL64, 180)}`],
  // Source: https://platform.openai.com/docs/api-reference/authentication
  ["openai", (text) => `sk-proj-${text(URL64, 74)}T3BlbkFJ${text(URL64, 74)}`],
  // Source: https://docs.anthropic.com/en/api/overview
  ["anthropic", (text) => `sk-ant-api03-${text(URL64, 93)}AA`],
  // Source: https://airtable.com/developers/web/guides/personal-access-tokens
  ["airtable", (text) => `pat${text(ALNUM, 14)}.${text(HEX, 64)}`],
  // Source: https://docs.sonarsource.com
  ["sonar", (text) => `squ_${text(HEX, 40)}`],
  // Source: https://sourcegraph.com/docs/cli/how-tos/creating_an_access_token
  ["sourcegraph", (text) => `sgp_${text(HEX, 16)}_${text(HEX, 40)}`],
  // Source: https://learn.microsoft.com/nuget/nuget-org/scoped-api-keys
  ["nuget", (text) => `oy2${text(`${LOWER}234567`, 43)}`],
  // Source: https://docs.readme.com/main/reference/authentication
  ["readme", (text) => `rdme_${text(LOWER + DIGITS, 70)}`],
  // Source: https://circleci.com/docs/managing-api-tokens
  ["circleci", (text) => `CCIPAT_${text(ALNUM, 22)}_${text(HEX, 40)}`],
  // Source: https://support.atlassian.com/bitbucket-cloud/docs/app-passwords
  ["bitbucket", (text) => `ATBB${text(ALNUM, 24)}${text(DIGITS + UPPER.slice(0, 6), 8)}`],
  // Source: https://docs.digitalocean.com/reference/api/create-personal-access-token
  ["digitalocean", (text) => `dop_v1_${text(HEX, 64)}`],
  // Source: https://shopify.dev/docs/apps/build/authentication-authorization
  ["shopify", (text) => `shpat_${text(HEX, 32)}`],
  // Source: https://developer.hashicorp.com/vault/docs/concepts/tokens
  ["vault", (text) => `hvs.${text(URL64, 94)}`],
  // Source: https://docs.databricks.com/dev-tools/auth/pat.html
  ["databricks", (text) => `dapi${text(HEX, 32)}`],
  // Source: https://grafana.com/docs/grafana/latest/administration/service-accounts
  ["grafana", (text) => `glsa_${text(ALNUM, 32)}_${text(HEX, 8)}`],
  // Source: https://learning.postman.com/docs/developer/postman-api/authentication
  ["postman", (text) => `PMAK-${text(HEX, 24)}-${text(HEX, 34)}`],
  // Source: https://core.telegram.org/bots/features#botfather
  ["telegram", (text) => `${text("123456789", 10)}:AA${text(URL64, 33)}`],
];

const CONTEXTS: readonly ((secret: string) => string)[] = [
  (secret) => `use this one: ${secret}\nand then go on`,
  (secret) => `PORT=8080\nSERVICE_TOKEN=${secret}\nDEBUG=1\n`,
  (secret) => `{ "region": "eu", "token": ${JSON.stringify(secret)} }`,
  (secret) => `const client = connect({ apiKey: ${JSON.stringify(secret)} });\n`,
];
const SAMPLES_PER_FORM = 4;

/** Text that contains a secret, and the secret's issuer. */
export interface SecretText {
  issuer: string;
  text: string;
}

/** What the sample module exports, if it exists. */
interface SampleModule {
  SAMPLE_FORMS: readonly { kind: string; form: string; names?: readonly string[] }[];
  makeSamples: (form: SampleModule["SAMPLE_FORMS"][number], count: number) => string[];
  CONTEXTS: Readonly<Record<string, (secret: string, name: string) => string>>;
  NAMELESS: readonly string[];
}

/** The more complete list, which the `secrets()` tests use. */
const SAMPLE_MODULE = join(import.meta.dir, "../author/secret-samples.ts");

/** Builds texts with well-formed secrets from each issuer, generated on demand. */
export async function buildSecretTexts(): Promise<SecretText[]> {
  if (existsSync(SAMPLE_MODULE)) return buildFromModule((await import(SAMPLE_MODULE)) as SampleModule);
  return FORMS.flatMap(([issuer, make]) => {
    const text = createTextSource(createRandom(hashText(issuer)));
    return Array.from({ length: SAMPLES_PER_FORM }, (_, at) => ({
      issuer,
      text: (CONTEXTS[at % CONTEXTS.length] as (secret: string) => string)(make(text)),
    }));
  });
}

const createTextSource =
  (random: Random): MakeText =>
  (alphabet, length) =>
    Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join("");

function buildFromModule({ SAMPLE_FORMS, makeSamples, CONTEXTS: contexts, NAMELESS }: SampleModule): SecretText[] {
  return SAMPLE_FORMS.flatMap((form) => {
    const fitting = Object.entries(contexts).filter(([name]) => form.names === undefined || !NAMELESS.includes(name));
    return makeSamples(form, SAMPLES_PER_FORM).map((secret, at) => ({
      issuer: `${form.kind}: ${form.form}`,
      text: (fitting[at % fitting.length] as (typeof fitting)[number])[1](secret, form.names?.[0] ?? "SERVICE_TOKEN"),
    }));
  });
}
