import { isAbsolute, join, relative, resolve, sep } from "../../system/paths.ts";
import {
  COMMIT_ID,
  findWorkingTree,
  HEAD_REF,
  readHead,
  readPlainFile,
  type WorkingTree,
} from "../../system/working-tree.ts";
import type { AnyEvent } from "../../protocol/event.ts";
import { GIT_TIMEOUT_MS, runGit } from "./run-git.ts";

/** A commit, in short form. */
export interface Commit {
  /** The abbreviated id. */
  id: string;
  /** The first line of its message. */
  subject: string;
}

/** A file with work that no commit has. */
export interface UncommittedFile {
  /** Relative to the top of the working tree, of tracked files; to the folder that was asked about, of new ones. */
  path: string;
  /** How many lines were added and removed. Absent for new files, and for those that are not text. */
  lines?: number;
}

/** Which files of a working tree are meant. */
export interface FileSelection {
  /** The folder that the paths start from: absolute. */
  folder: string;
  /** Git's pathspecs; empty: all files of the working tree. */
  paths: readonly string[];
}

/** What holds commits besides local branches and tags. */
export interface HoldingCommits {
  /** The last fetched state of remotes. */
  remote?: boolean;
  /** A commit that a branch is to be moved to. */
  target?: string;
}

/** The git repository that an event happens in. */
export interface Repository {
  /** The top directory of the working tree: absolute, links resolved. */
  readonly root: string;
  /** Where git keeps what all working trees of the repository share: for a linked one, `.git` of the main one. */
  readonly commonGitDir: string;
  /** Absent if no branch is checked out, and in a repository that stores its branches in a reftable. */
  readonly branch?: string;
  /** The full id of the checked-out commit; absent before the first one. */
  readonly head?: string;
  /**
   * Whether any file is changed or new. Reading it runs git, for at most a second. Submodules are skipped, and a
   * touched file behind a filter (Git LFS) may count as changed. `undefined` if unknown: git is missing, refuses the
   * repository (safe.directory), or takes too long.
   */
  readonly dirty: boolean | undefined;
  /** Whether any tracked file is changed. Works like `dirty`, but untracked files don't count. */
  readonly changed: boolean | undefined;
  /**
   * The tracked files among some that differ from the index, or from the commit that is checked out. Runs git, like
   * `dirty`. `undefined` if unknown.
   */
  changedFiles(selection: FileSelection, since: "index" | "HEAD"): readonly UncommittedFile[] | undefined;
  /**
   * The files among some that git does not track: those that it does not ignore, or those that it does. A folder without
   * tracked files is one of them and ends in `/`. Runs git, like `dirty`. `undefined` if unknown.
   */
  untrackedFiles(selection: FileSelection, kind: "new" | "ignored"): readonly UncommittedFile[] | undefined;
  /**
   * Whether other branches and tags contain all commits of these branches, so that deleting or moving them loses none.
   * Runs git, like `dirty`. `undefined` if unknown, or if one of them is not a branch.
   */
  isHeldElsewhere(branches: readonly string[], more?: HoldingCommits): boolean | undefined;
  /** The last commits, newest first. Runs git, like `dirty`. Empty if unknown. */
  commits(count: number): readonly Commit[];
  /**
   * The changes of the next commit, as a git diff without context lines. Runs git, like `dirty`. A long diff is cut off
   * at its end. `undefined` if unknown.
   */
  staged(): string | undefined;
  /**
   * Whether the commit that is checked out has a file at a path; asks git, as `dirty` does. A path with links followed:
   * of a link git keeps only where it leads. `undefined` where nobody can tell.
   */
  tracks(path: string): boolean | undefined;
}

/**
 * Finds the repository around an event's directory, or a command's, if the host says where it runs. Reads `.git`
 * itself: worktrees, submodules and detached heads are supported, and no process is started. Members that run git never
 * run anything that the repository configures: no filter, fsmonitor, hook, pager or transport.
 * @returns undefined outside a repository.
 */
export function git(event: Pick<AnyEvent, "cwd">): Repository | undefined {
  const { cwd: commandCwd } = ("input" in event ? event.input : {}) as { cwd?: unknown };
  const folder = typeof commandCwd === "string" && commandCwd ? resolve(event.cwd, commandCwd) : event.cwd;
  const found = findWorkingTree(folder);
  return found && Object.assign(createRepository(found), resolveHead(found));
}

const MAX_REF_STEPS = 5;

function resolveHead({ gitDir: folder, commonGitDir: common }: WorkingTree): Pick<Repository, "branch" | "head"> {
  let text = readHead(folder);
  const ref = HEAD_REF.exec(text ?? "")?.[1];
  for (let step = 0; step < MAX_REF_STEPS && text !== undefined && !COMMIT_ID.test(text); step++) {
    const next = HEAD_REF.exec(text)?.[1];
    text =
      next &&
      (readPlainFile(join(folder, next)) ?? readPlainFile(join(common, next)) ?? findPackedRef(common, next))?.trim();
  }
  const branch = ref?.startsWith("refs/heads/") && ref !== "refs/heads/.invalid" ? ref.slice(11) : undefined;
  return { ...(branch && { branch }), ...(text && COMMIT_ID.test(text) && { head: text }) };
}

function findPackedRef(common: string, ref: string): string | undefined {
  const text = readPlainFile(join(common, "packed-refs")) ?? "";
  const at = text.indexOf(` ${ref}\n`);
  return at < 0 ? undefined : text.slice(text.lastIndexOf("\n", at) + 1, at);
}

/** Arguments for a diff of the index in a fixed format, without running other programs. */
const STAGED_DIFF_ARGUMENTS =
  "diff --cached --no-ext-diff --no-textconv --no-color --no-renames --ignore-submodules=all --unified=0 --src-prefix=a/ --dst-prefix=b/";

