import { readFileSync, realpathSync, statSync } from "bridge-hooks/files";
import { basename, relative, sep } from "bridge-hooks/paths";
import { context, type EventOf, findProgram, git, type IHookResponse, paths } from "bridge-hooks";
import { type ProgramResult, describeFailure, isListedFolder, runProgram } from "./_process.ts";

const MAX_FILES = 20;
const MAX_OUTPUT_CHARACTERS = 1_500;
/** Bytes of a file that is formatted. */
const MAX_FILE_BYTES = 10_000_000;

/** What the options say. */
interface FormatSettings {
  /** By glob: words, of which `{file}` is the file's path. */
  commands: Readonly<Record<string, readonly string[]>>;
  folders?: readonly string[] | undefined;
  timeoutMs: number;
}

/** What formatting the files of one call has in common. */
interface FormatRun {
  root: string;
  settings: FormatSettings;
  /** By `performance.now()`. */
  deadline: number;
  signal: AbortSignal;
}

/** Formats what a call has changed. What to tell the model, if anything. */
export async function formatChangedFiles(
  event: EventOf<"PostToolUse", "Edit" | "Write">,
  settings: FormatSettings,
  signal: AbortSignal,
): Promise<IHookResponse | undefined> {
  const root = git({ cwd: event.cwd })?.root ?? (event.cwd && realpathSync(event.cwd));
  if (!root || (settings.folders && !isListedFolder(root, settings.folders))) return undefined;
  const deadline = performance.now() + settings.timeoutMs;
  const messages: string[] = [];
  for (const file of findChangedFiles(root, event))
    messages.push(...(await formatFile(file, { root, settings, deadline, signal })));
  return messages.length > 0 ? context(messages.join("\n\n")) : undefined;
}

/** The files that were changed, are still there, and lie in the folder, whatever links lead to them. */
function findChangedFiles(root: string, event: EventOf<"PostToolUse", "Edit" | "Write">): string[] {
  const written = paths(event).filter(({ access }) => access === "write");
  return [...new Set(written.flatMap(({ path }) => resolveFile(path, root) ?? []))].slice(0, MAX_FILES);
}

function resolveFile(path: string, root: string): string | undefined {
  try {
    const file = realpathSync(path);
    const found = statSync(file);
    return file.startsWith(root + sep) && found.isFile() && found.size <= MAX_FILE_BYTES ? file : undefined;
  } catch {
    return undefined;
  }
}

/** The commands for a file, in the order in which they are configured. */
function findCommands(file: string, root: string, { commands }: FormatSettings): (readonly string[])[] {
  const path = relative(root, file).replaceAll("\\", "/");
  return Object.entries(commands).flatMap(([glob, words]) =>
    new Bun.Glob(glob).match(glob.includes("/") ? path : basename(path)) ? [words] : [],
  );
}

/** A command with the file in it. @throws Error where the file's name would be more than a name. */
function buildArgv([program = "", ...args]: readonly string[], file: string): string[] {
  const path = findProgram(program) ?? program;
  // Windows starts such a program through its shell.
  if (/\.(cmd|bat)$/i.test(path) && /["&|<>^%!]/.test(file))
    throw new Error("can't be given this name, which cmd.exe would read as more");
  return [path, ...args.map((word) => word.replace("{file}", () => file))];
}

function hashContent(file: string): number | bigint | undefined {
  try {
    return Bun.hash(readFileSync(file));
  } catch {
    return undefined;
  }
}

/** Formats a file. What to tell the model, if anything. */
async function formatFile(file: string, { root, settings, deadline, signal }: FormatRun): Promise<string[]> {
  const shown = relative(root, file);
  const before = hashContent(file);
  const messages: string[] = [];
  for (const words of findCommands(file, root, settings)) {
    const ended = await runFormatter(words, file, {
      cwd: root,
      ms: deadline - performance.now(),
      signal,
      most: MAX_OUTPUT_CHARACTERS,
    });
    const what = describeFailure(ended);
    if (what !== undefined)
      messages.push(`format-after-edit: ${words[0]} ${what} for ${shown}.${ended.output && `\n${ended.output}`}`);
  }
  if (hashContent(file) !== before)
    messages.push(`${shown} was formatted after your edit: read it again before you change it.`);
  return messages;
}

async function runFormatter(
  words: readonly string[],
  file: string,
  how: Parameters<typeof runProgram>[1],
): Promise<ProgramResult> {
  try {
    return await runProgram(buildArgv(words, file), how);
  } catch (error) {
    return { problem: (error as Error).message, output: "" };
  }
}
