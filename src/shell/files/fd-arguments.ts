import { findCommandEnd } from "../programs/find-arguments.ts";
import { lookUpProgram } from "../programs/index.ts";
import { getOptionTable, readLastOption } from "../programs/options.ts";
import { getTexts, type Word } from "../words/word.ts";

/** Arguments of `fd` translated for `find`, and the commands to run on matching files. */
interface FdArguments {
  search: readonly Word[];
  runs: readonly (readonly Word[])[];
}

const RUN_OPTIONS = new Set(["-x", "-X", "--exec", "--exec-batch"]);
const FOLDER_OPTIONS = new Set(["--search-path", "--base-directory"]);
/** `fd` options that filter files, with the equivalent `find` options. */
const FILTER_OPTIONS: Readonly<Record<string, string>> = {
  "-S": "-size",
  "--size": "-size",
  "--changed-within": "-mtime",
  "--changed-before": "-mtime",
  "-o": "-user",
  "--owner": "-user",
};
/** Patterns that match all names. */
const ALL_NAMES_PATTERN = /^(?:|\.|\.\*|\^|\$|\^\.\*|\*)$/;

/** Parses the arguments of `fd`: a pattern, directories, and a command after `-x` that ends at `;`. */
export function readFdArguments(args: readonly Word[]): FdArguments {
  const texts = getTexts(args);
  const table = getOptionTable(lookUpProgram("fd"));
  const operands: Word[] = [];
  const startFolders: Word[] = [];
  const tests: Word[] = [];
  const runCommands: Word[][] = [];
  for (let at = 0; at < args.length; at++) {
    const text = texts[at] as string;
    if (text === "--") {
      operands.push(...args.slice(at + 1));
      break;
    }
    const option = text.startsWith("-") ? readLastOption(text, texts[at + 1], table) : undefined;
    if (!option) {
      operands.push(args[at] as Word);
      continue;
    }
    const { name, value, words } = option;
    const start = at + words;
    at = start - 1;
    if (value === undefined) continue;
    if (RUN_OPTIONS.has(name)) {
      const end = findCommandEnd(texts, start);
      runCommands.push([words === 2 ? (args[start - 1] as Word) : { text: value }, ...args.slice(start, end)]);
      at = end;
    } else if (FOLDER_OPTIONS.has(name)) startFolders.push(words === 2 ? (args[at] as Word) : { text: value });
    else if (name === "-e" || name === "--extension") tests.push({ text: "-name" }, { text: `*.${value}` });
    else if (Object.hasOwn(FILTER_OPTIONS, name)) tests.push({ text: FILTER_OPTIONS[name] as string }, { text: value });
  }
  const [pattern, ...folders] = operands;
  if (pattern && !ALL_NAMES_PATTERN.test(pattern.text)) tests.push({ text: "-name" }, { text: `*${pattern.text}*` });
  const searchFolders = [...folders, ...startFolders];
  return { search: [...(searchFolders.length > 0 ? searchFolders : [{ text: "." }]), ...tests], runs: runCommands };
}
