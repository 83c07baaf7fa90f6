import { foldConstants } from "./constants.ts";
import { findDeletions, listConstants, splitAtFolderChanges } from "./deletions.ts";
import { resolveCodeNames } from "./names.ts";
import { quoteWord, toShellText } from "./tokens.ts";
import type { CodeInput } from "./expression.ts";

/** Finds shell commands in code written in another language. */
export type ShellTextFinder = (code: string, input?: CodeInput) => string[];

/** Matches a backslash escape, a multi-line string or a single-line string. Each character is scanned only once. */
const STRING_LITERAL = /\\[^]|("""|''')([^]*?)\1|(["'])((?:(?!\3)[^\\\n]|\\[^])*)\3|`((?:[^\\`]|\\[^])*)`/g;

/**
 * Matches what may come between a call that runs a program and its first string argument. `BETWEEN_ARGUMENTS` matches what
 * may come between later arguments.
 */
const PROGRAM_CALL =
  /(?:\b(?:system\*?|popen\w*|exec(?:sync|file\w{0,8}|[vl]\w{0,2})?|pcntl_exec|proc_open|os\.execute|spawn\w*|posix_spawnp?|create_subprocess_(?:shell|exec)|deno\.command|shell_exec|passthru|run|call|check_call|check_output|get(?:status)?output|startProcess|start-process|shell-command(?:-to-string)?|do ?(?:shell ?)?script|(?:system|os)[.:]cmd|syscmd|shell|sh|run-program)|\$)[\s(]*(?:os\.P_\w{1,9},)?\s*\[?\s*[rbfu]{0,2}$/i;
/** Calls whose second argument is the program's `argv[0]`. */
const ARGV0_CALL = /(?:exec[vl]|spawn[vl])p?e?\b|posix_spawn/i;
/** String method that runs the string as a command: `"rm x".execute()`. */
const EXECUTE_METHOD = /^\.(?:execute\s{0,3}\(|!!?(?!=))/;
const BETWEEN_ARGUMENTS = /^[\s,[\]]*[rbfu]{0,2}$/;
/** How many characters before a string to search for a call. */
const CONTEXT_LENGTH = 60;

export const unescapeText = (text: string): string =>
  text.replace(/\\([^])/g, (_, character) => (character === "n" || character === "r" ? "\n" : character));

/** Lists the strings in code, each with the code before it. */
function findStrings(code: string): { context: string; text: string; end: number; isBare: boolean }[] {
  const strings: ReturnType<typeof findStrings> = [];
  let end = 0;
  for (const match of code.matchAll(STRING_LITERAL)) {
    const text = match[2] ?? match[4] ?? match[5];
    if (text === undefined) continue;
    const context = code.slice(end, match.index);
    end = match.index + match[0].length;
    strings.push({ context, text: unescapeText(text), end, isBare: match[5] !== undefined });
  }
  return strings;
}

/** Finds commands in calls such as `os.system("rm x")`, `subprocess.run(["rm", "x"])` and `spawn("rm", ["x"])`. */
const findCalledCommands: ShellTextFinder = (code) => {
  const commands: string[][] = [];
  let isOpen = false;
  let skipsArgument = false;
  for (const { context: callContext, text, end } of findStrings(code)) {
    if (isOpen && BETWEEN_ARGUMENTS.test(callContext)) {
      if (!skipsArgument) commands.at(-1)?.push(text);
      skipsArgument = false;
      continue;
    }
    const context = callContext.slice(-CONTEXT_LENGTH);
    isOpen = PROGRAM_CALL.test(context);
    skipsArgument = isOpen && ARGV0_CALL.test(context);
    if (isOpen || EXECUTE_METHOD.test(code.slice(end, end + CONTEXT_LENGTH))) commands.push([text]);
  }
  return commands.map((words) =>
    words.length === 1 ? toShellText(words[0] as string) : words.map(quoteWord).join(" "),
  );
};

/** Lists versions of the code: the original, one with call aliases resolved, and ones with constants evaluated. */
function listCodeVersions(code: string, input?: CodeInput): ReadonlySet<string> {
  const resolvedCode = resolveCodeNames(code);
  return new Set([code, resolvedCode, ...foldConstants(resolvedCode, input)]);
}

/** Finds the commands that code runs and its calls that remove files, in all versions of the code. */
export const findInterpretedCommands: ShellTextFinder = (code, input) => [
  ...new Set([...listCodeVersions(code, input)].flatMap(findCommandsWithFolders)),
];

/** Finds commands in code. Each result starts with the directory changes that precede the command. */
function findCommandsWithFolders(code: string): string[] {
  const names = listConstants(code);
  return splitAtFolderChanges(code).flatMap(({ part, folder }) => {
    const commands = [...findCalledCommands(part), ...findDeletions(part, names)];
    return folder === "" ? commands : commands.map((text) => `${folder}\n${text}`);
  });
}

const BACKTICK_COMMAND = /(?:\bqx|%x)[ \t]*(?:\{([^{}\n]{0,999})\}|\(([^()\n]{0,999})\)|\/([^/\n]{0,999})\/)/g;

/** Call with a multi-line string argument. */
const MULTILINE_CALL =
  /\b(?:system|exec|shell_exec|passthru|popen)[\s(]{0,9}(["'])((?:(?!\1)[^\\\n]|\\[^]){0,1000}\n(?:(?!\1)[^\\]|\\[^]){0,1000})\1/g;

/** Finds commands in languages with backtick commands and multi-line strings. */
export const findCalledOrBacktickCommands: ShellTextFinder = (code, input = {}) => {
  const names: Readonly<Record<string, string>> = input.stdin === undefined ? {} : { $_: input.stdin };
  const readings = [...listCodeVersions(code, { ...input, names, keepsBackticks: true })];
  return [
    ...new Set([
      ...readings.flatMap(findCommandsWithFolders),
      ...[...code.matchAll(MULTILINE_CALL)].map(([, , text = ""]) => unescapeText(text)),
      ...readings.flatMap(findStrings).flatMap(({ text, isBare }) => (isBare ? [toShellText(text)] : [])),
      ...[...code.matchAll(BACKTICK_COMMAND)].map((match) => match.slice(1).find((text) => text !== undefined) ?? ""),
    ]),
  ];
};

/**
 * Creates a finder that returns every match of the patterns. A pattern may start with `\\[^]|` to skip escaped quotes;
 * otherwise, trying a match at each of them would take quadratic time.
 */
const createPatternFinder =
  (...expressions: readonly RegExp[]): ShellTextFinder =>
  (code) =>
    expressions.flatMap((expression) =>
      [...code.matchAll(expression)].flatMap((match) => match.slice(1).find((text) => text) ?? []),
    );

const findAwkCalls = createPatternFinder(
  /\bsystem\s*\(\s*"((?:[^"\\\n]|\\.)*)"/g,
  /\\[^]|"((?:[^"\\\n]|\\.)*)"\s*\|&?\s*getline/g,
  /\|&?\s*"((?:[^"\\\n]|\\.)*)"/g,
);
/** Assignment of an awk variable, such as `-v c=x`, in a list of options separated by newlines. */
const AWK_VARIABLE = /^(?:(?:-v|--assign=?)\n?)?([A-Za-z_]\w{0,40})=([^\n]*)$/gm;
/** Call or pipe whose command comes from a variable, or a pipe into a shell. */
const AWK_INDIRECT_CALL =
  /\bsystem\s*\(\s*[A-Za-z_]|\s\|&?\s*(?:(?!getline\b)[A-Za-z_]|"[^"\n]{0,40}\bsh\b)|[A-Za-z_]\s*\|&?\s*getline/;
/** Converts an awk string to a shell command line. */
const toAwkText = (text: string) => toShellText(unescapeText(text));
export const findAwkCommands: ShellTextFinder = (code, input = {}) => {
  const { stdin, options = [] } = input;
  const assignments = [...options.join("\n").matchAll(AWK_VARIABLE)].map(([, name, value]) => [name, value] as const);
  const names = {
    ...(stdin !== undefined && { $0: stdin }),
    ...(Object.fromEntries(assignments) as Record<string, string>),
  };
  return [
    ...(AWK_INDIRECT_CALL.test(code) ? findStrings(code).map(({ text }) => text) : findAwkCalls(code)),
    ...foldConstants(code, { ...input, names, isAwk: true }).flatMap((foldedCode) =>
      findAwkCalls(foldedCode).map(toAwkText),
    ),
  ];
};

/**
 * Finds commands in a makefile: recipes after a tab or `;`, `$(shell …)` and `x != command`. The patterns use
 * `(?<![^\n])` because `^` also matches after a lone `\r`, which doesn't end a line in make.
 */
export const findMakeCommands: ShellTextFinder = (code) =>
  createPatternFinder(
    /^\t[ \t@+-]*([^\n]*)/gm,
    /(?<![^\n])[^\t\n#=:;][^\n;=:]*:[^\n;=]*;[ \t@+-]*([^\n]*)/g,
    /\$\(shell ([^\n)]{0,999})/g,
    /(?<![^\n])[^\n=]*!=([^\n]*)/g,
  )(code).map((text) => text.replaceAll("$$", "$"));

/** Finds indented recipe lines in a justfile. */
export const findRecipeLines = createPatternFinder(/^[ \t]+[@-]*([^\n]*)/gm);

/** Task file keys whose values only describe the task. */
const DESCRIPTION_KEY = /^(?:desc|description|summary|label|name|prompt|msg|title|help|version|aliases)$/;

/** Finds commands in a YAML task file: `- rm x`, `cmd: rm x`, `cmds: [rm x]`, and lines of block scalars. */
export const findTaskCommands: ShellTextFinder = (code) => {
  const texts = code.split("\n").flatMap((row) => {
    const text = row.trim().replace(/^-\s/, "").trimStart();
    const [head = "", key = ""] = /^([\w.-]{1,60})\s{0,3}:(?:\s|$)/.exec(text) ?? [];
    if (DESCRIPTION_KEY.test(key)) return [];
    const value = text.slice(head.length).trimStart();
    const strings = /^[["'{]/.test(value) ? findStrings(value).map((string) => string.text) : [];
    if (strings.length > 0) return strings;
    return value.startsWith("[") ? value.slice(1).split(/[,\]]/) : [value];
  });
  // Parsing a script is expensive, so commands are parsed in batches. Commands without arguments are skipped because
  // most of them are harmless.
  const commands = texts.filter((text) => /\S\s+\S/.test(text));
  const count = Math.ceil(commands.length / COMMANDS_PER_SCRIPT);
  return Array.from({ length: count }, (_, at) =>
    commands.slice(at * COMMANDS_PER_SCRIPT, (at + 1) * COMMANDS_PER_SCRIPT).join("\n"),
  );
};
/** Number of commands to parse as one script. A syntax error can hide the commands after it. */
const COMMANDS_PER_SCRIPT = 16;

/**
 * Finds commands in Tcl and Expect code: `spawn rm x`, `exec {rm} x`, and text typed by one or more `send "rm x\r"`
 * calls.
 */
export const findTclCommands: ShellTextFinder = (code) => {
  const commands: string[] = [];
  let typedText = "";
  for (const [, verb = "", options = "", words = ""] of code.matchAll(
    /\b(spawn|exec|system|file[ \t]{1,9}delete|send(?:_\w+)?)((?:[ \t]+-[\w-]*)*)[ \t]+([^\n;\]]+)/g,
  )) {
    if (verb.startsWith("send")) typedText += unescapeText(words.trim().replace(/^["{]|["}]$/g, ""));
    else if (verb.startsWith("file")) commands.push(`rm ${/\s-force\b/.test(options) ? "-rf" : "-f"} -- ${words}`);
    else commands.push(words.replace(/\{([^{}]*)\}/g, (_, text) => quoteWord(text)));
  }
  return typedText === "" ? commands : [...commands, typedText];
};

/** Finds the commands in crontab lines. A command follows five time fields or a keyword such as `@daily`. */
export const findCrontabCommands = createPatternFinder(
  /^[ \t]*(?:@\w+|(?:[\d*,/A-Za-z-]+[ \t]+){4}[\d*,/A-Za-z-]+)[ \t]+([^\n]+)/gm,
);

export const findBangCommands = createPatternFinder(/(?:^|[\s:%|])![ \t]*([^\n]+)/gm);
export const findEditorCommands: ShellTextFinder = (code) => [...findBangCommands(code), ...findCalledCommands(code)];
export const findSqlCommands = createPatternFinder(
  /\\![ \t]*([^\n]+)/g,
  /^[ \t]*\.?(?:shell|system)[ \t]+([^\n]+)/gm,
  /\bprogram\s+'([^'\n]*)'/gi,
);
/** Finds commands that sed runs with `e` or `s/x/rm y/e`. */
export const findSedCommands: ShellTextFinder = (code, { stdin } = {}) => [
  ...(stdin !== undefined && SED_EXECUTE_COMMAND.test(code) ? [stdin] : []),
  ...createPatternFinder(/(?:^|[;\n{}$\d/])[ \t]*e[ \t]+([^\n]+)/g)(code),
  ...[...code.matchAll(SED_SUBSTITUTION)].flatMap(([, , replacement = "", flags = ""]) =>
    flags.includes("e") ? [replacement.replace(/\\([^])/g, "$1")] : [],
  ),
];
/** sed commands that run their input: `e` without an argument, and `s` with the `e` flag. */
const SED_EXECUTE_COMMAND =
  /(?:^|[;\n{}$\d/])[ \t]*e[ \t]*(?:$|[;\n}])|\/[gpimIMw\d]{0,5}e[gpimIMw\d]{0,5}[ \t]*(?:$|[;\n}])/;
const SED_SUBSTITUTION =
  /(?<![A-Za-z])s([/|#,@!~:%])(?:(?!\1)[^\\\n]|\\[^])*\1((?:(?!\1)[^\\\n]|\\[^])*)\1([gpimIMew\d]*)/g;
export const findDebuggerCommands: ShellTextFinder = (code) => [
  ...createPatternFinder(/^[ \t]*(?:(?:platform[ \t]{1,9})?shell|pipe|!)[ \t]*([^\n]+)/gm)(code),
  ...findCalledCommands(code),
];

/** Finds commands in Lisp calls, and calls that delete a file or directory. */
export const findLispCommands: ShellTextFinder = (code) => [
  ...findCalledCommands(code),
  ...[...code.matchAll(LISP_DELETION)].map(([, call, path = ""]) => {
    const word = path.replace(/[^\w./~-]/g, "\\$&");
    return `${call === "directory" ? "rm -rf" : "rm -f"} -- ${word}`;
  }),
];
const LISP_DELETION = /\(delete-(directory|file)\s{1,9}(?:\([\w-]{1,40}\s{1,9})?"([^"\\\n]{1,300})"/g;

/** Finds the commands that fzf runs in response to a key or event: `start:execute(rm x)`. */
export const findKeyBindingCommands = createPatternFinder(
  /\b(?:execute(?:-silent|-multi)?|become|reload(?:-sync)?|(?:change-)?preview|transform[\w-]{0,30})(?:\(([^()]{1,999})\)|\[([^[\]]{1,999})\]|\{([^{}]{1,999})\}|:([^\n]+))/g,
);

/** Finds the values in `command=rm x`, `commands=["rm x"]` and `{"commands":["rm x"]}`. */
export const findParameterCommands: ShellTextFinder = (code) => {
  const value = code.replace(/^\s*commands?=/, "");
  return /^\s*[[{"']/.test(value) ? findStrings(value).map(({ text }) => text) : [value];
};

/** Finds text typed by a keystroke tool: `type rm x`. */
export const findTypedLines = createPatternFinder(/^[ \t]*type[ \t]+([^\n]+)/gm);

/** Finds commands in xonsh code. A line or the contents of brackets may be a shell command. */
export const findXonshCommands: ShellTextFinder = (code) => [
  code,
  ...findCalledCommands(code),
  ...createPatternFinder(/[!$][[(]([^[\]()\n]*)/g)(code),
];
