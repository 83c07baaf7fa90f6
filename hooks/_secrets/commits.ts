import { relative, resolve } from "bridge-hooks/paths";
import { type Command, git, optionKind, readGitArguments, realPath } from "bridge-hooks";
import { expandHome } from "../_paths.ts";
import { unstagesFiles } from "./file-programs.ts";
import { createPathCheck, type SettingsFiles } from "./files.ts";
import { resolveCommandFolder } from "./line-files.ts";
import type { SecretsPolicy } from "./policy.ts";
import { findUnsharedFile } from "./settings-files.ts";
import { findSecretKinds, formatKinds, type StopReason } from "./texts.ts";

/** Maximum length of a diff to check. Anything beyond it goes unchecked. */
const MAX_STAGED_CHARACTERS = 1_000_000;

/** A git commit in a shell command. */
interface LineCommit {
  folder: string;
  /** The absolute paths the commit is limited to. Absent if it includes everything staged. */
  limitPaths?: readonly string[];
  /** Paths that were removed from the index by an earlier command. */
  unstagedPaths: readonly string[];
}

/** Lists the commits in a shell command, without duplicates. */
export function listCommits(commands: readonly Command[], cwd: string): readonly LineCommit[] {
  const commits = new Map<string, LineCommit>();
  const unstagedPaths: string[] = [];
  for (const command of commands) {
    if (command.program !== "git") continue;
    const { verb, at } = readGitArguments(command.args);
    const words = command.args.slice(at + 1);
    const folder = resolveCommandFolder(command, cwd);
    const toPaths = (names: readonly string[]) =>
      names.map((name) => resolve(realPath(folder) ?? folder, expandHome(name)));
    if (unstagesFiles(verb, words)) {
      const names = words.filter((word) => !word.startsWith("-"));
      unstagedPaths.push(...toPaths(names.length > 0 ? names : ["/"]));
    }
    if (verb !== "commit" || words.includes("--dry-run")) continue;
    const names = listCommittedNames(words);
    const commit: LineCommit = {
      folder,
      unstagedPaths: [...unstagedPaths],
      ...(names.length > 0 && { limitPaths: toPaths(names) }),
    };
    commits.set(JSON.stringify(commit), commit);
  }
  return [...commits.values()];
}

/** Commit options that include more than the paths on the command line, or that read paths from a file. */
const SCOPE_WIDENING_OPTION = /^(?:-i$|--(?:include|all)$|--pathspec-from-file|-[a-z]*a)/;

/** Lists the paths that a commit is limited to. Empty if it isn't limited or the paths can't be determined. */
function listCommittedNames(words: readonly string[]): string[] {
  if (words.some((word) => SCOPE_WIDENING_OPTION.test(word))) return [];
  const names: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (word === "--") {
      names.push(...words.slice(at + 1));
      break;
    }
    if (!word.startsWith("-")) names.push(word);
    else if (takesValue(word)) at++;
  }
  // A pathspec that uses magic or wildcards could match any file.
  return names.some((name) => /^:|[*?[$`]/.test(name)) ? [] : names;
}

const takesValue = (word: string): boolean =>
  /^(?:text|reads)$/.test(optionKind("git commit", word.startsWith("--") ? word : `-${word.at(-1)}`) ?? "");

const isInsideFolder = (path: string, folder: string) => !/^\.\.(?:[\\/]|$)|^\w:/.test(relative(folder, path));

/** Returns the lines of a staged diff that would become part of a commit. */
function listCommittedLines(diff: string, root: string, { limitPaths, unstagedPaths }: LineCommit): string[] {
  if (limitPaths === undefined && unstagedPaths.length === 0) return diff.split("\n");
  let isIncluded = true;
  return diff.split("\n").filter((row) => {
    if (row.startsWith("+++ b/")) {
      const path = resolve(root, row.slice("+++ b/".length));
      const isBelowAny = (folders: readonly string[]) => folders.some((folder) => isInsideFolder(path, folder));
      isIncluded = (limitPaths === undefined || isBelowAny(limitPaths)) && !isBelowAny(unstagedPaths);
    }
    return isIncluded;
  });
}

/** Finds secrets in the changes that would become part of a commit. */
export async function findStagedReasons(commit: LineCommit, cwd: string, policy: SecretsPolicy): Promise<StopReason[]> {
  const options = policy.withExceptions("secrets/stage-file");
  const { folder } = commit;
  const { root = folder, staged } = git({ cwd: folder }) ?? {};
  const lines = listCommittedLines(staged?.() ?? "", root, commit);
  const files = lines.flatMap((line) => (line.startsWith("+++ b/") ? line.slice("+++ b/".length) : []));
  const findStagedFile = (settings: SettingsFiles) =>
    files.find(createPathCheck(options, { cwd: root, root: cwd, settings, contents: settings.contents }).isSecret);
  const file = options.files !== "off" && (await findUnsharedFile(findStagedFile, options));
  const addedLines = lines
    .filter((line) => line.startsWith("+") && !line.startsWith("+++ "))
    .map((line) => line.slice(1));
  const kinds =
    options.content === "off"
      ? []
      : await findSecretKinds(addedLines.join("\n").slice(0, MAX_STAGED_CHARACTERS), options);
  const reasons: StopReason[] = [];
  if (file) reasons.push({ rule: "secrets/stage-file", finding: file });
  if (kinds.length > 0) reasons.push({ rule: "secrets/stage-text", finding: formatKinds(kinds) });
  return reasons;
}
