import type { Command } from "bridge-hooks";

/** Programs that leave what they run with the stdin that they have. */
const SAME_STDIN = /^(sudo|doas|env|nice|ionice|time|command|builtin|nohup|find|sh|bash|zsh|dash)$/;

/** Whether a question of a command may be answered by the line that it stands in: `yes | rm -ri x`. */
export const mayBeAnswered = ({ stdin, via }: Command, { line }: { line: string }): boolean =>
  stdin !== undefined || /[<]|\|(?!\|)/.test(line.replace(/\|\|/g, " ")) || !via.every((name) => SAME_STDIN.test(name));
