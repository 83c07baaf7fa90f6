/** Programs that type keys into a terminal, and commands of theirs: the keys of several may join to one line. */
const TYPING_PROGRAMS = ["tmux", "byobu", "screen", "zellij", "wezterm", "kitty", "kitten", "expect", "dotool"];
const TYPING_WORDS = ["send", "stuff", "write-chars", "xdotool", "ydotool"];

/** What a call has to mention to type keys. */
export const TYPING_CONCERNS: readonly string[] = TYPING_PROGRAMS.flatMap((program) =>
  TYPING_WORDS.map((word) => `${program} *${word}*`),
).concat(["xdotool", "ydotool"]);
