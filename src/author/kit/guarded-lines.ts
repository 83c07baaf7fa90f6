import type { MachineContext } from "../../protocol/host/install.ts";
import { hostRegistry } from "../../hosts/registry.ts";
import { foldText } from "./comparable-path.ts";
import { listHostFiles } from "./host-files.ts";
import { EXECUTABLE_NAME, getOwnName } from "./switch-off.ts";

/** Characters that trigger shell expansion, and unusual white space: with these, the raw text can't be trusted. */
const EXPANSION_CHARACTERS = /[$`*?[{~\\()]|[^\S \t\n]|%[A-Za-z_]\w*%/;

/**
 * Programs that neither write to the files in their arguments nor run another program, and git commands that don't
 * either.
 */
const HARMLESS_PROGRAMS =
  "ls cat head tail wc nl cut tr grep egrep fgrep rg diff cmp comm stat du df ps pwd cd date whoami id which test true false echo printf seq sleep " +
  "basename dirname realpath readlink md5sum sha256sum";
const HARMLESS_COMMAND = new RegExp(
  `^(?:${HARMLESS_PROGRAMS.replaceAll(" ", "|")}|git (?:status|diff|log|show|branch|fetch|push|add|commit))(?= |$)`,
);
/** Options with which some of them do. */
const HARMFUL_OPTION = /\s--(?:out|pre\b|exec|upload|receive)|\bext::/;
/** Commands that run the project's own code. That code can't be inspected, but files in its arguments are. */
const PROJECT_CODE_COMMAND =
  /^(?:(?:npm|pnpm|yarn|bun) (?:run|test|ci|install|i)|make|cargo (?:build|test|check|run)|go (?:build|test|vet)|pytest|tsc|python3? -m pytest|(?:node|python3?)(?= [^- ]))(?= |$)/;

/** The first words of all these: without one of them neither expression has to be compiled. */
const FIRST_WORDS = ` ${HARMLESS_PROGRAMS} git npm pnpm yarn bun make cargo go pytest tsc python python3 node `;
const hasKnownProgram = (command: string): boolean => FIRST_WORDS.includes(` ${command.split(" ", 1)[0]} `);

/**
 * Whether a line may change guarded files or switch hooks off. False only if the raw text rules it out: plain words,
 * only harmless programs, and no name of a host's program, variable or file.
 * @param isPart whether a file, as the line writes it, is guarded or may lead to a guarded file.
 */
export function mayAffectHooks(
  line: string,
  place: Pick<MachineContext, "home" | "platform" | "env">,
  isPart: (file: string) => boolean,
): boolean {
  if (EXPANSION_CHARACTERS.test(line)) return true;
  const given = foldText(line.replace(/['"]/g, ""));
  if (HARMFUL_OPTION.test(given) || hasHookName(given, place)) return true;
  const files = findWrittenFiles(line);
  // Each file costs a lookup; lines with more of them are parsed instead.
  return files === undefined || files.length > 8 || files.some(isPart);
}

/** Whether a lower-case text mentions a host's program, variables or files, or this program. */
function hasHookName(given: string, place: Pick<MachineContext, "home" | "platform" | "env">): boolean {
  for (const { programs } of hostRegistry) for (const word of programs) if (given.includes(word)) return true;
  for (const name of listHookNames(place)) if (given.includes(name)) return true;
  const own = getOwnName();
  return own !== undefined && given.includes(own.toLowerCase());
}

/** The hosts' packages, variables and files, and the name of this program, in lower case. */
export function listHookNames(place: Pick<MachineContext, "home" | "platform" | "env">): readonly string[] {
  const files = listHostFiles(place);
  if (known?.files === files) return known.names;
  const names = new Set([EXECUTABLE_NAME]);
  for (const { hookControls, packages } of hostRegistry) {
    for (const name of packages) names.add(name);
    for (const word of hookControls.variables) names.add(word.toLowerCase());
  }
  for (const file of files) names.add(getRecognizableName(file).toLowerCase());
  known = { files, names: [...names] };
  return known.names;
}
let known: { files: readonly string[]; names: readonly string[] } | undefined;

/**
 * The part of a guarded file's path that a line has to mention: its first directory, or the last segment of an absolute
 * path.
 */
function getRecognizableName(file: string): string {
  if (file.startsWith("**/")) {
    const at = file.indexOf("/", 3);
    return at < 0 ? file.slice(3) : file.slice(3, at);
  }
  const end = file.length - (file.endsWith("/") ? 1 : 0);
  return file.slice(file.lastIndexOf("/", end - 1) + 1, end);
}

const REDIRECTION =
  /(?:&|(?<![^ \t\n;|&])\d)?>>?[ \t]*(?:\/dev\/null(?=[ \t\n;|&]|$)|&\d(?=[ \t\n;|&]|$)|((?!\.\.)[\w@%+=:.](?:(?!\.\.)[\w@%+=:./-])*)(?=[ \t\n;|]|$))/g;
const PLAIN_WORD = /^(?!.*\.\.)[\w@%+=:.,][\w@%+=:.,/-]*$/;

/**
 * The files that a line of plain words might write to, relative to its directory; undefined if unknown. The line is
 * split at every separator, quoted or not: no command is missed, and at worst a piece of text is taken for a command.
 */
function findWrittenFiles(line: string): string[] | undefined {
  const moves = /\bcd\b/.test(line);
  if (line.includes(">") && (moves || /["'#<]/.test(line))) return undefined;
  const files: string[] = [];
  let commands = line;
  if (line.includes(">")) {
    for (const [, file] of line.matchAll(REDIRECTION)) if (file !== undefined) files.push(file);
    commands = line.replace(REDIRECTION, " ");
    if (commands.includes(">")) return undefined;
  }
  const parts = commands.split(/[;&|\n]+/).map((part) => part.replace(/^[ \t]+/, ""));
  if (!parts.every((command) => command === "" || hasKnownProgram(command))) return undefined;
  for (const command of parts) {
    const code = PROJECT_CODE_COMMAND.exec(command);
    const head = code ?? HARMLESS_COMMAND.exec(command);
    if (!head && command !== "") return undefined;
    const words = command.slice(head?.[0].length).split(/[ \t]+/);
    const named = words.flatMap((word) => findPathCandidates(word, code !== null));
    if (!named.every((name) => PLAIN_WORD.test(name)) || (moves && named.length > 0)) return undefined;
    files.push(...named);
  }
  return files;
}

/**
 * Possible files in an argument: the parts after "=", "@", ":" or an option's letter, and the argument itself if
 * operands count.
 */
function findPathCandidates(word: string, operands: boolean): string[] {
  const isOption = /^["']*-/.test(word);
  if (word === "" || (!isOption && !operands)) return [];
  const found = isOption && !/["']/.test(word) ? [] : [word];
  if (/^-[A-Za-z][./]/.test(word)) found.push(word.slice(2));
  for (const mark of "=@:") if (word.includes(mark)) found.push(word.slice(word.indexOf(mark) + 1));
  return found;
}
