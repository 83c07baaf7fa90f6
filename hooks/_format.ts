import { readFileSync, realpathSync, statSync } from "bridge-hooks/files";
import { basename, relative, sep } from "bridge-hooks/paths";
import { context, type EventOf, findProgram, git, type IHookResponse, paths } from "bridge-hooks";
import { type ProgramResult, describeFailure, isListedFolder, runProgram } from "./_process.ts";

const MAX_FILES = 20;
const MAX_OUTPUT_CHARACTERS = 1_500;
/** Files larger than this aren't formatted. */
const MAX_FILE_BYTES = 10_000_000;

interface FormatSettings {
  /** Maps file globs to formatter command lines; `{file}` stands for the path. */
  commands: Readonly<Record<string, readonly string[]>>;
  folders?: readonly string[] | undefined;
  timeoutMs: number;
}

/** State shared by all formatters run after one tool call. */
interface FormatterRun {
  root: string;
  settings: FormatSettings;
  /** A `performance.now()` timestamp. */
  deadline: number;
  signal: AbortSignal;
}

/**
 * Formats the files that a tool call changed. Returns context that tells the model which formatters failed and which
 * files changed.
 */
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

/** Returns the changed files that still exist and, once symlinks are resolved, lie inside the project root. */
function findChangedFiles(root: string, event: EventOf<"PostToolUse", "Edit" | "Write">): string[] {
  const writtenFiles = paths(event).filter(({ access }) => access === "write");
  return [...new Set(writtenFiles.flatMap(({ path }) => resolveFile(path, root) ?? []))].slice(0, MAX_FILES);
}

function resolveFile(path: string, root: string): string | undefined {
  try {
    const file = realpathSync(path);
    const stats = statSync(file);
    return file.startsWith(root + sep) && stats.isFile() && stats.size <= MAX_FILE_BYTES ? file : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the formatters configured for a file, in config order. */
function findCommands(file: string, root: string, { commands }: FormatSettings): (readonly string[])[] {
  const path = relative(root, file).replaceAll("\\", "/");
  return Object.entries(commands).flatMap(([glob, words]) =>
    new Bun.Glob(glob).match(glob.includes("/") ? path : basename(path)) ? [words] : [],
  );
}

/**
 * Builds a formatter's argv.
 * @throws Error if the file name contains characters that cmd.exe would interpret
 */
function buildArgv([program = "", ...args]: readonly string[], file: string): string[] {
  const path = findProgram(program) ?? program;
  // Windows runs .cmd and .bat files through cmd.exe.
  if (/\.(cmd|bat)$/i.test(path) && /["&|<>^%!]/.test(file))
    throw new Error("can't be run, because cmd.exe would interpret characters in the file's name");
  return [path, ...args.map((word) => word.replace("{file}", () => file))];
}

function hashContent(file: string): number | bigint | undefined {
  try {
    return Bun.hash(readFileSync(file));
  } catch {
    return undefined;
  }
}

/** Runs the formatters configured for a file, and returns messages for the model. */
async function formatFile(file: string, { root, settings, deadline, signal }: FormatterRun): Promise<string[]> {
  const relativeName = relative(root, file);
  const originalHash = hashContent(file);
  const messages: string[] = [];
  for (const words of findCommands(file, root, settings)) {
    const result = await runFormatter(words, file, {
      cwd: root,
      ms: deadline - performance.now(),
      signal,
      maxCharacters: MAX_OUTPUT_CHARACTERS,
    });
    const failure = describeFailure(result);
    if (failure !== undefined)
      messages.push(
        `format-after-edit: ${words[0]} ${failure} for ${relativeName}.${result.output && `\n${result.output}`}`,
      );
  }
  if (hashContent(file) !== originalHash)
    messages.push(`${relativeName} was formatted after your edit: read it again before you change it.`);
  return messages;
}

async function runFormatter(
  words: readonly string[],
  file: string,
  options: Parameters<typeof runProgram>[1],
): Promise<ProgramResult> {
  try {
    return await runProgram(buildArgv(words, file), options);
  } catch (error) {
    return { problem: (error as Error).message, output: "" };
  }
}
