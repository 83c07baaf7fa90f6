import type { Command } from "bridge-hooks";

/** Programs whose stdin is also the stdin of the command they run. */
const SAME_STDIN = /^(sudo|doas|env|nice|ionice|time|command|builtin|nohup|find|sh|bash|zsh|dash)$/;

/** Whether the shell command may feed an answer to this command's confirmation prompt, as in `yes | rm -ri x`. */
export const mayBeAnswered = ({ stdin, via }: Command, { line }: { line: string }): boolean =>
  stdin !== undefined || /[<]|\|(?!\|)/.test(line.replace(/\|\|/g, " ")) || !via.every((name) => SAME_STDIN.test(name));
