import { readFileSync, statSync } from "bridge-hooks/files";
import { commands, commandsIn, type EventOf, fileCommands, type Guarded, type PathUse } from "bridge-hooks";
import { STARTUP_ENDINGS, STARTUP_PIECES, toPlacePattern } from "./_startup-places.ts";

let startupFile: RegExp | undefined;

/** Whether a path, with "/" between its steps, is one of such a file. */
export function isStartupFile(path: string): boolean {
  const lower = path.toLowerCase();
  // To compile the expression takes longer than most calls have for all of it.
  if (!STARTUP_PIECES.some((piece) => lower.includes(piece))) return false;
  startupFile ??= new RegExp(`/${toPlacePattern(STARTUP_ENDINGS)}`, "i");
  return startupFile.test(path);
}

/** Folders of programs: what is written there is seldom a script of a shell. */
const PROGRAM_FOLDER = /\/s?bin\/[^/]*$/i;

/** What such a file would do from now on so that hooks are asked no more, as a part of a sentence. */
export function describeStartupHarm(
  event: EventOf<"PreToolUse" | "PermissionRequest">,
  uses: readonly PathUse[],
  guard: Guarded,
): string | undefined {
  const written = uses.filter(
    ({ access, path, named }) =>
      access === "write" && (isStartupFile(toSlashes(path)) || (named !== path && isStartupFile(toSlashes(named)))),
  );
  const texts = getWrittenTexts(event);
  const strings = event.tool === "Bash" ? texts.flatMap(findWrittenLiterals) : [];
  const file = written[0]?.named ?? strings.find((text) => isStartupFile(`/${toSlashes(text)}`));
  if (file === undefined) return undefined;
  const isScript = !PROGRAM_FOLDER.test(toSlashes(file));
  const copied = isScript && written.length > 0 ? readCopiedTexts(event, uses) : [];
  for (const text of [...texts, ...strings, ...copied]) {
    if (text === UNREAD) return `this would put a file at ${file} that can't be read, and is run by itself there`;
    for (const script of extractScripts(text)) {
      const found = findSwitchOff(script, guard);
      if (found.off !== undefined) return `this would write a command to ${file} that ${found.off}`;
      if (found.isUnread && (isScript || guard.mentionsHook(script)))
        return `this would write a line to ${file} that can't be read as a shell reads it, and is run by itself there`;
    }
  }
  return undefined;
}

/** Stands for a text that was not read. */
const UNREAD = "\0";
/** Startup files are some kilobytes. */
const MAX_COPIED_BYTES = 1 << 20;

/** The texts of the files that a call copies, moves or links, since one may get to a place where it is run. */
function readCopiedTexts(event: EventOf<"PreToolUse" | "PermissionRequest">, uses: readonly PathUse[]): string[] {
  const isCopied = [...commands(event), ...fileCommands(event)].some(({ program }) =>
    /^(?:cp|mv|ln|link|install|rsync|ditto|copy-item|move-item|copy|move|dd|cat|tee)$/i.test(program),
  );
  if (!isCopied) return [];
  const sources = uses
    .filter(({ path, uncertain }) => !uncertain && !isStartupFile(toSlashes(path)))
    .slice(0, MAX_COPIED_FILES);
  return [...new Set(sources.map(({ path }) => path))].flatMap((path) => {
    try {
      const found = statSync(path, { throwIfNoEntry: false });
      if (!found?.isFile()) return [];
      return [found.size > MAX_COPIED_BYTES ? UNREAD : readFileSync(path, "utf8")];
    } catch {
      return [UNREAD];
    }
  });
}
/** Further files of one call are not read. */
const MAX_COPIED_FILES = 50;

/** Lines that mention a host or this program: more are not read one by one. */
const MAX_LINES = 10_000;

/** What a script would do: `isUnread` where a line of it can't be read. */
interface ScriptFinding {
  off?: string;
  isUnread?: true;
}

