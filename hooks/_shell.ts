/** One simple command of a shell line. */
export interface Command {
  /** The words, quotes taken off; the first is the program. */
  words: string[];
  /** Targets of `>`, `>>` and `<`. */
  redirections: string[];
}

/** Words that run the command behind them: their options that take a value, and how many words come before the command. */
const WRAPPERS: Readonly<Record<string, readonly [options: string, words: number]>> = {
  sudo: ["ugphCTUD", 0],
  doas: ["uC", 0],
  env: ["uCS", 0],
  nice: ["n", 0],
  ionice: ["cn", 0],
  stdbuf: ["ioe", 0],
  timeout: ["sk", 1],
  xargs: ["InPLdEsa", 0],
  time: ["fo", 0],
  nohup: ["", 0],
  setsid: ["", 0],
  command: ["", 0],
  exec: ["a", 0],
  builtin: ["", 0],
};
const KEYWORDS = new Set(["if", "then", "else", "elif", "while", "until", "do", "!", "{"]);
const SHELLS = new Set(["sh", "bash", "zsh", "dash", "ksh"]);
/** Runs a patch; its lines are looked at like commands, for the files they name. */
const PATCH = "apply_patch";
const DEEPEST = 5;

/**
 * The simple commands of a shell line: through `;`, `&&`, `|`, subshells, `$(…)`, `sudo`, `env`, `sh -c`, `eval` and
 * here-documents that are run. It knows quotes, backslashes and comments; it does not expand variables or wildcards, and
 * does not follow scripts.
 */
export function commands(line: string, depth = 0): Command[] {
  if (depth > DEEPEST) return [{ words: unwrapped(line.split(/\s+/)), redirections: [] }];
  const { found, nested } = split(line);
  for (const command of found) {
    command.words = unwrapped(command.words);
    const [program = "", ...args] = command.words;
    const at = SHELLS.has(name(program)) ? args.findIndex((word) => /^-\w*c$/.test(word)) : -1;
    if (at >= 0) nested.push(args[at + 1] ?? "");
    if (program === "eval" || program === PATCH) nested.push(args.join(" "));
  }
  for (const inner of nested) found.push(...commands(inner, depth + 1));
  return found;
}

/** Whether a line may be about one of the words, however it quotes them: most lines need no closer look. */
export function mentions(line: string, words: readonly string[]): boolean {
  const plain = line.replaceAll("\\", "").replaceAll("'", "").replaceAll('"', "").toLowerCase();
  for (const word of words) if (plain.includes(word)) return true;
  return false;
}

/** A program without its folder: `/bin/rm` is `rm`. */
export const name = (program: string) => program.slice(Math.max(program.lastIndexOf("/"), program.lastIndexOf("\\")) + 1);

/** The words without what only runs them: `sudo -u me nice rm x` is `rm x`. */
function unwrapped(words: string[]): string[] {
  let at = 0;
  while (at < words.length - 1) {
    const word = words[at] as string;
    const wrapper = Object.hasOwn(WRAPPERS, name(word)) ? WRAPPERS[name(word)] : undefined;
    if (wrapper) {
      at++;
      for (; words[at]?.startsWith("-"); at++) if (words[at]?.length === 2 && wrapper[0].includes(words[at]?.[1] as string)) at++;
      at += wrapper[1];
    } else if (word.indexOf("=") > 0 || KEYWORDS.has(word)) at++;
    else break;
  }
  return words.slice(at);
}

/** Where what opens before `start` closes: the index of `close`, quotes and backslashes minded. */
function closing(line: string, start: number, open: string, close: string): number {
  let depth = 1;
  let quote = "";
  for (let i = start; i < line.length; i++) {
    const letter = line[i] as string;
    if (letter === "\\" && quote !== "'") i++;
    else if (quote) quote = letter === quote ? "" : quote;
    else if (letter === close && --depth === 0) return i;
    else if (letter === open) depth++;
    else if ((letter === "'" || letter === '"') && close !== "`") quote = letter;
  }
  return line.length;
}

/** The commands of a line, and the texts inside it that a shell would run too. */
function split(line: string): { found: Command[]; nested: string[] } {
  const found: Command[] = [];
  const nested: string[] = [];
  const documents: { end: string; isRun: boolean }[] = [];
  let command: Command = { words: [], redirections: [] };
  let word = "";
  let open = false;
  let redirects = "";
  let quote = "";
  const endWord = () => {
    if (open && redirects.startsWith("<<") && redirects !== "<<<") {
      const program = name(unwrapped(command.words)[0] ?? "");
      documents.push({ end: word, isRun: SHELLS.has(program) || program === PATCH });
    } else if (open) (redirects ? command.redirections : command.words).push(word);
    if (open) redirects = "";
    word = "";
    open = false;
  };
  const endCommand = () => {
    endWord();
    if (command.words.length + command.redirections.length > 0) found.push(command);
    command = { words: [], redirections: [] };
    redirects = "";
  };
  for (let i = 0; i < line.length; i++) {
    const letter = line[i] as string;
    if (letter === "\\" && quote !== "'") {
      i++;
      if (line[i] === "\n") continue;
      word += line[i] ?? "";
      open = true;
    } else if (quote !== "'" && (letter === "`" || (letter === "$" && line[i + 1] === "("))) {
      const start = letter === "`" ? i + 1 : i + 2;
      const end = letter === "`" ? closing(line, start, "", "`") : closing(line, start, "(", ")");
      nested.push(line.slice(start, end));
      word += line.slice(i, end + 1);
      open = true;
      i = end;
    } else if (quote !== "") {
      if (letter === quote) quote = "";
      else word += letter;
    } else if (letter === "'" || letter === '"') {
      quote = letter;
      open = true;
    } else if (letter === "#" && !open) {
      while (i + 1 < line.length && line[i + 1] !== "\n") i++;
    } else if (letter === ">" || letter === "<") {
      if (word === "0" || word === "1" || word === "2") open = false;
      if (redirects === "" || open) endWord();
      redirects += letter;
    } else if (letter === "&" && (line[i - 1] === ">" || line[i + 1] === ">")) continue;
    else if (letter === "\n") {
      endCommand();
      if (documents.length > 0) i = readDocuments(line, i + 1, documents, nested) - 1;
    } else if (";|&()".includes(letter)) endCommand();
    else if (" \t\r".includes(letter)) endWord();
    else {
      word += letter;
      open = true;
    }
  }
  endCommand();
  return { found, nested };
}

/** Reads over the here-documents that begin at `start`; those that are run are commands. Returns where they end. */
function readDocuments(line: string, start: number, documents: { end: string; isRun: boolean }[], nested: string[]): number {
  let at = start;
  for (const { end, isRun } of documents.splice(0)) {
    const body: string[] = [];
    while (at < line.length) {
      const stop = line.indexOf("\n", at);
      const text = line.slice(at, stop < 0 ? line.length : stop);
      at = stop < 0 ? line.length : stop + 1;
      if (text.trim() === end.replace(/^-/, "")) break;
      body.push(text);
    }
    if (isRun) nested.push(body.join("\n"));
  }
  return at;
}
