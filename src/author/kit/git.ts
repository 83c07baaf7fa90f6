import { readFileSync, readlinkSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { AnyEvent } from "../../protocol/event.ts";
import { findProgram } from "../../hosts/find-program.ts";
import { followLinks } from "../../hosts/follow-links.ts";
import { readOutput } from "../../hosts/run-program.ts";

/** A commit, as short as people write it. */
export interface Commit {
  /** The abbreviated id. */
  id: string;
  /** The first line of its message. */
  subject: string;
}

/** The git repository that an event happens in. */
export interface Repository {
  /** The top folder of the working tree: absolute, links followed. */
  readonly root: string;
  /** Absent where no branch is checked out, and in a repository whose branches are in a reftable. */
  readonly branch?: string;
  /** The full id of the commit that is checked out; absent before the first. */
  readonly head?: string;
  /**
   * Whether anything is changed or new: asks git when it is read, for at most a second. Submodules are not looked into, and a
   * touched file behind a filter (Git LFS) may count as changed. `undefined` where nobody can tell: no git, a repository that git
   * refuses (safe.directory), no answer in time.
   */
  readonly dirty: boolean | undefined;
  /** Whether anything that git tracks is changed: as `dirty`, but files that are new and not added don't count. */
  readonly changed: boolean | undefined;
  /** The last commits, the newest first; asks git, as `dirty` does. None where nobody can tell. */
  commits(count: number): readonly Commit[];
  /**
   * What the next commit would change, as git's diff without lines around; asks git, as `dirty` does. Of a long one the beginning,
   * and `undefined` where nobody can tell.
   */
  staged(): string | undefined;
}

/**
 * The repository around the folder of an event (of a command, where the host says in which it runs). Reads `.git` itself:
 * worktrees, submodules and detached heads are known, and no process is started. What asks git starts nothing that the repository
 * names: no filter, fsmonitor, hook, pager or transport.
 * @returns nothing where there is no repository.
 */
export function git(event: Pick<AnyEvent, "cwd">): Repository | undefined {
  const { cwd: commandCwd } = ("input" in event ? event.input : {}) as { cwd?: unknown };
  const folder = typeof commandCwd === "string" && commandCwd ? resolve(event.cwd, commandCwd) : event.cwd;
  if (!isAbsolute(folder)) return undefined;
  for (let at = followLinks(folder); at !== undefined; at = dirname(at) === at ? undefined : dirname(at)) {
    const found = findGitFolder(at);
    if (found) return Object.assign(createRepository(at), resolveHead(found));
  }
  return undefined;
}

/** More than a packed-refs has that git can work with. */
const MAX_FILE_BYTES = 100_000_000;

/** A file's text; nothing where there is no plain file: a pipe would be waited for. */
function readPlainFile(path: string): string | undefined {
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= MAX_FILE_BYTES ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

/** Where git keeps a working tree's own files: `.git`, or what it points to. */
function findGitFolder(root: string): string | undefined {
  const path = join(root, ".git");
  const pointed = /^gitdir: (.+?)\n*$/.exec(readPlainFile(path) ?? "")?.[1];
  const folder = pointed === undefined ? path : resolve(root, pointed);
  return readHead(folder) === undefined ? undefined : folder;
}

const COMMIT_ID = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const HEAD_REF = /^ref:\s*(refs\/(?!.*\.\.)[^\0\n]+)$/;

/** What HEAD says: `ref: refs/…`, or a commit's id. In old repositories it is a link. */
function readHead(folder: string): string | undefined {
  const text = readLinkedHead(join(folder, "HEAD")) ?? readPlainFile(join(folder, "HEAD"))?.trim();
  return text !== undefined && (HEAD_REF.test(text) || COMMIT_ID.test(text)) ? text : undefined;
}

function readLinkedHead(path: string): string | undefined {
  try {
    return `ref: ${readlinkSync(path).trim()}`;
  } catch {
    return undefined;
  }
}

const MAX_REF_STEPS = 5;

function resolveHead(folder: string): Pick<Repository, "branch" | "head"> {
  const common = resolve(folder, readPlainFile(join(folder, "commondir"))?.trim() ?? "");
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

/** A diff of the index that no config changes the form of, and that runs no program. */
const STAGED_DIFF_ARGUMENTS =
  "diff --cached --no-ext-diff --no-textconv --no-color --no-renames --ignore-submodules=all --unified=0 --src-prefix=a/ --dst-prefix=b/";

function createRepository(root: string): Pick<Repository, "root" | "dirty" | "changed" | "commits" | "staged"> {
  const asked: Partial<Record<UntrackedMode, { found: boolean | undefined }>> = {};
  const changes = (untracked: UntrackedMode) => (asked[untracked] ??= { found: hasChanges(root, untracked) }).found;
  return {
    root,
    get dirty() {
      return changes("normal");
    },
    get changed() {
      return changes("no");
    },
    commits: (count) => {
      const text =
        runGit(root, ["log", `-${Math.max(0, Math.trunc(count))}`, "--no-show-signature", "--format=%h %s"]) ?? "";
      const lines = text.split("\n").filter(Boolean);
      return lines.map((line) => ({
        id: line.slice(0, line.indexOf(" ")),
        subject: line.slice(line.indexOf(" ") + 1),
      }));
    },
    staged: () => runGit(root, STAGED_DIFF_ARGUMENTS.split(" "), { "core.quotePath": "false" }),
  };
}

const GIT_TIMEOUT_MS = 1_000;

/** Which files that git does not track are changes as well. */
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

/** What git must not take from a repository's config. */
const SAFE_CONFIG = { "core.fsmonitor": "false", "core.hooksPath": "/dev/null", "status.submoduleSummary": "false" };

/** What git prints; nothing where it fails, or has not ended by then. Of much, the beginning. */
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
  // git config ends with 1 where nothing has such a name.
  return exit_code === 0 || cut || (exit_code === 1 && args[0] === "config") ? stdout : undefined;
}

/** Without what the environment says of another repository, or of other programs. */
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
    // Where there is no repository after all, the one around it is not meant.
    GIT_CEILING_DIRECTORIES: dirname(root),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    // A partial clone fetches what it lacks, through programs that its config names: newer releases know the first.
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "none",
  };
}

/** The program, not one that the repository brings onto PATH. */
const findGitProgram = (root: string) => findProgram("git", { roots: [root] });
