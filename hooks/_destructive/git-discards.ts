import { type Command, readGitArguments } from "bridge-hooks";
import { existsSync } from "bridge-hooks/files";
import { resolveGitFolder } from "./changes.ts";
import { hasOption, splitArguments } from "./given-options.ts";
import {
  type DiscardedChanges,
  ALL_CHANGES_SINCE_HEAD,
  isExclusion,
  isListedByGit,
  hasExpansion,
  isWholeTree,
  selectPaths,
} from "./discard.ts";
import { readOtherDiscardedChanges } from "./git-other-discards.ts";
import { type LineContext, type OperandWord, normalizePath } from "./line-context.ts";

/** Returns the changes that `git checkout` discards; undefined if the command switches branches. */
function readCheckout(command: Command, context: LineContext): DiscardedChanges | undefined {
  const { options, operands } = splitArguments(command);
  const words = operands.slice(1);
  const getBaseline = (hasTree: boolean) => (hasTree ? "HEAD" : "index");
  if (hasOption(options, ["-f", "--force"])) return ALL_CHANGES_SINCE_HEAD;
  if (hasOption(options, ["-b", "-B", "--orphan", "-t", "--track", "--detach", "-d", "-p", "--patch"]))
    return undefined;
  if (hasOption(options, ["--pathspec-from-file"])) return { ...ALL_CHANGES_SINCE_HEAD, baseline: "index" };
  const { args, dynamic } = command;
  const separatorIndex = args.indexOf("--");
  if (separatorIndex >= 0) {
    const paths = args
      .slice(separatorIndex + 1)
      .map((text, at) => ({ text, ...toDynamicProperty(dynamic[separatorIndex + 1 + at]) }));
    return paths.length === 0 && !command.more
      ? undefined
      : { ...selectPaths(paths, command, context), baseline: getBaseline(words.length > paths.length) };
  }
  const [first, ...rest] = words;
  if (!first) return command.more ? { ...selectPaths([], command, context), baseline: "index" } : undefined;
  if (hasExpansion(first)) {
    if (!isListedByGit(first.dynamic ?? "") && rest.length === 0) return undefined;
    return { ...selectPaths(rest.length > 0 ? rest : words, command, context), baseline: getBaseline(rest.length > 0) };
  }
  const hasTree = !mayBePath(first, command, context);
  const paths = hasTree ? rest : words;
  return paths.length === 0 && !command.more
    ? undefined
    : { ...selectPaths(paths, command, context), baseline: getBaseline(hasTree) };
}

const toDynamicProperty = (dynamic: string | undefined) => (dynamic === undefined ? {} : { dynamic });

/** Whether git could treat a word as a path. If a branch has the same name, git uses the branch. */
function mayBePath({ text, dynamic }: OperandWord, command: Command, context: LineContext): boolean {
  if (isWholeTree(text) || isExclusion(text) || dynamic !== undefined || /^:|[*?[]/.test(text)) return true;
  const folder = resolveGitFolder(command, context);
  if (folder === undefined || !existsSync(normalizePath(/^([/\\]|[A-Za-z]:)/.test(text) ? text : `${folder}/${text}`)))
    return false;
  return !existsSync(`${context.repository(folder)?.commonGitDir ?? ""}/refs/heads/${text}`);
}

/** Returns the uncommitted changes that a command discards; undefined if the command discards none. */
export function readDiscardedChanges(command: Command, context: LineContext): DiscardedChanges | undefined {
  if (command.program !== "git") return readOtherDiscardedChanges(command, context);
  const { verb } = readGitArguments(command.args);
  if (verb === "checkout") return readCheckout(command, context);
  if (/^(apply|show|cat-file)$/.test(verb)) return readOtherDiscardedChanges(command, context);
  const { options, operands } = splitArguments(command);
  const words = operands.slice(1);
  const isListed = hasOption(options, ["--pathspec-from-file"]);
  if (verb === "restore") {
    const isStaged = hasOption(options, ["-S", "--staged"]);
    if (isStaged && !hasOption(options, ["-W", "--worktree"])) return undefined;
    if (hasOption(options, ["-p", "--patch"]) || (words.length === 0 && !isListed && !command.more)) return undefined;
    const baseline = isStaged || hasOption(options, ["-s", "--source"]) ? "HEAD" : "index";
    return { ...selectPaths(isListed ? [] : words, command, context), baseline };
  }
  if (verb === "checkout-index")
    return hasOption(options, ["-a", "--all", "--stdin"])
      ? { ...ALL_CHANGES_SINCE_HEAD, baseline: "index" }
      : { ...selectPaths(words, command, context), baseline: "index" };
  if (verb === "rm") return { ...selectPaths(words, command, context), baseline: "HEAD" };
  return ALL_CHANGES_SINCE_HEAD;
}
