import { countCharacters } from "../parser.ts";
import { getVariableValues, type ShellScope, type WordSegment } from "../scope.ts";
import type { Word } from "../word.ts";

/** A piece of a value; `isBare` is text of a word without quotes. */
export interface Segment extends WordSegment {
  isBare?: true;
}
/** One text, as far as it is known: what is live stands as a POSIX shell would write it, `$HOME`, `$(…)`. */
export type Text = readonly Segment[];
/** What an expression gives; undefined if that is unknown. */
export type Value = readonly Text[] | undefined;

export const createText = (text: string): Text => [{ text, live: false }];
export const createLiveText = (text: string): Text => [{ text, live: true }];
/** What is only known at run time. */
export const createUnknown = (source: string): Text =>
  createLiveText(`$(${source.slice(0, 200).replace(/[()`\\$]/g, " ")})`);

export const joinText = (text: Text): string =>
  text.length === 1 ? (text[0] as Segment).text : text.map((segment) => segment.text).join("");
export const isKnown = (text: Text): boolean => text.every(({ live }) => !live);
export const createWord = (text: string): Word => ({ text });
/** The text if all of it is known. */
export const getKnownText = (text: Text | undefined): string | undefined =>
  text && isKnown(text) ? joinText(text) : undefined;

/** The value of a variable that the line sets, to whatever it is: it is not empty. */
export const createAssigned = (name: string): Text =>
  /^\w+$/.test(name) ? createLiveText(`\${${name}:?}`) : createUnknown(name);

/** Joins texts with one between them. */
export function joinTexts(texts: readonly Text[], between: string): Text {
  if (texts.length === 1) return texts[0] as Text;
  return texts.flatMap((text, at) => (at > 0 && between !== "" ? [{ text: between, live: false }, ...text] : text));
}

const escapeLetters = (text: string, letters: RegExp) => text.replace(letters, "\\$&");

/** A word that is no path: only what is live is expanded. */
export function toPlainWord(text: Text): Word {
  const plain = joinText(text);
  if (isKnown(text)) return { text: plain };
  return {
    text: plain,
    dynamic: text.map((one) => (one.live ? one.text : escapeLetters(one.text, /[\\$`*?[~(]/g))).join(""),
  };
}

