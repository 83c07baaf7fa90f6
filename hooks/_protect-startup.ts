import { commands, commandsIn, type EventOf, type Guarded, type PathUse } from "bridge-hooks";

/**
 * Files that are run, or read for commands, by themselves: of shells, cron, git, services and terminals, and programs
 * on PATH.
 */
const STARTUP_FILE = new RegExp(
  [
    String.raw`\/\.(?:bash(?:rc|_profile|_login|_logout|_aliases)|profile|zsh(?:rc|env)|zprofile|zlog(?:in|out)|[km]?kshrc|t?cshrc|log(?:in|out)|xinitrc|xprofile|xsession(?:rc)?|envrc|tmux\.conf|screenrc|gitconfig|vimrc|inputrc)$`,
    String.raw`\/(?:config\.fish|\w*crontab|profile|\w*profile\.ps1|rc\.local|bash\.bashrc|zsh(?:rc|env))$`,
    String.raw`\/(?:fish\/(?:conf\.d|functions)|profile\.d|cron\.\w+|crontabs|\.?git\/hooks|\.husky|\.?git-?hooks|systemd\/(?:user|system)|LaunchAgents|LaunchDaemons|autostart|init\.d|s?bin)\/[^/]+$`,
    String.raw`\/\.?git\/config$`,
  ].join("|"),
  "i",
);

/** What the path of such a file has in it: to compile the expression takes longer than most calls have for all of it. */
const STARTUP_PIECES = (
  "hrc initrc inputrc screenrc vimrc rc.local profile login logout alias env xsession tmux fish " +
  "cron hooks husky systemd launch autostart init.d bin/ git"
).split(" ");

/** Whether a path, with "/" between its steps, is one of such a file. */
export function isStartupFile(path: string): boolean {
  const lower = path.toLowerCase();
  for (const piece of STARTUP_PIECES) if (lower.includes(piece)) return STARTUP_FILE.test(path);
  return false;
}

/** What such a file would do from now on so that hooks are asked no more, as a part of a sentence. */
export function describeStartupHarm(
  event: EventOf<"PreToolUse" | "PermissionRequest">,
  uses: readonly PathUse[],
  guard: Guarded,
): string | undefined {
  const written = uses.find(
    ({ access, path, named }) =>
      access === "write" && (isStartupFile(toSlashes(path)) || (named !== path && isStartupFile(toSlashes(named)))),
  );
  const texts = getWrittenTexts(event);
  const strings = event.tool === "Bash" ? texts.flatMap(findWrittenLiterals) : [];
  const file = written?.named ?? strings.find((text) => isStartupFile(`/${toSlashes(text)}`));
  if (file === undefined) return undefined;
  for (const text of [...texts, ...strings])
    for (const script of extractScripts(text)) {
      const off = findSwitchOff(script, guard);
      if (off !== undefined) return `this would write a command to ${file} that ${off}`;
    }
  return undefined;
}

/** More lines than these are not looked at one by one. */
const MAX_LINES = 10_000;

/** A file may hold more than a line of a shell may: then its lines are read one by one. */
function findSwitchOff(script: string, guard: Guarded): string | undefined {
  try {
    return guard.switchedOff(commandsIn(script));
  } catch (error) {
    if ((error as Error).name !== "ShellError") throw error;
    const lines = script.split("\n", MAX_LINES);
    for (const line of lines.length > 1 ? lines.filter(guard.mentionsHook) : []) {
      const off = findSwitchOff(line, guard);
      if (off !== undefined) return off;
    }
    return undefined;
  }
}

const toSlashes = (path: string) => path.replaceAll("\\", "/");

/** What a call may put into a file. */
const getWrittenTexts = (event: EventOf<"PreToolUse" | "PermissionRequest">): string[] =>
  event.guessed ? [...getToolTexts(event), ...collectStrings(event.input)] : getToolTexts(event);

function getToolTexts(event: EventOf<"PreToolUse" | "PermissionRequest">): string[] {
  if (event.tool === "Write") return [event.input.content];
  if (event.tool === "Edit") return event.input.files.flatMap(({ edits }) => edits.map(({ new_string }) => new_string));
  if (event.tool !== "Bash") return collectStrings(event.input);
  return commands(event).flatMap(({ args, redirects, stdin }) => [
    args.join(" "),
    ...(args.length > 1 ? args : []),
    ...redirects.flatMap(({ text, target, operator }) => (operator === "<<<" ? [target] : (text ?? []))),
    ...(stdin === undefined ? [] : [stdin]),
  ]);
}

/** The strings in a piece of code that writes. */
const findWrittenLiterals = (code: string): string[] =>
  /\b(?:open|write\w*|append\w*)\(/i.test(code)
    ? [...code.matchAll(/\\[^]|(["'`])((?:(?!\1)[^\\\n]|\\.){1,1000})\1/g)].flatMap(
        ([, , text]) => text?.replace(/\\(["'`])/g, "$1") ?? [],
      )
    : [];

const MAX_STRINGS = 1000;

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
const COMMAND_PREFIX = /^\s*(?:\+|[\w.-]+\s*=\s*!?|(?:@\w+\s+|(?:[\d*,/-]+\s+){5})(?:root\s+)?)\s*/;

/** A text as a script, and what follows in its lines where it is of another kind. */
function extractScripts(given: string): string[] {
  // As `printf` and other languages take it.
  const text = given.replaceAll("\\n", "\n");
  const lines = text.split("\n", MAX_LINES).flatMap((line) => {
    const [before] = COMMAND_PREFIX.exec(line) ?? [];
    return before ? [line.slice(before.length).replace(/^(["'])([^]*)\1\s*$/, "$2")] : [];
  });
  return [text, ...(lines.length > 0 ? [lines.join("\n")] : [])];
}