/** Arguments that list changed files with their numbers of lines, without running other programs. */
const CHANGES_ARGUMENTS =
  "diff --numstat -z --no-ext-diff --no-textconv --no-color --no-renames --ignore-submodules=all";

type AskedRepository = Pick<
  Repository,
  | "root"
  | "commonGitDir"
  | "dirty"
  | "changed"
  | "changedFiles"
  | "untrackedFiles"
  | "isHeldElsewhere"
  | "commits"
  | "staged"
  | "tracks"
>;

function createRepository({ root, commonGitDir }: WorkingTree): AskedRepository {
  const asked: Partial<Record<UntrackedMode, { found: boolean | undefined }>> = {};
  const changes = (untracked: UntrackedMode) => (asked[untracked] ??= { found: hasChanges(root, untracked) }).found;
  return {
    root,
    commonGitDir,
    get dirty() {
      return changes("normal");
    },
    get changed() {
      return changes("no");
    },
    changedFiles: (selection, since) => listChangedFiles(root, selection, since),
    untrackedFiles: (selection, kind) => listUntrackedFiles(root, selection, kind),
    isHeldElsewhere: (branches, more = {}) => areHeldElsewhere(root, branches, more),
    commits: (count) => {
      const text =
        runGit(root, ["log", `-${Math.max(0, Math.trunc(count))}`, "--no-show-signature", "--format=%h %s"]) ?? "";
      const lines = text.split("\n").filter(Boolean);
      return lines.map((line) => ({
        id: line.slice(0, line.indexOf(" ")),
        subject: line.slice(line.indexOf(" ") + 1),
      }));
    },
    tracks: (path) => {
      const name = relative(root, path).split(sep).join("/");
      if (name === "" || name.startsWith("../") || isAbsolute(name)) return false;
      const listed = runGit(root, ["ls-tree", "-z", "--full-tree", "HEAD", "--", name]);
      return listed === undefined ? undefined : /^100\d{3} blob /.test(listed);
    },
    staged: () => runGit(root, STAGED_DIFF_ARGUMENTS.split(" "), { "core.quotePath": "false" }),
  };
}

/** Whether untracked files count as changes. */
type UntrackedMode = "normal" | "no";

function hasChanges(root: string, untracked: UntrackedMode): boolean | undefined {
  const deadline = performance.now() + GIT_TIMEOUT_MS;
  const filters = readFilterOverrides(root, deadline);
  const status = ["status", "--porcelain", `--untracked-files=${untracked}`, "--ignore-submodules=all"];
  const changes = filters && runGit(root, status, filters, deadline);
  return changes === undefined ? undefined : changes !== "";
}

/** Settings that keep git from running the filters that a repository configures; undefined if it can't be asked. */
function readFilterOverrides(root: string, deadline: number): Record<string, string> | undefined {
  const filters = runGit(root, ["config", "-z", "--name-only", "--get-regexp", "^filter\\."], {}, deadline);
  if (filters === undefined) return undefined;
  const names = new Set(filters.split("\0").flatMap((key) => /^filter\.(.*)\.[^.]*$/s.exec(key)?.[1] ?? []));
  return Object.fromEntries(
    [...names].flatMap((name) => [
      [`filter.${name}.clean`, ""],
      [`filter.${name}.process`, ""],
      [`filter.${name}.required`, "false"],
    ]),
  );
}

function listChangedFiles(
  root: string,
  { folder, paths }: FileSelection,
  since: "index" | "HEAD",
): UncommittedFile[] | undefined {
  const deadline = performance.now() + GIT_TIMEOUT_MS;
  const filters = readFilterOverrides(root, deadline);
  const text =
    filters &&
    runGit(
      root,
      ["-C", folder, ...CHANGES_ARGUMENTS.split(" "), ...(since === "HEAD" ? [since] : []), "--", ...paths],
      filters,
      deadline,
    );
  return text === undefined
    ? undefined
    : splitRecords(text).map((record) => {
        const [added, removed, path = ""] = record.split("\t");
        const lines = Number(added) + Number(removed);
        return { path, ...(lines > 0 && { lines }) };
      });
}

function listUntrackedFiles(
  root: string,
  { folder, paths }: FileSelection,
  kind: "new" | "ignored",
): UncommittedFile[] | undefined {
  const which = kind === "ignored" ? ["--ignored"] : ["--no-empty-directory"];
  const list = ["-C", folder, "ls-files", "-z", "--others", "--exclude-standard", "--directory", ...which];
  const text = runGit(root, [...list, "--", ...paths]);
  return text === undefined ? undefined : splitRecords(text).map((path) => ({ path }));
}

const splitRecords = (text: string): string[] => text.split("\0").filter(Boolean);

/** More branches than these are not asked about. */
const MAX_BRANCHES = 20;
const BRANCH_NAME = /^\w[\w./+#-]*$/;

function areHeldElsewhere(
  root: string,
  branches: readonly string[],
  { remote = false, target }: HoldingCommits,
): boolean | undefined {
  const isName = (name: string) => BRANCH_NAME.test(name) && !name.includes("..");
  if (branches.length > MAX_BRANCHES || !branches.every(isName) || target?.startsWith("-")) return undefined;
  const refs = branches.map((name) => `refs/heads/${name}`);
  const others = [...refs.map((ref) => `--exclude=${ref}`), "--glob=refs/heads/*", "--glob=refs/tags/*"];
  const holding = [...(target === undefined ? [] : [target]), ...others, ...(remote ? ["--glob=refs/remotes/*"] : [])];
  const lost = runGit(root, ["rev-list", "--max-count=1", ...refs, "--not", ...holding]);
  return lost === undefined ? undefined : lost === "";
}
