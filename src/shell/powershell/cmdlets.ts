import type { Cmdlet } from "./cmdlet.ts";
import { listFileCmdlets } from "./file-cmdlets.ts";
import { listSystemCmdlets } from "./system-cmdlets.ts";
import { wildcardPattern } from "../wildcard.ts";

/** Parameters of all cmdlets. */
export const COMMON_PARAMETERS =
  "Verbose/vb! Debug/db! WhatIf/wi! Confirm/cf! ErrorAction/ea WarningAction/wa InformationAction/infa ProgressAction/proga ErrorVariable/ev WarningVariable/wv InformationVariable/iv OutVariable/ov OutBuffer/ob PipelineVariable/pv";

export interface Parameter {
  name: string;
  /** Its names in small letters. */
  names: readonly string[];
  isSwitch: boolean;
  isPath: boolean;
  position: number | undefined;
}

/** A cmdlet with its parameters read. */
export interface KnownCmdlet extends Cmdlet {
  list: readonly Parameter[];
}

const parseParameters = (text: string): Parameter[] =>
  text.split(" ").map((one) => {
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

let byName: Map<string, Cmdlet> | undefined;
/** Aliases that are programs on Unix systems. */
const shared = new Set<string>();
const known = new Map<Cmdlet, KnownCmdlet>();
let common: readonly Parameter[] | undefined;

/** Finds a cmdlet by its name or an alias, in small letters. */
export function lookUpCmdlet(name: string): KnownCmdlet | undefined {
  if (!byName) {
    byName = new Map();
    for (const cmdlet of [...listFileCmdlets(), ...listSystemCmdlets()]) {
      byName.set(cmdlet.name.toLowerCase(), cmdlet);
      for (const alias of cmdlet.aliases?.split(" ") ?? []) {
        byName.set(alias.replace("*", ""), cmdlet);
        if (alias.endsWith("*")) shared.add(alias.slice(0, -1));
      }
    }
  }
  const cmdlet = byName.get(name);
  if (!cmdlet) return undefined;
  let found = known.get(cmdlet);
  if (!found) known.set(cmdlet, (found = { ...cmdlet, list: parseParameters(cmdlet.parameters) }));
  return found;
}

/** Whether a name that stands for a cmdlet is a program on Unix systems. */
export const isUnixName = (name: string): boolean => shared.has(name);

/**
 * Finds a parameter by its name, or by the beginning of it, as PowerShell does; undefined for one that the cmdlet does
 * not have. Where a beginning fits several, which is an error, one without a value is the likelier.
 */
export function findParameter({ list }: Pick<KnownCmdlet, "list">, given: string): Parameter | undefined {
  const name = given.toLowerCase();
  common ??= parseParameters(COMMON_PARAMETERS);
  for (const all of [list, common]) {
    const exact = all.find(({ names }) => names.includes(name));
    if (exact) return exact;
  }
  for (const all of [list, common]) {
    const fitting = all.filter(({ names }) => (names[0] as string).startsWith(name));
    if (fitting.length > 0) return fitting.find(({ isSwitch }) => isSwitch) ?? fitting[0];
  }
  return undefined;
}

/** The cmdlets whose names fit a pattern with wildcards. */
export function findCmdletNames(pattern: string): string[] {
  const fits = wildcardPattern(pattern.toLowerCase());
  return [...listFileCmdlets(), ...listSystemCmdlets()].flatMap(({ name }) => (fits(name.toLowerCase()) ? [name] : []));
}
