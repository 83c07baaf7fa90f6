import {
  argumentPattern,
  type Command,
  type EventOf,
  git,
  homedir,
  type IHookResponse,
  listPossibleCommands,
  mentions,
  type Repository,
  shellLine,
} from "bridge-hooks";
import { readBirthTime } from "bridge-hooks/files";
import { buildAnswer, type BrokenRule, pickStrictest } from "./answers.ts";
import { judgeCall } from "./call-rules.ts";
import { CONCERNS } from "./concerns.build.ts";
import { asksForHelp, splitArguments } from "./given-options.ts";
import { onlyAffectsCreations } from "./made-by-line.ts";
import { matchPattern } from "./pattern.ts";
import { type LineContext, normalizePath } from "./line-context.ts";
import { createLinkResolver } from "./places.ts";
import { createUnsetCheck } from "./unset-variables.ts";
import { isTestRun } from "./test-runs.ts";
import { splitUnparsedLine } from "./unparsed-lines.ts";
import { toAppendWrite } from "./written-files.ts";
import { CATEGORIES, PROGRAMS } from "./programs.build.ts";
import { BARE_REPOSITORY_ENTRIES, PRECIOUS_PATHS } from "./precious-files.ts";
import { INDEXED_SETTINGS_RULE } from "./rule-index.build.ts";
import type { RuleCategory, DestructiveSettings } from "./rules.ts";
import { findInnerCommands } from "./runners.ts";
import { showCommand } from "./shown-command.ts";
import { findOverwrittenFiles } from "./overwrites.ts";
import { findOverwrittenFile, isDisk } from "./sets.ts";
import {
  type DestructivePolicy,
  activateBuiltIn,
  isLineExcepted,
  type ActiveRule,
  TEST_RUN_CATEGORIES,
  findProgramRules,
  isExcepted,
} from "./active-rules.ts";

type BashCall = EventOf<"PreToolUse", "Bash">;

/** A tool call in the form that the command rules check. */
interface JudgedCall {
  shell: BashCall | undefined;
  /** The effects of a file tool, expressed as commands. */
  changes: readonly Command[];
}

/** Applies the rules to a call's arguments, shell command, and file changes, and returns the response. */
export function judgeEvent(
  event: EventOf<"PreToolUse">,
  { shell, changes }: JudgedCall,
  policy: DestructivePolicy,
): IHookResponse | undefined {
  let verdict: IHookResponse | undefined;
  const steps = [
    () => (policy.rules.addsCallRules ? judgeCall(event, policy.rules) : undefined),
    () => shell && judgeLine(shell, policy),
    () => (changes.length > 0 ? judgeToolCall(event, changes, policy) : undefined),
  ];
  for (const judgeStep of steps) {
    verdict = pickStrictest([verdict, judgeStep()]);
    if (verdict?.decision === "deny" && verdict.mode === undefined) return verdict;
  }
  return verdict;
}

/**
 * Returns the response to a shell command; undefined if the command is harmless.
 * @throws Error named "ShellError" if the command is too long or nested too deeply and its text mentions something that a rule covers
 */
export function judgeLine(event: BashCall, policy: DestructivePolicy): IHookResponse | undefined {
  try {
    return judgeParsedLine(event, policy);
  } catch (error) {
    if ((error as Error).name === "ShellError" && !mayBreakRule(event, policy)) return undefined;
    throw error;
  }
}

function judgeParsedLine(event: BashCall, policy: DestructivePolicy): IHookResponse | undefined {
  const { settings } = policy;
  const line = event.input.command;
  const { commands: read, problem, forkBomb } = shellLine(event);
  const forkBombRule = forkBomb === undefined ? undefined : activateBuiltIn("system", "system/fork-bomb", policy);
  if (forkBombRule && !isLineExcepted(line, forkBombRule, policy))
    return buildAnswer(line.trim(), describeRule(forkBombRule), { line, shell: readShell(event) });
  const possibleCommands = listPossibleCommands(read, listRuledPrograms(policy));
  const commands = problem === undefined ? possibleCommands : [...possibleCommands, ...splitUnparsedLine(line)];
  const context = createLineContext(event, { line, cwd: event.input.cwd }, settings, commands);
  return judgeCommands(commands, policy, context);
}

