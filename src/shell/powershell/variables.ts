import { countCharacters } from "../parser.ts";
import { getVariableValues, type ShellScope } from "../scope.ts";
import type { Statement } from "./syntax.ts";
import {
  createDynamicText,
  createText,
  createUnknownValue,
  joinText,
  joinTexts,
  type Text,
  type Value,
} from "./text-values.ts";

/** Environment variables with the same value on every Windows system. */
const ENVIRONMENT_VALUES: Readonly<Record<string, Text>> = {
  USERPROFILE: createDynamicText("$HOME"),
  HOMEPATH: createDynamicText("$HOME"),
  HOMEDRIVE: createText("C:"),
  SYSTEMDRIVE: createText("C:"),
  SYSTEMROOT: createText("C:/Windows"),
  WINDIR: createText("C:/Windows"),
  PROGRAMFILES: createText("C:/Program Files"),
  "PROGRAMFILES(X86)": createText("C:/Program Files (x86)"),
  PROGRAMDATA: createText("C:/ProgramData"),
  ALLUSERSPROFILE: createText("C:/ProgramData"),
  PUBLIC: createText("C:/Users/Public"),
  APPDATA: [...createDynamicText("$HOME"), ...createText("/AppData/Roaming")],
  LOCALAPPDATA: [...createDynamicText("$HOME"), ...createText("/AppData/Local")],
  COMSPEC: createText("cmd.exe"),
};

export function getEnvironmentText(variableName: string, scope: ShellScope): Text {
  const name = variableName.toUpperCase();
  const values = getVariableValues(scope, `env:${name}`) ?? getVariableValues(scope, name);
  if (values) return countText(joinTexts(values as readonly Text[], " "), scope);
  if (values === null) return createUnknownValue(name);
  return ENVIRONMENT_VALUES[name] ?? createDynamicText(/^\w+$/.test(name) ? `$${name}` : `$(${name})`);
}

/** Counts the characters of an expanded variable toward the limit. */
function countText(text: Text, { reader }: ShellScope): Text {
  countCharacters(reader, joinText(text).length >> 2);
  return text;
}

// Profile paths: https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_profiles
const PROFILE_FOLDER = process.platform === "win32" ? "Documents/PowerShell" : ".config/powershell";
const KNOWN_VARIABLES: Readonly<Record<string, Text>> = {
  home: createDynamicText("$HOME"),
  pshome: createText("C:/Windows/System32/WindowsPowerShell/v1.0"),
  pwd: createDynamicText("$PWD"),
  profile: [...createDynamicText("$HOME"), ...createText(`/${PROFILE_FOLDER}/Microsoft.PowerShell_profile.ps1`)],
  true: createText("True"),
  false: createText("False"),
  null: [],
};
/** Variables that are always set, with a value that depends on the context. */
const AUTOMATIC_VARIABLE =
  /^(?:_|psitem|args|input|this|matches|error|psscriptroot|pscommandpath|myinvocation|psboundparameters|lastexitcode|\d+|[?^$])$/;

/** Returns a variable's lookup key: its lowercase name without a scope prefix. */
export const getVariableKey = (name: string): string =>
  name.toLowerCase().replace(/^(?:global|script|local|private|using|variable):/, "");

/** Returns a variable's values: `$x`, `$env:X`. */
export function getValue(variableName: string, scope: ShellScope): Value {
  const name = getVariableKey(variableName);
  if (name.startsWith("env:")) return [getEnvironmentText(variableName.slice(4), scope)];
  const values = getVariableValues(scope, name);
  if (values) {
    for (const value of values) countText(value, scope);
    return values;
  }
  const knownValue = KNOWN_VARIABLES[name];
  if (knownValue) return name === "null" ? [] : [knownValue];
  if (values === null || AUTOMATIC_VARIABLE.test(name) || !/^\w+$/.test(name)) return undefined;
  return [createDynamicText(`$${variableName}`)];
}

const VARIABLE_NAME = /\$\{?([\w:]+)/g;

export function listUsedVariables(statement: Statement): string[] {
  const names: string[] = [];
  const addName = (name: string) => {
    const key = getVariableKey(name);
    names.push(key);
    if (key.startsWith("env:")) names.push(`env:${key.slice(4).toUpperCase()}`, key.slice(4).toUpperCase());
  };
  const pendingNodes: unknown[] = [statement];
  for (let at = pendingNodes.pop(); at !== undefined; at = pendingNodes.pop()) {
    if (typeof at === "string") for (const [, name = ""] of at.matchAll(VARIABLE_NAME)) addName(name);
    else if (typeof at === "object" && at !== null) {
      if ("type" in at && /^(?:variable|splat)$/.test(String(at.type)) && "name" in at) addName(String(at.name));
      for (const child of Object.values(at)) if (child !== undefined) pendingNodes.push(child);
    }
  }
  return names;
}
