import { dirname, isAbsolute, join, relative, resolve, sep } from "../../system/paths.ts";
import {
  COMMIT_ID,
  findWorkingTree,
  HEAD_REF,
  readHead,
  readPlainFile,
  type WorkingTree,
} from "../../system/working-tree.ts";
import type { AnyEvent } from "../../protocol/event.ts";
import { findProgram } from "../../hosts/find-program.ts";
import { readOutput } from "../../hosts/run-program.ts";

/** A commit, in short form. */
export interface Commit {
  /** The abbreviated id. */
  id: string;
  /** The first line of its message. */
  subject: string;
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
   * Whether branches other than these contain all of their commits, so that deleting them loses none. Runs git, like
   * `dirty`. `undefined` if unknown, or if one of them is not a branch. With `remote`, the last fetched state of
   * remotes counts as well.
   */
  isHeldElsewhere(branches: readonly string[], remote?: boolean): boolean | undefined;
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

type AskedRepository = Pick<
  Repository,
  "root" | "commonGitDir" | "dirty" | "changed" | "isHeldElsewhere" | "commits" | "staged" | "tracks"
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
    isHeldElsewhere: (branches, remote = false) => areHeldElsewhere(root, branches, remote),
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

const GIT_TIMEOUT_MS = 1_000;

/** Whether untracked files count as changes. */
type UntrackedMode = "normal" | "no";

function hasChanges(root: string, untracked: UntrackedMode): boolean | undefined {
  const deadline = performance.now() + GIT_TIMEOUT_MS;
  const filters = runGit(root, ["config", "-z", "--name-only", "--get-regexp", "^filter\\."], {}, deadline);
  if (filters === undefined) return undefined;
  const names = new Set(filters.split("\0").flatMap((key) => /^filter\.(.*)\.[^.]*$/s.exec(key)?.[1] ?? []));
  const empty = [...names].flatMap((name) => [
    [`filter.${name}.clean`, ""],
    [`filter.${name}.process`, ""],
    [`filter.${name}.required`, "false"],
  ]);
  const status = ["status", "--porcelain", `--untracked-files=${untracked}`, "--ignore-submodules=all"];
  const changes = runGit(root, status, Object.fromEntries(empty), deadline);
  return changes === undefined ? undefined : changes !== "";
}

/** More branches than these are not asked about. */
const MAX_BRANCHES = 20;
const BRANCH_NAME = /^\w[\w./+#-]*$/;

function areHeldElsewhere(root: string, branches: readonly string[], remote: boolean): boolean | undefined {
  if (branches.length > MAX_BRANCHES || !branches.every((name) => BRANCH_NAME.test(name) && !name.includes("..")))
    return undefined;
  const deadline = performance.now() + GIT_TIMEOUT_MS;
  const refs = branches.map((name) => `refs/heads/${name}`);
  for (const ref of refs) {
    const args = ["for-each-ref", `--contains=${ref}`, "--format=%(refname)", "refs/heads/"];
    const holding = runGit(root, remote ? [...args, "refs/remotes/"] : args, {}, deadline);
    if (holding === undefined) return undefined;
    if (!holding.split("\n").some((name) => name !== "" && !refs.includes(name))) return false;
  }
  return true;
}

/** Overrides settings that git must not take from a repository's config. */
const SAFE_CONFIG = { "core.fsmonitor": "false", "core.hooksPath": "/dev/null", "status.submoduleSummary": "false" };

/** Runs git; undefined if it fails or takes too long. Long output is cut off at its end. */
function runGit(
  root: string,
  args: readonly string[],
  config: Readonly<Record<string, string>> = {},
  deadline = performance.now() + GIT_TIMEOUT_MS,
): string | undefined {
  const program = findGitProgram(root);
  const timeout = Math.ceil(deadline - performance.now());
  if (!program || timeout <= 0) return undefined;
  const { stdout, exit_code, cut } = readOutput({
    argv: [program, "--no-pager", "-C", root, ...args],
    env: buildGitEnvironment(root, { ...SAFE_CONFIG, ...config }),
    timeout,
  });
  // git config exits with 1 if the setting does not exist.
  return exit_code === 0 || cut || (exit_code === 1 && args[0] === "config") ? stdout : undefined;
}

/** The environment without variables that name another repository or other programs. */
function buildGitEnvironment(
  root: string,
  config: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(([name]) => !/^GIT_/i.test(name));
  const entries = Object.entries(config).flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return {
    ...Object.fromEntries([...own, ...entries]),
    GIT_CONFIG_COUNT: String(Object.keys(config).length),
    // If this is not a repository after all, don't use the one around it.
    GIT_CEILING_DIRECTORIES: dirname(root),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    // In a partial clone, git fetches missing objects through programs that its config names. Newer releases support
    // the first variable.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
  };
}

/** Finds git on PATH, ignoring programs inside the repository. */
const findGitProgram = (root: string) => findProgram("git", { roots: [root] });
