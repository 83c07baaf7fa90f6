import type { Command } from "bridge-hooks";
import type { LineContext } from "./line-context.ts";

/** Formats a command, including redirections, for messages. Words are quoted where necessary. */
export function showCommand(
  { words, redirects }: Command,
  { line, shell }: Pick<LineContext, "line" | "shell">,
): string {
  const quote = (word: string) => quoteWord(word, shell);
  const quotedWords = words.map(quote);
  // For a write by a file tool, the words already contain the redirection.
  if (!words[0]?.startsWith(">"))
    for (const { operator, target, fd = "" } of redirects)
      quotedWords.push(`${fd}${operator}${/^(<<-?|[<>]&)$/.test(operator) ? "" : " "}${quote(target)}`);
  return nameVariables(quotedWords.join(" "), line, shell);
}

/** Characters that a shell treats specially inside a word. */
const SPECIAL_CHARACTER = /[\s;&|<>()'"`]/;
/** Words shown without quotes: command substitutions and PowerShell blocks or expressions. */
const UNQUOTED_WORD = /\$\(|`|^[<>]\(/;
const POWERSHELL_CODE = /^[{(@[]/;

function quoteWord(word: string, shell: LineContext["shell"]): string {
  if (word !== "" && !SPECIAL_CHARACTER.test(word)) return word;
  if (UNQUOTED_WORD.test(word) || (shell === "powershell" && POWERSHELL_CODE.test(word))) return word;
  const quote = shell === "cmd" || ((word.includes("'") || word.includes("$")) && !word.includes('"')) ? '"' : "'";
  return `${quote}${word}${quote}`;
}

/** Converts environment variables from the parser's `$X` to the syntax of the original shell. */
export function nameVariables(text: string, line: string, shell: LineContext["shell"]): string {
  if (shell === "bash") return text;
  return text.replace(/\$\{?(\w+)\}?/g, (reference, name: string) => {
    const variableText = shell === "cmd" ? `%${name}%` : `$env:${name}`;
    return line.toLowerCase().includes(variableText.toLowerCase()) ? variableText : reference;
  });
}
