import { basename, join } from "bridge-hooks/paths";
import { type Command, getTargetFolder, type Guarded, readFindArguments } from "bridge-hooks";
import { createResolver } from "./_protect-options.ts";

/** Programs that create a file at the path given by their last operand or by an option. */
const FILE_CREATING_PROGRAM = /^(?:cp|mv|install|ln|rsync|ditto|tee)$/;
/** The first part of a word that is known only at run time. $HOME and $PWD are known. */
const UNKNOWN_WORD_PART = /\{\}|`|\$\(|\$(?!\{?(?:HOME|PWD)\b)|[*?[]/;
const HIDDEN_NAMES_OPTION = /^-\w*[aA]|^--(?:almost-)?all$/;

/** Files that a command creates in a target directory. Their paths relative to it begin with `start`. */
interface CreatedFiles {
  start: string;
  /** A glob for the file names. */
  name?: string;
  /** A shell glob for the path segment after `start`. */
  segment?: string;
}

/**
 * Returns a guarded file that a command may create because it keeps the relative paths of its sources:
 * `cp --parents a/b ~`, `find . -exec cp {} ~/{} \;`.
 */
export function findCreatedFile(
  command: Command,
  allCommands: readonly Command[],
  guard: Guarded,
  cwd: string,
): string | undefined {
  const toPath = createResolver(command, cwd);
  const find = (folder: string, files: readonly CreatedFiles[]) =>
    files.flatMap((placedFile) => {
      const path = join(toPath(folder), placedFile.start);
      const isWhole = placedFile.name === undefined && placedFile.segment === undefined && guard.covers(path);
      return isWhole ? [path] : guard.filled(path).filter((file) => mayCreateFile(placedFile, file, path));
    })[0];
  const keptPaths = readKeptPaths(command, allCommands);
  return (
    (keptPaths && find(keptPaths.folder, keptPaths.files)) ??
    listUnknownTargets(command, allCommands)
      .map(({ folder, files }) => find(folder, files))
      .find((file) => file !== undefined)
  );
}

function mayCreateFile({ name, segment: step }: CreatedFiles, file: string, folder: string): boolean {
  if (name !== undefined) return file.endsWith("/") || new Bun.Glob(name).match(basename(file));
  if (step === undefined) return true;
  const nextSegment = file.slice(join(folder, "/").length).split("/", 1)[0] as string;
  return (step.startsWith(".") || !nextSegment.startsWith(".")) && new Bun.Glob(step).match(nextSegment);
}

interface FileCreation {
  folder: string;
  files: readonly CreatedFiles[];
}

/** Returns the sources and the target directory of a command that keeps relative paths. */
function readKeptPaths(command: Command, allCommands: readonly Command[]): FileCreation | undefined {
  const { program, args } = command;
  const hasOption = (option: RegExp) => args.some((word) => option.test(word));
  const keepsPaths =
    (program === "cp" && hasOption(/^--parents$/)) ||
    (program === "rsync" && hasOption(/^(?:-[A-Za-z]*R|--relative)/)) ||
    (program === "pax" && hasOption(/^-\w*r/) && hasOption(/^-\w*w/)) ||
    (program === "cpio" && hasOption(/^(?:-\w*p|--pass-through$)/));
  if (!keepsPaths) return undefined;
  const targetFolder = getTargetFolder(command);
  const operands = args.filter((word) => !/^-|^[+;]$/.test(word) && word !== targetFolder);
  const folder = targetFolder ?? operands.pop();
  if (folder === undefined) return undefined;
  if (program === "cpio" || (program === "pax" && operands.length === 0))
    return { folder, files: listPassedFiles(command, allCommands) };
  return { folder, files: operands.flatMap((word) => toCreatedFiles(word, command, allCommands)) };
}

/** Returns the files that a source operand may stand for. rsync ignores everything before `/./`. */
function toCreatedFiles(word: string, command: Command, allCommands: readonly Command[]): CreatedFiles[] {
  const at = UNKNOWN_WORD_PART.exec(word)?.index;
  if (at === undefined) return [{ start: word.replace(/^.*\/\.\//, "").replace(/^(?:~|\$HOME)\//, "") }];
  const knownStart = word.slice(0, at);
  if (/^[*?[]/.test(word.slice(at))) return [toPattern(knownStart, word.slice(at))];
  return knownStart === "" ? listPassedFiles(command, allCommands) : [{ start: knownStart }];
}

const toPattern = (knownStart: string, unknownEnd: string): CreatedFiles => {
  const start = knownStart.slice(0, knownStart.lastIndexOf("/") + 1);
  const segmentGlob = knownStart.slice(start.length) + unknownEnd;
  return /[/$]/.test(segmentGlob) ? { start } : { start, segment: segmentGlob };
};

/** Lists a command's targets whose last path segment is known only at run time. */
function listUnknownTargets(command: Command, allCommands: readonly Command[]): FileCreation[] {
  const { program, args, redirects, dynamic } = command;
  const outputTargets = redirects.flatMap(({ operator, target }) => (operator.includes(">") ? [target] : []));
  const lastWord = args.findLast((word) => !/^[+;]$/.test(word)) ?? "";
  const hasUnknownSource = args.some(
    (word, at) => word !== lastWord && (word.includes("{}") || isPartlyUnknown(dynamic[at])),
  );
  const targets = [
    ...(FILE_CREATING_PROGRAM.test(program) && (hasUnknownSource || program === "tee") ? [lastWord] : []),
    ...outputTargets,
  ];
  return targets.flatMap((word): FileCreation[] => {
    const at = UNKNOWN_WORD_PART.exec(word)?.index ?? 0;
    const [knownStart, rest] = [word.slice(0, at), word.slice(at)];
    if (!knownStart.endsWith("/")) return [];
    if (/^[*?[]/.test(rest)) return [{ folder: knownStart, files: [toPattern("", rest)] }];
    return [
      {
        folder: knownStart,
        files: /^(?:\{\}|\$\(|`)/.test(rest) ? listPassedFiles(command, allCommands) : [{ start: "" }],
      },
    ];
  });
}

const isPartlyUnknown = (word: string | undefined): boolean => word !== undefined && UNKNOWN_WORD_PART.test(word);

/** Lists the files that another command may pass to this one, for example through `xargs`. */
function listPassedFiles({ program }: Command, allCommands: readonly Command[]): CreatedFiles[] {
  const listings = allCommands.filter(
    (candidate) => /^(?:find|fd|fdfind|ls|git)$/.test(candidate.program) && candidate.program !== program,
  );
  if (listings.length === 0 || allCommands.some((candidate) => candidate.program === "cat")) return [{ start: "" }];
  return listings.flatMap(({ program: lister, args }): CreatedFiles[] => {
    const names = args.filter((_, at) => /^-i?name$/.test(args[at - 1] ?? ""));
    const [name] = names.length === 1 ? names : [];
    if (lister === "find")
      return readStartFolders(args).map((start) => ({ start, ...(name !== undefined && { name }) }));
    if (lister === "ls")
      return args.some((word) => HIDDEN_NAMES_OPTION.test(word)) ? [{ start: "" }] : [{ start: "", segment: "*" }];
    return lister === "git" && !args.includes("ls-files") ? [] : [{ start: "" }];
  });
}

function readStartFolders(args: readonly string[]): readonly string[] {
  const { starts } = readFindArguments(args);
  return starts.length > 0 ? starts.map((at) => args[at] as string) : ["."];
}
