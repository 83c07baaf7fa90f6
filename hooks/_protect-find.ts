import type { Stats } from "node:fs";
import { lstatSync, readdirSync, realpathSync } from "bridge-hooks/files";
import { basename, join } from "bridge-hooks/paths";
import { type FindStep, getTargetFolder } from "bridge-hooks";
import { evaluateTest, type TruthValue, type VisitedFile } from "./_protect-find-predicates.ts";
import { mayChangePassedFiles } from "./_protect-programs.ts";

const negateTruth = (is: TruthValue): TruthValue => (is === undefined ? undefined : !is);
const combineWithAnd = (a: TruthValue, b: TruthValue): TruthValue =>
  a === false || b === false ? false : a === undefined ? a : b;

/** The effect of a `find` expression on one visited file. */
interface FindEffect {
  removesFile: boolean;
  /** Whether `find` is certain not to descend into the directory. */
  prunes: boolean;
}

/**
 * Whether `find` would change or remove the given file or, for a directory, anything in it. Only existing files are
 * considered.
 */
export function isChangedByFind(
  steps: readonly FindStep[],
  { given, named }: { given: string; named: string },
  file: string,
  { isAnswered }: { isAnswered: boolean },
): boolean {
  const start = /^~|[$*?[]/.test(given) ? named : given;
  const getDepthOption = (option: string) =>
    /^\d+$/.exec(steps.findLast(({ word }) => word === option)?.values[0] ?? "")?.[0];
  const minDepth = Number(getDepthOption("-mindepth") ?? 0);
  const maxDepth = Number(getDepthOption("-maxdepth") ?? Number.POSITIVE_INFINITY);
  // `-ok` actions run only if something can answer the prompt.
  const counts = ({ word }: FindStep) => isAnswered || !word.startsWith("-ok");
  const isDepthFirst = steps.some(({ word }) => word === "-delete" || word === "-depth");
  return listFiles(file, named).some((path) => {
    const parts = path.slice(named.length).split("/").filter(Boolean);
    for (let depth = 0; depth <= Math.min(parts.length, maxDepth); depth++) {
      const printedPath = depth === 0 ? start : [start.replace(/(?<!\/)\/+$/, ""), ...parts.slice(0, depth)].join("/");
      const stat = lstatSync(join(named, ...parts.slice(0, depth)), { throwIfNoEntry: false });
      if (depth < minDepth || !stat) continue;
      const done = evaluateSteps(steps, counts, { printedPath, name: basename(printedPath), stat });
      if (done.removesFile) return true;
      if (done.prunes && !isDepthFirst) return false;
    }
    return false;
  });
}

/** Returns the file itself or, for a directory, all files in it, as paths below the search root. */
function listFiles(file: string, folder: string): string[] {
  const path = file.startsWith(folder) ? file : realpathSync(file);
  if (!lstatSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true }).map((name) => join(path, String(name)));
}

/** Evaluates the expression left to right with short-circuiting, as `find` does. */
function evaluateSteps(
  steps: readonly FindStep[],
  counts: (step: FindStep) => boolean,
  visitedFile: VisitedFile,
): FindEffect {
  const done: FindEffect = { removesFile: false, prunes: false };
  let at = 0;
  const wordAt = () => steps[at]?.word ?? "";
  const evaluateAnd = (reached: TruthValue): TruthValue => {
    let is: TruthValue = true;
    while (at < steps.length && !/^(?:-o|-or|,|\))$/.test(wordAt()))
      is = combineWithAnd(is, evaluateStep(combineWithAnd(reached, is)));
    return is;
  };
  const evaluateOr = (reached: TruthValue): TruthValue => {
    let is = evaluateAnd(reached);
    while (/^(?:-o|-or|,)$/.test(wordAt())) {
      const isList = steps[at++]?.word === ",";
      const nextReached = evaluateAnd(isList ? reached : combineWithAnd(reached, negateTruth(is)));
      is = isList ? nextReached : negateTruth(combineWithAnd(negateTruth(is), negateTruth(nextReached)));
    }
    return is;
  };
  const evaluateStep = (reached: TruthValue): TruthValue => {
    const step = steps[at++] as FindStep;
    const { word } = step;
    if (word === "-a" || word === "-and") return true;
    if (word === "!" || word === "-not") return at < steps.length ? negateTruth(evaluateStep(reached)) : undefined;
    if (word === "(") {
      const is = evaluateOr(reached);
      at++;
      return is;
    }
    if (reached !== false && counts(step) && isRemovingStep(step, visitedFile.stat)) done.removesFile = true;
    if (reached === true && word === "-prune") done.prunes = true;
    return evaluateTest(step, visitedFile);
  };
  while (at < steps.length) {
    evaluateOr(true);
    at++;
  }
  return done;
}

/** Whether an action changes or removes the file, or removes the directory with its contents. */
function isRemovingStep({ word, kind, values: [command = "", ...args] }: FindStep, stat: Stats): boolean {
  if (word === "-delete") return !stat.isDirectory();
  if (kind !== "run") return false;
  const program = basename(command);
  const hasOption = (option: RegExp) => args.some((arg) => option.test(arg));
  // If the argument is a script, the option may belong to any program in it.
  const isRecursive = program === "mv" || hasOption(/(?:^|\s)(?:-\w*[rR]|--recursive\b)|\bmv\s/);
  if (!mayChangePassedFiles(program, args) || (stat.isDirectory() && !isRecursive)) return false;
  if (program === "sed") return hasOption(/^-\w*i|^--in-place/);
  return program !== "cp" || (args.at(-1) === "{}" && getTargetFolder({ program, args }) === undefined);
}
