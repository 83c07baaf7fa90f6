import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { Command } from "../../src/core/shell/index.ts";
import { FILE_HINT, isNamed, type Judge, judge, type Lists, meansSecrets } from "./files.ts";
import { gitVerb, type Operand, operandsOf, pathsIn } from "./operands.ts";
import { mayPrint } from "./printing.ts";

/** Where the shell puts a name together: wildcards, lists in braces, and letters by their numbers. */
const HIDDEN = /[*?]|\[[^\s[]|\{[^}\s]*[,.]|\$'/;
const MOST_WORDS = 200;

/** A line in small letters, without the quotes that may stand inside a word. */
export const plainLine = (line: string): string =>
  line
    .replace(/\\\n/g, "")
    .replace(/['"\\]/g, "")
    .toLowerCase();

/** Whether one of a line's words, taken as a path, is a link to a file of secrets; at a glance, without reading the line. */
function links(line: string, cwd: string): boolean {
  const words = line.split(/[\s;&|<>()'"`=:@,]+/).filter((word) => word !== "" && !word.startsWith("-"));
  if (words.length > MOST_WORDS) return true;
  const folders = [
    cwd,
    ...words.flatMap((word, at) => (words[at - 1] === "cd" ? resolve(cwd, word.replace(/^~(?=\/|$)/, homedir())) : [])),
  ];
  return folders.some((folder) =>
    words.some((word) => {
      try {
        return isNamed(realpathSync.native(resolve(folder, word)));
      } catch {
        return false;
      }
    }),
  );
}

/** Whether a line needs a closer look. Most don't, and the parser is not even loaded. */
export function concerns(line: string, cwd: string, { deny }: Lists): boolean {
  const plain = plainLine(line);
  return deny.length > 0 || FILE_HINT.test(plain) || mayPrint(plain) || /\bcommit\b/.test(plain) || HIDDEN.test(line) || links(line, cwd);
}

/** The folder of a command, absolute; the line's own where that isn't known. */
export const folderOf = ({ cwd }: Command, line: string): string => resolve(line, (cwd ?? "").replace(/^~(?=\/|$)/, homedir()));

/** Programs that list names for others to read. */
const LISTERS = new Set(["find", "fd", "fdfind", "ls", "git", "locate", "mdfind", "rg", "grep"]);
/** Programs for which a folder is only a place. */
const PLACES = new Set(["find", "fd", "fdfind", "du", "tree", "rm", "rmdir", "ln", "pass"]);

/** The first file of secrets that a line's commands would read, change or send, as it is written there. */
export function secretFile(commands: readonly Command[], cwd: string, lists: Lists): string | undefined {
  let listed: string | undefined;
  for (const command of commands) {
    const ask = judge(lists, folderOf(command, cwd));
    if (command.more || command.via.some((one) => LISTERS.has(one))) if (listed !== undefined && !isQuiet(command)) return listed;
    listed ??= listing(command, ask);
    if (isTemplate(command, ask)) continue;
    const found = operandsOf(command).find((operand) => isSecret(operand, ask, command));
    if (found) return found.text;
  }
  return undefined;
}

function isSecret({ text, pattern }: Operand, ask: Judge, command: Command): boolean {
  return pathsIn(text).some(
    (path) =>
      ask.isSecret(path) ||
      (pattern && ask.isPattern(path)) ||
      (!PLACES.has(command.program) && !path.startsWith("-") && ask.isFolder(path)),
  );
}

/** Commands that say no more than names of what they are given. */
const isQuiet = ({ program, args }: Command) =>
  /^(?:ls|echo|printf|basename|dirname|realpath|stat|wc|test|chmod)$/.test(program) ||
  (program === "grep" && args.some((arg) => /^-\w*[lcq]/.test(arg)));

/** The name of secrets that a command lists files by: `find -name .env`, `git ls-files '*.pem'`. */
function listing({ program, args }: Command, ask: Judge): string | undefined {
  if (!LISTERS.has(program)) return undefined;
  return args.find((arg, at) => {
    const isPattern = program !== "find" || /^-i?(?:name|path|wholename)$/.test(args[at - 1] ?? "");
    return isPattern && !arg.startsWith("-") && (ask.isSecret(arg) || meansSecrets(arg));
  });
}

/** `cp .env.example .env` where there is no `.env`: nothing secret is there to be read or lost. */
function isTemplate({ program, args }: Command, ask: Judge): boolean {
  const [from = "", to = "", ...rest] = args.filter((arg) => !arg.startsWith("-"));
  return program === "cp" && rest.length === 0 && /example|sample|template|dist/i.test(from) && !ask.isSecret(from) && !ask.isThere(to);
}

/** The folders in which a line commits what is staged. */
export function commits(commands: readonly Command[], cwd: string): string[] {
  return commands.flatMap((command) => {
    if (command.program !== "git") return [];
    const { at, verb } = gitVerb(command.args);
    if (verb !== "commit" || command.args.includes("--dry-run")) return [];
    const folders = command.args.slice(0, at).filter((_, index) => command.args[index - 1] === "-C");
    return [resolve(folderOf(command, cwd), ...folders)];
  });
}
