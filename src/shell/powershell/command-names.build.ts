import { WINDOWS_PROGRAMS } from "../runs/windows-programs.ts";
import { listCmdlets } from "./cmdlets.ts";

/** Words that start a statement in PowerShell or bash. */
const KEYWORDS =
  "if then elif elseif else fi for foreach in while until do done case esac select switch try catch finally trap function filter workflow param begin process end dynamicparam clean data parallel sequence inlinescript return throw exit break continue class enum using time";

const formatTable = (names: readonly string[]) => `|${[...new Set(names)].join("|")}|`;

/**
 * Whether PowerShell and bash run the same program for a name. A cmdlet equivalent to the program counts as the same.
 */
const isSame = (name: string, { unixNames, program }: ReturnType<typeof listCmdlets>[number]) =>
  name === "cd" || (unixNames.includes(name) && program[0] === name);

/** Keywords, and names that mean something different in PowerShell: `|ri|sort|more|`. */
export const REDEFINED_COMMANDS = formatTable([
  ...listCmdlets().flatMap((cmdlet) => cmdlet.names.filter((name) => !isSame(name, cmdlet))),
  ...WINDOWS_PROGRAMS,
  ...KEYWORDS.split(" "),
]);

/** Names shared by a cmdlet and a program that differ only in their options: `|cat|ls|`. */
export const EQUIVALENT_COMMANDS = formatTable(
  listCmdlets().flatMap((cmdlet) => cmdlet.names.filter((name) => isSame(name, cmdlet))),
);
