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

/** A commit's abbreviated ID and subject. */
export interface Commit {
  /** The abbreviated commit ID. */
  id: string;
  /** The first line of the commit message. */
  subject: string;
}

/** A file with uncommitted changes. */
export interface UncommittedFile {
  /**
   * Path of a tracked file relative to the root of the working tree, or of an untracked file relative to the given
   * directory.
   */
  path: string;
  /** Number of added and removed lines. Absent for untracked and binary files. */
  lines?: number;
}

/** Selects files of a working tree. */
export interface FileSelection {
  /** Absolute path of the directory that the paths are relative to. */
  folder: string;
  /** Git pathspecs; an empty list selects all files of the working tree. */
  paths: readonly string[];
}

/** Refs to search for the commits in addition to local branches and tags. */
export interface HoldingCommits {
  /** Whether to include remote-tracking branches as of the last fetch. */
  remote?: boolean;
  /** The commit that a branch is about to be moved to. */
  target?: string;
}

/** The git repository that contains an event's working directory. */
export interface Repository {
  /** Root of the working tree: an absolute path with links resolved. */
  readonly root: string;
  /**
   * Directory shared by all working trees of the repository. For a linked working tree, this is the main working tree's
   * `.git`.
   */
  readonly commonGitDir: string;
  /** The current branch. Absent if HEAD is detached or the repository uses reftable. */
  readonly branch?: string;
  /** The full id of the checked-out commit. Absent before the first commit. */
  readonly head?: string;
  /**
   * Whether any file is changed or untracked. Reading this property runs git for at most one second. Submodules are
   * skipped. A file that goes through a filter (Git LFS) can count as changed even if only its timestamp changed. The
   * value is `undefined` if git is missing, rejects the repository (safe.directory) or times out.
   */
  readonly dirty: boolean | undefined;
  /** Whether any tracked file is changed. Unlike `dirty`, ignores untracked files. */
  readonly changed: boolean | undefined;
  /**
   * Lists the selected tracked files that differ from the index or from HEAD. Runs git, like `dirty`. Returns
   * `undefined` if the result is unknown.
   */
  changedFiles(selection: FileSelection, since: "index" | "HEAD"): readonly UncommittedFile[] | undefined;
  /**
   * Lists the selected untracked files: "new" lists files that aren't ignored, "ignored" lists ignored files. A
   * directory without tracked files is listed as one entry that ends in `/`. Runs git, like `dirty`. Returns
   * `undefined` if the result is unknown.
   */
  untrackedFiles(selection: FileSelection, kind: "new" | "ignored"): readonly UncommittedFile[] | undefined;
  /**
   * Returns whether other branches and tags contain all commits of these branches. If so, deleting or moving the
   * branches loses no commits. Runs git, like `dirty`. Returns `undefined` if the result is unknown, or if a name isn't
   * a branch.
   */
  isHeldElsewhere(branches: readonly string[], more?: HoldingCommits): boolean | undefined;
  /** Lists the last commits, newest first. Runs git, like `dirty`. Returns an empty list if the result is unknown. */
  commits(count: number): readonly Commit[];
  /**
   * Returns the staged changes as a git diff without context lines. Runs git, like `dirty`. Long diffs are truncated.
   * Returns `undefined` if the result is unknown.
   */
  staged(): string | undefined;
  /**
   * Returns whether HEAD contains a file at this path. Links in the path must already be resolved, because for a link
   * git stores only the target. Runs git, like `dirty`. Returns `undefined` if the result is unknown.
   */
  tracks(path: string): boolean | undefined;
}

/**
 * Finds the git repository that contains an event's working directory, or the command's own directory if the host
 * reports it. Reads `.git` without starting a process. Supports worktrees, submodules and detached HEADs. Members that
 * run git never run anything that the repository configures: no filters, fsmonitor, hooks, pagers or transports.
 * @returns undefined outside a repository.
 */
export function git(event: Pick<AnyEvent, "cwd">): Repository | undefined {
  const { cwd: commandCwd } = ("input" in event ? event.input : {}) as { cwd?: unknown };
  const folder = typeof commandCwd === "string" && commandCwd ? resolve(event.cwd, commandCwd) : event.cwd;
  const workingTree = findWorkingTree(folder);
  return workingTree && Object.assign(createRepository(workingTree), resolveHead(workingTree));
}

const MAX_REF_STEPS = 5;

