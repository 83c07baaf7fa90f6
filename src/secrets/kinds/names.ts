import type { SecretRule } from "./rule.ts";

/**
 * Rules for secrets that contain no fixed literal. They are recognized by their length and by the variable name their
 * issuer documents.
 */
export const NAMED_RULES: readonly SecretRule[] = [
  {
    kind: "heroku-key",
    issuer: "Heroku (legacy format)",
    prefixes: ["HEROKU_API_KEY", "HEROKU_API_TOKEN"],
    position: "before",
    pattern:
      /HEROKU_API_(?:KEY|TOKEN)["']?\s{0,5}[:=]\s{0,5}["']?(?<value>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?!\w)/y,
    source: "https://devcenter.heroku.com/articles/platform-api-quickstart",
  },
  {
    kind: "twilio-key",
    issuer: "Twilio (auth token)",
    prefixes: ["TWILIO_AUTH_TOKEN"],
    position: "before",
    pattern: /TWILIO_AUTH_TOKEN["']?\s{0,5}[:=]\s{0,5}["']?(?<value>[0-9a-f]{32})(?!\w)/y,
  },
  {
    kind: "mailgun-key",
    issuer: "Mailgun",
    prefixes: ["MAILGUN_"],
    position: "before",
    pattern:
      /MAILGUN_[A-Z_]{0,30}KEY["']?\s{0,5}[:=]\s{0,5}["']?(?<value>[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})(?![\w-])/y,
  },
  {
    kind: "datadog-key",
    issuer: "Datadog",
    prefixes: ["DD_API_KEY", "DD_APP_KEY", "DATADOG_API_KEY", "DATADOG_APP_KEY"],
    position: "before",
    pattern: /(?:DD|DATADOG)_AP[IP]_KEY["']?\s{0,5}[:=]\s{0,5}["']?(?<value>[0-9a-f]{32}(?:[0-9a-f]{8})?)(?!\w)/y,
  },
  {
    kind: "cloudflare-key",
    issuer: "Cloudflare (legacy format)",
    prefixes: ["CLOUDFLARE_API_", "CF_API_"],
    position: "before",
    pattern:
      /(?:CLOUDFLARE|CF)_API_(?:KEY|TOKEN)["']?\s{0,5}[:=]\s{0,5}["']?(?<value>[0-9a-f]{37}|[\w-]{40})(?![\w-])/y,
  },
  {
    kind: "sentry-token",
    issuer: "Sentry (legacy format)",
    prefixes: ["SENTRY_AUTH_TOKEN"],
    position: "before",
    pattern: /SENTRY_AUTH_TOKEN["']?\s{0,5}[:=]\s{0,5}["']?(?<value>[0-9a-f]{64})(?!\w)/y,
    source: "https://docs.sentry.io/security-legal-pii/security/token-formats/",
  },
  {
    kind: "circleci-token",
    issuer: "CircleCI (legacy format)",
    prefixes: ["CIRCLE_TOKEN", "CIRCLECI_TOKEN", "CIRCLECI_CLI_TOKEN"],
    position: "before",
    pattern: /CIRCLE(?:CI)?(?:_CLI)?_TOKEN["']?\s{0,5}[:=]\s{0,5}["']?(?<value>[0-9a-f]{40})(?!\w)/y,
    source: "https://circleci.com/changelog/new-format-for-api-access-tokens/",
  },
  {
    kind: "sonar-token",
    issuer: "SonarQube (legacy format), SonarCloud",
    prefixes: ["SONAR_TOKEN"],
    position: "before",
    pattern: /SONAR_TOKEN["']?\s{0,5}[:=]\s{0,5}["']?(?<value>[0-9a-f]{40})(?!\w)/y,
  },
  {
    kind: "alibaba-key",
    issuer: "Alibaba Cloud (secret)",
    prefixes: ["ALIBABA_CLOUD_ACCESS_KEY_SECRET", "ALICLOUD_SECRET_KEY"],
    position: "before",
    pattern:
      /(?:ALIBABA_CLOUD_ACCESS_KEY_SECRET|ALICLOUD_SECRET_KEY)["']?\s{0,5}[:=]\s{0,5}["']?(?<value>[A-Za-z0-9]{30})(?!\w)/y,
  },
];
