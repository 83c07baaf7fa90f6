/**
 * Programs that can type keys into a terminal, and the words in commands that do so. Keys from several commands may form one shell command.
 */
const TYPING_PROGRAMS = ["tmux", "byobu", "screen", "zellij", "wezterm", "kitty", "kitten", "expect", "dotool"];
const TYPING_WORDS = ["send", "stuff", "write-chars", "xdotool", "ydotool"];

/** Patterns to search for. Every call that types keys matches at least one of them. */
export const TYPING_CONCERNS: readonly string[] = TYPING_PROGRAMS.flatMap((program) =>
  TYPING_WORDS.map((word) => `${program} *${word}*`),
).concat(["xdotool", "ydotool"]);
