import { lookUpProgram } from "./index.ts";
import { getOptionTable, mayTakeNextWord } from "./options.ts";

/** The arguments of git before its subcommand. */
export interface GitArguments {
  /** The subcommand; "" if there is none. */
  verb: string;
  /** The index of the subcommand. */
  at: number;
  /** The indexes of the directories after `-C`, each relative to the previous one. */
  folders: readonly number[];
}

/** Parses the options before the subcommand: `git -C there -c a=b commit`. */
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
