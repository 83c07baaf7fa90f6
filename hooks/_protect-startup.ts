import { readFileSync, statSync } from "bridge-hooks/files";
import { commands, commandsIn, type EventOf, fileCommands, type Guarded, type PathUse } from "bridge-hooks";
import { STARTUP_SUFFIXES, STARTUP_SUBSTRINGS, toPathPattern } from "./_startup-places.ts";

let startupFilePattern: RegExp | undefined;

/** Whether a path is a startup file. The path must be absolute and use "/" separators. */
export function isStartupFile(path: string): boolean {
  const lowerPath = path.toLowerCase();
  // Check for substrings first: compiling the regular expression takes longer than most calls take in total.
  if (!STARTUP_SUBSTRINGS.some((substring) => lowerPath.includes(substring))) return false;
  startupFilePattern ??= new RegExp(`/${toPathPattern(STARTUP_SUFFIXES)}`, "i");
  return startupFilePattern.test(path);
}

/** Program directories, whose files are rarely shell scripts. */
const PROGRAM_FOLDER = /\/s?bin\/[^/]*$/i;

/** Describes how a startup file written by the call would later turn hooks off. The result is part of a sentence. */
export function describeStartupViolation(
  event: EventOf<"PreToolUse" | "PermissionRequest">,
  uses: readonly PathUse[],
  guard: Guarded,
): string | undefined {
  const startupUses = uses.filter(
    ({ access, path, named }) =>
      access === "write" && (isStartupFile(toSlashes(path)) || (named !== path && isStartupFile(toSlashes(named)))),
  );
  const texts = listWrittenStrings(event);
  const strings = event.tool === "Bash" ? texts.flatMap(findWrittenLiterals) : [];
  const file = startupUses[0]?.named ?? strings.find((text) => isStartupFile(`/${toSlashes(text)}`));
  if (file === undefined) return undefined;
  const isScript = !PROGRAM_FOLDER.test(toSlashes(file));
  const copiedTexts = isScript && startupUses.length > 0 ? readCopiedContents(event, uses) : [];
  for (const text of [...texts, ...strings, ...copiedTexts]) {
    if (text === UNREADABLE_CONTENT)
      return `this would put an unreadable file at ${file}, where it would run automatically`;
    for (const script of extractScripts(text)) {
      const switchOff = findDisablingCommand(script, guard);
      if (switchOff.effect !== undefined) return `this would make ${file} run a command that ${switchOff.effect}`;
      if (switchOff.isUnread && (isScript || guard.mentionsHook(script)))
        return `this would write a line that can't be parsed to ${file}, where it would run automatically`;
    }
  }
  return undefined;
}

/** Stands for a file that couldn't be read. */
const UNREADABLE_CONTENT = "\0";
/** Maximum size of a file to read. Startup files are typically a few kilobytes. */
const MAX_COPIED_BYTES = 1 << 20;

/** Reads the files that a call copies, moves, or links, since the copies may run at startup. */
function readCopiedContents(event: EventOf<"PreToolUse" | "PermissionRequest">, uses: readonly PathUse[]): string[] {
  const isCopied = [...commands(event), ...fileCommands(event)].some(({ program }) =>
    /^(?:cp|mv|ln|link|install|rsync|ditto|copy-item|move-item|copy|move|dd|cat|tee)$/i.test(program),
  );
  if (!isCopied) return [];
  const sources = uses
    .filter(({ path, uncertain }) => !uncertain && !isStartupFile(toSlashes(path)))
    .slice(0, MAX_COPIED_FILES);
  return [...new Set(sources.map(({ path }) => path))].flatMap((path) => {
    try {
      const stats = statSync(path, { throwIfNoEntry: false });
      if (!stats?.isFile()) return [];
      return [stats.size > MAX_COPIED_BYTES ? UNREADABLE_CONTENT : readFileSync(path, "utf8")];
    } catch {
      return [UNREADABLE_CONTENT];
    }
  });
}
/** Maximum number of source files to read per call. */
const MAX_COPIED_FILES = 50;

/** Maximum number of lines to check one by one. Only lines that mention a host or bridge-hooks count. */
const MAX_LINES = 10_000;

/** What a script would do to hooks. `isUnread` is set if a line can't be parsed. */
interface ScriptFinding {
  effect?: string;
  isUnread?: true;
}

