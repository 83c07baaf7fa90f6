/** Programs that type keys into a terminal, and their commands. The keys from several commands may form one shell command. */
const TYPING_PROGRAMS = ["tmux", "byobu", "screen", "zellij", "wezterm", "kitty", "kitten", "expect", "dotool"];
const TYPING_WORDS = ["send", "stuff", "write-chars", "xdotool", "ydotool"];

/** Patterns of which every call that types keys contains at least one. */
export const TYPING_CONCERNS: readonly string[] = TYPING_PROGRAMS.flatMap((program) =>
  TYPING_WORDS.map((word) => `${program} *${word}*`),
).concat(["xdotool", "ydotool"]);
