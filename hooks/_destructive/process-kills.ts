import type { Command } from "bridge-hooks";
import type { LineContext } from "./line-context.ts";
import type { OperandFinder } from "./place-finder.ts";

/**
 * Agents, hosts, host runtimes, shells, and system processes. Ending every process with one of these names ends the
 * session.
 */
const HOST_NAME =
  /^(?:node(?:js)?|bun|deno|electron|code|claude(?:-code)?|codex|cursor(?:-agent)?|gemini(?:-cli)?|opencode|copilot|aider|goose|amp|windsurf|kiro|qwen|droid|bash|zsh|fish|dash|ksh|sh|pwsh|powershell|cmd|conhost|windowsterminal|terminal|iterm2?|ghostty|wezterm(?:-gui)?|kitty|alacritty|warp|konsole|gnome-terminal(?:-server)?|tmux|screen|sshd|login|systemd|init|dbus-daemon|x(?:org|wayland)|gnome-shell|windowserver|loginwindow|svchost|csrss|lsass|winlogon|wininit|services)$/i;

/** Interpreters, which also run editor helpers, notebooks, and agents. */
const INTERPRETER = /^(?:python|java|ruby|php)[\d.]{0,5}$/i;

/** Returns the program name from a process pattern such as `^node$`, `/usr/bin/node`, or `node.exe`. */
const getPatternName = (pattern: string): string =>
  pattern
    .replace(/^\^|\$$|\.\*$/g, "")
    .replace(/^.*[/\\](?=[^/\\]+$)/, "")
    .replace(/\.exe$/i, "")
    .trim();

/** Describes the processes matched by a name or command-line pattern, if the pattern is too broad. */
function describePattern(pattern: string | undefined, matchesCommandLine = false): string | undefined {
  if (pattern === undefined) return undefined;
  const processNames = pattern.split(/\\?\|/).map(getPatternName);
  if (processNames.some((name) => /^(?:|\.|\*|\.\*|\.\+)$/.test(name))) return "every process";
  const name = processNames.find(
    (processName) => HOST_NAME.test(processName) || (matchesCommandLine && INTERPRETER.test(processName)),
  );
  if (name === undefined) return undefined;
  return matchesCommandLine ? `every process with ${name} in its command line` : `every process named ${name}`;
}

/** Options of pkill, pgrep, and killall that take a value. */
const VALUE_OPTION =
  /^-[uUtGgPsFr]$|^--(?:euid|uid|terminal|pgroup|group|parent|session|signal|pidfile|runstates|user)$/;
/** Options that narrow the selection to a parent, terminal, or age. */
const NARROWING_OPTION =
  /^-[PFntogs]|^--(?:parent|pidfile|terminal|pgroup|newest|oldest|session|older-than|younger-than)/;
const KILLALL_VALUE_OPTION = /^-[usoyntZ]$|^--(?:user|signal|older-than|younger-than|ns|context)$/;
const KILLALL_NARROWING_OPTION = /^-[oyt]|^--(?:older-than|younger-than)/;
const USER_OPTION = /^-[a-z]*[uU]|^--(?:euid|uid|user)/;
/** Signals that don't end a process, as in `-HUP`, `-s 0`, or `--signal=USR1`. */
const HARMLESS_SIGNAL = /^(?:-|-s|--signal=?)(?:0|(?:SIG)?(?:CONT|HUP|USR[12]|WINCH|CHLD|STOP))$/;
const SIGNAL_OPTION = /^-(?:\d+|(?:SIG)?[A-Z]{3,}\d?)$/;

/** Describes the processes matched by pkill, pgrep, pidof, or killall. */
function describeMatches({ args, program }: Pick<Command, "args" | "program">): string | undefined {
  const patterns: string[] = [];
  let selectsByUser = false;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    const signal = /^(?:-s|--signal)$/.test(arg) ? arg + (args[at + 1] ?? "") : arg;
    if (HARMLESS_SIGNAL.test(signal)) return undefined;
    if (SIGNAL_OPTION.test(arg)) continue;
    if (!/^-./.test(arg)) patterns.push(arg);
    else {
      if ((program === "killall" ? KILLALL_NARROWING_OPTION : NARROWING_OPTION).test(arg)) return undefined;
      selectsByUser ||= USER_OPTION.test(arg);
      if ((program === "killall" ? KILLALL_VALUE_OPTION : VALUE_OPTION).test(arg)) at++;
    }
  }
  const matchesCommandLine = program !== "killall" && args.some((arg) => /^(?:-[a-z]*f|--full)/.test(arg));
  const description = patterns
    .map((candidate) => describePattern(candidate, matchesCommandLine))
    .find((candidate) => candidate !== undefined);
  return description ?? (selectsByUser && patterns.length === 0 ? "every process of a user" : undefined);
}

