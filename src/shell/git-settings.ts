import { readGitArguments } from "./programs/git-arguments.ts";
import { getVariableValues, type ShellScope } from "./scope.ts";
import { getTexts, type Word } from "./word.ts";

/** One setting of git's; the key is in lower case. */
export interface GitSetting {
  key: string;
  value: string;
}

/** Options of `git config` that take the next word. */
const VALUED_OPTION = /^(?:-f|--file|--blob|--type|-t|--default|--comment|--value|--url)$/;
/** Options and subcommands of `git config` that set nothing. */
const READING_OPTION = /^(?:--(?:get|unset|list|edit|remove|rename|show)|-[le]$)/;
const READING_VERB = /^(?:get|unset|list|edit|remove-section|rename-section|get-\w+)$/;

/** The setting that a command writes to a config file: `git config alias.p push`, `git remote add --mirror=push x`. */
export function findWrittenSetting(args: readonly string[]): GitSetting | undefined {
  const { verb, at } = readGitArguments(args);
  const operands: string[] = [];
  for (let index = at + 1; index < args.length; index++) {
    const text = args[index] as string;
    if (text === "--") continue;
    if (VALUED_OPTION.test(text)) index++;
    else if (verb === "config" && operands.length === 0 && READING_OPTION.test(text)) return undefined;
    // A value may begin with a dash.
    else if (!text.startsWith("-") || operands.length > 0) operands.push(text);
  }
  if (verb === "config") {
    if (operands[0] === "set") operands.shift();
    const [key = "", value] = operands.filter((text, index) => index !== 0 || !READING_VERB.test(text));
    return value === undefined || READING_VERB.test(operands[0] ?? "") ? undefined : { key: key.toLowerCase(), value };
  }
  const isMirror = verb === "remote" && operands[0] === "add" && args.some((text) => /^--mirror(?:=push)?$/.test(text));
  const name = operands.find((text, index) => index > 0 && !text.startsWith("-"));
  return isMirror && name !== undefined ? { key: `remote.${name}.mirror`, value: "true" } : undefined;
}

/** Splits `key=value`; without a value a setting is true. */
function parseSetting(text: string): GitSetting {
  const at = text.indexOf("=");
  return at < 0
    ? { key: text.toLowerCase(), value: "true" }
    : { key: text.slice(0, at).toLowerCase(), value: text.slice(at + 1) };
}

/** The settings that a command is given by `-c`, with the index of each. */
export const listGivenSettings = (args: readonly string[], end: number): (GitSetting & { at: number })[] =>
  args.flatMap((text, at) => (at < end && args[at - 1] === "-c" ? { ...parseSetting(text), at } : []));

type Variables = (name: string) => string | undefined;

/** Looks up a variable in a command's environment, and among those that the line has set before. */
const createLookup =
  (env: Readonly<Record<string, string>>, scope: ShellScope): Variables =>
  (name) =>
    env[name] ??
    getVariableValues(scope, name)?.[0]
      ?.map(({ text }) => text)
      .join("");

/** More variables than a person numbers. */
const MOST_VARIABLES = 64;

/** The settings in `GIT_CONFIG_COUNT` and the variables that it counts, and in `GIT_CONFIG_PARAMETERS`. */
function listVariableSettings(get: Variables): GitSetting[] {
  const found: GitSetting[] = [];
  for (let at = 0; at < MOST_VARIABLES; at++) {
    const key = get(`GIT_CONFIG_KEY_${at}`);
    if (key === undefined) break;
    found.push({ key: key.toLowerCase(), value: get(`GIT_CONFIG_VALUE_${at}`) ?? "" });
  }
  for (const [, key = "", value = ""] of (get("GIT_CONFIG_PARAMETERS") ?? "").matchAll(/'([^'=]+)'?='?([^']*)'/g))
    found.push({ key: key.toLowerCase(), value });
  return found;
}

/** The settings that `--config-env=KEY=VARIABLE` takes from variables. */
function listNamedSettings(args: readonly string[], end: number, get: Variables): GitSetting[] {
  return args.flatMap((text, at) => {
    const named = text.startsWith("--config-env=")
      ? text.slice("--config-env=".length)
      : args[at - 1] === "--config-env"
        ? text
        : "";
    const equals = at < end ? named.lastIndexOf("=") : -1;
    const value = equals < 0 ? undefined : get(named.slice(equals + 1));
    return value === undefined ? [] : [{ key: named.slice(0, equals).toLowerCase(), value }];
  });
}

/** Whether a setting may change what a subcommand does. */
const isAbout = ({ key }: GitSetting, verb: string): boolean =>
  key === `alias.${verb}` ||
  key.startsWith(`${verb}.`) ||
  (verb === "push" && /^remote\..*\.(?:push|mirror)$/.test(key));

/**
 * A command with the settings as `-c` that it has from variables, and from the config that the line has written before;
 * undefined if none of them changes what it does.
 */
export function addSettings(
  args: readonly Word[],
  env: Readonly<Record<string, string>>,
  scope: ShellScope,
): readonly Word[] | undefined {
  const texts = getTexts(args);
  const { verb, at } = readGitArguments(texts);
  if (verb === "" || verb === "config") return undefined;
  const get = createLookup(env, scope);
  const given = listGivenSettings(texts, at);
  const isGiven = (one: GitSetting) => given.some(({ key, value }) => key === one.key && value === one.value);
  const added = [
    ...scope.reader.gitSettings,
    ...listVariableSettings(get),
    ...listNamedSettings(texts, at, get),
  ].filter((setting) => isAbout(setting, verb.toLowerCase()) && !isGiven(setting));
  if (added.length === 0) return undefined;
  return [...added.flatMap(({ key, value }) => [{ text: "-c" }, { text: `${key}=${value}` }]), ...args];
}

/** A push with the refspecs of its settings as arguments: `git -c remote.x.push=+main push` pushes `+main`. */
export function addRefspecs(args: readonly Word[]): readonly Word[] | undefined {
  const texts = getTexts(args);
  const { verb, at } = readGitArguments(texts);
  if (verb !== "push" || texts.slice(at + 1).filter((text) => !text.startsWith("-")).length > 1) return undefined;
  const found: Word[] = [];
  const dropped = new Set<number>();
  for (const setting of listGivenSettings(texts, at)) {
    const [, kind] = /^remote\..*\.(push|mirror)$/.exec(setting.key) ?? [];
    if (kind === undefined) continue;
    dropped.add(setting.at - 1).add(setting.at);
    if (kind === "push") found.push({ text: setting.value });
    else if (!/^(?:false|no|off|0|)$/i.test(setting.value)) found.push({ text: "--mirror" });
  }
  return found.length === 0 ? undefined : [...args.filter((_, index) => !dropped.has(index)), ...found];
}
