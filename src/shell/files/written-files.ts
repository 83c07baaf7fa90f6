import type { Redirect } from "../command.ts";
import { filterText } from "./filters.ts";
import { createNameTable } from "../words/name-table.ts";
import { listOptionValues } from "./operands.ts";
import { MAX_LINE_LENGTH } from "../parser.ts";
import { getOptionTable } from "../programs/options.ts";
import type { Program } from "../programs/program.ts";
import { lookUpProgram } from "../programs/index.ts";
import type { NestedRun } from "../runs/nested-run.ts";
import { createInnerScope, type ShellReader, type ShellScope } from "../scope.ts";
import { wildcardPattern } from "../words/wildcard.ts";
import { getTexts, type Word } from "../words/word.ts";

/** File names that refer to stdin. */
export const STDIN_FILE = /^(?:-|\/dev\/(?:stdin|fd\/0)|\/proc\/self\/fd\/0)$/;

/**
 * Returns the key under which a file is looked up: the last segment of its path, because the command line may write a
 * file in one directory and run it from another.
 */
const getFileName = (path: string): string => path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);

/** Path that refers to a file descriptor, such as `/dev/fd/3`. Captures the number. */
const DESCRIPTOR_FILE = /^\/(?:dev|proc\/(?:self|thread-self|\d+|\$\w+|\$\$))\/fd\/(\d+)$/;

export const getDescriptorFile = (descriptor: number | string): string => `/dev/fd/${descriptor}`;

/**
 * Returns a file's contents, if known. They are known for text that the command line wrote, the output of `<(…)`, and
 * the input of a file descriptor.
 */
