import { splitArguments } from "../windows-arguments.ts";
import type { Word } from "../word.ts";
import { callTextMethod, decodeBase64, encodeBase64 } from "./operators.ts";
import {
  createLiveText,
  createText,
  createUnknown,
  getKnownText,
  isKnown,
  joinText,
  joinTexts,
  type Text,
  toPathWord,
  toPlainWord,
  toProgramWord,
  type Value,
  WMI_PREFIX,
} from "./values.ts";

/** What a method may add to the result. */
export interface MethodContext {
  emit: (words: readonly Word[], stdin?: string) => void;
  runWords: (words: readonly Word[]) => void;
  runText: (text: string) => void;
  runCmd: (text: string) => void;
  getVariable: (name: string) => Text;
  /** Expands a text as double quotes do. */
  expand: (text: string) => Text;
  assign: (name: string, value: Text) => void;
}

const createWord = (text: string): Word => ({ text });
const toWords = (value: Value): Word[] => (value ?? [createUnknown("path")]).map((text) => toPathWord(text, true));

/**
 * Methods that work on files, by type (none: those of objects), as the program that does the same: a number is an
 * argument, `this` the object, and `<1` the argument that it reads from stdin.
 */
const FILE_CALLS: readonly (readonly [type: string, methods: string, words: string])[] = [
  ["io.file", "delete", "rm 0"],
  ["io.file", "readalltext readalllines readallbytes readlines opentext openread", "cat 0"],
  ["io.file", "writealltext writealllines writeallbytes create createtext openwrite open", "tee 0 <1"],
  ["io.file", "appendalltext appendalllines appendtext", "tee -a 0 <1"],
  ["io.file", "copy", "cp 0 1"],
  ["io.file", "move replace", "mv 0 1"],
  ["io.file", "createsymboliclink", "ln -s 1 0"],
  ["io.directory", "delete", "rm -r 0"],
  ["io.directory", "move", "mv 0 1"],
  ["io.directory", "createdirectory", "mkdir 0"],
  ["io.directory", "setcurrentdirectory", "true 0"],
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
/** Types whose objects open the file that they are made with, or stand for it. */
const FILE_TYPES: Readonly<Record<string, string>> = {
  "io.streamreader": "cat",
  "io.streamwriter": "tee",
  "io.filestream": "tee",
  "io.fileinfo": "",
  "io.directoryinfo": "",
};

/** Adds what such a method does; false for any other. */
function emitFileCall(type: string, name: string, object: Value, args: readonly Value[], context: MethodContext) {
  const isType = (of: string) => of === type || of === `io.${type}`;
  const row = FILE_CALLS.find(([of, methods]) => isType(of) && methods.split(" ").includes(name));
  const words = row?.[2].split(" ") ?? [];
  const input = words.at(-1)?.startsWith("<") ? args[Number(words.pop()?.slice(1))] : undefined;
  const given = words.flatMap((word) =>
    word === "this" ? toWords(object) : /^-?\d$/.test(word) ? toWords(args.at(Number(word))) : createWord(word),
  );
  if (row) context.emit(given, input?.map(joinText).join("\n"));
  return row !== undefined;
}

/** What `[T]::new(…)` and `New-Object T …` give: of a file, its path. */
export function constructObject(type: string, args: readonly Value[], context: MethodContext): Value {
  // What is to be started is taken for started.
  if (toTypeKey(type) === "diagnostics.processstartinfo" && args.length > 0)
    return startProgram(args.length === 1 ? (args[0] ?? []).map((text) => [text]) : args, context, undefined);
  const program = FILE_TYPES[toTypeKey(type)] ?? FILE_TYPES[`io.${toTypeKey(type)}`];
  if (program === undefined) return undefined;
  if (program !== "") context.emit([createWord(program), ...toWords(args[0])]);
  return args[0];
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

/** What a method gives, with what it does; `known` is its first argument, if all of that is known. */
type Method = (args: readonly Value[], context: MethodContext, known: string | undefined) => Value;

const listTexts = (args: readonly Value[], name: string): Text[] =>
  args.flatMap((value) => value ?? [createUnknown(name)]);
const joinPath: Method = (args) => [joinTexts(listTexts(args, "path"), "/")];
const listFolder: Method = ([folder, pattern]) =>
  folder?.map((text): Text => [...text, { text: `/${getKnownText(pattern?.[0]) ?? "*"}`, live: false }]);
const startProgram: Method = ([program, line], { runWords }) =>
  void runWords([
    ...(program ?? []).map(toProgramWord),
    ...splitArguments(joinTexts(line ?? [], " ")).map(toProgramWord),
  ]);
const print: Method = (args, { emit }) => {
  emit([createWord("echo"), ...args.flatMap((value) => value ?? []).map(toPlainWord)]);
  return [];
};
const runText: Method = ([text], context) => void (text?.[0] && context.runText(joinText(text[0])));
const runCmd: Method = ([text], context) => void (text?.[0] && context.runCmd(joinText(text[0])));

const STATIC_METHODS: Readonly<Record<string, Method>> = {
  "io.path combine": joinPath,
  "io.path join": joinPath,
  "io.path directoryseparatorchar": () => [createText("\\")],
  "io.path gettemppath": () => [createLiveText("$TEMP")],
  "io.path getfullpath": ([path]) => path,
  "io.directory getfiles": listFolder,
  "io.directory getdirectories": listFolder,
  "io.directory getfilesystementries": listFolder,
  "io.directory enumeratefiles": listFolder,
  "io.directory enumeratedirectories": listFolder,
  "io.directory enumeratefilesystementries": listFolder,
  "environment getenvironmentvariable": (_, { getVariable }, known) =>
    known === undefined ? undefined : [getVariable(known)],
  "environment getenvironmentvariables": (_, { emit }) => void emit([createWord("printenv")]),
  "environment setenvironmentvariable": ([, value], { assign }, known) => {
    if (known !== undefined) assign(known, value?.[0] ?? []);
    return [];
  },
  "environment expandenvironmentvariables": ([text], { getVariable }, known) =>
    known === undefined
      ? text
      : [known.split("%").flatMap((piece, at): Text => (at % 2 === 0 ? createText(piece) : getVariable(piece)))],
  "environment getfolderpath": (_, __, known = "") => {
    const folder = SPECIAL_FOLDERS[known.toLowerCase()];
    return folder === undefined ? undefined : [[...createLiveText("$HOME"), ...createText(folder)]];
  },
  // Of a variable, it shows what that holds.
  "convert tobase64string": ([bytes]) =>
    bytes?.every(isKnown) ? bytes.map((text) => createText(encodeBase64(joinText(text)))) : bytes,
  "uri escapedatastring": ([text]) => (text?.every(isKnown) ? undefined : text),
  "convert frombase64string": (_, __, known) => {
    const bytes = known === undefined ? undefined : decodeBase64(known);
    return bytes === undefined ? undefined : [createText(bytes)];
  },
  "scriptblock create": runText,
  "diagnostics.process start": startProgram,
  "console write": print,
  "console writeline": print,
  "console.out writeline": print,
  "string join": ([between, ...items]) =>
    between && items[0] && [joinTexts(listTexts(items, "text"), joinText(between[0] ?? []))],
  "string concat": (args) => [listTexts(args, "text").flat()],
};

const OBJECT_METHODS: Readonly<Record<string, Method>> = {
  write: (args, context) => void print(args, context, undefined),
  writeline: (args, context) => void print(args, context, undefined),
  expandstring: ([text], { expand }) => text?.[0] && [expand(joinText(text[0]))],
  invokescript: runText,
  addscript: runText,
  newscriptblock: runText,
  run: runCmd,
  exec: runCmd,
  shellexecute: startProgram,
};

/** What a static method gives, `[IO.File]::Delete('x')`; what it does is added to the result. */
export function callStaticMethod(type: string, name: string, args: readonly Value[], context: MethodContext): Value {
  const key = toTypeKey(type);
  if (name === "new") return constructObject(type, args, context);
  if (key === "" || emitFileCall(key, name, undefined, args, context)) return undefined;
  const method = `${key} ${name}`;
  const known = getKnownText(args[0]?.[0]);
  return Object.hasOwn(STATIC_METHODS, method) ? STATIC_METHODS[method]?.(args, context, known) : undefined;
}

/** What a method of an object gives; what it does to files or runs is added to the result. */
export function callInstanceMethod(name: string, value: Value, args: readonly Value[], context: MethodContext): Value {
  if (name === "delete") {
    const isManaged = value?.some((text) => joinText(text).startsWith(WMI_PREFIX));
    const names = isManaged ? (value ?? []).map((text) => joinText(text).slice(WMI_PREFIX.length)) : [];
    context.emit(
      isManaged ? ["wmic", ...names, "delete"].map(createWord) : [...["rm", "-r"].map(createWord), ...toWords(value)],
    );
    return undefined;
  }
  if (emitFileCall("", name, value, args, context)) return undefined;
  return Object.hasOwn(OBJECT_METHODS, name)
    ? OBJECT_METHODS[name]?.(args, context, undefined)
    : callTextMethod(name, value, args);
}
