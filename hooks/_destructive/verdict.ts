import {
  argumentPattern,
  ask,
  type Command,
  deny,
  type EventOf,
  git,
  homedir,
  type IHookResponse,
  listPossibleCommands,
  listProgramNames,
  mentions,
  type Repository,
  shellLine,
} from "bridge-hooks";
import { CONCERNS } from "./concerns.build.ts";
import { isHelpAsked, splitArguments } from "./given-options.ts";
import { readImageCommand } from "./image-programs.ts";
import { matchPattern, isWordMatch } from "./pattern.ts";
import { type LineContext, normalizePath } from "./line-context.ts";
import { createLinkResolver, createUnsetCheck } from "./places.ts";
import { splitUnparsedLine } from "./unparsed-lines.ts";
import { toAppendingWrite } from "./written-files.ts";
import { CATEGORIES, DEFAULT_CATEGORIES, PROGRAMS } from "./programs.build.ts";
import { BARE_PARTS, PRECIOUS_PATHS } from "./precious-files.ts";
import { INDEXED_SETTINGS_RULE } from "./rule-index.build.ts";
import type { RuleCategory, DestructiveSettings } from "./rules.ts";
import { findOverwrittenFile, isDisk } from "./sets.ts";
import {
  type DestructivePolicy,
  activateBuiltIn,
  isLineExcepted,
  type ActiveRule,
  TEST_CATEGORIES,
  findProgramRules,
  isExcepted,
  MAX_KNOWN_PROGRAMS,
  MAX_PROGRAM_LENGTH,
} from "./active-rules.ts";

type BashCall = EventOf<"PreToolUse", "Bash">;

/** A rule that a command breaks, with what it does: its reason, with what was found in the place of the sets. */
interface Harm {
  id: string;
  reason: string;
  advice?: string;
  action: "deny" | "ask";
}

/** Characters of a command that a message shows. */
const MAX_SHOWN = 200;

/**
 * The answer to a line; undefined where it does no harm.
 * @throws Error named "ShellError" for a line that is too long or nested too deeply, unless its text names nothing that a
 * rule is about.
 */
export function judgeLine(event: BashCall, policy: DestructivePolicy): IHookResponse | undefined {
  try {
    return judgeReadLine(event, policy);
  } catch (error) {
    if ((error as Error).name === "ShellError" && !mayNameHarm(event, policy)) return undefined;
    throw error;
  }
}

function judgeReadLine(event: BashCall, policy: DestructivePolicy): IHookResponse | undefined {
  const { settings } = policy;
  const line = event.input.command;
  const { commands: read, problem, forkBomb } = shellLine(event);
  const forkBombRule = forkBomb === undefined ? undefined : activateBuiltIn("system", "system/fork-bomb", policy);
  if (forkBombRule && !isLineExcepted(line, forkBombRule, policy))
    return buildAnswer(line.trim(), describeRule(forkBombRule));
  const known = listPossibleCommands(read, listRuledPrograms(policy));
  const commands = problem === undefined ? known : [...known, ...splitUnparsedLine(line)];
  const here = createLineContext(event, { line, cwd: event.input.cwd }, settings, commands);
  return judgeCommands(commands, policy, here);
}

/** The answer to a call of a file tool: that to the commands which would do the same. */
export function judgeFileCall(
  event: EventOf<"PreToolUse">,
  given: readonly Command[],
  policy: DestructivePolicy,
): IHookResponse | undefined {
  const { settings } = policy;
  const commands = given.map((command) => toAppendingWrite(command, event.cwd));
  const line = commands.map(({ words }) => words.join(" ")).join("\n");
  const here = createLineContext(event, { line }, settings, commands);
  // What the settings protect may be written to, if it is not emptied.
  const written = { ...here, protect: [] };
  return judgeCommands(commands, policy, here, ({ program, stdin }) =>
    program === "" && stdin?.trim() !== "" ? written : here,
  );
}

