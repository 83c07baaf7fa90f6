/** Format characters that HFS+ ignores in names [docs https://developer.apple.com/library/archive/technotes/tn/tn1150table.html]. */
const IGNORED_CHARACTERS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
const NON_ASCII = /[^\0-\x7f]/;

/**
 * Normalizes a string like a file system that ignores case and Unicode form: `ſ` → `s`, Kelvin sign → `k`, NFD = NFC.
 */
export const foldText = (text: string): string =>
  NON_ASCII.test(text)
    ? // Uppercase first, because some letters share only their uppercase form (`ſ`, `s`).
      text.replace(IGNORED_CHARACTERS, "").normalize("NFD").toUpperCase().toLowerCase()
    : text.toLowerCase();

/** Windows path forms: `C:\x`, `\\server\share` and `\\?\C:\x`. */
const WINDOWS_PATH = /^(?:[A-Za-z]:[\\/]|\\\\)/;

/** Whether a path follows Windows rules: always on Windows; on other systems, if it has a drive letter or a server. */
export const isWindowsPath = (path: string, platform: NodeJS.Platform = process.platform): boolean =>
  platform === "win32" || (!path.startsWith("/") && WINDOWS_PATH.test(path));

/**
 * Normalizes a path so that all spellings of a file compare equal on file systems that ignore case and Unicode
 * normalization. The result is in lowercase and uses forward slashes. For Windows paths, also strips the parts of a
 * name that Windows ignores: trailing dots, trailing spaces and streams (`x::$DATA`).
 *
 * Use the result only for comparison, because it may not be the path of an existing file.
 *
 * @param platform The platform of the path. Default: the current platform.
 */
export function comparablePath(path: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== process.platform || path.length > MAX_CACHED_LENGTH) return toComparablePath(path, platform);
  let cached = knownPaths.get(path);
  if (cached === undefined) {
    if (knownPaths.size >= MAX_CACHED_PATHS) knownPaths.clear();
    knownPaths.set(path, (cached = toComparablePath(path, platform)));
  }
  return cached;
}

/** Cached results for this platform, because the same paths are looked up many times. */
const knownPaths = new Map<string, string>();
const MAX_CACHED_PATHS = 5_000;
const MAX_CACHED_LENGTH = 500;

function toComparablePath(path: string, platform: NodeJS.Platform): string {
  const text = foldText(path).replaceAll("\\", "/");
  return isWindowsPath(path, platform) ? stripWindowsNames(text) : text;
}

/** A local drive accessed as a network share: `\\localhost\C$`. */
const DRIVE_SHARE = /^\/\/(?:[?.]\/unc\/)?(?:localhost|127\.0\.0\.1|::1)\/([a-z])\$(?=\/|$)/;

function stripWindowsNames(text: string): string {
  const path = text.replace(DRIVE_SHARE, "$1:").replace(/^\/\/[?.]\/(?:unc\/)?/, "");
  const steps: string[] = [];
  for (const [at, given] of path.split("/").entries()) {
    const step = at === 0 && /^[a-z]:$/.test(given) ? given : stripWindowsName(given);
    if (step === "." && at > 0) continue;
    if (step === ".." && !/^(?:\.\.|[a-z]:)?$/.test(steps.at(-1) ?? "")) steps.pop();
    else steps.push(step);
  }
  return steps.join("/");
}

function stripWindowsName(name: string): string {
  if (name === "." || name === "..") return name;
  const stream = name.indexOf(":");
  let end = stream > 0 ? stream : name.length;
  while (end > 0 && (name[end - 1] === "." || name[end - 1] === " ")) end--;
  return end > 0 ? name.slice(0, end) : name;
}

/** Matches Windows short names in lowercase: `bridge~1`, `settin~1.jso`, or, with four hash digits, `se3f5a~1.jso`. */
const SHORT_NAME = /^([^~.]{1,6})~\d{1,6}(?:\.([^~.]{1,3}))?$/;

/**
 * Whether `given` may be the short name that Windows generates for `name`: leading dots and spaces are removed, the
 * base is cut to six characters and the extension to three [docs
 * https://learn.microsoft.com/windows/win32/fileio/naming-a-file].
 */
export function mayBeShortName(shortName: string, name: string): boolean {
  const [, start, ending = ""] = SHORT_NAME.exec(shortName) ?? [];
  if (start === undefined) return false;
  const stripped = name.replace(/^\.+/, "").replaceAll(" ", "");
  const dot = stripped.lastIndexOf(".");
  const [base, rest] = dot < 0 ? [stripped, ""] : [stripped.slice(0, dot), stripped.slice(dot + 1)];
  const fullBase = base.replaceAll(".", "").replace(/[+,;=[\]]/g, "_");
  return (
    rest.slice(0, 3) === ending &&
    (fullBase.startsWith(start) || (/^..[0-9a-f]{4}$/.test(start) && fullBase.startsWith(start.slice(0, 2))))
  );
}

/** Maximum number of short names in a path. Windows never generates a path with more short names. */
const MAX_LONG_PATHS = 64;

/** Expands short names in a path to every matching name in `names`. All paths are in comparable form. */
export function expandShortNames(path: string, names: ReadonlySet<string>): string[] {
  if (!path.includes("~")) return [];
  let variants: string[][] = [[]];
  for (const step of path.split("/")) {
    const fullNames = step.includes("~") ? [...names].filter((name) => mayBeShortName(step, name)) : [];
    const alternatives = fullNames.length > 0 ? fullNames : [step];
    if (variants.length * alternatives.length > MAX_LONG_PATHS) return [];
    variants = variants.flatMap((steps) => alternatives.map((alternative) => [...steps, alternative]));
  }
  return variants.map((steps) => steps.join("/")).filter((variant) => variant !== path);
}
