import { wildcardPattern } from "../words/wildcard.ts";
import { CMDLET_ROWS } from "./cmdlet-table.ts";

const COMMON_PARAMETERS =
  "Verbose/vb! Debug/db! WhatIf/wi! Confirm/cf! ErrorAction/ea WarningAction/wa InformationAction/infa ProgressAction/proga ErrorVariable/ev WarningVariable/wv InformationVariable/iv OutVariable/ov OutBuffer/ob PipelineVariable/pv";

export interface Parameter {
  name: string;
  /** Lowercase name of the parameter, followed by its aliases. */
  names: readonly string[];
  isSwitch: boolean;
  isPath: boolean;
  position: number | undefined;
}

export interface Cmdlet {
  /** Lowercase names: the cmdlet's own name first, then its aliases and equivalent cmdlets. */
  names: readonly string[];
  /** Names that are also Unix programs. */
  unixNames: readonly string[];
  parameters: readonly Parameter[];
  /** The equivalent program and its first words. Empty if the cmdlet has no equivalent. */
  program: readonly string[];
  /** Parameters and the options they translate to. */
  options: readonly (readonly [parameter: string, option: string])[];
  operands: readonly string[];
  stdin: string | undefined;
  translator: string | undefined;
}

const splitWords = (text: string | undefined): string[] => text?.split(" ").filter((word) => word !== "") ?? [];

export const parseParameters = (text: string | undefined): Parameter[] =>
  splitWords(text).map((word) => {
    const [, fullName = "", position] = /^([^:!~]+)(?::(\d+))?/.exec(word) ?? [];
    const names = fullName.split("/");
    return {
      name: names[0] as string,
      names: names.map((name) => name.toLowerCase()),
      isSwitch: word.includes("!"),
      isPath: word.includes("~"),
      position: position === undefined ? undefined : Number(position),
    };
  });

function parseRow(row: string): Cmdlet {
  const [names, parameters, program, operands, translator] = row.split("|").map((column) => column.trim());
  const lowerNames = splitWords(names?.toLowerCase());
  const words = splitWords(program);
  const targets = splitWords(operands);
  return {
    names: lowerNames.map((name) => name.replace(/\*$/, "")),
    unixNames: lowerNames.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1)),
    parameters: parseParameters(parameters),
    program: words.filter((word) => word !== "-" && !word.includes("=")),
    options: words.flatMap((word) => (word.includes("=") ? [word.split("=") as [string, string]] : [])),
    operands: targets.filter((name) => !name.startsWith("<")),
    stdin: targets.find((name) => name.startsWith("<"))?.slice(1),
    translator,
  };
}

export const listCmdlets = (): readonly Cmdlet[] => CMDLET_ROWS.trim().split("\n").map(parseRow);

let cmdletsByName: Map<string, Cmdlet> | undefined;

export function lookUpCmdlet(name: string): Cmdlet | undefined {
  cmdletsByName ??= new Map(listCmdlets().flatMap((cmdlet) => cmdlet.names.map((name) => [name, cmdlet] as const)));
  return cmdletsByName.get(name);
}

let commonParameters: readonly Parameter[] | undefined;

/**
 * Finds a parameter by its name or an abbreviation, as PowerShell does. Returns undefined if the cmdlet has no such
 * parameter. PowerShell rejects an ambiguous abbreviation; this function prefers a switch.
 */
export function findParameter(
  { parameters }: Pick<Cmdlet, "parameters">,
  parameterName: string,
): Parameter | undefined {
  const name = parameterName.toLowerCase();
  commonParameters ??= parseParameters(COMMON_PARAMETERS);
  const parameterLists = [parameters, commonParameters];
  const exactMatches = parameterLists.flatMap((list) => list.find(({ names }) => names.includes(name)) ?? []);
  const prefixMatches = parameterLists.map((list) => list.filter(({ names }) => (names[0] as string).startsWith(name)));
  const candidates = prefixMatches.find((list) => list.length > 0);
  return exactMatches[0] ?? candidates?.find(({ isSwitch }) => isSwitch) ?? candidates?.[0];
}

export function findCmdletNames(pattern: string): string[] {
  const matches = wildcardPattern(pattern.toLowerCase());
  return listCmdlets().flatMap(({ names }) => names.filter((name) => name.includes("-") && matches(name)));
}