/** Finds a command that turns hooks off. If the script is too long to parse at once, checks it line by line. */
function findDisablingCommand(script: string, guard: Guarded): ScriptFinding {
  try {
    const effect = guard.switchedOff(commandsIn(script));
    return effect === undefined ? {} : { effect };
  } catch (error) {
    if ((error as Error).name !== "ShellError") throw error;
    if (!script.includes("\n")) return { isUnread: true };
    let finding: ScriptFinding = {};
    let count = 0;
    for (const line of script.split("\n")) {
      const isLong = line.length > MAX_LINE_LENGTH;
      if (!isLong && !guard.mentionsHook(line)) continue;
      const switchOff = ++count > MAX_LINES ? { isUnread: true as const } : findDisablingCommand(line, guard);
      if (switchOff.effect !== undefined) return switchOff;
      if (switchOff.isUnread) finding = switchOff;
    }
    return finding;
  }
}
/** The shell parser rejects longer input. */
const MAX_LINE_LENGTH = 100_000;

const toSlashes = (path: string) => path.replaceAll("\\", "/");

/** Lists the strings that a call may write to a file. */
const listWrittenStrings = (event: EventOf<"PreToolUse" | "PermissionRequest">): string[] =>
  event.guessed ? [...listToolStrings(event), ...collectStrings(event.input)] : listToolStrings(event);

function listToolStrings(event: EventOf<"PreToolUse" | "PermissionRequest">): string[] {
  if (event.tool === "Write") return [event.input.content];
  if (event.tool === "Edit") return event.input.files.flatMap(({ edits }) => edits.map(({ new_string }) => new_string));
  if (event.tool !== "Bash") return collectStrings(event.input);
  return commands(event).flatMap(({ program, args, redirects, stdin }) => [
    args.join(" "),
    ...(/^g?sed$/.test(program) ? args.flatMap(listSedStrings) : []),
    ...(args.length > 1 ? args : []),
    ...redirects.flatMap(({ text, target, operator }) => (operator === "<<<" ? [target] : (text ?? []))),
    ...(stdin === undefined ? [] : [stdin]),
  ]);
}

/** Lists the strings that a sed script may insert: `1i text`, `/x/a\\ text`, `s/x/text/`. */
const listSedStrings = (script: string): string[] =>
  script.split(/[/|#@,;\n]/, MAX_SED_PARTS).map((part) => part.replace(/^[^A-Za-z]*[aic]\\?\s+/, ""));
const MAX_SED_PARTS = 1_000;

/** Lists the string literals in code that writes files. */
const findWrittenLiterals = (code: string): string[] =>
  /\b(?:open|write\w*|append\w*)\(/i.test(code)
    ? [...code.matchAll(/\\[^]|(["'`])((?:(?!\1)[^\\\n]|\\.){1,1000})\1/g)].flatMap(
        ([, , text]) => text?.replace(/\\(["'`])/g, "$1") ?? [],
      )
    : [];

/** For an input with this many values, `paths` has already failed. */
const MAX_STRINGS = 20_000;

function collectStrings(value: unknown): string[] {
  const collected: string[] = [];
  const pending = [value];
  for (
    let at = pending.pop();
    pending.length + collected.length < MAX_STRINGS && at !== undefined;
    at = pending.pop()
  ) {
    if (typeof at === "string") collected.push(at);
    else if (typeof at === "object" && at !== null) pending.push(...Object.values(at));
  }
  return collected;
}

/** What may precede a command in a config file or patch: `ExecStart=`, `x = !`, `* * * * * `, or `+`. */
const COMMAND_PREFIX =
  /^\s*(?:\+|[\w.-]+\s*=\s*!?|(?:@\w+\s+|(?:[\d*,/-]+\s+){5})(?:root\s+)?|(?:Proxy|Local|Remote)Command\s)\s*/;

/**
 * Returns the text itself as a shell script, followed by scripts extracted from any cron, unit-file, and property-list
 * entries in it.
 */
function extractScripts(scriptText: string): string[] {
  // `printf` and other programs expand `\n`.
  const text = scriptText.replaceAll("\\n", "\n");
  const lines = text.split("\n").flatMap((line) => {
    const [prefix] = COMMAND_PREFIX.exec(line) ?? [];
    return prefix ? [line.slice(prefix.length).replace(/^(["'])([^]*)\1\s*$/, "$2")] : [];
  });
  // A property list stores each argument in its own XML element.
  const elements = text.includes("<string>") ? [text.replace(/<[^<>\n]{0,200}>|\s+/g, " ")] : [];
  return [text, ...(lines.length > 0 ? [lines.join("\n")] : []), ...elements];
}
