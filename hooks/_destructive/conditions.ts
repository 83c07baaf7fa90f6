import { type Command, readGitArguments } from "bridge-hooks";
import { mayPromptBeAnswered } from "../_answered.ts";
import { getGitSetting } from "./git-settings.ts";
import { isOptionSet, splitArguments } from "./given-options.ts";
import { type LineContext, type OperandWord } from "./line-context.ts";
import { resolveCommandFolder } from "./places.ts";
import { isScratchRepository } from "./git-losses.ts";
import { getTextBefore, isAndChain, isSavedBeforehand, redirectsToFile } from "./git-saves.ts";
import { mayOverrideWorkTree, isQuietCommand, resolveGitFolder } from "./changes.ts";
import { isPipedToClient } from "./framework-code.ts";
import { usesTestDatabase } from "./statements.ts";
import { emptiesStore } from "./tool-statements.ts";
import { PRODUCT_CONDITIONS } from "./product-conditions.ts";
import { UNSEEN_CONDITIONS } from "./unseen-conditions.ts";

type Condition = (command: Command, context: LineContext) => boolean;

/** Whether a command asks for confirmation and nothing in the shell command answers the prompt. */
export function asksForConfirmation(command: Command, context: LineContext): boolean {
  if (mayPromptBeAnswered(command, context)) return false;
  if (command.program === "rm") return isInteractiveRemoval(command.args);
  return (
    /^(dropdb|dropuser|git)$/.test(command.program) &&
    isOptionSet(["-i", "--interactive"], splitArguments(command).certainOptions)
  );
}

/** Whether rm asks for confirmation. Whichever of `-i` and `-f` comes last wins, even after the file names. */
export function isInteractiveRemoval(args: readonly string[]): boolean {
  let asksNow = false;
  let isFirst = true;
  for (const arg of args) {
    if (arg === "--") break;
    if (!/^-./.test(arg)) isFirst = false;
    else if (arg.startsWith("--i")) asksNow = isFirst && !/=n/.test(arg);
    else if (arg.startsWith("--f")) asksNow = false;
    else if (!arg.startsWith("--"))
      for (const character of arg)
        if (character === "f") asksNow = false;
        else if (/[iI]/.test(character)) asksNow = isFirst;
  }
  return asksNow;
}

/** Formatting programs for which `-n` or `-N` means a dry run. For others, these options set a label or a size. */
const DRY_RUN_WITH_N = /^(mke2fs|mkntfs|mkfs\.(ext[234]|ntfs))$/;
const DRY_RUN_WITH_CAPITAL_N = /^(mkfs\.xfs|newfs(_\w+)?)$/;

/** Whether the command formats a disk; false for a dry run. */
const formatsDisk: Condition = (command) => {
  const { options, certainOptions } = splitArguments(command);
  const { program, args } = command;
  if (DRY_RUN_WITH_CAPITAL_N.test(program)) return !certainOptions.includes("-N");
  const isPlainMkfs = program === "mkfs" && !options.some((option) => /^(-t|--type)/.test(option));
  const isExtended = program === "mkfs" && /^ext[234]$/.test(args[args.indexOf("-t") + 1] ?? "");
  return !(
    (DRY_RUN_WITH_N.test(program) || isPlainMkfs || isExtended) &&
    certainOptions.some((name) => /^(-n|--no-action)$/.test(name))
  );
};

/** Whether the command shuts the machine down, now or later. `--when=cancel` cancels a scheduled shutdown. */
const shutsDownMachine: Condition = ({ args }) => {
  const at = args.findLastIndex((arg) => /^--when(=|$)/.test(arg));
  const when = at < 0 ? "" : args[at] === "--when" ? args[at + 1] : args[at]?.slice("--when=".length);
  return !/^(cancel|show)$/.test(when ?? "");
};

const USABLE_TARGET = /^(graphical|multi-user|default|runlevel[2-5])(\.target)?$/;

/** Whether systemd switches to a target that leaves the machine unusable. */
const switchesToUnusableTarget: Condition = (command) => {
  const [, ...targets] = splitArguments(command).operands;
  return targets.length !== 1 || !USABLE_TARGET.test(targets[0]?.text ?? "");
};

/** Whether the account itself is deleted. `deluser alice group` only removes a group membership. */
const deletesAccount: Condition = (command) => {
  const { operands, isCertain } = splitArguments(command);
  const isKnown = isCertain && !command.more && operands.every(({ dynamic }) => dynamic === undefined);
  return /^(user|group)del$/.test(command.program) || operands.length !== 2 || !isKnown;
};

