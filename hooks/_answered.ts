import type { Command } from "bridge-hooks";

/** Programs that pass their own stdin on to the command they run. */
const STDIN_FORWARDING_PROGRAM = /^(sudo|doas|env|nice|ionice|time|command|builtin|nohup|find|sh|bash|zsh|dash)$/;

/** Whether something in the shell command may answer this command's confirmation prompt, as in `yes | rm -ri x`. */
export const mayPromptBeAnswered = ({ stdin, via }: Command, { line }: { line: string }): boolean =>
  stdin !== undefined ||
  /[<]|\|(?!\|)/.test(line.replace(/\|\|/g, " ")) ||
  !via.every((name) => STDIN_FORWARDING_PROGRAM.test(name));
