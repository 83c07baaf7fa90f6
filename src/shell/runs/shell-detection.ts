import type { ForeignShell } from "../scope.ts";

/** A shell whose syntax a command line might use. */
export type ShellKind = "bash" | ForeignShell;

/** What is known about the shell that runs a command line. */
export interface ShellHints {
  /** Name of the shell as reported by the host. */
  shell?: unknown;
  /** Whether the command line is a guess based on a tool's arguments. `shell` is then only a hint. */
  guessed?: boolean;
  tool_name?: string;
}

/** Cmdlets, options, variables and types that don't exist in POSIX shells. */
const POWERSHELL_PATTERN = new RegExp(
  [
    String.raw`(?<![\w-])(?:add|clear|compress|convert\w*|copy|disable|enable|expand|export|find|format|get|import|initialize|invoke|join|measure|move|new|out|pop|push|remove|rename|reset|resize|resolve|restart|restore|select|set|sort|split|start|stop|tee|test|uninstall|unregister|write|foreach|where)-(?:item\w*|content|childitem|path|location|expression|command|webrequest|restmethod|process|service|computer\w*|volume|disk|partition|physicaldisk|virtualdisk|storagepool|local\w+|ad\w+|net\w+|eventlog|mppreference|object|string|host|output|file\w*|variable|alias|acl|archive|job|threadjob|sqlcmd|az\w+|dba\w+|sql\w+|web\w+|iis\w+|windows\w+|psremoting|mailbox\w*|mg\w+|msol\w+|spo\w+|unifiedgroup|vm\w*|scheduledtask\w*|bitstransfer|csv|clixml|cim\w+|wmi\w+|clipboard|recyclebin)\b`,
    String.raw`\$(?:env:|psitem\b|_\.)|\[[\w.]+\]::|\s-(?:rec(?:u|ur|urs|urse)?|fo(?:r|rc|rce)?|literalpath|erroraction)(?=[\s;|&)"':]|$)`,
  ].join("|"),
  "i",
);
/** Typical cmd.exe syntax: a command followed by a switch, variables, and the null device. */
const CMD_PROGRAM = /(?:^|[\s&|("'@])(?:del|erase|rd|rmdir|format|copy|move|xcopy|attrib)(?=[\s/])/i;
const CMD_SWITCH = /[\s\w"*]\/[a-z](?=$|[\s/&|)"':])/i;
const CMD_VARIABLE = /%[A-Za-z_]\w{2,60}%|\bfor\s+(?:\/\w\s+)?%|>\s?nul\b/i;

/** Verbs of cmdlets, such as "get" in `Get-Item`. */
const CMDLET_VERBS =
  " add clear compress copy disable enable expand export find format get import initialize invoke join measure move new out pop push remove rename reset resize resolve restart restore select set sort split start stop tee test uninstall unregister write foreach where ";
/** Beyond this length, compiling the regular expression is faster than the quick check. */
const MIN_COMPILED_LENGTH = 1_000;
const OPTION_PREFIXES = ["rec", "fo", "literalpath", "erroraction"];
const POWERSHELL_MARKERS = ["$env:", "$psitem", "$_.", "]::"];

/**
 * Quick check for `POWERSHELL_PATTERN`, since compiling that regular expression takes longer than parsing most command
 * lines. Expects lowercase.
 */
function mayBePowerShell(lowerLine: string): boolean {
  for (const syntaxSign of POWERSHELL_MARKERS) if (lowerLine.includes(syntaxSign)) return true;
  for (let at = lowerLine.indexOf("-"); at >= 0; at = lowerLine.indexOf("-", at + 1)) {
    let wordStart = at;
    while (wordStart > 0 && isLetterOrDigit(lowerLine.charCodeAt(wordStart - 1))) wordStart--;
    const precedingWord = lowerLine.slice(wordStart, at);
    if (precedingWord === "") {
      if (lowerLine[at - 1] === "-") continue;
      for (const option of OPTION_PREFIXES) if (lowerLine.startsWith(option, at + 1)) return true;
    } else if (precedingWord.startsWith("convert") || CMDLET_VERBS.includes(` ${precedingWord} `)) return true;
  }
  return false;
}

const isLetterOrDigit = (code: number) => (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95;

/** Whether a command line is clearly PowerShell. */
export const isPowerShellLine = (line: string): boolean =>
  (line.length > MIN_COMPILED_LENGTH || mayBePowerShell(line.toLowerCase())) && POWERSHELL_PATTERN.test(line);
/** Whether a command line clearly uses cmd.exe syntax. */
export const isCmdLine = (line: string): boolean =>
  (line.includes("/") && CMD_SWITCH.test(line) && CMD_PROGRAM.test(line)) ||
  ((line.includes("%") || line.includes(">")) && CMD_VARIABLE.test(line));

const FOREIGN_CALL = /^(?:[\w.~/-]*\/)?(?:powershell|pwsh|cmd)(?:\.exe)?\s/i;

/**
 * Whether the command line is a single call of a Windows shell. Its script is read as part of the bash command line.
 */
const isForeignCall = (line: string): boolean =>
  FOREIGN_CALL.test(line.trimStart()) &&
  !/[;|&<>()`$"'\n]/.test(line.trim().replace(/"(?:[^"\\]|\\[^])*\\?(?:"|$)|'[^']*(?:'|$)/g, ""));

/**
 * Lists the shells whose syntax might apply to a command line: the one that the host names or, if it doesn't, bash and
 * any others suggested by the syntax or platform. The commands found for each shell are merged.
 */
export function listShells(
  line: string,
  { shell, guessed, tool_name = "" }: ShellHints,
  platform: string,
): ShellKind[] {
  if (!guessed && (shell === "bash" || shell === "powershell" || shell === "cmd")) return [shell];
  const hintText = guessed ? `${tool_name} ${typeof shell === "string" ? shell.slice(0, 200) : ""}`.toLowerCase() : "";
  const shells: ShellKind[] = ["bash"];
  const isCall = isForeignCall(line);
  if (platform === "win32" || /powershell|pwsh/.test(hintText) || (!isCall && isPowerShellLine(line)))
    shells.push("powershell");
  if (/(?:^|[^a-z])cmd(?:\.exe)?(?![a-z])/.test(hintText) || (!isCall && isCmdLine(line))) shells.push("cmd");
  return shells;
}
