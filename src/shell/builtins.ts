import { changeFolder } from "./files/folder-steps.ts";
import { DEFAULT_SEPARATORS, getFieldSeparators, splitFields } from "./words/field-splitting.ts";
import { createNameTable } from "./words/name-table.ts";
import { predictOutput } from "./output.ts";
import { assignVariable, getParameters, recordExit, type ShellScope, getVariableValues } from "./scope.ts";
import { trimTrailing } from "./words/text.ts";
import type { UnwrappedCommand } from "./runs/unwrap.ts";
import { getDescriptorFile, getFileText } from "./files/written-files.ts";
import { toSegments } from "./words/words.ts";
import { createPrintedWord, type Word } from "./words/word.ts";

/** Words that may precede a builtin command in any shell. */
const BUILTIN_PREFIXES = new Set([
  "builtin",
  "command",
  "and",
  "or",
  "not",
  "begin",
  "noglob",
  "nocorrect",
  "repeat",
  "always",
]);

/** Input of a builtin command. `separators` is the IFS value in `IFS=x read`. */
interface BuiltinInput {
  stdin?: string | undefined;
  separators?: string | undefined;
  /** File descriptor duplicated to stdin, as in `read x <&3`. */
  descriptor?: string | undefined;
}
type Builtin = (args: readonly Word[], scope: ShellScope, input: BuiltinInput) => void;

const BUILTINS = createNameTable<Builtin>({
  "cd pushd": (args, scope) => changeFolder(scope, args),
  popd: (_, scope) => void (scope.cwd = undefined),
  set: setParameters,
  shift: (args, scope) => void (scope.parameters = args.length === 0 ? getParameters(scope)?.slice(1) : undefined),
  unset(args, scope) {
    if (args.some(({ text }) => /^-\w*f/.test(text))) return;
    for (const { text } of args)
      if (/^\w+$/.test(text)) assignVariable(scope, text, [[]]);
      else markVariableUnknown(text, scope);
  },
  read: readVariables,
  "mapfile readarray": readArray,
  printf: assignPrintfOutput,
  "break continue": (_, scope) => recordExit(scope, scope.loopExits),
  return: (_, scope) => recordExit(scope, scope.functionExits),
  "getopts let": (args, scope) => args.forEach(({ text }) => markVariableUnknown(text, scope)),
});

/**
 * Applies a builtin's effects on later commands: a new directory, new positional parameters, and variable assignments.
 */
export function applyBuiltin(
  { words: [program, ...args], via }: UnwrappedCommand,
  scope: ShellScope,
  input: BuiltinInput,
): void {
  const builtin = program && BUILTINS.get(program.text);
  if (builtin && via.slice(scope.via.length).every((name) => BUILTIN_PREFIXES.has(name))) builtin(args, scope, input);
}

/** Marks a variable as unknown if the command line assigned it earlier. */
function markVariableUnknown(text: string, scope: ShellScope): void {
  const name = /^[A-Za-z_]\w*/.exec(text)?.[0] ?? "";
  if (getVariableValues(scope, name) !== undefined) assignVariable(scope, name, undefined);
}

/** Options of `read` and `mapfile` that take a value. */
const READ_VALUE_OPTION = /^-\w*[adinNptu]$/;
const DESCRIPTOR_OPTION = /^-\w*u(\d*)$/;
const MAPFILE_VALUE_OPTION = /^-\w*[dnOsuCc]$/;

const listNames = (args: readonly Word[], takesValue: RegExp): string[] =>
  args
    .filter(({ text }, at) => /^[A-Za-z_]\w*$/.test(text) && !takesValue.test(args[at - 1]?.text ?? ""))
    .map(({ text }) => text);

/** Returns an option's value, such as `x` in `-a x`. */
const getOptionValue = (args: readonly Word[], option: RegExp): string | undefined =>
  args.find((_, at) => option.test(args[at - 1]?.text ?? ""))?.text;

