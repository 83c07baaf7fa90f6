import { comparablePath } from "bridge-hooks";

/** A shell line in small letters, without quotes and backslashes; of Windows paths, once more with slashes. */
export function toPlainLine(line: string): string {
  // Most have none, and to compile the expression takes longer than to look.
  const isPut = line.includes('"') || line.includes("'") || line.includes("\\");
  const plain = (isPut ? line.replace(/\\\n|['"\\]/g, "") : line).toLowerCase();
  const full =
    isPut && (line.includes(":\\") || line.includes(".\\"))
      ? `${plain} ${line.replaceAll("\\", "/").replace(/['"]/g, "").toLowerCase()}`
      : plain;
  // What names are for a file system that folds them: `ſ` is `s`. In letters that need no folding nothing changes.
  return /[^\0-\x7f]/.test(full) ? comparablePath(`/${full}`, "linux").slice(1) : full;
}

/** Whether a shell takes words in the line apart, or puts them together, before they are any. */
export const hasHiddenWords = (line: string): boolean =>
  (line.includes("IFS=") && /IFS=["']?[^\s"'$;&|]/.test(line)) ||
  line.includes("base64") ||
  line.includes("xxd") ||
  (line.includes("printf") && line.includes("%")) ||
  line.includes("$'") ||
  typesKeys(line) ||
  (line.includes("\\") && /\\[0-7xu]/.test(line));

/** Commands of programs that type their words into a terminal, joined. */
const TYPING_WORDS = ["send", "stuff", "write-chars", "xdotool", "ydotool"];
const TYPING_PROGRAMS = ["tmux", "byobu", "screen", "zellij", "wezterm", "kitty", "kitten", "expect", "dotool"];
/** What a call has to mention to type keys. */
export const TYPING_CONCERNS: readonly string[] = TYPING_PROGRAMS.flatMap((program) =>
  TYPING_WORDS.map((word) => `${program} *${word}*`),
).concat(["xdotool", "ydotool"]);
const typesKeys = (line: string): boolean =>
  TYPING_WORDS.some((word) => line.includes(word)) && TYPING_PROGRAMS.some((program) => line.includes(program));

/** Names of what runs a text as a line of PowerShell or cmd.exe, `COMSPEC` among them. */
const FOREIGN_RUNNERS = ["cmd", "comspec", "iex", "invoke-", "powershell", "pwsh", "comobject"];

/** Whether a line may have one of these shells run a text. */
export function mayCallForeignShell(line: string): boolean {
  const lower = line.toLowerCase();
  return FOREIGN_RUNNERS.some((name) => lower.includes(name));
}

/**
 * Whether a line of PowerShell or cmd.exe may put words together: in an expression, `('.e' + 'nv')`, of variables, by
 * escapes, or with wildcards, which match a dot at the start of a name there.
 */
export const hasForeignExpansions = (line: string): boolean => /[`^+$%!(@*?\u2013-\u201e]/.test(line);

/** Whether a command of the line may get the names that `ls` lists. */
export const hasListedNames = (line: string): boolean =>
  line.includes("ls") && /(?:^|[\s;&|(`{])ls(?=[\s|)`])/.test(line) && /xargs|parallel|\bread|\$\(|`/.test(line);
