import { existsSync } from "bridge-hooks/files";
import { basename, isAbsolute, relative, resolve } from "bridge-hooks/paths";
import { comparablePath, homedir } from "bridge-hooks";
import {
  type FileContent,
  holdsSecret,
  isHarmlessManifest,
  isPublicPem,
  readFilePrefix,
  readContent,
} from "./contents.ts";
import { AMBIGUOUS_NAMES, SECRET_EXAMPLE_NAMES, SECRET_FOLDERS, SECRET_NAMES, SECRET_PATHS } from "./file-names.ts";
import { FILE_HINT } from "./hints.build.ts";

const FILE_HINT_PATTERN = new RegExp(FILE_HINT);
const MAX_PATH_LENGTH = 4096;
const MAX_CACHED_STRINGS = 2_000;
const MAX_CACHED_LENGTH = 500;

/** Key files and key stores. */
const KEY_MATERIAL =
  /\.(?:pem|key|p8|pk8|pvk|priv|asc|p12|pfx|jks|keystore|ppk)$|[_-]key$|privkey$|(?:^|\/)id_\w+$|(?:^|\/)\.ssh\/[^/]+$/;
/** Service account files. They contain a key along with the account's name. */
const ACCOUNT_KEY =
  /(?:^|\/)(?:service[_-]?account[\w.-]*|client_secrets?[\w.-]*|credentials|application_default_credentials)\.json$/;

/** System directories for the public keys that packages are signed with. */
const PUBLIC_KEYRING =
  /(?:^|\/)(?:usr\/share\/keyrings|etc\/apt\/(?:keyrings|trusted\.gpg\.d)|etc\/pki\/rpm-gpg)\/[^/]+$/;
/** Words that identify a public key in a file name. */
const PUBLIC_KEY = /public|(?:^|[._-])pub[._-]/;
const isPublicKeyName = (path: string) =>
  /\.(?:key|pem)$/.test(path) && PUBLIC_KEY.test(path.slice(path.lastIndexOf("/") + 1));

/** Names of Kubernetes manifests, which may contain secrets or just refer to them. */
const KUBERNETES_MANIFEST = /(?:^|\/)(?:secrets?|service[_-]?account[\w.-]*)\.ya?ml$/;
const SECRET_MANIFEST = /(?:^|\/)secrets?\.ya?ml$/;
/** The directory in which a Helm chart keeps its templates: `chart/templates/secret.yaml`. */
const TEMPLATE_FOLDER = /(?:^|\/)templates\/(?:[^/]+\/)?[^/]+$/;
/**
 * Whether a manifest can be assumed not to contain a secret. The key of a Kubernetes service account is in a different
 * object, and chart templates contain no values.
 */
const isGeneratedManifest = (path: string) =>
  KUBERNETES_MANIFEST.test(path) && (!SECRET_MANIFEST.test(path) || TEMPLATE_FOLDER.test(path));

