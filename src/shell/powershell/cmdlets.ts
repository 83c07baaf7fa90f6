import { wildcardPattern } from "../wildcard.ts";
import { listRows } from "./cmdlet-table.ts";

/** Parameters of all cmdlets. */
const COMMON_PARAMETERS =
  "Verbose/vb! Debug/db! WhatIf/wi! Confirm/cf! ErrorAction/ea WarningAction/wa InformationAction/infa ProgressAction/proga ErrorVariable/ev WarningVariable/wv InformationVariable/iv OutVariable/ov OutBuffer/ob PipelineVariable/pv";

export interface Parameter {
  name: string;
  /** Its names in small letters. */
  names: readonly string[];
  isSwitch: boolean;
  isPath: boolean;
  position: number | undefined;
}

/** A row of the table. */
export interface Cmdlet {
  /** In small letters; that of the cmdlet comes first, then its aliases and cmdlets that do the same. */
  names: readonly string[];
  parameters: readonly Parameter[];
  /** The program that does the same, and its first words; empty: none. */
  program: readonly string[];
  /** Parameters, and the options that they become. */
  options: readonly (readonly [parameter: string, option: string])[];
  operands: readonly string[];
  stdin: string | undefined;
  by: string | undefined;
}

const splitWords = (text: string | undefined): string[] => text?.split(" ").filter((word) => word !== "") ?? [];

const parseParameters = (text: string | undefined): Parameter[] =>
  splitWords(text).map((one) => {
    const [, all = "", position] = /^([\w/]+)(?::(\d))?/.exec(one) ?? [];
    const names = all.split("/");
    return {
      name: names[0] as string,
      names: names.map((name) => name.toLowerCase()),
      isSwitch: one.includes("!"),
      isPath: one.includes("~"),
      position: position === undefined ? undefined : Number(position),
    };
  });

function parseRow(row: string): Cmdlet {
  const [names, parameters, program, operands, by] = row.split("|").map((column) => column.trim());
  const words = splitWords(program);
  const targets = splitWords(operands);
  return {
    names: splitWords(names).map((name) => name.replace(/(?<=.)\*$/, "").toLowerCase()),
    parameters: parseParameters(parameters),
    program: words.filter((word) => word !== "-" && !word.includes("=")),
    options: words.flatMap((word) => (word.includes("=") ? [word.split("=") as [string, string]] : [])),
    operands: targets.filter((name) => !name.startsWith("<")),
    stdin: targets.find((name) => name.startsWith("<"))?.slice(1),
    by,
  };
}

/** All cmdlets of the table. */
export const listCmdlets = (): readonly Cmdlet[] => listRows().map(parseRow);

let byName: Map<string, Cmdlet> | undefined;
/** Names that are programs on Unix systems. */
const shared = new Set<string>();
let common: readonly Parameter[] | undefined;

/** Finds a cmdlet by its name or an alias, in small letters. */
export function lookUpCmdlet(name: string): Cmdlet | undefined {
  if (!byName) {
    byName = new Map(listCmdlets().flatMap((cmdlet) => cmdlet.names.map((one) => [one, cmdlet] as const)));
    for (const row of listRows())
      for (const name of splitWords(row.split("|", 1)[0])) if (/\w\*$/.test(name)) shared.add(name.slice(0, -1));
  }
  return byName.get(name);
}

/** Whether a name that stands for a cmdlet is a program on Unix systems. */
export const isUnixName = (name: string): boolean => shared.has(name);

/**
 * Finds a parameter by its name, or by the beginning of it, as PowerShell does; undefined for one that the cmdlet does
 * not have. Where a beginning fits several, which is an error, one without a value is the likelier.
 */
export function findParameter({ parameters }: Pick<Cmdlet, "parameters">, given: string): Parameter | undefined {
  const name = given.toLowerCase();
  common ??= parseParameters(COMMON_PARAMETERS);
  const all = [parameters, common];
  const exact = all.flatMap((list) => list.find(({ names }) => names.includes(name)) ?? []);
  const fitting = all.map((list) => list.filter(({ names }) => (names[0] as string).startsWith(name)));
  const nearest = fitting.find((list) => list.length > 0);
  return exact[0] ?? nearest?.find(({ isSwitch }) => isSwitch) ?? nearest?.[0];
}

/** The cmdlets whose names fit a pattern with wildcards. */
export function findCmdletNames(pattern: string): string[] {
  const fits = wildcardPattern(pattern.toLowerCase());
  return listCmdlets().flatMap(({ names }) => names.filter((name) => name.includes("-") && fits(name)));
}
