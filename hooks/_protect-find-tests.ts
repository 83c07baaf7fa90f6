import type { Stats } from "node:fs";
import type { FindStep } from "bridge-hooks";

/** Whether something holds; nothing where that can't be told. */
export type Truth = boolean | undefined;

/** A file or folder that `find` comes to. */
export interface Visited {
  /** As `find` calls it. */
  shown: string;
  name: string;
  stat: Stats;
}

const UNITS: Readonly<Record<string, number>> = { c: 1, w: 2, b: 512, k: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };
const MINUTE = 60_000;

const inSmall = (text: string) => text.toLowerCase();

/** Whether a test holds; an action is one that does. */
export function isTrue({ word, values: [value = ""], kind }: FindStep, { shown, name, stat }: Visited): Truth {
  const age = Date.now() - stat.mtimeMs;
  switch (word) {
    case "-name":
      return fits(value, name);
    case "-iname":
      return fits(value, name, inSmall);
    case "-path":
    case "-wholename":
      return fits(value, shown);
    case "-ipath":
    case "-iwholename":
      return fits(value, shown, inSmall);
    case "-type":
      return value.split(",").includes(stat.isDirectory() ? "d" : stat.isSymbolicLink() ? "l" : "f");
    case "-size":
      return compared(value, Math.ceil(stat.size / (UNITS[value.at(-1) ?? ""] ?? UNITS.b ?? 1)));
    case "-mtime":
      return compared(value, Math.floor(age / (24 * 60 * MINUTE)));
    case "-mmin":
      return compared(value, value.startsWith("-") ? Math.floor(age / MINUTE) : Math.ceil(age / MINUTE));
    case "-false":
    // Nothing guards by a file that is empty.
    case "-empty":
      return false;
  }
  return kind === "single" || kind === "write" || /^-(?:min|max)depth$/.test(word) ? true : undefined;
}

/** A number as `find` compares it: `+7` is more than 7, `-7` less. */
function compared(value: string, is: number): Truth {
  const [, sign, digits] = /^([+-]?)(\d+)[cwbkMG]?$/.exec(value) ?? [];
  if (digits === undefined) return undefined;
  return sign === "+" ? is > Number(digits) : sign === "-" ? is < Number(digits) : is === Number(digits);
}

/** A letter of a pattern: `*`, what it has to be, or any of these. */
type Letter = "*" | ((letter: string) => boolean);
/** No path is longer. */
const LONGEST = 4096;
const patterns = new Map<string, readonly Letter[]>();
const WITH_SETS = /\\([^])|\[([!^]?)(\]?[^\]]+)\]|[^]/g;
const WITHOUT = /\\([^])|[^]/g;

function lettersOf(pattern: string): readonly Letter[] {
  let found = patterns.get(pattern);
  if (found) return found;
  // Behind the last "]" there is no set: nobody looks for its end there.
  const end = pattern.lastIndexOf("]") + 1;
  const pieces = [...pattern.slice(0, end).matchAll(WITH_SETS), ...pattern.slice(end).matchAll(WITHOUT)];
  found = pieces.map(([all, quoted, invert, set]): Letter => {
    if (all === "*") return "*";
    if (all === "?") return () => true;
    if (set === undefined) return (letter) => letter === (quoted ?? all);
    const one = new RegExp(`[${invert && "^"}${set.replace(/[\\[\]^]/g, "\\$&")}]`);
    return (letter) => one.test(letter);
  });
  patterns.set(pattern, found);
  return found;
}

/** A pattern as `find` takes it: `*` goes over "/". */
function fits(given: string, name: string, isSame = (text: string) => text): Truth {
  if (given.includes("[:") || given.length > LONGEST) return undefined;
  const [letters, text] = [lettersOf(isSame(given)), isSame(name)];
  // Of several stars only the last needs another try.
  let [at, star, from] = [0, -1, 0];
  for (let place = 0; place < text.length;) {
    const letter = letters[at];
    if (letter === "*") [star, from] = [at++, place];
    else if (letter?.(text[place] as string)) [at, place] = [at + 1, place + 1];
    else if (star < 0) return false;
    else [at, place] = [star + 1, ++from];
  }
  return letters.slice(at).every((letter) => letter === "*");
}
