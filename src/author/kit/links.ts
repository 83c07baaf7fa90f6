import { basename, dirname, isAbsolute, join, parse, resolve, sep } from "node:path";
import type { Command } from "../../shell/index.ts";
import { programOf } from "../../shell/programs/index.ts";
import { optionTable, takesNext, takesWord, type ValueKind } from "../../shell/programs/options.ts";
import { isFolder, newDisk } from "./disk.ts";
import { filled } from "./fill.ts";

/** A symbolic link that a line makes. */
export interface Link {
  /** Its own name, absolute. */
  name: string;
  /** Where it leads, absolute. */
  to: string;
  /** The same as the line has it. */
  given: string;
  /** It may have another name. */
  isGuess: boolean;
}

/** The links that a command makes, seen from a folder. */
export function linksOf({ program, args, dynamic, remote }: Command, folder: string): Link[] {
  const options = args.filter((word) => /^-./.test(word));
  const has = (option: RegExp) => options.some((word) => option.test(word));
  if (program !== "ln" || remote || !has(/^(?:-[A-Za-z]*s|--symbolic$)/)) return [];
  const table = optionTable(programOf("ln"));
  const isInto = (kind: ValueKind) => kind === "into";
  const at = args.findIndex((word) => takesNext(table, word, isInto));
  const joined = options.find((word) => word.startsWith("--target-directory="))?.slice(19);
  const operands = args.flatMap((word, index) =>
    /^-./.test(word) || takesNext(table, args[index - 1] ?? "", takesWord)
      ? []
      : [{ given: word, text: known(word, dynamic[index], folder) }],
  );
  const into = joined ?? (at < 0 ? undefined : known(args[at + 1] ?? "", dynamic[at + 1], folder));
  const last = into ?? (operands.length > 1 ? operands.pop()?.text : ".");
  if (last === undefined) return [];
  const place = resolve(folder, last);
  const isPlace = into !== undefined || isFolder(place, newDisk());
  const isRelative = has(/^(?:-[A-Za-z]*r|--relative$)/);
  return operands.flatMap(({ given, text }) => {
    if (text === undefined) return [];
    const isNamed = !/^\.{0,2}$/.test(basename(text));
    const inside = join(place, basename(text));
    // The line may make the folder first.
    const names = [...(isPlace ? [] : [place]), ...(isNamed ? [inside] : [])];
    // What a link says is seen from the folder that it is in.
    return names.map((name, at) => ({
      name,
      to: resolve(isRelative ? folder : dirname(name), text),
      given,
      isGuess: at > 0,
    }));
  });
}

function known(text: string, dynamic: string | undefined, folder: string): string | undefined {
  const word = filled(text, dynamic, folder);
  return word?.pattern === undefined ? word?.text : undefined;
}

/** Links that lead to links: a system follows as many. */
const MOST_FOLLOWED = 40;

/** Where an absolute path leads by links that a line has made before; the path as it is where none is on the way. */
export function followed(path: string, links: readonly Link[]): string {
  if (links.length === 0 || !isAbsolute(path)) return path;
  let at = parse(path).root;
  const left = path.slice(at.length).split(sep).reverse();
  let count = 0;
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    at = resolve(at, name);
    const next = join(at, left.at(-1) ?? "");
    const link = links.findLast((one) => one.name === at);
    if (!link || (left.length > 0 && links.some((one) => one.name === next && one.to === link.to))) continue;
    if (++count > MOST_FOLLOWED) return path;
    at = parse(link.to).root;
    left.push(...link.to.slice(at.length).split(sep).reverse());
  }
  return count > 0 ? at : path;
}
