import { lookUpProgram } from "./index.ts";
import { getOptionTable, mayTakeNextWord } from "./options.ts";

/** What git is told before the arguments of its subcommand. */
export interface GitArguments {
  /** The subcommand; "" where there is none. */
  verb: string;
  /** Where it stands among the arguments. */
  at: number;
  /** Where the folders stand that `-C` names, each seen from the one before. */
  folders: readonly number[];
}

/** Reads over git's own options: `git -C there -c a=b commit`. */
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
