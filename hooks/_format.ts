import { readFileSync, realpathSync, statSync } from "node:fs";
import { basename, relative, sep } from "node:path";
import { context, type EventOf, findProgram, git, type IHookResponse, paths } from "bridge-hooks";
import { type Ended, flaw, isOneOf, runProgram } from "./_process.ts";

const MOST_FILES = 20;
const MOST_OUTPUT = 1_500;
/** Bytes of a file that is formatted. */
const LARGEST = 10_000_000;

/** What the options say. */
interface Settings {
  /** By glob: words, of which `{file}` is the file's path. */
  commands: Readonly<Record<string, readonly string[]>>;
  folders?: readonly string[] | undefined;
  timeoutMs: number;
}

/** Formats what a call has changed. What to tell the model, if anything. */
export async function formatAfter(
  event: EventOf<"PostToolUse", "Edit" | "Write">,
  settings: Settings,
  signal: AbortSignal,
): Promise<IHookResponse | undefined> {
  const root = git({ cwd: event.cwd })?.root ?? (event.cwd && realpathSync(event.cwd));
  if (!root || (settings.folders && !isOneOf(root, settings.folders))) return undefined;
  const deadline = performance.now() + settings.timeoutMs;
  const told: string[] = [];
  for (const file of filesIn(root, event)) told.push(...(await format(file, root, settings, deadline, signal)));
  return told.length > 0 ? context(told.join("\n\n")) : undefined;
}

/** The files that were changed, are still there, and lie in the folder, whatever links lead to them. */
function filesIn(root: string, event: EventOf<"PostToolUse", "Edit" | "Write">): string[] {
  const written = paths(event).filter(({ access }) => access === "write");
  return [...new Set(written.flatMap(({ path }) => fileAt(path, root) ?? []))].slice(0, MOST_FILES);
}

function fileAt(path: string, root: string): string | undefined {
  try {
    const file = realpathSync(path);
    const found = statSync(file);
    return file.startsWith(root + sep) && found.isFile() && found.size <= LARGEST ? file : undefined;
  } catch {
    return undefined;
  }
}

/** The commands for a file, in the order in which they are configured. */
function commandsFor(file: string, root: string, { commands }: Settings): (readonly string[])[] {
  const path = relative(root, file).replaceAll("\\", "/");
  return Object.entries(commands).flatMap(([glob, words]) =>
    new Bun.Glob(glob).match(glob.includes("/") ? path : basename(path)) ? [words] : [],
  );
}

/** A command with the file in it. @throws Error where the file's name would be more than a name. */
function argvOf([program = "", ...args]: readonly string[], file: string): string[] {
  const path = findProgram(program) ?? program;
  // Windows starts such a program through its shell.
  if (/\.(cmd|bat)$/i.test(path) && /["&|<>^%!]/.test(file))
    throw new Error("can't be given this name, which cmd.exe would read as more");
  return [path, ...args.map((word) => word.replace("{file}", () => file))];
}

function contentOf(file: string): number | bigint | undefined {
  try {
    return Bun.hash(readFileSync(file));
  } catch {
    return undefined;
  }
}

/** Formats a file. What to tell the model, if anything. */
async function format(
  file: string,
  root: string,
  settings: Settings,
  deadline: number,
  signal: AbortSignal,
): Promise<string[]> {
  const shown = relative(root, file);
  const before = contentOf(file);
  const told: string[] = [];
  for (const words of commandsFor(file, root, settings)) {
    const ended = await run(words, file, { cwd: root, ms: deadline - performance.now(), signal, most: MOST_OUTPUT });
    const what = flaw(ended);
    if (what !== undefined)
      told.push(`format-after-edit: ${words[0]} ${what} for ${shown}.${ended.output && `\n${ended.output}`}`);
  }
  if (contentOf(file) !== before)
    told.push(`${shown} was formatted after your edit: read it again before you change it.`);
  return told;
}

async function run(words: readonly string[], file: string, how: Parameters<typeof runProgram>[1]): Promise<Ended> {
  try {
    return await runProgram(argvOf(words, file), how);
  } catch (error) {
    return { problem: (error as Error).message, output: "" };
  }
}
