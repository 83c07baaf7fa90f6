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
const toWords = (values: readonly Value[]): Word[] =>
  values.flatMap((value) => (value ?? [createUnknown("path")]).map((text) => toPathWord(text, true)));

/** Methods of .NET that work on files, by type and name: the words of the program that does the same. */
const FILE_METHODS: Readonly<Record<string, string>> = {
  "io.file delete": "rm",
  "io.file readalltext": "cat",
  "io.file readalllines": "cat",
  "io.file readallbytes": "cat",
  "io.file readlines": "cat",
  "io.file opentext": "cat",
  "io.file openread": "cat",
  "io.file writealltext": "tee",
  "io.file writealllines": "tee",
  "io.file writeallbytes": "tee",
  "io.file appendalltext": "tee -a",
  "io.file appendalllines": "tee -a",
  "io.file appendtext": "tee -a",
  "io.file create": "tee",
  "io.file createtext": "tee",
  "io.file openwrite": "tee",
  "io.file open": "tee",
  "io.file copy": "cp",
  "io.file move": "mv",
  "io.file replace": "mv",
  "io.file createsymboliclink": "ln -s",
  "io.directory delete": "rm -r",
  "io.directory move": "mv",
  "io.directory createdirectory": "mkdir",
  "io.directory setcurrentdirectory": "true",
  "visualbasic.fileio.filesystem deletefile": "rm",
  "visualbasic.fileio.filesystem deletedirectory": "rm -r",
};
/** Types whose objects open the file that they are made with, or stand for it. */
const FILE_TYPES: Readonly<Record<string, string>> = {
  "io.streamreader": "cat",
  "io.streamwriter": "tee",
  "io.filestream": "tee",
  "io.fileinfo": "",
  "io.directoryinfo": "",
};

