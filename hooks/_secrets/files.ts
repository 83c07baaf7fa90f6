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

/** Keys that programs are given to use, and what they are kept in. */
const KEY_MATERIAL =
  /\.(?:pem|key|p8|pk8|pvk|priv|asc|p12|pfx|jks|keystore|ppk)$|[_-]key$|privkey$|(?:^|\/)id_\w+$|(?:^|\/)\.ssh\/[^/]+$/;
/** The accounts of programs: each is a key, and what it belongs to. */
const ACCOUNT_KEY =
  /(?:^|\/)(?:service[_-]?account[\w.-]*|client_secrets?[\w.-]*|credentials|application_default_credentials)\.json$/;

/** Where systems keep the public keys of packages. */
const PUBLIC_KEYRING =
  /(?:^|\/)(?:usr\/share\/keyrings|etc\/apt\/(?:keyrings|trusted\.gpg\.d)|etc\/pki\/rpm-gpg)\/[^/]+$/;
/** What a key says that is public, in its name. */
const PUBLIC_KEY = /public|(?:^|[._-])pub[._-]/;
const isPublicKeyName = (path: string) =>
  /\.(?:key|pem)$/.test(path) && PUBLIC_KEY.test(path.slice(path.lastIndexOf("/") + 1));

/** Names of manifests, which hold secrets or only speak of them. */
const MANIFEST = /(?:^|\/)(?:secrets?|service[_-]?account[\w.-]*)\.ya?ml$/;
const SECRET_MANIFEST = /(?:^|\/)secrets?\.ya?ml$/;
/** Where charts have those without a secret: `chart/templates/secret.yaml`. */
const TEMPLATE_FOLDER = /(?:^|\/)templates\/(?:[^/]+\/)?[^/]+$/;
/** An account of Kubernetes, wherever its manifest lies: its key is another object, and cloud accounts are JSON. */
const isGeneratedManifest = (path: string) =>
  MANIFEST.test(path) && (!SECRET_MANIFEST.test(path) || TEMPLATE_FOLDER.test(path));

