/** Suffixes of `.env.` files that are encrypted or safe to share. */
const SHAREABLE_SUFFIXES = "example|sample|template|tmpl|tpl|dist|defaults?|schema|vault|enc|md|d\\.ts";

/** Patterns for the lowercase names of secret files, regardless of directory. */
export const SECRET_NAMES: readonly RegExp[] = [
  /^\.envrc$/,
  /.\.tfstate(?:\.(?:\d+\.)?backup)?$/,
  new RegExp(`^\\.dev\\.vars(?:$|\\.(?!(?:.*\\.)?(?:${SHAREABLE_SUFFIXES})$))`),
  /^\.secrets(?:\.env)?$/,
  /^local\.settings\.json$/,
  new RegExp(`^\\.env(?:$|[._-](?!(?:.*\\.)?(?:${SHAREABLE_SUFFIXES})$))`),
  /^(?:prod|production|stag(?:e|ing)|dev|development|local|secrets?|docker|compose|app|db|database)\.env$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:[._-](?!(?:.*[._-])?pub).*)?$/,
  /^(?:[._]netrc|[._]pgpass|\.pypirc)$/,
  /^\.(?:git-credentials|htpasswd|my\.cnf|mylogin\.cnf|dockercfg|s3cfg|boto|vault-token)$/,
  /^\.(?:bash|zsh|sh|fish|psql|mysql|sqlite|python|node_repl|rediscli)_history$/,
  /^consolehost_history\.txt$/,
  /^(?:credentials|secrets?|client_secrets?[\w.-]*|service[_-]?account[\w.-]*|application_default_credentials)\.(?:json|ya?ml|toml|tfvars)$/,
  /.\.(?:pem|key|p12|pfx|jks|keystore|ppk|kdbx)$/,
];

/** Patterns for the lowercase full paths of secret files. */
export const SECRET_PATHS: readonly RegExp[] = [
  /(?:^|\/)\.ssh\/(?!(?:config|known_hosts|authorized_keys|environment|rc|allowed_signers)[\w.]*$|[^/]*\.(?:pub|md$))[^/]+$/,
  /(?:^|\/)\.[\w-]+\/(?:\.?credentials(?:\.(?:json|toml|db))?|auth\.json|oauth_creds\.json)$/,
  /(?:^|\/)(?:\.kube\/config|\.docker\/config\.json|\.azure\/(?=\w*token)\w+\.\w+|\.m2\/settings(?:-security)?\.xml|\.terraform\.d\/credentials\.tfrc\.json)$/,
  /(?:^|\/)\.config\/(?:gcloud\/(?=\w*credentials)\w+\/.|(?:gcloud\/(?:\w+\.db|(?=\w*credentials)\w+\.json)|gh\/hosts\.yml|hub|rclone\/rclone\.conf)$)/,
  /(?:^|\/)(?:\.aws\/(?:sso|cli)\/cache|\.gnupg\/private-keys-v1\.d|\.local\/share\/keyrings|library\/keychains)\/./,
  /^(?:~|\$\{?home\}?|\/root|\/(?:home|users)\/[^/]+)\/\.npmrc$/,
  /(?:^|\/)\.config\/(?:glab-cli\/config\.yml|[\w.-]+\/auth\.(?:json|toml))$/,
  /(?:^|\/)(?:library\/application support|appdata\/roaming)\/(?:glab-cli\/config\.yml|pypoetry\/auth\.toml)$/,
  /^\/run\/(?:user\/\d+\/)?containers\/(?:\d+\/)?auth\.json$/,
  /^\/etc\/(?:kubernetes\/(?:(?:super-)?admin|kubelet|controller-manager|scheduler)\.conf|rancher\/(?:k3s\/k3s|rke2\/rke2)\.yaml)$/,
  /^\/etc\/g?shadow-?$/,
  /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?environ$/,
  /^(?:\/var)?\/run\/secrets\/.+$/,
  /(?:^|\/)(?:\.circleci\/cli\.yml|\.dbt\/profiles\.yml|\.kaggle\/kaggle\.json|\.fly\/config\.yml|\.snowflake\/(?:config|connections)\.toml|\.databrickscfg|\.wrangler\/config\/default\.toml)$/,
  /(?:^|\/)\.cache\/huggingface\/(?:token|stored_tokens)$|(?:^|\/)\.huggingface\/token$/,
  /(?:^|\/)(?:\.config|library\/preferences|library\/application support)\/(?:netlify\/config\.json|doctl\/config\.yaml|sops\/age\/keys\.txt|configstore\/firebase-tools\.json|\.wrangler\/config\/default\.toml)$/,
  /^(?=.*\.gpg$)(?:.*\/)?\.(?:password-store\/|gnupg\/secring\.)/,
];

/** Directories that contain mostly secrets, so reading everything in one exposes secrets. */
export const SECRET_FOLDERS = /(?:^|\/)(?:\.ssh|\.aws|\.gnupg|\.password-store|\.kube|\.azure|\.config\/gcloud)\/?$/;

/** Names for testing wildcards. A wildcard that matches one of these but no ordinary name targets secrets. */
export const SECRET_EXAMPLE_NAMES: readonly string[] = [
  ".env",
  ".env.local",
  ".env.production",
  "id_rsa",
  "id_ed25519",
  ".netrc",
  ".git-credentials",
  "server.pem",
  "server.key",
];

/** Names that don't show whether a file contains a secret, so the contents have to be checked. */
export const AMBIGUOUS_NAMES: readonly RegExp[] = [
  /.\.(?:p8|pk8|pvk|priv)$/,
  /(?:key|keys|token|tokens|password|passwords|private|creds|cert|certs|secret)\.(?:txt|asc)$/,
  /(?:^|[._-])(?:deploy|private|signing|host)[_-]key$/,
  /(?:^|[._-])privkey$/,
  /^(?:\.npmrc|\.yarnrc|\.yarnrc\.yml|pip\.conf|pip\.ini|bunfig\.toml|nuget\.config|\.curlrc|\.wgetrc)$/,
];
