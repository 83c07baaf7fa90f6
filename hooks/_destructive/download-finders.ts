import { posix } from "bridge-hooks/paths";
import { type Command, commandsIn } from "bridge-hooks";
import { type LineContext, type OperandWord } from "./line-context.ts";
import { resolvePlace } from "./places.ts";
import type { OperandFinder } from "./place-finder.ts";
import {
  type CommandKind,
  mentionsKind,
  describeCommand,
  findSource,
  DOWNLOADERS,
  DOWNLOAD,
  isDownload,
  getPlainName,
  DECODERS,
  DECODER,
} from "./download-sources.ts";

const { basename } = posix;

/** The first command of a kind in `$(…)`, `<(…)` or backticks. */
function findInSubstitution(word: string, kind: CommandKind): string | undefined {
  if (!/^["\\\s]*(\$\(|[<>]\(|`)/.test(word) || !mentionsKind(word, kind)) return undefined;
  const found = commandsIn(word).find(kind.isSuch);
  return found && describeCommand(found);
}

/** The first command of a kind whose output a script runs: `set -e; $(curl x)`. */
function findInScript(script: string, kind: CommandKind): string | undefined {
  if (!mentionsKind(script, kind)) return undefined;
  for (const { dynamic } of commandsIn(script)) {
    const program = dynamic[-1];
    const found = program === undefined ? undefined : findInSubstitution(program, kind);
    if (found !== undefined) return found;
  }
  return undefined;
}

const SHELL = /^(ba|z|da|k|a|mk|fi|ya|c|tc|rba)?sh$/;
const STDIN_FILE = /^(-|\/dev\/(stdin|fd\/0)|\/proc\/self\/fd\/0)$/;
/** Options of interpreters that bring the code, or ask for something else. */
const OTHER_CODE = /^-\w*[cemprnEhVv]|^--(eval|print|version|help|check)/;

/** Whether a shell or an interpreter runs what it reads from stdin. */
export function readsScript({ program, args, more }: Command): boolean {
  // Behind xargs the rest of its arguments is not known.
  if (more) return false;
  const isShell = SHELL.test(program);
  if (program === "source" || program === ".") return STDIN_FILE.test(args[0] ?? "");
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (STDIN_FILE.test(arg)) return true;
    if (arg === "--") return STDIN_FILE.test(args[at + 1] ?? "-");
    if (!/^[-+]/.test(arg)) return /^(run|deno|bun)$/.test(arg) && STDIN_FILE.test(args[at + 1] ?? "");
    if (isShell && /^-\w*s/.test(arg)) return true;
    if (isShell ? /^-\w*c|^--(command|version|help)/.test(arg) : OTHER_CODE.test(arg)) return false;
    if (/^[-+]\w*[oO]$|^--(rcfile|init-file)$|^-[WX]$/.test(arg)) at++;
  }
  return true;
}

/** The redirections that give a command its stdin. */
const listInputs = ({ redirects }: Command) =>
  redirects.filter(({ operator, fd = 0 }) => fd === 0 && (operator === "<" || operator === "<<<"));

/** The first command of a kind whose output a command reads as its script. */
function findReadScript(command: Command, kind: CommandKind): string | undefined {
  if (!/^(iex|invoke-expression)$/i.test(command.program) && !readsScript(command)) return undefined;
  for (const { dynamic } of listInputs(command)) {
    const found = dynamic === undefined ? undefined : findInSubstitution(dynamic, kind);
    if (found !== undefined) return found;
  }
  if (command.stdin !== undefined) return findInScript(command.stdin, kind);
  const source = findSource(command, kind.isSuch);
  return source && describeCommand(source);
}

/** The scripts in a command's arguments. */
function listScripts({ program, args }: Command): string[] {
  if (program === "eval") return [args.join(" ")];
  return args.flatMap((_, at) =>
    /^-\w*[ceEpr]$|^--(command|eval|print)$/.test(args[at - 1] ?? "") ? [args[at]!] : [],
  );
}

/** The first command of a kind whose output stands in the code that a command's arguments are. */
function findGivenScript(command: Command, kind: CommandKind): string | undefined {
  for (const script of listScripts(command)) {
    const found = SHELL.test(command.program) || command.program === "eval" ? findInScript(script, kind) : undefined;
    const code = found ?? findInSubstitution(script, kind);
    if (code !== undefined) return code;
  }
  return undefined;
}

/** The first command of a kind whose output is the file that a command runs: `bash <(…)`. */
function findOpenedScript({ args, dynamic }: Command, kind: CommandKind): string | undefined {
  const at = args.findIndex((arg, index) => !/^[-+]/.test(arg) && !/^[-+]\w*[oO]$/.test(args[index - 1] ?? ""));
  const word = dynamic[at];
  return word?.startsWith("<(") ? findInSubstitution(word, kind) : undefined;
}

/** What PowerShell's `iex` runs that is fetched where it stands: `iex (iwr x)`. */
function findExpression(command: Command, { line }: LineContext): string | undefined {
  const [first = ""] = command.args;
  if (DOWNLOADERS.includes(first.toLowerCase().replace(/^[(&]+|\.exe$/g, ""))) return command.args.join(" ");
  for (const arg of command.args) {
    // `& { $(irm x) } -Flag`
    const at = arg.indexOf("$(");
    const found = at < 0 ? undefined : findInSubstitution(arg.slice(at), DOWNLOAD);
    if (found !== undefined) return found;
  }
  return command.args.every((arg) => /^[-(]|^(New-Object|(System\.)?Net\.WebClient)$/i.test(arg)) &&
    /\.Download(String|Data)/i.test(line)
    ? "WebClient"
    : undefined;
}

/** What a line downloads and starts, by paths, and what it connects to; read once, however many commands ask. */
interface LineFiles {
  /** The downloads by the files that they write. */
  downloads: ReadonlyMap<string, string>;
  /** The files that are run by their paths. */
  executed: ReadonlySet<string>;
  /** The descriptors that are connections. */
  sockets: ReadonlySet<number>;
}
const SOCKET_FILE = /^\/dev\/(tcp|udp)\//;
const filesOfLines = new WeakMap<LineContext, LineFiles>();

/** A word as a key: the path that it means, or its text where that is not known. */
const toFileKey = (word: OperandWord, command: Command, here: LineContext): string =>
  resolvePlace(word, command, here)?.path ?? word.dynamic ?? word.text;

function readLineFiles(here: LineContext): LineFiles {
  const known = filesOfLines.get(here);
  if (known) return known;
  const downloads = new Map<string, string>();
  const executed = new Set<string>();
  const sockets = new Set<number>();
  for (const command of here.commands) {
    for (const { fd, target } of command.redirects) if (fd !== undefined && SOCKET_FILE.test(target)) sockets.add(fd);
    for (const word of listWrittenFiles(command))
      downloads.set(toFileKey(word, command, here), describeCommand(command));
    const path = command.words.find((word) => word.includes("/") && word.endsWith(`/${command.program}`));
    if (path !== undefined && command.program !== "") executed.add(toFileKey({ text: path }, command, here));
  }
  const found = { downloads, executed, sockets };
  filesOfLines.set(here, found);
  return found;
}

const isWholeOption = (arg: string, isWget: boolean) =>
  isWget ? /^-\w*O$|^--output-document$/.test(arg) : /^-[\w#]*o$|^--(output|out)$|^-OutFile$/i.test(arg);
const ATTACHED_FILE = /^(?:--(?:output|output-document|out)=|-o(?=[\w./~]))/;

/** The files into which a command writes what it downloads. */
function listWrittenFiles(command: Command): OperandWord[] {
  const { args, redirects } = command;
  const isPiped = () => findSource(command, isDownload) !== undefined;
  if (command.program === "tee")
    return isPiped() ? args.flatMap((arg, at) => (arg.startsWith("-") ? [] : [toOperandWord(command, at)])) : [];
  const name = getPlainName(command);
  if (!isDownload(command) && !(name === "cat" && isPiped())) return [];
  const found: OperandWord[] = redirects.flatMap(({ operator, target, fd = 1, dynamic: word }) =>
    /^(>|>>|>\||&>)$/.test(operator) && fd === 1
      ? [{ text: target, ...(word !== undefined && { dynamic: word }) }]
      : [],
  );
  const named = listNamedFiles(command, name === "wget");
  const isNamedByAddress =
    name === "wget" ? named.length === 0 : name === "aria2c" || args.some((arg) => /^-\w*O|^--remote-name/.test(arg));
  if (isNamedByAddress) named.push(...listAddressedFiles(args));
  return [...found, ...named.filter(({ text }) => text !== "-")];
}

const toOperandWord = ({ args, dynamic }: Command, at: number, from = 0): OperandWord => ({
  text: (args[at] as string).slice(from),
  ...(dynamic[at] !== undefined && { dynamic: dynamic[at].slice(from) }),
});

/** The files that options name. */
function listNamedFiles(command: Command, isWget: boolean): OperandWord[] {
  const { args } = command;
  return args.flatMap((arg, at) => {
    const [attached] = ATTACHED_FILE.exec(arg) ?? [];
    if (isWholeOption(arg, isWget) && at + 1 < args.length) return [toOperandWord(command, at + 1)];
    return attached !== undefined && !(isWget && attached === "-o")
      ? [toOperandWord(command, at, attached.length)]
      : [];
  });
}

/** The files that are called as in the addresses. */
function listAddressedFiles(args: readonly string[]): OperandWord[] {
  const at = args.findIndex((arg) => /^(-P|-d|--output-dir|--dir|--directory-prefix)$/.test(arg));
  const folder = at < 0 ? undefined : args[at + 1];
  return args
    .filter((arg) => arg.includes("/") && !arg.startsWith("-") && arg !== folder)
    .map((arg) => ({
      text: `${folder === undefined ? "" : `${folder}/`}${basename(arg.replace(/[?#][^]*$/, ""))}`,
    }));
}

/** A file among operands that the line downloads. For a shell or an interpreter it is the first one alone. */
const findDownloadedFile: OperandFinder = (operands, command, here) => {
  const { downloads } = readLineFiles(here);
  if (downloads.size === 0) return undefined;
  const files = command.program === "chmod" ? operands : operands.slice(0, 1);
  return files.find((word) => downloads.has(toFileKey(word, command, here)))?.text;
};

/** Whether the line runs one of a command's files by its path. */
export const startsFile = (command: Command, here: LineContext): boolean => {
  const { executed } = readLineFiles(here);
  return command.args.some(
    (text, at) =>
      !text.startsWith("-") &&
      executed.has(
        toFileKey({ text, ...(command.dynamic[at] !== undefined && { dynamic: command.dynamic[at] }) }, command, here),
      ),
  );
};

/** A connection that a shell reads its commands from, or writes to. */
const findSocket: OperandFinder = (_, command, here) => {
  if (!readsScript(command)) return undefined;
  for (const { operator, target } of command.redirects) {
    if (SOCKET_FILE.test(target)) return target;
    const isCopied = /^[<>]&$/.test(operator) && /^([3-9]|\d\d+)$/.test(target);
    if (isCopied && readLineFiles(here).sockets.has(Number(target))) return `descriptor ${target}`;
  }
  return undefined;
};
/** A shell that runs what it reads, and whose output goes to a command. */
const findShell: OperandFinder = (_, command) => {
  const source = findSource(command, (one) => SHELL.test(one.program) && one.stdin === undefined && readsScript(one));
  return source && describeCommand(source);
};

const SHELL_FILE = /^["']?([\w./-]*\/)?((ba|z|da|k|a)?sh\b|cmd\b|powershell)/i;
const EXECUTING_ADDRESS = /^(exec|system|shell):/i;
/** A shell that socat or netcat starts for whoever connects: `EXEC:/bin/sh`, `-c bash`. */
const findExecutedShell: OperandFinder = (_, { program, args }) =>
  args.find((arg, at) =>
    program === "socat"
      ? EXECUTING_ADDRESS.test(arg) && SHELL_FILE.test(arg.slice(arg.indexOf(":") + 1))
      : /^-\w*c$/.test(args[at - 1] ?? "") && SHELL_FILE.test(arg),
  );

/** Sets of the rules about downloads. */
export const DOWNLOAD_SETS = {
  /** What prints the script that the command reads from stdin. */
  piped: { words: DOWNLOADERS, find: (_, command) => findReadScript(command, DOWNLOAD) },
  /** The same for code in the arguments. */
  substituted: {
    words: [...DOWNLOADERS, ".download"],
    find: (_, command, here) =>
      /^(iex|invoke-expression)$/i.test(command.program)
        ? findExpression(command, here)
        : findGivenScript(command, DOWNLOAD),
  },
  /** The same for the file that the command runs. */
  opened: { words: DOWNLOADERS, find: (_, command) => findOpenedScript(command, DOWNLOAD) },
  /** A file that the line downloads. */
  downloaded: { words: DOWNLOADERS, find: findDownloadedFile },
  /** What decodes the script that the command runs, where its text is not known. */
  decoded: {
    words: DECODERS,
    find: (_, command) =>
      findReadScript(command, DECODER) ?? findGivenScript(command, DECODER) ?? findOpenedScript(command, DECODER),
  },
  socket: { words: ["/dev/tcp/", "/dev/udp/"], find: findSocket },
  shell: { words: ["sh"], find: findShell },
  executed: { words: ["sh", "cmd"], find: findExecutedShell },
} satisfies Readonly<Record<string, { words: readonly string[]; find: OperandFinder }>>;
