/**
 * Patterns for consecutive operands, for an option that must be present, and for one that must be absent. If an option
 * is known to take a value, the pattern sees both joined: `-o=json`.
 */
export type PasswordStoreRule = readonly [words: string, option?: RegExp, without?: RegExp];

/** Matches the end of a secret output's name. */
export const SECRET_OUTPUT = "(?:secret|token|password|passwd|credential|(?:private|api|access|auth)_key)s?(?:_value)?";

/** Output formats that show only the names and metadata of Kubernetes objects. */
const NAME_ONLY_FORMAT = String.raw`(?:custom-columns|jsonpath)=(?:[\w-]+:|[{},\s]|(?:\.items\[\*\])?\.(?:metadata\.(?:name|namespace|creationTimestamp)|type))+`;

/** A query that limits the output of `az` to names. */
const NAME_ONLY_QUERY = /^(?:--query=)?\[\]\.(?:name|keyName)$/;

/** Options that keep Compose from printing configuration values. */
const COMPOSE_QUIET_OPTION = /^(?:-q|--(?:quiet|services|volumes|images|profiles|networks|no-interpolate|hash))/;

/** Matches `compose` without spelling it out, so that the precheck looks for the word after it, which is rarer. */
const COMPOSE_PATTERN = String.raw`comp\S+`;
/** The value of a file option that comes before a Compose subcommand. */
const COMPOSE_FILE = String.raw`\S*(?:\.ya?ml|env\S*)`;

/** A setting whose name suggests a secret. */
const SECRET_SETTING = String.raw`\S*(?:[sS]ecret|[pP]assw|[tT]oken|[kK]ey|[cC]redential)\S*`;

