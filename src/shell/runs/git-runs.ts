import { getGitCommand } from "./command-variables.ts";
import { addRefspecs, addSettings, findWrittenSetting, type GitCall, readGitCall } from "./git-settings.ts";
import type { NestedRun } from "./nested-run.ts";
import type { ShellScope } from "../scope.ts";
import type { Word } from "../words/word.ts";

const MAX_SETTINGS = 64;

/**
 * Finds the commands that git runs beyond those in the program table: commands in settings, and this git command with
 * its aliases and settings applied. A setting that the command writes to git's config is recorded for later commands.
 */
export function findGitRuns(
  args: readonly Word[],
  env: Readonly<Record<string, string>>,
  scope: ShellScope,
): NestedRun[] {
  const call = readGitCall(args);
  const { reader } = scope;
  const setting = findWrittenSetting(call);
  if (setting && reader.gitSettings.length < MAX_SETTINGS) reader.gitSettings.push(setting);
  const runs: NestedRun[] = [...findPagerRuns(call.texts), ...findSettingRuns(call)];
  // Limit the depth, since an alias can refer to itself.
  if (scope.via.filter((name) => name === "git").length >= MAX_ALIAS_DEPTH) return runs;
  for (const words of [addSettings(call, env, scope), addRefspecs(call), expandAlias(call)])
    if (words) runs.push({ words: [{ text: "git" }, ...words] });
  return runs;
}

/** Maximum nesting depth of aliases. Defining an alias and using it count as one level each. */
const MAX_ALIAS_DEPTH = 8;

/** Finds the pager in `git grep -OPAGER`. */
const findPagerRuns = (texts: readonly string[]): NestedRun[] =>
  texts.includes("grep") ? texts.flatMap((text) => (text.startsWith("-O") ? { text: text.slice(2) } : [])) : [];

/** Finds commands in settings: `git -c core.pager=CMD`, `git config alias.x '!CMD'`, `git clone --config=…`. */
function findSettingRuns({ texts, verb }: GitCall): NestedRun[] {
  return texts.flatMap((text, at) => {
    const configOption = /^(?:-c|--config)$/.test(texts[at - 1] ?? "") ? "-c" : "";
    const [, key = text, value = texts[at + 1] ?? ""] =
      /^(?:-c|--config=)([\w-]+\.[^=\s]+)=([^]*)$/.exec(configOption + text) ?? [];
    const command = verb === "config" || key !== text ? getGitCommand(key, value) : undefined;
    return command === undefined ? [] : [{ text: command }];
  });
}

/**
 * Replaces an alias with its definition: `git -c alias.x='reset --hard' x`. Within that definition, the same alias
 * isn't expanded again.
 */
function expandAlias({ args, verb, at, optionSettings }: GitCall): readonly Word[] | undefined {
  const alias = optionSettings.findLast(({ key }) => key === `alias.${verb.toLowerCase()}`);
  if (!alias || verb === "" || /^\s*!/.test(alias.value)) return undefined;
  const words = alias.value
    .replace(/["']/g, "")
    .split(/\s+/)
    .filter((text) => text !== "");
  return [
    ...args.slice(0, alias.at - 1),
    ...args.slice(alias.at + 1, at),
    ...words.map((text) => ({ text })),
    ...args.slice(at + 1),
  ];
}
