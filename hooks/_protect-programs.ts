import { join, resolve, sep } from "bridge-hooks/paths";
import {
  type Command,
  type Guarded,
  homedir,
  isInterpreter,
  listJoinedStrings,
  optionKind,
  takesPattern,
} from "bridge-hooks";
import { expandHome } from "./_paths.ts";

/** Programs that modify the files they are given. */
const WRITING_PROGRAM = /^(?:rm|unlink|mv|cp|ln|shred|truncate|tee|sed|chmod|chown|trash(?:-put)?)$/;

/** Interpreter code that modifies files. */
const MODIFYING_CODE =
  /\.(?:cp|mv|ln)(?:Sync|_\w{1,2})?\b|\b(?:cp|mv)\(|[wW]rite|[aA]ppend|file_put|\bdump\b|unlink|remove|rmtree|rmSync|rename|replace|move|copy|truncate|chmod|link|touch|save|delete|["'](?:[wax]b?\+?|r\+)["']|["']\s*\+?>|(?:Set|Add|Clear)-Content|Out-File/;
/** Code that modifies files, for programs with a scripting language of their own. */
const MODIFYING_SCRIPTS: readonly [RegExp, RegExp][] = [
  [/^[gmn]?awk$/, /\bprintf?\b(?:(?!\bprintf?\b)[^;}\n>])*>|\bsystem\b/],
  [/^g?sed$/, /(?:^|[\s;/}\dgpI])[wW](?:\s+[\w./~$]|[.~$])/],
  [/^(?:vim?|nvim|ex|ed)$/, /\bw|\bsav/],
  [/^emacs(?:client)?$/, /write|save|append|delete|rename|copy/],
  [/^sqlite3$/, /\.(?:output|once|backup|save|log|clone|trace)\b|\bwritefile\b|\binto\b/i],
  [/^psql$/, /\\(?:copy|o|out|g|gx|w|write)\b|\bcopy\b|\bto\b/i],
  [/^(?:mysql|mariadb)$/, /\binto\b|\btee\b/i],
];
/** A string in awk code. Delimiters inside it don't end a statement. */
const AWK_STRING = /\\[^]|"(?:[^"\\\n]|\\.)*"/g;

const getChangePattern = (program: string): RegExp | undefined =>
  isInterpreter(program) ? MODIFYING_CODE : MODIFYING_SCRIPTS.find(([name]) => name.test(program))?.[1];

/** A string literal in code. Has no capture groups. */
const CODE_STRING_LITERAL = String.raw`[rbf]{0,2}(?:"[^"\\\n]{1,300}"|'[^'\\\n]{1,300}'|\`[^\`\\\n]{1,300}\`)`;
/**
 * String literals that name files to read: sources of copy calls, paths of read calls, and the PowerShell equivalents.
 */
const READING_CALLS = new RegExp(
  [
    String.raw`(?<=\b(?:copy(?:2|file|File|tree|_tree|_file|_entry|_stream)?|cp)(?:Sync|_r|_rf)?[\s([]{1,4}(?:src\s{0,3}=\s{0,3})?(?:[\w.]{1,30}\()?)${CODE_STRING_LITERAL}(?=[\])]?\s{0,3},)`,
    String.raw`(?<=\b(?:[rR]ead\w{0,20}|file_get_contents)[\s(]{1,3})${CODE_STRING_LITERAL}`,
    String.raw`(?<=\bopen\(\s{0,3})${CODE_STRING_LITERAL}(?=\s{0,3}(?:,\s{0,3}["']rb?["']\s{0,3})?\))`,
    String.raw`(?<=\bPath\()${CODE_STRING_LITERAL}(?=\)\.read_)`,
    String.raw`(?<=\bBun\.file\()${CODE_STRING_LITERAL}(?=\)(?:\s{0,3}\)|\.(?:text|json|bytes|stream)\b))`,
    String.raw`(?<=\b(?:[gG]et-[cC]ontent|gc|[cC]opy-[iI]tem|copy|cpi|cp)\s{1,3})[^\s|;"'()]{1,300}(?=[\s|;)]|$)`,
  ].join("|"),
  "g",
);
/** Properties that return the name of an open file. */
const OPEN_FILE_NAME_PROPERTY = /(?<!\bos)\.(?:name|path|fileno)\b|\bfd\b/;

