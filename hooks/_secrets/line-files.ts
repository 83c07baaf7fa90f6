import { resolve } from "bridge-hooks/paths";
import { type Command, readFindArguments, readGitArguments } from "bridge-hooks";
import { expandHome } from "../_paths.ts";
import {
  type SecretPathCheck,
  createPathCheck,
  type UserGlobs,
  isSecretPattern,
  isSettingsFile,
  type PathContext,
} from "./files.ts";
import { areFileNamesLeft } from "./environment-filters.ts";
import { createBroughtCheck } from "./brought-files.ts";
import { handlesFiles, isReader } from "./file-programs.ts";
import { findFileOperands, splitPaths } from "./operands.ts";
import type { FileOperand } from "./option-files.ts";

/** The folder of a command, absolute; the line's own where that isn't known. */
function resolveCommandFolder({ program, args, cwd }: Command, line: string): string {
  const folders = program === "git" ? readGitArguments(args).folders : [];
  if (!cwd && folders.length === 0) return resolve(line);
  return resolve(line, ...[cwd ?? "", ...folders.map((at) => args[at] ?? "")].map(expandHome));
}

/** Programs that list names for others to read. */
const LISTING_PROGRAMS = new Set(["find", "fd", "fdfind", "ls", "git", "locate", "mdfind", "rg", "grep"]);
/** Programs for which a folder is only a place. */
const FOLDER_PROGRAMS = new Set(["find", "fd", "fdfind", "du", "tree", "rm", "rmdir", "ln", "pass"]);

/** The first file of secrets that a line's commands would read, change or send, as it is written there. */
export function findSecretFile(
  line: string,
  commands: readonly Command[],
  { cwd, root, settings }: PathContext,
  lists: UserGlobs,
): string | undefined {
  let listed: string | undefined;
  const copied = new Set<string>();
  const isBrought = createBroughtCheck(commands, (one) => resolveCommandFolder(one, cwd));
  for (const command of commands) {
    const ask = createPathCheck(lists, {
      cwd: resolveCommandFolder(command, cwd),
      root,
      hidden: command.remote === true || command.cwd === undefined,
      isBrought: (path) => isBrought(path, command),
      ...(settings && { contents: settings.contents }),
      ...(settings && !isShowingHistory(command) && { settings }),
    });
    if (command.more || command.via.some((one) => LISTING_PROGRAMS.has(one)))
      if (listed !== undefined && !isShowingNames(command)) return listed;
    listed ??= findListedSecret(command, ask);
    if (isTemplateEdit(command, copied)) continue;
    const copy = findTemplateCopy(command, ask, line);
    if (copy !== undefined) {
      copied.add(copy);
      continue;
    }
    for (const operand of findFileOperands(command)) {
      const found = findSecretPart(operand, ask, command);
      if (found !== undefined && !(isSettingsFile(found) && ask.isOfEntries(found) && areFileNamesLeft(line, found)))
        return isCopiedTemplate(command, found, ask) ? `${found}, which cp would overwrite,` : found;
    }
  }
  return undefined;
}

/** What most often is not a file: the field of an object, `labels.key`, `aws_key_pair.key`. */
const DOTTED_WORD = /\.key$/i;
/** One below other fields: `.metadata.labels.key`. */
const FIELD_PATH = /(?:^|[=:,])\.[\w-]+(?:\.[\w-]+)+$/;

/** The part of a word that is a file of secrets: the shortest, since a URL may have a password before it. */
function findSecretPart(
  { text, pattern, isCreated, isKeyUse, isFile }: FileOperand,
  ask: SecretPathCheck,
  command: Command,
): string | undefined {
  if (isCreated && !ask.isThere(text)) return undefined;
  const { program } = command;
  const mayBeField = (path: string) =>
    DOTTED_WORD.test(path) && (!handlesFiles(command) || (FIELD_PATH.test(path) && !isReader(command)));
  const isWord = (path: string) => !isFile && mayBeField(path) && ask.isMissing(path);
  const isOne = (path: string) =>
    (ask.isSecret(path) && !(isKeyUse && ask.isKey(path)) && !isWord(path)) ||
    (pattern && ask.isPattern(path)) ||
    (!FOLDER_PROGRAMS.has(program) && !path.startsWith("-") && ask.isFolder(path));
  return splitPaths(text)
    .filter(isOne)
    .sort((a, b) => a.length - b.length)[0];
}

/** Commands that say no more than names of what they are given. */
const isShowingNames = ({ program, args }: Command) =>
  (/^(?:ls|echo|printf|basename|dirname|realpath|stat|wc|du|test|chmod)$/.test(program) &&
    !args.some((arg) => arg.startsWith("--files0-from"))) ||
  (program === "grep" && args.some((arg) => /^-\w*[lcq]/.test(arg)));

