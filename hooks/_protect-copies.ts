import { existsSync } from "bridge-hooks/files";
import { basename, dirname, join } from "bridge-hooks/paths";
import { getTargetFolder, type Guarded, type PathUse } from "bridge-hooks";
import { listDirectoryNames, type CommandStep } from "./_protect-step.ts";

/** Returns the guarded file that a copy, move, or link would overwrite. */
export function findReplacedFile(
  { command, operands, resolveOwnWords }: CommandStep,
  guard: Guarded,
  writtenPaths: ReadonlySet<string>,
): string | undefined {
  const { program } = command;
  if (!/^(?:cp|mv|rsync|ditto|ln|install|copy-item|move-item)$/i.test(program)) return undefined;
  const target = getTargetFolder(command);
  // The loop below checks what each source would become in the target directory. The directory itself needs a check
  // only if it already contains a guarded file.
  const isTargetUse = ({ inside, named }: PathUse) => !inside || guard.within(named).length > 0;
  const targets = resolveOwnWords(target === undefined ? operands.slice(-1) : [target]).filter(isTargetUse);
  const sources = resolveOwnWords(
    target === undefined ? operands.slice(0, -1) : operands.filter((word) => word !== target),
  );
  // Guarded files could later appear in the target of a symlink, so it doesn't matter what the target contains now.
  const getCheckedPath = (path: string) => (program === "ln" ? undefined : path);
  const folders = new Set(targets.flatMap(listDirectoryNames));
  for (const folder of folders) {
    // Already covered when the loop reaches the parent directory.
    if (dirname(folder) !== folder && folders.has(dirname(folder))) continue;
    for (const { path, named, given } of sources) {
      const entryPath = join(folder, basename(named));
      const [guardedFile] = [
        ...findCreatedContents({ given, named }, folder, guard, writtenPaths),
        ...guard.brought(getCheckedPath(path), folder),
        // If the source doesn't exist yet, the same shell command may create it with arbitrary contents.
        ...guard.brought(existsSync(path) ? getCheckedPath(path) : undefined, entryPath),
        ...(guard.covers(entryPath) ? [entryPath] : []),
      ];
      if (guardedFile !== undefined) return guardedFile;
    }
  }
  return undefined;
}

/** Whether a program unpacks an archive, in which case its operands may name archive members. */
const unpacksArchive = (program: string, args: readonly string[]): boolean =>
  /^(?:bsd)?unzip$/.test(program)
    ? !args.some((arg) => /^-\w*[lptvzZ]/.test(arg) || arg === "-d")
    : program.endsWith("tar") &&
      args.some((arg, at) => /^-\w*x|^--(?:extract|get)$/.test(arg) || (at === 0 && /^[a-z]*x/.test(arg))) &&
      !args.some((arg) => /^-\w*[CO]$|^--(?:directory|to-stdout)/.test(arg));

/**
 * Returns the guarded files that could be created by copying a directory's contents, as in `cp -r new/. .claude/`.
 * Another part of the shell command may create that directory or add files to it.
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

/** Returns the directory that `patch` or Python's archive modules write to. Any file in it may change. */
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

/**
 * Returns a guarded file that could be written by unpacking an archive, downloading, or cloning. What gets written is
 * unknown.
 */
export function findUnpackedFile(
  { command: { program, args }, operands, resolveWords, currentFolder }: CommandStep,
  guard: Guarded,
): string | undefined {
  if (unpacksArchive(program, args)) {
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
