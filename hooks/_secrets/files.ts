import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { basename, isAbsolute, relative, resolve } from "node:path";
import { homedir } from "bridge-hooks";
import { FILE_HINT } from "./hints.ts";

/** Endings of `.env.` files that are meant to be shared, or hold nothing that can be read. */
const SHARED_ENDINGS = "example|sample|template|tmpl|tpl|dist|defaults?|schema|vault|enc|md|d\\.ts";

/** Names of files that hold secrets, wherever they lie; in small letters. */
const SECRET_NAMES: readonly RegExp[] = [
  /^\.envrc$/,
  new RegExp(`^\\.env(?:$|[._-](?!(?:.*\\.)?(?:${SHARED_ENDINGS})$))`),
  /^(?:prod|production|stag(?:e|ing)|dev|development|local|secrets?|docker|compose|app|db|database)\.env$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:[._-](?!pub$).*)?$/,
  /^[._](?:netrc|pgpass)$/,
  /^\.(?:git-credentials|htpasswd|my\.cnf|mylogin\.cnf|dockercfg|s3cfg|boto|vault-token)$/,
  /^\.(?:bash|zsh|sh|fish|psql|mysql|sqlite|python|node_repl|rediscli)_history$/,
  /^(?:credentials|secrets?|client_secrets?[\w.-]*|service[_-]?account[\w.-]*|application_default_credentials)\.(?:json|ya?ml|toml)$/,
  /.\.(?:pem|key|p12|pfx|jks|keystore|ppk|kdbx)$/,
];

/** The same by the end of the whole path. */
const SECRET_PATHS: readonly RegExp[] = [
  /(?:^|\/)\.ssh\/(?!(?:config|known_hosts|authorized_keys|environment|rc|allowed_signers)[\w.]*$)[^/]+(?<!\.pub)$/,
  /(?:^|\/)\.[\w-]+\/(?:\.?credentials(?:\.(?:json|toml|db))?|auth\.json|oauth_creds\.json)$/,
  /(?:^|\/)\.(?:kube\/config|docker\/config\.json|azure\/(?=\w*token)\w+\.\w+|m2\/settings(?:-security)?\.xml|terraform\.d\/credentials\.tfrc\.json)$/,
  /(?:^|\/)\.config\/(?:gcloud\/(?=\w*credentials)\w+\/.|(?:gcloud\/(?:\w+\.db|(?=\w*credentials)\w+\.json)|gh\/hosts\.yml|hub|rclone\/rclone\.conf)$)/,
  /(?:^|\/)(?:\.aws\/(?:sso|cli)\/cache|\.gnupg\/private-keys-v1\.d|\.local\/share\/keyrings|library\/keychains)\/./,
  /^(?:~|\$\{?home\}?|\/root|\/(?:home|users)\/[^/]+)\/\.(?:npmrc|pypirc)$/,
  /^\/etc\/g?shadow-?$/,
  /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?environ$/,
  /^(?:\/var)?\/run\/secrets\/.+$/,
];

/** Folders that hold little but secrets: a program that takes one whole takes them. */
const SECRET_FOLDERS = /(?:^|\/)(?:\.ssh|\.aws|\.gnupg|\.password-store|\.kube|\.azure|\.config\/gcloud)\/?$/;

const ANY_FILE_HINT = new RegExp(FILE_HINT);
const MAX_PATH_LENGTH = 4096;

/** A path in small letters and with slashes. */
const normalizePath = (path: string) => path.replaceAll("\\", "/").toLowerCase();

/** Whether a path is by its name a file of secrets. A text with a blank in what would be the name is none. */
function isSecretPath(path: string): boolean {
  // No system takes a longer path; of one that a shell puts together, the end tells.
  const text = normalizePath(path.slice(-MAX_PATH_LENGTH));
  if (!ANY_FILE_HINT.test(text)) return false;
  const file = text.slice(text.lastIndexOf("/") + 1);
  return (
    !/\s/.test(file) && (SECRET_NAMES.some((name) => name.test(file)) || SECRET_PATHS.some((end) => end.test(text)))
  );
}

