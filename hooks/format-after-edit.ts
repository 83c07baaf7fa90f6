import { basename } from "bridge-hooks/paths";
import { defineHook } from "bridge-hooks";
import * as v from "valibot";

const FILE_PLACEHOLDER = "{file}";
const POSIX_SHELL = /^(ba|z|da|k|fi)?sh(\.exe)?$/i;
/** Shells that treat all remaining arguments as a script. */
const OTHER_SHELL = /^(cmd|powershell|pwsh)(\.exe)?$/i;

/**
 * Returns what is wrong with a command's words, if anything. `{file}` must be a separate word or an option's whole
 * value, so that no shell can interpret the file name.
 */
function checkWords(words: readonly string[]): string | undefined {
  const [program = ""] = words;
  if (program === "" || program.includes(FILE_PLACEHOLDER)) return "the command must begin with a program";
  if (!words.some((word) => word.includes(FILE_PLACEHOLDER)))
    return `it must contain ${FILE_PLACEHOLDER}, which stands for the file's path`;
  if (words.some((word) => word.includes(FILE_PLACEHOLDER) && !/^(?:--?[\w-]+=)?\{file\}$/.test(word)))
    return `${FILE_PLACEHOLDER} must be a separate word or an option's value: "--write", "${FILE_PLACEHOLDER}"`;
  const name = basename(program.replaceAll("\\", "/"));
  const script = POSIX_SHELL.test(name) ? words.findIndex((word) => /^-(?=\w*c)\w*$/.test(word)) + 1 : 0;
  if (!OTHER_SHELL.test(name) && (script === 0 || words.indexOf(FILE_PLACEHOLDER) > script)) return undefined;
  return `a shell would interpret the file's name; write ["sh", "-c", "prettier --write \\"$1\\"", "sh", "${FILE_PLACEHOLDER}"]`;
}

const commandSchema = v.pipe(
  v.union([v.string(), v.array(v.string())], "a command must be a string or a list of words"),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const { value } = dataset;
    if (typeof value === "string" && /['"$`|&;<>*?\\\n]/.test(value)) {
      addIssue({
        message: "the command isn't run by a shell, so it can't contain shell syntax; write a list of words",
      });
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
   * Formatter command for each file name glob (`*.ts`) or repository path glob (`src/**\/*.ts`). If empty, the hook is
   * off.
   */
  commands: v.optional(
    v.pipe(
      v.unknown(),
      v.check((value) => !Array.isArray(value), 'must be an object: { "*.ts": "prettier --write {file}" }'),
      v.record(v.string(), commandSchema),
    ),
    {},
  ),
  /** Limits the hook to these repository roots. Globs work: `~/code/*`. */
  folders: v.optional(v.array(v.string())),
  /** Time limit for all commands after one edit, in milliseconds. */
  timeoutMs: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 3_000),
});

/**
 * Runs your formatters on files that the agent edited, and tells the agent if one failed or changed a file. Never
 * blocks. The hook is off until `commands` is set in your own or a managed config file; a project's config counts only
 * if you trust the project, because the commands are executed.
 *
 * Formatters run in the repository root without a shell, only on files inside it, so a file name is never interpreted
 * as code. They read the repository's own config, and some execute it (`prettier.config.js`), so set `folders` if you
 * work on code that isn't yours. All formatters run within the time limit of one hook call. The hook doesn't see files
 * changed by a shell command or an MCP server, more than 20 files in one patch, or files larger than 10 MB.
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