/** Whether the command deletes all firewall chains because it doesn't name one. */
const deletesAllChains: Condition = ({ args, dynamic }) =>
  args.some((arg, at) => {
    if (!/^(-X|--delete-c[\w-]*)$/.test(arg)) return false;
    const chainName = args[at + 1] ?? "-";
    return chainName.startsWith("-") || dynamic[at + 1] !== undefined;
  });

/** Expiry periods that leave enough time to recover lost commits. */
const RECOVERABLE_AGE = /^(never|false|\d{0,3}[1-9]\d{0,3}[. ]?(day|week|month|year)s?([. ]ago)?)$/i;

/** Whether git deletes unreachable objects immediately. */
const prunesImmediately: Condition = (command) => {
  const { args } = command;
  const pruneOption = args.findLast((arg) => /^--(no-)?prune(=|$)/.test(arg));
  const ages = [
    pruneOption?.startsWith("--prune=")
      ? pruneOption.slice("--prune=".length)
      : pruneOption === "--no-prune"
        ? "never"
        : getGitSetting(command, "gc.pruneExpire"),
    getGitSetting(command, "gc.reflogExpire"),
    getGitSetting(command, "gc.reflogExpireUnreachable"),
  ];
  return ages.some((age) => age !== undefined && (age === null || !RECOVERABLE_AGE.test(age)));
};

/** Whether git's input deletes a reference; true if the input is unknown. */
const deletesReferences: Condition = ({ stdin, redirects }) => {
  const input = stdin ?? redirects.find(({ operator }) => operator.startsWith("<<"))?.text;
  return input === undefined || /(?:^|[\n\0])(?:delete |update [^ \n\0]+[ \0]0{7})/.test(input);
};

/** Whether `git clean` deletes files without `-f`. */
const cleansWithoutForce: Condition = (command) => {
  const value = getGitSetting(command, "clean.requireForce");
  return value === null || (value !== undefined && /^(false|no|off|0*|)$/i.test(value));
};

/** git subcommands that move a branch only with certain options. */
const BRANCH_KEEPING_VERB =
  /^(status|log|diff|show|rev-parse|rev-list|ls-files|describe|checkout|switch|push|merge-base|for-each-ref)$/;

/** Whether deleting branches could lose commits that aren't on any other branch. */
const losesCommits: Condition = (command, context) => {
  const { args, dynamic } = command;
  const { verb, at, folders } = readGitArguments(args);
  const operands = splitArguments(command).operands.slice(1);
  if (verb !== "branch" || operands.length === 0 || command.remote || command.more || mayOverrideWorkTree(context.line))
    return true;
  if (
    folders.length > 0 ||
    Object.keys(dynamic).length > 0 ||
    args.some((arg, i) => i > at && /^-\w*[ra]|^--(re|al)/.test(arg))
  )
    return true;
  const folder = resolveCommandFolder(command, context);
  if (folder === undefined) return true;
  const precedingCommands = context.commands.slice(0, context.commands.indexOf(command));
  const isSaved = ({ text }: OperandWord) =>
    isSavedBeforehand({ of: "commits", branch: text }, command, { precedingCommands, folder }, context);
  if (operands.every(isSaved)) return false;
  let isFetched = false;
  for (const precedingCommand of precedingCommands) {
    const gitArguments = precedingCommand.program === "git" ? readGitArguments(precedingCommand.args) : undefined;
    if (!isQuietCommand(precedingCommand)) return true;
    if (!gitArguments) continue;
    if (/^(fetch|pull|remote)$/.test(gitArguments.verb)) isFetched = true;
    else if (
      gitArguments.verb === "branch"
        ? precedingCommand.args.length > gitArguments.at + 1
        : !BRANCH_KEEPING_VERB.test(gitArguments.verb)
    )
      return true;
    if (precedingCommand.args.some((arg) => /^-[BCfd]|^--(force|orphan|delete|prune)/.test(arg))) return true;
  }
  return (
    context.repository(folder)?.isHeldElsewhere(
      operands.map(({ text }) => text),
      { remote: !isFetched },
    ) !== true
  );
};

/**
 * Whether deleting a reference could lose commits. Remote-tracking branches are safe to delete, and so are branches
 * whose commits are also on other branches.
 */
