import { closeSync, existsSync, openSync, readdirSync, readSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";

/** Endings of `.env.` files that are meant to be shared, or hold nothing that can be read. */
const SHARED = "example|sample|template|tmpl|tpl|dist|defaults?|schema|vault|enc|md|d\\.ts";

/** Names of files that hold secrets, wherever they lie; in small letters. */
const NAMES: readonly RegExp[] = [
  /^\.envrc$/,
  new RegExp(`^\\.env(?:$|[._-](?!(?:.*\\.)?(?:${SHARED})$))`),
  /^(?:prod|production|stag(?:e|ing)|dev|development|local|secrets?|docker|compose|app|db|database)\.env$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:[._-](?!pub$).*)?$/,
  /^[._](?:netrc|pgpass)$/,
  /^\.(?:git-credentials|htpasswd|my\.cnf|mylogin\.cnf|dockercfg|s3cfg|boto|vault-token)$/,
  /^(?:credentials|secrets?|client_secrets?[\w.-]*|service[_-]?account[\w.-]*|application_default_credentials)\.(?:json|ya?ml|toml)$/,
  /.\.(?:pem|key|p12|pfx|jks|keystore|ppk|kdbx)$/,
];

/** The same by the end of the whole path. */
const PATHS: readonly RegExp[] = [
  /(?:^|\/)\.ssh\/(?!(?:config|known_hosts|authorized_keys|environment|rc|allowed_signers)[\w.]*$)[^/]+(?<!\.pub)$/,
  /(?:^|\/)\.[\w-]+\/(?:\.?credentials(?:\.(?:json|toml|db))?|auth\.json|oauth_creds\.json)$/,
  /(?:^|\/)\.(?:kube\/config|docker\/config\.json|azure\/\w*tokens?\w*\.\w+|m2\/settings(?:-security)?\.xml|terraform\.d\/credentials\.tfrc\.json)$/,
  /(?:^|\/)\.config\/(?:gcloud\/(?:\w+\.db|\w*credentials\w*(?:\.json|\/.+))|gh\/hosts\.yml|hub|rclone\/rclone\.conf)$/,
  /(?:^|\/)(?:\.aws\/(?:sso|cli)\/cache|\.gnupg\/private-keys-v1\.d|\.local\/share\/keyrings|library\/keychains)\/.+$/,
  /^(?:~|\$\{?home\}?|\/root|\/(?:home|users)\/[^/]+)\/\.(?:npmrc|pypirc)$/,
  /^\/etc\/g?shadow-?$/,
  /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?environ$/,
  /^(?:\/var)?\/run\/secrets\/.+$/,
];

/** Folders that hold little but secrets: a program that takes one whole takes them. */
const FOLDERS = /(?:^|\/)(?:\.ssh|\.aws|\.gnupg|\.password-store|\.kube|\.azure|\.config\/gcloud)\/?$/;

/** One of these stands in every path that is looked for above. */
export const FILE_HINT =
  /\.env|\.env\b|id_[rde]|netrc|pgpass|\.git-cred|htpasswd|\.my|\.dockercfg|\.s3cfg|\.boto|\.vault|credential|secret|service[_-]?acc|\.(?:pem|key|p12|pfx|jks|keystore|ppk|kdbx)|\.ssh|auth\.json|oauth_|\.kube|\.docker|\.azure|\.m2|terraform\.d|gcloud|\.config|\.aws|\.gnupg|keyring|keychain|\.npmrc|\.pypirc|shadow|environ|\.password-store/;

/** A path in small letters and with slashes. */
const plain = (path: string) => path.replaceAll("\\", "/").toLowerCase();

/** Whether a path is by its name a file of secrets. A text with a blank in what would be the name is none. */
export function isNamed(path: string): boolean {
  const text = plain(path);
  const file = text.slice(text.lastIndexOf("/") + 1);
  return !/\s/.test(file) && (NAMES.some((name) => name.test(file)) || PATHS.some((end) => end.test(text)));
}

/** Names that wildcards are tried on: those of secrets, and others, which most wildcards mean. */
const SECRETS = [".env", ".env.local", ".env.production", "id_rsa", "id_ed25519", ".netrc", ".git-credentials", "server.pem", "server.key"];
const OTHERS = ["README.md", "index.ts", "package.json", ".gitignore", "Makefile", "id.txt"];