/** The answer to commands: the first denial, else the first question. */
function judgeCommands(
  commands: readonly Command[],
  policy: DestructivePolicy,
  here: LineContext,
  getContext: (command: Command) => LineContext = () => here,
): IHookResponse | undefined {
  const { settings } = policy;
  const [allowed, forbidden] = [settings.allow.map(argumentPattern), settings.deny.map(argumentPattern)];
  let question: IHookResponse | undefined;
  for (const command of commands) {
    // To define an alias is not to run it.
    if (command.via.includes("alias")) continue;
    const finding = forbidden.some((fits) => fits(command))
      ? { ...INDEXED_SETTINGS_RULE, action: settings.decision }
      : findHarm(command, policy, getContext(command), () => allowed.some((fits) => fits(command)));
    const answer = finding && buildAnswer(command.words.join(" "), finding);
    if (answer?.decision === "deny") return answer;
    question ??= answer;
  }
  return question;
}

/** The programs that rules may be about. */
const listRuledPrograms = ({ rules }: DestructivePolicy): string[] =>
  `${Object.values(PROGRAMS).join("")}${rules.addedPrograms}`.split("|").filter((name) => name !== "");

/** Whether the text of an unreadable line has a name that a rule is about, or may hide one. */
function mayNameHarm({ cwd, input }: BashCall, policy: DestructivePolicy): boolean {
  const { deny, protect } = policy.settings;
  const shell = input.shell ?? (process.platform === "win32" ? "powershell" : "bash");
  if (deny.length > 0 || shell !== "bash" || mentions(input.command, CONCERNS.texts ?? [])) return true;
  const names = [...listRuledPrograms(policy), ...PRECIOUS_PATHS, ...BARE_PARTS, ...protect];
  const text = `${input.cwd || cwd} ${input.command.replace(/['"\\]/g, "")}`.toLowerCase();
  const words = new Set(text.match(/[\w.+-]+/g));
  return text.includes("/dev/") || names.some((name) => words.has(getLastName(name)));
}

/** The last name of a path that is not a wildcard, in lower case. */
const getLastName = (path: string): string =>
  path
    .toLowerCase()
    .replace(/[/.]\*?$/, "")
    .replace(/^.*\//, "");

/** The answer that names the command, the reason and the safer way. */
function buildAnswer(command: string, { id, reason, advice, action }: Harm): IHookResponse {
  const shown = command.length > MAX_SHOWN ? `${command.slice(0, MAX_SHOWN)}…` : command;
  const why = advice === undefined ? reason : `${reason}; ${advice}`;
  const cause = { rule: id, subject: command };
  return action === "ask"
    ? ask(`Run "${shown}"? ${why[0]?.toUpperCase()}${why.slice(1)}.`, cause)
    : deny(`Blocked "${shown}": ${why}. Ask the user to run it if it is really wanted.`, cause);
}

/** What a command does that a rule catches. */
const describeRule = (
  { id, reason, advice, action }: ActiveRule,
  found: Readonly<Record<string, string>> = {},
): Harm => ({
  id,
  reason: reason.replace(/<(\w+)>/g, (all, set) => (Object.hasOwn(found, set) ? (found[set] as string) : all)),
  ...(advice !== undefined && { advice }),
  action,
});

/** What the commands of a call are judged by. */
function createLineContext(
  event: EventOf<"PreToolUse">,
  { line, cwd: given }: { line: string; cwd?: string | undefined },
  { protect }: DestructiveSettings,
  commands: readonly Command[],
): LineContext {
  const [cwd, home] = [normalizePath(given || event.cwd || process.cwd()), normalizePath(homedir())];
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
    commands,
    cwd,
    folders: [...new Set([cwd, ...[event.cwd, ...(event.workspace_roots ?? [])].filter(Boolean).map(normalizePath)])],
    home,
    protect: protect.map(absolute),
    repository,
    mayBeUnset: createUnsetCheck(line, commands),
    readRealPath: createLinkResolver(),
  };
}

/**
 * The rule that a command breaks: the first that denies it, else the first that asks.
 * @param isAllowed whether the hook's settings allow the command, asked where a rule has caught it.
 */
