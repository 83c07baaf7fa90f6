import { posix } from "bridge-hooks/paths";
import { type Command, commandsIn } from "bridge-hooks";
import { type LineContext, type OperandWord } from "./line-context.ts";
import { resolveOperandPath } from "./places.ts";
import type { OperandFinder } from "./place-finder.ts";
import {
  type CommandKind,
  mentionsCommandKind,
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

/** Returns the first command of the given kind inside a `$(…)`, `<(…)`, or backtick substitution. */
function findInSubstitution(word: string, kind: CommandKind): string | undefined {
  if (!/^["\\\s]*(\$\(|[<>]\(|`)/.test(word) || !mentionsCommandKind(word, kind)) return undefined;
  const match = commandsIn(word).find(kind.predicate);
  return match && describeCommand(match);
}

/** Returns the first command of the given kind whose output a script runs as a command, as in `set -e; $(curl x)`. */
function findInScript(script: string, kind: CommandKind): string | undefined {
  if (!mentionsCommandKind(script, kind)) return undefined;
  for (const { dynamic } of commandsIn(script)) {
    const program = dynamic[-1];
    const match = program === undefined ? undefined : findInSubstitution(program, kind);
    if (match !== undefined) return match;
  }
  return undefined;
}

const SHELL_PROGRAM = /^(ba|z|da|k|a|mk|fi|ya|c|tc|rba)?sh$/;
const STDIN_FILE = /^(-|\/dev\/(stdin|fd\/0)|\/proc\/self\/fd\/0)$/;
/** Interpreter options that pass code inline or don't run a script. */
const INLINE_CODE_OPTION = /^-\w*[cemprnEhVv]|^--(eval|print|version|help|check)/;

/** Whether a shell or interpreter runs the script on its stdin. */
export function readsScript({ program, args, more }: Command): boolean {
  // xargs appends arguments that aren't known here.
  if (more) return false;
  const isShell = SHELL_PROGRAM.test(program);
  if (program === "source" || program === ".") return STDIN_FILE.test(args[0] ?? "");
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (STDIN_FILE.test(arg)) return true;
    if (arg === "--") return STDIN_FILE.test(args[at + 1] ?? "-");
    if (!/^[-+]/.test(arg)) return /^(run|deno|bun)$/.test(arg) && STDIN_FILE.test(args[at + 1] ?? "");
    if (isShell && /^-\w*s/.test(arg)) return true;
    if (isShell ? /^-\w*c|^--(command|version|help)/.test(arg) : INLINE_CODE_OPTION.test(arg)) return false;
    if (/^[-+]\w*[oO]$|^--(rcfile|init-file)$|^-[WX]$/.test(arg)) at++;
  }
  return true;
}

/** Lists the redirections to a command's stdin. */
const listInputs = ({ redirects }: Command) =>
  redirects.filter(({ operator, fd = 0 }) => fd === 0 && (operator === "<" || operator === "<<<"));

/** Returns the first command of the given kind whose output the command runs as a script. */
function findReadScript(command: Command, kind: CommandKind): string | undefined {
  if (!/^(iex|invoke-expression)$/i.test(command.program) && !readsScript(command)) return undefined;
  for (const { dynamic } of listInputs(command)) {
    const match = dynamic === undefined ? undefined : findInSubstitution(dynamic, kind);
    if (match !== undefined) return match;
  }
  if (command.stdin !== undefined) return findInScript(command.stdin, kind);
  const source = findSource(command, kind.predicate);
  return source && describeCommand(source);
}

/** Lists the scripts passed as arguments to a command. */
function listScripts({ program, args }: Command): string[] {
  if (program === "eval") return [args.join(" ")];
  return args.flatMap((_, at) =>
    /^-\w*[ceEpr]$|^--(command|eval|print)$/.test(args[at - 1] ?? "") ? [args[at]!] : [],
  );
}

/** Returns the first command of the given kind whose output ends up in code passed as an argument. */
function findPassedScript(command: Command, kind: CommandKind): string | undefined {
  for (const script of listScripts(command)) {
    const match =
      SHELL_PROGRAM.test(command.program) || command.program === "eval" ? findInScript(script, kind) : undefined;
    const code = match ?? findInSubstitution(script, kind);
    if (code !== undefined) return code;
  }
  return undefined;
}

/**
 * Returns the first command of the given kind whose output an interpreter opens as its script file, as in `bash <(…)`.
 */
function findOpenedScript({ args, dynamic }: Command, kind: CommandKind): string | undefined {
  const at = args.findIndex((arg, index) => !/^[-+]/.test(arg) && !/^[-+]\w*[oO]$/.test(args[index - 1] ?? ""));
  const word = dynamic[at];
  return word?.startsWith("<(") ? findInSubstitution(word, kind) : undefined;
}

/** Returns the download that PowerShell's `iex` runs directly, as in `iex (iwr x)`. */
function findExpression(command: Command, { line }: LineContext): string | undefined {
  const [first = ""] = command.args;
  if (DOWNLOADERS.includes(first.toLowerCase().replace(/^[(&]+|\.exe$/g, ""))) return command.args.join(" ");
  for (const arg of command.args) {
    // The download can be in a script block: `& { $(irm x) } -Flag`.
    const at = arg.indexOf("$(");
    const match = at < 0 ? undefined : findInSubstitution(arg.slice(at), DOWNLOAD);
    if (match !== undefined) return match;
  }
  return command.args.every((arg) => /^[-(]|^(New-Object|(System\.)?Net\.WebClient)$/i.test(arg)) &&
    /\.Download(String|Data)/i.test(line)
    ? "WebClient"
    : undefined;
}

/** The files a shell command downloads or runs, and its network connections; computed once per shell command. */
interface LineFiles {
  /** Download commands, keyed by output file. */
  downloads: ReadonlyMap<string, string>;
  /** Paths of the files that are run. */
  executed: ReadonlySet<string>;
  /** File descriptors of network connections. */
  sockets: ReadonlySet<number>;
}
const SOCKET_FILE = /^\/dev\/(tcp|udp)\//;
const filesByLine = new WeakMap<LineContext, LineFiles>();

/** Returns the map key for a word: its path, or its text if the path is unknown. */
const toFileKey = (word: OperandWord, command: Command, context: LineContext): string =>
  resolveOperandPath(word, command, context)?.path ?? word.dynamic ?? word.text;

function readLineFiles(context: LineContext): LineFiles {
  const cached = filesByLine.get(context);
  if (cached) return cached;
  const downloads = new Map<string, string>();
  const executed = new Set<string>();
  const sockets = new Set<number>();
  for (const command of context.commands) {
    for (const { fd, target } of command.redirects) if (fd !== undefined && SOCKET_FILE.test(target)) sockets.add(fd);
    for (const word of listWrittenFiles(command))
      downloads.set(toFileKey(word, command, context), describeCommand(command));
    const path = command.words.find((word) => word.includes("/") && word.endsWith(`/${command.program}`));
    if (path !== undefined && command.program !== "") executed.add(toFileKey({ text: path }, command, context));
  }
  const lineFiles = { downloads, executed, sockets };
  filesByLine.set(context, lineFiles);
  return lineFiles;
}

const isWholeOption = (arg: string, isWget: boolean) =>
  isWget ? /^-\w*O$|^--output-document$/.test(arg) : /^-[\w#]*o$|^--(output|out)$|^-OutFile$/i.test(arg);
const ATTACHED_FILE = /^(?:--(?:output|output-document|out)=|-o(?=[\w./~]))/;

/** Lists the files to which a command saves a download. */
function listWrittenFiles(command: Command): OperandWord[] {
  const { args, redirects } = command;
  const isPiped = () => findSource(command, isDownload) !== undefined;
  if (command.program === "tee")
    return isPiped() ? args.flatMap((arg, at) => (arg.startsWith("-") ? [] : [toOperandWord(command, at)])) : [];
  const name = getPlainName(command);
  if (!isDownload(command) && !(name === "cat" && isPiped())) return [];
  const outputFiles: OperandWord[] = redirects.flatMap(({ operator, target, fd = 1, dynamic: word }) =>
    /^(>|>>|>\||&>)$/.test(operator) && fd === 1
      ? [{ text: target, ...(word !== undefined && { dynamic: word }) }]
      : [],
  );
  const namedFiles = listNamedFiles(command, name === "wget");
  const isNamedByAddress =
    name === "wget"
      ? namedFiles.length === 0
      : name === "aria2c" || args.some((arg) => /^-\w*O|^--remote-name/.test(arg));
  if (isNamedByAddress) namedFiles.push(...listAddressedFiles(args));
  return [...outputFiles, ...namedFiles.filter(({ text }) => text !== "-")];
}

const toOperandWord = ({ args, dynamic }: Command, at: number, from = 0): OperandWord => ({
  text: (args[at] as string).slice(from),
  ...(dynamic[at] !== undefined && { dynamic: dynamic[at].slice(from) }),
});

/** Lists the output files named by options. */
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

/** Lists the output files named after URLs. */
function listAddressedFiles(args: readonly string[]): OperandWord[] {
  const at = args.findIndex((arg) => /^(-P|-d|--output-dir|--dir|--directory-prefix)$/.test(arg));
  const folder = at < 0 ? undefined : args[at + 1];
  return args
    .filter((arg) => arg.includes("/") && !arg.startsWith("-") && arg !== folder)
    .map((arg) => ({
      text: `${folder === undefined ? "" : `${folder}/`}${basename(arg.replace(/[?#][^]*$/, ""))}`,
    }));
}

/**
 * Returns an operand that names a file downloaded by the same shell command. For shells and interpreters, only the
 * first operand counts.
 */
const findDownloadedFile: OperandFinder = (operands, command, context) => {
  const { downloads } = readLineFiles(context);
  if (downloads.size === 0) return undefined;
  const files = command.program === "chmod" ? operands : operands.slice(0, 1);
  return files.find((word) => downloads.has(toFileKey(word, command, context)))?.text;
};

/** Whether the shell command runs a file named by one of the command's operands. */
export const startsFile = (command: Command, context: LineContext): boolean => {
  const { executed } = readLineFiles(context);
  return command.args.some(
    (text, at) =>
      !text.startsWith("-") &&
      executed.has(
        toFileKey(
          { text, ...(command.dynamic[at] !== undefined && { dynamic: command.dynamic[at] }) },
          command,
          context,
        ),
      ),
  );
};

/** Returns a network connection that a shell reads from or writes to. */
const findSocket: OperandFinder = (_, command, context) => {
  if (!readsScript(command)) return undefined;
  for (const { operator, target } of command.redirects) {
    if (SOCKET_FILE.test(target)) return target;
    const isCopied = /^[<>]&$/.test(operator) && /^([3-9]|\d\d+)$/.test(target);
    if (isCopied && readLineFiles(context).sockets.has(Number(target))) return `descriptor ${target}`;
  }
  return undefined;
};
/** Returns a shell that runs its stdin as a script and pipes its output into a command. */
const findShell: OperandFinder = (_, command) => {
  const source = findSource(
    command,
    (candidate) => SHELL_PROGRAM.test(candidate.program) && candidate.stdin === undefined && readsScript(candidate),
  );
  return source && describeCommand(source);
};

const SHELL_FILE = /^["']?([\w./-]*\/)?((ba|z|da|k|a)?sh\b|cmd\b|powershell)/i;
const COMMAND_ADDRESS = /^(exec|system|shell):/i;
/** Returns the shell that socat or netcat starts for remote clients, as in `EXEC:/bin/sh` or `-c bash`. */
const findExecutedShell: OperandFinder = (_, { program, args }) =>
  args.find((arg, at) =>
    program === "socat"
      ? COMMAND_ADDRESS.test(arg) && SHELL_FILE.test(arg.slice(arg.indexOf(":") + 1))
      : /^-\w*c$/.test(args[at - 1] ?? "") && SHELL_FILE.test(arg),
  );

/** Placeholders that rules about downloads use in their patterns. */
export const DOWNLOAD_SETS = {
  /** The command whose output the matched command runs as a script. */
  piped: { words: DOWNLOADERS, find: (_, command) => findReadScript(command, DOWNLOAD) },
  /** The command whose output ends up in code passed to the matched command as an argument. */
  substituted: {
    words: [...DOWNLOADERS, ".download"],
    find: (_, command, context) =>
      /^(iex|invoke-expression)$/i.test(command.program)
        ? findExpression(command, context)
        : findPassedScript(command, DOWNLOAD),
  },
  /** The command whose output the matched command opens as a script file. */
  opened: { words: DOWNLOADERS, find: (_, command) => findOpenedScript(command, DOWNLOAD) },
  /** A file downloaded by the same shell command. */
  downloaded: { words: DOWNLOADERS, find: findDownloadedFile },
  /** The command that decodes a script with unknown contents. */
  decoded: {
    words: DECODERS,
    find: (_, command) =>
      findReadScript(command, DECODER) ?? findPassedScript(command, DECODER) ?? findOpenedScript(command, DECODER),
  },
  socket: { words: ["/dev/tcp/", "/dev/udp/"], find: findSocket },
  shell: { words: ["sh"], find: findShell },
  executed: { words: ["sh", "cmd"], find: findExecutedShell },
} satisfies Readonly<Record<string, { words: readonly string[]; find: OperandFinder }>>;
