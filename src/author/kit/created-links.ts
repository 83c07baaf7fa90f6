import { basename, dirname, isAbsolute, join, parse, resolve, sep } from "../../system/paths.ts";
import type { Command } from "../../shell/index.ts";
import { lookUpProgram } from "../../shell/programs/index.ts";
import { getOptionTable, isValueInNextWord, mayTakeNextWord, type ValueKind } from "../../shell/programs/options.ts";
import { mayBeFolder, createDiskCache } from "./disk-cache.ts";
import { expandWord } from "./word-path.ts";

/** A symbolic link that a shell command creates. */
export interface SymbolicLink {
  /** Absolute path of the link. */
  name: string;
  /** Absolute path of the target. */
  target: string;
  /** The target as written in the command. */
  given: string;
  /** Whether `name` is a guess, because the link might be created at another path. */
  isGuess: boolean;
}

/** Lists the links that a command creates. Relative paths are resolved against `folder`. */
export function findCreatedLinks({ program, args, dynamic, remote }: Command, folder: string): SymbolicLink[] {
  if (program !== "ln" || remote) return [];
  const options = args.filter((word) => /^-./.test(word));
  const has = (option: RegExp) => options.some((word) => option.test(word));
  if (!has(/^(?:-[A-Za-z]*s|--symbolic$)/)) return [];
  const table = getOptionTable(lookUpProgram("ln"));
  const isTargetFolder = (kind: ValueKind) => kind === "into";
  const at = args.findIndex((word) => isValueInNextWord(table, word, isTargetFolder));
  const joinedTarget = options.find((word) => word.startsWith("--target-directory="))?.slice(19);
  const operands = args.flatMap((word, index) =>
    /^-./.test(word) || isValueInNextWord(table, args[index - 1] ?? "", mayTakeNextWord)
      ? []
      : [{ given: word, text: expandPlainWord(word, dynamic[index], folder) }],
  );
  const targetFolder =
    joinedTarget ?? (at < 0 ? undefined : expandPlainWord(args[at + 1] ?? "", dynamic[at + 1], folder));
  const destination = targetFolder ?? (operands.length > 1 ? operands.pop()?.text : ".");
  if (destination === undefined) return [];
  const path = resolve(folder, destination);
  const isFolder = targetFolder !== undefined || mayBeFolder(path, createDiskCache());
  const isRelative = has(/^(?:-[A-Za-z]*r|--relative$)/);
  return operands.flatMap(({ given, text }) => {
    if (text === undefined) return [];
    const isNamed = !/^\.{0,2}$/.test(basename(text));
    const nestedPath = join(path, basename(text));
    // An earlier command might create a directory at this path, in which case the link ends up inside it.
    const names = [...(isFolder ? [] : [path]), ...(isNamed ? [nestedPath] : [])];
    // A link's target is relative to the directory that contains the link.
    return names.map((name, at) => ({
      name,
      target: resolve(isRelative ? folder : dirname(name), text),
      given,
      isGuess: at > 0,
    }));
  });
}

function expandPlainWord(text: string, dynamic: string | undefined, folder: string): string | undefined {
  const word = expandWord(text, dynamic, folder);
  return word?.pattern === undefined ? word?.text : undefined;
}

/** Maximum number of consecutive links that operating systems follow. */
const MAX_FOLLOWED_LINKS = 40;

/** Resolves an absolute path through the links that earlier commands created. */
export function followLinks(path: string, links: readonly SymbolicLink[]): string {
  if (links.length === 0 || !isAbsolute(path)) return path;
  let at = parse(path).root;
  const remainingSteps = path.slice(at.length).split(sep).reverse();
  let count = 0;
  for (let name = remainingSteps.pop(); name !== undefined; name = remainingSteps.pop()) {
    at = resolve(at, name);
    const nextPath = join(at, remainingSteps.at(-1) ?? "");
    const link = links.findLast((candidate) => candidate.name === at);
    if (
      !link ||
      (remainingSteps.length > 0 &&
        links.some((otherLink) => otherLink.name === nextPath && otherLink.target === link.target))
    )
      continue;
    if (++count > MAX_FOLLOWED_LINKS) return path;
    at = parse(link.target).root;
    remainingSteps.push(...link.target.slice(at.length).split(sep).reverse());
  }
  return count > 0 ? at : path;
}
