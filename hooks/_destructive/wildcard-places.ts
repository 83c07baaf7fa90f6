import { posix } from "bridge-hooks/paths";
import { type Command, wildcardPattern } from "bridge-hooks";
import { type LineContext, type OperandPath, type OperandWord } from "./line-context.ts";
import { resolveOperandPath, SYSTEM_ROOT_SEGMENTS } from "./places.ts";
import { PRECIOUS_PATHS } from "./precious-files.ts";

/** System subdirectories that a wildcard could match. */
const SYSTEM_SUBFOLDERS = "bin|include|lib|lib32|lib64|libexec|sbin|share|src|local".split("|");
const SYSTEM_PATHS = [
  ...SYSTEM_ROOT_SEGMENTS.split("|").flatMap((name) => (name === "" ? [] : [`/${name}`])),
  ...SYSTEM_SUBFOLDERS.flatMap((name) => [`/usr/${name}`, `/usr/local/${name}`]),
  "/var/lib",
  "/var/log",
  "/var/spool",
];

/** Path segments of each precious path; cached per shell command. */
const knownPaths = new WeakMap<LineContext, readonly (readonly string[])[]>();

function listPreciousPaths(context: LineContext): readonly (readonly string[])[] {
  let segments = knownPaths.get(context);
  if (segments) return segments;
  const parentPaths: string[] = [];
  for (const folder of context.folders)
    for (let at = folder; !parentPaths.includes(at); at = posix.dirname(at)) parentPaths.push(at);
  const paths = [...SYSTEM_PATHS, ...parentPaths, context.home, ...context.protect];
  for (const path of PRECIOUS_PATHS) {
    const folderPath = path.replace(/\/\*$/, "");
    if (folderPath.startsWith("/")) paths.push(folderPath);
    else if (folderPath.startsWith(".git/"))
      for (const folder of parentPaths) paths.push(`${folder}/.git`, `${folder}/${folderPath}`);
    else paths.push(`${context.home}/${folderPath}`);
  }
  segments = [...new Set(paths)].map((path) => path.split("/"));
  knownPaths.set(context, segments);
  return segments;
}

/** Creates a function that matches names against a wildcard. A leading dot must match literally. */
function createNameTest(name: string): (entryName: string) => boolean {
  if (!/[*?[]/.test(name)) return (entryName) => entryName === name;
  const matches = wildcardPattern(name);
  return (entryName) => (name.startsWith(".") || !entryName.startsWith(".")) && matches(entryName);
}

/** Lists the precious paths that a path, or the beginning of it, could become when its wildcards are expanded. */
function findMatchingPaths(target: OperandPath, context: LineContext): OperandPath[] {
  const names = target.path.split("/");
  const tests = names.map(createNameTest);
  const firstWildcard = names.findIndex((name) => /[*?[]/.test(name));
  return listPreciousPaths(context).flatMap((preciousPath) => {
    if (
      preciousPath.length > names.length ||
      preciousPath.length <= firstWildcard ||
      !preciousPath.every((name, at) => tests[at]?.(name))
    )
      return [];
    const path = [...preciousPath, ...names.slice(preciousPath.length)].join("/");
    return [{ ...target, path, text: `${target.text} (which matches ${path})` }];
  });
}

/** Resolves an operand to its location and to the precious locations that its wildcards could match. */
export function resolveOperandPaths(operand: OperandWord, command: Command, context: LineContext): OperandPath[] {
  const target = resolveOperandPath(operand, command, context);
  if (!target) return [];
  return operand.dynamic === undefined || !/[*?[]/.test(target.path)
    ? [target]
    : [target, ...findMatchingPaths(target, context)];
}
