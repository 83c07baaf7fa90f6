import { lookUpProgram } from "../programs/index.ts";
import { skipOptions, getOptionTable } from "../programs/options.ts";
import { createNestedRun, type NestedRun } from "./nested-run.ts";
import { getTexts, type Word } from "../words/word.ts";

const KEY_CHARACTERS: Readonly<Record<string, string>> = {
  Enter: "\n",
  KPEnter: "\n",
  Return: "\n",
  "C-m": "\n",
  "C-j": "\n",
  Space: " ",
  Tab: "\t",
};

/** Decodes key names and strings into the text typed into a terminal. */
export function decodeTypedKeys(words: readonly Word[]): string {
  const start = words.findIndex(({ text }, at) => !text.startsWith("-") && words[at - 1]?.text !== "-t");
  const texts = words
    .slice(Math.max(start, 0))
    .map(({ text }) => (text === ";" ? "\n" : (KEY_CHARACTERS[text] ?? text)));
  return texts.join("").replace(/\\(?:[nr]|0?15)|\^M|\r/g, "\n");
}

const OPENING_SUBCOMMAND =
  /^(?:new(?:-session|-window|w)?|split-?w(?:indow)?|respawn-?[pw]\w*|run(?:-shell)?|if(?:-shell)?|pipe-?p(?:ane)?|display-popup|popup)$/;
/** Subcommands whose arguments can be complete tmux or shell commands. */
const NESTING_SUBCOMMAND = /^(?:if(?:-shell)?|set-hook|confirm(?:-before)?|command-prompt)$/;

/**
 * Finds the command that a terminal multiplexer starts in a new terminal: `tmux new-session -d 'rm x'`,
 * `screen -dmS name rm x`.
 */
export function findPaneCommands(program: string, args: readonly Word[]): NestedRun[] {
  const texts = getTexts(args);
  const nestingIndex = texts.findIndex((text) => NESTING_SUBCOMMAND.test(text));
  if (program !== "screen" && nestingIndex >= 0) {
    const nestedCommands = args.slice(nestingIndex + 1).filter(({ text }) => text.includes(" "));
    return [...nestedCommands, ...nestedCommands.map(({ text }) => ({ text: `tmux ${text}` }))].map(({ text }) => ({
      text,
      isForeign: true,
    }));
  }
  const isScreen = program === "screen";
  const verb = isScreen ? -1 : texts.findIndex((text) => OPENING_SUBCOMMAND.test(text));
  if ((verb < 0 && !isScreen) || texts.includes("-X")) return [];
  const words = args.slice(skipOptions(texts, verb + 1, getOptionTable(lookUpProgram(isScreen ? "screen" : "tmux"))));
  if (words.length === 0) return [];
  return [createNestedRun(words)];
}