/** A file may hold more than a line of a shell may: then its lines are read one by one. */
function findSwitchOff(script: string, guard: Guarded): ScriptFinding {
  try {
    const off = guard.switchedOff(commandsIn(script));
    return off === undefined ? {} : { off };
  } catch (error) {
    if ((error as Error).name !== "ShellError") throw error;
    if (!script.includes("\n")) return { isUnread: true };
    let finding: ScriptFinding = {};
    let count = 0;
    for (const line of script.split("\n")) {
      const isLong = line.length > MAX_LINE_LENGTH;
      if (!isLong && !guard.mentionsHook(line)) continue;
      const found = ++count > MAX_LINES ? { isUnread: true as const } : findSwitchOff(line, guard);
      if (found.off !== undefined) return found;
      if (found.isUnread) finding = found;
    }
    return finding;
  }
}
/** The reader of shell lines takes no longer one. */
const MAX_LINE_LENGTH = 100_000;

const toSlashes = (path: string) => path.replaceAll("\\", "/");

/** What a call may put into a file. */
const getWrittenTexts = (event: EventOf<"PreToolUse" | "PermissionRequest">): string[] =>
  event.guessed ? [...getToolTexts(event), ...collectStrings(event.input)] : getToolTexts(event);

function getToolTexts(event: EventOf<"PreToolUse" | "PermissionRequest">): string[] {
  if (event.tool === "Write") return [event.input.content];
  if (event.tool === "Edit") return event.input.files.flatMap(({ edits }) => edits.map(({ new_string }) => new_string));
  if (event.tool !== "Bash") return collectStrings(event.input);
  return commands(event).flatMap(({ program, args, redirects, stdin }) => [
    args.join(" "),
    ...(/^g?sed$/.test(program) ? args.flatMap(listSedTexts) : []),
    ...(args.length > 1 ? args : []),
    ...redirects.flatMap(({ text, target, operator }) => (operator === "<<<" ? [target] : (text ?? []))),
    ...(stdin === undefined ? [] : [stdin]),
  ]);
}

/** What a script of sed may put into a file: `1i text`, `/x/a\\ text`, `s/x/text/`. */
const listSedTexts = (script: string): string[] =>
  script.split(/[/|#@,;\n]/, MAX_SED_PARTS).map((part) => part.replace(/^[^A-Za-z]*[aic]\\?\s+/, ""));
const MAX_SED_PARTS = 1_000;

/** The strings in a piece of code that writes. */
const findWrittenLiterals = (code: string): string[] =>
  /\b(?:open|write\w*|append\w*)\(/i.test(code)
    ? [...code.matchAll(/\\[^]|(["'`])((?:(?!\1)[^\\\n]|\\.){1,1000})\1/g)].flatMap(
        ([, , text]) => text?.replace(/\\(["'`])/g, "$1") ?? [],
      )
    : [];

/** More values are a failure before: see `paths`. */
const MAX_STRINGS = 20_000;

function collectStrings(value: unknown): string[] {
  const found: string[] = [];
  const left = [value];
  for (let at = left.pop(); left.length + found.length < MAX_STRINGS && at !== undefined; at = left.pop()) {
    if (typeof at === "string") found.push(at);
    else if (typeof at === "object" && at !== null) left.push(...Object.values(at));
  }
  return found;
}

/** What stands before a command in a line that is none itself: `ExecStart=`, `x = !`, `* * * * * `, `+` in a patch. */
const COMMAND_PREFIX =
  /^\s*(?:\+|[\w.-]+\s*=\s*!?|(?:@\w+\s+|(?:[\d*,/-]+\s+){5})(?:root\s+)?|(?:Proxy|Local|Remote)Command\s)\s*/;

/** A text as a script, and what follows in its lines where it is of another kind. */
function extractScripts(given: string): string[] {
  // As `printf` and other languages take it.
  const text = given.replaceAll("\\n", "\n");
  const lines = text.split("\n").flatMap((line) => {
    const [before] = COMMAND_PREFIX.exec(line) ?? [];
    return before ? [line.slice(before.length).replace(/^(["'])([^]*)\1\s*$/, "$2")] : [];
  });
  // The words of a program in a property list are elements.
  const elements = text.includes("<string>") ? [text.replace(/<[^<>\n]{0,200}>|\s+/g, " ")] : [];
  return [text, ...(lines.length > 0 ? [lines.join("\n")] : []), ...elements];
}
