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
import { isForkBomb, isHidden, mayOverwrite, namesOf, programsIn } from "./glance.ts";
import { plainOf } from "../_plain.ts";
import { argumentsOf, fit, isWord, mayFit, type Rules } from "./pattern.ts";
import { type Here, realPaths, tidy } from "./places.ts";
import { CATEGORIES, type Category, type Settings } from "./rules.ts";
import { file, isDisk } from "./sets.ts";

type Call = EventOf<"PreToolUse", "Bash">;

/** Characters of a command that a message shows. */
const SHOWN = 200;

/**
 * The answer to a line that `isSuspect`; nothing where it does no harm.
 * @throws Error named "ShellError" where such a line is too long or too deep to be read.
 */
export function verdict(event: Call, settings: Settings): IHookResponse | undefined {
  const line = event.input.command;
  if (settings.categories.includes("system") && isForkBomb(line))
    return answer(line.trim(), "it starts processes without end", settings);
  if (settings.deny.length === 0 && !mayHarm(line, settings)) return undefined;
  const [allowed, forbidden] = [settings.allow.map(argumentPattern), settings.deny.map(argumentPattern)];
  const { commands: read, problem } = shellLine(event);
  const commands = problem === undefined ? read : [...read, ...cutUp(line)];
  const here = hereOf(event, settings, commands);
  for (const command of commands) {
    const words = command.words.join(" ");
    if (forbidden.some((fits) => fits(command)))
      return answer(words, "the settings of block-destructive forbid it", settings);
    const why = allowed.some((fits) => fits(command)) ? undefined : harm(command, settings.categories, here);
    if (why) return answer(words, `it can't be taken back: ${why}`, settings);
  }
  return undefined;
}

function answer(command: string, why: string, { decision }: Settings): IHookResponse {
  const shown = command.length > SHOWN ? `${command.slice(0, SHOWN)}…` : command;
  return decision === "ask"
    ? ask(`Run "${shown}"? ${why[0]?.toUpperCase()}${why.slice(1)}.`)
    : deny(`Blocked "${shown}": ${why}. Ask the user to run it if it is really wanted.`);
}

/** Whether a command that fits a rule may be in the line, as far as the words in it tell: then it has to be read. */
function mayHarm(line: string, { categories, protect }: Settings): boolean {
  const plain = plainOf(line);
  // What a variable holds may be any word but the program's.
  if (isHidden(line) || mayOverwrite(plain, protect) || /[$`{]/.test(plain)) return true;
  return programsIn(plain, categories).some((program) =>
    patternsOf(program, categories).some(([pattern]) => mayFit(pattern, plain)),
  );
}

/** The patterns that are about a program, each with what such a command does. */
function patternsOf(program: string, categories: readonly Category[]): [pattern: string, why: string][] {
  const found: [string, string][] = [];
  for (const name of namesOf(program))
    for (const category of categories) found.push(...(patterns(category).get(name) ?? []));
  return found;
}

/** The patterns of a category by the names of the programs; made when it is first asked. */
function patterns(category: Category): ReadonlyMap<string, [pattern: string, why: string][]> {
  const known = byName.get(category);
  if (known) return known;
  const found = new Map<string, [string, string][]>();
  for (const [programs, rules] of Object.entries<Rules[string]>(CATEGORIES[category]))
    for (const name of programs.split("|")) found.set(name, [...(found.get(name) ?? []), ...Object.entries(rules)]);
  byName.set(category, found);
  return found;
}
const byName = new Map<Category, ReadonlyMap<string, [string, string][]>>();

/** What the commands of a call are judged by. */
function hereOf(event: Call, { protect }: Settings, commands: readonly Command[]): Here {
  const [cwd, home] = [tidy(event.input.cwd || event.cwd || process.cwd()), tidy(homedir())];
  const absolute = (path: string) =>
    tidy(path.startsWith("~") ? home + path.slice(1) : /^([/\\]|[A-Za-z]:)/.test(path) ? path : `${cwd}/${path}`);
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
    real: realPaths(),
  };
}

/** What a command would destroy, as the second half of a sentence; nothing if nothing. */
function harm(command: Command, categories: readonly Category[], here: Here): string | undefined {
  const on = isTest(command) ? categories.filter((category) => category !== "database") : categories;
  return (
    overwritten(command, on, here) ??
    [command, ...inner(command)].map((one) => ruled(one, on, here)).find((why) => why !== undefined)
  );
}

/** Whether it is about the database of a test run. */
const isTest = ({ env }: Command) =>
  Object.entries(env).some(([name, value]) => /(^|_)ENV$/.test(name) && /^test(s|ing)?$/.test(value));

function ruled(command: Command, categories: readonly Category[], here: Here): string | undefined {
  const patterns = patternsOf(command.program, categories);
  if (patterns.length === 0) return undefined;
  const given = argumentsOf(command);
  if (given.options.includes("--help")) return undefined;
  for (const [pattern, why] of patterns) {
    const found = fit(pattern, command, given, here);
    if (found) return why.replace(/<(\w+)>/g, (_, set) => found[set] as string);
  }
  return undefined;
}

/** What a redirection overwrites. */
function overwritten(command: Command, categories: readonly Category[], here: Here): string | undefined {
  for (const { operator, target, dynamic } of command.redirects) {
    if (!operator.includes(">")) continue;
    if (categories.includes("disks") && isDisk(target)) return `it overwrites the disk ${target}`;
    if (operator.includes(">>") || !categories.includes("filesystem")) continue;
    const lost = file([{ text: target, ...(dynamic !== undefined && { dynamic }) }], command, here);
    if (lost !== undefined) return `it overwrites ${lost}`;
  }
  return undefined;
}

/** Programs that run the one that they are given. */
const RUNNERS = "npx|bunx|pnpx|pnpm|yarn|npm|bun|deno|node|tsx|python*|py|php*|ruby|uv|sail|ddev|lando";
const nameOf = (word: string) => word.slice(word.lastIndexOf("/") + 1);
/** The program of a package: `prisma@latest`, `npm:prisma`. */
const packaged = (word: string) => nameOf(word).replace(/^npm:|(?<=.)@[^@]*$/g, "");

/** The command that a runner is given: `npx prisma@6 migrate reset` is also `prisma migrate reset`. */
function inner(command: Command): Command[] {
  if (!isWord(command.program, RUNNERS)) return [];
  const all = Object.keys(CATEGORIES) as Category[];
  const at = command.args.findIndex((arg) => !arg.startsWith("-") && patternsOf(packaged(arg), all).length > 0);
  if (at < 0) return [];
  const dynamic = Object.fromEntries(
    Object.entries(command.dynamic).map(([index, word]) => [Number(index) - at - 1, word]),
  );
  return [{ ...command, program: packaged(command.args[at] as string), args: command.args.slice(at + 1), dynamic }];
}

/** The commands of a line that bash would not take, cut up without regard to its syntax: another shell may run them. */
function cutUp(line: string): Command[] {
  const parts = new Set(line.split(/[;|&\n(){}]+/));
  if (parts.size > MOST_PARTS)
    throw new Error(
      `the shell line has too many commands to be looked at (${parts.size}; at most ${MOST_PARTS}); split it up`,
    );
  return [...parts].flatMap((part) => {
    const [program = "", ...args] = part
      .replace(/['"]/g, "")
      .split(/\s+/)
      .filter((word) => word !== "");
    const words = [program, ...args];
    return program
      ? [{ program: nameOf(program), args, words, redirects: [], env: {}, dynamic: {}, cwd: "", via: [], patched: [] }]
      : [];
  });
}
const MOST_PARTS = 2_000;