/** The name of secrets that a command lists files by: `find -name .env`, `git ls-files '*.pem'`. */
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
      ? steps.flatMap(({ kind, values }) => (kind === "name" ? values : []))
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
  // What is listed may lie in any folder below.
  return patterns.find((arg) => !arg.startsWith("-") && (ask.isNamedSecret(arg) || isSecretPattern(arg)));
}

/** What asks whether a file is there, before a `cp` that depends on it. */
const EXISTENCE_TEST = /(!\s+)?(?:\[\[?|\btest)\s+(!\s+)?-[efs]\s+(\S+?)(?:\s+\]\]?)?\s*(\|\||&&|;\s*then\b)\s*cp\s/g;

/** Whether a line copies to a file only where there is none. */
function isGuardedCopy(line: string, to: string): boolean {
  const guards = [...line.replace(/["']/g, "").matchAll(EXISTENCE_TEST)];
  return guards.some(([, no, not, file, then]) => file === to && ((no ?? not) === undefined) === (then === "||"));
}

const TEMPLATE = /example|sample|template|tmpl|dist/i;
const isTemplateName = (word: string, ask: SecretPathCheck): boolean =>
  TEMPLATE.test(word) && !ask.isSecret(word) && !ask.isKey(word);

/** Whether `cp` puts a template where a file of secrets is. */
function isCopiedTemplate({ program, args }: Command, to: string, ask: SecretPathCheck): boolean {
  const words = args.filter((arg) => !arg.startsWith("-"));
  return program === "cp" && words.length === 2 && words[1] === to && isTemplateName(words[0] ?? "", ask);
}
const COPYING_PROGRAM = /^(?:cp|mv|install|copy|copy-item|move-item)$/i;
/** What writes a text that it reads, changed or not. */
const FILTERS = /^(?:cat|envsubst|sed|awk|grep|tr)$/;

/**
 * The file that a template is copied to, `cp .env.example .env`, where there is none: nothing secret is there to be
 * read or lost.
 */
function findTemplateCopy(
  { program, args, redirects }: Command,
  ask: SecretPathCheck,
  line: string,
): string | undefined {
  const isCopy = COPYING_PROGRAM.test(program);
  if (!isCopy && !FILTERS.test(program)) return undefined;
  const words = args.filter((arg, at) => !arg.startsWith("-") && !(program === "install" && args[at - 1] === "-m"));
  const isSource = (word: string) => isTemplateName(word, ask);
  if (isCopy) {
    const [from = "", to = "", ...rest] = words;
    if (rest.length > 0 || to === "" || !isSource(from) || ask.isKey(to)) return undefined;
    const keeps = program === "cp" && args.some((arg) => /^-[a-z]*n|^--no-clobber$/.test(arg));
    return !ask.isThere(to) || keeps || isGuardedCopy(line, to) ? to : undefined;
  }
  const read = [...words, ...redirects.flatMap(({ operator, target }) => (operator === "<" ? target : []))];
  const [to, ...more] = redirects.flatMap(({ operator, target }) => (operator === ">" ? target : []));
  if (to === undefined || more.length > 0 || ask.isThere(to) || ask.isKey(to)) return undefined;
  return read.some(isSource) && !read.some(ask.isSecret) ? to : undefined;
}

/** `sed -i s/a/b/ .env`, of a file that the line has copied from a template. */
function isTemplateEdit({ program, args, redirects }: Command, copied: ReadonlySet<string>): boolean {
  if (program !== "sed" || !args.includes("-i") || redirects.length > 0) return false;
  const [script = "", file = "", ...rest] = args.filter((arg) => arg !== "-i");
  if (rest.length > 0) return false;
  const flags = script.slice(script.lastIndexOf(script[1] ?? "") + 1);
  return copied.has(file) && /^s[^\w\s]/.test(script) && /^[gi\d]*$/i.test(flags) && !/w\s/.test(script);
}

/** Whether git shows what a file was in other commits: what it is now doesn't tell of that. */
function isShowingHistory({ program, args }: Command): boolean {
  if (program !== "git") return false;
  const { at, verb } = readGitArguments(args);
  if (verb !== "diff") return !/^(?:add|stage|commit|status|restore|checkout|rm|mv|stash)$/.test(verb);
  const words = args.slice(at + 1, args.includes("--") ? args.indexOf("--") : undefined);
  return args.includes("--")
    ? words.some((word) => !word.startsWith("-"))
    : words.filter((word) => !word.startsWith("-")).length > 1;
}

/** The folders in which a line commits what is staged, each once: all that is staged is looked at. */
export function findCommitFolders(commands: readonly Command[], cwd: string): ReadonlySet<string> {
  const folders = commands.flatMap((command) => {
    if (command.program !== "git") return [];
    const { verb } = readGitArguments(command.args);
    if (verb !== "commit" || command.args.includes("--dry-run")) return [];
    return [resolveCommandFolder(command, cwd)];
  });
  return new Set(folders);
}
