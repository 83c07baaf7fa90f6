import { extractShellText } from "./shell-text.ts";
import { isObject, parseJsonText } from "./object.ts";

// Finds the fields of a tool's input that contain a shell command, regardless of the tool's name. The field names come
// from the public schemas of tools that run commands: `command` (Desktop Commander's start_process, iterm-mcp's
// write_to_terminal, ssh-mcp's exec, Windows-MCP's PowerShell, shell-command-mcp's execute-command with `options.cwd`),
// `command` as a list of words and `stdin` (mcp-shell-server's shell_execute, kubernetes-mcp-server's pods_exec),
// `command_line` and `argv` (mcp-server-commands), `cli_command` (AWS's call_aws), `commands` (tmux-mcp-server's
// send_commands), `input` (Desktop Commander's interact_with_process), `data` (mcp2term's send_stdin); `data`, `text`,
// `literal`, `hex` and `keys` of a tool called `process` [shipped 2026.9.6]. The fields can be nested: tools that
// forward a call put them under `arguments` or `params`.

type InputFields = Readonly<Record<string, unknown>>;

/** Fields with one shell command, or with a program and its arguments. */
const LINE_FIELDS = [
  "command",
  "cmd",
  "script",
  "shell_command",
  "shellCommand",
  "command_line",
  "commandLine",
  "cmdline",
  "cmd_line",
  "cli_command",
  "bash",
  "bash_command",
  "shell_script",
  "argv",
];
/** Fields with several shell commands. */
const LINE_LIST_FIELDS = ["commands", "cmds"];
/** Fields with a program name. Combined with the argument fields, they form a command. */
const PROGRAM_FIELDS = ["program", "executable", "exe", "binary"];
/** Additional program fields of tools that run commands. */
const RUN_FILE_FIELDS = ["file", "path"];
const ARGUMENT_FIELDS = ["args", "arguments", "params", "argv"];
/** Fields that contain code. It's shell code if the tool runs code and a language field names a shell. */
const CODE_FIELDS = ["code", "source_code", "script_content", "code_snippet"];
const LANGUAGE_FIELDS = ["language", "lang", "runtime", "interpreter", "shell", "kernel"];
/** Fields with text that is typed into a running process, in sending order. */
const TYPED_FIELDS = ["input", "text", "chars", "data", "stdin", "literal", "hex", "keys"];

export const FOLDER_FIELDS = [
  "cwd",
  "workdir",
  "working_directory",
  "workingDirectory",
  "workingDir",
  "dir_path",
  "directory",
];
export const PATH_FIELDS = [
  "file_path",
  "filePath",
  "path",
  "absolute_path",
  "target_file",
  "targetFile",
  "file",
  "filename",
];
/** Commands of file editors. */
const EDITOR_COMMANDS = [
  "view",
  "create",
  "str_replace",
  "insert",
  "undo_edit",
  "read",
  "write",
  "append",
  "edit",
  "delete",
  "rename",
  "move",
];

export const isNonEmptyString = (value: unknown): value is string => typeof value === "string" && value.trim() !== "";
const isWordList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string");
/** Returns whether a value is a shell command, or a program and its arguments. */
export const isCommandLine = (value: unknown): boolean => isNonEmptyString(value) || isWordList(value);

const quoteWord = (word: string) =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
/** Formats a program and its arguments as a shell command. */
const formatCommandLine = (value: unknown): string =>
  isWordList(value) ? value.map(quoteWord).join(" ") : String(value);
/**
 * Repeats a command for the session's directory and for each given directory, because the command could run in any of
 * them.
 */
export const repeatInFolders = (line: string, folders: readonly string[]): string =>
  [line, ...[...new Set(folders)].flatMap((folder) => [`cd ${quoteWord(folder)}`, line])].join("\n");
const findArgumentFields = (input: InputFields) => ARGUMENT_FIELDS.filter((key) => isCommandLine(input[key]));
/** Splits a tool's name into words: `mcp__shell__runCommand` becomes "_mcp_shell_run_command_". */
const normalizeToolName = (name: string) =>
  `_${name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toLowerCase()}_`;

// The regular expressions are inside functions, because most calls don't need them.

/** Returns whether a tool's name suggests that it runs commands or code. */
const isCodeTool = (words: string) =>
  /_(?:sh|bash|zsh|shell|terminal|console|tmux|ssh|exec(?:ute)?|run|eval|interpreter|sandbox|powershell|pwsh|cmd|commands?|process|cli|script)_/.test(
    words,
  );
