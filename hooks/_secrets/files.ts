import { existsSync } from "bridge-hooks/files";
import { basename, isAbsolute, relative, resolve } from "bridge-hooks/paths";
import { comparablePath, homedir } from "bridge-hooks";
import {
  type FileContent,
  holdsSecret,
  isHarmlessManifest,
  isPublicPem,
  readBeginning,
  readContent,
} from "./contents.ts";
import { AMBIGUOUS_NAMES, SECRET_EXAMPLES, SECRET_FOLDERS, SECRET_NAMES, SECRET_PATHS } from "./file-names.ts";
import { FILE_HINT } from "./hints.build.ts";

const ANY_FILE_HINT = new RegExp(FILE_HINT);
const MAX_PATH_LENGTH = 4096;
const MAX_KNOWN_TEXTS = 2_000;
const MAX_KNOWN_LENGTH = 500;

/** Key files and key stores that programs use. */
const KEY_MATERIAL =
  /\.(?:pem|key|p8|pk8|pvk|priv|asc|p12|pfx|jks|keystore|ppk)$|[_-]key$|privkey$|(?:^|\/)id_\w+$|(?:^|\/)\.ssh\/[^/]+$/;
/** Service account files, which contain a key and the account's name. */
const ACCOUNT_KEY =
  /(?:^|\/)(?:service[_-]?account[\w.-]*|client_secrets?[\w.-]*|credentials|application_default_credentials)\.json$/;

/** System directories for public package-signing keys. */
const PUBLIC_KEYRING =
  /(?:^|\/)(?:usr\/share\/keyrings|etc\/apt\/(?:keyrings|trusted\.gpg\.d)|etc\/pki\/rpm-gpg)\/[^/]+$/;
/** Parts of a file name that mark a public key. */
const PUBLIC_KEY = /public|(?:^|[._-])pub[._-]/;
const isPublicKeyName = (path: string) =>
  /\.(?:key|pem)$/.test(path) && PUBLIC_KEY.test(path.slice(path.lastIndexOf("/") + 1));

/** Names of manifests, which may contain secrets or only refer to secrets. */
const MANIFEST = /(?:^|\/)(?:secrets?|service[_-]?account[\w.-]*)\.ya?ml$/;
const SECRET_MANIFEST = /(?:^|\/)secrets?\.ya?ml$/;
/** The directory where Helm charts keep templates: `chart/templates/secret.yaml`. */
const TEMPLATE_FOLDER = /(?:^|\/)templates\/(?:[^/]+\/)?[^/]+$/;
/**
 * Whether a manifest can be assumed to contain no secret. A Kubernetes service account keeps its key in another object, and chart templates
 * contain no values.
 */
const isGeneratedManifest = (path: string) =>
  MANIFEST.test(path) && (!SECRET_MANIFEST.test(path) || TEMPLATE_FOLDER.test(path));