/** Whether a URL points to a public key or certificate and doesn't contain credentials. */
export function isPublicUrl(url: string): boolean {
  if (!/^(?:https?|ftp):\/\//i.test(url) || url.includes("@")) return false;
  const end = url.search(/[?#]/);
  return /\.(?:key|pem)$/i.test(end < 0 ? url : url.slice(0, end));
}

/** The user's own `.npmrc`, which is secret. A project's `.npmrc` contains settings. */
const HOME_NPMRC = comparablePath(`${homedir()}/.npmrc`);

/** Normalizes a path but keeps what follows a colon: a stream name on Windows, part of the file name elsewhere. */
const normalizeKeepingStream = (path: string) => comparablePath(path, "linux");

/** Whether a word might name a secret file or directory. */
const hasFileHint = cacheResults((word) => FILE_HINT_PATTERN.test(normalizeKeepingStream(word)));

/** Caches the results of a pure predicate, because the same path is checked several times. */
function cacheResults(ask: (text: string) => boolean): (text: string) => boolean {
  const results = new Map<string, boolean>();
  return (text) => {
    if (text.length > MAX_CACHED_LENGTH) return ask(text);
    let result = results.get(text);
    if (result === undefined) {
      if (results.size >= MAX_CACHED_STRINGS) results.clear();
      results.set(text, (result = ask(text)));
    }
    return result;
  };
}

/** Whether a path names a secret file. False if the name contains whitespace. */
function isSecretPath(path: string): boolean {
  // Paths have a maximum length, so if a word is longer, only its end can name a file.
  const end = path.slice(-MAX_PATH_LENGTH);
  const [text, other] = [comparablePath(end), normalizeKeepingStream(end)];
  return hasSecretName(text) || (other !== text && hasSecretName(other));
}

const hasSecretName = cacheResults((text) => {
  if (!FILE_HINT_PATTERN.test(text) || PUBLIC_KEYRING.test(text)) return false;
  const file = text.slice(text.lastIndexOf("/") + 1);
  return (
    !/\s/.test(file) &&
    !isTemplatePattern(file) &&
    (SECRET_NAMES.some((name) => name.test(file)) || SECRET_PATHS.some((end) => end.test(text)) || text === HOME_NPMRC)
  );
});

/** Whether a file's contents need to be checked because its name leaves open whether it is secret. */
const isAmbiguousName = cacheResults((path) => {
  const text = comparablePath(path);
  const file = text.slice(text.lastIndexOf("/") + 1);
  return AMBIGUOUS_NAMES.some((name) => name.test(file));
});

/** Whether a wildcard matches the names of templates but not of secret files: `.env.exampl?`. */
const isTemplatePattern = (file: string): boolean => {
  if (!/[*?[]/.test(file)) return false;
  const glob = new Bun.Glob(file);
  return TEMPLATE_EXAMPLES.some((name) => glob.match(name)) && !SECRET_EXAMPLE_NAMES.some((name) => glob.match(name));
};

const TEMPLATE_EXAMPLES = [".env.example", ".env.sample", ".env.template", ".env.dist"];
const ALPHABET = [..."abcdefghijklmnopqrstuvwxyz"];
/**
 * Ordinary file names for testing wildcards. A wildcard that matches any of these doesn't specifically target secrets.
 */
const ADDITIONAL_EXAMPLES = [
  ...ALPHABET.flatMap((character) => [`${character}x`, `x${character}`, `${character}x.ts`, `x${character}.ts`]),
  ..."readme.md package.json .gitignore .npmrc .prettierrc.json index.html x.py x.kt id.txt".split(" "),
];

/** Whether a wildcard specifically targets secret files: `.env*`, `*.pem`, or `id_*`, but not `*`. */
export function isSecretPattern(pattern: string): boolean {
  const text = comparablePath(pattern);
  const at = text.lastIndexOf("/") + 1;
  const glob = new Bun.Glob(text.slice(at));
  const folder = text.slice(0, at);
  return (
    SECRET_EXAMPLE_NAMES.some((name) => glob.match(name) && isSecretPath(folder + name)) &&
    !ADDITIONAL_EXAMPLES.some((name) => glob.match(name))
  );
}

/** Where paths are checked, and what is already known about the files. */
export interface PathContext {
  /** The absolute directory that paths are relative to. */
  cwd: string;
  /** The session's directory, which the user's globs are relative to. */
  root: string;
  /** Set if files can't be read because they are on another machine or in an unknown directory. */
  isUnreadable?: boolean;
  /** Whether a missing file might be created by the same shell command before it is used. */
  mayBeCreated?: (path: string) => boolean;
  /** What is known about settings files; absent if none are exempt. */
  settings?: SettingsFiles;
  /** Contents of the files read during this call, keyed by path. */
  contents?: Map<string, FileContent>;
}

/** Absolute paths of settings files known to contain no secrets and of those yet to be checked. */
export interface SettingsFiles {
  harmlessPaths: Set<string>;
  unchecked: Set<string>;
  contents: Map<string, FileContent>;
}

/** The user's globs for allowed and for secret files. A glob with a slash matches paths; any other matches names. */
export interface UserGlobs {
  allow: readonly string[];
  deny: readonly string[];
}

const HOME_FOLDER = homedir();
const expandHome = (path: string) => path.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, () => HOME_FOLDER);

function isMatchedBy(globs: readonly string[], path: string, { cwd, root }: PathContext): boolean {
  if (globs.length === 0) return false;
  const fullPath = resolve(cwd, path);
  const relativePath = comparablePath(relative(root, fullPath));
  return globs.some((glob) => {
    const globPattern = new Bun.Glob(comparablePath(expandHome(glob)).replace(/^\.\//, ""));
    if (!/[\\/]/.test(glob)) return globPattern.match(comparablePath(basename(fullPath)));
    return globPattern.match(isAbsolute(expandHome(glob)) ? comparablePath(fullPath) : relativePath);
  });
}

/** Whether text may be written to a new file with this name. In a manifest, the text must not contain secrets. */
export const isHarmlessWrite = (path: string, text: string): boolean =>
  !KUBERNETES_MANIFEST.test(comparablePath(path)) || isHarmlessManifest(text);

/** Whether a file, judging by its name, is a settings file of the kind that projects share. */
export const isSettingsFile = (path: string): boolean =>
  /(?:^|\/)(?:\.env[^/]*|[^/]+\.env|\.dev\.vars[^/]*)$/.test(comparablePath(path));

/** Checks for paths as written, relative to a directory. Resolving symlinks is left to the caller. */
export interface SecretPathCheck {
  isSecret: (path: string) => boolean;
  /** Whether the file's name alone makes it secret, regardless of its contents. */
  isNamedSecret: (path: string) => boolean;
  /** Whether the file's name is that of a key or key store. */
  isKey: (path: string) => boolean;
  /** Whether the path's wildcard specifically targets secret files. */
  isPattern: (path: string) => boolean;
  /** Whether the path is a directory of secret files. */
  isFolder: (path: string) => boolean;
  /** Whether the user's settings allow the file. */
  isAllowed: (path: string) => boolean;
  exists: (path: string) => boolean;
  /** Whether every line is a complete `NAME=value` entry. Assumed true if the file can't be read. */
  hasOnlyEntries: (path: string) => boolean;
  /** Whether the file is known not to exist. */
  isMissing: (path: string) => boolean;
  /** Whether creating a file at the path is fine: nothing exists there, and the user's settings don't protect it. */
  isAbsent: (path: string) => boolean;
}

/** Maximum number of files to read per call. */
const MAX_READ_FILES = 200;

/** A line of a settings file that can't be the continuation of a multi-line value. */
const SETTING_LINE = /^\s*(?:$|#|[^=\s'"]+(?: +[^=\s'"]+)?\s*=)/;

/** Shell syntax that is only expanded at run time. */
const RUNTIME_EXPANSION = /[$`*?[{]|^~[^/]/;

/** Creates a file reader, which returns "unknown" if the path isn't final or the shell command may create the file. */
function createFileReader(context: PathContext, toAbsolutePath: (path: string) => string) {
  return (path: string, readFile = readContent): FileContent => {
    const fullPath = toAbsolutePath(path);
    if (context.isUnreadable || RUNTIME_EXPANSION.test(path)) return "unknown";
    const readContents = context.contents ?? new Map<string, FileContent>();
    const content = readContents.get(fullPath) ?? (readContents.size < MAX_READ_FILES ? readFile(fullPath) : "unknown");
    readContents.set(fullPath, content);
    return content === "missing" && context.mayBeCreated?.(fullPath) ? "unknown" : content;
  };
}

export function createPathCheck({ allow, deny }: UserGlobs, context: PathContext): SecretPathCheck {
  const toAbsolutePath = (path: string) => resolve(context.cwd, expandHome(path));
  const isAllowed = (path: string) => allow.length > 0 && isMatchedBy(allow, expandHome(path), context);
  // Hints don't span segments: a path contains one only if the word, the working directory, or the home directory does.
  const hasHint =
    FILE_HINT_PATTERN.test(comparablePath(context.cwd)) || FILE_HINT_PATTERN.test(comparablePath(HOME_FOLDER))
      ? () => true
      : hasFileHint;
  const readFileText = createFileReader(context, toAbsolutePath);
  /** Whether a file contains no secret even though its name suggests one. */
  const isHarmless = (path: string) => {
    const fullPath = toAbsolutePath(path);
    const name = comparablePath(fullPath);
    if (context.settings && !context.isUnreadable && !RUNTIME_EXPANSION.test(path) && isSettingsFile(name)) {
      if (context.settings.harmlessPaths.has(fullPath)) return true;
      context.settings.unchecked.add(fullPath);
    }
    const isManifest = KUBERNETES_MANIFEST.test(name);
    if (!isManifest && !/\.(?:pem|key)$/.test(name)) return false;
    const content = readFileText(path);
    if (isManifest)
      return typeof content === "object"
        ? isHarmlessManifest(content.text)
        : content === "missing" && isGeneratedManifest(name);
    if (typeof content === "object") return isPublicPem(content.text);
    return isPublicKeyName(name) || (content === "missing" && name.endsWith(".pem"));
  };
  /** Whether a file with an ambiguous name currently contains a secret. */
  const containsSecret = (path: string) => {
    if (!isAmbiguousName(path)) return false;
    const content = readFileText(path, readFilePrefix);
    return typeof content === "object" && holdsSecret(content.text);
  };
  const isDenied = (path: string) => deny.length > 0 && isMatchedBy(deny, expandHome(path), context);
  const isNamedSecret = (path: string) =>
    isDenied(path) ||
    (hasHint(path) &&
      !isPublicUrl(path) &&
      (isSecretPath(path) || isSecretPath(toAbsolutePath(path)) || containsSecret(path)) &&
      !isAllowed(path));
  return {
    isAllowed,
    isNamedSecret,
    isSecret: (path) => isNamedSecret(path) && (isDenied(path) || !isHarmless(path)),
    isKey: (path) => KEY_MATERIAL.test(comparablePath(path)) || ACCOUNT_KEY.test(comparablePath(path)),
    isPattern: (path) => isSecretPattern(path) && !isAllowed(path),
    isFolder: (path) => hasHint(path) && SECRET_FOLDERS.test(comparablePath(toAbsolutePath(path))) && !isAllowed(path),
    exists: (path) => existsSync(toAbsolutePath(path)),
    hasOnlyEntries: (path) => {
      const content = readFileText(path);
      return typeof content !== "object" || content.text.split("\n").every((row) => SETTING_LINE.test(row));
    },
    isMissing: (path) => readFileText(path) === "missing",
    isAbsent: (path) =>
      !context.isUnreadable && !RUNTIME_EXPANSION.test(path) && !isDenied(path) && !existsSync(toAbsolutePath(path)),
  };
}

/** The user's globs for reading and for writing. */
export interface GlobsByAccess {
  read: UserGlobs;
  write: UserGlobs;
}

/** The path predicates for reading and for writing. */
export type ChecksByAccess = Readonly<Record<keyof GlobsByAccess, SecretPathCheck>>;

export function createPathChecks({ read, write }: GlobsByAccess, context: PathContext): ChecksByAccess {
  const check = createPathCheck(read, context);
  return { read: check, write: write === read ? check : createPathCheck(write, context) };
}