/** Applies the rules to the commands equivalent to a file or database tool's call, and returns the response. */
export function judgeToolCall(
  event: EventOf<"PreToolUse">,
  equivalents: readonly Command[],
  policy: DestructivePolicy,
): IHookResponse | undefined {
  const { settings } = policy;
  const commands = equivalents.map((command) => toAppendWrite(command, event.cwd));
  const line = commands.map(({ words }) => words.join(" ")).join("\n");
  const context = createLineContext(event, { line }, settings, commands);
  // Writing to files in the `protect` option is allowed, but emptying them isn't.
  const writeContext = { ...context, protect: [] };
  return judgeCommands(commands, policy, context, ({ program, stdin }) =>
    program === "" && stdin?.trim() !== "" ? writeContext : context,
  );
}

/** Returns the first response that denies, or else the first that asks, or else the first that warns. */
function judgeCommands(
  commands: readonly Command[],
  policy: DestructivePolicy,
  context: LineContext,
  getContext: (command: Command) => LineContext = () => context,
): IHookResponse | undefined {
  const { settings } = policy;
  const [allowed, forbidden] = [settings.allow.map(argumentPattern), settings.deny.map(argumentPattern)];
  let question: IHookResponse | undefined;
  for (const command of commands) {
    // Defining an alias doesn't run its command.
    if (command.via.includes("alias")) continue;
    const finding = forbidden.some((matches) => matches(command))
      ? { ...INDEXED_SETTINGS_RULE, action: settings.decision }
      : findBrokenRule(command, policy, getContext(command), () => allowed.some((matches) => matches(command)));
    const response = finding && buildAnswer(showCommand(command, context), finding, context);
    if (finding?.action === "deny") return response;
    question = pickStrictest([question, response]);
  }
  return question;
}

/** Returns the shell of a command, or the system's default shell if the host specifies none. */
const readShell = ({ input }: { input: object }): LineContext["shell"] =>
  (input as BashCall["input"]).shell ?? (process.platform === "win32" ? "powershell" : "bash");

/** Lists the programs that rules cover. */
const listRuledPrograms = ({ rules }: DestructivePolicy): string[] =>
  `${Object.values(PROGRAMS).join("")}${rules.addedPrograms}`.split("|").filter((name) => name !== "");

/** Whether the text of a command that can't be parsed contains, or could hide, anything that a rule covers. */
function mayBreakRule({ cwd, input }: BashCall, policy: DestructivePolicy): boolean {
  const { deny, protect } = policy.settings;
  if (deny.length > 0 || readShell({ input }) !== "bash" || mentions(input.command, CONCERNS.texts ?? [])) return true;
  const names = [...listRuledPrograms(policy), ...PRECIOUS_PATHS, ...BARE_REPOSITORY_ENTRIES, ...protect];
  const text = `${input.cwd || cwd} ${input.command.replace(/['"\\]/g, "")}`.toLowerCase();
  const words = new Set(text.match(/[\w.+-]+/g));
  return text.includes("/dev/") || names.some((name) => words.has(getLastName(name)));
}