/** Commands that print secrets from a password store or credential manager. */
export const PASSWORD_STORES: Readonly<Record<string, readonly PasswordStoreRule[]>> = {
  gh: [["auth token"], ["auth status", /^(?:-t|--show-token)$/]],
  glab: [["auth status", /^(?:-t|--show-token)$/]],
  gcloud: [
    ["auth print-access-token"],
    ["auth print-identity-token"],
    ["auth application-default print-access-token"],
    ["secrets versions access"],
    ["config config-helper"],
  ],
  aws: [
    ["configure export-credentials"],
    ["configure get", /secret|token/],
    ["secretsmanager get-secret-value"],
    ["secretsmanager batch-get-secret-value"],
    ["sts get-session-token"],
    ["sts get-federation-token"],
    ["sts assume-role"],
    ["sts assume-role-with-web-identity"],
    ["sso get-role-credentials"],
    ["iam create-access-key"],
    ["ecr get-login-password"],
    ["ecr get-authorization-token"],
    ["codeartifact get-authorization-token"],
    ["rds generate-db-auth-token"],
    ["ssm get-parameter", /^--with-decryption$/],
    ["ssm get-parameters", /^--with-decryption$/],
    ["ssm get-parameters-by-path", /^--with-decryption$/],
  ],
  az: [
    ["account get-access-token"],
    ["keyvault secret show"],
    ["keyvault secret download"],
    ["[a-z-]+ keys list", undefined, NAME_ONLY_QUERY],
    ["redis list-keys", undefined, NAME_ONLY_QUERY],
    ["config appsettings list", undefined, NAME_ONLY_QUERY],
    ["config connection-string list", undefined, NAME_ONLY_QUERY],
    ["storage account show-connection-string"],
    ["acr credential show"],
    ["acr login", /^--expose-token/],
    ["ad sp create-for-rbac"],
    ["ad sp credential reset"],
  ],
  kubectl: [
    [
      String.raw`get (?:\S+,)?secrets?(?:[,./]\S*)?`,
      new RegExp(`^(?:-o=?|--output=|--template=)(?!=|(?:name|wide|${NAME_ONLY_FORMAT})?$)`),
    ],
    ["config view", /^--raw$/],
    ["create token"],
    ["whoami", /^(?:-t|--show-token)$/],
  ],
  security: [["find-generic-password", /^-\w*[gw]$/], ["find-internet-password", /^-\w*[gw]$/], ["dump-keychain"]],
  "secret-tool": [["lookup"], ["search"]],
  // `pass` prints an entry even if `show` is omitted.
  pass: [
    [
      "",
      /^[^-]/,
      /^(?:-c|--clip|ls|list|find|search|grep|insert|add|edit|generate|rm|remove|delete|mv|cp|git|init|help|version)\b/,
    ],
  ],
  gopass: [["show", undefined, /^(?:-c|--clip)/], ["cat"]],
  op: [["read"], ["item get", /^--(?:reveal|fields|format)/], ["document get"], ["inject"]],
  vault: [["read"], ["kv get"], ["print token"], ["token create"], ["unwrap"]],
  bw: [["get password"], ["get item"], ["get notes"], ["get totp"], ["list items"], ["export"], ["unlock", /^--raw$/]],
  lpass: [["show"], ["export"]],
  "keepassxc-cli": [["show", /^(?:-s|--show-protected|-a|--attributes)/], ["export"]],
  dotenvx: [["get"], ["decrypt", /^(?:--stdout|-so)$/]],
  doppler: [["secrets", undefined, /^(?:set|delete|upload|--only-names)$/]],
  infisical: [["secrets", undefined, /^(?:set|delete)$/], ["export"]],
  heroku: [["config", undefined, /^config:(?:set|unset)/], ["config:get"], ["auth:token"], ["pg:credentials:url"]],
  flyctl: [["auth token"], ["tokens create"]],
  vercel: [["env pull"]],
  netlify: [["env:list"], ["env:get"]],
  railway: [["variables"]],
  firebase: [["login:ci"], ["functions:secrets:access"], ["functions:config:get"]],
  tmux: ["show-environment", "showenv"].map((word): PasswordStoreRule => [
    word,
    undefined,
    /^(?:PATH|HOME|TERM|LANG|SHELL|DISPLAY|SSH_AUTH_SOCK)$/,
  ]),
  launchctl: [[String.raw`getenv \S*(?:TOKEN|SECRET|PASSWORD|PASSWD|KEY)\S*`]],
  git: [
    [String.raw`config http\.(?:.*\.)?[eE]xtra[hH]eader`, /^--get/],
    [String.raw`config get http\.(?:.*\.)?[eE]xtra[hH]eader`],
    ["credential fill"],
    ["credential-osxkeychain get"],
    ["credential-store get"],
    ["credential-libsecret get"],
  ],
  gpg: [
    ["", /^--export-secret-(?:sub)?keys?/],
    ["", /^(?:-[a-z]*d|--decrypt)$/, /^(?:-o|--output)/],
  ],
  rails: [["(?:credentials|secrets):show"]],
  // Without a name and without `-json`, terraform hides sensitive values.
  terraform: [
    ["show", /^--?json$/, /^(?!show$)[^-]/],
    ["state pull"],
    [`output \\S*${SECRET_OUTPUT}`],
    ["output", /^--?json(?:=true)?$/, /^(?!output$)[a-z]/],
  ],
  sops: [["", /^(?:-d|--decrypt|decrypt)$/, /^--output(?:=(?!\/dev\/)|$)/]],
  "ansible-vault": [["view"], ["decrypt", /^-$|^--output=-$/], ["decrypt", undefined, /^--output/]],
  docker: [
    ["inspect", /\.Env\b|\{\{(?:json )?\.Config\}\}/],
    [String.raw`${COMPOSE_PATTERN} config`, undefined, COMPOSE_QUIET_OPTION],
    [String.raw`${COMPOSE_PATTERN} ${COMPOSE_FILE} config`, undefined, COMPOSE_QUIET_OPTION],
    [String.raw`${COMPOSE_PATTERN} ${COMPOSE_FILE} ${COMPOSE_FILE} config`, undefined, COMPOSE_QUIET_OPTION],
    ["stack config"],
  ],
  "docker-compose": [
    ["config", undefined, COMPOSE_QUIET_OPTION],
    [`${COMPOSE_FILE} config`, undefined, COMPOSE_QUIET_OPTION],
  ],
  systemctl: [["show-environment"], ["show", /^(?:-p|--property)?=?(?:\w+,)*Environment(?:,|$)/]],
  getent: [["g?shadow"]],
  pulumi: [
    ["stack (?:output|export)", /^--show-secrets(?!=false)/],
    ["config", /^--show-secrets(?!=false)/],
    [`config get ${SECRET_SETTING}`],
  ],
  chamber: [["read"], ["export"], ["env"]],
  credstash: [["get"], ["getall"]],
  berglas: [["access"]],
  akeyless: [["get-secret-value"]],
  conjur: [["variable get"]],
  rbw: [["get"]],
  bws: [["secret (?:get|list)"]],
  keyring: [["get"]],
  keyctl: [["(?:print|read|pipe)"]],
  nmcli: [["", /^(?:-s|--show-secrets)$/]],
  netsh: [["wlan show profiles?", /^key=clear$/i]],
  wg: [["showconf"], [String.raw`show \S+ (?:private-key|preshared-keys)`]],
  "redis-cli": [["(?:config|CONFIG) (?:get|GET) (?:requirepass|masterauth)"]],
  npm: [[String.raw`config get \S*_(?:auth|password)\S*`], [String.raw`get \S*_(?:auth|password)\S*`]],
  supabase: [["projects api-keys"]],
  neonctl: [["(?:connection-string|cs)"]],
  eas: [["env:(?:list|get)", /^--include-sensitive/]],
  turso: [["db tokens create"]],
  doctl: [["databases connection"]],
  scw: [["config get secret-key"]],
  ibmcloud: [["iam oauth-tokens"]],
  databricks: [["auth token"], ["secrets get-secret"]],
  nomad: [["var get"]],
  cf: [["env"], ["service-key"], ["oauth-token"]],
  "aws-vault": [["export"]],
  stripe: [["config", /^--list$/]],
  snyk: [["config get api"]],
  age: [["", /^(?:-d|--decrypt)$/, /^(?:-o|--output)(?:=|$)/]],
};
/** Other names for these programs. */
export const PROGRAM_ALIASES: Readonly<Record<string, string>> = {
  oc: "kubectl",
  k: "kubectl",
  gpg2: "gpg",
  fly: "flyctl",
  podman: "docker",
  rage: "age",
  tofu: "terraform",
  terragrunt: "terraform",
  neon: "neonctl",
  passage: "pass",
  "podman-compose": "docker-compose",
};