/** Returns whether a tool's name suggests that it passes its input to a shell. */
const isShellTool = (words: string) => /_(?:sh|bash|zsh|shell|terminal|iterm|tmux|ssh|powershell|pwsh)_/.test(words);
/** Returns whether a tool's name suggests that it types into a process. */
const isTypingTool = (words: string) =>
  /_stdin_|_send_(?:keys|input|commands?)_|_(?:write|send|type|paste|interact)_(?:to_|in_|into_|with_)?(?:process|terminal|shell|pty|session|console|pane)_|_(?:process|terminal|shell|pty|session|console)_(?:input|write|send|type|paste)_|^_process_$/.test(
    words,
  );
const isShellName = (value: unknown) => /^(?:(?:ba|z|da|k)?sh|shell|shellscript|powershell|pwsh)$/i.test(String(value));

/** Returns the fields that contain a program, provided that another field contains arguments. */
function findProgramFields(input: InputFields, words: string): string[] {
  if (findArgumentFields(input).length === 0) return [];
  const fields = isCodeTool(words) ? [...PROGRAM_FIELDS, ...RUN_FILE_FIELDS] : PROGRAM_FIELDS;
  return fields.filter((key) => isNonEmptyString(input[key]));
}

/** Returns the fields of an object that contain shell input. If there are several, the tool could run any of them. */
function findCommandFields(input: InputFields, words: string): string[] {
  const lines = LINE_FIELDS.filter((key) => isCommandLine(input[key]));
  const isEditor =
    lines.length === 1 &&
    EDITOR_COMMANDS.includes(String(input[lines[0] as string])) &&
    PATH_FIELDS.some((key) => isNonEmptyString(input[key]));
  if (isEditor) return [];
  const isOfShell = () => isCodeTool(words) && LANGUAGE_FIELDS.some((key) => isShellName(input[key]));
  return [
    ...lines,
    ...LINE_LIST_FIELDS.filter((key) => isCommandLine(input[key])),
    ...findProgramFields(input, words),
    ...CODE_FIELDS.filter((key) => isNonEmptyString(input[key]) && isOfShell()),
  ];
}

/** Returns the fields of an object that contain text typed into a running process. */
const findTypedFields = (input: InputFields, words: string) =>
  isTypingTool(words) ? TYPED_FIELDS.filter((key) => isCommandLine(input[key])) : [];

/** Returns whether a call types into a running process. */
export const typesIntoProcess = (tool_name: string, input: InputFields): boolean =>
  findTypedFields(input, normalizeToolName(tool_name)).length > 0;

/** Decodes a key name into the characters that terminals receive. */
function decodeKey(key: string): string {
  if (/^<?(?:enter|return|cr|c-m)>?$/i.test(key)) return "\n";
  if (/^space$/i.test(key)) return " ";
  const isKey =
    /^(?:<[^<>]{1,20}>|[CMS]-.|escape|esc|tab|btab|up|down|left|right|home|end|(?:page|p)[-_]?(?:up|down|gup|gdn)|delete|dc|bspace|backspace|f\d{1,2}|ctrl-.)$/i;
  return isKey.test(key) ? "" : key;
}

const decodeHexCharacter = (hex: string) => String.fromCharCode(Number.parseInt(hex.replace(/^(?:0x|\\x)/i, ""), 16));

/** Returns the typed text as a shell would read it. */
function readTypedText(key: string, value: unknown): string {
  const keys = isWordList(value) ? value : [String(value)];
  return (key === "hex" ? keys.map(decodeHexCharacter) : isWordList(value) ? keys.map(decodeKey) : keys)
    .join("")
    .replace(/\r\n?/g, "\n");
}

/** Returns the strings that could be typed. The tool could use any single field, or all of them in sequence. */
function readTypedLines(input: InputFields, fields: readonly string[]): string[] {
  const texts = fields.map((key) => readTypedText(key, input[key]));
  return texts.length > 1 ? [...texts, texts.join("")] : texts;
}

const listArguments = (field: string, input: InputFields) =>
  findArgumentFields(input).flatMap((name) => (name === field ? [] : [formatCommandLine(input[name])]));

/** Parses a JSON string that encodes a list of words or commands, since a shell would read the string as one word. */
function parseListText(value: unknown): unknown {
  const list = parseJsonText(value);
  return isWordList(list) ? list : value;
}