/** A word of a program: wildcards and `~` count where they are bare, and "\" behind a variable is a slash. */
export function toProgramWord(text: Text): Word {
  const plain = joinText(text);
  const [first] = text;
  const isHome = first?.isBare === true && /^~(?=$|[\\/])/.test(plain);
  if (!isHome && text.every(({ live, isBare, text: one }) => !live && !(isBare && /[*?[]/.test(one))))
    return { text: plain };
  const hasVariable = isHome || text.some(({ live }) => live);
  const dynamic = text.map(({ live, isBare, text: one }, at) => {
    if (live) return one;
    const slashed = hasVariable ? one.replaceAll("\\", "/") : one;
    const escaped = escapeLetters(slashed, isBare ? /[\\$`(]/g : /[\\$`*?[~(]/g);
    return isBare && (at > 0 || !isHome) && one.startsWith("~") ? `\\${escaped}` : escaped;
  });
  return { text: plain, dynamic: dynamic.join("") };
}

/** What a path of this machine may begin with: its provider, `\\?\`. */
const PATH_PREFIX = /^(?:[\w.]+\/)?FileSystem::|^\/\/[?.]\/(?=[A-Za-z]:)/i;
/** A drive of this machine as other machines see it: `\\localhost\C$`. */
const DRIVE_SHARE = /^\/\/(?:\?\/UNC\/)?(?:localhost|127\.0\.0\.1|::1|\.|\$COMPUTERNAME)\/([A-Za-z])\\?\$(?=\/|$)/i;
/** `C:\Users\$env:USERNAME` */
const OWN_FOLDER = /^C:\/Users\/\$USERNAME(?=\/|$)/i;
const toLocalPath = (path: string) =>
  path
    .replace(PATH_PREFIX, "")
    .replace(DRIVE_SHARE, "$1:")
    .replace(OWN_FOLDER, () => "$HOME");

/** A path as cmdlets take it: wildcards count in quotes as well, unless it is a literal one. */
export function toPathWord(text: Text, isLiteral = false): Word {
  // `$env:HOMEDRIVE$env:HOMEPATH`
  const parts = text.filter(({ text: one, live }, at) => live || !/^C:$/i.test(one) || text[at + 1]?.text !== "$HOME");
  const slashed = (one: string) => one.replaceAll("\\", "/");
  const plain = toLocalPath(parts.map(({ text: one, live }) => (live ? one : slashed(one))).join(""));
  const isHome = /^~(?=$|\/)/.test(plain);
  const hasWildcards = !isLiteral && /[*?[]/.test(plain);
  if (isKnown(parts) && !isHome && !hasWildcards) return { text: plain };
  const dynamic = toLocalPath(
    parts
      .map(({ text: one, live }) => (live ? one : escapeLetters(slashed(one), isLiteral ? /[$`*?[(]/g : /[$`(]/g)))
      .join(""),
  );
  return { text: plain, dynamic: isHome || !dynamic.startsWith("~") ? dynamic : `\\${dynamic}` };
}

/** Names of a path that begin with a wildcard; of more of them, the first ones are looked at. */
const WILD_NAMES = /(?<![^/])[*?]/g;
const MOST_WILD_NAMES = 3;

/** The same path for names that begin with a dot, in each combination. */
function listDotted(path: string): string[] {
  let found = [path];
  for (const { index } of [...path.matchAll(WILD_NAMES)].slice(0, MOST_WILD_NAMES).toReversed())
    found = found.flatMap((one) => [
      one,
      `${one.slice(0, index)}.${one[index] === "*" ? "*" : ""}${one.slice(index + 1)}`,
    ]);
  return found;
}

/**
 * A path as words of POSIX shells, whose wildcards do not match the dot that a name starts with. Those of Windows do:
 * words for such names follow.
 */
export function toPathWords(text: Text, isLiteral = false): Word[] {
  const word = toPathWord(text, isLiteral);
  const { dynamic } = word;
  if (isLiteral || dynamic === undefined || !/[*?]/.test(dynamic)) return [word];
  const texts = listDotted(word.text);
  return listDotted(dynamic).map((one, at) => ({ text: texts[at] ?? one, dynamic: one }));
}

/** What Windows sets for every process, as far as it is the same everywhere. */
const ENVIRONMENT: Readonly<Record<string, Text>> = {
  HOME: createLiveText("$HOME"),
  USERPROFILE: createLiveText("$HOME"),
  HOMEPATH: createLiveText("$HOME"),
  HOMEDRIVE: createText("C:"),
  SYSTEMDRIVE: createText("C:"),
  SYSTEMROOT: createText("C:/Windows"),
  WINDIR: createText("C:/Windows"),
  PROGRAMFILES: createText("C:/Program Files"),
  "PROGRAMFILES(X86)": createText("C:/Program Files (x86)"),
  PROGRAMDATA: createText("C:/ProgramData"),
  ALLUSERSPROFILE: createText("C:/ProgramData"),
  PUBLIC: createText("C:/Users/Public"),
  APPDATA: [...createLiveText("$HOME"), ...createText("/AppData/Roaming")],
  LOCALAPPDATA: [...createLiveText("$HOME"), ...createText("/AppData/Local")],
  COMSPEC: createText("cmd.exe"),
};

/** The value of a variable of the environment. */
export function getEnvironmentText(given: string, scope: ShellScope): Text {
  const name = given.toUpperCase();
  const values = getVariableValues(scope, `env:${name}`) ?? getVariableValues(scope, name);
  if (values) return takeText(joinTexts(values as readonly Text[], " "), scope);
  if (values === null) return createUnknown(name);
  return ENVIRONMENT[name] ?? createLiveText(/^\w+$/.test(name) ? `$${name}` : `$(${name})`);
}

/** Counts the letters of a value that is put in. */
function takeText(text: Text, { reader }: ShellScope): Text {
  countCharacters(reader, joinText(text).length >> 2);
  return text;
}

const KNOWN_VARIABLES: Readonly<Record<string, Text>> = {
  home: createLiveText("$HOME"),
  pshome: createText("C:/Windows/System32/WindowsPowerShell/v1.0"),
  pwd: createLiveText("$PWD"),
  true: createText("True"),
  false: createText("False"),
  null: [],
};
/** Variables that are set wherever they stand. */
const AUTOMATIC_VARIABLE =
  /^(?:_|psitem|args|input|this|matches|error|psscriptroot|pscommandpath|myinvocation|psboundparameters|lastexitcode|\d+|[?^$])$/;

/** The key of a variable in a scope: without the scope that it may name, in small letters. */
export const getVariableKey = (name: string): string =>
  name.toLowerCase().replace(/^(?:global|script|local|private|using|variable):/, "");

/** The values of a variable, or of a function of the environment: `$x`, `$env:X`. */
export function getValue(given: string, scope: ShellScope): Value {
  const name = getVariableKey(given);
  if (name.startsWith("env:")) return [getEnvironmentText(given.slice(4), scope)];
  const values = getVariableValues(scope, name);
  if (values) {
    for (const value of values) takeText(value, scope);
    return values;
  }
  const known = KNOWN_VARIABLES[name];
  if (known) return name === "null" ? [] : [known];
  if (values === null || AUTOMATIC_VARIABLE.test(name) || !/^\w+$/.test(name)) return undefined;
  return [createLiveText(`$${given}`)];
}

/** Where the last part of a path begins. */
export const findLastPart = (path: string): number => Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1;

/** The folder and the pattern of `folder\*.log`. */
export function splitPattern(text: Text): { folder: Text; name?: string } {
  const last = text.at(-1);
  const at = findLastPart(last?.text ?? "");
  const name = last?.text.slice(at) ?? "";
  if (!last || last.live || !/[*?[]/.test(name)) return { folder: text };
  // The top of a drive keeps its slash, and so does a variable that may be empty.
  const rest = last.text.slice(0, at);
  const isTop = text.length === 1 ? /^(?:[A-Za-z]:)?[\\/]$/.test(rest) : text.length === 2 && /^[\\/]$/.test(rest);
  const folder = [...text.slice(0, -1), ...createText(isTop ? rest : rest.slice(0, -1))].filter(
    (one) => one.text !== "",
  );
  return { folder: folder.length === 0 ? createText(".") : folder, name };
}

/** Before the class of an object of the system's management: not a file. */
export const WMI_PREFIX = "wmi:";

/** Properties of a file that are its path, and of other objects that are what they stand for. */
export const PATH_PROPERTY = /^(?:fullname|pspath|path|providerpath|directoryname|value|source|definition|name)$/;
