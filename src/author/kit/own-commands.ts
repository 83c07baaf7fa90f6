/** A command of the executable that changes what keeps hooks in force. */
interface PolicyCommand {
  /** What it does, as a phrase that follows "it". */
  changes: string;
  /** With --dry-run it changes nothing. */
  dryRun?: true;
  /** Words behind it that make it another command, which changes nothing. */
  except?: readonly string[];
}

/**
 * The commands that change the policy, or where it is installed. Each command declares that itself (`policyEffect` of its
 * class); a test compares the two, since no call loads the command line.
 */
export const POLICY_COMMANDS: Readonly<Record<string, PolicyCommand>> = {
  install: { changes: "changes how bridge-hooks is installed", dryRun: true },
  uninstall: { changes: "changes how bridge-hooks is installed", dryRun: true },
  update: { changes: "replaces the bridge-hooks executable" },
  "config set": { changes: "changes the config of bridge-hooks" },
  "config unset": { changes: "changes the config of bridge-hooks" },
  allow: { changes: "lets calls pass that the policy denies", except: ["list", "revoke"] },
  pause: { changes: "lets calls pass that the policy denies" },
  "log delete": { changes: "deletes lines of the decision log" },
  export: { changes: "sends the decision log elsewhere" },
};

/** Those that write files to a place that their arguments name. */
export const WRITING_COMMANDS: readonly string[] = ["build", "init", "mdm", "report"];

const POLICY_PATHS = Object.entries(POLICY_COMMANDS).map(([name, command]) => ({ path: name.split(" "), ...command }));

const POLICY_WORDS = new Set(POLICY_PATHS.map(({ path: [first] }) => first));

/** Whether a word begins the name of a command that changes the policy. */
export const isPolicyWord = (word: string): boolean => POLICY_WORDS.has(word);

/** How the executable would change the policy with these arguments, as a phrase that follows "it". */
export function describePolicyChange(args: readonly string[]): string | undefined {
  const words = args.filter((word) => !word.startsWith("-"));
  // Only right behind the command: elsewhere it may be an option's value.
  if (/^(?:--help|-h)$/.test(args.at(-1) ?? "") && words.length === args.length - 1 && words.length <= 2)
    if (POLICY_PATHS.some(({ path }) => path.join(" ") === words.join(" "))) return undefined;
  return POLICY_PATHS.find(
    ({ path, dryRun, except }) =>
      path.every((word, at) => words[at] === word) &&
      !(dryRun && args.includes("--dry-run")) &&
      // As the command line has it: a value of an option behind it is not such a word.
      !(except && args[0] === path[0] && except.includes(args[path.length] ?? "")),
  )?.changes;
}
