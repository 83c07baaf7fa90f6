import { lookUpProgram } from "./index.ts";
import { getOptionTable, mayTakeNextWord } from "./options.ts";

/** Git arguments up to the subcommand. */
export interface GitArguments {
  /** Subcommand. Empty if there is none. */
  verb: string;
  /** Index of the subcommand. */
  at: number;
  /** Indexes of the directories after `-C`. Each directory is relative to the previous one. */
  folders: readonly number[];
}

/** Parses the options before a git subcommand: `git -C there -c a=b commit`. */
export function readGitArguments(args: readonly string[]): GitArguments {
  const options = getOptionTable(lookUpProgram("git"));
  const folders: number[] = [];
  let at = 0;
  while (args[at]?.startsWith("-")) {
    const kind = options.get(args[at] as string);
    if (kind === "folder") folders.push(at + 1);
    at += mayTakeNextWord(kind) ? 2 : 1;
  }
  return { verb: args[at] ?? "", at, folders };
}