/** Describes the processes that `taskkill` ends, as with `/IM node.exe`, `/IM *`, or `/FI "USERNAME eq me"`. */
function describeTasks(args: readonly string[]): string | undefined {
  const values = (optionPattern: RegExp) => args.filter((_, at) => optionPattern.test(args[at - 1] ?? ""));
  const [images, filters] = [values(/^\/{1,2}im$/i), values(/^\/{1,2}fi$/i)];
  const imageNames = [...images, ...filters.map((text) => /^imagename\s{1,9}eq\s{1,9}(\S.*)$/i.exec(text)?.[1])];
  const isNarrow = filters.some((text) => /^(?:windowtitle|services|modules|cputime|memusage|session)\b/i.test(text));
  const description = isNarrow
    ? undefined
    : imageNames.map((candidate) => describePattern(candidate)).find((candidate) => candidate !== undefined);
  const isTooBroad =
    images.length === 0 &&
    filters.some((text) => /^(?:username\s{1,9}eq|status\s{1,9}eq|pid\s{1,9}(?:ne|gt))\b/i.test(text));
  return description ?? (isTooBroad && !isNarrow ? "every process that the filter matches" : undefined);
}

/** A PowerShell pipeline that ends processes selected only by name, such as `Get-Process node | Stop-Process`. */
const KILLING_PIPELINE =
  /\b(?:get-process|gps|ps)\b[^|;&\n]{0,200}\|\s{0,20}(?:(?:stop-process|spps|kill)\b|(?:foreach-object|foreach|%)\s{0,9}\{[^}]{0,80}(?:\.kill\(|\bstop-process\b))/i;
/** A script block that ends each process, as in `ForEach-Object { $_.Kill() }`. */
const KILLING_BLOCK = /\{[^}]{0,80}(?:\.kill\(|\bstop-process\b)/i;
/** A filter by process name, such as `Where-Object { $_.Name -eq 'node' }`. */
const NAME_FILTER =
  /\|\s{0,9}(?:where-object|where|\?)\s{0,9}\{?\s{0,9}(?:\$_\.)?(?:process)?name\s{1,9}-(?:eq|like|match)\s{1,9}['"]?\*?([\w.-]{1,40})\*?['"]?\s{0,9}\}?\s{0,9}\|/i;

function describePipeline({ args }: Command, line: string): string | undefined {
  const filter = NAME_FILTER.exec(line)?.[1];
  if (filter !== undefined) return describePattern(filter);
  if (!KILLING_PIPELINE.test(line)) return undefined;
  const names = args.filter((arg) => !arg.startsWith("-")).flatMap((arg) => arg.split(","));
  return names.length === 0
    ? "every process"
    : names.map((candidate) => describePattern(candidate)).find((candidate) => candidate !== undefined);
}

/**
 * Describes the processes that a listing command selects. If `isFiltered` is set, this includes those selected by a
 * filter after `ps`.
 */
function describeListingCommand(command: Command, line: string, isFiltered: boolean): string | false | undefined {
  const { program, args } = command;
  if (/^(?:get-process|gps)$/.test(program)) return describePipeline(command, line);
  if (/^(?:pgrep|pidof)$/.test(program)) return describeMatches(command);
  if (program === "ps" && args.includes("-C")) return describePattern(args[args.indexOf("-C") + 1]);
  if (!isFiltered || /^-\w*v/.test(args[0] ?? "")) return false;
  const [text = ""] = args.filter((arg) => !arg.startsWith("-"));
  if (program !== "awk") return /^[ef]?grep$/.test(program) ? describePattern(text) : false;
  const name = /^\s*\/([\w^$.-]{1,40})\/\s*\{/.exec(text)?.[1];
  return name === undefined ? false : describePattern(name);
}

/**
 * Describes the processes that substituted or preceding commands pass to `kill`. For
 * `ps aux | grep node | grep -v grep`, for example, the result is undefined unless every filter is too broad.
 */
function describeListedProcesses(command: Command, { commands, line }: LineContext): string | undefined {
  const { dynamic, more } = command;
  const words = Object.values(dynamic);
  const isInWords = words.some((word) => /\$\(|`/.test(word));
  const at = commands.indexOf(command);
  // A loop can read the process IDs: `pgrep node | while read p; do kill $p; done`.
  const isRead = words.length > 0 && commands.slice(0, at).some(({ program }) => program === "read");
  if (!isInWords && !more && !isRead) return undefined;
  // In `PID=$(pgrep node); kill $PID`, the variable's value contains the listing command.
  const listing = isInWords
    ? commands.filter((candidate) => candidate !== command && words.some((word) => word.includes(candidate.program)))
    : commands.slice(0, at);
  const isFiltered = listing.some(({ program }) => program === "ps");
  const descriptions = listing
    .map((candidate) => describeListingCommand(candidate, line, isFiltered))
    .filter((candidate) => candidate !== false);
  return descriptions.length > 0 && descriptions.every((candidate) => candidate !== undefined)
    ? descriptions[0]
    : undefined;
}

/** Describes the processes that a command ends by name or user, if they could include the session's own process. */
export const findEndedProcesses: OperandFinder = (_, command, context) => {
  const { program, args } = command;
  if (program === "taskkill") return describeTasks(args);
  if (program === "get-process")
    return KILLING_BLOCK.test(context.line) ? describePipeline(command, context.line) : undefined;
  return program === "kill" ? describeListedProcesses(command, context) : describeMatches(command);
};
