import type { Stats } from "node:fs";

/** Whether something holds; nothing where that can't be told. */
export type Truth = boolean | undefined;

/** A file or folder that `find` comes to. */
export interface Visited {
  /** As `find` calls it. */
  shown: string;
  name: string;
  stat: Stats;
}

/** Tests and actions without a word of their own behind them. */
export const ALONE =
  /^-(?:delete|empty|true|false|print0?|ls|prune|quit|d|depth|xdev|mount|x|follow|daystart|noleaf|(?:no)?warn|(?:no)?ignore_readdir_race|readable|writable|executable|nouser|nogroup)$/;

const UNITS: Readonly<Record<string, number>> = { c: 1, w: 2, b: 512, k: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };
const MINUTE = 60_000;

/** Whether a test holds; an action is one that does. */
export function isTrue(word: string, value: string, { shown, name, stat }: Visited): Truth {
  const age = Date.now() - stat.mtimeMs;
  switch (word) {
    case "-name":
      return fits(value, name);
    case "-iname":
      return fits(value, name, "i");
    case "-path":
    case "-wholename":
      return fits(value, shown);
    case "-ipath":
    case "-iwholename":
      return fits(value, shown, "i");
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
  return ALONE.test(word) || /^-(?:min|max)depth$/.test(word) || /^-f?print/.test(word) ? true : undefined;
}

/** A number as `find` compares it: `+7` is more than 7, `-7` less. */
function compared(value: string, is: number): Truth {
  const [, sign, digits] = /^([+-]?)(\d+)[cwbkMG]?$/.exec(value) ?? [];
  if (digits === undefined) return undefined;
  return sign === "+" ? is > Number(digits) : sign === "-" ? is < Number(digits) : is === Number(digits);
}

/** A pattern as `find` takes it: `*` goes over "/". */
function fits(pattern: string, text: string, flags = ""): Truth {
  if (pattern.includes("[:")) return undefined;
  const source = pattern.replace(/\\([^])|\[([!^]?)(\]?[^\]]+)\]|[^]/g, (all, quoted, invert, set) => {
    if (set !== undefined) return `[${invert && "^"}${set.replace(/[\\[\]^]/g, "\\$&")}]`;
    return all === "*" ? ".*" : all === "?" ? "." : (quoted ?? all).replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  });
  return new RegExp(`^${source}$`, `s${flags}`).test(text);
}
