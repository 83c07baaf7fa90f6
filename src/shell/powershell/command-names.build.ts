import { WINDOWS_PROGRAMS } from "../runs/windows-programs.ts";
import { listCmdlets } from "./cmdlets.ts";

/** Words that start a statement in PowerShell or bash. */
const KEYWORDS =
  "if then elif elseif else fi for foreach in while until do done case esac select switch try catch finally trap function filter workflow param begin process end dynamicparam clean data parallel sequence inlinescript return throw exit break continue class enum using time";

const formatTable = (names: readonly string[]) => `|${[...new Set(names)].join("|")}|`;

/** Whether the name means the same in PowerShell: the program itself, or an equivalent cmdlet. */
const isSame = (name: string, { unixNames, program }: ReturnType<typeof listCmdlets>[number]) =>
  name === "cd" || (unixNames.includes(name) && program[0] === name);

/** Names that mean something else in PowerShell, and keywords: `|ri|sort|more|`. */
export const OTHER_COMMANDS = formatTable([
  ...listCmdlets().flatMap((cmdlet) => cmdlet.names.filter((name) => !isSame(name, cmdlet))),
  ...WINDOWS_PROGRAMS,
  ...KEYWORDS.split(" "),
]);

/** Names of cmdlets equivalent to the program of the same name, except for their options: `|cat|ls|`. */
export const SHARED_COMMANDS = formatTable(
  listCmdlets().flatMap((cmdlet) => cmdlet.names.filter((name) => isSame(name, cmdlet))),
);
