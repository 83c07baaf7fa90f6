import { existsSync } from "bridge-hooks/files";
import { basename, dirname, join } from "bridge-hooks/paths";
import { getTargetFolder, type Guarded, type PathUse } from "bridge-hooks";
import { listDirectoryNames, type CommandStep } from "./_protect-step.ts";

/** Returns the guarded file that a copy, move, or link would replace. */
export function findReplacedFile(
  { command, operands, resolveOwnWords }: CommandStep,
  guard: Guarded,
  writtenPaths: ReadonlySet<string>,
): string | undefined {
  const { program } = command;
  if (!/^(?:cp|mv|rsync|ditto|ln|install|copy-item|move-item)$/i.test(program)) return undefined;
  const target = getTargetFolder(command);
  // The entries of the target directory are checked below, once per source. The directory itself is checked only if it already contains a
  // guarded file.
  const isTargetUse = ({ inside, named }: PathUse) => !inside || guard.within(named).length > 0;
  const targets = resolveOwnWords(target === undefined ? operands.slice(-1) : [target]).filter(isTargetUse);
  const sources = resolveOwnWords(
    target === undefined ? operands.slice(0, -1) : operands.filter((word) => word !== target),
  );
  // A symlink's target may later contain guarded files, so the target's current contents don't matter.
  const getCheckedPath = (path: string) => (program === "ln" ? undefined : path);
  const folders = new Set(targets.flatMap(listDirectoryNames));
  for (const folder of folders) {
    // The loop checks this path when it reaches the parent directory.
    if (dirname(folder) !== folder && folders.has(dirname(folder))) continue;
    for (const { path, named, given } of sources) {
      const entryPath = join(folder, basename(named));
      const [guardedFile] = [
        ...findCreatedContents({ given, named }, folder, guard, writtenPaths),
        ...guard.brought(getCheckedPath(path), folder),
        // If a source doesn't exist yet, the same shell command may create it with any contents.
        ...guard.brought(existsSync(path) ? getCheckedPath(path) : undefined, entryPath),
        ...(guard.covers(entryPath) ? [entryPath] : []),
      ];
      if (guardedFile !== undefined) return guardedFile;
    }
  }
  return undefined;
}

/** Whether a program unpacks an archive. If so, the operands may name archive members. */
const isUnpacking = (program: string, args: readonly string[]): boolean =>
  /^(?:bsd)?unzip$/.test(program)
    ? !args.some((arg) => /^-\w*[lptvzZ]/.test(arg) || arg === "-d")
    : program.endsWith("tar") &&
      args.some((arg, at) => /^-\w*x|^--(?:extract|get)$/.test(arg) || (at === 0 && /^[a-z]*x/.test(arg))) &&
      !args.some((arg) => /^-\w*[CO]$|^--(?:directory|to-stdout)/.test(arg));

/**
 * Returns guarded files that copying a directory's contents may create, as in `cp -r new/. .claude/`. The same shell command may create the
 * directory or add files to it.
 */
function findCreatedContents(
  { given, named }: Pick<PathUse, "given" | "named">,
  target: string,
  guard: Guarded,
  writtenPaths: ReadonlySet<string>,
): readonly string[] {
  const isAll = /[\\/][.*]?$/.test(given);
  const possibleFiles = isAll && !existsSync(named) ? guard.filled(target) : guard.brought(undefined, target);
  if (possibleFiles.length === 0) return [];
  const folder = named.replace(/[\\/]\*+$/, "");
  const createdFiles = possibleFiles.filter((file) =>
    writtenPaths.has(join(folder, file.slice(join(target, "/").length))),
  );
  if (createdFiles.length > 0 || !isAll || existsSync(folder)) return createdFiles;
  return [...writtenPaths].some((path) => path.startsWith(`${folder}/`)) ? createdFiles : possibleFiles;
}

/** Returns the directory that Python's extractors or `patch` write to; any file below that directory may change. */
function findFilledFolder(program: string, args: readonly string[]): string | undefined {
  if (program === "patch") {
    const at = args.findIndex((word) => /^(?:-\w*d|--directory)$/.test(word));
    const folderOption = args.find((word) => /^--directory=|^-d./.test(word));
    return folderOption?.replace(/^--directory=|^-d/, "") ?? (at < 0 ? "." : args[at + 1]);
  }
  const at = args.findIndex((word, index) => /^(?:zipfile|tarfile)$/.test(word) && args[index - 1] === "-m");
  if (at < 0 || !args.slice(at).some((word) => /^(?:-e|--extract)$/.test(word))) return undefined;
  return args.slice(at + 1).filter((word) => !word.startsWith("-"))[1] ?? ".";
}

/** Returns a guarded file that unpacking an archive, downloading, or cloning could write. The written contents are unknown. */
export function findUnpackedFile(
  { command: { program, args }, operands, resolveWords, currentFolder }: CommandStep,
  guard: Guarded,
): string | undefined {
  if (isUnpacking(program, args)) {
    const members = resolveWords(operands.slice(1).map((word) => word.replace(/(?<=.)\/\*{1,2}$/, "")));
    const guardedFile = members.flatMap(({ named }) => guard.brought(undefined, named))[0];
    if (guardedFile !== undefined) return guardedFile;
  }
  if (/^python[\d.]*$|^patch$/.test(program)) {
    const folder = findFilledFolder(program, args);
    const entries = folder === undefined ? [] : resolveWords([folder]).flatMap((use) => listDirectoryNames(use));
    const [file] = entries.flatMap((name) => [...(guard.covers(name) ? [name] : []), ...guard.filled(name)]);
    if (file !== undefined) return file;
  }
  const unpacksFiles =
    /^(?:curl|wget|patch)$/.test(program) ||
    (program === "git" && /^(?:clone|worktree|submodule)$/.test(operands[0] ?? ""));
  if (!unpacksFiles) return undefined;
  return [...resolveWords(args), ...currentFolder]
    .filter(({ access }) => access === "write")
    .flatMap((use) => listDirectoryNames(use).flatMap((name) => guard.brought(undefined, name)))[0];
}