/** Returns the builtin's input and a function that saves the unread input for later commands. */
function openInput(args: readonly Word[], scope: ShellScope, { stdin, descriptor }: BuiltinInput) {
  const { fileTexts } = scope.reader;
  const at = args.findIndex(({ text }) => DESCRIPTOR_OPTION.test(text));
  const inputDescriptor = DESCRIPTOR_OPTION.exec(args[at]?.text ?? "")?.[1] || args[at + 1]?.text;
  const file = at >= 0 || descriptor ? getDescriptorFile((at >= 0 ? inputDescriptor : descriptor) ?? "") : undefined;
  const text = file === undefined ? stdin : getFileText(file, scope.reader);
  const saveUnreadInput = (unreadText: string) => {
    if (file !== undefined) fileTexts.set(file, unreadText);
    else if (scope.stdin === stdin) scope.stdin = unreadText;
  };
  return { text, leave: saveUnreadInput };
}

/** Reads the first input line and assigns its fields to variables, as `read x y` does. */
function readVariables(args: readonly Word[], scope: ShellScope, input: BuiltinInput): void {
  const names = listNames(args, READ_VALUE_OPTION);
  const array = getOptionValue(args, /^-\w*a$/);
  const { text, leave } = openInput(args, scope, input);
  // At the end of the input, keep the variables' values: the parser may read a loop once more than the shell runs it.
  if (text === "") return;
  if (text === undefined) {
    for (const name of [...names, ...(array === undefined ? [] : [array])]) markVariableUnknown(name, scope);
    return;
  }
  const end = getOptionValue(args, /^-\w*d$/) === "" ? text.indexOf("\0") : text.search(/[\n\0]|$/);
  const line = text.slice(0, end < 0 ? undefined : end);
  leave(text.slice(line.length + 1));
  const separators = input.separators ?? getFieldSeparators(scope) ?? DEFAULT_SEPARATORS;
  const fields = separators === "" ? [trimTrailing(line, "\n")] : splitFields(line.trim(), separators);
  const values = fields.filter((_, at) => at % 2 === 0).map((text) => toSegments(createPrintedWord(text)));
  if (array !== undefined) return assignVariable(scope, array, values);
  if (names.length === 0) names.push("REPLY");
  for (const [at, name] of names.entries())
    assignVariable(scope, name, [
      at < names.length - 1 ? (values[at] ?? []) : toSegments(createPrintedWord(fields.slice(2 * at).join(""))),
    ]);
}

/** Reads each input line into an array item, as `mapfile x` does. */
function readArray(args: readonly Word[], scope: ShellScope, input: BuiltinInput): void {
  const name = listNames(args, MAPFILE_VALUE_OPTION).at(-1) ?? "MAPFILE";
  const { text, leave } = openInput(args, scope, input);
  if (text === undefined) return markVariableUnknown(name, scope);
  leave("");
  const lines = text.split(/[\n\0]/).filter((line) => line !== "");
  assignVariable(
    scope,
    name,
    lines.map((line) => toSegments(createPrintedWord(line))),
  );
}

/** Assigns the output of `printf -v x FORMAT` to x. */
function assignPrintfOutput(args: readonly Word[], scope: ShellScope): void {
  const [option, name, ...formatArguments] = args;
  if (option?.text !== "-v" || !name) return;
  const output = predictOutput("printf", formatArguments, undefined, scope);
  if (output === undefined) return markVariableUnknown(name.text, scope);
  assignVariable(scope, name.text, [toSegments(createPrintedWord(output))]);
}

function setParameters(args: readonly Word[], scope: ShellScope): void {
  const dashes = args.findIndex(({ text }) => text === "--");
  const firstIndex = dashes >= 0 ? dashes + 1 : args.findIndex(({ text }) => !/^[-+]/.test(text));
  if (dashes >= 0 || firstIndex >= 0) scope.parameters = args.slice(firstIndex).map(toSegments);
}
