import {
  argumentPattern,
  ask,
  type Command,
  deny,
  type EventOf,
  git,
  homedir,
  type IHookResponse,
  type Repository,
  shellLine,
} from "bridge-hooks";
import {
  CATEGORIES,
  mayDefineForkBomb,
  hasHiddenWords,
  mayOverwrite,
  getRuleNames,
  findRuledPrograms,
} from "./glance.ts";
import { toPlainLine } from "../_plain-line.ts";
import { isHelpAsked, splitArguments } from "./given-options.ts";
import { matchPattern, isWordMatch, mayMatchPattern } from "./pattern.ts";
import { type LineContext, createLinkResolver, normalizePath } from "./places.ts";
import { INDEXED_RULES, INDEXED_SETTINGS_RULE, type IndexedRule } from "./rule-index.build.ts";
import type { RuleCategory, DestructiveSettings } from "./rules.ts";
import { findOverwrittenFile, isDisk } from "./sets.ts";

type BashCall = EventOf<"PreToolUse", "Bash">;

/** A rule that a command breaks, with what it does: its reason, with what was found in the place of the sets. */
interface Harm {
  id: string;
  reason: string;
  advice?: string;
}

/** Characters of a command that a message shows. */
const MAX_SHOWN = 200;

/**
 * The answer to a line that `isSuspect`; nothing where it does no harm.
 * @throws Error named "ShellError" where such a line is too long or too deep to be read.
 */
export function judgeLine(event: BashCall, settings: DestructiveSettings): IHookResponse | undefined {
  const line = event.input.command;
  const mayFork = settings.categories.includes("system") && mayDefineForkBomb(line);
  if (settings.deny.length === 0 && !mayHarm(line, settings) && !(mayFork && definesForkBomb(event))) return undefined;
  const [allowed, forbidden] = [settings.allow.map(argumentPattern), settings.deny.map(argumentPattern)];
  const { commands: read, problem, forkBomb } = shellLine(event);
  if (mayFork && forkBomb !== undefined)
    return buildAnswer(line.trim(), getBuiltInHarm("system", "system/fork-bomb"), settings);
  const commands = problem === undefined ? read : [...read, ...splitUnparsedLine(line)];
  const here = createLineContext(event, settings, commands);
  for (const command of commands) {
    // To define an alias is not to run it.
    if (command.via.includes("alias")) continue;
    const words = command.words.join(" ");
    if (forbidden.some((fits) => fits(command))) return buildAnswer(words, INDEXED_SETTINGS_RULE, settings);
    const harm = allowed.some((fits) => fits(command)) ? undefined : findHarm(command, settings.categories, here);
    if (harm) return buildAnswer(words, harm, settings);
  }
  return undefined;
}

/** Whether a line that nothing else is against defines a fork bomb. One that can't be read is judged by its text. */
function definesForkBomb(event: BashCall): boolean {
  try {
    return shellLine(event).forkBomb !== undefined;
  } catch {
    return FORK_BOMB_TEXT.test(event.input.command);
  }
}
const FORK_BOMB_TEXT = /(?<![\w:])([\w:]{1,64})\s*\(\s*\)\s*\{\s*\1\s*\|\s*\1\s*&\s*\}/;

/** The answer that names the command, the reason, the safer way, and the rule. */
function buildAnswer(command: string, { id, reason, advice }: Harm, { decision }: DestructiveSettings): IHookResponse {
  const shown = command.length > MAX_SHOWN ? `${command.slice(0, MAX_SHOWN)}…` : command;
  const why = advice === undefined ? reason : `${reason}; ${advice}`;
  const rule = `[bridge-hooks ${id}]`;
  return decision === "ask"
    ? ask(`Run "${shown}"? ${why[0]?.toUpperCase()}${why.slice(1)}. ${rule}`)
    : deny(`Blocked "${shown}": ${why}. Ask the user to run it if it is really wanted. ${rule}`);
}

