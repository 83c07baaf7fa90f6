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
import { isForkBomb, hasHiddenWords, mayOverwrite, getRuleNames, findRuledPrograms } from "./glance.ts";
import { toPlainLine } from "../_plain-line.ts";
import { splitArguments, matchPattern, isWordMatch, mayMatchPattern, type ProgramRules } from "./pattern.ts";
import { type LineContext, createLinkResolver, normalizePath } from "./places.ts";
import { CATEGORIES, type RuleCategory, type DestructiveSettings } from "./rules.ts";
import { findPreciousFile, isDisk } from "./sets.ts";

type BashCall = EventOf<"PreToolUse", "Bash">;

/** Characters of a command that a message shows. */
const MAX_SHOWN = 200;

/**
 * The answer to a line that `isSuspect`; nothing where it does no harm.
 * @throws Error named "ShellError" where such a line is too long or too deep to be read.
 */
export function judgeLine(event: BashCall, settings: DestructiveSettings): IHookResponse | undefined {
  const line = event.input.command;
  if (settings.categories.includes("system") && isForkBomb(line))
    return buildAnswer(line.trim(), "it starts processes without end", settings);
  if (settings.deny.length === 0 && !mayHarm(line, settings)) return undefined;
  const [allowed, forbidden] = [settings.allow.map(argumentPattern), settings.deny.map(argumentPattern)];
  const { commands: read, problem } = shellLine(event);
  const commands = problem === undefined ? read : [...read, ...splitUnparsedLine(line)];
  const here = createLineContext(event, settings, commands);
  for (const command of commands) {
    const words = command.words.join(" ");
    if (forbidden.some((fits) => fits(command)))
      return buildAnswer(words, "the settings of block-destructive forbid it", settings);
    const why = allowed.some((fits) => fits(command)) ? undefined : describeHarm(command, settings.categories, here);
    if (why) return buildAnswer(words, `it can't be taken back: ${why}`, settings);
  }
  return undefined;
}

function buildAnswer(command: string, why: string, { decision }: DestructiveSettings): IHookResponse {
  const shown = command.length > MAX_SHOWN ? `${command.slice(0, MAX_SHOWN)}…` : command;
  return decision === "ask"
    ? ask(`Run "${shown}"? ${why[0]?.toUpperCase()}${why.slice(1)}.`)
    : deny(`Blocked "${shown}": ${why}. Ask the user to run it if it is really wanted.`);
}

/** Whether a command that fits a rule may be in the line, as far as the words in it tell: then it has to be read. */
function mayHarm(line: string, { categories, protect }: DestructiveSettings): boolean {
  const plain = toPlainLine(line);
  // What a variable holds may be any word but the program's.
  if (hasHiddenWords(line) || mayOverwrite(plain, protect) || /[$`{]/.test(plain)) return true;
  return findRuledPrograms(plain, categories).some((program) =>
    findPatterns(program, categories).some(([pattern]) => mayMatchPattern(pattern, plain)),
  );
}

/** The patterns that are about a program, each with what such a command does. */
function findPatterns(program: string, categories: readonly RuleCategory[]): [pattern: string, why: string][] {
  const found: [string, string][] = [];
  for (const name of getRuleNames(program))
    for (const category of categories) found.push(...(indexPatterns(category).get(name) ?? []));
  return found;
}

/** The patterns of a category by the names of the programs; made when it is first asked. */
function indexPatterns(category: RuleCategory): ReadonlyMap<string, [pattern: string, why: string][]> {
  const known = patternsByName.get(category);
  if (known) return known;
  const found = new Map<string, [string, string][]>();
  for (const [programs, rules] of Object.entries<ProgramRules[string]>(CATEGORIES[category]))
    for (const name of programs.split("|")) found.set(name, [...(found.get(name) ?? []), ...Object.entries(rules)]);
  patternsByName.set(category, found);
  return found;
}
const patternsByName = new Map<RuleCategory, ReadonlyMap<string, [string, string][]>>();

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

/** What a command would destroy, as the second half of a sentence; nothing if nothing. */
function describeHarm(command: Command, categories: readonly RuleCategory[], here: LineContext): string | undefined {
  const on = isTestRun(command) ? categories.filter((category) => category !== "database") : categories;
  return (
    findOverwrite(command, on, here) ??
    [command, ...findInnerCommands(command)].map((one) => findRuleHarm(one, on, here)).find((why) => why !== undefined)
  );
}

/** Whether it is about the database of a test run. */
const isTestRun = ({ env }: Command) =>
  Object.entries(env).some(([name, value]) => /(^|_)ENV$/.test(name) && /^test(s|ing)?$/.test(value));

function findRuleHarm(command: Command, categories: readonly RuleCategory[], here: LineContext): string | undefined {
  const patterns = findPatterns(command.program, categories);
  if (patterns.length === 0) return undefined;
  const given = splitArguments(command);
  if (given.options.includes("--help")) return undefined;
  for (const [pattern, why] of patterns) {
    const found = matchPattern(pattern, command, given, here);
    if (found) return why.replace(/<(\w+)>/g, (_, set) => found[set] as string);
  }
  return undefined;
}

/** What a redirection overwrites. */
function findOverwrite(command: Command, categories: readonly RuleCategory[], here: LineContext): string | undefined {
  for (const { operator, target, dynamic } of command.redirects) {
    if (!operator.includes(">")) continue;
    if (categories.includes("disks") && isDisk(target)) return `it overwrites the disk ${target}`;
    if (operator.includes(">>") || !categories.includes("filesystem")) continue;
    const lost = findPreciousFile([{ text: target, ...(dynamic !== undefined && { dynamic }) }], command, here);
    if (lost !== undefined) return `it overwrites ${lost}`;
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
  const all = Object.keys(CATEGORIES) as RuleCategory[];
  const at = command.args.findIndex(
    (arg) => !arg.startsWith("-") && findPatterns(getPackageProgram(arg), all).length > 0,
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
