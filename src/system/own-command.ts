import { type Dialect, quoteWord } from "../protocol/host/quote.ts";
import { existsSync, realpathSync } from "./files.ts";

/** Path of this executable, or undefined when running from source. */
export const ownExecutable: string | undefined =
  typeof Bun !== "undefined" && /^(\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/i.test(Bun.main) ? process.execPath : undefined;

/**
 * Where the user types a command: in this process's terminal ("here"), in an unknown one ("elsewhere"), or in an
 * unknown one after typing `sudo` ("sudo").
 */
export type TerminalKind = "here" | "elsewhere" | "sudo";

/** The platform and environment in which a program is called. */
export interface ProgramCaller {
  platform: string;
  env: Readonly<Record<string, string | undefined>>;
}

/** File extensions that Windows shells try after a command name. Only PowerShell starts `.ps1` scripts. */
const WINDOWS_ENDINGS = ["", ".com", ".exe", ".bat", ".cmd", ".ps1"];

/**
 * Returns the shell that the user types a command into. cmd.exe sets PROMPT, whereas PowerShell adds a module directory
 * in the user's home directory to PSModulePath.
 */
function findDialect({ platform, env }: ProgramCaller, terminal: TerminalKind): Dialect {
  if (platform !== "win32") return "sh";
  if (terminal === "elsewhere") return "powershell";
  if (env.MSYSTEM !== undefined) return "sh";
  const isPowerShell = /\\Documents\\(?:Windows)?PowerShell\\/i.test(env.PSModulePath ?? "");
  return env.PROMPT !== undefined && !isPowerShell ? "cmd" : "powershell";
}

/** Returns whether a shell would start this file for a command name, as the first match on PATH. */
function resolvesToFile(name: string, file: string, { platform, env }: ProgramCaller): boolean {
  const isWindows = platform === "win32";
  for (const folder of (env.PATH ?? env.Path ?? "").split(isWindows ? ";" : ":")) {
    // A relative directory on PATH depends on the current directory.
    if (!/^(?:\/|[A-Za-z]:[\\/])/.test(folder)) return false;
    const paths = (isWindows ? WINDOWS_ENDINGS : [""]).map((ending) => `${folder}/${name}${ending}`);
    const matches = paths.filter(existsSync);
    if (matches.length > 0) return matches.length === 1 && realpathSync(matches[0] as string) === realpathSync(file);
  }
  return false;
}

/**
 * Returns what to type to run a program, quoted for the shell: its name if PATH leads to the file, or else the file's
 * path.
 */
export function nameProgram(file: string, caller: ProgramCaller, terminal: TerminalKind = "here"): string {
  const dialect = findDialect(caller, terminal);
  const name = file.replace(/^.*[\\/]/, "").replace(caller.platform === "win32" ? /\.exe$/i : /$^/, "");
  try {
    // `sudo` has its own PATH.
    const nameOnPath = terminal !== "sudo" && [name, "bridge-hooks"].find((one) => resolvesToFile(one, file, caller));
    if (nameOnPath) return quoteTypedWord(nameOnPath, dialect);
    const quotedPath = quoteTypedWord(file, dialect);
    return `${terminal === "sudo" ? "sudo " : ""}${dialect === "powershell" && quotedPath.startsWith("'") ? "& " : ""}${quotedPath}`;
  } catch {
    return "bridge-hooks";
  }
}

/**
 * Quotes a word for an interactive shell. At a cmd.exe prompt, quotes reach the program unchanged, and `%` can't be
 * escaped.
 */
const quoteTypedWord = (word: string, dialect: Dialect): string =>
  dialect === "cmd" && !/["%\r\n]/.test(word) && /[^\w@+=:,./\\-]/.test(word) ? `"${word}"` : quoteWord(word, dialect);

const ownCommands: Partial<Record<TerminalKind, string>> = {};

/**
 * Returns what a user types to call this executable: `bridge-hooks` if PATH leads to it, or else its path. Use only in
 * messages, since this searches PATH.
 */
export const getOwnCommand = (terminal: TerminalKind = "here"): string =>
  (ownCommands[terminal] ??=
    ownExecutable === undefined ? nameUnbuilt(terminal) : nameProgram(ownExecutable, process, terminal));

const nameUnbuilt = (terminal: TerminalKind) => (terminal === "sudo" ? "sudo bridge-hooks" : "bridge-hooks");

/** Formats a command line that runs this executable, to be pasted into this terminal's shell. */
export const formatOwnCommand = (words: readonly string[], terminal: TerminalKind = "here"): string => {
  const dialect = findDialect(process, terminal);
  return [getOwnCommand(terminal), ...words.map((word) => quoteTypedWord(word, dialect))].join(" ");
};

/** Quotes an argument for this terminal's shell. */
export const quoteTyped = (word: string): string => quoteTypedWord(word, findDialect(process, "here"));

/**
 * Quotes a JSON value for this terminal's shell. On Windows, it becomes JSON5 without double quotes, since PowerShell
 * removes those from arguments.
 */
export const quoteTypedJson = (value: unknown, caller: ProgramCaller = process): string => {
  const dialect = findDialect(caller, "here");
  return dialect === "sh" ? quoteWord(JSON.stringify(value), dialect) : `"${formatJson5(value)}"`;
};

/**
 * Formats an object for the shell, with one field per line, to be pasted all at once. Returns undefined for cmd.exe,
 * where an argument can't span several lines.
 */
export function quoteTypedFields(value: object, caller: ProgramCaller = process): string[] | undefined {
  const dialect = findDialect(caller, "here");
  if (dialect === "cmd") return undefined;
  const quote = dialect === "sh" ? "'" : '"';
  const fields = Object.entries(value).map(([key, one]) =>
    dialect === "sh"
      ? `${JSON.stringify(key)}: ${JSON.stringify(one)}`.replaceAll("'", String.raw`'\''`)
      : formatJson5({ [key]: one }).slice(1, -1),
  );
  return [`${quote}{`, ...fields.map((field, at) => `  ${field}${at < fields.length - 1 ? "," : `}${quote}`}`)];
}

/**
 * Formats a value as JSON5 with single-quoted strings, in which every character that a shell would interpret is
 * escaped.
 */
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

/** Words that can follow `bridge-hooks` in a command. */
export const COMMAND_WORDS =
  "--help allow build completion config docs doctor explain export help init install list log matrix mdm pause replay report rules serve status test try uninstall update verify".split(
    " ",
  );

/** Matches `bridge-hooks` in a command that a message tells the user to type. */
export const TYPED_COMMAND = new RegExp(
  String.raw`(?<![\w/.-])bridge-hooks(?= (?:${COMMAND_WORDS.join("|")})(?![\w-]))`,
  "g",
);

/** Rewrites the commands in a message so that they call this executable. */
export const qualifyCommands = (text: string, command = getOwnCommand()): string =>
  text.replace(TYPED_COMMAND, () => command);
