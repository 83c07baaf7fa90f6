import type { Stats } from "node:fs";
import { type FindStep, wildcardPattern } from "bridge-hooks";

/** Whether something holds; nothing where that can't be told. */
export type Truth = boolean | undefined;

/** A file or folder that `find` comes to. */
export interface VisitedFile {
  /** As `find` calls it. */
  shown: string;
  name: string;
  stat: Stats;
}

const UNITS: Readonly<Record<string, number>> = { c: 1, w: 2, b: 512, k: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };
const MINUTE = 60_000;

const toLowerCase = (text: string) => text.toLowerCase();

/** Whether a test holds; an action is one that does. */
export function evaluateTest(
  { word, values: [value = ""], kind }: FindStep,
  { shown, name, stat }: VisitedFile,
): Truth {
  const age = Date.now() - stat.mtimeMs;
  switch (word) {
    case "-name":
      return matchPattern(value, name);
    case "-iname":
      return matchPattern(value, name, toLowerCase);
    case "-path":
    case "-wholename":
      return matchPattern(value, shown);
    case "-ipath":
    case "-iwholename":
      return matchPattern(value, shown, toLowerCase);
    case "-type":
      return value.split(",").includes(stat.isDirectory() ? "d" : stat.isSymbolicLink() ? "l" : "f");
    case "-xtype":
      // Where a link leads is not looked at here.
      return stat.isSymbolicLink() ? undefined : value.split(",").includes(stat.isDirectory() ? "d" : "f");
    case "-size":
      return compareNumber(value, Math.ceil(stat.size / (UNITS[value.at(-1) ?? ""] ?? UNITS.b ?? 1)));
    case "-mtime":
      return compareNumber(value, Math.floor(age / (24 * 60 * MINUTE)));
    case "-mmin":
      return compareNumber(value, value.startsWith("-") ? Math.floor(age / MINUTE) : Math.ceil(age / MINUTE));
    case "-false":
    // Nothing guards by a file that is empty.
    case "-empty":
      return false;
  }
  return kind === "single" || kind === "write" || /^-(?:min|max)depth$/.test(word) ? true : undefined;
}

/** A number as `find` compares it: `+7` is more than 7, `-7` less. */
function compareNumber(value: string, is: number): Truth {
  const [, sign, digits] = /^([+-]?)(\d+)[cwbkMG]?$/.exec(value) ?? [];
  if (digits === undefined) return undefined;
  return sign === "+" ? is > Number(digits) : sign === "-" ? is < Number(digits) : is === Number(digits);
}

/** No path is longer. */
const MAX_PATTERN_LENGTH = 4096;
const parsedPatterns = new Map<string, (text: string) => boolean>();

/** A pattern as `find` takes it: `*` goes over "/". */
function matchPattern(given: string, name: string, isSame = (text: string) => text): Truth {
  if (given.includes("[:") || given.length > MAX_PATTERN_LENGTH) return undefined;
  const pattern = isSame(given);
  let test = parsedPatterns.get(pattern);
  if (!test) parsedPatterns.set(pattern, (test = wildcardPattern(pattern)));
  return test(isSame(name));
}
