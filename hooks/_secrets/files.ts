import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { basename, isAbsolute, relative, resolve } from "node:path";
import { homedir } from "bridge-hooks";
import { FILE_HINT } from "./hints.ts";

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
  /^\.(?:bash|zsh|sh|fish|psql|mysql|sqlite|python|node_repl|rediscli)_history$/,
  /^(?:credentials|secrets?|client_secrets?[\w.-]*|service[_-]?account[\w.-]*|application_default_credentials)\.(?:json|ya?ml|toml)$/,
  /.\.(?:pem|key|p12|pfx|jks|keystore|ppk|kdbx)$/,
];

/** The same by the end of the whole path. */
const PATHS: readonly RegExp[] = [
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
const FOLDERS = /(?:^|\/)(?:\.ssh|\.aws|\.gnupg|\.password-store|\.kube|\.azure|\.config\/gcloud)\/?$/;

const ANY = new RegExp(FILE_HINT);
const LONGEST = 4096;

/** A path in small letters and with slashes. */
const plain = (path: string) => path.replaceAll("\\", "/").toLowerCase();

/** Whether a path is by its name a file of secrets. A text with a blank in what would be the name is none. */
export function isNamed(path: string): boolean {
  // No system takes a longer path; of one that a shell puts together, the end tells.
  const text = plain(path.slice(-LONGEST));
  if (!ANY.test(text)) return false;
  const file = text.slice(text.lastIndexOf("/") + 1);
  return !/\s/.test(file) && (NAMES.some((name) => name.test(file)) || PATHS.some((end) => end.test(text)));
}

/** Names that wildcards are tried on: those of secrets, and others, which most wildcards mean. */
const SECRETS = [
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
const OTHERS = [
  ...LETTERS.flatMap((letter) => [`${letter}x`, `x${letter}`, `${letter}x.ts`, `x${letter}.ts`]),
  ..."readme.md package.json .gitignore .npmrc index.html x.py x.kt id.txt".split(" "),
];

/** Whether a name with wildcards is one that fits secrets before all: `.env*`, `*.pem`, `id_*`, but not `*`. */
export function meansSecrets(pattern: string): boolean {
  const text = plain(pattern);
  const at = text.lastIndexOf("/") + 1;
  const glob = new Bun.Glob(text.slice(at));
  const folder = text.slice(0, at);
  return SECRETS.some((name) => glob.match(name) && isNamed(folder + name)) && !OTHERS.some((name) => glob.match(name));
}

/** Where a path stands. */
export interface Place {
  /** What it is relative to: a folder, absolute. */
  cwd: string;
  /** What the user's globs are relative to: the session's folder. */
  root: string;
}

/** Which files the user lets pass, and which more are to be protected: globs of names, or of paths if they have a slash. */
export interface Lists {
  allow: readonly string[];
  deny: readonly string[];
}

const HOME = homedir();
const expanded = (path: string) => path.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, () => HOME);

function fits(globs: readonly string[], path: string, { cwd, root }: Place): boolean {
  if (globs.length === 0) return false;
  const full = resolve(cwd, path);
  const inside = plain(relative(root, full));
  return globs.some((glob) => {
    const wanted = new Bun.Glob(plain(expanded(glob)).replace(/^\.\//, ""));
    if (!/[\\/]/.test(glob)) return wanted.match(plain(basename(full)));
    return wanted.match(isAbsolute(expanded(glob)) ? plain(full) : inside);
  });
}

/** Whether a `.pem` holds no private key, as those of servers and authorities, and public keys. */
function isPublic(path: string): boolean {
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
export interface Judge {
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

export function judge({ allow, deny }: Lists, place: Place): Judge {
  const at = (path: string) => resolve(place.cwd, expanded(path));
  const isAllowed = (path: string) => fits(allow, expanded(path), place);
  // Hints are in one step of a path, so where neither a word nor what it is relative to has one, the whole path has none.
  const isHinted =
    ANY.test(plain(place.cwd)) || ANY.test(plain(HOME)) ? () => true : (path: string) => ANY.test(plain(path));
  return {
    isAllowed,
    isSecret: (path) =>
      fits(deny, expanded(path), place) ||
      (isHinted(path) && (isNamed(path) || isNamed(at(path))) && !isAllowed(path) && !isPublic(at(path))),
    isPattern: (path) => meansSecrets(path) && !isAllowed(path),
    isFolder: (path) => isHinted(path) && FOLDERS.test(plain(at(path))) && !isAllowed(path),
    isThere: (path) => existsSync(at(path)),
  };
}
