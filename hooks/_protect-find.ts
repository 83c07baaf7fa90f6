import { lstatSync, readdirSync, realpathSync, type Stats } from "node:fs";
import { basename, join } from "node:path";
import { ALONE, isTrue, type Truth, type Visited } from "./_protect-find-tests.ts";
import { changesGiven, targetOf } from "./_protect-words.ts";

const not = (is: Truth): Truth => (is === undefined ? undefined : !is);
const both = (a: Truth, b: Truth): Truth => (a === false || b === false ? false : a === undefined ? a : b);

/** What `find` would do where it is. */
interface Done {
  removes: boolean;
  /** It surely goes no deeper. */
  prunes: boolean;
}

/** The folders in which `find` begins, and what it is told behind them. */
export function findsIn(args: readonly string[]): [starts: readonly string[], tests: readonly string[]] {
  const at = args.findIndex((word) => /^(?:-[a-z]|[!(])/.test(word));
  const starts = args.slice(0, at < 0 ? undefined : at).filter((word) => !word.startsWith("-"));
  return [starts.length > 0 ? starts : ["."], at < 0 ? [] : args.slice(at)];
}

/** Whether `find` changes a file or does away with it, or with something in it; of what is on the disk now. */
export function finds(
  tests: readonly string[],
  { given, named }: { given: string; named: string },
  file: string,
): boolean {
  const start = /^~|[$*?[]/.test(given) ? named : given;
  const depthIn = (option: string) => /^\d+$/.exec(tests[tests.lastIndexOf(option) + 1] ?? "")?.[0];
  const least = Number(depthIn("-mindepth") ?? 0);
  const most = Number(depthIn("-maxdepth") ?? Number.POSITIVE_INFINITY);
  const deepFirst = tests.includes("-delete") || tests.includes("-depth");
  return filesAt(file, named).some((path) => {
    const steps = path.slice(named.length).split("/").filter(Boolean);
    for (let depth = 0; depth <= Math.min(steps.length, most); depth++) {
      const shown = depth === 0 ? start : [start.replace(/(?<!\/)\/+$/, ""), ...steps.slice(0, depth)].join("/");
      const stat = lstatSync(join(named, ...steps.slice(0, depth)), { throwIfNoEntry: false });
      if (depth < least || !stat) continue;
      const done = judged(tests, { shown, name: basename(shown), stat });
      if (done.removes) return true;
      if (done.prunes && !deepFirst) return false;
    }
    return false;
  });
}

/** The file, or the files in it, by their names below the folder that is searched. */
function filesAt(file: string, folder: string): string[] {
  const path = file.startsWith(folder) ? file : realpathSync(file);
  if (!lstatSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true }).map((name) => join(path, String(name)));
}

/** Goes through the expression as `find` does, from left to right and no further than it has to. */
function judged(words: readonly string[], visited: Visited): Done {
  const done: Done = { removes: false, prunes: false };
  let at = 0;
  const all = (reached: Truth): Truth => {
    let is: Truth = true;
    while (at < words.length && !/^(?:-o|-or|,|\))$/.test(words[at] as string)) is = both(is, one(both(reached, is)));
    return is;
  };
  const any = (reached: Truth): Truth => {
    let is = all(reached);
    while (/^(?:-o|-or|,)$/.test(words[at] ?? "")) {
      const isList = words[at++] === ",";
      const next = all(isList ? reached : both(reached, not(is)));
      is = isList ? next : not(both(not(is), not(next)));
    }
    return is;
  };
  const one = (reached: Truth): Truth => {
    const word = words[at++] as string;
    if (word === "-a" || word === "-and") return true;
    if (word === "!" || word === "-not") return at < words.length ? not(one(reached)) : undefined;
    if (word === "(") {
      const is = any(reached);
      at++;
      return is;
    }
    const from = at;
    at += lengthOf(word, words.slice(at));
    const values = words.slice(from, at);
    if (reached !== false && removes(word, values, visited.stat)) done.removes = true;
    if (reached === true && word === "-prune") done.prunes = true;
    return isTrue(word, values[0] ?? "", visited);
  };
  while (at < words.length) {
    any(true);
    at++;
  }
  return done;
}

const RUNS = /^-(?:exec|ok)(?:dir)?$/;

/** How many words behind a test or an action are its own. */
function lengthOf(word: string, rest: readonly string[]): number {
  if (ALONE.test(word) || !word.startsWith("-")) return 0;
  if (!RUNS.test(word)) return word === "-fprintf" ? 2 : 1;
  const end = rest.findIndex((one, index) => one === ";" || (one === "+" && rest[index - 1] === "{}"));
  return end < 0 ? rest.length : end + 1;
}

/** Whether an action changes or removes the file; or a folder, with all that is in it. */
function removes(word: string, values: readonly string[], stat: Stats): boolean {
  if (word === "-delete") return !stat.isDirectory();
  if (!RUNS.test(word)) return false;
  const program = basename(values[0] ?? "");
  const args = values.slice(1, -1);
  const has = (option: RegExp) => args.some((one) => option.test(one));
  // In a script an option of some program in it.
  const goesDeep = program === "mv" || has(/(?:^|\s)(?:-\w*[rR]|--recursive\b)|\bmv\s/);
  if (!changesGiven(program, args) || (stat.isDirectory() && !goesDeep)) return false;
  if (program === "sed") return has(/^-\w*i|^--in-place/);
  return program !== "cp" || (args.at(-1) === "{}" && targetOf({ program, args }) === undefined);
}
