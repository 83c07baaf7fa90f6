/** A subcommand of the executable that affects which hooks are in force. */
interface PolicyCommand {
  /** The subcommand's effect, as a phrase that follows "it". */
  changes: string;
  /** Whether `--dry-run` makes the subcommand harmless. */
  dryRun?: true;
  /** Words that, right after the subcommand, turn it into a different, harmless one. */
  except?: readonly string[];
}

/**
 * Commands that change the policy or the installation. Each command class declares the same data as `policyEffect`.
 * It's repeated here because the hot path never loads the CLI code; a test compares the two.
 */
export const POLICY_COMMANDS: Readonly<Record<string, PolicyCommand>> = {
  install: { changes: "changes how bridge-hooks is installed", dryRun: true },
  uninstall: { changes: "changes how bridge-hooks is installed", dryRun: true },
  update: { changes: "replaces the bridge-hooks executable" },
  "config set": { changes: "changes the config of bridge-hooks" },
  "config unset": { changes: "changes the config of bridge-hooks" },
  allow: { changes: "allows calls that the policy denies", except: ["list", "revoke"] },
  pause: { changes: "allows calls that the policy denies" },
  "log delete": { changes: "deletes lines from the decision log" },
  export: { changes: "sends the decision log elsewhere" },
};

/** Commands that write files to a path given in their arguments. */
export const WRITING_COMMANDS: readonly string[] = ["build", "init", "mdm", "report"];

const POLICY_PATHS = Object.entries(POLICY_COMMANDS).map(([name, command]) => ({ path: name.split(" "), ...command }));

const POLICY_WORDS = new Set(POLICY_PATHS.map(({ path: [first] }) => first));

/** Whether a word is the first word of a command that changes the policy. */
export const isPolicyWord = (word: string): boolean => POLICY_WORDS.has(word);

/** Removes global options, which can come before the command. */
export const omitGlobalOptions = (args: readonly string[]): string[] =>
  args.filter((word, at) => !/^--(?:no-pager$|color(?:$|=))/.test(word) && args[at - 1] !== "--color");

/** Describes how the executable would change the policy if run with these arguments, as a phrase that follows "it". */
export function describePolicyChange(rawArgs: readonly string[]): string | undefined {
  const args = omitGlobalOptions(rawArgs);
  const words = args.filter((word) => !word.startsWith("-"));
  // `--help` counts only right after the command. Elsewhere, it might be an option's value.
  if (/^(?:--help|-h)$/.test(args.at(-1) ?? "") && words.length === args.length - 1 && words.length <= 2)
    if (POLICY_PATHS.some(({ path }) => path.join(" ") === words.join(" "))) return undefined;
  return POLICY_PATHS.find(
    ({ path, dryRun, except }) =>
      path.every((word, at) => words[at] === word) &&
      !(dryRun && args.includes("--dry-run")) &&
      // Check the word right after the command, so that an option's value doesn't count.
      !(except && args[0] === path[0] && except.includes(args[path.length] ?? "")),
  )?.changes;
}
