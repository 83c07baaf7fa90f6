import type { Command } from "bridge-hooks";
import type { LineContext } from "./line-context.ts";

/** A command as a message shows it: with quotes where its words need them, and with its redirections. */
export function showCommand(
  { words, redirects }: Command,
  { line, shell }: Pick<LineContext, "line" | "shell">,
): string {
  const quote = (word: string) => quoteWord(word, shell);
  const shown = words.map(quote);
  // What a file tool writes is a redirection among the words.
  if (!words[0]?.startsWith(">"))
    for (const { operator, target, fd = "" } of redirects)
      shown.push(`${fd}${operator}${/^(<<-?|[<>]&)$/.test(operator) ? "" : " "}${quote(target)}`);
  return nameVariables(shown.join(" "), line, shell);
}

/** Characters that a shell reads as more than a part of a word. */
const SPECIAL = /[\s;&|<>()'"`]/;
/** Words that are shown without quotes: what a command prints, a block or an expression of PowerShell. */
const SUBSTITUTION = /\$\(|`|^[<>]\(/;
const POWERSHELL_CODE = /^[{(@[]/;

function quoteWord(word: string, shell: LineContext["shell"]): string {
  if (word !== "" && !SPECIAL.test(word)) return word;
  if (SUBSTITUTION.test(word) || (shell === "powershell" && POWERSHELL_CODE.test(word))) return word;
  const quote = shell === "cmd" || ((word.includes("'") || word.includes("$")) && !word.includes('"')) ? '"' : "'";
  return `${quote}${word}${quote}`;
}

/** Variables of the environment as the line's shell writes them: the reader of lines knows them as `$X`. */
export function nameVariables(text: string, line: string, shell: LineContext["shell"]): string {
  if (shell === "bash") return text;
  return text.replace(/\$\{?(\w+)\}?/g, (found, name: string) => {
    const written = shell === "cmd" ? `%${name}%` : `$env:${name}`;
    return line.toLowerCase().includes(written.toLowerCase()) ? written : found;
  });
}