/** What `[T]::new(…)` and `New-Object T …` give: of a file, its path. */
export function constructObject(type: string, args: readonly Value[], context: MethodContext): Value {
  const program = FILE_TYPES[toTypeKey(type)] ?? FILE_TYPES[`io.${toTypeKey(type)}`];
  if (program === undefined) return undefined;
  if (program !== "") context.emit([createWord(program), ...toWords(args.slice(0, 1))]);
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

/** What a static method gives, `[IO.File]::Delete('x')`; what it does is added to the result. */
export function callStaticMethod(type: string, name: string, args: readonly Value[], context: MethodContext): Value {
  const key = toTypeKey(type);
  if (name === "new") return constructObject(type, args, context);
  const file = FILE_METHODS[`${key} ${name}`] ?? FILE_METHODS[`io.${key} ${name}`];
  if (file !== undefined) {
    presentFileMethod(file, args, context);
    return undefined;
  }
  const [first, second] = args;
  const known = getKnownText(first?.[0]);
  switch (`${key} ${name}`) {
    case "io.path combine":
    case "io.path join":
      return [
        joinTexts(
          args.flatMap((value) => value ?? [createUnknown("path")]),
          "/",
        ),
      ];
    case "io.path directoryseparatorchar":
      return [createText("\\")];
    case "io.path gettemppath":
      return [createLiveText("$TEMP")];
    case "io.path getfullpath":
      return first;
    case "io.directory getfiles":
    case "io.directory getdirectories":
    case "io.directory enumeratefiles":
    case "io.directory enumeratedirectories":
    case "io.directory enumeratefilesystementries":
    case "io.directory getfilesystementries":
      return first?.map((text): Text => [...text, { text: `/${getKnownText(second?.[0]) ?? "*"}`, live: false }]);
    case "environment getenvironmentvariable":
      return known === undefined ? undefined : [context.getVariable(known)];
    case "environment getenvironmentvariables":
      context.emit([createWord("printenv")]);
      return undefined;
    case "environment setenvironmentvariable":
      if (known !== undefined) context.assign(known, second?.[0] ?? []);
      return [];
    case "environment expandenvironmentvariables":
      return known === undefined
        ? first
        : [
            known
              .split("%")
              .flatMap((piece, at): Text => (at % 2 === 0 ? createText(piece) : context.getVariable(piece))),
          ];
    case "environment getfolderpath": {
      const folder = SPECIAL_FOLDERS[(known ?? "").toLowerCase()];
      return folder === undefined ? undefined : [[...createLiveText("$HOME"), ...createText(folder)]];
    }
    // Of a variable, it shows what that holds.
    case "convert tobase64string":
      return first?.every(isKnown) ? first.map((text) => createText(encodeBase64(joinText(text)))) : first;
    case "uri escapedatastring":
      return first?.every(isKnown) ? undefined : first;
    case "convert frombase64string": {
      const bytes = known === undefined ? undefined : decodeBase64(known);
      return bytes === undefined ? undefined : [createText(bytes)];
    }
    case "scriptblock create":
      if (known !== undefined) context.runText(known);
      return undefined;
    case "diagnostics.process start":
      context.runWords([
        ...(first ?? []).map(toProgramWord),
        ...splitArguments(joinTexts(second ?? [], " ")).map(toProgramWord),
      ]);
      return undefined;
    case "console write":
    case "console writeline":
    case "console.out writeline":
      context.emit([createWord("echo"), ...args.flatMap((value) => value ?? []).map(toPlainWord)]);
      return [];
    case "string join":
      return (
        first &&
        second && [
          joinTexts(
            args.slice(1).flatMap((value) => value ?? [createUnknown("text")]),
            joinText(first[0] ?? []),
          ),
        ]
      );
    case "string concat":
      return [args.flatMap((value) => value?.flat() ?? createUnknown("text"))];
    case "string format":
      return undefined;
    default:
      return undefined;
  }
}

function presentFileMethod(file: string, args: readonly Value[], { emit }: MethodContext): void {
  const [program = "", ...options] = file.split(" ");
  const count = /^(?:cp|mv|ln)$/.test(program) ? 2 : 1;
  const words = toWords(args.slice(0, count));
  const stdin = program === "tee" && args[1] ? args[1].map(joinText).join("\n") : undefined;
  emit([program, ...options].map(createWord).concat(program === "ln" ? words.toReversed() : words), stdin);
}

/** What a method of an object gives; what it does to files or runs is added to the result. */
export function callInstanceMethod(name: string, value: Value, args: readonly Value[], context: MethodContext): Value {
  const [first, second] = args;
  switch (name) {
    case "delete":
      if (value?.some((text) => joinText(text).startsWith(WMI_PREFIX)))
        context.emit(
          ["wmic", ...value.map((text) => joinText(text).slice(WMI_PREFIX.length)), "delete"].map(createWord),
        );
      else context.emit([createWord("rm"), createWord("-r"), ...toWords([value])]);
      return undefined;
    case "moveto":
    case "copyto":
      context.emit([createWord(name === "moveto" ? "mv" : "cp"), ...toWords([value, first])]);
      return undefined;
    case "deletefile":
    case "deletefolder":
      context.emit([createWord("rm"), createWord("-r"), ...toWords([first])]);
      return undefined;
    case "movefile":
    case "movefolder":
    case "copyfile":
    case "copyfolder":
      context.emit([createWord(name.startsWith("move") ? "mv" : "cp"), ...toWords([first, second])]);
      return undefined;
    case "opentextfile":
      context.emit([createWord("cat"), ...toWords([first])]);
      return undefined;
    case "createtextfile":
      context.emit([createWord("tee"), ...toWords([first])]);
      return undefined;
    case "uploadfile":
      context.emit([createWord("curl"), createWord("-T"), ...toWords([args.at(-1), first])]);
      return undefined;
    case "write":
    case "writeline":
      context.emit([createWord("echo"), ...args.flatMap((one) => one ?? []).map(toPlainWord)]);
      return undefined;
    case "expandstring":
      return first?.[0] && [context.expand(joinText(first[0]))];
    case "downloadfile":
      context.emit([createWord("curl"), createWord("-o"), ...toWords([second, first])]);
      return undefined;
    case "downloadstring":
    case "downloaddata":
      context.emit([createWord("curl"), ...toWords([first])]);
      return undefined;
    case "invokescript":
    case "addscript":
    case "newscriptblock":
      if (first?.[0]) context.runText(joinText(first[0]));
      return undefined;
    case "run":
    case "exec":
      if (first?.[0]) context.runCmd(joinText(first[0]));
      return undefined;
    case "shellexecute":
      context.runWords([
        ...(first ?? []).map(toProgramWord),
        ...splitArguments(joinTexts(second ?? [], " ")).map(toProgramWord),
      ]);
      return undefined;
    default:
      return callTextMethod(name, value, args);
  }
}