/** Whether a URL is of a key or certificate for all to fetch: nobody logs in to get it. */
export function isPublicUrl(url: string): boolean {
  if (!/^(?:https?|ftp):\/\//i.test(url) || url.includes("@")) return false;
  const end = url.search(/[?#]/);
  return /\.(?:key|pem)$/i.test(end < 0 ? url : url.slice(0, end));
}

/** A project's own `.npmrc` holds settings. */
const HOME_NPMRC = comparablePath(`${homedir()}/.npmrc`);

/** A path in comparable form with what follows a colon, which on Windows is a stream, and elsewhere part of a name. */
const keepStream = (path: string) => comparablePath(path, "linux");

/** Whether a word may name a file of secrets, or a folder of them. */
const hasFileHint = cacheAnswers((word) => ANY_FILE_HINT.test(keepStream(word)));

/** Keeps what a question that depends on nothing else was answered about the last texts: each is asked several times. */
function cacheAnswers(ask: (text: string) => boolean): (text: string) => boolean {
  const known = new Map<string, boolean>();
  return (text) => {
    if (text.length > MAX_KNOWN_LENGTH) return ask(text);
    let found = known.get(text);
    if (found === undefined) {
      if (known.size >= MAX_KNOWN_TEXTS) known.clear();
      known.set(text, (found = ask(text)));
    }
    return found;
  };
}

/** Whether a path is by its name a file of secrets. A text with a blank in what would be the name is none. */
function isSecretPath(path: string): boolean {
  // No system takes a longer path; of one that a shell puts together, the end tells.
  const end = path.slice(-MAX_PATH_LENGTH);
  const [text, other] = [comparablePath(end), keepStream(end)];
  return hasSecretName(text) || (other !== text && hasSecretName(other));
}

const hasSecretName = cacheAnswers((text) => {
  if (!ANY_FILE_HINT.test(text) || PUBLIC_KEYRING.test(text)) return false;
  const file = text.slice(text.lastIndexOf("/") + 1);
  return (
    !/\s/.test(file) &&
    !isTemplatePattern(file) &&
    (SECRET_NAMES.some((name) => name.test(file)) || SECRET_PATHS.some((end) => end.test(text)) || text === HOME_NPMRC)
  );
});

/** Whether it takes a look into a file to tell whether it is one of secrets. */
const isAmbiguousName = cacheAnswers((path) => {
  const text = comparablePath(path);
  const file = text.slice(text.lastIndexOf("/") + 1);
  return AMBIGUOUS_NAMES.some((name) => name.test(file));
});

/** Whether a name with wildcards fits a template, and no file that one would be copied to: `.env.exampl?`. */
const isTemplatePattern = (file: string): boolean => {
  if (!/[*?[]/.test(file)) return false;
  const glob = new Bun.Glob(file);
  return TEMPLATE_EXAMPLES.some((name) => glob.match(name)) && !SECRET_EXAMPLES.some((name) => glob.match(name));
};

const TEMPLATE_EXAMPLES = [".env.example", ".env.sample", ".env.template", ".env.dist"];
/** Other names that wildcards are tried on, which most of them mean. */
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];
const OTHER_EXAMPLES = [
  ...LETTERS.flatMap((letter) => [`${letter}x`, `x${letter}`, `${letter}x.ts`, `x${letter}.ts`]),
  ..."readme.md package.json .gitignore .npmrc .prettierrc.json index.html x.py x.kt id.txt".split(" "),
];

/** Whether a name with wildcards is one that fits secrets before all: `.env*`, `*.pem`, `id_*`, but not `*`. */
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

/** Where a path stands. */
export interface PathContext {
  /** What it is relative to: a folder, absolute. */
  cwd: string;
  /** What the user's globs are relative to: the session's folder. */
  root: string;
  /** Files there can't be looked at: they are another machine's, or the folder isn't known. */
  hidden?: boolean;
  /** Whether a file that isn't there may be when it is asked for: the same line brings it. */
  isBrought?: (path: string) => boolean;
  /** What is known of files of settings; absent where it doesn't count. */
  settings?: SettingsFiles;
  /** What was read in this call, by path. */
  contents?: Map<string, FileContent>;
}

/** Files of settings, absolute: those that were looked at and hold no secret, and those that nobody looked at yet. */
export interface SettingsFiles {
  harmless: Set<string>;
  unchecked: Set<string>;
  contents: Map<string, FileContent>;
}

/**
 * Which files the user lets pass, and which more are to be protected: globs of names, or of paths if they have a slash.
 */
export interface UserGlobs {
  allow: readonly string[];
  deny: readonly string[];
}

const HOME = homedir();
const expandHome = (path: string) => path.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, () => HOME);

function isMatchedBy(globs: readonly string[], path: string, { cwd, root }: PathContext): boolean {
  if (globs.length === 0) return false;
  const full = resolve(cwd, path);
  const inside = comparablePath(relative(root, full));
  return globs.some((glob) => {
    const wanted = new Bun.Glob(comparablePath(expandHome(glob)).replace(/^\.\//, ""));
    if (!/[\\/]/.test(glob)) return wanted.match(comparablePath(basename(full)));
    return wanted.match(isAbsolute(expandHome(glob)) ? comparablePath(full) : inside);
  });
}

/** Whether a text may be written to a file of such a name that isn't there: a manifest has no secrets in it. */
export const isHarmlessWrite = (path: string, text: string): boolean =>
  !MANIFEST.test(comparablePath(path)) || isHarmlessManifest(text);

/** Whether a file holds settings that a project may share, as far as its name tells. */
export const isSettingsFile = (path: string): boolean =>
  /(?:^|\/)(?:\.env[^/]*|[^/]+\.env|\.dev\.vars[^/]*)$/.test(comparablePath(path));

/** What to ask about paths in a folder, as they are written. Links are followed elsewhere. */
export interface SecretPathCheck {
  /** Whether a path is a file of secrets. */
  isSecret: (path: string) => boolean;
  /** Whether its name is that of one, whatever it holds. */
  isNamedSecret: (path: string) => boolean;
  /** Whether it is by its name a key, or what keys are kept in. */
  isKey: (path: string) => boolean;
  /** Whether a path with wildcards in its name means files of secrets before all others. */
  isPattern: (path: string) => boolean;
  /** Whether it is a folder of them. */
  isFolder: (path: string) => boolean;
  /** Whether the user lets it pass. */
  isAllowed: (path: string) => boolean;
  /** Whether there is such a file. */
  isThere: (path: string) => boolean;
  /** Whether each row of it is an entry, `NAME=value`, as far as that can be told: no value goes on in another row. */
  isOfEntries: (path: string) => boolean;
  /** Whether it is certain that there is none. */
  isMissing: (path: string) => boolean;
  /** Whether a file may be made there: nothing is there before the call, and the user doesn't protect the name. */
  isAbsent: (path: string) => boolean;
}

/** Of more files than these in a call nobody looks at what they hold. */
const MAX_READ_FILES = 200;

/** A row of a file of settings that has no value outside of an entry. */
const ENTRY_ROW = /^\s*(?:$|#|[^=\s'"]+(?: +[^=\s'"]+)?\s*=)/;

/** What a shell still has to put together. */
const UNEXPANDED = /[$`*?[{]|^~[^/]/;

/** What tells what a file holds, as far as it is the one that will be used. */
function createReader(context: PathContext, toAbsolutePath: (path: string) => string) {
  return (path: string, readFile = readContent): FileContent => {
    const full = toAbsolutePath(path);
    if (context.hidden || UNEXPANDED.test(path)) return "unknown";
    const known = context.contents ?? new Map<string, FileContent>();
    const content = known.get(full) ?? (known.size < MAX_READ_FILES ? readFile(full) : "unknown");
    known.set(full, content);
    return content === "missing" && context.isBrought?.(full) ? "unknown" : content;
  };
}

export function createPathCheck({ allow, deny }: UserGlobs, context: PathContext): SecretPathCheck {
  const toAbsolutePath = (path: string) => resolve(context.cwd, expandHome(path));
  const isAllowed = (path: string) => allow.length > 0 && isMatchedBy(allow, expandHome(path), context);
  // Hints are in one step of a path, so where neither a word nor what it is relative to has one, the whole path has
  // none.
  const isHinted =
    ANY_FILE_HINT.test(comparablePath(context.cwd)) || ANY_FILE_HINT.test(comparablePath(HOME))
      ? () => true
      : hasFileHint;
  const read = createReader(context, toAbsolutePath);
  /** Whether a file with such a name holds no secret. */
  const isHarmless = (path: string) => {
    const full = toAbsolutePath(path);
    const name = comparablePath(full);
    if (context.settings && !context.hidden && !UNEXPANDED.test(path) && isSettingsFile(name)) {
      if (context.settings.harmless.has(full)) return true;
      context.settings.unchecked.add(full);
    }
    const isManifest = MANIFEST.test(name);
    if (!isManifest && !/\.(?:pem|key)$/.test(name)) return false;
    const content = read(path);
    if (isManifest)
      return typeof content === "object"
        ? isHarmlessManifest(content.text)
        : content === "missing" && isGeneratedManifest(name);
    if (typeof content === "object") return isPublicPem(content.text);
    return isPublicKeyName(name) || (content === "missing" && name.endsWith(".pem"));
  };
  /** Whether a file whose name doesn't tell holds a secret now. */
  const isFoundSecret = (path: string) => {
    if (!isAmbiguousName(path)) return false;
    const content = read(path, readBeginning);
    return typeof content === "object" && holdsSecret(content.text);
  };
  const isDenied = (path: string) => deny.length > 0 && isMatchedBy(deny, expandHome(path), context);
  const isNamedSecret = (path: string) =>
    isDenied(path) ||
    (isHinted(path) &&
      !isPublicUrl(path) &&
      (isSecretPath(path) || isSecretPath(toAbsolutePath(path)) || isFoundSecret(path)) &&
      !isAllowed(path));
  return {
    isAllowed,
    isNamedSecret,
    isSecret: (path) => isNamedSecret(path) && (isDenied(path) || !isHarmless(path)),
    isKey: (path) => KEY_MATERIAL.test(comparablePath(path)) || ACCOUNT_KEY.test(comparablePath(path)),
    isPattern: (path) => isSecretPattern(path) && !isAllowed(path),
    isFolder: (path) => isHinted(path) && SECRET_FOLDERS.test(comparablePath(toAbsolutePath(path))) && !isAllowed(path),
    isThere: (path) => existsSync(toAbsolutePath(path)),
    isOfEntries: (path) => {
      const content = read(path);
      return typeof content !== "object" || content.text.split("\n").every((row) => ENTRY_ROW.test(row));
    },
    isMissing: (path) => read(path) === "missing",
    isAbsent: (path) =>
      !context.hidden && !UNEXPANDED.test(path) && !isDenied(path) && !existsSync(toAbsolutePath(path)),
  };
}

/** The user's globs of each rule, by what is done with a file. */
export interface GlobsByAccess {
  read: UserGlobs;
  write: UserGlobs;
}

/** What to ask about a path that is read, and about one that is changed. */
export type ChecksByAccess = Readonly<Record<keyof GlobsByAccess, SecretPathCheck>>;

export function createPathChecks({ read, write }: GlobsByAccess, context: PathContext): ChecksByAccess {
  const check = createPathCheck(read, context);
  return { read: check, write: write === read ? check : createPathCheck(write, context) };
}
