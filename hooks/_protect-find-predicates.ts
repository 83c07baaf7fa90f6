import type { Stats } from "node:fs";
import { type FindStep, wildcardPattern } from "bridge-hooks";

/** The result of a test in a `find` expression; undefined if unknown. */
export type TruthValue = boolean | undefined;

/** A file or directory that `find` visits. */
export interface VisitedFile {
  /** The path that `find` prints. */
  printedPath: string;
  name: string;
  stat: Stats;
}

const SIZE_UNITS: Readonly<Record<string, number>> = { c: 1, w: 2, b: 512, k: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };
const MINUTE_MS = 60_000;

const toLowerCase = (text: string) => text.toLowerCase();

type FileTest = (value: string, file: VisitedFile) => TruthValue;

const matchesPath: FileTest = (value, { printedPath }) => matchPattern(value, printedPath);
const matchesPathInAnyCase: FileTest = (value, { printedPath }) => matchPattern(value, printedPath, toLowerCase);
const getAge = ({ stat }: VisitedFile) => Date.now() - stat.mtimeMs;

const FILE_TESTS: Readonly<Record<string, FileTest>> = {
  "-name": (value, { name }) => matchPattern(value, name),
  "-iname": (value, { name }) => matchPattern(value, name, toLowerCase),
  "-path": matchesPath,
  "-wholename": matchesPath,
  "-ipath": matchesPathInAnyCase,
  "-iwholename": matchesPathInAnyCase,
  "-type": (value, { stat }) => value.split(",").includes(stat.isDirectory() ? "d" : stat.isSymbolicLink() ? "l" : "f"),
  // Unknown for a symlink, because its target isn't resolved here.
  "-xtype": (value, { stat }) =>
    stat.isSymbolicLink() ? undefined : value.split(",").includes(stat.isDirectory() ? "d" : "f"),
  "-size": (value, { stat }) =>
    compareNumber(value, Math.ceil(stat.size / (SIZE_UNITS[value.at(-1) ?? ""] ?? SIZE_UNITS.b ?? 1))),
  "-mtime": (value, file) => compareNumber(value, Math.floor(getAge(file) / (24 * 60 * MINUTE_MS))),
  "-mmin": (value, file) =>
    compareNumber(value, (value.startsWith("-") ? Math.floor : Math.ceil)(getAge(file) / MINUTE_MS)),
  "-false": () => false,
  // Guarded files are never empty.
  "-empty": () => false,
};

/** Evaluates a test in a `find` expression. Actions and depth options count as true. */
export function evaluateTest({ word, values: [value = ""], kind }: FindStep, file: VisitedFile): TruthValue {
  if (Object.hasOwn(FILE_TESTS, word)) return FILE_TESTS[word]?.(value, file);
  return kind === "single" || kind === "write" || /^-(?:min|max)depth$/.test(word) ? true : undefined;
}

/** Compares numbers as `find` does: `+7` means more than 7, and `-7` means less than 7. */
function compareNumber(value: string, is: number): TruthValue {
  const [, sign, digits] = /^([+-]?)(\d+)[cwbkMG]?$/.exec(value) ?? [];
  if (digits === undefined) return undefined;
  return sign === "+" ? is > Number(digits) : sign === "-" ? is < Number(digits) : is === Number(digits);
}

/** Maximum length of a path. Longer patterns can't match anything. */
const MAX_PATTERN_LENGTH = 4096;
const parsedPatterns = new Map<string, (text: string) => boolean>();

/** Matches a glob as `find` does: `*` also matches "/". */
function matchPattern(globText: string, name: string, normalizeCase = (text: string) => text): TruthValue {
  if (globText.includes("[:") || globText.length > MAX_PATTERN_LENGTH) return undefined;
  const pattern = normalizeCase(globText);
  let test = parsedPatterns.get(pattern);
  if (!test) parsedPatterns.set(pattern, (test = wildcardPattern(pattern)));
  return test(normalizeCase(name));
}
