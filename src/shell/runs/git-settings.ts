import { parseQuotedSettings } from "./command-variables.ts";
import { readGitArguments } from "../programs/git-arguments.ts";
import { type GitSetting, getVariableValues, joinSegments, type ShellScope } from "../scope.ts";
import { getTexts, type Word } from "../words/word.ts";
import { getFileText } from "../files/written-files.ts";

/** Options of `git config` that take the next word as their value. */
const VALUE_OPTION = /^(?:-f|--file|--blob|--type|-t|--default|--comment|--value|--url)$/;
/** Options and subcommands of `git config` that don't set anything. */
const READ_OPTION = /^(?:--(?:get|unset|list|edit|remove|rename|show)|-[le]$)/;
const READ_VERB = /^(?:get|unset|list|edit|remove-section|rename-section|get-\w+)$/;

/** A parsed git command: its words, its subcommand, and the settings passed before the subcommand. */
export interface GitCall {
  args: readonly Word[];
  texts: readonly string[];
  verb: string;
  /** Index of the subcommand. */
  at: number;
  /** Settings passed with `-c`. `at` is the index of the setting in `args`. */
  optionSettings: readonly (GitSetting & { at: number })[];
}

export function readGitCall(args: readonly Word[]): GitCall {
  const texts = getTexts(args);
  const { verb, at } = readGitArguments(texts);
  const settings = texts.flatMap((text, index) =>
    index < at && texts[index - 1] === "-c" ? { ...parseSetting(text), at: index } : [],
  );
  return { args, texts, verb, at, optionSettings: settings };
}

/**
 * Returns the setting that a command writes to git's config: `git config alias.p push`,
 * `git remote add --mirror=push x`.
 */
export function findWrittenSetting({ texts, verb, at }: GitCall): GitSetting | undefined {
  const operands: string[] = [];
  for (let index = at + 1; index < texts.length; index++) {
    const text = texts[index] as string;
    if (text === "--") continue;
    if (VALUE_OPTION.test(text)) index++;
    else if (verb === "config" && operands.length === 0 && READ_OPTION.test(text)) return undefined;
    // A setting's value can start with a dash.
    else if (!text.startsWith("-") || operands.length > 0) operands.push(text);
  }
  if (verb === "config") {
    if (operands[0] === "set") operands.shift();
    const [key = "", value] = operands;
    return value === undefined || READ_VERB.test(key) ? undefined : { key: key.toLowerCase(), value };
  }
  const isMirror =
    verb === "remote" && operands[0] === "add" && texts.some((text) => /^--mirror(?:=push)?$/.test(text));
  const name = operands.find((text, index) => index > 0 && !text.startsWith("-"));
  return isMirror && name !== undefined ? { key: `remote.${name}.mirror`, value: "true" } : undefined;
}

/** Splits `key=value`. Without a value, the setting is true. */
function parseSetting(text: string): GitSetting {
  const at = text.indexOf("=");
  return at < 0
    ? { key: text.toLowerCase(), value: "true" }
    : { key: text.slice(0, at).toLowerCase(), value: text.slice(at + 1) };
}

type Variables = (name: string) => string | undefined;

/**
 * Creates a function that looks up a variable: first in the command's environment, then among the command line's own
 * assignments.
 */
const createSettingLookup =
  (env: Readonly<Record<string, string>>, scope: ShellScope): Variables =>
  (name) => {
    const [value] = getVariableValues(scope, name) ?? [];
    return env[name] ?? (value && joinSegments(value));
  };

/** Maximum number of `GIT_CONFIG_KEY_n` variables to read. */
const MAX_VARIABLES = 64;

/** Lists the settings in `GIT_CONFIG_KEY_n` and `GIT_CONFIG_VALUE_n`, and in `GIT_CONFIG_PARAMETERS`. */
function listVariableSettings(getVariable: Variables): GitSetting[] {
  const settings: GitSetting[] = [];
  for (let at = 0; at < MAX_VARIABLES; at++) {
    const key = getVariable(`GIT_CONFIG_KEY_${at}`);
    if (key === undefined) break;
    settings.push({ key: key.toLowerCase(), value: getVariable(`GIT_CONFIG_VALUE_${at}`) ?? "" });
  }
  const quotedSettings = parseQuotedSettings(getVariable("GIT_CONFIG_PARAMETERS") ?? "");
  return [...settings, ...quotedSettings.map(({ key, value }) => ({ key: key.toLowerCase(), value }))];
}