/** Whether a name with wildcards is one that fits secrets before all: `.env*`, `*.pem`, `id_*`, but not `*`. */
export function meansSecrets(pattern: string): boolean {
  const text = plain(pattern);
  const at = text.lastIndexOf("/") + 1;
  const glob = new Bun.Glob(text.slice(at));
  const folder = text.slice(0, at);
  return SECRETS.some((name) => glob.match(name) && isNamed(folder + name)) && !OTHERS.some((name) => glob.match(name.toLowerCase()));
}

/** Which files the user lets pass, and which more are to be protected: globs of names, or of paths if they have a slash. */
export interface Lists {
  allow: readonly string[];
  deny: readonly string[];
}

const HOME = homedir();
const expanded = (path: string) => path.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, () => HOME);

function fits(globs: readonly string[], path: string, cwd: string): boolean {
  const full = resolve(cwd, path);
  const inside = plain(relative(cwd, full));
  return globs.some((glob) => {
    const wanted = new Bun.Glob(plain(expanded(glob)).replace(/^\.\//, ""));
    if (!/[\\/]/.test(glob)) return wanted.match(plain(basename(full)));
    return wanted.match(isAbsolute(expanded(glob)) ? plain(full) : inside);
  });
}

/** Where a path leads, links followed; the path itself where nothing is there. */
function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

const MOST_FILES = 2_000;

/** The files in a folder that a name with wildcards stands for, as the shell takes it. */
function matching(folder: string, name: string): string[] {
  if (!/[*?[]/.test(name)) return [];
  const glob = new Bun.Glob(name);
  try {
    const files = readdirSync(folder).slice(0, MOST_FILES);
    return files.filter((file) => glob.match(file) && (!file.startsWith(".") || name.startsWith("."))).map((file) => join(folder, file));
  } catch {
    return [];
  }
}

/** Whether a `.pem` holds no private key, as those of servers and authorities. */
function isCertificate(path: string): boolean {
  if (!path.toLowerCase().endsWith(".pem")) return false;
  try {
    const file = openSync(path, "r");
    const bytes = Buffer.alloc(65_536);
    const text = bytes.toString("latin1", 0, readSync(file, bytes));
    closeSync(file);
    return text.includes("-----BEGIN CERTIFICATE") && !text.includes("PRIVATE KEY");
  } catch {
    return false;
  }
}

/** What to ask about paths in a folder. */
export interface Judge {
  /** Whether a path, or where it leads, is a file of secrets. */
  isSecret: (path: string) => boolean;
  /** Whether a path with wildcards in its name stands for one: for such names before all others, or for one that is there. */
  isPattern: (path: string) => boolean;
  /** Whether it is a folder of them. */
  isFolder: (path: string) => boolean;
  /** Whether the user lets it pass. */
  isAllowed: (path: string) => boolean;
  /** Whether there is such a file. */
  isThere: (path: string) => boolean;
}

/** @param cwd the folder that paths are relative to, absolute; empty where it isn't known. */
export function judge({ allow, deny }: Lists, cwd: string): Judge {
  const isAllowed = (path: string) => fits(allow, expanded(path), cwd);
  const isOne = (path: string) =>
    fits(deny, path, cwd) || (isNamed(path) && !isAllowed(path) && !isCertificate(resolve(cwd, expanded(path))));
  const withLinks = (is: (path: string) => boolean) => (path: string) => {
    if (is(path)) return true;
    const full = resolve(cwd, expanded(path));
    const behind = path.length < 4_096 ? real(full) : full;
    return is(full) || (behind !== full && is(behind));
  };
  const isThere = (path: string) => existsSync(resolve(cwd, expanded(path)));
  const isSecret = withLinks(isOne);
  const isPattern = (path: string) =>
    (meansSecrets(path) && !isAllowed(path)) || matching(resolve(cwd, expanded(dirname(path))), basename(path)).some(isSecret);
  return { isAllowed, isThere, isSecret, isPattern, isFolder: withLinks((path) => FOLDERS.test(plain(path)) && !isAllowed(path)) };
}