function resolveHead({ gitDir: folder, commonGitDir: common }: WorkingTree): Pick<Repository, "branch" | "head"> {
  let text = readHead(folder);
  const ref = HEAD_REF.exec(text ?? "")?.[1];
  for (let step = 0; step < MAX_REF_STEPS && text !== undefined && !COMMIT_ID.test(text); step++) {
    const nextRef = HEAD_REF.exec(text)?.[1];
    text =
      nextRef &&
      (
        readPlainFile(join(folder, nextRef)) ??
        readPlainFile(join(common, nextRef)) ??
        findPackedRef(common, nextRef)
      )?.trim();
  }
  const branch = ref?.startsWith("refs/heads/") && ref !== "refs/heads/.invalid" ? ref.slice(11) : undefined;
  return { ...(branch && { branch }), ...(text && COMMIT_ID.test(text) && { head: text }) };
}

function findPackedRef(common: string, ref: string): string | undefined {
  const text = readPlainFile(join(common, "packed-refs")) ?? "";
  const at = text.indexOf(` ${ref}\n`);
  return at < 0 ? undefined : text.slice(text.lastIndexOf("\n", at) + 1, at);
}

/** Arguments for a diff of the index in a fixed format, without running external programs. */
const STAGED_DIFF_ARGUMENTS =
  "diff --cached --no-ext-diff --no-textconv --no-color --no-renames --ignore-submodules=all --unified=0 --src-prefix=a/ --dst-prefix=b/";

/** Arguments for listing changed files with line counts, without running external programs. */
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
  const answers: Partial<Record<UntrackedMode, { found: boolean | undefined }>> = {};
  const getChanges = (untracked: UntrackedMode) =>
    (answers[untracked] ??= { found: hasChanges(root, untracked) }).found;
  return {
    root,
    commonGitDir,
    get dirty() {
      return getChanges("normal");
    },
    get changed() {
      return getChanges("no");
    },
    changedFiles: (selection, since) => listChangedFiles(root, selection, since),
    untrackedFiles: (selection, kind) => listUntrackedFiles(root, selection, kind),
    isHeldElsewhere: (branches, more = {}) => areReachableElsewhere(root, branches, more),
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
      const listing = runGit(root, ["ls-tree", "-z", "--full-tree", "HEAD", "--", name]);
      return listing === undefined ? undefined : /^100\d{3} blob /.test(listing);
    },
    staged: () => runGit(root, STAGED_DIFF_ARGUMENTS.split(" "), { "core.quotePath": "false" }),
  };
}

/** Whether untracked files count as changes, as in `git status --untracked-files`. */
type UntrackedMode = "normal" | "no";

function hasChanges(root: string, untracked: UntrackedMode): boolean | undefined {
  const deadline = performance.now() + GIT_TIMEOUT_MS;
  const filters = readFilterOverrides(root, deadline);
  const status = ["status", "--porcelain", `--untracked-files=${untracked}`, "--ignore-submodules=all"];
  const output = filters && runGit(root, status, filters, deadline);
  return output === undefined ? undefined : output !== "";
}

/** Returns git settings that disable the repository's filters. Returns undefined if git fails. */
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
  const selection = kind === "ignored" ? ["--ignored"] : ["--no-empty-directory"];
  const list = ["-C", folder, "ls-files", "-z", "--others", "--exclude-standard", "--directory", ...selection];
  const text = runGit(root, [...list, "--", ...paths]);
  return text === undefined ? undefined : splitRecords(text).map((path) => ({ path }));
}

const splitRecords = (text: string): string[] => text.split("\0").filter(Boolean);

/** Maximum number of branches to check. */
const MAX_BRANCHES = 20;
const BRANCH_NAME = /^\w[\w./+#-]*$/;

function areReachableElsewhere(
  root: string,
  branches: readonly string[],
  { remote = false, target }: HoldingCommits,
): boolean | undefined {
  const isName = (name: string) => BRANCH_NAME.test(name) && !name.includes("..");
  if (branches.length > MAX_BRANCHES || !branches.every(isName) || target?.startsWith("-")) return undefined;
  const refs = branches.map((name) => `refs/heads/${name}`);
  const otherRefs = [...refs.map((ref) => `--exclude=${ref}`), "--glob=refs/heads/*", "--glob=refs/tags/*"];
  const holdingRefs = [
    ...(target === undefined ? [] : [target]),
    ...otherRefs,
    ...(remote ? ["--glob=refs/remotes/*"] : []),
  ];
  const lostCommits = runGit(root, ["rev-list", "--max-count=1", ...refs, "--not", ...holdingRefs]);
  return lostCommits === undefined ? undefined : lostCommits === "";
}
