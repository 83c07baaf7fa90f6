import type { Command } from "bridge-hooks";
import { type Arguments, type CalledTool, createEquivalentCommand, splitName } from "./tool-calls.ts";
import { KIND_ARGUMENT } from "./tool-deletions.ts";

/** Arguments of git tools that name the directory or the operands. */
const GIT_FOLDER = /^(?:repo_?(?:sitory_?)?path|path|directory|cwd|working_?dir(?:ectory)?)$/i;
const GIT_OPERAND = /^(?:remote|target|commit|ref|revision|branch(?:_?name)?|files?|paths?|pathspec|name|source)$/i;
const toOptionName = (name: string): string =>
  name
    .replace(/([a-z])([A-Z])/g, "$1-$2")
    .replaceAll("_", "-")
    .toLowerCase();

/**
 * Converts a git tool's arguments to those of the equivalent git command, such as `git reset --hard` for `git_reset`.
 */
function listGitArguments(verb: string, input: Arguments): string[] {
  const words: string[] = [];
  const options: string[] = [];
  const operands: string[] = [];
  for (const [name, value] of Object.entries(input)) {
    if (value === true) options.push(`--${toOptionName(name)}`);
    else if (GIT_FOLDER.test(name)) continue;
    else if (/^(?:mode|operation|action)$/.test(name) && typeof value === "string")
      if (/^(?:stash|worktree)$/.test(verb)) words.push(value);
      else options.push(`--${value}`);
    else if (GIT_OPERAND.test(name))
      operands.push(...[value].flat().filter((item): item is string => typeof item === "string"));
  }
  return [verb, ...words, ...options, ...operands];
}

/** Lists the git or kubectl commands equivalent to a tool call. */
export function listEquivalentCommands({ server, tool, callArguments }: CalledTool): Command[] {
  const words = splitName(tool);
  const text = (pattern: RegExp) =>
    Object.entries(callArguments).flatMap(([name, value]) =>
      pattern.test(name) && typeof value === "string" ? [value] : [],
    );
  if (words[0] === "git" || server.toLowerCase() === "git") {
    const verb = words.filter((word) => word !== "git").join("-");
    return [createEquivalentCommand("git", listGitArguments(verb, callArguments), text(GIT_FOLDER)[0])];
  }
  const isKubernetes = [...splitName(server), ...words].some((word) => /^(?:kubectl|kubernetes|k8s)$/.test(word));
  const [kind] = text(KIND_ARGUMENT);
  if (!isKubernetes || kind === undefined || !words.includes("delete")) return [];
  const flags = Object.entries(callArguments).flatMap(([name, value]) =>
    value === true ? [`--${toOptionName(name)}`] : [],
  );
  return [createEquivalentCommand("kubectl", ["delete", kind, ...text(/^(?:resource_?)?name$/i), ...flags])];
}
