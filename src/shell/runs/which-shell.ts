import type { ForeignShell } from "../scope.ts";

/** A shell that a line may be for. */
export type ShellKind = "bash" | ForeignShell;

/** What is known of the shell that runs a line. */
export interface ShellHints {
  /** The shell that the host names. */
  shell?: unknown;
  /** The line is only guessed to be one: what the call says of its shell is another hint. */
  guessed?: boolean;
  tool_name?: string;
}

/** Cmdlets, variables and types that no POSIX shell has. */
const POWERSHELL_SIGN = new RegExp(
  [
    String.raw`(?<![\w-])(?:add|clear|compress|convert\w*|copy|disable|enable|expand|export|find|format|get|import|initialize|invoke|join|measure|move|new|out|pop|push|remove|rename|reset|resize|resolve|restart|restore|select|set|sort|split|start|stop|tee|test|uninstall|unregister|write|foreach|where)-(?:item\w*|content|childitem|path|location|expression|command|webrequest|restmethod|process|service|computer\w*|volume|disk|partition|physicaldisk|virtualdisk|storagepool|local\w+|ad\w+|net\w+|eventlog|mppreference|object|string|host|output|file\w*|variable|alias|acl|archive|job|threadjob|sqlcmd|az\w+|dba\w+|sql\w+|web\w+|iis\w+|windows\w+|psremoting|mailbox\w*|mg\w+|msol\w+|spo\w+|unifiedgroup|vm\w*|scheduledtask\w*|bitstransfer|csv|clixml|cim\w+|wmi\w+|clipboard|recyclebin)\b`,
    String.raw`\$(?:env:|psitem\b|_\.)|\[[\w.]+\]::|\s-(?:rec(?:u|ur|urs|urse)?|fo(?:r|rc|rce)?|literalpath|erroraction)(?=[\s;|&)"':]|$)`,
  ].join("|"),
  "i",
);
/** Programs of cmd.exe with a switch behind them, its variables, and its null device. */
const CMD_PROGRAM = /(?:^|[\s&|("'@])(?:del|erase|rd|rmdir|format|copy|move|xcopy|attrib)(?=[\s/])/i;
const CMD_SWITCH = /[\s\w"*]\/[a-z](?=$|[\s/&|)"':])/i;
const CMD_VARIABLE = /%[A-Za-z_]\w{2,60}%|\bfor\s+(?:\/\w\s+)?%|>\s?nul\b/i;

/** What precedes the dash of a cmdlet, and what follows the dash of an option. */
const VERBS =
  " add clear compress copy disable enable expand export find format get import initialize invoke join measure move new out pop push remove rename reset resize resolve restart restore select set sort split start stop tee test uninstall unregister write foreach where ";
/** For a longer line the expression is worth its compilation. */
const LONG = 1_000;
const OPTION_BEGINNINGS = ["rec", "fo", "literalpath", "erroraction"];
const MIXED_SIGNS = ["$env:", "$psitem", "$_.", "]::"];

/**
 * Whether a line in small letters may have what `POWERSHELL_SIGN` looks for: to compile that takes longer than to read
 * most lines.
 */
function mayHavePowerShellSign(lower: string): boolean {
  for (const sign of MIXED_SIGNS) if (lower.includes(sign)) return true;
  for (let at = lower.indexOf("-"); at >= 0; at = lower.indexOf("-", at + 1)) {
    let from = at;
    while (from > 0 && isLetterOrDigit(lower.charCodeAt(from - 1))) from--;
    const before = lower.slice(from, at);
    if (before === "") {
      if (lower[at - 1] === "-") continue;
      for (const option of OPTION_BEGINNINGS) if (lower.startsWith(option, at + 1)) return true;
    } else if (before.startsWith("convert") || VERBS.includes(` ${before} `)) return true;
  }
  return false;
}

const isLetterOrDigit = (code: number) => (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95;

/** Whether a line is unmistakably one of PowerShell's. */
export const isPowerShellLine = (line: string): boolean =>
  (line.length > LONG || mayHavePowerShellSign(line.toLowerCase())) && POWERSHELL_SIGN.test(line);
/** Whether a line is unmistakably one of cmd.exe's. */
export const isCmdLine = (line: string): boolean =>
  (line.includes("/") && CMD_SWITCH.test(line) && CMD_PROGRAM.test(line)) ||
  ((line.includes("%") || line.includes(">")) && CMD_VARIABLE.test(line));

const FOREIGN_CALL = /^(?:[\w.~/-]*\/)?(?:powershell|pwsh|cmd)(?:\.exe)?\s/i;

/** Whether a line is a single command that hands a text to a shell of Windows: bash's reading reads that text. */
const isForeignCall = (line: string): boolean =>
  FOREIGN_CALL.test(line.trimStart()) &&
  !/[;|&<>()`$"'\n]/.test(line.trim().replace(/"(?:[^"\\]|\\[^])*\\?(?:"|$)|'[^']*(?:'|$)/g, ""));

/**
 * The shells that a line is read for. Where the host doesn't name one, it is bash, and whatever else the line or the
 * system suggests: what any of them would run counts.
 */
export function listShells(
  line: string,
  { shell, guessed, tool_name = "" }: ShellHints,
  platform: string,
): ShellKind[] {
  if (!guessed && (shell === "bash" || shell === "powershell" || shell === "cmd")) return [shell];
  const named = guessed ? `${tool_name} ${typeof shell === "string" ? shell.slice(0, 200) : ""}`.toLowerCase() : "";
  const found: ShellKind[] = ["bash"];
  const isCall = isForeignCall(line);
  if (platform === "win32" || /powershell|pwsh/.test(named) || (!isCall && isPowerShellLine(line)))
    found.push("powershell");
  if (/(?:^|[^a-z])cmd(?:\.exe)?(?![a-z])/.test(named) || (!isCall && isCmdLine(line))) found.push("cmd");
  return found;
}
