import { lstatSync, readFileSync, readlinkSync, realpathSync, statSync } from "./files.ts";
import { getFolder, joinSteps, pathExists } from "./file-checks.ts";
import { dirname, isAbsolute, join, resolve } from "./paths.ts";

/** A git working tree. Paths are absolute. */
export interface WorkingTree {
  /** The top directory of the working tree, with links resolved. */
  root: string;
  /** The directory with this tree's git files: `.git`, or what it points to if it is a file. */
  gitDir: string;
  /** The directory shared by all working trees of the repository. In a linked tree, it differs from `gitDir`. */
  commonGitDir: string;
}

/**
 * Finds the working tree that contains a directory. Like git, resolves links and ignores a `.git` that isn't a valid
 * repository.
 */
export function findWorkingTree(from: string): WorkingTree | undefined {
  if (!isAbsolute(from)) return undefined;
  for (let root = followLinks(from); root !== undefined; root = dirname(root) === root ? undefined : dirname(root)) {
    const gitDir = findGitDir(root);
    if (gitDir)
      return { root, gitDir, commonGitDir: resolve(gitDir, readPlainFile(join(gitDir, "commondir"))?.trim() ?? "") };
  }
  return undefined;
}

/**
 * Returns the nearest directory that contains `.git`, starting at `from` and going up. For callers that don't need
 * git's exact answer.
 */
export function findRepositoryRoot(from: string): string | undefined {
  for (let at = from; ; at = getFolder(at)) {
    if (pathExists(joinSteps(at, [".git"]))) return at;
    if (getFolder(at) === at) return undefined;
  }
}

function followLinks(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Maximum size of a file in bytes, larger than any `packed-refs` file that git can handle. */
const MAX_FILE_BYTES = 100_000_000;

/** Reads a regular file. Returns undefined for anything else, since reading a pipe could block. */
export function readPlainFile(path: string): string | undefined {
  try {
    // Cheaper than handling the error for a missing file.
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats?.isFile() && stats.size <= MAX_FILE_BYTES ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

function findGitDir(root: string): string | undefined {
  const path = join(root, ".git");
  const target = /^gitdir: (.+?)\n*$/.exec(readPlainFile(path) ?? "")?.[1];
  const folder = target === undefined ? path : resolve(root, target);
  return readHead(folder) === undefined ? undefined : folder;
}

export const COMMIT_ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
export const HEAD_REF = /^ref:\s*(refs\/(?!.*\.\.)[^\0\n]+)$/;

/** Reads HEAD, which contains `ref: refs/…` or a commit id, or is a symbolic link in old repositories. */
export function readHead(gitDir: string): string | undefined {
  const text = readLinkedHead(join(gitDir, "HEAD")) ?? readPlainFile(join(gitDir, "HEAD"))?.trim();
  return text !== undefined && (HEAD_REF.test(text) || COMMIT_ID.test(text)) ? text : undefined;
}

function readLinkedHead(path: string): string | undefined {
  try {
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
    return isLink ? `ref: ${readlinkSync(path).trim()}` : undefined;
  } catch {
    return undefined;
  }
}