function findHarm(
  command: Command,
  policy: DestructivePolicy,
  here: LineContext,
  isAllowed: () => boolean,
): Harm | undefined {
  const harms = findOverwrites(command, policy, here);
  harms.push(...findRuleHarms(command, command, policy, here));
  for (const inner of findInnerCommands(command, policy)) harms.push(...findRuleHarms(inner, command, policy, here));
  if (harms.length === 0 || isAllowed()) return undefined;
  return harms.find(({ action }) => action === "deny") ?? harms[0];
}

/** Whether it is about the database of a test run. */
function isTestRun({ env }: Command): boolean {
  for (const name in env) if (/(^|_)ENV$/.test(name) && /^test(s|ing)?$/.test(env[name] as string)) return true;
  return false;
}

/**
 * What rules find in a command, up to the first that denies it.
 * @param outer the command as the line has it: exceptions may name either.
 */
function findRuleHarms(command: Command, outer: Command, policy: DestructivePolicy, here: LineContext): Harm[] {
  const categories = isTestRun(command) ? TEST_CATEGORIES : CATEGORIES;
  const { rules, named } = findProgramRules(command.program, policy, categories);
  if (rules.length === 0) return [];
  const given = splitArguments(command, named);
  if (isHelpAsked(command, given.sure)) return [];
  const harms: Harm[] = [];
  for (const rule of rules) {
    let found: Record<string, string> | undefined;
    for (const pattern of rule.patterns) if ((found = matchPattern(pattern, command, given, here))) break;
    if (!found || isExcepted(rule, [command, outer], policy)) continue;
    harms.push(describeRule(rule, found));
    if (rule.action === "deny") break;
  }
  return harms;
}

/** What redirections overwrite. */
function findOverwrites(command: Command, policy: DestructivePolicy, here: LineContext): Harm[] {
  const describe = (category: RuleCategory, id: string, found: Readonly<Record<string, string>>): Harm[] => {
    const rule = activateBuiltIn(category, id, policy);
    return rule && !isExcepted(rule, [command], policy) ? [describeRule(rule, found)] : [];
  };
  if (command.redirects.length === 0) return [];
  return command.redirects.flatMap(({ operator, target, dynamic }) => {
    if (!operator.includes(">")) return [];
    if (isDisk(target)) return describe("disks", "disks/overwrite-disk", { disk: target });
    if (operator.includes(">>")) return [];
    const file = findOverwrittenFile([{ text: target, ...(dynamic !== undefined && { dynamic }) }], command, here);
    return file === undefined ? [] : describe("filesystem", "filesystem/overwrite-file", { file });
  });
}
/** Programs that run the one that they are given. */
const RUNNERS = "npx|bunx|pnpx|pnpm|yarn|npm|bun|deno|node|tsx|python*|py|php*|ruby|uv|sail|ddev|lando";
const getProgramName = (word: string) => listProgramNames(word)[0] ?? "";
/** The program of a package: `prisma@latest`, `npm:prisma`. */
const getPackageProgram = (word: string) => getProgramName(word).replace(/^npm:|(?<=.)@[^@]*$/g, "");

/** Whether a program is one of them; most lines name each program many times. */
function isRunner(program: string): boolean {
  let is = knownRunners.get(program);
  if (is === undefined) {
    if (knownRunners.size > MAX_KNOWN_PROGRAMS) knownRunners.clear();
    is = isWordMatch(program, RUNNERS);
    if (program.length <= MAX_PROGRAM_LENGTH) knownRunners.set(program, is);
  }
  return is;
}
const knownRunners = new Map<string, boolean>();

/** The command that a runner is given: `npx prisma@6 migrate reset` is also `prisma migrate reset`. */
function findInnerCommands(command: Command, policy: DestructivePolicy): Command[] {
  const image = readImageCommand(command);
  if (image) return [image];
  if (!isRunner(command.program)) return [];
  const at = command.args.findIndex(
    (arg) =>
      !arg.startsWith("-") && findProgramRules(getPackageProgram(arg), policy, DEFAULT_CATEGORIES).rules.length > 0,
  );
  if (at < 0) return [];
  const dynamic = Object.fromEntries(
    Object.entries(command.dynamic).map(([index, word]) => [Number(index) - at - 1, word]),
  );
  return [
    { ...command, program: getPackageProgram(command.args[at] as string), args: command.args.slice(at + 1), dynamic },
  ];
}
