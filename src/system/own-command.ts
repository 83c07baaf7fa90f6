import { type Dialect, quoteWord } from "../protocol/host/quote.ts";
import { existsSync, realpathSync } from "./files.ts";

/** This executable; undefined in a run from source. */
export const ownExecutable: string | undefined =
  typeof Bun !== "undefined" && /^(\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/i.test(Bun.main) ? process.execPath : undefined;

/** Where a person types a command: in the terminal of this process, in one that is not known, or there with `sudo`. */
export type TypedWhere = "here" | "elsewhere" | "sudo";

/** A machine on which a program is called. */
export interface ProgramCaller {
  platform: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** What a shell of Windows starts for a name without an ending; PowerShell also starts scripts of its own. */
const WINDOWS_ENDINGS = ["", ".com", ".exe", ".bat", ".cmd", ".ps1"];

/** The shell that a command is typed into: cmd.exe sets PROMPT, PowerShell a folder of modules in the home folder. */
function findDialect({ platform, env }: ProgramCaller, where: TypedWhere): Dialect {
  if (platform !== "win32") return "sh";
  if (where === "elsewhere") return "powershell";
  if (env.MSYSTEM !== undefined) return "sh";
  const isPowerShell = /\\Documents\\(?:Windows)?PowerShell\\/i.test(env.PSModulePath ?? "");
  return env.PROMPT !== undefined && !isPowerShell ? "cmd" : "powershell";
}

/** Whether a shell that is given a name starts a file: nothing else of that name may come before it on PATH. */
function isStartedBy(name: string, file: string, { platform, env }: ProgramCaller): boolean {
  const isWindows = platform === "win32";
  for (const folder of (env.PATH ?? env.Path ?? "").split(isWindows ? ";" : ":")) {
    // What a relative folder has depends on where the command is typed.
    if (!/^(?:\/|[A-Za-z]:[\\/])/.test(folder)) return false;
    const paths = (isWindows ? WINDOWS_ENDINGS : [""]).map((ending) => `${folder}/${name}${ending}`);
    const found = paths.filter(existsSync);
    if (found.length > 0) return found.length === 1 && realpathSync(found[0] as string) === realpathSync(file);
  }
  return false;
}

/** How the file of a program is typed: its name where PATH leads to it, else its path in quotes of the shell. */
export function nameProgram(file: string, caller: ProgramCaller, where: TypedWhere = "here"): string {
  const dialect = findDialect(caller, where);
  const name = file.replace(/^.*[\\/]/, "").replace(caller.platform === "win32" ? /\.exe$/i : /$^/, "");
  try {
    // `sudo` has a PATH of its own.
    const onPath = where !== "sudo" && [name, "bridge-hooks"].find((one) => isStartedBy(one, file, caller));
    if (onPath) return quoteTypedWord(onPath, dialect);
    const quoted = quoteTypedWord(file, dialect);
    return `${where === "sudo" ? "sudo " : ""}${dialect === "powershell" && quoted.startsWith("'") ? "& " : ""}${quoted}`;
  } catch {
    return "bridge-hooks";
  }
}

/** In a terminal, cmd.exe reads quotes as they stand; `%` alone has no way to be written. */
const quoteTypedWord = (word: string, dialect: Dialect): string =>
  dialect === "cmd" && !/["%\r\n]/.test(word) && /[^\w@+=:,./\\-]/.test(word) ? `"${word}"` : quoteWord(word, dialect);

const named: Partial<Record<TypedWhere, string>> = {};

/** How a person calls this executable: `bridge-hooks` where that starts it, else its path. Asks PATH, so only for a message. */
export const getOwnCommand = (where: TypedWhere = "here"): string =>
  (named[where] ??= ownExecutable === undefined ? nameUnbuilt(where) : nameProgram(ownExecutable, process, where));

const nameUnbuilt = (where: TypedWhere) => (where === "sudo" ? "sudo bridge-hooks" : "bridge-hooks");

/** A line that calls this executable with these words, to be copied into the shell of this terminal. */
export const formatOwnCommand = (words: readonly string[], where: TypedWhere = "here"): string => {
  const dialect = findDialect(process, where);
  return [getOwnCommand(where), ...words.map((word) => quoteTypedWord(word, dialect))].join(" ");
};

/** A word of such a line. */
export const quoteTyped = (word: string): string => quoteTypedWord(word, findDialect(process, "here"));

/** The same for JSON: PowerShell takes the quotes out of a word, so that on Windows there are none in it. */
export const quoteTypedJson = (value: unknown, caller: ProgramCaller = process): string => {
  const dialect = findDialect(caller, "here");
  return dialect === "sh" ? quoteWord(JSON.stringify(value), dialect) : `"${formatJson5(value)}"`;
};

/** JSON5 whose strings have apostrophes, and escapes for all that a shell reads as its own. */
function formatJson5(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(formatJson5).join(", ")}]`;
  if (typeof value === "object" && value !== null)
    return `{${Object.entries(value)
      .map(([key, one]) => `${/^[A-Za-z]\w*$/.test(key) ? key : formatJson5(key)}: ${formatJson5(one)}`)
      .join(", ")}}`;
  if (typeof value !== "string") return JSON.stringify(value);
  const text = JSON.stringify(value).slice(1, -1).replaceAll('\\"', "\\u0022");
  return `'${text.replace(/['$%!^`\u2018-\u201f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)}'`;
}

/** The first words of all commands. */
export const COMMAND_WORDS =
  "--help allow build completion config docs doctor explain export help init install list log matrix mdm pause replay report rules serve status test try uninstall update verify".split(
    " ",
  );

/** A command that a text of ours tells a person to type. */
export const TYPED_COMMAND = new RegExp(
  String.raw`(?<![\w/.-])bridge-hooks(?= (?:${COMMAND_WORDS.join("|")})(?![\w-]))`,
  "g",
);

/** Rewrites the commands in a text of ours, so that they call this executable. */
export const qualifyCommands = (text: string, command = getOwnCommand()): string =>
  text.replace(TYPED_COMMAND, () => command);