export function getFileText(path: string, { fileTexts }: ShellReader): string | undefined {
  if (fileTexts.size === 0) return undefined;
  const descriptor = path.startsWith("/") ? DESCRIPTOR_FILE.exec(path)?.[1] : undefined;
  if (descriptor !== undefined) return fileTexts.get(getDescriptorFile(descriptor));
  const content = fileTexts.get(path) ?? fileTexts.get(getFileName(path));
  if (content !== undefined || !/[*?[]/.test(path)) return content;
  const [name] = listWrittenFiles([path], { fileTexts });
  return name === undefined ? undefined : fileTexts.get(name);
}

/** Maximum number of files to match against a pattern. Additional files are ignored. */
const MAX_MATCHED_FILES = 32;

/** Lists the files that the command line writes and whose names match one of the patterns. */
export function listWrittenFiles(patterns: readonly string[], { fileTexts }: Pick<ShellReader, "fileTexts">): string[] {
  const tests = patterns.map((pattern) => wildcardPattern(getFileName(pattern)));
  const names = [...fileTexts.keys().take(MAX_MATCHED_FILES)];
  return names.filter((name) => !/[/(]/.test(name) && tests.some((matches) => matches(name)));
}

/** Path of a Git hook, which later git commands run. */
const GIT_HOOK = /(?:^|\/)(?:\.git\/hooks|\.husky)\/[\w-]+$/;

/**
 * Records text that the command line writes to a file. Earlier text is kept because the file might still contain it.
 */
export function recordFileText(path: string, text: string, scope: ShellScope): void {
  const { fileTexts } = scope.reader;
  const key = getFileName(path);
  const earlierText = fileTexts.get(key) ?? "";
  if (key === "" || path.startsWith("/dev/") || earlierText.length + text.length > MAX_LINE_LENGTH) return;
  if (!`\n${earlierText}`.endsWith(`\n${text}`)) fileTexts.set(key, earlierText + text);
  if (!GIT_HOOK.test(path)) return;
  const { problem } = scope.reader;
  scope.reader.readScript(text, createInnerScope(scope, { cwd: undefined }));
  scope.reader.problem = problem;
}

/** Records command output that is redirected to files. */
export function recordRedirectedOutput(redirects: readonly Redirect[], text: string, scope: ShellScope): void {
  for (const { operator, target, fd = 1 } of redirects) {
    if (!/^&?>/.test(operator) || (fd !== 1 && !operator.startsWith("&"))) continue;
    const file = operator === ">&" ? scope.reader.outputFiles.get(target) : target;
    if (file !== undefined) recordFileText(file, text, scope);
  }
}

/** Programs that copy their second-to-last operand, which may be stdin, to their last operand. */
const COPY_PROGRAM = /^(?:cp|mv|ln|link|install|ditto)$/;

/** Programs that edit their last operand in place. */
const EDIT_PROGRAM = /^g?sed$/;
const IN_PLACE_OPTION = /^(?:-i|--in-place)/;

/** Records text that a command copies to files: `tee x`, `dd of=x`, `cp /dev/stdin x`, `mv x y`. */
export function recordCopiedFiles(
  program: string,
  args: readonly Word[],
  stdin: string | undefined,
  scope: ShellScope,
): void {
  const { reader } = scope;
  if (stdin === undefined && reader.fileTexts.size === 0) return;
  const operands = args.filter(({ text }) => !text.startsWith("-") || text === "-").map(({ text }) => text);
  const getText = (path: string | undefined) =>
    path === undefined || STDIN_FILE.test(path) ? stdin : getFileText(path, reader);
  const recordCopy = (path: string | undefined, text: string | undefined) =>
    path !== undefined && text !== undefined && recordFileText(path, text, scope);
  if (program === "tee" || program === "sponge") for (const path of operands) recordCopy(path, stdin);
  else if (program === "dd") {
    const find = (name: string) => operands.find((text) => text.startsWith(name))?.slice(name.length);
    recordCopy(find("of="), getText(find("if=")));
  } else if (COPY_PROGRAM.test(program)) recordCopy(operands.at(-1), getText(operands.at(-2)));
  else if (EDIT_PROGRAM.test(program) && args.some(({ text }) => IN_PLACE_OPTION.test(text))) {
    const sourceText = getFileText(operands.at(-1) ?? "", reader);
    const scriptArguments = getTexts(args.slice(0, -1)).filter((text) => !IN_PLACE_OPTION.test(text));
    recordCopy(operands.at(-1), sourceText && filterText(program, scriptArguments, sourceText));
  }
}

/** A command that runs a script file, rewritten to read the script from stdin. */
export interface ScriptRun {
  words: readonly Word[];
  text: string;
  /** Path of the script file. */
  path: string;
}

/** Files that programs read by default. */
const DEFAULT_FILES = createNameTable<string>({
  "make gmake": "Makefile makefile GNUmakefile",
  just: "justfile Justfile .justfile",
  "task go-task": "Taskfile.yml taskfile.yml Taskfile.yaml taskfile.yaml Taskfile.dist.yml Taskfile.dist.yaml",
  rake: "Rakefile rakefile Rakefile.rb rakefile.rb",
  "invoke inv": "tasks.py",
  nox: "noxfile.py",
  gulp: "gulpfile.js gulpfile.mjs gulpfile.cjs gulpfile.ts",
  grunt: "Gruntfile.js gruntfile.js",
  lefthook: "lefthook.yml .lefthook.yml lefthook.yaml .lefthook.yaml",
});

/** Captures the interpreter named in a script's first line: python3 in `#!/usr/bin/env python3`. */
const INTERPRETER_LINE = /^#!\s*(?:\S*\/env\s+(?:-\S*\s+)*)?(?:\S*\/)?([^\s/]+)/;

const STDIN_WORD: Word = { text: "-" };

/** Returns the command that runs a script from stdin. */
function buildScriptCommand(path: string, text: string): Word[] {
  if (/\.(?:bat|cmd)$/i.test(path)) return [{ text: "cmd" }];
  return [{ text: /\.ps1$/i.test(path) ? "pwsh" : (INTERPRETER_LINE.exec(text)?.[1] ?? "sh") }, STDIN_WORD];
}

/** File extensions that Windows shells try when looking for a script. */
const SCRIPT_EXTENSIONS = ["", ".bat", ".cmd", ".ps1"];

/** Returns the script that a Windows shell runs for this path, if the command line wrote that script. */
export const findWindowsScript = (path: string, reader: ShellReader): string | undefined =>
  SCRIPT_EXTENSIONS.map((extension) => path + extension).find((name) => getFileText(name, reader) !== undefined);

/**
 * Finds out how a command runs a script that the command line wrote: `./x`, `python x.py`, or `make` with its makefile.
 */
export function findWrittenScript(
  words: readonly Word[],
  reader: ShellReader,
  stdin: string | undefined,
): ScriptRun | undefined {
  const [program, ...args] = words;
  if (!program || reader.fileTexts.size === 0) return undefined;
  const scriptText = getFileText(program.text, reader);
  if (scriptText !== undefined)
    return { words: [...buildScriptCommand(program.text, scriptText), ...args], text: scriptText, path: program.text };
  const row = lookUpProgram(getFileName(program.text));
  const { language, source, commands } = row ?? {};
  if (!row || (language?.stdin ?? source ?? commands?.stdin) === undefined) return undefined;
  return (
    findNamedScript(words, reader) ??
    findLoadedScript(row, words, reader, stdin) ??
    findDefaultScript(row, words, reader)
  );
}

/** Finds the script among a program's arguments: `x.py`, `-fx`, `--file=x`. */
function findNamedScript(words: readonly Word[], reader: ShellReader): ScriptRun | undefined {
  for (const [at, { text: word }] of words.entries()) {
    if (at === 0) continue;
    const [optionPrefix = ""] = /^(?:-\w(?=.)|--[\w-]+=)/.exec(word) ?? [];
    for (const prefix of new Set(["", optionPrefix])) {
      const path = word.slice(prefix.length);
      const text = getFileText(path, reader);
      if (text !== undefined) return { words: words.with(at, { text: `${prefix}-` }), text, path };
    }
  }
  return undefined;
}

/** Client commands that make a database client run a file: `.read x`, `\i x`, `source x`, `load("x")`. */
const LOAD_COMMAND = /(?:^|[\s;])(?:\.read|\\ir?|\\\.|source|load)[\s("']{1,4}([^\s"'();]{1,300})["');]{0,3}/;

/** Finds a database client's load command in the arguments or stdin and replaces it with the contents of the file. */
function findLoadedScript(
  { language, source }: Program,
  words: readonly Word[],
  reader: ShellReader,
  stdin = "",
): ScriptRun | undefined {
  if (!language?.hasCodeOperands && source === undefined) return undefined;
  for (const [at, code] of [stdin, ...getTexts(words.slice(1))].entries()) {
    const [loadCommand = "", path = ""] = LOAD_COMMAND.exec(code) ?? [];
    const content = path === "" ? undefined : getFileText(path, reader);
    if (content === undefined) continue;
    const text = code.replace(loadCommand, () => `\n${content}\n`);
    return at === 0 ? { words, text, path } : { words: words.with(at, { text }), text: stdin, path };
  }
  return undefined;
}

/** Finds the file that a program reads by default. */
function findDefaultScript(row: Program, [program, ...args]: readonly Word[], reader: ShellReader) {
  if (!program || listOptionValues(args, getOptionTable(row), "source").length > 0) return undefined;
  const path = DEFAULT_FILES.get(getFileName(program.text))
    ?.split(" ")
    .find((file) => reader.fileTexts.has(file));
  const text = path === undefined ? undefined : getFileText(path, reader);
  const [option = "-f"] = row.source?.split(" ") ?? [];
  return path === undefined || text === undefined
    ? undefined
    : { words: [program, { text: option }, STDIN_WORD, ...args], text, path };
}

/** Tools that run scripts defined in a JSON file, with the file's name and the key that holds the scripts. */
const SCRIPT_FILES = createNameTable<readonly [file: string, key: string]>({
  "npm pnpm yarn bun nr nir": ["package.json", "scripts"],
  composer: ["composer.json", "scripts"],
  deno: ["deno.json", "tasks"],
});

/** Lists the names of all files that programs run by default. */
export const listDefaultFiles = (): string[] => [
  ...new Set(
    [...DEFAULT_FILES.values()]
      .flatMap((names) => names.split(" "))
      .concat([...SCRIPT_FILES.values()].map(([file]) => file)),
  ),
];

/**
 * Lists the scripts in a package file that the command line wrote. A script may be a string, a list, or an object that
 * contains a command.
 */
export function findPackageScripts(program: string, args: readonly Word[], reader: ShellReader): NestedRun[] {
  const [file = "", key = ""] = SCRIPT_FILES.get(program) ?? [];
  if (args[0]?.text === "pkg" && args[1]?.text === "set" && file === "package.json")
    return args.flatMap(
      ({ text }) =>
        /^scripts\.[^=]+=([^]*)/
          .exec(text)
          ?.slice(1)
          .map((script) => ({ text: script })) ?? [],
    );
  const json = getFileText(file, reader);
  if (file === "" || json === undefined) return [];
  try {
    const { [key]: scripts = {} } = JSON.parse(json) as Record<string, Record<string, unknown>>;
    return Object.values(scripts)
      .flatMap((script) =>
        typeof script === "object" && !Array.isArray(script) ? Object.values(script ?? {}) : script,
      )
      .filter((text) => typeof text === "string")
      .map((text) => ({ text, isForeign: true }));
  } catch {
    return [];
  }
}

/**
 * Reads a script's commands while treating the contents of its own file as unknown, because a script may run itself.
 * Text that the script appends to its own file runs afterward.
 */
export function withUnknownFile<T>(path: string, scope: ShellScope, readCommands: () => T): T {
  const { fileTexts } = scope.reader;
  const key = fileTexts.has(path) ? path : getFileName(path);
  const text = fileTexts.get(key);
  fileTexts.delete(key);
  const result = readCommands();
  if (text === undefined) return result;
  const addedText = fileTexts.get(key) ?? "";
  const isNewText = addedText !== "" && !text.endsWith(addedText) && text.length + addedText.length <= MAX_LINE_LENGTH;
  fileTexts.set(key, isNewText ? text + addedText : text);
  if (isNewText) scope.reader.readScript(addedText, createInnerScope(scope));
  return result;
}