/** Returns a path's last segment that isn't a wildcard, in lowercase. */
const getLastName = (path: string): string =>
  path
    .toLowerCase()
    .replace(/[/.]\*?$/, "")
    .replace(/^.*\//, "");

/** Fills in the placeholders in a rule's reason and advice with the operands found. */
const describeRule = (
  { id, reason, advice, action }: ActiveRule,
  operandsBySet: Readonly<Record<string, string>> = {},
): BrokenRule => {
  const fillPlaceholders = (text: string) =>
    text.replace(/<(\w+)>/g, (placeholder, set) =>
      Object.hasOwn(operandsBySet, set) ? (operandsBySet[set] as string) : placeholder,
    );
  return {
    id,
    reason: fillPlaceholders(reason),
    ...(advice !== undefined && { advice: fillPlaceholders(advice) }),
    action,
  };
};

/** Creates the context needed to judge a call's commands. */
function createLineContext(
  event: EventOf<"PreToolUse">,
  { line, cwd: commandFolder }: { line: string; cwd?: string | undefined },
  { protect, outside }: DestructiveSettings,
  commands: readonly Command[],
): LineContext {
  const [cwd, home] = [normalizePath(commandFolder || event.cwd || process.cwd()), normalizePath(homedir())];
  const absolute = (path: string) =>
    normalizePath(
      path.startsWith("~") ? home + path.slice(1) : /^([/\\]|[A-Za-z]:)/.test(path) ? path : `${cwd}/${path}`,
    );
  const repositories = new Map<string, Repository | undefined>();
  const repository = (folder: string) => {
    if (!repositories.has(folder)) repositories.set(folder, git(folder === cwd ? event : { cwd: folder }));
    return repositories.get(folder);
  };
  return {
    line,
    shell: readShell(event),
    commands,
    cwd,
    folders: [...new Set([cwd, ...[event.cwd, ...(event.workspace_roots ?? [])].filter(Boolean).map(normalizePath)])],
    home,
    protect: protect.map(absolute),
    outside: outside.map(absolute),
    startedAt: () => (event.transcript_path ? readBirthTime(event.transcript_path) : undefined),
    repository,
    mayBeUnset: createUnsetCheck(line, commands),
    readRealPath: createLinkResolver(),
  };
}

/**
 * Returns the strictest rule that a command violates: the first that denies, or else the first that asks, or else the
 * first that warns.
 * @param isAllowed whether the hook's options allow the command; called only if a rule matches
 */
function findBrokenRule(
  command: Command,
  policy: DestructivePolicy,
  context: LineContext,
  isAllowed: () => boolean,
): BrokenRule | undefined {
  const brokenRules = findOverwrites(command, policy, context);
  brokenRules.push(...listBrokenRules(command, command, policy, context));
  for (const innerCommand of findInnerCommands(command, policy))
    brokenRules.push(...listBrokenRules(innerCommand, command, policy, context));
  if (brokenRules.length === 0 || isAllowed() || onlyAffectsCreations(command, context)) return undefined;
  return (
    brokenRules.find(({ action }) => action === "deny") ??
    brokenRules.find(({ action }) => action === "ask") ??
    brokenRules[0]
  );
}

/**
 * Collects the rules that a command violates, up to the first denial.
 * @param outerCommand the command as written; an exception can match either this command or `command`
 */
function listBrokenRules(
  command: Command,
  outerCommand: Command,
  policy: DestructivePolicy,
  context: LineContext,
): BrokenRule[] {
  const programRules = findProgramRules(command.program, policy, CATEGORIES);
  if (programRules.rules.length === 0) return [];
  const { rules, patternOptions } = isTestRun(outerCommand, context)
    ? findProgramRules(command.program, policy, TEST_RUN_CATEGORIES)
    : programRules;
  const splitArgs = splitArguments(command, patternOptions);
  if (asksForHelp(command, splitArgs.certainOptions)) return [];
  const brokenRules: BrokenRule[] = [];
  for (const rule of rules) {
    let operandsBySet: Record<string, string> | undefined;
    for (const pattern of rule.patterns)
      if ((operandsBySet = matchPattern(pattern, command, splitArgs, context))) break;
    if (!operandsBySet || isExcepted(rule, [command, outerCommand], policy)) continue;
    brokenRules.push(describeRule(rule, operandsBySet));
    if (rule.action === "deny") break;
  }
  return brokenRules;
}

/** Finds protected files that redirections or file-replacing programs overwrite. */
function findOverwrites(command: Command, policy: DestructivePolicy, context: LineContext): BrokenRule[] {
  const describe = (
    category: RuleCategory,
    id: string,
    operandsBySet: Readonly<Record<string, string>>,
  ): BrokenRule[] => {
    const rule = activateBuiltIn(category, id, policy);
    return rule && !isExcepted(rule, [command], policy) ? [describeRule(rule, operandsBySet)] : [];
  };
  const { replacedFile, outside } = findOverwrittenFiles(command, context);
  if (replacedFile !== undefined) return describe("filesystem", "filesystem/overwrite-file", { file: replacedFile });
  const brokenRules =
    outside === undefined ? [] : describe("filesystem", "filesystem/overwrite-outside", { file: outside });
  const redirectedFiles = command.redirects.flatMap(({ operator, target, dynamic }) => {
    if (!operator.includes(">")) return [];
    if (isDisk(target)) return describe("disks", "disks/overwrite-disk", { disk: target });
    if (operator.includes(">>")) return [];
    const file = findOverwrittenFile([{ text: target, ...(dynamic !== undefined && { dynamic }) }], command, context);
    return file === undefined ? [] : describe("filesystem", "filesystem/overwrite-file", { file });
  });
  return [...redirectedFiles, ...brokenRules];
}
