import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, join, parse, resolve, sep } from "node:path";

/** What is asked of the disk for one event: at most so much, so that no call waits for it. */
export interface Disk {
  /** How often more it may be asked. */
  left: number;
  real: Map<string, string>;
}

const MOST_ASKED = 300;
/** Links that lead to links; a system gives up there too. */
const MOST_LINKS = 40;
/** Entries of a folder that a wildcard is tried on, and files that it may stand for. */
const MOST_ENTRIES = 2000;
const MOST_FITTING = 1000;

export const newDisk = (): Disk => ({ left: MOST_ASKED, real: new Map() });

/** Asks the disk; nothing where it says no, or was asked too often. */
function asked<T>(disk: Disk, question: () => T): T | undefined {
  if (disk.left <= 0) return undefined;
  disk.left--;
  try {
    return question();
  } catch {
    return undefined;
  }
}

export const exists = (path: string, disk: Disk): boolean => asked(disk, () => lstatSync(path)) !== undefined;
export const isFolder = (path: string, disk: Disk): boolean => asked(disk, () => statSync(path))?.isDirectory() === true;

/**
 * Where a path leads: every link followed as far as there is something, those that lead nowhere included, and `..` as the
 * system takes it, from where a link leads.
 * @param path absolute; not normalised, since `link/..` isn't the folder that the link is in.
 */
export function realPath(path: string, disk: Disk): string {
  const known = disk.real.get(path);
  if (known !== undefined) return known;
  const real = asked(disk, () => realpathSync.native(path)) ?? walked(path, disk);
  disk.real.set(path, real);
  return real;
}

/** The same for a path of which the end isn't there: part by part. */
function walked(path: string, disk: Disk): string {
  const { root } = parse(path);
  const parts = path.slice(root.length).split(sep).reverse();
  let at = root;
  let links = 0;
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    if (part === "" || part === ".") continue;
    const next = part === ".." ? dirname(at) : join(at, part);
    const link = part === ".." ? undefined : linkAt(next, disk);
    if (link === undefined || ++links > MOST_LINKS) at = next;
    else {
      const to = parse(link);
      if (to.root !== "") at = resolve(at, to.root);
      parts.push(...link.slice(to.root.length).split(sep).reverse());
    }
  }
  return at;
}

/** What a link says; nothing where there is none. */
function linkAt(path: string, disk: Disk): string | undefined {
  const key = `${path}\0link`;
  const known = disk.real.get(key);
  if (known !== undefined) return known || undefined;
  const link = asked(disk, () => readlinkSync(path));
  disk.real.set(key, link ?? "");
  return link;
}

/** The paths that an absolute pattern fits now, as a shell would find them; a backslash makes a wildcard a letter. */
export function fitting(pattern: string, disk: Disk): string[] {
  const { root } = parse(pattern);
  let found = [root];
  for (const part of pattern.slice(root.length).split(/(?<!\\)\//)) {
    if (part === "") continue;
    const plain = part.replace(/\\([^])/g, "$1");
    if (!/(?<!\\)[*?[]/.test(part)) found = found.map((folder) => join(folder, plain)).filter((path) => exists(path, disk));
    else found = found.flatMap((folder) => entries(folder, disk).flatMap((name) => (fits(part, name) ? [join(folder, name)] : [])));
    found = found.slice(0, MOST_FITTING);
  }
  return found;
}

function entries(folder: string, disk: Disk): string[] {
  const names = (asked(disk, () => readdirSync(folder)) ?? []).slice(0, MOST_ENTRIES).sort();
  disk.left -= names.length >> 5;
  return names;
}

/** Whether a wildcard fits a name. A name with a dot before it is only fit by a dot. */
export function fits(pattern: string, name: string): boolean {
  if (name.startsWith(".") && !/^\\?\./.test(pattern)) return false;
  const items = itemsOf(pattern);
  // Of several stars only the last needs another try.
  let item = 0;
  let star = -1;
  let from = 0;
  for (let at = 0; at < name.length;) {
    const one = items[item];
    if (one === "*") {
      star = item++;
      from = at;
    } else if (one?.(name[at] as string)) {
      item++;
      at++;
    } else if (star < 0) return false;
    else {
      item = star + 1;
      at = ++from;
    }
  }
  while (items[item] === "*") item++;
  return item === items.length;
}

/** The items of a wildcard: a star, or what one letter has to be. */
function itemsOf(pattern: string): ("*" | ((letter: string) => boolean))[] {
  return [...pattern.matchAll(/\\([^])|\*+|\?|\[([!^]?)(\]?[^\]]*)\]|([^])/g)].map(([all, escaped, not, set, plain]) => {
    if (all.startsWith("*")) return "*";
    if (all === "?") return () => true;
    if (set === undefined) return (letter) => letter === (escaped ?? plain);
    const ranges = [...set.matchAll(/([^])-([^])|([^])/g)];
    const has = (letter: string) =>
      ranges.some(([, low = "", high = "", one]) => (one === undefined ? low <= letter && letter <= high : one === letter));
    return (letter) => has(letter) !== (not !== "");
  });
}