/** Whether a command that fits a rule may be in the line, as far as the words in it tell: then it has to be read. */
function mayHarm(line: string, { categories, protect }: DestructiveSettings): boolean {
  const plain = toPlainLine(line);
  // What a variable holds may be any word but the program's.
  if (hasHiddenWords(line) || mayOverwrite(plain, protect) || /[$`{]/.test(plain)) return true;
  return findRuledPrograms(plain, categories).some((program) =>
    findRules(program, categories).some(({ patterns }) => patterns.some((one) => mayMatchPattern(one, plain))),
  );
}

/** The rules that are about a program. */
function findRules(program: string, categories: readonly RuleCategory[]): IndexedRule[] {
  const found: IndexedRule[] = [];
  for (const name of getRuleNames(program))
    for (const category of categories) found.push(...(indexByProgram(category).get(name) ?? []));
  return found;
}

/** The rules of a category by the names of the programs; made when it is first asked. */
function indexByProgram(category: RuleCategory): ReadonlyMap<string, IndexedRule[]> {
  const known = rulesByProgram.get(category);
  if (known) return known;
  const found = new Map<string, IndexedRule[]>();
  for (const rule of INDEXED_RULES[category])
    for (const name of rule.programs) found.set(name, [...(found.get(name) ?? []), rule]);
  rulesByProgram.set(category, found);
  return found;
}
const rulesByProgram = new Map<RuleCategory, ReadonlyMap<string, IndexedRule[]>>();

/** What a rule that is code has found. */
function getBuiltInHarm(category: RuleCategory, id: string, found: Readonly<Record<string, string>> = {}): Harm {
  return describeRule(INDEXED_RULES[category].find((rule) => rule.id === id) as IndexedRule, found);
}

/** What a command does that a rule catches. */
const describeRule = ({ id, reason, advice }: IndexedRule, found: Readonly<Record<string, string>>): Harm => ({
  id,
  reason: reason.replace(/<(\w+)>/g, (_, set) => found[set] as string),
  ...(advice !== undefined && { advice }),
});

/** What the commands of a call are judged by. */
function createLineContext(
  event: BashCall,
  { protect }: DestructiveSettings,
  commands: readonly Command[],
): LineContext {
  const [cwd, home] = [normalizePath(event.input.cwd || event.cwd || process.cwd()), normalizePath(homedir())];
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
    line: event.input.command,
    commands,
    cwd,
    home,
    protect: protect.map(absolute),
    repository,
    readRealPath: createLinkResolver(),
  };
}

/** The rule that a command breaks; nothing if it breaks none. */
function findHarm(command: Command, categories: readonly RuleCategory[], here: LineContext): Harm | undefined {
  const on = isTestRun(command) ? categories.filter((category) => category !== "database") : categories;
  return (
    findOverwrite(command, on, here) ??
    [command, ...findInnerCommands(command)]
      .map((one) => findRuleHarm(one, on, here))
      .find((harm) => harm !== undefined)
  );
}

/** Whether it is about the database of a test run. */
const isTestRun = ({ env }: Command) =>
  Object.entries(env).some(([name, value]) => /(^|_)ENV$/.test(name) && /^test(s|ing)?$/.test(value));

function findRuleHarm(command: Command, categories: readonly RuleCategory[], here: LineContext): Harm | undefined {
  const rules = findRules(command.program, categories);
  if (rules.length === 0) return undefined;
  const given = splitArguments(
    command,
    rules.flatMap(({ patterns }) => patterns),
  );
  if (isHelpAsked(command, given.sure)) return undefined;
  for (const rule of rules)
    for (const pattern of rule.patterns) {
      const found = matchPattern(pattern, command, given, here);
      if (found) return describeRule(rule, found);
    }
  return undefined;
}

/** What a redirection overwrites. */
function findOverwrite(command: Command, categories: readonly RuleCategory[], here: LineContext): Harm | undefined {
  for (const { operator, target, dynamic } of command.redirects) {
    if (!operator.includes(">")) continue;
    if (categories.includes("disks") && isDisk(target))
      return getBuiltInHarm("disks", "disks/overwrite-disk", { disk: target });
    if (operator.includes(">>") || !categories.includes("filesystem")) continue;
    const file = findOverwrittenFile([{ text: target, ...(dynamic !== undefined && { dynamic }) }], command, here);
    if (file !== undefined) return getBuiltInHarm("filesystem", "filesystem/overwrite-file", { file });
  }
  return undefined;
}

/** Programs that run the one that they are given. */
const RUNNERS = "npx|bunx|pnpx|pnpm|yarn|npm|bun|deno|node|tsx|python*|py|php*|ruby|uv|sail|ddev|lando";
const getProgramName = (word: string) => word.slice(word.lastIndexOf("/") + 1);
/** The program of a package: `prisma@latest`, `npm:prisma`. */
const getPackageProgram = (word: string) => getProgramName(word).replace(/^npm:|(?<=.)@[^@]*$/g, "");

/** The command that a runner is given: `npx prisma@6 migrate reset` is also `prisma migrate reset`. */
function findInnerCommands(command: Command): Command[] {
  if (!isWordMatch(command.program, RUNNERS)) return [];
  const at = command.args.findIndex(
    (arg) => !arg.startsWith("-") && findRules(getPackageProgram(arg), CATEGORIES).length > 0,
  );
  if (at < 0) return [];
  const dynamic = Object.fromEntries(
    Object.entries(command.dynamic).map(([index, word]) => [Number(index) - at - 1, word]),
  );
  return [
    { ...command, program: getPackageProgram(command.args[at] as string), args: command.args.slice(at + 1), dynamic },
  ];
}

/** The commands of a line that bash would not take, cut up without regard to its syntax: another shell may run them. */
function splitUnparsedLine(line: string): Command[] {
  const parts = new Set(line.split(/[;|&\n(){}]+/));
  if (parts.size > MAX_PARTS)
    throw new Error(
      `the shell line has too many commands to be looked at (${parts.size}; at most ${MAX_PARTS}); split it up`,
    );
  return [...parts].flatMap((part) => {
    const [program = "", ...args] = part
      .replace(/['"]/g, "")
      .split(/\s+/)
      .filter((word) => word !== "");
    const words = [program, ...args];
    return program
      ? [
          {
            program: getProgramName(program),
            args,
            words,
            redirects: [],
            env: {},
            dynamic: {},
            cwd: "",
            via: [],
            patched: [],
          },
        ]
      : [];
  });
}
const MAX_PARTS = 2_000;
