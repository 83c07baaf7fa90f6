import { resolve } from "bridge-hooks/paths";
import { type Command, isExcludedTest, readFindArguments, readGitArguments } from "bridge-hooks";
import { expandHome } from "../_paths.ts";
import {
  type SecretPathCheck,
  type ChecksByAccess,
  createPathChecks,
  type GlobsByAccess,
  isSecretPattern,
  isSettingsFile,
  type PathContext,
} from "./files.ts";
import { printsOnlyFileNames } from "./environment-filters.ts";
import { createCreationCheck } from "./brought-files.ts";
import { describeChange, copiesOnlyIfMissing } from "./changed-files.ts";
import { handlesFiles, isReader } from "./file-programs.ts";
import { findFileOperands, splitPaths } from "./operands.ts";
import type { FileChangeVerb, FileOperand } from "./option-files.ts";

/** Resolves the directory a command runs in. If it isn't known, returns the shell's directory. */
export function resolveCommandFolder({ program, args, cwd }: Command, line: string): string {
  const folders = program === "git" ? readGitArguments(args).folders : [];
  if (!cwd && folders.length === 0) return resolve(line);
  return resolve(line, ...[cwd ?? "", ...folders.map((at) => args[at] ?? "")].map(expandHome));
}

/** Programs that list files for other programs to use. */
const LISTING_PROGRAMS = new Set(["find", "fd", "fdfind", "ls", "git", "locate", "mdfind", "rg", "grep"]);
/** Programs that take a directory but don't read the files in it. */
const FOLDER_PROGRAMS = new Set(["find", "fd", "fdfind", "du", "tree", "rm", "rmdir", "ln", "pass"]);

/** How a shell command uses secret files. */
export interface FoundFiles {
  /** The first secret file that is read or sent, as spelled in the command. */
  read?: string;
  /** Describes what happens to the first secret file that is written but not read. */
  write?: string;
}

/** Finds secret files that commands would read, change, or send. Undefined if there are none. */
export function findSecretFiles(
  line: string,
  commands: readonly Command[],
  { cwd, root, settings }: PathContext,
  globLists: GlobsByAccess,
): FoundFiles | undefined {
  let listedSecret: string | undefined;
  const files: FoundFiles = {};
  const mayBeCreated = createCreationCheck(commands, (candidate) => resolveCommandFolder(candidate, cwd));
  for (const command of commands) {
    const checks = createPathChecks(globLists, {
      cwd: resolveCommandFolder(command, cwd),
      root,
      isUnreadable: command.remote === true || command.cwd === undefined,
      mayBeCreated: (path) => mayBeCreated(path, command),
      ...(settings && { contents: settings.contents }),
      ...(settings && !printsHistory(command) && { settings }),
    });
    if (command.more || command.via.some((wrapper) => LISTING_PROGRAMS.has(wrapper)))
      if (listedSecret !== undefined && !printsOnlyNames(command)) files.read ??= listedSecret;
    listedSecret ??= findListedSecret(command, checks.read);
    addNamedFiles(files, command, checks, line);
  }
  return files.read === undefined && files.write === undefined ? undefined : files;
}

function addNamedFiles(files: FoundFiles, command: Command, checks: ChecksByAccess, line: string): void {
  for (const operand of findFileOperands(command)) {
    const { change } = operand;
    const access = change ? "write" : "read";
    const file = files[access] === undefined ? findSecretPart(operand, checks[access], command) : undefined;
    if (file === undefined) continue;
    if (!change) {
      if (!(isSettingsFile(file) && checks.read.hasOnlyEntries(file) && printsOnlyFileNames(line, file)))
        files.read = file;
    } else if (!copiesOnlyIfMissing(command, line, file))
      files.write = describeChange(file, change, isTemplateCopy(command, checks.read) ? " with a template" : "");
  }
}

/** A word like this is usually an object's field and not a file: `labels.key`, `aws_key_pair.key`. */
const DOTTED_WORD = /\.key$/i;
/** A nested field of an object: `.metadata.labels.key`. */
const FIELD_PATH = /(?:^|[=:,])\.[\w-]+(?:\.[\w-]+)+$/;

/**
 * Whether a command creates the file itself or changes one that an earlier command in the same shell command creates.
 */
const isCreatedByCommand = (path: string, change: FileChangeVerb, ask: SecretPathCheck): boolean =>
  ask.isAbsent(path) && !(change === "change" && ask.isMissing(path));

