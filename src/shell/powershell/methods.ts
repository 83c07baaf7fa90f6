import { createInnerScope, type ShellScope } from "../scope.ts";
import { splitArguments } from "../files/windows-arguments.ts";
import type { Word } from "../words/word.ts";
import { parsePowerShell } from "./parser.ts";
import { emitProgramCall } from "./programs.ts";
import { assignEnvironment, emitEquivalent, getLineState } from "./state.ts";
import { callTextMethod } from "./operators.ts";
import {
  createDynamicText,
  createText,
  createUnknownValue,
  getKnownText,
  isKnown,
  joinText,
  joinTexts,
  type Text,
  type Value,
} from "./text-values.ts";
import { getEnvironmentText } from "./variables.ts";
import { createWord, createWords, toLiteralPathWord, toPlainWord, toProgramWord } from "./words.ts";

/** Prefix that marks the value of a WMI object as a class name instead of a file. */
export const WMI_PREFIX = "wmi:";

/** Scope in which a method is called, and the method name to show in the resulting commands. */
export interface MethodContext {
  scope: ShellScope;
  name: string;
}

function emitCommandWords(
  { scope, name }: MethodContext,
  commandWords: readonly (string | Word)[],
  stdin?: string,
): void {
  const words = createWords(commandWords);
  emitEquivalent(words, { originalWords: [createWord(name), ...words.slice(1)], redirects: [], scope, stdin });
}

const toWords = (value: Value): Word[] => (value ?? [createUnknownValue("path")]).map(toLiteralPathWord);

/**
 * File methods by type, with the equivalent program. The type is empty for object methods. In the program's words, a
 * number stands for the argument at that index, `this` for the object, and `<1` for an argument passed on stdin.
 */
const FILE_CALLS: readonly (readonly [type: string, methods: string, words: string])[] = [
  ["io.file", "delete", "rm 0"],
  ["io.file", "readalltext readalllines readallbytes readlines opentext openread", "cat 0"],
  ["io.file", "writealltext writealllines writeallbytes create createtext openwrite open", "tee 0 <1"],
  ["io.file", "appendalltext appendalllines appendtext", "tee -a 0 <1"],
  ["io.file", "copy", "cp 0 1"],
  ["io.file", "move replace", "mv 0 1"],
  ["io.file", "createsymboliclink", "ln -s 1 0"],
  ["io.streamreader", "new", "cat 0"],
  ["io.streamwriter", "new", "tee 0"],
  ["io.filestream", "new", "tee 0"],
  ["io.directory", "delete", "rm -r 0"],
  ["io.directory", "move", "mv 0 1"],
  ["visualbasic.fileio.filesystem", "deletefile", "rm 0"],
  ["visualbasic.fileio.filesystem", "deletedirectory", "rm -r 0"],
  ["", "moveto", "mv this 0"],
  ["", "copyto", "cp this 0"],
  ["", "deletefile deletefolder", "rm -r 0"],
  ["", "movefile movefolder", "mv 0 1"],
  ["", "copyfile copyfolder", "cp 0 1"],
  ["", "opentextfile", "cat 0"],
  ["", "createtextfile", "tee 0"],
  ["", "uploadfile", "curl -T -1 0"],
  ["", "downloadfile", "curl -o 1 0"],
  ["", "downloadstring downloaddata", "curl 0"],
];
/** A call to a static method or an object's method. */
interface MethodCall {
  /** Lookup key of the type. Empty for an object's method. */
  type: string;
  name: string;
  object?: Value;
  args: readonly Value[];
}

/** Adds the equivalent of a file method. Returns false for other methods. */
function emitFileCall({ type, name, object, args }: MethodCall, context: MethodContext): boolean {
  const isType = (of: string) => of === type || of === `io.${type}`;
  const row = FILE_CALLS.find(([of, methods]) => isType(of) && methods.split(" ").includes(name));
  const words = row?.[2].split(" ") ?? [];
  const input = words.at(-1)?.startsWith("<") ? args[Number(words.pop()?.slice(1))] : undefined;
  const commandWords = words.flatMap((word): readonly (string | Word)[] =>
    word === "this" ? toWords(object) : /^-?\d$/.test(word) ? toWords(args.at(Number(word))) : [word],
  );
  if (row) emitCommandWords(context, commandWords, input?.map(joinText).join("\n"));
  return row !== undefined;
}

/** Returns the value of `[T]::new(…)` or `New-Object T …`. The value of a file object is the file's path. */
export function constructObject(type: string, args: readonly Value[], context: MethodContext): Value {
  // Creating a `ProcessStartInfo` is treated as starting the program.
  if (toTypeKey(type) === "diagnostics.processstartinfo" && args.length > 0)
    return startProgram(args.length === 1 ? (args[0] ?? []).map((text) => [text]) : args, context, undefined);
  const opensFile = emitFileCall({ type: toTypeKey(type), name: "new", args }, context);
  return opensFile || /^(?:io\.)?(?:file|directory)info$/.test(toTypeKey(type)) ? args[0] : undefined;
}

const toTypeKey = (type: string) => type.toLowerCase().replace(/^(?:system|microsoft)\./, "");

const SPECIAL_FOLDERS: Readonly<Record<string, string>> = {
  userprofile: "",
  desktop: "/Desktop",
  mydocuments: "/Documents",
  personal: "/Documents",
  applicationdata: "/AppData/Roaming",
  localapplicationdata: "/AppData/Local",
};

/**
 * Records a method's effects as equivalent commands, and returns the method's result. `firstText` is the first
 * argument, if it's fully known.
 */
