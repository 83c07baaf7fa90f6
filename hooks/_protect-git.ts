import { type Command, readGitArguments } from "bridge-hooks";

/** Returns the paths that a git command reverts or removes. */
export function listRevertedPaths({ program, args }: Command): readonly string[] {
  if (program !== "git") return [];
  const { at, verb } = readGitArguments(args);
  const words = args.slice(at + 1);
  const hasOption = (option: RegExp) => words.some((word) => option.test(word));
  const paths = (from: readonly string[]) => from.filter((word) => word !== "" && !word.startsWith("-"));
  if (verb === "checkout") return paths(words);
  if (verb === "restore")
    return hasOption(/^(?:-S|--staged)$/) && !hasOption(/^-\w*W|^--worktree$/) ? [] : paths(words);
  if (verb === "clean") return hasOption(/^-\w*n|^--dry-run$/) ? [] : paths(words);
  if (verb !== "stash") return [];
  if (/^(?:push|save)$/.test(words[0] ?? "")) return paths(words.slice(1));
  const end = words.indexOf("--");
  return end < 0 || words[0]?.startsWith("-") !== true ? [] : words.slice(end + 1);
}
