import { basename } from "bridge-hooks/paths";
import { defineHook } from "bridge-hooks";
import * as v from "valibot";

const FILE_PLACEHOLDER = "{file}";
const POSIX_SHELL = /^(ba|z|da|k|fi)?sh(\.exe)?$/i;
/** Shells that read whatever follows as text. */
const OTHER_SHELL = /^(cmd|powershell|pwsh)(\.exe)?$/i;

/**
 * What is wrong with the words of a command. The file is a word of its own or an option's value: no shell is to read
 * its name as text.
 */
function checkWords(words: readonly string[]): string | undefined {
  const [program = ""] = words;
  if (program === "" || program.includes(FILE_PLACEHOLDER)) return "it begins with no program";
  if (!words.some((word) => word.includes(FILE_PLACEHOLDER)))
    return `it has no ${FILE_PLACEHOLDER}; that is where the file's path goes`;
  if (words.some((word) => word.includes(FILE_PLACEHOLDER) && !/^(?:--?[\w-]+=)?\{file\}$/.test(word)))
    return `${FILE_PLACEHOLDER} has to be a word of its own, or what an option is set to: "--write", "${FILE_PLACEHOLDER}"`;
  const name = basename(program.replaceAll("\\", "/"));
  const script = POSIX_SHELL.test(name) ? words.findIndex((word) => /^-(?=\w*c)\w*$/.test(word)) + 1 : 0;
  if (!OTHER_SHELL.test(name) && (script === 0 || words.indexOf(FILE_PLACEHOLDER) > script)) return undefined;
  return `a shell would run the file's name; write ["sh", "-c", "prettier --write \\"$1\\"", "sh", "${FILE_PLACEHOLDER}"]`;
}

const commandSchema = v.pipe(
  v.union([v.string(), v.array(v.string())], "a command is a text, or a list of words"),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const { value } = dataset;
    if (typeof value === "string" && /['"$`|&;<>*?\\\n]/.test(value)) {
      addIssue({ message: "no shell runs it, so it can't have such characters; write a list of words" });
      return NEVER;
    }
    const words = typeof value === "string" ? value.split(/\s+/).filter(Boolean) : value;
    const message = checkWords(words);
    if (message === undefined) return words;
    addIssue({ message });
    return NEVER;
  }),
);

const options = v.strictObject({
  /**
   * The command for files of a kind, by a glob of their names (`*.ts`) or paths in the repository (`src/**\/*.ts`).
   * Without any the hook is off.
   */
  commands: v.optional(
    v.pipe(
      v.unknown(),
      v.check((value) => !Array.isArray(value), 'must be an object: { "*.ts": "prettier --write {file}" }'),
      v.record(v.string(), commandSchema),
    ),
    {},
  ),
  /** Only in these folders (the repository's root), with wildcards: `~/code/*`. */
  folders: v.optional(v.array(v.string())),
  /** Milliseconds for all that one edit sets going. */
  timeoutMs: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 3_000),
});

/**
 * Runs formatters of yours on the files that the agent has edited, and tells it when one failed or changed a file.
 * Never blocks. Off until `commands` are set, in your own config file or in a managed one: what a project's file says
 * of them counts only where you trust the project, since they are run.
 *
 * Formatters run in the repository's root, on files in it alone, without a shell: a file's name is never more than a
 * name. They read the repository's own config, and some run what it says (`prettier.config.js`): use `folders` where
 * you work on what is not yours. All of them together have the time of a hook call. It does not see files that a shell
 * command or an MCP server changed, more than 20 files of one patch, or what is larger than 10 MB.
 */
export default defineHook({
  description: "Formats files that the agent has edited",
  event: "PostToolUse",
  tool: ["Edit", "Write"],
  order: 10,
  onError: "allow",
  options,
  trustedOptions: ["commands", "folders", "timeoutMs"],
  async handler(event, { options: settings, signal }) {
    if (Object.keys(settings.commands).length === 0) return undefined;
    return (await import("./_format.ts")).formatChangedFiles(event, settings, signal);
  },
});