type Method = (args: readonly Value[], context: MethodContext, firstText: string | undefined) => Value;

const listTexts = (args: readonly Value[], name: string): Text[] =>
  args.flatMap((value) => value ?? [createUnknownValue(name)]);
const joinPath: Method = (args) => [joinTexts(listTexts(args, "path"), "/")];
const listFolder: Method = ([folder, pattern]) =>
  folder?.map((text): Text => [...text, { text: `/${getKnownText(pattern?.[0]) ?? "*"}`, isDynamic: false }]);
const startProgram: Method = ([program = [], line = []], { scope }) => {
  const words = [...program, ...splitArguments(joinTexts(line, " "))].map(toProgramWord);
  return void emitProgramCall(words, { words }, createInnerScope(scope));
};
const print: Method = (args, context) =>
  void emitCommandWords(context, ["echo", ...args.flatMap((value) => value ?? []).map(toPlainWord)]);
const runAsPowerShell: Method = ([text], { scope }) =>
  void (text?.[0] && scope.reader.readForeign("powershell", joinText(text[0]), scope));
const runAsCmdCommand: Method = ([text], { scope }) =>
  void (text?.[0] && scope.reader.readForeign("cmd", joinText(text[0]), createInnerScope(scope)));

const STATIC_METHODS = new Map<string, Method>(
  Object.entries({
    "io.path combine": joinPath,
    "io.path join": joinPath,
    "io.path directoryseparatorchar": () => [createText("\\")],
    "io.path gettemppath": () => [createDynamicText("$TEMP")],
    "io.path getfullpath": ([path]) => path,
    "io.directory list": listFolder,
    "environment getenvironmentvariable": (_, { scope }, variableName) =>
      variableName === undefined ? undefined : [getEnvironmentText(variableName, scope)],
    "environment getenvironmentvariables": (_, context) => void emitCommandWords(context, ["printenv"]),
    "environment setenvironmentvariable": ([, value], { scope }, variableName) => {
      if (variableName !== undefined) assignEnvironment(variableName, value?.[0] ?? [], scope);
      return [];
    },
    "environment expandenvironmentvariables": ([text], { scope }, template) =>
      template === undefined
        ? text
        : [
            template
              .split("%")
              .flatMap((piece, at) => (at % 2 === 0 ? createText(piece) : getEnvironmentText(piece, scope))),
          ],
    "environment getfolderpath": (_, __, folderName = "") => {
      const folder = SPECIAL_FOLDERS[folderName.toLowerCase()];
      return folder === undefined ? undefined : [[...createDynamicText("$HOME"), ...createText(folder)]];
    },
    // If the argument is a variable, the encoded result still reveals the variable's value.
    "convert tobase64string": ([bytes]) =>
      bytes?.every(isKnown)
        ? bytes.map((text) => createText(Buffer.from(joinText(text), "latin1").toString("base64")))
        : bytes,
    "uri escapedatastring": ([text]) => (text?.every(isKnown) ? undefined : text),
    "convert frombase64string": (_, __, encodedText) =>
      encodedText === undefined ? undefined : [createText(Buffer.from(encodedText, "base64").toString("latin1"))],
    "scriptblock create": runAsPowerShell,
    "diagnostics.process start": startProgram,
    "string join": ([separator, ...items]) =>
      separator && items[0] && [joinTexts(listTexts(items, "text"), joinText(separator[0] ?? []))],
    "string concat": (args) => [listTexts(args, "text").flat()],
  }),
);

const OBJECT_METHODS = new Map<string, Method>(
  Object.entries({
    write: print,
    writeline: print,
    expandstring: ([text], { scope }) => {
      const quotedText = `"${joinText(text?.[0] ?? []).replaceAll('"', '`"')}"`;
      return getLineState(scope).readScript(parsePowerShell(quotedText).script, scope, false);
    },
    invokescript: runAsPowerShell,
    addscript: runAsPowerShell,
    newscriptblock: runAsPowerShell,
    run: runAsCmdCommand,
    exec: runAsCmdCommand,
    shellexecute: startProgram,
  }),
);

/** Adds the effects of a static method such as `[IO.File]::Delete('x')` and returns its result. */
export function callStaticMethod(type: string, name: string, args: readonly Value[], context: MethodContext): Value {
  const key = toTypeKey(type);
  if (name === "new") return constructObject(type, args, context);
  if (key === "" || emitFileCall({ type: key, name, args }, context)) return undefined;
  const method = `${key} ${name.replace(/^(?:get|enumerate)(?:files|directories|filesystementries)$/, "list")}`;
  const firstText = getKnownText(args[0]?.[0]);
  return (STATIC_METHODS.get(method) ?? OBJECT_METHODS.get(name))?.(args, context, firstText);
}

/** Adds the effects of an object's method (file changes and commands) and returns its result. */
export function callInstanceMethod(name: string, value: Value, args: readonly Value[], context: MethodContext): Value {
  if (name === "delete") {
    const wmiClasses = value?.map(joinText).filter((text) => text.startsWith(WMI_PREFIX)) ?? [];
    const names = wmiClasses.map((text) => text.slice(WMI_PREFIX.length));
    emitCommandWords(context, names.length > 0 ? ["wmic", ...names, "delete"] : ["rm", "-r", ...toWords(value)]);
    return undefined;
  }
  if (emitFileCall({ type: "", name, object: value, args }, context)) return undefined;
  const method = OBJECT_METHODS.get(name);
  return method ? method(args, context, undefined) : callTextMethod(name, value, args);
}
