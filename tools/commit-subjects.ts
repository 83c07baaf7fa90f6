/** Maximum length of a subject, in characters. */
const MAX_SUBJECT = 72;
/** Types of commits whose body must say why. */
const EXPLAINED_TYPES = ["feat", "fix", "perf", "refactor"];

const USAGE = `Usage: bun tools/commit-subjects.ts [RANGE]

Checks the messages of the commits in RANGE (default: HEAD only), such as origin/main..HEAD.`;

interface Commit {
  hash: string;
  parents: string[];
  subject: string;
  body: string;
}

function runGit(directory: string, args: readonly string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(["git", ...args], { cwd: directory });
  if (exitCode !== 0) throw new Error(`git ${args[0]}: ${`${stderr}`.trim()}`);
  return `${stdout}`;
}

/** Lists the commits in a range, or only HEAD if the range is `-1 HEAD`. */
function listCommits(directory: string, range: readonly string[]): Commit[] {
  const text = runGit(directory, ["log", "--format=%h%x00%p%x00%s%x00%b%x01", ...range]);
  return text
    .split("\u0001")
    .map((record) => record.trimStart().split("\0"))
    .filter(([hash]) => hash !== "")
    .map(([hash = "", parents = "", subject = "", body = ""]) => ({
      hash,
      parents: parents.split(" "),
      subject,
      body: body.trim(),
    }));
}

/** Returns the problems in a commit's message. Skips merges and reverts, because git writes their messages. */
function findFaults({ hash, parents, subject, body }: Commit): string[] {
  if (parents.length > 1 || subject.startsWith('Revert "')) return [];
  const length = [...subject].length;
  const type = /^(\w+)(?:\([^)]*\))?!?: /.exec(subject)?.[1] ?? "";
  return [
    ...(length > MAX_SUBJECT
      ? [`${hash}: the subject has ${length} characters, but at most ${MAX_SUBJECT} are allowed: ${subject}`]
      : []),
    ...(EXPLAINED_TYPES.includes(type) && body === "" ? [`${hash}: the body must say why: ${subject}`] : []),
  ];
}

/**
 * Checks commit messages.
 *
 * @param range `git log` arguments that select the commits.
 * @returns a line for each problem.
 */
export const checkCommits = (directory: string, range: readonly string[]): string[] =>
  listCommits(directory, range).flatMap(findFaults);

/**
 * Returns the `git log` arguments for the commits since origin/main. If origin/main isn't an ancestor, they select only
 * HEAD.
 */
export function findOwnRange(directory: string): string[] {
  const { exitCode } = Bun.spawnSync(["git", "merge-base", "--is-ancestor", "origin/main", "HEAD"], { cwd: directory });
  const isAhead = exitCode === 0 && runGit(directory, ["rev-list", "--count", "origin/main..HEAD"]).trim() !== "0";
  return isAhead ? ["origin/main..HEAD"] : ["-1", "HEAD"];
}

if (import.meta.main) {
  const [range, ...rest] = process.argv.slice(2);
  if (rest.length > 0 || range?.startsWith("-")) {
    console.error(USAGE);
    process.exit(2);
  }
  const faults = checkCommits(process.cwd(), range === undefined ? ["-1", "HEAD"] : [range]);
  for (const fault of faults) console.error(fault);
  process.exit(faults.length > 0 ? 1 : 0);
}
