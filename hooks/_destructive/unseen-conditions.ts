import type { Command } from "bridge-hooks";
import { getGitSetting } from "./git-settings.ts";
import type { LineContext } from "./line-context.ts";
import { listOptionValues } from "./product-conditions.ts";

type Condition = (command: Command, context: LineContext) => boolean;

const AUTO_APPROVE = /^--?auto-approve(?:=true)?$/;
const NON_INTERACTIVE_OPTION = /^--?(?:terragrunt-)?non-interactive$/;
/** Options of `apply` that take the next word as their value. */
const VALUE_OPTION = /^--?(?:var|var-file|target|replace|state|state-out|backup|lock-timeout|parallelism)$/;
const PIPED_YES = /(?:^|[;&|(\s])yes(?: \w{1,9})? ?\| ?(?:\w+ ){0,2}(?:terraform|tofu|terragrunt|atmos)\b/;
const AUTO_APPROVE_SETTING = /\bTF_CLI_ARGS(?:_apply)?=["']?[^"'\n;&|]{0,200}-auto-approve\b/;
/** A PowerShell variable assignment before the command. */
const POWERSHELL_SETTING = /\$env:(\w{1,60}) {0,9}= {0,9}["']?([\w,-]{1,60})/gi;

/** Returns the plan file that Terraform applies, which is the last word of the command. */
function getPlanFile({ args }: Command): string | undefined {
  const lastWord = args.at(-1) ?? "";
  const isValue = VALUE_OPTION.test(args.at(-2) ?? "");
  return lastWord.startsWith("-") || isValue || /^apply(?:-all)?$/.test(lastWord) ? undefined : lastWord;
}

/** Whether the same shell command creates the plan, in which case nobody can have reviewed it. */
const isPlannedInSameLine = (file: string, { commands }: LineContext): boolean =>
  commands.some(
    (candidate) =>
      candidate.args.includes("plan") &&
      listOptionValues(candidate, ["-out", "--out"]).some((planFile) => planFile === file),
  );

/** Whether Terraform applies changes without asking for approval and without a previously saved plan. */
const appliesUnreviewed: Condition = (command, context) => {
  const { args, env, stdin = "" } = command;
  const file = getPlanFile(command);
  if (file !== undefined) return isPlannedInSameLine(file, context);
  return (
    args.some((arg) => AUTO_APPROVE.test(arg) || NON_INTERACTIVE_OPTION.test(arg)) ||
    Object.entries(env).some(
      ([name, value]) => /^TF_CLI_ARGS(?:_apply)?$/.test(name) && value.includes("-auto-approve"),
    ) ||
    /^\s*y(?:es)?\b/.test(stdin) ||
    PIPED_YES.test(context.line) ||
    AUTO_APPROVE_SETTING.test(context.line)
  );
};

/** Variables that make git hook managers skip some or all hooks. */
const SKIPPING_VARIABLES: readonly (readonly [name: RegExp, value: RegExp])[] = [
  [/^(?:HUSKY|LEFTHOOK)$/, /^(?:0|false)$/i],
  [/^(?:HUSKY_SKIP_HOOKS|OVERCOMMIT_DISABLE|SKIP_HOOKS|SKIP_SIMPLE_GIT_HOOKS)$/, /^(?:1|true)$/i],
  [/^(?:SKIP|PRE_COMMIT_SKIP|OVERCOMMIT_SKIP|LEFTHOOK_EXCLUDE)$/, /./],
];
const skipsHookManager = (name: string, value: string): boolean =>
  SKIPPING_VARIABLES.some(([names, values]) => names.test(name) && values.test(value));

/** Whether a hooks path is outside the repository or doesn't exist. */
const isOutsideRepository = (path: string | null): boolean =>
  path === null || !/^\.?[\w-][\w./-]*$/.test(path) || /^nul$/i.test(path);

const skipsHooks: Condition = (command, context) => {
  const precedingCommands = context.commands
    .slice(0, context.commands.indexOf(command))
    .filter(({ program }) => /^(?:export|set)$/.test(program));
  const assignments = precedingCommands.flatMap(({ args }) => args.map((arg) => arg.split("=", 2)));
  const set = [...context.line.matchAll(POWERSHELL_SETTING)].map(([, name = "", value = ""]) => [name, value]);
  const variables = [...Object.entries(command.env), ...assignments, ...set];
  if (variables.some(([name = "", value = ""]) => skipsHookManager(name, value))) return true;
  const path = getGitSetting(command, "core.hooksPath");
  return path !== undefined && isOutsideRepository(path);
};

const disablesHooks: Condition = ({ args, dynamic }) => {
  const at = args.findIndex((arg) => /^core\.hookspath$/i.test(arg));
  if (at < 0) return false;
  if (args.some((arg) => /^(?:--)?unset(?:-all)?$/.test(arg))) return true;
  const value = args[at + 1];
  return (
    value !== undefined &&
    !args.some((arg) => /^(?:--)?get/.test(arg)) &&
    isOutsideRepository(dynamic[at + 1] === undefined ? value : null)
  );
};

/** Conditions for rules in the `unseen` category. */
export const UNSEEN_CONDITIONS: Readonly<Record<string, Condition>> = {
  appliesUnreviewed,
  /** Whether an option tells the CDK not to ask for approval. */
  approvesAll: (command) => listOptionValues(command, ["--require-approval"]).includes("never"),
  skipsHooks,
  disablesHooks,
  leavesUnsigned: (command) =>
    ["commit.gpgsign", "tag.gpgsign"].some((name) => /^(?:false|no|off|0)$/i.test(getGitSetting(command, name) ?? "")),
};
