import { readFileSync, realpathSync, statSync } from "bridge-hooks/files";
import { join, sep } from "bridge-hooks/paths";
import { context, defineHook, git, type Repository } from "bridge-hooks";
import * as v from "valibot";

/** Maximum number of characters to include per file. */
const MAX_FILE_CHARACTERS = 8_000;
const MAX_SUBJECT_CHARACTERS = 200;
/** Maximum size of a file to include. A larger file wasn't written for a model. */
const MAX_FILE_BYTES = 1_000_000;

const shortenText = (text: string, maxLength: number) =>
  text.length > maxLength ? `${text.slice(0, maxLength)}… (cut)` : text;

/** Describes the repository, one fact per line. */
function describeRepository(repository: Repository, options: { commits: number; changes: boolean }): string {
  const { branch, head } = repository;
  const lastCommits = options.commits > 0 && head ? repository.commits(options.commits) : [];
  const lines = [
    branch ? `Git branch: ${branch}` : head ? `Git commit: ${head.slice(0, 10)} (no branch)` : "",
    options.changes && repository.dirty ? "Uncommitted changes: yes" : "",
    lastCommits.length > 0 ? "Last commits:" : "",
    ...lastCommits.map(({ id, subject }) => `${id} ${shortenText(subject, MAX_SUBJECT_CHARACTERS)}`),
  ];
  return lines.filter(Boolean).join("\n");
}

/**
 * Reads a file in a directory by its relative path. Returns "" if there is no file to include or if a symlink leads out
 * of the directory.
 */
function readContextFile(folder: string, name: string): string {
  try {
    const root = realpathSync(folder);
    const path = realpathSync(join(root, name));
    const stats = statSync(path);
    if (!path.startsWith(root + sep) || !stats.isFile() || stats.size > MAX_FILE_BYTES) return "";
    const text = readFileSync(path, "utf8").trim();
    return text && `${name}:\n${shortenText(text, MAX_FILE_CHARACTERS)}`;
  } catch {
    return "";
  }
}

/**
 * Gives the model context when a session starts: the branch, the last commits, and whether there are uncommitted
 * changes, plus files and text that you configure. Adds nothing if all of these are empty.
 *
 * The hook starts no program that the repository names, whatever the repository's config contains. It passes on text
 * that people wrote, so commit subjects and files may contain prompt injections, like anything in a repository. The
 * hook doesn't see changes after the session started, files outside the repository, or a branch stored in a reftable.
 */
export default defineHook({
  description: "Adds git context to the session",
  event: "SessionStart",
  options: v.strictObject({
    /** The number of recent commits to include. */
    commits: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(50)), 5),
    /** Whether to mention that there are uncommitted changes. */
    changes: v.optional(v.boolean(), true),
    /** Files from the repository to include, by relative path. Missing files are skipped. */
    files: v.optional(v.array(v.string()), []),
    /** Text to include every time a session starts. */
    text: v.optional(v.string(), ""),
  }),
  handler(event, { options }) {
    const repository = git(event);
    const folder = repository?.root ?? event.cwd;
    const parts = [
      repository ? describeRepository(repository, options) : "",
      ...options.files.map((name) => (folder ? readContextFile(folder, name) : "")),
      options.text.trim(),
    ].filter(Boolean);
    return parts.length > 0 ? context(parts.join("\n\n")) : undefined;
  },
});
