import { readFileSync, realpathSync, statSync } from "bridge-hooks/files";
import { join, sep } from "bridge-hooks/paths";
import { context, defineHook, git, type Repository } from "bridge-hooks";
import * as v from "valibot";

/** Characters of one file, and of one commit's subject. */
const MAX_FILE_CHARACTERS = 8_000;
const MAX_SUBJECT_CHARACTERS = 200;
/** Bytes of a file that is looked at: nobody writes so much for a model. */
const MAX_FILE_BYTES = 1_000_000;

const shortenText = (text: string, most: number) => (text.length > most ? `${text.slice(0, most)}… (cut)` : text);

/** What is to be known of the repository, a line each. */
function describeRepository(repository: Repository, options: { commits: number; changes: boolean }): string {
  const { branch, head } = repository;
  const last = options.commits > 0 && head ? repository.commits(options.commits) : [];
  const lines = [
    branch ? `Git branch: ${branch}` : head ? `Git commit: ${head.slice(0, 10)} (no branch)` : "",
    options.changes && repository.dirty ? "Uncommitted changes: yes" : "",
    last.length > 0 ? "Last commits:" : "",
    ...last.map(({ id, subject }) => `${id} ${shortenText(subject, MAX_SUBJECT_CHARACTERS)}`),
  ];
  return lines.filter(Boolean).join("\n");
}

/** A file of the folder, by its name in it; nothing where there is none, or a link leads out of it. */
function readContextFile(folder: string, name: string): string {
  try {
    const root = realpathSync(folder);
    const path = realpathSync(join(root, name));
    const found = statSync(path);
    if (!path.startsWith(root + sep) || !found.isFile() || found.size > MAX_FILE_BYTES) return "";
    const text = readFileSync(path, "utf8").trim();
    return text && `${name}:\n${shortenText(text, MAX_FILE_CHARACTERS)}`;
  } catch {
    return "";
  }
}

/**
 * Tells the model at the start of a session where it is: the branch, the last commits, and whether anything is
 * uncommitted; further files and a text of yours, if you say so. Says nothing where there is nothing to say.
 *
 * It starts no program that the repository names, whatever its config says. It passes on what people wrote: a commit's
 * subject or a file may try to talk a model into something, as everything in a repository may. It does not see what
 * changes after the session began, nor files outside of the repository, nor a repository's branch that is kept in a
 * reftable.
 */
export default defineHook({
  description: "Gives the session its git context",
  event: "SessionStart",
  options: v.strictObject({
    /** How many of the last commits. */
    commits: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(50)), 5),
    /** Whether to say that something is uncommitted. */
    changes: v.optional(v.boolean(), true),
    /** Files of the repository to pass on, by their paths in it; those that are not there are left out. */
    files: v.optional(v.array(v.string()), []),
    /** Said at every start. */
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
