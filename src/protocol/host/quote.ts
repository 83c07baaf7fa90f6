/** The shell in which a host runs a command line: POSIX `sh`, PowerShell (the host prepends `&`) or `cmd.exe`. */
export type Dialect = "sh" | "powershell" | "cmd";

type VariableValues = Readonly<Record<string, string | undefined>>;

/** Words that don't need quotes. In PowerShell, "@" splats and "," builds a list. */
const UNQUOTED_WORD: Record<Dialect, RegExp> = {
  sh: /^[\w@%+=:,./-]+$/,
  powershell: /^[\w%+=:./\\-]+$/,
  cmd: /^[\w@+=:,./\\-]+$/,
};

/**
 * Joins a program and its arguments into one command line. Words are quoted only if needed.
 * @throws Error if a word can't be written in the dialect.
 */
export const quoteCommand = (words: readonly string[], dialect: Dialect): string =>
  words.map((word) => quoteWord(word, dialect)).join(" ");

export function quoteWord(word: string, dialect: Dialect): string {
  if (/[\0\r\n]/.test(word)) throw new Error(`${JSON.stringify(word)} contains a line break; use a path without one`);
  if (UNQUOTED_WORD[dialect].test(word)) return word;
  switch (dialect) {
    case "sh":
      return `'${word.replaceAll("'", String.raw`'\''`)}'`;
    case "powershell":
      // PowerShell treats curly apostrophes like straight ones.
      return `'${word.replace(/['\u2018-\u201b]/g, "$&$&")}'`;
    case "cmd":
      // Quotes don't help with these characters: if the command line contains any of them, `cmd /c` strips the outer
      // quotes.
      if (/["%!^&<>()|@]/.test(word))
        throw new Error(`${word} contains a character that cmd.exe interprets ("%!^&<>()|@); use a path without it`);
      return `"${word}"`;
  }
}

const expandVariables = (text: string, env: VariableValues) => {
  let areAllKnown = true;
  const filled = text.replace(/\$(?:\{(\w+)\}|(\w+)|)/g, (_, bracedName, plainName) => {
    const value = env[bracedName ?? plainName];
    areAllKnown &&= value !== undefined;
    return value ?? "";
  });
  return areAllKnown ? filled : undefined;
};

/**
 * Patterns for the fragments of a word, with functions that return their values. If a fragment matches no pattern, the
 * command isn't simple.
 */
const WORD_FRAGMENTS: Record<Dialect, [RegExp, (text: string, env: VariableValues) => string | undefined][]> = {
  sh: [
    [/'([^']*)'/y, (text) => text],
    [/"((?:[^"\\`]|\\["\\$`])*)"/y, (text, env) => expandVariables(text, env)?.replace(/\\(["\\`])/g, "$1")],
    [/\\([^\n])/y, (text) => text],
    [/((?:[^\s'"\\;&|<>`$(){}#*?[\]!]|\$\w+|\$\{\w+\})+)/y, expandVariables],
  ],
  powershell: [
    [/'((?:[^']|'')*)'/y, (text) => text.replace(/(['\u2018-\u201b])\1/g, "$1")],
    [/"([^"$`]*)"/y, (text) => text],
    [/([^\s'"\u2018-\u201b;&|<>`(){}#@,$]+)/y, (text) => text],
  ],
  cmd: [
    [/"([^"%!]*)"/y, (text) => text],
    [/([^\s"%!&|<>^()]+)/y, (text) => text],
  ],
};

/**
 * Splits a command line into words, removing quotes and expanding variables. Returns undefined if a shell would do more
 * than start a program.
 */
export function splitCommand(command: string, dialect: Dialect, env: VariableValues = {}): string[] | undefined {
  // Drop PowerShell's call operator, if present.
  const text = dialect === "powershell" ? command.trim().replace(/^&\s*/, "") : command.trim();
  const words: string[] = [];
  for (let at = 0; at < text.length;) {
    const [space] = /^[ \t]*/.exec(text.slice(at)) as RegExpExecArray;
    if (space) {
      at += space.length;
      continue;
    }
    let word = "";
    while (at < text.length && !/[ \t]/.test(text[at] as string)) {
      let nextWord: string | undefined;
      for (const [pattern, value] of WORD_FRAGMENTS[dialect]) {
        pattern.lastIndex = at;
        const match = pattern.exec(text);
        if (!match) continue;
        nextWord = value(match[1] as string, env);
        at = pattern.lastIndex;
        break;
      }
      if (nextWord === undefined) return undefined;
      word += nextWord;
    }
    words.push(word);
  }
  if (dialect === "sh" && env.HOME && words[0]?.startsWith("~/")) words[0] = env.HOME + words[0].slice(1);
  return words;
}
