import { createRandom, expandTemplate, hashText } from "../grammar.ts";
import { VOCABULARY } from "../vocabulary.ts";

/** Documented locations in which programs store credentials. */
const PATHS = `
‹|./|«word»/|apps/web/|config/|~/code/shop/|../›.env‹|.local|.production|.staging|.development|.prod|.development.local|.backup|.bak|.old›
‹|config/|deploy/›‹prod|production|staging|local|secrets›.env
~/.ssh/‹id_rsa|id_ed25519|id_ecdsa|id_dsa|deploy_key|github|work|id_rsa.bak|id_ed25519_work›
‹|certs/|ssl/|/etc/ssl/private/|«word»/›‹server|client|private|«word»|tls|ca›‹.key|-key.pem|.p12|.pfx|.jks|.ppk|.keystore›
~/.‹aws/credentials|netrc|npmrc|pypirc|pgpass|my.cnf|git-credentials|vault-token|boto|s3cfg|dockercfg|htpasswd|mylogin.cnf›
~/.‹docker/config.json|kube/config|terraform.d/credentials.tfrc.json|m2/settings.xml|m2/settings-security.xml|gem/credentials|cargo/credentials.toml|cargo/credentials|composer/auth.json|azure/msal_token_cache.json|claude/.credentials.json|codex/auth.json|gemini/oauth_creds.json|databrickscfg|kaggle/kaggle.json|cache/huggingface/token|circleci/cli.yml|snowflake/config.toml|fly/config.yml›
~/.config/‹gh/hosts.yml|glab-cli/config.yml|hub|containers/auth.json|pypoetry/auth.toml|rclone/rclone.conf|gcloud/application_default_credentials.json|gcloud/credentials.db|gcloud/access_tokens.db|doctl/config.yaml|heroku/auth.json|sops/age/keys.txt|netlify/config.json|configstore/firebase-tools.json|gcloud/legacy_credentials/me/adc.json›
/etc/‹shadow|gshadow|shadow-|kubernetes/admin.conf|rancher/k3s/k3s.yaml›
/proc/‹self|1|4242›/environ
/run/secrets/‹db|api_key|«word»›
~/.‹bash|zsh|psql|mysql|python|node_repl|sh›_history
‹|config/|«word»/|k8s/›‹secrets.yml|secrets.yaml|secret.json|credentials.json|service-account.json|service_account_key.json|client_secret.json|client_secret_42.json|secrets.toml›
~/‹.gnupg/private-keys-v1.d/«word».key|.local/share/keyrings/login.keyring|Library/Keychains/login.keychain-db|passwords.kdbx|.aws/sso/cache/«word».json|.aws/cli/cache/«word».json›
`
  .trim()
  .split("\n");
const MAX_PATHS_PER_TEMPLATE = 60;

/** Builds the paths of secret files, with duplicates removed. */
export const buildSecretPaths = (): string[] => [
  ...new Set(
    PATHS.flatMap((template) =>
      expandTemplate(template, VOCABULARY, MAX_PATHS_PER_TEMPLATE, createRandom(hashText(template))),
    ),
  ),
];
