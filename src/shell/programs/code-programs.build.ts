import { listProgramRows } from "./index.ts";

/** Programs that take words for code in ways of their own (`nested-commands.ts`), or after one of these words. */
const READERS = [
  ..."ssh slogin autossh dbclient plink parallel powershell pwsh cmd wmic schtasks forfiles runas".split(" "),
  ..."conhost wsl trap alias eval find:-exec find:-ok env:-S env:--split-string".split(" "),
  ..."git:-c git:--config git:config git:foreach git:bisect git:-x git:--exec git:-O".split(" "),
];

/** A program, and the word behind which it takes code; always, if there is none. */
type CodeRow = readonly [name: string, word?: string];

/**
 * Programs that may take a text for code, or what they read; behind some, the words of which one has to be in the line:
 * `|bash|awk|npx -c --call|`. The build computes it.
 */
export const CODE_PROGRAMS = formatRows([...READERS.map((one) => one.split(":") as [string, string?]), ...listRows()]);

function listRows(): CodeRow[] {
  return listProgramRows().flatMap(([names, program, of]) => {
    const { isShell, isInterpreter, language, commands, shell, settings, code, source } = program;
    const { rest, foreign, typed, panes, operands, keys, runs = [], stdin } = commands ?? {};
    const joined = runs.filter((one) => one.joined === true || one.program !== undefined);
    const isAlways =
      isShell ||
      isInterpreter ||
      language?.operand ||
      language?.operands ||
      language?.stdin ||
      rest ||
      foreign ||
      typed ||
      panes ||
      operands ||
      stdin === true ||
      joined.some(({ after }) => after === undefined);
    const words = [
      ...(shell?.split(" ") ?? []),
      ...(language ? `${code ?? ""} ${source ?? ""}`.trim().split(" ") : []),
      ...(keys ? (settings?.split(" ") ?? []) : []),
      ...(Array.isArray(stdin) ? stdin : []),
      ...joined.flatMap(({ after }) => after?.split(" ") ?? []),
    ];
    // What a subcommand's row says holds for the program.
    if (of !== undefined)
      return isAlways ? names.split(" ").map((name): CodeRow => [of, name]) : words.map((word): CodeRow => [of, word]);
    return names
      .toLowerCase()
      .split(" ")
      .filter((name) => name !== "-")
      .flatMap((name): CodeRow[] => (isAlways ? [[name]] : words.map((word) => [name, word])));
  });
}

function formatRows(rows: readonly CodeRow[]): string {
  const always = new Set(rows.flatMap(([name, word]) => (word === undefined ? [name] : [])));
  const some = Map.groupBy(
    rows.filter(([name]) => !always.has(name)),
    ([name]) => name,
  );
  const behind = [...some].map(([name, all]) => `${name} ${all.map(([, word]) => word).join(" ")}`);
  return `|${[...always, ...behind].join("|")}|`;
}