/** Lists the settings that `--config-env=KEY=VARIABLE` reads from environment variables. */
function listNamedSettings(args: readonly string[], end: number, getVariable: Variables): GitSetting[] {
  return args.flatMap((text, at) => {
    const optionValue = text.startsWith("--config-env=")
      ? text.slice("--config-env=".length)
      : args[at - 1] === "--config-env"
        ? text
        : "";
    const equals = at < end ? optionValue.lastIndexOf("=") : -1;
    const value = equals < 0 ? undefined : getVariable(optionValue.slice(equals + 1));
    return value === undefined ? [] : [{ key: optionValue.slice(0, equals).toLowerCase(), value }];
  });
}

/**
 * Lists the settings in config files that the command line wrote earlier: git's own, and those named by `include.path`
 * or a variable.
 */
function listFileSettings(
  settings: readonly GitSetting[],
  getVariable: Variables,
  { reader }: ShellScope,
): GitSetting[] {
  if (reader.fileTexts.size === 0) return [];
  const includedPaths = [...settings, ...reader.gitSettings].filter(({ key }) => key === "include.path");
  const variablePaths = [getVariable("GIT_CONFIG_GLOBAL"), getVariable("GIT_CONFIG_SYSTEM")].filter(
    (path) => path !== undefined,
  );
  const paths = [".git/config", ".gitconfig", ...variablePaths, ...includedPaths.map(({ value }) => value)];
  return [...new Set(paths)].flatMap((path) => parseConfigText(getFileText(path, reader) ?? ""));
}

/** Parses a git config file, with lines such as `[alias]` and `p = push`. */
function parseConfigText(text: string): GitSetting[] {
  const settings: GitSetting[] = [];
  let section = "";
  for (const line of text.split("\n")) {
    const [, name, sub] = /^\s*\[\s*([\w.-]+)(?:\s+"([^"]*)")?\s*\]/.exec(line) ?? [];
    const [, key, value = "true"] =
      /^\s*([A-Za-z][\w-]*)\s*(?:=\s*([^]*))?$/.exec(line.replace(/^\s*\[[^\]]*\]/, "")) ?? [];
    if (name !== undefined) section = `${name}.${sub === undefined ? "" : `${sub}.`}`;
    if (key !== undefined)
      settings.push({ key: `${section}${key}`.toLowerCase(), value: value.replaceAll('"', "").trim() });
  }
  return settings;
}

/** Whether a setting can change what a subcommand does. */
const affectsSubcommand = ({ key }: GitSetting, verb: string): boolean =>
  key === `alias.${verb}` ||
  key.startsWith(`${verb}.`) ||
  (verb === "push" && /^remote\..*\.(?:push|mirror)$/.test(key));

/**
 * Adds settings from variables, config files and earlier config changes to a command as `-c` options. Returns undefined
 * if none of them affect the command.
 */
export function addSettings(
  { args, texts, verb, at, optionSettings }: GitCall,
  env: Readonly<Record<string, string>>,
  scope: ShellScope,
): readonly Word[] | undefined {
  if (verb === "" || verb === "config") return undefined;
  const getVariable = createSettingLookup(env, scope);
  const isOptionSetting = (setting: GitSetting) =>
    optionSettings.some(({ key, value }) => key === setting.key && value === setting.value);
  const addedSettings = [
    ...scope.reader.gitSettings,
    ...listFileSettings(optionSettings, getVariable, scope),
    ...listVariableSettings(getVariable),
    ...listNamedSettings(texts, at, getVariable),
  ].filter((setting) => affectsSubcommand(setting, verb.toLowerCase()) && !isOptionSetting(setting));
  if (addedSettings.length === 0) return undefined;
  return [...addedSettings.flatMap(({ key, value }) => [{ text: "-c" }, { text: `${key}=${value}` }]), ...args];
}

/** Adds the refspecs in settings to a push: `git -c remote.x.push=+main push` pushes `+main`. */
export function addRefspecs({ args, texts, verb, at, optionSettings }: GitCall): readonly Word[] | undefined {
  if (verb !== "push" || texts.slice(at + 1).filter((text) => !text.startsWith("-")).length > 1) return undefined;
  const refspecs: Word[] = [];
  const droppedIndexes = new Set<number>();
  for (const setting of optionSettings) {
    const [, kind] = /^remote\..*\.(push|mirror)$/.exec(setting.key) ?? [];
    if (kind === undefined) continue;
    droppedIndexes.add(setting.at - 1).add(setting.at);
    if (kind === "push") refspecs.push({ text: setting.value });
    else if (!/^(?:false|no|off|0|)$/i.test(setting.value)) refspecs.push({ text: "--mirror" });
  }
  return refspecs.length === 0 ? undefined : [...args.filter((_, index) => !droppedIndexes.has(index)), ...refspecs];
}
