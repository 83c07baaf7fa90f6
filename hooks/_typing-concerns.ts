/**
 * Programs that can type keys into a terminal. `TYPING_WORDS` are the words their commands use for it. Keys typed by
 * several commands may add up to one shell command.
 */
const TYPING_PROGRAMS = ["tmux", "byobu", "screen", "zellij", "wezterm", "kitty", "kitten", "expect", "dotool"];
const TYPING_WORDS = ["send", "stuff", "write-chars", "xdotool", "ydotool"];

/** Patterns to search for, at least one of which matches any call that types keys. */
export const TYPING_CONCERNS: readonly string[] = TYPING_PROGRAMS.flatMap((program) =>
  TYPING_WORDS.map((word) => `${program} *${word}*`),
).concat(["xdotool", "ydotool"]);
