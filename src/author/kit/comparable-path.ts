/** Format characters that HFS+ ignores in names [docs https://developer.apple.com/library/archive/technotes/tn/tn1150table.html]. */
const IGNORED_CHARACTERS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;
const NON_ASCII = /[^\0-\x7f]/;

/** Folds a text as file systems do that ignore case and normal form: `ſ` is `s`, the Kelvin sign is `k`, NFD is NFC. */
export const foldText = (text: string): string =>
  NON_ASCII.test(text)
    ? // Upper case first: some letters have one in common (`ſ`, `s`), and no letter that is theirs alone below it.
      text.replace(IGNORED_CHARACTERS, "").normalize("NFD").toUpperCase().toLowerCase()
    : text.toLowerCase();

/** `C:\x`, `\\server\share` and `\\?\C:\x`. */
const WINDOWS_PATH = /^(?:[A-Za-z]:[\\/]|\\\\)/;

/** Whether a path is one of Windows: on that system every one is, elsewhere those with a drive or a server. */
export const isWindowsPath = (path: string, platform: NodeJS.Platform = process.platform): boolean =>
  platform === "win32" || (!path.startsWith("/") && WINDOWS_PATH.test(path));

/**
 * Returns a path in the form in which the names of a file compare as equal, for file systems that ignore case and
 * Unicode's normal forms: with slashes, in small letters. Of a Windows path also without what that system ignores in a
 * name: a dot or blank at its end, and a stream (`x::$DATA`).
 *
 * Only for comparing: the result may name another file, or none.
 *
 * @param platform the system that the path is for; by default this one.
 */
export function comparablePath(path: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== process.platform || path.length > MAX_KNOWN_LENGTH) return toComparablePath(path, platform);
  let found = knownPaths.get(path);
  if (found === undefined) {
    if (knownPaths.size >= MAX_KNOWN_PATHS) knownPaths.clear();
    knownPaths.set(path, (found = toComparablePath(path, platform)));
  }
  return found;
}

/** Of the last paths of this system: each question about a path asks for it again. */
const knownPaths = new Map<string, string>();
const MAX_KNOWN_PATHS = 5_000;
const MAX_KNOWN_LENGTH = 500;

function toComparablePath(path: string, platform: NodeJS.Platform): string {
  const text = foldText(path).replaceAll("\\", "/");
  return isWindowsPath(path, platform) ? stripWindowsNames(text) : text;
}

/** A drive of this machine as other machines see it: `\\localhost\C$`. */
const DRIVE_SHARE = /^\/\/(?:[?.]\/unc\/)?(?:localhost|127\.0\.0\.1|::1)\/([a-z])\$(?=\/|$)/;

function stripWindowsNames(text: string): string {
  const path = text.replace(DRIVE_SHARE, "$1:").replace(/^\/\/[?.]\/(?:unc\/)?/, "");
  const found: string[] = [];
  for (const [at, given] of path.split("/").entries()) {
    const step = at === 0 && /^[a-z]:$/.test(given) ? given : stripWindowsName(given);
    if (step === "." && at > 0) continue;
    if (step === ".." && !/^(?:\.\.|[a-z]:)?$/.test(found.at(-1) ?? "")) found.pop();
    else found.push(step);
  }
  return found.join("/");
}

function stripWindowsName(name: string): string {
  if (name === "." || name === "..") return name;
  const stream = name.indexOf(":");
  let end = stream > 0 ? stream : name.length;
  while (end > 0 && (name[end - 1] === "." || name[end - 1] === " ")) end--;
  return end > 0 ? name.slice(0, end) : name;
}

/** `BRIDGE~1`, `SETTIN~1.JSO`; of many alike `SE3F5A~1.JSO`, with four digits of a hash. In small letters. */
const SHORT_NAME = /^([^~.]{1,6})~\d{1,6}(?:\.([^~.]{1,3}))?$/;

/**
 * Whether a name is a short one that Windows may have given to the file `name`: dots before it and blanks are left out,
 * and what is left is cut to six letters, and three of the ending
 * [docs https://learn.microsoft.com/windows/win32/fileio/naming-a-file].
 */
export function mayBeShortName(given: string, name: string): boolean {
  const [, start, ending = ""] = SHORT_NAME.exec(given) ?? [];
  if (start === undefined) return false;
  const plain = name.replace(/^\.+/, "").replaceAll(" ", "");
  const dot = plain.lastIndexOf(".");
  const [base, rest] = dot < 0 ? [plain, ""] : [plain.slice(0, dot), plain.slice(dot + 1)];
  const whole = base.replaceAll(".", "").replace(/[+,;=[\]]/g, "_");
  return (
    rest.slice(0, 3) === ending &&
    (whole.startsWith(start) || (/^..[0-9a-f]{4}$/.test(start) && whole.startsWith(start.slice(0, 2))))
  );
}

/** Enough for every name in a table; a path with more short names is not one that a system gave. */
const MAX_LONG_PATHS = 64;

/** The paths that one with short names may mean, if the names are among these; all in comparable form. */
export function expandShortNames(path: string, names: ReadonlySet<string>): string[] {
  if (!path.includes("~")) return [];
  let found: string[][] = [[]];
  for (const step of path.split("/")) {
    const meant = step.includes("~") ? [...names].filter((name) => mayBeShortName(step, name)) : [];
    const next = meant.length > 0 ? meant : [step];
    if (found.length * next.length > MAX_LONG_PATHS) return [];
    found = found.flatMap((steps) => next.map((one) => [...steps, one]));
  }
  return found.map((steps) => steps.join("/")).filter((long) => long !== path);
}