/** Names that wildcards are tried on: those of secrets, and others, which most wildcards mean. */
const SECRET_EXAMPLES = [
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
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
const OTHER_EXAMPLES = [
  ...LETTERS.flatMap((letter) => [`${letter}x`, `x${letter}`, `${letter}x.ts`, `x${letter}.ts`]),
  ..."readme.md package.json .gitignore .npmrc index.html x.py x.kt id.txt".split(" "),
];

/** Whether a name with wildcards is one that fits secrets before all: `.env*`, `*.pem`, `id_*`, but not `*`. */
export function isSecretPattern(pattern: string): boolean {
  const text = normalizePath(pattern);
  const at = text.lastIndexOf("/") + 1;
  const glob = new Bun.Glob(text.slice(at));
  const folder = text.slice(0, at);
  return (
    SECRET_EXAMPLES.some((name) => glob.match(name) && isSecretPath(folder + name)) &&
    !OTHER_EXAMPLES.some((name) => glob.match(name))
  );
}

/** Where a path stands. */
export interface PathContext {
  /** What it is relative to: a folder, absolute. */
  cwd: string;
  /** What the user's globs are relative to: the session's folder. */
  root: string;
}

/** Which files the user lets pass, and which more are to be protected: globs of names, or of paths if they have a slash. */
export interface UserGlobs {
  allow: readonly string[];
  deny: readonly string[];
}

const HOME = homedir();
const expandHome = (path: string) => path.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, () => HOME);

function isMatchedBy(globs: readonly string[], path: string, { cwd, root }: PathContext): boolean {
  if (globs.length === 0) return false;
  const full = resolve(cwd, path);
  const inside = normalizePath(relative(root, full));
  return globs.some((glob) => {
    const wanted = new Bun.Glob(normalizePath(expandHome(glob)).replace(/^\.\//, ""));
    if (!/[\\/]/.test(glob)) return wanted.match(normalizePath(basename(full)));
    return wanted.match(isAbsolute(expandHome(glob)) ? normalizePath(full) : inside);
  });
}

/** Whether a `.pem` holds no private key, as those of servers and authorities, and public keys. */
function isPublicPem(path: string): boolean {
  if (!path.toLowerCase().endsWith(".pem")) return false;
  try {
    const file = openSync(path, "r");
    const bytes = Buffer.alloc(65_536);
    const text = bytes.toString("latin1", 0, readSync(file, bytes));
    closeSync(file);
    return /-----BEGIN (?:CERTIFICATE|(?:\w+ )?PUBLIC KEY)/.test(text) && !text.includes("PRIVATE KEY");
  } catch {
    return false;
  }
}

/** What to ask about paths in a folder, as they are written. Links are followed elsewhere. */
export interface SecretPathCheck {
  /** Whether a path is a file of secrets. */
  isSecret: (path: string) => boolean;
  /** Whether a path with wildcards in its name means files of secrets before all others. */
  isPattern: (path: string) => boolean;
  /** Whether it is a folder of them. */
  isFolder: (path: string) => boolean;
  /** Whether the user lets it pass. */
  isAllowed: (path: string) => boolean;
  /** Whether there is such a file. */
  isThere: (path: string) => boolean;
}

export function createPathCheck({ allow, deny }: UserGlobs, place: PathContext): SecretPathCheck {
  const toAbsolutePath = (path: string) => resolve(place.cwd, expandHome(path));
  const isAllowed = (path: string) => isMatchedBy(allow, expandHome(path), place);
  // Hints are in one step of a path, so where neither a word nor what it is relative to has one, the whole path has none.
  const isHinted =
    ANY_FILE_HINT.test(normalizePath(place.cwd)) || ANY_FILE_HINT.test(normalizePath(HOME))
      ? () => true
      : (path: string) => ANY_FILE_HINT.test(normalizePath(path));
  return {
    isAllowed,
    isSecret: (path) =>
      isMatchedBy(deny, expandHome(path), place) ||
      (isHinted(path) &&
        (isSecretPath(path) || isSecretPath(toAbsolutePath(path))) &&
        !isAllowed(path) &&
        !isPublicPem(toAbsolutePath(path))),
    isPattern: (path) => isSecretPattern(path) && !isAllowed(path),
    isFolder: (path) => isHinted(path) && SECRET_FOLDERS.test(normalizePath(toAbsolutePath(path))) && !isAllowed(path),
    isThere: (path) => existsSync(toAbsolutePath(path)),
  };
}