const losesReference: Condition = (command, context) => {
  const [, { text = "" } = {}] = splitArguments(command).operands;
  if (text.startsWith("refs/remotes/")) return false;
  const folder = resolveGitFolder(command, context);
  if (!text.startsWith("refs/heads/") || folder === undefined || command.remote || mayOverrideWorkTree(context.line))
    return true;
  const branch = text.slice("refs/heads/".length);
  return context.repository(folder)?.isHeldElsewhere([branch], { remote: true }) !== true;
};

const ENVIRONMENT_OPTION = /^(?:--env(?:=|$)|-e$)/;

/**
 * Whether a framework command uses a database other than the test database. If `--env` is repeated, the last one wins.
 */
const isOutsideTests: Condition = ({ args, dynamic }) => {
  const at = args.findLastIndex((arg) => ENVIRONMENT_OPTION.test(arg));
  const value = args[at]?.replace(ENVIRONMENT_OPTION, "") || args[at + 1];
  return at < 0 || (dynamic[at] ?? dynamic[at + 1]) !== undefined || !/^test(?:ing)?$/.test(value ?? "");
};

/** Signals that only query a process or make it reload its settings, as in `-HUP`, `-s USR1`, or `--signal=0`. */
const HARMLESS_SIGNAL = /^(?:0|1|10|12|17|18|28|(?:SIG)?(?:HUP|USR[12]|CHLD|CONT|WINCH))$/i;

/** Whether the signal sent by `kill` could end a process. */
const mayEndProcess: Condition = ({ args, dynamic }) => {
  const [first = "", second = ""] = args;
  const [, joined] = /^(?:--signal=|-[sn](?=.)|-(?![sn]$|-))(.+)$/.exec(first) ?? [];
  const signal = joined ?? (/^(?:-[sn]|--signal)$/.test(first) ? second : "");
  return dynamic[0] !== undefined || dynamic[1] !== undefined || !HARMLESS_SIGNAL.test(signal);
};

const DESTROY_SETTING = /\bTF_CLI_ARGS\w{0,20}=["']?[^"'\n;&|]{0,200}-destroy\b/;

/**
 * Whether Terraform applies a destroy plan that the same shell command created, or has `-destroy` in its environment.
 */
const appliesDestruction: Condition = ({ args, env }, { line, commands }) =>
  Object.entries(env).some(([name, value]) => /^TF_CLI_ARGS(?:_apply)?$/.test(name) && value.includes("-destroy")) ||
  (line.includes("TF_CLI_ARGS") && DESTROY_SETTING.test(line)) ||
  (line.includes("-destroy") &&
    commands.some(
      (candidate) =>
        candidate.args.includes("plan") &&
        candidate.args.some((arg) => /^--?destroy$/.test(arg)) &&
        candidate.args.some((arg, at) =>
          /^--?out=./.test(arg)
            ? args.includes(arg.replace(/^[^=]*=/, ""))
            : /^--?out$/.test(candidate.args[at - 1] ?? "") && args.includes(arg),
        ),
    ));

/** Whether nothing earlier in the shell command backs up the data to be deleted. */
const isUnsaved: Condition = (command, context) => {
  const precedingCommands = context.commands.slice(0, context.commands.indexOf(command));
  return (
    !isAndChain(getTextBefore(command, context)) ||
    !precedingCommands.some((candidate) => isBackupOf(candidate, command))
  );
};

const isBackupOf = ({ program, args, redirects }: Command, command: Command): boolean => {
  if (program !== command.program) return false;
  if (program === "reg") return args[0] === "export" && args[1] === command.args[1];
  return args.includes("-l") && redirects.some(({ operator, target }) => redirectsToFile(operator, target));
};

/** Conditions that patterns refer to by name, such as `?formatsDisk`. */
export const COMMAND_CONDITIONS: Readonly<Record<string, Condition>> = {
  unasked: (command, context) => !asksForConfirmation(command, context),
  formatsDisk,
  shutsDownMachine,
  switchesToUnusableTarget,
  deletesAccount,
  deletesAllChains,
  prunesImmediately,
  cleansWithoutForce,
  deletesReferences,
  losesCommits,
  losesReference,
  outsideScratch: (command, context) => !isScratchRepository(command, context),
  ends: mayEndProcess,
  appliesDestruction,
  isOutsideTests,
  unsaved: isUnsaved,
  isPipedToClient,
  emptiesStore: (command) => emptiesStore(command) && !usesTestDatabase(command),
  ...PRODUCT_CONDITIONS,
  ...UNSEEN_CONDITIONS,
};