/**
 * Returns the shortest part of a word that names a secret file. The whole word could contain more, such as a password
 * in a URL.
 */
function findSecretPart(
  { text, pattern, isCreated, isKeyUse, isFile, change }: FileOperand,
  ask: SecretPathCheck,
  command: Command,
): string | undefined {
  if (isCreated && !ask.exists(text)) return undefined;
  const { program } = command;
  const mayBeField = (path: string) =>
    DOTTED_WORD.test(path) && (!handlesFiles(command) || (FIELD_PATH.test(path) && !isReader(command)));
  const isWord = (path: string) => !isFile && mayBeField(path) && ask.isMissing(path);
  const isSecretFile = (path: string) =>
    (ask.isSecret(path) && !(isKeyUse && ask.isKey(path)) && !isWord(path)) ||
    (pattern && ask.isPattern(path)) ||
    (!FOLDER_PROGRAMS.has(program) && !path.startsWith("-") && ask.isFolder(path));
  // In a secret directory, any word other than an option may name a secret file.
  const isOption = (path: string) => /^-[\w-]*$/.test(path) && !isFile;
  return splitPaths(text)
    .filter((path) => !isOption(path) && isSecretFile(path) && !(change && isCreatedByCommand(path, change, ask)))
    .sort((a, b) => a.length - b.length)[0];
}

/** Whether a command prints only names or counts. */
const printsOnlyNames = ({ program, args }: Command) =>
  (/^(?:ls|echo|printf|basename|dirname|realpath|stat|wc|du|test|chmod)$/.test(program) &&
    !args.some((arg) => arg.startsWith("--files0-from"))) ||
  (program === "grep" && args.some((arg) => /^-\w*[lcq]/.test(arg)));

/**
 * Returns the pattern, or the directory, that makes a command list secret files: `find -name .env`,
 * `git ls-files '*.pem'`.
 */
function findListedSecret({ program, args }: Command, ask: SecretPathCheck): string | undefined {
  if (!LISTING_PROGRAMS.has(program) || (program === "git" && readGitArguments(args).verb === "config"))
    return undefined;
  const { starts, steps } = program === "find" ? readFindArguments(args) : { starts: [], steps: [] };
  const folder = steps.some(({ kind }) => kind === "name")
    ? undefined
    : starts.find((at) => ask.isFolder(args[at] ?? ""));
  if (folder !== undefined) return args[folder];
  const patterns =
    program === "find"
      ? steps.flatMap(({ kind, values }, at) => (kind === "name" && !isExcludedTest(steps, at) ? values : []))
      : program === "git"
        ? args.slice(readGitArguments(args).at + 1)
        : args;
  const expression = args.find((_, at) => /^-i?regex$/.test(args[at - 1] ?? ""))?.replace(/^\.\*\/?|\\|\$$/g, "");
  if (program === "find" && expression !== undefined && ask.isNamedSecret(expression)) return expression;
  const listsIgnored =
    program === "git" &&
    patterns.some((arg) => /^(?:-\w*o|--others)$/.test(arg)) &&
    patterns.every((arg) => arg.startsWith("-") && !arg.startsWith("--exclude"));
  if (listsIgnored && readGitArguments(args).verb === "ls-files") return ".env";
  // Listed files can be in any subdirectory, so only the name can be checked.
  return patterns.find((arg) => !arg.startsWith("-") && (ask.isNamedSecret(arg) || isSecretPattern(arg)));
}

const TEMPLATE_NAME = /example|sample|template|tmpl|dist/i;

/** Whether a command copies a template over a secret file: `cp .env.example .env`. */
function isTemplateCopy({ program, args }: Command, ask: SecretPathCheck): boolean {
  const [from = "", ...rest] = args.filter((arg) => !arg.startsWith("-"));
  return program === "cp" && rest.length === 1 && TEMPLATE_NAME.test(from) && !ask.isSecret(from) && !ask.isKey(from);
}

/** Whether git prints earlier versions of a file. Its current contents say nothing about those. */
function printsHistory({ program, args }: Command): boolean {
  if (program !== "git") return false;
  const { at, verb } = readGitArguments(args);
  if (verb !== "diff") return !/^(?:add|stage|commit|status|restore|checkout|rm|mv|stash)$/.test(verb);
  const words = args.slice(at + 1, args.includes("--") ? args.indexOf("--") : undefined);
  return args.includes("--")
    ? words.some((word) => !word.startsWith("-"))
    : words.filter((word) => !word.startsWith("-")).length > 1;
}