/** Whether a URL refers to a public key or certificate and contains no credentials. */
export function isPublicUrl(url: string): boolean {
  if (!/^(?:https?|ftp):\/\//i.test(url) || url.includes("@")) return false;
  const end = url.search(/[?#]/);
  return /\.(?:key|pem)$/i.test(end < 0 ? url : url.slice(0, end));
}

/** Only the `.npmrc` in the home directory is secret; the `.npmrc` of a project contains settings. */
const HOME_NPMRC = comparablePath(`${homedir()}/.npmrc`);

/** Normalizes a path. The text after a colon is kept because it is a stream on Windows and part of the name on other systems. */
const normalizeWithStream = (path: string) => comparablePath(path, "linux");

/** Whether a word may name a secret file or directory. */
const hasFileHint = cacheResults((word) => ANY_FILE_HINT.test(normalizeWithStream(word)));

/** Caches the results of a pure predicate, because each path is checked several times. */
function cacheResults(ask: (text: string) => boolean): (text: string) => boolean {
  const results = new Map<string, boolean>();
  return (text) => {
    if (text.length > MAX_KNOWN_LENGTH) return ask(text);
    let result = results.get(text);
    if (result === undefined) {
      if (results.size >= MAX_KNOWN_TEXTS) results.clear();
      results.set(text, (result = ask(text)));
    }
    return result;
  };
}

/** Whether the name in a path marks a secret file; false for names with whitespace. */
function isSecretPath(path: string): boolean {
  // Paths have a maximum length. If a word is longer, only the end of the word can name a file.
  const end = path.slice(-MAX_PATH_LENGTH);
  const [text, other] = [comparablePath(end), normalizeWithStream(end)];
  return hasSecretName(text) || (other !== text && hasSecretName(other));
}

const hasSecretName = cacheResults((text) => {
  if (!ANY_FILE_HINT.test(text) || PUBLIC_KEYRING.test(text)) return false;
  const file = text.slice(text.lastIndexOf("/") + 1);
  return (
    !/\s/.test(file) &&
    !isTemplatePattern(file) &&
    (SECRET_NAMES.some((name) => name.test(file)) || SECRET_PATHS.some((end) => end.test(text)) || text === HOME_NPMRC)
  );
});

/** Whether a file's contents must be checked because the name doesn't show if the file is secret. */
const isAmbiguousName = cacheResults((path) => {
  const text = comparablePath(path);
  const file = text.slice(text.lastIndexOf("/") + 1);
  return AMBIGUOUS_NAMES.some((name) => name.test(file));
});

/** Whether a wildcard matches template names but no names of secret files: `.env.exampl?`. */
const isTemplatePattern = (file: string): boolean => {
  if (!/[*?[]/.test(file)) return false;
  const glob = new Bun.Glob(file);
  return TEMPLATE_EXAMPLES.some((name) => glob.match(name)) && !SECRET_EXAMPLES.some((name) => glob.match(name));
};

const TEMPLATE_EXAMPLES = [".env.example", ".env.sample", ".env.template", ".env.dist"];
/** Sample names of ordinary files. A wildcard that matches one of these names doesn't target secrets. */
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
const OTHER_EXAMPLES = [
  ...LETTERS.flatMap((character) => [`${character}x`, `x${character}`, `${character}x.ts`, `x${character}.ts`]),
  ..."readme.md package.json .gitignore .npmrc .prettierrc.json index.html x.py x.kt id.txt".split(" "),
];

/** Whether a wildcard mainly matches secret files: `.env*`, `*.pem`, `id_*`, but not `*`. */
export function isSecretPattern(pattern: string): boolean {
  const text = comparablePath(pattern);
  const at = text.lastIndexOf("/") + 1;
  const glob = new Bun.Glob(text.slice(at));
  const folder = text.slice(0, at);
  return (
    SECRET_EXAMPLES.some((name) => glob.match(name) && isSecretPath(folder + name)) &&
    !OTHER_EXAMPLES.some((name) => glob.match(name))
  );
}

/** The directories and caches for checking paths. */
export interface PathContext {
  /** The absolute directory for relative paths. */
  cwd: string;
  /** The session's directory, which the user's globs are relative to. */
  root: string;
  /** Whether files can't be read because they are on another machine or their directory is unknown. */
  isUnreadable?: boolean;
  /** Whether the same shell command may create a missing file before using it. */
  mayBeCreated?: (path: string) => boolean;
  /** Cached results for settings files; absent if no settings file is exempt. */
  settings?: SettingsFiles;
  /** Contents of the files read during this call, by path. */
  contents?: Map<string, FileContent>;
}

/** Absolute paths of settings files without secrets, and of settings files that haven't been checked. */
export interface SettingsFiles {
  harmlessPaths: Set<string>;
  unchecked: Set<string>;
  contents: Map<string, FileContent>;
}

/** The user's globs for allowed files and for additional secret files. A glob with a slash matches paths; any other glob matches names. */
export interface UserGlobs {
  allow: readonly string[];
  deny: readonly string[];
}

const HOME = homedir();
const expandHome = (path: string) => path.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, () => HOME);

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

/** Whether text may be written to a new file with this name. A manifest may be written only if the text contains no secret. */
export const isHarmlessWrite = (path: string, text: string): boolean =>
  !MANIFEST.test(comparablePath(path)) || isHarmlessManifest(text);

/** Whether the name of a file marks a settings file that a project may share. */
export const isSettingsFile = (path: string): boolean =>
  /(?:^|\/)(?:\.env[^/]*|[^/]+\.env|\.dev\.vars[^/]*)$/.test(comparablePath(path));

/** Predicates for paths as written, relative to one directory. The caller resolves symlinks. */
export interface SecretPathCheck {
  /** Whether a path is a secret file. */
  isSecret: (path: string) => boolean;
  /** Whether the name of a file marks it as secret, regardless of its contents. */
  isNamedSecret: (path: string) => boolean;
  /** Whether the name of a file marks a key or key store. */
  isKey: (path: string) => boolean;
  /** Whether the wildcard in a path mainly matches secret files. */
  isPattern: (path: string) => boolean;
  /** Whether a path is a directory of secret files. */
  isFolder: (path: string) => boolean;
  /** Whether the user's settings allow the file. */
  isAllowed: (path: string) => boolean;
  /** Whether the file exists. */
  exists: (path: string) => boolean;
  /** Whether every line is a `NAME=value` entry and no value spans several lines. True if the file can't be read. */
  hasOnlyEntries: (path: string) => boolean;
  /** Whether the file is known not to exist. */
  isMissing: (path: string) => boolean;
  /** Whether a file may be created at the path: no file exists there, and the user's settings don't protect the path. */
  isAbsent: (path: string) => boolean;
}

/** The maximum number of files read per call. */
const MAX_READ_FILES = 200;

/** A line in a settings file that doesn't continue a value. */
const ENTRY_ROW = /^\s*(?:$|#|[^=\s'"]+(?: +[^=\s'"]+)?\s*=)/;

/** Shell syntax that is expanded at run time. */
const UNEXPANDED = /[$`*?[{]|^~[^/]/;

/** Creates a function that reads a file. The result is "unknown" if the command may use a different file or create the file. */
function createReader(context: PathContext, toAbsolutePath: (path: string) => string) {
  return (path: string, readFile = readContent): FileContent => {
    const fullPath = toAbsolutePath(path);
    if (context.isUnreadable || UNEXPANDED.test(path)) return "unknown";
    const readContents = context.contents ?? new Map<string, FileContent>();
    const content = readContents.get(fullPath) ?? (readContents.size < MAX_READ_FILES ? readFile(fullPath) : "unknown");
    readContents.set(fullPath, content);
    return content === "missing" && context.mayBeCreated?.(fullPath) ? "unknown" : content;
  };
}

export function createPathCheck({ allow, deny }: UserGlobs, context: PathContext): SecretPathCheck {
  const toAbsolutePath = (path: string) => resolve(context.cwd, expandHome(path));
  const isAllowed = (path: string) => allow.length > 0 && isMatchedBy(allow, expandHome(path), context);
  // A hint is part of one path segment. The path contains a hint only if the word, the working directory, or the home directory contains
  // one.
  const hasHint =
    ANY_FILE_HINT.test(comparablePath(context.cwd)) || ANY_FILE_HINT.test(comparablePath(HOME))
      ? () => true
      : hasFileHint;
  const readFileText = createReader(context, toAbsolutePath);
  /** Whether a file with a secret name contains no secret. */
  const isHarmless = (path: string) => {
    const fullPath = toAbsolutePath(path);
    const name = comparablePath(fullPath);
    if (context.settings && !context.isUnreadable && !UNEXPANDED.test(path) && isSettingsFile(name)) {
      if (context.settings.harmlessPaths.has(fullPath)) return true;
      context.settings.unchecked.add(fullPath);
    }
    const isManifest = MANIFEST.test(name);
    if (!isManifest && !/\.(?:pem|key)$/.test(name)) return false;
    const content = readFileText(path);
    if (isManifest)
      return typeof content === "object"
        ? isHarmlessManifest(content.text)
        : content === "missing" && isGeneratedManifest(name);
    if (typeof content === "object") return isPublicPem(content.text);
    return isPublicKeyName(name) || (content === "missing" && name.endsWith(".pem"));
  };
  /** Whether a file with an ambiguous name contains a secret now. */
  const containsSecret = (path: string) => {
    if (!isAmbiguousName(path)) return false;
    const content = readFileText(path, readBeginning);
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
      return typeof content !== "object" || content.text.split("\n").every((row) => ENTRY_ROW.test(row));
    },
    isMissing: (path) => readFileText(path) === "missing",
    isAbsent: (path) =>
      !context.isUnreadable && !UNEXPANDED.test(path) && !isDenied(path) && !existsSync(toAbsolutePath(path)),
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
