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

/** A program without its folder: `/bin/rm` is `rm`. */
export const name = (program: string) => program.slice(Math.max(program.lastIndexOf("/"), program.lastIndexOf("\\")) + 1);

const wrapper = (word: string | undefined) =>
  word !== undefined && Object.hasOwn(WRAPPERS, name(word)) ? WRAPPERS[name(word)] : undefined;

/** Whether a program only runs the command that its words go on with: `sudo`, `env`, `xargs`. */
export const isWrapper = (program: string | undefined) => wrapper(program) !== undefined;

/** Whether a program runs shell text: `bash`, `/bin/sh`. */
export const isShell = (program: string | undefined) => program !== undefined && SHELLS.has(name(program));

/** The words without what only runs them: `sudo -u me nice rm x` is `rm x`. */
export function unwrapped(words: string[]): string[] {
  let at = 0;
  while (at < words.length - 1) {
    const word = words[at] as string;
    const known = wrapper(word);
    if (known) {
      at++;
      for (; words[at]?.startsWith("-"); at++)
        if (/^-\w+$/.test(words[at] as string) && known[0].includes(words[at]?.at(-1) as string)) at++;
      at += known[1];
    } else if (word.indexOf("=") > 0 || KEYWORDS.has(word)) at++;
    else break;
  }
  return words.slice(at);
}