/** Returns the shell commands of one field. */
function readFieldLines(key: string, input: InputFields): string[] {
  const value = parseListText(input[key]);
  if (LINE_LIST_FIELDS.includes(key) && isWordList(value)) return value;
  const line = formatCommandLine(value);
  if (CODE_FIELDS.includes(key)) return [line];
  const fullCommand = [line, ...listArguments(key, input)].join(" ");
  // If the command has several words, the tool might run it without the arguments, so include both forms.
  const lines = fullCommand === line || !/\s/.test(line) ? [fullCommand] : [line, fullCommand];
  return isNonEmptyString(input.stdin)
    ? lines.map((command) => `${command} <<< ${quoteWord(input.stdin as string)}`)
    : lines;
}

/**
 * Returns the shell commands in an object, grouped by field. The field name "" stands for text typed into a process.
 */
function readCommandLines(input: InputFields, words: string): [field: string, lines: readonly string[]][] {
  const typedFields = findTypedFields(input, words);
  const commandFields = findCommandFields(input, words).map((key): [string, readonly string[]] => [
    key,
    readFieldLines(key, input),
  ]);
  return typedFields.length > 0 ? [...commandFields, ["", readTypedLines(input, typedFields)]] : commandFields;
}

/** The shell input found in a call. */
interface ShellInput {
  command: string;
  cwd?: string;
  /** Field that contains the whole input as one string. Without such a field, the input can't be rewritten. */
  field?: string;
}

/** The field of an input that was a bare string or list of words before it was wrapped in an object. */
const WHOLE_INPUT = "value";
const isWholeCommand = (input: InputFields, words: string): boolean =>
  isCommandLine(input[WHOLE_INPUT]) && Object.keys(input).length === 1 && isCodeTool(words);

/** Limits of the search: nesting depth and number of objects. */
const MAX_DEPTH = 3;
const MAX_OBJECTS = 20_000;
/** Maximum length of a path, in characters. */
const LONGEST_PATH = 4096;

/**
 * Finds shell input in the fields of a tool's input.
 * @param options `strict` is for the host's own tools. For an MCP server's tool, values that are clearly not shell
 * commands are skipped: a single word (`"command": "export"`) if the tool's name doesn't suggest commands, and code in
 * another language.
 */
export function findShellInput(tool_name: string, input: InputFields, { strict = false } = {}): ShellInput | undefined {
  const words = normalizeToolName(tool_name);
  const isCertain = (key: string, depth: number) =>
    key !== "" && (strict ? depth === 0 : isShellTool(words) && key !== "script");
  const filterShellText = (line: string) =>
    isCodeTool(words) || !/^\s*[\w.:-]+\s*$/.test(line) ? extractShellText(line) : "";
  const lines: string[] = [];
  const fields: string[] = [];
  const folders = new Set<string>();
  let visitedObjects = 0;
  const collectLines = (value: InputFields, depth: number): void => {
    if (++visitedObjects > MAX_OBJECTS) return;
    for (const key of FOLDER_FIELDS)
      if (isNonEmptyString(value[key]) && value[key].length <= LONGEST_PATH) folders.add(value[key]);
    for (const [key, found] of readCommandLines(value, words)) {
      for (const entry of found) {
        const line = isCertain(key, depth) ? entry : filterShellText(entry);
        if (line !== "") lines.push(line);
      }
      fields.push(depth === 0 && found.length === 1 && found[0] === value[key] && lines.at(-1) === found[0] ? key : "");
    }
    if (depth === MAX_DEPTH) return;
    for (const nested of Object.values(value))
      for (const item of Array.isArray(nested) ? nested : [nested]) if (isObject(item)) collectLines(item, depth + 1);
  };
  const isSingleCommand = isWholeCommand(input, words);
  collectLines(isSingleCommand ? { command: input[WHOLE_INPUT] } : input, 0);
  if (lines.length === 0) return undefined;
  const [field] = fields.length === 1 && !isSingleCommand ? fields : [];
  const [cwd, ...more] = folders;
  // The tool could use any of the directories, so repeat the commands for each one.
  const repeatedLines =
    more.length === 0 ? lines : [...folders].flatMap((folder) => [`cd ${quoteWord(folder)}`, ...lines]);
  return {
    command: repeatedLines.join("\n"),
    ...(cwd !== undefined && more.length === 0 && { cwd }),
    ...(field && { field }),
  };
}