/** Removes the names of guarded files that the code only reads or copies from. */
function removeReadNames(code: string, isGuarded: (name: string) => boolean): string {
  if (OPEN_FILE_NAME_PROPERTY.test(code)) return code;
  return code.replace(READING_CALLS, (name) =>
    isGuarded(name.replace(/^[rbf]{0,2}(["'`])(.*)\1$/s, "$2")) ? "''" : name,
  );
}

/** Whether a program is a line editor that reads its commands from stdin. */
const isLineEditor = (program: string): boolean => program === "ed" || program === "ex";

/** Returns the code that a command passes to an interpreter, or undefined for other programs. */
function extractCode({ program, args, redirects, stdin = "" }: Command): { code: string; changes: RegExp } | undefined {
  // With `-`, `uv run` reads Python code from stdin.
  const language = program === "-" || (program === "uv" && args.includes("-")) ? "python" : program;
  const changes = getChangePattern(language);
  if (!changes) return undefined;
  // Without a script operand, an interpreter reads its code from stdin.
  const isRead =
    isLineEditor(program) ||
    (isInterpreter(language) && (args.includes("-") || args.every((word) => word.startsWith("-"))));
  const inputs = redirects.map(({ text = "", operator, target }) => (operator === "<<<" ? target : text));
  return { code: [...removeReadFiles(program, args), ...inputs, ...(isRead ? [stdin] : [])].join("\n"), changes };
}

/** Whether a command's inline code modifies files; undefined if the command has no inline code. */
export function changesByCode(command: Command): boolean | undefined {
  const inlineCode = isInterpreter(command.program) && hasCode(command) ? extractCode(command) : undefined;
  return inlineCode?.changes.test(inlineCode.code);
}

const hasCode = ({ program, args, redirects }: Command): boolean =>
  args.some((word) => optionKind(program, word) === "code") ||
  redirects.some(({ operator }) => operator.startsWith("<<"));

/** Awk code that refers to its input files by variable. */
const INPUT_FILE_VARIABLE = /\bFILENAME\b|\bARGV\b/;

/** Drops the operands that an awk or sed script only reads: `file` in `awk '{print > "x"}' file`. */
function removeReadFiles(program: string, args: readonly string[]): readonly string[] {
  if (!/^(?:[gmn]?awk|g?sed)$/.test(program) || !takesPattern(program)) return args;
  if (args.some((arg) => INPUT_FILE_VARIABLE.test(arg))) return args;
  const isOperand = (arg: string, at: number) =>
    !/^-./.test(arg) && !arg.includes("=") && optionKind(program, args[at - 1] ?? "") === undefined;
  const hasScript = args.some((arg) => /^(?:code|source)$/.test(optionKind(program, arg.split("=", 1)[0] ?? "") ?? ""));
  const firstOperand = hasScript ? -1 : args.findIndex(isOperand);
  return args.filter((arg, at) => at === firstOperand || !isOperand(arg, at));
}

/** Resolves a command's working directory. */
export const resolveCommandFolder = ({ cwd: inside = "" }: Command, cwd: string): string =>
  resolve(cwd || "/", expandHome(inside));

/** Describes the guarded file or directory that inline code names and would modify. */
export function findFileChangedByCode(command: Command, guard: Guarded, cwd: string): string | undefined {
  const inlineCode = extractCode(command);
  if (!inlineCode) return undefined;
  const folder = resolveCommandFolder(command, cwd);
  const isGuarded = (name: string) => {
    const path = resolve(folder, expandHome(name));
    return guard.covers(path) || guard.within(path).length > 0;
  };
  const code = removeReadNames(inlineCode.code, isGuarded);
  const isAwk = /^[gmn]?awk$/.test(command.program);
  if (inlineCode.changes.test(code) || (isAwk && inlineCode.changes.test(code.replace(AWK_STRING, " ")))) {
    if (guard.isNamed(code)) return "a file that its code names";
    const file = findFileInCode(command, code, guard, folder);
    if (file !== undefined) return file;
  }
  return findFolderInCode(code, guard, folder);
}

/** Code that changes the working directory. */
const FOLDER_CHANGE = /chdir[\s(]*(["'`])([^"'`\n]{1,300})\1/g;
/** The mode that precedes the file name in Perl's two-argument `open`. */
const OPEN_MODE = /^[+<>|\s]+/;
const MAX_NAMES = 500;

/** Returns a guarded file that the code names by a relative path. */
function findFileInCode({ program }: Command, code: string, guard: Guarded, start: string): string | undefined {
  const folders = [start];
  for (const [, , folder = ""] of code.matchAll(FOLDER_CHANGE).take(8))
    folders.push(resolve(folders.at(-1) as string, expandHome(folder)));
  const isQuoted = isInterpreter(program) || program === "-" || program === "uv" || program.endsWith("awk");
  const names = isQuoted
    ? [
        ...code
          .matchAll(STRING_LITERAL)
          .take(MAX_NAMES)
          .map(([, , text = ""]) => text),
        ...listJoinedStrings(code),
      ]
    : code.split(/[\s'"|;{}()]+/, MAX_NAMES);
  for (const text of new Set(names)) {
    const name = text.replace(OPEN_MODE, "");
    if (name === "" || name.length > 300) continue;
    for (const folder of folders) {
      const path = resolve(folder, name);
      if (guard.covers(path)) return path;
    }
  }
  return undefined;
}

/** Calls that remove, move, replace, or link a directory. */
const FOLDER_CALL =
  /(?:rmtree|remove_?tree|rmdir|rm_rf?|rmSync|\brm|rimraf|removeSync|emptyDir\w{0,40}|delete_tree|rename\w{0,40}|\bmove\w{0,40}|\bmv\w{0,40}|os\.replace|symlink\w{0,40}|link_to|copy_?tree|copySync|cpSync|cp_r|extract_?all|unpack_archive|chmod\w{0,40}|Remove-Item|Rename-Item|Move-Item)\b/;
const FOLDER_CALL_START = new RegExp(`${FOLDER_CALL.source}[\\s(]*[rbf]{0,2}$`);
const STRING_LITERAL = /(["'`])((?:(?!\1)[^\\\n]){0,300})\1/g;
/** A directory that may come before a name in code: `${root}/.codex`, `~/.codex`, or a concatenation with `/.codex`. */
const FOLDER_PREFIX = /^(?:(?:\$(?:ENV)?)?\{[^}]*\}|~|%s)?\/(?=\.)/;

/** If the code removes or moves directories, returns a guarded file in one of the directories it names. */
function findFolderInCode(code: string, guard: Guarded, folder: string): string | undefined {
  if (!FOLDER_CALL.test(code)) return undefined;
  const home = /~|home|userprofile|expanduser/i.test(code) ? homedir() : undefined;
  const visitedFolders = new Set<string>();
  for (const { 0: all, 2: text = "", index } of code.matchAll(STRING_LITERAL)) {
    const isCalled = FOLDER_CALL_START.test(code.slice(Math.max(0, index - 40), index));
    if (text === "" || visitedFolders.has(`${isCalled} ${all}`)) continue;
    visitedFolders.add(`${isCalled} ${all}`);
    const relativeName = text.replace(FOLDER_PREFIX, "");
    const namedFolders = [
      resolve(folder, text),
      resolve(folder, relativeName),
      ...(home && relativeName.startsWith(".") ? [join(home, relativeName)] : []),
    ];
    for (const path of namedFolders) {
      // Strings such as "/" are common in code and may name a parent directory by chance. They count only as the
      // argument of a call that removes or moves directories.
      const isAbove = [folder, homedir()].some((subfolder) =>
        `${subfolder}${sep}`.startsWith(path.endsWith(sep) ? path : path + sep),
      );
      if (isAbove && !isCalled) continue;
      const [file] = guard.within(path);
      if (file !== undefined) return file;
    }
  }
  return undefined;
}

const SHELL_PROGRAM = /^(?:ba|z|da|k|a|)sh$/;
const FILE_PLACEHOLDER = String.raw`["']?(?:\$|\{\})`;
/** A shell script that modifies the files it is given. */
const MUTATING_SHELL_SCRIPT = new RegExp(
  [
    `>\\|?\\s*${FILE_PLACEHOLDER}`,
    `(?:^|[\\s;&|({])(?:rm|unlink|mv|shred|truncate|tee|sed\\s+-\\w*i\\S*|chmod|chown|dd)\\s[^;&|\\n]{0,300}(?:\\$|\\{\\})`,
    `(?:^|[\\s;&|({])(?:cp|ln)\\s[^;&|\\n]{0,300}\\s["']?(?:\\$\\{?[\\w@*]+\\}?|\\{\\})["']?\\s*(?:$|[;&|\\n])`,
  ].join("|"),
);

/** Whether a program modifies the files it is given by `find` or `xargs`. */
export function mayChangePassedFiles(program: string, args: readonly string[]): boolean {
  if (SHELL_PROGRAM.test(program))
    return MUTATING_SHELL_SCRIPT.test(args[args.findIndex((word) => /^-\w*c$/.test(word)) + 1] ?? "");
  if (/^(?:perl|ruby)$/.test(program)) return args.some((word) => /^-\w*i/.test(word));
  if (isInterpreter(program)) return MODIFYING_CODE.test(args.join(" "));
  return program === "dd" ? args.some((word) => /^of=.*\{\}/.test(word)) : WRITING_PROGRAM.test(program);
}
