import { posix } from "bridge-hooks/paths";
import { type Command, wildcardPattern } from "bridge-hooks";
import { type LineContext, type OperandPlace, type OperandWord } from "./line-context.ts";
import { resolvePlace, SYSTEM_TOPS } from "./places.ts";
import { PRECIOUS_PATHS } from "./precious-files.ts";

/** Folders of the system below its tops, whose names a wildcard may fit. */
const INNER_FOLDERS = "bin|include|lib|lib32|lib64|libexec|sbin|share|src|local".split("|");
const SYSTEM_PATHS = [
  ...SYSTEM_TOPS.split("|").flatMap((name) => (name === "" ? [] : [`/${name}`])),
  ...INNER_FOLDERS.flatMap((name) => [`/usr/${name}`, `/usr/local/${name}`]),
  "/var/lib",
  "/var/log",
  "/var/spool",
];

/** The names of each path that is precious by its name, for a line. */
const knownPaths = new WeakMap<LineContext, readonly (readonly string[])[]>();

function listPreciousPaths(here: LineContext): readonly (readonly string[])[] {
  let found = knownPaths.get(here);
  if (found) return found;
  const above: string[] = [];
  for (const folder of here.folders) for (let at = folder; !above.includes(at); at = posix.dirname(at)) above.push(at);
  const paths = [...SYSTEM_PATHS, ...above, here.home, ...here.protect];
  for (const path of PRECIOUS_PATHS) {
    const plain = path.replace(/\/\*$/, "");
    if (plain.startsWith("/")) paths.push(plain);
    else if (plain.startsWith(".git/")) for (const folder of above) paths.push(`${folder}/.git`, `${folder}/${plain}`);
    else paths.push(`${here.home}/${plain}`);
  }
  found = [...new Set(paths)].map((path) => path.split("/"));
  knownPaths.set(here, found);
  return found;
}

/** Whether a name fits a wildcard; only a literal dot fits a leading dot. */
function createNameTest(name: string): (other: string) => boolean {
  if (!/[*?[]/.test(name)) return (other) => other === name;
  const fits = wildcardPattern(name);
  return (other) => (name.startsWith(".") || !other.startsWith(".")) && fits(other);
}

/** Of a path with wildcards, the precious paths that it fits, or whose content it fits. */
function findFittingPlaces(target: OperandPlace, here: LineContext): OperandPlace[] {
  const names = target.path.split("/");
  const tests = names.map(createNameTest);
  const first = names.findIndex((name) => /[*?[]/.test(name));
  return listPreciousPaths(here).flatMap((known) => {
    if (known.length > names.length || known.length <= first || !known.every((name, at) => tests[at]?.(name)))
      return [];
    const path = [...known, ...names.slice(known.length)].join("/");
    return [{ ...target, path, text: `${target.text} (which fits ${path})` }];
  });
}

/** The places that a word means: the one that it names, and those that its wildcards fit, as far as they are precious. */
export function resolvePlaces(operand: OperandWord, command: Command, here: LineContext): OperandPlace[] {
  const target = resolvePlace(operand, command, here);
  if (!target) return [];
  return operand.dynamic === undefined || !/[*?[]/.test(target.path)
    ? [target]
    : [target, ...findFittingPlaces(target, here)];
}
