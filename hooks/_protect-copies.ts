import { existsSync } from "bridge-hooks/files";
import { basename, dirname, join } from "bridge-hooks/paths";
import { getTargetFolder, type Guarded, type PathUse } from "bridge-hooks";
import { getPlaceNames, type CommandStep } from "./_protect-step.ts";

/** What is copied, moved or linked to where it counts. */
export function findReplacedFile(
  { command, operands, resolveOwnWords }: CommandStep,
  guard: Guarded,
  written: ReadonlySet<string>,
): string | undefined {
  const { program } = command;
  if (!/^(?:cp|mv|rsync|ditto|ln|install|copy-item|move-item)$/i.test(program)) return undefined;
  const target = getTargetFolder(command);
  // What is put into a folder is looked at below, with each of its sources; itself only if something guarded is in it
  // already.
  const isPlace = ({ inside, named }: PathUse) => !inside || guard.within(named).length > 0;
  const places = resolveOwnWords(target === undefined ? operands.slice(-1) : [target]).filter(isPlace);
  const sources = resolveOwnWords(
    target === undefined ? operands.slice(0, -1) : operands.filter((word) => word !== target),
  );
  // Whatever a link leads to may still come to hold something.
  const holds = (path: string) => (program === "ln" ? undefined : path);
  const folders = new Set(places.flatMap(getPlaceNames));
  for (const folder of folders) {
    // What is put into a folder is looked at with the folder.
    if (dirname(folder) !== folder && folders.has(dirname(folder))) continue;
    for (const { path, named, given } of sources) {
      const inside = join(folder, basename(named));
      const [found] = [
        ...findBroughtContents({ given, named }, folder, guard, written),
        ...guard.brought(holds(path), folder),
        // What the line itself makes may hold anything.
        ...guard.brought(existsSync(path) ? holds(path) : undefined, inside),
        ...(guard.covers(inside) ? [inside] : []),
      ];
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Whether a program unpacks an archive, of which the line may name members. */
const isUnpacking = (program: string, args: readonly string[]): boolean =>
  /^(?:bsd)?unzip$/.test(program)
    ? !args.some((arg) => /^-\w*[lptvzZ]/.test(arg) || arg === "-d")
    : program.endsWith("tar") &&
      args.some((arg, at) => /^-\w*x|^--(?:extract|get)$/.test(arg) || (at === 0 && /^[a-z]*x/.test(arg))) &&
      !args.some((arg) => /^-\w*[CO]$|^--(?:directory|to-stdout)/.test(arg));

/** What a folder holds that is not there yet, or that the line fills: `cp -r new/. .claude/`. */
function findBroughtContents(
  { given, named }: Pick<PathUse, "given" | "named">,
  target: string,
  guard: Guarded,
  written: ReadonlySet<string>,
): readonly string[] {
  const isAll = /[\\/][.*]?$/.test(given);
  const possible = isAll && !existsSync(named) ? guard.filled(target) : guard.brought(undefined, target);
  if (possible.length === 0) return [];
  const folder = named.replace(/[\\/]\*+$/, "");
  const made = possible.filter((file) => written.has(join(folder, file.slice(join(target, "/").length))));
  if (made.length > 0 || !isAll || existsSync(folder)) return made;
  return [...written].some((path) => path.startsWith(`${folder}/`)) ? made : possible;
}

/** The folder that Python's extractors unpack into, or `patch` applies a patch in, which may name any file below it. */
function findFilledFolder(program: string, args: readonly string[]): string | undefined {
  if (program === "patch") {
    const at = args.findIndex((word) => /^(?:-\w*d|--directory)$/.test(word));
    const joined = args.find((word) => /^--directory=|^-d./.test(word));
    return joined?.replace(/^--directory=|^-d/, "") ?? (at < 0 ? "." : args[at + 1]);
  }
  const at = args.findIndex((word, index) => /^(?:zipfile|tarfile)$/.test(word) && args[index - 1] === "-m");
  if (at < 0 || !args.slice(at).some((word) => /^(?:-e|--extract)$/.test(word))) return undefined;
  return args.slice(at + 1).filter((word) => !word.startsWith("-"))[1] ?? ".";
}

/** Nobody knows what is cloned or fetched into a folder. */
export function findUnpackedFile(
  { command: { program, args }, operands, resolveWords, currentFolder }: CommandStep,
  guard: Guarded,
): string | undefined {
  if (isUnpacking(program, args)) {
    const members = resolveWords(operands.slice(1).map((word) => word.replace(/(?<=.)\/\*{1,2}$/, "")));
    const found = members.flatMap(({ named }) => guard.brought(undefined, named))[0];
    if (found !== undefined) return found;
  }
  if (/^python[\d.]*$|^patch$/.test(program)) {
    const folder = findFilledFolder(program, args);
    const found = folder === undefined ? [] : resolveWords([folder]).flatMap((use) => getPlaceNames(use));
    const [file] = found.flatMap((name) => [...(guard.covers(name) ? [name] : []), ...guard.filled(name)]);
    if (file !== undefined) return file;
  }
  const unpacks =
    /^(?:curl|wget|patch)$/.test(program) ||
    (program === "git" && /^(?:clone|worktree|submodule)$/.test(operands[0] ?? ""));
  if (!unpacks) return undefined;
  return [...resolveWords(args), ...currentFolder]
    .filter(({ access }) => access === "write")
    .flatMap((use) => getPlaceNames(use).flatMap((name) => guard.brought(undefined, name)))[0];
}
