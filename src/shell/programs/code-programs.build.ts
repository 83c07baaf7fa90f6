import { FILTER_NAMES } from "../files/filters.ts";
import type { Program, Wrapper } from "./program.ts";
import { listRowNames, ROW_GROUPS } from "./rows.ts";
import { listDefaultFiles } from "../files/written-files.ts";

/**
 * Programs whose code arguments are read by a specific function in `nested-commands.ts`. The name after ":" is a word
 * that must precede the code.
 */
const READERS = [
  ..."ssh slogin autossh dbclient plink parallel powershell pwsh cmd wmic schtasks forfiles runas".split(" "),
  ..."conhost winrs psexec psexec64 paexec wsl trap alias eval find:-exec find:-ok env:-S env:--split-string".split(
    " ",
  ),
  ..."git:-c git:--config git:config git:foreach git:bisect git:-x git:--exec git:-O".split(" "),
];

/** A program and the word that must precede its code. Without a word, any argument may be code. */
type CodeProgramRow = readonly [name: string, word?: string];

/**
 * Programs that may run text from their arguments or stdin, computed at build time. The words after a program's name
 * are alternatives: one of them must appear in the command line (`|bash|awk|npx -c --call|`).
 */
export const CODE_PROGRAMS = formatRows([
  ...READERS.map((reader) => reader.split(":") as [string, string?]),
  ...listRows(),
]);

/** Files that programs run by default: `|makefile|package.json|`. */
export const DEFAULT_FILE_NAMES = `|${listDefaultFiles().join("|").toLowerCase()}|`;

/** Programs whose output may contain words that don't appear in the command line: `|rev|tr|`. */
export const TRANSFORM_PROGRAMS = `|${[...FILTER_NAMES, "printf", "print", "echo", "basename"].join("|")}|`;

function listRows(): CodeProgramRow[] {
  return ROW_GROUPS.flatMap((loadRows) => Object.entries(loadRows())).flatMap(([key, program]) => {
    const names = listRowNames(key.toLowerCase()).filter((name) => name !== "-");
    if (acceptsBareCode(program)) return names.map((name) => name.split(" ", 2) as [string, string?]);
    // A program's code words include those of its subcommands.
    const programs = new Set(names.map((name) => name.split(" ", 1)[0] as string));
    return [...programs].flatMap((name) => listCodeWords(program).map((word): CodeProgramRow => [name, word]));
  });
}

/** Lists the wrappers that join words or run a different program, and therefore can't be read word by word. */
function listJoinedRuns({ commands }: Program): readonly Wrapper[] {
  return commands?.runs?.filter(({ isJoined, program }) => isJoined === true || program !== undefined) ?? [];
}

/** Whether a program accepts code without a preceding option or subcommand. */
function acceptsBareCode(program: Program): boolean {
  const { isShell, isInterpreter, language, commands } = program;
  const { commandMarkers, foreignMarkers, typedTextMarkers, opensTerminal, hasScriptOperands, stdin } = commands ?? {};
  const isCode = [
    isShell,
    isInterpreter,
    language?.hasCodeOperand,
    language?.hasCodeOperands,
    language?.stdin,
    stdin === true,
  ];
  const conditions = [...isCode, commandMarkers, foreignMarkers, typedTextMarkers, opensTerminal, hasScriptOperands];
  return conditions.some(Boolean) || listJoinedRuns(program).some(({ subcommands }) => subcommands === undefined);
}

/** Lists the options and subcommands that precede a program's code. */
function listCodeWords(program: Program): string[] {
  const { language, commands, shell, settings, code, source } = program;
  const { scriptSettings, stdin } = commands ?? {};
  const lists = [shell, ...(language ? [code, source] : []), ...(scriptSettings ? [settings] : [])];
  const words = [...lists, ...listJoinedRuns(program).map(({ subcommands }) => subcommands)].flatMap(
    (list) => list?.split(" ") ?? [],
  );
  return [...words, ...(Array.isArray(stdin) ? stdin : [])];
}

function formatRows(rows: readonly CodeProgramRow[]): string {
  const unconditional = new Set(rows.flatMap(([name, word]) => (word === undefined ? [name] : [])));
  const conditional = Map.groupBy(
    rows.filter(([name]) => !unconditional.has(name)),
    ([name]) => name,
  );
  const conditionalRows = [...conditional].map(
    ([name, rowsOfProgram]) => `${name} ${rowsOfProgram.map(([, word]) => word).join(" ")}`,
  );
  return `|${[...unconditional, ...conditionalRows].join("|")}|`;
}
