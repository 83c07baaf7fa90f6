import { isShell, isWrapper, unwrapped } from "./_programs.ts";

/** One simple command of a shell line. */
export interface Command {
  /** The words, quotes taken off; the first is the program. */
  words: string[];
  /** Files that the command is redirected from or to, and files that a patch in it names. */
  files: string[];
  /** Those of the files that are written to. */
  writes: string[];
}

const DEEPEST = 5;

/**
 * The simple commands of a shell line: through `;`, `&&`, `|`, subshells, `$(…)`, `sudo`, `env`, `sh -c`, `eval` and
 * here-documents for a shell. It knows quotes, backslashes and comments; it does not expand variables or wildcards, does
 * not follow scripts, and does not see what is piped into a shell.
 */
export function commands(line: string, depth = 0): Command[] {
  if (depth > DEEPEST) return [{ words: unwrapped(line.split(/\s+/)), files: [], writes: [] }];
  const { found, nested } = split(line);
  for (const command of [...found]) {
    const given = command.words;
    command.words = unwrapped(given);
    // An option of a wrapper may take a value that is not known here: so may the command begin at any later word.
    if (isWrapper(given[0])) for (let at = 2; at < given.length; at++) found.push({ ...command, words: given.slice(at) });
    const [program = "", ...args] = command.words;
    const script = isShell(program) ? scriptOf(args) : undefined;
    if (script !== undefined) nested.push(script);
    if (program === "eval") nested.push(args.join(" "));
    for (const word of given) command.files.push(...patchedFiles(word));
  }
  for (const inner of nested) found.push(...commands(inner, depth + 1));
  return found;
}

/** What `sh -c` runs: the first word behind its options, if `c` is among them. */
function scriptOf(args: string[]): string | undefined {
  const at = args.findIndex((arg) => !/^[-+]/.test(arg));
  return args.slice(0, at < 0 ? undefined : at).some((arg) => /^-\w*c/.test(arg)) ? args[at] : undefined;
}

/** The files that a patch in the text names, in the form that apply_patch reads. */
function patchedFiles(text: string): string[] {
  if (!text.includes("*** Begin Patch")) return [];
  return [...text.matchAll(/^\s*\*\*\* (?:Add File|Update File|Delete File|Move to):\s*(.+?)\s*$/gm)].map((match) => match[1] as string);
}

/** Whether a line may be about one of the words, however it quotes them: most lines need no closer look. */
export function mentions(line: string, words: readonly string[]): boolean {
  const plain = line.replaceAll("\\", "").replaceAll("'", "").replaceAll('"', "").toLowerCase();
  for (const word of words) if (plain.includes(word)) return true;
  return false;
}

/** A here-document that begins at `at` (a `<<`): its delimiter, and where the operator and the word end. */
function documentAt(line: string, at: number): { end: string; next: number } | undefined {
  const match = /^<<-?[ \t]*(?:'([^'\n]*)'|"([^"\n]*)"|\\?([\w.-]+))/.exec(line.slice(at, at + 200));
  return match ? { end: match[1] ?? match[2] ?? match[3] ?? "", next: at + match[0].length } : undefined;
}

/** The text of a here-document that begins in the line after `at`, and where it ends; nothing if it never does. */
function bodyOf(line: string, start: number, end: string): { text: string; next: number } | undefined {
  for (let at = start; at > 0 && at <= line.length;) {
    const stop = line.indexOf("\n", at);
    if (line.slice(at, stop < 0 ? line.length : stop).trim() === end)
      return { text: line.slice(start, at), next: stop < 0 ? line.length : stop };
    if (stop < 0) return undefined;
    at = stop + 1;
  }
  return undefined;
}

/** Where what opens before `start` closes: the index of `close`; quotes, backslashes and here-documents minded. */
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
    else if (line.startsWith("<<<", i)) i += 2;
    else if (letter === "<" && line[i + 1] === "<") {
      const document = documentAt(line, i);
      const body = document && bodyOf(line, line.indexOf("\n", document.next) + 1, document.end);
      if (body) i = body.next;
    }
  }
  return line.length;
}

/** The commands of a line, and the texts inside it that a shell would run too. */
function split(line: string): { found: Command[]; nested: string[] } {
  const found: Command[] = [];
  const nested: string[] = [];
  const documents: { end: string; command: Command }[] = [];
  let command: Command = { words: [], files: [], writes: [] };
  let word = "";
  let open = false;
  let redirects = "";
  let quote = "";
  const endWord = () => {
    if (!open) return;
    if (redirects === "") command.words.push(word);
    else if (redirects === "<<<") {
      if (isShell(unwrapped(command.words)[0])) nested.push(word);
    } else {
      command.files.push(word);
      if (redirects.includes(">")) command.writes.push(word);
    }
    redirects = "";
    word = "";
    open = false;
  };
  const endCommand = () => {
    endWord();
    if (command.words.length + command.files.length > 0) found.push(command);
    command = { words: [], files: [], writes: [] };
    redirects = "";
  };
  for (let i = 0; i < line.length; i++) {
    const letter = line[i] as string;
    if (letter === "\\" && quote !== "'") {
      i++;
      if (line[i] === "\n") continue;
      word += line[i] ?? "";
      open = true;
    } else if (quote !== "'" && quote !== "$'" && (letter === "`" || (letter === "$" && line[i + 1] === "("))) {
      const start = letter === "`" ? i + 1 : i + 2;
      const end = letter === "`" ? closing(line, start, "", "`") : closing(line, start, "(", ")");
      nested.push(line.slice(start, end));
      word += line.slice(i, end + 1);
      open = true;
      i = end;
    } else if (quote !== "") {
      if (letter === quote.at(-1)) quote = "";
      else word += letter;
    } else if (letter === "'" || letter === '"') {
      quote = letter;
      open = true;
    } else if (letter === "$" && line[i + 1] === "'") {
      // In $'…' a backslash escapes, the quote included.
      quote = "$'";
      open = true;
      i++;
    } else if (letter === "#" && !open) {
      while (i + 1 < line.length && line[i + 1] !== "\n") i++;
    } else if (line.startsWith("<<<", i)) {
      endWord();
      redirects = "<<<";
      i += 2;
    } else if (letter === "<" && line[i + 1] === "<" && documentAt(line, i)) {
      endWord();
      const { end, next } = documentAt(line, i) as { end: string; next: number };
      documents.push({ end, command });
      i = next - 1;
    } else if (letter === ">" || letter === "<") {
      if (word === "0" || word === "1" || word === "2") open = false;
      if (!open) word = "";
      if (redirects === "" || open) endWord();
      redirects += letter;
      if (letter === ">" && line[i + 1] === "|") i++;
    } else if (letter === "&" && (line[i - 1] === ">" || line[i + 1] === ">")) continue;
    else if (letter === "\n") {
      endCommand();
      i = readDocuments(line, i, documents, nested);
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

/** Reads over the here-documents whose text begins behind the newline at `at`. Returns where the last of them ends. */
function readDocuments(line: string, at: number, documents: { end: string; command: Command }[], nested: string[]): number {
  let last = at;
  for (const { end, command } of documents.splice(0)) {
    const body = bodyOf(line, last + 1, end);
    if (!body) continue;
    command.files.push(...patchedFiles(body.text));
    if (isShell(unwrapped(command.words)[0])) nested.push(body.text);
    last = body.next;
  }
  return last;
}
