/** One simple command of a shell line. */
export interface Command {
  /** The words, quotes taken off; the first is the program. */
  words: string[];
  /** Targets of `>`, `>>` and `<`. */
  redirections: string[];
}

/** Words that run the command behind them. */
const WRAPPERS = new Set([
  "sudo",
  "doas",
  "env",
  "nohup",
  "time",
  "nice",
  "command",
  "exec",
  "builtin",
  "xargs",
  "then",
  "do",
  "else",
  "!",
  "{",
]);
const SHELLS = new Set(["sh", "bash", "zsh", "dash", "ksh"]);

/**
 * The simple commands of a shell line: through `;`, `&&`, `|`, subshells, `$(…)`, `sudo`, `env`, `sh -c` and `eval`.
 * It knows quotes and backslashes; it does not expand variables or globs, and does not follow scripts.
 */
export function commands(line: string, depth = 0): Command[] {
  if (depth > 5) return [];
  return split(line).flatMap((command) => {
    const words = unwrapped(command.words);
    const [program = "", ...args] = words;
    const at = SHELLS.has(name(program)) ? args.findIndex((word) => /^-\w*c$/.test(word)) : -1;
    const inner = program === "eval" ? args.join(" ") : at >= 0 ? args[at + 1] : undefined;
    return [{ ...command, words }, ...(inner === undefined ? [] : commands(inner, depth + 1))];
  });
}

/** A program without its folder: `/bin/rm` is `rm`. */
export const name = (program: string) => program.slice(Math.max(program.lastIndexOf("/"), program.lastIndexOf("\\")) + 1);

function unwrapped(words: string[]): string[] {
  let rest = words;
  for (;;) {
    const [first = "", second] = rest;
    if (first.indexOf("=") > 0 && second !== undefined) rest = rest.slice(1);
    else if (WRAPPERS.has(name(first)) && second !== undefined) {
      rest = rest.slice(1);
      while (rest.length > 1 && rest[0]?.startsWith("-")) rest = rest.slice(1);
    } else return rest;
  }
}

function split(line: string): Command[] {
  const found: Command[] = [];
  let command: Command = { words: [], redirections: [] };
  let word = "";
  let open = false;
  let redirects = false;
  let quote = "";
  const endWord = () => {
    if (open) (redirects ? command.redirections : command.words).push(word);
    if (open) redirects = false;
    word = "";
    open = false;
  };
  const endCommand = () => {
    endWord();
    if (command.words.length + command.redirections.length > 0) found.push(command);
    command = { words: [], redirections: [] };
  };
  for (let i = 0; i < line.length; i++) {
    const letter = line[i] as string;
    if (letter === "\\" && quote !== "'") {
      i++;
      if (line[i] === "\n") continue;
      word += line[i] ?? "";
      open = true;
    } else if (quote !== "" && letter === quote) quote = "";
    else if (quote === "'" || (quote === '"' && letter !== "`" && line.slice(i, i + 2) !== "$(")) word += letter;
    else if (letter === "'" || letter === '"') {
      quote = letter;
      open = true;
    } else if (letter === "$" && line[i + 1] === "(") {
      // What a substitution runs is a command of its own, also inside double quotes.
      quote = "";
      i++;
      endCommand();
    } else if (";|()`\n".includes(letter) || (letter === "&" && line[i - 1] !== ">" && line[i + 1] !== ">")) endCommand();
    else if (letter === ">" || letter === "<") {
      if (word === "1" || word === "2" || word === "0") word = "";
      open = word !== "";
      endWord();
      redirects = true;
    } else if (" \t\r".includes(letter)) endWord();
    else {
      word += letter;
      open = true;
    }
  }
  endCommand();
  return found;
}
