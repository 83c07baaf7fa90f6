import type { Command } from "bridge-hooks";
import { CATEGORIES, type Category } from "./index.ts";
import { argumentsOf, fit, isWord, mayFit } from "./pattern.ts";
import { FILE_WORDS, type Here, isPreciousFile, placeOf } from "./places.ts";
import { DISK_WORDS, isDisk } from "./sets.ts";

/** Programs that run the one that they are given: `npx prisma`, `python manage.py`. */
const RUNNERS = "npx|bunx|pnpx|pnpm|yarn|npm|bun|deno|node|tsx|python*|py|php*|ruby|uv";
const FORK_BOMB = /([\w:]+)\s*\(\)\s*\{\s*\1\s*\|\s*\1\s*&\s*\}/;
/** Text that a shell takes apart before it is a word. */
const HIDDEN = /\$'|\\x[\da-f]|\\0?[0-7]{2}|base64|xxd/i;

/** Whether a line mentions what a rule is about: most lines don't, and need not be read. */
export function mayHarm(line: string, categories: readonly Category[], protect: readonly string[]): boolean {
  if (HIDDEN.test(line)) return true;
  const plain = line.replace(/\\\n|['"\\]/g, "").toLowerCase();
  if (plain.includes(">") && [...FILE_WORDS, ...DISK_WORDS, ...protect.map(lastName)].some((word) => plain.includes(word))) return true;
  // What a variable holds may be any word but the program's.
  const plainly = !/[$`{]/.test(plain);
  return categories.some((category) =>
    Object.entries(CATEGORIES[category]).some(
      ([programs, rules]) =>
        programs.split("|").some((program) => mentions(plain, program.toLowerCase())) &&
        (!plainly || Object.keys(rules).some((pattern) => mayFit(pattern, plain))),
    ),
  );
}

const lastName = (path: string) => path.slice(path.lastIndexOf("/") + 1).toLowerCase();

const LETTER = /[\w.-]/;

/** Whether a program's name stands in a text by itself; of `mkfs*`, its beginning. */
function mentions(text: string, program: string): boolean {
  const open = program.endsWith("*");
  const name = open ? program.slice(0, -1) : program;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!LETTER.test(text[at - 1] ?? "") && (open || !/[\w-]/.test(text[at + name.length] ?? ""))) return true;
  return false;
}

/** What a command would destroy, as the second half of a sentence; nothing if nothing. */
export function harm(command: Command, categories: readonly Category[], here: Here): string | undefined {
  const on = categories.filter((category) => category !== "database" || !isTest(command));
  return overwritten(command, on, here) ?? [command, ...inner(command)].map((one) => ruled(one, on, here)).find((why) => why !== undefined);
}

/** Whether it is about the database of a test run. */
const isTest = ({ env }: Command) => Object.entries(env).some(([name, value]) => /(^|_)ENV$/.test(name) && /^tests?(ing)?$/.test(value));

function ruled(command: Command, categories: readonly Category[], here: Here): string | undefined {
  const given = argumentsOf(command);
  if (given.options.includes("--help")) return undefined;
  for (const category of categories)
    for (const [programs, rules] of Object.entries(CATEGORIES[category])) {
      if (!isWord(command.program, programs)) continue;
      for (const [pattern, why] of Object.entries(rules)) {
        const found = fit(pattern, command, given, here);
        if (found) return why.replace(/<(\w+)>/g, (_, set) => found[set] as string);
      }
    }
  return undefined;
}

/** What a redirection overwrites. */
function overwritten(command: Command, categories: readonly Category[], here: Here): string | undefined {
  for (const { operator, target, dynamic } of command.redirects) {
    if (!operator.includes(">")) continue;
    if (categories.includes("disks") && isDisk(target)) return `it overwrites the disk ${target}`;
    const place = placeOf({ text: target, ...(dynamic !== undefined && { dynamic }) }, command, here);
    if (categories.includes("filesystem") && place && !operator.includes(">>") && isPreciousFile(place, here))
      return `it overwrites ${target}`;
  }
  return undefined;
}

const PROGRAMS = Object.values(CATEGORIES)
  .flatMap((rules) => Object.keys(rules))
  .join("|");
const nameOf = (word: string) => word.slice(word.lastIndexOf("/") + 1);

/** The command that a runner is given: `npx prisma migrate reset` is also `prisma migrate reset`. */
function inner(command: Command): Command[] {
  if (!isWord(command.program, RUNNERS)) return [];
  const at = command.args.findIndex((arg) => !arg.startsWith("-") && isWord(nameOf(arg), PROGRAMS));
  if (at < 0) return [];
  const dynamic = Object.fromEntries(Object.entries(command.dynamic).map(([index, word]) => [Number(index) - at - 1, word]));
  return [{ ...command, program: nameOf(command.args[at] as string), args: command.args.slice(at + 1), dynamic }];
}

/** Whether a line defines and starts what multiplies without end. */
export const isForkBomb = (line: string): boolean => line.includes("()") && FORK_BOMB.test(line);

/** A line that bash would not take, cut up without regard to its syntax: other shells may. */
export const cutUp = (line: string): Command[] =>
  line.split(/[;|&\n(){}]+/).flatMap((part) => {
    const [program = "", ...args] = part
      .replace(/['"]/g, "")
      .split(/\s+/)
      .filter((word) => word !== "");
    return program
      ? [{ program: nameOf(program), args, words: [program, ...args], redirects: [], env: {}, dynamic: {}, cwd: "", via: [], patched: [] }]
      : [];
  });
